#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# tracetool-mpi steps: each rank reads the steps of the ranks of the run that are in its files, and rank 0 puts them in order: byte by byte what one
# process says.
. "$SRCDIR/tests/cli/lib.sh"
. "$SRCDIR/tests/cli/mpi-lib.sh"
data=$TRACETOOL_DATA

about=steps
ask_steps() { # TEXT NUMBERS
    questions "$@" <<'END'
--format json
--per rank --format csv
--per run
--measure operators --top 0 --format tsv
--filter op_cat=Comm,FW --format json
END
}

if ! command -v python3 >/dev/null; then
    skip 'random steps' 'python3 is not here'
else
    for seed in 1 2; do
        rm -f step*.json run.db
        for rank in 0 1 2 3 4 5 6; do
            python3 "$SRCDIR/tests/oracles/random-steps.py" $seed $rank $((20 + seed * rank * 7)) >step$rank.json
        done
        run 0 --db run.db import -q step?.json
        ask_steps 'random steps' "$([ $seed = 1 ] && echo '1 4' || echo 3)"
    done
    answers 'a time window' 2 --time-window 500:2000 --format json
    about=
    answers 'a picture' 3 plot steps -o -
    about=steps
    # One rank of the run is in two files, which two ranks read.
    rm -f run.db
    python3 "$SRCDIR/tests/oracles/random-steps.py" 5 7 40 host0 >step1.json
    run 0 --db run.db import -q step0.json step1.json && run 0 --db run.db steps --per rank --format csv && lines out 2
    result $? 'a rank in two files'
    answers 'a rank in two files' '2 3' --format json
    rm -f run.db
    run 0 --db run.db import -q step?.json && run 0 --db apart.db import -q step2.json
    filled one && ! job -n 1 "$program" --db run.db steps : -n 1 "$program" --db apart.db steps && [ "$(grep -c '^tracetool: ' err)" = 1 ] &&
        has err 'tracetool: rank 1: ' && [ ! -s out ]
    result $? 'a rank with another database'
    change_database run.db "DELETE FROM event_row WHERE id = (SELECT (first_event + last_event) / 2 FROM source_row ORDER BY id LIMIT 1)"
    refuses 1 'missing' --db run.db steps && ! job -n 3 "$program" --db run.db steps && matches err -E '^tracetool: rank 2: .*missing' &&
        [ "$(grep -c '^tracetool: ' err)" = 1 ] && [ ! -s out ]
    result $? 'the part of a rank is damaged'
    rm -f run.db
fi
run 0 --db run.db import -q "$data/kineto/late0.json" "$data/kineto/late1.json"
ask_steps 'PyTorch' '2'
rm run.db
run 0 --db run.db import -q "$data/job-2x1"
ask_steps 'a job' '2'
rm run.db
run 0 --db run.db import -q "$data/tau-mpi4"
answers 'a run without steps' 3 --format json
finish
