#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Imports of data/recorded against the tables that the programs' own profilers printed.

    recorded.py torch DATABASE TABLE [RESOLUTION_NS] : count, total, self and backward time of each name
    recorded.py ranks DATABASE TABLE...              : the same, a table for each rank of one import
    recorded.py steps CSV TRACE...                   : communication in each step (steps --format csv --unit ns), from the
                                                       trace of each rank by itself
    recorded.py tensorflow DATABASE TABLE            : run, node, begin and duration of each node of the step stats
    recorded.py tensorflow2 DATABASE TABLE           : count, total and self time of each operator, time of each step
    recorded.py mxnet DATABASE TABLE                 : count and time of each name
    recorded.py horovod DATABASE TABLE               : what Horovod did while the program waited for each reduction

RESOLUTION_NS: the trace has times only so fine while the table has finer ones. Prints differences and ends with 1 if
there are any.
"""
import collections
import csv
import gzip
import json
import sqlite3
import sys
from decimal import Decimal


def read_table(path):
    with (gzip.open(path, 'rt') if path.endswith('.gz') else open(path)) as file:
        rows = [line.rstrip('\n').split('\t') for line in file]
    assert rows, path
    return rows


def ns(us):
    return int(Decimal(us) * 1000)


class Spans:
    """All spans of a database in the order of their begin, with the nearest span that is around each."""

    def __init__(self, database, rank=None):
        self.rows = database.execute(
            "SELECT raw_name, ts_ns, dur_ns, self_ns, op_cat, step, pid || '/' || tid AS thread, depth, flags FROM event "
            "WHERE dur_ns IS NOT NULL AND coalesce(native_group, '') NOT IN ('Trace', 'python_function') "
            'AND (?1 IS NULL OR pid IN (SELECT pid FROM process WHERE rank = ?1)) '
            'ORDER BY thread, ts_ns, depth', (rank,)).fetchall()
        assert self.rows, 'no spans'
        self.parent, self.n_children, around, thread = {}, collections.Counter(), [], None
        for i, (_, ts, dur, *_, of_thread, depth, _) in enumerate(self.rows):
            if of_thread != thread:
                thread, around = of_thread, []
            while around and (self.rows[around[-1]][7] >= depth or self.end(around[-1]) <= ts):
                around.pop()
            if around:
                self.parent[i] = around[-1]
                self.n_children[around[-1]] += 1
            around.append(i)

    def end(self, i):
        return self.rows[i][1] + self.rows[i][2]

    def is_repeated(self, i):
        """PyTorch's tables leave out the only child of an operator if it has its name."""
        above = self.parent.get(i)
        return above is not None and self.rows[above][0] == self.rows[i][0] and self.n_children[above] == 1

    def tied(self):
        """Names of spans that last just as long as the one around them, of another name. PyTorch's tables take the
        first in the file for the outer, which up to 1.10 is the inner."""
        pairs = ((self.rows[i], self.rows[above]) for i, above in self.parent.items())
        return {row[0] for a, b in pairs if a[1:3] == b[1:3] and a[0] != b[0] for row in (a, b)}


def torch(database, table, resolution_ns=0, rank=None):
    ours = collections.defaultdict(lambda: [0, 0, 0, 0])
    spans = Spans(database, rank)
    tied, tied_ns = spans.tied(), [0, 0]
    # What only names a stretch of time has no self time here.
    stretches = {row[0].split('#')[0] for row in spans.rows if 'window' in (row[8] or '').split(',')}
    is_job = any(name.startswith('gloo:') for name, *_ in table)
    for i, (name, _, dur, itself, op_cat, *_) in enumerate(spans.rows):
        sums = ours['ProfilerStep*' if name.startswith('ProfilerStep#') else name]
        if not spans.is_repeated(i):
            sums[0] += 1
            sums[1] += dur
        sums[2] += itself
        sums[3] += itself if op_cat == 'BW' else 0
    for name, count, *times in table:
        got = ours.pop(name, None)
        if got is None:
            yield f'{name}: not there'
            continue
        if got[0] != int(count) and not resolution_ns:
            yield f'{name}: {got[0]} spans, not {count}'
        for what, time, wanted in zip(('total', 'self', 'backward'), got[1:], times):
            # Work that ends on another thread than it began has no self time there, and takes none of a step's.
            if what != 'total' and name.rstrip('*').split('#')[0] in stretches:
                continue
            if name in tied and what != 'total':
                tied_ns[what == 'backward'] += time - ns(wanted)
                continue
            if is_job and what == 'self' and (name.startswith('gloo:') or name == 'ProfilerStep*'):
                continue
            # A parent is as wrong as all its children together.
            tolerance = resolution_ns * int(count) * (1 if what == 'total' else 12)
            if abs(time - ns(wanted)) > tolerance:
                yield f'{name}: {what} {time} ns, not {ns(wanted)}'
    for name in ours:
        yield f'{name}: not in the table'
    if any(tied_ns) and not resolution_ns:
        yield f'self and backward time of all of one duration with what they call: {tied_ns} ns too long'


def ranks(database, *tables):
    for rank, path in enumerate(tables):
        for difference in torch(database, read_table(path), rank=rank):
            yield f'rank {rank}: {difference}'


def union(spans):
    total, until = 0, None
    for begin, end in sorted(spans):
        total += max(0, end - (begin if until is None else max(begin, until)))
        until = end if until is None else max(until, end)
    return total


def steps(table, *traces):
    with open(table) as file:
        ours = {(row['rank'], row['step']): int(row['comm_ns']) for row in csv.DictReader(file)}
    for rank, path in enumerate(traces):
        with gzip.open(path, 'rt') as file:
            spans = [(event['name'], ns(event['ts']), ns(event['ts']) + ns(event['dur']))
                     for event in json.load(file, parse_float=Decimal)['traceEvents'] if event.get('ph') == 'X']
        for name, begin, end in spans:
            if not name.startswith('ProfilerStep#'):
                continue
            time = union((a, b) for other, a, b in spans if begin <= a < end and 'barrier' not in other
                         and (other.startswith('gloo:') or other.startswith('c10d::')))
            if ours.pop((str(rank), name.split('#')[1]), None) != time:
                yield f'rank {rank}, {name}: not {time} ns of communication'
    for row in ours:
        yield f'{row}: not in the traces'


def tensorflow(database, table):
    ours = collections.Counter(
        (step, raw.split(':')[0], ts, dur)
        for raw, ts, dur, _, _, step, *_ in Spans(database).rows)
    theirs = collections.Counter(
        (int(run), node.split(':')[0], ns(begin), ns(us)) for run, _, node, begin, us in table)
    for row in (theirs - ours):
        yield f'not there: {row}'
    for row in (ours - theirs):
        yield f'not in the table: {row}'


def tensorflow2(database, table):
    """Self times of that table are those among operators alone."""
    operators = {tuple(row[1:3]): tuple(map(int, row[3:])) for row in table if row[0] == 'op'}
    ours, around = collections.defaultdict(lambda: [0, 0, 0]), []
    for kind, name, ts, dur, thread in database.execute(
            "SELECT native_group, raw_name, ts_ns, dur_ns, pid || '/' || tid AS thread FROM event "
            "WHERE native_group NOT IN ('Host', 'Steps') ORDER BY thread, ts_ns, depth"):
        while around and (around[-1][0] != thread or around[-1][1] <= ts):
            around.pop()
        if around:
            around[-1][2][2] -= dur
        sums = ours[kind, name]
        for i, time in enumerate((1, dur, dur)):
            sums[i] += time
        around.append((thread, ts + dur, sums))
    for key in sorted(set(operators) | set(ours)):
        if operators.get(key) != tuple(ours.get(key, ())):
            yield f'{key}: {ours.get(key)}, not {operators.get(key)}'
    # Calls that nobody annotated count as steps for TensorFlow 2.4 ("EagerKernelExecute 0"), but not here.
    steps = {row[1]: int(row[2]) for row in table if row[0] == 'step' and row[1].startswith('train ')}
    numbers = {number: time for number, time in database.execute(
        "SELECT step, dur_ns FROM event WHERE flags LIKE '%step%'")}
    for name, time in steps.items():
        if numbers.pop(int(name.split()[-1]), None) != time:
            yield f'step {name}: not {time} ns'
    if numbers or not steps:
        yield f'steps that are not in the table: {numbers}'


def mxnet(database, table):
    ours = collections.defaultdict(lambda: [0, 0])
    for name, _, dur, _, op_cat, *_ in Spans(database).rows:
        # The k-th update of an iteration has a name of its own.
        sums = ours['multi_sgd_mom_update' if op_cat == 'UPDATE_' else name]
        sums[0] += 1
        sums[1] += dur
    for name, count, ms in table:
        if name in ('MXNet C API Calls', 'MXNet C API Concurrency') or name.startswith('Memory: '):
            continue  # counters
        wanted = [int(count), int(Decimal(ms) * 1000000)]
        if ours.pop(name, [0, 0]) != wanted:
            yield f'{name}: not {wanted}'
    for name in ours:
        yield f'{name}: not in the table'


def horovod(database, table):
    rows = database.execute('SELECT op_name, sub_op, ts_ns, ts_ns + dur_ns FROM event '
                            'WHERE dur_ns IS NOT NULL').fetchall()
    for number, tensor, begin, end in table:
        inside = {sub_op: (ts, until) for name, sub_op, ts, until in rows
                  if name == tensor and int(begin) <= ts <= until <= int(end)}
        if set(inside) != {'NEGOTIATE_ALLREDUCE', 'ALLREDUCE', 'GLOO_ALLREDUCE'}:
            yield f'round {number}, {tensor}: {sorted(inside)}'
            continue
        negotiation = inside['NEGOTIATE_ALLREDUCE'][1] - inside['NEGOTIATE_ALLREDUCE'][0]
        if (negotiation > 15000000) != (tensor == 'layer0'):
            yield f'round {number}, {tensor}: {negotiation} ns for the late rank'
    # The reductions before the rounds.
    if len(rows) != 3 * len(table) + 9:
        yield f'{len(rows)} spans'


def main():
    kind, subject, *rest = sys.argv[1:]
    if kind != 'steps':
        subject = sqlite3.connect(f'file:{subject}?mode=ro', uri=True)
    if kind in ('steps', 'ranks'):
        differences = list({'steps': steps, 'ranks': ranks}[kind](subject, *rest))
    else:
        judges = {'torch': torch, 'tensorflow': tensorflow, 'tensorflow2': tensorflow2, 'mxnet': mxnet, 'horovod': horovod}
        differences = list(judges[kind](subject, read_table(rest[0]), *map(int, rest[1:])))
    for difference in differences[:20]:
        print('#', difference)
    print(f'# {len(differences)} differences')
    sys.exit(1 if differences else 0)


if __name__ == '__main__':
    main()
