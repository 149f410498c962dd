"""Draw the traits of the students: bac, académie, continent, regime."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from insanonym_core.demo.university_offer import Offer
from insanonym_core.numeric.arrays import Floats, Ints

Texts: TypeAlias = NDArray[Any]  # Any: Python objects, each a text, a number or None

BACS = (
    "Bacs généraux S",
    "Bacs généraux ES",
    "Bacs généraux L",
    "Bacs techno STMG",
    "Bacs techno STI2D",
    "Bacs techno ST2S",
    "Bacs techno STL",
    "Bacs pro tertiaires",
    "Bacs pro industriels",
    "Equivalences",
    "Sans bac",
)
BACS_OF = {  # shares in percent by profile, in the order of BACS
    "business": (8, 42, 3, 33, 0.4, 0.5, 0.1, 6, 0.3, 6.5, 0.2),
    "industry": (62, 1.5, 0.2, 1.5, 22, 0.2, 4, 0.5, 3, 5, 0.1),
    "law": (11, 42, 16, 18, 0.3, 1.5, 0.1, 6, 0.2, 4.7, 0.2),
    "letters": (9, 25, 45, 9, 0.3, 1.2, 0.2, 4, 0.2, 6, 0.1),
    "life": (82, 2.5, 0.4, 1, 0.4, 5, 4, 0.6, 0.2, 3.8, 0.1),
    "science": (81, 1.2, 0.1, 0.4, 7, 0.1, 1.2, 0.2, 0.6, 8.1, 0.1),
    "social": (11, 37, 22, 10, 0.4, 10, 0.3, 4, 0.2, 5, 0.1),
    "care": (40, 10, 6, 3, 0.5, 12, 1, 2, 0.5, 23, 2),
    "adult": (22, 12, 8, 7, 1, 5, 0.8, 3, 1.2, 25, 15),
}
EQUIVALENCES_FROM_THIRD_YEAR = 0.30

ACADEMIES = {  # shares in percent of those who got a French bac; rare ones single people out
    "Créteil": 68,
    "Versailles": 12,
    "Paris": 10,
    "Lille": 1.0,
    "Amiens": 0.9,
    "Rouen": 0.7,
    "Lyon": 0.7,
    "Orléans-Tours": 0.6,
    "Nantes": 0.55,
    "Rennes": 0.5,
    "Martinique": 0.5,
    "Guadeloupe": 0.5,
    "Reims": 0.45,
    "Toulouse": 0.4,
    "Bordeaux": 0.4,
    "Aix-Marseille": 0.4,
    "Montpellier": 0.35,
    "Nancy-Metz": 0.35,
    "Grenoble": 0.3,
    "Caen": 0.3,
    "Strasbourg": 0.25,
    "Réunion": 0.25,
    "Dijon": 0.2,
    "Poitiers": 0.2,
    "Nice": 0.2,
    "Clermont-Ferrand": 0.15,
    "Besançon": 0.12,
    "Limoges": 0.1,
    "Guyane": 0.1,
    "Corse": 0.06,
}
NEARBY_ACADEMIES = (
    3  # number of nearby académies, the first ones; a small university has fewer students from the others
)
FULL_SIZE = 106_000
MIN_PEOPLE_PER_ACADEMIE = 15  # below, an académie gets no students
ABROAD = "Etranger"
ABROAD_WITH_EQUIVALENCE, ABROAD_WITH_BAC = 0.80, 0.015
CONTINENTS = ("Europe", "Afrique", "Asie", "Amérique", "Océanie")
CONTINENTS_OF_FRENCH_BAC = (92, 5.2, 2.3, 0.45, 0.05)
CONTINENTS_OF_BAC_ABROAD = (12, 64, 18, 5.7, 0.3)

REGIMES = ("Formation initiale", "Formation continue", "Apprentissage", "Contrat pro")
REGIMES_OF = {  # shares in percent by kind of diploma
    "LP": (52, 10, 34, 4),
    "MAS": (88, 7, 5, 0),
    "DUT": (93, 2, 5, 0),
    "DU": (15, 85, 0, 0),
    "DAEU": (20, 80, 0, 0),
    "CAP": (60, 40, 0, 0),
}
REGIMES_ELSEWHERE = (98.6, 1.4, 0, 0)


def draw_traits(offer: Offer, first_slot: Ints, random: np.random.Generator) -> dict[str, Texts]:
    """Draw the constant traits of each person, by column; académie is missing without a bac."""
    late = np.array([slot.level >= 3 for slot in offer.slots])[first_slot]
    shares = np.array([BACS_OF[slot.subject.profile] for slot in offer.slots])
    bac = _draw(shares, first_slot, random)
    bac[late & (random.random(len(bac)) < EQUIVALENCES_FROM_THIRD_YEAR)] = BACS.index("Equivalences")

    from_afar = min(1, len(bac) / FULL_SIZE) ** 0.5
    academies = np.array(list(ACADEMIES.values()))
    academies[NEARBY_ACADEMIES:] *= from_afar
    academies[NEARBY_ACADEMIES:][academies[NEARBY_ACADEMIES:] / 100 * len(bac) < MIN_PEOPLE_PER_ACADEMIE] = 0
    equivalent, without = (bac == BACS.index(name) for name in ("Equivalences", "Sans bac"))
    abroad = random.random(len(bac)) < np.where(
        equivalent, ABROAD_WITH_EQUIVALENCE, ABROAD_WITH_BAC * from_afar
    )
    french = _draw(academies[None], np.zeros_like(bac), random)
    academy = np.array([*ACADEMIES, ABROAD, None], dtype=object)[
        np.where(without, -1, np.where(abroad, -2, french))
    ]
    continents = np.array([CONTINENTS_OF_FRENCH_BAC, CONTINENTS_OF_BAC_ABROAD])
    return {
        "REGROUPEMENT_BAC": np.array(BACS, dtype=object)[bac],
        "LIBELLE_ACADEMIE_BAC": academy,
        "CONTINENT": np.array(CONTINENTS, dtype=object)[_draw(continents, abroad.astype(int), random)],
    }


def draw_regimes(offer: Offer, slot: Ints, random: np.random.Generator) -> Texts:
    """Draw the regime of each enrolment."""
    shares = np.array([REGIMES_OF.get(offered.kind, REGIMES_ELSEWHERE) for offered in offer.slots])
    return np.array(REGIMES, dtype=object)[_draw(shares, slot, random)]


def _draw(shares: Floats, row: Ints, random: np.random.Generator) -> Ints:
    """Draw a column of `shares` for each entry, with the probabilities of its row."""
    chances = (shares / shares.sum(axis=1, keepdims=True)).cumsum(axis=1)[:, :-1]
    drawn = np.zeros(len(row), dtype=np.int64)
    draws = random.random(len(row))
    for column in chances.T:  # column by column: a table people × choices would be large
        drawn += draws >= column[row]
    return drawn
