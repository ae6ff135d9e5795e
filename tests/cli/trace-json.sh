#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Trace-event JSON: what docs/formats.md says becomes of it, against an independent reading of the file.
# shellcheck source=tests/cli/lib.sh
. "$SRCDIR/tests/cli/lib.sh"
examples=$TRACETOOL_DATA/chrome
shared=$SHARED_DATA/chrome
oracle=$SRCDIR/tests/oracles/trace-json.py

if ! command -v python3 >/dev/null; then
    echo '1..0 # SKIP python3 is not here'
    exit 0
fi

# What was counted: spans, instants, counter values, flows; repairs.
counts="SELECT (SELECT count(dur_ns) FROM event) || ' ' || (SELECT count(*) - count(dur_ns) FROM event) || ' ' ||
    (SELECT count(*) FROM counter) || ' ' || (SELECT count(*) FROM flow) ||
    coalesce((SELECT group_concat(' ' || key || '=' || json_extract(value, '\$.count'), '')
    FROM (SELECT * FROM source, json_each(repairs) ORDER BY key)), '') AS counts"

# as_documented FOLDER < TABLE : of each file its counts, and every row by the oracle.
as_documented() {
    while read -r name told; do
        file=$1/$name.json
        import --format plain "$file" && ask "$counts" "$told" && python3 "$oracle" "$db" "$file"
        result $? "$(basename "$1")/$name: $told"
    done
}

# -- the examples -----------------------------------------------------------------------------------
python3 "$TRACETOOL_DATA/generators/chrome.py" "$scratch/made" && diff -r "$scratch/made" "$examples"
result $? 'the examples are what their generator writes'
as_documented "$examples" <<END
every-kind 12 6 5 3 skipped_kind=6
span-extras 12 0 0 4 span_extra=1
stacks 3 5 0 0 no_stack=1
END

# What no strict reader of JSON takes is not for the oracle, which is one.
while read -r name told; do
    import --format plain "$examples/odd/$name.json" && ask "$counts" "$told"
    result $? "odd/$name: $told"
done <<END
open-array 2 0 0 0 json_open_list=1
open-array-comma 2 0 0 0 json_open_list=1
open-object 2 0 0 0 json_unclosed=2
cut-event 2 0 0 0 json_cut=1 json_unclosed=1
no-commas 2 0 0 0 json_comma=2
empty-elements 2 0 0 0 not_an_event=6
control-characters 2 0 0 0 json_control_character=2
odd-numbers 2 0 0 0 json_number=4 no_duration=1 no_time=2
texts 3 0 0 0 no_name=2
no-duration 2 0 0 0 no_duration=2
end-before-start 1 0 0 0 end_before_start=1
fine-times 1 0 0 0 inexact_time=2
crossing 4 0 0 0 spans_overlap=4
unmatched 2 2 0 0 end_without_begin=2 unclosed=1
out-of-order 3 0 0 0
duplicate-keys 1 0 0 0 json_duplicate_key=2
escaped-keys 1 0 1 0 json_duplicate_key=1
counter-twice 0 0 1 0 json_duplicate_key=1
odd-clock 3 0 0 0 span_extra=2
unknown-phase 1 0 0 0 unknown_kind=2
surrogates 1 0 0 0 json_text=2
odd-args 4 0 0 0 bad_arguments=2 json_comma=1 json_control_character=1 json_number=2
odd-counters 0 0 3 0 bad_counter=3
no-ids 1 0 0 0 flow_without_span=1 no_event_id=3
trailing-bytes 2 0 0 0 json_trailing_bytes=1
marks 2 0 0 0 json_byte_order_mark=1
twice 2 0 0 0
no-events 0 0 0 0 no_events=1
END

import --format plain "$examples/odd/odd-args.json" &&
    ask 'SELECT count(*) FROM event WHERE args IS NULL OR json_valid(args)' 4 &&
    ask "SELECT args ->> 'b' FROM event WHERE raw_name = 'mended'" "$(printf 'tab\there')"
result $? 'arguments in the database are JSON whatever they were'
import --format plain "$examples/odd/crossing.json" &&
    ask "SELECT group_concat(raw_name || ' ' || ts_ns || ' ' || dur_ns || ' ' || flags, '; ') FROM (SELECT * FROM event ORDER BY ts_ns)" \
        'a 0 10000 overlap; b 5000 10000 overlap; c 20000 5000 overlap; d 21000 9000 overlap'
result $? 'spans that cross keep their times'
import --format plain "$examples/odd/unmatched.json" &&
    ask "SELECT group_concat(raw_name || ' ' || coalesce(dur_ns, '-') || ' ' || coalesce(flags, ''), '; ') FROM (SELECT * FROM event ORDER BY ts_ns)" \
        'never ended 6000 ; never begun - inferred; open 1000 unclosed; last - '
result $? 'begins and ends without the other'

# -- what spans carry --------------------------------------------------------------------------------
# By Catapult's importer: each consumer is reached from the last producer before it, CPU time without that of spans inside.
import "$examples/span-extras.json" &&
    ask "SELECT a.raw_name || ' to ' || b.raw_name || ' of ' || kind FROM flow JOIN event a ON a.id = from_event JOIN event b ON b.id = to_event ORDER BY b.ts_ns" \
        'produce to first of task' 'produce to relay of task' 'relay to last of task' 'nested to seven of nested'
result $? 'flows that spans name: one producer, several consumers, one that is both'
ask "SELECT raw_name || ' ' || inclusive || ' ' || exclusive FROM metric JOIN event e ON e.id = event WHERE metric.name = 'cpu_time' ORDER BY ts_ns, dur_ns DESC" \
    'produce 6000 3750' 'inside 2250 2250' 'outer 9000 5000' 'inner 4000 4000' 'begun 7000 3250' 'nested 3750 3750' &&
    run 0 --db "$db" stats --metric list && has out cpu_time &&
    run 0 --db "$db" stats --metric cpu_time && has out 'Values of cpu_time, in ns'
result $? 'the clock of the thread is a metric'
status=0
for seed in $(seq "${TEST_SEEDS:-$(often 20)}"); do
    python3 "$SRCDIR/tests/oracles/make-span-extras.py" "$seed" >"$scratch/extras.json"
    import --format plain "$scratch/extras.json" && python3 "$oracle" "$db" "$scratch/extras.json" || status=1
done
result $status 'of random traces, too'
status=0
for dialect in kineto mxnet tensorflow; do
    refuses_import 1 'CPU time or flow (tts, tdur, bind_id) of a span, not kept' --strict --format $dialect "$examples/span-extras.json" || status=1
done
result $status 'where they have no place, they are counted'

# -- what is long --------------------------------------------------------------------------------------
long=$(head -c 3000000 /dev/zero | tr '\0' x)
printf '{"a":{"k":"%s"},"traceEvents":[{"name":"f","ph":"X","ts":1,"dur":2,"pid":1,"tid":1}]}' "$long" >"$scratch/header.json"
printf '[{"name":"f","ph":"X","ts":1,"dur":2,"pid":1,"tid":1,"args":{"k":"%s"}}]' "$long" >"$scratch/event.json"
import "$scratch/header.json" && ask "$counts" '1 0 0 0 long_header=1' && import "$scratch/event.json" && ask "$counts" '1 0 0 0'
result $? 'a member before the events, or the first event, of 3 MB'
gzip -c "$scratch/header.json" >"$scratch/header.json.gz"
import "$scratch/header.json.gz" && ask "$counts" '1 0 0 0 long_header=1'
result $? 'and compressed'

# -- who, where, when -------------------------------------------------------------------------------
import "$examples/every-kind.json" &&
    ask 'SELECT group_concat(format) FROM source' chrome &&
    ask "SELECT group_concat(pid || ' ' || coalesce(label, '-'), '; ') FROM process" \
        '10 Browser; 11 Renderer; 18446744073709551614 -'
result $? 'pids are as in the file, labels may come last'
ask "SELECT pid || '/' || tid || ' ' || thread.label FROM thread JOIN process ON process.id = process WHERE thread.label IS NOT NULL" \
    '10/1 Main µ'
result $? 'threads have labels'
ask "SELECT args FROM event WHERE raw_name = 'paint'" '"{""layers"": 2}"'
result $? 'arguments of the end join those of the begin'
ask "SELECT group_concat(series || ' ' || typeof(value) || ' ' || value, '; ') FROM (SELECT * FROM counter ORDER BY ts_ns, series)" \
    'memory/gpu real 0.5; memory/heap integer 1048576; fps[left] integer 60; memory/gpu real -0.001; memory/heap integer 9007199254740993'
result $? 'counters: one series a key, integers stay integers'
ask "SELECT group_concat(a.raw_name || ' to ' || b.raw_name || ' of ' || kind, '; ') FROM flow JOIN event a ON a.id = from_event JOIN event b ON b.id = to_event" \
    'task to task of ipc; layout to task of ipc; task to task of ipc'
result $? 'flows tie spans'
ask "SELECT group_concat(key || '=' || value, '; ') FROM metadata WHERE key IN ('num_cpus', 'displayTimeUnit')" \
    'displayTimeUnit=ms; num_cpus=8'
result $? 'what is told beside the events is metadata'

# -- ways in ----------------------------------------------------------------------------------------
import "$examples/every-kind.json" && ask "$counts" '12 6 5 3 skipped_kind=6' &&
    "$TRACETOOL" --db "$db" query 'SELECT * FROM event' >"$scratch/plain.txt"
gzip -c "$examples/every-kind.json" >"$scratch/every.json.gz"
import "$scratch/every.json.gz" && "$TRACETOOL" --db "$db" query 'SELECT * FROM event' | same - plain.txt
result $? 'compressed'
rm -f "$db"*
"$TRACETOOL" --db "$db" import -q - <"$examples/every-kind.json" &&
    "$TRACETOOL" --db "$db" query 'SELECT * FROM event' | same - plain.txt
result $? 'from standard input, which the look ahead does not lose'
rm -f "$db"*
gzip -c "$examples/every-kind.json" | "$TRACETOOL" --db "$db" import -q --format chrome - &&
    "$TRACETOOL" --db "$db" query 'SELECT * FROM event' | same - plain.txt
result $? 'compressed through a pipe'
mkfifo "$scratch/pipe.json" && run 1 --db "$db" import "$scratch/pipe.json" && has err 'FIFO' '- <'
result $? 'a FIFO is refused with what to do'
mkdir "$scratch/empty" && run 1 --db "$db" import --format chrome "$scratch/empty" && has err 'no trace files'
result $? 'an empty folder has no traces'
: >"$scratch/nothing.json"
run 1 --db "$db" import "$scratch/nothing.json" && has err 'the file is empty' &&
    run 1 --db "$db" import --format chrome "$scratch/nothing.json" && has err 'the file is empty'
result $? 'an empty file is an error'
mkdir "$scratch/mixed" && cp "$examples/every-kind.json" "$scratch/mixed/a.json" && echo '{"x": [1]}' >"$scratch/mixed/b.json"
import "$scratch/mixed" && ask 'SELECT count(*) FROM source' 1
result $? 'other JSON in a folder is passed by'
run 1 --db "$db" import "$scratch/mixed/b.json" && has err 'not a trace of a known format'
result $? 'other JSON is not a trace'

# -- options ----------------------------------------------------------------------------------------
import --args none "$examples/every-kind.json" && ask 'SELECT count(args) FROM event' 0
result $? '--args none'
import --args x,url "$examples/every-kind.json" &&
    ask "SELECT group_concat(args, ' ') FROM (SELECT args FROM event WHERE args IS NOT NULL ORDER BY ts_ns)" '"{""url"": ""a\/b""} {""x"": 3}"'
result $? '--args KEY,KEY'
printf '[{"name":"a","ph":"X","ts":1,"dur":1}]' >"$scratch/nobody.json"
import --pid me --rank 5 "$scratch/nobody.json" && ask 'SELECT pid, rank FROM process' 'me,5'
result $? '--pid, --rank'
run 1 --db "$db" import --strict "$examples/odd/cut-event.json" &&
    has err "cut-event.json: byte 187: value cut by the end of the file" '--strict' &&
    run 0 --db "$db" import --strict "$examples/odd/open-array.json" && has out 'without its end, as the format allows'
result $? '--strict names file, byte and reason'
run 2 --db "$db" import --step-rule sed "$scratch/nobody.json" && has err "did you mean 'seed'?"
result $? 'a misspelt step rule'
run 2 --db "$db" import --format standart "$scratch/nobody.json" && has err "did you mean 'standard'?"
result $? 'a misspelt format'
printf '[{"name":"a","ph":"X","ts":1e400,"dur":1}]' >"$scratch/huge.json"
run 1 --db "$db" import "$scratch/huge.json" && has err 'huge.json: event at byte 1: ts 1e400'
result $? 'a time beyond all times is an error'

# -- there and back ---------------------------------------------------------------------------------
there_and_back() { # VARIANT TEXT TRACE... : as tests/oracles/round-trip.py has them
    _variant=$1 _text=$2
    shift 2
    ! again || [ $# -le 2 ] || set -- "$1" "$2"
    python3 "$SRCDIR/tests/oracles/round-trip.py" "$TRACETOOL" "$scratch" "$_variant" "$@" >"$scratch/back"
    status=$?
    sed 's/^/# /' "$scratch/back"
    result $status "$_text"
}
# span-extras has flows of spans of no length that begin together, ctf-hosts messages received when a call ends.
for variant in chrome original template; do
    there_and_back $variant "an export of kind $variant gives the same again" "$TRACETOOL_DATA/tau-mpi4" \
        "$TRACETOOL_DATA"/kineto/*.json "$examples/odd/crossing.json" "$examples/odd/odd-args.json" "$TRACETOOL_DATA/job-2x1"
    [ $variant = template ] ||
        there_and_back $variant "$variant: also flows and messages" "$examples"/*.json "$TRACETOOL_DATA/ctf-hosts"
done

# The end of an asynchronous span is found by the name of the source, which the standard name does not tell.
printf '[{"ph":"b","name":"a.b","cat":"x","id":1,"ts":1,"pid":1,"tid":1},{"ph":"e","name":"a.b","cat":"x","id":1,"ts":5,"pid":1,"tid":1}]' >"$scratch/dot.json"
there_and_back chrome 'an asynchronous span with a dot' "$scratch/dot.json"

names='SELECT raw_name, name, count(*) FROM event GROUP BY 1, 2 ORDER BY 1, 2'
import "$TRACETOOL_DATA/kineto/first.json" && run 0 --db "$db" query --format csv "$names" && cp "$scratch/out" "$scratch/names" &&
    run 0 --db "$db" export --names original -o "$scratch/original.json" && import "$scratch/original.json" &&
    run 0 --db "$db" query --format csv "$names" && same out names &&
    has original.json '{"name":"Memcpy HtoD (Pinned -> Device)","cat":"MEM,' '"args":{"name":"MEM.Memcpy HtoD (Pinned _ Device).H2D"'
result $? 'with original names the standard ones are beside'

# -- real traces ------------------------------------------------------------------------------------
# -- a file in order is not sorted (a compressed one always is): the same rows come out ---------------------------
rows='SELECT pid, tid, name, ts_ns, dur_ns, self_ns, depth, flags FROM event ORDER BY pid, tid, ts_ns, depth, id'
in_order() { # FILE TEXT
    gzip -nkf "$1"
    import "$1" && run 0 --db "$db" query --format csv "$rows" && cp "$scratch/out" "$scratch/plain.csv" &&
        import "$1.gz" && run 0 --db "$db" query --format csv "$rows" && same out plain.csv &&
        [ "$(wc -l <"$scratch/out")" -gt 5 ]
    result $? "$2"
}
"$BUILDDIR/bench/gen-trace-json" --minimal 3000 "$scratch/order.json"
cat >"$scratch/nested.json" <<'J'
[{"ph":"X","pid":1,"tid":1,"ts":0,"dur":100,"name":"a"},{"ph":"X","pid":1,"tid":2,"ts":5,"dur":1,"name":"x"},
{"ph":"X","pid":1,"tid":1,"ts":0,"dur":10,"name":"b"},{"ph":"X","pid":1,"tid":1,"ts":0,"dur":10,"name":"c"},
{"ph":"X","pid":1,"tid":1,"ts":5,"dur":20,"name":"crosses"},{"ph":"X","pid":1,"tid":1,"ts":20,"dur":0,"name":"d"},
{"ph":"X","pid":1,"tid":1,"ts":50,"dur":100,"name":"outlives"},{"ph":"X","pid":"1","tid":"1","ts":60,"dur":1,"name":"e"}]
J
sed 's/"ts":60/"ts":49/' "$scratch/nested.json" >"$scratch/late.json"
in_order "$scratch/order.json" 'a file in order needs no sorting'
in_order "$scratch/nested.json" 'nor does one whose spans nest and cross'
in_order "$scratch/late.json" 'one span that comes late is put where it belongs'

if [ ! -d "$shared" ]; then
    skip 'traces of Chrome, Perfetto and viztracer' "no $shared"
    skip 'what Speedscope tolerates' "no $shared"
    finish
    exit 0
fi
as_documented "$shared" <<END
async_begin_end 15 8 0 0 end_without_begin=1 unclosed=3
big_trace 933 0 0 0
fib 2 0 0 0
flow 1625 0 0 858 flow_unpaired=191 flow_without_span=265 unclosed=3
flow_events_json_v1 5 0 0 3
flow_simple 5 0 0 3
instance_counters 2 0 8 0
instant_events 0 5 0 0
main_thread_has_unclosed_slices 1684 0 0 0 unclosed=4
nanoseconds 8 0 0 0
nestable_async 9 3 0 0 bounded_end=1 end_without_begin=1
old 5 0 0 0
simple_trace 12 11 5 0 bounded_end=1 end_without_begin=2 spans_overlap=2 unclosed=1
trivial_trace 2 0 0 0
END
as_documented "$shared/tolerant" <<END
bex-interaction 12 0 0 0
end-non-top-of-stack 3 0 0 0 bounded_end=1
hermes-multiple-frames 4 0 0 0
matching-x 5 0 0 0
mismatched-name 1 1 0 0 bounded_end=1 end_without_begin=1
multiprocess 8 0 0 0
not-enough-end-events 3 0 0 0 unclosed=2
out-of-order-unbalanced-name 2 0 0 0 spans_overlap=2
simple-hermes 2 0 0 0
simple-partial 4 0 0 0 json_open_list=1 no_duration=1
simple-partial-trailing-comma 4 0 0 0 json_open_list=1 no_duration=1
simple 4 0 0 0 no_duration=1
too-many-end-events 2 2 0 0 end_without_begin=2
unbalanced-name 2 0 0 0 spans_overlap=2
x-events-matching-start 9 0 0 0
END
import --format plain "$shared/tolerant/x-events-matching-start.json" &&
    ask "SELECT group_concat(raw_name || depth, ' ') FROM (SELECT * FROM event ORDER BY ts_ns, depth)" \
        'alpha0 beta1 gamma2 gamma1 beta2 gamma1 beta2 beta1 gamma2'
result $? 'of spans that begin together the longest is outside'
import --format plain "$shared/tolerant/not-enough-end-events.json" &&
    ask "SELECT group_concat(ts_ns || '+' || dur_ns || ' ' || flags, '; ') FROM (SELECT * FROM event ORDER BY ts_ns)" \
        '"0+11000 unclosed; 1000+10000 unclosed,recursive; 10000+1000 recursive"'
result $? 'what is never ended ends with its thread'
import --format plain "$shared/tolerant/mismatched-name.json" &&
    ask "SELECT group_concat(raw_name || ' ' || coalesce(dur_ns, '-') || ' ' || coalesce(flags, ''), '; ') FROM (SELECT * FROM event ORDER BY ts_ns)" \
        '"alpha 10000 unclosed,inferred; beta - inferred"'
result $? 'an end of another name ends nothing'

for file in "$SHARED_DATA"/kineto/*.json.gz "$SHARED_DATA"/framework/tf_timeline/*.json "$SHARED_DATA"/framework/mxnet_profile/*.json; do
    sampled || continue
    import --format plain "$file" && python3 "$oracle" "$db" "$file"
    result $? "$(basename "$file") as it stands there"
done
# One moment of an asynchronous example has several spans that an export cannot tell apart by depth.
for variant in chrome original; do
    there_and_back $variant "real traces there and back as $variant" "$SHARED_DATA"/kineto/[acems]*.json.gz "$shared"/[bfimot]*.json \
        "$SHARED_DATA"/pinsight/jacobi_mpi_4np_v2
done
finish
