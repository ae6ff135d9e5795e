#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What inputs cost that ask for more than they are: the bounds of docs/limits.md.
# shellcheck source=tests/cli/lib.sh
. "$SRCDIR/tests/cli/lib.sh"
oracle=$SRCDIR/tests/oracles/hostile.py

if ! command -v python3 >/dev/null || grep -q fsanitize "$BUILDDIR/config.status"; then
    skip 'bounds of memory and time' 'python3 is not here, or a sanitizer takes memory of its own'
    finish
    exit 0
fi
# A dead program says as little of small ones.
[ -z "${TEST_CALLS:-}" ] || export HOSTILE_MANY="$TEST_CALLS"
# A program that refuses everything at once stays within every bound.
run 0 --db "$db" import "$TRACETOOL_DATA/kineto" && filled "$db"
result $? 'an input that is sound is imported'
TMPDIR=$scratch python3 "$oracle" "$TRACETOOL" "$TRACETOOL_DATA" >"$scratch/measured"
status=$?
cat "$scratch/measured"
[ $status -eq 0 ] && has measured '# import threads: 12.58 MB, taken' '# convert processes: 12.58 MB, taken' \
    '# import nodes of TAU: 4.80 MB, taken' '# import a bomb of gz: 100.00 MB, taken' '# import a command of neutrino: 0.01 MB, taken' ' measured, 0 beyond'
status=$?
[ $status -ne 0 ] ||
    has measured '# import threads of CTF: 10.41 MB, taken' '# convert processes of CTF: 10.41 MB, taken' \
        '# import streams of CTF 2: 8.09 MB, taken' '# import ranges that many ask for of CTF 2: 0.41 MB, taken' \
        '# import labels of one value of CTF 2: 0.17 MB, taken' '# convert losses of a processor of CTF 2: 6.00 MB, taken' \
        '# import ranges of an enumeration of CTF 2: 2.67 MB, taken' '# import ranges that overlap of CTF 2: 2.67 MB, taken' \
        '# import ranges of a variant of CTF 2: 1.56 MB, taken' '# import labels of CTF 1.8: 0.89 MB, taken' \
        '# convert labels that overlap of CTF 1.8: 2.67 MB, taken' '# convert options of CTF 1.8: 5.28 MB, taken' || status=1
result $status 'nesting, long texts, many keys, threads, bombs and counts of nothing stay within the bounds'
if [ "${TEST_LONG:-0}" = 1 ]; then
    TMPDIR=$scratch python3 "$oracle" "$TRACETOOL" "$TRACETOOL_DATA" dialects >"$scratch/measured"
    status=$?
    cat "$scratch/measured"
    [ $status -eq 0 ] && has measured '# import threads of TensorFlow: 12.58 MB, taken' '# import details of a job: 54.87 MB, taken' \
        '# import millions of threads and processes: 104.67 MB, taken' \
        '14 measured, 0 beyond'
    result $? 'threads, devices, tensors and transfers of frameworks stay within the bounds'
else
    skip 'threads, devices, tensors and transfers of frameworks stay within the bounds' 'takes a minute, see TEST_LONG'
fi
for seed in 1 2; do
    TMPDIR=$scratch python3 "$oracle" "$TRACETOOL" "$TRACETOOL_DATA" $seed "${TEST_SEEDS:-$(often 24)}" >"$scratch/measured"
    status=$?
    grep -E ' at most |measured' "$scratch/measured"
    [ $status -eq 0 ] && matches measured ', taken, '
    result $? "examples with huge numbers in them stay within the bounds, seed $seed"
done
finish
