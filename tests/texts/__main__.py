"""Bring the catalogues up to date with the sources: `make messages`.

Writes insanonym.pot, the English texts alone, and puts new texts into each .po, with an empty translation to
be filled in. Translations whose English is gone are left out and printed.
"""

from __future__ import annotations

import io
import sys
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po, write_po

from insanonym_core.texts import LANGUAGES
from insanonym_core.texts.catalogue import CATALOGUE, LOCALE
from tests.texts.extraction import extracted, literals

TEMPLATE = LOCALE / "insanonym.pot"
_HEADER = "# Texts of INSAnonym Explorer; `make messages` keeps this file up to date with the sources.\n#"
_UNSTABLE = ("POT-Creation-Date", "PO-Revision-Date", "Generated-By", "Last-Translator", "Language-Team")
_UNSTABLE += ("Report-Msgid-Bugs-To",)


def current(lang: str | None, old: Catalog) -> Catalog:
    """The texts of today with the translations there are."""
    made = Catalog(lang, header_comment=_HEADER, project="INSAnonym Explorer", version="1", fuzzy=False)
    for text in extracted():
        known = old.get(text.id, text.context or None)
        made.add(
            (text.id, text.many) if text.many else text.id,
            known.string if known is not None and isinstance(known.id, tuple) == bool(text.many) else None,
            locations=[(text.place, None)],
            context=text.context or None,
        )
    for message in old:
        place = None if message.context or not message.string else literals().get(message.id)
        if place is not None and message.id not in made:
            made.add(message.id, message.string, locations=[(place, None)])
    return made


def write(path: Path, catalogue: Catalog) -> None:
    """Write a catalogue by file, without dates or line numbers: only texts make a difference."""
    for message in catalogue:
        message.locations = sorted(set(message.locations), key=lambda one: one[0])[:3]
    written = io.BytesIO()
    write_po(written, catalogue, width=110, sort_by_file=True, include_lineno=False)
    lines = written.getvalue().decode().splitlines(keepends=True)
    path.parent.mkdir(parents=True, exist_ok=True)
    kept = (line for line in lines if not line.startswith(tuple(f'"{name}' for name in _UNSTABLE)))
    path.write_text("".join(kept), encoding="utf-8")


def main() -> None:
    """Write all catalogues."""
    for lang in LANGUAGES[1:]:
        path = LOCALE / CATALOGUE.format(lang=lang)
        with path.open("rb") as file:
            old = read_po(file, locale=lang)
        new = current(lang, old)
        gone = [str(one.id) for one in old if one.id and new.get(one.id, one.context) is None]
        empty = [one for one in new if one.id and one.string in (None, "", ("", ""))]
        write(path, new)
        sys.stdout.write(f"{path.name}: {len(new)} texts, {len(empty)} to translate, {len(gone)} left out\n")
        sys.stdout.writelines(f"  left out: {text}\n" for text in gone)
    template = current(None, new)
    for message in template:
        message.string = ("", "") if isinstance(message.id, tuple) else ""
    write(TEMPLATE, template)


if __name__ == "__main__":
    main()
