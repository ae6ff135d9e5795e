#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Pictures: well-formed and harmless whatever the names, of bounded size, the same bytes twice, and their numbers are those
# of the database and of the other commands, read from the picture by a parser of XML.
. "$SRCDIR/tests/cli/lib.sh"
command -v python3 >/dev/null || { echo '1..0 # SKIP python3 is not here'; exit 0; }
export PYTHONDONTWRITEBYTECODE=1
picture() { # FILE [ELEMENT KEY...] : what it shows; fails if it is no proper picture
    python3 "$SRCDIR/tests/oracles/picture.py" "$@"
}
python3 "$SRCDIR/tests/oracles/picture.py" --self-test >out && has out ok
result $? 'the reader of pictures knows a bad one'

# plot WHAT ARGUMENT... : into WHAT.svg, a proper picture
plot() {
    rm -f "$1.svg"
    run 0 --db "$db" plot "$@" -o "$1.svg" && has err "wrote '$1.svg'" && picture "$1.svg" >/dev/null
}

# -- breakdown --------------------------------------------------------------------------------------------------
import "$TRACETOOL_DATA/tau-mpi4" && plot breakdown
result $? 'plot breakdown'
run 0 --db "$db" breakdown --unit ns --format csv
python3 - out >wanted <<'P'
import csv, sys
names = {'compute_ns': 'compute', 'communication_exposed_ns': 'exposed communication', 'memory_ns': 'memory', 'wait_ns': 'wait',
         'sync_ns': 'sync', 'io_ns': 'I/O', 'runtime_ns': 'runtime', 'idle_ns': 'idle'}
for row in csv.DictReader(open(sys.argv[1])):
    for key in names:
        if row[key] != '0':
            print('%s,%s,%s' % (row['rank'], names[key], row[key]))
P
picture breakdown.svg rect row part value >shown && same wanted shown
result $? 'its bars are the numbers of breakdown'
ask "SELECT sum(self_ns) FROM event JOIN process USING (pid) WHERE op_cat = 'COMP'" \
    "$(picture breakdown.svg rect part value | awk -F, '$1 == "compute" { sum += $2 } END { print sum }')"
result $? 'compute is what SQL adds up'
has breakdown.svg 'run 1: tautrace.0.0.0.trc and 3 other sources, 4 ranks' 'time (ms)' 'prefers-color-scheme:dark'
result $? 'it says of which run, and in what unit'

# -- matrix -----------------------------------------------------------------------------------------------------
plot matrix && picture matrix.svg rect src dst value count | sort >shown
run 0 --db "$db" query --format csv 'SELECT src_pid, dst_pid, sum(bytes), count(*) FROM message GROUP BY 1, 2' && body | sort | same - shown
result $? 'plot matrix: its cells are what SQL adds up'
run 0 --db "$db" comm --format csv && column src >a && column dst >b && column bytes >c && column count >d &&
    paste -d, a b c d | sort | same - shown
result $? 'and what comm says'
has matrix.svg 'to 10 MB' 'rotate(-90'
result $? 'shades tell how much'
if [ -x "$BUILDDIR/bench/gen-tau" ]; then
    "$BUILDDIR/bench/gen-tau" --records 200000 --nodes 150 --messages --merged big && run 0 --db big.db import big.trc big.edf &&
        run 0 --db big.db plot matrix -o big.svg && has big.svg '150 processes: a row or column is the sum of 3 neighbours' &&
        run 0 --db big.db query --format csv 'SELECT sum(bytes), count(*) FROM message' &&
        prints "$(picture big.svg rect value count | awk -F, '{ v += $1; c += $2 } END { printf "%.0f,%.0f\n", v, c }')" &&
        [ "$(wc -c <big.svg)" -lt 1000000 ]
    result $? 'plot matrix: of 150 processes nothing is lost'
else
    skip 'plot matrix: of 150 processes nothing is lost' 'bench/gen-tau is not built'
fi

# -- histogram --------------------------------------------------------------------------------------------------
plot histogram --name MPI_Recv && has histogram.svg 'Durations of Comm.MPI_Recv.RECV'
result $? 'plot histogram'
picture histogram.svg rect from to count >buckets
while IFS=, read -r from to count; do
    "$TRACETOOL" --db "$db" query --format csv \
        "SELECT $from, $to, count(*) FROM event WHERE name = 'Comm.MPI_Recv.RECV' AND dur_ns >= $from AND dur_ns < $to" | tail -n 1
done <buckets | same - buckets && ask "SELECT count(*) FROM event WHERE name = 'Comm.MPI_Recv.RECV'" \
    "$(awk -F, '{ n += $3 } END { print n }' buckets)"
result $? 'its buckets are what SQL counts, and hold all spans'
run 0 --db "$db" stats --filter name=Comm.MPI_Recv.RECV --unit ns --format csv &&
    [ "$(picture histogram.svg text value | paste -sd,)" = "$(column med_ns),$(column p95_ns),$(column p99_ns)" ]
result $? 'its marks are the percentiles of stats'
run 0 --db "$db" query --format csv 'SELECT name FROM (SELECT name, sum(self_ns) AS s FROM event GROUP BY 1 ORDER BY 2 DESC LIMIT 1)' &&
    body >top && run 0 --db "$db" plot histogram && has out "Durations of $(cat top)"
result $? 'without a name it is of the operation with the most self time'
refuses 2 'is part of' --db "$db" plot histogram --name MPI && refuses 2 "does not go with 'steps'" --db "$db" plot steps --name MPI_Recv
result $? 'a name that does not say which'

# -- timeline ---------------------------------------------------------------------------------------------------
# A rank of this trace is one thread, which is always in a span.
plot timeline && picture timeline.svg path lane part value | sed 's/^node\([0-9]\) 0,communication/\1,exposed communication/; s/^node\([0-9]\) 0/\1/' |
    sort >shown && picture breakdown.svg rect row part value | grep -v ,idle, | sort | same - shown
result $? 'plot timeline: its sums are those of breakdown'
ask "SELECT sum(self_ns) FROM event" "$(picture timeline.svg path value | awk '{ sum += $1 } END { print sum }')"
result $? 'all in all what SQL adds up'
plot timeline --time-window 1ms:3ms && picture timeline.svg path lane value | awk -F, '{ sum[$1] += $2 } END { for (lane in sum) printf "%.0f\n", sum[lane] }' |
    sort -u >shown && echo 2000000 | same - shown && has timeline.svg '>2</text>' && refute has timeline.svg '>3</text>'
result $? 'a window of 2 ms has 2 ms a thread'
printf '%s\n' '{"traceEvents":[{"ph":"X","name":"MPI_File_read","cat":"I/O","pid":1,"tid":1,"ts":0,"dur":500},
    {"ph":"X","name":"a","pid":1,"tid":1,"ts":500,"dur":100},{"ph":"X","name":"a","pid":1,"tid":2,"ts":999.9,"dur":0.1}]}' >parts.json
run 0 --db parts.db import parts.json && run 0 --db parts.db plot timeline -o parts.svg && python3 - parts.svg >out <<'P'
import re, sys, xml.etree.ElementTree as ET
root = ET.parse(sys.argv[1]).getroot()
lanes = [r for r in root.iter('{http://www.w3.org/2000/svg}rect') if r.get('class') == 'none']
left, width, height = (float(lanes[0].get(key)) for key in ('x', 'width', 'height'))
for path in root.iter('{http://www.w3.org/2000/svg}path'):
    for x, w, h in re.findall(r'M([0-9.]+) [0-9.]+h([0-9.]+)v([0-9.]+)h-', path.get('d')):
        print(path.get('data-lane'), path.get('data-part'), '%.3f %.3f %.2f' % ((float(x) - left) / width, float(w) / width, float(h) / height))
P
has out '1 1 I/O 0.000 0.500 1.00' '1 1 compute 0.500 0.100 1.00' '1 2 compute 0.999 0.001 0.25' && lines out 3
result $? 'shapes lie where the spans do, and a short one is seen'
if [ -x "$BUILDDIR/bench/gen-tau" ]; then
    run 0 --db big.db plot timeline -o big.svg && [ "$(wc -c <big.svg)" -lt 2000000 ] && has big.svg '150 threads: a lane is of all threads of 3 ranks' &&
        run 0 --db big.db query --format csv 'SELECT sum(self_ns) FROM event' &&
        prints "$(picture big.svg path value | awk '{ sum += $1 } END { printf "%.0f\n", sum }')"
    result $? 'of 150 threads nothing is lost'
else
    skip 'of 150 threads nothing is lost' 'bench/gen-tau is not built'
fi

# -- flame ------------------------------------------------------------------------------------------------------
plot flame && picture flame.svg rect name depth total self count | sort >shown
result $? 'plot flame'
run 0 --db "$db" tree --unit ns --top 0 --format csv && column name >a && column depth >b && column total_ns >c && column self_ns >d &&
    column count >e && paste -d, a b c d e | sed 's/\(.*,.*\)\(,[0-9]*,[0-9]*,[0-9]*,[0-9]*\)$/"\1"\2/' | sort >wanted
comm -23 shown wanted >strange && [ ! -s strange ] && has flame.svg "Left out with what is inside: 5 boxes" &&
    [ "$(wc -l <wanted)" -ge $(($(wc -l <shown) + 5)) ] && [ "$(sort -t, -k 2 shown | wc -l)" -gt 40 ]
result $? 'its boxes are the rows of tree'
python3 - flame.svg >out <<'P'
import sys, xml.etree.ElementTree as ET
boxes = [r for r in ET.parse(sys.argv[1]).getroot().iter('{http://www.w3.org/2000/svg}rect') if r.get('data-depth')]
at = lambda r: (float(r.get('x')), float(r.get('x')) + float(r.get('width')), float(r.get('y')))
lost = [r for r in boxes if r.get('data-depth') != '1' and
        not any(at(p)[0] <= at(r)[0] + .02 and at(r)[1] <= at(p)[1] + .02 for p in boxes
                if int(p.get('data-depth')) == int(r.get('data-depth')) - 1 and at(p)[2] < at(r)[2])]
both = [1 for r in boxes for p in boxes if r is not p and at(r)[2] == at(p)[2] and at(r)[0] < at(p)[0] < at(r)[1] - .02]
print('boxes', len(boxes) > 40, 'lost', len(lost), 'overlap', len(both))
P
has out 'boxes True lost 0 overlap 0'
result $? 'each box is inside one, and none over another'

# -- waits ------------------------------------------------------------------------------------------------------
for by in kind cause; do
    plot waits --by $by && run 0 --db "$db" waits --by rank,$by --top 0 --unit ns --format csv
    column wait_ns >a && column rank >b && column $by >c && paste -d, b c a | sort >wanted
    picture waits.svg rect row part value | sed 's/,rank /,/' | sort | same - wanted
    result $? "plot waits --by $by: its bars are the numbers of waits"
done
refuses 2 "'--by' does not go with 'steps'" --db "$db" plot steps --by kind && refuses 2 "there are kind, cause" --db "$db" plot waits --by x
result $? '--by is for waits'

# -- steps ------------------------------------------------------------------------------------------------------
import "$TRACETOOL_DATA/job-2x1" && plot steps
result $? 'plot steps'
run 0 --db "$db" steps --unit ns --format csv && column rank >ranks && column step >steps && column iteration_ns >times &&
    paste -d, ranks steps times | sed 's/^/rank /' >wanted
picture steps.svg circle series step max >shown && same wanted shown
result $? 'its points are the numbers of steps'
filled times && [ "$(sort -n times | awk '{ t[NR] = $1 } END { print t[int(NR / 2) + 1] }')" = "$(picture steps.svg text mark)" ]
result $? 'the line across is their median'

# Where the axis begins above 0 it says so; ticks and points are by one scale either way.
cat >scale.py <<'P'
import sys, xml.etree.ElementTree as ET
root = ET.parse(sys.argv[1]).getroot()
texts = [t for t in root.iter('{http://www.w3.org/2000/svg}text') if t.get('class') == 'r' and t.get('data-mark') is None]
ticks = [(float(t.text) * 1000, float(t.get('y')) - 4) for t in texts]
points = [(int(c.get('data-max')), float(c.get('cy'))) for c in root.iter('{http://www.w3.org/2000/svg}circle')]
(a, y), (b, z) = ticks[0], ticks[-1]
off = max(abs(y + (value - a) * (z - y) / (b - a) - at) for value, at in ticks + points)
print('from', int(a), 'off by less than 0.02:', off < 0.02, len(points) > 3)
P
python3 scale.py steps.svg >out && has out 'from 730000 off by less than 0.02: True True' && has steps.svg 'The axis begins at 730.0 us, not at 0.'
result $? 'the axis of steps that differ little begins above 0'
printf '{"schemaVersion":1,"traceEvents":[' >differ.json
for step in 0 1 2 3; do
    printf '{"ph":"X","name":"ProfilerStep#%s","cat":"user_annotation","pid":1,"tid":1,"ts":%s000,"dur":%s},' $step $step $((100 + 200 * step))
    printf '{"ph":"X","name":"aten::mm","cat":"cpu_op","pid":1,"tid":1,"ts":%s001,"dur":50}%s' $step "$([ $step = 3 ] && echo ']}' || echo ,)"
done >>differ.json
run 0 --db differ.db import differ.json && run 0 --db differ.db plot steps -o differ.svg && python3 scale.py differ.svg >out &&
    has out 'from 0 off by less than 0.02: True True' && refute has differ.svg 'The axis begins'
result $? 'that of others at 0'

# -- many ranks and steps ---------------------------------------------------------------------------------------
python3 - >many.json <<'P'
import json
events = []
for rank in range(100):
    for step in range(600):
        begin = step * 1000 + rank
        events.append({'ph': 'X', 'name': 'ProfilerStep#%d' % step, 'cat': 'user_annotation', 'pid': rank, 'tid': 1, 'ts': begin,
                       'dur': 900 + rank % 7 + (step * 37) % 50})
        events.append({'ph': 'X', 'name': 'aten::mm', 'cat': 'cpu_op', 'pid': rank, 'tid': 1, 'ts': begin + 1, 'dur': 500})
print(json.dumps({'schemaVersion': 1, 'traceEvents': events}))
P
run 0 --db "$db" import many.json && plot steps && plot breakdown
result $? 'plot 100 ranks of 600 steps'
has steps.svg '100 ranks: the band' 'A point is of 3 steps' && has breakdown.svg '100 ranks: a bar is the sum of 2 neighbours'
result $? 'they say what is added up'
run 0 --db "$db" steps --unit ns --format csv
[ "$(column iteration_ns | sort -n | tail -n 1)" = "$(picture steps.svg circle max | sort -n | tail -n 1)" ] &&
    [ "$(column iteration_ns | sort -n | head -n 1)" = "$(picture steps.svg circle min | sort -n | head -n 1)" ] &&
    [ "$(picture steps.svg circle series n | awk -F, '/^all/ { n += $2 } END { print n }')" = 60000 ]
result $? 'no step is lost, nor the longest'
run 0 --db "$db" breakdown --unit ns --format csv
[ "$(total compute_ns)" = "$(picture breakdown.svg rect part value | awk -F, '$1 == "compute" { sum += $2 } END { printf "%.12g\n", sum }')" ]
result $? 'nor any time'
[ "$(wc -c <steps.svg)" -lt 300000 ] && [ "$(wc -c <breakdown.svg)" -lt 100000 ]
result $? 'they are small'

# -- hostile names ----------------------------------------------------------------------------------------------
python3 - >hostile.json <<'P'
import json
names = ['<script>alert(1)</script>', '"><img src=x onerror=alert(1)>', "' onload='alert(1)", '&amp;&lt;&#0;]]>', 'a\x01\x1b[31m\r\n\tb',
         '\u202e\u2028\ufffe\uffff', 'x' * 10000, '--><!--', '\u6f22' * 300, 'e' + '\u0301' * 9000, '%s%n{}$(id)']
events = []
for i, name in enumerate(names):
    for step in range(3):
        begin = step * 100
        events.append({'ph': 'X', 'name': 'ProfilerStep#%d' % step, 'cat': 'user_annotation', 'pid': name, 'tid': name, 'ts': begin, 'dur': 90})
        events.append({'ph': 'X', 'name': name, 'cat': 'cpu_op', 'pid': name, 'tid': name, 'ts': begin + 1, 'dur': 50 + i + 30 * (i == 1)})
print(json.dumps({'schemaVersion': 1, 'traceEvents': events}))
P
sed 's/--><!--/--\xff\xc0\x80<!--/g' hostile.json >'<b>&".json'
import '<b>&".json'
result $? 'import names of an attacker'
for what in steps breakdown matrix histogram timeline flame waits; do
    plot $what && refute matches $what.svg -i '<script\|<img\|<b>'
    result $? "$what: they stay text"
done
has breakdown.svg '&lt;script&gt;alert(1)&lt;/script&gt;' '&lt;b&gt;&amp;&quot;.json' && [ "$(wc -c <breakdown.svg)" -lt 30000 ]
result $? 'which is there, and cut where it is long'

# -- with letters -----------------------------------------------------------------------------------------------
import "$TRACETOOL_DATA/tau-mpi4" && plot roofline && run 0 --db "$db" plot roofline -o roofline.txt && picture roofline.svg circle count bytes ns >points &&
    python3 - points roofline.txt <<'P'
import csv, math, sys
points = [list(map(int, row)) for row in csv.reader(open(sys.argv[1]))]
lines = open(sys.argv[2]).read().split('\n')
axis = next(i for i, line in enumerate(lines) if line.strip().startswith('+-'))
rows = [line for line in lines[:axis] if ' |' in line]
width, left = len(lines[axis].strip()) - 1, lines[axis].index('+') + 1
assert max(map(len, lines)) <= 80 and '1 B' in lines[axis + 1] and rows[0].split() [:2] == ['10', 'GB/s'], lines
wanted = set()
for count, size, ns in points:
    x = math.log10(size / count) / 7 * (width - 1)
    y = (10 - math.log10(size * 1e9 / ns)) / 6 * (len(rows) - 1)
    near = {(line, column) for line in (int(y), int(y) + 1) for column in (int(x), int(x) + 1)}
    letters = {rows[line][left + column:left + column + 1] for line, column in near if line < len(rows)}
    assert letters & set('aA'), (count, size, ns, x, y)
    wanted |= near
stray = [(i, k) for i, row in enumerate(rows) for k, c in enumerate(row[left:]) if c in 'aA' and (i, k) not in wanted]
assert not stray and len(points) > 20, stray
P
result $? 'letters of a roofline stand where the points of its picture do'
run 0 --db "$db" plot roofline --format text && same roofline.txt out && has out 'a  messages: to 8 GB/s, from 3.000 us' &&
    refuses 2 "'steps' is not drawn as text; these are: histogram, roofline, dmat, pages, banks, conflicts, blocks" --db "$db" plot steps --format text &&
    refuses 2 'end it in .svg, .png, .txt, .csv or .json' --db "$db" plot roofline -o roofline.pdf
result $? 'others are not drawn with letters'

# -- long names and long times ----------------------------------------------------------------------------------
# Titles, and ticks of many digits at the edges, are all there to read: picture.py complains of those that are not.
python3 - >year.json <<'P'
import json
year = 365 * 86400 * 10**6
name = 'ncclKernel_AllReduce_RING_LL_Sum_float(ncclDevComm, unsigned long, ncclWork) and what is called after it'
events = [{'ph': 'X', 'name': name, 'pid': 1, 'tid': 1, 'ts': 0, 'dur': year}]
events += [{'ph': 'X', 'name': 'ProfilerStep#%d' % i, 'cat': 'user_annotation', 'pid': 2, 'tid': 1, 'ts': i * year // 4, 'dur': year // (4 + 2 * i)} for i in range(4)]
print(json.dumps({'schemaVersion': 1, 'traceEvents': events}))
P
import year.json && plot breakdown && has breakdown.svg '>30,000,000</text>' && plot timeline && plot steps && has steps.svg '>6,000,000</text>' &&
    plot histogram && has histogram.svg '>10,000,000 s</text>' '1 span. Buckets' 'ncclKernel_AllReduce_RING'
result $? 'a run of a year'
echo '[{"ph":"X","name":"a","pid":1,"tid":1,"ts":5,"dur":0.001}]' >short.json && import short.json && plot timeline && plot breakdown && plot histogram && plot flame &&
    has flame.svg '1 rank, 1 span, 1 ns long' && run 0 --db "$db" depgraph -o one.svg && has one.svg '1 node, 0 edges'
result $? 'a run of a nanosecond'

# -- the largest pictures ---------------------------------------------------------------------------------------
# 3,000 call paths of names that escapes make six times as long, in 64 threads that do something else at each pixel.
python3 - >worst.json <<'P'
import json
events = []
for thread in range(64):
    pid = '"' * 60 + str(thread)
    for i in range(880):
        if i % 2:
            events.append({'ph': 'X', 'name': 'MPI_Allreduce', 'pid': pid, 'tid': 1, 'ts': i, 'dur': 1})
        for depth in range(6 - 6 * (i % 2)):
            events.append({'ph': 'X', 'name': '"' * 60 + '%d.%d.%d' % (thread, i % 16, depth) + '"' * 60, 'pid': pid, 'tid': 1, 'ts': i,
                           'dur': 1})
print(json.dumps({'traceEvents': events}))
P
import worst.json
for what in timeline flame; do
    plot $what && [ "$(wc -c <$what.svg)" -lt 5000000 ] && [ "$(wc -c <$what.svg)" -gt 400000 ]
    result $? "$what of the worst of traces is below 5 MB"
done

# -- roofline ---------------------------------------------------------------------------------------------------
roofline() { # TEXT : what it shows is what roofline.py makes of transfers
    python3 "$SRCDIR/tests/oracles/roofline.py" roofline.svg transfers >out && has out points "$1"
}
import "$TRACETOOL_DATA/tau-mpi4" && plot roofline &&
    run 0 --db "$db" query --format csv "SELECT 'messages', bytes, recv_ns - send_ns FROM message WHERE recv_ns > send_ns" &&
    body >transfers && roofline 'roofs 1' && has roofline.svg 'size of a transfer' 'bandwidth' '10 GB/s' 'a late receiver'
result $? 'plot roofline: messages as SQL has them, by one scale'
import "$TRACETOOL_DATA/nsys/train.sqlite" && plot roofline &&
    run 0 --db "$db" query --format csv "SELECT sub_op, json_extract(args, '\$.bytes'), dur_ns FROM event
        WHERE op_cat = 'MEM' AND sub_op <> 'SET' AND json_extract(args, '\$.bytes') IS NOT NULL AND dur_ns > 0" &&
    body >transfers && roofline 'roofs 3' && has roofline.svg 'Left out: 3 transfers that do not tell their size.'
result $? 'copies of devices by their direction'
import "$TRACETOOL_DATA/collectives/rank0.json" "$TRACETOOL_DATA/collectives/rank1.json" && plot roofline &&
    python3 "$SRCDIR/tests/oracles/roofline.py" --calls "$TRACETOOL_DATA"/collectives/rank?.json >transfers && roofline 'roofs 7' &&
    has roofline.svg 'Left out: 2 transfers that do not tell their size.'
result $? 'collectives, sends and receives of devices by their function'
python3 - >nodes.json <<'P'
import json
spans = [{'ph': 'X', 'name': 'copy %d' % i, 'cat': 'gpu_memcpy', 'pid': i, 'tid': 1, 'ts': i, 'dur': 1, 'args': {'bytes': 10**i}} for i in range(9)]
print(json.dumps({'schemaVersion': 1, 'traceEvents': spans}))
P
import nodes.json && plot roofline && has roofline.svg 'copies: to'
result $? 'copies that do not say their direction are there, too'

# -- the command --------------------------------------------------------------------------------------------------
for what in steps breakdown matrix histogram timeline flame waits roofline; do
    run 0 --db "$db" plot $what && cp out again.svg && run 0 --db "$db" plot $what -o - && same again.svg out
    result $? "$what: the same bytes twice, and on standard output"
done
refuses 2 "did you mean 'steps'" --db "$db" plot step
result $? 'the nearest word'
refuses 2 'say what to plot: steps' --db "$db" plot
result $? 'what is missing'
if command -v rsvg-convert >/dev/null; then
    for what in breakdown flame; do
        run 0 --db "$db" plot $what -o $what.png && has err "wrote '$what.png'" &&
            [ "$(od -A n -t x1 -N 20 $what.png | tr -d ' \n')" = 89504e470d0a1a0a0000000d4948445200000780 ]
        result $? "$what.png is a PNG, twice as wide"
    done
    run 0 --db "$db" plot flame --format png -o flame.bin && same flame.bin flame.png
    result $? '--format png'
else
    skip 'png' 'rsvg-convert is not here'
fi
mkdir empty && (PATH=$PWD/empty && run 1 --db "$db" plot flame -o none.png) && has err 'package librsvg2-bin' && [ ! -e none.png ]
result $? 'png without its program says what to do, and leaves no file'
printf '#!/bin/sh\necho broken >&2\nexit 3\n' >empty/rsvg-convert && chmod +x empty/rsvg-convert &&
    (PATH=$PWD/empty:$PATH && run 1 --db "$db" plot flame -o none.png) && has err "'rsvg-convert' failed: broken" && [ ! -e none.png ]
result $? 'so does one whose program fails'
refuses 2 'end it in .svg, .png, .txt, .csv or .json' --db "$db" plot steps -o steps.jpg && [ ! -e steps.jpg ]
result $? 'what it cannot write'
plot breakdown --filter op_cat=COMP --time-window 0:100 && has breakdown.svg 'Only spans with op_cat=COMP.' 'Only the time 0:100 (us)'
result $? 'the picture says what was chosen'
# -- numbers for programs ----------------------------------------------------------------------------------------
# rows TRACE WHAT... : of each, csv and json are what the picture's shapes have
rows() {
    import "$1" || return 1
    shift
    for what in "$@"; do
        plot "$what" && run 0 --db "$db" plot "$what" -o rows.json && run 0 --db "$db" plot "$what" --format csv -o rows.any &&
            python3 "$SRCDIR/tests/oracles/picture-rows.py" "$what.svg" rows.any rows.json >counted && matches counted 'shapes [1-9]' || return 1
        run 0 --db "$db" plot "$what" --format csv && same out rows.any || return 1
    done
}
rows "$TRACETOOL_DATA/job-2x1" steps breakdown histogram timeline flame waits what-if
result $? 'csv and json have the numbers of the picture'
rows "$TRACETOOL_DATA/tau-mpi4" matrix histogram waits breakdown flame roofline
result $? 'so they have of messages'
printf '{"traceEvents":[{"ph":"X","name":"a\\u0022 data-x=\\u0022b &<,\\n>","cat":"c","pid":1,"tid":1,"ts":1,"dur":5},{"ph":"X","name":"12","pid":1,"tid":"007","ts":1,"dur":9}]}' >odd.json
rows odd.json flame timeline
result $? 'whatever names are'
printf '{"traceEvents":[{"ph":"i","name":"a","pid":1,"tid":1,"ts":1}]}' >empty.json
import empty.json && plot timeline && plot flame && plot waits && has waits.svg 'No wait' && plot roofline && has roofline.svg 'No copy of a device' && plot matrix && plot histogram && plot steps && plot breakdown && has histogram.svg 'No span is there' && has matrix.svg 'No message' && has steps.svg 'No step has an iteration' && has breakdown.svg 'No span is there' && has timeline.svg 'No span that takes time' &&
    refute matches timeline.svg 'class="\(grid\|edge\|axis\)' && refute matches flame.svg 'class="\(grid\|edge\|axis\)' && refute matches waits.svg 'class="\(grid\|edge\|axis\)' && refute matches roofline.svg 'class="\(grid\|edge\|axis\)' &&
    refute matches matrix.svg '<rect class="none' && refute matches histogram.svg 'class="\(grid\|edge\|axis\)' && refute matches steps.svg 'class="\(grid\|edge\|axis\)' && refute matches breakdown.svg 'class="\(grid\|edge\|axis\)'
result $? 'a run with nothing to show says so, without axes'
if has_terminals; then
    rm -f ./*.svg
    typed 0 --db "$db" plot steps && [ ! -s out ] && has err 'a browser shows it' && picture steps.svg >/dev/null
    result $? 'in a terminal it becomes a file'
else
    skip 'in a terminal it becomes a file' 'script is not here'
fi
finish
