"""Survival curves on a grid of times: what is, and what is not, the distribution of a time.

A curve gives S(t) = P(T > t) at increasing times. T is above 0, so S(0) = 1, which is added where the grid
starts later, and S never rises and never leaves [0, 1]; a curve that does is no distribution (fits by splines
are known to rise) and is refused. Steps in the wrong direction of at most 1e-12 are rounding, and flat.

A grid alone is not a density: what happens between its times and beyond the last is for
`nepers.ratios.interpolation` to say.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nepers.columns import column, index_labels
from nepers.errors import InputError
from nepers.matrices import matrix
from nepers.rows import name_rows

Array = NDArray[np.float64]

_ROUNDING = 1e-12


@dataclass(frozen=True, eq=False)
class Curves:
    """Survival probabilities at ``times`` (k,): a row for each case, (n, k), or (k,) for all cases alike.

    `Curves.of` reads what scikit-survival and lifelines return; `at` makes the grid coarser.
    """

    times: Any
    survival: Any
    labels: NDArray[Any] | None = None

    def __post_init__(self) -> None:
        times = _grid(self.times)
        survival, labels = _table(self.survival)
        labels = labels if self.labels is None else self.labels
        if survival.shape[-1] != times.size:
            raise InputError(
                f"survival must have a column for each of the {times.size} times; its shape is "
                f"{survival.shape}"
            )
        _refuse_what_is_no_distribution(times, np.atleast_2d(survival), labels)
        clean = np.minimum.accumulate(np.clip(survival, 0.0, 1.0), axis=-1)
        for name, value in (("times", times), ("survival", clean), ("labels", labels)):
            object.__setattr__(self, name, value)

    @classmethod
    def of(cls, prediction: Any) -> Curves:
        """Curves from what ``predict_survival_function`` returns.

        From scikit-survival: its step functions, one for each case, on one and the same grid. From lifelines:
        its table, with the times as the index and a column for each case; or one of its fitters of a single
        curve, as KaplanMeierFitter, which then is that of every case.
        """
        if isinstance(prediction, cls):
            return prediction
        found: Any = getattr(prediction, "survival_function_", None)
        if _is_table_over_time(found):
            return cls(index_labels(found), found.to_numpy()[:, 0])
        if _is_table_over_time(prediction):
            return cls(index_labels(prediction), prediction.to_numpy().T, np.asarray(prediction.columns))
        if isinstance(prediction, list | tuple | np.ndarray) and len(prediction):
            if all(_is_step_function(one) for one in prediction):
                return _from_steps(list(prediction))
            if np.asarray(prediction, dtype=object).ndim == 2:
                raise InputError(
                    "prediction must say at which times it gives the probabilities: Curves(times, survival)"
                )
        raise InputError(
            "prediction must be Curves, step functions, a table with the times as its index, or a "
            f"distribution with logpdf and logsf, or a list of such; it is {type(prediction).__name__}"
        )

    @property
    def n(self) -> int | None:
        """The number of curves; None if one stands for every case."""
        return None if self.survival.ndim == 1 else int(self.survival.shape[0])

    def at(self, times: Any) -> Curves:
        """The same curves at other times, read as step functions: S is that of the last time not after."""
        wanted = _grid(times)
        if wanted[-1] > self.times[-1]:
            raise InputError(
                f"times must not pass the last time of the curves, {self.times[-1]:g}; they go to "
                f"{wanted[-1]:g}"
            )
        place = np.searchsorted(self.times, wanted, side="right")
        from_zero = np.concatenate([np.ones((*self.survival.shape[:-1], 1)), self.survival], axis=-1)
        return Curves(wanted, from_zero[..., place], self.labels)


def _grid(times: Any) -> Array:
    given = column(
        "times of the curves", np.asarray(times) if not hasattr(times, "to_numpy") else times.to_numpy()
    )
    values = given.values
    if not values.size:
        raise InputError("times of the curves must hold at least one time; there are none")
    wrong = ~np.isfinite(values) | (values < 0.0)
    if wrong.any():
        raise InputError(
            f"times of the curves must be finite and at or above 0; {values[wrong][0]:g} at position "
            f"{np.flatnonzero(wrong)[0]}"
        )
    back = np.flatnonzero(np.diff(values) <= 0.0)
    if back.size:
        i = int(back[0])
        raise InputError(
            f"times of the curves must increase; {values[i + 1]:g} follows {values[i]:g} at position {i + 1}"
        )
    if values.size == 1 and values[0] == 0.0:
        raise InputError("times of the curves must go beyond 0; 0 is the only one")
    return values.copy()


def _table(survival: Any) -> tuple[Array, NDArray[Any] | None]:
    if getattr(survival, "ndim", 2) == 1 or (isinstance(survival, list | tuple) and np.ndim(survival) == 1):
        return column("survival", np.asarray(survival)).values, None
    found = matrix("survival", survival)
    return found.values, found.labels


def _refuse_what_is_no_distribution(times: Array, survival: Array, labels: NDArray[Any] | None) -> None:
    # NaN is refused by the readers of the table
    outside = (survival < -_ROUNDING) | (survival > 1.0 + _ROUNDING)
    if outside.any():
        case, at = (int(place[0]) for place in np.nonzero(outside))
        raise InputError(
            f"survival must be between 0 and 1; {survival[case, at]:g} at time {times[at]:g} in the first of "
            f"{name_rows(np.asarray(outside.any(axis=1)), labels)}"
        )
    rises = np.diff(survival, axis=1) > _ROUNDING
    if rises.any():
        case, at = (int(place[0]) for place in np.nonzero(rises))
        raise InputError(
            f"survival must never rise, or it is no distribution; from {survival[case, at]:.6g} at time "
            f"{times[at]:g} to {survival[case, at + 1]:.6g} at time {times[at + 1]:g} in the first of "
            f"{name_rows(np.asarray(rises.any(axis=1)), labels)}"
        )


def _is_step_function(one: Any) -> bool:
    return all(hasattr(one, name) for name in ("x", "y", "domain")) and callable(one)


def _is_table_over_time(data: Any) -> bool:
    return getattr(data, "ndim", 0) == 2 and hasattr(data, "columns") and index_labels(data) is not None


def _from_steps(steps: list[Any]) -> Curves:
    times = np.asarray(steps[0].x, dtype=np.float64)
    for row, step in enumerate(steps):
        if not np.array_equal(step.x, times):
            raise InputError(
                f"prediction must have step functions with the same times; row {row} and row 0 differ "
                "in theirs: read each at common times, and give Curves(times, survival)"
            )
    return Curves(times, np.array([step(times) for step in steps]).reshape(len(steps), times.size))
