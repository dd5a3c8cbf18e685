"""An assessment handed to others: as a dict for JSON, as a table, as ArviZ's labelled posterior."""

from __future__ import annotations

import math
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import numpy as np

from nepers.errors import InputError

if TYPE_CHECKING:
    from nepers.assessment import Assessment

_LIBRARIES = ("polars", "pandas", "pyarrow")


def as_dict(assessment: Assessment, level: float) -> dict[str, Any]:
    """Everything but the draws, fit for JSON."""
    a = assessment
    return {
        **_plain_dict(a.summary(level)),
        "infinite_cases": list(a.infinite_cases),
        "worst_cases": plain([case._asdict() for case in a.worst_cases]),
        "notes": list(a.notes),
        "atoms": plain([atom._asdict() for atom in a.atoms]),
        "continuous_cases": a.kinds.remainder_cases,
        "hyperparameters": _plain_dict(a.hyperparameters.to_dict()),
        "scale": a.scale,
        "chains": a.nats.shape[0],
        "draws": a.nats.shape[1],
        "diagnostics": _plain_dict(a.diagnostics.table()),
        "problems": a.diagnostics.problems(),
    }


def _plain_dict(values: dict[str, Any]) -> dict[str, Any]:
    return {key: plain(value) for key, value in values.items()}


def plain(value: Any) -> Any:
    """The value in types that JSON has: infinite numbers as text, NaN as None."""
    if isinstance(value, dict):
        return _plain_dict(value)
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float) and not math.isfinite(value):
        return None if math.isnan(value) else str(value)
    return value


def as_frame(columns: dict[str, list[Any]], native: str | None) -> Any:
    """The columns as a table of the library named, or of the first that is installed."""
    import narwhals as nw

    wanted = (native,) if native is not None else _LIBRARIES
    if native is not None and native not in _LIBRARIES:
        raise InputError(f"native must be one of {', '.join(_LIBRARIES)}; it is {native!r}")
    for library in wanted:
        if find_spec(library) is not None:
            backend: Any = library
            return nw.from_dict(columns, backend=backend).to_native()
    raise ImportError(f"a table needs {' or '.join(wanted)}, which is not installed; to_dict() needs nothing")


def as_arviz(assessment: Assessment) -> Any:
    """The draws of J and of the hierarchy, in the assessment's unit, as a DataTree with a posterior group."""
    try:
        import arviz_base
    except ImportError:
        raise ImportError("to_arviz() needs arviz-base: pip install 'nepers[arviz]'") from None

    posterior: dict[str, Any] = {"J": assessment.J}
    draws = assessment.draws_in_unit()
    if draws is not None:
        posterior["C"] = draws.C
        posterior["log_likelihood"] = draws.log_likelihood
        posterior["m_S"] = draws.m_S
        posterior["mu_mu"] = draws.mu_mu[:, :, 0]
        for name in ("S_mu", "R_S_mu", "R_S"):
            posterior[name] = getattr(draws, name)[:, :, 0, 0]
    # ArviZ suspects that few draws in many chains are a mistake; a J that is certain is one draw
    tree = arviz_base.from_dict({"posterior": posterior}, check_conventions=False)
    said = {key: plain(value) for key, value in assessment.summary().items()}
    # netCDF, ArviZ's file format, has neither None nor booleans
    allowed = {k: int(v) if isinstance(v, bool) else v for k, v in said.items() if v is not None}
    tree["posterior"].attrs.update(allowed)
    return tree
