"""Three language models

A small, a middle and a large language model have read the same hundred documents. From the log probabilities of their
tokens: which predicts better, by how much, and is it sure?

The log probabilities here are *simulated*, so that the page needs no model and the truth is known. With your own, a
table like this comes from any tool that gives the log probability of each token of a given text.

## The tokens of each model

```python
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


models = {"small": read_by(3, 1.03), "middle": read_by(2, 1.005), "large": read_by(2, 1.0)}
print(models["small"].head(3).round(2))
print({name: len(table) for name, table in models.items()})
```

```text
       text  log_prob
0  text 000     -3.42
1  text 000     -3.42
2  text 000    -10.23
{'small': 49498, 'middle': 37068, 'large': 37015}
```

The small model cuts the texts into other tokens than the other two. That does no harm: the probability of a text is
that of its tokens together, however it is cut.

## Documents are the cases

The tokens of a text depend on one another. If each of tens of thousands of tokens were a case, J would look far surer
than it is. So the logs are added up within each document:

```python
documents = {name: log_document(table["log_prob"], document=table["text"]) for name, table in models.items()}
print(documents["small"].tokens[:3], documents["small"].log_q[:3].round(1))
```

```text
[616 748 731] [-1102.8 -1448.8 -1260.7]
```

Log probabilities *per token* could not be compared here, as the tokens are not the same.

## Nats per document, and the scale

A text is worth hundreds of nats, and two models differ by some tens of them. The model that nepers has of j is made
for log ratios of the order of one nat. `scale` says that these are ten times that; choose it before looking at the
results.

```python
small = documents["small"]
comparison = nepers.compare(
    log_q={name: found.like(small) for name, found in documents.items()},
    reference="small",
    scale=10.0,
    equivalence=1.0,
    seed=1,
)
print(comparison)
```

```text
        J       95% interval      gain    95% interval      P(better)  P(best)  verdict
large   25.106  18.412 to 32.152  25.106  18.412 to 32.152  1.000      0.964    better
middle  19.139  12.462 to 26.040  19.139  12.462 to 26.040  1.000      0.036    better
small   0.000   0.000 to 0.000    0.000   0.000 to 0.000    0.000      0.000    reference

J in nats, relative to 'small', from 100 unseen cases. The verdict is against 'small';
gains within 1 nats of 0 count as equivalent.
'large' is the best of these (probability 0.964).
The one that comes out first of 3 looks better than it is: assess it again on cases that
had no part in the choice.
It holds for these algorithms as they stand, on new cases like these, if made without
these.
```

There is no prior here but the small model itself: `reference="small"` puts it in the prior's place, and the J of the
others is what they know beyond it, in nats per document. `like` puts the documents in the same order, and is an error
if they are not the same documents. `equivalence=1.0` says that a gain of less than one nat for a whole document is as
good as none.

```python
comparison.plot_pairwise().figure.savefig("language_models.svg")
```

![For each pair of models, the probability that the one is better than the other](language_models.svg)

## By how much, per word?

```python
gain = comparison.difference("large", "small")
low, high = gain.interval()
words = np.mean([len(one) for one in surprise])
print(f"large over small: {gain.mean:.1f} nats a document ({low:.1f} to {high:.1f})")
print(f"which is {gain.mean / words:.3f} nats a word")
```

```text
large over small: 25.1 nats a document (18.4 to 32.2)
which is 0.102 nats a word
```: docs/tutorials/language_models.md without the words between.

## What it does not say
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


models = {"small": read_by(3, 1.03), "middle": read_by(2, 1.005), "large": read_by(2, 1.0)}
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
