#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Interrupts and requests of block devices in kernel traces: what a made kernel did, and what an import has.

    kernel_devices.py write SEED DIRECTORY TRUTH.json    a trace as LTTng-modules writes it (irq.h, block.h)
    kernel_devices.py lossy SEED DIRECTORY TRUTH.json    one of which the tracer has lost events
    kernel_devices.py check DATABASE TRUTH.json          the spans of an import
    kernel_devices.py within DATABASE TRUTH.json         of a lossy one: each span that is not marked is true
"""
import json
import os
import random
import sqlite3
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..', 'data', 'generators'))
import ctf  # noqa: E402

REQUEST = [('dev', 'u32'), ('sector', 'u64'), ('nr_sector', 'u32')]
EVENTS = [('irq_handler_entry', [('irq', 'i32'), ('name', 'string')]), ('irq_handler_exit', [('irq', 'i32'), ('ret', 'i32')]),
          ('irq_softirq_entry', [('vec', 'u32')]), ('irq_softirq_exit', [('vec', 'u32')]), ('irq_softirq_raise', [('vec', 'u32')]),
          ('block_rq_issue', REQUEST + [('bytes', 'u32'), ('tid', 'i32'), ('rwbs', 'u32'), ('comm', 'comm')]),
          ('block_rq_complete', REQUEST + [('error', 'i32'), ('rwbs', 'u32')]),
          ('block_rq_requeue', REQUEST + [('error', 'i32'), ('rwbs', 'u32')]),
          ('lttng_statedump_block_device', [('dev', 'u32'), ('diskname', 'string')])]
SOFT = {1: 'TIMER', 3: 'NET_RX', 4: 'BLOCK', 9: 'RCU'}
IRQS = {27: 'eth0', 28: 'nvme0q1', 0: ''}
RWBS = {0x1: 'WRITE', 0x4: 'READ', 0x100: 'FLUSH', 0x2: 'DISCARD', 0x21: 'WRITE', 0x4c: 'READ'}
DEVICES = {8 << 20: '8:0', (8 << 20) + 16: '8:16', (259 << 20) + 3: '259:3'}


class Machine:
    def __init__(self, rng, trace, n_cpus, loss):
        self.rng, self.trace, self.now, self.loss = rng, trace, 1000, loss
        self.stacks = [[] for _ in range(n_cpus)]
        self.flying, self.spans, self.lanes, self.losing = {}, [], {}, [0] * n_cpus

    def event(self, cpu, name, /, **values):
        self.now += self.rng.randint(1, 3000)
        if self.rng.random() < self.loss:
            self.losing[cpu] += 1
            return
        if self.losing[cpu]:
            self.trace.lose_events(cpu, self.losing[cpu])
            self.losing[cpu] = 0
        self.trace.event(self.now, cpu, name, **values)

    def interrupt(self, cpu):
        rng, stack = self.rng, self.stacks[cpu]
        if stack and rng.random() < 0.6:
            is_soft, number, begin = stack.pop()
            values = {'vec': number} if is_soft else {'irq': number, 'ret': 1}
            self.event(cpu, 'irq_softirq_exit' if is_soft else 'irq_handler_exit', **values)
            word = SOFT[number] if is_soft else IRQS[number] or str(number)
            self.spans.append(['irq', f'cpu {cpu}', 'softirq' if is_soft else 'irq', word, begin, self.now, len(stack), ''])
            return
        # A handler interrupts what is put off, not the other way round, and not another handler.
        if stack and not stack[-1][0]:
            return
        is_soft = not stack and rng.random() < 0.5
        number = rng.choice(sorted(SOFT if is_soft else IRQS))
        self.event(cpu, 'irq_softirq_entry' if is_soft else 'irq_handler_entry',
                   **({'vec': number} if is_soft else {'irq': number, 'name': IRQS[number]}))
        stack.append((is_soft, number, self.now))

    def request(self, cpu):
        rng = self.rng
        if self.flying and rng.random() < 0.5:
            key = rng.choice(sorted(self.flying))
            begin, lane, rwbs, left, failed = self.flying.pop(key)
            done = rng.randint(1, left - 1) if left > 1 and rng.random() < 0.2 else left
            if (key[0], key[1] + done) in self.flying:
                done = left
            error = rng.choice([0, 0, 0, -5])
            failed = failed or error != 0
            sector = 2**64 - 1 if left == 0 else key[1]
            self.event(cpu, 'block_rq_complete', dev=key[0], sector=sector, nr_sector=done, error=error, rwbs=rwbs)
            if done < left:
                self.flying[key[0], key[1] + done] = (begin, lane, rwbs, left - done, failed)
                return
            self.lanes[key[0]].discard(lane)
            tid = DEVICES[key[0]] + (f' #{lane + 1}' if lane else '')
            self.spans.append(['block', tid, 'block', RWBS[rwbs], begin, self.now, 0, 'failed' if failed else ''])
            return
        rwbs, dev = rng.choice(sorted(RWBS)), rng.choice(sorted(DEVICES))
        n = 0 if rwbs == 0x100 else rng.choice([1, 8, 256])
        sector = 0 if n == 0 else rng.randrange(1, 1 << 40)
        if (dev, sector) in self.flying:
            return
        self.event(cpu, 'block_rq_issue', dev=dev, sector=sector, nr_sector=n, bytes=n * 512, tid=7, rwbs=rwbs, comm='dd')
        taken = self.lanes.setdefault(dev, set())
        lane = next(i for i in range(len(taken) + 1) if i not in taken)
        taken.add(lane)
        self.flying[dev, sector] = (self.now, lane, rwbs, n, False)


def write(seed, directory, path, loss=0):
    rng = random.Random(seed)
    n_cpus = rng.randint(1, 4)
    trace = ctf.Trace(directory, EVENTS, (), {'hostname': 'made', 'domain': 'kernel', 'tracer_name': 'lttng-modules',
                                             'tracer_major': 2, 'tracer_minor': 13}, n_cpus=n_cpus, packets=rng.random() < 0.5)
    machine = Machine(rng, trace, n_cpus, loss)
    machine.event(0, 'lttng_statedump_block_device', dev=8 << 20, diskname='sda')
    for _ in range(rng.randint(200, 900)):
        (machine.interrupt if rng.random() < 0.6 else machine.request)(rng.randrange(n_cpus))
    machine.loss = 0
    for cpu in range(n_cpus):
        machine.event(cpu, 'irq_softirq_raise', vec=1)
    trace.write()
    with open(path, 'w', encoding='ascii') as f:
        json.dump({'spans': sorted(machine.spans), 'open': len(machine.flying) + sum(map(len, machine.stacks)), 'end': machine.now}, f)


def rows_of(database):
    db = sqlite3.connect(f'file:{database}?mode=ro', uri=True)
    return [[pid, tid, op, sub, ts - ctf.EPOCH_NS, ts - ctf.EPOCH_NS + dur, depth, flags or ''] for pid, tid, op, sub, ts, dur, depth, flags in
            db.execute("SELECT pid, tid, op_name, sub_op, ts_ns, dur_ns, depth, flags FROM event WHERE pid IN ('irq', 'block')")]


def check(database, path):
    with open(path, encoding='ascii') as f:
        truth = json.load(f)
    rows = rows_of(database)
    closed = sorted(row for row in rows if 'unclosed' not in row[7])
    still = [row for row in rows if 'unclosed' in row[7]]
    wrong = [row for row in closed if row not in truth['spans']] + [row for row in truth['spans'] if row not in closed]
    late = [row for row in still if row[5] != truth['end']]
    print(f'{len(closed)} spans, {len(still)} open, {len(wrong)} wrong: {wrong[:3]} {late[:3]}')
    return not closed or closed != truth['spans'] or len(still) != truth['open'] or bool(late)


def within(database, path):
    with open(path, encoding='ascii') as f:
        truth = {(op, sub, begin, end) for _, _, op, sub, begin, end, _, _ in json.load(f)['spans']}
    rows = [tuple(row[2:6]) for row in rows_of(database) if 'inferred' not in row[7] and row[0] == 'irq']
    wrong = [row for row in rows if row not in truth]
    print(f'{len(rows)} interrupts without a mark, {len(wrong)} wrong: {wrong[:3]}')
    return not rows or bool(wrong)


if __name__ == '__main__':
    if sys.argv[1] in ('write', 'lossy'):
        sys.exit(write(int(sys.argv[2]), *sys.argv[3:], loss=0.02 if sys.argv[1] == 'lossy' else 0))
    sys.exit({'check': check, 'within': within}[sys.argv[1]](*sys.argv[2:]))
