"""Reports: one folder, no network, and every number on the page in scores.csv."""

import csv
import datetime
import html.parser
import re
import subprocess
import sys
from pathlib import Path

import pytest

from insanonym_core.errors import UsageError
from insanonym_core.experiment import run
from insanonym_core.mobility.places import cells_of
from insanonym_core.recipe_file import read_recipe, recipe_from_text
from insanonym_core.report import write_report
from insanonym_core.texts import french
from tests.experiment.test_run import ALL, report_of

NOON = datetime.datetime(2026, 1, 1, 12, tzinfo=datetime.UTC)
LATER = datetime.datetime(2026, 6, 6, 18, tzinfo=datetime.UTC)


@pytest.fixture(scope="module", params=ALL)
def written(request, tmp_path_factory):
    """A report of each kind, in French, without figures beside the page."""
    folder = tmp_path_factory.mktemp("reports") / request.param
    report = report_of(request.param)
    write_report(report, folder, lang="fr", formats=(), now=NOON)
    return request.param, report, folder


class Page(html.parser.HTMLParser):
    """What stands on a page: shown numbers, and all other text that is ours."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.values: list[str] = []
        self.texts: list[str] = []
        self.stack: list[tuple[str, bool]] = []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        values = dict(attrs)
        given = "given" in (values.get("class") or "") or tag in (
            "script",
            "style",
            "code",
            "time",
            "data",
            "title",
        )
        if tag == "data":
            self.values.append(values["value"])
        if tag not in ("meta", "link", "br"):
            self.stack.append((tag, given))

    def handle_endtag(self, tag):
        while self.stack and self.stack.pop()[0] != tag:
            pass

    def handle_data(self, data):
        if not any(given for _, given in self.stack):
            self.texts.append(data)


def rows_of(folder: Path) -> list[dict[str, str]]:
    with (folder / "scores.csv").open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


@pytest.mark.slow
def test_every_number_of_the_page_is_in_the_scores(written):
    _, report, folder = written
    page = Page((folder / "index.html").read_text("utf-8"))
    known = {row["value"] for row in rows_of(folder)}
    assert set(page.values) <= known
    assert len(page.values) > 20
    kinds_of_text = re.compile(r"\bk =|\bNNDR|\bDCR|AUC|\bm\d\d")
    # No digit stands on the page outside a shown number, a formula, a name or the recipe.
    loose = [text for text in page.texts if re.search(r"\d", kinds_of_text.sub("", text))]
    assert loose == []
    found = {(row["name"], row["detail"]): row["value"] for row in rows_of(folder)}
    for measure in report.measures:
        shown = found[measure.key, "value"]
        assert shown == "" if not measure.score.defined else float(shown) == measure.score.value


def test_the_page_asks_nobody(written):
    text = (written[2] / "index.html").read_text("utf-8")
    loaded = re.findall(
        r"""(?:src|href)\s*=\s*["']?(?!data:)([^"'\s>]+)""",
        re.sub(r"<script>.*?</script>", "", text, flags=re.S),
    )
    assert [one for one in loaded if one.startswith(("http", "//"))] == []


@pytest.mark.slow
def test_made_twice_they_are_equal_but_for_the_date(written, tmp_path):
    kind, _, folder = written
    write_report(run(recipe_from_text(ALL[kind])), tmp_path / "again", lang="fr", formats=(), now=LATER)
    for name in ("scores.csv", "recipe.yaml"):
        assert (tmp_path / "again" / name).read_bytes() == (folder / name).read_bytes()
    one, other = ((place / "index.html").read_text("utf-8") for place in (folder, tmp_path / "again"))
    dates = [re.search("<time>(.*?)</time>", text).group(1) for text in (one, other)]
    assert dates[0] != dates[1]
    assert one.replace(dates[0], "") == other.replace(dates[1], "")


def test_the_recipe_comes_back(written):
    kind, _, folder = written
    assert read_recipe(folder / "recipe.yaml") == recipe_from_text(ALL[kind]).complete()


def test_nobody_is_named(written):
    """No id of an original, no pseudonym, no single row: not without being asked."""
    kind, report, folder = written
    text = (folder / "index.html").read_text("utf-8")
    if kind == "mobility":
        tokens = [token for token in report.release.release.tokens if len(token) > 6]
        assert tokens
        assert not any(token in text for token in tokens)
    hidden = (
        "Rows that cost most",
        "Masked counts that both tables fix",
        "Rarest steps",
        "on the first components",
    )
    assert not any(title in text or french().get(title, title) in text for title in hidden)
    if kind == "mobility":
        original = cells_of(report.release.original)
        few = int((original.values["individuals"] < 5).sum())
        assert ("map", "hidden_original") in {(row["name"], row["detail"]) for row in rows_of(folder)}
        assert str(few) in {row["value"] for row in rows_of(folder) if row["detail"] == "hidden_original"}
    assert french()["What this does not protect"] in text


def test_what_a_publisher_has_to_write_is_there(tmp_path):
    recipe = recipe_from_text(ALL["traces"] + "\ndescriptions: {LIB_DIPLOME: what one studies for}")
    write_report(run(recipe), tmp_path / "r", formats=())
    page = (tmp_path / "r" / "index.html").read_text("utf-8")
    for heading in (
        "What the columns mean",
        "Cleaning: rare values deleted, pass by pass",
        "Losses by ANNEE_INSCRIPTION",
        "Thresholds",
        "What two published tables reveal together",
    ):
        assert f"<h2>{heading}</h2>" in page, heading
    assert "what one studies for" in page
    assert "type of bac" in page


@pytest.mark.browser
def test_figures_beside_the_page(tmp_path):
    report = report_of("traces")
    write_report(report, tmp_path / "r", formats=("svg",))
    names = {path.name for path in (tmp_path / "r" / "figures").iterdir()}
    assert "utility.svg" in names
    assert "rows-deleted-in-each-pass.svg" in names, "named by what they show"
    assert all(name.endswith((".svg", ".caption.txt")) or name == "figures-word.html" for name in names)
    assert {f"{name[:-4]}.caption.txt" for name in names if name.endswith(".svg")} <= names
    assert "figures/utility.svg" in (tmp_path / "r" / "index.html").read_text("utf-8")


@pytest.mark.slow
def test_nobodys_folder_is_overwritten(tmp_path):
    report = report_of("avatars")
    theirs = tmp_path / "theirs"
    theirs.mkdir()
    (theirs / "diary.txt").write_text("mine")
    for force in (False, True):
        with pytest.raises(UsageError, match=r"exists already|holds other files"):
            write_report(report, theirs, formats=(), force=force)
    assert (theirs / "diary.txt").read_text() == "mine"
    ours = tmp_path / "ours"
    write_report(report, ours, formats=())
    with pytest.raises(UsageError, match="exists already"):
        write_report(report, ours, formats=())
    write_report(report, ours, formats=(), force=True, lang="fr")
    assert 'lang="fr"' in (ours / "index.html").read_text("utf-8")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["ours", "theirs"]
    for wrong in ({"lang": "de"}, {"formats": ("gif",)}):
        with pytest.raises(UsageError):
            write_report(report, tmp_path / "new", **{"formats": (), **wrong})
    with pytest.raises(UsageError, match="does not exist"):
        write_report(report, tmp_path / "none" / "r", formats=())


def test_a_column_called_number_keeps_its_own_number(tmp_path):
    path = tmp_path / "n.csv"
    path.write_text("number,b\n" + "".join(f"{n if n < 2 else 9},{n % 3}\n" for n in range(30)))
    steps = "steps: [{suppress_rare_values: {k: 5}}]"
    text = f"data: {path}\nkind: table\nroles: {{quasi: [number, b]}}\n{steps}"
    write_report(run(recipe_from_text(text)), tmp_path / "r", formats=())
    found = {(row["name"], row["detail"]): row["value"] for row in rows_of(tmp_path / "r")}
    assert found["step.1.pass.1", "column number"] == "2"
    assert found["step.1.pass.1", "number"] == "1"


def test_attacks_tell_the_competitions_score_and_who_is_reidentified(tmp_path):
    steps = "steps: [{delete_at_random: {share: 0.99}}, pseudonymise]"
    report = run(
        recipe_from_text(f"data: demo:mobility\nseed: 7\n{steps}"), only=("utility", "attack.deleted")
    )
    write_report(report, tmp_path / "r", formats=())
    assert "by the competition&#39;s score" in (tmp_path / "r" / "index.html").read_text("utf-8")
    found = {
        row["detail"]: float(row["value"])
        for row in rows_of(tmp_path / "r")
        if row["name"] == "attack.deleted"
    }
    assert found["value"] > found["reidentified"] == 0


@pytest.mark.browser
def test_odd_places(tmp_path, monkeypatch):
    report = report_of("traces")  # of few figures
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UsageError, match="the folder you are in"):
        write_report(report, ".", formats=())
    write_report(report, "ours", formats=("svg",))
    (tmp_path / "ours" / "figures" / "mine.txt").write_text("mine")
    with pytest.raises(UsageError, match="holds other files"):
        write_report(report, "ours", formats=(), force=True)
    assert (tmp_path / "ours" / "figures" / "mine.txt").exists()


@pytest.mark.slow
def test_the_command(tmp_path, run):
    recipe = tmp_path / "r.yaml"
    recipe.write_text(ALL["avatars"])
    found = run("report", recipe, "-o", tmp_path / "out", "--formats", "none", "--json")
    assert found.code == 0, found.err
    # 1 − 2·(AUC − ½): membership inference is the worst threat.
    assert found.json["privacy"] == pytest.approx(2 - 2 * found.json["privacy.membership_auc"])
    assert found.json["privacy"] > 0.6
    assert (tmp_path / "out" / "index.html").exists()
    assert run("report", recipe, "-o", tmp_path / "out", "--formats", "none").code == 2
    recipe.write_text(ALL["avatars"].replace("components: 5", "include_self: true"))
    loud = run("report", recipe, "-o", tmp_path / "copies", "--formats", "none")
    assert "Do not publish them" in loud.err
    assert 'class="loud"' in (tmp_path / "copies" / "index.html").read_text("utf-8")
    recipe.write_text("steps: [nothing]")
    assert run("report", recipe, "-o", tmp_path / "x", "--formats", "none").code == 1


@pytest.mark.slow
def test_a_new_metric_file_is_all_it_takes(tmp_path):
    """Run apart: one new file appears in the list, in a report and in a figure, with no other change."""
    home = Path(__file__).parents[2] / "insanonym_core" / "avatars" / "metrics"
    code = """
from insanonym_core.avatars.release import Avatars
from insanonym_core.registry import metrics
from insanonym_core.results.scores import Bars, Score
import numpy as np

@metrics.add("throw_away", data="avatars", family="utility", title="Throw-away measure", better="higher",
             bounds=(0, 1), order=99, formula="always a quarter")
def throw_away(avatars: Avatars) -> Score:
    '''Nothing at all.'''
    bars = Bars("Throw-away bars", "share", ("a", "b"), np.array([0.1, 0.4]), shows_individuals=False)
    return Score(0.25, (bars,))
"""
    (tmp_path / "throw_away.py").write_text(code)
    check = f"""
import insanonym_core.avatars.metrics as home
home.__path__.append({str(tmp_path)!r})
from insanonym_core.experiment import run
from insanonym_core.figures.gallery import pictures
from insanonym_core.recipe_file import recipe_from_text
from insanonym_core.registry import metrics
from insanonym_core.report import write_report
assert "throw_away" in [entry.name for entry in metrics.all()]
report = run(recipe_from_text({ALL["avatars"]!r}))
assert report.scores["utility.throw_away"].value == 0.25
drawn = [one for one in pictures(report) if one.key == "utility.throw_away"]
assert [one.title for one in drawn] == ["Throw-away bars"]
write_report(report, {str(tmp_path / "r")!r}, formats=())
"""
    assert home.is_dir()
    subprocess.run([sys.executable, "-c", check], check=True)
    assert "utility.throw_away,value,0.25" in (tmp_path / "r" / "scores.csv").read_text()
    page = (tmp_path / "r" / "index.html").read_text("utf-8")
    assert "Throw-away measure" in page
    assert "Throw-away bars" in page
