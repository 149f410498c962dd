"""What is wrong with an upload is said in French on the French page, by the road the page itself takes."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator

import pytest

from insanonym_core.errors import InsanonymError
from insanonym_core.kinds import kind_named
from insanonym_core.presets import preset_recipe
from insanonym_core.texts import Phrase, french, say
from insanonym_dashboard import uploads
from insanonym_dashboard.pieces import banner
from insanonym_dashboard.session import Session
from insanonym_dashboard.state import TabState
from tests.texts.bad_files import COLUMNS, FILES
from tests.texts.test_errors import is_french


def templates(text: object) -> Iterator[str]:
    """The English sentences that a text is made of."""
    if isinstance(text, Phrase):
        if re.search(r"[^\W\d_]", re.sub(r"\{[^}]*\}", "", text.template)):
            yield text.template
        for value in text.values.values():
            yield from templates(value)


def state_of(kind: str) -> TabState:
    return TabState(preset_recipe(kind_named(kind)), Session(lang="fr"))


@pytest.mark.parametrize(("kind", "name"), [pytest.param(*one, id=" ".join(one)) for one in FILES])
def test_a_bad_upload_is_said_in_french(kind, name):
    content = FILES[kind, name]
    state = state_of(kind)
    with pytest.raises(InsanonymError) as caught:
        uploads.read_upload(name, len(content), content, kind)
    state.fail(caught.value)
    shown = html.unescape(re.sub(r"<[^>]*>", "", banner(state.error, "fr")))
    assert shown == caught.value.say("fr")
    assert shown != str(caught.value)
    assert ("'a'" if name in COLUMNS else name) in shown
    assert is_french(shown), shown
    said = list(templates(caught.value.phrase))
    assert said
    assert [one for one in said if one not in french()] == []
    assert banner(state.error, "en") == banner(str(caught.value), "en")


def test_an_upload_over_the_limit(monkeypatch):
    with pytest.raises(InsanonymError) as caught:
        uploads.read_upload("large.csv", 112_000_000, b"", "table")
    assert caught.value.say("fr") == (
        "large.csv fait 112 Mo et la limite est ici de 100 Mo\u00a0: utilisez la ligne de commande pour les "
        "fichiers plus grands."
    )


@pytest.mark.parametrize(
    ("kind", "change", "said"),
    [
        ("table", {"roles": {"quasi": ("nowhere",)}}, "n’est pas une colonne du tableau"),
        ("table", {"roles": {"quasi": ("age", "age")}}, "est nommée deux fois"),
        ("mobility", {"seed": -1}, "La graine d’une recette doit être un nombre entier"),
        ("mobility", {"rules": "v9"}, "Les règles d’une recette doivent être v1 ou v2"),
    ],
)
def test_roles_and_settings_that_are_refused(kind, change, said):
    from dataclasses import replace

    from insanonym_core.experiment import run

    state = state_of(kind)
    with pytest.raises(InsanonymError) as caught:
        run(replace(state.recipe, **change))
    state.fail(caught.value)
    shown = html.unescape(banner(state.error, "fr"))
    assert said in shown
    assert say(state.error, "fr") in shown
    assert is_french(re.sub(r"<[^>]*>", "", shown)), shown
