# SPDX-License-Identifier: Apache-2.0
# The seed's dialect: when each warp began and how long it took; records of 12 bytes.
import neutrino.language as nl

begin: nl.u64 = 0
took: nl.u64 = 0
count: nl.u32 = 7


@nl.probe(pos="kernel", level="warp")
def enter():
    begin = nl.clock()


@nl.probe(pos="bar.sync:barrier.sync", level="warp")
def barrier():
    count += 1


@nl.probe(pos="kernel", after=True, level="warp", size=12)
def leave():
    took = nl.clock() - begin
    nl.save(took, dtype=nl.u64)
    nl.save(count, dtype=nl.u32)
