#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""mpi_causes.py CAUSE STAMPS [SKEW]: what mpi_causes.c wrote of one run, as truth.json (standard output).

STAMPS is the folder of RANK.tsv; SKEW, where clocks were made wrong, is a file with a line "RANK OFFSET DRIFT SINCE" for
each rank (ns, parts per billion, ns of the epoch). All times are of the true clock.
"""
import json
import os
import sys

NOISE = 1000000  # waits of less than this are not worth a line


def read(folder):
    calls, planted, waits, path = {}, [], [], []
    for name in sorted(os.listdir(folder), key=lambda n: int(n.split('.')[0])):
        rank = int(name.split('.')[0])
        for line in open(os.path.join(folder, name)):
            kind, *rest = line.rstrip('\n').split('\t')
            if kind == 'call':
                label, thread, operation, begin, end = rest
                assert label not in calls, label
                calls[label] = {'rank': rank, 'thread': int(thread), 'operation': operation, 'begin': int(begin),
                                'end': int(end)}
            elif kind == 'planted':
                planted.append((rank, *rest))
            elif kind == 'wait':
                waits.append((rank, rest[0], rest[1], rest[2], rest[3:]))
            else:
                path.extend(label for label in rest if label not in path)
    return calls, planted, waits, path


def parts(calls, label):
    """The calls of a label: one, or those of all ranks."""
    found = [calls[label]] if label in calls else [c for n, c in calls.items() if n.rpartition('.')[0] == label]
    assert found, label
    return found


def wait(calls, paths, rank, label, kind, root, until):
    call = calls[label]
    ends = []
    for other in until:
        at, name = ('end', other[4:]) if other.startswith('end:') else ('begin', other)
        ends += [(c[at], c) for c in parts(calls, name)]
    end, last = max(ends, key=lambda e: (e[0], -e[1]['rank']))
    ns = max(0, min(end, call['end']) - call['begin'])
    if root != '-' and root not in calls:
        root = f"{root}.{last['rank']}"
    if ns < NOISE or last is call:
        return None
    row = {'rank': rank, 'thread': call['thread'], 'operation': call['operation'], 'kind': kind, 'begin': call['begin'],
           'ns': ns, 'call_ns': call['end'] - call['begin'], 'because_of': last['rank'], 'root_cause': None}
    if root != '-':
        row['root_cause'] = f"rank {calls[root]['rank']} operation {paths.get(root, calls[root]['operation'])}"
    return row


def last_waits(calls):
    """MPI_Finalize waits for all; nobody planted that, but what comes last shows in it."""
    ends = {c['rank']: c['begin'] for c in calls.values() if c['operation'] == 'MPI_Finalize()'}
    return [{'rank': rank, 'ns': max(ends.values()) - begin} for rank, begin in sorted(ends.items())]


def main():
    cause, folder = sys.argv[1:3]
    calls, planted, waits, path = read(folder)
    paths = {label: way for _, label, way, _ in planted}
    rows = [wait(calls, paths, *w) for w in waits]
    truth = {
        'cause': cause,
        'ranks': 1 + max(c['rank'] for c in calls.values()),
        'planted': [{'rank': rank, 'thread': calls[label]['thread'], 'operation': way, 'ns': int(ns),
                     'begin': calls[label]['begin'], 'call_ns': calls[label]['end'] - calls[label]['begin']}
                    for rank, label, way, ns in planted],
        'waits': sorted((r for r in rows if r), key=lambda r: (r['begin'], r['rank'])),
        'path': [{'rank': c['rank'], 'operation': paths.get(label, c['operation']), 'ns': c['end'] - c['begin']}
                 for label in path for c in [calls[label]]],
        'finalize': last_waits(calls),
        'calls': sorted(calls.values(), key=lambda c: (c['rank'], c['thread'], c['begin'])),
    }
    if len(sys.argv) > 3:
        fields = [list(map(int, line.split())) for line in open(sys.argv[3])]
        truth['clocks'] = [dict(zip(('rank', 'offset_ns', 'drift_ppb', 'since_ns'), f)) for f in fields]
    # One line for each row of a list.
    head = ',\n'.join(f' {json.dumps(k)}: ' + (json.dumps(v) if not isinstance(v, list) else '[' + ','.join(
        '\n  ' + json.dumps(row) for row in v) + ']') for k, v in truth.items())
    assert json.loads('{' + head + '}') == truth
    print('{\n' + head + '\n}')


main()
