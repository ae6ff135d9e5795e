#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tasks of several teams that PInsight gives one name: they end with their own region.

    roots.py judge DATABASE TRUTH.tsv TRACE
    roots.py simulate SEED TRACE TRUTH.tsv

A line of TRUTH is kind (region or task), root, round, region, thread, number in the team, begin, end: of a region what its
root saw around it, of a task what its thread saw inside it, by the clock of the trace. A task's span ends with that of its
region, where another thread began that; one that is marked ends at a time between its bounds at which that region may have
ended. The simulator is written from what PInsight's callbacks and LLVM's runtime do: teams of a root stay together, except those
of regions in regions, whose threads come from a pool; workers tell that they have left a region when they enter the next.
"""
import bisect
import collections
import glob
import heapq
import json
import os
import random
import re
import sqlite3
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..', 'data', 'generators'))
if os.environ.get('TRACETOOL_DATA'):
    sys.path.insert(0, os.path.join(os.environ['TRACETOOL_DATA'], 'generators'))


# -- judge ---------------------------------------------------------------------------------------------------------

def clock_shift(trace):
    with open(glob.glob(trace + '/**/metadata', recursive=True)[0], encoding='latin-1') as f:
        clock = re.search(r'clock \{.*?\}', f.read(), re.DOTALL)[0]
    return sum(int(n) * unit for key, unit in (('offset', 1), ('offset_s', 10**9))
               for n in re.findall(rf'\b{key} = (\d+)', clock))


def judge(path, truth, trace):
    db, shift = sqlite3.connect(f'file:{path}?mode=ro', uri=True), clock_shift(trace)
    spans = collections.defaultdict(list)
    for tid, name, ts, dur, flags, args in db.execute(
            "SELECT tid, op_name, ts_ns, dur_ns, flags, args FROM event WHERE op_name IN ('omp_parallel', "
            "'omp_implicit_task') ORDER BY ts_ns, depth"):
        between = json.loads(args or '{}').get('dur_between_ns')
        spans[int(tid), name].append((ts - shift, ts - shift + dur, between, flags or ''))
    regions, tasks = {}, []
    with open(truth, encoding='ascii') as f:
        for line in f:
            kind, *numbers = line.split('\t')
            root, turn, region, tid, number, begin, end = map(int, numbers)
            if kind == 'region':
                regions[root, turn, region] = (begin, end)
            else:
                tasks.append((root, turn, region, tid, number, begin, end))
    wrong, marked = [], 0
    for root, turn, region, tid, number, begin, end in tasks:
        outer, outer_end = regions[root, turn, region]
        of_root = [s for s in spans[root, 'omp_parallel'] if outer <= s[0] <= begin and s[1] <= outer_end]
        mine = [s for s in spans[tid, 'omp_implicit_task']
                [:bisect.bisect_right(spans[tid, 'omp_implicit_task'], (begin, 2**62))] if s[0] <= begin <= s[1]]
        what = f'root {root}, round {turn}, region {region}, thread {tid}, number {number}'
        if not of_root or not mine:
            wrong.append(f'{what}: no span')
            continue
        region_end, task = of_root[0][1], mine[-1]
        if tid == root:
            good = end <= task[1] <= region_end
        elif task[2] is not None:
            marked += 1
            good = task[0] + task[2][0] <= region_end <= task[0] + task[2][1] and 'unclosed,inferred' in task[3]
        else:
            good = task[1] == region_end
        if not good:
            wrong.append(f'{what}: ends {task[1] - region_end} ns after its region, between {task[2]}')
    for line in wrong[:10]:
        print(line)
    print(f'{len(tasks)} tasks of {len(regions)} regions, {marked} marked, {len(wrong)} differences')
    sys.exit(len(wrong) != 0 or len(tasks) == 0)


# -- simulator ------------------------------------------------------------------------------------------------------

class Program:
    """Threads that begin regions, and what they write."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.events, self.truth = [], []
        self.counts = collections.Counter()
        self.late = {}  # worker -> what it tells when it wakes
        self.n_threads = 0
        self.pool = []  # [free at, worker]
        self.has_joins = self.random.random() < 0.85

    def thread(self):
        self.n_threads += 1
        return 1000 + self.n_threads

    def put(self, ts, tid, number, name, key, **values):
        self.events.append((ts, len(self.events), tid, number, name, key, values))

    def wake(self, worker, ts):
        for i, (name, key, number) in enumerate(self.late.pop(worker, [])):
            self.put(ts - 3 + i, worker, number, name, key, **({'useless': 0} if 'join' in name else {'team_size': 0}))

    def borrow(self, ts, n):
        free = sorted(i for i, entry in enumerate(self.pool) if entry[0] <= ts)
        self.random.shuffle(free)
        while len(free) < n:
            self.pool.append([0, self.thread()])
            free.append(len(self.pool) - 1)
        return [self.pool[i] for i in free[:n]]

    def region(self, ts, root, turn, which, team, nested):
        """The master is team[0]; the end of the region. @nested: its threads may begin regions, too."""
        code = 0x401290 + 0x40 * which
        self.counts[root, code] += 1
        key = (code, self.counts[root, code])
        self.put(ts, root, 0, 'parallel_begin', key, team_size=len(team), flag=-2147483646)
        ready = []
        for number, tid in enumerate(team):
            at = ts + self.random.randrange(20, 4000) * (1 if number else 2)
            if number:
                self.wake(tid, at)
            self.put(at, tid, number, 'implicit_task_begin', key, team_size=len(team))
            begin = at + 1
            at += self.random.randrange(10, 60000)
            if nested and self.random.random() < 0.7:
                others = self.borrow(at, self.random.randrange(1, 3))
                for entry in others:
                    entry[0] = 2**62
                at = self.region(at, tid, turn, which + 2, [tid] + [entry[1] for entry in others], False)
                for entry in others:
                    entry[0] = at
                at += self.random.randrange(10, 2000)
            self.truth.append(('task', root, turn, which, tid, number, begin, at))
            at += 2
            if self.has_joins:
                self.put(at, tid, number, 'parallel_join_sync_begin', key, useless=0)
                self.put(at + 1, tid, number, 'parallel_join_sync_wait_begin', key, useless=0)
            ready.append(at + 1)
            ends = ('parallel_join_sync_wait_end', 'parallel_join_sync_end') if self.has_joins else ()
            self.late[tid] = [(name, key, number) for name in (*ends, 'implicit_task_end')]
        at = max(ready) + self.random.randrange(10, 3000)
        for i, (name, _, _) in enumerate(self.late.pop(root)):
            self.put(at + i, root, 0, name, key, **({'useless': 0} if 'join' in name else {'team_size': len(team)}))
        at += 10
        self.put(at, root, 0, 'parallel_end', key, flag=-2147483646)
        self.truth.append(('region', root, turn, which, root, 0, ts, at))
        return at

    def run(self):
        pick = self.random
        n_roots, nested = pick.randrange(2, 5), pick.random() < 0.4
        lockstep = pick.random() < 0.4
        sizes = [pick.randrange(2, 5)] * n_roots if pick.random() < 0.6 else [pick.randrange(2, 5) for _ in range(n_roots)]
        teams = [[self.thread() for _ in range(size)] for size in sizes]
        queue = [(1000 + pick.randrange(50000), i, 0) for i in range(n_roots)]
        heapq.heapify(queue)
        n_rounds = pick.randrange(3, 15)
        while queue:
            ts, i, turn = heapq.heappop(queue)
            end = self.region(ts, teams[i][0], turn, turn % 2, teams[i], nested)
            gap = end + pick.randrange(20, 20000)
            if lockstep:
                gap = (end // 400000 + 1) * 400000 + pick.randrange(3000)
            if turn + 1 < n_rounds:
                heapq.heappush(queue, (gap, i, turn + 1))
        return self


def simulate(seed, path, truth):
    import ctf
    program = Program(int(seed)).run()
    trace = ctf.Trace(path, ctf.OMP_EVENTS, ctf.CONTEXT, ctf.environment('node0'), n_cpus=4)
    for ts, _, tid, number, name, key, values in sorted(program.events):
        trace.event(ts, tid % 4, f'{ctf.OMPT}:{name}', ('app', 1000, tid), hostname='node0', pid=1000, mpirank=0,
                    global_thread_num=tid - 1000, omp_team_num=0, omp_thread_num=number, parallel_codeptr=key[0],
                    parallel_record_id=key[1], **values)
    trace.write()
    with open(truth, 'w', encoding='ascii') as f:
        for row in program.truth:
            f.write('\t'.join(map(str, row)) + '\n')


if __name__ == '__main__':
    {'judge': judge, 'simulate': simulate}[sys.argv[1]](*sys.argv[2:])
