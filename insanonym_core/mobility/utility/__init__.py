"""The utility scores of a release. Each module here registers one score, under one or both rule sets."""
