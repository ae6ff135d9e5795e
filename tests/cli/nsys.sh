#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Exports of Nsight Systems (SQLite): what an import holds, how versions differ, what is refused and how it is said.
. "$SRCDIR/tests/cli/lib.sh"
examples=$TRACETOOL_DATA/nsys

if ! command -v python3 >/dev/null; then
    skip 'exports of Nsight Systems' 'no python3'
    finish
    exit
fi
sql() { # FILE SQL : runs it in the database
    python3 -c 'import sqlite3, sys
db = sqlite3.connect(sys.argv[1])
for row in db.executescript(sys.argv[2]) if ";" in sys.argv[2] else db.execute(sys.argv[2]):
    print("|".join("" if value is None else str(value) for value in row))
db.commit()' "$1" "$2"
}

python3 "$TRACETOOL_DATA/generators/nsys.py" "$scratch/again" && diff -r "$examples" "$scratch/again" >"$scratch/diff"
result $? 'the examples are what their generator writes'

for name in train ranks old; do
    run 0 import --db "$scratch/$name.db" "$examples/$name.sqlite" && filled "$scratch/$name.db"
    result $? "$name is imported"
    python3 "$SRCDIR/tests/oracles/nsys.py" "$examples/$name.sqlite" "$scratch/$name.db" >"$scratch/verdict"
    status=$?
    sed 's/^/# /' "$scratch/verdict"
    [ $status -eq 0 ] && grep -q '^[1-9][0-9]* spans' "$scratch/verdict"
    result $? "$name: spans, launches and sums are those of the export"
done

# -- names are Kineto's ------------------------------------------------------------------------------------------------

run 0 import --db "$scratch/kineto.db" "$TRACETOOL_DATA/kineto/rank0.json" "$TRACETOOL_DATA/kineto/waits.json" && filled "$scratch/kineto.db"
result $? 'a PyTorch trace is imported'
python3 - "$scratch/train.db" "$scratch/kineto.db" >"$scratch/names" <<'PYTHON'
import sqlite3, sys
db = sqlite3.connect(sys.argv[1])
db.execute("ATTACH ? AS kineto", (sys.argv[2],))
rows = db.execute("SELECT DISTINCT a.raw_name, a.name, b.name FROM event a JOIN kineto.event b ON a.raw_name = b.raw_name"
                  " AND a.native_group = b.native_group").fetchall()
for row in rows:
    if row[1] != row[2]:
        print('differs:', row)
print(len(rows), 'names are in both')
PYTHON
grep -Eq '^([5-9]|[1-9][0-9]+) names' "$scratch/names" && ! grep -q differs "$scratch/names"
result $? 'the same call, kernel and copy has the same name as in a PyTorch trace'
sed 's/^/# /' "$scratch/names"

# -- what is where -------------------------------------------------------------------------------------------------------

sql "$scratch/train.db" "SELECT pid, label FROM process ORDER BY pid" >"$scratch/processes"
grep -qx '4711|/usr/bin/python3' "$scratch/processes" && grep -qx '4711.gpu0|GPU 3 (Imaginary A100)' "$scratch/processes"
result $? 'a program and its device are processes, and labelled'
[ "$(sql "$scratch/train.db" "SELECT count(DISTINCT rank) || ' ' || count(*) FROM rank")" = '1 3' ]
result $? 'a device belongs to the rank of its program'
[ "$(sql "$scratch/train.db" "SELECT count(DISTINCT f.to_event) FROM flow f JOIN event e ON e.id = f.from_event
    JOIN event k ON k.id = f.to_event WHERE e.raw_name = 'cudaGraphLaunch' AND k.native_group = 'kernel'")" = 9 ]
result $? 'the launch of a graph fans out to all its nodes'
[ "$(sql "$scratch/train.db" "SELECT group_concat(raw_name || ' ' || flags, ' + ') FROM (SELECT raw_name, flags FROM event
    WHERE raw_name LIKE 'fetch%' ORDER BY ts_ns)")" = 'fetch a async,window + fetch b async,window' ]
result $? 'ranges that cross are asynchronous'
[ "$(sql "$scratch/train.db" "SELECT args FROM event WHERE raw_name = 'step 1'")" = \
    '{"category":"training","color":"#ff00ff00","payload":1}' ]
result $? 'category, colour and payload of a range'
[ "$(sql "$scratch/train.db" "SELECT args FROM event WHERE raw_name = 'ampere_sgemm_128x64_tn' ORDER BY ts_ns LIMIT 1")" = \
    '{"device":0,"context":1,"stream":7,"correlation":103,"registers per thread":122,"shared memory":16384,"static shared memory":16384,"local memory per thread":0,"grid":[64,8,1],"block":[128,1,1]}' ]
result $? 'the arguments of a kernel are keyed as in PyTorch traces'
[ "$(sql "$scratch/train.db" "SELECT DISTINCT native_group FROM event WHERE raw_name = 'ncclAllReduce'")" = 'nvtx NCCL' ]
result $? 'the domain of a range is its group'
[ "$(sql "$scratch/ranks.db" "SELECT count(*), sum(bytes), min(recv_ns - send_ns) FROM message WHERE recv_event IS NOT NULL AND
    send_event IS NOT NULL")" = '6|5074|25000' ]
result $? 'messages are joined, one by the wait for its request'
[ "$(sql "$scratch/ranks.db" "SELECT count(*), count(DISTINCT comm) FROM collective WHERE function IN ('MPI_Allreduce',
    'MPI_Bcast')")" = '4|2' ]
result $? 'collectives of two communicators, whose handles differ from rank to rank'
run 0 import --db "$scratch/args.db" --args bytes "$examples/train.sqlite" &&
    [ "$(sql "$scratch/args.db" "SELECT DISTINCT args FROM event WHERE raw_name LIKE 'Memcpy HtoD (Pinned%'")" = \
    '{"bytes":65536}' ]
result $? '--args keeps what it names'
run 0 import --db "$scratch/again.db" "$examples/train.sqlite" &&
    grep -q 'tables that are not read, with their rows: SCHED_EVENTS (10)' "$scratch/err" &&
    grep -q 'Nsight Systems itself noted 1 warning' "$scratch/err"
result $? 'what is not read, and what the profiler noted, is told'
run 1 import --db "$scratch/strict.db" --strict "$examples/train.sqlite"
result $? '--strict refuses what would be counted'

[ "$(sql "$scratch/train.db" "SELECT group_concat(raw_name || ' ' || args, ' + ') FROM (SELECT raw_name, args FROM event
    WHERE native_group = 'sample' ORDER BY ts_ns LIMIT 3)")" = \
    'at::native::add {"cpu":2,"stack":["main","THPVariable_add","at::native::add"]} + THPVariable_add {"cpu":2,"stack":["main","THPVariable_add"]} + main {"cpu":2,"stack":["main"]}' ]
result $? 'samples are instants with their stacks'
[ "$(sql "$scratch/train.db" "SELECT count(*) FROM metadata WHERE key = 'EXPORT_SCHEMA_VERSION'")" = 1 ] &&
    ! grep -q swordfish "$scratch/train.db"
result $? 'the environment of the program, with its secrets, is not kept'
[ "$(sql "$scratch/train.db" "SELECT count(*) FROM event WHERE raw_name = 'cudaFree'")" = 1 ] &&
    [ "$(sql "$scratch/train.db" "SELECT repairs LIKE '%\"told_twice\":{\"count\":1%' FROM source")" = 1 ]
result $? 'a call that is told once more for its stack counts once'
[ "$(sql "$scratch/train.db" "SELECT tid || ' ' || a.role FROM event e JOIN activity a ON a.event = e.id
    WHERE raw_name = 'Context Sync'")" = 'waits awaits_device' ]
result $? 'who waits for the whole device waits for no stream'

# -- versions ------------------------------------------------------------------------------------------------------------

cp "$examples/train.sqlite" "$scratch/less.sqlite"
sql "$scratch/less.sqlite" "ALTER TABLE CUPTI_ACTIVITY_KIND_MEMCPY DROP COLUMN srcKind;
    ALTER TABLE CUPTI_ACTIVITY_KIND_MEMCPY DROP COLUMN dstKind; ALTER TABLE NVTX_EVENTS DROP COLUMN domainId;
    ALTER TABLE CUPTI_ACTIVITY_KIND_RUNTIME DROP COLUMN eventClass; DROP TABLE TARGET_INFO_SESSION_START_TIME;
    CREATE TABLE texts AS SELECT * FROM StringIds; DROP TABLE StringIds; ALTER TABLE texts RENAME TO StringIds"
run 0 import --db "$scratch/less.db" "$scratch/less.sqlite" &&
    [ "$(sql "$scratch/less.db" "SELECT count(*) FROM event WHERE raw_name IN ('Memcpy HtoD', 'ncclAllReduce', 'cuLaunchKernel')
    AND native_group IN ('gpu_memcpy', 'nvtx', 'cuda_runtime')")" = 9 ]
result $? 'a schema without some columns, and without a key of the texts'

# -- what is no export, or none that is whole ------------------------------------------------------------------------------

run 1 stats --db "$examples/old.sqlite" &&
    grep -q "is an export of Nsight Systems, no database of tracetool; import it: tracetool import $examples/old.sqlite" \
    "$scratch/err"
result $? 'an export in place of a database is told for what it is'
cp "$examples/old.sqlite" "$scratch/named.sqlite"
run 0 stats "$scratch/named.sqlite" &&
    grep -q 'saxpy' "$scratch/out"
result $? 'a command that reads takes an export as a trace'
run 1 import --db "$scratch/x.db" "$scratch/old.db" &&
    grep -q "a database, not a trace; what one of tracetool holds is told by: tracetool --db $scratch/old.db info" "$scratch/err"
result $? 'a database of tracetool in place of a trace is told for what it is'
sql "$scratch/other.sqlite" "CREATE TABLE animals (name)"
run 1 import --db "$scratch/x.db" --format nsys "$scratch/other.sqlite" &&
    grep -q 'no export of Nsight Systems' "$scratch/err"
result $? 'a database of another program is refused'
gzip -c "$examples/old.sqlite" >"$scratch/packed.sqlite.gz"
run 1 import --db "$scratch/x.db" "$scratch/packed.sqlite.gz" &&
    grep -q 'packed database cannot be read where it lies; unpack it first' "$scratch/err"
result $? 'a packed export'
cp "$examples/old.sqlite" "$scratch/log.sqlite"
python3 - "$scratch/log.sqlite" <<'PYTHON'
import os, shutil, sqlite3, sys
db = sqlite3.connect(sys.argv[1])
db.execute('PRAGMA journal_mode = WAL')
db.execute("INSERT INTO StringIds VALUES (999, 'x')")
db.commit()
shutil.copy(sys.argv[1], sys.argv[1] + '2')
shutil.copy(sys.argv[1] + '-wal', sys.argv[1] + '2-wal')
PYTHON
run 1 import --db "$scratch/x.db" "$scratch/log.sqlite2" &&
    grep -q "the last changes lie in '$scratch/log.sqlite2-wal' beside it" "$scratch/err"
result $? 'an export with a log beside it'
run 0 import --db "$scratch/wal.db" "$scratch/log.sqlite" && filled "$scratch/wal.db" && [ ! -e "$scratch/log.sqlite-wal" ] && [ ! -e "$scratch/log.sqlite-shm" ]
result $? 'an export in WAL mode without a log; nothing is written beside it'
head -c 30000 "$examples/train.sqlite" >"$scratch/cut.sqlite"
run 1 import --db "$scratch/x.db" "$scratch/cut.sqlite" &&
    grep -Eq "cut.sqlite: (table [A-Za-z_]+, row [0-9]+: )?database disk image is malformed" "$scratch/err"
result $? 'an export that is cut'
filled err && [ ! -e "$scratch/x.db" ]
result $? 'what is refused leaves no database'

# -- hostile schemas -------------------------------------------------------------------------------------------------------

cp "$examples/old.sqlite" "$scratch/hostile.sqlite"
sql "$scratch/hostile.sqlite" "DROP TABLE CUPTI_ACTIVITY_KIND_KERNEL; CREATE VIEW CUPTI_ACTIVITY_KIND_KERNEL AS
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i AS start, i AS end FROM n;
    CREATE TABLE CUDNN_EVENTS (start INTEGER, end INTEGER, globalTid INTEGER, nameId INTEGER AS (length (hex (zeroblob (1 << 28)))));
    INSERT INTO CUDNN_EVENTS (start, end, globalTid) VALUES (5, 9, 1);
    CREATE TABLE \"SCHED_\"\"EVENTS\" (start INTEGER); INSERT INTO \"SCHED_\"\"EVENTS\" VALUES (1);
    UPDATE NVTX_EVENTS SET text = CAST (x'c328' AS TEXT), start = 'now' WHERE rowid = 1;
    UPDATE NVTX_EVENTS SET text = CAST (x'c328' AS TEXT) WHERE rowid = 2;
    UPDATE CUPTI_ACTIVITY_KIND_RUNTIME SET nameId = 12345 WHERE rowid = 1;
    UPDATE CUPTI_ACTIVITY_KIND_MEMCPY SET copyKind = -5, end = start - 10 WHERE rowid = 1"
run 0 import --db "$scratch/hostile.db" "$scratch/hostile.sqlite" &&
    [ "$(sql "$scratch/hostile.db" "SELECT count(*) FROM event WHERE native_group = 'kernel'")" = 0 ] &&
    [ "$(sql "$scratch/hostile.db" "SELECT count(*) FROM event WHERE raw_name IN ('string 12345', 'Memcpy Unknown')")" = 2 ]
result $? 'views and computed columns are not run, odd values are told'
[ "$(sql "$scratch/hostile.db" "SELECT repairs LIKE '%\"no_time\":{\"count\":1%' AND repairs LIKE '%no_name%' AND
    repairs LIKE '%end_before_start%' AND repairs LIKE '%bad_utf8%' FROM source")" = 1 ]
result $? 'what is odd is counted'

# -- whose it is -----------------------------------------------------------------------------------------------------------

cp "$examples/ranks.sqlite" "$scratch/first.sqlite" && cp "$examples/ranks.sqlite" "$scratch/second.sqlite"
sql "$scratch/first.sqlite" "CREATE TABLE other (a);"
# Every call of one program, of which the first stands before any with a time, and a span longer than can be told.
sql "$scratch/second.sqlite" "UPDATE CUPTI_ACTIVITY_KIND_RUNTIME SET start = 'now' WHERE globalTid >> 24 = 4294967797;
    UPDATE MPI_P2P_EVENTS SET end = -9223372036854775807 WHERE rowid = (SELECT max(rowid) FROM MPI_P2P_EVENTS WHERE globalTid >> 24 = 4294967797)"
run 0 import --db "$scratch/whose.db" "$scratch/first.sqlite" "$scratch/second.sqlite" && run 0 --db "$scratch/whose.db" info --trust --format csv &&
    grep ',record,' "$scratch/out" >"$scratch/records" && lines records 1 && has records '1,rank1,record,0,0,2,0,0,0,' second.sqlite
result $? 'what has no time is of its rank and file'
finish
