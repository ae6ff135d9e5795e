#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The dependency graph of a training step: drawn, exchanged as GML, with files of the job missing or damaged.
. "$SRCDIR/tests/cli/lib.sh"
job=$TRACETOOL_DATA/job-2x1
expected=$SHARED_DATA/framework/job_2x2_expected
oracle=$SRCDIR/tests/oracles/trail.py

graph() { # STATUS DATABASE ARGUMENT...
    status=$1 db=$2
    shift 2
    run "$status" --db "$db" depgraph --level job "$@"
}

# -- the small job -------------------------------------------------------------------------------------
run 0 --db job.db import -q "$job"
graph 0 job.db --format json -o job.json && has err 'wrote 63 nodes and 80 edges' &&
    has job.json '"label":"host0.rank0->Comm.2.SEND~>0_0_0_0","pid":"host0.rank0","op_cat":"Comm"' '"end":true' '"kind":"message"' \
        '"kind":"collective"' '"kind":"dependency"' '"kind":"end"'
result $? 'the graph of a step'
for suffix in dot gml graphml gv; do
    graph 0 job.db -o "job.$suffix" && grep -q 'Comm.0+1.MEMCPY_OUT_FUSION_BUFFER' "job.$suffix" || break
done
[ -s job.gv ]
result $? 'in all languages'
graph 0 job.db --around Comm.0+1.SEND --depth 1 --format json && has out '"name":"Comm.0+1.SEND"' 'Comm.0+1.RECV' && refute matches out 'FW\.' &&
    graph 0 job.db --around 'host1.rank0->BW.gradient_tape/model/dense_0/MatMul_1' --depth 0 --format json && [ "$(grep -c '"id"' out)" -eq 1 ] &&
    graph 0 job.db --around update_2 --depth 0 --format json && [ "$(grep -c '"id"' out)" -eq 2 ]
result $? '--around a label, a name, a part of one'
graph 2 job.db --around MatMul --format dot && has err "is a part of" && graph 2 job.db --around nothing --format dot && has err "called 'nothing'"
result $? '--around what is not there'
graph 0 job.db --collapse --format json && [ "$(grep -c '"id"' out)" -lt 63 ] && grep -q '"merged":' out
result $? '--collapse'
graph 0 job.db --max-nodes 20 --format json && [ "$(grep -c '"id"' out)" -le 20 ] && has err 'are drawn as grey nodes'
result $? '--max-nodes'
graph 0 job.db --save && has err 'saved 63 nodes and 80 edges' &&
    run 0 --db job.db query --format csv 'SELECT kind, count (*) FROM edge GROUP BY 1' && has out dependency,62 message,8 collective,4
result $? '--save'
graph 0 job.db --update-barrier --format json -o barrier.json && refute same barrier.json job.json
result $? '--update-barrier'
graph 2 job.db --filter op_cat=FW --format dot && has err "'--level job'" && graph 2 job.db --kind call --format dot && has err "'--kind'" &&
    graph 2 job.db --merge-ranks --format dot && has err "'--merge-ranks'" && graph 2 job.db --time-window 1:2 --format dot && has err "'--time-window'" && graph 2 job.db --recv clip --format dot &&
    has err "did you mean 'clipped'?" && run 2 --db job.db depgraph --format trail && has err "goes with '--level job'" &&
    refuses 2 "goes with '--level job'" --db job.db depgraph --recv clipped --format dot && graph 2 job.db --format trail --collapse && has err "'--collapse' does not go with it"
result $? 'options that do not go together'

run 0 --db job.db critical-path && has out 'the whole run of 2 steps' 'Comm.0' && has err "critical-path --model"
result $? 'the measured path of a job leads through its communication, and says where the model is'

# -- exchange ----------------------------------------------------------------------------------------------
graph 0 job.db --format trail -o trail.gml && has err 'wrote 62 nodes and 74 edges' && refute has trail.gml '"END"' &&
    run 0 depgraph --from trail.gml --format trail -o again.gml && same trail.gml again.gml
result $? 'what was written is read, and written as the same bytes'
graph 0 job.db --format trail --with-end -o end.gml && grep -q '"END"' end.gml && has err 'wrote 63 nodes and 80 edges' &&
    run 0 depgraph --from end.gml --format trail -o again.gml && same end.gml again.gml
result $? 'with END'
run 0 depgraph --from end.gml --format json -o from.json && [ "$(grep -c '"kind":"message"' from.json)" -eq 8 ] &&
    [ "$(grep -c '"kind":"collective"' from.json)" -eq 4 ] && [ "$(grep -c '"id"' from.json)" -eq 63 ] &&
    grep '"src"' job.json | sed 's/,"cnt.*//' >edges.wanted && grep '"src"' from.json | sed 's/,"cnt.*//' >edges && same edges.wanted edges
result $? 'and drawn: the same edges as from the traces'
cat >odd.gml <<'G'
graph [ directed 1 comment "a [ b" node [ id 7 label "p->FW.&quot;a&#38;&#228;" avg 1e-7 cnt 3 operatorGAPoperator 2 mood "good" nested [ avg 5 ] ]
  node [ id 3 label "p->Comm.0" avg .5 CommGAPComm 0.1 ] node [ id 4 label "q" avg many ] node [ id 4 label "r" ]
  edge [ source 7 target 3 ] edge [ source 7 target 99 ] ]
G
run 0 depgraph --from odd.gml --format trail -o odd2.gml && has err 'odd.gml' && has odd2.gml 'avg 1E-07' 'cnt 3' 'operatorGAPoperator 2' 'CommGAPComm 0.1' \
    '&#34;a&#38;&#228;' 'avg 0.5' && run 0 depgraph --from odd2.gml --format trail -o odd3.gml && same odd2.gml odd3.gml && [ "$(wc -l <err)" -eq 1 ]
result $? "others' graphs are read as far as they make sense"
printf 'graph [ node ] ]' >bad.gml && run 1 depgraph --from bad.gml --format dot && has err 'bad.gml: byte' && : >empty.gml &&
    run 1 depgraph --from empty.gml --format dot && has err 'empty' && refuses 1 'nothing.gml' depgraph --from nothing.gml --format dot &&
    refuses 2 'exclude each other' depgraph --from trail.gml --format dot job.db && refuses 2 "'--save'" depgraph --from trail.gml --save
result $? 'what is no graph is refused'
if [ -f "$expected/trail_dag.gml" ] && command -v python3 >/dev/null; then
    run 0 --db large.db import -q "$SHARED_DATA/framework/job_2x2" && graph 0 large.db --format trail --recv dpro -o dpro.gml &&
        python3 "$oracle" dpro.gml "$expected/trail_dag.gml" | sed 's/^/# /' >oracle.out && grep -q '768 nodes, 1328 edges' oracle.out
    result $? 'nodes, edges, gaps and averages are those of the original tools'
    graph 0 large.db --format trail -o ours.gml && python3 "$oracle" ours.gml "$expected/trail_dag.gml" "$expected/bps_trace_final.json" >oracle.out &&
        grep -q '288 of them RECV' oracle.out
    result $? 'by default with the averages of RECV over all steps'
    run 0 depgraph --from "$expected/trail_dag.gml" --format trail -o theirs.gml && python3 "$oracle" theirs.gml "$expected/trail_dag.gml" >oracle.out &&
        run 0 depgraph --from theirs.gml --format trail -o again.gml && same theirs.gml again.gml
    result $? "the original's file is read and written"
else
    skip 'nodes, edges, gaps and averages of the original tools' 'the shared data or python3 are not here'
    skip 'the averages of RECV over all steps' 'the shared data or python3 are not here'
    skip "the original's file" 'the shared data or python3 are not here'
fi

# -- what is missing ------------------------------------------------------------------------------------------
# without NAME WHAT FILE... : the small job, and the shared one, without these files of all GPUs; the graph is there, and err has WHAT.
without() {
    name=$1 what=$2
    shift 2
    for whole in "$job" "$SHARED_DATA/framework/job_2x2"; do
        [ -d "$whole" ] || continue
        rm -rf "$name" "$name.db" && cp -r "$whole" "$name" && chmod -R u+w "$name" || return 1
        for file in "$@"; do
            find "$name" -name "$file" -exec rm {} +
        done
        run 0 --db "$name.db" import -q "$name" && graph 0 "$name.db" --format json -o "$name.json" && has err "$what" &&
            graph 0 "$name.db" --format trail -o "$name.gml" && run 0 --db "$name.db" nccl || return 1
    done
}
without no-graph 'no graph of the model' dag.gml metadata.json temp.json
result $? 'no graph of the model'
without no-details 'nodes' comm_detail.json && refute has no-details.json SEND && grep -q NCCL_ALLREDUCE no-details.json
result $? 'no details of transfers'
without no-ring 'rings or trees are not known' nccl_rank_graph.json && refute has no-ring.json SEND
result $? 'no connections'
without no-comm 'no communication in the typical step' comm.json comm_detail.json
result $? 'no communication'
without little 'nodes' comm.json comm_detail.json nccl_rank_graph.json dag.gml metadata.json io.json temp.json gradient_name_list.json
result $? 'traces of operators alone'
mkdir -p alone/host0 && cp -r "$job/host0/0" alone/host0/ && run 0 --db alone.db import -q alone && graph 0 alone.db --format json -o alone.json &&
    refute has alone.json host1
result $? 'one GPU alone'
mkdir -p ahead && cp -r "$job/." ahead && chmod -R u+w ahead && rm ahead/host1/0/nccl_rank_graph.json &&
    echo '{"Tree":{"-1":"[0] 1/2/-1->0->-1|-1->0->1/2/-1"}}' >ahead/host0/0/nccl_rank_graph.json &&
    run 0 --db ahead.db import -q ahead && graph 0 ahead.db --format json -o ahead.json && has err 'rings or trees are not known'
result $? 'a tree with ranks that the job does not have'
mkdir -p pieces && cp -r "$job/." pieces && chmod -R u+w pieces && sed -i 's/"chunkId":1/"chunkId":65000/; s/"loopId":0/"loopId":60000/' pieces/host0/0/comm_detail.json &&
    run 0 --db pieces.db import -q pieces && graph 0 pieces.db --format json -o pieces.json && has err 'too many transfers'
result $? 'numbers of pieces beyond belief'
cat >forward.json <<'E'
[{"name":"FW.a","ph":"X","ts":0,"dur":5,"pid":"p","tid":"t"},{"name":"FW.b","ph":"X","ts":6,"dur":5,"pid":"p","tid":"t"}]
E
run 0 --db forward.db import -q forward.json && graph 0 forward.db --format json && has out '"name":"FW.b"'
result $? 'only forward operators'
cat >counted.json <<'E'
[{"name":"FW.a","ph":"X","ts":0,"dur":5,"pid":"p","tid":"t"},{"name":"BW.a","ph":"X","ts":6,"dur":5,"pid":"p","tid":"t"},
{"name":"Comm.w.ALLREDUCE","ph":"X","ts":12,"dur":5,"pid":"p","tid":"c"},{"name":"UPDATE_CAL","ph":"X","ts":18,"dur":2,"pid":"p","tid":"t"},
{"name":"UPDATE_0","ph":"X","ts":21,"dur":5,"pid":"p","tid":"t"},{"name":"UPDATE_1","ph":"X","ts":27,"dur":5,"pid":"p","tid":"t"}]
E
run 0 --db counted.db import -q counted.json && graph 0 counted.db --format trail -o counted.gml && [ "$(grep -c 'label' counted.gml)" -eq 7 ] &&
    [ "$(grep 'label' counted.gml | sort -u | wc -l)" -eq 7 ] && graph 0 counted.db --update-barrier --format trail -o barrier.gml &&
    [ "$(grep -c 'label' barrier.gml)" -eq 7 ]
result $? "MXNet's updates without a graph of the model: each once"
cat >apart.json <<'E'
[{"name":"FW.a","ph":"X","ts":0,"dur":10,"pid":"p","tid":"t"},{"name":"BW.a","ph":"X","ts":500,"dur":10,"pid":"p","tid":"t"},
{"name":"UPDATE_.a","ph":"X","ts":520,"dur":10,"pid":"p","tid":"t"},{"name":"FW.a","ph":"X","ts":1000,"dur":10,"pid":"p","tid":"t"},
{"name":"BW.a","ph":"X","ts":1500,"dur":10,"pid":"p","tid":"t"},{"name":"UPDATE_.a","ph":"X","ts":1520,"dur":10,"pid":"p","tid":"t"}]
E
run 0 --db apart.db import -q apart.json && run 0 --db apart.db simulate --format json && awk '/^"predicted_us": / { p = $2 + 0 } /^"measured_us": / { m = $2 + 0 }
    END { e = (p - m) / m; exit !(m > 0 && e < 0.05 && e > -0.05) }' out && unsaid 'far off'
result $? 'without a graph and communication gaps are no waiting'
run 0 --db tau.db import -q "$TRACETOOL_DATA/tau-merged" && graph 1 tau.db --format dot && has err 'has no operators of a training job'
result $? 'a run that is no job'
cp -r "$job" cyclic && chmod -R u+w cyclic && sed -i 's/^]$/  edge [ source 2 target 1 ]\n]/' cyclic/host0/0/dag.gml &&
    run 0 --db cyclic.db import -q cyclic && graph 1 cyclic.db --format dot &&
    has err 'a cycle of 2 operations' 'host0.rank0->FW.model/dense_0/Relu' 'host0.rank0->FW.model/dense_1/MatMul'
result $? 'a cycle is named node by node'
finish
