#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# compare: by hand, and against a program that knows only the definitions and the spans.
# shellcheck source=tests/cli/lib.sh
. "$SRCDIR/tests/cli/lib.sh"
oracles=$SRCDIR/tests/oracles
load=$BUILDDIR/tests/store/load-events
command -v python3 >/dev/null || { echo '1..0 # SKIP python3 is not here'; exit 0; }
export PYTHONDONTWRITEBYTECODE=1

python3 "$oracles/compare.py" --self-test >out && filled out
result $? 'the oracle knows what one can count by hand'

# -- by hand ------------------------------------------------------------------------------------------------------
spans() { # PID OP_CAT OP_NAME DURATION... : one after the other
    pid=$1 cat=$2 name=$3
    shift 3
    for length in "$@"; do
        printf '%s\tt\t%s\t%s\t\t\t%s\t%s\t\n' "$pid" "$cat" "$name" "$at" "$length"
        at=$((at + length + 100))
    done
}
at=0
{ spans p0 COMP f 100 110 90; spans p0 COMP old 50; spans p1 Comm x 10; } >a.tsv
at=0
{ spans p0 COMP f 200 210 190; spans p0 COMP new 70; spans p2 Comm x 10; } >b.tsv
at=0
spans p0 COMP f 300 310 290 >c.tsv
for run in a b c; do "$load" $run.db <$run.tsv; done

run 0 compare --format csv --unit ns a.db b.db && prints \
    'b.db,changed,300,600,300,100,3,3,0,0,300,600,300,100,100,200,100,100,0.00025521674944192665,yes,COMP.f' \
    'b.db,new,0,70,70,,0,1,1,,0,70,70,,,70,,,,unknown,COMP.new' \
    'b.db,gone,50,0,-50,-100,1,0,-1,-100,50,0,-50,-100,50,,,,,unknown,COMP.old' \
    'b.db,same,10,10,0,0,1,1,0,0,10,10,0,0,10,10,0,0,,unknown,Comm.x'
result $? 'changed, new, gone, the same; sorted by what the self time changed by'
run 0 compare a.db b.db && has out 'A: a.db' 'B: b.db' \
    'B takes 1.08 us, 320 ns (42.1 %) longer than A:' 'mostly COMP.f (self time +300 ns)' '1 operation not shown: nothing differs' \
    'Op cat' && refute has out 'Comm.x'
result $? 'a sentence, and what differs'
run 0 compare a.db a.db && has out 'operations not shown: nothing differs' 'categories not shown: nothing differs' && refute has out 'Self'
result $? 'what is left out of each table that has no rows'
run 0 compare b.db a.db && has out '320 ns (29.6 %) shorter than A:' 'mostly COMP.f (self time -300 ns)'
result $? 'the other way round'
run 0 compare a.db a.db && has out 'as long as A' '3 operations not shown' && unsaid tracetool
result $? 'a run and itself'
run 0 compare a.db b.db c.db && has out 'C takes 1.1 us' && awk '$1 ~ /^[BC]$/ && $2 ~ /^[0-9.]+$/ { print $1, $NF }' out >order &&
    head -3 order | tr '\n' ' ' >first && [ "$(cat first)" = 'B COMP.f C COMP.f B COMP.new ' ]
result $? 'three runs: those of an operation stand together'
run 0 compare --sort mean --format csv a.db b.db c.db && [ "$(column run | head -2 | tr '\n' ' ')" = 'b.db c.db ' ] &&
    run 0 compare --sort name --format csv a.db b.db && [ "$(column name | tr '\n' ' ')" = 'COMP.f COMP.new COMP.old Comm.x ' ]
result $? '--sort'
run 0 compare --show categories --format csv --unit ns a.db b.db && prints \
    'b.db,changed,350,97.22222222222223,670,98.52941176470588,320,91.42857142857143,COMP' \
    'b.db,same,10,2.7777777777777777,10,1.4705882352941178,0,0,Comm'
result $? '--show categories'
run 0 compare --show ranks --format csv --unit ns a.db b.db && prints \
    'b.db,changed,350,97.22222222222223,670,98.52941176470588,320,91.42857142857143,p0' \
    'b.db,gone,10,2.7777777777777777,0,0,-10,-100,p1' 'b.db,new,0,0,10,1.4705882352941178,10,,p2'
result $? '--show ranks'
at=0
{ spans p0 COMP f 100; spans p1 Comm x 10; spans p3 Comm y 10; } >d.tsv
"$load" d.db <d.tsv
run 0 compare a.db d.db && has out '  Rank' && run 0 compare a.db b.db && refute has out '  Rank'
result $? 'a line a rank where two are in both runs'
run 0 compare --per rank --format csv a.db b.db && has err '2 ranks left out' && [ "$(column rank | sort -u)" = p0 ] &&
    run 0 compare --per rank --top 1 a.db b.db && has out 'COMP.f on rank p0' 'and 2 more'
result $? '--per rank, of ranks that both have'
run 0 compare --by op_cat --format csv --unit ns a.db b.db && column count_b | same - "$(printf '4\n1\n' >wanted; echo wanted)"
result $? '--by op_cat'
run 0 compare --filter op_name=f --format csv a.db b.db && [ "$(column name)" = COMP.f ] && run 0 compare --filter op_name=f a.db b.db &&
    has out 'B spends in these operations 600 ns, 300 ns (100.0 %) more than A'
result $? 'a filter'
run 0 compare --filter name=COMP.g a.db b.db && has err "'a.db' has nothing to compare: no span matches: no name" "did you mean" &&
    lines err 2 && run 0 compare --filter name=zzzzz a.db a.db && lines err 1 && has err "'a.db' has nothing to compare: no span matches"
result $? 'a filter that fits nothing'

# -- what is compared ----------------------------------------------------------------------------------------------
import "$TRACETOOL_DATA/tau-mpi4" && run 0 --db "$db" import "$TRACETOOL_DATA/tau-merged/run.trc" "$TRACETOOL_DATA/tau-merged/run.edf" &&
    run 0 --db "$db" compare 1 2 --format csv --top 0 && filled out && cp out numbers &&
    run 0 compare "$db:1" "$db:2" --format csv --top 0 && sed "s|^$db:||" out | same - numbers
result $? 'runs of a database'
run 0 compare "$db" "$db:2" && has out 'as long as A' && refuses 2 "no run '3'" compare "$db:1" "$db:3"
result $? 'a database is its latest run'
cp -r "$TRACETOOL_DATA/tau-mpi4" tau && run 0 compare tau "$db:1" && has err 'imported into the cache' && has out 'as long as A'
result $? 'a trace'
refuses 2 'needs two runs' compare a.db && refuses 1 'is no file' compare a.db nothing:3 && refuses 1 'nothing' compare a.db nothing &&
    refuses 2 'rank' compare --per pid a.db b.db && refuses 2 'leave rank out' compare --per rank --by rank a.db b.db &&
    refuses 2 "did you mean 'categories'" compare --show categoris a.db b.db && refuses 2 'cannot sort by' compare --sort x a.db b.db
result $? 'words that are none'
for version in 1 2 3 4 5 6 7 8 9; do
    gzip -dc "$TRACETOOL_DATA/databases/version-$version.db.gz" >old.db && run 0 compare old.db old.db && has out 'as long as A' ||
        echo "$version" >>failed
done
[ ! -e failed ]
result $? 'databases of older versions'

# -- other names ----------------------------------------------------------------------------------------------------
run 0 compare --map COMP.old=COMP.new --format csv --unit ns a.db b.db && has out 'b.db,changed,50,70,20,40,1,1,0,0,50,70,20,40,50,70,20,40,,unknown,COMP.new'
result $? '--map'
printf '# both\n\nCOMP.???=COMP.both\nCOMP.f=COMP.both\n' >names && run 0 compare --map-file names --format csv --unit ns a.db b.db &&
    has out 'b.db,changed,350,670,320,91.42857142857143,4,4,0,0,350,670' && [ "$(column name | sort | tr '\n' ' ')" = 'COMP.both Comm.x ' ]
result $? '--map-file: two operations become one'
printf 'a=b\nnothing\n' >names && refuses 2 'names: line 2' compare --map-file names a.db b.db && refuses 2 'OLD=NEW' compare --map x a.db b.db
result $? 'rules that are none'
at=0; spans p COMP 'gemm<float, 4>' 10 20 >t1.tsv; at=0; spans p COMP 'gemm<half, 8>' 10 20 >t2.tsv
"$load" t1.db <t1.tsv && "$load" t2.db <t2.tsv && run 0 compare --ignore-template-arguments --format csv t1.db t2.db &&
    [ "$(column name),$(column state)" = 'COMP.gemm,same' ]
result $? '--ignore-template-arguments'

# -- a limit ----------------------------------------------------------------------------------------------------------
refuses 1 "COMP.f takes 600 ns in 'b.db', 300 ns in 'a.db' (+100.0 %; p = 0.00026)" compare --fail-above 5% a.db b.db &&
    has err 'the run takes' 'all operations take' 'COMP.new takes' && refute has err Comm.x && has out 'B takes'
result $? '--fail-above names what is slower'
run 0 compare --fail-above 5% --map COMP.old=COMP.new b.db a.db && has err 'nothing is slower' && run 0 compare --fail-above 5% a.db a.db
result $? 'what is faster does not fail'
refuses 1 'COMP.f takes' compare --filter op_name=f --fail-above 99.9 a.db b.db && run 0 compare --filter op_name=f --fail-above '100 %' a.db b.db
result $? 'more than the limit, not as much'
at=0; spans p COMP f 10 1000 30 800 >n1.tsv; at=0; spans p COMP f 20 1300 40 700 >n2.tsv; at=0; spans p COMP f 20 1300 40 700 20 1300 >n3.tsv
for run in n1 n2 n3; do "$load" $run.db <$run.tsv; done
run 0 compare --format csv n1.db n2.db && [ "$(column significant)" = no ] && refuses 1 'the run takes' compare --fail-above 5 n1.db n2.db &&
    unsaid 'COMP.f takes' && refuses 1 'COMP.f takes' compare --fail-above 5 n1.db n3.db
result $? 'noise does not fail an operation, more calls do'
at=0; { spans p COMP f 1000; spans p COMP rare 1; } >s1.tsv; at=0; { spans p COMP f 1000; spans p COMP rare 2; } >s2.tsv
for run in s1 s2; do "$load" $run.db <$run.tsv; done
run 0 compare --fail-above 5 s1.db s2.db && refuses 1 'COMP.rare takes 2 ns' compare --fail-above 5 --min-share 0 s1.db s2.db &&
    has err 'too few spans for a test'
result $? '--min-share'
refuses 1 'no operation to judge' compare --fail-above 5 --filter name=none a.db b.db && refuses 2 'no percentage' compare --fail-above five a.db b.db &&
    refuses 2 'no percentage' compare --fail-above -1 a.db b.db && refuses 2 'no percentage' compare --fail-above nan a.db b.db &&
    refuses 2 'goes with' compare --min-share 3 a.db b.db
result $? 'limits that guard nothing'

# -- formats ----------------------------------------------------------------------------------------------------------
run 0 compare --format json a.db b.db c.db && python3 - "$scratch/out" <<'P'
import json, sys
answer = json.load(open(sys.argv[1]), parse_constant=lambda word: sys.exit(word))
assert [r["run"] for r in answer["runs"]] == ["a.db", "b.db", "c.db"] and answer["runs"][1]["length_us"] == 1.08, answer["runs"]
assert set(answer) == {"runs", "operations", "categories", "ranks"} and len(answer["operations"]) == 7
assert [r["p"] for r in answer["operations"] if r["state"] == "new"] == [None]
P
result $? 'json has all tables, and no NaN'
if has_terminals; then
    typed 0 COLUMNS=80 compare "$scratch/a.db" "$scratch/b.db" && [ "$(sed 's/\r//' out | wc -L)" -le 80 ] && has out 'Sig' 'COMP.f'
    result $? '80 columns'
else
    skip '80 columns' 'script is not here'
fi
run 0 compare --format markdown a.db b.db && has out '| Self A (ns) |' '| new |' && run 0 compare --format tsv a.db b.db && filled out
result $? 'markdown and tsv'

# -- against the oracle --------------------------------------------------------------------------------------------------
judged() { # A B A-SPANS B-SPANS [--per rank] : rows of both runs are those of the oracle
    a=$1 b=$2 of_a=$3 of_b=$4
    shift 4
    run 0 compare "$@" --format csv --unit ns --top 0 "$a" "$b" && python3 "$oracles/compare.py" "$scratch/out" "$of_a" "$of_b" "$@" >judged &&
        grep -q '^[1-9]' judged || { cat judged; return 1; }
}
status=0
for seed in $(seeds 40); do
    rm -f r1.db* r2.db*
    python3 "$oracles/compare-pairs.py" "$seed" r1.tsv r2.tsv && "$load" r1.db <r1.tsv && "$load" r2.db <r2.tsv &&
        judged r1.db r2.db r1.tsv r2.tsv && judged r1.db r2.db r1.tsv r2.tsv --per rank || { status=1; echo "# seed $seed"; }
done
result $status 'made-up runs'

all_spans="SELECT r.rank, e.pid || '/' || e.tid AS thread, e.name, e.ts_ns AS begin_ns, e.ts_ns + e.dur_ns AS end_ns, e.depth
    FROM event e LEFT JOIN rank r ON r.pid = e.pid WHERE e.dur_ns IS NOT NULL"
import "$TRACETOOL_DATA/tau-mpi4" && run 0 --db "$db" export -o "$scratch/tau.json" &&
    [ "$(python3 "$oracles/compare-pairs.py" stretch Comm.MPI_Recv.RECV 100000 tau.json slow.json)" = 32 ]
result $? 'a trace in which each of 32 calls takes 100 us longer'
for trace in tau slow; do
    run 0 --db $trace.db import $trace.json && run 0 --db $trace.db query --format csv "$all_spans" && cp out $trace.csv
done
judged tau.db slow.db tau.csv slow.csv && judged tau.db slow.db tau.csv slow.csv --per rank
result $? 'nested calls of MPI ranks'
run 0 compare tau.json slow.json && has out '800 us (4.8 %) longer than A:' 'mostly Comm.MPI_Recv.RECV (self time +3.2 ms)' &&
    run 0 compare --format csv tau.json slow.json && [ "$(column self_change_us | grep -vc '^0$')" = 1 ]
result $? 'the cause is named, and nothing but the cause'

kineto=$SHARED_DATA/kineto
if [ -f "$kineto/sampled_rank-0.json.gz" ]; then
    for rank in 0 1; do
        run 0 --db k$rank.db import "$kineto/sampled_rank-$rank.json.gz" &&
            run 0 --db k$rank.db query --format csv "$(echo "$all_spans" | sed 's/e.depth/e.depth, e.self_ns/')" && cp out k$rank.csv
    done
    judged k0.db k1.db k0.csv k1.csv
    result $? 'two ranks of a public trace'
else
    skip 'two ranks of a public trace' 'the shared data are not here'
fi

# -- clocks, and what is damaged --------------------------------------------------------------------------------------------
damaged() { # SQL : bad.db is a.db after that
    rm -f bad.db*
    cp a.db bad.db && change_database bad.db "$1"
}
damaged "UPDATE source_row SET clock = 'ticks'" && refuses 1 "'a.db' counts time, but 'bad.db' ticks" compare a.db bad.db &&
    run 0 compare bad.db bad.db && has out 'takes 760 ticks' && run 0 compare --format csv bad.db bad.db && has out 'self_a,self_b'
result $? 'ticks are compared with ticks only'
import "$TRACETOOL_DATA/neutrino-cap" && run 0 compare "$db" "$db" && has err 'left out, whose times are ticks'
result $? 'of a run with both, time is'
status=0
for count in 0 -3 9223372036854775807; do
    damaged "UPDATE statistic_row SET count = $count" && refuses 1 'is damaged' compare a.db bad.db || status=1
done
result $status 'counts that cannot be'
status=0
for change in 'sum_ns = 9223372036854775807' 'sum_ns = -9223372036854775808, self_ns = sum_ns, total_ns = sum_ns' 'sum_sq_high = -1, sum_sq_low = -1' \
    'sum_sq_high = 0, sum_sq_low = 0' 'self_ns = 9223372036854775807' 'count = 1000000000000' 'total_ns = -1'; do
    damaged "UPDATE statistic_row SET $change" && run 0 compare --format json bad.db a.db &&
        python3 -c 'import json, sys; json.load(open(sys.argv[1]), parse_constant=lambda word: sys.exit(word))' "$scratch/out" &&
        run 0 compare --format json a.db bad.db && ! grep -qi 'nan\|inf"' out || { status=1; echo "# $change"; }
done
result $status 'sums that cannot be'
finish
