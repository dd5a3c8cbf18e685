"""A fitted estimator in one file: the draws as arrays, the rest in a header (`nepers.packed`)."""

from __future__ import annotations

import os
from dataclasses import fields
from typing import TYPE_CHECKING, Any

import numpy as np

from nepers.errors import InputError
from nepers.packed import Arrays, pack

if TYPE_CHECKING:
    from nepers.conditional.density import SkewStudentDensity
    from nepers.survival.estimator import SkewStudentSurvival

KIND = "nepers survival estimator"
DENSITY = "nepers density estimator"
KINDS = (KIND, DENSITY)
FORMAT = 2


def save(estimator: SkewStudentSurvival, path: str | os.PathLike[str]) -> None:
    """Write a fitted estimator to ``path``. Parameters must be such that JSON can say them."""
    header = {**_header(KIND, estimator), "design": estimator.design_.to_dict()}
    arrays = draws_arrays(estimator.posterior_.draws)
    if estimator.score_ is not None:
        arrays |= {f"score_{name}": value for name, value in estimator.score_.to_arrays().items()}
    pack(path, header, arrays)


def save_density(estimator: SkewStudentDensity, path: str | os.PathLike[str]) -> None:
    """The same for an estimator of a density."""
    header = {
        **_header(DENSITY, estimator),
        "names": [str(name) for name in getattr(estimator, "feature_names_in_", ())],
    }
    scales = {"centre": estimator.centre_, "unit": estimator.unit_}
    pack(path, header, scales | draws_arrays(estimator.posterior_.draws))


def restored(header: dict[str, Any], arrays: Arrays) -> SkewStudentSurvival | SkewStudentDensity:
    """The estimator that was saved, fitted."""
    parameters = header["parameters"]
    if isinstance(parameters["noise"], list):
        parameters["noise"] = tuple(parameters["noise"])
    if header["kind"] == DENSITY:
        return _restored_density(header, arrays)
    from nepers.survival.design import Design
    from nepers.survival.estimator import SkewStudentSurvival
    from nepers.survival.score import Score

    if header["format"] < FORMAT:
        raise InputError("the estimator must have been saved by this version: its score was another then")
    names = [name for name in arrays if name.startswith("score_")]
    of_score = {name.removeprefix("score_"): arrays.pop(name) for name in names}
    score = Score.from_arrays(of_score) if of_score else None
    return SkewStudentSurvival(**parameters)._with(
        Design.from_dict(header["design"]), score, restored_posterior(header, arrays)
    )


def _restored_density(header: dict[str, Any], arrays: Arrays) -> SkewStudentDensity:
    from nepers.conditional.density import SkewStudentDensity

    estimator = SkewStudentDensity(**header["parameters"])
    estimator.centre_, estimator.unit_ = arrays.pop("centre"), arrays.pop("unit")
    estimator.posterior_ = restored_posterior(header, arrays)
    estimator.n_features_in_ = estimator.centre_.size
    if header["names"]:
        estimator.feature_names_in_ = np.array(header["names"], dtype=object)
    return estimator


def _header(kind: str, estimator: Any) -> dict[str, Any]:
    from importlib.metadata import version

    return {
        "kind": kind,
        "format": FORMAT,
        "version": version("nepers"),
        "parameters": _plain(estimator.get_params()),
        **posterior_header(estimator.posterior_),
    }


def posterior_header(found: Any) -> dict[str, Any]:
    """What of a `Posterior` is no array."""
    return {
        "shape_type": found.draws.shape_type,
        "hyperparameters": [table.to_dict() for table in found.hyperparameters],
        "noise": None if found.noise is None else [found.noise.m, found.noise.S.tolist()],
        **{name: getattr(found, name) for name in ("origin", "seed", "n")},
    }


def draws_arrays(draws: Any) -> Arrays:
    """The draws, field by field."""
    return {field.name: getattr(draws, field.name) for field in fields(draws) if field.name != "shape_type"}


def restored_posterior(header: dict[str, Any], arrays: Arrays) -> Any:
    """The `Posterior` of both."""
    from nepers.gibbs.draws import Draws
    from nepers.hierarchy import Hyperparameters
    from nepers.prediction.observations import Noise
    from nepers.survival.posterior import Posterior

    draws = {name: values for name, values in arrays.items() if name != "header"}
    noise = header["noise"]
    return Posterior(
        draws=Draws(**draws, shape_type=header["shape_type"]),
        noise=None if noise is None else Noise(noise[0], np.array(noise[1])),
        hyperparameters=tuple(Hyperparameters.from_dict(table) for table in header["hyperparameters"]),
        **{name: header[name] for name in ("origin", "seed", "n")},
    )


def _is_named(asked: Any) -> bool:
    several = asked if isinstance(asked, list | tuple) else [asked]
    return all(one is None or isinstance(one, str) for one in several)


def _plain(parameters: dict[str, Any]) -> dict[str, Any]:
    plain = dict(parameters)
    if not _is_named(plain["hyperparameters"]):
        plain["hyperparameters"] = None  # the constants themselves are in the file
    if plain.get("covariates") is not None:
        plain["covariates"] = dict(plain["covariates"])
    import json

    try:
        json.dumps(plain)
    except TypeError as error:
        raise InputError(f"parameters must be numbers or texts to be saved: {error}") from None
    return plain
