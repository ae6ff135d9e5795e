#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# PyTorch's traces replayed: programs of a simulator that is written from the definitions of CUDA and autograd, which runs
# the changes as well; and recordings as they are.
. "$SRCDIR/tests/cli/lib.sh"

# said KEY : that number of the JSON in out
said() {
    sed -n "s/^ *\"$1\": *\\([-0-9.]*\\),*\$/\\1/p" out | grep . || sed -n "s/.*\"$1\": *\\([-0-9.]*\\).*/\\1/p" out | head -1 | grep .
}
holds() { # EXPRESSION of awk
    awk "BEGIN { exit !($1) }"
}

# -- as recorded -------------------------------------------------------------------------------------------------------
replayed() { # FILE... : the replay takes what the recording took
    import -q "$@" && run 0 --db "$db" simulate --format json && filled out && said measured_us >measured && said predicted_us >predicted &&
        holds "$(cat measured) > 0 && $(cat predicted) == $(cat measured)" && return 0
    echo "# $*: $(cat predicted) us for $(cat measured) us"
    return 1
}
status=0
for trace in amd first graph hip-graph late0 late1 middle odd old rank0 rank1 waits; do
    replayed "$TRACETOOL_DATA/kineto/$trace.json" || status=1
done
replayed "$TRACETOOL_DATA/kineto/rank0.json" "$TRACETOOL_DATA/kineto/rank1.json" && [ $status -eq 0 ]
result $? 'what was recorded, as it was'

# A timeline of TensorFlow: c takes tensors of a, on its own thread, and of b, on another, which it waited 10 us for. By hand.
cat >timeline.json <<'END'
{"traceEvents":[{"ph":"M","pid":1,"name":"process_name","args":{"name":"/job:localhost/replica:0/task:0/cpu:0 Compute"}},
{"ph":"X","cat":"Op","pid":1,"tid":0,"ts":1000,"dur":100,"name":"MatMul","args":{"name":"a","op":"MatMul"}},
{"ph":"X","cat":"Op","pid":1,"tid":1,"ts":1010,"dur":190,"name":"MatMul","args":{"name":"b","op":"MatMul"}},
{"ph":"X","cat":"Op","pid":1,"tid":0,"ts":1210,"dur":100,"name":"Add","args":{"name":"c","op":"Add","input0":"a","input1":"b"}},
{"ph":"s","cat":"DataFlow","pid":1,"tid":1,"ts":1200,"name":"b","id":1},
{"ph":"t","cat":"DataFlow","pid":1,"tid":0,"ts":1210,"name":"b","id":1}]}
END
replayed timeline.json && status=0 && for row in b=0.5,215 b=0,210 a=3,410 c=2,410; do
    run 0 --db "$db" simulate --format json --op "FW.${row%,*}" && [ "$(said predicted_us)" = "${row#*,}.000" ] || status=1
done && [ $status -eq 0 ]
result $? 'TensorFlow: an operator waits for what it takes of other threads'
status=0
for trace in "$SHARED_DATA"/framework/tf_timeline/*.json; do
    [ ! -f "$trace" ] || replayed "$trace" || status=1
done
[ $status -eq 0 ] && [ -s measured ]
result $? 'timelines of TensorFlow, as they were'

if [ -d "$SHARED_DATA/kineto" ]; then
    status=0
    for trace in alexnet cpu_only_rank-34 event_sync_multi_stream event_sync_trace mi250_minitoy_train_ROCm6_2_kineto nccl_data sampled_rank-0 sampled_rank-1 \
        simple_add triton_example; do
        sampled || continue
        replayed "$SHARED_DATA/kineto/$trace.json.gz" || status=1
    done
    [ $status -eq 0 ]
    result $? 'likewise of others'
else
    skip 'likewise of others' 'no shared data'
fi

# By hand: the 300 us of a step end 100 us after the last of `third` (181 to 200) and `beside` (126 to 150), which the
# host waits for; `third` follows `second` (130 to 180), whose stream waits for `first` (25 to 125).
changed() { # US OPTION... : so long is the step with it
    us=$1
    shift
    run 0 --db "$db" simulate --format json "$@" && filled out && holds "$(said predicted_us) == $us" && return 0
    echo "# $*: $(said predicted_us), not $us"
    return 1
}
import -q "$TRACETOOL_DATA/kineto/waits.json" && changed 250 --remove COMP.second && changed 400 --op COMP.first=2 && changed 310 --delay COMP.third=10 &&
    changed 300 --op COMP.beside=2 && changed 274 --remove name=COMP.second --op COMP.beside=2
result $? 'a queue that waits for another, worked out by hand'
import -q "$TRACETOOL_DATA/kineto/late0.json" "$TRACETOOL_DATA/kineto/late1.json" && changed 190 && changed 146.5 --op 'op_long_name=rank1.4001->COMP.aten::nonzero=0.5'
result $? 'a rank that another waits for, worked out by hand'
run 0 --db "$db" simulate --show path && has out 'rank1.4001->COMP.aten::nonzero' && run 0 --db "$db" simulate --show kinds --format csv &&
    column kind | grep -qx Comm && run 0 --db "$db" simulate --sweep --show sweep --format csv && column value | grep -qx 'COMP.aten::nonzero'
result $? 'the path goes through the rank that is late'
run 0 --db "$db" simulate --sweep-over delay=COMP.aten::nonzero=10:20,op=COMP.aten::nonzero=0.5:2 --show points --format csv && lines out 5 &&
    run 0 --db "$db" simulate -o schedule.json && has schedule.json rank1.4001 ncclDevKernel
result $? 'sweeps and the schedule'
refuses_hosts() { # OPTION... : without what shares a host, and with that, for what the traces do not say
    for option; do
        refuses 2 'which ranks share a host' --db "$db" simulate "--$option" &&
            refuses 2 'do not say how many bytes' --db "$db" simulate --ranks-per-host 1 "--$option" || return 1
    done
}
refuses 2 'do not say how many bytes' --db "$db" simulate --bandwidth 2 && refuses 2 'do not say how many bytes' --db "$db" simulate --latency 2 &&
    refuses_hosts gpus=4 gpus-per-host=2 nic-bandwidth=2 && refuses 2 'one name for rings and trees' --db "$db" simulate --algo tree && refuses 2 'any number of channels' --db "$db" simulate --channels 2 &&
    refuses 2 'how many NICs hosts have' --db "$db" simulate --nics 2 && refuses 2 'is not a number from 1 to 4096' --db "$db" simulate --ranks-per-host 0 && refuses 2 'are about Horovod' --db "$db" simulate --no-overlap && refuses 2 'about the model of jobs' --db "$db" simulate --recv traced && refuses 2 'has no rank 7' --db "$db" simulate --straggler 7=2 &&
    refuses 2 'no operation of this job' --db "$db" simulate --op COMP.nothing=2
result $? 'what is not known is refused'

# -- programs of a simulator -------------------------------------------------------------------------------------------
if ! command -v python3 >/dev/null; then
    skip 'programs of a simulator' 'python3 is not here'
    finish
    exit 0
fi
# near LIMIT : the program as it was is right, and each what-if within LIMIT % of what the program took so
near() {
    python3 - "$TRACETOOL" "$db" sim/truth.json "$1" <<'END'
import json, subprocess, sys
tool, db, truth, limit = sys.argv[1], sys.argv[2], json.load(open(sys.argv[3])), float(sys.argv[4])
def predict(words):
    run = subprocess.run([tool, "--db", db, "simulate", "--format", "json"] + words, capture_output=True, text=True)
    if run.returncode:
        sys.exit("# %s: %s" % (" ".join(words), run.stderr))
    return json.loads(run.stdout)
base = predict([])["predicted_us"]
if abs(base / truth["baseline"] - 1) > 1e-5 or len(truth["what_if"]) < 9:
    sys.exit("# as it was: %s us, not %s" % (base, truth["baseline"]))
network = 0
for words, us in truth["what_if"].items():
    answer = predict(words.split())
    error = 100 * (answer["predicted_us"] / base / (us / truth["baseline"]) - 1)
    if any(word in words for word in ("bandwidth", "latency", "compression")):
        # What the trace does not tell is in the interval.
        is_near = abs(error) < 15 and (abs(error) < 3 or answer["low_us"] <= us <= answer["high_us"])
        network += 1
    else:
        is_near = abs(error) < limit
    if not is_near:
        sys.exit("# %s: %+.2f %%" % (words, error))
if network != (7 if "network" in truth else 0):
    sys.exit("# %d what-ifs of the network" % network)
END
}
# judged LIMIT RANKS SEED OPTION...
judged() {
    limit=$1 n_ranks=$2 seed=$3
    shift 3
    rm -rf sim
    python3 "$SRCDIR/tests/oracles/torch_simulator.py" --seed "$seed" --ranks "$n_ranks" -o sim "$@" && import -q sim/rank*.json && near "$limit" && return 0
    echo "# seed $seed, $n_ranks ranks $*"
    return 1
}
status=0
for seed in $(seeds 6); do
    judged 1 1 "$seed" && judged 1 2 "$((seed + 1000))" || status=1
done
[ $status -eq 0 ]
result $? 'random programs on one rank and on two: ratios within 1 %'
judged 1 2 3 && judged 1 2 17 && judged 1 4 4
result $? 'parameters in parts, gathered before each layer: likewise'

# hosted RANKS SEED : what other hosts make of the program is in the interval, or within 5 %
hosted() {
    rm -rf sim
    python3 "$SRCDIR/tests/oracles/torch_simulator.py" --seed "$2" --ranks "$1" -o sim && import -q sim/rank*.json && python3 - "$TRACETOOL" "$db" sim/truth.json <<'END'
import json, subprocess, sys
tool, db, truth = sys.argv[1], sys.argv[2], json.load(open(sys.argv[3]))
for words, us in truth["hosts"].items():
    run = subprocess.run([tool, "--db", db, "simulate", "--format", "json"] + words.split(), capture_output=True, text=True)
    if run.returncode:
        sys.exit("# %s: %s" % (words, run.stderr))
    answer = json.loads(run.stdout)
    error = 100 * (answer["predicted_us"] / answer["before_us"] / (us / truth["baseline"]) - 1)
    print("# %s: %+.2f %%, %.0f us in %.0f to %.0f" % (words, error, us, answer["low_us"], answer["high_us"]))
    if abs(error) > 5 and not answer["low_us"] <= us <= answer["high_us"]:
        sys.exit(1)
sys.exit(not truth["hosts"])
END
}
hosted 4 3 && hosted 4 9 && hosted 8 2
result $? 'other hosts, and more or fewer ranks'

# on_path RANKS SEED : the measured path has as much computing on devices as makes the run longer
on_path() {
    rm -rf sim
    python3 "$SRCDIR/tests/oracles/torch_simulator.py" --seed "$2" --ranks "$1" -o sim && import -q sim/rank*.json &&
        run 0 --db "$db" critical-path --show ops --top 0 --unit ns --format csv && python3 - out sim/truth.json <<'END'
import csv, json, sys
rows = list(csv.DictReader(open(sys.argv[1])))
truth = 1000 * json.load(open(sys.argv[2]))["kernels_on_path_us"]
length = sum(int(row["time_ns"]) for row in rows)
kernels = sum(int(row["time_ns"]) for row in rows if row["name"].split(".", 1)[-1].startswith(("gemm_", "add_", "loss", "update")))
print("# %.2f %% of the path are kernels, %.2f %% by simulation" % (100 * kernels / length, 100 * truth / length))
sys.exit(abs(kernels - truth) > 0.01 * length)
END
}
same_waits() { # of the program that was imported last
    run 0 --db "$db" waits --by rank,kind --top 0 --unit ns --format csv && python3 - out sim/truth.json <<'END'
import csv, json, sys
found = {}
for row in csv.DictReader(open(sys.argv[1])):
    rank = found.setdefault(row["rank"], {"ranks": 0, "host": 0})
    if row["kind"] in ("wait at NxN", "late broadcast", "early reduce"):
        rank["ranks"] += int(row["wait_ns"])
    elif row["kind"] == "host waits for device":
        rank["host"] += int(row["wait_ns"])
truth = json.load(open(sys.argv[2])).get("waits_ns", {})
print("#", truth)
if any(found.get(rank) != waits for rank, waits in truth.items()):
    sys.exit("# not so: %s" % found)
END
}
status=0
for seed in 3 4 16 17 22; do
    sampled || continue
    { on_path 2 "$seed" && same_waits; } || { status=1 && echo "# seed $seed"; }
done
on_path 4 5 && same_waits && on_path 1 7 && [ $status -eq 0 ]
result $? 'the measured path of such programs: computing as much as makes the run longer; waits to the nanosecond'
judged 5 4 2 --only-rank 0
result $? 'one rank of four'
status=0
for seed in $(seeds 3); do
    judged 6 2 "$((seed + 2000))" --no-marks && run 0 --db "$db" simulate && has err 'which queue of a device waits' || status=1
done
[ $status -eq 0 ]
result $? 'where the trace does not say which queue waits for which: within 6 %'
finish
