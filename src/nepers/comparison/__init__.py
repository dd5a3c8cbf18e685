"""Several algorithms on the same cases: which is better, by how much, and how sure can you be?

All the J have one joint posterior, so that what is said of any two algorithms, or of all, fits together: in
every draw, J of b relative to the prior is J of a relative to the prior plus J of b relative to a.

`compare` is the one call, `Comparison` its answer, `nepers.comparison.axes` says how the joint posterior is
made, and `nepers.comparison.ranking` what the order's probabilities mean.
"""

from nepers.comparison.api import compare
from nepers.comparison.result import Algorithm, Comparison

__all__ = ["Algorithm", "Comparison", "compare"]
