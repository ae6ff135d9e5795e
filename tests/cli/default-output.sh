#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Where a trace or graph goes without -o: into a pipe as it is, in a terminal to a new file beside what was read.
. "$SRCDIR/tests/cli/lib.sh"
if ! has_terminals; then
    skip 'documents in a terminal' 'script (util-linux) is not here'
    finish
    exit 0
fi

mkdir here
db=$scratch/here/trace.db
import "$TRACETOOL_DATA/tau-mpi4" && rm -f here/*-wal here/*-shm
result $? 'import an example'

files() { # NAME... : all that is in the folder here, beside the database
    ls here >listed
    printf '%s\n' trace.db "$@" | sort | same - listed
}

# -- export ----------------------------------------------------------------------------------------------
run 0 --db "$db" export && cp out piped.json && has piped.json traceEvents && files
result $? 'a trace goes into a pipe'
typed 0 --db here/trace.db export --chrome && same piped.json here/trace.json && has err 'to here/trace.json; open in' && [ ! -s out ]
result $? 'in a terminal it becomes a file, and the message says how to open it'
echo mine >here/trace.json
typed 0 --db here/trace.db export && same piped.json here/trace-2.json && has err here/trace-2.json &&
    typed 0 --db here/trace.db export && same piped.json here/trace-3.json && has here/trace.json mine &&
    files trace.json trace-2.json trace-3.json
result $? 'a file that stands stays'
rm -f here/trace*.json
mkdir here/trace.json
typed 0 --db here/trace.db export && same piped.json here/trace-2.json && rm -r here/trace.json here/trace-2.json
result $? 'so does a folder'
typed 0 --db here/trace.db export -o - && has out traceEvents && files
result $? '-o - writes to a terminal'
typed 0 --db here/trace.db export -o named.json && same piped.json named.json && typed 0 --db here/trace.db export -o named.json && files
result $? '-o names the file'
typed 0 --db here/trace.db export --folded && typed 0 --db here/trace.db export --speedscope && has here/stacks.folded ';COMP.main' &&
    has here/trace.speedscope.json '"evented"' && files stacks.folded trace.speedscope.json && typed 0 --db here/trace.db export --speedscope &&
    same here/trace.speedscope.json here/trace-2.speedscope.json && rm here/stacks.folded here/trace*.json
result $? 'each language has its name'
(cd here && typed 0 export) && same piped.json here/trace.json && has err 'to trace.json;' && rm here/trace.json
result $? 'beside a database that is here'
(cd here && typed 0 TRACETOOL_DB=trace.db export) && same piped.json here/trace.json && rm here/trace.json
result $? 'beside that of the environment'
mkdir traces && cp "$TRACETOOL_DATA"/tau-merged/run.* traces && chmod u+w traces/* &&
    typed 0 export traces/run.trc traces/run.edf && has traces/trace.json traceEvents && has err 'to traces/trace.json' && rm traces/trace.json
result $? 'beside traces'
typed 0 export traces && has trace.json traceEvents && mv trace.json whole.json
result $? 'beside a folder of traces'
if mkdir locked && cp traces/run.trc traces/run.edf locked && chmod 555 locked && [ ! -w locked ]; then
    typed 0 export locked/run.trc locked/run.edf && has trace.json traceEvents && rm trace.json && [ ! -e cache/tracetool/trace.json ]
    result $? 'here, of traces where nobody may write'
    mkdir locked-database && cp "$db" locked-database && chmod 555 locked-database && typed 0 --db locked-database/trace.db export &&
        same piped.json trace.json && rm trace.json
    result $? 'here, of a database where nobody may write'
    chmod 755 locked locked-database
else
    skip 'here, of traces where nobody may write' 'root may write everywhere'
    skip 'here, of a database where nobody may write' 'root may write everywhere'
fi
typed 1 --db "$TRACETOOL_DATA/tau-mpi4/events.0.edf" export && [ ! -e trace.json ] && has err 'events.0.edf' &&
    typed 2 --db here/trace.db export --filter nonsense=1 && has err nonsense && typed 2 --db here/trace.db export --max-size 100 && files
result $? 'a failure leaves no file'
typed 2 convert -q "$TRACETOOL_DATA/tau-mpi4" - && has err 'would go to your terminal; name a file: tracetool convert'
result $? 'convert, which names its output, refuses a terminal'

# -- depgraph ----------------------------------------------------------------------------------------------
run 0 --db "$db" depgraph && cp out piped.dot && has piped.dot digraph && files
result $? 'a graph goes into a pipe'
typed 0 --db here/trace.db depgraph -o - && tr -d '\r' <out >screen && same piped.dot screen && files
result $? '-o - writes it to a terminal'
typed 0 --db here/trace.db depgraph --format gml && has here/graph.gml 'graph' && has err "to 'here/graph.gml'" && files graph.gml && rm here/graph.gml
result $? 'its language gives the name'
typed 0 --db here/trace.db depgraph --save && has err saved && files
result $? '--save writes no file'
typed 1 PATH=/nowhere --db here/trace.db depgraph --format png && has err 'not installed' && files
result $? 'a picture that Graphviz draws is an error without it'
typed 0 --db here/trace.db depgraph --max-nodes 10 && has here/graph.svg '<svg' '</svg>' && has err "to 'here/graph.svg'" && [ ! -s out ] &&
    typed 0 --db here/trace.db depgraph --max-nodes 10 && same here/graph.svg here/graph-2.svg && files graph.svg graph-2.svg
result $? 'in a terminal it is drawn'
rm -rf job && cp -r "$TRACETOOL_DATA/job-2x1" job && chmod -R u+w job &&
    typed 0 depgraph --level job --max-nodes 10 job && has graph.svg '<svg' && rm graph.svg
result $? 'beside the folder of a job'
run 0 --db "$db" depgraph -o traces/g.gml && typed 0 depgraph --format dot --from traces/g.gml && has traces/graph.dot digraph
result $? '--from: beside the graph'
typed 0 --db here/trace.db export && has here/trace.json traceEvents && find . -name '*part-*' >parts && [ ! -s parts ]
result $? 'nothing is left over'
finish
