"""Results of every kind, some with names that would break a page that does not escape them."""

import dataclasses
import math

import numpy as np
from fake_results import assessment, long_tailed, student_draws

import nepers

HOSTILE = "<script>alert('x')</script>"
NAMES = (
    HOSTILE,
    '"><img src=x onerror=alert(1)>',
    "</style><b>bold</b>",
    "&amp; &lt;",
    "模型 نموذج 모델 मॉडल",
    "\u202eturned round",
    "a\x00b\ud800c",
    "two\nlines",
    "w" * 3000,
    "",
)


def comparison(k=3, n=300, seed=0, **changes):
    """Right or wrong in each case: every value repeats, so no chains are needed."""
    rng = np.random.default_rng(seed)
    right = rng.random((n, k)) < np.linspace(0.8, 0.6, k)
    log_q = {_name(i): np.where(right[:, i], 0.3 + 0.01 * i, -0.9) for i in range(k)}
    return dataclasses.replace(nepers.compare(log_q, seed=1), **changes)


def _name(i):
    return f"{NAMES[i]}" if i < len(NAMES) - 1 else f"algorithm {i}"


def many(k):
    """As if from chains: Gaussian draws for k algorithms with such names."""
    rng = np.random.default_rng(k)
    nats = 0.03 * rng.standard_normal((2000, k)) + 0.05 * rng.standard_normal(k)
    three = comparison(3)
    return dataclasses.replace(
        three,
        names=tuple(_name(i) for i in range(k)),
        nats=nats,
        infinite_cases=((),) * k,
        worst_cases=(three.worst_cases[0],) * k,
    )


def labelled(a):
    """With the hostile names in the place of rows."""
    cases = tuple(case._replace(label=NAMES[i % len(NAMES)]) for i, case in enumerate(a.worst_cases))
    return dataclasses.replace(a, name=HOSTILE, worst_cases=cases)


def bad_chains():
    draws = student_draws(draws=60)
    draws.J[1] += 1.0
    draws.mu_mu[2] += 1.0
    return draws


J = long_tailed(200)
FEW = student_draws(draws=60)
RESULTS = {
    "plain": assessment(J, student_draws(draws=500)),
    "odd names in bits": labelled(assessment(J, FEW)).in_bits(),
    "unreliable": assessment(J, bad_chains(), stopped="budget"),
    "atoms and others": assessment(np.concatenate([J, np.repeat(np.linspace(-2.0, 1.0, 30), 2)]), FEW),
    "two values": nepers.assess([0.5] * 60 + [-1.0] * 40, seed=1),
    "one case": assessment([0.3], FEW),
    "no cases": nepers.assess([], seed=1),
    "minus infinity": nepers.assess([*J, -math.inf, -math.inf], seed=1),
    "three": comparison(3),
    "three against one": dataclasses.replace(comparison(3), reference=NAMES[1]),
    "alone": comparison(1),
    "twenty": many(20),
    "one at minus infinity": nepers.compare(
        {"sure": [0.5] * 9 + [-math.inf], "careful": [0.25] * 8 + [-0.5] * 2}, seed=1
    ),
}
