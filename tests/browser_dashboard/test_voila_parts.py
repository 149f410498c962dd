"""An upgrade of voilà or jupyter_server that moves a part the dashboard relies on fails here, by its name."""

from __future__ import annotations

import logging
import os
import signal
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path
from pkgutil import resolve_name
from typing import Any

import pytest

from tests.browser_dashboard.serving import ROOT
from tests.browser_dashboard.voila_checks import in_loop
from tests.browser_dashboard.voila_parts import JUPYTER, PARTS, VOILA, Part, problem

FOLDER = ROOT / "dashboard" / "insanonym_dashboard"
NAMES = [f"{number}-{part}" for number, part in enumerate(PARTS)]


def build() -> Any:
    """The dashboard's server as voilà builds it: everything but listening. Its pool starts no kernel."""
    from insanonym_dashboard import server as serving

    options = {"open_browser": False, "pool": 1, "share": False, "sessions": 1, "away": None}
    listening = serving.bound_socket("127.0.0.1", 0, False, usual=0)
    try:
        made = serving._server(listening, serving.APP, lang="en", **options)
        made.voila_configuration.default_pool_size = 0
        made.listen = lambda: setattr(made, "listened_with", made.app)
        made.start()
    finally:
        listening.close()
    return made


@pytest.fixture(scope="module")
def built():
    """Built once. None when that fails: then each check says which part it misses."""
    before = dict(os.environ)
    level = logging.getLogger("tornado.general").level
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(signal, "signal", lambda *_: None)  # voilà's, for SIGTERM, outside the main thread
        try:
            made = in_loop(build)
        except Exception:
            made = None
        yield made
    os.environ.clear()
    os.environ.update(before)
    logging.getLogger("tornado.general").setLevel(level)
    if made is not None:
        Path(made.connection_dir).rmdir()
        type(made).clear_instance()


@pytest.mark.parametrize("part", PARTS, ids=NAMES)
def test_each_part_is_where_it_was(part, built):
    assert (found := problem(part, built)) is None, found


def test_every_option_exists(built):
    """traitlets says nothing about an option of a class or a name that is no longer there."""
    from jupyter_client.restarter import KernelRestarter
    from voila.configuration import VoilaConfiguration
    from voila.execute import VoilaExecutor
    from voila.exporter import VoilaExporter

    assert built is not None, "The server cannot be built: the other tests here say which part has moved."
    known = (*type(built).__mro__, *type(built.kernel_manager).__mro__)
    classes = {one.__name__: one for one in (*known, KernelRestarter)}
    classes |= {one.__name__: one for one in (VoilaConfiguration, VoilaExecutor, VoilaExporter)}
    lost = [
        f"{section}.{option}"
        for section, options in built.config.items()
        for option in options
        if option not in (classes[section].class_trait_names(config=True) if section in classes else ())
    ]
    assert lost == [], f"voila {version('voila')} has no {lost}: change {FOLDER / 'voila_server.py'}."
    assert built.kernel_manager.fill_delay == 5.0


# --- the checks themselves --------------------------------------------------------------------------


def defining(part: Part) -> list[type]:
    return [one for one in resolve_name(part.where).__mro__ if part.name in vars(one)]


def assert_tells(part: Part, built: Any) -> None:
    found = problem(part, built)
    assert found is not None
    assert str(part) in found
    package = part.where.partition(".")[0]
    assert f"{package} {version(package)}" in found
    assert part.module in found


@pytest.mark.parametrize("part", [one for one in PARTS if one.on_class], ids=str)
def test_a_part_that_is_gone_is_named(part, built, monkeypatch):
    if part.parameters is None:
        # Traits cannot be deleted from a class that has instances: the check asks for another name.
        part = Part(part.where, f"{part.name}_moved", part.holds, part.module)
    else:
        for owner in defining(part):
            monkeypatch.delattr(owner, part.name)
    assert_tells(part, built)


@pytest.mark.parametrize("part", [one for one in PARTS if one.parameters is not None], ids=str)
def test_a_part_with_another_signature_is_named(part, built, monkeypatch):
    monkeypatch.setattr(defining(part)[0], part.name, lambda self, anything, more: None)
    assert_tells(part, built)


@pytest.mark.parametrize("part", [one for one in PARTS if not one.on_class], ids=str)
def test_a_part_that_instances_lack_is_named(part, built, monkeypatch):
    owner = resolve_name(part.where)
    for name in ("on_close", "close"):  # what lets a connection go
        if hasattr(owner, name):
            monkeypatch.setattr(owner, name, lambda *_: None)
    assert_tells(part, None)


def test_a_page_that_takes_its_kernel_elsewhere_is_told(built, monkeypatch):
    async def get_generator(self, path=None):
        yield ""

    (warm, _) = (one for one in PARTS if one.name == "get_generator")
    monkeypatch.setattr(resolve_name(warm.where), "get_generator", get_generator)
    assert_tells(warm, built)


@pytest.mark.parametrize("module", [VOILA, JUPYTER])
def test_the_docstring_lists_every_part(module):
    text = (FOLDER / module).read_text()
    said = text.split('"""')[1]
    missing = [str(part) for part in PARTS if part.module == module and f"`{part}`" not in said]
    assert missing == []


# --- without voilà ----------------------------------------------------------------------------------


def run(code: str) -> str:
    path = os.pathsep.join([str(ROOT), str(ROOT / "dashboard")])
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_voila_is_imported_only_to_serve():
    assert run("import sys, insanonym_dashboard.server; print('voila' in sys.modules)") == "False\n"


@pytest.mark.slow
def test_the_server_starts_without_parsers_that_it_does_not_use():
    said = run(
        "import sys\n"
        "from insanonym_dashboard import server\n"
        "listening = server.bound_socket('127.0.0.1', 0, False, usual=0)\n"
        "options = dict(open_browser=False, pool=0, share=False, sessions=1, away=None)\n"
        "server._server(listening, server.APP, lang='en', **options)\n"
        "print('jsonschema' in sys.modules, 'rfc3987_syntax' in sys.modules)"
    )
    assert said == "True False\n"


@pytest.mark.slow
def test_a_missing_package_is_a_sentence():
    said = run(
        "import sys; sys.modules['voila'] = None\n"
        "from insanonym_core.errors import UsageError\n"
        "from insanonym_dashboard.server import serve\n"
        "try: serve(port=0, open_browser=False)\n"
        "except UsageError as error: print(error)"
    )
    assert said.startswith("The dashboard needs the package voila, which is not installed here")
