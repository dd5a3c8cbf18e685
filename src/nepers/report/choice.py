"""The page that fits the result."""

from __future__ import annotations

from typing import Any

from nepers.errors import InputError
from nepers.report.printable import sentence


def page_of(result: Any, title: str | None) -> str:
    """The report as one HTML document."""
    from nepers.assessment import Assessment
    from nepers.comparison import Comparison

    if title is not None and not isinstance(title, str):
        raise InputError(f"title must be text; it is {title!r}")
    heading = None if title is None else sentence(title)
    if isinstance(result, Assessment):
        from nepers.report.assessment_report import assessment_page

        return assessment_page(result, heading)
    if isinstance(result, Comparison):
        from nepers.report.comparison_report import comparison_page

        return comparison_page(result, heading)
    raise InputError(f"result must be an Assessment or a Comparison; it is {type(result).__name__}")
