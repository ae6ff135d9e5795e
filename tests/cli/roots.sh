#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# PInsight numbers the regions of each thread that begins some by themselves: tasks of teams of one name end with their own region.
# shellcheck source=tests/cli/lib.sh
. "$SRCDIR/tests/cli/lib.sh"
oracle=$SRCDIR/tests/oracles/roots.py
recorded=$TRACETOOL_DATA/pinsight/roots

if ! command -v python3 >/dev/null; then
    skip 'teams of one name' 'python3 is not here'
    finish
    exit
fi

judge() { # TRUTH TRACE
    import "$2" && python3 "$oracle" judge "$db" "$1" "$2" >"$scratch/out" 2>"$scratch/err" && has out ' 0 differences' && return
    cat "$scratch/out" "$scratch/err"
    return 1
}

judge "$recorded/lockstep.tsv" "$recorded/lockstep" && has out '72 tasks of 24 regions, 0 marked'
result $? 'three threads that begin regions at once, as recorded: tasks end where the program says'
judge "$recorded/free.tsv" "$recorded/free" && has out '72 tasks of 24 regions, 2 marked' &&
    ask "SELECT json_extract(repairs, '\$.unsure_team.count') FROM source" 2 &&
    ask "SELECT count(*) FROM event WHERE op_name = 'omp_implicit_task' AND json_extract(args, '\$.dur_between_ns[0]') IS NOT NULL
         AND flags LIKE '%unclosed,inferred%'" 2
result $? 'three threads as they come: what the trace does not tell has bounds'
# Work, barriers and joins of a task lie in it, whoever ended it.
import "$recorded/lockstep" &&
    ask "SELECT count(*), count(DISTINCT e.tid), sum(e.ts_ns + e.dur_ns > t.ts_ns + t.dur_ns) FROM event t JOIN event e ON e.tid = t.tid
         AND e.depth > t.depth AND e.ts_ns BETWEEN t.ts_ns AND t.ts_ns + t.dur_ns WHERE t.op_name = 'omp_implicit_task'
         AND e.op_name IN ('omp_work', 'omp_barrier', 'omp_barrier_wait', 'omp_join', 'omp_join_wait')" 252,9,0
result $? 'what is inside a task does not outlast it'

failed=
for seed in 1 2 3 5 9 13 19 24 33 40 56 77; do
    rm -rf "$scratch/made"
    python3 "$oracle" simulate "$seed" "$scratch/made" "$scratch/made.tsv" && judge "$scratch/made.tsv" "$scratch/made" ||
        failed="$failed $seed"
done
[ -z "$failed" ] || echo "seeds$failed"
[ -z "$failed" ]
result $? 'simulated programs with teams that stay together, nested ones and some of different sizes'
finish
