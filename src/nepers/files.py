"""Files that appear whole or not at all, and places refused before work is done for them."""

from __future__ import annotations

import os
import secrets
from pathlib import Path
from typing import Any

from nepers.errors import InputError


def write_whole(path: str | os.PathLike[str], content: bytes | memoryview) -> None:
    """Put ``content`` at ``path``, in place of what is there: written beside it and then renamed.

    Whatever goes wrong on the way, there is the old file or the new one, never a part. A link is followed.
    """
    place = Path(os.path.realpath(path))
    beside = _beside(place)
    try:
        with beside.open("xb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(beside, place)
    finally:
        beside.unlink(missing_ok=True)


def put(argument: str, path: Any, content: bytes | memoryview) -> None:
    """`write_whole`, and an error that names the argument where the place or the disk does not allow it."""
    place = writable(argument, path)
    try:
        write_whole(place, content)
    except OSError as error:
        raise _unwritable(argument, place, error) from None


def writable(argument: str, path: Any) -> Path:
    """``path`` as a place where `write_whole` can write; an error if it is none."""
    try:
        given = Path(path)
        place = Path(os.path.realpath(given))
        if place.is_dir():
            raise InputError(f"{argument} must be a file; {str(given)!r} is a folder")
        if not place.parent.is_dir():
            raise InputError(f"{argument} must be in a folder that exists; {str(given.parent)!r} does not")
        if place.exists() and not (place.is_file() and os.access(place, os.W_OK)):
            raise InputError(f"{argument} must be a file that may be written; {str(given)!r} may not")
        _try(place)
    except TypeError:
        raise InputError(f"{argument} must be the name of a file; it is {path!r}") from None
    except OSError as error:
        raise _unwritable(argument, given, error) from None
    except ValueError as error:
        if isinstance(error, InputError):
            raise
        raise InputError(f"{argument} must be the name of a file; {path!r}: {error}") from None
    return given


def _unwritable(argument: str, path: Path, error: OSError) -> InputError:
    return InputError(f"{argument} must be a file that can be written; {str(path)!r}: {error.strerror}")


def _try(place: Path) -> None:
    """Permissions do not tell everything: they know nothing of a name that is too long."""
    beside = _beside(place)
    beside.touch(exist_ok=False)
    beside.unlink()


def _beside(place: Path) -> Path:
    return place.with_name(f".{place.name}.{secrets.token_hex(4)}.tmp")
