"""Spark and a local Dask cluster for real, started and stopped here: tallies, and many assessments."""

import sys
import warnings

import numpy as np
import pandas as pd
import pytest
from tally.engines import columns
from tally.test_frames import WAYS, alike

import nepers
from nepers.tally import from_arrays, from_frame

# the engines' own warnings are not ours to mend
pytestmark = [pytest.mark.cluster, pytest.mark.filterwarnings("ignore")]


@pytest.fixture(scope="module")
def spark():
    sql = pytest.importorskip("pyspark.sql", reason="needs nepers[spark]")
    # workers run this Python
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYSPARK_PYTHON", sys.executable)
        session = (
            sql.SparkSession.builder.master("local[2]")
            .config("spark.ui.enabled", "false")
            .config("spark.sql.shuffle.partitions", "4")
            .config("spark.driver.bindAddress", "127.0.0.1")
            .config("spark.driver.host", "127.0.0.1")
            .getOrCreate()
        )
        session.sparkContext.setLogLevel("ERROR")
        yield session
        session.stop()


@pytest.fixture(scope="module")
def dask():
    distributed = pytest.importorskip("distributed", reason="needs nepers[dask]")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with (
            distributed.LocalCluster(
                n_workers=2, threads_per_worker=1, dashboard_address=None, host="127.0.0.1"
            ) as cluster,
            distributed.Client(cluster) as client,
        ):
            yield client


def dask_frame(data, _client=None):
    import dask.dataframe as dd

    return dd.from_pandas(pd.DataFrame(data), npartitions=5)


@pytest.mark.parametrize("asked", WAYS, ids=["j", "logs", "probabilities"])
def test_spark_makes_the_same_tally(spark, asked):
    # red if: Spark's floor or log of 0 differs, or its partitions are collected
    data = columns()
    alike(from_frame(spark.createDataFrame(pd.DataFrame(data)), **asked), from_arrays(data["j"]))


@pytest.mark.parametrize("asked", WAYS, ids=["j", "logs", "probabilities"])
def test_dask_makes_the_same_tally(dask, asked):
    # red if: a partition is left out
    data = columns()
    alike(from_frame(dask_frame(data), **asked), from_arrays(data["j"]))


@pytest.mark.parametrize("engine", ["spark", "dask"])
def test_segments(engine, request):
    # red if: the segments are mixed up
    session, data = request.getfixturevalue(engine), columns()
    frame = session.createDataFrame(pd.DataFrame(data)) if engine == "spark" else dask_frame(data)
    found = from_frame(frame, q="q", p="p", by="group")
    assert list(found) == [0, 1, 2]
    for group, tally in found.items():
        alike(tally, from_arrays(data["j"][data["group"] == group]))


@pytest.mark.parametrize("engine", ["spark", "dask"])
@pytest.mark.parametrize(
    ("odd", "words"), [(np.nan, "NaN|missing"), (np.inf, "below"), (None, "missing"), (-np.inf, None)]
)
def test_the_partition_of_what_is_not_finite_is_named(engine, odd, words, request):
    # red if: a NaN gets a bin, or is left out; another partition is named, or none
    session = request.getfixturevalue(engine)
    data = [[0.1, 0.2], [0.3, 0.4], [0.5, odd], [0.6, 0.7, odd]]
    if engine == "spark":
        rows = [(value,) for part in data for value in part]
        frame = session.createDataFrame(session.sparkContext.parallelize(rows, 1), "j double")
        ends = frame.rdd.zipWithIndex().map(lambda row: (min(row[1] // 2, 3), row[0]))
        frame = session.createDataFrame(ends.partitionBy(4).values(), "j double")
    else:
        import dask.dataframe as dd

        frame = dd.concat(
            [dd.from_pandas(pd.DataFrame({"j": part}, dtype=float), npartitions=1) for part in data]
        )
    named = {"partition 2 of logs": 1, "partition 3 of logs": 1}
    if words is None:
        assert from_frame(frame, j="j", name="logs").impossible == named
        return
    shown = ", ".join(f"{part} \\({cases}\\)" for part, cases in named.items())
    with pytest.raises(nepers.InputError, match=rf"({words}).*2 rows, of {shown}$"):
        from_frame(frame, j="j", name="logs")


@pytest.mark.parametrize("engine", ["spark", "dask"])
def test_many_on_the_cluster(engine, request):
    # red if: a task cannot be sent there, or its answer depends on where it ran
    request.getfixturevalue(engine)
    given = {f"segment {k}": np.repeat([0.5, -1.0 - k], [30, 5 + k]) for k in range(4)}
    found = nepers.assess_many(given | {"bad": [np.nan]}, backend=engine, workers=2)
    assert found.rows[:4] == nepers.assess_many(given, backend="sequential").rows
    assert set(found.failures) == {"bad"}
