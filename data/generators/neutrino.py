#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Trace directories as Neutrino's hook drivers write them, with all records in expected.json beside them.

neutrino.py FOLDER                 the examples: FOLDER/NAME/... for every example below
neutrino.py --random SEED FOLDER   one run made by chance
"""
import argparse
import hashlib
import json
import os
import random
import struct

# Maps: name, level, cap (0: dynamic), fields. Values follow their names.
SCHED = ('block_sched', 'warp', 1, [('start', 'u64'), ('elapsed', 'u32'), ('cuid', 'u32')])
BYTES = ('GMEMBytes', 'thread', 1, [('sync_bytes', 'u32'), ('async_bytes', 'u32')])
SLOW = ('Slow', 'thread', 4, [('start', 'u64'), ('elapsed', 'u32'), ('cuid', 'u32')])
PAGES = ('pages', 'thread', 0, [('clock', 'u64'), ('addr', 'u64')])
TIMED = ('timed', 'warp', 1, [('gstart', 'u64'), ('gend', 'u64'), ('smid', 'u32'), ('n', 'u32')])
MIXED = ('mixed', 'warp', 2, [('tag', 'u32'), ('lstart', 'u64'), ('elapsed', 'u64'), ('n', 'u32')])

EXAMPLES = {
    'new': dict(layout='new', maps=[SCHED, BYTES], launches=3),
    'old': dict(layout='old', maps=[SCHED, BYTES]),
    'hip': dict(layout='hip', maps=[TIMED, BYTES], block=(64, 2, 1), hip=True),
    'cap': dict(layout='new', maps=[SLOW], block=(8, 4, 1)),
    'dynamic': dict(layout='new', maps=[SCHED, PAGES], launches=2),
    'odd-device': dict(layout='new', maps=[SCHED, BYTES], block=(48, 1, 1), stride='device'),
    'odd-small': dict(layout='new', maps=[SCHED], block=(16, 1, 1), stride='device'),
    'odd-file': dict(layout='new', maps=[SCHED, BYTES], block=(48, 1, 1), stride='file'),
    'times': dict(layout='new', maps=[TIMED, MIXED], threads=3, launches=4),
    'seed': dict(layout='old', maps=[SCHED], seed_dialect=True, grid=(2, 2, 2)),
}


def memory_order(fields, seed_dialect=False):
    return fields if seed_dialect else [f for f in fields if f[1] == 'u64'] + [f for f in fields if f[1] == 'u32']


def record_size(fields):
    return sum(8 if kind == 'u64' else 4 for _, kind in fields)


def pack(record, fields):
    return b''.join(struct.pack('<Q' if kind == 'u64' else '<I', value) for value, (_, kind) in zip(record, fields))


class Run:
    def __init__(self, rng, root, layout='new', maps=(), grid=(3, 2, 1), block=(64, 1, 1), launches=1, threads=1,
                 stride='file', hip=False, seed_dialect=False, pid=4242):
        self.rng, self.root, self.layout, self.maps = rng, root, layout, maps
        self.grid, self.block, self.n_launches, self.threads = grid, block, launches, threads
        self.stride, self.hip, self.seed_dialect, self.pid = stride, hip, seed_dialect, pid
        self.warp = 64 if layout == 'hip' else 32
        self.now = {'cycles': 10**12, 'ns': 1752574272000000000, 'ten': 5 * 10**9}
        self.expected = {'pid': str(pid), 'layout': layout, 'results': {}, 'launches': []}

    def value(self, name, block):
        rng = self.rng
        if name in ('start', 'clock', 'lstart'):
            return self.now['cycles'] + 1000 * block + rng.randrange(400)
        if name == 'gstart':
            return self.now['ten' if self.hip else 'ns'] + 500 * block + rng.randrange(300)
        if name in ('cuid', 'smid'):
            return block % 4
        if name == 'addr':
            return 0x7f0000000000 + 4096 * rng.randrange(64)
        return rng.randrange(500, 900) if name == 'elapsed' else rng.randrange(1, 4096)

    def record(self, fields, block):
        record = {}
        for name, _ in fields:
            record[name] = record['gstart'] + self.rng.randrange(400, 700) if name == 'gend' else self.value(name, block)
        return [record[name] for name, _ in fields]

    def area(self, level, cap, fields):
        """Bytes per unit, all bytes, and the records as [block, unit, slot, field...] that can be read back."""
        n_blocks = self.grid[0] * self.grid[1] * self.grid[2]
        n_threads = self.block[0] * self.block[1] * self.block[2]
        per = self.warp if level == 'warp' else 1
        units = -(-n_threads // per)
        step = n_threads // per if self.stride == 'device' else units
        slots = cap or self.rng.randrange(1, 5)
        size = record_size(fields)
        data = bytearray(n_blocks * units * slots * size)
        owner = {}
        # An empty end of the file would look like a writer that leaves no place to cut warps.
        least = int(n_threads % per != 0)
        for block, unit in [(b, u) for b in range(n_blocks) for u in range(units)]:
            place = block * step + unit
            records = [self.record(fields, block)
                       for _ in range(1 if cap == 1 else self.rng.randrange(least, slots + 1))]
            at = place * slots * size
            data[at:at + slots * size] = b''.join(pack(r, fields) for r in records).ljust(slots * size, b'\0')
            # Who shares a place is told as the first warp of the later block.
            owner[place] = [[block, 0 if unit >= step > 0 and block < n_blocks - 1 else unit, slot] + r
                            for slot, r in enumerate(records)]
            if step < units and (unit == step or step == 0) and block < n_blocks - 1:
                for r in owner[place]:
                    r[0], r[1] = (n_blocks - 1 if step == 0 else block + 1), 0
        return slots * size, bytes(data), [r for place in sorted(owner) for r in owner[place]]

    def result(self):
        n_blocks = self.grid[0] * self.grid[1] * self.grid[2]
        n_threads = self.block[0] * self.block[1] * self.block[2]
        offset = 32 + 16 * len(self.maps)
        entries, areas, records, totals = b'', b'', {}, []
        for name, level, cap, declared in self.maps:
            fields = memory_order(declared, self.seed_dialect)
            size, data, found = self.area(level, cap, fields)
            per = self.warp if level == 'warp' else 1
            if self.layout == 'old':
                entries += struct.pack('<QQ', size, offset)
            elif self.layout == 'new':
                entries += struct.pack('<IIQ', size, per, offset)
            else:
                entries += struct.pack('<IIQ', len(data), self.rng.choice([1, 32, 64, 0xdeadbeef]), offset)
            # The writer rounds down here what it rounds up when it allocates.
            offset += len(data) if self.layout == 'hip' else n_blocks * n_threads * size // per
            areas += data
            totals.append((level, size, len(data)))
            records[name] = {'fields': [f for f, _ in fields], 'records': found}
        header = struct.pack('<8I', *self.grid, *self.block, 0, len(self.maps))
        return header + entries + areas, records, totals, offset

    def toml(self):
        if self.seed_dialect:
            name, level, cap, fields = self.maps[0]
            saves = ''.join(f'SAVE.{kind} {{%{field}}};\n' for field, kind in fields)
            return (f'[{name}]\nposition = "kernel"\ndatamodel = "{level}:{record_size(fields)}"\n'
                    f'before = """mov.u64 %start, %clock64;"""\nafter = """{saves}"""\n')
        text = 'regs = 4\n'
        if any(cap == 0 for _, _, cap, _ in self.maps):
            text += 'dynamic = true\n'
        saves = ''.join(f'SAVE [ {name} ] {{ %NR0 }};\\n' for name, *_ in self.maps)
        text += f'\n[probe.p]\nlevel = "warp"\npos = "kernel"\nafter = "{saves}"\n'
        for name, level, cap, fields in self.maps:
            cap_text = cap if cap else '"dynamic"'
            text += (f'\n[map.{name}]\nlevel = "{level}"\ntype = "array"\nsize = {record_size(fields)}\n'
                     f'cap = {cap_text}\n\n[map.{name}.regs]\n')
            text += ''.join(f'{field} = ["{kind}", "None"]\n' for field, kind in fields)
        return text

    def launch(self, number, function, kernel):
        """Lines of the log in groups that stay together; other threads' lines may come between groups."""
        data, records, totals, end = self.result()
        name = f'{0.123457 + 1.5 * number:.6f}.bin'
        path = os.path.join(self.root, 'result', name)
        with open(path, 'wb') as out:
            out.write(data)
        ns = self.now['ns'] + 123456789 + 1000000 * number
        times = [max(self.rng.randrange(1, 200000), 1000) for _ in range(3)]
        self.expected['results'][name] = {'kernel': kernel, 'maps': records, 'grid': self.grid, 'block': self.block,
                                          'kernel_ns': ns + times[0]}
        self.expected['launches'].append([kernel, ns] + times + [name])
        ms = [f'{t // 1000000}.{t % 1000000:06d}' for t in times]
        n_blocks = self.grid[0] * self.grid[1] * self.grid[2]
        n_threads = self.block[0] * self.block[1] * self.block[2]
        units = -(-n_threads // self.warp)
        dims = ' '.join(map(str, self.grid)) + ' block ' + ' '.join(map(str, self.block))
        maps = [f'[exec] grid {n_blocks} warp  {units} probe {size} total {total}' if level == 'warp' else
                f'[exec] grid {n_blocks} block {n_threads} probe {size} total {total}' for level, size, total in totals]
        return [[f'[exec] funcmap-find {function} success', f'[exec] {ns} param 7f0000000000 400 ',
                 f'[exec] grid {dims} shared 0'] + maps +
                [f'[exec] probe-mem {sum(t for *_, t in totals)} (bytes)'],
                ['[exec] succeed 0', f'[exec] save {path} size {end}'],
                [f'[exec] prologue {ms[0]} kernel {ms[1]} epilogue {ms[2]} ratio '
                 f'{sum(times) / times[1]:.6f}']]

    def weave(self, launches):
        """Up to `threads` launches are under way at a time and their groups come mixed, each kind in the order of the
        launches: nothing else in the log tells whose they are."""
        at, lines = [0] * len(launches), []
        while any(n < 3 for n in at):
            first = next(i for i, n in enumerate(at) if n < 3)
            ready = [i for i in range(first, min(first + self.threads, len(at)))
                     if at[i] < 3 and (i == first or at[i] < at[i - 1])]
            i = self.rng.choice(ready)
            lines += launches[i][at[i]]
            at[i] += 1
        return lines

    def write(self):
        api = 'hip' if self.hip else 'cu'
        for folder in ('result', 'kernel'):
            os.makedirs(os.path.join(self.root, folder), exist_ok=True)
        lines = [f'[init] pid {self.pid}', '[init] cmd 16 python zeros.py ', '[init] dl 0x55d0c0ffee00', '[init] success']
        functions = {}
        for i in range(min(2, self.n_launches)):
            kernel, function = f'_Z5zeros{i}Pfi', f'0x55d0c0ffee{i + 1}0'
            functions[i] = (function, kernel)
            folder = f'{i}_{hashlib.sha1(kernel.encode()).hexdigest()}'
            os.makedirs(os.path.join(self.root, 'kernel', folder), exist_ok=True)
            info = [kernel, '2', str(len(self.maps))]
            info += [f'{int(level == "warp")},{record_size(fields) * cap if cap else -1}'
                     for _, level, cap, fields in self.maps]
            with open(os.path.join(self.root, 'kernel', folder, 'kernel.info'), 'w') as out:
                out.write('\n'.join(info) + '\n')
            lines += [f'[mod] {api}ModuleGetFunction func {function} mod 0x55d0c0ffee20 name {kernel}',
                      f'[exec] funcmap-not-find {function}',
                      f'[probe] find {function} name {kernel} bin 0x55d0c0ffee30 size 4096',
                      f'[probe] rename {kernel} {folder}', '[probe] python succeed',
                      f'[probe] finish {function} name {kernel} n_param 2']
        launches = []
        for i in range(self.n_launches):
            launches.append(self.launch(i, *functions[i % len(functions)]))
            self.now['cycles'] += 100000
            self.now['ten'] += 100000
        lines += self.weave(launches)
        with open(os.path.join(self.root, 'event.log'), 'w') as out:
            out.write('\n'.join(lines) + '\n')
        with open(os.path.join(self.root, 'probe.toml'), 'w') as out:
            out.write(self.toml())
        with open(os.path.join(os.path.dirname(self.root), 'expected.json'), 'w') as out:
            json.dump(self.expected, out, separators=(',', ':'))
            out.write('\n')


def chance(rng):
    layout = rng.choice(['new', 'old', 'hip'])
    maps = rng.sample([SCHED, BYTES, SLOW, TIMED, MIXED], rng.randrange(1, 5))
    if rng.random() < 0.3:
        maps.append(PAGES)
    rng.shuffle(maps)
    warp = 64 if layout == 'hip' else 32
    block = rng.choice([(warp, 1, 1), (2 * warp, 2, 1), (rng.randrange(1, 150), 1, 1), (7, 5, 2), (1, 1, 1)])
    return dict(layout=layout, hip=layout == 'hip', maps=maps, block=block, grid=tuple(rng.randrange(1, 5) for _ in range(3)),
                launches=rng.randrange(1, 4), threads=rng.randrange(1, 4), stride=rng.choice(['file', 'device']),
                pid=rng.randrange(2, 99999))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--random', type=int, metavar='SEED')
    parser.add_argument('folder')
    args = parser.parse_args()
    if args.random is not None:
        rng = random.Random(args.random)
        what = chance(rng)
        Run(rng, os.path.join(args.folder, f'Jul15_101112_{what["pid"]}'), **what).write()
        return
    os.chdir(args.folder)
    for number, (name, what) in enumerate(EXAMPLES.items()):
        Run(random.Random(number), os.path.join('neutrino-' + name, 'Jul15_101112_4242'), **what).write()


if __name__ == '__main__':
    main()
