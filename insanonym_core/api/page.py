"""How a notebook shows a result: a small page without scripts, in which nobody can be seen."""

from __future__ import annotations

import itertools
import math
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING

from jinja2 import Environment, Template

from insanonym_core.api.scoring import AttackResult
from insanonym_core.recipe_texts import recipe_text
from insanonym_core.report.ledger import Ledger
from insanonym_core.report.summary import summary_of
from insanonym_core.results.threats import as_threat
from insanonym_core.tabular.roles import not_published_text
from insanonym_core.texts import say
from insanonym_core.texts.numbers import number

if TYPE_CHECKING:
    from insanonym_core.api.result import Result
    from insanonym_core.api.search import SearchResult


def result_html(result: Result) -> str:
    """The summary of a result."""
    lang, ledger = result.lang, Ledger(result.lang)
    kind, made = result.recipe.data_kind, result.made
    summary = summary_of(result.report, ledger) if result.measured else {}
    attack = isinstance(result, AttackResult)
    found = as_threat(result.report.measures[0]) if attack else None
    if summary:  # of a part of the measures, the headlines there are
        known = [not math.isnan(getattr(result, name)) for name in ("privacy", "utility", "defence")]
        summary["headlines"] = list(itertools.compress(summary["headlines"], known))
    return _template("result.html").render(
        {
            **summary,
            "lang": lang,
            "t": lambda text: say(text, lang),
            "title": say(kind.title, lang),
            "setting": result.setting,
            "attack": attack,
            "found": "" if found is None else found.sentence(lang),
            "measured": result.measured,
            "partial": result.measured and not attack and result.privacy_at_most,
            "rows": ledger.show("rows", "original", made.rows),
            "kept": ledger.show("rows", "published", made.kept),
            "warnings": result.warnings,
            "sentences": result.promises,
            "not_published": not_published_text(made.facts.get("not_published", ()), lang),
        }
    )


def search_html(search: SearchResult) -> str:
    """The summary of a search: what was found, and the front."""
    tuned, lang = search.tuned, search.lang
    front = [
        {
            "setting": say(recipe_text(one.recipe), lang),
            "privacy": number(one.privacy, lang, 2),
            "utility": number(one.utility, lang, 2),
        }
        for one in tuned.front
    ]
    return _template("search.html").render(
        lang=lang,
        t=lambda text: say(text, lang),
        found=say(recipe_text(tuned.recipe), lang) if tuned.recipe is not None else "",
        numbers=say(tuned.numbers(), lang) if tuned.found else "",
        reason=search.reason,
        notes=[say(note, lang) for note in tuned.notes()],
        front=front,
        trials=number(len(tuned.trials), lang),
    )


@cache
def _template(name: str) -> Template:
    text = resources.files(__package__).joinpath(name).read_text("utf-8")
    return Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True).from_string(text)
