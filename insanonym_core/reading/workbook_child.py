"""Run as a script, by a process of its own: the cells of a workbook on standard input, as JSON.

Two cells far apart make the reader of workbooks ask for hundreds of GB, and when it does not get them it ends
the process. So that is a process that may end, with a limit on its memory and its time. It imports nothing
of ours.
"""

from __future__ import annotations

import datetime
import io
import json
import sys

MEMORY = 3 * 1024**3  # bytes of address space
SECONDS = 120


def limit_resources() -> None:
    """Limit memory and time, where the system can."""
    try:
        import resource
    except ImportError:  # Windows
        return
    for what, most in (
        (resource.RLIMIT_AS, MEMORY),
        (resource.RLIMIT_CPU, SECONDS),
        (resource.RLIMIT_CORE, 0),
    ):
        _, hard = resource.getrlimit(what)
        most = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(what, (most, most))


def text_of(value: object) -> str | None:
    """A cell as it would stand in a CSV file; None if it is empty."""
    if value is None or value == "":
        return None
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    if isinstance(value, datetime.datetime):
        midnight = value.time() == datetime.time()
        return str(value.date()) if midnight else value.isoformat(" ", "seconds")
    return str(value)


def read(content: bytes, wanted: str) -> dict[str, object]:
    """The sheets that hold something, and the rows of the one that is wanted or the only one."""
    import python_calamine as calamine

    try:
        with calamine.load_workbook(io.BytesIO(content)) as book:
            visible = [
                one.name for one in book.sheets_metadata if one.visible == calamine.SheetVisibleEnum.Visible
            ]
            names = [wanted] if wanted in book.sheet_names else visible
            sheets = {name: book.get_sheet_by_name(name) for name in names}
            filled = {name: sheet for name, sheet in sheets.items() if sheet.start is not None}
            if len(filled) != 1 or (wanted and wanted not in filled):
                return {"sheets": visible, "rows": None}
            ((name, sheet),) = filled.items()
            first = (sheet.start or (0, 0))[0] + 1
            rows = [[text_of(value) for value in row] for row in sheet.iter_rows()]
            return {"sheets": visible, "sheet": name, "first": first, "rows": rows}
    except calamine.PasswordError:
        return {"wrong": "password"}
    except Exception as error:  # of a damaged file
        return {"wrong": type(error).__name__}


if __name__ == "__main__":
    limit_resources()
    json.dump(read(sys.stdin.buffer.read(), sys.argv[1] if len(sys.argv) > 1 else ""), sys.stdout)
