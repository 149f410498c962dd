"""One new file is all it takes, and wrong calls are refused however they are made."""

import sys
import textwrap
from typing import Annotated

import pytest

from insanonym_core.errors import UsageError
from insanonym_core.kinds import kind_named
from insanonym_core.parameters import Range
from insanonym_core.registry import Registry, attacks, methods, metrics


def test_a_new_file_registers_itself(tmp_path, monkeypatch):
    home = tmp_path / "throwaway_home"
    home.mkdir()
    (home / "__init__.py").write_text("")
    (home / "kept_rows.py").write_text(
        textwrap.dedent(
            '''
            from typing import Annotated
            from insanonym_core.parameters import Range
            from throwaway_registry import things

            @things.add("kept", data="mobility", title="Rows kept")
            def kept(pair, *, share: Annotated[float, Range(0, 1)] = 0.5):
                """The share of the rows that are kept."""
                return share
            '''
        )
    )
    (tmp_path / "throwaway_registry.py").write_text(
        "from insanonym_core.registry import Registry\n"
        "things = Registry('thing', lambda: {'mobility': ('throwaway_home',)})\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    things = __import__("throwaway_registry").things
    (entry,) = things.all(data="mobility")
    assert entry.facts() == {
        "name": "kept",
        "data": "mobility",
        "title": "Rows kept",
        "help": "The share of the rows that are kept.",
        "parameters": {"share": {"default": 0.5, "allowed": "a number from 0 to 1"}},
    }
    assert entry.item(None, share="0.25") == 0.25
    with pytest.raises(UsageError, match="The 'share' of kept must be"):
        entry.item(None, share=2)
    with pytest.raises(UsageError, match="kept has no parameter 'size'"):
        entry.item(None, size=2)
    for name in ("throwaway_registry", "throwaway_home", "throwaway_home.kept_rows"):
        sys.modules.pop(name, None)


def test_everything_of_the_specification_is_there():
    six = ["date", "hour", "distance", "poi", "tuile", "meet"]
    for rules in ("v1", "v2"):
        assert list(kind_named("mobility").rules[rules]) == six
        known = [entry.name for entry in metrics.all(data="mobility", rules=rules)]
        assert [name for name in known if name in six] == six
    assert [entry.name for entry in attacks.all(data="mobility")] == [
        "naive",
        "mean_position",
        "mean_hour",
        "coverage",
        "poi",
        "heatmap",
        "assignment",
        "dictionary",
        "row_count",
        "hours",
        "join",
        "gaps",
        "path",
        "everything",
        "deleted",
    ]
    assert {entry.name for entry in methods.all(data="mobility")} == {
        "pseudonymise",
        "gaussian_noise",
        "uniform_noise",
        "planar_laplace",
        "stop_noise",
        "snap_to_grid",
        "cloak",
        "suppress_rare_cells",
        "jitter_time",
        "delete_at_random",
        "smooth_speed",
        "common_week",
        "borrow_weeks",
        "swap_places",
        "partner_places",
        "shift_time",
        "equalise_rows",
        "delete_identifying",
    }


def test_unknown_names_list_the_known_ones():
    with pytest.raises(
        UsageError, match="There is no attack 'magic' for mobility data; choose from: naive, "
    ):
        attacks.get("magic", data="mobility")


def test_a_name_cannot_be_taken_twice():
    things = Registry("thing", {})
    things.add("one", data="mobility", title="One")(lambda: None)
    with pytest.raises(ValueError, match="registered twice"):
        things.add("one", data="mobility", title="One")(lambda: None)


def test_arguments_by_place_and_defaults_are_checked_too():
    things = Registry("thing", {})

    def half(share: Annotated[float, Range(0, 1)] = 0.5) -> float:
        return share

    checked = things.add("half", data="mobility", title="Half")(half)
    assert checked("0.25") == 0.25
    with pytest.raises(UsageError, match="The 'share' of half must be"):
        checked(2)

    def wrong(share: Annotated[float, Range(0, 1)] = 5) -> float:
        return share

    with pytest.raises(UsageError, match="The 'share' of wrong must be"):
        things.add("wrong", data="mobility", title="Wrong")(wrong)


def test_a_parameter_without_a_declaration_is_refused():
    def score(pair, *, share: float = 0.5):
        """A score."""

    with pytest.raises(TypeError, match="'share' needs a declaration"):
        Registry("thing", dict).add("half", data="mobility", title="Half")(score)


def test_defaults_are_values_as_they_come_out_of_their_check():
    """1 where 1.0 is meant would give a recipe another hash once its defaults are written out."""
    for registry in (methods, metrics, attacks):
        for entry in registry.all():
            for parameter in entry.parameters.values():
                clean = parameter.check(parameter.default, entry.name)
                assert (clean, type(clean)) == (parameter.default, type(parameter.default)), entry.name
