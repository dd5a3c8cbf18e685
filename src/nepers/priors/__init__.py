"""Priors P, fitted on the outcomes of the training data: what one would say without the prediction.

A log ratio is as good as its prior: against a weak one every prediction shines. So the prior is always named,
and never fitted on the outcomes it is judged on: each one remembers its training outcomes and refuses them
(`nepers.priors.leak`).

An older algorithm is a prior too: what it gave to the truth comes from `nepers.ratios`, as ever.
"""
