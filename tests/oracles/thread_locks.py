#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Threads that wait for locks of OpenMP, as Score-P's adapter of Opari records them, and for what each waited.

  thread_locks.py make SEED FOLDER [untold]   writes an archive there, and FOLDER.json with the truth
  thread_locks.py judge TRUTH.json < FILE     of `waits --by rank,cause_name,name --format csv --unit ns`

A critical section: enter "!$omp critical (name) @file:line"; when it is free acquire the lock and enter
"!$omp critical sblock @file:line"; leave that, release the lock, leave the section. A lock: enter omp_set_lock, acquire,
leave; later enter omp_unset_lock, release, leave. Who comes while a lock is held gets it in the order of coming. With
`untold` there is one critical section and no record of a lock.
"""
import collections
import csv
import heapq
import json
import random
import sys

THREADS, TURNS = 4, 30


def plan(rng, locks):
    """Turns as (begin, come, has, release, end, thread, lock, waited for)."""
    free, holder = [0] * len(locks), [None] * len(locks)
    coming = [(1000000 + rng.randrange(1000, 90000), i, 1000000) for i in range(THREADS)]
    left = [TURNS] * THREADS
    heapq.heapify(coming)
    while coming:
        come, thread, begin = heapq.heappop(coming)
        lock = rng.randrange(len(locks))
        has = max(come, free[lock]) + rng.randrange(40, 60)
        release = has + rng.randrange(5000, 60000)
        yield begin, come, has, release, release + 200, thread, lock, (free[lock] - come, holder[lock])
        free[lock], holder[lock] = release, thread
        left[thread] -= 1
        if left[thread] > 0:
            heapq.heappush(coming, (release + 200 + rng.randrange(1000, 90000), thread, release + 200))


def make(seed, folder, is_told):
    import otf2
    from otf2.enums import Paradigm, RegionRole

    rng = random.Random(seed)
    locks = ['critical', 'critical (other)', 'lock', 'lock'] if is_told else ['critical']
    waits = collections.Counter()
    with otf2.writer.open(folder, timer_resolution=10**9) as trace:
        d = trace.definitions
        node = d.system_tree_node('host', class_name='node', parent=d.system_tree_node('machine', class_name='machine'))
        rank = d.location_group('MPI Rank 0', system_tree_parent=node)
        work = d.region('work', region_role=RegionRole.FUNCTION, paradigm=Paradigm.USER)
        outer = {i: d.region(f'!$omp {name} @app.c:{12 + i}', region_role=RegionRole.CRITICAL, paradigm=Paradigm.OPENMP)
                 for i, name in enumerate(locks) if name != 'lock'}
        inner = {i: d.region(f'!$omp critical sblock @app.c:{12 + i}', region_role=RegionRole.CRITICAL_SBLOCK,
                             paradigm=Paradigm.OPENMP) for i in outer}
        set_lock, unset_lock = (d.region(name, region_role=RegionRole.WRAPPER, paradigm=Paradigm.OPENMP)
                                for name in ('omp_set_lock', 'omp_unset_lock'))
        writers = [trace.event_writer_from_location(d.location(f'thread {i}', group=rank)) for i in range(THREADS)]
        orders = [0] * len(locks)

        def record(write, at, lock):
            if is_told:
                write(at, model=Paradigm.OPENMP, lock_id=lock + 1, acquisition_order=orders[lock])

        for begin, come, has, release, end, thread, lock, (wait, cause) in plan(rng, locks):
            w = writers[thread]
            orders[lock] += 1
            w.enter(begin, work)
            w.leave(come, work)
            if lock in outer:
                w.enter(come, outer[lock])
                record(w.thread_acquire_lock, has, lock)
                w.enter(has, inner[lock])
                w.leave(release, inner[lock])
                record(w.thread_release_lock, release, lock)
                w.leave(end, outer[lock])
            else:
                w.enter(come, set_lock)
                record(w.thread_acquire_lock, has, lock)
                w.leave(has, set_lock)
                w.enter(has, work)
                w.leave(release, work)
                w.enter(release, unset_lock)
                record(w.thread_release_lock, release + 20, lock)
                w.leave(end, unset_lock)
            if wait > 0:
                waits[f'{locks[lock]} {lock}' if lock in outer else 'omp_set_lock'] += wait
    with open(folder + '.json', 'w') as file:
        json.dump(waits, file)


def judge(truth):
    waits = collections.Counter()
    for row in csv.DictReader(sys.stdin):
        name = row['name']
        lock = 'omp_set_lock' if 'omp_set_lock' in name else name.split('$omp ')[1].split(' @')[0] + ' %d' % (
            int(name.rsplit(':', 1)[1]) - 12)
        waits[lock] += int(row['wait_ns'])
    with open(truth) as file:
        told = json.load(file)
    assert waits == told and sum(told.values()) > 0, (waits, told)
    print(f'{sum(told.values())} ns for {len(told)} kinds of locks, as planned')


if sys.argv[1] == 'make':
    make(int(sys.argv[2]), sys.argv[3], sys.argv[4:] != ['untold'])
else:
    judge(sys.argv[2])
