#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# TAU traces with holes, missing bytes and flipped bits: what is left is right, and what is wrong is said.
# shellcheck source=tests/cli/lib.sh
. "$SRCDIR/tests/cli/lib.sh"
data=$TRACETOOL_DATA

if ! command -v python3 >/dev/null; then
    skip 'damaged traces of TAU' 'no python3'
    finish
    exit 0
fi

# damage FOLDER RANK PYTHON: a copy of the example, in which PYTHON changes the bytes b of a rank.
damage() {
    rm -rf "$1" && cp -r "$data/tau-mpi4" "$1" && chmod -R u+w "$1" && python3 -c "
import struct
b = bytearray(open('$1/tautrace.$2.0.0.trc', 'rb').read())
record = struct.Struct('<iHHqQ')
$3
open('$1/tautrace.$2.0.0.trc', 'wb').write(b)"
}
# self_times DATABASE: the self times of the sound trace, but for microseconds.
self_times() { run 0 --db "$1" query "SELECT sum(self_ns) / 1000.0 AS self, name FROM event WHERE dur_ns IS NOT NULL GROUP BY name" --format csv; cat "$scratch/out"; }
imports() { rm -f damaged.db && run 0 --db damaged.db import "$1"; }

# ask_of DATABASE N: it has so many events.
ask_of() { run 0 --db "$1" query 'select count(*) from event_row' --format csv && [ "$(tail -n 1 "$scratch/out")" = "$2" ]; }

run 0 --db sound.db import -q "$data/tau-mpi4" && self_times sound.db | sort >sound.txt && [ "$(wc -l <sound.txt)" -gt 5 ]
result $? 'a sound trace'
run 0 --db sound.db info --format json && length=$(python3 -c '
import json, sys
facts = json.load(open(sys.argv[1]))
print(facts["last_ns"] - facts["first_ns"])' "$scratch/out") && [ "$length" -gt 0 ]
result $? "it is $length ns long"

# length_is: the run covers the same time.
length_is() {
    run 0 --db damaged.db --clock original info --format json && python3 -c '
import json, sys
facts = json.load(open(sys.argv[1]))
sys.exit(abs(facts["last_ns"] - facts["first_ns"] - int(sys.argv[2])) > 1000000)' "$scratch/out" "$length"
}

damage hole 1 'b[24 * 100:24 * 180] = bytes(24 * 80)' && imports hole &&
    has out '80 records of nothing but zeros, a hole in the file, skipped (first at byte 2400' && has out 'processes  4, with 4 threads' &&
    ! grep -q 1970 "$scratch/out" && length_is
result $? 'a hole of zeros is skipped and counted, and makes no times of 1970'

damage zero 2 '
i = next(i for i in range(100, len(b) // 24) if record.unpack_from(b, 24 * i)[3] == 1)
b[24 * i + 16:24 * i + 24] = bytes(8)' && imports zero &&
    has out '1 time far from those before and after, moved between them' && length_is &&
    self_times damaged.db | sort >zero.txt && python3 - <<'END'
sound = dict(reversed(line.rstrip().split(",", 1)) for line in open("sound.txt"))
zero = dict(reversed(line.rstrip().split(",", 1)) for line in open("zero.txt"))
sound.pop("name"), zero.pop("name")
assert sound.keys() == zero.keys() and sound
assert all(abs(float(sound[name]) - float(zero[name])) < 300 for name in sound), (sound, zero)
END
result $? 'an enter with time 0 moves between its neighbours'

damage bit 3 'b[24 * 90 + 23] ^= 0x40' && imports bit && has out '1 time far from those' && length_is &&
    damage bit 3 'b[24 * 90 + 21] ^= 0x04' && imports bit && has out '1 time far from those' && length_is
result $? 'a high bit of one time refuses no rank'

damage shift 0 'del b[2401:2431]' && imports shift && has out '1 place with bytes missing or too many, records found again behind it' &&
    has out 'processes  4, with 4 threads' && length_is
result $? 'after missing bytes records are found again'

damage early 1 'del b[1213:1213 + 619]' && imports early && has out '1 place with bytes missing or too many' &&
    has out 'processes  4, with 4 threads' && length_is
result $? 'missing bytes near the begin are no sign of other definitions'

# A collective that lost its end is written behind those that began later, and is the same one all the same.
damage ends 1 'del b[8313:8313 + 1100]' && imports ends && ! has err 'clocks' &&
    run 0 --db damaged.db info && has out 'processes' && ! has out 'clocks     differ' && run 0 --db damaged.db query --format csv "
    SELECT count(*) FROM (SELECT c.thread FROM collective_row c JOIN event_row e ON e.id = c.event WHERE c.flags = 0
        GROUP BY c.thread, c.name, c.comm HAVING max(e.ts_ns) != max(CASE WHEN c.ordinal = (SELECT max(d.ordinal)
        FROM collective_row d WHERE d.thread = c.thread AND d.name = c.name AND d.comm = c.comm) THEN e.ts_ns END))" &&
    [ "$(tail -n 1 "$scratch/out")" = 0 ]
result $? 'a collective without its end keeps its number, and tells nothing of clocks'

damage node 0 'b[24 * 120 + 4] ^= 0x10' && imports node && has out '1 lone record of a node or thread that never began' &&
    has out 'processes  4, with 4 threads' && length_is
result $? 'a flipped bit makes no process'

flip_peers() {
    while read -r byte mask what; do
        python3 -c "
b = bytearray(open('sound.trc', 'rb').read())
b[$byte] ^= $mask
open('peer/tautrace.2.0.0.trc', 'wb').write(b)" && imports peer && has out 'processes  4, with 4 threads' || return 1
        [ "$what" = rank ] || has out '1 message with a rank that the trace has not, left out' || return 1
    done <places.txt
}
# Every message of a rank, with another bit of its peer each time.
damage peer 2 '' && cp peer/tautrace.2.0.0.trc sound.trc && python3 - <<'END' >places.txt &&
import struct
b = open("sound.trc", "rb").read()
for n, at in enumerate(at for at in range(0, len(b) - 23, 24) if struct.unpack_from("<i", b, at)[0] in (60007, 60008)):
    bit = n % 16
    byte, mask = at + 8 + (3 if bit < 8 else 7), 1 << bit % 8
    peer = (b[at + 11] | b[at + 15] << 8) ^ 1 << bit
    print(byte, mask, "rank" if peer < 4 else "none")
END
    [ "$(grep -c none places.txt)" -gt 10 ] && flip_peers
result $? 'a flipped bit of a peer makes no process'
run 0 --db part.db import "$data/tau-mpi4/tautrace.2.0.0.trc" "$data/tau-mpi4/events.2.edf" && has out 'with 1 thread' && ! has out 'processes  1,'
result $? 'but a rank that is imported alone has others'

refuses 1 'a hole in the file' --db strict.db import --strict hole && [ ! -e strict.db ]
result $? 'none of it with --strict'

# -- ranks that are not of the run ---------------------------------------------------------------------
# leaves_out FOLDER TEXT...: the import goes on without, says so and exits with 3; --strict refuses.
leaves_out() {
    _folder=$1
    shift
    rm -f left.db && run 3 --db left.db import "$_folder" && cp "$scratch/out" left.out && has err "$@" 'imports all or nothing' &&
        run 1 --db none.db import --strict "$_folder" && [ ! -e none.db ]
}

damage empty 1 'b = b""' && leaves_out empty "left out: empty/tautrace.1.0.0.trc: an empty trace, 0 bytes" '1 of the traces' &&
    has left.out 'processes  4, with 3 threads'
result $? 'an empty rank is left out, and its sisters stand'
damage lone 1 '' && rm lone/events.1.edf && leaves_out lone "cannot find 'lone/events.1.edf'" && has left.out 'with 3 threads'
result $? 'so is a rank without definitions'
damage text 1 'b = b"no trace at all " * 99' && leaves_out text 'text/tautrace.1.0.0.trc: not a TAU trace' && has left.out 'with 3 threads'
result $? 'and a file that is no trace'
refuses 1 'an empty trace' --db none.db import empty/tautrace.1.0.0.trc empty/events.1.edf && [ ! -e none.db ]
result $? 'alone it is an error'

cat >foreign.edf <<'END'
3 dynamic_trace_events
# FunctionId Group Tag "Name Type" Parameters
60000 TRACER 0 "EV_INIT" none
60005 TRACER 0 "WALL_CLOCK" none
1 TAU_USER 0 "other" EntryExit
END
refuses 1 "'foreign.edf' is not its definitions, so names would be wrong" --db none.db import "$data/tau-mpi4/tautrace.0.0.0.trc" foreign.edf &&
    [ ! -e none.db ]
result $? 'definitions without most of the ids are refused'

damage begin 1 '' && python3 - <<'END' && leaves_out begin "'begin/events.1.edf' is of another run" 'that run began at 2023-11-14 21:13'
path = "begin/events.1.edf"
text = open(path).read()
lines = text.rstrip("\n").split("\n")
n = int(lines[0].split()[0])
lines[0] = "%d dynamic_trace_events" % (n + 1)
lines.append('4711 TAUEVENT 0 "Starting Timestamp | 1699996400000000" TriggerValue')
open(path, "w").write("\n".join(lines) + "\n")
END
result $? 'and those of a run that began at another time'

damage stale 1 '' && python3 - <<'END' && leaves_out stale "'stale/tautrace.4.0.0.trc' and others are of an earlier run" 'tracetool import stale/tautrace.4.0.0.trc stale/tautrace.5.0.0.trc' '2 of the traces' && has left.out 'with 4 threads'
import shutil, struct
for rank in 0, 1:
    b = bytearray(open("stale/tautrace.%d.0.0.trc" % rank, "rb").read())
    for at in range(0, len(b) - 23, 24):
        struct.pack_into("<H", b, at + 4, rank + 4)
        struct.pack_into("<Q", b, at + 16, struct.unpack_from("<Q", b, at + 16)[0] - 322000000)
    open("stale/tautrace.%d.0.0.trc" % (rank + 4), "wb").write(b)
    shutil.copy("stale/events.%d.edf" % rank, "stale/events.%d.edf" % (rank + 4))
END
result $? 'ranks that an earlier run left are left to it'
damage clock 3 '
for at in range(0, len(b) - 23, 24):
    struct.pack_into("<Q", b, at + 16, struct.unpack_from("<Q", b, at + 16)[0] - 322000000)' && imports clock && has out 'with 4 threads'
result $? 'but not the last rank for its clock'

damage relative 1 '' && python3 - <<'END' && imports relative && has out 'with 4 threads'
import struct
for rank in range(4):
    b = bytearray(open("relative/tautrace.%d.0.0.trc" % rank, "rb").read())
    for at in range(0, len(b) - 23, 24):
        struct.pack_into("<Q", b, at + 16, struct.unpack_from("<Q", b, at + 16)[0] - 1699999999000000)
    open("relative/tautrace.%d.0.0.trc" % rank, "wb").write(b)
END
result $? 'times that are no dates tell of no runs'

damage merged 1 '' && cp "$data"/tau-merged/*.trc merged/tau.trc && cp "$data"/tau-merged/*.edf merged/tau.edf && python3 - <<'END' &&
import struct
b = bytearray(open("merged/tau.trc", "rb").read())
for at in range(0, len(b) - 23, 24):
    struct.pack_into("<Q", b, at + 16, struct.unpack_from("<Q", b, at + 16)[0] + 900000000)
open("merged/tau.trc", "wb").write(b)
END
    leaves_out merged "'merged/tau.trc' is not merged from the files beside it but of another run" && has left.out 'with 4 threads'
result $? 'a merged trace is one by its times, not its name'

# -- compressed files that are cut ---------------------------------------------------------------------
damage packed 1 '' && gzip packed/tautrace.1.0.0.trc && python3 -c '
import os
os.truncate("packed/tautrace.1.0.0.trc.gz", 2000)' && imports packed && has out '1 compressed file that ends early, what came before kept' 'with 4 threads'
result $? 'a cut .gz is kept up to its end'
n_wrong=0
for wrap in gzip zstd; do
    command -v "$wrap" >/dev/null || continue
    python3 -c '
print("[" + ",\n".join("{\"ph\":\"X\",\"ts\":%d,\"dur\":%d,\"name\":\"n%d\",\"pid\":1,\"tid\":1}"
      % (10 * i, i * i % 10, i * 7919 % 1000) for i in range(60000)) + "]")' >whole.json
    "$wrap" -q -c whole.json | head -c 30000 >"cut.json.$wrap"
    { "$wrap" -q -dc <"cut.json.$wrap" 2>/dev/null || :; } >cut.json
    rm -f cut.db && run 0 --db cut.db import "cut.json.$wrap" && has out 'ends early, what came before kept' &&
        ask_of cut.db "$(grep -c '}' cut.json)" || n_wrong=$((n_wrong + 1))
done
[ "$n_wrong" -eq 0 ]
result $? 'JSON in .gz and .zst likewise, with the events that gzip and zstd find'

mkdir -p folder && cp "$data/kineto/rank0.json" folder && echo 'nothing of the kind' >folder/notes.json &&
    rm -f folder.db && run 0 --db folder.db import folder && has err "'folder/notes.json' left aside: no trace that tracetool knows"
result $? 'what is called a trace and is none is told'

damage apart 1 'b[24 * 100:24 * 180] = bytes(24 * 80)' && imports apart && has err 'come after lost records, and nothing proves which belong together' &&
    run 0 --db damaged.db query "SELECT pid FROM metadata m JOIN process p ON p.id = m.process WHERE key = 'order_lost_after_ns'" --format csv && has out node1
result $? 'behind a hole messages and collectives are joined only where that is certain'
n_copies=$(often 40)
python3 "$SRCDIR/tests/oracles/damaged_tau.py" "$TRACETOOL" "$data/tau-mpi4" "$scratch" "$n_copies" >oracle.txt
result $? "$(tail -n 1 oracle.txt): processes, threads, times and silence of damaged copies"

# One file with four ranks: what is mended is of one of them, and the marks are on that alone.
rm -rf merged && cp -r "$data/tau-merged" merged && chmod -R u+w merged && python3 -c '
import struct
b = bytearray(open("merged/run.trc", "rb").read())
record = struct.Struct("<iHHqQ")
i = [i for i in range(len(b) // 24) if record.unpack_from(b, 24 * i)[1] == 2][40]
b[24 * i + 16 + 5] ^= 0x20
open("merged/run.trc", "wb").write(b)' && imports merged && run 0 --db damaged.db info --trust --format csv &&
    has out '2,node2,record,0,1,0,0,0,0,' && ! grep -q '^,,record' "$scratch/out" &&
    run 0 --db damaged.db comm --show ranks --format csv && grep '^node2,' "$scratch/out" | grep -q ',damaged$' &&
    grep '^node1,' "$scratch/out" | grep -q ',others$'
result $? 'of a file of several ranks the one that was mended is named'

# -- marks ----------------------------------------------------------------------------------------------------
python3 "$SRCDIR/tests/oracles/trust_marks.py" "$TRACETOOL" "$data/tau-mpi4" "$scratch" "$([ "${TEST_LONG:-0}" = 1 ] && echo 100 || { again && echo 6 || echo 24; })" >"$scratch/marks.txt"
status=$?
sed 's/^/# /' "$scratch/marks.txt" | cut -c1-300
[ $status = 0 ] && grep -q ' 0 failed; ' "$scratch/marks.txt"
result $? 'numbers that damage changes are marked, in eight groupings, and others are those of the sound trace'
damage marks 1 'b[24 * 100:24 * 180] = bytes(24 * 80)' && imports marks && has out '  trust      ' '80 records' &&
    run 0 --db damaged.db info --trust --format csv && has out 'rank,pid,kind,seen,mended,skipped,bounded,inferred,lost,doubtful,path' &&
    has out '1,node1,record,0,0,1,0,0,80,0,marks/tautrace.1.0.0.trc'
result $? 'info --trust tells the rank, the kind and how many'
run 0 --db damaged.db query "SELECT sum(seen) FROM trust WHERE kind = 'span'" --format csv && spans=$(sed 1d "$scratch/out") && [ "$spans" -gt 0 ] &&
    run 0 --db damaged.db query "SELECT count(*) FROM event WHERE dur_ns IS NOT NULL" --format csv && [ "$(sed 1d "$scratch/out")" = "$spans" ] &&
    run 0 --db damaged.db query "SELECT sum(bounded) FROM trust WHERE kind = 'span'" --format csv && bounded=$(sed 1d "$scratch/out") &&
    run 0 --db damaged.db query "SELECT count(*) FROM event WHERE flags LIKE '%unclosed%'" --format csv && [ "$(sed 1d "$scratch/out")" = "$bounded" ]
result $? 'what was seen and bounded are the rows and flags of events'
last=$(python3 -c "
import struct
b = open('$data/tau-mpi4/tautrace.1.0.0.trc', 'rb').read()
print(struct.unpack_from('<iHHqQ', b, 24 * 99)[4] * 1000, struct.unpack_from('<iHHqQ', b, 24 * 180)[4] * 1000)")
run 0 --db damaged.db query "SELECT count(*) > 2, sum(flags LIKE '%inferred%' <> (own_ts_ns <= ${last% *} AND own_ts_ns + own_dur_ns >= ${last#* })) FROM (SELECT ifnull(flags, '') AS flags, own_ts_ns, own_dur_ns FROM event WHERE pid = 'node1' AND (flags IS NULL OR flags NOT LIKE '%unclosed%'))" --format csv &&
    [ "$(sed 1d "$scratch/out")" = 1,0 ] && run 0 --db damaged.db query "SELECT count(*) > 1 FROM event WHERE flags LIKE '%inferred%'" --format csv && [ "$(sed 1d "$scratch/out")" = 1 ]
result $? 'spans from before a hole to behind it are marked, and no others'
for command in 'imbalance' 'breakdown' 'comm'; do
    run 0 --db damaged.db $command && has err 'calls of node1 may be missing or have other times' && run 0 --db sound.db $command && unsaid 'info --trust'
    result $? "$command names the damaged rank"
done

run 0 --db close.db import "$data/succeed/no-close/run.trc" && has out '1 file cut or left out' &&
    run 0 --db close.db info --trust --format csv &&
    [ "$(grep -c ",file," "$scratch/out")" = 2 ]
result $? 'a file of two ranks that ends for both is one file'

finish
