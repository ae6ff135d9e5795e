# SPDX-License-Identifier: Apache-2.0
"""Traces as LTTng and PInsight write them, a folder a host, or a rank where there are no hosts. What is no call of MPI is a
function of Python. PInsight names no communicators and wraps neither MPI_Ssend nor MPI_Probe nor what returns at once of
collectives: programs are simulated without."""
import importlib.util
import os

from mpi_simulator import clocks

SOURCE = os.path.join(os.path.dirname(__file__), "..", "..", "..", "data", "generators", "ctf.py")
spec = importlib.util.spec_from_file_location("ctf_generator", SOURCE)
generator = importlib.util.module_from_spec(spec)
spec.loader.exec_module(generator)

ADDRESSES = {"buf": "hex", "sendbuf": "hex", "recvbuf": "hex", "buffer": "hex"}
REDUCED, GATHERED = ["sendbuf", "recvbuf", "count"], ["sendbuf", "sendcount", "recvbuf", "recvcount"]
ARGUMENTS = {
    "MPI_Send": ["buf", "count", "dest", "tag"], "MPI_Isend": ["buf", "count", "dest", "tag"],
    "MPI_Recv": ["buf", "count", "source", "tag"], "MPI_Irecv": ["buf", "count", "source", "tag"],
    "MPI_Wait": [], "MPI_Waitall": ["count"], "MPI_Barrier": [], "MPI_Allreduce": REDUCED + ["mpi_op"],
    "MPI_Alltoall": GATHERED, "MPI_Bcast": ["buffer", "count", "root"], "MPI_Reduce": REDUCED + ["root", "mpi_op"],
    "MPI_Scatter": GATHERED + ["root"], "MPI_Gather": GATHERED + ["root"]}
EVENTS = sum((generator.pair(generator.PMPI, name, generator.MPI, [(each, ADDRESSES.get(each, "u32")) for each in arguments],
                             generator.RETURN) for name, arguments in ARGUMENTS.items()), []) + \
    generator.pair(generator.PYTHON, "function", [("qualname", "string"), ("filename", "string"), ("lineno", "u32"),
                                                  ("code_id", "hex"), ("python_thread_id", "u64")])
FIRST_NS = 1_000_000_000  # of the shown clock, so that wrong ones are not before its 0


class Rank:
    """Events of a rank: (time, name, values)."""

    def __init__(self, run, rank, clock, host):
        self.rank, self.clock, self.host, self.events = rank, clock, host, []
        self.calls = {call.span: call for call in rank.calls}
        self.told = {id(message.send): message for message in run.messages.values() if message.src == rank.number}
        self.told |= {id(message.post): message for message in run.messages.values() if message.dst == rank.number}
        self.told |= {id(each.entered[rank.number]): each for each in run.collectives.values() if rank.number in each.entered}

    def arguments(self, name, call):
        told = self.told.get(id(call))
        of_message = {} if told is None or hasattr(told, "members") else {"dest": told.dst, "source": told.src, "tag": told.tag}
        root = getattr(told, "root", None)
        values = {"root": 0 if root is None else told.members.index(root), "count": call.n_requests or 1, **of_message}
        return {each: values.get(each, 1) for each in ARGUMENTS[name]}

    def fill(self):
        number = 0
        who = {"hostname": self.host, "pid": 4000 + self.rank.number, "mpirank": self.rank.number, "global_thread_num": 0,
               "omp_team_num": 0, "omp_thread_num": 0, "mpi_codeptr": 0x400D23}
        python = {"filename": "app.py", "lineno": 1, "python_thread_id": 1}
        for true_ns, kind, what in self.rank.events:
            at = self.clock.reads(true_ns) - clocks.EPOCH_NS + FIRST_NS
            if kind not in ("enter", "leave"):
                continue
            name = what.removesuffix("()")
            if not name.startswith("MPI_"):
                self.events.append((at, f"{generator.PYTHON}:function_{'begin' if kind == 'enter' else 'end'}",
                                    {**python, "qualname": name, "code_id": sum(name.encode())}))
            elif kind == "enter":
                self.events.append((at, f"{generator.PMPI}:{name}_begin", {**who, **self.arguments(name, self.calls[number])}))
            else:
                self.events.append((at, f"{generator.PMPI}:{name}_end", {**who, "return_value": 0}))
            if kind == "enter":
                number += 1


def write(run, own_clocks, _resolution_ns, folder, _names, hosts):
    ranks = {}
    for rank, clock in zip(run.ranks, own_clocks):
        host = hosts[rank.number] if hosts else f"cn{rank.number:04}"
        ranks.setdefault(host, []).append(Rank(run, rank, clock, host))
    for host, members in ranks.items():
        trace = generator.Trace(os.path.join(folder, host, "ust", "uid", "1000", "64-bit"), EVENTS, generator.CONTEXT,
                                generator.environment(host), n_cpus=1)
        rows = []
        for member in members:
            member.fill()
            rows += [(at, member.rank.number, i, name, values) for i, (at, name, values) in enumerate(member.events)]
        for at, number, _, name, values in sorted(rows, key=lambda row: row[:3]):
            trace.event(at, 0, name, ("app", 4000 + number, 4000 + number), **values)
        trace.write()
