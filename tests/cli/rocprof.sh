#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# JSON of rocprofv3: the own examples row by row, and against an independent reading (tests/oracles/rocprof.py).
# shellcheck source=tests/cli/lib.sh
. "$SRCDIR/tests/cli/lib.sh"
examples=$TRACETOOL_DATA/rocprof
tab=$(printf '\t')

load() { # FILE OPTION... : into a new database
    rm -f "$scratch/t.db"
    file=$1
    shift
    run 0 --db "$scratch/t.db" import "$@" "$file" && mv "$scratch/out" "$scratch/summary"
}

# rows SQL < EXPECTED : without the head, "|" between columns
rows() {
    cat >"$scratch/expected"
    run 0 --db "$scratch/t.db" query --format tsv "$1" || return 1
    sed 1d "$scratch/out" | tr "$tab" '|' >"$scratch/rows"
    same expected rows && return 0
    diff "$scratch/expected" "$scratch/rows" | sed 's/^/# /'
    return 1
}

# -- names, processes and threads are those that PyTorch's profiler gives ----------------------------------------------
load "$examples/train.json" && has summary 'repairs    none' '3 of 1 rank' && rows "SELECT format, clock FROM source" <<'E'
rocprof|relative
E
result $? 'the format is known by its first member; a program and its GPUs are one rank'

rows "SELECT pid, tid, name, (ts_ns - 682678344984459) / 1000, dur_ns, flags FROM event ORDER BY ts_ns, id DESC" <<'E'
4711|4711|COMP.step 1|0|500000|window
4711|4711|RT.hipMalloc|1|8000|
4711|4711|MEM.MEMORY_ALLOCATION_ALLOCATE.ALLOC|2|6000|
4711|4711|RT.hipMemcpyAsync|10|5000|enqueue
4711|4711|RT.hipLaunchKernel|16|2000|enqueue
4711.gpu0|stream 3|MEM.Memcpy HtoD (Host _ Device).H2D|20|10000|
4711.gpu0|scratch|MEM.SCRATCH_MEMORY_ALLOC.ALLOC|28|1000|
4711.gpu0|stream 3|COMP.gemm(float const*, float const*, float*)|31|20000|
4711|4711|RT.hipGraphLaunch|40|8000|enqueue
4711|4712|SYNC.hipStreamWaitEvent|50|500|
4711|4711|RT.ncclCommInitRank|52|47000|
4711.gpu0|stream 4|COMP.matrixTranspose(float*, float*, int)|60|9000|
4711.gpu0|stream 4|COMP.gemm(float const*, float const*, float*)|70|9000|
4711.gpu0|stream 4|COMP.matrixTranspose(float*, float*, int)|80|9000|
4711|4711|Comm.ncclAllReduce.ALLREDUCE|100|20000|collective
4711|4711|RT.hipLaunchKernel|105|5000|enqueue
4711.gpu0|stream 5|Comm.ncclDevKernel_Generic_1(ncclDevKernelArgsStorage<4096ul>)|121|50000|
4711|4711|RT.hipMemcpyAsync|130|2000|enqueue
4711.gpu1|DtoD|MEM.Memcpy DtoD (Device _ Device).D2D|140|5000|
4711|4711|RT.hipLaunchKernel|150|1000|enqueue
4711.gpu1|queue 7|COMP.matrixTranspose(float*, float*, int)|160|10000|
4711|4711|SYNC.hipDeviceSynchronize|160|11500|
4711|4711|RT.hipFree|180|5000|
4711|4711|MEM.MEMORY_ALLOCATION_FREE.FREE|181|3000|
E
result $? 'a GPU is a process with a thread for each stream, or queue without one'

rows "SELECT pid, label, node FROM process ORDER BY id" <<'E'
4711|train|node7
4711.gpu0|GPU 0 (AMD Instinct MI300X)|node7
4711.gpu1|GPU 1 (AMD Instinct MI300X)|node7
E
result $? 'agents name the GPUs'

rows "SELECT b.tid, b.raw_name, count(*) FROM flow f JOIN event a ON a.id = f.from_event JOIN event b ON b.id = f.to_event
WHERE a.op_name = 'hipGraphLaunch' GROUP BY 1, 2" <<'E'
stream 4|gemm(float const*, float const*, float*)|1
stream 4|matrixTranspose(float*, float*, int)|2
E
result $? 'the launch of a graph leads to all its kernels'

rows "SELECT args FROM event WHERE op_name LIKE 'gemm%' AND tid = 'stream 3' OR op_name = 'hipStreamWaitEvent'
OR sub_op = 'D2D' ORDER BY ts_ns" <<'E'
{"device":0,"stream":3,"queue":2,"correlation":4,"External id":5000,"range":"step 1","dispatch_id":1,"grid":[4,1,1],"block":[256,1,1],"grid_size":[1000,1,1],"shared memory":1024,"private_segment_size":0,"registers per thread":16,"accum_vgpr_count":4,"sgpr_count":32}
{"correlation":6,"stream_id":3,"retval":0,"stream":"0x3"}
{"device":1,"stream":0,"correlation":10,"kind":"DtoD","bytes":32768,"src_agent":"GPU 0","dst_agent":"GPU 1"}
E
result $? 'arguments have the keys that PyTorch has, and the source its own'

# The same program under PyTorch's profiler: names are not told apart.
cat >"$scratch/pytorch.json" <<'E'
{"schemaVersion": 1, "traceEvents": [
{"ph": "X", "cat": "cuda_runtime", "name": "hipLaunchKernel", "pid": 1, "tid": 1, "ts": 1, "dur": 1},
{"ph": "X", "cat": "cuda_runtime", "name": "hipStreamWaitEvent", "pid": 1, "tid": 1, "ts": 2, "dur": 1},
{"ph": "X", "cat": "cuda_runtime", "name": "hipDeviceSynchronize", "pid": 1, "tid": 1, "ts": 4, "dur": 1},
{"ph": "X", "cat": "gpu_memcpy", "name": "Memcpy HtoD (Host -> Device)", "pid": 0, "tid": 3, "ts": 1, "dur": 1},
{"ph": "X", "cat": "kernel", "name": "gemm(float const*, float const*, float*)", "pid": 0, "tid": 3, "ts": 2, "dur": 1},
{"ph": "X", "cat": "kernel", "name": "ncclDevKernel_Generic_1(ncclDevKernelArgsStorage<4096ul>)", "pid": 0, "tid": 5, "ts": 3, "dur": 1}]}
E
run 0 --db "$scratch/t.db" import --add "$scratch/pytorch.json" && rows "SELECT count(DISTINCT name), count(DISTINCT raw_name)
FROM event WHERE raw_name IN (SELECT raw_name FROM event WHERE source = 2)" <<'E'
6|6
E
result $? 'calls, kernels and copies have the names that they have in traces of PyTorch'

# -- other dialects of the file ------------------------------------------------------------------------------------------
load "$examples/counters.json" &&
    rows "SELECT json_extract(args, '\$.counters') FROM event ORDER BY ts_ns" <<'E'
{"SQ_WAVES":16384,"GRBM_GUI_ACTIVE":3000.5}
{"SQ_WAVES":16384,"GRBM_GUI_ACTIVE":77}
E
result $? 'dispatches that only counters tell of are kernels; instances of a counter are summed'

if command -v python3 >/dev/null; then
    oracle=$SRCDIR/tests/oracles/rocprof.py
    for name in transpose train rocm62 counters; do
        load "$examples/$name.json" --strict &&
            python3 "$oracle" compare "$scratch/t.db" "$examples/$name.json" >"$scratch/found" && grep -q ' rows, ' "$scratch/found"
        result $? "$name: every row, launch and counter is what an independent reader finds"
        sed 's/^/# /' "$scratch/found"
    done

    python3 "$oracle" sorted "$examples/train.json" >"$scratch/sorted.json" && load "$scratch/sorted.json" --strict &&
        python3 "$oracle" compare "$scratch/t.db" "$examples/train.json" | grep '^24 rows, 8 launches' >"$scratch/found" &&
        [ -s "$scratch/found" ]
    result $? 'records that come before their names are named all the same'

    python3 "$TRACETOOL_DATA/generators/rocprof.py" "$scratch/again" && diff -r "$examples" "$scratch/again"
    result $? 'the examples are what the generator writes'
fi

# -- options, and what is odd ---------------------------------------------------------------------------------------------
load "$examples/train.json" --rank 3 && rows "SELECT pid, rank FROM process ORDER BY id" <<'E'
rank3.4711|3
rank3.4711.gpu0|3
rank3.4711.gpu1|3
E
result $? '--rank tells the pids of ranks apart'

load "$examples/train.json" --args bytes,retval &&
    rows "SELECT DISTINCT args FROM event WHERE args IS NOT NULL ORDER BY 1" <<'E'
{"bytes":0}
{"bytes":32768}
{"bytes":4096}
{"bytes":65536}
{"retval":0}
E
result $? '--args leaves the others out'

cat >"$scratch/odd.json" <<'E'
{"rocprofiler-sdk-tool": [{"buffer_records": {
"kernel_dispatch": [{"start_timestamp": 10, "end_timestamp": 20, "dispatch_info": {"agent_id": {"handle": 5}, "kernel_id": 3}},
 {"start_timestamp": 0, "end_timestamp": 0, "dispatch_info": {"agent_id": {"handle": 5}, "kernel_id": 3}}, {"start_timestamp": 1}],
"hip_api": [{"thread_id": 1, "kind": 5, "operation": 77, "start_timestamp": 9, "end_timestamp": 7}],
"pc_sample_host_trap": [{"record": {}}], "kfd_page_fault": [{"start_timestamp": 1, "end_timestamp": 2}]}}]}
E
load "$scratch/odd.json" && rows "SELECT pid, tid, name, ts_ns, dur_ns, flags FROM event ORDER BY ts_ns" <<'E'
0|1|COMP.operation 77|9|0|end_before_start
0.agent5|queue 0|COMP.kernel 3|10|10|
E
result $? 'what has no name in the file is shown by its number'
rows "SELECT j.key || ' ' || json_extract(j.value, '\$.count') FROM source, json_each(repairs) j ORDER BY 1" <<'E'
end_before_start 1
no_name 2
no_time 1
odd_record 1
skipped_kind 1
unknown_kind 1
E
result $? '... and what is left out or odd is counted'
run 1 --db "$scratch/s.db" import --strict "$scratch/odd.json" && has err 'odd.json' '--strict does not allow it'
result $? '... and refused with --strict'

# Programs that make such files of others leave out agents, and write names in the place of numbers.
cat >"$scratch/made.json" <<'E'
{"rocprofiler-sdk-tool": [{"metadata": {"pid": 8}, "strings": [],
"agents": [{"id": {"handle": 0}, "type": 2, "name": "GPU-Agent-0"}],
"kernel_symbols": [{"kernel_id": 1, "kernel_name": "k\u00e4\"1"}],
"buffer_records": {
"kernel_dispatch": [{"start_timestamp": 30, "end_timestamp": 40, "correlation_id": {"internal": 5}, "stream_id": {"handle": 2},
  "dispatch_info": {"agent_id": {"handle": 0}, "kernel_id": 1, "dispatch_id": 0}}],
"memory_copy": [{"operation": 1, "start_timestamp": 20, "end_timestamp": 25, "correlation_id": {"internal": 4}}],
"hip_api": [{"operation": "hipLaunchKernel", "thread_id": 9, "start_timestamp": 10, "end_timestamp": 15, "correlation_id": {"internal": 5}}]}}]}
E
load "$scratch/made.json" && rows "SELECT pid, tid, name, ts_ns, dur_ns FROM event ORDER BY ts_ns" <<'E'
8|9|RT.hipLaunchKernel|10|5
8|copies|COMP.operation 1|20|5
8.gpu0|stream 2|COMP.kä"1|30|10
E
result $? 'files that other programs make have names in the place of numbers'

printf '{"rocprofiler-sdk-tool": [{"buffer_records": {"hip_api": [{"thread_id": 1, "start_time' >"$scratch/cut.json"
run 1 --db "$scratch/c.db" import --strict "$scratch/cut.json" && [ ! -e "$scratch/c.db" ]
result $? 'a file that is cut leaves no database with --strict'
finish
