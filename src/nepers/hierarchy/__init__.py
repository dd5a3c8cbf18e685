"""The model of the paper's appendix, as mathematics. Nothing here samples a posterior.

**The hierarchy.** Data x_k, k = 1 .. n, in N dimensions come from C components, c = 1 .. C. From the top:

    C       ~ Geometric(kappa_C)                    kappa_C^(C-1) (1 - kappa_C), or C is given
    p       ~ Dirichlet(kappa_eta / C, ...)         the C weights
    R_S_mu  ~ Wishart(m_R_S_mu, R_R_S_mu)
    S_mu    ~ Wishart(m_S_mu, R_S_mu)               how closely the locations gather
    mu_mu   ~ Gaussian(mu_mu_mu, S_mu_mu)           where they gather
    m_S     ~ proGamma(a_m_S, b_m_S, N, type 1)
    R_S     ~ Wishart(m_R_S, R_R_S)
    S_c     ~ Wishart(m_S, (m_S - 1) R_S)           precision of component c;  E[S_c^-1] = R_S
    m_c     ~ proGamma(a_m, b_m, N_m, type v)       its shape: small is heavy-tailed
    r_c     = m_c - 1 (v = 1)  or  m_c (v = 2)
    nu_c    ~ Gaussian(0, S_c / kappa_nu)           its skewness
    mu_c    ~ Gaussian(mu_mu, S_mu)                 its location

    c_k     ~ p                                     the component of point k
    alpha_k ~ Gamma(shape m_c, rate r_c)            c = c_k here and below
    x_k     ~ Gaussian(mu_c + nu_c / sqrt(alpha_k), alpha_k S_c)

Every Gaussian is written by mean and **precision**. Given all but alpha_k, x_k is skew-Student
(``skew_student``); given all but c_k too, it is their mixture (``mixture``).

**Symbols beside the paper's.** A subscript becomes an underscore: ``R_R_S_mu`` is the paper's
R_{R_{S_mu}}, ``m_lower`` and ``shape_type`` (v above) are ours, ``eta`` is one eta_c. ``Wishart(m, R)``,
``proGamma`` and the Gamma are the paper's own parameterisations; each file states its density in full.

**Small case.** N = 1, C = 1 and the paper's constants: p = 1; R_S_mu ~ Gamma(2, 2.8);
S_mu ~ Gamma(1.1, R_S_mu); mu_mu ~ Gaussian(0, 1); R_S ~ Gamma(2, 200), about 0.01; S ~ Gamma(m_S,
(m_S - 1) R_S); nu ~ Gaussian(0, S); mu ~ Gaussian(mu_mu, S_mu); r = m - 1; and the mean of x is
``J = mu + nu sqrt(r) Gamma(m - 1/2) / Gamma(m)``.
"""

from nepers.hierarchy.counts import GeometricCount
from nepers.hierarchy.dirichlet import SymmetricDirichlet
from nepers.hierarchy.hyperparameters import Hyperparameters, calibrated, paper, prostate
from nepers.hierarchy.mixture import Mixture
from nepers.hierarchy.prior import Parameters, log_prior, sample_prior
from nepers.hierarchy.progamma import ProGamma
from nepers.hierarchy.skew_student import SkewStudent
from nepers.hierarchy.wishart import Wishart

__all__ = [
    "GeometricCount",
    "Hyperparameters",
    "Mixture",
    "Parameters",
    "ProGamma",
    "SkewStudent",
    "SymmetricDirichlet",
    "Wishart",
    "calibrated",
    "log_prior",
    "paper",
    "prostate",
    "sample_prior",
]
