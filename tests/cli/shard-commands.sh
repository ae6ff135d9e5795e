#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Every command that reads says of a directory of shards, byte by byte, what it says of one database: alone, and as the
# ranks of an MPI job.
. "$SRCDIR/tests/cli/lib.sh"
data=$TRACETOOL_DATA
program=$BUILDDIR/tracetool-mpi
has_mpi=0
if [ -x "$program" ] && command -v mpirun >/dev/null && mpirun --version 2>/dev/null | grep -q 'Open MPI' &&
    ! grep -q 'fsanitize=thread' "$BUILDDIR/config.status"; then
    has_mpi=1
fi
# The MPI library leaks.
export ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0"
# What mpirun gives its programs is a terminal, which is no reason to cut and to colour; here it has colours, too.
unset NO_COLOR
export TERM=xterm

# A database and a directory of shards are called alike, each in a folder of its own, and made by one command line: what
# is left are the times of the imports.
cat >"$scratch/commands" <<'END'
info
info --format json
info --names --format csv
info --trust
info --check
stats
stats --by op_long_name --format csv
stats --by op_cat --format json
stats --by op_name --format tsv
stats --by sub_op --format markdown
stats --by pid
stats --by tid
stats --by rank
stats --by step
stats --by native_group
stats --by file
stats --by path --top 0
stats --by op_cat,pid
stats --per rank
stats --per pid --format csv
stats --filter 'op_cat = COMP,Comm' --format csv
stats --time-window 100:1000
stats --format name2sta
stats --format cat2sta
tree
comm
comm --show pairs --format csv
comm --show ranks --format json
comm --show collectives
breakdown
breakdown --format json
imbalance
imbalance --format csv
steps
steps --format csv
waits
waits --show causes --format csv
kernels
kernels --format csv
params
nccl
depgraph -o -
depgraph --collapse -o -
critical-path
critical-path --model
critical-path --show imbalance --format csv
simulate
simulate --format json
report -o -
plot breakdown -o -
plot matrix -o -
plot timeline --format text
export
export --waits
export --template
export --perfetto
export --folded
export --speedscope
export --filter 'op_cat = Comm'
export --time-window 100:1000 --absolute
export --max-size 20k
query 'SELECT count(*), sum(dur_ns) FROM event'
query --format csv 'SELECT * FROM event ORDER BY id'
query --format json 'SELECT * FROM message'
query --format csv 'SELECT * FROM run'
query --format csv 'SELECT * FROM source'
--clock original comm
--clock linear export
--run 1 stats
--run 2 stats
END

words() { # COMMAND... : as the shell reads it, into out and err of the folder DIRECTORY
    (cd "$scratch/$directory" && eval "$runner --db run.shards $1" >"$scratch/out" 2>"$scratch/err" </dev/null)
    echo "status $?" >>"$scratch/out"
    sed -i -E 's/20[0-9][0-9]-[0-9][0-9]-[0-9][0-9]T[0-9:.]*Z/TIME/g' "$scratch/out"
}

ranks_of() { # N : the words that start as many
    echo "TMPDIR=/tmp timeout 60 mpirun --quiet --mca odls_base_sigkill_timeout 0 --allow-run-as-root --oversubscribe -n $1 '$program'"
}

# said LAUNCHER OUT : what the folder of shards says is what was said before
said() {
    directory=folder runner=$1
    words "$command"
    grep -q '^tracetool: joined' "$scratch/err" && sed -i '/^tracetool: joined/d' "$scratch/err"
    cmp -s "$scratch/out" "$scratch/out.one" && cmp -s "$scratch/err" "$scratch/err.one" && return 0
    echo "# $2: $command"
    diff "$scratch/out.one" "$scratch/out" | cut -c1-200 | head -5 | sed 's/^/# /'
    diff "$scratch/err.one" "$scratch/err" | head -5 | sed 's/^/# /'
    return 1
}

# alike TEXT EVERY PATH... : all commands; under MPI each EVERYth, with 1 to 4 ranks in turn. Where another build ran all, half of
# them but for the first traces, of others the other half.
n_alike=0
alike() {
    what=$1 every=$2
    shift 2
    n_alike=$((n_alike + 1))
    rm -rf one folder
    mkdir one folder
    (cd one && run 0 --db run.db import -q "$@" && mv run.db run.shards) && (cd folder && run 0 --db run.shards import -q "$@")
    result $? "$what: two imports"
    differs=0 differs_mpi=0 n_words=0 n_failed=0
    while IFS= read -r command; do
        n_words=$((n_words + 1))
        ! again || [ $n_alike = 1 ] || [ $(((n_words + n_alike) % 2)) = 0 ] || continue
        directory=one runner="'$TRACETOOL'"
        words "$command"
        [ -s err ] || [ "$(wc -l <out)" -gt 1 ] || { echo "# says nothing: $command"; differs=1; }
        tail -n 1 out | grep -qx 'status 0' || n_failed=$((n_failed + 1))
        mv out out.one
        mv err err.one
        said "'$TRACETOOL'" 'alone' || differs=1
        if [ $has_mpi = 0 ] || [ $((n_words % every)) != 0 ]; then
            continue
        fi
        n_ranks=$((n_words / every % 4 + 1))
        said "$(ranks_of $n_ranks)" "$n_ranks ranks" || differs_mpi=1
    done <commands
    # Those that have nothing to say of such traces say that alike, but they are few.
    [ $differs = 0 ] && [ $n_failed -lt 10 ] && [ "$n_words" -gt 60 ]
    result $? "$what: all commands, alone"
    if [ $has_mpi = 1 ]; then
        [ $differs_mpi = 0 ]
        result $? "$what: commands of ranks"
    else
        skip "$what: commands of ranks" 'no tracetool-mpi, or no mpirun of Open MPI'
    fi
}

"$BUILDDIR/bench/gen-tau" --records 3000 --nodes 4 --messages --collectives --skew 500 tau4 2>err
"$BUILDDIR/bench/gen-tau" --records 12000 --nodes 256 --messages --collectives --user-events tau256 2>err
alike 'TAU, 4 ranks' "$(again && echo 17 || echo 5)" "$scratch/tau4"
alike 'TAU, 256 ranks' 8 "$scratch/tau256"
alike 'a job' 7 "$data/job-2x1"
if command -v python3 >/dev/null; then
    python3 "$SRCDIR/tests/oracles/mpi_simulator.py" grid --ranks 6 --operations 20 --seed 2 --format kineto -o kineto6 2>err
    alike 'PyTorch, 6 ranks' 9 "$scratch/kineto6"
else
    skip 'PyTorch, 6 ranks' 'python3 is not here'
fi
alike 'PyTorch, 2 ranks' 6 "$data/kineto/rank0.json" "$data/kineto/rank1.json"

# -- two of them -------------------------------------------------------------------------------------
for directory in one folder; do
    (cd $directory && run 0 --db other.db import -q "$data/kineto/late0.json" "$data/kineto/late1.json" && mv other.db other.shards)
done
rm folder/other.shards
(cd folder && run 0 --db other.shards import -q "$data/kineto/late0.json" "$data/kineto/late1.json" && [ -d other.shards ])
result $? 'another run'
for command in 'compare run.shards other.shards' 'compare other.shards:1 run.shards --format json' 'compare 1 other.shards' \
    'compare --fail-above 0.001 --min-share 0 other.shards run.shards' 'stats other.shards' 'info other.shards' \
    'info --check other.shards' 'export other.shards'; do
    directory=one runner="'$TRACETOOL'"
    words "$command"
    mv out out.one
    mv err err.one
    said "'$TRACETOOL'" 'alone' && lines_of=$(wc -l <out.one) && [ "$lines_of" -gt 2 ] && { [ $has_mpi = 0 ] || said "$(ranks_of 2)" '2 ranks'; }
    result $? "$command"
done
cd folder || exit 1
run 0 stats run.shards/ && cp "$scratch/out" "$scratch/slash" && run 0 --db run.shards/ stats && same out slash && run 0 --db run.shards stats && same out slash
result $? 'a slash may follow'
TRACETOOL_DB=run.shards run 0 stats && same out slash
result $? 'it may be in the environment'
refuses 2 'remove the directory' --db run.shards remove --run 1 && [ -e run.shards/manifest ]
result $? 'its one run is not removed'
rm other.shards/joined-*.db other.shards/000001.shard
refuses 1 "other.shards/000001.shard' cannot be opened" compare run.shards other.shards && refuses 1 '000001.shard' stats other.shards
result $? 'a shard of the other that is missing is named'
cp run.shards/000001.shard other.shards
refuses 1 "other.shards/000001.shard' is not shard 1 of this import" compare run.shards other.shards
result $? 'so is one of another run'
rm other.shards/manifest
refuses 1 "'other.shards' has no manifest" compare run.shards other.shards
result $? 'and an import that has not ended'
finish
