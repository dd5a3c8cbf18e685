"""A mixture of algorithms, as an answer."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from nepers.cases import plain
from nepers.errors import InputError
from nepers.improvement.mixture_weights import log_mixture
from nepers.improvement.wording import plain_mean, standard_error
from nepers.report.methods import InWords
from nepers.rows import name_rows
from nepers.words import count, name_cases

if TYPE_CHECKING:
    from nepers.assessment import Assessment, Label

Array = NDArray[np.float64]

RESERVED = ("prior", "best", "equal")


@dataclass(frozen=True, eq=False)
class Stack(InWords):
    """The best mixture of the algorithms ``names``.

    ``weights``: from all the cases, for new predictions: Q = sum of weight times Q_k. Judge it on new cases.
    ``fold_weights``: (folds, K), from all cases but the fold's; ``fold`` says which fold a case is in (-1:
    none, as no algorithm gave its truth a probability above zero). ``log_q``: the cross-fitted log score of
    each case, under the weights from the other folds: an average over it is about several mixtures.
    ``gap``: every mean log score maximised is within log(1 + gap) of the best there is.
    ``single``: what was given, (n, K).
    """

    names: tuple[str, ...]
    weights: Array
    gap: float
    fold_weights: Array
    fold: NDArray[np.intp]
    log_q: Array
    single: Array
    log_p: Array | None
    rows: NDArray[Any]
    seed: int

    @property
    def n(self) -> int:
        """The number of cases."""
        return int(self.log_q.size)

    @property
    def zeros(self) -> tuple[Label, ...]:
        """The rows with minus infinity under the cross-fitted mixture."""
        return tuple(plain(label) for label in self.rows[np.isneginf(self.log_q)])

    @property
    def best(self) -> str:
        """The algorithm with the highest mean log score on these cases, which flatter it."""
        return self.names[int(np.argmax(self.single.mean(axis=0)))]

    @property
    def equal(self) -> Array:
        """The log score of each case under equal weights."""
        return log_mixture(self.single, np.full(len(self.names), 1.0 / len(self.names)))

    def reference(self, name: str) -> Array:
        """The log scores of "prior", "best", "equal" (the average with equal weights), or an algorithm."""
        if name == "prior":
            if self.log_p is None:
                raise InputError("log_p must be given to stack for gains over the prior; it was left out")
            return self.log_p
        if name == "equal":
            return self.equal
        wanted = self.best if name == "best" else name
        if wanted not in self.names:
            known = ", ".join(map(repr, (*RESERVED, *self.names)))
            raise InputError(f"reference must be one of {known}; it is {name!r}")
        return np.asarray(self.single[:, self.names.index(wanted)])

    def gain_over(self, reference: str = "best") -> Array:
        """log Q(x) of the mixture less that of the reference, case by case.

        It is +inf where the reference alone gave zero, and undefined (NaN) where both did.
        """
        other = self.reference(reference)
        with np.errstate(invalid="ignore"):
            return np.asarray(self.log_q - other)

    def assess(self, reference: str = "best", seed: int | None = None, **options: Any) -> Assessment:
        """The posterior of what the mixture gains; ``options`` are those of `nepers.assess`.

        J is then the gain, and "the prior" of its words is the reference.
        """
        from nepers import assessment

        other = self.reference(reference)
        zero = np.isneginf(other)
        if zero.any():
            raise InputError(
                f"reference must give every truth a probability above zero; {reference!r} gives zero in "
                f"{name_rows(zero, self.rows)}: its own J is -inf, and the gain over it has no finite mean"
            )
        found = assessment.assess(log_q=self.log_q, log_p=other, seed=seed, **options)
        named = f"best ({self.best})" if reference == "best" else reference
        return dataclasses.replace(found, name=f"gain over {named}")

    def table(self) -> dict[str, list[Any]]:
        """A row for each algorithm: its weight, the range of it over the folds, its mean log score."""
        return {
            "name": list(self.names),
            "weight": self.weights.tolist(),
            "lowest_weight": self.fold_weights.min(axis=0).tolist(),
            "highest_weight": self.fold_weights.max(axis=0).tolist(),
            "mean_log_q": self.single.mean(axis=0).tolist(),
        }

    def to_dict(self) -> dict[str, Any]:
        """The table and the scores, fit for JSON."""
        from nepers.export import plain as as_json

        gain = self.gain_over("best")
        found: Any = {
            "n": self.n,
            "algorithms": self.table(),
            "mean_log_q": float(self.log_q.mean()),
            "mean_log_q_equal": float(self.equal.mean()),
            "best": self.best,
            "mean_gain_over_best": float(gain.mean()) if np.isfinite(gain).all() else None,
            "standard_error": standard_error(gain) if np.isfinite(gain).all() else None,
            "zeros": list(self.zeros),
            "gap": self.gap,
            "folds": len(self.fold_weights),
            "seed": self.seed,
        }
        return dict(as_json(found))

    def to_frame(self, native: str | None = None) -> Any:
        """`table` as a table of polars, pandas or pyarrow: the first installed if None."""
        from nepers.export import as_frame

        return as_frame(self.table(), native)

    def __str__(self) -> str:
        order = np.argsort(-self.weights, kind="stable")
        shown = ", ".join(f"{self.weights[k]:.3f} {self.names[k]}" for k in order)
        lines = [f"The mixture of {count(len(self.names), 'algorithm')} that scores best: {shown}."]
        if self.zeros:
            lines.append(
                f"Its J is -inf: it gives the truth probability zero in {len(self.zeros):,} of "
                f"{count(self.n, 'case')} ({name_cases(self.zeros)})."
            )
        references = ["best", "equal"] + ["prior"] * (self.log_p is not None)
        lines += [self._gain(reference) for reference in references]
        lines.append(
            f"The scores are cross-fitted over {len(self.fold_weights)} folds; the weights are from all "
            f"{count(self.n, 'case')}: judge them on new ones."
        )
        return "\n".join(lines)

    def _gain(self, reference: str) -> str:
        gain = self.gain_over(reference)
        named = {
            "best": f"the best single algorithm here, {self.best}",
            "equal": "the average with equal weights",
            "prior": "the prior",
        }[reference]
        if np.isfinite(gain).all():
            return f"Over {named}, it gains {plain_mean(gain)} nats, the plain mean."
        return f"Over {named}, the gain is not finite: one of the two gives a truth probability zero."
