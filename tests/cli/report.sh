#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The page of `report`: whole and harmless whatever the names, bounded, the same bytes twice; its numbers are those of the
# commands and of SQL, read by a parser of HTML that is not ours. What a browser makes of it: tests/browser/report.sh.
. "$SRCDIR/tests/cli/lib.sh"
command -v python3 >/dev/null || { echo '1..0 # SKIP python3 is not here'; exit 0; }
export PYTHONDONTWRITEBYTECODE=1
page() { # FILE [TABLE KEY...] : what it holds; fails if it is no proper page
    python3 "$SRCDIR/tests/oracles/report-page.py" "$@"
}
page --self-test >out && has out ok
result $? 'the reader of pages knows a bad one'

# -- a run of MPI -----------------------------------------------------------------------------------------------
import "$TRACETOOL_DATA/tau-mpi4" && run 0 --db "$db" report -o a.html && has err "wrote 'a.html'" && page a.html >sections &&
    has sections timeline stats breakdown imbalance waits path comm transfers graph trust && refute has sections compare
result $? 'report'
has a.html 'What bounds it</dt><dd>The run is bounded by process node2 (84.2 %)' 'most of all others wait for node2' \
    '<dt>How far to trust it</dt><dd>Every record was read' '4 ranks, 775 spans'
result $? 'it says in sentences what the run is'

# Values that both have, by the keys of JSON: OUT, the output of a command, with TABLE of it, and a table of the page.
same_values() { # PAGE TABLE [MEMBER]
    python3 - "$1" "$2" "${3-}" <<'P'
import json, re, sys
text = open(sys.argv[1], encoding='utf-8').read()
data = json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', text, re.S).group(1))
table = data[sys.argv[2]]
keys = [column['key'] for column in table['columns']]
answer = json.load(open('out'))
rows = answer[sys.argv[3]] if sys.argv[3] else answer
shown = [dict(zip(keys, row)) for row in table['rows']]
if rows != shown or not rows or table['more']:
    sys.exit('# %s differs: %d rows, %d in the command' % (sys.argv[2], len(shown), len(rows)))
P
}
run 0 --db "$db" stats --format json --top 0 && same_values a.html stats.operations
result $? 'statistics are those of stats'
run 0 --db "$db" breakdown --format json --top 0 && same_values a.html breakdown.times
result $? 'where the time went is what breakdown says'
run 0 --db "$db" critical-path --format json --top 0 && same_values a.html path.ops ops && same_values a.html path.ranks ranks
result $? 'the path is that of critical-path'
run 0 --db "$db" waits --format json --top 0 && same_values a.html waits.waits &&
    run 0 --db "$db" waits --show causes --format json --top 0 && same_values a.html waits.causes
result $? 'waits and causes are those of waits'
run 0 --db "$db" comm --format json --top 0 && same_values a.html comm.pairs pairs && same_values a.html comm.collectives collectives
result $? 'messages are those of comm'
points() { # FILE : of the transfers, without the elements around them
    tr '\n' ' ' <"$1" | grep -o '<circle class="c[0-9] dot"[^>]*>'
}
run 0 --db "$db" plot roofline -o roof.svg && points roof.svg >wanted && points a.html >shown && [ "$(wc -l <shown)" -gt 10 ] && same wanted shown
result $? 'transfers are those of plot roofline'
run 0 --db "$db" imbalance --format json --top 0 && same_values a.html imbalance.operations operations &&
    same_values a.html imbalance.ranks ranks
result $? 'what is uneven is what imbalance says'
page a.html --timeline | cut -d, -f2,3 | sort >shown && run 0 --db "$db" query --format csv \
    'SELECT count(*), sum(dur_ns) FROM event WHERE dur_ns IS NOT NULL GROUP BY pid, tid' && body | sort | same - shown
result $? 'the timeline has the spans that SQL counts'
run 0 --db "$db" report -o b.html && cmp -s a.html b.html && run 0 --db "$db" report -o - && cmp -s a.html out &&
    run 0 --db "$db" report -o c.html.gz && gzip -dc c.html.gz | cmp -s - a.html
result $? 'the same bytes twice, on standard output and compressed'

# -- other runs -------------------------------------------------------------------------------------------------
import "$TRACETOOL_DATA/job-2x1" && run 0 --db "$db" report -o job.html && page job.html >out && has out steps &&
    run 0 --db "$db" steps --format json --top 0 && same_values job.html steps.steps
result $? 'a training job has steps'
import "$TRACETOOL_DATA/pi-run" && run 0 --db "$db" report -o pi.html && page pi.html >out && has out kernels
result $? 'a recording of PI'
import "$TRACETOOL_DATA/kineto" && run 0 --db "$db" report -o kineto.html && page kineto.html >out &&
    run 0 --db "$db" kernels --format json --top 0 && same_values kineto.html kernels.streams streams
result $? 'devices are those of kernels'
import "$TRACETOOL_DATA/framework/horovod" && run 0 --db "$db" report -o clocks.html && page clocks.html >out && has out stats breakdown path trust &&
    has clocks.html "There is no answer here: '" 'no path leads from one to the other; import them as runs of their own.' && refute has clocks.html '<dt>What bounds it' &&
    refuses 1 'no path leads' --db "$db" critical-path
result $? 'a question that the run has no answer to is said in its section, and the rest of the page is there'
printf '{"traceEvents":[{"ph":"M","name":"process_name","pid":1,"args":{"name":"a"}}]}' >empty.json && import empty.json && run 0 --db "$db" report -o empty.html && page empty.html >out && has out trust &&
    has empty.html 'This run has no spans.' && refute has out transfers
result $? 'a run of nothing'

# -- sections side by side --------------------------------------------------------------------------------------
# With a second store, on a thread of its own; the page tells the chosen run and clock there, too.
beside() { # ARG...
    TRACETOOL_READERS=0 run 0 "$@" report -o alone.html && TRACETOOL_READERS=1 run 0 "$@" report -o beside.html &&
        page beside.html >out && cmp -s alone.html beside.html
}
import "$TRACETOOL_DATA/tau-mpi4" && run 0 --db "$db" import "$TRACETOOL_DATA/pi-run" && beside --db "$db" --run 1 &&
    has beside.html '4 ranks, 775 spans' && beside --db "$db" --run 2 && beside --db "$db" --clock original --run 1
result $? 'filled side by side sections have the same bytes'

# -- two runs ---------------------------------------------------------------------------------------------------
cp "$TRACETOOL_DATA/tau-mpi4/"* . && run 0 --db one.db import "$TRACETOOL_DATA/tau-mpi4" && run 0 --db two.db import "$TRACETOOL_DATA/tau-merged" &&
    run 0 --db two.db report --against one.db -o two.html && page two.html >out && has out compare &&
    run 0 compare one.db two.db --format json --top 0 && same_values two.html compare.operations operations
result $? 'against another run: the numbers of compare'
refuses 1 'nothing.db' --db two.db report --against nothing.db -o no.html && [ ! -e no.html ]
result $? 'another run that is not there'

# -- texts ------------------------------------------------------------------------------------------------------
python3 - >hostile.json <<'P'
import json
names = ['<script>alert(1)</script>', '"><img src=x onerror=alert(1)>', "'><svg onload=alert(1)>", '</script><script>alert(2)</script>',
         '<!--', '-->', '<![CDATA[', ']]>', '{{script}}', '{{data}}', '</title>', '</template></div><script>alert(3)</script>',
         'a\u2028b\u2029c', 'javascript:alert(1)', '&lt;b&gt;&amp;', '\\u003c', '\x00\x1b[31m', '\ufffe', '\u202eevil', '\ud800', 'x' * 5000]
events = [{'ph': 'X', 'name': name, 'cat': name, 'pid': name, 'tid': name, 'ts': 10 * i, 'dur': 9, 'args': {name: name}} for i, name in enumerate(names)]
events += [{'ph': 'M', 'name': kind, 'pid': name, 'tid': name, 'args': {'name': name}} for name in names for kind in ('process_name', 'thread_name')]
text = json.dumps({'traceEvents': events}, ensure_ascii=True)
print(text)
P
cp hostile.json '<b>"&.json' && import '<b>"&.json' && run 0 --db "$db" report -o hostile.html && page hostile.html >out && has out timeline stats trust &&
    page hostile.html --text >text && has text '<script>alert(1)</script>' '"><img src=x onerror=alert(1)>' '</script><script>alert(2)</script>' '<![CDATA['
result $? 'what looks like markup or script is text'
python3 - hostile.html <<'P'
import re, sys
text = open(sys.argv[1], encoding='utf-8').read()
data = re.search(r'id="data">(.*?)</script>', text, re.S).group(1)
sys.exit(bool(set('<>&') & set(data)) or '\ufffe' in text.split('<script')[0] or 'x' * 2000 in text or '\x1b' in text)
P
result $? 'nothing in the data ends it, and long names are cut'
printf '[{"ph":"X","name":"a\377b\300\274script>","pid":1,"tid":1,"ts":0,"dur":5}]' >odd.json && import odd.json &&
    run 0 --db "$db" report -o odd.html && page odd.html >out && has out stats && iconv -f utf-8 -t utf-8 odd.html >/dev/null
result $? 'bytes that are no characters'

# -- size -------------------------------------------------------------------------------------------------------
if [ -x "$BUILDDIR/bench/gen-tau" ]; then
    "$BUILDDIR/bench/gen-tau" --records 800000 --nodes 300 --messages --merged big && run 0 --db big.db import big.trc big.edf &&
        run 0 --db big.db report -o big.html && page big.html >out && [ "$(wc -c <big.html)" -lt 8000000 ] &&
        has big.html 'are drawn as pieces that tell how many they are' &&
        run 0 --db big.db query --format csv 'SELECT count(*), sum(dur_ns) FROM event WHERE dur_ns IS NOT NULL' &&
        prints "$(page big.html --timeline | awk -F, '{ n += $(NF - 1); ns += $NF } END { printf "%.0f,%.0f\n", n, ns }')"
    result $? 'of many spans the timeline loses none, and the page is bounded'
else
    skip 'of many spans the timeline loses none, and the page is bounded' 'bench/gen-tau is not built'
fi

# -- files ------------------------------------------------------------------------------------------------------
refuses 2 'end it in .html' --db one.db report -o report.pdf
result $? 'another kind of file'
if [ -c /dev/full ]; then
    "$TRACETOOL" --db one.db report -o - >/dev/full 2>err
    [ $? -eq 1 ] && has err 'No space left on device'
    result $? 'a full disk is told'
else
    skip 'a full disk is told' 'there is no /dev/full'
fi
refuses 1 'nowhere/a.html' --db one.db report -o nowhere/a.html
result $? 'a folder that is not there'
finish
