#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# depgraph: what it writes for each suffix, what it says, what it refuses.
. "$SRCDIR/tests/cli/lib.sh"

# try STATUS ARGUMENT...: runs depgraph, output in out and err.
try() {
    status=$1
    shift
    run "$status" --db t.db depgraph "$@"
}

run 0 --db t.db import "$TRACETOOL_DATA/tau-mpi4" && has out '775 spans'
result $? 'imports the example'

try 0 && grep -q '^digraph' out && grep -q 'Comm.MPI_Send.SEND"' out && grep -q '"END"' out
result $? 'DOT goes to standard output'
cp out first.dot
try 0 && same out first.dot
result $? 'the same graph gives the same bytes'

for kind in call sequence message end; do
    case $kind in
    call) style='tooltip="call: ' ;;
    sequence) style='tooltip="sequence: .* gap ' ;;
    message) style='"node0->Comm.MPI_[A-Za-z]*.SEND" -> "node[13]->.*tooltip="message: ' ;;
    end) style='-> "END" ' ;;
    esac
    grep -q -- "$style" first.dot
    result $? "there are edges of kind $kind"
done

try 2 --depth 3 && grep -q -- '--around' err
result $? '--depth without --around is not silently ignored'
try 0 --kind call,message && refute has out sequence && grep -q 'tooltip="call' out
result $? '--kind keeps the kinds it names'
try 0 --kind collective && grep -q 'tooltip="collective' out
result $? '--kind collective draws collectives'

for suffix in dot gv gml graphml json dot.gz; do
    try 0 -o "g.$suffix" && [ -s "g.$suffix" ] && grep -q "wrote .* nodes" err && [ ! -s out ]
    result $? "writes .$suffix"
done
same g.dot first.dot && same g.gv first.dot && gunzip -c g.dot.gz | same - first.dot
result $? '.dot, .gv and .dot.gz hold what standard output gets'
grep -q '^graph' g.gml && grep -q ' gapsequence ' g.gml && grep -q ' avg ' g.gml
result $? 'GML has averages and gaps'
grep -q 'attr.name="gap_sequence_us"' g.graphml
result $? 'GraphML has gaps'

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
    result $? 'JSON, GraphML and GML hold the same graph, and its sums are right'
else
    skip 'JSON, GraphML and GML hold the same graph, and its sums are right' 'no python3'
fi

if command -v dot >/dev/null; then
    try 0 --merge-ranks --kind call -o g.png && [ -s g.png ] && [ ! -e g.png.dot ]
    result $? 'draws .png'
    dot -Tcanon first.dot >canon 2>err && [ "$(grep -c -- '->' first.dot)" -gt 100 ]
    result $? 'dot reads the DOT'
else
    skip 'draws .png' 'no dot'
    skip 'dot reads the DOT' 'no dot'
fi
if command -v rsvg-convert >/dev/null && command -v python3 >/dev/null; then
    python3 - >wide.json <<'END'
import json
spans = [{"ph": "X", "name": "f%d" % (i * 7 % 300), "pid": 0, "tid": i % 9, "ts": 10 * i, "dur": 9} for i in range(3000)]
print(json.dumps({"traceEvents": spans}))
END
    "$TRACETOOL" --db wide.db import -q wide.json && "$TRACETOOL" --db wide.db depgraph -o wide.png >out 2>err &&
        grep -q "^tracetool: wrote 301 nodes" err && [ ! -e wide.png.dot ] &&
        [ "$(od -A n -t x1 -N 8 wide.png | tr -d ' \n')" = 89504e470d0a1a0a ]
    result $? 'a .png of many nodes is drawn as .svg is, without dot'
else
    skip 'a .png of many nodes is drawn as .svg is, without dot' 'no rsvg-convert'
fi
mkdir bin
printf '#!/bin/sh\nexit 3\n' >bin/dot
chmod +x bin/dot
with_ours=$scratch/bin:$PATH
(PATH=$with_ours && export PATH && try 1 -o g2.png) && grep -q "its DOT is in 'g2.png.dot'" err &&
    [ -s g2.png.dot ] && [ ! -e g2.png ]
result $? 'when dot fails, the DOT stays'

# dot ends well at an interrupt from the keyboard, with a picture of nothing; that is not what was asked for.
printf '#!/bin/sh\ntrap "echo half; exit 0" INT\necho $$ >%s/dot.pid\nwhile :; do sleep 0.1; done\n' "$scratch" >bin/dot
cat >interrupt.py <<'END'
import os, signal, subprocess, sys, time
child = subprocess.Popen(sys.argv[2:], preexec_fn=os.setpgrp, stderr=subprocess.PIPE)
while child.poll() is None and not (os.path.exists(sys.argv[1]) and open(sys.argv[1]).read().strip()):
    time.sleep(0.02)
if child.poll() is not None:
    sys.exit("it ended before it drew")
os.killpg(child.pid, signal.SIGINT)
said = child.communicate(timeout=20)[1].decode()
time.sleep(0.2)
print(child.returncode, said, "dot lives" if os.path.exists("/proc/" + open(sys.argv[1]).read().strip()) else "")
sys.exit(not (child.returncode not in (0, 3) and "cancelled" in said and not os.path.exists("/proc/" + open(sys.argv[1]).read().strip())))
END
PATH=$with_ours python3 interrupt.py "$scratch/dot.pid" "$TRACETOOL" --db "$scratch/t.db" depgraph -o "$scratch/half.png" >said 2>&1 &&
    [ ! -e half.png ]
result $? 'an interrupt while it draws is no success, and leaves no dot behind'
rm bin/dot

try 0 --merge-ranks --kind call -o g.svg && python3 - "$scratch" <<'END'
import sys, xml.etree.ElementTree as tree
picture = tree.parse(sys.argv[1] + "/g.svg").getroot()
space = "{http://www.w3.org/2000/svg}"
nodes = [group.find(space + "title").text for group in picture.iter(space + "g") if group.get("id")]
edges = [path for path in picture.iter(space + "path") if path.get("data-a")]
assert picture.find(space + "title").text == "Operations of run 1 of t.db", picture.find(space + "title").text
assert len(nodes) == len(set(nodes)) >= 20 and len(edges) >= 20, (len(nodes), len(edges))
assert any(text.startswith("Comm.MPI_Send.SEND\n32 x, in all ") for text in nodes), nodes
END
result $? 'draws .svg: nodes, edges, and what they are'
try 0 -o lanes.svg && [ "$(grep -c 'class="lane"' lanes.svg)" -eq 4 ] && try 0 -o lanes2.svg && same lanes.svg lanes2.svg
result $? 'processes are lanes, and the same graph is the same picture'
try 0 --max-nodes 10 -o ten.svg && has err 'are not drawn' && [ "$(grep -c '<g class="n' ten.svg)" -le 10 ] && grep -q 'more, with [0-9.]* % of the self time, are not drawn' ten.svg
result $? 'a picture says what it leaves out'
try 0 --fold-ranks --format json && cp out folded.json && python3 - "$scratch" <<'END'
import json, sys
folded = json.load(open(sys.argv[1] + "/folded.json"))
assert any(node["label"].startswith("2 like node") for node in folded["nodes"])
assert sum(node["cnt"] for node in folded["nodes"] if node["name"] == "Comm.MPI_Send.SEND") == 32
END
result $? 'processes of equal shape are one'

try 0 --max-nodes 10 && [ "$(grep -c '\[label=".*fillcolor' out)" -eq 10 ] && grep -q "drawn as grey nodes" err &&
    grep -q '"[0-9]* more" \[label=.*dashed' out
result $? '--max-nodes keeps so many and says what it dropped'
try 0 --max-nodes 0 --format json && cp out all.json && try 0 --min-share 5 --format json && cp out share.json &&
    has err "% of the self time, are drawn as grey nodes; '--min-share 0' shows all" &&
    run 0 --db t.db critical-path --model --format json && cp out path.json && python3 - "$scratch" <<'END'
import json, sys
everything, nodes = (json.load(open(f"{sys.argv[1]}/{name}.json"))["nodes"] for name in ("all", "share"))
heavy = {node["label"] for node in everything if node["self_us"] >= 0.05 * sum(node["self_us"] for node in everything)}
path = open(sys.argv[1] + "/path.json").read()
real = {node["label"] for node in nodes if not node.get("rest") and not node.get("end")}
assert heavy and heavy <= real and len(real) < len(everything) / 3
assert all(json.dumps(label) in path for label in real - heavy)
grey = [node["id"] for node in nodes if node.get("rest")]
edges = json.load(open(sys.argv[1] + "/share.json"))["edges"]
into, out = grey
assert all(edge["source"] != into and edge["target"] != out for edge in edges)
assert any(edge["target"] == into for edge in edges) and any(edge["source"] == out for edge in edges)
END
result $? '--min-share keeps what takes so much, and nothing runs through the rest'
try 0 --merge-ranks && refute matches out 'node[0-9]->' && unsaid grey
result $? '--merge-ranks draws names without pid'
try 0 --collapse && grep -q ' \.\.\. ' out
result $? '--collapse merges chains'
try 0 --around 'node0->Comm.MPI_Send.SEND' --depth 0 && [ "$(grep -c 'fillcolor' out)" -eq 1 ]
result $? '--depth 0 is the node alone'
try 0 --around MPI_Send --depth 1 && grep -q 'MPI_Recv' out && refute has out MPI_Finalize
result $? '--around takes what is near'
try 2 --around MPI_Sned && grep -q "did you mean 'MPI_Send'" err
result $? 'a misspelt operation gets the nearest'
try 0 --filter 'op_cat=Comm' && refute has out COMP && grep -q Comm out
result $? '--filter leaves spans out'
try 0 --filter 'op_cat=nothing' && grep -q 'nothing is selected' err && grep -q '^digraph' out
result $? 'nothing selected is said, and no error'
try 0 --time-window 0:1000 && grep -q MPI_Init out && refute has out MPI_Finalize
result $? '--time-window narrows'

try 2 --level event && grep -q -- "--around NAME#K" err
result $? 'level event needs to know which spans'
try 0 --level event --time-window 0:500 && grep -q 'MPI_Init#0' out
result $? 'level event draws a window'
# What a window does not hold is not read: a span in the middle is of no thread.
if [ -x "$BUILDDIR/bench/gen-tau" ]; then
    "$BUILDDIR/bench/gen-tau" --records 60000 --nodes 2 --messages --merged long && run 0 --db long.db import long.trc long.edf && cp long.db cut.db &&
        change_database cut.db 'UPDATE event_row SET thread = 999 WHERE id = (SELECT max(id) * 2 / 3 FROM event_row)' && run 1 --db cut.db depgraph && has err damaged
    result $? 'a span of no thread is an error'
    for level in op event; do
        run 0 --db long.db depgraph --level $level --time-window 1ms:3ms && has out message && cp out whole.dot && run 0 --db cut.db depgraph --level $level --time-window 1ms:3ms && same out whole.dot
        result $? "level $level reads no more than a window holds"
    done
else
    skip 'windows' 'bench/gen-tau is not built'
fi
try 0 --level event --around 'node0->Comm.MPI_Send.SEND#1' --depth 1 && grep -q 'SEND#1' out && grep -q 'message' out
result $? 'level event draws what is near a span'
try 2 --level event --around 'node0->Comm.MPI_Send.SEND#1000' && grep -q 'occurs .* times' err
result $? 'an occurrence that is not there is said'

try 0 --save && grep -q 'saved .* nodes' err && [ ! -s out ]
result $? '--save saves'
"$TRACETOOL" --db t.db query "SELECT count(*), sum(kind = 'message') > 0 FROM edge" >out 2>err && grep -q '1$' out
result $? 'the tables node and edge can be asked'
"$TRACETOOL" --db t.db query "SELECT count(*) FROM node WHERE op_long_name = 'END' OR json_valid(gaps) = 0" >out 2>err &&
    grep -qw 1 out
result $? 'gaps are JSON, END is there'

try 2 -o g.xyz && grep -q "end it in .dot" err
result $? 'an unknown suffix is refused'
try 2 --format docx && grep -q "unknown format 'docx'" err
result $? 'an unknown format is refused'
try 2 --kind cal && grep -q "did you mean 'call'" err
result $? 'an unknown kind is refused'
try 2 --level ops && grep -q "did you mean 'op'" err
result $? 'an unknown level is refused'
try 2 --max-nodes 2 && has err "'--max-nodes' must be 3 or more"
result $? 'two nodes are too few'
try 2 --min-share 101 && has err 'from 0 to 100' && try 2 --level job --format trail --reduce && has err "'--reduce' does not go with it"
result $? 'shares and reductions that make no sense are refused'
try 1 -o nowhere/g.dot && grep -q nowhere err
result $? 'a file that cannot be written is an error'
try 0 --help && grep -q 'Example' out && grep -q -- '--max-nodes' out
result $? 'there is help with an example'
finish
