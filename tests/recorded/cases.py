"""The recorded commands: each name is a file in outputs/, each text a call of `insanonym … --json`.

A case with `numbers="draws"` draws over somebody's own file. Such draws are derived from a text that may
change (the repr of method and roles), so only the shape of its output is compared, and the values at
`same`: paths such as settings/*/series, with all that is below. Lists whose length depends on draws are named
in `free`.
"""

from __future__ import annotations

import shlex
from dataclasses import dataclass


@dataclass(frozen=True)
class Case:
    """One call; --json is added, and -o if there is an `output`."""

    name: str
    call: str
    output: str = ""  # the suffix of -o, "/" for a folder; none if empty
    numbers: str = "exact"
    same: tuple[str, ...] = ()
    free: tuple[str, ...] = ()

    @property
    def argv(self) -> list[str]:
        """The arguments; what is written goes to a name of its own."""
        target = ["-o", f"out_{self.name}{self.output.rstrip('/')}"] if self.output else []
        return [*shlex.split(self.call), *target, "--json"]


_QI = "--qi sex,age,town --sensitive diagnosis"
_BY_ID = f"{_QI} --id patient_id"
_STUDY = "--id CODE_INDIVIDU --order ANNEE_INSCRIPTION"
_SMALL = "small.csv --separator ; --decimal ,"

LISTS = [Case(f"list_{sort}", f"list {sort}") for sort in ("metrics", "methods", "attacks", "presets")]

CHECKS = [
    Case("check_valid", "check city.tsv release.tsv"),
    Case("check_invalid", "check city.tsv invalid.tsv"),
    Case("check_broken", "check city.tsv broken.tsv"),
    Case("check_unequal", "check city.tsv guesses.json"),
    Case("look_table", "look patients.csv"),
    Case("look_table_roles", "look patients.csv --role age=quasi --id patient_id --type age=text"),
    Case("look_traces", "look city.tsv"),
    Case("check_columns", "check swapped.tsv swapped_release.tsv --columns date,id,longitude,latitude"),
]

SCORES = [
    Case("score_v2", "score city.tsv release.tsv"),
    Case("score_v1", "score city.tsv release.tsv --rules v1"),
    Case("score_median", "score city.tsv release.tsv --aggregate median --attacks none"),
    Case("score_min", "score city.tsv release.tsv --aggregate min --attacks none"),
    Case("score_max", "score city.tsv release.tsv --aggregate max --attacks none --rules v1"),
    Case("score_two_attacks", "score city.tsv release.tsv --attacks naive,heatmap"),
    Case("score_set", "score city.tsv release.tsv --set meet.share=0.2 --set poi.work_hours=9-16"),
    Case("score_decimals", "score city.tsv release.tsv --decimals 3"),
    Case("score_invalid", "score city.tsv invalid.tsv"),
    Case("score_allow_invalid", "score city.tsv invalid.tsv --allow-invalid"),
    Case("score_workers", "score city.tsv release.tsv --workers 2"),
    Case("score_parts", "score parts parts_release"),
    Case("score_parts_v1", "score parts parts_release --rules v1 --attacks naive,heatmap --workers 2"),
    Case("score_itself", "score city.tsv city.tsv"),
    Case(
        "score_columns",
        "score swapped.tsv swapped_release.tsv --columns date,id,longitude,latitude --attacks naive",
    ),
    Case("score_attack", "score-attack city.tsv release.tsv guesses.json"),
    Case("score_attack_invalid", "score-attack city.tsv invalid.tsv guesses.json --allow-invalid"),
]

RISKS = [
    Case("risk", f"table risk patients.csv {_QI}"),
    Case("risk_id", f"table risk patients.csv {_BY_ID}"),
    Case("risk_quasi_only", "table risk patients.csv --qi sex,smoking"),
    Case("risk_missing_drop", "table risk patients.csv --qi sex,weight_kg --missing drop"),
    Case("risk_population", "table risk patients.csv --qi sex,age,town --population population.csv"),
    Case("risk_enrolments", "table risk enrolments.csv --qi CONTINENT,LIB_DIPLOME --id CODE_INDIVIDU"),
    Case("risk_small", f"table risk {_SMALL} --qi town,union --sensitive illness,salary"),
    Case("risk_no_quasi", "table risk patients.csv"),
]

_MONDRIAN_SAME = ("rows_*", "asked_k", "holds", "not_published", "roles_guessed")

MONDRIAN = [
    Case("mondrian", f"table mondrian patients.csv {_QI} --k 5 --choice widest", ".csv"),
    Case("mondrian_id", f"table mondrian patients.csv {_BY_ID} --k 7 --choice widest", ".csv"),
    Case("mondrian_all", f"table mondrian patients.csv {_BY_ID} --choice widest --all", ".csv"),
    Case(
        "mondrian_missing_drop",
        "table mondrian patients.csv --qi sex,weight_kg,glucose_mmol_l --choice widest --missing drop",
        ".csv",
    ),
    Case(
        "mondrian_columns",
        "table mondrian small.csv --separator ; --decimal , --qi birth,town --k 2 --choice widest"
        " --drop union --publish-columns name",
        ".csv",
    ),
    Case("mondrian_source", f"table mondrian patients.csv {_QI} --choice widest --stop source", ".csv"),
    Case(
        "mondrian_random",
        f"table mondrian patients.csv {_BY_ID} --choice random --seed 1",
        ".csv",
        numbers="draws",
        same=_MONDRIAN_SAME,
    ),
]

TABLES = [
    Case("generalise", "table generalise patients.csv --column age --k 10", ".csv"),
    Case("generalise_text", "table generalise patients.csv --column town --id patient_id --all", ".csv"),
    Case(
        "generalise_missing_drop",
        f"table generalise {_SMALL} --column salary --k 3 --missing drop --drop union",
        ".csv",
    ),
    Case("suppress_rare", "table suppress-rare enrolments.csv --id CODE_INDIVIDU", ".csv"),
    Case(
        "suppress_rare_by",
        "table suppress-rare enrolments.csv --columns LIB_DIPLOME,CONTINENT --k 8 --by ANNEE_INSCRIPTION",
        ".csv",
    ),
    Case(
        "suppress_rare_individual",
        "table suppress-rare enrolments.csv --columns LIB_DIPLOME,CODE_ETAPE --id CODE_INDIVIDU"
        " --scope individual --k 4",
        ".csv",
    ),
    Case("grow", "table grow enrolments.csv --start LIB_DIPLOME --id CODE_INDIVIDU --max-loss 0.1"),
    Case(
        "grow_candidates",
        "table grow patients.csv --start sex --columns smoking,blood_group,town --sensitive diagnosis"
        " --k 3 --max-loss 0.3 --rows-before 200 --id patient_id",
        ".csv",
    ),
    Case(
        "bucketise",
        f"table bucketise patients.csv {_BY_ID} --k 6 --l 3 --seed 1",
        "/",  # exact: draws decide which rows of a value go where, not how many
    ),
    Case("pseudonymise", "table pseudonymise patients.csv --column patient_id --seed 1", ".csv"),
    Case("pseudonymise_drop", f"table pseudonymise {_SMALL} --column name --drop union", ".csv"),
]

TRACES = [
    Case("traces_build", f"traces build enrolments.csv {_STUDY} --item LIB_DIPLOME", ".csv"),
    Case(
        "traces_mask",
        f"traces build enrolments.csv {_STUDY} --item LIB_DIPLOME,NIVEAU_DANS_LE_DIPLOME --mask 10"
        " --style less --rare 8",
        ".csv",
    ),
    Case(
        "traces_prefix_since",
        f"traces build enrolments.csv {_STUDY} --item CODE_ETAPE --prefix REGROUPEMENT_BAC --since 2009"
        " --mask 3 --several all --drop CONTINENT --missing drop",
        ".csv",
    ),
    Case(
        "traces_build_protected",
        f"traces build enrolments.csv {_STUDY} --item LIB_DIPLOME --prefix REGROUPEMENT_BAC --further "
        f"CONTINENT"
        " --mask 10 --protect 4",
        "/",
    ),
    Case("traces_protect", "traces protect true.csv true_bac.csv --values 4", "/"),
    Case("traces_difference_pinned", "traces difference paths.csv paths_bac.csv --threshold 10"),
    Case("traces_difference", "traces difference traces_bac.csv traces.csv --threshold 10"),
    Case("traces_difference_width", "traces difference traces.csv traces_bac.csv --threshold 10 --width 5"),
    Case("traces_difference_tables", "traces difference-tables projection_a.csv projection_b.csv"),
    Case("traces_difference_tables_k", "traces difference-tables projection_b.csv projection_a.csv --k 3"),
]

_AVATARS_SAME = (
    "rows*",
    "k",
    "not_published",
    "roles_guessed",
    "components",
    "constant",
    "warnings",
    "space",
    "*_of_real_rows",
    "membership_auc_members",
    "membership_auc_others",
    "membership_auc_chance",
    "membership_values_members",
    "membership_values_others",
    "membership_values_chance",
    "linkage_subsets",
    "linkage_chance",
    "linkage_rows_tried",
    "explained_variance*",
    "not_available",
)

AVATARS = [
    Case("avatars_cancer", "avatars make demo:breast_cancer --seed 1", ".csv"),
    Case(
        "avatars_patients",
        "avatars make demo:patients --seed 1 -k 8 --impute knn --weights exponential --space columns",
        ".csv",
    ),
    Case(
        "avatars_lesson",
        "avatars make demo:diabetes --seed 2 --components 3 --include-self --first-rows 4 --drop sex",
        ".csv",
    ),
    Case(
        "avatars_file",
        "avatars make patients.csv --seed 1 -k 10 --id patient_id --impute drop",
        ".csv",
        numbers="draws",
        same=_AVATARS_SAME,
    ),
    Case(
        "avatars_file_guessed",
        "avatars make patients.csv --seed 1 -k 200 --target sex",
        ".csv",
        numbers="draws",
        same=_AVATARS_SAME,
    ),
    Case("avatars_score", "avatars score patients.csv synthetic.csv --drop patient_id"),
    Case("avatars_score_columns", "avatars score patients.csv synthetic.csv --space columns --components 4"),
]

SWEEPS = [
    Case("sweep_mobility", "sweep mobility.yaml --over planar_laplace.radius=100,400,1600", ".csv"),
    Case(
        "sweep_two_axes",
        "sweep mobility.yaml --over planar_laplace.radius=100,900 --over snap_to_grid.decimals=2,4",
        ".csv",
    ),
    Case("sweep_table", "sweep table.yaml --over mondrian.k=2,5,20 --seeds 2", ".csv"),
    Case("sweep_table_all", "sweep table_guessed.yaml --over mondrian.k=5,10,40 --all", ".csv"),
    Case("sweep_avatars", "sweep avatars_patients.yaml --over mix_neighbours.k=3,8,20 --workers 2", ".csv"),
    Case("sweep_traces", "sweep traces_bac.yaml --over count_traces.mask=2,5,10", ".csv"),
    Case("sweep_traces_undefined", "sweep traces.yaml --over count_traces.mask=2,5", ".csv"),
    Case("sweep_file", "sweep mobility_file.yaml --over snap_to_grid.decimals=1,2,3", ".csv"),
    Case("sweep_table_file", "sweep table_file.yaml --over mondrian.k=5,10,30", ".csv"),
    Case(
        "sweep_two_recipes",
        "sweep table.yaml bucketise.yaml --over mondrian.k=5,20 --over bucketise.k=6,12",
        ".csv",
    ),
    Case(
        "sweep_file_random",
        "sweep table_file_random.yaml --over mondrian.k=2,5,20",
        ".csv",
        numbers="draws",
        same=("runs", "failed", "headline", "columns", "settings/*/series", "settings/*/mondrian.k"),
        free=("front",),
    ),
]

SEARCHES = [
    Case("tune_found", "tune demo:patients --seed 1 --trials 24 --at-least privacy=0.8", ".yaml"),
    Case(
        "tune_missed",
        "tune demo:patients --seed 1 --trials 24 --at-least privacy=0.9999 --at-least utility=0.95",
    ),
]

REPORTS = [
    *(
        Case(f"report_{name}", f"report {name}.yaml --formats none", "/")
        for name in (
            "mobility",
            "mobility_file",
            "table",
            "table_guessed",
            "table_file",
            "bucketise",
            "traces",
            "traces_bac",
            "avatars",
            "avatars_patients",
        )
    ),
    *(
        Case(
            f"report_{name}",
            f"report {name}.yaml --formats none",
            "/",
            numbers="draws",
            same=("folder", "recipe", "not_published", "roles_guessed", *same),
        )
        for name, same in {
            "mobility_file_noise": ("utility.date", "utility.hour"),
            "table_file_random": ("utility.rows_kept", "privacy.unique_share"),
            "avatars_file": ("utility.explained_variance",),
        }.items()
    ),
]

STUDIES = [
    Case("study", "study study.yaml", "/"),
    Case("report_two", "report traces.yaml traces_bac.yaml --formats none", "/"),
]

LEAGUES = [
    Case("league", "league league"),
    Case("league_init", "league init new_league --name Ana"),
    Case("league_house", "league play league_house --house-attacks --rules v1 --aggregate median --closed"),
]

CASES = [
    *LISTS,
    *CHECKS,
    *SCORES,
    *RISKS,
    *MONDRIAN,
    *TABLES,
    *TRACES,
    *AVATARS,
    *SWEEPS,
    *SEARCHES,
    *STUDIES,
    *REPORTS,
    *LEAGUES,
]
