"""Folders of parts, made from a file in bounded memory, and scored."""

import math

import pyarrow.parquet as parquet
import pytest

from insanonym_core.errors import DataError
from insanonym_core.mobility.files import read_track
from insanonym_core.mobility.writer import write_track
from insanonym_core.scale import partition as module
from insanonym_core.scale.partition import partition
from tests.helpers import lines


@pytest.fixture
def small_blocks(monkeypatch):
    """Blocks of 97 lines, read 1,000 bytes at a time."""
    monkeypatch.setattr(module, "_READ_BYTES", 1_000)
    monkeypatch.setattr(module, "_lines_per_block", lambda memory, files: 97)


def _rows(folder):
    return [parquet.read_table(path).to_pylist() for path in sorted(folder.glob("*.parquet"))]


def test_every_row_goes_to_the_part_of_its_individual(golden, tmp_path, small_blocks):
    original, release = golden
    told = []
    rows = partition(original, tmp_path / "o", parts=3, on_rows=told.append)
    assert rows == sum(told) == len(read_track(original))
    assert len(told) > 1, "in several blocks"
    assert partition(release, tmp_path / "r", original=original, parts=3) == rows
    ours, theirs = _rows(tmp_path / "o"), _rows(tmp_path / "r")
    people = [{row["id"] for row in part} for part in ours]
    assert sum(map(len, people)) == len(set.union(*people)), "nobody stands in two parts"
    assert [len(part) for part in ours] == [len(part) for part in theirs]
    whole = [
        (a["id"], a["date"], b["id"], b["date"])
        for p, q in zip(ours, theirs, strict=True)
        for a, b in zip(p, q, strict=True)
    ]
    before, after = read_track(original).to_frame(), read_track(release).to_frame()
    expected = [
        (i, d.to_pydatetime(), j, None if e is None or e != e else e.to_pydatetime())
        for i, d, j, e in zip(before["id"], before["date"], after["id"], after["date"], strict=True)
    ]
    assert sorted(map(repr, whole)) == sorted(map(repr, expected))


def test_a_part_that_nobody_is_in_is_not_made(run, golden, tmp_path):
    few = tmp_path / "few.tsv", tmp_path / "released.tsv"
    before, after = (file.read_text().splitlines(keepends=True) for file in golden)
    someone = before[0].partition("\t")[0] + "\t"
    for path, rows in zip(few, (before, after), strict=True):
        path.write_text(
            "".join(row for row, own in zip(rows, before, strict=True) if own.startswith(someone))
        )
    assert run("partition", few[0], "-o", tmp_path / "o", "--parts", 7).code == 0
    assert run("partition", few[1], "--original", few[0], "-o", tmp_path / "r", "--parts", 7).code == 0
    assert len(list((tmp_path / "o").iterdir())) == 1
    parts = run("score", tmp_path / "o", tmp_path / "r", "--json").json
    assert _flat(parts) == pytest.approx(_flat(run("score", *few, "--json").json), rel=1e-12, abs=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("options", [[], ["--workers", "2"]])
def test_folders_score_like_files(run, golden, tmp_path, options):
    original, release = golden
    assert run("partition", original, "-o", tmp_path / "o", "--parts", 3).code == 0
    assert run("partition", release, "--original", original, "-o", tmp_path / "r", "--parts", 3).code == 0
    whole = run("score", original, release, "--json").json
    parts = run("score", tmp_path / "o", tmp_path / "r", "--json", *options).json
    assert _flat(parts) == pytest.approx(_flat(whole), rel=1e-12, abs=1e-12)
    pool = run("score", original, release, "--workers", 2, "--json").json
    assert _flat(pool) == pytest.approx(_flat(whole), rel=1e-12, abs=1e-12)


def _flat(found, name=""):
    if isinstance(found, dict):
        # What needs the file in one piece says so over parts.
        one_piece = ("further_", "known_points", "week_classes", "singling out")
        found = {key: value for key, value in found.items() if not key.startswith(one_piece)}
        return {k: v for key, value in found.items() for k, v in _flat(value, f"{name}.{key}").items()}
    if isinstance(found, list):
        return {k: v for n, value in enumerate(found) for k, v in _flat(value, f"{name}.{n}").items()}
    return (
        {name: math.nan if found is None else found}
        if not isinstance(found, str) and found is not None
        else {}
    )


@pytest.mark.parametrize("ending", [".csv", ".tsv.gz", ".parquet"])
def test_any_kind_of_file(golden, tmp_path, small_blocks, ending):
    track = read_track(golden[0])
    path = tmp_path / f"file{ending}"
    write_track(track, path)
    assert partition(path, tmp_path / "parts", parts=2) == len(track)
    assert sum(map(len, _rows(tmp_path / "parts"))) == len(track)


def test_problems_name_the_line_of_the_file(golden, tmp_path, small_blocks):
    rows = golden[0].read_text().splitlines()
    rows[150] = "somebody\tyesterday\t45\t4"
    path = tmp_path / "bad.tsv"
    path.write_text("\n".join(rows) + "\n")
    with pytest.raises(DataError, match="line 151"):
        partition(path, tmp_path / "parts")
    assert not (tmp_path / "parts").exists()
    assert list(tmp_path.glob(".*")) == [], "nothing is left behind"


def test_fractions_of_seconds_that_come_late_are_kept(tmp_path, small_blocks):
    rows = [f"u{n % 5}, 2016-01-04 10:{n % 60:02d}:00, 45.0, 4.0" for n in range(150)]
    path = tmp_path / "late.csv"
    path.write_text(lines(*rows, "u1, 2016-01-04 11:00:00.250, 45.0, 4.0").replace(", ", ","))
    partition(path, tmp_path / "parts", parts=2)
    dates = [row["date"] for part in _rows(tmp_path / "parts") for row in part]
    assert sum(date.microsecond == 250_000 for date in dates) == 1


@pytest.mark.slow
def test_wrong_calls_are_one_sentence(run, golden, tmp_path):
    original, release = golden
    (tmp_path / "there").mkdir()
    assert "exists already" in run("partition", original, "-o", tmp_path / "there").err
    assert "at least 200 MB" in run("partition", original, "-o", tmp_path / "x", "--memory-limit", 5).err
    assert "from 1 to 512" in run("partition", original, "-o", tmp_path / "x", "--parts", 9999).err
    short = tmp_path / "short.tsv"
    short.write_text("".join(release.read_text().splitlines(keepends=True)[:-1]))
    assert "one for one" in run("partition", short, "--original", original, "-o", tmp_path / "x").err
    assert "both be files" in run("score", tmp_path / "there", release).err
    assert "holds no Parquet files" in run("score", tmp_path / "there", tmp_path / "there").err
    assert (
        "make them with 'insanonym partition'"
        in run("score", original, release, "--cluster", "tcp://127.0.0.1:9").err
    )
    assert "at least 1" in run("score", original, release, "--workers", 0).err


def test_blocks_are_whole_lines(tmp_path, monkeypatch):
    from insanonym_core.io.sources import source_of

    monkeypatch.setattr(module, "_READ_BYTES", 7)
    for text in (b"a\nbb\nccc\n", b"a\nbb\nccc", b"\n\n\n\n", b"aaaaaaaaaaaaaaaaaaaaaaa\nb\n"):
        path = tmp_path / "text"
        path.write_bytes(text)
        for number in (1, 2, 3, 100):
            blocks = list(module._line_blocks(source_of(path), number))
            assert b"".join(block for block, _ in blocks) == text
            assert [last for _, last in blocks] == [False] * (len(blocks) - 1) + [True]
            assert all(block.count(b"\n") == number for block, _ in blocks[:-1])


@pytest.mark.slow
def test_what_is_wrong_with_a_part_is_told_as_of_a_file(run, golden, tmp_path):
    original, release = golden
    rows = [row.split("\t") for row in release.read_text().splitlines()]
    kept = next(row for row in rows if row[0] != "DEL")
    kept[0] = "another"
    torn = tmp_path / "torn.tsv"
    torn.write_text("".join("\t".join(row) + "\n" for row in rows))
    run("partition", original, "-o", tmp_path / "o", "--parts", 2)
    run("partition", torn, "--original", original, "-o", tmp_path / "r", "--parts", 2)
    assert "two anonymised ids" in run("score", tmp_path / "o", tmp_path / "r").err
    for files in ((original, torn), (tmp_path / "o", tmp_path / "r")):
        ran = run("score", *files, "--allow-invalid", "--json")
        assert ran.json["valid"] is False
        assert "Invalid: " in ran.err
        assert "two anonymised ids" in ran.err
