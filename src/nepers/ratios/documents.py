"""Language models: the log probabilities of tokens to those of documents.

    log Q(x) = sum over the tokens t of document x of log Q(t | the tokens before it)

The documents are the cases. The tokens of a document are not independent of one another, so to take each for
a case of its own would make J look far surer than it is.

Two models are compared on the same texts: ``nepers.assess(log_q=a.log_q, log_p=b.like(a))``. They may cut the
texts into different tokens, as the probability of a text is that of its tokens together; but both must have
scored the whole of the same text (with or without an end-of-text token in both). Log probabilities per token
(`Documents.log_q_per_token`) are comparable only between models with the same tokens.

Natural logarithms, as most tools give them; those to the base 2 are to be multiplied by log 2 first. A token
that its model gave probability zero makes the document's log probability minus infinity.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nepers.columns import Column, column
from nepers.errors import InputError
from nepers.outcomes import outcomes
from nepers.rows import refuse, refuse_other_cases

Array = NDArray[np.float64]

_SHOWN = 5


@dataclass(frozen=True, eq=False)
class Documents:
    """The log probability of each document, its id, and how many tokens it was scored as."""

    ids: NDArray[Any]
    log_q: Array
    tokens: NDArray[np.int64]

    @property
    def log_q_per_token(self) -> Array:
        """The mean over the tokens of each document."""
        return np.asarray(self.log_q / self.tokens)

    def like(self, other: Documents) -> Array:
        """``log_q`` in the order of the documents of ``other``, which must be the same documents."""
        place = {name: row for row, name in enumerate(self.ids.tolist())}
        wanted = other.ids.tolist()
        theirs = set(wanted)
        lacking = [name for name in wanted if name not in place]
        extra = [name for name in place if name not in theirs]
        if lacking or extra:
            raise InputError(
                f"both must have the same documents; missing from this one: {_listed(lacking)}; "
                f"missing from other: {_listed(extra)}"
            )
        return self.log_q[np.fromiter((place[name] for name in wanted), np.intp, len(wanted))]


def log_document(log_probs: Any, *, document: Any = None) -> Documents:
    """The log probability of each document, in order of first appearance.

    log_probs: the natural log probability of each token given those before it: a column with a row for each
        token, or a list with an array for each document. A first token that was given no log probability is
        left out; both models must then leave out the same text.
    document: the id of the document of each token (its tokens need not stand together); for a list of arrays
        the id of each array, 0, 1, 2, ... if left out.
    """
    if isinstance(log_probs, list | tuple) and log_probs and np.ndim(log_probs[0]):
        return _of_arrays(log_probs, document)
    if document is None:
        raise InputError(
            "document must be given, an id for each token, where log_probs is not a list of arrays"
        )
    given, named = column("log_probs", log_probs), outcomes("document", document)
    refuse_other_cases(given, named)
    _refuse_no_logs(given)
    place: dict[Any, int] = {}
    codes = np.array([place.setdefault(name, len(place)) for name in named.values.tolist()], dtype=np.intp)
    a_row = np.empty(len(place), dtype=np.intp)
    a_row[codes] = np.arange(codes.size)
    return _summed(named.values[a_row], codes, given.values)


def _of_arrays(arrays: Sequence[Any], document: Any) -> Documents:
    ids = np.arange(len(arrays)) if document is None else outcomes("document", document).values
    if ids.size != len(arrays):
        raise InputError(
            "document must have an id for each array of log_probs; "
            f"document has {ids.size:,}, log_probs {len(arrays):,}"
        )
    repeated = [name for name, times in Counter(ids.tolist()).items() if times > 1]
    if repeated:
        raise InputError(
            f"document must have each id once for a list of arrays; repeated: {_listed(repeated)}"
        )
    given = [column(f"log_probs[{i}]", one) for i, one in enumerate(arrays)]
    for one in given:
        if not one.values.size:
            raise InputError(f"{one.argument} must have at least one token; it is empty")
        _refuse_no_logs(one)
    codes = np.repeat(np.arange(len(given)), [one.values.size for one in given])
    return _summed(ids, codes, np.concatenate([one.values for one in given]))


def _summed(ids: NDArray[Any], codes: NDArray[np.intp], log_probs: Array) -> Documents:
    return Documents(
        ids=ids,
        log_q=np.bincount(codes, weights=log_probs).astype(np.float64),
        tokens=np.bincount(codes).astype(np.int64),
    )


def _refuse_no_logs(given: Column) -> None:
    values = given.values
    if not values.size or values.max() <= 0.0:
        return
    if values.min() >= 0.0 and values.max() <= 1.0:
        raise InputError(
            f"{given.argument} must be at most 0; all are from {values.min():.6g} to {values.max():.6g}: "
            "these look like probabilities: give their logarithms, as np.log does"
        )
    refuse(given, values > 0.0, "must be at most 0, being logs of probabilities")


def _listed(names: list[Any]) -> str:
    more = f" and {len(names) - _SHOWN:,} more" if len(names) > _SHOWN else ""
    return (", ".join(repr(name) for name in names[:_SHOWN]) or "none") + more
