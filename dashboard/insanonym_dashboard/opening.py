"""Files that the dashboard is started with: read from disk by each page, never copied."""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass
from pathlib import Path

from insanonym_core.errors import UsageError, brief
from insanonym_core.kinds import all_kinds, kind_named
from insanonym_core.mobility.recognise import looks_like_traces
from insanonym_core.texts import Phrase
from insanonym_dashboard.tab_names import tab_named

VARIABLE = "INSANONYM_OPEN"  # set for the kernels of the server


@dataclass(frozen=True)
class Opening:
    """A file, its kind of data, and a release and guesses made from it elsewhere, if given."""

    file: str
    kind: str
    release: str = ""
    guesses: str = ""

    @classmethod
    def from_arguments(
        cls, file: Path, tab: str = "", release: Path | None = None, guesses: Path | None = None
    ) -> Opening:
        """Check the arguments of the command line."""
        for path in filter(None, (file, release, guesses)):
            if not path.is_file():
                raise UsageError(
                    "There is no file {file}: give the path of a file that exists.", file=path.name
                )
        kind = tab_named(tab) if tab else kind_of_file(file)
        if kind is None or kind not in all_kinds():
            known = ", ".join(all_kinds())
            raise UsageError("--tab must be one of {known}, got {tab}.", known=known, tab=brief(tab))
        declared = kind_named(kind)
        if release is not None and declared.read_release is None:
            raise UsageError(
                "A release of {data} cannot be opened here: leave --release out.",
                data=Phrase(declared.data_title),
            )
        if guesses is not None and declared.read_guesses is None:
            raise UsageError(
                "There are no guesses for {data}: leave --guesses out.", data=Phrase(declared.data_title)
            )
        texts = [str(path.resolve()) if path else "" for path in (release, guesses)]
        return cls(str(file.resolve()), kind, *texts)

    @classmethod
    def from_environment(cls) -> Opening | None:
        """The files that the server of this page was started with; None if there are none."""
        text = os.environ.get(VARIABLE)
        return cls(**json.loads(text)) if text else None

    def to_environment(self) -> None:
        """Pass it to the kernels by an environment variable."""
        os.environ[VARIABLE] = json.dumps(asdict(self))


def kind_of_file(path: Path) -> str:
    """The kind of data of a file: GPS traces if it looks like them, else a table."""
    return "mobility" if looks_like_traces(path, {}) else "table"
