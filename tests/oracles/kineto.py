#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Imports of PyTorch (Kineto) traces against an independent reading of the JSON.

    kineto.py DATABASE TRACE... : the latest run of DATABASE is the import of just these files

Everything docs/formats.md says of them is worked out here again, slowly and from whole files: each span's pid, tid,
time, duration, op_cat, sub_op, step, whether it starts device work; flows with both ends; counters and instants.
Prints TAP lines' worth of differences and ends with 1 if there are any.
"""
import bisect
import collections
import gzip
import json
import re
import sqlite3
import sys
from decimal import Decimal

HOST_CALL = re.compile(r'^(.*_(runtime|driver)|Runtime)$')
DEVICE = {'kernel', 'gpu_memcpy', 'gpu_memset', 'cuda_sync', 'cuda_event', 'xpu_sync', 'mtia_ccp_events', 'mtia_insight',
          'hpu_op', 'collective_comm', 'cuda_profiler_range', 'Kernel', 'Memcpy', 'Memset'}
PROFILER = {'Trace', 'overhead'}
OPERATOR = {'cpu_op', 'Operator'}
SUB_OPS = [('allreduce', 'ALLREDUCE'), ('allgather', 'ALLGATHER'), ('reduce', 'REDUCE'), ('alltoall', 'ALLTOALL'),
           ('broadcast', 'BCAST'), ('gather', 'GATHER'), ('scatter', 'SCATTER'), ('sendrecv', 'SENDRECV'),
           ('send', 'SEND'), ('recv', 'RECV')]


def ns(us):
    value = Decimal(str(us)) * 1000
    return int(value.to_integral_value(rounding='ROUND_HALF_UP'))


def sub_op_of(text):
    word = re.sub('[^a-z]', '', text.lower())
    for part, sub_op in SUB_OPS:
        if part in word:
            return sub_op
    return None


def by_itself(name, cat, args):
    """(op_cat, sub_op) of a span by name, category and arguments; None where its place decides."""
    if HOST_CALL.match(cat):
        if re.search('Synchronize|StreamWaitEvent|StreamWaitValue|WaitExternalSemaphore|streamWait', name):
            return 'SYNC', None
        return 'RT', None
    if cat.endswith('_sync'):
        return 'SYNC', None
    if cat in ('cuda_event', 'overhead', 'Trace'):
        return 'RT', None
    copy = re.match('Memcpy (HtoD|DtoH|DtoD|PtoP|HtoH)', name)
    if copy:
        return 'MEM', {'HtoD': 'H2D', 'DtoH': 'D2H', 'DtoD': 'D2D', 'PtoP': 'D2D', 'HtoH': 'H2H'}[copy.group(1)]
    if name.startswith('Memset (Device)') or cat.endswith('memset') or cat == 'Memset':
        return 'MEM', 'SET'
    collective = args.get('Collective name')
    told = sub_op_of(collective) if isinstance(collective, str) else None
    if re.match('(nccl|rccl)(DevKernel|Kernel|[A-Z].*Kernel)', name):
        return 'Comm', told or sub_op_of(re.sub('_(RING|TREE|COLLNET|NVLS|PAT).*|(Ring|Tree).*', '', name))
    if re.match('c10d::|_?c10d_functional::|[a-z]*ccl:|gloo:|mpi:|ucc:', name):
        if 'barrier' in name or name.endswith('c10d_functional::wait_tensor'):
            return 'SYNC', None
        return 'Comm', told or sub_op_of(re.split('::?', name, maxsplit=1)[1])
    if name == 'record_param_comms' or cat == 'collective_comm':
        return 'Comm', told
    if name.startswith('Optimizer.step#'):
        return 'UPDATE_', None
    if (name.startswith('enumerate(DataLoader)#') or re.search(r'DataLoaderIter\.__next__', name)
            or re.search(r'dataloader\.py\(.*\): (__next__|_next_data)', name) or 'train_dataloader_next' in name
            or (cat == 'user_annotation' and re.search('[dD]ata_?[lL]oad', name))):
        return 'I/O', None
    if cat in ('gpu_memcpy', 'Memcpy'):
        return 'MEM', None
    return None


class Span:
    __slots__ = ('pid', 'tid', 'ts', 'end', 'name', 'cat', 'args', 'order', 'op_cat', 'sub_op', 'step', 'context', 'parent',
                 'enqueue')


class Trace:
    def __init__(self, path):
        opened = gzip.open if path.endswith('.gz') else open
        with opened(path, 'rt', encoding='utf-8', errors='replace') as file:
            head = json.load(file, parse_float=Decimal)
        events = head['traceEvents']
        job = head.get('distributedInfo')
        if isinstance(job, str):
            job = json.loads(job)
        rank = (job or {}).get('rank')
        self.rank = rank
        self.prefix = '' if rank is None else 'rank%d.' % rank
        base = head.get('baseTimeNanoseconds')
        times = [e['ts'] for e in events if 'ts' in e]
        self.base = int(base) if base is not None and min(times) * 1000 < int(base) else 0
        self.spans, self.instants, self.points, self.n_counters = [], [], [], 0
        self.read(events)
        self.place()
        self.number_steps()
        self.pair_flows()

    def read(self, events):
        for order, event in enumerate(events):
            ph = event.get('ph')
            if ph == 'M':
                continue
            where = (self.prefix + str(event.get('pid', '0')), str(event.get('tid', '0')))
            ts = ns(event['ts']) + self.base
            if ph == 'X':
                span = Span()
                span.pid, span.tid = where
                span.ts, span.end = ts, ts + ns(event.get('dur', 0))
                span.name, span.cat, span.order = event['name'].strip(), event.get('cat', ''), order
                span.args = event.get('args') or {}
                self.spans.append(span)
            elif ph in 'iI':
                sub_op = None
                size = (event.get('args') or {}).get('Bytes')
                if event.get('cat') == 'cpu_instant_event' and size is not None:
                    sub_op = 'FREE' if size < 0 else 'ALLOC'
                self.instants.append((where, ts, event['name'].strip(), event.get('cat'), sub_op))
            elif ph in 'stf':
                self.points.append((event['cat'], (event['cat'], event['name'], event.get('id')), ph, ts, order, where))
            elif ph == 'C':
                self.n_counters += len(event['args'])
            else:
                sys.exit('unexpected phase %r' % ph)

    # -- the spans around each, and what they make of it ---------------------------------------------------------

    def place(self):
        links = {'s': set(), 'f': set()}
        for cat, _, ph, ts, _, where in self.points:
            if cat == 'fwdbwd':
                links[ph].add((where, ts))
        self.lines = collections.defaultdict(list)
        for span in self.spans:
            self.lines[span.pid, span.tid].append(span)
        for where, spans in self.lines.items():
            spans.sort(key=lambda s: (s.ts, -(s.end - s.ts), s.order))
            opened = []
            for span in spans:
                opened = [o for o in opened if o.end > span.ts or (o.end == span.ts == o.ts)]
                span.parent = None
                for other in reversed(opened):
                    if other.end >= span.end and other.end > other.ts:
                        span.parent = other
                        break
                self.classify(span, (where, span.ts) in links['s'], (where, span.ts) in links['f'])
                opened.append(span)

    @staticmethod
    def classify(span, begins_link, ends_link):
        around = span.parent.context if span.parent else None
        span.sub_op = None
        span.enqueue = bool(HOST_CALL.match(span.cat) and re.search('[Ll]aunch|Memcpy|Memset|submit|EnqueueKernel', span.name))
        known = by_itself(span.name, span.cat, span.args)
        span.context = around
        if known is not None:
            span.op_cat, span.sub_op = known
            if span.cat in ('cpu_op', 'Operator', 'user_annotation', 'python_function') and known[0] in ('UPDATE_', 'I/O'):
                span.context = known[0]
            return
        span.op_cat = 'COMP'
        if span.cat not in ('cpu_op', 'Operator', 'user_annotation', 'python_function'):
            return
        if span.name.startswith('Optimizer.zero_grad'):
            span.context = 'reset'
        elif span.cat in OPERATOR and around != 'BW':
            forward_thread, number = span.args.get('Fwd thread id', 0), span.args.get('Sequence number', -1)
            if forward_thread > 0 or ends_link or span.name.startswith('autograd::engine::evaluate_function'):
                span.context = 'BW'
            elif begins_link or (number >= 0 and around not in ('I/O', 'reset')):
                span.context = 'FW'
        if span.context not in (None, 'reset'):
            span.op_cat = span.context

    # -- steps -----------------------------------------------------------------------------------------------------

    def number_steps(self):
        steps = collections.defaultdict(list)
        for span in self.spans:
            match = re.fullmatch(r'ProfilerStep#(\d+)', span.name)
            if match and span.cat == 'user_annotation':
                steps[span.pid].append((span.ts, span.end, int(match.group(1))))
        if not steps:
            self.infer_steps(steps)

        def at(pid, ts):
            own = steps.get(pid) or (list(steps.values())[0] if len(steps) == 1 else [])
            inside = [(begin, number) for begin, end, number in own if begin <= ts < end]
            return max(inside)[1] if inside else None

        calls = {}
        ranges = collections.defaultdict(list)
        for span in self.spans:
            if HOST_CALL.match(span.cat) and span.args.get('correlation'):
                calls[span.args['correlation']] = at(span.pid, span.ts)
                ranges[at(span.pid, span.ts)].append(span.args['correlation'])
        for line in self.lines.values():
            for span in line:
                span.step = self.step_of(span, at, calls, ranges, len(steps))
        self.at = at

    def infer_steps(self, steps):
        runs = sorted(((s.ts, s.end, s.name, s.pid) for s in self.spans
                       if s.cat == 'user_annotation' and s.name.startswith('Optimizer.step#')))
        forward = [s.ts for s in self.spans if s.cat in OPERATOR and s.args.get('Sequence number', -1) >= 0
                   and s.args.get('Fwd thread id', 0) == 0]
        resets = [s.end for s in self.spans if s.cat == 'user_annotation' and s.name.startswith('Optimizer.zero_grad')]
        for pid in {r[3] for r in runs}:
            own = [r for r in runs if r[3] == pid]
            edges, end = [-10**30], own[0][1]
            for run in own[1:]:
                if run[2] == own[0][2]:
                    edges.append(end)
                end = max(end, run[1])
            if forward and max(forward) >= max([end] + resets):
                edges.append(end)
            edges.append(10**30)
            steps[pid] = [(a, b, i) for i, (a, b) in enumerate(zip(edges, edges[1:]))]

    @staticmethod
    def step_of(span, at, calls, ranges, n_processes):
        if span.cat in PROFILER:
            return None
        match = re.fullmatch(r'ProfilerStep#(\d+)', span.name)
        if span.cat == 'gpu_user_annotation' and match:
            return int(match.group(1))
        if span.cat in DEVICE and span.args.get('correlation') and calls and n_processes == 1:
            correlation = span.args['correlation']
            if correlation in calls:
                return calls[correlation]
            for step, ids in ranges.items():
                if step is not None and min(ids) <= correlation <= max(ids):
                    return step
            return None
        parent = span.parent
        while parent is not None and (span.cat in DEVICE or span.cat == 'gpu_user_annotation'):
            match = re.fullmatch(r'ProfilerStep#(\d+)', parent.name)
            if match and parent.cat == 'gpu_user_annotation':
                return int(match.group(1))
            parent = parent.parent
        return at(span.pid, span.ts)

    # -- flows -----------------------------------------------------------------------------------------------------

    def tied(self, where, ts):
        line = self.lines.get(where, [])
        for i in range(bisect.bisect_right(line, ts, key=lambda s: s.ts) - 1, -1, -1):
            if line[i].end > ts or line[i].ts == ts:
                return line[i]
        return None

    def pair_flows(self):
        points = self.points
        if not any(p[0] == 'ac2g' for p in points):
            points = list(points)
            for span in self.spans:
                correlation = span.args.get('correlation')
                if correlation and (HOST_CALL.match(span.cat) or span.cat in DEVICE):
                    ph = 'f' if span.cat in DEVICE else 's'
                    points.append(('ac2g', ('correlation', correlation), ph, span.ts, span.order, (span.pid, span.tid)))
        chains = collections.defaultdict(list)
        for cat, key, ph, ts, order, where in points:
            chains[key].append((ts, ph != 's', order, ph, cat, where))
        self.flows = collections.Counter()
        for chain in chains.values():
            last = None
            for ts, _, _, ph, cat, where in sorted(chain):
                span = self.tied(where, ts)
                if span is None:
                    continue
                if ph != 's' and last is not None:
                    self.flows[cat, last.name, last.ts, span.name, span.ts] += 1
                last = span if ph == 's' or last is not None else None


def rows(database, query, *values):
    return database.execute(query, values).fetchall()


def differences(what, expected, found, say):
    n = 0
    for key in (expected - found) | (found - expected):
        n += 1
        if n <= 5:
            say('%s: %r expected %d times, is there %d times' % (what, key, expected[key], found[key]))
    if n > 5:
        say('%s: %d more differences' % (what, n - 5))
    return n


def check(database, source, path, say):
    trace = Trace(path)
    n = 0
    expected = collections.Counter((s.pid, s.tid, s.ts, s.end - s.ts, s.name, s.cat or None, s.op_cat, s.sub_op, s.step,
                                    s.enqueue) for s in trace.spans)
    found = collections.Counter(
        row[:-1] + ('enqueue' in (row[-1] or '').split(','),)
        for row in rows(database, 'SELECT pid, tid, ts_ns, dur_ns, raw_name, native_group, op_cat, sub_op, step, flags'
                                  ' FROM event WHERE source = ? AND dur_ns IS NOT NULL', source))
    n += differences('span', expected, found, say)
    totals = collections.Counter()
    for span in trace.spans:
        totals[span.name] += span.end - span.ts
    n += differences('total', totals, collections.Counter(dict(rows(
        database, 'SELECT raw_name, sum(dur_ns) FROM event WHERE source = ? AND dur_ns IS NOT NULL GROUP BY 1', source))),
                     say)
    expected = collections.Counter(where + (ts, name, cat, sub_op) for where, ts, name, cat, sub_op in trace.instants)
    found = collections.Counter(rows(database, 'SELECT pid, tid, ts_ns, raw_name, native_group, sub_op FROM event'
                                               ' WHERE source = ? AND dur_ns IS NULL', source))
    n += differences('instant', expected, found, say)
    found = collections.Counter(rows(
        database, 'SELECT kind, a.raw_name, a.ts_ns, b.raw_name, b.ts_ns FROM flow JOIN event a ON a.id = from_event'
                  ' JOIN event b ON b.id = to_event WHERE a.source = ?', source))
    n += differences('flow', trace.flows, found, say)
    expected = collections.Counter({source: trace.n_counters})
    found = collections.Counter({source: len(rows(database, 'SELECT 1 FROM counter'))})
    n += differences('counters of', expected, found, say)
    say('%s: %d spans, %d instants, %d flows, %d counter values; %s' % (
        path.rsplit('/', 1)[-1], len(trace.spans), len(trace.instants), sum(trace.flows.values()), trace.n_counters,
        ' '.join('%s %d' % item for item in sorted(collections.Counter(s.op_cat for s in trace.spans).items()))))
    return n


def main():
    database = sqlite3.connect('file:%s?mode=ro' % sys.argv[1], uri=True)
    sources = {path.rsplit('/', 1)[-1]: id for id, path in rows(
        database, 'SELECT id, path FROM source WHERE run = (SELECT max(id) FROM run)')}
    n = sum(check(database, sources[path.rsplit('/', 1)[-1]], path, lambda text: print('# ' + text)) for path in sys.argv[2:])
    sys.exit(1 if n else 0)


if __name__ == '__main__':
    main()
