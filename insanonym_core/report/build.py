"""Write the folder of a report: build it in a temporary folder, then move it to its final name."""

from __future__ import annotations

import datetime
import hmac
import importlib.metadata
import platform
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from insanonym_core import __version__
from insanonym_core.errors import UsageError, brief, choices
from insanonym_core.experiment import Report, file_digest
from insanonym_core.figures.print_width import CAPTION, LATEX, WORD, print_width
from insanonym_core.io.output import unwritable
from insanonym_core.recipe_file import text_to_share
from insanonym_core.results.threats import DEFINITION
from insanonym_core.runtime.jobs import Job
from insanonym_core.texts import LANGUAGES, Phrase

if TYPE_CHECKING:
    from insanonym_core.figures.printed import Printing

FORMATS = ("svg", "png", "pdf")
_REPORT_FILES = ("index.html", "scores.csv", "recipe.yaml")


def write_report(
    report: Report,
    folder: Path | str,
    *,
    lang: str = "en",
    formats: Sequence[str] = FORMATS,
    width: str = "170mm",
    title: bool = True,
    card: bool = True,
    individuals: bool = False,
    force: bool = False,
    now: datetime.datetime | None = None,
    job: Job | None = None,
    salt: str = "",
    data_digest: bool = False,
) -> Path:
    """Write index.html (self-contained), figures/, scores.csv and recipe.yaml; GPS traces get a map.

    No single individual is shown unless `individuals` is true; the table of pseudonyms is never included.
    `formats` are those of the figure files; with none, no browser is needed. Their `width` is 85mm, 170mm or
    slide; without `title` and `card` these are only in the caption beside each. `job` receives the name of
    each part before it starts.

    With a `salt` the report identifies the data file by a salted digest, which is useless without the salt;
    the salt is not written. `data_digest` adds the plain SHA-256: whoever knows all of the file except one
    cell can find that cell with it.
    """
    from insanonym_core.figures.printed import Printing

    folder = Path(folder).resolve()
    check_report(folder, lang=lang, formats=formats, width=width, force=force)
    options = Options(lang, Printing(tuple(formats), width, title, card), individuals, date_text(now), job)
    with replaced_folder(folder) as draft:
        fill_folder(report, draft, options, provenance(report, salt, data_digest))
    return folder


@dataclass(frozen=True)
class Options:
    """How reports are written: language, figures, whether single individuals may be shown, date, job."""

    lang: str
    printing: Printing
    individuals: bool
    date: str
    job: Job | None


def fill_folder(report: Report, draft: Path, options: Options, facts: list[tuple[str, str]]) -> None:
    """Write the files of one report into a new folder."""
    from insanonym_core.report.page import render

    (draft / "figures").mkdir(parents=True)
    page, scores = render(
        report,
        draft / "figures",
        lang=options.lang,
        printing=options.printing,
        individuals=options.individuals,
        date=options.date,
        facts=facts,
        job=options.job,
    )
    (draft / "index.html").write_text(page, encoding="utf-8")
    (draft / "scores.csv").write_text(scores, encoding="utf-8")
    (draft / "recipe.yaml").write_text(text_to_share(report.recipe), encoding="utf-8")
    if not any((draft / "figures").iterdir()):
        (draft / "figures").rmdir()


def date_text(now: datetime.datetime | None) -> str:
    """When a report was written."""
    return (now or datetime.datetime.now(datetime.UTC)).strftime("%Y-%m-%d %H:%M UTC")


@contextmanager
def replaced_folder(folder: Path) -> Iterator[Path]:
    """A draft beside `folder` that takes its name when it is whole."""
    with _temporary_folder(folder) as temporary:
        draft = Path(temporary) / "report"
        yield draft
        _replace_folder(draft, folder, Path(temporary) / "old")


def _replace_folder(draft: Path, folder: Path, backup: Path) -> None:
    """Replace the old report by the draft; restore the old one on failure."""
    try:
        if folder.exists():
            shutil.move(folder, backup)
        shutil.move(draft, folder)
    except (
        BaseException
    ) as error:  # also SIGTERM and Ctrl-C: the old report must not be deleted with the draft
        if backup.exists() and not folder.exists():
            shutil.move(backup, folder)
        if isinstance(error, OSError):
            raise unwritable(folder, error) from None
        raise


@contextmanager
def _temporary_folder(folder: Path) -> Iterator[str]:
    """A temporary folder on the same disk as `folder`, removed at the end even if the disk is full."""
    try:
        with tempfile.TemporaryDirectory(prefix=".insanonym-", dir=folder.parent) as temporary:
            yield temporary
    except OSError as error:
        raise unwritable(folder, error) from None


def check_report(
    folder: Path,
    *,
    lang: str,
    formats: Sequence[str],
    force: bool,
    width: str = "170mm",
    parts: Sequence[str] = (),
) -> None:
    """Raise a UsageError for an unknown language, format or width, or a folder that must stay as it is.

    `parts` are the folders of the single reports in a comparison.
    """
    print_width(width)
    if lang not in LANGUAGES:
        raise UsageError(
            "The language of a report must be {languages}, got {lang}.",
            languages=choices(LANGUAGES),
            lang=brief(lang),
        )
    for name in formats:
        if name not in FORMATS:
            raise UsageError(
                "The formats of figures must be among {formats}, got {name}.",
                formats=", ".join(FORMATS),
                name=brief(name),
            )
    if formats:
        from insanonym_core.figures.export import browser_path

        browser_path()
    if not folder.parent.is_dir():
        raise UsageError(
            "{folder}: the folder {parent} does not exist; create it first.",
            folder=folder,
            parent=folder.parent,
        )
    if not folder.exists():
        return
    if Path.cwd().is_relative_to(folder.resolve()):
        raise UsageError("{folder} is the folder you are in: give the name of a new one.", folder=folder)
    if not folder.is_dir():
        raise UsageError("{folder} is a file: give the name of a folder for the report.", folder=folder)
    existing = {path.name for path in folder.iterdir()}
    if existing and not force:
        raise UsageError(
            "{folder} exists already: choose another name, or overwrite the report with --force.",
            folder=folder,
        )
    own = (*_REPORT_FILES[:2], *parts) if parts else _REPORT_FILES
    unexpected = existing - {*own, "figures"}
    for part in parts:
        inside = {path.name for path in (folder / part).glob("*")}
        unexpected |= inside - {*_REPORT_FILES, "figures"}
    for place in (folder, *(folder / part for part in parts)):
        names = {path.name for path in (place / "figures").glob("*")}
        unexpected |= {name for name in names if not _is_of_figures(name)}
    if unexpected or (existing and not set(own) <= existing):
        raise UsageError(
            "{folder} holds other files than a report ({existing} …): choose another folder.",
            folder=folder,
            existing=", ".join(sorted(existing)[:3]),
        )


def _is_of_figures(name: str) -> bool:
    """Whether a report writes a file of that name beside its figures."""
    return name.endswith((*(f".{kind}" for kind in FORMATS), CAPTION)) or name in (LATEX, WORD)


def salted_digest(digest: str, salt: str) -> str:
    """HMAC-SHA-256 of the SHA-256 of a file (its 64 digits), under a salt."""
    return hmac.new(salt.encode(), digest.encode(), "sha256").hexdigest()


def provenance(report: Report, salt: str, data_digest: bool) -> list[tuple[str, str]]:
    """Recipe hash, data and package versions: what is needed to reproduce the numbers."""
    facts: list[tuple[str, str]] = [(Phrase("recipe"), report.recipe.hash)]
    if report.recipe.data:
        facts.append((Phrase("data"), report.recipe.data_name))
    digest = report.file_digest or (file_digest(report.file) if report.file else "")
    facts += [(Phrase("data (salted digest)"), salted_digest(digest, salt))] if digest and salt else []
    facts += [(Phrase("data (SHA-256)"), digest)] if digest and data_digest else []
    facts += [(Phrase("privacy definition"), str(DEFINITION))] if report.decided_by else []
    facts += [("insanonym", __version__), ("Python", platform.python_version())]
    names = ("numpy", "pandas", "scipy", "scikit-learn", "pyarrow", "plotly")
    return facts + [(name, importlib.metadata.version(name)) for name in names]
