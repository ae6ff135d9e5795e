#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# CTF traces whose files gzip and zstd have compressed have the rows of the plain ones; what is cut or damaged is said.
# shellcheck source=tests/cli/lib.sh
. "$SRCDIR/tests/cli/lib.sh"
for name in rotated snapshots; do
    tar -xzf "$TRACETOOL_DATA/recorded/lttng/$name.tar.gz"
done

rows() { # DIRECTORY OUTPUT
    rm -f rows.db
    "$TRACETOOL" import -q --db rows.db "$1" 2>/dev/null && "$TRACETOOL" --db rows.db query --format csv 'SELECT * FROM event' >"$2" &&
        "$TRACETOOL" --db rows.db query --format csv 'SELECT * FROM thread' >>"$2" && filled "$2"
}

pack() { # DIRECTORY COMMAND... : each of its files
    directory=$1
    shift
    find "$directory" -type f | while read -r file; do "$@" "$file"; done
}

in_place() { # FILE
    gzip -c "$1" >packed && mv packed "$1"
}

same_rows=
for name in rotated snapshots; do
    cp -r "$name" gz && pack gz gzip -q
    cp -r "$name" content && pack content in_place
    rows "$name" plain.csv && rows gz gz.csv && rows content content.csv && same plain.csv gz.csv && same plain.csv content.csv
    same_rows="$same_rows$?"
    rm -rf gz content
done
[ "$same_rows" = 00 ]
result $? 'files called .gz, and compressed ones called as the plain: the same rows'
if command -v zstd >/dev/null && grep -q '^#define HAVE_ZSTD' "$BUILDDIR/config.h"; then
    cp -r rotated zst && pack zst zstd -q --rm && rows rotated plain.csv && rows zst zst.csv && same plain.csv zst.csv
    result $? 'files called .zst, too'
    # A window of 16 MiB for each of many streams is more than they are given.
    cp -r rotated wide && stream=$(find wide -name c_0 -path '*-1/*') &&
        zstd -q -c --zstd=wlog=24 <"$stream" >packed && mv packed "$stream"
    run 3 import --db wide.db wide && has err 'is damaged' 'window of more than 8 MiB'
    result $? 'a window that is too large is refused'
else
    skip 'files called .zst, too' 'zstd is not here'
    skip 'a window that is too large is refused' 'zstd is not here'
fi
cp -r rotated both && pack both gzip -qk && rows rotated plain.csv && rows both both.csv && same plain.csv both.csv
result $? 'of a file that is there compressed, too, one is read'
metadata=$(find rotated -name metadata | head -n 1)
cp -r "$(dirname "$metadata")" one && pack one gzip -q
run 0 import --db one.db one/metadata.gz && has out '49 spans'
result $? 'metadata.gz stands for its directory'
run 1 import --db lone.db one/c_0.gz && has err 'one stream of a CTF trace' "'one'"
result $? 'a compressed stream alone is refused'

# -- damage -------------------------------------------------------------------------------------------------------
damage() { # NAME BYTES-LEFT-OUT : a copy whose first stream is so much shorter
    cp -r rotated "$1" && pack "$1" gzip -q && stream=$(find "$1" -name c_0.gz -path '*-1/*') &&
        head -c $(($(wc -c <"$stream") - $2)) "$stream" >shorter && mv shorter "$stream"
}

damage tail 4 && run 0 import --db tail.db tail && has err 'c_0.gz' 'its compressed file is cut short' && has out '60 spans, 120 instants' '1 damaged stream'
result $? 'cut after its contents: all is read, and the cut is said'
damage half 200 && run 0 import --db half.db half && has err 'c_0.gz' 'a packet that goes on beyond the end of the file' && has out '1 damaged stream'
result $? 'cut within its contents: read up to there'
damage sum 8 && printf 'abcdefgh' >>"$stream" && run 0 import --db sum.db sum && has err 'c_0.gz' 'its compressed file is damaged' &&
    has out '60 spans, 120 instants' '1 damaged stream'
result $? 'a false checksum is said'
run 1 import --strict --db strict.db sum && has err '--strict does not allow it'
result $? 'and refused by --strict'
damage head 8 && head -c 15 "$stream" >shorter && mv shorter "$stream" && run 3 import --db head.db head && has err 'c_0.gz is damaged' 'left out'
result $? 'a stream of which nothing can be unpacked is left out'
finish
