#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# CTF traces that LTTng left in several directories, rotated or as snapshots, and spans by the names of events: recorded by
# LTTng, counted as the program did and as babeltrace2 does.
# shellcheck source=tests/cli/lib.sh
. "$SRCDIR/tests/cli/lib.sh"
for name in rotated snapshots; do
    tar -xzf "$TRACETOOL_DATA/recorded/lttng/$name.tar.gz"
done
printf '[1]\nbegin=steps:In\nend=steps:Out\nfield=part\nop_cat=I/O\n' >pairs.ini

events() { # DATABASE : how many the trace had
    "$TRACETOOL" --db "$1" query --format csv 'SELECT sum(CASE WHEN dur_ns IS NULL THEN 1 ELSE 2 END) FROM event' | tail -n 1
}

run 0 import --db rotated.db rotated && has out '60 spans, 120 instants' 'repairs    none' && [ "$(events rotated.db)" = 240 ] &&
    run 0 --db rotated.db query --format csv 'SELECT count(*), min(dur_ns) > 5000000, count(DISTINCT raw_name) FROM event WHERE dur_ns IS NOT NULL' &&
    has out '60,1,1'
result $? 'a rotated session is one trace: no step is cut'
run 0 import --db snapshots.db snapshots && has err '6 packets stand in several snapshots, and are read once' && has out '120 spans, 240 instants' 'repairs    none' &&
    [ "$(events snapshots.db)" = 480 ]
result $? 'snapshots that overlap are one trace, each event once'
if command -v babeltrace2 >/dev/null; then
    [ "$(events rotated.db)" = "$(babeltrace2 rotated | wc -l)" ] && [ "$(events snapshots.db)" = "$(babeltrace2 snapshots | wc -l)" ]
    result $? 'as many as babeltrace2 has'
else
    skip 'as many as babeltrace2 has' 'babeltrace2 is not here'
fi
TRACETOOL_READERS=0 run 0 import --db alone.db snapshots
"$TRACETOOL" --db snapshots.db export -o a.json 2>/dev/null && "$TRACETOOL" --db alone.db export -o b.json 2>/dev/null && filled a.json && same a.json b.json
result $? 'with one thread, too'

# Two traces of one UUID whose packets are not the same are told apart: nothing is left out.
mkdir twins && cp -r rotated/archives/*-0 twins/one && cp -r rotated/archives/*-0 twins/two
find twins/two -name 'c_*' | while read -r stream; do printf '\001' | dd of="$stream" bs=1 seek=72 conv=notrunc 2>/dev/null; done
run 0 import -q --db one.db twins/one && run 0 import --db two.db twins && unsaid 'several snapshots' &&
    [ "$(events two.db)" -gt "$(events one.db)" ]
result $? 'packets that differ in anything are two'
mkdir broken && cp -r rotated broken/ && stream=$(find broken -path '*-0/*' -name c_0) && head -c 100 "$stream" >short && mv short "$stream"
run 3 import --db broken.db broken && has err "$(basename "$(find broken/rotated/archives -name '*-0')")/ust/uid/0/64-bit/c_0"
result $? 'of a damaged part its directory is named'

run 0 import -q --db pairs.db --name-rules pairs.ini rotated && run 0 --db pairs.db stats --format csv --by name &&
    has out 'COMP.step' 'I/O.READ' 'I/O.SOLVE' 'I/O.WRITE (2)' 'I/O.WRITE (3)' &&
    run 0 --db pairs.db query --format csv "SELECT count(*), min(dur_ns) > 2000000 FROM event WHERE op_cat = 'I/O'" && has out '60,1'
result $? 'spans by pairs of events that the user names, called by labels'
run 0 --db rotated.db query --format csv "SELECT json_extract(args, '\$.part'), count(*) FROM event WHERE op_name = 'In' GROUP BY 1" &&
    has out 'READ,15' 'SOLVE,15' 'WRITE (2),15' 'WRITE (3),15'
result $? 'enumerations have their labels'
refused=
for rule in 'begin=a' 'begin=a\nend=a' 'begin=a*\nend=b' 'begin=a\nend=b\nname=x' 'field=part\nop_cat=X' 'begin=a*b*\nend=*c*'; do
    # shellcheck disable=SC2059
    printf "[1]\n$rule\n" >wrong.ini
    run 1 import -q --db wrong.db --name-rules wrong.ini rotated && has err 'wrong.ini: group [1]: ' "'begin' and 'end'"
    refused="$refused$?"
done
[ "$refused" = 000000 ]
result $? 'pairs that are none are refused'

# Packets of CTF 1.8 with another UUID than the metadata are read, by babeltrace2 as well, and told.
cp -r "$TRACETOOL_DATA/ctf-hosts/node0/ust/uid/1000/64-bit" other
python3 -c '
path = "other/channel0_1"
raw = bytearray(open(path, "rb").read())
magic = (0xc1fc1fc1).to_bytes(4, "little")
at = [i for i in range(len(raw)) if raw[i:i + 4] == magic]
raw[at[-1] + 4 + 15] ^= 1
open(path, "wb").write(raw)
'
run 0 --db plain.db import -q "$TRACETOOL_DATA/ctf-hosts/node0/ust/uid/1000/64-bit" && run 0 --db plain.db query --format csv 'SELECT * FROM event' && cp out plain.csv &&
    run 0 --db other.db import other && has err "packets, the first in 'channel0_1', have another UUID than the metadata" && has out '1 packet with another UUID than its metadata, read' &&
    run 0 --db other.db query --format csv 'SELECT * FROM event' && cmp -s out plain.csv && { ! command -v babeltrace2 >/dev/null || babeltrace2 other >/dev/null; }
result $? 'packets of another UUID are read and told'
finish
