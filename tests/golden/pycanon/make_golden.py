"""Make the tables of this folder and ask pycanon about them; see README.md for the environment.

    python make_golden.py

Every table is written first and read back, so that the answers are about the file and not about the frame.
"""

from __future__ import annotations

import builtins
import json
import math
import platform
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pycanon
from pycanon import anonymity
from pycanon.anonymity import _l_diversity

HERE = Path(__file__).parent
SEED = 20240229


def skewed(draw: np.random.Generator, values: list[Any], rows: int, tilt: float = 0.6) -> np.ndarray:
    """Draws in which each value is `tilt` times as likely as the one before it."""
    weights = tilt ** np.arange(len(values))
    return draw.choice(np.array(values), size=rows, p=weights / weights.sum())


def complete_tables() -> dict[str, pd.DataFrame]:
    draw = np.random.default_rng(SEED)
    clinic = pd.DataFrame(
        {
            "age": skewed(draw, [30, 40, 50, 60], 240, 0.8),
            "sex": skewed(draw, ["f", "m"], 240, 0.9),
            "zone": skewed(draw, ["north", "south", "west"], 240, 0.7),
            "illness": skewed(draw, ["flu", "asthma", "ulcer", "cold", "fracture"], 240, 0.75),
        }
    )
    # The wages are unevenly spaced: a distance over ranks and one over euros give different answers.
    level = skewed(draw, [1, 2, 3], 400, 0.7)
    wage = np.array([1200, 1500, 1900, 2600, 4000, 9500])
    wages = pd.DataFrame(
        {
            "team": skewed(draw, ["blue", "green", "red"], 400, 0.8),
            "level": level,
            "share": skewed(draw, [0.5, 0.8, 1.0], 400, 0.9),
            "wage": wage[np.minimum(level - 1 + draw.integers(0, 4, 400), 5)],
        }
    )
    one_class = pd.DataFrame(
        {
            "country": ["fr"] * 40,
            "year": [2015] * 40,
            "illness": skewed(draw, ["flu", "asthma", "ulcer"], 40, 0.6),
            "score": skewed(draw, [3, 7, 8, 20], 40, 0.7),
        }
    )
    unique = pd.DataFrame(
        {
            "birth": draw.integers(1950, 2000, 60),
            "zone": skewed(draw, ["north", "south", "west"], 60, 0.7),
            "illness": skewed(draw, ["flu", "asthma", "ulcer", "cold"], 60, 0.7),
            "score": skewed(draw, [-4, 0, 1, 10], 60, 0.8),
        }
    )
    course = pd.DataFrame(
        {
            "stage": skewed(draw, [1, 2, 3, 4], 320, 0.8),
            "diploma": skewed(draw, ["dut", "licence", "master"], 320, 0.7),
            "parent_job": skewed(draw, ["a", "b", "c"], 320, 0.8),
            "grant": skewed(draw, ["no", "yes"], 320, 0.6),
            "bac": skewed(draw, ["es", "l", "s", "stg"], 320, 0.7),
            "mark": skewed(draw, [8, 10, 11, 12, 14, 17], 320, 0.85),
        }
    )
    return {"clinic": clinic, "wages": wages, "one_class": one_class, "unique": unique, "course": course}


COMPLETE_CASES: list[tuple[str, list[str], str]] = [
    ("clinic", ["age"], "illness"),
    ("clinic", ["age", "sex"], "illness"),
    ("clinic", ["age", "sex", "zone"], "illness"),
    ("wages", ["team"], "wage"),
    ("wages", ["share"], "wage"),
    ("wages", ["level", "share"], "wage"),
    ("wages", ["team", "level", "share"], "wage"),
    ("one_class", ["country", "year"], "illness"),
    ("one_class", ["country", "year"], "score"),
    ("unique", ["birth", "zone"], "illness"),
    ("unique", ["birth", "zone"], "score"),
    ("unique", ["zone"], "illness"),
    ("unique", ["zone"], "score"),
    ("course", ["stage", "grant"], "bac"),
    ("course", ["stage", "grant"], "mark"),
    ("course", ["diploma", "parent_job"], "bac"),
    ("course", ["diploma", "parent_job"], "mark"),
    ("course", ["stage", "diploma", "parent_job", "grant"], "bac"),
    ("course", ["stage", "diploma", "parent_job", "grant"], "mark"),
]


def tiny_tables() -> dict[str, pd.DataFrame]:
    missing_qi = pd.DataFrame(
        {
            "zone": ["A"] * 5 + ["B"] * 5 + [None] * 2,
            "sex": ["f"] * 5 + ["m"] * 5 + ["f"] * 2,
            "illness": ["flu"] * 2 + ["cold"] * 2 + ["cough"] + ["flu"] + ["cold"] * 2 + ["cough"] * 4,
        }
    )
    missing_sensitive = pd.DataFrame(
        {
            "zone": ["A"] * 4 + ["B"] * 4,
            "sex": ["f"] * 4 + ["m"] * 4,
            "score": [1, 2, None, None, 1, 1, 2, 2],
        }
    )
    permuted = pd.DataFrame({"zone": ["A"] * 4 + ["B"] * 4, "illness": ["flu"] * 3 + ["cold"] * 5}).sample(
        frac=1, random_state=SEED
    )
    permuted.insert(0, "index", permuted.index)
    uniform = pd.DataFrame(
        {"zone": ["A"] * 4 + ["B"] * 2, "illness": ["flu", "flu", "cold", "cold", "flu", "cold"]},
    )
    recursive = pd.DataFrame(
        {
            "zone": ["A"] * 8 + ["B"] * 3,
            "illness": ["flu"] * 5 + ["cold"] * 2 + ["cough"] + ["flu", "cold", "cough"],
        },
    )
    return {
        "missing_qi": missing_qi,
        "missing_sensitive": missing_sensitive,
        "permuted": permuted,
        "uniform": uniform,
        "recursive": recursive,
    }


# table, quasi-identifiers, sensitive, the wrong measures, why, the right answers by hand (README.md).
# recursive_c_above: with l as given, recursive (c, l)-diversity holds for every c strictly above this number.
TINY_CASES: list[tuple[str, list[str], str, list[str], str, dict[str, Any]]] = [
    (
        "missing_qi",
        ["zone"],
        "illness",
        ["k", "l", "entropy_l", "entropy_l_unrounded", "t"],
        "One quasi-identifier: pandas' groupby drops the two rows without a zone, so their class is never "
        "seen, while the table's distribution still counts them.",
        {"k": 2, "l": 1, "entropy_l": 1, "entropy_l_unrounded": 1.0, "t": 7 / 12},
    ),
    (
        "missing_qi",
        ["zone", "sex"],
        "illness",
        [],
        "Nothing wrong here: the same classes, but with two quasi-identifiers pandas' groups keep missing "
        "values. The column splits no class and yet changes pycanon's k from 5 to 2.",
        {"k": 2, "l": 1, "entropy_l": 1, "entropy_l_unrounded": 1.0, "t": 7 / 12},
    ),
    (
        "missing_sensitive",
        ["zone", "sex"],
        "score",
        ["entropy_l", "entropy_l_unrounded", "t"],
        "Counting with == never finds a missing value: it gets share 0 everywhere, so the shares do not sum "
        "to 1, and 0 * log 0 makes the entropy not a number (an error only because the class comes first; "
        "min() would pass over it anywhere else).",
        {"k": 4, "l": 2, "entropy_l": 2, "entropy_l_unrounded": 2.0, "t": 3 / 16},
    ),
    (
        "permuted",
        ["zone"],
        "illness",
        ["l", "entropy_l_unrounded", "t"],
        "The classes hold index labels and are looked up by position (iloc), so other rows are read; "
        "k only counts them and stays right.",
        {"k": 4, "l": 1, "entropy_l": 1, "entropy_l_unrounded": 1.0, "t": 3 / 8},
    ),
    (
        "uniform",
        ["zone"],
        "illness",
        ["entropy_l"],
        "e ** log 2 is 1.9999999999999998 in floating point and int() cuts it to 1; "
        "recursive c happens to be right for uniform classes.",
        {"k": 2, "l": 2, "entropy_l": 2, "entropy_l_unrounded": 2.0, "t": 0.0, "recursive_c_above": 1.0},
    ),
    (
        "recursive",
        ["zone"],
        "illness",
        ["recursive_c"],
        "The counts are sorted upwards where the definition sorts them downwards: the rarest value is "
        "compared with the most frequent ones. Counts 5, 2, 1 with l = 3 need 5 < c * 1.",
        {"k": 3, "l": 3, "entropy_l": 2, "t": 7 / 33, "recursive_c_above": 5.0},
    ),
]


def read(table: str) -> pd.DataFrame:
    frame = pd.read_csv(HERE / f"{table}.csv")
    return frame.set_index("index") if "index" in frame else frame


def plain(value: Any) -> Any:
    value = value.item() if isinstance(value, np.generic) else value
    return None if isinstance(value, float) and math.isnan(value) else value


def ask(function: Callable[..., Any], *arguments: Any) -> Any:
    """The answer, or the error as text: some wrong answers are errors."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return function(*arguments)
    except (ValueError, TypeError, ZeroDivisionError, IndexError) as error:
        return f"{type(error).__name__}: {error}"


def entropy_l_unrounded(frame: pd.DataFrame, quasi: list[str], sensitive: list[str]) -> float:
    """What pycanon's entropy_l_diversity hands to int() at its end, just before the decimals are lost."""
    seen: list[float] = []

    def keep(value: float) -> int:
        seen.append(float(value))
        return builtins.int(value)

    _l_diversity.int = keep
    try:
        anonymity.entropy_l_diversity(frame, quasi, sensitive)
    finally:
        del _l_diversity.int
    return seen[-1]


def answers(table: str, quasi: list[str], sensitive: str) -> dict[str, Any]:
    frame = read(table)
    recursive = ask(anonymity.recursive_c_l_diversity, frame, quasi, [sensitive])
    return {
        "k": plain(ask(anonymity.k_anonymity, frame, quasi)),
        "l": plain(ask(anonymity.l_diversity, frame, quasi, [sensitive])),
        "entropy_l": plain(ask(anonymity.entropy_l_diversity, frame, quasi, [sensitive])),
        "entropy_l_unrounded": plain(ask(entropy_l_unrounded, frame, quasi, [sensitive])),
        "recursive_c": plain(recursive[0]) if isinstance(recursive, tuple) else recursive,
        "t": plain(ask(anonymity.t_closeness, frame, quasi, [sensitive])),
    }


def case(table: str, quasi: list[str], sensitive: str) -> dict[str, Any]:
    kind = "number" if pd.api.types.is_numeric_dtype(read(table)[sensitive]) else "category"
    return {"table": table, "quasi_identifiers": quasi, "sensitive": sensitive, "sensitive_kind": kind}


def main() -> None:
    for name, frame in (complete_tables() | tiny_tables()).items():
        frame.to_csv(HERE / f"{name}.csv", index=False, lineterminator="\n")
    complete = [case(*one) | {"pycanon": answers(*one)} for one in COMPLETE_CASES]
    tiny = [
        case(table, quasi, sensitive)
        | {"wrong": wrong, "why": why, "pycanon": answers(table, quasi, sensitive), "right": right}
        for table, quasi, sensitive, wrong, why, right in TINY_CASES
    ]
    expected = {
        "made_with": {
            "python": platform.python_version(),
            "pycanon": pycanon.__version__,
            "pandas": pd.__version__,
            "numpy": np.__version__,
        },
        "note": "recursive_c never follows the published definition, see README.md",
        "complete": complete,
        "wrong_answers": tiny,
    }
    (HERE / "expected.json").write_text(json.dumps(expected, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
