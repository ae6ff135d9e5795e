#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# tracetool-mpi: shards that the ranks of an MPI job write become the database that one process makes; what one rank fails
# at, or that one is killed, ends all of them and leaves nothing to be seen; --resume goes on.
. "$SRCDIR/tests/cli/lib.sh"
data=$TRACETOOL_DATA
. "$SRCDIR/tests/cli/mpi-lib.sh"

one() { # STATUS PATH... : as one process and one file has them
    _one=$1
    shift
    rm -rf "$scratch/one.db"
    run "$_one" --db "$scratch/one.db" import -q "$@" && python3 "$SRCDIR/tests/oracles/tables.py" "$scratch/one.db" >"$scratch/tables.one"
}

# joined DIRECTORY : it becomes the same
joined() {
    run 0 --db "$1" stats && has err 'joined' && python3 "$SRCDIR/tests/oracles/tables.py" "$1"/joined-*.db >"$scratch/tables.shards" &&
        same tables.one tables.shards
}

# alike STATUS N TEXT PATH... : one was asked before
alike() {
    _status=$1 _ranks=$2 _what=$3
    shift 3
    rm -rf "$scratch/run.shards"
    ranks "$_status" "$_ranks" --db "$scratch/run.shards" import "$@" &&
        [ "$(grep -c 'shards in' "$scratch/out")" = 1 ] && joined "$scratch/run.shards"
    result $? "$_what, $_ranks ranks"
}

unseen() { # DIRECTORY : its import has not ended
    [ ! -e "$1/manifest" ] && refuses 1 'has no manifest' --db "$1" stats
}

"$BUILDDIR/bench/gen-tau" --records 3000 --nodes 24 --messages --collectives --skew 500 "$scratch/tau" 2>"$scratch/err"
cp -r "$scratch/tau" "$scratch/bad"
echo 'no definitions' >"$scratch/bad/events.3.edf"

# -- the same rows --------------------------------------------------------------------------------------
one 0 "$data/job-2x1"
alike 0 2 'a job' "$data/job-2x1"
one 0 "$data/kineto/rank0.json" "$data/kineto/rank1.json"
alike 0 4 'PyTorch: some have no file' "$data/kineto/rank0.json" "$data/kineto/rank1.json"
one 3 "$scratch/bad"
alike 3 2 'what cannot be read is left out' "$scratch/bad"
one 0 "$scratch/tau"
numbers='1 2 3 4'
! again || numbers=3
for number in $numbers; do
    alike 0 "$number" 'TAU' "$scratch/tau"
done
ranks 0 2 --db "$scratch/run.shards" stats --format csv && cp "$scratch/out" "$scratch/ranks.out" &&
    run 0 --db "$scratch/one.db" stats --format csv && same ranks.out out
result $? 'other commands are run once'

# Of nodes without shared memory, and of an MPI without one-sided operations, as Debian's Open MPI is over TCP. The last `one` was of $scratch/tau.
rm -rf "$scratch/run.shards"
job --mca btl self,tcp --mca btl_tcp_if_include lo --mca osc ^sm,ucx,pt2pt -n 3 "$program" --db "$scratch/run.shards" import "$scratch/tau" && joined "$scratch/run.shards"
result $? 'ranks that share no memory and have no one-sided operations'

# -- what ends it -----------------------------------------------------------------------------------------
# told TEXT... : one message, which has them
told() {
    [ "$(grep -c '^tracetool: ' "$scratch/err")" = 1 ] && has err "$@"
}

at=$scratch/strict.shards
ranks 1 3 --db "$at" import --strict "$scratch/bad" && told 'bad/events.3.edf: line 1: ' &&
    matches err -E '^tracetool: rank [0-2]: /' && unseen "$at"
result $? 'a broken input, refused, names rank, file and line'

# The directory in the way is what cannot be written.
at=$scratch/full.shards
mkdir -p "$at/000005.shard/x"
ranks 1 3 --db "$at" import --resume "$scratch/tau" && told '000005.shard' '/tau/' &&
    matches err -E '^tracetool: rank [0-2]: /' && unseen "$at"
result $? 'so does what cannot be written'
rm -r "$at/000005.shard"
ranks 0 3 --db "$at" import --resume "$scratch/tau" && joined "$at"
result $? '--resume goes on'

at=$scratch/apart.shards
mkdir "$scratch/elsewhere"
cp -r "$scratch/bad" "$scratch/elsewhere/tau"
job -n 1 "$program" --db "$at" import tau : -n 1 -wdir "$scratch/elsewhere" "$program" --db "$at" import tau
[ $? -eq 1 ] && told 'rank 1: it does not see the files that rank 0 sees' && unseen "$at"
result $? 'a rank that sees other files is named'
job -n 1 "$program" --db "$at" import --resume tau : -n 1 "$program" --db "$at" import --resume --step-rule none tau
[ $? -eq 1 ] && told 'rank 1: rank 0 tells a plan that has other options' && unseen "$at"
result $? 'so is one with other options'
tar -cf "$scratch/tau.tar" -C "$scratch" tau && one 0 "$scratch/tau.tar"
alike 0 2 'an archive, which each unpacks' "$scratch/tau.tar"

# -- a rank that is killed ------------------------------------------------------------------------------------
"$BUILDDIR/bench/gen-tau" --records 80000 --nodes 8 "$scratch/large" 2>"$scratch/err"
at=$scratch/killed.shards
one 0 "$scratch/large"
# killed : one was, after the first shard and before the last
killed() {
    rm -rf "$at" "$scratch/pid"
    job -n 1 "$program" --db "$at" import "$scratch/large" : \
        -n 1 sh -c "echo \$\$ >'$scratch/pid'; exec '$program' --db '$at' import '$scratch/large'" &
    for _ in $(seq 1000); do
        [ -z "$(find "$at" -name '*.shard' 2>/dev/null)" ] || break
        sleep 0.005
    done
    kill -9 "$(cat "$scratch/pid")"
    ! wait $! && [ -n "$(find "$at" -name '*.shard')" ] && [ ! -e "$at/manifest" ]
}
{ killed || killed || killed || killed; } && unseen "$at" && n_whole=$(find "$at" -name '*.shard' | wc -l) && echo "# $n_whole of 8 were whole" &&
    MPIRUN_OPTIONS='--allow-run-as-root --oversubscribe' TRACETOOL_MPI=$program SLURM_NTASKS=2 TMPDIR=/tmp \
        timeout 60 sh "$SRCDIR/docs/slurm-import.sh" "$scratch/large" "$at" >"$scratch/out" 2>"$scratch/err" && joined "$at"
result $? 'of an import in which one was killed nothing is seen, and --resume goes on, by the script for Slurm'
finish
