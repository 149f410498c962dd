"""The report of a release as a folder: a self-contained page, figures, scores.csv, recipe.yaml."""

from insanonym_core.report.build import write_report
from insanonym_core.report.compare import write_comparison

__all__ = ["write_comparison", "write_report"]
