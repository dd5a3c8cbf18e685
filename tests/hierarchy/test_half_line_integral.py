"""The half-line integral against its definition."""

import mpmath as mp
import numpy as np
import pytest

from nepers.hierarchy import half_line_integral
from nepers.hierarchy.half_line_integral import log_half_line_integral


@pytest.mark.parametrize("a", [0.1, 1.1, 2.04, 12.0, 61.0])
def test_it_is_the_integral(a):
    """Red for a term lost in moving to the peak; mpmath's parabolic cylinder function is the oracle."""
    mp.mp.dps = 60
    for t in (-40.0, -3.0, 0.0, 0.7, 5.0, 40.0):
        # int s^a exp(-s^2/2 + ts) ds = Gamma(a+1) exp(t^2/4) U(a + 1/2, -t)
        truth = mp.loggamma(mp.mpf(a) + 1) + mp.mpf(t) ** 2 / 4 + mp.log(mp.pcfu(mp.mpf(a) + 0.5, -mp.mpf(t)))
        assert abs(float(log_half_line_integral(a, t) - truth)) < 1e-12 * max(1.0, abs(float(truth)))


def test_it_keeps_the_shape_of_t():
    """Red if the flattening inside is not undone."""
    assert log_half_line_integral(2.0, 0.5).shape == ()
    t = np.linspace(-3, 3, 600).reshape(2, 300)
    np.testing.assert_allclose(
        log_half_line_integral(2.0, t)[1, 7], log_half_line_integral(2.0, t[1, 7]), rtol=1e-13
    )


def test_the_interpolant_refuses_what_it_cannot_follow():
    """Red if it is used without looking whether its coefficients have died out."""
    x = np.linspace(0.1, 0.9, 300)
    assert half_line_integral._interpolated(lambda v: np.abs(v - 0.41), x) is None
    np.testing.assert_allclose(half_line_integral._interpolated(np.exp, x), np.exp(x), rtol=1e-13)
    np.testing.assert_array_equal(half_line_integral._interpolated(np.exp, np.full(3, 0.5)), np.exp(0.5))
