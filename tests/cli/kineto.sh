#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# PyTorch (Kineto) traces: what docs/formats.md says becomes of them, against an independent reading of the JSON.
# shellcheck source=tests/cli/lib.sh
. "$SRCDIR/tests/cli/lib.sh"
examples=$TRACETOOL_DATA/kineto
oracle=$SRCDIR/tests/oracles/kineto.py

# -- ranks ------------------------------------------------------------------------------------------
import "$examples/rank0.json" "$examples/rank1.json" && has out "run 1 in" 'from 2 traces'
result $? 'two ranks are one run'
ask "SELECT group_concat(pid || ':' || coalesce(label, '') || ':' || rank, ' ') FROM process WHERE pid LIKE '%.400_' OR label LIKE '%GPU%'" \
    'rank0.4000:python (CPU):0 rank0.0:python (GPU 0):0 rank1.4001:python (CPU):1 rank1.1:python (GPU 1):1'
result $? 'pids carry the rank, labels come from name and labels, devices without events are no process'
ask "SELECT min(ts_ns) - 1735632360000000000 - 48 * 86400 * 1000000000 FROM event" 0
result $? 'the base of the times is added, before or behind the events'
ask "SELECT count(*), count(DISTINCT ordinal), count(DISTINCT pid) FROM collective WHERE function LIKE '%AllReduce%'" '6,3,2'
result $? 'kernels of collectives are calls of collectives'
ask "SELECT count(*) FROM collective WHERE function LIKE '%SendRecv%'" 6
result $? 'an all-to-all by SendRecv is a collective'
ask "SELECT group_concat(comm, ' ') FROM (SELECT DISTINCT comm FROM collective WHERE function LIKE '%AllReduce%')" 0
result $? 'process groups are communicators'
ask "SELECT count(*) FROM collective WHERE function NOT LIKE 'nccl%'" 0
result $? 'their callers on the host are not'
ask "SELECT group_concat(step || '=' || n, ' ') FROM (SELECT step, count(*) AS n FROM event WHERE step IS NOT NULL AND dur_ns IS NOT NULL GROUP BY step)" '4=94 5=94 6=94'
result $? 'steps have the numbers of ProfilerStep'
ask "SELECT count(*) FROM event a JOIN flow f ON a.id = f.from_event JOIN event b ON b.id = f.to_event WHERE substr(a.pid, 1, 6) <> substr(b.pid, 1, 6)" 0
result $? 'flows do not mix ranks'
ask "SELECT value FROM metadata WHERE key = 'clock_shift_ns' AND process = 1" 1735632360000000000
result $? 'the shift of the clock is told'

cat >python.json <<'E'
{"schemaVersion": 1, "traceEvents": [
{"ph":"X","cat":"python_function","name":"torch/nn/modules/module.py(1501): _call_impl","pid":1,"tid":1,"ts":1,"dur":90},
{"ph":"X","cat":"python_function","name":"/a (2)/b.py(7): f(12): g","pid":1,"tid":1,"ts":2,"dur":80},
{"ph":"X","cat":"python_function","name":"<built-in method (5) relu>","pid":1,"tid":1,"ts":3,"dur":70},
{"ph":"X","cat":"python_function","name":"nn.Module: Linear_0","pid":1,"tid":1,"ts":4,"dur":60},
{"ph":"X","cat":"python_function","name":"x.py(0): f","pid":1,"tid":1,"ts":5,"dur":50},
{"ph":"X","cat":"python_function","name":"(3): f","pid":1,"tid":1,"ts":6,"dur":40},
{"ph":"X","cat":"cpu_op","name":"x.py(8): f","pid":1,"tid":1,"ts":7,"dur":30}]}
E
locations="SELECT coalesce(file, 'none'), coalesce(line, 0) FROM event ORDER BY ts_ns"
set -- torch/nn/modules/module.py,1501 '/a (2)/b.py,7' none,0 none,0 none,0 none,0 none,0
import python.json && ask "$locations" "$@" &&
    ask "SELECT op_name FROM event WHERE line = 1501" 'torch/nn/modules/module.py(1501): _call_impl'
result $? 'Python functions have a file and a line'
for names in standard original; do
    import python.json && run 0 --db "$db" export --chrome --names $names -o again.json && import again.json && ask "$locations" "$@"
    result $? "which an export with $names names keeps"
done

# Intel GPUs, in the words of Kineto's tests and of a trace of oneCCL.
cat >xpu.json <<'E'
{"schemaVersion": 1, "traceEvents": [
{"ph":"X","cat":"xpu_runtime","name":"urEnqueueMemBufferWrite","pid":1,"tid":1,"ts":1,"dur":2,"args":{"correlation":1}},
{"ph":"X","cat":"xpu_runtime","name":"urEnqueueKernelLaunch","pid":1,"tid":1,"ts":4,"dur":2,"args":{"correlation":2}},
{"ph":"X","cat":"xpu_driver","name":"zeCommandListAppendMemoryCopy","pid":1,"tid":1,"ts":7,"dur":2,"args":{"correlation":3}},
{"ph":"X","cat":"user_annotation","name":"xccl:all_reduce","pid":1,"tid":1,"ts":10,"dur":4,"args":{}},
{"ph":"X","cat":"gpu_memcpy","name":"Memcpy M2D (MEMORY(Unknown) -> DEVICE)","pid":0,"tid":7,"ts":20,"dur":5,"args":{"correlation":1}},
{"ph":"X","cat":"kernel","name":"oneccl_reduce_base<float, 2, 16, 1, 1, 2>","pid":0,"tid":7,"ts":30,"dur":5,"args":{"correlation":2}},
{"ph":"X","cat":"gpu_memcpy","name":"Memcpy D2M","pid":0,"tid":7,"ts":40,"dur":5,"args":{"correlation":3}},
{"ph":"X","cat":"xpu_scope_profiler","name":"metrics: Run(sycl::_V1::queue, ...)","pid":0,"tid":7,"ts":31,"dur":3,"args":{}}]}
E
import xpu.json && ask "SELECT op_cat, coalesce(sub_op, ''), coalesce(flags, '') FROM event ORDER BY ts_ns" \
    RT,,enqueue RT,,enqueue RT,,enqueue Comm,ALLREDUCE, MEM,H2D, Comm,, COMP,, MEM,D2H, &&
    ask "SELECT count(*), sum(t.ts_ns > f.ts_ns) FROM flow JOIN event f ON f.id = from_event JOIN event t ON t.id = to_event
         WHERE kind = 'ac2g'" 3,3
result $? 'XPU: copies have a direction, oneCCL is communication, every call is joined with its work'

import --no-align "$examples/rank0.json"
ask "SELECT min(ts_ns) - 48 * 86400 * 1000000000 FROM event" 0
result $? '--no-align leaves the times as they stand'
import --rank 3 "$examples/amd.json"
ask "SELECT pid, rank FROM process WHERE id = 1" 'rank3.597913,3'
result $? '--rank is the rank of a file that does not say its own'
import --rank 3 "$examples/rank0.json"
ask "SELECT DISTINCT rank FROM process" 0
result $? 'a file that says its rank keeps it'
cat "$examples/rank1.json" >"$scratch/stdin.json"
rm -f "$db"*
"$TRACETOOL" --db "$db" import - <"$scratch/stdin.json" >"$scratch/out" 2>"$scratch/err" &&
    ask "SELECT DISTINCT rank, pid LIKE 'rank1.%' FROM process" '1,1'
result $? 'a short trace on standard input is known whole'
import "$examples/amd.json"
ask "SELECT pid FROM process WHERE id = 1" 597913
result $? 'without a rank pids are those of the file'
gzip -c "$examples/rank1.json" >"$scratch/rank1.json.gz" && import "$scratch/rank1.json.gz" &&
    ask "SELECT pid FROM process WHERE id = 1" 'rank1.4001'
result $? 'the end of a compressed file is looked at as well'

# -- steps without ProfilerStep ------------------------------------------------------------------------
import "$examples/old.json"
ask "SELECT count(DISTINCT step), min(step), max(step) FROM event" '3,0,2'
result $? 'runs of the optimizer end steps'
ask "SELECT count(*) FROM flow WHERE kind = 'ac2g'" 27
result $? 'correlation ids make flows where the file has none'
for name in first middle; do
    import "$examples/$name.json" && ask 'SELECT format FROM source' kineto &&
        ask "SELECT group_concat(DISTINCT step) FROM event WHERE raw_name = 'ampere_sgemm_128x64_tn'" '"0,1,2"' &&
        ask "SELECT count(*), count(DISTINCT to_event) FROM flow WHERE kind = 'ac2g'" 27,27 &&
        ask "SELECT count(*) FROM flow WHERE kind <> 'ac2g'" "$(test $name = first && echo 0 || echo 6)" &&
        ask "SELECT group_concat(n || ' ' || sub_op, '; ') FROM (SELECT count(*) AS n, sub_op FROM event WHERE raw_name = '[memory]' GROUP BY 2)" '3 ALLOC; 3 FREE'
    result $? "$name: steps, launches and memory in the words of then"
done
for name in graph hip-graph; do
    import "$examples/$name.json" &&
        ask "SELECT a.raw_name || ' ' || count(*) || ' ' || count(DISTINCT b.raw_name) FROM flow JOIN event a ON a.id = from_event JOIN event b ON b.id = to_event GROUP BY a.id" \
            "$(test $name = graph && echo cuda || echo hip)GraphLaunch 4 4" "$(test $name = graph && echo cuda || echo hip)GraphLaunch 4 4" &&
        ask "SELECT count(*), count(DISTINCT launch), min((SELECT ts_ns FROM event WHERE id = launch) < ts_ns) FROM activity a JOIN event e ON e.id = a.event WHERE role IN ('kernel', 'set')" 8,2,1 &&
        ask "SELECT count(*) FROM json_each((SELECT repairs FROM source))" 0
    result $? "$name: each node was launched by the launch of its graph"
done
# As torch/autograd/profiler.py of PyTorch 1.8 writes what Kineto has no part in.
cat >"$scratch/rows.json" <<'E'
[{"name": "aten::mm", "ph": "X", "ts": 10.5, "dur": 20.25, "tid": 1, "pid": "CPU functions", "args": {}},
{"name": "aten::mm", "ph": "s", "ts": 10.5, "tid": 1, "pid": "CPU functions", "id": 0, "cat": "cpu_to_cuda", "args": {}},
{"name": "sgemm", "ph": "f", "ts": 25.5, "tid": 0, "pid": "CUDA functions", "id": 0, "cat": "cpu_to_cuda", "args": {}},
{"name": "sgemm", "ph": "X", "ts": 25.5, "dur": 7.125, "tid": 0, "pid": "CUDA functions", "args": {}},
{"name": "MmBackward", "ph": "X", "ts": 40.5, "dur": 20.25, "tid": 2, "pid": "CPU functions", "args": {}}]
E
import "$scratch/rows.json" && ask 'SELECT format FROM source' kineto &&
    ask "SELECT a.raw_name, b.raw_name FROM flow JOIN event a ON a.id = from_event JOIN event b ON b.id = to_event" aten::mm,sgemm &&
    ask "SELECT role, launch IS NOT NULL FROM activity" kernel,1 &&
    ask "SELECT group_concat(op_cat, ' ') FROM (SELECT op_cat FROM event ORDER BY ts_ns)" 'COMP COMP BW'
result $? 'without Kineto: operators and kernels by their rows, kernels by their launches, nodes by their names'
import --step-rule none "$examples/old.json"
ask "SELECT count(*) FROM event WHERE step IS NOT NULL" 0
result $? '--step-rule none: only ProfilerStep makes steps'

# -- against the oracle -----------------------------------------------------------------------------------
if ! command -v python3 >/dev/null; then
    skip 'oracle' 'python3 is not here'
    finish
    exit
fi
mkdir "$scratch/made"
python3 "$TRACETOOL_DATA/generators/kineto.py" "$scratch/made" && diff -r "$examples" "$scratch/made"
result $? 'the examples are what their generator writes'

agrees() { # FILE...
    import "$@" && python3 "$oracle" "$db" "$@"
}
for name in old amd odd graph hip-graph first middle; do
    agrees "$examples/$name.json"
    result $? "$name.json: spans, names, steps, flows, instants, counters"
done
agrees "$examples/rank0.json" "$examples/rank1.json"
result $? 'rank0.json and rank1.json'
real=$SHARED_DATA/kineto
if [ -d "$real" ]; then
    for file in "$real"/*.json.gz; do
        agrees "$file"
        result $? "$(basename "$file")"
    done
    agrees "$real/sampled_rank-0.json.gz" "$real/sampled_rank-1.json.gz"
    result $? 'two ranks of a real job'
    python3 "$real/gen_kineto.py" -o "$scratch/big.json" --mb 6 >/dev/null && agrees "$scratch/big.json"
    result $? 'a generated trace of 6 MB'
else
    skip 'real traces' "$real is not here"
fi
# A record that is lost before anybody knows whose it is: there is only one rank in the file.
sed '0,/"dur":/s/"dur":/"dur" x:/' "$TRACETOOL_DATA/kineto/rank0.json" >rank0.json && rm -f "$db" &&
    run 3 --db "$db" import rank0.json && has err '1 damaged record' && run 0 --db "$db" info --trust --format csv && has out '0,rank0.4000,record,0,0,1,'
result $? 'what is lost in a file of one rank is of that rank'
finish
