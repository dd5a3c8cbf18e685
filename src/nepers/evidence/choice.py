"""What the evidence says of several hyperparameters."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from nepers.display.methods import ChoicePlots
from nepers.errors import InputError
from nepers.estimate import check_level

if TYPE_CHECKING:
    from nepers.evidence.estimates import LogEvidence
    from nepers.hierarchy import Hyperparameters

Array = NDArray[np.float64]

CLEAR = 0.95
_DRAWS = 20_000


@dataclass(frozen=True, eq=False, repr=False)
class Choice(ChoicePlots):
    """The candidates, each with its log evidence; they are equally probable before the data.

    ``values`` are the log ratios that the evidence is of, in nats: those that do not repeat.
    """

    names: tuple[str, ...]
    evidences: tuple[LogEvidence, ...]
    hyperparameters: tuple[Hyperparameters, ...]
    values: Array
    n: int
    scale: float
    seed: int
    target_error: float
    version: str

    @property
    def log_evidence(self) -> dict[str, float]:
        """By name, in nats."""
        return {name: one.value for name, one in zip(self.names, self.evidences, strict=True)}

    @property
    def probabilities(self) -> dict[str, float]:
        """The posterior probability of each candidate, by the log evidences as they are estimated."""
        found = _softmax(np.array([one.value for one in self.evidences]))
        return dict(zip(self.names, found.tolist(), strict=True))

    def probability_intervals(self, level: float = 0.95) -> dict[str, tuple[float, float]]:
        """Where those probabilities may lie, for all that is known of the log evidences."""
        check_level(level)
        ends = np.quantile(self._draws, ((1.0 - level) / 2.0, (1.0 + level) / 2.0), axis=0)
        return {name: (float(a), float(b)) for name, a, b in zip(self.names, *ends, strict=True)}

    @property
    def best(self) -> str:
        """The candidate of most evidence."""
        return self.names[int(np.argmax([one.value for one in self.evidences]))]

    @property
    def clear(self) -> bool:
        """Whether the best has a probability of 0.95 or more, even at the lower end of its interval."""
        trusted = all(one.reliable for one in self.evidences)
        return trusted and self.probability_intervals()[self.best][0] >= CLEAR

    @property
    def reliable(self) -> bool:
        """Whether every run can be relied on, and is as exact as was asked."""
        return all(one.reliable and one.error <= self.target_error for one in self.evidences)

    def prior_draws(self, name: str, size: int = 4, rng: np.random.Generator | None = None) -> Array:
        """Sets of as many log ratios as there are, (size, n), each from one draw of a candidate's prior."""
        from nepers.hierarchy import sample_prior

        if name not in self.names:
            raise InputError(f"name must be one of {', '.join(self.names)}; it is {name!r}")
        place = self.names.index(name)
        own = np.random.default_rng(np.random.SeedSequence(self.seed, spawn_key=(2**31 + 4, place)))
        stream = own if rng is None else rng
        every = sample_prior(self.hyperparameters[place].scaled(self.scale), size, rng=stream)
        return np.array([one.mixture.rvs(self.values.size, rng=stream) for one in every])

    def to_dict(self, level: float = 0.95) -> dict[str, Any]:
        """Everything but the cases, fit for JSON."""
        return {
            "n": self.n,
            "values": self.values.size,
            "best": self.best,
            "clear": self.clear,
            "reliable": self.reliable,
            "candidates": self.summary(level),
            "scale": self.scale,
            "seed": self.seed,
            "target_error": self.target_error,
            "level": level,
            "hyperparameters": {
                name: h.to_dict() for name, h in zip(self.names, self.hyperparameters, strict=True)
            },
            "version": self.version,
        }

    def summary(self, level: float = 0.95) -> list[dict[str, Any]]:
        """A row for each candidate, the best first."""
        probability, interval = self.probabilities, self.probability_intervals(level)
        rows: list[dict[str, Any]] = [
            {
                "name": name,
                "log_evidence": one.value,
                "error": one.error,
                "stepping_stone": one.stepping_stone.value,
                "stepping_stone_error": one.stepping_stone.error,
                "probability": probability[name],
                "lower": interval[name][0],
                "upper": interval[name][1],
                "r_hat": one.r_hat,
                "hardest": one.hardest,
                "stations": one.stations,
                "rounds": one.rounds,
            }
            for name, one in zip(self.names, self.evidences, strict=True)
        ]
        return sorted(rows, key=lambda row: -float(row["log_evidence"]))

    def to_frame(self, native: str | None = None, level: float = 0.95) -> Any:
        """`summary` as a table, of polars, pandas or pyarrow: the first installed if None."""
        from nepers.export import as_frame

        rows = self.summary(level)
        return as_frame({key: [row[key] for row in rows] for key in rows[0]}, native)

    def __str__(self) -> str:
        from nepers.evidence.words import describe

        return describe(self)

    def __repr__(self) -> str:
        return f"<Choice: {self.best} of {len(self.names)}, probability {self.probabilities[self.best]:.3g}>"

    @cached_property
    def _draws(self) -> Array:
        """Probabilities at log evidences that are as far off as their errors allow."""
        rng = np.random.default_rng(np.random.SeedSequence(self.seed, spawn_key=(2**31 + 5,)))
        value = np.array([one.value for one in self.evidences])
        error = np.array([one.error for one in self.evidences])
        return _softmax(value + error * rng.standard_normal((_DRAWS, value.size)))


def _softmax(x: Array) -> Array:
    weight = np.exp(x - x.max(axis=-1, keepdims=True))
    return np.asarray(weight / weight.sum(axis=-1, keepdims=True))
