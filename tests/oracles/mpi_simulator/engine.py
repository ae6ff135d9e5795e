# SPDX-License-Identifier: Apache-2.0
"""Runs the programs of N ranks. Nothing depends on who is run first: a rank goes on until it needs to know when another
one sends, receives or enters, and sleeps until that is known. Times are integer nanoseconds since the start of the run.

A program is a list of operations, tuples of a kind and what it needs:

    ("enter", name)  ("leave",)  ("work", ns)      regions, and time spent in the innermost one
    ("compute", name, ns)                          a region of its own with that much work in it
    ("send" | "ssend", dst, tag, size)             ("recv" | "probe", src, tag)
    ("isend", request, dst, tag, size)             ("irecv", request, src, tag)       request: any key
    ("wait", request)  ("waitall", requests)
    (NAME, comm, size)  (NAME, comm, size, root)   collectives; comm: a number, see Run.comms
    ("iallreduce", request, comm, size)  ("ibcast" | "ireduce", request, comm, size, root)
"""
from collections import deque

NXN = {"barrier", "allreduce", "alltoall", "iallreduce"}
FROM_ROOT = {"bcast", "scatter", "ibcast"}
TO_ROOT = {"reduce", "gather", "ireduce"}
BEGUN = {"iallreduce", "ibcast", "ireduce"}
COLLECTIVES = NXN | FROM_ROOT | TO_ROOT


def mix(*numbers):
    """a number that looks random and is the same wherever it is computed"""
    x = 0x9E3779B97F4A7C15
    for number in numbers:
        x = (x ^ number) * 0xBF58476D1CE4E5B9 & 0xFFFFFFFFFFFFFFFF
        x ^= x >> 29
    return x


class Network:
    """eager up to a limit, by rendezvous beyond it; progress is made while nobody calls MPI"""
    eager_limit = 16384
    bytes_per_ns = 10
    overhead = 400  # that a call costs in any case
    collective_ns = 4000
    ranks_per_host = 8

    def __init__(self, seed):
        self.seed = seed

    def latency(self, src, dst, n):
        """of the n-th message: 1 to 2 us in a host, 2 to 5 us between hosts, another one each way and each time"""
        noise = mix(self.seed, src, dst, n)
        return 1000 + noise % 1000 if src // self.ranks_per_host == dst // self.ranks_per_host else 2000 + noise % 3000

    def transfer(self, size):
        return size // self.bytes_per_ns

    def collective(self, members, size):
        return self.collective_ns + 2000 * (members - 1).bit_length() + self.transfer(size)


class Span:
    __slots__ = ("name", "path", "begin", "end", "leave")

    def __init__(self, name, path, begin):
        self.name, self.path, self.begin = name, path, begin
        self.end = self.leave = None  # leave: the number of its leave record on the rank


class Call:
    """of MPI by a rank"""
    __slots__ = ("rank", "index", "span", "name", "begin", "end", "segment", "received", "sent", "collective", "probed",
                 "peers", "wait", "n_requests")

    def __init__(self, rank, index, span, name, begin, segment):
        self.rank, self.index, self.span, self.name, self.begin, self.end = rank, index, span, name, begin, None
        self.segment = segment  # its place among the segments of the rank
        self.received = []  # messages it completed
        self.sent = []  # messages by rendezvous whose sending it completed
        self.collective = None  # that it completed
        self.probed = None
        self.peers = {}  # rank -> the call of that rank with which this one exchanged a message
        self.wait = None
        self.n_requests = 0  # that it completed


class Message:
    __slots__ = ("src", "dst", "tag", "number", "size", "is_sync", "send", "post", "done", "latency", "sleepers")

    def __init__(self, src, dst, tag, number, latency):
        self.src, self.dst, self.tag, self.number, self.latency = src, dst, tag, number, latency
        self.size = self.is_sync = self.send = self.post = self.done = None
        self.sleepers = []


class Collective:
    __slots__ = ("comm", "number", "kind", "root", "members", "size", "entered", "done", "sleepers",
                 "ranks", "last_of_all")

    def __init__(self, comm, number, kind, root, members, size):
        self.comm, self.number, self.kind, self.root, self.members, self.size = comm, number, kind, root, members, size
        self.entered, self.done, self.sleepers = {}, {}, []
        self.ranks, self.last_of_all = set(members), None

    def last(self, ranks):
        """the call by which the last of them entered; of several at once that of the lowest rank"""
        if ranks is not self.members:
            return max((self.entered[rank] for rank in ranks), key=lambda call: (call.begin, -call.rank))
        if self.last_of_all is None:
            self.last_of_all = max(self.entered.values(), key=lambda call: (call.begin, -call.rank))
        return self.last_of_all


class Rank:
    def __init__(self, number, start):
        self.number, self.start, self.now = number, start, start
        self.spans, self.calls, self.stack, self.events = [], [], [], []
        self.segments = []  # (begin, end, path, whether in MPI): without gaps
        self.requests, self.n_left = {}, 0

    def enter(self, name):
        parent = self.spans[self.stack[-1]].path if self.stack else ()
        self.stack.append(len(self.spans))
        self.spans.append(Span(name, parent + (name,), self.now))
        self.events.append((self.now, "enter", name))

    def leave(self):
        span = self.spans[self.stack.pop()]
        span.end, span.leave = self.now, self.n_left
        self.n_left += 1
        self.events.append((self.now, "leave", span.name))

    def work(self, ns):
        if ns > 0:
            self.segments.append((self.now, self.now + ns, self.spans[self.stack[-1]].path, False))
            self.now += ns

    def enter_call(self, name):
        self.enter(name)
        self.calls.append(Call(self.number, len(self.calls), self.stack[-1], name, self.now, len(self.segments)))
        return self.calls[-1]

    def leave_call(self, call, end):
        self.segments.append((self.now, end, self.spans[call.span].path, True))
        self.now = call.end = end
        self.leave()


class Run:
    def __init__(self, programs, comms, network, starts=None):
        self.programs, self.comms, self.network = programs, comms, network
        self.ranks = [Rank(n, starts[n] if starts else 0) for n in range(len(programs))]
        self.messages, self.n_sent, self.n_posted = {}, {}, {}
        self.collectives, self.n_entered = {}, {}
        self.runnable = deque()
        self._go()
        self.end = max(rank.now for rank in self.ranks)

    def _go(self):
        pending = [self._run(rank) for rank in self.ranks]
        self.runnable.extend(range(len(pending)))
        left = len(pending)
        while self.runnable:
            n = self.runnable.popleft()
            needed = next(pending[n], None)
            if needed is None:
                left -= 1
            else:
                needed.sleepers.append(n)
        if left:
            raise RuntimeError(f"{left} ranks are in a deadlock")

    def _wake(self, what):
        self.runnable.extend(what.sleepers)
        what.sleepers = []

    def _run(self, rank):
        rank.enter(".TAU application")
        for operation in self.programs[rank.number]:
            kind = operation[0]
            if kind == "compute":
                rank.enter(operation[1])
                rank.work(operation[2])
                rank.leave()
            elif kind == "work":
                rank.work(operation[1])
            elif kind == "enter":
                rank.enter(operation[1])
            elif kind == "leave":
                rank.leave()
            elif kind in COLLECTIVES:
                yield from self._collective(rank, *operation)
            else:
                yield from getattr(self, "_" + kind)(rank, *operation[1:])
        rank.leave()

    # -- messages -----------------------------------------------------------------------------------
    # The n-th send matches the n-th receive posted of the same source, destination and tag.

    def _message(self, src, dst, tag, number):
        key = src, dst, tag, number
        if key not in self.messages:
            self.messages[key] = Message(*key, self.network.latency(src, dst, mix(tag, number)))
        return self.messages[key]

    def _start_send(self, rank, call, dst, tag, size, is_sync):
        key = rank.number, dst, tag
        number = self.n_sent[key] = self.n_sent.get(key, -1) + 1
        message = self._message(*key, number)
        message.size, message.is_sync, message.send = size, is_sync or size > self.network.eager_limit, call
        rank.events.append((rank.now, "send", message))
        self._wake(message)
        return message

    def _post(self, rank, call, src, tag):
        key = src, rank.number, tag
        number = self.n_posted[key] = self.n_posted.get(key, -1) + 1
        message = self._message(*key, number)
        message.post = call
        self._wake(message)
        return message

    def _matched(self, message):
        """when a rendezvous has found both sides"""
        return max(message.send.begin + self.network.overhead + message.latency, message.post.begin + self.network.overhead)

    def _arrival(self, message):
        transfer = self.network.transfer(message.size)
        if message.is_sync:
            return self._matched(message) + 2 * message.latency + transfer
        return message.send.begin + self.network.overhead + message.latency + transfer

    def _sent(self, message):
        return self._matched(message) + message.latency + self.network.transfer(message.size)

    def _receive(self, rank, call, message):
        message.done = call
        call.received.append(message)
        call.peers[message.src] = message.send
        message.send.peers[message.dst] = call

    def _send(self, rank, dst, tag, size, is_sync=False):
        call = rank.enter_call("MPI_Ssend()" if is_sync else "MPI_Send()")
        message = self._start_send(rank, call, dst, tag, size, is_sync)
        end = call.begin + self.network.overhead
        if message.is_sync:
            while message.post is None:
                yield message
            call.sent.append(message)
            end = self._sent(message)
        rank.leave_call(call, end)

    def _ssend(self, rank, dst, tag, size):
        yield from self._send(rank, dst, tag, size, True)

    def _recv(self, rank, src, tag):
        call = rank.enter_call("MPI_Recv()")
        message = self._post(rank, call, src, tag)
        while message.send is None:
            yield message
        self._receive(rank, call, message)
        end = max(self._arrival(message), call.begin) + self.network.overhead
        rank.events.append((end, "receive", message))
        rank.leave_call(call, end)

    def _probe(self, rank, src, tag):
        call = rank.enter_call("MPI_Probe()")
        number = self.n_posted.get((src, rank.number, tag), -1) + 1
        message = call.probed = self._message(src, rank.number, tag, number)
        while message.send is None:
            yield message
        envelope = message.send.begin + self.network.overhead + message.latency
        rank.leave_call(call, max(envelope, call.begin) + self.network.overhead)

    def _isend(self, rank, request, dst, tag, size):
        call = rank.enter_call("MPI_Isend()")
        rank.requests[request] = "send", self._start_send(rank, call, dst, tag, size, False)
        rank.leave_call(call, call.begin + self.network.overhead)
        yield from ()

    def _irecv(self, rank, request, src, tag):
        call = rank.enter_call("MPI_Irecv()")
        rank.requests[request] = "receive", self._post(rank, call, src, tag)
        rank.leave_call(call, call.begin + self.network.overhead)
        yield from ()

    def _wait(self, rank, request):
        yield from self._complete(rank, "MPI_Wait()", [request])

    def _waitall(self, rank, requests):
        yield from self._complete(rank, "MPI_Waitall()", requests)

    def _complete(self, rank, name, requests):
        call = rank.enter_call(name)
        call.n_requests = len(requests)
        end = call.begin
        for kind, what in [rank.requests.pop(request) for request in requests]:
            if kind == "receive":
                while what.send is None:
                    yield what
                self._receive(rank, call, what)
                end = max(end, self._arrival(what))
            elif kind == "collective":
                while any(each not in what.entered for each in self._needs(what, rank.number)):
                    yield what
                end = max(end, self._collective_end(rank, call, what))
            elif what.is_sync:
                while what.post is None:
                    yield what
                call.sent.append(what)
                end = max(end, self._sent(what))
        end += self.network.overhead
        rank.events.extend((end, "receive", message) for message in call.received)
        rank.leave_call(call, end)

    # -- collectives --------------------------------------------------------------------------------

    def _enter_collective(self, rank, call, kind, comm, size, root):
        key = rank.number, comm
        number = self.n_entered[key] = self.n_entered.get(key, -1) + 1
        if (comm, number) not in self.collectives:
            self.collectives[comm, number] = Collective(comm, number, kind, root, self.comms[comm], size)
        collective = self.collectives[comm, number]
        if (collective.kind, collective.root) != (kind, root) or rank.number not in collective.ranks:
            raise RuntimeError(f"rank {rank.number} calls {kind} where others call {collective.kind}")
        collective.entered[rank.number] = call
        if kind != "barrier":
            rank.events.append((rank.now, "collective", collective))
        if rank.number == root or len(collective.entered) == len(collective.members):
            self._wake(collective)
        return collective

    def _needs(self, collective, rank):
        """the ranks without which this one cannot leave"""
        if collective.kind in FROM_ROOT:
            return [collective.root]
        if collective.kind in TO_ROOT and rank != collective.root:
            return [rank]
        return collective.members

    def _collective_end(self, rank, call, collective):
        call.collective = collective
        collective.done[rank.number] = call
        needs = self._needs(collective, rank.number)
        last = collective.last(needs).begin
        if needs == [rank.number]:
            return last
        noise = mix(self.network.seed, collective.comm, collective.number, rank.number) % 1000
        return last + self.network.collective(len(collective.members), collective.size) + noise

    def _collective(self, rank, kind, *arguments):
        if kind in BEGUN:
            request, comm, size, root = (*arguments, None)[:4]
            call = rank.enter_call(f"MPI_{kind.capitalize()}()")
            rank.requests[request] = "collective", self._enter_collective(rank, call, kind, comm, size, root)
            rank.leave_call(call, call.begin + self.network.overhead)
            return
        comm, size, root = (*arguments, None)[:3]
        call = rank.enter_call(f"MPI_{kind.capitalize()}()")
        collective = self._enter_collective(rank, call, kind, comm, size, root)
        needs = self._needs(collective, rank.number)
        while len(collective.entered) < len(collective.members) and \
                (needs is collective.members or needs[0] not in collective.entered):
            yield collective
        rank.leave_call(call, max(self._collective_end(rank, call, collective), call.begin) + self.network.overhead)
