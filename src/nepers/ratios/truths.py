"""What came true where it is real, and tables of what was predicted of it: finite numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from nepers.columns import Column, column
from nepers.matrices import Matrix, matrix
from nepers.rows import Rows, refuse, refuse_other_cases


def real_truths(data: Any, argument: str = "y_true") -> Column:
    """``data`` as a column of finite numbers."""
    found = column(argument, data)
    refuse(found, np.isinf(found.values), "must be finite")
    return found


def real_table(argument: str, data: Any) -> Matrix:
    """``data`` as (n, k) finite numbers."""
    found = matrix(argument, data)
    found.refuse(np.isinf(found.values), "must be finite")
    return found


def table_of_cases(argument: str, data: Any, truths: Rows) -> Matrix:
    """A row of finite numbers for each case, (n, k); k numbers alone are those of every case, (1, k)."""
    if is_flat(data):
        return Matrix(argument, real_truths(data, argument).values[None, :], None, None)
    found = real_table(argument, data)
    refuse_other_cases(truths, found)
    return found


def is_flat(data: Any) -> bool:
    """Whether this is one column, and not a table."""
    if isinstance(data, list | tuple):
        return len(data) == 0 or np.ndim(data[0]) == 0
    return len(getattr(data, "shape", ())) == 1
