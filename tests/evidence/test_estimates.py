"""The estimates on gains whose truth is known: no chains."""

import numpy as np
import pytest
from scipy import stats

from nepers.evidence.estimates import rejected, stepping_stone, thermodynamic, trapezoid

RNG = np.random.default_rng(11)


def gaussian_gains(shift, rounds, steps=3):
    """States N(0, 1) at the beginning of a step and N(shift, 1) at its end; the truth of the gain's ratio.

    G = shift t - shift^2/2 + c takes the one density to the other times e^c.
    """
    c = np.arange(steps) - 5.0
    t = RNG.standard_normal((2, 4, rounds, steps)) + np.array([0.0, shift])[:, None, None, None]
    up, down = shift * t - 0.5 * shift**2 + c
    return up, down, c.sum()


@pytest.mark.parametrize("estimate", [thermodynamic, trapezoid, lambda up, down: stepping_stone(up)])
def test_the_ratio_and_its_error(estimate):
    # red if: a sign, the bend's 1/12, or the error's scale is wrong; z-scores of 200 runs are standard normal
    z = []
    for _ in range(150):
        up, down, truth = gaussian_gains(1.0, 150)
        found = estimate(up, down)
        z.append((found.value - truth) / found.error)
    assert stats.kstest(z, "norm").pvalue > 1e-3
    assert 0.85 < np.std(z) < 1.2


def test_lopsided_gains():
    # red if: up and down are exchanged; Exp(1) at the beginning and Exp(3) at the end, G = -2 t, ratio 1/3
    t = RNG.exponential(size=(2, 4, 20_000, 1)) / np.array([1.0, 3.0])[:, None, None, None]
    up, down = -2.0 * t
    truth = -np.log(3.0)
    for found in (thermodynamic(up, down), stepping_stone(up)):
        assert abs(found.value - truth) < 4.0 * found.error < 0.1
    assert abs(stepping_stone(down).value - truth) > 0.1


def test_an_error_knows_of_correlation():
    # red if: rounds that repeat one another are counted as independent
    up, down, _ = gaussian_gains(1.0, 500)
    once = thermodynamic(up, down).error
    slow = thermodynamic(np.repeat(up, 10, axis=1), np.repeat(down, 10, axis=1)).error
    assert slow == pytest.approx(once, rel=0.3)


def test_integration_along_the_step_is_bennetts_ratio():
    # red if: the two are not what the room's page says: the mean gain at every l from both ends, integrated
    up, down, _ = gaussian_gains(1.5, 300, steps=1)
    every = np.concatenate([up.ravel(), down.ravel()])
    c = thermodynamic(up, down).value
    l = np.linspace(0.0, 1.0, 2001)[:, None]
    weight = np.exp(l * every - np.logaddexp(0.0, every - c))
    mean = (weight * every).sum(axis=1) / weight.sum(axis=1)
    assert np.trapezoid(mean, l[:, 0]) == pytest.approx(c, abs=1e-6)


def test_the_share_rejected():
    # red if: an exchange is accepted by half the ratio; for G of variance v it is 2 Phi(-sqrt(v/2))
    up, down, _ = gaussian_gains(1.3, 20_000)
    assert 1.0 - rejected(up, down) == pytest.approx(2.0 * stats.norm.sf(1.3 / np.sqrt(2.0)), abs=0.01)


def test_no_gain_is_no_error():
    # red if: a constant series divides zero by zero
    nothing = np.zeros((2, 50, 3))
    found = thermodynamic(nothing, nothing)
    assert found.value == pytest.approx(0.0, abs=1e-12)
    assert found.error == 0.0
