"""Risk and utility of a published table. Each module here registers its measures."""
