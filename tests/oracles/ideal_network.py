# SPDX-License-Identifier: Apache-2.0
"""POP's efficiencies of an MPI run that never was: the same programs run once more on a network that costs nothing.

usage: ideal_network.py SCENARIO RANKS OPERATIONS SEED

From POP's definitions: useful is what a rank does outside MPI; transfer is the runtime on the ideal network over the
runtime, serialisation the largest useful time over the runtime on the ideal network. Prints NAME PERCENT, a line each.
"""
import sys

sys.dont_write_bytecode = True
from mpi_simulator import engine, programs  # noqa: E402


class Ideal(engine.Network):
    """no latency, no transfer, no overhead"""
    overhead = collective_ns = 0
    bytes_per_ns = 1 << 62

    def latency(self, *_):
        return 0

    def collective(self, *_):
        return 0


def run_ideally(builder):
    kept, engine.mix = engine.mix, lambda *_: 0  # the noise of collectives
    try:
        return engine.Run(builder.programs, builder.comms, Ideal(0))
    finally:
        engine.mix = kept


def main():
    scenario, n_ranks, n_operations, seed = sys.argv[1], *map(int, sys.argv[2:])
    builder = programs.build(scenario, n_ranks, n_operations, seed)
    run = engine.Run(builder.programs, builder.comms, engine.Network(seed))
    ideal = run_ideally(builder)
    useful = [sum(end - begin for begin, end, _, is_mpi in rank.segments if not is_mpi) for rank in run.ranks]
    mean = sum(useful) / len(useful)
    for name, value in [("parallel", mean / run.end), ("load_balance", mean / max(useful)),
                        ("communication", max(useful) / run.end), ("serialisation", max(useful) / ideal.end),
                        ("transfer", ideal.end / run.end)]:
        print(name, 100 * value)


main()
