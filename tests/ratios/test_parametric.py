"""Distribution objects of every library give the log density of the truth, and bad ones are named."""

import sys
import types

import numpy as np
import pandas as pd
import polars as pl
import pytest
import skpro.distributions as skpro
from scipy import stats

from nepers.errors import InputError
from nepers.ratios.parametric import log_parametric

Y = np.array([0.3, -1.2, 2.5])
MU = np.array([0.0, 1.0, 2.0])
SIGMA = np.array([1.0, 0.5, 3.0])
TRUE = -0.5 * ((Y - MU) / SIGMA) ** 2 - np.log(SIGMA) - 0.5 * np.log(2.0 * np.pi)
COUNTS = np.array([0, 2, 5])
RATES = np.array([1.0, 2.0, 3.0])
TRUE_COUNTS = np.log([np.exp(-1.0), 2.0 * np.exp(-2.0), 243.0 / 120.0 * np.exp(-3.0)])


class OnlyPdf:
    def pdf(self, y):
        return stats.norm.pdf(y, MU, SIGMA)


class OnlyPmf:
    def pmf(self, y):
        return stats.poisson.pmf(y, RATES)


class OnlyLogProb:
    """As tensorflow's and numpyro's."""

    def log_prob(self, y):
        return stats.norm.logpdf(y, MU, SIGMA)


NORMAL = {
    "scipy frozen": stats.norm(MU, SIGMA),
    "scipy Normal": stats.Normal(mu=MU, sigma=SIGMA),
    "scipy shifted": stats.Normal(mu=0.0, sigma=SIGMA) + MU,
    "skpro": skpro.Normal(mu=MU[:, None], sigma=SIGMA[:, None]),
    "skpro truncated at nothing": skpro.TruncatedDistribution(
        skpro.Normal(mu=MU[:, None], sigma=SIGMA[:, None]), lower=-1e3, upper=1e3
    ),
    "log_prob": OnlyLogProb(),
    "pdf": OnlyPdf(),
    "function": lambda y: stats.norm.logpdf(y, MU, SIGMA),
    "list of frozen": [stats.norm(m, s) for m, s in zip(MU, SIGMA, strict=True)],
    "tuple of Normal": tuple(stats.Normal(mu=m, sigma=s) for m, s in zip(MU, SIGMA, strict=True)),
    "object array": np.array([stats.norm(m, s) for m, s in zip(MU, SIGMA, strict=True)], dtype=object),
    "list of skpro": [skpro.Normal(mu=m, sigma=s) for m, s in zip(MU, SIGMA, strict=True)],
    "list of skpro rows": [skpro.Normal(mu=[[m]], sigma=[[s]]) for m, s in zip(MU, SIGMA, strict=True)],
    "list of functions": [
        lambda y, m=m, s=s: stats.norm.logpdf(y, m, s) for m, s in zip(MU, SIGMA, strict=True)
    ],
    "mixed list": [
        stats.norm(0, 1),
        lambda y: stats.norm.logpdf(y, 1.0, 0.5),
        stats.Normal(mu=2.0, sigma=3.0),
    ],
}


@pytest.mark.parametrize("kind", NORMAL)
def test_every_kind_of_normal_gives_its_closed_form(kind):
    # red if: a parameter goes to another case, or an object is asked for something else than its log density
    found = log_parametric(Y, NORMAL[kind])
    assert found.dtype == np.float64
    np.testing.assert_allclose(found, TRUE, rtol=1e-12)


POISSON = {
    "scipy frozen": stats.poisson(RATES),
    "scipy make_distribution": stats.make_distribution(stats.poisson)(mu=RATES),
    "skpro": skpro.Poisson(mu=RATES[:, None]),
    "pmf": OnlyPmf(),
    "list": [stats.poisson(rate) for rate in RATES],
}


@pytest.mark.parametrize("kind", POISSON)
def test_what_is_discrete_is_asked_for_its_probability(kind):
    # red if: scipy's discrete variables are asked for logpdf, which is +inf, or skpro's, which is -inf
    np.testing.assert_allclose(log_parametric(COUNTS, POISSON[kind]), TRUE_COUNTS, rtol=1e-12)


def test_between_its_values_what_is_discrete_has_probability_zero():
    # red if: the density is taken where the probability is zero, and is infinite
    binomial = stats.Binomial(n=np.array([5, 6]), p=0.3)
    assert log_parametric([0.5, 1.0], binomial).tolist() == [-np.inf, pytest.approx(np.log(6 * 0.3 * 0.7**5))]


@pytest.mark.parametrize("kind", ["frozen", "Uniform"])
def test_outside_the_support_the_log_is_minus_infinity(kind):
    # red if: probability zero is refused, warned of, or clipped
    uniform = stats.uniform(0, 2) if kind == "frozen" else stats.Uniform(a=0.0, b=2.0)
    assert log_parametric([1.0, 3.0], uniform).tolist() == [pytest.approx(-np.log(2.0)), -np.inf]


@pytest.mark.parametrize(
    "one", [stats.norm(1, 2), stats.Normal(mu=1.0, sigma=2.0), skpro.Normal(mu=1.0, sigma=2.0)]
)
def test_one_distribution_without_rows_is_that_of_every_case(one):
    # red if: a constant prediction, as a prior is, is refused
    np.testing.assert_allclose(log_parametric(Y, one), stats.norm.logpdf(Y, 1, 2), rtol=1e-12)


def test_skpro_says_itself_where_it_has_a_probability():
    # red if: a distribution with an atom is asked for one of the two only
    hurdle = skpro.Hurdle(p=0.3, distribution=skpro.LogNormal(mu=[[0.0], [1.0]], sigma=1.0))
    found = log_parametric([0.0, 2.0], hurdle)
    np.testing.assert_allclose(found, [np.log(0.7), np.log(0.3) + stats.lognorm.logpdf(2.0, 1.0, scale=np.e)])


@pytest.mark.parametrize("name", ["TDistribution", "Laplace"])
def test_other_distributions_of_skpro(name):
    # red if: log_pdf of skpro is transposed, or its rows come in another order
    scale = SIGMA[:, None]
    made, oracle = {
        "TDistribution": (
            lambda: skpro.TDistribution(mu=MU[:, None], sigma=scale, df=4),
            stats.t(4, MU, SIGMA),
        ),
        "Laplace": (lambda: skpro.Laplace(mu=MU[:, None], scale=scale), stats.laplace(MU, SIGMA)),
    }[name]
    np.testing.assert_allclose(log_parametric(Y, made()), oracle.logpdf(Y), rtol=1e-12)


def test_the_index_of_skpro_is_that_of_the_truths():
    # red if: skpro puts the rows in its own order, or the truths of other cases are taken
    index = pd.Index(["anne", "bob", "cyd"])
    q = skpro.Normal(mu=MU[:, None], sigma=SIGMA[:, None], index=index)
    np.testing.assert_allclose(log_parametric(pd.Series(Y, index=index), q), TRUE, rtol=1e-12)
    np.testing.assert_allclose(log_parametric(Y, q), TRUE, rtol=1e-12)
    with pytest.raises(
        InputError, match=r"same row labels.*position 0 y_true has 'cyd' and prediction 'anne'"
    ):
        log_parametric(pd.Series(Y, index=index[::-1]), q)


def test_dataframe_columns_are_truths():
    # red if: the truths can only be numpy's
    for truths in (pl.Series(Y), pd.DataFrame({"y": Y}), pl.DataFrame({"y": Y}), Y.tolist()):
        np.testing.assert_allclose(log_parametric(truths, stats.norm(MU, SIGMA)), TRUE, rtol=1e-12)


COVARIANCE = np.array([[2.0, 0.3, 0.1], [0.3, 1.0, 0.2], [0.1, 0.2, 0.5]])
VECTORS = np.array([[0.1, 0.2, 0.7], [0.5, 0.1, 0.4], [0.2, 0.6, 0.2]])
TOGETHER = {
    "normal": stats.multivariate_normal(np.array([0.5, 0.2, 0.1]), COVARIANCE),
    "t": stats.multivariate_t(np.array([0.5, 0.2, 0.1]), COVARIANCE, df=4),
    "kde": stats.gaussian_kde(np.random.default_rng(1).normal(size=(3, 50))),
    "dirichlet": stats.dirichlet([1.0, 2.0, 3.0]),
}


@pytest.mark.parametrize("kind", TOGETHER)
def test_vectors_are_rows(kind):
    # red if: the cases are taken for the dimensions, as scipy's kde and dirichlet do
    one_by_one = [TOGETHER[kind].logpdf(row).item() for row in VECTORS]
    np.testing.assert_allclose(log_parametric(VECTORS, TOGETHER[kind]), one_by_one, rtol=1e-12)
    np.testing.assert_allclose(log_parametric(VECTORS, [TOGETHER[kind]] * 3), one_by_one, rtol=1e-12)
    frame = pd.DataFrame(VECTORS, columns=list("abc"))
    np.testing.assert_allclose(log_parametric(frame, TOGETHER[kind]), one_by_one, rtol=1e-12)


def test_a_single_vector():
    # red if: the axis that scipy drops for a single case is missed
    q = TOGETHER["normal"]
    assert log_parametric(VECTORS[:1], q) == pytest.approx([q.logpdf(VECTORS[0])])
    assert log_parametric([VECTORS[0].tolist()], q) == pytest.approx([q.logpdf(VECTORS[0])])


def test_a_kernel_estimate_of_scipy_in_one_dimension():
    # red if: the transposition for vectors spoils plain numbers
    kde = stats.gaussian_kde(np.random.default_rng(2).normal(size=50))
    np.testing.assert_allclose(log_parametric(Y, kde), kde.logpdf(Y), rtol=1e-12)


def test_multinomial_probabilities():
    # red if: multivariate logpmf is not found
    q = stats.multinomial(3, [0.2, 0.3, 0.5])
    assert log_parametric([[1, 1, 1]], q) == pytest.approx([np.log(6 * 0.03)])


def test_torch_gets_tensors_and_gives_numbers(monkeypatch):
    # red if: torch's, which take only tensors and give ones with gradients, are called with arrays
    class Tensor:
        def __init__(self, values, attached):
            self.values, self.attached = np.asarray(values), attached

        def detach(self):
            return Tensor(self.values, False)

        def cpu(self):
            return self

        def __array__(self, dtype=None, copy=None):
            assert not self.attached
            return self.values if dtype is None else self.values.astype(dtype)

    class Distribution:
        def log_prob(self, y):
            assert isinstance(y, Tensor)
            return Tensor(stats.norm.logpdf(y.values, MU, SIGMA), True)

    torch = types.ModuleType("torch")
    torch.distributions = types.SimpleNamespace(Distribution=Distribution)
    torch.as_tensor = lambda y: Tensor(y, False)
    monkeypatch.setitem(sys.modules, "torch", torch)
    np.testing.assert_allclose(log_parametric(Y, Distribution()), TRUE, rtol=1e-12)
    np.testing.assert_allclose(log_parametric(Y, OnlyLogProb()), TRUE, rtol=1e-12)


def test_no_cases_are_legal():
    # red if: nothing to assess is an error of the distribution's
    assert log_parametric([], stats.norm(0, 1)).tolist() == []
    assert log_parametric([], []).tolist() == []


class Numpyish:
    """Gives what it is told to."""

    def __init__(self, answer):
        self.answer = answer

    def logpdf(self, y):
        return self.answer


NAMED = pd.Series(Y, index=["anne", "bob", "cyd"])
WRONG = {
    "an axis too many": (
        Y,
        stats.norm(MU[:, None], 1),
        r"y_true of shape \(3,\).*logpdf gave shape \(3, 3\)",
    ),
    "an axis of one": (Y, stats.norm(MU[None, :], 1), r"gave shape \(1, 3\)"),
    "parameters of another length": (
        Y,
        stats.norm([0, 1], 1),
        r"must take y_true of shape \(3,\).*logpdf says",
    ),
    "one truth, several distributions": (Y[:1], stats.norm(MU, 1), r"shape \(1,\).*gave shape \(3,\)"),
    "one number for all": (Y, Numpyish(0.5), r"gave shape \(\)"),
    "a list too short": (Y, [stats.norm(0, 1)] * 2, "it has 2, y_true 3 rows"),
    "a list of several": (NAMED, [stats.norm(MU, 1)] * 3, r"gave shape \(3,\) in row anne"),
    "an illegal parameter": (
        NAMED,
        stats.norm(0, [1, -1, 1]),
        r"not NaN.*y_true -1.2 in row bob \(1 of 3\).*legal",
    ),
    "an illegal parameter of Normal": (Y, stats.Normal(mu=MU, sigma=[1, 1, -1.0]), "not NaN.*row 2"),
    "a spike": ([1.0, 0.0], stats.gamma(0.5), r"a finite density.*y_true 0.0 in row 1 \(1 of 2\).*log_mixed"),
    "a class": (Y, stats.Normal, "it is the class Normal"),
    "numbers": (Y, np.array([0.1, 0.2, 0.3]), "it is float"),
    "a number": (Y, 0.5, r"must be a distribution \(with logpdf.*it is float"),
    "a text": (Y, "normal", "it is str"),
    "a table of objects": (Y, np.array([[stats.norm(0, 1)]], dtype=object), r"its shape is \(1, 1\)"),
    "skpro of other rows": (Y, skpro.Normal(mu=[[0.0], [1.0]], sigma=1), "same number of rows.*prediction 2"),
    "skpro of columns": (Y[:2], skpro.Normal(mu=[[0.0, 1.0]] * 2, sigma=1), r"one column.*\(2, 2\)"),
    "skpro without a probability": (
        Y[:2],
        skpro.Empirical(
            pd.DataFrame({"a": [0.0, 1.0, 2.0, 3.0]}, index=pd.MultiIndex.from_product([[0, 1], [0, 1]]))
        ),
        "Empirical says.*log_pmf",
    ),
    "NaN truth": ([np.nan], stats.norm(0, 1), "y_true must have no missing values"),
    "infinite truth": ([0.0, np.inf], stats.norm(0, 1), "y_true must be finite; inf in row 1"),
    "vectors for numbers": (VECTORS, stats.norm(0, 1), r"y_true of shape \(3, 3\).*gave shape \(3, 3\)"),
    "infinite vector": (
        [[0.0, np.inf]],
        stats.multivariate_normal([0, 0]),
        "must be finite; inf in column 1",
    ),
    "function of the wrong arity": (Y, lambda: 0.0, "<lambda> says"),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_is_no_prediction_is_named(case):
    # red if: a wrong prediction is broadcast, averaged or passed on, or the message leaves out what or where
    truths, prediction, message = WRONG[case]
    with pytest.raises(InputError, match=message):
        log_parametric(truths, prediction)
