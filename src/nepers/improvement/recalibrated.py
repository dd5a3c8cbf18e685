"""What recalibration would gain, as an answer."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from nepers.cases import plain
from nepers.display.methods import RecalibrationPlots
from nepers.errors import InputError
from nepers.improvement.wording import plain_mean, standard_error
from nepers.report.methods import InWords
from nepers.words import count, name_cases

if TYPE_CHECKING:
    from nepers.assessment import Assessment, Label

Array = NDArray[np.float64]


class RecalibrationMap(Protocol):
    """What the maps of either kind can tell of themselves."""

    @property
    def unchanged(self) -> bool:
        """Whether it changes nothing."""

    def to_dict(self) -> dict[str, Any]:
        """Fit for JSON."""


Map = TypeVar("Map", bound=RecalibrationMap)


@dataclass(frozen=True, eq=False)
class Recalibration(RecalibrationPlots, InWords, Generic[Map]):
    """What a recalibration map would gain.

    ``gain`` is log Q'(x) - log Q(x) of each case, with Q' the prediction recalibrated by a map fitted on the
    other folds: an average over them is about several maps, one for each fold, which are close to one another
    and to ``map``. ``log_q`` is log Q'(x), None where log Q(x) is not known. Where Q gave the truth
    probability zero no map helps: ``gain`` is undefined (NaN), log_q stays minus infinity, and
    ``zeros`` names the rows.

    ``map`` is fitted on all the cases, for new predictions; ``fold_maps`` are the others, ``fold`` says which
    of them serves which case (-1: none, for one of the ``zeros``).
    """

    gain: Array
    log_q: Array | None
    map: Map
    fold_maps: tuple[Map, ...]
    fold: NDArray[np.intp]
    rows: NDArray[Any]
    seed: int

    @property
    def n(self) -> int:
        """The number of cases."""
        return int(self.gain.size)

    @property
    def zeros(self) -> tuple[Label, ...]:
        """The rows whose truth was given probability zero."""
        return tuple(plain(label) for label in self.rows[np.isnan(self.gain)])

    @property
    def mean(self) -> float:
        """The mean gain; NaN if there are ``zeros``."""
        return float(self.gain.mean())

    @property
    def standard_error(self) -> float:
        """Of the mean gain; NaN if there are ``zeros``."""
        return standard_error(self.gain)

    def assess(self, seed: int | None = None, **options: Any) -> Assessment:
        """The posterior of how much J would rise; ``options`` are those of `nepers.assess`.

        J is then the rise, and "the prior" of its words is the prediction before recalibration.
        """
        from nepers import assessment

        if self.zeros:
            raise InputError(
                "gain must be a number in every case; where the prediction gave the truth probability zero "
                f"it is undefined, in {name_cases(self.zeros)}: J is -inf before and after"
            )
        found = assessment.assess(self.gain, seed=seed, **options)
        return dataclasses.replace(found, name="gain by recalibration")

    def to_dict(self) -> dict[str, Any]:
        """The answer and the map, fit for JSON."""
        from nepers.export import plain as as_json

        found: Any = {
            "n": self.n,
            "mean_gain": self.mean,
            "standard_error": self.standard_error,
            "zeros": list(self.zeros),
            "folds": len(self.fold_maps),
            "unchanged_folds": self._unchanged,
            "map": self.map.to_dict(),
            "seed": self.seed,
        }
        return dict(as_json(found))

    def to_frame(self, native: str | None = None) -> Any:
        """A row for each case, as a table of polars, pandas or pyarrow: the first installed if None."""
        from nepers.export import as_frame

        columns = {"row": [plain(label) for label in self.rows], "fold": self.fold.tolist()}
        columns["gain"] = self.gain.tolist()
        if self.log_q is not None:
            columns["log_q"] = self.log_q.tolist()
        return as_frame(columns, native)

    def __str__(self) -> str:
        folds = len(self.fold_maps)
        lines = []
        if self.zeros:
            lines.append(
                "J is -inf, and recalibration leaves it there: the prediction gave the truth probability "
                f"zero in {len(self.zeros):,} of {count(self.n, 'case')} ({name_cases(self.zeros)}). "
                "What follows is about the others alone."
            )
        finite = self.gain[~np.isnan(self.gain)]
        lines.append(
            f"Recalibration would raise J by {plain_mean(finite)} nats, the plain mean over "
            f"{count(finite.size, 'case')}, each recalibrated by a map fitted on the other {folds - 1} of "
            f"{folds} folds."
        )
        if self._unchanged:
            lines.append(f"In {self._unchanged} of {folds} folds no change promised more than any change.")
        lines.append(f"The map fitted on all cases: {self.map}. Judge it on new ones.")
        return "\n".join(lines)

    @property
    def _unchanged(self) -> int:
        return sum(one.unchanged for one in self.fold_maps)
