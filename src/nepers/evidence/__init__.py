"""Which hyperparameters do the data favour? Their log evidence, by thermodynamic integration.

The evidence of data x under hyperparameters H is ``p(x | H)``, with every parameter, the number of
components, the allocations and alpha integrated out. Candidates that were equally probable before the data
have posterior probabilities in proportion to it.

**The way.** Stations lead from the prior to the posterior. First a few cases, those of the first stretch,
count with a power b of their Gaussian factor, which rises from 0 to 1:

    prior(theta)  prod_k  p(c_k) Gamma(alpha_k; m, r) Gaussian(x_k; mu + nu/sqrt(alpha_k), alpha_k S)^b

Then b = 1 and the other cases come in, block by block: every further station is the posterior given the
first n_i cases. With alpha and c in the state every conditional keeps its family all the way: in those of
mu, nu and S the sums over cases are multiplied by b, and those of m, p and C are as they were. Without alpha
and c one case of one component has the density, with y = x - mu,

    f_b(x) = 2 r^m/Gamma(m) det(S/2pi)^(b/2) e^(-b nu'S nu/2)
             integral_0^inf beta^(2m + bN - 1) exp(-(r + b y'Sy/2) beta^2 + b y'S nu beta) dbeta,

the skew-Student's integral with sqrt(b) U in the place of U (S = U'U) and bN in that of N; f_0 = 1. The
jumps weigh a state by it. Powers alone, on all cases, would be a worse way: f_b sums the b-th powers of the
components, which is less than the b-th power of their sum, so that mixtures appear all at once near b = 1.

**The order of the cases** changes no evidence. They come in an order in which any first few are spread like
all of them, so that a block tells little that was not expected, and steps may be long.

**Between stations** the way is geometric: with L and L' the likelihoods of two neighbours, alpha and c
integrated out, and the gain G = log L' - log L, the densities are proportional to prior L e^(l G), l from 0
to 1, and

    log evidence = sum over steps of  integral_0^1 E_l[G] dl.

E_l[G] is found from the states at both ends of the step, each weighted by what it is worth at l. Of that
estimate the integral is known: it is the c at which ``mean F(G - c)`` over the states at the beginning is
``mean F(c - G)`` over those at the end, F the logistic function (Bennett's ratio), so there is no error of
quadrature. Beside it stands the stepping-stone estimate, sum of log mean e^G over the states at the
beginnings.

**Ladders.** A ladder has a chain at every station and exchanges states between neighbours; the one at the
prior draws afresh every time. Several ladders run side by side. Walkers that go the way together place the
first stations, each as far as the next one as their weights allow; the shares of exchanges rejected then
place them anew. The standard error is that of the mean over rounds of what each round says of the whole sum,
so that exchange between stations is in it, and it holds for several ladders that have to agree.

**Values that repeat** are atoms (`nepers.atoms`), whose probabilities have the same prior under every
candidate: they are set aside. A density's evidence may be infinite with them.

`choose` does it for several hyperparameters; `log_evidence` for one, in any number of dimensions.
"""

from nepers.evidence.choice import Choice
from nepers.evidence.choosing import choose
from nepers.evidence.estimates import Estimate, LogEvidence
from nepers.evidence.one import log_evidence

__all__ = ["Choice", "Estimate", "LogEvidence", "choose", "log_evidence"]
