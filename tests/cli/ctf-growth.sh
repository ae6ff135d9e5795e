#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What stands once in the metadata of CTF, and in the arguments of each event, makes no database that is out of all
# proportion to its trace: 64 bytes a byte and 16 MiB, whatever names, labels and contexts are like.
# shellcheck source=tests/cli/lib.sh
. "$SRCDIR/tests/cli/lib.sh"

if ! command -v python3 >/dev/null; then
    skip 'growth of CTF' 'python3 is not here'
    finish
    exit 0
fi

make() { rm -rf "$1" "$1.db" && python3 "$SRCDIR/tests/oracles/ctf_growth.py" "$1" "$1" "$2" && run 0 --db "$1.db" import -q "$1"; }
ask() { run 0 --db "$1.db" query --format csv "$2"; }

make label 20000 && ask label "SELECT count(*), max(length(args)), count(DISTINCT args), min(args LIKE '%L... (59745 bytes more)\"}') FROM event" &&
    has out '20000,288,1,1' && [ "$(stat -c %s label.db)" -lt 10000000 ]
result $? 'a long label is cut between two characters, and says by how much'
good=0
for kind in name many packet; do
    make $kind 20000 && ask $kind "SELECT count(*), sum(args IS NULL) > 10000, max(sum(length(args)), 0) < 64 * 40000 + 17000000 FROM event" &&
        [ "$(stat -c %s $kind.db)" -lt 30000000 ] || good=1
    case $kind in
    packet) has out '20000,0,1' || good=1 ;;
    *) has out '20000,1,1' && ask $kind "SELECT repairs FROM source" && has out 'args_outgrow' || good=1 ;;
    esac
done
result $good 'arguments stop where they outgrow their trace, which is told'
make name 100 && ask name "SELECT count(*), sum(args IS NULL) FROM event" && has out '100,0' && ask name 'SELECT repairs FROM source' && ! grep -q outgrow out
result $? 'a trace of few events keeps them'

# What takes no bytes takes no time either.
good=0
for kind in empty nested none; do
    python3 "$SRCDIR/tests/oracles/ctf_growth.py" $kind $kind 100000 && timeout 20 "$TRACETOOL" --db $kind.db import -q $kind &&
        ask $kind "SELECT count(*), count(args) BETWEEN 1 AND 20000 FROM event" && has out '100000,1' || good=1
done
result $good 'values without a bit are not read one by one'
python3 "$SRCDIR/tests/oracles/ctf_growth.py" wide wide 2 && timeout 20 "$TRACETOOL" --db wide.db import -q wide &&
    ask wide "SELECT count(*), count(DISTINCT key), sum(value) FROM event, json_each(event.args)" && has out '240000,120000,240000'
result $? 'fields of an event are not compared with each other'
if command -v babeltrace2 >/dev/null; then
    make nested 5 && babeltrace2 nested >text && ask nested "SELECT sum(json_array_length(a.value, '\$.b')), count(*), group_concat(DISTINCT a.value = '{\"b\":[' || rtrim(replace(hex(zeroblob(255)), '00', '{},'), ',') || ']}') FROM event, json_each(event.args, '\$.a') AS a" &&
        has out "$(grep -o '{ }' text | wc -l),1275,1"
    result $? 'and of few events they are all there, as babeltrace2 has them'
else
    skip 'empty structures as babeltrace2 has them' 'babeltrace2 is not here'
fi
finish
