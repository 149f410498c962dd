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
