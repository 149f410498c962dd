"""Ask SDMetrics for the distances to the closest record and print its CPU seconds and answers as JSON.

Started by benchmarks.peers with the interpreter of SDMetrics' own environment:

    python peer_sdmetrics.py TRAIN.csv HELD_OUT.csv SYNTHETIC.csv OPTIONS
    OPTIONS: '{"measures": ["overfitting", "baseline"]}'

The three files have the same columns, all numbers, no value missing. No row is sampled away. Only the calls
are timed, each one by itself; reading the files happens before.
"""

from __future__ import annotations

import json
import sys
import time
from typing import Any

import pandas as pd
import sdmetrics
from sdmetrics.single_table import DCRBaselineProtection, DCROverfittingProtection

TABLE = "table"


def main() -> None:
    options = json.loads(sys.argv[4])
    train, held_out, synthetic = (pd.read_csv(path) for path in sys.argv[1:4])
    metadata = {"tables": {TABLE: {"columns": {name: {"sdtype": "numerical"} for name in train.columns}}}}
    calls = {
        "overfitting": lambda: DCROverfittingProtection.compute_breakdown(
            real_training_data=train,
            synthetic_data=synthetic,
            real_validation_data=held_out,
            metadata=metadata,
            table_name=TABLE,
        ),
        "baseline": lambda: DCRBaselineProtection.compute_breakdown(
            real_data=train, synthetic_data=synthetic, metadata=metadata, table_name=TABLE
        ),
    }
    cpu: dict[str, float] = {}
    result: dict[str, Any] = {"version": sdmetrics.__version__}
    for measure in options["measures"]:
        start = time.process_time()
        answer = calls[measure]()
        cpu[measure] = time.process_time() - start
        result[measure] = answer
    print(json.dumps({"cpu": sum(cpu.values()), "cpu_by_measure": cpu, "result": result}, default=float))


if __name__ == "__main__":
    main()
