"""Running the child, and counting what came of each input."""

from __future__ import annotations

import json
import os
import selectors
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.levels import at_level

HANG = 60  # seconds for one input: far more than any takes, on a busy machine too
MORE = "INSANONYM_FUZZ"
_ROOT = Path(__file__).parents[2]


def more() -> int:
    """How many times the usual number of inputs is asked for; 0: a quarter of it."""
    return int(os.environ.get(MORE) or at_level(0, 0, 5))


@dataclass
class Tally:
    """How many inputs of one reader were tried, by kind; what became of them; the slowest."""

    reader: str
    kinds: Counter[str] = field(default_factory=Counter)
    outcomes: Counter[str] = field(default_factory=Counter)
    slowest: tuple[float, str] = (0.0, "")
    failures: list[str] = field(default_factory=list)

    def note(self, kind: str, number: int, outcome: str, message: str, seconds: float) -> None:
        """Count one input."""
        self.kinds[kind] += 1
        self.outcomes[outcome] += 1
        self.slowest = max(self.slowest, (seconds, kind))
        if outcome == "failed":
            self.failures.append(f"{self.reader} / {kind} / {number}: {message}")

    def as_json(self) -> str:
        """For the summary at the end, which may be printed by another process."""
        return json.dumps(vars(self))


def run() -> dict[str, Tally]:
    """All inputs, by reader; one that ends its child, or hangs, has failed, and another child goes on."""
    tallies: dict[str, Tally] = {}
    place: int | None = 0
    while place is not None:
        place = _one_child(tallies, place)
    return tallies


def _one_child(tallies: dict[str, Tally], skip: int) -> int | None:
    """Where the next child must go on, None at the end."""
    command = [sys.executable, "-m", "tests.fuzz.child", str(more()), str(skip)]
    doing: dict[str, Any] = {}

    def note(outcome: str, message: str, seconds: float) -> None:
        tally = tallies.setdefault(doing["reader"], Tally(doing["reader"]))
        tally.note(doing["kind"], doing["number"], outcome, message, seconds)

    with subprocess.Popen(command, cwd=_ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as child:
        try:
            for line in _lines(child):
                found = json.loads(line)
                if "outcome" in found:
                    note(found["outcome"], found["message"], found["seconds"])
                    doing = {"begin": found["place"] + 1}
                else:
                    doing = found
        finally:
            child.kill()
        _, said = child.communicate()
    if "end" in doing:
        return None
    assert "kind" in doing, f"the child failed by itself: {said.decode()[-2000:]}"
    note("failed", f"the process died ({child.returncode}): {said.decode()[-500:]}", 0.0)
    return int(doing["begin"]) + 1


def _lines(child: subprocess.Popen[bytes]) -> Any:
    """Its lines as they come; a silence of a minute ends it."""
    assert child.stdout is not None
    with selectors.DefaultSelector() as selector:
        selector.register(child.stdout, selectors.EVENT_READ)
        rest = b""
        while selector.select(HANG):
            piece = os.read(child.stdout.fileno(), 1 << 16)
            if not piece:
                child.wait()
                return
            *lines, rest = (rest + piece).split(b"\n")
            yield from lines
