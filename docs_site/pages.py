"""The page of each registered item as Markdown, from its own declaration."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache

import yaml

from docs_site.examples import example, step_of
from docs_site.items import FAMILIES, Item, items, our_kinds
from docs_site.small_data import DOCS
from insanonym_core.parameters import Parameter
from insanonym_core.recipe_file import recipe_to_text
from insanonym_core.registry import Entry
from insanonym_core.results.threats import Threat

PARTS = ("Formula", "Parameters", "What it says, and what not", "Worked example", "Limits")
_DEFINED = {
    ("mobility", "methods"): "methods.md",
    ("mobility", "utility"): "scores.md",
    ("mobility", "privacy"): "scores.md",
    ("mobility", "attacks"): "scores.md",
    ("table", "methods"): "tables.md",
    ("table", "privacy"): "tables.md",
    ("table", "utility"): "tables.md",
    ("traces", "methods"): "tables.md",
    ("traces", "privacy"): "tables.md",
    ("traces", "utility"): "tables.md",
}


def page(item: Item) -> str:
    """All parts of a page; a preset has its recipe in place of a formula."""
    head = f"# {item.title}\n\n`{item.name}` · {FAMILIES[item.family].lower()} · {item.kind.data_title}\n\n"
    if item.preset is not None:
        return head + _preset(item)
    sections = (_formula(item), _parameters(item), _says(item), example(item), _limits(item))
    return head + "\n".join(
        f"## {title}\n\n{text.strip()}\n" for title, text in zip(PARTS, sections, strict=True)
    )


def _formula(item: Item) -> str:
    if item.family == "methods":
        lines = [item.added.get("rule", "")]
    else:
        lines = [f"{one.rules}: {one.formula}" if one.rules else one.formula for one in item.entries]
    text = "```text\n" + "\n".join(lines) + "\n```\n" if all(lines) else ""
    where = _explained_in(item)
    if not where:
        return text
    title = (DOCS / where).read_text("utf-8").partition("\n")[0].removeprefix("# ")
    return f"{text}\nIn full, with every symbol: [{title}](../../../{where})."


def _explained_in(item: Item) -> str:
    """The page of docs/ that says more of it, if one does."""
    where = _DEFINED.get((item.kind.name, item.family), "avatars.md")
    if (DOCS / f"{item.name}.md").exists():
        return f"{item.name}.md"
    return where if f"`{item.name}`" in (DOCS / where).read_text("utf-8") else ""


def _parameters(item: Item) -> str:
    rows = []
    for name in dict.fromkeys(name for entry in item.entries for name in entry.parameters):
        found = {one.rules: one.parameters[name] for one in item.entries if name in one.parameters}
        written = {rules: _default(parameter) for rules, parameter in found.items()}
        alike = len(found) == len(item.entries) and len(set(written.values())) == 1
        default = (
            next(iter(written.values()))
            if alike
            else ", ".join(f"{value} ({rules})" for rules, value in written.items())
        )
        rows.append((f"`{name}`", default, str(next(iter(found.values())).constraint.allowed())))
    use = _use(item)
    if not rows:
        return f"It has none.\n\n{use}"
    return table(("parameter", "default", "allowed"), rows) + f"\n{use}"


def _default(parameter: Parameter) -> str:
    written = parameter.written()
    return f"`{written}`" if written else "none"


def _use(item: Item) -> str:
    """How it is named elsewhere."""
    if item.family == "methods":
        step = yaml.safe_dump([step_of(item)], default_flow_style=None, allow_unicode=True, width=100).strip()
        return f"In a recipe, under `steps`:\n\n```yaml\n{step}\n```\n"
    if item.family == "attacks":
        command = f"insanonym attack ORIGINAL RELEASE --method {item.name} -o guesses.json"
        return f"On the command line: `{command}`.\n"
    named = next(iter(item.entry.parameters), None)
    setting = f" A parameter is set by `settings: {{{item.name}.{named}: …}}` in a recipe." if named else ""
    return f"Its key in reports is `{item.entry.key}`.{setting}\n"


def _says(item: Item) -> str:
    paragraphs = []
    for entry in item.entries:
        about = f"**{entry.rules}.** " if len(item.entries) > 1 else ""
        paragraphs.append(about + " ".join(entry.help.split("\n\n")[0].split()))
    if item.family != "methods":
        paragraphs += [item.entry.help.partition("\n\n")[2], _direction(item.entry), _place(item)]
        return "\n\n".join(one for one in paragraphs if one)
    return "\n\n".join(paragraphs) + "\n\nWhat it does not protect from stands under [Limits](#limits)."


def _direction(entry: Entry) -> str:
    if not entry.better:
        return ""
    low, high = entry.bounds or (None, None)
    bounds = (
        ""
        if low is None
        else f" It lies between {low:g} and {high:g}."
        if high != float("inf")
        else (f" It is {low:g} or more.")
    )
    return f"{entry.better.capitalize()} is better.{bounds}"


def _place(item: Item) -> str:
    """Where the number counts: in a rule set, in the headline, or beside them."""
    entry = item.entry
    if item.family == "attacks":
        return f"Counts as a threat to privacy. {_threat(item.kind.attack_threat)}"
    if item.family == "utility" and item.kind.rules:
        rules = [one for one, names in item.kind.rules.items() if item.name in names]
        return f"Counted by the rule sets {', '.join(rules)}." if rules else "No rule set counts it."
    headline = item.kind.headline(item.family)
    where = (
        f"It counts in the headline `{headline.name}` ({item.family})."
        if entry.key in headline.needs or item.family in headline.needs
        else f"It stands beside the headline `{headline.name}`, not in it."
    )
    return f"{where} {_threat(entry.threat)}".strip()


def _threat(threat: Threat | None) -> str:
    return f"Group: {threat.group}." if threat else ""


def _limits(item: Item) -> str:
    lines: list[str] = []
    if item.family == "methods":
        lines.append(" ".join(item.entry.help.partition("\n\n")[2].split()))
        if item.entry.last:
            lines.append("It must be the last step: it publishes groups, tables, values of others or counts.")
    elif item.family == "attacks":
        lines.append(f"What defeats it: {defeats()[item.name]}.")
        lines.append("An attack that finds nobody proves nothing: another one may.")
    else:
        lines.append(item.added.get("limits", ""))
    if item.entry.costly:
        lines.append(
            "It takes longer than others: it waits while a slider moves, and a sweep has it on its front."
        )
    return "\n".join(f"- {line}" for line in lines if line)


def _preset(item: Item) -> str:
    assert item.preset is not None
    recipe, measured = item.preset.recipe, item.preset.measured
    links = [
        f"[`{step.method}`](../../{_kind_of(step.method, item)}/methods/{step.method}.md)"
        for step in recipe.steps
    ]
    steps = " → ".join(links) or "no step"
    text = f"## Recipe\n\nSteps: {steps}.\n\n```yaml\n{recipe_to_text(recipe).strip()}\n```\n\n"
    if measured:
        text += (
            f"## Measured\n\nUtility {measured['utility']:.2f} and privacy at most {measured['privacy']:.2f} "
            f"on `{measured['on']}`, measured again by a test.\n\n"
        )
    return (
        f"{text}## Worked example\n\n{example(item)}\n"
        "## Limits\n\n- On your own data a preset brings its steps, not its numbers: measure again.\n"
        "- What each step does not protect from stands on its page.\n"
    )


def _kind_of(method: str, item: Item) -> str:
    names = {(one.kind.name, one.name) for one in items() if one.family == "methods"}
    return next(kind for kind in (item.kind.name, *item.kind.uses_methods) if (kind, method) in names)


@cache
def defeats() -> Mapping[str, str]:
    """What defeats each attack, from the table in docs/scores.md."""
    text = (DOCS / "scores.md").read_text("utf-8")
    rows = re.findall(r"^\| `(\w+)` \|(.*)\|$", text.partition("### The attacks")[2], re.M)
    return {name: cells.split(" | ")[-1].strip() for name, cells in rows if cells.count(" | ") == 2}


def table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """A table of Markdown; a bar within a cell is kept."""
    lines = [tuple(head)]
    lines.append(tuple("---" for _ in lines[0]))
    lines += [tuple(str(cell).replace("|", "\\|") for cell in row) for row in rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def index() -> str:
    """Every item with its first sentence."""
    text = (
        "# Everything there is\n\nEvery method, measure, attack and preset, from its own declaration. The "
        "examples were run while this site was built.\n"
    )
    for kind in our_kinds():
        text += f"\n## {kind.title}\n"
        for family, title in FAMILIES.items():
            rows = [
                (f"[{one.title}]({one.path.removeprefix('reference/')})", f"`{one.name}`", one.first_sentence)
                for one in items()
                if (one.kind, one.family) == (kind, family)
            ]
            if rows:
                text += (
                    f"\n### {kind.title}: {title.lower()}\n\n{table(('item', 'name', 'what it does'), rows)}"
                )
    return text


def navigation() -> Iterator[dict[str, list[dict[str, object]]]]:
    """Kind → family → its pages, as mkdocs has it."""
    for kind in our_kinds():
        found: list[dict[str, object]] = []
        for family, title in FAMILIES.items():
            pages = [{one.title: one.path} for one in items() if (one.kind, one.family) == (kind, family)]
            if pages:
                found.append({title: pages})
        yield {kind.title: found}
