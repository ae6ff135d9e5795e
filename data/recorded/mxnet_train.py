#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Records four batches of a training with MXNet's profiler, and the profiler's own table of them.

    mxnet_train.py DIRECTORY

Writes into it dump.json, symbol_debug_str.txt (the graph of the model) and dump.tsv: name, count and time in ms as the
profiler's aggregate statistics have them. Each batch is a task `step N` of the domain `training`.
"""
import json
import os
import sys
import time

import mxnet
import numpy

directory = sys.argv[1]
mxnet.profiler.set_config(profile_all=True, filename=os.path.join(directory, 'dump.json'), aggregate_stats=True)
net = mxnet.sym.FullyConnected(mxnet.sym.Variable('data'), num_hidden=32, name='fc0')
net = mxnet.sym.Activation(net, act_type='relu', name='relu0')
net = mxnet.sym.SoftmaxOutput(mxnet.sym.FullyConnected(net, num_hidden=4, name='fc1'), name='softmax')
batches = mxnet.io.NDArrayIter(numpy.ones((64, 16), 'f'), (numpy.arange(64) % 4).astype('f'), 16)
module = mxnet.mod.Module(net)
module.bind(batches.provide_data, batches.provide_label)
module.init_params()
module.init_optimizer(kvstore=mxnet.kv.create('local'), optimizer='sgd', optimizer_params={'momentum': 0.9})


def train(batch):
    module.forward_backward(batch)
    module.update()
    mxnet.nd.waitall()


for batch in batches:
    train(batch)
batches.reset()
mxnet.profiler.set_state('run')
domain = mxnet.profiler.Domain('training')
for number, batch in enumerate(batches):
    task = mxnet.profiler.Task(domain, 'step %d' % number)
    task.start()
    train(batch)
    task.stop()
    time.sleep(0.003)
mxnet.profiler.set_state('stop')
table = json.loads(mxnet.profiler.dumps(format='json'))
with open(os.path.join(directory, 'dump.tsv'), 'w') as file:
    for group in table['Time'].values():
        for name, row in group.items():
            file.write('%s\t%d\t%.3f\n' % (name, row['Count'], row['Total']))
mxnet.profiler.dump()
with open(os.path.join(directory, 'symbol_debug_str.txt'), 'w') as file:
    file.write(net.debug_str())
