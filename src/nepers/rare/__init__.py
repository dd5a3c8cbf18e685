"""J where classes are rare: every class counts in every case, and not only the one that came true.

The mean of j over the cases knows of a rare class only through the few cases in which it came true, and more
than a third of all samples of fifty cases hold no event of 2%. But what Q and P say of each class is known in
every case:

    J = E_y sum_k p(k|y) j_k(y),        j_k(y) = log Q(k|y) - log P(k|y)

and of this only p(k|y), the true probability, and the distribution of y are unknown. They are modelled so:

    p(k|y) = softmax(b_k + slope * log Q(k|y))      Q recalibrated; with b = 0 and slope = 1, Q itself
    b_k - b_l ~ Gaussian, sd shift_sd               for two classes logit p = shift + slope * logit Q
    slope ~ Gaussian, mean 1, sd slope_sd
    y ~ Dirichlet process                           `nepers.rare.expectation`

The recalibration and the distribution of y are independent, before the cases and after them. The posterior of
the recalibration is drawn from by quadrature for two classes and by elliptical slice sampling for more.

**What it assumes.** That the truth is a recalibration of Q, the same one for all cases. Where Q is wrong in a
way that no recalibration would mend, J may be off, and the interval too narrow. `nepers.assess` assumes
nothing of the kind, and is the one to use where every class has come true often.

**Certainty.** Where Q(k|y) = 0 and class k came true, J is minus infinity, as always. Where it did not, the
recalibration leaves the zero: the claim is taken at its word, and the answer in words says in how many cases.
"""

from nepers.rare.api import assess_classes
from nepers.rare.result import ClassAssessment

__all__ = ["ClassAssessment", "assess_classes"]
