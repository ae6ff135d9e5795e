#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Predictions beside what a simulator of Horovod and NCCL, which is written from their definitions, knows of its jobs.
. "$SRCDIR/tests/cli/lib.sh"
if ! command -v python3 >/dev/null; then
    skip 'jobs of a simulator' 'python3 is not here'
    finish
    exit 0
fi

# job SEED OPTION... : $job.db, and its truth, with what-ifs unless told otherwise
job() {
    job=job$1; rm -rf "$job" "$job.db"
    seed=$1
    shift
    python3 "$SRCDIR/tests/oracles/job-simulator.py" --seed "$seed" --out "$job" --write-truth "$job.json" "$@" && run 0 --db "$job.db" import -q "$job" &&
        filled "$job.db"
}
# The interval must hold the truth, too, and be no wider than a fifth to each side, or $widest in all.
# near LIMIT NAME OPTION... : within LIMIT % of the iteration that the simulator has for the what-if NAME, or of the job as it is
near() {
    limit=$1 name=$2
    shift 2
    run 0 --db "$job.db" simulate --format json "$@" && filled out && cat out >"$job.out" &&
        python3 - "$job.json" "$job.out" "$name" "$limit" "${widest:-0.4}" <<'END'
import json, sys
truth, out = json.load(open(sys.argv[1])), json.load(open(sys.argv[2]))
true = truth["baseline"] if sys.argv[3] == "baseline" else truth["what_if"][sys.argv[3]]
error = 100 * (out["predicted_us"] / true["iteration_us"] - 1)
print("# %s: %+.2f %%" % (sys.argv[3], error))
wide = (out["high_us"] - out["low_us"]) / out["predicted_us"]
sys.exit(abs(error) > float(sys.argv[4]) or not out["low_us"] < true["iteration_us"] < out["high_us"] or wide > float(sys.argv[5]))
END
}

python3 "$SRCDIR/tests/oracles/job-simulator.py" --check >checked && [ "$(grep -c '^ok ' checked)" -ge 10 ] && refute has checked WRONG
result $? 'the simulator itself, beside times that were worked out by hand'

while read -r seed text; do
    job "$seed" --no-what-ifs && near 1.5 baseline
    result $? "$text: within 1.5 %"
done <<'END'
30 updates that wait for groups of one tensor
20 a host with a slow NIC, and communication after the last BW
25 tensors that are fused otherwise in other steps, enqueued ahead
28 a bus that NIC and GPUs share
19 stalls of the host and a straggler
END

job 24 --what-if bandwidth=2 --what-if bandwidth=0.5 --what-if bandwidth=2,compute=1.5 --what-if compression=0.5 --what-if nic-bandwidth=2 \
    --what-if algo=tree --what-if gpus=8 --what-if gpus=2 --what-if nics=2 --what-if fusion=0 --what-if no-overlap &&
    near 3 bandwidth=2 --bandwidth 2 && near 3 bandwidth=0.5 --bandwidth 0.5 && near 3 bandwidth=2,compute=1.5 --bandwidth 2 --compute 1.5 &&
    near 3 compression=0.5 --compression 0.5 && near 3 nic-bandwidth=2 --nic-bandwidth 2
result $? 'bandwidths, compression, two at once: within 3 %'
near 3 algo=tree --algo tree && near 3 gpus=8 --gpus 8 && near 3 gpus=2 --gpus 2 &&
    { widest=0.7; near 3 nics=2 --nics 2; } # which GPU would use which NIC is not told
result $? 'trees instead of rings, NICs, other numbers of GPUs: within 3 %'
widest=0.4
near 3 fusion=0 --fusion 0 && near 3 no-overlap --no-overlap
result $? 'no fusion, no overlap: within 3 %'
widest=0.6
job 108 --what-if algo=nvls && near 3 algo=nvls --algo nvls && has err 'a switch that adds' && job 5 --what-if algo=nvls && near 2 algo=nvls --algo nvls
result $? 'NVLS instead of rings: within 3 %'
widest=1
job 332 --what-if algo=nvls && near 5 algo=nvls --algo nvls
result $? 'NVLS on three hosts, of which one has a slow NIC: within 5 %'
widest=0.4
job 4 --no-what-ifs && refuses 2 'share a bus' --db "$job.db" simulate --algo nvls && job 2 --no-what-ifs &&
    refuses 2 'one GPU each' --db "$job.db" simulate --algo nvls && refuses 2 'dPRO has no NVLS' --db "$job.db" simulate --algo nvls --lanes shared
result $? 'NVLS is refused where GPUs share a bus, where hosts have one, and as dPRO'

# One host's NIC has half of what the others' have: more hosts over trees, and which hosts fewer GPUs would be on; what of
# their trees a ring would be is not told.
widest=0.9
job 202 --what-if gpus=16 --what-if algo=ring && near 5 gpus=16 --gpus 16 && has err 'the NICs of host7 at 50 % of that' && near 5 algo=ring --algo ring
result $? 'a NIC that is slower than those of other hosts: within 5 %'
widest=0.4

# What NCCL's own files say of links that the trace does not: job 16 is bound by what a channel copies, not by its bus.
job 16 --what-if bandwidth=2 && ! near 20 bandwidth=2 --bandwidth 2 && near 1 bandwidth=2 --bandwidth 2 --topology "$job/nccl_topo.xml" &&
    has err 'from GPU to GPU PIX at 12.0 GB/s' 'a channel 2114 MB/s at most' && near 1 bandwidth=2 --bandwidth 2 --topology "$job/nccl_graph.xml"
result $? 'bandwidth of links that are not what is slow: within 1 % with the topology of NCCL'
widest=0.5
job 2 --what-if gpus-per-host=2 && ! near 25 gpus-per-host=2 --gpus-per-host 2 && has err 'like the others' &&
    near 8 gpus-per-host=2 --gpus-per-host 2 --topology "$job/nccl_graph.xml" && has err 'what the topology says they can be'
result $? 'GPUs that share a host, of which none did: within 8 % with the topology of NCCL'
job 10 --what-if compute=1.5 && near 8 compute=1.5 --compute 1.5
result $? 'tensors that are ready earlier meet other cycles: the interval holds the truth'
finish
