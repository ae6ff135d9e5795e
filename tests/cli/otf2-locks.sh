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
finish
