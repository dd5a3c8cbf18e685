"""A classifier: docs/tutorials/classifier.md without the words between.

Three classifiers tell benign from malignant tumours. How much are their probabilities worth, which is best,
and what would make them better? The data come with scikit-learn: 569 tumours, each with 30 measurements of
its cells.
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
