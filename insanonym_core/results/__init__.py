"""What a run returns: scores with evidence, threats, headlines, promises, sentences and warnings."""
