#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# PI traces: what docs/formats.md says becomes of them, against an independent reading of the bytes (tests/oracles/pi.py).
# shellcheck source=tests/cli/lib.sh
. "$SRCDIR/tests/cli/lib.sh"
# shellcheck source=tests/cli/readers-lib.sh
. "$SRCDIR/tests/cli/readers-lib.sh"
oracle=$SRCDIR/tests/oracles/pi.py
calls=$BUILDDIR/tests/formats/pi-calls
export TRACETOOL_DATA

copy() { # NAME : a fresh copy of the example to spoil
    rm -rf "$scratch/spoilt"
    cp -r "$TRACETOOL_DATA/$1" "$scratch/spoilt"
    chmod -R u+w "$scratch/spoilt"
}

python() { # PROGRAM : in the spoilt copy
    (cd "$scratch/spoilt" && python3 -c "$1")
}

# What every generation has of a call.
same="SELECT group_concat(l, char(10)) FROM (SELECT tid || ' ' || name || ' ' || ts_ns || ' ' || dur_ns || ' ' || coalesce(flags, '') || ' ' ||
json_extract(args, '\$.result') || ' ' || json_remove(args, '\$.backend', '\$.options', '\$.kernel_name', '\$.outputs', '\$.memory') AS l
FROM event ORDER BY tid, ts_ns, id)"

# -- the bytes ---------------------------------------------------------------------------------------
if ! command -v python3 >/dev/null; then
    skip 'the calls are those of an independent reading' 'no python3'
    finish
    exit 0
fi
for example in pi-run:g3 pi-doc:doc pi-g1:g1 pi-g2:g2; do
    python3 "$oracle" compare "$calls" "$TRACETOOL_DATA/${example%:*}" "${example#*:}" >"$scratch/diff"
    status=$?
    sed 's/^/# /' "$scratch/diff"
    result $status "${example%:*} is read as by an independent reading"
done
for layout in doc g0 g1 g2 g3; do
    bad=0
    for seed in $(seeds 6); do
        python3 "$oracle" random "$scratch/random-$layout-$seed" $layout $seed
        python3 "$oracle" compare "$calls" "$scratch/random-$layout-$seed" $layout || bad=1
    done
    result $bad "random recordings of layout $layout are read as by an independent reading"
done
# What misled the guess at a layout: zeros in contents of memory that read as calls without arguments (g0, g1 29, doc), a text
# that is counted as a pointer before any record told of the prefix (g1 35, g2 21 to 45), a short one as the last record.
bad=0
for one in g0:26 g0:51 g1:29 g1:35 g1:72 g2:21 g2:37 g2:45 g2:66 doc:38; do
    layout=${one%:*} seed=${one#*:}
    [ -e "$scratch/random-$layout-$seed" ] || python3 "$oracle" random "$scratch/random-$layout-$seed" "$layout" "$seed"
    python3 "$oracle" compare "$calls" "$scratch/random-$layout-$seed" "$layout" || bad=1
done
result $bad 'random recordings whose layout is hard to tell'
python3 "$oracle" pack "$scratch/random-g3-1" "$scratch/g3.pack" &&
    python3 "$oracle" compare-packed "$calls" "$scratch/random-g3-1" g3 "$scratch/g3.pack" &&
    python3 "$oracle" pack "$scratch/random-g1-1" "$scratch/g1.pack" &&
    python3 "$oracle" compare-packed "$calls" "$scratch/random-g1-1" g1 "$scratch/g1.pack"
result $? 'a packed archive is read in place'
if [ -d "$SHARED_DATA/pi" ]; then
    for example in ex_pb:g3 ex_doc:doc ex_raw-f1:g1 ex_raw-f2:g2; do
        python3 "$oracle" compare "$calls" "$SHARED_DATA/pi/${example%:*}" "${example#*:}"
        result $? "${example%:*} of the shared data is read as by an independent reading"
    done
    : >"$scratch/rows"
    for example in ex_pb ex_doc ex_raw-f1 ex_raw-f2; do
        cp -r "$SHARED_DATA/pi/$example" "$scratch/$example"
        import "$scratch/$example" && run 0 --db "$db" query --format csv "$same" && filled out && md5sum <"$scratch/out" >>"$scratch/rows"
    done
    [ "$(sort -u "$scratch/rows" | wc -l)" -eq 1 ] && [ "$(wc -l <"$scratch/rows")" -eq 4 ]
    result $? 'four layouts of one run give the same rows'
else
    skip 'the shared data is read as by an independent reading' 'no shared data'
fi

# -- the rows ----------------------------------------------------------------------------------------
import "$TRACETOOL_DATA/pi-run" && has out 'from 1 trace'
result $? 'a directory is one trace'
ask "SELECT format, n_events FROM source" "pi,$("$calls" --count "$TRACETOOL_DATA/pi-run" | tail -n 1)"
result $? 'and one source, with all its calls'
ask "SELECT count(*) FROM event WHERE depth <> 0 OR self_ns <> dur_ns OR args IS NULL" 0
result $? 'calls do not nest'
ask "SELECT DISTINCT op_cat || coalesce('.' || sub_op, '') FROM event WHERE op_name IN ('piEventsWait', 'piQueueFinish', 'piKernelCreate', 'piEnqueueMemBufferRead') ORDER BY 1" \
    MEM.D2H RT SYNC
result $? 'calls have standard names'
ask "SELECT count(*) > 0, min(json_extract(args, '\$.result')) < 0, min(json_extract(args, '\$.result_name') LIKE 'PI_%') FROM event WHERE flags LIKE '%failed%'" '1,1,1'
result $? 'a failed call has a flag, its code and its name'
ask "SELECT count(*) FROM event WHERE flags LIKE '%failed%' AND op_name LIKE '%GetInfo'" 0
result $? 'a query that is refused has not failed'
ask "SELECT count(*) FROM event WHERE op_name LIKE '%Enqueue%' AND coalesce(flags, '') NOT LIKE '%enqueue%'" 0
result $? 'what is put into a queue has the flag enqueue'
ask "SELECT count(*) FROM event WHERE json_valid(args) = 0" 0
result $? 'arguments are JSON'
ask "SELECT DISTINCT json_extract(args, '\$.param_name') FROM event WHERE op_name = 'piPlatformGetInfo' AND json_extract(args, '\$.outputs.param_value') IS NOT NULL" 'NAME'
result $? 'enums come by their symbols, outputs by their parameters'
ask "SELECT value FROM metadata WHERE key = 'created_by'" main
result $? 'threads know who created them'
ask "SELECT key FROM metadata WHERE key IN ('command', 'executable', 'files', 'image.0', 'sycl_graph', 'plugins') ORDER BY 1" \
    command executable files image.0 plugins sycl_graph
result $? 'what lies beside the calls is metadata'
ask "SELECT json_valid(value) FROM metadata WHERE key IN ('files', 'image.0', 'sycl_graph')" 1 1 1
result $? 'as JSON where it has parts'
ask "SELECT kind FROM flow WHERE kind IN ('thread', 'finish', 'queue') GROUP BY 1 ORDER BY 1" finish queue thread
result $? 'what is certain between calls is a flow'
ask "SELECT count(*) FROM flow f JOIN event a ON a.id = f.from_event JOIN event b ON b.id = f.to_event WHERE a.ts_ns > b.ts_ns" 0
result $? 'flows lead on in time'
import --args queue,result "$TRACETOOL_DATA/pi-run"
ask "SELECT DISTINCT k.key FROM event, json_each(args) k ORDER BY 1" queue result
result $? '--args keeps some arguments'
import "$TRACETOOL_DATA/pi-run/main.pi_trace"
ask "SELECT DISTINCT tid FROM event" main
result $? 'one file of calls is a trace'
import "$scratch/g3.pack"
ask "SELECT count(*) FROM event" "$("$calls" --count "$scratch/random-g3-1" | tail -n 1)"
result $? 'an archive is a trace'
import "$TRACETOOL_DATA/pi-run"
run 1 --db "$db" import --add "$TRACETOOL_DATA/pi-run" && has err 'already in this run'
result $? 'the same directory twice is refused'
run 0 --db "$db" import --add --replace "$TRACETOOL_DATA/pi-run" && ask "SELECT count(*) FROM source" 1
result $? '--replace reads it again'
import "$TRACETOOL_DATA/pi-run"
cp "$db" "$scratch/first.db"
run 0 --db "$db" export --chrome -o "$scratch/chrome.json" && grep -q '"cname":"terrible"' "$scratch/chrome.json" &&
    grep -q '"cat":"create_inferred","ph":"s"' "$scratch/chrome.json" && grep -q '"cat":"thread","ph":"s"' "$scratch/chrome.json"
result $? 'trace viewers get arrows, and failed calls in red'
run 0 --db "$db" depgraph --format json && grep -q '"inferred"' "$scratch/out" && run 0 --db "$db" depgraph --kind flow --format json &&
    refute has out '"inferred"'
result $? 'depgraph marks what is inferred'
ask "SELECT group_concat(kind), sum(end_ns - begin_ns), (SELECT group_concat(kind) FROM task_edge) FROM (SELECT * FROM task ORDER BY id)" \
    '"allocation,kernel,kernel,copy",200000,"write,read_write,read"'
result $? 'tasks and what each waits for are rows'
ask "SELECT count(*) FROM task t JOIN metadata m ON m.key = 'sycl_graph' JOIN json_each(m.value) j ON j.value ->> 'id' = t.id AND j.value ->> 'name' = t.name AND j.value ->> 'start_us' * 1000 = t.begin_ns" 4
result $? 'as the metadata have them'
run 0 --db "$db" depgraph --level task --format dot && has out '->' && has err 'the longest chain of tasks takes'
result $? 'depgraph draws the tasks of SYCL'
run 0 --db "$db" critical-path && has out 'the host waits for devices for' && run 0 --db "$db" critical-path --format json &&
    has out '"host_waits_us"'
result $? 'critical-path says how long the host waits'

# -- the path through threads ------------------------------------------------------------------------
threads() { # PROGRAM : files of calls that it puts into `files`
    rm -rf "$scratch/spoilt"
    mkdir "$scratch/spoilt"
    python "
import struct
def varint(v):
    out = b''
    while v > 127:
        out, v = out + bytes([v & 127 | 128]), v >> 7
    return out + bytes([v])
def call(number, start, end, *values):
    body = b''.join(bytes([key]) + varint(v) for key, v in ((8, number), (16, start), (24, end)) if v)
    for arg in (b'\x10' + varint(v) for v in values):
        body += b'\x2a' + varint(len(arg)) + arg
    return struct.pack('<I', len(body)) + body
queue = 0x5000
first = call(0, 10, 20, 0, 0, 0x7000) + call(20, 30, 40, 0x1000, 0x2000, 0, 0x7100) + call(23, 50, 60, queue)
def finish(start, end):
    return call(22, start, end, queue)
def enqueue(start, end):
    return call(80, start, end, queue, 0x6000, 0, 0, 64, 0x7000, 0, 0, 0)
def record(kind, n, body):
    body += bytes(-len(body) % 8)
    return struct.pack('<IHH', 8 + len(body), kind, n) + body
def native(*calls):
    data = b'TTPICALL' + struct.pack('<IIQQII', 1, 64, 0, 0, 1, 1) + bytes(24)
    for i, (name, start, end, values, out) in enumerate(calls):
        data += record(1, 0, struct.pack('<IIBBHI', i, 0, 0, len(values), len(name), 0) + bytes([8] * len(values)) + name.encode())
        data += record(2, 0, struct.pack('<IhHQQ', i, -1, 8 * len(values), i, 1000 * start) + struct.pack('<%dQ' % len(values), *values))
        block = struct.pack('<BBHIQQ', len(values) - 1, 1, 0, 8, 8, out) if out else b''
        data += record(3, 1 if out else 0, struct.pack('<iIQQ', 0, 0, i, 1000 * end) + block)
    return data
making = ('piQueueCreate', 100, 300, (1, 2, 0, 0x7000), queue)
def retain(start, end, which=queue):
    return ('piQueueRetain', start, end, (which,), 0)
$1
for name, data in files.items():
    open(name + ('.ttpi' if data.startswith(b'TTPI') else '.pi_trace'), 'wb').write(data)"
    import "$scratch/spoilt"
}

path() { # SEGMENTS : begin, time, how, where from, separated by commas
    run 0 --db "$db" critical-path --show segments --format json || return 1
    found=$(python3 -c "
import json, sys
print(' '.join('%g,%g,%s,%s,%s' % (s['begin_us'], s['time_us'], s['tid'], s['came_by'].replace(' ', '-'), s['inferred'])
               for s in json.load(open(sys.argv[1]))))" "$scratch/out")
    [ "$found" = "$1" ] && return 0
    echo "# '$found' instead of '$1'"
    return 1
}

threads "files = {'main': first + finish(240, 400), 'main_0': enqueue(100, 200), 'main_0_0': call(23, 500, 800, queue)}" &&
    path '0,90,main,begin,no 90,400,main_0,thread-begin,no 490,300,main_0_0,thread-begin,no'
result $? 'critical-path goes from a thread to its creator'
threads "files = {'main': first + finish(240, 400), 'main_0': enqueue(100, 300) + enqueue(420, 430)}" &&
    path '0,90,main,begin,no 90,330,main_0,thread-begin,no'
result $? 'and ends with the thread that ends last'
threads "files = {'main': first + finish(240, 400), 'main_0': enqueue(100, 300)}" &&
    path '0,90,main,begin,no 90,200,main_0,thread-begin,no 290,100,main,queue,yes'
result $? 'from a piQueueFinish to the late enqueue of another thread'
threads "files = {'main': first + finish(240, 400), 'main_0': enqueue(100, 230)}" && path '0,390,main,begin,no'
result $? 'but not to one that had ended before'
threads "files = {'main': first + finish(240, 400), 'main_0': enqueue(100, 401)}" &&
    path '0,90,main,begin,no 90,301,main_0,thread-begin,no'
result $? 'nor to one that ends later'
threads "files = {'main': native(making), 'main_0': native(retain(150, 160, 9), retain(400, 900))}" &&
    path '0,200,main,begin,no 200,600,main_0,object,yes'
result $? 'from a call to the other thread that made its object meanwhile'
ask "SELECT from_event, to_event FROM flow WHERE kind = 'create'" 1,3
result $? 'which is certain where the recording has the handle'
threads "files = {'main': native(making), 'main_0': native(retain(310, 350, 9), retain(400, 900))}" &&
    path '0,210,main,begin,no 210,590,main_0,thread-begin,no'
result $? 'but not if the object was there before'
rm -f "$db"*
run 0 --db "$db" import "$TRACETOOL_DATA/tau-mpi4" && run 1 --db "$db" depgraph --level task && has err 'no task graph in this run'
result $? 'a run without tasks has no graph of them'

# -- what the user says -------------------------------------------------------------------------------
refuses_import 2 "is not one of" --pi-generation g9 "$TRACETOOL_DATA/pi-run"
result $? 'an unknown generation is refused'
refuses_import 2 "is not one of" --pi-ids 1999 "$TRACETOOL_DATA/pi-run"
result $? 'an unknown numbering is refused'
import --pi-ids 2021-12 "$TRACETOOL_DATA/pi-run"
ask "SELECT count(*) > 0 FROM event WHERE op_name = 'piEnqueueKernelLaunch'" 0 && ask "SELECT value LIKE '%December of 2021%' FROM metadata WHERE key = 'pi.recording'" 1
result $? '--pi-ids has the last word'
import --pi-ids 2023.2 "$TRACETOOL_DATA/pi-run"
ask "SELECT value LIKE '%release 2023.2%' FROM metadata WHERE key = 'pi.recording'" 1
result $? 'which may be a release'
refuses_import 1 'no PI call in any known layout' --pi-generation g1 "$TRACETOOL_DATA/pi-g2"
result $? '--pi-generation has the last word'

# -- bad input ------------------------------------------------------------------------------------------
bad() { # NAME TEXT ROWS : imports with a warning
    import "$SHARED_DATA/pi/bad/$1" && has err "$2" && ask "SELECT count(*) FROM event" "$3"
    result $? "$1: a warning, the rest is kept"
}
fatal() { # NAME TEXT ROWS : of one of several threads: calls are found again behind it, with status 3; --strict refuses it
    refuses_import 1 "$2" --strict "$SHARED_DATA/pi/bad/$1" &&
        run 3 --db "$db" import "$SHARED_DATA/pi/bad/$1" && has err "$2" 'calls are found again at byte' 'damage of 1 of its 3 threads' &&
        ask "SELECT count(*) FROM event" "$3" &&
        import --salvage "$SHARED_DATA/pi/bad/$1" && has err "$2" 'calls are found again at byte' && ask "SELECT count(*) FROM event" "$3"
    result $? "$1: what is behind it is found, with status 3 or --salvage"
}
if [ -d "$SHARED_DATA/pi/bad" ]; then
    bad doc-bad-backend 'main.trace: record 1 at byte 81: unknown backend 238' 58
    bad doc-empty 'main.trace: an empty file: a thread without calls' 8
    bad doc-end-before-start 'main.trace: record 1 at byte 81: piPlatformsGet ends before it starts; duration 0' 58
    ask "SELECT dur_ns FROM event WHERE flags LIKE '%end_before_start%'" 0
    result $? 'doc-end-before-start: no time of 2^64'
    fatal doc-huge-args 'main.trace: record 1 at byte 81: its arguments should have 1152921504606846976 bytes, 5146 are left' 57
    bad doc-truncated-header 'main.trace: record 1 at byte 81: the last record is cut after 3 bytes; left out' 9
    bad doc-truncated-tail 'main.trace: record 49 at byte 5215: the last record of piTearDown is cut' 57
    bad doc-unknown-id 'main.trace: record 1 at byte 81: unknown function id 5000; kept as pi#5000' 58
    ask "SELECT name FROM event WHERE name LIKE '%5000%'" 'RT.pi#5000'
    result $? 'doc-unknown-id: the id is its name'
    fatal pb-bad-wire 'main.pi_trace: record 1 at byte 37: a field has the wrong wire type' 58
    fatal pb-huge-length 'main.pi_trace: record 1 at byte 37: its size says 4294967280 bytes' 57
    bad pb-truncated-tail 'main.pi_trace: record 49 at byte 2608: the last record is cut: 14 of 16 bytes; left out' 57
    bad pb-unknown-id 'main.pi_trace: record 1 at byte 37: unknown function id 5000; kept as pi#5000' 59
    bad pb-zero-length 'main.pi_trace: record 1 at byte 37: record of no length; left out' 58
    refuses_import 1 'record of no length' --strict "$SHARED_DATA/pi/bad/pb-zero-length"
    result $? '--strict refuses what was mended'
else
    skip 'bad recordings of the shared data' 'no shared data'
fi

copy pi-g1
python "open('main.trace', 'ab').write(b'\\x4a\\0\\0\\0\\1' + (10**6).to_bytes(8, 'little'))"
import "$scratch/spoilt" && has err 'call in progress: piEnqueueKernelLaunch' &&
    ask "SELECT tid, dur_ns, json_extract(args, '\$.result') IS NULL FROM event WHERE flags = 'unclosed,enqueue' AND tid = 'main'" 'main,0,1'
result $? 'a call in which the process died is unclosed'
copy pi-doc
python "d = open('main.trace', 'rb').read(); open('main.trace', 'wb').write(d + d)"
import "$scratch/spoilt" && has err 'starts before the call before it: threads that share a name, or two runs in one directory' &&
    ask "SELECT count(*) > 0 FROM event WHERE tid = 'main#2' AND flags LIKE '%overlap%'" 1
result $? 'two runs in one file are told, calls that overlap lie beside'
for copied in pi-g1 pi-g2 pi-doc; do
    copy $copied
    python "at = 36 if '$copied' == 'pi-g2' else 37; d = open('main.trace', 'rb').read()
n = int.from_bytes(d[at:at + 8], 'little')
open('main.trace', 'wb').write(d + d[:at] + (n - 8).to_bytes(8, 'little') + d[at + 8:at + n] + d[at + 8 + n:])"
    refuses_import 1 'the arguments of piPlatformsGet are 12 bytes; they take 20' --strict "$scratch/spoilt"
    result $? "$copied: arguments that are cut are damage"
done
copy pi-run
python "open('main.pi_trace', 'wb').write(b'\\6\\0\\0\\0\\x08\\x4a\\x10\\x64\\x18\\x78')"
import "$scratch/spoilt" && ask "SELECT name, dur_ns FROM event WHERE tid = 'main'" 'RT.piEnqueueKernelLaunch,20000'
result $? 'one call without arguments is a recording'
copy pi-g1
python "d = open('main.trace', 'rb').read(); open('main.trace', 'ab').write(d[:21] + (7).to_bytes(8, 'little') + d[29:])"
refuses_import 1 ': it has 7 inputs' --strict "$scratch/spoilt"
result $? 'inputs beyond all bounds are damage'
copy pi-g1
python "d = open('main.trace', 'rb').read(); open('main.trace', 'ab').write(d[:29] + (2**40).to_bytes(8, 'little') + d[37:])"
refuses_import 1 ': it has 1099511627776 outputs' --strict "$scratch/spoilt"
result $? 'outputs beyond all bounds are damage'
for damage in '\x0a\x00\x00\x00\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff:a number is cut' \
    '\x0d\x00\x00\x00\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x00:a number of more than 10 bytes' \
    '\x02\x00\x00\x00\x00\x00:field number 0' '\x03\x00\x00\x00\x2a\x09\x08:a field is longer than its record' \
    '\x01\x00\x00\x00\x0b:a field has the wrong wire type' '\x01\x00\x00\x00\x53:a wire type that does not exist'; do
    copy pi-run
    python "open('main.pi_trace', 'ab').write(b'${damage%%:*}' + bytes(50))"
    refuses_import 1 "${damage#*:}" --strict "$scratch/spoilt"
    result $? "${damage#*:}"
done
copy pi-run
python "open('main.pi_trace', 'ab').write(b'\\x18\\0\\0\\0\\x08\\x4a\\x10' + b'\\xff' * 9 + b'\\1\\x18' + b'\\xff' * 9 + b'\\1')"
refuses_import 1 'are beyond the range of times' --strict "$scratch/spoilt"
result $? 'times that are no nanoseconds are damage'
copy pi-run
rm -f "$scratch"/spoilt/buffers/*
import "$scratch/spoilt" && has err 'is not there'
result $? 'a missing .mem file is told'
copy pi-run
for file in "$scratch"/spoilt/buffers/*; do echo more >>"$file"; done
import "$scratch/spoilt" && has err 'has another size than it says'
result $? 'a .mem file of another size is told'
copy pi-run
mkfifo "$scratch/spoilt/main_5.pi_trace"
ln -s /dev/zero "$scratch/spoilt/main_6.pi_trace"
mkdir "$scratch/spoilt/main_7.pi_trace"
import "$scratch/spoilt" && has err 'main_5.pi_trace: no regular file; left out' 'main_6.pi_trace: no regular file; left out'
result $? 'only regular files are opened'
copy pi-run
python "import os; os.rename('main_0.pi_trace', b'evil\\x1b[31m\\xff.pi_trace'); open('main.pi_trace', 'ab').write(bytes(4))"
python "d = open(b'evil\\x1b[31m\\xff.pi_trace', 'ab').write(bytes(4))"
import "$scratch/spoilt" && run 0 --db "$db" query "SELECT tid, args FROM event" && cp "$scratch/out" "$scratch/all" &&
    run 0 --db "$db" stats --by tid && filled out && cat "$scratch/out" "$scratch/err" >>"$scratch/all" && import "$scratch/spoilt" &&
    cat "$scratch/err" >>"$scratch/all" && refute matches all "$(printf '\033')" && iconv -f UTF-8 -t UTF-8 "$scratch/all" >"$scratch/iconv"
result $? 'no control character and no invalid UTF-8 reaches a terminal'
copy pi-run
: >"$scratch/spoilt/main_3.pi_trace"
import "$scratch/spoilt" && has err 'main_3.pi_trace: an empty file: a thread without calls'
result $? 'an empty file is a thread without calls'
copy pi-run
rm -f "$scratch"/spoilt/*.json "$scratch"/spoilt/env "$scratch"/spoilt/*.desc "$scratch"/spoilt/sycl.graph_trace
import "$scratch/spoilt" && ask "SELECT count(*) FROM event" "$("$calls" --count "$TRACETOOL_DATA/pi-run" | tail -n 1)"
result $? 'side files may be missing'
copy pi-run
for file in replay_config.json 0.desc sycl.graph_trace files_config.json; do printf '\377\001garbage' >"$scratch/spoilt/$file"; done
import "$scratch/spoilt" && has err '0.desc' 'sycl.graph_trace'
result $? 'damaged side files are told and stop nothing'
mkdir "$scratch/noise"
head -c 5000 /dev/urandom >"$scratch/noise/main.pi_trace"
refuses_import 1 'noise/main.pi_trace: record 0 at byte 0' "$scratch/noise"
result $? 'noise is no trace'
mkdir "$scratch/nothing"
: >"$scratch/nothing/main.pi_trace"
import "$scratch/nothing" && ask "SELECT count(*) FROM event" 0
result $? 'a trace without calls is empty'

# -- calls read ahead --------------------------------------------------------------------------------------
for layout in doc g2 g3; do
    python3 "$oracle" random "$scratch/long-$layout" $layout 2 1500
    same_with_readers "long recordings of layout $layout" 0 "$scratch/long-$layout"
done
python3 "$oracle" pack "$scratch/long-g3" "$scratch/long.pack"
same_with_readers 'a packed archive' 0 "$scratch/long.pack"
same_with_readers 'some arguments' 0 --args context,result "$scratch/long-g3"
cp -r "$TRACETOOL_DATA/pi-run" "$scratch/part"
chmod -R u+w "$scratch/part"
rm -rf "$scratch/part/buffers"
same_with_readers 'memory that is not there' 0 "$scratch/part"
truncate -s -5 "$scratch/long-g3/main.pi_trace"
same_with_readers 'a cut recording' 0 "$scratch/long-g3"
dd if=/dev/zero of="$scratch/long-g3/main.pi_trace" bs=1 seek=50000 count=300 conv=notrunc 2>/dev/null
same_with_readers 'a damaged recording' 3 "$scratch/long-g3"
same_with_readers 'a damaged recording, what is good of it' 0 --salvage "$scratch/long-g3"

# -- archives ----------------------------------------------------------------------------------------------
archive() { # PROGRAM TEXT : makes $scratch/bad.pack of the bytes d of a good one
    python3 -c "
import struct
d = open('$scratch/g3.pack', 'rb').read()
entry = lambda kind, name, rest=b'': bytes([kind]) + struct.pack('<Q', len(name)) + name + rest
file = lambda name, data: entry(1, name, struct.pack('<Q', len(data)) + data)
$1
open('$scratch/bad.pack', 'wb').write(d)"
    refuses_import 1 "$2" --format pi "$scratch/bad.pack"
    result $? "archive: $2"
}
archive "d += file(b'../evil', b'')" 'unsafe name'
archive "d += file(b'/etc/evil', b'')" 'unsafe name'
archive "d += file(b'a/../../evil', b'')" 'unsafe name'
archive "d += file(b'a\\0b', b'')" 'unsafe name'
archive "d += entry(1, b'', b'')" 'unsafe name'
archive "d += bytes([1]) + struct.pack('<Q', 2**50) + b'x'" 'its name is longer than a name can be'
archive "d += entry(1, b'x', struct.pack('<Q', 2**60))" 'its packed bytes are more than are left'
archive "d += entry(2, b'x')" 'neither a file nor a directory'
archive "d += file(b'x', b'no frame at all')" 'no zstd frame'
archive "d += file(b'x', b'\\x28\\xb5\\x2f\\xfd\\xe0' + struct.pack('<Q', 2**62) + b'\\1\\0\\0')" 'the zstd frame says that it holds more than it can'
archive "d += file(b'x', b'\\x28\\xb5\\x2f\\xfd\\x00\\x58\\x01\\0\\0')" 'the zstd frame does not say how much it holds'
archive "d = d[:-3]" 'its packed bytes are more than are left'
finish
