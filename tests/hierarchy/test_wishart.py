"""The paper's Wishart against scipy's."""

import numpy as np
import pytest
from scipy import stats

from nepers.errors import InputError
from nepers.hierarchy import Wishart

R3 = np.array([[2.0, 0.3, -0.5], [0.3, 1.1, 0.2], [-0.5, 0.2, 0.8]])


@pytest.mark.parametrize(
    ("m", "R"), [(0.3, R3), (2.5, R3), (133.0, R3), (1.1, R3[:2, :2]), (2.0, np.array([[200.0]]))]
)
def test_density_is_scipys_with_df_2m_plus_N_minus_1(m, R):
    """Red if df or the scale (2R)^-1 is read wrongly, or the paper's 2 pi is taken for pi in the constant."""
    N = len(R)
    S = Wishart(m, R).rvs(5, rng=np.random.default_rng(1))
    oracle = stats.wishart(2 * m + N - 1, np.linalg.inv(2 * R))
    np.testing.assert_allclose(Wishart(m, R).logpdf(S), [oracle.logpdf(s) for s in S], rtol=1e-10, atol=1e-10)


def test_one_dimension_is_the_gamma():
    """Red if N = 1 is not Gamma(m, rate R)."""
    x = np.array([0.001, 0.02, 0.5])
    np.testing.assert_allclose(
        Wishart(2.0, 200.0).logpdf(x), stats.gamma(2.0, scale=1 / 200).logpdf(x), rtol=1e-12
    )


def test_draws_have_its_moments_and_its_law():
    """Red if Bartlett's chi-squares count down the wrong way or the root of R is transposed."""
    rng = np.random.default_rng(2)
    m, n = 2.7, 100_000
    S = Wishart(m, R3).rvs(n, rng=rng)
    mean = Wishart(m, R3).mean()
    # Var S_ij = df (V_ij^2 + V_ii V_jj) with V = (2R)^-1
    V, df = np.linalg.inv(2 * R3), 2 * m + 2
    error = np.sqrt(df * (V**2 + np.outer(np.diag(V), np.diag(V))) / n)
    assert (np.abs(S.mean(axis=0) - mean) < 4.5 * error).all()
    np.testing.assert_allclose(S.var(axis=0), error**2 * n, rtol=0.05)
    np.testing.assert_allclose(
        np.linalg.inv(S).mean(axis=0), Wishart(m, R3).mean_inverse(), rtol=0.03, atol=0.02
    )
    v = np.array([0.3, -1.0, 0.7])
    # v'Sv / v'Vv is chi-square with df degrees of freedom
    assert stats.kstest(np.einsum("i,nij,j->n", v, S, v) / (v @ V @ v), stats.chi2(df).cdf).pvalue > 1e-3
    assert stats.kstest(1 / np.linalg.inv(S)[:, 2, 2] / (0.5 / R3[2, 2]), stats.chi2(2 * m).cdf).pvalue > 1e-3


def test_outside_the_cone_and_wrong_parameters():
    """Red if an indefinite S gets a density, or a bad m passes."""
    assert Wishart(2.0, R3).logpdf(-np.eye(3)) == -np.inf
    assert Wishart(2.0, R3).logpdf(np.diag([1.0, -1.0, -1.0])) == -np.inf
    assert np.isnan(Wishart(1.0, R3).mean_inverse()).all()
    with pytest.raises(InputError, match="m must be above 0"):
        Wishart(0.0, R3)
