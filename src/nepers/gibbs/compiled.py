"""How the kernels are compiled and where the machine code is kept.

`kernel` marks what Python calls: compiled once, kept on disk, free of the interpreter lock.
`inner` marks what kernels call: always inlined, so that loops over cases become vector instructions.

numba's cache notices a change in the file of a kernel but not in the files the kernel calls.
The code is therefore kept under a name made from the text of every file in the rooms that have kernels.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
import numba.core.config

from nepers.gibbs.lean import STEP_OPTIONS

# numba sets the attributes of its configuration as it reads it, and takes more options than it declares
_CONFIG: Any = numba.core.config
_njit: Any = numba.njit
_OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy", "fastmath": {"contract"}}

COMPILED_ROOMS = ("conditional", "gibbs", "segments", "tally")


def _cache_directory() -> str:
    text = hashlib.sha256()
    for room in COMPILED_ROOMS:
        for source in sorted((Path(__file__).parents[1] / room).glob("*.py")):
            text.update(source.read_bytes())
    base = _CONFIG.CACHE_DIR or _user_cache()
    return str(Path(base) / f"gibbs-{text.hexdigest()[:16]}")


def _user_cache() -> str:
    import os

    root = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return str(Path(root) / "nepers")


def kernel(function: Callable[..., Any]) -> Any:
    """Compile what Python calls, and keep the machine code."""
    before = _CONFIG.CACHE_DIR
    _CONFIG.CACHE_DIR = _CACHE
    try:
        return _njit(cache=True, no_cfunc_wrapper=True, **_OPTIONS)(function)
    except RuntimeError:
        # there is no folder that may be written to: compiled anew by every process
        return _njit(no_cfunc_wrapper=True, **_OPTIONS)(function)
    finally:
        _CONFIG.CACHE_DIR = before


def inner(function: Callable[..., Any]) -> Any:
    """Compile what kernels call, inlined into them. It makes no arrays, and so counts no references."""
    return _njit(_nrt=False, forceinline=True, **STEP_OPTIONS, **_OPTIONS)(function)


def step(function: Callable[..., Any]) -> Any:
    """Compile a step of the sweep. It makes no arrays, and so counts no references."""
    return _njit(_nrt=False, **STEP_OPTIONS, **_OPTIONS)(function)


def summing(function: Callable[..., Any]) -> Any:
    """Compile a step whose sums may be taken in any order, and so by vector instructions."""
    return _njit(_nrt=False, **STEP_OPTIONS, **(_OPTIONS | {"fastmath": {"contract", "reassoc"}}))(function)


def maker(function: Callable[..., Any]) -> Any:
    """Compile what kernels call to make arrays."""
    return _njit(**STEP_OPTIONS, **_OPTIONS)(function)


_CACHE = _cache_directory()
