"""Demonstration data: invented people, made from a seed, with the traits that the lessons need."""
