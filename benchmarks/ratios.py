"""A measured ratio, and the one table that all of them stand in."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

HEAD = ("what", "against", "ratio", "wanted")


@dataclass(frozen=True)
class Ratio:
    """`value` says how many times `against` it is `what`; `wanted` is the limit: "≤ 2", "≥ 80" or nothing."""

    what: str
    against: str
    value: float
    wanted: str = ""

    @property
    def met(self) -> bool:
        """Whether it keeps its limit."""
        if not self.wanted:
            return True
        sign, limit = self.wanted.split()
        return self.value <= float(limit) if sign == "≤" else self.value >= float(limit)

    @property
    def written(self) -> str:
        """Two digits that count; no more decimals than mean something."""
        digits = 0 if self.value >= 10 else 1 if self.value >= 3 else 2
        return f"{self.value:,.{digits}f}×"

    def line(self) -> str:
        """A line of a Markdown table; what was wanted and is not there stands out."""
        ratio = self.written if self.met else f"**{self.written}**"
        return f"| {self.what} | {self.against} | {ratio} | {self.wanted} |"

    def as_dict(self) -> dict[str, Any]:
        """For another process."""
        return asdict(self)


def table(ratios: Iterable[Ratio]) -> str:
    """All of them as Markdown."""
    head = f"| {' | '.join(HEAD)} |\n|---|---|---:|---|"
    return "\n".join([head, *(ratio.line() for ratio in ratios)])


def show(ratios: Iterable[Ratio]) -> None:
    """Each as soon as it is measured."""
    print("\n".join(table(()).splitlines()))
    for ratio in ratios:
        print(ratio.line(), flush=True)
