#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Databases with several runs and with none: info, remove, importing again what is there.
# shellcheck source=tests/cli/lib.sh
. "$SRCDIR/tests/cli/lib.sh"
SOURCE_DATE_EPOCH=1763690400
export SOURCE_DATE_EPOCH
data=$TRACETOOL_DATA

value() { # DATABASE SQL : the one value
    "$TRACETOOL" --db "$1" query "$2" --format csv 2>&1 | sed -n '2p'
}

# answers DATABASE FILE RUN... : what commands say of the runs
answers() {
    base=$1
    to=$2
    shift 2
    for wanted; do
        for question in 'stats --format csv --top 0' 'comm --format csv --show pairs' 'critical-path --format csv' \
            'depgraph --format json -o -' 'export --chrome -o -' 'info'; do
            # shellcheck disable=SC2086
            "$TRACETOOL" --db "$base" --run "$wanted" $question 2>/dev/null
        done
    done | grep -v '^database\|^ *[0-9][0-9]*  20' >"$to"
    [ "$(wc -l <"$to")" -gt 500 ] || { echo "# $base gives $(wc -l <"$to") lines of answers"; return 1; }
}

# dump DATABASE FILE : all tables but what only says which ids there were
dump() {
    for name in $("$TRACETOOL" --db "$1" query "SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'sqlite_sequence'" \
        --format csv | tail -n +2); do
        echo "# $name"
        "$TRACETOOL" --db "$1" query "SELECT * FROM $name" --format csv
    done >"$2"
    [ "$(wc -l <"$2")" -gt 500 ]
}

import() { # DATABASE PATH...
    base=$1
    shift
    "$TRACETOOL" --db "$base" import -q "$@"
}

import one.db "$data/tau-mpi4" && import one.db "$data/kineto/rank0.json" "$data/kineto/rank1.json" && cp one.db two.db &&
    import two.db "$data/pi-run" && "$TRACETOOL" --db two.db --run 2 depgraph --save 2>/dev/null &&
    "$TRACETOOL" --db two.db --run 3 depgraph --save 2>/dev/null || exit 1
"$TRACETOOL" --db one.db --run 2 depgraph --save 2>/dev/null

# -- info -----------------------------------------------------------------------------------------
run 0 --db two.db info && has out 'Run  Imported (UTC)    Formats' '  1  2025-11-21 02:00  tau' \
    '  2  2025-11-21 02:00  kineto         2    286' '  3  2025-11-21 02:00  pi' 'run 3 ' '58 spans' && ! grep -q '^run 1' out
result $? 'info has a table of the runs and the latest in detail'
run 0 --db two.db --run 1 info && has out '  3  2025' 'run 1 ' '775 spans'
result $? 'or the run that is asked for'
run 0 --db two.db --run all info && has out 'run 1 ' 'run 2 ' 'run 3 ' '1,119 spans'
result $? 'or all'
import single.db "$data/tau-mpi4" && run 0 --db single.db info && has out 'run 1 ' && ! grep -q Imported out
result $? 'one run needs no table'
if command -v python3 >/dev/null; then
    run 0 --db two.db --run 2 info --format json && python3 -c 'import json, sys
d = json.load(sys.stdin)
assert [(r["id"], r["formats"], r["n_sources"], r["n_spans"], r["selected"]) for r in d["runs"]] == [
    (1, "tau", 4, 775, False), (2, "kineto", 2, 286, True), (3, "pi", 1, 58, False)], d["runs"]
assert d["n_spans"] == 286 and d["first_ns"] == d["runs"][1]["first_ns"] and d["runs"][2]["clock"] == "relative"' <out
    result $? 'json lists all runs and says which the rest is about'
else
    skip 'json' 'python3 is not here'
fi

# -- remove ---------------------------------------------------------------------------------------
cp two.db kept.db
run 0 --db two.db remove --run 2 --dry-run --format csv && has out 'run,table,rows' '2,event,' '2,node,' '2,run,1' && cmp two.db kept.db
result $? '--dry-run shows what would go and changes nothing'
listed=$(awk -F, 'NR > 1 { n += $3 } END { print n }' out)
all='0'
for name in $("$TRACETOOL" --db two.db query "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT IN ('sqlite_sequence', 'flag_row', 'args_form_row',
    'role_row', 'message_flag_row')" --format csv | tail -n +2); do
    all="$all + (SELECT count (*) FROM $name)"
done
before=$(value two.db "SELECT $all")
answers two.db before.txt 1 3
run 0 --db two.db remove --run 2 && has err "removed run 2 from 'two.db', which has "
status=$?
answers two.db after.txt 1 3 && cmp before.txt after.txt || status=1
result $status 'the other runs answer as before'
[ "$(value two.db "SELECT $all")" = $((before - listed)) ] && [ "$listed" -gt 500 ]
result $? 'and exactly what was shown is gone'
[ "$(wc -c <two.db)" -lt "$(wc -c <kept.db)" ]
result $? 'the file is smaller'
run 2 --db two.db --run 2 stats && has err "no run '2' in 'two.db'; choose 'all' or one of 1 and 3"
result $? 'the run is not there any more'
run 2 --db two.db remove --run 1,2 && has err "no run '2'" && answers two.db after.txt 1 3 && cmp before.txt after.txt
result $? 'several are removed all or none'

cp kept.db last.db
run 0 --db last.db remove --run 3 && dump last.db last.txt && dump one.db one.txt && cmp last.txt one.txt
result $? 'without its last run a database is as it was before'
import last.db "$data/pi-run" && [ "$(value last.db 'SELECT max (id) FROM run')" = 4 ]
result $? 'numbers of runs are not used again'

cp kept.db some.db
run 0 --db some.db remove --run 3,1 && has err 'removed runs 1, 3' && [ "$(value some.db 'SELECT group_concat (id) FROM run')" = 2 ] &&
    run 0 --db some.db stats && has out 'Comm'
result $? 'several runs at once'
run 0 --db some.db --run 2 remove && has err 'it has no runs' && [ "$(value some.db "SELECT $all")" = 0 ]
result $? 'the only run, too; nothing is left in any table'

run 2 --db kept.db remove && has err "which run?" "'--run N,M'"
result $? 'what to remove must be said'
for list in 9 0 -1 x 1,x 1, '' 1-2 99999999999999999999; do
    cp kept.db bad.db
    run 2 --db bad.db remove "--run=$list" && has err 'no run' && cmp bad.db kept.db
    result $? "refused: --run '$list'"
done
run 2 --db kept.db remove --run 1 trace.db && has err "remove takes no 'trace.db'"
result $? 'the database is named by --db'
run 1 --db none.db remove --run 1 && has err "no database 'none.db'"
result $? 'no database'

# The transaction may not grow: as a full disk does, or a kill in the middle.
answers kept.db before.txt 1 2 3
for how in '' "trap '' XFSZ;"; do
    cp kept.db small.db
    (eval "$how"; ulimit -f 128; exec "$TRACETOOL" --db small.db remove --run 1 >/dev/null 2>err)
    status=$?
    [ "$status" -ne 0 ] && answers small.db after.txt 1 2 3 && cmp before.txt after.txt
    result $? "all or nothing (${how:-killed})"
done
gzip -dc "$data/databases/version-2.db.gz" >old.db
today=$(sed -n 's/^#define TT_SCHEMA_VERSION //p' "$SRCDIR/src/store/schema.h")
run 0 --db old.db remove --run 5,6 --dry-run && has out ' event ' && [ "$(value old.db 'PRAGMA user_version')" = 2 ] &&
    run 0 --db old.db remove --run 5,6 && has err "upgraded 'old.db' from schema version 2 to $today" &&
    [ "$(value old.db 'SELECT group_concat (id) FROM run')" = '"1,2,3,4"' ]
result $? 'an older database is upgraded, but not by --dry-run'

# -- no runs --------------------------------------------------------------------------------------
run 0 --db some.db info && has out 'database   some.db' "no runs yet: 'tracetool import FILE...' adds one"
result $? 'info of an empty database'
run 0 --db some.db info --format json && has out '"runs":[]' '"sources":[]'
result $? 'in json'
run 0 --db some.db query 'SELECT count (*) AS n FROM event' --format csv && has out 'n' '0'
result $? 'query of an empty database'
run 0 --db some.db query && has out 'op_long_name' 'task_edge'
result $? 'its tables'
for command in stats comm steps params nccl depgraph critical-path 'export --chrome -o -' simulate 'remove --run 1' 'info --run 2' 'stats --run all'; do
    # shellcheck disable=SC2086
    run 1 --db some.db $command && has err "no runs yet in 'some.db': 'tracetool import FILE...' adds one"
    result $? "$command says that there is none"
done
import some.db --add "$data/tau-mpi4" && [ "$(value some.db 'SELECT group_concat (id) FROM run')" = 4 ] && run 0 --db some.db stats && has out MPI_
result $? 'an import fills it again'
# -- the same file again --------------------------------------------------------------------------
unset SOURCE_DATE_EPOCH
cp "$data/tau-merged/run.trc" "$data/tau-merged/run.edf" "$data/kineto/rank0.json" "$data/kineto/rank1.json" .
mkdir other
cp run.trc run.edf other/
import again.db run.trc
cp again.db kept.db
run 1 --db again.db import -q run.trc && has err "'run.trc' is already in 'again.db': run 1 of $(value kept.db 'SELECT imported_at FROM run') has it;" \
    "'--run 1' reads it, 'import --again' makes a new run of it, 'import --add --replace' reads it anew" &&
    [ "$(value again.db 'SELECT count (*) FROM run')" = 1 ]
result $? 'a file that a run has is refused; the message says which run, and what to do'
run 1 --db again.db import -q other/run.trc && has err "'other/run.trc' is already in" "has it as 'run.trc'"
result $? 'what counts is the contents'
run 1 --db again.db import -q --rank 3 --args none run.trc && has err '(options then: none; now: --args none --rank 3)'
result $? 'other options do not make another file, but are named'
run 0 --db again.db import -q --again --rank 3 run.trc && [ "$(value again.db 'SELECT group_concat (options) FROM source')" = '",--rank 3"' ] &&
    [ "$(value again.db 'SELECT count (DISTINCT run) FROM event')" = 2 ]
result $? '--again makes a new run of it'
run 1 --db again.db import -q run.trc && has err 'run 2 of ' '(options then: --rank 3; now: none)'
result $? 'the latest of several runs is named'
run 0 --db again.db import -q --args all --step-rule seed --again run.trc && [ "$(value again.db 'SELECT options FROM source WHERE run = 3')" = '' ]
result $? 'defaults that are given are no options'
printf '[1]\nsource=tau\nname=a\nop_cat=COMP\n' >rules.ini
run 0 --db again.db import -q --again --name-rules rules.ini run.trc && [ "$(value again.db "SELECT options LIKE '--name-rules rules.ini [________]' FROM source WHERE run = 4")" = 1 ]
result $? 'files of options are kept by their checksum'
echo '# changed' >>rules.ini
run 1 --db again.db import -q --name-rules rules.ini run.trc && has err '(options then: --name-rules rules.ini ['
result $? 'and are others when they change'
run 1 --db again.db import -q --replace run.trc && has err "'import --again'"
result $? '--replace alone is about the run that is made'
run 0 --db again.db import -q --add --replace run.trc && [ "$(value again.db 'SELECT group_concat (run) FROM source')" = '"1,2,3,4"' ]
result $? '--add --replace reads it anew into the latest run'
run 0 --db again.db import -q rank0.json && run 1 --db again.db import -q --add run.trc && has err "run 4 of " "'import --add --again' adds it to the latest run, too" &&
    run 0 --db again.db import -q --add --again run.trc && [ "$(value again.db 'SELECT count (*) FROM source WHERE run = 5')" = 2 ] &&
    run 1 --db again.db import -q --add --again run.trc && has err 'already in this run'
result $? 'with --add what another run has is refused, too, and --again is not about this one'
run 1 --db again.db import -q rank1.json run.trc rank0.json && has err '2 of 3 traces are known: ' && [ "$(value again.db 'SELECT max (id) FROM run')" = 5 ]
result $? 'of several traces some are known: none is read'

# Standard input is known when it has been read.
stdin() { # STATUS FILE ARGUMENT...
    wanted=$1
    from=$2
    shift 2
    "$TRACETOOL" --db again.db import -q "$@" <"$from" >out 2>err
    [ $? -eq "$wanted" ] || { sed 's/^/# /' err; return 1; }
}
stdin 1 rank0.json - && has err "standard input is already in 'again.db': run 5 of " "has it as 'rank0.json'" && ! grep -q -e '--replace' err &&
    [ "$(value again.db 'SELECT max (id) FROM run')" = 5 ]
result $? 'standard input'
stdin 1 rank0.json --add - && has err "standard input has the same contents as 'rank0.json', which is in this run"
result $? 'in the same run'
stdin 1 rank1.json - rank1.json && has err "standard input has the same contents as 'rank1.json'"
result $? 'on one command line'
stdin 0 rank1.json - && stdin 0 rank0.json --again - && [ "$(value again.db "SELECT count (*) FROM source WHERE path = '-'")" = 2 ]
result $? 'read where it is new, or with --again'

# Files in which nothing happens may come with every run of a job.
import jobs.db "$data/job-2x1" && cp -r "$data/job-2x1" moved && chmod -R u+w moved
run 1 --db jobs.db import -q moved && has err "'moved/" "job-2x1/host0/0/trace.json.gz'" "'import --again'"
result $? 'a job directory that is there already is refused'
run 0 --db jobs.db import -q --again moved && [ "$(value jobs.db 'SELECT count (*) FROM run')" = 2 ]
result $? 'unless --again'
printf '{"traceEvents": []}' >nothing.json
import jobs.db nothing.json && run 0 --db jobs.db import -q nothing.json && [ "$(value jobs.db 'SELECT count (*) FROM run')" = 4 ]
result $? 'a trace in which nothing happens is not known'

# Caches are made anew, not added to.
for i in 1 2; do
    run 0 stats rank0.json rank1.json && has out Comm || break
    touch -d "2026-01-0$i" rank0.json
done
run 0 stats rank0.json rank1.json && has err 'imported into the cache' && run 0 stats rank0.json rank1.json && has err 'using the cache'
result $? 'the caches of reading commands are as before'

# What is read from a pipe can be read only once.
printf '[1]\nname=MPI_Recv*\nop_cat=SYNC\n' >rules.ini
mkfifo rules
cat rules.ini >rules &
rm -f piped.db
timeout 60 "$TRACETOOL" --db piped.db import -q --name-rules rules "$data/tau-merged" &&
    [ "$(value piped.db "SELECT count (*) FROM event WHERE op_cat = 'SYNC' AND raw_name LIKE '%MPI_Recv%'")" = 32 ]
result $? 'rules that come through a pipe'
wait
# A number that a damaged file gives out must not come round to an older run.
if command -v python3 >/dev/null; then
    cp jobs.db damaged.db &&
        change_database damaged.db "UPDATE sqlite_sequence SET seq = 4294967295 WHERE name = 'run_row'" && refuses 1 'is damaged: no number is left' --db damaged.db import -q --again "$data/tau-merged" &&
        [ "$(value damaged.db 'SELECT count (*) FROM run')" = 4 ]
    result $? 'a damaged number of runs is an error'
else
    skip 'a damaged number of runs is an error' 'python3 is not here'
fi
run 0 --db again.db remove --run all && run 0 --db again.db import -q run.trc
result $? 'what was removed can be imported again'
finish
