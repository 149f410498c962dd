"""What a step asked for, and what is measured on the release."""

from __future__ import annotations

from dataclasses import dataclass

_TEXTS = {
    "combinations": "Every combination of these columns is shared by at least {measured} rows: {columns}.",
    "values": "Every single value of these columns is shared by at least {measured} rows: {columns}.",
    "groups": "Every group holds at least {measured} rows. The columns {columns} stay exact: k counts the "
    "rows that share them, and is another number.",
}
_OF_INDIVIDUALS = (
    "Every single value of these columns is shared by at least {measured} individuals: {columns}."
)
_CLEANED = " (In the table from which the traces were counted.)"


@dataclass(frozen=True)
class Promise:
    """What a step asked for, and what is measured on the table that is published in the end.

    `of`: combinations of the columns, single values of each, or groups. `cleaned`: the table is not published
    itself, traces were counted from it. `individuals`: k counts people, each once, and not rows.
    """

    method: str
    title: str
    asked: int
    measured: int
    columns: tuple[str, ...]
    of: str = "combinations"
    cleaned: bool = False
    individuals: bool = False

    @property
    def holds(self) -> bool:
        """Whether it is kept."""
        return self.measured >= self.asked

    @property
    def text(self) -> str:
        """What holds, and no more; with places for {columns} and {measured}."""
        said = _OF_INDIVIDUALS if self.individuals and self.of == "values" else _TEXTS[self.of]
        return said + (_CLEANED if self.cleaned else "")

    @property
    def symbol(self) -> str:
        """What the numbers are: k counts rows that look alike, and groups have a size."""
        return "group size" if self.of == "groups" else "k"

    def sentence(self) -> str:
        """Asked and measured in one sentence."""
        said = self.text.format(columns=f"[{', '.join(self.columns)}]", measured=self.measured)
        return f"Asked {self.symbol} = {self.asked}, measured {self.symbol} = {self.measured}: {said}"
