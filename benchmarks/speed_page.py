"""docs/speed.md from what `speed.py` measured."""

from __future__ import annotations

from pathlib import Path
from statistics import median
from typing import Any

WORDS = {
    "J": "J",
    "log_likelihood": "log likelihood",
    "mu_mu": "mu_mu",
    "S_mu": "S_mu",
    "R_S_mu": "R_S_mu",
    "m_S": "m_S",
    "R_S": "R_S",
    "C": "C",
}
J_TARGET, WORST_TARGET = 10_000, 3_600


def page(found: dict[str, Any]) -> str:
    """The whole page."""
    bounds = (Path(__file__).parent / "speed_bounds.md").read_text(encoding="utf-8").splitlines()
    parts = [_head(found), _answers(found), _rates(found), _sizes(found), _memory(found), bounds]
    return "\n".join(line for part in parts for line in [*part, ""])


def _head(found: dict[str, Any]) -> list[str]:
    return [
        "# How fast is it?",
        "",
        f"Made by `{found['command']}` on {found['machine']}; {found['versions']}.",
    ]


def _answers(found: dict[str, Any]) -> list[str]:
    a = found["answers"]
    later = f"{median(a['later']):.1f} ({a['later'][0]:.1f} to {a['later'][-1]:.1f})"
    return [
        "## From the command to the answer",
        "",
        "`nepers assess` on a file of 418 cases, C unknown, from the start of the process to its end.",
        "The first answer of a new installation includes making the machine code, which is kept.",
        "",
        "| seconds | measured | wanted |",
        "|---|---|---|",
        f"| first answer | {a['first']:.1f} | 10 |",
        f"| later answers, median (range) | {later} | 2 |",
        f"| `import nepers` | {a['import']:.2f} | 0.3 |",
    ]


def _rates(found: dict[str, Any]) -> list[str]:
    fixed, unknown, peer = found["fixed"], found["unknown"], found["peer"]
    lines = [
        "## Effective draws a second",
        "",
        "Bulk effective sample size (ArviZ) for a second of one core, after warm-up or tuning, on the",
        "418 values of `benchmarks/oracle_418.csv` with the paper's hyperparameters.",
        "",
    ]
    head = ["quantity", "C = 6", "C unknown"]
    head += ["NUTS, C = 6", "times NUTS at C = 6"] if peer else []
    lines += [_row(head), _row(["---"] * len(head))]
    for name, words in WORDS.items():
        cells = [words, _number(fixed["rates"].get(name)), _number(unknown["rates"].get(name))]
        if peer:
            rate = peer["rates"].get(name)
            cells += [_number(rate), _number(rate and fixed["rates"][name] / rate)]
        lines.append(_row(cells))
    worst = {key: min(one["rates"].values()) for key, one in _present(found).items()}
    cells = ["**the worst**", *(_number(worst[key]) for key in ("fixed", "unknown"))]
    lines.append(
        _row(cells + ([_number(worst["peer"]), _number(worst["fixed"] / worst["peer"])] if peer else []))
    )
    lines += [
        "",
        f"Wanted at C = 6: {J_TARGET:,} of J and {WORST_TARGET:,} of the worst; with C unknown, at most 2",
        f"times fewer of the worst (here {worst['fixed'] / worst['unknown']:.1f} times).",
        f"A sweep takes {fixed['microseconds']:.0f} µs at C = 6 and {unknown['microseconds']:.0f} µs with",
        "C unknown.",
    ]
    if peer:
        lines += [
            "",
            "NUTS is the No-U-Turn sampler of nutpie on the same posterior with the allocations and",
            f"alpha integrated out and gradients from JAX (`benchmarks/peer.py`; {peer['versions']}). It",
            "has no counterpart for C unknown. Its tuning is not counted, nor its compilation",
            f"({peer['compile']:.0f} s).",
            "",
            "Both sample the same posterior:",
            "",
            "| posterior mean at C = 6 | nepers | NUTS |",
            "|---|---|---|",
        ]
        for name in ("J", "log_likelihood", "mu_mu", "R_S_mu", "m_S", "R_S"):
            lines.append(_row([WORDS[name], f"{fixed['means'][name]:.4g}", f"{peer['means'][name]:.4g}"]))
    return lines


def _present(found: dict[str, Any]) -> dict[str, Any]:
    return {key: found[key] for key in ("fixed", "unknown", "peer") if found[key]}


def _sizes(found: dict[str, Any]) -> list[str]:
    lines = [
        "## More cases",
        "",
        "Processor time of one sweep; values drawn from the same 418 with a little noise. More cases",
        "need more components, so with C unknown a sweep also has more to do for each case.",
        "",
        "| cases | C = 6, µs | a case, ns | C unknown, µs | a case, ns |",
        "|---|---|---|---|---|",
    ]
    for n, times in found["sizes"].items():
        cells = [f"{n:,}"]
        for name in ("fixed", "unknown"):
            cells += [f"{times[name]:,.0f}", f"{1e3 * times[name] / n:,.0f}"]
        lines.append(_row(cells))
    return lines


def _memory(found: dict[str, Any]) -> list[str]:
    return [
        "## Memory",
        "",
        f"Assessing a million cases takes at most {found['memory']:.0f} MB, Python and its libraries",
        "included (wanted: 500).",
    ]


def _row(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _number(value: float | None) -> str:
    if value is None:
        return ""
    return f"{value:,.0f}" if value >= 10.0 else f"{value:.1f}"
