# SPDX-License-Identifier: Apache-2.0
"""The clock of a rank: true time, plus an offset, a drift, and jumps."""
import random

EPOCH_NS = 1_700_000_000_000_000_000
TICKS_NS = 1_000_000_000  # instead of it where a tick is a nanosecond and a reader takes it for more
OFFSET_NS = {"none": 0, "1us": 1_000, "20us": 20_000, "100us": 100_000, "10ms": 10_000_000,
             "jump": 20_000, "jump-back": 20_000}


class Clock:
    def __init__(self, offset_ns=0, drift_ppb=0, jumps=(), epoch_ns=EPOCH_NS):
        self.epoch_ns = epoch_ns  # what a right clock reads when the run starts
        self.offset_ns, self.drift_ppb, self.jumps = offset_ns, drift_ppb, list(jumps)  # jumps: (true time, ns)

    def error(self, true_ns):
        """how much it is ahead of true time"""
        return self.offset_ns + true_ns * self.drift_ppb // 1_000_000_000 + sum(ns for at, ns in self.jumps if at <= true_ns)

    def reads(self, true_ns):
        return self.epoch_ns + true_ns + self.error(true_ns)

    def truth(self, rank):
        return {"rank": rank, "offset_ns": self.offset_ns, "drift_ppb": self.drift_ppb,
                "jumps": [{"at_ns": at, "ns": ns} for at, ns in self.jumps]}


def make_clocks(n_ranks, seed, skew, drift_ppm, run_ns, epoch_ns=EPOCH_NS):
    """Each rank has its own errors, rank 0 as well. Jumps are of half of the ranks, once, in the middle half of the run."""
    r = random.Random(f"clocks {seed} {skew} {drift_ppm}")
    clocks = []
    for _ in range(n_ranks):
        limit = OFFSET_NS[skew]
        clock = Clock(r.randint(-limit, limit), r.randint(-drift_ppm * 1000, drift_ppm * 1000),
                      epoch_ns=epoch_ns)
        if skew.startswith("jump") and r.random() < 0.5:
            jump = r.randint(50_000, 500_000)
            clock.jumps.append((r.randint(run_ns // 4, 3 * run_ns // 4), jump if skew == "jump" else -jump))
        clocks.append(clock)
    return clocks
