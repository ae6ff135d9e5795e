#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What ran on the device, by the times that the program asked for; it prints them itself.
. "$SRCDIR/tests/cli/lib.sh"
. "$SRCDIR/tests/pi-host/lib.sh"

export PI_HOST_TIMES=1
run 0 pi record -o times "$program" -- --times --threads 2 && sort out | sed -n 's/^kernel //p' >told.txt
[ "$(wc -l <told.txt)" -eq 3 ]
result $? 'the program prints the times of three kernels'
run 0 --db times.db import times && has err 'times of the device are right within '
result $? 'how well the clocks are compared is told'
awk '{ printf "%.0f\n", $2 - $1 }' told.txt | sort -n >durations.txt
run 0 --db times.db query --format csv "SELECT dur_ns FROM event WHERE pid LIKE '%device%' AND op_cat = 'COMP' AND op_name = 'vector_add' ORDER BY dur_ns" &&
    tail -n +2 out | same - durations.txt
result $? 'a span for each, as long as the program was told'
# The device is 7 s ahead; a kernel begins when it was put into its queue and ends while somebody waits for it.
run 0 --db times.db query --format csv "SELECT count(*) FROM event d JOIN flow f ON f.to_event = d.id AND f.kind = 'launch'
    JOIN event l ON l.id = f.from_event AND l.op_name = 'piEnqueueKernelLaunch'
    JOIN event w ON w.pid = l.pid AND w.tid = l.tid AND w.op_name = 'piEventsWait'
    WHERE d.pid LIKE '%device%' AND d.ts_ns BETWEEN l.ts_ns AND l.ts_ns + l.dur_ns + 100000
    AND d.ts_ns + d.dur_ns BETWEEN w.ts_ns AND w.ts_ns + w.dur_ns" && tail -n +2 out >count.txt && echo 3 | same - count.txt
result $? 'on the clock of the calls, after their launch and within the wait'
run 0 --db times.db kernels && has out '3 kernels in' && has out 'vector_add'
result $? 'kernels'
run 0 pi record -o one "$program" -- --times && run 0 --db one.db import one && run 0 --db one.db critical-path &&
    has out '1 launch, 1 wait of the host' && has out 'COMP.vector_add'
result $? 'the critical path leads through the device'
run 0 pi record -o plain "$program" && run 0 --db plain.db import plain &&
    run 0 --db plain.db query --format csv "SELECT count(*) AS n FROM process" && tail -n +2 out >count.txt && echo 1 | same - count.txt
result $? 'without times there is no device'
finish
