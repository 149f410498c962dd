"""The reference is whole: each item and preset has what its page needs, and the examples are true."""

import re

import pytest

from docs_site import commands, python_api
from docs_site.items import FAMILIES, additions, items, our_kinds
from docs_site.pages import PARTS, defeats, page
from insanonym_core.presets import all_presets
from insanonym_core.registry import attacks, methods, metrics
from tests.docs.reading import DOCS

ITEMS = {item.path: item for item in items()}
REGISTERED = [
    (entry, registry.sort)
    for registry in (methods, metrics, attacks)
    for entry in registry.all()
    if entry.data in {kind.name for kind in our_kinds()}
]


def part(text: str, title: str) -> str:
    """What stands under a heading of a page."""
    return text.partition(f"\n## {title}\n")[2].partition("\n## ")[0].strip()


@pytest.mark.parametrize(("entry", "sort"), REGISTERED, ids=lambda one: getattr(one, "key", ""))
def test_every_registered_item_has_a_page(entry, sort):
    family = {"method": "methods", "attack": "attacks"}.get(sort, entry.family)
    item = ITEMS[f"reference/{entry.data}/{family}/{entry.name}.md"]
    assert entry in item.entries


def test_every_preset_has_a_page():
    named = {(one.kind.name, one.name) for one in ITEMS.values() if one.preset}
    assert {(one.recipe.kind, one.name) for one in all_presets() if one.recipe.kind in dict(named)} == named


def test_what_is_added_is_whole_and_nothing_is_left_over():
    added = {
        f"reference/{kind}/{family}/{name}.md": facts
        for kind, families in additions().items()
        for family, found in families.items()
        for name, facts in found.items()
    }
    assert set(added) <= set(ITEMS)
    without_rule = [
        path for path, one in ITEMS.items() if one.family == "methods" and not one.added.get("rule")
    ]
    measures = {path for path, one in ITEMS.items() if one.family in ("privacy", "utility")}
    assert without_rule == []
    assert [path for path in measures if not added.get(path, {}).get("limits")] == []
    assert {one.name for one in ITEMS.values() if one.family == "attacks"} <= set(defeats())


def test_every_parameter_is_there_with_its_default_and_its_range():
    for item in ITEMS.values():
        if item.entries:
            for entry in item.entries:
                text = page_without_example(item)
                for name, parameter in entry.parameters.items():
                    row = re.search(rf"^\| `{name}` \|.*$", text, re.M)[0]
                    assert parameter.written() in row
                    assert str(parameter.constraint.allowed()) in row


def page_without_example(item):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("docs_site.pages.example", lambda item: "")
        return page(item)


@pytest.mark.slow
def test_examples_are_true():
    """Against numbers worked out here, not by the package."""
    by_hand = {
        "reference/mobility/utility/date.md": (r"v2 (\S+)\nv1 (\S+)", (4 / 7, 5 / 12)),
        "reference/mobility/utility/poi.md": (r"v2 (\S+)\nv1 (\S+)", (3 / 5, 17 / 36)),
        "reference/mobility/attacks/naive.md": (r"re-identified: (\S+)", (3 / 4,)),
        "reference/mobility/privacy/week_classes.md": (r"\n(\S+)\n```", (1 / 4,)),
        "reference/table/privacy/k.md": (r"privacy.k = (\S+)", (4,)),
        "reference/table/privacy/prosecutor_mean.md": (r"privacy.prosecutor_mean = (\S+)", (2 / 9,)),
        "reference/traces/privacy/pinned.md": (r"privacy.pinned = (\S+)", (1 / 5,)),
        "reference/traces/utility/counted.md": (r"utility.counted = (\S+)", (7 / 9,)),
    }
    for path, (pattern, expected) in by_hand.items():
        found = re.findall(pattern, part(page(ITEMS[path]), "Worked example"))[-1]
        numbers = [float(one) for one in ([found] if isinstance(found, str) else found)]
        assert numbers == pytest.approx(expected, abs=5e-5), path


@pytest.mark.slow
def test_a_release_of_the_example_keeps_its_promise():
    text = part(page(ITEMS["reference/table/methods/mondrian.md"]), "Worked example")
    rows = re.findall(r"^ +([mf] .*?) +\w+$", text.partition("for table in")[2], re.M)
    assert len(rows) == 9
    assert min(map(rows.count, rows)) >= 3


def test_every_page_of_docs_is_in_the_navigation():
    from tests.docs.reading import text_of

    named = set(re.findall(r": ([\w.]+\.md)$", text_of("mkdocs.yml"), re.M))
    assert {one.name for one in DOCS.glob("*.md")} <= named


@pytest.mark.slow
def test_every_command_is_described():
    text = commands.page()
    names = [name for name, _ in commands.commands()]
    assert {"score", "table mondrian", "league serve", "avatars make", "traces protect"} <= set(names)
    for name, command in commands.commands():
        section = text.partition(f"\n## insanonym {name}\n")[2].partition("\n## ")[0]
        for one in command.params:
            if one.param_type_name == "option" and not getattr(one, "hidden", False):
                assert one.opts[0] in section, (name, one.name)


def test_every_public_name_of_python_is_described():
    import insanonym_core as insanonym

    text = python_api.page()
    for name in insanonym.__all__:
        if not name.startswith("__"):
            assert len(part(text, name)) > 60, name
    assert "### Result.release" in text
    assert ">>> " in part(text, "anonymise")


def test_parts_are_those_that_were_asked_for():
    assert PARTS == ("Formula", "Parameters", "What it says, and what not", "Worked example", "Limits")
    assert set(FAMILIES) == {"methods", "attacks", "privacy", "utility", "presets"}
