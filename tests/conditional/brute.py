"""A coordinate given others by plain sums over a fine grid of both scales, written apart from the package."""

import numpy as np
from scipy import stats


def log_conditional(mixture, noise, y, known, target, places, noisy):
    """log p(y_target | y_known) at ``places``, and log p(y_known)."""
    log_alpha, log_gamma = np.linspace(-14.0, 4.0, 800), np.linspace(-8.0, 3.0, 600)
    top, bottom = np.zeros(len(places)), 0.0
    for c in range(mixture.C):
        alpha, gamma = np.exp(log_alpha)[:, None], np.exp(log_gamma)[None, :]
        weight = mixture.p[c] * _mass(log_alpha, mixture.m[c], mixture.r[c])[:, None]
        Sigma = np.linalg.inv(mixture.S[c]) / alpha[..., None, None]
        if noise is None:
            gamma, of_noise = np.ones((1, 1)), np.zeros_like(Sigma)
        else:
            weight = weight * _mass(log_gamma, noise.m, noise.m)[None, :]
            of_noise = np.linalg.inv(noise.S) / gamma[..., None, None]
        centre = mixture.mu[c] + mixture.nu[c] / np.sqrt(alpha)[..., None]
        own = of_noise * noisy
        M = Sigma[..., known[:, None], known] + of_noise[..., known[:, None], known]
        cross = Sigma[..., known, target] + own[..., known, target]
        solved = np.linalg.solve(M, np.broadcast_to(cross, M.shape[:-1])[..., None])[..., 0]
        away = y - centre[..., known]
        by = (away * np.linalg.solve(M, np.broadcast_to(away, M.shape[:-1])[..., None])[..., 0]).sum(-1)
        part = weight * np.exp(-0.5 * (by + np.linalg.slogdet(2 * np.pi * M)[1]))
        mean = centre[..., target] + (solved * away).sum(-1)
        variance = Sigma[..., target, target] + own[..., target, target] - (solved * cross).sum(-1)
        bottom += part.sum()
        top += [(part * stats.norm.pdf(u, mean, np.sqrt(variance))).sum() for u in places]
    return np.log(top / bottom), np.log(bottom)


def _mass(logs, m, r):
    return stats.gamma(m, scale=1.0 / r).pdf(np.exp(logs)) * np.exp(logs) * (logs[1] - logs[0])
