#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# tracetool pi record --profile of a real SYCL runtime: Python with dpctl and a device, $TRACETOOL_SYCL_PYTHON or python3.
. "$SRCDIR/tests/cli/lib.sh"

python=${TRACETOOL_SYCL_PYTHON:-python3}
if ! "$python" -c 'import dpctl; dpctl.SyclQueue()' 2>/dev/null; then
    echo '1..0 # SKIP there is no Python with dpctl and a device here'
    exit 0
fi
cat >copies.py <<'PYTHON'
import sys
import dpctl
import dpctl.memory
asks = len(sys.argv) > 1
queue = dpctl.SyclQueue(property=['enable_profiling'] if asks else [])
there, back = dpctl.memory.MemoryUSMDevice(4096, queue=queue), bytearray(4096)
for i in range(20):
    event = queue.memcpy_async(there, bytes([i]) * 4096, 4096)
    event.wait()
    if asks:
        print('TIMES', event.profiling_info_start, event.profiling_info_end)
queue.memcpy(back, there, 4096)
print(back[0], back[-1])
PYTHON
cat >times.py <<'PYTHON'
import struct, sys
data, at = open(sys.argv[1], 'rb').read(), 64
while at + 8 <= len(data) and (size := struct.unpack_from('<I', data, at)[0]) > 0:
    if struct.unpack_from('<HH', data, at + 4) == (5, 0):
        _, which, result, queued, submitted, begin, end = struct.unpack_from('<QIi4Q', data, at + 8)
        assert which == 15 and result == 0 and queued <= submitted <= begin <= end
        print(begin, end)
    at += size
PYTHON
run 0 pi record --profile -o own "$python" -- copies.py asks && awk '/^TIMES/ { print $2, $3 }' out >told.txt &&
    [ "$(wc -l <told.txt)" = 20 ] && python3 times.py own/main.ttpi | head -n 20 | same - told.txt
result $? 'the recorder gets the numbers that the program gets'
"$python" copies.py >direct.txt
run 0 pi record --profile -o run "$python" -- copies.py && same out direct.txt && has err '; 0 were not to be had'
result $? 'a program that does not ask prints the same'
run 0 --db run.db import run && run 0 --db run.db query --format csv "SELECT count(*) FROM event WHERE pid LIKE '%device%' AND dur_ns > 0" &&
    tail -n +2 out >count.txt && echo 21 | same - count.txt
result $? 'and has a row of the device for each copy'
finish
