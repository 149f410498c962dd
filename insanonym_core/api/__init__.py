"""INSAnonym from Python, on DataFrames: what `import insanonym_core` offers.

Each function builds a recipe and goes the road of the command line (`experiment.run`), so that both give the
same numbers; a `Result` shows them, draws them and hands over the release as a DataFrame.
"""
