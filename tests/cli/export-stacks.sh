#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# export --folded and --speedscope: every path, value and interval against a search by brute force in the database.
. "$SRCDIR/tests/cli/lib.sh"

have_python=0
command -v python3 >/dev/null && python3 -c 'import sqlite3' 2>/dev/null && have_python=1

agrees() { # [WHERE [OPTION...]] : what is exported of $db with OPTIONs is what the database has WHERE
    where=${1:-1}
    [ $# -eq 0 ] || shift
    rm -f some.folded some.json
    run 0 --db "$db" export --folded "$@" -o some.folded && has err 'call paths' && cp err said &&
        run 0 --db "$db" export --speedscope "$@" -o some.json && filled some.json || return 1
    facts=$(python3 "$SRCDIR/tests/oracles/check-stacks.py" "$db" some.folded some.json "$where" 2>&1) && return 0
    echo "# $facts"
    return 1
}

# The self time of each path is what 'stats --by path' says.
same_paths() { # TRACE
    rm -f some.folded
    import "$1" && run 0 --db "$db" export --folded -o some.folded && run 0 --db "$db" stats --by path --format csv --unit ns --top 0 &&
        python3 "$SRCDIR/tests/oracles/paths-of-stacks.py" "$db" some.folded out >facts 2>&1 && matches facts '^[0-9]* paths, [1-9][0-9]* ns' && return 0
    sed 's/^/# /' facts
    return 1
}
if [ $have_python -eq 1 ]; then
    for trace in tau-mpi4 job-2x1 kineto/rank0.json nsys/train.sqlite rocprof/train.json pi-run chrome/stacks.json recorded/torch-2.13.0.rank0.json.gz \
        recorded/mpi/call-path; do
        same_paths "$TRACETOOL_DATA/$trace"
        result $? "the paths of stats: $trace"
    done
fi

# -- what it looks like ---------------------------------------------------------------------------------
import "$TRACETOOL_DATA/tau-mpi4" && run 0 --db "$db" export --folded && cp out whole.folded &&
    matches whole.folded -x 'node0;thread 0;COMP._TAU application;COMP.main [0-9]*' && has err 'of 775 spans' 'flamegraph.pl'
result $? 'folded stacks on standard output'
run 0 --db "$db" query --format csv 'SELECT sum(self_ns) AS own, count(*) AS n FROM event WHERE dur_ns IS NOT NULL' &&
    column own >own && awk '{ sum += $NF } END { print sum }' whole.folded | same - own
result $? 'the values add up to the self time of the run'
sed 's/ [0-9]*$//' whole.folded | sort -u | wc -l >distinct && wc -l <whole.folded | same - distinct
result $? 'no path comes twice'
run 0 --db "$db" export --folded -o again.folded.gz && gzip -dc again.folded.gz | same - whole.folded && run 0 --db "$db" export --folded -o again.txt &&
    same again.txt whole.folded
result $? 'in a .gz file; the same bytes each time'
run 0 --db "$db" export --speedscope && cp out whole.json && has out '"$schema":"https://www.speedscope.app/file-format-schema.json"' \
    '"name":"node0 / thread 0","unit":"nanoseconds"' && [ "$(grep -c '"type":"O"' out)" -eq 775 ] && [ "$(grep -c '"type":"C"' out)" -eq 775 ] &&
    [ "$(grep -c '"type":"evented"' out)" -eq 4 ] && has err '775 spans in 4 profiles' 'www.speedscope.app'
result $? 'profiles for speedscope on standard output'
run 0 --db "$db" export --speedscope -o again.json.gz && gzip -dc again.json.gz | same - whole.json
result $? 'the same in a .gz file'
cp "$TRACETOOL_DATA"/tau-merged/run.* . && chmod u+w run.* && run 0 export --folded -o traces.folded run.trc run.edf && filled traces.folded
result $? 'straight from trace files'

# -- what it says ---------------------------------------------------------------------------------------
run 0 --db "$db" export --folded --filter pid=nobody && [ ! -s out ] && has err 'no span matches'
result $? 'nothing matches'
import "$TRACETOOL_DATA/kineto/rank0.json" && run 0 --db "$db" export --speedscope -o x.json && matches err 'left out [0-9]* instants'
result $? 'instants have no place'
import "$TRACETOOL_DATA/neutrino-new" && run 0 --db "$db" export --speedscope && has out '"unit":"none"' '"unit":"nanoseconds"' && unsaid ticks &&
    run 0 --db "$db" export --folded && has err 'some values are nanoseconds, others ticks'
result $? 'ticks are no nanoseconds'
cat >names.json <<'END'
[{"ph":"X","pid":1,"tid":1,"name":"a;b","ts":0,"dur":9},{"ph":"X","pid":1,"tid":1,"name":"a:b","ts":1,"dur":2},
 {"ph":"b","cat":"x","id":1,"pid":1,"tid":1,"name":"later","ts":3,"dur":0},{"ph":"e","cat":"x","id":1,"pid":1,"tid":1,"name":"later","ts":90},
 {"ph":"X","pid":1,"tid":1,"name":"c","ts":20,"dur":10},{"ph":"X","pid":1,"tid":1,"name":"d","ts":25,"dur":10}]
END
import names.json && run 0 --db "$db" export --folded && cat >wanted <<'END' && same wanted out && has err "in 1 names"
process 1;thread 1;(async);COMP.later 87000
process 1;thread 1;(overlap);COMP.c 10000
process 1;thread 1;(overlap);COMP.d 10000
process 1;thread 1;COMP.a:b 7000
process 1;thread 1;COMP.a:b;COMP.a:b 2000
END
result $? 'asynchronous spans, spans that cross, names with a semicolon'
run 0 --db "$db" export --speedscope && grep -o '"name":"process[^"]*"' out >profiles && cat >wanted <<'END' && same wanted profiles
"name":"process 1 / thread 1"
"name":"process 1 / thread 1 (2)"
"name":"process 1 / thread 1 (async)"
END
result $? 'they have profiles of their own'
# shellcheck disable=SC2016
awk 'BEGIN { printf "["; for (i = 0; i < 70; i++) printf "%s{\"ph\":\"X\",\"pid\":1,\"tid\":1,\"name\":\"s\",\"ts\":%d,\"dur\":100}", i ? "," : "", i; print "]" }' >many.json
import many.json && run 0 --db "$db" export --speedscope && has err '64 spans in 64 profiles' 'left out 6 spans: more than 64 cross' &&
    run 0 --db "$db" export --folded && has out '(overlap);COMP.s 7000000' && unsaid 'left out'
result $? 'so many that cross are too many for profiles'
import "$TRACETOOL_DATA/chrome" && run 0 --run all --db "$db" export --folded && sed 's/ [0-9]*$//' out | sort | uniq -d >twice && [ ! -s twice ] && filled out
result $? 'of many files, too, no path comes twice'

# -- mistakes --------------------------------------------------------------------------------------------
for language in folded speedscope; do
    for option in --template '--max-size 3M' --absolute; do
        # shellcheck disable=SC2086
        refuses 2 "'${option%% *}' is for Chrome traces; '--$language'" --db "$db" export --$language $option -o x.json
        result $? "--$language $option"
    done
done
refuses 2 "'--chrome', '--perfetto', '--folded', '--speedscope', '--tau', '--profile' and '--otf2'" --db "$db" export --folded --speedscope
result $? 'two languages'
import "$TRACETOOL_DATA/kineto/first.json" && run 0 --db "$db" export --folded --names original && has out ';ProfilerStep#0;cudaMemcpyAsync 4000' &&
    run 0 --db "$db" export --speedscope --names original && has out '{"name":"Memcpy HtoD (Pinned -> Device)"}'
result $? 'frames under the names of the source'
refuses 2 "choose one" --db "$db" export --folded --tau a.trc a.edf && refuses 2 "choose one" --db "$db" export --speedscope --profile x
result $? 'one of them TAU'
refuses 2 'must end in .folded, .txt or .folded.gz' --db "$db" export --folded -o x.json && refuses 2 'must end in .json or .json.gz' --db "$db" export --speedscope -o x.folded
result $? 'a wrong suffix'

# -- the truth -------------------------------------------------------------------------------------------
if [ $have_python -eq 0 ]; then
    skip 'the truth' 'no python3 with sqlite3'
    finish
    exit 0
fi
for path in "$TRACETOOL_DATA"/tau-mpi4 "$TRACETOOL_DATA"/succeed/deep "$TRACETOOL_DATA"/kineto/rank0.json "$TRACETOOL_DATA"/kineto/odd.json \
    "$TRACETOOL_DATA"/framework/* "$TRACETOOL_DATA"/job-2x1 "$TRACETOOL_DATA"/chrome "$TRACETOOL_DATA"/neutrino-new "$TRACETOOL_DATA"/pi-run; do
    import "$path" && agrees
    result $? "${path##*/}: ${facts-}"
done
import "$TRACETOOL_DATA/tau-mpi4" && agrees "op_cat = 'Comm'" --filter op_cat=Comm && refute has some.folded COMP
result $? "a filter: ${facts-}"
window='ts_ns < 1700000000002000000 AND ts_ns + dur_ns > 1700000000001000000'
agrees "$window" --time-window 1000:2000 && has some.json '"startValue":0'
result $? "a time window: ${facts-}"
agrees "$window AND name = 'COMP.fib(int)'" --time-window 1000:2000 --filter 'name=COMP.fib(int)' && [ "$(grep -c '"startValue":0,' some.json)" -eq 0 ]
result $? "a window begins where it begins: ${facts-}"
status=0
for seed in $(seeds 20); do
    python3 "$SRCDIR/tests/oracles/crossing-trace.py" "$seed" random.json && import random.json && agrees &&
        agrees "name IN ('COMP.a', 'COMP.b')" --filter name=COMP.a,COMP.b && agrees 'dur_ns > 4000' --filter 'dur>4' ||
        { echo "# seed $seed"; status=1; break; }
done
result $status 'random traces whose spans nest and cross'
import "$TRACETOOL_DATA/tau-mpi4" && change_database "$db" 'UPDATE event_row SET self_ns = -5 WHERE id = 7' &&
    refuses 1 'is damaged: event 7 lasts' --db "$db" export --folded -o x.folded && [ ! -e x.folded ]
result $? 'a damaged database'
finish
