"""Pictures of a betting game: the piles with the line that is evidence, and the narrowing interval for J."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from nepers.display import canvas, labels, paths

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from nepers.betting import Game
    from nepers.display.paths import Clock

Array = NDArray[np.float64]

_PLAYERS = 7
_LETTERS = 18  # of a name, where there are two columns of them
_TENFOLD = math.log(10.0)


@dataclass(frozen=True, eq=False)
class Pile:
    """One player's pile as powers of ten at places in time, as far as it is above zero.

    ``reached`` is where it first was 1/alpha, ``ruined`` the place at which it became zero; None if never.
    """

    name: str
    places: Array
    powers: Array
    reached: tuple[float, float] | None
    ruined: float | None


@dataclass(frozen=True, eq=False)
class Piles:
    """The piles, the largest at the end first; ``enough`` is the power of ten that is 1/alpha."""

    piles: tuple[Pile, ...]
    more: int
    enough: float
    alpha: float
    steps: int
    when: Clock

    @property
    def view(self) -> tuple[float, float]:
        """The powers of ten that the picture is about."""
        found = [x for one in self.piles for x in (one.powers.min(initial=0.0), one.powers.max(initial=0.0))]
        low, high = min(found), max(*found, self.enough)
        margin = 0.06 * (high - low)
        room = 2.0 if any(one.ruined is not None for one in self.piles) else 1.0
        return low - room * margin, high + margin


def piles_data(game: Game) -> Piles:
    """What `plot_piles` shows."""
    order = np.argsort(-game.log_piles[-1], kind="stable")
    when = paths.clock(game)
    return Piles(
        piles=tuple(_pile(game, int(number), when) for number in order[:_PLAYERS]),
        more=max(order.size - _PLAYERS, 0),
        enough=-math.log10(game.alpha),
        alpha=game.alpha,
        steps=int(game.settled.size),
        when=when,
    )


def plot_piles(game: Game, ax: Axes | None = None) -> Axes:
    """What a stake of 1 became, on a logarithmic scale, with the pile of 1/alpha that is evidence.

    A ring marks where a pile first reached it, a cross where a player was ruined. Of more than 2,000 steps
    the lowest and highest of many stretches are drawn.
    """
    shown = piles_data(game)
    with canvas.on(ax, height=canvas.HEIGHT + 0.07 * len(shown.piles)) as ax:
        ax.set_ylim(*shown.view)
        ax.axhline(0.0, color=canvas.GUIDE, linewidth=0.5)
        names = labels.names([one.name for one in shown.piles], _LETTERS)
        for number, (one, name) in enumerate(zip(shown.piles, names, strict=True)):
            _draw_pile(ax, one, number, name)
        enough = f"1/alpha = {1.0 / shown.alpha:g}"
        ax.axhline(shown.enough, color=canvas.GUIDE, linewidth=0.8, linestyle="--", label=enough)
        shown.when.label_axis(ax)
        ax.set_yticks(*paths.power_ticks(*shown.view))
        ax.set_ylabel("Pile from a stake of 1")
        if shown.more:
            ax.plot([], [], " ", label=f"and {shown.more:,} smaller")
        labels.key(ax, columns=min(len(shown.piles), 2))
        if shown.steps > paths.MOST:
            labels.note(ax, paths.thinned_in_words(shown.steps))
    return ax


@dataclass(frozen=True, eq=False)
class Confidence:
    """The running mean of j in time and both ends of the interval that holds at all times at once, in nats.

    ``quantity`` is what the interval is for: "J", or "clipped J", which is another number. ``named`` says
    whether there are several players, to be told apart.
    """

    name: str
    named: bool
    quantity: str
    level: float
    clipped: int
    limits: tuple[float, float]
    places: Array
    mean: Array
    lower: Array
    upper: Array
    steps: int
    when: Clock

    @property
    def view(self) -> tuple[float, float]:
        """The range to show: 0, the mean, and the interval but for its first steps, when it says nothing."""
        late = slice(self.places.size // 20, None)
        ends = [self.lower[late].min(), self.upper[late].max(), self.mean[late].min(), self.mean[late].max()]
        low, high = min(0.0, *ends), max(0.0, *ends)
        margin = 0.05 * (high - low)
        return low - margin, high + margin


def confidence_data(game: Game, name: str | None = None) -> Confidence:
    """What `plot_confidence` shows; the game must have bounds or clip."""
    sequence = game.confidence_sequence(name)
    j = np.clip(game.j[:, game.names.index(sequence.name)], *sequence.limits)
    mean = np.cumsum(j)[game.settled - 1] / game.settled
    kept = paths.to_draw(np.column_stack([mean, sequence.lower, sequence.upper]))
    when = paths.clock(game)
    return Confidence(
        name=sequence.name,
        named=len(game.names) > 1,
        quantity=sequence.quantity,
        level=1.0 - sequence.alpha,
        clipped=sequence.clipped,
        limits=sequence.limits,
        places=when.places[kept],
        mean=mean[kept],
        lower=sequence.lower[kept],
        upper=sequence.upper[kept],
        steps=int(game.settled.size),
        when=when,
    )


def plot_confidence(game: Game, name: str | None = None, ax: Axes | None = None) -> Axes:
    """The mean of j so far, and the interval for J that may be looked at after every bet.

    For a game with clip both are of clipped j, and the axis says so. Of more than 2,000 steps the lowest and
    highest of many stretches are drawn.
    """
    shown = confidence_data(game, name)
    with canvas.on(ax) as ax:
        _draw_band(ax, shown)
        ax.axhline(0.0, color=canvas.GUIDE, linewidth=0.8, linestyle="--", zorder=1)
        ax.set_ylim(*shown.view)
        shown.when.label_axis(ax)
        ax.set_ylabel(labels.with_unit(f"{shown.quantity[0].upper()}{shown.quantity[1:]}", "nats"))
        labels.key(ax, shown.name if shown.named else None)
        if said := _small_print(shown):
            labels.note(ax, said)
    return ax


def _pile(game: Game, number: int, when: Clock) -> Pile:
    name, path = game.names[number], game.log_piles[:, number]
    finite = np.isfinite(path)
    kept = paths.to_draw(path[finite, None])
    places, powers = when.places[finite][kept], path[finite][kept] / _TENFOLD
    if game.times is None:  # before the first bet
        places, powers = np.append(0.0, places), np.append(0.0, powers)
    step = game.evidence(name).reached
    reached = None if step is None else (float(when.places[step]), float(path[step]) / _TENFOLD)
    ruined = None if finite.all() else float(when.places[int(np.argmin(finite))])
    return Pile(name, places, powers, reached, ruined)


def _draw_pile(ax: Axes, one: Pile, number: int, name: str) -> None:
    style, bottom = canvas.line(number), ax.get_ylim()[0]
    marker = canvas.ink(number).marker if one.places.size == 1 else ""
    ax.plot(one.places, one.powers, label=name, drawstyle="steps-post", marker=marker, **style)
    if one.reached is not None:
        ax.plot(*one.reached, "o", markerfacecolor="white", markersize=5.0, color=style["color"], zorder=4)
    if one.ruined is not None:
        last = (one.places[-1], one.powers[-1]) if one.places.size else (one.ruined, 0.0)
        fall = {"linewidth": 0.8, "linestyle": ":", "color": style["color"]}
        ax.plot([last[0], one.ruined, one.ruined], [last[1], last[1], bottom], **fall)
        ax.plot([one.ruined], [bottom], "X", color=canvas.BAD, markersize=6.0, clip_on=False, zorder=5)
        ax.annotate(
            "ruined",
            (one.ruined, bottom),
            xytext=(-5, 4),
            textcoords="offset points",
            ha="right",
            fontsize=6.5,
        )


def _draw_band(ax: Axes, shown: Confidence) -> None:
    level = f"{100.0 * shown.level:g}%, at all times at once"
    inside: dict[str, Any] = {"color": canvas.MODEL, "alpha": 0.25, "linewidth": 0.0}
    ax.fill_between(shown.places, shown.lower, shown.upper, step="post", label=level, **inside)
    for end in (shown.lower, shown.upper):
        ax.step(shown.places, end, where="post", color=canvas.MODEL, linewidth=0.7)
    ax.step(shown.places, shown.mean, where="post", color="black", linewidth=1.1, label="mean so far")
    if shown.places.size == 1:  # a step is a line only if another follows
        ax.vlines(shown.places, shown.lower, shown.upper, color=canvas.MODEL, linewidth=0.9)
        ax.plot(shown.places, shown.mean, "o", color="black")
        ax.set_xlim(shown.places[0] - 0.5, shown.places[0] + 0.5)


def _small_print(shown: Confidence) -> str:
    said = []
    if shown.quantity == "clipped J":
        low, high = (labels.number(end) for end in shown.limits)
        said.append(f"j outside {low} to {high} counts as the nearer end: {shown.clipped:,} did.")
    if shown.steps > paths.MOST:
        said.append(paths.thinned_in_words(shown.steps))
    return "\n".join(said)
