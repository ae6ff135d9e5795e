#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# tracetool-mpi compare: of each run the ranks scan their sources, one run after the other, and what comes of it is what one process says, byte by byte.
# What one rank fails at ends all of them.
. "$SRCDIR/tests/cli/lib.sh"
. "$SRCDIR/tests/cli/mpi-lib.sh"
data=$TRACETOOL_DATA

"$BUILDDIR/bench/gen-tau" --records 30000 --nodes 5 --messages --collectives --seed 2 before 2>err
"$BUILDDIR/bench/gen-tau" --records 30000 --nodes 6 --messages --collectives --late-rank 2 --seed 3 after 2>err
run 0 --db before.db import -q before && run 0 --db after.db import -q after
run 0 --db run.db import -q before && run 0 --db run.db import -q after && run 0 --db run.db import -q "$data/tau-mpi4"
questions 'TAU' '2 3 4' <<'END'
compare before.db after.db
compare before.db after.db --by op_cat,pid --filter op_cat=COMP,Comm --format csv
compare before.db after.db --time-window 1000:90000 --format json --top 0
compare 1 2 3 --by name,native_group --top 0 --format csv
END
questions 'TAU' '3' <<'END'
compare before.db after.db --per rank --by op_name --format csv --top 0
compare before.db after.db --by path --top 0 --format json
compare run.db:2 before.db after.db --by name,tid --show categories
compare before.db before.db --filter op_cat=none
END
run 1 compare before.db after.db --by op_cat,name --fail-above 5
result $? 'something is slower'
cp out one && cp err err.one && ranks 1 3 compare before.db after.db --by op_cat,name --fail-above 5 && same one out && same err.one err
result $? 'and so it is for ranks'
run 0 --db before.shards import -q before && run 0 --db after.shards import -q after
run 0 compare before.shards after.shards --by op_cat,pid --format csv && cp out one && rm before.shards/joined-* after.shards/joined-* &&
    ranks 0 3 compare before.shards after.shards --by op_cat,pid --format csv && has err joined && same one out
result $? 'directories of shards, which rank 0 joins'
run 0 compare before "$data/tau-mpi4" --by op_cat --format csv && cp out one && rm -f ./*.tracetool* && ranks 0 2 compare before "$data/tau-mpi4" --by op_cat --format csv && same one out
result $? 'traces, which rank 0 imports'

# -- what fails ---------------------------------------------------------------------------------------------------
ask='compare before.db after.db --by op_cat,pid'
for other in before.db none.db; do
    # shellcheck disable=SC2086
    run 0 $ask && filled out && ! job -n 1 "$program" $ask : -n 1 "$program" compare before.db $other --by op_cat,pid && [ "$(grep -c '^tracetool: ' err)" = 1 ] && has err 'tracetool: rank 1: ' && [ ! -s out ]
    result $? "rank 1 reads another second run: $other"
done
for wrong in 'before.db none.db' 'before.db 7' 'before.db'; do
    # shellcheck disable=SC2086
    "$TRACETOOL" compare $wrong >out 2>err.one
    status=$?
    # shellcheck disable=SC2086
    [ $status -ne 0 ] && ranks $status 3 compare $wrong && filled err && same err.one err && [ ! -s out ]
    result $? "what one process refuses: $wrong"
done
# Rank 0 has the last sources, rank 2 the first.
for rank in 0 2; do
    order=$([ $rank = 2 ] || echo DESC)
    cp after.db damaged.db
    change_database damaged.db "DELETE FROM event_row WHERE id = (SELECT (first_event + last_event) / 2 FROM source_row ORDER BY id $order LIMIT 1)"
    refuses 1 'missing' compare before.db damaged.db --by op_cat,pid && ! job -n 3 "$program" compare before.db damaged.db --by op_cat,pid &&
        matches err -E "^tracetool: $([ $rank = 0 ] || echo 'rank 2: ').*missing" && [ "$(grep -c '^tracetool: ' err)" = 1 ] && [ ! -s out ]
    result $? "the part of rank $rank is damaged"
done
"$BUILDDIR/bench/gen-tau" --records 3000000 --nodes 3 large 2>err
run 0 --db large.db import -q large
filled large.db && signalled 0 TERM compare large.db large.db --by op_cat,name
result $? 'rank 0 is interrupted while it waits'
filled large.db && signalled 1 KILL compare large.db large.db --by op_cat,name
result $? 'a rank that is killed ends all'
finish
