"""What only millions of rows would reach."""

import pytest


@pytest.fixture(params=["in one piece", "in pieces"])
def in_pieces(request, monkeypatch):
    """Files are read and checked a million rows at a time; here also two at a time."""
    if request.param == "in pieces":
        monkeypatch.setattr("insanonym_core.numeric.grouping.PIECE", 2)
