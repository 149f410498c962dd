"""Scores and attacks over parts of a file: in turn, in a pool of processes, or on a cluster. One logic."""

from insanonym_core.scale.over_parts import OverParts
from insanonym_core.scale.parts import FilePart, Part, parts_of_folders, parts_of_pair
from insanonym_core.scale.pools import cluster, pool

__all__ = ["FilePart", "OverParts", "Part", "cluster", "parts_of_folders", "parts_of_pair", "pool"]
