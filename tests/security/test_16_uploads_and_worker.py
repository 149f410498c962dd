"""Number 16: files are read beside the page's thread; a worker can keep all its jobs."""

from __future__ import annotations

from typing import Any

import pytest

from insanonym_core.tabular import step_defaults
from insanonym_dashboard.panels import data_card
from insanonym_dashboard.worker import Worker
from tests.security.page import Gate, moved, on_the_page, opened, opening, until

ROWS = "person,age,town\n" + "".join(f"p{n},{20 + n % 40},{'ab'[n % 2]}\n" for n in range(80))


# --- data -------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_an_upload_is_read_and_its_roles_guessed_beside_and_a_slider_does_not_drop_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    reading, guessing = Gate(data_card.read_upload), Gate(step_defaults.guess_roles)
    monkeypatch.setattr(data_card, "read_upload", reading)
    monkeypatch.setattr(step_defaults, "guess_roles", guessing)

    async def use() -> None:
        _, panel = await opened("table")
        with opening(reading, guessing):
            panel.data._uploaded("own.csv", len(ROWS), ROWS.encode())
            await until(reading.entered.is_set)
            assert panel.state.busy == "Reading the file"
            await moved(panel, "k", 9)
            reading.opened.set()
            await until(guessing.entered.is_set)
            await moved(panel, "k", 8)
            guessing.opened.set()
            await until(lambda: panel.state.data_name == "own.csv")
        await until(lambda: panel.state.report.rows == 80 and panel.state.worker.idle)
        assert panel.state.error == ""

    on_the_page(use)


@pytest.mark.slow
def test_a_cancelled_upload_leaves_the_data_that_was_there(monkeypatch: pytest.MonkeyPatch) -> None:
    reading = Gate(data_card.read_upload)
    monkeypatch.setattr(data_card, "read_upload", reading)

    async def use() -> None:
        _, panel = await opened("table")
        with opening(reading):
            panel.data._uploaded("own.csv", len(ROWS), ROWS.encode())
            await until(reading.entered.is_set)
            panel.status.cancel.click()
        await moved(panel, "k", 9)
        assert panel.state.data_name == "demo:patients"

    on_the_page(use)


# --- the worker -------------------------------------------------------------------------------------


def test_a_worker_that_keeps_all_does_every_job_in_order_until_it_is_cancelled() -> None:
    gate = Gate(lambda: 0)

    async def use() -> list[Any]:
        found: list[Any] = []
        worker = Worker(keep_all=True)
        done = lambda result, error: found.append(result)  # noqa: E731
        with opening(gate):
            for job in (gate, lambda: 1, lambda: 2):
                worker.submit(lambda _, job=job: job(), done)
            await until(gate.entered.is_set)
            assert not worker.idle
            gate.opened.set()
            await until(lambda: worker.idle)
        assert found == [0, 1, 2]
        gate.entered.clear()
        gate.opened.clear()
        with opening(gate):
            worker.submit(lambda _: gate(), done)
            worker.submit(lambda _: 4, done)
            await until(gate.entered.is_set)
            worker.cancel()
        worker.submit(lambda _: 5, done)
        await until(lambda: worker.idle)
        return found

    assert on_the_page(use) == [0, 1, 2, 5]
