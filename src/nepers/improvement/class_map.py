"""The recalibration map for class probabilities, and its fit.

With q_1, ..., q_K the probabilities of one case, the map is

    q'_k proportional to exp(a_k) q_k^(b_k)

over the classes with q_k > 0; a class given probability zero keeps it. Of this there are three kinds:

    unchanged          a = 0, b = 1
    slope and shifts   b the same for all classes: for two classes, logit q' = a + b logit q
    a slope each       b_k of its own for each class: for two classes, the beta calibration

Above 1, b sharpens; between 0 and 1 it makes less sure; below 0 it turns the answer round. The fit maximises
the mean of log q' of the truth, less (|a|^2 + |b - 1|^2) / (2n): a draw towards no change that is worth about
one case. In the second kind b counts once. The maximum is unique.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nepers.improvement.class_table import ClassLogs, as_logs

Array = NDArray[np.float64]
Rows = NDArray[np.intp]

KINDS = ("unchanged", "slope and shifts", "a slope each")
_CELLS = 1 << 18  # of the table, worked on at a time
_SHOWN = 5


@dataclass(frozen=True, eq=False)
class ClassMap:
    """q' proportional to ``exp(shifts) * q ** slopes``. Call it with a table of probabilities.

    It is fitted on the cases it came from: judge it on others.
    """

    kind: str
    labels: tuple[Any, ...]
    shifts: Array
    slopes: Array

    @property
    def unchanged(self) -> bool:
        """Whether it changes nothing."""
        return self.kind == KINDS[0]

    def __call__(self, y_proba: Any) -> Array:
        """The recalibrated probabilities, (n, K), of predictions with a column for each of ``labels``.

        Probabilities in one dimension are those of the second label, and both columns are returned.
        """
        logs = as_logs("y_proba", y_proba, self.labels)
        tilted = (_tilted(logs.part(rows), self.shifts, self.slopes) for rows in _blocks(logs))
        return np.concatenate(
            [np.exp(z - _log_sum(z)).T for z in tilted] or [np.empty((0, len(self.labels)))]
        )

    def gain(self, logs: ClassLogs, truth: Rows) -> Array:
        """log q' - log q of the truth, where q > 0."""
        gain = np.zeros(truth.size)
        if self.unchanged:
            return gain
        for rows in _blocks(logs):
            part, columns = logs.part(rows), truth[rows]
            each = np.arange(columns.size)
            z = _tilted(part, self.shifts, self.slopes)
            gain[rows] = z[columns, each] - _log_sum(z) - part.finite[columns, each]
        return gain

    def to_dict(self) -> dict[str, Any]:
        """Fit for JSON."""
        return {
            "kind": self.kind,
            "labels": [label.item() if isinstance(label, np.generic) else label for label in self.labels],
            "shifts": self.shifts.tolist(),
            "slopes": self.slopes.tolist(),
        }

    def __str__(self) -> str:
        if self.unchanged:
            return "no change"
        shared = self.kind == KINDS[1]
        if len(self.labels) == 2 and shared:
            shift = self.shifts[1] - self.shifts[0]
            return f"logit q' = {shift:.3g} + {self.slopes[0]:.3g} logit q, of {self.labels[1]!r}"
        slopes = self.slopes[:1] if shared else self.slopes
        shown = ", ".join(f"{b:.3g}" for b in slopes[:_SHOWN]) + (", ..." if slopes.size > _SHOWN else "")
        return f"q' proportional to exp(a) q^b, {'b' if shared else 'b of each class'} = {shown}"


def fit(kind: int, labels: tuple[Any, ...], logs: ClassLogs, truth: Rows) -> ClassMap:
    """The map of that kind, of `KINDS`, that suits the cases best; the truth must have q > 0."""
    from scipy.optimize import minimize

    K = len(labels)
    if kind == 0:
        return ClassMap(KINDS[0], labels, np.zeros(K), np.ones(K))
    shared = kind == 1
    scale = _scale(logs, shared)
    x0 = np.concatenate([np.zeros(K), np.ones(1 if shared else K)]) * scale

    def objective(x: Array) -> tuple[float, Array]:
        value, slope = _loss(x / scale, logs, truth)
        return value, slope / scale

    options = {"ftol": 1e-13, "gtol": 1e-7, "maxiter": 1000}
    x = minimize(objective, x0, jac=True, method="L-BFGS-B", options=options).x / scale
    return ClassMap(KINDS[kind], labels, x[:K], np.full(K, x[K]) if shared else x[K:])


def _loss(x: Array, logs: ClassLogs, truth: Rows) -> tuple[float, Array]:
    """The penalised mean of -log q', and its gradient, at x = (a, b); b is one number or K."""
    K, n = logs.finite.shape
    a, b = x[:K], x[K:]
    value = 0.5 * float(a @ a + (b - 1.0) @ (b - 1.0))
    by_shift, by_slope = np.zeros(K), np.zeros(K)
    for rows in _blocks(logs):
        part, columns = logs.part(rows), truth[rows]
        each = np.arange(columns.size)
        z = _tilted(part, a, b)
        total = _log_sum(z)
        value += float(total.sum() - z[columns, each].sum())
        miss = np.exp(z - total)
        miss[columns, each] -= 1.0
        by_shift += miss.sum(axis=1)
        by_slope += np.einsum("ki,ki->k", miss, part.finite)
    slopes = by_slope.sum(keepdims=True) if b.size == 1 else by_slope
    return value / n, np.concatenate([by_shift + a, slopes + b - 1.0]) / n


def _scale(logs: ClassLogs, shared: bool) -> Array:
    """Roots of the curvature along each coordinate at no change: the search is quick in such units."""
    K, n = logs.finite.shape
    by_shift, by_slope, common = np.ones(K), np.ones(K), 1.0
    for rows in _blocks(logs):
        part = logs.part(rows)
        p = np.exp(_tilted(part, np.zeros(K), np.ones(1)))
        weight = p * (1.0 - p)
        by_shift += weight.sum(axis=1)
        by_slope += np.einsum("ki,ki,ki->k", weight, part.finite, part.finite)
        common += float((p * (part.finite - (p * part.finite).sum(axis=0)) ** 2).sum())
    slopes = np.array([common]) if shared else by_slope
    return np.asarray(np.sqrt(np.concatenate([by_shift, slopes]) / n))


def _tilted(logs: ClassLogs, a: Array, b: Array) -> Array:
    """a + b log q, and minus infinity for a class of probability zero whatever the sign of b."""
    z = a[:, None] + b[:, None] * logs.finite
    if logs.zero is not None:
        z[logs.zero] = -np.inf
    return np.asarray(z)


def _log_sum(z: Array) -> Array:
    top = z.max(axis=0)
    return np.asarray(top + np.log(np.exp(z - top).sum(axis=0)))


def _blocks(logs: ClassLogs) -> Iterator[slice]:
    K, n = logs.finite.shape
    size = max(1, _CELLS // K)
    return (slice(start, min(start + size, n)) for start in range(0, n, size))
