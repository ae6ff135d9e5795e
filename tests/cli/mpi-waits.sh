#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# tracetool-mpi waits, breakdown and critical-path: each rank finds the waits of the threads whose files it reads, what their time went
# to, and what of it is on the path; ends of messages and parts of calls go between ranks. What they say together is what one process says, byte by byte. What one rank fails at ends all of them.
. "$SRCDIR/tests/cli/lib.sh"
. "$SRCDIR/tests/cli/mpi-lib.sh"
command -v python3 >/dev/null || { echo '1..0 # SKIP python3 is not here'; exit 0; }
data=$TRACETOOL_DATA

ask_all() { # TEXT NUMBERS
    questions "$@" <<'END_OF_QUESTIONS'
waits
waits --format csv --top 0 --unit ns --by kind,name,rank,cause,cause_name,step
waits --format json --top 0 --by rank,path
waits --format csv --top 0 --by communicator,kind
waits --format csv --top 0 --time-window 200:20000
waits --format json --top 0 --filter pid=node1,node2
waits --show causes
waits --show causes --format csv --top 0 --filter pid=node1,node2 --time-window 200:20000
breakdown
breakdown --format json --top 0
breakdown --show efficiency --format json
breakdown --per stream --format csv --top 0
breakdown --format csv --time-window 200:20000
breakdown --format json --filter op_cat=COMP,SYNC
critical-path
critical-path --format json --segments --top 0
critical-path --show imbalance --format csv
END_OF_QUESTIONS
}

"$BUILDDIR/bench/gen-tau" --records 30000 --nodes 7 --messages --collectives --skew 300 --late-rank 2 traces 2>err
run 0 --db run.db import -q traces
ask_all 'TAU' '2 4'
answers 'TAU, more ranks than files' '9' waits --format csv --top 0
answers 'a short window, which rank 0 reads alone' '2' waits --format csv --time-window 1000:1500
rm run.db
"$BUILDDIR/bench/gen-tau" --records 20000 --nodes 3 --threads 2 --messages --collectives threads 2>err
run 0 --db run.db import -q threads
ask_all 'processes in several files' '2 3'

# Calls that ranks make a different number of times are not followed.
run 0 --db run.db query --format csv "SELECT count(*) FROM collective" && refute matches out '^0$' &&
    change_database run.db "DELETE FROM collective_row WHERE id IN (SELECT max (id) / 2 FROM collective_row UNION SELECT max (id) - 1 FROM collective_row)" &&
    run 0 --db run.db critical-path && has out 'collective'
result $? 'calls are missing'
answers 'calls are missing' '2 3 4' critical-path --format json --segments --top 0
answers 'calls are missing' '3' waits --format csv
run 0 --db run.db critical-path -o one.json && ranks 0 3 --db run.db critical-path -o three.json && same one.json three.json
result $? 'the path as a file'
filled one.json && ranks 2 2 --db run.db critical-path --step 7 && has err 'no span is in step 7' && [ "$(grep -c '^tracetool: ' err)" = 1 ]
result $? 'a step that is not there'

# -- random runs ---------------------------------------------------------------------------------------------------
by=kind,name,rank,cause,cause_name
all_four() { # TEXT NUMBERS
    questions "$@" <<END_OF_QUESTIONS
waits --format csv --unit ns --top 0 --by $by
waits --show causes --format csv --unit ns --top 0
breakdown --format json --unit ns --top 0
critical-path --format json --unit ns --segments --imbalance --top 0
END_OF_QUESTIONS
}
for seed in $(seeds 5); do
    rm -rf sim run.db
    python3 "$SRCDIR/tests/oracles/mpi_simulator.py" random --ranks $((3 + seed % 4)) --operations 150 --seed "$seed" -o sim && rm sim/truth.json &&
        run 0 --db run.db import -q sim && all_four "a random run, seed $seed" '2 4'
done
for scenario in nonblocking nonblocking-roots wrong-order grid late-receiver; do
    rm -rf sim run.db
    python3 "$SRCDIR/tests/oracles/mpi_simulator.py" $scenario --ranks 4 --operations 100 --seed 7 -o sim && rm sim/truth.json
    run 0 --db run.db import -q sim && all_four "$scenario" '2 3'
done

# Threads of a process in several files, so in the parts of several ranks.
thread_files() { # SEED
    rm -rf files run.db
    mkdir files
    python3 - "$1" <<'END'
import json, random, sys
chance = random.Random(int(sys.argv[1]))
NAMES = ["work", "pthread_mutex_lock", "pthread_mutex_unlock", "pthread_barrier_wait", "pthread_join", "GOMP_barrier", "MPI_Finalize"]
for process in range(3):
    for thread in range(3):
        events, now = [], chance.randrange(50)
        for _ in range(60):
            length = chance.randrange(1, 60)
            events.append({"ph": "X", "name": chance.choice(NAMES), "cat": "x", "pid": process, "tid": thread, "ts": now, "dur": length})
            now += length + chance.randrange(5)
        events[-1]["name"] = chance.choice(NAMES[-2:])
        with open(f"files/p{process}t{thread}.json", "w") as file:
            json.dump({"traceEvents": events}, file)
END
}
for seed in $(seeds 3); do
    thread_files "$seed" && run 0 --db run.db import -q files/*.json && all_four "threads, seed $seed" '2 4'
done
# A thread in two files is nobody's.
sed 's/"tid": 1/"tid": 0/g' files/p0t1.json >files/again.json && rm run.db && run 0 --db run.db import -q files/*.json &&
    all_four 'a thread in the files of two ranks' '2 4'
rm run.db
run 0 --db run.db import -q "$data/job-2x1"
answers 'a job' '2' waits --format json --top 0
rm run.db
run 0 --db run.db import -q "$data/kineto/rank0.json" "$data/kineto/rank1.json"
all_four 'PyTorch' '3'
rm run.db
run 0 --db run.db import -q "$data"/recorded/torch-2.13.0-forward.rank?.json.gz
answers 'steps of PyTorch' '2 3' waits --format csv --by step --top 0
answers 'steps of PyTorch' '2 3' breakdown --per step --format csv --top 0

# -- what fails ---------------------------------------------------------------------------------------------------
rm run.db
run 0 --db run.db import -q traces && run 0 --db apart.db import -q "$data/job-2x1"
for other in apart.db none.db; do
    for command in waits breakdown critical-path; do
        ! job -n 1 "$program" --db run.db $command : -n 1 "$program" --db $other $command && [ "$(grep -c '^tracetool: ' err)" = 1 ] && has err 'tracetool: rank 1: ' && [ ! -s out ]
        result $? "$command: rank 1 reads another database: $other"
    done
done
ranks 2 3 --db run.db waits --by size && filled one && [ "$(grep -c '^tracetool: ' err)" = 1 ] && has err 'key of --by'
result $? 'options that are wrong are told once'
for rank in 0 2; do
    order=$([ $rank = 2 ] || echo DESC)
    cp run.db damaged.db
    change_database damaged.db "DELETE FROM event_row WHERE id = (SELECT (first_event + last_event) / 2 FROM source_row ORDER BY id $order LIMIT 1)"
    for command in waits breakdown critical-path; do
        refuses 1 'missing' --db damaged.db $command && ! job -n 3 "$program" --db damaged.db $command &&
            matches err -E "^tracetool: $([ $rank = 0 ] || echo 'rank 2: ').*missing" && [ "$(grep -c '^tracetool: ' err)" = 1 ] && [ ! -s out ]
        result $? "$command: the part of rank $rank is damaged"
    done
done
# The last messages are read by the last rank.
cp run.db damaged.db
change_database damaged.db "DELETE FROM message_row WHERE id = (SELECT max (id) - 1 FROM message_row)"
run 0 --db damaged.db waits --format csv && mv out one && ranks 0 3 --db damaged.db waits --format csv && same one out
result $? 'a message that was deleted is missed by none'
"$BUILDDIR/bench/gen-tau" --records 2000000 --nodes 3 --messages large 2>err
run 0 --db large.db import -q large
filled one && killed --db large.db waits
result $? 'a rank that is killed ends all'
finish
