"""What README shows works, in both languages; and so does what CONTRIBUTING shows."""

import re
import subprocess
import sys
import zipfile

import pytest

from insanonym_core.recipe_file import recipe_from_text
from tests.docs.reading import ROOT, blocks, commands, text_of

PAGES = ("README.md", "README.fr.md")


def test_the_python_of_the_readme_runs(capsys):
    (code,) = blocks("README.md", "python")
    exec(code, {})  # noqa: S102  our own document
    told = capsys.readouterr().out
    values = re.search(r"privacy (0\.\d+), utility (0\.\d+): \w+", told).groups()
    assert all(0.5 < float(value) < 1 for value in values)


@pytest.mark.slow
def test_the_commands_of_the_readme_run(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    found = commands("README.md")
    assert [one[0] for one in found] == ["lessons", "dashboard", "demo", "tune", "anonymise", "report"]
    # The dashboard runs until it is stopped; figures take a browser; a shorter search finds the same recipe.
    more = {"dashboard": ["--help"], "report": ["--formats", "none"], "tune": ["--seed", 1, "--trials", 40]}
    for command in found:
        done = run(*command, *more.get(command[0], []))
        assert done.code == 0, (command, done.err)
    with zipfile.ZipFile(tmp_path / "release.zip") as release:  # one table, or both of bucketise
        assert max(release.read(name).count(b"\n") for name in release.namelist()) == 601
    assert (tmp_path / "report" / "index.html").exists()
    assert len(list((tmp_path / "lessons").glob("*.ipynb"))) >= 7


def test_the_recipe_of_the_readme_is_one_for_its_file(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (text,) = blocks("README.md", "yaml")
    assert len(recipe_from_text(text).steps) == 2
    (tmp_path / "recipe.yaml").write_text(text, "utf-8")
    assert run("demo", "patients", "-o", "patients.csv").code == 0
    done = run("anonymise", "patients.csv", "--recipe", "recipe.yaml", "--publish", "release.csv")
    assert done.code == 0, done.err
    assert "admission_date" not in (tmp_path / "release.csv").read_text("utf-8").splitlines()[0]


def test_both_languages_say_the_same():
    english, french = map(text_of, PAGES)
    assert commands("README.md") == commands("README.fr.md")
    assert re.findall(r"^    make \w+", english, re.M) == re.findall(r"^    make \w+", french, re.M)
    assert re.findall(r"^```.*?^```", english, re.M | re.S) == re.findall(r"^```.*?^```", french, re.M | re.S)
    assert set(re.findall(r"`[^`\n]+`", english)) == set(re.findall(r"`[^`\n]+`", french))
    shapes = [
        [re.match(r"#+ |\| |- |\*\*|!?\[|    |$|", line)[0] for line in text.splitlines()]
        for text in (english, french)
    ]
    for begin in ("# ", "## ", "| ", "- ", "**"):
        assert shapes[0].count(begin) == shapes[1].count(begin), begin


def test_both_languages_have_the_same_links():
    links = [re.findall(r"\]\(([^)\s]+)\)", text_of(page)) for page in PAGES]
    french = [one.replace(".fr.md", ".md") if one != "README.md" else "README.fr.md" for one in links[1]]
    assert links[0] == french
    inside = [one.partition("#")[0] for one in (*links[0], *links[1]) if "://" not in one]
    assert len(inside) > 40
    assert [one for one in inside if not (ROOT / one).exists()] == []


def test_the_french_page_is_set_as_french_is():
    """A narrow no-break space before ; ? ! %, a no-break space before : and inside « », and ’."""
    text = re.sub(
        r"```.*?```|^    [^\n]*$|`[^`\n]*`|\]\([^)\n]*\)", "", text_of("README.fr.md"), flags=re.S | re.M
    )
    assert (
        re.findall(r".{12}(?:[^\u202f][;?%]|[^\u202f]!(?!\[)|[^\u00a0 ]:|«[^\u00a0]|[^\u00a0]»|').{3}", text)
        == []
    )


def test_it_is_short():
    """A first page: everything else has its place in docs/."""
    assert all(len(text_of(page).splitlines()) <= 140 for page in PAGES)


@pytest.mark.slow
def test_the_metric_of_contributing_is_all_it_takes():
    """Run apart: it registers a score, which must not stay for the other tests."""
    (code,) = blocks("CONTRIBUTING.md", "python")
    check = """
from insanonym_core.cli.score_files import score_json
from insanonym_core.demo.city import make_city
from insanonym_core.experiment import make_release, run, score_release
from insanonym_core.experiment.run import pair_recipe
from insanonym_core.recipe import Recipe, Step
from insanonym_core.scale import OverParts, parts_of_pair

city = make_city(10, 1).track
pair = make_release(Recipe((Step("delete_at_random", {"share": 0.25}),), seed=1), city).release
six = ("date", "hour", "distance", "poi", "tuile", "meet")
report = score_release(pair, attacks=())
assert abs(report.scores["utility.kept"].value - 0.75) < 0.01, report.scores
mean = sum(report.scores[f"utility.{name}"].value for name in six) / 6
assert abs(report.utility - mean) < 1e-12, "a rule set is a closed list"
told = score_json(report)
assert set(told["utility"]) == {*six, "mean"}
assert told["further_scores"]["kept"] == report.scores["utility.kept"].value
with parts_of_pair(pair, 2) as parts:
    over_parts = run(pair_recipe("mobility"), strategy=OverParts(parts), only=("utility",))
assert abs(over_parts.utility - mean) < 1e-12
assert "in one piece" in over_parts.scores["utility.kept"].undefined_because
"""
    subprocess.run([sys.executable, "-c", code + check], check=True, cwd=ROOT)
