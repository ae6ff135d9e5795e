#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The kernel's events as perf records them and `perf data convert --to-ctf` writes them: a real recording, judged by perf's own tables.
. "$SRCDIR/tests/cli/lib.sh"
recorded=$TRACETOOL_DATA/recorded

run 0 import -q --db perf.db "$recorded/perf-sched.tar.gz" &&
    python3 "$SRCDIR/tests/oracles/perf_sched.py" perf.db "$recorded/perf-sched.tsv" >out 2>err &&
    has out 'block 13 delay 100 instant 210 irq 13 run 100 softirq 99'
result $? 'states of threads, interrupts, block requests and the threads of events are what perf says'

run 0 breakdown --show states --db perf.db --format csv
[ -s out ] || [ -s err ]
result $? 'states without operations are told'
finish
