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
from collections.abc import Callable
from typing import Any

import anonypy
import pandas as pd


def published(value: Any) -> str:
    # anonypy wraps each value in a list, and joins the categories of a set in no fixed order.
    return ",".join(sorted(str(value[0]).split(",")))


def lost_in(column: pd.Series) -> Callable[[Any], float]:
    """The normalised certainty penalty of a published value: width/range or (set - 1)/(domain - 1)."""
    if column.dtype.name == "category":
        domain = column.nunique()
        return lambda value: (len(published(value).split(",")) - 1) / max(domain - 1, 1)
    width = float(column.max() - column.min())

    def of_interval(value: Any) -> float:
        low, _, high = str(value[0]).partition("-")  # no number here is negative
        return (float(high) - float(low)) / width if high else 0.0

    return of_interval


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
    losses = [release[column].map(lost_in(frame[column])) for column in columns]
    ncp = sum(float((loss * release["count"]).sum()) for loss in losses) / len(columns) / len(frame)
    result = {"k": int(sizes.min()), "classes": len(sizes), "rows": int(sizes.sum()), "ncp": ncp}
    print(json.dumps({"cpu": cpu, "result": result}))


if __name__ == "__main__":
    main()
