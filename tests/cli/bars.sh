#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# --bars: what is drawn beside a number is as long as that number is beside the greatest.
. "$SRCDIR/tests/cli/lib.sh"

# as_long COLUMN : in out, the bars of `#` after the numbers of column COLUMN, which are all of the same sign.
as_long() {
    awk -v column="$1" '
        /#/ { rows++; number[rows] = $column; gsub(/,/, "", number[rows]); sub(/^-/, "", number[rows])
              bar = $0; gsub(/[^#]/, "", bar); got[rows] = length(bar); if (number[rows] > most) most = number[rows] }
        END { for (i = 1; i <= rows; i++) { want = int(12 * number[i] / most + 0.5); if (want == 0) want = 1
                  # A number is rounded where it is printed.
                  if (got[i] < want - 1 || got[i] > want + 1) { print "# row " i ": " number[i] " has " got[i]; bad = 1 } }
              exit rows < 2 || bad }' "$scratch/out"
}

import "$TRACETOOL_DATA/job-2x1" && run 0 --db "$db" stats --bars && has out '############' && as_long 1
result $? 'shares of time'
run 0 --db "$db" stats --bars --format markdown && has out '| ############ |'
result $? 'in markdown, too'
run 2 --db "$db" stats --bars --format csv && has err "'--format csv' has none"
result $? 'not for programs'
run 0 --db "$db" imbalance --bars --top 20 && sed -n '/^Price/,$p' out >prices && cp prices out && as_long 1
result $? 'times'
for command in breakdown critical-path tree waits; do
    run 0 --db "$db" $command --bars && has out '############'
    result $? "$command has them"
done
LC_ALL=C.UTF-8 run 0 --db "$db" stats --bars && has out '████████████' && unsaid '#' out && has out '▊'
result $? 'of blocks where the locale has them'

# Steps of 10, 20, 30 and 80 us.
printf '[' >steps.json
start=0
step=0
for length in 10 20 30 80; do
    printf '{"ph":"X","name":"FW.a","cat":"operator","pid":"r0","tid":"t","ts":%d,"dur":%d,"args":{"step":%d}},' $start $length $step
    start=$((start + 100))
    step=$((step + 1))
done >>steps.json
printf '{"ph":"M","name":"process_name","pid":"r0","args":{"name":"r0"}}]' >>steps.json
import steps.json && run 0 --db "$db" steps --bars --unit us && has out 'Iterations of steps 0 to 3: .:-@' && as_long 3
result $? 'steps, and how they went'
LC_ALL=C.UTF-8 run 0 --db "$db" steps --bars && has out 'Iterations of steps 0 to 3: ▁▂▃█'
result $? 'the same in blocks'
run 0 --db "$db" compare --bars "$TRACETOOL_DATA/job-2x1" steps.json && has out '#'
result $? 'changes'
finish
