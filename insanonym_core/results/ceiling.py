"""The ceiling: how much privacy data allow at all, whatever the method, while everybody is kept."""

from __future__ import annotations

from dataclasses import dataclass

from insanonym_core.texts import Phrase


@dataclass(frozen=True)
class Ceiling:
    """The most privacy that is possible without deleting people, and why, as a sentence."""

    privacy: float
    why: Phrase


def ceiling_of_people(people: int) -> Ceiling:
    """The ceiling where a blind guess is right for one of all people."""
    share = 1 / max(1, people)
    why = Phrase.plural(
        "With one person in the data, whoever looks finds them: privacy is 0 unless they are deleted.",
        "With everybody kept, privacy is at most {privacy:.3f}: even among {n:,} people who look alike, "
        "a blind guess finds {share:.2%}.",
        n=people,
        privacy=1 - share,
        share=share,
    )
    return Ceiling(1 - share, why)
