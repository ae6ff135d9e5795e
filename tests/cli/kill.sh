#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# kill -9 at random moments of an import: afterwards the database has all of it or nothing, and the
# next import leaves nothing behind.   tests/cli/kill.sh [ROUNDS]   ($KILL_ROUNDS, 6)
. "$SRCDIR/tests/cli/lib.sh"
rounds=${1:-${KILL_ROUNDS:-6}}
records=${KILL_RECORDS:-300000}
gen=$BUILDDIR/bench/gen-tau

seed=$(od -An -N4 -tu4 /dev/urandom | tr -d ' ')
seed=${KILL_SEED:-$seed}
echo "# seed $seed"
# random BELOW: sets $random
random() {
    seed=$(((seed * 1103515245 + 12345) % 2147483648))
    random=$((seed / 65536 % $1))
}

now_ms() {
    echo $(($(date +%s%N) / 1000000))
}

count() { # DATABASE: rows of all tables, or why not
    "$TRACETOOL" --db "$1" --run all query \
        "select (select count(*) from run) || ' ' || (select count(*) from event) || ' ' ||
                (select count(*) from message) || ' ' || (select count(*) from counter) || ' ' ||
                (select count(*) from statistic)" 2>&1 | tail -n 1
}

strays() { # files beside the database
    find "$scratch/db" -mindepth 1 ! -name trace.db | sort
}

"$gen" --records "$records" --nodes 4 --messages --user-events --merged "$scratch/big"
"$gen" --records 2000 --nodes 2 --messages --user-events --merged "$scratch/small"
mkdir "$scratch/db"
db=$scratch/db/trace.db

begin=$(now_ms)
"$TRACETOOL" --db "$db" import "$scratch/big.trc" "$scratch/big.edf" >"$scratch/out" 2>&1
status=$?
took=$(($(now_ms) - begin))
[ $status -eq 0 ] && filled "$db" && [ -z "$(strays)" ]
result $? 'an import leaves one file'
[ $status -eq 0 ] || sed 's/^/# /' "$scratch/out"
all_new=$(count "$db")

# The same into a database that has a run already.
rm -rf "$scratch/db"/*
"$TRACETOOL" --db "$db" import "$scratch/small.trc" "$scratch/small.edf" >"$scratch/out" 2>&1
cp "$db" "$scratch/before.db"
before=$(count "$db")
"$TRACETOOL" --db "$db" import "$scratch/big.trc" "$scratch/big.edf" >"$scratch/out" 2>&1
all_more=$(count "$db")
echo "# new: $all_new; before: $before; after: $all_more; an import takes $took ms"

interrupted_import() { # DELAY-MS
    "$TRACETOOL" --db "$db" import "$scratch/big.trc" "$scratch/big.edf" >"$scratch/out" 2>&1 </dev/null &
    pid=$!
    sleep "$(($1 / 1000)).$(printf '%03d' $(($1 % 1000)))"
    kill -9 "$pid" 2>/dev/null
    wait "$pid" 2>/dev/null
}

killed=0 bad=0
round=0
while [ "$round" -lt "$rounds" ]; do
    round=$((round + 1))
    rm -rf "$scratch/db"
    mkdir "$scratch/db"
    expected=$all_new
    if [ $((round % 2)) -eq 0 ]; then
        cp "$scratch/before.db" "$db"
        expected=$all_more
    fi
    random $((took + took / 2 + 1))
    delay=$random
    interrupted_import "$delay"
    # Nothing of it: no database, or the one there was; or else all of it.
    if [ $((round % 2)) -eq 1 ] && [ ! -e "$db" ]; then
        killed=$((killed + 1))
    else
        found=$(count "$db")
        if [ "$found" = "$expected" ]; then
            :
        elif [ $((round % 2)) -eq 0 ] && [ "$found" = "$before" ]; then
            killed=$((killed + 1))
        else
            echo "# round $round, killed after $delay ms: found '$found'"
            bad=$((bad + 1))
        fi
    fi
    # The next import takes what was left behind away.
    "$TRACETOOL" --db "$db" import "$scratch/small.trc" "$scratch/small.edf" >"$scratch/out" 2>&1
    left=$(strays)
    if [ -n "$left" ]; then
        echo "# round $round, killed after $delay ms: left behind: $left"
        bad=$((bad + 1))
    fi
    check=$(python3 -c 'import sqlite3, sys
print(sqlite3.connect(sys.argv[1]).execute("pragma integrity_check").fetchone()[0])' "$db" 2>&1)
    if [ "$check" != ok ]; then
        echo "# round $round, killed after $delay ms: integrity_check: $check"
        bad=$((bad + 1))
    fi
done
[ "$bad" -eq 0 ] && [ "${all_new%% *}" = 1 ] && [ "${before%% *}" = 1 ] && [ "${all_more%% *}" = 2 ]
result $? "$rounds imports killed with kill -9 ($killed before they were done): all or nothing, nothing left behind"

# Ctrl-C is the same with a message. (A shell without job control starts commands that ignore it.)
rm -rf "$scratch/db"
mkdir "$scratch/db"
env --default-signal=INT "$TRACETOOL" --db "$db" import "$scratch/big.trc" "$scratch/big.edf" >"$scratch/out" 2>&1 &
pid=$!
sleep 0.05
kill -INT "$pid" 2>/dev/null
wait "$pid"
status=$?
case $status in
0) [ "${all_new%% *}" = 1 ] && [ "$(count "$db")" = "$all_new" ] ;;
130) [ -z "$(find "$scratch/db" -mindepth 1)" ] ;; # before the program listens
*) has out cancelled && [ -z "$(find "$scratch/db" -mindepth 1)" ] ;;
esac
result $? "Ctrl-C: all or nothing (status $status)"
finish
