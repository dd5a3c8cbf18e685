"""What the battery found, counted: benchmarks/battery.json, and the page made from it."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from machine import machine, versions
from truths import FAMILIES, Truth, truths

WAYS = ("calibrated", "paper", "t", "BCa", "bootstrap-t", "Bayesian bootstrap")
COVERED, ABOVE = 0.95, 0.025
WIDEST = {True: 1.5, False: 1.1}  # by whether the variance is infinite
INTRODUCTION = """# Does the interval keep its promise?

Samples of n log ratios come from distributions whose mean J is known, and every way makes its 95% interval
from each. *Covered* is the share of intervals that hold J; *above* and *below* are the shares that lie wholly
above it (an overclaim) and wholly below it; *width* is the median width over that of Student's t on the same
samples. Wanted are: covered at least {covered}, above at most {above}, and a width of at most {narrow} where
the variance is finite and {wide} where it is infinite. A mark * says that a number misses this by more than
two standard errors of its share (a width: at all).

The truths marked *tune* served to choose the hyperparameters `"calibrated"` by; those marked *report* were
not looked at for it. `"paper"` is the paper's table. How the choice was made: [method](method.md).

Made by `./do battery` on {machine}, with {versions}. Core-seconds a sample: {seconds}.
"""
HEAD = "| n | way | samples | covered | above | below | width |\n|---|---|---|---|---|---|---|\n"


def counted(rows: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """A row for each truth, number of cases and way."""
    cells: dict[tuple[int, int], list[dict[str, Any]]] = defaultdict(list)
    for row in rows:
        cells[row["truth"], row["n"]].append(row)
    return [
        {"truth": truth, "n": n, "way": way, **found}
        for (truth, n), there in sorted(cells.items())
        for way in WAYS
        if (found := count(there, way, truths()[truth].mean))
    ]


def count(rows: list[dict[str, Any]], way: str, mean: float) -> dict[str, Any]:
    """What one way's intervals did in the samples it has; its width against t's in the same ones."""
    rows = [row for row in rows if way in row]
    if not rows:
        return {}
    low, high = np.array([row[way] for row in rows]).T
    widths = np.array([row["t"] for row in rows if "t" in row] or [[np.nan] * 2])
    seconds = [row[f"seconds {way}"] for row in rows if f"seconds {way}" in row]
    return {
        "samples": len(rows),
        "above": int((low > mean).sum()),
        "below": int((high < mean).sum()),
        "width": round(float(np.median(high - low) / np.median(widths[:, 1] - widths[:, 0])), 4),
        **({"seconds": round(float(np.mean(seconds)), 3)} if seconds else {}),
    }


def write_page(rows: Iterable[dict[str, Any]], home: Path) -> None:
    """Count, and write both files."""
    found = {"machine": machine(), "versions": versions("nepers", "numpy", "scipy"), "cells": counted(rows)}
    lines = ",\n".join(json.dumps(cell) for cell in found["cells"])
    head = json.dumps({key: value for key, value in found.items() if key != "cells"})
    text = f'{head[:-1]}, "cells": [\n{lines}\n]}}\n'
    (home / "benchmarks" / "battery.json").write_text(text, encoding="utf-8")
    (home / "docs" / "battery.md").write_text(page(found), encoding="utf-8")


def page(found: dict[str, Any]) -> str:
    """The page: what misses its aim, then a table for each truth."""
    tables = [
        _table(truth, [cell for cell in found["cells"] if cell["truth"] == number])
        for family in FAMILIES
        for number, truth in enumerate(truths())
        if truth.family == family and any(cell["truth"] == number for cell in found["cells"])
    ]
    introduction = INTRODUCTION.format(
        covered=COVERED, above=ABOVE, narrow=WIDEST[False], wide=WIDEST[True],
        machine=found["machine"], versions=found["versions"], seconds=_seconds(found["cells"]),
    )  # fmt: skip
    return introduction + "\n" + _summary(found["cells"]) + "\n" + "\n".join(tables)


def _seconds(cells: list[dict[str, Any]]) -> str:
    sizes = sorted({cell["n"] for cell in cells})
    means = {n: [c["seconds"] for c in cells if c["n"] == n and "seconds" in c] for n in sizes}
    return ", ".join(f"{np.mean(own):.2f} at n = {n:,}" for n, own in means.items() if own)


def _summary(cells: list[dict[str, Any]]) -> str:
    """By half and way: the worst of the cells that are no rare event, and how many miss each aim."""
    head = "| half | way | cells | least covered | miss | most above | miss | widest | miss |"
    lines = [head, "|" + "---|" * 9]
    for half in ("report", "tune"):
        for way in WAYS:
            own = [
                cell
                for cell in cells
                if cell["way"] == way
                and truths()[cell["truth"]].half == half
                and not truths()[cell["truth"]].rare
            ]
            if own:
                lines.append(f"| {half} | {way} | {len(own)} | {_worst(own)} |")
    text = (
        "Over all cells but those of rare events; *miss* is the number of cells with a mark. Widths are "
        "relative to their aim: 1.00 just meets it."
    )
    return f"## In short\n\n{text}\n\n" + "\n".join(lines) + "\n"


def _worst(own: list[dict[str, Any]]) -> str:
    covered = min(1.0 - (c["above"] + c["below"]) / c["samples"] for c in own)
    above = max(c["above"] / c["samples"] for c in own)
    widest = max(c["width"] / WIDEST[truths()[c["truth"]].infinite_variance] for c in own)
    missed = {aim: sum(misses(c)[aim] for c in own) for aim in ("covered", "above", "width")}
    return (
        f"{covered:.3f} | {missed['covered']} | {above:.3f} | {missed['above']} | "
        f"{widest:.2f} | {missed['width']}"
    )


def misses(cell: dict[str, Any]) -> dict[str, bool]:
    """Whether each number misses its aim beyond two standard errors of a share that just meets it."""
    samples, truth = cell["samples"], truths()[cell["truth"]]
    covered = 1.0 - (cell["above"] + cell["below"]) / samples

    def slack(share: float) -> float:
        return 2.0 * float(np.sqrt(share * (1.0 - share) / samples))

    return {
        "covered": covered < COVERED - slack(COVERED),
        "above": cell["above"] / samples > ABOVE + slack(ABOVE),
        "width": cell["width"] > WIDEST[truth.infinite_variance],
    }


def _table(truth: Truth, cells: list[dict[str, Any]]) -> str:
    variance = "infinite variance" if truth.infinite_variance else "finite variance"
    rare = "a rare event, to which the aims do not apply; " if truth.rare else ""
    known = "" if variance in truth.family else f"{variance}; "
    what = f"{truth.family.capitalize()}; {known}{rare}*{truth.half}*; J = {truth.mean:.4f} nats."
    return f"## {truth.name}\n\n{what}\n\n{HEAD}" + "\n".join(_lines(cells)) + "\n"


def _lines(cells: list[dict[str, Any]]) -> Iterator[str]:
    for cell in sorted(cells, key=lambda cell: (cell["n"], WAYS.index(cell["way"]))):
        n, missed = cell["samples"], misses(cell)
        shown = {
            "covered": f"{1.0 - (cell['above'] + cell['below']) / n:.3f}",
            "above": f"{cell['above'] / n:.3f}",
            "below": f"{cell['below'] / n:.3f}",
            "width": f"{cell['width']:.2f}",
        }
        marked = [text + ("*" if missed.get(name) else "") for name, text in shown.items()]
        yield f"| {cell['n']:,} | {cell['way']} | {n} | " + " | ".join(marked) + " |"
