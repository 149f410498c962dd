"""Anonymisation methods. Each module here registers dataclasses whose annotated fields are their sliders.

`apply(track, generator)` returns a changed track: rows stay in place and in their ISO week, deleted rows stay
deleted, and people are counted by individual, never by token. A method that changes positions declares
`published_digits`: the number of decimals of published coordinates (publication.py).
"""
