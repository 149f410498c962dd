"""The report of a release as a folder: a self-contained page, figures, scores.csv, recipe.yaml."""

from insanonym_core.report.build import write_report

__all__ = ["write_report"]
