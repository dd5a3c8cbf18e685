"""How the kernels are compiled and where the machine code is kept.

`kernel` marks what Python calls: compiled once, kept on disk, free of the interpreter lock.
`inner` marks what kernels call: always inlined, so that loops over cases become vector instructions.

numba's cache notices a change in the file of a kernel but not in the files the kernel calls.
The code is therefore kept under a name made from the text of every file in this room.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
from numba.core import config as numba_config

from nepers.gibbs.lean import STEP_OPTIONS


_OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy", "fastmath": {"contract"}}


def _cache_directory() -> str:
    room = Path(__file__).parent
    text = hashlib.sha256()
    for source in sorted(room.glob("*.py")):
        text.update(source.read_bytes())
    base = numba_config.CACHE_DIR or _user_cache()
    return str(Path(base) / f"gibbs-{text.hexdigest()[:16]}")


def _user_cache() -> str:
    import os

    root = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return str(Path(root) / "nepers")


def kernel(function: Callable[..., Any]) -> Any:
    """Compile what Python calls, and keep the machine code."""
    before = numba_config.CACHE_DIR
    numba_config.CACHE_DIR = _CACHE
    try:
        return numba.njit(cache=True, no_cfunc_wrapper=True, **_OPTIONS)(function)
    finally:
        numba_config.CACHE_DIR = before


def inner(function: Callable[..., Any]) -> Any:
    """Compile what kernels call, inlined into them. It makes no arrays, and so counts no references."""
    return numba.njit(_nrt=False, forceinline=True, **STEP_OPTIONS, **_OPTIONS)(function)


def step(function: Callable[..., Any]) -> Any:
    """Compile a step of the sweep. It makes no arrays, and so counts no references."""
    return numba.njit(_nrt=False, **STEP_OPTIONS, **_OPTIONS)(function)


def summing(function: Callable[..., Any]) -> Any:
    """Compile a step whose sums may be taken in any order, so that their loops become vector instructions."""
    return numba.njit(_nrt=False, **STEP_OPTIONS, **{**_OPTIONS, "fastmath": {"contract", "reassoc"}})(function)


def maker(function: Callable[..., Any]) -> Any:
    """Compile what kernels call to make arrays."""
    return numba.njit(**STEP_OPTIONS, **_OPTIONS)(function)


_CACHE = _cache_directory()
