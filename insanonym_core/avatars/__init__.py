"""Avatars: synthetic rows mixed from the PCA neighbours of each row, and how close they come to people."""
