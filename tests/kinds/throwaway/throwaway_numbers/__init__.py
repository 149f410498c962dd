"""A kind of data that only the tests have: a table of numbers."""
