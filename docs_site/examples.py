"""The worked example of each item: code on small data, run while its page is made."""

from __future__ import annotations

import contextlib
import json
import re
import tempfile
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pandas as pd

import insanonym_core as insanonym
from docs_site.items import Item, items
from docs_site.running import frame_block, printed, shown
from docs_site.small_data import pairs_of_scores, patients, people, sides, students, track
from insanonym_core.recipe_file import recipe_to_text

_NAMES = {"mobility": "week", "table": "patients", "traces": "students", "avatars": "people"}
_SAID = {
    "mobility": "Four people in one week, `week`:",
    "table": "Nine patients, `patients`:",
    "traces": "Nine students of two sites, `students`:",
    "avatars": "Ten people, `people`:",
}
_ROLES = {
    "table": {"identifier": "name", "quasi": ["sex", "age", "town"], "sensitive": ["illness"]},
    "traces": {"identifier": "student"},
    "avatars": {"identifier": []},
}
_METHODS = {"table": "mondrian", "traces": "count_traces", "avatars": "mix_neighbours"}
_LARGER = {
    "table": ("demo:patients", {"quasi": ["sex", "age", "town"], "sensitive": ["diagnosis"]}),
    "avatars": ("demo:diabetes", {"identifier": []}),
}
_TEN = "id <= '010' and date < '2015-12-21'"
_TEN = "id <= '010' and date < '2015-12-21'"
_IMPORT = "import insanonym_core as insanonym\n\n"


@cache
def _frames() -> Mapping[str, pd.DataFrame]:
    return {"mobility": track(), "table": patients(), "traces": students(), "avatars": people()}


def example(item: Item) -> str:
    """The section of a page, as Markdown."""
    kind = item.kind.name
    if item.preset is not None:
        return _preset(item)
    if item.family == "methods":
        return _data(kind) + (_track_method(item) if kind == "mobility" else _table_method(item))
    if kind == "mobility":
        return _attack(item) if item.family == "attacks" else _track_measure(item)
    return _measure(item)


def _names(kind: str) -> dict[str, Any]:
    return {_NAMES[kind]: _frames()[kind].copy()}


def _data(kind: str) -> str:
    return f"{_SAID[kind]}\n\n{frame_block(_frames()[kind])}\n"


def _arguments(kind: str) -> str:
    given = {**_ROLES.get(kind, {}), "kind": kind, "seed": 1}
    return "".join(f"    {name}={_python(value)},\n" for name, value in given.items())


def _python(value: object) -> str:
    """Texts, numbers, lists and mappings as ruff would write them."""
    return json.dumps(value, ensure_ascii=False)


def step_of(item: Item) -> dict[str, Any]:
    """The step that an example of a method takes."""
    return {item.name: dict(item.added.get("step", {}))}


def _track_method(item: Item) -> str:
    code = f"""{_IMPORT}moved = insanonym.anonymise(week, {_python(step_of(item))}, seed=1)
print(moved.aligned.to_string(index=False))
found = insanonym.score(week, moved.aligned, attacks="none")
print(f"utility {{found.utility:.2f}}")"""
    return (
        "Row by row beside the original (`aligned`; to score, not to publish), and the mean of the utility "
        "scores:\n\n" + shown(code, _names("mobility"))
    )


def _table_method(item: Item) -> str:
    kind = item.kind.name
    code = f"""{_IMPORT}safe = insanonym.anonymise(
    {_NAMES[kind]},
    {_python(step_of(item))},
{_arguments(kind)})
for table in safe.tables.values():
    print(table.to_string(index=False))
print(f"privacy {{safe.privacy:.2f}}, utility {{safe.utility:.2f}}: {{safe.decided_by}}.")"""
    return "What is published, sorted and without the identifier, and the two headlines:\n\n" + shown(
        code, _names(kind)
    )


def _pair(item: Item) -> tuple[str, dict[str, Any], str]:
    """The pair of an item in docs/scores.md: as text, as two frames, and a link to the numbers by hand."""
    pairs = pairs_of_scores()
    text, heading = pairs.get(item.name, pairs["An example"])
    original, release = sides(text)
    anchor = re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", heading).strip().lower())
    said = "Each line is a row of `original`, an arrow, and its row of `release`; `DEL`: it is deleted.\n\n"
    link = f"\nThe same by hand: [{heading}](../../../scores.md#{anchor}).\n"
    return f"{said}```text\n{text}```\n\n", {"original": original, "release": release}, link


def _track_measure(item: Item) -> str:
    text, names, link = _pair(item)
    rules = [entry.rules for entry in item.entries if entry.rules]
    if rules:
        code = f"""{_IMPORT}for rules in {_python(rules)}:
    found = insanonym.score(original, release, rules=rules, attacks="none")
    print(rules, round(found.scores["value"]["utility.{item.name}"], 4))"""
    else:
        code = f"""{_IMPORT}found = insanonym.score(original, release)
print(round(found.scores["value"]["{item.entry.key}"], 4))"""
    return text + shown(code, names) + link


def _attack(item: Item) -> str:
    text, names, link = _pair(item)
    code = f"""{_IMPORT}found = insanonym.attack(original, release, "{item.name}")
print(found.guesses().to_string(index=False))
print("re-identified:", found.share)"""
    return (
        text
        + "The guesses, and the share of the four person-weeks that are re-identified:\n\n"
        + shown(code, names)
        + link
    )


def _measure(item: Item) -> str:
    """A measure of one step on small data; where it is not defined there, on demonstration data."""
    kind = item.kind.name
    code = _measuring(item, _NAMES[kind], _ROLES[kind])
    if "nan" not in printed(code, _names(kind)):
        return _data(kind) + shown(code, _names(kind))
    name, roles = _LARGER[kind]
    code = code.replace(_IMPORT, f'{_IMPORT}{_NAMES[kind]} = insanonym.read("{name}")\n')
    code = code.replace(_roles(_ROLES[kind]), _roles(roles))
    code = code.replace("print(found.release.to_string(index=False))\n", "")
    said = f"Nine rows are too few for it; the demonstration data `{name}` have {_rows(name)}.\n\n"
    return said + shown(code, {})


@cache
def _rows(name: str) -> int:
    return len(insanonym.read(name))


def _roles(roles: Mapping[str, Any]) -> str:
    return "{" + ", ".join(f"{_python(name)}: {_python(value)}" for name, value in roles.items()) + "}"


def _measuring(item: Item, frame: str, roles: Mapping[str, Any]) -> str:
    kind, key = item.kind.name, item.entry.key
    method = _METHODS[kind]
    own = next(one for one in items() if (one.kind.name, one.family, one.name) == (kind, "methods", method))
    values = item.added.get("step") or own.added.get("step", {})
    settings = item.added.get("settings")
    more = f"    settings={_python(settings)},\n" if settings else ""
    return f"""{_IMPORT}step = insanonym.Step("{method}", {_python(values)})
recipe = insanonym.Recipe(
    (step,),
    kind="{kind}",
    roles={_roles(roles)},
    seed=1,
{more})
found = insanonym.run(recipe, {frame}, only=["{key}"])
print(found.release.to_string(index=False))
print("{key} =", round(found.scores["value"]["{key}"], 4))"""


def _preset(item: Item) -> str:
    """The recipe of a preset on a part of its demonstration data."""
    assert item.preset is not None
    recipe = item.preset.recipe
    part, said = {
        "mobility": (f'insanonym.read("{recipe.data}").query("{_TEN}")', "ten people, one week"),
        "table": (f'insanonym.read("{recipe.data}").head(400)', "400 rows"),
        "traces": (f'insanonym.read("{recipe.data}", kind="traces").head(4000)', "4,000 rows"),
        "avatars": (f'insanonym.read("{recipe.data}").head(150)', "150 rows"),
    }[item.kind.name]
    only = sorted({key for what in ("privacy", "utility") for key in item.kind.headline(what).needs})
    code = f"""{_IMPORT}part = {part}
found = insanonym.run("{item.name}.yaml", part, only={_python(only)})
print(f"utility {{found.utility:.2f}}, privacy at most {{found.privacy:.2f}}: {{found.decided_by}}.")"""
    said = f"On a part of the demonstration data ({said}; few people are easier to find than many)"
    content = {f"{item.name}.yaml": recipe_to_text(recipe)}
    return f"{said}, with the recipe in the file `{item.name}.yaml`:\n\n{in_folder(content, code)}"


def in_folder(files: Mapping[str, str], code: str) -> str:
    """Code that finds these files where it runs."""
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        for name, content in files.items():
            Path(name).write_text(content, "utf-8")
        return shown(code, {})
