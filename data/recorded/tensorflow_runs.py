#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Records four runs of a TensorFlow 1 session on two CPU devices: a timeline a run, all in one file, as is done by hand.

    tensorflow_runs.py OUT

Writes OUT.json and OUT.tsv: run, device, node, begin in us since 1970 and duration in us, straight from the step stats
of which TensorFlow made the timelines. The model has a loop of three rounds, so an operator comes several times a run.
"""
import json
import sys

import numpy
import tensorflow
from tensorflow.python.client import timeline

tf = tensorflow.compat.v1


def build():
    x = tf.placeholder(tf.float32, [None, 16], 'x')
    y = tf.placeholder(tf.int32, [None], 'y')
    with tf.device('/cpu:0'):
        h = tf.nn.relu(tf.matmul(x, tf.get_variable('dense_0/kernel', [16, 32]), name='dense_0/MatMul'))
    with tf.device('/cpu:1'):
        logits = tf.matmul(h, tf.get_variable('dense_1/kernel', [32, 4]), name='dense_1/MatMul')
        _, logits = tf.while_loop(lambda i, a: i < 3, lambda i, a: (i + 1, tf.tanh(a)), [tf.constant(0), logits])
        loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits), name='loss')
    return x, y, tf.train.MomentumOptimizer(0.1, 0.9).minimize(loss)


def main():
    tf.disable_eager_execution()
    tf.set_random_seed(1)
    x, y, train = build()
    config = tf.ConfigProto(device_count={'CPU': 2}, intra_op_parallelism_threads=1, inter_op_parallelism_threads=2)
    options = tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE)
    merged = None
    with tf.Session(config=config) as session, open(sys.argv[1] + '.tsv', 'w') as table:
        session.run(tf.global_variables_initializer())
        for run in range(4):
            metadata = tf.RunMetadata()
            feed = {x: numpy.ones([8, 16], numpy.float32), y: numpy.zeros([8], numpy.int32)}
            session.run(train, feed, options=options, run_metadata=metadata)
            for device in metadata.step_stats.dev_stats:
                for node in device.node_stats:
                    table.write('%d\t%s\t%s\t%d\t%d\n' % (run, device.device, node.node_name, node.all_start_micros,
                                                          node.all_end_rel_micros))
            one = json.loads(timeline.Timeline(metadata.step_stats).generate_chrome_trace_format())
            if merged is None:
                merged = one
            else:
                merged['traceEvents'] += [event for event in one['traceEvents'] if 'ts' in event]
    with open(sys.argv[1] + '.json', 'w') as file:
        json.dump(merged, file)


main()
