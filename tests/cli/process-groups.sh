#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Process groups of PyTorch: a name that several groups have, and the numbers of their calls (Seq). Times by hand.
# shellcheck source=tests/cli/lib.sh
. "$SRCDIR/tests/cli/lib.sh"

kernel() { # GROUP RANKS BEGIN END [SEQ] : in us
    printf ',{"ph":"X","cat":"kernel","name":"ncclDevKernel_AllReduce(x)","pid":0,"tid":20,"ts":%s,"dur":%s,"args":{"Collective name":"allreduce","Process Group Name":"%s","Process Group Ranks":"%s"%s}}\n' \
        "$3" $(($4 - $3)) "$1" "$2" "${5:+,\"Seq\":$5}"
}
rank() { # NUMBER : the file of a rank, of the kernels on standard input
    {
        printf '{"schemaVersion":1,"distributedInfo":{"rank":%s},"traceEvents":[{"ph":"X","cat":"cpu_op","name":"aten::mm","pid":9,"tid":9,"ts":10,"dur":5}\n' "$1"
        cat
        echo ']}'
    } >rank"$1".json
}
calls() { # ROW... : paid, calls, ranks, latest, its times of each function and group
    run 0 imbalance --show collectives --format csv && sed 1d "$scratch/out" | cut -d, -f1-3,9,10 | sort >rows &&
        printf '%s\n' "$@" | sort | same - rows
}
# The sum of what is paid in calls whose parts are at BEGIN: ranks 0 and 1 differ by 30 us, ranks 2 and 3 by 7, all by 100.
many() {
    for r in 0 1 2 3; do
        case $r in 0) two='[0, 1]' at=100 all=300 ;; 1) two='[0, 1]' at=130 all=310 ;; 2) two='[2, 3]' at=500 all=400 ;; *) two='[2, 3]' at=507 all=320 ;; esac
        {
            kernel 0 '[0, 1, 2, 3]' $all 450
            kernel 1 "$two" $at 600
        } | rank $r
    done
}
many
import rank0.json rank1.json rank2.json rank3.json
calls 270,1,4,2,1 30,1,2,1,1 7,1,2,3,1
result $? 'groups of one name and other ranks meet apart'
ask 'SELECT count(DISTINCT comm), min(comm), max(comm) < 2147483648 FROM collective' 3,0,1
result $? 'each has a number, a group whose name is its own that of its name'
run 0 comm --show groups --format csv && [ "$(column calls out | paste -sd ' ')" = '1 1 1' ]
result $? 'as many as comm shows'
import rank3.json
for r in 1 0 2; do run 0 import --add rank$r.json || break; done
calls 270,1,4,2,1 30,1,2,1,1 7,1,2,3,1
result $? 'also where files come one after the other'
run 0 export --chrome -o again.json && import again.json && calls 270,1,4,2,1 30,1,2,1,1 7,1,2,3,1
result $? 'and from an export'
sed -i 's/\[2, 3\]/[0, 1]/' rank2.json rank3.json && import rank0.json rank1.json rank2.json rank3.json &&
    ask 'SELECT DISTINCT comm FROM collective ORDER BY comm' 0 1 && calls 270,1,4,2,1 791,1,4,3,1
result $? 'equal ranks are one group, of which the name is the number'
for r in 0 1; do kernel 1 "[$r]" $((100 + 30 * r)) 200 | rank $r; done
import rank0.json rank1.json && run 0 imbalance --show collectives --format csv &&
    has err 'no collective is called by two ranks: 2 calls of one rank only are left out'
result $? 'groups of one rank meet nobody'

# -- Seq: rank 1 began to record after its first call -------------------------------------------------------------------
numbered() { # SEQ... : of ranks 0 and 1; empty: without
    {
        kernel 0 '[0, 1]' 100 200 "$1"
        kernel 0 '[0, 1]' 300 400 "$2"
        kernel 0 '[0, 1]' 500 600 "$3"
    } | rank 0
    {
        kernel 0 '[0, 1]' 310 400 "$4"
        kernel 0 '[0, 1]' 520 600 "$5"
    } | rank 1
}
numbered 7 8 9 8 9
import rank0.json rank1.json
calls 30,2,2,1,2 && run 0 imbalance --format json && has out '"impossible_calls": 0' '"calls_of_one_rank": 1'
result $? 'calls of one number are together'
ask 'SELECT ordinal, count(*) FROM collective GROUP BY ordinal' 7,1 8,2 9,2
result $? 'and it is their ordinal'
import rank1.json && run 0 import --add rank0.json && calls 30,2,2,1,2
result $? 'also where files come one after the other'
run 0 export --chrome -o again.json && import again.json && calls 30,2,2,1,2 && ask 'SELECT ordinal, count(*) FROM collective GROUP BY ordinal' 7,1 8,2 9,2
result $? 'and from an export'
numbered '' '' '' 8 9
import rank0.json rank1.json && calls 200,2,2,1,2 && ask 'SELECT max(ordinal) FROM collective' 2
result $? 'where a rank has none the k-th are'
numbered 7 8 8 8 8
import rank0.json rank1.json && calls 30,2,2,1,2 && ask 'SELECT count(*) FROM collective WHERE ordinal % 4294967296 = 8' 4
result $? 'of several with one number the k-th are'
numbered 7 -8 9 99999999999 9
import rank0.json rank1.json && calls 200,2,2,1,2
result $? 'numbers that are none do not count'

# -- roots -----------------------------------------------------------------------------------------------------------------
# By the program's own clock: each of three ranks is the root in turn, and each is late.
recorded=$TRACETOOL_DATA/recorded/torch-2.14.1-roots
if command -v python3 >/dev/null; then
    import "$recorded".rank?.json.gz
    python3 "$SRCDIR/tests/oracles/torch-roots.py" "$recorded.tsv" roots >wanted && run 0 query --format csv --top 0 \
        "SELECT function, ordinal, p.rank FROM collective c JOIN process p ON p.pid = c.root GROUP BY 1, 2, 3 ORDER BY 1, 2" &&
        sed 1d out >found && [ "$(wc -l <wanted)" -eq 36 ] && same wanted found
    result $? 'gloo: the operators on the host tell the roots'
    run 0 export --chrome -o back.json && run 0 convert "$recorded".rank?.json.gz straight.json && cmp back.json straight.json &&
        import back.json && run 0 query --format csv --top 0 \
        "SELECT function, ordinal, p.rank FROM collective c JOIN process p ON p.pid = c.root GROUP BY 1, 2, 3 ORDER BY 1, 2" &&
        sed 1d out >found && same wanted found && ask 'SELECT count(*) FROM collective WHERE root IS NOT NULL' 108
    result $? 'they come back from an export'
    import "$recorded".rank?.json.gz
    python3 "$SRCDIR/tests/oracles/torch-roots.py" "$recorded.tsv" paid >wanted && run 0 imbalance --show collectives --unit ns --format csv &&
        awk -F, 'NR == FNR { truth[$1] = $2; next } $14 in truth { n++; off = $1 / truth[$14] - 1; print "# " $14, 100 * off " %"
            bad += off > 0.01 || off < -0.01 } END { exit n != 4 || bad }' wanted out &&
        run 0 waits --format csv && awk -F, '/gloo:(broadcast|scatter|reduce|gather)/ { n++; bad += $NF > 0 } END { exit n != 4 || bad }' out
    result $? 'what is paid for roots is what the program measured; nothing is inferred'
else
    skip 'gloo: the operators on the host tell the roots' 'python3 is not here'
fi

span() { # CAT NAME TID BEGIN END [ARGS] : in us
    printf ',{"ph":"X","cat":"%s","name":"%s","pid":9,"tid":%s,"ts":%s,"dur":%s,"args":{%s}}\n' "$1" "$2" "$3" "$4" $(($5 - $4)) "${6-}"
}
broadcast() { # ROOT ASKED BEGIN END
    span cpu_op c10d::broadcast_ 9 "$2" $(($2 + 1)) "\"Concrete Inputs\":[\"\",\"\",\"$1\",\"0\",\"False\",\"-1\"]"
    span user_annotation gloo:broadcast 7 "$3" "$4"
}
member() { # NUMBER GROUPS : the file of a rank that is in them, of the spans on standard input
    {
        printf '{"schemaVersion":1,"distributedInfo":{"rank":%s,"pg_config":[%s]},"traceEvents":[{"ph":"X","cat":"cpu_op","name":"aten::mm","pid":9,"tid":9,"ts":10,"dur":5}\n' "$1" "$2"
        cat
        echo ']}'
    } >rank"$1".json
}
roots() { # OPTION... : of each call, x where it is not known
    ask "SELECT group_concat(root, ' ') FROM (SELECT coalesce(max(p.rank), 'x') root FROM collective c LEFT JOIN process p ON p.pid = c.root
         GROUP BY c.ordinal, c.comm ORDER BY c.ordinal)" "$*"
}
both='{"ranks":[1,0]}'
for r in 0 1; do { broadcast 0 100 110 150 && broadcast 1 200 210 250; } | member $r "$both"; done
import rank0.json rank1.json && unsaid 'gloo do not say' && roots 1 0
result $? 'the root is a number in the group'
# A call that was asked for before the profiler began.
for r in 0 1; do { span user_annotation gloo:broadcast 7 20 30 && broadcast 0 100 110 150; } | member $r "$both"; done
import rank0.json rank1.json && roots x 1
result $? 'a call of before tells no root'
for r in 0 1; do { broadcast 0 100 110 150 && broadcast 0 200 210 250 && span user_annotation gloo:broadcast 7 260 270; } | member $r "$both"; done
import rank0.json rank1.json && roots x x x
result $? 'nor do calls of which one was asked for by nobody'
for r in 0 1; do { broadcast 0 100 110 150 && broadcast 2 200 210 250; } | member $r '{"ranks":[0,1,2]},{"ranks":[1,0]}'; done
import rank0.json rank1.json && [ "$(grep -c 'calls of gloo do not say of which process group' err)" -eq 1 ] && roots x x
result $? 'where it may be another of each group it is not known; several groups are told once'
kernel_of() { # RANK-OF-GROUP NAME
    printf ',{"ph":"X","cat":"kernel","name":"ncclDevKernel_%s(x)","pid":0,"tid":20,"ts":%s,"dur":40,"args":{"Collective name":"%s","Process Group Name":"0","Process Group Ranks":"[1, 0]","Rank":%s}}\n' \
        "$2" "$4" "$3" "$1"
}
for r in 0 1; do { kernel_of 0 Broadcast_RING broadcast 100 && kernel_of 1 Broadcast_RING _broadcast_oop 200; } | rank $r; done
import rank0.json rank1.json && roots 1 0
result $? 'NCCL: Rank of the kernel is a number in the group'
for r in 0 1; do { kernel_of 0 AllReduce_RING allreduce 100 && kernel_of 1 AllReduce_RING allreduce 200; } | rank $r; done
import rank0.json rank1.json && roots x x
result $? 'and no root where all meet'
finish
