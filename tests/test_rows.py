"""Columns side by side must be of the same cases."""

import numpy as np
import pytest

from nepers.columns import Column
from nepers.errors import InputError
from nepers.outcomes import Outcomes
from nepers.rows import refuse, refuse_other_cases


def column(*labels):
    return Column("a", np.arange(float(len(labels))), np.array(labels), None)


def test_rows_are_named_as_the_user_names_them():
    # red if: the value is not that of the row named first
    with pytest.raises(InputError, match=r"^a must be small; 1.0 in rows y, z \(2 of 3\)$"):
        refuse(column("x", "y", "z"), np.array([False, True, True]), "must be small")
    refuse(column("x"), np.array([False]), "must be small")


def test_the_same_cases():
    # red if: rows without labels are held against rows with labels, or the lengths are not compared first
    refuse_other_cases(column("x", "y"), Outcomes("b", np.array([1, 2]), None))
    with pytest.raises(InputError, match="a has 2, b 1"):
        refuse_other_cases(column("x", "y"), Outcomes("b", np.array([1]), np.array(["x"])))
    with pytest.raises(InputError, match=r"at position 1 a has .*'y'.* and b .*'z'"):
        refuse_other_cases(column("x", "y"), Outcomes("b", np.array([1, 2]), np.array(["x", "z"])))
