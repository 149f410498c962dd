"""The group traces on the command line."""

from pathlib import Path

import pandas as pd
import pytest

ITEM = "LIBELLE_COURT_COMPOSANTE,LIB_DIPLOME,NIVEAU_APRES_BAC,CODE_ETAPE"


@pytest.fixture(scope="module")
def enrolments(tmp_path_factory) -> Path:
    from insanonym_core.demo.university import make_enrolments

    path = tmp_path_factory.mktemp("university") / "enrolments.csv"
    make_enrolments(3000).to_csv(path, index=False)
    return path


@pytest.mark.slow
def test_privacy_of_what_is_written_is_told(run, enrolments, tmp_path):
    """By hand: 1 − the people in traces of fewer than ten whose count stands in the file / all."""
    call = (
        "traces",
        "build",
        enrolments,
        "--id",
        "CODE_INDIVIDU",
        "--order",
        "ANNEE_INSCRIPTION",
        "--item",
        ITEM,
    )
    plain = run(*call, "-o", tmp_path / "plain.csv", "--json").json
    counts = pd.read_csv(tmp_path / "plain.csv")["count"]
    assert counts.sum() == plain["individuals"] == 3000
    assert plain["privacy"] == pytest.approx(1 - counts[counts < 10].sum() / 3000)
    assert plain["privacy_decided_by"] == "small_traces"
    masked = run(*call, "--mask", 10, "-o", tmp_path / "masked.csv", "--json").json
    assert plain["privacy"] < masked["privacy"] == 1
    assert masked["privacy_at_most"], "without a prefix nothing is known about a second table"
    prefixed = run(*call, "--prefix", "REGROUPEMENT_BAC", "-o", tmp_path / "exact.csv", "--json").json
    counts = pd.read_csv(tmp_path / "exact.csv")["count"]
    assert prefixed["privacy"] == pytest.approx(1 - counts[counts < 10].sum() / 3000)
    assert not prefixed["privacy_at_most"], "there is no masked count that could become known"
    both = run(*call, "--mask", 10, "--prefix", "REGROUPEMENT_BAC", "-o", tmp_path / "bac.csv")
    assert "Privacy 0." in both.out


@pytest.mark.slow
def test_two_masked_trace_tables_give_counts_away(run, enrolments, tmp_path):
    build = [
        "traces",
        "build",
        enrolments,
        "--id",
        "CODE_INDIVIDU",
        "--order",
        "ANNEE_INSCRIPTION",
        "--item",
        ITEM,
    ]
    plain = run(*build, "--mask", 10, "-o", tmp_path / "plain.csv", "--json").json
    bac = run(*build, "--prefix", "REGROUPEMENT_BAC", "--mask", 10, "-o", tmp_path / "bac.csv", "--json").json
    assert plain["individuals"] == bac["individuals"] == 3000
    assert plain["singular_individuals"] + plain["counted_individuals"] == 3000
    assert bac["traces"] > plain["traces"]
    arguments = ["traces", "difference", tmp_path / "bac.csv", tmp_path / "plain.csv", "--threshold", 10]
    found = run(*arguments, "--json").json
    assert found["pinned"] > 0
    assert found["disclosures"]
    # What is pinned is true: count it in the table that was never published.
    true = run(*build, "--prefix", "REGROUPEMENT_BAC", "-o", tmp_path / "true.csv")
    assert true.code == 0
    counts = {
        tuple(value for value in row[1:] if isinstance(value, str)): int(row[0])
        for row in pd.read_csv(tmp_path / "true.csv", dtype=str).itertuples(index=False)
    }
    for one in found["disclosures"]:
        if one["table"] == "A":
            assert one["low"] <= counts[tuple(one["trace"])] <= one["high"]
    assert "no longer hidden" in run(*arguments).out


def test_two_projections_give_deleted_rows_away(run, enrolments, tmp_path):
    for name, columns in (
        ("a", "REGROUPEMENT_BAC,CONTINENT,LIB_DIPLOME"),
        ("b", "REGROUPEMENT_BAC,CONTINENT"),
    ):
        grown = run(
            "table", "grow", enrolments, "--start", columns, "--columns", columns, "--id", "CODE_INDIVIDU",
            "--max-loss", 1, "-o", tmp_path / f"{name}.csv", "--json",
        )  # fmt: skip
        assert grown.code == 0
    found = run("traces", "difference-tables", tmp_path / "a.csv", tmp_path / "b.csv", "--json").json
    assert found["exact"] is True
    assert found["rows"] == sum(one["rows"] for one in found["disclosures"]) > 0


def test_ids_and_items_of_traces_stay_texts(run, tmp_path):
    (tmp_path / "t.csv").write_text("id,year,stage\n001,2010,01\n1,2010,1\n01,2010,01\n")
    arguments = ["--id", "id", "--order", "year", "--item", "stage", "-o", tmp_path / "o.csv", "--json"]
    report = run("traces", "build", tmp_path / "t.csv", *arguments).json
    assert (report["individuals"], report["traces"]) == (3, 2)
    assert run("traces", "build", tmp_path / "t.csv", *arguments, "--force", "--since", "²").code in (1, 2)
    assert run("table", "risk", tmp_path / "t.csv", "--qi", "id", "--separator", "§").code == 2


def test_a_table_with_small_counts_was_not_masked(run, tmp_path):
    (tmp_path / "a.csv").write_text("count,step_1,step_2\n4,L,x\n3,S,x\n")
    (tmp_path / "b.csv").write_text("count,step_1\n1,x\n")
    found = run(
        "traces", "difference", tmp_path / "a.csv", tmp_path / "b.csv", "--threshold", 10, "--json"
    ).json
    assert [(one["table"], one["low"], one["high"]) for one in found["disclosures"]] == [("B", 7, 7)]


STUDY = ("--id", "CODE_INDIVIDU", "--order", "ANNEE_INSCRIPTION", "--item", "LIB_DIPLOME")


@pytest.mark.slow
def test_protected_tables_give_nothing_away(run, enrolments, tmp_path):
    """The tables with two prefixes and without one, in one folder: no two of them pin or narrow a count."""
    call = ("traces", "build", enrolments, *STUDY, "--mask", 10, "--prefix", "REGROUPEMENT_BAC")
    told = run(*call, "--further", "CONTINENT", "--protect", 4, "-o", tmp_path / "out", "--json").json
    assert told["values_left"] >= 4
    assert told["counts_coarser"] > 0
    assert told["individuals_counted_coarser"] <= told["price"]
    names = ["traces.csv", "traces_CONTINENT.csv", "traces_REGROUPEMENT_BAC.csv"]
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == names
    for prefixed in names[1:]:
        paths = (tmp_path / "out" / prefixed, tmp_path / "out" / "traces.csv")
        assert run("traces", "difference", *paths, "--threshold", 10, "--json").json["disclosures"] == []
    # The same tables without protection give counts away.
    for name, more in (("a.csv", call[-2:]), ("b.csv", ())):
        run(*call[:-2], *more, "--style", "less", "-o", tmp_path / name)
    assert run("traces", "difference", tmp_path / "a.csv", tmp_path / "b.csv", "--json").json["pinned"] > 0


def test_counted_tables_are_protected_as_a_recipe_does_it(run, enrolments, tmp_path):
    call = ("traces", "build", enrolments, *STUDY)
    bac = ("--prefix", "REGROUPEMENT_BAC")
    run(*call, "-o", tmp_path / "traces.csv")
    run(*call, *bac, "-o", tmp_path / "traces_REGROUPEMENT_BAC.csv")
    tables = [tmp_path / name for name in ("traces_REGROUPEMENT_BAC.csv", "traces.csv")]
    told = run("traces", "protect", *tables, "--values", 4, "-o", tmp_path / "one", "--json").json
    same = run(*call, *bac, "--mask", 10, "--protect", 4, "-o", tmp_path / "two", "--json").json
    assert {name: same[name] for name in told if name in same} == {
        name: value for name, value in told.items() if name in same
    }
    for path in tables:
        assert (tmp_path / "one" / path.name).read_text() == (tmp_path / "two" / path.name).read_text()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("build", "FILE", *STUDY, "--protect", 3, "-o", "x.csv"), "add --mask 10"),
        (
            ("build", "FILE", *STUDY, "--prefix", "CONTINENT", "--mask", 10, "--protect", 3, "-o", "x.csv"),
            "folder or a .zip",
        ),
        (("protect", "MASKED", "-o", "x"), "true counts"),
        (("protect", "MASKED", "MASKED", "-o", "x"), "rename one"),
    ],
)
def test_protection_that_cannot_be(run, enrolments, tmp_path, arguments, message):
    masked = tmp_path / "masked.csv"
    masked.write_text("count,step_1\n<10,a\n12,b\n")
    names = {"FILE": enrolments, "MASKED": masked, "x": tmp_path / "x", "x.csv": tmp_path / "x.csv"}
    found = run("traces", *(names.get(one, one) for one in arguments))
    assert found.code != 0
    assert message in " ".join(found.err.split())
    assert not (tmp_path / "x").exists()


def test_semesters_and_renamed_steps(run, tmp_path):
    rows = ["who,year,semester,step", "eve,2016,2,G5PRLS", "eve,2016,1,G4INF", "fay,2016,1,G4INF"]
    rows += ["fay,2016,2,G5PLS"]
    (tmp_path / "rows.csv").write_text("\n".join(rows) + "\n")
    (tmp_path / "names.csv").write_text("old;new\nG5PLS;G5PRLS\n")
    call = ("traces", "build", tmp_path / "rows.csv", "--id", "who", "--order", "year", "--item", "step")
    call = (*call, "--semester", "semester", "--renamed", tmp_path / "names.csv", "-o", tmp_path / "out.csv")
    assert run(*call).code == 0
    assert (tmp_path / "out.csv").read_text() == "count,step_1,step_2\n2,G4INF,G5PRLS\n"
    for text, message in (("a;b;c\n1;2;3\n", "two columns"), ("a;b\nx=y;z\n", "without the sign =")):
        (tmp_path / "names.csv").write_text(text)
        found = run(*call, "--force")
        assert (found.code != 0, message in found.err) == (True, True), found.err
