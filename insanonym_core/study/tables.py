"""The tables of a study, each made by its recipe, and what all of them give away together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING

from insanonym_core.experiment import Report, load, run
from insanonym_core.runtime.jobs import Job
from insanonym_core.study.traces_beside import TraceDifference, difference_traces
from insanonym_core.tabular.release import sorted_rows
from insanonym_core.traces.projections import ProjectionDifference, difference_projections

if TYPE_CHECKING:
    import pandas as pd

    from insanonym_core.study.plan import Study
    from insanonym_core.traces.table import TraceTable


@dataclass(frozen=True)
class PairDifference:
    """Two projections and what subtracting them gives away; None where they share no column."""

    first: str
    second: str
    found: ProjectionDifference | None


@dataclass(frozen=True, eq=False)
class StudyTables:
    """The runs of a study by table. `protected` is None where traces are not protected."""

    study: Study
    cleaned: Report
    projections: Mapping[str, Report]
    masked: Report
    protected: Report | None
    differences: tuple[PairDifference, ...]
    beside: tuple[TraceDifference, ...] = ()

    def loss_by_year(self) -> pd.DataFrame:
        """Rows before and after cleaning, and the rows lost, by year; rare years together."""
        import pandas as pd

        rows = self.cleaned.facts["rows_by"]
        return pd.DataFrame(
            [(str(year), before, after, before - after) for year, (before, after) in rows.items()],
            columns=[self.study.year, "raw", "anonymous", "lost"],
        )

    def frames(self) -> Iterator[tuple[str, pd.DataFrame]]:
        """The projections by name, sorted by all their columns."""
        for name, report in self.projections.items():
            yield name, sorted_rows(report.release.published).frame()

    def traces(self) -> Iterator[tuple[str, TraceTable]]:
        """The tables of traces by name: with and without prefix, masked, then protected."""
        for end, report in (("", self.masked), ("_protected", self.protected)):
            if report is None:
                continue
            release = report.release
            prefix = "_".join(self.study.traces.get("prefix", ()))
            if release.second is None:
                yield f"traces{end}", release.published
            else:
                yield f"traces_{_plain(prefix)}{end}", release.published
                yield f"traces{end}", release.second.table

    def together(self) -> set[str]:
        """The tables that may be published together, as far as each two were compared.

        The protected traces if no count becomes known by subtraction; otherwise the masked ones without a
        prefix alone. Then projections in their order, each unless it gives rare groups away with one of the
        tables before it.
        """
        revealing = self.revealing()
        chosen = self._traces_together()
        for name in self.projections:
            if not any(frozenset((name, other)) in revealing for other in chosen):
                chosen.add(name)
        return {"loss_by_year", *chosen}

    def revealing(self) -> set[frozenset[str]]:
        """The pairs of tables, one of them a projection, that give rare groups away together."""
        return {
            *(
                frozenset((pair.first, pair.second))
                for pair in self.differences
                if pair.found is not None and pair.found.combinations
            ),
            *(frozenset((pair.traces, pair.projection)) for pair in self.beside if pair.groups),
        }

    def _traces_together(self) -> set[str]:
        names = [name for name, _ in self.traces()]
        found = None if self.protected is None else self.protected.release.together
        if self.protected is not None and (found is None or found.pinned == 0):
            return {name for name in names if name.endswith("_protected")}
        return {"traces"}


def make_tables(study: Study, job: Job | None = None) -> StudyTables:
    """Make every table of a study; nothing is written."""
    job = job or Job()
    cleaned, counted = study.cleaning(), study.counted()
    table, enrolments = load(cleaned, job.store), load(counted, job.store)
    projections = {
        name: run(study.projection(name), data=table, only=(), job=job) for name in study.projections
    }
    protected = study.counted(protect=True) if study.protects else None
    made = StudyTables(
        study,
        run(cleaned, data=table, only=(), job=job),
        projections,
        run(counted, data=enrolments, only=(), job=job),
        None if protected is None else run(protected, data=enrolments, only=(), job=job),
        (),
    )
    job.progress("Differencing")
    return replace(made, differences=tuple(_differences(study, projections)), beside=tuple(_beside(made)))


def _beside(made: StudyTables) -> Iterator[TraceDifference]:
    """What each table of traces and each projection give away together."""
    item = made.masked.recipe.complete().steps[-1].parameters["item"]
    without_prefix = {"traces", "traces_protected"}
    tables = ((name, table, name not in without_prefix) for name, table in made.traces())
    frames = {name: report.release.published.frame() for name, report in made.projections.items()}
    return difference_traces(tables, frames, made.cleaned.release.published.frame(), item, made.study.k)


def _differences(study: Study, projections: Mapping[str, Report]) -> Iterator[PairDifference]:
    """What each two projections give away together."""
    frames = {name: report.release.published.frame() for name, report in projections.items()}
    for first, second in combinations(frames, 2):
        common = {*frames[first].columns} & {*frames[second].columns}
        found = difference_projections(frames[first], frames[second], study.k) if common else None
        yield PairDifference(first, second, found)


def _plain(name: str) -> str:
    """A column as part of a file name."""
    return "".join(sign if sign.isascii() and (sign.isalnum() or sign in "_-") else "_" for sign in name)[:60]
