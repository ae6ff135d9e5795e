#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Databases with several runs and with none: info.
# shellcheck source=tests/cli/lib.sh
. "$SRCDIR/tests/cli/lib.sh"
cd "$scratch" || exit 1
SOURCE_DATE_EPOCH=1763690400
export SOURCE_DATE_EPOCH
data=$TRACETOOL_DATA

value() { # DATABASE SQL : the one value
    "$TRACETOOL" --db "$1" query "$2" --format csv 2>&1 | sed -n '2p'
}

# answers DATABASE FILE RUN... : what commands say of the runs
answers() {
    base=$1
    to=$2
    shift 2
    for wanted; do
        for question in 'stats --format csv --top 0' 'comm --format csv --show pairs' 'critical-path --format csv' \
            'depgraph --format json -o -' 'export --chrome -o -' 'info'; do
            # shellcheck disable=SC2086
            "$TRACETOOL" --db "$base" --run "$wanted" $question 2>/dev/null
        done
    done | grep -v '^database\|^ *[0-9][0-9]*  20' >"$to"
    [ "$(wc -l <"$to")" -gt 500 ] || { echo "# $base gives $(wc -l <"$to") lines of answers"; return 1; }
}

# dump DATABASE FILE : all tables but what only says which ids there were
dump() {
    for name in $("$TRACETOOL" --db "$1" query "SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'sqlite_sequence'" \
        --format csv | tail -n +2); do
        echo "# $name"
        "$TRACETOOL" --db "$1" query "SELECT * FROM $name" --format csv
    done >"$2"
    [ "$(wc -l <"$2")" -gt 500 ]
}

import() { # DATABASE PATH...
    base=$1
    shift
    "$TRACETOOL" --db "$base" import -q "$@"
}

import one.db "$data/tau-mpi4" && import one.db "$data/kineto/rank0.json" "$data/kineto/rank1.json" && cp one.db two.db &&
    import two.db "$data/pi-run" && "$TRACETOOL" --db two.db --run 2 depgraph --save 2>/dev/null &&
    "$TRACETOOL" --db two.db --run 3 depgraph --save 2>/dev/null || exit 1
"$TRACETOOL" --db one.db --run 2 depgraph --save 2>/dev/null

# -- info -----------------------------------------------------------------------------------------
run 0 --db two.db info && has out 'Run  Imported              Formats' '  1  2025-11-21T02:00:00Z  tau' \
    '  2  2025-11-21T02:00:00Z  kineto         2    286' '  3  2025-11-21T02:00:00Z  pi' 'run 3 ' '58 spans' && ! grep -q '^run 1' out
result $? 'info has a table of the runs and the latest in detail'
run 0 --db two.db --run 1 info && has out '  3  2025' 'run 1 ' '775 spans'
result $? 'or the run that is asked for'
run 0 --db two.db --run all info && has out 'run 1 ' 'run 2 ' 'run 3 ' '1,119 spans'
result $? 'or all'
import single.db "$data/tau-mpi4" && run 0 --db single.db info && has out 'run 1 ' && ! grep -q Imported out
result $? 'one run needs no table'
if command -v python3 >/dev/null; then
    run 0 --db two.db --run 2 info --format json && python3 -c 'import json, sys
d = json.load(sys.stdin)
assert [(r["id"], r["formats"], r["n_sources"], r["n_spans"], r["selected"]) for r in d["runs"]] == [
    (1, "tau", 4, 775, False), (2, "kineto", 2, 286, True), (3, "pi", 1, 58, False)], d["runs"]
assert d["n_spans"] == 286 and d["first_ns"] == d["runs"][1]["first_ns"] and d["runs"][2]["clock"] == "relative"' <out
    result $? 'json lists all runs and says which the rest is about'
else
    skip 'json' 'python3 is not here'
fi

finish
