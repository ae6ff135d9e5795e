#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# CTF 2: fields of every class, as tests/oracles/ctf2.py writes them bit by bit, come out with the values it wrote; metadata
# that are not as they must be are refused with their place.
# shellcheck source=tests/cli/lib.sh
. "$SRCDIR/tests/cli/lib.sh"

if ! command -v python3 >/dev/null; then
    skip 'CTF 2' 'python3 is not here'
    finish
    exit 0
fi

good=0
tried=0
for seed in $(seeds "$(often 40)"); do
    rm -rf made made.db
    tried=$((tried + 1))
    : >got
    if python3 "$SRCDIR/tests/oracles/ctf2.py" write "$seed" made made.json && "$TRACETOOL" import -q --db made.db made 2>err &&
        python3 "$SRCDIR/tests/oracles/ctf2.py" check made.db made.json >got 2>&1; then
        good=$((good + 1))
    else
        echo "# seed $seed"
        sed 's/^/# /' got err
    fi
done
[ "$tried" -gt 0 ] && [ "$good" -eq "$tried" ]
result $? 'every class of fields, nested, in either byte order: the values that were written'

# -- the same trace as CTF 1.8 and as CTF 2 ---------------------------------------------------------------------------
rows() { # DIRECTORY OUTPUT
    rm -f rows.db
    "$TRACETOOL" import -q --db rows.db "$1" 2>/dev/null && "$TRACETOOL" --db rows.db query --format csv \
        'SELECT pid, tid, op_long_name, raw_name, ts_ns, dur_ns, depth, args, flags FROM event ORDER BY ts_ns, pid, tid, depth, id' >"$2" && filled "$2"
}

if command -v babeltrace2 >/dev/null && babeltrace2 help sink.ctf.fs 2>/dev/null | grep -q ctf-version; then
    babeltrace2 "$TRACETOOL_DATA/ctf-lttng/kernel" -c sink.ctf.fs -p 'path="second",assume-single-trace=true,quiet=true,ctf-version="2"' &&
        rows "$TRACETOOL_DATA/ctf-lttng/kernel" first.csv && rows second second.csv && same first.csv second.csv
    result $? 'a trace that babeltrace2 made one of CTF 2 has the same rows'
else
    skip 'a trace that babeltrace2 made one of CTF 2 has the same rows' 'there is no babeltrace2 of 2.1 or later'
fi

# -- packets of other metadata ----------------------------------------------------------------------------------------
# The UUID of a packet stands after its magic number. Of the first packet none is left, of a later one what is before it.
python3 "$SRCDIR/tests/oracles/ctf2.py" write 3 own own.json
python3 -c '
import os, shutil
for name, which in (("foreign", 0), ("later", 1)):
    shutil.copytree("own", name)
    path = f"{name}/stream_0"
    raw = bytearray(open(path, "rb").read())
    at = [i for i in range(len(raw) - 15) if raw[i:i + 16] == bytes(range(16, 32))]
    raw[at[which]] ^= 64
    open(path, "wb").write(raw)
'
run 3 --db foreign.db import -q foreign && has err 'stream_0 is damaged: a packet whose UUID is not that of the metadata' &&
    run 0 --db later.db import later && has err "'stream_0' is damaged and read up to there: a packet whose UUID is not that of the metadata"
result $? 'CTF 2: a packet of other metadata is damage'

# -- packets of metadata, and compressed ones -------------------------------------------------------------------------
python3 "$SRCDIR/tests/oracles/ctf2.py" write 5 plain plain.json
cp -r plain packets
python3 -c '
import struct, sys
text = open("plain/metadata", "rb").read()
with open("packets/metadata", "wb") as f:
    for at in range(0, len(text), 1000):
        part = text[at:at + 1000]
        f.write(struct.pack("<I16sIIIBBBBB", 0x75d11d57, bytes(16), 0, (37 + len(part)) * 8, 1100 * 8, 0, 0, 0, 2, 0))
        f.write(part + bytes(1100 - 37 - len(part)))
'
cp -r plain gz && gzip -q gz/metadata gz/stream_0
rows plain a.csv && rows packets b.csv && rows gz c.csv && same a.csv b.csv && same a.csv c.csv
result $? 'metadata in packets, and compressed: the same rows'

# -- what is refused --------------------------------------------------------------------------------------------------
refused() { # TEXT-OF-ERROR PROGRAM : the metadata changed by a line of Python, `t` being the text
    rm -rf wrong wrong.db && cp -r plain wrong &&
        python3 -c "import sys; t = open('plain/metadata', encoding='utf-8').read(); exec(sys.argv[1]); open('wrong/metadata', 'w', encoding='utf-8').write(t)" "$2" &&
        run 1 import --db wrong.db wrong && has err 'wrong: the metadata cannot be read: ' "$1" && [ ! -e wrong.db ]
}

status=0
refused 'byte 1: the first fragment is no preamble' 't = chr(30) + t.split(chr(30), 2)[2]' || status=1
refused "not CTF 2: 'version' is another" "t = t.replace('\"version\": 2', '\"version\": 3')" || status=1
refused "',' or ']' expected" 't = t[:-30]' || status=1
refused "no alias before is called 'header'" "t = t.replace('\"name\": \"header\"', '\"name\": \"other\"')" || status=1
refused "no clock class before has the id 'c'" "t = t.replace('\"id\": \"c\"', '\"id\": \"d\"')" || status=1
refused 'no field before is at the location' "t = t.replace('\"n-pc\"]', '\"n-pd\"]')" || status=1
refused 'no class of fields of CTF 2' "t = t.replace('variable-length-unsigned-integer', 'variable-size')" || status=1
refused "extensions of 'my.tracer' are not known here" "t = t.replace('\"version\": 2', '\"version\": 2, \"extensions\": {\"my.tracer\": {\"a\": null}}')" || status=1
refused 'values are nested too deep' "t = t.replace('\"x\": [', '\"x\": ' + '[' * 100)" || status=1
refused 'types are nested too deep' "b = '\"header\"'; t = t.replace('\"packet-header-field-class\": ' + b, '\"packet-header-field-class\": ' + '{\"type\": \"static-length-array\", \"length\": 1, \"element-field-class\": ' * 30 + b + '}' * 30).replace(chr(30) + '{\"type\": \"trace', ''.join(chr(30) + '{\"type\": \"field-class-alias\", \"name\": \"z%d\", \"field-class\": {\"type\": \"static-length-array\", \"length\": 2, \"element-field-class\": \"%s\"}}' % (i, 'z%d' % (i - 1) if i else 'header') for i in range(60)) + chr(30) + '{\"type\": \"trace')" || status=1
result "$status" 'metadata that are not as they must be are refused with their place, and leave no database'

# Aliases that double from one to the next are no more than the types that there may be.
python3 -c '
import json
f = open("plain/metadata", encoding="utf-8").read().split(chr(30))
for i in range(40):
    member = "header" if i == 0 else f"z{i - 1}"
    f.insert(3 + i, json.dumps({"type": "field-class-alias", "name": f"z{i}", "field-class": {"type": "structure", "member-classes": [
        {"name": "a", "field-class": member}, {"name": "b", "field-class": member}]}}))
open("bomb", "w", encoding="utf-8").write(chr(30).join(f))
'
rm -rf wrong && cp -r plain wrong && cp bomb wrong/metadata && run 1 import --db wrong.db wrong && has err 'too many types'
result $? 'aliases that double are stopped'
finish
