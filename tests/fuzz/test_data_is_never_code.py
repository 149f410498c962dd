"""What a user hands us is data and never code: no pickle, only safe YAML, nothing that is evaluated."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from insanonym_core.errors import DataError
from insanonym_core.recipe_file import read_recipe

ROOT = Path(__file__).parents[2]
FILES = sorted([*ROOT.glob("insanonym_core/**/*.py"), *ROOT.glob("dashboard/insanonym_dashboard/**/*.py")])
MODULES = {
    "pickle",
    "cPickle",
    "_pickle",
    "cloudpickle",
    "dill",
    "joblib",
    "shelve",
    "marshal",
    "jsonpickle",
    "code",
}
CALLS = {
    "eval",
    "exec",
    "compile",
    "read_pickle",
    "to_pickle",
    "unsafe_load",
    "full_load",
    "unsafe_load_all",
    "__import__",
}
LOADERS = {"Loader", "UnsafeLoader", "FullLoader", "CLoader", "CUnsafeLoader", "CFullLoader"}


def offences(path: Path) -> list[str]:
    """What in a module could turn data into code."""
    found = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name.partition(".")[0] for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [(node.module or "").partition(".")[0]]
        wrong = [name for name in names if name in MODULES]
        if isinstance(node, ast.Attribute) and node.attr in LOADERS:
            wrong.append(node.attr)
        if isinstance(node, ast.Call):
            wrong += _called(node)
        found += [f"{path.name}, line {node.lineno}: {name}" for name in wrong]
    return found


def _called(node: ast.Call) -> list[str]:
    function = node.func
    if isinstance(function, ast.Name):
        return [function.id] if function.id in CALLS else []
    if not isinstance(function, ast.Attribute):
        return []
    owner = function.value.id if isinstance(function.value, ast.Name) else ""
    if function.attr == "compile" and owner == "re":
        return []
    if function.attr in CALLS or (owner == "yaml" and function.attr in ("load", "load_all")):
        return [function.attr]
    if owner in ("np", "numpy") and function.attr in ("load", "savez", "save"):
        safe = any(
            word.arg == "allow_pickle" and isinstance(word.value, ast.Constant) and word.value.value is False
            for word in node.keywords
        )
        return [] if safe else [f"numpy.{function.attr} without allow_pickle=False"]
    return []


@pytest.mark.slow
def test_nothing_turns_data_into_code():
    assert len(FILES) > 100
    assert [offence for path in FILES for offence in offences(path)] == []


@pytest.mark.parametrize(
    "line",
    [
        "import pickle",
        "from joblib import load",
        "pandas.read_pickle('x')",
        "np.load('x')",
        "np.load('x', allow_pickle=True)",
        "yaml.load(text, Loader=yaml.FullLoader)",
        "eval('1')",
    ],
)
def test_the_search_finds_what_it_should(tmp_path, line):
    (tmp_path / "a.py").write_text(line)
    assert offences(tmp_path / "a.py")
    (tmp_path / "b.py").write_text(
        "import re\nre.compile('x')\nnp.load('x', allow_pickle=False)\nyaml.safe_load('x')\n"
    )
    assert offences(tmp_path / "b.py") == []


@pytest.mark.parametrize(
    "tag",
    [
        "!!python/object/apply:os.system ['touch {file}']",
        "!!python/object/apply:pathlib.Path.touch [{file}]",
        "!!python/object/new:subprocess.Popen [['touch', '{file}']]",
        "!!python/name:os.system",
        "!!python/module:os",
        "!!python/tuple [1]",
        "!something {{}}",
    ],
)
@pytest.mark.parametrize("place", ["data: {tag}", "seed: {tag}", "steps: [{{cloak: {{k: {tag}}}}}]", "{tag}"])
def test_a_recipe_is_data(tmp_path, tag, place):
    mark = tmp_path / "hacked"
    path = tmp_path / "recipe.yaml"
    path.write_text(place.format(tag=tag.format(file=mark)) + "\n")
    with pytest.raises(DataError, match="not YAML"):
        read_recipe(path)
    assert not mark.exists()
