#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Enumerations, bit maps and variants of CTF 1.8 and 2 with ranges that overlap and reach the ends of 64 bits: values are
# called as tests/oracles/ctf_ranges.py finds by comparing each with every range, and as babeltrace2 prints them.
# shellcheck source=tests/cli/lib.sh
. "$SRCDIR/tests/cli/lib.sh"
oracle=$SRCDIR/tests/oracles/ctf_ranges.py

if ! command -v python3 >/dev/null; then
    skip 'ranges of CTF' 'python3 is not here'
    finish
    exit 0
fi

for version in 1.8 2; do
    good=0
    tried=0
    for seed in $(seeds "$(often 24)"); do
        rm -rf made made.db
        tried=$((tried + 1))
        : >got
        if python3 "$oracle" write "$seed" $version made made.json && "$TRACETOOL" import -q --db made.db made 2>err &&
            python3 "$oracle" check made.db made.json >got 2>&1; then
            good=$((good + 1))
        else
            echo "# seed $seed"
            sed 's/^/# /' got err
        fi
    done
    [ "$tried" -gt 0 ] && [ "$good" -eq "$tried" ]
    result $? "every value is called as comparing it with all ranges says, CTF $version"
done

# Of CTF 1.8 alone: no babeltrace2 before 2.1 reads CTF 2.
if command -v babeltrace2 >/dev/null; then
    good=0
    wrong=0
    for seed in $(seeds "$(often 24)"); do
        rm -rf made
        python3 "$oracle" write "$seed" 1.8 made made.json
        # Where options share a value it aborts.
        ! grep -q '"has_overlaps": true' made.json || continue
        if babeltrace2 made 2>err | python3 "$oracle" text made.json >got; then
            good=$((good + 1))
        else
            wrong=$((wrong + 1))
            echo "# seed $seed"
            sed 's/^/# /' got err
        fi
    done
    [ $wrong -eq 0 ] && [ $good -gt 0 ]
    result $? 'and babeltrace2 names the same labels and options'
else
    skip 'and babeltrace2 names the same labels and options' 'babeltrace2 is not here'
fi
finish
