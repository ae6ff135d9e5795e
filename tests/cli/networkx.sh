#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Graphs in GML, GraphML and JSON as networkx reads them: one graph, that of the DOT and of the tables node and edge.
. "$SRCDIR/tests/cli/lib.sh"
python=/usr/bin/python3 # which has Debian's modules
if ! $python -c 'import networkx' 2>/dev/null; then
    skip 'graphs that networkx reads' 'no python3-networkx'
    finish
    exit
fi

written() { # OPTION... : g.gml, .graphml, .json and .dot
    rm -f g.*
    for suffix in gml graphml json dot; do
        run 0 --db "$db" depgraph --max-nodes 0 -o "g.$suffix" "$@" && filled "g.$suffix" || return 1
    done
}

read_alike() { # [DATABASE] : networkx reads them so
    $python "$SRCDIR/tests/oracles/networkx-graphs.py" "$scratch/g" "$@" >said 2>&1 && has said ' nodes, ' && return
    tail -5 said | sed 's/^/# /'
    return 1
}

saved() { # OPTION... : the graph in the tables of $db
    run 0 --db "$db" depgraph --save "$@" && has err 'in the tables node and edge'
}

import "$TRACETOOL_DATA/tau-mpi4" && saved && written && read_alike "$db" && has said '117 nodes, 380 edges'
result $? 'operations of four ranks'
written --level event --time-window 0:100000 && read_alike
result $? 'their spans, to the nanosecond at 1.7e15 us'
written --merge-ranks --kind call,collective && read_alike
result $? 'merged ranks'
written --fold-ranks --collapse && read_alike
result $? 'folded processes and chains'
written --max-nodes 20 && read_alike
result $? 'a node that stands for others'

# A graph without cycles: networkx's own transitive reduction.
import "$TRACETOOL_DATA/job-2x1"
run 0 --db "$db" depgraph --level job --format json -o whole.json && run 0 --db "$db" depgraph --level job --reduce --format json -o less.json &&
    has err 'edges, which a longer way implies, are left out' && filled less.json && $python - <<'END'
import json, networkx
def graph(path):
    rows = json.load(open(path))
    made = networkx.DiGraph()
    made.add_nodes_from(node["label"] for node in rows["nodes"])
    labels = [node["label"] for node in rows["nodes"]]
    made.add_edges_from((labels[edge["source"]], labels[edge["target"]]) for edge in rows["edges"])
    return made
whole, less = graph("whole.json"), graph("less.json")
assert networkx.is_directed_acyclic_graph(whole)
assert set(networkx.transitive_reduction(whole).edges) == set(less.edges) and len(less.edges) < len(whole.edges)
END
result $? 'without the edges that others imply'
# The rest in two nodes closes no cycle, as one did.
run 0 --db "$db" depgraph --level job --max-nodes 12 --format json -o few.json && filled few.json && $python - <<'END'
import json, networkx
rows = json.load(open("few.json"))
few = networkx.DiGraph((edge["source"], edge["target"]) for edge in rows["edges"])
assert len(rows["nodes"]) == 12 and sum("rest" in node for node in rows["nodes"]) == 2
assert networkx.is_directed_acyclic_graph(few)
END
result $? 'no cycle through what is left out'
# What stays is connected as it is in the whole: networkx walks both.
same_ways() { # LEAST OPTION... : --max-nodes and --min-share leave as much reached, by LEAST edges or more
    least=$1
    shift
    run 0 --db "$db" depgraph --max-nodes 0 --format json -o whole.json "$@" || return 1
    for limit in '--max-nodes 12' '--max-nodes 40' '--max-nodes 0 --min-share 2'; do
        # shellcheck disable=SC2086
        run 0 --db "$db" depgraph $limit --format json -o few.json "$@" && filled few.json || return 1
        $python "$SRCDIR/tests/oracles/networkx-via.py" whole.json few.json "$least" >said 2>&1 || { tail -3 said; return 1; }
    done
}
same_ways 5 --level job
result $? 'ways via what is left out, of a training step'
run 0 --db "$db" depgraph --level job --max-nodes 20 -o few.svg && has few.svg 'via what is left out' && matches few.svg 'via: [0-9][0-9]* left out' &&
    run 0 --db "$db" depgraph --level job --max-nodes 20 -o few.dot && matches few.dot 'style=dotted,.*tooltip="via: [0-9][0-9]* left out"' &&
    run 0 --db "$db" depgraph --level job --max-nodes 20 -o few.gml && has few.gml 'kind "via"'
result $? 'they are drawn and written as such'
import "$TRACETOOL_DATA/tau-mpi4" && same_ways 2
result $? 'ways via what is left out, of four ranks'

import "$TRACETOOL_DATA/job-2x1" && saved --level job && written --level job && read_alike "$db" && has said '63 nodes, 80 edges'
result $? 'a step of a training job'
run 0 --db "$db" depgraph --level job --format trail -o trail.gml && filled trail.gml &&
    $python -c 'import networkx, sys; graph = networkx.read_gml("trail.gml"); sys.exit(len(graph) != 62 or graph.size() != 74)'
result $? 'the same in the GML of dPRO'

# Quotes, entities, what is not ASCII or no XML, brackets and comments of GML, a number and nothing as names; a span of 1 ns, one of
# 126 years, and spans that follow themselves.
printf '%s\n' '[{"ph":"X","name":"huge","pid":1,"tid":1,"ts":1,"dur":4000000000000000},' >"$scratch/hostile.json"
start=2
for name in 'a \"q\" & &lt; &quot; &#228; é€𝄞 \\ [x] # ] <b>' 'c\u0001x' 'c\u0002x' '' 12 'self' 'line\nbreak\u2028x' 'line\nbreak\u2028x' \
    '\ufffe non' '\u007f del' '\" -> \"' 'NAN' "it's" 'backslash \\ end' '1e5'; do
    printf '{"ph":"X","name":"%s","pid":1,"tid":1,"ts":%d,"dur":5.001},\n' "$name" "$start"
    start=$((start + 7))
done >>"$scratch/hostile.json"
printf '%s\n' '{"ph":"X","name":"tiny","pid":"p \"1\" ü","tid":2,"ts":0,"dur":0.001},' \
    '{"ph":"X","name":"tiny","pid":"p \"1\" ü","tid":2,"ts":0.005,"dur":0.002}]' >>"$scratch/hostile.json"
import "$scratch/hostile.json" && saved && written && read_alike "$db"
result $? 'hostile names, and numbers of all sizes'
written --level event --time-window 0:4000000000 && read_alike
result $? 'their spans'
finish
