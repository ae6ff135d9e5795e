#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# One damaged time where less is known than in lone-times.sh: the first or last record of a thread, spans in each other, jobs,
# MXNet's dumps, devices of CTF, ends that are gone. What the order of the source proves is mended; else it is told.
# shellcheck source=tests/cli/lib.sh
. "$SRCDIR/tests/cli/lib.sh"
lone=$SRCDIR/tests/oracles/lone-times.py

if ! command -v python3 >/dev/null; then
    skip 'lone edges' 'no python3'
    finish
    exit 0
fi

load() { # NAME PATH [OPTION] : NAME.db, with the summary in NAME.out and what was told in NAME.err
    rm -f "$scratch/$1.db"
    run 0 --db "$scratch/$1.db" import ${3:+"$3"} "$2" && mv "$scratch/out" "$scratch/$1.out" && cp "$scratch/err" "$scratch/$1.err"
}

copy() { # PATH : a copy in $scratch/spoilt
    rm -rf "$scratch/spoilt"
    cp -r "$TRACETOOL_DATA/$1" "$scratch/spoilt" && chmod -R u+w "$scratch/spoilt"
}

edit() { # FILE OLD NEW : the first OLD, of a file that may be packed
    python3 -c '
import gzip, sys
name, old, new = sys.argv[1], sys.argv[2].encode(), sys.argv[3].encode()
data = open(name, "rb").read()
packed = data[:2] == b"\x1f\x8b"
data = gzip.decompress(data) if packed else data
assert old in data
data = data.replace(old, new, 1)
open(name, "wb").write(gzip.compress(data) if packed else data)' "$@"
}

mended() { # REPAIR : of spoilt, whose records are all there, at most three of them otherwise, and none outside the sound run
    load spoilt "$scratch/spoilt" && has spoilt.out "$1" &&
        python3 "$lone" judge "$scratch/sound.db" "$scratch/spoilt.db" >"$scratch/judged" 2>&1 &&
        grep -q ' rows, ' "$scratch/judged" && return
    echo "# $(cat "$scratch/judged")"
    return 1
}
far='1 event far in time from all others'
lost='1 span whose end was lost'

# A call that Kineto writes between the one around it and the one inside it.
load sound "$TRACETOOL_DATA/kineto/rank0.json" && copy kineto/rank0.json &&
    edit "$scratch/spoilt" 4147200001432.000 4147210001432.000 && mended "$far"
result $? 'a time between spans in each other'

first() { # FIRST LAST : 20 spans of a thread, the first and the last of which begin so many microseconds after the others
    python3 -c '
import json, sys
begin, events = 1700000000000000, []
for i in range(20):
    for tid in 1, 2:
        ts = begin + i * 100 + (tid == 1) * (int(sys.argv[1]) * (i == 0) + int(sys.argv[2]) * (i == 19))
        events.append({"ph": "X", "name": "f%d" % i, "pid": 1, "tid": tid, "ts": ts, "dur": 50})
json.dump({"traceEvents": events}, open(sys.argv[3], "w"))' "$1" "$2" "$scratch/spoilt"
}
rm -rf "$scratch/spoilt"
first 0 0 && load sound "$scratch/spoilt" && has sound.out 'repairs    none' && first 8000000 0 && mended "$far" &&
    first 0 -8000000 && mended "$far"
result $? 'the first of a thread that is late, the last that is early'
few='1 of the events alone makes the run 8 s long, the other 39 take'
status=0
for side in '-8000000 0' '0 8000000'; do
    # shellcheck disable=SC2086
    first $side && load spoilt "$scratch/spoilt" && has spoilt.out 'repairs    none' && has spoilt.out '8 s long' &&
        has spoilt.err "$few" && run 0 --db spoilt.db info && has out 'few  ' &&
        run 0 --db spoilt.db info --format json && has out '"few":{"events":1,' &&
        run 0 --db spoilt.db info --trust && has out "$few" && continue
    echo "# $side"
    status=1
done
result $status 'a first that is early, or a last that is late, is told and stays'
honest() { # SECONDS WHAT... : a run of 1.95 ms, after which one WHAT waits so long, and the others follow
    python3 -c '
import json, sys
begin, wait, events = 1700000000000000, int(sys.argv[1]) * 10**6, []
for i in range(20):
    events.append({"ph": "X", "name": "f", "pid": 1, "tid": 1, "ts": begin + i * 100, "dur": 50})
for k, name in enumerate(sys.argv[3:]):
    events.append({"ph": "X", "name": name, "pid": 1, "tid": 1, "ts": begin + 2000 + (k > 0) * wait + k * 100,
                   "dur": 50 if k else wait})
json.dump({"traceEvents": events}, open(sys.argv[2], "w"))' "$1" "$scratch/spoilt" checkpoint barrier finalize
}
honest 300 && load spoilt "$scratch/spoilt" && has spoilt.out 'repairs    none' '300 s long' && [ ! -s spoilt.err ]
result $? 'a run that waits and goes on is no such run'

copy rocprof/train.json && edit "$scratch/spoilt" 682678345144459 682671345144459 && load spoilt "$scratch/spoilt" &&
    has spoilt.err '1 of the events alone makes the run 7 s long, the other 23 take 500 us' '4711.gpu1 lasts 7 s'
result $? 'the last kernel of a queue'

load sound "$TRACETOOL_DATA/job-2x1"
status=$?
comm=host1/0/comm.json
while IFS='|' read -r file old new repair; do
    copy job-2x1 && edit "$scratch/spoilt/$file" "$old" "$new" && mended "$repair" && continue
    echo "# $file: $old $new"
    status=1
done <<E
$comm|"ts":1700000000002621,|"ts":1700000000802621,|1 span that lasts far beyond all other events
$comm|{"ph":"E","ts":1700000000002621,"pid":3},||$lost
host0/0/io.json|1700000000000022|17000022|$far
host0/0/trace.json.gz|1700000000000117|1700000006000117|$far
E
copy job-2x1 && edit "$scratch/spoilt/$comm" '{"ph":"E","ts":1700000000002520,"pid":2},' '' && load spoilt "$scratch/spoilt" &&
    has spoilt.out "$lost" && run 0 --db spoilt.db query --format csv 'SELECT max(max_ns) FROM statistic' && has out 95000 || status=1
result $status 'of a job: an end, lost ends, I/O, the first operator'

load sound "$TRACETOOL_DATA/framework/mxnet-imperative/dump.json"
status=$?
while read -r ph name old new; do
    copy framework/mxnet-imperative/dump.json &&
        edit "$scratch/spoilt" "\"ph\": \"$ph\", \"name\": \"$name\", \"ts\": $old" "\"ph\": \"$ph\", \"name\": \"$name\", \"ts\": $new" &&
        load spoilt "$scratch/spoilt" && has spoilt.out 'far in time from all others' '808 us long' && continue
    echo "# $ph $name"
    status=1
done <<'E'
B dot 1700000000000645 1700000008000645
b pool0_backward 1700000000000561 1700000008000561
E
result $status 'begins of MXNet'
end='{"cat": "operator", "tid": 17343844709549807314, "ph": "E", "name": "pool0_fwd", "ts": 1700000000000090, "pid": 32},'
copy framework/mxnet-imperative/dump.json && edit "$scratch/spoilt" "$end" '' && mended "$lost" &&
    run 0 --db spoilt.db query --format tsv "SELECT name, dur_ns, flags, json_extract (args, '$.dur_between_ns[1]') FROM event
        WHERE flags <> ''" && has out 'FW.pool0	25000	unclosed,inferred	25000' &&
    run 0 --db spoilt.db query --format csv "SELECT max(max_ns) FROM statistic" && has out 40000
result $? 'an end that MXNet lost is before the next operator, and in no maximum'

put() { # PLACE BYTES : in the stream of data/ctf-devices, where the begin of a copy on the device is at 1385, its end behind it
    copy ctf-devices && python3 -c 'import sys
with open(sys.argv[1], "r+b") as file:
    file.seek(int(sys.argv[2]))
    file.write(bytes.fromhex(sys.argv[3]))' "$scratch/spoilt/ust/pid/app-77/channel0_0" "$1" "$2" && load spoilt "$scratch/spoilt"
}
put 1385 00000000000000000000000000000000 && has spoilt.out '1 event without a time, dropped' '10.1 us long'
result $? 'a copy for which CUPTI has no times, only zeros'
put 1397 10 && has spoilt.out 'repairs    none' && has spoilt.err '1 of the events alone makes the run 68.7 s long, the other 9 take' &&
    has spoilt.out '1 doubtful event' &&
    run 0 --db spoilt.db query --format csv 'SELECT kind, doubtful FROM trust WHERE doubtful > 0' && has out span,1 &&
    run 0 --db spoilt.db info --trust --format csv && has out ',1,'
result $? 'of few events one that is far farther, which is counted'
run 0 --db spoilt.db import --add "$TRACETOOL_DATA/pinsight/recorded" && run 0 --db spoilt.db info --check && has out statistics &&
    run 0 --db spoilt.db query --format csv 'SELECT kind, sum(doubtful) AS n FROM trust GROUP BY kind' && has out span,0
result $? 'and is counted anew when others come to it'

# The log of Neutrino is written launch by launch; a thousand records of a result are where its launch is.
load sound "$TRACETOOL_DATA/neutrino-new" && copy neutrino-new &&
    edit "$(echo "$scratch"/spoilt/*/event.log)" 1752574272125456789 1742574272125456789 && load spoilt "$scratch/spoilt" &&
    has spoilt.out '1 time far from those before and after' '1.46 ms long' &&
    run 0 --db spoilt.db query --format csv "SELECT min(ts_ns) FROM event WHERE pid = '4242'" && has out 1752574272123
result $? 'a launch whose time contradicts those before it'

# A rank whose times count from a moment that its file no longer tells.
rm -rf "$scratch/spoilt" && mkdir "$scratch/spoilt" && cp "$TRACETOOL_DATA/kineto/rank0.json" "$scratch/spoilt" &&
    sed '/baseTimeNanoseconds/d' "$TRACETOOL_DATA/kineto/rank1.json" >"$scratch/spoilt/rank1.json" && load spoilt "$scratch/spoilt" &&
    has spoilt.out ': 1.9 ms long' '1 doubtful file' &&
    run 0 --db spoilt.db info --trust --format csv && has out 'file,0,0,0,0,0,0,1,'
result $? 'a rank of another clock is not held against the others'

# A time of 27 bits that is too late: the clock has not gone round when the next is earlier.
trace=${SHARED_DATA:-/nowhere}/pinsight/jacobi_mpi_4np_v2
if [ -d "$trace" ]; then
    load sound "$trace" && rm -rf "$scratch/spoilt" && cp -r "$trace" "$scratch/spoilt" && chmod -R u+w "$scratch/spoilt" &&
        printf '\212' | dd of="$scratch/spoilt/channel0_1" bs=1 seek=29949 conv=notrunc status=none &&
        mended '1 time far from those before and after' && has spoilt.out '12.1 ms long'
    result $? 'a time that is too late does not turn the clock of a stream'
else
    skip 'a time that is too late' 'no shared data'
fi

# The end of a call says 4 s later, and the record that follows is damaged.
python3 "$SRCDIR/tests/oracles/make-pi-ur.py" "$scratch/ur" && rm -rf "$scratch/spoilt" && cp -r "$scratch/ur" "$scratch/spoilt" &&
    python3 -c 'import struct, sys
data, at, ends = bytearray(open(sys.argv[1], "rb").read()), 64, []
while at < len(data):
    size, kind = struct.unpack_from("<IH", data, at)
    if kind == 3:
        ends.append((at, size))
    at += size
at, size = ends[1]
data[at + 24 + 4] = 1
data[at + size:at + size + 4] = struct.pack("<I", 13)
open(sys.argv[1], "wb").write(data)' "$scratch/spoilt/main.ttpi" && load spoilt "$scratch/spoilt" --salvage &&
    has spoilt.out '1 span that lasts far beyond all other events, not measured' '5.5 us long'
result $? 'a call that lasts beyond those after it, with damage between'
finish
