#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# communicators that TAU does not name: found from times, against the truth of a simulator that we did not write from them.
# shellcheck source=tests/cli/lib.sh
. "$SRCDIR/tests/cli/lib.sh"
command -v python3 >/dev/null || { echo '1..0 # SKIP python3 is not here'; exit 0; }

judge_parts() { # SCENARIO RANKS SEED [SKEW [DRIFT]] : says how many are right, wrong, undecided
    rm -rf run && python3 "$SRCDIR/tests/oracles/mpi_simulator.py" "$1" --ranks "$2" --seed "$3" --skew "${4:-none}" --drift "${5:-0}" -o run && import run &&
        run 0 query --format csv 'SELECT comm, function, ordinal, pid, event FROM collective' && mv out collectives &&
        run 0 query --format csv 'SELECT pid, id FROM event WHERE dur_ns IS NOT NULL ORDER BY pid, own_ts_ns, depth, id' &&
        mv out events && STAND_IN_STATUS=0 python3 "$SRCDIR/tests/oracles/communicators.py" collectives events run/truth.json >judged
    filled judged && sed 's/^/# /' judged
}
parts_are_true() { # SCENARIO RANKS SEED [SKEW [DRIFT]]
    judge_parts "$@" && matches judged '^right [1-9][0-9]* wrong 0 undecided 0$'
}
while read -r scenario ranks seed; do
    sampled || continue
    parts_are_true "$scenario" "$ranks" "$seed"
    result $? "all parts of all calls: $scenario, $ranks ranks"
done <<'LIST'
grid 16 1
grid 64 2
halves 12 1
random 16 1
random 32 4
random 8 3
LIST
# Clocks that differ, and no message that would tell.
while read -r scenario ranks seed skew drift; do
    sampled || continue
    parts_are_true "$scenario" "$ranks" "$seed" "$skew" "$drift"
    result $? "and by clocks wrong by $skew and $drift ppm: $scenario, $ranks ranks"
done <<'LIST'
grid 8 7 100us 50
grid 16 1 20us 0
grid 16 1 10ms 50
grid 64 2 20us 0
halves 12 1 20us 0
halves 12 1 10ms 50
LIST
judge_parts grid 16 1 none && run 0 query "SELECT count(*) > 0 AS any FROM collective WHERE flags = 'inferred' AND comm > 0" && matches out '^ *1$'
result $? 'what was inferred is marked'
parts_are_true nxn 8 2 jump
result $? 'calls of all ranks whose clocks jump'
judge_parts grid 8 1 jump && matches judged '^right 0 wrong 0 undecided 800$'
result $? 'what clocks that jump leave open is not guessed'
run 0 query "SELECT count(*) AS n FROM collective WHERE comm IS NULL" && undecided=$(sed -n '$p' out | tr -d ' ') && test "$undecided" -gt 0 &&
    run 0 waits && has out "$undecided calls of which it is not known who takes part" &&
    run 0 imbalance --show collectives && has out "of which it is not known who takes part"
result $? 'what could not be decided is counted'
import "$SRCDIR/data/tau-mpi4" && run 0 query 'SELECT count(*) AS n FROM collective WHERE flags IS NOT NULL OR comm IS NOT 0' && matches out '^ *0$'
result $? 'calls of all ranks stay as they are'
finish
