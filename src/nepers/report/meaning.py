"""What the numbers of a report mean, and what they do not."""

from __future__ import annotations

from nepers.report.markup import Markup, element

_J = (
    "J is the mean, over new cases, of log Q(x) - log P(x): the logarithm of the probability or density "
    "that the prediction Q gives to what comes true, less the logarithm of what the prior P gives it. "
    "Natural logarithms give nats; 1 nat is 1.44 bits. exp(J), with J in nats, is how many times more "
    "probability the prediction gives to the truth, on geometric average."
)
_BET = (
    "Betting on the predictions at the prior's odds makes money grow in the long run exactly if J is above 0."
)
_PRIOR = (
    "The prior matters. A weak prior makes every prediction look good: say which one it was. This report "
    "does not know it."
)
_FIXED = (
    "It holds for a fixed prediction on new cases like those assessed. On cases the prediction was made "
    "from, the number is too good. An average over the folds of a cross-validation is about several "
    "predictions, and the interval does not cover that."
)
_CAUSES = "It says nothing of causes, and nothing of whether new cases are like the old ones."
_FEW = (
    "With few cases the interval leans on the model's own prior; by itself, that puts J between about -3.2 "
    "and 3.2 nats."
)
BEST = (
    "The probability of being the best is about the algorithms as they stand, and about which of them has "
    "the largest J, not about by how much. Before any data each of k algorithms has 1/k; of k equal ones, "
    "one may have much more after, by chance."
)
PICKED = (
    "The J of the one picked for being the best looks better than it is: assess it again on cases that had "
    "no part in the choice."
)


def section(standard: bool) -> list[Markup]:
    """What J means and does not mean; ``standard``: the model's own prior is the default's, for j in nats."""
    does_not = [_FIXED, _PRIOR, _CAUSES, *([_FEW] if standard else [])]
    return [
        element("h2", "What the number means, and what it does not"),
        element("p", _J),
        element("p", _BET),
        element("ul", [element("li", text) for text in does_not]),
    ]
