"""Changes of the list of steps, without any widget: what can be added, moved and removed."""

from __future__ import annotations

import math
from typing import Any

from insanonym_core.recipe import Step, method_entry
from insanonym_core.registry import Entry, methods
from insanonym_core.tabular.recipe_roles import columns_of_step, roles_from_recipe
from insanonym_core.tabular.step_defaults import columns_after, largest_l, works_on
from insanonym_core.tabular.table import Table
from insanonym_dashboard.state import TabState


class StepEditing:
    """Changes the steps of a tab's recipe."""

    def __init__(self, state: TabState) -> None:
        self.state = state

    @property
    def steps(self) -> tuple[Step, ...]:
        """The steps of the recipe."""
        return self.state.recipe.steps

    def entry(self, step: Step) -> Entry:
        """The registered method of a step."""
        return method_entry(step.method, self.state.recipe.kind)

    def span(self) -> tuple[int, int]:
        """Range of positions to which steps can be moved: a method that publishes or counts stays last."""
        return 0, len(self.steps) - self._has_last()

    def _has_last(self) -> bool:
        return bool(self.steps) and self.entry(self.steps[-1]).last

    def is_removable(self, step: Step) -> bool:
        """Whether a step can be removed: a kind that uses the methods of others keeps its own."""
        kind = self.state.kind
        return not (kind.uses_methods and self.entry(step).data == kind.name)

    def move(self, place: int, to: int) -> None:
        """Move a step; later steps drop columns that an earlier one removes."""
        first, last = self.span()
        to = min(max(first, to), last - 1)
        if to == place or not first <= place < last:
            return
        steps = list(self.steps)
        steps.insert(to, steps.pop(place))
        columns = self.columns()
        for number, step in enumerate(steps):
            left = columns_after(steps[:number], columns)
            kept = {
                name: tuple(one for one in value if one in left) or value
                if isinstance(value, tuple)
                else value
                for name, value in step.parameters.items()
            }
            steps[number] = Step(step.method, kept) if columns else step
        self.state.set_steps(tuple(steps))

    def remove(self, place: int) -> None:
        """Remove a step."""
        if 0 <= place < len(self.steps) and self.is_removable(self.steps[place]):
            self.state.set_steps(self.steps[:place] + self.steps[place + 1 :])

    def add(self, method: str) -> None:
        """Add a step with parameters that suit the data; a last method replaces the one there is."""
        if method not in {entry.name for entry in self.offered()}:
            return
        _, place = self.span()
        if not method_entry(method, self.state.kind.name).last:
            new = self._new_step(method, place, place)
            self.state.set_steps((*self.steps[:place], new, *self.steps[place:]))
            return
        new = self._new_step(method, place, len(self.steps))
        known = method_entry(method, self.state.kind.name).parameters
        replaced = self.steps[place].parameters if place < len(self.steps) else {}
        if "k" in known and "k" in replaced:  # the k that was chosen stays
            k = max(replaced["k"], new.parameters.get("l", 1))
            new = Step(method, {**new.parameters, "k": k})
        self.state.set_steps((*self.steps[:place], new))

    def offered(self) -> list[Entry]:
        """The methods that can be added; last ones replace each other."""
        kind, steps = self.state.kind, self.steps
        used = [entry for other in kind.uses_methods for entry in methods.all(data=other) if not entry.last]
        present = steps[-1].method if self._has_last() else ""
        own = (entry for entry in methods.all(data=kind.name) if entry.name != present or not entry.last)
        return [entry for entry in (*used, *own) if self._finds_columns(entry)]

    def _finds_columns(self, entry: Entry) -> bool:
        """Whether the steps before leave a column of the kind that a method works on."""
        table = self._table()
        if table is None:
            return True
        before = self.steps[: self.span()[1]]
        roles = roles_from_recipe(self.state.recipe, table).decided(table)
        left = [name for name in columns_after(before, list(table.columns)) if name not in roles.hidden]
        return works_on(entry, table, left, roles)

    def _new_step(self, method: str, place: int, after: int) -> Step:
        """A step with columns that suit the table; `after` is where the steps after it begin."""
        new_step, data = self.state.kind.code("new_step"), self.state.original()
        if new_step is None or data is None:
            return Step(method)
        step: Step = new_step(method, self.state.recipe, data, place, after)
        return step

    # --- what the data allows -----------------------------------------------------------------------

    def columns(self) -> list[str]:
        """Columns of the table at hand; none where the data has none."""
        return self.state.columns()

    def columns_for(self, step: Step) -> list[str]:
        """The columns that a step may take: those that are published, and those that it takes already."""
        table, columns = self._table(), self.columns()
        if step.method == "pseudonymise" or table is None:
            return columns
        hidden = roles_from_recipe(self.state.recipe, table).decided(table, columns_of_step(step)).hidden
        return [name for name in columns if name not in hidden]

    def max_value(self, name: str) -> float:
        """The largest useful value of a parameter for this data."""
        if name == "components":
            return float(len(self.columns()) or math.inf)
        table = self._table()
        if name == "l" and table is not None:
            return float(largest_l(table, roles_from_recipe(self.state.recipe, table)))
        data = self.state.original()
        return math.inf if data is None else float(len(data))

    def _table(self) -> Table | None:
        found: Any = self.state.original()
        return found if isinstance(found, Table) else None
