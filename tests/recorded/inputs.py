"""The small files that the recorded commands read: made anew for each run, in one folder, by fixed rules.

Nothing here draws over a file: releases are moved by arithmetic on row numbers, so that only the commands
under test decide the recorded numbers.
"""

from __future__ import annotations

import csv
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

Run = Callable[..., object]

TEAMS = {"Ana": (0.0005, 9), "Ben": (0.02, 31), "Cleo": (0.004, 0)}  # how far rows move, which are deleted

RECIPES = {
    "mobility": """
data: demo:mobility
seed: 3
steps:
  - pseudonymise: {}
  - planar_laplace: {radius: 200}
  - snap_to_grid: {decimals: 3}
""",
    "mobility_file": """
data: city.tsv
seed: 3
rules: v1
steps:
  - snap_to_grid: {decimals: 2}
  - suppress_rare_cells: {}
""",
    "mobility_file_noise": """
data: city.tsv
seed: 3
steps:
  - planar_laplace: {radius: 200}
""",
    "table": """
data: demo:patients
kind: table
seed: 3
roles: {quasi: [sex, age, town], sensitive: [diagnosis]}
steps:
  - mondrian: {k: 5, choice: random}
""",
    "table_guessed": """
data: demo:patients
kind: table
seed: 3
steps:
  - mondrian: {k: 10, choice: widest}
""",
    "table_file": """
data: enrolments.csv
kind: table
roles:
  identifier: CODE_INDIVIDU
  quasi: [REGROUPEMENT_BAC, CONTINENT, NIVEAU_APRES_BAC]
  sensitive: [LIBELLE_REGIME]
  by: ANNEE_INSCRIPTION
  drop: [CODE_ETAPE]
settings: {linkage.known: 3}
steps:
  - suppress_rare_values: {columns: [LIB_DIPLOME, CONTINENT], k: 5}
  - mondrian: {k: 10, choice: widest}
""",
    "table_file_random": """
data: patients.csv
kind: table
seed: 3
roles: {identifier: patient_id, quasi: [sex, age, town], sensitive: [diagnosis]}
steps:
  - mondrian: {k: 5, choice: random}
""",
    "bucketise": """
data: demo:patients
kind: table
seed: 3
roles: {quasi: [sex, age, town], sensitive: [diagnosis]}
steps:
  - bucketise: {k: 6, l: 3}
""",
    "traces": """
data: enrolments.csv
kind: traces
roles: {identifier: CODE_INDIVIDU}
steps:
  - suppress_rare_values: {columns: [LIB_DIPLOME], k: 3}
  - count_traces: {item: [LIB_DIPLOME, NIVEAU_DANS_LE_DIPLOME], order: ANNEE_INSCRIPTION, mask: 5}
""",
    "traces_bac": """
data: enrolments.csv
kind: traces
roles: {identifier: CODE_INDIVIDU}
steps:
  - count_traces: {item: [LIB_DIPLOME], order: ANNEE_INSCRIPTION, prefix: REGROUPEMENT_BAC, style: one}
""",
    "avatars": """
data: demo:breast_cancer
kind: avatars
seed: 3
steps:
  - mix_neighbours: {k: 10}
""",
    "avatars_patients": """
data: demo:patients
kind: avatars
seed: 3
roles: {drop: [town]}
steps:
  - mix_neighbours: {k: 8, impute: knn}
""",
    "avatars_file": """
data: patients.csv
kind: avatars
seed: 3
roles: {identifier: patient_id}
steps:
  - mix_neighbours: {k: 8}
""",
}

STUDY = """
data: enrolments.csv
identifier: CODE_INDIVIDU
year: ANNEE_INSCRIPTION
projections: {diploma: [LIB_DIPLOME], bac: [REGROUPEMENT_BAC, NIVEAU_APRES_BAC]}
traces: {item: [LIB_DIPLOME], prefix: [REGROUPEMENT_BAC], mask: 5, protect: 0}
"""

SMALL = """name;birth;town;salary;union;illness
Ada;1970-01-02;Paris;1200,5;yes;flu
Bob;1971-03-04;Paris;1300,5;no;flu
Cid;1972-05-06;Paris;1250;yes;cold
Dora;1980-07-08;Lyon;2100,25;no;cold
Eve;1981-09-10;Lyon;2200;yes;flu
Fay;1982-11-12;Lyon;;no;burn
Gus;1990-01-02;Lyon;3300,75;;flu
Hal;1991-03-04;Nice;3400;yes;cold
Ida;1992-05-06;;3500;no;burn
Jim;1993-07-08;Nice;3600;yes;flu
"""

PROJECTION_A = "town,job\n" + "Paris,baker\n" * 7 + "Lyon,baker\n" * 6 + "Lyon,nurse\n" * 5
PROJECTION_B = "town\n" + "Paris\n" * 9 + "Lyon\n" * 14

PATHS = "count,step_1,step_2\n15,L1,\n22,L1,L2\n1,L1,M1\n"
PATHS_BAC = "count,step_1,step_2,step_3\n12,S,L1,\n1,ES,L1,\n22,S,L1,L2\n1,ES,L1,M1\n1,S,L1,M1\n"
TABLES = {
    "small": SMALL,
    "projection_a": PROJECTION_A,
    "projection_b": PROJECTION_B,
    "paths": PATHS,
    "paths_bac": PATHS_BAC,
}


def write_inputs(folder: Path, run: Run) -> None:
    """Everything the cases name, in `folder`, which is the working directory of `run`."""
    run("demo", "mobility", "--users", 12, "--weeks", 2, "--seed", 7, "-o", "city.tsv")
    run("demo", "enrolments", "--users", 400, "-o", "enrolments.csv")
    run("demo", "patients", "--rows", 150, "-o", "patients.csv")
    run("demo", "patients", "--rows", 150, "--seed", 8, "-o", "synthetic.csv")
    run("demo", "patients", "--rows", 900, "--seed", 7, "-o", "population.csv")
    for name, text in RECIPES.items():
        (folder / f"{name}.yaml").write_text(text.lstrip(), "utf-8")
    (folder / "study.yaml").write_text(STUDY.lstrip(), "utf-8")
    for name, text in TABLES.items():
        (folder / f"{name}.csv").write_text(text, "utf-8")
    rows = _rows(folder / "city.tsv")
    _write(folder / "release.tsv", moved(rows, 0.003, 13))
    _write(folder / "invalid.tsv", spoilt(moved(rows, 0.003, 13)))
    _write(folder / "swapped.tsv", [[one[1], one[0], one[3], one[2]] for one in rows])
    _write(folder / "swapped_release.tsv", [[r[1], r[0], r[3], r[2]] for r in moved(rows, 0.003, 0)])
    broken = moved(rows, 0.003, 13)
    broken[4][1], broken[7][2], broken[9] = "yesterday", "north", ["p", "2015-12-28 08:00:00"]
    _write(folder / "broken.tsv", broken)
    run("attack", "city.tsv", "release.tsv", "--method", "heatmap", "-o", "guesses.json")
    run("partition", "city.tsv", "-o", "parts", "--parts", 3)
    run("partition", "release.tsv", "--original", "city.tsv", "-o", "parts_release", "--parts", 3)
    steps = ("--id", "CODE_INDIVIDU", "--order", "ANNEE_INSCRIPTION", "--item", "LIB_DIPLOME", "--mask", 10)
    run("traces", "build", "enrolments.csv", *steps, "-o", "traces.csv")
    run("traces", "build", "enrolments.csv", *steps, "--prefix", "REGROUPEMENT_BAC", "-o", "traces_bac.csv")
    true = steps[:-2]
    run("traces", "build", "enrolments.csv", *true, "-o", "true.csv")
    run("traces", "build", "enrolments.csv", *true, "--prefix", "REGROUPEMENT_BAC", "-o", "true_bac.csv")
    for name in ("league", "league_house"):
        _class(folder / name, rows, run)


def moved(rows: list[list[str]], step: float, each: int) -> list[list[str]]:
    """A legal release: pseudonyms by week, rows moved by multiples of `step`, one in `each` deleted."""
    made = []
    for number, (who, date, latitude, longitude) in enumerate(rows):
        if each and number % each == 0:
            made.append(["DEL", "", "", ""])
            continue
        when = datetime.fromisoformat(date)
        token = f"p{(int(who) * 7 + when.isocalendar().week) % 97:02d}w{when.isocalendar().week}"
        place = float(latitude) + step * (number % 5 - 2) / 2, float(longitude) + step * (number % 7 - 3) / 3
        made.append([token, when.replace(second=0).isoformat(" "), *(f"{degree:.5f}" for degree in place)])
    return made


def spoilt(rows: list[list[str]]) -> list[list[str]]:
    """Two rows in another week, and an id with two pseudonyms in one week."""
    for number in (17, 40):
        rows[number][1] = "2016-03-01 10:00:00"
    rows[60][0] = "second"
    return rows


def _class(folder: Path, rows: list[list[str]], run: Run) -> None:
    """Three teams with a release each; two of them attack, one file is broken."""
    folder.mkdir()
    _write(folder / "original.tsv", rows)
    for team, (step, each) in TEAMS.items():
        for part in ("releases", "attacks"):
            (folder / "teams" / team / part).mkdir(parents=True)
        _write(folder / "teams" / team / "releases" / "one.tsv", moved(rows, step, each))
    (folder / "teams" / "Cleo" / "releases" / "two.tsv").write_text("x\n", "utf-8")
    run("league", folder.name)  # publishes what is attacked
    for team, other, method in (("Ana", "Ben", "mean_position"), ("Ben", "Cleo", "heatmap")):
        seen, guesses = f"{folder.name}/published/{other}__one.csv", f"{other}__one.json"
        target = f"{folder.name}/teams/{team}/attacks/{guesses}"
        run("attack", f"{folder.name}/original.tsv", seen, "--method", method, "-o", target)


def _rows(path: Path) -> list[list[str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file, delimiter="\t"))


def _write(path: Path, rows: list[list[str]]) -> None:
    path.write_text("".join("\t".join(row) + "\n" for row in rows), "utf-8")
