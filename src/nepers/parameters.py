"""scikit-learn's contract for estimators, kept without importing scikit-learn.

``__init__`` stores its arguments unchanged under their names; ``fit`` checks them, and puts what it finds in
attributes that end in an underscore. `get_params` and `set_params` then make an estimator fit for ``clone``,
pipelines and searches.
"""

from __future__ import annotations

import inspect
from typing import Any, Self

from nepers.errors import InputError


class Parameters:
    """Base of estimators, whose parameters are the arguments of their ``__init__``."""

    _is_density = False

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The parameters by name; there are none inside others, so ``deep`` changes nothing."""
        return {name: getattr(self, name) for name in self._names()}

    def set_params(self, **params: Any) -> Self:
        """Change parameters; what was fitted stays as it is until the next ``fit``."""
        known = self._names()
        for name, value in params.items():
            if name not in known:
                raise InputError(
                    f"{name!r} must be a parameter of {type(self).__name__}, one of {', '.join(known)}"
                )
            setattr(self, name, value)
        return self

    def _names(self) -> list[str]:
        return list(inspect.signature(type(self).__init__).parameters)[1:]

    def __repr__(self) -> str:
        default = inspect.signature(type(self).__init__).parameters
        changed = [
            f"{name}={value!r}"
            for name, value in self.get_params().items()
            if value is not default[name].default and value != default[name].default
        ]
        return f"{type(self).__name__}({', '.join(changed)})"

    def __sklearn_is_fitted__(self) -> bool:
        return any(name.endswith("_") and not name.startswith("_") for name in vars(self))

    def __sklearn_tags__(self) -> Any:
        from sklearn.utils import InputTags, Tags, TargetTags

        return Tags(
            estimator_type="density_estimator" if self._is_density else None,
            target_tags=TargetTags(required=not self._is_density),
            input_tags=InputTags(allow_nan=True, string=not self._is_density),
            non_deterministic=True,
        )

    def _refuse_unfitted(self) -> None:
        if self.__sklearn_is_fitted__():
            return
        message = f"this {type(self).__name__} must be fitted first: call fit"
        try:
            from sklearn.exceptions import NotFittedError
        except ImportError:
            raise InputError(message) from None
        raise NotFittedError(message)
