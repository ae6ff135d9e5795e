#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What goes wrong in an import by the ranks of an MPI job: one that is killed at any moment, a disk that is full. Nothing of
# it is seen, one message says what it was, and --resume makes the shards that an import without faults makes.
. "$SRCDIR/tests/cli/lib.sh"
. "$SRCDIR/tests/cli/mpi-lib.sh"

"$BUILDDIR/bench/gen-tau" --records 600000 --nodes 24 --messages traces 2>err
run 0 --db whole.shards import -q traces && cp -r whole.shards kept.shards && run 0 --db whole.shards stats && has out COMP && cp out stats
result $? 'an import without faults'

# whole DIRECTORY : it has the same shards, nothing that was begun and left, and says the same
whole() {
    for _shard in kept.shards/*.shard; do
        cmp "$_shard" "$1/${_shard##*/}" || return 1
    done
    [ "$(find "$1" -name '*.part-*' | wc -l)" = 0 ] && run 0 --db "$1" stats && same out stats
}

# -- a rank that is killed -----------------------------------------------------------------------------------
random() { # BELOW
    echo $(($(od -An -N4 -tu4 /dev/urandom) % $1))
}

# killed RANK MILLISECONDS FILE : that rank of three, so long after it has begun and FILE is there
killed() {
    rm -rf killed.shards pid.*
    # shellcheck disable=SC2016
    job -n 3 sh -c 'echo $$ >"pid.$OMPI_COMM_WORLD_RANK"; exec "$@"' sh "$program" --db killed.shards import -q traces &
    for _ in $(seq 2000); do
        [ -s "pid.$1" ] && [ -n "$(find . -path ./kept.shards -prune -o -path ./whole.shards -prune -o -name "$3" -print 2>/dev/null)" ] && break
        sleep 0.005
    done
    sleep "$(printf '0.%03d' "$2")"
    kill -9 "$(cat "pid.$1")" 2>/dev/null
    wait $!
    status=$?
    # Late ones are killed when all is done.
    [ ! -e killed.shards/manifest ] || return 0
    [ $status -ne 0 ] && { [ ! -d killed.shards ] || refuses 1 'has no manifest' --db killed.shards stats; }
}

n_killed=0 n_half=0 bad=0
for round in $(seq "$(often 20)"); do
    # Half of them while shards are written, half whenever it is.
    if [ $((round % 2)) = 0 ]; then
        rank=$(random 3) delay=$(random 900) after="pid.$rank"
    else
        rank=$(random 3) delay=$(random 100) after="0*.shard"
    fi
    killed "$rank" "$delay" "$after" || { echo "# rank $rank after $delay ms: seen, or no error"; bad=1; }
    n_there=$(find killed.shards -name '*.shard' 2>/dev/null | wc -l)
    if [ ! -e killed.shards/manifest ]; then
        n_killed=$((n_killed + 1))
        [ "$n_there" = 0 ] || n_half=$((n_half + 1))
        ranks 0 $((rank + 1)) --db killed.shards import -q --resume traces || bad=1
    fi
    whole killed.shards || { echo "# rank $rank after $delay ms, $n_there shards: other shards"; bad=1; }
done
echo "# $n_killed of $(often 20) were killed before the end, $n_half of them with some shards whole"
[ $bad = 0 ] && [ "$n_killed" -gt 0 ]
result $? 'a rank is killed at any moment: nothing is seen, and --resume makes the rest'

# -- an interrupt --------------------------------------------------------------------------------------------
# interrupted RANK STOPPED... : that rank of three, when some shards are there and the stopped ones stand still
interrupted() {
    rm -rf killed.shards pid.*
    # shellcheck disable=SC2016
    job -n 3 sh -c 'echo $$ >"pid.$OMPI_COMM_WORLD_RANK"; exec "$@"' sh "$program" --db killed.shards import -q traces &
    for _ in $(seq 2000); do
        [ -s pid.0 ] && [ -s pid.1 ] && [ -s pid.2 ] && [ -n "$(find killed.shards -name '0*.shard' 2>/dev/null)" ] && break
        sleep 0.005
    done
    interrupted=$1
    shift
    for stopped in "$@"; do
        kill -STOP "$(cat "pid.$stopped")"
    done
    kill -TERM "$(cat "pid.$interrupted")"
    began=$(date +%s)
    wait $!
    status=$?
    for stopped in "$@"; do
        kill -CONT "$(cat "pid.$stopped")" 2>/dev/null
    done
    [ ! -e killed.shards/manifest ] || return 1
    # Not by the time limit of the job.
    [ $status -eq 1 ] && [ $(($(date +%s) - began)) -lt 20 ] && [ "$(grep -c '^tracetool: ' err)" = 1 ]
}
# ends TEXT ARGUMENT... : all is over, and --resume goes on
ends() {
    what=$1
    shift
    { interrupted "$@" || interrupted "$@" || interrupted "$@"; } &&
        matches err -E "^tracetool: (rank [12]: )?cancelled; 'killed.shards' has [0-9]+ of 24 shards, .* '--resume'|^tracetool: rank [12]: .*cancelled" &&
        refuses 1 'has no manifest' --db killed.shards stats && ranks 0 2 --db killed.shards import -q --resume traces && whole killed.shards
    result $? "$what"
}
ends 'rank 0 alone is interrupted' 0
ends 'and while others, for which it waits, stand still' 0 1 2
ends 'another rank alone is interrupted' 2

# -- a disk of the node --------------------------------------------------------------------------------------
mkdir scratch
ranks 0 3 --db scratch.shards import -q --scratch scratch traces && whole scratch.shards && [ -z "$(ls -A scratch)" ]
result $? '--scratch: the same shards, and nothing is left there'
ranks 1 2 --db nowhere.shards import -q --scratch nowhere traces && [ "$(grep -c '^tracetool: ' err)" = 1 ] && matches err -E '^tracetool: rank [01]: traces/.*nowhere' &&
    [ ! -e nowhere.shards/manifest ] && refuses 1 'has no manifest' --db nowhere.shards stats
result $? 'a scratch directory that is not there is named, with the rank'

# -- a full disk ---------------------------------------------------------------------------------------------
# A file system of a few pages, seen by this job only.
cat >full.sh <<'END'
set -e
small=$1
shift
mount -t tmpfs -o size=40k none "$small"
"$@" || status=$?
find "$small" -name manifest >manifests
exit ${status:-0}
END
if unshare -rm sh full.sh small true 2>/dev/null || { mkdir small && unshare -rm sh full.sh small true 2>/dev/null; }; then
    # full TEXT ARGUMENT... : one message, with rank, input, file and byte
    full() {
        what=$1
        shift
        TMPDIR=/tmp timeout -k 5 60 unshare -rm sh full.sh small mpirun --quiet --mca odls_base_sigkill_timeout 0 --allow-run-as-root --oversubscribe \
            -n 2 "$program" "$@" >out 2>err </dev/null
        status=$?
        [ $status -eq 1 ] && [ "$(grep -c '^tracetool: ' err)" = 1 ] && [ ! -s manifests ] &&
            matches err -E '^tracetool: rank [01]: traces/tautrace[0-9.]*trc: cannot write .small/.*0000[0-2][0-9]\.shard. at byte [1-9][0-9]*: No space left on device$' &&
            run 0 --db whole.shards stats && same out stats
        result $? "$what"
    }
    full 'a full disk: rank, input, file and byte' --db small/run.shards import -q traces
    full 'a full scratch disk' --db full.shards import -q --scratch small traces
    ranks 0 2 --db full.shards import -q --resume traces && whole full.shards
    result $? '--resume goes on elsewhere'
else
    skip 'a full disk' 'no file system can be mounted here'
fi
finish
