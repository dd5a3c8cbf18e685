"""How fast is a tally made? Beside what the same engine does anyway with the same rows, in the same run.

Parquet by the embedded engine, beside DuckDB that merely averages the same expression; polars, Dask and
Spark, each beside its own group-by of the same bins, written by hand. The ways run in turn, several times;
what counts is the median of the ratios within a turn.

    ./do engines [ROWS] [--frames ROWS]
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
from machine import machine, versions

Times = tuple[list[float], list[float]]
HOME = Path(__file__).parent.parent
PAGE = HOME / "docs" / "engines.md"
TIMES = 5
TEXT = """# How fast is a tally made?

Made by `./do engines {rows:.0e} --frames {frames:.0e}` on {machine}, with {versions}. The processor was
shared with other work, so only ratios mean anything: the ways run in turn, {times} times, and the medians of
the times and of the ratios within a turn are given. Rows of two probabilities; the expression is
log q - log p.

## Parquet files

{rows:,} rows, {size:.2f} GB on disk, read out of core. Wanted: at least 0.7 times the speed of DuckDB
averaging, in under 2 GB.

| | seconds | million rows a second | speed, of averaging |
|---|---|---|---|
{parquet}

The process that made the tally held at most {memory:.2f} GB.

## Frames

{frames:,} rows. The plain work is the engine's own group-by of the same bins with the same five columns,
written for it by hand. Wanted: at most 1.5 times its time.

| engine | tally, s | plain, s | ratio |
|---|---|---|---|
{engines}
"""
_KEY = "CAST(floor(sign(j) * ln(abs(j) * 4 + sqrt(abs(j) * 4 * abs(j) * 4 + 1)) * 512) AS INT)"


def made(path: Path, rows: int) -> None:
    """A file of so many rows, written in pieces by DuckDB."""
    with duckdb.connect(config={"memory_limit": "1500MB", "preserve_insertion_order": "false"}) as connection:
        connection.execute(
            f"COPY (SELECT 0.02 + 0.97 * random() AS q, 0.1 + 0.8 * random() AS p FROM range({rows})) "
            f"TO '{path}' (FORMAT parquet)"
        )


def timed(*ways: Callable[[], Any]) -> Times:
    """The median seconds of each, run in turn, and the median ratio of each to the first."""
    seconds = np.empty((TIMES, len(ways)))
    for turn in range(TIMES):
        for i, way in enumerate(ways):
            began = time.perf_counter()
            way()
            seconds[turn, i] = time.perf_counter() - began
    ratios = seconds / seconds[:, :1]
    return np.median(seconds, axis=0).tolist(), np.median(ratios, axis=0).tolist()


_ALONE = """
import resource, sys
from nepers.tally import from_files
assert from_files(sys.argv[1], q="q", p="p").n == int(sys.argv[2])
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20)
"""


def parquet(path: Path, rows: int) -> tuple[str, float]:
    """Rows of the first table, and the memory."""
    from nepers.tally import files, from_files

    def averaged() -> None:
        with duckdb.connect() as connection:
            connection.execute(f"SELECT avg(ln(q) - ln(p)) FROM read_parquet('{path}')").fetchall()

    def otherwise(what: str) -> None:
        usual = getattr(files, what)
        setattr(files, what, lambda *_: False)
        from_files(path, q="q", p="p")
        setattr(files, what, usual)

    small = path.with_name("small.parquet")
    made(small, 1000)
    from_files(small, q="q", p="p")  # so that compiling is not counted
    ways = {
        "DuckDB averaging": averaged,
        "tally": lambda: from_files(path, q="q", p="p"),
        "tally of columns that are not plain: DuckDB decodes": lambda: otherwise("is_plain"),
        "tally without pyarrow, as a group-by": lambda: otherwise("is_possible"),
    }
    seconds, ratios = timed(*ways.values())
    lines = [
        f"| {name} | {s:.1f} | {rows / s / 1e6:.1f} | {1.0 / ratio:.2f} |"
        for name, s, ratio in zip(ways, seconds, ratios, strict=True)
    ]
    alone = subprocess.run(
        [sys.executable, "-c", _ALONE, str(path), str(rows)], capture_output=True, text=True, check=True
    )
    return "\n".join(lines), float(alone.stdout)


def polars(path: Path) -> Times:
    import polars as pl

    from nepers.tally import from_frame

    x = pl.col("j").abs() * 4
    key = (pl.col("j").sign() * (x + (x * x + 1).sqrt()).log() * 512).floor()

    def plain() -> None:
        rows = pl.scan_parquet(path).select((pl.col("q").log() - pl.col("p").log()).alias("j"))
        j = pl.col("j")
        rows.with_columns(key.alias("key"), (j * j).alias("square")).group_by("key").agg(
            pl.len(), j.sum().alias("total"), pl.col("square").sum(), j.min().alias("a"), j.max().alias("b")
        ).collect()

    return timed(plain, lambda: from_frame(pl.scan_parquet(path), q="q", p="p"))


def spark(path: Path) -> Times:
    from pyspark.sql import SparkSession

    from nepers.tally import from_frame

    session = (
        SparkSession.builder.master("local[2]")
        .config("spark.ui.enabled", "false")
        .config("spark.sql.shuffle.partitions", "4")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.driver.host", "127.0.0.1")
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("ERROR")
    frame = session.read.parquet(str(path))
    frame.createOrReplaceTempView("rows")

    def plain() -> None:
        session.sql(
            f"SELECT key, count(*), sum(j), sum(j * j), min(j), max(j) FROM (SELECT {_KEY} AS key, j FROM "
            "(SELECT ln(q) - ln(p) AS j FROM rows)) GROUP BY key"
        ).collect()

    try:
        return timed(plain, lambda: from_frame(frame, q="q", p="p"))
    finally:
        session.stop()


def dask(path: Path) -> Times:
    import dask.dataframe as dd
    from distributed import Client, LocalCluster

    from nepers.tally import from_frame

    def plain() -> None:
        rows = dd.read_parquet(path, split_row_groups=4)
        j = np.log(rows["q"]) - np.log(rows["p"])
        x = j.abs() * 4
        key = np.floor(np.sign(j) * np.log(x + np.sqrt(x * x + 1)) * 512)
        keyed = rows.assign(j=j, square=j * j, key=key)[["key", "j", "square"]]
        keyed.groupby("key").agg({"j": ["count", "sum", "min", "max"], "square": "sum"}).compute()

    with (
        LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None, host="127.0.0.1") as cluster,
        Client(cluster),
    ):
        return timed(plain, lambda: from_frame(dd.read_parquet(path, split_row_groups=4), q="q", p="p"))


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("rows", type=float, nargs="?", default=1e8)
    parser.add_argument("--frames", type=float, default=1e7)
    given = parser.parse_args()
    os.environ["PYSPARK_PYTHON"] = sys.executable
    warnings.simplefilter("ignore")
    with tempfile.TemporaryDirectory(prefix="nepers-engines-") as folder:
        large, smaller = Path(folder) / "large.parquet", Path(folder) / "smaller.parquet"
        made(large, int(given.rows))
        of_parquet, memory = parquet(large, int(given.rows))
        print(of_parquet, f"{memory:.2f} GB", flush=True)
        size = large.stat().st_size / 1e9
        large.unlink()
        made(smaller, int(given.frames))
        lines = []
        for name, way in {"polars": polars, "Dask, 2 workers": dask, "Spark, local[2]": spark}.items():
            (plain, mine), (_, ratio) = way(smaller)
            lines.append(f"| {name} | {mine:.2f} | {plain:.2f} | {ratio:.2f} |")
            print(lines[-1], flush=True)
    PAGE.write_text(
        TEXT.format(
            times=TIMES,
            rows=int(given.rows),
            frames=int(given.frames),
            machine=machine(),
            versions=versions("nepers", "duckdb", "polars", "dask", "pyspark", "narwhals"),
            size=size,
            parquet=of_parquet,
            memory=memory,
            engines="\n".join(lines),
        ),
        encoding="utf-8",
    )


if __name__ == "__main__":
    main()
