"""From the cases to the answer, with the real chains."""

import os
import signal
import subprocess
import sys
import time
import warnings
from importlib.resources import files

import numpy as np
import pytest

import nepers


@pytest.fixture(scope="module")
def j():
    with (files("nepers") / "data" / "paper_like_j.csv").open(encoding="utf-8") as text:
        return np.loadtxt(text, skiprows=1)


@pytest.fixture(scope="module")
def answer(j):
    return nepers.assess(j, seed=1, hyperparameters="paper")


def test_the_papers_example(answer):
    # red if: any block of the sampler is wrong, or the chains stop before they have met.
    # A run of 80,000 draws gives 0.1057, and 0.042 to 0.163; the tolerance is that of a short run.
    lower, upper = answer.interval(0.95)
    assert answer.mean == pytest.approx(0.104, abs=0.003)
    assert lower == pytest.approx(0.038, abs=0.008)
    assert upper == pytest.approx(0.162, abs=0.006)
    assert answer.stopped == "target"
    assert answer.diagnostics.good()


def test_the_ends_of_the_interval_are_known_to_a_tenth_of_the_sd(answer):
    # red if: the rule for stopping lets go of J before its tails are known
    assert answer.diagnostics["J"].ess_bulk >= 1000
    assert answer.diagnostics["J"].ess_tail >= 400


def test_no_case_leaves_the_prior():
    # red if: no data are an error, or a sampler is run on them; 2.57 is of 200,000 draws from the prior
    none = nepers.assess([], seed=1, target_ess=40_000, hyperparameters="paper")
    assert none.interval(0.95) == pytest.approx((-2.57, 2.57), abs=0.12)


@pytest.mark.parametrize("cases", [[0.3], [0.3, -0.2]])
def test_few_cases_give_an_answer_near_them_and_within_the_prior(cases):
    # red if: a sum over components without cases divides by zero
    few = nepers.assess(cases, seed=1)
    lower, upper = few.interval(0.95)
    assert few.diagnostics.good()
    assert -3.3 < lower < np.mean(cases) < upper < 3.3


@pytest.mark.parametrize("unit", [1e-6, 1e3])
def test_another_unit_is_the_same_answer(j, answer, unit):
    # red if: a constant of the sampler has a unit. The streams agree, so only rounding can part the chains.
    scaled = nepers.assess(unit * j, scale=unit, seed=1, hyperparameters="paper")
    assert scaled.diagnostics.good()
    assert scaled.mean / unit == pytest.approx(answer.mean, abs=0.003)
    assert np.array(scaled.interval()) / unit == pytest.approx(answer.interval(), abs=0.009)


@pytest.mark.parametrize("unit", [1e-6, 1e3])
def test_values_far_from_the_scale_of_the_prior_give_an_answer(j, unit):
    # red if: far values overflow; short of time, it says that it is not to be relied on
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", nepers.ConvergenceWarning)
        with pytest.warns(nepers.InputWarning, match="The prior did not expect"):
            far = nepers.assess(unit * j, seed=1, max_seconds=3.0, hyperparameters="paper")
    lower, upper = far.interval()
    assert 0.0 < lower < unit * j.mean() < upper < 0.3 * unit


def test_one_value_far_away_is_a_case_like_any_other(j):
    # red if: a value at -10,000 among 400 stops the sampler
    values = j[:400].copy()
    values[0] = -1e4
    far = nepers.assess(values, seed=2, max_seconds=300.0)
    assert np.isfinite(far.J).all()
    assert far.diagnostics["J"].agrees


def test_two_values_are_a_proportion():
    # red if: repeated values go to the sampler; Beta(31, 13) has mean 31/44
    two = nepers.assess(np.repeat([0.4, -1.0], [30, 12]), seed=1)
    assert two.stopped == "independent"
    assert two.mean == pytest.approx((0.4 * 31 - 1.0 * 13) / 44, abs=0.005)


def test_equal_values_do_not_make_certain():
    # red if: twenty equal values give an interval of no width
    lower, upper = nepers.assess(np.full(20, 0.2), seed=1).interval()
    assert lower < 0.15
    assert upper > 0.2


def test_atoms_among_other_values(j):
    # red if: the remainder's draws are not weighed against the atom's
    mixed = nepers.assess(np.concatenate([j[:150], np.full(50, 0.5)]), seed=1)
    assert [(atom.value, atom.cases) for atom in mixed.atoms] == [(0.5, 50)]
    assert mixed.diagnostics.good()
    alone = nepers.assess(j[:150], seed=1)
    assert mixed.mean == pytest.approx(0.75 * alone.mean + 0.25 * 0.5, abs=0.01)


def test_an_infinite_case_is_minus_infinity(j):
    # red if: the case is dropped, and the rest are sampled
    found = nepers.assess([*j[:20], -np.inf], seed=1)
    assert (found.mean, found.infinite_cases) == (-np.inf, (20,))


def test_the_same_seed_is_the_same_answer_on_any_number_of_cores(j):
    # red if: chains share a stream, or the order in which they end is the order in which they are kept
    one, two = (nepers.assess(j[:50], seed=7, cores=cores) for cores in (1, 2))
    assert (one.J == two.J).all()
    assert (nepers.assess(j[:50], seed=8).J != one.J).any()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pseudo-terminals")
def test_long_work_shows_progress_and_stops_at_ctrl_c(tmp_path, j):
    # red if: nothing is shown on a terminal, or Ctrl-C waits for the budget or prints a traceback
    pty = pytest.importorskip("pty", reason="no pseudo-terminals here")
    path = tmp_path / "cases.csv"
    np.savetxt(path, 1e3 * j, header="j", comments="")  # a minute's work: far from the scale of the prior
    terminal, theirs = pty.openpty()
    call = [sys.executable, "-m", "nepers", "assess", str(path), "--max-seconds", "100", "--seed", "1"]
    with subprocess.Popen(
        call, stdout=subprocess.PIPE, stderr=theirs, env={**os.environ, "TERM": "xterm"}
    ) as run:
        os.close(theirs)
        shown = _read_until(terminal, b"sampling: J is worth", seconds=90.0)
        run.send_signal(signal.SIGINT)
        began = time.perf_counter()
        assert run.wait(timeout=60.0) == 130
        assert time.perf_counter() - began < 10.0
        shown += _read_until(terminal, None, seconds=5.0)
        assert run.stdout is not None
        assert run.stdout.read() == b""
    os.close(terminal)
    assert b"Traceback" not in shown
    assert shown.rstrip().endswith(b"nepers: interrupted")


def _read_until(terminal, words, seconds):
    """What is shown until the words are, or until the other side is closed."""
    shown, end = b"", time.perf_counter() + seconds
    while words is None or words not in shown:
        assert time.perf_counter() < end, shown
        try:
            part = os.read(terminal, 4096)
        except OSError:  # Linux says so when the other side is closed
            break
        if not part:
            break
        shown += part
    return shown
