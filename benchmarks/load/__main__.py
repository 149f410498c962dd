"""Measure a room of students.

    python -m benchmarks.load               30 sessions, a move every 2.5 s for two minutes, then 60 alive
    python -m benchmarks.load --ordinary    the same with kernels that start by themselves
    python -m benchmarks.load --soak 3600   10 sessions and 3,600 moves in an hour: is memory flat?

Sessions speak the protocol of a page (its request and files, web socket, widget messages), so that the
server is measured and not thirty browsers; one real browser walks beside them. The time of a move is from
the slider's message to the figure's. Sessions and browser share the machine with the server. The exit code
is 1 when a session died, a page or the log has an error, or a process is left.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
import tempfile
import time
from pathlib import Path

import psutil
from playwright.async_api import async_playwright

from benchmarks.dashboard import Times
from benchmarks.load.cost import memory, others, processor
from benchmarks.load.room import TABS, Student, Walker, enter_all, problems, times_of, work_all
from insanonym_dashboard.forking.client import OFF
from tests.browser import ARGUMENTS, find_chromium
from tests.browser_dashboard.serving import Running, running

_ENDING = 20.0  # seconds in which all processes end with their server
_MOVES_OF_SOAK, _SESSIONS_OF_SOAK = 3600, 10


def say(text: str) -> None:
    """A line, at once."""
    print(text, flush=True)


async def alone(server: Running, assets: list[str], seconds: float, pace: float) -> list[Student]:
    """One session after the other, in every tab: nobody else is there to wait for."""
    done = []
    for tab in TABS:
        student = Student(server, tab, assets)
        await student.open()
        await work_all([student], seconds, pace)
        await student.leave()
        done.append(student)
    say(f"One session alone: ready after {Times([one.opened for one in done]).at(50):.1f} s (median)")
    say(f"  a move every {pace:g} s: {times_of(done)} ({len(times_of(done).all)} moves)")
    return done


async def together(
    server: Running, walker: Walker, given: argparse.Namespace, single: list[Student]
) -> list[Student]:
    """All at once, beside the browser; then twice as many stay alive."""
    students = [Student(server, TABS[place % len(TABS)], walker.assets) for place in range(given.sessions)]
    before = processor(server)
    ready = await enter_all(students, given.stagger)
    made = sum(processor(server).values()) - sum(before.values())
    opened = Times([one.opened for one in students])
    say(f"{given.sessions} pages, one request every {given.stagger:g} s: all ready after {ready:.1f} s; ")
    say(f"  each p50 {opened.at(50):.1f} s, slowest {opened.at(100):.1f} s")
    say(f"  a page took {made / len(students):.2f} s of a core")
    before, began = processor(server), time.monotonic()
    browser, _ = await asyncio.gather(
        walker.work(given.seconds, given.pace), work_all(students, given.seconds, given.pace)
    )
    spent = {name: (now - before.get(name, 0)) for name, now in processor(server).items()}
    cores = ", ".join(f"{name} {one / (time.monotonic() - began):.2f}" for name, one in spent.items())
    one, many = times_of(single), times_of(students)
    say(f"{given.sessions} sessions, a move every {given.pace:g} s: {many} ({len(many.all)} moves)")
    say(f"  {many.at(95) / one.at(95):.1f}× one session alone at p95, {many.at(50) / one.at(50):.1f}× at p50")
    for tab in TABS:
        here = times_of(students, tab)
        say(f"  {tab}: {here}; alone {times_of(single, tab)}")
    if browser.all:
        say(f"  in the real browser, key to drawn figure: {browser} ({len(browser.all)} keys)")
    say(f"Cores busy: {cores} of {psutil.cpu_count()}")
    say(f"  of all programs, {os.getloadavg()[0]:.0f} processes wanted a core")
    say(f"A move took {spent['kernels'] / max(1, sum(one.moves for one in students)):.2f} s of a core")
    say(f"Memory: {memory(server, [one.page.kernel for one in students if not one.died])}; {others(server)}")
    return students


async def more(server: Running, students: list[Student], assets: list[str], until: int) -> list[Student]:
    """More sessions, up to `until`; then everybody moves once."""
    added = [Student(server, TABS[place % len(TABS)], assets) for place in range(len(students), until)]
    ready = await enter_all(added, 0.0)
    everybody = [*students, *added]
    await asyncio.gather(*(one.move() for one in everybody if not one.died))
    alive = sum(not one.died for one in everybody)
    say(f"{len(added)} more, ready after {ready:.1f} s: {alive} of {until} sessions alive and answering")
    say(f"Memory: {memory(server, [one.page.kernel for one in everybody if not one.died])}")
    return added


async def soak(server: Running, assets: list[str], seconds: float) -> list[Student]:
    """Ten sessions at an even pace; memory a tenth of the way in, when all are warm, against the end."""
    students = [Student(server, TABS[place % len(TABS)], assets) for place in range(_SESSIONS_OF_SOAK)]
    await enter_all(students, 0.5)
    pace = seconds * _SESSIONS_OF_SOAK / _MOVES_OF_SOAK if seconds >= 3600 else 2.5
    ids = [one.page.kernel for one in students]
    first = memory(server, ids)
    for part in range(10):
        await work_all(students, seconds / 10, pace)
        found = memory(server, ids)
        now = [one for student in students for one in student.times]
        say(f"  after {(part + 1) * seconds / 10:.0f} s, {len(now)} moves: {found}; {others(server)}")
        first = found if part == 0 else first
    growth = [end - begin for begin, end in zip(first.own, found.own, strict=True)]
    say(f"Soak: {sum(one.moves for one in students)} moves; a session grew by {max(growth):.0f} MB at most")
    return students


async def run(given: argparse.Namespace) -> int:
    """On one server; the number of things that went wrong."""
    variables = {OFF: "1"} if given.ordinary else {}
    places = 2 * max(given.sessions, given.alive) + 2
    with tempfile.TemporaryDirectory() as folder, running(Path(folder), variables, sessions=places) as server:
        server.wait_until_warm(1 if given.ordinary else 0)
        async with async_playwright() as playwright:
            browser = await playwright.chromium.launch(executable_path=find_chromium(), args=list(ARGUMENTS))
            walker = await Walker.enter(browser, server)
            if given.soak:
                everybody = await soak(server, walker.assets, given.soak)
            else:
                single = await alone(server, walker.assets, given.alone, given.pace)
                students = await together(server, walker, given, single)
                everybody = [*single, *students]
                if given.alive > given.sessions:
                    everybody += await more(server, students, walker.assets, given.alive)
            said = problems(everybody, server.log) + walker.errors
            await walker.leave()
        say(f"Sessions that died, errors of pages and of the log: {len(said)}")
        for one in said[:20]:
            say(f"  {one[:200]}")
        processes = psutil.Process(server.process.pid).children(recursive=True)
    _, left = psutil.wait_procs(processes, timeout=_ENDING)
    say(f"Processes left after the end: {len(left)}")
    return len(said) + len(left)


def main() -> None:
    asked = argparse.ArgumentParser(prog="python -m benchmarks.load", description=__doc__.splitlines()[0])
    asked.add_argument("--sessions", type=int, default=30)
    asked.add_argument("--seconds", type=float, default=120, help="how long all of them move their sliders")
    asked.add_argument("--pace", type=float, default=2.5, help="seconds between two moves of a session")
    asked.add_argument("--stagger", type=float, default=0.0, help="seconds between two requests of a page")
    asked.add_argument("--alone", type=float, default=30, help="seconds of a session alone, in each tab")
    asked.add_argument("--alive", type=int, default=60, help="how many sessions stay alive at the end")
    asked.add_argument("--soak", type=float, default=0, help="seconds of a soak, instead of the rest")
    asked.add_argument("--ordinary", action="store_true", help="kernels that start by themselves")
    sys.exit(1 if asyncio.run(run(asked.parse_args())) else 0)


if __name__ == "__main__":
    main()
