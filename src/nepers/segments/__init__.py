"""J by group: where a prediction earns its worth, and where it loses it.

The paper's event additivity: if every case is in one of G groups, and group g has the share w_g of new cases,

    J = sum_g w_g J_g               J_g = E[j | the case is in group g]

exactly. `segment` gives the joint posterior of all J_g and w_g as independent draws in which this identity
holds draw by draw, so that each group's part in the whole can be read off.

**Each group on its own.** Its cases give J_g a posterior as in `nepers.assess`, from the hierarchy's prior
pi0. Divided by pi0, that posterior is what the group's cases alone say of J_g: its likelihood L_g(J).

**The groups together.** Twenty groups of thirty cases have twenty wide posteriors, and the best and the
worst of them are so by luck as well. So the groups are taken to be a family. Let z = T(J) be the increasing
map that makes pi0 a standard Gaussian (`score`). A priori

    m ~ Gaussian(0, 1)                               where the family is
    tau ~ half-Cauchy(1/4), below 1                  how wide it is; in z, where 1 is the whole width of pi0
    z_g = sqrt(1 - tau^2) m + tau e_g                e_g ~ Gaussian(0, 1): with probability 49/50
    z_g = e_g                                        a group that stands apart: with probability 1/50

so that the prior of every single J_g is pi0 whatever tau is: the family relates the groups to one another
and adds nothing to what each is believed to be. A tau of 0 makes all groups one; a tau of 1 leaves each to
itself. Near J = 0 and with the paper's constants 0.1 of tau is 0.12 nats. The posterior is

    p(m, tau | all) = p(m) p(tau) prod_g (49/50 A_g + 1/50),     A_g = integral of L_g(z) p(z | m, tau) dz

with the likelihoods as mixtures of Gaussians, for which A_g has a closed form (`kernels`), and m and tau on
a grid that is fitted to where the posterior is (`family`). The draws are independent and there are no chains
in this step. A small group is drawn towards the family by as much as the family is narrow and its own cases
say little; a group whose cases contradict the family gets its own posterior back, heavy tail and all.

**The whole** has the posterior that `nepers.assess` gives it from all cases at once, with the same seed. The
family alone would put it too high where rare cases are very bad, as it leans on the groups that have met
none of them; so its joint posterior is given the J of `assess`, and otherwise changed as little as may be
(`anchor`).

**The shares.** w ~ Dirichlet(n_1 + 2/G, ..., n_G + 2/G) before that change, or known ones, ``weights=``, for
a population whose shares differ from those of the cases; the whole then is that population's.

**Many groups.** The intervals allow for looking at the group that came out best or worst: they are posterior
intervals of all J_g together, and what singles out a group after the event is in the data. Of the worst of
20 groups that are truly alike, the 95% interval from its own cases contains the truth about three times in
five, and this one 97 times in a hundred.

**Atoms and certainty.** In a group with repeated values (`nepers.atoms`) the prior of J_g given those values
is multiplied by the family's density over pi0, as in any other group. A group in which the truth got
probability zero has J_g = -inf. It takes no part in the family; it makes the whole -inf; the others' rows
are not touched by it, and their family is anchored to what `assess` says of their cases.
"""

from nepers.segments.result import Segments
from nepers.segments.segmenting import segment

__all__ = ["Segments", "segment"]
