"""The process that opens hostile files: it has a limit on its memory, and may die without harm.

It is told which input to begin with; for each it prints one line before and one after.
"""

from __future__ import annotations

import json
import os
import re
import resource
import shutil
import sys
import tempfile
import time
import traceback
import warnings
from pathlib import Path

from insanonym_core.errors import InsanonymError
from insanonym_core.io import sources
from tests.fuzz import campaign
from tests.fuzz.seeds import SECRET

SPARE = 1_500_000_000  # bytes beside what Python and its libraries take
LONGEST_MESSAGE = 6_000
TENTH = 10  # so much less may be unpacked here: a bomb then takes a tenth of the time to make, too
_NAMES = re.compile(r"columns? (?:called |named )?'[^']*'|choose from: .*|columns are: .*")


def main() -> None:
    """Try all inputs from a certain one on."""
    more, skip = map(int, sys.argv[1:])
    warnings.simplefilter("error")
    sources.UNPACK_LIMIT //= TENTH
    sources._UNSUSPICIOUS //= TENTH
    with tempfile.TemporaryDirectory() as folder:
        for way in campaign.WAYS.values():  # what is imported late does not count as an input's
            _try(way, way.sound[0](), Path(folder))
        _limit()
        for place, (name, kind, number) in enumerate(campaign.inputs(more)):
            if place < skip:
                continue
            content = campaign.made(name, kind, number)
            _tell({"begin": place, "reader": name, "kind": kind, "number": number})
            begun = time.perf_counter()
            outcome, message = _try(campaign.WAYS[name], content, Path(folder))
            seconds = time.perf_counter() - begun
            _tell({"place": place, "outcome": outcome, "message": message, "seconds": seconds})
    _tell({"end": True})
    os._exit(0)  # Arrow's threads sometimes end badly


def _limit() -> None:
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + SPARE,) * 2)


def _tell(content: dict[str, object]) -> None:
    sys.__stdout__.write(json.dumps(content) + "\n")
    sys.__stdout__.flush()


def _try(way: campaign.Way, content: bytes, folder: Path) -> tuple[str, str]:
    path, room = folder / "given.data", folder / "room"
    path.write_bytes(content)
    room.mkdir()
    try:
        way.read(path, room)
        return "accepted", ""
    except InsanonymError as error:
        return _looked_at(str(error), folder)
    except BaseException:
        return "failed", traceback.format_exc(limit=-6)
    finally:
        shutil.rmtree(room)


def _looked_at(message: str, folder: Path) -> tuple[str, str]:
    """A refusal must be a sentence for people, and must not say what stood in the file."""
    if SECRET in _NAMES.sub("", message):
        return "failed", f"the message tells what stood in a cell: {message[:500]}"
    if len(message) > LONGEST_MESSAGE or not message.strip() or "Traceback" in message:
        return "failed", f"no sentence for people: {message[:500]}"
    return "refused", message[:200]


if __name__ == "__main__":
    main()
