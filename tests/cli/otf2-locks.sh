#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Who waits for a lock of a window, and for whom, by a program that plans who locks when and writes it by libotf2.
# shellcheck source=tests/cli/lib.sh
. "$SRCDIR/tests/cli/lib.sh"
python=python3
python3 -c 'import otf2' 2>/dev/null || python=/usr/bin/python3
if ! "$python" -c 'import otf2' 2>/dev/null; then
    skip 'locks of windows' 'python3-otf2 is not here'
    finish
    exit 0
fi
judge=$SRCDIR/tests/oracles/window_locks.py

for seed in 1 2 3; do
    sampled || continue
    "$python" "$judge" make "locks$seed" $seed && import -q "locks$seed/archive" &&
        run 0 waits --by rank,cause,name --format csv --unit ns --top 0 && cp out waits.csv &&
        python3 "$judge" judge "locks$seed/truth.json" waits.csv >judged
    status=$?
    sed 's/^/# /' judged
    result $status "plan $seed: each rank waits for those who held the lock"
done
run 0 waits --by kind --format csv && matches out -E ',wait for lock,0$'
result $? 'told as locks, not inferred'
run 0 waits --show causes --format csv --unit ns --top 0 && cp out causes.csv && run 0 waits --by kind --format csv --unit ns --top 0 && python3 - <<'END'
import csv
costs = {row["path"]: int(row["cost_ns"]) for row in csv.DictReader(open("causes.csv"))}
waits = sum(int(row["wait_ns"]) for row in csv.DictReader(open("out")))
assert sum(int(row["cost_ns"]) for row in csv.DictReader(open("causes.csv"))) == waits > 0, costs
assert max(costs, key=costs.get).endswith("work"), costs
END
result $? 'and cost by what who held them did'
import -q locks1/archive
run 0 waits --time-window '200us:1ms' --format csv --unit ns && has out 'wait for lock' && cp out part && run 0 waits --format csv --unit ns &&
    ! cmp -s part out
result $? 'in a time window'

# Four threads that come to a barrier of OpenMP, as Score-P names it, one after the other, each 40 us behind the last.
cat >barrier.py <<'END'
import otf2
from otf2.enums import Paradigm, RegionRole
with otf2.writer.open("barrier", timer_resolution=10**9) as trace:
    d = trace.definitions
    node = d.system_tree_node("host", class_name="node", parent=d.system_tree_node("machine", class_name="machine"))
    rank = d.location_group("MPI Rank 0", system_tree_parent=node)
    work = d.region("work", region_role=RegionRole.FUNCTION, paradigm=Paradigm.USER)
    barrier = d.region("!$omp implicit barrier @app.c:12", region_role=RegionRole.IMPLICIT_BARRIER, paradigm=Paradigm.OPENMP)
    for number, location in enumerate([d.location(f"thread {i}", group=rank) for i in range(4)]):
        writer = trace.event_writer_from_location(location)
        for turn in range(5):
            begin = 1000000 + turn * 230000
            come = begin + 100000 + 40000 * ((number + turn) % 4)
            writer.enter(begin, work)
            writer.leave(come, work)
            writer.enter(come, barrier)
            writer.leave(begin + 230000, barrier)
END
rm -rf barrier && "$python" barrier.py && import -q barrier && run 0 waits --by kind --format csv --unit ns && matches out "^$((5 * (120 + 80 + 40)))000,.*,wait at thread barrier,"
result $? 'a barrier of OpenMP: the last comes 120 us after the first, 80 and 40 after the others'

# Threads that wait for critical sections and locks of OpenMP, as Score-P records them.
judge=$SRCDIR/tests/oracles/thread_locks.py
status=0
for seed in 1 2 3; do
    "$python" "$judge" make $seed "threads$seed" && import -q "threads$seed" &&
        run 0 waits --by name --format csv --unit ns && python3 "$judge" judge "threads$seed.json" <out >judged &&
        has judged 'for 3 kinds of locks, as planned' && run 0 waits --by kind --format csv && matches out -E ',wait for lock,0$' && continue
    echo "# plan $seed"
    status=1
done
result $status 'critical sections and locks of threads: each waits for who held its lock'
"$python" "$judge" make 4 untold untold && import -q untold && run 0 waits --by name --format csv --unit ns &&
    python3 "$judge" judge untold.json <out >judged && has judged 'for 1 kinds of locks, as planned' &&
    run 0 waits --by kind --format csv && matches out -E ',wait for lock,100$'
result $? 'without records of the lock: inferred'
finish
