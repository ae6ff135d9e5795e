#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What ranks of an MPI job gain, and what they say to each other: import into a directory of shards, the join, statistics and
# an export, of two sizes. `make bench` builds what this needs and calls it.
#
# Where other work takes the processors, times that pass say nothing, and ranks that share inputs by turns get uneven shares: the
# efficiency is told of processor time, too, of the rank that had most and of all. Bytes are those that Open MPI counts (its component "monitoring").
#
#   BENCH_RECORDS  records of the larger trace (8000000), a fourth of it in the smaller
#   BENCH_NODES    ranks in it (64)
#   BENCH_RANKS    of tracetool-mpi ("1 2")
#   BENCH_ROUNDS   runs of each case (3)
set -eu
export LC_ALL=C
# shellcheck source=bench/lib.sh
. "$(dirname "$0")/lib.sh"
records=${BENCH_RECORDS:-8000000}
nodes=${BENCH_NODES:-64}
numbers=${BENCH_RANKS:-1 2}
program=$builddir/tracetool-mpi
if ! [ -x "$program" ] || ! command -v mpirun >/dev/null; then
    echo 'bench: no tracetool-mpi, or no mpirun'
    exit 0
fi
export PMIX_MCA_gds=hash

job() { # N ARGUMENT... : of mpirun
    _n=$1
    shift
    timeout -k 5 600 mpirun --quiet --oversubscribe --allow-run-as-root -n "$_n" "$@"
}

failed() { # NAME N
    echo "bench: $1 of $2 ranks failed" >&2
    tail -n 5 "$dir/out" >&2
}

ranks() { # NAME N ARGUMENT... : a line of the results for each rank, which stand together
    _name=$1 _number=$2
    shift 2
    : >"$dir/lines"
    if job "$_number" "$bench/bench-run" "$dir/lines" "$_name-$_number" "$program" "$@" >"$dir/out" 2>&1 </dev/null; then
        cat "$dir/lines" >>"$results"
    else
        failed "$_name" "$_number"
    fi
    progress "$_name-$_number"
}

bytes_of() { # NAME N ARGUMENT... : the same, of which the bytes are counted
    _name=$1 _number=$2
    shift 2
    rm -f "$dir"/said.*
    job "$_number" --mca pml_monitoring_enable 1 --mca pml_monitoring_enable_output 3 --mca pml_monitoring_filename "$dir/said" \
        "$program" "$@" >"$dir/out" 2>&1 </dev/null || {
        failed "$_name" "$_number"
        return
    }
    # Without the component that counts (another pml is asked for, another MPI) the column stays empty.
    ls "$dir"/said.* >/dev/null 2>&1 || return 0
    # Lines of messages (E, I) and of one-sided operations (S: bytes sent, R): kind, from, to, bytes, number.
    cat "$dir"/said.* | awk -v name="$_name" -v n="$_number" '
        $1 ~ /^[EISR]$/ { sub(/ *bytes/, "", $4); bytes += $4 }
        END { printf "%s %d %.0f\n", name, n, bytes }' >>"$dir/bytes"
}

cases() { # HOW SIZE : all of them, by one of these functions
    for number in $numbers; do
        rm -rf "$dir/run.shards"
        $1 "import-$2" "$number" --db "$dir/run.shards" import -q "$dir/$2"
        $1 "join-$2" "$number" --db "$dir/run.shards" stats
        $1 "stats-$2" "$number" --db "$dir/run.shards" stats --filter 'op_cat = COMP,Comm' --by op_cat,pid
        $1 "export-$2" "$number" --db "$dir/run.shards" export -o "$dir/run.json"
    done
}

: >"$dir/bytes"
for size in small large; do
    [ $size = large ] && some=$records || some=$((records / 4))
    "$bench/gen-tau" --records "$some" --nodes "$nodes" --messages "$dir/$size" 2>"$dir/out"
    round=1
    while [ $round -le "$rounds" ]; do
        cases ranks $size
        round=$((round + 1))
    done
    cases bytes_of $size
    echo "$size: $some records of $nodes ranks, $(du -sk "$dir/$size" | cut -f1) kB, to $(du -sk --exclude 'joined*' "$dir/run.shards" | cut -f1) kB of shards and $(($(size "$dir/run.json") / 1000)) kB of JSON"
done
[ ! -t 2 ] || printf '\r%-60s\r' '' >&2
echo "best of $rounds; $(nproc) cores, $(uname -m), load $(cut -d' ' -f1 /proc/loadavg)"
echo
echo '| case | ranks | seconds | processor seconds of the busiest | of all | efficiency by time | by the busiest | by all | KiB of the largest | bytes said |'
echo '|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|'
awk '
    FILENAME == ARGV[1] { said[$1 "-" $2] = $3; next }
    {
        n = $1; sub(/.*-/, "", n); name = $1
        if (!(name in seen)) { order[++n_names] = name; seen[name] = 1 }
        lines[name]++
        wall[name] = lines[name] % n == 1 || n == 1 ? $2 : $2 > wall[name] ? $2 : wall[name]
        top[name] = lines[name] % n == 1 || n == 1 ? $5 : $5 > top[name] ? $5 : top[name]
        sum[name] = lines[name] % n == 1 || n == 1 ? $5 : sum[name] + $5
        if ($3 > most[name]) most[name] = $3
        if (lines[name] % n) next
        if (!(name in best) || wall[name] < best[name]) best[name] = wall[name]
        if (!(name in least) || top[name] < least[name]) { least[name] = top[name]; all[name] = sum[name] }
    }
    END {
        for (i = 1; i <= n_names; i++) {
            name = order[i]; n = name; sub(/.*-/, "", n); short = name; sub(/-[0-9]+$/, "", short); one = short "-1"
            printf "| %s | %d | %.2f | %.2f | %.2f |", short, n, best[name], least[name], all[name]
            if (n > 1 && best[name] > 0 && least[name] > 0)
                printf " %.2f | %.2f | %.2f |", best[one] / best[name] / n, least[one] / least[name] / n, least[one] / all[name]
            else printf " | | |"
            printf " %d | %s |\n", most[name], said[name]
        }
    }' "$dir/bytes" "$results"
