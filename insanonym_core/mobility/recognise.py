"""Whether a file holds GPS traces: positions and times of people who stand in several rows."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from insanonym_core.errors import InsanonymError
from insanonym_core.io.sources import Source, source_of_bytes
from insanonym_core.mobility.files import read
from insanonym_core.parameters import ParameterValues
from insanonym_core.reading.files import is_track, opened
from insanonym_core.reading.options import ReadingOptions

_SAMPLE = 1 << 18  # bytes of a text
_MIN_ROWS = 1.5  # per person: somebody with a single position has no trace


def looks_like_traces(path: Path | str, reading: ParameterValues) -> bool:
    """Look at the beginning of a text, or at the whole of another file."""
    source = opened(path)
    if source.tracks and not source.several_texts:
        return True
    options = replace(ReadingOptions.of(reading), types={})
    try:
        plain = not (source.parquet or source.workbook or source.tracks) and not is_track(source)
        found = read(_beginning(source) if plain else source, None, options)
    except InsanonymError:
        return False
    track = found.track
    usable = int(found.usable.sum())
    return 2 * usable > len(track) and usable >= _MIN_ROWS * len(track.individuals)


def _beginning(source: Source) -> Source:
    with source.open() as stream:
        sample = bytes(stream.read(_SAMPLE))
    whole_lines = sample[: sample.rfind(b"\n") + 1] if len(sample) == _SAMPLE else sample
    return source_of_bytes("sample", whole_lines or sample)
