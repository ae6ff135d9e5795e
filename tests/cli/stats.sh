#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# stats: groupings, formats, filters, windows, metrics, what is left out.
. "$SRCDIR/tests/cli/lib.sh"
"$TRACETOOL" import -q "$TRACETOOL_DATA/tau-merged" || exit 1


run 0 stats && lines out 30 && has out 'Time %' ' Self ' ' 20.56 ' ' 13.69 ms ' 'Comm.MPI_Recv.RECV'
result $? 'by name, in microseconds, sorted by self time'
run 0 stats --top 3 && has out 'and 26 more (50.14 % of time)' && lines out 5
result $? 'the rest is counted'
run 0 stats --format csv && lines out 30 && total time_percent | awk '{ exit !($1 > 99.999999 && $1 < 100.000001) }'
result $? 'csv has all rows; time sums to 100'
run 0 stats --format csv --top 2 && lines out 3
result $? '--top cuts csv when asked'
for command in stats info kernels; do
    refuses 2 "'--top' must not be negative" $command --top -1
    result $? "$command: --top is no negative number"
done
run 0 stats --top 0 && refute has out ' more ('
result $? '--top 0 shows all'
run 0 stats --format csv && cp out by-table && run 0 stats --format csv --filter 'depth>-1' && same out by-table
result $? 'the table and the scan agree, by name'
run 0 stats --by op_long_name --format csv && cp out by-table &&
    run 0 stats --by op_long_name --format csv --filter 'depth>-1' && same out by-table
result $? 'the table and the scan agree, by op_long_name'
run 0 stats --per pid --format csv && cp out by-table && run 0 stats --per pid --format csv --filter 'depth>-1' && same out by-table
result $? 'the table and the scan agree, per process'

for key in op_cat op_name sub_op pid tid step native_group file op_cat,pid pid,tid,name; do
    run 0 stats --by $key --format csv && [ "$(total count)" = 775 ] &&
        head -n 1 out | grep -q ",$key\$"
    result $? "--by $key has every span once"
done
run 0 stats --by tid --format csv && column self_us >times &&
    "$TRACETOOL" query 'SELECT sum(self_ns)/1000 FROM event' --format csv | tail -n +2 | same - times
result $? 'all self times are there'
run 0 stats --by pid --unit ns --format csv && column total_ns | sort -n >totals &&
    "$TRACETOOL" query 'SELECT sum(dur_ns) FROM event WHERE depth = 0 GROUP BY pid ORDER BY 1' --format csv | tail -n +2 | same - totals
result $? 'Total of a process is that of its outermost spans'

# -- sorting --------------------------------------------------------------------------------------
for column in total self count avg med min max stddev p95 p99; do
    case $column in count) key=count ;; *) key=${column}_ns ;; esac
    run 0 stats --sort $column --unit ns --format csv && column $key >column && sort -rg column | same - column
    result $? "--sort $column goes down"
done
run 0 stats --sort name --format tsv && cut -f 12 out | tail -n +2 >column && sort column | same - column
result $? '--sort name goes up'

# -- filters and windows --------------------------------------------------------------------------
run 0 stats --filter op_cat=Comm,SYNC --format csv && column name >names && matches names '^Comm' && matches names '^SYNC' &&
    refute matches names -v '^\(Comm\|SYNC\)'
result $? 'commas in a filter mean or'
run 0 stats --filter op_cat=Comm --filter 'pid=node3' --by pid,op_cat --format csv && lines out 2
result $? 'filters together mean and'
run 0 stats --filter 'name~^Comm' --by op_cat --format csv && lines out 2
result $? 'a filter by regular expression'
run 0 stats --filter op_cat=Nothing && has err 'no span matches' && [ "$(grep -c . out)" -le 1 ]
result $? 'a filter without a match says so'
run 0 stats --filter op_cat=Commm && has err "no span matches: no op_cat 'Commm'; did you mean 'Comm'?"
result $? 'a filter value that nothing has gets the nearest'
run 0 stats --filter op_cat=Comm --filter pid=nod1 && has err "no pid 'nod1'; did you mean 'node"
result $? 'also of a process'
run 2 stats --filter op_kat=Comm && has err "op_cat"
result $? 'a misspelt field gets the nearest'
run 0 stats --time-window 1000:2000 --unit us --by pid --format csv && lines out 5 &&
    column total_us | awk '$1 > 1000 { bad = 1 } END { exit bad || NR != 4 }'
result $? 'a window clips totals'
run 0 stats --time-window 0: --format csv --by pid && column self_us >clipped && run 0 stats --by pid --format csv &&
    column self_us | same - clipped
result $? 'a window over everything changes nothing'
run 0 stats --time-window 1ms:2ms --by pid --format csv && cp out window.csv && run 0 stats --time-window 1000:2000 --by pid --format csv &&
    same out window.csv && run 0 stats --filter 'dur > 0.5 ms' --format csv --unit ns && cp out longer.csv &&
    run 0 stats --filter 'dur>500000' --unit ns --format csv && same out longer.csv && refuses 2 "'1min' is not a time; its unit is ns, us, ms or s" stats --filter 'dur<1min'
result $? 'times with a unit of their own'
: >parts
for window in :5000 5000:10000 10000:; do
    run 0 stats --time-window $window --by op_cat --sort name --format csv && column self_us >>parts
done
run 0 stats --by op_cat --format csv && filled parts && [ "$(total self_us)" = "$(awk '{ s += $1 } END { printf "%.12g\n", s }' parts)" ]
result $? 'self times of windows side by side sum to the whole'

# -- per process ----------------------------------------------------------------------------------
run 0 stats --per pid --by op_cat --format csv --unit ns --sort name && cp out per
run 0 stats --by op_cat,pid --format csv --unit ns --sort name && cp out each
lines per 5 && lines each 17 && awk -F, 'NR == FNR { if (FNR > 1) { sum[$12] += $2; if ($2 > max[$12]) { max[$12] = $2; who[$12] = $13 } } next }
    FNR > 1 { mean = sum[$10] / 4
              if ($2 != sum[$10] || $4 != 0 || $7 != max[$10] || $9 != who[$10] || ($6 - mean) ^ 2 > 1e-6 || ($8 - (max[$10] / mean - 1) * 100) ^ 2 > 1e-9) { print "# " $0; bad = 1 } }
    END { exit bad }' each per
result $? '--per pid gives mean, max, imbalance and the slowest'
run 0 stats --per pid --filter name~Bcast --sort imbalance && has out 'Comm.MPI_Bcast.BCAST'
result $? '--per pid with a filter'
run 0 stats --per pid --filter 'pid=node0' --format csv --by op_cat && column imbalance_percent >imbalances &&
    refute matches imbalances -v '^0$'
result $? 'processes that are filtered out are not absent ones'
refuses 2 "did you mean 'pid'" stats --per tid && refuses 2 'leave pid out' stats --per pid --by pid
result $? '--per with something else is refused'

# -- metrics --------------------------------------------------------------------------------------
refuses 1 nowhere.trc stats --metric list nowhere.trc
result $? 'a file that is not there'
"$TRACETOOL" import -q --db metrics.db "$TRACETOOL_DATA/succeed/metrics" || exit 1
metric=none
run 0 --db metrics.db stats --metric list && filled out && metric=$(head -n 1 out)
result $? '--metric list names them'
run 0 --db metrics.db stats --metric "$metric" --format csv --by tid &&
    wanted=$("$TRACETOOL" --db metrics.db query "SELECT sum(exclusive) FROM metric WHERE name = '$metric'" --format csv | tail -n 1) &&
    [ -n "$wanted" ] && [ "$(total self)" = "$wanted" ]
result $? '--metric sums the exclusive values'
run 0 --db metrics.db stats --metric "$metric" --format csv --by pid,tid &&
    column total | sort -n >totals &&
    "$TRACETOOL" --db metrics.db query "SELECT sum(m.inclusive) FROM metric m JOIN event e ON e.id = m.event WHERE m.name = '$metric' AND e.depth = 0 GROUP BY e.pid, e.tid ORDER BY 1" --format csv |
    tail -n +2 | same - totals
result $? 'inclusive values count nested spans once'
run 2 --db metrics.db stats --metric "${metric}X" && has err "did you mean '$metric'?"
result $? 'a misspelt metric gets the nearest'
run 2 stats --metric "$metric" && has err 'no metrics'
result $? 'a run without metrics says so'

# -- formats --------------------------------------------------------------------------------------
run 0 stats --format markdown && head -n 2 out | tail -n 1 | grep -q '^|[-: |]*|$'
result $? 'markdown'
if command -v python3 >/dev/null; then
    run 0 stats --format json && python3 -c 'import json, sys
rows = json.load(sys.stdin)
assert len(rows) == 29 and rows[0]["name"] == "Comm.MPI_Recv.RECV" and rows[0]["self_us"] == 13686' <out
    result $? 'json'
    "$TRACETOOL" query 'SELECT op_long_name, dur_ns, ts_ns, name FROM event ORDER BY ts_ns, name, pid, id' --format json >spans
    run 0 stats --format name2sta && python3 - out spans <<'P'
import json, sys
found, spans = json.load(open(sys.argv[1])), json.load(open(sys.argv[2]))
wanted = {}
for index, span in enumerate(spans):
    key = span["op_long_name"]
    entry = wanted.setdefault(key, {"id": len(wanted), "durations": [], "step_ids": []})
    entry["durations"].append(span["dur_ns"])
    entry["step_ids"].append(index)
assert list(found) == list(wanted), "order"
for key, entry in wanted.items():
    d, f = entry["durations"], found[key]
    assert f["cnt"] == len(d) and f["id"] == entry["id"] and f["step_ids"] == entry["step_ids"], key
    for name, value in (("time", sum(d)), ("avg", sum(d) / len(d)), ("min_t", min(d)), ("max_t", max(d))):
        assert abs(f[name] - value / 1e6) < 1e-12 * (1 + value), (key, name, f[name], value)
P
    result $? 'name2sta is the dictionary, in order of first appearance'
else
    skip 'json' 'python3 is not here'
    skip 'name2sta' 'python3 is not here'
fi
refuses 2 'do not go with it' stats --format name2sta --top 3 && refuses 2 'do not go with it' stats --format name2sta --by pid
result $? 'name2sta is by op_long_name'
refuses 2 "'--top' must not be negative" stats --top -3
result $? 'a negative --top is refused'
# -- a time window reads only the events near it --------------------------------------------------------------------
awk 'BEGIN { print "[{\"ph\":\"X\",\"name\":\"main\",\"pid\":1,\"tid\":1,\"ts\":0,\"dur\":200000}"
    for (i = 0; i < 20000; i++) {
        printf ",{\"ph\":\"X\",\"name\":\"outer\",\"pid\":1,\"tid\":%d,\"ts\":%d,\"dur\":9}\n", 1 + i % 2, i * 10
        printf ",{\"ph\":\"X\",\"name\":\"inner%d\",\"pid\":1,\"tid\":%d,\"ts\":%d,\"dur\":5}\n", i % 7, 1 + i % 2, i * 10 + 2
    }
    print "]" }' >long.json
if command -v python3 >/dev/null; then
    import long.json && run 0 query 'SELECT count (*) > 3, sum (last - id + 1) FROM main.event_block_row' --format csv && has out '1,40001'
    result $? 'events are in pieces'
    cp "$db" whole.db && change_database whole.db 'DELETE FROM event_block_row' && status=0
    for window in 0:1us 100ms:100.1ms 100003us:100004us 50ms:150ms 199ms: :5us 77777us:77778us; do
        for command in 'stats --by tid,name --format csv' 'stats --by path --format csv' 'tree --top 0 --format csv' \
            'breakdown --per stream --format csv' 'export --chrome -o -' 'export --folded -o -' 'kernels --format json' 'steps --format csv'; do
            # shellcheck disable=SC2086
            run 0 $command --time-window $window && cp out near.csv &&
                run 0 --db whole.db $command --time-window $window && cmp -s out near.csv && filled out || status=1
        done
    done
    [ "$status" -eq 0 ] && run 0 stats --by tid,name --time-window 100ms:100.01ms --format csv --unit us && has out ',9,4,1,' main
    result $? 'and a window has the same answers with and without them'
    # What launched the work of the window was long before it.
    awk 'BEGIN { print "{\"schemaVersion\":1,\"traceEvents\":[{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"aten::mm\",\"pid\":1,\"tid\":1,\"ts\":0,\"dur\":190000}"
        for (i = 0; i < 16000; i++) {
            printf ",{\"ph\":\"X\",\"cat\":\"cuda_runtime\",\"name\":\"cudaLaunchKernel\",\"pid\":1,\"tid\":1,\"ts\":%d,\"dur\":3,\"args\":{\"correlation\":%d}}\n", i * 10, i + 1
            printf ",{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"gemm\",\"pid\":0,\"tid\":7,\"ts\":%d,\"dur\":%d,\"args\":{\"correlation\":%d,\"stream\":7}}\n", i * 10 + 60000, 2 + i % 5, i + 1
        }
        print "]}" }' >far.json
    import far.json && status=0
    for table in kernels operators launches streams; do
        run 0 kernels --show $table --time-window 100ms:100.1ms --format csv && cp out near.csv && has near.csv , && lines near.csv 2 &&
            run 0 kernels --show $table --filter 'ts>99999' --filter 'ts<100100' --format csv && same out near.csv || status=1
    done
    [ "$status" -eq 0 ] && run 0 kernels --show launches --time-window 100ms:100.1ms --format csv --unit us && has out ',60000,'
    result $? 'and the launches of its work are found, however long before'
    run 0 --db whole.db info --check && has out 'counts and times'
    result $? 'a database without them is whole'
else
    skip 'events are in pieces' 'python3 is not here'
fi
finish
