#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The simulator of MPI runs with wrong clocks, a judge of clock correction and of wait states: that it is right about
# itself, and that what it writes is read as it was meant.
. "$SRCDIR/tests/cli/lib.sh"
if ! command -v python3 >/dev/null; then
    skip 'simulated MPI runs' 'python3 is not here'
    finish
    exit
fi
simulator=$SRCDIR/tests/oracles/mpi_simulator.py

# A judge that finds nothing to say has not looked, so it says how much it saw.
python3 "$simulator" --self-test "${TEST_SEEDS:-$(often 50)}" >self 2>&1 && matches self -E '^[0-9]+ runs, [0-9]{3,} waits, 0 problems$'
result $? 'what must hold of any run holds'

simulated() { # FORMAT SCENARIO ARGUMENT... : a run of that in sim/, and a database of it
    rm -rf sim
    _format=$1
    shift
    python3 "$simulator" "$@" --format "$_format" -o sim && filled sim/truth.json && mv sim/truth.json truth.json && import -q sim
}

spans() { # spans of the trace, in the order in which each rank left them
    "$TRACETOOL" --db "$db" query --format csv "SELECT pid, raw_name, ts_ns, dur_ns FROM event ORDER BY id" >spans.csv && filled spans.csv
}

same_spans() { # of TAU in ns, which are taken for us: each wait is a span of the database
    spans && python3 - <<'END'
import collections, csv, json
truth = json.load(open("truth.json"))
ranks = collections.defaultdict(list)
for row in csv.DictReader(open("spans.csv")):
    ranks[row["pid"]].append(row)
assert len(ranks) == truth["ranks"], len(ranks)
first = truth["epoch_ns"]
for wait in truth["waits"]:
    row = ranks["node%d" % wait["rank"]][wait["leave"]]
    begin, ns = int(row["ts_ns"]) // 1000 - first, int(row["dur_ns"]) // 1000
    assert row["raw_name"].strip() == wait["name"], (row, wait)
    assert begin == wait["begin"] and ns > wait["ns"], (begin, ns, wait)
END
}

for scenario in balanced late-sender chain late-receiver wrong-order barrier nxn late-broadcast early-reduce grid halves \
    propagated nonblocking random; do
    sampled || continue
    simulated tau $scenario --ranks 9 --operations 40 --resolution ns --seed 3 && same_spans &&
        ask "SELECT count(*), count(recv_ns) FROM message WHERE send_ns IS NOT NULL" \
            "$(sed -n 's/^"n_messages": \([0-9]*\),$/\1,\1/p' truth.json)"
    result $? "$scenario: its spans and messages"
done

# What each rank waits for, to the nanosecond. Of random programs roots, groups and which call waits for which are not told
# by the trace.
within=0 by=kind,rank,cause,name,cause_name,path
same_waits() { # KIND... : but these
    run 0 waits --by "$by" --format csv --unit ns --top 0 && cp out waits.csv && python3 "$SRCDIR/tests/oracles/same-waits.py" --within "$within" truth.json waits.csv "$@"
}
# And what delays cost, by somebody who knew the published definition only.
for scenario in late-sender chain late-receiver wrong-order barrier nxn propagated late-broadcast early-reduce balanced grid \
    halves nonblocking; do
    sampled || continue
    simulated tau $scenario --ranks 9 --operations 60 --resolution ns --seed 3
    status=$?
    case $scenario in
    balanced | grid | halves) ;; # of which it is not told who waits
    *)
        [ $status -eq 0 ] && same_waits
        result $? "$scenario: its waits"
        ;;
    esac
    [ $status -eq 0 ] && run 0 waits --show causes --format csv --unit ns --top 0 && cp out causes.csv &&
        python3 "$SRCDIR/tests/oracles/same-causes.py" truth.json causes.csv
    result $? "$scenario: what its delays cost"
done
# Who waits for whose messages.
for scenario in late-sender chain late-receiver wrong-order propagated nonblocking; do
    sampled || continue
    simulated tau $scenario --ranks 9 --operations 60 --resolution ns --seed 5 && run 0 comm --show pairs --format csv --unit ns --top 0 &&
        cp out pairs.csv && run 0 comm --show ranks --format csv --unit ns --top 0 && cp out ranks.csv && python3 - <<'END'
import collections, csv, json
pairs, ranks = collections.Counter(), collections.Counter()
for wait in json.load(open("truth.json"))["waits"]:
    column = {"late sender": "late_sender_ns", "wrong order": "late_sender_ns", "late receiver": "late_receiver_ns"}.get(wait["kind"])
    ends = "node%d" % wait["because_of"], "node%d" % wait["rank"]
    if column is not None:
        pairs[(*(ends if column == "late_sender_ns" else ends[::-1]), column)] += wait["ns"] * 1000
        ranks[ends[0], column] += wait["ns"] * 1000
columns = "late_sender_ns", "late_receiver_ns"
ours = {(row["src"], row["dst"], column): int(row[column]) for row in csv.DictReader(open("pairs.csv")) for column in columns}
assert pairs and +pairs == {key: ns for key, ns in ours.items() if ns > 0}, (pairs, ours)
ours = {(row["pid"], column): int(row[column]) for row in csv.DictReader(open("ranks.csv")) for column in columns}
assert +ranks == {key: ns for key, ns in ours.items() if ns > 0}, (ranks, ours)
END
    result $? "$scenario: late senders and receivers by pairs"
done
# And where, in an export.
for scenario in propagated nonblocking late-receiver wrong-order; do
    sampled || continue
    simulated tau $scenario --ranks 9 --operations 60 --resolution ns --seed 6 && run 0 export --waits -o waits.json && python3 - <<'END'
import collections, json
true, ours = collections.Counter(), collections.Counter()
for wait in json.load(open("truth.json"))["waits"]:
    true[wait["rank"], wait["because_of"], wait["begin"], wait["kind"]] += wait["ns"]
trace = json.load(open("waits.json"))["traceEvents"]
ranks = {event["pid"]: int(event["args"]["name"].removeprefix("node")) for event in trace if event["name"] == "process_name"}
first = min(event["ts"] for event in trace if event["ph"] == "X")
for event in trace:
    args = event.get("args", {})
    if "wait_ns" in args:
        ours[ranks[event["pid"]], int(args["wait_for"]), round(event["ts"] - first), args["wait_kind"]] += args["wait_ns"] // 1000
assert true and true == ours, (true - ours, ours - true)
END
    result $? "$scenario: waits in an export"
done
# What operations take of the path beyond their mean, and what that costs, in whole nanoseconds.
for scenario in late-sender chain late-receiver wrong-order barrier nxn late-broadcast early-reduce propagated nonblocking balanced grid halves; do
    sampled || continue
    simulated tau $scenario --ranks 9 --operations 60 --resolution ns --seed 4 && run 0 critical-path --show imbalance --format csv --unit ns --top 0 &&
        cp out imbalance.csv && spans && python3 "$SRCDIR/tests/oracles/path_imbalance.py" truth.json spans.csv imbalance.csv
    result $? "$scenario: the imbalance of its path"
done
within=2 by=kind,name
# By clocks that differ: who takes part, the clocks and the waits come from the same times.
for scenario in barrier nxn grid halves propagated; do
    for skew in 1us 20us 100us 10ms; do
        sampled || continue
        simulated tau $scenario --ranks 9 --operations 60 --resolution ns --skew $skew --drift 50 --seed 3 && same_waits
        result $? "$scenario with clocks wrong by $skew and 50 ppm: its waits"
    done
done
# Ranks of one host have one clock: what is known of one is known of all.
while read -r scenario skew; do
    sampled || continue
    simulated tau "$scenario" --ranks 9 --operations 200 --resolution ns --skew "$skew" --drift 50 --hosts 2 --seed 3 && same_waits
    result $? "$scenario on two hosts with clocks wrong by $skew: its waits"
done <<'LIST'
chain 20us
chain 10ms
wrong-order 20us
wrong-order 10ms
nonblocking 10ms
early-reduce 20us
early-reduce 10ms
LIST
for seed in 2 3 4 5 6; do
    sampled || continue
    simulated tau random --ranks 9 --operations 60 --resolution ns --seed "$seed" &&
        same_waits 'early reduce' 'late broadcast' 'wait at NxN' 'wait at barrier'
    result $? "random $seed: its waits for messages"
done

# Messages and waits once more, told by the trace: what receivers wait for before the send begins.
simulated tau late-sender --ranks 8 --operations 60 --resolution ns --seed 5 &&
    ask "SELECT sum(max(0, m.send_ns - e.ts_ns)) / 1000 FROM message m JOIN event e ON e.id = m.recv_event" \
        "$(sed -n 's/^"waiting_ns": \([0-9]*\),$/\1/p' truth.json)"
result $? 'late senders are as late in the trace'

simulated tau random --ranks 16 --operations 60 --skew 10ms --drift 50 --seed 7 && cp truth.json skewed.json &&
    ask "SELECT count(*) > 0 FROM message WHERE own_recv_ns < own_send_ns" 1 &&
    simulated tau random --ranks 16 --operations 60 --seed 7 && ask "SELECT count(*) FROM message WHERE own_recv_ns < own_send_ns" 0 &&
    sed '1,/^"run_ns"/d' skewed.json >true.1 && sed '1,/^"run_ns"/d' truth.json >true.2 && same true.1 true.2
result $? 'wrong clocks turn messages round, and change nothing of the truth'

for scenario in balanced nxn grid halves random; do
    sampled || continue
    simulated kineto $scenario --ranks 6 --operations 20 --seed 2 && "$TRACETOOL" --db "$db" query --format csv \
        "SELECT pid, raw_name, ts_ns, dur_ns, args FROM event WHERE args LIKE '%\"correlation\"%' AND raw_name NOT LIKE 'cudaLaunch%' ORDER BY ts_ns, id" >spans.csv &&
        filled spans.csv && python3 - <<'END'
import collections, csv, json
truth = json.load(open("truth.json"))
ranks = collections.defaultdict(list)
for row in csv.DictReader(open("spans.csv")):
    ranks[row["pid"]].append(row)
kernels = {int(pid[4:].split(".")[0]): rows for pid, rows in ranks.items()}  # rank3.1003
assert len(kernels) == truth["ranks"], sorted(kernels)
for wait in truth["waits"]:
    row = kernels[wait["rank"]][wait["span"]]
    assert row["raw_name"] == wait["name"] and int(row["dur_ns"]) > wait["ns"], (row, wait)
    assert int(row["ts_ns"]) - truth["epoch_ns"] == wait["begin"], (row, wait)
END
    result $? "$scenario: kernels of a PyTorch trace"
done
finish
