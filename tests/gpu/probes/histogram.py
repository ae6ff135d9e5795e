# SPDX-License-Identifier: Apache-2.0
# Counts in an array, conditions of a whole warp, signs.
from neutrino import probe, Map
import neutrino.language as nl


@Map(level="thread", type="array", size=32, cap=1)
class Counts:
    total: nl.u64
    first: nl.u32
    second: nl.u32
    third: nl.u32
    fourth: nl.u32
    own: nl.u32
    seen: nl.u32


counts: nl.u32[4] = 0
total: nl.u64 = 1
seen: nl.u32 = 0


@probe(pos="ld.global", level="thread")
def load():
    seen = nl.ballot((nl.addr >> 2) % 3 == 0)
    counts[nl.addr >> 2 & 3] += nl.popc(seen) + 1
    if seen != 0:
        counts[3] = nl.popc(total)
    total += nl.s32(nl.out)


@probe(pos="kernel", level="thread")
def leave():
    Counts.save(total, counts[0], counts[1], counts[2], counts[3], counts[nl.lane()], seen)
