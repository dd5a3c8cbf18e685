"""What it takes to repeat a result: the call, the settings, the versions."""

from __future__ import annotations

import platform
from importlib.metadata import version
from typing import TYPE_CHECKING

from nepers.comparison.given import PRIOR
from nepers.report.markup import Markup, element
from nepers.report.tables import pairs

if TYPE_CHECKING:
    from nepers.assessment import Assessment
    from nepers.comparison import Comparison
    from nepers.hierarchy import Hyperparameters

_ENDED = {
    "target": "J had the effective sample size that was wanted",
    "budget": "the time was up; a run on another machine may end elsewhere",
    "independent": "the draws are independent; a fixed number of them was made",
    "certain": "J is -inf for certain; nothing was drawn",
}


def of_assessment(a: Assessment) -> list[Markup]:
    """The section of an assessment."""
    chains, draws = a.nats.shape
    call = [f"seed={a.seed}", f"chains={chains}", *_model(a.hyperparameters, a.scale)]
    settings = [
        ("Cases", f"{a.n:,}"),
        ("Seed", str(a.seed)),
        *([] if a.infinite_cases else [("Chains and draws", f"{chains} chains of {draws:,} draws")]),
        ("Why the drawing ended", _ENDED[a.stopped]),
        *_constants(a.hyperparameters, a.scale),
    ]
    return _section(_code("assess", "j", call, a.unit), settings, a.version)


def of_comparison(c: Comparison) -> list[Markup]:
    """The section of a comparison."""
    stands_in = c.reference != PRIOR and not c[c.reference].nats.any()
    call = [f"equivalence={c.equivalence!r}", f"seed={c.seed}", *_model(c.hyperparameters, c.scale)]
    if c.reference != PRIOR:
        call.insert(0, f"reference={c.reference!r}")
    settings = [
        ("Cases", f"{c.n:,}"),
        ("Reference", c.reference),
        ("Equivalence", f"gains between -{c.equivalence:g} and {c.equivalence:g} nats count as none"),
        ("Seed", str(c.seed)),
        ("Joint draws", f"{len(c.nats):,}"),
        ("Why the drawing ended", _ENDED[c.stopped]),
        *_constants(c.hyperparameters, c.scale),
    ]
    return _section(_code("compare", "log_q=log_q" if stands_in else "j", call, c.unit), settings, c.version)


def standard(hyperparameters: Hyperparameters, scale: float) -> bool:
    """Whether the model is the default, for data in nats."""
    from nepers.hierarchy import calibrated

    return hyperparameters == calibrated() and scale == 1.0


def _section(code: str, settings: list[tuple[str, str]], made_by: str) -> list[Markup]:
    return [
        element("h2", "To repeat it"),
        element("p", "With the same cases in the same order, this gives the same draws:"),
        element("pre", element("code", code), tabindex="0", role="region", aria_label="The call"),
        element(
            "p",
            "Options not shown had their defaults, or, as max_seconds and target_ess, are not kept with the "
            "result. The number of cores makes no difference.",
        ),
        pairs("Settings", settings),
        pairs("Versions", _versions(made_by)),
    ]


def _code(function: str, data: str, arguments: list[str], unit: str) -> str:
    inside = "".join(f"    {argument},\n" for argument in (data, *arguments))
    end = ".in_bits()" if unit == "bits" else ""
    return f"import nepers\n\nanswer = nepers.{function}(\n{inside}){end}"


def _model(hyperparameters: Hyperparameters, scale: float) -> list[str]:
    """The arguments that make the hierarchy, where they are not the defaults."""
    from nepers.hierarchy import calibrated, paper

    found = [] if scale == 1.0 else [f"scale={scale!r}"]
    if hyperparameters == paper():
        found.append('hyperparameters="paper"')
    elif hyperparameters != calibrated():
        found.append(f"hyperparameters=nepers.Hyperparameters.from_dict({hyperparameters.to_dict()!r})")
    return found


def _constants(hyperparameters: Hyperparameters, scale: float) -> list[tuple[str, str]]:
    from nepers.hierarchy import calibrated, paper

    names = ((calibrated(), 'the table "calibrated"'), (paper(), "the paper's table"))
    given = "given by the user, as in the call above"
    table = next((name for known, name in names if known == hyperparameters), given)
    return [
        ("Constants of the hierarchy", table),
        ("Their unit", f"{scale:g} nat{'' if scale == 1.0 else 's'}"),
    ]


def _versions(made_by: str) -> list[tuple[str, str]]:
    here = "where this report was written"
    return [
        ("nepers, which made the result", made_by),
        ("nepers, which wrote the report", version("nepers")),
        *((f"{name}, {here}", version(name)) for name in ("numpy", "scipy", "numba", "matplotlib")),
        (f"Python, {here}", platform.python_version()),
    ]
