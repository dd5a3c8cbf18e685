"""The rows of many assessments."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from nepers.many.tasks import Row


@dataclass(frozen=True, eq=False, repr=False)
class Many:
    """A row for each name, of comparisons for each name and algorithm; its "error" is None if all is well."""

    rows: tuple[Row, ...]

    @property
    def failures(self) -> dict[str, str]:
        """What failed, by name, and why."""
        return {row["segment"]: row["error"] for row in self.rows if row["error"] is not None}

    @property
    def doubtful(self) -> dict[str, str]:
        """What was answered with a warning, by name."""
        return {row["segment"]: row["warning"] for row in self.rows if row.get("warning") is not None}

    def columns(self) -> dict[str, list[Any]]:
        """The rows as columns; None where a row has no such number."""
        names = dict.fromkeys(name for row in self.rows for name in row)
        return {name: [row.get(name) for row in self.rows] for name in names}

    def to_frame(self, native: str | None = None) -> Any:
        """The rows as a table of polars, pandas or pyarrow: the first installed if None."""
        from nepers.export import as_frame

        return as_frame(self.columns(), native)

    def __len__(self) -> int:
        return len(self.rows)

    def __repr__(self) -> str:
        return f"<Many: {len(self.rows):,} rows, {len(self.failures):,} failures>"
