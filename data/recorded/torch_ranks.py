#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Records three steps of a training with DistributedDataParallel over gloo, each rank in a process of its own.

    torch_ranks.py OUT RANKS LATE [forward]

Writes OUT.rank<R>.json and, as torch_train.py does, OUT.rank<R>.tsv. The rank LATE sleeps for 20 ms before each backward
pass, or with "forward" in the middle of each forward pass, so the others wait for it in the all-reduce of the gradients.
"""
import os
import sys
import time

import torch
import torch.distributed
import torch.multiprocessing
import torch.profiler


def sleep():
    with torch.profiler.record_function('planted sleep'):
        time.sleep(0.02)


class Late(torch.nn.Module):
    def forward(self, values):
        sleep()
        return values


def work(rank, out, n_ranks, late, in_forward):
    os.environ.update(MASTER_ADDR='127.0.0.1', MASTER_PORT='29512')
    torch.distributed.init_process_group('gloo', rank=rank, world_size=n_ranks)
    torch.manual_seed(rank)
    torch.set_num_threads(1)
    middle = Late() if in_forward and rank == late else torch.nn.ReLU()
    layers = torch.nn.Sequential(torch.nn.Linear(32, 64), middle, torch.nn.Linear(64, 8))
    model = torch.nn.parallel.DistributedDataParallel(layers)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

    def write(profile):
        profile.export_chrome_trace('%s.rank%d.json' % (out, rank))
        with open('%s.rank%d.tsv' % (out, rank), 'w') as file:
            for row in profile.key_averages():
                file.write('%s\t%d\t%.3f\t%.3f\n' % (row.key, row.count, row.cpu_time_total, row.self_cpu_time_total))

    schedule = torch.profiler.schedule(wait=1, warmup=1, active=3, repeat=1)
    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU], schedule=schedule,
                                on_trace_ready=write, record_shapes=True) as profile:
        for _ in range(6):
            loss = model(torch.randn(4, 32)).square().mean()
            if rank == late and not in_forward:
                sleep()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total = loss.detach().clone()
            torch.distributed.all_reduce(total)
            torch.distributed.broadcast(total, 0)
            if rank == 0:
                torch.distributed.send(torch.ones(16), 1)
            elif rank == 1:
                torch.distributed.recv(torch.ones(16), 0)
            torch.distributed.barrier()
            profile.step()
    torch.distributed.destroy_process_group()


if __name__ == '__main__':
    n = int(sys.argv[2])
    torch.multiprocessing.spawn(work, (sys.argv[1], n, int(sys.argv[3]), 'forward' in sys.argv[4:]), nprocs=n)
