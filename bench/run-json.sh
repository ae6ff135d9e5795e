#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The benchmarks of trace-event JSON, side by side in one run: median of BENCH_ROUNDS (3) each, as ratios to
# what the machine can do at best. `make bench` builds what this needs and calls it.
#
#   BENCH_JSON_MB       megabytes of the PyTorch trace (500)
#   BENCH_JSON_MINIMAL  spans without arguments (5000000)
#   BENCH_JSON_TEMPLATE events of a job under standard names (2000000)
#   BENCH_ROUNDS        3
#   BENCH_DIR           where the files go (a temporary directory, removed afterwards)
set -eu
export LC_ALL=C
megabytes=${BENCH_JSON_MB:-500}
minimal=${BENCH_JSON_MINIMAL:-5000000}
template=${BENCH_JSON_TEMPLATE:-2000000}
# shellcheck source=bench/lib.sh
. "$(dirname "$0")/lib.sh"

# -- inputs ---------------------------------------------------------------------------------------
progress 'generate'
"$bench/gen-trace-json" --kineto "$megabytes" --expect "$dir/kineto.expect" "$dir/kineto.json"
"$bench/gen-trace-json" --minimal "$minimal" --expect "$dir/minimal.expect" "$dir/minimal.json"
"$bench/gen-trace-json" --template "$template" --expect "$dir/template.expect" "$dir/template.json"
expected() { # NAME KEY: what the generator says is in the file
    sed -n "s/.*\"$2\": \([0-9]*\).*/\1/p" "$dir/$1.expect"
}

# -- rounds ---------------------------------------------------------------------------------------
one_file() { # NAME
    measure "$1-read" "$bench/bench-read" "$dir/$1.json"
    measure "$1-scan" "$bench/bench-json" members "$dir/$1.json"
    measure "$1-decode" "$bench/bench-decode" "$dir/$1.json"
    rm -f "$dir/bare.db"
    measure "$1-insert" "$bench/bench-insert" --rows $(($(expected "$1" spans) + $(expected "$1" instants))) \
        --args "$(expected "$1" args)" --flows "$(expected "$1" flows)" "$dir/bare.db"
    rm -f "$dir/bare.db" "$dir/rows.db"
    measure "$1-rows" "$bench/bench-decode" --db "$dir/rows.db" "$dir/$1.json"
    rm -f "$dir/rows.db"
    import "$1-import" "$dir/$1.db" "$dir/$1.json"
    measure "$1-stats" "$tracetool" --db "$dir/$1.db" stats
    measure "$1-filter" "$tracetool" --db "$dir/$1.db" stats --filter 'op_cat = COMP'
    for table in event main.event; do
        measure "$1-$table" "$tracetool" --db "$dir/$1.db" query --format csv \
            "SELECT name, count(*), sum(dur_ns) FROM $table GROUP BY name"
    done
    measure "$1-export" "$tracetool" --db "$dir/$1.db" export --chrome -o /dev/null
    rm -f "$dir/$1.db"
}

round=0
while [ "$round" -lt "$rounds" ]; do
    round=$((round + 1))
    one_file kineto
    one_file minimal
    one_file template
done
[ ! -t 2 ] || printf '\r%-60s\r' '' >&2

# -- table ----------------------------------------------------------------------------------------
rows_of() { # NAME
    mb=$(awk -v n="$(size "$dir/$1.json")" 'BEGIN { print n / 1e6 }')
    events=$(million "$(expected "$1" events)")
    echo
    echo "$1: $events M events, $mb MB; median of $rounds; $(nproc) cores, $(uname -m)"
    echo
    table_head
    row "$1-read" 'read the file, add its words up' "$mb" 'MB/s' '' ''
    row "$1-scan" 'bare scan (records and members)' "$mb" 'MB/s' "$1-read" 'of the bare read'
    row "$1-decode" 'decode only (sink keeps nothing)' "$mb" 'MB/s' "$1-scan" 'of the bare scan'
    row "$1-insert" 'bare insert of as many rows' "$events" 'M events/s' "$1-scan" 'of the bare scan'
    row "$1-rows" 'import of the rows, without statistics' "$mb" 'MB/s' "$1-insert" 'of the bare insert'
    row "$1-import" 'import' "$events" 'M events/s' "$1-insert" 'of the bare insert'
    row "$1-stats" 'stats' '' '' '' ''
    row "$1-filter" 'stats --filter (scan)' "$events" 'M events/s' '' ''
    row "$1-main.event" 'GROUP BY name, the view of the file' "$events" 'M events/s' '' ''
    row "$1-event" 'GROUP BY name by query' "$events" 'M events/s' "$1-main.event" 'of the view of the file'
    row "$1-export" 'export --chrome to /dev/null' "$events" 'M events/s' '' ''
}

rows_of kineto
rows_of minimal
rows_of template
