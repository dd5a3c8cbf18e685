"""A stream: nothing counted twice, nothing lost, whatever is killed when."""

import signal
import subprocess
import sys
import time

import numpy as np
import pytest

import nepers
from nepers.tally import Grid, Stream, from_arrays

BATCHES = np.random.default_rng(1).normal(0.1, 0.4, (12, 50))


def test_a_stream_goes_on_where_it_was(tmp_path):
    # red if: a part of the state is not written, or read back as something else
    once = Stream.open(tmp_path / "once", clip=(-2.0, 1.0))
    for k, j in enumerate(BATCHES):
        assert once.update(j, batch=str(k))
        again = Stream.open(tmp_path / "again", clip=(-2.0, 1.0))
        assert again.update(tally=from_arrays(j), batch=str(k))
    assert once.to_bytes() == Stream.open(tmp_path / "again").to_bytes()
    assert once.tally.n == BATCHES.size
    assert once.tally.mean == pytest.approx(BATCHES.mean(), abs=1e-14)


def test_a_change_is_kept(tmp_path):
    # red if: what was seen is forgotten when the file is read again
    stream = Stream.open(tmp_path / "s", bounds=(-1.0, 1.0))
    for k in range(8):
        stream.update(np.full(400, 0.5 if k < 4 else -0.5), batch=str(k))
    assert stream.change is not None
    assert Stream.open(tmp_path / "s").change == stream.change


def test_a_batch_sent_again_counts_once(tmp_path):
    # red if: the watch or the tally takes it twice
    stream = Stream.open(tmp_path / "s", clip=(-2.0, 1.0))
    stream.update(BATCHES[0], batch="a")
    before = stream.to_bytes()
    assert not stream.update(BATCHES[1], batch="a")
    assert stream.to_bytes() == before


@pytest.mark.parametrize("what", ["os.replace", "os.fsync"])
def test_a_batch_that_could_not_be_written_was_not_taken(what, tmp_path, monkeypatch):
    # red if: the object goes on although the file did not, and the batch is refused when sent again
    stream = Stream.open(tmp_path / "s", clip=(-2.0, 1.0))
    stream.update(BATCHES[0], batch="a")

    def fail(*_):
        raise OSError("gone")

    with monkeypatch.context() as patch:
        patch.setattr(what, fail)
        with pytest.raises(OSError, match="gone"):
            stream.update(BATCHES[1], batch="b")
    assert Stream.open(tmp_path / "s").to_bytes() == stream.to_bytes()
    assert stream.update(BATCHES[1], batch="b")
    assert Stream.open(tmp_path / "s").tally.n == 100


WORKER = """
import sys, numpy as np
from nepers.tally import Stream
batches = np.random.default_rng(1).normal(0.1, 0.4, (150, 50))
stream = Stream.open(sys.argv[1], clip=(-2.0, 1.0))
print("begun", flush=True)
for k, j in enumerate(batches):
    stream.update(j, batch=str(k))
print("done", flush=True)
"""


def test_a_killed_process_loses_nothing(tmp_path):
    # red if: the file is written in place, or the batch is noted before it is counted
    path = tmp_path / "s"
    rng = np.random.default_rng(5)
    for attempt in range(20):
        with subprocess.Popen([sys.executable, "-c", WORKER, str(path)], stdout=subprocess.PIPE) as process:
            assert process.stdout is not None
            process.stdout.readline()
            if attempt < 3:
                time.sleep(0.02 + 0.1 * rng.random())
                process.send_signal(signal.SIGKILL)
            last = process.stdout.read()
        if path.exists():
            tally = Stream.open(path).tally
            assert tally.n == 50 * len(tally.batches)
        if b"done" in last:
            break
    every = np.random.default_rng(1).normal(0.1, 0.4, (150, 50))
    tally = Stream.open(path).tally
    assert len(tally.batches) == 150
    assert tally.mean == pytest.approx(every.mean(), abs=1e-12)
    assert np.array_equal(tally.bins.count, from_arrays(every.ravel()).bins.count)


def test_other_settings_are_refused(tmp_path):
    # red if: a stream is watched with another alpha than it was begun with
    Stream.open(tmp_path / "s", clip=(-2.0, 1.0)).update(BATCHES[0], batch="a")
    for settings, words in (
        ({"clip": (-3.0, 1.0)}, "settings"),
        ({"bounds": (-2.0, 1.0)}, "settings"),
        ({"grid": Grid(1.0, 64)}, "grid"),
        ({"bounds": (-2.0, 1.0), "clip": (-2.0, 1.0)}, "both"),
    ):
        with pytest.raises(nepers.InputError, match=words):
            Stream.open(tmp_path / "s", **settings)
    with pytest.raises(nepers.InputError, match="name"):
        Stream.open(tmp_path / "s").update(BATCHES[0], batch="")
    (tmp_path / "s").write_bytes((tmp_path / "s").read_bytes()[:-1])
    with pytest.raises(nepers.InputError, match="cut short"):
        Stream.open(tmp_path / "s")
