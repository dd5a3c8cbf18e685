"""The docstrings of the house, plain text, as reStructuredText for Sphinx.

a paragraph                                     stays one, with what Sphinx would take for markup escaped
lines set in                                    a literal block: formulas, small tables
| a | table |                                   a table
- a list                                        a list
name: what it is, lines going on set in         a list of arguments
>>> an example                                  an example
`name`                                          a link, where the name is in the reference; else code
"""

import re
from collections.abc import Iterator
from importlib import import_module

_ROOMS = ("nepers.ratios", "nepers.priors", "nepers.improvement", "nepers")
_TOKEN = re.compile(r"(``.+?``|`[^`]+`|\*\*[^*\s][^*]*\*\*|(?<![\w*])\*\w[^*]*\*(?![\w*]))")
_FIELD = re.compile(r"^((?:\*\*)?[A-Za-z_]\w*(?:, (?:\*\*)?\w+)*): (?=\S)")
_ITEM = re.compile(r"^(?:- |\d+\. )")
_INDENT = "    "


def as_rst(lines: list[str]) -> list[str]:
    """The docstring, its common indentation taken off already, in reStructuredText."""
    result: list[str] = []
    for block in _blocks("\n".join(_inline_across(lines)).split("\n")):
        result += [*_block(block), ""]
    return result


def public_home(name: str) -> str:
    """Where a public name is documented: `log_class` is nepers.ratios.log_class."""
    first, dot, rest = name.partition(".")
    for room in _ROOMS:
        if first in import_module(room).__all__ and first not in ("ratios", "priors", "improvement"):
            return f"{room}.{first}{dot}{rest}"
    return name


def _inline_across(lines: list[str]) -> list[str]:
    return [line.rstrip() for line in lines]


def _blocks(lines: list[str]) -> Iterator[list[str]]:
    """Runs of lines between blank ones; neighbours that are set in are one."""
    block: list[str] = []
    for i, line in enumerate([*lines, ""]):
        if line:
            block.append(line)
            continue
        following = next((later for later in lines[i + 1 :] if later), "")
        if block and block[0].startswith(" ") and following.startswith(" "):
            block.append("")
        elif block:
            yield block
            block = []


def _block(block: list[str]) -> list[str]:
    if block[0].startswith(" "):
        return ["::", "", *(_INDENT + line for line in block)]
    if block[0].startswith("|"):
        return _table(block)
    if block[0].startswith(">>>"):
        return block
    if _ITEM.match(block[0]):
        return _list(block)
    if _FIELD.match(block[0]):
        return _fields(block)
    return _paragraph(block)


def _paragraph(block: list[str]) -> list[str]:
    """Text; lines set in directly below it are a literal block."""
    end = next((i for i, line in enumerate(block) if line.startswith(" ")), len(block))
    text = [_inline(" ".join(block[:end]))]
    if end == len(block):
        return text
    last = next((i for i in range(end, len(block)) if not block[i].startswith(" ")), len(block))
    text += ["", "::", "", *(_INDENT + line for line in block[end:last])]
    return text + (["", *_paragraph(block[last:])] if last < len(block) else [])


def _list(block: list[str]) -> list[str]:
    items: list[str] = []
    for line in block:
        if _ITEM.match(line):
            items.append(line)
        else:
            items[-1] += " " + line.strip()
    marks = [(_ITEM.match(item) or [""])[0] for item in items]
    return [mark + _inline(item[len(mark) :]) for mark, item in zip(marks, items, strict=True)]


def _fields(block: list[str]) -> list[str]:
    """A definition list; a line that begins no new name goes on with the last."""
    result: list[str] = []
    for line in block:
        found = _FIELD.match(line)
        if found:
            result += [f"``{found[1]}``", _INDENT + line[found.end() :]]
        else:
            result[-1] += " " + line.strip()
    return [line if i % 2 == 0 else _INDENT + _inline(line.strip()) for i, line in enumerate(result)]


def _table(block: list[str]) -> list[str]:
    rows = [[cell.strip() for cell in line.strip().strip("|").split(" | ")] for line in block]
    headed = len(rows) > 1 and set(block[1]) <= set("|-: ")
    kept = [rows[0], *rows[2:]] if headed else rows
    result = [".. list-table::", *([f"{_INDENT}:header-rows: 1"] if headed else []), ""]
    for row in kept:
        for i, cell in enumerate(row):
            result.append(f"{_INDENT}{'* -' if i == 0 else '  -'} {_inline(cell)}")
    return result


def _inline(text: str) -> str:
    parts = _TOKEN.split(text)
    return "".join(_token(part) if i % 2 else _escaped(part) for i, part in enumerate(parts))


def _token(part: str) -> str:
    if part.startswith("``") or part.startswith("*"):
        return part
    name = part.strip("`")
    if not re.fullmatch(r"[\w.]+", name):
        return f"``{name}``"
    home = public_home(name)
    return f":py:obj:`{name}`" if home == name else f":py:obj:`{name} <{home}>`"


def _escaped(text: str) -> str:
    return re.sub(r"([\\*`|]|_(?!\w))", r"\\\1", text)
