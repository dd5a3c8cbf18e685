"""Splits and merges of groups are reversible, each with the right ratio.

As in `test_jumps`: states of the prior with data and groups given them, exactly; one attempt makes (before,
after) exchangeable.
"""

import math
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from exactness import gap_drivers
from exactness.checks import caught, right, symmetric_p
from exactness.naive import change_one, log_joint, wishart_of
from exactness.test_blocks import hyperparameters, log_joint_without_nu, records, state
from scipy import integrate

from nepers.gibbs.records import desk_type, make_constants, sums_type
from nepers.hierarchy import ProGamma, Wishart, sample_prior

COUNT = 40_000


@cache
def states(N):
    return sample_prior(hyperparameters(N, 2), COUNT, rng=np.random.default_rng(7 * N))


def regrouping_p(N, n, count=COUNT, **wrong):
    before, after, accepted = gap_drivers.try_regrouping(
        43, n, states(N)[:count], hyperparameters(N, 2), **wrong
    )
    kinds = accepted[2:] if wrong.get("steps") else accepted[:2]
    assert (kinds > 0.01 * count).all(), f"accepted, of either kind: {accepted}"
    return {name: symmetric_p(before[:, i], after[:, i]) for i, name in enumerate(gap_drivers.GROUPINGS)}


@pytest.mark.parametrize(("N", "n"), [(2, 3), (2, 12), pytest.param(3, 20, marks=pytest.mark.slow)])
def test_regrouping_is_reversible(N, n):
    """Red if the probability of a split, q of a mu, or a constant of what is integrated out is wrong."""
    right(regrouping_p(N, n))


def scaled(field, by):
    return lambda constants: constants.__setitem__(field, constants[field] * by)


SLOW = pytest.mark.slow


@pytest.mark.parametrize(
    "wrong",
    [
        {"mistake": scaled("kappa_eta", 2.0)},
        {"mistake": scaled("kappa_nu", 8.0)},
        {"by": (1.0, 6.0)},
        pytest.param({"by": (2.5, 1.0)}, marks=SLOW),
        pytest.param({"mistake": scaled("kappa_C", 0.8)}, marks=SLOW),
        pytest.param(
            {"mistake": lambda one: one.__setitem__("log_norm_m", one["log_norm_m"] + 0.2)}, marks=SLOW
        ),
        pytest.param({"mistake": lambda one: one.__setitem__("shape_type", 1)}, marks=SLOW),
        pytest.param({"mistake": scaled("b_m", 2.0)}, marks=SLOW),
    ],
)
def test_wrong_regrouping_is_caught(wrong):
    """Red if the test above could not fail: a constant of the prior is wrong."""
    caught(regrouping_p(2, 12, **wrong))


DEGREES = {"steps": 6, "missing": 3, "count": 20_000}


@pytest.mark.parametrize(("N", "n", "more"), [(2, 6, {}), pytest.param(4, 12, {"count": 40_000}, marks=SLOW)])
def test_births_and_deaths_by_degrees_are_reversible(N, n, more):
    """Red if a death does not go the way of a birth backwards, or a weight is of other counts or steps."""
    right(regrouping_p(N, n, **(DEGREES | more)))


@pytest.mark.parametrize(
    "wrong",
    [
        {"mistake": scaled("kappa_C", 0.8)},
        pytest.param({"mistake": scaled("kappa_eta", 2.0)}, marks=SLOW),
        pytest.param({"mistake": scaled("kappa_nu", 8.0)}, marks=SLOW),
        pytest.param({"by": (2.5, 1.0)}, marks=SLOW),
    ],
)
def test_wrong_births_and_deaths_by_degrees_are_caught(wrong):
    """Red if the test above could not fail: a constant of the prior is wrong."""
    caught(regrouping_p(2, 6, **DEGREES, **wrong))


@pytest.mark.parametrize("kind", [1, 2])
@pytest.mark.parametrize(("a", "b"), [(1.0, 3.0), (0.3, 0.01), (40.0, 200.0), (2e3, 1e5), (1.0, 20.0)])
def test_integral_of_the_progamma(kind, a, b):
    """Red if the rule's spacing is too wide for a lopsided or a narrow density, or an end is cut."""
    lower = 1.0 if kind == 1 else 0.0
    prior = ProGamma(a, b, N=1, type=kind, lower=lower)
    at = lower + 1.0
    truth = float(prior.log_kernel(at) - prior.logpdf(at))
    for guess in (1e-3, 1.0, 50.0):
        found = gap_drivers.progamma_integral(a, b, 1, kind, lower, guess)
        assert found == pytest.approx(truth, abs=1e-8 * max(1.0, abs(truth)))


def integral_over_m(at, c, start):
    """log of the integral over m of the joint, from its value at `start`."""
    w = np.linspace(-16.0, 7.0, 400)
    first = log_joint(change_one(at, c, m=start))
    heights = [log_joint(change_one(at, c, m=at.h.m_lower + math.exp(one))) - first + one for one in w]
    return math.log(integrate.simpson(np.exp(heights), x=w))


def integral_over_S(at, c):
    """log of the integral over nu and S of the joint."""

    def along(S):
        return log_joint_without_nu(change_one(at, c, S=S), c)

    N = at.h.N
    S = at.parameters.mixture.S[c]
    return along(S) - float(Wishart(*wishart_of(along, N, np.random.default_rng(1))).logpdf(S))


@pytest.mark.parametrize(("N", "c", "shape_type"), [(1, 0, 1), (2, 0, 1), (2, 1, 2), (3, 2, 2)])
def test_density_of_a_group(N, c, shape_type):
    """Red if a power, a constant or a half is lost where nu, S and m are integrated out."""
    whole = state(N, shape_type)
    mix, mine = whole.parameters.mixture, whole.z == c
    own = replace(whole, z=whole.z[mine], alpha=whole.alpha[mine], x=whole.x[mine])
    none = replace(whole, z=whole.z[:0], alpha=whole.alpha[:0], x=whole.x[:0])
    # m is in the joint by the alphas alone, whatever nu and S are
    truth = integral_over_S(own, c) + integral_over_m(own, c, mix.m[c])
    truth -= integral_over_S(none, c) + integral_over_m(none, c, mix.m[c]) + mine.sum() * math.log(mix.p[c])
    constants, upper, _, sums = records(whole)
    mu, guess, desk = mix.mu[c].copy(), mix.m[c] - whole.h.m_lower, np.zeros(1, desk_type(N))
    found = gap_drivers.group(constants, upper, mu, sums[c : c + 1].copy(), guess, desk)
    found -= gap_drivers.group(constants, upper, mu, np.zeros(1, sums_type(N)), guess, desk)
    logs = np.log(own.alpha).sum()
    found += 0.5 * N * (logs - mine.sum() * math.log(2.0 * math.pi)) - logs
    found += own.alpha.sum() if shape_type == 1 else 0.0
    assert found == pytest.approx(truth, abs=1e-5)


def test_groupings_summed_over_C():
    """Red if a factor of C is lost, or the sum over C ends too soon."""
    h = hyperparameters(2, 2).replace(kappa_C=0.9)
    sums = np.zeros(5, sums_type(2))
    sums["count"] = [3, 0, 1, 7, 0]
    total = 0.0
    for C in range(3, 2000):
        eta = h.kappa_eta / C
        one = C * math.log(h.kappa_C) + math.lgamma(C + 1) - math.lgamma(C - 2)
        one += sum(math.lgamma(k + eta) - math.lgamma(eta) for k in (3, 1, 7))
        total += math.exp(one)
    assert gap_drivers.grouping(make_constants(h), sums, 5) == pytest.approx(math.log(total), abs=1e-10)
