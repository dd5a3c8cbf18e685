"""A choice in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nepers.words import count

if TYPE_CHECKING:
    from nepers.evidence.choice import Choice


def describe(choice: Choice) -> str:
    """A line for each candidate, the best first, and what follows from them."""
    rows = choice.summary()
    width = max(len(row["name"]) for row in rows)
    set_aside = choice.n - choice.values.size
    aside = f"; {count(set_aside, 'case')} of repeated values set aside" if set_aside else ""
    lines = [f"Log evidence of {count(choice.values.size, 'log ratio')}, in nats{aside}:"]
    for row in rows:
        lines.append(
            f"  {row['name']:<{width}}  {row['log_evidence']:9.2f} ± {row['error']:.2f}   probability "
            f"{row['probability']:.3f} ({row['lower']:.3f} to {row['upper']:.3f})"
        )
    return "\n".join([*lines, *_verdict(choice), *_caveats(choice)])


def _verdict(choice: Choice) -> list[str]:
    if len(choice.names) == 1:
        return []
    if choice.clear:
        return [f"The evidence is for {choice.best}."]
    return [
        "That is too uncertain to choose by: look at plot_prior_draws(), which shows sets drawn from each "
        "prior beside the cases, and take the one whose sets look like the cases."
    ]


def _caveats(choice: Choice) -> list[str]:
    said = []
    for name, one in zip(choice.names, choice.evidences, strict=True):
        if not one.reliable:
            said.append(
                f"Do not rely on {name}: its ladders do not agree (R-hat {one.r_hat:.3f}), or a step of the "
                f"way rejects nearly every exchange ({one.hardest:.2f}); give a larger max_seconds, or more "
                "ladders."
            )
        elif one.error > choice.target_error:
            said.append(
                f"The error of {name}, {one.error:.2f}, is above the {choice.target_error:g} asked for: give "
                "a larger max_seconds, with resume to go on from here."
            )
    return said
