#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# tracetool pi replay and drive of calls of the Unified Runtime: a program with a loader, and an adapter that computes.
. "$SRCDIR/tests/cli/lib.sh"
. "$SRCDIR/tests/pi-host/lib.sh"

ur=$BUILDDIR/tests/pi-host/ur-loader
"$ur" >direct.txt && has direct.txt 'Loaded multiplier'
result $? 'the program alone'
run 0 pi record -o run "$ur" && has err 'recorded 30 calls of 1 threads' && same out direct.txt
result $? 'recorded: the program prints the same'
mkdir -p empty
(
    # Without the adapter and the framework.
    LD_LIBRARY_PATH=$scratch/empty run 0 pi replay run && has err 'replayed 30 calls, all as recorded' && same out direct.txt
)
result $? 'replayed without the adapter: what was copied without blocking is there, and rectangles are'
run 1 pi replay run "$ur" -- --factor 4 && has err "record 14: pArgs is one with another 'value': at byte 0 is 0x4, not 0x3" '1 had other arguments'
result $? 'another argument of a kernel, in a structure behind a pointer'
run 1 pi replay run "$ur" -- --first 2 && has err 'record 12: the program hands other contents to the device, in pSrc of urEnqueueUSMMemcpy: byte 0 is 0x02, expected 0x01' \
    '2 had other arguments'
result $? 'other contents'
run 1 pi replay run "$ur" -- --swap && has err 'record 12: pDst is' "record 14: pArgs is one with another 'pointer'" 'record 15: pSrc is'
result $? 'another memory of the device'
run 1 pi replay run "$ur" -- --other-event && has err 'record 14: phEventWaitList is'
result $? 'another dependency'
run 0 pi replay run "$ur" -- --gap 9 && has err 'replayed 30 calls, all as recorded' && has out '40 41 9 42 43'
result $? 'between the rows of a rectangle is what the program has there'
run 1 pi replay run "$ur" -- --row 50 && has err 'record 16: the program hands other contents to the device, in pSrc of urEnqueueMemBufferWriteRect: byte 0 is 0x32, expected 0x28 (4 of 5 bytes differ)'
result $? 'other rows'
# Many releases one after the other are not looked through again for each.
run 0 pi record -o events "$ur" -- --events 3000 && run 0 pi replay events && has err 'replayed 6030 calls, all as recorded'
result $? 'the events of thousands of commands, released at the end'
# Each has its contents of the moment of the wait: they are written over after it.
run 0 pi record -o late "$ur" -- --late 100 && has out '5050 copied late' && run 0 pi replay late && has out '5050 copied late' && has err 'all as recorded'
result $? 'many copies that one call waits for'
# -- drive: the adapter without the program
adapter=$BUILDDIR/tests/pi-host/.libs/libur_adapter_host.so
# -- images, and rows of USM
run 0 pi record -o copies "$ur" -- --copies --gap 3 && has out 'image: 10 11 12' 'rows: 10 11 12' && cp out copied.txt
result $? 'images and rows are recorded'
run 0 pi replay copies && same out copied.txt && has err 'replayed 45 calls, all as recorded' && unsaid 'not recorded'
result $? 'and replayed'
run 0 pi replay copies "$ur" -- --copies --gap 5 && has err 'all as recorded' && has out 'rows: 10 11 12 13 14 15 5 5 19'
result $? 'between the rows of an image, too, is what the program has there'
run 1 pi replay copies "$ur" -- --copies --gap 3 --pixel 1 && has err '3 had other arguments' 'in pHost of urMemImageCreate: byte 1 is 0x0c, expected 0x0b (1 of 112 bytes differ)' \
    'in pSrc of urEnqueueMemImageWrite: byte 1 is 0x0c, expected 0x0b (1 of 36' 'in pSrc of urEnqueueUSMMemcpy2D: byte 1 is 0x0c, expected 0x0b (1 of 24'
result $? 'other pixels'
run 0 pi drive copies --plugin "$adapter" && has err 'drove 45 calls; all came back as recorded'
result $? 'images are driven'
# -- binaries of programs: in the recording, or, of more than 64 KiB, in a file of their own
for size in 200 200000; do
    run 0 pi record -o "binary$size" "$ur" -- --binary $size --last 7 && run 0 pi replay "binary$size" && has err 'replayed 31 calls, all as recorded'
    result $? "a program of a binary of $size bytes is replayed"
    run 1 pi replay "binary$size" "$ur" -- --binary $size --last 9 &&
        has err "the program hands other contents to the device, in ppBinaries of urProgramCreateWithBinary: byte $((size - 1)) is 0x09, expected 0x07 (1 of $size bytes differ)"
    result $? 'another last byte is told'
    run 1 pi replay "binary$size" "$ur" -- --binary $((size + 1)) --last 7 && has err "pLengths is"
    result $? 'so is another length'
    run 0 pi drive "binary$size" --plugin "$adapter" && has err 'drove 31 calls; all came back as recorded' &&
        { [ $size = 200 ] || [ "$(wc -c <"binary$size/buffers/main_27_1004.mem")" = $((size + 8)) ]; }
    result $? 'the adapter is given it again'
done
cp -r binary200000 cut && truncate -s 5000 cut/buffers/main_27_1004.mem && run 1 pi drive cut --plugin "$adapter" &&
    has out 'urProgramCreateWithBinary: not made: only a part of its input is in the recording'
result $? 'the adapter is not given one that is cut'

run 0 pi record -o addresses "$ur" -- --binary 200 --last 7 --addresses && run 0 pi replay addresses && has err 'replayed 31 calls, all as recorded' &&
    run 1 pi replay addresses "$ur" -- --binary 200 --last 9 --addresses && has err 'in ppBinaries of urProgramCreateWithBinary' '1 had other arguments'
result $? 'a binary of addresses, which are others in each run: the other bytes are compared'
run 0 pi drive run --plugin "$adapter" && has err 'drove 30 calls; all came back as recorded'
result $? 'an adapter is driven through its tables'
UR_HOST_BUG=value run 1 pi drive run --plugin "$adapter" && has out 'record 15, urEnqueueUSMMemcpy: pDst: byte 0 is 0x04, recorded 0x03 (1 of 256 bytes differ)'
result $? 'a wrong result, seen in a copy that does not block'
UR_HOST_BUG=result run 1 pi drive run --plugin "$adapter" && has out 'record 3, urDeviceGetInfo: the result is ERROR_INVALID_VALUE (4), recorded SUCCESS (0)'
result $? 'a call that fails'
UR_HOST_BUG=crash run 1 pi drive run --plugin "$adapter" && has err 'crashed with signal 6 (Aborted) in: thread main, record 14, urEnqueueKernelLaunchWithArgsExp'
result $? 'a crash'
run 1 pi drive run --plugin "$plugin" && has err 'it is neither a loader nor an adapter of the Unified Runtime'
result $? 'a plugin of PI is none of UR'
# A recording that ends early, wherever that is.
lost=$(python3 - run "$TRACETOOL" <<'PYTHON'
import shutil, struct, subprocess, sys
data, at, ends = open(sys.argv[1] + '/main.ttpi', 'rb').read(), 64, []
while at + 8 <= len(data) and (size := struct.unpack_from('<I', data, at)[0]) > 0:
    at += size
    ends.append(at)
shutil.copytree(sys.argv[1], 'ends')
lost = 0 if len(ends) > 60 else 1
for end in ends[:-1]:
    open('ends/main.ttpi', 'wb').write(data[:end])
    ran = subprocess.run([sys.argv[2], 'pi', 'replay', 'ends'], capture_output=True, text=True)
    texts = 'the recording has ended', 'the recorded program died inside', 'made no calls', 'other objects were released'
    lost += ran.returncode != 1 or not any(text in ran.stderr for text in texts)
print(lost)
PYTHON
)
[ "$lost" = 0 ]
result $? 'a recording that ends after any of its records'
# Contents that are longer than the arguments say are read no further: of inputs by the replay, of outputs by the driver.
python3 - run <<'PYTHON'
import os, shutil, struct, sys
data = open(sys.argv[1] + '/main.ttpi', 'rb').read()
at, n = 64, 0
while at + 8 <= len(data) and (size := struct.unpack_from('<I', data, at)[0]) > 0:
    kind, blocks = struct.unpack_from('<HH', data, at + 4)
    block = at + 32 + (struct.unpack_from('<H', data, at + 14)[0] + 7 & ~7 if kind == 2 else 0)
    for _ in range(blocks if kind in (2, 3) else 0):
        had = struct.unpack_from('<I', data, block + 4)[0]
        end = block + 16 + (had + 7 & ~7)
        grown = data[block:block + 4] + struct.pack('<IQ', 500000, 500000) + data[block + 16:block + 16 + had] + bytes([7]) * (500000 - had)
        record = data[at:block] + grown + data[end:at + size]
        directory = f'grown-{"replay" if kind == 2 else "drive"}-{n}'
        shutil.copytree(sys.argv[1], directory)
        with open(directory + '/main.ttpi', 'wb') as file:
            file.write(data[:at] + struct.pack('<I', len(record)) + record[4:] + data[at + size:])
        block, n = end, n + 1
    at += size
PYTHON
lost=0
for directory in grown-replay-*; do
    "$TRACETOOL" pi replay "$directory" >out 2>err
    { has err 'tracetool: replayed 30 calls' && unsaid 'killed by signal'; } || lost=$((lost + 1))
done
result "$lost" 'inputs that are longer than they were'
lost=0
for directory in grown-drive-*; do
    "$TRACETOOL" pi drive "$directory" --plugin "$adapter" >out 2>err
    { has err 'tracetool: drove 30 calls' && unsaid 'crashed'; } || lost=$((lost + 1))
done
result "$lost" 'outputs that are longer than they were'
# A function of PI has a number in its runtime's list, whatever has it among those of UR.
cp -r run mixed
python3 - run/main.ttpi mixed/7.ttpi <<'PYTHON'
import struct, sys
def record(kind, body):
    body += bytes(-len(body) % 8)
    return struct.pack('<IHH', 8 + len(body), kind, 0) + body
with open(sys.argv[1], 'rb') as run, open(sys.argv[2], 'wb') as mixed:
    mixed.write(run.read(64))
    for i in range(1000):
        mixed.write(record(1, struct.pack('<IIBBHBBH3s', i, i, 0, 3, 14, 0, 0, 0, bytes([4, 8, 8])) + b'piPlatformsGet'))
        mixed.write(record(2, struct.pack('<IhHQQ', i, 0, 20, i, 2 * i) + bytes(20)))
        mixed.write(record(3, struct.pack('<iIQQ', 0, 0, i, 2 * i + 1)))
PYTHON
run 1 pi drive mixed --plugin "$adapter" && has out 'thread 7, record 0, piPlatformsGet: not made: the plugin does not have it' && has err '1000 calls were not made' 'drove 30 calls; all that were made came back as recorded'
result $? 'calls of PI in a recording of UR are none of its functions'
finish
