#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# tracetool-mpi query: each rank answers of the events of its ids, and what they say together is what one process says, byte by byte; what cannot be
# split rank 0 answers alone. What one rank fails at ends all of them. Random statements: tests/store/test-query-joint.c.
. "$SRCDIR/tests/cli/lib.sh"
. "$SRCDIR/tests/cli/mpi-lib.sh"
data=$TRACETOOL_DATA

ask_all() { # TEXT NUMBERS
    _name=$1 _many=$2
    ! again || _many=${_many##* }
    while IFS= read -r sql; do
        answers "$_name" "$_many" query --format csv "$sql"
    done <<'END'
SELECT count(*), min(ts_ns), max(ts_ns + dur_ns), total(self_ns) FROM event
SELECT name, count(*) AS n, sum(dur_ns), avg(self_ns) FROM event GROUP BY name ORDER BY n DESC
SELECT pid, op_cat, max(dur_ns) / 1e3 FROM event WHERE dur_ns > 100 GROUP BY 1, 2 HAVING count(*) > 2 ORDER BY 3 DESC, pid LIMIT 7 OFFSET 1
SELECT ts_ns / 100000 AS t, count(*) FROM event WHERE op_cat <> 'COMP' GROUP BY t
SELECT id, pid, name, ts_ns, dur_ns, args FROM event WHERE dur_ns > 1000
SELECT * FROM event ORDER BY dur_ns DESC, ts_ns LIMIT 20
SELECT DISTINCT pid, name FROM event WHERE depth > 1
SELECT name, median(dur_ns), count(DISTINCT pid) FROM event GROUP BY name
SELECT e.name, p.label FROM event e JOIN process p ON p.pid = e.pid WHERE e.id < 50
SELECT sum(dur_ns * 1000000000000) FROM event WHERE dur_ns < 5
SELECT name FROM event LIMIT 3
SELECT tag, count(*) FROM message GROUP BY tag
END
}

"$BUILDDIR/bench/gen-tau" --records 30000 --nodes 7 --messages --collectives --skew 300 traces 2>err
run 0 --db run.db import -q traces
ask_all 'TAU' '1 2 3'
answers 'a table' 3 query 'SELECT name, count(*) FROM event GROUP BY name'
answers 'json, and a limit of rows' 3 query --format json --top 3 'SELECT name, pid, dur_ns FROM event WHERE dur_ns > 10'
answers 'the tables' 2 query
for sql in 'SELECT nam FROM event' 'SELECT name FROM even GROUP BY name' 'SELECT sum(9223372036854775807) FROM event' 'DELETE FROM event' \
    'SELECT name, count(*) FROM event GROUP BY count(*)'; do
    for many in 1 3; do
        run_status=0
        "$TRACETOOL" --db run.db query "$sql" >one 2>err.one || run_status=$?
        ranks $run_status $many --db run.db query "$sql" && [ $run_status -ne 0 ] && filled err.one && same err err.one && [ ! -s out ]
        result $? "what one refuses $many refuse in the same words: $sql"
    done
done
rm run.db
run 0 --db run.db import -q "$data/kineto/rank0.json" "$data/kineto/rank1.json" && run 0 --db run.db import -q "$data/kineto/late0.json" "$data/kineto/late1.json"
ask_all 'two runs of PyTorch' '4'
rm run.db
run 0 --db run.db import -q "$data/kineto/rank0.json"
ask_all 'one source' '3'
run 0 --db run.shards import -q traces
run 0 --db run.shards query --format csv 'SELECT pid, sum(self_ns) FROM event GROUP BY pid' && cp out one && rm run.shards/joined-* &&
    ranks 0 3 --db run.shards query --format csv 'SELECT pid, sum(self_ns) FROM event GROUP BY pid' && has err joined && same one out
result $? 'a directory of shards, which rank 0 joins'

# -- what fails ---------------------------------------------------------------------------------------------------
rm run.db
run 0 --db run.db import -q traces && run 0 --db apart.db import -q "$data/job-2x1"
sql='SELECT name, count(*) FROM event GROUP BY name'
for other in apart.db none.db; do
    ! job -n 1 "$program" --db run.db query "$sql" : -n 1 "$program" --db $other query "$sql" && [ "$(grep -c '^tracetool: ' err)" = 1 ] && has err 'tracetool: rank 1: ' && [ ! -s out ]
    result $? "rank 1 reads another database: $other"
done
# damage DATABASE PART : a byte of a page of events, so many hundredths of them before it
damage() {
    python3 -c '
import sqlite3, sys
db = sqlite3.connect(sys.argv[1])
size = db.execute("PRAGMA page_size").fetchone()[0]
pages = [page for page, in db.execute("SELECT pageno FROM dbstat WHERE name = ? AND pagetype = ? ORDER BY path", ("event_row", "leaf"))]
db.close()
with open(sys.argv[1], "r+b") as file:
    file.seek((pages[len(pages) * int(sys.argv[2]) // 100] - 1) * size + size // 2)
    byte = file.read(1)
    file.seek(-1, 1)
    file.write(bytes([byte[0] ^ 255]))' "$@" 2>err.damage
}
for rank in 0 2; do
    cp run.db damaged.db
    if ! damage damaged.db $((rank * 40 + 10)); then
        skip "the part of rank $rank is damaged" 'no python3, or its SQLite has no dbstat'
        continue
    fi
    refuses 1 damaged --db damaged.db query "$sql" && ! job -n 3 "$program" --db damaged.db query "$sql" &&
        matches err -E "^tracetool: $([ $rank = 0 ] || echo 'rank 2: ').*damaged" && [ "$(grep -c '^tracetool: ' err)" = 1 ] && [ ! -s out ]
    result $? "the part of rank $rank is damaged"
done
"$BUILDDIR/bench/gen-tau" --records 3000000 --nodes 3 large 2>err
run 0 --db large.db import -q large
filled one && signalled 0 TERM --db large.db query 'SELECT ts_ns / 1000 AS t, count(*) FROM event GROUP BY t'
result $? 'rank 0 is interrupted while it waits'
filled one && signalled 1 KILL --db large.db query 'SELECT ts_ns / 1000 AS t, count(*) FROM event GROUP BY t'
result $? 'a rank that is killed ends all'
finish
