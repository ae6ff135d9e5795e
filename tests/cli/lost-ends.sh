#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Ends that were lost in the middle of a trace: the span is bounded by what is around it, marked, and in no extreme. A program
# that was killed is no loss: what is open at the end stays as it is.
# shellcheck source=tests/cli/lib.sh
. "$SRCDIR/tests/cli/lib.sh"

if ! command -v python3 >/dev/null; then
    skip 'lost ends' 'no python3'
    finish
    exit 0
fi

# The truth: step N takes 1000 us, in it f 100 us and g 200 us, and h 50 us within g; then 1000 us of nothing.
cat >make.py <<'EOF'
import json, sys
lose, new = sys.argv[1:3]
events, number = [], 0
def put(ph, name, ts):
    global number
    if "%s%d" % (name, number) != lose or ph != "E":
        events.append({"ph": ph, "name": name, "pid": 1, "tid": 1, "ts": ts})
for number in range(20):
    at = 1000000 + 2000 * number
    for ph, name, ts in (("B", "step", 0), ("B", "f", 100), ("E", "f", 200), ("B", "g", 300), ("B", "h", 350), ("E", "h", 400),
                         ("E", "g", 500), ("E", "step", 1000)):
        put(ph, name, at + ts)
if lose == "killed":
    del events[-4:]
json.dump({"traceEvents": events}, open(new, "w"))
EOF

load() { # LOST : the JSON trace without that end, in lost.db
    python3 make.py "$1" "$scratch/lost.json" && rm -f "$scratch/lost.db" &&
        run 0 --db "$scratch/lost.db" import "$scratch/lost.json" && mv "$scratch/out" "$scratch/lost.out"
}

answers() { # SQL ANSWER : of lost.db
    run 0 --db "$scratch/lost.db" query --format csv "$1" && has out "$2"
}

load nothing && has lost.out 'repairs    none' && answers 'SELECT count(*), max(dur_ns) FROM event' '80,1000000'
result $? 'the sound trace'

# NAME TRUTH : span, how long it took in ns
status=0
while read -r name truth; do
    load "${name}7" && has lost.out '1 span whose end was lost' &&
        answers "SELECT count(*), max(name = 'COMP.$name') FROM event WHERE flags LIKE '%unclosed,inferred%' AND
            $truth BETWEEN json_extract (args, '\$.dur_between_ns[0]') AND json_extract (args, '\$.dur_between_ns[1]') AND
            dur_ns <= 2000000" '1,1' &&
        answers "SELECT max_ns <= $truth, self_ns <= 25 * $truth FROM statistic WHERE name = 'COMP.$name'" '1,1' &&
        answers "SELECT count(*), sum(self_ns) <= 40 * 1000000 FROM event" '80,1' && continue
    echo "# $name"
    status=1
done <<'EOF2'
f 100000
g 200000
h 50000
step 1000000
EOF2
result $status 'an end that was lost makes no span long, and its bounds hold the truth'

load killed && has lost.out '2 spans never left' &&
    answers "SELECT count(*) FROM event WHERE flags = 'unclosed'" '2'
result $? 'a program that was killed has lost nothing'

# A leave of TAU: its record is taken out.
cp -r "$TRACETOOL_DATA/tau-mpi4" tau && chmod -R u+w tau && import tau && cp "$db" sound.db &&
    python3 - tau/tautrace.2.0.0.trc tau/events.2.edf <<'EOF3'
import re, struct, sys
data = open(sys.argv[1], "rb").read()
names = dict(re.findall(r'^(\d+) \S+ \d+ "([^"]+)"', open(sys.argv[2]).read(), re.M))
depth, at, size = [], None, 24
for i in range(0, len(data) - size + 1, size):
    event, node, thread, value, time = struct.unpack_from("<iHHqq", data, i)
    if value not in (1, -1) or names.get(str(event), "").find("(") < 0:
        continue
    if value == 1:
        depth.append(event)
    elif depth and depth.pop() == event and len(depth) >= 1 and at is None and i > len(data) // 2:
        at = i
open(sys.argv[1], "wb").write(data[:at] + data[at + size:])
EOF3
run 0 --db lost.db import tau && has out '1 span whose end was lost' 'open inside it, which were closed'
result $? 'a leave of TAU likewise'
run 0 --db sound.db query --format csv "SELECT name, max_ns FROM statistic WHERE pid = 'node2' ORDER BY 1" && cp out sound.max &&
    run 0 --db lost.db query --format csv "SELECT name, max_ns FROM statistic WHERE pid = 'node2' ORDER BY 1" && cp out lost.max &&
    [ "$(diff sound.max lost.max | grep -c '^>')" -le 1 ] && filled lost.max
result $? 'and no Max but at most its own is another'
finish
