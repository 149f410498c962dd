"""Methods on tables. Each module registers dataclasses whose annotated fields are their parameters.

`apply(table, roles, generator)` returns a release; the table it was given is never changed.
"""
