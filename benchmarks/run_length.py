"""The run length after which chains do not show where they began, by the number of cases.

    ./do runlength

The page docs/run-length.md is written from what is measured.
"""

from __future__ import annotations

from pathlib import Path

from machine import machine

from nepers import running
from nepers.convergence import convergence_study

PAGE = Path(__file__).resolve().parent.parent / "docs" / "run-length.md"
SIZES = {30: (10, 3200), 100: (10, 3200), 300: (10, 3200)}
INTRODUCTION = """# How long must the chains run?

`nepers.convergence_study(n)`: data sets of n log ratios, each made from a draw of the paper's prior; four
chains from the truth and four from the prior. The cells are the share of data sets in which, after that many
sweeps, R-hat over all eight chains is below {J} for J and below {other} for every other quantity.

Made by `./do runlength` on {machine}.

"""
END = """
`assess` makes at least {least:,} sweeps of each chain ({warm_up} of warm-up, then {first:,}), and keeps only
the later half of what follows the warm-up while the chains disagree. It goes on until they agree by the same
limits, but for quantities that J is seen not to depend on, or its time is up.
"""


def main() -> None:
    from nepers.diagnostics import J_R_HAT, OTHER_R_HAT

    longest = convergence_study(1, data_sets=1, most=3200, cores=1).sweeps
    rows = [["cases", "data sets", *map(str, longest), "enough"], ["---"] * (3 + len(longest))]
    for n, (sets, most) in SIZES.items():
        found = convergence_study(n, data_sets=sets, most=most, cores=1)
        print(found, flush=True)
        shares = dict(zip(found.sweeps, found.agreeing, strict=True))
        cells = [f"{shares[t]:.2f}" if t in shares else "" for t in longest]
        enough = f"more than {most}" if found.needed is None else str(found.needed)
        rows.append([f"{n:,}", str(sets), *cells, enough])
    table = "\n".join("| " + " | ".join(row) + " |" for row in rows)
    introduction = INTRODUCTION.format(J=J_R_HAT, other=OTHER_R_HAT, machine=machine())
    end = END.format(least=running.WARM_UP + running.FIRST, warm_up=running.WARM_UP, first=running.FIRST)
    PAGE.write_text(introduction + table + "\n" + end, encoding="utf-8")


if __name__ == "__main__":
    main()
