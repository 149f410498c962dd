"""The tabs, and the names by which an address may ask for them: `?tab=tables`, `?tab=trade-off`."""

from __future__ import annotations

import unicodedata

from insanonym_core.texts import LANGUAGES, say

TABS = {
    "mobility": "Mobility",
    "table": "Tables",
    "traces": "Study traces",
    "avatars": "Avatars",
    "tradeoff": "Trade-off",
}
UNKNOWN_TAB = (
    "The address asks for the tab {name}, and the tabs are called {known}: {open} is open instead, choose "
    "another one above."
)
_ALSO = {
    "mobility": ("gps", "mobile", "city", "ville"),
    "table": ("tabular", "tabulaire"),
    "traces": ("study", "studies", "études", "parcours", "traces d'études"),
    "avatars": ("synthetic", "synthétique"),
    "tradeoff": ("sweep", "balayage", "privacy-utility", "front"),
}


def tab_named(name: str) -> str | None:
    """The tab that an address names, whatever its case, accents, spaces, hyphens and plural; None: no tab."""
    return _TAB_OF.get(_letters(name))


def _letters(name: str) -> str:
    """Only what tells two names apart."""
    spelled = unicodedata.normalize("NFKD", name.casefold())
    letters = "".join(one for one in spelled if one.isalnum())
    return letters.rstrip("sx")


_TAB_OF = {
    _letters(name): tab
    for tab, title in TABS.items()
    for name in (tab, *(say(title, lang) for lang in LANGUAGES), *_ALSO[tab])
}
