"""Declaration of the kind "traces"."""

from __future__ import annotations

from insanonym_core.kinds import Demo, Kind
from insanonym_core.results.headlines import Headline, one_minus, only_value, worst_threat
from insanonym_core.tabular.kind import ENROLMENTS, TABLE_READING

KIND = Kind(
    name="traces",
    title="Study traces",
    data_title="study traces",
    order=30,
    aliases=("study", "studies", "études", "parcours", "traces d'études"),
    methods="insanonym_core.traces.methods",
    uses_methods=("table",),
    measures="insanonym_core.traces.metrics",
    demos={
        "demo:enrolments": Demo("Enrolments of a university", ENROLMENTS, {"identifier": "CODE_INDIVIDU"})
    },
    presets="insanonym_core.traces",
    headlines={
        "privacy": (
            worst_threat("privacy.small_traces", "privacy.pinned"),
            Headline("pinned", "Privacy", "1 − masked counts pinned", ("privacy.pinned",), one_minus),
            Headline("alone", "Privacy", "1 − people alone in their trace", ("privacy.alone",), one_minus),
        ),
        "utility": (
            Headline("counted", "Utility", "individuals counted exactly", ("utility.counted",), only_value),
            Headline("rows", "Utility", "share of the rows kept", ("utility.rows_kept",), only_value),
        ),
    },
    read="insanonym_core.traces.runs:read_data",
    make="insanonym_core.traces.runs:make",
    from_frame="insanonym_core.tabular.frames:table_from_frame",
    to_frame="insanonym_core.tabular.frames:frame_from_table",
    publication="insanonym_core.traces.publication:PUBLICATION",
    reading=(*TABLE_READING, "since", "texts"),
    roles=("identifier", "drop", "publish", "guessed"),
    person_losses="insanonym_core.traces.person_losses:person_losses",
    unprotected="insanonym_core.traces.unprotected:unprotected",
    about_columns="insanonym_core.tabular.recipe_roles:about_columns",
    before="insanonym_core.traces.runs:before_anonymisation",
    look="insanonym_core.tabular.look:look_at_traces",
    adapt="insanonym_core.traces.runs:adapt",
    new_step="insanonym_core.tabular.step_defaults:new_step",
    largest="insanonym_core.tabular.runs:max_parameter_value",
    ceiling="insanonym_core.tabular.searching:ceiling",
    sample="insanonym_core.tabular.searching:sample",
    sections="insanonym_core.report.accompanying:trace_sections",
    commands="insanonym_core.cli.traces:register",
    panel="insanonym_dashboard.panels.traces:TracesPanel",
)
