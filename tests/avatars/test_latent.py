"""The latent space: distances before avatars are written back, as the source document's code takes them."""

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer
from sklearn.decomposition import PCA
from sklearn.neighbors import NearestNeighbors
from sklearn.preprocessing import StandardScaler

from insanonym_core.avatars.release import avatars_from_tables
from insanonym_core.avatars.walkthrough import first_avatars, neighbour_distances
from insanonym_core.errors import UsageError
from insanonym_core.tabular.table import Table
from tests.avatars.helpers import avatars_of, table_of


def test_the_latent_space_gives_what_the_code_of_the_source_prints():
    """Its code, literally, with the same weights: DCR, NNDR, distances, the first component."""
    data = load_breast_cancer().data
    scaled = StandardScaler().fit_transform(data)
    components = int(np.argmax(np.cumsum(PCA().fit(scaled).explained_variance_ratio_) >= 0.9)) + 1
    reduced = PCA(n_components=components).fit_transform(scaled)
    made = avatars_of(
        Table.from_frame(pd.DataFrame(data)), k=5, variance=0.9, weights="exponential", include_self=True
    )
    distances, indices = NearestNeighbors(n_neighbors=5).fit(reduced).kneighbors(reduced)
    weights = made.facts["share"]
    avatars = np.array([weight @ reduced[near] for weight, near in zip(weights, indices, strict=True)])
    by_one, by_three = (
        NearestNeighbors(n_neighbors=number).fit(reduced).kneighbors(avatars)[0] for number in (1, 3)
    )
    first = first_avatars(made, 5, "latent").columns
    assert first["DCR"] == pytest.approx(by_one[:5].ravel())
    assert first["NNDR of the source"] == pytest.approx(by_three[:5, 1] / by_three[:5, 2])
    told = neighbour_distances(made, 5).columns
    assert told["weighted mean"] == pytest.approx((distances[:5] * weights[:5]).sum(axis=1))
    real, synthetic = made.points("latent")
    sign = np.sign(real[:, 0] @ reduced[:, 0])  # a component has no direction
    assert np.sort(sign * synthetic[:, 0]) == pytest.approx(np.sort(avatars[:, 0]))
    rounded = first_avatars(made, 5).columns["DCR"]
    assert not np.allclose(rounded, first["DCR"], atol=1e-12), "written back they lie elsewhere"


def test_rows_that_were_not_mixed_have_no_latent_points():
    table = table_of(x=range(20), y=np.arange(20) % 7)
    with pytest.raises(UsageError, match="choose pca or columns"):
        avatars_from_tables(table, table).points("latent")
