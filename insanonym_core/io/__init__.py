"""Files: opening and writing them, Parquet and spreadsheets, how a release is published."""
