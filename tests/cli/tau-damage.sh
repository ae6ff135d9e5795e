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
self_times() { run 0 --db "$1" --clock original stats --format csv --unit us --top 0; cut -d, -f3,12- "$scratch/out"; }
imports() { rm -f damaged.db && run 0 --db damaged.db import "$1"; }

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

damage node 0 'b[24 * 120 + 4] ^= 0x10' && imports node && has out '1 lone record of a node or thread that never began' &&
    has out 'processes  4, with 4 threads' && length_is
result $? 'a flipped bit makes no process'

refuses 1 'a hole in the file' --db strict.db import --strict hole && [ ! -e strict.db ]
result $? 'none of it with --strict'

n_copies=$(often 80)
python3 "$SRCDIR/tests/oracles/damaged_tau.py" "$TRACETOOL" "$data/tau-mpi4" "$scratch" "$n_copies" >oracle.txt
result $? "$(tail -n 1 oracle.txt): processes, threads, times and silence of damaged copies"

finish
