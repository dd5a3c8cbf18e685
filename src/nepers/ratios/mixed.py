"""Predictions with a probability of single values beside a density of all others, to log Q(x).

Rain is such a thing: none at all has a probability, and an amount has a density. With atoms a_1, a_2, ..., of
probabilities w_1, w_2, ..., and f the density of the rest, given that x is none of the atoms,

    log Q(x) = log w_i                             where x = a_i exactly
    log Q(x) = log(1 - w_1 - w_2 - ...) + log f(x)     elsewhere

Q and P must have the same atoms. Where Q has one and P has a density only, what Q claims there is infinitely
more than what P does, and the log ratio of a probability to a density means nothing: it changes with the unit
of x. So the same ``atoms`` go into both, and a model without atoms cannot be compared with one that has them.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from nepers.columns import Column, column
from nepers.errors import InputError
from nepers.matrices import Matrix
from nepers.ratios.truths import is_flat, real_table, real_truths
from nepers.rows import name_rows, refuse, refuse_other_cases

Array = NDArray[np.float64]

_ROUNDING = 1e-12  # how far a sum of one may be off it


def log_mixed(y_true: Any, *, atoms: Any, atom_probabilities: Any, log_density: Any) -> Array:
    """The log of the atom's probability where the truth is an atom, and of the density elsewhere.

    y_true: a number for each case, which is an atom only if it is exactly equal to one.
    atoms: the values with probabilities of their own, the same in all cases.
    atom_probabilities: a row for each case and a column for each atom, (n, a); or one column for one atom.
    log_density: for each case the log density of the truth *given that it is no atom*, as `log_parametric`
        and its like give it. At atoms it is not used, but must be a number (minus infinity is one).
    """
    truths = real_truths(y_true)
    values = _atoms(atoms)
    w = _probabilities(atom_probabilities, values)
    f = column("log_density", log_density)
    for given in (w, f):
        refuse_other_cases(truths, given)
    is_atom = truths.values[:, None] == values
    chosen = is_atom.any(axis=1)
    refuse(f, np.isposinf(f.values) & ~chosen, "must be below +inf where y_true is no atom")
    with np.errstate(divide="ignore"):  # the log of zero is minus infinity
        at_atom = np.log(np.where(is_atom, w.values, 0.0).sum(axis=1))
        elsewhere = np.log1p(-_sum(w)) + np.where(chosen, 0.0, f.values)
    return np.where(chosen, at_atom, elsewhere)


def _atoms(atoms: Any) -> Array:
    values = real_truths(atoms, "atoms").values
    if values.size == 0:
        raise InputError("atoms must be at least one value; without any, log_density is log Q(x)")
    different, counts = np.unique(values, return_counts=True)
    if (counts > 1).any():
        raise InputError(f"atoms must be different values; {different[counts > 1][0]:g} is there twice")
    return values


def _probabilities(given: Any, atoms: Array) -> Matrix:
    if is_flat(given):
        found = _one_column(column("atom_probabilities", given))
    else:
        found = real_table("atom_probabilities", given)
    if found.values.shape[1] != atoms.size:
        raise InputError(
            f"atom_probabilities must have a column for each atom; it has {found.values.shape[1]}, "
            f"and there are {atoms.size} atoms"
        )
    found.refuse((found.values < 0.0) | (found.values > 1.0), "must be between 0 and 1")
    total = found.values.sum(axis=1)
    wrong = total > 1.0 + _ROUNDING
    if wrong.any():
        raise InputError(
            f"atom_probabilities must add up to at most 1 in each row; they add up to {total[wrong][0]:.9g} "
            f"in {name_rows(wrong, found.labels)}"
        )
    return found


def _one_column(found: Column) -> Matrix:
    return Matrix(found.argument, found.values[:, None], found.labels, None)


def _sum(w: Matrix) -> Array:
    """The sum of each row; within rounding of one it is one."""
    total = w.values.sum(axis=1)
    return np.where(np.abs(total - 1.0) <= _ROUNDING, 1.0, total)
