#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# imbalance: by hand, in recordings of real programs with a planted cause, and against a program that knows only the
# definitions.
# shellcheck source=tests/cli/lib.sh
. "$SRCDIR/tests/cli/lib.sh"
oracles=$SRCDIR/tests/oracles
command -v python3 >/dev/null || { echo '1..0 # SKIP python3 is not here'; exit 0; }
export PYTHONDONTWRITEBYTECODE=1

# -- by hand: rank 1 loads for long in step 4 and is late to its all-reduce; in step 5 rank 2 computes for long -------------
span() { # CAT NAME PID TID BEGIN DURATION [ARGS]
    printf ',{"ph":"X","cat":"%s","name":"%s","pid":%s,"tid":%s,"ts":%s,"dur":%s,"args":{%s}}\n' "$1" "$2" "$3" "$4" "$5" "$6" "${7-}"
}
rank() { # NUMBER LOAD PAUSE COMPUTE SHIFT : a file of one rank, times of its two steps in us
    {
        printf '{"schemaVersion":1,"distributedInfo":{"rank":%s},"traceEvents":[{"ph":"X","cat":"user_annotation","name":"ProfilerStep#4","pid":9,"tid":9,"ts":%s,"dur":1000}\n' \
            "$1" $((1000 + $5))
        span user_annotation ProfilerStep#5 9 9 $((2000 + $5)) 1000
        span user_annotation loading 9 9 $((1000 + $5)) "$2"
        span cpu_op aten::copy_ 9 9 $((1010 + $5)) 10
        span cpu_op aten::mm 9 9 $((1100 + $2 + $5)) 50
        span cpu_op aten::mm 9 9 $((2000 + $3 + $5)) "$4"
        span kernel ncclDevKernel_AllReduce 0 20 $((1200 + $2 + $5)) $((700 - $2)) '"correlation":1,"stream":20'
        span cuda_runtime cudaLaunchKernel 9 9 $((1190 + $2 + $5)) 5 '"correlation":1'
        echo ']}'
    } >rank$1.json
}
rank 0 50 100 50 0
rank 1 450 100 50 0
rank 2 50 150 450 0
import rank0.json rank1.json rank2.json
# Arrivals at 1250, 1650, 1250: each of two waits for 400 us.
run 0 imbalance --show collectives --format csv && has out '800,1,3,400,400,400,400,400,1,1,800,0,0,ncclDevKernel_AllReduce'
result $? 'collectives: skew, what is paid, who is the latest'
run 0 imbalance --show ranks --format csv && has out '1,800,0,1,1,400,1,800,1,400,COMP.loading' '2,0,400,0,1,0,0,0,0,,' \
    '0,0,400,0,1,0,0,0,0,,'
result $? 'ranks: caused, paid, late; the straggler with its operation'
run 0 imbalance --show steps --format csv && has out '4,1,800,arrival,3,1000,1000,400,COMP.loading'
result $? 'steps: by arrival; an annotation counts with what is not inside'
# Self times of mm: 100, 100, 500 us.
run 0 imbalance --format csv && has out '266.6666666666667,114.28571428571428,233.33333333333334,500,100,700,3,0,0,2,COMP.aten::mm'
result $? 'operations: price and imbalance'
run 0 imbalance && has out 'Most uneven work: COMP.aten::mm' 'rank 2 spends 267 us more on it than the mean of 3 (114.3 %)' \
    'Rank 1 comes last in 1 of 1 collectives:' 'the others wait 800 us for it, of 800 us in all' \
    'Rank 1 is the straggler in 1 of 2 steps, in 1 of them with' '400 us a step more than on the others' && refute has out Doubtful
result $? 'sentences first'
run 0 stats --per rank --filter flags~window --format csv && has out '0,550,3,0,50,183.33333333333334,450,145.45454545454547,1,COMP.loading'
result $? 'annotations are compared by stats'
if has_terminals; then
    long='split_embedding_backward<c10::Half, float, 2ul, 32>(at::GenericPackedTensorAccessor<float, 2ul, at::RestrictPtrTraits>)'
    for i in 0 1 2; do sed "s/aten::mm/$long/; s/loading/$long/" rank$i.json >long$i.json; done
    import long0.json long1.json long2.json && typed 0 COLUMNS=80 imbalance && sed -i 's/\r//' out &&
        has out 'Most uneven work: COMP.split_embedding_backward<' '…' && [ "$(wc -L <out)" -le 80 ] && import rank0.json rank1.json rank2.json
    result $? 'long names fit a terminal'
else
    skip 'long names fit a terminal' 'script is not here'
fi
run 0 imbalance --over thread --filter op_cat=COMP --format csv && has out 'rank2.9 9,COMP.aten::mm' && refute has out 'Comm.' rank1.9
result $? 'over threads, of what a filter chooses'

# chooses TRACE FILTER WHAT: step, straggler, price, ranks, lengths are those without a filter; operations fit WHAT
chooses() {
    run 0 imbalance --show steps --format csv "$TRACETOOL_DATA/$1" && cut -d, -f1-7 "$scratch/out" >whole && [ "$(wc -l <whole)" -gt 1 ] &&
        run 0 imbalance --show steps --format csv --filter "$2" "$TRACETOOL_DATA/$1" && cut -d, -f1-7 "$scratch/out" | cmp whole &&
        [ "$(sed 1d "$scratch/out" | cut -d, -f9- | grep -vc "$3")" -eq 0 ]
}
chooses job-2x1 op_cat=FW '^\(FW\..*\)\{0,1\}$' && chooses job-2x1 rank=0 . && chooses job-2x1 op_cat=BW '^\(BW\..*\)\{0,1\}$'
result $? 'a filter changes neither stragglers nor how long steps take'
run 0 imbalance --show steps --format csv --filter step=1 "$TRACETOOL_DATA/job-2x1" && [ "$(cut -d, -f1 "$scratch/out" | tr '\n' ' ')" = 'step 1 ' ]
result $? 'and leaves out steps of which it chooses nothing'
run 0 imbalance --time-window 1000us: --show collectives --format csv && refute has out ncclDev && has out paid_us
result $? 'a time window chooses calls'

# Without collectives the longest step is the straggler's, and nothing in the trace may explain it.
for r in 0 1 2; do
    extra=$((r == 1 ? 300 : 0))
    {
        printf '{"schemaVersion":1,"distributedInfo":{"rank":%s},"traceEvents":[{"ph":"X","cat":"user_annotation","name":"ProfilerStep#4","pid":9,"tid":9,"ts":1000,"dur":%s}\n' \
            $r $((500 + extra))
        span cpu_op aten::mm 9 9 1000 400
        [ $r = 2 ] || span cpu_op aten::add 9 9 1400 30
        echo ']}'
    } >quiet$r.json
done
import quiet0.json quiet1.json quiet2.json
run 0 imbalance --show steps --format csv && has out '4,1,300,length,3,800,500,285,(outside any operation)'
result $? 'by length; what no operation explains'
# A kernel of step 4 runs into step 5, and a thread waits around both.
for r in 0 1; do
    end=$((r == 1 ? 3500 : 3000))
    {
        printf '{"schemaVersion":1,"distributedInfo":{"rank":%s},"traceEvents":[{"ph":"X","cat":"user_annotation","name":"ProfilerStep#4","pid":9,"tid":9,"ts":1000,"dur":1000}\n' $r
        span user_annotation ProfilerStep#5 9 9 2000 $((end - 2000))
        span cpu_op aten::mm 9 9 $((r == 1 ? 2700 : 2000)) $((r == 1 ? 800 : 1000))
        span cpu_op aten::wait 9 8 1500 4000
        [ $r = 0 ] || span cuda_runtime cudaLaunchKernel 9 9 1900 20 '"correlation":1'
        [ $r = 0 ] || span kernel gemm 0 7 1950 650 '"correlation":1,"stream":7'
        echo ']}'
    } >spilled$r.json
done
import spilled0.json spilled1.json
run 0 imbalance --show steps --format csv && has out '5,1,250,length,2,1500,1250,100,(outside any operation)'
result $? 'a kernel of an earlier step covers the time in which it runs'
import quiet0.json quiet1.json quiet2.json
run 0 imbalance --format csv && has out 'imbalance_percent' && run 0 imbalance --absent zero --format csv &&
    has out '10,50,20,30,0,60,2,1,0,0,COMP.aten::add' && run 0 imbalance --format csv && has out '0,0,30,30,30,60,2,0,0,0,COMP.aten::add'
result $? '--absent zero counts ranks that do other work of the category'

# -- clocks that cannot be ------------------------------------------------------------------------------------------
rank 0 50 100 50 0
rank 1 50 100 50 5000
import rank0.json rank1.json
run 0 imbalance && has out 'Doubtful: 1 of 1 collectives end on a rank before the last one comes:' 'clocks of the ranks differ'
result $? 'a call that ends before a rank comes is told'
run 0 imbalance --format json && has out '"impossible_calls": 1' '"calls": 1'
result $? 'in json, too'

# -- words --------------------------------------------------------------------------------------------------------------
refuses 2 'collectives, ranks, steps' imbalance --show nodes && refuses 2 'rank, thread' imbalance --over node &&
    refuses 2 'none, zero' imbalance --absent maximum && refuses 2 'absent is about ranks' imbalance --over thread --absent zero
result $? 'words that are none'
import quiet0.json && run 0 imbalance && has err "no operation is on two ranks; '--over thread' compares threads"
result $? 'a run of one rank says so'
import quiet0.json quiet1.json && run 0 imbalance --filter name=none && has err 'no operation of two ranks matches'
result $? 'a filter that chooses nothing says so'
printf '[{"name":"a","ph":"X","ts":1,"dur":1}]' >plain.json
printf '[{"name":"a","ph":"X","ts":2,"dur":1}]' >plain1.json
import --pid a --rank 0 plain.json && run 0 import --add --pid b --rank 1 plain1.json && run 0 imbalance --show collectives &&
    has err 'no collective is called; messages' && run 0 imbalance --show steps && has err 'no step is on two ranks' &&
    run 0 imbalance --show ranks && has err 'no rank is the last at a collective'
result $? 'a table without rows says why'
import "$TRACETOOL_DATA/tau-mpi4" && run 0 imbalance --show collectives && has out 'MPI_Bcast' && unsaid 'no collective' &&
    run 0 imbalance --show steps && has err 'no step is on two ranks'
result $? 'and one with rows does not'
if has_terminals; then
    import rank0.json rank1.json
    status=0
    for table in '' '--show collectives' '--show ranks' '--show steps' '--over thread'; do
        STAND_IN_STATUS=0 script -qec "stty cols 80; '$TRACETOOL' --db '$db' imbalance $table" /dev/null </dev/null |
            tr -d '\r' | sed 's/\x1b\[[0-9;]*m//g; s/…/./g' >narrow
        matches narrow 'Rank 1 comes last' && awk 'length > 80 { print "# " $0; bad = 1 } END { exit bad }' narrow || status=1
    done
    result $status 'tables fit 80 columns'
else
    skip 'tables fit 80 columns' 'script is not here'
fi

# -- real programs, a rank of which sleeps for 20 ms a step ------------------------------------------------------------------
late() { # RANK STEPS LEAST MOST OPERATION FILE... : who is late, in how many steps, by which operation, how many ms a step
    rank=$1 steps=$2 least=$3 most=$4 operation=$5
    shift 5
    import "$@" && run 0 imbalance --show ranks --format json &&
        python3 - "$scratch/out" "$rank" "$steps" "$least" "$most" "$operation" <<'P'
import json, sys
out, rank, steps, least, most, operation = sys.argv[1:]
row = json.load(open(out))[0]
assert (row["rank"], row["straggler_steps"], row["operation_steps"], row["operation"]) == (rank, int(steps), int(steps), operation), row
assert float(least) < row["operation_excess_us"] / 1e3 / int(steps) < float(most), row
assert row["straggler_price_us"] > 0.75e3 * float(least) * int(steps), row
P
}
recorded=$TRACETOOL_DATA/recorded
late 1 3 20 25 'COMP.planted sleep' "$recorded/torch-2.13.0.rank0.json.gz" "$recorded/torch-2.13.0.rank1.json.gz"
result $? 'PyTorch 2.13, two ranks: the one that sleeps, and its sleep'
late 2 3 20 25 'COMP.planted sleep' "$recorded"/torch-2.13.0-forward.rank?.json.gz
result $? 'four ranks'
late 1 3 20 25 'COMP.planted sleep' "$recorded/torch-1.12.1.rank0.json.gz" "$recorded/torch-1.12.1.rank1.json.gz"
result $? 'PyTorch 1.12'
late 0 4 20 23 'I/O.enumerate(DataLoader)#_SingleProcessDataLoaderIter___next__' "$recorded"/causes/loader.rank?.json.gz
result $? 'a loader that is slow on one rank'
late 2 4 19 23 '(outside any operation)' "$recorded"/causes/silent.rank?.json.gz
result $? 'a sleep under no name'
late 1 4 30 100 'FW.aten::mm' "$recorded"/causes/compute.rank?.json.gz
result $? 'more to compute'

# Of what has a root who waits is planted, too: the others for a late root, an early root for the others.
paid() { # CAUSE FUNCTION : what is paid in it is the truth's, within 2 %
    true_ns=$(python3 "$oracles/mpi_truth.py" "$recorded/mpi/$1/truth.json" total | awk -F'\t' '{ sum += $6 } END { printf "%.0f", sum }')
    import "$recorded/mpi/$1/tau.trc.gz" "$recorded/mpi/$1/tau.edf.gz" && run 0 imbalance --show collectives --format csv --unit ns || return 1
    grep ",$2\$" out | awk -F, -v truth="$true_ns" '{ sum += $1 } END { print "# " sum " ns, in truth " truth; exit !(sum > 0.98 * truth && sum < 1.02 * truth) }'
}
paid late-broadcast MPI_Bcast
result $? 'a late broadcast: the others pay'
paid early-reduce MPI_Reduce
result $? 'an early reduce: the root pays'

# A stock Horovod negotiates each tensor: rank 1 comes 50 us after rank 0, then 20 us before it.
negotiated() { # FIRST SECOND : a timeline of one tensor, which is ready at these times
    printf '[{"name":"process_name","ph":"M","pid":1,"args":{"name":"DistributedOptimizer_Allreduce/HorovodAllreduce.3_0"}}'
    for wait in "$1 160" "$2 560"; do
        printf ',{"ph":"B","name":"NEGOTIATE_ALLREDUCE","ts":%s,"pid":1},{"ph":"E","ts":%s,"pid":1}' "${wait% *}" "${wait#* }"
        printf ',{"ph":"B","name":"MPI_ALLREDUCE","ts":%s,"pid":1},{"ph":"E","ts":%s,"pid":1}' $((${wait#* } + 1)) $((${wait#* } + 30))
    done
    printf ']\n'
}
negotiated 100 540 >stock0.json && negotiated 150 520 >stock1.json && import --format horovod --pid a --rank 0 stock0.json &&
    run 0 import --format horovod --add --pid b --rank 1 stock1.json && run 0 imbalance --show collectives --format csv &&
    has out '70,2,2,35,70,20,35,50,1,1,50,0,0,Comm.3.NEGOTIATE_ALLREDUCE' && lines out 2
result $? 'a stock Horovod: negotiations'

# -- against the oracle ---------------------------------------------------------------------------------------------------
judged() { # TRACE... : all tables are those of the oracle
    import "$@" || return 1
    for options in '' '--over thread' '--absent zero'; do
        # shellcheck disable=SC2086
        STAND_IN_STATUS=0 python3 "$oracles/same-imbalance.py" "$TRACETOOL" "$db" $options >judged 2>&1 && matches judged '^[1-9]' ||
            { sed 's/^/# /' judged; return 1; }
    done
}
status=0
for seed in $(seeds 40); do
    rm -rf random && mkdir random && python3 "$oracles/random-ranks.py" "$seed" random && judged random/*.json ||
        { status=1; echo "# seed $seed"; }
done
result $status 'made-up ranks'
judged "$TRACETOOL_DATA/tau-mpi4"
result $? 'tau-mpi4'
judged "$TRACETOOL_DATA"/collectives
result $? 'collectives'
# Without steps only what the window holds is read.
for trace in tau-mpi4 collectives; do
    import "$TRACETOOL_DATA/$trace" && STAND_IN_STATUS=0 python3 "$oracles/same-imbalance.py" "$TRACETOOL" "$db" --time-window >judged 2>&1 &&
        matches judged '^[1-9][0-9]* operations of windows, [1-9]'
    result $? "$trace: windows of a trace without steps"
done
judged "$TRACETOOL_DATA/kineto/rank0.json" "$TRACETOOL_DATA/kineto/rank1.json"
result $? 'kineto'
judged "$TRACETOOL_DATA/job-2x1"
result $? 'job-2x1'
judged "$recorded"/torch-2.13.0-forward.rank?.json.gz
result $? 'four ranks of PyTorch'
# Of a job directory the timelines of Horovod alone say who came last to Sync; what is paid there is what `waits` finds.
met() { # DIRECTORY FEWEST : each line is the judge's
    rm -f met.db
    run 0 --db met.db import -q "$1" && python3 "$oracles/job-arrivals.py" "$1" | sort -t, -k10 >wanted &&
        run 0 --db met.db imbalance --show collectives --top 0 --unit ns --format csv &&
        awk -F, 'NR > 1 { print $2 "," $3 "," $5 "," $6 "," $8 "," $1 "," $9 "," $10 "," $11 "," $14 }' out | sort -t, -k10 >found &&
        [ "$(wc -l <wanted)" -ge "$2" ] && cmp wanted found || return 1
    run 0 --db met.db waits --unit ns --format csv --top 0 && paid=$(awk -F, '{ sum += $6 } END { printf "%.0f", sum }' wanted) &&
        [ "$(grep 'wait at NxN' out | awk -F, '{ sum += $1 } END { printf "%.0f", sum }')" = "$paid" ]
}
met "$TRACETOOL_DATA/job-2x1" 2
result $? 'job-2x1: arrivals at Sync, of the raw files'
status=0
for options in '--kind ring --hosts 3 --gpus 2 --jitter 0.1' '--kind tree --gpus 4 --slow 3:I/O_0:500' '--kind ring --hosts 4 --gpus 1 --waits' \
    '--kind ring --gpus 2 --late --fuse 1 --jitter 0.2'; do
    rm -rf job && mkdir job
    # shellcheck disable=SC2086
    python3 "$TRACETOOL_DATA/generators/job.py" job $options --seed 7 && met job 4 || { status=1; echo "# $options"; }
    case $options in
        *--slow*) run 0 --db met.db imbalance --show ranks && has out 'Rank 3 is the straggler in 4 of 4 steps' 'I/O_0' || status=1 ;;
    esac
done
result $status 'generated jobs: arrivals at Sync, and the rank that was made slow'
rm -rf job met.db && mkdir job && python3 "$TRACETOOL_DATA/generators/job.py" job --kind byteps && run 0 --db met.db import -q job &&
    run 0 --db met.db imbalance --show collectives && has err 'ranks meet at parameter servers, in no collective'
result $? 'BytePS: no collective, and why'
if [ -d "$SHARED_DATA/framework/job_2x2" ]; then
    met "$SHARED_DATA/framework/job_2x2" 3
    result $? 'job_2x2: arrivals at Sync, of the raw files'
else
    skip 'job_2x2: arrivals at Sync, of the raw files' 'the shared data are not here'
fi
for pair in "$SHARED_DATA/kineto/sampled_rank" ; do
    [ -f "$pair-0.json.gz" ] || { skip 'sampled_rank' 'the shared data are not here'; continue; }
    judged "$pair-0.json.gz" "$pair-1.json.gz"
    result $? 'sampled_rank'
done
if [ -d "$SHARED_DATA/tau/real-mpi4" ]; then
    judged "$SHARED_DATA/tau/real-mpi4"
    result $? 'real-mpi4'
else
    skip 'real-mpi4' 'the shared data are not here'
fi

# -- calls that cross each other on one thread (gloo) -----------------------------------------------------------------------
cross() { # SEED
    python3 "$oracles/crossing.py" write "$1" && import crossing?.json && unsaid 'clocks of the processes differ' &&
        ask "SELECT count(*) FROM collective c JOIN event e ON e.id = c.event JOIN collective d ON d.pid = c.pid AND d.ordinal = c.ordinal + 1 \
JOIN event f ON f.id = d.event WHERE f.ts_ns > e.ts_ns" 87
}
cross 1 && cross 2
result $? 'they are counted in the order in which they begin'
cross 3 && run 0 imbalance --show ranks --format csv --unit ns && python3 "$oracles/crossing.py" judge 3 <out
result $? 'a moment that a rank waits in several of them counts once'
finish
