# SPDX-License-Identifier: Apache-2.0
# Eight mistakes; what follows each is still read.
import neutrino.language as nl

begin: nl.u64 = 0
count: nl.u32 = 4294967296
ratio: nl.f32 = 1

@nl.probe(pos="kernel", level="warp")
def enter():
    begin = nl.time(
        1)
    for lane in count:
        begin = begin + lane
    if begin > 1 > 2:
        count = 1
    elif end == 0:
        count = 1.5

@nl.probe(pos="kernel", level="grid")
def leave():
    count = begin
