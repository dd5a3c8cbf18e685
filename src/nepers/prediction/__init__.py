"""The hierarchy for data that are noisy, censored and incomplete.

    x_k ~ the mixture of `nepers.hierarchy`, in N dimensions; coordinate 0 is the time, in logs
    n_k ~ Student(m_n, r_n = m_n, S_n), or no noise
    y_k = x_k + n_k, of which any value may be missing; of y_k's coordinate 0 only an interval may be known

`observations` says what is known of each case, `moments` gives the mean and covariance that the paper's table
needs, `sampling` draws from the posterior, by the chains of `nepers.gibbs`, and `agreement` tells whether the
chains predict alike:

    observations = Observations(values, lower, upper)
    hyperparameters = nepers.hierarchy.prostate(*robust_moments(observations))
    noise = Noise(5.0, 100.0 * np.eye(N))
    draws = draw_posterior(observations, noise, hyperparameters, seed=1)

The draws are `nepers.gibbs.draws.Draws`, of the distribution of x. Their `log_likelihood` is that of the
values in the state at that time: what is missing integrated out, what is censored or noisy as last drawn.
To run chains until they are known to agree, `make_sampler` gives what `nepers.running.run_on` takes.
"""
