#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Traces of Neutrino probes: every record against its generator's and an independent reading, damaged files, and what
# becomes of launches, clocks and lanes.
# shellcheck source=tests/cli/lib.sh
. "$SRCDIR/tests/cli/lib.sh"
oracle=$SRCDIR/tests/oracles/neutrino.py
maker=$TRACETOOL_DATA/generators/neutrino.py
examples=$scratch/examples
mkdir "$examples"
cp -r "$TRACETOOL_DATA"/neutrino-* "$examples"
chmod -R u+w "$examples"

# copy NAME : a copy of an example's run to be damaged, in $broken
copy() {
    rm -rf "$scratch/broken"
    cp -r "$examples/neutrino-$1" "$scratch/broken"
    broken=$scratch/broken/Jul15_101112_4242
    bin=$broken/result/0.123457.bin
    log=$broken/event.log
}

poke() { # FILE OFFSET OCTAL... : bytes over those there
    file=$1 at=$2
    shift 2
    # shellcheck disable=SC2059
    printf "$(printf '\\%s' "$@")" | dd of="$file" bs=1 seek="$at" conv=notrunc 2>/dev/null
}

# -- records ----------------------------------------------------------------------------------------------
agrees() { # FOLDER : of one run
    import "$1" && python3 "$oracle" "$db" "$(echo "$1"/*_*_*)"
}
if command -v python3 >/dev/null && python3 -c 'import tomllib' 2>/dev/null; then
    mkdir "$scratch/made" && python3 "$maker" "$scratch/made" && diff -r "$examples" "$scratch/made"
    result $? 'the examples are what their generator writes'
    for example in "$examples"/*; do
        agrees "$example"
        result $? "$(basename "$example"): all records and launches"
    done
    for seed in $(seeds 16); do
        rm -rf "$scratch/random"
        mkdir "$scratch/random" && python3 "$maker" --random $seed "$scratch/random" && agrees "$scratch/random"
        result $? "random run $seed"
    done
    if [ -d "$SHARED_DATA/neutrino/traces" ]; then
        for name in block_sched two old; do
            cp -r "$SHARED_DATA/neutrino/traces/$name" "$scratch/$name" && chmod -R u+w "$scratch/$name" && agrees "$scratch/$name"
            result $? "$name of the reference"
        done
    else
        skip 'traces of the reference' "$SHARED_DATA/neutrino is not here"
    fi
else
    skip 'records' 'python3 with tomllib is not here'
fi

# -- clocks and tracks ---------------------------------------------------------------------------------------
import "$examples/neutrino-new"
ask "SELECT group_concat(clock || ':' || n, ' ') FROM (SELECT clock, count(*) n FROM source GROUP BY clock)" 'epoch:4 ticks:3'
result $? 'a file has a source for each clock'
ask "SELECT count(*) FROM event WHERE pid = '4242.gpu.cycles' AND dur_ns IS NOT NULL" 36
result $? 'cycles are of a process of their own'
ask "SELECT group_concat(value, ' ') FROM (SELECT sum(json_extract(args, '$.sync_bytes')) - (SELECT sum(value) FROM counter WHERE series = 'GMEMBytes/sync_bytes') AS value FROM event WHERE name LIKE '%.GMEMBytes')" 0
result $? 'counters are the sums of their records'
run 0 --db "$db" stats --by sm --format csv && has out 'SM 0' 'SM 3' && lines out 5 && has err '4242,4242.gpu left out' &&
    unsaid 'tells nothing apart'
result $? 'stats --by sm: lanes together, in ticks, time left out, and nothing is said of SMs'
run 0 --db "$db" stats --by sm --filter 'pid = 4242' && has err 'nothing here ran on an SM' && body >rows && lines rows 1
result $? 'stats --by sm without SMs says so'
run 0 --db "$db" compare --by sm --filter 'pid = 4242' "$db" "$db" && has err "nothing of '$db' ran on an SM"
result $? 'compare --by sm, too'
run 0 --db "$db" stats --by pid --format csv && lines out 2 && has err '4242.gpu.cycles left out'
result $? 'other statistics are of time'
run 0 --db "$db" stats --by name --filter 'pid = 4242.gpu.cycles' && has out 'Values are ticks'
result $? 'whose filter leaves only ticks gets ticks'
run 0 --db "$db" info && has out 'time       '
result $? 'info'
if command -v python3 >/dev/null; then
    run 0 --db "$db" export --chrome -o "$scratch/out.json" && python3 - "$scratch/out.json" <<'PYTHON'
import json, sys
last, n = {}, 0
for e in json.load(open(sys.argv[1]))['traceEvents']:
    if e['ph'] == 'X' and 'block_sched' in e['name']:
        place = (e['pid'], e['tid'])
        assert e['ts'] >= last.get(place, 0), e
        last[place], n = e['ts'] + e['dur'], n + 1
assert n == 36 and len(last) == 8, (n, len(last))
PYTHON
    result $? 'Chrome export: warps of one SM lie in lanes that do not overlap'
fi
import "$examples/neutrino-hip"
ask "SELECT count(*), sum(dur_ns % 10), group_concat(DISTINCT substr(tid, 1, 3)) FROM event WHERE name LIKE '%.timed'" '12,0,CU '
result $? 'times of AMD are in steps of 10 ns, tracks are CUs'
import --args none "$examples/neutrino-new"
ask "SELECT count(args) FROM event" 0
result $? '--args none'
import --args warp,cuid "$examples/neutrino-new"
ask "SELECT args FROM event WHERE name LIKE '%.block_sched' ORDER BY ts_ns LIMIT 1" '"{""warp"":0}"'
result $? '--args KEY'
# Shards have texts where a database of its own takes the numbers of a form.
texts="$examples/neutrino-old $examples/neutrino-new $examples/neutrino-hip $examples/neutrino-cap $examples/neutrino-dynamic"
rm -f form.db text.db
# shellcheck disable=SC2086
run 0 --db form.db import -q $texts && run 0 --db text.db import -q --jobs 2 $texts &&
    run 0 --db form.db query --format csv 'SELECT id, args FROM event' && mv out form.csv &&
    run 0 --db text.db query --format csv 'SELECT id, args FROM event' && filled form.csv && cmp -s form.csv out &&
    run 0 --db form.db query --format csv 'SELECT count(*) > 100 FROM args_filled_row' && has out 1
result $? 'arguments as numbers are those as texts'
import --pid gpu7 "$examples/neutrino-old"
ask "SELECT group_concat(pid, ' ') FROM process" 'gpu7 gpu7.gpu gpu7.gpu.cycles'
result $? '--pid'
import "$examples/neutrino-odd-device"
ask "SELECT repairs ->> '$.shared_record.count' FROM source WHERE clock = 'ticks'" 5
result $? 'records that were written over are counted'
run 1 --db "$scratch/strict.db" import --strict "$examples/neutrino-odd-device" && has err 'written over'
result $? '--strict'
import "$examples/neutrino-new" "$examples/neutrino-old"
ask 'SELECT count(*) FROM source' 10
result $? 'several runs at once'
import "$examples" && ask 'SELECT count(*) > 10 FROM source' 1
result $? 'a folder of folders of runs'

# -- one file ---------------------------------------------------------------------------------------------------
copy new
import "$bin" && has err '--probe-layout' && ask "SELECT count(*), sum(value) > 0 FROM event, counter WHERE series = 'map0/w0'" '396,1'
result $? 'a result alone is read as words'
import --probe-layout "$broken/probe.toml" "$bin" && ask "SELECT count(*) FROM event WHERE tid LIKE 'SM %' AND dur_ns > 0" 12
result $? '--probe-layout probe.toml'
cat >"$scratch/layout" <<'TEXT'
area         level   cap  record  offset  type  field
block_sched  warp      1      16       0  u64   start
block_sched  warp      1      16       8  u32   elapsed
block_sched  warp      1      16      12  u32   cuid
GMEMBytes    thread    1       8       0  u32   sync_bytes
GMEMBytes    thread    1       8       4  u32   async_bytes
TEXT
import --probe-layout "$scratch/layout" "$bin" && ask "SELECT count(*) FROM event WHERE tid LIKE 'SM %' AND dur_ns > 0" 12
result $? '--probe-layout with the text of --layout'
sed 's/      12  u32   cuid/  varies  u32   cuid (conditional)/' "$scratch/layout" >"$scratch/layout2"
import --probe-layout "$scratch/layout2" "$bin" && has err 'words w0' && ask "SELECT count(*) FROM counter WHERE series = 'block_sched/w1'" 1
result $? 'fields without a place of their own are words'
sed 's/      8  u32   elapsed/     16  u32   elapsed/' "$scratch/layout" >"$scratch/layout3"
refuses_import 1 'line 3' --probe-layout "$scratch/layout3" "$bin"
result $? 'a layout with a hole is refused'
gzip -k "$bin" && import --probe-layout "$broken/probe.toml" "$bin.gz" && ask "SELECT count(*) FROM event" 396
result $? 'a packed result'
import "$broken/event.log" && ask "SELECT count(*) FROM event" 12
result $? 'an event.log alone'
printf '[call]  1752574272000000000  [2, 3]  24  139637976727552  x  forward  model.py:12\n[call]  broken\n' >"$broken/tensor.trace"
import "$scratch/broken" && ask "SELECT name, file, line, args, ts_ns FROM event WHERE tid = 'tensors'" 'COMP.forward,model.py,12,"{""shape"":""[2, 3]"",""bytes"":24,""address"":139637976727552,""variable"":""x""}",1752574272000000000'
result $? 'tensor.trace'
ask "SELECT repairs ->> '$.odd_record.first_offset' FROM source WHERE path LIKE '%tensor.trace'" 82
result $? 'its odd lines are counted'

# -- from the probe's source to its spans --------------------------------------------------------------------------
cat >"$scratch/probe.py" <<'TEXT'
from neutrino import probe, Map
import neutrino.language as nl
@Map(level="warp", type="array", size=16, cap=1)
class sched:
    at: nl.u64
    took: nl.u32
    place: nl.u32
begin: nl.u64 = 0
took: nl.u64 = 0
@probe(pos="kernel", level="warp", before=True)
def enter():
    begin = nl.time()
@probe(pos="kernel", level="warp")
def leave():
    took = nl.time() - begin
    sched.save(begin, took, nl.cuid())
TEXT
for target in ptx gfx90a; do
    copy seed
    run 0 probe compile --target $target -o "$broken/probe.toml" "$scratch/probe.py" && import "$scratch/broken" &&
        ask "SELECT count(*), count(DISTINCT substr(tid, 1, 4)), min(dur_ns) > 0, group_concat(DISTINCT clock) FROM event JOIN source ON source.id = event.source WHERE name LIKE '%.sched'" '16,4,1,relative'
    result $? "the code of a compiled probe tells what its fields are ($target)"
done
ask "SELECT sum(dur_ns % 10), sum(ts_ns % 10) FROM event WHERE name LIKE '%.sched'" '0,0'
result $? 'and that AMD counts 10 ns'
sed 's/at: nl/start: nl/; s/took: nl.u32/elapsed: nl.u32/; s/place: nl/cuid: nl/' "$scratch/probe.py" >"$scratch/probe2.py"
run 0 probe compile --layout "$scratch/probe2.py" && cp "$scratch/out" "$scratch/layout4" && copy seed &&
    import --probe-layout "$scratch/layout4" "$bin" && ask "SELECT count(*) FROM event WHERE tid LIKE 'SM %' AND dur_ns > 0" 16
result $? 'what --layout prints is what --probe-layout reads'

# -- the log ------------------------------------------------------------------------------------------------------
cat >"$scratch/event.log" <<'TEXT'
[init] pid 77
[init] cmd 9 python a.b and garbage
[mod] cuLibraryGetKernel kernel 0xa1 lib 0xb name _Z3one
[mod] cuKernelGetFunction 0xf1 0xa1
[exec] funcmap-find 0xf1 success
[exec] 1752574272000000000 param 1 2 3
[exec] grid 1 1 1 block 32 1 1 shared 16
[count] size: 48
[exec] grid 1 block 32 probe 48 total 1536
[exec] probe-mem 1536 (bytes)
[exec] failed 700
[exec] funcmap-find 0xf1 success
[exec] 1752574272000001000 param 1
[exec] backup 2 1 1 block 32 1 1 shared 0
[exec] funcmap-find 0xf1 success
[exec] 1752574272000002000 param 1
[exec] grid 1 1 1 block 32 1 1 shared 0
[benchmark] prologue 0.001000 kernel 0.000250 epilogue 0.000001 original 0.000200 impact 1.25 0
[exec] nonsense
[exec] prologue x kernel y epilogue z ratio
[callback] succeed
[exec] funcmap-find 0xf1 success
[exec] 1752574272000009000 param 1
[exec] prolo
TEXT
truncate -s -1 "$scratch/event.log"
import "$scratch/event.log"
ask "SELECT group_concat(args ->> '$.outcome', ' '), count(DISTINCT name) FROM (SELECT * FROM event WHERE name = 'COMP._Z3one' ORDER BY ts_ns)" 'failed unprobed benchmark unfinished,1'
result $? 'launches that failed, ran as they were, were measured, or never ended'
ask "SELECT args ->> '$.code', args ->> '$.dynamic_bytes', args ->> '$.params' FROM event ORDER BY ts_ns LIMIT 1" '700,48,1 2 3'
result $? 'what is said of a launch'
ask "SELECT dur_ns, ts_ns, args ->> '$.original_ns' FROM event WHERE dur_ns = 250" '250,1752574272000003000,200'
result $? 'times of a launch are exact'
ask "SELECT repairs ->> '$.no_close.count', repairs ->> '$.odd_record.count', repairs ->> '$.unclosed.count' FROM source" '1,1,1'
result $? 'half a line is not read; odd lines and open launches are counted'
ask "SELECT value FROM metadata WHERE key = 'command'" 'python a.'
result $? 'the command ends where its length says'

# -- damage of one file, which is no fault of the others ---
# leaves_out TEXT : what is broken is left out with TEXT and status 3, --strict imports nothing, and the rest is what a
# run without the broken file has
leaves_out() {
    refuses_import 1 "$1" --strict "$scratch/broken" || return 1
    rm -f "$db"
    run 3 --db "$db" import "$scratch/broken" && has err "$1"
}
# rows_of_others : all rows of the two results that stay
rows_of_others() {
    run 0 --db "$db" query --format csv "SELECT pid, name, ts_ns, dur_ns, self_ns, args FROM event JOIN source ON source.id = source WHERE path LIKE '%.bin' AND path NOT LIKE '%/0.123457.bin' ORDER BY 1, 2, 3, 4, 5, 6"
}
copy new
import "$scratch/broken" && ask "SELECT count(*) FROM source WHERE repairs IS NOT NULL" 0
result $? 'a sound run: nothing is gone'
rows_of_others && cp "$scratch/out" "$scratch/sound-rows" && [ "$(wc -l <"$scratch/sound-rows")" -gt 700 ]
result $? 'rows of the two results that stay'
copy new; rm "$bin"
leaves_out "0.123457.bin: it is gone; by event.log it has the records of a launch of '_Z5zeros0Pfi' (byte 785)" &&
    ask "SELECT repairs ->> '$.gone_file.count', repairs ->> '$.gone_file.first_offset' FROM source WHERE path LIKE '%event.log'" '1,785'
result $? 'a result that the log names and that is gone'
ask "SELECT count(*) FROM trust WHERE path LIKE '%0.123457.bin' AND pid = '4242' AND lost = 1" 1
result $? 'trust tells whose it is'
ask "SELECT count(*) FROM event JOIN source ON source.id = source WHERE path LIKE '%event.log'" 12
result $? 'its launch is there all the same'
for damage in gone empty cut; do
    copy new
    case $damage in
    gone) rm "$bin" ;;
    empty) : >"$bin" ;;
    cut) truncate -s 2000 "$bin" ;;
    esac
    rm -f "$db"
    run 3 --db "$db" import "$scratch/broken" && rows_of_others && cmp "$scratch/out" "$scratch/sound-rows"
    result $? "$damage: the other results have all their rows"
done
copy new; poke "$bin" 0 2 0 0 0 3 0 0 0
import "$scratch/broken" && has err 'are not those of the launch' &&
    ask "SELECT sum(repairs ->> '$.other_launch.count') FROM source" 1 &&
    refuses_import 1 'another grid' --strict "$scratch/broken"
result $? 'a header with another grid than the log: its own is taken, told, counted, and refused by --strict'
doubted() { # REPAIR PID BYTE TEXT : in one place, of that process, kept as it is; --strict refuses
    refuses_import 1 "$4" --strict "$scratch/broken" && import "$scratch/broken" && has out '1 doubtful event' &&
        ask "SELECT sum(repairs ->> '$.$1.count'), sum(repairs ->> '$.$1.first_offset') FROM source" "1,$3" &&
        ask "SELECT group_concat(coalesce(pid, '?')), sum(doubtful) FROM trust WHERE doubtful > 0" "$2,1" &&
        run 0 --db "$db" import --add "$examples/neutrino-old" && ask "SELECT sum(doubtful) FROM trust WHERE kind = 'record'" 1
}
copy new; sed -i 's/epilogue 0.132870/epilogue 8.132870/' "$log"
doubted other_ratio 4242 785 'contradict the ratio' && ask "SELECT max(dur_ns) FROM event WHERE name LIKE '%epilogue'" 8132870
result $? 'times that contradict their ratio are kept and told'
copy new; sed -i 's/^.exec. prologue 0.119663 kernel 0.145242 epilogue 0.195563 ratio .*/[benchmark] prologue 0.119663 kernel 0.145242 epilogue 0.195563 original 0.072621 impact 2.000001 0/' "$log"
import "$scratch/broken" && ask "SELECT count(*) FROM source WHERE repairs LIKE '%other_ratio%'" 0 &&
    sed -i 's/impact 2.000001/impact 2.000100/' "$log" && doubted other_ratio 4242 1607 'contradict the ratio'
result $? 'and their impact, beyond what six digits leave open'
copy new; poke "$bin" 74 40
doubted too_long 4242.gpu.cycles 64 'longer than the kernel' && ask "SELECT max(dur_ns) FROM event WHERE name LIKE '%block_sched'" 2098040
result $? 'cycles beyond those of their kernel are kept and told'
copy new; gzip "$bin"
import "$scratch/broken" && ask "SELECT count(*) FROM source WHERE repairs IS NOT NULL" 0
result $? 'a packed result is not gone'

# -- damage -------------------------------------------------------------------------------------------------------------
copy new
truncate -s -100 "$bin"
leaves_out 'byte 3228: the file ends here, its data goes to byte 3328'
result $? 'a cut result: where it ends and should'
import --salvage "$scratch/broken" && ask "SELECT count(*) FROM event WHERE source = (SELECT min(id) FROM source WHERE path LIKE '%/0.123457.bin' AND clock = 'epoch')" 371
result $? '--salvage keeps the whole records'
ask "SELECT repairs ->> '$.data_cut.first_offset' FROM source WHERE repairs IS NOT NULL" 3228
result $? 'and says where it was cut'
truncate -s 70 "$bin" && leaves_out 'byte 70: ' && truncate -s 20 "$bin" && leaves_out 'byte 20: ' &&
    truncate -s 0 "$bin" && leaves_out 'byte 0: '
result $? 'cut in the first records, in the header, empty'
copy new; printf x >>"$bin"
leaves_out 'fit no known layout'
result $? 'bytes behind the data'
copy new; poke "$bin" 0 0 0 0 0
leaves_out 'byte 0: a grid of 0 blocks'
result $? 'no blocks'
copy new; poke "$bin" 0 377 377 377 377 377 377 377 377 377 377 377 377
leaves_out 'more than 2^64'
result $? 'dimensions whose product overflows'
copy new; poke "$bin" 28 0 4
leaves_out 'byte 28: the number of maps'
result $? 'too many maps'
copy new; poke "$bin" 28 1
leaves_out 'byte 40: the data of the first map'
result $? 'an offset that fits no table'
copy new; poke "$bin" 57 0
leaves_out 'byte 56: the data of a map begins before'
result $? 'offsets that go back'
copy new; poke "$bin" 71 377
refuses_import 1 'byte 64: record 0 of map' --strict "$scratch/broken" && import "$scratch/broken" &&
    ask "SELECT repairs ->> '$.odd_record.first_offset' FROM source WHERE path LIKE '%/0.123457.bin' AND clock = 'ticks'" 64 && ask "SELECT count(*) FROM event WHERE pid LIKE '%.cycles'" 35
result $? 'a time beyond 2^63 is skipped and counted; --strict refuses it'
copy new; poke "$bin" 78 1 1
import "$scratch/broken" && ask "SELECT tid, repairs ->> '$.odd_unit.count' FROM event JOIN source ON source.id = event.source WHERE tid LIKE '%?'" 'SM ?,1'
result $? 'a number that no SM has'
copy new; head -c 60 "$broken/probe.toml" >"$scratch/x" && cp "$scratch/x" "$broken/probe.toml"
refuses_import 1 'probe.toml: line 6: a string does not end' "$scratch/broken"
result $? 'half a probe.toml'
copy new; sed -i 's/^size = 8/size = 12/' "$broken/probe.toml"
refuses_import 1 'fields take 8 bytes, size is 12' "$scratch/broken"
result $? 'fields that do not fill a record'
copy new; sed -i '/map.GMEMBytes/,$d' "$broken/probe.toml"
leaves_out "byte 28: 2 maps, but '$broken/probe.toml' has 1" && has err '3 of the traces are not in the run'
result $? 'another number of maps'
copy new; rm "$broken/probe.toml"
import "$scratch/broken" && has err 'no probe.toml' && ask "SELECT count(*) > 1000 FROM event" 1
result $? 'no probe.toml: words'
copy new; for info in "$broken"/kernel/*/kernel.info; do printf '_Z1a\n2\n9\n' >"$info"; done
leaves_out 'the file ends here, too early'
result $? 'half a kernel.info'
copy new; for info in "$broken"/kernel/*/kernel.info; do printf '_Z1a\n2\n2\n1,32\n0,8\n' >"$info"; done
import "$scratch/broken" && has err "map 'block_sched' with 32 bytes per warp instead of 16 per warp"
result $? 'a kernel.info that differs is told'
copy new; head -c 65536 /dev/urandom >"$broken/event.log"
import "$scratch/broken" && ask "SELECT count(*) FROM event WHERE pid LIKE '%gpu%'" 1188
result $? 'a log of garbage: the results are read all the same'
copy new; rm "$broken/event.log"; mkfifo "$broken/event.log"
import "$scratch/broken" && ask "SELECT count(*) FROM event WHERE pid LIKE '%gpu%'" 1188
result $? 'a FIFO in place of the log is no log'
copy new; rm -r "$broken/result" "$broken/event.log"
run 1 --db "$db" import --format neutrino "$broken" && has err 'not the directory of a Neutrino run'
result $? 'nothing to read'
import "$examples/neutrino-new" && run 1 --db "$db" import --add "$examples/neutrino-new" && has err 'already in this run' &&
    run 0 --db "$db" import --add --replace "$examples/neutrino-new" && ask 'SELECT count(*) FROM source' 7
result $? '--replace replaces all sources of a file'
finish
