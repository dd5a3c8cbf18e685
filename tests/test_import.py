"""``import nepers`` is cheap, and every public name is there when asked for."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import nepers

HEAVY = ("scipy", "numba", "arviz_base", "arviz_stats", "pandas", "polars", "pyarrow", "duckdb", "matplotlib")


def in_a_new_interpreter(code: str) -> str:
    return subprocess.run(
        [sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=True
    ).stdout.strip()


@pytest.mark.parametrize("module", ["nepers", "nepers.cli"])
def test_nothing_heavy_is_imported_before_it_is_used(module: str) -> None:
    """Bug: an import at the top of a module that everything imports."""
    loaded = in_a_new_interpreter(f"import sys, {module}; print(*sys.modules)").split()
    assert not {name.partition(".")[0] for name in loaded}.intersection(HEAVY)


def test_the_import_is_fast() -> None:
    """Bug: work done at import, as compiling or reading files. The limit is ten times what it takes."""
    code = "import time; began = time.perf_counter(); import nepers; print(time.perf_counter() - began)"
    assert min(float(in_a_new_interpreter(code)) for _ in range(3)) < 0.3


def test_every_public_name_is_found() -> None:
    """Bug: a name that is listed but moved or misspelt."""
    for name in nepers.__all__:
        assert getattr(nepers, name) is not None
        assert name in dir(nepers)


def test_the_names_for_type_checkers_are_the_names_at_run_time() -> None:
    """Bug: a name added to one list and forgotten in another."""
    tree = ast.parse(Path(nepers.__file__).read_text(encoding="utf-8"))
    typed = {
        alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] == "nepers"
        for alias in node.names
    }
    assert {*typed, "__version__"} == set(nepers.__all__) == {*nepers._HOMES, *nepers._ROOMS, "__version__"}


def test_a_name_is_the_object_of_its_home() -> None:
    """Bug: a copy, so that ``except nepers.InputError`` misses."""
    from nepers.errors import InputError

    assert nepers.InputError is InputError


def test_an_unknown_name_is_an_attribute_error() -> None:
    """Bug: hasattr raises, or from nepers import x gives None."""
    assert not hasattr(nepers, "assessment_of_everything")
    with pytest.raises(ImportError):
        exec("from nepers import assessment_of_everything")


def test_the_version_is_that_of_the_installed_package() -> None:
    """Bug: a second place in which the version is kept."""
    from importlib.metadata import version

    assert nepers.__version__ == version("nepers")
