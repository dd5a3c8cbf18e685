"""Betting, and looking whenever you like: docs/tutorials/betting.md without the words between.

A model gives every day the probability of rain. The weather office gives one too: how often it rained on this
day of the year. Money is the plainest way to say which knows more: let the model bet at the office's odds.
And the game may be watched from day to day, and ended as soon as it has said enough, which no ordinary test
allows.
"""

# A year of rain
import numpy as np
from scipy.stats import norm

import nepers

rng = np.random.default_rng(20)
days = np.datetime64("2025-01-01") + np.arange(365)
usual = 0.35 + 0.15 * np.cos(2 * np.pi * np.arange(365) / 365)  # the office: the rate of the season

# it rains if the pressure falls below a limit; a part of the pressure can be foreseen
limit = norm.ppf(usual)
foreseen = rng.normal(0.0, 0.6, 365)
rain = foreseen + rng.normal(0.0, 0.8, 365) < limit

# both players promise to stay between 0.05 and 0.95
careful = np.clip(norm.cdf((limit - foreseen) / 0.8), 0.05, 0.95)
bold = np.clip(norm.cdf((limit - foreseen) / 0.1), 0.05, 0.95)

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
