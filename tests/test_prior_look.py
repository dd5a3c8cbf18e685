"""The prior looked at, widened, and held against the cases."""

import numpy as np
import pytest

import nepers
from nepers.atoms import split
from nepers.cases import log_ratios
from nepers.hierarchy import paper, sample_prior
from nepers.hierarchy.prior import cases_of_each, prior_rows
from nepers.input_notes import input_notes
from nepers.options import read_options
from nepers.prior_check import conflict

ROWS = prior_rows(paper(), 4000, np.random.default_rng(1))


def test_the_means_and_the_cases_are_those_of_the_mixtures():
    # red if: a case takes a component of another draw, or the skewness is left out of J
    draws = sample_prior(paper(), 200, rng=np.random.default_rng(2))
    rows = prior_rows(paper(), 200, np.random.default_rng(2))
    assert rows.J().sum(axis=0) == pytest.approx([one.mixture.mean()[0] for one in draws], rel=1e-10)
    cases = cases_of_each(rows, 300, np.random.default_rng(3))
    # at each draw's own median half of its cases: 4.5 standard errors of 300, for 200 draws
    for one, own in zip(draws[:50], cases[:50], strict=True):
        below = (one.mixture.cdf(own) < 0.5).mean()
        assert below == pytest.approx(0.5, abs=4.5 * 0.5 / np.sqrt(300))


def test_the_look_has_the_known_size_of_the_papers_prior():
    # red if: the scale is applied twice or not at all. By 200,000 draws 2.57; of 10,000 it is off by 0.05
    low, high = nepers.look_at_prior("paper", seed=1).interval()
    assert (low, high) == pytest.approx((-2.57, 2.57), abs=0.2)
    threefold = nepers.look_at_prior("paper", scale=3.0, seed=1)
    assert threefold.interval() == pytest.approx((3.0 * low, 3.0 * high), rel=1e-9)
    assert threefold.in_bits().interval()[1] == pytest.approx(3.0 * high / np.log(2.0))
    assert threefold.to_dict()["scale"] == 3.0
    assert threefold.to_frame()["upper"][0] == pytest.approx(3.0 * high)
    assert "Before any case J is between" in str(threefold)


def test_the_band_is_of_densities():
    # red if: a density is not per unit of the report, or the mirror image is about the wrong place
    look = nepers.look_at_prior(draws=500, seed=2).in_bits()
    band = look.density(0.5)
    assert (band.lower <= band.median).all()
    assert (band.median <= band.upper).all()
    assert band.mean == pytest.approx(band.mean[::-1], rel=1e-9)
    # the grid holds 98% of the cases; the few hundred draws that have curves differ from all by a little
    assert np.trapezoid(band.mean, band.x) == pytest.approx(0.98, abs=0.03)
    axes = look.plot()
    assert axes.shape == (1, 2)
    assert "bits" in axes[0, 0].get_xlabel()


@pytest.mark.parametrize("size", [4.0, 10.0, 100.0])
def test_widened_hyperparameters_cover_the_size_and_keep_the_details(size):
    # red if: widths of components are widened too, or the rule is of one end alone
    wide = paper().widen(size)
    J = prior_rows(wide, 40_000, np.random.default_rng(4)).J().sum(axis=0)
    assert (np.abs(J) <= size).mean() == pytest.approx(0.95, abs=0.005)
    changed = {name for name, value in wide.to_dict().items() if value != paper().to_dict()[name]}
    assert changed == {"S_mu_mu", "R_R_S_mu"}


@pytest.mark.parametrize(
    ("hyperparameters", "size", "said"),
    [
        (paper(), 1.0, "size must be more than what the prior of J covers already"),
        (paper(), 0.0, "size must be above 0"),
        (paper(), float("nan"), "size must be finite"),
        (nepers.prostate([0.0, 0.0], np.eye(2)), 5.0, "widen is for log ratios"),
    ],
)
def test_a_size_that_widens_nothing_is_refused(hyperparameters, size, said):
    # red if: narrowing passes for widening
    with pytest.raises(nepers.InputError, match=said):
        hyperparameters.widen(size)


def test_data_from_the_prior_raise_no_alarm():
    # red if: a number is compared with samples of another size. At most 6 of 1000 expected, and 4 sd: 16
    samples = cases_of_each(ROWS, 60, np.random.default_rng(5))[:1000]
    alarms = sum(conflict(one, paper(), 1.0) is not None for one in samples)
    assert alarms <= 16
    long = cases_of_each(ROWS, 400, np.random.default_rng(6))[:200]
    assert sum(conflict(2.5 * one, paper(), 2.5) is not None for one in long) <= 6


@pytest.mark.parametrize(
    ("values", "remedied"),
    [
        (100.0 / np.log(2.0), True),  # percent of bits
        (1000.0, True),
        (1e-4, True),
    ],
)
def test_a_wrong_scale_raises_the_alarm_and_the_remedy_ends_it(values, remedied):
    # red if: the scale named is not one that fits
    j = values * np.random.default_rng(7).normal(0.1, 0.7, 200)
    said = conflict(j, paper(), 1.0)
    assert said is not None
    scale = float(said.split("scale=")[1].split(",")[0])
    assert (conflict(j, paper(), scale) is None) == remedied


def test_a_log10_density_against_a_natural_one_raises_the_alarm():
    # red if: the middle of the cases is not looked at. Log densities of -20 in one and -8.7 in the other base
    log_p = np.random.default_rng(8).normal(-20.0, 1.0, 100)
    log_q = (log_p + 0.1) / np.log(10.0)
    cases = log_ratios(log_q=log_q, log_p=log_p)
    options = read_options("paper", 1.0, 1, 4, 100.0, 1.0, 1)
    with pytest.warns(nepers.InputWarning, match="with both logs natural"):
        notes = input_notes(cases, split(cases.values, 0.0), options, log_p)
    assert "The prior did not expect" in notes[0]


def test_ordinary_data_raise_none():
    # red if: one bad case, or a tree's few values, alarm
    rng = np.random.default_rng(9)
    for j in (rng.normal(0.1, 0.5, 50), np.append(rng.normal(0.2, 0.3, 400), -7.0), rng.standard_t(2, 300)):
        assert conflict(j, paper(), 1.0) is None
    assert conflict(np.array([500.0, 600.0]), paper(), 1.0) is None
