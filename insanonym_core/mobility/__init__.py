"""GPS traces: read and check releases, score them, attack them, anonymise."""
