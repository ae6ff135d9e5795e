#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# depgraph: what it writes for each suffix, what it says, what it refuses.
set -u
export LC_ALL=C
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 99

n=0
report() { # STATUS TEXT
    n=$((n + 1))
    if [ "$1" -eq 0 ]; then echo "ok $n - $2"; else
        echo "not ok $n - $2"
        sed 's/^/# /' out err 2>/dev/null | head -20
    fi
}
skip() { # TEXT WHY
    n=$((n + 1))
    echo "ok $n - $1 # SKIP $2"
}
# try STATUS ARGUMENT...: runs depgraph, output in out and err.
try() {
    want=$1
    shift
    "$TRACETOOL" --db t.db depgraph "$@" >out 2>err </dev/null
    got=$?
    [ "$got" -eq "$want" ] || echo "exit status $got, not $want" >>err
    [ "$got" -eq "$want" ]
}

"$TRACETOOL" --db t.db import "$TRACETOOL_DATA/tau-mpi4" >out 2>err
report $? 'imports the example'

try 0 && grep -q '^digraph' out && grep -q 'Comm.MPI_Send.SEND"' out && grep -q '"END"' out
report $? 'DOT goes to standard output'
cp out first.dot
try 0 && cmp -s out first.dot
report $? 'the same graph gives the same bytes'

for kind in call sequence message end; do
    case $kind in
    call) style='tooltip="call: ' ;;
    sequence) style='tooltip="sequence: .* gap ' ;;
    message) style='"node0->Comm.MPI_[A-Za-z]*.SEND" -> "node[13]->.*tooltip="message: ' ;;
    end) style='-> "END" ' ;;
    esac
    grep -q -- "$style" first.dot
    report $? "there are edges of kind $kind"
done

try 2 --depth 3 && grep -q -- '--around' err
report $? '--depth without --around is not silently ignored'
try 0 --kind call,message && ! grep -q sequence out && grep -q 'tooltip="call' out
report $? '--kind keeps the kinds it names'
try 0 --kind collective && grep -q 'tooltip="collective' out
report $? '--kind collective draws collectives'

for suffix in dot gv gml graphml json dot.gz; do
    try 0 -o "g.$suffix" && [ -s "g.$suffix" ] && grep -q "wrote .* nodes" err && [ ! -s out ]
    report $? "writes .$suffix"
done
cmp -s g.dot first.dot && cmp -s g.gv first.dot && gunzip -c g.dot.gz | cmp -s - first.dot
report $? '.dot, .gv and .dot.gz hold what standard output gets'
grep -q '^graph' g.gml && grep -q ' gapsequence ' g.gml && grep -q ' avg ' g.gml
report $? 'GML has averages and gaps'
grep -q 'attr.name="gap_sequence_us"' g.graphml
report $? 'GraphML has gaps'

if command -v python3 >/dev/null; then
    python3 - g.json g.graphml g.gml <<'EOF' >out 2>err
import json, re, sys
import xml.etree.ElementTree as ET
graph = json.load(open(sys.argv[1]))
nodes, edges = graph["nodes"], graph["edges"]
assert [n["id"] for n in nodes] == list(range(len(nodes)))
assert len({n["label"] for n in nodes}) == len(nodes)
assert sum(n.get("end", False) for n in nodes) == 1
for e in edges:
    assert 0 <= e["src"] < len(nodes) and 0 <= e["dst"] < len(nodes) and e["cnt"] > 0
# A span has at most one caller, and each message is there once.
for n in nodes:
    called = sum(e["cnt"] for e in edges if e["dst"] == n["id"] and e["kind"] == "call")
    assert called <= n["cnt"], n
assert sum(e["cnt"] for e in edges if e["kind"] == "message") == 52
# Self times add up to the time of the four root spans.
roots = [n for n in nodes if not n.get("end") and not any(e["dst"] == n["id"] and e["kind"] == "call" for e in edges)]
assert abs(sum(n["self_us"] for n in nodes) - sum(n["avg_us"] * n["cnt"] for n in roots)) < 1e-6
for n in nodes:
    for kind, gap in n["gaps"].items():
        of = [e for e in edges if e["src"] == n["id"] and e["kind"] == kind]
        mean = sum(e["gap_us"] * e["cnt"] for e in of) / sum(e["cnt"] for e in of)
        assert abs(mean - gap) < 0.01, (n, kind, mean)
ns = {"g": "http://graphml.graphdrawing.org/xmlns"}
root = ET.parse(sys.argv[2]).getroot()
assert len(root.findall(".//g:node", ns)) == len(nodes)
assert len(root.findall(".//g:edge", ns)) == len(edges)
keys = [k.get("id") for k in root.findall("g:key", ns)]
assert len(set(keys)) == len(keys)
gml = open(sys.argv[3]).read()
assert len(re.findall(r"^  node$", gml, re.M)) == len(nodes) and len(re.findall(r"^  edge$", gml, re.M)) == len(edges)
EOF
    report $? 'JSON, GraphML and GML hold the same graph, and its sums are right'
else
    skip 'JSON, GraphML and GML hold the same graph, and its sums are right' 'no python3'
fi

if command -v dot >/dev/null; then
    for suffix in svg png; do
        try 0 --merge-ranks --kind call -o "g.$suffix" && [ -s "g.$suffix" ] && [ ! -e "g.$suffix.dot" ]
        report $? "draws .$suffix"
    done
    dot -Tcanon first.dot >canon 2>err && [ "$(grep -c -- '->' first.dot)" -gt 100 ]
    report $? 'dot reads the DOT'
else
    skip 'draws .svg' 'no dot'
    skip 'draws .png' 'no dot'
    skip 'dot reads the DOT' 'no dot'
fi
mkdir bin
printf '#!/bin/sh\nexit 3\n' >bin/dot
chmod +x bin/dot
(PATH=$scratch/bin:$PATH && export PATH && try 1 -o g2.svg) && grep -q "its DOT is in 'g2.svg.dot'" err &&
    [ -s g2.svg.dot ] && [ ! -e g2.svg ]
report $? 'when dot fails, the DOT stays'

try 0 --max-nodes 10 && [ "$(grep -c '\[label=".*fillcolor' out)" -eq 10 ] && grep -q "drawn as one grey node" err &&
    grep -q '"[0-9]* more" \[label=.*dashed' out
report $? '--max-nodes keeps so many and says what it dropped'
try 0 --merge-ranks && ! grep -q 'node[0-9]->' out && ! grep -q grey err
report $? '--merge-ranks draws names without pid'
try 0 --collapse && grep -q ' \.\.\. ' out
report $? '--collapse merges chains'
try 0 --around 'node0->Comm.MPI_Send.SEND' --depth 0 && [ "$(grep -c 'fillcolor' out)" -eq 1 ]
report $? '--depth 0 is the node alone'
try 0 --around MPI_Send --depth 1 && grep -q 'MPI_Recv' out && ! grep -q MPI_Finalize out
report $? '--around takes what is near'
try 2 --around MPI_Sned && grep -q "did you mean 'MPI_Send'" err
report $? 'a misspelt operation gets the nearest'
try 0 --filter 'op_cat=Comm' && ! grep -q COMP out && grep -q Comm out
report $? '--filter leaves spans out'
try 0 --filter 'op_cat=nothing' && grep -q 'nothing is selected' err && grep -q '^digraph' out
report $? 'nothing selected is said, and no error'
try 0 --time-window 0:1000 && grep -q MPI_Init out && ! grep -q MPI_Finalize out
report $? '--time-window narrows'

try 2 --level event && grep -q -- "--around NAME#K" err
report $? 'level event needs to know which spans'
try 0 --level event --time-window 0:500 && grep -q 'MPI_Init#0' out
report $? 'level event draws a window'
try 0 --level event --around 'node0->Comm.MPI_Send.SEND#1' --depth 1 && grep -q 'SEND#1' out && grep -q 'message' out
report $? 'level event draws what is near a span'
try 2 --level event --around 'node0->Comm.MPI_Send.SEND#1000' && grep -q 'occurs .* times' err
report $? 'an occurrence that is not there is said'

try 0 --save && grep -q 'saved .* nodes' err && [ ! -s out ]
report $? '--save saves'
"$TRACETOOL" --db t.db query "SELECT count(*), sum(kind = 'message') > 0 FROM edge" >out 2>err && grep -q '1$' out
report $? 'the tables node and edge can be asked'
"$TRACETOOL" --db t.db query "SELECT count(*) FROM node WHERE op_long_name = 'END' OR json_valid(gaps) = 0" >out 2>err &&
    grep -qw 1 out
report $? 'gaps are JSON, END is there'

try 2 -o g.xyz && grep -q "end it in .dot" err
report $? 'an unknown suffix is refused'
try 2 --format docx && grep -q "unknown format 'docx'" err
report $? 'an unknown format is refused'
try 2 --kind cal && grep -q "did you mean 'call'" err
report $? 'an unknown kind is refused'
try 2 --level ops && grep -q "did you mean 'op'" err
report $? 'an unknown level is refused'
try 2 --max-nodes 1
report $? 'one node is too few'
try 1 -o nowhere/g.dot && grep -q nowhere err
report $? 'a file that cannot be written is an error'
try 0 --help && grep -q 'Example' out && grep -q -- '--max-nodes' out
report $? 'there is help with an example'
echo "1..$n"
