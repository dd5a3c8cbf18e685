"""The posterior of the recalibration against quadrature and importance sampling written out plainly."""

import numpy as np
import pytest
from scipy import special

from nepers.rare import recalibration
from nepers.rare.recalibration import Told, expected, log_posterior, mode, prior_sds


def told_of(logit, happened):
    logs = np.stack([special.log_expit(-logit), special.log_expit(logit)])
    return Told(logs, np.ones(logs.shape, dtype=bool), np.stack([~happened, happened]).astype(float))


def plain_moments(logit, happened, shift_sd, slope_sd):
    """Means and sds of shift and slope over a square grid in the parameters themselves."""
    shift, slope = np.meshgrid(np.linspace(-12, 12, 801), np.linspace(-2, 5, 701), indexing="ij")
    logs = -0.5 * (shift / shift_sd) ** 2 - 0.5 * ((slope - 1.0) / slope_sd) ** 2
    for l, x in zip(logit, happened, strict=True):
        logs += special.log_expit((1.0 if x else -1.0) * (shift + slope * l))
    w = np.exp(logs - logs.max())
    w /= w.sum()
    means = [(w * a).sum() for a in (shift, slope)]
    return means, [np.sqrt((w * (a - m) ** 2).sum()) for a, m in zip((shift, slope), means, strict=True)]


RNG = np.random.default_rng(1)
LOGITS = RNG.normal(-3.0, 1.5, 40)
SETS = {
    "some events": RNG.random(40) < special.expit(LOGITS),
    "no event": np.zeros(40, dtype=bool),
    "separated": LOGITS > -2.0,
}


@pytest.mark.parametrize("name", SETS)
@pytest.mark.parametrize("way", ["_from_grid", "_from_slices"])
def test_two_classes_have_the_posterior_of_plain_quadrature(name, way):
    # red if: the priors' sds are of b and not of the shift, a cell of the grid is misplaced, the slices
    # ignore the Gaussian they move along, or separation throws the mode off
    means, sds = plain_moments(LOGITS, SETS[name], 2.0, 0.5)
    told = told_of(LOGITS, SETS[name])
    theta = getattr(recalibration, way)(told, prior_sds(2, 2.0, 0.5), 20_000, np.random.default_rng(2))
    found = np.stack([np.sqrt(2.0) * theta[:, 0], 1.0 + theta[:, 1]])
    # 5 Monte Carlo errors; the slices' draws are worth about a quarter of independent ones
    off = 5.0 * np.array(sds) / np.sqrt(20_000 if way == "_from_grid" else 5_000)
    assert np.abs(found.mean(axis=1) - means).tolist() <= off.tolist()
    # 0.4% is what being uniform within a cell adds to the sd
    assert found.std(axis=1) == pytest.approx(sds, rel=0.03)


def test_three_classes_have_the_posterior_of_weighted_prior_draws():
    # red if: b is not the same for a permutation of the classes, or the slope is left out of the likelihood
    rng = np.random.default_rng(3)
    logs = np.log(rng.dirichlet([3.0, 2.0, 1.0], 6)).T
    seen = np.eye(3)[:, [0, 0, 1, 2, 1, 0]]
    b, slope = rng.normal(0.0, 2.0 / np.sqrt(2.0), (200_000, 3)), rng.normal(1.0, 0.5, 200_000)
    z = b[:, :, None] + slope[:, None, None] * logs
    w = np.exp((seen * (z - special.logsumexp(z, axis=1, keepdims=True))).sum(axis=(1, 2)))
    w /= w.sum()
    b -= b.mean(axis=1, keepdims=True)
    told = Told(logs, np.ones(logs.shape, dtype=bool), seen)
    theta = recalibration.draw(told, prior_sds(3, 2.0, 0.5), 20_000, np.random.default_rng(4))
    mine = np.column_stack([recalibration.offsets(theta), 1.0 + theta[:, -1]])
    theirs = np.column_stack([b, slope])
    means = w @ theirs
    # their effective size is some 10,000, mine some 5,000; sds are near 1
    assert mine.mean(axis=0) == pytest.approx(means, abs=0.06)
    assert mine.std(axis=0) == pytest.approx(np.sqrt(w @ (theirs - means) ** 2), rel=0.05)


def test_of_a_constant_prediction_the_slope_keeps_what_the_shift_does_not_take():
    # red if: a singular Hessian breaks the mode. Shift and slope are told of by shift + slope * l alone
    told = told_of(np.full(30, -2.0), np.arange(30) < 4)
    theta = recalibration.draw(told, prior_sds(2, 2.0, 0.5), 20_000, np.random.default_rng(5))
    shift, slope = np.sqrt(2.0) * theta[:, 0], 1.0 + theta[:, 1]
    # along the line that the cases do not see, shift/4 - 2 (slope - 1)/0.25 ... is as in the prior
    blind = (shift * 0.5 + slope * 1.0) / np.sqrt(0.25 * 4.0 + 0.25)
    unseen = (2.0 * shift / 4.0 + (slope - 1.0) / 0.25) / np.sqrt(4.0 / 4.0 + 1.0 / 0.25)
    assert unseen.std() == pytest.approx(1.0, rel=0.03)
    assert np.isfinite(blind).all()


@pytest.mark.parametrize("K", [2, 3])
def test_the_expected_value_is_that_of_the_softmax_however_extreme(K):
    # red if: exp overflows where the slope is negative and Q nearly certain, or the impossible gets a share
    rng = np.random.default_rng(6)
    logs = -rng.exponential(150.0, (K, 50)).clip(max=740.0)
    possible = rng.random((K, 50)) < 0.8
    possible[0] = True
    theta = rng.normal(0.0, [1.5] * (K - 1) + [2.0], (20, K))
    values = rng.normal(size=(K, 1, 50))
    z = recalibration.offsets(theta)[:, :, None] + (1.0 + theta[:, -1])[:, None, None] * logs
    p = special.softmax(np.where(possible, z, -np.inf), axis=1)
    with np.errstate(all="raise", under="ignore"):
        found = expected(theta, logs[:, None], possible[:, None], values)
    assert found == pytest.approx((p * values[:, 0]).sum(axis=1), rel=1e-9, abs=1e-12)


def test_the_mode_is_where_the_posterior_is_level():
    # red if: the gradient or the Hessian forgets the prior or a term
    told = told_of(LOGITS, SETS["some events"])
    sds = prior_sds(2, 2.0, 0.5)
    theta, root = mode(told, sds)
    steps = 1e-3 * np.concatenate([root.T, -root.T])
    falls = log_posterior(theta[None], told, sds) - log_posterior(theta + steps, told, sds)
    # in the root's coordinates the Hessian is one: (1e-3)^2 / 2 every way
    assert falls == pytest.approx(np.full(4, 5e-7), rel=0.02)
