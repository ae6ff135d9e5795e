#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Records calls of collectives with a root over gloo, in which who comes late is planted.

    torch_roots.py OUT RANKS

Writes OUT.rank<R>.json and OUT.tsv: function, number of the call among those of its function, root, rank, begin and end of
the call in ns of the epoch, by the clock of the program. In turn each rank is the root and each is late, by 30 ms.
"""
import os
import sys
import time

import torch
import torch.distributed as dist
import torch.multiprocessing
from torch.profiler import ProfilerActivity, profile

LATE = 0.03


def work(rank, out, n_ranks, lines):
    os.environ.update(MASTER_ADDR='127.0.0.1', MASTER_PORT='29514')
    dist.init_process_group('gloo', rank=rank, world_size=n_ranks)
    torch.set_num_threads(1)
    # So large that a root cannot leave before those who receive have come.
    tensor = torch.ones(1 << 20)
    parts = [torch.ones(1 << 20) for _ in range(n_ranks)]
    calls = {
        'broadcast': lambda root: dist.broadcast(tensor, root),
        'reduce': lambda root: dist.reduce(tensor, root),
        'gather': lambda root: dist.gather(tensor, parts if rank == root else None, dst=root),
        'scatter': lambda root: dist.scatter(tensor, parts if rank == root else None, src=root),
    }
    for call in calls.values():
        call(0)
    dist.barrier()
    with profile(activities=[ProfilerActivity.CPU], record_shapes=True) as recorded:
        for name, call in calls.items():
            for number in range(n_ranks * n_ranks):
                root, late = number // n_ranks, number % n_ranks
                dist.barrier()
                if rank == late:
                    time.sleep(LATE)
                begin = time.time_ns()
                call(root)
                lines.append((name, number, root, rank, begin, time.time_ns()))
    recorded.export_chrome_trace('%s.rank%d.json' % (out, rank))
    dist.destroy_process_group()


if __name__ == '__main__':
    n = int(sys.argv[2])
    with torch.multiprocessing.Manager() as manager:
        shared = manager.list()
        torch.multiprocessing.spawn(work, (sys.argv[1], n, shared), nprocs=n)
        with open(sys.argv[1] + '.tsv', 'w', encoding='utf-8') as table:
            for line in sorted(shared):
                print(*line, sep='\t', file=table)
