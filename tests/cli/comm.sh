#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# comm: pairs, matrix, ranks and collectives against SQL over the same database.
. "$SRCDIR/tests/cli/lib.sh"
"$TRACETOOL" import -q "$TRACETOOL_DATA/tau-merged" || exit 1
sql() { "$TRACETOOL" query "$1" --format csv | tail -n +2; }

run 0 comm && has out '52 messages, 52 matched' 'node3' 'MPI_Allreduce'
result $? 'pairs, processes and collectives'
run 0 comm --format csv --unit ns && cp out all && body | cut -d, -f 1-4 | sort >pairs &&
    sql 'SELECT src_pid, dst_pid, count(*), sum(bytes) FROM message GROUP BY 1, 2' | sort | same - pairs
result $? 'counts and bytes of pairs'
body all | cut -d, -f 1,2,6 | sort >averages
sql 'SELECT src_pid, dst_pid, CASE WHEN sum(bytes) % count(*) = 0 THEN sum(bytes) / count(*) ELSE sum(bytes) * 1.0 / count(*) END FROM message GROUP BY 1, 2' |
    sort | same - averages
result $? 'average sizes keep their fraction'
body all | cut -d, -f 1,2,8 | sort >waits
sql 'SELECT m.src_pid, m.dst_pid, sum(max(0, min(m.send_ns, e.ts_ns + e.dur_ns) - e.ts_ns)) FROM message m JOIN event e ON e.id = m.recv_event GROUP BY 1, 2' |
    sort | same - waits
result $? 'waits of pairs are those of late senders'
column bytes all >column && sort -rn column | same - column
result $? 'most bytes first'
run 0 comm --sort wait --format csv --unit ns && column wait_ns >column && sort -rn column | same - column
result $? '--sort wait'
run 0 comm --top 2 && has out 'and 6 more ('
result $? '--top counts the rest'
run 0 comm --matrix bytes --format csv && [ "$(tail -n 1 out | awk -F, '{ print $NF }')" = "$(sql 'SELECT sum(bytes) FROM message')" ] && lines out 6 &&
    head -n 1 out | grep -qx 'src,node0,node1,node2,node3,sum'
result $? 'the matrix sums to all bytes, in order of ranks'
run 0 comm --matrix count && has out 'From \ to'
result $? 'a matrix as a table'
run 2 comm --matrix bites && has err "did you mean 'bytes'?"
result $? 'a misspelt quantity gets the nearest'
run 0 comm --show collectives --format csv --unit ns && body | cut -d, -f 1,2,3,4,6 | sort >collectives &&
    sql 'SELECT function, count(*), max(n), min(spread), max(spread) FROM (SELECT c.function, c.ordinal, count(*) AS n, max(e.ts_ns) - min(e.ts_ns) AS spread FROM collective c JOIN event e ON e.id = c.event GROUP BY c.function, c.comm, c.ordinal) GROUP BY function' |
    sort | same - collectives
result $? 'collectives: calls, ranks, spread'
run 0 comm --show ranks --format csv && lines out 5
result $? 'one row a rank'
if command -v python3 >/dev/null; then
    python3 - "$TRACETOOL" <<'EOF'
import fcntl, os, pty, struct, subprocess, sys, termios
for command in (["comm"], ["stats"], ["stats", "--per", "pid"]):
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    child = subprocess.Popen([sys.argv[1]] + command, stdout=theirs)
    os.close(theirs)
    text = b""
    try:
        while part := os.read(ours, 65536):
            text += part
    except OSError:
        pass
    assert child.wait() == 0
    lines = text.decode().replace("\r", "").split("\n")
    wide = [line for line in lines if len(line) > 80]
    assert len(lines) > 5 and not wide, (command, wide)
EOF
    result $? 'tables fit a terminal of 80 columns'
else
    skip 'tables fit a terminal of 80 columns' 'python3 is not here'
fi
run 0 comm --filter pid=node0 --format csv && body >pairs && refute matches pairs -v node0
result $? 'a filter keeps the messages of a process'
run 0 comm --time-window 0:1 && has err 'no message'
result $? 'a window without messages says so'
if command -v python3 >/dev/null; then
    run 0 comm --format json && python3 -c 'import json, sys
d = json.load(sys.stdin)
assert list(d) == ["pairs", "ranks", "collectives", "groups"] and len(d["ranks"]) == 4' <out
    result $? 'json has all tables'
else
    skip 'json has all tables' 'python3 is not here'
fi
# -- process groups ------------------------------------------------------------------------------------
if command -v python3 >/dev/null; then
    python3 "$TRACETOOL_DATA/generators/collectives.py" made && diff -r made "$TRACETOOL_DATA/collectives"
    result $? 'the examples are what their generator writes'
    rm -rf "$TRACETOOL_DATA/generators/__pycache__"
else
    skip 'the examples are what their generator writes' 'python3 is not here'
fi
groups() { # TRACE... : the table, into groups.csv
    rm -f groups.db && run 0 --db groups.db import -q "$@" && run 0 --db groups.db comm --show groups --format csv --unit ns && cp out groups.csv
}
# Of a call only the kernel counts, or the record on the host, or the annotation; "wait" and "init" are no calls.
groups "$TRACETOOL_DATA"/collectives/rank?.json && cat >wanted <<'END' && same wanted groups.csv
group,description,members,function,calls,partial,group_size,ranks,bytes_in,bytes_out,time_ns,algorithm_gb_per_s,bus_gb_per_s
0,default_pg,"[0, 1]",ALLGATHER,1,0,2,2,2048,4096,18000,0.256,0.128
0,default_pg,"[0, 1]",ALLREDUCE,2,1,2,2,20480,20480,110000,0.2048,0.2048
0,default_pg,"[0, 1]",BARRIER,1,0,2,2,2,2,10000,0.0002,
0,default_pg,"[0, 1]",RECV,1,0,2,1,1024,1024,32000,0.032,0.032
0,default_pg,"[0, 1]",REDUCE_SCATTER,1,0,2,2,16384,8192,40000,0.512,0.256
0,default_pg,"[0, 1]",SEND,1,0,2,1,1024,1024,32000,0.032,0.032
1,tp,[0],ALLTOALL,1,0,1,1,512,512,10000,0.0512,0
1,tp,[1],ALLTOALL,1,0,1,1,512,512,10000,0.0512,0
2,host,"[0, 1]",ALLREDUCE,1,0,2,2,2048,2048,18000,,
gloo,,,ALLGATHER,1,0,,2,256,,165000,,
gloo,,,ALLREDUCE,1,0,,2,2400,2400,165000,0.015,
gloo,,,BARRIER,1,0,,2,,,165000,,
END
result $? 'process groups: each call once, ranks joined, bytes and bandwidths'
run 0 --db groups.db export -o groups.json && groups groups.json && same wanted groups.csv
result $? 'of an export, too'
run 0 --db again.db import -q "$TRACETOOL_DATA/collectives/rank0.json" && run 0 --db again.db import -q --add "$TRACETOOL_DATA/collectives/rank1.json" &&
    run 0 --db again.db comm --show groups --format csv --unit ns && same wanted out
result $? 'of ranks that come one after another'
run 0 --db groups.db comm --show groups --filter pid=rank1.1 --format csv && body | cut -d, -f 1,5 | sort -u | head -1 | grep -q '^0' && refute has out gloo
result $? 'a filter leaves the spans of a process'
if command -v python3 >/dev/null; then
    for traces in "$TRACETOOL_DATA/collectives/rank?.json" "$TRACETOOL_DATA/kineto/rank?.json" "$SHARED_DATA/kineto/nccl_data.json.gz"; do
        case $traces in "$SHARED_DATA"*) [ -e "$traces" ] || { skip "$(basename "$traces")" 'no shared data'; continue; } ;; esac
        # shellcheck disable=SC2086
        groups $traces && python3 "$SRCDIR/tests/oracles/comm-groups.py" groups.csv $traces >differences
        status=$?
        [ ! -s differences ] || sed 's/^/# /' differences
        result $status "groups of $(basename "$traces") as an independent reader counts them"
    done
    python3 - >hostile.json <<'END'
import json
deep = "[" * 900 + "]" * 900
odd = [{"In msg nelems": -1}, {"In msg nelems": 2**62, "dtype": "Double"}, {"In msg nelems": "many", "Group size": -3}, {"Group size": 2**40, "Seq": -1},
       {"Process Group Name": "x" * 5000}, {"Process Group Ranks": "[" + "1, " * 90000 + "1]", "dtype": "Float9"}, {"Seq": 2**63 - 1}, {"dtype": ["Float"]},
       {"Process Group Name": "a\u001fb;\"", "Process Group Description": "\u0000"}, {"Collective name": 7}, {"Input Dims": json.loads(deep)}]
events = [{"ph": "X", "cat": "kernel", "name": "ncclDevKernel_AllReduce_Sum_f32", "pid": 0, "tid": 7, "ts": 10 * i, "dur": 5,
           "args": {"Collective name": "allreduce", "In msg nelems": 4, "Out msg nelems": 4, "dtype": "Float", "Group size": 2, **args}} for i, args in enumerate(odd)]
events += [{"ph": "X", "cat": "kernel", "name": "ncclDevKernel_AllReduce_Sum_f32", "pid": 0, "tid": 7, "ts": 1000 + i, "dur": 1,
            "args": {"Process Group Name": "g%d" % i}} for i in range(4200)]
print(json.dumps({"schemaVersion": 1, "traceEvents": events}))
END
rm -f hostile.db
run 0 --db hostile.db import -q hostile.json && run 0 --db hostile.db comm --show groups --format csv && has err 'more than 4096 groups' && lines out 4097 &&
    run 0 --db hostile.db comm --show groups && filled out
    result $? 'hostile arguments'
else
    skip 'groups as an independent reader counts them' 'python3 is not here'
fi
# Ranks and times of two runs mean nothing together.
run 0 import --db two.db -q "$TRACETOOL_DATA/tau-merged" && run 0 import --db two.db -q --again "$TRACETOOL_DATA/tau-merged" &&
    refuses 2 "'--run N'" comm --db two.db --run all && refuses 2 "'--run N'" critical-path --db two.db --run all &&
    run 0 comm --db two.db --run 1 && filled out && run 0 critical-path --db two.db && filled out
result $? 'two runs at once are refused'
# 40 ranks do not fit a table.
if [ -x "$BUILDDIR/bench/gen-tau" ]; then
    "$BUILDDIR/bench/gen-tau" --records 8000 --nodes 40 --messages --merged big && run 2 comm --matrix count big.trc big.edf && has err '--format csv' &&
        run 0 comm --matrix count --format csv big.trc big.edf && lines out 42
    result $? 'a big matrix is for csv'
else
    skip 'a big matrix is for csv' 'bench/gen-tau is not built'
fi
finish
