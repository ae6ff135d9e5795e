#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# --db run.shards: a directory of shards becomes the database that an import into one file makes; a shard that is missing,
# damaged or of another import is named; --resume goes on.
. "$SRCDIR/tests/cli/lib.sh"
data=$TRACETOOL_DATA
shards=$scratch/run.shards
# as_one STATUS TEXT PATH... : the directory and one file have the same tables
as_one() {
    wanted_status=$1 text=$2
    shift 2
    rm -rf "$shards" "$scratch/one.db"
    run "$wanted_status" --db "$scratch/one.db" import -q "$@" && cp "$scratch/err" "$scratch/err.one" &&
        run "$wanted_status" --db "$shards" import --jobs 2 "$@" && cp "$scratch/err" "$scratch/err.shards" &&
        has out 'shards in' && run 0 --db "$shards" stats && cp "$scratch/out" "$scratch/stats" && has err 'joined' &&
        run 0 --db "$scratch/one.db" stats && same out stats &&
        python3 "$SRCDIR/tests/oracles/tables.py" "$scratch/one.db" >"$scratch/tables.one" &&
        python3 "$SRCDIR/tests/oracles/tables.py" "$shards"/joined-*.db >"$scratch/tables.shards" && same tables.one tables.shards
    result $? "$text"
}

"$BUILDDIR/bench/gen-tau" --records 6000 --nodes 12 --messages --collectives --skew 500 "$scratch/tau" 2>"$scratch/err"
as_one 0 'PyTorch' "$data/kineto/rank0.json" "$data/kineto/rank1.json"
as_one 0 'jobs and frameworks' "$data/job-2x1" "$data/framework/mxnet" "$data/framework/nccl"
cp -r "$scratch/tau" "$scratch/bad"
: >"$scratch/bad/tautrace.7.0.0.trc"
echo 'no definitions' >"$scratch/bad/events.3.edf"
as_one 3 'what cannot be read is left out of both' "$scratch/bad"
run 0 --db "$shards" stats && has out MPI_Send && has err.shards 'left out' 'tautrace.7.0.0.trc'
result $? 'and named'
as_one 0 'TAU, a file a rank' "$scratch/tau"
run 0 --db "$shards" stats && unsaid joined && run 0 info --db "$shards" && has out '12'
result $? 'they are joined once; --db may follow the command'

# -- without the traces -----------------------------------------------------------------------------
# without TEXT STATUS TRACES : what their shards become when they are gone is what they become beside them
without() {
    rm -rf "$shards"
    run "$2" --db "$shards" import -q "$3" && run 0 --db "$shards" stats --top 0 && cp "$scratch/out" "$scratch/beside" && rm "$shards"/joined-*.db &&
        mv "$3" "$scratch/gone" && run 0 --db "$shards" stats --top 0 && has err 'joined' && same out beside
    result $? "$1"
    rm -rf "$scratch/gone"
}
cp -rL "$data/ctf-hosts" "$scratch/ctf" && without 'shards are joined without the traces' 0 "$scratch/ctf"
mkdir "$scratch/broken" && cp "$data/chrome/every-kind.json" "$scratch/broken/a.json" && cp "$data/kineto/waits.json" "$scratch/broken/c.json" &&
    python3 - "$data/rocprof/rocm62.json" "$scratch/broken/b.json" <<'END'
import sys
data = bytearray(open(sys.argv[1], "rb").read())
n = len(data) // 40
data[len(data) // 12:len(data) // 12 + n] = bytes(n)
open(sys.argv[2], "wb").write(data)
END
without 'also where one is left out when half of it was read' 3 "$scratch/broken"
mkdir "$scratch/copies" && cp "$data/kineto/rank0.json" "$scratch/copies/a.json" && cp "$data/kineto/rank0.json" "$scratch/copies/b.json"
rm -rf "$shards"
refuses 1 'have the same contents; give one of them' --db "$shards" import "$scratch/copies" && [ ! -e "$shards" ]
result $? 'copies of a trace are refused before anything is written'
run 0 --db "$shards" import -q "$scratch/tau" && run 0 --db "$shards" stats && cp "$scratch/out" "$scratch/stats"

# -- what is wrong with them ----------------------------------------------------------------------
broken() { # TEXT OF ERROR
    refuses 1 "$1" --db "$shards" stats
}
cp -r "$shards" "$scratch/kept"
mv "$shards/000004.shard" "$scratch/away"
broken '000004.shard'
result $? 'a shard that is missing is named'
cp "$shards/000005.shard" "$shards/000004.shard"
broken "000004.shard' is not shard 4 of this import"
result $? 'so is one in the place of another'
head -c 700 "$scratch/away" >"$shards/000004.shard"
broken '000004.shard'
result $? 'and one that is cut'
rm "$shards"/joined-*.db
python3 - "$scratch/away" "$shards/000004.shard" <<'END'
import sys
data = bytearray(open(sys.argv[1], "rb").read())
data[len(data) // 3] ^= 16
open(sys.argv[2], "wb").write(data)
END
broken '000004.shard' && [ -z "$(find "$shards" -name 'joined*')" ]
result $? 'and one with a changed byte, of which no database is left'
rm "$shards/000004.shard" && mkfifo "$shards/000004.shard"
broken "000004.shard' cannot be read: it is not a file"
result $? 'and one that is no file'
rm "$shards/000004.shard" && cp "$scratch/away" "$shards/000004.shard"
cp "$shards/manifest" "$scratch/manifest"
bad=0
while read -r change; do
    sed "$change" "$scratch/manifest" >"$shards/manifest"
    if cmp -s "$scratch/manifest" "$shards/manifest" || ! broken "manifest' is damaged" || [ -n "$(find "$shards" -name 'joined*')" ]; then
        echo "# $change" && bad=1
    fi
done <<'END'
/^.input 11.$/,/^$/d
/^.input 11.$/,$d
/^path=.*11.0.0.trc/,$s/0.trc//;/^.end.$/,$d
s/^.input 5.$/[input 99]/
s/^inputs=.*/inputs=4294967308/
s/^inputs=.*/inputs=-12/
s/^unknown=.*/unknown=1/
s/^id=./id=/
/^id=/d
s/^format=.*/format=none/
s/^path=.*5.0.0.trc/path=/
END
[ $bad = 0 ]
result $? 'a manifest of fewer inputs, or of what cannot be, is damaged'
sed 's/^name-rules=.*/name-rules=true/' "$scratch/manifest" >"$shards/manifest" && mkfifo "$shards/name-rules.ini" && broken "name-rules.ini' are missing" &&
    rm "$shards/name-rules.ini" "$shards/manifest" && mkfifo "$shards/manifest" && broken "manifest' cannot be read"
result $? 'pipes in the place of its files are not waited for'
rm "$shards/manifest" && cp "$scratch/manifest" "$shards/manifest"
refuses 1 'is there already' --db "$shards" import "$scratch/tau"
result $? 'a whole directory is not written to again'
rm "$shards/manifest"
broken 'has no manifest' && refuses 1 "'--resume' goes on" --db "$shards" import "$scratch/tau"
result $? 'one without a manifest is an import that has not ended'
rm "$shards/000002.shard"
touch -d '2001-01-01' "$shards/000001.shard"
run 0 --db "$shards" import -q --resume "$scratch/tau" && run 0 --db "$shards" stats && same out stats &&
    [ "$(stat -c %Y "$shards/000001.shard")" = "$(date -d '2001-01-01' +%s)" ] && cmp "$scratch/kept/000002.shard" "$shards/000002.shard"
result $? '--resume makes what is missing and leaves what is whole'
touch "$scratch/tau/tautrace.1.0.0.trc"
rm "$shards/manifest"
run 0 --db "$shards" import -q --resume "$scratch/tau" && filled "$shards/manifest" "$shards/000001.shard" &&
    [ "$(stat -c %Y "$shards/000001.shard")" != "$(date -d '2001-01-01' +%s)" ]
result $? 'but not where an input has changed'

# -- where they grow, and where there is no room -------------------------------------------------------
mkdir "$scratch/disk"
run 0 --db "$scratch/disk.shards" import -q --jobs 2 --scratch "$scratch/disk" "$scratch/tau" && [ -z "$(ls -A "$scratch/disk")" ] &&
    [ "$(find "$scratch/disk.shards" -type f | wc -l)" = 13 ] && cmp "$shards/000007.shard" "$scratch/disk.shards/000007.shard"
result $? '--scratch: they grow elsewhere, and are the same'
small() { # ARGUMENT... : an import into a directory where files may have four blocks of the shell; one message with input, file and byte
    rm -rf "$scratch/small.shards"
    (ulimit -f 4 && STAND_IN_STATUS=1 "$TRACETOOL" --db "$scratch/small.shards" import -q --jobs 2 "$@" "$scratch/tau" >"$scratch/out" 2>"$scratch/err")
    [ $? -eq 1 ] && lines err 1 && [ ! -e "$scratch/small.shards/manifest" ]
}
small && matches err -E "^tracetool: .*/tau/tautrace.[0-9]*.0.0.trc: cannot write '.*/small.shards/0000[01][0-9].shard' at byte (2048|4096): "
result $? 'no room: input, file and byte are named'
small --scratch "$scratch/disk" && matches err -E "cannot write '.*/disk/0000[01][0-9].shard' at byte (2048|4096): "
result $? 'the same of the disk where they grow'
refuses 2 "'--scratch' is for an import into a directory of shards" --db "$scratch/no.db" import --scratch "$scratch/disk" "$scratch/tau"
result $? '--scratch without a directory of shards is refused'

# -- what is stopped ---------------------------------------------------------------------------------
"$BUILDDIR/bench/gen-tau" --records 4000000 --nodes 4 "$scratch/large" 2>"$scratch/err"
# stopped SIGNAL : an import was, once shards grew
stopped() {
    rm -rf "$scratch/stopped.shards"
    "$TRACETOOL" --db "$scratch/stopped.shards" import -q --jobs 2 "$scratch/large" >"$scratch/out" 2>"$scratch/err" &
    for _ in $(seq 1000); do
        [ -z "$(find "$scratch/stopped.shards" -name '*.part-*' -size +0 2>/dev/null)" ] || break
        sleep 0.005
    done
    kill "-$1" $!
    wait $!
    status=$?
    n_parts=$(find "$scratch/stopped.shards" -name '*.part-*' | wc -l)
    [ ! -e "$scratch/stopped.shards/manifest" ]
}
{ stopped KILL || stopped KILL || stopped KILL; } && [ "$n_parts" -gt 0 ] && run 0 --db "$scratch/stopped.shards" import -q --resume "$scratch/large" &&
    [ "$(find "$scratch/stopped.shards" -type f | wc -l)" = 5 ]
result $? 'what a killed import left is removed by --resume'
{ stopped TERM || stopped TERM || stopped TERM; } && [ $status -eq 1 ] && has err 'tracetool: cancelled' && [ "$n_parts" = 0 ] && [ -d "$scratch/stopped.shards" ]
result $? 'one that is interrupted leaves none'

# -- what they do not take --------------------------------------------------------------------------
refuses 1 'share' --db "$scratch/shared.shards" import "$data/rocprof" && [ ! -e "$scratch/shared.shards/manifest" ]
result $? 'traces whose order decides are refused'
refuses 2 'takes one import' --db "$shards" import --add "$scratch/tau"
result $? 'so is --add'
finish
