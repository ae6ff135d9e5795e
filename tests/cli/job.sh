#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Directories of training jobs: against an oracle, event by event; which folder is one; what is missing; what is damaged.
. "$SRCDIR/tests/cli/lib.sh"
job=$TRACETOOL_DATA/job-2x1
oracle=$SRCDIR/tests/oracles/job.py
small='small job'

have_python=no
if command -v python3 >/dev/null; then have_python=yes; fi

agrees() { # TEXT JOB OPTION...
    what=$1 dir=$2
    shift 2
    if [ $have_python = no ]; then
        skip "$what" 'python3 is not here'
        return
    fi
    import -q "$@" "$dir" && python3 "$oracle" events "$dir" "$db" "$@"
    result $? "$what"
}

# -- the example ------------------------------------------------------------------------------------
agrees "$small: every event, its name, place, step and aligned time" "$job"
agrees "$small: with the clocks as they are" "$job" --no-align

import -q "$job" && has err "clocks aligned to 'host0' by the end of the last Sync: host1 -2000.000 us (--no-align"
result $? 'says how the clocks were aligned'

ask 'SELECT pid, node, rank FROM process ORDER BY id' host0.rank0,host0,0 host1.rank0,host1,1 &&
    ask "SELECT p.pid, m.key, m.value FROM metadata m JOIN process p ON p.id = m.process WHERE key = 'clock_shift_ns'" \
        host0.rank0,clock_shift_ns,0 host1.rank0,clock_shift_ns,-2000000 &&
    ask "SELECT count (*) FROM metadata WHERE key = 'nccl_rank_graph' AND json_extract (value, '\$.RealRing') IS NOT NULL" 2 &&
    ask "SELECT json_array_length (value, '\$.nodes'), json_array_length (value, '\$.edges') FROM metadata WHERE key = 'local_graph'" 18,17 &&
    ask "SELECT count (*) FROM metadata m, json_each (m.value, '\$.nodes') n WHERE m.key = 'local_graph' AND n.value IN (SELECT name FROM event)" 15
result $? 'processes, and the metadata that graphs are made of'

ask 'SELECT format, count (*), sum (n_events) FROM source GROUP BY 1' job,8,154 &&
    ask "SELECT json_extract (args, '\$.group_id'), json_extract (args, '\$.input0') FROM event
           WHERE name = 'FW.model/dense_1/MatMul' ORDER BY ts_ns LIMIT 1" 7,FW.model/dense_0/Relu &&
    ask "SELECT DISTINCT suffix, json_extract (args, '\$.chunkId') FROM event WHERE name = 'Comm.0+1.SEND' ORDER BY 1" \
        0_0_0_0,0 0_0_1_0,1
result $? 'files are sources; arguments and predecessors are kept'

run 0 --db "$db" info && has out '2 pieces of an operator joined' '2 operators that are not in the model' \
    '1 communication or I/O event before or after all operators' '1 communication event that is no part of a transfer' \
    '2 events of devices or threads without operators, left out'
result $? 'what was joined and left out is counted'

run 0 --db "$db" params --format csv && has out '0,gradient_tape/model/dense_0/MatMul_1:0,8x8,float32,0,' \
    '2,gradient_tape/model/dense_2/MatMul_1:0,8x10,float32,2,'
result $? 'parameters of the model'

run 0 --db "$db" export --chrome -o "$scratch/a.json" && import -q "$job" &&
    run 0 --db "$db" export --chrome -o "$scratch/b.json" && same a.json b.json
result $? 'the same job gives the same bytes'

run 0 convert -q "$job" "$scratch/c.json" && same b.json c.json
result $? 'convert writes what import and export do'

import -q "$job" && run 1 --db "$db" import -q --add "$job" && has err 'is already in this run' &&
    run 0 --db "$db" import -q --add --replace "$job" && ask 'SELECT count (*), sum (n_events) FROM source' 8,154
result $? 'the same job is not read twice unless it is replaced'

import -q --args none "$job" && ask 'SELECT count (*) FROM event WHERE args IS NOT NULL' 0 &&
    import -q --args chunkId "$job" && ask 'SELECT DISTINCT args FROM event WHERE args IS NOT NULL ORDER BY 1' \
    '"{""chunkId"":0}"' '"{""chunkId"":1}"'
result $? 'arguments can be left out'

# -- which folder is a job --------------------------------------------------------------------------
import -q "$job/host0" && ask 'SELECT pid FROM process' rank0 &&
    import -q "$job/host0/0" && ask 'SELECT pid FROM process' default &&
    import -q --pid worker --rank 5 "$job/host1/0" && ask 'SELECT pid, rank FROM process' worker,1
result $? 'a host or a GPU alone'

mkdir -p "$scratch/jobs" && cp -r "$job" "$scratch/jobs/monday" && import -q "$scratch/jobs" &&
    ask 'SELECT count (*) FROM source' 8
result $? 'a job below the folder that is named'

mkdir -p "$scratch/plain" && cp "$job/host0/0/trace.json.gz" "$scratch/plain/" && import -q "$scratch/plain" &&
    ask "SELECT count (*) FROM source WHERE format = 'job'" 0 &&
    import -q --format job "$scratch/plain" && ask 'SELECT format FROM source' job
result $? 'a folder with a trace of that name alone is none, unless told so'

refuses_import 1 "not the directory of a job" -q --format job "$SRCDIR/docs" &&
    refuses_import 1 "not the directory of a job" -q --format job "$job/host0/0/comm.json"
result $? 'what is no job is refused'

# -- subsets and damage ---------------------------------------------------------------------------------
copy() {
    rm -rf "$scratch/j"
    cp -r "$job" "$scratch/j"
    chmod -R u+w "$scratch/j"
    file=$scratch/j/host0/0/$1
}

missing() { # FILE TEXT
    copy "$1"
    rm "$file"
    import -q "$scratch/j" && has err "$2"
    result $? "without $1"
    : >"$file"
    import -q "$scratch/j" && has err "$2"
    result $? "with an empty $1"
}
missing trace.json.gz '1 of 2 GPUs (host0.rank0) have no trace.json.gz and no temp.json'
missing comm.json "'host0' has no Sync events to go by"
missing comm_detail.json '(host0.rank0) have no comm_detail.json'
missing dag.gml 'no dag.gml: the graph of the model is that of its tensors'
missing nccl_rank_graph.json '(host0.rank0) have no nccl_rank_graph.json'

# Each file in turn is something else: it names itself, or is counted. None may crash or be silent.
for name in trace.json.gz comm.json comm_detail.json io.json nccl_rank_graph.json; do
    copy $name
    echo 'no JSON' >"$file"
    rm -f "$scratch/kind.db" && run 3 --db "$scratch/kind.db" import "$scratch/j" &&
        has err "left out" "$name: byte 0:" '1 of the traces is not in the run' &&
        run 1 --db "$scratch/kind-strict.db" import --strict "$scratch/j"
    result $? "$name of another kind"
done
copy dag.gml
echo '{}' >"$file"
rm -f "$scratch/kind.db" && run 3 --db "$scratch/kind.db" import "$scratch/j" && has err 'dag.gml: byte 0: not GML' &&
    refuses_import 1 'dag.gml: byte 0: not GML' -q --strict "$scratch/j"
result $? 'dag.gml of another kind'

copy trace.json.gz
echo '{"traceEvents":[{"ph":"X","pid":1,"tid":2,"ts":1}]}' >"$file"
import -q "$scratch/j" && has err 'trace.json.gz: no operators of a GPU in it'
result $? 'a profile without operators'

# -- negotiations -----------------------------------------------------------------------------------
# As Horovod's coordinator writes them: a tick when each rank is ready, the end when all are.
negotiates() { # NAME : in the job $scratch/j
    awk -v name="$1" '/"name":"QUEUE","ts":1700000000001444/ {
        print "{\"ph\":\"B\",\"name\":\"" name "\",\"ts\":1700000000001405,\"pid\":3},"
        print "{\"ph\":\"X\",\"name\":\"0\",\"ts\":1700000000001434,\"dur\":0,\"pid\":3},"
        print "{\"ph\":\"E\",\"ts\":1700000000001442,\"pid\":3}," } { print }' "$job/host0/0/comm.json" >"$file"
}
of_model() { # FILE : what the model of the job says
    for question in 'simulate --format json' 'nccl --format json' 'critical-path --format json' \
        'depgraph --format dot -o /dev/stdout' 'critical-path --model --format json'; do
        # shellcheck disable=SC2086 # the options are words
        run 0 --db "$db" $question && [ -s "$scratch/out" ] || return 1
        cat "$scratch/out"
    done >"$scratch/$1"
}

import -q "$job" && of_model model-before
result $? 'the model of the job'
copy comm.json
negotiates NEGOTIATE_ALLREDUCE
agrees 'a negotiation is an event of its own' "$scratch/j"
ask "SELECT name, tid, native_group, dur_ns, step, self_ns FROM event WHERE sub_op LIKE 'NEGOTIATE%'" \
    Comm.2.NEGOTIATE_ALLREDUCE,Negotiation,Negotiation,37000,1,37000 &&
    run 0 --db "$db" stats --format csv && has out Comm.2.NEGOTIATE_ALLREDUCE
result $? 'for 37 us: from when the first rank asked until all had'
of_model model-after && same model-before model-after
result $? 'the model of the job stays what it is'
negotiates NEGOTIATE_
import -q "$scratch/j" && run 0 --db "$db" info && has out '2 communication events that are no part of a transfer' &&
    ask "SELECT count (*) FROM event WHERE sub_op LIKE 'NEGOTIATE%'" 0
result $? 'a negotiation of nothing is none'

copy comm.json
head -c 2500 "$job/host0/0/comm.json" >"$file"
import -q "$scratch/j" && has err 'by the end of the last Sync that all have: host1 -2000.000 us'
result $? 'a timeline that was cut: clocks go by a Sync that all have'

copy comm.json
sed 's/"name":"2","ts"/"name":"9","ts"/' "$job/host0/0/comm.json" >"$file"
sed 's/"name":"0","ts"/"name":"8","ts"/' "$file" >"$file.new" && mv "$file.new" "$file"
import -q "$scratch/j" && has err 'is not that of the same tensors on all GPUs' && ask "SELECT count (*) FROM metadata WHERE key = 'clock_shift_ns'" 0
result $? 'timelines that do not fit together align nothing'

copy dag.gml
head -c 900 "$job/host0/0/dag.gml" >"$file"
import -q "$scratch/j" && run 0 --db "$db" info && has out 'graph of a model that ends early' &&
    refuses_import 1 "dag.gml" -q --strict "$scratch/j"
result $? 'a graph that was cut'

copy comm_detail.json
echo '{"traceEvents":[{"ph":"X","name":"x.1.SEND","ts":1,"dur":2},{"ph":"X","name":"x.y","ts":1700000000000500,"dur":2,"args":{}},
 {"ph":"X","name":"a.1+0.REC","ts":1700000000000500,"dur":2.5,"pid":"p","args":{"loopId":0,"channelId":"1","chunkId":2,"sliceId":3}}' >"$file"
import -q "$scratch/j" && run 0 --db "$db" info && has out '2 events without what their kind needs, skipped' &&
    ask "SELECT name, suffix, dur_ns, tid FROM event WHERE tid = 'p'" 'Comm.0+1.RECV,0_1_2_3,2500,p'
result $? 'chunks with odd records'

cuts=0
for name in comm.json comm_detail.json io.json dag.gml nccl_rank_graph.json trace.json.gz; do
    for part in 1 3 5 7; do
        copy $name
        head -c $(($(wc -c <"$job/host0/0/$name") * part / 8)) "$job/host0/0/$name" >"$file"
        "$TRACETOOL" --db "$scratch/cut.db" import -q "$scratch/j" >/dev/null 2>"$scratch/err"
        status=$?
        if [ $status -gt 1 ] || { [ $status -eq 0 ] && [ ! -e "$scratch/cut.db" ]; } || { [ $status -eq 1 ] && ! grep -qF "$name" "$scratch/err"; }; then
            echo "# $name cut at $part/8: status $status"
            sed 's/^/# /' "$scratch/err"
            cuts=1
        fi
        rm -f "$scratch/cut.db"
    done
done
result $cuts 'files cut anywhere are read, or named'

# -- the job of the original tool ---------------------------------------------------------------------------
real=$SHARED_DATA/framework/job_2x2
expected=$SHARED_DATA/framework/job_2x2_expected
if [ -d "$real" ] && [ $have_python = yes ]; then
    agrees 'job_2x2: every event' "$real"
    import -q "$real" && run 0 --db "$db" stats --format name2sta && mv "$scratch/out" "$scratch/name2sta" &&
        run 0 --db "$db" stats --format cat2sta && mv "$scratch/out" "$scratch/cat2sta" &&
        python3 "$oracle" expected "$expected" "$db" "$scratch/name2sta" "$scratch/cat2sta"
    result $? 'job_2x2: events, name2sta, ids, step_ids and cat2sta are those of the original tool'
    run 0 --db "$db" steps --per run --format json && has out '"iteration_us":6283.5,'
    result $? 'job_2x2: an iteration takes 6.2835 ms'
    ask "SELECT json_array_length (value, '\$.nodes') FROM metadata WHERE key = 'local_graph'" 42
    result $? 'job_2x2: the local graph has 42 nodes'

    # The same run as MXNet would have told it, without explicit steps: the seed's rule finds them.
    cp -r "$real" "$scratch/mxnet" && chmod -R u+w "$scratch/mxnet" && rm "$scratch"/mxnet/*/*/trace.json.gz
    import -q "$scratch/mxnet" && run 0 --db "$db" steps --per run --format json && has out '"steps":4,"iteration_us":6283.5,' &&
        ask "SELECT count (*), min (step), max (step) FROM event WHERE name = 'UPDATE_5'" 16,0,3 &&
        import -q --step-rule none "$scratch/mxnet" && ask 'SELECT count (*) FROM event WHERE step IS NOT NULL' 0
    result $? 'job_2x2 by its temp.json'
    rm -rf "$scratch/mxnet"

    mkdir -p "$scratch/steps" && cp "$SHARED_DATA/framework/tf_timeline/GPU_timeline_02_step_0.json" "$scratch/steps/temp.json"
    import -q --format job "$scratch/steps" && ask "SELECT op_cat, count (*) FROM event GROUP BY 1" BW,16 FW,10 UPDATE_,6 &&
        run 0 --db "$db" info && has out '6 pieces of an operator joined'
    result $? 'temp.json of TensorFlow step stats'
else
    skip 'job_2x2' 'no ../shared/data or no python3'
fi
for folder in kineto chrome; do
    if [ -d "$SHARED_DATA/$folder" ]; then
        rm -f "$db"
        run 1 --db "$db" import -q --format job "$SHARED_DATA/$folder" && has err 'not the directory of a job'
        result $? "the folder $folder is no job"
    else
        skip "the folder $folder" 'no ../shared/data'
    fi
done
finish
