#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Kernels run without a GPU: results that Python computes as well, from clang and from nvcc; what faults; limits.
. "$SRCDIR/tests/cli/lib.sh"
kernels=$SRCDIR/tests/gpu
add=$TRACETOOL_DATA/neutrino/add.ptx

run 0 probe run --grid 4 --block 64 --arg fill:1024:f32:1.5 --arg fill:1024:f32:2 --arg out:sum.bin:1024 --arg u32:256 "$add" &&
    has out 'add: 176 instructions of warps, 5632 of threads' && [ "$(od -An -v -t f4 sum.bin | tr -s ' ' '\n' | sort | uniq -c | xargs)" = '1 256 3.5' ]
result $? 'the example: 1.5 + 2, 256 times'

# -- judged by Python ---------------------------------------------------------------------------------------

# judged TEXT MODULE
judged() {
    for seed in $(seeds 4); do
        python3 "$kernels/kernels.py" "$TRACETOOL" "$2" "$seed" >"$scratch/judged" 2>&1 &&
            [ "$(grep -c '^ok ' "$scratch/judged")" -eq 11 ] || { grep -v '^ok' "$scratch/judged" | sed 's/^/# /'; return 1; }
    done
}
if command -v python3 >/dev/null; then
    judged 'clang -O0' "$kernels/kernels-O0.ptx"
    result $? 'eleven kernels of clang 14, -O0'
    judged 'clang -O2' "$kernels/kernels-O2.ptx"
    result $? 'eleven kernels of clang 14, -O2'
    sed 's/fma\.rn\.f32/fma.rz.f32/; s/shr\.u64/shr.s64/; s/popc\.b64/clz.b64/' "$kernels/kernels-O2.ptx" >wrong.ptx
    ! judged wrong wrong.ptx >/dev/null && grep -q 'DIFFERS whole' "$scratch/judged" && grep -q 'DIFFERS real' "$scratch/judged"
    result $? 'the judge sees wrong instructions'
    if command -v nvcc >/dev/null && nvcc -ptx -arch=sm_80 -fmad=false -include "$kernels/as-cuda.h" -x cu "$kernels/kernels.cl" -o nvcc.ptx 2>nvcc.log; then
        judged nvcc nvcc.ptx
        result $? 'eleven kernels of nvcc'
    else
        skip 'eleven kernels of nvcc' 'no nvcc'
    fi
else
    skip 'kernels of clang and nvcc' 'no python3'
fi

# -- tensor cores, judged by Triton, which knows which thread has which elements ---------------------------------

# dots MODULE... : products are those that Python computes
dots() {
    for seed in $(seeds 4); do
        python3 "$kernels/dot.py" "$TRACETOOL" "$seed" "$@" >judged 2>&1 && [ "$(grep -c '^ok ' judged)" -eq $# ] || { grep -v '^ok' judged | sed 's/^/# /'; return 1; }
    done
}
if command -v python3 >/dev/null; then
    for type in fp16 bf16 fp32 half; do
        dots "$kernels/dot-$type.ptx"
        result $? "matrices of $type"
    done
    # A product of depth 16 is two of depth 8.
    r='\(%r[0-9]*\)' to='{[^}]*}'
    for type in fp16 bf16 half; do
        sed "s/m16n8k16\(.*\) \($to\), { $r, $r, $r, $r }, { $r, $r }, \($to\);/m16n8k8\1 \2, { \3, \4 }, { \7 }, \9;\n\tmma.sync.aligned.m16n8k8\1 \2, { \5, \6 }, { \8 }, \2;/" \
            "$kernels/dot-$type.ptx" >"dot-$type.ptx" && has "dot-$type.ptx" m16n8k8 && refute has "dot-$type.ptx" m16n8k16 && dots "dot-$type.ptx"
        result $? "two of half the depth, of $type"
    done
    sed "s/m16n8k8\(.*\) \($to\), { $r, $r, $r, $r }, { $r, $r }, \($to\);/m16n8k4\1 \2, { \3, \4 }, { \7 }, \9;\n\tmma.sync.aligned.m16n8k4\1 \2, { \5, \6 }, { \8 }, \2;/" \
        "$kernels/dot-fp32.ptx" >dot-fp32.ptx && has dot-fp32.ptx m16n8k4 && refute has dot-fp32.ptx m16n8k8 && dots dot-fp32.ptx
    result $? 'two of half the depth, of tf32'
    dots "$kernels/dot-fp16.ptx" && mkdir wrong && sed 's/f32.f16.f16/f32.bf16.bf16/' "$kernels/dot-fp16.ptx" >wrong/dot-fp16.ptx && ! dots wrong/dot-fp16.ptx >/dev/null && grep -q 'DIFFERS dot' judged
    result $? 'the judge sees another type'
else
    skip 'matrices' 'no python3'
fi

# -- instructions, one by one ---------------------------------------------------------------------------------

# kernel BODY : k.ptx, a kernel with an address at %a and 8 registers of each kind
kernel() {
    {
        printf '.version 7.8\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 a) {\n'
        printf '.reg .b64 %%a, %%d<8>; .reg .b32 %%r<8>; .reg .f32 %%f<8>; .reg .b16 %%h<8>; .reg .pred %%p<8>;\n'
        printf 'ld.param.u64 %%a, [a];\n%s\n}\n' "$1"
    } >k.ptx
}
# gives BODY WORD... : the kernel leaves these words of 32 bits, in hexadecimal
gives() {
    kernel "$1"
    shift
    run 0 probe run --arg out:k.bin:$((4 * $#)) k.ptx || return 1
    [ "$(od -An -v -t x4 k.bin | xargs)" = "$*" ] || { echo "# $(od -An -v -t x4 k.bin | xargs), not $*"; return 1; }
}
# fails BODY TEXT [OPTION...]
fails() {
    kernel "$1"
    _text=$2
    shift 2
    refuses 1 "$_text" probe run --arg zero:64 "$@" k.ptx
}


gives 'mov.u32 %r0, 0x12345678; mov.u32 %r1, 0x9abcdef0; prmt.b32 %r2, %r0, %r1, 0x5140; shf.l.wrap.b32 %r3, %r0, %r1, 36;
    bfe.s32 %r4, %r1, 4, 8; bfi.b32 %r5, %r0, %r1, 8, 12; lop3.b32 %r6, %r0, %r1, 0xff, 0x96;
    st.global.v4.u32 [%a], {%r2, %r3, %r4, %r5}; st.global.u32 [%a+16], %r6;' de56f078 abcdef01 ffffffef 9ab678f0 88888877
result $? 'bytes and bits'
gives 'mov.f32 %f0, 0f3F800001; mov.f32 %f1, 0f33800000; add.rz.f32 %f2, %f0, %f1; add.rp.f32 %f3, %f0, %f1;
    add.rn.f32 %f4, %f0, %f1; mul.ftz.f32 %f5, 0f00400000, 0f3F800000; max.f32 %f6, 0f7FC00000, %f0;
    st.global.v4.f32 [%a], {%f2, %f3, %f4, %f5}; st.global.f32 [%a+16], %f6;' 3f800001 3f800002 3f800002 00000000 3f800001
result $? 'rounding, subnormals, not a number'
gives 'mov.f32 %f0, 0f477FF000; cvt.rn.f16.f32 %h0, %f0; cvt.rz.f16.f32 %h1, %f0; mov.b32 %r0, {%h0, %h1};
    cvt.rni.s32.f32 %r1, 0f40200000; cvt.rzi.u32.f32 %r2, 0fC0200000; cvt.sat.u8.s32 %r3, 300; cvt.rzi.s64.f32 %d0, 0f7F800000;
    st.global.v4.u32 [%a], {%r0, %r1, %r2, %r3}; st.global.u64 [%a+16], %d0;' 7bff7c00 00000002 00000000 000000ff ffffffff 7fffffff
result $? 'conversions'
gives 'mov.u64 %d0, 0xffffffff00000001; mov.b64 {%r0, %r1}, %d0; add.cc.u32 %r2, %r1, %r0; addc.u32 %r3, 0, 0;
    mad.lo.cc.u32 %r4, %r1, %r1, %r0; madc.hi.u32 %r5, %r1, %r1, 0; st.global.v4.u32 [%a], {%r2, %r3, %r4, %r5};' \
    00000000 00000001 00000002 fffffffe
result $? 'carries'

fails 'st.global.u32 [%a+64], %r0;' "k.ptx: line 7: st.global.u32: block 0,0,0, thread 0,0,0: store of 4 bytes at 0x7e0000000040 (global): it ends 4 bytes behind 'argument 0' of 64"
result $? 'behind the end of memory'
fails 'st.global.u32 [%a+2], %r0;' 'misaligned, it needs a multiple of 4'
result $? 'misaligned'
fails 'ld.global.v2.u32 {%r0, %r1}, [%a+4];' 'misaligned, it needs a multiple of 8'
result $? 'a misaligned vector'
fails 'ld.global.u32 %r0, [%a+-4];' 'there is no memory' && fails 'mov.u64 %d0, 0; ld.u32 %r0, [%d0];' 'at 0x0 (generic): there is no memory'
result $? 'in front of memory, and nowhere'
fails '.shared .align 4 .b8 s[8]; mov.u32 %r1, s; ld.shared.u32 %r0, [%r1+8];' '(shared): there are 8 bytes' &&
    fails '.local .align 4 .b8 s[8]; st.local.u32 [s+8], %r0;' '(local): there are 8 bytes' &&
    fails 'ld.param.u32 %r0, [a+8];' '(param): there are 8 bytes'
result $? 'behind shared and local variables and parameters'
fails 'L: bra L;' 'more than 1000 instructions of warps (--max-steps)' --max-steps 1000
result $? 'a loop without an end'
fails 'mov.u32 %r0, %tid.x; setp.eq.u32 %p0, %r0, 0; @%p0 bar.sync 0; @!%p0 bar.sync 1;' 'bar.sync: block 0,0,0, thread 0,0,0: the block waits here for ever' --block 64
result $? 'a barrier to which not all come'
fails 'foo.u32 %r0;' 'line 7: foo.u32: this instruction cannot be run here' && fails 'add.foo.u32 %r0, 1, 2;' "'.foo' cannot be run here" &&
    fails 'trap;' 'the kernel stops here' && fails 'bra M;' 'there is no such label' && fails 'add.u32 %x, 1, 2;' 'only a register can be written'
result $? 'what cannot be run'
fails 'add.u32 %r0, %r1' "k.ptx: line 8: expected ';', not '}'" && fails '}' 'expected a directive'
result $? 'what is no PTX'
fails 'mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f0,%f1,%f2,%f3}, {%r0,%r1,%r2,%r3}, {%r4,%r5}, {%f0,%f1,%f2,%f3};' 'all 32 threads of a warp are needed' --block 31 &&
    fails 'mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f0,%f1,%f2,%f3}, {%r0,%r1}, {%r4,%r5}, {%f0,%f1,%f2,%f3};' 'operand 2 has 2 registers, not 4' --block 32 &&
    fails '.shared .align 16 .b8 s[128]; mov.u32 %r0, s; ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r1}, [%r0+120];' 'misaligned, it needs a multiple of 16' --block 32 &&
    fails '.shared .align 16 .b8 s[128]; mov.u32 %r0, s; ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%r1}, [%r0];' 'it has 1 registers, not 2' --block 32
result $? 'matrices of threads that are not there, and of too few registers'
gives 'mov.u32 %r0, %tid.x; L: atom.global.cas.b32 %r1, [%a], 0, 1; setp.ne.u32 %p0, %r1, 0; @%p0 bra L; red.global.add.u32 [%a+4], 5;
    atom.global.exch.b32 %r1, [%a], 0;' 00000000 00000005
result $? 'a lock'

refuses 2 'parameter 1 of kernel' probe run --arg zero:4 "$add" && refuses 2 'has 4 parameters' probe run --arg zero:4 --arg zero:4 --arg zero:4 --arg u32:1 --arg u32:1 "$add" &&
    refuses 2 'has 4 bytes, the argument has 8' probe run --arg zero:4 --arg zero:4 --arg zero:4 --arg u64:1 "$add" &&
    refuses 2 'does not fit the type' probe run --arg u8:256 "$add" && refuses 2 'it is none of' probe run --arg x "$add" &&
    refuses 2 'not X, X,Y or X,Y,Z' probe run --grid 0 "$add" && refuses 2 'up to 1024 threads' probe run --block 1025 "$add" &&
    refuses 1 'there are 11 kernels' probe run "$kernels/kernels-O2.ptx" && refuses 1 "there is no kernel 'x'" probe run -k x "$add"
result $? 'arguments that do not fit'
finish
