# SPDX-License-Identifier: Apache-2.0
"""Everything that the language computes with, in the seed's dialect."""
import neutrino.language as nl

count: nl.u32 = 0
total: nl.u64 = 0
last: nl.u64 = 0x1000
far: nl.u32 = 0

@nl.probe(pos="ld.global:ld.local", level="thread")
def loads():
    count += 1
    total += nl.bytes
    if nl.addr > last and nl.addr - last >= 4096 or not count < 100:
        far += 1
    elif nl.addr == last:
        far -= 2
    else:
        far ^= nl.u32(nl.in2) & 0xff
    last = nl.addr

@nl.probe(pos="kernel", after=True, level="thread", size=32)
def loads_done():
    total = (total * 3 - count) // 7 % (count | 1)
    last = ~last >> 4 << (far % 80) | total ^ (-last & 0xffff0000ffff)
    far = nl.u32(last) if far >= 1_000 else far / 10
    nl.save((total, last), dtype=nl.u64)
    if far != 0:
        nl.save(nl.clock(), dtype=nl.u64)
    else:
        nl.save((count, 0), dtype=nl.u32)
    nl.save((far, total + 1), dtype=nl.u32)
