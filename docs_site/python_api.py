"""The public functions and classes of `insanonym_core`, from their signatures and docstrings."""

from __future__ import annotations

import inspect
import re

import insanonym_core as insanonym

_UNDERLINED = re.compile(r"^([^\n]+)\n-{3,}\n", re.M)


def page() -> str:
    """Everything that `import insanonym_core` offers; the examples are run by a test."""
    names = [name for name in insanonym.__all__ if not name.startswith("__")]
    order = sorted(names, key=lambda name: (inspect.isclass(getattr(insanonym, name)), name))
    text = "# Python\n\n`import insanonym_core as insanonym`; to begin with: [From Python](../python.md).\n"
    return text + "".join(_section(name) for name in order)


def _section(name: str) -> str:
    found = getattr(insanonym, name)
    text = f"\n## {name}\n\n```text\n{_signature(name, found)}\n```\n\n{docstring(found)}\n"
    if inspect.isclass(found):
        text += _base(found)
        for member, value in inspect.getmembers(found, _is_own):
            if not member.startswith("_") and value.__doc__ and member in _members(found):
                target = value.fget if isinstance(value, property) else value
                head = (
                    f"{name}.{member}"
                    if isinstance(value, property)
                    else _signature(f"{name}.{member}", target)
                )
                text += f"\n### {name}.{member}\n\n```text\n{head}\n```\n\n{docstring(target)}\n"
    return text


def _base(found: type) -> str:
    base = found.__base__.__name__ if found.__base__ else ""
    return f"\nIt has all that a [{base}](#{base.lower()}) has.\n" if base in insanonym.__all__ else ""


def _is_own(value: object) -> bool:
    return isinstance(value, property) or inspect.isfunction(value)


def _members(found: type) -> set[str]:
    """What a class adds; what it has of a public class stands there."""
    shown_there = {id(getattr(insanonym, name)) for name in insanonym.__all__} - {id(found)}
    ours = [
        one
        for one in found.__mro__
        if one.__module__.startswith("insanonym_core.") and id(one) not in shown_there
    ]
    return {name for one in ours for name in vars(one)}


def _signature(name: str, found: object) -> str:
    """Short names of types, a parameter on each line where there are many."""
    try:
        signature = inspect.signature(found)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return name
    parts = []
    starred = False
    for parameter in signature.parameters.values():
        if parameter.name == "self":
            continue
        if parameter.kind is parameter.KEYWORD_ONLY and not starred:
            parts.append("*")
            starred = True
        parts.append(str(parameter.replace(annotation=parameter.empty)))
    line = f"{name}({', '.join(parts)})"
    if len(line) <= 90:
        return line
    return f"{name}(\n" + "".join(f"    {part},\n" for part in parts) + ")"


def docstring(found: object) -> str:
    """A docstring in the style of numpy as Markdown: headings bold, examples as blocks."""
    text = inspect.getdoc(found) or ""
    text = re.sub(r"``(.+?)``", r"`\1`", text)
    lines: list[str] = []
    for part in re.split(r"^(?=[^\n]+\n-{3,}\n)", text, flags=re.M):
        heading = _UNDERLINED.match(part)
        body = part[heading.end() :] if heading else part
        if heading:
            lines.append(f"**{heading.group(1)}**\n")
        lines.append(_body(body.strip("\n"), bool(heading)))
    return "\n".join(lines)


def _body(text: str, section: bool) -> str:
    """Examples become blocks; "name : type" with an indented text becomes a list."""
    if ">>>" in text:
        before, _, rest = text.partition(">>>")
        return f"{before}```pycon\n>>>{rest}\n```\n"
    if not section or not re.search(r"^ {4}", text, re.M):
        return text + "\n"
    found = []
    for name, about in re.findall(r"^(\S[^\n]*)\n((?: {4}[^\n]*\n?|\n)*)", text + "\n", re.M):
        said = " ".join(about.split())
        first, _, kind = name.partition(" : ")
        found.append(f"- `{first}`" + (f" ({kind})" if kind else "") + (f": {said}" if said else ""))
    return "\n".join(found) + "\n"
