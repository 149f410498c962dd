"""What the fuzz suite tried, printed at the end of the test run.

Tests may run in processes of their own: the counts travel with their reports, as properties.
"""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

PROPERTY = "hostile files"


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Inputs by reader and by kind, accepted and refused, and the slowest."""
    reports = [report for some in terminalreporter.stats.values() for report in some]
    found = [
        json.loads(value)
        for report in reports
        if getattr(report, "when", "") == "teardown"  # one for each test, with all that it noted
        for name, value in getattr(report, "user_properties", [])
        if name == PROPERTY
    ]
    if found:
        terminalreporter.section(PROPERTY)
        for line in lines(found):
            terminalreporter.write_line(line)


def lines(found: list[dict[str, Any]]) -> list[str]:
    """The summary of some tallies."""
    kinds, outcomes = Counter[str](), Counter[str]()
    told = [f"{'reader':32}{'inputs':>8}{'accepted':>10}{'refused':>9}{'failed':>8}   slowest"]
    for one in sorted(found, key=lambda one: one["reader"]):
        kinds.update(one["kinds"])
        outcomes.update(one["outcomes"])
        counts = [one["outcomes"].get(name, 0) for name in ("accepted", "refused", "failed")]
        seconds, kind = one["slowest"]
        told.append(
            f"{one['reader']:32}{sum(counts):8,}{counts[0]:10,}{counts[1]:9,}{counts[2]:8,}"
            f"   {seconds:.2f} s  {kind}"
        )
    seconds, kind, reader = max((*one["slowest"], one["reader"]) for one in found)
    by_kind = ", ".join(f"{name} {count:,}" for name, count in sorted(kinds.items()))
    return [
        *told,
        "",
        f"By kind: {by_kind}.",
        f"{kinds.total():,} inputs: {outcomes['accepted']:,} accepted and sound, "
        f"{outcomes['refused']:,} refused with a sentence, {outcomes['failed']:,} failed.",
        f"The slowest took {seconds:.2f} s ({kind}, {reader}).",
    ]
