"""From a recipe to its numbers: `run` is the only road, whoever asks.

report = run(recipe)                  # reads or makes the data that the recipe names
report = run(recipe, data=track)      # data that is already there (an upload, a notebook)
"""

from insanonym_core.experiment.headlines import HEADLINES, Headline, headline
from insanonym_core.experiment.report import Promise, Report
from insanonym_core.experiment.run import draws_of, file_digest, load, make_release, run

__all__ = [
    "HEADLINES",
    "Headline",
    "Promise",
    "Report",
    "draws_of",
    "file_digest",
    "headline",
    "load",
    "make_release",
    "run",
]
