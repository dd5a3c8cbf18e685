"""The arithmetic and the pages of the benchmarks; the measuring itself takes minutes and is run by hand."""

import numpy as np
import pytest

sbc = pytest.importorskip("sbc", reason="the benchmarks are not in an installed package")
rare_truths = pytest.importorskip("rare_truths", reason="the benchmarks are not in an installed package")
speed_page = pytest.importorskip("speed_page", reason="the benchmarks are not in an installed package")


def test_the_rank_among_equals_is_random():
    # red if: a tie counts as below or as above, so that C, which has many ties, seems biased
    rng = np.random.default_rng(1)
    ranks = [sbc._rank(2.0, np.array([1.0, 2.0, 2.0, 3.0]), rng) for _ in range(3000)]
    assert np.bincount(ranks, minlength=5) == pytest.approx([0, 1000, 1000, 1000, 0], abs=130)


def test_uniform_ranks_pass_and_others_do_not():
    # red if: the bins are uneven, or an end is left out
    rng = np.random.default_rng(2)
    assert min(sbc.tests(rng.integers(0, sbc.RANKED + 1, 5000))) > 0.01
    assert max(sbc.tests(np.floor(100 * rng.beta(1.3, 1.0, 5000)).astype(int))) < 1e-6


def test_fits_of_another_sampler_are_not_mixed_in(tmp_path):
    # red if: a run that goes on keeps the ranks of a sampler that has changed since
    path = tmp_path / "fits.json"
    head = {"sampler": "a", "seed": 1}
    sbc.write(path, {"head": head, "fits": {"0": {}}, "seconds": 1.0})
    assert sbc.read(path, head)["fits"] == {"0": {}}
    assert sbc.read(path, {"sampler": "b", "seed": 1})["fits"] == {}


def test_the_page_of_calibration_names_every_quantity():
    # red if: a quantity is ranked and not shown
    rng = np.random.default_rng(3)
    fits = {
        str(k): {"worth": 300.0, "ranks": {name: int(rng.integers(100)) for name in sbc.NAMES}}
        for k in range(200)
    }
    page = sbc.page({"head": {"seed": 1}, "fits": fits, "seconds": 60.0}, "./do sbc")
    for words in sbc.NAMES.values():
        assert f"| {words} |" in page


@pytest.mark.parametrize("with_peer", [True, False])
def test_the_page_of_speed_has_the_worst_and_the_ratio(with_peer):
    # red if: the ratio is upside down, or the page needs the peer
    rates = {name: 1000.0 for name in speed_page.WORDS if name != "C"}
    means = dict.fromkeys(rates, 0.1)
    mine = {"rates": rates | {"m_S": 50.0}, "means": means, "microseconds": 30.0}
    peer = {"rates": dict.fromkeys(rates, 10.0), "means": means, "compile": 2.0, "versions": "x 1"}
    found = {
        "machine": "m",
        "versions": "v",
        "command": "c",
        "answers": {"first": 9.0, "later": [1.0, 2.0, 3.0], "import": 0.01},
        "fixed": mine,
        "unknown": mine | {"rates": mine["rates"] | {"C": 25.0}},
        "peer": peer if with_peer else None,
        "sizes": {100: {"fixed": 20.0, "unknown": 40.0}},
        "memory": 300.0,
    }
    page = speed_page.page(found)
    assert ("| **the worst** | 50 | 25 | 10 | 5.0 |" if with_peer else "| **the worst** | 50 | 25 |") in page
    assert "(here 2.0 times)" in page
    assert "| 100 | 20 | 200 | 40 | 400 |" in page


def test_the_truths_of_rare_events_have_the_J_they_are_said_to_have():
    # red if: what is drawn is of another recalibration than the integral, or a prior is of another rate
    rng = np.random.default_rng(4)
    n = 200_000
    for truth in rare_truths.truths():
        x, table, prior = truth.draw(n, rng)
        j = np.log(table[np.arange(n), x]) - np.log(prior[x])
        # what came true varies more than its expectation, which gives the error
        assert j.mean() == pytest.approx(truth.J, abs=4.5 * j.std() / np.sqrt(n)), truth.name
        assert np.bincount(x, minlength=prior.size) / n == pytest.approx(prior, abs=0.005)
