"""The tabs, and the names by which an address may ask for them: `?tab=tables`, `?tab=trade-off`."""

from __future__ import annotations

import unicodedata
from functools import cache

from insanonym_core.kinds import all_kinds
from insanonym_core.texts import LANGUAGES, say

TRADEOFF = "tradeoff"
UNKNOWN_TAB = (
    "The address asks for the tab {name}, and the tabs are called {known}: {open} is open instead, choose "
    "another one above."
)
_TRADEOFF_TITLE = "Trade-off"
_TRADEOFF_ALIASES = ("sweep", "balayage", "privacy-utility", "front")


@cache
def tabs() -> dict[str, str]:
    """Tab → title: one for each kind of data, then the trade-off."""
    return {name: kind.title for name, kind in all_kinds().items()} | {TRADEOFF: _TRADEOFF_TITLE}


def tab_named(name: str) -> str | None:
    """The tab that an address names, whatever its case, accents, spaces, hyphens and plural; None: no tab."""
    return _known_names().get(_letters(name))


def _letters(name: str) -> str:
    """A name in lower case without accents, spaces, hyphens and plural, for comparison."""
    spelled = unicodedata.normalize("NFKD", name.casefold())
    letters = "".join(one for one in spelled if one.isalnum())
    return letters.rstrip("sx")


@cache
def _known_names() -> dict[str, str]:
    aliases = {name: kind.aliases for name, kind in all_kinds().items()} | {TRADEOFF: _TRADEOFF_ALIASES}
    return {
        _letters(name): tab
        for tab, title in tabs().items()
        for name in (tab, *(say(title, lang) for lang in LANGUAGES), *aliases[tab])
    }
