"""The models that the benchmark of survival times sets beside ours."""

import lifelines
import numpy as np
import pandas as pd
import pytest
import survival_peers
from scipy import integrate

KINDS = {
    "normal": ("LogNormal", "mu_", "sigma_"),
    "logistic": ("LogLogistic", "alpha_", "beta_"),
    "extreme": ("Weibull", "lambda_", "rho_"),
}


def patients(n=150, seed=1):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 2))
    t = np.exp(0.3 + X @ [0.7, -0.3] + 0.8 * rng.logistic(size=n))
    end = 4.0 * rng.random(n) + 0.1
    return X, np.minimum(t, end), t < end


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.filterwarnings("ignore")  # lifelines' own
def test_regressions_of_log_time_are_those_of_lifelines(kind):
    # red if: the penalty is on the sum, censored patients count as events, or log sigma goes free
    X, t, e = patients()
    X = (X - X.mean(axis=0)) / X.std(axis=0, ddof=1)
    name, place, spread = KINDS[kind]
    table = pd.DataFrame(X, columns=["a", "b"]).assign(T=t, E=e)
    fitted = getattr(lifelines, f"{name}AFTFitter")(penalizer=0.1).fit(table, "T", "E")
    theta = survival_peers.aft(kind, X, t, e, 0.1)
    log_sigma = fitted.params_[spread]["Intercept"] * (1.0 if kind == "normal" else -1.0)
    expected = [fitted.params_[place]["Intercept"], log_sigma, *fitted.params_[place][["a", "b"]]]
    # as near as either search goes
    assert np.allclose(theta, expected, atol=2e-3)


def test_a_smoothed_curve_is_a_distribution():
    # red if: the slope of the log cumulative hazard is not per unit of time
    knots, S = np.array([0.5, 1.0, 2.0, 3.0, 4.0]), np.array([0.9, 0.8, 0.5, 0.4, 0.1])

    def at(t):
        log_f, log_s = survival_peers.smoothed(S[None], knots, np.array([t]))
        return np.exp(log_f[0]), np.exp(log_s[0])

    area = sum(
        integrate.quad(lambda t: at(t)[0], a, b)[0] for a, b in zip([0.1, *knots], [*knots, 6.0], strict=True)
    )
    assert abs(area - (at(0.1)[1] - at(6.0)[1])) < 1e-6
    # but for a thousandth, by which the curve is kept from being flat
    assert np.allclose([at(t)[1] for t in knots], S, atol=2e-3)
