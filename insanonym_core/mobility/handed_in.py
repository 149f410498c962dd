"""Releases and guesses that somebody made elsewhere, read beside an original that is in memory."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from insanonym_core.io.sources import Source
from insanonym_core.kinds import Made
from insanonym_core.mobility.attack_files import guesses_from_text
from insanonym_core.mobility.checks import check
from insanonym_core.mobility.competition import footprint
from insanonym_core.mobility.files import Reading, read
from insanonym_core.mobility.runs import made_of_pair
from insanonym_core.mobility.scoring import score_guesses
from insanonym_core.mobility.track import Track
from insanonym_core.registry import Entry, Measure
from insanonym_core.texts import Phrase


def read_release(source: Source, original: Track, allow_invalid: bool = False) -> Made:
    """Read a release of this original and check it, row by row; raise a DataError for any problem."""
    return made_of_readings(original, read(source), allow_invalid)


def made_of_readings(original: Track, release: Reading, allow_invalid: bool = False) -> Made:
    """Check a release that was read, row by row, and wrap it; raise a DataError for any problem."""
    usable = np.ones(len(original), dtype=bool)
    name = Phrase("the original")
    checked = check(Reading(name, original, usable, (), 1, "original"), release)
    made = made_of_pair(checked.pair(allow_invalid=allow_invalid))
    warnings = tuple(
        problem.sentence() for problem in (checked.lenient() if allow_invalid else checked).problems
    )
    return replace(made, warnings=(*made.warnings, *warnings))


def score_guesses_file(source: Source, made: Made) -> Measure:
    """Score an attack file like an attack of ours, under its own name."""
    with source.open() as stream:
        text = stream.read().decode("utf-8-sig", errors="replace")
    score = score_guesses(footprint(made.release), guesses_from_text(text, source.name))
    entry = Entry("guesses", score_guesses_file, "mobility", source.name, "Guesses from a file.", {})
    return Measure(entry, score)
