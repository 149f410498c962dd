"""One common week for each group of similar people: the computations of the method `common_week`.

rows      the kept rows of a week, sorted by individual and time, and the segments of a week
blocks    parts of a large week: people who are alike on a coarse description
stays     stays inside segments, and points of interest
tables    what the rows of one individual would score in the place of another's
groups    groups of individuals, by these tables
content   the rows that a group publishes
assign    which row of each member carries which of them
release   all weeks, one after the other
"""
