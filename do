#!/bin/sh
# The recipes of the house. The first use makes .venv and installs the package there; a later one only
# does so again when pyproject.toml has changed. Needs Python 3.11 or newer; PYTHON=... chooses which.
set -eu
cd "$(dirname "$0")"

usage() {
    cat <<'END'
usage: ./do RECIPE [ARGUMENTS]

  demo         assess the built-in example (arguments as for: nepers demo)
  check        lint, types and tests
  test         the tests (arguments as for: pytest)
  lint         ruff: rules and layout
  types        mypy
  format       let ruff lay the code out
  sbc          simulation-based calibration of the sampler
  convergence  chains from different starts, compared
  bench        speed
  joint        joint posteriors of several J, against known truth
  rare         intervals of J where classes are rare, against known truth
  battery      calibration of the interval, against known truth (hours; may be cut off and goes on)
END
}

find_python() {
    for candidate in ${PYTHON:-python3.11 python3 python3.13 python3.12 python}; do
        if "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            echo "$candidate"
            return
        fi
    done
    echo "./do: needs Python 3.11 or newer, and found none; name one with PYTHON=..." >&2
    exit 1
}

is_current() { [ -x .venv/bin/python ] && [ "$(cat ".venv/.installed-$1" 2>/dev/null)" = "$(cksum <pyproject.toml)" ]; }

# install NAME EXTRAS: the package with these extras in .venv, and a stamp of that name.
# Never called after || or in a condition: there set -e is off, and a failed install would get its stamp.
install() {
    if [ ! -x .venv/bin/python ]; then
        python=$(find_python)
        "$python" -m venv .venv
    fi
    echo "./do: installing nepers into .venv" >&2
    .venv/bin/python -m pip install --quiet --disable-pip-version-check --editable ".$2" >&2
    cksum <pyproject.toml >".venv/.installed-$1"
}

for_use() {
    if ! is_current use && ! is_current work; then install use ""; fi
}

for_work() {
    if ! is_current work; then install work "[test,lint]"; fi
}

lint() {
    .venv/bin/ruff check .
    .venv/bin/ruff format --check .
}

recipe=${1:-}
[ $# -eq 0 ] || shift
case $recipe in
    demo) for_use ;;
    check | test | lint | types | format | sbc | convergence | bench | joint | rare | battery) for_work ;;
    "" | help | -h | --help)
        usage
        exit
        ;;
    *)
        echo "./do: no recipe '$recipe'" >&2
        usage >&2
        exit 2
        ;;
esac

case $recipe in
    demo) exec .venv/bin/nepers demo "$@" ;;
    check)
        lint
        .venv/bin/mypy
        exec .venv/bin/python -m pytest "$@"
        ;;
    test) exec .venv/bin/python -m pytest "$@" ;;
    lint) lint ;;
    types) exec .venv/bin/mypy "$@" ;;
    format) exec .venv/bin/ruff format "$@" . ;;
    sbc) exec .venv/bin/python benchmarks/sbc.py "$@" ;;
    convergence) exec .venv/bin/python benchmarks/convergence.py "$@" ;;
    bench) exec .venv/bin/python benchmarks/speed.py "$@" ;;
    battery) exec .venv/bin/python benchmarks/battery.py "$@" ;;
    rare) exec .venv/bin/python benchmarks/rare.py "$@" ;;
    joint) exec .venv/bin/python benchmarks/joint.py "$@" ;;
esac
