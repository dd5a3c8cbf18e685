"""How fast the sampler is, beside a peer on the same posterior in the same run.

    python benchmarks/speed.py            everything: about ten minutes on two cores
    python benchmarks/speed.py --quick    the same with fewer draws: about two minutes
    python benchmarks/speed.py --no-peer  without the peer, which is otherwise installed in .venv-bench

Processor time is counted, not waiting, so other work on the machine disturbs little. The page docs/speed.md
is written from what is measured.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from machine import machine, versions
from numpy.typing import NDArray
from speed_page import page

Array = NDArray[np.float64]

HOME = Path(__file__).resolve().parent
CASES = HOME / "oracle_418.csv"
COMPONENTS = 6
CHAINS = 4
SIZES = (100, 1_000, 10_000, 100_000)
MANY = 1_000_000


def worth(draws: dict[str, Array]) -> dict[str, float]:
    """The bulk effective sample size of every quantity, by ArviZ."""
    import arviz_stats.base

    stats: Any = arviz_stats.base
    return {
        name: float(stats.array_stats.ess(values, chain_axis=0, draw_axis=1))
        for name, values in draws.items()
    }


def quantities(draws: Any) -> dict[str, Array]:
    """J, the log likelihood and the hyperparameters; and C where it varies."""
    found = {name: getattr(draws, name) for name in ("log_likelihood", "m_S")}
    found |= {name: getattr(draws, name)[:, :, 0] for name in ("J", "mu_mu")}
    found |= {name: getattr(draws, name)[:, :, 0, 0] for name in ("S_mu", "R_S_mu", "R_S")}
    if np.ptp(draws.C):
        found["C"] = draws.C.astype(float)
    return found


def ours(C: int | None, sweeps: int) -> dict[str, Any]:
    """Effective draws a second of processor time, after the warm-up, as the peer's are after its tuning."""
    from nepers.gibbs.chains import Sampler
    from nepers.hierarchy import paper

    sampler = Sampler(np.loadtxt(CASES, skiprows=1), paper().replace(C=C), seed=1, chains=CHAINS, cores=1)
    sampler.warm_up(2_000)
    began = time.process_time()
    draws = sampler.run(sweeps, 1)
    spent = time.process_time() - began
    found = quantities(draws)
    return {
        "rates": {name: size / spent for name, size in worth(found).items()},
        "means": {name: float(values.mean()) for name, values in found.items()},
        "microseconds": 1e6 * spent / (CHAINS * sweeps),
    }


def peer(draws: int) -> dict[str, Any]:
    """The same of the peer, in its own environment and process."""
    python = peer_python()
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "draws.npz"
        sizes = ["--tune", str(draws), "--draws", str(draws), "--chains", str(CHAINS)]
        call = [python, str(HOME / "peer.py"), str(CASES), str(out), "--components", str(COMPONENTS), *sizes]
        said = json.loads(subprocess.run(call, check=True, capture_output=True, text=True).stdout)
        with np.load(out) as kept:
            found = {name: kept[name] for name in kept.files}
    rates = {name: size / said["sampling"] for name, size in worth(found).items()}
    return {**said, "rates": rates, "means": {name: float(values.mean()) for name, values in found.items()}}


def peer_python() -> str:
    """The Python of the peer's environment, which is made on first use."""
    place = HOME.parent / ".venv-bench"
    python = place / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    wanted = HOME / "peer-requirements.txt"
    stamp = place / ".installed"
    if not stamp.exists() or stamp.read_text(encoding="utf-8") != wanted.read_text(encoding="utf-8"):
        print("installing the peer in .venv-bench", file=sys.stderr, flush=True)
        subprocess.run([sys.executable, "-m", "venv", str(place)], check=True)
        install = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*install, "-r", str(wanted)], check=True)
        stamp.write_text(wanted.read_text(encoding="utf-8"), encoding="utf-8")
    return str(python)


def sweeps_by_size(seconds: float) -> dict[int, dict[str, float]]:
    """Processor time of one sweep for each number of cases; C unknown, and at 6."""
    from nepers.gibbs.chains import Sampler
    from nepers.hierarchy import paper

    cases = np.loadtxt(CASES, skiprows=1)
    found = {}
    for n in SIZES:
        x = np.random.default_rng(n).choice(cases, n) + 1e-3 * np.random.default_rng(n).standard_normal(n)
        times = {}
        for name, C in (("fixed", COMPONENTS), ("unknown", None)):
            sampler = Sampler(x, paper().replace(C=C), seed=1, chains=1, cores=1)
            sampler.warm_up(max(20, 30_000 // n))
            done, began = 0, time.process_time()
            while time.process_time() - began < seconds or done < 5:
                piece = max(5, 10_000 // n)
                sampler.warm_up(piece)
                done += piece
            times[name] = 1e6 * (time.process_time() - began) / done
        found[n] = times
    return found


_MEMORY = """
import resource, sys, warnings
import numpy as np
import nepers
from nepers import running
cases = np.loadtxt({path!r}, skiprows=1)
rng = np.random.default_rng(1)
j = rng.choice(cases, {n}) + 1e-3 * rng.standard_normal({n})
warnings.simplefilter("ignore")
running.WARM_UP, running.FIRST, running.LEAST = 2, 10, 10
nepers.assess(j, seed=1, max_seconds=5.0, progress=False)
unit = 1 if sys.platform == "darwin" else 1024
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 1e6)
"""


def memory() -> float:
    """The most memory, in MB, of a process that assesses a million cases for a few sweeps, Python and all."""
    return float(_run([sys.executable, "-c", _MEMORY.format(path=str(CASES), n=MANY)]))


def answers(repeats: int) -> dict[str, Any]:
    """Wall seconds of ``nepers assess`` on 418 cases: the first ever, and later ones; and of the import."""
    call = [sys.executable, "-m", "nepers", "assess", str(CASES), "--quiet", "--seed"]
    with tempfile.TemporaryDirectory() as cache:
        fresh = {"XDG_CACHE_HOME": cache, "NUMBA_CACHE_DIR": cache}
        first = _wall(lambda: _run([*call, "1"], fresh))
        later = [_wall(lambda seed=seed: _run([*call, str(seed)], fresh)) for seed in range(1, repeats + 1)]
    timed = "import time; began = time.perf_counter(); import nepers; print(time.perf_counter() - began)"
    imports = [float(_run([sys.executable, "-c", timed])) for _ in range(repeats)]
    return {"first": first, "later": sorted(later), "import": float(np.median(imports))}


def _wall(work: Callable[[], Any]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def _run(call: list[str], extra: dict[str, str] | None = None) -> str:
    done = subprocess.run(call, capture_output=True, text=True, env={**os.environ, **(extra or {})})
    if done.returncode:
        raise SystemExit(f"{' '.join(call)}\n{done.stderr}")
    return done.stdout


def main() -> None:
    parser = argparse.ArgumentParser(description="The speed of the sampler, beside a peer.")
    parser.add_argument("--quick", action="store_true", help="fewer draws")
    parser.add_argument("--no-peer", action="store_true", help="leave the peer out")
    parser.add_argument("--page", type=Path, default=HOME.parent / "docs" / "speed.md")
    given = parser.parse_args()
    quick = given.quick
    found: dict[str, Any] = {
        "machine": machine(),
        "versions": versions("nepers", "numpy", "numba", "arviz-stats"),
        "command": "./do bench" + (" --quick" if quick else ""),
    }
    print(f"{found['machine']}\n{found['versions']}", flush=True)
    sweeps = 5_000 if quick else 40_000
    work: dict[str, Callable[[], Any]] = {
        "answers": lambda: answers(3 if quick else 7),
        "fixed": lambda: ours(COMPONENTS, sweeps),
        "unknown": lambda: ours(None, sweeps),
        "sizes": lambda: sweeps_by_size(0.5 if quick else 3.0),
        "memory": memory,
        "peer": lambda: None if given.no_peer else peer(300 if quick else 1_000),
    }
    for name, measure in work.items():
        began = time.perf_counter()
        found[name] = measure()
        print(f"{name}: {time.perf_counter() - began:.0f} s", flush=True)
    text = page(found)
    given.page.write_text(text, encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()
