"""Two recipes in one report: the numbers of both, who is better, and the report of each beside it."""

import csv
import math
from dataclasses import replace

import pytest

from insanonym_core.errors import UsageError
from insanonym_core.experiment import run
from insanonym_core.recipe_file import recipe_from_text
from insanonym_core.report import write_comparison
from tests.experiment.test_run import ALL, report_of
from tests.report.test_report import NOON, Page

OTHER = ALL["traces"].replace("k: 10", "k: 50")


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    folder = tmp_path_factory.mktemp("compared") / "r"
    both = {"light": report_of("traces"), "strong": run(recipe_from_text(OTHER))}
    write_comparison(both, folder, lang="en", formats=(), now=NOON)
    return both, folder


def numbers(folder):
    with (folder / "scores.csv").open(encoding="utf-8") as file:
        return {(row["name"], row["detail"]): row["value"] for row in csv.DictReader(file)}


@pytest.mark.slow
def test_both_and_their_difference(written):
    both, folder = written
    found = numbers(folder)
    light, strong = both.values()
    for measure in light.measures:
        values = [report.scores[measure.key].value for report in (light, strong)]
        if not any(map(math.isnan, values)):
            assert [float(found[f"{part}.{measure.key}", "value"]) for part in (1, 2)] == values
            assert float(found[f"difference.{measure.key}", "value"]) == values[1] - values[0]
    page = Page((folder / "index.html").read_text("utf-8"))
    assert {*page.values} <= {*found.values()}
    assert len(page.values) > 20
    text = (folder / "index.html").read_text("utf-8")
    better = "light" if light.utility > strong.utility else "strong"
    assert f'<span class="given">{better}</span> is more useful' in text
    for part in ("recipe-1", "recipe-2"):
        assert {path.name for path in (folder / part).iterdir()} == {
            "index.html",
            "scores.csv",
            "recipe.yaml",
        }
        assert f'href="{part}/index.html"' in text
    assert "k: 50" in (folder / "recipe-2" / "recipe.yaml").read_text()


@pytest.mark.slow
def test_guessed_roles_of_either_are_told_once_above_the_numbers(written, tmp_path):
    both, folder = written
    assert "nobody has confirmed" not in (folder / "index.html").read_text()
    guessed = {name: guessed_report(one) for name, one in both.items()}
    write_comparison(guessed, tmp_path / "r", formats=(), now=NOON)
    page = (tmp_path / "r" / "index.html").read_text()
    told = "These numbers rely on guessed roles that nobody has confirmed: identifier CODE_INDIVIDU."
    assert page.count(told) == 1
    assert page.index(told) < page.index("<table")


def guessed_report(report):
    roles = replace(report.facts["roles"], guessed=("identifier",))
    return replace(report, facts={**report.facts, "roles": roles, "roles_guessed": roles.guessed})


@pytest.mark.slow
def test_it_may_be_written_again_and_only_then(written, tmp_path):
    both, _ = written
    folder = tmp_path / "r"
    write_comparison(both, folder, formats=(), lang="fr")
    assert "Comparaison" in (folder / "index.html").read_text("utf-8")
    with pytest.raises(UsageError, match="exists already"):
        write_comparison(both, folder, formats=())
    write_comparison(both, folder, formats=(), force=True)
    (folder / "recipe-1" / "diary.txt").write_text("mine")
    with pytest.raises(UsageError, match="holds other files"):
        write_comparison(both, folder, formats=(), force=True)
    assert (folder / "recipe-1" / "diary.txt").read_text() == "mine"


def test_only_the_same_data_compare(tmp_path):
    with pytest.raises(UsageError, match="on the same data"):
        write_comparison({"a": report_of("traces"), "b": report_of("avatars")}, tmp_path / "r", formats=())
    with pytest.raises(UsageError, match="two recipes, got 1"):
        write_comparison({"a": report_of("traces")}, tmp_path / "r", formats=())
    assert not (tmp_path / "r").exists()


@pytest.mark.browser
def test_the_command(tmp_path, run):
    for name, text in (("light", ALL["traces"]), ("strong", OTHER)):
        (tmp_path / f"{name}.yaml").write_text(text)
    paths = [tmp_path / "light.yaml", tmp_path / "strong.yaml"]
    found = run("report", *paths, "-o", tmp_path / "out", "--formats", "svg", "--width", "85mm", "--json")
    assert found.code == 0, found.err
    assert {*found.json["recipes"]} == {"light", "strong"}
    figures = {path.name for path in (tmp_path / "out" / "figures").iterdir()}
    assert {"plane.svg", "utility.svg", "privacy.svg", "who-pays.svg", "who-pays.caption.txt"} <= figures
    assert 'width="85mm"' in (tmp_path / "out" / "figures" / "plane.svg").read_text("utf-8")
    assert (tmp_path / "out" / "recipe-2" / "figures" / "utility.svg").exists()
    assert run("report", *paths, "-o", tmp_path / "other", "--individuals").code == 2
    assert run("report", paths[0], paths[0], "-o", tmp_path / "other", "--formats", "none").code == 2
    wrong = run("report", paths[0], "-o", tmp_path / "other", "--width", "90mm")
    assert wrong.code == 2
    assert "must be 85mm, 170mm or slide" in wrong.err


@pytest.mark.browser
def test_it_opens_quietly_and_prints(written, watch):
    watched = watch(written[1] / "index.html")
    watched.page.wait_for_function("() => document.querySelectorAll('figure .js-plotly-plot').length === 4")
    watched.page.emulate_media(media="print")
    watched.page.set_viewport_size({"width": 642, "height": 900})
    assert watched.page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    watched.assert_quiet()
