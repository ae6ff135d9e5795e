#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A long file of complete spans is believed to be in order and read once; where late events show otherwise, the import
# begins anew and sorts them. What is compressed is sorted always, and is the judge.
# shellcheck source=tests/cli/lib.sh
. "$SRCDIR/tests/cli/lib.sh"
. "$SRCDIR/tests/cli/readers-lib.sh"
n_events=24000

# made NAME LAST : a trace of so many spans in order, and LAST after them
made() {
    awk -v n=$n_events -v last="$2" 'BEGIN {
        print "{\"traceEvents\":["
        for (i = 0; i < n; i++)
            printf "{\"name\":\"op_%03d\",\"cat\":\"cpu_op\",\"ph\":\"X\",\"ts\":%d.125,\"dur\":%d,\"pid\":%d,\"tid\":%d}%s\n",
                i * 7 % 100, 100 + int (i / 16) * 50, 48 - i % 7, i % 4, i % 16, i + 1 < n || last != "" ? "," : ""
        print last "]}"
    }' >"$1.json" && gzip -nk "$1.json"
}
span() { # TS DUR
    echo "{\"name\":\"late\",\"ph\":\"X\",\"ts\":$1,\"dur\":$2,\"pid\":0,\"tid\":0}"
}

rows() { # FILE : of what happened, whatever their numbers
    run 0 --db "$db" query --format csv "SELECT pid, tid, name, ts_ns, dur_ns, self_ns, depth, flags FROM event
        ORDER BY pid, tid, ts_ns, depth, name" && cp out "$1"
}
is_sorted() { # NAME : its rows are those of the compressed file, of one source of one run
    import "$1.json" && rows plain.csv && ask 'SELECT count(*), max(run), min(n_events) FROM source' "1,1,$2" &&
        import "$1.json.gz" && rows packed.csv && same plain.csv packed.csv
}

made good '' && is_sorted good $n_events
result $? 'spans in order'
made late "$(span 300.5 7)" && is_sorted late $((n_events + 1)) && has plain.csv '0,0,COMP.late,300500,7000,'
result $? 'the last span begins before the others'
made longer "$(span 75050.125 49)" && is_sorted longer $((n_events + 1))
result $? 'the last span begins with one that it contains'
made begin '{"name":"late","ph":"B","ts":900000,"pid":0,"tid":0}' && is_sorted begin $((n_events + 1))
result $? 'the last event is a begin'
made open '{"name":"late","ph":"X","ts":900000,"pid":0,"tid":0}' && is_sorted open $((n_events + 1))
result $? 'the last span has no duration'

# Several files: what was read before the disorder is not there twice.
import late.json good.json && ask 'SELECT count(*), count(DISTINCT source), max(run) FROM event' \
    "$((2 * n_events + 1)),2,1" && import good.json && run 0 --db "$db" import --add late.json &&
    ask 'SELECT count(*), count(DISTINCT source), max(run) FROM event' "$((2 * n_events + 1)),2,1"
result $? 'with other files'

# What comes after the disorder is told as it would be without.
made broken "$(span 300.5 7),{\"name\":\"late\",\"ph\":\"X\",\"ts\":99999999999999999999,\"dur\":1,\"pid\":0,\"tid\":0}"
refuses_import 1 'beyond what a time can be' broken.json
result $? 'an error behind the disorder'

# Strict mode looks ahead, at all of it.
read_bytes() { # ARGUMENT... : that an import reads
    rm -f "$db"*
    STAND_IN_STATUS=0 sh -c '"$@" >out 2>&1 && sed -n "s/^rchar: //p" /proc/$$/io' sh "$TRACETOOL" --db "$db" import "$@"
}
if [ -r /proc/self/io ]; then
    once=$(read_bytes good.json) && filled "$db" && twice=$(read_bytes --strict good.json) && filled "$db" &&
        [ "$once" -gt 0 ] && [ $((twice - once)) -gt 400000 ]
    result $? 'a file in order is read once'
else
    skip 'a file in order is read once' 'no /proc/self/io'
fi
# Parts of a file are read by several threads: the same rows, repairs and words, whatever is in them.
same_with_readers 'spans in order' 0 good.json
same_with_readers 'the last span begins before the others' 0 late.json
sed '15000s/"dur":[0-9]*/"dur":+1/;18000s/,$//;20000s/{"name":/{"name" /' good.json >mended.json
same_with_readers 'damage among the events' 3 mended.json
head -c 1500000 good.json >cut.json
same_with_readers 'a file that ends within an event' 0 cut.json
sed '19000s/"ts":[0-9]*/"ts":99999999999999999999/' good.json >beyond.json
for readers in 0 3; do
    TRACETOOL_READERS=$readers run 1 import --db beyond.db beyond.json && cp err beyond.$readers
done
has beyond.0 'is beyond what a time can be' && same beyond.0 beyond.3 && [ ! -e beyond.db ]
result $? 'a time that none can be: the same error, and no database'
finish
