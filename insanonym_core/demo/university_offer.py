"""Build the stages of the synthetic university from its catalogue: codes, labels and successors.

A *slot* is one year of one diploma in one subject (and option); it lasts the whole decade. A *stage* is what
the slot is called for some years: codes and labels change when programmes are renewed, as in the source.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from insanonym_core.demo.university_catalogue import COMPONENTS, FATES, KINDS, OPTIONS, SUBJECTS, Subject
from insanonym_core.numeric.arrays import Floats, Ints

FIRST_YEAR, LAST_YEAR = 2006, 2015
YEARS = range(FIRST_YEAR, LAST_YEAR + 1)
RENEWALS = {2009: 0.22, 2014: 0.30}  # chance that a stage gets a new code when programmes are renewed
NEW_LABEL = 0.15  # chance that only the long label changes, in any year
MIN_NEWCOMERS_PER_OPTION = 12  # newcomers in ten years; smaller options are not offered
OPTION_DECAY = 1.1  # the second option attracts 2^-1.1 of what the first does
LABEL_LENGTH = 25  # short labels are cut here, as in the source's system


@dataclass(frozen=True)
class Slot:
    """One year of one diploma in one subject and option; `weight` is its share of the newcomers."""

    subject: Subject
    kind: str
    year: int
    rank: int  # of its option, 0 for the most popular
    weight: float

    @property
    def level(self) -> int:
        """Years after the bac."""
        return KINDS[self.kind].levels[self.year - 1]

    @property
    def option(self) -> str:
        """Name of the option; empty for the common path and where there are no options."""
        kind = KINDS[self.kind]
        if self.year < len(kind.levels) or kind.options == 1 or (kind.common_path and self.rank == 0):
            return ""
        return OPTIONS[self.subject.profile].split(", ")[self.rank]


@dataclass(frozen=True, eq=False)
class Offer:
    """What the university teaches: arrays indexed by slot, and columns indexed by stage."""

    slots: tuple[Slot, ...]
    next_slots: Ints  # (slot, choice)
    next_chances: Floats  # (slot, choice), cumulated; what is left is a change or a departure
    stage_of: Ints  # (slot, year)
    stages: dict[str, list[str | int]]

    @property
    def weights(self) -> Floats:
        """Probability of each slot as a newcomer's first."""
        weights = np.array([slot.weight for slot in self.slots])
        return weights / weights.sum()


def make_offer(individuals: int, random: np.random.Generator) -> Offer:
    """Build the offer of a university with this many individuals."""
    slots = tuple(_make_slots(individuals))
    next_slots, next_chances = _successors(slots)
    stage_of, stages = _make_stages(slots, random)
    return Offer(slots, next_slots, next_chances, stage_of, stages)


def _make_slots(individuals: int) -> Iterable[Slot]:
    """Yield the years of all diplomas that have enough newcomers."""
    everyone = sum(sum(one.shares) for one in KINDS.values())
    attraction: dict[str, float] = defaultdict(float)
    for subject in SUBJECTS:
        for name in subject.kinds.split():
            attraction[name] += subject.size
    for number, subject in enumerate(SUBJECTS):
        for name in subject.kinds.split():
            kind = KINDS[name]
            part = subject.size / attraction[name] / everyone
            if number > 0 and part * sum(kind.shares) * individuals < kind.min_newcomers:
                continue
            for year, share in enumerate(kind.shares, start=1):
                choices = kind.options if year == len(kind.levels) else 1
                ranks = np.arange(1, min(choices, len(OPTIONS[subject.profile].split(", "))) + 1)
                weights = part * share * ranks**-OPTION_DECAY / (ranks**-OPTION_DECAY).sum()
                for rank, weight in enumerate(weights.tolist()):
                    if rank == 0 or weight * individuals >= MIN_NEWCOMERS_PER_OPTION:
                        yield Slot(subject, name, year, rank, weight)


def _successors(slots: tuple[Slot, ...]) -> tuple[Ints, Floats]:
    """For each slot, itself and its successors, with cumulative chances."""
    slots_of: dict[tuple[str, str], list[int]] = defaultdict(list)
    for number, slot in enumerate(slots):
        slots_of[slot.subject.code, f"{slot.kind}{slot.year}"].append(number)
    rows = []
    for number, slot in enumerate(slots):
        fate = FATES[f"{slot.kind}{slot.year}"]
        row = [(number, fate.repeat)]
        for kind, share in fate.onward_kinds:
            onward = slots_of[slot.subject.code, kind] or slots_of[slot.subject.then, kind]
            weights = np.array([slots[other].weight for other in onward])
            row += zip(onward, (fate.onward * share * weights / weights.sum()).tolist(), strict=True)
        rows.append(row)
    width = max(map(len, rows))
    next_slots, chances = np.zeros((len(rows), width), dtype=np.int64), np.zeros((len(rows), width))
    for number, row in enumerate(rows):
        next_slots[number, : len(row)] = [other for other, _ in row]
        chances[number, : len(row)] = [chance for _, chance in row]
    return next_slots, chances.cumsum(axis=1)


def _make_stages(
    slots: tuple[Slot, ...], random: np.random.Generator
) -> tuple[Ints, dict[str, list[str | int]]]:
    """The stage of each slot in each year, and the columns of all stages."""
    columns: dict[str, list[str | int]] = defaultdict(list)
    stage_of = np.zeros((len(slots), len(YEARS)), dtype=np.int64)
    taken: set[str] = set()
    sise: dict[tuple[str, str, str], int] = {}
    for number, slot in enumerate(slots):
        code, renewal, upper_case = _new_code(slot, taken), 0, False
        for column, year in enumerate(YEARS):
            if random.random() < RENEWALS.get(year, 0):
                code, renewal, upper_case = _new_code(slot, taken), year, False
            elif random.random() < NEW_LABEL / len(YEARS):
                upper_case = not upper_case
            elif column:
                stage_of[number, column] = stage_of[number, column - 1]
                continue
            stage_of[number, column] = len(columns["CODE_ETAPE"])
            diploma = _diploma(slot, renewal)
            key = (diploma, slot.subject.component, slot.subject.code)
            long_label = _long_label(slot, diploma, renewal)
            values: dict[str, str | int] = {
                "LIB_DIPLOME": diploma,
                "NIVEAU_DANS_LE_DIPLOME": slot.year,
                "NIVEAU_APRES_BAC": slot.level,
                "LIBELLE_DISCIPLINE_DIPLOME": slot.subject.discipline,
                "CODE_SISE_DIPLOME": sise.setdefault(key, 2_300_011 + 137 * len(sise)),
                "CODE_ETAPE": code,
                "LIBELLE_COURT_ETAPE": _short_label(slot, diploma, renewal),
                "LIBELLE_LONG_ETAPE": long_label.upper() if upper_case else long_label,
                "LIBELLE_COURT_COMPOSANTE": slot.subject.component,
                "CODE_COMPOSANTE": COMPONENTS[slot.subject.component][0],
            }
            for name, value in values.items():
                columns[name].append(value)
    return stage_of, dict(columns)


def _new_code(slot: Slot, taken: set[str]) -> str:
    """A code such as S1TC or G5INFR: component, level, subject, option; never one that is taken."""
    initials = "".join(word[0] for word in slot.option.upper().split())[:2]
    stem = f"{COMPONENTS[slot.subject.component][1]}{slot.level}{slot.subject.code}{initials}"
    endings = ("", *"OBRXNTKWYZ", *map(str, range(2, 100)))
    code = next(code for ending in endings if (code := stem + ending) not in taken)
    taken.add(code)
    return code


def _diploma(slot: Slot, renewal: int) -> str:
    """Name of the diploma; second years of master are Pro or Rec until the first renewal."""
    name = KINDS[slot.kind].label
    if slot.kind == "MAS" and slot.year == 2 and not renewal:
        return f"{name} Rec" if slot.rank % 3 == 1 else f"{name} Pro"
    return name


def _short_label(slot: Slot, diploma: str, renewal: int) -> str:
    """Short label such as 'Licence3 INF Réseaux', followed by the year of the renewal."""
    ending = f" {renewal % 100:02}" if renewal else ""
    return f"{diploma}{slot.year} {slot.subject.code} {slot.option}".strip()[: LABEL_LENGTH - 3] + ending


def _long_label(slot: Slot, diploma: str, renewal: int) -> str:
    """Long label such as 'Licence 3 Informatique parcours Réseaux (hab. 2014)'."""
    option = f" parcours {slot.option}" if slot.option else ""
    ending = f" (hab. {renewal})" if renewal else ""
    return f"{diploma} {slot.year} {slot.subject.name}{option}{ending}"
