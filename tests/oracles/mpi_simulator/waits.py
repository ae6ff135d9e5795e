# SPDX-License-Identifier: Apache-2.0
"""Wait states, by the definitions of Scalasca. A wait begins when the rank enters the call that blocks:

late sender       it receives, or waits for a receive, or probes; until the send begins
wrong order       a late sender, and of what the same rank sent earlier something is received in a later call
late receiver     it sends by rendezvous, or waits for such a send; until the receive is posted
wait at barrier   until the last rank enters
wait at NxN       allreduce and alltoall: until the last rank enters; in the wait for an iallreduce: until it is initiated;
                  of ibcast and ireduce likewise what follows
late broadcast    bcast and scatter, not the root: until the root enters
early reduce      reduce and gather, the root: until the last of the others enters

A call that waits for several things has one wait: the one that ends last.
"""
from .engine import FROM_ROOT, TO_ROOT


class Wait:
    __slots__ = ("call", "kind", "begin", "end", "cause", "message", "collective")

    def __init__(self, call, kind, cause, message=None, collective=None):
        self.call, self.kind, self.begin, self.end, self.cause = call, kind, call.begin, cause.begin, cause
        self.message, self.collective = message, collective

    @property
    def ns(self):
        return self.end - self.begin

    def truth(self, run):
        span = run.ranks[self.call.rank].spans[self.call.span]
        truth = {"rank": self.call.rank, "span": self.call.span, "leave": span.leave, "name": self.call.name, "kind": self.kind,
                 "begin": self.begin, "end": self.end, "ns": self.ns, "because_of": self.cause.rank,
                 "cause_span": self.cause.span, "cause_name": self.cause.name, "path": span.path}
        if self.collective is not None:
            truth["comm"] = self.collective.comm
            if self.kind == "early reduce":
                truth["until_first_ns"] = max(0, min(c.begin for c in others(self.collective)) - self.begin)
        return truth


def others(collective):
    return [call for rank, call in collective.entered.items() if rank != collective.root]


def of_collective(call):
    collective = call.collective
    if len(collective.members) == 1:
        return None
    if collective.kind in FROM_ROOT:
        return Wait(call, "late broadcast", collective.entered[collective.root], collective=collective)
    if collective.kind in TO_ROOT:
        if call.rank != collective.root:
            return None
        last = collective.last([rank for rank in collective.members if rank != collective.root])
        return Wait(call, "early reduce", last, collective=collective)
    kind = "wait at barrier" if collective.kind == "barrier" else "wait at NxN"
    return Wait(call, kind, collective.last(collective.members), collective=collective)


def candidates(call):
    if call.probed is not None:
        yield Wait(call, "late sender", call.probed.send, call.probed)
    for message in call.received:
        yield Wait(call, "late sender", message.send, message)
    for message in call.sent:
        yield Wait(call, "late receiver", message.post, message)
    if call.collective is not None:
        wait = of_collective(call)
        if wait is not None:
            yield wait


def is_wrong_order(wait, received):
    """whether what was sent earlier is received later"""
    send, done = wait.message.send, wait.message.done
    return any(other.send.index < send.index and other.done.index > done.index for other in received)


def find_waits(run):
    """of all ranks, each with its call; each call knows its own"""
    received = {}
    for message in run.messages.values():
        received.setdefault((message.src, message.dst), []).append(message)
    waits = []
    for rank in run.ranks:
        for call in rank.calls:
            wait = max(candidates(call), key=lambda one: one.end, default=None)
            if wait is None or wait.ns <= 0:
                continue
            if wait.kind == "late sender" and is_wrong_order(wait, received[wait.message.src, call.rank]):
                wait.kind = "wrong order"
            call.wait = wait
            waits.append(wait)
    return waits


def find_overlaps(run):
    """Eager sends during which the receive was posted. They do not wait, but look as late receivers to who does not know
    the eager limit, by less than the overhead of a call."""
    overlaps = []
    for message in run.messages.values():
        send, post = message.send, message.post
        if not message.is_sync and send.begin < post.begin < send.end:
            overlaps.append({"rank": send.rank, "span": send.span, "name": send.name, "ns": post.begin - send.begin})
    return sorted(overlaps, key=lambda one: (one["rank"], one["span"]))
