#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Makes the example traces again: data/generators/tau.sh GEN_TAU OUTPUT-DIRECTORY
# GEN_TAU is bench/gen-tau. data/README.md says what each example is for.
set -eu
export LC_ALL=C

gen=$1
out=$2
mkdir -p "$out"
out=$(cd "$out" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

all='--messages --collectives --user-events'

# -- the run of the demo, by rank and merged ------------------------------------------------------
# shellcheck disable=SC2086
"$gen" --records 2400 --nodes 4 --late-rank 2 --seed 7 $all --per-rank "$out/tau-mpi4"
mkdir -p "$out/tau-merged"
# shellcheck disable=SC2086
"$gen" --records 2400 --nodes 4 --late-rank 2 --seed 7 $all --merged "$out/tau-merged/run"

# -- a training job: hosts and GPUs, TensorFlow, Horovod, NCCL --------------------------------------
if command -v python3 >/dev/null; then
    python3 "$(dirname "$0")/job-2x1.py" "$out/job-2x1"
    python3 "$(dirname "$0")/pi.py" "$out"
fi

# -- odd ones that import -------------------------------------------------------------------------
ok=$out/succeed
mkdir -p "$ok"
# shellcheck disable=SC2086
"$gen" --records 500 --nodes 2 --threads 3 --seed 11 $all --skip-thread0 --per-rank "$ok/no-thread0"
# shellcheck disable=SC2086
"$gen" --records 700 --nodes 2 --threads 2 --seed 12 $all --metrics 2 --flush 90 --per-rank "$ok/metrics"

merged() {
    name=$1
    shift
    mkdir -p "$ok/$name"
    # shellcheck disable=SC2086
    "$gen" --nodes 2 --records 300 $all "$@" --merged "$ok/$name/run"
}
merged big-endian-32 --seed 13 --layout 32be
merged no-close --seed 14 --no-close
merged callpaths --seed 15 --callpaths
merged relative --seed 16 --start 0
merged deep --seed 17 --depth 200
merged cut --seed 18
# One byte more than half of it: a record is cut and calls stay open.
head -c 3601 "$ok/cut/run.trc" >"$scratch/cut.trc"
mv "$scratch/cut.trc" "$ok/cut/run.trc"
merged no-magic --seed 19
tail -c +25 "$ok/no-magic/run.trc" >"$scratch/no-magic.trc"
mv "$scratch/no-magic.trc" "$ok/no-magic/run.trc"
# Quotes, a backslash and a tab in names, one name with two ids, CR LF, no newline at the end, and a
# count of rows that is wrong.
merged odd-edf --seed 20
tab=$(printf '\t')
cr=$(printf '\r')
sed -e '1s/^[0-9]*/60/' \
    -e "s/\"fib(int) \"/\"fib \"fast\\\\path\"$tab(int) \"/" \
    -e 's/"dot(.*}\] "/"precondition() "/' \
    -e "s/\$/$cr/" "$ok/odd-edf/run.edf" >"$scratch/odd.edf"
head -c -2 "$scratch/odd.edf" >"$ok/odd-edf/run.edf"

# Contents tell which is which, not names.
merged swapped --seed 21
mv "$ok/swapped/run.trc" "$scratch/swapped"
mv "$ok/swapped/run.edf" "$ok/swapped/run.trc"
mv "$scratch/swapped" "$ok/swapped/run.edf"

# -- what must be refused -------------------------------------------------------------------------
bad=$out/fail
mkdir -p "$bad"
"$gen" --records 100 --nodes 1 --user-events --seed 30 --merged "$scratch/run"
refused() {
    mkdir -p "$bad/$1"
    cp "$scratch/run.trc" "$scratch/run.edf" "$bad/$1/"
}
refused empty-trc
: >"$bad/empty-trc/run.trc"
refused short-trc
head -c 23 "$scratch/run.trc" >"$bad/short-trc/run.trc"
refused noise
"$gen" --noise 4800 --seed 31 "$bad/noise/run.trc"
refused no-edf
rm "$bad/no-edf/run.edf"
refused empty-edf
: >"$bad/empty-edf/run.edf"
refused cut-header
head -c 10 "$scratch/run.edf" >"$bad/cut-header/run.edf"
refused cut-row
head -c 700 "$scratch/run.edf" >"$bad/cut-row/run.edf"
refused negative-count
sed '1s/^/-/' "$scratch/run.edf" >"$bad/negative-count/run.edf"
refused static-edf
sed -e '1s/ dynamic_trace_events//' -e 's/"//g' "$scratch/run.edf" >"$bad/static-edf/run.edf"
refused bad-id
sed '5s/^[0-9]*/x12/' "$scratch/run.edf" >"$bad/bad-id/run.edf"
refused no-quotes
sed '5s/"//g' "$scratch/run.edf" >"$bad/no-quotes/run.edf"
refused nul-byte
{
    head -n 4 "$scratch/run.edf"
    printf '900 TAU_USER 0 "nul\000byte " EntryExit\n'
    tail -n +5 "$scratch/run.edf"
} >"$bad/nul-byte/run.edf"

# -- PyTorch's profiler, by a generator of its own (cli-kineto.sh compares) ---------------------------
if command -v python3 >/dev/null; then
    python3 "$(dirname "$0")/kineto.py" "$out/kineto"
    # Plain trace-event JSON (cli-trace-json.sh compares).
    python3 "$(dirname "$0")/chrome.py" "$out/chrome"
fi
