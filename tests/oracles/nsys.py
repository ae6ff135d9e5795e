#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares a database of tracetool with the export of Nsight Systems that it is of: nsys.py EXPORT DATABASE

By SQL over the export as NVIDIA's guide describes it: every span of the tables of calls, work, ranges and MPI with its name,
begin and end, its thread or stream; which call launched which work; sums by name.
"""
import collections
import json
import re
import sqlite3
import sys

COPIES = ['Unknown', 'HtoD', 'DtoH', 'HtoA', 'AtoH', 'AtoA', 'AtoD', 'DtoA', 'DtoD', 'HtoH', 'PtoP', 'HtoD', 'DtoH', 'DtoD']
failed = False


def check(what, one, other):
    global failed
    if one != other:
        failed = True
        print('differs: %s' % what)
        if isinstance(one, collections.Counter):
            one, other = one - other, other - one
            one, other = list(one.items())[:5], list(other.items())[:5]
        print('  export:    %s\n  tracetool: %s' % (one, other))


def main():
    export, db = sqlite3.connect(sys.argv[1]), sqlite3.connect(sys.argv[2])
    tables = {name for name, in export.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}

    def rows(table, columns, where=''):
        if table not in tables:
            return []
        there = {row[1] for row in export.execute('PRAGMA table_info (%s)' % table)}
        wanted = [column if column in there else 'NULL' for column in columns.split()]
        return export.execute('SELECT %s FROM %s %s' % (', '.join(wanted), table, where)).fetchall()

    strings = dict(rows('StringIds', 'id value'))
    base = (rows('TARGET_INFO_SESSION_START_TIME', 'utcEpochNs') or [(0,)])[0][0]
    kinds = dict(rows('ENUM_CUDA_MEM_KIND', 'id label')) or dict(enumerate(('Pageable', 'Pinned', 'Device')))
    expected, launched = collections.Counter(), collections.Counter()

    def add(name, begin, end, lane):
        expected[name, begin + base, end - begin, lane] += 1

    calls = {}
    for begin, end, tid, name, correlation, kind in rows('CUPTI_ACTIVITY_KIND_RUNTIME',
                                                         'start end globalTid nameId correlationId eventClass'):
        # A call that is told once more, for its stack.
        if kind == 67:
            continue
        name = re.sub(r'_v\d{4,}$', '', strings[name])
        add(name, begin, end, tid & 0xffffff)
        calls[tid >> 24, correlation] = name, begin + base
    for table in ('OSRT_API', 'CUBLAS_EVENTS', 'CUDNN_EVENTS', 'PROFILER_OVERHEAD'):
        for begin, end, tid, name, kind in rows(table, 'start end globalTid nameId eventClass'):
            # Notes that profiling has begun or ended.
            if kind not in range(31, 37):
                add(strings[name], begin, end, tid & 0xffffff)
    for table in ('P2P', 'COLLECTIVES', 'START_WAIT', 'OTHER'):
        for begin, end, tid, name in rows('MPI_%s_EVENTS' % table, 'start end globalTid textId'):
            add(strings[name], begin, end, tid & 0xffffff)
    for begin, end, tid, text, number in rows('NVTX_EVENTS', 'start end globalTid text textId',
                                              'WHERE eventType IN (59, 60) AND end IS NOT NULL'):
        add(text if number is None else strings[number], begin, end, tid & 0xffffff)

    def add_work(name, begin, end, stream, pid, correlation):
        add(name, begin, end, stream)
        if (pid >> 24, correlation) in calls:
            launched[calls[pid >> 24, correlation] + (name, begin + base)] += 1

    common = 'start end streamId globalPid correlationId '
    for *work, name in rows('CUPTI_ACTIVITY_KIND_KERNEL', common + 'demangledName'):
        add_work(strings[name], *work)
    for *work, kind, source, target in rows('CUPTI_ACTIVITY_KIND_MEMCPY', common + 'copyKind srcKind dstKind'):
        name = 'Memcpy ' + COPIES[kind]
        if kind > 10:
            name += ' (Unified)'
        elif source is not None:
            name += ' (%s -> %s)' % (kinds[source], kinds[target])
        add_work(name, *work)
    for *work, kind in rows('CUPTI_ACTIVITY_KIND_MEMSET', common + 'memKind'):
        add_work('Memset (%s)' % kinds.get(kind, 'Device'), *work)
    for *work, graph in rows('CUPTI_ACTIVITY_KIND_GRAPH_TRACE', common + 'graphId'):
        add_work('CUDA graph %d' % graph, *work)
    check('number of expected spans', sum(expected.values()) > 0, True)

    # Marks of waits are beside their streams.
    got = collections.Counter()
    for name, begin, duration, tid in db.execute(
            "SELECT raw_name, ts_ns, dur_ns, tid FROM event WHERE dur_ns IS NOT NULL AND ifnull(flags, '') NOT LIKE '%unclosed%'"
            " AND tid NOT LIKE 'waits%'"):
        got[name, begin, duration, int(tid)] += 1
    check('spans', expected, got)
    check('marks of waits', sorted((begin + base, end - begin) for begin, end in
                                   rows('CUPTI_ACTIVITY_KIND_SYNCHRONIZATION', 'start end')),
          sorted(db.execute("SELECT ts_ns, dur_ns FROM event WHERE tid LIKE 'waits%'").fetchall()))

    flows = collections.Counter()
    for row in db.execute("SELECT a.raw_name, a.ts_ns, b.raw_name, b.ts_ns FROM flow f JOIN event a ON a.id = f.from_event"
                          " JOIN event b ON b.id = f.to_event WHERE b.tid NOT LIKE 'waits%'"):
        flows[row] += 1
    check('launches', launched, flows)

    total = collections.Counter()
    for begin, end in rows('CUPTI_ACTIVITY_KIND_KERNEL', 'start end'):
        total['kernels'] += end - begin
    for bytes, in rows('CUPTI_ACTIVITY_KIND_MEMCPY', 'bytes'):
        total['bytes'] += bytes
    got = collections.Counter()
    for name, duration, args in db.execute("SELECT native_group, dur_ns, args FROM event"):
        if name == 'kernel':
            got['kernels'] += duration
        if name == 'gpu_memcpy':
            got['bytes'] += json.loads(args)['bytes']
    check('sums', total, got)
    check('samples', len(rows('GPU_METRICS', 'value')) + len(rows('CUDA_GPU_MEMORY_USAGE_EVENTS', 'start')),
          db.execute('SELECT count(*) FROM counter').fetchone()[0])
    if failed:
        return 1
    print('%d spans, %d launches' % (sum(expected.values()), sum(launched.values())))
    return 0


sys.exit(main())
