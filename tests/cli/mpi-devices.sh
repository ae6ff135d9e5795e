#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# tracetool-mpi waits, breakdown, critical-path, kernels and depgraph of runs with work on devices: each rank finds what launched the work in its files, and what waits
# for what there. What they say together is what one process says, byte by byte.
. "$SRCDIR/tests/cli/lib.sh"
. "$SRCDIR/tests/cli/mpi-lib.sh"
command -v python3 >/dev/null || { echo '1..0 # SKIP python3 is not here'; exit 0; }
data=$TRACETOOL_DATA

ask_all() { # TEXT NUMBERS
    questions "$@" <<'END_OF_QUESTIONS'
waits --format csv --unit ns --top 0 --by kind,name,rank,cause,cause_name,step
waits --format json --top 0 --time-window 100:4000 --by rank,kind
breakdown
breakdown --format json --unit ns --top 0
breakdown --per step --format csv --top 0
breakdown --per stream --format csv --top 0 --filter op_cat=COMP
breakdown --of host --format json
breakdown --time-window 100:4000 --format csv
critical-path --format json --unit ns --segments --imbalance --top 0
critical-path --show imbalance --format csv
critical-path --step 1 --format csv --show kinds
kernels --format json --top 0 --time-window 100:4000
depgraph --max-nodes 0 --format json
depgraph --kind sync,flow,collective --filter op_cat=COMP,Comm,MEM,SYNC --format dot
depgraph --time-window 100:4000 --merge-ranks --format graphml
critical-path --model --format csv
END_OF_QUESTIONS
}

ask_some() { # TEXT NUMBERS
    questions "$@" <<'END_OF_QUESTIONS'
waits --format csv --unit ns --top 0 --by kind,name,rank,cause,cause_name
breakdown --format json --unit ns --top 0
critical-path --format json --unit ns --segments --imbalance --top 0
kernels --format json --top 0
depgraph --max-nodes 0 --format json
END_OF_QUESTIONS
}

torch() { # SEED RANKS ARGUMENT... : a random program of PyTorch
    rm -rf sim run.db
    _seed=$1 _ranks=$2
    shift 2
    python3 "$SRCDIR/tests/oracles/torch_simulator.py" --seed "$_seed" --ranks "$_ranks" -o sim "$@" && rm sim/truth.json
}

# The threads of each process over some files, so that hosts, devices and their streams are in the parts of several ranks.
scatter() { # SEED FILE...
    rm -rf scattered
    mkdir scattered
    python3 - "$@" <<'END'
import gzip, json, random, sys
chance, number = random.Random(int(sys.argv[1])), 0
for name in sys.argv[2:]:
    with (gzip.open if name.endswith(".gz") else open)(name) as file:
        trace = json.load(file)
    parts, of_thread = [[] for _ in range(chance.randrange(2, 4))], {}
    for event in trace["traceEvents"]:
        thread = event.get("pid"), event.get("tid")
        chosen = parts if event["ph"] == "M" else [of_thread.setdefault(thread, chance.choice(parts))]
        for part in chosen:
            part.append(event)
    for part in parts:
        with open(f"scattered/{number:02}.json", "w") as file:
            json.dump({**trace, "traceEvents": part}, file)
        number += 1
END
}

torch 1 4 && run 0 --db run.db import -q sim/rank*.json && ask_all 'PyTorch' '2 3'
for seed in $(seeds 2); do
    torch "1$seed" 4 && run 0 --db run.db import -q sim/rank*.json && ask_some "PyTorch, seed $seed" '4'
done
torch 7 2 --no-marks && run 0 --db run.db import -q sim/rank*.json && ask_some 'no marks, more ranks than files' '3'
torch 5 4 && scatter 1 sim/rank*.json && run 0 --db run.db import -q scattered/*.json && ask_some 'devices in other files than their hosts' '3'
answers 'devices in other files than their hosts' '3' breakdown --per step --format csv
rm run.db
run 0 --db run.db import -q "$data/pi-run" "$data/pi-g1" "$data/pi-g2"
ask_some 'recordings of PI' '2'
for file in kineto/rank kineto/late; do
    rm run.db
    run 0 --db run.db import -q "$data/${file}0.json" "$data/${file}1.json"
    for question in waits breakdown 'critical-path --format json'; do
        # shellcheck disable=SC2086
        answers "$file, fewer calls than ranks" '3' $question
    done
done

# Calls that the host does by itself, beside the thread that asked for them.
rm run.db
run 0 --db run.db import -q "$data"/recorded/torch-2.13.0-forward.rank?.json.gz
answers 'gloo' '2 3' critical-path --format json --unit ns --segments --top 0
rm run.db
scatter 1 "$data"/recorded/torch-2.13.0-forward.rank?.json.gz && run 0 --db run.db import -q scattered/*.json
answers 'gloo, processes in several files' '3' critical-path --format json --unit ns --segments --top 0

# Work that says that the calls and queues of another file are its own is nobody's part.
torch 3 2 && run 0 --db run.db import -q sim/rank*.json
cp run.db tangled.db
launch="SELECT max (launch) FROM activity_row WHERE event > (SELECT max (first_event) FROM source_row)"
change_database tangled.db "UPDATE activity_row SET launch = ($launch) WHERE id = (SELECT max (id) FROM activity_row WHERE launch > 0 AND event < (SELECT max (first_event) FROM source_row))"
mv tangled.db run.db
filled run.db && ask_some 'work that the call of another file launched' '2'
torch 3 2 && run 0 --db run.db import -q sim/rank*.json
change_database run.db "UPDATE activity_row SET queue = (SELECT max (queue) FROM activity_row WHERE role = 6) WHERE id = (SELECT min (id) FROM activity_row WHERE role = 6)"
filled run.db && ask_some 'work on the queue of another file' '2'

# -- what fails ---------------------------------------------------------------------------------------------------
torch 4 4 && run 0 --db run.db import -q sim/rank*.json
for rank in 0 2; do
    order=$([ $rank = 2 ] || echo DESC)
    source=$(run 0 --db run.db query --format csv "SELECT first_event + last_event, last_activity FROM source_row ORDER BY id $order LIMIT 1" && sed -n 2p out | tr -d '\\r')
    for what in "DELETE FROM event_row WHERE id = ${source%,*} / 2;missing" "UPDATE activity_row SET launch = 1 << 40 WHERE id = ${source#*,} - 1;not there"; do
        cp run.db damaged.db
        change_database damaged.db "${what%;*}"
        for command in waits breakdown critical-path depgraph; do
            refuses 1 "${what#*;}" --db damaged.db $command && ! job -n 3 "$program" --db damaged.db $command &&
                has err "${what#*;}" && matches err -E "^tracetool: $([ $rank = 0 ] || echo 'rank 2: ')" && [ "$(grep -c '^tracetool: ' err)" = 1 ] && [ ! -s out ]
            result $? "$command: the part of rank $rank is damaged: ${what#*;}"
        done
    done
done
finish
