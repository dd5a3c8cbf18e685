"""Many places by interpolation: as exact as said, or not done."""

import numpy as np
from conditional.mixtures import some_mixture

from nepers.conditional.cases import Conditionals
from nepers.conditional.interpolation import interpolated
from nepers.prediction.observations import Noise


def test_smooth_functions_are_exact_and_others_refused():
    # red if: the end values count twice in the transform, or a corner passes for smooth
    x = np.linspace(-2.0, 5.0, 300)
    found = interpolated(lambda t: np.log(1.0 + np.exp(t)) - 0.3 * t**2, x)
    assert np.abs(found - (np.log(1.0 + np.exp(x)) - 0.3 * x**2)).max() < 1e-8
    assert interpolated(np.abs, x) is None
    assert interpolated(lambda t: np.where(t > 4.0, -np.inf, t), x) is None


def test_a_grid_of_many_times_agrees_with_single_ones():
    # red if: what is far out in the tails is interpolated from what was left out there
    mixture = some_mixture(5, 3, seed=9)
    u = np.linspace(-9.0, 12.0, 150)
    single = [np.array([x]) for x in u[::13]]
    for noise in (None, Noise(5.0, 30.0 * np.eye(3))):
        cases = Conditionals(mixture, noise, np.array([[np.nan, 0.5, -0.2], [np.nan, 9.0, np.nan]]))
        for what in ("logpdf", "logsf", "logcdf"):
            many = np.array(cases.each(lambda _i, one, w=what: getattr(one, w)(u)))
            few = np.array(cases.each(lambda _i, one, w=what: [getattr(one, w)(x)[0] for x in single]))
            assert np.abs(many[:, ::13] - few).max() < 1e-7
