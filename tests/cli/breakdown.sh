#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# breakdown: by hand, and against a program that knows only the definitions and the trace's own JSON.
# shellcheck source=tests/cli/lib.sh
. "$SRCDIR/tests/cli/lib.sh"
oracles=$SRCDIR/tests/oracles
command -v python3 >/dev/null || { echo '1..0 # SKIP python3 is not here'; exit 0; }
export PYTHONDONTWRITEBYTECODE=1

python3 "$oracles/trace_spans.py" >out && python3 "$oracles/breakdown.py" --self-test 2>&1 && filled out
result $? 'the oracle knows what one can count by hand'

# -- by hand: one kernel launched late, one at once, one held by its stream's neighbour -----------------------
span() { # CAT NAME PID TID BEGIN DURATION CORRELATION
    printf ',{"ph":"X","cat":"%s","name":"%s","pid":%s,"tid":%s,"ts":%s,"dur":%s,"args":{"correlation":%s,"stream":%s}}' "$1" "$2" "$3" \
        "$4" "$5" "$6" "$7" "$4"
}
{
    echo '{"schemaVersion":1,"distributedInfo":{"rank":0},"traceEvents":['
    printf '{"ph":"X","cat":"user_annotation","name":"ProfilerStep#4","pid":9,"tid":9,"ts":90,"dur":210,"args":{}}'
    span cuda_runtime cudaLaunchKernel 9 9 95 2 1
    span cuda_runtime cudaLaunchKernel 9 9 96 2 2
    span cuda_runtime cudaLaunchKernel 9 9 97 2 3
    span cuda_runtime cudaLaunchKernel 9 9 150 2 4
    span cuda_runtime cudaLaunchKernel 9 9 151 2 5
    span kernel gemm 0 7 100 20 1
    span kernel ncclDevKernel_AllReduce 0 20 110 20 2
    span gpu_memcpy 'Memcpy HtoD' 0 21 115 17 3
    span kernel gemm 0 7 160 10 4
    span kernel gemm 0 7 180 10 5
    span kernel gemm 0 7 290 30 0
    echo ']}'
} >hand.json
import hand.json
run 0 breakdown --format csv --unit us && has out \
    '0,device,220,70,10,0,2,0,0,0,138,28,10,0,100,20,50'
result $? 'compute, exposed communication, memory; idle by its cause; what is hidden'
run 0 breakdown && has out '1 rank: compute 31.8 %' 'idle 62.7 %' 'Idle: mostly unknown' && refute matches out 'Sync\|Runtime'
result $? 'a sentence first; no columns of zeros'
run 0 breakdown --per step --format csv --unit us && has out '0,4,device,230,70,10,0,2,0,0,0,0,148,20,50'
result $? 'a step lasts until its work ends'
run 0 breakdown --time-window 20:75 --format csv --unit us && has out '0,device,55,15,10,0,2,0,0,0,28,28,0,0,0,20,50'
result $? 'a time window cuts spans'
run 0 breakdown --filter op_cat=COMP --format csv --unit us && has out '0,device,220,70,0,0,0,0,0,0,12,138,28,10,0,100,0,' &&
    run 0 breakdown --filter op_cat=Comm --format csv --unit us && has out '0,device,220,0,10,0,0,0,0,0,72,138,28,10,0,100,20,50' &&
    run 0 breakdown --filter 'dur>15us' --format csv --unit us && has out '0,device,220,50,10,0,2,0,0,0,20,138,28,10,0,100,20,50' &&
    run 0 breakdown --filter op_cat=COMP && has out 'compute 31.8 %, left out 5.5 %, idle 62.7 %' 'Left out'
result $? 'a filter chooses what is told by class, and changes nothing else'
run 0 breakdown --per step --filter op_cat=Comm --format csv --unit us && has out '0,4,device,230,0,10,0,0,0,0,0,0,72,148,20,50' &&
    run 0 breakdown --filter rank=1 --format csv && [ "$(wc -l <"$scratch/out")" -eq 1 ] && has err 'no span matches'
result $? 'so in steps; and what has no chosen span has no row'
run 0 breakdown --show efficiency --filter op_cat=COMP && has err 'leave --filter out'
result $? 'efficiencies are of all spans'

# split FILE OPTION... : two filters that share the spans out share each number out, too, and each has the whole's time and idle
split() {
    _trace=$1
    shift
    : >parts.csv
    for _filter in 'name~.' 'name~MPI_Wait' 'name!~MPI_Wait'; do
        run 0 breakdown --filter "$_filter" --format csv --unit ns "$@" "$_trace" && cat "$scratch/out" && echo
    done >parts.csv && python3 - parts.csv <<'END'
import csv, sys
whole, some, others = ([row for row in csv.DictReader(part.split("\n"))] for part in open(sys.argv[1]).read().strip().split("\n\n"))
assert len(whole) > 1 and len(whole) == len(some) == len(others)
parts = ["compute_ns", "communication_exposed_ns", "wait_ns", "memory_ns", "sync_ns", "io_ns", "runtime_ns"]
for all_, one, other in zip(whole, some, others):
    assert all_["left_out_ns"] == "0" and int(one["left_out_ns"]) > 0
    assert all(all_[key] == one[key] == other[key] for key in ("time_ns", "idle_ns"))
    for key in parts:
        assert int(all_[key]) == int(one[key]) + int(other[key]), (key, all_, one, other)
    for row in (all_, one, other):
        assert sum(int(row[key]) for key in parts + ["left_out_ns", "idle_ns"]) == int(row["time_ns"]), row
END
}
split "$TRACETOOL_DATA/tau-mpi4" && split "$TRACETOOL_DATA/tau-mpi4" --per stream && split "$TRACETOOL_DATA/tau-mpi4" --time-window 2ms:9ms
result $? 'what filters share out adds up to the whole'
run 0 breakdown --of host --format csv --unit us && has out '0,host,58,0,0,0,0,0,0,7,51,,,,,0,'
result $? '--of host'
if has_terminals; then
    status=0
    for per in rank step stream; do
        STAND_IN_STATUS=0 script -qec "stty cols 80; '$TRACETOOL' --db '$db' breakdown --per $per" /dev/null </dev/null |
            tr -d '\r' | sed 's/\x1b\[[0-9;]*m//g' >narrow
        matches narrow 'Compute' && awk 'length > 80 { print "# " $0; bad = 1 } END { exit bad }' narrow || status=1
    done
    result $status 'tables fit 80 columns'
else
    skip 'tables fit 80 columns' 'script is not here'
fi
run 0 breakdown --per stream && has out 'rank0.0 7' '3 streams'
result $? '--per stream'
refuses 2 'rank, step, stream' breakdown --per pid && refuses 2 'auto, device, host' breakdown --of gpu
result $? 'words that are none'

# -- against the oracle -----------------------------------------------------------------------------------------
judged() { # TRACE : rows of every kind are those of the oracle
    import "$1" || return 1
    judged_any=1
    for per in rank step stream; do
        run 0 breakdown --per "$per" --format csv --unit ns --top 0 && python3 "$oracles/same-breakdown.py" "$per" out "$1" >judged ||
            return 1
        grep -q '^[1-9]' judged && judged_any=0
    done
    return $judged_any
}
status=0
seed=1
while [ $seed -le "${TEST_SEEDS:-$(often 20)}" ]; do
    python3 "$oracles/random-devices.py" $seed >random.json
    judged "$scratch/random.json" || { status=1; echo "# seed $seed"; }
    seed=$((seed + 1))
done
result $status 'made-up devices'
for trace in rank0 rank1 waits; do
    judged "$TRACETOOL_DATA/kineto/$trace.json"
    result $? "$trace.json"
done
for trace in alexnet event_sync_multi_stream event_sync_trace mi250_minitoy_train_ROCm6_2_kineto nccl_data sampled_rank-0 sampled_rank-1 \
    simple_add triton_example; do
    path=$SHARED_DATA/kineto/$trace.json.gz
    [ -f "$path" ] || { skip "$trace" 'the shared data are not here'; continue; }
    sampled || continue
    judged "$path"
    result $? "$trace"
done

# -- the host ------------------------------------------------------------------------------------------------------
spans="SELECT e.id, r.rank, e.pid || '/' || e.tid AS thread, 0 AS is_device, e.ts_ns AS begin_ns, e.ts_ns + e.dur_ns AS end_ns,
    CASE WHEN e.op_cat = 'Comm' OR (e.op_cat = 'SYNC' AND (e.op_name LIKE 'MPI~_%' ESCAPE '~' OR e.op_name LIKE 'MPI %')) THEN 'COMM'
    WHEN e.op_cat = 'I/O' THEN 'IO' ELSE e.op_cat END AS category, e.op_name AS name, e.step,
    NULL AS launch_begin_ns, e.depth FROM event e JOIN rank r ON r.pid = e.pid WHERE e.dur_ns IS NOT NULL
    AND ifnull(e.flags, '') NOT LIKE '%window%' AND ifnull(e.flags, '') NOT LIKE '%async%'"
for trace in tau-mpi4 pi-run ctf-hosts; do
    import "$TRACETOOL_DATA/$trace" && run 0 query "$spans" --format csv && cp out spans.csv &&
        run 0 breakdown --of host --format csv --unit ns --top 0 && python3 "$oracles/same-breakdown.py" rank out "$scratch/spans.csv"
    result $? "threads of the host: $trace"
done

# -- waits for other ranks: the columns add up, and the waits are those planted in real programs -----------------------------
adds_up() { # : each row of a csv in ns
    python3 - "$scratch/out" <<'P'
import csv, sys
rows = list(csv.DictReader(open(sys.argv[1])))
parts = ["compute", "communication_exposed", "wait", "memory", "sync", "io", "runtime", "idle"]
for row in rows:
    assert int(row["time_ns"]) == sum(int(row[part + "_ns"]) for part in parts), row
assert rows
P
}
# TAU's own barriers in collectives make waits that no program planted: waits tells how long.
waits_of() { # CAUSE : waits of the truth and of the rows are as long in sum, within 2 %
    true_ns=$(python3 "$oracles/mpi_truth.py" "$TRACETOOL_DATA/recorded/mpi/$1/truth.json" total | awk -F'\t' '{ sum += $6 } END { printf "%.0f", sum }')
    import "$TRACETOOL_DATA/recorded/mpi/$1/tau.trc.gz" "$TRACETOOL_DATA/recorded/mpi/$1/tau.edf.gz" &&
        run 0 waits --format csv --unit ns --top 0 &&
        tau_ns=$(awk -F, '$5 == "wait in sync" { sum += $1 } END { printf "%.0f", sum }' out) &&
        run 0 breakdown --per stream --format csv --unit ns --top 0 && adds_up || return 1
    awk -F, -v truth="$((true_ns + tau_ns))" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } NR > 1 { sum += $at["wait_ns"] }
        END { print "# " sum " ns, in truth " truth; exit !(truth > 1e6 && sum > 0.98 * truth && sum < 1.02 * truth) }' out
}
for cause in late-sender late-receiver barrier allreduce late-broadcast early-reduce waitall propagated; do
    sampled || continue
    waits_of "$cause"
    result $? "waits: $cause"
done
import "$TRACETOOL_DATA/recorded/mpi/barrier/tau.trc.gz" "$TRACETOOL_DATA/recorded/mpi/barrier/tau.edf.gz" && run 0 waits --format csv --unit ns --top 0 &&
    awk -F, 'NR > 1 && $5 != "wait at finalize" { sum += $1 } END { print sum }' out >told && run 0 breakdown --format csv --unit ns && adds_up &&
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } NR > 1 { sum += $at["wait_ns"] } END { print sum }' out >ours && cmp told ours
result $? 'the waits of the ranks are those of waits'
# Threads of MPI sleep as long as the program runs, and TAU has no name for them: they are no work that hides waits.
import "$TRACETOOL_DATA/recorded/mpi/thread-join/tau.trc.gz" "$TRACETOOL_DATA/recorded/mpi/thread-join/tau.edf.gz" &&
    run 0 breakdown --format csv --unit ns && adds_up && python3 - "$scratch/out" "$TRACETOOL_DATA/recorded/mpi/thread-join/truth.json" <<'P'
import csv, json, sys
row = next(r for r in csv.DictReader(open(sys.argv[1])) if r["rank"] == "1")
planted = sum(w["ns"] for w in json.load(open(sys.argv[2]))["waits"] if w["rank"] == 1)
print("#", row["wait_ns"], "ns, planted", planted)
assert planted > 9e7 and abs(int(row["wait_ns"]) / planted - 1) < 0.02
P
result $? 'threads of which nothing is known hide no waits'
import "$TRACETOOL_DATA/recorded/mpi/barrier/tau.trc.gz" "$TRACETOOL_DATA/recorded/mpi/barrier/tau.edf.gz"
run 0 breakdown --time-window 420ms:460ms --format csv --unit ns && adds_up && has out 'host,40000000,'
result $? 'in a time window, too'
run 0 breakdown && has out 'waits for other ranks' 'Wait'
result $? 'and in a table'

# -- efficiencies ------------------------------------------------------------------------------------------------------------
import "$TRACETOOL_DATA/tau-mpi4" && run 0 breakdown && python3 - "$scratch/out" <<'P'
import re, sys
text = open(sys.argv[1]).read()
said = [float(x) for x in re.search(r"efficiency ([\d.]+) % = load balance ([\d.]+) % x communication efficiency ([\d.]+) %", text).groups()]
more = [float(x) for x in re.search(r"efficiency ([\d.]+) % = serialisation ([\d.]+) % x transfer ([\d.]+) %", text).groups()]
rows = [line.split() for line in text.splitlines() if re.match(r"[0-3] ", line)]
useful = [float(r[1]) * float(r[2]) / 100 for r in rows]
assert len(useful) == 4 and abs(said[0] - said[1] * said[2] / 100) < 0.1, said
assert more[0] == said[2] and abs(more[0] - more[1] * more[2] / 100) < 0.1, more
assert abs(said[1] - 100 * sum(useful) / 4 / max(useful)) < 0.1, (said, useful)
P
result $? "POP's efficiencies multiply, and are those of the table"
# The same programs, run by a simulator on a network that costs nothing.
ideal() { # SCENARIO RANKS OPERATIONS SEED
    rm -rf simulated && python3 "$oracles/mpi_simulator.py" "$1" --ranks "$2" --operations "$3" --seed "$4" --resolution ns -o simulated &&
        import simulated && run 0 breakdown --show efficiency --format csv &&
        python3 "$oracles/ideal_network.py" "$@" >judged && sed '1d; s/\(.*\),\(.*\)/\2 \1/; s/load balance/load_balance/' out >ours &&
        paste -d' ' judged ours | awk '$1 != $3 || ($2 - $4) ^ 2 > 1e-12 { print "# " $0; bad = 1 } END { exit bad || NR != 5 }'
}
for scenario in balanced late-sender chain wrong-order late-receiver barrier nxn late-broadcast early-reduce propagated; do
    sampled || continue
    ideal $scenario 6 60 1 && ideal $scenario 4 60 2
    result $? "serialisation and transfer: $scenario"
done
# -- HolisticTraceAnalysis ----------------------------------------------------------------------------------------------
# What HTA 0.5.0 says of these traces, with the last step (include_last_profiler_step) and without rounding
# (HTA_DISABLE_NS_ROUNDING=1): get_temporal_breakdown (idle, compute and the rest, us) with
# get_comm_comp_overlap (%), and get_idle_time_breakdown by stream (waiting for the host, between kernels, other).
hta() { # TRACE... : the wanted lines on standard input
    cat >wanted
    for trace in "$@"; do [ -f "$SHARED_DATA/kineto/$trace.json.gz" ] || { echo "# no $trace"; return 1; }; done
    # shellcheck disable=SC2046
    import $(printf "$SHARED_DATA/kineto/%s.json.gz " "$@") && run 0 breakdown --format csv --unit us && cp out ranks && run 0 breakdown --per stream --format csv --unit us &&
        python3 - <<'P'
import csv
ranks = list(csv.DictReader(open("ranks")))
streams = {(r["rank"], r["stream"].split()[-1]): r for r in csv.DictReader(open("out"))}
n = 0
for line in open("wanted"):
    kind, rank, *numbers = line.split()
    if kind == "rank":
        row = next(r for r in ranks if r["rank"] == rank)
        found = [row["idle_us"], row["compute_us"], float(row["communication_exposed_us"]) + float(row["memory_us"]),
                 row["overlap_percent"]]
    else:
        row = streams[rank, numbers.pop(0)]
        found = [row["idle_host_wait_us"], row["idle_kernel_wait_us"], row["idle_other_wait_us"]]
    assert all(abs(float(x) - float(y)) < 0.0051 for x, y in zip(found, numbers, strict=True)), (line, found)
    n += 1
assert n > 0
P
}
if [ -d "$SHARED_DATA/kineto" ]; then
    hta nccl_data <<'T'
rank 0 503050.991 115655.847 41844.167 15.61
stream 0 7 540091.32 2150.34 0
stream 0 40 583924.26 0 0
T
    result $? 'HTA: nccl_data'
    hta sampled_rank-0 sampled_rank-1 <<'T'
rank 0 675191 210320 337336 14.95
rank 1 651136 271973 308077 19.93
stream 0 7 397917 3765 598335
stream 0 23 1214793 160 34
stream 0 25 560120 35 100413
stream 0 84 794901 6 3142
stream 0 203 558073 0 0
stream 1 7 407794 3475 524657
stream 1 23 1222526 134 30
stream 1 25 556447 17 91823
stream 1 84 715850 0 62586
stream 1 203 559033 0 0
T
    result $? 'HTA: two ranks'
    # Of these HTA counts what calls wait for on a stream (cuda_sync) as work; idle streams agree.
    hta alexnet <<'T'
stream 0 7 12855007 104 0
stream 0 20 12011718 3 0
T
    result $? 'HTA: alexnet'
    hta simple_add <<'T'
stream 0 7 15976739 91 0
stream 0 20 13582776 8 0
T
    result $? 'HTA: simple_add'
    hta mi250_minitoy_train_ROCm6_2_kineto <<'T'
stream 597913 0 8762.84 0 0
T
    result $? 'HTA: ROCm'
    hta event_sync_multi_stream <<'T'
stream 0 20 32 0 0
stream 0 24 0 15 0
stream 0 28 0 15 0
T
    result $? 'HTA: streams that wait for events'
else
    skip 'HTA' 'the shared data are not here'
fi

python3 "$oracles/hybrid_efficiency.py" hybrid >judged && import hybrid && run 0 breakdown --show efficiency --format csv && sed 1d out >ours &&
    paste -d, judged ours | awk -F, '$2 != $4 || ($1 - $3) ^ 2 > 1e-12 { print "# " $0; bad = 1 } END { exit bad || NR != 11 }'
result $? 'with OpenMP: hybrid, MPI and OpenMP'
run 0 breakdown && has out 'OpenMP efficiency 83.2 %' 'MPI communication efficiency 72.6 % = serialisation 75.0 % x transfer 96.8 %'
result $? 'in sentences'
import "$TRACETOOL_DATA/tau-mpi4" && run 0 breakdown --of device && has err 'no work on devices'
result $? 'a run without devices says so'
refuses 2 'leave --per out' breakdown --show efficiency --per step && refuses 2 'times, efficiency' breakdown --show waits
result $? '--show efficiency is of all ranks'
import hand.json && run 0 breakdown --show efficiency && has err 'two or more ranks'
result $? 'and of two or more'
import "$TRACETOOL_DATA/tau-mpi4"
run 0 breakdown --per step && has err 'in a step'
result $? 'or without steps'
finish
