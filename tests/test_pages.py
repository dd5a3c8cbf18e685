"""The tools of the pages: what runs, what is shown, and docstrings as reStructuredText."""

import pages
import pytest
from docstrings import as_rst, public_home

PAGE = """# A page

It opens so.

## First

```python
x = 2
print(x)
```

```text
old
```

```python
print(x + 1)
```

Words between, so that this is no output:

```text
a formula
```
"""


def test_blocks_run_in_order_and_share_names():
    # red if: each block starts anew, or a text block further below counts as what is printed
    ran = list(pages.run(PAGE))
    assert [printed for _, _, printed in ran] == ["2\n", "3\n"]
    assert [shown.text if shown else None for _, shown, _ in ran] == ["old\n", None]


def test_a_page_is_refreshed_in_its_outputs_alone():
    # red if: places are counted from the wrong end, or a formula is taken for an output
    assert pages.refreshed(PAGE, "page") == PAGE.replace("old", "2")


def test_commands_run_and_what_they_complain_of_is_shown(tmp_path, monkeypatch):
    # red if: the status of a command is not looked at, or what it says on standard error is lost
    monkeypatch.chdir(tmp_path)
    command = "```sh\nnepers assess nowhere.csv\n```\n"
    ((_, _, printed),) = pages.run(f"{command}\n```text\n```\n")
    assert printed.startswith("nepers: ")
    with pytest.raises(RuntimeError, match="exit status 2"):
        list(pages.run(command))


def test_other_commands_do_not_run():
    # red if: a page that shows how to install installs
    assert list(pages.run("```sh\npip install .\n```\n\n```sh\nnepers demo | tail\nrm x\n```\n")) == []


def test_long_sentences_are_cut_and_tables_are_not():
    # red if: the columns of a table are joined, or a blank line is lost
    table = "name  " + 100 * "x" + "  y"
    assert pages.wrapped(f"{'word ' * 30}\n\n{table}\n").splitlines()[-2:] == ["", table]
    assert max(map(len, pages.wrapped("word " * 30).splitlines())) <= 88


def test_a_script_is_the_code_under_its_headings():
    # red if: an output comes into the script, or a heading is lost
    made = pages.script(PAGE, "docs/page.md")
    assert made == '"""A page: docs/page.md without the words between.\n\nIt opens so.\n"""\n\n' + (
        "# First\nx = 2\nprint(x)\n\nprint(x + 1)\n"
    )


@pytest.mark.parametrize(
    ("docstring", "rst"),
    [
        ("Two words\nof one sentence.", "Two words of one sentence."),
        ("log_q*: a lone_ star * is text", "log_q\\*: a lone\\_ star \\* is text"),
        ("The density is\n\n    f(x) = 1", "The density is\n\n::\n\n        f(x) = 1"),
        ("seed: what it is,\n    and more.", "``seed``\n    what it is, and more."),
        ("- one\n- two,\n  longer", "- one\n- two, longer"),
        ("See `assess`.", "See :py:obj:`assess <nepers.assess>`."),
        (
            "| a | b |\n|---|---|\n| 1 | 2 |",
            ".. list-table::\n    :header-rows: 1\n\n    * - a\n      - b\n    * - 1\n      - 2",
        ),
    ],
)
def test_docstrings_become_what_they_mean(docstring, rst):
    # red if: a formula becomes prose, an argument its own paragraph, or a star markup
    assert "\n".join(as_rst(docstring.splitlines())).rstrip() == rst


def test_a_name_is_linked_to_where_it_is_documented():
    # red if: names of rooms are looked for at the top
    assert public_home("log_class") == "nepers.ratios.log_class"
    assert public_home("Assessment.interval") == "nepers.Assessment.interval"
    assert public_home("unknown") == "unknown"
