#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What it takes to correct clocks at the end of an import, to find the waits then, and what breakdown and imbalance take:
# of ranks whose clocks agree, and of ranks whose clocks differ and drift. `make bench` builds what this needs and calls
# it.
#
#   BENCH_RECORDS  records of the trace (23000000: 10 M spans, 1.1 M messages)
#   BENCH_NODES    ranks (64)
#   BENCH_ROUNDS   runs of each case (3)
set -eu
export LC_ALL=C
# shellcheck source=bench/lib.sh
. "$(dirname "$0")/lib.sh"
records=${BENCH_RECORDS:-23000000}
nodes=${BENCH_NODES:-64}

# The passes tell how long they took to who reads debugging messages; their memory is that of the import.
clocks_of() { # NAME TRACE DATABASE
    round=1
    while [ "$round" -le "$rounds" ]; do
        import "$1-import" "$3" "$2.trc" "$2.edf"
        measure "$1-waits" "$tracetool" --db "$3" waits
        measure "$1-causes" "$tracetool" --db "$3" waits --show causes
        measure "$1-breakdown" "$tracetool" --db "$3" breakdown
        measure "$1-imbalance" "$tracetool" --db "$3" imbalance
        rm -f "$3"
        G_MESSAGES_DEBUG=tracetool "$tracetool" --db "$3" import -q "$2.trc" "$2.edf" >"$dir/said" 2>&1
        awk -v name="$1-clocks" '/DEBUG.*: clocks: / { printf "%s\t%s\t0\t0\n", name, $(NF - 1) }' "$dir/said" >>"$dir/passes"
        round=$((round + 1))
    done
}

: >"$dir/passes"
for case in agree differ; do
    [ $case = agree ] && wrong= || wrong='--skew 10000 --drift 50'
    # shellcheck disable=SC2086
    "$bench/gen-tau" --records "$records" --nodes "$nodes" --depth 3 --messages --collectives --merged $wrong "$dir/$case"
    clocks_of $case "$dir/$case" "$dir/$case.db"
done
cat "$dir/passes" >>"$results"
spans=$("$tracetool" --db "$dir/agree.db" query --format csv 'SELECT count (*) FROM event WHERE dur_ns IS NOT NULL' | tail -n 1)
messages=$("$tracetool" --db "$dir/agree.db" query --format csv 'SELECT count (*) FROM message' | tail -n 1)
[ ! -t 2 ] || printf '\r%-60s\r' '' >&2

echo "$spans spans, $messages messages, $nodes ranks; median of $rounds; $(nproc) cores, $(uname -m), load $(cut -d' ' -f1 /proc/loadavg)"
echo
table_head
for case in agree differ; do
    row $case-import "import, clocks that $case" "$(million "$spans")" 'M spans/s' '' ''
    row $case-clocks "  the clocks of it" "$(million "$spans")" 'M spans/s' '' ''
    row $case-waits "waits" "$(million "$spans")" 'M spans/s' '' ''
    row $case-causes "waits --show causes" "$(million "$spans")" 'M spans/s' '' ''
    row $case-breakdown "breakdown" "$(million "$spans")" 'M spans/s' '' ''
    row $case-imbalance "imbalance" "$(million "$spans")" 'M spans/s' '' ''
done
