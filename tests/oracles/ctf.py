#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Imports of CTF traces against what the program babeltrace2 prints of them.

    ctf.py DATABASE DIRECTORY : the latest run of DATABASE is the import of just this directory

Each trace's text is read here anew, and spans are made of it by another way than the importer's: thread by thread, from
whole lists of events, with the ends of regions looked up beforehand. Compared are spans (pid, tid, name, begin, duration,
whether its end is inferred, code pointer), instants, messages and collectives, and the sums per name.
Prints what differs and ends with 1 if anything does.
"""
import collections
import json
import os
import re
import sqlite3
import subprocess
import sys

LINE = re.compile(r'^\[(\d+)\.(\d{9})\] (.*)$')
WORK = {1: 'loop', 2: 'sections', 3: 'single_executor', 4: 'single_other', 5: 'workshare', 6: 'distribute',
        7: 'taskloop', 8: 'scope'}
SUB_OPS = {'MPI_Send': 'SEND', 'MPI_Isend': 'SEND', 'MPI_Recv': 'RECV', 'MPI_Irecv': 'RECV', 'MPI_Sendrecv': 'SENDRECV',
           'MPI_Allreduce': 'ALLREDUCE', 'MPI_Bcast': 'BCAST', 'MPI_Reduce': 'REDUCE'}
COLLECTIVES = {'MPI_Allreduce', 'MPI_Bcast', 'MPI_Reduce', 'MPI_Barrier', 'MPI_Init', 'MPI_Init_thread', 'MPI_Finalize'}
WAITS = {'MPI_Barrier', 'MPI_Wait', 'MPI_Waitall'}
JOIN = ('parallel_join_sync', 'parallel_join_sync_wait')


def parse_value(text, at):
    """A value of babeltrace2's text at @at; with where it ends."""
    if text[at] == '"':
        end = at + 1
        while text[end] != '"':
            end += 2 if text[end] == '\\' else 1
        return text[at + 1:end], end + 1
    if text[at] in '[({':
        depth, end, quoted = 0, at, False
        while True:
            c = text[end]
            if quoted:
                if c == '\\':
                    end += 1
                elif c == '"':
                    quoted = False
            elif c == '"':
                quoted = True
            elif c in '[({':
                depth += 1
            elif c in '])}':
                depth -= 1
                if depth == 0:
                    break
            end += 1
        return text[at:end + 1], end + 1
    end = at
    while text[end] not in ', ':
        end += 1
    word = text[at:end]
    try:
        return int(word, 0), end
    except ValueError:
        return word, end


def parse_groups(text):
    """The { a = 1, b = "x" } groups of a line."""
    groups, at = [], 0
    while at < len(text) and text[at] == '{':
        fields = {}
        at += 2
        while text[at] != '}':
            equals = text.index(' = ', at)
            name = text[at:equals]
            value, at = parse_value(text, equals + 3)
            fields[name] = value
            if text[at] == ',':
                at += 1
            if text[at] == ' ':
                at += 1
        groups.append(fields)
        at += 3
    return groups


def read_trace(path):
    out = subprocess.run(['babeltrace2', '--clock-seconds', '--no-delta', path], stdout=subprocess.PIPE,
                         stderr=subprocess.DEVNULL, check=True).stdout.decode('utf-8', 'replace')
    events = []
    for line in out.split('\n'):
        match = LINE.match(line)
        if not match:
            continue
        ts = int(match[1]) * 10**9 + int(match[2])
        head, _, rest = match[3].partition(': {')
        host, _, name = head.rpartition(' ')
        context, payload = {}, {}
        groups = parse_groups('{' + rest)
        if len(groups) > 2:
            context = groups[1]
        if len(groups) > 1:
            payload = groups[-1]
        provider, _, event = name.rpartition(':')
        events.append((ts, host, provider, event, context, payload))
    return events


def find_traces(path):
    if os.path.isfile(os.path.join(path, 'metadata')):
        return [path]
    found = []
    for name in sorted(os.listdir(path)):
        if os.path.isdir(os.path.join(path, name)):
            found += find_traces(os.path.join(path, name))
    return found


def signed(value):
    return value - 2**32 if value > 2**31 - 1 else value


class Spans:
    """Spans of one trace."""

    def __init__(self, events, prefix):
        self.spans, self.instants, self.halves = [], [], []
        self.ranks = {}
        self.region_ends = collections.defaultdict(list)
        self.last = {}
        threads = collections.OrderedDict()
        for event in events:
            ts, _, provider, name, context, payload = event
            old = provider == 'lttng_pinsight_mpi'
            if old and name.startswith('MPI_Init'):
                if name.endswith('_end'):
                    self.ranks[payload['mpirank']] = f'{prefix}{payload["mpirank"]}'
                    self.touch(f'{prefix}{payload["mpirank"]}', ts)
                continue
            pid = payload.get('pid', context.get('vpid', payload.get('mpirank')))
            tid = context.get('vtid', payload.get('global_thread_num', 0))
            pid, tid = f'{prefix}{pid}', str(tid)
            self.touch(pid, ts)
            if name.startswith('MPI_') and not (name.startswith('MPI_Init') and name.endswith('_begin')):
                self.ranks[payload['mpirank']] = pid
            if name == 'parallel_end':
                self.region_ends[pid, payload['parallel_codeptr'], payload['parallel_record_id']].append((ts, tid))
            threads.setdefault((pid, tid), []).append(event)
        for (pid, tid), of_thread in threads.items():
            self.read_thread(pid, tid, of_thread)

    def touch(self, pid, ts):
        self.last[pid] = max(self.last.get(pid, ts), ts)

    def close(self, end, inferred):
        begin = self.stack.pop()
        self.spans.append((self.pid, self.tid, begin['name'], begin['ts'], end - begin['ts'], inferred, begin['code']))

    def close_down_to(self, i, end):
        while len(self.stack) > i:
            self.close(end, True)

    def clip(self, now):
        """Implicit tasks whose region another thread has ended by now."""
        for i, open_span in enumerate(self.stack):
            if open_span['kind'] != 'implicit_task':
                continue
            ends = [t for t, tid in self.region_ends[self.pid, *open_span['key']]
                    if open_span['ts'] <= t < now and tid != self.tid]
            if ends:
                self.late = open_span['key']
                self.close_down_to(i, min(ends))
                return

    def find(self, kind, key):
        for i in range(len(self.stack) - 1, -1, -1):
            if self.stack[i]['kind'] == kind and (key is None or self.stack[i]['key'] == key):
                return i
            if key is None and not kind.startswith('MPI_') and self.stack[i]['kind'] in ('parallel', 'implicit_task'):
                return -1
        return -1

    def replaced(self, kind):
        lowest = len(self.stack)
        fences = {'parallel': ('implicit_task',), 'implicit_task': ('parallel',), 'thread': ()}.get(
            kind, () if kind.startswith('MPI_') else ('parallel', 'implicit_task'))
        for i in range(len(self.stack) - 1, -1, -1):
            open_span = self.stack[i]
            program = open_span['name'] == 'COMP.omp_program'
            if (open_span['kind'] == kind and not program) or \
               (open_span['kind'] == 'work' and kind in ('barrier_implicit_sync', 'parallel_join_sync', 'masked')):
                lowest = i
            if open_span['kind'] in fences or program:
                break
        return lowest

    def read_thread(self, pid, tid, events):
        self.pid, self.tid, self.stack, self.late = pid, tid, [], None
        self.requests, self.pending = 0, []
        for ts, _, provider, event, _, payload in events:
            self.clip(ts)
            kind = re.sub('_(begin|end)$', '', event)
            if provider == 'pinsight_manifest_lttng_ust':
                continue
            if kind == event:
                self.instants.append((pid, tid, event, ts))
                continue
            key = None
            if kind in ('parallel', 'implicit_task') + JOIN:
                key = (payload['parallel_codeptr'], payload['parallel_record_id'])
            if event.endswith('_begin'):
                self.begin(ts, kind, key, payload)
            else:
                self.end(ts, kind, key, payload)
        if self.stack:
            for i, open_span in enumerate(self.stack):
                if open_span['kind'] == 'implicit_task':
                    ends = [t for t, other in self.region_ends[pid, *open_span['key']]
                            if t >= open_span['ts'] and other != tid]
                    if ends:
                        self.close_down_to(i, min(ends))
                        break
        self.close_down_to(0, self.last[pid])
        self.receive_pending(max((event[0] for event in events), default=0))

    def begin(self, ts, kind, key, payload):
        self.close_down_to(self.replaced(kind), ts)
        code = {'work': 'work_begin_codeptr', 'masked': 'masked_begin_codeptr'}.get(
            kind, 'mpi_codeptr' if kind.startswith('MPI_') else 'sync_codeptr' if kind.startswith('barrier') else
            None if kind == 'thread' else 'parallel_codeptr')
        code = payload.get(code, 0)
        sync = 'explicit' if payload.get('kind') == 3 else 'implicit'
        name = {'parallel': 'COMP.omp_parallel' if code else 'COMP.omp_program',
                'implicit_task': 'COMP.omp_implicit_task', 'masked': 'COMP.omp_masked', 'thread': 'COMP.omp_thread',
                'work': f'COMP.omp_work.{WORK.get(payload.get("wstype"))}',
                'barrier_implicit_sync': f'SYNC.omp_barrier.{sync}',
                'barrier_implicit_sync_wait': f'SYNC.omp_barrier_wait.{sync}',
                'parallel_join_sync': 'SYNC.omp_join', 'parallel_join_sync_wait': 'SYNC.omp_join_wait'}.get(kind)
        if name is None:
            group = 'Comm' if kind in SUB_OPS else 'SYNC' if kind in WAITS else 'RT'
            name = f'{group}.{kind}' + (f'.{SUB_OPS[kind]}' if kind in SUB_OPS else '')
        if kind == 'implicit_task':
            self.late = None
        self.stack.append(dict(kind=kind, key=key, name=name, ts=ts, code=hex(code) if code else None, payload=payload))
        if 'dest' in payload and signed(payload['dest']) >= 0 and signed(payload.get('sendtag', payload.get('tag'))) >= 0:
            tag = payload.get('sendtag', payload.get('tag'))
            self.halves.append((True, self.pid, payload['dest'], tag, ts))

    def end(self, ts, kind, key, payload):
        found = self.find(kind, key)
        if found < 0:
            return
        self.close_down_to(found + 1, ts)
        begun = self.stack[-1]['payload']
        self.close(ts, False)
        if not kind.startswith('MPI_'):
            return
        if kind in ('MPI_Wait', 'MPI_Waitall'):
            self.requests = max(self.requests - max(begun.get('count', 1), 1), 0)
            if self.requests == 0:
                self.receive_pending(ts)
            return
        self.requests += kind in ('MPI_Isend', 'MPI_Irecv')
        tag = begun.get('recvtag', begun.get('tag'))
        if 'source' not in begun or signed(begun['source']) < 0 or signed(tag) < 0:
            return
        half = (False, self.pid, begun['source'], tag, ts)
        if kind == 'MPI_Irecv':
            self.pending.append(half)
            return
        if any(h[2:4] == half[2:4] for h in self.pending):
            self.receive_pending(ts - 1)
        self.halves.append(half)

    def receive_pending(self, ts):
        """Of waits for several requests the last had them all; what was sent before another message of its channel came
        before that, and all before the thread ended."""
        self.halves += [h[:4] + (ts,) for h in self.pending]
        self.pending = []


def join(halves, ranks):
    """Messages by rank and tag, first in first out; in the order of time, which is that of the process' calls."""
    sides = collections.defaultdict(lambda: ([], []))
    for is_send, pid, peer, tag, ts in sorted(halves, key=lambda h: h[4]):
        other = ranks.get(peer, f'rank{peer}')
        sides[(pid, other, tag) if is_send else (other, pid, tag)][0 if is_send else 1].append(ts)
    messages = []
    for (src, dst, tag), (sends, receives) in sides.items():
        for i in range(max(len(sends), len(receives))):
            messages.append((src, dst, tag, sends[i] if i < len(sends) else None,
                             receives[i] if i < len(receives) else None))
    return messages


def differences(what, expected, found):
    expected, found = collections.Counter(expected), collections.Counter(found)
    n = 0
    for text, rows in (('missing', expected - found), ('too many', found - expected)):
        for row, count in sorted(rows.items(), key=repr)[:5]:
            print(f'# {what} {text}: {row} x{count}')
        n += sum(rows.values())
    return n


def main():
    database, directory = sys.argv[1:]
    db = sqlite3.connect(f'file:{database}?mode=ro', uri=True)
    traces = [read_trace(path) for path in find_traces(directory)]
    hosts = {events[0][1] for events in traces if events}
    spans, instants, halves, ranks = [], [], [], {}
    for events in traces:
        if not events:
            continue
        read = Spans(events, f'{events[0][1]}.' if len(hosts) > 1 else '')
        spans += read.spans
        instants += read.instants
        halves += read.halves
        ranks.update(read.ranks)

    if not spans and not instants:
        sys.exit('# no event was read: nothing is compared')
    rows = db.execute('SELECT pid, tid, name, own_ts_ns, own_dur_ns, flags, args FROM event').fetchall()
    found = [(r[0], r[1], r[2], r[3], r[4], 'inferred' in (r[5] or ''), json.loads(r[6] or '{}').get('codeptr'))
             for r in rows if r[4] is not None]
    wrong = differences('span', spans, found)
    wrong += differences('instant', [(i[0], i[1], i[3]) for i in instants],
                         [(r[0], r[1], r[3]) for r in rows if r[4] is None])
    totals = collections.Counter()
    for span in spans:
        totals[span[2]] += span[4]
    sums = dict(db.execute('SELECT name, sum(own_dur_ns) FROM event WHERE own_dur_ns IS NOT NULL GROUP BY name'))
    wrong += differences('total', dict(totals).items(), sums.items())
    wrong += differences('message', join(halves, ranks),
                         db.execute('SELECT src_pid, dst_pid, tag, own_send_ns, own_recv_ns FROM message').fetchall())
    wrong += differences('rank', [(pid, rank) for rank, pid in ranks.items()],
                         db.execute("SELECT pid, rank FROM process WHERE rank >= 0 AND label IS NOT 'not in the trace'")
                         .fetchall())
    calls = collections.Counter(s[2].split('.')[1] for s in spans if s[2].split('.')[1] in COLLECTIVES)
    wrong += differences('collective', calls.items(),
                         db.execute('SELECT function, count(*) FROM collective GROUP BY function').fetchall())
    if not spans:
        print('# no spans: there is nothing to compare')
        wrong += 1
    print(f'# {len(spans)} spans, {len(halves)} sides of messages, {sum(totals.values())} ns in all')
    if wrong:
        print(f'# {wrong} differences')
    sys.exit(wrong > 0)


if __name__ == '__main__':
    main()
