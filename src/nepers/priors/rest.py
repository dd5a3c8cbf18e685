"""The prior over classes for cross-validation: for the outcomes of a fold, the frequencies of all the others.

    P(class k) = (N_k - m_k + c) / (N - m + K c)

with N_k of all N outcomes in class k, m_k of the m outcomes of the fold, and a pseudo-count c for each class.
That is the prior of `nepers.priors.class_frequencies` on the training fold, where the training fold is all
the rest.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nepers.errors import InputError
from nepers.outcomes import outcomes
from nepers.priors.class_codes import all_labels, frequencies, label_codes
from nepers.priors.class_codes import pseudo_count as checked

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class FrequenciesOfRest:
    """How many of all the outcomes are in each class, to be parted into those of a fold and the others."""

    labels: tuple[Any, ...]
    counts: NDArray[np.int64]
    pseudo_count: float

    def log_p(self, y_true: Any) -> Array:
        """The log of the probability of what came true, by the frequencies of all other outcomes."""
        truth = outcomes("y_true", y_true)
        codes = label_codes(truth, self.labels, "of y_all")
        rest = self.counts - np.bincount(codes, minlength=len(self.labels))
        if (rest < 0).any():
            k = int(np.flatnonzero(rest < 0)[0])
            raise InputError(
                f"y_true must be a part of y_all; of {self.labels[k]!r} it has "
                f"{self.counts[k] - rest[k]:,}, y_all {self.counts[k]:,}"
            )
        if not rest.any():
            raise InputError(
                "y_true must leave some of y_all to make the prior from; it has all of them: score each "
                "fold by itself, as cross_validate does with asi_scorer, or give another prior"
            )
        return np.asarray(np.log(frequencies(rest, self.pseudo_count))[codes])


def class_frequencies_of_rest(
    y_all: Any, *, labels: Any = None, pseudo_count: float = 0.5
) -> FrequenciesOfRest:
    """A prior for cross-validation: for the outcomes of a fold, the class frequencies of all the others.

    y_all: the outcomes of all the data that are divided into folds; the prior is exactly that of
        `class_frequencies` on the training fold where that is all the rest, as in KFold, StratifiedKFold,
        GroupKFold, their repeated forms, LeaveOneOut, LeavePOut, and ShuffleSplit if both parts add up to
        the whole. It is not where training takes less than the rest, as in TimeSeriesSplit. In a search
        within a cross-validation, ``y_all`` are the outcomes that the search is given.
    labels: all classes there are, if ``y_all`` may lack some.
    pseudo_count: as for `class_frequencies`; above 0, since a fold may have all cases of a class.
    """
    truth = outcomes("y_all", y_all)
    names = all_labels(truth, labels)
    counts = np.bincount(label_codes(truth, names, "in labels"), minlength=len(names))
    c = checked(pseudo_count)
    if c == 0.0:
        raise InputError("pseudo_count must be above 0, since a fold may have all cases of a class; it is 0")
    return FrequenciesOfRest(names, counts, c)
