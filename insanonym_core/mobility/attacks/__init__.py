"""Attacks on a release. Each module here registers one: known people and seen pseudonyms in, guesses out."""
