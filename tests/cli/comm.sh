#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# comm: pairs, matrix, ranks and collectives against SQL over the same database.
. "$SRCDIR/tests/cli/lib.sh"
cd "$scratch" || exit 1
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
assert list(d) == ["pairs", "ranks", "collectives"] and len(d["ranks"]) == 4' <out
    result $? 'json has all three'
else
    skip 'json has all three' 'python3 is not here'
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
