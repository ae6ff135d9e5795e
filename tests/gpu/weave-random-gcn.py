#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Random kernels of AMD's assembly with random probes: woven and run, they must leave the memory that they leave unwoven,
and the records that this program computes, which runs both by itself. With LLVM_MC its assembler must take each.

    weave-random-gcn.py TRACETOOL FOLDER SEED COUNT
"""
import os
import random
import struct
import subprocess
import sys

M32, M64 = 2**32 - 1, 2**64 - 1
BASE = 0x7E0000000000  # where memory begins; arguments and the packet of the launch come first
WORDS = 16             # of each thread, in and out


class Kernel:
    """Instructions as trees, printed and run for one wave at a time."""

    def __init__(self, rand, machine):
        self.rand = rand
        self.machine = machine
        self.block = rand.choice([64, 96, 40, 128, 200])
        self.grid = rand.choice([1, 2, 3])
        self.axes = rand.choice([1, 2])  # of the block's number that the kernel asks for
        self.packed = rand.choice([0, 1, 2])
        self.n_labels = self.n_loops = 0
        self.body = self.statements(3, rand.randint(4, 14))
        self.exits_early = rand.random() < 0.3

    def plain(self):
        """One that leaves VCC and SCC alone."""
        while True:
            statement = self.statement(0)
            if statement[0] in ("alu", "load", "store", "lds"):
                return statement

    def register(self):
        return self.rand.randint(6, 13)

    def statements(self, depth, n):
        return [self.statement(depth) for _ in range(n)]

    def statement(self, depth):
        r = self.rand
        kind = r.choice(["alu", "alu", "alu", "load", "load2", "based", "store", "lds", "scalar", "choose"]
                        + (["if", "loop"] if depth > 0 else []))
        if kind == "alu":
            second = r.choice([None, self.register()])
            return (kind, r.choice(["v_add_u32_e32", "v_xor_b32_e32", "v_mul_lo_u32", "v_and_b32_e32"]), self.register(),
                    self.register() if second is None else r.choice([r.randint(0, 64), r.randint(100, M32)]) if r.random() < 0.3
                    else self.register(), self.register())
        if kind in ("load", "based", "store"):
            return (kind, self.register(), r.randrange(WORDS))
        if kind == "load2":
            return (kind, r.choice([6, 8, 10, 12]), r.randrange(WORDS // 2) * 2)
        if kind == "lds":
            return (kind, self.register(), self.register())
        if kind == "scalar":
            return (kind, r.randrange(WORDS // 2) * 2, self.register(), self.register())
        if kind == "choose":
            return (kind, self.register(), self.register(), self.register(), [self.plain()])
        if kind == "if":
            return (kind, self.register(), r.randint(0, M32), self.statements(depth - 1, r.randint(1, 4)))
        return (kind, r.randint(1, 3), self.statements(depth - 1, r.randint(1, 3)), [self.plain()])

    # -- text

    def text(self):
        lines = [f'.amdgcn_target "amdgcn-amd-amdhsa--{self.machine}"', ".text", ".globl k", ".p2align 8", ".type k,@function", "k:"]
        lines += ["s_load_dwordx4 s[4:7], s[0:1], 0x0", f"s_mul_i32 s2, s2, {self.block}", "v_and_b32_e32 v14, 0x3ff, v0",
                  "v_add_u32_e64 v1, s2, v14", "v_lshlrev_b32_e32 v1, 6, v1", "v_lshlrev_b32_e32 v14, 2, v14",
                  "s_waitcnt lgkmcnt(0)"]
        for at, base in ((2, 4), (4, 6)):
            lines += [f"v_mov_b32_e32 v{at + 1}, s{base + 1}", f"v_mov_b32_e32 v{at}, s{base}", "s_nop 1",
                      f"v_add_co_u32_e64 v{at}, s[8:9], v{at}, v1", "s_nop 1",
                      f"v_addc_co_u32_e64 v{at + 1}, s[8:9], 0, v{at + 1}, s[8:9]"]
        lines += [f"v_mov_b32_e32 v{i}, {i}" for i in range(6, 14)]
        if self.exits_early:
            lines += ["v_cmp_gt_u32_e32 vcc, 64, v14", "s_and_saveexec_b64 s[10:11], vcc", "s_cbranch_execnz .Lgo", "s_endpgm", ".Lgo:"]
        self.print(self.body, lines, 0)
        for i in range(6, 14):
            lines.append(f"global_store_dword v[4:5], v{i}, off offset:{4 * (i + 2)}")
        lines.append("s_endpgm")
        lines += [".section .rodata", ".p2align 6", ".amdhsa_kernel k", ".amdhsa_kernarg_size 16",
                  ".amdhsa_user_sgpr_kernarg_segment_ptr 1", ".amdhsa_group_segment_fixed_size 1024"]
        if self.axes > 1:
            lines.append(".amdhsa_system_sgpr_workgroup_id_y 1")
        lines += [f".amdhsa_system_vgpr_workitem_id {self.packed}", ".amdhsa_next_free_vgpr 16", ".amdhsa_next_free_sgpr 40",
                  ".amdhsa_accum_offset 16", ".end_amdhsa_kernel", ".amdgpu_metadata", "---", "amdhsa.version:", "  - 1", "  - 2",
                  "amdhsa.kernels:", "  - .name: k", "    .symbol: k.kd", "    .kernarg_segment_size: 16", "    .kernarg_segment_align: 8",
                  "    .group_segment_fixed_size: 1024", "    .private_segment_fixed_size: 0", "    .wavefront_size: 64",
                  "    .sgpr_count: 46", "    .vgpr_count: 16", "    .max_flat_workgroup_size: 256", "    .args:"]
        for i in range(2):
            lines += [f"      - .offset: {8 * i}", "        .size: 8", "        .value_kind: global_buffer", "        .address_space: global"]
        return "\n".join(lines + ["...", ".end_amdgpu_metadata"]) + "\n"

    def label(self):
        self.n_labels += 1
        return f".L{self.n_labels}"

    def print(self, body, lines, depth):
        for s in body:
            kind = s[0]
            if kind == "alu":
                a = s[3] if isinstance(s[3], int) and s[3] < 6 or s[3] > 13 else f"v{s[3]}"
                if s[1] == "v_mul_lo_u32" and not isinstance(a, str):
                    a = min(a, 64)
                lines.append(f"{s[1]} v{s[2]}, {a}, v{s[4]}")
            elif kind == "load":
                lines += [f"global_load_dword v{s[1]}, v[2:3], off offset:{4 * s[2]}", "s_waitcnt vmcnt(0)"]
            elif kind == "load2":
                lines += [f"global_load_dwordx2 v[{s[1]}:{s[1] + 1}], v[2:3], off offset:{4 * s[2]}", "s_waitcnt vmcnt(0)"]
            elif kind == "based":
                lines += ["s_nop 4", f"global_load_dword v{s[1]}, v1, s[4:5] offset:{4 * s[2]}", "s_waitcnt vmcnt(0)"]
            elif kind == "store":
                lines.append(f"global_store_dword v[4:5], v{s[1]}, off offset:{4 * s[2]}")
            elif kind == "lds":
                lines += [f"ds_write_b32 v14, v{s[1]}", "s_waitcnt lgkmcnt(0)", f"ds_read_b32 v{s[2]}, v14", "s_waitcnt lgkmcnt(0)"]
            elif kind == "scalar":
                lines += [f"s_load_dwordx2 s[12:13], s[4:5], 0x{4 * s[1]:x}", "s_waitcnt lgkmcnt(0)", f"v_add_u32_e32 v{s[2]}, s12, v{s[3]}"]
            elif kind == "choose":
                lines.append(f"v_cmp_lt_u32_e32 vcc, v{s[1]}, v{s[2]}")
                self.print(s[4], lines, depth)
                lines += ["s_nop 1", f"v_cndmask_b32_e32 v{s[3]}, v{s[1]}, v{s[2]}, vcc"]
            elif kind == "if":
                pair, end = f"s[{14 + 4 * depth}:{15 + 4 * depth}]", self.label()
                lines += [f"v_mov_b32_e32 v15, 0x{s[2]:x}", f"v_cmp_gt_u32_e64 {pair}, v15, v{s[1]}",
                          f"s_and_saveexec_b64 {pair}, {pair}", f"s_cbranch_execz {end}"]
                self.print(s[3], lines, depth + 1)
                lines += [f"{end}:", f"s_or_b64 exec, exec, {pair}"]
            else:
                begin = self.label()
                counter = f"s{30 + depth}"
                lines += [f"s_mov_b32 {counter}, {s[1]}", f"{begin}:"]
                self.print(s[2], lines, depth + 1)
                lines += [f"s_sub_u32 {counter}, {counter}, 1", f"s_cmp_lg_u32 {counter}, 0"]
                self.print(s[3], lines, depth + 1)
                lines.append(f"s_cbranch_scc1 {begin}")


class Wave:
    """One wave of a kernel, with what a probe hears: hear(name, before, lanes, operands of each lane, bytes)."""

    def __init__(self, kernel, block, index, data, out, bases, hear):
        self.kernel, self.block, self.data, self.out, self.bases, self.hear = kernel, block, data, out, bases, hear
        self.lanes = list(range(min(64, kernel.block - 64 * index)))
        self.gid = {i: block * kernel.block + 64 * index + i for i in self.lanes}
        self.tid = {i: 64 * index + i for i in self.lanes}
        self.v = {i: {r: r for r in range(6, 14)} for i in self.lanes}
        self.lds = {}

    def tell(self, name, mask, operands, act, size=None):
        """operands(lane) gives ADDR, IN1; act(lane) runs it, and gives OUT."""
        given = {i: operands(i) for i in mask}
        self.hear(name, True, self, mask, given, size)
        for i in mask:
            given[i] = dict(given[i], OUT=act(i))
        self.hear(name, False, self, mask, given, size)

    def run(self):
        k = self.kernel
        mask = self.lanes
        if k.exits_early:
            mask = [i for i in mask if self.tid[i] < 16]
            if not mask:
                return
        self.statements(k.body, mask)
        for r in range(6, 14):
            self.store(mask, r, r + 2)

    def set(self, i, register, value):
        self.v[i][register] = value
        return value

    def store(self, mask, register, word):
        def act(i):
            self.out[self.gid[i] * WORDS + word] = self.v[i][register]
            return None
        self.tell("global_store_dword", mask,
                  lambda i: {"ADDR": self.bases[1] + self.gid[i] * 4 * WORDS + 4 * word, "IN1": self.v[i][register]}, act, 4)

    def load(self, mask, register, word, name="global_load_dword"):
        at = lambda i: self.gid[i] * WORDS + word
        self.tell(name, mask, lambda i: {"ADDR": self.bases[0] + 4 * at(i)}, lambda i: self.set(i, register, self.data[at(i)]), 4)

    def statements(self, body, mask):
        for s in body:
            getattr(self, "do_" + s[0])(mask, *s[1:])

    def do_alu(self, mask, name, d, a, b):
        def value(i):
            if 6 <= a <= 13:
                return self.v[i][a]
            return min(a, 64) if name == "v_mul_lo_u32" else a

        def act(i):
            x, y = value(i), self.v[i][b]
            return self.set(i, d, {"v_add_u32_e32": x + y, "v_xor_b32_e32": x ^ y, "v_mul_lo_u32": x * y, "v_and_b32_e32": x & y}[name] & M32)
        self.tell(name, mask, lambda i: {"IN1": value(i)}, act)

    def do_load(self, mask, d, word):
        self.load(mask, d, word)

    do_based = do_load

    def do_load2(self, mask, d, word):
        at = lambda i: self.gid[i] * WORDS + word

        def act(i):
            return self.set(i, d, self.data[at(i)]) | self.set(i, d + 1, self.data[at(i) + 1]) << 32
        self.tell("global_load_dwordx2", mask, lambda i: {"ADDR": self.bases[0] + 4 * at(i)}, act, 8)

    def do_store(self, mask, register, word):
        self.store(mask, register, word)

    def do_lds(self, mask, source, d):
        self.tell("ds_write_b32", mask, lambda i: {"ADDR": 4 * self.tid[i], "IN1": self.v[i][source]},
                  lambda i: self.lds.__setitem__(i, self.v[i][source]), 4)
        self.tell("ds_read_b32", mask, lambda i: {"ADDR": 4 * self.tid[i]}, lambda i: self.set(i, d, self.lds[i]), 4)

    def do_scalar(self, mask, word, d, b):
        value = self.data[word]
        self.tell("s_load_dwordx2", mask, lambda i: {"ADDR": self.bases[0] + 4 * word}, lambda i: value | self.data[word + 1] << 32, 8)
        self.tell("v_add_u32_e32", mask, lambda i: {"IN1": value}, lambda i: self.set(i, d, (value + self.v[i][b]) & M32))

    def do_choose(self, mask, a, b, d, between):
        chosen = {i: self.v[i][a] < self.v[i][b] for i in mask}
        self.tell("v_cmp_lt_u32_e32", mask, lambda i: {"IN1": self.v[i][a]}, lambda i: sum(1 << j for j in mask if chosen[j]))
        self.statements(between, mask)
        for i in mask:
            self.v[i][d] = self.v[i][b] if chosen[i] else self.v[i][a]

    def do_if(self, mask, register, bound, body):
        inner = [i for i in mask if bound > self.v[i][register]]
        if inner:
            self.statements(body, inner)

    def do_loop(self, mask, times, body, behind):
        for _ in range(times):
            self.statements(body, mask)
            self.statements(behind, mask)


def number(bits, width):
    """An f32 or f64 by its bits."""
    return struct.unpack("<f" if width == 32 else "<d", (bits & (2**width - 1)).to_bytes(width // 8, "little"))[0]


def cut(value, least, most):
    if value != value:
        return 0
    return most if value >= most else least if value <= least else int(value)


CUTS = {"u32": (0, M32), "u64": (0, M64), "s32": (-(2**31), 2**31 - 1)}
POSITIONS = {"global_load_dword": ["ADDR", "OUT"], "global_store_dword": ["ADDR", "IN1"], "v_add_u32_e32": ["IN1", "OUT"],
             "v_mul_lo": ["IN1", "OUT"], "v_xor": ["IN1", "OUT"], "ds_write": ["IN1", "ADDR32"], "ds_read": ["OUT", "ADDR32"],
             "s_load_dwordx2": ["OUT", "ADDR"], "v_cmp_lt_u32": ["IN1", "OUT"]}


class Probe:
    """A program of the language, printed and run."""

    def __init__(self, rand):
        self.rand = rand
        self.variables = {f"x{i}": (rand.choice([32, 64]), rand.randint(0, 9)) for i in range(rand.randint(1, 4))}
        self.maps = [("thread" if i < 2 else "warp", rand.choice(["u64", "u32"]), rand.randint(1, 4)) for i in range(3)]
        if rand.random() < 0.5:
            self.maps[0] = ("thread", "u64", "dynamic")
        self.probes = []
        for position in rand.sample(list(POSITIONS), rand.randint(1, 4)):
            before = rand.random() < 0.4
            words = [w for w in POSITIONS[position] if not (before and w == "OUT")]
            level = rand.choice(["thread", "thread", "warp"])
            self.probes.append((position, level, before, self.body(words, 2, level, position[0] in "gd")))
        for before in (True, False):
            if not before or rand.random() < 0.5:
                for level in rand.sample(["thread", "warp"], rand.randint(1, 2)):
                    self.probes.append(("kernel", level, before, self.body([], 1, level, False, before)))

    def expression(self, words, depth, moves):
        r = self.rand
        kinds = ["constant", "variable", "variable"] + ["operand"] * (3 if words else 0) + (["bytes"] if moves else []) + ["lane"]
        if depth > 0:
            kinds += ["binary"] * 6 + ["if", "cut"]
        kind = r.choice(kinds)
        if kind == "constant":
            return ("constant", r.choice([r.randint(0, 20), r.randint(0, M32)]))
        if kind == "variable":
            return ("variable", r.choice(list(self.variables)))
        if kind == "operand":
            return ("operand", r.choice(words))
        if kind in ("bytes", "lane"):
            return (kind,)
        a, b = self.expression(words, depth - 1, moves), self.expression(words, depth - 1, moves)
        if kind == "cut":
            return (kind, r.choice(list(CUTS) + ["bits"]), r.choice([32, 64]), a, r.choice(list(self.variables)))
        if kind == "if":
            return (kind, a, self.condition(words, depth - 1, moves), b)
        return ("binary", r.choice(["+", "-", "*", "&", "|", "^", "+", "-"]), a, b) if r.random() < 0.8 else ("shift", r.choice(["<<", ">>"]), a, r.randint(0, 31))

    def condition(self, words, depth, moves):
        if self.rand.random() < 0.3:
            names = list(self.variables)
            return (self.rand.choice(["==", "!=", "<", "<=", ">", ">="]), self.expression(words, depth, moves), self.rand.choice(names),
                    self.expression(words, depth, moves), self.rand.choice(names), self.rand.choice([32, 64]))
        return (self.rand.choice(["==", "!=", "<", "<=", ">", ">="]), self.expression(words, depth, moves), self.expression(words, depth, moves))

    def body(self, words, depth, level, moves, begins=False):
        body = []
        for _ in range(self.rand.randint(1, 3)):
            kind = self.rand.choice(["assign", "assign", "save", "save"] + (["if"] if depth > 0 else []))
            if kind == "assign":
                body.append((kind, self.rand.choice(list(self.variables)), self.expression(words, 2, moves)))
            elif kind == "save" and not begins:
                of = [i for i, m in enumerate(self.maps) if m[0] == level]
                body.append((kind, self.rand.choice(of), self.expression(words, 2, moves), self.expression(words, 1, moves)))
            elif kind == "if":
                body.append((kind, self.condition(words, 1, moves), self.body(words, depth - 1, level, moves, begins),
                             self.body(words, depth - 1, level, moves, begins) if self.rand.random() < 0.5 else None))
        return body or [("assign", list(self.variables)[0], ("constant", 3))]

    # -- text

    def source(self):
        lines = ["from neutrino import probe, Map", "import neutrino.language as nl"]
        for i, (level, dtype, cap) in enumerate(self.maps):
            lines += [f'@Map(level="{level}", type="array", size=16, cap={cap if cap != "dynamic" else repr(cap)})', f"class m{i}:",
                      "    a: nl.u64"] + (["    b: nl.u64"] if dtype == "u64" else ["    b: nl.u32", "    c: nl.u32"])
        lines += [f"{name}: nl.u{width} = {first}" for name, (width, first) in self.variables.items()]
        for i, (position, level, before, body) in enumerate(self.probes):
            lines += [f'@probe(pos="{position}", level="{level}"{", before=True" if before else ""})', f"def p{i}():"]
            self.print(body, lines, "    ")
        return "\n".join(lines) + "\n"

    def show(self, e):
        kind = e[0]
        if kind == "constant":
            return f"nl.u64({e[1]})"
        if kind == "variable":
            return f"nl.u64({e[1]})"
        if kind == "operand":
            return "nl.u64(nl.u32(nl.addr))" if e[1] == "ADDR32" else f"nl.{e[1].lower()}"
        if kind in ("bytes", "lane"):
            return f"nl.u64(nl.{kind}{'()' if kind == 'lane' else ''})"
        if kind == "cut":
            return f"nl.u64(nl.{e[1]}({self.show_float(e[2], e[3], e[4])}))"
        if kind == "if":
            return f"({self.show(e[1])} if {self.show_condition(e[2])} else {self.show(e[3])})"
        if kind == "shift":
            return f"({self.show(e[2])} {e[1]} {e[3]})"
        return f"({self.show(e[2])} {e[1]} {self.show(e[3])})"

    def show_float(self, width, e, name):
        """Of a value that no compiler knows."""
        bits = f"{self.show(e)} ^ nl.u64({name})"
        return f"nl.f64({bits})" if width == 64 else f"nl.f32(nl.u32({bits}))"

    def show_condition(self, c):
        if len(c) > 3:
            return f"{self.show_float(c[5], c[1], c[2])} {c[0]} {self.show_float(c[5], c[3], c[4])}"
        return f"{self.show(c[1])} {c[0]} {self.show(c[2])}"

    def print(self, body, lines, indent):
        for s in body:
            if s[0] == "assign":
                value = self.show(s[2])
                lines.append(f"{indent}{s[1]} = " + (value if self.variables[s[1]][0] == 64 else f"nl.u32({value})"))
            elif s[0] == "save":
                last = "" if self.maps[s[1]][1] == "u64" else ", 7"
                lines.append(f"{indent}m{s[1]}.save({self.show(s[2])}, {self.show(s[3])}{last})")
            else:
                lines.append(f"{indent}if {self.show_condition(s[1])}:")
                self.print(s[2], lines, indent + "    ")
                if s[3] is not None:
                    lines.append(f"{indent}else:")
                    self.print(s[3], lines, indent + "    ")

    # -- running

    def value(self, e, own, lane, given, size):
        kind = e[0]
        if kind == "constant":
            return e[1]
        if kind == "variable":
            return own[e[1]]
        if kind == "operand":
            return given["ADDR"] & M32 if e[1] == "ADDR32" else given[e[1]]
        if kind == "bytes":
            return size
        if kind == "lane":
            return lane
        if kind == "cut":
            bits = (self.value(e[3], own, lane, given, size) ^ own[e[4]]) & (2**e[2] - 1)
            return bits if e[1] == "bits" else cut(number(bits, e[2]), *CUTS[e[1]]) & M64
        if kind == "if":
            return self.value(e[1] if self.holds(e[2], own, lane, given, size) else e[3], own, lane, given, size)
        a = self.value(e[2], own, lane, given, size)
        if kind == "shift":
            return (a << e[3] if e[1] == "<<" else a >> e[3]) & M64
        b = self.value(e[3], own, lane, given, size)
        return {"+": a + b, "-": a - b, "*": a * b, "&": a & b, "|": a | b, "^": a ^ b}[e[1]] & M64

    def holds(self, c, own, lane, given, size):
        if len(c) > 3:
            a, b = (number(self.value(e, own, lane, given, size) ^ own[name], c[5]) for e, name in (c[1:3], c[3:5]))
        else:
            a, b = (self.value(e, own, lane, given, size) for e in c[1:])
        return {"==": a == b, "!=": a != b, "<": a < b, "<=": a <= b, ">": a > b, ">=": a >= b}[c[0]]

    def run(self, body, own, lane, given, size, save):
        for s in body:
            if s[0] == "assign":
                own[s[1]] = self.value(s[2], own, lane, given, size) & (M64 if self.variables[s[1]][0] == 64 else M32)
            elif s[0] == "save":
                a, b = (self.value(e, own, lane, given, size) for e in s[2:4])
                save(s[1], struct.pack("<QQ", a, b) if self.maps[s[1]][1] == "u64" else struct.pack("<QII", a, b & M32, 7))
            elif self.holds(s[1], own, lane, given, size):
                self.run(s[2], own, lane, given, size, save)
            elif s[3] is not None:
                self.run(s[3], own, lane, given, size, save)


def evaluate(kernel, probe, data, bases):
    """What the kernel stores, and the records of each unit of each map."""
    out = [0] * len(data)
    units = {"thread": kernel.block, "warp": (kernel.block + 63) // 64}
    records = [[[] for _ in range(kernel.grid * units[level])] for level, _, _ in probe.maps]
    for block in range(kernel.grid):
        for index in range(units["warp"]):
            own = [{name: first for name, (_, first) in probe.variables.items()} for _ in range(64)]

            def run(p, lanes, given, size):
                for lane in lanes if p[1] == "thread" else [i for i in lanes if i == 0]:
                    def save(number, record):
                        unit = 64 * index + lane if probe.maps[number][0] == "thread" else index
                        records[number][block * units[probe.maps[number][0]] + unit].append(record)
                    probe.run(p[3], own[lane], lane, given.get(lane, {}), size, save)

            def hear(name, before, wave, mask, given, size):
                for p in probe.probes:
                    if p[0] != "kernel" and p[2] == before and p[0] in name + " ":
                        run(p, mask, given, size)

            wave = Wave(kernel, block, index, data, out, bases, hear)
            # Probes of a position and level become one, where the first of them stands.
            levels = list(dict.fromkeys(p[1] for p in probe.probes if p[0] == "kernel"))
            ordered = sorted((p for p in probe.probes if p[0] == "kernel"), key=lambda p: levels.index(p[1]))
            for p in ordered:
                if p[2]:
                    run(p, wave.lanes, {}, None)
            wave.run()
            for p in ordered:
                if not p[2]:
                    run(p, wave.lanes, {}, None)
    return out, records


class Judge:
    def __init__(self, tracetool, folder):
        self.tracetool, self.folder = tracetool, folder

    def path(self, name):
        return os.path.join(self.folder, name)

    def call(self, *words):
        return subprocess.run([self.tracetool, *words], capture_output=True, text=True)

    def launch(self, kernel, module, bytes_, *more):
        done = self.call("probe", "run", "--max-steps", "3000000", "-g", str(kernel.grid), "-b", str(kernel.block), "-a", "in:" + self.path("in"),
                         "-a", f"out:{self.path('out')}:{bytes_}", *more, self.path(module))
        if done.returncode:
            return None, done.stderr
        with open(self.path("out"), "rb") as file:
            return file.read(), done.stderr

    def judge(self, rand, number):
        machine = rand.choice(["gfx90a", "gfx942"])
        kernel, probe = Kernel(rand, machine), Probe(rand)
        n = kernel.grid * kernel.block * WORDS
        data = [rand.randint(0, M32) for _ in range(n)]
        with open(self.path("in"), "wb") as file:
            file.write(struct.pack(f"<{n}I", *data))
        for name, text in (("k.s", kernel.text()), ("p.py", probe.source())):
            with open(self.path(name), "w", encoding="utf-8") as file:
                file.write(text)
        done = self.call("probe", "weave", self.path("k.s"), self.path("p.py"), "-o", self.path("w.s"))
        if done.returncode:
            return "weave: " + done.stderr
        if os.environ.get("LLVM_MC"):
            done = subprocess.run([os.environ["LLVM_MC"], "-triple=amdgcn-amd-amdhsa", f"-mcpu={machine}", "-filetype=obj", "-o", "/dev/null",
                                   self.path("w.s")], capture_output=True, text=True)
            if done.returncode:
                return "llvm-mc: " + done.stderr
        plain, said = self.launch(kernel, "k.s", 4 * n)
        if plain is None:
            return "unwoven: " + said
        trace = self.path(f"trace{number}")
        woven, said = self.launch(kernel, "w.s", 4 * n, "--trace", trace)
        if woven is None:
            return "woven: " + said
        if woven != plain:
            return "memory differs from that of the unwoven kernel"
        out, records = evaluate(kernel, probe, data, self.bases(data))
        if struct.pack(f"<{n}I", *out) != plain:
            return "memory differs from what Python computes"
        return self.compare(probe, kernel, records, trace, said)

    def bases(self, data):
        """Memories in turn: arguments, packet, in, out, each with a gap behind it."""
        at, places = BASE, []
        for size in (24, 64, 4 * len(data), 4 * len(data)):
            places.append(at)
            at += (size + 65536 + 255) // 256 * 256
        return places[2:]

    def compare(self, probe, kernel, records, trace, said):
        with open(os.path.join(trace, "result", "0.000000.bin"), "rb") as file:
            content = file.read()
        head = struct.unpack("<8I", content[:32])
        if head != (kernel.grid, 1, 1, kernel.block, 1, 1, 0, len(probe.maps)):
            return f"head: {head}"
        end, lost = 0, ""
        for i, (level, _, cap) in enumerate(probe.maps):
            size, divisor, offset = struct.unpack("<IIQ", content[32 + 16 * i:48 + 16 * i])
            most = max(map(len, records[i])) if cap == "dynamic" else cap
            if (size, divisor) != (16 * most, 1 if level == "thread" else 64):
                return f"map {i}: {size} {divisor}, not {16 * most}"
            n_lost = sum(max(0, len(unit) - most) for unit in records[i])
            if n_lost:
                lost += f"map 'm{i}': {n_lost} records found no room: raise its cap\n"
            for u, unit in enumerate(records[i]):
                want = b"".join(unit[:most]).ljust(size, b"\0")
                got = content[offset + u * size:offset + (u + 1) * size]
                if got != want:
                    return f"map {i}, unit {u}: {got.hex()}, not {want.hex()}"
            end = offset + size * len(records[i])
        if end != len(content):
            return f"{len(content)} bytes, not {end}"
        return None if said.endswith(lost) and said.count("no room") == lost.count("no room") else f"said {said!r}, not {lost!r}"


def main():
    tracetool, folder, seed, count = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    os.makedirs(folder, exist_ok=True)
    judge = Judge(tracetool, folder)
    for i in range(count):
        difference = judge.judge(random.Random(seed * 1000003 + i), f"{seed}-{i}")
        if difference is not None:
            print(f"DIFFERS seed {seed}, number {i}: {difference[:2000]}")
            return 1
    print(f"{count} kernels")
    return 0


sys.exit(main())
