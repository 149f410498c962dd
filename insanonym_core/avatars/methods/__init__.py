"""Methods that make synthetic rows: frozen dataclasses with `apply(table, generator) -> Avatars`."""
