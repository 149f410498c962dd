"""Compiled loops of the attacks over all pairs of an individual and a token.

Each replaces numpy or scipy code and returns the same numbers (`nearness` and `topsoe` to 15 digits, before
costs are rounded to billionths). `compiled.run_compiled_or` decides when they are used.
"""
