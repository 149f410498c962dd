"""One folder to hand over: a page that asks nobody, figures, scores.csv, recipe.yaml."""

from insanonym_core.report.build import write_report

__all__ = ["write_report"]
