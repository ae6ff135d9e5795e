#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Loops of OpenMP with nowait, and waiting at the ends of regions, as PInsight recorded them, against what the program wrote down.
# shellcheck source=tests/cli/lib.sh
. "$SRCDIR/tests/cli/lib.sh"
recorded=$TRACETOOL_DATA/pinsight/nowait

judge() { # KIND
    import "$recorded/$1" && run 0 waits --by name --format csv --unit ns && mv "$scratch/out" "$scratch/waits.csv" &&
        python3 "$SRCDIR/tests/oracles/nowait.py" "$db" "$recorded/$1.tsv" "$recorded/$1" "$scratch/waits.csv" "$1" \
            >"$scratch/out" 2>"$scratch/err" && has out ' 0 differences' && return
    cat "$scratch/out" "$scratch/err"
    return 1
}

if command -v python3 >/dev/null; then
    judge whole && has out '48 loops, 32 marked'
    result $? 'loops whose ends the trace lacks are marked, waits at ends of regions are those of the program'
    judge own && has out '48 loops, 0 marked'
    result $? 'loops with a section of their own last as long as in the program'
else
    skip 'loops and waits' 'python3 is not here'
fi
import "$recorded/whole" && run 0 stats --by lexgion --top 0 --format csv &&
    matches out '^.*,16,4,.*,,16,0x401390,COMP.omp_work.loop$' && matches out '^.*,16,4,.*,,16,0x4015d2,COMP.omp_work.loop$' &&
    matches out '^.*,16,4,.*,,0,0x40170d,COMP.omp_work.loop$' && run 0 stats --by lexgion && has out 'No end' 'Total is at most that'
result $? 'stats --by lexgion tells how many have no end'
import "$recorded/own" && run 0 stats --by lexgion --format csv && filled out && refute has out without_end &&
    run 0 stats --by lexgion && filled out && refute has out 'No end'
result $? 'and says nothing where all have one'
finish
