"""Does the 95% interval of `nepers.assess_classes` hold the true J where events are rare?

    ./do rare [SAMPLES] [--n 50 --n 200 ...]

Each cell is kept in benchmarks/rare.json when it is done, so that a run may be cut off and go on; the page is
made from what is there.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path
from typing import Any

import numpy as np
from intervals import bayesian_bootstrap, student
from machine import machine, versions
from rare_truths import Truth, truths

from nepers.files import write_whole

HOME = Path(__file__).parent.parent
KEPT = HOME / "benchmarks" / "rare.json"
PAGE = HOME / "docs" / "rare.md"
SEED = 2026
DEFAULT = (2.0, 0.5, 8.0)
OTHERS = ((2.0, 0.5, 0.0), (2.0, 0.5, 4.0), (2.0, 0.5, 16.0), (1.0, 0.3, 8.0), (3.0, 0.8, 8.0))
INTRODUCTION = """# Rare classes: does the interval keep its promise?

Cases are drawn with what came true, the prediction's probabilities and the prior's, from truths whose J
is known: an event of 2% unless said otherwise. `classes` is `nepers.assess_classes`; `t` is Student's t
on the j of the outcomes that came true, and `bootstrap` the Bayesian bootstrap of the same. *Covered* is
the share of 95% intervals that hold J, *above* the share wholly above it (an overclaim; wanted at most
0.025), *width* the median width over the mean width of t in the same cell (the median of t is next to
nothing where most samples hold no event). The standard error of a share of 0.95 is 0.22/sqrt(samples).
The truths marked *tune* were there to choose the prior by; those marked *report* were not looked at for
it.

Made by `./do rare` on {machine}, with {versions}.

"""


def interval(x: Any, table: Any, prior: Any, priors: tuple[float, float, float], seed: int) -> list[float]:
    """That of `nepers.assess_classes`, by 1000 draws."""
    import nepers

    shift, slope, fresh = priors
    labels = list(range(table.shape[1]))
    found = nepers.assess_classes(
        x,
        table,
        prior=prior,
        labels=labels,
        shift_sd=shift,
        slope_sd=slope,
        fresh=fresh,
        draws=1000,
        seed=seed,
    )
    return list(found.interval())


def cell(truth: Truth, n: int, samples: int, priors: tuple[float, float, float]) -> dict[str, Any]:
    """Every way's intervals on the samples of one cell, as shares."""
    number = truths().index(truth)
    ways: dict[str, list[Any]] = {"classes": [], "t": [], "bootstrap": []}
    began = time.process_time()
    spent = 0.0
    for sample in range(samples):
        rng = np.random.default_rng([SEED, number, n, sample])
        x, table, prior = truth.draw(n, rng)
        j = np.log(table[np.arange(n), x]) - np.log(prior[x])
        ways["t"].append(student(j, rng))
        ways["bootstrap"].append(bayesian_bootstrap(j, rng))
        started = time.process_time()
        ways["classes"].append(interval(x, table, prior, priors, sample))
        spent += time.process_time() - started
    of_t = np.array(ways["t"])
    mean_width = float((of_t[:, 1] - of_t[:, 0]).mean())
    rows = {name: _shares(np.array(found), truth.J, mean_width) for name, found in ways.items()}
    print(
        f"{truth.name}, n = {n}, {priors}: {rows['classes']} {time.process_time() - began:.0f} s", flush=True
    )
    return {"samples": samples, "milliseconds": 1000.0 * spent / samples, "rows": rows}


def _shares(found: Any, J: float, mean_width: float) -> dict[str, float]:
    low, high = found.T
    return {
        "covered": float(((low <= J) & (high >= J)).mean()),
        "above": float((low > J).mean()),
        "below": float((high < J).mean()),
        "width": float(np.median(high - low) / mean_width),
    }


def run(sizes: list[int], samples: int) -> None:
    """The cells that are not there yet, the small ones first."""
    kept = json.loads(KEPT.read_text(encoding="utf-8")) if KEPT.exists() else {}
    wanted = [(truth, n, DEFAULT) for n in sizes for truth in truths()]
    wanted += [
        (truth, 50, other) for other in OTHERS for truth in truths() if truth.rare and truth.half == "tune"
    ]
    # three classes of many cases take longest
    for truth, n, priors in sorted(wanted, key=lambda one: ("three" in one[0].name, one[1])):
        key = f"{truth.name} | {n} | {priors}"
        if kept.get(key, {}).get("samples", 0) < samples:
            kept[key] = cell(truth, n, samples, priors)
            write_whole(KEPT, json.dumps(kept, indent=1).encode())


def page() -> str:
    """The tables of all that is kept."""
    kept = json.loads(KEPT.read_text(encoding="utf-8"))
    text = INTRODUCTION.format(machine=machine(), versions=versions("nepers", "numpy", "scipy"))
    text += _in_short(kept)
    for truth in truths():
        lines = []
        for n in (50, 200, 1000):
            found = kept.get(f"{truth.name} | {n} | {DEFAULT}")
            lines += (
                [] if found is None else [_line(n, name, found, row) for name, row in found["rows"].items()]
            )
        if lines:
            head = "| n | way | samples | covered | above | below | width |\n|---|---|---|---|---|---|---|\n"
            text += f"## {truth.name.capitalize()}\n\n{truth.half.capitalize()}; "
            text += f"J = {truth.J:.4f} nats.\n\n{head}"
            text += "\n".join(lines) + "\n\n"
    return text + _other_priors(kept) + _speed(kept)


def _in_short(kept: dict[str, Any]) -> str:
    """The worst of the rare cells that were there to report on."""
    cells = [
        found["rows"]
        for truth in truths()
        for n in (50, 200, 1000)
        if truth.rare and truth.half == "report" and (found := kept.get(f"{truth.name} | {n} | {DEFAULT}"))
    ]
    if not cells:
        return ""
    least = {way: min(cell[way]["covered"] for cell in cells) for way in ("classes", "t")}
    most = {way: max(cell[way]["above"] for cell in cells) for way in ("classes", "t")}
    return (
        f"Of the {len(cells)} cells with a rare class that were there to report on, the worst is covered "
        f"{least['classes']:.3f} by `classes` and {least['t']:.3f} by `t`; the largest overclaim is "
        f"{most['classes']:.3f} and {most['t']:.3f}.\n\n"
    )


def _line(n: int, name: str, found: dict[str, Any], row: dict[str, float]) -> str:
    shares = " | ".join(f"{row[key]:.3f}" for key in ("covered", "above", "below"))
    return f"| {n} | {name} | {found['samples']} | {shares} | {row['width']:.2f} |"


def _other_priors(kept: dict[str, Any]) -> str:
    text = (
        "## Other priors\n\nOn the rare truths that were there to tune by, n = 50: covered (width).\n\n"
        "| shift_sd | slope_sd | fresh | " + " | ".join(t.name for t in _tuned()) + " |\n|---|---|---|"
    )
    text += "---|" * len(_tuned()) + "\n"
    for priors in (DEFAULT, *OTHERS):
        cells = [kept.get(f"{t.name} | 50 | {priors}") for t in _tuned()]
        if all(cells):
            said = [
                f"{c['rows']['classes']['covered']:.3f} ({c['rows']['classes']['width']:.2f})" for c in cells
            ]
            text += f"| {priors[0]:g} | {priors[1]:g} | {priors[2]:g} | " + " | ".join(said) + " |\n"
    return text + "\n"


def _tuned() -> list[Truth]:
    return [truth for truth in truths() if truth.rare and truth.half == "tune"]


def _speed(kept: dict[str, Any]) -> str:
    keys = {n: f"calibrated | {n} | {DEFAULT}" for n in (50, 200, 1000)}
    taken = [f"{kept[key]['milliseconds']:.0f} ms for n = {n}" for n, key in keys.items() if key in kept]
    return f"An interval of the first truth, from 1000 draws, took {', '.join(taken)} of one core.\n"


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("samples", type=int, nargs="?", default=400)
    parser.add_argument("--n", type=int, action="append")
    given = parser.parse_args()
    run(given.n or [50, 200, 1000], given.samples)
    write_whole(PAGE, page().encode())


if __name__ == "__main__":
    main()
