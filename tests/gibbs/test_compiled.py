"""Machine code that is kept is that of the source as it stands."""

from pathlib import Path

import nepers
from nepers.gibbs import compiled

HOME = Path(nepers.__file__).parent


def test_every_kernel_is_in_a_room_whose_changes_are_noticed():
    # red if: a kernel is written in another room, and goes on with the old machine code of what it calls
    found = {
        source.relative_to(HOME).parts[0]
        for source in HOME.rglob("*.py")
        if "from nepers.gibbs.compiled import" in source.read_text(encoding="utf-8")
    }
    assert found == set(compiled.COMPILED_ROOMS)


def test_a_change_in_any_room_with_kernels_makes_another_place(tmp_path, monkeypatch):
    # red if: only the files beside this one count
    for room in compiled.COMPILED_ROOMS:
        (tmp_path / room).mkdir()
    monkeypatch.setattr(compiled, "__file__", str(tmp_path / "gibbs" / "compiled.py"))
    places = {compiled._cache_directory()}
    for room in compiled.COMPILED_ROOMS:
        (tmp_path / room / "one.py").write_text(room)
        places.add(compiled._cache_directory())
    assert len(places) == 1 + len(compiled.COMPILED_ROOMS)
