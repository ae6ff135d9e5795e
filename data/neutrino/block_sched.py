# SPDX-License-Identifier: Apache-2.0
# When each block began and how long it took, for the leader of every warp: the seed's dialect.
import neutrino.language as nl

begin: nl.u64 = 0
took: nl.u64 = 0

@nl.probe(pos="kernel", level="warp")
def enter():
    begin = nl.time()

@nl.probe(pos="kernel", after=True, level="warp", size=16)
def blocks():
    took = nl.time() - begin
    nl.save(begin, dtype=nl.u64)
    nl.save((took, nl.smid()), dtype=nl.u32)  # cut to 32 bits
