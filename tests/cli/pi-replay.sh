#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# tracetool pi replay and drive: recorded, imported, printed, replayed, driven.
. "$SRCDIR/tests/cli/lib.sh"
. "$SRCDIR/tests/pi-host/lib.sh"

echo 'as it was' >data.txt
arguments='--threads 2 --usm --late --calls 50 --nap 1 --open data.txt'
# shellcheck disable=SC2086
pi_host $arguments | sort >direct.txt
for format in native g3 doc; do
    # shellcheck disable=SC2086
    run 0 pi record -o "run-$format" --format $format "$program" -- $arguments && has err ' of 3 threads'
    result $? "$format: recorded"
    run 0 pi replay "run-$format" && has err 'replayed 301 calls, all as recorded' && sort out | same - direct.txt
    result $? "$format: replayed: the same calls, and the program prints the same"
done
# What is replayed really comes from the recording: without it there is no plugin.
(
    mkdir -p empty
    LD_LIBRARY_PATH=$scratch/empty run 0 pi replay run-native && sort out | same - direct.txt
)
result $? 'no plugin and no framework are needed'
run 0 pi record -o again "$program" -- --map --usm && run 0 pi replay again && has out 'thread 0: 97920'
result $? 'mapped memory'
run 0 pi record -o rect "$program" -- --rect && has out 'middle: fgjk' && run 0 pi print rect && has out 'buffer_offset=[1, 1, 0], host_offset=[0, 0, 0], region=[2, 2, 1]'
result $? 'rectangles are recorded by their places'
run 0 pi replay rect && has out 'middle: fgjk' && has err 'replayed 46 calls, all as recorded'
result $? 'and so are their contents'
run 0 pi record --skip-mem-objects -o rect-only "$program" -- --rect && run 0 pi replay rect-only && has out 'middle: ....' &&
    has err 'replayed 46 calls, all as recorded' && [ "$(grep -c 'results of piEnqueueMemBufferReadRect are not recorded' err)" -eq 1 ]
result $? 'that contents are not recorded is told, once'

# -- rectangles of buffers, images, in two and three dimensions, with room between rows and slices
"$program" --copies --gap 3 >copied.txt && has copied.txt 'rectangle: 0 0 18 19 20' 'image: 10 11 12' 'cube: 10 11 12'
result $? 'what comes back from images'
run 0 pi record -o copies "$program" -- --copies --gap 3 && same out copied.txt
result $? 'images: recorded'
(
    LD_LIBRARY_PATH=$scratch/empty run 0 pi replay copies && same out copied.txt && has err 'replayed 62 calls, all as recorded' && unsaid 'not recorded'
)
result $? 'images: replayed without the plugin'
python3 - "$SRCDIR/tests/oracles/pi-native.py" copies/main.ttpi <<'PYTHON'
import runpy, sys
calls = runpy.run_path(sys.argv[1], run_name='oracle')['calls'](sys.argv[2])
def made(n, width, row, gap=3):
    return bytes(i + 10 if i % row < width else gap for i in range(n))
def held(name, nth, param, after):
    call = [call for call in calls if call[0] == name][nth]
    return [block[3] for block in call[4 if after else 3] if block[0] == param]
# From the first byte that the rectangle has to its last one: where it begins, rows further, and the last row.
assert held('piEnqueueMemBufferWriteRect', 0, 10, False) == [made(21, 4, 7)[:2 * 7 + 1 + 3]]
assert held('piMemImageCreate', 0, 4, False) == [made(120, 32, 40)[:2 * 40 + 4 * 8]]
assert held('piMemImageCreate', 1, 4, False) == []
assert held('piEnqueueMemImageWrite', 0, 7, False) == [made(40, 16, 20)[:20 + 2 * 8]]
assert held('piEnqueueMemImageWrite', 1, 7, False) == [made(64, 24, 32)[:32 + 24]]
assert held('piEnqueueMemImageRead', 0, 7, True) == [made(16, 16, 16) + bytes([3] * 8) + made(36, 36, 36)[20:]]
assert held('piEnqueueMemImageRead', 1, 7, True) == [made(24, 24, 24) + made(64, 64, 64)[32:56]]
PYTHON
result $? 'images: the bytes in the recording are those of the program'
run 0 pi replay copies "$program" -- --copies --gap 5 && has err 'all as recorded' && has out 'image: 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 5 5'
result $? 'images: what lies between rows is no difference'
run 1 pi replay copies "$program" -- --copies --gap 3 --pixel 1 && has err '4 had other arguments' \
    'in ptr of piEnqueueMemBufferWriteRect: byte 9 is 0x14, expected 0x13 (1 of 18 bytes differ)' 'in host_ptr of piMemImageCreate: byte 1 is 0x0c, expected 0x0b (1 of 112 bytes differ)' \
    'record 26: the program hands other contents to the device, in ptr of piEnqueueMemImageWrite: byte 1 is 0x0c, expected 0x0b (1 of 36' 'record 34: the program hands'
result $? 'images: other contents are told'
run 0 pi drive copies --plugin "$plugin" && has err 'drove 62 calls; all came back as recorded'
result $? 'images: driven'
# A rectangle of more than 1 GiB has no contents in the recording, and no memory to write it to.
cp -r copies far && python3 - far/main.ttpi <<'PYTHON'
import struct, sys
data = open(sys.argv[1], 'rb').read()
for pitches in (6, 24, 5, 10), (6, 24, 7, 21):
    assert data.count(struct.pack('<4Q', *pitches)) == 1
    data = data.replace(struct.pack('<4Q', *pitches), struct.pack('<4Q', *pitches[:2], 1 << 31, 1 << 32))
open(sys.argv[1], 'wb').write(data)
PYTHON
run 1 pi drive far --plugin "$plugin" && has err 'drove 58 calls' '4 calls were not made' && has out 'piEnqueueMemBufferReadRect: not made: how much memory it means is not known' \
    'piEnqueueMemBufferWriteRect: not made: how much memory it means is not known'
result $? 'driven: rectangles that are too large are not made'
cp -r run-g3 short && find short/buffers -name '*.mem' -exec truncate -s 20 {} +
run 0 pi replay short && has err "cannot read all of '" 'which piEnqueueMemBufferRead returned'
result $? 'contents that are cut are told'
find short/buffers -name '*.mem' -exec sh -c 'rm "$1" && mkfifo "$1"' - {} \;
run 0 pi replay short && has err "cannot read all of '"
result $? 'and a pipe in their place keeps nobody waiting'
# A recording that was changed gives another sum.
cp -r run-native changed
python3 - changed/main.ttpi <<'PYTHON'
import struct, sys
data = bytearray(open(sys.argv[1], 'rb').read())
wanted = struct.pack('<256i', *(3 * i for i in range(256)))
at = data.index(wanted)
data[at:at + 4] = struct.pack('<i', 1000)
open(sys.argv[1], 'wb').write(data)
PYTHON
run 0 pi replay changed && has out 'thread 0: 98920'
result $? 'what the program reads is what the recording says'
run 0 pi record -o named "$program" -- --threads 2 --deep 7 --rename && run 0 pi replay named && has err 'all as recorded'
result $? 'threads with long and changed names find their files'
many=${TEST_CALLS:-$(often 100000)}
run 0 pi record -o big "$program" -- --threads 8 --calls "$many" && run 0 pi replay big &&
    has err "replayed $((9 * many + 370)) calls, all as recorded"
result $? "8 threads of $many calls"

# -- the replayed run records the same calls
run 0 --db rec.db import run-native && run 0 --db rec.db query --format csv "SELECT count(*) FROM event" && has out 301
result $? 'imported: as many events as calls'

# -- what differs is told
run 1 pi replay run-native "$program" -- --threads 2 --usm --late --calls 50 --nap 1 --other && has err 'thread main, record 17: the program calls piDeviceRetain, expected piextUSMHostAlloc(result_ptr='
result $? 'another function ends it, with the record and the expected call'
run 1 pi replay run-native "$program" -- --threads 2 --usm --late --calls 51 --nap 1 && has err 'the program calls piKernelSetArg, expected piMemBufferCreate('
result $? 'one call too many'
run 1 pi replay run-native "$program" -- --threads 1 --usm --late --calls 50 --nap 1 && has err 'thread main_1: 100 of 100 recorded calls were not made'
result $? 'a thread that is missing'
run 1 pi replay run-native "$program" -- --threads 3 --usm --late --calls 50 --nap 1 && has err ': the program calls piPlatformsGet, but this thread made no calls' && grep -q 'thread main_[012]: the program calls' err
result $? 'a thread too many'
cp -r run-native edited
python3 - edited/main.ttpi <<'PYTHON'
import sys
data = open(sys.argv[1], 'rb').read()
assert data.count(b'-cl-std=CL2.0') == 1
open(sys.argv[1], 'wb').write(data.replace(b'-cl-std=CL2.0', b'-cl-std=CL3.0'))
PYTHON
run 1 pi replay edited && has err 'record 14: options is "-cl-std=CL2.0", expected "-cl-std=CL3.0" in piProgramBuild(' '1 had other arguments'
result $? 'another argument is told, expected and actual, with the record; the run goes on'
run 137 pi record -o killed "$program" -- --die 9
run 137 pi replay killed "$program" -- --die 9
result $? 'the exit status of a program that is killed'
PI_HOST_BUG=crash run 139 pi record -o crash "$program"
run 1 pi replay crash && has err 'the recorded program died inside this call of piEnqueueKernelLaunch'
result $? 'a recording that ends inside a call'

# -- what the program hands to the device
run 1 pi replay run-native "$program" -- --threads 2 --usm --late --calls 50 --nap 1 --shift 3 &&
    has err 'thread main, record 74: the program hands other contents to the device, in host_ptr of piMemBufferCreate: byte 0 is 0x03, expected 0x00 (259 of 1024 bytes differ)' '3 had other arguments'
result $? 'other input is told, though every call is the same'
run 0 pi record -o contents "$program" -- --usm && sed -i 's/from the host, thread 0/from the HOST, thread 0/' contents/main.ttpi &&
    run 1 pi replay contents && has err 'in src_ptr of piextUSMEnqueueMemcpy: byte 9 is 0x68, expected 0x48 (4 of 64 bytes differ)' '1 had other arguments'
result $? 'contents of USM, before any kernel'

# -- as runtimes of 2023 and 2024 are: no variable names another plugin, what is traced asks more, the device has threads
run 0 pi record -o real "$program" -- --real --threads 2 && [ -e real/main_2.ttpi ] && sort out >direct-real.txt
(
    mkdir -p only
    cp -P "$BUILDDIR"/tests/pi-host/.libs/libxptifw.so* only
    LD_LIBRARY_PATH=$scratch/only run 0 pi replay real && sort out | same - direct-real.txt && has err 'all as recorded'
)
result $? 'a runtime that loads its plugin by name, with threads of the device'
run 1 pi drive real --plugin "$plugin" && has err '2 calls were not made' && [ "$(wc -l <out)" -eq 2 ] &&
    has out 'piextProgramCreateWithNativeHandle: not made: it uses a native handle that no recorded call returned' 'piProgramRelease: not made'
result $? 'driven: addresses in structures, and what the program made without the plugin'
run 0 pi record -o plain "$program" && run 0 pi replay plain "$program" -- --late-release && has err 'all as recorded' &&
    run 1 pi replay plain "$program" -- --no-release && has err '1 recorded releases of objects were not made' '1 more were recorded'
result $? 'a release at another place is the same, one that is missing is not'

run 1 pi replay real "$program" -- --real --threads 2 --shift 9 && has err 'arg_value is [0x5, 0x7f' ', 0x9], expected [0x5, 0x7f'
result $? 'of a structure with room between its members the other members are compared'

# -- packed
run 0 pi pack run-native -o run.pack
echo 'as it is now' >data.txt
run 0 pi replay run-native && has out 'as it was' && sort out | same - direct.txt
result $? 'a packed recording runs its own program with its own files'
run 0 pi replay run.pack && sort out | same - direct.txt
result $? 'and so does the archive'
cp "$program" moved-program && run 0 pi record -o moved ./moved-program -- --open data.txt && run 0 pi pack moved && rm moved-program data.txt
run 0 pi replay moved && has out 'as it is now'
result $? 'even when program and file are gone'
filled run.pack && [ -z "$(find "${TMPDIR:-/tmp}" -maxdepth 1 -name 'tracetool-replay-*' -user "$(id -u)" -newer direct.txt)" ]
result $? 'nothing is left in the directory for temporary files'
run 1 pi replay run-g3 no-such-program && has err 'no such program'
result $? 'a program that is not there'
refuses 1 nowhere pi replay nowhere
result $? 'a recording that is not there'
run 1 pi replay run-g3 true && has err 'made no PI calls'
result $? 'a program without PI'

# -- driven
for options in '--late' '--map' '--pass --late' ''; do
    # shellcheck disable=SC2086
    run 0 pi record -o drive --override "$program" -- --threads 4 --nap 20 --usm --calls 5 $options
    PI_HOST_BUG='' run 0 pi drive drive --plugin "$plugin" && [ ! -s out ] && has err 'all came back as recorded'
    result $? "driven: the plugin that was recorded ($options)"
    PI_HOST_BUG=value run 1 pi drive drive --plugin "$plugin" && has out 'byte 28 is 0x' && [ "$(wc -l <out)" -eq 5 ]
    result $? "driven: a plugin that computes one element wrong, in each of five threads ($options)"
done
run 0 pi drive rect --plugin "$plugin" && has err 'drove 46 calls; all came back as recorded'
result $? 'driven: copies of rectangles'
PI_HOST_BUG=result run 1 pi drive drive --plugin "$plugin" && has out 'thread main, record 26, piKernelSetArg: the result is INVALID_ARG_INDEX (-49), recorded SUCCESS (0)'
result $? 'driven: a plugin that refuses a call'
# In a build with sanitizers the signal is the program's to handle, too.
unhandled=handle_segv=0:allow_user_segv_handler=1
PI_HOST_BUG=crash ASAN_OPTIONS=$unhandled TSAN_OPTIONS=${TSAN_OPTIONS:-}:$unhandled run 1 pi drive drive --plugin "$plugin" && has err 'crashed with signal 11 (Segmentation fault) in: thread main' 'piEnqueueKernelLaunch'
result $? 'driven: a plugin that crashes'
run 0 pi record -o passed "$program" -- --pass && PI_HOST_BUG=order run 1 pi drive passed --plugin "$plugin" && has out 'thread main_0' 'piEnqueueMemBufferRead'
result $? 'driven: a bug that only shows when two threads share a kernel'
run 1 pi drive crash --plugin "$plugin" && has out 'it returns SUCCESS (0); the recorded program died in it'
result $? 'driven: a call that never came back'
PI_HOST_BUG=crash run 1 pi drive crash --plugin "$plugin" && has err 'record 25, piEnqueueKernelLaunch'
result $? 'driven: the crash that was recorded happens again, without the program'
run 0 pi drive big --plugin "$plugin" && has err "drove $((9 * many + 370)) calls; all came back as recorded"
result $? "driven: 8 threads of $many calls"
run 0 pi record -o small --skip-mem-objects "$program" && run 1 pi drive small --plugin "$plugin" && has out 'not made: its input is not in the recording'
result $? 'driven: without the contents of memory calls cannot be made, and that is said'
run 1 pi drive run-g3 --plugin "$plugin" && has err 'only the directory of a native recording'
result $? 'driven: another format'
run 1 pi drive big --plugin libm.so.6 && has err 'undefined symbol: piPluginInit'
result $? 'driven: a library that is no plugin'
refuses 1 nowhere.so pi drive big --plugin ./nowhere.so && refuses 2 '--plugin' pi drive big &&
    refuses 2 'one recording is wanted' pi drive --plugin "$plugin"
result $? 'driven: words that are missing or wrong'

# Damage of the recording is a difference; how many calls are lost is counted here by the description of the files.
run 0 pi record -o whole --override "$program" -- --threads 2 --usm && python3 - <<'PYTHON'
import os, shutil, struct
def calls(path):
    data, at, begins = open(path, "rb").read(), 64, []
    while at + 8 <= len(data) and (size := struct.unpack_from("<I", data, at)[0]) > 0:
        if struct.unpack_from("<H", data, at + 4)[0] == 2:
            begins.append(at)
        at += size
    return data, begins
data, begins = calls("whole/main.ttpi")
half = begins[len(begins) // 2]
lost = len(begins) - len(begins) // 2
def spoil(name, lost, place, form, value, file="main.ttpi"):
    shutil.copytree("whole", name)
    bytes = bytearray(open(f"{name}/{file}", "rb").read())
    if form:
        struct.pack_into(form, bytes, place, value)
    else:
        del bytes[place:]
    open(f"{name}/{file}", "wb").write(bytes)
    with open("spoilt", "a") as out:
        print(name, lost, file.split(".")[0], file=out)
spoil("size-odd", lost, half, "<I", struct.unpack_from("<I", data, half)[0] + 4)
spoil("size-large", lost, half, "<I", 1 << 30)
spoil("size-none", lost, half, "<I", 0)
spoil("no-function", 1, half + 8, "<I", 77)
spoil("arguments", lost, half + 14, "<H", 0xfff0)
spoil("cut", 1, half + 20, None, None)
spoil("header", len(calls("whole/main_0.ttpi")[1]), 0, "<B", 120, "main_0.ttpi")
PYTHON
status=$?
[ $status -eq 0 ] && [ "$(wc -l <spoilt)" -eq 7 ]
result $? 'recordings to damage, all of them'
while read -r name lost thread; do
    run 1 pi drive "$name" --plugin "$plugin" && has err "at least $lost of its calls are lost" &&
        has out "thread $thread, damaged at byte "
    result $? "driven: damage: $name"
done <spoilt
# Contents of memory that stand in a file which is gone.
cp -r whole gone && python3 - <<'PYTHON' && run 1 pi drive gone --plugin "$plugin" && has out 'recorded bytes are there'
import struct
data, at, n = bytearray(open("gone/main.ttpi", "rb").read()), 64, 0
while at + 8 <= len(data) and (size := struct.unpack_from("<I", data, at)[0]) > 0:
    kind, blocks = struct.unpack_from("<HH", data, at + 4)
    if kind == 3 and blocks > 0 and data[at + 33] == 1 and struct.unpack_from("<I", data, at + 36)[0] >= 64:
        data[at + 33] = 3
        n += 1
    at += size
open("gone/main.ttpi", "wb").write(data)
raise SystemExit(n == 0)
PYTHON
result $? 'driven: contents that are gone'

# A recording that ends early, wherever that is: no call goes to an empty place of the runtime's table. Of an old version
# it is not known how long that is, and the fault is told.
run 0 pi record -o ends "$program" && python3 - <<'PYTHON'
import shutil, struct
data, at, ends = open('ends/main.ttpi', 'rb').read(), 64, []
while at + 8 <= len(data) and (size := struct.unpack_from('<I', data, at)[0]) > 0:
    at += size
    ends.append(at)
for i, end in enumerate(ends[:-1]):
    shutil.copytree('ends', f'ends-{i}')
    open(f'ends-{i}/main.ttpi', 'wb').write(data[:end])
print(len(ends) - 1, file=open('n-ends', 'w'))
PYTHON
lost=0
for directory in ends-*; do
    for options in '' --old; do
        # shellcheck disable=SC2086
        run 1 pi replay "$directory" "$program" -- $options && has err 'the replay ended there' &&
            { grep -q 'but the recording has ended\|the recorded program died inside this call\|made no calls' err; } || lost=$((lost + 1))
    done
done
[ "$(cat n-ends)" -gt 60 ] && [ $lost -eq 0 ]
result $? 'a recording that ends after any of its records'

# A record of a kind that a later version may add, no more than its head, before all others and between calls.
echo 'as it was' >data.txt
cp -r run-native later
python3 - later/main.ttpi <<'PYTHON'
import struct, sys
data, at, kinds = open(sys.argv[1], 'rb').read(), 64, []
unknown = struct.pack('<IHH', 8, 99, 0)
out = data[:at] + unknown
while at + 8 <= len(data) and (size := struct.unpack_from('<I', data, at)[0]) > 0:
    out += data[at:at + size] + unknown
    at += size
open(sys.argv[1], 'wb').write(out)
PYTHON
run 0 pi replay later && has err 'replayed 301 calls, all as recorded' && sort out | cmp -s - direct.txt
result $? 'records of an unknown kind are skipped'
finish
