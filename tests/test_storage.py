"""Files: what is saved comes back to the bit, and what is no such file is refused in words."""

import dataclasses
import json
import os

import numpy as np
import pandas as pd
import pytest
from fake_chains import FakeChains, prior_draws

from nepers import running, storage
from nepers.assessment import Assessment, assess
from nepers.errors import InputError


@pytest.fixture(scope="module")
def pool():
    return prior_draws(draws=600)


@pytest.fixture
def sampled(monkeypatch, pool):
    monkeypatch.setattr(running, "make_sampler", lambda *values, **options: FakeChains(pool))
    monkeypatch.setattr(running, "FIRST", 500)
    j = pd.Series([0.5, 0.5, 0.1, -0.7, 0.2], name="model A")
    return assess(j, seed=2**32, scale=1 / 3)


@pytest.fixture
def saved(sampled, tmp_path):
    path = tmp_path / "answer.npz"
    sampled.save(path)
    return path


def same(a, b):
    """Equal in every field, arrays to the bit and of the same type."""
    if dataclasses.is_dataclass(a):
        return all(same(getattr(a, f.name), getattr(b, f.name)) for f in dataclasses.fields(a))
    if isinstance(a, np.ndarray):
        return a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes()
    if isinstance(a, tuple) and a and dataclasses.is_dataclass(a[0]):
        return len(a) == len(b) and all(map(same, a, b))
    return type(a) is type(b) and (a == b or (a != a and b != b))


def test_what_is_saved_comes_back_to_the_bit(sampled, saved):
    # red if: a field is left out, rounded through text, or changes its type
    back = Assessment.load(saved)
    assert same(sampled, back)
    assert str(back) == str(sampled)
    assert back.density(3).mean() == sampled.density(3).mean()
    assert back.name == "model A"


@pytest.mark.parametrize("j", [[], [0.3, 0.3], [0.3, 0.3, 1.0], [-np.inf, 0.0]])
def test_the_hard_cases_come_back_too(j, tmp_path):
    # red if: no draws of the hierarchy, no atoms, or an infinite J cannot be stored
    a = assess(pd.Series(j, index=[f"p{i}" for i in range(len(j))], dtype=float), seed=1).in_bits()
    a.save(tmp_path / "a.npz")
    back = Assessment.load(str(tmp_path / "a.npz"))
    assert same(a, back)
    assert back.infinite_cases == a.infinite_cases
    assert back.worst_cases == a.worst_cases


def test_the_name_of_the_file_is_the_one_given(sampled, tmp_path):
    # red if: numpy adds .npz of its own, or a temporary file stays behind
    sampled.save(tmp_path / "answer")
    assert os.listdir(tmp_path) == ["answer"]


def test_a_failed_save_leaves_the_old_file_whole(sampled, saved, monkeypatch):
    # red if: the file is written in place
    before = saved.read_bytes()

    def fail(*args, **kwargs):
        raise OSError("disk full")

    monkeypatch.setattr(storage.os, "replace", fail)
    with pytest.raises(OSError, match="disk full"):
        sampled.save(saved)
    assert saved.read_bytes() == before
    assert os.listdir(saved.parent) == [saved.name]


@pytest.mark.parametrize("share", [0.0, 0.3, 0.999])
def test_a_file_cut_short_is_refused(saved, share):
    # red if: half a posterior is read as a whole one
    whole = saved.read_bytes()
    saved.write_bytes(whole[: int(len(whole) * share)])
    with pytest.raises(InputError, match=r"answer.npz must be a (whole )?file saved by nepers"):
        Assessment.load(saved)


def test_every_flipped_byte_is_found_or_harmless(sampled, saved):
    # red if: damage changes the answer in silence
    whole = bytearray(saved.read_bytes())
    for place in np.random.default_rng(0).integers(0, len(whole), 60):
        damaged = whole.copy()
        damaged[place] ^= 0x55
        saved.write_bytes(damaged)
        try:
            back = Assessment.load(saved)
        except InputError:
            continue
        assert same(sampled, back)


def test_another_npz_is_refused(tmp_path):
    # red if: any archive of arrays is tried
    np.savez(tmp_path / "other.npz", x=np.arange(3))
    with pytest.raises(InputError, match="not its header"):
        Assessment.load(tmp_path / "other.npz")


def test_pickled_objects_are_refused(tmp_path):
    # red if: loading a file can run code
    np.savez(tmp_path / "evil.npz", header=np.array([{"a": 1}], dtype=object))
    with pytest.raises(InputError, match="damaged"):
        Assessment.load(tmp_path / "evil.npz")


def test_a_missing_array_is_refused(saved):
    # red if: a field left out of the file is found out only when it is used
    with np.load(saved) as file:
        arrays = {name: file[name] for name in file.files if name != "draws_mu"}
    np.savez(saved, **arrays)
    with pytest.raises(InputError, match="damaged"):
        Assessment.load(saved)


def test_a_newer_format_is_refused_and_says_what_to_do(sampled, saved, monkeypatch):
    # red if: a file of a later version is misread
    with np.load(saved) as file:
        arrays = dict(file)
    header = json.loads(arrays["header"].tobytes()) | {"format": 99, "version": "9.0"}
    arrays["header"] = np.frombuffer(json.dumps(header).encode(), dtype=np.uint8)
    np.savez(saved, **arrays)
    with pytest.raises(InputError, match=r"format 99, written by nepers 9.0: update nepers"):
        Assessment.load(saved)


def test_no_file_is_the_usual_error(tmp_path):
    # red if: a missing file is called damaged
    with pytest.raises(FileNotFoundError):
        Assessment.load(tmp_path / "none.npz")
