"""What a user says about how a file is to be read; everything else is found out and told."""

from __future__ import annotations

import codecs
import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from insanonym_core.errors import UsageError, brief

READING = ("separator", "decimal", "encoding", "sheet", "zone", "types")
"""The fields of `reading` in a recipe that every kind of data knows; each is an option of the command "
"line."""
TYPES = ("text", "number", "date", "date:dmy", "date:mdy", "date:ymd")


@dataclass(frozen=True)
class ReadingOptions:
    """How to read a file; what is None is found out.

    `types` names the type of columns: text, number, date, or a date with the order of day, month and year.
    `zone` is the time zone into which times with an offset are converted.
    """

    separator: str | None = None
    decimal: str | None = None
    encoding: str | None = None
    sheet: str | None = None
    zone: str | None = None
    types: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        mark = {"tab": "\t", "\\t": "\t"}.get(self.separator or "", self.separator)
        object.__setattr__(self, "separator", mark)
        if mark is not None and (len(mark) != 1 or not mark.isascii() or mark in '"\r\n'):
            raise UsageError(
                "The separator must be a single plain character, got {mark}.", mark=brief(self.separator)
            )
        if self.decimal not in (".", ",", None):
            raise UsageError(
                "The decimal mark must be a point or a comma, got {decimal}.", decimal=brief(self.decimal)
            )
        if self.encoding is not None:
            _check_encoding(self.encoding)
        if self.zone is not None and not is_zone(self.zone):
            raise UsageError(
                "The time zone must be a name such as Europe/Paris or UTC, got {zone}.", zone=brief(self.zone)
            )
        for column, kind in self.types.items():
            if kind not in TYPES:
                raise UsageError(
                    "The type of the column {column} must be one of {types}, got {kind}.",
                    column=brief(column),
                    types=", ".join(TYPES),
                    kind=brief(kind),
                )

    @classmethod
    def of(cls, reading: Mapping[str, object]) -> ReadingOptions:
        """The options that the `reading` of a recipe holds, beside those of a kind of data."""
        given = {name: reading[name] for name in READING if reading.get(name)}
        types = given.pop("types", {})
        if not isinstance(types, Mapping):
            raise UsageError("types must be columns with a type, such as 'types: {{birth: date:dmy}}'.")
        texts = {name: str(value) for name, value in given.items()}
        return cls(**texts, types={str(name): str(kind) for name, kind in types.items()})

    def order_of(self, column: str) -> str | None:
        """The order of day, month and year that was said for a column; None if it was not."""
        return self.types.get(column, "").partition(":")[2] or None


def is_zone(name: str) -> bool:
    """Whether there is a time zone of this name."""
    from zoneinfo import available_timezones  # looks through the system's files

    return name in available_timezones()


def _check_encoding(name: str) -> None:
    try:
        known = codecs.lookup(name)
        b"".decode(name)
    except (LookupError, ValueError, UnicodeError):
        known = None
    if known is None or not re.fullmatch(r"[\w-]+", name):
        raise UsageError(
            "The encoding must be a name such as utf-8, cp1252 or latin-1, got {encoding}.",
            encoding=brief(name),
        )


def types_of(settings: list[str]) -> dict[str, str]:
    """The types of columns from `--type COLUMN=TYPE` options."""
    types = {}
    for setting in settings:
        column, mark, kind = setting.rpartition("=")
        if not (mark and column.strip() and kind.strip()):
            raise UsageError(
                "--type must be COLUMN=TYPE, such as --type birth=date:dmy, got {setting}.",
                setting=brief(setting),
            )
        types[column.strip()] = kind.strip()
    return types
