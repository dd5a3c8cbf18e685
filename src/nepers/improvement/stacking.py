"""The mixture of several algorithms that scores best, and what it gains.

    Q(x) = sum over k of w_k Q_k(x)

is itself a prediction: a distribution, since the weights add up to one. Its log is never below the weighted
average of the logs of its parts, so a mixture of good but different algorithms beats their average. The
weights that maximise its mean log score are found by a certified optimum (see `mixture_weights`). They are
judged by cross-fitting: the score of each case is that of the mixture whose weights come from the other
folds, so an average over the cases is about several mixtures, one for each fold, close to one another and to
the one with the weights from all the cases, which is for new predictions.

The algorithms must be fixed: not fitted on the cases given here.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from nepers.columns import Column, column
from nepers.errors import InputError
from nepers.improvement.crossfit import deal
from nepers.improvement.mixture_of_algorithms import RESERVED, Stack
from nepers.improvement.mixture_weights import best_weights, log_mixture, relative
from nepers.matrices import Matrix, matrix
from nepers.rows import refuse, refuse_other_cases

Array = NDArray[np.float64]


def stack(log_q: Any, *, log_p: Any = None, folds: int = 10, seed: int = 0) -> Stack:
    """The best mixture of algorithms, and its cross-fitted scores.

    log_q: the logs of what each algorithm gave to the truth of each case, a column for each, as for
        `nepers.compare`; -inf is legal. A case to which all give zero has -inf under every mixture.
    log_p: the same of the prior, for gains over it.
    folds: the weights for each case come from the other folds; at least 3.
    seed: deals the cases into folds.
    """
    given, names = _algorithms(log_q)
    prior = None if log_p is None else _prior(log_p, given)
    possible = np.flatnonzero(np.isfinite(given.values).any(axis=1))
    dealt = deal(possible.size, folds, seed)
    ratios = relative(given.values[possible])
    whole = best_weights(ratios, np.arange(possible.size))
    fold_count = int(dealt.max()) + 1
    parts = [best_weights(ratios, np.flatnonzero(dealt != i), whole.values) for i in range(fold_count)]
    weights = np.stack([one.values for one in parts])
    fold = np.full(given.values.shape[0], -1)
    fold[possible] = dealt
    mixture = np.full(fold.size, -np.inf)
    for i in range(fold_count):
        rows = fold == i
        mixture[rows] = log_mixture(given.values[rows], weights[i])
    return Stack(
        names=names,
        weights=whole.values,
        gap=max(one.gap for one in (whole, *parts)),
        fold_weights=weights,
        fold=fold,
        log_q=mixture,
        single=given.values,
        log_p=prior,
        rows=np.arange(fold.size) if given.labels is None else given.labels,
        seed=seed,
    )


def _algorithms(log_q: Any) -> tuple[Matrix, tuple[str, ...]]:
    given = matrix("log_q", log_q)
    names = given.names or tuple(str(i) for i in range(given.values.shape[1]))
    taken = [name for name in names if name in RESERVED]
    if taken:
        raise InputError(
            f"log_q must not name an algorithm {', '.join(map(repr, RESERVED))}, which have a meaning of "
            f"their own; it has {taken[0]!r}"
        )
    given.refuse(np.isposinf(given.values), "must be below +inf")
    return given, names


def _prior(log_p: Any, given: Matrix) -> Array:
    prior: Column = column("log_p", log_p)
    refuse_other_cases(given, prior)
    refuse(prior, np.isinf(prior.values), "must be finite")
    return prior.values
