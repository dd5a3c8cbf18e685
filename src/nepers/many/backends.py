"""joblib's backends, with those that are not its own registered by whom they belong to."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from importlib import import_module
from typing import Any

from nepers.errors import InputError

OWN = ("loky", "multiprocessing", "threading", "sequential")
# the module that registers the backend, its function, and the extra that installs it
_OTHERS = {
    "dask": ("distributed", None, "dask"),
    "ray": ("ray.util.joblib", "register_ray", "ray"),
    "spark": ("joblibspark", "register_spark", "spark"),
}


def on_backend(backend: str | None) -> AbstractContextManager[Any]:
    """Where `joblib.Parallel` runs inside of this; None leaves it to joblib's own settings."""
    if backend is None:
        return nullcontext()
    import joblib

    if backend in _OTHERS:
        module, register, extra = _OTHERS[backend]
        try:
            found = import_module(module)
        except ImportError:
            raise InputError(
                f"backend {backend!r} needs {module.partition('.')[0]}, which is not installed: "
                f"pip install 'nepers[{extra}]'"
            ) from None
        if register is not None:
            getattr(found, register)()
    elif backend not in OWN:
        raise InputError(f"backend must be one of {', '.join((*OWN, *_OTHERS))}; it is {backend!r}")
    try:
        config: AbstractContextManager[Any] = joblib.parallel_config(backend=backend)
    except ValueError as error:  # dask: there is no client
        raise InputError(f"backend {backend!r} cannot be used: {error}") from None
    return config
