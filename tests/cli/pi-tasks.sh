#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The commands of queues as tasks, by wait lists, properties of queues and barriers, against the definitions
# (tests/oracles/pi-tasks.py).
. "$SRCDIR/tests/cli/lib.sh"

oracle=$SRCDIR/tests/oracles/pi-tasks.py
if ! command -v python3 >/dev/null 2>&1; then
    echo '1..0 # SKIP there is no Python here'
    exit 0
fi
for api in pi pi2 ur buffer; do
    lost=0 tried=0
    for seed in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
        rm -rf made made.db
        python3 "$oracle" make $seed $api made && run 0 --db made.db import made && python3 "$oracle" compare $seed $api made.db || lost=$((lost + 1))
        tried=$((tried + 1))
    done
    [ "$tried" = 20 ] && result "$lost" "$api: of 20 programs exactly those commands wait for others that have to"
done
rm -rf made made.db
python3 "$oracle" make 5 ur made && run 0 --db made.db import made && run 0 --db made.db query --format csv "SELECT DISTINCT kind FROM task_edge ORDER BY kind" && printf 'kind\nbarrier\nevent\nqueue\n' | same - out
result $? 'edges say why'
run 0 --db made.db depgraph --level task -o made.dot && [ -s made.dot ] && grep -q 'urEnqueueEventsWaitWithBarrier' made.dot
result $? 'depgraph draws them'
run 0 --db made.db query --format csv "SELECT count(*) > 0 AS n FROM flow WHERE kind = 'event'" && printf 'n\n1\n' | same - out
result $? 'flows lead from a command to those whose wait lists have its event'
# 1,100 x 1,100 edges are more than 2^20: those of the first 953 enqueues are kept.
rm -rf made made.db
python3 "$oracle" make 1100 many made && run 0 --db made.db import made && has err '161700 edges from commands of buffers' &&
    run 0 --db made.db query --format csv "SELECT count(*) AS n FROM task_edge WHERE kind = 'command_buffer'" && printf 'n\n1048300\n' | same - out
result $? 'edges of buffers are bounded, and those left out are told'
finish
