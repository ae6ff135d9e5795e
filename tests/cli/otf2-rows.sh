#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# An export to OTF2 that is imported again holds the same rows, whatever the source; and no location's time steps back.
. "$SRCDIR/tests/cli/lib.sh"
examples=$TRACETOOL_DATA

# rows DATABASE : all that is known of the run, without ids.
rows() {
    for sql in \
        "SELECT pid, tid, name, suffix, raw_name, native_group, file, line, own_ts_ns, own_dur_ns, self_ns, depth, step, flags, json (args)
          FROM event ORDER BY 1, 2, 9, 12, 3, 10, 15, 14" \
        "SELECT f.pid, f.tid, f.name, f.own_ts_ns, t.pid, t.tid, t.name, t.own_ts_ns, w.kind FROM flow w JOIN event f ON f.id = w.from_event
          JOIN event t ON t.id = w.to_event ORDER BY 1, 2, 4, 3, 5, 6, 8, 7, 9" \
        "SELECT src_pid, src_tid, dst_pid, dst_tid, tag, comm, own_send_ns, own_recv_ns, bytes, flags FROM message ORDER BY 1, 2, 3, 4, 5, 6, 7, 8, 9" \
        "SELECT series, pid, tid, unit, monotonic, own_ts_ns, value FROM counter WHERE tid IS NOT NULL ORDER BY 1, 2, 3, 6, 7" \
        "SELECT e.pid, e.tid, e.name, e.own_ts_ns, m.name, m.inclusive, m.exclusive FROM metric m JOIN event e ON e.id = m.event ORDER BY 1, 2, 4, 3, 5, 6" \
        "SELECT function, pid, tid, comm, ordinal, root, flags FROM collective ORDER BY 1, 2, 3, 4, 5" \
        "SELECT p.pid, p.node, p.label, t.tid, t.label, r.rank FROM process p LEFT JOIN thread t ON t.process = p.id LEFT JOIN rank r ON r.process = p.id
          ORDER BY 1, 4" \
        "SELECT e.pid, e.tid, e.name, e.own_ts_ns, e.own_dur_ns, a.role, l.name, l.own_ts_ns, q.tid, a.correlation, a.waits_for, w.tid, a.blocks
          FROM activity a JOIN event e ON e.id = a.event LEFT JOIN event l ON l.id = a.launch LEFT JOIN thread q ON q.id = a.queue
          LEFT JOIN thread w ON w.id = a.waits_on ORDER BY 1, 2, 4, 3, 5, 6, 7, 8, 10" \
        "SELECT tensor_id, tensor_name, shape, dtype, update_id, source FROM parameter ORDER BY 1, 2, 3, 4, 5, 6" \
        "SELECT DISTINCT clock FROM source ORDER BY 1" \
        "SELECT * FROM task ORDER BY pid, id" "SELECT * FROM task_edge ORDER BY pid, src, dst, kind"; do
        echo "$sql" | cut -c 1-30
        "$TRACETOOL" --db "$1" query --format csv "$sql" || echo 'no rows'
    done
}

# again TEXT MUST PATH... : MUST stands in the rows of the path.
again() {
    text=$1
    must=$2
    shift 2
    rm -rf "$db" "$scratch/again.db" "$scratch/archive"
    run 0 import --db "$db" "$@" && filled "$db" &&
        run 0 export --db "$db" --clock original --otf2 "$scratch/archive" && ! grep -q 'left out' "$scratch/err" &&
        run 0 import --db "$scratch/again.db" "$scratch/archive/traces.otf2" && run 0 info --check --db "$scratch/again.db"
    status=$?
    rows "$db" >"$scratch/rows"
    rows "$scratch/again.db" >"$scratch/rows2"
    [ $status -eq 0 ] && grep -q -- "$must" "$scratch/rows" && diff "$scratch/rows" "$scratch/rows2" >"$scratch/diff"
    result $? "$text: the same rows"
    head -n 6 "$scratch/diff" | sed 's/^/# /'
    if command -v otf2-print >/dev/null; then
        otf2-print "$scratch/archive/traces.otf2" >"$scratch/printed" 2>&1 && ! grep -Eiq '^.{0,20}(warning|error)' "$scratch/printed" &&
            [ "$(awk '/^[A-Z_]+ +[0-9]+ +[0-9]+ / { n++; if ($3 + 0 < last[$2] + 0) back++; last[$2] = $3 }
                END { print (n > 0 ? back + 0 : "nothing") }' "$scratch/printed")" = 0 ]
        result $? "$text: otf2-print reads it, and no time steps back"
    else
        skip "$text: in otf2-print" 'no otf2-print (otf2-tools)'
    fi
}

again 'calls and kernels of a device, and what waits for what' ',awaits_device,' "$examples/kineto/late0.json"
again 'queues that wait for events' ',queue_awaits,' "$examples/kineto/waits.json"
again 'a device of HIP' ',kernel,' "$examples/rocprof/train.json"
again 'tensors' 'float32' "$examples/job-2x1"
again 'a task graph' 'saxpy' "$examples/pi-run"
again 'files that tell of one thread at the same times' 'MEM.edge_1_x.H2D' "$examples/framework/tensorflow"
again 'runs of MPI, all as one' 'MPI_Barrier' "$examples/recorded/mpi-late"
mpi=$examples/recorded/mpi
again 'runs of MPI whose times step back, all as one' 'MPI_Send' "$mpi/late-sender-chain-skewed" "$mpi/late-sender-chain" "$mpi/probe" \
    "$mpi/propagated"
again 'collectives on no stack' ',"collective,async",' "$examples/framework/nccl-profiler"
again 'names that are empty' 'COMP.unnamed' "$examples/chrome/odd"
again 'names that are alike' 'FW.while/Identity#3' "$examples/recorded/tensorflow-1.15.0.json.gz"
again 'metrics of spans around such without' 'cpu_time,9000,5000' "$examples/chrome/span-extras.json"
if [ -f "$SHARED_DATA/tau/synthetic/edge.trc" ]; then
    again 'a one-sided message of which both sides tell' ',onesided' "$SHARED_DATA/tau/synthetic/edge.trc" "$SHARED_DATA/tau/synthetic/edge.edf"
else
    skip 'a one-sided message' 'no shared test data'
fi

# A process has a task graph from each recording that is added; an archive has room for one.
cp -r "$examples/pi-run" "$scratch/later" && sed -i 's/saxpy/saxpz/' "$scratch/later/sycl.graph_trace" "$scratch/later/main.pi_trace"
rm -rf "$db" "$scratch/archive"
run 0 import --db "$db" --pid 0 "$examples/pi-run" && run 0 import --db "$db" --pid 0 --add "$scratch/later" &&
    run 0 export --db "$db" --otf2 "$scratch/archive" && grep -q 'left out 4 tasks of graphs of a process that has a later one' "$scratch/err" &&
    rm -f "$scratch/again.db" && run 0 import --db "$scratch/again.db" "$scratch/archive" &&
    run 0 query --db "$scratch/again.db" --format csv 'SELECT count (*) FROM task' && [ "$(tail -n 1 "$scratch/out")" = 4 ]
result $? 'of several task graphs of a process the last is kept, and that is said'

# Spans that cross, with instants, counters, asynchronous spans and flows between them.
if command -v python3 >/dev/null; then
    for seed in $(seeds 3); do
        python3 - "$seed" >"$scratch/random.json" <<'PYTHON'
import json, random, sys
draw = random.Random(int(sys.argv[1]))
events = []
for thread in range(3):
    for i in range(60):
        at, kind = draw.randrange(2000), draw.random()
        base = dict(pid=draw.choice([1, 2]), tid=thread, ts=at, name=f"f{draw.randrange(6)}")
        if kind < .5:
            events.append(dict(base, ph="X", dur=draw.randrange(300), args={"i": i}))
            if draw.random() < .3:
                events[-1].update(bind_id=draw.randrange(5), flow_in=draw.random() < .5, flow_out=draw.random() < .7)
        elif kind < .6:
            events.append(dict(base, ph="i", s=draw.choice("tpg")))
        elif kind < .7:
            events.append(dict(base, ph="C", args={"a": draw.randrange(99), "b": draw.random()}))
        elif kind < .8:
            events += [dict(base, ph="b", cat="c", id=i), dict(base, ph="e", cat="c", id=i, ts=at + draw.randrange(100)),
                       dict(base, ph="n", cat="c", id=i)]
        elif kind < .9:
            events += [dict(base, ph="s", cat="c", id=i),
                       dict(base, ph="f", cat="c", id=i, ts=at + draw.randrange(500), tid=draw.randrange(3))]
        else:
            events += [dict(base, ph="B"), dict(base, ph="E", ts=at + draw.randrange(200))]
json.dump(events, sys.stdout)
PYTHON
        again "spans that cross, seed $seed" ',overlap,' "$scratch/random.json"
    done

    # A byte that makes what follows look like the end of the file: where spans are lost, that is said.
    rows=$("$TRACETOOL" --db "$db" query --format csv 'SELECT count(*) FROM event' | tail -n 1) silent=0 said=0
    for at in 200 300 400 500 600 700; do
        rm -rf "$scratch/damaged" "$scratch/again.db"
        cp -r "$scratch/archive" "$scratch/damaged"
        python3 - "$scratch/damaged/traces/2.evt" "$at" <<'PYTHON'
import sys
data = bytearray(open(sys.argv[1], "rb").read())
# The record of a time, with which each event begins.
data[data.index(5, int(sys.argv[2]))] = 2
open(sys.argv[1], "wb").write(data)
PYTHON
        "$TRACETOOL" import --db "$scratch/again.db" "$scratch/damaged" >"$scratch/out" 2>"$scratch/err"
        [ "$("$TRACETOOL" --db "$scratch/again.db" query --format csv 'SELECT count(*) FROM event' 2>/dev/null | tail -n 1)" != "$rows" ] ||
            continue
        if grep -q 'events that its archive tells\|cut or damaged\|damaged at' "$scratch/err"; then said=$((said + 1)); else silent=$((silent + 1)); sed "s/^/# $at: /" "$scratch/err" "$scratch/out"; fi
    done
    [ "$said" -ge 2 ] && [ "$silent" -eq 0 ] && [ "$rows" -gt 100 ]
    result $? "an end in the middle of a location is no end ($said said, $silent not)"
else
    skip 'spans that cross' 'no python3'
fi

# Spans that cross bring their depths and flags with them. One damaged byte makes two names alike, and with them a span one within
# another of its name: counted are the spans, whatever is told of them.
echo '{"traceEvents":[{"ph":"X","name":"span_b","pid":1,"tid":2,"ts":0,"dur":120},
    {"ph":"X","name":"span_a","pid":1,"tid":2,"ts":0,"dur":50},{"ph":"X","name":"span_c","pid":1,"tid":2,"ts":40,"dur":110}]}' >"$scratch/alike.json"
import "$scratch/alike.json" && rm -rf "$scratch/alike" && run 0 --db "$db" export "--otf2=$scratch/alike" &&
    LC_ALL=C sed -i s/span_a/span_b/ "$scratch/alike/traces.def" && import "$scratch/alike" &&
    ask "SELECT count, total_ns FROM statistic WHERE name = 'COMP.span_b'" 2,120000 && run 0 --db "$db" info --check
result $? 'two names made alike where spans cross'
echo '{"traceEvents":[{"ph":"X","name":"span_b","pid":2,"tid":2,"ts":0,"dur":7}]}' >"$scratch/more.json"
run 0 --db "$db" import --add "$scratch/more.json" && ask "SELECT sum(count), sum(total_ns) FROM statistic WHERE name = 'COMP.span_b'" 3,127000 &&
    run 0 --db "$db" info --check
result $? 'and when more is added'
finish
