"""Generate demo:patients: a synthetic hospital with numbers, categories, dates and missing values.

There is one row per patient. The diagnosis is the sensitive column: it depends on age, sex, BMI and smoking,
and affects blood pressure, glucose and the day of admission, so that the other columns partly reveal it.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from insanonym_core.demo.arguments import check_whole_numbers
from insanonym_core.numeric.arrays import Bools, Dates, Floats, Ints
from insanonym_core.numeric.randomness import step_generator

MAX_ROWS = 1_000_000
FIRST_DAY, DAYS = np.datetime64("2022-01-01", "s"), 3 * 365
YOUNGEST, OLDEST = 18, 97
SMOKING = ("never", "former", "current")
BLOOD_GROUPS = {"O+": 38, "A+": 34, "B+": 9, "O-": 7, "A-": 6, "AB+": 3.5, "B-": 1.5, "AB-": 1}
TOWNS = (  # from the largest to the smallest: the n-th sends n^-TOWN_DECAY of what the first does
    "Aldermoor",
    "Brackenford",
    "Castlewick",
    "Dunmarrow",
    "Elmsgate",
    "Fairhollow",
    "Greywater",
    "Hartsby",
    "Inverlode",
    "Kestrel Bay",
    "Larkhill End",
    "Mossdale",
    "Netherby Cross",
    "Oakenshaw",
    "Pinebeck",
    "Quarry Green",
    "Ravenscombe",
    "Silverthwaite",
    "Thornmere",
    "Wychbourne",
)
TOWN_DECAY = 1.4
MISSING = {  # shares of the rows; blood pressure is taken once, so both of its values are missing together
    "height_cm": 0.03,
    "weight_kg": 0.04,
    "systolic_mmhg": 0.05,
    "glucose_mmol_l": 0.08,
    "smoking": 0.06,
    "blood_group": 0.10,
    "town": 0.02,
    "admission_date": 0.02,
}

# Of each diagnosis: how common, and what ten years of age, five points of BMI, being a man, and smoking add
# (logarithms of odds), then what it adds to the pressure (mmHg) and to the logarithm of the glucose.
DIAGNOSES = {
    "Appendicitis": (0.2, -0.65, -0.1, 0.1, 0.0, 0, 0.00),
    "Asthma": (0.6, -0.30, 0.2, -0.3, 0.3, -2, 0.00),
    "Diabetes": (0.1, 0.20, 0.9, 0.2, 0.1, 6, 0.50),
    "Fracture": (0.7, 0.05, -0.4, -0.2, 0.1, 0, 0.00),
    "Heart failure": (-0.9, 0.75, 0.2, 0.3, 0.4, -6, 0.05),
    "Hypertension": (0.2, 0.35, 0.4, 0.2, 0.1, 24, 0.03),
    "Migraine": (0.6, -0.40, 0.0, -0.9, 0.0, -3, 0.00),
    "Pneumonia": (0.3, 0.20, -0.3, 0.1, 0.6, -4, 0.06),
}


def make_patients(rows: int = 600, seed: int = 7) -> pd.DataFrame:
    """Generate the patients; the same arguments give the same rows."""
    check_whole_numbers(
        "the demonstration patients", (("rows", rows, 1, MAX_ROWS), ("seed", seed, 0, 2**63 - 1))
    )
    random = step_generator(seed, 0, "patients")
    man = random.random(rows) < 0.48
    older = random.random(rows) < 0.55
    age = np.where(older, random.normal(67, 12, rows), random.normal(38, 12, rows)).round()
    age = age.clip(YOUNGEST, OLDEST).astype(np.int64)
    height = (random.normal(0, 6.5, rows) + np.where(man, 177, 164) - 0.08 * (age - 45)).round()
    bmi = np.exp(random.normal(np.log(25.5) + 0.0015 * (age - 50), 0.17)).clip(16, 50)
    smoking = _draw_smoking(age, man, random)
    diagnosis = _draw_diagnoses(age, bmi, man, smoking == 2, random)
    pressure, glucose = np.array(list(DIAGNOSES.values())).T[-2:, diagnosis]
    systolic = 104 + 0.38 * age + 0.9 * (bmi - 25) + pressure + random.normal(0, 10, rows)
    diastolic = 32 + 0.36 * systolic - 0.03 * (age - 50) + random.normal(0, 6, rows)

    town_shares = np.arange(1, len(TOWNS) + 1) ** -TOWN_DECAY
    group_shares = np.array(list(BLOOD_GROUPS.values())) / sum(BLOOD_GROUPS.values())
    frame = pd.DataFrame(
        {
            "patient_id": _patient_numbers(rows, random),
            "sex": np.where(man, "male", "female"),
            "age": age,
            "height_cm": height,
            "weight_kg": (bmi * (height / 100) ** 2).round(1),
            "systolic_mmhg": systolic.round().clip(80, 230),
            "diastolic_mmhg": diastolic.round().clip(45, 130),
            "glucose_mmol_l": np.exp(random.normal(np.log(5.2) + glucose + 0.008 * (bmi - 25), 0.13)).round(
                2
            ),
            "smoking": np.array(SMOKING)[smoking],
            "blood_group": random.choice(list(BLOOD_GROUPS), rows, p=group_shares),
            "town": random.choice(TOWNS, rows, p=town_shares / town_shares.sum()),
            "admission_date": _draw_days(diagnosis, random),
            "diagnosis": np.array(list(DIAGNOSES))[diagnosis],
        }
    )
    for name, share in MISSING.items():
        frame[name] = frame[name].mask(random.random(rows) < share)
    frame["diastolic_mmhg"] = frame["diastolic_mmhg"].mask(frame["systolic_mmhg"].isna())
    return frame


def _draw_smoking(age: Ints, man: Bools, random: np.random.Generator) -> Ints:
    """Draw indices into SMOKING; older smokers are more often former smokers."""
    ever = random.random(len(age)) < np.where(man, 0.55, 0.42)
    stopped = random.random(len(age)) < 0.15 + 0.009 * (age - YOUNGEST)
    return np.where(ever, np.where(stopped, 1, 2), 0)


def _draw_diagnoses(age: Ints, bmi: Floats, man: Bools, smokes: Bools, random: np.random.Generator) -> Ints:
    """Draw indices into DIAGNOSES with odds that depend on the patient's traits."""
    traits = np.column_stack([np.ones(len(age)), (age - 55) / 10, (bmi - 26) / 5, man, smokes])
    odds = traits @ np.array(list(DIAGNOSES.values()))[:, :5].T
    return np.argmax(
        odds + random.gumbel(size=odds.shape), axis=1
    )  # Gumbel-max trick: a draw with these log-odds


def _draw_days(diagnosis: Ints, random: np.random.Generator) -> Dates:
    """Draw days of admission: uniform, but around mid-January for pneumonia."""
    day = random.integers(0, DAYS, len(diagnosis))
    winter = 365 * random.integers(0, 4, len(day)) + random.normal(15, 35, len(day)).round().astype(np.int64)
    in_winter = (diagnosis == list(DIAGNOSES).index("Pneumonia")) & (winter >= 0) & (winter < DAYS)
    return FIRST_DAY + np.where(in_winter, winter, day).astype("timedelta64[D]")


def _patient_numbers(rows: int, random: np.random.Generator) -> list[str]:
    """A distinct patient number for each row, in random order."""
    digits = max(4, len(str(rows)))
    return [f"P{number:0{digits}}" for number in (random.permutation(rows) + 1).tolist()]
