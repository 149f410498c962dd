"""What the pages of docs/ show: commands, and blocks of a language."""

import re
import shlex
from pathlib import Path

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
_INDENTED = re.compile(r"^    (?:\$ )?insanonym (\S.*)$", re.M)


def text_of(name: str) -> str:
    """A page by its path from the root."""
    return (ROOT / name).read_text("utf-8")


def commands(name: str) -> list[list[str]]:
    """The indented commands of a page without remarks; a backslash joins a line with the next."""
    return [shlex.split(one, comments=True) for one in _INDENTED.findall(text_of(name).replace("\\\n", " "))]


def blocks(name: str, language: str) -> list[str]:
    """The fenced blocks of one language."""
    return re.findall(rf"^```{language}\n(.*?)^```", text_of(name), re.M | re.S)
