"""Generators of demonstration data: synthetic people, drawn from a seed."""
