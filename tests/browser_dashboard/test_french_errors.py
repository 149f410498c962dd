"""Bad files, uploaded on the French page in a browser: the page says in French what is wrong with each."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from insanonym_core.errors import InsanonymError
from insanonym_dashboard.uploads import read_upload
from tests.browser_dashboard.instrument import small_tab  # noqa: F401  the fixture
from tests.browser_dashboard.serving import choose_file, wait_for
from tests.texts.bad_files import FILES, asked
from tests.texts.test_errors import is_french

TRIED = {
    "table": (
        "empty.csv",
        "twins.csv",
        "ragged.csv",
        "two_encodings.csv",
        "damaged.zip",
        "lists.parquet",
        "wide.csv",
    ),
    "mobility": (
        "date6.tsv",
        "place0.tsv",
        "swapped.tsv",
        "no_fields.gpx",
        "many.tsv",
        "unreadable2.tsv",
    ),
}


def expected(kind: str, name: str) -> str:
    """The sentence of the catalogue, filled."""
    content = FILES[kind, name]
    with pytest.raises(InsanonymError) as caught:
        read_upload(name, len(content), content, kind)
    return caught.value.say("fr")


@pytest.mark.parametrize("kind", TRIED)
def test_a_bad_upload_is_said_in_french(kind, small_tab):  # noqa: F811
    check(kind, TRIED[kind], small_tab)


@pytest.mark.long
@pytest.mark.parametrize("kind", sorted({kind for kind, _ in FILES}))
def test_every_bad_upload_is_said_in_french(kind, small_tab):  # noqa: F811
    check(kind, [name for one, name in FILES if one == kind and not asked(kind, name)], small_tab)


def check(kind: str, names: Iterable[str], open_tab) -> None:
    found = open_tab(kind, "fr", 1280, 900)
    page = found.page
    for name in names:
        said = expected(kind, name)
        assert is_french(said)
        file = {"name": name, "mimeType": "text/plain", "buffer": FILES[kind, name]}
        choose_file(page, [file], "Importer")
        shown = page.locator(".insanonym-error")
        wait_for(
            lambda said=said, shown=shown: said in [one.text_content() for one in shown.all()],
            f"{name}: {said}",
            30,
        )
    found.assert_quiet()
