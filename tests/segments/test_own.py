"""Each group's own posterior: its seed, its part of the time, its troubles; with stand-in posteriors."""

import numpy as np
import pytest

from nepers.atoms import split
from nepers.cases import log_ratios
from nepers.diagnostics import INDEPENDENT, Diagnostics, Row
from nepers.errors import InputError
from nepers.options import read_options
from nepers.posterior import Posterior
from nepers.segments import own
from nepers.segments.groups import read_groups

BAD = Diagnostics((Row("J", 0.0, 1.0, 0.1, 1.2, 100.0, 100.0),))


class Posteriors:
    """Records what is asked for; groups of 5 cases are good only with at least so many seconds."""

    def __init__(self, wanted=0.0):
        self.calls, self.wanted = [], wanted

    def __call__(self, cases, options, progress):
        self.calls.append((cases.n, options))
        short = cases.n == 5 and options.max_seconds < self.wanted
        nats = np.random.default_rng(options.seed).standard_normal((4, 10))
        kinds = split(cases.values, 0.0)
        return Posterior(nats, kinds, None, BAD if short else INDEPENDENT, "budget" if short else "target")


def run(monkeypatch, posteriors, by, max_seconds=10.0):
    monkeypatch.setattr(own, "posterior_of", posteriors)
    monkeypatch.setattr(
        own, "_weighed", lambda groups, options, end: {}
    )  # it is the chains that are looked at
    groups = read_groups(log_ratios(np.linspace(0, 1, len(by))), by, (None, None, None))
    return own.own_posteriors(groups, read_options("paper", 1.0, 3, 4, 400.0, max_seconds, 1), False)


def test_a_seed_belongs_to_the_label():
    # red if: the seed depends on the other groups, or 1 and "1" share one, or the whole has not assess's own
    assert own.seed_of(3, "a") == own.seed_of(3, "a")
    assert len({own.seed_of(s, label) for s in (3, 4) for label in ("a", "b", 1, "1", 1.0)}) == 10
    assert own.seed_of(3, None) == 3


def test_small_groups_come_first_and_each_may_use_its_part_of_what_is_left(monkeypatch):
    # red if: a group may use up the time of all, or the time that others leave is lost
    posteriors = Posteriors()
    found = run(monkeypatch, posteriors, ["a"] * 5 + ["b"] * 100 + ["c"] * 2)
    assert [n for n, _ in posteriors.calls] == [2, 5, 100]
    assert [one.group.label for one in found] == ["a", "b", "c"]
    seconds = [options.max_seconds for _, options in posteriors.calls]
    np.testing.assert_allclose(seconds, [10 * 32 / 197, 10 * 35 / 165, 10.0], rtol=0.05)


def test_time_that_is_left_goes_to_those_that_need_it(monkeypatch):
    # red if: a group with too little time stays so while time is left
    posteriors = Posteriors(wanted=9.0)
    found = run(monkeypatch, posteriors, ["a"] * 5 + ["b"] * 100)
    assert [n for n, _ in posteriors.calls] == [5, 100, 5]
    assert not found[0].problems
    assert posteriors.calls[0][1].seed == posteriors.calls[2][1].seed


def test_a_group_that_had_too_little_is_named(monkeypatch):
    # red if: trouble in one group is silent, or is tried for ever
    posteriors = Posteriors(wanted=1e9)
    found = run(monkeypatch, posteriors, ["a"] * 5 + ["b"] * 100)
    assert len(posteriors.calls) < 6
    assert found[0].problems[0].startswith("Group 'a': The chains disagree on J")
    assert found[0].independent == 100.0
    assert found[1].independent == 40.0


def test_no_time_at_all_still_gives_every_group_its_posterior(monkeypatch):
    # red if: groups are skipped once the time is up
    assert len(run(monkeypatch, Posteriors(wanted=9.0), list("abc") * 5, max_seconds=1e-9)) == 3


def test_an_error_within_a_group_names_it(monkeypatch):
    # red if: the user is not told where the values are that the chains cannot hold
    def refuse(cases, options, progress):
        raise InputError("j must be smaller")

    with pytest.raises(InputError, match="group 'a': j must be smaller"):
        run(monkeypatch, refuse, ["a"])
