#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# libtracetool-tau goes into foreign programs, 32-bit ones too: it compiles without a warning there, and its
# reader calls back what the 64-bit one does. PI and Unified Runtime have 64-bit programs only, and say so.
set -u
export LC_ALL=C
CC=${CC:-cc}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

echo 'int main (void) { return 0; }' >"$scratch/probe.c"
# shellcheck disable=SC2086
if ! $CC -m32 -include stdio.h "$scratch/probe.c" -o "$scratch/probe" 2>/dev/null || ! "$scratch/probe"; then
    echo '1..0 # SKIP the compiler cannot make 32-bit programs (gcc-multilib)'
    exit 0
fi
cd "$SRCDIR" || exit 1
n=0
result() { # STATUS TEXT
    n=$((n + 1))
    if [ "$1" -eq 0 ]; then echo "ok $n - $2"; else echo "not ok $n - $2"; fi
}
# What configure of a 32-bit system adds.
compile() { # OUTPUT ARGUMENT...
    out=$1
    shift
    # shellcheck disable=SC2086
    $CC -m32 -D_FILE_OFFSET_BITS=64 -std=c11 -O2 -I"$BUILDDIR" -I. -Iformats/tau -Wall -Wextra -Wpedantic \
        -Wno-unused-parameter -Wno-missing-field-initializers -Werror -o "$out" "$@" >"$scratch/log" 2>&1 && return
    sed 's/^/# /' "$scratch/log" | head -n 30
    return 1
}

sources=$(sed -n 's/^tau //p' "$BUILDDIR/tests/formats/libraries.txt" | tr ' ' '\n' | grep '\.c$')
# shellcheck disable=SC2086
[ "$(echo "$sources" | wc -l)" -ge 10 ] && compile "$scratch/callbacks" $sources tests/formats/tau-print.c tests/formats/tau-callbacks.c
result $? 'libtracetool-tau compiles for 32 bits without a warning'

compared=0 status=0
for trace in data/tau-merged/run data/tau-mpi4/tautrace.0.0.0 data/tau-mpi4/tautrace.3.0.0; do
    definitions=$trace.edf
    case $trace in *tautrace.*) definitions=data/tau-mpi4/events.$(echo "$trace" | cut -d . -f 2).edf ;; esac
    for records in 1 1000; do
        "$scratch/callbacks" "$trace.trc" "$definitions" $records >"$scratch/narrow" &&
            "$BUILDDIR/tests/formats/tau-callbacks" "$trace.trc" "$definitions" $records >"$scratch/wide" || status=1
        cmp "$scratch/narrow" "$scratch/wide" >"$scratch/log" 2>&1 || status=1
        compared=$((compared + $(wc -l <"$scratch/wide")))
    done
done
sed 's/^/# /' "$scratch/log"
[ "$status" -eq 0 ] && [ "$compared" -gt 1000 ]
result $? "the same callbacks as from 64 bits ($compared lines)"
echo "1..$n"
