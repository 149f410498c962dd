"""A generated table like the census extract "Adult": eight quasi-identifiers that go together, and an income.

Sizes, skews and dependences are as in such a table (most rows from one country, one workclass and one of two
or three marital statuses; hours that heap at 40; an income class that a quarter of the rows reach); no row is
of anybody.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

QUASI_IDENTIFIERS = ("age", "workclass", "education", "marital", "race", "sex", "country", "hours")
NUMBERS = ("age", "hours")
CATEGORIES = tuple(name for name in QUASI_IDENTIFIERS if name not in NUMBERS)
SENSITIVE = "income"

_WORK = ("private", "self-employed", "local", "state", "incorporated", "federal", "without pay", "never")
_WORK_SHARES = (0.735, 0.08, 0.066, 0.042, 0.036, 0.03, 0.006, 0.005)
_STUDIES = (
    *("preschool", "1-4", "5-6", "7-8", "9", "10", "11", "12"),
    *("school", "college", "vocational", "academic", "bachelor", "master", "professional", "doctor"),
)
_STUDY_SHARES = (
    *(0.002, 0.005, 0.01, 0.02, 0.016, 0.029, 0.036, 0.013),
    *(0.322, 0.223, 0.042, 0.033, 0.164, 0.053, 0.018, 0.014),
)
_MARITAL = ("never married", "married", "divorced", "separated", "widowed", "spouse absent", "armed forces")
_RACES = ("white", "black", "asian", "native", "other")
_RACE_SHARES = (0.854, 0.096, 0.032, 0.01, 0.008)


def adult_like(rows: int = 30_000, seed: int = 1) -> pd.DataFrame:
    """Return the table; equal for equal seeds."""
    draw = np.random.default_rng(seed)
    age = np.clip(np.round(17 + draw.gamma(2.4, 9.0, rows)), 17, 90).astype(int)
    study = draw.choice(len(_STUDIES), rows, p=np.array(_STUDY_SHARES) / sum(_STUDY_SHARES))
    study = np.where((age < 22) & (study > 9), 9, study)
    male = draw.random(rows) < 0.67
    married = draw.random(rows) < np.clip((age - 20) / 30, 0, 0.55) + 0.12 * male
    others = draw.choice([0, 2, 3, 4, 5, 6], rows, p=[0.55, 0.28, 0.06, 0.07, 0.038, 0.002])
    marital = np.where(married, 1, np.where(age < 25, 0, others))
    race = draw.choice(len(_RACES), rows, p=_RACE_SHARES)
    far = draw.zipf(1.6, rows) % 41
    abroad = draw.random(rows) < np.array([0.06, 0.07, 0.75, 0.02, 0.6])[race]
    country = np.where(abroad, 1 + far % 40, 0)
    heaps = draw.choice([40, 50, 45, 60, 35, 20, 30], rows, p=[0.62, 0.12, 0.08, 0.06, 0.05, 0.04, 0.03])
    hours = np.where(draw.random(rows) < 0.75, heaps, np.clip(np.round(draw.normal(40, 13, rows)), 1, 99))
    score = -3.4 + 0.31 * (study - 8) + 1.9 * (marital == 1) + 0.03 * (hours - 40) + 0.03 * (age - 38)
    score += 0.4 * male - 0.002 * np.square(np.maximum(age - 55, 0))
    rich = draw.random(rows) < 1 / (1 + np.exp(-score))
    names = np.array([f"country {number:02}" for number in range(41)])
    return pd.DataFrame(
        {
            "age": age,
            "workclass": np.array(_WORK)[draw.choice(len(_WORK), rows, p=_WORK_SHARES)],
            "education": np.array(_STUDIES)[study],
            "marital": np.array(_MARITAL)[marital],
            "race": np.array(_RACES)[race],
            "sex": np.where(male, "male", "female"),
            "country": names[country],
            "hours": hours.astype(int),
            "income": np.where(rich, "above", "up to"),
        }
    )
