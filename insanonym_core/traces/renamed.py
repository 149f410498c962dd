"""Steps of studies that changed their name over the years: one name for all of them."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from insanonym_core.errors import DataError, UsageError, brief
from insanonym_core.parameters import line_parts
from insanonym_core.traces.texts import Texts


def names_of_lines(text: str) -> dict[str, str]:
    """Return the new name of each old one, from lines `G5PLS = G5PRLS`."""
    names: dict[str, str] = {}
    for old, new in map(line_parts, text.splitlines()):
        if names.setdefault(old, new) != new:
            raise UsageError(
                "{old} is renamed twice, to {one} and to {other}: leave one line out.",
                old=brief(old),
                one=brief(names[old]),
                other=brief(new),
            )
    return last_names(names)


def last_names(names: Mapping[str, str]) -> dict[str, str]:
    """Follow names that were changed several times to the last one."""
    found = {}
    for old in names:
        seen, new = {old}, names[old]
        while new in names and names[new] != new:
            if new in seen:
                raise DataError("{old} is renamed in a circle: end at the name to publish.", old=brief(old))
            seen.add(new)
            new = names[new]
        found[old] = new
    return found


def renamed(texts: Texts, names: Mapping[str, str]) -> Texts:
    """Return a column of texts under their last names."""
    if names.keys().isdisjoint(texts.values):
        return texts
    new = [names.get(text, text) for text in texts.values]
    number = {text: place for place, text in enumerate(dict.fromkeys(new))}
    codes = np.array([*(number[text] for text in new), -1], dtype=np.int64)
    return Texts(codes[texts.code], tuple(number))
