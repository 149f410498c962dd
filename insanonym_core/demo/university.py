"""Generate demo:enrolments: a synthetic university, with the columns and distributions of the source.

A few large first years and hundreds of small options give some study traces that many students share, and
many that hardly anybody shares. Some stages are opened for a handful of people, more often in the last years,
so that rare codes and labels occur as in a real table.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from insanonym_core.demo.arguments import check_whole_numbers
from insanonym_core.demo.university_handfuls import open_handfuls
from insanonym_core.demo.university_life import simulate_enrolments
from insanonym_core.demo.university_offer import FIRST_YEAR, make_offer
from insanonym_core.demo.university_people import draw_regimes, draw_traits
from insanonym_core.numeric.randomness import step_generator

MAX_INDIVIDUALS = 2_000_000
COLUMNS = (
    "CODE_INDIVIDU",
    "ANNEE_INSCRIPTION",
    "LIB_DIPLOME",
    "NIVEAU_DANS_LE_DIPLOME",
    "NIVEAU_APRES_BAC",
    "LIBELLE_DISCIPLINE_DIPLOME",
    "CODE_SISE_DIPLOME",
    "CODE_ETAPE",
    "LIBELLE_COURT_ETAPE",
    "LIBELLE_LONG_ETAPE",
    "LIBELLE_COURT_COMPOSANTE",
    "CODE_COMPOSANTE",
    "REGROUPEMENT_BAC",
    "LIBELLE_ACADEMIE_BAC",
    "CONTINENT",
    "LIBELLE_REGIME",
    "NIEME_INSCRIPTION",
)


def make_enrolments(individuals: int = 12_000, seed: int = 7) -> pd.DataFrame:
    """Generate the enrolments; the same arguments give the same rows."""
    check_whole_numbers(
        "the demonstration university",
        (("individuals", individuals, 1, MAX_INDIVIDUALS), ("seed", seed, 0, 2**63 - 1)),
    )
    offer = make_offer(individuals, step_generator(seed, 0, "offer"))
    rows = simulate_enrolments(offer, individuals, step_generator(seed, 0, "lives"))
    stages = {name: np.array(values, dtype=object) for name, values in offer.stages.items()}
    stage = offer.stage_of[rows.slot, rows.column]
    stage, stages = open_handfuls(stage, stages, rows.column, step_generator(seed, 0, "handfuls"))
    traits = draw_traits(offer, rows.first_slot, step_generator(seed, 0, "traits"))

    digits = max(6, len(str(individuals)))
    numbers = step_generator(seed, 0, "numbers").permutation(
        individuals
    )  # random, so that numbers do not reveal the year of arrival
    number = numbers[rows.person]
    columns = {
        "CODE_INDIVIDU": np.array([f"E{code:0{digits}}" for code in number.tolist()], dtype=object),
        "ANNEE_INSCRIPTION": rows.column + FIRST_YEAR,
        **{name: values[stage] for name, values in stages.items()},
        **{name: values[rows.person] for name, values in traits.items()},
        "LIBELLE_REGIME": draw_regimes(offer, rows.slot, step_generator(seed, 0, "regimes")),
        "NIEME_INSCRIPTION": rows.nth,
    }
    order = np.lexsort((number, rows.column))
    return pd.DataFrame({name: columns[name][order] for name in COLUMNS}).infer_objects()
