"""What the commands on tables share: reading with roles, running a method, reporting."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from insanonym_core.cli import show
from insanonym_core.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Container, Mapping

    from insanonym_core.tabular.release import TableRelease
    from insanonym_core.tabular.roles import Roles, Withheld
    from insanonym_core.tabular.table import Table


_PRINTED_APART = ("not_published", "roles_guessed")  # as sentences, on standard error


def split(names: str) -> tuple[str, ...]:
    """Names separated by commas."""
    return tuple(name.strip() for name in names.split(",") if name.strip())


def split_identifiers(names: str, columns: Container[str]) -> tuple[str | None, tuple[str, ...]]:
    """What --id says: the column that tells individuals apart, and the other identifiers."""
    found = (names,) if names and names in columns else split(names)  # one name may hold a comma
    return (found[0] if found else None), found[1:]


class Opened:
    """A table as a command got it: read, roles checked, rows with missing values dropped on request."""

    def __init__(
        self,
        file: Path,
        *,
        quasi: str = "",
        sensitive: str = "",
        identifier: str = "",
        drop: str = "",
        publish: str = "",
        missing: str = "value",
        separator: str | None = None,
        decimal: str = ".",
        needs_quasi: bool = False,
        used: tuple[str, ...] = (),
    ) -> None:
        from insanonym_core.tabular.files import read_table
        from insanonym_core.tabular.roles import Roles

        if missing not in ("value", "drop"):
            raise UsageError(f"--missing must be value or drop, got {missing!r}.")
        with show.progress(1) as tell_name:
            tell_name(f"Reading {file.name}")
            self.whole: Table = read_table(file, separator=field_mark(separator), decimal=decimal)
        first, others = split_identifiers(identifier, self.whole.columns)
        self.roles: Roles = Roles(
            split(quasi), split(sensitive), first, others, split(drop), split(publish)
        ).checked(self.whole, needs_quasi=needs_quasi)
        concerned = tuple(name for name in used if name in self.whole.columns) or (
            *self.roles.quasi,
            *self.roles.sensitive,
        )
        if missing == "drop" and not concerned:
            hidden = self.roles.decided(self.whole).hidden
            concerned = tuple(name for name in self.whole.columns if name not in hidden)
        self.rows = self.whole.complete_rows(concerned) if missing == "drop" else np.arange(self.whole.rows)
        self.dropped: int = self.whole.rows - len(self.rows)
        self.table: Table = self.whole.take(self.rows) if self.dropped else self.whole
        if self.table.rows == 0:
            raise UsageError("Every row has a missing value: leave --missing drop out.")

    def counted_as_lost(self, release: TableRelease) -> TableRelease:
        """A release of the complete rows as one of the whole table: what was dropped is lost."""
        if not self.dropped:
            return release
        return replace(release, original=self.whole, rows=self.rows[release.rows])


def field_mark(mark: str | None) -> str | None:
    """What --separator says; a tab may be written as tab."""
    return {"tab": "\t", "\\t": "\t"}.get(mark, mark) if mark else None


def announce_seed(seed: int | None) -> None:
    """Warn of a seed, before anything is written."""
    if seed is None:
        return
    if seed < 0:
        raise UsageError(f"The seed must be a whole number of 0 or more, got {seed}.")
    show.errors.print(
        f"Seed {seed}: whoever has or can guess the data, and knows the seed and the steps, can repeat the "
        "draws of this release. Leave the seed out for a real release.",
        style="yellow",
    )


def run_method(name: str, opened: Opened, seed: int | None, **parameters: object) -> TableRelease:
    """Build the method and apply it."""
    from insanonym_core.experiment import draws_of
    from insanonym_core.registry import methods
    from insanonym_core.tabular.chain import apply_method, columns_of

    method = methods.get(name, data="table").item(**parameters)
    announce_seed(seed)
    with show.progress(1) as tell_name:
        tell_name(name)
        generator = draws_of(seed, opened.table).generator(1, name, f"{opened.roles!r} {method!r}")
        # Decided on the whole table: rows that --missing drop leaves out do not make a text less unique.
        roles = opened.roles.decided(opened.whole, columns_of(method))
        release = apply_method(method, opened.table, roles, generator)
    return opened.counted_as_lost(release)


def summary(opened: Opened, release: TableRelease) -> dict[str, Any]:
    """What every command that makes a release reports; which columns are not published is also printed."""
    from insanonym_core.tabular.roles import not_published_list

    print_not_published(release.not_published)
    return {
        "rows_in": opened.whole.rows,
        "rows_out": len(release.frame),
        "rows_with_missing_dropped": opened.dropped,
        **release.facts,
        "not_published": not_published_list(release.not_published),
        "roles_guessed": list(opened.roles.guessed),
    }


def about_columns(facts: Mapping[str, Any]) -> dict[str, Any]:
    """For JSON, from the facts of a run: which columns are not published, and which roles are guesses."""
    from insanonym_core.tabular.roles import not_published_list

    return {
        "not_published": not_published_list(facts["not_published"]),
        "roles_guessed": list(facts["roles_guessed"]),
    }


def print_about_columns(facts: Mapping[str, Any]) -> None:
    """The same in sentences, on standard error."""
    from insanonym_core.tabular.roles import guesses_text

    print_not_published(facts["not_published"])
    if facts["roles_guessed"]:
        show.errors.print(guesses_text(facts["roles"]), style="yellow")


def print_not_published(withheld: Withheld) -> None:
    """One sentence on standard error: which columns are not published and why."""
    from insanonym_core.tabular.roles import DROPPED, GUESSED_IDENTIFIER, IDENTIFIER, not_published_text

    if not withheld:
        return
    named = (DROPPED, GUESSED_IDENTIFIER, IDENTIFIER)
    how = " Name a column in --publish-columns (recipe: roles.publish) to publish it all the same."
    said = not_published_text(withheld) + (how if any(why not in named for _, why in withheld) else "")
    show.errors.print(said, style="yellow")


def verified(opened: Opened, release: TableRelease, everything: bool = False) -> dict[str, Any]:
    """The summary with what was asked, what was measured, and what it cost."""
    from insanonym_core.tabular.evaluate import evaluate_table, verify

    check = verify(release)
    names = ("ncp", "rows_kept", "discernibility", "average_class", "prosecutor_mean", "l", "t")
    report = evaluate_table(release, names=None if everything else ("k", *names))
    scores, people = report.values(), report.scores["k"].details.get("individuals")
    return (
        summary(opened, release)
        | {"asked_k": check.asked, "k": check.measured, "holds": check.holds, "verified": check.sentence()}
        | ({"k_individuals": people} if people is not None else {})
        | {name: value for name, value in scores.items() if name != "k"}
    )


def tell(report: dict[str, Any], as_json: bool, title: str) -> None:
    """Print a report as JSON, or as a small table with its sentences and lists below."""
    if as_json:
        show.print_json(report)
        return
    console = show.output()
    figures = show.table(title, "", ">value")
    report = {name: value for name, value in report.items() if name not in _PRINTED_APART}
    for name, value in report.items():
        if isinstance(value, bool):
            figures.add_row(name, "yes" if value else "no")
        elif isinstance(value, int):
            figures.add_row(name, f"{value:,}")
        elif isinstance(value, float):
            figures.add_row(name, f"{value:,.0f}" if value >= 1000 else show.number(value))
    console.print(figures)
    for name, value in report.items():
        if isinstance(value, str):
            console.print(f"\n{value}", markup=False)
        elif isinstance(value, dict):
            console.print(f"\n{name}: {_listed(value)}", markup=False)
        elif isinstance(value, list) and all(isinstance(item, str) for item in value):
            console.print(f"\n{name}: {', '.join(value)}", markup=False)
        elif isinstance(value, list):
            console.print(f"\n{name}:", markup=False)
            for number, item in enumerate(value, start=1):
                console.print(f"  {number}. {_listed(item)}", markup=False)


def _listed(item: object) -> str:
    if isinstance(item, dict):
        return "; ".join(f"{name} {_listed(value)}" for name, value in item.items())
    return ", ".join(map(str, item)) if isinstance(item, list) else str(item)
