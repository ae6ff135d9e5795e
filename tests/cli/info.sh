#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# info and query.
. "$SRCDIR/tests/cli/lib.sh"
"$TRACETOOL" import -q "$TRACETOOL_DATA/tau-mpi4" || exit 1

run 0 info && has out 'database   trace.db' 'tracetool import -q' 'tau, ' 'clock epoch' '4, of these 4 with a rank; 4 threads' \
    'node0, node1, node2, node3' '775 spans, 0 instants' '52, 52 matched' 'calls of collective functions' 'counter    ' \
    'metadata   CPU Type: Imaginary(R) 9000' '(node0)'
result $? 'info tells what there is'
[ "$(grep -c 'CPU Type' out)" -eq 1 ] && [ "$(grep -c 'Hostname' out)" -eq 4 ]
result $? 'metadata that all processes share is one line'
if has_terminals; then
    long=$(printf 'word %.0s' $(seq 60))
    echo '{"schemaVersion":1,"INFO":["'"$long"'last"],"traceEvents":[{"ph":"X","cat":"cpu_op","name":"a","pid":1,"tid":1,"ts":1,"dur":2}]}' >long.json
    "$TRACETOOL" import -q --db long.db long.json && typed 0 COLUMNS=80 --db long.db info && sed -i 's/\r//' out &&
        matches out '^metadata   INFO: .*…' && [ "$(grep '^metadata' out | wc -L)" -le 80 ] &&
        typed 0 COLUMNS=80 --db long.db info --top 0 && tr -s '\r\n ' ' ' <out >whole && has whole "${long}last" && run 0 --db long.db info && has out "$long"
    result $? 'long metadata are cut on a terminal, and only there'
else
    skip 'long metadata are cut on a terminal, and only there' 'script is not here'
fi
"$TRACETOOL" import -q --db cut.db "$TRACETOOL_DATA/succeed/cut" && run 0 --db cut.db info && has out '  repair   ' 'first at byte'
result $? 'repairs in words'
"$TRACETOOL" import -q --db gpu.db "$TRACETOOL_DATA/nsys/train.sqlite" && run 0 --db gpu.db info && refute has out '\n' && matches out '^           gpu3 of node-a$'
result $? 'the processes on several lines'
"$TRACETOOL" import -q --db odd.db "$TRACETOOL_DATA/succeed/odd-edf" && run 0 --db odd.db info &&
    has out '1 name with several ids, folded (first at line ' && run 0 --db odd.db info --format json && has out '"first_line":'
result $? 'those of definitions by line; one is not plural'
run 0 info --names && has out 'COMP' 'Raw name'
result $? '--names'
refuses 2 "goes with '--names', '--check' and '--trust' only" info --format csv && run 0 info --names --format csv && has out 'name,op_cat,op_name'
result $? 'csv goes with --names'
if command -v python3 >/dev/null; then
    run 0 info --format json && python3 -c 'import json, sys
d = json.load(sys.stdin)
assert d["n_spans"] == 775 and d["n_matched"] == 52 and len(d["sources"]) == 4
assert [p["pid"] for p in d["processes"]] and d["sources"][0]["repairs"] == {}' <out
    result $? 'json'
else
    skip 'json' 'python3 is not here'
fi

# -- query ----------------------------------------------------------------------------------------
run 0 query && has out 'event' 'op_long_name' 'statistic'
result $? 'query without SQL lists the tables'
run 0 query "SELECT 1 AS a, NULL AS b, 2.5 AS c, 'x,y' AS d" --format csv &&
    has out 'a,b,c,d' '1,,2.5,"x,y"'
result $? 'values of every kind'
run 1 query 'SELECT nme FROM event' && has err "did you mean 'name'?"
result $? 'a misspelt column gets the nearest'
run 1 query 'SELECT * FROM evnt' && has err "did you mean 'event'?"
result $? 'a misspelt table gets the nearest'
cp trace.db before.db
for statement in 'DELETE FROM event_row' 'DROP VIEW event' 'CREATE TABLE x (y)' "ATTACH 'x.db' AS x" 'PRAGMA user_version = 9' 'VACUUM'; do
    refuses 2 'only statements that read are allowed' query "$statement" && same trace.db before.db
    result $? "refused: $statement"
done
run 1 query 'SELEC 1' && has err 'syntax error'
result $? 'bad SQL is explained'
finish
