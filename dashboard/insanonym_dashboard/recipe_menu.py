"""The menu of the recipe: copy it, open one, save and open a session, go back to the start."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from insanonym_core.errors import DataError, InsanonymError
from insanonym_core.recipe import Recipe
from insanonym_core.recipe_file import recipe_from_text, text_to_share
from insanonym_dashboard.keeping import session_text, trail_of_session
from insanonym_dashboard.links import without_file
from insanonym_dashboard.state import TabState
from insanonym_dashboard.uploads import Uploader

if TYPE_CHECKING:
    from insanonym_dashboard.app import App

COPY_YAML, COPY_COMMAND, COPY_PYTHON = "Copy as YAML", "Copy as a command", "Copy as Python"
OPEN, RESET = "Open a recipe or session…", "Back to the first steps"
SAVE_SESSION, FORGET = "Save this session", "Clear the trail"
ENTRIES = (COPY_YAML, COPY_COMMAND, COPY_PYTHON, OPEN, SAVE_SESSION, RESET, FORGET)
MAX_FILE = 2_000_000  # bytes
NOT_TEXT = "{name} is no recipe: give a YAML file, or a session that was saved here."
COPIED = "Copied to the clipboard."


class RecipeMenu:
    """`opener` is the hidden button that takes a file."""

    def __init__(self, app: App) -> None:
        self._app = app
        self.opener = Uploader(self._opened, description=OPEN, accept=".yaml,.yml,.json,.txt", limit=MAX_FILE)
        self.opener.add_class("insanonym-hidden")

    def entries(self, state: TabState | None) -> list[str]:
        """Entries of the menu for the open tab."""
        if state is None:
            return [OPEN]
        return list(ENTRIES)

    def chose(self, name: str) -> None:
        """Run the chosen entry."""
        app, state = self._app, self._app.state_now
        if name == OPEN:
            self.opener.ask()
        elif state is None:
            return
        elif name in _TEXTS:
            app.shell.copy(_TEXTS[name](state.recipe, state.data_name))
            app.notify(app.say(COPIED))
        elif name == SAVE_SESSION:
            app.saver.save("session.json", session_text(state).encode(), "application/json")
        elif name == RESET:
            state.reset()
        elif name == FORGET:
            state.trail.clear()

    def _opened(self, name: str, _: int, content: bytes) -> None:
        try:
            self._take(name, content)
        except InsanonymError as error:
            self._app.notify(error.say(self._app.session.lang))

    def _take(self, name: str, content: bytes) -> None:
        try:
            text = content.decode("utf-8-sig")
        except UnicodeDecodeError:
            raise DataError(NOT_TEXT, name=name) from None
        trail = trail_of_session(text)
        state = self._app.state_now
        if trail is None:
            self._app.use_recipe(without_file(recipe_from_text(text)))
        elif state is not None:
            state.trail.restore(trail, state.kind.name)
            state.go_to(state.trail.get(state.trail.current))


def as_yaml(recipe: Recipe, data_name: str) -> str:
    """The recipe as a file: with every value, and the name of its data."""
    return text_to_share(replace(recipe, data=data_name))


def as_command(recipe: Recipe, data_name: str) -> str:
    """Lines for a shell: they write the recipe as a file and make its report."""
    file = f"cat > recipe.yaml <<'END'\n{as_yaml(recipe, data_name)}END\n"
    return f"{file}insanonym report recipe.yaml -o report\n"


def as_python(recipe: Recipe, data_name: str) -> str:
    """The recipe as lines of Python."""
    lines = "".join(f"    {line!r}\n" for line in as_yaml(recipe, data_name).splitlines(keepends=True))
    return (
        "from insanonym_core.experiment import run\n"
        "from insanonym_core.recipe_file import recipe_from_text\n\n"
        f"recipe = recipe_from_text(\n{lines})\nreport = run(recipe)\n"
    )


_TEXTS: dict[str, Any] = {
    COPY_YAML: as_yaml,
    COPY_COMMAND: as_command,
    COPY_PYTHON: as_python,
}
