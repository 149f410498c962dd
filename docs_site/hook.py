"""What mkdocs calls: pages of README and of the reference are made here, and links between them turned."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))  # mkdocs imports this file by its path alone

from mkdocs.structure.files import File, Files  # noqa: E402

from docs_site import commands, pages, python_api  # noqa: E402
from docs_site.items import items  # noqa: E402

FILES = {
    "index.md": "README.md",
    "index.fr.md": "README.fr.md",
    "contributing.md": "CONTRIBUTING.md",
    "security.md": "SECURITY.md",
    "changelog.md": "CHANGELOG.md",
    "CITATION.cff": "CITATION.cff",
}
_LIST = re.compile(r"^((?![-*|>#\s]|\d+\.)[^\n]+)\n((?:[-*]|\d+\.) )", re.M)
_PLACES = {name: page for page, name in FILES.items()}


def on_config(config: Any) -> Any:  # Any: mkdocs' configuration has no types worth naming
    """The pages of the reference take their places in the navigation."""
    reference = next(one["Reference"] for one in config.nav if "Reference" in one)
    reference[:0] = [{"Everything there is": "reference/index.md"}, *pages.navigation()]
    return config


def on_files(files: Files, config: Any) -> Files:
    """Add what is no file of docs/."""
    made = {
        "reference/index.md": pages.index(),
        "reference/commands.md": commands.page(),
        "reference/python.md": python_api.page(),
        **{item.path: pages.page(item) for item in items()},
        **{page: from_root((ROOT / name).read_text("utf-8")) for page, name in FILES.items()},
    }
    for path, content in made.items():
        files.append(File.generated(config, path, content=content))
    return files


def on_page_markdown(markdown: str, page: Any, config: Any, files: Files) -> str:
    """Pages are written for GitHub, whose Markdown is laxer; links to the root have their places here."""
    if "/" in page.file.src_uri:
        return markdown
    for name, place in _PLACES.items():
        markdown = markdown.replace(f"](../{name}", f"]({place}")
    parts = re.split(r"(^```.*?^```$)", markdown, flags=re.M | re.S)
    parts[0::2] = [_LIST.sub(r"\1\n\n\2", text) for text in parts[0::2]]
    parts[1::2] = [_plain_fence(text) for text in parts[1::2]]
    return "".join(parts)


def _plain_fence(block: str) -> str:
    """Words behind the language are for tests, and languages of our own are plain text."""
    language = re.match(r"```(\w*)", block)[1]  # type: ignore[index]
    known = "text" if language in ("pair", "example", "") else language
    return f"```{known}\n" + block.partition("\n")[2]


def from_root(markdown: str) -> str:
    """A file of the repository's root as a page: its links begin elsewhere."""
    markdown = re.sub(r"(\]\(|src=\")docs/", r"\1", markdown)
    for name, page in _PLACES.items():
        markdown = markdown.replace(f"]({name}", f"]({page}")
    return markdown
