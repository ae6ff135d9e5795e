#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Records three steps of a small training on the CPU with PyTorch's profiler, and the profiler's own table of it.

    torch_train.py OUT [WORD...]

Writes OUT.json, the trace, and OUT.tsv: name, count, total and self time in us as key_averages() has them, and how much
of the self time autograd spent in the backward pass (the spans whose scope is BACKWARD_FUNCTION, autograd's engine, and
all inside them). WORDs: `zoo` for a model of many kinds of layers, one of them computed again in the backward pass;
`data` for a slow data loader, 1 ms a sample, with `workers` in two processes; `stack`, `memory`, `shapes` for what the
profiler shall record, too; `no-kineto` for torch.autograd.profiler of PyTorch 1.x, which has no schedule.
"""
import collections
import sys
import time

import torch
import torch.profiler
import torch.utils.checkpoint


class Twice(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2

    @staticmethod
    def backward(ctx, gradient):
        return gradient * 2


class Zoo(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.convolution = torch.nn.Conv1d(1, 4, 3)
        self.norm = torch.nn.BatchNorm1d(4)
        self.memory = torch.nn.LSTM(14, 8, batch_first=True)
        self.head = torch.nn.Linear(32, 16)
        self.out = torch.nn.Linear(16, 4)

    def again(self, x):
        return torch.tanh(self.head(x))

    def forward(self, x):
        x, _ = self.memory(torch.relu(self.norm(self.convolution(x.unsqueeze(1)))))
        x = torch.utils.checkpoint.checkpoint(self.again, Twice.apply(x.flatten(1)))
        return self.out(x)


class Slow(torch.utils.data.Dataset):
    def __len__(self):
        return 32

    def __getitem__(self, i):
        time.sleep(0.001)
        return torch.full((16,), float(i)), torch.tensor(i % 4)


def batches(words, n):
    if 'data' not in words:
        for _ in range(n):
            yield torch.randn(8, 16), torch.randint(0, 4, (8,))
        return
    loader = iter(torch.utils.data.DataLoader(Slow(), batch_size=4, num_workers=2 if 'workers' in words else 0))
    for _ in range(n):
        yield next(loader)


def backward_self_us(events):
    """name -> self time within the backward pass"""
    found, open_spans = collections.Counter(), collections.defaultdict(list)
    for event in sorted(events, key=lambda event: (event.time_range.start, -event.time_range.end)):
        around = open_spans[event.thread]
        while around and around[-1][0] <= event.time_range.start:
            around.pop()
        is_backward = (event.scope == 1 or event.name.startswith('autograd::engine') or
                       bool(around) and around[-1][1])
        around.append((event.time_range.end, is_backward))
        if is_backward:
            found[event.name] += event.self_cpu_time_total
    return found


def write_table(profile, events, out):
    backward = backward_self_us(events)
    with open(out + '.tsv', 'w') as file:
        for row in profile.key_averages():
            file.write('%s\t%d\t%.3f\t%.3f\t%.3f\n' % (row.key, row.count, row.cpu_time_total, row.self_cpu_time_total,
                                                       backward[row.key]))


def main():
    out, words = sys.argv[1], set(sys.argv[2:])
    torch.manual_seed(1)
    torch.set_num_threads(1)
    model = Zoo() if 'zoo' in words else torch.nn.Sequential(torch.nn.Linear(16, 32), torch.nn.ReLU(),
                                                             torch.nn.Linear(32, 4))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    loss_of = torch.nn.CrossEntropyLoss()

    def train(x, y):
        with torch.profiler.record_function('## forward ##'):
            loss = loss_of(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()

    def write(profile):
        profile.export_chrome_trace(out + '.json')
        write_table(profile, profile.events(), out)

    what = {'record_shapes': 'shapes' in words, 'with_stack': 'stack' in words, 'profile_memory': 'memory' in words}
    if 'no-kineto' in words:
        with torch.autograd.profiler.profile(**what) as profile:
            for x, y in batches(words, 3):
                train(x, y)
        profile.export_chrome_trace(out + '.json')
        write_table(profile, profile.function_events, out)
        return
    schedule = torch.profiler.schedule(wait=1, warmup=1, active=3, repeat=1)
    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU], schedule=schedule,
                                on_trace_ready=write, **what) as profile:
        for x, y in batches(words, 6):
            train(x, y)
            profile.step()


main()
