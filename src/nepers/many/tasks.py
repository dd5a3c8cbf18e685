"""One task: an assessment or a comparison in a process somewhere, and its rows of plain values."""

from __future__ import annotations

import hashlib
import json
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from nepers.errors import InputError
from nepers.export import plain
from nepers.files import write_whole
from nepers.segments.own import seed_of

Row = dict[str, Any]


@dataclass(frozen=True)
class Task:
    """``what`` is "assess" or "compare", of the ``cases`` called ``name``; rows are kept in ``folder``."""

    what: str
    name: str
    cases: Any
    options: dict[str, Any]
    folder: str | None


def do(task: Task) -> list[Row]:
    """The rows of the task, from its file if they are there; an error is a row too."""
    try:
        given = _given(task.cases)
        file = None if task.folder is None else Path(task.folder) / f"{_digest(task, given)}.json"
        if file is not None and (kept := _kept(file)) is not None:
            return kept
        rows = _rows(task, given)
        if file is not None:
            write_whole(file, json.dumps(rows, allow_nan=False).encode())
    except Exception as error:
        return [{"segment": task.name, "error": _said(error)}]
    return rows


def _rows(task: Task, given: dict[str, Any]) -> list[Row]:
    from nepers.assessment import assess
    from nepers.comparison import compare
    from nepers.comparison.export import as_rows

    call: Callable[..., Any] = assess if task.what == "assess" else compare
    seed = seed_of(task.options["seed"], task.name)
    options = task.options | {"seed": seed, "cores": 1, "progress": False}
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = call(**given, **options)
    said = " ".join(dict.fromkeys(str(one.message) for one in caught)) or None
    rows = [found.summary()] if task.what == "assess" else as_rows(found, 0.95)
    return [{"segment": task.name, **plain(row), "warning": said, "error": None} for row in rows]


def _given(cases: Any) -> dict[str, Any]:
    """The arguments of `nepers.assess` or `nepers.compare`: called for, if they are a function."""
    found = cases() if callable(cases) else cases
    if isinstance(found, Mapping) and found and set(found) <= {"j", "log_q", "log_p"}:
        return dict(found)
    return {"j": found}


def _digest(task: Task, given: dict[str, Any]) -> str:
    """A name for the rows: of another name, other settings or other data it is another."""
    text = hashlib.sha256(repr((task.what, task.name, sorted(task.options.items(), key=str))).encode())
    _hash(text, given)
    return text.hexdigest()[:40]


def _hash(text: Any, value: Any) -> None:
    from nepers.tally.tally import Tally

    if isinstance(value, Mapping):
        for key, item in value.items():
            text.update(repr(key).encode())
            _hash(text, item)
    elif isinstance(value, Tally):
        rest = repr((value.grid, value.impossible, value.largest))
        _hash(text, {"bins": value.bins.columns(), "rest": rest})
    elif isinstance(value, str | float | int | None):
        text.update(repr(value).encode())
    else:
        array = np.asarray(value)
        content = array.tobytes() if array.dtype.kind != "O" else repr(array.tolist()).encode()
        text.update(repr((array.shape, str(array.dtype))).encode() + content)


def _kept(file: Path) -> list[Row] | None:
    try:
        rows: list[Row] = json.loads(file.read_bytes())
    except (OSError, ValueError):
        return None
    return rows


def _said(error: Exception) -> str:
    text = " ".join(str(error).split())
    return text if isinstance(error, InputError) else f"{type(error).__name__}: {text}"
