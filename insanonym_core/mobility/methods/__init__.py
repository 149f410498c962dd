"""Anonymisation methods. Each module here registers dataclasses whose annotated fields are their sliders.

`apply(track, generator)` returns a changed track: rows stay in place and in their ISO week, deleted rows stay
deleted, and people are counted by the individual behind the line, never by pseudonym. A method that changes
places declares `published_digits`: with how many decimals its places may be published (publication.py).
"""
