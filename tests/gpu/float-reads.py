#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Registers that a probe reads as floats: the weaver takes those that hold one.

  float-reads.py declared TRACETOOL PTXAS   registers of each type that PTX declares: it takes what ptxas lets an
                                            instruction of that float read, and says the type of what it refuses
  float-reads.py stated TRACETOOL           instructions of kinds whose types do not tell; by PTX ISA and AMD's manuals
  float-reads.py values TRACETOOL           what is saved is the float, as Python packs it

One line a case, "ok" or what is wrong.
"""
import os
import struct
import subprocess
import sys
import tempfile

PROBE = '''from neutrino import probe, Map
import neutrino.language as nl
@Map(level="thread", type="array", size=8, cap=1)
class M:
    at: nl.u64
@probe(pos="%s", level="thread"%s)
def read():
    M.save(%s)
'''
PTX = '.version 7.8\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\n%s\nret;\n}\n'
GCN = '''\t.amdgcn_target "amdgcn-amd-amdhsa--gfx90a"
\t.text
\t.globl k
\t.p2align 8
\t.type k,@function
k:
%s
\ts_endpgm
\t.section .rodata,#alloc
\t.p2align 6
\t.amdhsa_kernel k
\t\t.amdhsa_next_free_vgpr 16
\t\t.amdhsa_next_free_sgpr 16
\t\t.amdhsa_accum_offset 16
\t\t.amdhsa_user_sgpr_kernarg_segment_ptr 1
\t\t.amdhsa_user_sgpr_count 2
\t.end_amdhsa_kernel
\t.amdgpu_metadata
---
amdhsa.kernels:
  - .name: k
    .symbol: k.kd
    .args: []
    .kernarg_segment_size: 0
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 16
    .vgpr_count: 16
    .max_flat_workgroup_size: 256
amdhsa.target: amdgcn-amd-amdhsa--gfx90a
amdhsa.version:
  - 1
  - 2
...
\t.end_amdgpu_metadata
'''
# Instruction; registers; operand; which floats may be read there.
STATED = (
    ('add.f32 %r1, %r2, %r3', 'in1', '32'), ('add.s32 %r1, %r2, %r3', 'in1', ''), ('add.f64 %d1, %d2, %d3', 'out', '64'),
    ('add.s64 %d1, %d2, %d3', 'out', ''), ('fma.rn.f16x2 %r1, %r2, %r3, %r4', 'in2', ''),
    ('fma.rn.bf16x2 %r1, %r2, %r3, %r4', 'out', ''), ('cvt.f64.f32 %d1, %r1', 'out', '64'), ('cvt.f64.f32 %d1, %r1', 'in1', '32'),
    ('cvt.rn.f32.s64 %r1, %d1', 'out', '32'), ('cvt.rn.f32.s64 %r1, %d1', 'in1', ''), ('cvt.rzi.s32.f64 %r1, %d1', 'in1', '64'),
    ('cvt.rzi.s32.f64 %r1, %d1', 'out', ''), ('cvt.f32.f16 %r1, %h1', 'in1', ''), ('cvt.f32.f16 %r1, %h1', 'out', '32'),
    ('ld.global.b32 %r1, [%d1]', 'out', '32'), ('ld.global.u32 %r1, [%d1]', 'out', '32'), ('ld.global.u16 %r1, [%d1]', 'out', ''),
    ('ld.global.f64 %d1, [%d2]', 'out', '64'), ('ld.global.f64 %d1, [%d2]', 'in1', ''), ('st.global.b64 [%d2], %d1', 'in1', '64'),
    ('st.global.b64 [%d2], %d1', 'out', ''), ('st.global.u8 [%d2], %r1', 'in1', ''), ('setp.lt.f32 %p1, %r1, %r2', 'out', ''),
    ('setp.lt.f32 %p1, %r1, %r2', 'in2', '32'), ('setp.lt.s32 %p1, %r1, %r2', 'in2', ''), ('selp.b32 %r1, %r2, %r3, %p1', 'in1', '32'),
    ('selp.b32 %r1, %r2, %r3, %p1', 'in3', ''), ('slct.f32.s32 %r1, %r2, %r3, %r4', 'in2', '32'),
    ('slct.f32.s32 %r1, %r2, %r3, %r4', 'in3', ''), ('mul.wide.s32 %d1, %r1, %r2', 'out', ''), ('mov.u32 %r1, %tid.x', 'in1', ''),
    ('mul.f32 %f1, %f2, 0f40000000', 'in2', '32'), ('mul.f64 %g1, %g2, 0d4000000000000000', 'in2', '64'),
    ('atom.global.add.f32 %r1, [%d1], %r2', 'in2', '32'), ('atom.global.add.u32 %r1, [%d1], %r2', 'in2', ''),
    ('atom.global.exch.b32 %r1, [%d1], %r2', 'out', '32'), ('mov.b32 %f1, %r1', 'out', '32'), ('mov.b32 %f1, %r1', 'in1', '32'),
)
STATED_GCN = (
    ('v_add_f32_e32 v1, v2, v3', 'in1', '32'), ('v_add_u32_e32 v1, v2, v3', 'in1', ''), ('v_add_f64 v[2:3], v[4:5], v[6:7]', 'out', '64'),
    ('v_add_f16_e32 v1, v2, v3', 'out', ''), ('v_pk_fma_f32 v[2:3], v[4:5], v[6:7], v[8:9]', 'out', ''),
    ('v_cvt_f64_f32_e32 v[2:3], v1', 'out', '64'), ('v_cvt_f64_f32_e32 v[2:3], v1', 'in1', '32'), ('v_cvt_f32_u32_e32 v1, v2', 'in1', ''),
    ('v_cvt_f32_u32_e32 v1, v2', 'out', '32'), ('v_cvt_f32_f16_e32 v1, v2', 'in1', ''), ('v_cvt_f32_ubyte0_e32 v1, v2', 'in1', ''),
    ('v_cmp_lt_f64_e32 vcc, v[2:3], v[4:5]', 'out', ''), ('v_cmp_lt_f64_e64 s[4:5], v[2:3], v[4:5]', 'out', ''),
    ('v_cmp_lt_f64_e32 vcc, v[2:3], v[4:5]', 'in2', '64'), ('v_ldexp_f32 v1, v2, v3', 'in2', ''), ('v_ldexp_f64 v[2:3], v[4:5], v1', 'in1', '64'),
    ('v_mov_b32_e32 v1, v2', 'in1', '32'), ('v_mul_f32_e32 v1, 2.0, v2', 'in1', '32'), ('v_mul_f64 v[2:3], v[4:5], 0.5', 'in2', '64'),
    ('v_lshlrev_b64 v[2:3], 3, v[4:5]', 'out', '64'), ('v_div_scale_f64 v[2:3], vcc, v[4:5], v[6:7], v[8:9]', 'in1', ''),
    ('v_mfma_f64_4x4x4f64 v[2:3], v[4:5], v[6:7], v[8:9]', 'in1', '64'), ('v_mfma_f32_4x4x4f16 a[0:3], v[4:5], v[6:7], a[0:3]', 'in1', ''),
    ('global_load_dword v1, v[2:3], off', 'out', '32'), ('global_load_dwordx2 v[4:5], v[2:3], off', 'out', '64'),
    ('global_load_dwordx2 v[4:5], v[2:3], off', 'in1', ''), ('global_load_ushort v1, v[2:3], off', 'out', ''),
    ('global_store_dwordx2 v[2:3], v[4:5], off', 'out', ''), ('global_store_dwordx2 v[2:3], v[4:5], off', 'in1', '64'),
    ('global_store_dwordx2 v1, v[4:5], s[2:3]', 'in2', ''), ('ds_read_b64 v[2:3], v1', 'out', '64'), ('ds_read_u16 v1, v2', 'out', ''),
    ('s_load_dwordx2 s[4:5], s[0:1], 0x0', 'out', '64'), ('s_load_dwordx2 s[4:5], s[0:1], 0x0', 'in1', ''),
    ('s_add_u32 s4, s5, s6', 'out', ''), ('global_atomic_add v1, v[2:3], v4, off glc', 'out', ''),
    ('global_atomic_add_f32 v[2:3], v4, off', 'in1', '32'), ('global_atomic_swap v1, v[2:3], v4, off glc', 'out', '32'),
)


def say(fault, *what):
    print('%s %s%s' % ('not ok' if fault else 'ok', ' '.join(what), ': ' + fault if fault else ''))


def weave(tracetool, folder, kernel, position, operand, before=True, target='ptx'):
    """(status, message)"""
    probe, module = os.path.join(folder, 'read.py'), os.path.join(folder, 'k.ptx' if target == 'ptx' else 'k.s')
    with open(probe, 'w', encoding='ascii') as file:
        file.write(PROBE % (position, ', before=True' if before else '', operand))
    with open(module, 'w', encoding='ascii') as file:
        file.write(kernel)
    done = subprocess.run([tracetool, 'probe', 'weave', module, probe, '-o', os.path.join(folder, 'woven')],
                          capture_output=True, text=True, check=False)
    return done.returncode, done.stderr


def declared(tracetool, folder, ptxas):
    for kind, bits in (('f16', 16), ('f16x2', 32), ('f32', 32), ('f64', 64), ('b16', 16), ('b32', 32), ('b64', 64),
                       ('u16', 16), ('u32', 32), ('u64', 64), ('s16', 16), ('s32', 32), ('s64', 64)):
        for width in (32, 64):
            head = '.reg .%s %%v<3>;\n.reg .f%d %%x<3>;\n' % (kind, width)
            judge = os.path.join(folder, 'judge.ptx')
            with open(judge, 'w', encoding='ascii') as file:
                file.write(PTX % (head + 'neg.f%d %%x1, %%v1;' % width))
            takes = subprocess.run([ptxas, '-arch=sm_90', judge, '-o', os.path.join(folder, 'judge.o')],
                                   capture_output=True, check=False).returncode == 0
            status, message = weave(tracetool, folder, PTX % (head + 'mov.b%d %%v2, %%v1;' % bits), 'mov.b',
                                    'nl.u64(nl.bits(nl.f%d(nl.in1)))' % width)
            fault = None
            if (status == 0) != takes:
                fault = 'ptxas %s it, the weaver ends with %d' % ('takes' if takes else 'refuses', status)
            elif status and ('line ' not in message or ': mov.b%d: IN1: %s here, and the probe reads it as f%d' % (bits, kind, width) not in message):
                fault = message
            say(fault, kind, 'as', 'f%d' % width)


def stated(tracetool, folder):
    head = '.reg .b16 %h<3>;\n.reg .b32 %r<5>;\n.reg .b64 %d<5>;\n.reg .f32 %f<3>;\n.reg .f64 %g<3>;\n.reg .pred %p<3>;\n'
    for cases, target in ((STATED, 'ptx'), (STATED_GCN, 'gfx90a')):
        for instruction, operand, wanted in cases:
            for width in ('32', '64'):
                kernel = PTX % (head + instruction + ';') if target == 'ptx' else GCN % ('\t' + instruction)
                status, message = weave(tracetool, folder, kernel, instruction.split()[0], 'nl.u64(nl.bits(nl.f%s(nl.%s)))' % (width, operand),
                                        operand != 'out', target)
                fault = None if (status == 0) == (wanted == width) else 'status %d, %s' % (status, message)
                if status and fault is None and 'the probe reads it as f%s' % width not in message:
                    fault = message
                say(fault, instruction, operand, 'f' + width)


def values(tracetool, folder):
    """The bits of what a kernel computes, read by each of the ways that are allowed."""
    kernel = PTX % ('.reg .f32 %f<3>;\n.reg .f64 %g<3>;\n.reg .b32 %r<3>;\nmov.f32 %f1, 0f40490fdb;\nmov.f64 %g1, 0dc000000000000001;\n'
                    'mov.b32 %r1, 0xfffffffe;\nneg.f32 %f2, %f1;\nneg.f64 %g2, %g1;\nnot.b32 %r2, %r1;')
    f32, f64 = struct.pack('<fI', -struct.unpack('<f', struct.pack('<I', 0x40490fdb))[0], 0), struct.pack('<Q', 0x4000000000000001)
    for position, operand, wanted in (
            ('neg.f32', 'nl.u64(nl.bits(nl.f32(nl.out)))', f32), ('neg.f64', 'nl.f64(nl.out)', f64), ('neg.f64', 'nl.bits(nl.f64(nl.out))', f64),
            ('neg.f32', 'nl.u32(nl.out)', f32), ('neg.f32', 'nl.out', f32), ('not.b32', 'nl.in1', struct.pack('<Q', 0xfffffffe)),
            ('not.b32', 'nl.s32(nl.in1)', struct.pack('<q', -2)), ('neg.f64', 'nl.u64(nl.f64(nl.out))', struct.pack('<Q', 2)),
            ('neg.f32', 'nl.s32(nl.f32(nl.out))', struct.pack('<q', -3))):
        status, message = weave(tracetool, folder, kernel, position, operand, False)
        trace = os.path.join(folder, 'trace-' + str(len(os.listdir(folder))))
        if status == 0:
            done = subprocess.run([tracetool, 'probe', 'run', '-k', 'k', '-a', 'u64:0', '--trace', trace, os.path.join(folder, 'woven')],
                                  capture_output=True, text=True, check=False)
            status, message = done.returncode, done.stderr
        if status:
            say(message or 'status %d' % status, position, operand)
            continue
        with open(os.path.join(trace, 'result', '0.000000.bin'), 'rb') as file:
            saved = file.read()[-8:]
        say(None if saved == wanted else '%s, not %s' % (saved.hex(), wanted.hex()), position, operand)


def main(what, tracetool, *more):
    with tempfile.TemporaryDirectory() as folder:
        {'declared': declared, 'stated': stated, 'values': values}[what](tracetool, folder, *more)


main(*sys.argv[1:])
