#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# tracetool without a command, with a wrong one, with a file instead of one.
. "$SRCDIR/tests/cli/lib.sh"
cd "$scratch" || exit 1
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
finish
