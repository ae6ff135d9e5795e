#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Kernel traces of LTTng: the states of threads are those that a made scheduler had, and that babeltrace2's text tells; calls of
# the system belong to the thread that made them, on whatever processors; and where events are lost, what is not marked is true.
# shellcheck source=tests/cli/lib.sh
. "$SRCDIR/tests/cli/lib.sh"

if ! command -v python3 >/dev/null; then
    skip 'states of threads' 'python3 is not here'
    finish
    exit 0
fi
oracle=$SRCDIR/tests/oracles/kernel_states.py
made=0
read=0
lossy=0
tried=0
for seed in $(seeds "$(often 24)"); do
    tried=$((tried + 1))
    rm -rf kernel kernel.db lost lost.db
    python3 "$oracle" write "$seed" kernel kernel.json && run 0 import -q --db kernel.db kernel &&
        python3 "$oracle" check kernel.db kernel.json >got 2>&1 && made=$((made + 1))
    [ "$made" = "$tried" ] || sed "s/^/# seed $seed: /" got
    if command -v babeltrace2 >/dev/null; then
        babeltrace2 --clock-seconds kernel >text && python3 "$oracle" read text kernel.json >got && read=$((read + 1))
    fi
    python3 "$oracle" lossy "$seed" lost lost.json && run 0 import -q --db lost.db lost && python3 "$oracle" within lost.db lost.json >got && lossy=$((lossy + 1))
    [ "$lossy" = "$tried" ] || sed "s/^/# seed $seed: /" got
done
[ "$tried" -gt 0 ] && [ "$made" = "$tried" ]
result $? 'states of threads and calls are those of the made scheduler'
if command -v babeltrace2 >/dev/null; then
    [ "$read" = "$tried" ] && [ "$made" = "$tried" ]
    result $? 'and those that a reader of babeltrace2'"'"'s text finds'
else
    skip 'and those that a reader of babeltrace2'"'"'s text finds' 'babeltrace2 is not here'
fi
[ "$lossy" = "$tried" ]
result $? 'where events are lost, states without a mark are true'
run 0 --db kernel.db stats --by op_cat,sub_op --filter op_name=sched && has out running waiting preempted ready
result $? 'stats tells how long threads ran and waited'
run 0 --db kernel.db query --format csv "SELECT count(*) FROM thread t JOIN process p ON p.id = t.process WHERE p.pid = 'sched' AND t.label LIKE 'task-%'" && matches out '^[1-9]'
result $? 'lanes are called as the threads are'
finish
