# SPDX-License-Identifier: Apache-2.0
# How many bytes each thread loads and stores, and where last.
from neutrino import probe, Map
import neutrino.language as nl


@Map(level="thread", type="array", size=24, cap=1)
class Traffic:
    last: nl.u64
    loaded: nl.u64
    stored: nl.u64


last: nl.u64 = 0
loaded: nl.u64 = 0
stored: nl.u64 = 0


@probe(pos="ld.global", level="thread", before=True)
def load():
    loaded += nl.bytes
    last = nl.addr


@probe(pos="st.global", level="thread")
def store():
    stored += nl.bytes
    last = nl.addr


@probe(pos="kernel", level="thread")
def leave():
    Traffic.save(last, loaded, stored)
