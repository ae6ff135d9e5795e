#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Clocks that differ are found and corrected; clocks that do not are left alone. The judge gives the ranks of a trace wrong
# clocks and knows what they were.
# shellcheck source=tests/cli/lib.sh
. "$SRCDIR/tests/cli/lib.sh"
judge=$SRCDIR/tests/oracles/skew_tau.py
true_trace=$TRACETOOL_DATA/tau-mpi4

skewed() { # RANK=OFFSET_US[:PPM[:JUMP_US]]...
    rm -rf skewed && python3 "$judge" make "$true_trace" skewed "$@" && import skewed
}
right_within() { # NANOSECONDS, of latency
    python3 "$judge" judge true.db "$db" "$1" >judged || { sed 's/^/# /' judged; return 1; }
    [ "$(wc -l <judged)" -eq 4 ]
}
# Whether what `info` says of bounds is what a program finds that knows only their definition.
bounds() { # DATABASE
    run 0 --db "$1" info --format json && python3 "$SRCDIR/tests/oracles/clock_bounds.py" "$1" out
}
nothing_too_early() {
    run 0 --db "$db" query 'SELECT count(*) FROM message WHERE recv_ns < send_ns' --format csv && [ "$(tail -n 1 out)" = 0 ]
}

run 0 --db true.db import "$true_trace" && has out 'processes  4' && unsaid 'clocks'
result $? 'a trace without skew says nothing'
run 0 --db true.db query 'SELECT count(*) FROM event WHERE ts_ns IS NOT own_ts_ns OR dur_ns IS NOT own_dur_ns' --format csv &&
    [ "$(tail -n 1 out)" = 0 ] && run 0 --db true.db query 'SELECT count(*) FROM clock_map' --format csv && [ "$(tail -n 1 out)" = 0 ]
result $? 'and is not changed by a nanosecond'
run 0 --db true.db info && has out 'clocks     agree: of ' 'nothing is corrected; they differ by '
result $? 'info says that clocks were compared'
bounds true.db
result $? 'how many bounds there are, that none is violated, and how far clocks may differ all the same'

for skew in '1=60 2=-40' '1=20 2=-20 3=20' '1=100 3=-100' '2=10000' '0=5000' '1=-10000 2=10000 3=3333' '3=200:50'; do
    sampled || continue
    # shellcheck disable=SC2086
    skewed $skew && has err 'the clocks of the processes differ' && right_within 10000
    result $? "$skew: each span where it was, within the latency"
    nothing_too_early && run 0 --db "$db" info --check && has out 'references'
    result $? "$skew: no message before it was sent, and the database is sound"
done
skewed 1=1 2=-1 && right_within 5000 && nothing_too_early
result $? 'a skew below the latency'

skewed 1=60 2=-40 && run 0 --db "$db" info && has out 'clocks     differ: ' 'node1 -59 us' 'node2 +40.5 us' 'none does then' && bounds "$db"
result $? 'info shows the offsets, and bounds before and after'
run 0 --db "$db" info --format json && has out '"offset_ns":-59000' '"violated":'
result $? 'and so does its JSON'
run 0 --db "$db" export --chrome --absolute -o logical.json && run 0 --db "$db" --clock original export --chrome --absolute -o original.json &&
    run 0 --db "$db" export --clock linear --chrome --absolute -o linear.json && cmp -s linear.json logical.json && ! cmp -s linear.json original.json
result $? '--clock original, linear and logical in an export'
run 0 --db "$db" query 'SELECT id, pid, ts_ns - own_ts_ns AS shift FROM event' --format csv && cut -d, -f2,3 out | sort -u >shifts &&
    printf 'node0,0\nnode1,-59000\nnode2,40500\nnode3,0\npid,shift\n' | cmp -s - shifts
result $? 'own times stand beside'
run 0 --db "$db" stats --format csv --unit ns && cp out corrected.csv && run 0 --db true.db stats --format csv --unit ns &&
    has out MPI_Recv && cmp -s out corrected.csv
result $? 'statistics are those of the processes'
run 2 --db "$db" --clock mars stats && has err "'--clock mars': it is original, linear or logical"
result $? 'a word that is none'
run 0 --db "$db" imbalance --format csv --unit ns && cp out corrected.csv && run 0 --db true.db imbalance --format csv --unit ns &&
    [ -s corrected.csv ] && refute has out 'impossible'
result $? 'arrivals at collectives by one clock'

# -- what is none ------------------------------------------------------------------------------------------------------
while IFS='|' read -r sql words; do
    cp "$db" broken.db && python3 "$SRCDIR/tests/cli/change-database.py" broken.db "$sql" && run 1 --db broken.db stats --by tid &&
        has err damaged "$words" && run 1 --db broken.db waits && has err damaged
    result $? "$sql"
done <<'LIST'
UPDATE clock_row SET until_ns = from_ns|the clock of process
UPDATE clock_row SET gain_ns = from_ns - until_ns - 1 WHERE shift_ns <> 0|the clock of process
UPDATE clock_row SET shift_ns = 4611686018427387904|the clock of process
UPDATE clock_row SET shift_ns = shift_ns + 1 WHERE from_ns > 0|the clock of process
LIST
cp "$db" broken.db && python3 "$SRCDIR/tests/cli/change-database.py" broken.db 'UPDATE clock_fit_row SET first_ns = last_ns + 1' &&
    run 1 --db broken.db info && has err 'begins after its end'
result $? 'a process that begins after its end'

# -- far apart -----------------------------------------------------------------------------------------------------------
skewed 1=30000000000000 2=-40 && has err '347 days before the others begin' && has err 'corrected by offset and drift' &&
    run 0 --db "$db" info --check && run 0 --db "$db" waits && has out 'ranks is waiting: '
result $? 'clocks a year apart'
skewed 0=1000000000000000 1=2500000000000000 2=999999999999960 3=1000000000000000 && has err 'stay: so much is no matter of clocks' &&
    run 0 --db "$db" info --check && run 0 --db "$db" waits && has out 'ranks is waiting: '
result $? 'clocks a hundred years apart'
# Times of the calendar tie no others, but what ties those among themselves stays.
skewed 1=4000000000000000 2=-40 && has err 'corrected by offset and drift' && refute has err 'no matter of clocks' &&
    run 0 --db "$db" info --trust --format csv && grep ',file,' out | grep -q ',1,skewed/tautrace.1.0.0.trc' && run 0 --db "$db" info --check && run 0 --db "$db" waits && has out 'ranks is waiting: '
result $? 'the clock of one rank counts from another moment'
# Whichever is of most ranks.
skewed 0=-1700000000000000 1=-1700000000000000 2=-1699999999990000 && run 0 --db "$db" info && has out 'receives and ends of collectives' 'node2 -10 ms' &&
    run 0 --db "$db" info --trust --format csv && grep ',file,' out | grep ',1,skewed/' >doubted && [ "$(sed 's/.*,//' doubted)" = skewed/tautrace.3.0.0.trc ]
result $? 'the clocks of all but one rank count from another moment'
skewed 2=-1700000000000000 3=-1699999999990000 && run 0 --db "$db" info && has out 'node3 -10 ms' && run 0 --db "$db" info --check
result $? 'those of two count from another moment, and of these one is wrong'
skewed 0=4000000000000000 1=4000000000000000 2=4000000000010000 && run 0 --db "$db" info && has out 'not compared'
result $? 'times beyond all time tie nothing'
skewed 3=57000000000000 && nothing_too_early && right_within 10000
result $? 'clocks two years apart'

# -- real programs ---------------------------------------------------------------------------------------------------
# Four ranks of a real program, 1.2 s and 68 messages: drift is known as well as these tell. No effect before its cause.
true_trace=${SHARED_DATA:-/nowhere}/tau/real-mpi4
if [ -d "$true_trace" ]; then
    rm -f true.db && mkdir plain && cp "$true_trace"/events.* "$true_trace"/tautrace.* plain && run 0 --db true.db import plain && has out 'processes  4' && unsaid clocks
    result $? 'a real trace of one machine is left alone'
    for skew in '1=60 2=-40' '2=10000' '1=20 2=-20 3=20' '3=-200 1=3000' '3=0:50'; do
        sampled || continue
        # shellcheck disable=SC2086
        skewed $skew && right_within 25000 && nothing_too_early
        result $? "real ranks with $skew"
    done
    for skew in '3=-200:0:500' '1=-100:-50 2=10000:50' '2=3000:50 3=-200:-50'; do
        sampled || continue
        # shellcheck disable=SC2086
        skewed $skew && right_within 60000 && nothing_too_early
        result $? "and with $skew: nothing before its cause"
    done
else
    skip 'real ranks' 'no shared data'
fi

# In allreduce-skewed ranks leave TAU's barriers 3 ms apart each time; in the chain messages go one way, and
# MPI_Init says the same as they do. Of both one clock is 3 ms ahead.
recorded() { # NANOSECONDS RECORDING : that clock is right within that
    import "$TRACETOOL_DATA/recorded/mpi/$2/tau.trc.gz" "$TRACETOOL_DATA/recorded/mpi/$2/tau.edf.gz" && nothing_too_early &&
        run 0 --db "$db" query "SELECT offset_ns FROM clock WHERE pid = 'node3'" --format csv &&
        python3 "$SRCDIR/tests/oracles/mpi_truth.py" "$TRACETOOL_DATA/recorded/mpi/$2/truth.json" clock |
        awk -v found="$(tail -n 1 out)" -v within="$1" '$2 == 3 { off = found + $3 } END { exit !(off < within && off > -within && found < 0) }'
}
recorded 250000 allreduce-skewed && run 0 --db "$db" info && has out 'came before their' 'one host do'
result $? 'ends of collectives that are steadily apart'
recorded 250000 late-sender-chain-skewed
result $? 'messages one way and MPI_Init say the same'
for cause in allreduce barrier late-sender-chain late-receiver probe propagated; do
    import "$TRACETOOL_DATA/recorded/mpi/$cause/tau.trc.gz" "$TRACETOOL_DATA/recorded/mpi/$cause/tau.edf.gz" &&
        run 0 --db "$db" query 'SELECT count(*) FROM clock_map' --format csv && [ "$(tail -n 1 out)" = 0 ]
    result $? "$cause of one machine is left alone"
    case $cause in
        late-receiver | propagated) continue ;; # of other bounds, too
        late-sender* | probe) bounds "$db" && run 0 info && has out 'do not tell' ;;
        *) bounds "$db" && run 0 info && has out 'at most' ;;
    esac
    result $? "$cause: bounds, and what they leave open"
done

# -- simulated programs ----------------------------------------------------------------------------------------------
# The simulator knows each clock and nothing of this program. Errors are those of offsets to the clock of rank 0.
simulated() { # NANOSECONDS SCENARIO SKEW PPM SEED : offsets are right within that
    python3 "$SRCDIR/tests/oracles/mpi_simulator.py" "$2" --ranks 8 --operations 200 --skew "$3" --drift "$4" --seed "$5" \
        --format tau -o simulated && mv simulated/truth.json truth.json && import simulated && rm -r simulated && nothing_too_early &&
        run 0 --db "$db" query 'SELECT pid, offset_ns FROM clock' --format csv && python3 - "$1" <<'END'
import csv, json, sys
true = {clock["rank"]: clock["offset_ns"] for clock in json.load(open("truth.json"))["clocks"]}
found = {int(row["pid"][4:]): int(row["offset_ns"]) for row in csv.DictReader(open("out"))}
assert sorted(found) == sorted(true), found
worst = max(abs(found[r] + true[r] - found[0] - true[0]) for r in true)
print("# wrong by", worst, "ns at most")
sys.exit(worst > int(sys.argv[1]))
END
}
for seed in 3 4; do
    simulated 12000 random 100us 0 $seed && simulated 12000 random 10ms 0 $seed && simulated 12000 random 10ms 50 $seed
    result $? "simulated messages and collectives, seed $seed"
    simulated 1000 nxn 10ms 0 $seed && simulated 1000 halves 10ms 0 $seed
    result $? "simulated collectives, seed $seed"
done
# A token that goes round: neighbours have bounds from one side only, of all together they are from both.
for seed in 3 4; do
    simulated 20000 ring 100us 0 $seed && simulated 20000 ring 10ms 0 $seed
    result $? "simulated messages that go round, seed $seed"
done
# What drifts, too, at both ends of the run.
at_the_end() { # NANOSECONDS : by the database and the truth of simulated
    run 0 --db "$db" query 'SELECT pid, offset_ns + drift_ns AS end_ns FROM clock' --format csv && python3 - "$1" <<'END'
import csv, json, sys
truth = json.load(open("truth.json"))
true = {clock["rank"]: clock["offset_ns"] + clock["drift_ppb"] * truth["run_ns"] // 10**9 for clock in truth["clocks"]}
found = {int(row["pid"][4:]): int(row["end_ns"]) for row in csv.DictReader(open("out"))}
worst = max(abs(found[r] + true[r] - found[0] - true[0]) for r in true)
print("# wrong by", worst, "ns at most at the end")
sys.exit(worst > int(sys.argv[1]))
END
}
for seed in 3 4; do
    simulated 20000 slow-ring 10ms 50 $seed && at_the_end 20000
    result $? "simulated messages that go round, clocks that drift, seed $seed"
done
# The sizes that TAU writes on the roots of gathers tell these; a third of the calls are gathers.
for seed in 3 4; do
    simulated 30000 early-reduce 10ms 0 $seed
    result $? "simulated gathers, seed $seed"
done
true_bounds=$((3 * 3 + 6 * 4))
import "$TRACETOOL_DATA/recorded/mpi/scatter-gather/tau.trc.gz" "$TRACETOOL_DATA/recorded/mpi/scatter-gather/tau.edf.gz" &&
    run 0 --db "$db" query 'SELECT sum (bounds) AS n FROM clock' --format csv && [ "$(tail -n 1 out)" = "$true_bounds" ] && run 0 --db "$db" info &&
    has out "agree: of $true_bounds receives"
result $? 'the root of three gathers of four ranks is told, a barrier within six calls, and they contradict nobody'
# Jumps are known as badly as messages are few; that nothing comes before its cause holds all the same. How much durations
# were changed for that is asked of the first, by a program that reads the maps.
failed=0 stretched=0 untrue=0
n_asked=$(seeds 4 | wc -l)
for seed in $(seeds 8); do
    for scenario in random nonblocking nxn; do
        simulated 10000000 "$scenario" jump 0 "$seed" >said || { echo "# $scenario, seed $seed"; cat said; failed=1; continue; }
        [ "$seed" -le "$n_asked" ] && run 0 --db "$db" info --format json || continue
        told=$(sed -n 's/.*"clocks_stretched_ns": *\([0-9]*\).*/\1/p' out)
        [ -n "$told" ] || continue
        stretched=$((stretched + 1))
        [ "$told" = "$(python3 "$SRCDIR/tests/oracles/clock_stretch.py" "$db")" ] || {
            echo "# $scenario, seed $seed: durations changed by $told ns?"
            untrue=$((untrue + 1))
        }
    done
done
[ "$failed" -eq 0 ] && [ "$stretched" -gt 0 ] && [ "$untrue" -eq 0 ]
result $? 'simulated clocks that jump: nothing before its cause, and how much that changed durations is told'
simulated 0 random none 0 3 && run 0 --db "$db" query 'SELECT count(*) FROM clock_map' --format csv && [ "$(tail -n 1 out)" = 0 ]
result $? 'simulated clocks that agree'

# -- several runs ----------------------------------------------------------------------------------------------------
true_trace=$TRACETOOL_DATA/tau-mpi4
skewed 1=60 2=-40 && run 0 --db "$db" import --again "$true_trace" && run 0 --db "$db" --run all stats && has out MPI_Recv &&
    run 0 --db "$db" query 'SELECT DISTINCT run FROM clock_map' --format csv && [ "$(cat out)" = "run
1" ]
result $? 'each run has its own clocks'
run 0 --db "$db" remove --run 1 && run 0 --db "$db" query 'SELECT count(*) FROM clock_map' --format csv && [ "$(tail -n 1 out)" = 0 ] &&
    run 0 --db "$db" info --check
result $? 'which go with it'
# Shifts of years would take more pieces than the disk holds.
(ulimit -f 400000 && exec "$TRACETOOL" --db mixed.db import -q "$TRACETOOL_DATA/recorded" >out 2>err) && has err 'hardly traces of one run' &&
    [ "$(wc -c <mixed.db)" -lt 50000000 ] && run 0 --db mixed.db info --check && has out "is whole"
result $? 'recordings of many machines and years in one run'
finish
