"""Ways to spoil a file: from a random generator and a valid file, the bytes of a hostile one."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

Mutation = Callable[[Random, bytes], bytes]
_MARKS = (b"\t", b",", b";", b"|")
_NUMBERS = [
    "inf",
    "-inf",
    "nan",
    "NaN",
    "1e400",
    "-1e400",
    "-0",
    "0x1F",
    "1e-400",
    "9223372036854775808",
    "1,5",
    "٣",
    "1_000",
    ".5",
    "5.",
    "+7",
    "-",
]
_NUMBERS += ["9" * 400, "1e" + "9" * 30, "−5", "1e308", "-1e308", "5e-324", "007", "1.7976931348623157e308"]
_DATES = [
    "0000-00-00",
    "9999-12-31",
    "10000-01-01",
    "1000-01-01",
    "2015-02-30",
    "-2015-01-01",
    "2015-13-01",
    "2015-03-04T25:00:00",
    "0001-01-01",
    "2015-03-04T10:00:60",
    "1677-09-21",
    "2262-04-12",
    "9999-12-31T23:59:59.999999",
    "2015-W10-1",
    "1e9",
]
_ODD = [
    "\u2028",
    "\x85",
    "\u202e",
    "\ufeff",
    "\x1b[31m",
    "\U0001f600",
    "e\u0301",
    "\x7f",
    "\x0b",
    "\x0c",
    "\x1c",
    "\ufdd0",
]
_FORMULAS = [
    "=1+1",
    "@SUM(A1)",
    "+cmd|' /C calc'!A0",
    "-2+3",
    "\t=1",
    "\r=1",
    "'=1",
    "＝1",
    '=HYPERLINK("x","y")',
]


def _mark(raw: bytes) -> bytes:
    return max(_MARKS, key=raw.split(b"\n", 1)[0].count)


def _rows(raw: bytes) -> list[list[bytes]]:
    mark = _mark(raw)
    return [line.split(mark) for line in raw.split(b"\n")]


def _joined(raw: bytes, rows: list[list[bytes]]) -> bytes:
    return b"\n".join(_mark(raw).join(row) for row in rows)


def _with_cells(random: Random, raw: bytes, texts: list[str]) -> bytes:
    """A few cells, or a whole column of them, replaced."""
    rows, text = _rows(raw), random.choice(texts).encode("utf-8", "surrogatepass")
    place = random.randrange(len(rows[0]))
    if random.random() < 0.3:
        chosen = range(1, len(rows))
    else:
        chosen = [random.randrange(len(rows)) for _ in range(random.randint(1, 4))]
    for row in chosen:
        if place < len(rows[row]):
            rows[row][place] = text
    return _joined(raw, rows)


def truncated(random: Random, raw: bytes) -> bytes:
    return raw[: random.randrange(len(raw))]


def bit_flipped(random: Random, raw: bytes) -> bytes:
    spoilt = bytearray(raw)
    for _ in range(random.choice((1, 1, 2, 5, 40))):
        spoilt[random.randrange(len(spoilt))] ^= 1 << random.randrange(8)
    return bytes(spoilt)


def bytes_inserted(random: Random, raw: bytes) -> bytes:
    place = random.randrange(len(raw) + 1)
    return raw[:place] + random.randbytes(random.choice((1, 3, 50))) + raw[place:]


def piece_lost(random: Random, raw: bytes) -> bytes:
    first, last = sorted(random.randrange(len(raw)) for _ in range(2))
    return raw[:first] + raw[last:]


def piece_repeated(random: Random, raw: bytes) -> bytes:
    first, last = sorted(random.randrange(len(raw)) for _ in range(2))
    return raw[:last] + raw[first:last] * random.choice((1, 3)) + raw[last:]


def columns_reordered(random: Random, raw: bytes) -> bytes:
    rows = _rows(raw)
    order = list(range(len(rows[0])))
    random.shuffle(order)
    return _joined(raw, [[row[place] for place in order if place < len(row)] for row in rows])


def column_removed(random: Random, raw: bytes) -> bytes:
    rows = _rows(raw)
    place, only = random.randrange(len(rows[0])), random.random() < 0.4
    spoilt = {random.randrange(len(rows))} if only else set(range(len(rows)))
    return _joined(
        raw, [row[:place] + row[place + 1 :] if n in spoilt else row for n, row in enumerate(rows)]
    )


def column_duplicated(random: Random, raw: bytes) -> bytes:
    rows = _rows(raw)
    place = random.randrange(len(rows[0]))
    return _joined(raw, [row[:place] + row[place : place + 1] * 2 + row[place + 1 :] for row in rows])


def header_spoilt(random: Random, raw: bytes) -> bytes:
    first, _, rest = raw.partition(b"\n")
    names = first.split(_mark(raw))
    names[random.randrange(len(names))] = random.choice(
        (b"", b" ", b'"', b"id", b"=1+1", b"a\rb", b"x" * 70_000)
    )
    return random.choice((rest, b"\n" * random.randint(1, 3) + raw, _mark(raw).join(names) + b"\n" + rest))


def huge_field(random: Random, raw: bytes) -> bytes:
    return _with_cells(
        random, raw, [random.choice("x9=,\"'") * random.choice((70_000, 200_000, 1_100_000, 2_500_000))]
    )


def nul_bytes(random: Random, raw: bytes) -> bytes:
    place = random.randrange(len(raw))
    far = raw * (1 + 80_000 // len(raw)) if random.random() < 0.3 else raw
    place = place if far is raw else len(far) - len(raw) + place
    return far[:place] + b"\0" * random.choice((1, 2, 1000)) + far[place:]


def formulas(random: Random, raw: bytes) -> bytes:
    return _with_cells(random, raw, _FORMULAS)


def other_encodings(random: Random, raw: bytes) -> bytes:
    text = raw.decode() + random.choice(("", "é", "日本"))
    name = random.choice(
        ("latin-1", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-8-sig", "cp500", "utf-7")
    )
    return text.encode(name, errors="replace")


def mixed_encodings(random: Random, raw: bytes) -> bytes:
    middle = raw.index(b"\n", random.randrange(len(raw) - 1) // 2) if b"\n" in raw[:-1] else 0
    piece = random.choice(
        (b"\xe9", b"\xff", b"\xc3", b"\xed\xa0\x80", b"\xf5\x80\x80\x80", b"\xef\xbb\xbf", b"\xc0\xaf")
    )
    return raw[:middle] + piece + raw[middle:]


def odd_signs(random: Random, raw: bytes) -> bytes:
    return _with_cells(random, raw, [f"a{sign}b" for sign in _ODD] + _ODD)


def line_ends(random: Random, raw: bytes) -> bytes:
    ends = random.choice(
        ([b"\r\n"], [b"\r"], [b"\n", b"\r\n", b"\r"], [b"\n\n"], [b"\n\r"], [b"\n", b"\x0b"], [b""])
    )
    return b"".join(line + random.choice(ends) for line in raw.split(b"\n"))


def absurd_numbers(random: Random, raw: bytes) -> bytes:
    return _with_cells(random, raw, _NUMBERS)


def absurd_dates(random: Random, raw: bytes) -> bytes:
    return _with_cells(random, raw, [*_DATES, *(date.replace("T", " ") + " 00:00:00" for date in _DATES)])


def stray_quotes(random: Random, raw: bytes) -> bytes:
    quoted = ['"', '""', '"""', '"a', 'a"', '"a\nb"', '"a\r\nb"', '"a,b;c\td"', 'a"b"c', "'", '"' * 1001]
    return _with_cells(random, raw, quoted)


def ragged(random: Random, raw: bytes) -> bytes:
    rows = _rows(raw)
    for _ in range(random.randint(1, 3)):
        row = rows[random.randrange(len(rows))]
        row[:] = random.choice(
            (row[:1], row * 2, [], [b""] * len(row), [b"DEL"], [b"DEL", *row[1:]], row + [b""] * 9)
        )
    return _joined(raw, rows)


def lines_moved(random: Random, raw: bytes) -> bytes:
    rows = _rows(raw)
    random.shuffle(rows)
    return _joined(raw, random.choice((rows, rows[:1], rows[:2], rows * 40, rows[:1] * 30)))


def other_separators(random: Random, raw: bytes) -> bytes:
    return raw.replace(_mark(raw), random.choice((*_MARKS, b" ", b"\x01", b":", b"\t,", "§".encode())))


def nearly_empty(random: Random, raw: bytes) -> bytes:
    least = (
        b"",
        b"\n",
        b"\xef\xbb\xbf",
        b"\xef\xbb\xbf\n",
        b" ",
        b"\r",
        b"\x0b",
        b"\n\n,",
        b",",
        b",,,\n",
        b'"',
        b'""',
        b"0",
    )
    return random.choice(
        (*least, b"DEL\n" * 9, b"\x1f\x8b", b"PK\x03\x04", b"PK\x05\x06", b"PAR1PAR1", b"PAR1", b"{}", b"[]")
    )


TEXT: dict[str, Mutation] = {
    mutation.__name__.replace("_", " "): mutation
    for mutation in (
        truncated,
        bit_flipped,
        bytes_inserted,
        piece_lost,
        piece_repeated,
        columns_reordered,
        column_removed,
        column_duplicated,
        header_spoilt,
        huge_field,
        nul_bytes,
        formulas,
        other_encodings,
        mixed_encodings,
        odd_signs,
        line_ends,
        absurd_numbers,
        absurd_dates,
        stray_quotes,
        ragged,
        lines_moved,
        other_separators,
        nearly_empty,
    )
}
BINARY: dict[str, Mutation] = {
    mutation.__name__.replace("_", " "): mutation
    for mutation in (truncated, bit_flipped, bytes_inserted, piece_lost, piece_repeated, nearly_empty)
}
