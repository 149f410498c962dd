"""Linear algebra on one core, whoever else is at it, and whichever library was loaded meanwhile."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

CHECK = """
from threading import Thread
import numpy
from threadpoolctl import threadpool_info
from insanonym_core.numeric.arrays import one_thread

def threads():
    return [one["num_threads"] for one in threadpool_info() if one["user_api"] == "blas"]

before = threads()  # 2, where there are two cores
with one_thread():
    assert threads() == [1]
    with one_thread():
        import scipy.linalg
    with one_thread():
        assert threads() == [1, 1]
    assert threads() == [1, 1]
assert threads() == 2 * before

mine, other = one_thread(), one_thread()
mine.__enter__()
thread = Thread(target=other.__enter__)
thread.start()
thread.join()
mine.__exit__(None, None, None)
assert threads() == [1, 1], "the other one is still inside"
other.__exit__(None, None, None)
assert threads() == 2 * before
"""


@pytest.mark.slow
def test_the_limit_holds_for_all_who_are_inside_and_no_longer():
    run = {**os.environ, "OPENBLAS_NUM_THREADS": "2", "OMP_NUM_THREADS": "2"}
    subprocess.run([sys.executable, "-c", CHECK], check=True, env=run)


@pytest.mark.slow
def test_a_run_computes_on_one_core():
    code = (
        "from insanonym_core.experiment import run; "
        "from insanonym_core.recipe import Recipe, Step; from threadpoolctl import threadpool_info; "
        "from insanonym_core.runtime.jobs import Job; "
        "seen = set(); job = Job(lambda part: seen.update("
        "one['num_threads'] for one in threadpool_info() if one['user_api'] == 'blas')); "
        "steps = (Step('mix_neighbours', {'k': 5}),); "
        "run(Recipe(steps, data='demo:patients', kind='avatars', seed=1), job=job); assert seen == {1}, seen"
    )
    run = {**os.environ, "OPENBLAS_NUM_THREADS": "2"}
    subprocess.run([sys.executable, "-c", code], check=True, env=run)
