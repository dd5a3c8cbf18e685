"""How much is a probabilistic prediction worth, and how sure can you be of it?

A prediction gives what may come true a distribution Q. What it is worth is how much more probability Q gives
to what does come true than a prior P, or an older prediction, gives it. For one case that is the log ratio

    j = log Q(x) - log P(x)         x is what came true; natural logarithms, so j is in nats (nepers)

and for the prediction it is J, the expectation of j over new cases: above 0 the prediction is better than
the prior, below 0 it misleads. The mean of j over the cases at hand estimates J; how far off that may be
depends on rare cases with a very negative j, so nepers models the whole distribution of j and gives the
posterior of J.

>>> import nepers
>>> j = [0.41, 0.12, -0.53, 0.37, 0.22, -1.86, 0.30, 0.05]    # one for each case the prediction had not seen
>>> answer = nepers.assess(j, seed=1)
>>> lower, upper = answer.interval(0.95)

``print(answer)`` says it in words; ``answer.probability_above(0.0)`` is the probability that the prediction
is better than the prior.

From any prediction to ``log Q(x)``: `nepers.ratios`, to be given as ``log_q=``, with ``log_p=`` from
`nepers.priors` or an older algorithm, in the place of ``j``. Several algorithms: `compare`. Groups of cases:
`segment`. Classes that are rare: `assess_classes`. Any number of cases, on any engine: `nepers.tally`;
thousands of assessments: `nepers.many`. Betting, and looking at any time: `bet`. What would help:
`nepers.improvement`. scikit-learn: `asi_scorer`. Times to an event: `SkewStudentSurvival`. Were the cases
unseen: `find_seen`. The model: `nepers.hierarchy`. Which hyperparameters: `choose`. The command line:
``nepers --help``.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from nepers import improvement, priors, ratios, tally
    from nepers.assessment import Assessment, assess
    from nepers.betting import Game, bet
    from nepers.comparison import Comparison, compare
    from nepers.conditional.density import SkewStudentDensity
    from nepers.convergence import ConvergenceStudy, convergence_study
    from nepers.diagnostics import ConvergenceWarning
    from nepers.errors import InputError, InputWarning
    from nepers.evidence import Choice, choose
    from nepers.hierarchy import Hyperparameters, calibrated, paper, prostate
    from nepers.many import Many, assess_many, compare_many
    from nepers.prior_look import PriorLook, look_at_prior
    from nepers.rare import ClassAssessment, assess_classes
    from nepers.reading import read_columns
    from nepers.scoring import asi_score, asi_scorer, assess_estimator
    from nepers.segments import Segments, segment
    from nepers.storage import load
    from nepers.survival import SkewStudentSurvival
    from nepers.tally import Tally
    from nepers.unseen import find_duplicates, find_seen, refuse_duplicates, refuse_seen

    __version__: str

# Each public name and the module it is in, imported when the name is first used: scipy, numba and duckdb
# take seconds to import on a slow machine, and most programs want one of them.
_HOMES = {
    "Assessment": "nepers.assessment",
    "Choice": "nepers.evidence",
    "ClassAssessment": "nepers.rare",
    "Comparison": "nepers.comparison",
    "ConvergenceStudy": "nepers.convergence",
    "ConvergenceWarning": "nepers.diagnostics",
    "Game": "nepers.betting",
    "Hyperparameters": "nepers.hierarchy",
    "InputError": "nepers.errors",
    "InputWarning": "nepers.errors",
    "Many": "nepers.many",
    "PriorLook": "nepers.prior_look",
    "Segments": "nepers.segments",
    "SkewStudentDensity": "nepers.conditional.density",
    "SkewStudentSurvival": "nepers.survival",
    "Tally": "nepers.tally",
    "asi_score": "nepers.scoring",
    "asi_scorer": "nepers.scoring",
    "assess": "nepers.assessment",
    "assess_classes": "nepers.rare",
    "assess_estimator": "nepers.scoring",
    "assess_many": "nepers.many",
    "bet": "nepers.betting",
    "calibrated": "nepers.hierarchy",
    "choose": "nepers.evidence",
    "compare": "nepers.comparison",
    "compare_many": "nepers.many",
    "convergence_study": "nepers.convergence",
    "find_duplicates": "nepers.unseen",
    "find_seen": "nepers.unseen",
    "load": "nepers.storage",
    "look_at_prior": "nepers.prior_look",
    "paper": "nepers.hierarchy",
    "prostate": "nepers.hierarchy",
    "read_columns": "nepers.reading",
    "refuse_duplicates": "nepers.unseen",
    "refuse_seen": "nepers.unseen",
    "segment": "nepers.segments",
}
# Rooms with functions of their own, as in nepers.ratios.log_class
_ROOMS = ("improvement", "priors", "ratios", "tally")

__all__ = [
    "Assessment",
    "Choice",
    "ClassAssessment",
    "Comparison",
    "ConvergenceStudy",
    "ConvergenceWarning",
    "Game",
    "Hyperparameters",
    "InputError",
    "InputWarning",
    "Many",
    "PriorLook",
    "Segments",
    "SkewStudentDensity",
    "SkewStudentSurvival",
    "Tally",
    "__version__",
    "asi_score",
    "asi_scorer",
    "assess",
    "assess_classes",
    "assess_estimator",
    "assess_many",
    "bet",
    "calibrated",
    "choose",
    "compare",
    "compare_many",
    "convergence_study",
    "find_duplicates",
    "find_seen",
    "improvement",
    "load",
    "look_at_prior",
    "paper",
    "priors",
    "prostate",
    "ratios",
    "read_columns",
    "refuse_duplicates",
    "refuse_seen",
    "segment",
    "tally",
]


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import version

        found: Any = version("nepers")
    elif name in _ROOMS:
        found = import_module(f"nepers.{name}")
    elif name in _HOMES:
        found = getattr(import_module(_HOMES[name]), name)
    else:
        raise AttributeError(f"module 'nepers' has no attribute {name!r}")
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
