"""What the pictures of an assessment show, without drawing: against closed forms and plain counts."""

import dataclasses
import math

import numpy as np
import pytest
from fake_results import assessment, long_tailed, student_draws
from scipy import stats
from scipy.integrate import trapezoid

import nepers
from nepers.display.chains import chains_data, ranks_data
from nepers.display.densities import densities_data, spread_draws
from nepers.display.histogram import histogram_data
from nepers.display.posterior import posterior_data
from nepers.display.predictive import predictive_data
from nepers.display.prior import prior_data, prior_J
from nepers.display.quantiles import quantiles_data
from nepers.display.tail import tail_data
from nepers.errors import InputError

J = long_tailed(300)
A = assessment(J)
MIXED = assessment(np.concatenate([J, [0.3] * 60, [-0.9] * 15]))
TWO = nepers.assess([0.5] * 60 + [-1.0] * 40, seed=1)


@pytest.mark.parametrize("a", [A, MIXED, TWO, A.in_bits()], ids=["plain", "mixed", "two", "bits"])
def test_the_histogram_counts_every_case_once(a):
    # red if: a case on an edge is lost, an atom is in a bar too, or the unit is not that of the axis
    shown = histogram_data(a)
    assert shown.beyond is None
    assert shown.counts.sum() + shown.atom_counts.sum() == a.n
    assert shown.negative == pytest.approx(_share_below_0(a))
    for k, count in enumerate(shown.counts):
        lower, upper = shown.edges[k], shown.edges[k + 1]
        assert (
            count
            == ((a.kinds.remainder * a._factor >= lower) & (a.kinds.remainder * a._factor < upper)).sum()
        )


def _share_below_0(a):
    k = a.kinds
    return ((k.remainder < 0).sum() + k.atom_counts[k.atom_values < 0].sum()) / a.n


def test_misleading_bars_hold_misleading_cases_alone():
    # red if: a bar lies on both sides of zero, and good cases are marked with the tail
    shown = histogram_data(A)
    bad = shown.edges[:-1] < 0.0
    assert shown.counts[bad].sum() == (J < 0.0).sum()
    assert np.isclose(shown.edges, 0.0).any()


def test_the_costliest_case_is_named_where_it_stands():
    # red if: a name is written over another case, or one beyond the picture is named
    shown = histogram_data(A)
    assert (shown.named[0].label, shown.named[0].j) == ("row 100", -6.5)
    assert shown.named[0].height == 1.0
    bits = histogram_data(A.in_bits())
    assert bits.named[0].j == pytest.approx(-6.5 / math.log(2.0))


def test_draws_are_spread_by_their_J_and_are_whole_distributions():
    # red if: draws are taken in the order of drawing, or a curve is of another draw
    shown = densities_data(A, 5)
    assert [c.J for c in shown.curves] == pytest.approx(np.quantile(A.J, [0.1, 0.3, 0.5, 0.7, 0.9]), abs=1e-3)
    for draw, curve in zip(spread_draws(A, 5), shown.curves, strict=True):
        np.testing.assert_allclose(curve.density, A.density(draw).pdf(shown.grid))
        assert A.density(draw).mean() == pytest.approx(curve.J)
        # the window leaves out what lies beyond the cases
        assert trapezoid(curve.density, shown.grid) == pytest.approx(1.0, abs=0.01)


def test_the_bars_behind_a_density_are_shares():
    # red if: heights are counts, or are of the unrepeated cases while the curve is of all
    for a in (A, MIXED, MIXED.in_bits()):
        bars = predictive_data(a).bars
        assert (bars.heights * np.diff(bars.edges)).sum() == pytest.approx(a.kinds.remainder.size / a.n)


@pytest.mark.parametrize("draws", [0, 8])
def test_only_as_many_draws_as_can_be_told_apart(draws):
    # red if: colours come twice
    with pytest.raises(InputError, match="draws must be from 1 to 7"):
        densities_data(A, draws)


def test_the_posterior_curve_is_the_share_of_draws():
    # red if: the curve is turned round, or the quantiles are those of another level
    shown = posterior_data(A)
    for x, p in zip(shown.x[::50], shown.probability[::50], strict=True):
        assert (x + 1e-12 >= A.J).mean() == pytest.approx(p, abs=2e-3)
    assert shown.quantiles.tolist() == pytest.approx(np.quantile(A.J, [0.025, 0.5, 0.975]))
    assert shown.at_mean == (A.mean >= A.J).mean()
    assert shown.at_zero == (A.J <= 0.0).mean()
    assert shown.above_zero == "P(J > 0) > 0.997"  # the rule of three: 1,000 draws, of which all agree


def test_the_predictive_density_is_the_mean_of_the_draws():
    # red if: it is one draw's, or the atoms' probability is not taken off
    small = student_draws(chains=2, draws=20, sd=0.3)
    for a in (assessment(J, small), assessment(np.append(J, [0.3] * 100), small)):
        shown = predictive_data(a)
        mean = np.mean([small.mixture(*divmod(k, 20)).pdf(shown.grid) for k in range(40)], axis=0)
        share = 1.0 if not a.atoms else 301.0 / 402.0
        np.testing.assert_allclose(shown.density, share * mean, atol=2e-3)


def test_the_tail_is_the_model_against_the_cases():
    # red if: shares are of cases above, the median is another, or the band is of the draws' means
    small = student_draws(chains=2, draws=50)
    a = assessment(J, small)
    shown = tail_data(a)
    for x, share in zip(shown.case_x, shown.case_share, strict=True):
        assert share == (x >= J).mean()
    assert shown.case_x[0] == J.min()
    assert 0.45 < shown.case_share[-1] <= 0.5 + 1 / 300
    each = np.array([small.mixture(*divmod(k, 50)).cdf(shown.x) for k in range(100)])
    np.testing.assert_allclose(shown.predictive, each.mean(axis=0), rtol=0.01, atol=1e-9)
    np.testing.assert_allclose(shown.lower, np.quantile(each, 0.025, axis=0), rtol=0.01, atol=1e-9)
    np.testing.assert_allclose(shown.upper, np.quantile(each, 0.975, axis=0), rtol=0.01, atol=1e-9)


@pytest.mark.parametrize("n", [1, 10, 300, 5000])
def test_the_tail_goes_down_to_a_tenth_of_a_case(n):
    # red if: the picture ends above the lowest case, or far below all that is known
    floor = tail_data(assessment(long_tailed(n) if n > 1 else [0.3], student_draws(chains=1, draws=10))).floor
    assert floor == min(0.1 / n, 0.01)
    assert 0.1 < tail_data(TWO).floor < 0.3  # nothing is below the lowest of two values


def test_quantiles_against_the_distribution_that_all_draws_agree_on():
    # red if: ranks are set against (i - 1)/n or i/n, or the band is of the mean of the cases
    m, scale = 4.0, 0.5 * math.sqrt(3.0 / 4.0)
    law = stats.t(2.0 * m, 0.1, scale)
    shown = quantiles_data(assessment(J, student_draws(sd=0.0)))
    ranks, n = shown.ranks, J.size
    # between the points of the grid a quantile is off by some tenths of a case, either way
    off = n * law.cdf(shown.predictive) - (ranks - 0.5)
    assert np.abs(off).max() < 0.6
    assert abs(off.mean()) < 0.1
    np.testing.assert_array_equal(shown.cases, np.sort(J)[ranks.astype(int) - 1])
    for ends, level in ((shown.lower, 0.025), (shown.upper, 0.975)):
        exact = stats.beta(ranks, n + 1 - ranks).ppf(level)
        # 2,000 tries: a probability of 0.025 is off by 0.0035 at most times; five of these
        off = stats.beta(ranks, n + 1 - ranks).cdf(law.cdf(ends)) - level
        assert np.abs(off).max() < 0.0175, exact


def test_cases_of_the_model_lie_in_the_band_nineteen_times_in_twenty():
    # red if: the band is too wide or too narrow by a factor of 1.3
    law, inside = stats.t(8.0, 0.1, 0.5 * math.sqrt(0.75)), []
    for seed in range(8):
        j = law.rvs(200, random_state=seed)
        shown = quantiles_data(assessment(j, student_draws(chains=2, draws=50, sd=0.0)))
        inside.append(((shown.cases >= shown.lower) & (shown.cases <= shown.upper)).mean())
    # neighbours go together: some ten independent ones in each of 8 samples
    assert 0.87 < np.mean(inside) < 0.995


def test_two_values_are_uniform_before_the_cases():
    # red if: the Dirichlet prior is another, or weights are given to the wrong values
    law = stats.uniform(-1.0, 1.5)
    assert stats.kstest(prior_J(TWO), law.cdf).pvalue > 1e-3
    assert stats.kstest(prior_J(TWO.in_bits()) * math.log(2.0), law.cdf).pvalue > 1e-3


def test_the_prior_of_the_hierarchy_has_its_known_interval():
    # red if: it is that of other hyperparameters, of another scale, or given the data
    for scale, unit in ((1.0, A), (2.0, dataclasses.replace(A, scale=2.0))):
        low, high = prior_data(unit).prior_interval
        # 2.57 from 200,000 draws; a quantile of 4,000 is off by 0.07
        assert (low / scale, high / scale) == pytest.approx((-2.57, 2.57), abs=0.3)


def test_each_density_of_J_is_over_its_greatest_value():
    # red if: the two cannot be seen side by side, or the posterior is in nats where the axis is in bits
    for a in (A, A.in_bits()):
        shown = prior_data(a)
        assert shown.prior.max() == shown.posterior.max() == 1.0
        assert shown.posterior_interval == a.interval()
        middle = shown.posterior_x[np.argmax(shown.posterior)]
        assert middle == pytest.approx(a.mean, abs=a.sd)


def test_ranks_are_shared_out_evenly_among_all_draws():
    # red if: ranks are within a chain, a bin is short, or equal values fill the bins from one side
    for one in ranks_data(A):
        chains, bins = one.counts.shape
        assert (chains, bins) == (4, 20)
        assert one.counts.sum(axis=0).tolist() == [50] * 20
        assert one.counts.sum(axis=1).tolist() == [250] * 4
        # C is 1 in every draw: its ranks are spread by chance
        assert stats.chisquare(one.counts.ravel()).pvalue > 1e-4


def test_a_chain_above_the_others_has_the_last_ranks():
    # red if: a chain that sits elsewhere cannot be seen
    draws = student_draws()
    draws.J[2] += 10.0
    counts = ranks_data(assessment(J, draws))[0].counts
    assert counts[2, :15].sum() == 0
    assert counts[2, 15:].sum() == 250


def test_what_is_drawn_of_the_chains_is_in_the_unit():
    # red if: the trace is in nats under a title that says bits
    J_nats, C, _ = chains_data(A)
    J_bits = chains_data(A.in_bits())[0]
    np.testing.assert_allclose(J_bits.values * math.log(2.0), J_nats.values)
    assert (J_nats.title, J_bits.title) == ("J (nats)", "J (bits)")
    assert chains_data(MIXED)[0].title == "J of the continuous part (nats)"
    assert C.known == "the same in every draw"
    assert chains_data(TWO) == ()
