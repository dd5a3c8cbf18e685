"""Log scores of other libraries to log Q(x).

    log Q(x) = -score

The log score, or ignorance, is minus the logarithm of what the prediction gave to the truth: less is better,
and plus infinity says that it gave the truth probability zero. scoringrules (``logs_normal`` and its other
``logs_...``) and properscoring's family write it so. Natural logarithms: a score in bits is to be multiplied
by log 2 first.

No other score can be turned round in this way. The CRPS and the Brier score are proper too, but they are not
logarithms of probabilities.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from nepers.columns import column
from nepers.rows import refuse


def from_log_score(score: Any) -> NDArray[np.float64]:
    """Minus ``score``: for each case -log Q(x) in nats, less is better."""
    given = column("score", score)
    refuse(
        given,
        np.isneginf(given.values),
        "must be above -inf: less is better, and no probability or finite density has such a score "
        "(what gave the truth probability zero scores +inf)",
    )
    return 0.0 - given.values  # not -values, which makes -0.0 of zero
