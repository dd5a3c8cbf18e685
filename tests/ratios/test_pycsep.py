"""The information gain per earthquake of gridded forecasts (as pyCSEP's) is a mean of log ratios.

A gridded forecast is a rate lambda_i for each cell i; the number of events in a cell is Poisson, and
independent of the others. With N events, the event e in cell i_e, and N_A the sum of the rates of forecast A,
the gain of A over B is defined as

    IG = (1/N) sum_e (log lambda_A(i_e) - log lambda_B(i_e)) - (N_A - N_B) / N
"""

import numpy as np
import pytest
from scipy import stats

from nepers.ratios.parametric import log_parametric

RNG = np.random.default_rng(21)
CELLS = 400
RATES_A = RNG.gamma(0.5, 0.4, size=CELLS) + 1e-6
RATES_B = np.full(CELLS, 0.25) * RNG.uniform(0.5, 1.5, size=CELLS)
COUNTS = RNG.poisson(0.7 * RATES_A + 0.3 * RATES_B)
EVENTS = np.repeat(np.arange(CELLS), COUNTS)  # the cell of each event
N = EVENTS.size


def information_gain():
    """The definition, event by event."""
    total = 0.0
    for cell in EVENTS:
        total += np.log(RATES_A[cell]) - np.log(RATES_B[cell])
    return total / N - (RATES_A.sum() - RATES_B.sum()) / N


def test_cells_as_cases():
    # red if: the Poisson probabilities of the counts are not those of the forecast: log n! cancels in the
    # ratio, which leaves n (log lambda_A - log lambda_B) - (lambda_A - lambda_B) in each cell
    j = log_parametric(COUNTS, stats.poisson(RATES_A)) - log_parametric(COUNTS, stats.poisson(RATES_B))
    assert j.sum() / N == pytest.approx(information_gain(), rel=1e-12)


def test_events_as_cases_and_their_number_beside_them():
    # red if: where the events are and how many there are do not add up to the whole. Given N, each event
    # falls in cell i with probability lambda_i / N_A, and N is Poisson with mean N_A
    def where(rates):
        return log_parametric(EVENTS, stats.rv_discrete(values=(np.arange(CELLS), rates / rates.sum())))

    def how_many(rates):
        return log_parametric([N], stats.poisson(rates.sum())).item()

    j = where(RATES_A) - where(RATES_B)
    gain = j.mean() + (how_many(RATES_A) - how_many(RATES_B)) / N
    assert gain == pytest.approx(information_gain(), rel=1e-10)


def test_the_number_is_the_difference_of_totals():
    # red if: the term (N_A - N_B) / N is left out: it is what the log of the rates alone lacks
    rates = np.mean(np.log(RATES_A[EVENTS]) - np.log(RATES_B[EVENTS]))
    assert rates - information_gain() == pytest.approx((RATES_A.sum() - RATES_B.sum()) / N, rel=1e-10)
