"""One number for privacy and one for utility, so that all methods of one kind of data share one plot."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from insanonym_core.errors import UsageError
from insanonym_core.registry import Measure

Values = Mapping[str, float]


@dataclass(frozen=True)
class Headline:
    """What stands for privacy or utility: a formula over measures; `needs` names them by key or family."""

    name: str
    title: str
    formula: str
    needs: tuple[str, ...]
    value: Callable[[Values], float]

    def of(self, measures: Sequence[Measure]) -> float:
        """The number; NaN where a measure it needs is undefined."""
        values = {
            measure.key: measure.score.value
            for measure in measures
            if measure.key in self.needs or measure.family in self.needs
        }
        if not values or any(math.isnan(value) for value in values.values()):
            defined = {key: value for key, value in values.items() if not math.isnan(value)}
            # A mean over a family goes without its undefined members; a single measure has no substitute.
            if not defined or any("." in need for need in self.needs):
                return math.nan
            values = defined
        return self.value(values)


def _only(values: Values) -> float:
    return next(iter(values.values()))


def _one_minus(values: Values) -> float:
    return 1 - _only(values)


HEADLINES: dict[str, dict[str, tuple[Headline, ...]]] = {
    "mobility": {
        "privacy": (
            Headline("best_attack", "Privacy", "1 − best attack", ("attack",), lambda v: 1 - max(v.values())),
            Headline(
                "mean_attack",
                "Privacy",
                "1 − mean of the attacks",
                ("attack",),
                lambda v: 1 - fmean(v.values()),
            ),
        ),
        "utility": (
            Headline(
                "mean", "Utility", "mean of the utility scores", ("utility",), lambda v: fmean(v.values())
            ),
            Headline("min", "Utility", "lowest utility score", ("utility",), lambda v: min(v.values())),
        ),
    },
    "table": {
        "privacy": (
            Headline(
                "prosecutor", "Privacy", "1 − mean prosecutor risk", ("privacy.prosecutor_mean",), _one_minus
            ),
            Headline("linkage", "Privacy", "1 − linkage success", ("privacy.linkage",), _one_minus),
            Headline("unique", "Privacy", "1 − share of unique rows", ("privacy.unique_share",), _one_minus),
        ),
        "utility": (
            Headline("ncp", "Utility", "1 − information lost (NCP)", ("utility.ncp",), _one_minus),
            Headline("rows", "Utility", "share of the rows kept", ("utility.rows_kept",), _only),
        ),
    },
    "traces": {
        "privacy": (
            Headline("pinned", "Privacy", "1 − masked counts pinned", ("privacy.pinned",), _one_minus),
            Headline("alone", "Privacy", "1 − people alone in their trace", ("privacy.alone",), _one_minus),
        ),
        "utility": (
            Headline("counted", "Utility", "individuals counted exactly", ("utility.counted",), _only),
            Headline("rows", "Utility", "share of the rows kept", ("utility.rows_kept",), _only),
        ),
    },
    "avatars": {
        "privacy": (
            Headline("hidden_rate", "Privacy", "hidden rate", ("privacy.hidden_rate",), _only),
            Headline(
                "membership",
                "Privacy",
                "1 − 2·|membership AUC − ½|",
                ("privacy.membership_auc",),
                lambda v: 1 - 2 * abs(_only(v) - 0.5),
            ),
            Headline("linkage", "Privacy", "1 − linkage success", ("privacy.linkage",), _one_minus),
        ),
        "utility": (Headline("resemblance", "Utility", "resemblance", ("utility.resemblance",), _only),),
    },
}


def headline(kind: str, what: str, name: str | None = None) -> Headline:
    """The headline of this name for privacy or utility; the first of its list unless one is named."""
    known = HEADLINES[kind][what]
    found = known[0] if name is None else next((one for one in known if one.name == name), None)
    if found is None:
        names = ", ".join(one.name for one in known)
        raise UsageError(f"The {what} headline of {kind} data must be one of {names}, got {name!r}.")
    return found
