# SPDX-License-Identifier: Apache-2.0
# What is read at guarded instructions, in shared memory, and of an address that is overwritten.
from neutrino import probe, Map
import neutrino.language as nl


@Map(level="thread", type="array", size=40, cap=1)
class Seen:
    wide: nl.u64
    narrow: nl.u64
    far: nl.u64
    shared: nl.u32
    bytes: nl.u32
    truth: nl.u32
    n: nl.u32


@Map(level="warp", type="array", size=8, cap=1)
class Leaders:
    n: nl.u32
    odd: nl.u32


wide: nl.u64 = 1
narrow: nl.u64 = 2
far: nl.u64 = 0
shared: nl.u32 = 3
bytes_: nl.u32 = 0
truth: nl.u32 = 5
n: nl.u32 = 0
seen: nl.u32 = 0
odd: nl.u32 = 0


@probe(pos="ld.global.u64", level="thread")
def wide_load():
    wide = nl.addr


@probe(pos="ld.global.f32", level="thread")
def narrow_load():
    narrow = nl.out
    far = nl.addr


@probe(pos="ld.global.v4.f32:ld.global.f32", level="thread", before=True)
def any_load():
    bytes_ += nl.bytes
    n += 1


@probe(pos="ld.shared", level="thread")
def shared_load():
    shared = nl.u32(nl.addr)


@probe(pos="setp.ne", level="thread")
def compare():
    truth = nl.u32(nl.out)


@probe(pos="ld.global.f32", level="warp")
def leader_odd():
    odd += 1


@probe(pos="ld.global.v4.f32", level="warp")
def leader_even():
    seen += 1


@probe(pos="kernel", level="thread")
def leave():
    Seen.save(wide, narrow, far, shared, bytes_, truth, n)


@probe(pos="kernel", level="warp")
def leave_warp():
    Leaders.save(seen, odd)
