#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Damage in the midst of JSON: the records around it are read, it is counted with its place, and the exit status says so.
# shellcheck source=tests/cli/lib.sh
. "$SRCDIR/tests/cli/lib.sh"
if ! command -v python3 >/dev/null; then
    skip 'damaged JSON' 'no python3'
    finish
    exit
fi
kineto=$TRACETOOL_DATA/kineto/rank0.json
rocprof=$TRACETOOL_DATA/rocprof/train.json

damaged() { # FILE EXPRESSION : bad.json, the bytes b of the file after that
    python3 -c 'import sys; b = bytearray(open(sys.argv[1], "rb").read()); exec(sys.argv[2]); open("bad.json", "wb").write(b)' "$1" "$2"
}
spans() { # : how many there are
    "$TRACETOOL" --db "$db" query --format csv 'SELECT count(*) FROM event' | sed 1d
}
import "$kineto" && whole=$(spans) && [ "$whole" -gt 100 ]
result $? 'the sound trace'

# lost LEAST MOST OFFSET [BYTES] : bad.json is read but for so many events, and the first damage is told there, or so many after
lost() {
    rm -f "$db"*
    run 3 --db "$db" import bad.json && has err 'damaged record' "'--strict' imports all or nothing" &&
        ask "SELECT $whole - count(*) BETWEEN $1 AND $2 FROM event" 1 &&
        ask "SELECT json_extract (repairs, '\$.json_damaged.first_offset') - $3 BETWEEN 0 AND ${4:-0} FROM source" 1 &&
        ask "SELECT max(ts_ns) - min(ts_ns) < 3000000 FROM event" 1 &&
        rm -f "$db"* && run 1 --db "$db" import --strict bad.json && has err 'bad.json' && [ ! -e "$db" ]
}
at=$(grep -abo '{"ph": "X", "cat": "kernel"' "$kineto" | sed -n 5p | cut -d: -f1)
while read -r least most shift what; do
    damaged "$kineto" "at = $at; $what" && lost "$least" "$most" "$((at + shift))"
    result $? "an event: $what"
done <<'LIST'
1 1 0 b[at + 9:at + 17] = b"!!~~(){}"
1 1 0 b[at:at + 1] = b"?"
1 1 0 b[at + 1:at + 1] = b"["
LIST
damaged "$kineto" "b[$at - 3:$at - 2] = b'~'" && lost 0 1 $((at - 3))
result $? 'what stands between two events'
damaged "$kineto" "b[$at + 12:$at + 12] = b'}]'" && lost 0 1 "$at" 300
result $? 'a bracket that ends the list too early'
damaged "$kineto" 'b[20:25] = b"~~~~~"' && lost 0 0 17 5
result $? 'the members before the list'
damaged "$kineto" 'b[-20:-12] = b"]]~~{{::"' && lost 0 0 $(($(wc -c <"$kineto") - 20)) 20
result $? 'the members after the list'
damaged "$kineto" 'b[:] = b"[1," + b[-900:]' && rm -f "$db"* && run 1 --db "$db" import bad.json && has err 'bad.json'
result $? 'a file without one sound event'
import "$kineto" && damaged "$TRACETOOL_DATA/kineto/rank1.json" 'b[20000:20008] = b"~~~~~~~~"' && rm -f "$db"* &&
    run 3 --db "$db" import "$kineto" bad.json && ask 'SELECT count(*) FROM source' 2
result $? 'one bad event does not refuse its rank'

# -- several lists of records ------------------------------------------------------------------------------------
import "$rocprof" && self=$("$TRACETOOL" --db "$db" query --format csv 'SELECT sum(self_ns) FROM event' | sed 1d) && [ "$self" -gt 0 ]
result $? 'rocprof: the sound trace'
damaged "$rocprof" 'at = b.index(b"\"id\":{\"handle\":9003}"); b[at + 3:at + 5] = b"~~"' && rm -f "$db"* &&
    run 3 --db "$db" import bad.json && ask "SELECT abs(sum(self_ns) - $self) < $self / 100 FROM event" 1 &&
    ask "SELECT count(*) FROM event WHERE name LIKE '%kernel 1%' OR name LIKE '%operation%'" 0
result $? 'rocprof: the last record of a list leads into no other list'
damaged "$rocprof" 'at = b.index(b"\"marker_api\":[{\"size\""); at = b.index(b"\"internal\"", at); b[at + 1:at + 4] = b"qqq"' && rm -f "$db"* &&
    run 0 --db "$db" import bad.json && ask "SELECT sum(self_ns) <= $self FROM event" 1 &&
    ask "SELECT json_extract (repairs, '\$.no_name.count') FROM source" 1
result $? 'rocprof: a range that lost its message is no work'
damaged "$rocprof" 'at = b.index(b"\"marker_api\":[{\"size\""); at = b.index(b"\"end_timestamp\":6", at); b[at + 16:at + 17] = b"9"' && rm -f "$db"* &&
    run 0 --db "$db" import bad.json && ask "SELECT max(ts_ns + dur_ns) - min(ts_ns) < 2000000000 FROM event" 1 &&
    ask "SELECT json_extract (repairs, '\$.end_before_start.count') FROM source" 1
result $? 'rocprof: a time far from its process'
# Ids that are texts: what is not UTF-8 in them is told as the replacement character.
status=0
printf '{"traceEvents":[{"name":"f","ph":"X","ts":1,"dur":1,"pid":"h\377","tid":"t\376"}]}' >ids.json
for format in tensorflow mxnet; do
    rm -f "$db"
    run 0 --db "$db" import -q --format $format ids.json && run 0 --db "$db" query --format csv \
        "SELECT hex(pid || ' ' || tid || ' ' || ifnull(thread.label, '')) FROM thread JOIN process ON process.id = process" &&
        has out 68EFBFBD 74EFBFBD && refute matches out 'FF\|FE' || status=1
done
result $status 'ids that are no UTF-8'
finish
