#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Tables as people read them, of every command: units, what a narrow terminal shows, how many rows.
# shellcheck source=tests/cli/lib.sh
. "$SRCDIR/tests/cli/lib.sh"

span() { # NAME BEGIN DURATION : both in us
    printf '{"ph":"X","pid":1,"tid":1,"name":"%s","ts":%s,"dur":%s},\n' "$1" "$2" "$3"
}
trace() { # FILE : of the events on standard input
    { echo '['; cat; echo '{"ph":"X","pid":1,"tid":2,"name":"last","ts":0,"dur":500}]'; } >"$1"
}

# -- units ------------------------------------------------------------------------------------------------------------
# 1 ns, 1,234 ns, 12.345678 ms and 3 days; then times of which one unit shows all.
{
    span tick 0 0.001
    span short 1 1.234
    span long 10 12345.678
    span days 100000 259200000000
} | trace far.json
{ span one 0 1500.25; span two 2000 900.125; } | trace near.json
run 0 --db far.db import -q far.json && run 0 --db near.db import -q near.json &&
    run 0 --db far.db stats && has out 'Total' ' 259,200 s ' ' 12.35 ms ' ' 1.234 us ' '  1 ns ' && refute matches out 'Total ('
result $? 'each time in its own unit'
run 0 --db far.db stats --unit us && has out 'Total (us)' ' 259200000000.000 ' ' 1.234 ' ' 0.001 ' && run 0 --db far.db stats --unit s &&
    has out 'Total (s)' ' 259200.000 '
result $? 'a unit that is asked for'
run 0 --db near.db stats && has out 'Total (ms)' ' 1.500 ' ' 0.900 ' ' 0.500 ' && refute has out '1.500 ms'
result $? 'one unit for all times'
run 0 --db near.db stats --format markdown && has out '| Total (ms) |' '| 1.500 |' && run 0 --db far.db stats --format markdown &&
    has out '| 259,200 s |' '| 1 ns |'
result $? 'markdown likewise'
for format in csv tsv json; do
    run 0 --db far.db stats --format $format && cp out default && run 0 --db far.db stats --unit us --format $format && same default out &&
        has out total_us 259200000000 12345.678 0.001 && run 0 --db far.db stats --unit auto --format $format && same default out
    result $? "$format is in us, with all digits"
done
# A time without a unit means us, whatever the table shows.
run 0 --db far.db stats --filter 'dur>1000' --format csv && cp out wanted && [ "$(wc -l <out)" -eq 3 ] &&
    run 0 --db far.db stats --unit auto --filter 'dur>1000' --format csv && same wanted out && run 0 --db far.db stats --filter 'dur>1000' && lines out 3
result $? 'filters are in us'
refuses 2 'auto, ns, us, ms, s' --db far.db stats --unit days && refuses 2 'ns, us, ms, s' --db far.db export --unit auto -o x.json
result $? 'units that there are not'

finish
