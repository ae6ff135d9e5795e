#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# How the GPUs of jobs are connected: tables, pictures, what does not fit together, files of NCCL itself.
. "$SRCDIR/tests/cli/lib.sh"
job=$TRACETOOL_DATA/job-2x1

query() { # DATABASE SQL ROW... : its rows are these
    db=$1
    shift
    ask "$@"
}

# -- the small job -----------------------------------------------------------------------------------
run 0 --db job.db import -q "$job" && run 0 --db job.db nccl && [ ! -s err ] &&
    has out '2 ranks on 2 hosts; rings: 1 channel; trees: 1 channel; 2 groups of tensors' &&
    grep -qE '^Comm\.0\+1 +2 +2 +1 +1 +1$' out && grep -qE '^ +0 +1 +1 +host1\.rank0 +0 +host0\.rank0 +NET/Socket/0$' out
result $? 'groups, rings and trees of a job'
run 0 --db job.db nccl --format csv && has out 'channel,position,rank,pid,peer,peer_pid,transport' '0,0,0,host0.rank0,1,host1.rank0,NET/Socket/0' && lines out 3
result $? 'csv has the rings'
run 0 --db job.db nccl --show trees --format tsv && has out 'parent_pid' && lines out 3 &&
    run 0 --db job.db nccl --show groups --format csv && has out 'Comm.2,1,2,1,1,1' &&
    run 0 --db job.db nccl --show possible --format csv && lines out 3 &&
    run 0 --db job.db nccl --show problems --format csv && lines out 1
result $? '--show has one table'
run 0 --db job.db nccl --format json
if command -v python3 >/dev/null; then
    python3 -c 'import json, sys
tables = json.load(open("out"))
assert [len(tables[name]) for name in ("groups", "rings", "trees", "possible", "problems")] == [2, 2, 2, 2, 0]'
    result $? 'json has all tables'
else
    skip 'json has all tables' 'python3 is not here'
fi
query job.db 'SELECT raw_name, chunk_num, slice_num, channel_num, loop_num, run FROM nccl_shape' Comm.0+1,2,1,1,1,1 Comm.2,2,1,1,1,1 &&
    query job.db "SELECT algo, channel, rank, peer, transport FROM nccl_edge WHERE algo <> 'ring_possible'" \
        ring,0,0,1,NET/Socket/0 ring,0,1,0,NET/Socket/0 tree,0,1,0,
result $? 'the tables of the database'
run 0 --db job.db import -q --again --no-align "$job" && query job.db 'SELECT run, count (*) FROM nccl_edge GROUP BY 1' 1,5 2,5
result $? 'each run has its own'
run 2 --db job.db nccl --show ring && has err "did you mean 'rings'?" && refuses 2 "format 'xml' is not one of" --db job.db nccl --format xml &&
    run 2 --db job.db nccl -o picture.bmp && has err '.svg' && refuses 2 'reads one run, not 2' --db job.db --run all nccl
result $? 'wrong options are refused'

# -- pictures ------------------------------------------------------------------------------------------
run 0 --db job.db nccl -o rings.dot && has rings.dot 'label="ring, channel 0"' 'label="tree, channel 0"' 'label="host0"' \
    'label="1  host1.rank0"' 'n0_0 -> n0_1 [color="#e6550d", label="NET/Socket/0"]' 'n1_0 -> n1_1' && has err 'wrote 4 nodes and 3 edges'
result $? 'a picture as DOT'
run 0 --db job.db nccl -o rings.json && has rings.json '{"algo":"ring","channel":0,"from":0,"to":1,"transport":"NET/Socket/0"}' \
    '{"rank":1,"pid":"host1.rank0","host":"host1"}'
result $? 'the same as JSON'
if command -v dot >/dev/null; then
    run 0 --db job.db nccl -o rings.svg && grep -q '<svg' rings.svg && dot -Tplain rings.dot >plain
    result $? 'the same as SVG'
else
    skip 'the same as SVG' 'dot is not here'
fi

# -- what is missing, what does not fit ------------------------------------------------------------------
copy() { # NAME : a job to change
    rm -rf "$1" "$1.db" && cp -r "$job" "$1" && chmod -R u+w "$1"
}
copy quiet && rm quiet/host1/0/nccl_rank_graph.json && run 0 --db quiet.db import -q quiet && run 0 --db quiet.db nccl &&
    has err 'host1.rank0 does not say what it is connected to' && has out host1.rank0
result $? 'a rank that says nothing'
copy mute && rm mute/host?/0/nccl_rank_graph.json && run 0 --db mute.db import -q mute && run 0 --db mute.db nccl &&
    has err 'does not say how its ranks are connected' && has out 'Comm.0+1' && run 0 --db mute.db nccl -o mute.dot
result $? 'no rank says anything: groups alone'
copy coarse && rm coarse/host?/0/comm_detail.json && run 0 --db coarse.db import -q coarse && run 0 --db coarse.db nccl --show groups --format csv &&
    has out 'Comm.0,1,,,,' && query coarse.db 'SELECT count (*) FROM nccl_shape' 0
result $? 'no details: groups without pieces'
copy open && echo '{"RealRing":{"0":"1[1] -> 0[1] [receive] via NET/Socket/0"},"Tree":{"-1":"[0] 1/-1/-1->0->-1|-1->0->1/-1/-1"}}' \
    >open/host0/0/nccl_rank_graph.json &&
    echo '{"RealRing":{"0":"0[1] -> 2[1] [send] via SHM"},"Tree":{"-1":"[0] nonsense"}}' >open/host1/0/nccl_rank_graph.json &&
    run 0 --db open.db import -q open && run 0 --db open.db nccl && has err 'does not close' 'not a tree' 'host1.rank0' &&
    run 0 --db open.db nccl --show problems --format csv && has out 'does not close' && run 0 --db open.db nccl -o open.json &&
    has open.json '"problems":['
result $? 'rings that do not close are named'
copy torn && sed -i 's/\[0\] -1\/-1\/-1->1->0|0->1->-1\/-1\/-1/[0] -1\/-1\/-1->0->1|1->0->-1\/-1\/-1/' torn/host1/0/nccl_rank_graph.json &&
    run 0 --db torn.db import -q torn && run 0 --db torn.db nccl && has err 'host1.rank0 speaks of itself as rank 1 and as rank 0 (tree)' &&
    has err 'tree, channel 0: rank 0 is its own ancestor'
result $? 'ranks that disagree are named'
run 0 --db tau.db import -q "$TRACETOOL_DATA/tau-merged" && run 0 --db tau.db nccl && has err 'does not say how its ranks' && [ ! -s out ]
result $? 'a run that is no job'

# -- files of NCCL itself ----------------------------------------------------------------------------------
cat >topo.xml <<'X'
<?xml version="1.0"?>
<!-- two GPUs -->
<system version="1">
  <cpu numaid="0" arch="x86_64">
    <pci busid="0000:01:00.0" class="0x060400" link_speed="16 GT/s" link_width="16">
      <pci busid="0000:02:00.0" class="0x030200"><gpu dev="0" rank="3"><nvlink target="0000:03:00.0" count="4" tclass="0x030200"/></gpu></pci>
      <pci busid="0000:03:00.0" class="0x030200"><gpu dev="1" rank="4"><nvlink target="0000:02:00.0" count="4" tclass="0x030200"/></gpu></pci>
    </pci>
    <nic><net name="mlx5_0" dev="0" speed="200000"/></nic>
  </cpu>
</system>
X
run 0 nccl topo.xml && [ ! -s err ] && grep -qE '^  pci 0000:01:00\.0 +PCI bridge +16 GT/s x16$' out && grep -qE '^      gpu 0 +3$' out &&
    grep -qE '^        nvlink 0000:03:00\.0 +4 links$' out && grep -qE '^    net mlx5_0 +200000 Mbit/s$' out && lines out 11
result $? 'a topology as a tree'
run 0 nccl --format csv topo.xml && has out 'depth,element,name,is,rank,link' '3,gpu,0,,3,' && run 0 nccl -o topo.dot topo.xml &&
    [ "$(grep -c 'dir=none' topo.dot)" -eq 1 ] && has topo.dot 'n2 -> n5 [dir=none' 'label="pci 0000:02:00.0"' && refuses 2 'a topology is drawn as' nccl -o topo.json topo.xml
result $? 'as csv, and drawn'
cat >graph.xml <<'X'
<graphs version="1">
  <graph id="0" pattern="4" nchannels="2" speedintra="12" speedinter="6" typeintra="NVL" typeinter="PIX">
    <channel><net dev="1"/><gpu dev="0"/><gpu dev="2"/><gpu dev="1"/><net dev="1"/></channel>
    <channel><gpu dev="0"/><gpu dev="1"/><gpu dev="2"/></channel>
  </graph>
  <graph id="1" pattern="1" nchannels="1"><channel><gpu dev="2"/><gpu dev="0"/><gpu dev="1"/></channel></graph>
  <graph id="3" pattern="9" nchannels="0"/>
</graphs>
X
run 0 nccl graph.xml --format csv && [ ! -s err ] && has out '0,ring,0,NVL,12,PIX,6,net 1 -> gpu 0 -> gpu 2 -> gpu 1 -> net 1' \
    '1,balanced tree,0,,,,,gpu 2 -> gpu 0 -> gpu 1' && lines out 4
result $? 'graphs: the order in each channel'
run 0 nccl graph.xml -o graph.json && tr -d '\n' <graph.json >flat && has flat '"algo":"ring","channel":0,"from":0,"to":2,' \
    '"algo":"ring","channel":0,"from":1,"to":0,' '"algo":"ring","channel":1,"from":2,"to":0,' '"algo":"tree","channel":0,"from":0,"to":2,' \
    '"algo":"tree","channel":0,"from":1,"to":0,' && [ "$(grep -c '"algo"' graph.json)" -eq 8 ] && run 0 nccl graph.xml -o graph.dot &&
    has graph.dot 'label="1  gpu 1"'
result $? 'drawn as rings and trees'
sed 's/<gpu dev="2"\/><gpu dev="1"\/>/<gpu dev="0"\/><gpu dev="1"\/>/; s/nchannels="1"/nchannels="4"/' graph.xml >twice.xml
run 0 nccl twice.xml && has err 'gpu 0 is twice in channel 0' 'line 6: the graph has 1 channels and says 4'
result $? 'what does not fit together in them'
printf '<system>\n<cpu>\n</pci>\n</system>\n' >bad.xml && run 1 nccl bad.xml && has err 'bad.xml: line 3:' &&
    printf '<html>\n</html>\n' >page.xml && run 1 nccl page.xml && has err 'page.xml: line 1: <html> is neither' &&
    printf '<graphs>\n<graph id="0">\n' >cut.xml && run 1 nccl cut.xml && has err 'cut.xml: line 3' &&
    printf '<system a="\377">\n</system>\n' >bytes.xml && run 1 nccl bytes.xml && has err 'bytes.xml: line 1' && refuses 2 "'--show' is for jobs" nccl --show rings topo.xml
result $? 'what is not such a file is refused, with its line'
{ echo '<system>'; head -c 1000 /dev/zero | tr '\0' x | sed 's/x/<pci>/g'; } >deep.xml && run 1 nccl deep.xml && has err 'more than 64 elements inside each other' &&
    { echo '<system>'; head -c 140000 /dev/zero | tr '\0' x | sed 's/x/<pci\/>/g'; echo '</system>'; } >wide.xml && run 1 nccl wide.xml &&
    has err 'more than 131072 elements' && { echo '<system a="'; head -c 17000000 /dev/zero | tr '\0' x; } >long.xml && run 1 nccl long.xml && has err 'more than 16 MiB'
result $? 'nor is what is too deep, too wide or too long'
for file in ncv4_topo ncv4_graph ndv5_ndv5-topo-new; do
    if [ -f "$SHARED_DATA/framework/nccl_xml/$file.xml" ]; then
        run 0 nccl "$SHARED_DATA/framework/nccl_xml/$file.xml" && [ ! -s err ] && [ "$(wc -l <out)" -gt 10 ] &&
            run 0 nccl -o real.dot "$SHARED_DATA/framework/nccl_xml/$file.xml"
        result $? "$file.xml"
    else
        skip "$file.xml" 'the shared data are not here'
    fi
done

# -- a larger job ------------------------------------------------------------------------------------------
if [ -d "$SHARED_DATA/framework/job_2x2" ]; then
    run 0 --db large.db import -q "$SHARED_DATA/framework/job_2x2" &&
        query large.db 'SELECT * FROM nccl_shape' Comm.0+1+2,6,2,2,1,1 Comm.3+4,6,2,2,1,1 Comm.5,6,2,2,1,1 &&
        query large.db "SELECT channel, group_concat (peer, '') FROM (SELECT * FROM nccl_edge WHERE algo = 'ring' ORDER BY channel, rank) GROUP BY 1" \
            0,1230 1,1230 && run 0 --db large.db nccl && [ ! -s err ] && has out '4 ranks on 2 hosts; rings: 2 channels'
    result $? 'pieces and rings are those of its original tools'
    run 0 --db large.db nccl -o large.dot && has large.dot 'label="ring, channels 0, 1"' && has err '8 nodes and 7 edges'
    result $? 'channels that are alike are one picture'
else
    skip 'pieces and rings of a larger job' 'the shared data are not here'
    skip 'channels that are alike are one picture' 'the shared data are not here'
fi
finish
