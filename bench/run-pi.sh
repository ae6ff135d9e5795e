#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The benchmarks of PI traces, side by side in one run: median of BENCH_ROUNDS (3) each, as ratios to what the machine
# can do at best. `make bench` builds what this needs and calls it.
#
#   BENCH_PI_CALLS      calls of each recording (2000000)
#   BENCH_ROUNDS        3
#   BENCH_DIR           where the files go (a temporary directory, removed afterwards)
set -eu
export LC_ALL=C
calls=${BENCH_PI_CALLS:-2000000}
# shellcheck source=bench/lib.sh
. "$(dirname "$0")/lib.sh"

# -- inputs ---------------------------------------------------------------------------------------
progress 'generate'
for layout in g3 g2; do
    "$bench/gen-pi" --calls "$calls" --layout $layout "$dir/$layout"
    cat "$dir/$layout"/main*.*trace >"$dir/$layout.all"
done

# -- rounds ---------------------------------------------------------------------------------------
count() { # DATABASE TABLE
    "$tracetool" --db "$1" query --format csv "SELECT count(*) FROM $2" | tail -n 1 | tr -d '\r'
}

one_layout() { # NAME
    measure "$1-read" "$bench/bench-read" "$dir/$1.all"
    measure "$1-decode" "$bench/bench-decode" "$dir/$1"
    measure "$1-classic" "$tracetool" pi print --style classic "$dir/$1"
    measure "$1-named" "$tracetool" pi print "$dir/$1"
    import "$1-import" "$dir/$1.db" "$dir/$1"
    flows=$(count "$dir/$1.db" flow)
    bytes=$("$tracetool" --db "$dir/$1.db" query --format csv 'SELECT avg(length(args)) FROM event WHERE args IS NOT NULL AND id < 10000' |
        tail -n 1 | tr -d '\r' | cut -d. -f1)
    rm -f "$dir/bare.db"
    measure "$1-insert" "$bench/bench-insert" --rows "$calls" --args "$calls" --args-bytes "$bytes" --flows "$flows" "$dir/bare.db"
    measure "$1-stats" "$tracetool" --db "$dir/$1.db" stats
    measure "$1-export" "$tracetool" --db "$dir/$1.db" export --chrome -o /dev/null
    rm -f "$dir/bare.db" "$dir/$1.db"
}

round=0
while [ "$round" -lt "$rounds" ]; do
    round=$((round + 1))
    one_layout g3
    one_layout g2
done
[ ! -t 2 ] || printf '\r%-60s\r' '' >&2

# -- table ----------------------------------------------------------------------------------------
rows_of() { # NAME
    mb=$(awk -v n="$(size "$dir/$1.all")" 'BEGIN { print n / 1e6 }')
    events=$(million "$calls")
    echo
    echo "$1: $events M calls, $mb MB; median of $rounds; $(nproc) cores, $(uname -m)"
    echo
    table_head
    row "$1-read" 'read the files, add their words up' "$mb" 'MB/s' '' ''
    row "$1-decode" 'decode only (sink keeps nothing)' "$mb" 'MB/s' "$1-read" 'of the bare read'
    row "$1-classic" 'pi print --style classic to a file' "$events" 'M calls/s' '' ''
    row "$1-named" 'pi print to a file' "$events" 'M calls/s' '' ''
    row "$1-insert" 'bare insert of as many rows' "$events" 'M calls/s' '' ''
    row "$1-import" 'import' "$events" 'M calls/s' "$1-insert" 'of the bare insert'
    row "$1-stats" 'stats' '' '' '' ''
    row "$1-export" 'export --chrome to /dev/null' "$events" 'M calls/s' '' ''
}

rows_of g3
rows_of g2
