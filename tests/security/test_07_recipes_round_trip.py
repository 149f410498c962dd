"""Whatever stands in a header, the recipe that is downloaded names the same column."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from insanonym_core.recipe import Recipe, Step
from insanonym_core.recipe_file import recipe_from_text, recipe_to_text

# Line breaks for YAML or Python, controls, a byte order mark, spaces that are not blanks.
SPECIAL = (
    "\x00\x01\x07\x1b\t\n\r\x0b\x0c\x1c\x85\x9f\xa0\u2028\u2029\u200b\u3000\ufeff\ufffe\U0010ffff"
    "'\"\\#:,[]{} -?&*!%@`"
)
NAMES = st.text(st.one_of(st.characters(), st.sampled_from(SPECIAL)), min_size=1, max_size=200)


def named(name: str) -> Recipe:
    """A recipe in which the name stands wherever one can."""
    return Recipe(
        (Step("suppress_rare_values", {"k": 5, "columns": (name, "other")}),),
        data=name.replace("\0", "") or "a",
        kind="table",
        roles={"identifier": name, "quasi": (name,), "by": name},
        reading={"without": (name,)},
        descriptions={name: name},
    )


@given(NAMES)
@example("a\x85b")
@example("\u2028")
@example("town\u3000")
@example("x" * 129 + "\u2029y")
def test_every_name_reads_back_as_it_was(name: str) -> None:
    text = recipe_to_text(named(name))
    assert recipe_from_text(text) == named(name)
    assert text.encode().decode() == text


@pytest.mark.parametrize("sign", SPECIAL)
def test_every_special_sign_reads_back(sign: str) -> None:
    for name in (sign, f"a{sign}b", f"{sign}a", f"a{sign}", sign * 3):
        assert recipe_from_text(recipe_to_text(named(name))) == named(name)


@given(NAMES)
def test_every_field_stays_on_its_line(name: str) -> None:
    text = recipe_to_text(named(name))
    assert [line.split(":")[0] for line in text.splitlines()] == [
        "data", "kind", "roles", "reading", "descriptions", "steps", "  - suppress_rare_values",
    ]  # fmt: skip
