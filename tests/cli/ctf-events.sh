#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Events of CTF traces, one by one, with all that they say and what is lost between them: as libbabeltrace2 reads them.
#
# TRACETOOL_CTF_TRACES names a folder with more traces, such as tests/data/ctf-traces of babeltrace2's sources: what
# babeltrace2 refuses there is refused, and what it reads is equal.
# shellcheck source=tests/cli/lib.sh
. "$SRCDIR/tests/cli/lib.sh"
events=$BUILDDIR/tests/formats/ctf-events

if ! grep -q '^#define HAVE_BABELTRACE2' "$BUILDDIR/config.h" || ! command -v babeltrace2 >/dev/null; then
    skip 'events of CTF traces' 'babeltrace2 is not here'
    finish
    exit 0
fi

# A trace that both read has the same lines; one that they refuse has none that differ.
agrees() { # TEXT DIRECTORY
    "$events" theirs "$2" >"$scratch/theirs" 2>/dev/null
    theirs=$?
    "$events" ours "$2" >"$scratch/ours" 2>"$scratch/err"
    ours=$?
    if [ "$theirs" -ne 0 ]; then
        [ "$ours" -ne 0 ] || grep -qx broken "$scratch/ours" || { echo "# babeltrace2 refuses it"; false; }
    else
        [ "$ours" -eq 0 ] && cmp -s "$scratch/ours" "$scratch/theirs" ||
            { echo "# status $ours: $(head -n 1 "$scratch/err")"; diff "$scratch/theirs" "$scratch/ours" | head -n 6 | cut -c1-300 | sed 's/^/# /'; false; }
    fi
    result $? "$1"
}

traces() { # DIRECTORY : the traces below it
    find "$1" -name metadata 2>/dev/null | sed 's|/metadata$||' | sort
}

compared=0
for folder in "$TRACETOOL_DATA/ctf-lttng" "$TRACETOOL_DATA/ctf-hosts" "$TRACETOOL_DATA/ctf-devices" "$TRACETOOL_DATA/pinsight" \
    ${SHARED_DATA:+"$SHARED_DATA/pinsight"} ${TRACETOOL_CTF_TRACES:+"$TRACETOOL_CTF_TRACES"}; do
    for trace in $(traces "$folder"); do
        agrees "$(basename "$folder")${trace#"$folder"}" "$trace"
        compared=$((compared + 1))
    done
done
tar -xzf "$TRACETOOL_DATA/recorded/lttng/discard.tar.gz" -C "$scratch" && agrees 'a recording with lost events' "$scratch/discard/trace"
grep -q '^lost 0 ' "$scratch/ours"
result $? 'in which losses are told'
tar -xzf "$TRACETOOL_DATA/recorded/lttng/fields.tar.gz" -C "$scratch" && agrees 'a recording with every type of field' "$scratch/fields" &&
    [ "$(wc -l <"$scratch/ours")" -gt 300 ]
result $? 'which has events'
# Headers in the forms that are read at fixed places, and out of them; fields side by side, aligned in all ways.
for form in compact large natural plain late; do
    for seed in $(seeds 8); do
        rm -rf "$scratch/headers"
        python3 "$SRCDIR/tests/oracles/ctf_headers.py" "$form" "$seed" "$scratch/headers" && agrees "headers, $form, seed $seed" "$scratch/headers"
        ! grep -qx broken "$scratch/ours" && [ "$(wc -l <"$scratch/ours")" -gt 20 ]
        result $? 'which are read to the end'
    done
done
[ "$compared" -ge 5 ]
result $? 'there are traces to compare'
finish
