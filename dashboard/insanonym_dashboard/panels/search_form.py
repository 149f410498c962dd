"""The form of "Find the best…": bounds as sliders, time, what was tried and what was found."""

from __future__ import annotations

import html
import time
from collections.abc import Callable, Sequence
from typing import Any

import ipywidgets as widgets

from insanonym_core.recipe_texts import recipe_text
from insanonym_core.texts import say
from insanonym_core.texts.numbers import number
from insanonym_core.tuning import Tried, Tuned, better
from insanonym_dashboard import pieces
from insanonym_dashboard.searching import BEST, Searching
from insanonym_dashboard.tiles import small_button

FIRST_PRIVACY, FIRST_MINUTES = 0.6, 1.0
_ANY = 0.0  # a slider at its left end is no bound
_LEVELS = [step / 20 for step in range(21)]
_MINUTES = [0.25, 0.5, 0.75, *(step / 2 for step in range(2, 21))]


class SearchForm:
    """`root` lies above the tiles while it is open."""

    def __init__(self, searching: Searching, lang: str, close: Callable[[], None]) -> None:
        self.searching, self.lang = searching, lang
        form = searching.form
        self.privacy = self._slider(form.get("privacy", FIRST_PRIVACY), _LEVELS)
        self.utility = self._slider(form.get("utility", _ANY), _LEVELS)
        self.minutes = self._slider(form.get("minutes", FIRST_MINUTES), _MINUTES)
        self.maximise = widgets.Dropdown(
            options=[(self._say(title), name) for title, name in
                     (("Utility", "utility"), ("Privacy", "privacy"), ("Defence", "defence"))],
            value=form.get("maximise", "utility"),
            layout={"width": "100%"},
        )  # fmt: skip
        self.begin = widgets.Button(description=self._say("Search"), button_style="primary")
        self.stop = widgets.Button(description=self._say("Cancel"))
        self.taken = widgets.Button(description=self._say("Set sliders"), button_style="primary")
        self.shut = small_button("×", self._say("Close"), close, "close")
        self.told = widgets.HTML()
        self.told.add_class("insanonym-search-told")
        for button in (self.begin, self.stop, self.taken):
            button.layout.width = "auto"
        self.begin.on_click(lambda _: self._start())
        self.stop.on_click(lambda _: searching.cancel())
        self.taken.on_click(lambda _: searching.take(BEST))
        title = widgets.HTML(f"<h2>{self._say('Find the best…')}</h2>", layout={"flex": "1 1 auto"})
        self.root = widgets.VBox(
            [
                widgets.HBox([title, self.shut]),
                *self._labelled_rows(),
                widgets.HBox([self.begin, self.stop, self.taken]),
                self.told,
            ]
        )
        self.root.add_class("insanonym-search")
        searching.observe(self._follow, ["tried", "tuned", "running", "confirming", "error"])
        self._follow()

    def close(self) -> None:
        """Stop following the search; it goes on."""
        self.searching.unobserve(self._follow, ["tried", "tuned", "running", "confirming", "error"])

    def _say(self, text: str, **values: object) -> str:
        return say(text, self.lang, **values)

    def _slider(self, value: float, values: Sequence[float]) -> widgets.SelectionSlider:
        options = [(number(one, self.lang), one) for one in values]
        return widgets.SelectionSlider(options=options, value=value, layout={"width": "100%"})

    def _labelled_rows(self) -> list[widgets.Widget]:
        rows = []
        for title, control in (
            (self._say("Privacy at least"), self.privacy),
            (self._say("Utility at least"), self.utility),
            (self._say("As high as possible"), self.maximise),
            (self._say("Minutes"), self.minutes),
        ):
            pieces.labelled(control, title)
            label = widgets.HTML(f"<span aria-hidden='true'>{title}</span>", layout={"width": "172px"})
            row = widgets.HBox([label, control])
            row.add_class("insanonym-search-row")
            rows.append(row)
        return rows

    def _start(self) -> None:
        self.searching.form = {
            "privacy": self.privacy.value,
            "utility": self.utility.value,
            "minutes": self.minutes.value,
            "maximise": self.maximise.value,
        }
        sliders = {"privacy": self.privacy.value, "utility": self.utility.value}
        bounds = {name: level for name, level in sliders.items() if level > _ANY}
        self.searching.start(bounds, self.maximise.value, self.minutes.value)

    # --- what is said -------------------------------------------------------------------------------

    def _follow(self, _: Any = None) -> None:
        one = self.searching
        self.begin.disabled = one.running
        self.stop.layout.display = "" if one.running else "none"
        found = one.tuned is not None and one.tuned.found
        self.taken.layout.display = "" if found else "none"
        if one.error:
            said = [self._say(one.error if one.error != "internal" else pieces.INTERNAL)]
        elif one.confirming:
            said = [self._say("The best ones are measured again on fresh draws, by every attacker.")]
        elif one.running:
            said = self._progress(one.tried)
        elif one.tuned is not None:
            said = self._result(one.tuned)
        else:
            said = [self._say("Methods and their parameters are tried; each is a point on the plane.")]
        self.told.value = "".join(f"<p>{html.escape(text)}</p>" for text in said)

    def _progress(self, tried: tuple[Tried, ...]) -> list[str]:
        said = [
            self._say(
                "{count} recipes tried in {seconds:.0f} s.",
                count=len(tried),
                seconds=time.monotonic() - self.searching.began,
            )
        ]
        best = self._best(tried)
        if best is not None:
            said.append(
                self._say(
                    "Best so far: utility {utility:.2f}, privacy {privacy:.2f}.",
                    utility=best.utility,
                    privacy=best.privacy,
                )
            )
        return said

    def _best(self, tried: tuple[Tried, ...]) -> Tried | None:
        wish = self.searching.wish
        best: Tried | None = None
        for one in tried:
            best = better(wish, best, one)
        return best

    def _result(self, tuned: Tuned) -> list[str]:
        if tuned.stopped:
            count = len(tuned.trials)
            return [self._say("Cancelled: {count} recipes were tried and stay on the plane.", count=count)]
        said = [tuned.reason(self.lang)]
        if tuned.recipe is not None:
            said = [
                say(recipe_text(tuned.recipe), self.lang),
                say(tuned.numbers(), self.lang),
                *said,
                *(say(note, self.lang) for note in tuned.notes()),
            ]
        return said
