"""One declaration: its check, its words and its errors."""

from dataclasses import dataclass
from typing import Annotated

import numpy as np
import pytest

from insanonym_core.errors import UsageError
from insanonym_core.parameters import (
    Choice,
    HourSpan,
    Lines,
    Range,
    Weekdays,
    check_values,
    lines_by_column,
    parameters_of,
)


@dataclass(frozen=True, kw_only=True)
class Blur:
    radius: Annotated[float, Range(0, 5000, step=10, unit="m", scale="log")] = 200.0
    k: Annotated[int, Range(1, 100, whole=True)] = 5
    per: Annotated[str, Choice("week", "individual")] = "week"
    free: str = "not a parameter"


def test_fields_are_parameters_in_their_order():
    declared = parameters_of(Blur)
    assert list(declared) == ["radius", "k", "per"]
    assert declared["radius"].default == 200.0
    assert declared["radius"].constraint.allowed() == "a number from 0 to 5,000 m"


def test_keyword_arguments_are_parameters():
    def metric(pair: object, *, share: Annotated[float, Range(0, 1)] = 0.1) -> float:
        return share

    assert list(parameters_of(metric)) == ["share"]


@pytest.mark.parametrize(("given", "clean"), [("200", 200.0), (0, 0.0), ("1e3", 1000.0), (5000, 5000.0)])
def test_numbers_and_texts_that_are_numbers(given, clean):
    value = check_values("blur", parameters_of(Blur), {"radius": given})["radius"]
    assert value == clean
    assert isinstance(value, float)


def test_whole_numbers():
    assert check_values("blur", parameters_of(Blur), {"k": np.int64(7)}) == {"k": 7}
    assert check_values("blur", parameters_of(Blur), {"k": "7"}) == {"k": 7}
    with pytest.raises(UsageError, match=r"must be a whole number from 1 to 100, got 2\.5"):
        check_values("blur", parameters_of(Blur), {"k": 2.5})


@pytest.mark.parametrize("bad", [-1, 5001, "far", "", None, True, [1], float("nan"), float("inf"), "nan"])
def test_what_is_out_of_range_is_said(bad):
    with pytest.raises(UsageError, match=r"The 'radius' of blur must be a number from 0 to 5,000 m, got "):
        check_values("blur", parameters_of(Blur), {"radius": bad})


def test_unknown_names_list_the_known_ones():
    with pytest.raises(UsageError, match="blur has no parameter 'size'; its parameters are: radius, k, per"):
        check_values("blur", parameters_of(Blur), {"size": 1})


def test_choices():
    with pytest.raises(UsageError, match="must be one of week, individual, got 'day'"):
        check_values("blur", parameters_of(Blur), {"per": "day"})


@pytest.mark.parametrize(("given", "clean"), [("22-6", (22, 6)), ((9, 17), (9, 17)), ([0, 24], (0, 24))])
def test_hours(given, clean):
    assert HourSpan().validate(given) == clean


@pytest.mark.parametrize("bad", ["9", "9-9", "24-6", "9-25", "a-b", 9, (1, 2, 3), None, "-1-5", [9.7, 17]])
def test_hours_refused(bad):
    with pytest.raises((ValueError, TypeError)):
        HourSpan().validate(bad)


@pytest.mark.parametrize(
    ("given", "clean"),
    [
        ("mon-fri", (0, 1, 2, 3, 4)),
        ("sat,sun", (5, 6)),
        ("Sun", (6,)),
        ("mon, wed-thu", (0, 2, 3)),
        ([6, 5], (5, 6)),
    ],
)
def test_weekdays(given, clean):
    assert Weekdays().validate(given) == clean


@pytest.mark.parametrize(
    ("given", "clean"),
    [("", ""), (" a = b ", "a = b"), ("a=1\n\n b=2", "a=1\nb=2"), (["a=1", "b=2"], "a=1\nb=2")],
)
def test_lines(given, clean):
    assert Lines("a = b").validate(given) == clean


def test_lines_by_column():
    assert lines_by_column("a = 1\nb=x = y\na = 2") == {"a": ["1", "2"], "b": ["x = y"]}


@pytest.mark.parametrize("bad", ["a", "=1", "a=", 3, None, ["a=1", 2], "a=" + "x" * 100])
def test_lines_refused(bad):
    with pytest.raises((ValueError, TypeError)):
        Lines("a = b", most=99).validate(bad)


@pytest.mark.parametrize("bad", ["", "monday", "fri-mon", "mon-tue-wed", [], [7], None, 3, [0.9]])
def test_weekdays_refused(bad):
    with pytest.raises((ValueError, TypeError)):
        Weekdays().validate(bad)
