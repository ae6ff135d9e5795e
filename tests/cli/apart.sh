#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Traces that lie too far apart to be of one run get a word; ranks of one job do not.
# shellcheck source=tests/cli/lib.sh
. "$SRCDIR/tests/cli/lib.sh"
apart='hardly traces of one run'

trace() { # FILE RANK BEGIN LENGTH : both in seconds
    printf '{"schemaVersion":1,"distributedInfo":{"rank":%s},"traceEvents":[{"ph":"X","cat":"cpu_op","name":"aten::mm",' "$2" >"$1"
    printf '"pid":9,"tid":9,"ts":%s000000,"dur":%s000,"args":{}}]}\n' "$((1700000000 + $3))" "$(($4 * 1000))" >>"$1"
}
pair() { # BEGIN LENGTH : the second trace; the first is of one second
    trace a.json 0 0 1
    trace b.json 1 "$1" "$2"
    import a.json b.json && has out '2 traces'
}
pair 30 1 && unsaid "$apart"
result $? 'ranks that start half a minute apart'
pair 3600 1 && unsaid "$apart" && run 0 --db "$db" info && has out 'b.json' && refute has out apart
result $? 'nothing for 3,599 s is not enough'
pair 3601 1 && has err "'b.json' begins 60 minutes after the end of 'a.json': $apart; 'tracetool import' each by itself" "'tracetool compare'" &&
    lines err 1
result $? 'an hour is'
run 0 --db "$db" info && has out "apart      'b.json' begins 60 minutes after" "$apart"
result $? 'info repeats it'
run 0 --db "$db" info --format json && has out '"apart":{"before":"a.json","after":"b.json","gap_ns":3600000000000,"node_before":null,"node_after":null}'
result $? 'and so does its JSON'
pair 4000 401 && unsaid "$apart"
result $? 'a gap less than ten times as long as the longest'
pair 4000 399 && has err 'begins 66 minutes after'
result $? 'a gap that is longer'
pair $((57 * 1000 * 1000)) 10 && has err 'begins 659 days after'
result $? 'days'

# A third trace over the gap closes it; of several gaps the widest is told.
trace b.json 1 4000 1
trace c.json 2 0 4000
import a.json b.json && has err "$apart" && import a.json b.json c.json && unsaid "$apart"
result $? 'a trace that lasts the whole time'
trace b.json 1 57000000 1
trace c.json 2 10000000 1
import c.json a.json b.json && has err "'b.json' begins 543 days after the end of 'c.json'" && lines err 1
result $? 'the widest gap'
import a.json && run 0 --db "$db" import b.json && unsaid "$apart" && run 0 --db "$db" info --run all --format json && refute has out '"apart"'
result $? 'two runs are apart anyway'
import a.json && run 0 --db "$db" import --add b.json && has err "$apart"
result $? 'import --add'
import --quiet a.json b.json && has err "$apart"
result $? '--quiet is about progress'
run 0 stats a.json b.json && has err "$apart"
result $? 'traces that are read by path'

# -- machines --------------------------------------------------------------------------------------------------
machines() { # SECONDS HOST : the same program, so much later on that machine
    sed "s/682678/$((682678 + $1))/g; s/\"node7\"/\"$2\"/; s/4711/4712/g" "$TRACETOOL_DATA/rocprof/train.json" >later.json
    import "$TRACETOOL_DATA/rocprof/train.json" later.json && has out '2 traces'
}
machines 300 node7 && unsaid "$apart"
result $? 'five minutes on one machine'
machines 20 node8 && unsaid "$apart"
result $? 'machines that start 20 s apart'
machines 300 node8 && has err "'later.json' begins 4 minutes after" "on another machine ('node8', not 'node7')" "$apart"
result $? 'machines that never work at one time'

# -- what belongs together -------------------------------------------------------------------------------------
for trace in tau-mpi4 job-2x1 ctf-hosts ctf-devices pi-run nsys/ranks.sqlite collectives; do
    import "$TRACETOOL_DATA/$trace" && unsaid "$apart"
    result $? "$trace"
done
import "$TRACETOOL_DATA/kineto/rank0.json" "$TRACETOOL_DATA/kineto/rank1.json" && unsaid "$apart"
result $? 'two ranks of PyTorch'
# TAU writes one file for each thread of a run: two of them, one after the other, are of two runs.
if command -v python3 >/dev/null; then
    rm -rf later && cp -r "$TRACETOOL_DATA/tau-mpi4" later && chmod -R u+w later && python3 -c '
import glob, struct
record = struct.Struct("<iHHqQ")
for name in glob.glob("later/*.trc"):
    rows = record.iter_unpack(open(name, "rb").read())
    data = b"".join(record.pack(*row[:4], row[4] + 2000000) for row in rows)
    open(name, "wb").write(data)' && import "$TRACETOOL_DATA/tau-mpi4" later &&
        has err "'later/tautrace.0.0.0.trc' begins 1.9" ' s after' "after the end of '$TRACETOOL_DATA/tau-mpi4/tautrace." "$apart"
    result $? 'a rank of TAU that has two files'
    rm -f later/tautrace.[01].0.0.trc later/events.[01].edf && mkdir -p early && cp "$TRACETOOL_DATA"/tau-mpi4/tautrace.[01].0.0.trc \
        "$TRACETOOL_DATA"/tau-mpi4/events.[01].edf early && import early later && unsaid "$apart"
    result $? 'other ranks may come two seconds later'

    # Ranks that call others which begin later: no clock of one machine does that, and of several none by a minute.
    stale() { # SECONDS : ranks 2 and 3 so much earlier, all on one machine
        rm -rf stale && mkdir stale && cp "$TRACETOOL_DATA"/tau-mpi4/*.trc "$TRACETOOL_DATA"/tau-mpi4/*.edf stale &&
            python3 -c '
import struct, sys
record = struct.Struct("<iHHqQ")
for name in ("stale/tautrace.2.0.0.trc", "stale/tautrace.3.0.0.trc"):
    data = open(name, "rb").read()
    open(name, "wb").write(b"".join(record.pack(*r[:4], r[4] - int(sys.argv[1]) * 1000000) for r in record.iter_unpack(data)))' "$1"
    }
    stale 59 && import stale && unsaid "$apart"
    result $? 'ranks of other machines a minute earlier may have other clocks'
    stale 61 && import stale && has err "2 of 4 ranks end 1 minute before the others begin, which yet they call: $apart; of the earlier: 'stale/tautrace.2.0.0.trc', 'stale/tautrace.3.0.0.trc'"
    result $? 'more than a minute is no clock'
    stale 2 && sed -i 's/cn000[0-9]/cn0000/' stale/*.edf && import stale &&
        has err "2 of 4 ranks end 1.98 s before the others begin on one machine ('cn0000'), which yet they call: $apart"
    result $? 'ranks of an earlier run on one machine'
    run 0 --db "$db" info --trust --format csv && sed -n 's/.*,file,.*,1,//p' out >files && same - files <<'LIST'
stale/tautrace.2.0.0.trc
stale/tautrace.3.0.0.trc
LIST
    result $? 'trust has their files as doubtful'
    run 0 --db "$db" info --format json && has out '"ranks_before":2,"ranks_after":2'
    result $? 'their numbers in JSON'

    # Of CTF, whose two machines say that they are one: with processes of two numbers, and of one.
    one_host() { # SECONDS PID : the second so much later, its process of that number
        rm -rf hosts && cp -r "$TRACETOOL_DATA/ctf-hosts" hosts && chmod -R u+w hosts &&
            python3 -c '
import glob, struct, sys
for name in glob.glob("hosts/node1/ust/uid/1000/64-bit/*"):
    data = open(name, "rb").read().replace(b"node1", b"node0")
    data = data.replace(b"offset_s = 1700000000", b"offset_s = %d" % (1700000000 + int(sys.argv[1])))
    if not name.endswith("metadata"):
        data = data.replace(struct.pack("<I", 4242), struct.pack("<I", int(sys.argv[2])))
    open(name, "wb").write(data)' "$1" "$2" && import hosts
    }
    one_host 20 4243 && has err "1 of 2 ranks end 20 s before the others begin on one machine ('node0'), which yet they call: $apart; of the earlier: '4242'"
    result $? 'ranks of CTF on one machine, 20 s apart'
    one_host 20 4242 && has err "process 4242 of host 'node0' has MPI rank 0 in one trace and 1 in another" &&
        ask "SELECT repairs ->> '$.other_rank.count' FROM source" 1 && ask "SELECT doubtful FROM trust WHERE kind = 'record'" 1 &&
        import hosts/node0 && run 0 --db "$db" import hosts/node1 && unsaid 'MPI rank' &&
        ask "SELECT run, rank, count(*) FROM process GROUP BY 1, 2" 1,0,1 1,1,1 2,0,1 2,1,1
    result $? 'and of one number: told, and each by itself is a run'

    # Two runs at one time: both have a rank of their own with one number, though no thread.
    rm -rf one two && mkdir one two && cp "$TRACETOOL_DATA"/tau-mpi4/*.trc "$TRACETOOL_DATA"/tau-mpi4/*.edf one &&
        cp one/events.0.edf two && cp one/tautrace.0.0.0.trc two/tautrace.0.0.7.trc && python3 -c '
import struct
record, name = struct.Struct("<iHHqQ"), "two/tautrace.0.0.7.trc"
rows = record.iter_unpack(open(name, "rb").read())
open(name, "wb").write(b"".join(record.pack(r[0], r[1], 7, *r[3:]) for r in rows))' &&
        import one two && has err "'one' and 'two' both have node0: hardly traces of one run" "$apart"
    result $? 'a rank of TAU in two folders at one time'
    run 0 --db "$db" info --format json && has out '"process_of_both":"node0"'
    result $? 'its JSON'
    rm -rf two && mkdir two && mv one/tautrace.[23].0.0.trc one/events.[23].edf two && import one two && unsaid "$apart" &&
        import one && run 0 --db "$db" import --add two && unsaid "$apart"
    result $? 'ranks of a run in two folders'
    # Of another program, whose messages have tags of their own.
    python3 -c '
import glob, struct
record = struct.Struct("<iHHqQ")
for name in glob.glob("two/*.trc"):
    rows = record.iter_unpack(open(name, "rb").read())
    data = b"".join(record.pack(*r[:3], r[3] ^ (0x55 << 16 if r[0] in (60007, 60008) else 0), r[4]) for r in rows)
    open(name, "wb").write(data)' && import one two && has err 'messages for each other of which none arrives' "$apart"
    result $? 'ranks of two runs, whose messages never meet'
    sed 's/"world_size": 2/"world_size": 4/' "$TRACETOOL_DATA/kineto/rank1.json" >four.json && import "$TRACETOOL_DATA/kineto/rank0.json" four.json &&
        has err 'are of worlds of 2 and of 4 ranks' "$apart"
    result $? 'sizes of the world that differ'
else
    skip 'a rank of TAU that has two files' 'no python3'
    skip 'other ranks may come two seconds later' 'no python3'
    skip 'ranks of an earlier run' 'no python3'
    skip 'ranks of CTF on one machine' 'no python3'
    skip 'two runs at one time' 'no python3'
fi
finish
