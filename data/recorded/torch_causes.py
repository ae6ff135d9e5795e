#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Records four steps of a training with DistributedDataParallel over gloo in which one rank makes the others wait.

    torch_causes.py OUT RANKS CAUSE LATE

Writes OUT.rank<R>.json. CAUSE is what the rank LATE does in each step and the others do not:

    loader    its data set takes 5 ms a sample, four samples a batch
    silent    it sleeps for 20 ms, under no name
    compute   it multiplies large matrices eight times, the others once
"""
import os
import sys
import time

import torch
import torch.distributed
import torch.multiprocessing
import torch.profiler


class Samples(torch.utils.data.Dataset):
    def __init__(self, seconds):
        self.seconds = seconds

    def __len__(self):
        return 64

    def __getitem__(self, number):
        if self.seconds:
            time.sleep(self.seconds)
        return torch.ones(32)


def work(rank, out, n_ranks, cause, late):
    os.environ.update(MASTER_ADDR='127.0.0.1', MASTER_PORT='29513')
    torch.distributed.init_process_group('gloo', rank=rank, world_size=n_ranks)
    torch.manual_seed(rank)
    torch.set_num_threads(1)
    is_late = rank == late
    layers = torch.nn.Sequential(torch.nn.Linear(32, 64), torch.nn.ReLU(), torch.nn.Linear(64, 8))
    model = torch.nn.parallel.DistributedDataParallel(layers)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    matrix = torch.randn(600, 600)
    samples = Samples(0.005 if is_late and cause == 'loader' else 0)
    loader = iter(torch.utils.data.DataLoader(samples, batch_size=4))

    def write(profile):
        profile.export_chrome_trace('%s.rank%d.json' % (out, rank))

    schedule = torch.profiler.schedule(wait=1, warmup=1, active=4, repeat=1)
    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU], schedule=schedule,
                                on_trace_ready=write, record_shapes=True) as profile:
        for _ in range(7):
            loss = model(next(loader)).square().mean()
            if is_late and cause == 'silent':
                time.sleep(0.02)
            if cause == 'compute':
                for _ in range(8 if is_late else 1):
                    matrix @ matrix
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total = loss.detach().clone()
            torch.distributed.all_reduce(total)
            torch.distributed.barrier()
            profile.step()
    torch.distributed.destroy_process_group()


if __name__ == '__main__':
    n = int(sys.argv[2])
    torch.multiprocessing.spawn(work, (sys.argv[1], n, sys.argv[3], int(sys.argv[4])), nprocs=n)
