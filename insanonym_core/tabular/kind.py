"""Declaration of the kind "table", and settings shared by kinds that start from a table."""

from __future__ import annotations

from insanonym_core.kinds import Demo, Kind
from insanonym_core.reading.options import READING
from insanonym_core.results.headlines import Headline, one_minus, only_value, worst_threat

TABLE_READING = (*READING, "without", "missing")
TABLE_ROLES = ("identifier", "quasi", "sensitive", "by", "drop", "publish", "guessed")
PATIENTS, ENROLMENTS, BREAST_CANCER, DIABETES = (
    f"insanonym_core.demo.named:{name}" for name in ("patients", "enrolments", "breast_cancer", "diabetes")
)

KIND = Kind(
    name="table",
    title="Tables",
    data_title="tables",
    order=20,
    aliases=("tabular", "tabulaire"),
    methods="insanonym_core.tabular.methods",
    measures="insanonym_core.tabular.metrics",
    demos={
        "demo:patients": Demo(
            "Made-up hospital (600 patients)",
            PATIENTS,
            {"quasi": ("sex", "age", "weight_kg", "town"), "sensitive": ("diagnosis",)},
        ),
        "demo:enrolments": Demo(
            "Enrolments of a university",
            ENROLMENTS,
            {
                "identifier": "CODE_INDIVIDU",
                "quasi": ("REGROUPEMENT_BAC", "CONTINENT", "ANNEE_INSCRIPTION", "NIVEAU_APRES_BAC"),
                "sensitive": ("LIBELLE_REGIME",),
            },
        ),
        "demo:breast_cancer": Demo("Breast cancer (569 patients)", BREAST_CANCER, offered=False),
        "demo:diabetes": Demo("Diabetes (442 patients)", DIABETES, offered=False),
    },
    presets="insanonym_core.tabular",
    headlines={
        "privacy": (
            worst_threat(
                "privacy.unique_share",
                "privacy.prosecutor_mean",
                "privacy.linkage",
                "privacy.homogeneous_share",
                "privacy.uncertainty_removed",
            ),
            Headline(
                "prosecutor", "Privacy", "1 − mean prosecutor risk", ("privacy.prosecutor_mean",), one_minus
            ),
            Headline("linkage", "Privacy", "1 − linkage success", ("privacy.linkage",), one_minus),
            Headline("unique", "Privacy", "1 − share of unique rows", ("privacy.unique_share",), one_minus),
        ),
        "utility": (
            Headline("ncp", "Utility", "1 − information lost (NCP)", ("utility.ncp",), one_minus),
            Headline("rows", "Utility", "share of the rows kept", ("utility.rows_kept",), only_value),
        ),
    },
    read="insanonym_core.tabular.runs:read_data",
    make="insanonym_core.tabular.runs:make",
    from_frame="insanonym_core.tabular.frames:table_from_frame",
    to_frame="insanonym_core.tabular.frames:frame_from_table",
    handed_in="insanonym_core.tabular.runs:wrap_release",
    publication="insanonym_core.tabular.publication:PUBLICATION",
    reading=TABLE_READING,
    roles=TABLE_ROLES,
    person_losses="insanonym_core.tabular.person_losses:person_losses",
    unprotected="insanonym_core.tabular.unprotected:unprotected",
    look="insanonym_core.tabular.look:look",
    about_columns="insanonym_core.tabular.recipe_roles:about_columns",
    adapt="insanonym_core.tabular.step_defaults:adapt",
    new_step="insanonym_core.tabular.step_defaults:new_step",
    largest="insanonym_core.tabular.runs:max_parameter_value",
    held_out=("privacy.inference",),
    ceiling="insanonym_core.tabular.searching:ceiling",
    sample="insanonym_core.tabular.searching:sample",
    sections="insanonym_core.report.accompanying:table_sections",
    commands="insanonym_core.cli.table:register",
    panel="insanonym_dashboard.panels.tables:TablesPanel",
)
