#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Ranks (a program with its devices), steps as their source names them, and spans that only name a stretch of time.
# shellcheck source=tests/cli/lib.sh
. "$SRCDIR/tests/cli/lib.sh"
examples=$TRACETOOL_DATA/kineto
oracle=$SRCDIR/tests/oracles/steps-of-profiler.py

# -- whose a device is -------------------------------------------------------------------------------------
import "$examples/rank0.json" "$examples/rank1.json"
ask "SELECT group_concat(rank || '=' || n, ' ') FROM (SELECT r.rank, count(*) AS n FROM rank r JOIN process p ON p.id = r.process
    WHERE label GLOB '*[CG]PU*' GROUP BY r.rank)" '0=2 1=2'
result $? 'a GPU is of the rank of its host'
import "$examples/waits.json"
ask "SELECT count(DISTINCT r.rank), min(r.rank = host.pid), count(*) > 1 FROM rank r, process host WHERE host.label LIKE '%CPU%'" '1,1,1'
result $? 'without a number a rank has the name of its host'
run 0 export --chrome -o out.json && "$TRACETOOL" query "SELECT rank, pid FROM rank ORDER BY pid" --format csv >ranks.csv &&
    import out.json && "$TRACETOOL" query "SELECT rank, pid FROM rank ORDER BY pid" --format csv >again.csv &&
    matches ranks.csv , && same ranks.csv again.csv
result $? 'an export and an import keep that'
import "$TRACETOOL_DATA/framework/tensorflow"
ask "SELECT count(DISTINCT rank), count(*) > 2 FROM rank" '1,1'
result $? 'the devices of a TensorFlow session are one rank'
import "$TRACETOOL_DATA/framework/xprof/gpu.trace.json"
ask "SELECT count(DISTINCT rank), count(*) FROM rank" '1,2'
result $? "so are those of XLA's profiler"
ask "SELECT raw_name, dur_ns, step FROM event WHERE flags LIKE '%step%' ORDER BY step" 'train,900000,0' 'train,900000,1' &&
    run 0 steps --format csv --unit ns && lines out 3
result $? 'whose steps are as long as the host says'
import "$TRACETOOL_DATA/chrome/every-kind.json"
ask "SELECT count(*) - count(DISTINCT rank) FROM rank" 0
result $? 'processes of which nothing is known are each by themselves'
import "$TRACETOOL_DATA/tau-mpi4"
ask "SELECT group_concat(rank || '=' || pid, ' ') FROM (SELECT * FROM rank ORDER BY rank)" '0=node0 1=node1 2=node2 3=node3'
result $? 'nodes of MPI are ranks'

# Two files without ranks, of containers: the host's pid of one is the pid that PyTorch gives a GPU of the other.
file_of() { # HOST GPU: a host that owns a GPU
    printf '{"schemaVersion": 1, "traceEvents": [%s]}\n' "$(printf '
        {"ph":"M","name":"process_labels","pid":%s,"tid":0,"ts":1,"args":{"labels":"CPU"}},
        {"ph":"M","name":"process_labels","pid":%s,"tid":0,"ts":1,"args":{"labels":"GPU %s"}},
        {"ph":"X","cat":"cpu_op","name":"aten::mm","pid":%s,"tid":1,"ts":10,"dur":5,"args":{"External id":1}},
        {"ph":"X","cat":"kernel","name":"gemm","pid":%s,"tid":7,"ts":12,"dur":5,"args":{"External id":1,"stream":7}}' \
        "$1" "$2" "$2" "$1" "$2")"
}
file_of 4037 7 >first.json
file_of 7 1 >second.json
status=0
for files in 'first.json second.json' 'second.json first.json'; do
    # shellcheck disable=SC2086
    set -- $files
    import "$1" && run 0 --db "$db" import --add "$2" &&
        ask "SELECT group_concat(rank || '=' || pid, ' ') FROM (SELECT * FROM rank ORDER BY pid)" \
            '4037=1 4037=4037 4037=7' || status=1
done
result $status 'a device that is a host in another file takes its own devices along'
import first.json second.json &&
    ask "SELECT group_concat(rank || '=' || pid, ' ') FROM (SELECT * FROM rank ORDER BY pid)" \
        '0=rank0.4037 0=rank0.7 1=rank1.1 1=rank1.7'
result $? 'but imported together each file is a rank, and their pids are not the same'
echo '{"traceEvents": [' >circle.json
for pair in a:b b:c c:a d:d; do
    printf '{"ph":"M","name":"process_name","pid":"%s","args":{"name":"x","owner":"%s"}},' "${pair%:*}" "${pair#*:}"
    printf '{"ph":"X","name":"x","pid":"%s","tid":1,"ts":1,"dur":1},' "${pair%:*}"
done | sed 's/,$/]}/' >>circle.json
import circle.json && run 0 info --check && has out ' is whole' && ask "SELECT count(*) > 0, count(*) = count(DISTINCT pid) FROM rank" 1,1
result $? 'and owners in a circle are no rank'

# -- by rank, per rank ---------------------------------------------------------------------------------------
import "$examples/rank0.json" "$examples/late1.json"
run 0 stats --by rank --format csv --unit ns --sort name && cut -d, -f 3,4,12 out | tail -n +2 >by-rank.csv &&
    "$TRACETOOL" query "SELECT sum(self_ns), count(*), rank FROM event JOIN rank ON rank.pid = event.pid
        WHERE dur_ns IS NOT NULL AND ifnull(flags, '') NOT LIKE '%window%' GROUP BY rank ORDER BY rank" --format csv |
        tail -n +2 >wanted.csv && lines wanted.csv 2 && same wanted.csv by-rank.csv
result $? '--by rank sums what the rank and its devices did, without windows'
run 0 stats --per rank --by name --top 0 --format csv --unit ns && cp out per.csv &&
    run 0 stats --by name,rank --top 0 --format csv --unit ns && python3 - per.csv out <<'P'
import csv, sys
per, each = ([*csv.DictReader(open(path))] for path in sys.argv[1:])
totals = {}
for row in each:
    totals.setdefault(row["name"], {})[row["rank"]] = int(row["total_ns"])
categories = {rank: {n.split(".")[0] for n, ranks in totals.items() if rank in ranks} for rank in "01"}
assert per and {row["name"] for row in per} == set(totals)
n_zero = n_alone = 0
for row in per:
    own = totals[row["name"]]
    zeros = [r for r in "01" if r not in own and row["name"].split(".")[0] in categories[r]]
    values = [*own.values(), *(0 for _ in zeros)]
    mean = sum(values) / len(values)
    assert int(row["ranks"]) == len(own) and int(row["zero_ranks"]) == len(zeros), row
    assert (int(row["min_ns"]), int(row["max_ns"])) == (min(values), max(values)), row
    assert abs(float(row["mean_ns"]) - mean) < 1e-6 and own[row["slowest"]] == max(own.values()), row
    assert abs(float(row["imbalance_percent"]) - ((max(values) / mean - 1) * 100 if mean else 0)) < 1e-6, row
    n_zero += bool(zeros)
    n_alone += len(values) == 1
assert n_zero and n_alone, (n_zero, n_alone)
P
result $? '--per rank: zero counts where a rank does other work of the category, and nowhere else'
run 0 stats --per rank && has out 'as 0 ranks that do other work of the category'
result $? 'and the table says so'
refuses 2 'leave rank out' stats --per rank --by name,rank
result $? 'ranks are not compared within a rank'
run 0 stats --filter rank=1 --by rank --format csv && lines out 2
result $? 'a filter of ranks takes its devices, too'

# -- steps ------------------------------------------------------------------------------------------------------
for trace in "$examples/rank0.json" "$examples/middle.json" "$examples/first.json" "$SHARED_DATA"/kineto/nccl_data.json.gz \
    "$SHARED_DATA"/kineto/event_sync_trace.json.gz "$SHARED_DATA"/kineto/sampled_rank-1.json.gz; do
    [ -f "$trace" ] || { skip "steps of ${trace##*/}" 'the shared data are not here'; continue; }
    import "$trace" && run 0 steps --format csv --unit ns && python3 "$oracle" "$trace" "$scratch/out"
    result $? "steps of ${trace##*/} last as long as ProfilerStep"
done
import "$examples/rank0.json" && run 0 steps --format csv --unit ns && cp out annotated.csv &&
    run 0 steps --format csv --unit ns --measure operators && lines out 4 && refute same annotated.csv out &&
    run 0 steps && has out '1 rank, 3 steps' 'the span that the trace names a step'
result $? '--measure operators is the other rule'
cat >cut.json <<'E'
{"schemaVersion": 1, "deviceProperties": [], "traceEvents": [
{"ph":"X","cat":"user_annotation","name":"ProfilerStep#1","pid":7,"tid":7,"ts":0,"dur":100},
{"ph":"X","cat":"cpu_op","name":"aten::mm","pid":7,"tid":7,"ts":10,"dur":20},
{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":7,"tid":7,"ts":12,"dur":5,"args":{"correlation":3}},
{"ph":"X","cat":"kernel","name":"gemm","pid":0,"tid":7,"ts":50,"dur":90,"args":{"correlation":3}},
{"ph":"X","cat":"user_annotation","name":"## backward ##","pid":7,"tid":7,"ts":40,"dur":30},
{"ph":"X","cat":"user_annotation","name":"ProfilerStep#2","pid":7,"tid":7,"ts":100,"dur":4}]}
E
import cut.json && run 0 steps --format csv --unit us && matches out '^7,1,100,.*,30,1,1$' && matches out '^7,2,4,.*,4,0,0$'
result $? 'idle is what is left of the step; a step without any work at the end does not count'

# -- spans that only name a stretch -------------------------------------------------------------------------------
ask "SELECT raw_name FROM event WHERE flags LIKE '%window%' ORDER BY raw_name" '## backward ##' 'ProfilerStep#1' 'ProfilerStep#2'
result $? 'annotations are windows'
run 0 stats --by op_cat --format csv --unit us && cut -d, -f 2-4,12 out | sort >sums.csv &&
    printf '110,105,2,COMP\n5,5,1,RT\ntotal_us,self_us,count,op_cat\n' | same - sums.csv
result $? 'and count for no category'
run 0 stats --format csv --unit us --filter 'raw_name~backward' && has out '0,30,0,1,30'
result $? 'but are there under their names'
run 0 stats --time-window 45:60 --unit us --format csv --filter 'raw_name~backward' && has out '0,15,0,1,30'
result $? 'also where a time window cuts them'
run 0 stats --format cat2sta && has out operator.COMP && refute has out backward
result $? 'nor are they operations of cat2sta'
# As clang 16 writes with -ftime-trace.
cat >clang.json <<'E'
{"traceEvents":[{"pid":1,"tid":10,"ph":"X","ts":5,"dur":1000,"name":"ExecuteCompiler"},
{"pid":1,"tid":10,"ph":"X","ts":10,"dur":600,"name":"Frontend"},
{"pid":1,"tid":11,"ph":"X","ts":0,"dur":1000,"name":"Total ExecuteCompiler","args":{"count":1,"avg ms":1}},
{"pid":1,"tid":12,"ph":"X","ts":0,"dur":600,"name":"Total Frontend","args":{"count":1,"avg ms":0}},
{"pid":1,"tid":13,"ph":"X","ts":0,"dur":7,"name":"Total of something else"}],"beginningOfTime":1700000000000000}
E
import clang.json && run 0 stats --by op_cat --format csv --unit us && has out ',1007,1007,3,'
result $? "clang's totals are not work a second time"

# -- --step-by ---------------------------------------------------------------------------------------------------
cat >served.json <<'E'
{"schemaVersion": 1, "deviceProperties": [], "traceEvents": [
{"ph":"X","cat":"user_annotation","name":"ProfilerStep#9","pid":7,"tid":7,"ts":0,"dur":900},
{"ph":"X","cat":"user_annotation","name":"execute_model: 3 tokens","pid":7,"tid":7,"ts":200,"dur":50},
{"ph":"X","cat":"user_annotation","name":"execute_model: 8 tokens","pid":7,"tid":7,"ts":100,"dur":60},
{"ph":"X","cat":"user_annotation","name":"execute_model: nested","pid":7,"tid":7,"ts":110,"dur":10},
{"ph":"X","cat":"cpu_op","name":"aten::mm","pid":7,"tid":7,"ts":115,"dur":2},
{"ph":"X","cat":"cpu_op","name":"aten::add","pid":7,"tid":7,"ts":165,"dur":5},
{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":7,"tid":7,"ts":205,"dur":5,"args":{"correlation":3}},
{"ph":"X","cat":"kernel","name":"gemm","pid":0,"tid":7,"ts":270,"dur":9,"args":{"correlation":3}}]}
E
import --step-by '^execute_model' served.json && run 0 steps --format csv --unit us && cut -d, -f 1-3 out >lengths.csv &&
    printf 'rank,step,iteration_us\n7,0,60\n7,1,50\n' | same - lengths.csv
result $? '--step-by: spans of a name are the steps, counted in order of time, without those inside'
ask "SELECT raw_name, step FROM event WHERE raw_name IN ('aten::mm', 'aten::add', 'gemm') ORDER BY ts_ns" 'aten::mm,0' 'aten::add,' 'gemm,1'
result $? 'work on a device is in the step of its launch, what is between steps in none'
import --step-by nothing served.json && has err "no span of the host has a name that '--step-by' matches"
result $? 'an expression that matches nothing is told'
refuses_import 2 'PyTorch traces only' --step-by x "$TRACETOOL_DATA/tau-mpi4" &&
    refuses_import 2 'PyTorch traces only' --step-by x "$TRACETOOL_DATA/chrome/every-kind.json" &&
    refuses_import 2 "'--step-by'" --step-by '(a' served.json
result $? 'other formats refuse it, and what is no expression is refused'

# -- a damaged owner ------------------------------------------------------------------------------------------------
import "$examples/waits.json"
cp trace.db kept.db
status=0
for change in 'owner = 77' 'owner = -1' 'owner = id + 1' 'owner = 4294967297'; do
    cp kept.db trace.db
    change_database trace.db "UPDATE process_row SET $change" && refuses 1 'damaged' stats --by rank && continue
    echo "# $change"
    status=1
done
result "$status" 'a process of an owner that is not there is damage'
finish
