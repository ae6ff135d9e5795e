# SPDX-License-Identifier: Apache-2.0
# Where each thread is, and with whom it loads.
from neutrino import probe, Map
import neutrino.language as nl


@Map(level="thread", type="array", size=16, cap=1)
class Place:
    lane: nl.u32
    warp: nl.u32
    block: nl.u32
    mask: nl.u32


mask: nl.u32 = 0


@probe(pos="ld.global", level="thread")
def load():
    mask = nl.activemask()


@probe(pos="kernel", level="thread")
def leave():
    Place.save(nl.lane(), nl.warp(), nl.block(), mask)
