#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Files of TAU that are read ahead by a thread: the same database, words and errors as without it, damaged ones included.
# shellcheck source=tests/cli/lib.sh
. "$SRCDIR/tests/cli/lib.sh"
# shellcheck source=tests/cli/readers-lib.sh
. "$SRCDIR/tests/cli/readers-lib.sh"
# What is read at once, and no less than three times as much in a file.
block=1048512

"$BUILDDIR/bench/gen-tau" --records 140000 --nodes 3 --messages --collectives --user-events --merged sound >/dev/null &&
    [ "$(wc -c <sound.trc)" -gt $((3 * block)) ] && run 0 import --db sound.db sound.trc sound.edf && filled sound.db
result $? 'a trace of several blocks'
same_with_readers 'a sound trace' 0 sound.trc sound.edf

# copied NAME : another trace with the same definitions
copied() { cp sound.trc "$1.trc" && cp sound.edf "$1.edf"; }
# zeroed NAME AT N
zeroed() { dd if=/dev/zero of="$1.trc" bs=1 seek="$2" count="$3" conv=notrunc 2>/dev/null; }

copied holes && zeroed holes $((block - 1000)) 2000 && zeroed holes $((2 * block - 33000)) 33000 && zeroed holes $((2 * block + 24)) 5
same_with_readers 'holes where blocks meet' 0 holes.trc holes.edf
has readers.0 'records of nothing but zeros'
result $? 'they are told'

copied shifted && { head -c $((block - 7)) sound.trc && printf odd && tail -c +$((block + 100)) sound.trc; } >shifted.trc
same_with_readers 'bytes too many and bytes missing' 0 shifted.trc shifted.edf
copied cut && head -c $((3 * block + 11)) sound.trc >cut.trc
same_with_readers 'a file that ends within a record' 0 cut.trc cut.edf

for readers in 0 1; do
    TRACETOOL_READERS=$readers run 1 import --strict --db strict.db holes.trc holes.edf && cp err strict.$readers
done
filled strict.0 && has strict.0 '--strict does not allow it' && same strict.0 strict.1 && [ ! -e strict.db ]
result $? 'one that is refused in the middle'

"$BUILDDIR/bench/gen-tau" --records 280000 --nodes 2 --messages ranks >/dev/null && zeroed ranks/tautrace.0.0.0 $((3 * block - 12)) 24
same_with_readers 'one file after the other' 0 ranks
finish
