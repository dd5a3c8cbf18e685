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
  browser      the report in chromium (which must be installed)
  lint         ruff: rules and layout
  types        mypy
  format       let ruff lay the code out
  docs         the site, in docs/_build (arguments as for: sphinx-build)
  pages        run the code of the pages, put in what it prints, and write examples/ (arguments: pages)
  sbc          simulation-based calibration of the sampler
  convergence  chains from different starts, compared
  runlength    how long chains must run, by the number of cases
  evidence     what a log evidence costs, and whether its error is right
  bench        speed
  joint        joint posteriors of several J, against known truth
  survival     predictions of survival times beside other models (needs benchmarks/survival-requirements.txt)
  prostate     the whole loop on patients with prostate cancer (needs the same; FOLDER for its pictures)
  incomplete   speed on incomplete data in 14 dimensions, beside NUTS
  predicted    whether predicted probabilities are right, on data from the prior
  tally        the posterior from a tally: against all cases, and its cost by the number of cases
  engines      tallies by DuckDB, polars, Dask and Spark, each beside its own plain work (ROWS, default 1e8)
  scale        1e11 cases on a cluster: the arithmetic, and 1,000 partitions; thousands of assessments
  cluster      the tests on a local Dask cluster and on Spark, which needs Java
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

for_docs() {
    if ! is_current docs; then install docs "[test,lint,docs]"; fi
}

for_clusters() {
    if ! is_current clusters; then install clusters "[test,lint,dask,spark]"; fi
}

lint() {
    .venv/bin/ruff check .
    .venv/bin/ruff format --check .
}

recipe=${1:-}
[ $# -eq 0 ] || shift
case $recipe in
    demo) for_use ;;
    check | test | browser | lint | types | format | pages | sbc | convergence | runlength | evidence | bench | joint | rare | tally | scale | battery | survival | prostate | incomplete | predicted) for_work ;;
    docs) for_docs ;;
    engines | cluster) for_clusters ;;
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
        # the tests of a file stay together: they share what is dear to make
        exec .venv/bin/python -m pytest -n auto --dist loadfile "$@"
        ;;
    test) exec .venv/bin/python -m pytest "$@" ;;
    browser) exec .venv/bin/python -m pytest -m browser tests/report "$@" ;;
    lint) lint ;;
    types) exec .venv/bin/mypy "$@" ;;
    format) exec .venv/bin/ruff format "$@" . ;;
    docs) exec .venv/bin/python -m sphinx -W --keep-going -E -a -b html "$@" docs docs/_build ;;
    pages) exec .venv/bin/python docs/pages.py "$@" ;;
    sbc) exec .venv/bin/python benchmarks/sbc.py "$@" ;;
    convergence) exec .venv/bin/python benchmarks/convergence.py "$@" ;;
    runlength) exec .venv/bin/python benchmarks/run_length.py "$@" ;;
    evidence) exec .venv/bin/python benchmarks/evidence.py "$@" ;;
    bench) exec .venv/bin/python benchmarks/speed.py "$@" ;;
    survival) exec .venv/bin/python benchmarks/survival.py "$@" ;;
    prostate) exec .venv/bin/python benchmarks/prostate.py "$@" ;;
    incomplete) exec .venv/bin/python benchmarks/incomplete.py "$@" ;;
    predicted) exec .venv/bin/python benchmarks/predicted_probabilities.py "$@" ;;
    battery) exec .venv/bin/python benchmarks/battery.py "$@" ;;
    tally) exec .venv/bin/python benchmarks/tally_posterior.py "$@" ;;
    engines) exec .venv/bin/python benchmarks/engines.py "$@" ;;
    scale) exec .venv/bin/python benchmarks/scale.py "$@" ;;
    cluster) exec .venv/bin/python -m pytest -m cluster tests/tally "$@" ;;
    rare) exec .venv/bin/python benchmarks/rare.py "$@" ;;
    joint) exec .venv/bin/python benchmarks/joint.py "$@" ;;
esac
