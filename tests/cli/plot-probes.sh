#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Pictures of Neutrino's records: accesses to memory and the block timeline are what probe-pictures.py finds in the result
# files, which it wrote itself.
. "$SRCDIR/tests/cli/lib.sh"
command -v python3 >/dev/null || { echo '1..0 # SKIP python3 is not here'; exit 0; }
export PYTHONDONTWRITEBYTECODE=1
# shellcheck disable=SC2154
judge=$SRCDIR/tests/oracles/probe-pictures.py db=$scratch/trace.db

# plot WHAT ARGUMENT... : into WHAT.svg, a proper picture
plot() {
    rm -f "$1.svg"
    run 0 --db "$db" plot "$@" -o "$1.svg" && has err "wrote '$1.svg'" &&
        python3 "$SRCDIR/tests/oracles/picture.py" "$1.svg" >/dev/null
}

for seed in $(seeds 8); do
    python3 "$judge" make-dmat "dmat$seed/Jul15_101112_4242" "$seed" && import "dmat$seed" && plot dmat &&
        python3 "$judge" dmat "dmat$seed/Jul15_101112_4242" dmat.svg >out && has out accesses pages
    result $? "dmat, seed $seed: its cells are the accesses of pages over time"
    run 0 --db "$db" plot dmat -o dmat.txt && python3 "$judge" dmat-text "dmat$seed/Jul15_101112_4242" dmat.txt >out && has out letters
    result $? "dmat, seed $seed: so are its letters"
    for unit in cycles ns; do
        python3 "$judge" make-blocks "$unit$seed/Jul15_101112_4242" "$seed" $unit && import "$unit$seed" && plot blocks &&
            python3 "$judge" blocks "$unit$seed/Jul15_101112_4242" blocks.svg $unit >out && has out blocks
        result $? "blocks in $unit, seed $seed: lanes, occupancy and tail are those of the records"
        [ $unit = cycles ] || {
            run 0 --db "$db" plot blocks -o blocks.txt && python3 "$judge" blocks-text "$unit$seed/Jul15_101112_4242" blocks.txt >out && has out letters
            result $? "blocks in $unit, seed $seed: so are the letters"
        }
    done
done

for seed in $(seeds 8); do
    for kind in times slots; do
        traced=$kind$seed/Jul15_101112_4242
        python3 "$judge" make-banks "$traced" "$seed" $kind && import "$kind$seed" && plot banks && plot conflicts &&
            run 0 --db "$db" plot banks -o banks.csv && run 0 --db "$db" plot conflicts -o conflicts.csv &&
            python3 "$judge" banks "$traced" banks.csv conflicts.csv >out && has out accesses conflicts
        result $? "banks and conflicts, seed $seed, $kind: words and passes are those of the records"
    done
    import "dmat$seed" && plot pages && run 0 --db "$db" plot pages -o pages.csv && python3 "$judge" pages "dmat$seed/Jul15_101112_4242" pages.csv >out && has out pages
    result $? "pages, seed $seed: their accesses"
done
for seed in $(seeds 8); do
    traced=clocks$seed/Jul15_101112_4242
    python3 "$judge" make-clocks "$traced" "$seed" && import "clocks$seed" && plot blocks && has blocks.svg 'fitted to the device' 'time since the first block (' &&
        refute has blocks.svg 'do not compare' && run 0 --db "$db" plot blocks --format csv && python3 "$judge" clocks "$traced" "$scratch/out" blocks.svg >told && has told blocks error
    result $? "blocks with both clocks, seed $seed: their times are those of the nearest line, and near to the true ones"
done
# What letters and csv say is what the picture has.
import times1
status=0
for what in banks conflicts; do
    plot $what && run 0 --db "$db" plot $what -o $what.csv && run 0 --db "$db" plot $what -o $what.txt &&
        python3 "$SRCDIR/tests/oracles/picture.py" $what.svg rect row part value >shown && [ "$(sed 1d $what.csv)" = "$(cat shown)" ] &&
        [ "$(sed -n 's/^.*|[#o]* *\([0-9,]*\)$/\1/p' $what.txt | tr -d , | awk '{ n += $1 } END { print n }')" = "$(awk -F, 'NR > 1 { n += $NF } END { print n }' $what.csv)" ] &&
        [ "$(awk 'length > 80' $what.txt | wc -l)" -eq 0 ] || status=1
done
result $status 'letters and csv have the numbers of the picture'

# -- what they say -----------------------------------------------------------------------------------------------
import dmat1 && plot dmat && has dmat.svg 'Memory accesses of COMP.kernel.DMAT' 'x [512, 512, 16]' 'weight [4096, 4096]' \
    '0x7f0200000000' 'since the first access (ticks)' 'by page of 64 KiB' 'those of 0.123457.bin'
result $? 'dmat names pieces of memory, and its axes and pages have units'
import cycles1 && plot blocks && has blocks.svg 'Block timeline of COMP.kernel.block_sched' 'time since the first block (ticks)' \
    'Cycles of different SMs do not compare'
result $? 'blocks in cycles begin at 0 on each multiprocessor'
import ns1 && plot blocks && has blocks.svg 'time since the first block (us)' && refute has blocks.svg 'do not compare'
result $? 'those of one clock do not'
import ns1 && plot banks && has banks.svg 'No record of a probe at ld.shared' && plot pages && has pages.svg 'No record' && run 0 --db "$db" plot banks --format csv && has err 'nothing is to be drawn'
result $? 'so do banks and pages'
import dmat1 && plot banks && has banks.svg 'that are no access of shared memory'
result $? 'addresses that are not those of shared memory are left out'
import dmat1 && plot blocks && has blocks.svg 'No record of a probe with a begin' && import ns1 && plot dmat &&
    has dmat.svg 'No record of a probe with an address'
result $? 'each says that there is nothing to show'
db=$scratch/both.db
run 0 --db "$db" import dmat1 && run 0 --db "$db" import --add ns1 && plot dmat && plot blocks &&
    python3 "$judge" dmat dmat1/Jul15_101112_4242 dmat.svg >out && has out accesses &&
    python3 "$judge" blocks ns1/Jul15_101112_4242 blocks.svg ns >out && has out blocks
result $? 'of a run with both each finds its own'
db=$scratch/trace.db
python3 "$judge" make-blocks other/Jul15_101112_4242 2 ns && mkdir two && cp -r ns1/Jul15_101112_4242 two/ &&
    cp other/Jul15_101112_4242/result/0.123457.bin two/Jul15_101112_4242/result/5.000000.bin &&
    import two && plot blocks && has blocks.svg 'Left out: ' 'records of other launches'
result $? 'one launch is shown, and the others are told'
plot blocks --name block_sched && refuses 2 'no operation' --db "$db" plot blocks --name nothing
result $? '--name chooses the operation'
plot dmat --filter op_cat=RT && has dmat.svg 'Only spans with op_cat=RT.' 'No record'
result $? '--filter'
for what in dmat blocks; do
    run 0 --db "$db" plot $what && cp out again.svg && run 0 --db "$db" plot $what -o - && same again.svg out
    result $? "$what: the same bytes twice"
done

# -- a kernel that is woven and run here --------------------------------------------------------------------------
cat >addresses.py <<'P'
from neutrino import probe, Map
import neutrino.language as nl

@Map(level="thread", type="array", size=16, cap="dynamic")
class DMAT:
    clock: nl.u64
    addr: nl.u64

start: nl.u64 = 0
since: nl.u64 = 0

@probe(pos="kernel", level="thread", before=True)
def begin():
    start = nl.clock()

@probe(pos="ld.global:st.global", level="thread")
def access():
    since = nl.clock() - start
    DMAT.save(since, nl.addr)
P
run 0 probe weave "$TRACETOOL_DATA/neutrino/add.ptx" addresses.py -o woven.ptx &&
    run 0 probe run -g 200 -b 64 -a fill:51200:f32:1.5 -a fill:51200:f32:2 -a zero:51200 -a u32:12800 --trace ran woven.ptx &&
    import ran && plot dmat && has dmat.svg '38,400 accesses' &&
    python3 "$SRCDIR/tests/oracles/picture.py" dmat.svg rect page count >cells &&
    [ "$(awk -F, '{ n += $2 } END { print n }' cells)" -eq 38400 ]
result $? 'three accesses of each of 12,800 threads of a kernel that ran here'
# A column of a tile of 32 by 32 words, which all lies in one bank; padded to 33 words a row, in one bank each.
cat >shared.py <<'P'
from neutrino import probe, Map
import neutrino.language as nl

@Map(level="thread", type="array", size=24, cap=4)
class Shared:
    clock: nl.u64
    addr: nl.u64
    bytes: nl.u32
    cuid: nl.u32

@probe(pos="ld.shared:st.shared", level="thread")
def access():
    Shared.save(nl.clock(), nl.addr, nl.bytes, nl.cuid())
P
for row in 128 132; do
    cat >column.ptx <<P
.version 7.0
.target sm_80
.address_size 64
.visible .entry column()
{
.reg .b32 %r<4>;
.shared .align 16 .b8 tile[8192];
mov.u32 %r1, %tid.x;
mul.lo.u32 %r2, %r1, $row;
mov.u32 %r3, tile;
add.u32 %r2, %r2, %r3;
st.shared.u32 [%r2+4], %r1;
ret;
}
P
    [ "$row" -eq 128 ] && passes='32,more: conflicts,3' || passes='1,as many as their words need,3'
    run 0 probe weave column.ptx shared.py -o woven.ptx && run 0 probe run -g 3 -b 32 --trace "column$row" woven.ptx && import "column$row" &&
        ask "SELECT count(*), min(json_extract(args, '\$.bytes')), max(json_extract(args, '\$.bytes')) FROM event WHERE args LIKE '%addr%'" 96,4,4 &&
        run 0 --db "$db" plot conflicts --format csv && [ "$(sed 1d out)" = "$passes" ]
    result $? "a column of rows of $row bytes that ran here"
done
# Here both clocks count instructions: of 17 blocks the first and the last are on SM 0, the others have one reading each.
cat >both.py <<'P'
from neutrino import probe, Map
import neutrino.language as nl

@Map(level="thread", type="array", size=24, cap=1)
class Both:
    clock: nl.u64
    time: nl.u64
    elapsed: nl.u32
    cuid: nl.u32

began: nl.u64 = 0
at: nl.u64 = 0

@probe(pos="kernel", level="thread", before=True)
def begin():
    began = nl.clock()
    at = nl.time()

@probe(pos="kernel", level="thread")
def end():
    Both.save(began, at, nl.clock() - began, nl.cuid())
P
run 0 probe weave "$TRACETOOL_DATA/neutrino/add.ptx" both.py -o woven.ptx && run 0 probe run -g 17 -b 32 -a zero:2176 -a zero:2176 -a zero:2176 -a u32:544 --trace both woven.ptx &&
    import both && plot blocks && has blocks.svg 'fitted to the device' 'off by more than 0 ns' '15 SMs with one reading have the rate of another.' &&
    run 0 --db "$db" plot blocks --format csv && [ "$(wc -l <out)" -eq 18 ] && [ "$(sed 1d out | sort -t, -k3n | awk -F, '{ print $1 }' | tr '\n' ' ')" = '0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 0 ' ]
result $? 'blocks with both clocks of a kernel that ran here follow each other'
run 0 probe run -g 16 -b 32 -a zero:2048 -a zero:2048 -a zero:2048 -a u32:512 --trace one woven.ptx && import one && plot blocks && has blocks.svg 'do not compare'
result $? 'one reading of each tells no rate'
# -- how long records take --------------------------------------------------------------------------------------
for trace in ns1 cycles1; do
    import $trace && plot histogram && python3 "$SRCDIR/tests/oracles/picture.py" histogram.svg rect count >counts &&
        run 0 --db "$db" plot histogram --format text -o - && [ "$(sed -n 's/.*| *[^ 0-9]* *\([0-9,]*\)$/\1/p' out | tr -d , | grep .)" = "$(cat counts)" ] &&
        [ "$(awk 'length > 80' out | wc -l)" -eq 0 ]
    result $? "the letters of a histogram of $trace have the counts of its picture"
done
finish
