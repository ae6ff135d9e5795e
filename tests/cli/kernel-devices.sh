#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Kernel traces of LTTng: interrupts lie on lanes of processors and requests on lanes of block devices as a made kernel had them;
# where events are lost, what is not marked is true.
# shellcheck source=tests/cli/lib.sh
. "$SRCDIR/tests/cli/lib.sh"

if ! command -v python3 >/dev/null; then
    skip 'interrupts and requests' 'python3 is not here'
    finish
    exit 0
fi
oracle=$SRCDIR/tests/oracles/kernel_devices.py
made=0
lossy=0
tried=0
for seed in $(seeds 24); do
    tried=$((tried + 1))
    rm -rf kernel kernel.db lost lost.db
    python3 "$oracle" write "$seed" kernel kernel.json && run 0 import -q --db kernel.db kernel &&
        python3 "$oracle" check kernel.db kernel.json >got 2>&1 && made=$((made + 1))
    [ "$made" = "$tried" ] || sed "s/^/# seed $seed: /" got
    python3 "$oracle" lossy "$seed" lost lost.json && run 0 import -q --db lost.db lost && python3 "$oracle" within lost.db lost.json >got && lossy=$((lossy + 1))
    [ "$lossy" = "$tried" ] || sed "s/^/# seed $seed: /" got
done
[ "$tried" -gt 0 ] && [ "$made" = "$tried" ]
result $? 'interrupts and requests are those of the made kernel'
[ "$tried" -gt 0 ] && [ "$lossy" = "$tried" ]
result $? 'where events are lost, interrupts without a mark are true'
run 0 --db kernel.db query --format csv "SELECT DISTINCT t.label FROM thread t JOIN process p ON p.id = t.process WHERE p.label LIKE 'requests%' AND t.tid LIKE '8:0%'" && has out sda
result $? 'lanes of requests are called as their device is'
run 0 --db kernel.db stats --by op_cat,op_name,sub_op && has out 'READ' 'NET_RX' 'eth0'
result $? 'stats tells what processors and devices did'
finish
