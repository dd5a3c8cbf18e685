"""The tally: what it keeps is exact, merging does not depend on order or grouping, files are whole."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import nepers
from nepers.tally import Grid, Tally, from_arrays

SOME = st.lists(st.floats(-1e6, 1e6), max_size=40)
# sums of few halves and quarters are exact, and so must be their merges
DYADIC = st.lists(st.integers(-4000, 4000).map(lambda k: k / 256), max_size=40)


def same(a: Tally, b: Tally, exactly: bool = True) -> None:
    assert a.grid == b.grid
    assert (a.impossible, a.largest, a.batches) == (b.impossible, b.largest, b.batches)
    for name, column in a.bins.columns().items():
        other = b.bins.columns()[name]
        if exactly or name not in ("total", "square"):
            assert np.array_equal(column, other), name
        else:
            size = max(np.abs(column).max(initial=0.0), 1.0)
            assert np.allclose(column, other, rtol=1e-14, atol=1e-14 * size), name


@settings(max_examples=60, deadline=None)
@given(SOME, SOME, SOME)
def test_merging_is_commutative_and_associative(a, b, c):
    # red if: the extremes or the largest input of one part are forgotten, or a key comes twice in the result
    x, y, z = map(from_arrays, (a, b, c))
    same(x + y, y + x)
    same((x + y) + z, x + (y + z), exactly=False)
    same(x.merge(y, z), from_arrays([*a, *b, *c]), exactly=False)


@settings(max_examples=60, deadline=None)
@given(DYADIC, DYADIC, DYADIC)
def test_merging_exact_sums_is_exact(a, b, c):
    # red if: anything but addition is done to the sums
    x, y, z = map(from_arrays, (a, b, c))
    same((x + y) + z, x + (y + z))
    same(x.merge(y, z), from_arrays([*a, *b, *c]))


@settings(max_examples=60, deadline=None)
@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=300))
def test_bins_hold_their_cases(j):
    # red if: a case is counted in another bin, or the bins do not cover it
    tally = from_arrays(j)
    b, grid = tally.bins, tally.grid
    low, high = (grid.unit * np.sinh((b.key + e) / grid.steps) for e in (0, 1))
    slack = 1e-12 * (1.0 + np.abs(b.least))
    assert (low - slack <= b.least).all()
    assert (b.greatest <= high + slack).all()
    assert (high - low <= 1.01 * grid.width(np.maximum(np.abs(low), np.abs(high)))).all()
    assert tally.n == len(j)
    assert b.least[0] == min(j)
    assert b.greatest[-1] == max(j)


def test_mean_and_sd_are_those_of_the_cases():
    # red if: the scatter within bins is left out of sd
    j = np.random.default_rng(1).standard_t(3, 50_000) * 0.3 + 0.1
    tally = from_arrays(j, grid=Grid(0.25, 16))
    assert tally.mean == pytest.approx(j.mean(), abs=1e-13)
    assert tally.sd == pytest.approx(j.std(ddof=1), rel=1e-10)


def test_many_blocks_are_one_pass():
    # red if: the last block is left out
    j = np.random.default_rng(2).normal(size=(1 << 20) + 17)
    assert from_arrays(j).n == j.size


def test_other_grids_are_refused():
    # red if: bins of another width are added up
    with pytest.raises(nepers.InputError, match=r"same grid.*steps 512.*steps 256"):
        from_arrays([0.1]).merge(from_arrays([0.1], grid=Grid(0.25, 256)))
    with pytest.raises(nepers.InputError, match="only tallies"):
        from_arrays([0.1]).merge([0.1])


def test_a_batch_counts_once():
    # red if: a batch that is sent again is added again, or two tallies that both have it are merged
    a = from_arrays([0.1, 0.2]).update([0.3], batch="monday")
    assert a.update([0.3], batch="monday").n == 3
    assert a.update([0.3], batch="tuesday").n == 4
    with pytest.raises(nepers.InputError, match="'monday'"):
        a.merge(from_arrays([0.4], batch="monday"))


def test_minus_infinity_is_counted_with_its_part():
    # red if: -inf is dropped, or put into a bin
    a = from_arrays([0.1, -np.inf, -np.inf], batch="a") + from_arrays([-np.inf], batch="b")
    assert a.impossible == {"a": 2, "b": 1}
    assert (a.n, a.mean) == (4, -np.inf)


@pytest.mark.parametrize("wrong", [[np.nan], [0.1, np.inf], ["text"], [1e300]])
def test_what_is_no_log_ratio_is_refused(wrong):
    # red if: a NaN is put into a bin, or a value beyond the grid overflows its key
    with pytest.raises(nepers.InputError):
        from_arrays(wrong)


def test_a_grid_must_be_one():
    # red if: a grid of no width is made
    with pytest.raises(nepers.InputError, match="unit"):
        Grid(0.0)
    with pytest.raises(nepers.InputError, match="steps"):
        Grid(1.0, 3)


def test_a_file_gives_back_the_tally(tmp_path):
    # red if: a field is not written
    a = from_arrays([0.1, 0.2, -3.0, -np.inf], batch="x")
    a.save(tmp_path / "a.tally")
    same(a, Tally.load(tmp_path / "a.tally"))
    with np.load(tmp_path / "a.tally") as file:
        assert file["count"].sum() == 3


def test_every_altered_byte_and_every_cut_is_detected(tmp_path):
    # red if: any byte is outside the digest
    path = tmp_path / "a.tally"
    from_arrays([0.1, 0.2]).save(path)
    whole = path.read_bytes()
    for k in range(0, len(whole), 7):
        path.write_bytes(whole[:k] + bytes([whole[k] ^ 1]) + whole[k + 1 :])
        with pytest.raises(nepers.InputError, match="altered"):
            Tally.load(path)
        path.write_bytes(whole[:k])
        with pytest.raises(nepers.InputError, match="cut short"):
            Tally.load(path)
    with pytest.raises(nepers.InputError, match="can be read"):
        Tally.load(tmp_path / "none.tally")


def test_a_failed_save_leaves_the_old_file(tmp_path, monkeypatch):
    # red if: the file is opened for writing before the new content is safe
    path = tmp_path / "a.tally"
    from_arrays([0.1]).save(path)

    def fail(*_: object) -> None:
        raise OSError("no space")

    monkeypatch.setattr("os.fsync", fail)
    with pytest.raises(OSError, match="no space"):
        from_arrays([0.1, 0.2]).save(path)
    assert Tally.load(path).n == 1
    assert [p.name for p in tmp_path.iterdir()] == ["a.tally"]
