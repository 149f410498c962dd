"""Hostile files with a structure of their own: JSON, YAML, Parquet, and what is small until it is read."""

from __future__ import annotations

import gzip
import io
import json
from functools import partial
from random import Random
from typing import Any

import pyarrow as pa
import pyarrow.parquet as parquet

from tests.fuzz.mutations import BINARY, Mutation
from tests.fuzz.packed import zipped
from tests.fuzz.parquet_bombs import one_long_text, parquet_bomb, parquet_of_many_texts, parquet_of_nested
from tests.fuzz.seeds import RECIPES, SECRET

_HUGE = "9" * 5000


def _json_value(random: Random, depth: int = 0) -> Any:
    plain = [None, True, 0, -1, 1e308, SECRET, "", "2015-10", "\ud800", "a\0b", 10**30, [], {}]
    if depth > 3 or random.random() < 0.4:
        return random.choice(plain)
    if random.random() < 0.5:
        return [_json_value(random, depth + 1) for _ in range(random.randint(0, 3))]
    keys = ["2015-10", "2015-54", "2015-1", "10", SECRET, "", "2015-10\n", "\udfff", "２０１５-10"]
    return {random.choice(keys): _json_value(random, depth + 1) for _ in range(random.randint(0, 3))}


def json_shapes(random: Random, raw: bytes) -> bytes:
    content = json.loads(raw)
    who = random.choice(list(content))
    if random.random() < 0.5:
        content[who] = _json_value(random)
    else:
        content[who]["2015-10"] = _json_value(random)
    return json.dumps(random.choice((content, _json_value(random)))).encode()


def json_tricks(random: Random, raw: bytes) -> bytes:
    week, depth = f'{{"{SECRET}": {{"2015-10": %s}}}}', random.choice((50, 900, 5000, 200_000))
    tricks = [
        "[" * depth + "]" * random.choice((0, depth)),
        '{"a":' * depth + "1" + "}" * depth,
        week % ("[" * depth + f'"{SECRET}"' + "]" * depth),
        week % f"[{_HUGE}]",
        week % f"[-{_HUGE}.5e{_HUGE}]",
        week % "[NaN, Infinity, -Infinity]",
        week % f'["{SECRET}", "{SECRET}"]',
        f'{{"{SECRET}": {{}}, "{SECRET}": {{}}}}',
        f'{{"{SECRET}": {{"2015-10": [], "2015-10": ["{SECRET}"]}}}}',
        week % f'["{"x" * 2_000_000}"]',
        week % '["\\ud800", "\\u0000", "\\uffff"]',
        week % f'["{SECRET}\n"]',
        week % ("[" + ",".join(f'"{SECRET}{n}"' for n in range(20_000)) + "]"),
        f"{{'{SECRET}': {{}}}}",
        f'{{"{SECRET}": {{"2015-10": ["{SECRET}"],}}}}',
        f'// {SECRET}\n{{"{SECRET}": {{}}}}',
        f'"{SECRET}"',
        SECRET,
    ]
    return random.choice(tricks).encode("utf-8", "surrogatepass")


JSON: dict[str, Mutation] = {**BINARY, "JSON shapes": json_shapes, "JSON tricks": json_tricks}


def yaml_tricks(random: Random, raw: bytes) -> bytes:
    """Bombs, tags that would make Python objects, depth, and values of every type in every place."""
    field = random.choice(
        ("data", "kind", "seed", "rules", "roles", "reading", "settings", "headline", "steps")
    )
    depth = random.choice((20, 400, 3000, 60_000))
    values = [
        "!!python/object/apply:os.system ['echo hacked']",
        "!!python/object/new:subprocess.Popen [['true']]",
        "!!python/name:os.system",
        "!!python/tuple [1, 2]",
        "!!binary gIGC",
        "!!binary '%%%'",
        "!!set {a, b}",
        "!!omap [a: 1]",
        "!!timestamp 2015-13-45",
        "2015-03-04",
        "2015-03-04 25:61:61",
        "0x" + "f" * 20_000,
        _HUGE,
        "0b" + "1" * 50_000,
        "1:" + "59:" * 2000 + "59",
        ".inf",
        ".nan",
        "-0",
        "1e400",
        "~",
        "[]",
        "{}",
        "[[a]]",
        "{a: {b: c}}",
        "{1: 2}",
        "{? [a, b] : c}",
        "{? {a: b} : c}",
        '"\\ud800"',
        '"\\0"',
        "'" + "x" * 90_000 + "'",
        "[" * depth + "]" * depth,
        "{a: " * depth + "}" * depth,
        "\n" + "".join("  " * level + "- \n" for level in range(min(depth, 300))),
        "? " * depth,
        "- " * depth,
        "!" * depth,
        "|\n  text\n ",
        "<<",
        "*nobody",
        "&a [*a]",
        "%YAML",
        "@x",
        "`x`",
        "\t- x",
    ]
    bomb = "a0: &a0 [x, x]\n" + "".join(f"a{n}: &a{n} [*a{n - 1}, *a{n - 1}]\n" for n in range(1, 40))
    merged = "base: &base {seed: 1}\nseed: 2\n<<: *base\nsteps: []\n"
    whole = [
        bomb,
        merged,
        "---\na: 1\n---\nb: 2\n",
        "--- !!python/object:os.x {}\n",
        "- a\n- b\n",
        "just a text",
        "? ",
    ]
    if random.random() < 0.15:
        return random.choice(whole).encode()
    value = random.choice(values)
    lines = raw.decode().splitlines()
    if random.random() < 0.5:
        lines = [line for line in lines if not line.startswith(f"{field}:")]
        lines.insert(0, f"{field}: {value}")
    else:
        lines.append(f"  - {random.choice(('cloak', 'pseudonymise', 'mondrian', value))}: {{k: {value}}}")
    return "\n".join(lines).encode()


def another_recipe(random: Random, raw: bytes) -> bytes:
    """Words of several recipes mixed."""
    words = b" ".join((raw, random.choice(RECIPES))).split(b" ")
    for _ in range(random.randint(1, 4)):
        one, other = random.randrange(len(words)), random.randrange(len(words))
        words[one], words[other] = words[other], words[one]
    return b" ".join(words)


YAML: dict[str, Mutation] = {**BINARY, "YAML tricks": yaml_tricks, "recipes mixed": another_recipe}


# --- Parquet -----------------------------------------------------------------------------------------


def parquet_types(random: Random, raw: bytes) -> bytes:
    """A file whose columns hold what nobody expects there."""
    table = parquet.read_table(io.BytesIO(raw))
    rows = table.num_rows
    odd = [
        pa.array([[SECRET]] * rows),
        pa.array([{"a": SECRET}] * rows),
        pa.array([SECRET.encode()] * rows),
        pa.array([b"\xff\xfe"] * rows),
        pa.array([None] * rows, pa.null()),
        pa.array([None] * rows, pa.float64()),
        pa.array([float("inf")] * rows),
        pa.array([float("nan")] * rows),
        pa.array([2**63 - 1, -(2**63)] * (rows // 2), pa.int64()),
        pa.array([2**64 - 1] * rows, pa.uint64()),
        pa.array([1] * rows, pa.decimal128(38, 10)),
        pa.array([1.5] * rows, pa.float16()),
        pa.array([True, None] * (rows // 2)),
        pa.array([2**62] * rows, pa.timestamp("us")),
        pa.array([-(2**62)] * rows, pa.timestamp("s")),
        pa.array([2**40] * rows, pa.timestamp("ms", tz="Europe/Paris")),
        pa.array([2**62] * rows, pa.timestamp("ns")),
        pa.array([2**31 - 1] * rows, pa.date32()),
        pa.array([1] * rows, pa.time64("us")),
        pa.array([1] * rows, pa.duration("us")),
        pa.array([[("a", 1)]] * rows, pa.map_(pa.string(), pa.int64())),
        pa.array([SECRET] * rows).dictionary_encode(),
        pa.array([1, 2] * (rows // 2)).dictionary_encode(),
        pa.array(["", "DEL"] * (rows // 2)),
        pa.array(["=1+1", "\0"] * (rows // 2)),
        pa.array(["2015-02-30 10:00:00"] * rows, pa.large_string()),
        pa.array([SECRET] * rows, pa.string_view()),
        pa.array([b"0123456789abcdef"] * rows, pa.binary(16)),
    ]
    for _ in range(random.randint(1, 2)):
        place, column = random.randrange(table.num_columns), random.choice(odd)
        table = table.set_column(place, table.column_names[place], column)
    names = list(table.column_names)
    if random.random() < 0.3:
        names[random.randrange(len(names))] = random.choice(
            ("", " ", names[0], "=1", "a\nb", "x" * 5000, "\ud83d\ude00")
        )
        table = table.rename_columns(
            [name.encode("utf-16", "surrogatepass").decode("utf-16") for name in names]
        )
    if random.random() < 0.2:
        about = random.choice(
            (b"{", b"[]", b'{"index_columns": 3}', b'{"index_columns": [{"kind": "range"}]}', b"\xff")
        )
        table = table.replace_schema_metadata({b"pandas": about})
    if random.random() < 0.1:
        table = random.choice((table.slice(0, 0), table.select([]), table.slice(0, 1)))
    made = io.BytesIO()
    try:
        parquet.write_table(table, made, compression=random.choice(("none", "snappy", "gzip", "zstd")))
    except (pa.ArrowException, UnicodeDecodeError):
        return b"PAR1" + raw[4:]
    return made.getvalue()


def parquet_with_odd_end(random: Random, raw: bytes) -> bytes:
    """Damage in the footer, which says where everything is and how long."""
    spoilt = bytearray(raw)
    length = int.from_bytes(raw[-8:-4], "little")
    for _ in range(random.choice((1, 2, 8))):
        spoilt[-8 - random.randrange(length)] = random.randrange(256)
    if random.random() < 0.1:
        spoilt[-8:-4] = random.randbytes(4)
    return bytes(spoilt)


PARQUET: dict[str, Mutation] = {
    **BINARY,
    "Parquet types": parquet_types,
    "Parquet footer": parquet_with_odd_end,
}


# --- small until it is read ----------------------------------------------------------------------------


_SPREAD = 30_000_000  # past a tenth of the real limit, which is what the child has


def _repeated(row: bytes, header: bytes = b"") -> bytes:
    """A gzip of so many bytes of the same row: pieces that follow each other are one file."""
    piece = row * (1_000_000 // len(row))
    return gzip.compress(header, mtime=0) + gzip.compress(piece, mtime=0) * (_SPREAD // len(piece))


def _bomb_in_zip(row: bytes) -> bytes:
    return zipped(row * (_SPREAD // len(row)), level=1)


def large(kind: str) -> dict[str, Any]:
    """Files that take much of something, as functions: each is made only when its turn comes."""
    row = {"mobility": b"a\t2015-03-04 10:00:00\t45.5\t4.5\n", "traces": b"7,a,b\n"}.get(kind, b"a,b,c,d\n")
    cell = row.split(b"\t" if kind == "mobility" else b",")[0]
    mark = b"\t" if kind == "mobility" else b","
    return {
        "a million columns": lambda: (
            mark.join(b"c%d" % n for n in range(10**6)) + b"\n" + mark.join([b"1"] * 10**6)
        ),
        "a row of a million columns": lambda: row + mark.join([b"1"] * 10**6) + b"\n" + row,
        "gz bomb of rows": lambda: _repeated(row, row),
        "gz bomb of deleted rows": lambda: _repeated(b"DEL\n"),
        "gz bomb of one cell": lambda: _repeated(b"x", cell),
        "gz bomb of zeros": lambda: _repeated(b"\0"),
        "gz bomb of empty lines": lambda: _repeated(b"\n"),
        "gz bomb of quotation marks": lambda: _repeated(b'"', row),
        "zip bomb of rows": lambda: _bomb_in_zip(row),
        "zip bomb in a zip": lambda: zipped(_bomb_in_zip(row)),
        "a line of 20 MB": lambda: row + b"x" * 20_000_000 + b"\n" + row,
        "a million empty lines": lambda: row + b"\n" * 1_000_000 + row,
        "200,000 broken lines": lambda: row + b"x\n" * 200_000,
        "200,000 quotation marks": lambda: row + b'"' * 200_001 + b"\n" + row,
        "100,000 different names": lambda: (
            row + b"".join(row.replace(cell, b"n%d" % n, 1) for n in range(100_000))
        ),
        "Parquet of nothing": lambda: parquet_bomb(14_000_000, pa.nulls(1_000_000)),
        "Parquet of one long value": lambda: parquet_bomb(100_000, one_long_text()),
        "Parquet of many texts": lambda: parquet_of_many_texts(2_000),  # 200 MB in each of ten columns
        **{f"Parquet of {kind}s": partial(parquet_of_nested, kind) for kind in ("list", "record", "map")},
    }
