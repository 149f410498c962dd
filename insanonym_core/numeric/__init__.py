"""Arrays: their types, counting and sorting by groups, holders of a value, intervals, random draws."""
