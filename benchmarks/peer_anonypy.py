"""Run anonypy's Mondrian on a CSV file and print its CPU seconds and result as JSON.

Started by benchmarks.peers with the interpreter of anonypy's own environment:

    python peer_anonypy.py TABLE.csv OPTIONS
    OPTIONS: '{"quasi_identifiers": [...], "categories": [...], "sensitive": "s", "k": 5}'

Only the call is timed: reading the file and turning columns into pandas categories happen before.
"""

from __future__ import annotations

import json
import sys
import time
from typing import Any

import anonypy
import pandas as pd


def published(value: Any) -> str:
    # anonypy wraps each value in a list, and joins the categories of a set in no fixed order.
    return ",".join(sorted(str(value[0]).split(",")))


def main() -> None:
    options = json.loads(sys.argv[2])
    columns: list[str] = options["quasi_identifiers"]
    categories = [*options["categories"], options["sensitive"]]
    frame = pd.read_csv(
        sys.argv[1], usecols=[*columns, options["sensitive"]], dtype=dict.fromkeys(categories, str)
    )
    frame = frame.astype(dict.fromkeys(categories, "category"))

    start = time.process_time()
    rows = anonypy.Preserver(frame, columns, options["sensitive"]).anonymize_k_anonymity(k=options["k"])
    cpu = time.process_time() - start

    release = pd.DataFrame(rows)
    keys = [release[column].map(published) for column in columns]
    sizes = release["count"].groupby(keys).sum()
    result = {"k": int(sizes.min()), "classes": len(sizes), "rows": int(sizes.sum())}
    print(json.dumps({"cpu": cpu, "result": result}))


if __name__ == "__main__":
    main()
