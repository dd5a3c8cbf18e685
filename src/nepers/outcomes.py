"""What came true, as a column of any type: class labels may be texts, whole numbers, booleans."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nepers.columns import index_labels, series_of
from nepers.errors import InputError
from nepers.rows import name_rows

_FEW = 10  # of one label there are at least so many on average, where labels are called few


@dataclass(frozen=True, eq=False)
class Outcomes:
    """One value for each case under the argument's name, and the user's own row labels if there are any."""

    argument: str
    values: NDArray[Any]
    labels: NDArray[Any] | None


def outcomes(argument: str, data: Any) -> Outcomes:
    """``data`` as a column without missing values, of whatever type it has."""
    found = _from_series(argument, data) or Outcomes(argument, _from_array(argument, data), None)
    missing = _missing(found.values)
    if missing.any():
        raise InputError(f"{argument} must have no missing values; {name_rows(missing, found.labels)}")
    return found


def _from_series(argument: str, data: Any) -> Outcomes | None:
    series = series_of(argument, data)
    if series is None:
        return None
    labels = index_labels(series.to_native())
    missing = series.is_null().to_numpy().astype(bool)
    if missing.any():
        raise InputError(f"{argument} must have no missing values; {name_rows(missing, labels)}")
    return Outcomes(argument, _values(series), labels)


def _values(series: Any) -> NDArray[Any]:
    import narwhals as nw

    if series.dtype.is_numeric():
        return np.asarray(series.to_numpy())
    if series.dtype in (nw.String, nw.Categorical, nw.Enum):
        return _texts(series, nw)
    return np.array(series.to_list())


def _texts(series: Any, nw: Any) -> NDArray[Any]:
    """As objects, and equal ones made once: ten million of numpy's own texts take seconds and gigabytes."""
    if series.implementation.is_pandas_like():
        return np.asarray(series.to_numpy(), dtype=object)
    texts = series.cast(nw.String)
    kinds = texts.unique().to_list()
    if _FEW * len(kinds) > len(texts):
        return np.array(texts.to_list(), dtype=object)
    codes = texts.replace_strict(kinds, list(range(len(kinds))), return_dtype=nw.Int64)
    return np.asarray(np.array(kinds, dtype=object)[codes.to_numpy()])


def _from_array(argument: str, data: Any) -> NDArray[Any]:
    if isinstance(data, np.ma.MaskedArray) and np.ma.getmaskarray(data).any():
        wrong = np.ma.getmaskarray(data).ravel()
        raise InputError(f"{argument} must have no masked values; {name_rows(wrong, None)}")
    if isinstance(data, list | tuple) and len({isinstance(item, str) for item in data}) > 1:
        array = np.empty(len(data), dtype=object)  # numpy would turn the numbers into texts
        array[:] = data
    else:
        array = np.asarray(data)
    if array.ndim != 1:
        raise InputError(
            f"{argument} must have one dimension, an outcome for each case; its shape is {array.shape}"
        )
    return array


def _missing(values: NDArray[Any]) -> NDArray[np.bool_]:
    if values.dtype.kind == "f":
        return np.asarray(np.isnan(values))
    if values.dtype.kind == "O":
        return np.fromiter((v is None or v != v for v in values), dtype=bool, count=values.size)
    return np.zeros(values.shape, dtype=bool)
