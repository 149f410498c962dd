"""A report's folder, written beside its final name and put there when all of it is done."""

from __future__ import annotations

import datetime
import hmac
import importlib.metadata
import platform
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from insanonym_core import __version__
from insanonym_core.errors import UsageError
from insanonym_core.experiment import Report, file_digest
from insanonym_core.jobs import Job
from insanonym_core.output import unwritable
from insanonym_core.recipe_file import text_to_share
from insanonym_core.texts import LANGUAGES
from insanonym_core.threats import DEFINITION

FORMATS = ("svg", "png", "pdf")
_OURS = ("index.html", "scores.csv", "recipe.yaml")


def write_report(
    report: Report,
    folder: Path | str,
    *,
    lang: str = "en",
    formats: Sequence[str] = FORMATS,
    individuals: bool = False,
    force: bool = False,
    now: datetime.datetime | None = None,
    job: Job | None = None,
    salt: str = "",
    data_digest: bool = False,
) -> Path:
    """index.html (one file, no network), figures/, scores.csv, recipe.yaml, and a map for GPS traces.

    Nothing in it shows a single person unless `individuals` are asked for; a lookup of pseudonyms never is in
    it. `formats` of the figures beside the page may be empty: then no browser is needed. `job` hears
    of each part before it begins.

    With a `salt` the report names the file of the data by a salted digest, useless to whoever does not know
    the salt; the salt is not written. `data_digest` writes the plain SHA-256: whoever knows all of the file
    but one cell can find that cell by it.
    """
    from insanonym_core.report.page import render

    folder = Path(folder).resolve()
    check_report(folder, lang=lang, formats=formats, force=force)
    facts = _facts(report, salt, data_digest)
    with _beside(folder) as beside:
        draft = Path(beside) / "report"
        (draft / "figures").mkdir(parents=True)
        date = (now or datetime.datetime.now(datetime.UTC)).strftime("%Y-%m-%d %H:%M UTC")
        page, scores = render(
            report,
            draft / "figures",
            lang=lang,
            formats=formats,
            individuals=individuals,
            date=date,
            facts=facts,
            job=job,
        )
        (draft / "index.html").write_text(page, encoding="utf-8")
        (draft / "scores.csv").write_text(scores, encoding="utf-8")
        (draft / "recipe.yaml").write_text(text_to_share(report.recipe), encoding="utf-8")
        if not any((draft / "figures").iterdir()):
            (draft / "figures").rmdir()
        _put(draft, folder, Path(beside) / "old")
    return folder


def _put(draft: Path, folder: Path, old: Path) -> None:
    """The new report takes the place of the old one; if that fails the old one comes back."""
    try:
        if folder.exists():
            shutil.move(folder, old)
        shutil.move(draft, folder)
    except BaseException as error:  # SIGTERM and Ctrl-C too: the old report must not go with the draft
        if old.exists() and not folder.exists():
            shutil.move(old, folder)
        if isinstance(error, OSError):
            raise unwritable(folder, error) from None
        raise


@contextmanager
def _beside(folder: Path) -> Iterator[str]:
    """A folder for the draft on the same disk; a full one leaves nothing behind."""
    try:
        with tempfile.TemporaryDirectory(prefix=".insanonym-", dir=folder.parent) as beside:
            yield beside
    except OSError as error:
        raise unwritable(folder, error) from None


def check_report(folder: Path, *, lang: str, formats: Sequence[str], force: bool) -> None:
    """Refuse early what could not be written: an unknown language or format, somebody's folder."""
    if lang not in LANGUAGES:
        raise UsageError(f"The language of a report must be {' or '.join(LANGUAGES)}, got {lang!r}.")
    for one in formats:
        if one not in FORMATS:
            raise UsageError(f"The formats of figures must be among {', '.join(FORMATS)}, got {one!r}.")
    if formats:
        from insanonym_core.figures.export import browser_path

        browser_path()
    if not folder.parent.is_dir():
        raise UsageError(f"{folder}: the folder {folder.parent} does not exist; make it first.")
    if not folder.exists():
        return
    if Path.cwd().is_relative_to(folder.resolve()):
        raise UsageError(f"{folder} is the folder you are in: give the name of a new one.")
    if not folder.is_dir():
        raise UsageError(f"{folder} is a file: give the name of a folder for the report.")
    found = {path.name for path in folder.iterdir()}
    if found and not force:
        raise UsageError(
            f"{folder} exists already: choose another name, or overwrite the report with --force."
        )
    strangers = found - {*_OURS, "figures"}
    strangers |= {one.name for one in (folder / "figures").glob("*") if one.suffix.lstrip(".") not in FORMATS}
    if strangers or (found and not set(_OURS) <= found):
        raise UsageError(
            f"{folder} holds other files than a report ({', '.join(sorted(found)[:3])} …): choose another."
        )


def salted_digest(digest: str, salt: str) -> str:
    """HMAC-SHA-256 of the SHA-256 of a file (its 64 digits), under a salt."""
    return hmac.new(salt.encode(), digest.encode(), "sha256").hexdigest()


def _facts(report: Report, salt: str, data_digest: bool) -> list[tuple[str, str]]:
    """What decides the numbers besides the recipe: the data and the versions."""
    facts = [("recipe", report.recipe.hash)]
    if report.recipe.data:
        facts.append(("data", report.recipe.data_name))
    digest = report.file_digest or (file_digest(report.file) if report.file else "")
    facts += [("data (salted digest)", salted_digest(digest, salt))] if digest and salt else []
    facts += [("data (SHA-256)", digest)] if digest and data_digest else []
    facts += [("privacy definition", str(DEFINITION))] if report.decided_by else []
    facts += [("insanonym", __version__), ("Python", platform.python_version())]
    names = ("numpy", "pandas", "scipy", "scikit-learn", "pyarrow", "plotly")
    return facts + [(name, importlib.metadata.version(name)) for name in names]
