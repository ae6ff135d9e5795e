#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Metadata of CTF that babeltrace2 refuses, with streams and without, and traces that map no clock.
# shellcheck source=tests/cli/lib.sh
. "$SRCDIR/tests/cli/lib.sh"

byte='integer { size = 8; }'

metadata() { # NAME TSDL : a trace without a stream, whose text is TSDL after the head
    mkdir -p "$scratch/$1"
    printf '/* CTF 1.8 */\ntrace { major = 1; minor = 8; byte_order = le; };\n%s\n' "$2" >"$scratch/$1/metadata"
}

agrees() { # NAME STATUS : babeltrace2 ends so, too
    command -v babeltrace2 >/dev/null || return 0
    babeltrace2 "$scratch/$1" >/dev/null 2>&1
    [ $? -eq "$2" ]
}

# -- refused, although there is no stream ----------------------------------------------------------------
header="stream { event.header := struct { $byte id; }; };"
metadata bracket 'stream ] { };'
metadata number 'env { answer = 99999999999999999999999999; };'
metadata length "$header
event { name = \"cargo\"; id = 0; fields := struct { string crates; $byte weights[crates]; }; };"
metadata choice "$header
event { name = \"parcel\"; id = 0; fields := struct { $byte sort; variant <sort> { $byte small; string large; } content; }; };"
for case in "bracket:line 3: syntax error at ']'" 'number:line 3: a number of more than 64 bits' \
    "length:no integer without a sign: 'crates' (event 'cargo')" "choice:no enumeration: 'sort' (event 'parcel')"; do
    name=${case%%:*}
    refuses_import 1 "${case#*:}" "$scratch/$name" && has err "$scratch/$name: the metadata cannot be read: " &&
        refuses_import 1 "${case#*:}" --strict "$scratch/$name" && agrees "$name" 1
    result $? "metadata without a stream are judged: $name"
done
metadata empty "$header"
run 0 --db "$db" import --strict "$scratch/empty" && has out '0 spans, 0 instants' 'repairs    none' && agrees empty 0
result $? 'sound metadata without a stream are a trace without events'

# -- no clock ------------------------------------------------------------------------------------------------
jobs="$header
event { name = \"job_begin\"; id = 0; fields := struct { $byte n; }; };
event { name = \"job_end\"; id = 1; fields := struct { $byte n; }; };
event { name = \"note\"; id = 2; fields := struct { $byte n; }; };"
metadata timeless "$jobs"
printf '\000\001\000\002\002\011\001\002\001\001' >"$scratch/timeless/jobs"
import --strict "$scratch/timeless" && has err 'its events have no times' && refute has err damaged &&
    has out '2 spans, 1 instants' 'repairs    none' '4 ticks long' && agrees timeless 0
result $? 'events without times are kept'
ask "SELECT name, ts_ns, dur_ns, json_extract(args, '\$.n') FROM event ORDER BY ts_ns" \
    'COMP.job,1,4,1' 'COMP.job,2,2,2' 'COMP.note,3,,9'
result $? 'in their order, spans among them'
ask 'SELECT clock FROM source' ticks
result $? 'and their numbers are no nanoseconds'
mkdir "$scratch/both" && cp -r "$scratch/timeless" "$TRACETOOL_DATA/ctf-lttng/kernel" "$scratch/both" && chmod -R u+w "$scratch/both"
refuses_import 1 "its events have no times, those of '$scratch/both/kernel' have" "$scratch/both" && has err "$scratch/both/timeless"
result $? 'beside a trace that has times they are refused, with both names'

# LTTng's buffers by process: the metadata say whose all events are.
for pid in 11 12; do
    metadata "own/$pid" "env { vpid = $pid; procname = \"prog$pid\"; };
$jobs"
    cp "$scratch/timeless/jobs" "$scratch/own/$pid/jobs"
done
import -q "$scratch/own" && ask 'SELECT pid, label FROM process ORDER BY pid' '11,prog11' '12,prog12' &&
    ask 'SELECT pid, count(*) FROM event GROUP BY pid' '11,3' '12,3' && { ! command -v babeltrace2 >/dev/null || babeltrace2 "$scratch/own" 2>/dev/null | grep -q 'prog12:(12)'; }
result $? 'the process that the metadata name is that of its events'

# A stream with a clock, one without: babeltrace2 refuses both.
metadata halves "clock { name = c; freq = 1000000000; };
trace { packet.header := struct { $byte stream_id; }; };
stream { id = 1; event.header := struct { $byte id; }; };
stream { id = 0; event.header := struct { $byte id; integer { size = 8; map = clock.c.value; } timestamp; }; };
event { name = \"a\"; id = 0; stream_id = 1; fields := struct { $byte n; }; };
event { name = \"b\"; id = 0; stream_id = 0; fields := struct { $byte n; }; };"
sed 's/^trace { major = 1; minor = 8; byte_order = le; };$//; s/^trace { packet/trace { major = 1; minor = 8; byte_order = le; packet/' \
    "$scratch/halves/metadata" >"$scratch/text" && mv "$scratch/text" "$scratch/halves/metadata"
printf '\000\000\007\001' >"$scratch/halves/first"
printf '\001\000\002\000\003' >"$scratch/halves/second"
import "$scratch/halves" && has err "is left out: its events have no times, those of the streams before do" && refute has err damaged &&
    has out '1 stream without times beside streams with times' && ask 'SELECT name, ts_ns FROM event' 'COMP.b,7'
result $? 'a stream without times beside one with times is left out and told'
finish
