#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The benchmarks of TAU traces, side by side in one run: median of BENCH_ROUNDS (3) each, as ratios to
# what the machine can do at best. `make bench` builds what this needs and calls it.
#
#   BENCH_RECORDS   records of the big trace (20000000)
#   BENCH_NAMES     distinct names of the second trace (5000000; 0: leave it out)
#   BENCH_ROUNDS    3
#   BENCH_DIR       where the files go (a temporary directory, removed afterwards)
set -eu
export LC_ALL=C
records=${BENCH_RECORDS:-20000000}
names=${BENCH_NAMES:-5000000}
# shellcheck source=bench/lib.sh
. "$(dirname "$0")/lib.sh"

# -- inputs ---------------------------------------------------------------------------------------
trace=$dir/big
progress 'generate'
"$bench/gen-tau" --records "$records" --nodes 64 --messages --collectives --user-events --merged \
    --expect "$dir/expect.json" "$trace"
expected() { # KEY: what the generator says is in the trace
    sed -n "s/.*\"$1\": \([0-9]*\).*/\1/p" "$dir/expect.json"
}
records=$(expected records)
spans=$(expected spans)
if [ "$names" -gt 0 ]; then
    "$bench/gen-tau" --records $((names * 3)) --nodes 4 --distinct-names "$names" --merged \
        --expect "$dir/names.json" "$dir/names"
fi

# -- rounds ---------------------------------------------------------------------------------------
round=0
while [ "$round" -lt "$rounds" ]; do
    round=$((round + 1))
    measure read "$bench/bench-read" "$trace.trc"
    measure decode "$bench/bench-decode" "$trace.trc" "$trace.edf"
    if [ -x "$bench/bench-insert" ]; then
        rm -f "$dir/bare.db"
        measure insert "$bench/bench-insert" --rows "$spans" --counters "$(expected triggers)" \
            --messages "$(expected sends)" --collectives "$(expected collective_calls)" "$dir/bare.db"
        rm -f "$dir/bare.db"
    fi
    rm -f "$dir/rows.db"
    measure import-rows "$bench/bench-decode" --db "$dir/rows.db" "$trace.trc" "$trace.edf"
    rm -f "$dir/rows.db"
    import import "$dir/big.db" "$trace.trc" "$trace.edf"
    measure start "$tracetool" --version
    measure stats "$tracetool" --db "$dir/big.db" stats
    measure stats-filter "$tracetool" --db "$dir/big.db" stats --filter 'op_cat = Comm'
    measure stats-window "$tracetool" --db "$dir/big.db" stats --by pid,op_cat --time-window 1000000:4000000
    measure comm "$tracetool" --db "$dir/big.db" comm
    measure depgraph "$tracetool" --db "$dir/big.db" depgraph -o "$dir/g.dot"
    measure critical-path "$tracetool" --db "$dir/big.db" critical-path
    measure path-imbalance "$tracetool" --db "$dir/big.db" critical-path --imbalance
    measure waits "$tracetool" --db "$dir/big.db" waits
    measure wait-causes "$tracetool" --db "$dir/big.db" waits --show causes
    measure breakdown "$tracetool" --db "$dir/big.db" breakdown
    measure breakdown-window "$tracetool" --db "$dir/big.db" breakdown --time-window 1000000:1100000
    measure imbalance "$tracetool" --db "$dir/big.db" imbalance
    measure kernels-window "$tracetool" --db "$dir/big.db" kernels --time-window 1000000:1100000
    measure export-window "$tracetool" --db "$dir/big.db" export --time-window 1000000:1100000 -o /dev/null
    measure compare "$tracetool" compare "$dir/big.db" "$dir/big.db"
    measure export-null "$tracetool" --db "$dir/big.db" export --chrome -o /dev/null
    rm -f "$dir/export.json"
    measure export-file "$tracetool" --db "$dir/big.db" export --chrome -o "$dir/export.json"
    export_bytes=$(size "$dir/export.json")
    rm -f "$dir/export.json"
    measure perfetto-null "$tracetool" --db "$dir/big.db" export --perfetto -o /dev/null
    measure perfetto-file "$tracetool" --db "$dir/big.db" export -o "$dir/export.pftrace"
    perfetto_bytes=$(size "$dir/export.pftrace")
    rm -f "$dir/export.pftrace"
    rm -rf "$dir/otf2"
    measure export-otf2 "$tracetool" --db "$dir/big.db" export --otf2 "$dir/otf2"
    import import-otf2 "$dir/otf2.db" "$dir/otf2/traces.otf2"
    rm -f "$dir/otf2.db"
    measure otf2-rows "$bench/bench-decode" --db "$dir/otf2.db" "$dir/otf2/traces.otf2"
    rm -rf "$dir/otf2" "$dir/otf2.db"
    measure convert-null "$tracetool" convert "$trace.trc" "$trace.edf" /dev/null
    measure convert-file "$tracetool" convert "$trace.trc" "$trace.edf" "$dir/convert.json"
    convert_bytes=$(size "$dir/convert.json")
    rm -f "$dir/convert.json"
    if [ "$names" -gt 0 ]; then
        import import-names "$dir/names.db" "$dir/names.trc" "$dir/names.edf"
        measure stats-names "$tracetool" --db "$dir/names.db" stats
    fi
done
[ ! -t 2 ] || printf '\r%-60s\r' '' >&2

# -- table ----------------------------------------------------------------------------------------
trc_bytes=$(size "$trace.trc")
echo "$records records, $spans spans, $(million "$trc_bytes") MB; median of $rounds; $(nproc) cores, $(uname -m)"
echo
table_head
row read 'read the file, add its words up' "$(giga "$trc_bytes")" 'GB/s' '' ''
row decode 'decode only (sink keeps nothing)' "$(million "$records")" 'M records/s' read 'of the bare read'
row insert 'bare insert of as many rows' "$(million "$spans")" 'M spans/s' read 'of the bare read'
row import-rows 'import of the rows, without statistics' "$(million "$records")" 'M records/s' insert 'of the bare insert'
row import 'import' "$(million "$records")" 'M records/s' insert 'of the bare insert'
row start 'start (--version)' '' '' '' ''
row stats 'stats' "$(million "$spans")" 'M spans/s' '' ''
row stats-filter 'stats --filter (scan)' "$(million "$spans")" 'M spans/s' '' ''
row stats-window 'stats --by pid,op_cat --time-window, a part' "$(million "$spans")" 'M spans/s' stats-filter 'of the scan'
row comm 'comm' '' '' '' ''
row depgraph 'depgraph -o g.dot' "$(million "$spans")" 'M spans/s' '' ''
row critical-path 'critical-path' "$(million "$spans")" 'M spans/s' stats-filter 'of the scan'
row path-imbalance 'critical-path --imbalance' "$(million "$spans")" 'M spans/s' critical-path 'of the path'
row waits 'waits' "$(million "$spans")" 'M spans/s' stats-filter 'of the scan'
row wait-causes 'waits --show causes' "$(million "$spans")" 'M spans/s' waits 'of the waits'
row breakdown 'breakdown' "$(million "$spans")" 'M spans/s' stats-filter 'of the scan'
row breakdown-window 'breakdown, 0.1 s' '' '' stats-filter 'of the scan'
row imbalance 'imbalance' "$(million "$spans")" 'M spans/s' stats-filter 'of the scan'
row kernels-window 'kernels, 0.1 s' '' '' stats-filter 'of the scan'
row export-window 'export --chrome, 0.1 s' '' '' stats-filter 'of the scan'
row compare 'compare of two databases (tables)' '' '' '' ''
row export-null 'export --chrome to /dev/null' "$(giga "$export_bytes")" 'GB/s' '' ''
row export-file 'export --chrome to a file' "$(giga "$export_bytes")" 'GB/s' export-null 'of /dev/null'
row perfetto-null 'export --perfetto to /dev/null' "$(giga "$export_bytes")" 'GB/s of JSON' export-null 'of --chrome'
row perfetto-file 'export --perfetto to a file' "$(giga "$perfetto_bytes")" 'GB/s' export-file 'of --chrome'
row export-otf2 'export --otf2' "$(million "$spans")" 'M spans/s' export-file 'of --chrome'
row otf2-rows 'import of its rows, without statistics' "$(million "$records")" 'M records/s' insert 'of the bare insert'
row import-otf2 'import of that archive' "$(million "$records")" 'M records/s' insert 'of the bare insert'
row convert-null 'convert to /dev/null' "$(giga "$convert_bytes")" 'GB/s' decode 'of decode only'
row convert-file 'convert to a file' "$(giga "$convert_bytes")" 'GB/s' convert-null 'of /dev/null'
if [ "$names" -gt 0 ]; then
    name_records=$(sed -n 's/.*"records": \([0-9]*\).*/\1/p' "$dir/names.json")
    row import-names "import, $names names" "$(million "$name_records")" 'M records/s' '' ''
    row stats-names "stats, $names names" '' '' '' ''
fi

echo
echo 'Callbacks of libtracetool-tau, processor time:'
"$bench/bench-callbacks" "$trace.trc" "$trace.edf" "$rounds"
