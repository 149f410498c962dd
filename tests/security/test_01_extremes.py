"""What a command prints about places is rounded: the extremes of a file are one person's points."""

from __future__ import annotations

import re
from typing import Any

import pytest

from insanonym_core.io.sources import source_of_bytes
from insanonym_core.mobility.checks import check
from insanonym_core.mobility.files import read

ORIGINAL = """\
p1\t2015-03-04 10:00:00\t45.6899123\t4.8512345
p2\t2015-03-04 11:00:00\t45.7587678\t-0.0345678
p3\t2015-03-05 11:00:00\t45.7\t1.1
"""
BOX = {"south": 45.6, "north": 45.8, "west": -0.1, "east": 4.9}


def test_the_box_of_a_file_is_rounded_outward() -> None:
    track = read(source_of_bytes("a.tsv", ORIGINAL.encode()))
    assert check(track, track).bounding_box() == {"original": BOX, "release": BOX}


def test_an_end_that_is_round_already_stays() -> None:
    track = read(source_of_bytes("a.tsv", ORIGINAL.splitlines()[2].encode()))
    box = check(track, track).bounding_box()["original"]
    assert box == {"south": 45.7, "north": 45.7, "west": 1.1, "east": 1.1}


@pytest.mark.parametrize("arguments", [(), ("--json",)])
def test_check_prints_at_most_one_decimal(run: Any, tmp_path: Any, arguments: tuple[str, ...]) -> None:
    path = tmp_path / "original.tsv"
    path.write_text(ORIGINAL)
    found = run("check", path, path, *arguments)
    assert found.code == 0
    assert not re.findall(r"\d\.\d\d+", found.out + found.err)
    if arguments:
        assert found.json["bounding_box"] == {"original": BOX, "release": BOX}
    else:
        assert "original: latitude 45.6 to 45.8, longitude -0.1 to 4.9" in " ".join(found.out.split())
