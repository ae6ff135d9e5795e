#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# critical-path: tables, formats, overlay, what it refuses.
. "$SRCDIR/tests/cli/lib.sh"

run 0 --db t.db import "$TRACETOOL_DATA/tau-mpi4" && has out '775 spans'
result $? 'imports the example, in which rank 2 is late'

run 0 --db t.db critical-path && has out 'Critical path: ' 'the whole run' 'late messages' 'inferred' '    Time  Path %' 'Waited  Process' '5.142 ms   30.57'
result $? 'prints the path'
awk '/Process$/ { on = 1; next } on { print $NF; exit }' out | grep -qx node2
result $? 'most of it lies on the late rank'
cp out first
run 0 --db t.db critical-path && same out first
result $? 'twice the same'

run 0 --db t.db critical-path --segments --top 0 && has out 'Came by' 'collective' 'message' 'begin'
result $? '--segments lists the pieces'
run 0 --db t.db critical-path --segments --top 2 && has out 'more pieces'
result $? '--top shortens the list and says so'

run 0 --db t.db critical-path --format csv && head -1 out | grep -q '^time_us,path_percent,spans,name' && refute has out 'Critical'
result $? 'csv carries the operations'
run 0 --db t.db critical-path --format csv --unit ns --segments && head -1 out | grep -q '^begin_ns,time_ns,'
result $? 'csv carries the pieces when asked'
run 0 --db t.db critical-path --format csv --show ranks && head -1 out | grep -q 'pid$'
result $? '--show ranks is that table alone'

command -v python3 >/dev/null && run 0 --db t.db critical-path --imbalance --format json --unit ns && python3 - <<'END'
import json
path = json.load(open("out"))
ops, length = path["imbalance"], sum(op["on_path_ns"] for op in path["imbalance"])
assert length == sum(op["time_ns"] for op in path["ops"] if op["name"][0] != "(" or "messages" in op["name"]), length
assert sum(op["activity_ns"] + op["cost_ns"] + op["other_ns"] for op in ops) == 4 * length
assert all(op["imbalance_ns"] >= op["on_path_ns"] - op["mean_ns"] - 1 and op["intra_partition_ns"] >= 0 for op in ops)
END
result $? '--imbalance: activity, cost and other work are the path times its ranks'
run 0 --db t.db critical-path --imbalance && has out '% of the path is more than the mean of 4 ranks' 'Imbalance' &&
    refuses 2 "'--imbalance' shows the measured path" --db t.db critical-path --imbalance --model &&
    run 0 critical-path --imbalance "$TRACETOOL_DATA/job-2x1" && has err "see 'tracetool imbalance'"
result $? '--imbalance in words, and where it is not'

run 0 --db t.db critical-path --format json --segments -o path.json && filled out path.json
result $? 'writes a Chrome trace beside'
has err "path.json" 'the path marked'
result $? 'and says how to look at it'
if command -v python3 >/dev/null; then
    python3 - out path.json <<'EOF' >py 2>&1
import json, sys
path = json.load(open(sys.argv[1]))
run = path["path_us"]
ops = sum(o["time_us"] for o in path["ops"])
assert abs(ops - run) < 1e-6, (ops, run)
assert abs(sum(o["path_percent"] for o in path["ops"]) - 100) < 0.1
ranks = sum(r["time_us"] + r["transfer_in_us"] for r in path["ranks"])
assert abs(ranks - run) < 1e-6, (ranks, run)
assert sum(r["pieces"] for r in path["ranks"]) == len(path["segments"])
at = 0
for s in path["segments"]:
    assert abs(at + s["transfer_in_us"] - s["begin_us"]) < 1e-6, s
    at = s["begin_us"] + s["time_us"]
    assert (s["inferred"] == "yes") == (s["came_by"] in ("collective", "thread begin"))
assert abs(at - run) < 1e-6
chrome = json.load(open(sys.argv[2]))
events = chrome["traceEvents"] if isinstance(chrome, dict) else chrome
spans = [e for e in events if e["ph"] in "XB"]
marked = [e for e in spans if e.get("args", {}).get("critical_path")]
assert 0 < len(marked) < len(spans), (len(marked), len(spans))
assert len(marked) == sum(o["spans"] or 0 for o in path["ops"]), len(marked)
EOF
    result $? 'the parts add up to the run, and the marked spans are those of the path'
    sed 's/^/# /' py
else
    skip 'the parts add up to the run, and the marked spans are those of the path' 'no python3'
fi
run 0 --db t.db critical-path -o path.json.gz && gunzip -t path.json.gz
result $? 'writes .json.gz'

run 0 --db m.db import "$TRACETOOL_DATA/tau-merged" && run 0 --db m.db critical-path && same out first
result $? 'a merged trace has the same path as its per-rank files'

run 0 --db t.db critical-path --model && has out 'Longest path by averages' 'Self avg  Gap before' '405.0 us' 'Came by' 'back in time'
result $? '--model prints the path by averages, and the cycles'
run 0 --db t.db critical-path --model --merge-ranks --show cycles --top 0 && has out 'Left out' 'COMP.time step'
result $? 'cycles are named node by node'
run 0 --db t.db critical-path --model --format json && has out '"path":' '"cycles":' '"path_us":'
result $? '--model as JSON'
run 0 --db t.db critical-path --model --filter pid=node2 && refute matches out 'node[013]'
result $? '--model takes a selection'

# a (100) then b (50) then d (20) on one thread; a flow from a to e (10) on another, and one from e to d. b takes 40 more
# than e, so e has that much slack; all paths begin with a and end with d.
cat >diamond.json <<'EOF'
{"traceEvents":[
{"ph":"X","pid":1,"tid":1,"name":"a","ts":0,"dur":100},
{"ph":"X","pid":1,"tid":1,"name":"b","ts":100,"dur":50},
{"ph":"X","pid":1,"tid":2,"name":"e","ts":110,"dur":10},
{"ph":"X","pid":1,"tid":1,"name":"d","ts":150,"dur":20},
{"ph":"s","pid":1,"tid":1,"name":"x","cat":"x","id":1,"ts":50},
{"ph":"f","bp":"e","pid":1,"tid":2,"name":"x","cat":"x","id":1,"ts":112},
{"ph":"s","pid":1,"tid":2,"name":"x","cat":"x","id":2,"ts":115},
{"ph":"f","bp":"e","pid":1,"tid":1,"name":"x","cat":"x","id":2,"ts":155}
]}
EOF
# f g f g: two edges there, one back; and h, which nothing joins to them.
cat >loop.json <<'EOF'
{"traceEvents":[
{"ph":"X","pid":2,"tid":3,"name":"f","ts":200,"dur":3},
{"ph":"X","pid":2,"tid":3,"name":"g","ts":204,"dur":3},
{"ph":"X","pid":2,"tid":3,"name":"f","ts":208,"dur":3},
{"ph":"X","pid":2,"tid":3,"name":"g","ts":212,"dur":3},
{"ph":"X","pid":2,"tid":4,"name":"h","ts":212,"dur":3}
]}
EOF
run 0 --db d.db import -q diamond.json && run 0 --db d.db critical-path --model --show slack --format csv &&
    printf '%s\n' slack_us,self_avg_us,count,op_long_name '0,100,1,1->COMP.a' '0,50,1,1->COMP.b' '0,20,1,1->COMP.d' \
        '40,10,1,1->COMP.e' | same - out
result $? '--show slack: how much longer each operation may take'
run 0 --db d.db critical-path --model --show slack --top 2 &&
    has out '170 us' '3 of 4 operations have no slack' 'and 2 more'
result $? 'with the length of the path'
run 0 --db d.db critical-path --model --show dominators --format csv &&
    printf '%s\n' all_paths,wait_for_it,lead_to_it,self_avg_us,count,op_long_name 'yes,3,0,100,1,1->COMP.a' \
        'yes,0,3,20,1,1->COMP.d' | same - out
result $? '--show dominators: what everything waits for'
run 0 --db d.db critical-path --model --show feedback && has out 'There is no cycle'
result $? '--show feedback: no cycle, no edge'
run 0 --db l.db import -q loop.json && run 0 --db l.db critical-path --model --show feedback --format json &&
    grep -qx '{"count":1,"kind":"sequence","from":"2->COMP.g","to":"2->COMP.f"}' out && lines out 3
result $? 'the edge that counts less opens the cycle'
run 0 --db l.db critical-path --model --show dominators && has out 'pass 0 of 3' '2 parts that nothing joins'
result $? 'two parts have nothing in common that all paths pass'
run 0 --db t.db critical-path --model --show slack --format json --top 0 && cp out first &&
    run 0 --db t.db critical-path --model --show slack --format json --top 0 && same out first
result $? 'twice the same slack'
run 2 --db d.db critical-path --show slack && has err 'ops, ranks, segments'
result $? 'the measured path has no such table'

run 2 --db t.db critical-path --filter pid=node2 && has err "goes with '--model' only"
result $? 'the measured path takes none'
run 2 --db t.db critical-path -o path.txt && has err 'end it in .json'
result $? 'the overlay is a .json'
run 2 --db t.db critical-path --show op && has err "did you mean 'ops'"
result $? 'an unknown table is refused'
run 2 --db t.db critical-path --model -o path.json && has err "does not go with '--model'"
result $? 'the model has no overlay'
run 1 --db t.db critical-path -o nowhere/path.json && has err nowhere
result $? 'a file that cannot be written is an error'
run 0 --db s.db import "$TRACETOOL_DATA/succeed/relative" && run 0 --db s.db critical-path && has out 'Critical path'
result $? 'a relative clock will do'
run 0 critical-path --help && has out 'Example' '--segments' 'inferred'
result $? 'there is help with an example'
# -- the model of a training job ----------------------------------------------------------------------
run 0 --db j.db import -q "$TRACETOOL_DATA/job-2x1" && run 0 --db j.db critical-path --model &&
    has out 'Path through the simulated step' 'Gaps (us)' host1.rank0 BW.gradient_tape MEMCPY_OUT
result $? '--model of a training job is its simulated step'
run 0 --db j.db critical-path --model --show path --format csv &&
    awk -F, 'NR > 1 { sum += $3 } NR == 2 && $4 != "begin" { bad = 1 } END { exit bad || NR < 10 || sum <= 0 }' out &&
    awk -F, 'NR > 1 { printf "%.3f\n", sum += $3 }' out | tail -1 >sum &&
    run 0 --db j.db critical-path --model --format json && grep -q "\"path_us\": $(cat sum)" out
result $? 'its pieces add up to its length'
run 0 --db j.db critical-path --model --show ranks && has out host0.rank0 && refute matches out BW.gradient &&
    run 2 --db j.db critical-path --model --show cycles && has err 'path, ops, kinds, ranks' &&
    run 2 --db j.db critical-path --model --show slack && has err "there is no table 'slack' of a training job" &&
    run 2 --db t.db critical-path --model --show kinds && has err 'path, cycles'
result $? 'tables of one model are not those of the other'
run 0 --db j.db critical-path --model -o job.json && has err 'path marked' && has job.json '"critical_path":true'
result $? 'its path is marked in the events of the typical step'
run 0 --db j.db critical-path --model --merge-ranks && has out 'Longest path by averages'
result $? 'operations, if ranks are merged'
# -- what no span explains --------------------------------------------------------------------------------
# Little of the path, wherever the trace has what the threads do: of hosts by TAU, LTTng, PInsight and PI, and of jobs.
explained() { # TEXT FILE... : less than 2 % of the path is in no span
    what=$1
    shift
    [ -e "$1" ] || { skip "$what: its path is explained" 'no shared data'; return; }
    rm -f x.db* && "$TRACETOOL" --db x.db import -q "$@" 2>err && run 0 --db x.db critical-path --format json --unit ns &&
        awk '/"path_us":/ { gsub(/[^0-9.]/, ""); path = $0 + 0 } /"outside_us":/ { gsub(/[^0-9.]/, ""); outside = $0 + 0; told = 1 }
            END { exit !(path > 0 && told && outside < 0.02 * path) }' out
    result $? "$what: its path is explained"
}
for folder in "$TRACETOOL_DATA"/recorded/mpi/*/; do
    explained "$(basename "$folder")" "$folder/tau.trc.gz" "$folder/tau.edf.gz"
done
# Not ctf-lttng: a third of its events were discarded, with the begin of what ends it.
for name in pi-run pi-g2 ctf-hosts tau-mpi4; do
    explained $name "$TRACETOOL_DATA/$name"
done
for name in framework/job_2x2 pinsight/omp_full pinsight/omp_rate pi/ex_doc tau/real-mpi4 tau/real-mpi4-callpath-flush; do
    explained $name "${SHARED_DATA:-/nowhere}/$name"
done
finish
