"""The site is built as `make docs` does, strictly, and no page of it asks another host for anything."""

import functools
import http.server
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest

from docs_site.items import items
from docs_site.pages import PARTS
from tests.docs.reading import ROOT

pytestmark = pytest.mark.slow
LOADING = {"img": "src", "script": "src", "link": "href", "iframe": "src", "source": "src", "video": "src"}


@pytest.fixture(scope="module")
def site(tmp_path_factory) -> Path:
    """The whole site, built once; a broken link or anchor ends the build."""
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "-d", str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return folder


class _Page(HTMLParser):
    """What a page loads by itself, its headings and its text."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.loaded: list[str] = []
        self.headings: list[str] = []
        self.ids: list[str] = []
        self._heading = False
        self.feed(path.read_text("utf-8"))

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        loads = LOADING.get(tag)
        if loads in given and given.get("rel") not in ("canonical", "next", "prev"):
            self.loaded.append(given[loads])
        self.ids += [given["id"]] if given.get("id") else []
        self._heading = tag in ("h1", "h2", "h3")
        if self._heading:
            self.headings.append("")

    def handle_endtag(self, tag):
        self._heading = self._heading and tag not in ("h1", "h2", "h3")

    def handle_data(self, data):
        if self._heading:
            self.headings[-1] += data.replace("¶", "")


def test_a_broken_link_ends_the_build(tmp_path):
    """The build is strict, so the fixture says that no link is broken."""
    config = (ROOT / "mkdocs.yml").read_text("utf-8")
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "index.md").write_text("[here](#nowhere) [there](nothing.md)\n", "utf-8")
    config = config.partition("\nnav:")[0].replace("hooks: [docs_site/hook.py]\n", "")
    (tmp_path / "mkdocs.yml").write_text(config, "utf-8")
    command = [sys.executable, "-m", "mkdocs", "build", "-d", "out"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode != 0
    assert "'#nowhere'" in done.stderr
    assert "'nothing.md'" in done.stderr


def test_every_item_has_its_page_with_every_part(site):
    for item in items():
        page = _Page(site / item.path.replace(".md", ".html"))
        parts = ("Recipe", "Worked example", "Limits") if item.preset else PARTS
        assert [one for one in page.headings if one in parts] == list(parts), item.path


def test_no_part_is_empty(site):
    for item in items():
        text = (site / item.path.replace(".md", ".html")).read_text("utf-8")
        article = text.partition("<article")[2].partition("</article>")[0]
        for section in article.split("<h2")[1:]:
            words = re.sub(r"<[^>]*>", " ", section.partition("</h2>")[2]).split()
            assert len(words) >= 3, (item.path, section[:80])


def test_no_page_loads_anything_from_elsewhere(site):
    pages = list(site.rglob("*.html"))
    assert len(pages) > 150
    for path in pages:
        elsewhere = [one for one in _Page(path).loaded if "//" in one]
        assert elsewhere == [], path
    for path in site.rglob("*.css"):
        assert re.findall(r"url\(['\"]?(?:https?:)?//|@import", path.read_text("utf-8")) == [], path


@pytest.fixture
def address(site) -> Iterator[str]:
    """The site served on this machine."""
    handler = functools.partial(_Quiet, directory=str(site))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *args):
        pass


@pytest.mark.parametrize("path", ["index.html", "tutorial.html", "reference/table/methods/mondrian.html"])
def test_a_browser_asks_no_other_host(address, watch, path):
    watched = watch(f"{address}/{path}", width=1366, height=768)
    watched.page.wait_for_load_state("networkidle")
    assert watched.page.locator("h1").count() == 1
    watched.assert_quiet()


def test_the_search_finds_a_method(address, watch):
    watched = watch(f"{address}/index.html", width=1366, height=768)
    watched.page.locator("[data-md-component=search-query]").fill("microaggregation")
    found = watched.page.locator(".md-search-result__link").first
    found.wait_for()
    assert "micro" in found.get_attribute("href") or "tables" in found.get_attribute("href")
    watched.assert_quiet()
