#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Does a GCN kernel wait where its machine does not? LLVM's hazard recognizer and its pass for counters judge.

usage: gcn-hazards.py MACHINE LLC KERNEL.s

The kernel, of the instructions that probes and wrap-probe are made of, becomes LLVM's machine code; llc adds the s_nop
and s_waitcnt that are missing. Prints each and exits 1 if there is one. Then all s_nop are taken out, and those that
llc puts in are counted: prints "states OURS LLVM".
"""
import re
import subprocess
import sys

VECTOR = {
    'v_mov_b32_e32': '', 'v_not_b32_e32': '', 'v_add_u32_e64': ', 0', 'v_sub_u32_e64': ', 0', 'v_and_b32_e64': '',
    'v_or_b32_e64': '', 'v_xor_b32_e64': '', 'v_lshlrev_b32_e64': '', 'v_lshrrev_b32_e64': '', 'v_lshlrev_b64': '',
    'v_lshrrev_b64': '', 'v_mul_lo_u32': '', 'v_mul_hi_u32': '', 'v_lshl_or_b32': '', 'v_mbcnt_lo_u32_b32': '',
    'v_mbcnt_hi_u32_b32': '', 'v_bcnt_u32_b32': '', 'v_ashrrev_i32_e64': '',
}
LONE_FORM = ('v_lshlrev_b64', 'v_lshrrev_b64', 'v_mul_lo_u32', 'v_mul_hi_u32', 'v_lshl_or_b32', 'v_mbcnt_lo_u32_b32',
             'v_mbcnt_hi_u32_b32', 'v_bcnt_u32_b32')
FLOATS = ('v_cvt_', 'v_trunc_f64', 'v_floor_f64', 'v_max_f64', 'v_ldexp_f64', 'v_fma_f64')
CARRIES = {'v_add_co_u32_e64': 'V_ADD_CO_U32_e64', 'v_addc_co_u32_e64': 'V_ADDC_U32_e64',
           'v_sub_co_u32_e64': 'V_SUB_CO_U32_e64', 'v_subb_co_u32_e64': 'V_SUBB_U32_e64'}
SETS_SCC = ('s_and_b64', 's_or_b64', 's_xor_b64', 's_not_b64')


class Kernel:
    def __init__(self, text):
        self.symbols = {}
        self.code = []
        lines = [line.split('//')[0].strip() for line in text.split('\n')]
        for match in re.finditer(r'^\.set (\w+), (.*)$', '\n'.join(lines), re.M):
            self.symbols[match[1]] = self.number(match[2])
        self.read(lines)

    def number(self, text):
        return eval(re.sub(r'[A-Za-z_]\w*', lambda name: str(self.symbols[name[0]]), text))  # sums of names

    def read(self, lines):
        while lines:
            line = lines.pop(0)
            if line.startswith('.rept'):
                end = lines.index('.endr')
                self.read(lines[:end] * 2)
                del lines[:end + 1]
            elif line and not line.startswith('.') and not line.endswith(':'):
                self.code.append(self.instruction(line))

    def register(self, text):
        if text == 'exec':
            return '$exec'
        match = re.fullmatch(r'([vs])(?:(\d+)|\[([^:]*?)(?::(.*))?\])', text)
        if not match:
            return str(int(text, 0))
        first = self.number(match[2] or match[3])
        last = self.number(match[4]) if match[4] else first
        return '$' + '_'.join(f'{match[1]}gpr{i}' for i in range(first, last + 1))

    def instruction(self, line):
        word, _, rest = line.partition(' ')
        if word == 's_waitcnt':
            counts = {'vmcnt': 63, 'lgkmcnt': 15}
            counts.update((name, int(n)) for name, n in re.findall(r'(\w+)\((\d+)\)', rest))
            return 'S_WAITCNT %d' % (counts['vmcnt'] & 15 | 7 << 4 | counts['lgkmcnt'] << 8 | counts['vmcnt'] >> 4 << 14)
        if word == 's_getreg_b32':
            return f'{self.register(rest.split(",")[0])} = S_GETREG_B32 14852, implicit $mode'
        o = [text.strip() for text in rest.split(',')] if rest else []
        if word.startswith('global_store'):
            offset = re.search(r'offset:(\d+)', o[2])
            data = f'{self.register(o[0])}, {self.register(o[1])}'
            return f'{word.upper()} {data}, {offset[1] if offset else 0}, 0, implicit $exec'
        if word.startswith('global_load'):
            return f'{self.register(o[0])} = {word.upper()} {self.register(o[1])}, 0, 0, implicit $exec'
        o = [self.register(text) for text in o]
        return self.vector(word, o) if word[0] == 'v' else self.scalar(word, o)

    def vector(self, word, o):
        if word in CARRIES:
            return f'{o[0]}, {o[1]} = {CARRIES[word]} {", ".join(o[2:])}, 0, implicit $exec'
        if word == 'v_cndmask_b32_e64':
            return f'{o[0]} = V_CNDMASK_B32_e64 0, {o[1]}, 0, {o[2]}, {o[3]}, implicit $exec'
        if word.startswith('v_cmp_') and re.search('_f(32|64)_', word):
            return f'{o[0]} = {word[:-4].upper()}_e64 0, {o[1]}, 0, {o[2]}, 0, implicit $mode, implicit $exec'
        if word.startswith(FLOATS) and word.endswith('_e32'):
            return f'{o[0]} = {word[:-4].upper()}_e32 {o[1]}, implicit $mode, implicit $exec'
        if word.startswith(FLOATS):
            sources = ', '.join(f'0, {value}' for value in o[1:])
            return f'{o[0]} = {word.upper()}_e64 {sources}, 0, 0, implicit $mode, implicit $exec'
        if word.startswith('v_cmp_'):
            return f'{o[0]} = {word[:-4].upper()}_e64 {o[1]}, {o[2]}, implicit $exec'
        if word == 'v_readfirstlane_b32':
            return f'{o[0]} = V_READFIRSTLANE_B32 {o[1]}, implicit $exec'
        form = word[:-4].upper() + word[-4:] if word not in LONE_FORM else word.upper() + '_e64'
        return f'{o[0]} = {form} {", ".join(o[1:])}{VECTOR[word]}, implicit $exec'

    def scalar(self, word, o):
        opcode = word.upper()
        if word == 's_and_saveexec_b64':
            return f'{o[0]} = {opcode} {o[1]}, implicit-def $exec, implicit-def $scc, implicit $exec'
        if word == 's_load_dwordx4':
            return f'{o[0]} = S_LOAD_DWORDX4_IMM {o[1]}, 0, 0'
        if word in ('s_nop', 's_endpgm'):
            return f'{opcode} {o[0] if o else 0}'
        if word.startswith('s_cmp'):
            return f'{opcode} {o[0]}, {o[1]}, implicit-def $scc'
        tail = ', implicit-def $scc' if word in SETS_SCC or word.startswith('s_bcnt') else ''
        tail += ', implicit $scc' if word.startswith('s_cselect') else ''
        return f'{o[0]} = {opcode} {", ".join(o[1:])}{tail}' if len(o) > 1 else f'{o[0]} = {opcode}'


def run_pass(machine, llc, name, code):
    mir = '---\nname: probed\nbody: |\n  bb.0:\n' + ''.join(f'    {line}\n' for line in code) + '...\n'
    done = subprocess.run([llc, '-mtriple=amdgcn-amd-amdhsa', f'-mcpu={machine}', f'-run-pass={name}',
                           '-verify-machineinstrs', '-x', 'mir', '-', '-o', '-'],
                          input=mir, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f'llc: {done.stderr[:2000]}')
    body = done.stdout[done.stdout.index('bb.0:'):].split('\n')[1:]
    return [line.strip() for line in body if line.strip() and line.strip() != '...']


def added(before, after):
    """What stands in @after alone, with what follows it; a function begins with a wait for its caller."""
    i, new = 0, []
    for line, following in zip(after, after[1:] + ['']):
        if line == 'S_WAITCNT 0' and i == 0:
            continue
        if i < len(before) and line.split()[0] == before[i].split()[0] and (line[:2] != 'S_' or line == before[i]):
            i += 1
        elif line.startswith(('S_NOP', 'S_WAITCNT')):
            new.append(f'{line} before {following}')
        else:
            i += 1
    return new


def states(code):
    return sum(int(line.split()[1]) + 1 for line in code if line.startswith('S_NOP'))


def main():
    machine, llc, path = sys.argv[1:]
    with open(path, encoding='utf-8') as file:
        code = Kernel(file.read()).code
    hazards = run_pass(machine, llc, 'post-RA-hazard-rec', code)
    missing = added(code, hazards) + added(code, run_pass(machine, llc, 'si-insert-waitcnts', code))
    if states(hazards) != states(code) and not missing:
        missing = ['states: llc counts others']
    for line in missing:
        print(line)
    bare = [line for line in code if not line.startswith('S_NOP')]
    print('states', states(code), states(run_pass(machine, llc, 'post-RA-hazard-rec', bare)))
    return 1 if missing else 0


sys.exit(main())
