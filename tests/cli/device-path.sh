#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# critical-path and depgraph on PyTorch traces: paths known by hand, and against a naive walk.
# shellcheck source=tests/cli/lib.sh
. "$SRCDIR/tests/cli/lib.sh"
examples=$TRACETOOL_DATA/kineto
oracle=$SRCDIR/tests/oracles/path.py

# -- by hand -----------------------------------------------------------------------------------------
import "$examples/waits.json" && run 0 --db "$db" critical-path --format csv --segments --top 0 &&
    prints '0,20,0,0,4000,4000,begin,no
25,100,5,0,0,7,launch,no
130,70,5,0,0,20,event,no
200,25,0,130,4000,4000,synchronize,no
232,8,7,75,0,7,launch,no
240,60,0,14,4000,4000,synchronize,no'
result $? 'two streams, an event, waits for the device and for a stream'
run 0 --db "$db" critical-path --format csv --show kinds &&
    prints '177,59,computation
0,0,communication
0,0,copy
32,10.666666666666666,launch
20,6.666666666666667,sync
70,23.333333333333332,host
1,0.3333333333333333,idle'
result $? 'what is done on the path adds up to it'
run 0 --db "$db" critical-path --format json && has out '"path_us": 300.000' '"kinds":'
result $? 'the path is as long as the run without the profiler'
run 0 --db "$db" critical-path -o "$scratch/path.json" && has err 'the path marked'
result $? 'the path is marked in a Chrome trace'

import "$examples/late0.json" "$examples/late1.json" && run 0 --db "$db" critical-path --format csv --segments --top 0 &&
    prints '0,100,0,0,rank1.4001,4001,begin,no
105,0,5,0,rank1.1,20,launch,no
105,45,0,80,rank0.0,20,collective,yes
150,50,0,120,rank0.4000,4000,synchronize,no'
result $? 'an all-reduce leads to the rank that came late'

# -- one step --------------------------------------------------------------------------------------------
import "$examples/rank0.json" "$examples/rank1.json" &&
    run 0 --db "$db" critical-path --step 5 --format csv --segments --top 0 &&
    prints '0,190,0,0,rank1.4001,4001,begin,no
190,110,0,490,rank1.4001,4002,autograd,yes
300,320,0,110,rank1.4001,4001,autograd,yes'
result $? 'the path through a step, with its backward pass'
for step in 4 5 6; do
    run 0 --db "$db" query --format csv "SELECT (max(ts_ns + dur_ns) - min(ts_ns)) / 1000 FROM event WHERE step = $step" &&
        length=$(tail -n 1 "$scratch/out") && run 0 --db "$db" critical-path --step $step --format json && has out "\"path_us\": $length.000,"
    result $? "the path through step $step is as long as the step"
done
run 2 --db "$db" critical-path --step 9 && has err 'no span is in step 9'
result $? 'a step that is not there is an error'
run 2 --db "$db" critical-path --step 5 --model && has err '--filter step=5'
result $? 'the model has a filter for that'

# -- the graph ----------------------------------------------------------------------------------------
edges() { # KIND : source, destination, count and gap of the graph's edges
    run 0 --db "$db" depgraph --merge-ranks --kind "$1" --save || return 1
    run 0 --db "$db" query --format csv "SELECT src, dst, cnt, weight_us FROM edge WHERE kind = '$1' ORDER BY 1, 2"
}
import "$examples/late0.json" "$examples/late1.json" && edges collective && prints 'Comm.ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevComm*).ALLREDUCE,Comm.ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevComm*).ALLREDUCE,1,80'
result $? 'ranks depend on the last to come to a collective'
# rank1 comes 80 us late: 33 + 87 + 10 on its host, then what is left of the other's 125 us kernel, and who waits for it.
run 0 --db "$db" critical-path --model --format csv --top 0 && prints '33,0,11,1,begin,rank1.4001->COMP.ProfilerStep#0
87,0,29,1,call,rank1.4001->COMP.aten::nonzero
10,0,3.3333333333333335,1,sequence,rank1.4001->RT.cudaLaunchKernel
45,0,15,1,collective,rank0.0->Comm.ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevComm*).ALLREDUCE
125,0,41.666666666666664,1,sync,rank0.4000->SYNC.cudaDeviceSynchronize'
result $? 'so does the path by averages, without the waiting'
run 0 --db "$db" query "SELECT count(*) FROM event WHERE native_group = 'cuda_sync'" && has out 2 &&
    run 0 --db "$db" depgraph --format json && refute has out 'Context Sync' && has out cudaDeviceSynchronize &&
    run 0 --db "$db" depgraph --level event --time-window 0: --format json && refute has out 'Context Sync'
result $? 'marks of what is waited for are no operations'
import "$examples/waits.json" && edges sync && cp "$scratch/out" "$scratch/sync" &&
    has sync 'COMP.first,COMP.second,' 'COMP.third,SYNC.cudaDeviceSynchronize,' 'COMP.beside,SYNC.cudaDeviceSynchronize,' \
        'COMP.last,SYNC.cudaStreamSynchronize,' && lines sync 5
result $? 'what waits for work on devices depends on it'
edges flow && has out 'RT.cudaLaunchKernel,COMP.first,1' 'RT.cudaLaunchKernel,COMP.last,1'
result $? 'work depends on its launch'
edges sequence && has out 'COMP.second,COMP.third,1'
result $? 'and on what was before it on its stream'

# -- against the naive walk ------------------------------------------------------------------------------
if ! command -v python3 >/dev/null; then
    skip 'naive walk' 'python3 is not here'
    finish
    exit
fi
agrees() { # FILE...
    import "$@" && run 0 --db "$db" critical-path --clock original --format csv --unit ns --segments --top 0 &&
        python3 "$oracle" "$scratch/out" "$@"
}
for name in waits amd old odd; do
    agrees "$examples/$name.json"
    result $? "$name.json"
done
agrees "$examples/late0.json" "$examples/late1.json"
result $? 'late0.json and late1.json'
agrees "$examples/rank0.json" "$examples/rank1.json"
result $? 'rank0.json and rank1.json'
failed=0
for seed in $(seeds 24); do
    rm -rf "$scratch/random"
    python3 "$oracle" --random "$seed" $((seed % 3 + 1)) "$scratch/random"
    agrees "$scratch"/random/rank*.json >"$scratch/said" || { echo "# seed $seed"; cat "$scratch/said"; failed=1; break; }
done
result "$failed" 'random jobs of one to three ranks'
real=$SHARED_DATA/kineto
if [ -d "$real" ]; then
    for file in "$real"/*.json.gz; do
        case $file in */nccl_data*) continue ;; esac # the naive walk takes half a minute
        agrees "$file"
        result $? "$(basename "$file")"
    done
    agrees "$real/sampled_rank-0.json.gz" "$real/sampled_rank-1.json.gz"
    result $? 'two ranks of a real job'
else
    skip 'real traces' "$real is not here"
fi
finish
