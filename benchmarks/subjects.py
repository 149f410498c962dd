"""What each benchmark is about, in words for docs/performance.md."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from benchmarks.ratios import Ratio, table

SUBJECTS: Mapping[str, tuple[str, str]] = {
    "mobility": (
        "GPS traces: scores and attacks",
        "What a move of a slider costs beside one sort of a million numbers, what the attacks add to "
        "the scores, and how much longer a plain loop over the lines takes than reading, checking and "
        "scoring them here.",
    ),
    "methods": (
        "GPS traces: the slider of each method",
        "How much longer a move takes than one of `planar_laplace`, the plainest method.",
    ),
    "common_week": (
        "Common weeks",
        "The slowest method: its first release and a move beside one run of scores and attacks, and how its "
        "cost grows with people and records.",
    ),
    "scale": (
        "Large files",
        "Reading and scoring beside a bare read of the two files; the same in parts and on two processes; "
        "and memory beside its limit. Below 1× is faster, or less, than what it stands beside.",
    ),
    "tables": (
        "Tables",
        "Whether the cost of a row grows with the table, and how much longer other programs take for the "
        "same answer.",
    ),
    "avatars": (
        "Avatars",
        "Nearly all the work is the search for neighbours: the rows stand beside that search alone, and a "
        "move of a slider beside a full run.",
    ),
    "sweep": ("A sweep in two processes", "How much shorter it is on two cores: half the time would be 2×."),
    "tune": (
        "Searches",
        "What two processes save, and how far a search comes from recipes drawn at random towards the best "
        "front.",
    ),
    "coverage": (
        "Are the intervals honest?",
        "No speed: how often the 95 % interval of an attack holds the truth, over many cities. It should "
        "be 95 of 100.",
    ),
    "dashboard": (
        "The dashboard in a browser",
        "From a key on a slider to the new figure on the screen, beside a page with nothing but an empty "
        "slider and an empty figure. p50 is the middle of all moves, p95 is beaten by 95 of 100.",
    ),
}


def sections(ratios: Mapping[str, Iterable[Ratio]]) -> str:
    """A heading, a sentence and a table for each subject that was measured."""
    return "\n".join(section(name, found) for name, found in ratios.items())


def section(name: str, ratios: Iterable[Ratio]) -> str:
    """One subject."""
    title, sentence = SUBJECTS[name]
    return f"## {title}\n\n{sentence}\n\n{table(ratios)}\n"
