"""The thread beside the page: the newest wish wins, and what is shown first is shown at every move."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from insanonym_core.runtime.jobs import Job
from insanonym_dashboard import worker as module
from insanonym_dashboard.worker import Worker

MAIN = "the page's"


def _run(wanted: Coroutine[Any, Any, object]) -> object:
    """In a thread of its own: the browser tests have an event loop in the first one."""
    with ThreadPoolExecutor(1, initializer=_named) as pool:
        return pool.submit(asyncio.run, wanted).result()


def _named() -> None:
    threading.current_thread().name = MAIN


def test_early_parts_are_shown_before_the_rest_is_computed() -> None:
    order: list[str] = []

    def work(job: Job) -> str:
        job.partial("a part")
        order.append("the rest")
        return "all"

    def show(part: str) -> None:
        order.append(f"{part} shown in {threading.current_thread().name}")

    assert _run(_result(work, show)) == "all"
    assert order == [f"a part shown in {MAIN}", "the rest"]


def test_a_dragged_slider_leaves_the_rest_for_later(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of three moves in a row the second shows its first part; its rest gives way to the third."""
    monkeypatch.setattr(module, "_PAUSE", 60.0)
    monkeypatch.setattr(module, "_DRAG", 60.0)
    first_part: list[int] = []
    rest: list[int] = []

    async def drag() -> list[int]:
        worker, done = Worker(), asyncio.Event()
        finished: list[int] = []

        def move(number: int, then: asyncio.Event | None) -> None:
            def work(job: Job) -> int:
                job.partial(number)
                job.progress("the rest")
                rest.append(number)
                return number

            def arrived(result: int, error: Exception | None) -> None:
                assert error is None
                finished.append(result)
                done.set()

            def show(part: int) -> None:
                first_part.append(part)
                if then is not None:
                    then.set()

            worker.submit(work, arrived, on_partial=show)

        move(1, None)
        await asyncio.wait_for(done.wait(), 30)
        shown = asyncio.Event()
        move(2, shown)
        await asyncio.wait_for(shown.wait(), 30)
        done.clear()
        move(3, None)
        monkeypatch.setattr(module, "_DRAG", 0.0)  # its own rest is not put off
        await asyncio.wait_for(done.wait(), 30)
        return finished

    assert _run(drag()) == [1, 3]
    assert first_part == [1, 2, 3]
    assert rest == [1, 3]


async def _result(work: module.Work, show: Callable[[Any], None]) -> object:
    done: asyncio.Future[object] = asyncio.get_running_loop().create_future()
    Worker().submit(work, lambda result, error: done.set_result(error or result), on_partial=show)
    return await asyncio.wait_for(done, 30)


def test_a_cancelled_job_does_not_end_the_word_about_the_next() -> None:
    said: list[str] = []

    async def use() -> None:
        worker, begun, go_on = Worker(said.append), threading.Event(), threading.Event()
        done: asyncio.Future[object] = asyncio.get_running_loop().create_future()

        def slow(job: Job) -> None:
            begun.set()
            go_on.wait(30)
            job.progress("never reached")

        def second(job: Job) -> str:
            go_on.wait(30)
            return "second"

        worker.submit(slow, lambda *_: None, "first")
        await asyncio.to_thread(begun.wait, 30)
        worker.submit(second, lambda result, _: done.set_result(result), "second")
        assert said == ["first", "second"]
        go_on.set()
        await asyncio.wait_for(done, 30)

    _run(use())
    assert said == ["first", "second", ""]


def test_the_part_that_takes_long_is_the_one_that_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """Parts that follow each other quickly are not all said, but the last of them is."""
    monkeypatch.setattr(module, "SLOW", 0.0)
    monkeypatch.setattr(module, "_WORDS", 0.05)
    said: list[str] = []
    told = threading.Event()

    def busy(text: str) -> None:
        said.append(text)
        if text == "part 99":
            told.set()

    async def page() -> bool:
        worker, done = Worker(busy), asyncio.Event()
        heard: list[bool] = []

        def work(job: Job) -> None:
            for number in range(100):
                job.progress(f"part {number}")
            heard.append(told.wait(10))

        worker.submit(work, lambda result, error: done.set())
        await asyncio.wait_for(done.wait(), 20)
        return heard == [True]

    assert _run(page())
    assert len(said) < 50
    assert said[-1] == "", "and at the end nothing"


def test_costly_measures_wait_until_a_slider_rests(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of two moves in a row the first begins no costly measure; the second does, when no third one comes."""
    monkeypatch.setattr(module, "_MOVING", 60.0)
    monkeypatch.setattr(module, "_REST", 60.0)
    costly: list[int] = []

    async def move_twice() -> list[int]:
        worker, done = Worker(), asyncio.Event()
        finished: list[int] = []
        about_to_wait = [threading.Event(), threading.Event()]

        def move(number: int) -> None:
            def work(job: Job) -> int:
                about_to_wait[number].set()
                job.before_costly()
                job.progress("costly")
                costly.append(number)
                return number

            def arrived(result: int, error: Exception | None) -> None:
                assert error is None
                finished.append(result)
                done.set()

            worker.submit(work, arrived)

        worker.submit(lambda job: None, lambda *_: None)  # so that the next one follows a move
        move(0)
        await asyncio.to_thread(about_to_wait[0].wait, 30)
        monkeypatch.setattr(module, "_REST", 0.0)
        move(1)
        await asyncio.wait_for(done.wait(), 30)
        return finished

    assert _run(move_twice()) == [1]
    assert costly == [1]
