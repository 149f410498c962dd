"""Attacks on a release. Each module registers one: a function from known and seen units to guesses."""
