#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# tracetool pi record --profile: the recorder asks Unified Runtime and PI for the times of commands, and the program sees
# nothing of it. The adapter counts its events, and has a clock of its own.
. "$SRCDIR/tests/cli/lib.sh"
# shellcheck source=tests/cli/readers-lib.sh
. "$SRCDIR/tests/cli/readers-lib.sh"
. "$SRCDIR/tests/pi-host/lib.sh"

ur=$BUILDDIR/tests/pi-host/ur-loader
export UR_HOST_COUNT=1

# What the records of kind TIMES say: FILE... -> "instance which result begin end" a line, or with --counts how many have
# times, how many of the others are of which reason.
cat >times.py <<'PYTHON'
import collections, glob, struct, sys
counts, lines = collections.Counter(), []
for path in sorted(glob.glob(sys.argv[-1] + '/*.ttpi')):
    data, at = open(path, 'rb').read(), 64
    while at + 8 <= len(data):
        size, kind, n = struct.unpack_from('<IHH', data, at)
        if size == 0:
            break
        if kind == 5 and n == 0:
            instance, which, result, _, _, begin, end = struct.unpack_from('<QIi4Q', data, at + 8)
            counts['times' if which == 15 else result] += 1
            lines.append((instance, begin, end))
        at += size
if sys.argv[1] == '--counts':
    print(*(f'{key} {n}' for key, n in sorted(counts.items(), key=str)))
else:
    for line in sorted(lines):
        print(*line)
PYTHON

balanced() { # FILE : the adapter says that each event is released as often as it was made and retained
    awk '/^adapter:/ { found = 1; bad = $2 + $4 != $6 || $8 != 0 } END { exit !found || bad }' "$1"
}

# -- a program that asks for times itself: the recorder has the same
run 0 pi record --profile -o own "$ur" -- --times && cp out own.txt && has err 'asked for the times of 7 commands of devices; 0 were not to be had' && balanced err
result $? 'a program that asks itself'
awk '/^kernel/ { print $2, $3 }' own.txt >told.txt
python3 times.py own | awk '{ print $2, $3 }' >asked.txt
[ -s told.txt ] && grep -qxF "$(cat told.txt)" asked.txt
result $? 'the recorder gets the numbers that the program gets'

# -- a program that does not
"$ur" --ask >direct.txt 2>direct.err && balanced direct.err && has direct.txt 'flags 1, 1 references' 'no times: 17, 1 3'
result $? 'the program alone: its queue takes no times'
run 0 pi record --profile -o run "$ur" -- --ask && same out direct.txt && balanced err && has err 'recorded 33 calls of 1 threads'
result $? 'recorded with --profile: its queue, its events and its questions are answered as before'
run 0 pi record -o plain "$ur" -- --ask && run 0 pi print plain && sed 's/^!* *[0-9]* *[0-9.]* *[0-9.]* *//; s/0x[0-9a-f]*/ADDRESS/g' out >plain.txt &&
    run 0 pi print run && sed 's/^!* *[0-9]* *[0-9.]* *[0-9.]* *//; s/0x[0-9a-f]*/ADDRESS/g' out | same - plain.txt
result $? 'the recorded calls are those that the program made'
run 0 --db run.db import run && has err 'times of 7 commands of devices are what the recorder asked for (--profile)' 'times of the device are right within '
result $? 'imported'
# The program's seven commands are six copies and a kernel; each row lasts as long as the recorder was told.
run 0 --db run.db query --format csv "SELECT dur_ns FROM event WHERE pid LIKE '%device%' ORDER BY dur_ns" && tail -n +2 out >rows.txt &&
    python3 times.py run | awk '{ printf "%.0f\n", $3 - $2 }' | sort -n | same - rows.txt
result $? 'a row of the device for each command, as long as the adapter says'
run 0 --db run.db query --format csv "SELECT count(*) FROM event d JOIN flow f ON f.to_event = d.id AND f.kind = 'launch'
    JOIN event l ON l.id = f.from_event AND l.op_name LIKE 'urEnqueue%' WHERE d.pid LIKE '%device%' AND d.ts_ns >= l.ts_ns" &&
    tail -n +2 out >count.txt && echo 7 | same - count.txt
result $? 'each after the call that put it into its queue'
run 0 --db run.db kernels && has out '1 kernel in' && has out 'multiply'
result $? 'kernels'
run 0 --db plain.db import plain && run 0 --db plain.db query --format csv "SELECT count(*) AS n FROM process" && tail -n +2 out >count.txt && echo 1 | same - count.txt
result $? 'without --profile there is no device'
run 0 pi record --profile -o none "$ur" -- --no-properties --ask && has out 'flags 0, 1 references' && balanced err && has err 'of 7 commands'
result $? 'a queue that is made without properties'

UR_HOST_NO_TABLES=1 run 0 pi record --profile -o within "$ur" -- --ask && same out direct.txt && balanced err && has err 'of 7 commands of devices; 0 were'
result $? 'a loader without tables of its own: the handles lead to the functions of the adapter'

# -- the device's clock: the adapter's runs so many parts of a million faster, from a place 7 s ahead
cat >clock.py <<'PYTHON'
import struct, subprocess, sys
directory, ppm, database, tool = sys.argv[1], int(sys.argv[2]), sys.argv[3], sys.argv[4]
ask = lambda sql: [line.split(',') for line in subprocess.run([tool, '--db', database, 'query', '--format', 'csv', sql],
                                                             capture_output=True, text=True, check=True).stdout.splitlines()[1:]]
data, at, told = open(directory + '/main.ttpi', 'rb').read(), 64, []
zero, = struct.unpack_from('<Q', data, 16)
host = lambda device: (device - 7000000000) * 1000000 // (1000000 + ppm) - zero
while at + 8 <= len(data) and (size := struct.unpack_from('<I', data, at)[0]) > 0:
    if struct.unpack_from('<HH', data, at + 4) == (5, 0):
        told.append([host(time) for time in struct.unpack_from('<2Q', data, at + 40)])
    at += size
rows = [(int(a), int(a) + int(d)) for a, d in ask("SELECT ts_ns, dur_ns FROM event WHERE pid LIKE '%device%' ORDER BY ts_ns")]
(error,), = ask("SELECT value FROM metadata WHERE key = 'device_clock.error_ns'")
(rate,), = ask("SELECT value FROM metadata WHERE key = 'device_clock.rate_ppm'")
assert len(rows) == len(told) >= 10, (len(rows), len(told))
off = max(abs(x - y) for row, times in zip(rows, sorted(told)) for x, y in zip(row, times))
assert off <= int(error) + 1 <= 100000, (off, error)
assert abs(float(rate) - ppm) <= 0.01 * abs(ppm), rate
print('right')
PYTHON
for ppm in 20000 -20000 500 0; do
    UR_HOST_DRIFT=$ppm run 0 pi record --profile -o "drift$ppm" "$ur" -- --events 6 --pause 40 && run 0 --db "drift$ppm.db" import "drift$ppm" &&
        python3 clock.py "drift$ppm" "$ppm" "drift$ppm.db" "$TRACETOOL" | grep -qx right
    result $? "a clock that runs $ppm ppm faster: all rows are right within the error that is told"
done
run 0 --db drift20000.db info && has out 'device_clock.readings: ' 'device_clock.error_ns: '
result $? 'info tells how well it is known'
UR_HOST_BUG=no-clock run 0 pi record --profile -o no-clock "$ur" && run 0 --db no-clock.db import no-clock && has err 'times of the device are right within ' &&
    run 0 --db no-clock.db query --format csv "SELECT count(*) AS n FROM metadata WHERE key = 'device_clock.readings'" && printf 'n\n0\n' | same - out
result $? 'a device whose clock cannot be read: its commands bound it'
UR_HOST_NO_TABLES=1 UR_HOST_DRIFT=20000 run 0 pi record --profile -o inner "$ur" -- --events 6 --pause 40 && run 0 --db inner.db import inner &&
    python3 clock.py inner 20000 inner.db "$TRACETOOL" | grep -qx right
result $? 'a loader without tables: the adapter has them'

# -- replayed and driven as ever
run 0 pi replay run && has err 'replayed 33 calls, all as recorded'
result $? 'replay takes no notice of the times'
run 0 pi drive own --plugin "$BUILDDIR/tests/pi-host/.libs/libur_adapter_host.so" && has err 'drove 34 calls'
result $? 'drive takes no notice of them'

# -- many events: no more than 16384 are held, and none is lost
run 0 pi record --profile -o many "$ur" -- --events 100000 && balanced err && has err 'of 100007 commands of devices; 0 were not'
result $? '100,000 events of a program that keeps them'
run 0 pi record --profile -s -o late "$ur" -- --late 100000 && has out '5050000 copied late' && balanced err
result $? '100,000 copies that one call waits for'
[ "$(python3 times.py --counts late)" = 'times 16390 -1 83617' ]
result $? 'the oldest are let go when 16384 are held, for nothing is waited for'
run 0 --db late.db import late && has err 'times of 16390 commands of devices' '83617 commands of devices have no times: they had not ended when the recorder had to let them go'
result $? 'import says how many are missing'
run 0 --db late.db info && has out 'device_times.asked_by_recorder: 16390' 'device_times.missing: 83617 had not ended'
result $? 'info does, too'
run 0 pi record --profile -o unfinished "$ur" -- --unfinished && has err 'of 8 commands of devices; 2 were not to be had'
result $? 'commands that nobody waits for are not waited for'

UR_HOST_BUG=crash run 134 pi record --profile -o crashed "$ur" && run 0 --db crashed.db import crashed && has err 'times of 1 commands of devices' \
    '2 commands of devices have no times: they were never asked'
result $? 'a process that dies: its commands are counted'

# -- PI: its plugin's table leads through the recorder
export PI_HOST_TIMES=1 PI_HOST_COUNT=1
whole() { # FILE : the plugin says that each event is released as often as it was made and retained
    awk '/^plugin:/ { found = 1; bad = $2 + $4 != $6 || $8 != 0 } END { exit !found || bad }' "$1"
}
"$program" --plain-queue --ask >pi.txt 2>pi.err && whole pi.err && has pi.txt 'flags 0, 1 references, times -7 1'
result $? 'PI: the program alone: its queue takes no times'
run 0 pi record --profile -o pi "$program" -- --plain-queue --ask && same out pi.txt && whole err && has err 'recorded 45 calls of 1 threads' \
    'asked for the times of 3 commands of devices; 0 were not to be had'
result $? 'PI: recorded with --profile its queue, its events and its questions are answered as before'
run 0 pi record -o pi-plain "$program" -- --plain-queue --ask && run 0 pi print pi-plain && sed 's/^!* *[0-9]* *[0-9.]* *[0-9.]* *//; s/0x[0-9a-f]*/ADDRESS/g' out >pi-plain.txt &&
    run 0 pi print pi && sed 's/^!* *[0-9]* *[0-9.]* *[0-9.]* *//; s/0x[0-9a-f]*/ADDRESS/g' out | same - pi-plain.txt
result $? 'PI: the recorded calls are those that the program made'
run 0 --db pi.db import pi && has err 'times of 3 commands of devices are what the recorder asked for (--profile)' &&
    run 0 --db pi.db query --format csv "SELECT dur_ns FROM event WHERE pid LIKE '%device%' ORDER BY dur_ns" && tail -n +2 out >pi-rows.txt &&
    python3 times.py pi | awk '{ printf "%.0f\n", $3 - $2 }' | sort -n | same - pi-rows.txt
result $? 'PI: a row of the device for each command'
run 0 pi record --profile -o pi-own "$program" -- --times --threads 3 && sed -n 's/^kernel //p' out | sort >pi-told.txt && whole err &&
    python3 times.py pi-own | awk '{ print $2, $3 }' >pi-asked.txt && [ "$(grep -cxFf pi-told.txt pi-asked.txt)" = 4 ]
result $? 'PI: the recorder gets the numbers that the program gets, in four threads'
run 0 pi replay pi && has err 'replayed 45 calls, all as recorded'
result $? 'PI: replay takes no notice of the times'
run 0 pi record --profile -o pi-old "$program" -- --old && has err 'asked for the times of 0 commands'
result $? 'PI of a version between releases: no table is changed'
PI_HOST_BUG=no-times run 80 pi record --profile -o pi-refused "$program" -- --plain-queue && has err 'a queue could not be made with times'
result $? 'PI: a plugin that makes no such queues'
unset PI_HOST_TIMES PI_HOST_COUNT

# -- command buffers: they take times where their queue does
run 0 pi record --profile -o buffer "$ur" -- --command-buffer && has out 'command buffer done' && has err '; 0 were not to be had' &&
    run 0 --db buffer.db import buffer && run 0 --db buffer.db query --format csv "SELECT count(*) FROM event WHERE pid LIKE '%device%' AND raw_name = 'command buffer'" && has out 1
result $? 'a command buffer that takes no times, in a queue that is made to'
run 0 pi replay buffer && has out 'command buffer done' && has err 'all as recorded'
result $? 'and what it was made with is recorded as the program has it'
UR_HOST_BUG=old-buffers run 93 pi record --profile -o old-buffer "$ur" -- --command-buffer && has err "a command buffer could not be put into a queue with times" "record without '--profile'"
result $? 'a driver that refuses that is told of'
UR_HOST_BUG=no-buffer-times run 93 pi record --profile -o no-buffer "$ur" -- --command-buffer && has err 'a command buffer could not be made with times'
result $? 'so is one that makes no buffers with times'
UR_HOST_NO_TABLES=1 UR_HOST_BUG=bare-handles run 0 pi record --profile -o bare-buffer "$ur" -- --command-buffer && has out 'command buffer done' && has err "the runtime's functions of events are not found"
result $? 'where no queue is made to take times, no buffer is'
UR_HOST_BUG=old-buffers run 0 pi record -o plain-buffer "$ur" -- --command-buffer && has out 'command buffer done'
result $? 'and works without times'

# -- where it cannot be
run 2 pi record --profile --format g3 -o g3 "$ur" && has err "'--profile' needs '--format native'" && [ ! -e g3 ]
result $? 'another format'
UR_HOST_BUG=no-times run 93 pi record --profile -o refused "$ur" && has err 'a queue could not be made with times'
result $? 'a runtime that makes no such queues'

# -- records of times that are wrong
python3 - run <<'PYTHON'
import os, shutil, struct, sys
data, at, n = bytearray(open(sys.argv[1] + '/main.ttpi', 'rb').read()), 64, 0
changes = [(8, b'\xff' * 8), (16, b'\0' * 4), (16, b'\xff' * 4), (24, b'\xff' * 32), (24, b'\0' * 32), (40, struct.pack('<QQ', 9, 1)), (6, b'\x09\0')]
while at + 8 <= len(data) and (size := struct.unpack_from('<I', data, at)[0]) > 0:
    if struct.unpack_from('<HH', data, at + 4) == (5, 0):
        for place, what in changes:
            os.makedirs(f'wrong-{n}')
            with open(f'wrong-{n}/main.ttpi', 'wb') as file:
                file.write(data[:at + place] + what + data[at + place + len(what):])
            n += 1
        break
    at += size
at, n = 64, 0
while at + 8 <= len(data) and (size := struct.unpack_from('<I', data, at)[0]) > 0:
    if struct.unpack_from('<HH', data, at + 4) == (5, 2):
        for place, what in [(8, b'\xff' * 8), (24, b'\xff' * 32), (24, b'\0' * 32), (40, struct.pack('<QQ', 9, 1)),
                            (24, struct.pack('<QQQQ', 1 << 60, 0, 1 << 60, 1 << 60)), (24, struct.pack('<QQQQ', 1, 0, 1 << 60, 1 << 60))]:
            os.makedirs(f'clock-{n}')
            with open(f'clock-{n}/main.ttpi', 'wb') as file:
                file.write(data[:at + place] + what + data[at + place + len(what):])
            n += 1
    last, at = at, at + size
at = last
os.makedirs('wrong-short')
with open('wrong-short/main.ttpi', 'wb') as file:
    file.write(data[:at] + struct.pack('<IHHQ', 16, 5, 0, 1) + data[at + 56:])
PYTHON
lost=0 tried=0
for directory in wrong-?; do
    tried=$((tried + 1))
    run 0 --db "$directory.db" import "$directory" || lost=$((lost + 1))
done
[ "$tried" = 7 ] && result "$lost" 'times that are none, of a call that is not there'
lost=0 tried=0
for directory in clock-?; do
    tried=$((tried + 1))
    run 0 --db "$directory.db" import "$directory" || lost=$((lost + 1))
done
[ "$tried" -ge 6 ] && result "$lost" 'readings of a clock that are none'
run 1 --db short.db import wrong-short && has err 'a record is too short for its kind'
result $? 'a record that is too short'
# -- times that are read ahead
same_with_readers 'times of a few commands' 0 run
same_with_readers 'times of many' 0 many
same_with_readers 'times of a program that left some undone' 0 unfinished
same_with_readers 'times of one that crashed' 0 crashed
finish
