"""A recipe in the address: it comes back as it was; what is hostile is one sentence, and opens no file."""

from __future__ import annotations

import base64
import builtins
import contextlib
import io
import json
import os
import zlib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from insanonym_core.errors import InsanonymError, UsageError
from insanonym_core.kinds import all_kinds
from insanonym_core.presets import presets_of
from insanonym_core.recipe import Recipe, Step
from insanonym_core.recipe_file import recipe_from_text, recipe_to_text
from insanonym_core.registry import methods
from insanonym_dashboard.links import BROKEN, MAX_UNPACKED, pack, unpack, without_file
from tests.helpers import values_of
from tests.levels import examples

ENTRIES = [(kind, entry) for kind in all_kinds() for entry in methods.all(data=kind)]
NAMED = pytest.mark.parametrize(("kind", "entry"), ENTRIES, ids=[f"{kind}-{e.name}" for kind, e in ENTRIES])


def packed(content: object) -> str:
    text = content if isinstance(content, bytes) else json.dumps(content).encode()
    return base64.urlsafe_b64encode(zlib.compress(text)).decode().rstrip("=")


@NAMED
@examples(25)
@given(given_values=st.data(), seed=st.none() | st.integers(0, 2**63 - 1))
def test_the_recipe_of_every_method_comes_back(kind, entry, given_values, seed):
    values = {
        name: given_values.draw(values_of(one.constraint), name) for name, one in entry.parameters.items()
    }
    demo = next(iter(all_kinds()[kind].demos))
    try:
        recipe = Recipe((Step(entry.name, values),), data=demo, kind=kind, seed=seed)
    except UsageError:
        return  # two values that are allowed alone exclude each other
    found = unpack(pack(recipe))
    assert found == recipe.complete()
    assert found.hash == recipe.hash
    assert recipe_from_text(recipe_to_text(found)) == found


@pytest.mark.parametrize("kind", list(all_kinds()))
def test_every_preset_comes_back_and_is_short_enough_for_an_address(kind):
    for preset in presets_of(all_kinds()[kind]):
        recipe = preset.recipe
        text = pack(recipe)
        assert unpack(text).hash == recipe.hash
        assert len(text) < 2000
        assert set(text) <= set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")


@given(st.text(min_size=1, max_size=40))
def test_names_of_columns_come_back_whatever_they_hold(name):
    step = Step("suppress_rare_values", {"k": 5, "columns": (name,)})
    recipe = Recipe((step,), data="demo:patients", kind="table", roles={"quasi": (name,)})
    try:
        text = pack(recipe)
    except UnicodeEncodeError:
        pytest.fail("a name that cannot be packed")
    assert unpack(text) == recipe.complete()


PATHS = (
    "/etc/passwd",
    "../../etc/passwd",
    "C:\\secret.csv",
    "file:///etc/passwd",
    "http://127.0.0.1/x.csv",
    "s3://bucket/x",
    "demo:nothing",
    "./demo:patients",
    "patients.csv",
)


@pytest.fixture
def no_files(monkeypatch):
    """Nothing is opened while a link is read."""

    def refuse(*asked: Any, **_: Any) -> Any:
        raise AssertionError(f"a file was opened: {asked[0]}")

    def guarded() -> None:
        for owner, name in ((builtins, "open"), (io, "open"), (os, "open"), (Path, "open")):
            monkeypatch.setattr(owner, name, refuse)

    yield guarded
    monkeypatch.undo()


@pytest.mark.parametrize("path", PATHS)
def test_a_file_of_the_server_is_never_named_nor_opened(path, no_files):
    fields = {"data": path, "kind": "table", "seed": 1, "steps": [{"mondrian": {"k": 3}}]}
    recipe = Recipe((Step("mondrian", {"k": 3}),), data=path, kind="table", seed=1)
    unpack(pack(recipe))  # whatever is imported lazily is there
    no_files()
    for found in (unpack(packed(fields)), unpack(pack(recipe)), without_file(recipe)):
        assert found.data is None
        assert found.seed is None
        assert found.kind == "table"


def test_a_demonstration_set_of_another_kind_is_not_taken():
    fields = {"data": "demo:mobility", "kind": "table", "steps": [{"mondrian": {"k": 3}}]}
    assert unpack(packed(fields)).data is None


def zeros(size: int) -> str:
    return packed(b" " * size)


GOOD = packed({"kind": "table", "data": "demo:patients", "steps": []})
HOSTILE = {
    "nothing": "",
    "no base64": "%%%%",
    "letters beyond ASCII": "é" * 20,
    "a lone surrogate": "\ud800",
    "one letter": "A",
    "no deflate": base64.urlsafe_b64encode(b"hello, world").decode(),
    "cut": GOOD[: len(GOOD) // 2],
    "not UTF-8": packed(b'{"kind": "\xff\xfe"}'),
    "UTF-16": packed('{"kind": "table"'.encode("utf-16")),
    "no JSON": packed(b"{'kind': 1}"),
    "deep": packed(b"[" * 50_000 + b"]" * 50_000),
    "a number of many digits": packed(b"9" * 50_000),
    "a list": packed([1, 2]),
    "a text": packed("steps"),
    "null": packed(None),
    "an unknown field": packed({"code": "import os"}),
    "an unknown kind": packed({"kind": "nothing"}),
    "kind is a list": packed({"kind": []}),
    "an unknown method": packed({"kind": "table", "steps": [{"eval": {"x": 1}}]}),
    "steps are text": packed({"kind": "table", "steps": "mondrian"}),
    "a value of the wrong type": packed({"kind": "table", "steps": [{"mondrian": {"k": {"a": []}}}]}),
    "not a number": packed(b'{"kind": "table", "steps": [{"mondrian": {"k": NaN}}]}'),
    "infinite": packed(b'{"kind": "table", "steps": [{"mondrian": {"k": Infinity}}]}'),
    "a seed that is none": packed({"kind": "table", "seed": {"a": 1}, "steps": []}),
    "rules that are none": packed({"kind": "mobility", "rules": [1], "steps": []}),
    "roles that are none": packed({"kind": "table", "roles": ["a"], "steps": []}),
    "data that is none": packed({"kind": "table", "data": ["a"], "steps": []}),
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_link_is_one_sentence(text):
    with pytest.raises(InsanonymError) as error:
        unpack(text)
    said = str(error.value)
    assert "\n" not in said
    assert len(said) < 400


@pytest.mark.slow
def test_a_limit_of_bytes_is_exact_and_a_bomb_is_not_unpacked():
    with pytest.raises(UsageError, match="more than 100000 bytes"):
        unpack(zeros(MAX_UNPACKED + 1))
    with pytest.raises(UsageError, match=BROKEN[:30]):
        unpack(zeros(MAX_UNPACKED))  # read, and no recipe
    import tracemalloc

    bomb = zeros(200_000_000)
    assert len(bomb) < 400_000
    tracemalloc.start()
    try:
        with pytest.raises(UsageError, match="more than 100000 bytes"):
            unpack(bomb)
        assert tracemalloc.get_traced_memory()[1] < 10_000_000
    finally:
        tracemalloc.stop()


@given(st.text(max_size=60) | st.binary(max_size=60).map(lambda raw: packed(raw)))
def test_any_text_is_a_recipe_or_a_sentence(text):
    with contextlib.suppress(InsanonymError):
        assert unpack(text).data is None
