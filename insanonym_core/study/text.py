"""The text that accompanies the tables of a study: what they hold, what was lost, what is not protected."""

from __future__ import annotations

from collections.abc import Iterator

from markupsafe import Markup

from insanonym_core.report.accompanying import (
    Section,
    cleaning_sections,
    columns_section,
    distinct_in_table,
    kept_columns_sections,
    losses_sections,
)
from insanonym_core.report.ledger import Ledger
from insanonym_core.report.page import page_template, read_asset
from insanonym_core.study.tables import StudyTables
from insanonym_core.texts import Phrase, say

_MASKED = (
    "Masked only: of {masked} masked counts, {narrowed} are narrowed by subtraction and {pinned} become "
    "exactly known, which concerns {people} people. Publish only one of these two tables."
)
_PROTECTED = (
    "Protected: of {masked} masked counts, {narrowed} are narrowed by subtraction and {pinned} become "
    "exactly known, which concerns {people} people."
)


def render_text(tables: StudyTables, files: dict[str, str], lang: str) -> tuple[str, Ledger]:
    """The accompanying text as one HTML page, and its numbers; `files` are the names of tables on disk."""
    ledger = Ledger(lang)
    page = page_template("study.html").render(
        lang=lang,
        t=lambda text: say(text, lang),
        title=say("Tables for publication: {name}", lang, name=tables.study.name),
        style=read_asset("page.css"),
        sections=list(_sections(tables, files, ledger)),
    )
    return page, ledger


def _sections(tables: StudyTables, files: dict[str, str], ledger: Ledger) -> Iterator[Section]:
    yield _what_there_is(tables, files, ledger)
    cleaned = tables.cleaned
    names = list(cleaned.release.published.columns)
    yield columns_section(
        cleaned, ledger.within("cleaned"), cleaned.release.original, names, distinct_in_table
    )
    yield from cleaning_sections(cleaned.facts["steps"], ledger.within("cleaned"))
    yield from losses_sections(cleaned, ledger.within("cleaned"))
    for name in tables.projections:
        yield from _projection(name, tables, files, ledger.within(name))
    yield from _traces(tables, files, ledger)
    yield _differences(tables, ledger)
    yield _beside(tables, files, ledger)
    yield _not_protected(tables, ledger)


def _what_there_is(tables: StudyTables, files: dict[str, str], ledger: Ledger) -> Section:
    """The files, and how many rows each has."""
    section = Section(say("What there is", ledger.lang))
    section.paragraphs.append(
        ledger.sentence(
            "The tables of the folder publish may be published together: each two of them were compared. A "
            "table of the folder instead gives something away together with one of them, and can replace it."
        )
    )
    section.heads = [say(head, ledger.lang) for head in (Phrase("file"), Phrase("content"), Phrase("lines"))]

    def row(key: str, content: str, lines: int) -> None:
        section.rows.append([_given(files[key]), content, ledger.show("lines", key, lines)])

    years = tables.loss_by_year()
    row("loss_by_year", say("rows before and after cleaning, and lost, by year", ledger.lang), len(years))
    for name, report in tables.projections.items():
        row(name, say("a projection: some columns, no rare combination", ledger.lang), report.kept)
    for name, table in tables.traces():
        protected = name.endswith("_protected")
        text = (
            say("traces, protected together with those of the other file", ledger.lang)
            if protected
            else say("traces, small counts masked", ledger.lang)
        )
        row(name, text, len(table))
    return section


def _projection(name: str, tables: StudyTables, files: dict[str, str], ledger: Ledger) -> Iterator[Section]:
    """What one projection holds and loses, and how its columns were chosen."""
    report, before = tables.projections[name], tables.cleaned
    section = Section(say("The table {file}", ledger.lang, file=files[name]))
    section.paragraphs.append(
        ledger.sentence(
            "It has the columns {columns}. Every combination of their values is shared by {k} rows or more.",
            columns=_given(", ".join(report.release.published.columns)),
            k=ledger.show("k", "k", tables.study.k),
        )
    )
    lost = before.kept - report.kept
    section.paragraphs.append(
        ledger.sentence(
            "{rows} rows are published. {further} rows were deleted besides those that cleaning deleted: "
            "{all} in all, {share} of the original rows.",
            rows=ledger.show("rows", "published", report.kept),
            further=ledger.show("rows", "further_lost", lost),
            all=ledger.show("rows", "lost", report.rows - report.kept),
            share=ledger.share("rows", "share_lost", 1 - report.kept / report.rows),
        )
    )
    yield section
    yield from kept_columns_sections(report.facts["steps"], ledger)


def _traces(tables: StudyTables, files: dict[str, str], ledger: Ledger) -> Iterator[Section]:
    """What the tables of traces hold, and what two of them give away together."""
    section = Section(say("Traces", ledger.lang))
    section.paragraphs += [
        ledger.sentence(
            "A trace is the path of a person through their enrolments, by year: the years themselves, gaps "
            "between them and everything else about the person are left out. Equal traces are counted; the "
            "count comes first, then a column for each step, made of {item}.",
            item=_given(", ".join(tables.masked.recipe.complete().steps[-1].parameters["item"])),
        ),
        ledger.sentence(
            "Counts below {mask} are masked: such a line tells that somebody went this way, not how many.",
            mask=ledger.show("traces", "mask", tables.masked.release.masked.threshold),
        ),
    ]
    section.heads = [
        say(head, ledger.lang)
        for head in (Phrase("file"), Phrase("different traces"), Phrase("with a count"), "masked")
    ]
    for name, table in tables.traces():
        masked = int(table.masked.sum())
        section.rows.append(
            [
                _given(files[name]),
                ledger.show(name, "traces", len(table)),
                ledger.show(name, "counted", len(table) - masked),
                ledger.show(name, "masked", masked),
            ]
        )
    yield section
    found = Section(say("What the tables of traces reveal together", ledger.lang))
    for name, report in (("masked", tables.masked), ("protected", tables.protected)):
        together = None if report is None else report.release.together
        if together is None:
            continue
        text = _MASKED if name == "masked" else _PROTECTED
        found.paragraphs.append(
            ledger.sentence(
                text,
                masked=ledger.show(f"together {name}", "masked", together.masked),
                narrowed=ledger.show(f"together {name}", "narrowed", together.narrowed),
                pinned=ledger.show(f"together {name}", "pinned", together.pinned),
                people=ledger.show(f"together {name}", "people_pinned", together.people_pinned),
            )
        )
    if tables.protected is None:
        found.paragraphs.append(ledger.sentence("No table of traces is protected against subtraction."))
    yield found


def _differences(tables: StudyTables, ledger: Ledger) -> Section:
    """What each two projections give away together: numbers, and nobody's values."""
    section = Section(say("What two projections reveal together", ledger.lang))
    section.paragraphs.append(
        ledger.sentence(
            "Two projections can be subtracted from each other: where one has fewer rows of a combination, "
            "the missing ones were too rare, and are found again as a group smaller than {k}.",
            k=ledger.show("k", "k", tables.study.k),
        )
    )
    section.heads = [
        say(head, ledger.lang)
        for head in (
            Phrase("tables"),
            Phrase("groups found again"),
            Phrase("rows in them"),
            Phrase("number of rows known"),
        )
    ]
    for pair in tables.differences:
        title = _given(f"{pair.first} − {pair.second}")
        name = f"difference.{pair.first}.{pair.second}"
        if pair.found is None:
            section.rows.append([title, say("no column in common", ledger.lang), "", ""])
            continue
        exact = "exactly" if pair.found.exact else "at least"
        section.rows.append(
            [
                title,
                ledger.show(name, "groups", len(pair.found.combinations)),
                ledger.show(name, "rows", pair.found.rows),
                say(exact, ledger.lang),
            ]
        )
    return section


def _beside(tables: StudyTables, files: dict[str, str], ledger: Ledger) -> Section:
    """What traces and projections give away together: numbers, and nobody's values."""
    section = Section(say("What traces and projections reveal together", ledger.lang))
    section.paragraphs.append(
        ledger.sentence(
            "A step of a trace is a row at least. Where a projection has fewer rows of a combination than "
            "the traces tell of, the missing ones were too rare: they are found again as a group smaller "
            "than {k}.",
            k=ledger.show("k", "k", tables.study.k),
        )
    )
    section.heads = [
        say(head, ledger.lang)
        for head in (Phrase("tables"), Phrase("groups found again"), Phrase("rows in them, at least"))
    ]
    for pair in tables.beside:
        title = _given(f"{files[pair.traces].rpartition('/')[2]} − {pair.projection}")
        if pair.groups is None or pair.rows is None:
            section.rows.append([title, say("no column in common", ledger.lang), ""])
            continue
        name = f"difference.{pair.traces}.{pair.projection}"
        section.rows.append(
            [title, ledger.show(name, "groups", pair.groups), ledger.show(name, "rows", pair.rows)]
        )
    return section


def _not_protected(tables: StudyTables, ledger: Ledger) -> Section:
    """What no table of the study protects."""
    section = Section(say("What this does not protect", ledger.lang))
    section.paragraphs += [
        ledger.sentence(
            "Whoever knows somebody’s path finds their line among the traces, and learns how few others went "
            "that way."
        ),
        ledger.sentence("k counts rows: one person may stand behind several of them."),
        ledger.sentence("Tables were compared two by two, not three with each other."),
        ledger.sentence(
            "Whether the rows of a projection narrow a masked count of the traces was not looked at."
        ),
        ledger.sentence(
            "Any further table from the same data can be subtracted from these. Compare it with them first "
            "(insanonym traces difference-tables)."
        ),
    ]
    if tables.revealing():
        section.paragraphs.append(
            ledger.sentence(
                "Some tables give rare groups away together, as is told above: of two such tables one is in "
                "the folder instead."
            )
        )
    return section


def _given(text: str) -> Markup:
    return Markup('<span class="given">{}</span>').format(text)
