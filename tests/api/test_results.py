"""Results as somebody meets them in a notebook: languages, figures, warnings, pickles."""

from __future__ import annotations

import inspect
import pickle
import re
from html.parser import HTMLParser

import numpy as np
import pandas as pd
import pytest

import insanonym_core as insanonym
from insanonym_core.api import calls, search
from insanonym_core.demo.city import make_city
from insanonym_core.registry import attacks, methods, metrics

PATIENTS = insanonym.read("demo:patients")
CITY = make_city(8, 1).track.to_frame()
ROLES = {"quasi": ["sex", "age", "town"], "sensitive": "diagnosis", "identifier": ()}
ALONE = {**ROLES, "sensitive": ("diagnosis",)}  # as a recipe has them


@pytest.fixture(scope="module")
def safe() -> insanonym.Result:
    found = insanonym.anonymise(PATIENTS, "mondrian k=5", drop="admission_date", **ROLES)
    assert not found.measured
    return found


def test_nothing_is_measured_before_it_is_asked_for():
    found = insanonym.anonymise(PATIENTS, "mondrian k=5", **ROLES)
    assert "privacy" not in repr(found)
    assert "Not measured yet" in found._repr_html_()
    assert not found.measured
    assert found.privacy > 0.5
    assert "privacy 0.8" in repr(found)
    assert len(repr(found)) < 200


def test_the_release_belongs_to_the_reader(safe):
    first = safe.release
    first["age"] = 0
    scores = safe.scores
    scores["value"] = 0
    assert (safe.release["age"] != 0).all()
    assert (safe.scores["value"] != 0).any()


def test_scores_as_a_frame(safe):
    scores = safe.scores
    assert scores.index.name == "measure"
    entries = {entry.key: entry for entry in metrics.all(data="table")}
    assert set(scores.index) == set(entries)
    assert scores["better"].to_dict() == {key: entry.better or "lower" for key, entry in entries.items()}
    undefined = scores["value"].isna()
    assert (scores["undefined_because"][undefined] != "").all()
    assert (scores["undefined_because"][~undefined] == "").all()
    assert safe.privacy == 1 - scores["share"][list(safe.report.headline_of("privacy").needs)].max()
    assert safe.defence == pytest.approx(safe.privacy * safe.utility)
    assert scores["low"].notna().any()
    assert safe.decided_by.endswith("its sensitive value")


def test_some_measures_alone():
    recipe = insanonym.Recipe((), kind="table", roles=ALONE)
    found = insanonym.run(recipe, PATIENTS, only=["privacy.unique_share", "privacy.k"])
    assert found.scores.index.tolist() == ["privacy.k", "privacy.unique_share"]
    assert "privacy at most" in repr(found)
    assert "with all of them, privacy may be lower" in found._repr_html_()
    assert "privacy at most" not in repr(insanonym.risk(PATIENTS, ROLES["quasi"], "diagnosis"))
    assert found.not_protected


def test_both_languages(safe):
    french = insanonym.anonymise(PATIENTS, "mondrian k=5", drop="admission_date", **ROLES, lang="fr")
    assert french.scores["title"]["privacy.unique_share"] == "Lignes uniques"
    assert french.promises[0].startswith("Demandé")
    assert french.not_published == {"admission_date": "retirée sur demande"}
    assert 'lang="fr"' in french._repr_html_()
    assert "Confidentialité" in french._repr_html_()
    assert french.figure("utility").title.startswith("Utilité")
    assert french.figures.keys() == safe.figures.keys()
    assert "valeur sensible" in french.not_protected[0]


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_errors_in_the_language_asked_for(lang):
    calls_that_fail = [
        lambda: insanonym.anonymise(PATIENTS, "mondrain", lang=lang),
        lambda: insanonym.anonymise(PATIENTS, "mondrian k=0", lang=lang),
        lambda: insanonym.anonymise(PATIENTS, [], lang=lang),
        lambda: insanonym.anonymise(PATIENTS, 7, lang=lang),
        lambda: insanonym.anonymise(PATIENTS, {"mondrian": 7}, lang=lang),
        lambda: insanonym.anonymise(PATIENTS, "mondrian", quasi=["agee"], lang=lang),
        lambda: insanonym.anonymise(PATIENTS, "mondrian", quasi=7, lang=lang),
        lambda: insanonym.anonymise(PATIENTS, "planar_laplace", lang=lang),
        lambda: insanonym.anonymise(CITY, "planar_laplace", quasi="id", lang=lang),
        lambda: insanonym.anonymise("nowhere.csv", "planar_laplace", lang=lang),
        lambda: insanonym.risk(PATIENTS, "age", "age", lang=lang),
        lambda: insanonym.run(7, PATIENTS, lang=lang),
        lambda: insanonym.run(insanonym.Recipe(()), lang=lang),
        lambda: insanonym.make_avatars(PATIENTS, weights="heavy", lang=lang),
        lambda: insanonym.score(CITY, CITY.head(3), lang=lang),
        lambda: insanonym.score(CITY, CITY, attacks=["nope"], lang=lang),
        lambda: insanonym.score(PATIENTS, PATIENTS, kind="table", lang=lang),
        lambda: insanonym.attack(PATIENTS, PATIENTS, "poi", lang=lang),
        lambda: insanonym.attack(CITY, CITY, "poi", recipe=insanonym.Recipe(()), lang=lang),
        lambda: insanonym.tune(PATIENTS, at_least={"nothing": 1}, lang=lang),
        lambda: insanonym.tune(PATIENTS, at_least=0.5, lang=lang),
        lambda: insanonym.risk(PATIENTS, "age", settings="k", lang=lang),
        lambda: insanonym.run(insanonym.Recipe((), kind="table"), PATIENTS, only=["k"], lang=lang),
        lambda: insanonym.anonymise(PATIENTS, "mondrian", seed="x", lang=lang),
    ]
    said = []
    for call in calls_that_fail:
        with pytest.raises(insanonym.InsanonymError) as raised:
            call()
        said.append(str(raised.value))
        assert str(raised.value) == raised.value.say(lang)
        assert (raised.value.say("fr") == str(raised.value)) == (lang == "fr")
    assert len(set(said)) == len(said)
    with pytest.raises(insanonym.UsageError, match="en or fr"):
        insanonym.risk(PATIENTS, "age", lang="de")


def test_an_error_shows_where_the_call_was_and_none_of_our_modules():
    with pytest.raises(insanonym.UsageError) as raised:
        insanonym.anonymise(PATIENTS, "mondrain")
    assert {frame.path.name for frame in raised.traceback} == {"test_results.py", "inputs.py"}
    assert len(raised.traceback) == 2
    assert raised.value.__suppress_context__


def test_a_release_made_elsewhere_is_not_called_unchanged():
    aligned = insanonym.anonymise(CITY, ["planar_laplace", "pseudonymise"]).aligned
    found = insanonym.score(CITY, aligned, attacks=["naive"])
    assert "release made elsewhere" in repr(found)
    assert "the release is the original" not in " ".join(found.not_protected) + found._repr_html_()
    assert "not known here" in found.not_protected[0]
    assert "release made elsewhere" in found.figure("attacks").plotly.to_json()
    attacked = insanonym.attack(CITY, aligned, "poi")
    assert "“Same home, work, activity” re-identifies" in attacked._repr_html_()
    assert "unchanged" in repr(insanonym.risk(PATIENTS, "age"))


def test_errors_of_a_result_speak_its_language():
    found = insanonym.anonymise(PATIENTS, "mondrian k=5", **ROLES, lang="fr")
    with pytest.raises(insanonym.UsageError, match="Il n’y a pas de table de correspondance"):
        found.lookup()
    with pytest.raises(insanonym.UsageError, match="Seules les publications de traces GPS"):
        _ = found.aligned
    with pytest.raises(insanonym.UsageError, match=r"Il n’y a pas de figure appelée 'nope'.*classes-by-size"):
        found.figure("nope")


def test_figures(safe, tmp_path):
    assert {"utility", "privacy", "classes-by-size"} <= safe.figures.keys()
    figure = safe.figure("privacy.k")
    assert (figure.name, figure.title) == ("classes-by-size", safe.figures["classes-by-size"])
    path = figure.save(tmp_path / "classes.html")
    assert path.stat().st_size > 1_000_000, "the library is inside"
    with pytest.raises(insanonym.UsageError, match="exists"):
        figure.save(path)
    assert figure.save(path, force=True) == path
    with pytest.raises(insanonym.UsageError, match="must end in"):
        figure.save(tmp_path / "classes.xyz")
    printed = figure.save(tmp_path / "column.html", width="85mm")
    assert '"width":440' in printed.read_text("utf-8"), "laid out for a column"
    assert (tmp_path / "column.caption.txt").exists()


def test_a_figure_that_may_show_people_is_asked_for_by_name():
    found = insanonym.score(CITY, insanonym.anonymise(CITY, "pseudonymise").aligned, attacks=["poi"])
    shown = {one.name for one in found._drawables(individuals=True)} - found.figures.keys()
    assert shown, "some evidence shows single people"
    name = sorted(shown)[0]
    with pytest.raises(insanonym.UsageError, match="individuals=True"):
        found.figure(name)
    assert found.figure(name, individuals=True).name == name


class _Loads(HTMLParser):
    """What a page would load from elsewhere, and scripts outside a frame of their own."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self.frames: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        named = dict(attrs)
        self.found += [
            value for name in ("src", "href", "data") if (value := named.get(name)) and value != "data:,"
        ]
        self.found += ["script"] if tag == "script" else []
        self.frames += [named["srcdoc"] or ""] if "srcdoc" in named else []


def loads(page: str) -> _Loads:
    parser = _Loads()
    parser.feed(page)
    return parser


def test_a_notebook_asks_no_other_host(safe):
    assert safe.measured or safe.privacy
    assert loads(safe._repr_html_()).found == []
    figure = loads(safe.figure("utility")._repr_html_())
    assert figure.found == []
    (inner,) = figure.frames
    inside = loads(inner)
    assert [one for one in inside.found if one != "script"] == []
    assert "DecompressionStream" in inner
    assert len(inner) < 2_500_000


def test_texts_of_the_data_are_escaped_in_a_notebook():
    frame = PATIENTS.rename(columns={"town": "<b onclick=x()>town"})
    roles = ROLES | {"quasi": ["sex", "age", "<b onclick=x()>town"]}
    found = insanonym.anonymise(frame, "mondrian k=5", drop="admission_date", **roles)
    assert found.privacy > 0
    assert "<b onclick" not in found._repr_html_()
    assert "&lt;b onclick" in found._repr_html_()


def test_warnings_come_where_the_function_was_called():
    with pytest.warns(insanonym.InsanonymWarning) as heard:
        found = insanonym.anonymise(CITY, "planar_laplace radius=100")
    assert [str(one.message) for one in heard] == found.warnings
    assert "The published ids are the original ones" in found.warnings[0]
    assert {one.filename for one in heard} == {__file__}
    with pytest.warns(insanonym.InsanonymWarning, match="^Rôles devinés"):
        insanonym.anonymise(PATIENTS, "round_numbers", lang="fr")
    shared = insanonym.anonymise(CITY, "pseudonymise").aligned.assign(id="one")
    with pytest.warns(insanonym.InsanonymWarning, match="stands for several ids") as heard:
        insanonym.score(CITY, shared, attacks="none")
    assert {one.filename for one in heard} == {__file__}


def test_numbers_and_columns_of_pandas_and_numpy():
    step = insanonym.Step("round_numbers", {"columns": PATIENTS.columns[1:3], "step": np.float64(5)})
    roles = {"quasi": PATIENTS.columns[:2], "sensitive": {"diagnosis"}, "identifier": []}
    found = insanonym.anonymise(PATIENTS, step, **roles)
    assert found.recipe.steps[0].parameters == {"columns": ("age", "height_cm"), "step": 5.0}
    seeded = insanonym.anonymise(PATIENTS, {"mondrian": {"k": np.int64(4)}}, seed=np.int64(3), **ROLES)
    assert (seeded.recipe.seed, seeded.recipe.steps[0].parameters["k"]) == (3, 4)
    alone = insanonym.run(insanonym.Recipe((), kind="table", roles=ALONE), PATIENTS, only="privacy.k")
    assert alone.scores.index.tolist() == ["privacy.k"]


def test_texts_that_may_be_dates_or_numbers_are_told():
    frame = pd.DataFrame(
        {"seen": ["31/12/2024", "1/2/2025"] * 4, "size": ["1,5", "2"] * 4, "n": ["1", "2"] * 4}
    )
    with pytest.warns(insanonym.InsanonymWarning) as heard:
        found = insanonym.anonymise(
            frame, "mondrian k=2", quasi=["seen", "size", "n"], sensitive=[], identifier=[]
        )
    told = [str(one.message) for one in heard]
    assert told == found.warnings
    assert len(told) == 2
    assert "'seen' holds texts that look like dates" in told[0]
    assert "'size' holds texts that look like numbers with a decimal comma" in told[1]


def test_the_attacker_who_learns_knows_the_recipe():
    moved = insanonym.anonymise(CITY, ["planar_laplace radius=100", "pseudonymise"])
    assert moved.report.facts["recipe_known"]
    assert not moved.report.facts["made_elsewhere"]
    blind = insanonym.score(CITY, moved.aligned, attacks=["everything"])
    seeing = insanonym.score(CITY, moved.aligned, attacks=["everything"], recipe=moved.recipe)
    assert (blind.report.facts["recipe_known"], seeing.report.facts["recipe_known"]) == (False, True)
    assert seeing.scores["share"]["attack.everything"] >= blind.scores["share"]["attack.everything"]


def test_a_seed_repeats_draws_and_never_pseudonyms():
    steps = ["planar_laplace radius=100", "pseudonymise"]
    first, again, other = (insanonym.anonymise(CITY, steps, seed=seed).aligned for seed in (1, 1, None))
    places = ["latitude", "longitude"]
    pd.testing.assert_frame_equal(first[places], again[places])
    assert set(first["id"]).isdisjoint(again["id"])
    assert not first[places].equals(other[places])


def test_lookup_and_files(tmp_path):
    found = insanonym.anonymise(CITY, "pseudonymise")
    lookup = found.lookup()
    assert set(lookup["id"]) == set(CITY["id"])
    assert set(found.release["id"]) <= set(lookup["pseudonym"])
    path = found.write(tmp_path / "release.csv")
    assert len(pd.read_csv(path)) == len(found.release)
    with pytest.raises(insanonym.UsageError, match="exists"):
        found.write(path)
    two = insanonym.anonymise(PATIENTS, "bucketise", **ROLES)
    assert list(two.tables) == ["quasi_identifiers", "sensitive"]
    pd.testing.assert_frame_equal(two.release, two.tables["quasi_identifiers"])
    assert sorted(one.name for one in two.write(tmp_path / "two").iterdir()) == [
        "quasi_identifiers.csv",
        "sensitive.csv",
    ]


@pytest.mark.slow
def test_results_can_be_sent_elsewhere():
    """Pickled, as a process pool or joblib does it."""
    safe = insanonym.anonymise(PATIENTS, "mondrian k=5", **ROLES)
    moved = insanonym.anonymise(CITY, ["planar_laplace", "pseudonymise"])
    attacked = insanonym.attack(CITY, moved.aligned, "poi")
    avatars = insanonym.make_avatars(PATIENTS, 5)
    for one in (safe, insanonym.score(CITY, moved.aligned, attacks=["naive"]), avatars, attacked):
        again = pickle.loads(pickle.dumps(one))  # noqa: S301  our own
        pd.testing.assert_frame_equal(again.scores, one.scores)
        pd.testing.assert_frame_equal(again.release, one.release)
        assert again._repr_html_() == one._repr_html_()
    pd.testing.assert_frame_equal(attacked.guesses(), pickle.loads(pickle.dumps(attacked)).guesses())  # noqa: S301


@pytest.mark.parametrize("registry", [methods, metrics, attacks], ids=lambda one: one.sort)
def test_every_entry_can_be_sent_elsewhere(registry):
    for entry in registry.all():
        assert pickle.loads(pickle.dumps(entry)) is entry  # noqa: S301


@pytest.mark.slow
def test_a_search():
    frame = PATIENTS.drop(columns="admission_date")
    found = insanonym.tune(frame, at_least={"privacy": 0.6}, methods="mondrian", trials=4, seed=1, **ROLES)
    assert found.found
    assert found.privacy >= 0.6
    assert found.recipe.roles["quasi"] == ("sex", "age", "town")
    assert len(found.trials) == 4
    assert found.trials["front"].any()
    assert found.result.recipe == found.recipe
    assert len(found.release) == len(frame)
    assert found.scores["value"]["privacy.k"] > 1
    assert "What binds" in found.reason
    assert loads(found._repr_html_()).found == []
    assert found.figure().name in found.figures
    with pytest.raises(insanonym.UsageError, match="choose from: search"):
        found.figure("nope")
    none = insanonym.tune(
        frame, at_least={"privacy": 1}, methods="round_numbers", trials=2, seed=1, lang="fr", **ROLES
    )
    assert not none.found
    assert none.reason in none._repr_html_() or "Aucune" in none._repr_html_()
    with pytest.raises(insanonym.UsageError, match="Il n’y a pas de publication"):
        _ = none.release


@pytest.mark.slow
def test_a_search_for_gps_traces_in_a_frame():
    found = insanonym.tune(CITY, methods=["planar_laplace", "pseudonymise"], trials=2, seed=1)
    assert found.tuned.base.kind == "mobility"


# --- how the functions are written ----------------------------------------------------------------------


def functions() -> list[str]:
    return [name for name in insanonym.__all__ if inspect.isfunction(getattr(insanonym, name))]


@pytest.mark.parametrize("name", functions())
def test_docstrings_name_every_parameter(name):
    function = getattr(insanonym, name)
    text = inspect.getdoc(function)
    for section in ("Parameters", "Returns", "Raises", "Examples"):
        assert re.search(rf"^{section}\n-+$", text, re.M) or section == "Raises", section
    told = re.search(r"^Parameters\n-+\n(.*?)\n\n?(?:Returns)\n", text, re.M | re.S).group(1)
    named = {
        one.strip(" *") for line in re.findall(r"^(\S.*?)(?: : .*)?$", told, re.M) for one in line.split(",")
    }
    assert named == set(inspect.signature(function).parameters)
    assert inspect.signature(function).parameters["lang"].default == "en"


def test_defaults_are_those_that_methods_declare():
    declared = methods.get(calls.AVATARS, data="avatars").parameters["k"].default
    assert inspect.signature(insanonym.make_avatars).parameters["k"].default == declared
    searched = inspect.signature(insanonym.tune).parameters["trials"].default
    assert searched == search.search_for("demo:patients")[0].trials


def test_autocompletion_offers_the_functions():
    assert set(insanonym.__all__) <= set(dir(insanonym))
    assert {one for one in dir(insanonym) if not one.startswith("__")} == {*insanonym.__all__} - {
        "__version__"
    }
    with pytest.raises(AttributeError, match="no attribute 'nope'"):
        _ = insanonym.nope
