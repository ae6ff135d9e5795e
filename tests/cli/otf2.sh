#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# OTF2 archives: what an import holds, judged by what libotf2's own otf2-print prints; damage; what is refused and how it is said.
. "$SRCDIR/tests/cli/lib.sh"
# shellcheck source=tests/cli/readers-lib.sh
. "$SRCDIR/tests/cli/readers-lib.sh"
examples=$TRACETOOL_DATA/otf2

if ! command -v python3 >/dev/null; then
    skip 'OTF2 archives' 'no python3'
    finish
    exit
fi

query() { # SQL : of $db
    "$TRACETOOL" --db "$db" query --format csv "$1" | tail -n +2
}

# judge NAME ANCHOR : imports it, and compares each event with the printed one.
judge() {
    rm -f "$db"
    if ! run 0 import --db "$db" "$2" || ! filled "$db"; then
        result 1 "$1 is imported"
        return
    fi
    python3 "$SRCDIR/tests/oracles/otf2-printed.py" "$2" "$db" "$TRACETOOL" >"$scratch/verdict" 2>&1
    status=$?
    sed 's/^/# /' "$scratch/verdict"
    [ $status -eq 0 ] && grep -q '^[1-9][0-9]* spans' "$scratch/verdict"
    result $? "$1: spans, messages, collectives, counters and metrics are those that otf2-print prints"
}

if command -v otf2-print >/dev/null; then
    judge 'a recording of TAU' "$examples/ring/traces.otf2"
    judge 'every kind of record' "$examples/every-kind/traces.otf2"
    if /usr/bin/python3 -c 'import otf2' 2>/dev/null; then
        for seed in $(seeds 8); do
            /usr/bin/python3 "$SRCDIR/tests/oracles/otf2-write.py" "$scratch/random" "$seed" 4 150 >/dev/null
            judge "random archive $seed" "$scratch/random/traces.otf2"
            rm -rf "$scratch/random"
        done
        # Several chunks of 256 KiB.
        /usr/bin/python3 "$SRCDIR/tests/oracles/otf2-write.py" "$scratch/long" 2 2 "$(again && echo 1000 || echo 5000)" >/dev/null
        judge 'an archive of many chunks' "$scratch/long/traces.otf2"
        rm -rf "$scratch/long"
    else
        skip 'random archives' 'no python3-otf2'
    fi
else
    skip 'archives against otf2-print' 'no otf2-print (otf2-tools)'
fi

# -- what becomes of what ------------------------------------------------------------------------------------------------

rm -f "$db"
run 0 import --db "$db" "$examples/every-kind" && filled "$db"
result $? 'a folder with an archive is imported'
[ "$(query "SELECT group_concat(pid || ' ' || rank || ' ' || node, ', ') FROM (SELECT * FROM process WHERE rank >= 0 ORDER BY rank)")" = \
    '"MPI Rank 0 0 host0, MPI Rank 1 1 host0, MPI Rank 2 2 host1, MPI Rank 3 3 host1"' ]
result $? 'location groups are processes with their rank of MPI and their host'
[ "$(query "SELECT count(DISTINCT rank) || ' ' || count(*) FROM rank")" = '4 8' ]
result $? 'an accelerator belongs to the rank that created it'
[ "$(query "SELECT DISTINCT args FROM event WHERE raw_name = 'read'")" = \
    '"{""handle"": ""/data/in.h5"",""mode"": ""read"",""creation_flags"": 0,""status_flags"": 0,""operation_flags"": 0,""bytes_request"": 1048576,""matching"": 5,""bytes_result"": 1000}"' ]
result $? 'what a file operation tells is an argument of its call'
[ "$(query "SELECT DISTINCT json_extract(args, '\$.label') || json_extract(args, '\$.size') || json_extract(args, '\$.mode') || json_extract(args, '\$.count') FROM event WHERE json_extract(args, '\$.label') IS NOT NULL")" = \
    '"née ""x""-42fast9.22337203685478e+18"' ]
result $? 'attributes and parameters are arguments'
[ "$(query "SELECT json_extract(args, '\$.path') || ' ' || json_extract(args, '\$.line') FROM event WHERE json_extract(args, '\$.generator') = 'timer' LIMIT 1")" = \
    'f0<std::vector<int>>/f1<std::vector<int>> 77' ]
result $? 'a sample has its call path'
[ "$(query "SELECT name || ' ' || args FROM event WHERE tid = 'markers'")" = '"RT.category {""text"": ""look here"", ""severity"": ""medium""}"' ]
result $? 'markers are spans of a row of their own'
[ "$(query "SELECT group_concat(DISTINCT name) FROM (SELECT name FROM event WHERE pid LIKE 'GPU%' AND dur_ns IS NOT NULL ORDER BY name)")" = \
    '"COMP.saxpy,MEM.copy to device.H2D"' ]
result $? 'streams have kernels and copies'
run 0 kernels --db "$db" && grep -q saxpy "$scratch/out"
result $? 'kernels of accelerators are kernels'
if /usr/bin/python3 -c 'import otf2' 2>/dev/null; then
    /usr/bin/python3 "$SRCDIR/tests/oracles/otf2-scorep-gpu.py" "$scratch/scorep" >/dev/null && rm -f "$db" && run 0 import --db "$db" "$scratch/scorep" &&
        run 0 kernels --db "$db" --format csv --unit ns && has out 'saxpy(int, float)' && refute has out IDLE
    result $? 'what Score-P says of idle devices is no kernel'
    # From the first copy to the end of the last: 34,100 ns, of these 4 * 2,000 in kernels and 4 * 1,900 in copies.
    run 0 breakdown --db "$db" --format json --unit ns && python3 - out <<'PYTHON'
import json, sys
rank, = json.load(open(sys.argv[1]))
assert [rank[key] for key in ("time_ns", "compute_ns", "memory_ns", "idle_ns")] == [34100, 8000, 7600, 18500], rank
PYTHON
    result $? 'and the device is idle then'
    run 0 kernels --db "$db" --show copies --format csv --unit ns && [ "$(grep -cE '(H2D|D2H|D2D)' out)" -eq 3 ] &&
        [ "$(query "SELECT group_concat(n) FROM (SELECT sub_op || ' ' || count(*) || ' ' || sum(json_extract(args, '\$.bytes')) AS n FROM event WHERE op_cat = 'MEM' GROUP BY sub_op)")" = \
            '"D2D 4 400,D2H 4 32768,H2D 4 16384"' ]
    result $? 'its gets and puts are copies to the device, from it and on it'
    run 0 kernels --db "$db" --show grids --format csv --unit ns && python3 - out <<'PYTHON'
import csv, sys
row, = csv.DictReader(open(sys.argv[1]))
assert [row[key] for key in ("grid", "block", "registers", "shared_bytes", "count")] == ["128", "96", "40", "4608", "4"], row
PYTHON
    result $? 'how many blocks and threads a kernel has stands where its grid does'
    # As APEX writes HPX's tasks: a task that is renamed is left under its new name. What is left and was never entered ends nothing.
    /usr/bin/python3 - "$scratch/renamed" >/dev/null <<'PYTHON' && rm -f "$db" && run 0 import --db "$db" "$scratch/renamed"
import sys, otf2
with otf2.writer.open(sys.argv[1], timer_resolution=10**9) as trace:
    d = trace.definitions
    thread = d.location("thread", group=d.location_group("process", system_tree_parent=d.system_tree_node("node")))
    task, new, lone, outer = (d.region(name) for name in ("task", "renamed", "lone", "outer"))
    guid = d.attribute("GUID", "", otf2.enums.Type.UINT64)
    w = trace.event_writer_from_location(thread)
    w.enter(1000, outer, attributes={guid: 1})
    w.enter(2000, task, attributes={guid: 2})
    w.leave(5000, new, attributes={guid: 2})
    w.leave(6000, lone, attributes={guid: 3})
    w.leave(9000, outer, attributes={guid: 1})
PYTHON
    [ "$(query "SELECT group_concat(n) FROM (SELECT name || ' ' || own_dur_ns || ' ' || self_ns AS n FROM event ORDER BY name)")" = \
        '"COMP.outer 8000 5000,COMP.task 3000 3000"' ] &&
        [ "$(query "SELECT json_extract(repairs, '\$.other_name.count') || json_extract(repairs, '\$.leave_without_enter.count') FROM source")" = 11 ]
    result $? 'a task that is left under another name ends there'
    [ "$(query "SELECT group_concat(name || ' ' || json_extract(args, '\$.left_as')) FROM event")" = 'COMP.task renamed' ]
    result $? 'and that name is its argument'
else
    skip 'what Score-P says of idle devices is no kernel' 'no python3-otf2'
fi
rm -f "$db"
run 0 import --db "$db" "$examples/every-kind"
[ "$(query "SELECT count(*) FROM (SELECT comm, function, ordinal FROM collective WHERE function = 'MPI_Allreduce' GROUP BY 1, 2, 3
    HAVING count(*) NOT IN (2, 4))")" = 0 ]
result $? 'calls of a communicator are together'
query "SELECT function, comm, ordinal, event, root, flags FROM collective WHERE comm > 0 ORDER BY 1, 2, 3, 4" >"$scratch/told"
run 0 import --add --db "$db" "$examples/ring/traces.otf2"
query "SELECT function, comm, ordinal, event, root, flags FROM collective WHERE comm > 0 ORDER BY 1, 2, 3, 4" >"$scratch/told2"
grep -q ',MPI Rank 1,' "$scratch/told" && diff "$scratch/told" "$scratch/told2" >"$scratch/diff"
result $? 'what was told of collectives stays when more is added to the run'

rm -f "$db"
run 0 import --db "$db" "$examples/ring/traces.otf2" && filled "$db"
[ "$(query "SELECT count(*) || ' ' || sum(send_ns IS NULL OR recv_ns IS NULL) || ' ' || sum(bytes) FROM message")" = '45 0 240' ]
result $? 'all messages of the ring have both sides'
run 1 import --db "$db" "$examples/ring/traces.otf2"
grep -q 'already' "$scratch/err"
result $? 'the same archive twice is refused'

# -- export ------------------------------------------------------------------------------------------------------------

# rows DATABASE : what an archive keeps of it.
rows() {
    for sql in \
        "SELECT pid, tid, name, suffix, raw_name, native_group, file, line, own_ts_ns, own_dur_ns, self_ns, depth, step, flags, json (args)
          FROM event ORDER BY 1, 2, 9, 12, 3, 15" \
        "SELECT f.pid, f.tid, f.name, f.own_ts_ns, t.pid, t.tid, t.name, t.own_ts_ns, w.kind FROM flow w JOIN event f ON f.id = w.from_event
          JOIN event t ON t.id = w.to_event ORDER BY 1, 2, 4, 3, 5, 6, 8, 7, 9" \
        "SELECT src_pid, src_tid, dst_pid, dst_tid, tag, comm, own_send_ns, own_recv_ns, bytes FROM message ORDER BY 1, 2, 3, 4, 5, 6, 7, 8" \
        "SELECT series, pid, tid, unit, monotonic, own_ts_ns, value FROM counter WHERE tid IS NOT NULL ORDER BY 1, 2, 3, 6, 7" \
        "SELECT e.pid, e.tid, e.name, e.own_ts_ns, m.name, m.inclusive FROM metric m JOIN event e ON e.id = m.event ORDER BY 1, 2, 4, 3, 5, 6" \
        "SELECT function, pid, tid, comm, root, flags FROM collective ORDER BY 1, 2, 3, 4, 5" \
        "SELECT p.pid, p.node, p.label, t.tid, t.label, r.rank FROM process p LEFT JOIN thread t ON t.process = p.id LEFT JOIN rank r ON r.process = p.id
          ORDER BY 1, 4" \
        "SELECT p.pid, t.tid, m.key, m.value FROM metadata m JOIN process p ON p.id = m.process LEFT JOIN thread t ON t.id = m.thread ORDER BY 1, 2, 3, 4"; do
        "$TRACETOOL" --db "$1" query --format csv "$sql" || echo 'no rows'
    done
}

for trace in otf2/every-kind otf2/ring tau-mpi4 succeed/metrics succeed/deep succeed/callpaths ctf-hosts chrome/every-kind.json pi-run job-2x1; do
    rm -rf "$db" "$scratch/again.db" "$scratch/archive"
    run 0 import --db "$db" "$TRACETOOL_DATA/$trace" && filled "$db" &&
        run 0 export --db "$db" --clock original --otf2 "$scratch/archive" && grep -q '^tracetool: wrote' "$scratch/err" &&
        run 0 import --db "$scratch/again.db" "$scratch/archive/traces.otf2"
    status=$?
    rows "$db" >"$scratch/rows"
    rows "$scratch/again.db" >"$scratch/rows2"
    [ $status -eq 0 ] && [ "$(wc -l <"$scratch/rows")" -gt 10 ] && diff "$scratch/rows" "$scratch/rows2" | sed 's/^/# /' >"$scratch/diff" &&
        [ ! -s "$scratch/diff" ]
    result $? "$trace: its OTF2 archive has the same rows"
    head -n 6 "$scratch/diff"
    if command -v otf2-print >/dev/null; then
        otf2-print "$scratch/archive/traces.otf2" >"$scratch/printed" 2>&1 && otf2-print -G "$scratch/archive/traces.otf2" >"$scratch/defined" 2>&1 &&
            grep -q '^ENTER' "$scratch/printed" && grep -q '^REGION' "$scratch/defined" && ! grep -Eiq 'warning|error' "$scratch/printed" "$scratch/defined"
        result $? "$trace: otf2-print has nothing to say against it"
        # As if another tool had written it, for then only OTF2's own rules apply.
        rm -rf "$scratch/other" "$scratch/other.db"
        cp -r "$scratch/archive" "$scratch/other"
        sed -i 's/tracetool/elsewhere/' "$scratch/other/traces.otf2"
        run 0 import --db "$scratch/other.db" "$scratch/other" &&
            python3 "$SRCDIR/tests/oracles/otf2-printed.py" "$scratch/other/traces.otf2" "$scratch/other.db" "$TRACETOOL" >"$scratch/verdict" 2>&1
        status=$?
        sed 's/^/# /' "$scratch/verdict"
        [ $status -eq 0 ]
        result $? "$trace: otf2-print shows what was exported"
        if /usr/bin/python3 -c 'import otf2' 2>/dev/null; then
            /usr/bin/python3 "$SRCDIR/tests/oracles/otf2-attributes.py" "$scratch/archive/traces.otf2" "$db" "$TRACETOOL" >"$scratch/verdict" 2>&1
            status=$?
            sed 's/^/# /' "$scratch/verdict" | cut -c 1-300
            [ $status -eq 0 ] && grep -q '^[1-9][0-9]* spans and' "$scratch/verdict"
            result $? "$trace: the Python module of libotf2 reads its arguments and instants"
        else
            skip "$trace: arguments and instants" 'no python3-otf2'
        fi
    fi
    cp -r "$scratch/archive" "$scratch/first"
    rm -r "$scratch/archive"
    run 0 export --db "$db" --clock original --otf2 "$scratch/archive" && diff -r "$scratch/first" "$scratch/archive" >/dev/null
    result $? "$trace: the same run is the same archive, byte for byte"
    rm -r "$scratch/first"
done

if command -v otf2-print >/dev/null; then
    rm -rf "$db" "$scratch/archive"
    run 0 import --db "$db" "$examples/every-kind" && run 0 export --db "$db" --clock original --otf2 "$scratch/archive"
    # members ARCHIVE NAME ... : the members of the communicators, as otf2-print names them.
    members() {
        otf2-print -G "$1/traces.otf2" >"$scratch/printed"
        shift
        for name; do
            group=$(sed -n "s/^COMM  *[0-9][0-9]*  Name: \"$name\".*, Group: \".*\" <\([0-9]*\)>, Parent.*/\1/p" "$scratch/printed")
            sed -n "s/^GROUP  *$group  .*Members: //p" "$scratch/printed"
        done
    }
    members "$examples/every-kind" MPI_COMM_WORLD 'half 0' 'half 1' >"$scratch/members"
    members "$scratch/archive" 'communicator 1' 'communicator 2' 'communicator 3' >"$scratch/members2"
    [ "$(wc -l <"$scratch/members")" -eq 3 ] && diff "$scratch/members" "$scratch/members2" >"$scratch/diff"
    result $? 'communicators have their members'
    head -n 6 "$scratch/diff"
fi
# TAU names no communicator: what was inferred is there for other programs.
if command -v otf2-print >/dev/null; then
    rm -rf "$db" "$scratch/archive"
    run 0 import --db "$db" "$TRACETOOL_DATA/recorded/mpi/sub-communicators" && run 0 export --db "$db" --clock original --otf2 "$scratch/archive"
    otf2-print "$scratch/archive/traces.otf2" >"$scratch/printed"
    [ "$(grep -c '^MPI_COLLECTIVE_END.*"inferred communicator' "$scratch/printed")" = \
        "$(query "SELECT count(*) FROM collective WHERE comm IS NOT NULL AND function <> 'MPI_Finalize' AND function NOT LIKE 'MPI_Init%' AND function NOT LIKE 'MPI_Comm%'")" ]
    result $? 'calls of communicators that were inferred are collectives of OTF2'
fi

run 2 export --db "$db" --otf2 "$scratch/archive"
grep -q "is there already" "$scratch/err"
result $? 'an archive is not written over another'
run 2 export --db "$db" --otf2 "$scratch/none" --filter pid=nothing
grep -q 'nothing to write' "$scratch/err" && [ ! -e "$scratch/none" ]
result $? 'an archive of nothing is refused, and leaves nothing'
rm -f "$db"
run 0 import --db "$db" "$TRACETOOL_DATA/tau-mpi4"
(ulimit -f 1 && trap '' XFSZ && exec "$TRACETOOL" --db "$db" export --otf2 "$scratch/full" >"$scratch/out" 2>"$scratch/err")
[ $? -eq 1 ] && grep -q 'cannot write' "$scratch/err" && [ ! -e "$scratch/full" ]
result $? 'an archive that cannot be written whole leaves nothing'
run 0 export --db "$db" --otf2 "$scratch/some" --filter op_cat=Comm && run 0 import --db "$scratch/some.db" "$scratch/some" &&
    [ "$("$TRACETOOL" --db "$scratch/some.db" query --format csv "SELECT count(*) FROM event WHERE op_cat <> 'Comm'" | tail -n 1)" = 0 ]
result $? 'only what is selected is exported'

if again; then
    skip 'many locations' 'another build shows what they cost'
elif /usr/bin/python3 -c 'import otf2' 2>/dev/null && command -v otf2-print >/dev/null; then
    # Many locations with few events: each costs what it holds.
    /usr/bin/python3 "$SRCDIR/tests/oracles/otf2-write.py" "$scratch/wide" 1 200 60 >/dev/null
    rm -f "$db"
    run 0 import --db "$db" "$scratch/wide" && filled "$db"
    python3 - "$TRACETOOL" --db "$db" export --otf2 "$scratch/wide2" >"$scratch/peak" 2>"$scratch/err" <<'PYTHON'
import os, sys
child = os.spawnv(os.P_NOWAIT, sys.argv[1], sys.argv[1:])
_, status, used = os.wait4(child, 0)
print(os.waitstatus_to_exitcode(status), used.ru_maxrss)
PYTHON
    read -r status peak <"$scratch/peak"
    [ "$status" -eq 0 ] && [ "$peak" -lt 400000 ] && [ -s "$scratch/wide2/traces.otf2" ]
    result $? "an archive of 600 locations is written in less than 400 MB ($peak KiB)"
    rm -rf "$scratch/wide" "$scratch/wide2"
else
    skip 'many locations' 'no python3-otf2'
fi

# -- snapshots --------------------------------------------------------------------------------------------------------------

# libotf2's tool writes them, and thumbnails, beside the events, which say the same.
cp -r "$examples/ring" "$scratch/shots" && chmod -R u+w "$scratch/shots"
if command -v otf2-snapshots >/dev/null && otf2-snapshots -n 5 "$scratch/shots/traces.otf2" >"$scratch/out" 2>&1; [ -s "$scratch/shots/traces/0.snap" ]; then
    rm -f "$db" "$scratch/again.db"
    run 0 import --db "$db" "$examples/ring" && run 0 import --db "$scratch/again.db" "$scratch/shots" && refute has err 'left aside' &&
        rows "$db" >"$scratch/rows" && rows "$scratch/again.db" >"$scratch/rows2" && grep -q MPI_Send "$scratch/rows" &&
        diff "$scratch/rows" "$scratch/rows2" | sed 's/^/# /' >"$scratch/diff" && [ ! -s "$scratch/diff" ]
    result $? 'an archive with snapshots and thumbnails has the rows that it has without'
    head -n 6 "$scratch/diff"
else
    skip 'an archive with snapshots' 'no otf2-snapshots (otf2-tools)'
fi
rm -rf "$scratch/shots"

# -- locations read by several threads -------------------------------------------------------------------------------

same_with_readers 'every kind of record' 0 "$examples/every-kind"
cp -r "$examples/ring" "$scratch/part"
head -c 1500 "$examples/ring/traces/0.evt" >"$scratch/part/traces/0.evt"
rm "$scratch/part/traces/2.evt"
same_with_readers 'a cut and a missing file' 0 "$scratch/part"
: >"$scratch/part/traces/6.evt"
same_with_readers 'an empty file' 3 "$scratch/part"
rm -rf "$scratch/part"
if /usr/bin/python3 -c 'import otf2' 2>/dev/null; then
    # shellcheck disable=SC2046
    /usr/bin/python3 "$SRCDIR/tests/oracles/otf2-write.py" "$scratch/many" $(again && echo 6 12 800 || echo 6 40 2000) >/dev/null
    same_with_readers 'a hundred locations, some of many chunks' 0 "$scratch/many"
    rm -rf "$scratch/many"
else
    skip 'many locations, several threads' 'no python3-otf2'
fi

# -- what is refused -----------------------------------------------------------------------------------------------------

run 1 import --db "$scratch/no.db" "$examples/ring/traces/0.evt"
grep -q "part of an OTF2 archive.*give its anchor, '.*/ring/traces.otf2'" "$scratch/err"
result $? 'a part alone is refused, and its anchor named'
mkdir "$scratch/lone" && cp "$examples/ring/traces.otf2" "$scratch/lone/"
run 1 import --db "$scratch/no.db" "$scratch/lone/traces.otf2"
grep -q 'traces.def' "$scratch/err"
result $? 'an anchor without definitions is refused'
cp -r "$examples/ring" "$scratch/sion"
python3 - "$scratch/sion/traces.otf2" <<'PYTHON'
import sys
data = bytearray(open(sys.argv[1], "rb").read())
data[28] = 2
open(sys.argv[1], "wb").write(data)
PYTHON
run 1 import --db "$scratch/no.db" "$scratch/sion/traces.otf2"
grep -q 'SIONlib' "$scratch/err"
result $? 'an archive in SIONlib containers is refused with a word'
rm -rf "$scratch/sion"

# -- damage ----------------------------------------------------------------------------------------------------------------

cp -r "$examples/ring" "$scratch/cut"
head -c 1500 "$examples/ring/traces/0.evt" >"$scratch/cut/traces/0.evt"
rm -f "$db"
run 0 import --db "$db" "$scratch/cut/traces.otf2" && grep -q 'repairs.* 88 events that files cut' "$scratch/out" &&
    grep -q '0.evt: cut or damaged at byte 1494' "$scratch/err"
result $? 'a file that is cut is read up to there, and that is said'
rm "$scratch/cut/traces/2.evt"
rm -f "$db"
run 0 import --db "$db" "$scratch/cut/traces.otf2"
grep -q '2.evt: not there' "$scratch/err" && [ "$(query "SELECT lost FROM trust WHERE kind = 'file' AND pid = 'group 1'")" = 1 ]
result $? 'a file that is gone is said, and counted at its process'
: >"$scratch/cut/traces/6.evt"
rm -f "$db"
run 3 import --db "$db" "$scratch/cut/traces.otf2"
grep -q '6.evt: an empty file' "$scratch/err"
result $? 'a location of which nothing can be read is left out, with exit status 3'
run 1 import --db "$scratch/no.db" --strict "$scratch/cut/traces.otf2" && grep -q '^tracetool: ' "$scratch/err" && [ ! -e "$scratch/no.db" ]
result $? '--strict refuses it'
rm -rf "$scratch/cut"

python3 - "$examples/every-kind" "$scratch/mutated" "$(often 40)" <<'PYTHON'
import os, random, shutil, sys
source, target, n = sys.argv[1], sys.argv[2], int(sys.argv[3])
for seed in range(n):
    rng = random.Random(seed)
    shutil.copytree(source, f"{target}/{seed}")
    files = [f"{folder}/{name}" for folder, _, names in os.walk(f"{target}/{seed}") for name in names]
    for path in rng.sample(sorted(files), 3):
        data = bytearray(open(path, "rb").read())
        for _ in range(rng.randrange(1, 6)):
            at = rng.randrange(len(data))
            what = rng.randrange(4)
            if what == 0:
                data[at] ^= 1 << rng.randrange(8)
            elif what == 1:
                data[at:at + rng.randrange(9)] = bytes(rng.randrange(256) for _ in range(rng.randrange(9)))
            elif what == 2:
                data[at:at + 8] = b"\xff" * 8
            elif len(data) > 2:
                del data[at:]
        open(path, "wb").write(data)
PYTHON
odd=0
tried=0
whole=0
for folder in "$scratch"/mutated/*; do
    rm -f "$db"
    tried=$((tried + 1))
    timeout 60 "$TRACETOOL" import --db "$db" "$folder" >"$scratch/out" 2>"$scratch/err" </dev/null
    case $? in
    0 | 3) "$TRACETOOL" --db "$db" info --check >"$scratch/out" 2>"$scratch/err" && grep -q 'is whole: [1-9]' "$scratch/out" && whole=$((whole + 1)) || odd=$((odd + 1)) ;;
    1) [ -s "$scratch/err" ] || odd=$((odd + 1)) ;;
    *) odd=$((odd + 1)) && echo "# $folder: $(tail -n 1 "$scratch/err")" ;;
    esac
done
[ $whole -gt 0 ] && [ $odd -eq 0 ]
result $? "archives with changed bytes are read or refused with a word ($tried tried)"

# -- definitions of a location that contradict each other ----------------------------------------------------------
# edited EXPRESSION : ring/ with other definitions of location 0: b without the end, and what comes before that
edited() {
    rm -rf edited && cp -r "$examples/ring" edited && chmod -R u+w edited && python3 -c '
import struct, sys
b = bytearray(open("edited/traces/0.def", "rb").read())
def offset(time, ticks):
    return b"\x06\x19" + struct.pack("<Q", time) + b"\x08" + struct.pack("<q", ticks) + bytes(8)
exec(sys.argv[1])
open("edited/traces/0.def", "wb").write(b)' "$1" && import edited
}
edited 'b[-2:-2] = offset (1, 0) + offset (1 << 40, 1 << 20)' && ask 'SELECT repairs IS NULL FROM source' 1
result $? 'clocks that drift'
edited 'b[-2:-2] = offset (1, 0) + offset (1 << 40, 1 << 60)' && ask "SELECT json_extract (repairs, '\$.bad_row.count') FROM source" 1
result $? 'an offset that no drift explains'
# The record of the clock, of which a tick is a us, becomes one of a kind that nobody knows: libotf2 reads on, with times as they stand.
rm -f "$db"
import "$examples/ring" &&
    length=$("$TRACETOOL" --db "$db" query --format csv 'SELECT (max (own_ts_ns + own_dur_ns) - min (own_ts_ns)) / 1000 FROM event' | tail -n 1) &&
    rm -rf edited && cp -r "$examples/ring" edited && chmod -R u+w edited && python3 -c '
b = bytearray(open("edited/traces.def", "rb").read())
assert b[18:20] == b"\5\x19"
b[18] = 200
open("edited/traces.def", "wb").write(b)' && rm -f "$db" && import edited && [ "$length" -gt 0 ] &&
    ask "SELECT s.clock || ' ' || (max (own_ts_ns + own_dur_ns) - min (own_ts_ns)) || ifnull (s.repairs, '') FROM event, source s" "ticks $length"
result $? 'without a clock times are ticks'
run 0 export --db "$db" --otf2 counted && rm -f "$db" && import counted &&
    ask "SELECT clock || ' ' || (max (own_ts_ns + own_dur_ns) - min (own_ts_ns)) FROM event, source" "ticks $length"
result $? 'and stay such in an archive that is written of them'
finish
