#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What SQLite keeps beside a database, -wal, -shm and -journal: a finished import is in the one file, or says what else to
# copy; what is left of a database that is gone does not come back in the next one; readers keep nobody from importing.
. "$SRCDIR/tests/cli/lib.sh"
cp "$TRACETOOL_DATA"/tau-merged/run.* "$TRACETOOL_DATA/kineto/waits.json" .

# A reader, another program, in the middle of a transaction; with "wal" it has turned the database to a write-ahead log,
# with "change" it has written to it, too.
cat >reader.py <<'EOF'
import sqlite3, sys
base = sqlite3.connect(sys.argv[1], isolation_level=None)
if "wal" in sys.argv:
    base.execute("pragma journal_mode = wal").fetchall()
if "change" in sys.argv:
    base.execute("create table other (x)")
base.execute("begin")
before = base.execute("select count(*) from run").fetchall()
print("reads", flush=True)
sys.stdin.read()
assert before == base.execute("select count(*) from run").fetchall()
print("sees what it saw", flush=True)
EOF
mkfifo hold

start_reader() { # DATABASE [wal] [change]
    exec 9>&-
    rm -f reader.out
    python3 reader.py "$@" <hold >reader.out 2>&1 &
    reader=$!
    exec 9>hold
    tries=0
    while [ $tries -lt 100 ] && ! [ -s reader.out ]; do
        sleep 0.05
        tries=$((tries + 1))
    done
    has reader.out reads
}

end_reader() { # it has not been disturbed
    exec 9>&-
    wait $reader && has reader.out 'sees what it saw'
}

n_runs() { # NUMBER [DATABASE]
    run 0 --db "${2:-trace.db}" query --format csv 'select count(*) as n from run' && prints "$1"
}

fresh() {
    rm -f trace.db* copy.db*
    run 0 import -q run.trc run.edf && filled trace.db
}

# -- readers -----------------------------------------------------------------------------------------
fresh && chmod 640 trace.db && { [ "$(id -u)" -ne 0 ] || chgrp 12 trace.db; } && group=$(stat -c %g trace.db) && start_reader trace.db
run 0 import -q waits.json && n_runs 2 && [ "$(stat -c %a:%g trace.db)" = "640:$group" ]
result $? 'an import while another program is in the middle of a transaction'
cp trace.db copy.db && n_runs 2 copy.db && ! ls trace.db?* 2>/dev/null
result $? 'all of it is in the one file'
run 0 remove --run 2 && n_runs 1 && run 0 depgraph --save && has err 'saved' &&
    run 0 query --format csv 'select count(*) > 0 as n from node' && prints 1 && end_reader
result $? 'remove and depgraph --save likewise; the reader goes on with what it began to read'

fresh && ln trace.db other-name.db && start_reader trace.db
refuses 1 'another process is using it' import -q waits.json && end_reader && n_runs 1
result $? 'a database with two names is not replaced'
rm -f other-name.db

fresh && ln -sf trace.db link.db && start_reader trace.db
run 0 --db link.db import -q waits.json && [ -L link.db ] && n_runs 2 && end_reader
result $? 'a database named by a link is replaced where it is'

fresh && start_reader trace.db wal change
run 0 import -q waits.json && has err "trace.db-wal': copy both" && n_runs 2
result $? 'what a reader of a log holds back is said'
cp trace.db copy.db && cp trace.db-wal copy.db-wal && n_runs 2 copy.db
result $? 'with what was said to be copied the copy is whole'
run 0 import -q --again waits.json && n_runs 3
result $? 'and the next import works all the same'
end_reader && run 0 info && has out 'run 3' && n_runs 3 && ! ls trace.db?* 2>/dev/null && cp trace.db copy.db && n_runs 3 copy.db
result $? 'the next command puts all into the one file'

# Two at once, none of which waits for the other's transaction: each is whole, or says why not.
fresh && start_reader trace.db
"$TRACETOOL" import -q waits.json 2>first.err &
first=$!
run 0 import -q --again run.trc run.edf >/dev/null 2>&1
second=$?
wait $first
first=$?
rows=$(python3 -c 'import sqlite3
print(*sqlite3.connect("trace.db").execute("select count(*) from source").fetchone())')
done_count=1
[ $first -eq 0 ] && done_count=$((done_count + 1))
[ $second -eq 0 ] && done_count=$((done_count + 1))
[ "$rows" = "$done_count" ] && [ "$rows" -gt 1 ] && end_reader
result $? 'of two writers beside a reader none is lost'

# -- what is left of a database that is gone -----------------------------------------------------------
python3 - <<'EOF'
import os, shutil, sqlite3
shutil.copy("trace.db", "old.db")
base = sqlite3.connect("old.db")
base.execute("pragma journal_mode = wal")
base.execute("create table old_table (x)")
base.commit()
os.mkdir("left")
shutil.copy("old.db-wal", "left/trace.db-wal")
shutil.copy("old.db-shm", "left/trace.db-shm")
EOF
for side in wal shm; do
    rm -f trace.db*
    cp left/trace.db-$side . && refuses 1 "rm $scratch/trace.db-$side" --db "$scratch/trace.db" import -q waits.json &&
        [ ! -e trace.db ] && same left/trace.db-$side trace.db-$side
    result $? "a stale -$side where there is no database"
done
rm -f trace.db*
echo stale >trace.db-journal
refuses 1 'trace.db-journal' import -q waits.json && [ ! -e trace.db ] && rm trace.db-journal && : >trace.db-wal &&
    run 0 import -q waits.json && n_runs 1 && ! ls trace.db?* 2>/dev/null
result $? 'a stale -journal; an empty log is nothing'

cp left/trace.db-wal . && refuses 1 'log of another database' stats && refuses 1 'log of another database' import -q run.trc run.edf &&
    same left/trace.db-wal trace.db-wal && rm trace.db-wal && n_runs 1
result $? 'a stale log beside a database of another time'

# A cache is ours, and so is what lies beside it.
run 0 info waits.json && has err 'imported into the cache' && rm waits.json.tracetool.db && cp left/trace.db-wal waits.json.tracetool.db-wal &&
    run 0 info waits.json && has err 'imported into the cache' && [ ! -e waits.json.tracetool.db-wal ] && run 0 info waits.json &&
    has err 'using the cache'
result $? 'a stale log beside the cache of a trace'

# -- where nobody may write ------------------------------------------------------------------------------
# as_nobody STATUS ARGUMENT... : like run
as_nobody() {
    wanted=$1
    shift
    if [ "$(id -u)" -eq 0 ]; then
        setpriv --reuid=65534 --regid=65534 --clear-groups "$TRACETOOL" "$@" >out 2>err </dev/null
    else
        "$TRACETOOL" "$@" >out 2>err </dev/null
    fi
    got=$?
    judge_status "$@"
}

can_be_nobody() { # nobody reaches the program and the folder, and cannot write there
    chmod 755 "$scratch"
    [ "$(id -u)" -ne 0 ] && return 0
    command -v setpriv >/dev/null && setpriv --reuid=65534 --regid=65534 --clear-groups sh -c "ls '$scratch/shut' && '$TRACETOOL' --version" >/dev/null 2>&1
}

rm -f trace.db* && run 0 import -q waits.json && mkdir shut && cp trace.db shut && python3 - <<'EOF'
import sqlite3
base = sqlite3.connect("shut/trace.db")
base.execute("pragma journal_mode = wal").fetchall()
base.close()
EOF
chmod 555 shut
if can_be_nobody; then
    as_nobody 0 --db shut/trace.db query --format csv 'select count(*) as n from run' && prints 1
    result $? 'a database with a write-ahead log in a folder that cannot be written'
    chmod 755 shut && cp left/trace.db-wal shut && chmod 555 shut
    as_nobody 1 --db shut/trace.db info && has err "shut/trace.db-wal' belongs to it" 'copy both'
    result $? 'the same with something in the log'
else
    skip 'a folder that cannot be written' 'there is no way to be another user'
fi
chmod 755 shut
finish
