#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# waits: in a run with a late rank, against a program that knows only the definitions.
# shellcheck source=tests/cli/lib.sh
. "$SRCDIR/tests/cli/lib.sh"
command -v python3 >/dev/null || { echo '1..0 # SKIP python3 is not here'; exit 0; }

import "$SRCDIR/data/tau-mpi4" && run 0 waits && has out '% of the time of 4 ranks is waiting' 'late sender' 'wait at NxN'
result $? 'the conclusion first, then kinds and operations'
STAND_IN_STATUS=0 python3 "$SRCDIR/tests/oracles/waits.py" "$db" >judged && run 0 waits --format csv --unit ns --top 0 &&
    awk -F, 'NR > 1 { sum[$5 == "wrong order" ? "sender" : $5] += $1 }
             END { print "NxN", sum["wait at NxN"]; print "barrier", sum["wait at barrier"]; print "sender", sum["sender"] + sum["late sender"] }' out >ours &&
    matches judged 'sender [1-9]' && cmp judged ours
result $? 'late senders, barriers and NxN as the definitions have them'
run 0 waits --filter rank=0 && has out 'the time of 1 rank is waiting'
result $? 'a filter chooses who waits'
finish
