#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The example traces in data/ are what the generator writes.
. "$SRCDIR/tests/cli/lib.sh"
gen=$BUILDDIR/bench/gen-tau

sh "$TRACETOOL_DATA/generators/tau.sh" "$gen" "$scratch/data"
result $? "generate"
differs=0
job=
command -v python3 >/dev/null && job='job-2x1 pi-run pi-g1 pi-g2 pi-doc'
for name in tau-mpi4 tau-merged $job succeed fail; do
    diff -r "$TRACETOOL_DATA/$name" "$scratch/data/$name" | sed 's/^/# /'
    diff -rq "$TRACETOOL_DATA/$name" "$scratch/data/$name" >/dev/null || differs=1
done
result $differs "the examples are what the generator writes"

options='--records 5000 --nodes 3 --threads 2 --metrics 1 --flush 100 --messages --collectives --user-events'
# shellcheck disable=SC2086
"$gen" $options --merged --expect "$scratch/a.json" "$scratch/a" &&
    "$gen" $options --merged --expect "$scratch/b.json" --layout 32be "$scratch/b" &&
    "$gen" $options --expect "$scratch/c.json" "$scratch/c"
same a.json b.json && same a.json c.json
result $? "layout and merging change nothing but the bytes"
[ "$(cat "$scratch"/c/*.trc | wc -c)" -eq "$(wc -c <"$scratch/a.trc")" ]
result $? "per-rank files hold as many records as the merged one"
finish
