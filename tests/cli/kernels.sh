#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# kernels: by hand, and against a program that knows only the definitions and the trace's own JSON.
# shellcheck source=tests/cli/lib.sh
. "$SRCDIR/tests/cli/lib.sh"
oracles=$SRCDIR/tests/oracles
command -v python3 >/dev/null || { echo '1..0 # SKIP python3 is not here'; exit 0; }
export PYTHONDONTWRITEBYTECODE=1
python3 "$oracles/kernels.py" --self-test >out 2>&1 && filled out
result $? 'the oracle knows what one can count by hand'

# -- by hand ------------------------------------------------------------------------------------------------
span() { # CAT NAME PID TID BEGIN DURATION CORRELATION [ARGUMENTS]
    printf '%s{"ph":"X","cat":"%s","name":"%s","pid":%s,"tid":%s,"ts":%s,"dur":%s,"args":{"correlation":%s%s}}' "$comma" "$1" "$2" "$3" \
        "$4" "$5" "$6" "$7" "${8:-}"
    comma=,
}
{
    comma=
    echo '{"schemaVersion":1,"distributedInfo":{"rank":0},"traceEvents":['
    span cpu_op aten::mm 9 9 10 30 0
    span cuda_runtime cudaLaunchKernel 9 9 12 4 1
    span cuda_runtime cudaLaunchKernel 9 9 20 4 2
    span cpu_op aten::copy_ 9 9 50 10 0
    span cuda_runtime cudaMemcpyAsync 9 9 52 5 3
    span kernel gemm 0 7 15 20 1 ',"stream":7'
    span kernel gemm 0 7 40 3 2 ',"stream":7'
    span gpu_memcpy 'Memcpy HtoD (Pinned -> Device)' 0 7 60 8 3 ',"stream":7,"bytes":16000'
    span kernel lone 0 8 70 1 99 ',"stream":8'
    echo ']}'
} >hand.json
import hand.json
run 0 kernels && has out '3 kernels in 24 us; 1 took less than the call that launched them' && matches out '^ *95\.83 .* gemm$'
result $? 'kernels by name; those that are shorter than their launch'
run 0 kernels --format csv --unit us && has out '95.83333333333333,23,2,11.5,11.5,3,20,12.020815280171307,1,gemm,COMP.gemm' \
    '4.166666666666667,1,1,1,1,1,1,0,0,lone,COMP.lone' && lines out 3
result $? 'with median and deviation of the sample'
run 0 kernels --show copies --format csv --unit us && has out '100,8,1,8,8,8,8,0,16000,16000,16000,16000,1,2,H2D'
result $? 'copies with sizes and GB/s'
run 0 kernels --show operators --format csv --unit us && has out '71.875,23,2,11.5,aten::mm,' '25,8,1,8,aten::copy_,' '3.125,1,1,1,(not known),'
result $? 'time by the operator that launched it'
run 0 kernels --show launches --format csv --unit us && has out 'rank0.0 7,3,10.333333333333334,8,3,20,6.333333333333333,0,16,1,1.3333333333333333,2'
result $? 'launch delays and queues'
run 0 kernels --show streams --format csv --unit us && has out 'rank0.0 7,2,1,0,31,31,53,58.490566037735846' 'rank0.0 8,1,0,0,1,1,1,100'
result $? 'streams'
run 0 kernels --show calls --format csv --unit us && has out '61.53846153846154,8,2,4,4,4,4,0,cudaLaunchKernel,RT.cudaLaunchKernel'
result $? 'calls'
run 0 kernels --format json && python3 -c '
import json, sys
answer = json.load(open(sys.argv[1]))
assert set(answer) == {"kernels", "copies", "operators", "launches", "streams", "calls", "annotations", "grids", "collectives"}, set(answer)
assert answer["copies"][0]["bytes"] == 16000 and len(answer["kernels"]) == 2' "$scratch/out"
result $? 'json has all tables'
run 0 kernels --filter name=COMP.gemm --format csv && lines out 2 && run 0 kernels --top 1 && has out 'and 1 more'
result $? 'a filter, --top'
run 0 kernels --show cuda_gpu_kern_sum --format csv &&
    has out 'Time (%),Total Time (ns),Instances,Avg (ns),Med (ns),Min (ns),Max (ns),StdDev (ns),Name' '95.83333333333333,23000,2,11500,11500,3000,20000,'
result $? "nsys' names and columns"
cp out new.csv && run 0 kernels --show gpukernsum --format csv && same out new.csv
result $? 'the names of older versions'
run 0 kernels --show cuda_gpu_mem_size_sum --format csv && has out '0.016,1,0.016,0.016,0.016,0.016,0,[CUDA memcpy Host-to-Device]'
result $? 'and sizes'
refuses 2 "did you mean 'streams'" kernels --show streems && has err 'There are kernels, copies,' 'osrt_sum'
result $? 'a table that is none'
run 0 kernels --show cuda_kern_exec_sum --format csv && has out 'PID,TID,DevId,Count,QCount,TAvg (ns),TMed (ns),TMin (ns),TMax (ns),TStdDev (ns),AAvg (ns)' \
    'rank0.9,9,0,2,1,23000,23000,23000,23000,0,4000,4000,4000,4000,0,16000,16000,16000,16000,0,11500,11500,3000,20000,12020.815280171308,cudaLaunchKernel,gemm' &&
    lines out 2 && has err '1 kernel is left out'
result $? 'launch and execution as nsys has them, and what is not known of them'
import "$TRACETOOL_DATA/ctf-devices" && run 0 kernels --show cuda_kern_exec_sum --format csv && has out '77,78,,2,2,5890,' && import hand.json
result $? 'a device whose number nobody says has none'
for report in nvtx_sum nvtx_pushpop_sum nvtx_startend_sum mpi_event_sum osrt_sum openmp_sum; do
    run 0 kernels --show "$report" --format csv && lines out 1 && has out 'Time (%),Total Time (ns)' && has err 'this run has no'
    result $? "$report of a run without"
done
run 0 kernels --show cuda_kern_exec_trace --format csv && lines out 3 && has err '1 kernel is left out' &&
    has out '2000,4000,,,5000,20000,23000,rank0.9,9,0,cudaLaunchKernel,,,gemm' '10000,4000,14000,16000,30000,3000,23000,rank0.9,9,0,cudaLaunchKernel,,,gemm'
result $? 'kernel by kernel, with its call and its queue'
run 0 kernels --show cuda_kern_exec_trace --format csv --time-window 26us:40us && lines out 2 && has out '10000,4000,14000,16000,30000,3000' &&
    run 0 kernels --show cuda_kern_exec_trace --format csv --filter 'dur > 10us' && lines out 2 && has out '2000,4000,,,5000,20000' &&
    run 0 kernels --show cuda_kern_exec_trace --top 1 && has out 'and 1 more' && refute has out '30,000' &&
    run 0 kernels --show cuda_kern_exec_trace --format json && has out '"Queue Start (ns)":null' '"Kernel Name":"gemm"'
result $? 'those of a window, of a filter, the first'
for report in mpi_event_trace nvtx_startend_trace; do
    refuses 2 "'$report' lists single events" kernels --show "$report" && has err 'tracetool query'
    result $? "$report says where single events are"
done
refuses 2 "'um_sum' is about what no source here tells" kernels --show um_sum && refuses 2 'no source here' kernels --show openacc_sum &&
    refuses 2 "'mpi_msg_size_sum' has sizes of messages: 'tracetool comm'" kernels --show mpi_msg_size_sum &&
    refuses 2 "'cuda_gpu_kern_sum:base' is known without an option" kernels --show cuda_gpu_kern_sum:base &&
    refuses 2 "'nvtx_gpu_proj_sum' has the work of each range" kernels --show nvtx_gpu_proj_sum && has err '--show annotations'
result $? 'a report that another table answers'
cat >openmp.json <<'J'
{"traceEvents":[{"ph":"X","name":"barrier","cat":"OpenMP","pid":1,"tid":1,"ts":0,"dur":10},
{"ph":"X","name":"barrier","cat":"OpenMP","pid":1,"tid":1,"ts":20,"dur":20},
{"ph":"X","name":"barrier","cat":"OpenMP","pid":1,"tid":2,"ts":5,"dur":60},
{"ph":"X","name":"solve","cat":"other","pid":1,"tid":2,"ts":100,"dur":60}]}
J
run 0 kernels --show openmp_sum --format csv openmp.json && lines out 2 &&
    has out 'Time (%),Total Time (ns),Count,Avg (ns),Med (ns),Min (ns),Max (ns),StdDev (ns),Name' '100,90000,3,30000,20000,10000,60000,26457.513110645905,barrier'
result $? "OpenMP's spans as nsys has them"
run 0 kernels --show grids && has err 'does not say how its kernels were launched'
result $? 'grids of a trace that does not say them'

# -- collectives: two ranks, of each call the time of the shorter kernel ------------------------------------------
import "$TRACETOOL_DATA/collectives" && run 0 kernels --show collectives --format csv &&
    has out 'total_us,count,calls,sized,bytes,least_us,algorithm_gb_per_s,bus_gb_per_s,function,kernel,name' \
        '70,2,1,1,8192,20,0.4096,0.4096,ALLREDUCE,ncclDevKernel_AllReduce_Sum_f32_TREE_LL' \
        '40,2,1,1,8192,16,0.512,0.256,REDUCE_SCATTER,ncclDevKernel_ReduceScatter_Sum_bf16_RING_LL' \
        '18,2,1,1,2048,8,0.256,0.128,ALLGATHER,ncclDevKernel_AllGather_RING_LL' '10,2,1,0,,,,,BARRIER,ncclDevKernel_AllReduce_Sum_i8_RING_LL'
result $? 'bandwidths of the kernels of collectives'
import hand.json && run 0 kernels --show collectives --format csv && lines out 1 && has out 'bus_gb_per_s' && has err 'no kernel is one of a collective'
result $? 'a run without any'

# -- annotations, by hand ---------------------------------------------------------------------------------------
{
    comma=
    echo '{"schemaVersion":1,"distributedInfo":{"rank":0},"traceEvents":['
    span user_annotation outer 9 9 0 100 0
    span user_annotation inner 9 9 10 40 0
    span user_annotation outer 9 9 12 8 0
    span cuda_runtime cudaLaunchKernel 9 9 13 1 1
    span cuda_runtime cudaLaunchKernel 9 10 15 1 5
    span cuda_runtime cudaLaunchKernel 9 9 30 1 2
    span cuda_runtime cudaMemcpyAsync 9 9 60 1 3
    span cuda_runtime cudaLaunchKernel 9 9 200 1 4
    span kernel a 0 7 15 10 1 ',"stream":7,"grid":[2,1,1],"block":[64,1,1],"registers per thread":16,"shared memory":1024,"est. achieved occupancy %":25'
    span kernel b 0 7 35 5 2 ',"stream":7,"grid":[2,3],"block":"64"'
    span gpu_memcpy 'Memcpy DtoH (Device -> Pinned)' 0 7 70 3 3 ',"stream":7'
    span kernel a 0 7 210 7 4 ',"stream":7,"grid":[4,1,1],"block":[64,1,1]'
    span kernel a 0 8 20 2 5 ',"stream":8,"grid":[2,1,1],"block":[64,1,1],"registers per thread":16,"shared memory":1024,"est. achieved occupancy %":25'
    echo ']}'
} >nested.json
import nested.json
run 0 kernels --show annotations --format csv --unit us && has out 'device_percent,device_us,own_us,work,count,host_us,host_avg_us,style,annotation' &&
    prints '66.66666666666667,18,13,3,2,108,54,nested,outer' '55.55555555555556,15,5,2,1,40,40,nested,inner'
result $? 'work of annotations: one inside itself counts once, another thread is outside'
run 0 kernels --show annotations --format csv --unit us --filter name=COMP.b && prints '100,5,0,1,0,,,nested,outer' '100,5,5,1,0,,,nested,inner'
result $? 'of chosen work'
run 0 kernels --show nvtx_sum --format csv && has out 'StdDev (ns),Style,Range' '72.97297297297297,108000,2,54000,54000,8000,100000,65053.82386916237,PushPop,outer'
result $? 'annotations stand among the ranges of NVTX'
run 0 kernels --show nvtx_kern_sum --format csv && prints ',,rank0.9,9,0,1,7000,7000,7000,7000,7000,0,a' ',,rank0.9,10,0,1,2000,2000,2000,2000,2000,0,a' \
    'inner,PushPop,rank0.9,9,1,1,10000,10000,10000,10000,10000,0,a' 'inner,PushPop,rank0.9,9,1,1,5000,5000,5000,5000,5000,0,b' \
    'outer,PushPop,rank0.9,9,2,1,20000,10000,10000,10000,10000,0,a' 'outer,PushPop,rank0.9,9,1,1,5000,5000,5000,5000,5000,0,b'
result $? 'kernels by range: in ranges of one name inside each other one kernel, with the time of two'
run 0 kernels --show cuda_gpu_trace --format csv --top 1 --filter name=COMP.b && lines out 2 && run 0 kernels --show cuda_gpu_trace --top 1 && has out 'and 4 more'
result $? 'the first of a list, and the chosen'
run 0 kernels --show grids --format csv --unit us && prints '50,12,2,6,6,2,10,5.656854249492381,2x1x1,64x1x1,16,1024,25,a,COMP.a' \
    '29.166666666666668,7,1,7,7,7,7,0,4x1x1,64x1x1,,,,a,COMP.a' '20.833333333333332,5,1,5,5,5,5,0,,,,,,b,COMP.b'
result $? 'kernels by how they were launched; what is no grid is none'
run 0 kernels --show cuda_gpu_kern_gb_sum --format csv && has out 'StdDev (ns),GridXYZ,BlockXYZ,Name' ',   4    1    1,  64    1    1,a'
result $? "nsys' table of grids"
run 0 kernels --show cuda_gpu_mem_size_sum --format csv && has err '1 copy or set is left out'
result $? 'copies of unknown size are told'
import "$TRACETOOL_DATA/tau-mpi4" && run 0 kernels --show mpi_event_sum --format csv && has out 'Instances,Avg (ns)' ',Source,Name' ',p2p,MPI_Recv' \
    ',collectives,MPI_Barrier' ',start-wait,MPI_Waitall' ',other,MPI_Init' && lines out 13 && unsaid 'no work'
result $? 'MPI of TAU'
import "$TRACETOOL_DATA/tau-mpi4" && run 0 kernels && has err 'no work on devices'
result $? 'a run without devices says so'

# -- the quick way: the tables that read nothing but work say what a scan of all events says ------------------------
scanned_alike() { # TRACE
    import "$1" || return 1
    for table in kernels cuda_gpu_kern_sum cuda_gpu_mem_time_sum cuda_gpu_sum; do
        for form in table csv; do
            run 0 kernels --show $table --format $form --top 0 && filled out && cp "$scratch/out" "$scratch/quick" &&
                run 0 kernels --show $table --format $form --top 0 --filter 'dur>-1' && same quick out || return 1
        done
    done
}
for trace in nsys/train.sqlite rocprof/train.json kineto/rank0.json kineto/graph.json kineto/amd.json ctf-devices; do
    sampled || continue
    scanned_alike "$TRACETOOL_DATA/$trace"
    result $? "quick and whole: $trace"
done
gunzip -c "$TRACETOOL_DATA/databases/version-5.db.gz" >old.db && run 0 kernels --format csv old.db && cp "$scratch/out" "$scratch/quick" && lines quick 2 &&
    run 0 kernels --format csv --filter 'dur>-1' old.db && same quick out
result $? 'and of an older database'

# -- against the oracle --------------------------------------------------------------------------------------
tables='kernels calls streams launches queue operators annotations grids collectives cuda_gpu_kern_sum cuda_gpu_kern_gb_sum
    cuda_gpu_mem_time_sum cuda_gpu_mem_size_sum cuda_gpu_sum cuda_api_sum cuda_api_gpu_sum cuda_kern_exec_sum nvtx_sum nvtx_pushpop_sum'
mkdir -p "$scratch/tables"
# Event by event; a trace may have no work, no calls or no ranges, which is said.
listed() { # TRACE OPTION... : of the run that is there
    _trace=$1
    shift
    for report in cuda_gpu_trace cuda_api_trace nvtx_pushpop_trace nvtx_kern_sum; do
        run 0 kernels --show "$report" "$@" --format csv --top 0 && filled out || return 1
        if [ "$(wc -l <"$scratch/out")" -le 1 ]; then has err 'this run has no' || return 1; continue; fi
        python3 "$oracles/nsys-traces.py" "$report" "$scratch/out" "$_trace" >judged && matches judged '[1-9][0-9]* rows' || return 1
    done
}

judged() { # TRACE
    import "$1" || return 1
    for table in $tables; do
        shown=$table
        [ "$table" != queue ] || shown=launches
        run 0 kernels --show "$shown" --format csv --unit ns --top 0 && filled out && cp "$scratch/out" "$scratch/tables/$table" || return 1
    done
    # shellcheck disable=SC2086
    python3 "$oracles/same-kernels.py" "$1" "$scratch/tables" $tables >judged && matches judged 'nvtx_pushpop_sum: [0-9]* rows' && listed "$1"
}
status=0
seed=1
while [ $seed -le "${TEST_SEEDS:-$(often 10)}" ]; do
    python3 "$oracles/random-devices.py" $seed >random.json
    judged "$scratch/random.json" || { status=1; echo "# seed $seed"; }
    seed=$((seed + 1))
done
result $status 'made-up devices'

# Ranges that cross, and calls that outlast them; then so many inside each other that each with each would be 400 million.
status=0
for seed in $(seeds 6); do
    python3 "$oracles/random-ranges.py" "$seed" ranges.json && import "$scratch/ranges.json" && run 0 kernels --show nvtx_kern_sum --format csv --top 0 &&
        python3 "$oracles/nsys-traces.py" nvtx_kern_sum "$scratch/out" "$scratch/ranges.json" >judged && matches judged '[1-9][0-9]* rows' && continue
    echo "# seed $seed"
    status=1
done
result $status 'kernels by range: made-up ranges'
python3 "$oracles/random-ranges.py" nested 20000 nested.json && import "$scratch/nested.json" && STAND_IN_STATUS=0 timeout 30 "$TRACETOOL" kernels --show nvtx_kern_sum --format csv >out &&
    has out 'r,PushPop,1,1,20000,2857,' && lines out 8
result $? 'and 20,000 of one name around 20,000 kernels'
for names in 300 20000; do
    python3 "$oracles/random-ranges.py" distinct $names distinct.json && import "$scratch/distinct.json" &&
        STAND_IN_STATUS=0 timeout 30 "$TRACETOOL" kernels --show nvtx_kern_sum --format csv --top 0 >out && lines out $((7 * names + 1)) || break
    [ $names = 20000 ] || python3 "$oracles/nsys-traces.py" nvtx_kern_sum "$scratch/out" "$scratch/distinct.json" >judged || break
done && has judged '2100 rows'
result $? 'and 20,000 of as many names'
for ranges in 200 20000; do
    python3 "$oracles/random-ranges.py" outlasted $ranges outlasted.json && import "$scratch/outlasted.json" &&
        STAND_IN_STATUS=0 timeout 30 "$TRACETOOL" kernels --show nvtx_kern_sum --format csv --top 0 >out && lines out 9 || break
    [ $ranges = 20000 ] || python3 "$oracles/nsys-traces.py" nvtx_kern_sum "$scratch/out" "$scratch/outlasted.json" >judged || break
done && has judged '8 rows'
result $? 'and 20,000 that one call outlasts'

# -- reports of nsys against its own export --------------------------------------------------------------------
reported() { # EXPORT
    import "$1" || return 1
    for report in cuda_gpu_kern_sum cuda_gpu_kern_gb_sum cuda_gpu_mem_time_sum cuda_gpu_mem_size_sum cuda_gpu_sum cuda_api_sum cuda_api_gpu_sum \
        cuda_kern_exec_sum cuda_kern_exec_trace nvtx_sum nvtx_pushpop_sum nvtx_startend_sum mpi_event_sum osrt_sum; do
        run 0 kernels --show "$report" --clock original --format csv --top 0 && python3 "$oracles/nsys-reports.py" "$report" "$scratch/out" "$1" >judged &&
            matches judged 'rows' || return 1
    done
    listed "$1" --clock original
}
for name in train ranks old; do
    python3 "$oracles/nsys-reports.py" --vary "$TRACETOOL_DATA/nsys/$name.sqlite" "$scratch/varied.sqlite"
    reported "$TRACETOOL_DATA/nsys/$name.sqlite" && reported "$scratch/varied.sqlite"
    result $? "reports of $name.sqlite"
done

for trace in alexnet event_sync_multi_stream event_sync_trace mi250_minitoy_train_ROCm6_2_kineto nccl_data sampled_rank-0 sampled_rank-1 \
    simple_add triton_example; do
    path=$SHARED_DATA/kineto/$trace.json.gz
    [ -f "$path" ] || { skip "$trace" 'the shared data are not here'; continue; }
    sampled || continue
    judged "$path"
    result $? "$trace"
done
finish
