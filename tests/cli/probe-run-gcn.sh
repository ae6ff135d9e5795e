#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# AMD's kernels without a GPU: results that Python computes as well, from clang 19 for gfx90a and gfx942; what the program
# must wait for, with LLVM's waits as the judge; what faults.
. "$SRCDIR/tests/cli/lib.sh"
gpu=$SRCDIR/tests/gpu

# -- judged by Python and LLVM --------------------------------------------------------------------------------
if command -v python3 >/dev/null; then
    for machine in gfx90a gfx942; do
        for seed in $(seeds 3); do
            python3 "$gpu/kernels.py" "$TRACETOOL" "$gpu/kernels-$machine.s" "$seed" add stencil multiply total histogram \
                collatz whole real nothing >judged 2>&1 && [ "$(grep -c '^ok ' judged)" -eq 9 ] || { grep -v '^ok' judged | sed 's/^/# /'; false; }
            result $? "nine kernels of clang 19 for $machine, seed $seed"
        done
    done
    sed 's/v_add_f32_e32/v_sub_f32_e32/; s/v_mul_hi_u32/v_mul_lo_u32/' "$gpu/kernels-gfx90a.s" >wrong.s
    python3 "$gpu/kernels.py" "$TRACETOOL" wrong.s 1 add whole >judged 2>&1
    [ $? -eq 1 ] && [ "$(grep -c '^DIFFERS' judged)" -eq 2 ]
    result $? 'the judge sees wrong instructions'
    every=9
    [ -z "${TEST_LONG-}" ] || every=3
    for machine in gfx90a gfx942; do
        python3 "$gpu/waits.py" "$TRACETOOL" "$gpu/kernels-$machine.s" "$scratch" $every >waits 2>&1 && grep -q '^[1-9][0-9]* waits$' waits ||
            { sed 's/^/# /' waits; false; }
        result $? "each wait that LLVM puts in for $machine is missed where it is taken out"
    done
else
    skip 'kernels of clang' 'no python3'
fi

# -- instructions, one by one ---------------------------------------------------------------------------------

# kernel BODY [MACHINE] : k.s, a kernel whose address is in s[2:3] and v[2:3], and whose thread is in v0
kernel() {
    {
        printf '.amdgcn_target "amdgcn-amd-amdhsa--%s"\n.text\nk:\n s_load_dwordx2 s[2:3], s[0:1], 0x0\n s_waitcnt lgkmcnt(0)\n' "${2:-gfx90a}"
        printf ' v_mov_b32_e32 v2, s2\n v_mov_b32_e32 v3, s3\n s_nop 4\n%s\n s_endpgm\n' "$1"
        printf '.amdhsa_kernel k\n.amdhsa_kernarg_size 8\n.amdhsa_user_sgpr_kernarg_segment_ptr 1\n.amdhsa_group_segment_fixed_size 64\n'
        printf '.amdhsa_next_free_vgpr 16\n.amdhsa_next_free_sgpr 16\n.amdhsa_accum_offset 16\n.end_amdhsa_kernel\n'
        printf '.amdgpu_metadata\namdhsa.kernels:\n  - .args:\n      - .offset: 0\n        .size: 8\n        .value_kind: global_buffer\n'
        printf '    .name: k\n.end_amdgpu_metadata\n'
    } >k.s
}
# gives BODY WORD... : the kernel, with one thread, leaves these words of 32 bits, in hexadecimal
gives() {
    kernel "$1"
    shift
    run 0 probe run --arg out:k.bin:$((4 * $#)) k.s || return 1
    [ "$(od -An -v -t x4 k.bin | xargs)" = "$*" ] || { echo "# $(od -An -v -t x4 k.bin | xargs), not $*"; return 1; }
}
# fails BODY TEXT [MACHINE]
fails() {
    kernel "$1" "${3:-gfx90a}"
    refuses 1 "$2" probe run --arg zero:64 k.s
}

gives ' v_mov_b32_e32 v4, 0x12345678
 v_bfe_i32 v5, v4, 4, 8
 v_alignbit_b32 v6, v4, -1, 12
 v_perm_b32 v7, v4, v5, 0x0c070c04
 global_store_dwordx4 v[2:3], v[4:7], off' 12345678 00000067 678fffff 00120078
result $? 'bytes and bits'
gives ' s_mov_b32 s4, -1
 s_add_u32 s5, s4, 2
 s_addc_u32 s6, 0, 5
 s_bfe_u32 s7, s4, 0x50008
 s_lshl_b64 s[8:9], 1, 33
 s_cmp_lg_u64 s[8:9], 0
 s_cselect_b32 s10, 7, 8
 v_mov_b32_e32 v4, s5
 v_mov_b32_e32 v5, s6
 v_mov_b32_e32 v6, s7
 v_mov_b32_e32 v7, s10
 global_store_dwordx4 v[2:3], v[4:7], off' 00000001 00000006 0000001f 00000007
result $? 'scalars, with carry and condition'
gives ' v_mov_b32_e32 v4, 1.0
 v_add_f32_e64 v5, -v4, |v4|
 v_fma_f32 v6, v4, 0.5, v4
 v_cvt_u32_f32_e32 v7, v6
 global_store_dwordx4 v[2:3], v[4:7], off' 3f800000 00000000 3fc00000 00000001
result $? 'reals, with signs'
gives ' .set here, 2
 .rept 3
 v_add_u32_e32 v[here+2], 5, v4 ; five more
 .endr
 ds_write_b32 v1, v4 offset:8
 s_waitcnt lgkmcnt(0)
 ds_read_b32 v5, v1 offset:8
 s_waitcnt lgkmcnt(0)
 global_store_dwordx2 v[here:here+1], v[4:5], off' 0000000f 0000000f
result $? 'symbols, repeated lines, shared memory'

fails ' global_store_dword v[2:3], v0, off offset:64' "k.s: line 9: global_store_dword: block 0,0,0, wave 0: store of 4 bytes at 0x7e0000020240: it ends 4 bytes behind 'argument 0' of 64" &&
    fails ' ds_read_b32 v4, v1 offset:64' 'shared memory: there are 64' && fails ' s_load_dword s4, s[4:5], 0x0' 'there is no memory'
result $? 'behind memory'
fails ' global_load_dword v4, v[2:3], off
 v_mov_b32_e32 v5, v4' "line 10: v_mov_b32_e32: block 0,0,0, wave 0: v4 is loaded by line 9, which may not have ended: 's_waitcnt vmcnt(0)' is missing" &&
    fails ' s_load_dword s4, s[2:3], 0x0
 s_mov_b32 s5, s4' "'s_waitcnt lgkmcnt(0)' is missing"
result $? 'what is not waited for'
states=' v_cmp_eq_u32_e64 s[4:5], v0, v0
 v_cndmask_b32_e64 v4, 0, 1, s[4:5]'
fails "$states" 's4 is written 0 wait states before, gfx942 needs 2: an s_nop is missing' gfx942 && kernel "$states" && run 0 probe run --arg zero:64 k.s
result $? 'wait states of gfx942, which gfx90a does not need'
fails ' v_mov_b32_e32 v16, 0' "the kernel's descriptor gives it fewer registers" && fails ' v_mov_b32_e32 a0, 0' 'fewer registers' &&
    fails ' v_lshlrev_b64 v[5:6], 1, v[2:3]' 'begin at an even number' && fails ' v_foo v1' 'this instruction cannot be run here' &&
    fails ' v_add_u32_e32 v4, v5' 'cannot be run here' && fails ' s_branch nowhere' 'cannot be found here' && fails ' v_mov_b32_e32 v4, v999' 'this is no operand' &&
    fails ' s_nop 0
k:' 'this label is there already' && fails ' .rept 2' 'has no end' && fails ' s_trap 2' 'the kernel stops here'
result $? 'what cannot be run'
kernel ' s_branch k'
refuses 1 'more than 1000 instructions of waves (--max-steps)' probe run --arg zero:8 --max-steps 1000 k.s
result $? 'a loop without an end'
: >empty.s
refuses 1 'the text ends' probe run empty.s && refuses 2 'parameter 0' probe run k.s && refuses 2 'argument 1 is too many' probe run --arg zero:8 --arg zero:8 k.s && refuses 2 'no probe is woven into kernel' probe run --trace x --arg zero:8 k.s &&
    refuses 1 'there are 11 kernels' probe run "$gpu/kernels-gfx90a.s" && refuses 1 'memory of each thread (scratch) cannot be run here' probe run -k calls "$gpu/kernels-gfx90a.s" &&
    sed 's/gfx90a/gfx803/' k.s >old.s && refuses 1 'only gfx90a, gfx942 and gfx950' probe run --arg zero:8 old.s
result $? 'arguments and kernels that do not fit'
finish
