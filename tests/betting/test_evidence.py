"""If the prior is right the pile reaches 1/alpha with probability at most alpha, however often one looks."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest
from scipy import stats

from nepers.betting import bet

ALPHA = 0.05
GAMES, BETS = 2000, 500


def prediction_after(past: tuple[int, ...]) -> np.ndarray:
    """A prediction of three outcomes that learns, and hates repeats: anything made from the past will do."""
    weights = np.array([1.0, 2.0, 4.0]) + np.bincount(past, minlength=3) ** 2
    if past:
        weights[past[-1]] /= 5.0
    return weights / weights.sum()


def games_by_enumeration(bets: int, total: float = 1.0):
    """Every course of a game under P = (0.5, 0.3, 0.2), with its probability; Q sums to ``total``."""
    p = np.array([0.5, 0.3, 0.2])
    for outcome in product(range(3), repeat=bets):
        q = [total * prediction_after(outcome[:i])[x] for i, x in enumerate(outcome)]
        yield math.prod(p[x] for x in outcome), np.log(q) - np.log(p[list(outcome)])


def test_under_the_prior_the_expected_pile_is_1_whatever_the_prediction_learns():
    # red if: the pile is not the product of Q/P in order; exact, by enumeration
    played = [(chance, bet(j).piles[:, 0]) for chance, j in games_by_enumeration(6)]
    assert sum(chance * pile for chance, pile in played) == pytest.approx(np.ones(6), abs=1e-12)


@pytest.mark.parametrize("alpha", [0.5, 0.2, 0.05])
def test_the_probability_of_ever_reaching_1_over_alpha_is_at_most_alpha(alpha):
    # red if: evidence counts too early, or p is not 1 over the largest pile; exact, by enumeration
    played = [(chance, bet(j, alpha=alpha).evidence()) for chance, j in games_by_enumeration(6)]
    ever = sum(chance for chance, evidence in played if evidence.reached is not None)
    small = sum(chance for chance, evidence in played if evidence.p_value <= alpha)
    assert 0.0 < ever == small <= alpha


def factors(rng: np.random.Generator, total: float = 1.0) -> np.ndarray:
    """(bets, games) of Q/P under P: coins of 0.3 bet on at 0.39 or 0.21 in turns; Q sums to ``total``."""
    heads = rng.uniform(size=(BETS, GAMES)) < 0.3
    q = np.where(np.arange(BETS) % 3 == 0, 0.21, 0.39)[:, None]
    return total * np.where(heads, q / 0.3, (1.0 - q) / 0.7)


def share_by_pile(x: np.ndarray) -> float:
    """The share of games that ever reach 1/alpha."""
    game = bet({str(k): column for k, column in enumerate(np.log(x).T)}, alpha=ALPHA)
    return float(np.mean([game.evidence(name).reached is not None for name in game.names]))


def share_by_t_test(x: np.ndarray) -> float:
    """The share of games in which a t-test of "the mean factor is 1", which is true, ever rejects."""
    n = np.arange(1, BETS + 1)[:, None]
    mean = np.cumsum(x, axis=0) / n
    with np.errstate(invalid="ignore", divide="ignore"):
        sd = np.sqrt((np.cumsum(x**2, axis=0) - n * mean**2) / (n - 1))
        t = (mean - 1.0) / sd * np.sqrt(n)
    return float((t > stats.t.ppf(1.0 - ALPHA, np.maximum(n - 1, 1)))[10:].any(axis=0).mean())


def holds(share: float) -> bool:
    return share <= ALPHA + 3.0 * math.sqrt(ALPHA * (1.0 - ALPHA) / GAMES)


def test_looking_after_every_bet_rejects_a_right_prior_in_at_most_alpha_of_the_games():
    # red if: the level is not kept at all times. The t-test looked at as often, and the pile of a
    # "prediction" that sums to 1.02, must fail the same check, or it would be no check
    x = factors(np.random.default_rng(21))
    by_pile = share_by_pile(x)
    assert by_pile > 0.01
    assert holds(by_pile)
    assert not holds(share_by_t_test(x))
    assert not holds(share_by_pile(factors(np.random.default_rng(21), total=1.02)))


def first(condition: np.ndarray) -> np.ndarray:
    """The first step at which it holds in each game, or the last step."""
    return np.where(condition.any(axis=0), condition.argmax(axis=0), BETS - 1)


@pytest.mark.parametrize("rule", ["doubled", "lost half", "three gains", "as the day before"])
def test_the_mean_pile_is_at_most_1_however_the_game_is_stopped(rule):
    # red if: a pile is counted before it is settled, so that a stop can be timed
    x = factors(np.random.default_rng(22))
    game = bet({str(k): column for k, column in enumerate(np.log(x).T)})
    gains = x > 1.0
    stop = {
        "doubled": game.piles >= 2.0,
        "lost half": game.piles <= 0.5,
        "three gains": gains
        & np.roll(gains, 1, axis=0)
        & np.roll(gains, 2, axis=0)
        & (np.arange(BETS)[:, None] > 1),
        "as the day before": game.log_piles > np.roll(game.log_piles, 1, axis=0) + 0.2,
    }[rule]
    stopped = game.piles[first(stop), np.arange(GAMES)]
    assert stopped.mean() <= 1.0 + 3.0 * stopped.std() / math.sqrt(GAMES)


def test_a_pile_over_another_is_evidence_against_the_other():
    # red if: the ratio's e-value is against the wrong player: under b, a wins over b too often
    rng = np.random.default_rng(23)
    heads = rng.uniform(size=(200, 400)) < 0.4  # b is right
    of = {
        name: np.where(heads, math.log(q / 0.5), math.log((1 - q) / 0.5))
        for name, q in (("a", 0.5), ("b", 0.4))
    }
    games = [bet({name: j[:, k] for name, j in of.items()}) for k in range(400)]
    against_b = np.mean([game.evidence("a", "b").reached is not None for game in games])
    against_a = np.mean([game.evidence("b", "a").reached is not None for game in games])
    assert against_b <= ALPHA
    assert against_a > 0.5


def test_p_is_one_over_the_largest_pile_so_far():
    # red if: a lost pile takes its evidence back, or p exceeds 1
    evidence = bet([-1.0, 2.0, 3.0, -5.0], alpha=0.05).evidence()
    assert evidence.log_largest.tolist() == [0.0, 1.0, 4.0, 4.0]
    assert evidence.p_values == pytest.approx([1.0, math.exp(-1), math.exp(-4), math.exp(-4)])
    assert evidence.p_value == pytest.approx(math.exp(-4))
    assert (evidence.reached, evidence.reached_after) == (2, 3)
    assert bet([-1.0, 2.0]).evidence().reached is None


def test_evidence_counts_only_at_the_end_of_a_step():
    # red if: the order within a time decides whether 1/alpha was reached
    evidence = bet([4.0, -4.0, 3.5], time=[1, 1, 2]).evidence()
    assert evidence.log_largest.tolist() == [0.0, 3.5]
    assert (evidence.reached, evidence.reached_after) == (1, 3)


def test_exactly_1_over_alpha_is_enough():
    # red if: reaching is taken for passing
    assert bet([math.log(20.0)], alpha=0.05).evidence().reached == 0
