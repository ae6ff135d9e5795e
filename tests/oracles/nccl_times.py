#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""
How long NCCL itself expects a collective to take: the numbers and rules of its tuner, NCCL 2.30.7, told in our words.

  time      = latency + bytes / bandwidth, where bytes are what a rank gives or gets, whichever is more.
  latency   = what a call costs on the GPU (base) + steps * what a link costs (hardware), by the class of the link:
              NVLINK, PCI within a host, NET between hosts.
  bandwidth = that of the bus, as the protocol can use it, to what the algorithm makes of it: a ring of n sends all bytes
              2 (n - 1) / n times for an all-reduce and (n - 1) / n times for a half of it; a tree sends them twice.
  protocol  LL, LL128 or SIMPLE: that which takes least.

Where it is from, in NCCL 2.30.7: src/graph/tuning.cc
  148-212   the numbers                       281-382   bandwidths                       384-417   latencies
  514-541   where LL128 can be used           228-233   what the host adds per message   622-655   the time of a call
  src/enqueue.cc 2028-2049 the choice of the protocol; src/include/enqueue.h 39-41 the bytes of a call;
  src/graph/search.cc 1174, 1251, 1262 and 1268-1282 what a graph takes of the links: a ring takes the same within and
  between hosts; a tree of two hosts takes twice within a host of what it takes between, if the links there allow it.

Left out: NCCL rounds the bandwidth of a channel to steps of a table; NVLS, CollNet and PAT; calls put together in a group.
"""

PROTOCOLS = ("LL", "LL128", "SIMPLE")

# In us, for LL, LL128, SIMPLE.
BASE = {"TREE": (6.8, 14.0, 8.4), "RING": (6.6, 14.0, 8.4)}
HARDWARE = {
    "NVLINK": {"TREE": (0.6, 1.25, 4.0), "RING": (0.6, 1.9, 3.4)},
    "PCI": {"TREE": (1.0, 1.9, 4.0), "RING": (1.0, 2.5, 5.7)},
    "NET": {"TREE": (5.0, 8.5, 14.0), "RING": (2.7, 4.0, 14.0)},
}

# In GB/s, on one host, on two, on more. What a GPU or a CPU gets through, however fast the links.
LL_MOST_ONE_HOST = {"volta": 39.0, "ampere": 87.7, "hopper": 141.0}
LL_MOST_HOSTS = {"intel": (39.0, 20.4), "amd": (22.5, 19.0)}
RING_LL128_MOST = {"volta": (20.0, 20.0, 20.0), "ampere": (20.0, 20.0, 20.0), "hopper": (36.7, 36.7, 36.7)}
TREE_LL128_MOST = {"volta": (20.0, 20.0, 20.0), "ampere": (20.0, 20.0, 20.0), "hopper": (36.7, 36.7, 29.0)}
TREE_MOST = {"volta": (26.5, 18.5, 10.0), "ampere": (24.0, 23.6, 17.8), "hopper": (38.7, 41.4, 36.0)}

# What a message costs the host that sends it, in us.
HOST_US = {"intel": 1.0, "amd": 2.0}

# What a tree gets of its bandwidth, by powers of two from 64 bytes.
TREE_SHARE = {
    "LL": (1, 1, 1, 1, .9, .8, .7, .7, .7, .7, .6, .5, .4, .4, .5, .6, .7, .8, .9, 1, 1, 1, 1),
    "LL128": (1, 1, 1, 1, 1, .9, .8, .8, .8, .7, .6, .6, .6, .6, .6, .6, .8, .9, .9, .9, .9, 1, 1),
    "SIMPLE": (.9, .9, .9, .9, .9, .9, .9, .8, .7, .6, .6, .5, .5, .5, .5, .6, .7, .8, .7, .7, .8, .9, .9),
}


class Nccl:
    """A communicator of @n_ranks on @hosts, as many on each. @intra and @inter are what a GPU can send over all its
    @channels within a host and between hosts, in GB/s."""

    def __init__(self, n_ranks, hosts, intra, inter, channels, link="NVLINK", algorithm="RING", gpu="ampere", cpu="intel",
                 same_channels=True):
        assert n_ranks > 1 and n_ranks % hosts == 0 and link in ("NVLINK", "PCI") and algorithm in BASE
        self.n_ranks, self.hosts, self.intra, self.inter, self.channels = n_ranks, hosts, intra, inter, channels
        self.link, self.algorithm, self.gpu, self.cpu, self.same_channels = link, algorithm, gpu, cpu, same_channels
        self.per_host = n_ranks // hosts
        self.column = min(hosts, 3) - 1

    def algorithm_of(self, collective):
        return self.algorithm if collective == "ALLREDUCE" else "RING"

    def steps(self, collective):
        return {"ALLREDUCE": 2 * (self.n_ranks - 1), "BCAST": self.n_ranks}.get(collective, self.n_ranks - 1)

    def bus(self, algorithm, factor):
        """What the links give, in GB/s, if they are @factor as fast."""
        intra, inter = self.intra * factor, self.inter * factor
        if self.hosts == 1:
            return intra
        if algorithm == "TREE" and self.hosts == 2:
            inter *= 2
        return inter if self.per_host == 1 else min(intra, inter)

    def bandwidth(self, collective, protocol, factor=1):
        algorithm = self.algorithm_of(collective)
        bus = self.bus(algorithm, factor)
        ll_most = LL_MOST_ONE_HOST[self.gpu] if self.hosts == 1 else LL_MOST_HOSTS[self.cpu][self.column - 1]
        if algorithm == "RING":
            if protocol == "LL":
                bus = min(ll_most, bus / 2)
            elif protocol == "LL128":
                bus = min(bus * 0.92, self.channels * RING_LL128_MOST[self.gpu][self.column])
            return bus * self.n_ranks / self.steps(collective)
        bus = min(bus * 0.92, self.channels * TREE_MOST[self.gpu][self.column])
        if protocol == "LL":
            bus = min(bus / 3.8, ll_most)
        elif protocol == "LL128":
            bus = min(bus * (7 / 9 if self.hosts == 1 else 120 / 128), self.channels * TREE_LL128_MOST[self.gpu][self.column])
        return bus / 2

    def latency(self, collective, protocol, factor=1):
        algorithm, p = self.algorithm_of(collective), PROTOCOLS.index(protocol)
        steps, hosts = self.steps(collective), self.hosts
        hardware = {link: {a: us[p] * factor for a, us in of.items()} for link, of in HARDWARE.items()}
        intra = hardware[self.link][algorithm]
        inter = hardware["NET"]["TREE" if self.per_host == 1 else algorithm]
        base = BASE[algorithm][p]
        if collective == "BCAST":
            link = hardware[self.link if hosts == 1 else "NET"]
            if self.same_channels:
                return base + link["RING"]
            return base + steps * link["TREE" if protocol == "SIMPLE" else "RING"]
        if algorithm == "TREE":
            return base + 2 * ((self.per_host - 1) * intra + (hosts.bit_length() - 1) * inter)
        if hosts > 1:
            intra = max(intra, HOST_US[self.cpu] * (3 if protocol == "SIMPLE" else 1))
        between = (hosts - 1) * (2 if collective == "ALLREDUCE" else 1)
        return base + (steps - between) * intra + between * inter

    def protocols(self):
        """LL128 needs NVLINK within a host."""
        return [p for p in PROTOCOLS if p != "LL128" or self.link == "NVLINK" or self.per_host == 1]

    def time_with(self, protocol, collective, n_bytes, bandwidth=1, latency=1):
        """In us."""
        rate, us = self.bandwidth(collective, protocol, bandwidth), self.latency(collective, protocol, latency)
        algorithm = self.algorithm_of(collective)
        power = (n_bytes >> 6).bit_length() - 1
        if algorithm == "TREE" and 0 <= power < 23:
            rate *= TREE_SHARE[protocol][power]
        # The channels of a communicator are twice those that the links were searched for, 64 at most.
        per_channel = n_bytes // (min(64, 2 * self.channels) * self.n_ranks)
        if (algorithm, protocol, collective) == ("RING", "SIMPLE", "ALLREDUCE") and self.hosts > 1 and per_channel >= 64:
            us *= 1.9 if self.gpu == "volta" else 1.4
        return us + n_bytes / (1000 * rate)

    def time(self, collective, n_bytes, bandwidth=1, latency=1):
        """The time in ns, the algorithm and the protocol of ALLREDUCE, REDUCE_SCATTER, ALLGATHER or BCAST of @n_bytes: for
        the second and third what all ranks give or get together. Links are @bandwidth as fast and cost @latency as much."""
        protocol = min(self.protocols(), key=lambda p: self.time_with(p, collective, n_bytes, bandwidth, latency))
        return (1000 * self.time_with(protocol, collective, n_bytes, bandwidth, latency), self.algorithm_of(collective), protocol)


def check():
    """Values worked out by hand from tuning.cc."""
    mib = 1 << 20

    def near(got, expected):
        print("%14.4f us, by hand %14.4f us" % (got, expected))
        assert abs(got - expected) < 2e-4 * expected, (got, expected)

    print("8 ranks on one host, NVLINK 240 GB/s, 12 channels, ring, ampere")
    one = Nccl(8, 1, 240, 0, 12)
    # 14 steps. LL: 6.6 + 14 * 0.6 = 15; min(87.7, 120) * 8 / 14 = 50.114286 GB/s.
    near(one.time_with("LL", "ALLREDUCE", 64 * mib), 15 + 1339.1164)
    # LL128: 14 + 14 * 1.9 = 40.6; min(220.8, 12 * 20) * 8 / 14 = 126.171429.
    near(one.time_with("LL128", "ALLREDUCE", 64 * mib), 40.6 + 531.8863)
    # SIMPLE: 8.4 + 14 * 3.4 = 56; 240 * 8 / 14 = 137.142857.
    near(one.time_with("SIMPLE", "ALLREDUCE", 64 * mib), 56 + 489.3355)
    assert one.time("ALLREDUCE", 64 * mib)[1:] == ("RING", "SIMPLE") and one.time("ALLREDUCE", 4096)[1:] == ("RING", "LL")
    near(one.time("ALLREDUCE", 4096)[0] / 1000, 15 + 0.081733)
    # LL128 from (40.6 - 15) / (1 / 50.114 - 1 / 126.171) = 2.128 MB to (56 - 40.6) / (1 / 126.171 - 1 / 137.143) = 24.288 MB.
    assert [one.time("ALLREDUCE", n)[2] for n in (2120000, 2140000, 24200000, 24400000)] == ["LL", "LL128", "LL128", "SIMPLE"]
    # Half of the steps: 7. All-gather SIMPLE: 8.4 + 7 * 3.4 = 32.2; 240 * 8 / 7 = 274.285714.
    near(one.time_with("SIMPLE", "ALLGATHER", 64 * mib), 32.2 + 244.6677)
    # Links of four times: LL128 is held by the GPU, 12 * 20 * 8 / 14 = 137.142857; SIMPLE is not.
    near(one.time_with("LL128", "ALLREDUCE", 64 * mib, bandwidth=4), 40.6 + 489.3355)
    near(one.time_with("SIMPLE", "ALLREDUCE", 64 * mib, bandwidth=4), 56 + 122.3339)
    # Half of the latency of links: 8.4 + 14 * 1.7 = 32.2.
    near(one.time_with("SIMPLE", "ALLREDUCE", 64 * mib, latency=0.5), 32.2 + 489.3355)
    # A broadcast of the same channels: one step; 8.4 + 3.4; all of 240.
    near(one.time_with("SIMPLE", "BCAST", mib), 11.8 + 4.369067)

    print("4 ranks on 2 hosts, PCI 20 GB/s, NET 10 GB/s, 2 channels, tree, ampere, intel")
    tree = Nccl(4, 2, 20, 10, 2, link="PCI", algorithm="TREE")
    # 1 MiB is 64 * 2^14: shares .5 and .5. LL: 6.8 + 2 * (1.0 + 5.0); 20 * .92 / 3.8 / 2 * .5 = 1.210526.
    near(tree.time_with("LL", "ALLREDUCE", mib), 18.8 + 866.2150)
    # SIMPLE: 8.4 + 2 * (4 + 14) = 44.4; 20 * .92 / 2 * .5 = 4.6.
    near(tree.time_with("SIMPLE", "ALLREDUCE", mib), 44.4 + 227.9513)
    assert tree.protocols() == ["LL", "SIMPLE"] and tree.time("ALLREDUCE", mib)[1:] == ("TREE", "SIMPLE")
    # The other collectives are rings over NET: 10 GB/s * 4 / 3; of 3 steps 1 between hosts: 8.4 + 2 * 5.7 + 14 = 33.8.
    near(tree.time_with("SIMPLE", "REDUCE_SCATTER", mib), 33.8 + 78.6432)

    print("4 ranks on 2 hosts, NVLINK 200 GB/s, NET 25 GB/s, 4 channels, ring, hopper, amd")
    ring = Nccl(4, 2, 200, 25, 4, gpu="hopper", cpu="amd")
    # 6 steps, 2 between hosts. LL: the host costs 2 us, more than 0.6: 6.6 + 4 * 2 + 2 * 2.7 = 20; min(22.5, 12.5) * 4 / 6 = 8.333333.
    near(ring.time_with("LL", "ALLREDUCE", 65536), 20 + 7.86432)
    # SIMPLE: the host costs 6: 8.4 + 4 * 6 + 2 * 14 = 60.4, times 1.4 as 64 KiB are 2 KiB a rank and channel; 25 * 4 / 6 = 16.666667.
    near(ring.time_with("SIMPLE", "ALLREDUCE", 65536), 84.56 + 3.93216)
    # 2 KiB are not: 2048 / (8 * 4) = 64 is, 2047 is not.
    near(ring.time_with("SIMPLE", "ALLREDUCE", 2048), 84.56 + 0.12288)
    near(ring.time_with("SIMPLE", "ALLREDUCE", 2047), 60.4 + 0.12282)
    # A quarter of the links' latency changes NET only: 8.4 + 4 * 6 + 2 * 3.5 = 39.4.
    near(ring.time_with("SIMPLE", "ALLREDUCE", 2047, latency=0.25), 39.4 + 0.12282)

    print("4 ranks on 4 hosts, NET 25 GB/s, 4 channels, ring, hopper, amd")
    each = Nccl(4, 4, 100, 25, 4, gpu="hopper", cpu="amd")
    # One rank a host has the latencies of trees. LL: 6.6 + 3 * 5 = 21.6; min(19, 12.5) * 4 / 3 = 16.666667.
    near(each.time_with("LL", "REDUCE_SCATTER", 65536), 21.6 + 3.93216)
    # LL128: 14 + 3 * 8.5 = 39.5; min(23, 4 * 36.7) * 4 / 3 = 30.666667.
    near(each.time_with("LL128", "REDUCE_SCATTER", 65536), 39.5 + 2.137043)

    print("4 ranks on one host, NVLINK 100 GB/s, 8 channels, tree, hopper")
    tree = Nccl(4, 1, 100, 0, 8, algorithm="TREE", gpu="hopper")
    # 16 KiB is 64 * 2^8: share .8. LL128: 14 + 2 * 3 * 1.25 = 21.5; 92 * 7 / 9 / 2 * .8 = 28.622222.
    near(tree.time_with("LL128", "ALLREDUCE", 16384), 21.5 + 0.572422)
    # A broadcast is a ring: 6.6 + 0.6; min(141, 50).
    near(tree.time("BCAST", 16384)[0] / 1000, 7.2 + 0.32768)


if __name__ == "__main__":
    check()
    print("all as by hand")
