#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# One time of a trace that is far from all others, in every JSON format: it makes neither the run long nor a total large,
# and is told with its place. Long idle times that may be true are left alone.
# shellcheck source=tests/cli/lib.sh
. "$SRCDIR/tests/cli/lib.sh"
lone=$SRCDIR/tests/oracles/lone-times.py

if ! command -v python3 >/dev/null; then
    skip 'lone times' 'no python3'
    finish
    exit 0
fi

load() { # NAME FILE : NAME.db, with the summary in NAME.out
    rm -f "$scratch/$1.db"
    run 0 --db "$scratch/$1.db" import "$2" && mv "$scratch/out" "$scratch/$1.out"
}

# spoils KEY CHANGE... < FILES : each change of the number of KEY at three places
spoils() {
    key=$1
    shift
    status=0
    while read -r file; do
        load sound "$TRACETOOL_DATA/$file" || return 1
        for change; do
            for nth in 0.3 0.5 0.7; do
                sampled || continue
                python3 "$lone" spoil "$TRACETOOL_DATA/$file" "$scratch/spoilt.json" "$key" "$nth" "$change" &&
                    load spoilt "$scratch/spoilt.json" &&
                    python3 "$lone" judge "$scratch/sound.db" "$scratch/spoilt.db" >"$scratch/judged" 2>&1 &&
                    grep -q ' rows, ' "$scratch/judged" && continue
                echo "# $file: $key $nth $change: $(cat "$scratch/judged")"
                status=1
            done
        done
    done
    return $status
}

spoils ts 0 ^50 ^48 <<'E'
kineto/rank0.json
framework/tensorflow/timeline.json
framework/tensorflow-profiler/trace.json
framework/mxnet-imperative/dump.json
framework/horovod/patched.json
framework/nccl/comm_detail.json
framework/byteps/comm_timeline.json
framework/byteps/worker.json
framework/xprof/gpu.trace.json
E
result $? 'no run is longer for one begin at 0, or with a flipped high bit'

spoils dur 100000000000000 ^50 <<'E'
kineto/rank0.json
framework/tensorflow/timeline.json
framework/tensorflow-profiler/trace.json
framework/nccl/comm_detail.json
framework/byteps/worker.json
framework/xprof/gpu.trace.json
E
result $? 'nor for one duration of three years'

echo rocprof/train.json >"$scratch/rocprof" &&
    spoils start_timestamp 0 ^50 ^56 <"$scratch/rocprof" && spoils end_timestamp 0 ^50 ^56 <"$scratch/rocprof"
result $? 'the same in nanoseconds'

# Nearer than an hour: its place among the records of its thread tells.
status=0
n_near=0
while read -r file key nth change; do
    load sound "$TRACETOOL_DATA/$file" &&
        python3 "$lone" spoil "$TRACETOOL_DATA/$file" "$scratch/spoilt.json" "$key" "$nth" "$change" &&
        load spoilt "$scratch/spoilt.json" && has spoilt.out '1 event far in time from all others' &&
        python3 "$lone" judge "$scratch/sound.db" "$scratch/spoilt.db" >"$scratch/judged" 2>&1 &&
        grep -q ', 1 inferred' "$scratch/judged" && n_near=$((n_near + 1)) && continue
    echo "# $file: $key $nth $change: $(cat "$scratch/judged")"
    status=1
done <<'E'
kineto/rank0.json ts 0.3 ^26
kineto/rank0.json ts 0.5 ^26
framework/nccl/comm_detail.json ts 0.3 ^26
framework/nccl/comm_detail.json ts 0.7 ^22
framework/xprof/gpu.trace.json ts 0.5 ^26
framework/byteps/worker.json ts 0.7 ^26
E
[ "$status" -eq 0 ] && [ "$n_near" -eq 6 ]
result $? 'a time that is out of the order of its thread makes no run long either'

# Raw records, and those of protobuf.
for trace in pi-g1/main.trace pi-run/main.pi_trace; do
    n_pi=0
    load sound "$TRACETOOL_DATA/${trace%/*}"
    status=$?
    for call in 0.1 0.25 0.5; do
        for time in 'start ^50' 'start ^48' 'end ^50' 'end ^48'; do
            rm -rf "$scratch/pi" && cp -r "$TRACETOOL_DATA/${trace%/*}" "$scratch/pi" && chmod -R u+w "$scratch/pi" &&
                python3 "$lone" pi "$scratch/sound.db" "$scratch/pi/${trace#*/}" "$call" "${time% *}" "${time#* }" 2>"$scratch/judged"
            # Some times stand twice in the file.
            grep -q AssertionError "$scratch/judged" && continue
            load spoilt "$scratch/pi" && python3 "$lone" judge "$scratch/sound.db" "$scratch/spoilt.db" >"$scratch/judged" 2>&1 &&
                grep -q ', 1 inferred' "$scratch/judged" && n_pi=$((n_pi + 1)) && continue
            echo "# call $call, $time: $(cat "$scratch/judged")"
            status=1
        done
    done
    [ "$status" -eq 0 ] && [ "$n_pi" -ge 4 ]
    result $? "calls of PI likewise: $trace"
done

load sound "$TRACETOOL_DATA/otf2/ring"
status=$?
for location in 2 12; do
    for nth in 0.2 0.5 0.8; do
        for change in 0 ^27 ^40 ^63; do
            sampled || continue
            rm -rf "$scratch/otf2" && cp -r "$TRACETOOL_DATA/otf2/ring" "$scratch/otf2" && chmod -R u+w "$scratch/otf2" &&
                python3 "$lone" otf2 "$scratch/otf2/traces/$location.evt" $nth $change &&
                load spoilt "$scratch/otf2" && has spoilt.out '1 time far from those before and after, moved between them' &&
                python3 "$lone" judge "$scratch/sound.db" "$scratch/spoilt.db" >"$scratch/judged" 2>&1 && continue
            echo "# location $location, $nth, $change: $(cat "$scratch/judged")"
            status=1
        done
    done
done
has sound.out 'repairs    none' || status=1
result $status 'times of OTF2 likewise'

python3 "$lone" spoil "$TRACETOOL_DATA/kineto/rank0.json" "$scratch/spoilt.json" dur 0.5 100000000000000 &&
    load spoilt "$scratch/spoilt.json" &&
    has spoilt.out '1 span that lasts far beyond all other events, not measured (first at byte' &&
    run 0 --db "$scratch/spoilt.db" query --format tsv "SELECT flags, dur_ns, json_extract (args, '$.told_dur_ns'),
        json_extract (args, '$.dur_between_ns[0]') FROM event WHERE json_extract (args, '$.told_dur_ns') > 0" &&
    has out "unclosed,inferred,enqueue	0	100000000000000000	0" &&
    run 0 --db "$scratch/spoilt.db" info --trust && matches out 'record  *0  *1  '
result $? 'the span is kept with what it told, marked and counted'

run 1 --db "$scratch/strict.db" import --strict "$scratch/spoilt.json" && has err 'lasts far beyond all other events' &&
    [ ! -e "$scratch/strict.db" ]
result $? '--strict refuses it'

status=0
for kind in process phases serve late step; do
    python3 "$lone" make $kind "$scratch/honest.json" && load honest "$scratch/honest.json" &&
        has honest.out 'repairs    none' && matches honest.out -E '(2 h|1 d) long' && continue
    echo "# $kind"
    status=1
done
result $status 'what may have waited for hours is left alone'

# counted CHANGE WHICH : 50 spans and 25 values of a counter, of which the time of one is another
counted() {
    python3 -c '
import json, sys
begin, events = 1700000000000000, []
for i in range(50):
    events.append({"ph": "X", "name": "f", "pid": 1, "tid": 1, "ts": begin + i * 100, "dur": 50})
    ts = begin + i * 100
    if i // 2 == int(sys.argv[2]):
        ts = {"zero": 0, "high": ts ^ 1 << 50, "late": ts + 7200 * 10**6, "same": ts}[sys.argv[1]]
    if i % 2 == 0:
        events.append({"ph": "C", "name": "mem", "pid": 1, "ts": ts, "args": {"bytes": i}})
json.dump({"traceEvents": events}, open(sys.argv[3], "w"))' "$1" "$2" "$scratch/counted.json" && load counted "$scratch/counted.json"
}
values='SELECT count(*), sum(value) FROM counter'
counted same 3 && has counted.out 'repairs    none' && run 0 --db "$scratch/counted.db" query --format csv "$values" && cp out sound
result $? 'counters'
status=$?
for change in zero high late; do
    for which in 3 12; do
        counted $change $which && has counted.out '4.95 ms long' '1 event far in time from all others' && run 0 --db "$scratch/counted.db" query --format csv "$values" && same out sound && continue
        echo "# $change $which"
        status=1
    done
done
result $status 'one time of a counter makes no run long; its value stays'
counted late 24 && has counted.out 'repairs    none' '2 h long'
result $? 'the last value may be late'
cp "$TRACETOOL_DATA/nsys/train.sqlite" "$scratch/nsys.sqlite" && chmod u+w "$scratch/nsys.sqlite" && load sound "$scratch/nsys.sqlite" &&
    python3 -c 'import sqlite3, sys
db = sqlite3.connect(sys.argv[1])
db.execute("UPDATE GPU_METRICS SET timestamp = timestamp + (1 << 56) WHERE rowid = 7")
db.commit()' "$scratch/nsys.sqlite" && load spoilt "$scratch/nsys.sqlite" && has spoilt.out '1 event far in time from all others' &&
    [ "$(sed -n 's/.*: \(.* long\).*/\1/p' "$scratch/spoilt.out")" = "$(sed -n 's/.*: \(.* long\).*/\1/p' "$scratch/sound.out")" ]
result $? 'nor does one of nsys'

# Any number of a Neutrino launch, set to zero.
load sound "$TRACETOOL_DATA/neutrino-times"
status=$?
for at in 64 72 80 88 96; do
    rm -rf "$scratch/launches" && cp -r "$TRACETOOL_DATA/neutrino-times" "$scratch/launches" && chmod -R u+w "$scratch/launches" &&
        python3 -c 'import sys
with open(sys.argv[1], "r+b") as file:
    file.seek(int(sys.argv[2]))
    file.write(bytes(8))' "$scratch"/launches/*/result/4.623457.bin $at && load spoilt "$scratch/launches" && has spoilt.out '127 ms long' && continue
    echo "# $at: $(head -1 "$scratch/spoilt.out")"
    status=1
done
has sound.out '127 ms long' || status=1
result $status 'nor of a Neutrino launch'
# A duration of 32 bits of the older layout reaches 4.3 s: far for a launch of less than a millisecond.
status=0
for at in 264 280 296; do
    rm -rf "$scratch/launches" && cp -r "$TRACETOOL_DATA/neutrino-seed" "$scratch/launches" && chmod -R u+w "$scratch/launches" &&
        python3 -c 'import sys
with open(sys.argv[1], "r+b") as file:
    file.seek(int(sys.argv[2]))
    file.write(b"\xff" * 4)' "$scratch"/launches/*/result/0.123457.bin $at && load spoilt "$scratch/launches" &&
        has spoilt.out '1 span that lasts far beyond all other events, not measured' &&
        run 0 --db "$scratch/spoilt.db" query --format csv 'SELECT max(max_ns) < 1000000 FROM statistic' && has out 1 && continue
    echo "# $at"
    status=1
done
load sound "$TRACETOOL_DATA/neutrino-seed" && has sound.out 'repairs    none' || status=1
result $status 'nor of a block of one'
finish
