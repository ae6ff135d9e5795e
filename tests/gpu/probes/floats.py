# SPDX-License-Identifier: Apache-2.0
# What is loaded, as the f32 that it is and as the upper half of an f64: bits, integers, comparisons.
from neutrino import probe, Map
import neutrino.language as nl


@Map(level="thread", type="array", size=48, cap=2)
class Floats:
    whole: nl.u64
    sign: nl.u64
    wide: nl.u64
    wide_whole: nl.u64
    value: nl.u32
    cut: nl.u32
    wide_cut: nl.u32
    how: nl.u32


how: nl.u32 = 0
wide: nl.u64 = 0


@probe(pos="ld.global.f32:ld.global.nc.f32:global_load_dword", level="thread")
def load():
    wide = nl.u64(nl.u32(nl.out)) << 32 | 5
    how = 0
    if nl.f32(nl.out) < 0.1:
        how |= 1
    if nl.f32(nl.out) >= -3:
        how |= 2
    if nl.f32(nl.out) != nl.f32(nl.out):
        how |= 4
    if nl.f32(nl.out):
        how |= 8
    if nl.f64(wide) <= 4.5 or 1e300 < nl.f64(wide):
        how |= 16
    if (nl.f32(nl.out) if how & 1 != 0 else nl.f32(7.5)) == 7.5:
        how |= 32
    Floats.save(nl.u64(nl.f32(nl.out)), nl.s32(nl.f32(nl.out)), nl.f64(wide), nl.u64(nl.f64(wide)),
                nl.f32(nl.out), nl.u32(nl.f32(nl.out)), nl.u32(nl.f64(wide)), how)
