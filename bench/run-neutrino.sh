#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The benchmarks of Neutrino's traces, side by side in one run: median of BENCH_ROUNDS (3) each, as ratios to
# what the machine can do at best. `make bench` builds what this needs and calls it.
#
#   BENCH_NEUTRINO_RECORDS  records of each trace (10000000)
#   BENCH_NEUTRINO_MB       megabytes of the result that is only decoded (1000)
#   BENCH_ROUNDS            3
#   BENCH_DIR               where the files go (a temporary directory, removed afterwards)
set -eu
export LC_ALL=C
records=${BENCH_NEUTRINO_RECORDS:-10000000}
megabytes=${BENCH_NEUTRINO_MB:-1000}
# shellcheck source=bench/lib.sh
. "$(dirname "$0")/lib.sh"

# -- inputs ---------------------------------------------------------------------------------------
progress 'generate'
for map in sched bytes slots; do
    "$bench/gen-neutrino" --records "$records" --map $map "$dir/$map" >"$dir/$map.records"
    bytes=$([ $map = bytes ] && echo 8 || echo 16)
    "$bench/gen-neutrino" --records $((megabytes * 1000000 / bytes)) --map $map "$dir/$map-big" >"$dir/$map-big.records"
done

# -- rounds ---------------------------------------------------------------------------------------
one_map() { # MAP MEAN-BYTES-OF-ARGUMENTS
    n=$(cat "$dir/$1.records")
    measure "$1-read" "$bench/bench-read" "$dir/$1-big/result/1.000000.bin"
    measure "$1-columns" "$bench/bench-neutrino" "$dir/$1-big/probe.toml" "$dir/$1-big/result/1.000000.bin"
    measure "$1-decode" "$bench/bench-decode" "$dir/$1"
    rm -f "$dir/bare.db"
    measure "$1-insert" "$bench/bench-insert" --rows "$n" --args "$n" --args-bytes "$2" "$dir/bare.db"
    rm -f "$dir/bare.db" "$dir/rows.db"
    measure "$1-rows" "$bench/bench-decode" --db "$dir/rows.db" "$dir/$1"
    rm -f "$dir/rows.db"
    import "$1-import" "$dir/$1.db" "$dir/$1"
    measure "$1-stats" "$tracetool" --db "$dir/$1.db" stats --by sm
    rm -f "$dir/$1.db"
}

round=0
while [ "$round" -lt "$rounds" ]; do
    round=$((round + 1))
    one_map sched 31
    one_map bytes 70
    one_map slots 41
done
[ ! -t 2 ] || printf '\r%-60s\r' '' >&2

# -- table ----------------------------------------------------------------------------------------
rows_of() { # MAP TEXT
    mb=$(awk -v n="$(size "$dir/$1-big/result/1.000000.bin")" 'BEGIN { print n / 1e6 }')
    n=$(million "$(cat "$dir/$1.records")")
    echo
    echo "$1: $2; $n M records, decoded alone $mb MB; median of $rounds; $(nproc) cores, $(uname -m)"
    echo
    table_head
    row "$1-read" 'read the result, add its words up' "$mb" 'MB/s' '' ''
    row "$1-columns" 'decode into columns' "$mb" 'MB/s' "$1-read" 'of the bare read'
    row "$1-decode" 'importer alone (sink keeps nothing)' "$n" 'M records/s' '' ''
    row "$1-insert" 'bare insert of as many rows and arguments' "$n" 'M records/s' '' ''
    row "$1-rows" 'import of the rows, without statistics' "$n" 'M records/s' "$1-insert" 'of the bare insert'
    row "$1-import" 'import' "$n" 'M records/s' "$1-insert" 'of the bare insert'
    row "$1-stats" 'stats --by sm' "$n" 'M records/s' '' ''
}

rows_of sched 'one record a warp with start, elapsed and SM'
rows_of bytes 'one record a thread without a time'
rows_of slots 'up to four timed records a thread, zeros behind'
