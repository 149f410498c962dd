"""Write what anonypy's Mondrian loses on the generated table of benchmarks/adult_like.py, for each k.

    PYTHONPATH=. python tests/golden/anonypy/make_golden.py

anonypy runs in an environment of its own (benchmarks/peers.py); some minutes.
"""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

from benchmarks import adult_like, peers

KS = (5, 10, 50)


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "table.csv"
        adult_like.adult_like().to_csv(path, index=False)
        columns = adult_like.NUMBERS, adult_like.CATEGORIES, adult_like.SENSITIVE
        found = {str(k): peers.anonypy_mondrian(path, k, *columns).result for k in KS}
    made = {"program": peers.PEERS["anonypy"].requirements[0], "by_k": found}
    text = json.dumps(made, indent=2) + "\n"
    Path(__file__).with_name("expected.json").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
