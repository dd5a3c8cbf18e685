"""The statistics by which draws are judged. All p-values are two-sided and, for independent draws, exact or
nearly so.

A right sampler is refused below REFUSE_RIGHT; with about 500 p-values in this room that is a false alarm in
one
out of two hundred choices of the seeds, which are fixed. A wrong one has to fall below CATCH_WRONG.
"""

import numpy as np
from scipy import stats

REFUSE_RIGHT = 1e-5
CATCH_WRONG = 1e-7


def uniform_p(u):
    """That u are independent uniforms."""
    return float(stats.kstest(np.clip(u, 0.0, 1.0), "uniform", method="asymp").pvalue)


def normal_p(z):
    """That z are independent standard normals."""
    return uniform_p(stats.norm.cdf(z))


def same_p(a, b):
    """That two samples are from the same distribution; ties may occur."""
    return float(stats.ks_2samp(a, b, method="asymp").pvalue)


def symmetric_p(before, after):
    """That (before, after) and (after, before) have the same joint distribution, as a reversible move makes
    them.

    The least of four p-values, times four: as many rises as falls; ranks of rises and of falls alike; and
    both
    again of the pairs with a greater and with a smaller mean, the former counted the other way round.
    """
    change = after - before
    # a split keeps the mean of mu, so that its change is rounding error, which need not be symmetric
    moved = np.abs(change) > 1e-9 * np.maximum(np.abs(before), np.abs(after))
    if moved.sum() < 20:
        return 1.0
    change, middle = change[moved], (after + before)[moved]
    side = np.where(middle > np.median(middle), 1.0, -1.0)
    p = []
    for d in (change, change * side):
        p.append(stats.binomtest(int((d > 0.0).sum()), d.size).pvalue)
        p.append(stats.wilcoxon(d, method="asymptotic").pvalue)
    return float(min(1.0, 4.0 * min(p)))


def counts_p(observed, probability):
    """That counts are multinomial; rare classes are put together."""
    expected = observed.sum() * probability
    order = np.argsort(-expected)
    observed, expected = observed[order], expected[order]
    kept = max(int((expected >= 10.0).sum()), 1)
    observed = np.append(observed[:kept], observed[kept:].sum())
    expected = np.append(expected[:kept], expected[kept:].sum())
    if expected[-1] < 5.0:
        observed = np.append(observed[:-2], observed[-2:].sum())
        expected = np.append(expected[:-2], expected[-2:].sum())
    return float(stats.chisquare(observed, expected * observed.sum() / expected.sum()).pvalue)


def mean_p(values, truth):
    """That independent values have the mean `truth`."""
    z = (values.mean() - truth) / (values.std(ddof=1) / np.sqrt(values.size))
    return float(2.0 * stats.norm.sf(abs(z)))


def least(p_values):
    """The name and value of the least of {name: p}."""
    name = min(p_values, key=p_values.get)
    return name, p_values[name]


def right(p_values):
    """Nothing found against the sampler."""
    name, p = least(p_values)
    assert p > REFUSE_RIGHT, f"{name}: p = {p:.3g}"


def caught(p_values):
    """The wrong sampler is found out."""
    name, p = least(p_values)
    assert p < CATCH_WRONG, f"not caught: the least p is that of {name}, {p:.3g}"
