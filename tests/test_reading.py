"""Numbers leave a file as they were written, or the reader says which cell is none and why."""

from __future__ import annotations

import gzip
import io
import json
import math
import random
import struct
import sys
from decimal import Decimal
from pathlib import Path

import numpy as np
import pytest

from nepers.errors import InputError
from nepers.reading import open_table, read_columns

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")
ipc = pytest.importorskip("pyarrow.ipc")


def written(folder: Path, name: str, content: str | bytes) -> Path:
    path = folder / name
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def refusal(path: Path | str, columns: list[str], format: str | None = None) -> str:
    with pytest.raises(InputError) as caught:
        read_columns(path, columns, format=format)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def written_in(format: str, folder: Path, columns: dict[str, list[object]]) -> Path:
    path = folder / f"table.{format}"
    rows = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    if format in ("csv", "tsv"):
        mark = "," if format == "csv" else "\t"
        lines = [mark.join(columns), *(mark.join(str(cell) for cell in row.values()) for row in rows)]
        path.write_text("\n".join(lines) + "\n")
    elif format == "json":
        path.write_text(json.dumps(rows))
    elif format == "ndjson":
        path.write_text("\n".join(map(json.dumps, rows)))
    elif format == "parquet":
        pq.write_table(pa.table(columns), path)
    else:
        table = pa.table(columns)
        opened = ipc.new_file if format == "arrow" else ipc.new_stream
        with opened(str(path), table.schema) as out:
            out.write_table(table, max_chunksize=2)
    return path


FORMATS = ["csv", "tsv", "json", "ndjson", "parquet", "arrow", "ipc"]


@pytest.mark.parametrize("format", FORMATS)
def test_every_format_gives_the_same_columns_in_the_order_of_rows(tmp_path: Path, format: str) -> None:
    """Bug: a reader that mixes up columns, reorders rows, or loses all but the first batch."""
    j = [0.25, -6.58, 1e-300, 3.0, -0.1]
    path = written_in(format, tmp_path, {"name": list("abcde"), "j": j, "log p": [1.0, 2.0, 3.0, 4.0, 5.0]})
    read = read_columns(path, ["log p", "j"])
    assert list(read) == ["log p", "j"]
    assert read["j"].dtype == np.float64
    np.testing.assert_array_equal(read["j"], j)
    np.testing.assert_array_equal(read["log p"], [1, 2, 3, 4, 5])


@pytest.mark.parametrize("format", FORMATS)
def test_names_that_differ_only_by_case_are_different_columns(tmp_path: Path, format: str) -> None:
    """Bug: SQL names are blind to case, so j would silently be read from J."""
    path = written_in(format, tmp_path, {"J": [1.0], "j": [2.0]})
    assert read_columns(path, ["j"])["j"][0] == 2.0
    assert read_columns(path, ["J"])["J"][0] == 1.0
    only_upper = written_in(format, tmp_path, {"J": [1.0]})
    assert "its columns are 'J'" in refusal(only_upper, ["j"])


@pytest.mark.parametrize("name", ['a"b', "x'; DROP TABLE t; --", "a/b~c", "$.x", "?", "{}", "a,b"])
@pytest.mark.parametrize("format", ["csv", "json", "parquet"])
def test_a_column_name_is_a_name_whatever_is_in_it(tmp_path: Path, name: str, format: str) -> None:
    """Bug: a name pasted into SQL or into a JSON path."""
    path = written_in(format, tmp_path, {"k": [7.0], name: [1.5]} if format != "csv" else {"k": [7.0]})
    if format == "csv":
        path.write_text('k,"' + name.replace('"', '""') + '"\n7.0,1.5\n')
    assert read_columns(path, [name])[name][0] == 1.5


@pytest.mark.parametrize(
    "name", ["q'; DROP TABLE t;--.csv", "a[1].csv", "a*.csv", "a?.csv", "x=1/j.csv", "~a.csv"]
)
def test_a_path_is_a_path_whatever_is_in_it(
    tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Bug: a path taken as SQL, as a pattern (a[1].csv reads a1.csv), as a partition, or as a home folder."""
    for neighbour in ("a1.csv", "ab.csv", "abc.csv"):
        written(tmp_path, neighbour, "j\n99\n")
    written(tmp_path, name, "j\n1\n")
    monkeypatch.chdir(tmp_path)
    np.testing.assert_array_equal(read_columns(name, ["j"])["j"], [1])
    with open_table(name) as table:
        assert table.names == ("j",)


def spellings(count: int) -> list[str]:
    """Doubles of every size in three spellings: the shortest, 17 digits, and 25."""
    rng = random.Random(20261118)
    texts = []
    for i in range(count):
        value = rng.gauss(0, 1) if i % 2 else struct.unpack("<d", struct.pack("<Q", rng.getrandbits(64)))[0]
        texts.append(
            (repr(value), f"{value:.16e}", f"{value:.25g}")[i % 3] if math.isfinite(value) else "0.5"
        )
    return texts


@pytest.mark.parametrize("format", ["csv", "json"])
def test_text_becomes_the_nearest_double(tmp_path: Path, format: str) -> None:
    """Bug: a fast parser off by one in the last place, or one that stops at 15 digits."""
    texts = [*spellings(20_000), "4.9e-324", "2.2250738585072011e-308", "9007199254740993", "0.1"]
    if format == "csv":
        path = written(tmp_path, "p.csv", "j\n" + "\n".join([*texts, "+.5", "5.", " 1.5\t"]) + "\n")
        texts += [".5", "5", "1.5"]
    else:
        path = written(tmp_path, "p.json", "[" + ",".join(f'{{"j":{text}}}' for text in texts) + "]")
    expected = np.array([float(text) for text in texts])
    np.testing.assert_array_equal(read_columns(path, ["j"])["j"], expected)


@pytest.mark.parametrize("format", ["parquet", "arrow"])
def test_decimals_become_the_nearest_double(tmp_path: Path, format: str) -> None:
    """Bug: a cast that divides by the scale; pyarrow's own is off in the last place one time in three."""
    rng = random.Random(20261118)
    exact = [Decimal(f"{rng.gauss(0, 1):.17f}") for _ in range(3000)]
    path = written_in(format, tmp_path, {"j": pa.array(exact, pa.decimal128(38, 17))})
    np.testing.assert_array_equal(read_columns(path, ["j"])["j"], [float(value) for value in exact])


@pytest.mark.parametrize("kind", ["int8", "uint64", "int64", "float32", "float64"])
@pytest.mark.parametrize("format", ["parquet", "arrow"])
def test_other_numeric_types_are_numbers(tmp_path: Path, format: str, kind: str) -> None:
    """Bug: a type list that forgets one (unsigned and short ones first)."""
    path = written_in(format, tmp_path, {"j": pa.array([0, 1, 3], getattr(pa, kind)())})
    np.testing.assert_array_equal(read_columns(path, ["j"])["j"], [0, 1, 3])


def test_infinite_values_are_understood(tmp_path: Path) -> None:
    """Bug: -inf, the honest score of an impossible outcome, lost as text or as NULL."""
    csv = written(tmp_path, "a.csv", "j\ninf\n-inf\nInfinity\n-Infinity\n+INF\n")
    np.testing.assert_array_equal(read_columns(csv, ["j"])["j"], np.array([1, -1, 1, -1, 1]) * np.inf)
    text = '[{"j": "-inf"}, {"j": -Infinity}, {"j": 1}]'
    np.testing.assert_array_equal(
        read_columns(written(tmp_path, "a.json", text), ["j"])["j"], [-np.inf, -np.inf, 1]
    )
    for format in ("parquet", "arrow"):
        path = written_in(format, tmp_path, {"j": [-math.inf, 0.5]})
        np.testing.assert_array_equal(read_columns(path, ["j"])["j"], [-np.inf, 0.5])


@pytest.mark.parametrize(
    ("cell", "said"),
    [
        ("", "row 1 is empty"),
        ('""', "row 1 is empty"),
        ("  ", "row 1 is empty"),
        ("nan", "row 1 is 'nan'"),
        ("NULL", "row 1 is 'NULL'"),
        ("NA", "row 1 is 'NA'"),
        ("true", "row 1 is 'true'"),
        ("1_000", "row 1 is '1_000'"),
        ("0x10", "row 1 is '0x10'"),
        ("1e400", "row 1 is '1e400', too large for a double"),
        ("-1e400", "row 1 is '-1e400', too large for a double"),
        ("1.5 mm", "row 1 is '1.5 mm'"),
        ('"a\nb"', r"row 1 is 'a\nb'"),
    ],
)
def test_a_cell_that_is_no_number_is_named(tmp_path: Path, cell: str, said: str) -> None:
    """Bug: the cell becomes NULL, nan, infinity or 1000 in silence."""
    path = written(tmp_path, "a.csv", f"i,j\n1,0.5\n2,{cell}\n3,0.25\n")
    message = refusal(path, ["j"])
    assert message == (
        f"column 'j' of {path} must hold a number in every row; 1 of 3 do not: {message.split(': ')[1]}"
    )
    assert said in message
    assert message.endswith("(rows counted from 0, the header not counted)")


@pytest.mark.parametrize(
    "cell", ['"a"', "null", "true", "[1]", '{"x": 1}', "NaN", '"nan"', "1e400", '"1e400"', '""']
)
def test_a_json_value_that_is_no_number_is_named(tmp_path: Path, cell: str) -> None:
    """Bug: DuckDB's own typing would read null for some and a whole column as JSON for others."""
    message = refusal(written(tmp_path, "a.json", f'[{{"j": 1}}, {{"j": {cell}}}]'), ["j"])
    assert "1 of 2 do not: row 1 is " in message


@pytest.mark.parametrize("format", ["parquet", "arrow"])
def test_missing_cells_of_typed_columns_are_named(tmp_path: Path, format: str) -> None:
    """Bug: a masked value filled with 1e20, or a null told apart from nan by luck."""
    path = written_in(format, tmp_path, {"j": [0.5, None, 1.0, float("nan"), None]})
    message = refusal(path, ["j"])
    assert "3 of 5 do not: row 1 is empty; row 3 is 'nan'; row 4 is empty (" in message


def test_only_the_first_bad_rows_are_listed_and_all_are_counted(tmp_path: Path) -> None:
    """Bug: a message of a million rows, or one that hides how many there are."""
    path = written(tmp_path, "a.csv", "j\n" + "x\n" * 5000)
    assert "5,000 of 5,000 do not: row 0 is 'x'; row 1 is 'x'; row 2 is 'x'; ... (" in refusal(path, ["j"])


@pytest.mark.parametrize("kind", ["string", "bool_", "date32", "list"])
@pytest.mark.parametrize("format", ["parquet", "arrow"])
def test_a_column_of_another_type_is_refused(tmp_path: Path, format: str, kind: str) -> None:
    """Bug: booleans and dates cast to numbers without a word."""
    cells = (
        pa.array([[1.0]], pa.list_(pa.float64())) if kind == "list" else pa.array([None], getattr(pa, kind)())
    )
    path = written_in(format, tmp_path, {"j": cells, "k": [1.0]})
    assert "column 'j'" in refusal(path, ["j"])
    assert "must hold numbers; its type is" in refusal(path, ["j"])
    with open_table(path) as table:
        assert table.numeric_names() == ["k"]


def test_columns_after_a_nested_one_keep_their_names(tmp_path: Path) -> None:
    """Bug: the schema's tree read as a flat list, so every later name is shifted."""
    nested = pa.array([{"x": 1, "y": [1.0]}])
    path = written_in("parquet", tmp_path, {"a": nested, "j": [0.5], "l": pa.array([[1.0]]), "k": [2.0]})
    assert read_columns(path, ["k", "j"])["k"][0] == 2.0
    with open_table(path) as table:
        assert table.names == ("a", "j", "l", "k")


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
def test_line_endings_and_a_byte_order_mark_do_not_matter(tmp_path: Path, ending: str) -> None:
    """Bug: a name or a last cell with an invisible character on it."""
    body = ending.join(["k,j", "1,0.5", "2,0.25"])
    for text in (body, body + ending, "\ufeff" + body):
        path = written(tmp_path, "a.csv", text)
        np.testing.assert_array_equal(read_columns(path, ["j"])["j"], [0.5, 0.25])
        np.testing.assert_array_equal(read_columns(path, ["k"])["k"], [1, 2])


@pytest.mark.parametrize("text", ["j", "j\n", "i, j\n"])
def test_a_header_alone_is_a_table_without_rows(tmp_path: Path, text: str) -> None:
    """Bug: no cases refused, or the header taken for a case."""
    assert read_columns(written(tmp_path, "a.csv", text), ["j"])["j"].shape == (0,)


@pytest.mark.parametrize("format", ["parquet", "arrow", "ipc"])
def test_typed_tables_without_rows_are_empty_arrays(tmp_path: Path, format: str) -> None:
    """Bug: concatenating no batches is an error of numpy's."""
    path = written_in(format, tmp_path, {"j": pa.array([], pa.float64())})
    assert read_columns(path, ["j"])["j"].shape == (0,)


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("a.csv", b"", "must hold a table; it is empty (0 bytes)"),
        ("a.csv", b"\nj\n1\n", "its first line is empty"),
        ("a.csv", b"0.5\n0.25\n", "seems to lack a header"),
        ("a.csv", b"i,j,j\n1,2,3\n", "column 'j' must be unique"),
        ("a.csv", b"i,j\n1\n", "CSV Error on Line: 2"),
        ("a.csv", b"i,j\n1,2,3\n", "CSV Error on Line: 2"),
        ("a.csv", b'i,j\n1,"2\n3,4\n', "unterminated quote"),
        ("a.csv", "j\n1\n".encode("utf-16"), "must be text in UTF-8"),
        ("a.csv", b"i,j\n1,\xe9\n", "nvalid unicode"),
        ("a.csv", b"x" * (1 << 20) + b"y", "no line ends within"),
        ("a.csv", gzip.compress(b"j\n" + b"1\n" * 999, mtime=0)[:-9], "cannot be read"),
        ("a.csv", gzip.compress(b"j\n1\n", mtime=0)[:-8] + b"\0" * 8, "CRC"),
        ("a.csv", b"\x28\xb5\x2f\xfd....", "compressed with zstd"),
        ("a.json", b"[{", "Malformed JSON"),
        ("a.json", b"[1, 2]", "record 0 is not one"),
        ("a.json", b'[{"j": 1}, {"j": 2, "j": 3}]', "record 1 has a key twice"),
        ("a.json", b"[]", "it holds no records"),
        ("a.json", b'[{"k": 1}]', "its columns are 'k'"),
        ("a.parquet", b"j\n1\n", "cannot be read"),
        ("a.arrow", b"j\n1\n", "cannot be read as Arrow IPC"),
        ("a.arrow", b"ARROW1" + b"\0" * 99, "cannot be read as Arrow IPC"),
        ("a.txt", b"j\n1\n", "cannot be told from its name; give format (one of csv, tsv"),
    ],
)
def test_a_file_that_is_no_table_is_refused(tmp_path: Path, name: str, content: bytes, said: str) -> None:
    """Bug: a guess at what the file might mean, or a traceback of somebody else's."""
    path = written(tmp_path, name, content)
    message = refusal(path, ["j"])
    assert said in message
    assert str(path) in message or "column 'j'" in message


def test_a_duplicate_parquet_name_is_refused(tmp_path: Path) -> None:
    """Bug: DuckDB calls the second one j_1 and reads the first."""
    pq.write_table(pa.table([[1.0], [2.0]], names=["j", "j"]), tmp_path / "a.parquet")
    assert "must be unique" in refusal(tmp_path / "a.parquet", ["j"])


def test_a_missing_column_lists_the_nearest_first(tmp_path: Path) -> None:
    """Bug: a list in which the misspelt name cannot be found."""
    path = written(
        tmp_path, "a.csv", ",".join(["age", "log q", "time", *(f"x{i}" for i in range(20))]) + "\n"
    )
    message = refusal(path, ["log_q"])
    assert "its columns are 'log q', " in message
    assert message.endswith("and 11 more")


def test_paths_that_are_no_files_are_refused(tmp_path: Path) -> None:
    """Bug: an OSError of Python's instead of a line that names the path."""
    assert refusal(tmp_path, ["j"]).endswith("is a directory")
    assert refusal(tmp_path / "none.csv", ["j"]).endswith("it does not exist")
    assert refusal(tmp_path / "none", ["j"]).endswith("it does not exist")
    assert "null" in refusal("a\0b.csv", ["j"])
    assert refusal(tmp_path / "none.csv", ["j"], "xlsx").endswith("it is 'xlsx'")


def _packed_parquet(folder: Path) -> Path:
    plain = written_in("parquet", folder, {"j": [1.5]})
    return written(folder, "a.parquet.gz", gzip.compress(plain.read_bytes()))


def test_gzip_is_read_whatever_its_name(tmp_path: Path) -> None:
    """Bug: compression guessed from the name."""
    packed = gzip.compress(b"j\n1.5\n-2\n")
    for name in ("a.csv.gz", "a.csv"):
        np.testing.assert_array_equal(read_columns(written(tmp_path, name, packed), ["j"])["j"], [1.5, -2])
    np.testing.assert_array_equal(read_columns(_packed_parquet(tmp_path), ["j"])["j"], [1.5])
    packed = gzip.compress(b'{"j": 1.5}\n{"j": -2}\n')
    np.testing.assert_array_equal(
        read_columns(written(tmp_path, "a.jsonl.gz", packed), ["j"])["j"], [1.5, -2]
    )


def test_standard_input_is_csv_unless_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bug: a second pass over a stream that is already used up."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"j\n1\n2\n")))
    np.testing.assert_array_equal(read_columns("-", ["j"])["j"], [1, 2])
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b'[{"j": 3}]')))
    np.testing.assert_array_equal(read_columns("-", ["j"], format="json")["j"], [3])
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"j\nx\n")))
    assert "of standard input must hold" in refusal("-", ["j"])


def test_a_million_rows_keep_their_order(tmp_path: Path) -> None:
    """Bug: parallel reading that returns the parts as they finish."""
    count = 1_000_000
    path = written(tmp_path, "m.csv", "j,text\n" + "".join(f'{i},"some text, {i}"\n' for i in range(count)))
    np.testing.assert_array_equal(read_columns(path, ["j"])["j"], np.arange(count))


def test_numeric_columns_are_those_without_any_other_cell(tmp_path: Path) -> None:
    """Bug: a type sniffed from the first rows only."""
    rows = "".join(f"{i},{i},a,{i}\n" for i in range(30_000))
    path = written(tmp_path, "a.csv", "i,late,text,gap\n" + rows + "1,x,b,\n")
    with open_table(path) as table:
        assert table.numeric_names() == ["i"]


def test_no_columns_asked_is_no_columns(tmp_path: Path) -> None:
    """Bug: SELECT of nothing is a syntax error."""
    assert read_columns(written(tmp_path, "a.csv", "j\n1\n"), []) == {}


def test_without_pyarrow_the_message_names_the_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Bug: a bare ImportError from inside."""
    path = written_in("arrow", tmp_path, {"j": [1.0]})
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    assert "install nepers[arrow]" in refusal(path, ["j"])
