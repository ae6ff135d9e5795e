# SPDX-License-Identifier: Apache-2.0
"""An MPI run that never was, as its ranks' wrong clocks recorded it, and the truth about it.

usage: mpi_simulator.py SCENARIO [--ranks N] [--operations N] [--seed S] [--skew MODE] [--drift PPM]
                        [--format tau|kineto|otf2|ctf] [--resolution us|ns] [--starts NS] [--hosts N] -o FOLDER
       mpi_simulator.py --self-test [SEEDS]

Writes the traces and FOLDER/truth.json: the error of each clock; communicators and the calls of each collective; each
wait and who ended it; what delays cost; the critical path. The parts of the package in the folder of this name say what
is meant by these. Times are true nanoseconds since the start of the run, for which a right clock reads epoch_ns. A span
is the number of its enter record on its rank, from 0, and leave that of its leave record. Times of TAU in ns are for
readers who take them for us, and see a run 1,000 times as long.
"""
import argparse
import json
import os
import sys

sys.dont_write_bytecode = True
from mpi_simulator import causes, checks, clocks, engine, kineto, programs, tau, waits  # noqa: E402  pylint: disable=C0413

FORMATS = ["tau", "kineto", "otf2", "ctf"]


def writer(name):
    if name == "otf2":
        from mpi_simulator import archive  # pylint: disable=C0415
        return archive
    if name == "ctf":
        from mpi_simulator import ctf  # pylint: disable=C0415
        return ctf
    return tau if name == "tau" else kineto


def simulate(scenario, n_ranks, n_operations, seed, starts_ns=0, only_nxn=False, only_plain=False):
    builder = programs.build(scenario, n_ranks, n_operations, seed, only_nxn)
    if only_plain:
        builder.programs = [list(programs.plain(program)) for program in builder.programs]
    starts = [engine.mix(seed, rank) % starts_ns if starts_ns else 0 for rank in range(n_ranks)]
    return builder, engine.Run(builder.programs, builder.comms, engine.Network(seed), starts)


def collectives_truth(run):
    for _, collective in sorted(run.collectives.items()):
        yield {"comm": collective.comm, "kind": collective.kind, "root": collective.root,
               "spans": [collective.entered[rank].span for rank in collective.members],
               "done": [collective.done[rank].span for rank in collective.members]}


def truth_of(run, builder):
    found = waits.find_waits(run)
    costs, unexplained = causes.delay_costs(run, found)
    steps = causes.critical_path(run)
    profile = causes.path_profile(run, steps)
    return {
        "run_ns": run.end,
        "starts_ns": [rank.start for rank in run.ranks],
        "communicators": [{"comm": n, "name": name, "members": members}
                          for n, (name, members) in enumerate(zip(builder.names, builder.comms))],
        "n_messages": len(run.messages),
        "waiting_ns": sum(wait.ns for wait in found),
        "waits": [wait.truth(run) for wait in found],
        "overlaps": waits.find_overlaps(run),
        "delays": [{"rank": rank, "path": list(path), "direct_ns": direct, "propagated_ns": propagated}
                   for (rank, path), (direct, propagated) in sorted(costs.items())],
        "unexplained": [{"rank": rank, "direct_ns": direct, "propagated_ns": propagated}
                        for rank, (direct, propagated) in sorted(unexplained.items())],
        "critical_path": [{"rank": rank, "path": list(path), "name": path[-1], "ns": ns}
                          for (rank, path), ns in sorted(profile.items())],
        "path_steps": [{"rank": rank, "begin": begin, "end": end} for rank, begin, end, _ in reversed(steps)],
        "collectives": list(collectives_truth(run)),
    }


def write_truth(path, head, truth):
    """a line for each row, for they are many"""
    with open(path, "w", encoding="ascii") as f:
        f.write("{\n")
        for key, value in {**head, **truth}.items():
            if isinstance(value, list):
                rows = ",\n".join("  " + json.dumps(row) for row in value)
                f.write(f'"{key}": [\n{rows}\n],\n')
            else:
                f.write(f'"{key}": {json.dumps(value)},\n')
        f.write('"format_version": 1\n}\n')


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("scenario", nargs="?", choices=list(programs.SCENARIOS))
    parser.add_argument("--ranks", type=int, default=8)
    parser.add_argument("--operations", type=int, default=200, help="of a rank, about")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--skew", choices=list(clocks.OFFSET_NS), default="none")
    parser.add_argument("--drift", type=int, default=0, metavar="PPM")
    parser.add_argument("--format", choices=FORMATS, default="tau")
    parser.add_argument("--resolution", choices=["us", "ns"], help="of the times of TAU, us unless told")
    parser.add_argument("--starts", type=int, default=0, metavar="NS", help="ranks start up to that late")
    parser.add_argument("--hosts", type=int, default=0, metavar="N",
                        help="ranks are dealt out to so many, which have a clock each; TAU, OTF2 and CTF tell their names")
    parser.add_argument("--self-test", type=int, nargs="?", const=50, metavar="SEEDS")
    parser.add_argument("-o", metavar="FOLDER", dest="folder")
    options = parser.parse_args()
    if options.self_test is None and (options.scenario is None or options.folder is None):
        parser.error("a scenario and a folder are needed")
    if not 2 <= options.ranks <= 65535:
        parser.error("ranks are 2 to 65535")
    if options.format == "kineto" and options.self_test is None and options.scenario not in programs.KINETO_SCENARIOS:
        parser.error("for Kineto the scenario is one of " + ", ".join(programs.KINETO_SCENARIOS))
    return options


def main():
    options = parse()
    if options.self_test is not None:
        sys.exit(checks.self_test(simulate, truth_of, options.self_test))
    only_nxn = options.format == "kineto"
    builder, run = simulate(options.scenario, options.ranks, options.operations, options.seed, options.starts, only_nxn,
                            options.format == "ctf")
    resolution_ns = 1000 if (options.resolution or ("us" if options.format == "tau" else "ns")) == "us" else 1
    epoch_ns = clocks.TICKS_NS if options.format == "tau" and resolution_ns == 1 else clocks.EPOCH_NS
    own_clocks = clocks.make_clocks(options.ranks, options.seed, options.skew, options.drift, run.end, epoch_ns)
    names = [f"cn{rank % options.hosts:04}" for rank in range(options.ranks)] if options.hosts else None
    if options.hosts:
        own_clocks = [own_clocks[rank % options.hosts] for rank in range(options.ranks)]
    os.makedirs(options.folder, exist_ok=True)
    writer(options.format).write(run, own_clocks, resolution_ns, options.folder, builder.names, names)
    head = {"scenario": options.scenario, "ranks": options.ranks, "seed": options.seed, "skew": options.skew,
            "drift_ppm": options.drift, "format": options.format, "resolution_ns": resolution_ns,
            "epoch_ns": epoch_ns, "overhead_ns": engine.Network.overhead, "eager_limit": engine.Network.eager_limit,
            "clocks": [clock.truth(rank) for rank, clock in enumerate(own_clocks)]}
    truth = truth_of(run, builder)
    if options.format == "kineto":
        truth = kineto.rename(run, truth)
    write_truth(os.path.join(options.folder, "truth.json"), head, truth)


if __name__ == "__main__":
    main()
