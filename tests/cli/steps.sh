#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Steps and dictionaries of made-up events against an oracle, and of a job against what its original tools say.
. "$SRCDIR/tests/cli/lib.sh"
load=$BUILDDIR/tests/store/load-events
expected=$SHARED_DATA/framework/job_2x2_expected

# collect DATABASE : everything that the oracle looks at.
collect() {
    for per in step rank run; do
        "$TRACETOOL" --db "$1" steps --per "$per" --unit ns --format csv >"$per.csv" 2>err || return 1
    done
    for dictionary in name2sta cat2sta; do
        "$TRACETOOL" --db "$1" stats --format "$dictionary" >"$dictionary.json" 2>err || return 1
    done
}

# -- a step one can follow by hand -----------------------------------------------------------------
tab=$(printf '\t')
while read -r pid tid op_cat op_name sub_op ts dur step; do
    [ "$sub_op" = - ] && sub_op=
    [ "$step" = - ] && step=
    echo "$pid$tab$tid$tab$op_cat$tab$op_name$tab$sub_op$tab$tab$ts$tab$dur$tab$step"
done >events <<'E'
host0.rank0 op FW a - 1000 1000 0
host0.rank0 op BW a - 3000 2000 0
host0.rank0 net Comm 1 QUEUE 4000 3000 0
host0.rank0 op UPDATE_ 1 - 8000 500 0
host0.rank0 in I/O 0 - 8600 300 1
host0.rank0 op FW a - 9000 1000 1
host0.rank0 op BW a - 10000 2000 1
host0.rank0 op FW a - 20000 1000 2
host0.rank0 op COMP loose - 30000 1000 -
E
"$load" steps.db <events
run 0 --db steps.db steps && has out '1 rank, 2 steps: iteration 5.25 us (median, for steps differ)' 'typical step 0' \
    '1 step without an end' && [ ! -s err ]
result $? 'a table'
grep -qE '^host0\.rank0 +0 +7\.500 +1\.000 +2\.000 +0\.500 +3\.000 +2\.000 +0\.000 +4\.000$' out
result $? 'times of a step'
refute has out OUTPUT
result $? 'no column of zeros only'
run 0 --db steps.db steps --format csv --unit ns && has out \
    'rank,step,iteration_ns,fw_ns,bw_ns,update_ns,output_ns,comp_ns,comm_ns,comm_exposed_ns,io_ns,idle_ns,counted,typical' \
    'host0.rank0,1,3000,1000,2000,0,0,0,0,0,300,0,1,0' 'host0.rank0,2,1000,1000,0,0,0,0,0,0,0,0,0,0' && lines out 4
result $? 'csv has all columns'
run 0 --db steps.db steps --top 1 && has out 'and 2 more'
result $? '--top'
run 0 --db steps.db steps --filter 'step=1' --format tsv && lines out 2
result $? 'a filter on steps'
run 0 --db steps.db steps --per rank && has out 'Steps' 'StdDev' '5.250'
result $? '--per rank'
run 0 --db steps.db steps --per run --format markdown && has out '| median |'
result $? '--per run'
run 0 --db steps.db stats --by step --format csv && grep -q ',step$' out && grep -q '6\.5,6\.5,4,.*,0$' out && lines out 5
result $? 'stats --by step'
run 0 --db steps.db steps --filter step=7 && has err 'no span with a step matches'
result $? 'a filter that fits nothing'
run 2 --db steps.db steps --per pid && has err 'step, rank, run' && refuses 2 "'--top' must not be negative" --db steps.db steps --top -4
result $? 'wrong options are refused'

# -- runs without steps ----------------------------------------------------------------------------
run 0 import "$TRACETOOL_DATA/tau-merged" && run 0 steps && has err 'no span of this run is in a step'
result $? 'a run without steps says so'
run 0 steps --per run --format json && [ "$(tr -d ' \n' <out)" = '[]' ]
result $? 'and has no iteration'

# -- tensors -----------------------------------------------------------------------------------------
printf 'parameter\t%s\n' '1	conv1_weight	512x1024	float16	0	metadata.json' '0	conv0_weight			1	names.txt' \
    '2	fc				' >events
"$load" params.db <events
run 0 --db params.db params && [ ! -s err ] && grep -qE '^ +0 +conv0_weight +1 +names.txt$' out &&
    grep -qE '^ +1 +conv1_weight +512x1024 +float16 +0 +metadata.json$' out
result $? 'tensors in order of their ids'
run 0 --db params.db params --format csv && has out 'tensor_id,tensor_name,shape,dtype,update_id,source' '2,fc,,,,' &&
    lines out 4
result $? 'tensors as csv'
run 0 --db params.db params --top 2 && has out 'and 1 more' && refuses 2 "'--top' must not be negative" --db params.db params --top -2
result $? 'some tensors'
run 0 params && has err 'no parameters' && run 0 params --format json && [ "$(tr -d ' \n' <out)" = '[]' ]
result $? 'a run without tensors says so'

# -- the uniform template ----------------------------------------------------------------------------
cat >template.json <<'E'
[{"name":"I\/O_0","ph":"X","ts":5,"dur":2.5,"pid":"host0.rank0","tid":"I/O","cat":"I/O","args":{"name":"I\/O_0","step":0,"cnt":0}},
{"name":"FW.model\/a","ph":"X","ts":10,"dur":3,"pid":"host0.rank0","tid":"operator0","cat":"operator","args":{"name":"FW.model\/a","step":0,"cnt":0,"input0":"I/O_0"}},
{"name":"Comm.3+4.REC","ph":"X","ts":11,"dur":3,"pid":"host0.rank0","tid":"comm_detail_r0_lr0","cat":"Comm","args":{"name":"Comm.3+4.REC~>0_1_6_0","loopId":0,"channelId":1,"chunkId":6,"sliceId":0,"step":0,"cnt":0}},
{"name":"UPDATE_CAL","ph":"X","ts":20,"dur":1,"pid":"host0.rank0","tid":"operator0","cat":"operator","args":{"name":"UPDATE_CAL","step":0,"cnt":0}},
{"name":"FW.watched","ph":"X","ts":30,"dur":1,"pid":"host0.rank0","tid":"debug","cat":"debug","args":{"name":"FW.watched"}},
{"name":"mark","ph":"i","ts":31,"pid":"host0.rank0","tid":"mark","s":"t"}]
E
run 0 --db template.db import template.json && run 0 --db template.db stats --format name2sta &&
    has out '"host0.rank0->I/O_0":{' '"host0.rank0->Comm.3+4.RECV~>0_1_6_0":{' '"cat":"Comm.RECV"' '"step_ids":[3]' &&
    refute matches out 'watched\|mark'
result $? 'debug events and instants are not in name2sta'
run 0 --db template.db export --template --absolute &&
    has out '"cat":"debug"' '"cat":"I/O"' '"name":"Comm.3+4.RECV~>0_1_6_0"' '"input0":"I/O_0"' '"all_prefix":["host0.rank0"]'
result $? 'export --template has the categories of the template'
cp out again.json
run 0 --db again.db import again.json
for db in template again; do
    "$TRACETOOL" --db $db.db query 'SELECT pid, tid, name, suffix, op_cat, op_name, sub_op, native_group, ts_ns, dur_ns,
        step, args FROM event WHERE dur_ns IS NOT NULL ORDER BY ts_ns' --format csv >$db.csv
done
lines template.csv 6 && same template.csv again.csv
result $? 'importing that again gives the same spans'

# A trace under standard names without any step; the rule is that of --step-rule.
cat >unstepped.json <<'E'
[{"name":"FW.a","ph":"X","ts":0,"dur":5,"pid":"p","tid":"t"},
{"name":"BW.a","ph":"B","ts":5,"pid":"p","tid":"t"},{"name":"BW.a","ph":"E","ts":9,"pid":"p","tid":"t"},
{"name":"FW.b","ph":"X","ts":10,"dur":5,"pid":"p","tid":"t"},{"name":"Comm.0.SEND","ph":"X","ts":12,"dur":9,"pid":"p","tid":"c"},
{"name":"UPDATE_0","ph":"X","ts":16,"dur":1,"pid":"p","tid":"t"},{"name":"FW.a","ph":"X","ts":20,"dur":5,"pid":"p","tid":"t"}]
E
for rule in seed strict none; do
    rm -f rule.db
    "$TRACETOOL" --db rule.db import --quiet --step-rule $rule unstepped.json
    "$TRACETOOL" --db rule.db query "SELECT group_concat(ifnull(step, '.'), '') AS steps FROM (SELECT step FROM event
        ORDER BY ts_ns)" --format csv | tail -n 1
    "$TRACETOOL" --db rule.db export --template >$rule.json 2>err
done >steps.txt
[ "$(tr '\n' ' ' <steps.txt)" = '001112 000001 ...... ' ] && filled seed.json strict.json none.json
result $? 'steps of a trace under standard names'
"$TRACETOOL" --db none.db import --quiet none.json
run 0 --db none.db steps && has err 'no span of this run is in a step'
result $? 'a template of ours gets no others'

# -- against the oracle ----------------------------------------------------------------------------
if command -v python3 >/dev/null; then
    wrong=
    for seed in $(seeds 20); do
        rm -f random.db
        python3 "$SRCDIR/tests/oracles/steps.py" generate $seed >events && "$load" random.db <events && collect random.db &&
            python3 "$SRCDIR/tests/oracles/steps.py" check events step.csv rank.csv run.csv name2sta.json cat2sta.json \
                2>oracle || { wrong=$seed; sed 's/^/# /' oracle err; break; }
    done
    [ -z "$wrong" ] || echo "# seed $wrong"
    [ -z "$wrong" ]
    result $? 'steps, name2sta and cat2sta of random events'
else
    skip 'steps, name2sta and cat2sta of random events' 'python3 is not here'
fi

if [ -f "$expected/bps_trace_final.json" ] && command -v python3 >/dev/null; then
    python3 "$SRCDIR/tests/oracles/template-events.py" "$expected/bps_trace_final.json" >events && "$load" job.db <events &&
        collect job.db &&
        python3 "$SRCDIR/tests/oracles/steps.py" dpro name2sta.json cat2sta.json "$expected/name2sta.tsv" \
            "$expected/cat2sta.tsv"
    result $? 'the dictionaries of a job are those of its original tools'
    run 0 --db job.db steps --per run --unit ms --format csv && has out '4,4,6.2835,mean,6.2835,'
    result $? 'so is the time of its iteration'
    run 0 --db trace.db import "$expected/bps_trace_final.json" && collect trace.db &&
        python3 "$SRCDIR/tests/oracles/steps.py" dpro name2sta.json cat2sta.json "$expected/name2sta.tsv" \
            "$expected/cat2sta.tsv"
    result $? 'imported from their trace as well'
    run 0 --db trace.db export --template --absolute && python3 - out "$expected/bps_trace_final.json" <<'P'
import json, sys
found, wanted = ([json.dumps(event, sort_keys=True) for event in json.load(open(path), parse_int=float)["traceEvents"]]
                 for path in sys.argv[1:])
assert sorted(found) == sorted(wanted)
P
    result $? 'and export --template gives their trace back'
else
    skip 'the trace of a job' 'the shared data or python3 are not here'
    skip 'the template of a job' 'the shared data or python3 are not here'
    skip 'the dictionaries of a job' 'the shared data or python3 are not here'
    skip 'the time of its iteration' 'the shared data or python3 are not here'
fi
finish
