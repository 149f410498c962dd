"""Run a recipe: every number of the package is computed by `run`.

report = run(recipe)                     # reads or makes the data that the recipe names
report = run(recipe, data=track)         # data that is already there (an upload, a notebook)
report = score_release(pair)             # a release that somebody made: it is only measured
report = run(recipe, strategy=parts)     # the same numbers, counted over parts of a file
"""

from insanonym_core.experiment.load import draws_of, file_digest, load
from insanonym_core.experiment.report import Report
from insanonym_core.experiment.run import check_recipe, entries_of, make_release, run, score_release
from insanonym_core.experiment.strategy import Direct, Strategy

__all__ = [
    "Direct",
    "Report",
    "Strategy",
    "check_recipe",
    "draws_of",
    "entries_of",
    "file_digest",
    "load",
    "make_release",
    "run",
    "score_release",
]
