#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# breakdown --show states: how much of each operation its thread ran, was preempted, and waited in which call, from the program's
# trace and the kernel's together, as a made scheduler had it.
# shellcheck source=tests/cli/lib.sh
. "$SRCDIR/tests/cli/lib.sh"

if ! command -v python3 >/dev/null; then
    skip 'states of operations' 'python3 is not here'
    finish
    exit 0
fi
oracle=$SRCDIR/tests/oracles/user_states.py
operations=0
threads=0
tried=0
for seed in $(seeds 24); do
    tried=$((tried + 1))
    rm -rf session session.db
    python3 "$oracle" write "$seed" session truth.json || continue
    run 0 import -q --db session.db session || continue
    run 0 --db session.db breakdown --show states --format csv --unit ns --top 0 && python3 "$oracle" check truth.json "$scratch/out" >got 2>&1 && operations=$((operations + 1))
    [ "$operations" = "$tried" ] || sed "s/^/# seed $seed: /" got
    run 0 --db session.db breakdown --show states --per stream --format csv --unit ns --top 0 && python3 "$oracle" check truth.json "$scratch/out" thread >got 2>&1 && threads=$((threads + 1))
    [ "$threads" = "$tried" ] || sed "s/^/# seed $seed: /" got
done
[ "$tried" -gt 0 ] && [ "$operations" = "$tried" ]
result $? 'operations are split as the made scheduler did'
[ "$tried" -gt 0 ] && [ "$threads" = "$tried" ]
result $? 'so are threads'

rm -rf session
python3 "$oracle" write 2 session truth.json && run 0 import -q --db one.db session && run 0 --db one.db breakdown --show states &&
    has out 'of operations: running' 'Most waiting: COMP.' 'Most preempted: COMP.' 'COMP.barrier' 'syscall_'
result $? 'the conclusion comes first'
[ "$(awk '{ if (length > 80 && !/^Trust/) n++ } END { print n + 0 }' "$scratch/out")" = 0 ] && filled out
result $? 'in 80 columns'
grep -c . "$scratch/out" >lines && run 0 --db one.db breakdown --show states --filter op_name=barrier && has out 'COMP.barrier' && refute matches out 'COMP.work'
result $? 'a filter chooses operations'
run 0 --db one.db breakdown --show states --per rank --format json && has out '"waiting_us"' '"waits_in"'
result $? 'per rank, as JSON'

# A kernel trace alone: the calls of the system are the operations. A program's alone: nothing is known.
run 0 import -q --db kernel.db session/kernel && run 0 --db kernel.db breakdown --show states && has out 'RT.syscall_' 'waiting'
result $? 'of a kernel trace alone calls of the system are split'
run 0 import -q --db user.db session/ust && run 0 --db user.db breakdown --show states --format csv && has err 'no states of threads' 'sched_switch'
result $? 'without one it is said what is missing'
refuses 2 '--show states is of threads' --db one.db breakdown --show states --per step
result $? 'steps have no states'
mkdir -p other && cp -r session/ust other && cp -r session/kernel other && sed -i 's/hostname = "made"/hostname = "else"/' other/ust/uid/0/64-bit/metadata 2>/dev/null
run 0 import -q --db other.db other && run 0 --db other.db breakdown --show states && has out 'No thread with spans is in the kernel trace' 'left out'
result $? 'threads of another host are not taken for those of the same number'
finish
