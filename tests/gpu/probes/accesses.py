# SPDX-License-Identifier: Apache-2.0
# Every load: where from and what, as many as there are; of stores the first two at addresses that divide by 8.
from neutrino import probe, Map
import neutrino.language as nl


@Map(level="thread", type="array", size=16, cap="dynamic")
class Loads:
    at: nl.u64
    value: nl.u32
    n: nl.u32


@Map(level="thread", type="array", size=16, cap=2)
class Stores:
    at: nl.u64
    value: nl.u64


n: nl.u32 = 0


@probe(pos="ld.global.f32:ld.global.u32:ld.global.nc.f32:ld.global.nc.u32", level="thread")
def load():
    n += 1
    Loads.save(nl.addr, nl.out, n)


@probe(pos="st.global.f32:st.global.u32", level="thread", before=True)
def store():
    if nl.addr % 8 == 0:
        Stores.save(nl.addr, nl.in1)
