#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# tracetool-mpi stats: each rank scans its sources, and what they say together is what one process says, byte by byte: sums,
# extremes, medians and percentiles, however uneven their parts are. What one rank fails at ends all of them.
. "$SRCDIR/tests/cli/lib.sh"
. "$SRCDIR/tests/cli/mpi-lib.sh"
data=$TRACETOOL_DATA

about=stats
# Those that need a scan.
ask_all() { # TEXT NUMBERS
    questions "$@" <<'END'
--by op_cat,name --top 0
--by name --filter op_cat=COMP,Comm --format csv --top 0
--by pid,op_cat --format json
--by path --top 0 --format csv
--by name,tid --top 5
--by step,name --format json --top 0
--by native_group,file --format tsv
--by name --time-window 100:900 --top 0 --format csv
--per rank --by op_cat
--per pid --format json --filter op_cat=Comm
END
}

"$BUILDDIR/bench/gen-tau" --records 20000 --nodes 9 --messages --collectives --skew 500 traces 2>err
run 0 --db run.db import -q traces
ask_all 'TAU' '2 4'
questions 'one rank, and dictionaries of spans by their begins' '1 3' <<'END'
--format name2sta
--format cat2sta --filter op_cat=Comm,COMP
END
# The first of the six has almost all.
"$BUILDDIR/bench/gen-tau" --records 400 --nodes 6 --collectives uneven 2>err
"$BUILDDIR/bench/gen-tau" --records 60000 --nodes 1 much 2>err
cp much/tautrace.0.0.0.trc much/events.0.edf uneven
rm run.db
run 0 --db run.db import -q uneven
ask_all 'one has almost all, one nothing' '3'
# Ends are lost.
for node in 1 2 5; do
    head -c 9000 "traces/tautrace.$node.0.0.trc" >short && mv short "traces/tautrace.$node.0.0.trc"
done
rm run.db
run 0 --db run.db import -q traces && run 0 --db run.db stats --by name --top 0 --filter op_cat=COMP && has out 'are damaged' Mended
result $? 'traces that were cut off'
ask_all 'damaged and mended' '3'
rm run.db
run 0 --db run.db import -q "$data/job-2x1"
ask_all 'a job' '2'
questions 'a job with steps' '2 4' <<'END'
--format name2sta
--format cat2sta
END
rm run.db
run 0 --db run.db import -q "$data/kineto/rank0.json" "$data/kineto/rank1.json" && run 0 --db run.db import -q "$data/kineto/late0.json" "$data/kineto/late1.json"
ask_all 'PyTorch' '4'
# Two runs, and one that has one source alone.
run 0 --db run.db --run all stats --by name,pid --top 0 --format csv && cp out one && ranks 0 3 --db run.db --run all stats --by name,pid --top 0 --format csv && same out one
result $? 'two runs'
rm run.db
run 0 --db run.db import -q "$data/kineto/rank0.json"
answers 'one source' 3 --by op_cat,name
# -- one source, which is cut: ranks read what is around their spans --------------------------------------------
ask_cut() { # TEXT NUMBERS
    questions "$@" <<'END'
--by op_cat,name --top 0 --format csv
--by path --top 0 --format csv
--by pid,op_cat --filter op_name=n1,n2,MPI_Send --format json
--by name,tid --top 0 --format csv
END
}
"$BUILDDIR/bench/gen-tau" --records 80000 --nodes 2 --threads 3 --messages --collectives --merged --depth 9 merged 2>err
rm run.db
run 0 --db run.db import -q merged.trc merged.edf
ask_cut 'a merged trace' '2'
answers 'a time window' 3 --by name --time-window 1000:9000
if command -v python3 >/dev/null; then
    for seed in 1 2; do
        python3 "$SRCDIR/tests/oracles/random-spans.py" $seed 40000 >spans.json && rm run.db && run 0 --db run.db import -q spans.json
        ask_cut 'random spans' "$([ $seed = 1 ] && echo 4 || echo 3)"
    done
    python3 "$SRCDIR/tests/oracles/random-spans.py" 3 40000 crossed >spans.json && rm run.db && run 0 --db run.db import -q spans.json
    ask_cut 'spans that cross, which one rank counts' 3
    # Of the first of two sources nearly all.
    python3 "$SRCDIR/tests/oracles/random-spans.py" 4 40000 >spans.json && python3 "$SRCDIR/tests/oracles/random-spans.py" 5 900 >few.json &&
        rm run.db && run 0 --db run.db import -q --rank 0 spans.json && run 0 --db run.db import -q --add --rank 1 few.json
    ask_cut 'two sources of very different size' '4'
else
    skip 'random spans' 'python3 is not here'
fi
rm run.db
run 0 --db run.shards import -q traces
run 0 --db run.shards stats --by op_cat,pid --format csv && cp out one && rm run.shards/joined-* &&
    ranks 0 3 --db run.shards stats --by op_cat,pid --format csv && has err joined && same one out
result $? 'a directory of shards, which rank 0 joins'

# -- more groups than have their sums in memory, and values that are equal ---------------------------------------
if command -v python3 >/dev/null; then
    for rank in 0 1 2; do
        python3 -c '
import json, sys
rank = int(sys.argv[1])
# One name in 40,000 has one value; of "same" all but the last are equal; "tied" has two values.
events = [{"ph": "X", "pid": rank, "tid": 1, "name": "n%d" % i, "ts": i * 100, "dur": i % 7 + rank} for i in range(rank * 20000, rank * 20000 + 40000)]
events += [{"ph": "X", "pid": rank, "tid": 2, "name": "same", "ts": i * 10, "dur": 3 if i < 4999 else 9} for i in range(5000)]
events += [{"ph": "X", "pid": rank, "tid": 3, "name": "tied", "ts": i * 10, "dur": 1 + (i * 7919 + rank) % 2} for i in range(5000 >> rank)]
# Ends are lost: all of "gone", of "some" on rank 0 all, on rank 1 every third.
for i in range(200):
    at = 100000 + 2000 * i
    for ph, name, ts in (("B", "outer", 0), ("B", "gone", 50), ("B", "some", 100), ("E", "some", 200 + i), ("E", "outer", 1000)):
        if not (name == "some" and ph == "E" and (rank == 0 or rank == 1 and i % 3 == 0)):
            events.append({"ph": ph, "pid": rank, "tid": 4, "name": name, "ts": at + ts})
json.dump({"traceEvents": events}, sys.stdout)' $rank >"many$rank.json"
    done
    rm -f run.db
    run 0 --db run.db import -q many0.json many1.json many2.json
    run 0 --db run.db stats --by name --filter 'pid = 1' --top 9 && has out 'not in Med, Min' some gone
    result $? 'ends that are lost'
    answers 'lost ends' '3' --by name,native_group --filter 'tid = 4' --format csv
    answers 'many groups' '2' --by op_cat,name --top 0 --format csv
    answers 'the most of many groups' '3' --by op_cat,name --top 7 --sort max
    answers 'many paths' '2' --by path --top 9 --sort count
else
    skip 'many groups' 'python3 is not here'
fi

# -- what fails ---------------------------------------------------------------------------------------------------
rm -f run.db
run 0 --db run.db import -q traces && cp run.db same.db && run 0 --db apart.db import -q "$data/job-2x1"
apart() { # DATABASE : of rank 1
    job -n 1 "$program" --db run.db stats --by op_cat,pid : -n 1 "$program" --db "$1" stats --by op_cat,pid
}
run 0 --db run.db stats --by op_cat,pid && cp out one && apart same.db && same one out
result $? 'a rank may have a copy'
for other in apart.db none.db; do
    filled one && ! apart $other && [ "$(grep -c '^tracetool: ' err)" = 1 ] && has err 'tracetool: rank 1: ' && [ ! -s out ] && [ ! -e none.db ]
    result $? "but not another database: $other"
done
filled one && ranks 2 3 --db run.db stats --by op_cat,pit && [ "$(grep -c '^tracetool: ' err)" = 1 ]
result $? 'options that are wrong are told once'
# Rank 0 has the last sources, rank 2 the first.
for rank in 0 2; do
    order=$([ $rank = 2 ] || echo DESC)
    cp run.db damaged.db
    change_database damaged.db "DELETE FROM event_row WHERE id = (SELECT (first_event + last_event) / 2 FROM source_row ORDER BY id $order LIMIT 1)"
    refuses 1 'missing' --db damaged.db stats --by op_cat,pid && ! job -n 3 "$program" --db damaged.db stats --by op_cat,pid &&
        matches err -E "^tracetool: $([ $rank = 0 ] || echo 'rank 2: ').*missing" && [ "$(grep -c '^tracetool: ' err)" = 1 ] && [ ! -s out ]
    result $? "the part of rank $rank is damaged"
done
"$BUILDDIR/bench/gen-tau" --records 3000000 --nodes 3 large 2>err
run 0 --db large.db import -q large
filled one && signalled 0 TERM --db large.db stats --by op_cat,name
result $? 'rank 0 is interrupted while it waits'
filled one && signalled 1 KILL --db large.db stats --by op_cat,name
result $? 'a rank that is killed ends all'
finish
