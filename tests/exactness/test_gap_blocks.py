"""Each block of the sampler with gaps draws from its conditional, as the naive joint density implies it.

The joint is that of `naive.log_joint` with the noise and its beta, and with y_0 where an interval of it is
known; a missing entry has no noise. Wrong samplers are the same block told something else.
"""

import math
from dataclasses import dataclass, replace
from functools import cache

import numpy as np
import pytest
from exactness import drivers, gap_drivers
from exactness.checks import caught, counts_p, normal_p, right, uniform_p
from exactness.naive import State, change, log_case, log_joint, numerical_cdf, quadratic, whitened
from exactness.test_blocks import hyperparameters, spoil
from scipy import integrate, stats

from nepers.gibbs.gaps import Unknown, make_gaps
from nepers.gibbs.records import make_components, sums_type
from nepers.gibbs.tilt import tilt_table
from nepers.hierarchy import SkewStudent, sample_prior

DRAWS = 20_000


def test_truncated_normals():
    """Red if a proposal's density, the mirror, or the end of an interval is wrong."""
    ends = [
        (-math.inf, math.inf), (0.0, math.inf), (0.3, math.inf), (4.0, math.inf), (30.0, math.inf),
        (-math.inf, 1.0), (-math.inf, -2.0), (-0.1, 0.4), (-3.0, 5.0), (-0.2, 2.6), (1.0, 1.5), (1.0, 8.0),
        (9.0, 9.05), (-12.0, -9.0), (0.0, 1e-6), (-1e-3, math.inf),
    ]  # fmt: skip
    p = {}
    for a, b in ends:
        out = np.zeros(DRAWS)
        gap_drivers.truncated(drivers.stream(5), a, b, out)
        assert (out >= a).all()
        assert (out <= b).all()
        low, high = (a, b) if a + b <= 0.0 or a == -math.inf else (-b, -a)
        side = 1.0 if (low, high) == (a, b) else -1.0
        # in the lower tail, where probabilities keep their digits
        base, top = stats.norm.logcdf(low), stats.norm.logcdf(high)
        log_u = np.log(-np.expm1(base - stats.norm.logcdf(side * out))) + stats.norm.logcdf(side * out)
        p[f"{a} to {b}"] = uniform_p(np.exp(log_u - top - np.log(-np.expm1(base - top))))
    right(p)


# --------------------------------------------------------------------------- one case


@dataclass(frozen=True)
class Case:
    """A case of component c: the values known (NaN elsewhere), the ends of y_0, and the noise."""

    at: State
    known: np.ndarray
    lower: float
    upper: float
    noise: tuple[float, np.ndarray] | None
    beta: float = 0.8

    @property
    def bounded(self):
        return math.isnan(self.known[0]) and (math.isfinite(self.lower) or math.isfinite(self.upper))

    @property
    def missing(self):
        gone = np.isnan(self.known)
        gone[0] &= not self.bounded
        return gone


def log_noise(n, case, beta):
    """log p(n, beta) of the entries that are measured; n may be many rows."""
    m, S = case.noise
    there = ~case.missing
    total = stats.gamma.logpdf(beta, m, scale=1.0 / m)
    if there.any():
        cov = np.linalg.inv(S)[np.ix_(there, there)] / beta
        total = total + stats.multivariate_normal.logpdf(n[..., there].reshape(-1, there.sum()), cov=cov)
    return total


@cache
def case_of(N, pattern, noisy):
    rng = np.random.default_rng(30 + N)
    h = hyperparameters(N, 2)
    parameters = sample_prior(h.replace(C=3), rng=rng)
    mix = parameters.mixture
    at = State(h, parameters, np.array([1]), np.array([0.6]), mix.mu[1:2] + 1.2 * mix.nu[1:2])
    known = at.x[0] + 0.4
    width = math.sqrt(np.linalg.inv(0.6 * mix.S[1])[0, 0])
    middle = mix.mu[1, 0] + mix.nu[1, 0] / math.sqrt(0.6)
    lower = upper = known[0]
    if "0" not in pattern:
        lower, upper = {
            "right": (middle + 0.7 * width, math.inf),
            "left": (-math.inf, middle - 0.2 * width),
            "interval": (middle - 0.3 * width, middle + 1.1 * width),
            "exact": (known[0], known[0]),
        }[pattern.split()[0]]
    else:
        lower, upper = -math.inf, math.inf
    known[0] = lower if lower == upper else math.nan
    for digit in pattern.split()[1]:
        if digit != "-":
            known[int(digit)] = math.nan
    root = rng.standard_normal((N, N + 2))
    noise = (1.7, 6.0 * mix.S[1] + root @ root.T) if noisy else None
    return Case(at, known, lower, upper, noise)


PATTERNS = {
    1: ["right -", "interval -", "any 0"],
    2: ["exact 1", "right -", "left 1", "interval 1", "any 0", "any 01"],
    3: ["exact 12", "right 1", "left 2", "interval 12", "any 01", "exact -"],
}


def completed(case, told=None):
    """Draws of x, n and beta by the sampler, of the case as it is or as it is `told`."""
    told = told or case
    N = case.at.h.N
    one = np.array([told.lower]), np.array([told.upper])
    x, gaps = make_gaps(told.known[:, None].copy(), Unknown(*one, told.noise))
    gaps.place[0], gaps.root[0] = case.at.z[0], math.sqrt(case.at.alpha[0])
    components = make_components(told.at.parameters, 3)
    out = [np.zeros((DRAWS, N)), np.zeros((DRAWS, N)), np.zeros(DRAWS)]
    sums = np.zeros(3, sums_type(N))
    gap_drivers.completions(drivers.stream(9), x, components, sums, gaps, case.beta, *out)
    return out


def completion_p(case, told=None):
    """y_0 between its ends, the unknown entries of x given it, and beta given both."""
    x, n, beta = completed(case, told)
    N = case.at.h.N
    free = np.ones(N, bool) if case.noise is not None else np.isnan(case.known)
    y0 = x[:, 0] + n[:, 0] if case.noise is not None else x[:, 0]
    p = {}
    assert np.array_equal(x[:, ~free], np.broadcast_to(case.known[~free], x[:, ~free].shape))

    def along(v):
        """The joint at x and, where there is noise and an interval, y_0."""
        at = np.nan_to_num(case.known)
        at[free] = v[: free.sum()]
        total = log_joint(replace(case.at, x=at[None]))
        if case.noise is not None:
            y = np.nan_to_num(case.known)
            y[0] = v[-1] if case.bounded else y[0]
            total += float(np.sum(log_noise(y - at, case, case.beta)))
        return total

    draws = x[:, free]
    if case.noise is not None and case.bounded:
        draws = np.column_stack([draws, y0])
    mean, P = quadratic(along, draws.shape[1])
    if case.bounded:
        last = draws.shape[1] - 1 if case.noise is not None else 0
        sd = math.sqrt(np.linalg.inv(P)[last, last])
        ends = (case.lower - mean[last]) / sd, (case.upper - mean[last]) / sd
        p["y_0"] = uniform_p(stats.truncnorm.cdf((draws[:, last] - mean[last]) / sd, *ends))
        rest = np.arange(draws.shape[1]) != last
        shift = np.linalg.solve(P[np.ix_(rest, rest)], P[rest, last]) if rest.any() else np.zeros(0)
        means = mean[rest] - np.outer(draws[:, last] - mean[last], shift)
        draws, mean, P = draws[:, rest], means, P[np.ix_(rest, rest)]
    if draws.shape[1]:
        z = whitened(draws, mean, P)
        p |= {f"x {i}": normal_p(z[:, i]) for i in range(z.shape[1])}
        p["x together"] = uniform_p(stats.chi2.cdf((z**2).sum(1), z.shape[1]))
    if case.noise is not None:
        p["beta"] = uniform_p(beta_pit(case, n, beta))
    return p


def beta_pit(case, n, beta):
    """beta given n is a Gamma; its two parameters come from the joint at three values."""
    places = np.array([0.5, 1.0, 2.0])
    rows = np.column_stack([np.ones(3), np.log(places), -places])
    values = np.array([np.broadcast_to(log_noise(n, case, b), beta.shape) for b in places])
    _, power, rate = np.linalg.solve(rows, values)
    return stats.gamma.cdf(beta, power + 1.0, scale=1.0 / rate)


@pytest.mark.parametrize("noisy", [False, True])
@pytest.mark.parametrize(
    ("N", "pattern"), [(N, pattern) for N, patterns in PATTERNS.items() for pattern in patterns]
)
def test_what_is_not_known_is_drawn_from_its_conditional(N, pattern, noisy):
    """Red if a sign, a power of alpha, a Schur complement, an end of an interval or a shape of beta is
    wrong."""
    right(completion_p(case_of(N, pattern, noisy)) or {"all is known": 1.0})


def component_wrong(name, by):
    def told(case):
        mix = case.at.parameters.mixture
        return replace(case, at=change(case.at, **{name: by(getattr(mix, name))}))

    return told


@pytest.mark.parametrize(
    ("noisy", "pattern", "told"),
    [
        (False, "right 1", component_wrong("nu", np.negative)),
        (False, "right 1", component_wrong("S", lambda S: 1.2 * S)),
        (False, "interval 12", lambda case: replace(case, upper=case.upper + 0.2)),
        (False, "left 2", lambda case: replace(case, lower=-case.upper - 9.0, upper=case.upper + 0.1)),
        (True, "right 1", component_wrong("nu", np.negative)),
        (True, "interval 12", lambda case: replace(case, lower=case.lower - 0.2)),
        (True, "exact -", lambda case: replace(case, noise=(case.noise[0] + 0.5, case.noise[1]))),
        (True, "exact 12", lambda case: replace(case, noise=(case.noise[0], 1.3 * case.noise[1]))),
        (True, "exact 12", lambda case: replace(case, noise=(case.noise[0], case.noise[1] * np.eye(3)))),
    ],
)  # fmt: skip
def test_wrong_completions_are_caught(noisy, pattern, told):
    """Red if the test above could not fail."""
    case = case_of(3, pattern, noisy)
    caught(completion_p(case, told(case)))


# --------------------------------------------------------------------------- components and alphas


@cache
def evidence(N, pattern):
    """For each component: log p(c, what is known); and log p(c, alpha, what is known) as a function."""
    case = case_of(N, pattern, False)
    gone = case.missing
    x = np.where(gone, 0.0, case.at.parameters.mixture.mu[:2].mean(axis=0))  # where two components compete

    def log_density(c, log_alpha):
        unit = math.exp(-0.5 * log_alpha)

        def along(v):
            full = x.copy()
            full[gone] = v * unit
            return log_case(case.at.parameters.mixture, c, math.exp(log_alpha), full)

        size = int(gone.sum())
        if size == 0:
            return along(np.zeros(0))
        mean, P = quadratic(along, size)
        spread = 0.5 * (size * math.log(2.0 * math.pi) - np.linalg.slogdet(P)[1])
        return along(mean) + spread + size * math.log(unit)

    grid = np.linspace(-30.0, 8.0, 800)
    heights = np.array([[log_density(c, w) + w for w in grid] for c in range(3)])
    logs = np.log(integrate.simpson(np.exp(heights), x=grid))
    return case, x, logs, log_density


def allocation_p(N, pattern, spoiled=None):
    case, x, logs, log_density = evidence(N, pattern)
    one = np.array([case.lower]), np.array([case.upper])
    start, gaps = make_gaps(case.known[:, None].copy(), Unknown(*one, None))
    start[~case.missing, 0] = x[~case.missing]
    components = make_components(case.at.parameters, 3)
    if spoiled is not None:
        spoiled(components, gaps)
    place, root = np.zeros((DRAWS, 1), np.int64), np.zeros((DRAWS, 1))
    density = gap_drivers.gap_passes(
        drivers.stream(3), start, components, 2, np.zeros(3, sums_type(N)), gaps, place, root
    )
    probability = np.exp(logs - np.logaddexp.reduce(logs))
    p = {"component": counts_p(np.bincount(place[:, 0], minlength=3), probability)}
    for c in range(3):
        mine = root[place[:, 0] == c, 0] ** 2
        if mine.size > 300:
            cdf = numerical_cdf(lambda a, c=c: log_density(c, math.log(a)), mine, 0.0)
            p[f"alpha of {c}"] = uniform_p(cdf)
    return p, density[0] - np.logaddexp.reduce(logs)


ALLOCATIONS = [(2, "exact 1"), (2, "left 1"), (2, "any 0"), (2, "any 01"), (3, "exact 12"), (3, "right 1"),
               (3, "any 01")]  # fmt: skip


@pytest.mark.parametrize(("N", "pattern"), ALLOCATIONS)
def test_allocation_without_the_missing_entries(N, pattern):
    """Red if the missing entries are not integrated out of the component, of alpha, or of the density."""
    p, gap = allocation_p(N, pattern)
    right(p)
    assert abs(gap) < 1e-6  # that of Simpson's rule


@pytest.mark.parametrize(
    "spoiled",
    [
        lambda components, gaps: gaps.absent.__setitem__(slice(None), 1),
        lambda components, gaps: spoil(components, "nu", np.negative),
        lambda components, gaps: spoil(components, "S", lambda S: 2.0 * S),
    ],
    ids=["one missing entry taken as known", "sign of nu", "scale"],
)
def test_wrong_allocations_are_caught(spoiled):
    """Red if the test above could not fail."""
    p, _ = allocation_p(3, "exact 12", spoiled)
    caught(p)


# --------------------------------------------------------------------------- densities and jumps


@cache
def many(N=4, n=700):
    """Cases with any number of missing entries, in the order of how many, and three components."""
    rng = np.random.default_rng(8)
    h = hyperparameters(N, 2)
    parameters = sample_prior(h.replace(C=3), rng=rng)
    known = rng.standard_normal((n, N)) * 2.0
    known[rng.random((n, N)) < rng.choice([0.0, 0.2, 0.6], (n, 1))] = np.nan
    known = known[np.argsort(np.isnan(known).sum(axis=1), kind="stable")]
    return parameters, known


def marginal_logpdf(component, row):
    there = ~np.isnan(row)
    if not there.any():
        return 0.0
    S = np.linalg.inv(np.linalg.inv(component.S)[np.ix_(there, there)])
    left = SkewStudent(component.mu[there], component.nu[there], S, component.m, component.r)
    return left.logpdf(row[there]).item()


@cache
def naive_densities():
    parameters, known = many()
    return np.array([[marginal_logpdf(c, row) for c in parameters.mixture.components] for row in known])


def gaps_of(known):
    ends = np.where(np.isnan(known[:, 0]), np.inf, known[:, 0])
    return make_gaps(known.T.copy(), Unknown(np.where(np.isinf(ends), -np.inf, ends), ends, None))


def test_density_of_what_is_there():
    """Red if a determinant, a power or the skewness of a marginal is wrong, in any block of any size."""
    parameters, known = many()
    x, gaps = gaps_of(known)
    density = gap_drivers.gap_passes(
        drivers.stream(3), x, make_components(parameters, 3), 2, np.zeros(3, sums_type(4)), gaps,
        np.zeros((1, 700), np.int64), np.zeros((1, 700)),
    )  # fmt: skip
    truth = np.logaddexp.reduce(naive_densities() + np.log(parameters.mixture.p), axis=1)
    assert np.allclose(density, truth, rtol=1e-9, atol=1e-9)


def test_a_jump_is_weighed_by_what_is_there():
    """Red if a jump weighs cases by their imputed entries, or leaves the densities of another state."""
    parameters, known = many()
    x, gaps = gaps_of(known)
    components = make_components(parameters, 3)
    components["next_log_p"] = components["log_p"] + np.log([0.5, 1.0, 1.0])
    components["touched"] = [1, 0, 0]
    components["log_p"][2] = np.log(0.5) + components["log_p"][0]
    densities = naive_densities()
    p = np.exp(components["log_p"])
    before = np.logaddexp.reduce(densities[:, :2] + np.log(p[:2]), axis=1)
    truth = np.logaddexp.reduce(densities + np.log([0.5 * p[0], p[1], p[2]]), axis=1)
    after = np.zeros(len(known))
    ratio = gap_drivers.ratio_of_a_change(x, components, 2, 1, 2, gaps, before, after)
    assert np.allclose(after, truth, rtol=1e-9, atol=1e-9)
    assert ratio == pytest.approx((truth - before).sum(), abs=1e-7)


def test_gaps_are_what_is_not_known():
    """Red if cases lose their entries when they are put in order, or coordinate 0 is not the last missing."""
    nan, inf = math.nan, math.inf
    known = np.array([[nan, nan, 3.0], [1.0, 2.0, 4.0], [nan, 5.0, nan], [nan, 6.0, 7.0]])
    x, gaps = make_gaps(
        known.T, Unknown(np.array([-inf, 1.0, 2.0, -inf]), np.array([inf, 1.0, inf, 0.5]), None)
    )
    assert gaps.absent.tolist() == [0, 0, 1, 2]
    assert gaps.missing[:1, 2].tolist() == [2]
    assert gaps.missing[:2, 3].tolist() == [1, 0]
    assert gaps.bounded.tolist() == [0, 1, 1, 0]
    assert x.T.tolist() == [[1.0, 2.0, 4.0], [0.5, 6.0, 7.0], [2.0, 5.0, 0.0], [0.0, 0.0, 3.0]]


def test_table_is_at_hand():
    """Red if the densities above were all done by integrals, outside the table of the tilt."""
    parameters, known = many()
    _, gaps = gaps_of(known)
    assert gaps.table is tilt_table()
    assert np.max([np.sqrt(c.nu @ c.S @ c.nu) for c in parameters.mixture.components]) < 6.0
