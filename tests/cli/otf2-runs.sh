#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Simulated MPI runs as OTF2 archives, which tell roots and communicators: waits to the nanosecond, and clocks.
. "$SRCDIR/tests/cli/lib.sh"
python=/usr/bin/python3 # which has Debian's modules
if ! $python -c 'import otf2' 2>/dev/null; then
    skip 'simulated MPI runs as OTF2' 'no python3-otf2'
    finish
    exit
fi

simulated() { # SCENARIO ARGUMENT... : a run of that in sim/, and a database of it
    rm -rf sim
    $python "$SRCDIR/tests/oracles/mpi_simulator.py" "$@" --format otf2 -o sim && filled sim/truth.json && mv sim/truth.json truth.json &&
        import -q sim/archive
}

same_waits() { # KIND... : but these
    run 0 waits --by kind,rank,cause,name,cause_name,path --format csv --unit ns --top 0 && cp out waits.csv &&
        python3 "$SRCDIR/tests/oracles/same-waits.py" --ns truth.json waits.csv "$@"
}

for scenario in balanced late-sender chain late-receiver wrong-order barrier nxn late-broadcast early-reduce grid halves propagated \
    nonblocking nonblocking-roots; do
    simulated $scenario --ranks 9 --operations 60 --seed 3 && same_waits
    result $? "$scenario: its waits"
done
# By which call a receive was posted is not kept.
for seed in $(seeds 4); do
    simulated random --ranks 9 --operations 60 --seed "$seed" && same_waits 'late receiver'
    result $? "random $seed: its waits"
done
for scenario in late-broadcast early-reduce; do
    simulated $scenario --ranks 9 --operations 60 --seed 3 && run 0 waits --by kind --format csv --top 0 && cp out kinds.csv &&
        $python - <<'END'
import csv
rows = list(csv.DictReader(open("kinds.csv")))
assert rows and all(float(row["inferred_percent"]) == 0 for row in rows), rows
END
    result $? "$scenario: roots that are told are not inferred"
done

right_clocks() { # NANOSECONDS : offsets to the clock of rank 0 are right within that
    run 0 query 'SELECT pid, offset_ns FROM clock' --format csv && python3 - "$1" <<'END'
import csv, json, sys
true = {clock["rank"]: clock["offset_ns"] for clock in json.load(open("truth.json"))["clocks"]}
found = {int(row["pid"][4:]): int(row["offset_ns"]) for row in csv.DictReader(open("out"))}
assert sorted(found) == sorted(true), found
worst = max(abs(found[r] + true[r] - found[0] - true[0]) for r in true)
print("# wrong by", worst, "ns at most")
sys.exit(worst > int(sys.argv[1]))
END
}
while read -r scenario skew ns; do
    simulated "$scenario" --ranks 8 --operations 200 --skew "$skew" --seed 3 && right_clocks "$ns"
    result $? "$scenario with clocks wrong by $skew"
done <<'LIST'
late-broadcast 100us 1000
late-broadcast 10ms 1000
early-reduce 100us 1000
early-reduce 10ms 1000
halves 10ms 1000
random 10ms 5000
LIST
for scenario in late-broadcast early-reduce; do
    simulated $scenario --ranks 8 --operations 200 --skew none --seed 4 && ask "SELECT count(*) FROM clock_map" 0
    result $? "$scenario with right clocks is left alone"
done

finish
