# SPDX-License-Identifier: Apache-2.0
"""A TAU trace of two ranks of two threads of OpenMP each, made by hand, and the efficiencies that follow from it.

usage: hybrid_efficiency.py FOLDER     writes the trace, prints NAME PERCENT, a line each

From the multiplicative hybrid metrics of POP (BSC): load balance is mean / largest, communication largest / runtime, of
the useful time of all threads, and for MPI of the time of each rank outside MPI; OpenMP is the quotient.
"""
import os
import struct
import sys

MS = 1000  # us
# (rank, thread) -> (name, group, ms) one after the other. Rank 0 computes for 60 + 20 ms, rank 1 for 30 + 50; each comes to an
# all-reduce after both, which lasts until the last has come. The second threads wait at the barriers of their teams.
THREADS = {
    (0, 0): [("solve", "TAU_USER", 60), ("OpenMP_Barrier", "OpenMP", 10), ("MPI_Allreduce()", "MPI", 2), ("solve", "TAU_USER", 20),
             ("MPI_Allreduce()", "MPI", 32)],
    (0, 1): [("solve", "TAU_USER", 40), ("OpenMP_Barrier", "OpenMP", 30), ("solve", "TAU_USER", 10), ("OpenMP_Barrier", "OpenMP", 44)],
    (1, 0): [("solve", "TAU_USER", 30), ("MPI_Allreduce()", "MPI", 42), ("solve", "TAU_USER", 50), ("MPI_Allreduce()", "MPI", 2)],
    (1, 1): [("solve", "TAU_USER", 25), ("OpenMP_Barrier", "OpenMP", 47), ("solve", "TAU_USER", 48), ("OpenMP_Barrier", "OpenMP", 4)],
}


def write(folder):
    os.makedirs(folder, exist_ok=True)
    for rank in (0, 1):
        names = sorted({(name, group) for (of, _), spans in THREADS.items() if of == rank for name, group, _ in spans})
        number = {name: i + 1 for i, (name, _) in enumerate(names)}
        with open(f"{folder}/events.{rank}.edf", "w", encoding="ascii") as f:
            f.write(f"{len(names)} dynamic_trace_events\n# FunctionId Group Tag \"Name Type\" Parameters\n")
            f.writelines(f'{number[name]} {group} 0 "{name} " EntryExit\n' for name, group in names)
        for thread in (0, 1):
            at = 1_000_000
            with open(f"{folder}/tautrace.{rank}.0.{thread}.trc", "wb") as f:
                for name, _, ms in THREADS[rank, thread]:
                    f.write(struct.pack("<iHHqQ", number[name], rank, thread, 1, at))
                    at += ms * MS
                    f.write(struct.pack("<iHHqQ", number[name], rank, thread, -1, at))


def factors(times, runtime):
    mean = sum(times) / len(times)
    return {"parallel": mean / runtime, "load balance": mean / max(times), "communication": max(times) / runtime}


def main():
    write(sys.argv[1])
    runtime = max(sum(ms for _, _, ms in spans) for spans in THREADS.values())
    useful = [sum(ms for name, _, ms in spans if name == "solve") for spans in THREADS.values()]
    outside = [[ms for name, _, ms in THREADS[rank, 0] if not name.startswith("MPI_")] for rank in (0, 1)]
    whole, mpi = factors(useful, runtime), factors([sum(times) for times in outside], runtime)
    # Up to the first all-reduce as long as the slower of 70 and 30 ms, then of 20 and 50.
    ideal = max(70, 30) + max(20, 50)
    values = {**whole, **{"OpenMP " + key: whole[key] / mpi[key] for key in whole},
              **{"MPI " + key: mpi[key] for key in mpi},
              "serialisation": max(map(sum, outside)) / ideal, "transfer": ideal / runtime}
    for name, value in values.items():
        print(f"{100 * value:.9f},{name}")


main()
