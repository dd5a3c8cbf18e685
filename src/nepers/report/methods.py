"""What results inherit: the report as a method, and words for a notebook; nothing is imported before."""

from __future__ import annotations

import os
from typing import Any


class Reported:
    """A result with a report of its own."""

    def report(self: Any, path: str | os.PathLike[str], *, title: str | None = None) -> None:
        """Write the report to ``path``: one HTML file, complete by itself, in place of what is there.

        title: the heading; by default it is made from the result's name.
        """
        from nepers.report import write_report

        write_report(self, path, title=title)


class InWords:
    """A result that a notebook shows as its words."""

    def _repr_html_(self) -> str:
        from nepers.report.notebook import words_html

        return words_html(str(self))
