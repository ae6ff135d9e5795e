#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# One program, recorded by TAU in its own format and in OTF2: the same calls and values of each thread, and those that it plans.
# shellcheck source=tests/cli/lib.sh
. "$SRCDIR/tests/cli/lib.sh"
recorded=$TRACETOOL_DATA/recorded/tau-formats

# of_threads FOLDER : what each thread calls, how often, and its values; TAU numbers threads as they come. In OTF2 its names have no type.
of_threads() {
    rm -f "$db"
    "$TRACETOOL" import -q --db "$db" "$1" && "$TRACETOOL" query --db "$db" --format csv "
        WITH call AS (SELECT tid, substr (name, 1, instr (name || ' (', ' (') - 1) AS name FROM event)
        SELECT (SELECT group_concat (x, ' ') FROM (SELECT name || '=' || count (*) AS x FROM call WHERE tid = t.tid GROUP BY name
                ORDER BY name)) AS calls,
            (SELECT count (*) || ' values ' || sum (value) || ' ' || min (value) || ' ' || max (value) FROM counter
                WHERE tid = t.tid AND series = 'bytes moved') AS told
        FROM thread t ORDER BY 1" | tail -n +2
}

of_threads "$recorded/trc" >told
of_threads "$recorded/otf2" >told2
[ "$(wc -l <told)" -eq 4 ] && diff told told2 >diffs
result $? 'both formats tell the same of each thread'
[ ! -s diffs ] || head -n 6 diffs | sed "s|^|# |"
status=0
for first in 3 4 5; do
    values=0 sum=0 k=$first
    while [ "$k" -lt $((first + 4)) ]; do
        values=$((values + k)) sum=$((sum + 500 * k * (k - 1) + k * k)) k=$((k + 1))
    done
    matches told2 "COMP.inner=$values COMP.outer=4 COMP.work=1.*,$values values $sum $first $((1000 * (first + 2) + first + 3))" || status=1
done
result $status 'which is what the program plans'
finish
