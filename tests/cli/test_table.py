"""The groups table and traces on the command line."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from tests.tabular.helpers import literal_k

GOLDEN = Path(__file__).parents[1] / "golden" / "table"
TABLE = GOLDEN / "table.csv"
EXPECTED = json.loads((GOLDEN / "expected.json").read_text())


@pytest.mark.parametrize("case", EXPECTED["risk"], ids=lambda case: "-".join(case["qi"]))
def test_golden_risk(run, case):
    report = run(
        "table", "risk", TABLE, "--qi", ",".join(case["qi"]), "--sensitive", case["sensitive"], "--json"
    ).json
    for name in ("k", "l", "t"):
        assert report[name] == pytest.approx(case[name], abs=1e-9)
    assert report["rows"] == 3006
    assert report["prosecutor_max"] == pytest.approx(1 / case["k"])
    assert report["prosecutor_mean"] == pytest.approx(report["classes"] / report["rows"])


def test_golden_suppression_and_growth(run, tmp_path):
    clean = tmp_path / "clean.csv"
    expected = EXPECTED["suppress_rare_values_k5_on_first_four_columns"]
    report = run(
        "table",
        "suppress-rare",
        TABLE,
        "--columns",
        "diploma,year,bac,stage",
        "--by",
        "year",
        "-o",
        clean,
        "--json",
    ).json
    assert report["passes"] == expected["passes"]
    assert report["support"] >= 5
    assert "combinations of values may be rarer" in report["verified"]
    assert (report["rows_in"], report["rows_out"]) == (3006, expected["rows_out"])
    assert sum(report["loss_by"].values()) == 3006 - expected["rows_out"]
    assert len(pd.read_csv(clean)) == expected["rows_out"]
    grown = EXPECTED["grow_from_bac_k5_20pct_on_the_cleaned_table_counted_from_the_raw_one"]
    report = run(
        "table", "grow", clean, "--start", "bac", "--columns", "diploma,year,stage", "--max-loss", "0.2",
        "--rows-before", "3006", "--json",
    ).json  # fmt: skip
    assert report["columns"] == grown["columns"]
    assert report["steps"] == grown["steps"]


@pytest.mark.slow
def test_mondrian_is_verified_on_its_output(run, tmp_path):
    out = tmp_path / "release.csv"
    arguments = [
        "table",
        "mondrian",
        TABLE,
        "--qi",
        "diploma,year,bac,stage",
        "--sensitive",
        "result",
        "--k",
        7,
    ]
    report = run(*arguments, "-o", out, "--json").json
    frame = pd.read_csv(out, dtype=str, keep_default_na=False)
    assert report["k"] == literal_k(frame, ["diploma", "year", "bac", "stage"]) >= 7
    assert report["asked_k"] == 7
    assert report["holds"] is True
    assert report["verified"].startswith("Asked k = 7, measured k = ")
    assert len(frame) == report["rows_out"] == 3006
    everything = run(*arguments, "-o", tmp_path / "all.csv", "--all", "--json").json
    for name in ("linkage", "distribution", "correlation", "query_error", "accuracy_lost", "ncp"):
        assert name in everything
        assert (name in report) == (name in ("ncp", "linkage"))
    again = run(*arguments, "-o", out)
    assert again.code == 2
    assert "--force" in again.err
    seeded = [run(*arguments, "-o", out, "--force", "--seed", 3) for _ in range(2)]
    assert seeded[0].out == seeded[1].out
    assert "Seed 3: whoever" in seeded[0].err
    assert "[diploma, year, bac, stage]" in seeded[0].out.replace("\n", " ")


def test_the_literal_rule_says_that_it_failed(run, tmp_path):
    frame = pd.DataFrame({"x": np.random.default_rng(0).normal(size=500)})
    frame.to_csv(tmp_path / "x.csv", index=False)
    report = run(
        "table",
        "generalise",
        tmp_path / "x.csv",
        "--column",
        "x",
        "--stop",
        "source",
        "-o",
        tmp_path / "o.csv",
        "--json",
    ).json
    assert report["k"] < report["asked_k"] == 5
    assert report["holds"] is False


def test_generalise_says_what_counts_as_known_where_no_quasi_identifier_is_named(run, tmp_path):
    call = ("table", "generalise", TABLE, "--column", "bac", "-o", tmp_path / "o.csv", "--force")
    assert "an attacker is taken to know bac, and nothing else" in run(*call).out.replace("\n", " ")
    assert run(*call, "--json").json["quasi_identifiers_assumed"] == ["bac"]
    named = run(*call, "--qi", "diploma,bac", "--json").json
    assert "quasi_identifiers_assumed" not in named


@pytest.mark.slow
def test_numbers_with_an_interval_are_shown_with_it(run, tmp_path):
    roles = ("--qi", "diploma,bac", "--sensitive", "result")
    risk = run("table", "risk", TABLE, *roles, "--json").json
    low, high = risk["inference_interval"]
    assert low <= risk["inference"] <= high
    call = ("table", "mondrian", TABLE, *roles, "--all", "--seed", 1, "-o", tmp_path / "o.csv", "--force")
    report = run(*call, "--json").json
    low, high = report["accuracy_lost_interval"]
    assert low <= report["accuracy_lost"] <= high
    assert f"{report['accuracy_lost']:.4f} ({low:.4f} – {high:.4f})" in run(*call).out


def test_bucketise_writes_two_tables(run, tmp_path):
    report = run(
        "table", "bucketise", TABLE, "--qi", "diploma,bac", "--sensitive", "result", "--k", 6, "--l", 2, "-o",
        tmp_path / "out", "--json",
    ).json  # fmt: skip
    first, second = (
        pd.read_csv(tmp_path / "out" / name) for name in ("quasi_identifiers.csv", "sensitive.csv")
    )
    assert list(first.columns) == ["diploma", "bac", "group"]
    assert second["count"].sum() == len(first) == 3006
    assert report["smallest_group"] >= 6
    assert 0 < report["privacy"] < 1
    assert report["privacy_decided_by"] == "uncertainty_removed"
    assert report["threats_missing"] == {"singling out": "not applicable", "linkability": "not applicable"}
    impossible = run(
        "table",
        "bucketise",
        TABLE,
        "--qi",
        "diploma",
        "--sensitive",
        "result",
        "--l",
        3,
        "-o",
        tmp_path / "no",
    )
    assert impossible.code == 1
    assert "choose l = 2 or less" in impossible.err
    assert not (tmp_path / "no").exists()


def test_pseudonymise_keeps_the_lookup_apart(run, tmp_path):
    (tmp_path / "t.csv").write_text("who,x\nanna,1\nbert,2\nanna,3\n")
    found = run(
        "table", "pseudonymise", tmp_path / "t.csv", "--column", "who", "-o", tmp_path / "o.csv", "--lookup",
        tmp_path / "l.csv",
    )  # fmt: skip
    assert found.code == 0
    assert "anna" not in (tmp_path / "o.csv").read_text()
    assert pd.read_csv(tmp_path / "l.csv")["who"].tolist() == ["anna", "bert"]


def test_french_files(run, tmp_path):
    (tmp_path / "t.csv").write_text(
        "âge;taille;ville\n30;1,75;Évry\n31;1,80;Évry\n30;1,75;Évry\n31;1,80;Évry\n", "utf-8"
    )
    report = run(
        "table",
        "risk",
        tmp_path / "t.csv",
        "--qi",
        "âge,taille",
        "--decimal",
        ",",
        "--separator",
        ";",
        "--json",
    ).json
    assert report["k"] == 2
    out = tmp_path / "o.csv"
    run(
        "table", "generalise", tmp_path / "t.csv", "--column", "taille", "--k", 4, "--decimal", ",", "-o", out
    )
    assert set(pd.read_csv(out, sep=";", decimal=",")["taille"]) == {"[1,75; 1,8]"}


def test_missing_is_a_value_or_a_loss_that_is_told(run, tmp_path):
    (tmp_path / "t.csv").write_text("a,b\nx,1\nx,1\n,1\nx,\n")
    report = run("table", "risk", tmp_path / "t.csv", "--qi", "a,b", "--json").json
    assert (report["k"], report["rows"], report["rows_with_missing_dropped"]) == (1, 4, 0)
    report = run("table", "risk", tmp_path / "t.csv", "--qi", "a,b", "--missing", "drop", "--json").json
    assert (report["k"], report["rows"], report["rows_with_missing_dropped"]) == (2, 2, 2)


def test_rows_and_individuals_are_told_apart(run, tmp_path):
    (tmp_path / "t.csv").write_text("who,a\np,x\np,x\nq,y\nr,y\n")
    report = run("table", "risk", tmp_path / "t.csv", "--qi", "a", "--id", "who", "--json").json
    assert (report["k"], report["k_individuals"]) == (2, 1)


GOOD = "a,b,s\n1,x,p\n2,y,q\n1,x,q\n2,y,p\n"
MONDRIAN = ["mondrian", "--qi", "a,b", "-o", "OUT"]


@pytest.mark.parametrize(
    ("content", "arguments", "code", "message"),
    [
        (GOOD, ["mondrian", "--qi", "a,b", "--k", "9", "-o", "OUT"], 1, "k = 9 needs at least 9 rows"),
        (GOOD, ["mondrian", "--qi", "a,b", "--k", "0", "-o", "OUT"], 2, "The 'k' of mondrian must be"),
        (GOOD, ["mondrian", "--qi", "a,b", "--k", "many", "-o", "OUT"], 2, "The 'k' of mondrian must be"),
        (GOOD, ["mondrian", "--qi", "a,zip", "-o", "OUT"], 2, "'zip', which is no column"),
        (GOOD, ["mondrian", "--qi", "a,a", "-o", "OUT"], 2, "got 'a' twice"),
        (GOOD, ["mondrian", "-o", "OUT"], 2, "must name at least one column"),
        (GOOD, ["mondrian", "--qi", "a,s", "--sensitive", "s", "-o", "OUT"], 2, "sensitive at once"),
        (
            GOOD,
            ["mondrian", "--qi", "a", "--choice", "worst", "-o", "OUT"],
            2,
            "must be one of best, widest, random",
        ),
        (
            GOOD,
            ["mondrian", "--qi", "a", "--missing", "keep", "-o", "OUT"],
            2,
            "--missing must be value or drop",
        ),
        (GOOD, ["mondrian", "--qi", "a", "--decimal", "x", "-o", "OUT"], 2, "decimal mark"),
        (GOOD, ["mondrian", "--qi", "a", "--k", "2", "--seed", "-1", "-o", "OUT"], 2, "seed must be"),
        (GOOD, ["risk"], 2, "must name at least one column"),
        (GOOD, ["grow", "--start", "none"], 2, "'none', which is no column"),
        (GOOD, ["suppress-rare", "--by", "none", "-o", "OUT"], 2, "'none', which is no column"),
        (GOOD, ["suppress-rare", "--scope", "individual", "-o", "OUT"], 2, "name the identifier column"),
        ("", MONDRIAN, 1, "is empty"),
        ("a,b\n", MONDRIAN, 1, "has no rows"),
        ("a,a\n1,2\n", MONDRIAN, 1, "two columns called 'a'"),
        ("a,\n1,2\n", MONDRIAN, 1, "column 2 has no name"),
        ("a,b\n1,2\n1\n", MONDRIAN, 1, "line 3"),
        ("a,b\né,\xc3\xa9\n\xc3\xa8\xc3\xa9,2\n", MONDRIAN, 1, "UTF-8"),
        ("a,b\n\x00,2\n", MONDRIAN, 1, "not text"),
    ],
)
def test_bad_tables_and_calls(run, tmp_path, content, arguments, code, message):
    path = tmp_path / "t.csv"
    path.write_bytes(content.encode("latin-1"))
    command, *rest = [tmp_path / "out.csv" if word == "OUT" else word for word in arguments]
    found = run("table", command, path, *rest)
    assert found.code == code, found.err
    assert message in found.err
    assert not (tmp_path / "out.csv").exists()


def test_one_row_and_many_columns(run, tmp_path):
    (tmp_path / "one.csv").write_text("a,b\n1,x\n")
    assert run("table", "risk", tmp_path / "one.csv", "--qi", "a", "--json").json["k"] == 1
    names = [f"c{number}" for number in range(300)]
    (tmp_path / "wide.csv").write_text(",".join(names) + "\n" + ",".join("1" for _ in names) + "\n")
    assert run("table", "risk", tmp_path / "wide.csv", "--qi", "c0,c299", "--json").json["k"] == 1


def test_demo_tables(run, tmp_path):
    assert run("demo", "enrolments", "--users", 500, "-o", tmp_path / "e.csv").code == 0
    assert pd.read_csv(tmp_path / "e.csv").shape[1] == 17
    assert run("demo", "patients", "--rows", 50, "-o", tmp_path / "p.parquet").code == 0
    assert len(pd.read_parquet(tmp_path / "p.parquet")) == 50
    assert run("demo", "patients", "--rows", 0, "-o", tmp_path / "q.csv").code == 2


@pytest.mark.slow
def test_dropped_rows_count_as_lost(run, tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("a,b,y\n1,p,2001\n1,p,2001\n1,p,2002\n1,p,2002\n,p,2001\n1,,2002\n")
    drop = ["--missing", "drop", "--json"]
    report = run("table", "mondrian", path, "--qi", "a,b", "--k", 2, "-o", tmp_path / "m.csv", *drop).json
    assert report["rows_kept"] == pytest.approx(4 / 6)
    assert report["ncp"] == pytest.approx(2 / 6)
    assert report["discernibility"] == 16 + 6 * 2
    # Three rows hold each year: too few to be named. Twice as many are enough.
    suppress = [
        "table",
        "suppress-rare",
        path,
        "--by",
        "y",
        "--k",
        2,
        "--force",
        "-o",
        tmp_path / "s.csv",
        *drop,
    ]
    assert run(*suppress).json["loss_by"] == {"(other values)": 2}
    header, rows = path.read_text().split("\n", 1)
    path.write_text(header + "\n" + rows * 2)
    assert run(*suppress).json["loss_by"] == {"2001": 2, "2002": 2}
    path.write_text(header + "\n" + rows)
    report = run("table", "grow", path, "--start", "a", "--columns", "b", "--k", 2, *drop).json
    assert (report["rows_before"], report["steps"][0]["lost"], report["within_budget"]) == (6, 2, False)


def test_nothing_left_is_said_and_nothing_written(run, tmp_path):
    (tmp_path / "t.csv").write_text("a,b\n1,x\n2,y\n")
    found = run("table", "suppress-rare", tmp_path / "t.csv", "-o", tmp_path / "o.csv")
    assert found.code == 1
    assert "deleted all 2 rows" in found.err
    assert not (tmp_path / "o.csv").exists()


def test_the_l_of_recursive_diversity_is_an_option(run, tmp_path):
    (tmp_path / "t.csv").write_text("q,s\n" + "".join(f"a,{value}\n" for value in "xxxyyz"))
    for given, c in (("2", 1.0), ("3", 3.0), ("4", None)):
        found = run(
            "table", "risk", tmp_path / "t.csv", "--qi", "q", "--sensitive", "s", "--l", given, "--json"
        ).json
        assert (found["recursive_c"], found["recursive_c_l"]) == (c, int(given))
    refused = run("table", "risk", tmp_path / "t.csv", "--qi", "q", "--l", "many")
    assert refused.code == 2
    assert "The 'l' of recursive_c must be a whole number" in refused.err


def test_one_column_is_measured_on_the_quasi_identifiers_that_are_named(run, tmp_path):
    (tmp_path / "t.csv").write_text("age,town\n" + "".join(f"{one % 4},t{one}\n" for one in range(12)))
    call = ("table", "generalise", tmp_path / "t.csv", "--column", "age", "--k", "3", "--json")
    alone = run(*call, "-o", tmp_path / "a.csv", "--publish-columns", "town").json
    named = run(*call, "-o", tmp_path / "b.csv", "--qi", "age,town").json
    assert (alone["k"], alone["prosecutor_mean"]) == (3, 4 / 12)
    assert (named["k"], named["prosecutor_mean"]) == (3, 1)
    assert "every combination of [age]" in named["verified"]
