"""A report: one HTML file with the answer in words, the figures, and all it takes to repeat the result.

    write_report(answer, "answer.html")

The file is complete by itself: the figures are in it, it loads nothing from anywhere and runs no script, so
that it can be sent, kept and printed. The same result gives the same bytes on the same machine.

Whatever came from the user, such as the names of algorithms and cases, is text in it and never markup:
`nepers.report.markup` escapes every text, and `nepers.report.printable` replaces characters that cannot be
shown. `nepers.report.notebook` has the small tables that results show of themselves in a notebook.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from nepers.assessment import Assessment
    from nepers.comparison import Comparison

__all__ = ["write_report"]


def write_report(
    result: Assessment | Comparison, path: str | os.PathLike[str], *, title: str | None = None
) -> None:
    """Write the report on an assessment or a comparison to ``path``, in place of what is there.

    title: the heading of the report; by default it is made from the result's name.
    """
    from nepers.files import put, writable
    from nepers.report.choice import page_of

    writable("path", path)  # before the work
    put("path", path, page_of(result, title).encode())
