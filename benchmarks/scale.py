"""1e11 cases on a cluster: arithmetic from what is measured here, and 1,000 partitions in small.

Every partition makes its tally and hands over a file; the files are merged in a tree; the posterior is made
from the last one. Here the 1,000 partitions are made one after another, of few cases each. And many
assessments: some segments of 500 cases, side by side.

    ./do scale [--partitions 1000] [--cases 20000] [--segments 60]
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import numpy as np
from machine import machine, versions
from truths import truths

HOME = Path(__file__).parent.parent
PAGE = HOME / "docs" / "scale.md"
FAN = 32  # tallies merged at a time
N = 10**11
TEXT = """# 1e11 cases

Made by `./do scale` on {machine}, with {versions}. The processor was shared with other work.

## In small: {partitions:,} partitions of {cases:,} cases

Each partition makes a tally of its cases and hands it over as the bytes of its file, digest and all; the
tallies are merged {fan} at a time until one is left.

| | measured |
|---|---|
| cases | {n:,} |
| a partition's tally | {each:.0f} kB, {bins:,} bins on average |
| the whole tally | {whole:.0f} kB, {all_bins:,} bins |
| counting, a core | {rate:.1f} million cases a second |
| reading and merging a tally, in the tree | {merge:.2f} ms |
| merges one after another, of {levels} levels | {depth} |
| against the tally of all cases at once | {same} |

## On paper: {large:.0e} cases in {parts:,} partitions

| | how | |
|---|---|---|
| read | two columns of 8 bytes, uncompressed | {read:.1f} TB |
| counted | {rate:.1f} million a second and core | {hours:.0f} core-hours; {minutes:.0f} min on 1,000 cores |
| moved (shuffle) | {parts:,} tallies of at most {whole:.0f} kB | {moved:.1f} GB |
| merged | {parts_levels} levels of {fan} merges of {merge:.2f} ms | {merge_seconds:.2f} s, side by side |
| kept | one tally | {whole:.0f} kB |
| posterior | from the bins, whatever n: see [the posterior from a tally](tally.md) | seconds to a minute |

Rounding: sums of 1e11 numbers, added in a tree of partial sums, are off by some 1e-13 of their size; counts
are whole numbers of 64 bits.

## Many: segments of 500 cases

`assess_many` on {segments} segments of 500 cases of the truth "left skew-t3", two at a time: {seconds:.1f} s
of processor time, {per:.2f} core-seconds a segment; 1,000 would take {thousand:.1f} core-minutes (wanted: 8).
{failures} failed; {doubtful} carry a warning that the chains did not yet agree on every quantity.
"""


def partitions(count: int, cases: int) -> dict[str, object]:
    """The tallies of the partitions, merged in a tree and all at once."""
    from nepers.tally import Tally, from_arrays
    from nepers.tally.file import FORMAT, as_header, restored
    from nepers.tally.sealed import sealed, unsealed

    truth = next(one for one in truths() if one.name == "left skew-t3")
    rng, kind = np.random.default_rng(9), "nepers tally"
    every, spent = [], 0.0
    files: list[bytes] = []
    bins = 0
    for number in range(count):
        j = truth.draw(cases, rng)
        every.append(j)
        began = time.perf_counter()
        tally = from_arrays(j, batch=f"partition {number}")
        spent += time.perf_counter() - began
        bins += tally.bins.key.size
        files.append(sealed(kind, FORMAT, as_header(tally), tally.bins.columns()))
    each = sum(map(len, files)) / count / 1e3

    def read(content: bytes) -> Tally:
        return restored(*unsealed(kind, FORMAT, content, "partition"))

    began, merges, levels = time.perf_counter(), 0, 0
    while len(files) > 1:
        above = []
        for start in range(0, len(files), FAN):
            first, *rest = map(read, files[start : start + FAN])
            found = first.merge(*rest)
            merges += 1 + len(rest)
            above.append(sealed(kind, FORMAT, as_header(found), found.bins.columns()))
        files, levels = above, levels + 1
    seconds = time.perf_counter() - began
    whole, at_once = read(files[0]), from_arrays(np.concatenate(every))
    same = (
        np.array_equal(whole.bins.key, at_once.bins.key)
        and np.array_equal(whole.bins.count, at_once.bins.count)
        and np.array_equal(whole.bins.least, at_once.bins.least)
        and len(whole.batches) == count
    )
    off = float(np.abs(whole.bins.total - at_once.bins.total).max())
    return {
        "n": whole.n,
        "each": each,
        "bins": bins // count,
        "whole": len(files[0]) / 1e3,
        "all_bins": whole.bins.key.size,
        "rate": count * cases / spent / 1e6,
        "merge": 1e3 * seconds / merges,
        "levels": levels,
        "depth": levels * FAN,
        "same": f"counts and extremes equal: {'yes' if same else 'NO'}; sums within {off:.1e}",
    }


def many(segments: int) -> dict[str, object]:
    """Some segments, and what they cost."""
    import os

    import nepers

    truth = next(one for one in truths() if one.name == "left skew-t3")
    rng = np.random.default_rng(10)
    given = {f"segment {k}": truth.draw(500, rng) for k in range(segments)}
    nepers.assess_many({"first": given["segment 0"]}, workers=2)  # so that compiling is not counted
    before = os.times()
    found = nepers.assess_many(given, workers=2, backend="threading")
    after = os.times()
    seconds = after.user + after.system - before.user - before.system
    return {
        "segments": segments,
        "seconds": seconds,
        "per": seconds / segments,
        "thousand": 1000.0 * seconds / segments / 60.0,
        "failures": len(found.failures),
        "doubtful": len(found.doubtful),
    }


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--partitions", type=int, default=1000)
    parser.add_argument("--cases", type=int, default=20_000)
    parser.add_argument("--segments", type=int, default=60)
    given = parser.parse_args()
    small = partitions(given.partitions, given.cases)
    print(small, flush=True)
    several = many(given.segments)
    print(several, flush=True)
    parts = 10_000
    levels = int(np.ceil(np.log(parts) / np.log(FAN)))
    rate, whole, merge = (float(small[name]) for name in ("rate", "whole", "merge"))  # type: ignore[arg-type]
    PAGE.write_text(
        TEXT.format(
            machine=machine(),
            versions=versions("nepers", "numpy"),
            partitions=given.partitions,
            cases=given.cases,
            fan=FAN,
            **small,
            **several,
            large=float(N),
            parts=parts,
            read=N * 16 / 1e12,
            hours=N / rate / 1e6 / 3600.0,
            minutes=N / rate / 1e6 / 60.0 / 1000.0,
            moved=parts * whole / 1e6,
            parts_levels=levels,
            merge_seconds=levels * FAN * merge / 1e3,
        ),
        encoding="utf-8",
    )


if __name__ == "__main__":
    main()
