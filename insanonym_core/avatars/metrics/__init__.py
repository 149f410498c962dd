"""Measures of avatars: functions `(avatars, *, …) -> Score`."""
