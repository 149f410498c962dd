"""check and score on the command line: exact JSON, readable tables, exit codes."""

import json

import pytest

from tests.conftest import GOLDEN

EXPECTED = json.loads((GOLDEN / "expected.json").read_text())


@pytest.mark.parametrize("rules", ["v1", "v2"])
def test_golden_case_as_json(run, golden, rules):
    found = run("score", *golden, "--rules", rules, "--json")
    assert found.code == 0
    assert found.err == ""
    report = found.json
    for name, value in EXPECTED[rules].items():
        assert report["utility"][name] == pytest.approx(value, abs=1e-9)
    assert report["utility"]["mean"] == pytest.approx(sum(EXPECTED[rules].values()) / 6, abs=1e-9)
    assert report["utility_details"]["meet"]["literal_ratio"] == pytest.approx(EXPECTED["meet_literal_ratio"])
    assert (report["rules"], report["rows"], report["deleted"]) == (
        rules,
        EXPECTED["rows"],
        EXPECTED["deleted"],
    )
    assert report["valid"] is True
    assert report["attacks"]["naive"] == pytest.approx(EXPECTED["naive_attack"])
    assert report["privacy"] == pytest.approx(1 - max(report["reidentified"].values()))
    assert report["defence"] == pytest.approx(report["utility"]["mean"] * report["privacy"])
    assert report["reidentified"][report["privacy_decided_by"]] == max(report["reidentified"].values())
    best = max(report["attacks"].values())
    assert report["competition"] == pytest.approx(
        {
            "best_attack": best,
            "privacy": 1 - best,
            "defence": report["utility"]["mean"] * (1 - best),
        }
    )
    assert report["recipe_known"] is False
    assert report["privacy_definition"] == 2
    assert report["attack_details"]["naive"]["pairs"] == EXPECTED["pairs"]


def test_an_unchanged_file_scores_exactly_one(run, golden):
    for rules in ("v1", "v2"):
        utility = run("score", golden[0], golden[0], "--rules", rules, "--json").json["utility"]
        assert set(utility.values()) == {1.0}


def test_whoever_hides_behind_the_weeks_of_others_is_told_what_they_show(run, tmp_path):
    """Two people publish each other's week: both are taken for the other, and both weeks are there to see."""
    rows = {"a": [(hour, 45.70) for hour in (8, 9, 10)], "b": [(hour, 45.90) for hour in (18, 19, 20)]}

    def write(name, who, shown):
        lines = [
            f"{who[one]}\t2015-03-02 {hour:02}:00:00\t{latitude}\t4.8"
            for one in "ab"
            for hour, latitude in rows[shown[one]]
        ]
        (tmp_path / name).write_text("\n".join(lines) + "\n")
        return tmp_path / name

    original = write("original.tsv", {"a": "a", "b": "b"}, {"a": "a", "b": "b"})
    release = write("release.tsv", {"a": "q", "b": "p"}, {"a": "b", "b": "a"})
    attacks = run("score", original, release, "--json").json
    assert attacks["reidentified"]["join"] == attacks["reidentified"]["everything"] == 0
    assert attacks["privacy_measures"]["week_in_the_open"] == 1
    told = " ".join(run("score", original, release).out.split())
    assert "A larger threat is not counted: some pseudonym shows where 100% of the individuals were" in told


def test_no_attacks_no_privacy(run, golden):
    report = run("score", *golden, "--attacks", "none", "--json").json
    assert report["attacks"] == {}
    assert report["privacy"] is None
    assert report["defence"] is None


def test_some_attacks_and_another_aggregate(run, golden):
    report = run("score", *golden, "--attacks", "naive,heatmap", "--aggregate", "min", "--json").json
    assert list(report["attacks"]) == ["naive", "heatmap"]
    assert report["utility"]["min"] == min(EXPECTED["v2"].values())
    assert "mean" not in report["utility"]


def test_parameters_can_be_set(run, golden):
    plain = run("score", *golden, "--attacks", "none", "--json").json["utility"]
    coarse = run("score", *golden, "--attacks", "none", "--decimals", "1", "--json").json["utility"]
    assert coarse["date"] == plain["date"]
    assert coarse["tuile"] != plain["tuile"]
    one = run("score", *golden, "--attacks", "none", "--set", "tuile.decimals=1", "--json").json["utility"]
    assert one["tuile"] == coarse["tuile"]
    assert one["meet"] == plain["meet"]
    hours = run("score", *golden, "--attacks", "none", "--set", "work_hours=9-16", "--json").json["utility"]
    assert hours["poi"] != plain["poi"]


def test_the_table_is_readable(run, golden):
    found = run("score", *golden)
    assert found.code == 0
    for word in (
        "date",
        "0.7286",
        "tuile",
        "0.3111",
        "naive",
        "0.0833",
        "95 % interval",
        "chance",
        "1,288 rows",
    ):
        assert word in found.out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--rules", "v3"], "must be v1 or v2, got 'v3'"),
        (["--aggregate", "sum"], "aggregate must be one of"),
        (["--attacks", "magic"], "no attack 'magic'"),
        (["--decimals", "9"], "must be a whole number from -2 to 6"),
        (["--set", "share"], "--set must be NAME=VALUE"),
        (["--set", "size=3"], "No score or attack has a parameter 'size'"),
        (["--set", "share=2"], "The 'share' of meet must be"),
        (["--columns", "id,date"], "must name id, date, latitude and longitude once each"),
    ],
)
def test_wrong_calls(run, golden, arguments, message):
    found = run("score", *golden, *arguments)
    assert found.code == 2
    assert message in found.err
    assert found.out == ""


def test_check_tells_every_problem(run, golden, tmp_path):
    rows = golden[1].read_text().splitlines()
    rows[1] = rows[1].replace("2015-12-30", "2015-12-20")
    rows[2] = rows[2].replace("-33.", "-133.")
    path = tmp_path / "release.tsv"
    path.write_text("\n".join(rows) + "\n")
    found = run("check", golden[0], path, "--json")
    assert found.code == 1
    assert found.json["valid"] is False
    problems = {problem["code"]: problem for problem in found.json["problems"]}
    assert problems["week-changed"]["lines"] == [2]
    assert problems["week-changed"]["count"] == 1
    assert problems["bad-coordinate"]["lines"] == [3]
    assert found.json["bounding_box"]["original"]["south"] == -33.7
    table = run("check", golden[0], path)
    assert table.code == 1
    assert "line 2" in table.out
    assert "invalid" in table.out


def test_check_of_a_legal_release(run, golden):
    found = run("check", *golden, "--json")
    assert found.code == 0
    assert found.json["valid"] is True
    assert found.json["problems"] == []
    assert "original: latitude -33.7 to -33.2, longitude -70.9 to -70.4" in run("check", *golden).out


def test_an_invalid_release_is_scored_only_on_request(run, golden, tmp_path):
    path = tmp_path / "release.tsv"
    path.write_text(golden[1].read_text().replace("2015-12-30 18:56:27", "2015-12-20 18:56:27"))
    refused = run("score", golden[0], path, "--json")
    assert refused.code == 1
    assert "line 2" in refused.err
    assert refused.out == ""
    allowed = run("score", golden[0], path, "--allow-invalid", "--json")
    assert allowed.code == 0
    assert allowed.json["valid"] is False
    assert "week" in allowed.err


def test_another_order_of_columns(run, golden, tmp_path):
    swapped = []
    for file in golden:
        rows = [line.split("\t") for line in file.read_text().splitlines()]
        path = tmp_path / file.name
        path.write_text("".join("\t".join((*r[:2], *r[:1:-1])) + "\n" for r in rows))
        swapped.append(path)
    report = run(
        "score", *swapped, "--columns", "id,date,longitude,latitude", "--attacks", "none", "--json"
    ).json
    assert report["utility"]["tuile"] == pytest.approx(EXPECTED["v2"]["tuile"])


def test_version_and_help(run):
    assert run("--version").out.startswith("insanonym ")
    assert "score" in run("--help").out
    assert run().code == 2


@pytest.mark.slow
def test_with_its_recipe_the_strongest_attacker_learns(run, tmp_path):
    recipe, city, release = tmp_path / "r.yaml", tmp_path / "city.tsv", tmp_path / "release.tsv"
    assert run("demo", "mobility", "-o", city, "--users", 30, "--weeks", 2).code == 0
    recipe.write_text(
        "steps: [{delete_at_random: {share: 0.6}}, {jitter_time: {hours: 24}}, "
        "{planar_laplace: {radius: 5000}}, pseudonymise]"
    )
    assert run("anonymise", city, "--recipe", recipe, "-o", release, "--seed", 8).code == 0
    blind, learnt = (run("score", city, release, "--json", *more) for more in ((), ("--recipe", recipe)))
    assert (blind.json["recipe_known"], learnt.json["recipe_known"]) == (False, True)
    weak, strong = (one.json["reidentified"]["everything"] for one in (blind, learnt))
    assert strong > weak, "what it learnt helps"
    assert learnt.json["privacy"] < blind.json["privacy"]
    same = {name for name in blind.json["attacks"] if name != "everything"}
    assert all(blind.json["attacks"][name] == learnt.json["attacks"][name] for name in same)
    wrong = tmp_path / "wrong.yaml"
    wrong.write_text(
        "steps: [{snap_to_grid: {decimals: -1}}, {delete_at_random: {share: 0.99}}, pseudonymise]"
    )
    misled = run("score", city, release, "--json", "--recipe", wrong)
    assert misled.json["privacy"] <= blind.json["privacy"], "a wrong recipe makes no release safer"
    assert "at most" in run("score", city, release).out
    assert "at most" not in run("score", city, release, "--recipe", recipe).out
    guesses = tmp_path / "guesses.json"
    assert run("attack", city, release, "--method", "everything", "--recipe", recipe, "-o", guesses).code == 0
    scored = run("score-attack", city, release, guesses, "--json").json
    assert scored["reidentified"] == learnt.json["reidentified"]["everything"]


@pytest.mark.slow
def test_wrong_recipes_for_the_attacker_are_one_sentence(run, tmp_path, golden):
    recipe, tables = tmp_path / "r.yaml", tmp_path / "t.yaml"
    recipe.write_text("steps: [pseudonymise]")
    tables.write_text("kind: table\nroles: {quasi: [a]}\nsteps: [mondrian]")
    for arguments, said in (
        (("score", *golden, "--recipe", tables), "must be for mobility data and is for table"),
        (("score", *golden, "--recipe", recipe, "--workers", 2), "scored in one piece"),
        (("score", *golden, "--recipe", tmp_path / "none.yaml"), "none.yaml"),
        (
            ("attack", *golden, "--method", "naive", "--recipe", recipe, "-o", tmp_path / "g.json"),
            "learns nothing from a recipe",
        ),
        (
            ("attack", *golden, "--method", "everything", "--recipe", tables, "-o", tmp_path / "g.json"),
            "must be for mobility data and is for table",
        ),
        (("score", *golden, "--attacks", "naive", "--recipe", recipe), "None of these attacks learns"),
    ):
        found = run(*arguments)
        assert found.code == 2, found.out
        assert said in " ".join(found.err.split())
    assert "The recipe is not known" in run("score", *golden).out
    assert "The recipe is not known" not in run("score", *golden, "--attacks", "naive").out
