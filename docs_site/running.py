"""Code of an example, and what it printed when the page was made."""

from __future__ import annotations

import contextlib
import io
import re
import warnings
from collections.abc import Mapping
from typing import Any

import pandas as pd


def printed(code: str, names: Mapping[str, Any]) -> str:
    """What the code prints, run now with these names."""
    out = io.StringIO()
    with warnings.catch_warnings(), contextlib.redirect_stdout(out):
        warnings.simplefilter("ignore")  # roles are named; what is left are the cautions of tiny data
        with pd.option_context("display.width", 100, "display.max_columns", 12, "display.max_rows", 30):
            exec(compile(code, "example", "exec"), dict(names))  # noqa: S102  our own example
    return re.sub(r" +$", "", out.getvalue(), flags=re.M).rstrip("\n")


def shown(code: str, names: Mapping[str, Any]) -> str:
    """The code as a block of Markdown, and what it printed as the next one."""
    code = code.strip("\n")
    return f"```python\n{code}\n```\n\n```text\n{printed(code, names)}\n```\n"


def frame_block(frame: pd.DataFrame) -> str:
    """A small table as a block of text."""
    return f"```text\n{frame.to_string(index=False)}\n```\n"
