"""A room of students: many sessions of one server, each at its own slider, against one session alone.

    python -m benchmarks.load --sessions 30 --seconds 120

All sessions are pages of one headless Chromium, each in a context of its own, and it takes its share of the
same cores: what is said of CPU tells server, kernels and browser apart. Every session moves a slider of its
tab at the pace of somebody who reads the figures first; measured is the time from the key to a figure drawn
anew. Before, one session alone moves the slider of every tab of the mix, a little quicker. The exit code is 1
when a session died or nothing could be compared.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import re
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import psutil
from playwright.async_api import Browser, Error, Page, async_playwright

from benchmarks.dashboard import NOISE, TIMED, Times
from insanonym_dashboard.sessions import default_limit
from tests.browser import ARGUMENTS, find_chromium
from tests.browser_dashboard.serving import DRAWN, Running, running

# Pages that nobody looks at are slowed down by a browser; students look at theirs.
AWAKE = (
    "--disable-background-timer-throttling",
    "--disable-backgrounding-occluded-windows",
    "--disable-renderer-backgrounding",
)
FIRST = "input[type=range] >> nth=0"
TABS = {  # the slider that is moved, and a figure that follows
    "mobility": NOISE,
    "table": f".insanonym-steps {FIRST}",
    "traces": f".insanonym-steps {FIRST}",
    "avatars": f".insanonym-steps {FIRST}",
}
PLOT = ".insanonym-tile-figure .insanonym-plot >> nth=0"
BANNER = "#insanonym-banner:not([hidden])"
PACE = 6.0  # seconds between two keys, more or less: somebody reads the figures before they move on
ALONE = 2.5  # the same for a session that has the machine to itself
STAGGER = 2.0  # seconds between two students who open the page
WARM_UP = 2  # keys of a session that are not counted: a tab imports what it needs
PATIENCE = 60_000  # milliseconds for an answer; past it a session counts as dead
OPENING = 420_000  # thirty kernels and thirty browsers start on the same two cores
# Told, not asked at every frame: thirty pages that are asked sixty times a second have nothing else to do.
UNTIL_ANSWERED = """([number, banner, patience]) => new Promise((done, failed) => {
  let looking = null;
  const answer = (text) => { clearInterval(looking); done(text); };
  const drawn = () => window.insanonymTimes.length >= number && answer("");
  const late = performance.now() + patience;
  looking = setInterval(() => {
    const said = document.querySelector(banner);
    if (said) answer(said.innerText || "a banner");
    else if (performance.now() > late) { clearInterval(looking); failed(new Error("no figure was drawn")); }
  }, 1000);
  window.insanonymDrawn = drawn;
  drawn();
})"""
HOW_FAR = """() => {
  const kernel = window.jupyterapp?.widgetManager?.kernel;
  const figures = [...document.querySelectorAll(".insanonym-plot")];
  const drawn = figures.filter((figure) => figure.dataset.drawn > 0);
  return `kernel ${kernel?.status}, ${kernel?.connectionStatus}; `
    + `${drawn.length} of ${figures.length} figures drawn; plotly ${typeof window.Plotly}; `
    + `loading ${document.querySelector("#insanonym-loading")?.innerText}`;
}"""
_LOGGED = re.compile(r"ERROR|CRITICAL|Traceback|failed|^5\d\d ")


@dataclass
class Student:
    """One session: what it measured, and what went wrong."""

    tab: str
    page: Page
    opened: float = 0.0
    times: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    died: str = ""

    def listen(self) -> None:
        """Write down what the page complains about."""
        self.page.on("pageerror", lambda error: self.errors.append(f"page: {error}"))
        self.page.on("crash", lambda _: self._dies("the page crashed"))
        self.page.on(
            "console",
            lambda said: self.errors.append(f"console: {said.text}") if said.type == "error" else None,
        )

    def _dies(self, why: str) -> None:
        self.died = self.died or why

    async def open(self, server: Running) -> None:
        """Until its first figure is there."""
        began = time.perf_counter()
        try:
            answer = await self.page.goto(
                f"{server.address}?tab={self.tab}&preset=strong_noise", timeout=OPENING
            )
            if answer is None or answer.status != 200:
                raise Error(f"status {answer.status if answer else None}")
            figure = f".insanonym-tab-{self.tab} {DRAWN}"
            await self.page.wait_for_selector(figure, timeout=OPENING, state="attached")
            slider = self.page.locator(TABS[self.tab])
            handles = [await slider.element_handle(), await self.page.locator(PLOT).element_handle()]
            await self.page.evaluate(TIMED, handles)
        except Error as error:
            self._dies(f"never opened: {str(error).splitlines()[0]}; {await self._state()}")
            print(f"{self.tab}: {self.died}", flush=True)
        self.opened = time.perf_counter() - began

    async def _state(self) -> str:
        """How far a page came that never opened."""
        try:
            return str(await asyncio.wait_for(self.page.evaluate(HOW_FAR), 30))
        except (Error, TimeoutError) as error:
            return f"and it says nothing ({type(error).__name__})"

    async def kernel(self) -> str:
        """The id of the kernel behind it."""
        return str(await self.page.evaluate("() => window.jupyterapp.widgetManager.kernel.id"))

    async def work(self, seconds: float, pace: float, generator: random.Random) -> None:
        """Three steps up, three steps down, a look at the figure after each."""
        end = time.monotonic() + seconds
        number = 0
        try:
            if self.died:
                return
            while not self.died and time.monotonic() < end:
                await asyncio.sleep(pace * generator.uniform(0.6, 1.4))
                await self.page.locator(TABS[self.tab]).focus()
                await self.page.keyboard.press("ArrowRight" if number % 6 < 3 else "ArrowLeft")
                number += 1
                asked = self.page.evaluate(UNTIL_ANSWERED, [number, BANNER, PATIENCE])
                banner = await asyncio.wait_for(asked, 2 * PATIENCE / 1000)
                if banner:
                    self._dies(banner)
            times = await self.page.evaluate("() => window.insanonymTimes")
            self.times = [one / 1000 for one in times[WARM_UP:]]
        except (Error, TimeoutError) as error:
            self._dies(f"no answer: {(str(error) or type(error).__name__).splitlines()[0]}")


async def enter(browser: Browser, tab: str) -> Student:
    """Somebody with a browser of their own, as far as the server can tell."""
    context = await browser.new_context(viewport={"width": 1280, "height": 800})
    student = Student(tab, await context.new_page())
    student.listen()
    return student


async def leave(student: Student) -> None:
    """Closing the page says so to the server."""
    await student.page.close(run_before_unload=True)
    await asyncio.sleep(1)
    await student.page.context.close()


async def alone(browser: Browser, server: Running, seconds: float) -> list[Student]:
    """One session after the other, in every tab, at a quick pace: nobody else is there to wait for."""
    done = []
    for tab in TABS:
        student = await enter(browser, tab)
        await student.open(server)
        await student.work(seconds, ALONE, random.Random(tab))  # noqa: S311
        await leave(student)
        done.append(student)
    return done


async def together(
    browser: Browser, server: Running, sessions: int, seconds: float, pace: float
) -> list[Student]:
    """All of them open the page one after another, then all move their sliders."""
    tabs = list(TABS)
    students = [await enter(browser, tabs[place % len(tabs)]) for place in range(sessions)]

    async def later(place: int) -> None:
        await asyncio.sleep(place * STAGGER)
        await students[place].open(server)

    await asyncio.gather(*(later(place) for place in range(sessions)))
    opened = Times([student.opened for student in students])
    print(f"{sessions} sessions opened, one every {STAGGER:g} s: p50 {opened.at(50):.1f} s,", end=" ")
    print(f"slowest {opened.at(100):.1f} s", flush=True)
    before, began = cpu(server), time.monotonic()
    await asyncio.gather(
        *(
            student.work(seconds, pace, random.Random(place))  # noqa: S311
            for place, student in enumerate(students)
        )
    )
    spent = {name: (now - before[name]) / (time.monotonic() - began) for name, now in cpu(server).items()}
    shares = ", ".join(f"{name} {cores:.2f}" for name, cores in spent.items())
    print(f"Cores busy: {shares} of {psutil.cpu_count()}")
    memory(server, [await student.kernel() for student in students if not student.died])
    return students


# --- what it costs ----------------------------------------------------------------------------------


def processes(server: Running) -> dict[str, list[psutil.Process]]:
    """Server, kernels and whatever the browser consists of."""
    own = psutil.Process(server.process.pid)
    kernels = server.kernels()
    known = {own.pid, *(one.pid for one in kernels)}
    others = [one for one in psutil.Process(os.getpid()).children(recursive=True) if one.pid not in known]
    return {"server": [own], "kernels": kernels, "browser": others}


def cpu(server: Running) -> dict[str, float]:
    """Seconds of CPU so far."""
    return {name: sum(sum(one.cpu_times()[:2]) for one in found) for name, found in processes(server).items()}


def memory(server: Running, ids: list[str]) -> None:
    """Of the kernels that serve a page, of those that wait for one, and of the rest."""
    found = processes(server)
    command = {one: " ".join(one.cmdline()) for one in found["kernels"]}
    serving = [one for one, words in command.items() if any(known in words for known in ids)]
    waiting = [one for one in command if one not in serving]
    groups = {"kernels with a page": serving, "kernels that wait": waiting, **found}
    for name in ("kernels with a page", "kernels that wait", "server", "browser"):
        used = [one.memory_full_info() for one in groups[name]]
        if used:
            uss, pss = (np.array([getattr(one, kind) for one in used]) / 1e6 for kind in ("uss", "pss"))
            print(
                f"Memory, {len(used)} {name}: USS median {np.median(uss):.0f} MB, most {uss.max():.0f} MB;",
                end="",
            )
            print(f" PSS median {np.median(pss):.0f} MB, together {pss.sum():.0f} MB")


def verdict(single: list[Student], students: list[Student], log: str) -> int:
    """Print what came of it; 0 when nobody died and there is something to compare."""
    everybody = [*single, *students]
    dead = [student for student in everybody if student.died]
    print(f"Sessions alive: {sum(not student.died for student in students)} of {len(students)}")
    for student in dead:
        print(f"  died ({student.tab}): {student.died}")
    errors = [error for student in everybody for error in student.errors]
    logged = [line for line in log.splitlines() if _LOGGED.search(line)]
    print(f"Errors of the pages: {len(errors)}; of the server's log: {len(logged)}")
    for error in [*sorted(set(errors))[:10], *logged[:10]]:
        print(f"  {error[:200]}")
    one, many = times_of(single), times_of(students)
    if one.all and many.all:
        print(f"Slider key to figure, all at once: {many} ({len(many.all)} keys)")
        ratios = [many.at(percent) / one.at(percent) for percent in (95, 50)]
        print(f"  {ratios[0]:.1f}× one session alone at p95, {ratios[1]:.1f}× at p50")
    for tab in TABS:
        alone_here, here = (times_of(found, tab) for found in (single, students))
        if alone_here.all and here.all:
            print(f"  {tab}: {here}; alone {alone_here}")
    return len(dead) or int(not (one.all and many.all))


def times_of(students: list[Student], tab: str = "") -> Times:
    """Of all of them, or of those in a tab."""
    return Times([one for student in students if tab in ("", student.tab) for one in student.times])


async def run(sessions: int, seconds: float, pace: float) -> int:
    """Alone, then together, on one server."""
    places = max(sessions, default_limit())
    with tempfile.TemporaryDirectory() as folder, running(Path(folder), sessions=places) as server:
        server.wait_until_warm()
        async with async_playwright() as playwright:
            arguments = [*ARGUMENTS, *AWAKE]
            browser = await playwright.chromium.launch(executable_path=find_chromium(), args=arguments)
            single = await alone(browser, server, max(seconds / len(TABS), 5 * ALONE))
            one = times_of(single)
            if one.all:
                print(f"Slider key to figure, one session alone: {one} ({len(one.all)} keys)", flush=True)
            students = await together(browser, server, sessions, seconds, pace)
            return verdict(single, students, server.log)


def main() -> None:
    asked = argparse.ArgumentParser(description="Many sessions of one dashboard against one alone.")
    asked.add_argument("--sessions", type=int, default=30)
    asked.add_argument("--seconds", type=float, default=120, help="how long all of them move their sliders")
    asked.add_argument("--pace", type=float, default=PACE, help="seconds between two keys of a session")
    given = asked.parse_args()
    sys.exit(1 if asyncio.run(run(given.sessions, given.seconds, given.pace)) else 0)


if __name__ == "__main__":
    main()
