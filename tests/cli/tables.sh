#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Tables as people read them, of every command: units, what a narrow terminal shows, how many rows.
# shellcheck source=tests/cli/lib.sh
. "$SRCDIR/tests/cli/lib.sh"

span() { # NAME BEGIN DURATION : both in us
    printf '{"ph":"X","pid":1,"tid":1,"name":"%s","ts":%s,"dur":%s},\n' "$1" "$2" "$3"
}
trace() { # FILE : of the events on standard input
    { echo '['; cat; echo '{"ph":"X","pid":1,"tid":2,"name":"last","ts":0,"dur":500}]'; } >"$1"
}

# -- units ------------------------------------------------------------------------------------------------------------
# 1 ns, 1,234 ns, 12.345678 ms and 3 days; then times of which one unit shows all.
{
    span tick 0 0.001
    span short 1 1.234
    span long 10 12345.678
    span days 100000 259200000000
} | trace far.json
{ span one 0 1500.25; span two 2000 900.125; } | trace near.json
run 0 --db far.db import -q far.json && run 0 --db near.db import -q near.json &&
    run 0 --db far.db stats && has out 'Total' ' 259,200 s ' ' 12.35 ms ' ' 1.234 us ' '  1 ns ' && refute matches out 'Total ('
result $? 'each time in its own unit'
run 0 --db far.db stats --unit us && has out 'Total (us)' ' 259200000000.000 ' ' 1.234 ' ' 0.001 ' && run 0 --db far.db stats --unit s &&
    has out 'Total (s)' ' 259200.000 '
result $? 'a unit that is asked for'
run 0 --db near.db stats && has out 'Total (ms)' ' 1.500 ' ' 0.900 ' ' 0.500 ' && refute has out '1.500 ms'
result $? 'one unit for all times'
run 0 --db near.db stats --format markdown && has out '| Total (ms) |' '| 1.500 |' && run 0 --db far.db stats --format markdown &&
    has out '| 259,200 s |' '| 1 ns |'
result $? 'markdown likewise'
# When, in us: four digits of it would name no piece of a path.
run 0 --db tau.db import -q "$TRACETOOL_DATA/tau-mpi4" && run 0 --db tau.db critical-path --segments --top 5 && matches out '^Begin (us)  *Time ' &&
    matches out '^ *3,131.000  1.318 ms ' && run 0 --db tau.db critical-path --segments --top 5 --unit us && matches out '^ *3131.000   *1318.000 '
result $? 'when something begins, to the nanosecond'
for format in csv tsv json; do
    run 0 --db far.db stats --format $format && cp out default && run 0 --db far.db stats --unit us --format $format && same default out &&
        has out total_us 259200000000 12345.678 0.001 && run 0 --db far.db stats --unit auto --format $format && same default out
    result $? "$format is in us, with all digits"
done
# A time without a unit means us, whatever the table shows.
run 0 --db far.db stats --filter 'dur>1000' --format csv && cp out wanted && [ "$(wc -l <out)" -eq 3 ] &&
    run 0 --db far.db stats --unit auto --filter 'dur>1000' --format csv && same wanted out && run 0 --db far.db stats --filter 'dur>1000' && lines out 3
result $? 'filters are in us'
refuses 2 'auto, ns, us, ms, s' --db far.db stats --unit days && refuses 2 'ns, us, ms, s' --db far.db export --unit auto -o x.json
result $? 'units that there are not'

# -- narrow terminals --------------------------------------------------------------------------------------------------
# screen COLUMNS ARGUMENT... : out is what a terminal shows, without its line ends and colours
screen() {
    _columns=$1
    shift
    typed 0 COLUMNS="$_columns" "$@" && sed -i 's/\r//; s/\x1b\[[0-9]*m//g' out && filled out
}
# The rows of out and its header are no wider than this.
fits() {
    awk -v most="$1" '{ gsub(/…/, "."); if (length ($0) > most) { print "# " $0; bad = 1 } } END { exit bad || !NR }' out
}
kernel='void at::native::elementwise_kernel<4, at::native::%sFunctor<float, std::tuple<int, long> >, Array<char*, 3> >(int)'
{
    i=0
    for name in Add Sub Mul Div Max Min; do
        # shellcheck disable=SC2059
        span "$(printf "$kernel" $name)" $((i * 10)) 7
        i=$((i + 1))
    done
} | trace kernels.json
run 0 --db kernels.db import -q kernels.json
if has_terminals; then
    screen 80 --db far.db stats && fits 80 && has out 'not shown at 80 columns: ' 'StdDev, P95, P99; --wide shows all' && tail -n 1 out | grep -q '^not shown'
    result $? 'columns without room are named'
    screen 200 --db far.db stats && refute has out 'not shown' && has out ' P99 ' && screen 80 --db far.db stats --wide &&
        refute has out 'not shown' && has out ' P99 '
    result $? 'nothing is said where all are shown'
    run 0 --db far.db stats && refute has out 'not shown' && has out ' P99 '
    result $? 'all columns in a pipe'
    # What a narrow terminal leaves out and what it shows are all columns.
    run 0 --db far.db stats && head -n 1 out | tr -s ' ' '\n' | grep . | sort >wanted && screen 80 --db far.db stats &&
        { head -n 1 out && sed -n 's/^not shown at 80 columns: \(.*\); --wide shows all$/\1/p' out; } | tr -s ', ' '\n' | grep . | sort | same - wanted
    result $? 'no column vanishes'
    screen 80 --db far.db stats --sort p99 && sed 1q out | grep -q ' P99 ' && sed -n '$s/; --wide.*//p' out | grep -q StdDev && refute has out 'StdDev, P95, P99'
    result $? 'the column sorted by is shown'
    for columns in 40 60 80 120; do
        screen $columns --db kernels.db stats && { [ $columns -lt 60 ] || fits $columns; } && sed -n '/COMP.last/d; s/.* \(COM.*\)$/\1/p' out >names &&
            [ "$(wc -l <names)" -eq 6 ] && [ "$(sort -u names | wc -l)" -eq 6 ]
        result $? "names stay different at $columns columns"
    done
    screen 80 --db kernels.db stats && has out 'COMP.voi…' :AddF :SubF :MulF :DivF :MaxF :MinF '>(int)'
    result $? 'a cut name shows where it differs'
    run 0 --db kernels.db stats && has out "$(printf "$kernel" Add)" && run 0 --db kernels.db stats --format csv && has out "$(printf "$kernel" Add)"
    result $? 'no name is cut in a pipe'
    i=1
    for type in float double int; do
        span "void a_kernel_with_a_long_name<$type>(int)" $((i * 1000)) 700
        i=$((i + 1))
    done | trace alike.json
    screen 80 --db alike.db import alike.json && has out 'nt) 26.9 %' '…<flo…' '…<dou…' '…<int…' && run 0 --db alike2.db import alike.json &&
        has out 'a_kernel_with_a_long_name<float>(int) 26.9 %'
    result $? 'what an import tells of names'
    run 0 --db steps.db import -q "$TRACETOOL_DATA/job-2x1" && screen 80 --db steps.db steps --per rank && fits 80 && has out ' FW ' ' Comm ' 'not shown at 80 columns: Counted, StdDev, Min, Max'
    result $? 'steps of ranks at 80 columns'

    cp -r "$TRACETOOL_DATA/tau-mpi4" hole && chmod -R u+w hole && dd if=/dev/zero of=hole/tautrace.2.0.0.trc bs=24 seek=100 count=50 conv=notrunc 2>/dev/null
    run 0 --db hole.db import -q hole && screen 80 --db hole.db info --trust && fits 80 && sed 1q out | grep -q ' Lost ' && matches out ' record .* 50  '
    result $? 'a table of trust shows what is lost at 80 columns'
    {
        i=0
        for name in Add Sub Mul; do
            # shellcheck disable=SC2059
            span "$(printf "$kernel" $name)" $((i * 100)) 70
            i=$((i + 1))
        done
    } | trace slower.json
    run 0 --db slower.db import -q slower.json && typed 1 COLUMNS=80 compare --fail-above 5 kernels.db slower.db && has err '::A…' '::S…' '::M…' && cp err out && fits 80 &&
        [ "$(wc -l <err)" -le 24 ] && run 1 compare --fail-above 5 kernels.db slower.db && has err "$(printf "$kernel" Add)"
    result $? 'names of what got slower are cut on a terminal'

    # What every command shows and says of every kind of trace; a path may be longer than a line.
    narrow() { # STATUS ARGUMENT...
        _status=$1
        shift
        if typed "$_status" COLUMNS=80 "$@" && sed -i 's/\r//; s/\x1b\[[0-9]*m//g' out && cat err >>out && filled out &&
            awk '{ gsub (/…/, "."); if (length ($0) > 80 && $0 ~ /[^ ] +[^ ]/) { print "# " $0; bad = 1 } } END { exit bad || !NR }' out; then
            return 0
        fi
        echo "# of tracetool $*"
        return 1
    }
    all_narrow() { # TRACE
        narrow 0 --db narrow.db import --again "$TRACETOOL_DATA/$1" && narrow 0 --db narrow.db info && narrow 0 --db narrow.db info --names &&
            narrow 0 --db narrow.db info --trust || return 1
    }
    is_narrow=1
    for source in tau-mpi4 job-2x1 kineto/rank0.json kineto/amd.json nsys/train.sqlite nsys/ranks.sqlite rocprof/train.json chrome/every-kind.json \
        ctf-devices pi-run neutrino-new; do
        all_narrow "$source" || { is_narrow=; break; }
        for words in stats 'stats --by path' 'stats --per rank' 'stats --by nme:2' 'stats --filter name=zz' 'tree' comm 'comm --show groups' 'comm --matrix bytes' \
            steps breakdown 'breakdown --per step' 'breakdown --per stream' 'breakdown --show efficiency' imbalance 'imbalance --show collectives' waits \
            'waits --show causes' kernels 'kernels --show launches' 'kernels --show grids' 'kernels --show no_such_table:2' 'compare 1 1' params:any nccl:any \
            critical-path:any 'critical-path --segments:any' 'critical-path --show steps:any' 'critical-path --show kinds:any' 'critical-path --model:any' simulate:any 'depgraph -o g.dot' 'export -o e.json'; do
            sampled || continue
            status=0
            # shellcheck disable=SC2086
            case $words in *:2) status=2 ;; *:any) status=$(run 0 --db narrow.db ${words%:*} >/dev/null; echo "$got") ;; esac
            # shellcheck disable=SC2086
            narrow "$status" --db narrow.db ${words%:*} || { is_narrow=; break 2; }
        done
    done
    [ -n "$is_narrow" ]
    result $? 'no line of any command is wider than 80 columns, and none has nothing to say'
    run 0 --db far.db import -q --again "$TRACETOOL_DATA/tau-mpi4" && run 1 --db far.db simulate && lines err 1 && [ "$(wc -c <err)" -gt 100 ] &&
        typed 1 COLUMNS=80 --db far.db simulate && [ "$(wc -l <err)" -eq 2 ] && has err '  a job'
    result $? 'messages are whole lines in a pipe'
else
    skip 'narrow terminals' 'script is not here'
fi

# -- no rows ----------------------------------------------------------------------------------------------------------
# One line says so; programs have their header all the same, and a query its columns.
says_once() { # TEXT ARGUMENT... : and nothing else
    _text=$1
    shift
    run 0 "$@" && has err "$_text" && lines err 1 && [ ! -s out ]
}
says_once 'this run has no work on devices' --db near.db kernels && run 0 --db near.db kernels --format csv && lines out 1 && has out 'count,' &&
    run 0 --db near.db kernels --format markdown && has out '| ---' && run 0 --db near.db kernels --format json && has out '"kernels": []' &&
    says_once 'is in a step' --db near.db breakdown --per step && says_once 'no operation is on two ranks' --db near.db imbalance --show collectives &&
    says_once 'no message and no collective call' --db near.db comm --show groups &&
    says_once 'this run has no work on devices' --db near.db kernels --show collectives &&
    says_once 'this run has no calls of a runtime or driver' --db near.db kernels --show calls &&
    run 0 --db tau.db kernels --show calls && has out 'MPI_Init' && unsaid devices &&
    run 0 --db push.db import -q "$TRACETOOL_DATA/framework/byteps" && says_once 'no step has an iteration' --db push.db steps --per run &&
    says_once 'no wait for another rank, thread or device in this run' --db near.db waits &&
    says_once 'no wait for another rank in this run' --db near.db waits --show causes &&
    run 0 --db near.db query 'SELECT * FROM message' && has out src_pid && lines out 1
result $? 'a table without rows is the line that says so'
run 1 --db near.db query 'SELECT op_name FROM message' && has err 'no such column: op_name' && refute has err 'did you mean'
result $? 'no hint names what was typed'

# -- hundreds of ranks -------------------------------------------------------------------------------------------------
mkdir ranks
rank=0
while [ $rank -lt 256 ]; do
    {
        printf '{"ph":"M","name":"process_name","pid":%s,"args":{"name":"rank %s"}},\n' $rank $rank
        printf '{"ph":"X","pid":%s,"tid":1,"name":"MPI_Allreduce","ts":1,"dur":%s},\n' $rank $((300 - rank))
        printf '{"ph":"C","pid":%s,"name":"count %s","ts":1,"args":{"v":1}},\n' $rank $rank
        printf '{"ph":"M","name":"process_labels","pid":%s,"args":{"labels":"a"}},\n' $rank
    } | sed "s/\"tid\":1/\"tid\":$rank/" | trace ranks/$rank.json
    sed -i 's/^{"ph":"X","pid":1,"tid":2,.*/{"ph":"M","name":"x","pid":0}]/' ranks/$rank.json
    rank=$((rank + 1))
done
run 0 --db ranks.db import ranks/*.json && has out 'processes  256, '
result $? '256 ranks'
# Thirty rows, and how many there are besides.
few() { # ARGUMENT... : a table with a header
    run 0 --db ranks.db "$@" && has out 'and 226 more (' '--top 0 shows all)' && [ "$(wc -l <out)" -le 36 ] &&
        run 0 --db ranks.db "$@" --top 0 && refute matches out 'and [0-9,]* more' && [ "$(wc -l <out)" -ge 257 ] &&
        run 0 --db ranks.db "$@" --top 5 && has out 'and 251 more' && refute has out '--top 0' && [ "$(wc -l <out)" -le 11 ]
}
few stats --by pid && few stats --by tid && few comm --show ranks && few breakdown
result $? 'thirty rows of 256, in every table'
run 0 --db ranks.db comm --show ranks --format csv && lines out 257 && run 0 --db ranks.db comm --show ranks --format csv --top 7 && lines out 8
result $? 'all ranks in csv'
run 0 --db ranks.db info && [ "$(wc -l <out)" -le 120 ] && matches out '^source     and 226 more (--top 0 shows all)' &&
    matches out '^counter    and 226 more (--top 0 shows all)' && matches out '^           and 226 more (--top 0 shows all)' &&
    matches out '^processes  256, ' && [ "$(grep -c '^source.*json:' out)" -eq 30 ] && refute has out '\n'
result $? 'info of 256 ranks'
run 0 --db ranks.db info --top 0 && refute matches out 'and [0-9]* more' && [ "$(grep -c '^source' out)" -eq 256 ] && [ "$(grep -c '^counter' out)" -eq 256 ] &&
    has out '255' && run 0 --db ranks.db info --top 3 && matches out '^source     and 253 more$' && [ "$(grep -c '^source.*json:' out)" -eq 3 ]
result $? 'info with --top'
run 0 --db ranks.db info --format json && [ "$(grep -o '"path"' out | wc -l)" -ge 256 ]
result $? 'all sources in json'
run 0 --db ranks.db query 'SELECT pid FROM process' && [ "$(wc -l <out)" -eq 257 ] && run 0 --db ranks.db query --top 4 'SELECT pid FROM process' &&
    lines out 6 && has out 'and 252 more'
result $? 'query shows all in a pipe'
if has_terminals; then
    screen 80 --db ranks.db query "'SELECT pid FROM process'" && has out 'and 226 more (--top 0 shows all)' && lines out 32 &&
        screen 80 --db ranks.db query --top 0 "'SELECT pid FROM process'" && lines out 257
    result $? 'and thirty rows on a terminal'
    for columns in 80 120; do
        screen "$columns" --db ranks.db query "'SELECT * FROM event'" && refute has out '…' && has out "not shown at $columns columns: " &&
            python3 -c 'import sys; sys.exit(max(len(line.rstrip("\r\n")) for line in open("out")) > int(sys.argv[1]))' "$columns" || break
    done && screen 80 --db ranks.db query "'SELECT * FROM message'" && has out 'not shown at 80 columns: ' &&
        screen 80 --db ranks.db query --wide "'SELECT * FROM event'" && has out own_dur_ns && refute has out 'not shown' &&
        run 0 --db ranks.db query 'SELECT * FROM event' && has out own_dur_ns && refute has out 'not shown' &&
        screen 80 --db ranks.db query "'SELECT 1234567890123456789 AS a, 1234567890123456789 AS b, 1234567890123456789 AS c, NULL AS d, hex (zeroblob (40)) AS e'" &&
        has out '1234567890123456789  1234567890123456789  1234567890123456789' && has out 'd, e; --wide'
    result $? 'all columns of a query on a terminal: those without room are named, no number is cut'
    screen 80 --db ranks.db info && sed '/^source/q' out >begin && grep -q '…' begin && [ "$(wc -c <begin)" -lt 500 ] && fits 80 && run 0 --db ranks.db info && sed -n 2p out | grep -q ranks/128.json
    result $? 'a command of 256 files is cut on a terminal'
else
    skip 'query and info on a terminal' 'script is not here'
fi
for run in $(seq 2 33); do run 0 --db runs.db import -q --again near.json || break; done
run 0 --db runs.db info && has out 'and 2 more (earlier runs; --top 0 shows all)' && refute matches out '^ *2  20' && matches out '^ *32  20' &&
    run 0 --db runs.db info --top 0 && refute has out 'earlier runs' && matches out '^ *2  20'
result $? 'the latest runs'
run 0 --db kernels.db info --names --top 2 && lines out 4 && has out 'and 5 more' && run 0 --db kernels.db info --names && lines out 8
result $? 'names with --top'
run 0 --db job.db import -q "$TRACETOOL_DATA/job-2x1" && run 0 --db job.db nccl --show rings --top 1 && lines out 4 && has out 'and 1 more' &&
    refuses 2 "'--top' must not be negative" --db job.db nccl --top -3
result $? 'rings with --top'

printf '[]' >nothing.json
status=0
run 0 import --db nothing.db -q --format standard nothing.json || status=1
for command in 'info --names' 'info --trust' stats comm steps tree breakdown imbalance waits kernels; do
    # shellcheck disable=SC2086
    run 0 --db nothing.db $command && [ ! -s out ] && [ "$(wc -l <err)" -eq 1 ] && has err 'tracetool: ' || { status=1 && echo "# $command"; }
done
[ $status -eq 0 ]
result $? 'a run without anything: each table says so in a line'
finish
