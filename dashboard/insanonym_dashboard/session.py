"""What all tabs of a page share."""

from __future__ import annotations

import secrets
from typing import Any

import traitlets

from insanonym_core.runtime.store import Store


class Session(traitlets.HasTraits):
    """What all tabs share: the language, what is kept between runs, and a secret for draws over own data."""

    lang = traitlets.Unicode("en")

    def __init__(self, **values: Any) -> None:
        super().__init__(**values)
        self.secret = secrets.token_bytes(32)
        self.store = Store()
