#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""locks.py TRACE TRUTH SEED N_LOCKS [KEY]: threads of one process over mutexes, simulated, as trace-event JSON.

Whoever asks first gets a lock first, some time after it was let go. Calls tell their lock as argument KEY, if given. TRUTH is
what each thread waited, from its request to when the one before let go: lines of tid and ns."""
import heapq
import json
import random
import sys

trace, truth, seed, n_locks = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
key = sys.argv[5] if len(sys.argv) > 5 else None
rng = random.Random(seed)
N_THREADS, N_ROUNDS = 8, 40
owner, queue = [None] * n_locks, [[] for _ in range(n_locks)]
waited, events, heap, number = [0] * N_THREADS, [], [], 0


def later(ns, *what):
    global number
    number += 1
    heapq.heappush(heap, (ns, number, what))


def span(tid, name, begin, end, lock=None):
    event = {"ph": "X", "pid": 1, "tid": tid + 1, "name": name, "ts": begin / 1000, "dur": (end - begin) / 1000}
    if lock is not None and key:
        event["args"] = {key: lock + 3 if key == "lock" else "0x7ffd%04x" % (lock * 40)}
    events.append(event)


def get(tid, lock, asked, now, left):
    owner[lock] = tid
    span(tid, "pthread_mutex_lock", asked, now, lock)
    later(now + rng.randint(20000, 400000), "free", tid, lock, left)


for tid in range(N_THREADS):
    later(rng.randint(1, 300000), "ask", tid, rng.randrange(n_locks), N_ROUNDS)
end = 0
while heap:
    now, _, (what, tid, lock, left) = heapq.heappop(heap)
    end = max(end, now)
    if what == "ask" and owner[lock] is None:
        get(tid, lock, now, now + 200, left)
    elif what == "ask":
        queue[lock].append((tid, now, left))
    elif what == "free":
        span(tid, "pthread_mutex_unlock", now, now + 100, lock)
        owner[lock] = None
        if queue[lock]:
            after, asked, its_left = queue[lock].pop(0)
            waited[after] += now - asked
            get(after, lock, asked, now + rng.randint(200, 90000), its_left)
        if left > 1:
            later(now + rng.randint(1000, 500000), "ask", tid, rng.randrange(n_locks), left - 1)
for tid in range(N_THREADS):
    span(tid, "work", 0, end + 1000)
with open(trace, "w", encoding="ascii") as file:
    json.dump({"traceEvents": events}, file)
with open(truth, "w", encoding="ascii") as file:
    for tid, ns in enumerate(waited):
        print(tid + 1, ns, file=file)
