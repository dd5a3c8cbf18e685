"""Tables of class probabilities, read and checked: each row a distribution over the classes.

Every value must lie in [0, 1] and every row must sum to one, to within the square root of the rounding of
float32, whatever the type they are in now: most float64 tables hold numbers that went through float32, or
through text of a few digits. (Of float16, where the table itself is of that type.) Nothing is clipped or
renormalised: a prediction whose probabilities sum to 0.9 is not the prediction that was meant, and which one
was is not ours to say.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nepers.columns import Column, as_chunked, column
from nepers.errors import InputError
from nepers.matrices import Matrix, matrix
from nepers.rows import name_rows, refuse

Array = NDArray[np.float64]

_BLOCK = 1 << 16  # rows at a time, which stay in the processor's cache
_PERCENT = 100.0


def class_probabilities(argument: str, data: Any) -> Matrix | Column:
    """``data`` as (n, K) probabilities, or as n probabilities of the second of two classes, checked."""
    found = _read(argument, data)
    if found.values.size:
        _refuse_no_probabilities(found)
    if isinstance(found, Matrix):
        half = getattr(data, "dtype", None) == np.float16
        _refuse_other_sums(found, math.sqrt(np.finfo(np.float16 if half else np.float32).eps))
    return found


def blocks(rows: int) -> Iterator[slice]:
    """All rows in turn, some at a time."""
    return (slice(start, start + _BLOCK) for start in range(0, rows, _BLOCK))


def _read(argument: str, data: Any) -> Matrix | Column:
    if isinstance(data, Mapping):
        return matrix(argument, data)
    if not isinstance(data, np.ndarray | list | tuple):
        import narwhals as nw

        found = _dataframe(argument, data)
        if isinstance(found, nw.Series):
            return column(argument, data)
        if isinstance(found, nw.DataFrame):
            return matrix(argument, _by_name(argument, found))
    return column(argument, data) if _dimensions(data) == 1 else matrix(argument, data)


def _dataframe(argument: str, data: Any) -> Any:
    import narwhals as nw
    from narwhals.exceptions import DuplicateError

    try:
        return nw.from_native(as_chunked(data), allow_series=True, pass_through=True)
    except DuplicateError as error:
        said = " ".join(str(error).split())
        raise InputError(f"{argument} must have columns of different names: {said}") from None


def _by_name(argument: str, frame: Any) -> dict[Any, Any]:
    """The columns under their names, which may be whole numbers."""
    alike = [name for name, times in Counter(map(str, frame.columns)).items() if times > 1]
    if alike:
        raise InputError(f"{argument} must have columns of different names; there are several {alike[0]!r}")
    return {name: frame.get_column(name).to_native() for name in frame.columns}


def _dimensions(data: Any) -> int:
    try:
        return np.ndim(data)
    except ValueError:  # rows of different lengths, which the table's own reading names
        return 2


def _refuse_no_probabilities(found: Matrix | Column) -> None:
    least, most = found.values.min(), found.values.max()
    if least < 0.0 and most <= 0.0:
        raise InputError(
            f"{found.argument} must hold probabilities, from 0 to 1; all are from {least:.6g} to {most:.6g}: "
            "these look like log probabilities: give np.exp of them"
        )
    if least < 0.0:
        _refuse(found, found.values < 0.0, "must hold no negative probability")
    if most > 1.0:
        percent = least >= 0.0 and 2.0 < most <= _PERCENT
        hint = ": if these are percentages, divide them by 100" if percent else ""
        _refuse(found, found.values > 1.0, f"must hold no probability above one{hint}")


def _refuse(found: Matrix | Column, wrong: NDArray[np.bool_], rule: str) -> None:
    if isinstance(found, Matrix):
        found.refuse(wrong, rule)
    else:
        refuse(found, wrong, rule)


def _refuse_other_sums(found: Matrix, tolerance: float) -> None:
    n = found.values.shape[0]
    if all(_off(found.values[rows]).max(initial=0.0) <= tolerance for rows in blocks(n)):
        return
    wrong = _off(found.values) > tolerance
    total = float(found.values[np.flatnonzero(wrong)[0]].sum())
    single = ": for the probability of the greater of two labels give one dimension"
    raise InputError(
        f"{found.argument} must sum to one in every row, to within {tolerance:.2g}; the sum is {total:.9g}, "
        f"{abs(total - 1.0):.2g} too {'little' if total < 1.0 else 'much'}, in the first of "
        f"{name_rows(wrong, found.labels)}{single if found.values.shape[1] == 1 else ''}"
    )


def _off(values: Array) -> Array:
    # a product, as numpy is slow to sum rows of few columns
    return np.asarray(np.abs(values @ np.ones(values.shape[1]) - 1.0))
