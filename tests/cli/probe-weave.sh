#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Probes woven into kernels: ptxas takes them, kernels compute what they did, records are what Python computes, results
# import as those of Neutrino do.
. "$SRCDIR/tests/cli/lib.sh"
gpu=$SRCDIR/tests/gpu
neutrino=$TRACETOOL_DATA/neutrino

run 0 probe weave "$neutrino/add.ptx" "$neutrino/block_sched.py" -o woven.ptx &&
    run 0 probe run -g 3 -b 48 -a fill:576:f32:1 -a fill:576:f32:2 -a out:sum.bin:576 -a u32:144 --trace run woven.ptx &&
    [ "$(od -An -v -t f4 sum.bin | tr -s ' ' '\n' | sort | uniq -c | xargs)" = '1 144 3' ]
result $? 'a woven kernel computes what it did'
import run && ask "SELECT count(*), min(dur_ns) > 20, count(DISTINCT tid), min(ts_ns) > 1700000000000000000 FROM event WHERE name LIKE 'COMP.add.%'" 6,1,3,1
result $? 'six warps on three SMs, of blocks that end within a warp'
ask "SELECT count(*) FROM source WHERE repairs IS NOT NULL" 0
result $? 'nothing to repair'

# -- judged by Python and ptxas --------------------------------------------------------------------------------
if command -v python3 >/dev/null; then
    for seed in $(seeds 4); do
        for module in kernels-O0 kernels-O2; do
            python3 "$gpu/weave.py" "$TRACETOOL" "$gpu/$module.ptx" "$seed" >judged 2>&1 && [ "$(grep -c '^ok ' judged)" -eq 8 ] ||
                { grep -v '^ok' judged | sed 's/^/# /'; false; }
            result $? "records of $module, seed $seed"
        done
    done
    for probe in bytes accesses seed; do
        for module in kernels-O0 kernels-O2; do
            run 0 probe weave "$gpu/$module.ptx" "$gpu/probes/$probe.py" -o woven.ptx &&
                python3 "$gpu/kernels.py" "$TRACETOOL" woven.ptx 1 >judged 2>&1 && [ "$(grep -c '^ok ' judged)" -eq 11 ]
            result $? "eleven kernels of $module with $probe"
        done
    done
    # What is read as a float: ptxas judges types that are declared, the manuals those of instructions.
    for what in stated values; do
        python3 "$gpu/float-reads.py" $what "$TRACETOOL" >judged 2>&1 && [ "$(grep -c '^ok ' judged)" -ge 9 ] && [ "$(grep -vc '^ok ' judged)" -eq 0 ]
        result $? "registers that are read as floats: $what"
    done
    if command -v ptxas >/dev/null; then
        python3 "$gpu/float-reads.py" declared "$TRACETOOL" ptxas >judged 2>&1 && [ "$(grep -c '^ok ' judged)" -eq 26 ] && [ "$(grep -vc '^ok ' judged)" -eq 0 ]
        result $? 'registers of 13 declared types that are read as f32 and f64, as ptxas takes them'
    else
        skip 'registers of declared types' 'no ptxas'
    fi
else
    skip 'records' 'no python3'
fi
if command -v ptxas >/dev/null; then
    for module in kernels-O0 kernels-O2 guarded; do
        for probe in bytes accesses seed lanes histogram floats guards; do
            [ "$probe" != guards ] || [ "$module" = guarded ] || continue
            [ "$module" != guarded ] || [ "$probe" != accesses ] && [ "$probe" != histogram ] && [ "$probe" != floats ] || continue
            run 0 probe weave "$gpu/$module.ptx" "$gpu/probes/$probe.py" -o woven.ptx &&
                ptxas -arch=sm_80 woven.ptx -o /dev/null && ptxas -arch=sm_90 woven.ptx -o /dev/null
            result $? "ptxas takes $module with $probe, for sm_80 and sm_90"
        done
    done
else
    skip 'ptxas takes what is woven' 'no ptxas'
fi

# -- limits and refusals -------------------------------------------------------------------------------------------
cat >two.py <<'TEXT'
from neutrino import probe, Map
import neutrino.language as nl
@Map(level="thread", type="array", size=8, cap=1)
class M:
    at: nl.u64
@probe(pos="ld.global", level="thread")
def load():
    M.save(nl.addr)
TEXT
run 0 probe weave "$neutrino/add.ptx" two.py -o woven.ptx && run 0 probe run -b 64 -a zero:256 -a zero:256 -a zero:256 -a u32:64 woven.ptx &&
    has err "map 'M': 64 records found no room: raise its cap"
result $? 'records beyond the cap are counted and said, and nothing is overwritten'
sed 's/nl.addr/nl.bytes/' two.py >moved.py && run 0 probe weave "$neutrino/add.ptx" moved.py -o moved.ptx && run 0 probe run -b 64 -a zero:256 -a zero:256 -a zero:256 -a u32:64 --trace moved moved.ptx &&
    [ "$(tail -c 512 moved/result/0.000000.bin | od -An -v -t u8 | tr -s ' ' '\n' | sort -u | xargs)" = 4 ]
result $? 'bytes that are saved as they are'
refuses 1 'a probe is woven into it already' probe weave woven.ptx two.py
result $? 'twice'
sed 's/nl.addr/nl.out/; s/ld.global/ld.global.v4/' two.py >vector.py && refuses 1 'guarded.ptx: line 20: ld.global.v4.f32: OUT: it is a vector here' probe weave "$gpu/guarded.ptx" vector.py
result $? 'a vector has no value'
sed 's/ld.global/bar.sync/' two.py >none.py && refuses 1 'bar.sync: ADDR: the instruction has no address' probe weave "$gpu/guarded.ptx" none.py
result $? 'an instruction without an address'
sed 's/ld.global/tex.2d/' two.py >absent.py && run 0 probe weave "$neutrino/add.ptx" absent.py -o absent.ptx && has err "absent.py: 'load' finds no instruction"
result $? 'a position that is not there is said'
sed 's/ld.global/add.s32/; s/nl.addr/nl.in1/' two.py >inner.py && run 0 probe weave "$gpu/kernels-O2.ptx" inner.py -o inner.ptx && has err "instructions of function 'walk' are not probed"
result $? 'functions are not probed, which is said'
refuses 2 'no probe is woven into kernel' probe run --trace x -a zero:4 -a zero:4 -a zero:4 -a u32:1 "$neutrino/add.ptx" &&
    refuses 1 'cannot make' probe run --trace run -a zero:4 -a zero:4 -a zero:4 -a u32:1 woven.ptx
result $? 'a trace of what is not woven, and where something is'
run 0 probe weave "$gpu/guarded.ptx" "$gpu/probes/guards.py" -o bare.ptx && run 0 probe run -k bare -b 40 --trace bare bare.ptx && import bare && ask "SELECT count(*) > 0 FROM event" 1
result $? 'a kernel without parameters, and without a return'
status=0
for word in f16 s64 shfl; do
    sed "s/nl.addr/nl.$word(nl.in1)/" two.py >word.py && refuses 1 "word.py:8:12: error: there is no $word(): " probe compile word.py || status=1
done
# float VALUE MESSAGE : what cannot be said of an f32 or f64
float() {
    sed "s/nl.addr/$1/" two.py >float.py && refuses 1 "$2" probe compile float.py || status=1
}
float 'nl.f32(nl.in1) + 1' 'error: nothing is computed with an f32: compare it, save it'
float '-nl.f64(nl.in1)' 'nothing is computed with an f64'
float 'nl.f32(nl.in1)' 'an f32 has 32 bits, and goes to 64: write nl.u64(nl.bits(...))'
float 'nl.f32(nl.addr)' 'this operand is an integer, no f32'
float 'nl.f64(3)' 'f64() reads a register: write a constant with a point, as 3.0'
float 'nl.f64(nl.u32(nl.in1))' 'f64() takes 64 bits, and this value has 32'
float 'nl.bits(nl.in1)' 'bits() takes an f32 or f64'
float 'nl.popc(nl.f32(nl.in1))' 'nothing is computed with an f32'
float '1 if nl.f32(nl.in1) < nl.f64(nl.in1) else 2' 'f32 and f64 do not go together'
float '1 if nl.f32(nl.in1) < nl.in1 else 2' 'f32 and an integer do not go together'
float '1 if nl.f32(nl.in1) < 1e39 else 2' 'this number is too large for f32'
float '1 if nl.in1 < 1.5 else 2' 'float constant is not allowed'
[ "$status" -eq 0 ]
result $? 'what a probe cannot ask, and what instead'
sed 's/nl.addr/nl.warp()/' two.py >lane.py && refuses 1 'warp() is there for ptx, not for gfx942' probe compile -t gfx942 lane.py &&
    sed 's/thread/warp/g; s/nl.addr/nl.activemask()/' two.py >mask.py && refuses 1 'activemask() in a probe of warps is always 1' probe compile mask.py &&
    sed 's/thread/warp/g; s/nl.addr/nl.ballot(nl.addr)/' two.py >ballot.py && refuses 1 'ballot() in a probe of warps asks the first thread alone' probe compile ballot.py
result $? 'functions that one machine or level does not have'
finish
