"""Measures of published traces: functions `(release: TraceRelease, *, …) -> Score`."""
