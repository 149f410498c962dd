"""run(recipe) is the only road: the same numbers as the parts it is made of, for every kind of data."""

import math
from functools import cache

import numpy as np
import pandas as pd
import pytest

from insanonym_core.demo.city import make_city
from insanonym_core.demo.named import named_table
from insanonym_core.errors import UsageError
from insanonym_core.experiment import Report, load, make_release, run, score_release
from insanonym_core.experiment.strategy import shadow_maker
from insanonym_core.kinds import all_kinds, kind_named
from insanonym_core.numeric.randomness import step_generator
from insanonym_core.recipe import Recipe, Step
from insanonym_core.recipe_file import read_recipe, recipe_from_text
from insanonym_core.registry import methods
from insanonym_core.runtime.jobs import Job
from insanonym_core.tabular.roles import Roles
from tests.helpers import scores_of

MOBILITY = "data: demo:mobility\nseed: 7\nsteps: [{planar_laplace: {radius: 500}}, pseudonymise]"
QUASI = "REGROUPEMENT_BAC, CONTINENT, NIVEAU_APRES_BAC"
ROLES = f"roles: {{identifier: CODE_INDIVIDU, quasi: [{QUASI}], by: ANNEE_INSCRIPTION}}"
TABLE = f"data: demo:enrolments\nseed: 1\n{ROLES}\nsteps: [{{mondrian: {{k: 10}}}}]"
TRACES = """
data: demo:enrolments
roles: {identifier: CODE_INDIVIDU}
steps:
  - suppress_rare_values: {k: 10}
  - count_traces: {item: [LIB_DIPLOME], order: ANNEE_INSCRIPTION, prefix: REGROUPEMENT_BAC}
"""
AVATARS = "data: demo:breast_cancer\nseed: 1\nsteps: [{mix_neighbours: {components: 5}}]"
ALL = {"mobility": MOBILITY, "table": TABLE, "traces": TRACES, "avatars": AVATARS}


@cache
def report_of(kind: str) -> Report:
    """The report of each kind: run once in a process, never changed."""
    return run(recipe_from_text(ALL[kind]))


@pytest.mark.slow
@pytest.mark.parametrize("kind", ALL)
def test_every_kind_runs_and_repeats(kind):
    recipe = recipe_from_text(ALL[kind])
    assert recipe.kind == kind
    once, again = report_of(kind), run(recipe)
    assert once.values() == pytest.approx(again.values(), nan_ok=True, abs=0)
    assert 0 <= once.privacy <= 1
    assert 0 <= once.utility <= 1
    assert once.defence == pytest.approx(once.privacy * once.utility)
    assert once.kept <= once.rows
    assert {measure.family for measure in once.measures} <= {"utility", "privacy", "attack"}
    assert load(recipe) is load(recipe), "the original's side is kept"


def test_mobility_is_what_score_says():
    recipe = recipe_from_text(MOBILITY)
    report = report_of("mobility")
    expected = score_release(make_release(recipe, make_city().track).release)
    assert report.privacy == expected.privacy
    assert report.utility == expected.utility
    assert {m.entry.name: m.score.value for m in report.family("attack")} == {
        m.entry.name: m.score.value for m in expected.family("attack")
    }


def test_a_table_is_what_its_method_and_measures_say():
    report = report_of("table")
    roles = Roles(("REGROUPEMENT_BAC", "CONTINENT", "NIVEAU_APRES_BAC"), (), "CODE_INDIVIDU")
    method = methods.get("mondrian", data="table").item(k=10)
    release = method.apply(named_table("demo:enrolments"), roles, step_generator(1, 1, "mondrian"))
    expected = {name: score.value for name, score in scores_of(release, "table").items()}
    found = {measure.entry.name: measure.score.value for measure in report.measures}
    assert found == pytest.approx(expected, nan_ok=True)
    (promise,) = report.promises
    assert promise.holds
    assert promise.measured == expected["k"]
    assert "measured k = 10" in promise.sentence()


def test_avatars_are_what_the_method_makes():
    report = report_of("avatars")
    made = (
        methods.get("mix_neighbours", data="avatars")
        .item(components=5)
        .apply(named_table("demo:breast_cancer"), step_generator(1, 1, "mix_neighbours"))
    )
    pd.testing.assert_frame_equal(report.release.published.frame(), made.published.frame())
    # 1 − 2·(AUC − ½): of its threats, membership inference is the worst.
    assert report.privacy == pytest.approx(2 - 2 * report.scores["privacy.membership_auc"].value)
    assert report.privacy < report.scores["privacy.hidden_rate"].value
    assert report.decided_by.measure.key == "privacy.membership_auc"
    old = run(recipe_from_text(AVATARS + "\nheadline: {privacy: hidden_rate}"), only=["privacy.hidden_rate"])
    assert old.privacy == report.scores["privacy.hidden_rate"].value


def test_chained_steps_count_losses_from_the_whole_table():
    text = TABLE.replace("steps: [", "steps: [{suppress_rare_values: {k: 400, columns: [CONTINENT]}}, ")
    report = run(recipe_from_text(text))
    table = named_table("demo:enrolments").frame()
    common = table["CONTINENT"].value_counts()
    kept = table["CONTINENT"].isin(common[common >= 400].index)
    assert report.kept == kept.sum() < report.rows
    assert report.scores["utility.rows_kept"].value == pytest.approx(kept.mean())
    lost = table.loc[~kept, "ANNEE_INSCRIPTION"].astype(str).value_counts()
    assert {year: n for year, n in report.facts["losses_by"].items() if n} == lost.to_dict()
    assert [promise.method for promise in report.promises] == ["suppress_rare_values", "mondrian"]
    # What is published is what the chain says: every class of the release, counted anew.
    sizes = report.release.frame.groupby(["REGROUPEMENT_BAC", "CONTINENT", "NIVEAU_APRES_BAC"]).size()
    assert sizes.min() == report.promises[1].measured >= 10


def test_traces_count_people_from_before_the_cleaning():
    report = report_of("traces")
    table = named_table("demo:enrolments").frame()
    details = report.scores["utility.counted"].details
    assert details["counted"] + details["masked"] + details["deleted"] == table["CODE_INDIVIDU"].nunique()
    published = report.release.published.to_frame()["count"].astype(str)
    assert (published[published.str.isdigit()].astype(int) >= 10).all()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("steps: []", "names no data"),
        ("data: demo:moon\nkind: mobility", "no data called 'demo:moon' for GPS traces"),
        ("data: demo:moon\nkind: table\nsteps: [mondrian]", "no data called 'demo:moon'"),
        (
            TABLE.replace("{mondrian: {k: 10}}", "{mondrian: {k: 10}}, {suppress_rare_rows: {}}"),
            "Step 2 comes too late",
        ),
        (TRACES.replace("CODE_INDIVIDU", "NOBODY"), "got 'NOBODY', which is no column"),
        (
            "data: demo:enrolments\nkind: traces\nsteps: [{suppress_rare_values: {}}]",
            "must end with count_traces",
        ),
        ("data: demo:diabetes\nkind: avatars", "must have one step"),
        (MOBILITY + "\nsettings: {nothing: 3}", "No score or attack has a parameter 'nothing'"),
        (MOBILITY + "\nsettings: {meet.share: 7}", "'share' of meet must be"),
        (
            MOBILITY + "\nheadline: {privacy: luck}",
            "must be one of worst, best_attack, mean_attack, got 'luck'",
        ),
    ],
)
def test_wrong_recipes_are_one_sentence(text, message):
    with pytest.raises(UsageError, match=message):
        run(recipe_from_text(text))


def test_settings_reach_the_measures():
    base, other = (
        run(recipe_from_text(AVATARS + extra), only=("privacy.dcr_median",))
        for extra in ("", "\nsettings: {space: columns}")
    )
    assert base.scores["privacy.dcr_median"].value < other.scores["privacy.dcr_median"].value
    assert len(base.measures) == 1


@pytest.mark.slow
@pytest.mark.parametrize("kind", all_kinds())
def test_every_headline_has_a_number(kind):
    for what, known in all_kinds()[kind].headlines.items():
        for one in known:
            recipe = recipe_from_text(ALL[kind] + f"\nheadline: {{{what}: {one.name}}}")
            report = run(recipe, only=one.needs)
            assert 0 <= getattr(report, what) <= 1, one.name


def test_a_headline_without_its_measure_is_not_a_number():
    assert math.isnan(kind_named("table").headline("privacy").compute([]))


def test_an_unchanged_release_has_full_utility():
    for text in (
        MOBILITY.replace("{planar_laplace: {radius: 500}}, pseudonymise", ""),
        TABLE.replace("{mondrian: {k: 10}}", ""),
    ):
        assert run(recipe_from_text(text)).utility == 1


def test_a_changed_file_is_read_anew(tmp_path):
    path = tmp_path / "t.csv"
    recipe = Recipe((Step("mondrian", {"k": 2}),), data=str(path), roles={"quasi": ("a",)})
    for rows in (10, 20):
        pd.DataFrame({"a": np.arange(rows)}).to_csv(path, index=False)
        assert run(recipe, only=("privacy.k",)).rows == rows


def test_identifiers_never_reach_avatars(tmp_path):
    path = tmp_path / "people.csv"
    rows = [f"id{n:04},{n % 40 + 20},{n * 7 % 13}" for n in range(60)]
    path.write_text("nom,age,visits\n" + "\n".join(rows))
    for extra in ("", "\nroles: {identifier: nom}"):
        report = run(recipe_from_text(f"data: {path}\nsteps: [mix_neighbours]{extra}"))
        assert list(report.release.published.columns) == ["age", "visits"]
        assert [name for name, _ in report.facts["not_published"]] == ["nom"]
        assert bool(report.facts["roles_guessed"]) == (extra == "")
    with pytest.raises(UsageError, match="got 'nobody', which is no column"):
        run(recipe_from_text(f"data: {path}\nsteps: [mix_neighbours]\nroles: {{identifier: nobody}}"))


def test_promises_are_measured_on_what_is_published_in_the_end():
    values = f"{{suppress_rare_values: {{k: 120, columns: [{QUASI}]}}}}"
    steps = f"[{values}, {{suppress_rare_rows: {{k: 3, columns: [{QUASI}]}}}}]"
    report = run(recipe_from_text(TABLE.replace("[{mondrian: {k: 10}}]", steps)), only=("privacy.k",))
    values, rows = report.promises
    frame = report.release.frame
    names = ["REGROUPEMENT_BAC", "CONTINENT", "NIVEAU_APRES_BAC"]
    assert values.measured == min(int(frame[name].value_counts(dropna=False).min()) for name in names)
    assert not values.holds
    assert rows.measured == frame.groupby(names, dropna=False).size().min() >= 3


def test_buckets_promise_groups():
    roles = "roles: {quasi: [age, sex], sensitive: [diagnosis]}"
    text = f"data: demo:patients\nkind: table\n{roles}\nsteps: [{{bucketise: {{k: 6, l: 3}}}}]"
    (promise,) = run(recipe_from_text(text), only=("privacy.k",)).promises
    assert promise.of == "groups"
    assert promise.holds


def test_roles_left_open_are_guessed():
    recipe = recipe_from_text(
        "data: demo:patients\nkind: table\nroles: {by: sex}\nsteps: [{mondrian: {k: 3}}]"
    )
    report = run(recipe, only=("privacy.k",))
    assert "diagnosis" in report.facts["roles"].sensitive
    assert report.facts["roles_guessed"]


def test_data_is_looked_for_beside_its_recipe(tmp_path, monkeypatch):
    (tmp_path / "t.csv").write_text("a\n" + "\n".join(map(str, range(20))))
    (tmp_path / "r.yaml").write_text("data: t.csv\nkind: table\nroles: {quasi: [a]}\nsteps: [mondrian]")
    other = tmp_path / "other"
    other.mkdir()
    monkeypatch.chdir(other)
    assert run(read_recipe("../r.yaml"), only=("privacy.k",)).rows == 20


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (MOBILITY + "\nroles: {quasi: [a]}", "has no roles 'quasi'; allowed are: none"),
        (MOBILITY + "\nreading: {missing: drop}", "has no reading 'missing'; allowed are: separator"),
        (AVATARS + "\nroles: {by: a}", "has no roles 'by'; allowed are: identifier"),
        (TRACES.replace("order: ANNEE_INSCRIPTION, ", ""), "set 'order'"),
    ],
)
def test_fields_of_another_kind_are_refused(text, message):
    with pytest.raises(UsageError, match=message):
        run(recipe_from_text(text))


def test_equal_recipes_have_equal_hashes():
    one, other = (
        recipe_from_text(TABLE + f"\nsettings: {{linkage.known: {known}}}") for known in ("3", "3.0")
    )
    assert one == other
    assert one.hash == other.hash


@pytest.mark.slow
def test_what_earlier_steps_lost_counts_against_the_budget_of_a_projection():
    report = run(
        recipe_from_text(
            "{kind: table, data: 'demo:enrolments', roles: {identifier: CODE_INDIVIDU}, steps: ["
            "{suppress_rare_values: {k: 5}}, {grow_projection: {start: [CODE_ETAPE]}}]}"
        )
    )
    cleaned, grown = report.facts["steps"]
    assert cleaned.rows_before > cleaned.rows_after
    assert grown.facts["steps"][0]["lost"] >= cleaned.rows_before - cleaned.rows_after


MISSING = """
data: {path}
kind: table
reading: {{missing: drop}}
roles: {{quasi: [age, zip], sensitive: [], identifier: []}}
steps: {steps}
"""


@pytest.mark.parametrize(
    "steps",
    ["[]", "[{mondrian: {k: 2}}]", "[{suppress_rare_values: {columns: [age], k: 1}}, {mondrian: {k: 2}}]"],
)
def test_rows_with_missing_values_are_dropped_and_count_as_lost(tmp_path, steps):
    path = tmp_path / "t.csv"
    path.write_text("age,zip\n" + "\n".join(f"{n % 5},{'' if n % 3 == 0 else n % 4}" for n in range(60)))
    report = run(recipe_from_text(MISSING.format(path=path, steps=steps)))
    assert (report.rows, report.kept, report.facts["missing_dropped"]) == (60, 40, 20)
    assert report.scores["utility.rows_kept"].value == pytest.approx(2 / 3)
    assert "missing" not in set(report.release.frame["zip"].astype(str))
    assert any("20 rows with a missing value were dropped" in warning for warning in report.warnings)


def test_the_attacker_who_learns_makes_the_same_shadows_however_the_steps_are_written():
    city = make_city(12, 2).track
    short = Recipe((Step("jitter_time", {"hours": 6}), Step("cloak"), Step("pseudonymise")), seed=1)
    long = Recipe(
        (Step("jitter_time", {"hours": 6.0}), Step("cloak", {"k": 3}), Step("pseudonymise", {"per": "week"})),
        seed=1,
    )
    first, second = (shadow_maker(one, city, Job())(1).release for one in (short, long))
    assert first.release.to_frame().drop(columns="id").equals(second.release.to_frame().drop(columns="id"))
    other = shadow_maker(short, city, Job())(2).release
    assert not np.array_equal(first.release.time, other.release.time)
