#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Probes woven into AMD's kernels: LLVM's assembler takes them, kernels compute what they did, records are what Python
# computes, results import as those of Neutrino do.
. "$SRCDIR/tests/cli/lib.sh"
gpu=$SRCDIR/tests/gpu
neutrino=$TRACETOOL_DATA/neutrino

# amd PROBE : PROBE.py of tests/gpu, for loads and stores of these machines
amd() { sed 's/"ld\.global[^"]*"/"global_load_dword"/; s/"st\.global[^"]*"/"global_store_dword"/; s/bar.sync:barrier.sync/s_barrier/; s/nl.out/nl.u32(nl.addr)/; s/nl.in1/nl.bytes/' "$gpu/probes/$1.py" >"$1.py"; }
for probe in bytes accesses seed; do amd $probe; done

run 0 probe weave "$gpu/kernels-gfx90a.s" "$neutrino/block_sched.py" -o woven.s &&
    run 0 probe run -k add -g 3 -b 96 -a fill:1152:f32:1 -a fill:1152:f32:2 -a out:sum.bin:1152 -a u32:200 --trace run woven.s &&
    [ "$(od -An -v -t f4 sum.bin | tr -s ' ' '\n' | sort | uniq -c | xargs)" = '1 88 0 200 3' ]
result $? 'a woven kernel computes what it did'
import run && ask "SELECT count(*), min(dur_ns) > 20, count(DISTINCT tid) FROM event WHERE name LIKE 'COMP.add.%'" 6,1,3
result $? 'six waves on three units, of blocks that end within a wave'
ask "SELECT count(*) FROM source WHERE repairs IS NOT NULL" 0
result $? 'nothing to repair'

# -- judged by Python and LLVM -----------------------------------------------------------------------------------
llvm_mc=${LLVM_MC:-}
for number in '' -19 -20 -21; do
    [ -z "$llvm_mc" ] && command -v "llvm-mc$number" >/dev/null && "llvm-mc$number" -triple=amdgcn-amd-amdhsa -mcpu=help /dev/null 2>&1 | grep -q gfx942 && llvm_mc=llvm-mc$number
done
if command -v python3 >/dev/null; then
    for seed in $(seeds 3); do
        LLVM_MC=$llvm_mc python3 "$gpu/weave-random-gcn.py" "$TRACETOOL" "$scratch/random" "$seed" 12 >judged 2>&1 && grep -q '^12 kernels$' judged ||
            { sed 's/^/# /' judged; false; }
        result $? "twelve random kernels with random probes, seed $seed"
    done
    for machine in gfx90a gfx942; do
        for probe in bytes accesses seed; do
            run 0 probe weave "$gpu/kernels-$machine.s" $probe.py -o woven.s &&
                python3 "$gpu/kernels.py" "$TRACETOOL" woven.s 1 add stencil multiply total histogram collatz whole real nothing >judged 2>&1 &&
                [ "$(grep -c '^ok ' judged)" -eq 9 ] || { grep -v '^ok' judged | sed 's/^/# /'; false; }
            result $? "nine kernels of $machine with $probe"
        done
    done
    # Of a grid and blocks of two axes: where each thread stores is at its place in the file.
    cat >where.py <<'TEXT'
from neutrino import probe, Map
import neutrino.language as nl
@Map(level="thread", type="array", size=16, cap=1)
class Stored:
    at: nl.u64
    bytes: nl.u64
@probe(pos="global_store_dword", level="thread", before=True)
def store():
    Stored.save(nl.addr, nl.bytes)
TEXT
    cat >where-judge.py <<'TEXT'
import struct
data = open("where/result/0.000000.bin", "rb").read()
at = [struct.unpack("<QQ", data[48 + 16 * i:64 + 16 * i]) for i in range(4 * 256)]
base = min(at)[0]
want = [(base + 4 * ((by * 16 + y) * 32 + bx * 16 + x), 4) for by in range(2) for bx in range(2) for y in range(16) for x in range(16)]
print("ok" if at == want else "differs")
TEXT
    for machine in gfx90a gfx942; do
        rm -rf where
        run 0 probe weave "$gpu/kernels-$machine.s" where.py -k multiply -o woven.s &&
            run 0 probe run -k multiply -g 2,2 -b 16,16 -a fill:4096:f32:1 -a fill:4096:f32:1 -a zero:4096 -a s32:32 --trace where woven.s &&
            [ "$(python3 where-judge.py)" = ok ]
        result $? "two axes on $machine"
    done
else
    skip 'records' 'no python3'
fi
if [ -n "$llvm_mc" ]; then
    for machine in gfx90a gfx942; do
        for probe in bytes accesses seed; do
            run 0 probe weave "$gpu/kernels-$machine.s" $probe.py -o woven.s &&
                "$llvm_mc" -triple=amdgcn-amd-amdhsa -mcpu=$machine -filetype=obj -o /dev/null woven.s
            result $? "llvm-mc takes $machine with $probe"
        done
    done
else
    skip 'llvm-mc takes what is woven' 'no llvm-mc that knows gfx942'
fi

for machine in gfx90a gfx942; do
    run 0 probe weave "$gpu/kernels-$machine.s" bytes.py -k add -o woven.s || break
    rm -rf axes
    run 0 probe run -k add -g 3 -b 8,8 -a fill:96:f32:1 -a fill:96:f32:2 -a zero:96 -a u32:24 --trace axes woven.s &&
        [ "$(od -An -v -t u8 -w24 -j 48 axes/result/0.000000.bin | awk '$2 == 8 && $3 == 4' | wc -l)" -eq 192 ]
    result $? "a kernel of $machine that asks for one axis of its threads gets no other"
done

# -- a kernel of one's own ---------------------------------------------------------------------------------------

# kernel BODY [DESCRIPTOR [MACHINE]] : k.s, a kernel whose address is in s[4:5] and v[4:5], and whose thread is in v0
kernel() {
    {
        printf '.amdgcn_target "amdgcn-amd-amdhsa--%s"\n.text\nk:\n s_load_dwordx2 s[4:5], s[0:1], 0x0\n s_waitcnt lgkmcnt(0)\n' "${3:-gfx90a}"
        printf ' v_mov_b32_e32 v4, s4\n v_mov_b32_e32 v5, s5\n%s\n s_endpgm\n' "$1"
        printf '.amdhsa_kernel k\n.amdhsa_kernarg_size 8\n.amdhsa_user_sgpr_kernarg_segment_ptr 1\n'
        printf '.amdhsa_next_free_vgpr 16\n.amdhsa_next_free_sgpr 16\n.amdhsa_accum_offset 16\n%s\n.end_amdhsa_kernel\n' "${2-}"
        printf '.amdgpu_metadata\namdhsa.kernels:\n  - .args:\n      - .offset: 0\n        .size: 8\n        .value_kind: global_buffer\n'
        printf '    .name: k\n.end_amdgpu_metadata\n'
    } >k.s
}
# probed POSITION VALUE [ARGUMENTS] : p.py, which saves the value at the position
probed() {
    printf 'from neutrino import probe, Map\nimport neutrino.language as nl\n@Map(level="thread", type="array", size=8, cap=1)\nclass M:\n    at: nl.u64\n' >p.py
    printf '@probe(pos="%s", level="thread"%s)\ndef p():\n    M.save(%s)\n' "$1" "${3-}" "$2" >>p.py
}
# saves WORDS : the first thread's record
saves() {
    rm -rf saved
    run 0 probe weave k.s p.py -o w.s && run 0 probe run -b 2 -a zero:4096 --trace saved w.s || return 1
    [ "$(od -An -v -t x8 -j 48 -N 8 saved/result/0.000000.bin | xargs)" = "$1" ] || { echo "# $(od -An -v -t x8 -j 48 saved/result/0.000000.bin | xargs), not $1"; return 1; }
}
kernel ' v_mov_b32_e32 v6, 64
 global_load_dwordx2 v[4:5], v6, s[4:5] offset:-8
 s_waitcnt vmcnt(0)'
probed global_load nl.addr && saves 00007e0000020238
result $? 'an address of a base, an offset in a register and one in the text, that the load overwrites'
kernel ' s_getpc_b64 s[6:7]
 s_add_u32 s6, s6, table@rel32@lo+4
 s_addc_u32 s7, s7, table@rel32@hi+12
 s_load_dword s8, s[6:7], 0x4
 s_waitcnt lgkmcnt(0)' && printf '.section .rodata\n.p2align 3\ntable:\n .long 7\n .long 9\n' >>k.s
probed s_addc_u32:s_add_u32:s_getpc 'nl.lane()' && run 0 probe weave k.s p.py -o w.s && [ "$(grep -A2 '^ s_getpc_b64' w.s | sed 's/^ //; s/ .*//' | xargs)" = 's_getpc_b64 s_add_u32 s_addc_u32' ]
result $? 'nothing comes between s_getpc_b64 and what counts from it'
kernel '
one: two: v_mov_b32_e32 v6, 5 ; a comment with s_endpgm
 v_accvgpr_write_b32 a1, v6
 v_accvgpr_read_b32 v7, a1' '.amdhsa_next_free_vgpr 18' && sed -i '/next_free_vgpr 16/d' k.s
probed v_accvgpr_read nl.in1 && saves 0000000000000005 && grep -q 'accum_offset 48' w.s
result $? 'accumulators move behind the new registers, and labels stay in front of their line'
kernel ' v_cmp_gt_u32_e32 vcc, 1, v0
 s_and_saveexec_b64 s[8:9], vcc
 v_mov_b32_e32 v7, exec_lo'
probed v_mov_b32_e32 nl.in1 ', before=True' && sed -i 's/s4$/4/; s/v5, s5/v5, 5/' k.s && sed -i 's/pos="v_mov_b32_e32"/pos="v7"/' p.py && saves 0000000000000001
result $? 'EXEC is read as the kernel has it'
kernel ' .rept 3
 s_add_u32 s6, s6, 1
 .endr
 v_mov_b32_e32 v6, s6'
probed s_add_u32 nl.out && sed -i 's/cap=1/cap=4/' p.py && saves 0000000000000001 &&
    [ "$(od -An -v -t u8 -j 48 -N 32 saved/result/0.000000.bin | xargs)" = '1 2 3 0' ]
result $? 'instructions that are repeated'

# -- limits and refusals ---------------------------------------------------------------------------------------------
kernel ' v_mov_b32_e32 v7, 0'
probed v_mov_b32_e32 nl.in1
run 0 probe weave k.s p.py -o w.s && run 0 probe run -b 64 -a zero:64 w.s && has err "map 'M': 128 records found no room: raise its cap"
result $? 'records beyond the cap are counted and said'
refuses 1 'a probe is woven into it already' probe weave w.s p.py && refuses 2 'no probe is woven into kernel' probe run --trace x -a zero:8 k.s
result $? 'twice, and a trace of what is not woven'
refuses 1 "this is for ptx" probe weave k.s "$neutrino/loads.ptx.toml" && run 0 probe compile -t gfx942 -o far.toml "$neutrino/block_sched.py" &&
    refuses 1 'this is for gfx942, the kernel for gfx90a' probe weave k.s far.toml
result $? 'a probe for another machine'
# A symbol may have any name; one of ours is not taken for it.
kernel ' v_mov_b32_e32 v7, 5'
probed v_mov_b32_e32 nl.in1 && sed -i 's/s4$/4/; s/v5, s5/v5, 5/' k.s && sed -i 's/pos="v_mov_b32_e32"/pos="v7"/' p.py && run 0 probe compile -t gfx90a -o named.toml p.py && [ "$(grep -c 'nt_t0' named.toml)" -ge 2 ]
status=$?
for name in x n c0 exec; do
    rm -rf saved
    sed "s/nt_t0/$name/g" named.toml >own.toml
    if ! run 0 probe weave k.s own.toml -o w.s || ! run 0 probe run -b 2 -a zero:4096 --trace saved w.s || [ "$(od -An -v -t x8 -j 48 -N 8 saved/result/0.000000.bin | xargs)" != 0000000000000005 ]; then
        echo "# $name"
        status=1
    fi
done
for name in 'a<b' 'a{b' 'a b' ''; do
    sed "s/nt_t0/$name/g" named.toml >own.toml
    refuses 1 "a .set that is no word" probe weave k.s own.toml || status=1
done
result $status 'names of a probe that are ours, or none'
kernel ' global_load_dwordx4 v[8:11], v[4:5], off'
probed global_load nl.out && refuses 1 'k.s: line 8: global_load_dwordx4: OUT: it is a vector here' probe weave k.s p.py &&
    kernel ' global_load_dword' && probed global_load nl.addr && refuses 1 'k.s: line 8: global_load_dword: ADDR: an address of this form cannot be read' probe weave k.s p.py &&
    probed s_load nl.in3 && refuses 1 'IN3: the instruction has fewer operands' probe weave k.s p.py &&
    probed s_waitcnt nl.addr && refuses 1 's_waitcnt: ADDR: the instruction has no address' probe weave k.s p.py &&
    probed s_waitcnt nl.bytes && refuses 1 's_waitcnt: BYTES: how many bytes the instruction moves is not known' probe weave k.s p.py
result $? 'operands that there are not'
probed s_waitcnt 'nl.lane()'
refuse_kernel() { refuses 1 "$1" probe weave k.s p.py; }
kernel '' '.amdhsa_next_free_vgpr 250
.amdhsa_accum_offset 252' && refuse_kernel "k.s: kernel 'k': it uses 250 vector and 16 scalar registers, the probe needs" &&
    kernel '' '.amdhsa_next_free_sgpr 90' && refuse_kernel 'and there are 256 and 102' &&
    kernel '' '.amdhsa_next_free_sgpr max(1, absent)' && sed -i '/next_free_sgpr 16/d' k.s && refuse_kernel '.amdhsa_next_free_sgpr is missing or no number' &&
    kernel '' '.amdhsa_user_sgpr_kernarg_preload_length 2' && refuse_kernel 'its parameters come in registers'
result $? 'kernels without room, or with a descriptor that cannot be changed'
# As LLVM 22 writes it for kernels that call: of symbols that stand further down.
kernel ' v_mov_b32_e32 v7, 5' '.amdhsa_next_free_vgpr max(totalnumvgprs(k.num_agpr, k.num_vgpr), 1, 0)
.amdhsa_next_free_sgpr max(k.numbered_sgpr+6, 1, 0)-6
.amdhsa_accum_offset (((((alignto(max(1, k.num_vgpr), 4)/4)-1)&~65536)&63)+1)*4' && sed -i '/next_free_[sv]gpr [0-9]/d; /accum_offset [0-9]/d' k.s && cp k.s plain.s &&
    printf ' .set k.num_vgpr, max(8, amdgpu.max_num_vgpr)\n .set k.num_agpr, 0\n .set k.numbered_sgpr, max(16, amdgpu.max_num_sgpr)\n .set amdgpu.max_num_vgpr, 13\n .set amdgpu.max_num_sgpr, 12\n' >>k.s &&
    probed v_mov_b32_e32 nl.in1 && run 0 probe weave k.s p.py -o w.s && run 0 probe run -b 64 -a zero:8 --trace described w.s && [ "$(grep -c 'amdhsa_next_free_vgpr [0-9]*$' w.s)" -eq 1 ] &&
    refute matches w.s 'amdhsa_.*max(' && cp plain.s k.s && refuse_kernel 'is missing or no number'
result $? 'a descriptor of expressions'
for machine in gfx950 gfx942; do
    kernel ' v_mov_b32_e32 v7, 5' '' "$machine" && probed v7 nl.in1 && run 0 probe weave k.s p.py -o w.s && rm -rf made && run 0 probe run -b 64 -a zero:8 --trace made w.s &&
        [ "$(od -An -v -t x8 -j 48 -N 8 made/result/0.000000.bin | xargs)" = 0000000000000005 ]
    result $? "a kernel for $machine"
done
probed s_waitcnt 'nl.lane()'
kernel ' s_setpc_b64 s[4:5]' && refuse_kernel 'line 8: s_setpc_b64: it goes where only a register knows' &&
    kernel ' s_branch nowhere' && refuse_kernel 'line 8: s_branch: there is no such label' && kernel ' v_nop' && sed -i '/s_endpgm/d' k.s && refuse_kernel 'goes on behind the end of the text' &&
    kernel '' && sed -i 's/gfx90a/gfx803/' k.s && refuse_kernel 'only gfx90a, gfx942 and gfx950 are woven' && kernel '' && sed -i '/metadata/d' k.s && refuse_kernel 'it has no metadata' &&
    kernel '' && sed -n '2,/^.end_amdhsa_kernel/p' k.s | sed 's/^k:/other:/; s/amdhsa_kernel k/amdhsa_kernel other/' >other.s && cat other.s >>k.s && refuse_kernel "kernel 'other' cannot be woven: it has no metadata" &&
    run 0 probe weave k.s p.py -k k -o w.s
result $? 'kernels of which it cannot be told where they end'
kernel "$(printf ' s_cbranch_scc0 far\n .rept 4000\n v_mov_b32_e32 v7, 1\n .endr\nfar:')" && probed v_mov_b32_e32 nl.in1 && refuse_kernel "the branch to 'far' would be further than the 128 KiB that there are"
result $? 'branches that would not reach'
kernel '' '.amdhsa_next_free_vgpr 100' && run 0 probe weave k.s "$neutrino/block_sched.py" -o w.s && has err 'its blocks have room for 768 threads' && refuses 2 'a block has room for 768 threads' probe run -b 1024 -a zero:8 w.s
result $? 'blocks that have no room any more'
run 0 probe weave "$gpu/kernels-gfx90a.s" p.py -k nothing -o w.s && refuses 1 "there is no kernel 'none'" probe weave "$gpu/kernels-gfx90a.s" p.py -k none
result $? 'one kernel of several'
finish
