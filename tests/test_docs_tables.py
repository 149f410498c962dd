"""docs/tables.md names everything there is."""

from pathlib import Path

import pytest

from insanonym_core.registry import methods, metrics

TEXT = (Path(__file__).parents[1] / "docs" / "tables.md").read_text("utf-8")
NAMES = [entry.name for registry in (methods, metrics) for entry in registry.all(data="table")]


@pytest.mark.parametrize("name", NAMES)
def test_it_is_documented(name):
    assert f"`{name}`" in TEXT
