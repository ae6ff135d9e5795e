#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# tracetool-mpi export --speedscope -o FILE: each rank writes the profiles of the threads of its sources at their place in the file, which is that of one process,
# byte by byte: frames are numbered as they come first. What one rank fails at leaves no file.
. "$SRCDIR/tests/cli/lib.sh"
. "$SRCDIR/tests/cli/mpi-lib.sh"
data=$TRACETOOL_DATA

# alike TEXT NUMBERS ARGUMENT... : an export of run.db by so many ranks is that of one process, and so are the words
alike() {
    what=$1 numbers=$2 differs=0
    shift 2
    run 0 --db run.db export --speedscope "$@" -o one.json && mv err err.one && filled one.json || differs=1
    for number in $numbers; do
        rm -f ranks.json
        ranks 0 "$number" --db run.db export --speedscope "$@" -o ranks.json && same one.json ranks.json && sed -i 's/ranks.json/one.json/' err && same err err.one ||
            differs=1
    done
    [ $differs = 0 ] && [ "$(find . -name '*.part-*' | wc -l)" = 0 ]
    result $? "$what"
}

shares() { # WORDS : how three ranks have dealt it out
    filled one.json && G_MESSAGES_DEBUG=tracetool ranks 0 3 --db run.db export --speedscope -o ranks.json && has out "ranks share $1"
    result $? "they share $1"
}

"$BUILDDIR/bench/gen-tau" --records 20000 --nodes 9 --messages --collectives --threads 2 traces 2>err
run 0 --db run.db import -q traces
alike 'TAU' '2 3 5'
shares 'the reading and the text'
alike 'a filter' 3 --filter 'op_cat = Comm'
alike 'a window, names of the source' 2 --time-window 2000:30000 --names original
alike 'nothing is chosen' 2 --filter 'op_name = nothing'
# The first of the six has almost all, and each has names that no other has.
"$BUILDDIR/bench/gen-tau" --records 400 --nodes 6 --collectives uneven 2>err
"$BUILDDIR/bench/gen-tau" --records 20000 --nodes 1 much 2>err
cp much/tautrace.0.0.0.trc much/events.0.edf uneven
rm run.db
run 0 --db run.db import -q uneven
alike 'one has almost all' '2 4'
rm run.db
run 0 --db run.db import -q much
alike 'one source' 2
shares 'the text alone'
rm run.db
run 0 --db run.db import -q "$data/kineto/rank0.json" "$data/kineto/rank1.json"
alike 'PyTorch' '2 3'
# Threads of a process in several files, some in the other order than the files.
if command -v python3 >/dev/null; then
    for seed in 1 2; do
        python3 - $seed <<'END'
import json, random, sys
chance = random.Random(int(sys.argv[1]))
for number in range(5):
    events = []
    for _ in range(300):
        begin = chance.randrange(10**6)
        events.append({"ph": "X", "pid": chance.choice([number, number, 5 - number]) if sys.argv[1] == "2" else number, "tid": chance.randrange(2),
                       "name": f"f{chance.randrange(40) // (number + 1)}", "cat": "c", "ts": begin * 10, "dur": 9})
    json.dump({"traceEvents": events}, open(f"part{number}.json", "w"))
END
        rm run.db
        run 0 --db run.db import -q part?.json
        alike "threads in files by chance, seed $seed" '3 5'
    done
fi

# -- what fails ---------------------------------------------------------------------------------------------------
rm run.db
run 0 --db run.db import -q traces && run 0 --db apart.db import -q much
filled one.json && rm -f ranks.json && ! job -n 1 "$program" --db run.db export --speedscope -o ranks.json : -n 1 "$program" --db apart.db export --speedscope -o ranks.json &&
    matches err '^tracetool: rank 1: ' && [ ! -e ranks.json ]
result $? 'a rank with another database'
for rank in 0 2; do
    order=$([ $rank = 0 ] || echo DESC)
    cp run.db damaged.db
    change_database damaged.db "DELETE FROM event_row WHERE id = (SELECT (first_event + last_event) / 2 FROM source_row ORDER BY id $order LIMIT 1)"
    refuses 1 'missing' --db damaged.db export --speedscope -o ranks.json && ! job -n 3 "$program" --db damaged.db export --speedscope -o ranks.json &&
        matches err -E "^tracetool: $([ $rank = 0 ] || echo 'rank 2: ').*missing" && [ ! -e ranks.json ] && [ "$(find . -name '*.part-*' | wc -l)" = 0 ]
    result $? "the part of rank $rank is damaged"
done
finish
