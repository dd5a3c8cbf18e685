"""A classifier

Three classifiers tell benign from malignant tumours. How much are their probabilities worth, which is best, and what
would make them better? The data come with scikit-learn: 569 tumours, each with 30 measurements of its cells.

## Train on some cases, predict others

```python
import numpy as np
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import load_breast_cancer
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import nepers
from nepers.improvement import recalibrate_classes
from nepers.priors import class_frequencies
from nepers.ratios import log_class

X, y = load_breast_cancer(return_X_y=True)
X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.4, stratify=y, random_state=0)
nepers.refuse_seen(X_test, X_train)

models = {
    "logistic": make_pipeline(StandardScaler(), LogisticRegression()),
    "naive Bayes": GaussianNB(),
    "forest": RandomForestClassifier(n_estimators=50, random_state=1),
}
for model in models.values():
    model.fit(X_train, y_train)
```

Everything that follows is about the test cases alone. `refuse_seen` stops the program if one of them is in the
training data too.

## The prior

What would one say of a tumour without measuring it? How often each class came up *in the training data*:

```python
prior = class_frequencies(y_train)
log_p = prior.log_p(y_test)
print({int(k): round(float(p), 3) for k, p in zip(prior.labels, prior.probabilities, strict=True)})
```

```text
{0: 0.373, 1: 0.627}
```

Class 0 is malignant, 1 benign. `log_p` is the logarithm of the probability that this prior gives to what came true,
one number for each test case.

## What each classifier gave to the truth

```python
log_q = {
    name: log_class(y_test, model.predict_proba(X_test), labels=model.classes_)
    for name, model in models.items()
}
for name, model in models.items():
    print(f"{name}: accuracy {model.score(X_test, y_test):.3f}, mean j {np.mean(log_q[name] - log_p):.2f}")
```

```text
logistic: accuracy 0.965, mean j 0.59
naive Bayes: accuracy 0.934, mean j -0.60
forest: accuracy 0.952, mean j -inf
```

All three are right most of the time. Their probabilities are another matter. j is `log_q - log_p`: how much more the
classifier gave to the truth than the prior did. Those of naive Bayes are *worse than the prior's*, and the forest said
"impossible" of something that happened.

## The forest's zero

A forest gives the share of its trees that say "benign", and if none does, it says zero. Zero is a claim of certainty.
When it is wrong, J is minus infinity, and nepers names the cases:

```python
forest = nepers.assess(log_q=log_q["forest"], log_p=log_p)
print(forest)
```

```text
J = -inf: the prediction gave the truth probability zero in 1 of 228 cases (row 18).
One such case settles it: whatever the others say, the expected log ratio is minus
infinity. The finite cases alone are not an answer: they would assess a prediction that
was not made.
```

Leaving the case out, or putting a small number in the place of the zero, would assess another prediction. If another
one is meant, make it, from the training data, and assess that. Here a logistic curve is put on the forest's shares,
fitted by cross-validation within the training data:

```python
models["calibrated forest"] = CalibratedClassifierCV(models["forest"], cv=3).fit(X_train, y_train)
log_q["calibrated forest"] = log_class(y_test, models["calibrated forest"].predict_proba(X_test))
```

[My model gives a zero](../how-to/zero_probability.md) has other ways.

## How sure can you be?

The mean of j over these cases is not yet J, its mean over all cases to come. `assess` says what is known of J:

```python
answer = nepers.assess(log_q=log_q["calibrated forest"], log_p=log_p, seed=1)
print(answer)
```

```text
J = 0.537 nats, 95% credible interval 0.481 to 0.588, from 228 unseen cases (posterior
mean; median 0.538).
The prediction is better than the prior with probability more than 0.998.
On geometric average it gives what comes true 1.71 times the probability that the prior
gives it (1.62 to 1.8).
Taken as single values with probabilities of their own (and their cases): 0.4474 (46),
0.9631 (29), 0.447 (12), 0.4454 (5), 0.4458 (4) and 11 more.
The other 103 cases have a continuous distribution.
It holds for this prediction as it stands, on new cases like these, if made without
these.
```

```python
answer.plot_histogram().figure.savefig("classifier_log_ratios.svg")
answer.plot_posterior().figure.savefig("classifier_posterior.svg")
```

![The log ratios of the test cases: most lie close together on the right, and a tail reaches far to the left](classifier_log_ratios.svg)

Most tumours are easy: there j is close to the most that can be had. What keeps J down is the tail on the left, where
the classifier was sure and wrong. J, with what is known of it from these cases:

![The cumulative posterior of J with its median and the 95% interval](classifier_posterior.svg)

No classifier can reach more here than the uncertainty there is: the entropy of the two classes, about 0.66 nats, which
is what certainty without a mistake would earn.

## Which is best?

```python
names = ("logistic", "forest", "calibrated forest")
comparison = nepers.compare(log_q={name: log_q[name] for name in names}, log_p=log_p, seed=1)
print(comparison)
```

```text
                   J      95% interval    P(better)  P(best)  verdict
logistic           0.599  0.556 to 0.641  1.000      0.999    better
calibrated forest  0.536  0.481 to 0.589  1.000      0.001    better
forest             -inf   -inf to -inf    0.000      0.000    worse

J in nats, relative to the prior, from 228 unseen cases. The verdict is against the
prior; gains within 0.01 nats of 0 count as equivalent.
'logistic' is the best of these (probability 0.999).
'forest' has J = -inf: it gave the truth probability zero in 1 case (row 18).
The one that comes out first of 3 looks better than it is: assess it again on cases that
had no part in the choice.
It holds for these algorithms as they stand, on new cases like these, if made without
these.
```

```python
comparison.plot_intervals().figure.savefig("classifiers.svg")
```

![J of each classifier with its 95% interval](classifiers.svg)

The two intervals overlap, and yet it is all but certain which is better: both classifiers find the same tumours hard,
so the *difference* is known better than either J.

```python
print(comparison.difference("logistic", "calibrated forest"))
```

```text
<Estimate 0.06305 nats (0.03073 to 0.09721)>
```

## Would recalibration help?

Naive Bayes treats every measurement as news, though many say the same thing, so it is far too sure of itself. A map of its probabilities can correct that. `recalibrate_classes` fits one to part of the cases, judges it on
the rest, and goes round:

```python
found = recalibrate_classes(y_test, models["naive Bayes"].predict_proba(X_test))
print(found)
```

```text
Recalibration would raise J by 1.07 (standard error 0.42) nats, the plain mean over 228
cases, each recalibrated by a map fitted on the other 9 of 10 folds.
The map fitted on all cases: q' proportional to exp(a) q^b, b of each class = 0.163,
0.0398. Judge it on new ones.
```

Exponents far below 1 say how much too sure it is. With the map it has a J above zero: it knew more than it could say.
`found.map(probabilities)` recalibrates new predictions; how good that is, only new cases can tell.: docs/tutorials/classifier.md without the words between.

## What to write down
"""

# Train on some cases, predict others
import numpy as np
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import load_breast_cancer
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import nepers
from nepers.improvement import recalibrate_classes
from nepers.priors import class_frequencies
from nepers.ratios import log_class

X, y = load_breast_cancer(return_X_y=True)
X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.4, stratify=y, random_state=0)
nepers.refuse_seen(X_test, X_train)

models = {
    "logistic": make_pipeline(StandardScaler(), LogisticRegression()),
    "naive Bayes": GaussianNB(),
    "forest": RandomForestClassifier(n_estimators=50, random_state=1),
}
for model in models.values():
    model.fit(X_train, y_train)

# The prior
prior = class_frequencies(y_train)
log_p = prior.log_p(y_test)
print({int(k): round(float(p), 3) for k, p in zip(prior.labels, prior.probabilities, strict=True)})

# What each classifier gave to the truth
log_q = {
    name: log_class(y_test, model.predict_proba(X_test), labels=model.classes_)
    for name, model in models.items()
}
for name, model in models.items():
    print(f"{name}: accuracy {model.score(X_test, y_test):.3f}, mean j {np.mean(log_q[name] - log_p):.2f}")

# The forest's zero
forest = nepers.assess(log_q=log_q["forest"], log_p=log_p)
print(forest)

models["calibrated forest"] = CalibratedClassifierCV(models["forest"], cv=3).fit(X_train, y_train)
log_q["calibrated forest"] = log_class(y_test, models["calibrated forest"].predict_proba(X_test))

# How sure can you be?
answer = nepers.assess(log_q=log_q["calibrated forest"], log_p=log_p, seed=1)
print(answer)

answer.plot_histogram().figure.savefig("classifier_log_ratios.svg")
answer.plot_posterior().figure.savefig("classifier_posterior.svg")

# Which is best?
names = ("logistic", "forest", "calibrated forest")
comparison = nepers.compare(log_q={name: log_q[name] for name in names}, log_p=log_p, seed=1)
print(comparison)

comparison.plot_intervals().figure.savefig("classifiers.svg")

print(comparison.difference("logistic", "calibrated forest"))

# Would recalibration help?
found = recalibrate_classes(y_test, models["naive Bayes"].predict_proba(X_test))
print(found)
