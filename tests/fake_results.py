"""Results without chains, in no time: draws of a plain hierarchy that are put together by hand."""

import dataclasses

import numpy as np

from nepers.assessment import Assessment
from nepers.atoms import split, total
from nepers.cases import log_ratios
from nepers.diagnostics import diagnose
from nepers.gibbs.draws import Draws
from nepers.hierarchy import paper
from nepers.posterior import Branch, branch


def student_draws(centre=0.1, sd=0.03, spread=0.5, m=4.0, nu=0.0, chains=4, draws=250, seed=0, C=1):
    """Mixtures of C equal components that stand side by side: for nu = 0 Student's t with 2m degrees.

    The location, and with it J, varies from draw to draw by ``sd``.
    """
    rng = np.random.default_rng(seed)
    shape, rows = (chains, draws), chains * draws * C
    place = centre + sd * rng.standard_normal(shape)
    mu = np.repeat(place.ravel(), C) + np.tile(np.linspace(-0.2, 0.2, C) if C > 1 else [0.0], chains * draws)
    made = Draws(
        J=place[:, :, None],
        log_likelihood=-300.0 + rng.standard_normal(shape),
        C=np.full(shape, C, dtype=np.int64),
        mu_mu=place[:, :, None],
        S_mu=np.full((*shape, 1, 1), 2.0) + rng.random((*shape, 1, 1)),
        R_S_mu=np.full((*shape, 1, 1), 2.0) + rng.random((*shape, 1, 1)),
        m_S=2.0 + rng.random(shape),
        R_S=np.full((*shape, 1, 1), 2.0) + rng.random((*shape, 1, 1)),
        first=C * np.arange(chains * draws).reshape(shape),
        p=np.full(rows, 1.0 / C),
        mu=mu[:, None],
        nu=np.full((rows, 1), nu),
        S=np.full((rows, 1, 1), 1.0 / spread**2),
        m=np.full(rows, m),
        shape_type=1,
    )
    J = [[made.mixture(i, k).mean() for k in range(draws)] for i in range(chains)]
    return dataclasses.replace(made, J=np.array(J).reshape(*shape, 1))


def assessment(j, draws=None, seed=1, **changes):
    """The assessment that these draws of the continuous part would give of finite j."""
    cases = log_ratios(j)
    kinds = split(cases.values, cases.resolution)
    draws = student_draws() if draws is None else draws
    whole = {
        "n": cases.n,
        "nats": total(kinds, draws.J[:, :, 0], branch(seed, Branch.WEIGHTS)),
        "kinds": kinds,
        "draws": draws,
        "diagnostics": diagnose(draws),
        "hyperparameters": paper(),
        "scale": 1.0,
        "seed": seed,
        "stopped": "target",
        "infinite_cases": (),
        "worst_cases": cases.worst,
        "version": "1.2.3",
        "name": cases.name,
    }
    return Assessment(**(whole | changes))


def long_tailed(n=400, seed=0):
    """Log ratios that mislead in a quarter of the cases, one of them at -6.5."""
    rng = np.random.default_rng(seed)
    j = 0.1 + 0.4 * rng.standard_t(8, n)
    j[n // 3] = -6.5
    return j
