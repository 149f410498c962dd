"""Add rare values to the table: stages for a handful of people, and mistyped labels."""

from __future__ import annotations

from collections import Counter

import numpy as np

from insanonym_core.demo.university_catalogue import PARTNERS, RARE_DIPLOMA, RARE_DISCIPLINES
from insanonym_core.demo.university_offer import FIRST_YEAR, LABEL_LENGTH
from insanonym_core.demo.university_people import Texts
from insanonym_core.numeric.arrays import Floats, Ints

# New stages for a handful, per enrolment of each year: in the last years they multiply, as in the source.
HANDFULS = np.array([0.9, 0.9, 0.9, 0.7, 1.0, 1.1, 1.3, 2.0, 3.1, 4.9]) / 1_000
SIZES = (0.42, 0.25, 0.14, 0.09, 0.07, 0.03)  # chances of one, two, ... people in a handful
KEEPS_SHORT_LABEL, OWN_SISE, OWN_DISCIPLINE = 0.08, 0.085, 0.90  # the last among those with a SISE code
SISE_FROM, SISE_STEP = 2_900_000, 100
MISTYPED_LABEL = 0.0002  # handfuls of long labels typed otherwise, per enrolment
MISTYPED_SISE = 0.03  # per enrolment of a handful: when that row is deleted, the handful may become rare


def open_handfuls(
    stage: Ints, stages: dict[str, Texts], column: Ints, random: np.random.Generator
) -> tuple[Ints, dict[str, Texts]]:
    """Move some rows to rare stages (exchanges), then mistype some labels and SISE codes."""
    regular = len(stages["CODE_ETAPE"])
    stage, stages, openings = _split(stage, stages, column, HANDFULS[column], SIZES, random)
    size = np.bincount(stage, minlength=len(stages["CODE_ETAPE"]))
    new = slice(regular, None)
    _name_handfuls({name: values[new] for name, values in stages.items()}, size[new], openings, random)

    chance = np.where(stage < regular, MISTYPED_LABEL, 0)
    stage, stages, typed = _split(stage, stages, column, chance, SIZES, random)
    labels = stages["LIBELLE_LONG_ETAPE"]
    for number in range(len(labels) - len(typed), len(labels)):
        label = labels[number]
        ways = (label.lower(), label + ".", label.replace(" ", "  ", 1), label.replace(" ", "", 1))
        labels[number] = ways[random.integers(0, len(ways))]

    in_handful = (stage >= regular) & (stage < regular + len(openings))
    stage, stages, typed = _split(stage, stages, column, MISTYPED_SISE * in_handful, (1.0,), random)
    codes = stages["CODE_SISE_DIPLOME"]
    codes[len(codes) - len(typed) :] += random.integers(1, SISE_STEP, len(typed))
    return stage, stages


def _split(
    stage: Ints,
    stages: dict[str, Texts],
    column: Ints,
    chance: Floats,
    sizes: tuple[float, ...],
    random: np.random.Generator,
) -> tuple[Ints, dict[str, Texts], Ints]:
    """Move handfuls of rows to copies of their stage; return stages and the opening year of each copy."""
    order = np.lexsort((random.random(len(stage)), column, stage))
    starts = np.flatnonzero(random.random(len(stage)) < chance[order])
    size = random.choice(len(sizes), len(starts), p=sizes) + 1
    parents, openings = stage[order[starts]], column[order[starts]]
    moved = stage.copy()
    for step in range(len(sizes)):  # a handful is a run of this order: one stage, one year or two in a row
        number = np.flatnonzero((size > step) & (starts + step < len(order)))
        row = order[starts[number] + step]
        fits = (stage[row] == parents[number]) & (column[row] <= openings[number] + 1)
        moved[row[fits]] = len(stages["CODE_ETAPE"]) + number[fits]
    return moved, {name: np.append(values, values[parents]) for name, values in stages.items()}, openings


def _name_handfuls(stages: dict[str, Texts], size: Ints, openings: Ints, random: np.random.Generator) -> None:
    """Rename, in place, the copied stages."""
    towns = random.integers(0, len(PARTNERS), len(size))
    keeps_short_label, own_sise, own_discipline = random.random((3, len(size))) < np.array(
        [[KEEPS_SHORT_LABEL], [OWN_SISE], [OWN_DISCIPLINE]]
    )
    disciplines, opened = iter(RARE_DISCIPLINES), Counter[str]()
    for number, opening in enumerate(openings.tolist()):
        year, town, code = FIRST_YEAR + opening, PARTNERS[towns[number]], stages["CODE_ETAPE"][number]
        opened[code] += 1
        stages["CODE_ETAPE"][number] = f"{code}{opened[code] + 1}"
        stages["LIBELLE_LONG_ETAPE"][number] += f" éch. {town} {year}"
        if not keeps_short_label[number]:
            short = stages["LIBELLE_COURT_ETAPE"][number][: LABEL_LENGTH - 5]
            stages["LIBELLE_COURT_ETAPE"][number] = f"{short} {town[:2]}{year % 100:02}"
        if own_sise[number]:
            stages["CODE_SISE_DIPLOME"][number] = SISE_FROM + SISE_STEP * number
        if own_sise[number] and own_discipline[number]:
            stages["LIBELLE_DISCIPLINE_DIPLOME"][number] = next(disciplines, "Autres")
    fewer_than_five = np.flatnonzero((size > 0) & (size < 5))
    stages["LIB_DIPLOME"][fewer_than_five[:1]] = RARE_DIPLOMA
