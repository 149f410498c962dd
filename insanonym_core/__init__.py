"""The core of INSAnonym Explorer: data and a recipe in, scores with evidence out.

Importing this package loads nothing heavy; the parts are imported where they are used:
``insanonym_core.mobility`` for GPS traces, ``insanonym_core.demo`` for demonstration data.
"""

__version__ = "0.1.0"
