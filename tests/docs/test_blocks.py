"""Every command and block of Python that a page shows is run by a test: here, or by the one named."""

import re
import shutil
from pathlib import Path

import pytest

from tests.docs.reading import DOCS, ROOT, blocks, commands, text_of

HERE = ("avatars", "league", "recipes", "tables")
ELSEWHERE = {
    "data": "tests/test_docs_data.py",
    "jupyterhub": "tests/browser_dashboard/test_hub.py",
    "python": "tests/test_docs_python.py",
    "report": "tests/test_docs_report.py",
    "scores": "tests/test_docs_scores.py",
    "teaching": "tests/test_docs_teaching.py",
    "teaching.fr": "tests/test_docs_teaching.py",
    "tune": "tests/test_docs_tune.py",
    "tutorial": "tests/docs/test_tutorial.py",
}
RECIPE = "data: demo:mobility\nseed: 1\nsteps:\n  - {step}: {{}}\n  - pseudonymise: {{}}\n"


def test_every_page_with_code_has_its_test():
    with_code = {
        path.stem
        for path in DOCS.glob("*.md")
        if commands(f"docs/{path.name}")
        or re.search(r"^```(python|console|sh|bash)\n", path.read_text("utf-8"), re.M)
    }
    assert with_code == {*HERE, *ELSEWHERE}
    for page, test in ELSEWHERE.items():
        assert f"{page}.md" in (ROOT / test).read_text("utf-8"), page


@pytest.fixture
def folder(tmp_path, monkeypatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run_all(run, page: str, change=lambda command: command) -> int:
    """Run the commands of a page in order; `change` makes one smaller, or leaves it to others (None)."""
    done = 0
    for command in map(change, commands(page)):
        if command is not None:
            found = run(*command)
            assert found.code == 0, (command, found.err)
            done += 1
    return done


@pytest.mark.slow
def test_avatars(run, folder):
    def change(command):
        if command[1] == "score":
            shutil.copy("avatars.csv", "somebodys.csv")
        return command

    assert run_all(run, "docs/avatars.md", change) == 2


@pytest.mark.slow
def test_recipes(run, folder, small_city):
    for name, step in (
        ("laplace", "planar_laplace"),
        ("gauss", "gaussian_noise"),
        ("recipe", "planar_laplace"),
    ):
        Path(f"{name}.yaml").write_text(RECIPE.format(step=step), "utf-8")

    def change(command):
        fewer = [re.sub(r":20$", ":2", word) for word in command]
        if command[0] == "sweep":
            seeds = fewer.index("--seeds") + 1
            fewer[seeds] = "1"
            return fewer
        return [*fewer, "--formats", "none"]

    assert run_all(run, "docs/recipes.md", change) == 2
    assert Path("sweep.csv").read_text("utf-8").count("\n") == 1 + 2 * 2
    (code,) = blocks("docs/recipes.md", "python")
    exec(code.replace(".svg", ".html"), {})  # noqa: S102  our own page; an SVG takes a browser
    assert len(list(folder.glob("*.html"))) > 3


@pytest.mark.slow
def test_tables(run, folder):
    assert run("demo", "enrolments", "-o", "enrolments.csv", "--users", 1500).code == 0
    known = ["--id", "CODE_INDIVIDU", "--order", "ANNEE_INSCRIPTION", "--item", "LIB_DIPLOME"]
    prefixes = {"": "", "_bac": "REGROUPEMENT_BAC", "_academy": "LIBELLE_ACADEMIE_BAC"}
    for name, prefix in prefixes.items():
        more = ["--prefix", prefix] if prefix else []
        done = run("traces", "build", "enrolments.csv", *known, *more, "-o", f"traces{name}.csv")
        assert done.code == 0, done.err

    def change(command):
        return [*command[:-1], "protected/"] if command[1] == "protect" else command

    assert run_all(run, "docs/tables.md", change) == 2


@pytest.mark.slow
def test_league(run, folder, small_city):
    served = []

    def change(command):
        if "serve" in command:
            served.append(command)
            return ["league", "serve", "--help"]
        return [*command, "--demo"] if "init" in command else command  # as the text says: with an original

    assert run_all(run, "docs/league.md", change) == 4
    assert len(served) == 1
    (code,) = blocks("docs/league.md", "python")
    exec(code, {})  # noqa: S102  our own page
    assert Path("FOLDER/league.csv").exists()


@pytest.mark.slow
def test_what_stands_in_a_table_of_the_readme_is_a_command(run):
    """Windows and macOS commands of README: the options that they use are there."""
    named = set(re.findall(r"insanonym (\w+)[^`]*`", text_of("README.md")))
    assert named >= {"dashboard"}
    for one in named:
        assert run(one, "--help").code == 0
