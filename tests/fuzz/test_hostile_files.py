"""Thousands of spoilt files through every reader: each is refused with a sentence of ours, or sound.

The files are opened by a process of its own with a limit on its memory; a file that ends it, or that takes a
minute, is a failure. `make test-all` tries twenty times as many, INSANONYM_FUZZ=20 eighty times. An input
that failed is tried again by

    tests.fuzz.campaign.made(reader, kind, number)
"""

from __future__ import annotations

import sys

import pytest

from tests.fuzz import tally
from tests.fuzz.campaign import WAYS
from tests.fuzz.summary import PROPERTY

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="the limit on memory is Linux's"),
    pytest.mark.slow,
]


@pytest.fixture(scope="module")
def tallies():
    return tally.run()


@pytest.mark.parametrize("reader", WAYS)
def test_hostile_files(reader, tallies, record_property):
    found = tallies[reader]
    record_property(PROPERTY, found.as_json())
    assert not found.failures, "\n\n".join(found.failures[:5])
    assert found.outcomes["refused"] > 0
