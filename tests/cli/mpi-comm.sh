#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# tracetool-mpi comm, imbalance and report: of comm one rank finds the waits, the others count messages and read their sources; of imbalance
# the second finds the stragglers; of a report each fills some sections. What they say together is what one process says, byte by byte. What one rank fails at ends all of them.
. "$SRCDIR/tests/cli/lib.sh"
. "$SRCDIR/tests/cli/mpi-lib.sh"
data=$TRACETOOL_DATA

ask_all() { # TEXT NUMBERS
    questions "$@" <<'END_OF_QUESTIONS'
comm
comm --format csv --top 0
comm --format json --top 0 --sort wait
comm --show ranks --format csv --top 0
comm --show collectives --format csv
comm --matrix wait --format csv
comm --format csv --time-window 1000:20000
comm --format json --filter pid=node1,node2
imbalance
imbalance --format json --top 0
imbalance --show steps --format csv --top 0
imbalance --show ranks --format csv --time-window 1000:20000
imbalance --over thread --format csv
imbalance --absent zero --format csv
END_OF_QUESTIONS
}

"$BUILDDIR/bench/gen-tau" --records 30000 --nodes 7 --messages --collectives --skew 300 --late-rank 2 traces 2>err
run 0 --db run.db import -q traces
ask_all 'TAU' '2 3 4'
answers 'TAU' "$(again && echo 3 || echo 2 3 4 10)" report -o -
rm run.db
"$BUILDDIR/bench/gen-tau" --records 20000 --nodes 3 --threads 2 --messages threads 2>err
run 0 --db run.db import -q threads
ask_all 'threads, which are sources of their own' '2 3'
rm run.db
run 0 --db run.db import -q "$data/job-2x1"
answers 'a job' '2 3' comm --format json --top 0
answers 'a job' '2 4' report -o -
answers 'a job' '2 3' imbalance --format json --top 0
answers 'a job' '2' imbalance --show steps
rm run.db
run 0 --db run.db import -q "$data/kineto/rank0.json" "$data/kineto/rank1.json"
answers 'PyTorch' '2 4' comm --format json --top 0
answers 'PyTorch' '3' report -o -
answers 'PyTorch' '3' imbalance --format json --top 0
rm run.db
"$BUILDDIR/bench/gen-tau" --records 2000 --nodes 2 silent 2>err
run 0 --db run.db import -q silent && run 0 --db run.db comm --format csv && has err 'no message' && cp out one && ranks 0 3 --db run.db comm --format csv && has err 'no message' && cmp -s one out
result $? 'nobody says anything'

# -- what fails ---------------------------------------------------------------------------------------------------
rm run.db
run 0 --db run.db import -q traces && run 0 --db apart.db import -q "$data/job-2x1"
for other in apart.db none.db; do
    ! job -n 1 "$program" --db run.db comm : -n 1 "$program" --db $other comm && [ "$(grep -c '^tracetool: ' err)" = 1 ] && has err 'tracetool: rank 1: ' && [ ! -s out ]
    result $? "rank 1 reads another database: $other"
done
! job -n 1 "$program" --db run.db report -o x.html : -n 1 "$program" --db apart.db report -o x.html && [ "$(grep -c '^tracetool: ' err)" = 1 ] &&
    has err 'tracetool: rank 1: ' && [ ! -e x.html ]
result $? 'or another one for a report'
! job -n 1 "$program" --db run.db imbalance : -n 1 "$program" --db apart.db imbalance && [ "$(grep -c '^tracetool: ' err)" = 1 ] &&
    has err 'tracetool: rank 1: ' && [ ! -s out ]
result $? 'or for stragglers'
ranks 2 3 --db run.db comm --matrix size && filled one && [ "$(grep -c '^tracetool: ' err)" = 1 ] && has err 'unknown value of --matrix'
result $? 'options that are wrong are told once'
# All sources are read by rank 1, which finds the waits; the last ones by rank 0, the first by rank 2, for the matrix.
for rank in 0 2; do
    order=$([ $rank = 2 ] || echo DESC)
    cp run.db damaged.db
    change_database damaged.db "DELETE FROM event_row WHERE id = (SELECT (first_event + last_event) / 2 FROM source_row ORDER BY id $order LIMIT 1)"
    refuses 1 'missing' --db damaged.db comm --matrix wait --format csv && ! job -n 3 "$program" --db damaged.db comm --matrix wait --format csv &&
        matches err -E "^tracetool: $([ $rank = 0 ] || echo 'rank 2: ').*missing" && [ "$(grep -c '^tracetool: ' err)" = 1 ] && [ ! -s out ]
    is_told=$?
    result $is_told "the part of rank $rank is damaged"
    [ $is_told = 0 ] && ! job -n 3 "$program" --db damaged.db comm && [ "$(grep -c '^tracetool: ' err)" = 1 ] && has err missing && [ ! -s out ]
    result $? 'of which waits are found, too'
    [ $is_told = 0 ] && ! job -n 3 "$program" --db damaged.db report -o x.html && [ "$(grep -c '^tracetool: ' err)" = 1 ] && has err missing && [ ! -e x.html ]
    result $? 'and a report is made'
    [ $is_told = 0 ] && ! job -n 3 "$program" --db damaged.db imbalance && [ "$(grep -c '^tracetool: ' err)" = 1 ] && has err missing && [ ! -s out ]
    result $? 'and stragglers are found'
done
"$BUILDDIR/bench/gen-tau" --records 2000000 --nodes 3 --messages large 2>err
run 0 --db large.db import -q large
filled one && killed --db large.db comm
result $? 'a rank that is killed ends all'
finish
