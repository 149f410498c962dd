"""A sweep with what it was made of: the tab whose recipe it moved, and its data."""

from __future__ import annotations

from dataclasses import dataclass, replace

from insanonym_core.recipe import Recipe
from insanonym_core.sweep import Setting, Sweep, comparable
from insanonym_core.texts import label
from insanonym_dashboard.state import TabState


@dataclass(frozen=True, eq=False)
class Run:
    """A sweep, the tab whose recipe it moved, and the name of the data it was made on."""

    sweep: Sweep
    tab: str
    data: str

    @property
    def series(self) -> str:
        """Name of the series on the plot."""
        return self.sweep.plan.points[0].series

    def shares_plot_with(self, other: Run) -> bool:
        """Whether both can be drawn in the same plot."""
        return self.data == other.data and comparable((self.sweep.plan.recipe, other.sweep.plan.recipe))

    def reachable(self, state: TabState) -> bool:
        """Whether the tab still has the data, roles and rules that were swept."""
        return self.data == state.data_name and comparable((self.sweep.plan.recipe, state.recipe))

    def recipe_of(self, setting: Setting) -> Recipe:
        """The recipe of a point, with the first of its seeds."""
        return next(
            point.recipe for point in self.sweep.plan.points if dict(point.values) == dict(setting.values)
        )

    def drawn(self, lang: str) -> Sweep:
        """Copy for drawing: successful runs only, with the name of the series in a language."""
        name = label(self.series, lang)
        points = [replace(point, series=name) for point in self.sweep.plan.points]
        if points[0].recipe.data is None:  # an upload: the card below the figure names it
            points[0] = replace(points[0], recipe=replace(points[0].recipe, data=self.data))
        outcomes = tuple(
            replace(one, point=replace(one.point, series=name))
            for one in self.sweep.outcomes
            if not one.failed
        )
        return Sweep(replace(self.sweep.plan, points=tuple(points)), outcomes)
