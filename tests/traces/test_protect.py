"""Tables of traces published together: nothing masked can be worked out by subtraction.

Two independent ways to look: every way to fill in the published counts, tried out, and the cheapest
protection there is, by scipy's `milp`.
"""

import re
from collections import defaultdict
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.optimize import Bounds, LinearConstraint, milp

from insanonym_core.errors import DataError, UsageError
from insanonym_core.traces import (
    TraceTable,
    differencing,
    mask_small_counts,
    protect,
    read_trace_table,
    write_trace_table,
)
from tests.levels import examples

DOCS = (Path(__file__).parents[2] / "docs" / "tables.md").read_text("utf-8")


def table(counts):
    return TraceTable.from_counts(list(counts), np.array(list(counts.values())))


def shown(protected):
    return {
        name: dict(zip(masked.table.traces, masked.table.published(), strict=True))
        for name, masked in protected.tables.items()
    }


def options(text):
    """The counts that a published one may stand for, as a reader understands it."""
    if text.startswith("<"):
        return range(1, int(text[1:]))
    low, _, high = text.partition(" to ")
    return range(int(low), int(high or low) + 1)


def possible_values(plain, tables, people):
    """By trying out: the values that every count can have, by (table, trace).

    `plain` are the published counts without a prefix or None, `tables` those of each table with one.
    """
    tails = list(plain) if plain else list(dict.fromkeys(trace[1:] for trace in tables[0]))
    spread = [range(1, people + 1) if plain is None else options(plain[tail]) for tail in tails]
    fillings = []
    for published in tables:
        by_totals = {}
        for counts in product(*(options(text) for text in published.values())):
            if sum(counts) == people:
                totals = dict.fromkeys(tails, 0)
                for trace, count in zip(published, counts, strict=True):
                    totals[trace[1:]] += count
                by_totals.setdefault(tuple(totals.values()), []).append(counts)
        fillings.append(by_totals)
    found = {}
    for totals in product(*spread):
        if sum(totals) == people and all(totals in by_totals for by_totals in fillings):
            for tail, total in zip(tails, totals, strict=True):
                found.setdefault((0, tail), set()).add(total)
            for number, (published, by_totals) in enumerate(zip(tables, fillings, strict=True), start=1):
                for counts in by_totals[totals]:
                    for trace, count in zip(published, counts, strict=True):
                        found.setdefault((number, trace), set()).add(count)
    return found


@st.composite
def instances(draw, most=6):
    """One to three traces, up to two tables with a prefix, sometimes without the plain one."""
    plain = draw(st.dictionaries(st.sampled_from([("x",), ("y",), ("z",)]), st.integers(1, most), min_size=1))
    tables = []
    for name in range(draw(st.integers(0, 2))):
        counts = {}
        for tail, total in plain.items():
            for _ in range(total):
                first = f"{name}{draw(st.integers(0, 2))}"
                counts[first, *tail] = counts.get((first, *tail), 0) + 1
        tables.append(counts)
    with_plain = not tables or draw(st.booleans())
    return plain if with_plain else None, tables, draw(st.integers(2, 4)), draw(st.integers(2, 4))


def protected_instance(plain, tables, threshold, values):
    named = {f"t{number}": table(counts) for number, counts in enumerate(tables)}
    return protect({"plain": table(plain)} if plain else {}, named, threshold, values)


@given(instances())
@examples(40)
def test_trying_everything_out_pins_nothing_and_finds_no_range_narrower_than_asked(instance):
    plain, tables, threshold, values = instance
    people = sum((plain or tables[0]).values())
    found = protected_instance(*instance)
    texts = shown(found)
    published = [texts[f"t{number}"] for number in range(len(tables))]
    size = np.prod([float(len(options(text))) for one in published for text in one.values()])
    assume(size < 20_000)
    possible = possible_values(texts.get("plain"), published, people)
    masked = [
        len(possible[number, trace])
        for number, one in enumerate([texts.get("plain", {}), *published])
        for trace, text in one.items()
        if text.startswith("<")
    ]
    assert min(masked, default=None) == found.values, "what it says of itself is what can be found"
    if found.values is not None and found.values < values:
        assert cheapest(*instance) is None, "it gives up only where nothing protects"
    for number, one in enumerate([plain or {}, *tables]):
        for trace, count in one.items():  # every count stands for the true one, and small ones are masked
            text = ([texts.get("plain", {}), *published])[number][trace]
            assert count in options(text)
            assert text.startswith("<") or count >= threshold


def cheapest(plain, tables, threshold, values):
    """The least price that protects, by mixed-integer programming; None if nothing does.

    For every count that looks masked there must be two ways to fill everything in that are values − 1 apart.
    """
    everything = [(0, tail, count) for tail, count in (plain or {}).items()]
    everything += [(number, *one) for number, counts in enumerate(tables, 1) for one in counts.items()]
    people = sum((plain or tables[0]).values())
    top = people.bit_length() + 2

    def span(count, level):
        base = threshold * 2 ** max(0, level - 1)
        if level == 0:
            return count, count
        return max(1, count // base * base), min(people, count // base * base + base - 1)

    steps = [
        (cell, level) for cell, one in enumerate(everything) for level in range(one[2] < threshold, top + 1)
    ]
    price = [everything[cell][2] * (level - (everything[cell][2] < threshold)) for cell, level in steps]
    fillings = 2 * len(everything)  # a low and a high one for each count
    width = len(steps) + fillings * len(everything)
    rows, lows, highs = [], [], []

    def add(terms, low, high):
        row = np.zeros(width)
        for place, factor in terms:
            row[place] += factor
        rows.append(row)
        lows.append(low)
        highs.append(high)

    tails = list(plain) if plain else list(dict.fromkeys(trace[1:] for trace in tables[0]))
    for cell in range(len(everything)):
        add([(place, 1) for place, step in enumerate(steps) if step[0] == cell], 1, 1)
    for filling in range(fillings):
        value = [len(steps) + filling * len(everything) + cell for cell in range(len(everything))]
        for cell, (_, _, count) in enumerate(everything):
            own = [(place, span(count, level)) for place, (of, level) in enumerate(steps) if of == cell]
            add([(value[cell], 1), *((place, -low) for place, (low, _) in own)], 0, np.inf)
            add([(value[cell], 1), *((place, -high) for place, (_, high) in own)], -np.inf, 0)
        for tail in tails:
            sums = [
                [
                    (value[cell], 1)
                    for cell, one in enumerate(everything)
                    if one[0] == number and one[1][1:] == tail
                ]
                for number in range(1, len(tables) + 1)
            ]
            if plain:
                sums.append([(value[cell], 1) for cell, one in enumerate(everything) if one[:2] == (0, tail)])
            for other in sums[1:]:
                add([*sums[0], *((place, -1) for place, _ in other)], 0, 0)
        first = everything[0][0]
        add([(value[cell], 1) for cell, one in enumerate(everything) if one[0] == first], people, people)
    for cell, (_, _, count) in enumerate(everything):
        low, high = (len(steps) + (2 * cell + end) * len(everything) + cell for end in (0, 1))
        looks_masked = [
            (place, -(values - 1))
            for place, (of, level) in enumerate(steps)
            if of == cell and span(count, level)[0] < threshold
        ]
        add([(high, 1), (low, -1), *looks_masked], 0, np.inf)
    found = milp(
        np.concatenate([price, np.zeros(width - len(price))]),
        constraints=LinearConstraint(np.array(rows), lows, highs),
        integrality=np.arange(width) < len(steps),
        bounds=Bounds(np.zeros(width), np.where(np.arange(width) < len(steps), 1, people)),
        options={"presolve": False},  # with it HiGHS of scipy 1.17 calls 50 the least where 39 protects
    )
    return None if found.x is None else round(found.fun)


def random_instance(rng):
    """Traces of up to 30 people by one or two prefixes: larger than what can be tried out."""
    plain, tables = {}, [{} for _ in range(int(rng.integers(1, 3)))]
    for tail in range(int(rng.integers(1, 4))):
        total = int(rng.integers(1, 30))
        plain[(f"t{tail}",)] = total
        for number, counts in enumerate(tables):
            shares = rng.multinomial(total, rng.dirichlet(np.full(3, 0.7)))
            counts |= {(f"{number}{one}", f"t{tail}"): int(n) for one, n in enumerate(shares) if n}
    return plain, tables, int(rng.integers(3, 11)), int(rng.integers(2, 4))


def prices(number, seed=1):
    """Price found and the least price for random instances that can be protected."""
    rng, found = np.random.default_rng(seed), []
    for _ in range(number):
        instance = random_instance(rng)
        least = cheapest(*instance)
        ours = protected_instance(*instance)
        if least is None:
            assert ours.values < instance[3]
        else:
            assert ours.values is None or ours.values >= instance[3], "what can be protected is"
            assert ours.price >= least
            found.append((ours.price, least))
    return np.array(found)


@pytest.mark.slow
def test_the_price_is_near_the_least_there_is():
    found = prices(12)
    assert found[:, 0].sum() <= 1.15 * found[:, 1].sum()


MASTER = ("IG.Master.4.G4INF", "IG.Master Rec.5.G5PLS")
DUT = ("IUTSD.DUT.1.S1TC", "IUTSD.DUT.2.S2TC")


def source_tables():
    """The example of the source: nine bacs, one person each, beside the traces that its text quotes."""
    with_bac = {("Bacs généraux ES", *DUT): 460, ("Bacs généraux S", *DUT): 120, ("Equivalences", *DUT): 4}
    with_bac |= {(f"bac {number}", *MASTER): 1 for number in range(9)}
    rare = {("A3AG", f"G{number}INF"): 4 + number for number in range(4)}  # as in its list of rare ones
    with_bac |= {("Bacs généraux S", *trace): count for trace, count in rare.items()}
    return {DUT: 584, MASTER: 9} | rare, with_bac


def test_the_example_of_the_source_is_protected():
    plain, with_bac = source_tables()
    masked = [table({trace: max(1, n * (n >= 10)) for trace, n in one.items()}) for one in (plain, with_bac)]
    given_away = differencing(masked[1], masked[0], 10)
    assert given_away.pinned == 11, "the nine, their sum, and 584 − 460 − 120"
    found = protect({"plain": table(plain)}, {"bac": table(with_bac)}, 10, 4)
    tables = [found.tables[name].table for name in ("bac", "plain")]
    assert differencing(*tables, 10, width=2).disclosures == ()
    assert found.values >= 4
    # The price: the nine together read <20 instead of <10, and the smallest of 584 = 460 + 120 + 4 a range.
    assert shown(found)["plain"][MASTER] == "<20"
    assert shown(found)["bac"]["Bacs généraux S", *DUT] == "120 to 129"
    assert (found.raised, found.individuals) == (2, 129)


def test_ranges_are_written_and_read_back(tmp_path):
    plain, with_bac = source_tables()
    found = protect({"plain": table(plain)}, {"bac": table(with_bac)}, 10, 4)
    texts = {text for one in shown(found).values() for text in one.values()}
    assert any(" to " in text for text in texts)
    for name, masked in found.tables.items():
        write_trace_table(masked.table, tmp_path / f"{name}.csv")
        again = read_trace_table(tmp_path / f"{name}.csv", 10)
        assert again.published() == masked.table.published()
        assert again.ranges()[1].tolist() == masked.table.ranges()[1].tolist()


def test_what_a_range_may_be():
    from insanonym_core.traces.protection_group import bounds

    assert [bounds(27, level, 10) for level in range(5)] == [(27, 27), (20, 29), (20, 39), (1, 39), (1, 79)]
    assert [bounds(3, level, 10) for level in range(3)] == [(1, 9), (1, 9), (1, 19)]
    assert bounds(1, 0, 2) == (1, 1)


def test_without_anybody_to_hide_among_it_says_so():
    found = protect({"plain": table({("a",): 1, ("b",): 1})}, {}, 10, 3)
    assert found.values == 1
    assert protect({"plain": table({("a",): 12})}, {}, 10, 3).values is None


def test_only_what_is_needed_is_made_coarser():
    """Sums that hide each other already cost nothing; 27 = 20 + 7 costs the cheapest larger count."""
    found = protect(
        {"plain": table({("x",): 36})}, {"b": table({("S", "x"): 20, ("L", "x"): 8, ("M", "x"): 8})}
    )
    assert (found.raised, found.price, found.values) == (0, 0, 3)
    found = protect({"plain": table({("x",): 27})}, {"b": table({("S", "x"): 20, ("L", "x"): 7})})
    assert shown(found) == {"plain": {("x",): "27"}, "b": {("S", "x"): "20 to 29", ("L", "x"): "<10"}}
    assert (found.raised, found.individuals, found.price, found.values) == (1, 20, 20, 7)


@pytest.mark.parametrize(
    ("plain", "prefixed", "message"),
    [
        ({"a": {("x",): 3}, "b": {("x",): 3}}, {}, "at most one table without a prefix"),
        ({}, {}, "one table at least"),
        ({"a": {("x",): 3}}, {"b": {("S", "x"): 4}}, "add up to 3, 4"),
        ({"a": {("x",): 3, ("y",): 1}}, {"b": {("S", "x"): 4}}, "do not belong together"),
        ({"a": {("x",): 3}}, {"b": {("S", "y"): 3}}, "do not belong together"),
    ],
)
def test_tables_that_do_not_belong_together(plain, prefixed, message):
    made = [{name: table(counts) for name, counts in tables.items()} for tables in (plain, prefixed)]
    with pytest.raises((UsageError, DataError), match=message):
        protect(*made)


@pytest.mark.parametrize("values", [1, 0, 2.5, True])
def test_values_are_a_whole_number_from_two(values):
    with pytest.raises(UsageError, match="whole number of 2 or more"):
        protect({"a": table({("x",): 3})}, {}, 10, values)


def test_masked_tables_are_refused():
    with pytest.raises(UsageError, match="true counts"):
        protect({"a": mask_small_counts(table({("x",): 3}), 10).table})


@pytest.mark.slow
def test_who_knows_the_procedure_rules_more_out_as_it_is_told():
    """All ways to have 20 people in four lines: those published alike are what the attacker is left with."""
    published = defaultdict(list)
    for one, two, three in product(range(1, 18), repeat=3):
        if one + two + three < 20:
            counts = dict(zip(product("SL", "xy"), (one, two, three, 20 - one - two - three), strict=True))
            plain = {(tail,): counts["S", tail] + counts["L", tail] for tail in "xy"}
            found = protect({"plain": table(plain)}, {"bac": table(counts)}, 5, 3)
            if found.values is None or found.values >= 3:
                texts = shown(found)
                key = tuple(text for name in texts for _, text in sorted(texts[name].items()))
                published[key].append((texts["bac"], counts))
    left = [
        (len({counts[trace] for _, counts in alike}), len(alike))
        for alike in published.values()
        for trace, text in alike[0][0].items()
        if text.startswith("<")
    ]
    total = sum(number for _, number in left)
    shares = [sum(number for values, number in left if values < limit) / total for limit in (3, 2)]
    said = re.search(r"leaves (\d+) % of the masked counts\nfewer than three values and pins (\d+) %", DOCS)
    assert [f"{share:.0%}" for share in shares] == [f"{number}%" for number in said.groups()]
