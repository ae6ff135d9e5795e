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

# -- groups: the simulator's test asks for all but steps -----------------------------------------------------------
run 0 waits --by rank,rank,kind --format csv --unit ns --top 0 && head -n 1 out | grep -q '^wait_ns,time_percent,count,max_ns,rank,kind,inferred_percent$' &&
    awk -F, 'NR > 1 && $5 == 2 { sum += $1 } END { printf "%.0f\n", sum }' out >ours && filled ours &&
    run 0 waits --filter rank=2 --format csv --unit ns --top 0 && awk -F, 'NR > 1 { sum += $1 } END { printf "%.0f\n", sum }' out >filtered && same ours filtered
result $? '--by ranks and kinds, and what a filter chooses of them'
run 0 waits --by rank,cause --top 2 && has out 'Rank' 'Cause' 'and 8 more' && [ "$(awk 'length > 80' out | wc -l)" -eq 0 ]
result $? 'pairs of ranks'
refuses 2 "did you mean 'rank'" waits --by rnk && refuses 2 'there are kind, name, rank' waits --by '' && refuses 2 'leave --by out' waits --show causes --by rank
result $? 'what is no key'
import "$TRACETOOL_DATA"/recorded/torch-2.13.0-forward.rank?.json.gz && run 0 waits --by step --format csv --unit ns --top 0 && cp out steps.csv &&
    awk -F, 'NR > 1 && $5 != "" { print $5, $1 }' steps.csv | sort >ours && filled ours &&
    for step in $(cut -d' ' -f1 ours); do
        run 0 waits --filter step="$step" --format csv --unit ns --top 0 && awk -F, -v step="$step" 'NR > 1 { sum += $1 } END { printf "%d %.0f\n", step, sum }' out || exit
    done >each && same ours each
result $? '--by step'

# -- real programs -----------------------------------------------------------------------------------------------
# Causes planted by sleeping; the truth is what the programs' own stamps say, without waits of less than a millisecond.
planted() { # CAUSE KIND... : the waits of these kinds are in sum as long as the truth's, within 2 %
    cause=$1
    shift
    true_ns=$(python3 "$SRCDIR/tests/oracles/mpi_truth.py" "$TRACETOOL_DATA/recorded/mpi/$cause/truth.json" total |
        awk -F'\t' '{ sum += $6 } END { printf "%.0f", sum }')
    import "$TRACETOOL_DATA/recorded/mpi/$cause/tau.trc.gz" "$TRACETOOL_DATA/recorded/mpi/$cause/tau.edf.gz" &&
        run 0 waits --format csv --unit ns --top 0 || return 1
    for kind in "$@"; do
        grep ",$kind," out
    done | awk -F, -v truth="$true_ns" '{ sum += $1 }
        END { print "# " sum " ns, in truth " truth; exit !(truth > 1e6 && sum > 0.98 * truth && sum < 1.02 * truth) }'
}
while IFS='|' read -r cause first second; do
    sampled || continue
    planted "$cause" "$first" "${second:-$first none}"
    result $? "planted: $cause"
done <<'LIST'
late-sender|late sender
late-sender-chain|late sender
wrong-order|wrong order
late-receiver|late receiver
persistent|late sender
waitall|late sender
barrier|wait at barrier
allreduce|wait at NxN
call-path|wait at NxN
fence|wait at barrier
late-broadcast|late broadcast
early-reduce|early reduce
propagated|late sender|wait at barrier
probe|late sender
test-polling|late sender
iallreduce|wait at NxN
waitsome|late sender|late broadcast
scatter-gather|early reduce|late broadcast
thread-join|late sender|wait for thread
mutex|wait for lock|wait for thread
sub-communicators|wait at NxN
two-halves|wait at NxN|wait at barrier
LIST
import "$TRACETOOL_DATA/recorded/mpi/balanced/tau.trc.gz" "$TRACETOOL_DATA/recorded/mpi/balanced/tau.edf.gz" && run 0 waits --format csv --unit ns --top 0 &&
    awk -F, 'NR > 1 { sum += $2 } END { exit !(NR > 1 && sum < 0.5) }' out
result $? 'planted: nothing, and nearly nothing is found'

# -- the path through them ------------------------------------------------------------------------------------------
# Work that the programs' authors know to be on the path is there, for as long as it took, within 2 %; what no span explains is
# less than 2 % of the path.
for cause in allreduce barrier fence iallreduce imbalance late-broadcast late-receiver late-sender late-sender-chain mutex \
    persistent probe propagated scatter-gather test-polling thread-join waitall waitsome wrong-order; do
    sampled || continue
    folder=$TRACETOOL_DATA/recorded/mpi/$cause
    python3 "$SRCDIR/tests/oracles/mpi_truth.py" "$folder/truth.json" path >truth.tsv && filled truth.tsv &&
        import "$folder/tau.trc.gz" "$folder/tau.edf.gz" && run 0 critical-path --format json --unit ns --top 0 && python3 - <<'END'
import collections, csv, json
truth = collections.Counter()
for row in csv.reader(open("truth.tsv"), delimiter="\t"):
    truth[row[2]] += int(row[3])
path = json.load(open("out"))
ours = {op["name"].split(".")[-1]: op["time_ns"] for op in path["ops"]}
assert truth
for name, ns in truth.items():
    assert abs(ours.get(name, 0) - ns) <= 0.02 * ns, (name, ns, ours.get(name))
assert path["outside_us"] < 0.02 * path["path_us"], (path["outside_us"], path["path_us"])
END
    result $? "planted: the path of $cause"
done

# Of these the author told one piece of work; what else of that name is on the path is what the stamps say of the ranks and
# times that the path goes through.
for cause in sub-communicators two-halves; do
    folder=$TRACETOOL_DATA/recorded/mpi/$cause
    import "$folder/tau.trc.gz" "$folder/tau.edf.gz" && run 0 query 'SELECT min(ts_ns) FROM event' --format csv && tail -n 1 out >first &&
        run 0 critical-path --format json --unit ns --top 0 && cp out path.json &&
        run 0 critical-path --show segments --format csv --unit ns --top 0 && python3 - "$folder/truth.json" <<'END'
import csv, json, sys
with open(sys.argv[1]) as file:
    truth = json.load(file)
calls = [call for call in truth["calls"] if call["operation"] == "assemble"]
first, true, seen = int(open("first").read()), 0, {}
for row in csv.DictReader(open("out")):
    begin = first + int(row["begin_ns"])
    end = begin + int(row["time_ns"])
    for number, call in enumerate(calls):
        if "node%d" % call["rank"] == row["pid"]:
            ns = max(min(end, call["end"]) - max(begin, call["begin"]), 0)
            true += ns
            seen[number] = seen.get(number, 0) + ns
ours = sum(op["time_ns"] for op in json.load(open("path.json"))["ops"] if op["name"].endswith(".assemble"))
assert truth["path"]
for piece in truth["path"]:
    whole = max(ns for number, ns in seen.items() if calls[number]["rank"] == piece["rank"])
    assert abs(whole - piece["ns"]) <= 0.02 * piece["ns"], (piece, whole)
print("# %d ns, in truth %d" % (ours, true))
assert abs(ours - true) <= 0.02 * true, (ours, true)
END
    result $? "planted: the path of $cause"
done

# -- causes -----------------------------------------------------------------------------------------------------------
# What was planted costs, within 4 %, what the programs' own stamps say of the waits that it made, directly and in turn.
for cause in allreduce barrier fence iallreduce late-broadcast late-receiver late-sender late-sender-chain persistent probe \
    propagated test-polling thread-join waitall wrong-order; do
    sampled || continue
    folder=$TRACETOOL_DATA/recorded/mpi/$cause
    python3 "$SRCDIR/tests/oracles/mpi_truth.py" "$folder/truth.json" total >truth.tsv && filled truth.tsv &&
        import "$folder/tau.trc.gz" "$folder/tau.edf.gz" && run 0 waits --show causes --format csv --unit ns --top 0 && python3 - <<'END'
import collections, csv
true, ours = collections.Counter(), collections.Counter()
for row in csv.reader(open("truth.tsv"), delimiter="\t"):
    if row[2] != "-":
        true["node" + row[2], row[3].split(">")[-1]] += int(row[5])
for row in csv.DictReader(open("out")):
    ours[row["pid"], row["path"].split(" > ")[-1]] += int(row["cost_ns"])
assert true
for key, ns in true.items():
    assert abs(ours[key] - ns) <= 0.04 * ns, (key, ns, ours[key])
END
    result $? "planted: the cost of $cause"
done
# TAU's barrier makes all wait for the last, in the scatter for rank 0 and in the gather for rank 2, whoever the root is; and all
# are together then, so that nothing of the scatter is left to make a gather late.
folder=$TRACETOOL_DATA/recorded/mpi/scatter-gather
import "$folder/tau.trc.gz" "$folder/tau.edf.gz" && run 0 waits --show causes --format csv --unit ns --top 0 && python3 - "$folder/truth.json" <<'END'
import collections, csv, json, sys
with open(sys.argv[1]) as file:
    calls = json.load(file)["calls"]
true, ours = collections.Counter(), collections.Counter()
for operation, late, made in (("MPI_Scatter()", 0, "assemble"), ("MPI_Gather()", 2, "solve")):
    rounds = collections.defaultdict(list)
    for call in calls:
        if call["operation"] == operation:
            rounds[call["rank"]].append(call)
    for number, last in enumerate(rounds[late]):
        for rank in rounds:
            true["node%d" % late, made] += max(min(last["begin"], rounds[rank][number]["end"]) - rounds[rank][number]["begin"], 0)
for row in csv.DictReader(open("out")):
    ours[row["pid"], row["path"].split(" > ")[-1]] += int(row["cost_ns"])
for key, ns in true.items():
    print("#", *key, ours[key], "ns, in truth", ns)
    assert ns > 3e8 and abs(ours[key] - ns) <= 0.02 * ns, (key, ns, ours[key])
END
result $? 'planted: the cost of scatter-gather'
# Each half waits for its own; what that makes of MPI_Finalize in turn is no planted wait.
folder=$TRACETOOL_DATA/recorded/mpi/two-halves
python3 "$SRCDIR/tests/oracles/mpi_truth.py" "$folder/truth.json" total >truth.tsv && filled truth.tsv &&
    import "$folder/tau.trc.gz" "$folder/tau.edf.gz" && run 0 waits --show causes --format csv --unit ns --top 0 && python3 - <<'END'
import collections, csv
ours = collections.Counter()
for row in csv.DictReader(open("out")):
    ours[row["pid"], row["path"].split(" > ")[-1]] += int(row["direct_ns"])
true = {("node" + row[2], row[3]): int(row[5]) for row in csv.reader(open("truth.tsv"), delimiter="\t")}
assert len(true) == 2
for key, ns in true.items():
    assert abs(ours[key] - ns) <= 0.02 * ns, (key, ns, ours[key])
END
result $? 'planted: the direct cost of two-halves'
import "$TRACETOOL_DATA/otf2/every-kind/traces.otf2" && run 0 waits --show causes && has out 'by f0<std::vector<int>>:'
result $? 'a cause whose name ends in > is told whole'
import "$TRACETOOL_DATA/recorded/mpi/propagated/tau.trc.gz" "$TRACETOOL_DATA/recorded/mpi/propagated/tau.edf.gz" && run 0 waits --show causes &&
    has out 'node0 makes others wait 730 ms by assemble' '98.9 % of all waits' '.TAU application > main > assemble'
result $? 'the dearest cause in a sentence'
refuses 2 'waits, causes' waits --show roots && run 0 waits --show causes --filter rank=77 && has err 'matches'
result $? 'what is nothing to show'

# -- of some waits ------------------------------------------------------------------------------------------------------
# What filters choose costs what the table says of it; that of all ranks, or of all parts of the time, is that of all waits.
costs() { # SELECTION... : costs by rank and path, in cost
    run 0 waits --show causes --format csv --unit ns --top 0 "$@" &&
        awk -F, 'NR > 1 { sum[$6 "," $7] += $1 } END { for (key in sum) printf "%s,%.0f\n", key, sum[key] }' out | sort >cost
}
same_totals() { # SELECTION...
    costs "$@" && run 0 waits --format csv --unit ns --top 0 "$@" &&
        awk -F, 'NR > 1 { sum += $1 } END { printf "%.0f\n", sum }' out >waited && awk -F, '{ sum += $NF } END { printf "%.0f\n", sum }' cost >cost_sum &&
        filled waited && cmp waited cost_sum
}
adds_up() { # COST... : of the parts, as all but for whole nanoseconds, of each wait and part
    costs && cat "$@" | awk -F, -v waits=500 'FNR == NR { all[$1 "," $2] = $3; next } { sum[$1 "," $2] += $3 }
        END { for (key in all) { n++; off = all[key] - sum[key]; bad += off > waits || off < -waits }
              for (key in sum) bad += !(key in all); exit bad || !n }' cost -
}
of_ranks() {
    rm -f part.*
    for rank in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do
        same_totals --filter rank=$rank && cp cost part.$rank || return 1
    done
    adds_up part.*
}
# Waits by kind and name of many windows, one after the other, are those of the whole, to the nanosecond.
kinds_of() { # SELECTION...
    run 0 waits --by kind,name --format csv --unit ns --top 0 "$@" && awk -F, 'NR > 1 { print $5 "," $6 "," $1 }' out
}
windows_add_up() {
    run 0 query --format csv "SELECT max (ts_ns + dur_ns) - min (ts_ns) AS n FROM event" && length=$(sed 1d out) && kinds_of >whole && : >parts && from=0 || return 1
    for to in $(awk -v n="$length" -v x=5 'BEGIN { for (i = 0; i < 24; i++) { x = x * 16807 % 2147483647; printf "%.0f\n", n * x / 2147483647 } }' | sort -n) $((length + 1)); do
        [ "$to" -eq "$from" ] || kinds_of --time-window "${from}ns:${to}ns" >>parts || return 1
        from=$to
    done
    filled whole && awk -F, 'FNR == NR { all[$1 "," $2] = $3; next } { sum[$1 "," $2] += $3 }
        END { for (key in all) { n++; bad += all[key] != sum[key] } for (key in sum) bad += !(key in all); exit bad || !n }' whole parts
}
for cause in propagated mutex late-sender-chain sub-communicators; do
    sampled || continue
    import "$TRACETOOL_DATA/recorded/mpi/$cause/tau.trc.gz" "$TRACETOOL_DATA/recorded/mpi/$cause/tau.edf.gz"
    of_ranks
    result $? "costs of the waits of each rank: $cause"
    rm -f part.*
    same_totals --time-window :420ms && cp cost part.1 && same_totals --time-window 420ms:431.123ms && cp cost part.2 &&
        same_totals --time-window 431.123ms: && cp cost part.3 && adds_up part.*
    result $? "costs of the waits of a time: $cause"
    windows_add_up
    result $? "waits of 25 windows: $cause"
    same_totals --filter 'name~MPI_Recv' --filter 'rank=1,2' && same_totals --filter 'name!~MPI_Recv' && [ -s cost ] &&
        same_totals --filter 'name!~MPI_Recv' --time-window 300ms:
    result $? "costs of the waits of a name: $cause"
done
# Whatever waits: polls, probes, locks, calls that return at once, devices. What a window does not touch is not read, or all is.
for cause in probe test-polling wrong-order persistent waitsome iallreduce late-receiver thread-join scatter-gather two-halves; do
    import "$TRACETOOL_DATA/recorded/mpi/$cause/tau.trc.gz" "$TRACETOOL_DATA/recorded/mpi/$cause/tau.edf.gz" && windows_add_up
    result $? "waits of 25 windows: $cause"
done
import "$TRACETOOL_DATA"/recorded/torch-2.13.0-forward.rank?.json.gz && windows_add_up
result $? 'waits of 25 windows: four ranks of PyTorch'
for shared in tau/real-mpi4 pinsight/omp_full; do
    if [ -d "$SHARED_DATA/$shared" ]; then
        import "$SHARED_DATA/$shared" && windows_add_up
        result $? "waits of 25 windows: $shared"
    else
        skip "waits of 25 windows: $shared" 'the shared data are not here'
    fi
done
# A span in the middle that is of no thread fails what reads it. What touches a window, and the other ends of its messages, do not.
if [ -x "$BUILDDIR/bench/gen-tau" ]; then
    "$BUILDDIR/bench/gen-tau" --records 200000 --nodes 8 --messages --merged long && run 0 --db long.db import -q long.trc long.edf && cp long.db cut.db &&
        change_database cut.db 'UPDATE event_row SET thread = 999 WHERE id = (SELECT max(id) * 2 / 3 FROM event_row)' && run 1 --db cut.db waits && has err damaged
    result $? 'a span of no thread is an error'
    for question in 'waits --format json --top 0' 'comm --format json --top 0' 'breakdown --format json' 'breakdown --show efficiency --format json'; do
        # shellcheck disable=SC2086
        run 0 --db long.db $question --time-window 1ms:3ms && matches out '":[1-9]' && cp out whole && run 0 --db cut.db $question --time-window 1ms:3ms && same out whole
        result $? "$question reads no more than a window needs"
    done
    run 0 --db long.db plot timeline --time-window 1ms:3ms -o whole.svg && run 0 --db cut.db plot timeline --time-window 1ms:3ms -o part.svg && same whole.svg part.svg
    result $? 'plot timeline reads no more than a window needs'
    run 0 --db long.db export --waits --time-window 1ms:3ms -o whole.json && has whole.json '"wait_ns":' && run 0 --db cut.db export --waits --time-window 1ms:3ms -o part.json && same whole.json part.json
    result $? 'export --waits reads no more than a window needs'
    # Of the spans that a window has, waits are those of the export of all: whole, though they may begin before it.
    run 0 --db long.db export --waits --absolute -o all.json && run 0 --db long.db export --waits --absolute --time-window 5ms:5.5ms -o few.json &&
        python3 -c 'import json, sys
def text(event):
    event.get("args", {}).pop("cnt", None)
    return json.dumps(event, sort_keys=True)
def spans(path): return {text(e) for e in json.load(open(path))["traceEvents"] if e["ph"] == "X"}
every, few = spans(sys.argv[1]), spans(sys.argv[2])
sys.exit(not (0 < len(few) < len(every) and few <= every and any("wait_ns" in e for e in few)))' all.json few.json
    result $? 'export --waits of a window has whole waits'
    # Locks and polls matter where they are.
    for call in pthread_mutex_lock MPI_Test; do
        python3 -c 'import sys
print("[")
for i in range(60000):
    name = sys.argv[1] if i in (10, 11, 30000, 30001) else "MPI_Barrier" if i % 100 < 2 else "work"
    print("""{"ph":"X","name":"%s","pid":%d,"tid":1,"ts":%d,"dur":%d},""" % (name, i % 2 + 1, i * 10, 15 if i % 100 == 0 else 5))
print("{}]")' $call >called.json
        run 0 --db long.db import -q called.json && cp long.db cut.db && change_database cut.db 'UPDATE event_row SET thread = 999 WHERE id = (SELECT max(id) - 10 FROM event_row)' &&
            run 0 --db long.db waits --format csv --time-window 200ms:210ms && has out 'wait at barrier' && cp out whole && run 0 --db cut.db waits --format csv --time-window 200ms:210ms && same out whole &&
            run 1 --db cut.db waits --time-window 299ms:301ms && has err damaged
        result $? "a window without $call reads no more than it needs, one with it all"
    done
else
    skip 'windows' 'bench/gen-tau is not built'
fi
# What the programs' stamps say of each rank that waits.
each_rank_pays() {
    for rank in $(cut -f2 truth.tsv | sort -u); do
        costs --filter "rank=$rank" && awk -F'\t' -v rank="$rank" 'FNR == NR { if ($2 == rank && $8 != "-") true_ns["node" $8 "," $9] += $6; next }
            { split($0, cell, ","); at = cell[2]; sub(/.* > /, "", at); ours[cell[1] "," at] += cell[3] }
            END { for (key in true_ns) { n++; off = ours[key] / true_ns[key]; print "#", rank, key, ours[key], true_ns[key]; bad += off < 0.96 || off > 1.04 }
                  exit bad || !n }' truth.tsv cost || return 1
    done
}
for cause in mutex late-sender barrier; do
    folder=$TRACETOOL_DATA/recorded/mpi/$cause
    import "$folder/tau.trc.gz" "$folder/tau.edf.gz" && python3 "$SRCDIR/tests/oracles/mpi_truth.py" "$folder/truth.json" wait >truth.tsv &&
        filled truth.tsv && each_rank_pays
    result $? "planted: the cost of each rank's waits of $cause"
done

# -- of communicators ---------------------------------------------------------------------------------------------------
# What the stamps of the calls that each rank made say of rows, columns and halves of the program's ranks.
for cause in sub-communicators two-halves; do
    folder=$TRACETOOL_DATA/recorded/mpi/$cause
    import "$folder/tau.trc.gz" "$folder/tau.edf.gz" && run 0 waits --by communicator --filter name~MPI_Allreduce --format csv --unit ns --top 0 &&
        python3 "$SRCDIR/tests/oracles/wait_comms.py" "$folder/truth.json" out >judged
    result $? "--by communicator: $cause"
    sed 's/^/# /' judged
done
import "$TRACETOOL_DATA/recorded/mpi/sub-communicators/tau.trc.gz" "$TRACETOOL_DATA/recorded/mpi/sub-communicators/tau.edf.gz" &&
    run 0 waits --by communicator,kind && has out ': ranks 12-15 (inferred)' ': ranks 1,5,9,13 (inferred)' '0: ranks 0-15 ' &&
    awk '/wait at NxN/ && (!/inferred/ || $(NF) != "100.00") { bad = 1 } /inferred\)/ { n++ } END { exit bad || n != 8 }' out
result $? '--by communicator: all that was inferred is marked'
import "$SRCDIR/data/tau-mpi4" && run 0 waits --by communicator --format csv --unit ns --top 0 && cp out by.csv && has out 'ranks 0-3' &&
    run 0 waits --format csv --unit ns --top 0 && awk -F, 'FNR == 1 { file++; next } { sum[file] += $1 } END { exit !(sum[1] > 0 && sum[1] == sum[2]) }' by.csv out
result $? '--by communicator: all waits'

# -- critical sections ---------------------------------------------------------------------------------------------------
# Two threads, one section: 1 holds it for 30 ms, 2 comes 10 ms later and waits 20 for it. By the words of TAU, LLVM and libgomp.
# A third unlocks a mutex of POSIX between the release and the moment at which 2 goes on: no lock that 2 waits for.
section() { # WAITS HOLDS RELEASES : each "" or a name
    python3 - "$@" <<'END'
import json, sys
waits, holds, releases = sys.argv[1:]
spans = [(1, "work", 0, 100), (2, "work", 0, 100), (1, waits, 10, 10), (1, "update", 12, 28), (2, "before", 10, 10), (2, waits, 20, 20.05), (2, "update", 41, 5),
         (3, "work", 0, 100), (3, "pthread_mutex_unlock", 40.02, 0.001)]
if holds:
    spans += [(1, holds, 10, 30), (2, holds, 40.05, 10)]
if releases:
    spans += [(1, releases, 40, 0.001), (2, releases, 47, 0.001)]
events = [{"ph": "X", "pid": 1, "tid": tid, "name": name, "ts": ts * 1000, "dur": dur * 1000} for tid, name, ts, dur in spans
          if name != waits or tid == 2 or dur]
json.dump({"traceEvents": [e for e in events if not (e["name"] == waits and e["tid"] == 1)]}, open("section.json", "w"))
END
}
while IFS='|' read -r waits holds releases; do
    section "$waits" "$holds" "$releases" && import section.json && run 0 waits --format csv --unit ns --by kind --top 0 &&
        matches out '^20000000,.*wait for lock' && run 0 waits --show causes --format csv --unit ns --top 0 &&
        awk -F, 'NR > 1 && $7 ~ /update$/ { update += $1 } END { exit !(update > 0.85 * 20000000 && update <= 20000000) }' out
    result $? "a critical section: $waits"
done <<'LIST'
OpenMP_Mutex_Waiting_Critical|OpenMP_Mutex_Acquired_Critical|
__kmpc_critical||__kmpc_end_critical
GOMP_critical_start||GOMP_critical_end
omp_set_nest_lock||omp_unset_nest_lock
LIST

# -- locks of one kind --------------------------------------------------------------------------------------------------
# Threads over several mutexes, as simulated: each waits until the lock it asked for is let go. Where calls do not tell which
# it was, the last that was let go counts, and that this may be wrong is said; where one mutex is all there is, it is not.
locks_as_simulated() { # SEED N_LOCKS [KEY]
    python3 "$SRCDIR/tests/oracles/locks.py" locks.json truth.txt "$@" && import locks.json && filled truth.txt || return 1
    while read -r tid ns; do
        run 0 waits --filter "tid=$tid" --by kind --format csv --unit ns --top 0 && told=$(body | cut -d, -f1) || return 1
        echo "# $tid: ${told:-0} of $ns"
        [ "${told:-0}" -eq "$ns" ] || return 1
    done <truth.txt
}
for key in lock mutex wait_id; do
    locks_as_simulated 7 3 "$key" && run 0 waits && ! has out 'locks: ' && matches out 'wait for lock .* 0.00$'
    result $? "locks that calls tell as $key"
done
locks_as_simulated 8 1 && run 0 waits && ! has out 'locks: ' && matches out 'wait for lock .* 100.00$'
result $? 'one lock that calls do not tell'
! locks_as_simulated 7 3 && run 0 waits && matches out '^locks: [0-9]* waits for one of several locks that threads hold at once' &&
    run 0 waits --show causes && matches out '^locks: [0-9]* waits for one of several locks'
result $? 'several locks that calls do not tell: that is said'

# -- ranks that wait on threads which do nothing but communicate ---------------------------------------------------------
# PyTorch over gloo: what the others waited for is what was planted on another thread of the rank that came late.
while IFS='|' read -r recording rank path least; do
    import "$TRACETOOL_DATA/recorded/$recording.rank"*.json.gz && run 0 waits --show causes --format csv --unit ns --top 0 && filled out &&
        awk -F, -v rank="^$rank\\." -v path="$path" -v least="$least" 'NR == 1 { next } { all += $1 }
            $6 ~ rank && $7 ~ path { planted += $1 } END { print 100 * planted / all; exit !(planted >= all * least / 100) }' out >share
    result $? "causes of $recording: $rank, $path ($(cat share) %)"
done <<'LIST'
causes/compute|rank1|aten::mm$|95
causes/loader|rank0|_SingleProcessDataLoaderIter|85
causes/silent|rank2|^ProfilerStep#[0-9]*$|85
torch-1.12.1|rank1|planted sleep$|85
torch-2.13.0|rank1|planted sleep$|90
LIST
finish
