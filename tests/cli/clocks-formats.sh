#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Wrong clocks in archives of OTF2, in CTF of several hosts and in recordings of PI. The judge simulates the program, knows
# its waits, what delays cost and the path, and writes the traces by wrong clocks; it knows nothing of this program.
# shellcheck source=tests/cli/lib.sh
. "$SRCDIR/tests/cli/lib.sh"
python=python3
python3 -c 'import otf2' 2>/dev/null || python=/usr/bin/python3
has_otf2=$("$python" -c 'import otf2; print("yes")' 2>/dev/null)

simulated() { # FORMAT SCENARIO ARGUMENT... : a database of it, and truth.json
    rm -rf sim
    _format=$1
    shift
    "$python" "$SRCDIR/tests/oracles/mpi_simulator.py" "$@" --format "$_format" --seed 3 -o sim && filled sim/truth.json &&
        mv sim/truth.json truth.json && import -q sim
}
same_answers() { # PERCENT [TOLD]
    run 0 waits --by rank,kind --format csv --unit ns --top 0 && cp out now.waits &&
        run 0 waits --show causes --format csv --unit ns --top 0 && cp out now.causes &&
        run 0 critical-path --format json --unit ns --top 0 && cp out now.path &&
        "$python" "$SRCDIR/tests/oracles/simulated_answers.py" truth.json now "$@" >judged
    _status=$?
    sed 's/^/# /' judged
    return $_status
}
# Waits and costs are wrong by no more than is told beside them.
within_told() {
    run 0 waits && has out 'clocks: known to ' && cp out told && same_answers 0 told
}
untouched() {
    ask 'SELECT count(*) > 0, sum(ts_ns IS NOT own_ts_ns OR dur_ns IS NOT own_dur_ns) FROM event' 1,0
}
has_bounds() { # NUMBER
    run 0 info && has out "of $1 receives and ends of collectives"
}

for format in ctf otf2; do
    if [ $format = otf2 ] && [ "$has_otf2" != yes ]; then
        skip 'archives of OTF2' 'python3-otf2 is not here'
        continue
    fi
    for scenario in propagated late-broadcast; do
        simulated $format $scenario --ranks 8 --operations 60 && untouched && same_answers 0.01
        result $? "$format, $scenario: clocks that agree are left alone"
        simulated $format $scenario --ranks 8 --operations 60 --skew 10ms --drift 50 && same_answers 2
        result $? "$format, $scenario: waits, causes and path by clocks that are wrong by 10 ms and 50 ppm"
    done
    for case in 'nxn 1us' 'barrier 10ms' 'wrong-order 1us'; do
        sampled || continue
        # shellcheck disable=SC2086
        set -- $case
        simulated $format "$1" --ranks 8 --operations 60 --skew "$2" && same_answers 2
        result $? "$format, $1: by clocks that are wrong by $2"
    done
done
# Where no communicator is named, calls of a few ranks each are no evidence that clocks differ, however few they are.
for case in 'ctf grid 30' 'ctf grid 12' 'tau grid 30' 'ctf halves 12' 'ctf random 30'; do
    sampled || continue
    # shellcheck disable=SC2086
    set -- $case
    simulated "$1" "$2" --ranks 6 --operations "$3" && untouched
    result $? "$1, $2, $3 operations: clocks that agree are left alone"
done
simulated ctf grid --ranks 6 --operations 30 --skew 20us && within_told
result $? 'ctf, rows and columns by clocks that are wrong by 20 us, within what is told'
# A chain of messages one way, but ranks of one host have one clock.
simulated ctf chain --ranks 9 --operations 60 --hosts 2 --skew 10ms --drift 50 && same_answers 2
result $? 'ctf, chain over two hosts'
# Each rank is told by the root of a broadcast, or tells the root of a reduction; roots are those of the calls.
simulated ctf early-reduce --ranks 4 --operations 20 --skew 10ms && "$python" - <<'END' >wanted && filled wanted &&
import collections, json
n = collections.Counter()
for call in json.load(open("truth.json"))["collectives"]:
    n["MPI_" + call["kind"].capitalize(), f'cn{call["root"]:04}.{4000 + call["root"]}'] += len(call["spans"])
print("\n".join(f"{function},{root},{count}" for (function, root), count in sorted(n.items())))
END
    run 0 query --format csv 'SELECT function, root, count(*) FROM collective GROUP BY 1, 2' && tail -n +2 out >found && same wanted found
result $? 'ctf: roots'
has_bounds "$(python3 -c 'import json; print(sum(len(c["spans"]) - 1 for c in json.load(open("truth.json"))["collectives"]))')"
result $? 'ctf: and their bounds'
within_told
result $? 'ctf: early reduces by clocks that are wrong by 10 ms, within what is told'
# Messages go one way only between any two ranks, but round.
simulated ctf ring --ranks 4 --operations 15 --skew 1us && run 0 info --format json && cp out json && run 0 info && cp out text && within_told &&
    python3 "$SRCDIR/tests/oracles/clock_bounds.py" "$db" json text >judged && python3 "$SRCDIR/tests/oracles/clock_bounds.py" "$db" json told >judged
result $? 'ctf: a ring tells how far any two clocks may differ'
# By clocks that were corrected, too: each message is left as much room as any can be.
for skew in '20us' '10ms --drift 50'; do
    # shellcheck disable=SC2086
    simulated ctf ring --ranks 8 --operations 100 --skew $skew && within_told && same_answers 2
    result $? "ctf: a ring tells how far clocks may differ that were wrong by $skew"
done
# Which of several waits had a message is not told; the time of MPI_Irecv, before it was sent, would move clocks that agree.
cat >irecv.py <<'END'
import sys
sys.path.insert(0, sys.argv[1] + "/tests/oracles")
from mpi_simulator import clocks, ctf, engine
programs = [[], []]
for i in range(10):
    for rank, program in enumerate(programs):
        program += [("irecv", name, 1 - rank, tag) for tag, name in enumerate("ab")] + [("compute", "solve", 20000 + 7000 * rank)]
        program += [("isend", name, 1 - rank, tag, 8) for tag, name in enumerate("cd")] + [("compute", "solve", 3000 * i)]
        program += [("wait", name) for name in "abcd"]
for program in programs:
    program += [("irecv", "e", 1 - programs.index(program), 9), ("compute", "solve", 9000), ("send", 1 - programs.index(program), 9, 8), ("barrier", 0, 0)]
run = engine.Run(programs, [[0, 1]], engine.Network(1))
ctf.write(run, [clocks.Clock() for _ in programs], 1, "irecv", [], None)
END
rm -rf irecv && "$python" irecv.py "$SRCDIR" && import -q irecv && untouched && ask 'SELECT count(*), sum (recv_ns < send_ns) FROM message' 42,0
result $? 'ctf: receives that one of several waits had, or none, move no clock'
# Of a part of the ranks PInsight tells neither communicator nor whose rank the root is.
cat >some.py <<'END'
import sys
sys.path.insert(0, sys.argv[1] + "/tests/oracles")
from mpi_simulator import clocks, ctf, engine
programs = [[("compute", "solve", 20000 * (1 + rank)), ("allreduce", 0, 8), ("compute", "solve", 9000 * (1 + rank))] +
            [("bcast", 1, 8, 4)] * (rank % 2 == 0) for rank in range(6)]
run = engine.Run(programs, [list(range(6)), [0, 2, 4]], engine.Network(1))
ctf.write(run, [clocks.Clock() for _ in programs], 1, "some", [], None)
END
rm -rf some && python3 some.py "$SRCDIR" && import -q some && run 0 waits --by rank,kind,cause --format csv --unit ns --top 0 &&
    cp out waits && [ "$(sed -n 's/.*,\(.\),late broadcast,/\1 /p' waits | cut -d, -f1 | tr '\n' ';')" = '0 4;2 4;' ]
result $? 'ctf: the third of three ranks is not rank 2'
if [ "$has_otf2" = yes ]; then
    simulated otf2 nonblocking --ranks 8 --operations 40 &&
        has_bounds "$(python3 -c 'import json; t = json.load(open("truth.json")); print(t["n_messages"] + 8 * len(t["collectives"]))')" && untouched && same_answers 0.01
    result $? 'otf2: ends of collectives that return at once are bounds'
    simulated otf2 nonblocking-roots --ranks 8 --operations 40 &&
        has_bounds "$(python3 -c 'import json; print(7 * len(json.load(open("truth.json"))["collectives"]))')" && untouched && same_answers 0.01
    result $? 'otf2: with roots, too, by which only the root and another have met'
    simulated otf2 nonblocking --ranks 8 --operations 40 --skew 20us && within_told
    result $? 'otf2: what returned at once by clocks that are wrong by 20 us, within what is told'
    # Bounds leave 21 to 57 us open, or half of the ranks on one side; the ends of waits for it lie together.
    for case in 'nonblocking 20us' 'nonblocking-roots 20us' 'nonblocking-roots 10ms drift'; do
        sampled || continue
        # shellcheck disable=SC2086
        set -- $case
        simulated otf2 "$1" --ranks 8 --operations 100 --skew "$2" ${3:+--drift 50} && within_told && same_answers 2
        result $? "otf2, $case: the ends of what returned at once are of one moment"
    done
fi
simulated tau nonblocking --ranks 8 --operations 100 --skew 20us && within_told && same_answers 2
result $? 'tau: the ends of what returned at once are of one moment'

# Each broadcast of 10 ms apart seems to be over before it begins: that no wait is left is no answer.
simulated tau late-broadcast --ranks 6 --operations 30 --skew 10ms && run 0 info && has out 'not compared: no message or collective' &&
    run 0 waits && has out 'clocks: it is not known how far they differ,' '  and waits for other ranks may be hidden' &&
    run 0 waits --show causes && has out 'clocks: it is not known how far they differ,' &&
    run 0 critical-path && has out 'clocks: it is not known how far they differ,' '  and the path may go by other ranks'
result $? 'tau: where nothing tells of clocks this is said, though no wait is found'
# Programs side by side that are no ranks wait for nobody.
printf '[%s,%s]' '{"ph":"X","pid":1,"tid":1,"ts":0,"dur":5,"name":"a"}' '{"ph":"X","pid":2,"tid":1,"ts":2,"dur":9,"name":"b"}' >two.json
import -q two.json && run 0 info && has out 'not compared: no message or collective' && run 0 waits && has err 'no wait' &&
    [ ! -s out ] && run 0 critical-path && has out COMP.b && refute has out clocks:
result $? 'chrome: of processes that are no ranks it is not'

# Whatever order their files are read in.
simulated tau nxn --ranks 12 --operations 6 --skew 10ms && run 0 info && grep -oE '^ +node[0-9]+ [+-]' out | grep -oE '[0-9]+' >ranks && filled ranks && sort -n ranks | cmp -s - ranks
result $? 'clocks in the order of ranks'

# -- PI ------------------------------------------------------------------------------------------------------------------
mkdir several && cp -r "$TRACETOOL_DATA/pi-g1" several/a && cp -r "$TRACETOOL_DATA/pi-g2" several/b && import several &&
    ask 'SELECT pid, count(*) FROM event GROUP BY 1' 0,59 1,58 && untouched && run 0 info &&
    has out 'not compared: no message or collective ties the processes'
result $? 'pi: two recordings are two processes, nothing tells of their clocks, and that is said'
finish
