"""Methods that publish traces: frozen dataclasses with `apply(frame, identifier) -> TraceRelease`."""
