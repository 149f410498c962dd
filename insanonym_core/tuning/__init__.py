"""Find a recipe for a wish: privacy at least so much, a score at least so much, as much utility as possible.

wish = wish_of("mobility", at_least={"privacy": 0.7}, maximise="utility")
result = tune(Search(recipe_for("demo:mobility"), wish, trials=300))
result.recipe, result.privacy, result.reason()

The search sees some seeds and some attackers; what it finds is measured again on fresh seeds by all of them.
"""

from insanonym_core.tuning.measure import Measured
from insanonym_core.tuning.result import Tuned
from insanonym_core.tuning.search import Search, tune
from insanonym_core.tuning.space import AllMethods, Around, Space
from insanonym_core.tuning.start import recipe_for, search_for
from insanonym_core.tuning.trials import Tried, better, front_of_trials
from insanonym_core.tuning.wish import Bound, Wish, bound_from_text, wish_of

__all__ = [
    "AllMethods",
    "Around",
    "Bound",
    "Measured",
    "Search",
    "Space",
    "Tried",
    "Tuned",
    "Wish",
    "better",
    "bound_from_text",
    "front_of_trials",
    "recipe_for",
    "search_for",
    "tune",
    "wish_of",
]
