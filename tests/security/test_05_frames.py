"""5: from Python, too, direct identifiers are published only if asked for by name, and nobody is shown."""

from __future__ import annotations

import html

import pandas as pd
import pytest

import insanonym_core as insanonym
from insanonym_core.errors import InsanonymError
from tests.security import markers
from tests.security.hospital import DIRECT, hospital, refuse_markers

QUIET = pytest.mark.filterwarnings("ignore::insanonym_core.errors.InsanonymWarning")
PEOPLE = hospital()
RELEASES = {
    "guessed": lambda: insanonym.anonymise(PEOPLE, "mondrian k=5"),
    "named": lambda: insanonym.anonymise(PEOPLE, "mondrian k=5", identifier="name", quasi=["town", "age"]),
    "none": lambda: insanonym.anonymise(PEOPLE, "round_numbers", identifier=(), quasi="age", sensitive=()),
    "buckets": lambda: insanonym.anonymise(PEOPLE, "bucketise", quasi=["town", "age"], sensitive="diagnosis"),
    "avatars": lambda: insanonym.make_avatars(PEOPLE, 5),
    "risk": lambda: insanonym.risk(PEOPLE, ["town", "age"], "diagnosis"),
    "recipe": lambda: insanonym.run(insanonym.Recipe((), kind="table"), PEOPLE, only=("privacy.k",)),
}


@QUIET
@pytest.mark.parametrize("name", RELEASES)
def test_direct_identifiers_stay_out(name):
    found = RELEASES[name]()
    assert set(DIRECT) <= found.not_published.keys()
    for frame in found.tables.values():
        assert set(DIRECT).isdisjoint(frame.columns)
        refuse_markers(frame.to_csv(), name)
    refuse_markers(repr(found) + found._repr_html_(), name)


@QUIET
def test_published_when_asked_for_by_name():
    found = insanonym.anonymise(PEOPLE, "round_numbers", identifier=(), publish="telephone")
    assert set(DIRECT) & {*found.release.columns} == {"telephone"}


def _words_of(found: insanonym.Result) -> str:
    texts = [repr(found), found._repr_html_(), found.scores.to_csv(), *found.warnings, *found.promises]
    texts += [*found.not_protected, *found.not_published, found.decided_by]
    for name in found.figures:
        figure = found.figure(name)
        texts += [repr(figure), html.unescape(figure._repr_html_())]  # as the library inside is known
    return "\n".join(texts)


@pytest.mark.slow
@QUIET
@pytest.mark.parametrize("lang", ["en", "fr"])
def test_no_display_shows_anybody(lang):
    table = markers.hospital().frame()
    roles = markers.ROLES
    found = insanonym.anonymise(table, "mondrian k=5", lang=lang, **roles)
    assert markers.markers_in(_words_of(found)) == []
    city = markers.track().to_frame()
    moved = insanonym.anonymise(city, ["planar_laplace", "pseudonymise"], lang=lang)
    scored = insanonym.score(city, moved.aligned, attacks=["naive", "poi"], lang=lang)
    assert markers.markers_in(_words_of(scored)) == []
    attacked = insanonym.attack(city, moved.aligned, "poi", lang=lang)
    assert markers.markers_in(repr(attacked) + attacked._repr_html_()) == []
    assert attacked.guesses()["id"].str.contains(markers.ID).all(), "by name only"


@pytest.mark.parametrize("column", ["latitude", "date", "id"])
def test_no_error_shows_anybody(column):
    city = markers.track().to_frame().astype({column: object})
    city.loc[5, column] = {"latitude": markers.ID, "date": f"{markers.DATE} noon", "id": f"{markers.ID}\n"}[
        column
    ]
    with pytest.raises(InsanonymError) as raised:
        insanonym.anonymise(city, "planar_laplace")
    assert markers.markers_in(str(raised.value) + raised.value.say("fr")) == []
    with pytest.raises(InsanonymError) as raised:
        insanonym.risk(pd.DataFrame({"a": [[markers.ID]], "b": [1]}), "a")
    assert markers.markers_in(str(raised.value)) == []
