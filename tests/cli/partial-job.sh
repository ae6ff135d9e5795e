#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A job whose files describe a part of its model only: no span is lost, what the graph does not know is simulated where
# it was, and the prediction is that of the whole job within what the lacking dependencies leave open. The judge is the
# whole job, and the iteration that its generator wrote.
# shellcheck source=tests/cli/lib.sh
. "$SRCDIR/tests/cli/lib.sh"
job=$SHARED_DATA/framework/job_2x2
if [ ! -d "$job" ]; then
    skip 'partial jobs' "$job is not here"
    finish
    exit
fi
if ! command -v python3 >/dev/null; then
    skip 'partial jobs' 'python3 is not here'
    finish
    exit
fi

facts() { # FILE : what is measured, by name and rank
    run 0 --db "$db" stats --by pid,name --sort name --top 0 --format csv && filled out && cp "$scratch/out" "$1"
}
predicted() { # : microseconds
    run 0 --db "$db" simulate --format json && predicted=$(sed -n 's/^"predicted_us": \([0-9.]*\),$/\1/p' "$scratch/out") && [ -n "$predicted" ]
}
near() { # PERCENT : of the whole job's prediction
    awk -v a="$predicted" -v b="$whole" -v most="$1" 'BEGIN { d = 100 * (a - b) / b; exit !(d < most && d > -most) }'
}
# change WHAT : a copy of the job, changed on all ranks
change() {
    rm -rf "$scratch/job" && cp -r "$job" "$scratch/job" && chmod -R u+w "$scratch/job" && python3 - "$scratch/job" "$1" <<'PYTHON'
import glob, json, os, random, sys
what, _, n = sys.argv[2].partition(':')
seed = 0
if ',' in n:
    n, seed = n.split(',')
for d in glob.glob(sys.argv[1] + '/host*/*'):
    chance = random.Random(int(seed))
    if what in ('metadata', 'more', 'temp'):
        os.remove(d + '/dag.gml')
        path = d + '/metadata.json'
        m = json.load(open(path))
        if what == 'more':
            m['model/none'] = {'op': 'MatMul', 'input': [{'name': 'model/dense_0/Relu:0'}], 'output': [{'name': 'model/none:0'}]}
        else:
            keys = list(m)
            kept = set(chance.sample(keys, int(n)))
            m = {k: m[k] for k in keys if k in kept}
        json.dump(m, open(path, 'w'))
    if what == 'temp':
        os.remove(d + '/trace.json.gz')
    if what == 'dag':
        head, *nodes = open(d + '/dag.gml').read().split('  node [')
        last, *edges = nodes[-1].split('  edge [')
        nodes[-1] = last
        with open(d + '/dag.gml', 'w') as out:
            out.write(head + ''.join('  node [' + x for x in nodes if chance.random() < int(n) / 100)
                      + ''.join('  edge [' + x for x in edges))
    if what == 'tensors':
        os.remove(d + '/gradient_name_list.json')
PYTHON
}

import "$job" && facts "$scratch/whole" && predicted && whole=$predicted && [ "$(wc -l <"$scratch/whole")" -gt 100 ]
result $? 'the whole job'
for kept in 2 8 20 32; do
    for seed in 0 1 2; do
        change "metadata:$kept,$seed" && import "$scratch/job" && facts "$scratch/part" && cmp "$scratch/part" "$scratch/whole" &&
            predicted && near 1
        result $? "$kept operators of 42 in metadata.json, $seed: predicted $predicted us, of the whole job $whole us"
    done
done
change metadata:8,1 && import "$scratch/job" && run 0 --db "$db" simulate &&
    has err '28 of the 36 operators of a step, with 70.7 % of their time, are not in the graph of the model'
result $? 'and says how many they are'
change more && import "$scratch/job" && facts "$scratch/part" && cmp "$scratch/part" "$scratch/whole" && predicted && near 0.1
result $? 'an operator that no trace has'
for seed in 0 1 2; do
    change "dag:40,$seed" && import "$scratch/job" && facts "$scratch/part" &&
        [ "$(wc -l <"$scratch/part")" -eq "$(wc -l <"$scratch/whole")" ] && predicted && near 5 &&
        ask "SELECT sum(repairs ->> '\$.outside_graph.count') > 0, sum(repairs ->> '\$.not_in_graph.count') IS NULL FROM source" 1,1
    result $? "a dag.gml with 40 in 100 of its nodes, $seed: predicted $predicted us"
done
change tensors && import "$scratch/job" && predicted && near 1
result $? 'no names of tensors'
finish
