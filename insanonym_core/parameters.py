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
from typing import Annotated, Any, Literal, Protocol, TypeAlias, get_args, get_origin, get_type_hints

from insanonym_core.errors import UsageError, brief
from insanonym_core.texts import Phrase

ParameterValues: TypeAlias = Mapping[str, Any]  # Any: the declaration of a parameter decides its type
"""Values of parameters by name."""


class Constraint(Protocol):
    """What a value may be: `validate` gives the clean value or raises ValueError, `allowed` says it."""

    def validate(self, value: object) -> Any: ...  # noqa: D102  # Any: each constraint has its own type
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

    def validate(self, value: object) -> float | int:
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
        """Allowed values in words, for an error message: 'a number from 0 to 5000 m'."""
        kind = Phrase("a whole number") if self.whole else Phrase("a number")
        values = {"number": kind, "low": self.low, "high": self.high}
        if not self.unit:
            return Phrase("{number} from {low:,.15g} to {high:,.15g}", **values)
        return Phrase("{number} from {low:,.15g} to {high:,.15g} {unit}", **values, unit=Phrase(self.unit))


@dataclass(frozen=True, init=False)
class Choice:
    """One of a few texts."""

    values: tuple[str, ...]

    def __init__(self, *values: str) -> None:
        object.__setattr__(self, "values", values)

    def validate(self, value: object) -> str:
        """Exactly one of the texts."""
        if value not in self.values:
            raise ValueError
        return str(value)

    def allowed(self) -> str:
        """Allowed values in words, for an error message: 'one of week, individual'."""
        return Phrase("one of {values}", values=", ".join(self.values))


@dataclass(frozen=True)
class Switch:
    """Yes or no."""

    def validate(self, value: object) -> bool:
        """True, False, or the words yes, no, true, false."""
        if isinstance(value, bool):
            return value
        if not isinstance(value, str):
            raise ValueError
        return {"yes": True, "true": True, "no": False, "false": False}[value.lower()]

    def allowed(self) -> str:
        """For a sentence."""
        return Phrase("yes or no")


@dataclass(frozen=True)
class HourSpan:
    """Two hours, half-open, as '22-6' (past midnight) or '9-17'; kept as (start, end)."""

    def validate(self, value: object) -> tuple[int, int]:
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
        return Phrase("two different whole hours such as 9-17 or 22-6")


WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")


@dataclass(frozen=True)
class Weekdays:
    """Days of the week as 'mon-fri' or 'sat,sun'; kept as sorted numbers, Monday = 0."""

    def validate(self, value: object) -> tuple[int, ...]:
        """The day numbers of a text such as 'mon-fri', or of a list of numbers 0 to 6."""
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
        return Phrase("days of the week such as mon-fri or sat,sun")


@dataclass(frozen=True)
class ColumnNames:
    """Columns of the table at hand, as 'a,b' or a list; none means those the method takes by itself.

    `none_is_all`: these are all that there are. `optional`: a search may leave the column out.
    """

    single: bool = False
    none_is_all: bool = False
    optional: bool = False

    def validate(self, value: object) -> tuple[str, ...]:
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
        return Phrase("the name of a column") if self.single else Phrase("names of columns such as a,b")


@dataclass(frozen=True)
class Lines:
    """Lines that say something of a column each, `column = what`, as one text; `example` is such a line."""

    example: str
    most: int = 1_000_000  # characters

    def validate(self, value: object) -> str:
        """A text of lines, or several texts; each names a column."""
        texts = [value] if isinstance(value, str) else value
        if not isinstance(texts, list | tuple) or not all(isinstance(text, str) for text in texts):
            raise ValueError
        lines = [line.strip() for text in texts for line in text.splitlines() if line.strip()]
        if sum(map(len, lines)) > self.most or not all(all(line_parts(line)) for line in lines):
            raise ValueError
        return "\n".join(lines)

    def allowed(self) -> str:
        """For a sentence."""
        return Phrase("lines such as '{example}'", example=self.example)


def line_parts(line: str) -> tuple[str, str]:
    """The column of a line, and what it says of it."""
    name, _, said = line.partition("=")
    return name.strip(), said.strip()


def lines_by_column(text: str) -> dict[str, list[str]]:
    """What the lines of a text say, by column in order."""
    found: dict[str, list[str]] = {}
    for name, said in map(line_parts, text.splitlines()):
        found.setdefault(name, []).append(said)
    return found


@dataclass(frozen=True)
class Parameter:
    """A declared parameter: its name, default and what it may be."""

    name: str
    default: Any  # Any: of the type that its constraint allows
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

    def check(self, value: object, owner: str) -> Any:  # Any: of the type that its constraint allows
        """The clean value, or one sentence that says what is allowed and what came."""
        try:
            return self.constraint.validate(value)
        except (ValueError, TypeError, KeyError, OverflowError):
            raise UsageError(
                "The '{name}' of {owner} must be {allowed}, got {value}.",
                name=self.name,
                owner=owner,
                allowed=self.constraint.allowed(),
                value=brief(value),
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
) -> dict[str, Any]:  # Any: each of the type that its constraint allows
    """The values given, each checked against its declaration; unknown names are refused."""
    clean: dict[str, Any] = {}
    for name, value in values.items():
        if name not in declared:
            known = ", ".join(declared) or Phrase("none")
            raise UsageError(
                "{owner} has no parameter {name}; its parameters are: {known}.",
                owner=owner,
                name=brief(name),
                known=known,
            )
        clean[name] = declared[name].check(value, owner)
    return clean
