"""What a survival curve on a grid says between its times, and beyond the last of them.

A grid says how much probability lies between two neighbouring times and not where. The density there is a
choice, and what it is worth is part of what the prediction is worth; so it is made by name. With H = -log S:

    density="step"        S falls at the grid times and is flat between: the density is zero everywhere else
    density="linear"      S is straight in t between grid times: the density is constant there
    density="log_linear"  log S is straight in t: the hazard is constant there (S must stay above 0)
    density="smooth"      log H is a monotone cubic (PCHIP) in log t, and straight before the first time, with
                          the slope from the first time to the second (0 < S < 1 at every time)

A curve that is flat between two neighbouring times has density zero there under all of them, so a step
function with many steps, as forests and Cox models give, is first read at a few times, for example at
quantiles of the *training* event times: ``Curves.of(prediction).at(quantiles)``.

Beyond the last time t_k the probability S(t_k) is left over. Where it is, is said by name too:

    tail="refuse"       nothing is said: a case that needs it is an error, and the others do not need it
    tail="exponential"  the hazard is constant at its mean so far, H(t_k)/t_k
    tail="weibull"      log H is straight in log t, with the slope from the last time but one to the last
    tail="plateau"      the event never comes to those left over: S(t) = S(t_k), the density is zero
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from nepers.errors import InputError
from nepers.ratios import shapes
from nepers.ratios.curves import Curves
from nepers.ratios.distributions import between
from nepers.rows import name_rows

Array = NDArray[np.float64]
Mask = NDArray[np.bool_]
Rows = NDArray[np.intp]
Density = Literal["step", "linear", "log_linear", "smooth"]
Tail = Literal["refuse", "exponential", "weibull", "plateau"]
DENSITIES = ("step", "linear", "log_linear", "smooth")
TAILS = ("refuse", "exponential", "weibull", "plateau")


@dataclass(frozen=True, eq=False)
class Interpolated:
    """Curves as the distributions of ``size`` cases, called ``labels``; one curve may serve them all."""

    grid: Array
    survival: Array
    density: str
    tail: str
    size: int
    labels: NDArray[Any] | None

    @classmethod
    def of(
        cls, curves: Curves, density: str, tail: str, size: int, labels: NDArray[Any] | None
    ) -> Interpolated:
        """The curves with S(0) = 1 put before them where the grid starts later."""
        grid, survival = curves.times, np.atleast_2d(curves.survival)
        if grid[0] > 0.0:
            grid = np.concatenate([[0.0], grid])
            survival = np.concatenate([np.ones((survival.shape[0], 1)), survival], axis=1)
        made = cls(grid, survival, density, tail, size, labels)
        if density == "log_linear":
            made._refuse_cells(survival == 0.0, "be above 0 at every time")
        if density == "smooth":
            made._refuse_what_is_not_smooth()
        return made

    def log_density(self, rows: Rows, t: Array) -> Array:
        """The log density of case ``rows[i]`` at time ``t[i]``."""
        found = self._evaluate(rows, t)[0]
        falls = np.isnan(found)
        if falls.any():
            raise InputError(
                "times must not be where a step function falls: there it has a probability and the prior a "
                f"density, which have no ratio; {t[falls][0]:g} in {self._name(rows[falls])}: choose another "
                "density"
            )
        return found

    def log_survival(self, rows: Rows, t: Array) -> Array:
        """log P(T > t[i]) in case ``rows[i]``."""
        return self._evaluate(rows, t)[1]

    def log_between(self, rows: Rows, lower: Array, upper: Array) -> Array:
        """log P(lower[i] < T <= upper[i]) in case ``rows[i]``; a lower end of 0 includes T = 0."""
        return between(self.log_survival, rows, lower, upper)

    def _evaluate(self, rows: Rows, t: Array) -> shapes.Pair:
        found = np.empty((2, t.size))
        within = t <= self.grid[-1]
        curve = rows if self.survival.shape[0] == self.size else np.zeros_like(rows)
        with np.errstate(divide="ignore"):  # the log of zero
            shape = getattr(shapes, self.density)
            found[:, within] = shape(self.grid, self.survival, curve[within], t[within])
            if not within.all():
                found[:, ~within] = self._beyond(rows[~within], curve[~within], t[~within])
        return found[0], found[1]

    def _beyond(self, rows: Rows, curve: Rows, t: Array) -> shapes.Pair:
        left = self.survival[curve, -1]
        if self.tail == "refuse":
            self._refuse_beyond(rows, left)
        if self.tail in ("refuse", "plateau"):
            return np.full(t.size, -np.inf), np.log(left)
        self._refuse_tail(rows, left == 1.0, "has not fallen by its last time")
        power = np.ones(t.size)
        if self.tail == "weibull":
            power = shapes.last_power(self.grid, self.survival, curve)
            lacking = ~(power > 0.0) & (left > 0.0)
            self._refuse_tail(rows, lacking, "does not fall both before and after its last time but one")
        return shapes.beyond(self.grid[-1], left, power, t)

    def _refuse_beyond(self, rows: Rows, left: Array) -> None:
        if (left > 0.0).any():
            raise InputError(
                f"times must be within the curves, which end at {self.grid[-1]:g} with up to "
                f"{left.max():.3g} left over; for {self._name(rows[left > 0.0])}, which are beyond, say "
                "where it is by tail='exponential', 'weibull' or 'plateau'"
            )

    def _refuse_tail(self, rows: Rows, wrong: Mask, what: str) -> None:
        if wrong.any():
            raise InputError(
                f"prediction must have a hazard that tail={self.tail!r} can go on with; the curve {what} in "
                f"{self._name(rows[wrong])}"
            )

    def _refuse_what_is_not_smooth(self) -> None:
        if self.grid.size < 3:
            raise InputError("prediction must have at least two times above 0 for density='smooth'; it has 1")
        s = self.survival
        beyond_first, flat = np.zeros_like(s, dtype=bool), np.zeros_like(s, dtype=bool)
        beyond_first[:, 1:] = (s[:, 1:] == 0.0) | (s[:, 1:] == 1.0)
        flat[:, 2] = s[:, 2] == s[:, 1]
        self._refuse_cells((s < 1.0) & (self.grid == 0.0), "be 1 at time 0")
        self._refuse_cells(beyond_first, "be above 0 and below 1 at every time above 0")
        self._refuse_cells(flat, "fall from its first time above 0 to the next")

    def _refuse_cells(self, wrong: Mask, rule: str) -> None:
        if wrong.any():
            case, at = (int(place[0]) for place in np.nonzero(wrong))
            raise InputError(
                f"survival must {rule} for density={self.density!r}; {self.survival[case, at]:g} at time "
                f"{self.grid[at]:g} in the first of {self._name(np.flatnonzero(wrong.any(axis=1)))}"
            )

    def _name(self, rows: Rows) -> str:
        chosen = np.zeros(self.size, dtype=bool)
        chosen[rows] = True
        return name_rows(chosen, self.labels)
