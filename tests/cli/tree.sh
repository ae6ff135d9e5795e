#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# tree: the call tree, callers and callees, against nesting the spans by hand and against the folded stacks.
# shellcheck source=tests/cli/lib.sh
. "$SRCDIR/tests/cli/lib.sh"
command -v python3 >/dev/null || { echo '1..0 # SKIP python3 is not here'; exit 0; }
oracle=$SRCDIR/tests/oracles/call-tree.py
spans="SELECT source || '/' || pid || '/' || tid AS thread, depth, ts_ns, dur_ns, self_ns, name, flags, id FROM event WHERE dur_ns IS NOT NULL
    AND ifnull(flags, '') NOT LIKE '%async%'"

# -- by hand: main calls f twice, f calls g and, once, itself ----------------------------------------------
{
    separator='['
    while read -r name ts dur; do
        printf '%s{"ph":"X","name":"%s","pid":1,"tid":1,"ts":%s,"dur":%s}' "$separator" "$name" "$ts" "$dur"
        separator=,
    done
    echo ']'
} >hand.json <<'E'
main 0 100
f 10 40
g 20 10
f 32 8
f 60 30
g 60 5
main 200 10
E
import hand.json
run 0 tree --format csv --unit us && has out '100,110,40,2,1,COMP.main,COMP.main' '63.63636363636363,70,47,2,2,COMP.f,COMP.main => COMP.f' \
    '13.636363636363637,15,15,2,3,COMP.g,COMP.main => COMP.f => COMP.g' '7.2727272727272725,8,8,1,3,COMP.f,COMP.main => COMP.f => COMP.f' && lines out 5
result $? 'a row a path, children by their total'
run 0 tree --callers COMP.f --format csv --unit us && has out ',70,55,3,1,COMP.f,COMP.f' ',0,8,1,2,COMP.f,COMP.f => COMP.f' ',70,47,2,2,COMP.main,'
result $? 'callers: what calls itself is counted once in the total'
run 0 tree --callees f --format csv --unit us && has out '100,70,47,2,1,COMP.f,COMP.f' ',15,15,2,2,COMP.g,' && lines out 4
result $? 'callees, by the name in the trace'
run 0 tree && matches out '^  *63\.64 .*  COMP\.f$' && matches out '^  *13\.64 .*    COMP\.g$'
result $? 'a table is indented'
run 0 tree --min 20 && has out '2 paths below 20 %' && refute has out COMP.g && run 0 tree --depth 1 && refute has out COMP.f &&
    run 0 tree --top 1 && has out 'and 3 more'
result $? '--min, --depth, --top'
run 0 tree --filter name!=COMP.f --format csv --unit us && has out 'COMP.main => COMP.g' && lines out 3
result $? 'a span that a filter leaves out is passed over'
refuses 2 "did you mean 'COMP.main'" tree --callers COMP.mian && refuses 2 'two questions' tree --callers f --callees f &&
    refuses 2 'percentage' tree --min 101
result $? 'what cannot be asked'
run 0 tree --callers P.f --format csv --unit us && has out ',70,55,3,1,COMP.f,COMP.f' && refuses 2 "'COMP.' is part of 3 operations: 'COMP.f', 'COMP.g', 'COMP.main'" tree --callees COMP.
result $? 'a part that one name has'

# -- real ones --------------------------------------------------------------------------------------------------
for trace in tau-mpi4 kineto/rank0.json framework/tensorflow pi-run ctf-hosts; do
    import "$TRACETOOL_DATA/$trace" && run 0 query "$spans" --format csv && cp out spans.csv || exit 1
    run 0 tree --filter "flags!~async" --format csv --unit ns --top 0 && python3 "$oracle" tree "$scratch/spans.csv" "$scratch/out" && cp out tree.csv
    result $? "$trace: all paths"
    # The operation with the most paths.
    name=$(python3 -c 'import collections, csv, sys; print(collections.Counter(r["name"] for r in csv.DictReader(open(sys.argv[1]))).most_common(1)[0][0])' \
        "$scratch/tree.csv")
    status=0
    for question in callers callees; do
        run 0 tree "--$question" "$name" --filter "flags!~async" --format csv --unit ns --top 0 &&
            python3 "$oracle" $question "$scratch/spans.csv" "$scratch/out" "$name" || status=1
    done
    result $status "$trace: callers and callees of $name"
done
import "$TRACETOOL_DATA/tau-mpi4" && run 0 tree --format csv --unit ns --top 0 && cp out tree.csv && run 0 export --folded -o out.folded && python3 - <<'P'
import collections, csv
folded = collections.Counter()
for line in open("out.folded"):
    path, value = line.rsplit(" ", 1)
    folded[" => ".join(path.split(";")[2:])] += int(value)
own = {row["path"]: int(row["self_ns"]) for row in csv.DictReader(open("tree.csv")) if row["self_ns"] != "0"}
assert len(own) > 40 and own == +folded, set(own.items()) ^ set((+folded).items())
P
result $? 'self times are those of the folded stacks'

# -- the same paths in statistics -----------------------------------------------------------------------------------
same_paths() { # TRACE
    import "$1" && run 0 tree --filter 'flags!~async' --format csv --unit ns --top 0 && cp out tree.csv &&
        run 0 stats --by path --filter 'flags!~async' --format csv --unit ns && cp out stats.csv && python3 - <<'P'
import csv
rows = {r["path"]: (r["count"], r["total_ns"], r["self_ns"]) for r in csv.DictReader(open("tree.csv"))}
own = {r["path"]: (r["count"], r["total_ns"], r["self_ns"]) for r in csv.DictReader(open("stats.csv"))}
assert len(own) > 3 and own == rows, sorted(set(own.items()) ^ set(rows.items()))[:4]
P
}
for trace in tau-mpi4 kineto/rank0.json framework/tensorflow pi-run; do
    same_paths "$TRACETOOL_DATA/$trace"
    result $? "$trace: stats --by path has the paths of the tree"
done
import "$TRACETOOL_DATA/tau-mpi4" && run 0 stats --by path --filter 'name~MPI_Send' --format csv --unit ns && cp out sends.csv &&
    run 0 stats --by path --time-window 0:5000us --format csv && has out 'COMP.main => COMP.solve' && python3 - <<'P'
import csv
sends = list(csv.DictReader(open("sends.csv")))
assert sends and all(r["path"].startswith("COMP._TAU application => COMP.main => ") and "MPI_Send" in r["path"].split(" => ")[-1] for r in sends), sends
P
result $? 'a filter chooses spans, and leaves their paths whole'
run 0 tree --callers MPI_Recv --format csv && cp out callers.csv && run 0 stats --callers MPI_Recv --format csv && same callers.csv out &&
    has out 'MPI_Recv' && run 0 stats --callees=MPI_Recv --top 2 && has out MPI_Recv && refuses 2 'unknown option --by' stats --callers MPI_Recv --by name
result $? 'stats --callers and --callees are those of tree'
seq 1 90 | sed 's/.*/{"ph":"X","name":"f&","pid":1,"tid":1,"ts":&0,"dur":1},/; 1s/^/[/; $s/,$/]/' >equal.json
import equal.json && run 0 stats --by path --top 3 && has out 'COMP.f1' 'and 87 more'
result $? 'paths of equal time are in the order of their names'
import "$TRACETOOL_DATA/tau-mpi4" && refuses 2 'about times' stats --by path --metric x && run 0 stats --by path --per rank --format csv && has out 'slowest,path' 'COMP.main => '
result $? 'stats --by path --per rank'
run 0 compare "$db" "$db" --by path --map 'COMP.main=COMP.start' --format csv && has out '"COMP._TAU application => COMP.start => COMP.solve(Grid *, int)"'
result $? 'compare --by path, names mapped'
finish
