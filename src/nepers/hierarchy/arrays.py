"""The array type of this room, and the checks at its border."""

import math
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from nepers.errors import InputError

Array: TypeAlias = NDArray[np.float64]
Size: TypeAlias = int | tuple[int, ...] | None


def read_only(values: Any) -> Array:
    """A float64 copy that cannot be written to."""
    copy = np.array(values, dtype=np.float64)
    copy.setflags(write=False)
    return copy


def as_shape(size: Size) -> tuple[int, ...]:
    """The leading shape asked for by ``size``; ``None`` asks for a single draw."""
    if size is None:
        return ()
    return (size,) if isinstance(size, int | np.integer) else tuple(size)


def whole_number(name: str, value: Any, least: int) -> int:
    """``value`` as an int of at least ``least``."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < least:
        raise InputError(f"{name} must be a whole number of at least {least}; it is {value!r}")
    return int(value)


def number(name: str, value: Any) -> float:
    """``value`` as a finite float."""
    try:
        result = float(value)
    except (TypeError, ValueError):
        raise InputError(f"{name} must be a number; it is {value!r}") from None
    if not math.isfinite(result):
        raise InputError(f"{name} must be finite; it is {result}")
    return result


def positive(name: str, value: Any) -> float:
    """``value`` as a finite float above zero."""
    result = number(name, value)
    if result <= 0.0:
        raise InputError(f"{name} must be above 0; it is {result}")
    return result


def vector(name: str, value: ArrayLike, N: int | None = None) -> Array:
    """``value`` as a read-only vector of N finite numbers; a plain number stands for a vector of one."""
    result = np.atleast_1d(_floats(name, value))
    if result.ndim != 1 or N not in (None, result.size):
        raise InputError(f"{name} must be a vector of length {N or 'N'}; its shape is {result.shape}")
    _refuse_first(name, "be finite", result, ~np.isfinite(result))
    return read_only(result)


def precision_matrix(name: str, value: ArrayLike, N: int) -> Array:
    """``value`` as a read-only symmetric positive definite N x N matrix; N = 1 may give a plain number."""
    result = _floats(name, value)
    if N == 1 and result.size == 1:
        result = result.reshape(1, 1)
    if result.shape != (N, N):
        raise InputError(f"{name} must be a {N} x {N} matrix; its shape is {result.shape}")
    _refuse_first(name, "be finite", result, ~np.isfinite(result))
    _refuse_first(name, "have a positive diagonal", result, np.eye(N, dtype=bool) & (result <= 0.0))
    size = np.sqrt(np.diag(result))
    uneven = np.abs(result - result.T) > 1e-9 * np.outer(size, size)
    _refuse_first(name, "be symmetric", result, uneven)
    symmetric = (result + result.T) / 2
    try:
        np.linalg.cholesky(symmetric)
    except np.linalg.LinAlgError:
        least = np.linalg.eigvalsh(symmetric)[0]
        raise InputError(f"{name} must be positive definite; its least eigenvalue is {least:.6g}") from None
    return read_only(symmetric)


def _floats(name: str, value: ArrayLike) -> Array:
    try:
        return np.asarray(value, dtype=np.float64)
    except (TypeError, ValueError):
        raise InputError(f"{name} must hold numbers; it is {value!r}") from None


def _refuse_first(name: str, rule: str, values: Array, wrong: NDArray[np.bool_]) -> None:
    if not wrong.any():
        return
    place = tuple(int(i) for i in np.argwhere(wrong)[0])
    spot = f"row {place[0]}" if len(place) == 1 else f"row {place[0]}, column {place[1]}"
    raise InputError(f"{name} must {rule}; at {spot} it is {values[place]}")
