"""One coordinate of the hierarchy's mixture, given what is known of the others of the same case.

A case is ``y = x + n``: x from a mixture of skew-Student components (`nepers.hierarchy`), n the noise of
measurement, if there is any. K are the coordinates of y that are known, possibly none; 1 is the one asked
for. With alpha the component's scale of the case, gamma its noise's, Sigma = S^-1 and Sigma_n = S_n^-1,

    alpha ~ Gamma(m, r)           y | alpha, gamma ~ Gaussian(mean mu + nu / sqrt(alpha),
    gamma ~ Gamma(m_n, m_n)                                   covariance Sigma / alpha + Sigma_n / gamma)

**Alpha, given what is known.** Were nu zero and noise absent, alpha given y_K would be a Gamma again. With
skewness it is not. Let ``beta = sqrt(alpha)`` and ``delta = alpha / gamma`` (0 without noise), and in the
basis that makes Sigma_KK the identity and Sigma_n,KK diagonal, with elements d_i, let

    v_i = 1 + d_i delta,    q = sum y_i^2 / v_i,    l = sum y_i nu_i / v_i,    k = sum nu_i^2 / v_i

(y measured from mu). Then, with A = 2 m + 2 m_n + |K| and R = r + m_n / delta + q / 2,

    p(beta, log delta, y_K)  is proportional to
        beta^(A-1) exp(-R beta^2 + l beta) delta^-m_n exp(-k/2) prod v_i^-1/2

a modified half-normal law of beta for each delta. Its integral over beta is the h of
`nepers.hierarchy.half_line_integral`; that over log delta is a trapezoid sum.

**The coordinate, given alpha and delta,** is Gaussian, with the usual formulas of regression:

    y_1 | beta, delta, y_K ~ Gaussian(a(delta) + b(delta) / beta,  variance V(delta) / beta^2)

So y_1 given y_K is a mixture of Gaussians over the nodes of two trapezoid sums. The integrands are analytic
and fall off on both sides, so the sums converge exponentially: some 1e-8 of the density is left in error.

**Over components and posterior draws** theta, with weights w_c, the predictive distribution of a new case is

    p(y_1 | y_K, data) = sum_theta sum_c w_c f_c(y_1, y_K)  /  sum_theta sum_c w_c f_c(y_K)

so that each draw counts by the density that it gives to the new case's own known values; an unweighted
average of the draws' conditionals would be another distribution. A case with nothing known gets the marginal.
"""
