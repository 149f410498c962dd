"""A whole study of enrolments with one file: cleaned table, losses, projections, traces, and the text."""

from insanonym_core.study.plan import Study, read_study, study_from_text
from insanonym_core.study.tables import StudyTables, make_tables
from insanonym_core.study.write import write_study

__all__ = ["Study", "StudyTables", "make_tables", "read_study", "study_from_text", "write_study"]
