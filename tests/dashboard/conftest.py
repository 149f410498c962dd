"""Panels without a browser."""

from tests.security.conftest import at_once

__all__ = ["at_once"]
