# SPDX-License-Identifier: Apache-2.0
# Bytes that each thread loaded and stored, with the dialect of today's loader.
from neutrino import probe, Map
import neutrino.language as nl

CALLBACK = "loads.py"

@Map(level="thread", type="array", size=16, cap="dynamic")
class Far:
    lane: nl.u32  # the u64 field is moved to the front
    at: nl.u64
    unit: nl.u32

@Map(level="thread", type="array", size=8, cap=1)
class Bytes:
    loaded: nl.u32
    stored: nl.u32

loaded: nl.u64 = 0
stored: nl.u64 = 0
seen: nl.u32 = 0
since: nl.u64 = 0

@probe(level="warp", pos="kernel", before=True)
def begin():
    since = nl.clock()

@probe(level="thread", pos="ld.global")
def load():
    loaded += nl.bytes
    seen += 1
    if (nl.addr & 127) + nl.bytes > 128:
        Far.save(seen << 5 | 7, nl.addr, nl.cuid())

@probe(level="thread", pos="st.global", before=True)
def store():
    stored += nl.bytes << seen % 3

@probe(level="thread", pos="kernel")
def save():
    Bytes.save(loaded, stored if seen > 0 else 0)
