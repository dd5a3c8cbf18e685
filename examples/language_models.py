"""Three language models: docs/tutorials/language_models.md without the words between.

A small, a middle and a large language model have read the same hundred documents. From the log probabilities
of their tokens: which predicts better, by how much, and is it sure?
"""

# The tokens of each model
import numpy as np
import pandas as pd

import nepers
from nepers.ratios import log_document

rng = np.random.default_rng(4)
texts = [f"text {i:03d}" for i in range(100)]
surprise = [rng.gamma(0.8, 4.0, size) for size in rng.integers(60, 400, 100)]  # of each word, in nats


def read_by(pieces, factor):
    """The table of a model that cuts words into up to so many pieces: a row for each token."""
    tables = []
    for text, words in zip(texts, surprise, strict=True):
        cost = factor * words * rng.lognormal(0.0, 0.3, words.size)
        cuts = rng.integers(1, pieces + 1, words.size)
        tables.append(pd.DataFrame({"text": text, "log_prob": np.repeat(-cost / cuts, cuts)}))
    return pd.concat(tables, ignore_index=True)


models = {"small": read_by(3, 1.03), "middle": read_by(2, 1.005), "large": read_by(2, 0.99)}
print(models["small"].head(3).round(2))
print({name: len(table) for name, table in models.items()})

# Documents are the cases
documents = {name: log_document(table["log_prob"], document=table["text"]) for name, table in models.items()}
print(documents["small"].tokens[:3], documents["small"].log_q[:3].round(1))

# Nats per document, and the scale
small = documents["small"]
comparison = nepers.compare(
    log_q={name: found.like(small) for name, found in documents.items()},
    reference="small",
    scale=10.0,
    equivalence=1.0,
    seed=1,
)
print(comparison)

comparison.plot_pairwise().figure.savefig("language_models.svg")

# By how much, per word?
gain = comparison.difference("large", "small")
low, high = gain.interval()
words = np.mean([len(one) for one in surprise])
print(f"large over small: {gain.mean:.1f} nats a document ({low:.1f} to {high:.1f})")
print(f"which is {gain.mean / words:.3f} nats a word")
