#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# tracetool-mpi export -o FILE: each rank formats a slice and writes it at its place in the file, which is that of one
# process, byte by byte; what one rank fails at leaves no file.
. "$SRCDIR/tests/cli/lib.sh"
. "$SRCDIR/tests/cli/mpi-lib.sh"
data=$TRACETOOL_DATA

lives() { # what is read is still read
    run 0 --db run.shards stats && has out COMP
}

# alike TEXT NUMBERS ARGUMENT... : an export of run.shards by so many ranks is that of one process, and so are the words
alike() {
    what=$1 numbers=$2 differs=0
    shift 2
    run 0 --db run.shards export "$@" -o one.json && mv err err.one && filled one.json || differs=1
    for number in $numbers; do
        rm -f ranks.json
        ranks 0 "$number" --db run.shards export "$@" -o ranks.json && same one.json ranks.json && sed -i 's/ranks.json/one.json/' err && same err err.one ||
            differs=1
    done
    [ $differs = 0 ] && [ "$(find . -name '*.part-*' | wc -l)" = 0 ]
    result $? "$what"
}

"$BUILDDIR/bench/gen-tau" --records 30000 --nodes 9 --messages --collectives --user-events --skew 500 traces 2>err
run 0 --db run.shards import -q traces && run 0 --db run.shards stats
alike 'TAU, with messages and counters' "$(again && echo 3 || echo 1 2 3 4 10)"
shares() { # WORDS : how the ranks have dealt out the last export
    G_MESSAGES_DEBUG=tracetool ranks 0 3 --db run.shards export -o ranks.json && has out "ranks share $1"
}
shares 'the reading and the text' && same one.json ranks.json
result $? 'each reads its part of the time'
alike '--waits' 2 --waits
alike 'a filter' 3 --filter 'op_cat = Comm'
alike 'a window, times of the source' 2 --time-window 100:3000 --absolute
alike 'original names' 2 --names original
python3 -c 'import json; assert len(json.load(open("ranks.json"))["traceEvents"]) > 10000' 2>err && lives
result $? 'it is valid JSON'
# More ranks than rows.
mv run.shards tau.shards
run 0 --db run.shards import -q "$data/job-2x1" && run 0 --db run.shards stats
alike 'a job' '2 3' --filter 'op_name ~ conv'
run 0 --db run.shards export --filter 'op_name = nothing' -o none.json
alike 'nothing at all' 3 --filter 'op_name = nothing'
mv run.shards job.shards
run 0 --db run.shards import -q "$data/kineto/rank0.json" "$data/kineto/rank1.json" && run 0 --db run.shards stats
alike 'PyTorch, with flows and asynchronous spans' '2 4'
mv run.shards pytorch.shards
# Threads that are silent for long in a span, arrows to spans that began long before, many at one time, ends that touch.
cat >made.py <<'END'
import json, random, sys
seed, n, T = int(sys.argv[1]), 1500, 1000000
r, events, spans = random.Random(seed), [], []
def span(pid, tid, name, ts, dur):
    events.append({"ph": "X", "pid": pid, "tid": tid, "name": name, "ts": ts, "dur": dur})
    spans.append((pid, tid, ts, dur))
def fill(pid, tid, ts, end, depth, left):
    while left[0] > 0 and ts < end - 4:
        ts += r.choice([0, 0, 1, r.randint(0, max(1, (end - ts) // 8))])
        dur = r.choice([0, 1, 2, r.randint(0, max(1, (end - ts) // 6))])
        if ts + dur > end:
            break
        if r.random() < .02:
            events.append({"ph": "i", "s": "t", "pid": pid, "tid": tid, "name": "mark", "ts": ts})
        span(pid, tid, "f%d" % r.randint(0, 12), ts, dur)
        left[0] -= 1
        if dur > 8 and depth < 6 and r.random() < .7:
            fill(pid, tid, ts, ts + dur, depth + 1, left)
        ts += dur
for pid in range(3):
    for tid in range(1, 4):
        span(pid, tid, "main", 0, T)
        begin = r.randint(0, T - 2000)
        fill(pid, tid, begin if tid == 3 else 0, begin + 1000 if tid == 3 else T, 1, [20 if tid == 3 else n])
for k in range(n // 3 if seed % 2 else 0):
    a, b = r.choice(spans), r.choice(spans)
    near = [s for s in r.sample(spans, 30) if a[2] <= s[2] <= a[2] + 5000]
    b = near[0] if near else b
    a, b = (b, a) if b[2] < a[2] else (a, b)
    ts = a[2] + r.randint(0, max(0, a[3] - 1))
    end = max(ts, b[2] + r.randint(0, max(0, b[3] - 1)))
    events.append({"ph": "s", "id": k, "pid": a[0], "tid": a[1], "name": "go", "cat": "go", "ts": ts})
    events.append({"ph": "f", "bp": "e", "id": k, "pid": b[0], "tid": b[1], "name": "go", "cat": "go", "ts": end})
for k in range(n // 10):
    events.append({"ph": "C", "pid": r.randint(0, 2), "tid": 1, "name": "c", "ts": r.randint(0, T), "args": {"v": r.random()}})
if seed == 3:
    for k in range(20):
        ts = r.randint(0, T)
        span(0, 1, "crossing", ts, r.randint(0, T - ts))
json.dump({"traceEvents": events}, sys.stdout)
END
for seed in 1 2 3; do
    python3 made.py $seed >made.json && rm -rf run.shards && run 0 --db run.shards import -q made.json && run 0 --db run.shards stats
    alike "nested spans, made with $seed" '2 3 5'
    shares "$([ $seed = 3 ] && echo 'the text alone' || echo 'the reading and the text')" && lives
    result $? "of which $([ $seed = 3 ] && echo 'some cross' || echo 'each rank reads a part')"
done
rm -rf run.shards && mv pytorch.shards run.shards
mv run.shards kineto.shards
cp -r tau.shards run.shards

# -- what is no file that can be shared -----------------------------------------------------------------------
for name in ranks.json.gz ranks.pftrace; do
    run 0 --db run.shards export -o "one${name#ranks}" && ranks 0 2 --db run.shards export -o $name && same "one${name#ranks}" $name
    result $? "$name is written by rank 0"
done
run 0 --db run.shards export >out && cp out one.json && ranks 0 2 --db run.shards export -o - && same out one.json
result $? 'so is standard output'
ranks 0 2 --db run.shards export -o /dev/null && has err 'to /dev/null' && lives
result $? 'and a device'

# -- what fails --------------------------------------------------------------------------------------------------
ranks 1 2 --db run.shards export -o nowhere/x.json && [ "$(grep -c '^tracetool: ' err)" = 1 ] && has err 'nowhere/x.json' && lives
result $? 'a file that cannot be made'
ranks 2 3 --db run.shards export --filter 'op_cut = Comm' -o x.json && [ "$(grep -c '^tracetool: ' err)" = 1 ] && [ ! -e x.json ] && lives
result $? 'options that are wrong are told once'
TMPDIR=/tmp timeout -k 5 60 mpirun --quiet --mca odls_base_sigkill_timeout 0 --allow-run-as-root --oversubscribe -n 1 "$program" --db run.shards export -o x.json : \
    -n 1 "$program" --db apart.shards export -o x.json >out 2>err </dev/null
[ $? -eq 1 ] && [ "$(grep -c '^tracetool: ' err)" = 1 ] && has err 'rank 1: ' && [ ! -e x.json ] && [ "$(find . -name '*.part-*' | wc -l)" = 0 ] && lives
result $? 'a rank that cannot read the run is named, and no file is left'
apart() { # ARGUMENT... : the command of rank 1 is not that of rank 0
    job -n 1 "$program" "$@"
    [ $? -eq 1 ] && [ "$(grep -c '^tracetool: ' err)" = 1 ] && has err 'rank 1: it does not read the run that rank 0 reads' &&
        [ ! -e x.json ] && [ "$(find . -name '*.part-*' | wc -l)" = 0 ] && lives
}
apart --db run.shards export -o x.json : -n 1 "$program" --db kineto.shards export -o x.json
result $? 'so is one that reads another run'
mkdir copy && cp -r tau.shards copy/run.shards && rm copy/run.shards/joined-*.db && run 0 --db run.shards export -o one.json &&
    job -n 1 "$program" --db run.shards export -o x.json : -n 1 "$program" --db copy/run.shards export -o x.json && same one.json x.json
result $? 'but not one that has a copy'
rm x.json
apart --db new.shards import -q traces : -n 1 "$program" --db run.shards export -o x.json && [ ! -e new.shards/manifest ]
result $? 'an export beside an import ends both'
"$BUILDDIR/bench/gen-tau" --records 1000000 --nodes 4 large 2>err
run 0 --db large.shards import -q large && run 0 --db large.shards stats
# interrupted NUMBER... : rank 0 was, while it waited for rank 1; the ranks that are stopped before, in turn
interrupted() {
    rm -f y.json* pid.*
    # shellcheck disable=SC2016
    job -n 2 sh -c 'echo $$ >"pid.$OMPI_COMM_WORLD_RANK"; exec "$@"' sh "$program" --db large.shards export -o y.json &
    for _ in $(seq 2000); do
        [ -z "$(find . -name 'y.json.part-*' -size +0)" ] || break
        sleep 0.005
    done
    for rank in "$@"; do
        kill -STOP "$(cat "pid.$rank")"
        sleep 1
    done
    kill -CONT "$(cat pid.0)"
    sleep 1
    [ -n "$(find . -name 'y.json.part-*' -size +0)" ] && n_waited=$((n_waited + 1))
    kill -TERM "$(cat pid.0)"
    wait $!
    status=$?
    kill -CONT "$(cat pid.1)" 2>/dev/null
    [ ! -e y.json ]
}
# gives_up NUMBER...
gives_up() {
    n_waited=0
    { interrupted "$@" || interrupted "$@" || interrupted "$@"; } && [ $n_waited -gt 0 ] && [ $status -eq 1 ] && has err 'tracetool: cancelled' &&
        [ "$(find . -name 'y.json*' | wc -l)" = 0 ] && lives
}
gives_up 1
result $? 'an interrupt while others still write: they are ended, and no file is left'
gives_up 0 1
result $? 'and where the other has its slice, but is not heard again'
cp large.shards/joined-*.db large.db
# Rank 0 has the first of the time, rank 2 the last.
for rank in 0 2; do
    cp large.db damaged.db
    change_database damaged.db "DELETE FROM event_row WHERE id = (SELECT $([ $rank = 0 ] && echo 'first_event + 500' || echo 'first_event + (last_event - first_event) * 9 / 10') FROM source_row ORDER BY id LIMIT 1)"
    refuses 1 'missing' --db damaged.db export -o x.json && ! job -n 3 "$program" --db damaged.db export -o x.json &&
        matches err -E "^tracetool: $([ $rank = 0 ] || echo 'rank 2: ').*missing" && [ "$(grep -c '^tracetool: ' err)" = 1 ] && [ ! -e x.json ] && lives
    result $? "the part of rank $rank is damaged"
done
killed() { # while rank 0 writes
    rm -f y.json* pid.*
    # shellcheck disable=SC2016
    job -n 3 sh -c 'echo $$ >"pid.$OMPI_COMM_WORLD_RANK"; exec "$@"' sh "$program" --db large.db export -o y.json &
    for _ in $(seq 2000); do
        [ -z "$(find . -name 'y.json.part-*' -size +0)" ] || break
        sleep 0.005
    done
    kill -KILL "$(cat pid.2)"
    wait $!
    status=$?
    [ $status -ne 0 ] && [ $status -ne 124 ] && [ ! -e y.json ]
}
{ killed || killed || killed; } && lives
result $? 'a rank that is killed ends all'
cat >full.sh <<'END'
set -e
mount -t tmpfs -o size=3m none small
"$@" || status=$?
ls -A small >left
exit ${status:-0}
END
mkdir small
if unshare -rm sh full.sh true 2>/dev/null; then
    TMPDIR=/tmp timeout -k 5 60 unshare -rm sh full.sh mpirun --quiet --mca odls_base_sigkill_timeout 0 --allow-run-as-root --oversubscribe -n 3 "$program" \
        --db tau.shards export -o small/x.json >out 2>err </dev/null
    [ $? -eq 1 ] && [ "$(grep -c '^tracetool: ' err)" = 1 ] && matches err -E "rank [12]: cannot write 'small/x.json.*at byte [0-9]+: .*space" && [ ! -s left ] && lives
    result $? 'a full disk: rank, file and byte, and no file is left'
else
    skip 'a full disk' 'no file system can be mounted here'
fi
# What is not known to be of one machine is written by MPI-IO.
cat >other.sh <<'END'
set -e
mount -t ramfs none other
"$@"
cp other/x.json x.json
END
mkdir other
rm -f x.json one.json
: >nothing.json
if unshare -rm sh other.sh cp nothing.json other/x.json 2>/dev/null; then
    rm -f x.json
    run 0 --db tau.shards export -o one.json && TMPDIR=/tmp timeout -k 5 60 unshare -rm sh other.sh mpirun --quiet --mca odls_base_sigkill_timeout 0 \
        --allow-run-as-root --oversubscribe -n 3 "$program" --db tau.shards export -o other/x.json >out 2>err </dev/null && filled one.json && cmp -s one.json x.json
    result $? 'a file system of another kind'
else
    skip 'a file system of another kind' 'none can be mounted here'
fi
finish
