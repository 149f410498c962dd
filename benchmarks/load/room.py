"""Students who open a page and move a slider, by the page's own protocol; one of them in a real browser."""

from __future__ import annotations

import asyncio
import random
import re
import time
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from playwright.async_api import Browser, Error, Page

from benchmarks.dashboard import NOISE, TIMED, Times
from tests.browser_dashboard.protocol import PageError, ProtocolPage
from tests.browser_dashboard.serving import DRAWN, Running

TABS = ("mobility", "table", "traces", "avatars")
PRESET = {"preset": "strong_noise"}  # where a tab has it: steps with many sliders
PLOT = ".insanonym-tile-figure .insanonym-plot >> nth=0"
WARM_UP = 2  # moves of a session that are not counted: a tab imports what it needs
_OPENING = 300_000  # milliseconds
_LOGGED = re.compile(r"ERROR|CRITICAL|Traceback|failed|^5\d\d ")


@dataclass
class Student:
    """One session: what it measured, and what went wrong."""

    server: Running
    tab: str
    assets: list[str]
    opened: float = 0.0
    times: list[float] = field(default_factory=list)
    moves: int = 0
    died: str = ""

    def __post_init__(self) -> None:
        self.page = ProtocolPage(self.server.address)

    @property
    def errors(self) -> list[str]:
        return self.page.errors

    async def open(self) -> None:
        """Until its first figure is there."""
        began = time.perf_counter()
        try:
            await self.page.open(self.tab, self.assets, **PRESET)
        except (PageError, OSError) as error:
            self.died = f"never opened: {error}"
        self.opened = time.perf_counter() - began

    async def work(self, seconds: float, pace: float, generator: random.Random) -> None:
        """A move every `pace` seconds, more or less, whether or not the last one was quick."""
        end = time.monotonic() + seconds
        next_one = time.monotonic() + pace * generator.random()
        while not self.died and next_one < end:
            await asyncio.sleep(max(0.0, next_one - time.monotonic()))
            await self.move()
            next_one = max(next_one + pace * generator.uniform(0.6, 1.4), time.monotonic())

    async def move(self) -> None:
        """One move of the slider, until its figure comes."""
        try:
            seconds = await self.page.move()
        except (PageError, OSError) as error:
            self.died = self.died or str(error)
            return
        self.moves += 1
        if self.moves > WARM_UP:
            self.times.append(seconds)

    async def leave(self) -> None:
        """Close the page, which says so to the server."""
        await self.page.close()


async def enter_all(students: list[Student], stagger: float) -> float:
    """All of them open their page, one every `stagger` seconds; seconds until the last one has its figure."""
    began = time.perf_counter()

    async def later(place: int) -> None:
        await asyncio.sleep(place * stagger)
        await students[place].open()

    await asyncio.gather(*(later(place) for place in range(len(students))))
    return time.perf_counter() - began


async def work_all(students: list[Student], seconds: float, pace: float) -> None:
    """All of them move their sliders."""
    await asyncio.gather(
        *(
            one.work(seconds, pace, random.Random(place))  # noqa: S311
            for place, one in enumerate(students)
        )
    )


def times_of(students: list[Student], tab: str = "") -> Times:
    """Of all of them, or of those in a tab."""
    return Times([one for student in students if tab in ("", student.tab) for one in student.times])


def problems(students: list[Student], log: str) -> list[str]:
    """Sessions that died, errors that pages were told, and errors in the server's log."""
    found = [f"died ({one.tab}): {one.died}" for one in students if one.died]
    found += sorted({error for one in students for error in one.errors})
    return found + [line for line in log.splitlines() if _LOGGED.search(line)]


# --- the real browser -------------------------------------------------------------------------------


class Walker:
    """Somebody with a real browser, in the tab of GPS traces."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.errors: list[str] = []
        self.asked: list[str] = []
        page.on("request", lambda request: self.asked.append(request.url))
        page.on("pageerror", lambda error: self.errors.append(f"browser: {error}"))
        page.on(
            "console",
            lambda said: self.errors.append(f"browser: {said.text}") if said.type == "error" else None,
        )

    @classmethod
    async def enter(cls, browser: Browser, server: Running) -> Walker:
        """With the page open and its first figure drawn."""
        context = await browser.new_context(viewport={"width": 1280, "height": 800})
        found = cls(await context.new_page())
        await found.page.goto(f"{server.address}?tab=mobility&preset=strong_noise", timeout=_OPENING)
        figure = f".insanonym-tab-mobility {DRAWN}"
        await found.page.wait_for_selector(figure, timeout=_OPENING, state="attached")
        handles = [await found.page.locator(one).first.element_handle() for one in (NOISE, PLOT)]
        await found.page.evaluate(TIMED, handles)
        return found

    @property
    def assets(self) -> list[str]:
        """The files that a browser asked for: what every student's browser asks for, once."""
        where = [urlsplit(one) for one in self.asked]
        files = [one for one in where if "/static/" in one.path or one.path.endswith(".js")]
        return [f"{one.path.lstrip('/')}?{one.query}".rstrip("?") for one in files]

    async def work(self, seconds: float, pace: float) -> Times:
        """Seconds from each key to the figure that is drawn anew."""
        end, number = time.monotonic() + seconds, 0
        before = len(await self.page.evaluate("() => window.insanonymTimes"))
        try:
            while time.monotonic() < end:
                await self.page.locator(NOISE).focus()
                await self.page.keyboard.press("ArrowRight" if number % 6 < 3 else "ArrowLeft")
                number += 1
                await asyncio.sleep(pace)
        except Error as error:
            self.errors.append(f"browser: {str(error).splitlines()[0]}")
        times = await self.page.evaluate("() => window.insanonymTimes")
        return Times([one / 1000 for one in times[before:]][WARM_UP:])

    async def leave(self) -> None:
        await self.page.close(run_before_unload=True)
        await asyncio.sleep(1)
        await self.page.context.close()
