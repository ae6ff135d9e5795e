# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# Read after lib.sh by tests of formats that threads read.

# same_with_readers TEXT STATUS ARGUMENT... : outputs and databases of an import by any number of threads.
same_with_readers() {
    same_text=$1 same_status=$2
    shift 2
    for readers in 0 1 2 4; do
        rm -f "$scratch/readers.db" "$scratch/readers.$readers"
        TRACETOOL_READERS=$readers SOURCE_DATE_EPOCH=1700000000 "$TRACETOOL" import --db "$scratch/readers.db" "$@" >"$scratch/out" 2>"$scratch/err"
        [ $? -eq "$same_status" ] && filled "$scratch/readers.db" &&
            cat "$scratch/out" "$scratch/err" "$scratch/readers.db" >"$scratch/readers.$readers"
    done
    [ -s "$scratch/readers.0" ] && cmp "$scratch/readers.0" "$scratch/readers.1" && cmp "$scratch/readers.0" "$scratch/readers.2" &&
        cmp "$scratch/readers.0" "$scratch/readers.4"
    result $? "$same_text: the same database and words whatever the number of threads that read it"
}
