"""Thousands of assessments: every segment, every model, side by side on the cores or the cluster there is.

`assess_many` and `compare_many` take what to assess by name, and give a row for each name: the numbers that
`nepers.assess` and `nepers.compare` give, or the words of the error if that one failed. One failure stops no
other.

**Where they run.** By joblib, on processes of this machine, or on another of its backends:
``backend="dask"``, "ray" or "spark" on what the user has started, or whatever ``joblib.parallel_config``
says. Each is one task on one core.

**The seed** of each comes from the one given and from its name, so neither the backend, nor the order, nor
what else is assessed changes an answer.

**Resuming.** With a ``folder``, each row is written there as soon as it is known, whole, under a name made
from the name, the settings and the data. A run that was killed and is started again does what is left; what
has changed is done anew, and failures are tried again.
"""

from nepers.many.api import assess_many, compare_many
from nepers.many.result import Many

__all__ = ["Many", "assess_many", "compare_many"]
