"""Pictures of a game: piles as powers of ten however large, ruin, the line that is evidence, the interval."""

import math
import time

import numpy as np
import pytest
from display.looks import off_the_page, texts

import nepers
from nepers.display import canvas
from nepers.display.betting import confidence_data, piles_data, plot_confidence, plot_piles
from nepers.errors import InputError

RNG = np.random.default_rng(1)
J = {
    "good": RNG.choice([0.4, -0.45], 300, p=[0.65, 0.35]),
    "bad": RNG.choice([0.4, -0.45], 300, p=[0.45, 0.55]),
}
DOOMED = {**J, "doomed": np.where(np.arange(300) == 120, -np.inf, J["good"])}


def test_piles_are_powers_of_ten_from_a_stake_of_one():
    # red if: natural logs are taken for powers of ten, or the start is left out
    game = nepers.bet(J)
    shown = piles_data(game)
    assert [one.name for one in shown.piles] == ["good", "bad"]
    for one in shown.piles:
        path = game.log_piles[:, game.names.index(one.name)]
        assert (one.places[0], one.powers[0]) == (0.0, 0.0)
        np.testing.assert_allclose(10.0 ** one.powers[1:], np.exp(path), rtol=1e-9)
        assert one.places[1:].tolist() == list(range(1, 301))
    assert 10.0**shown.enough == pytest.approx(20.0)


def test_a_pile_is_marked_where_it_first_was_enough():
    # red if: the last time is marked, or a pile that never was enough
    game = nepers.bet(J, alpha=0.01)
    first = game.evidence("good").reached
    good, bad = piles_data(game).piles
    assert good.reached == (first + 1.0, game.log_piles[first, 0] / math.log(10.0))
    assert game.log_piles[:, 1].max() < math.log(100.0)
    assert bad.reached is None
    rings = [one for one in plot_piles(game).lines if one.get_markerfacecolor() == "white"]
    assert [(float(one.get_xdata()[0]), float(one.get_ydata()[0])) for one in rings] == [good.reached]


def test_a_ruined_player_falls_to_the_bottom_where_the_ruin_was():
    # red if: the path ends without a word, or goes on after the ruin
    shown = piles_data(nepers.bet(DOOMED))
    doomed = shown.piles[-1]
    assert (doomed.name, doomed.ruined, doomed.places[-1]) == ("doomed", 121.0, 120.0)
    assert np.isfinite(doomed.powers).all()
    ax = plot_piles(nepers.bet(DOOMED))
    assert "ruined" in texts(ax)
    cross = next(one for one in ax.lines if one.get_marker() == "X")
    assert (float(cross.get_xdata()[0]), float(cross.get_ydata()[0])) == (121.0, ax.get_ylim()[0])
    assert off_the_page(ax) == []


@pytest.mark.parametrize("times", [None, [3.5] * 3])
@pytest.mark.parametrize("j", [[0.3, -0.1, 0.2], [-np.inf, 0.1, 0.2]])
def test_a_single_step_and_ruin_at_the_first_bet_are_pictures(times, j):
    # red if: a line of one point is invisible, or an empty one breaks the limits
    ax = plot_piles(nepers.bet(j, time=times))
    shown = [one for one in ax.lines if one.get_label() == "prediction"]
    assert len(shown[0].get_xdata()) > 1 or shown[0].get_marker() != "" or np.isneginf(j[0])
    assert all(math.isfinite(end) for end in ax.get_ylim())
    assert off_the_page(ax) == []


def test_piles_that_no_float_holds_are_drawn():
    # red if: the pile itself is taken, which overflows at e^709
    game = nepers.bet({"up": np.full(5000, 0.9), "down": np.full(5000, -0.9)})
    ax = plot_piles(game)
    up, down = piles_data(game).piles
    assert (up.powers[-1], down.powers[-1]) == pytest.approx((4500 / math.log(10), -4500 / math.log(10)))
    assert "$10^{1000}$" in texts(ax)
    low, high = ax.get_ylim()
    assert low < down.powers[-1] < up.powers[-1] < high


def test_the_line_of_evidence_is_drawn_and_named():
    # red if: it is at alpha, or its name is rounded
    ax = plot_piles(nepers.bet(J, alpha=0.01))
    line = next(one for one in ax.lines if one.get_label() == "1/alpha = 100")
    assert line.get_ydata()[0] == pytest.approx(2.0)
    assert ax.get_ylim()[1] > 2.0


def test_of_many_players_the_seven_largest_are_drawn_and_the_others_counted():
    # red if: the first seven are drawn
    rng = np.random.default_rng(0)
    game = nepers.bet(
        {f"a player of some renown, number {i}": rng.choice([0.4, -0.4], 60) for i in range(12)}
    )
    shown = piles_data(game)
    ends = [one.powers[-1] for one in shown.piles]
    assert ends == sorted(np.sort(game.log_piles[-1])[-7:] / math.log(10.0), reverse=True)
    ax = plot_piles(game)
    assert "and 5 smaller" in texts(ax)
    assert off_the_page(ax) == []


def test_a_million_bets_are_drawn_fast_and_say_what_is_left_out():
    # red if: every step is drawn
    j = np.random.default_rng(0).normal(0.0, 0.5, 10**6)
    j[123_456] = -40.0
    game = nepers.bet(j)
    path = game.log_piles[:, 0] / math.log(10.0)
    start = time.perf_counter()
    ax = plot_piles(game)
    ax.figure.draw_without_rendering()
    assert time.perf_counter() - start < 2.0
    drawn = piles_data(game).piles[0]
    assert drawn.places.size <= 2001
    assert (drawn.powers.min(), drawn.powers.max()) == (min(path.min(), 0.0), max(path.max(), 0.0))
    assert any("1,000,000 steps" in text for text in texts(ax))


def test_the_interval_and_the_mean_so_far():
    # red if: the mean is of all cases at each step, or both ends are swapped
    game = nepers.bet(J, bounds=(-1.0, 1.0))
    shown, sequence = confidence_data(game, "bad"), game.confidence_sequence("bad")
    assert shown.lower.tolist() == sequence.lower.tolist()
    assert shown.upper.tolist() == sequence.upper.tolist()
    np.testing.assert_allclose(shown.mean, [J["bad"][: t + 1].mean() for t in range(300)], atol=1e-14)
    assert (shown.quantity, shown.level, shown.steps) == ("J", 0.95, 300)
    ax = plot_confidence(game, "bad")
    assert ax.get_ylabel() == "J (nats)"
    assert "bad" in texts(ax)
    assert "95%, at all times at once" in texts(ax)


def test_cases_of_one_time_are_one_step():
    # red if: the mean is taken over steps where it is over bets
    game = nepers.bet([0.1, 0.3, -0.2, 0.6], time=[1, 1, 2, 2], bounds=(-1, 1))
    assert confidence_data(game).mean == pytest.approx([0.2, 0.2])
    assert confidence_data(game).places.tolist() == [1.0, 2.0]


def test_clipped_is_said_and_the_mean_is_of_clipped_j():
    # red if: the picture calls it J, or a ruin makes the mean -inf
    game = nepers.bet([0.5, -np.inf, 3.0, 0.1], clip=(-1.0, 1.0))
    shown = confidence_data(game)
    np.testing.assert_allclose(shown.mean, np.cumsum([0.5, -1.0, 1.0, 0.1]) / [1, 2, 3, 4])
    ax = plot_confidence(game)
    assert ax.get_ylabel() == "Clipped J (nats)"
    assert any("outside −1 to 1 counts as the nearer end: 2 did" in text for text in texts(ax))
    assert off_the_page(ax) == []


def test_the_view_leaves_out_the_first_steps_and_keeps_zero():
    # red if: the bounds, where the interval begins, flatten all that comes after
    game = nepers.bet(np.random.default_rng(0).choice([0.9, 0.5], 20_000), bounds=(-5.0, 5.0))
    low, high = plot_confidence(game).get_ylim()
    assert low < 0.0 < 0.7 < high < 2.0


def test_of_many_steps_the_extremes_of_all_three_paths_are_kept():
    # red if: the ends of the interval are thinned by the mean alone
    game = nepers.bet(np.random.default_rng(0).normal(0.0, 0.3, 50_000), clip=(-1, 1))
    shown, sequence = confidence_data(game), game.confidence_sequence()
    assert shown.places.size <= 2000
    assert shown.lower.max() == sequence.lower.max()
    assert shown.upper.min() == sequence.upper.min()
    assert (shown.lower[-1], shown.upper[-1]) == sequence.now
    assert any("50,000 steps" in text for text in texts(plot_confidence(game)))


def test_a_single_step_has_its_interval_as_a_bar():
    # red if: nothing is seen of it
    ax = plot_confidence(nepers.bet([0.3], bounds=(-1, 1)))
    bar = ax.collections[-1].get_segments()[0]
    assert bar[:, 0].tolist() == [1.0, 1.0]
    assert bar[0, 1] < 0.3 < bar[1, 1]


def test_without_bounds_there_is_no_interval_to_draw():
    # red if: an empty picture is drawn
    with pytest.raises(InputError, match=r"^bounds or clip must be given to bet"):
        plot_confidence(nepers.bet(J), "good")
    with pytest.raises(InputError, match=r"^the player must be one of 'good', 'bad'; it is None$"):
        plot_confidence(nepers.bet(J, clip=(-1, 1)))


def test_each_player_has_an_ink_of_its_own():
    # red if: two paths look alike on a grey printer
    ax = plot_piles(nepers.bet(DOOMED))
    looks = {(one.get_color(), one.get_linestyle()) for one in ax.lines if one.get_label() in DOOMED}
    assert len(looks) == 3
    assert canvas.ink(0).colour in {colour for colour, _ in looks}
