# SPDX-License-Identifier: Apache-2.0
# Shared by the benchmark scripts: where things are, measuring, the table. Sourced with LC_ALL=C and set -eu.
# shellcheck shell=sh
builddir=${BUILDDIR:-.}
bench=$builddir/bench
tracetool=${TRACETOOL:-$builddir/tracetool}
# shellcheck disable=SC2034
rounds=${BENCH_ROUNDS:-3}
if [ -n "${BENCH_DIR:-}" ]; then
    dir=$BENCH_DIR
    mkdir -p "$dir"
else
    dir=$(mktemp -d)
    trap 'rm -rf "$dir"' EXIT
fi
results=$dir/results
: >"$results"

measure() { # NAME COMMAND...
    name=$1
    shift
    "$bench/bench-run" "$results" "$name" "$@" >"$dir/out" 2>&1 </dev/null || {
        echo "bench: $name failed: $*" >&2
        tail -n 5 "$dir/out" >&2
    }
    progress "$name"
}

progress() {
    [ ! -t 2 ] || printf '\rbench: %-40s' "$1" >&2
}

import() { # NAME DATABASE FILE...
    name=$1 db=$2
    shift 2
    rm -f "$db"
    measure "$name" "$tracetool" --db "$db" import "$@"
}

size() {
    wc -c <"$1" | tr -d ' '
}

# -- table ----------------------------------------------------------------------------------------
# median FIELD NAME: of seconds (2) or KiB (3); empty when it was not run or failed.
median() {
    awk -v name="$2" -v field="$1" '$1 == name && $4 == 0 { print $field }' "$results" | sort -n |
        awk '{ v[NR] = $1 } END { if (NR) print v[int ((NR + 1) / 2)] }'
}

row() { # NAME TEXT AMOUNT UNIT OTHER RATIO-TEXT: a line of the table; @OTHER: the case to compare with
    seconds=$(median 2 "$1")
    kib=$(median 3 "$1")
    other=
    [ -z "$5" ] || other=$(median 2 "$5")
    awk -v text="$2" -v s="$seconds" -v kib="$kib" -v amount="$3" -v unit="$4" -v other="$other" -v against="$6" '
        BEGIN {
            if (s == "") { printf "| %-44s | %9s | %18s | %9s | %s |\n", text, "-", "-", "-", "not run or failed"; exit }
            rate = amount == "" ? "" : sprintf ("%.4g %s", amount / (s > 0 ? s : 1e-4), unit)
            ratio = other == "" ? "" : sprintf ("%.2f %s", other / (s > 0 ? s : 1e-4), against)
            printf "| %-44s | %8.3fs | %18s | %6.0f MiB | %s |\n", text, s, rate, kib / 1024, ratio
        }'
}

million() { awk -v n="$1" 'BEGIN { print n / 1e6 }'; }
giga() { awk -v n="$1" 'BEGIN { print n / 1e9 }'; }

table_head() {
    printf '| %-44s | %9s | %18s | %10s | %s |\n' case time rate 'peak RSS' 'ratio'
    echo '|---|---|---|---|---|'
}
