# SPDX-License-Identifier: Apache-2.0
"""Delay costs, after D. Boehme et al., "Identifying the root causes of wait states in large-scale parallel applications",
and the critical path.

For a wait of p because of q, both are looked at since they last synchronised: the latest call of p before it that
exchanged a message with q, or was a collective with q (if it has a root, one of the two), and whose counterpart on q ended
before the call of q that ended the wait; or since the start. A message is exchanged when it is sent and when the call that
receives it, or waits for that, ends. In these intervals
    delay (path) = computation of q in that call path beyond that of p; computation is exclusive and not in MPI.
The wait is shared out over these delays and the waits of q in its interval, in proportion. What falls on a wait of q goes
on to what that one has as causes. With neither delays nor waits the cause is unexplained, on q.
"""
from bisect import bisect_left, bisect_right

from .engine import FROM_ROOT, TO_ROOT


def counterpart(call, other):
    """the call of rank `other` with which this one synchronised, or None"""
    peer = call.peers.get(other)
    collective = call.collective
    if collective is None or other not in collective.ranks:
        return peer
    if collective.kind in FROM_ROOT | TO_ROOT and collective.root not in (call.rank, other):
        return peer
    return collective.done.get(other, peer)


class Causes:
    def __init__(self, run, waits):
        self.run, self.waits = run, waits
        self.computed = {}
        self.waiting = [[call.index for call in rank.calls if call.wait] for rank in run.ranks]

    def _since(self, wait):
        """the first segments after p and q synchronised, and the first call of q"""
        q = wait.cause.rank
        calls = self.run.ranks[wait.call.rank].calls
        for index in range(wait.call.index - 1, -1, -1):
            call = calls[index]
            peer = counterpart(call, q)
            if peer is not None and peer.index < wait.cause.index:
                return call.segment + 1, peer.segment + 1, peer.index + 1
        return 0, 0, 0

    def _computation(self, rank, first, last):
        key = rank, first, last
        if key not in self.computed:
            sums = self.computed[key] = {}
            for begin, end, path, is_mpi in self.run.ranks[rank].segments[first:last]:
                if not is_mpi:
                    sums[path] = sums.get(path, 0) + end - begin
        return self.computed[key]

    def of(self, wait):
        """[(ns, call path, None) or (ns, None, wait)]"""
        p_first, q_first, q_call = self._since(wait)
        q = wait.cause.rank
        mine = self._computation(wait.call.rank, p_first, wait.call.segment)
        theirs = self._computation(q, q_first, wait.cause.segment)
        causes = [(ns - mine.get(path, 0), path, None) for path, ns in sorted(theirs.items()) if ns > mine.get(path, 0)]
        indices = self.waiting[q]
        for index in indices[bisect_left(indices, q_call):bisect_left(indices, wait.cause.index)]:
            own = self.run.ranks[q].calls[index].wait
            causes.append((own.ns, None, own))
        return causes


def share_out(ns, weights):
    """whole numbers in that proportion that sum to ns"""
    total, before, given = sum(weights), 0, 0
    for weight in weights:
        before += weight
        share = ns * before // total - given
        given += share
        yield share


def delay_costs(run, waits):
    """{(rank, call path): [direct, propagated]} and the same for each rank of what is unexplained"""
    causes = Causes(run, waits)
    costs, unexplained, inherited = {}, {}, {}
    for wait in sorted(waits, key=lambda one: (-one.end, one.call.rank, one.call.index)):
        found = causes.of(wait)
        for kind, ns in enumerate((wait.ns, inherited.pop(id(wait), 0))):
            if not found:
                unexplained.setdefault(wait.cause.rank, [0, 0])[kind] += ns
                continue
            for share, (_, path, own) in zip(share_out(ns, [cause[0] for cause in found]), found):
                if own is not None:
                    assert own.end < wait.end
                    inherited[id(own)] = inherited.get(id(own), 0) + share
                else:
                    costs.setdefault((wait.cause.rank, path), [0, 0])[kind] += share
    assert not inherited
    return costs, unexplained


def critical_path(run):
    """[(rank, begin, end)] from the end of the run to its beginning, and the wait that led to each but the first"""
    rank = max(run.ranks, key=lambda one: (one.now, -one.number))
    waits = [[call.wait for call in one.calls if call.wait] for one in run.ranks]
    ends = [[wait.end for wait in one] for one in waits]
    at, steps, came_by = rank.now, [], None
    while True:
        n = bisect_right(ends[rank.number], at) - 1
        wait = waits[rank.number][n] if n >= 0 else None
        begin = wait.end if wait else rank.start
        steps.append((rank.number, begin, at, came_by))
        if wait is None:
            return steps
        at, rank, came_by = begin, run.ranks[wait.cause.rank], wait


def path_profile(run, steps):
    """{(rank, call path): ns}"""
    profile = {}
    begins = [[segment[0] for segment in rank.segments] for rank in run.ranks]
    for number, begin, end, _ in steps:
        segments = run.ranks[number].segments
        n = max(0, bisect_right(begins[number], begin) - 1)
        while n < len(segments) and segments[n][0] < end:
            ns = min(segments[n][1], end) - max(segments[n][0], begin)
            if ns > 0:
                key = number, segments[n][2]
                profile[key] = profile.get(key, 0) + ns
            n += 1
    return profile
