"""Axes that show themselves in a notebook, as their figure has no window that would."""

from __future__ import annotations

import io

from matplotlib.axes import Axes


class ShownAxes(Axes):
    """Plain axes but for what a notebook makes of them."""

    def _repr_png_(self) -> bytes:
        kept = io.BytesIO()
        figure = self.get_figure(root=True)
        if figure is not None:
            figure.savefig(kept, format="png")
        return kept.getvalue()
