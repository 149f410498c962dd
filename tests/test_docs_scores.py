"""docs/scores.md is true: its examples are run, and it names every score, attack and default.

An example is a fenced block `pair` (a row of the original, an arrow, the row of the release; fields are two
or more blanks apart) and any number of blocks that speak of the last pair: `json expected`,
`json footprint`, `json guesses`.
"""

import json
import math
import re
import runpy
import shlex
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from insanonym_core.cli import app
from insanonym_core.cli.score_files import competition_json
from insanonym_core.experiment import Report, score_release
from insanonym_core.kinds import kind_named
from insanonym_core.mobility.attack_files import read_guesses, write_guesses
from insanonym_core.mobility.checks import check
from insanonym_core.mobility.competition import footprint
from insanonym_core.mobility.files import read
from insanonym_core.mobility.pair import Pair
from insanonym_core.mobility.scoring import score_guesses
from insanonym_core.registry import Entry, attacks, metrics

DOCUMENT = (Path(__file__).parents[1] / "docs" / "scores.md").read_text(encoding="utf-8")
_FENCE = re.compile(r"^```(\S[^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_DEFAULT = re.compile(r"`(\w+) = ([^`]+)`(?: \((v1|v2)\))?")
BLOCKS: list[tuple[str, str]] = _FENCE.findall(DOCUMENT)


@dataclass
class Example:
    """A pair of the document and what the document says about it."""

    rows: list[str]
    expected: list[dict[str, Any]] = field(default_factory=list)
    footprint: dict[str, Any] | None = None
    guesses: dict[str, Any] | None = None

    def write(self, folder: Path) -> tuple[Path, Path]:
        """Both files, tab-separated; a deleted row is DEL and nothing else."""
        paths = folder / "original.tsv", folder / "release.tsv"
        for side, path in enumerate(paths):
            lines = ["\t".join(re.split(r"\s{2,}", row.split("→")[side].strip())) for row in self.rows]
            path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        return paths

    def pair(self, folder: Path) -> Pair:
        """The pair as the package reads it; it must be valid."""
        original, release = self.write(folder)
        checked = check(read(original, original=True), read(release))
        assert checked.valid
        return checked.pair()


def _examples() -> list[Example]:
    found: list[Example] = []
    for kind, text in BLOCKS:
        if kind == "pair":
            found.append(Example(text.splitlines()))
        elif kind == "json expected":
            found[-1].expected.append(json.loads(text))
        elif kind == "json footprint":
            found[-1].footprint = json.loads(text)
        elif kind == "json guesses":
            found[-1].guesses = json.loads(text)
    return found


EXAMPLES = _examples()
CLAIMS = [(example, claim) for example in EXAMPLES for claim in example.expected]
RULES = tuple(kind_named("mobility").rules)
METRICS = [
    entry
    for entry in metrics.all(data="mobility")
    if any(entry.name in six for six in kind_named("mobility").rules.values())
]
ATTACKS = list(attacks.all(data="mobility"))


def _number(written: str | float) -> float:
    return float(Fraction(written))


def _numbers(report: Report) -> dict[str, float]:
    """Every number of a report by the name the document uses."""
    return {
        **{one.entry.name: one.score.value for one in report.family("utility")},
        **{
            f"{one.entry.name}.{key}": value
            for one in report.family("utility")
            for key, value in one.score.details.items()
        },
        **{f"attacks.{one.entry.name}": one.score.value for one in report.family("attack")},
        **{
            f"reidentified.{one.entry.name}": one.score.details["reidentified"]
            for one in report.family("attack")
        },
        **{one.key: one.score.value for one in report.family("privacy")},
        **{
            f"{one.entry.name}.{key}": value
            for one in report.family("privacy")
            for key, value in one.score.details.items()
        },
        "competition.privacy": competition_json(report)["privacy"],
        "mean": report.utility,
        "privacy": report.privacy,
        "defence": report.defence,
    }


def _assert_as_written(found: dict[str, Any], written: dict[str, str | float | None]) -> None:
    assert written
    for name, value in written.items():
        if value is None:
            assert math.isnan(found[name]), name
        else:
            assert found[name] == pytest.approx(_number(value), rel=0, abs=1e-9), name


# --- the examples -------------------------------------------------------------------------------------


def test_every_score_has_an_example_under_both_rules() -> None:
    shown = {(name, rules) for _, claim in CLAIMS for rules in RULES for name in claim.get(rules, {})}
    assert {(entry.name, entry.rules) for entry in METRICS} <= shown
    assert any(example.footprint and example.guesses for example in EXAMPLES)
    assert any("score-attack" in claim for _, claim in CLAIMS)


@pytest.mark.parametrize("example", EXAMPLES)
def test_every_example_says_what_it_expects(example: Example) -> None:
    assert example.rows
    assert example.expected


@pytest.mark.parametrize(("example", "claim"), CLAIMS)
def test_scores_are_as_written(example: Example, claim: dict[str, Any], tmp_path: Path) -> None:
    assert claim.keys() <= {*RULES, "settings", "attacks", "score-attack"}
    pair = example.pair(tmp_path)
    for rules in RULES:
        if rules in claim:
            report = score_release(
                pair, rules=rules, attacks=claim.get("attacks", ()), settings=claim.get("settings")
            )
            _assert_as_written(_numbers(report), claim[rules])
    if "score-attack" in claim:
        assert example.guesses is not None
        file = tmp_path / "guesses.json"
        file.write_text(json.dumps(example.guesses), encoding="utf-8")
        result = score_guesses(footprint(pair), read_guesses(file))
        assert result.interval is not None
        low, high = result.interval
        _assert_as_written(
            {"score": result.value, "low": low, "high": high, **result.details}, claim["score-attack"]
        )


@pytest.mark.parametrize("example", [example for example in EXAMPLES if example.footprint])
def test_footprints_are_as_written(example: Example, tmp_path: Path) -> None:
    secret = footprint(example.pair(tmp_path))
    write_guesses(secret.as_guesses(), tmp_path / "footprint.json")
    assert json.loads((tmp_path / "footprint.json").read_text(encoding="utf-8")) == example.footprint
    assert score_guesses(secret, secret.as_guesses()).value == 1


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("example", EXAMPLES)
def test_an_unchanged_file_scores_1(example: Example, rules: str, tmp_path: Path) -> None:
    original = example.pair(tmp_path).original
    report = score_release(Pair.from_tracks(original, original), rules=rules, attacks=())
    assert {one.score.value for one in report.family("utility") if one.score.defined} == {1.0}


# --- names and defaults -------------------------------------------------------------------------------


def _section(entry: Entry) -> str:
    """What the document says under the heading of a score."""
    [section] = [
        part
        for part in re.split(r"^##+ ", DOCUMENT, flags=re.MULTILINE)
        if part.startswith(f"`{entry.name}`")
    ]
    return section


def _assert_defaults(entry: Entry, text: str) -> None:
    written = {name: value for name, value, rules in _DEFAULT.findall(text) if rules in ("", entry.rules)}
    assert written.keys() == entry.parameters.keys()
    for name, parameter in entry.parameters.items():
        assert parameter.check(written[name], entry.name) == parameter.default, name


@pytest.mark.parametrize("entry", METRICS, ids=lambda entry: f"{entry.name}-{entry.rules}")
def test_every_score_has_a_section_with_its_defaults(entry: Entry) -> None:
    [parameters] = [part for part in re.split(r"\n\n+", _section(entry)) if part.startswith("Parameters:")]
    _assert_defaults(entry, parameters)


@pytest.mark.parametrize("entry", ATTACKS, ids=lambda entry: entry.name)
def test_every_attack_has_a_row_with_its_defaults(entry: Entry) -> None:
    [row] = re.findall(rf"^\| `{entry.name}` \|.*$", DOCUMENT, re.MULTILINE)
    cells = row.strip("| ").split(" | ")
    assert len(cells) == 4
    _assert_defaults(entry, cells[2])


def test_tables_are_whole() -> None:
    """Every row of a table has as many cells as its heading."""
    tables = re.findall(r"(?:^\|.*\n)+", DOCUMENT, re.MULTILINE)
    assert tables
    for table in tables:
        assert len({line.count("|") for line in table.splitlines()}) == 1, table[:80]


# --- how to run it ------------------------------------------------------------------------------------


def _blocks(kind: str) -> list[str]:
    found = [text for name, text in BLOCKS if name == kind]
    assert found
    return found


@pytest.mark.slow
def test_commands_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    EXAMPLES[-1].write(tmp_path)
    monkeypatch.chdir(tmp_path)
    for line in "".join(_blocks("sh")).splitlines():
        program, *arguments = shlex.split(line)
        assert program == "insanonym"
        result = CliRunner().invoke(app(), arguments)
        assert result.exit_code == 0, f"{line}\n{result.output}"


def test_python_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    EXAMPLES[-1].write(tmp_path)
    monkeypatch.chdir(tmp_path)
    for text in _blocks("python"):
        script = tmp_path / "example.py"
        script.write_text(text, encoding="utf-8")
        runpy.run_path(str(script))
        assert capsys.readouterr().out.strip()
