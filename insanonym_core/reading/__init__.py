"""Reading what people have: one answer to what a file means, on every road.

`grids` turns any supported format into columns of text, `columns` decides what each holds (number, date,
text)
and says why, `options` is what a user said about it, `style` how the file was written, so that a release can
be
written alike.
"""
