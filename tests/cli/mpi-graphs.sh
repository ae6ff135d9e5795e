#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# tracetool-mpi depgraph, critical-path --model, tree, export --folded: each rank scans its part, and the graph is that of one process, byte by byte: edges between
# spans of different ranks, and to siblings in the part of another, however a source is cut.
. "$SRCDIR/tests/cli/lib.sh"
. "$SRCDIR/tests/cli/mpi-lib.sh"
data=$TRACETOOL_DATA

ask_graphs() { # TEXT NUMBERS
    questions "$@" <<'END'
depgraph --max-nodes 0 --format json
depgraph --kind collective,message,flow,sync --format dot
depgraph --merge-ranks --filter op_cat=COMP,Comm --format gml
critical-path --model --format csv
tree --format csv
export --folded -o -
END
}

# shared TEXT N ARGUMENT... : so many ranks share it: none reads all for want of what is around its part
shared() {
    _what=$1 _ranks=$2
    shift 2
    run 0 --db run.db "$@" && filled out && G_MESSAGES_DEBUG=tracetool job -x G_MESSAGES_DEBUG -n "$_ranks" "$program" --db run.db "$@" && filled out && ! grep -q "one rank reads all" out
    result $? "$_what is shared: $*"
}

"$BUILDDIR/bench/gen-tau" --records 20000 --nodes 9 --messages --collectives --skew 500 traces 2>err
run 0 --db run.db import -q traces
ask_graphs 'TAU' '2 4'
answers 'one rank' 1 depgraph --format json
shared 'TAU' 3 depgraph --format json
answers 'a picture' '2 3' plot timeline -o -
answers 'a picture' 2 plot timeline --filter op_cat=Comm,COMP --format csv
answers 'a picture' 3 plot flame -o -
run 0 --db run.db export --folded -o one.folded && ranks 0 3 --db run.db export --folded -o out.folded && filled one.folded && same one.folded out.folded
result $? 'stacks in a file'
answers 'stacks in a window' 2 export --folded --time-window 2000:30000 -o -
answers 'callers' 3 tree --callers MPI_Recv --format json
answers 'a window of a tree' 2 tree --time-window 2000:30000
answers 'a time window' '2 3' depgraph --time-window 2000:30000 --format json
answers 'a table' 2 critical-path --model --show slack
answers 'around one' 3 depgraph --around MPI_Recv --depth 1 --format json
answers 'END is one' 2 depgraph --filter op_cat=SYNC --format graphml
# The first of the six has almost all.
"$BUILDDIR/bench/gen-tau" --records 400 --nodes 6 --collectives uneven 2>err
"$BUILDDIR/bench/gen-tau" --records 60000 --nodes 1 much 2>err
cp much/tautrace.0.0.0.trc much/events.0.edf uneven
rm run.db
run 0 --db run.db import -q uneven
ask_graphs 'one has almost all, one nothing' '4'
"$BUILDDIR/bench/gen-tau" --records 80000 --nodes 2 --threads 3 --messages --collectives --merged --depth 9 merged 2>err
rm run.db
run 0 --db run.db import -q merged.trc merged.edf
ask_graphs 'a merged trace' '2 3'
shared 'a merged trace' 3 depgraph --format json
# More than some pieces of thousands: of what is around a part not all that is before it is read.
"$BUILDDIR/bench/gen-tau" --records 300000 --nodes 1 large 2>err
rm run.db
run 0 --db run.db import -q large
answers 'a large source' 3 tree --format csv
answers 'a large source' 4 depgraph --format json
answers 'a large source' 3 export --folded -o -
rm run.db
run 0 --db run.db import -q "$data/kineto/rank0.json" "$data/kineto/rank1.json"
ask_graphs 'PyTorch' '2'
rm run.db
run 0 --db run.db import -q "$data/job-2x1"
ask_graphs 'a job' '3'
if command -v python3 >/dev/null; then
    for seed in 1 2; do
        python3 "$SRCDIR/tests/oracles/random-spans.py" $seed 20000 >spans.json && rm run.db && run 0 --db run.db import -q spans.json
        ask_graphs 'random spans' "$([ $seed = 1 ] && echo 4 || echo 3)"
    done
    shared 'a source that is cut' 4 critical-path --model
    shared 'a source that is cut' 3 tree
    python3 "$SRCDIR/tests/oracles/random-spans.py" 3 20000 crossed >spans.json && rm run.db && run 0 --db run.db import -q spans.json
    ask_graphs 'spans that cross, which one rank reads' 3
else
    skip 'random spans' 'python3 is not here'
fi

# -- what fails ---------------------------------------------------------------------------------------------------
rm -f run.db
run 0 --db run.db import -q traces && run 0 --db apart.db import -q "$data/job-2x1"
apart() { # DATABASE ARGUMENT... : of rank 1
    _other=$1
    shift
    job -n 1 "$program" --db run.db "$@" : -n 1 "$program" --db "$_other" "$@"
}
filled one && ! apart apart.db depgraph && [ "$(grep -c '^tracetool: ' err)" = 1 ] && has err 'tracetool: rank 1: ' && [ ! -s out ]
result $? 'a rank with another database'
filled one && ranks 2 3 --db run.db depgraph --level opp && [ "$(grep -c '^tracetool: ' err)" = 1 ]
result $? 'options that are wrong are told once'
# Rank 0 has the last sources, rank 2 the first.
for rank in 0 2; do
    order=$([ $rank = 2 ] || echo DESC)
    cp run.db damaged.db
    change_database damaged.db "DELETE FROM event_row WHERE id = (SELECT (first_event + last_event) / 2 FROM source_row ORDER BY id $order LIMIT 1)"
    refuses 1 'missing' --db damaged.db depgraph && ! job -n 3 "$program" --db damaged.db depgraph &&
        matches err -E "^tracetool: $([ $rank = 0 ] || echo 'rank 2: ').*missing" && [ "$(grep -c '^tracetool: ' err)" = 1 ] && [ ! -s out ]
    result $? "the part of rank $rank is damaged"
done
finish
