"""The betting game: what a prediction earns at the prior's odds, and what that proves while the data come in.

A player starts with a pile of 1. Before each outcome the prediction is a distribution Q; when the truth x
becomes known, the pile is multiplied by what Q gave it over what the prior P gave it:

    pile after t bets = product over i <= t of Q_i(x_i) / P_i(x_i) = exp(j_1 + ... + j_t)

Natural logarithms, as everywhere. The logarithm of the pile is a sum, so for independent cases the pile goes
to infinity if J = E[j] > 0 and to nothing if J < 0; of two players the one with the larger J leaves the other
behind without limit. One j = -inf ruins a player: the pile is 0 for ever.

**Evidence.** Suppose that the prior is right: each x is drawn from P given all that was known before. Then
Q/P has expectation at most 1 whatever Q was, so the pile is a nonnegative supermartingale that starts at 1,
and by Ville's inequality the probability that it *ever* reaches 1/alpha is at most alpha. So with M the
largest pile so far, ``min(1, 1/M)`` is a p-value that may be looked at after every bet, and one may stop when
one likes. The conditions, all of them needed:

- each prediction, and the prior, was made before the outcome it is about, and the bets are in the order in
  which the outcomes became known; that order owes nothing to how well the predictions did;
- Q and P are probability distributions: each sums or integrates to 1 over what might have come true;
- outcomes that become known together are one step, and there "P is right" includes that they are independent.

What is rejected is "P is the true distribution", and not "J <= 0": where P is not right, a prediction with
J <= 0 may reach 1/alpha more often than alpha. The pile of one player over the pile of another is in the same
way evidence against "the other's predictions are the true distribution".

**Confidence sequence.** What J itself is, at a level that holds for all steps at once, can be said only of j
that are bounded: see `nepers.betting.confidence_sequence`.

`bet` plays the game; `Game` answers.
"""

from nepers.betting.confidence_sequence import ConfidenceSequence
from nepers.betting.evidence import Evidence
from nepers.betting.game import Game
from nepers.betting.play import bet

__all__ = ["ConfidenceSequence", "Evidence", "Game", "bet"]
