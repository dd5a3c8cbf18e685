"""The interval holds what it is for at all steps at once, and at less than twice the width of Student's."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from scipy.optimize import brentq

from nepers.betting import bet, confidence_sequence

Array = np.ndarray
Interval = Callable[[Array, tuple[float, float], float], tuple[Array, Array]]
BOUNDS = (-3.0, 1.0)


def ours(j: Array, bounds: tuple[float, float], alpha: float) -> tuple[Array, Array]:
    sequence = bet(j, bounds=bounds, alpha=alpha).confidence_sequence()
    return sequence.lower, sequence.upper


def fixed_time(j: Array, bounds: tuple[float, float], alpha: float) -> tuple[Array, Array]:
    """Wrong: Student's interval, which is for one time, after each bet; all of the range before the tenth."""
    n = np.arange(1, j.size + 1)
    mean = np.cumsum(j) / n
    sd = np.sqrt(np.maximum(np.cumsum(j**2) / n - mean**2, 0.0))
    half = stats.t.ppf(1.0 - alpha / 2.0, np.maximum(n - 1, 1)) * sd / np.sqrt(n)
    early = n < 10
    return np.where(early, bounds[0], mean - half), np.where(early, bounds[1], mean + half)


def intersected(j: Array, bounds: tuple[float, float], alpha: float) -> tuple[Array, Array]:
    """Wrong where the means change: what was once excluded stays excluded."""
    lower, upper = ours(j, bounds, alpha)
    return np.maximum.accumulate(lower), np.minimum.accumulate(upper)


# --- the definition, slowly


def slow_lower(x: list[float], step: list[int], alpha: float) -> float:
    """The lower end after all of x, in the unit interval, straight from the module's page."""
    powers = range(3, -15, -1)
    weights = [1.0 / (1.0 + abs(k + 2)) for k in powers]

    def log_mixture(total_of_means: float) -> float:
        terms = []
        for k, weight in zip(powers, weights, strict=True):
            r, exponent = 2.0**k, 0.0
            for x_i, step_i in zip(x, step, strict=True):
                past = [value for value, s in zip(x, step, strict=True) if s < step_i]
                guess = min((0.5 + sum(past)) / (1 + len(past)), 0.9 / r)
                exponent += math.log(1.0 + r * (x_i - guess)) + r * guess
            terms.append(math.log(weight / sum(weights)) + exponent - r * total_of_means)
        top = max(terms)
        return top + math.log(sum(math.exp(term - top) for term in terms))

    n = len(x)
    root = brentq(lambda total: log_mixture(total) - math.log(2.0 / alpha), -1e4, n + 1e-9, xtol=1e-12)
    return min(max(root / n, 0.0), 1.0)


@pytest.mark.parametrize("alpha", [0.5, 0.05])
def test_the_fast_way_gives_the_definition(alpha):
    # red if: a guess sees its own step, a rate or weight is off, blocks lose their carry, Newton stops early
    rng = np.random.default_rng(31)
    step = np.sort(rng.integers(0, 14, 24))
    j = rng.beta(0.4, 0.8, 24) * 4.0 - 3.0
    sequence = bet(j, time=step, bounds=BOUNDS, alpha=alpha).confidence_sequence()
    x = (j + 3.0) / 4.0
    for number, end in enumerate(sequence.settled):
        if number % 3 == 0 or end == 24:
            before = x[:end].tolist(), step[:end].tolist()
            upside_down = (1.0 - x[:end]).tolist(), step[:end].tolist()
            assert sequence.lower[number] == pytest.approx(4.0 * slow_lower(*before, alpha) - 3.0, abs=1e-9)
            assert sequence.upper[number] == pytest.approx(
                1.0 - 4.0 * slow_lower(*upside_down, alpha), abs=1e-9
            )
    assert sequence.lower[-1] > -3.0


# --- coverage


CHANCES = st.floats(0.02, 0.98)


def before(x: Array) -> Array:
    """The guesses of the module, each case a step."""
    return confidence_sequence._guesses(x, np.arange(1, x.size + 1))


def peeking(x: Array) -> Array:
    """Wrong: each guess is made from its own case too."""
    return (0.5 + np.cumsum(x)) / (1.5 + np.arange(x.size))


def expectations(guess: Callable[[Array], Array], first: float, leading: float, behind: float) -> Array:
    """(6 tosses, rates): of each rate's process, for a coin whose chance of heads depends on what it did."""
    expected = np.zeros((6, confidence_sequence.RATES.size))
    for course in product((0.0, 1.0), repeat=6):
        leads = 2 * np.cumsum(course)[:-1] > np.arange(1, 6)
        means = np.concatenate([[first], np.where(leads, leading, behind)])
        x = np.array(course)
        gains = np.cumsum(confidence_sequence.log_gains(x, guess(x)), axis=0)
        chance = np.where(x > 0.0, means, 1.0 - means).prod()
        expected += chance * np.exp(gains - np.outer(np.cumsum(means), confidence_sequence.RATES))
    return expected


@given(first=CHANCES, leading=CHANCES, behind=CHANCES)
@settings(max_examples=25, deadline=None)
def test_no_rate_gains_on_average_and_the_mixture_starts_at_1(first, leading, behind):
    # red if: the weights sum to more than 1, or a guess is not of the past alone; exact, by enumeration
    expected = expectations(before, first, leading, behind)
    assert (expected[0] <= 1.0 + 1e-12).all()
    assert (np.diff(expected, axis=0) <= 1e-12).all()
    assert np.exp(confidence_sequence._LOG_WEIGHTS).sum() == pytest.approx(1.0, abs=1e-12)


def test_a_right_guess_loses_nothing_and_one_that_peeks_gains():
    # red if: width is wasted, or the check above lets anything pass
    slow = confidence_sequence.RATES <= 1.0
    assert expectations(before, 0.5, 0.5, 0.5)[0, slow] == pytest.approx(1.0, abs=1e-12)
    assert (expectations(peeking, 0.5, 0.5, 0.5)[0, slow] > 1.0).all()
    assert expectations(peeking, 0.5, 0.5, 0.5)[0, slow].max() > 1.1


def exact_share_missed(interval: Interval, alpha: float, bets: int = 10) -> float:
    """The probability of ever missing the average of the conditional means, over all courses of a coin.

    Its chance of heads leans on what it did: it is moved towards where the interval would be wrong.
    """
    missed = 0.0
    for course in product((0, 1), repeat=bets):
        chance, means = 1.0, []
        for i, x in enumerate(course):
            m = 0.15 if sum(course[:i]) * 2 > i else 0.6
            means.append(m)
            chance *= m if x else 1.0 - m
        target = -3.0 + 4.0 * np.cumsum(means) / np.arange(1, bets + 1)
        lower, upper = interval(-3.0 + 4.0 * np.array(course, dtype=float), BOUNDS, alpha)
        if ((target < lower) | (target > upper)).any():
            missed += chance
    return missed


def test_the_probability_of_ever_missing_is_at_most_alpha_by_enumeration():
    # red if: the level is that of one end or of one time, or a conditional mean may not depend on the past
    alpha = 0.9  # with so few cases nothing can be excluded at a higher level
    share = exact_share_missed(ours, alpha)
    assert 0.0 < share <= alpha


def coin(rng: np.random.Generator, n: int) -> tuple[Array, Array]:
    """A rare event that was thought rarer: j is 0.05 but for 3% of cases at -3."""
    return np.where(rng.uniform(size=n) < 0.03, -3.0, 0.05), np.full(n, 0.05 - 0.03 * 3.05)


def drift(rng: np.random.Generator, n: int) -> tuple[Array, Array]:
    """A prediction that decays: the mean of j falls from 0.6 to -1.4."""
    means = np.linspace(0.6, -1.4, n)
    return means + rng.uniform(-0.4, 0.4, n), means


def feedback(rng: np.random.Generator, n: int) -> tuple[Array, Array]:
    """The mean of the next j depends on how the game stands: good after losses, bad after gains."""
    j, means, total = np.empty(n), np.empty(n), 0.0
    for i, u in enumerate(rng.uniform(size=n)):
        means[i] = -0.4 if total > 0.0 else -0.2
        j[i] = 1.0 if u < (means[i] + 3.0) / 4.0 else -3.0
        total += j[i] - means[i]
    return j, means


def share_missed(
    interval: Interval, scenario: Callable, alpha: float, runs: int = 300, n: int = 400
) -> float:
    """In how many runs the average of conditional means is ever outside."""
    rng = np.random.default_rng(32)
    missed = 0
    for _ in range(runs):
        j, means = scenario(rng, n)
        lower, upper = interval(j, BOUNDS, alpha)
        target = np.cumsum(means) / np.arange(1, n + 1)
        missed += bool(((target < lower - 1e-12) | (target > upper + 1e-12)).any())
    return missed / runs


def holds(share: float, alpha: float, runs: int = 300) -> bool:
    return share <= alpha + 3.0 * math.sqrt(alpha * (1.0 - alpha) / runs)


@pytest.mark.parametrize("scenario", [coin, drift, feedback])
@pytest.mark.parametrize("alpha", [0.05, 0.3])
def test_the_interval_holds_at_all_steps_at_once(scenario, alpha):
    # red if: the level is kept only at a time fixed in advance, or only for symmetric or equal cases
    assert holds(share_missed(ours, scenario, alpha), alpha)


@pytest.mark.parametrize(
    ("wrong", "scenario"),
    [(fixed_time, coin), (fixed_time, drift), (fixed_time, feedback), (intersected, drift)],
)
def test_wrong_intervals_fail_the_same_check(wrong, scenario):
    # red if: the check would let anything pass
    assert not holds(share_missed(wrong, scenario, 0.05), 0.05)


# --- width


def width(j: Array, bounds: tuple[float, float]) -> Array:
    sequence = bet(j, bounds=bounds).confidence_sequence()
    return sequence.upper - sequence.lower


SHAPES = {
    "even": lambda rng, n: rng.uniform(-2.0, 1.0, n),
    "usual": lambda rng, n: np.clip(rng.normal(0.1, 0.7, n), *BOUNDS),
    "rare": lambda rng, n: np.where(rng.uniform(size=n) < 0.02, -3.0, 0.05),
    "skew": lambda rng, n: 0.8 - rng.gamma(0.5, 0.6, n).clip(max=3.8),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_the_price_of_looking_always_is_less_than_twice_the_width(shape):
    # red if: the rates stop short of what long games need, or the guess is poor
    j = SHAPES[shape](np.random.default_rng(33), 10_000)
    t_width = 2.0 * stats.t.ppf(0.975, j.size - 1) * j.std(ddof=1) / math.sqrt(j.size)
    assert 1.0 < width(j, BOUNDS)[-1] / t_width < 2.0


def test_the_width_falls_as_the_square_root_of_n_but_for_a_logarithm():
    # red if: a grid of rates ends and the width stays: four times the cases must halve it, nearly
    j = SHAPES["usual"](np.random.default_rng(34), 400_000)
    widths = width(j, BOUNDS)[np.array([1_562, 6_250, 25_000, 100_000, 400_000]) - 1]
    for before, after in pairwise(widths):
        assert 0.46 < after / before < 0.58


def test_constant_j_is_found_out_as_fast_as_one_over_n():
    # red if: the variance is about the middle of the bounds, or the interval leaves a j that never varies
    sequence = bet(np.full(5_000, 0.25), bounds=BOUNDS).confidence_sequence()
    assert (sequence.lower <= 0.25).all()
    assert (sequence.upper >= 0.25).all()
    widths = sequence.upper - sequence.lower
    assert widths[4_999] < 0.02
    assert widths[4_999] / widths[999] == pytest.approx(0.2, rel=0.1)


# --- invariances

LISTS = st.lists(st.floats(-3.0, 1.0), min_size=1, max_size=60).map(np.array)


@given(j=LISTS, scale=st.floats(0.01, 100.0), shift=st.floats(-10.0, 10.0))
@settings(max_examples=50, deadline=None)
def test_it_moves_and_stretches_with_j(j, scale, shift):
    # red if: a guess or a rate is in nats instead of in units of the bounds
    moved = tuple(scale * bound + shift for bound in BOUNDS)
    for one, other in zip(ours(j, BOUNDS, 0.2), ours(scale * j + shift, moved, 0.2), strict=True):
        assert other == pytest.approx(scale * one + shift, abs=1e-8 * scale, rel=1e-8)


@given(j=LISTS)
@settings(max_examples=50, deadline=None)
def test_minus_j_has_the_ends_changed_over(j):
    # red if: one end is treated differently from the other
    lower, upper = ours(j, BOUNDS, 0.2)
    low, high = ours(-j, (-1.0, 3.0), 0.2)
    assert low == pytest.approx(-upper, abs=1e-9)
    assert high == pytest.approx(-lower, abs=1e-9)


@given(j=LISTS, alpha=st.floats(0.001, 0.999))
@settings(max_examples=50, deadline=None)
def test_the_mean_so_far_is_inside_and_all_is_within_the_bounds(j, alpha):
    # red if: an end crosses the mean, as where the guess is taken for it. The logarithm is concave: it cannot
    lower, upper = ours(j, BOUNDS, alpha)
    mean = np.cumsum(j) / np.arange(1, j.size + 1)
    assert (lower <= mean + 1e-12).all()
    assert (mean <= upper + 1e-12).all()
    assert lower.min() >= -3.0
    assert upper.max() <= 1.0


def test_later_cases_change_nothing_that_was_said():
    # red if: anything is tuned to the number of cases, which may have been chosen by looking
    j = SHAPES["usual"](np.random.default_rng(35), 20_000)
    whole, part = ours(j, BOUNDS, 0.05), ours(j[:9_000], BOUNDS, 0.05)
    assert whole[0][:9_000].tolist() == part[0].tolist()
    assert whole[1][:9_000].tolist() == part[1].tolist()


@pytest.mark.parametrize("block", [1, 7, 64])
def test_the_size_of_blocks_does_not_matter(block, monkeypatch):
    # red if: a step that ends with a block, or spans several, is lost or counted twice
    rng = np.random.default_rng(36)
    j, time = SHAPES["skew"](rng, 200), np.sort(rng.integers(0, 40, 200))
    whole = bet(j, time=time, bounds=BOUNDS).confidence_sequence()
    monkeypatch.setattr(confidence_sequence, "_BLOCK", block)
    parts = bet(j, time=time, bounds=BOUNDS).confidence_sequence()
    assert parts.lower.tolist() == whole.lower.tolist()
    assert parts.upper.tolist() == whole.upper.tolist()


def test_a_higher_level_is_a_wider_interval():
    # red if: alpha is turned round
    j = SHAPES["usual"](np.random.default_rng(37), 500)
    at = {alpha: ours(j, BOUNDS, alpha) for alpha in (0.01, 0.1, 0.5)}
    for small, large in pairwise(at.values()):
        assert (small[0] <= large[0]).all()
        assert (small[1] >= large[1]).all()
        assert small[0][-1] < large[0][-1]


# --- clipping


def test_clipped_j_has_the_interval_of_j_clipped_beforehand():
    # red if: the pile is clipped too, or the interval is not of what its name says
    j = np.array([0.3, -7.0, 2.0, -math.inf, 0.1])
    game = bet(j, clip=BOUNDS)
    sequence = game.confidence_sequence()
    before = bet(np.clip(j, *BOUNDS), bounds=BOUNDS).confidence_sequence()
    assert sequence.lower.tolist() == before.lower.tolist()
    assert sequence.upper.tolist() == before.upper.tolist()
    assert (sequence.quantity, sequence.clipped, sequence.limits) == ("clipped J", 3, BOUNDS)
    assert game.log_piles[1, 0] == pytest.approx(-6.7)
    assert game.piles[-1, 0] == 0.0


def test_each_player_has_its_own():
    # red if: the first player's interval is given for all
    j = SHAPES["usual"](np.random.default_rng(38), 300)
    game = bet({"a": j, "b": -j}, clip=(-3, 3))
    assert game.confidence_sequence("a").now == pytest.approx(
        [-x for x in game.confidence_sequence("b").now][::-1]
    )
    assert game.confidence_sequence("b").name == "b"
    assert game.confidence_sequence("b").now[0] == game.summary()[1]["lower"]
