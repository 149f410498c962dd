"""The menu of downloads: figures, the comparison, and the files made of the report."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

from insanonym_core.texts import say
from insanonym_dashboard.downloads import FIGURES, REPORT, File, entries, make
from insanonym_dashboard.panels.compare import COMPARISON, TRAIL, comparison_file, trail_file
from insanonym_dashboard.state import TabState
from insanonym_dashboard.tab_names import TRADEOFF

if TYPE_CHECKING:
    from insanonym_dashboard.app import App

KEPT_BACK = (
    "Not saved, because single people may be seen in it: {names}. The button on the figure itself saves it."
)
SALT = (
    "The report names your file by a salted digest. The salt is {salt}: keep it to show later which file "
    "this was; it is written nowhere else."
)
NOT_HERE = "A sweep has no release of its own: open the tab at the point you chose, and download it there."


_FILES = {COMPARISON: comparison_file, TRAIL: trail_file}


class DownloadMenu:
    """Makes what is chosen, of the open tab, and hands it to the browser."""

    def __init__(self, app: App) -> None:
        self._app = app

    def entries(self, state: TabState | None) -> list[str]:
        """Entries of the menu for the open tab."""
        recipe = state.report.recipe if state is not None and state.report is not None else None
        trail = state.trail if state is not None else None
        further = [TRAIL] if trail is not None and trail.visits else []
        further += [COMPARISON] if trail is not None and trail.pins else []
        return [*entries(recipe), *further]

    def chose(self, name: str) -> None:
        """Make the chosen file."""
        app, state = self._app, self._app.state_now
        if name in FIGURES:
            self._figures(name)
        elif app.tab == TRADEOFF:
            self._of_sweep(name)
        elif state is not None and name in _FILES:
            app.saver.save(*_FILES[name](state.trail, state.report, app.session.lang))
        elif state is not None:
            self._of_report(name, state)

    def _figures(self, name: str) -> None:
        kept_back = self._app.panels[self._app.tab].save_figures(FIGURES[name])
        if kept_back:
            self._app.notify(self._app.say(KEPT_BACK, names=", ".join(map(self._app.say, kept_back))))

    def _of_sweep(self, name: str) -> None:
        file = self._app.panels[TRADEOFF].downloads(name)
        if file is None:
            self._app.sweeps.error = NOT_HERE
        else:
            self._app.saver.save(*file)

    def _of_report(self, name: str, state: TabState) -> None:
        report = state.named_report()
        if report is None:
            return
        app, lang = self._app, self._app.session.lang

        def done(file: File | None, error: Exception | None) -> None:
            if file is None:
                state.fail(error or RuntimeError("a download was made without a result"))
            else:
                app.saver.save(*file)
                if salt:
                    app.notify(say(SALT, lang, salt=salt))

        salt = secrets.token_hex(16) if name == REPORT and report.file_digest else ""
        # Of the report as it is now, whatever becomes of the sliders meanwhile.
        state.downloads.submit(lambda job: make(name, report, lang, job, salt), done, name)
