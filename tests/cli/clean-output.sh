#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Names, labels and paths come from traces and from others: what people read of them neither steers the terminal nor passes
# for lines of ours. Data (json, csv, tsv) have them as they are.
. "$SRCDIR/tests/cli/lib.sh"
escape=$(printf '\033') bell=$(printf '\007') return=$(printf '\r')
name="a${escape}[31mb.json"

python3 - "$name" <<'EOF'
import json, sys
bad = "\x1b]0;owned\x07\x1b[2J\r\u009b31m\u202eevil\nrun 99 forged"
json.dump({"traceEvents": [
    {"ph": "M", "name": "process_name", "pid": 1, "args": {"name": "host" + bad}},
    {"ph": "M", "name": "thread_name", "pid": 1, "tid": 1, "args": {"name": "thread" + bad}},
    {"ph": "M", "name": "process_labels", "pid": 1, "args": {"labels": "label" + bad}},
    {"ph": "X", "name": "op" + bad, "cat": "c" + bad, "pid": 1, "tid": 1, "ts": 1, "dur": 5, "args": {"k": "v" + bad}},
    {"ph": "C", "name": "counter" + bad, "pid": 1, "ts": 1, "args": {"x" + bad: 3}}],
    "meta" + bad: "value" + bad}, open(sys.argv[1], "w"))
EOF

# clean FILE : has text, and nothing in it that steers; C1 controls and bidi overrides are tested as their UTF-8
clean() {
    filled "$1" || return 2
    LC_ALL=C awk -v controls="[$escape$bell$return]|\302\233|\342\200\256" '
        $0 ~ controls || /^run 99/ { print "# steers: line " NR; bad = 1 }
        END { exit bad }' "$(at "$1")"
}

# shows_clean ARGUMENT... : what it says, well or ill, is clean
shows_clean() {
    STAND_IN_STATUS=0 "$TRACETOOL" "$@" >out 2>err </dev/null
    cat out err >said
    clean said
    result $? "clean: $(echo "$*" | tr -d '[:cntrl:]')"
}

shows_clean import "$name"
run 0 info && has out 'source     a\x1b[31mb.json:'
result $? 'an escape is shown'
shows_clean info
has out 'host\x1b]0;owned\x07\x1b[2J\r\x9b31m\u202eevil\nrun 99 forged'
result $? 'all of them are'
shows_clean stats
shows_clean stats --by tid --format markdown
shows_clean stats --metrics
shows_clean query 'select * from thread, metadata, counter, event'
shows_clean query 'select 1 as "column'"$escape"'[2J"'
shows_clean stats "no-such-$name"
shows_clean stats --pid "$escape[2J"
shows_clean "$escape[2J"
shows_clean --db "$name" info
shows_clean config check "$name"

# A configuration may have anything in its names and values.
printf '[Knob]\n  knob = 1%s[2J\n[Lexgion(Python:a%sc%s.py:f)]\n  tracing_rate = 5\n' "$escape" "$escape" "$bell" >names.conf
shows_clean config show names.conf
has said 'knob = 1\x1b[2J' 'Python:a\x1bc\x07.py'
result $? 'names and values of a configuration are shown'
shows_clean config explain --lexgion "Python:a${escape}c$bell.py:f" names.conf

# Data are what they are.
run 0 query --format json 'select label from thread where label is not null' && has out '"thread\u001b]0;owned\u0007\u001b[2J\u000d'
result $? 'json has every character'
run 0 query --format csv 'select label from thread where label is not null' && has out "thread$escape]0;owned$bell"
result $? 'so has csv'

# -- spreadsheets ------------------------------------------------------------------------------------
# What begins like a formula gets an apostrophe in csv; tsv and json have it as it is. Numbers are numbers.
cat >names.sql <<'EOF'
select '=1+cmd' as text, -1 as number union all select '-[NSFoo bar]', -1.5 union all select '+load', 2
union all select '@main', 3 union all select '''quoted', 4 union all select char(9) || '=tab', 5
union all select '-12.5', 6 union all select 'a=b, c', 7 union all select '+0x10', 8 order by number
EOF
run 0 query --format csv "$(cat names.sql)" && printf "%s\n" "'-[NSFoo bar],-1.5" "'=1+cmd,-1" "'+load,2" "'@main,3" \
    "''quoted,4" "'	=tab,5" '-12.5,6' '"a=b, c",7' "'+0x10,8" >wanted && body | same - wanted
result $? 'no text is a formula in csv, and no number a text'
run 0 query --format tsv "$(cat names.sql)" && has out '=1+cmd	-1' '-[NSFoo bar]	-1.5' "'quoted	4" '\t=tab	5' &&
    refute has out "'="
result $? 'tsv has them as they are'
run 0 query --format json "$(cat names.sql)" && has out '"=1+cmd"' '"-[NSFoo bar]"' '"@main"' && refute has out "'="
result $? 'so has json'
run 0 query --format csv 'select 1 as "=column"' && [ "$(head -n 1 out)" = "'=column" ]
result $? 'the name of a column is a text'
echo '[{"ph":"X","name":"-[NSFoo bar]","pid":1,"tid":1,"ts":1,"dur":5},{"ph":"X","name":"@main","pid":1,"tid":1,"ts":9,"dur":5}]' >objc.json
run 0 --db objc.db import -q objc.json && run 0 --db objc.db query --format csv 'select raw_name from event order by ts_ns' && prints "'-[NSFoo bar]" "'@main"
result $? 'the raw names of a trace'

if has_terminals; then
    typed 0 info
    status=$?
    tr -d '\r' <out >screen
    [ $status -eq 0 ] && clean screen && has screen 'counter\x1b]0'
    result $? 'on a terminal'
    for data in 'query --format json "select label, 1 from thread"' 'stats --format tsv' 'info --format json' 'export --chrome -o -' \
        'depgraph -o -' 'config show --canonical names.conf' 'config fmt names.conf'; do
        typed 0 "$data"
        status=$?
        tr -d '\r' <out >screen
        [ $status -eq 0 ] && clean screen
        result $? "data on a terminal: $data"
    done
    typed 0 TERM=xterm query --format csv '"select label from thread"' && has out 'thread\x1b]0;owned'
    result $? 'what a file has as it is, a terminal has as an escape'
else
    skip 'on a terminal' 'script(1) is not here'
fi
finish
