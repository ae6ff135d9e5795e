#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""States of threads in kernel traces: what a made scheduler did, what its trace says, and what an import has.

    kernel_states.py write SEED DIRECTORY TRUTH.json    a trace as LTTng's kernel tracer writes it, without contexts
    kernel_states.py lossy SEED DIRECTORY TRUTH.json    one of which the tracer has lost events
    kernel_states.py read TEXT TRUTH.json               the same states read from babeltrace2 --clock-seconds
    kernel_states.py check DATABASE TRUTH.json          the spans of an import
    kernel_states.py within DATABASE TRUTH.json         of a lossy one: each span that is not marked is true

The events have the fields of LTTng-modules (sched.h, irq.h, the system calls). A thread of the made system runs, is preempted, sleeps
within a system call or without, is parked, is woken from another processor, moves between processors, and ends. Some ran or slept
before the trace began; the tracer may have dumped their states (lttng-statedump.h). Which bits of prev_state mean what depends on
the kernel's release, which the trace may tell; without sched_wakeup, sched_waking stands for it.
"""
import json
import os
import random
import re
import sqlite3
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..', 'data', 'generators'))
import ctf  # noqa: E402

EVENTS = [('sched_switch', [('prev_comm', 'comm'), ('prev_tid', 'i32'), ('prev_prio', 'i32'), ('prev_state', 'i64'),
                            ('next_comm', 'comm'), ('next_tid', 'i32'), ('next_prio', 'i32')]),
          ('sched_waking', [('comm', 'comm'), ('tid', 'i32'), ('prio', 'i32'), ('target_cpu', 'i32')]),
          ('sched_wakeup', [('comm', 'comm'), ('tid', 'i32'), ('prio', 'i32'), ('target_cpu', 'i32')]),
          ('sched_wakeup_new', [('comm', 'comm'), ('tid', 'i32'), ('prio', 'i32'), ('target_cpu', 'i32')]),
          ('lttng_statedump_process_state', [
              ('tid', 'i32'), ('pid', 'i32'), ('ppid', 'i32'), ('name', 'comm'), ('type', 'i32'), ('mode', 'i32'),
              ('submode', 'i32'), ('status', 'i32'), ('cpu', 'u32'), ('file_table_address', 'hex')]),
          ('irq_handler_entry', [('irq', 'i32'), ('name', 'string')]), ('irq_handler_exit', [('irq', 'i32'), ('ret', 'i32')]),
          ('syscall_entry_read', [('fd', 'u32'), ('count', 'u64')]), ('syscall_exit_read', [('ret', 'i64'), ('buf', 'hex')])]


RELEASES = {None: ([512], [16, 32, 64]), '4.9.0-19-amd64': ([512], [16, 32, 64]), '4.14.336': ([64], [16, 32]), '6.1.0-30-amd64': ([64], [16, 32])}
WAIT_CPU, WAIT = 2, 5


class System:
    def __init__(self, rng, trace, n_cpus, n_threads, loss, release=None, has_wakeup=True):
        self.rng, self.trace, self.now, self.loss = rng, trace, 1000, loss
        self.parked, self.ended = RELEASES[release]
        self.has_wakeup = has_wakeup
        self.sleepers = list(range(300, 300 + rng.randint(0, 6)))
        self.unproven = set()  # states of threads of which the scheduler has said nothing, or only that they were woken
        self.losing, self.lost = [0] * n_cpus, [0] * n_cpus
        self.running = [0] * n_cpus
        self.first = [None] * n_cpus
        self.state, self.since, self.in_call = {}, {}, {}
        self.spans, self.calls = [], []
        self.tids = iter(range(500, 500 + n_threads))
        self.switched = [False] * n_cpus

    def event(self, cpu, name, /, **values):
        self.now += self.rng.randint(1, 5000)
        if self.first[cpu] is None:
            self.first[cpu] = self.now
        if self.losing[cpu] > 0:
            self.losing[cpu] -= 1
            self.lost[cpu] += 1
            return
        if self.lost[cpu]:
            self.trace.lose_events(cpu, self.lost[cpu])
            self.lost[cpu] = 0
        if self.rng.random() < self.loss:
            self.losing[cpu] = self.rng.randint(1, 20)
        self.trace.event(self.now, cpu, name, **values)

    def enter(self, tid, state):
        """The thread is in that state from now on; None: in none."""
        if self.state.get(tid) is not None:
            self.spans.append([tid, self.state[tid], self.since[tid], self.now])
        self.state[tid], self.since[tid] = state, self.now

    def switch(self, cpu, state, prev_state):
        ready = [tid for tid, of in self.state.items() if of in ('ready', 'preempted')]
        prev = self.running[cpu]
        following = self.rng.choice(ready) if ready else 0
        if prev == following == 0:
            return
        self.event(cpu, 'sched_switch', prev_comm=name_of(prev, cpu), prev_tid=prev, prev_prio=20, prev_state=prev_state,
                   next_comm=name_of(following, cpu), next_tid=following, next_prio=20)
        if prev and self.state.get(prev) is None:  # it ran before the trace began
            self.state[prev], self.since[prev] = 'running', self.first[cpu]
        if prev:
            self.enter(prev, state)
        if following:
            self.unproven.discard(following)
            self.enter(following, 'running')
        self.running[cpu] = following
        self.switched[cpu] = True

    def wake(self, cpu, tid, new=False):
        where = {'comm': name_of(tid, cpu), 'tid': tid, 'prio': 20, 'target_cpu': cpu}
        if not new:
            self.event(cpu, 'sched_waking', **where)
        if new or self.has_wakeup:
            self.event(cpu, 'sched_wakeup_new' if new else 'sched_wakeup', **where)
        if tid in self.sleepers:
            self.sleepers.remove(tid)
            if self.state.get(tid) is None:
                self.unproven.add(tid)
            else:
                self.unproven.discard(tid)
        if tid not in self.running and self.state.get(tid) in (None, 'waiting'):
            self.enter(tid, 'ready')

    def dump(self):
        for tid in self.sleepers + [tid for tid in self.running if tid]:
            asleep = tid in self.sleepers
            self.event(0, 'lttng_statedump_process_state', tid=tid, pid=tid, ppid=1, name=name_of(tid, 0), type=0, mode=0, submode=0,
                       status=WAIT if asleep else WAIT_CPU, cpu=0, file_table_address=0)
            if asleep:
                self.state[tid], self.since[tid] = 'waiting', self.now
                self.unproven.add(tid)

    def step(self):
        rng, cpu = self.rng, self.rng.randrange(len(self.running))
        tid, kind = self.running[cpu], rng.random()
        asleep = sorted({of for of, state in self.state.items() if state == 'waiting'} | set(self.sleepers))
        if kind < 0.15 and (new := next(self.tids, None)) is not None:
            self.wake(cpu, new, new=True)
        elif kind < 0.35 and asleep:
            self.event(cpu, 'irq_handler_entry', irq=27, name='eth0')
            self.wake(cpu, rng.choice(asleep))
            self.event(cpu, 'irq_handler_exit', irq=27, ret=1)
        elif kind < 0.4 and tid:
            self.wake(cpu, tid)  # one that runs: nothing changes
        elif not tid:
            self.switch(cpu, None, 0)
        elif kind < 0.6 and self.switched[cpu]:
            if tid in self.in_call:
                self.event(cpu, 'syscall_exit_read', ret=0, buf=0)
                self.calls.append([tid, self.in_call.pop(tid), self.now])
            else:
                self.event(cpu, 'syscall_entry_read', fd=3, count=10)
                self.in_call[tid] = self.now
        elif kind < 0.75 and any(of in ('ready', 'preempted') for of in self.state.values()):
            self.switch(cpu, 'preempted', rng.choice([0, 256, 4096]))
        elif kind < 0.97:
            self.switch(cpu, 'waiting', rng.choice([1, 2, 1 | 256] + self.parked))
        elif tid not in self.in_call:
            self.switch(cpu, None, rng.choice(self.ended))


def name_of(tid, cpu):
    return f'swapper/{cpu}' if tid == 0 else f'task-{tid}'


def write(seed, directory, path, loss=0):
    rng = random.Random(seed)
    n_cpus = rng.randint(1, 4)
    release, has_wakeup = rng.choice(list(RELEASES)), rng.random() < 0.8
    env = {'hostname': 'made', 'domain': 'kernel', 'tracer_name': 'lttng-modules', 'tracer_major': 2, 'tracer_minor': 13}
    trace = ctf.Trace(directory, [event for event in EVENTS if has_wakeup or event[0] != 'sched_wakeup'], (),
                      {**env, 'kernel_release': release} if release else env, n_cpus=n_cpus, packets=rng.random() < 0.5)
    system = System(rng, trace, n_cpus, rng.randint(2, 9), loss, release, has_wakeup)
    for cpu in range(n_cpus):
        system.running[cpu] = rng.choice([0, 100 + cpu])
    if rng.random() < 0.5:
        system.dump()
    for _ in range(rng.randint(200, 600)):
        system.step()
    system.loss = 0
    for cpu in range(n_cpus):
        system.losing[cpu] = 0
        if system.lost[cpu]:
            system.event(cpu, 'irq_handler_entry', irq=1, name='timer')
    trace.write()
    still = [[tid, state, system.since[tid], system.now] for tid, state in system.state.items()
             if state is not None and tid not in system.unproven]
    with open(path, 'w', encoding='ascii') as f:
        json.dump({'parked': system.parked, 'ended': system.ended, 'has_wakeup': has_wakeup, 'spans': sorted(system.spans), 'open': sorted(still), 'calls': sorted(system.calls)}, f)


def read(text, path):
    """Only from what babeltrace2 prints, by the meaning of the events."""
    state, first, seen, spans, unproven = {}, {}, set(), [], set()
    with open(path, encoding='ascii') as f:
        truth = json.load(f)
    ends, sleeps = sum(truth['ended']), 0x8f | truth['parked'][0]
    wakeups = ('sched_wakeup' if truth['has_wakeup'] else 'sched_waking', 'sched_wakeup_new')

    def enter(tid, new, now):
        if tid in state:
            spans.append([tid, *state.pop(tid), now])
        if new:
            state[tid] = (new, now)
        seen.add(tid)
        unproven.discard(tid)

    with open(text, encoding='utf-8') as f:
        for line in f:
            time, name, cpu, rest = re.match(r'\[(\d+\.\d+)\] .*? (\w+): \{ cpu_id = (\d+) \}(.*)', line).groups()
            now = int(time.replace('.', '')) - ctf.EPOCH_NS
            value = dict(re.findall(r'(\w+) = ("[^"]*"|[-\w]+)', rest))
            begun = first.setdefault(cpu, now)
            if name == 'sched_switch':
                prev, following, how = (int(value[key]) for key in ('prev_tid', 'next_tid', 'prev_state'))
                if prev in unproven:
                    unproven.remove(prev)
                    del state[prev]
                if prev and prev not in state and prev not in seen:
                    state[prev] = ('running', begun)
                if prev:
                    enter(prev, None if how & ends else 'waiting' if how & sleeps else 'preempted', now)
                if following:
                    enter(following, 'running', now)
            elif name in wakeups:
                tid = int(value['tid'])
                if tid not in seen and tid not in state:
                    state[tid] = ('ready', now)
                    if name != 'sched_wakeup_new':
                        unproven.add(tid)
                elif name == 'sched_wakeup_new' or state.get(tid, ('',))[0] == 'waiting':
                    enter(tid, 'ready', now)
            elif name == 'lttng_statedump_process_state' and int(value['status']) == WAIT:
                state[int(value['tid'])] = ('waiting', now)
                unproven.add(int(value['tid']))
    for tid in unproven:
        del state[tid]
    same = sorted(spans) == truth['spans'] and sorted([tid, *of] for tid, of in state.items()) == [of[:3] for of in truth['open']]
    print(f'{len(spans)} states read, {len(truth["spans"])} made')
    return not same or not spans


def within(database, path):
    db = sqlite3.connect(f'file:{database}?mode=ro', uri=True)
    with open(path, encoding='ascii') as f:
        truth = {tuple(span) for span in json.load(f)['spans']}
    rows = [(int(tid), sub_op, ts - ctf.EPOCH_NS, ts + dur - ctf.EPOCH_NS) for tid, sub_op, ts, dur in db.execute(
        "SELECT tid, sub_op, ts_ns, dur_ns FROM event WHERE op_name = 'sched' AND pid = 'sched' AND coalesce(flags, '') = ''")]
    wrong = [row for row in rows if row not in truth]
    print(f'{len(rows)} states without a mark, {len(truth)} made, {len(wrong)} wrong: {wrong[:3]}')
    return bool(wrong)


def check(database, path):
    db = sqlite3.connect(f'file:{database}?mode=ro', uri=True)
    with open(path, encoding='ascii') as f:
        truth = json.load(f)
    rows = [[int(tid), sub_op, ts - ctf.EPOCH_NS, ts + dur - ctf.EPOCH_NS, flags or ''] for tid, sub_op, ts, dur, flags in db.execute(
        "SELECT tid, sub_op, ts_ns, dur_ns, flags FROM event WHERE op_name = 'sched' AND pid = 'sched'")]
    closed = sorted(row[:4] for row in rows if 'unclosed' not in row[4])
    still = sorted(row[:4] for row in rows if 'unclosed' in row[4])
    calls = sorted([int(tid), ts - ctf.EPOCH_NS, ts + dur - ctf.EPOCH_NS] for tid, ts, dur, flags in db.execute(
        "SELECT tid, ts_ns, dur_ns, flags FROM event WHERE op_name = 'syscall_read' AND dur_ns IS NOT NULL")
        if 'unclosed' not in (flags or ''))
    for name, mine, theirs in (('states', closed, truth['spans']), ('open', still, truth['open']), ('calls', calls, truth['calls'])):
        if mine != theirs:
            print(name, 'too many', [row for row in mine if row not in theirs][:3], 'missing', [row for row in theirs if row not in mine][:3],
                  file=sys.stderr)
    print(f'{len(closed)} states, {len(still)} open, {len(calls)} calls')
    return not closed or closed != truth['spans'] or still != truth['open'] or calls != truth['calls']


if __name__ == '__main__':
    if sys.argv[1] in ('write', 'lossy'):
        sys.exit(write(int(sys.argv[2]), *sys.argv[3:], loss=0.01 if sys.argv[1] == 'lossy' else 0))
    sys.exit({'read': read, 'check': check, 'within': within}[sys.argv[1]](*sys.argv[2:]))
