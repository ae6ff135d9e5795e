#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The critical path of PyTorch traces, naively: path.py SEGMENTS.csv TRACE...
                                                path.py --random SEED RANKS FOLDER

Reads the JSON by itself, takes launches from correlation ids (not from flows), walks back from the end looking at every
span at every step, and compares the pieces with those of `critical-path --segments --format csv --unit ns`. With
--random it writes traces rank0.json ... of a random job instead.
"""
import csv
import gzip
import json
import os
import random
import sys
from decimal import Decimal

WORK = {'kernel', 'gpu_memcpy', 'gpu_memset', 'Kernel', 'Memcpy', 'Memset', 'mtia_ccp_events'}
PROFILER = {'Trace', 'overhead', 'gpu_user_annotation', 'cuda_event'}


# -- reading ------------------------------------------------------------------------------------------------

class Span:
    def __init__(self, event, rank, base):
        self.cat, self.name, self.args = event.get('cat', ''), event['name'], event.get('args', {})
        self.thread = (rank, str(event['pid']), str(event['tid']))
        self.process, self.rank = self.thread[:2], rank
        self.begin = base + int(Decimal(event['ts']) * 1000)
        self.end = self.begin + int(Decimal(event.get('dur', 0)) * 1000)
        self.correlation = self.args.get('correlation')
        self.is_call = self.cat.endswith(('_runtime', '_driver')) or self.cat == 'Runtime'
        self.call = None

    def polls(self):
        return self.is_call and ('EventQuery' in self.name or 'StreamQuery' in self.name)


class Rank:
    """What one file says."""

    def __init__(self, path, number):
        with (gzip.open if path.endswith('.gz') else open)(path, 'rt') as file:
            trace = json.load(file, parse_float=str)
        base = int(trace.get('baseTimeNanoseconds', 0))
        events = trace['traceEvents']
        spans = [Span(event, number, base) for event in events if event.get('ph') == 'X']
        self.number = trace.get('distributedInfo', {}).get('rank', -1)
        self.spans = [s for s in spans if s.cat not in PROFILER]
        self.work = [s for s in self.spans if s.cat in WORK]
        self.marks = [s for s in self.spans if s.cat == 'cuda_sync']
        self.host = [s for s in self.spans if s.cat not in WORK and s.cat != 'cuda_sync']
        calls = {s.correlation: s for s in self.host if s.is_call and s.correlation is not None}
        for span in self.work:
            span.call = calls.get(span.correlation)
        self.calls = calls
        self.links = self.backward_links(events, number, base)
        self.waits = [s for s in self.host if s.is_call and 'WaitEvent' in s.name]
        self.tells = any(m.correlation in calls and 'Synchronize' in calls[m.correlation].name for m in self.marks)
        self.untold = [s for s in self.waits if s.correlation not in {m.correlation for m in self.marks}]

    def backward_links(self, events, number, base):
        ends = {}
        for event in events:
            if event.get('cat') == 'fwdbwd':
                at = Span(event, number, base)
                around = [s for s in self.host if s.thread == at.thread and s.begin <= at.begin <= s.end]
                if around:
                    ends.setdefault(event['id'], {})[event['ph']] = max(around, key=lambda s: (s.begin, -s.end))
        return [(pair['s'], pair['f']) for pair in ends.values() if len(pair) == 2]

    def launched(self, spans, at):
        """The last of @spans to be launched at or before @at."""
        found = [s for s in spans if launch(s) <= at]
        return max(found, key=lambda s: (launch(s), s.begin, s.end)) if found else None

    def stream(self, device, number):
        return [s for s in self.work if s.process == device and s.thread[2] == str(number)]

    def recorded(self, mark):
        record = self.calls.get(mark.args.get('wait_on_cuda_event_record_corr_id'))
        return record.begin if record else None


def launch(span):
    return min(span.call.begin, span.begin) if span.call else span.begin


# -- what held what ---------------------------------------------------------------------------------------------
# A point is (at, from, wait, thread, from thread, step, inferred).

def sync_points(rank):
    for call in rank.host:
        if not call.is_call or 'Synchronize' not in call.name:
            continue
        mark = next((m for m in rank.marks if m.correlation == call.correlation), None)
        spans, last_only = rank.work, None
        if mark:
            spans = [s for s in spans if s.process == mark.process]
            if 'Event' in mark.name:
                spans = rank.stream(mark.process, mark.args.get('wait_on_stream'))
                last_only = rank.recorded(mark)
            elif 'Stream' in mark.name:
                spans = rank.stream(mark.process, mark.args['stream'])
        if last_only is not None:
            last = rank.launched(spans, last_only)
            spans = [last] if last else []
        ends = [s for s in spans if call.begin < s.end <= call.end]
        if ends:
            last = max(ends, key=lambda s: s.end)
            yield last.end, last.end, call.begin, call.thread, last.thread, 'synchronize', mark is None


def copy_points(rank):
    for span in rank.work:
        call = span.call
        if call and 'Memcpy' in call.name and ('Async' not in call.name or 'Pageable' in span.name) and \
                call.begin <= span.begin and span.end <= call.end:
            yield span.end, span.end, call.begin, call.thread, span.thread, 'synchronize', False


def stream_point(rank, span):
    if not span.call or span.call.begin > span.begin:
        return None
    before = [s for s in rank.work if s.thread == span.thread and (s.begin, s.end) < (span.begin, span.end)]
    ended = min(max(s.end for s in before), span.begin) if before else None
    earlier = max([s.call.begin for s in before if s.call], default=None)
    is_done = span.call.end <= span.begin
    held = span.call.end if is_done else span.call.begin

    def between(at):
        return (earlier is None or at > earlier) and at <= span.call.begin

    release, inferred, n_told = None, False, 0
    for mark in rank.marks:
        if 'Wait Event' in mark.name and between(mark.begin) and mark.process == span.process and \
                str(mark.args['stream']) == span.thread[2] != str(mark.args['wait_on_stream']):
            at = rank.recorded(mark)
            last = rank.launched(rank.stream(mark.process, mark.args['wait_on_stream']), mark.begin if at is None else at)
            if last and last.end <= span.begin and (release is None or last.end > release.end):
                release, inferred = last, at is None
    latest = max(held, ended if ended is not None else held)
    if release is None and latest < span.begin and any(between(call.begin) for call in rank.untold):
        others = [s for s in rank.work if s.thread != span.thread and latest < s.end <= span.begin]
        if others:
            release, inferred = max(others, key=lambda s: s.end), True
    if release is None and latest < span.begin and not rank.waits and not rank.tells:
        others = [s for s in rank.work if s.thread != span.thread and latest < s.end <= span.begin and
                  s.name.startswith('nccl') != span.name.startswith('nccl')]
        if others:
            release, inferred = max(others, key=lambda s: s.end), True
    if release and release.end > held and (ended is None or release.end > ended):
        at = release.end
        return span.begin, at, at if ended is None else ended, span.thread, release.thread, 'event', inferred
    if ended is None or held > ended:
        at = span.call.end if is_done else span.begin
        return span.begin, at, at if ended is None else ended, span.thread, span.call.thread, 'launch', False
    return None


def autograd_points(rank):
    links = [(f, b) for f, b in rank.links if f.thread != b.thread]
    for thread in {b.thread for _, b in links}:
        outer = outermost(rank, thread)
        starts = {}
        for forward, backward in links:
            if backward.thread == thread:
                k = max((i for i, s in enumerate(outer) if s.begin <= backward.begin), default=None)
                if k is not None and (k == 0 or outer[k - 1].end <= forward.begin):
                    starts.setdefault(k, forward.thread)
        order = sorted(starts)
        for k, following in zip(order, order[1:] + [len(outer)]):
            begin, end, other = outer[k].begin, max(s.end for s in outer[k:following]), starts[k]
            wait = min(outer[k - 1].end, begin) if k > 0 else begin
            yield begin, begin, wait, thread, other, 'autograd', True
            if not any(begin < s.begin < end for s in outermost(rank, other)):
                yield end, end, begin, other, thread, 'autograd', True


def outermost(rank, thread):
    spans = sorted((s for s in rank.host if s.thread == thread), key=lambda s: (s.begin, -s.end))
    found, reach = [], None
    for span in spans:
        if reach is None or span.begin >= reach:
            found.append(span)
            reach = span.end
    return found


def collective_points(ranks):
    calls = {}
    for rank in ranks:
        for span in sorted(rank.work, key=lambda s: s.begin):
            if span.name.startswith('nccl') and 'SendRecv' not in span.name:
                group = (span.name, span.args.get('Process Group Name'))
                calls.setdefault(group, {}).setdefault(span.process, []).append(span)
    for by_process in calls.values():
        if len(by_process) < 2 or len({len(spans) for spans in by_process.values()}) != 1:
            continue
        for together in zip(*by_process.values()):
            last = max(together, key=lambda s: s.begin)
            for span in together:
                if span.begin < last.begin <= span.end and span.thread != last.thread:
                    yield last.begin, last.begin, span.begin, span.thread, last.thread, 'collective', True


# -- the walk -------------------------------------------------------------------------------------------------

def walk(ranks):
    spans = [s for rank in ranks for s in rank.host + rank.work if not s.polls()]
    points = list(collective_points(ranks))
    for rank in ranks:
        points += list(sync_points(rank)) + list(copy_points(rank)) + list(autograd_points(rank))
        points += [p for p in (stream_point(rank, s) for s in rank.work) if p]
    first, last = min(s.begin for s in spans), max(s.end for s in spans)
    thread, now = max(spans, key=lambda s: s.end).thread, last
    pieces, taken = [], set()
    while True:
        begins = {}
        for span in spans:
            if span.thread[:2] == thread[:2]:
                begins[span.thread] = min(span.begin, begins.get(span.thread, span.begin))
        here = [(p, i) for i, p in enumerate(points) if p[3] == thread and p[0] <= now and i not in taken]
        if here:
            point, i = max(here, key=lambda pair: pair[0][:2])
            taken |= {k for q, k in here if q[:2] >= point[:2]}
            pieces.append((point[0], now, point[1] - point[2], thread, point[5], point[6]))
            thread, now = point[4], point[1]
            continue
        starter = min(begins, key=begins.get)
        if begins[starter] < begins[thread] <= now and begins[thread] > first:
            pieces.append((begins[thread], now, 0, thread, 'thread begin', True))
            thread, now = starter, begins[thread]
            continue
        pieces.append((first, now, 0, thread, 'begin', False))
        return first, last, pieces[::-1]


def compare(table, paths):
    ranks = [Rank(path, number) for number, path in enumerate(paths)]
    first, last, pieces = walk(ranks)
    wanted, end = [], first
    for begin, until, waited, thread, step, inferred in pieces:
        number = ranks[thread[0]].number
        pid = ('rank%d.' % number if number >= 0 else '') + thread[1]
        wanted.append([begin - first, until - begin, begin - end, waited, pid, thread[2], step, 'yes' if inferred else 'no'])
        end = until
    with open(table, newline='') as file:
        rows = [[int(cell) if i < 4 else cell for i, cell in enumerate(row)] for row in list(csv.reader(file))[1:]]
    for k, (row, want) in enumerate(zip(rows, wanted)):
        if row != want and not (row[5:] == want[5:] and row[:4] == want[:4] and row[4].endswith(want[4])):
            print('# piece %d: %s instead of %s' % (k, row, want))
            return 1
    if not rows or len(rows) != len(wanted) or sum(row[1] + row[2] for row in rows) != last - first:
        print('# %d pieces of %d ns instead of %d of %d ns' % (len(rows), sum(r[1] + r[2] for r in rows), len(wanted), last - first))
        return 1
    if not wanted:
        print('# no piece to compare')
        return 1
    steps = [row[6] for row in rows]
    print('# %d pieces: %s' % (len(rows), ', '.join('%d %s' % (steps.count(s), s) for s in sorted(set(steps)))))
    return 0


# -- random jobs -----------------------------------------------------------------------------------------------

class Job:
    """A rank that launches, records, waits and synchronizes at random; streams run what they may."""

    def __init__(self, rng, rank, plan):
        self.rng, self.rank, self.events, self.number = rng, rank, [], 0
        self.longest = rng.choice((9000, 90000, 300000))
        self.now, self.free, self.waits_for, self.recorded = rng.randrange(1000, 90000), {}, {}, {}
        self.span('user_annotation', 'ProfilerStep#0', 900, 900, 500, 0)
        for what in plan:
            getattr(self, what)()
        self.now += rng.randrange(100, 9000)
        self.events[0]['dur'] = self.us(self.now - 500)
        self.span('Trace', 'PyTorch Profiler (0)', 'Spans', 'PyTorch Profiler', 0, self.now + 10**6)

    @staticmethod
    def us(nanoseconds):
        return '%d.%03d' % divmod(nanoseconds, 1000)

    def span(self, cat, name, pid, tid, begin, end, **args):
        self.events.append({'ph': 'X', 'cat': cat, 'name': name, 'pid': pid, 'tid': tid, 'ts': self.us(begin),
                            'dur': self.us(max(end - begin, 0)), 'args': args})

    def call(self, name, length):
        self.number += 1
        begin = self.now + self.rng.randrange(1, 4000)
        self.now = begin + length + self.rng.randrange(1, 500)
        self.span('cuda_runtime', name, 900, 900, begin, begin + length, correlation=self.number)
        return begin, begin + length

    def launch(self, name='gemm', stream=None, **args):
        rng = self.rng
        stream = stream or rng.choice((7, 20, 22))
        begin, end = self.call('cudaLaunchKernel', rng.randrange(1000, 9000))
        at = max(self.free.get(stream, 0) + rng.randrange(1, 900), self.waits_for.pop(stream, 0) + rng.randrange(1, 2000),
                 begin + rng.randrange(500, 12000))
        self.free[stream] = at + (rng.randrange(200000, 400000) if stream == 30 else rng.randrange(100, self.longest))
        self.span('kernel', name, 0, stream, at, self.free[stream], correlation=self.number, stream=stream, device=0, **args)

    def collective(self):
        self.launch('ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevComm*)', 30, **{'Process Group Name': '0', 'Collective name': 'allreduce'})

    def record(self, stream=None):
        stream = stream or self.rng.choice((7, 20, 22))
        self.call('cudaEventRecord', 300)
        self.recorded = {'stream': stream, 'number': self.number, 'end': self.free.get(stream, 0)}

    def event_wait(self, stream=None):
        stream = stream or self.rng.choice((7, 20, 22, 30))
        if not self.recorded:
            self.record()
        begin, end = self.call('cudaStreamWaitEvent', 400)
        self.waits_for[stream] = max(self.waits_for.get(stream, 0), self.recorded['end'])
        if self.rng.random() < 0.8:
            args = {'stream': stream, 'wait_on_stream': self.recorded['stream']}
            if self.rng.random() < 0.9:
                args['wait_on_cuda_event_record_corr_id'] = self.recorded['number']
            self.span('cuda_sync', 'Stream Wait Event', 0, stream, begin + 100, end - 100, correlation=self.number, **args)

    def synchronize(self):
        rng = self.rng
        name, mark = rng.choice((('cudaDeviceSynchronize', 'Context Sync'), ('cudaStreamSynchronize', 'Stream Sync'),
                                 ('cudaEventSynchronize', 'Event Sync')))
        stream, is_told = rng.choice((7, 20, 22)), rng.random() < 0.7
        args = {'stream': stream}
        done = max(self.free.values(), default=0) if name == 'cudaDeviceSynchronize' else self.free.get(stream, 0)
        if name == 'cudaEventSynchronize' and self.recorded:
            done = self.recorded['end']
            args = {'wait_on_stream': self.recorded['stream'], 'wait_on_cuda_event_record_corr_id': self.recorded['number'], 'stream': 0}
        elif name == 'cudaEventSynchronize':
            name, mark = 'cudaStreamSynchronize', 'Stream Sync'
        begin, end = self.call(name, max(300, done - self.now + rng.randrange(1, rng.choice((3000, 90000)))))
        if is_told:
            row = -1 if name == 'cudaDeviceSynchronize' else stream
            if row == -1:
                args = {'stream': 4294967295}
            self.span('cuda_sync', mark, 0, row, begin + 50, end - 50, correlation=self.number, **args)

    def chain(self):
        """Work that waits for work on another stream."""
        first, second = self.rng.sample((7, 20, 22, 30), 2)
        self.launch(stream=first)
        self.record(first)
        if self.rng.random() < 0.5:
            self.launch(stream=first)
        self.event_wait(second)
        self.launch(stream=second)

    def collect(self):
        """The host waits for everything."""
        self.call('cudaDeviceSynchronize', max(300, max(self.free.values(), default=0) - self.now + self.rng.randrange(1, 3000)))

    def copy(self):
        self.number += 1
        begin = self.now + self.rng.randrange(1, 4000)
        at = max(self.free.get(7, 0) + self.rng.randrange(1, 900), begin + self.rng.randrange(500, 9000))
        self.free[7] = at + self.rng.randrange(100, 9000)
        self.now = self.free[7] + self.rng.randrange(1, 2000)
        self.span('cuda_runtime', 'cudaMemcpy', 900, 900, begin, self.now, correlation=self.number)
        self.now += 1
        self.span('gpu_memcpy', 'Memcpy DtoH (Device -> Pinned)', 0, 7, at, self.free[7], correlation=self.number, stream=7)

    def operator(self):
        begin = self.now + self.rng.randrange(1, 4000)
        self.now = begin + self.rng.randrange(1, 20000)
        self.span('cpu_op', 'aten::add', 900, 900, begin, self.now)

    def write(self, path):
        keep = {'schemaVersion': 1, 'distributedInfo': {'backend': 'nccl', 'rank': self.rank}, 'traceEvents': self.events}
        text = json.dumps(keep)
        for key in ('ts', 'dur'):
            text = text.replace('"%s": "' % key, '"%s": \0' % key)
        parts = text.split('\0')
        text = parts[0] + ''.join(part.replace('"', '', 1) for part in parts[1:])
        with open(path, 'w') as file:
            file.write(text)


def main():
    if sys.argv[1] != '--random':
        return compare(sys.argv[1], sys.argv[2:])
    rng, n_ranks, folder = random.Random(int(sys.argv[2])), int(sys.argv[3]), sys.argv[4]
    os.makedirs(folder, exist_ok=True)
    n_collectives = rng.randrange(0, 5)
    for rank in range(n_ranks):
        what = ('launch',) * rng.randrange(3, 12) + ('record', 'event_wait') * rng.randrange(1, 4)
        what += ('synchronize', 'copy', 'operator') + ('chain',) * rng.randrange(8)
        plan = [rng.choice(what) for _ in range(rng.randrange(3, 40))]
        for _ in range(n_collectives):
            plan.insert(rng.randrange(len(plan) + 1), 'collective')
        plan += rng.choice(((), ('collect',), ('collect',)))
        Job(rng, rank, plan).write('%s/rank%d.json' % (folder, rank))
    return 0


if __name__ == '__main__':
    sys.exit(main())
