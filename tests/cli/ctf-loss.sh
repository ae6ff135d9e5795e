#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# CTF traces whose tracer has discarded events: real ones with events taken out against themselves, and a recording of LTTng
# against what its program wrote down.
# shellcheck source=tests/cli/lib.sh
. "$SRCDIR/tests/cli/lib.sh"
lose=$SRCDIR/tests/oracles/lose-ctf.py
recorded=$TRACETOOL_DATA/recorded/lttng/discard.tar.gz

if ! command -v python3 >/dev/null; then
    skip 'lost events of CTF' 'python3 is not here'
    finish
    exit 0
fi

# -- what LTTng discards -----------------------------------------------------------------------------------
tar -xzf "$recorded" -C "$scratch" && chmod -R u+w "$scratch/discard"
import "$scratch/discard/trace" && has out '1,946 events that the tracer discarded' 'spans whose ends were lost' 'spans whose begins were lost'
result $? 'a recording of LTTng with tiny buffers: losses are told'
python3 "$SRCDIR/tests/oracles/lttng_truth.py" "$db" "$scratch/discard/truth.tsv" "$scratch/discard/trace/metadata"
result $? 'its spans are the calls that the program wrote down, or bound them'
run 0 --db "$db" info --check && has out "is whole"
result $? 'and the database is sound'
run 0 --db "$db" stats && has out 'Lost begins or ends: 18. Their spans are not in Med, Min, Max, P95, P99'
result $? 'stats tells that Max leaves them out'
ask "SELECT s.max_ns = max(e.own_dur_ns) FROM statistic s JOIN event e ON e.name = s.name
     WHERE s.name = 'COMP.0x4013b2' AND ifnull(e.flags, '') NOT LIKE '%unclosed%'" 1
result $? 'and Max is that of the others'
run 0 --db "$db" stats --by name --filter op_cat=COMP --format csv --unit ns --top 0 && cp "$scratch/out" "$scratch/scanned" &&
    run 0 --db "$db" stats --format csv --unit ns --top 0 && same out scanned
result $? 'counted again it is the same'
run 0 --db "$db" query "SELECT count(*) AS n, count(s.max_ns) AS known FROM statistic s WHERE s.name IN (SELECT name FROM event
     WHERE dur_ns IS NOT NULL GROUP BY name HAVING min(ifnull(flags, '') LIKE 'unclosed,inferred%'))" --format csv &&
    grep -Eq '^[1-9][0-9]*,0$' "$scratch/out" && run 0 --db "$db" stats --top 0 --format csv && grep -Eq '^[^,]*,[^,]*,[^,]*,[1-9][0-9]*,[^,]+,,,,' "$scratch/out"
result $? 'of names all of whose ends were lost Med, Min, Max are empty'
run 0 --db "$db" breakdown --format csv && has out ',trust' 'mended'
result $? 'breakdown marks the rank'
run 0 --db "$db" imbalance --over thread && has out 'Lost begins or ends: 18. Their spans are not compared'
result $? 'imbalance compares none of them'
run 1 --db "$scratch/strict.db" import --strict "$scratch/discard/trace" && has err '--strict' && [ ! -e "$scratch/strict.db" ]
result $? '--strict refuses the trace'

run 0 --db "$db" info && has out 'seen: 71 % of 6,742 events' 'seen.COMP.0x4013b2: 2,0'
result $? 'info tells how much of it was seen'

# -- a clock that goes round by damage ------------------------------------------------------------------------
# Packets of LTTng before 2.11 may end before their last event. One that is a round of the clock late is none of these: a bit
# of its time was changed. No span is ten times as long by that as any is, 5.1 ms.
cp -r "$TRACETOOL_DATA/pinsight/recorded/full" "$scratch/round" && chmod -R u+w "$scratch/round"
streams=$scratch/round/ust/uid/0/64-bit
sed -i 's/tracer_minor = 13/tracer_minor = 10/' "$streams/metadata" && cp -r "$streams" "$scratch/sound"
longest='SELECT max(own_dur_ns) FROM event'
import "$scratch/round" && ask "$longest" 5097474
result $? 'a trace of an old tracer'
while read -r file at bit; do
    cp "$scratch/sound/$file" "$streams/$file"
    python3 -c 'import sys
with open(sys.argv[1], "r+b") as file:
    file.seek(int(sys.argv[2]))
    byte = file.read(1)[0]
    file.seek(int(sys.argv[2]))
    file.write(bytes([byte ^ 1 << int(sys.argv[3])]))' "$streams/$file" "$at" "$bit"
    import -q "$scratch/round" && ask "SELECT max(own_dur_ns) BETWEEN 5000000 AND 50000000 FROM event" 1
    result $? "$file with another bit $bit of byte $at: no span goes round the clock"
    cp "$scratch/sound/$file" "$streams/$file"
done <<'LIST'
c_1 18771 1
c_1 4144 7
c_0 1488 0
c_1 14503 4
c_0 7655 1
c_1 20003 4
c_0 8577 4
LIST

# -- real traces with events taken out -------------------------------------------------------------------
losing() { # TEXT TRACE COUNT [SEED]
    if command -v babeltrace2 >/dev/null && [ -d "$2" ]; then
        python3 "$lose" "$TRACETOOL" "$2" "${4:-${TEST_SEED:-1}}" "$3"
        result $? "$1: bounds hold the truth, nothing is deeper or longer, seen and lost are the whole"
    else
        skip "$1" 'babeltrace2 or the shared data is not here'
    fi
}
for name in omp_full omp_rate jacobi_mpi_4np_v2; do
    sampled || continue
    n_traces=$(often 12)
    losing "$name" "$SHARED_DATA/pinsight/$name" "$((n_traces > 6 ? n_traces : 6))"
done
losing 'the first event of a process lost' "$SHARED_DATA/pinsight/jacobi_mpi_4np_v2" 21-21 4

# -- damage makes no processes -------------------------------------------------------------------------------------
if command -v python3 >/dev/null; then
    import "$TRACETOOL_DATA/ctf-hosts" && run 0 --db "$db" query --format csv 'SELECT pid, rank FROM process ORDER BY 1' &&
        has out node0 && cp "$scratch/out" "$scratch/processes"
    result $? 'the processes of a sound trace'
    while read -r host at change; do
        rm -rf bad && cp -r "$TRACETOOL_DATA/ctf-hosts" bad && chmod -R u+w bad &&
            python3 -c 'import sys; n, at = sys.argv[1], int(sys.argv[2]); b = bytearray(open(n, "rb").read()); exec(sys.argv[3]); open(n, "wb").write(b)' \
                "bad/$host/ust/uid/1000/64-bit/channel0_0" "$at" "$change" && rm -f "$db"* &&
            run 0 --db "$db" import bad && run 0 --db "$db" query --format csv 'SELECT pid, rank FROM process ORDER BY 1' &&
            cmp "$scratch/out" "$scratch/processes" && ask "SELECT repairs LIKE '%broken_stream%' FROM source" 1
        result $? "$host at $at: $change"
    done <<'LIST'
node0 4921 b[at:at + 64] = bytes(64)
node0 408 b[at:at + 4] = bytes(4)
node1 2559 del b[at:at + 8]
node1 3877 del b[at:at + 4]
node1 6673 b[at:at + 64] = bytes(64)
LIST
    # Nothing of a trace is older than its clock, nor than its session: a second less, for that is known in seconds.
    for case in 'none 5000000000' '20231114T221322+0000 4000000000' '20231114T231322+0100 4000000000' 'yesterday 5000000000'; do
        rm -rf old "$db" && python3 "$SRCDIR/tests/oracles/lose-ctf.py" first old "${case% *}" && run 0 --db "$db" import old &&
            ask "SELECT json_extract (args, '\$.dur_between_ns[1]') FROM event WHERE name = 'COMP.step'" "${case#* }"
        result $? "how long something lasted whose begin was lost first of all: session of ${case% *}"
    done
else
    skip 'damage makes no processes' 'no python3'
fi
finish
