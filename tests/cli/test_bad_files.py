"""Bad files at the command line: a sentence with the place and the remedy, exit 1 or 2, no traceback."""

import gzip
import io
import zipfile

import pytest

GOOD = b"007\t2015-03-04 00:35:54\t45.7640\t4.8357\n008\t2015-03-05 12:00:00\t45.75\t4.85\n"


def _zip(**members: bytes) -> bytes:
    raw = io.BytesIO()
    with zipfile.ZipFile(raw, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return raw.getvalue()


BAD = {
    "empty": (b"", "is empty"),
    "unknown header": (b"who\twhen\tone\tother\n" + GOOD, "which column holds latitude, longitude"),
    "wrong separator": (GOOD.replace(b"\t", b" "), "separate"),
    "no encoding": (GOOD.replace(b"007", "é".encode()).replace(b"008", b"\xe9"), "line 2"),
    "open quote": (b'"' + GOOD, "line 1"),
    "mixed date formats": (GOOD.replace(b"2015-03-05", b"05/03/2015"), "line 2"),
    "29 February 2015": (GOOD.replace(b"2015-03-05", b"2015-02-29"), "line 2"),
    "UTC offset": (GOOD.replace(b"12:00:00", b"12:00:00+01:00"), "line 2"),
    "NaN": (GOOD.replace(b"45.75", b"NaN"), "line 2"),
    "inf": (GOOD.replace(b"45.75", b"inf"), "line 2"),
    "latitude 91": (GOOD.replace(b"45.75", b"91"), "line 2"),
    "swapped columns": (GOOD.replace(b"45.75\t4.85", b"139.7\t35.6"), "--columns id,date,longitude,latitude"),
    "missing id": (GOOD.replace(b"008", b""), "line 2"),
    "three fields": (GOOD.replace(b"\t4.85", b""), "line 2"),
    "two members": (_zip(a=GOOD, b=GOOD), "exactly one file"),
    "empty zip": (_zip(), "exactly one file"),
    "damaged zip": (_zip(a=GOOD * 999)[:60], "damaged"),
    "damaged gz": (gzip.compress(GOOD * 999)[:40], "damaged"),
    "binary": (bytes(range(256)) * 20, "not text"),
}
FINE = {
    "one row": GOOD.splitlines(keepends=True)[0],
    "header": b"id\tdate\tlatitude\tlongitude\n" + GOOD,
    "Windows line ends": GOOD.replace(b"\n", b"\r\n"),
    "BOM": b"\xef\xbb\xbf" + GOOD,
    "quoted ids": GOOD.replace(b"007", b'"007"'),
    "29 February 2016": GOOD.replace(b"2015-03-05", b"2016-02-29"),
    "year boundary": GOOD.replace(b"2015-03-05", b"2016-01-01"),
    "UTF-16": GOOD.decode().encode("utf-16"),
    "latin-1": GOOD.replace(b"008", b"\xe9"),
    "another header": b"who\twhen\tnorth\teast\n" + GOOD,
    "all with an offset": GOOD.replace(b":54", b":54Z").replace(b":00\t", b":00+01:00\t"),
    "31/12/2024": GOOD.replace(b"2015-03-04", b"31/12/2014").replace(b"2015-03-05", b"01/01/2015"),
    "decimal commas": GOOD.replace(b".", b","),
    "one user": GOOD.replace(b"008", b"007"),
}


@pytest.mark.parametrize("name", BAD)
@pytest.mark.parametrize("command", ["score", "check", "anonymise"])
def test_bad_originals(run, tmp_path, name, command):
    content, place = BAD[name]
    path = tmp_path / "data.tsv"
    path.write_bytes(content)
    rest = ["-o", tmp_path / "out.tsv", "--step", "cloak"] if command == "anonymise" else [path]
    found = run(command, path, *rest)
    assert found.code == 1
    assert place in found.out + found.err
    assert not (tmp_path / "out.tsv").exists()


@pytest.mark.parametrize("name", BAD)
def test_bad_releases(run, tmp_path, name):
    (tmp_path / "original.tsv").write_bytes(GOOD)
    (tmp_path / "release.tsv").write_bytes(BAD[name][0])
    found = run("check", tmp_path / "original.tsv", tmp_path / "release.tsv", "--json")
    assert found.code == 1
    assert found.json["valid"] is False
    assert found.json["problems"][0]["message"]


@pytest.mark.parametrize("name", FINE)
def test_legal_files(run, tmp_path, name):
    path = tmp_path / "data.tsv"
    path.write_bytes(FINE[name])
    found = run("score", path, path, "--json")
    assert found.code == 0
    assert {value for value in found.json["utility"].values() if value is not None} == {1.0}


def test_another_length_and_all_deleted(run, tmp_path):
    original, release = tmp_path / "original.tsv", tmp_path / "release.tsv"
    original.write_bytes(GOOD)
    release.write_bytes(GOOD * 2)
    found = run("score", original, release)
    assert found.code == 1
    assert "must have the 2 rows" in found.err
    release.write_bytes(b"DEL\nDEL\n")
    report = run("score", original, release, "--json").json
    assert report["deleted"] == 2
    assert report["utility"]["date"] == 0
    assert report["attacks"]["naive"] == 1  # everybody is known to be deleted


def test_a_zip_bomb_is_refused_before_it_unpacks(run, tmp_path, monkeypatch):
    monkeypatch.setattr("insanonym_core.io.sources.UNPACK_LIMIT", 10_000)
    path = tmp_path / "bomb.zip"
    path.write_bytes(_zip(a=b"DEL\n" * 100_000))
    found = run("check", path, path)
    assert found.code == 1
    assert "unpacks to more than" in found.out


@pytest.mark.parametrize("command", ["score", "check", "footprint"])
def test_a_folder_and_a_missing_file(run, tmp_path, golden, command):
    rest = ["-o", tmp_path / "out.json"] if command == "footprint" else []
    for wrong in (tmp_path, tmp_path / "none.tsv"):
        found = run(command, golden[0], wrong, *rest)
        assert found.code == 2
        assert str(wrong) in found.err
