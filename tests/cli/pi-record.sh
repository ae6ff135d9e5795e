#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# tracetool pi record, with the host of tests/pi-host in the place of a DPC++ runtime.
. "$SRCDIR/tests/cli/lib.sh"
# shellcheck source=tests/cli/readers-lib.sh
. "$SRCDIR/tests/cli/readers-lib.sh"
. "$SRCDIR/tests/pi-host/lib.sh"

calls_of() { # FILE : names of the calls of a native recording
    python3 "$SRCDIR/tests/oracles/pi-native.py" list "$1" | cut -d' ' -f1
}

pi_host >direct.txt --threads 2 --usm --late
for format in native g3 doc; do
    run 7 pi record -o "run-$format" --format $format "$program" -- --threads 2 --usm --late --graph --status 7
    result $? "$format: the exit status is the program's"
    same out direct.txt
    result $? "$format: the program prints what it prints alone"
    for file in env files_config.json replay_config.json 0.desc 0_spir64.spv plugins sycl.graph_trace; do
        [ -s "run-$format/$file" ] || { echo "# no $file"; false; }
        result $? "$format: there is $file"
    done
    run 0 pi print "run-$format" && has out 'piEnqueueMemBufferRead' 'kernels vector_add' 'piTearDown' && [ ! -s err ]
    result $? "$format: pi print reads it without a warning"
    [ "$(grep -c '= SUCCESS' out)" -eq 148 ] && [ "$(grep -c 'INVALID_VALUE' out)" -eq 3 ]
    result $? "$format: 151 calls, three of them refused"
done
head -c 1024 run-native/0_spir64.spv | od -An -tu1 -v | tr -s ' \n' '\n\n' | grep . |
    awk '$1 != (NR - 1) * 7 % 256 { bad = 1 } END { exit bad || NR != 1024 }'
result $? 'the image is the one that the program has'

for thread in main main_0 main_1; do
    case $thread in main) number=0 ;; *) number=$((${thread#main_} + 1)) ;; esac
    [ "$(python3 "$SRCDIR/tests/oracles/pi-native.py" sum $number run-native/$thread.ttpi)" = sums ]
    result $? "$thread: what the device gave back is there, though the read did not block"
done
python3 "$SRCDIR/tests/oracles/pi-native.py" list run-native/main.ttpi >list
has list "b'-cl-std=CL2.0'" "b'_ZTS10vector_add'" "b'from the host, thread 0" "b'Host of the tests"
result $? 'texts and the contents of memory are there'
[ "$(grep -c '^piextUSMEnqueueMemcpy 0 .*\] \[\] \[(2' list)" -eq 1 ] && [ "$(grep -c '^piextUSMEnqueueMemcpy 0 .*\] \[(3.*\[\]$' list)" -eq 1 ]
result $? 'memory of the device is not read: neither the end of the copy to it nor the begin of that from it'
sed -n '/^piEnqueueKernelLaunch/s/.*\[(4, 1, 8, b.\(.*\)$/\1/p' list | grep -q 'x01.*(5, 1, 8.*@.*(7, 1, 8'
result $? 'work sizes and the wait list are there'
run 0 pi print --format json run-g3 2>/dev/null || run 0 pi print run-g3
[ "$(find run-g3/buffers -name '*.mem' | wc -l)" -eq 6 ]
result $? 'g3: a file for each of the six contents of memory'

# -- names of threads
run 0 pi record -o names "$program" -- --threads 2 --rename --deep 7
(cd names && ls -- *.ttpi) >files
printf '%s\n' main.ttpi main_0.ttpi main_1.ttpi main_2_0_0_0_0_0_0.ttpi | same - files
result $? 'threads with long names, and renamed to one name, have files of their own' || cat files
run 0 pi record -o names-g3 --format g3 "$program" -- --threads 2 --rename --deep 7 && [ -s names-g3/main_2_0_0_0_0_0_0.pi_trace ]
result $? 'g3: the same'

# -- many calls of many threads
many=${TEST_CALLS:-$(often 100000)}
run 0 pi record -o many "$program" -- --threads 8 --calls "$many" && has err "recorded $((9 * many + 370)) calls of 9 threads"
result $? "eight threads of $many calls and main"
[ "$(python3 "$SRCDIR/tests/oracles/pi-native.py" numbers "$many" many/*.ttpi)" = "9 threads of $many" ]
result $? 'none is lost, none is mixed up with those of others'
filled many/main.ttpi && [ "$(cat many/*.ttpi | wc -c)" -lt 130000000 ]
result $? 'the files have no room left at their ends'

run 0 pi record -o ahead "$program" -- --threads 3 --calls 2000
same_with_readers 'native recordings of four threads' 0 ahead
same_with_readers 'native recordings with contents' 0 run-native

# -- the Unified Runtime
ur=$BUILDDIR/tests/pi-host/ur-program
run 0 pi record -o ur "$ur" && has err 'recorded 48 calls of 3 threads' && [ -s ur/main_0.ttpi ] && [ -s ur/main_1.ttpi ]
result $? 'UR: threads of pthread_create and of thrd_create have names of their own'
python3 "$SRCDIR/tests/oracles/pi-native.py" list ur/main.ttpi >list
has list 'urEventWait 4 [1, ' "b'_ZTS12unified_add'" "b'host text of UR" "(4, 1, 4, b'\\x01\\x00\\x00\\x00')" \
    "(4, 1, 16, b'\\x00\\x02\\x00\\x00\\x00\\x00\\x00\\x00\\x03\\x00" "(5, 1, 32, b'd\\x00\\x00\\x00e\\x00\\x00\\x00f" 'urFromTomorrow 0 [] [] []'
result $? 'UR: values are fetched through their pointers: texts, work sizes, contents of memory, a failing result'
[ "$(sed -n 's/^urEnqueueUSMMemcpy 0 \[[0-9]*, 1, 48, .*\] //p' list)" = '[]' ]
result $? 'UR: memory of the device is not read'
run 0 pi print ur && has out 'urEnqueueMemBufferReadRect(hQueue=queue#1, hBuffer=mem#1, blockingRead=true, bufferOrigin=[1, 2, 3], hostOrigin=[4, 5, 6], region=[7, 8, 9]' \
    'phEventWaitList=[event#1], phEvent=' '= ERROR_INVALID_VALUE (4)' 'pPropValue=' '-> "Unified adder"'
result $? 'UR: pi print names handles and rectangles'
run 0 --db ur.db import ur && run 0 --db ur.db query --format csv "SELECT count(*) FROM event" && has out 48
result $? 'UR: imported: as many events as calls'
run 0 pi record -o ur-old "$ur" -- --old && has err 'recorded 48 calls' && run 0 pi print ur-old && has out 'urEnqueueKernelLaunch() = SUCCESS'
result $? 'UR: parameters of another version do not harm the program'
[ "$(cut -f 1-3 ur/runtime)" = "ur	0.11	0.11 of 2024-12-06" ]
result $? 'UR: the version and the release are in the recording'
run 0 pi record -o ur-new "$ur" -- --new && has err 'recorded 48 calls' && run 0 pi print ur-new && has out '# native, Unified Runtime 0.12 of ' \
    'pArgs=[{stype=EXP_KERNEL_ARG_PROPERTIES, pNext=NULL, type=VALUE, index=0, size=4, value=1069547520}, {stype=EXP_KERNEL_ARG_PROPERTIES, pNext=NULL, type=POINTER, index=1, size=8, value=0x30}' \
    'type=MEM_OBJ, index=2, size=8, value={hMem=mem#1, flags=READ_WRITE}}' 'type=LOCAL, index=3, size=256, value=' \
    'type=VALUE, index=4, size=4, value=0x10}]' 'urQueueFinish(hQueue=queue#1) = SUCCESS'
result $? 'UR: structures are followed by their type, wild pointers and a chain into itself do no harm; ends of runtimes since 2025'
run 0 pi record -o ur-unknown "$ur" -- --unknown && has err 'Unified Runtime 0.99 is not known: its calls are recorded without arguments' && \
    run 0 pi print ur-unknown && has out 'urQueueFinish() = SUCCESS'
result $? 'UR: a version that the tables do not have is said'
for format in g3 doc; do
    run 0 pi record -o "ur-$format" --format $format "$ur" && has err "Unified Runtime are only recorded with '--format native'" && [ -z "$(find ur-$format -name 'main*')" ]
    result $? "UR: $format has no place for it, which is said"
done
run 1 pi replay ur && has err 'made no calls of the Unified Runtime' && run 1 pi drive ur --plugin "$plugin" && has err 'neither a loader nor an adapter' && [ ! -s out ]
result $? 'UR: a program that loads no adapter makes no calls; a plugin of PI cannot be driven'

# -- the environment, signals
env A_TOKEN=hush my_password=hush MONKEY=hush PLAIN=told UR_KNOWN=told "$TRACETOOL" pi record -o masked "$program" >out 2>err
has masked/env 'A_TOKEN=(masked)' 'my_password=(masked)' 'PLAIN=told' && ! grep -q hush masked/env
result $? 'values of secrets are not recorded'
env A_TOKEN=hush PLAIN=told UR_KNOWN=told "$TRACETOOL" pi record --env all -o everything "$program" >out 2>err
has everything/env 'A_TOKEN=hush' 'PLAIN=told'
result $? '--env all'
env A_TOKEN=hush PLAIN=told UR_KNOWN=told "$TRACETOOL" pi record --env needed -o some "$program" >out 2>err
has some/env 'UR_KNOWN=told' 'LD_PRELOAD=' && ! grep -q 'PLAIN\|TOKEN' some/env
result $? '--env needed'
run 0 pi record --env none -o envless "$program" && [ -e envless/env ] && [ ! -s envless/env ] && run 2 pi record --env some -o no "$program" && has err "unknown environment 'some'"
result $? '--env none, and an unknown word'
sh -c 'trap "" INT PIPE; exec "$@"' - "$TRACETOOL" pi record -o ignoring sh -- -c 'grep SigIgn /proc/self/status' >out 2>err
[ $((0x$(sed -n 's/.*SigIgn:[[:space:]]*//p' out) & 0x1002)) -eq $((0x1002)) ]
result $? 'signals that are ignored are ignored by the program, too'
"$TRACETOOL" pi record -o told sh -- -c 'trap "echo told >told.txt; exit 5" TERM; echo >ready.txt; for i in 1 2 3 4 5 6 7 8 9; do sleep 1; done' >out 2>err &
for _ in 1 2 3 4 5 6 7 8 9 10; do [ -e ready.txt ] || sleep 1; done
kill -TERM $! && { wait $!; [ $? -eq 5 ]; } && has told.txt told
result $? 'SIGTERM to the recorder reaches the program'

# -- damage
cp -r ur damaged && python3 - <<'END'
import struct
data, at = bytearray(open('damaged/main.ttpi', 'rb').read()), 64
for _ in range(20):
    at += struct.unpack_from('<I', data, at)[0]
data[at:at + 4] = bytes(4)
open('damaged/main.ttpi', 'wb').write(data)
END
run 1 pi print damaged && has err 'its size says 0 bytes, and calls come after it' && run 0 pi print --salvage damaged && has err 'its size says 0 bytes'
result $? 'a record without a size is an error where calls come after it'
run 0 pi print ur && truncate -s +3M ur/main.ttpi && run 0 pi print ur && [ "$(grep -c ' = ' out)" -eq 48 ]
result $? 'room that was never used is none'

# -- programs that die
for format in native g3 doc; do
    run 137 pi record -o "killed-$format" --format $format "$program" -- --die 9 && has err 'was killed by signal 9 (Killed)'
    result $? "$format: kill -9 gives 137 and is said"
    run 0 pi print "killed-$format" && [ "$(grep -c ' = ' out)" -eq 34 ]
    result $? "$format: what was recorded until then is readable"
done
# Only the program, from outside, in the middle of its calls: what is there then has no gap and no torn record.
(env "$TRACETOOL" pi record -o middle "$program" -- --threads 4 --calls 100000000 >/dev/null 2>middle.err; echo $? >middle.status) &
for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
    [ ! -e middle.status ] || break
    [ -f middle/main_3.ttpi ] && [ "$(wc -c <middle/main_3.ttpi)" -gt $((30 * many)) ] && break
    [ -f middle/main.ttpi ] && [ "$(wc -c <middle/main.ttpi)" -gt $((300 * many)) ] && break
    sleep 0.2
done
kill -9 "$(od -An -tu4 -j32 -N4 middle/main.ttpi | tr -d ' ')"
wait
[ "$(cat middle.status)" -eq 137 ]
result $? 'killed from outside in the middle of many calls'
python3 - "$SRCDIR/tests/oracles/pi-native.py" middle/main.ttpi <<'PYTHON'
import subprocess, sys
listed = subprocess.run([sys.executable, sys.argv[1], 'list', sys.argv[2]], capture_output=True, text=True)
lines = [line.split()[3] for line in listed.stdout.splitlines() if line.startswith('piKernelSetArg ')]
sys.exit(listed.returncode != 0 or len(lines) < 1000 or [int(x.strip(',')) for x in lines] != list(range(len(lines))))
PYTHON
result $? 'every call until then is there, in order'
PI_HOST_BUG=crash run 139 pi record -o crash "$program" && run 0 pi print crash && has err 'call in progress: piEnqueueKernelLaunch'
result $? 'the call in which the plugin crashed is told'

# -- forks
run 0 pi record -o forks "$program" -- --fork && has err '1 more processes made calls' && [ -n "$(find forks/process-* -name main.ttpi -size +0)" ]
result $? 'a forked child records apart'
[ "$(calls_of forks/process-*/main.ttpi | grep -c .)" -eq 17 ] && [ "$(calls_of forks/main.ttpi | wc -l)" -eq 42 ]
result $? 'and neither writes into the files of the other'

run 0 pi record -o raw "$program" -- --raw-fork && [ "$(calls_of raw/process-*/main.ttpi | grep -c .)" -eq 17 ] && [ "$(calls_of raw/main.ttpi | wc -l)" -eq 42 ]
result $? 'the same for a child of the bare system call'
# For a program that may not call process_vm_readv(), as in some containers.
cat >denied.py <<'PYTHON'
import ctypes, os, platform, struct, sys
number = {'x86_64': 310, 'aarch64': 270}[platform.machine()]
# load its number; is it that one: EPERM; else: go on
rules = [(0x20, 0, 0, 0), (0x15, 0, 1, number), (0x06, 0, 0, 0x00050001), (0x06, 0, 0, 0x7fff0000)]
code = ctypes.create_string_buffer(b''.join(struct.pack('<HBBI', *rule) for rule in rules))
prctl = ctypes.CDLL(None).prctl
if prctl(38, 1, 0, 0, 0) != 0 or prctl(22, 2, struct.pack('<H6xQ', len(rules), ctypes.addressof(code))) != 0:
    raise SystemExit('no filter')
os.execv(sys.argv[1], sys.argv[1:])
PYTHON
for format in native g3 doc; do
    rm -f own.txt
    run 0 pi record -o "cleared-$format" --format $format "$program" -- --clear-environment && has err 'of 1 thread' &&
        run 0 pi print "cleared-$format" && [ "$(grep -c ' = ' out)" -gt 30 ]
    result $? "$format: a program that clears its environment before its first call"
    run 0 pi record -o "wild-$format" --format $format "$program" -- --wild && run 0 pi print "wild-$format" && has out '= INVALID_VALUE (-30)' &&
        [ "$(grep -c '^!' out)" -ge 3 ]
    result $? "$format: pointers to nothing among the arguments do the program no harm"
    run 0 pi record -o "denied-$format" --format $format python3 -- denied.py "$program" --wild && run 0 pi print "denied-$format" && has out '= INVALID_VALUE (-30)' &&
        grep -c " = " out >denied.txt && run 0 pi print "wild-$format" && grep -c " = " out | same - denied.txt
    result $? "$format: nor where the kernel copies no memory of the process"
    (ulimit -f 128 && run 0 pi record -o "limited-$format" --format $format "$program" && has out 'thread 0: 97920' && unsaid 'not complete') &&
        run 0 pi print "limited-$format" && [ "$(grep -c ' = ' out)" -gt 30 ]
    result $? "$format: a program whose files may have 64 KiB"
    (ulimit -f 128 && run 3 pi record -o "over-$format" --format $format "$program" -- --calls 3000 --status 3 && has err 'File too large; the recording is not complete') &&
        run 0 pi print "over-$format" && [ "$(grep -c ' = ' out)" -gt 100 ]
    result $? "$format: of a recording that would be larger, what fits"
    run 3 pi record -o "closed-$format" --format $format "$program" -- --close --quit --status 3
    run 0 pi print "closed-$format" && [ "$(grep -c ' = ' out)" -eq 34 ] && [ -e own.txt ] && [ ! -s own.txt ]
    result $? "$format: a program that closes all descriptors, opens its own and leaves by _exit"
done

# -- memory left out
run 0 pi record -o bare --skip-mem-objects "$program" -- --usm && grep -q '"recordMode": "traceOnly"' bare/replay_config.json
result $? '--skip-mem-objects is in the configuration'
run 0 pi record -o bare-g3 --skip-mem-objects --format g3 "$program" -- --usm && filled bare-g3/main.pi_trace && [ -z "$(find bare-g3/buffers -type f)" ]
result $? 'and leaves out the files'
python3 "$SRCDIR/tests/oracles/pi-native.py" list bare/main.ttpi >list && refute has list 'from the host'
result $? 'and the contents'

# -- files
echo 'a line of a file' >some.txt
run 0 pi record -o opens "$program" -- --open some.txt && has out 'a line of a file' && grep -q "$scratch/some.txt" opens/files_config.json
result $? 'a file that the program opened is listed by its whole path'
python3 -c 'import json, sys; f = json.load(open("opens/files_config.json")); sys.exit(any("/opens/" in x for x in f) or len(f) < 5)'
result $? 'the list is JSON, without files of the recording'
if command -v strace >/dev/null 2>&1; then
    # The leak check of a build with sanitizers wants ptrace for itself.
    ASAN_OPTIONS=detect_leaks=0 strace -f -o /dev/null "$TRACETOOL" pi record -o denied "$program" >/dev/null 2>err
    [ $? -eq 0 ] && has err 'could not be seen (ptrace: ' 'recorded 42 calls' && [ ! -e denied/files_config.json ]
    result $? 'without ptrace it goes on, without the list, and says so'
else
    skip 'without ptrace it goes on' 'no strace here'
fi

# -- a directory that the user names, by the variables that pi record sets
record_into() { # DIR
    XPTI_TRACE_ENABLE=1 XPTI_FRAMEWORK_DISPATCHER=libxptifw.so XPTI_SUBSCRIBERS=$BUILDDIR/.libs/libtracetool-pi-record.so \
        DPCPP_TRACE_DATA_PATH=$1 "$program" >out 2>err
}
mkdir own && echo data >target && for file in 0.desc 0_spir64.spv plugins thread.ttpi; do ln -s "$scratch/target" own/$file; done
record_into "$scratch/own" && [ "$(cat target)" = data ] && [ -d own/buffers ] && has err 'the recording is not complete'
result $? "no link that stands in a directory of one's own is written through"
mkdir other && echo data >other/0.desc && record_into "$scratch/other" && [ "$(cat other/0.desc)" = data ] &&
    has err "cannot write '0.desc': File exists"
result $? 'no file of another recording is written over'

# -- errors in words
run 1 pi record -o opens "$program" && has err "'opens' exists" '--override'
result $? 'a directory that exists'
run 0 pi record -o opens --override "$program" && [ -s opens/main.ttpi ]
result $? '--override'
mkdir precious && echo data >precious/file
run 1 pi record -o precious --override "$program" && has err 'is no recording' && [ -s precious/file ]
result $? '--override deletes nothing but recordings'
ln -s precious link
refuses 1 "'link'" pi record -o link --override "$program" && [ -s precious/file ]
result $? 'and follows no links'
run 1 pi record -o gone no-such-program && has err "cannot run 'no-such-program'" && [ ! -e gone ]
result $? 'a program that is not there'
echo nothing >plain && chmod +x plain
run 1 pi record -o plainly ./plain && has err 'cannot run' 'Exec format error'
result $? 'a program that is none'
mkdir lonely && cp "$(readlink -f "$BUILDDIR/tracetool")" lonely/tracetool
lonely/tracetool pi record -o gone "$program" >out 2>err
[ $? -eq 1 ] && has err "'libtracetool-pi-record.so' is not there" && [ ! -e gone ]
result $? 'a library that is not there' || echo "# installed already?"
run 0 pi record -o nothing true && has err "'true' made no PI calls"
result $? 'a program without PI'
run 2 pi record "$program" && has err '-o DIR'
result $? 'no directory'
run 2 pi record -o x --format odd "$program" && has err "unknown format 'odd'"
result $? 'an unknown format'
finish
