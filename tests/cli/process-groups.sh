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
numbered '' '' '' 8 9
import rank0.json rank1.json && calls 200,2,2,1,2 && ask 'SELECT max(ordinal) FROM collective' 2
result $? 'where a rank has none the k-th are'
numbered 7 8 8 8 8
import rank0.json rank1.json && calls 30,2,2,1,2 && ask 'SELECT count(*) FROM collective WHERE ordinal % 4294967296 = 8' 4
result $? 'of several with one number the k-th are'
numbered 7 -8 9 99999999999 9
import rank0.json rank1.json && calls 200,2,2,1,2
result $? 'numbers that are none do not count'
finish
