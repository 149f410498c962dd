"""Ask pycanon for k, l and t of a CSV file and print its CPU seconds and answers as JSON.

Started by benchmarks.peers with the interpreter of pycanon's own environment:

    python peer_pycanon.py TABLE.csv OPTIONS
    OPTIONS: '{"quasi_identifiers": [...], "sensitive": "s", "measures": ["k", "l", "t"]}'

Only the calls are timed, each one by itself; reading the file happens before.
"""

from __future__ import annotations

import json
import sys
import time

import pandas as pd
from pycanon import anonymity


def main() -> None:
    options = json.loads(sys.argv[2])
    columns: list[str] = options["quasi_identifiers"]
    sensitive: str = options["sensitive"]
    frame = pd.read_csv(sys.argv[1], usecols=[*columns, sensitive])
    calls = {
        "k": lambda: anonymity.k_anonymity(frame, columns),
        "l": lambda: anonymity.l_diversity(frame, columns, [sensitive]),
        "t": lambda: anonymity.t_closeness(frame, columns, [sensitive]),
    }
    cpu: dict[str, float] = {}
    result: dict[str, float] = {}
    for measure in options["measures"]:
        start = time.process_time()
        answer = calls[measure]()
        cpu[measure] = time.process_time() - start
        result[measure] = float(answer) if measure == "t" else int(answer)
    print(json.dumps({"cpu": sum(cpu.values()), "cpu_by_measure": cpu, "result": result}))


if __name__ == "__main__":
    main()
