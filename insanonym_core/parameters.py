"""One declaration of a parameter serves its check, its slider, its command-line form and its tests.

A parameter is an annotated field of a method's dataclass, or an annotated keyword argument of a metric or
an attack:

    radius: Annotated[float, Range(0, 5000, step=10, unit="m")] = 200.0
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from numbers import Real
from typing import Annotated, Any, Literal, Protocol, get_args, get_origin, get_type_hints

from insanonym_core.errors import UsageError, brief


class Constraint(Protocol):
    """What a value may be: `admit` gives the clean value or raises ValueError, `allowed` says it."""

    def admit(self, value: object) -> Any: ...  # noqa: D102
    def allowed(self) -> str: ...  # noqa: D102


@dataclass(frozen=True)
class Range:
    """A number from `low` to `high`, both included; whole when `whole`.

    `zero` says what 0 means where it is no number ("automatic"); `filled_in` is for numbers that describe
    what was done before: whoever chains steps fills them in, and nobody moves them.
    """

    low: float
    high: float
    step: float | None = None
    unit: str = ""
    scale: Literal["linear", "log"] = "linear"
    whole: bool = False
    zero: str = ""
    filled_in: bool = False

    def admit(self, value: object) -> float | int:
        """Numbers and texts that are numbers; True is not a number here."""
        if isinstance(value, bool) or not isinstance(value, Real | str):
            raise ValueError
        number = float(value)
        if not math.isfinite(number) or not self.low <= number <= self.high:
            raise ValueError
        if not self.whole:
            return number
        if number != int(number):
            raise ValueError
        return int(number)

    def allowed(self) -> str:
        """For a sentence: 'a number from 0 to 5000 m'."""
        kind = "a whole number" if self.whole else "a number"
        unit = f" {self.unit}" if self.unit else ""
        return f"{kind} from {self.low:g} to {self.high:g}{unit}"


@dataclass(frozen=True, init=False)
class Choice:
    """One of a few texts."""

    values: tuple[str, ...]

    def __init__(self, *values: str) -> None:
        object.__setattr__(self, "values", values)

    def admit(self, value: object) -> str:
        """Exactly one of the texts."""
        if value not in self.values:
            raise ValueError
        return str(value)

    def allowed(self) -> str:
        """For a sentence: 'one of week, individual'."""
        return "one of " + ", ".join(self.values)


@dataclass(frozen=True)
class Switch:
    """Yes or no."""

    def admit(self, value: object) -> bool:
        """True, False, or the words yes, no, true, false."""
        if isinstance(value, bool):
            return value
        if not isinstance(value, str):
            raise ValueError
        return {"yes": True, "true": True, "no": False, "false": False}[value.lower()]

    def allowed(self) -> str:
        """For a sentence."""
        return "yes or no"


@dataclass(frozen=True)
class HourSpan:
    """Two hours, half-open, as '22-6' (past midnight) or '9-17'; kept as (start, end)."""

    def admit(self, value: object) -> tuple[int, int]:
        """A text 'start-end' or a pair of whole hours."""
        parts = value.split("-") if isinstance(value, str) else value
        if not isinstance(parts, list | tuple) or len(parts) != 2:
            raise ValueError
        if any(isinstance(part, float) for part in parts):
            raise ValueError
        start, end = (int(part) for part in parts)
        if not (0 <= start <= 23 and 0 <= end <= 24) or start == end:
            raise ValueError
        return start, end

    def allowed(self) -> str:
        """For a sentence."""
        return "two different whole hours such as 9-17 or 22-6"


WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")


@dataclass(frozen=True)
class Weekdays:
    """Days of the week as 'mon-fri' or 'sat,sun'; kept as sorted numbers, Monday = 0."""

    def admit(self, value: object) -> tuple[int, ...]:
        """A text of days and spans of days, or numbers 0 to 6."""
        if isinstance(value, str):
            days: set[int] = set()
            for part in value.lower().split(","):
                ends = [WEEKDAYS.index(day.strip()) for day in part.split("-")]
                if len(ends) > 2 or ends[0] > ends[-1]:
                    raise ValueError
                days.update(range(ends[0], ends[-1] + 1))
        elif isinstance(value, list | tuple):
            if any(isinstance(day, float) for day in value):
                raise ValueError
            days = {int(day) for day in value}
        else:
            raise ValueError
        if not days or not days <= set(range(7)):
            raise ValueError
        return tuple(sorted(days))

    def allowed(self) -> str:
        """For a sentence."""
        return "days of the week such as mon-fri or sat,sun"


@dataclass(frozen=True)
class ColumnNames:
    """Columns of the table at hand, as 'a,b' or a list; none means those the method takes by itself.

    `none_is_all`: these are all that there are.
    """

    single: bool = False
    none_is_all: bool = False

    def admit(self, value: object) -> tuple[str, ...]:
        """A text of names separated by commas, or several texts; whether they exist, the table knows."""
        names = value.split(",") if isinstance(value, str) else value
        if not isinstance(names, list | tuple) or not all(isinstance(name, str) for name in names):
            raise ValueError
        clean = tuple(name.strip() for name in names if name.strip())
        if self.single and len(clean) > 1:
            raise ValueError
        return clean

    def allowed(self) -> str:
        """For a sentence."""
        return "the name of a column" if self.single else "names of columns such as a,b"


@dataclass(frozen=True)
class Parameter:
    """A declared parameter: its name, default and what it may be."""

    name: str
    default: Any
    constraint: Constraint

    def written(self) -> str:
        """The default as one types it."""
        match self.constraint:
            case HourSpan():
                return f"{self.default[0]}-{self.default[1]}"
            case Weekdays():
                return ",".join(WEEKDAYS[day] for day in self.default)
            case ColumnNames():
                return ",".join(self.default) or "(none)"
            case Switch():
                return "yes" if self.default else "no"
        return str(self.default)

    def check(self, value: object, owner: str) -> Any:
        """The clean value, or one sentence that says what is allowed and what came."""
        try:
            return self.constraint.admit(value)
        except (ValueError, TypeError, KeyError, OverflowError):
            raise UsageError(
                f"The '{self.name}' of {owner} must be {self.constraint.allowed()}, got {brief(value)}."
            ) from None


def parameters_of(item: Callable[..., object]) -> dict[str, Parameter]:
    """The declared parameters of a dataclass or function, in their written order."""
    hints = get_type_hints(item, include_extras=True)
    declared: dict[str, Parameter] = {}
    for name, argument in inspect.signature(item).parameters.items():
        hint = hints.get(name)
        if get_origin(hint) is not Annotated:
            continue
        constraint = get_args(hint)[1]
        declared[name] = Parameter(name, argument.default, constraint)
    return declared


def check_values(
    owner: str, declared: Mapping[str, Parameter], values: Mapping[str, object]
) -> dict[str, Any]:
    """The values given, each checked against its declaration; unknown names are refused."""
    clean: dict[str, Any] = {}
    for name, value in values.items():
        if name not in declared:
            known = ", ".join(declared) or "none"
            raise UsageError(f"{owner} has no parameter {brief(name)}; its parameters are: {known}.")
        clean[name] = declared[name].check(value, owner)
    return clean
