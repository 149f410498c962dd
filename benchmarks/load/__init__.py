"""A room of students: many sessions of one server, each at its own slider, against one session alone."""
