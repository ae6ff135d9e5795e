#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The measured path of training jobs: against a judge that reads their files and holds each piece against the definitions;
# against the generator's own schedule; and against causes that were planted.
# shellcheck source=tests/cli/lib.sh
. "$SRCDIR/tests/cli/lib.sh"
if ! command -v python3 >/dev/null; then
    skip 'paths of jobs' 'python3 is not here'
    finish
    exit 0
fi
generator=$TRACETOOL_DATA/generators/job.py
judge=$SRCDIR/tests/oracles/job_path.py

make_job() { # OPTION... : j/, j.json (its truth), $db
    rm -rf j && mkdir j && python3 "$generator" j --truth j.json "$@" && import -q j && filled "$db"
}
segments() { # OPTION... : the pieces, in segments.csv
    run 0 --db "$db" critical-path --show segments --format csv --unit us --top 0 "$@" && cp out segments.csv && filled segments.csv
}
judged() { # JOB [SKEW_US] : every piece is right; each host's clock is so much ahead of the one before
    python3 "$judge" "$1" segments.csv 0 "${2-1500}" $((2 * ${2-1500})) $((3 * ${2-1500})) >judged
    _status=$?
    sed 's/^/# /' judged
    return $_status
}
unexplained() { # PERCENT : less of the path is in no span, and all of it is there
    run 0 --db "$db" critical-path --format json --unit us >/dev/null && python3 - "$1" <<'END'
import json, sys
path = json.load(open("out"))
outside, whole = path["outside_us"], path["path_us"]
rows = sum(row["time_us"] for row in path["ops"])
assert abs(rows - whole) < 1e-3 * len(path["ops"]), (rows, whole)
print("# %.2f %% in no span" % (100 * outside / whole))
sys.exit(not 0 < outside < whole * float(sys.argv[1]) / 100)
END
}

# -- real files of a job -----------------------------------------------------------------------------------------
job=${SHARED_DATA:-/nowhere}/framework/job_2x2
if [ -d "$job" ]; then
    import -q "$job" && segments && judged "$job" && unexplained 2
    result $? 'two hosts of two GPUs: each piece, and less than 2 % in no span'
    segments --step 1 && run 0 --db "$db" critical-path --step 1 --format json && has out '"path_us": 6767.000' '"steps_on_path": 1,' &&
        [ "$(wc -l <segments.csv)" -gt 100 ]
    result $? 'one step of it'
    run 2 --db "$db" critical-path --step 9 && has err 'no operator is in step 9'
    result $? 'a step that is not there'
else
    skip 'two hosts of two GPUs' 'no shared data'
fi

# -- rings -------------------------------------------------------------------------------------------------------------
ring() { # OPTION...
    make_job --kind ring "$@" && segments && judged j && unexplained 2
    result $? "ring $*: each piece"
}
ring
ring --jitter 0
ring --hosts 1 --gpus 4 --channels 1 --loops 3
ring --hosts 4 --gpus 1 --slices 2 --seed 5
ring --hosts 2 --gpus 4 --layers 12 --fuse 4 --seed 21 --steps 2

# -- parameter servers ------------------------------------------------------------------------------------------------------
# The generator knows what started each thing: the last step's path is that, span for span.
servers() { # OPTION...
    make_job --kind byteps "$@" && segments && python3 - <<'END'
import csv, json, sys
truth = json.load(open("j.json"))["path"]
path = ["%s->%s" % (row["pid"], row["name"]) for row in csv.DictReader(open("segments.csv")) if not row["name"].startswith("(")]
wrong = [pair for pair in zip(path[-len(truth):], truth) if pair[0] != pair[1]]
for pair in wrong[:3]:
    print("# %s instead of %s" % pair)
sys.exit(len(truth) < 20 or wrong != [])
END
    result $? "parameter servers $*: span for span"
}
servers --gpus 1 --servers 1
servers --servers 2 --layers 10 --seed 3
servers --servers 2 --barrier
servers --hosts 4 --gpus 1 --servers 3 --part-bytes 400000 --seed 5

# -- causes that were planted --------------------------------------------------------------------------------------------------
# What one rank does for longer in each step is on the path, all of it, on that rank: --slow RANK:NAME:US, of raw and standard name.
planted() { # PID NAME RANK:RAW:US OPTION...
    pid=$1 name=$2 slow=$3
    shift 3
    make_job --slow "$slow" "$@" && segments && python3 - "$pid" "$name" "${slow##*:}" <<'END'
import csv, sys
pid, name, us = sys.argv[1], sys.argv[2], float(sys.argv[3])
times = [float(row["time_us"]) for row in csv.DictReader(open("segments.csv")) if row["pid"] == pid and row["name"] == name]
print("# %d times, %.0f us" % (len(times), sum(times)))
sys.exit(len(times) != 4 or not all(us < x < us + 260 for x in times))
END
    result $? "$name takes longer on $pid $*"
}
for kind in ring tree; do
    planted host0.rank1 BW.gradient_tape/model/dense_4/MatMul 1:gradient_tape/model/dense_4/MatMul:800 --kind $kind --seed 2
    planted host1.rank1 FW.model/dense_2/MatMul 3:model/dense_2/MatMul:800 --kind $kind --seed 3
    planted host1.rank0 I/O_0 2:I/O_0:900 --kind $kind --seed 4
done
planted traces_1.rank0 FW.model/dense_2/MatMul 2:model/dense_2/MatMul:800 --kind byteps

# -- what is shown ---------------------------------------------------------------------------------------------------------------
make_job --kind ring && run 0 --db "$db" critical-path && has out 'The run is bounded by computation' 'the whole run of 4 steps' 'each (mean)' 'late ranks in collectives' \
    '(launched or released, not yet begun)' '(not in any span)' 'communication' && has err 'critical-path --model'
result $? 'the tables'
run 0 --db "$db" critical-path --show steps --format csv --unit us && [ "$(body | wc -l)" -eq 4 ] && cp out steps.csv &&
    run 0 --db "$db" critical-path --format json --unit us && python3 - <<'END'
import csv, json
steps, path = list(csv.DictReader(open("steps.csv"))), json.load(open("out"))
assert abs(sum(float(row["time_us"]) for row in steps) - path["path_us"]) < 0.01
for row in steps:
    kinds = ("computation", "communication", "copy", "input", "launch", "sync", "idle")
    assert abs(sum(float(row[kind + "_us"]) for kind in kinds) - float(row["time_us"])) < 0.01, row
END
result $? 'steps and kinds add up to the run'
run 0 --db "$db" critical-path -o path.json && run 0 --db "$db" critical-path --show segments --format csv --top 0 &&
    [ "$(grep -o '"critical_path":true' path.json | wc -l)" -gt 100 ] &&
    [ "$(grep -o '"critical_path":true' path.json | wc -l)" -le "$(body | wc -l)" ]
result $? 'the path in the exported trace'
run 0 --db "$db" critical-path --show segments --format csv --unit us --top 0 && cp out segments.csv && python3 - <<'END'
import csv, json
events = json.load(open("path.json"))["traceEvents"]
pid = next(event["pid"] for event in events if event.get("args", {}).get("name") == "critical path")
assert not [event for event in events if event["pid"] == pid and event["ph"] not in "XM"]
shown = [(event["args"]["pid"], event["args"]["tid"], event["ts"], event["dur"]) for event in events if event["pid"] == pid and event["ph"] == "X"]
rows = [row for row in csv.DictReader(open("segments.csv")) if float(row["time_us"]) > 0]
first = min(event["ts"] for event in events if event["ph"] == "X")
assert len(shown) == len(rows) > 100
for (process, thread, begin, us), row in zip(shown, rows):
    assert (process, thread) == (row["pid"], row["tid"]), row
    assert abs(begin - first - float(row["begin_us"])) < 0.002 and abs(us - float(row["time_us"])) < 0.002, (begin, row)
END
result $? 'and as a line of its own'
# Transfers that one host dates 400 us too early: what they needed is done after them.
make_job --kind ring --skew 0 && find j/host1 -name comm_detail.json -exec python3 -c '
import json, sys
for name in sys.argv[1:]:
    detail = json.load(open(name))
    for event in detail["traceEvents"]:
        event["ts"] = round(event["ts"] - 400, 3)
    json.dump(detail, open(name, "w"))' {} + && import -q j && run 0 --db "$db" critical-path && matches out 'ended before what .* not followed' &&
    unexplained 100
result $? 'transfers at impossible times are told'
# A model that waits for itself has no path; its threads have.
make_job --kind ring && sed -i 's/^  edge \[ source \([0-9]*\) target \([0-9]*\) \]$/&\n  edge [ source \2 target \1 ]/' j/host0/0/dag.gml && import -q j &&
    run 0 --db "$db" critical-path && has err 'the path goes along threads, not through the job: ' cycle && has out 'thread begin'
result $? 'a graph with a cycle'

# -- waits -------------------------------------------------------------------------------------------------------
# Each rank's waits for the last to come to Sync, by spans alone.
same_waits() {
    run 0 --db "$db" waits --by name,rank --format csv --unit ns --top 0 && filled out && cp out waits.csv &&
        python3 "$SRCDIR/tests/oracles/job_waits.py" "$db" waits.csv >judged
    _status=$?
    sed 's/^/# /' judged
    return $_status
}
make_job --kind ring --seed 5 && same_waits
result $? 'waits of a job'
run 0 --db "$db" waits --filter 'sub_op=Sync' --format csv --by kind && has out 'wait at NxN' && cp out all && run 0 --db "$db" waits --filter \
    'sub_op=Sync' --by kind --format csv --time-window ':5ms' --unit ms && has out 'wait at NxN' && ! cmp -s out all
result $? 'chosen waits of a job'
# Causes: as planted. What an operator that takes longer costs is what it adds to the waits, at least, and no more than all;
# costs add up to the waits.
dear() { # PID NAME FEWER_NS : the first row; @FEWER_NS: the waits without it
    run 0 --db "$db" waits --by kind --format csv --unit ns --top 0 && cp out waits.csv &&
        run 0 --db "$db" waits --show causes --format csv --unit ns --top 0 && filled out && cp out causes.csv &&
        python3 - "$@" <<'END'
import csv, sys
pid, name, fewer = sys.argv[1], sys.argv[2], int(sys.argv[3])
waits = sum(int(row["wait_ns"]) for row in csv.DictReader(open("waits.csv")))
rows = list(csv.DictReader(open("causes.csv")))
cost = int(rows[0]["cost_ns"])
print("# %.2f of %.2f ms, without it %.2f" % (cost / 1e6, waits / 1e6, fewer / 1e6))
assert sum(int(row["cost_ns"]) for row in rows) == waits > 0
assert (rows[0]["pid"], rows[0]["path"]) == (pid, name), rows[0]
sys.exit(not 0.98 * (waits - fewer) <= cost <= waits or waits < 1.5 * fewer)
END
}
dearest() { # PID NAME RANK:RAW:US OPTION...
    pid=$1 name=$2 slow=$3
    shift 3
    make_job "$@" && run 0 --db "$db" waits --by kind --format csv --unit ns --top 0 && body | awk -F, '{ sum += $1 } END { printf "%d\n", sum }' >fewer &&
        make_job --slow "$slow" "$@" && dear "$pid" "$name" "$(cat fewer)"
    result $? "$name on $pid makes others wait $*"
}
for kind in ring tree; do
    for jitter in 0 0.02; do
        dearest host0.rank1 BW.gradient_tape/model/dense_4/MatMul 1:gradient_tape/model/dense_4/MatMul:800 --kind $kind --seed 2 --jitter $jitter
        dearest host1.rank1 FW.model/dense_2/MatMul 3:model/dense_2/MatMul:800 --kind $kind --seed 3 --jitter $jitter
        dearest host1.rank0 I/O_0 2:I/O_0:900 --kind $kind --seed 4 --jitter $jitter
    done
done
run 0 --db "$db" waits --show causes --filter rank=1 --format csv --unit ns --top 0 && cp out causes.csv &&
    run 0 --db "$db" waits --by rank --format csv --unit ns --top 0 && python3 - <<'END'
import csv
told = sum(int(row["cost_ns"]) for row in csv.DictReader(open("causes.csv")))
assert told == sum(int(row["wait_ns"]) for row in csv.DictReader(open("out")) if row["rank"] == "1") > 0
END
result $? 'causes of chosen waits of a job'
run 0 --db "$db" waits --show causes && has out 'host1.rank0 makes others wait' 'by I/O_0' && run 0 --db "$db" waits --show causes --filter rank=77 &&
    [ ! -s out ] && has err 'no wait for another rank matches'
result $? 'and their table'
if [ -d "$job" ]; then
    import -q "$job" && same_waits
    result $? 'waits of a real job'
fi
finish
