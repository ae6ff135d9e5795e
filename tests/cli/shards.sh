#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# import --jobs: several processes make the database that one makes, to the last row and word; what they cannot read is
# told alike, and what is killed leaves nothing.
. "$SRCDIR/tests/cli/lib.sh"
# shellcheck source=tests/cli/readers-lib.sh
. "$SRCDIR/tests/cli/readers-lib.sh"
gen=$BUILDDIR/bench/gen-tau
data=$TRACETOOL_DATA

tables() { # DATABASE FILE
    python3 "$SRCDIR/tests/oracles/tables.py" "$scratch/$1" >"$scratch/$2"
}

# What commands say of $scratch/run.db, into FILE
answers() {
    for command in 'stats --top 0' comm waits breakdown imbalance critical-path 'info --trust' 'export --chrome -o -'; do
        echo "== $command"
        # shellcheck disable=SC2086
        "$TRACETOOL" --db "$scratch/run.db" $command
        echo "= $?"
    done >"$scratch/$1" 2>&1 </dev/null
    filled "$1"
}

# as_one STATUS TEXT PATH... : with 1 job and 3 the import says the same, and so do all tables
as_one() {
    wanted_status=$1 text=$2
    shift 2
    same_as_one=0
    for jobs in 1 3; do
        rm -f "$scratch/run.db"
        run "$wanted_status" --db "$scratch/run.db" import --jobs $jobs "$@" || same_as_one=1
        cp "$scratch/out" "$scratch/out.$jobs" && cp "$scratch/err" "$scratch/err.$jobs"
        [ ! -e "$scratch/run.db" ] || mv "$scratch/run.db" "$scratch/jobs.$jobs.db"
    done
    cmp "$scratch/out.1" "$scratch/out.3" && cmp "$scratch/err.1" "$scratch/err.3" || same_as_one=1
    if [ "$wanted_status" != 1 ]; then
        tables jobs.1.db tables.1 && tables jobs.3.db tables.3 && same tables.1 tables.3 || same_as_one=1
    fi
    [ $same_as_one -eq 0 ]
    result $? "$text"
}

# -- the same database ----------------------------------------------------------------------------
"$gen" --records 12000 --nodes 24 --messages --collectives --user-events --skew 500 "$scratch/tau" 2>"$scratch/err"
as_one 0 'TAU, a file a rank, with clocks to correct' "$scratch/tau"
for jobs in 1 3; do
    cp "$scratch/jobs.$jobs.db" "$scratch/run.db" && answers answers.$jobs
done
has answers.1 'MPI_Send' 'traceEvents' && same answers.1 answers.3
result $? 'all commands say the same of it'
same_with_readers 'messages and collectives of 24 ranks' 0 --jobs 2 "$scratch/tau"
as_one 0 'PyTorch: ranks that share no process' "$data/kineto/rank0.json" "$data/kineto/rank1.json" \
    "$data/kineto/late0.json" "$data/kineto/late1.json"
as_one 0 'files whose threads were there before are read in their turn' "$data/rocprof"
as_one 0 'programs of Nsight Systems' "$data/nsys"
as_one 0 'jobs and frameworks, each in its format' "$data/job-2x1" "$data/framework"
as_one 0 'CTF of hosts and devices, and PI calls' "$data/ctf-hosts" "$data/ctf-devices" "$data/pi-g1" "$data/pi-g2"
as_one 0 'OTF2 archives beside others' "$data/otf2" "$data/tau-mpi4"
same_as_one=0
for jobs in 1 3; do
    cp "$data/tau-merged/run.edf" "$data/tau-merged/run.trc" "$scratch" && rm -f "$scratch/run.db"
    run 0 --db "$scratch/run.db" import "$scratch/run.trc" "$scratch/run.edf" &&
        run 0 --db "$scratch/run.db" import --jobs $jobs --add "$scratch/tau" || same_as_one=1
    mv "$scratch/run.db" "$scratch/jobs.$jobs.db"
done
tables jobs.1.db tables.1 && tables jobs.3.db tables.3 && same tables.1 tables.3 && [ $same_as_one = 0 ]
result $? '--add: beside what is there'

# -- many files -----------------------------------------------------------------------------------
"$gen" --records 12000 --nodes 1000 --messages "$scratch/many" 2>"$scratch/err"
as_one 0 '1,000 ranks' "$scratch/many"

# -- what cannot be read --------------------------------------------------------------------------
cp -r "$scratch/tau" "$scratch/bad"
: >"$scratch/bad/tautrace.7.0.0.trc"
head -c 3000 "$scratch/tau/tautrace.5.0.0.trc" >"$scratch/bad/tautrace.5.0.0.trc"
echo 'no definitions' >"$scratch/bad/events.3.edf"
as_one 3 'traces that cannot be read are left out with the same words' "$scratch/bad"
has err.3 'left out' 'tautrace.7.0.0.trc'
result $? 'which name them'
as_one 1 '--strict: the same error' --strict "$scratch/bad"
mkdir "$scratch/half"
for rank in 0 1; do
    gzip -c "$data/kineto/rank$rank.json" >"$scratch/half/rank$rank.json.gz"
done
size=$(wc -c <"$scratch/half/rank1.json.gz")
head -c $((size / 2)) "$scratch/half/rank1.json.gz" >"$scratch/half/cut" && printf 'xxxxxxxx' >>"$scratch/half/cut" &&
    mv "$scratch/half/cut" "$scratch/half/rank1.json.gz"
as_one 3 'an input that breaks in the middle' "$scratch/half"

# -- asking for it --------------------------------------------------------------------------------
refuses 2 "'--jobs' is from 0" --db "$scratch/no.db" import --jobs -1 "$scratch/tau" && [ ! -e "$scratch/no.db" ]
result $? 'a number of processes below 0 is refused'
run 0 --db "$scratch/all.db" import -q --jobs 0 "$scratch/tau" && tables all.db tables.all &&
    tables jobs.1.db tables.1 && filled tables.all
result $? '0 is one for each processor'

# -- death ----------------------------------------------------------------------------------------
"$gen" --records 400000 --nodes 8 "$scratch/long" 2>"$scratch/err"
mkdir "$scratch/db"
killed=1
for _try in 1 2 3 4 5; do
    "$TRACETOOL" --db "$scratch/db/run.db" import --jobs 2 "$scratch/long" >"$scratch/out" 2>"$scratch/err" </dev/null &
    pid=$!
    child=
    while [ -z "$child" ] && kill -0 $pid 2>/dev/null; do
        sleep 0.01
        child=$(cut -d' ' -f1 "/proc/$pid/task/$pid/children" 2>/dev/null)
    done
    [ -z "$child" ] || kill -9 "$child" 2>/dev/null
    wait $pid
    status=$?
    if [ $status -eq 1 ] && has err 'the process that read it was killed by signal 9'; then
        killed=0
        break
    fi
    rm -f "$scratch/db"/*
done
[ $killed -eq 0 ] && [ -z "$(ls "$scratch/db")" ]
result $? 'a process that is killed ends the import, which names its file and leaves nothing'
for _after in 0.05 0.02 0.01 0; do
    rm -f "$scratch/db"/*
    "$TRACETOOL" --db "$scratch/db/run.db" import --jobs 2 "$scratch/long" >"$scratch/out" 2>"$scratch/err" </dev/null &
    pid=$!
    sleep $_after
    children=$(cat "/proc/$pid/task/$pid/children" 2>/dev/null)
    kill -9 $pid 2>/dev/null
    wait $pid 2>/dev/null
    # Else it came too late.
    [ -e "$scratch/db/run.db" ] || break
done
sleep 0.3
left=0
for child in $children; do
    # One that nobody waits for is a zombie.
    case $(cut -d' ' -f3 "/proc/$child/stat" 2>/dev/null) in '' | Z) ;; *) left=1 ;; esac
done
run 0 --db "$scratch/db/run.db" import -q --jobs 2 "$scratch/long" && [ $left -eq 0 ] &&
    [ "$(ls "$scratch/db")" = run.db ]
result $? 'with the import its processes end, and the next one leaves one file'
finish
