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
    ("j", "words"),
    [([0.1, np.nan, 0.2], "NaN|missing"), ([0.1, np.inf, 0.2], "below"), ([0.1, -np.inf], None)],
)
def test_what_is_not_finite(engine, j, words, request):
    # red if: a NaN gets a bin, or is left out
    session, data = request.getfixturevalue(engine), {"j": j}
    frame = session.createDataFrame(pd.DataFrame(data)) if engine == "spark" else dask_frame(data)
    if words is None:
        assert from_frame(frame, j="j").impossible == {"the frame": 1}
        return
    with pytest.raises(nepers.InputError, match=rf"({words}).*1 rows"):
        from_frame(frame, j="j")


@pytest.mark.parametrize("engine", ["spark", "dask"])
def test_many_on_the_cluster(engine, request):
    # red if: a task cannot be sent there, or its answer depends on where it ran
    request.getfixturevalue(engine)
    given = {f"segment {k}": np.repeat([0.5, -1.0 - k], [30, 5 + k]) for k in range(4)}
    found = nepers.assess_many(given | {"bad": [np.nan]}, backend=engine, workers=2)
    assert found.rows[:4] == nepers.assess_many(given, backend="sequential").rows
    assert set(found.failures) == {"bad"}
