#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# import: the summary, runs, joining, duplicates, refusals, and the cache of reading commands.
. "$SRCDIR/tests/cli/lib.sh"
cp "$TRACETOOL_DATA"/tau-merged/run.* .
cp -r "$TRACETOOL_DATA/tau-mpi4" job

count() { # TABLE [DATABASE]
    "$TRACETOOL" --db "${2:-trace.db}" query "SELECT count(*) FROM $1" --format csv | tail -n 1
}

# -- the summary ----------------------------------------------------------------------------------
run 0 import run.trc run.edf && lines out 6 && has out "run 1 in 'trace.db': 16.8 ms long" 'processes  4, with 4 threads' \
    '775 spans' '52 messages (52 matched, 0 not)' 'Comm.MPI_Recv.RECV 20.6 %' 'repairs    none' 'next       tracetool stats'
result $? 'the summary has six lines with the facts'
filled out && [ ! -s err ]
result $? 'nothing else is said'
cp trace.db before.db
run 0 import -q --db quiet.db run.edf run.trc && [ ! -s out ] && [ ! -s err ] && [ "$(count event quiet.db)" = 775 ]
result $? '--quiet says nothing; the order of files does not matter'
run 0 import --db cut.db "$TRACETOOL_DATA/succeed/cut" && has out 'repairs    ' 'first at byte' '--db cut.db'
result $? 'repairs are counted, with the first place'

# -- runs -----------------------------------------------------------------------------------------
run 0 import job && has out 'run 2' && [ "$(count run)" = 2 ]
result $? 'a second import is a second run'
run 0 import --add "$TRACETOOL_DATA/succeed/relative" && has out 'run 2' && [ "$(count run)" = 2 ]
result $? '--add joins to the latest run'
run 1 import --add job && has err 'already in this run' '--replace'
result $? 'the same file twice in a run is refused'
events=$(count event)
run 0 import --add --replace job && [ -n "$events" ] && [ "$(count event)" = "$events" ]
result $? '--replace reads it again in its place'
cp run.trc copy.trc && cp run.edf copy.edf
run 1 import --db copies.db run.trc run.edf copy.trc copy.edf && has err 'same contents' && [ ! -e copies.db ]
result $? 'copies on one command line are refused'
run 0 import --db copies.db --replace run.trc run.edf copy.trc copy.edf && [ "$(count event copies.db)" = 775 ]
result $? 'with --replace one of them is read'
status=0
for trace in pi-run nsys/ranks.sqlite; do
    rm -f again.db
    run 0 import --db again.db "$TRACETOOL_DATA/$trace" && run 0 --db again.db query 'SELECT pid, rank, owner = process.id AS leads FROM process' &&
        filled out && cp out before && run 0 import --db again.db --add --replace "$TRACETOOL_DATA/$trace" &&
        run 0 --db again.db query 'SELECT pid, rank, owner = process.id AS leads FROM process' && cmp -s before out &&
        run 0 --db again.db info --check && has out 'is whole' || status=1
done
[ $status -eq 0 ]
result $? 'processes without a rank are not there twice'

# -- refusals: all or nothing -----------------------------------------------------------------------
cp before.db trace.db
contents() {
    for table in run source process thread event message counter statistic; do
        "$TRACETOOL" query "SELECT * FROM $table" --format csv
    done
}
contents >before
for name in bad-id cut-header cut-row empty-edf empty-trc negative-count no-edf no-quotes noise nul-byte short-trc static-edf; do
    run 1 import run.trc run.edf "$TRACETOOL_DATA/fail/$name" && has err 'tracetool: ' && contents >after && same after before &&
        refuses 1 'tracetool: ' import --db new.db "$TRACETOOL_DATA/fail/$name" && [ ! -e new.db ]
    result $? "fail/$name is refused and leaves no trace"
done
refuses 1 '--strict' import --strict --db strict.db "$TRACETOOL_DATA/succeed/cut" && [ ! -e strict.db ]
result $? '--strict refuses what would be mended'
run 2 import && has err 'nothing to import'
result $? 'no file is a usage error'
run 1 import nowhere.trc && has err 'nowhere.trc'
result $? 'a file that is not there is named'
run 2 import --format tua run.trc && has err "did you mean 'tau'?"
result $? 'a misspelt format gets the nearest'
refuses 2 'import makes a new run' --run 1 import run.trc run.edf
result $? '--run is refused'
mkfifo pipe.trc
run 1 import pipe.trc && has err 'pipe.trc'
result $? 'a FIFO is refused'
find . -maxdepth 1 \( -name 'new*' -o -name 'strict*' -o -name '*-wal' -o -name '*-shm' -o -name '*tmp*' \) >left
sed 's/^/# /' left
filled trace.db && [ ! -s left ]
result $? 'nothing is left behind'

# -- definitions ------------------------------------------------------------------------------------
run 0 import --db other.db job/tautrace.0.0.0.trc job/events.1.edf && has err 'job/events.1.edf' 'of another node'
result $? 'definitions of another node are read with a warning'
run 0 import --db other2.db job/tautrace.0.0.0.trc job/events.0.edf && filled out && [ ! -s err ]
result $? 'those of its own without'
cp run.trc wide.trc && printf '\377\376\000' | cat - run.edf >wide.edf
run 1 import --db wide.db wide.trc wide.edf && has err 'wide.edf: byte 0: neither the definitions'
result $? 'definitions that are not text are named'

# -- name rules -------------------------------------------------------------------------------------
printf '[1]\nname=dot(*\nop_cat=MEM\nsub_op=D2D\n' >rules.ini
run 0 import -q --db rules.db --name-rules rules.ini run.trc run.edf &&
    "$TRACETOOL" --db rules.db query "SELECT DISTINCT op_cat, sub_op FROM event WHERE op_name LIKE 'dot(%'" --format csv | grep -qx 'MEM,D2D'
result $? '--name-rules are asked first'
run 0 --db rules.db info --names --name-rules rules.ini --format csv && grep '^"\{0,1\}MEM' out | grep -q ',-1,'
result $? 'info --names tells which rule it was'

# -- caches -----------------------------------------------------------------------------------------
mkdir cached && cp run.* cached/
run 0 stats cached/run.trc cached/run.edf && cp out first && has err "imported into the cache 'cached/run.trc.tracetool.db'"
result $? 'a reading command imports into a cache and says so'
run 0 stats cached/run.trc cached/run.edf && same out first && lines err 1 && has err 'using the cache'
result $? 'the cache is used again'
run 0 info cached/run.trc && has err 'using the cache'
result $? 'by another command too'
cp "$TRACETOOL_DATA"/succeed/relative/run.* cached/
run 0 stats cached/run.trc cached/run.edf && has err 'imported into the cache' && refute same out first
result $? 'changed files are imported again'
run 0 --db trace.db stats cached/run.trc && has err "'--db trace.db' is not used"
result $? '--db beside traces is not silently ignored'
run 0 stats trace.db && same out first && [ ! -s err ]
result $? 'a database is read as it is'
run 0 stats job && has err 'job.tracetool.db'
result $? 'the cache of a folder lies beside it'
run 2 stats - && has err 'import'
result $? 'standard input is for import'
if [ "$(id -u)" -ne 0 ]; then
    chmod a-w cached && rm -f cached/*.db
    run 0 stats cached/run.trc && has err "$XDG_CACHE_HOME/tracetool/run.trc-"
    result $? 'a folder that cannot be written: the cache of the user'
    chmod u+w cached
else
    skip 'a folder that cannot be written: the cache of the user' 'root can write everywhere'
fi
echo 'precious notes' >run.trc.tracetool.db
run 1 stats run.trc run.edf && has err 'in the way' && grep -q precious run.trc.tracetool.db
result $? 'a file that is no cache is left alone'
finish
