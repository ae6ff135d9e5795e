#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# tracetool without a command, with a wrong one, with a file instead of one.
. "$SRCDIR/tests/cli/lib.sh"
cp "$TRACETOOL_DATA"/tau-merged/run.* .

run 0 --help && has out 'First steps:' 'tracetool import run.trc run.edf' '  stats ' '  import '
result $? '--help lists commands and first steps'
schema=$(sed -n 's/^#define TT_SCHEMA_VERSION //p' "$SRCDIR/src/store/schema.h")
run 0 --version && has out "tracetool " "schema $schema" 'zstd: '
result $? '--version tells version, schema and optional parts'
run 2 && has err 'Commands:'
result $? 'nothing at all is a usage error with help'
run 0 help stats && has out '--time-window'
result $? 'help COMMAND is COMMAND --help'

run 2 stat && has err "did you mean 'stats'?"
result $? 'a misspelt command gets the nearest'
run 2 frobnicate && has err 'tracetool --help'
result $? 'a word that is nothing is explained'
run 2 stats --filtre x && has err "did you mean '--filter'?"
result $? 'a misspelt option gets the nearest'
run 2 stats --by nmae && has err "did you mean 'name'?"
result $? 'a misspelt key gets the nearest'
run 2 stats --sort cuont run.trc run.edf && has err "did you mean 'count'?"
result $? 'a misspelt column gets the nearest'
run 2 stats --format cvs && has err "did you mean 'csv'?"
result $? 'a misspelt format gets the nearest'
run 2 stats --top many && has err "'many'"
result $? 'a number that is none is named'
run 2 --bd x stats && has err '--bd'
result $? 'an unknown option before the command is named'

run 2 run.trc && has err 'tracetool import run.trc' 'tracetool stats run.trc'
result $? 'a trace instead of a command: what to type'
run 2 run.trc run.edf && has err 'tracetool import run.trc run.edf'
result $? 'a trace and its definitions instead of a command'
echo nonsense >notes.txt
run 1 notes.txt && has err 'notes.txt'
result $? 'a file that is no trace is named'
run 0 import -q run.trc run.edf && run 2 trace.db && has err 'tracetool --db trace.db stats'
result $? 'a database instead of a command'

run 1 --db none.db stats && has err 'none.db'
result $? 'a database that is not there is named'
run 0 --db trace.db stats && cp out before && run 0 stats --db trace.db && same out before
result $? '--db before and after the command'
TRACETOOL_DB=trace.db run 0 stats && same out before
result $? 'TRACETOOL_DB is the default database'
run 0 --run 1 stats && same out before && run 0 stats --run all && same out before
result $? '--run before and after the command'
refuses 2 "no run '7' in 'trace.db'" --run 7 stats
result $? 'a run that is not there is named'

"$TRACETOOL" stats --top 0 --format csv 2>err | head -n 1 >out
lines out 1 && [ ! -s err ]
result $? 'a reader that goes away is no error'
if [ -w /dev/full ]; then
    "$TRACETOOL" stats >/dev/full 2>err
    [ $? -eq 1 ] && has err 'standard output'
    result $? 'a full disk under the output is an error'
else
    skip 'a full disk under the output is an error' 'no /dev/full'
fi
# -- standard files that are closed ------------------------------------------------------------------
mkdir "$scratch/closed" && cd "$scratch/closed" || exit 1
cp "$TRACETOOL_DATA/kineto/waits.json" ./-x.json
run 0 import -q -- -x.json && run 0 query --format csv 'select path from source' && prints "'-x.json"
result $? 'a file whose name begins with a dash, after --'
run 0 stats -- -x.json && has out Time && run 0 export -o out.json -- -x.json && has "$scratch/closed/out.json" traceEvents
result $? 'commands that read take one, too'
for command in stats info 'query SELECT*FROM/**/event' 'stats --format json' export --help; do
    # shellcheck disable=SC2086
    "$TRACETOOL" $command >&- 2>"$scratch/err"
    [ $? -eq 1 ] && has err 'standard output: it is closed'
    result $? "a closed standard output under: $command"
done
"$TRACETOOL" import -q --again -- -x.json >&- 2>"$scratch/err"
status=$?
[ $status -eq 0 ] && run 0 query --format csv 'select count(*) as n from run' && prints 2
result $? 'an import that prints nothing needs no standard output'
"$TRACETOOL" --db all.db import -- -x.json <&- >&- 2>&-
status=$?
[ $status -eq 1 ] && run 0 --db all.db query --format csv 'select count(*) as n from run' && prints 1
result $? 'with all three closed the database is whole'
finish
