"""Freed memory is kept by programs, in a process of their own."""

import subprocess
import sys

import pytest

from insanonym_core.runtime.memory import keep_freed_memory

FAULTS = """
import resource
import sys
from insanonym_core.runtime.memory import keep_freed_memory
if sys.argv[1] == "kept":
    assert keep_freed_memory()
before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
for _ in range(20):
    b"x" * (50 << 20)  # is made, and freed at once
print(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
"""


def faults(how: str) -> int:
    done = subprocess.run([sys.executable, "-c", FAULTS, how], capture_output=True, text=True, check=True)
    return int(done.stdout)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="a setting of glibc")
def test_pages_are_not_fetched_again_and_again():
    assert faults("kept") < faults("returned") / 5


def test_elsewhere_nothing_happens(monkeypatch):
    def missing(_: None) -> None:
        raise OSError

    monkeypatch.setattr("ctypes.CDLL", missing)
    assert not keep_freed_memory.__wrapped__()
