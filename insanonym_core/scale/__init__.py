"""Scores and attacks over parts of a file: in turn, in a pool of processes, or on a cluster. One logic."""

from insanonym_core.scale.evaluate import evaluate_parts
from insanonym_core.scale.parts import FilePart, Part, parts_of_folders, parts_of_pair
from insanonym_core.scale.pools import cluster, pool

__all__ = ["FilePart", "Part", "cluster", "evaluate_parts", "parts_of_folders", "parts_of_pair", "pool"]
