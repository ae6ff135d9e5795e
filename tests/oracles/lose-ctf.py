#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Takes events out of whole CTF traces, as a tracer does that discards, and compares what is imported with the whole.

    lose-ctf.py TRACETOOL TRACE SEED COUNT [KEEP]
    lose-ctf.py first DIRECTORY DATETIME        only writes: three events lost before the first, an end 5 s after the clock's begin, of
                                                a session of that trace_creation_datetime; "none": it is not told

COUNT "21-21": only the copy of this number.

The events of TRACE are read from babeltrace2's text and written anew, once all of them and COUNT times with runs of them
missing in the streams: counted in the packet before the run, as LTTng does, or in the one behind it, or as lost packets.
What holds of each: the counters and what is there make up the whole; no thread is deeper than in the whole; a span whose
begin and end are not marked has exactly its true duration; one that is marked says between what its duration lies, and
the true one does; no Max of `stats` is beyond the true one, and no imbalance counts what is marked.
"""
import collections
import importlib.util
import json
import os
import random
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))


def load(name, path):
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


oracle = load('ctf_oracle', os.path.join(HERE, 'ctf.py'))
writer = load('ctf_writer', os.path.join(HERE, '..', '..', 'data', 'generators', 'ctf.py'))


def read_events(path):
    """[(ts, cpu, name, context, payload)] of the one trace @path, and its host."""
    out = subprocess.run(['babeltrace2', '--clock-seconds', '--no-delta', path], stdout=subprocess.PIPE,
                         stderr=subprocess.DEVNULL, check=True).stdout.decode()
    events, host = [], ''
    for line in out.split('\n'):
        match = oracle.LINE.match(line)
        if not match:
            continue
        head, _, rest = match[3].partition(': {')
        groups = oracle.parse_groups('{' + rest)
        context = groups[1] if len(groups) > 2 else {}
        host, _, name = head.rpartition(' ')
        events.append((int(match[1]) * 10**9 + int(match[2]), groups[0]['cpu_id'], name, context, groups[-1]))
    return events, host


def kinds_of(rows):
    """[(field, kind)] that hold the values of all @rows."""
    kinds = collections.OrderedDict()
    for row in rows:
        for field, value in row.items():
            kind = 'string' if isinstance(value, str) else 'i64' if value < 0 else 'u64'
            if kinds.get(field) in (None, 'u64'):
                kinds[field] = kind
    return list(kinds.items())


class Writer:
    """A trace of some of the events."""

    def __init__(self, path, events, host):
        by_name = collections.OrderedDict()
        for event in events:
            by_name.setdefault(event[2], []).append(event[4])
        self.common = kinds_of([event[3] for event in events])
        self.start = events[0][0]
        n_cpus = max(event[1] for event in events) + 1
        self.trace = writer.Trace(path, [(name, kinds_of(rows)) for name, rows in by_name.items()], self.common,
                                  {'hostname': host}, n_cpus=n_cpus, per_packet=10**9)

    def put(self, event):
        ts, cpu, name, context, payload = event
        self.trace.event(ts, cpu, name, [context[field] for field, _ in self.common], **payload)

    def write(self):
        self.trace.write()


def write_lossy(path, events, host, rng):
    """Returns the events that are kept, and how many the counters do not tell."""
    out = Writer(path, events, host)
    how = rng.choice(('before', 'before', 'behind', 'packets'))
    share = rng.choice((0.02, 0.1, 0.3, 0.6))
    longest = rng.choice((1, 4, 20, 60))
    kept, untold = [], 0
    for cpu in range(len(out.trace.files)):
        of_cpu = [event for event in events if event[1] == cpu]
        at = 0
        # Of what is lost before a stream has a packet nobody knows how much it was.
        first = min(len(of_cpu), rng.randint(1, 10))
        while at < len(of_cpu):
            n = rng.randint(1, 30) if at > 0 else first
            for event in of_cpu[at:at + n]:
                out.put(event)
            kept += of_cpu[at:at + n]
            at += n
            if at < first + 1 or at >= len(of_cpu) or rng.random() >= share:
                out.trace.flush(cpu)
                continue
            lost = min(rng.randint(1, longest), len(of_cpu) - at)
            if how == 'before':
                # The first packet's counter is no difference.
                if out.trace.sequence[cpu] == 0:
                    out.trace.flush(cpu)
                    out.put(of_cpu[at])
                    kept.append(of_cpu[at])
                    at += 1
                    lost = min(lost, len(of_cpu) - at)
                out.trace.discarded[cpu] += lost
                behind = at + lost
                out.trace.flush(cpu, of_cpu[behind][0] if behind < len(of_cpu) else of_cpu[-1][0] + 1000)
            elif how == 'behind' and at + lost < len(of_cpu):
                out.trace.lose_events(cpu, lost)
            elif how == 'packets' and at + lost < len(of_cpu):
                out.trace.lose_packets(cpu, 1)
                untold += lost
            else:
                lost = 0
            at += lost
    out.write()
    return sorted(kept, key=lambda event: event[0]), untold, f'{how} {share} {longest}'


# -- what was imported -------------------------------------------------------------------------------------------

def run(tracetool, db, *arguments):
    done = subprocess.run([tracetool, '--db', db, *arguments], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f'# tracetool {" ".join(arguments)}: status {done.returncode}: {done.stderr}')
    return done.stdout


class Import:
    def __init__(self, tracetool, trace, db):
        for path in (db, db + '-wal', db + '-shm'):
            if os.path.exists(path):
                os.remove(path)
        run(tracetool, db, 'import', trace)
        run(tracetool, db, 'info', '--check')
        connection = sqlite3.connect(f'file:{db}?mode=ro', uri=True)
        self.spans = connection.execute('SELECT pid, tid, name, own_ts_ns, own_dur_ns, flags, args, depth FROM event '
                                        'WHERE dur_ns IS NOT NULL').fetchall()
        self.repairs = json.loads(connection.execute('SELECT repairs FROM source').fetchone()[0] or '{}')
        self.seen = connection.execute("SELECT p.pid, m.key, m.value FROM metadata m JOIN process p ON p.id = m.process "
                                       "WHERE m.key LIKE 'seen.COMP.omp_parallel.%'").fetchall()
        known = {name for _, _, name, _, _, flags, _, _ in self.spans if not is_marked(flags)}
        self.max = {row['name']: row['max_ns'] for row in self.table(tracetool, db, 'stats') if row['name'] in known}
        self.messages = connection.execute(
            'SELECT src_process, dst_process, tag, send_ns, recv_ns FROM message_row').fetchall()
        # By their own times: who is together in a call, but for what its time tells alone.
        calls = connection.execute('SELECT c.name, c.comm, c.ordinal, p.pid, e.ts_ns, e.dur_ns FROM collective_row c '
                                   'JOIN event_row e ON e.id = c.event JOIN process_row p ON p.id = c.process '
                                   'WHERE c.flags = 0').fetchall()
        self.calls = collections.defaultdict(set)
        for name, comm, ordinal, pid, ts, dur in calls:
            self.calls[name, comm, ordinal].add((pid, ts, ts + dur))
        connection.close()

    @staticmethod
    def table(tracetool, db, command):
        return json.loads(run(tracetool, db, command, '--unit', 'ns', '--format', 'json', '--top', '0'))

    def depth(self):
        deepest = collections.defaultdict(int)
        for pid, tid, *_, depth in self.spans:
            deepest[pid, tid] = max(deepest[pid, tid], depth)
        return deepest

    def count(self, repair):
        return self.repairs.get(repair, {}).get('count', 0)


def is_marked(flags):
    return 'unclosed,inferred' in (flags or '')


def compare(whole, lossy, wrong):
    begins = collections.defaultdict(list)
    ends = collections.defaultdict(list)
    for pid, tid, name, ts, dur, *_ in whole.spans:
        begins[pid, tid, name, ts].append(dur)
        ends[pid, tid, name, ts + dur].append(dur)
    usual = {(pid, tid, name) for pid, tid, name, _, _, flags, _, _ in whole.spans if is_marked(flags)}
    for pid, tid, name, ts, dur, flags, args, _ in lossy.spans:
        if (pid, tid, name) in usual:
            continue
        true = begins.get((pid, tid, name, ts)) or ends.get((pid, tid, name, ts + dur))
        between = json.loads(args or '{}').get('dur_between_ns')
        if name.startswith('COMP.omp_work') and flags == 'inferred' and between == [0, dur]:
            between = None  # without an end of its own whatever is lost
        what = f'{pid}/{tid} {name} at {ts} lasts {dur}, flags {flags}, between {between}'
        if is_marked(flags) != (between is not None):
            wrong.append(f'{what}: mark and bounds do not go together')
        elif true is None:
            # Begin and end were lost, what is inside of it tells of it.
            if between is None or dur > between[1]:
                wrong.append(f'{what}: there is none')
        elif between is None and dur not in true:
            wrong.append(f'{what}: it lasted {true}')
        elif between is not None and not (dur <= between[1] and
                                          any(between[0] <= each <= between[1] for each in true)):
            wrong.append(f'{what}: it lasted {true}')
    deepest = whole.depth()
    for thread, depth in lossy.depth().items():
        if depth > deepest.get(thread, -1):
            wrong.append(f'{thread}: depth {depth}, in the whole {deepest.get(thread)}')
    for name, most in lossy.max.items():
        if most > whole.max.get(name, -1):
            wrong.append(f'{name}: Max {most}, in the whole {whole.max.get(name)}')


def check_joins(whole, lossy, total, wrong):
    """What is joined belongs together; the time of a receive may be later, where requests are lost."""
    received = {}
    for src, dst, tag, send_ns, recv_ns in whole.messages:
        received.setdefault((src, dst, tag, send_ns), set()).add(recv_ns)
    of_recv = {(dst, recv_ns): send_ns for _, dst, _, send_ns, recv_ns in whole.messages}
    for src, dst, tag, send_ns, recv_ns in lossy.messages:
        if send_ns is None or recv_ns is None:
            continue
        total['messages joined'] += 1
        if recv_ns not in received.get((src, dst, tag, send_ns), ()) and (dst, recv_ns) in of_recv:
            wrong.append(f'message {src} to {dst}, tag {tag}: sent at {send_ns}, received at {recv_ns}, not at '
                         f'{received.get((src, dst, tag, send_ns))}')
    # Of a call the begin or the end may be lost.
    which = {}
    for number, calls in enumerate(whole.calls.values()):
        for pid, begin, end in calls:
            which[pid, 'begin', begin] = which[pid, 'end', end] = number
    for calls in lossy.calls.values():
        if len(calls) < 2:
            continue
        total['collectives joined'] += 1
        numbers = {which.get((pid, 'begin', begin), which.get((pid, 'end', end))) for pid, begin, end in calls}
        if len(numbers) > 1:
            wrong.append(f'collective of {sorted(calls)}: they were {numbers}')


def check_regions(events, lossy, wrong):
    """Of each region no more is told to be lost than was there; the share is that of what is."""
    n_events = collections.Counter((str(event[3].get('vpid')), hex(event[4]['parallel_codeptr'])) for event in events
                                   if event[2].endswith((':parallel_begin', ':parallel_end')))
    for pid, key, value in lossy.seen:
        share, n = re.fullmatch(r'(\d+) % of ([\d,]+) events', value).groups()
        if int(n.replace(',', '')) > n_events[pid, key.rpartition('.')[2]] or int(share) > 100:
            wrong.append(f'{pid} {key}: {value}, in the whole {n_events[pid, key.rpartition(".")[2]]}')


def main():
    tracetool, source, seed = sys.argv[1], sys.argv[2], int(sys.argv[3])
    first, _, last = sys.argv[4].rpartition('-')
    copies = range(int(first), int(last) + 1) if first else range(int(last))
    events, host = read_events(source)
    total = collections.Counter()
    n_wrong = 0
    with tempfile.TemporaryDirectory() as scratch:
        db, path = os.path.join(scratch, 'x.db'), os.path.join(scratch, 'trace')
        original = Import(tracetool, source, db)
        all_of_it = Writer(path, events, host)
        for event in events:
            all_of_it.put(event)
        all_of_it.write()
        whole = Import(tracetool, path, db)
        if sorted(s[:5] for s in original.spans) == [] or len(original.spans) != len(whole.spans) or whole.count('lost_events'):
            sys.exit('# the trace that was written anew is another one')
        for i in copies:
            rng = random.Random(seed * 1000 + i)
            shutil.rmtree(path)
            kept, untold, how = write_lossy(path, events, host, rng)
            lossy, wrong = Import(tracetool, path, db), []
            compare(whole, lossy, wrong)
            check_regions(events, lossy, wrong)
            check_joins(whole, lossy, total, wrong)
            total['regions told'] += len(lossy.seen)
            if len(kept) + lossy.count('lost_events') + untold != len(events):
                wrong.append(f'{len(kept)} events, {lossy.count("lost_events")} lost, {untold} not told: not {len(events)}')
            for what in ('bounded_end', 'bounded_begin', 'unsure_end'):
                total[what] += lossy.count(what)
            total['spans'] += len(lossy.spans)
            total['exact'] += sum(not is_marked(s[5]) for s in lossy.spans)
            total['kept'] += len(kept)
            for line in wrong[:3]:
                print(f'# {i} ({how}): {line}')
            n_wrong += len(wrong) > 0
            if wrong and len(sys.argv) > 5:
                shutil.copytree(path, os.path.join(sys.argv[5], f'{seed}-{i}'), dirs_exist_ok=True)
    print(f'# of {len(copies)} traces {n_wrong} wrong; {dict(total)}')
    sys.exit(n_wrong > 0 or total['bounded_end'] == 0)


def write_first(path, made):
    trace = writer.Trace(path, [('step_begin', [('n', 'u32')]), ('step_end', [('n', 'u32')])], (),
                         {} if made == 'none' else {'trace_creation_datetime': made}, n_cpus=1)
    trace.lose_events(0, 3)
    trace.event(5 * 10**9, 0, 'step_end', n=1)
    trace.write()


if __name__ == '__main__':
    if sys.argv[1] == 'first':
        sys.exit(write_first(*sys.argv[2:]))
    main()
