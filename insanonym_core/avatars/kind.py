"""Declaration of the kind "avatars"."""

from __future__ import annotations

import math
from dataclasses import replace

from insanonym_core.kinds import Demo, Kind
from insanonym_core.reading.options import READING
from insanonym_core.results.headlines import (
    Headline,
    Values,
    one_minus,
    one_minus_max,
    only_value,
    worst_threat,
)
from insanonym_core.tabular.kind import BREAST_CANCER, DIABETES, ENROLMENTS, PATIENTS


def _membership(values: Values) -> float:
    return 1 - 2 * abs(only_value(values) - 0.5)


def _worst_or_nan(shares: Values) -> float:
    """Return 1 − the worst share; NaN if only copies could be measured and not every row is one."""
    only_copies = shares.keys() == {"privacy.identical"} and shares["privacy.identical"] < 1
    return math.nan if only_copies else one_minus_max(shares)


WORST = worst_threat(
    "privacy.hidden_rate",
    "privacy.membership_auc",
    "privacy.membership_values",
    "privacy.linkage",
    "privacy.identical",
)

KIND = Kind(
    name="avatars",
    title="Avatars",
    data_title="avatars",
    order=40,
    aliases=("synthetic", "synthétique"),
    methods="insanonym_core.avatars.methods",
    measures="insanonym_core.avatars.metrics",
    demos={
        "demo:breast_cancer": Demo("Breast cancer (569 patients)", BREAST_CANCER),
        "demo:diabetes": Demo("Diabetes (442 patients)", DIABETES),
        "demo:patients": Demo("Made-up hospital (600 patients)", PATIENTS),
        "demo:enrolments": Demo("Enrolments of a university", ENROLMENTS, offered=False),
    },
    presets="insanonym_core.avatars",
    headlines={
        "privacy": (
            replace(WORST, value=_worst_or_nan),
            Headline("hidden_rate", "Privacy", "hidden rate", ("privacy.hidden_rate",), only_value),
            Headline(
                "membership",
                "Privacy",
                "1 − 2·|membership AUC − ½|",
                ("privacy.membership_auc",),
                _membership,
            ),
            Headline("linkage", "Privacy", "1 − linkage success", ("privacy.linkage",), one_minus),
        ),
        "utility": (Headline("resemblance", "Utility", "resemblance", ("utility.resemblance",), only_value),),
    },
    read="insanonym_core.tabular.runs:read_data",
    make="insanonym_core.avatars.runs:make",
    from_frame="insanonym_core.tabular.frames:table_from_frame",
    to_frame="insanonym_core.tabular.frames:frame_from_table",
    release_from_frame="insanonym_core.avatars.runs:release_from_frame",
    handed_in="insanonym_core.avatars.runs:wrap_avatars",
    read_release="insanonym_core.avatars.runs:read_release",
    look="insanonym_core.tabular.look:look_at_avatars",
    publication="insanonym_core.tabular.publication:PUBLICATION",
    reading=(*READING, "without"),
    roles=("identifier", "quasi", "sensitive", "drop", "publish", "guessed"),
    person_losses="insanonym_core.avatars.person_losses:person_losses",
    unprotected="insanonym_core.avatars.unprotected:unprotected",
    about_columns="insanonym_core.avatars.runs:about_columns",
    largest="insanonym_core.tabular.runs:max_parameter_value",
    held_out=("privacy.membership_auc",),
    ceiling="insanonym_core.tabular.searching:ceiling",
    sample="insanonym_core.tabular.searching:sample",
    before="insanonym_core.avatars.runs:before_anonymisation",
    comparison="insanonym_core.figures.weights:COMPARISON",
    chosen_settings=("space",),
    commands="insanonym_core.cli.avatars:register",
    panel="insanonym_dashboard.panels.avatars:AvatarsPanel",
)
