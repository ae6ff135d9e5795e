#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Generated jobs against what their generator knows of them: graph node for node, the path, the iteration, other numbers of GPUs.
. "$SRCDIR/tests/cli/lib.sh"
if ! command -v python3 >/dev/null; then
    skip 'generated jobs' 'python3 is not here'
    finish
    exit 0
fi
limit=5

make_job() { # NAME OPTION... : NAME/, NAME.json (its truth), NAME.db
    name=$1
    shift
    rm -rf "$name" "$name.db"
    mkdir "$name"
    python3 "$TRACETOOL_DATA/generators/job.py" "$name" --truth "$name.json" "$@" && run 0 --db "$name.db" import -q "$name" &&
        filled "$name.db"
}
make_job still --kind byteps || exit 1
measured() { # NAME : what the generator says, in us
    sed -n 's/^ "iteration_us": \([0-9.]*\).*/\1/p' "$1.json"
}
predict() { # NAME OPTION... : in us
    db=$1.db
    shift
    run 0 --db "$db" simulate --format json "$@" >&2 && sed -n 's/^"predicted_us": \([0-9.]*\).*/\1/p' out
}
near() { # PREDICTED MEASURED PERCENT
    awk -v p="$1" -v m="$2" -v limit="$3" 'BEGIN { e = 100 * (p - m) / m; exit !(m > 0 && e < limit && e > -limit) }' ||
        { echo "# $1 us is not within $3 % of $2 us"; return 1; }
}

# -- parameter servers ----------------------------------------------------------------------------------
# byteps TEXT OPTION... : without jitter the graph, the path and the time are the generator's; with jitter the time is near.
byteps() {
    text=$1
    shift
    make_job still --kind byteps --jitter 0 "$@" && run 0 --db still.db depgraph --level job --format trail --with-end -o still.gml &&
        run 0 --db still.db simulate --show path --format csv --top 0 && cp out path.csv &&
        python3 "$SRCDIR/tests/oracles/generated.py" still.json still.gml path.csv >oracle.out 2>&1
    status=$?
    sed 's/^/# /' oracle.out
    [ $status -eq 0 ] && near "$(predict still)" "$(measured still)" 0.5
    result $? "BytePS, $text: graph and path node for node"
    make_job lively --kind byteps "$@" && near "$(predict lively)" "$(measured lively)" $limit
    result $? "BytePS, $text: within $limit %"
}
byteps 'two workers, one server' --gpus 1 --servers 1
byteps 'two workers, two servers' --gpus 1 --servers 2
byteps 'two workers of two GPUs' --servers 2 --layers 10 --seed 3
byteps 'updates behind everything' --servers 2 --barrier
byteps 'four workers, small parts' --hosts 4 --gpus 1 --servers 3 --part-bytes 400000 --seed 5

# The tables, what-ifs, the drawing and the schedule.
make_job b --kind byteps --gpus 1 && run 0 --db b.db simulate && has out 'worker_0::server_1' 'server_0_t0' PUSH_REQ PULL_RES ServerOp &&
    run 0 --db b.db critical-path --model && has out PUSH_REQ 'Path through the simulated step'
result $? 'BytePS: tables'
base=$(predict b) && fast=$(predict b --bandwidth 4) && no_server=$(predict b --remove op_cat=ServerOp) && slow=$(predict b --scale sub_op=PULL_RES:3) &&
    awk "BEGIN { exit !($fast < $base && $no_server < $base && $slow > $base) }" && run 0 --db b.db simulate --sweep --show sweep && has out ServerOp
result $? 'BytePS: what if'
refuses 2 "'--algo' is about how GPUs exchange tensors by collectives" --db b.db simulate --algo tree && refuses 2 "'--nics' is about" --db b.db simulate --nics 2 &&
    refuses 2 "'--gpus-per-host' is about" --db b.db simulate --gpus-per-host 2 && refuses 2 'BytePS fuses no tensors' --db b.db simulate --fusion 0 &&
    refuses 2 "'--gpus 1000' would be 1000 workers" --db b.db simulate --gpus 1000
result $? 'BytePS: what servers do not tell is refused'
run 0 --db b.db simulate -o schedule.json && run 0 --db again.db import -q schedule.json && filled again.db &&
    run 0 --db b.db simulate --lanes shared && has out 'Predicted iteration' &&
    run 0 --db b.db critical-path --model -o path.json && has path.json '"critical_path":true'
result $? 'BytePS: schedule, the lanes of the original, the path in the traces'
run 0 --db b.db depgraph --level job --format trail -o t.gml && has t.gml INTERNODEGAP CommGAPComm operatorGAPComm &&
    run 0 depgraph --from t.gml --format trail -o t2.gml && same t.gml t2.gml
result $? 'BytePS: gaps are exchanged'

# What is missing makes it coarser.
without() { # NAME FILE : the job b without files of that name
    rm -rf "$1" "$1.db" && cp -r b "$1" && find "$1" -name "$2" -exec rm {} + && run 0 --db "$1.db" import -q "$1" &&
        cp err "$1.err" && run 0 --db "$1.db" simulate && run 0 --db "$1.db" depgraph --level job --format json -o "$1.out"
}
without no-servers server_timeline.json && has no-servers.err 'no work of the servers' && has err 'it answers when all have pushed' &&
    grep -q PULL_RES no-servers.out && refute has no-servers.out ServerOp && near "$(predict no-servers)" "$(measured b)" 15
result $? 'BytePS without server_timeline.json'
without no-links comm_timeline.json && has no-links.err 'no transfers between workers and servers' && refute has no-links.out PULL_RES
result $? 'BytePS without comm_timeline.json'
rm b/traces_0/0/metadata.json
without no-dag dag.gml && has err 'no graph of the model' && grep -q PULL_RES no-dag.out
result $? 'BytePS without a graph of the model'
rm -rf other && cp -r b other && mv other/traces_1 other/later && mv other/traces_0 other/first && run 0 --db other.db import -q other &&
    near "$(predict other)" "$(predict b)" 0.001
result $? 'BytePS: hosts of other names are counted in their order'

# -- rings and trees --------------------------------------------------------------------------------------
nccl() { # KIND OPTION...
    make_job n --kind "$@" && run 0 --db n.db depgraph --level job --format trail --with-end --recv traced -o n.gml &&
        python3 "$SRCDIR/tests/oracles/generated.py" n.json n.gml >oracle.out 2>&1
    status=$?
    sed 's/^/# /' oracle.out
    result $status "$*: graph node for node, averages of transfers"
    near "$(predict n)" "$(measured n)" $limit
    result $? "$*: within $limit %"
}
nccl ring
nccl ring --hosts 1 --gpus 4 --channels 1 --loops 3
nccl tree
nccl tree --hosts 4 --gpus 1 --channels 1 --chunks 2
nccl tree --hosts 3 --gpus 2 --slices 2 --layers 8 --seed 9
nccl tree --hosts 7 --gpus 1 --layers 5 --loops 2 --seed 10

# Waits follow from the schedule, however the traces show them; stalls of the host and steps that differ count.
true_to() { # OPTION...
    make_job w --kind "$@" && near "$(predict w)" "$(measured w)" 0.5
    result $? "$*: within 0.5 %"
}
true_to ring --waits --fuse 1
true_to ring --waits --layers 10
true_to ring --late
true_to ring --stall 800
true_to ring --jitter 0.25
true_to tree --waits --stall 800
true_to ring --waits --late --jitter 0.25

# -- other numbers of GPUs --------------------------------------------------------------------------------------
# gpus KIND HOSTS GPUS HOSTS GPUS OPTION... : what one job tells of another, which is made as well.
gpus() {
    kind=$1 from="$2x$3" to="$4x$5" n_gpus=$(($4 * $5)) from_hosts=$2 from_gpus=$3 to_hosts=$4 to_gpus=$5
    shift 5
    make_job small --kind "$kind" --hosts "$from_hosts" --gpus "$from_gpus" "$@" && make_job large --kind "$kind" --hosts "$to_hosts" --gpus "$to_gpus" "$@" &&
        near "$(predict small --gpus $n_gpus)" "$(measured large)" $limit
    result $? "$kind, $from GPUs to $to $*: within $limit %"
}
gpus ring 2 2 4 2
gpus ring 4 1 2 1 --layers 8
gpus ring 2 1 8 1 --loops 2 --seed 4
gpus tree 2 2 4 2
gpus tree 4 1 8 1 --chunks 6
gpus tree 4 2 2 2 --seed 6
make_job small --kind ring && run 0 --db small.db simulate --gpus 3 && has err 'us + bytes /' 'MB/s between hosts'
result $? 'the network is told from the transfers'
find small -name metadata.json -exec rm {} + && run 0 --db small2.db import -q small && run 0 --db small2.db simulate --gpus 3 && has err 'no latency is known' &&
    refuses 2 'how many bytes tensors have is not known' --db small2.db simulate --latency 2 && run 0 --db small2.db simulate --bandwidth 2
result $? 'without sizes there is no latency'

# -- the model's graph in other languages ---------------------------------------------------------------------
language() { # GRAPH KIND TEXT
    make_job l --graph "$1" --kind "$2" --gpus 1 && cp err l.err && run 0 --db l.db depgraph --level job --format trail --with-end --recv traced -o l.gml &&
        python3 "$SRCDIR/tests/oracles/generated.py" l.json l.gml >oracle.out 2>&1 && has l.err "$3"
    result $? "graph from $1, $2"
}
language graphdef ring ''
language graphdef byteps ''
language metadata tree 'the graph of the model is that of its tensors'
language metadata byteps 'the graph of the model is that of its tensors'
language metadata-bare ring 'with each gradient communicated before it is used'
rm -rf bad && cp -r l bad && rm -f bad/host0/0/metadata.json && echo '{"versions":1}' >bad/host0/0/final_graph.json && run 3 --db bad.db import -q bad &&
    has err 'final_graph.json: byte' 'no GraphDef' && rm -f bad.db && echo '{"node":[{"name":"a"},{"name":"b","input":["a","x"]},7,{"input":[]},{"name":"a"}' >bad/host0/0/final_graph.json &&
    run 0 --db bad.db import -q bad && run 0 --db bad.db query 'SELECT repairs FROM source' && has out 'graph_row' 'graph_name' && run 1 --db bad2.db import -q --strict bad && has err 'final_graph.json'
result $? 'a GraphDef that is none, or a damaged one'
echo '{"outputs":["a"],"out_shapes":[[1]],"gradient_name_list":["w"]}' >bad/host0/0/metadata.json && rm bad/host0/0/final_graph.json &&
    run 0 --db bad3.db import -q bad && has err 'no graph of the model in it' && run 0 --db bad3.db simulate && has err 'no graph of the model'
result $? 'metadata without operators'
# Names that lost the dot between operation and tensor do not tell what is communicated.
dotless() { # GRAPH FILE ERR
    make_job l --graph "$1" && find l -name "$2" -exec sed -i 's/HorovodAllreduce\./HorovodAllreduce_/g' {} + && rm -f l.db &&
        run 0 --db l.db import -q l && cp err l.err && near "$(predict l)" "$(measured l)" $limit && run 0 --db l.db simulate && cat l.err err >both.err &&
        has both.err "$3"
    result $? "$1 without communication: within $limit %"
}
dotless metadata metadata.json 'with each gradient communicated before it is used'
dotless graphdef final_graph.json '4 groups of tensors are not in the graph of the model'
dotless gml dag.gml '4 groups of tensors are not in the graph of the model'

chained() { # KIND : no graph at all
    make_job l --kind "$1" && find l '(' -name dag.gml -o -name metadata.json ')' -exec rm {} + && rm -f l.db && run 0 --db l.db import -q l &&
        near "$(predict l)" "$(measured l)" $limit && run 0 --db l.db simulate && has err 'no graph of the model'
    result $? "$1 without a graph of the model: within $limit %"
}
chained ring
chained tree
chained byteps

for kind in ring tree; do
    make_job one --kind $kind --hosts 1 --gpus 2 && rm -f one.db && run 0 --db one.db import -q one &&
        run 0 --db one.db simulate --bandwidth 2 && has out 'who shares links is not told'
    result $? "$kind on one host: faster links, which may not be what bounds it"
done

make_job bare --kind ring --hosts 2 --gpus 2 && find bare -name metadata.json -exec rm {} + && rm -f bare.db && run 0 --db bare.db import -q bare &&
    run 0 --db bare.db plot what-if -o bare.svg && has bare.svg 'data-series="bandwidth"' 'data-series="compute"' &&
    refute has bare.svg 'data-series="latency"' && refuses 2 'how many bytes' --db bare.db simulate --latency 2
result $? 'a job whose tensors have no known bytes: the settings that can be tried are'

# -- beyond belief ----------------------------------------------------------------------------------------------
make_job t --kind tree && unsaid 'shows the rank' && run 0 --db t.db simulate --gpus 20000 && has err 'on 10000 hosts with 2 GPUs each' &&
    find t -name metadata.json -exec rm {} + && run 0 --db t2.db import -q t && run 2 --db t2.db simulate --gpus 20000 && has err 'more than 67108864 dependencies'
result $? 'tens of thousands of ranks; a barrier of too many'
refuses 2 "'--gpus 0' is not a number of GPUs" --db t.db simulate --gpus 0 && refuses 2 "'--sweep-by'" --db t.db simulate --sweep-by 0
result $? 'no GPUs, and a sweep by nothing'
awk 'BEGIN {
    print "["
    span("host0.rank0", "FW.a"); span("host0.rank0", "BW.a")
    for (part = 0; part < 60; part++) {
        out = "worker_65535::server_0"; back = "server_0::worker_65535"
        span(out, "Comm.0.PUSH_REQ~>" out "::" part); span(back, "Comm.0.PUSH_RES~>" back "::" part)
        span(out, "Comm.0.PULL_REQ~>" out "::" part); span(back, "Comm.0.PULL_RES~>" back "::" part)
    }
    span("host0.rank0", "UPDATE_.a"); print "{}]"
}
function span(pid, name) { printf "{\"name\":\"%s\",\"ph\":\"X\",\"ts\":%d,\"dur\":9,\"pid\":\"%s\",\"tid\":\"0\",\"args\":{\"step\":0}},\n", name, t++ * 10, pid }' >far.json
run 0 --db far.db import -q far.json && run 0 --db far.db simulate && has err '1 of 1 ranks belong to no worker that pushes' 'it answers when all have pushed'
result $? 'a worker of a high number'
finish
