#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Reduces three tensors over two ranks with Horovod: once to begin with, then in four rounds, to each of which rank 1
comes 20 ms late.

    horovodrun --gloo -np 2 --timeline-filename OUT.json --timeline-mark-cycles python horovod_train.py OUT

The first rank writes OUT.tsv: round, tensor, when its call began and ended, ns since 1970. The timeline is Horovod's,
of the rank 0.
"""
import sys
import time

import horovod.tensorflow as horovod
import tensorflow

horovod.init()
tensors = [('layer0', 1000), ('layer1', 100000), ('layer2', 10)]
values = {name: tensorflow.ones([size]) * (horovod.rank() + 1) for name, size in tensors}
rows = []


@tensorflow.function
def reduce(name):
    return horovod.allreduce(values[name], op=horovod.Sum, name=name)


for name, _ in tensors:
    reduce(name)
for number in range(4):
    if horovod.rank() == 1:
        time.sleep(0.02)
    for name, _ in tensors:
        begin = time.time_ns()
        total = reduce(name)
        assert float(total[0]) == 3
        rows.append((number, name, begin, time.time_ns()))
    time.sleep(0.005)
if horovod.rank() == 0:
    with open(sys.argv[1] + '.tsv', 'w') as file:
        for row in rows:
            file.write('%d\t%s\t%d\t%d\n' % row)
horovod.shutdown()
