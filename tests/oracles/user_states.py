#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A program's operations split by what the kernel says of their threads: running, preempted, ready, waiting and in which call.

    user_states.py write SEED DIRECTORY TRUTH.json    a session of LTTng: kernel/ of a made scheduler, ust/ of a program on it
    user_states.py check TRUTH.json CSV [ROWS]        of breakdown --show states --format csv --unit ns; ROWS: operation, thread

Truth is reckoned from the made run itself, one stretch between two changes after the other, by looking through all spans, states
and calls for those that contain it.
"""
import csv
import json
import os
import random
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import kernel_states  # noqa: E402
from kernel_states import ctf  # noqa: E402

CALLS = ('futex', 'read', 'poll')
EVENTS = [event for event in kernel_states.EVENTS if not event[0].startswith('syscall_')]
EVENTS += [(f'syscall_{side}_{call}', [('ret', 'i64')]) for call in CALLS for side in ('entry', 'exit')]
OPERATIONS = ('work', 'barrier', 'step')
USER_EVENTS = [(f'app:{op}_{side}', [('n', 'u32')]) for op in OPERATIONS for side in ('begin', 'end')]
CONTEXT = [('vpid', 'i32'), ('vtid', 'i32')]
PID, STATES = 500, ('running', 'preempted', 'ready', 'waiting', 'unknown')


class Program(kernel_states.System):
    def __init__(self, rng, kernel, ust, n_cpus, n_threads):
        super().__init__(rng, kernel, n_cpus, n_threads, 0)
        self.ust, self.stack, self.users, self.call_spans, self.last_kernel = ust, {}, [], [], 0
        self.is_traced = True

    def event(self, cpu, name, /, **values):
        if self.is_traced:
            super().event(cpu, name, **values)
            self.last_kernel = self.now
        else:
            self.now += self.rng.randint(1, 5000)

    def user(self, tid, op=None):
        """Begins an operation; without one ends the innermost."""
        self.now += self.rng.randint(1, 3000)
        stack = self.stack.setdefault(tid, [])
        if op:
            stack.append((op, self.now))
        else:
            op, begin = stack.pop()
            self.users.append([tid, op, begin, self.now, len(stack), op in [of for of, _ in stack]])
        side = 'begin' if len(stack) and stack[-1] == (op, self.now) else 'end'
        self.ust.event(self.now, self.rng.randrange(len(self.ust.files)), f'app:{op}_{side}', (PID, tid), n=1)

    def step(self):
        rng, cpu = self.rng, self.rng.randrange(len(self.running))
        tid, kind = self.running[cpu], rng.random()
        asleep = [of for of, state in self.state.items() if state == 'waiting']
        if kind < 0.1 and (new := next(self.tids, None)) is not None:
            self.wake(cpu, new, new=True)
        elif kind < 0.25 and asleep:
            self.event(cpu, 'irq_handler_entry', irq=27, name='eth0')
            self.wake(cpu, rng.choice(asleep))
            self.event(cpu, 'irq_handler_exit', irq=27, ret=1)
        elif not tid:
            self.switch(cpu, None, 0)
        elif kind < 0.6 and tid >= PID and tid not in self.in_call:
            stack = self.stack.get(tid, [])
            self.user(tid, None if stack and (rng.random() < 0.5 or len(stack) > 3) else rng.choice(OPERATIONS))
        elif kind < 0.75 and self.switched[cpu]:
            if tid in self.in_call:
                call, begin = self.in_call.pop(tid)
                self.event(cpu, f'syscall_exit_{call}', ret=0)
                self.call_spans.append([tid, call, begin, self.now])
            else:
                call = rng.choice(CALLS)
                self.event(cpu, f'syscall_entry_{call}', ret=0)
                self.in_call[tid] = (call, self.now)
        elif kind < 0.85 and any(of in ('ready', 'preempted') for of in self.state.values()):
            self.switch(cpu, 'preempted', rng.choice([0, 256]))
        else:
            self.switch(cpu, 'waiting', rng.choice([1, 2]))


def environment(domain):
    return {'hostname': 'made', 'domain': domain, 'tracer_name': f'lttng-{domain}', 'tracer_major': 2, 'tracer_minor': 13}


def split(users, states, calls, tid_row):
    """{row: {'self': {state: ns}, 'total': ..., 'calls': {call: ns}, 'count': n}}"""
    rows = {}
    for tid in {user[0] for user in users}:
        mine, own = [u for u in users if u[0] == tid], [s for s in states if s[0] == tid]
        in_call = [c for c in calls if c[0] == tid]
        edges = sorted({t for span in mine + own + in_call for t in span[2:4]})
        for user in mine:
            row = rows.setdefault(tid if tid_row else user[1], {'self': {}, 'total': {}, 'calls': {}, 'count': 0})
            row['count'] += 1
        for begin, end in zip(edges, edges[1:]):
            around = [u for u in mine if u[2] <= begin and end <= u[3]]
            if not around:
                continue
            state = next((s[1] for s in own if s[2] <= begin and end <= s[3]), 'unknown')
            inner = max(around, key=lambda u: u[4])
            row = rows[tid if tid_row else inner[1]]
            row['self'][state] = row['self'].get(state, 0) + end - begin
            for user in around:
                if not user[5]:
                    total = rows[tid if tid_row else user[1]]['total']
                    total[state] = total.get(state, 0) + end - begin
            call = next((c[1] for c in in_call if c[2] <= begin and end <= c[3]), None)
            if state == 'waiting' and call:
                row['calls'][call] = row['calls'].get(call, 0) + end - begin
    return rows


def write(seed, directory, path):
    rng = random.Random(seed)
    n_cpus = rng.randint(1, 4)
    kernel = ctf.Trace(os.path.join(directory, 'kernel'), EVENTS, (), environment('kernel'), n_cpus=n_cpus)
    ust = ctf.Trace(os.path.join(directory, 'ust', 'uid', '0', '64-bit'), USER_EVENTS, CONTEXT, environment('ust'), n_cpus=n_cpus)
    program = Program(rng, kernel, ust, n_cpus, rng.randint(2, 6))
    for _ in range(rng.randint(300, 900)):
        program.step()
    lone = rng.random() < 0.5
    if lone:  # a thread that the kernel trace does not have
        program.user(900, 'work')
        program.user(900)
    for tid, stack in program.stack.items():
        while stack:
            program.user(tid)
    kernel.write()
    ust.write()
    end = program.last_kernel
    states = program.spans + [[tid, state, program.since[tid], end] for tid, state in program.state.items() if state is not None]
    calls = program.call_spans + [[tid, call, begin, end] for tid, (call, begin) in program.in_call.items()]
    users = [user for user in program.users if user[0] != 900]
    with open(path, 'w', encoding='ascii') as f:
        json.dump({'operation': split(users, states, calls, False), 'thread': split(users, states, calls, True), 'lone': lone}, f)


def check(path, table, kind='operation'):
    with open(path, encoding='ascii') as f:
        truth = json.load(f)[kind]
    with open(table, encoding='utf-8', newline='') as f:
        rows = {row[kind].split('.')[-1].split(' ')[-1]: row for row in csv.DictReader(f)}
    wrong = [] if set(rows) == set(truth) else [('rows', sorted(rows), sorted(truth))]
    for name in set(rows) & set(truth):
        row, of = rows[name], truth[name]
        want = {'count': of['count'], 'self_ns': sum(of['self'].values())}
        want.update({f'{state}_ns': of['self'].get(state, 0) for state in STATES})
        want['waiting_there_ns'] = max(of['calls'].values(), default=0)
        if kind == 'operation':
            want.update({f'total_{state}_ns': of['total'].get(state, 0) for state in STATES})
        wrong += [(name, key, row[key], value) for key, value in want.items() if int(row[key]) != value]
        call = row['waits_in'].removeprefix('syscall_')
        if of['calls'].get(call, 0) != want['waiting_there_ns']:
            wrong.append((name, 'waits_in', row['waits_in'], of['calls']))
    lost = [sum(int(row[f'{state}_ns']) for state in ('preempted', 'ready', 'waiting')) for row in rows.values()]
    if lost != sorted(lost, reverse=True):
        wrong.append(('order', lost))
    print(f'{len(rows)} rows, {len(wrong)} wrong: {wrong[:4]}')
    return not rows or bool(wrong)


if __name__ == '__main__':
    sys.exit(write(int(sys.argv[2]), *sys.argv[3:]) if sys.argv[1] == 'write' else check(*sys.argv[2:]))
