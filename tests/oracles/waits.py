#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Waits of receives and of blocking collectives by the published definitions, from the public views: ns a kind."""
import collections
import sqlite3
import sys

db = sqlite3.connect(sys.argv[1])
spans = {row[0]: row[1:] for row in db.execute("SELECT id, ts_ns, ts_ns + dur_ns FROM event WHERE dur_ns IS NOT NULL")}
sends = collections.defaultdict(list)
for send, receive in db.execute("SELECT send_event, recv_event FROM message WHERE send_event IS NOT NULL "
                                "AND recv_event IS NOT NULL AND recv_ns >= send_ns"):
    sends[receive].append(spans[send][0])
sums = collections.Counter()
for receive, begins in sends.items():
    begin, end = spans[receive]
    sums["sender"] += max(0, min(max(begins), end) - begin)
calls = collections.defaultdict(list)
for comm, function, ordinal, event in db.execute("SELECT comm, function, ordinal, event FROM collective"):
    calls[comm, function, ordinal].append(spans[event])
for (_, function, _), parts in calls.items():
    kind = {"MPI_Barrier": "barrier", "MPI_Allreduce": "NxN"}.get(function)
    last = max(begin for begin, _ in parts)
    if kind:
        sums[kind] += sum(max(0, min(last, end) - begin) for begin, end in parts)
for kind in ("NxN", "barrier", "sender"):
    print(kind, sums[kind])
