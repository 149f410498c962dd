"""Declaration of the data kind mobility (GPS traces)."""

from __future__ import annotations

from insanonym_core.kinds import Demo, Kind
from insanonym_core.reading.options import READING
from insanonym_core.results.headlines import AGGREGATES, Headline, one_minus_max, one_minus_mean, worst_threat
from insanonym_core.results.threats import LINKABILITY, Threat

_UTILITY_SCORES = ("date", "hour", "distance", "poi", "tuile", "meet")
_FORMULAS = {
    "mean": "mean of the utility scores",
    "min": "lowest utility score",
    "median": "median of the utility scores",
    "max": "highest utility score",
}

_REIDENTIFIED = Threat(
    LINKABILITY,
    "“{title}” re-identifies {share} of the individuals in a week",
    share=lambda score: float(score.details["reidentified"] or 0),
    interval=lambda score: (
        float(score.details["reidentified_low"] or 0),
        float(score.details["reidentified_high"] or 0),
    ),
    chance=lambda score: float(score.details["chance_reidentified"] or 0),
    published=lambda score: 1 - (score.details["deleted_pairs"] or 0) / (score.details["pairs"] or 1),
)

KIND = Kind(
    name="mobility",
    title="Mobility",
    data_title="GPS traces",
    order=10,
    aliases=("gps", "mobile", "city", "ville"),
    methods="insanonym_core.mobility.methods",
    measures=("insanonym_core.mobility.utility", "insanonym_core.mobility.privacy"),
    attacks="insanonym_core.mobility.attacks",
    score_attack="insanonym_core.mobility.runs:score_attack",
    guess="insanonym_core.mobility.runs:guesses_on_pair",
    attack_threat=_REIDENTIFIED,
    rules={"v2": _UTILITY_SCORES, "v1": _UTILITY_SCORES},
    demos={"demo:mobility": Demo("Demo city", "insanonym_core.demo.city:demo_track")},
    presets="insanonym_core.mobility",
    headlines={
        "privacy": (
            worst_threat("attack", beside={"privacy.week_in_the_open": 0.5}),
            Headline("best_attack", "Privacy", "1 − best attack", ("attack",), one_minus_max),
            Headline("mean_attack", "Privacy", "1 − mean of the attacks", ("attack",), one_minus_mean),
        ),
        "utility": tuple(
            Headline(name, "Utility", formula, ("utility",), AGGREGATES[name])
            for name, formula in _FORMULAS.items()
        ),
    },
    read="insanonym_core.mobility.runs:read_data",
    make="insanonym_core.mobility.runs:make",
    from_frame="insanonym_core.mobility.frames:data_from_frame",
    to_frame="insanonym_core.mobility.frames:frame_from_track",
    frame_fits="insanonym_core.mobility.frames:frame_fits",
    release_from_frame="insanonym_core.mobility.frames:release_from_frame",
    handed_in="insanonym_core.mobility.runs:made_of_pair",
    read_release="insanonym_core.mobility.handed_in:read_release",
    read_guesses="insanonym_core.mobility.handed_in:score_guesses_file",
    publication="insanonym_core.mobility.publication:PUBLICATION",
    aligned="insanonym_core.mobility.publication:write_aligned",
    reading=(*READING, "columns"),
    person_losses="insanonym_core.mobility.person_losses:person_losses",
    unprotected="insanonym_core.mobility.unprotected:unprotected",
    look="insanonym_core.mobility.look:look",
    largest="insanonym_core.mobility.runs:max_swept_value",
    final_methods=("pseudonymise",),
    held_out=("attack.path", "attack.everything"),
    ceiling="insanonym_core.mobility.searching:ceiling",
    sample="insanonym_core.mobility.searching:sample",
    map="insanonym_core.report.map_section:map_section",
    map_figures="insanonym_core.figures.map_places:maps_of",
    individual_map="insanonym_core.figures.map_places:individual_map",
    commands="insanonym_core.cli.mobility:register",
    panel="insanonym_dashboard.panels.mobility:MobilityPanel",
)
