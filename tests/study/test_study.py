"""insanonym study: every table of the source with its columns, its numbers, and nobody in any file."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from insanonym_core.demo.university import make_enrolments
from insanonym_core.errors import DataError, UsageError
from insanonym_core.recipe_file import read_recipe
from insanonym_core.registry import methods
from insanonym_core.study import make_tables, read_study, study_from_text, write_study
from insanonym_core.study.traces_beside import fewest_rows
from insanonym_core.traces import read_trace_table
from insanonym_core.traces.table import TraceTable
from tests.report.test_report import Page

EXAMPLE = Path(__file__).parents[2] / "docs" / "enrolments.yaml"
# The tables of the source document (Traces 01), each with what it must have, and the file of ours.
SOURCE = {
    "up13_perte.csv": "up13_loss_by_year.csv",
    "up13_anonyme.csv": "up13_anonyme.csv",
    "up13_etapes.csv": "up13_etapes.csv",
    "up13_Academie.csv": "up13_Academie.csv",
    "up13_Bac.csv": "up13_Bac.csv",
    "up13_traces_bac.csv": "up13_traces_REGROUPEMENT_BAC.csv",
    "up13_traces.csv": "up13_traces.csv",
}
RAW = make_enrolments()


@pytest.fixture(scope="module")
def study(tmp_path_factory):
    folder = tmp_path_factory.mktemp("study") / "out"
    tables = make_tables(read_study(EXAMPLE))
    write_study(tables, folder)
    return tables, folder


def path_of(folder, name):
    """A table lies in the folder of those that may be published together, or in the other one."""
    (path,) = [folder / part / name for part in ("publish", "instead") if (folder / part / name).exists()]
    return path


def published(folder, name):
    return pd.read_csv(path_of(folder, name), dtype=str, keep_default_na=False)


@pytest.mark.slow
def test_every_table_of_the_source_is_there(study):
    _tables, folder = study
    names = {path.name for part in ("publish", "instead") for path in (folder / part).glob("*.csv")}
    assert {*SOURCE.values()} <= names
    extra = {name for name in names if "_protected" in name}
    assert names - {*SOURCE.values()} == extra
    assert bool(extra) == ("protect" in methods.get("count_traces", data="traces").parameters)
    assert {path.name for path in (folder / "publish").glob("*.html")} == {
        "up13_text.en.html",
        "up13_text.fr.html",
    }
    assert [path.name for path in (folder / "working").glob("*_cleaned.csv")] == ["up13_cleaned.csv"]
    assert (folder / "working" / "up13_cleaned.csv").stat().st_mode & 0o077 == 0, "only its owner reads it"


def test_the_loss_by_year_is_that_of_the_rows(study):
    _, folder = study
    loss = published(folder, "up13_loss_by_year.csv")
    assert list(loss.columns) == ["ANNEE_INSCRIPTION", "raw", "anonymous", "lost"]
    raw = RAW["ANNEE_INSCRIPTION"].value_counts()
    cleaned = clean(RAW)["ANNEE_INSCRIPTION"].value_counts()
    for year, before, after, lost in loss.astype(int).itertuples(index=False):
        assert (before, after) == (raw[year], cleaned[year])
        assert lost == before - after
    assert len(loss) == len(raw)


def clean(frame):
    """Rows with a value that fewer than five rows share are deleted, again and again: an own few lines."""
    columns = [name for name in frame.columns if name not in ("CODE_INDIVIDU", "CODE_COMPOSANTE")]
    while True:
        rare = pd.Series(False, index=frame.index)
        for name in columns:
            rare |= frame[name].map(frame[name].value_counts(dropna=False)).fillna(5) < 5
        if not rare.any():
            return frame
        frame = frame[~rare]


def test_the_four_projections_have_no_rare_combination(study):
    tables, folder = study
    for name, start in tables.study.projections.items():
        frame = published(folder, f"up13_{name}.csv")
        assert frame.value_counts(dropna=False).min() >= 5
        assert "CODE_INDIVIDU" not in frame.columns
        assert {*(start or ())} <= {*frame.columns}
        if start is not None:
            assert len(frame) >= 0.95 * len(RAW), "at most 5 % of the rows before cleaning are lost"
    every = {*RAW.columns} - {"CODE_INDIVIDU", "CODE_COMPOSANTE"}
    assert {*published(folder, "up13_anonyme.csv").columns} == every
    assert len(published(folder, "up13_anonyme.csv")) < 0.5 * len(RAW), "all columns together lose most"


def test_traces_with_and_without_the_bac_are_masked(study):
    tables, folder = study
    with_bac, without = (
        read_trace_table(path_of(folder, f"up13_traces{end}.csv")) for end in ("_REGROUPEMENT_BAC", "")
    )
    assert {trace[1:] for trace in with_bac.traces} == {*without.traces}
    assert {trace[0] for trace in with_bac.traces} <= {*RAW["REGROUPEMENT_BAC"].dropna()} | {"?"}
    for table in (with_bac, without):
        assert table.masked.any()
        assert (table.counts[~table.masked] >= 10).all()
    assert tables.masked.release.together.pinned > 0, "masking alone is not enough, and the text says so"
    if tables.protected is not None:
        assert tables.protected.release.together.pinned == 0


def test_the_text_tells_the_numbers_in_both_languages(study):
    tables, folder = study
    together = tables.masked.release.together
    for lang in ("en", "fr"):
        text = (folder / "publish" / f"up13_text.{lang}.html").read_text("utf-8")
        assert f'lang="{lang}"' in text
        page = Page(text)
        for number in (together.pinned, tables.cleaned.rows, tables.cleaned.kept):
            assert str(number) in page.values
        for report in tables.projections.values():
            assert str(report.kept) in page.values
        for name in SOURCE.values():
            assert name in text
        loose = [one for one in page.texts if re.search(r"\d", re.sub(r"\bk\b", "", one))]
        assert loose == []
    assert "Ce que cela ne protège pas" in text
    heads = [
        re.findall(r"<th>(.*?)</th>", (folder / "publish" / f"up13_text.{lang}.html").read_text("utf-8"))
        for lang in ("en", "fr")
    ]
    same = {one for one, other in zip(*heads, strict=True) if one == other}
    assert same <= {"ANNEE_INSCRIPTION"}, "all else is translated"


def test_every_table_can_be_made_alone(study):
    tables, folder = study
    recipes = {path.stem: read_recipe(path) for path in (folder / "recipes").iterdir()}
    assert {"up13_cleaned", "up13_traces", *(f"up13_{name}" for name in tables.study.projections)} <= {
        *recipes
    }
    assert recipes["up13_Bac"] == tables.projections["Bac"].recipe.complete()


def test_what_all_of_them_reveal_together(study):
    tables, folder = study
    listed = pd.read_csv(folder / "working" / "up13_differences.csv")
    pairs = [(pair.first, pair.second) for pair in tables.differences]
    assert len(pairs) == 6, "each two of four"
    bac = listed[(listed["first"] == "etapes") & (listed["second"] == "Bac")].iloc[0]
    frames = [published(folder, f"up13_{name}.csv") for name in ("etapes", "Bac")]
    common = [name for name in frames[0].columns if name in frames[1].columns]
    counts = [frame[common].value_counts() for frame in frames]
    apart = counts[0].sub(counts[1], fill_value=0).abs()
    assert bac["groups"] == ((apart > 0) & (apart < 5)).sum()


def test_traces_and_projections_are_subtracted(study):
    """By hand: the steps of the written traces against the rows of the written projection."""
    tables, folder = study
    item = ["LIBELLE_COURT_COMPOSANTE", "LIB_DIPLOME", "NIVEAU_APRES_BAC", "CODE_ETAPE"]
    etapes = published(folder, "up13_etapes.csv")
    assert {*item} <= {*etapes.columns}
    rows = etapes[item].replace("", "?").agg(".".join, axis=1).value_counts()
    steps = Counter()
    table = read_trace_table(path_of(folder, "up13_traces.csv"))
    for trace, low in zip(table.traces, table.ranges()[0], strict=True):
        for step in trace:
            steps[step] += int(low)
    assert all(steps[step] <= number for step, number in true_rows(item).items() if step in steps)
    lacking = {step: low - rows.get(step, 0) for step, low in steps.items()}
    small = {step: number for step, number in lacking.items() if 0 < number < 5}
    assert small, "the traces tell of rows that the projection had to leave out"
    (found,) = [one for one in tables.beside if (one.traces, one.projection) == ("traces", "etapes")]
    assert (found.groups, found.rows) == (len(small), sum(small.values()))
    listed = pd.read_csv(folder / "working" / "up13_differences.csv")
    assert len(listed) == 6 + len(tables.beside) + 2
    assert {one.projection for one in tables.beside} == {*tables.projections}
    assert {one.traces for one in tables.beside} == {name for name, _ in tables.traces()}


def true_rows(item):
    """Rows of the cleaned data by step."""
    texts = clean(RAW)[item].map(lambda value: "?" if pd.isna(value) else str(value).removesuffix(".0"))
    return texts.agg(".".join, axis=1).value_counts()


def test_an_ambiguous_step_tells_of_no_row():
    cleaned = pd.DataFrame({"a": ["x.y", "x", "u"], "b": ["z", "y.z", "v"]})
    table = TraceTable.from_counts([("x.y.z", "u.v"), ("u.v",)], np.array([7, 3]))
    assert fewest_rows(table, cleaned, ["a", "b"], ["b"], prefixed=False) == {("v",): 10}


@pytest.mark.slow
def test_no_file_shows_a_person(tmp_path):
    frame = RAW.iloc[:4000].copy()
    code, people = pd.factorize(frame["CODE_INDIVIDU"])
    ids = [f"ZQMARKERID-{place:05d}-ÿ中-{'x' * 40}" for place in range(len(people))]
    frame["CODE_INDIVIDU"] = [ids[place] for place in code]
    frame.loc[3, "LIB_DIPLOME"] = "ZQRARESTAGE"
    frame.loc[5, "ANNEE_INSCRIPTION"] = 1907
    frame.to_csv(tmp_path / "rows.csv", index=False)
    text = EXAMPLE.read_text("utf-8").replace("demo:enrolments          #", "rows.csv #")
    (tmp_path / "study.yaml").write_text(text)
    write_study(make_tables(read_study(tmp_path / "study.yaml")), tmp_path / "out")
    files = [path for path in (tmp_path / "out").rglob("*") if path.is_file()]
    assert len(files) >= 15
    for path in files:
        content = path.read_text("utf-8")
        for marker in ("ZQMARKERID", "ZQRARESTAGE", "1907", str(tmp_path)):
            assert marker not in content, (path.name, marker)


def test_what_lies_together_gives_nothing_away(study):
    tables, folder = study
    together = {path.stem.removeprefix("up13_") for path in (folder / "publish").glob("*.csv")}
    instead = {path.stem.removeprefix("up13_") for path in (folder / "instead").glob("*.csv")}
    assert not together & instead
    revealing = [{pair.first, pair.second} for pair in tables.differences if pair.found.combinations]
    revealing += [{pair.traces, pair.projection} for pair in tables.beside if pair.groups]
    assert any("traces" in name for pair in revealing for name in pair), "the example has some of these, too"
    assert revealing, "the example has some"
    assert not any(pair <= together for pair in revealing)
    for name in instead & {*tables.projections}:
        assert any(name in pair and pair - {name} <= together for pair in revealing)
    if tables.protected is None:
        assert {name for name in together if "traces" in name} == {"traces"}
    else:
        assert {name for name in together if "traces" in name} == {
            "traces_protected",
            "traces_REGROUPEMENT_BAC_protected",
        }


def test_errors_say_what_to_do(tmp_path):
    good = EXAMPLE.read_text("utf-8")
    for old, new, sentence in (
        ("year: ANNEE_INSCRIPTION", "", "a study needs the field year"),
        ("max_loss: 0.05", "most: 1", "a study has no field"),
        ("etapes: [CODE_ETAPE]", "traces: [CODE_ETAPE]", "cannot be called traces"),
        ("etapes: [CODE_ETAPE]", "../etapes: [CODE_ETAPE]", "names files"),
        ("etapes: [CODE_ETAPE]", "BAC: [CODE_ETAPE]", "the same file name"),
        ("mask: 10", "mask: many", "mask"),
        ("mask: 10", "min: 10", "traces has no field"),
        ("k: 5", "k: none", "k"),
    ):
        assert old in good
        with pytest.raises(UsageError, match=sentence):
            study = study_from_text(good.replace(old, new, 1))
            make_tables(study)
    (tmp_path / "bad.yaml").write_text("data: x.csv\n")
    with pytest.raises(DataError, match=r"bad\.yaml: a study needs the field"):
        read_study(tmp_path / "bad.yaml")


@pytest.mark.slow
def test_the_command_and_its_folder(tmp_path, run):
    found = run("study", EXAMPLE, "-o", tmp_path / "out", "--json")
    assert found.code == 0, found.err
    assert {*SOURCE.values()} <= {Path(name).name for name in found.json["files"]}
    assert found.json["groups_found_again"]["etapes - Bac"] > 0
    assert run("study", EXAMPLE, "-o", tmp_path / "out").code == 2
    again = run("study", EXAMPLE, "-o", tmp_path / "out", "--force")
    assert again.code == 0
    assert "working is not for publication" in again.err.replace("\n", " ")
    (tmp_path / "out" / "diary.txt").write_text("mine")
    assert run("study", EXAMPLE, "-o", tmp_path / "out", "--force").code == 2
    assert (tmp_path / "out" / "diary.txt").exists()
