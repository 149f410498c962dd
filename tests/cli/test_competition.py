"""footprint, attack and score-attack on the command line."""

import json

import numpy as np
import pytest


def test_the_footprint_is_the_perfect_attack(run, golden, tmp_path):
    path = tmp_path / "footprint.json"
    assert run("footprint", *golden, "-o", path).code == 0
    found = run("score-attack", *golden, path, "--json").json
    assert found["score"] == 1
    assert found["pairs"] == 36
    assert run("score-attack", *golden, path).out.startswith("Found 1.0000 of 36")


def test_attack_then_score(run, golden, tmp_path):
    path = tmp_path / "guesses.json"
    assert run("attack", *golden, "--method", "naive", "-o", path).code == 0
    assert run("score-attack", *golden, path, "--json").json["score"] == pytest.approx(0.08333333333333333)
    originals = {line.split("\t")[0] for line in golden[0].read_text().splitlines()}
    assert set(json.loads(path.read_text())) == originals


def test_an_attack_needs_no_order_and_no_equal_length(run, golden, tmp_path):
    rows = [line for line in golden[1].read_text().splitlines() if not line.startswith("DEL")]
    shuffled = tmp_path / "shuffled.tsv"
    shuffled.write_text("\n".join(np.random.default_rng(1).permutation(rows)) + "\n")
    for name, release in (("a.json", golden[1]), ("b.json", shuffled)):
        assert run("attack", golden[0], release, "--method", "heatmap", "-o", tmp_path / name).code == 0
    assert (tmp_path / "a.json").read_text() == (tmp_path / "b.json").read_text()


def test_nothing_is_overwritten(run, golden, tmp_path):
    path = tmp_path / "mine.json"
    path.write_text("{}")
    for command in (["footprint", *golden], ["attack", *golden, "--method", "naive"]):
        found = run(*command, "-o", path)
        assert found.code == 2
        assert "--force" in found.err
        assert path.read_text() == "{}"
        assert run(*command, "-o", path, "--force").code == 0
        path.write_text("{}")


def test_wrong_attack_files(run, golden, tmp_path):
    path = tmp_path / "guesses.json"
    path.write_text('{"001": {"2015-W52": ["x"]}}')
    found = run("score-attack", *golden, path)
    assert found.code == 1
    assert "a week must be written as 2015-10" in found.err
    assert run("score-attack", *golden, tmp_path / "none.json").code == 2
    assert run("attack", *golden, "--method", "magic", "-o", tmp_path / "x.json").code == 2


def test_parameters_are_those_of_the_attack(run, golden, tmp_path):
    out = tmp_path / "g.json"
    assert (
        "of heatmap must be" in run("attack", *golden, "--method", "heatmap", "--decimals", 30, "-o", out).err
    )
    assert (
        "naive has no parameter"
        in run("attack", *golden, "--method", "naive", "--decimals", 3, "-o", out).err
    )
