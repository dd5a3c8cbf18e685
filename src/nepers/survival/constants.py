"""The constants of the hierarchy for patients, made from the mean and covariance of the training data.

| name | what |
|---|---|
| "paper" | the paper's for the recurrence of prostate cancer: few components, each much as the whole |
| "medium" | more components, and such as differ from the whole: worth 20 cases and not 133 |
| "wide" | many components of any form, worth 3 cases |

Several tables stand for their average, each as probable as another beforehand: what differs between them then
need not be chosen, and the data of every new patient weigh them too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from nepers.errors import InputError
from nepers.hierarchy import prostate

if TYPE_CHECKING:
    from nepers.hierarchy import Hyperparameters

Array = NDArray[np.float64]


def medium(mean: Array, covariance: Array) -> Hyperparameters:
    """Between the other two."""
    inverse = np.linalg.inv(covariance)
    return prostate(mean, covariance).replace(
        kappa_C=0.3,
        S_mu_mu=inverse,
        m_S_mu=2.0,
        R_R_S_mu=4.0 * inverse,
        b_m=5.0,
        m_lower=0.6,
        m_R_S=20.0,
        R_R_S=30.0 * inverse,
    )


def wide(mean: Array, covariance: Array) -> Hyperparameters:
    """Little said beforehand."""
    inverse = np.linalg.inv(covariance)
    return prostate(mean, covariance).replace(
        kappa_nu=0.3,
        kappa_C=0.5,
        S_mu_mu=inverse,
        m_S_mu=1.5,
        R_R_S_mu=2.0 * inverse,
        b_m=5.0,
        m_R_S=3.0,
        R_R_S=6.0 * inverse,
        b_m_S=0.5,
    )


TABLES = {"paper": prostate, "medium": medium, "wide": wide}


def tables(asked: Any, mean: Array, covariance: Array) -> list[Hyperparameters]:
    """The constants asked for: by name, as a function of the moments, as they are, or several of these."""
    if isinstance(asked, list | tuple):
        if not asked:
            raise InputError("hyperparameters must be at least one table; the list is empty")
        return [one for part in asked for one in tables(part, mean, covariance)]
    from nepers.hierarchy import Hyperparameters

    found = asked
    if isinstance(asked, str) and asked in TABLES:
        found = TABLES[asked](mean, covariance)
    elif callable(asked):
        found = asked(mean, covariance)
    if not isinstance(found, Hyperparameters):
        raise InputError(
            f"hyperparameters must be one of {', '.join(map(repr, TABLES))}, Hyperparameters, a function of "
            f"mean and covariance that gives these, or a list; it is {found!r}"
        )
    return [found]
