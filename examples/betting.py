"""Betting, and looking whenever you like

A model gives every day the probability of rain. The weather office gives one too: how often it rained on this day of
the year. Money is the plainest way to say which knows more: let the model bet at the office's odds. And the game may be
watched from day to day, and ended as soon as it has said enough, which no ordinary test allows.

The days here are simulated, so that the truth is known.

## A year of rain

```python
import numpy as np

import nepers

rng = np.random.default_rng(20)
days = np.datetime64("2025-01-01") + np.arange(365)
usual = 0.35 + 0.15 * np.cos(2 * np.pi * np.arange(365) / 365)  # the office: the rate of the season
weather = rng.normal(0.0, 1.3, 365)
chance = 1 / (1 + np.exp(-(np.log(usual / (1 - usual)) + weather)))  # of the day, which nobody knows
rain = rng.random(365) < chance


def told(logit):
    """The probability of rain, kept between 0.05 and 0.95, as both players promise beforehand."""
    return np.clip(1 / (1 + np.exp(-logit)), 0.05, 0.95)


seen = weather + rng.normal(0.0, 0.6, 365)
careful = told(np.log(usual / (1 - usual)) + 0.8 * seen)
bold = told(np.log(usual / (1 - usual)) + 3 * seen)
```

Both models see the same noisy signs of the weather. One makes careful use of them, the other trusts them too much.

## j is a day's winnings

```python
log_p = np.log(np.where(rain, usual, 1 - usual))
j = {
    "careful": np.log(np.where(rain, careful, 1 - careful)) - log_p,
    "bold": np.log(np.where(rain, bold, 1 - bold)) - log_p,
}
possible = (np.log(0.05 / 0.8), np.log(0.95 / 0.2))  # the office never goes beyond 0.2 and 0.8
game = nepers.bet(j, time=days, bounds=possible)
print(game)
```

```text
careful: after 365 bets a pile of 1 would have become 1.2e18: on geometric average each
bet multiplied it by 1.12.
Evidence of careful against the prior: the largest pile so far is 1.2e18, so p =
8.4e-19, valid at whatever time one looks; it first reached 20 after 26 bets.
The J of careful, averaged over the bets so far, is between 0.021 and 0.189 nats (95%
confidence sequence, which holds at all times at once), if every possible j lies between
-2.77259 and 1.55814, as stated.
bold: after 365 bets a pile of 1 would have become 3.6e-8: on geometric average each bet
multiplied it by 0.954.
Evidence of bold against the prior: the largest pile so far is 99.7, so p = 0.0100,
valid at whatever time one looks; it first reached 20 after 118 bets.
The J of bold, averaged over the bets so far, is between -0.243 and 0.123 nats (95%
confidence sequence, which holds at all times at once), if every possible j lies between
-2.77259 and 1.55814, as stated.
Evidence of careful against bold: the largest pile over that of bold so far is 2.1e26,
so p = 4.7e-27, valid at whatever time one looks; it first reached 20 after 17 bets.
This holds if each prediction was made before its outcome and the bets are in the order
of time. The evidence is against the prior being the true distribution: it is no proof
that J is above 0.
Each p-value is for its own pair alone, without allowance for choosing among several.
```

Each player starts with 1. A day multiplies it by what the player gave to the truth over what the office gave, that is
by exp(j). On geometric average over many days that is exp(J): the pile grows in the long run exactly if J is above 0.

```python
game.plot_piles().figure.savefig("betting_piles.svg")
```

![The money of both players over the year, on a logarithmic scale](betting_piles.svg)

## When is it enough?

If the office's probabilities were right, no way of betting could make the pile reach 20, ever, with more than
probability 1/20. So the largest pile so far is evidence against the office, valid at whatever moment you look:

```python
evidence = game.evidence("careful")
print(f"the pile was 20 or more after {evidence.reached_after} bets, on {days[evidence.reached]}")
```

```text
the pile was 20 or more after 26 bets, on 2025-01-26
```

Whoever decided on that day to stop, because the evidence was enough, may say so without any correction. The same with
an ordinary p-value, looked at daily, finds "significance" sooner or later even where there is nothing.

A small pile does not show that a model knows nothing: the bold one sees what the careful one sees, and bets too much on
it. Its probabilities are at fault, and [recalibration](classifier.md#would-recalibration-help) may bring out what it
knows.

## How large is J?

```python
sequence = game.confidence_sequence("careful")
low, high = sequence.now
print(f"J of the careful model: {low:.3f} to {high:.3f} after a year, whenever one looks")
game.plot_confidence("careful").figure.savefig("betting_confidence.svg")
```

```text
J of the careful model: 0.021 to 0.189 after a year, whenever one looks
```

![The interval for J of the careful model after each day, narrowing over the year](betting_confidence.svg)

The price of looking at any time is width. It also needs `bounds`, between which every possible j lies, known before
the outcomes; that is why both players promised to stay between 0.05 and 0.95. If the number of cases is fixed
beforehand, `assess` says more:

```python
print(nepers.assess(j["careful"], seed=1))
```

```text
J = 0.115 nats, 95% credible interval 0.073 to 0.156, from 365 unseen cases (posterior
mean; median 0.115).
The prediction is better than the prior with probability more than 0.999.
On geometric average it gives what comes true 1.12 times the probability that the prior
gives it (1.08 to 1.17).
It holds for this prediction as it stands, on new cases like these, if made without
these.
```: docs/tutorials/betting.md without the words between.

## What it takes
"""

# A year of rain
import numpy as np

import nepers

rng = np.random.default_rng(20)
days = np.datetime64("2025-01-01") + np.arange(365)
usual = 0.35 + 0.15 * np.cos(2 * np.pi * np.arange(365) / 365)  # the office: the rate of the season
weather = rng.normal(0.0, 1.3, 365)
chance = 1 / (1 + np.exp(-(np.log(usual / (1 - usual)) + weather)))  # of the day, which nobody knows
rain = rng.random(365) < chance


def told(logit):
    """The probability of rain, kept between 0.05 and 0.95, as both players promise beforehand."""
    return np.clip(1 / (1 + np.exp(-logit)), 0.05, 0.95)


seen = weather + rng.normal(0.0, 0.6, 365)
careful = told(np.log(usual / (1 - usual)) + 0.8 * seen)
bold = told(np.log(usual / (1 - usual)) + 3 * seen)

# j is a day's winnings
log_p = np.log(np.where(rain, usual, 1 - usual))
j = {
    "careful": np.log(np.where(rain, careful, 1 - careful)) - log_p,
    "bold": np.log(np.where(rain, bold, 1 - bold)) - log_p,
}
possible = (np.log(0.05 / 0.8), np.log(0.95 / 0.2))  # the office never goes beyond 0.2 and 0.8
game = nepers.bet(j, time=days, bounds=possible)
print(game)

game.plot_piles().figure.savefig("betting_piles.svg")

# When is it enough?
evidence = game.evidence("careful")
print(f"the pile was 20 or more after {evidence.reached_after} bets, on {days[evidence.reached]}")

# How large is J?
sequence = game.confidence_sequence("careful")
low, high = sequence.now
print(f"J of the careful model: {low:.3f} to {high:.3f} after a year, whenever one looks")
game.plot_confidence("careful").figure.savefig("betting_confidence.svg")

print(nepers.assess(j["careful"], seed=1))
