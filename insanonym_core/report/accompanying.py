"""Documentation to publish with a table: columns, cleaning, losses and thresholds."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from markupsafe import Markup

from insanonym_core.demo.columns import column_description
from insanonym_core.experiment import Report
from insanonym_core.recipe import method_entry
from insanonym_core.report.ledger import Ledger
from insanonym_core.report.protection import about_columns
from insanonym_core.tabular.chain import StepResult
from insanonym_core.tabular.table import Table
from insanonym_core.texts import Phrase, say
from insanonym_core.traces.protection import Protected


@dataclass
class Section:
    """A heading with paragraphs and an optional table."""

    title: str
    paragraphs: list[Markup] = field(default_factory=list)
    heads: list[str] = field(default_factory=list)
    rows: list[list[Markup | str]] = field(default_factory=list)


def table_sections(report: Report, ledger: Ledger) -> list[Section]:
    """Sections for a published table."""
    release = report.release
    names = {*release.published.columns, *release.sensitive_by_group}
    table = release.original
    columns = [name for name in table.columns if name in names]
    return [
        *_common_sections(report, ledger, table, columns, distinct_in_table),
        _projections_section(ledger),
    ]


def trace_sections(report: Report, ledger: Ledger) -> list[Section]:
    """Sections for a published table of traces."""
    count = report.recipe.steps[-1].parameters
    names = [
        *count.get("prefix", ()),
        *count.get("further", ()),
        *count.get("order", ()),
        *count.get("item", ()),
    ]
    table = report.facts["cleaned"].original
    columns = [name for name in table.columns if name in names]
    return [
        *_common_sections(report, ledger, table, columns, _distinct_in_traces),
        _prefix_section(report, ledger),
    ]


def _common_sections(
    report: Report,
    ledger: Ledger,
    table: Table,
    columns: list[str],
    count_distinct: Callable[[Report, str], int],
) -> list[Section]:
    """Sections of any published table; `count_distinct` counts the values of a column."""
    steps: tuple[StepResult, ...] = report.facts["steps"]
    return [
        columns_section(report, ledger, table, columns, count_distinct),
        *cleaning_sections(steps, ledger),
        *losses_sections(report, ledger),
        *kept_columns_sections(steps, ledger),
        _thresholds_section(report, ledger),
    ]


def columns_section(
    report: Report,
    ledger: Ledger,
    table: Table,
    names: list[str],
    count_distinct: Callable[[Report, str], int],
) -> Section:
    """Table of the columns: meaning, role, kind and number of distinct values."""
    section = Section(say("What the columns mean", ledger.lang))
    section.heads = [
        say(head, ledger.lang) for head in ("column", "meaning", "role", "kind", "different values")
    ]
    roles = report.facts["roles"]
    for name in names:
        column = table[name]
        role = (
            "identifier"
            if name in roles.identifiers
            else "quasi-identifier"
            if name in roles.quasi
            else "sensitive"
            if name in roles.sensitive
            else "other"
        )
        meaning = report.recipe.descriptions.get(name) or column_description(
            report.recipe.data, name, ledger.lang
        )
        section.rows.append(
            [
                name,
                meaning or say("(to be described by the publisher)", ledger.lang),
                say(role, ledger.lang),
                say({"number": "number", "date": "date", "category": "text"}[column.kind], ledger.lang),
                ledger.show(f"column.{name}", "different_values", count_distinct(report, name)),
            ]
        )
    section.paragraphs += about_columns(report, ledger)
    return section


def distinct_in_table(report: Report, name: str) -> int:
    """Number of distinct values of a column in the published table."""
    release = report.release
    by_group = name in release.sensitive_by_group
    column = release.original[name].take(release.rows) if by_group else release.published[name]
    return len(column.drop_unused_values().values)


def _distinct_in_traces(report: Report, name: str) -> int:
    """Number of distinct values of a column in the table from which the traces were counted."""
    cleaned = report.facts["cleaned"]
    return len(cleaned.original[name].take(cleaned.rows).drop_unused_values().values)


def cleaning_sections(steps: tuple[StepResult, ...], ledger: Ledger) -> Iterator[Section]:
    """One section per cleaning step: rows lost, and rare values found in each pass."""
    for step_number, step in enumerate(steps, start=1):
        if "passes" not in step.facts:
            continue
        section = Section(say("Cleaning: rare values deleted, pass by pass", ledger.lang))
        name = f"step.{step_number}"
        section.paragraphs.append(
            ledger.sentence(
                "Rows with a value that fewer than {k} rows share were deleted, again and again until no "
                "such value was left: {before} rows before, {after} after, {lost} lost.",
                k=ledger.show(name, "k", step.method.k),
                before=ledger.show(name, "rows_before", step.rows_before),
                after=ledger.show(name, "rows_after", step.rows_after),
                lost=ledger.show(name, "rows_lost", step.rows_before - step.rows_after),
            )
        )
        section.heads = [say(head, ledger.lang) for head in ("pass", "rare values found")]
        for number, rare in enumerate(step.facts["passes"], start=1):
            counts = Markup(", ").join(
                Markup("{} {}").format(
                    column, ledger.show(f"{name}.pass.{number}", f"column {column}", count)
                )
                for column, count in rare.items()
            )
            section.rows.append([ledger.show(f"{name}.pass.{number}", "number", number), counts])
        if not section.rows:
            section.heads = []
            section.paragraphs.append(ledger.sentence("No value was that rare."))
        yield section


def losses_sections(report: Report, ledger: Ledger) -> Iterator[Section]:
    """Section of the rows before, after and lost by value of a column, if the report has them."""
    rows = report.facts.get("rows_by")
    if not rows:
        return
    by = report.facts["by"]
    section = Section(say("Losses by {column}", ledger.lang, column=by))
    section.heads = [
        by,
        *(say(head, ledger.lang) for head in (Phrase("rows before"), Phrase("rows after"), "rows lost")),
    ]
    for year, (before, after) in rows.items():
        section.rows.append(
            [
                Markup('<span class="given">{}</span>').format(say(year, ledger.lang)),
                ledger.show(f"losses.{year}", "rows_before", before),
                ledger.show(f"losses.{year}", "rows_after", after),
                ledger.show(f"losses.{year}", "rows", before - after),
            ]
        )
    yield section


def kept_columns_sections(steps: tuple[StepResult, ...], ledger: Ledger) -> Iterator[Section]:
    """One section per step that selects columns: rows lost as columns were added."""
    for step_number, step in enumerate(steps, start=1):
        additions = step.facts.get("steps")
        if not additions:
            continue
        section = Section(say("Which columns were kept, and why", ledger.lang))
        section.paragraphs.append(
            ledger.sentence(
                "Columns were added one by one, each time the one that loses the fewest further rows, while "
                "at most {budget} of the rows are lost.",
                budget=ledger.share(f"step.{step_number}", "max_loss", step.method.max_loss),
            )
        )
        section.heads = [say(head, ledger.lang) for head in ("columns kept together", "rows lost")]
        for number, addition in enumerate(additions, start=1):
            names = Markup('<span class="given">{}</span>').format(" + ".join(addition["columns"]))
            section.rows.append(
                [names, ledger.show(f"step.{step_number}.grown.{number}", "rows_lost", addition["lost"])]
            )
        yield section


def _thresholds_section(report: Report, ledger: Ledger) -> Section:
    """Section of the parameters k, l and mask of the steps."""
    section = Section(say("Thresholds", ledger.lang))
    for step_number, step in enumerate(report.recipe.steps, start=1):
        entry = method_entry(step.method, report.recipe.kind)
        for name, title in (
            ("k", "smallest group k"),
            ("l", "different sensitive values l"),
            ("mask", "masking threshold"),
        ):
            if name in entry.parameters:
                value = step.parameters.get(name, entry.parameters[name].default)
                section.paragraphs.append(
                    ledger.sentence(
                        "{method}: {what} = {value}.",
                        method=say(entry.title, ledger.lang),
                        what=say(title, ledger.lang),
                        value=ledger.show(f"step.{step_number}", name, value),
                    )
                )
    return section


_COMBINED_TITLE = "What two published tables reveal together"


def _projections_section(ledger: Ledger) -> Section:
    """Warn that subtracting another projection of the same table can reveal small groups."""
    text = (
        "Two projections of this data, each without its rare combinations, can be subtracted from "
        "each other: what one keeps and the other lost is a small group again. Compare every further "
        "table with this one first (insanonym traces difference-tables)."
    )
    return Section(say(_COMBINED_TITLE, ledger.lang), [ledger.sentence(text)])


def _prefix_section(report: Report, ledger: Ledger) -> Section:
    """What subtracting the table without the prefix reveals, as measured."""
    difference = report.release.together
    if difference is None:
        text = "No prefix was used: a second table with one would have to be compared with this one."
        return Section(say(_COMBINED_TITLE, ledger.lang), [ledger.sentence(text)])
    protected = report.release.protected
    if protected is not None:
        return Section(say(_COMBINED_TITLE, ledger.lang), _protection_paragraphs(report, ledger, protected))
    paragraph = ledger.sentence(
        "Published with and without their prefix, the traces can be subtracted: of {masked} "
        "masked counts, {narrowed} are narrowed to fewer values and {pinned} become exactly known, which "
        "concerns {people} people. Publish only one of the two tables.",
        masked=ledger.show("together", "masked", difference.masked),
        narrowed=ledger.show("together", "narrowed", difference.narrowed),
        pinned=ledger.show("together", "pinned", difference.pinned),
        people=ledger.show("together", "people_pinned", difference.people_pinned),
    )
    return Section(say(_COMBINED_TITLE, ledger.lang), [paragraph])


def _protection_paragraphs(report: Report, ledger: Ledger, protected: Protected) -> list[Markup]:
    """What protecting several tables cost, and what it does not protect."""
    found = [
        ledger.sentence(
            "The tables with each prefix and without one were protected together: {raised} counts, of "
            "{people} individuals (each counted once in every table), are published as coarser ranges than "
            "the masking threshold alone asks for.",
            raised=ledger.show("protected", "counts", protected.raised),
            people=ledger.show("protected", "individuals", protected.individuals),
        )
    ]
    if protected.values is not None:
        found.append(
            ledger.sentence(
                "Whoever subtracts them from each other, and knows how many individuals there are, leaves "
                "every masked count at least {values} possible values.",
                values=ledger.show("protected", "values", protected.values),
            )
        )
    found.append(
        ledger.sentence(
            "That somebody left a trace is still published. Numbers of this report that are no sum of "
            "published counts, such as the people alone in their trace, could be subtracted, too: hand "
            "over the tables without it. A further table of the same data was not "
            "considered, and whoever knows the procedure can rule out counts that would have led to other "
            "ranges."
        )
    )
    return found
