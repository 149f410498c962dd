"""serve: the dashboard as a local web page, through voilà; no other server is contacted."""

from __future__ import annotations

import errno
import ipaddress
import os
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from insanonym_core.errors import UsageError, brief, choices
from insanonym_core.texts import LANGUAGES
from insanonym_dashboard.served import LANG, SERVED

PORT = 8866
HERE_ONLY, EVERYWHERE = "127.0.0.1", "0.0.0.0"  # noqa: S104  the second only with the tokens of sharing.py
POOL = 2  # kernels that wait for a page, about 90 MB each
# A kernel with every tab open holds 280 MB of its own instead of 325, and is no slower: Arrow's own pool and
# glibc's arenas keep what was once used. (Smaller thresholds give more back, and a move takes twice as long.)
LEAN = {
    "ARROW_DEFAULT_MEMORY_POOL": "system",
    "MALLOC_ARENA_MAX": "2",
    "MALLOC_TRIM_THRESHOLD_": "8388608",
    "MALLOC_MMAP_THRESHOLD_": "4194304",
}

HERE = Path(__file__).parent
APP = HERE / "app.ipynb"
_SHARE = HERE / "share" / "jupyter"
# With this package jsonschema checks addresses in any alphabet, which no file here has. The 38
# parsers that it builds for that take half of the time that the server takes to start.
_SLOW_IMPORT = "rfc3987_syntax"


def serve(
    port: int | None = None,
    lang: str = "en",
    open_browser: bool = True,
    host: str | None = None,
    *,
    share: bool = False,
    sessions: int | None = None,
    pool: int = POOL,
    away: float | None = None,
    notebook: Path | str = APP,
) -> None:
    """Serve the dashboard until Ctrl-C or SIGTERM; then its kernels end with it.

    `port`: 8866, or any free one when that is taken, unless it is given. `share`: for other machines too,
    behind a token. `sessions`: pages open at a time; without it what half of the memory holds. `pool`:
    kernels kept warm. `away`: seconds after which a page that is gone is not waited for. `notebook`: another
    page than the dashboard, for tests and benchmarks.
    """
    if lang not in LANGUAGES:
        raise UsageError(
            "The language of the dashboard must be {languages}, got {lang}.",
            languages=choices(LANGUAGES),
            lang=brief(lang),
        )
    if sessions is not None and sessions < 1:
        raise UsageError(
            "--sessions is how many pages may be open at a time and must be 1 or more, got {sessions}.",
            sessions=sessions,
        )
    host = host or (EVERYWHERE if share else HERE_ONLY)
    listening = bound_socket(host, port, share, usual=PORT)
    try:
        made = _server(
            listening,
            Path(notebook),
            lang=lang,
            open_browser=open_browser,
            pool=pool,
            share=share,
            sessions=sessions,
            away=away,
        )
    except BaseException:
        listening.close()
        raise
    made.start()


def bound_socket(host: str, port: int | None, share: bool, *, usual: int) -> socket.socket:
    """A socket that listens, so that no other program can take the port before anything else has started.

    Without a `port` it is the `usual` one, or any free one when that is taken.
    """
    if port is None:
        try:
            return bound_socket(host, usual, share, usual=usual)
        except UsageError:
            return bound_socket(host, 0, share, usual=usual)
    if not 0 <= port <= 65535:
        raise UsageError("A port must be a number from 0 to 65535, got {port}.", port=port)
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        if not share and not ipaddress.ip_address(address[0]).is_loopback:
            raise UsageError(
                "Other machines could reach the dashboard at {host}: add --share, which lets in "
                "whoever has its link and nobody else, or leave --host out.",
                host=host,
            )
        listening = socket.socket(family, kind, protocol)
    except OSError as error:
        raise UsageError(
            "The address {host} is not one of this machine ({reason}): choose another one.",
            host=brief(host),
            reason=error.strerror,
        ) from error
    try:
        if os.name == "posix":
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(address)
        listening.listen(128)
        listening.setblocking(False)
    except OSError as error:
        listening.close()
        if error.errno == errno.EADDRINUSE:
            raise UsageError(
                "Port {port} is taken, perhaps by a dashboard that is still open: choose another "
                "with --port, or leave --port out and a free one is found.",
                port=port,
            ) from error
        raise UsageError(
            "Port {port} of {host} cannot be used here ({reason}): choose another one with --port.",
            port=port,
            host=host,
            reason=error.strerror,
        ) from error
    return listening


def _server(listening: socket.socket, notebook: Path, *, lang: str, **options: Any) -> Any:
    """The server, once its kernels' environment is set; a package that is missing is a sentence."""
    os.environ[SERVED] = "1"
    os.environ[LANG] = lang
    for name, value in LEAN.items():
        os.environ.setdefault(name, value)
    # Our template, and a kernel that is this very Python whatever kernels somebody has installed.
    paths = [str(_SHARE), *filter(None, os.environ.get("JUPYTER_PATH", "").split(os.pathsep))]
    os.environ["JUPYTER_PATH"] = os.pathsep.join(dict.fromkeys(paths))
    try:
        with _without(_SLOW_IMPORT):
            from insanonym_dashboard.voila_server import make_server
    except ImportError as error:
        raise UsageError(
            "The dashboard needs the package {package}, which is not installed here: install "
            "insanonym with pip, which installs it too.",
            package=(error.name or "voila").partition(".")[0],
        ) from error
    return make_server(listening, notebook, lang=lang, **options)


@contextmanager
def _without(package: str) -> Iterator[None]:
    """Make the import of an optional package fail inside the block, because it is slow to load."""
    blocked = package not in sys.modules
    if blocked:
        sys.modules[package] = None  # type: ignore[assignment]
    try:
        yield
    finally:
        if blocked:
            del sys.modules[package]
