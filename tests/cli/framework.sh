#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Single files of TensorFlow, MXNet, Horovod, NCCL and BytePS: the own examples row by row, the real ones against an
# independent reading (tests/oracles/framework.py).
# shellcheck source=tests/cli/lib.sh
. "$SRCDIR/tests/cli/lib.sh"
examples=$TRACETOOL_DATA/framework
tab=$(printf '\t')

load() { # FILE OPTION... : into a new database
    rm -f "$scratch/t.db"
    file=$1
    shift
    run 0 --db "$scratch/t.db" import "$@" "$file" && mv "$scratch/out" "$scratch/summary"
}

query() { # SQL : rows without the head, blanks between columns
    run 0 --db "$scratch/t.db" query --format tsv "$1" && sed 1d "$scratch/out" | tr "$tab" ' ' >"$scratch/rows"
}

# rows SQL < EXPECTED
rows() {
    cat >"$scratch/expected"
    query "$1" || return 1
    same expected rows && return 0
    diff "$scratch/expected" "$scratch/rows" | sed 's/^/# /'
    return 1
}

ask_format() { # FORMAT : as which the trace was read
    rows 'SELECT format FROM source' <<E
$1
E
}

operators="SELECT name, tid, step, count(*), sum(dur_ns), min(ts_ns) - 1700000000000000000 FROM event WHERE pid = 'default' \
GROUP BY 1, 2, 3 ORDER BY min(ts_ns), min(id)"

# -- TensorFlow ---------------------------------------------------------------------------------------
load "$examples/tensorflow/timeline.json" && has summary '22 events that others tell already' '1 object' && rows "$operators" <<'E'
FW.dense/MatMul operator0 0 1 4000 12000
FW.dense/Relu operator0 0 1 5000 32000
FW.loss operator0 0 2 12000 52000
BW.gradients/loss_grad operator0 0 1 7000 72000
BW.side/Square operator0 0 1 8000 92000
BW.gradients/dense/MatMul_grad operator0 0 1 9000 112000
Comm.7 operator0 0 1 10000 132000
UPDATE_.helper/Cast operator0 0 1 11000 152000
UPDATE_.train/ApplyAdam operator0 0 1 12000 172000
FW.dense/MatMul operator0 1 1 4000 1012000
FW.dense/Relu operator0 1 1 5000 1032000
FW.loss operator0 1 2 12000 1052000
BW.gradients/loss_grad operator0 1 1 7000 1072000
BW.side/Square operator0 1 1 8000 1092000
BW.gradients/dense/MatMul_grad operator0 1 1 9000 1112000
Comm.7 operator0 1 1 10000 1132000
UPDATE_.helper/Cast operator0 1 1 11000 1152000
UPDATE_.train/ApplyAdam operator0 1 1 12000 1172000
E
result $? 'TensorFlow: operators of all streams once, named by the graph that the inputs tell'
rows "SELECT pid, op_cat, count(*) FROM event WHERE pid <> 'default' GROUP BY 1, 2 ORDER BY 1" <<'E'
/device:GPU:0/memcpy Compute MEM 2
/device:GPU:0/stream:12 Compute COMP 2
/job:localhost/replica:0/task:0/device:CPU:0 Compute COMP 2
/job:localhost/replica:0/task:0/device:GPU:0 Compute RT 18
E
result $? 'TensorFlow: copies, what only a stream tells, launches, the CPU'
rows "SELECT a.name, b.name, f.kind FROM flow f JOIN event a ON a.id = f.from_event JOIN event b ON b.id = f.to_event" <<'E'
RT.dense/MatMul RT.dense/Relu DataFlow
RT.dense/MatMul RT.dense/Relu DataFlow
E
result $? 'TensorFlow: the data flow between operators'
all="SELECT pid, tid, name, ts_ns, dur_ns, step FROM event ORDER BY 1, 2, 4, 5, 3"
query "$all" && mv "$scratch/rows" "$scratch/numbers" && load "$examples/tensorflow/timeline-names.json" && query "$all" &&
    same numbers rows
result $? 'TensorFlow: names in place of numeric pids give the same rows'

load "$examples/tensorflow-profiler/trace.json" && rows "$operators" <<'E'
FW.model/dense/MatMul operator0 0 2 17000 0
BW.gradient_tape/model/dense/MatMul_1 operator0 0 2 17000 50000
UPDATE_.SGD/SGD/update_0/ResourceApplyGradientDescent operator0 0 2 17000 100000
FW.model/dense/MatMul operator0 1 2 17000 1000000
BW.gradient_tape/model/dense/MatMul_1 operator0 1 2 17000 1050000
UPDATE_.SGD/SGD/update_0/ResourceApplyGradientDescent operator0 1 2 17000 1100000
E
result $? "TensorFlow's profiler: operators by their long names, steps as given, numbered from 0"
rows "SELECT pid, name, count(*) FROM event WHERE pid <> 'default' GROUP BY 1, 2 ORDER BY 1, 2" <<'E'
/device:GPU:0 COMP.kernel_0 2
/device:GPU:0 COMP.kernel_1 2
/device:GPU:0 COMP.kernel_2 2
/device:GPU:0 MEM.MemcpyH2D.H2D 2
/host:CPU RT.std::launch::async 2
E
result $? "TensorFlow's profiler: kernels, copies and the host keep their places"
rows 'SELECT tensor_id, tensor_name, shape, dtype, update_id FROM parameter' <<'E'
0 gradient_tape/model/dense/MatMul_1:0 64x32 float32 0
E
result $? 'TensorFlow: the parameters beside the trace'
load "$examples/tensorflow-profiler/trace.json" --pid host3.rank1 &&
    rows "SELECT DISTINCT pid FROM event WHERE op_cat = 'FW'" <<'E'
host3.rank1
E
result $? '--pid names the process of the operators'

# -- MXNet ---------------------------------------------------------------------------------------------
load "$examples/mxnet/temp.json" && has summary '28 events that others tell already' &&
    rows "SELECT name, step, ts_ns - 1700000000000000000, dur_ns FROM event WHERE pid = 'default' AND step = 1 \
AND op_cat <> 'MEM' ORDER BY ts_ns, name" <<'E'
FW.conv0 1 420000 30000
FW.conv0 1 452000 8000
FW.pool0 1 470000 20000
FW.softmax 1 495000 10000
COMP.mean 1 510000 5000
OUTPUT0 1 510000 16000
COMP.copy_loss 1 520000 6000
BW.softmax 1 540000 12000
BW.pool0 1 560000 20000
BW.conv0 1 590000 40000
COMP.add_n 1 635000 5000
UPDATE_CAL 1 635000 15000
COMP.dot 1 645000 5000
UPDATE_0 1 660000 7000
UPDATE_1 1 670000 7000
COMP.late_imperative 1 801000 7000
E
result $? 'MXNet with its symbol: OUTPUT0, UPDATE_CAL, UPDATE_k in each iteration'
rows 'SELECT tensor_id, tensor_name, shape, dtype, update_id FROM parameter' <<'E'
0 conv0_weight 8x3x3x3 float16 1
1 conv0_bias 8 float16 1
2 fc_weight   0
3 fc_bias   0
E
result $? 'MXNet: updates of two tensors each, from the last tensor on'
load "$examples/mxnet" --format job && rows "SELECT name, dur_ns FROM event WHERE step = 0 ORDER BY ts_ns, name" <<'E'
FW.conv0 38000
FW.pool0 20000
FW.softmax 10000
OUTPUT0 16000
BW.softmax 12000
BW.pool0 20000
BW.conv0 40000
UPDATE_CAL 15000
UPDATE_0 7000
UPDATE_1 7000
E
result $? 'MXNet as a job: the same operators, and only these'
run 0 --db "$scratch/t.db" simulate && grep '^Predicted iteration' "$scratch/out" >"$scratch/whole"
status=$?
for node in conv0 pool0; do
    rm -rf "$scratch/lacking" && cp -r "$examples/mxnet" "$scratch/lacking" && chmod -R u+w "$scratch/lacking" &&
        sed "s/$node\(_fwd\|(0)\)/other\1/" "$examples/mxnet/symbol_debug_str.txt" >"$scratch/lacking/symbol_debug_str.txt" &&
        load "$scratch/lacking" --format job && has summary "operators that are not in the model's graph, kept" &&
        rows "SELECT name, dur_ns FROM event WHERE step = 0 ORDER BY ts_ns, name" <<'E' &&
FW.conv0 38000
FW.pool0 20000
FW.softmax 10000
OUTPUT0 16000
BW.softmax 12000
BW.pool0 20000
BW.conv0 40000
UPDATE_CAL 15000
UPDATE_0 7000
UPDATE_1 7000
E
        run 0 --db "$scratch/t.db" simulate && grep -qxF -f "$scratch/whole" "$scratch/out" && continue
    echo "# $node"
    status=1
done
result $status 'MXNet: operators that the graph does not know are kept, and simulated'
load "$examples/mxnet" --format job
query "SELECT e.name, dur_ns, inclusive FROM metric JOIN event e ON e.id = event WHERE metric.name = 'hull'" &&
    printf 'FW.conv0 38000 40000\nFW.conv0 38000 40000\n' >"$scratch/expected" && same expected rows &&
    run 0 --db "$scratch/t.db" stats --format name2sta && has out '"default->FW.conv0":{"avg":0.04,"cnt":2,"time":0.08,'
result $? 'what is joined lasts as long as its pieces run; the tables of the original analyzer have the gaps, too'
run 0 --db "$scratch/t.db" import -q --again --format job "$examples/mxnet" &&
    run 0 --db "$scratch/t.db" --run all stats --format name2sta && has out '"default->FW.conv0":{"avg":0.04,"cnt":4,"time":0.16,'
result $? 'in each of several runs'
load "$examples/mxnet-imperative/dump.json" &&
    rows "SELECT op_cat, count(*), sum(dur_ns) FROM event GROUP BY 1 ORDER BY 1" <<'E'
BW 6 144000
FW 17 185000
MEM 4 26000
RT 1 8000
SYNC 1 8000
UPDATE_ 4 28000
E
result $? 'MXNet without: every operator once, by its name; what has no twin is kept'
rows 'SELECT pid, series, value FROM counter ORDER BY ts_ns' <<'E'
MXNET_C_API MXNet C API Calls 1
MXNET_C_API MXNet C API Calls 2
E
result $? 'MXNet: counters'

# -- Horovod, NCCL -------------------------------------------------------------------------------------
load "$examples/horovod/patched.json" && rows "SELECT name, count(*), sum(dur_ns) FROM event GROUP BY 1 ORDER BY 1" <<'E'
Comm.10.MEMCPY_IN_FUSION_BUFFER 2 18000
Comm.10.MEMCPY_OUT_FUSION_BUFFER 2 16000
Comm.10.NCCL_ALLREDUCE 2 200000
Comm.10.QUEUE 2 20000
Comm.9+10.Sync 2 80000
Comm.9.MEMCPY_IN_FUSION_BUFFER 2 18000
Comm.9.MEMCPY_OUT_FUSION_BUFFER 2 16000
Comm.9.NCCL_ALLREDUCE 2 200000
Comm.9.QUEUE 2 20000
E
result $? 'Horovod, patched: waits of fused tensors are one, ids in numeric order'
load "$examples/horovod/stock.json" && has summary 'without its end, as the format allows' &&
    rows "SELECT sub_op, suffix, count(*), sum(dur_ns), min(ts_ns) FROM event GROUP BY 1, 2 ORDER BY 1, 2" <<'E'
ALLREDUCE  2 400000 1700000000000170000
CYCLE_START  2  1700000000000400000
NEGOTIATE_ALLREDUCE  2 120000 1700000000000100000
QUEUE  2 38000 1700000000000171000
READY 0 2  1700000000000100000
READY 1 2  1700000000000110000
E
result $? 'Horovod, stock and cut: times from the head, ready ticks, ends without names'
load "$examples/nccl/comm_detail.json" &&
    rows "SELECT pid, tid, name, suffix, dur_ns FROM event WHERE dur_ns IS NOT NULL ORDER BY ts_ns" <<'E'
rank3 comm_detail_r3_lr1 Comm.9+10.SEND 0_1_0_0 10000
rank3 comm_detail_r3_lr1 Comm.9+10.RECV 0_1_0_0 10000
rank3 comm_detail_r3_lr1 Comm.9+10.SEND 0_1_1_0 10000
rank3 comm_detail_r3_lr1 Comm.9+10.RECV 0_1_1_0 10000
E
result $? 'NCCL: slices, ids in numeric order, steps in names passed over'
rows "SELECT name, count(*) FROM event WHERE dur_ns IS NULL GROUP BY 1" <<'E'
Comm.9+10.SEND 1
E
result $? 'NCCL: the end of a tensor is an instant'

# -- XLA's profiler ---------------------------------------------------------------------------------------
of_lines="SELECT name, native_group, count(*), sum(dur_ns), sum(self_ns), group_concat(DISTINCT step) FROM event \
GROUP BY 1, 2 ORDER BY 2, 1"
load "$examples/xprof/gpu.trace.json" && ask_format xprof && rows "$of_lines" <<'E'
RT.PjitFunction(step) Host 2 400000 376000 0,1
RT.cuLaunchKernel Host 4 20000 20000 0,1
RT.cuMemcpyHtoDAsync_v2 Host 2 4000 4000 0,1
COMP.0 Steps 1 700000 0 0
COMP.1 Steps 1 700000 0 1
COMP.train Steps 2 1800000 0 0,1
COMP.ampere_sgemm_128x64_nn Stream 2 600500 600500 0,1
Comm.ncclDevKernel_AllReduce_Sum_f32_RING_LL.ALLREDUCE Stream 2 400000 400000 0,1
MEM.MemcpyH2D.H2D Stream 2 20000 20000 0,1
COMP.jit(step) Summary 2 1200000 0 0,1
COMP.jit_step(7) Summary 2 1300000 0 0,1
COMP.dot_3 XLA Ops 2 600500 0 0,1
Comm.all-reduce_1.ALLREDUCE XLA Ops 2 400000 0 0,1
E
result $? 'XLA on a GPU: streams are work, steps, modules, scopes and operations name it'
rows "SELECT f.name, t.name, t.ts_ns - f.ts_ns, flow.kind FROM flow JOIN event f ON f.id = from_event \
JOIN event t ON t.id = to_event ORDER BY f.ts_ns" <<'E'
RT.cuMemcpyHtoDAsync_v2 MEM.MemcpyH2D.H2D 90000 correlation_id
RT.cuLaunchKernel COMP.ampere_sgemm_128x64_nn 100000 correlation_id
RT.cuLaunchKernel Comm.ncclDevKernel_AllReduce_Sum_f32_RING_LL.ALLREDUCE 400000 correlation_id
RT.cuMemcpyHtoDAsync_v2 MEM.MemcpyH2D.H2D 90000 correlation_id
RT.cuLaunchKernel COMP.ampere_sgemm_128x64_nn 100000 correlation_id
RT.cuLaunchKernel Comm.ncclDevKernel_AllReduce_Sum_f32_RING_LL.ALLREDUCE 400000 correlation_id
E
result $? 'XLA on a GPU: launches by correlation_id'
load "$examples/xprof/tpu.trace.json" && ask_format xprof && rows "$of_lines" <<'E'
COMP.0 Steps 1 500000 0 0
COMP.1 Steps 1 500000 0 1
COMP.jit_step(7) Summary 2 960000 0 0,1
COMP.fusion_5 XLA Ops 2 600000 600000 0,1
Comm.all-reduce_1.ALLREDUCE XLA Ops 2 201000 201000 0,1
E
result $? 'XLA on a TPU: operations are work'
load "$examples/xprof/cpu.trace.json" && ask_format xprof && rows "$of_lines" <<'E'
RT.PjitFunction(step) Host 2 400000 400000 0,1
COMP.$api_py:12 step Python 2 800000 400000 0,1
COMP.train Steps 2 1800000 0 0,1
COMP.dot XLA Ops 2 500000 500000 0,1
E
result $? 'XLA on a CPU: operations by hlo_op, steps by step_num'

# -- NCCL's profiler plugin --------------------------------------------------------------------------------
plugin=$examples/nccl-profiler
load "$plugin/dump_12379813738877118345_0.json" && has summary '17 spans, 0 instants' &&
    has summary '3 words without quotes' '2 spans whose begins are not in the trace' '1 span whose end is not in the trace' &&
    rows "SELECT pid, name, native_group, ts_ns / 1000, dur_ns / 1000, coalesce (flags, '') FROM event
ORDER BY ts_ns, dur_ns DESC, name" <<'E'
rank0.4000 RT.Group API GROUP_API 100 220 async
rank0.4000 RT.AllReduce COLL_API 110 200 inferred,async
rank0.4000 Comm.AllReduce.ALLREDUCE COLL 110 190 collective,async
rank0.4000 RT.KernelLaunch KERNEL_LAUNCH 115 0 inferred,async
rank0.4000 Comm.KernelCh GPU 120 120 async
rank0.4000 Comm.KernelCh GPU 125 125 async
rank0.4000 Comm.ScheduleSend.SEND PROXY 130 10 async
rank0.4000 Comm.ScheduleRecv.RECV PROXY 135 10 async
rank0.4000 Comm.ProgressSend.SEND PROXY 140 50 async
rank0.4000 Comm.ProgressRecv.RECV PROXY 145 50 async
rank0.4000 SYNC.SendGpuWait NET 150 10 async
rank0.4000 Comm.RecvWait.RECV NET 155 10 async
rank0.4000 SYNC.SendPeerWait NET 160 10 async
rank0.4000 Comm.RecvFlushWait.RECV NET 165 10 async
rank0.4000 Comm.SendWait.SEND NET 170 10 async
rank0.4000 SYNC.RecvGpuWait NET 175 10 async
rank0.4000 SYNC.Idle PROXY 400 0 inferred,async
E
result $? "NCCL's plugin: its tree by the order of the file, times that it never took are inferred"
rows "SELECT args FROM event WHERE native_group IN ('COLL_API', 'KERNEL_LAUNCH') ORDER BY ts_ns" <<'E'
{"count":1024,"datatype":"ncclFloat32","root":0,"GraphCaptured":0,"Stream":"0x7f5200aa0000"}
{"groupId":0,"Stream":"0x7f5200aa0000"}
E
result $? "NCCL's plugin: words without quotes are texts"
run 0 --db "$scratch/t.db" import --add "$plugin/dump_12379813738877118345_1.json" &&
    rows "SELECT function, ordinal, count(DISTINCT pid), count(DISTINCT comm), tid FROM collective GROUP BY 1, 2" <<'E'
AllReduce 0 2 1 communicator 12379813738877118345
E
result $? "NCCL's plugin: the collective of two ranks is one"

# -- BytePS ----------------------------------------------------------------------------------------------
load "$examples/byteps/worker.json" &&
    rows "SELECT name, suffix, count(*) FROM event WHERE sub_op IS NULL OR sub_op = 'PUSH' GROUP BY 1, 2 ORDER BY 1, 2" <<'E'
Comm.byteps_gradient_0  2
Comm.byteps_gradient_0.PUSH ~PART0 2
Comm.byteps_gradient_0.PUSH ~PART1 2
E
result $? 'BytePS worker: partitions by key_dict.txt'
load "$examples/byteps/comm_timeline.json" &&
    rows "SELECT pid, name, suffix, step, dur_ns FROM event WHERE pid = 'worker_0::server_0' \
OR (pid = 'server_0::worker_1' AND sub_op LIKE 'PULL%') ORDER BY 1, ts_ns" <<'E'
server_0::worker_1 Comm.3+4.PULL_RES server_0::worker_1::0 0 1200000
server_0::worker_1 Comm.3+4.PULL_RES server_0::worker_1::0 1 1200000
worker_0::server_0 Comm.3+4.PUSH_REQ worker_0::server_0::0  1200000
worker_0::server_0 Comm.3+4.PULL_REQ worker_0::server_0::0 0 1200000
worker_0::server_0 Comm.3+4.PUSH_REQ worker_0::server_0::0 0 1200000
worker_0::server_0 Comm.3+4.PULL_REQ worker_0::server_0::0 1 1200000
worker_0::server_0 Comm.3+4.PUSH_REQ worker_0::server_0::0 1 1200000
E
result $? 'BytePS transfers: the k-th begin with the k-th end, requests and responses'
load "$examples/byteps/server_timeline.json" &&
    rows "SELECT pid, name, suffix, step FROM event WHERE step = 1 ORDER BY ts_ns" <<'E'
server_0_t0 ServerOp.3+4.COPY_FIRST server_0_t0::0::~PART0 1
server_0_t0 ServerOp.3+4.SUM server_0_t0::0::~PART0 1
server_0_t1 ServerOp.3+4.SUM server_0_t1::1::~PART0 1
server_0_t1 ServerOp.3+4.COPY_MERGED server_0_t1::0::~PART0 1
E
result $? 'BytePS server: sums counted from the first copy on'

grep -v '"B", "name": "byteps.3_4~PART0.PULL", "pid": 3' "$examples/byteps/comm_timeline.json" >"$scratch/lost.json" &&
    run 0 --db "$scratch/lost.db" import "$examples/byteps/server_timeline.json" "$scratch/lost.json" && run 0 --db "$scratch/lost.db" info --trust --format csv &&
    grep ',record,' "$scratch/out" >"$scratch/records" && lines records 1 && has records ',server_0::worker_1,record,0,2,' lost.json
result $? 'BytePS: ends without a begin are of their link and file'

# -- files beside, and what another reader thinks ------------------------------------------------------------
for name in metadata.json gradient_name_list.json; do
    run 1 --db "$scratch/none.db" import "$examples/tensorflow-profiler/$name" && has err "$name" 'no trace' 'beside it'
    result $? "$name alone: says what to give instead"
done

if ! command -v python3 >/dev/null; then
    skip 'the examples are what the generator writes' 'python3 is not here'
    skip 'real files' 'python3 is not here'
    finish
    exit 0
fi
python3 "$TRACETOOL_DATA/generators/framework.py" "$scratch/again" && diff -r "$examples" "$scratch/again"
result $? 'the examples are what the generator writes'

found=0
for file in "$SHARED_DATA"/framework/tf_timeline/*.json "$SHARED_DATA"/framework/mxnet_profile/*.json; do
    [ -f "$file" ] || continue
    found=1
    load "$file" && python3 "$SRCDIR/tests/oracles/framework.py" compare "$scratch/t.db" "$file"
    result $? "$(basename "$file"): names, counts, times and steps as the oracle has them"
done
[ $found -eq 1 ] || skip 'real files' "no $SHARED_DATA/framework"
if [ -d "$SHARED_DATA/framework/tf_profiler_json" ]; then
    load "$SHARED_DATA/framework/tf_profiler_json/tf_trace_viewer_sample_trace.json" &&
        rows 'SELECT DISTINCT format FROM source' <<'E'
chrome
E
    result $? "TensorFlow's viewer sample is a plain trace"
fi
finish
