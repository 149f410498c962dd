"""Roles of columns (identifier, quasi-identifier, sensitive, other), and which are not published."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import reduce
from typing import TYPE_CHECKING

from insanonym_core.errors import UsageError, brief
from insanonym_core.tabular.direct import direct_identifiers, likely_identifier
from insanonym_core.tabular.table import Table
from insanonym_core.texts import Phrase, join_texts, say

if TYPE_CHECKING:
    from insanonym_core.kinds import Facts

_SENSITIVE = re.compile(
    r"(diagnos|disease|maladie|illness|salar|income|revenu|religion|result|note|grade|score|outcome|sensitive)",
    re.I,
)
IDENTIFIER, GUESSED_IDENTIFIER, DROPPED = (
    Phrase(text) for text in ("identifier", "identifier, as guessed", "dropped on request")
)
_SEPARATOR = {"en": "; ", "fr": "\u202f; "}
Withheld = tuple[tuple[str, str], ...]
"""Columns that are not published, in the order of the table, each with the reason."""


@dataclass(frozen=True)
class Roles:
    """The roles of a table's columns; what is not named and no direct identifier is published as it is.

    `identifier` tells individuals apart. Neither it nor `further_identifiers` are published, nor what stands
    in `drop` or looks like a direct identifier, unless it is in `publish`. `guessed` are the roles that
    nobody named. `withheld` says what is not published and why; it is None until it is `decided`.
    """

    quasi: tuple[str, ...] = ()
    sensitive: tuple[str, ...] = ()
    identifier: str | None = None
    further_identifiers: tuple[str, ...] = ()
    drop: tuple[str, ...] = ()
    publish: tuple[str, ...] = ()
    guessed: tuple[str, ...] = ()
    withheld: Withheld | None = None

    @property
    def identifiers(self) -> tuple[str, ...]:
        """All identifiers; the first one identifies individuals."""
        return (*((self.identifier,) if self.identifier is not None else ()), *self.further_identifiers)

    @property
    def hidden(self) -> frozenset[str]:
        """The columns that are not published, as far as decided."""
        return frozenset((*self.identifiers, *self.drop, *(name for name, _ in self.withheld or ())))

    def checked(self, table: Table, *, needs_quasi: bool = True) -> Roles:
        """Return these roles, or raise a UsageError if they do not fit the table."""
        table.named(self.quasi, "quasi-identifiers", at_least_one=needs_quasi)
        table.named(self.sensitive, "sensitive columns", at_least_one=False)
        table.named(self.identifiers, "identifier", at_least_one=False)
        table.named(self.drop, "list of columns to drop", at_least_one=False)
        table.named(self.publish, "list of columns to publish", at_least_one=False)
        by_role = {
            Phrase("quasi-identifier"): self.quasi,
            Phrase("sensitive"): self.sensitive,
            Phrase("identifier"): self.identifiers,
            Phrase("dropped"): self.drop,
        }
        taken: dict[str, str] = {}
        for role, names in by_role.items():
            for name in names:
                if name in taken:
                    raise _conflicting_roles_error(name, taken[name], role)
                taken[name] = role
        for name in self.publish:
            if taken.get(name) in ("identifier", "dropped"):
                raise _conflicting_roles_error(name, taken[name], Phrase("published"))
        return self

    def decided(self, table: Table, named: Iterable[str] = ()) -> Roles:
        """Return these roles with the columns of this table not to publish; decided only once.

        `named` are columns that a step names: they are not withheld for looking like identifiers.
        """
        if self.withheld is not None:
            return self
        return replace(self, withheld=not_published(table, self, named))


def _conflicting_roles_error(name: str, first: str, second: str) -> UsageError:
    return UsageError(
        "The column {name} cannot be {first} and {second} at once: choose one role.",
        name=brief(name),
        first=first,
        second=second,
    )


def not_published(table: Table, roles: Roles, named: Iterable[str] = ()) -> Withheld:
    """Return the columns of a table that must not be published, each with the reason.

    These are identifiers, dropped columns, and columns that look like direct identifiers unless they are to
    be published, have another role, or are `named` by a step.
    """
    identifier = GUESSED_IDENTIFIER if "identifier" in roles.guessed else IDENTIFIER
    why: dict[str, str] = dict.fromkeys(roles.identifiers, identifier)
    why |= dict.fromkeys(roles.drop, DROPPED)
    kept = {*roles.quasi, *roles.sensitive, *roles.publish, *named}
    for name, reason in direct_identifiers(table, roles.identifiers).items():
        if name not in kept:
            why.setdefault(name, reason)
    return tuple((name, why[name]) for name in table.columns if name in why)


def published_on_request(table: Table, roles: Roles, names: Iterable[str]) -> Withheld:
    """Return the columns that look like direct identifiers but are published because they were named."""
    direct = direct_identifiers(table, roles.identifiers)
    return tuple((name, direct[name]) for name in dict.fromkeys(names) if name in direct)


def not_published_text(withheld: Withheld, lang: str = "en") -> str:
    """Return a sentence on the columns that are not published and why; empty if there are none."""
    if not withheld:
        return ""
    return say("Not published: {columns}.", lang, columns=listed_with_reasons(withheld, lang))


def listed_with_reasons(columns: Withheld, lang: str = "en") -> str:
    """Return a list of columns as text, each with its reason in brackets."""
    return _SEPARATOR[lang].join(f"{name} ({say(why, lang)})" for name, why in columns)


def guesses_text(roles: Roles, lang: str = "en") -> str:
    """Return a sentence on the guessed roles and their columns; empty if none is guessed."""
    guesses = _guesses(roles)
    if not guesses:
        return ""
    return say("Roles guessed from names and values, to be checked: {roles}.", lang, roles=guesses)


def unconfirmed_text(facts: Facts, lang: str = "en") -> str:
    """Return what is said beside a headline whose roles nobody confirmed, from the facts of a report."""
    return say(unconfirmed(facts), lang)


def unconfirmed(facts: Facts) -> str:
    """Return the same as a text that can be said in any language; empty if all roles were named."""
    guesses = _guesses(facts["roles"]) if facts.get("roles_guessed") else ""
    if not guesses:
        return ""
    return Phrase("These numbers rely on guessed roles that nobody has confirmed: {roles}.", roles=guesses)


def _guesses(roles: Roles) -> str:
    """List the guessed roles with their columns."""
    columns = {
        "quasi-identifiers": ("quasi", roles.quasi),
        "sensitive columns": ("sensitive", roles.sensitive),
        "identifier": ("identifier", roles.identifiers),
    }
    listed = [
        join_texts(" ", (Phrase(title), ", ".join(names)))
        for title, (role, names) in columns.items()
        if role in roles.guessed and names
    ]
    if not listed:
        return ""
    return reduce(lambda first, then: Phrase("{first}; {then}", first=first, then=then), listed)


def not_published_list(withheld: Withheld) -> list[dict[str, str]]:
    """Return the columns that are not published, with the reasons, for JSON."""
    return [{"column": name, "why": str(why)} for name, why in withheld]


def refuse_hidden(roles: Roles, names: Iterable[str], what: str) -> None:
    """Refuse columns that are not published; `what` names their purpose in the error."""
    for name in names:
        if name in roles.hidden:
            why = dict(roles.withheld or ()).get(name) or (DROPPED if name in roles.drop else IDENTIFIER)
            raise UsageError(
                "The column {name} is not published ({why}) and cannot be the {what}: choose another column.",
                name=brief(name),
                why=why,
                what=Phrase(what),
            )


def guess_roles(table: Table, identifiers: Iterable[str] = ()) -> Roles:
    """Guess roles from names and values, for a person to correct; `identifiers` are known already.

    A column that looks like a direct identifier is guessed as identifier or gets no role.
    """
    identifier, direct = likely_identifier(table), {*direct_identifiers(table, identifiers), *identifiers}
    sensitive = [name for name in table.columns if name not in direct and _SENSITIVE.search(name)]
    quasi = [
        name
        for name, column in table.columns.items()
        if name not in direct
        and name not in sensitive
        and column.domain > 1
        and (column.kind != "category" or column.domain <= max(20, table.rows // 2))
    ]
    proposal = {"identifier": identifier, "quasi": quasi, "sensitive": sensitive}
    guessed = tuple(role for role, names in proposal.items() if names)
    return Roles(tuple(quasi), tuple(sensitive), identifier, guessed=guessed)
