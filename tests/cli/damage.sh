#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Databases that are not as we wrote them: each answer is what it was before, or an error that says so.
# shellcheck source=tests/cli/lib.sh
. "$SRCDIR/tests/cli/lib.sh"
cd "$scratch" || exit 1
data=$TRACETOOL_DATA

# -- bytes of the file ---------------------------------------------------------------------------------
run 0 --db whole.db import -q "$data/tau-mpi4" "$data/kineto/rank0.json" && filled whole.db
result $? 'a database'
pages=$(($(wc -c <whole.db) / 16384))
for command in 'stats --by pid,name --top 0' 'info' 'export --chrome -o -' 'comm' "query 'SELECT sum (dur_ns) FROM event'"; do
    n_wrong=0
    eval "\"\$TRACETOOL\" --db whole.db $command" >whole.out && [ -s whole.out ] || n_wrong=1
    page=0 n_same=0 n_told=0
    while [ "$page" -lt "$pages" ]; do
        cp whole.db broken.db
        printf '\125\252' | dd of=broken.db bs=1 seek=$((page * 16384 + (page * 7919 + 200) % 16384)) conv=notrunc 2>/dev/null
        if eval "\"\$TRACETOOL\" --db broken.db $command" >broken.out 2>broken.err; then
            sed 's/broken\.db/whole.db/' broken.out | cmp -s - whole.out && n_same=$((n_same + 1)) || n_wrong=$((n_wrong + 1))
        else
            has broken.err "page $((page + 1)) is not as tracetool wrote it" && n_told=$((n_told + 1)) || n_wrong=$((n_wrong + 1))
        fi
        page=$((page + 1))
    done
    [ "$n_wrong" -eq 0 ] && [ "$n_told" -gt 2 ] && [ $((n_same + n_told)) -eq "$pages" ]
    result $? "$command: a damaged page is told, or not read ($n_told told, $n_same the same, $n_wrong wrong)"
done

# -- other programs ------------------------------------------------------------------------------------
if command -v python3 >/dev/null; then
    cp whole.db changed.db
    python3 -c 'import sqlite3
db = sqlite3.connect("changed.db")
db.execute("DELETE FROM thread_row WHERE id = 2")
db.commit()'
    for command in stats info 'export -o x.json' 'depgraph -o x.dot' "import -q $data/tau-merged"; do
        # shellcheck disable=SC2086
        refuses 1 "is not as tracetool wrote it: the file is damaged, or another program has changed it; import the traces again" \
            --db changed.db $command && [ ! -e x.json ] && [ ! -e x.dot ]
        result $? "a change of another program is told: $command"
    done
    cp whole.db sealed.db
    change_database sealed.db 'CREATE INDEX mine ON event_row (ts_ns)' && run 0 --db sealed.db stats && cp out sealed.out &&
        run 0 --db whole.db stats && cmp -s out sealed.out
    result $? 'one that keeps the checksums right is welcome'
else
    skip 'changes of other programs' 'python3 is not here'
fi
finish
