"""Was this person in the table? An attacker looks whether their values occur in the release at all.

Distances miss it: a method that publishes values as they are, columns shuffled say, is far from every
person and still shows whose values it was made from.
"""

from __future__ import annotations

import numpy as np

from insanonym_core.avatars.metrics.attacks import area_under_curve, auc_advantage, bootstrap
from insanonym_core.avatars.release import Avatars, Rehearsal, score_rehearsal
from insanonym_core.avatars.values import distinct_numbers
from insanonym_core.numeric.arrays import Bools, Floats
from insanonym_core.registry import metrics
from insanonym_core.results.scores import Bars, Score
from insanonym_core.results.threats import INFERENCE, Threat
from insanonym_core.tabular.table import Column, Table
from insanonym_core.texts import Phrase

_SEED = 6


@metrics.add(
    "membership_values",
    data="avatars",
    family="privacy",
    title="Membership by published values (AUC)",
    better="lower",
    bounds=(0, 1),
    order=10,
    formula="AUC of the columns whose value of a person is published, training half against held-out half",
    threat=Threat(
        INFERENCE,
        "an attacker who looks for a person's values in the release gets {share} of the way from guessing to "
        "certainty",
        share=lambda score: auc_advantage(score.value),
        interval=lambda score: (
            score.interval and (auc_advantage(score.interval[0]), auc_advantage(score.interval[1]))
        ),
        chance=lambda score: 0.0,
    ),
)
def membership_values(avatars: Avatars) -> Score:
    """How well an attacker guesses who was in the data by how many of their values are published; 0.5 is
    chance.

    Counted are the columns in which the very value of a person occurs in some avatar, whoever's it is.
    Avatars are made from one half of the people; the other half are people who were not in it. The interval
    is a bootstrap over people.
    """

    def score(rehearsal: Rehearsal) -> Score:
        published = rehearsal.avatars.published
        members, others = (
            values_published(half.source, published) for half in (rehearsal.train, rehearsal.held_out)
        )
        draw = np.random.default_rng([avatars.split_seed, _SEED])
        low, high = np.quantile(bootstrap(members, others, draw), (0.025, 0.975))
        value = area_under_curve(members, others)
        columns = len(published.columns)
        bars = Bars(
            "Values of a person that are published",
            "mean share of the columns",
            (Phrase("in the data"), Phrase("not in the data")),
            np.array([members.mean(), others.mean()]) / columns,
            share=True,
            shows_individuals=False,
        )
        details = {"members": len(members), "others": len(others), "chance": 0.5}
        return Score(value, (bars,), details, (min(float(low), value), max(float(high), value)))

    return score_rehearsal(avatars, score)


def values_published(people: Table, published: Table) -> Floats:
    """Count for each person the columns whose value occurs in the published table; missing is a value."""
    found = np.zeros(people.rows)
    for name, column in people.columns.items():
        found += _occur(column, published[name])[column.codes + 1]
    return found


def _occur(column: Column, published: Column) -> Bools:
    """Whether missing, and then each value of a column, occurs in another."""
    published = published.drop_unused_values()
    if not len(column.values) or not len(published.values):
        occurs = np.zeros(len(column.values), dtype=bool)
    elif column.kind == "category":
        occurs = np.isin(np.array(column.texts(), dtype=object), np.array(published.texts(), dtype=object))
    else:
        occurs = np.isin(distinct_numbers(column), distinct_numbers(published))
    return np.append(published.has_missing, occurs)
