#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Records TensorFlow 2: four steps of a training whose input is slow, then model.fit() of Keras.

    tensorflow2_train.py OUT                 : with TensorFlow; folders OUT.steps and OUT.keras
    tensorflow2_train.py tables XPLANE OUT   : with xprof; OUT.json, the trace of its viewer, and OUT.tsv

XPLANE is a file *.xplane.pb of those folders. TensorFlow 2.4 writes *.trace.json.gz beside it; later versions leave that
to xprof. Columns of the table: "op", type, name, count, total and self time in ns of each operator; "step", name and
duration in ns of each step.
"""
import json
import sys
import time


def record(out):
    import numpy
    import tensorflow as tf

    tf.config.threading.set_intra_op_parallelism_threads(1)
    model = tf.keras.Sequential([tf.keras.layers.Dense(32, activation='relu', input_shape=(16,)),
                                 tf.keras.layers.Dense(4)])
    criterion = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    model.compile(tf.keras.optimizers.SGD(0.1), criterion)

    def samples():
        for i in range(64):
            time.sleep(0.002)
            yield numpy.ones(16, numpy.float32), numpy.int32(i % 4)

    signature = (tf.TensorSpec((16,), tf.float32), tf.TensorSpec((), tf.int32))
    data = tf.data.Dataset.from_generator(samples, output_signature=signature).batch(8)

    @tf.function
    def train(x, y):
        with tf.GradientTape() as tape:
            loss = criterion(y, model(x, training=True))
        gradients = tape.gradient(loss, model.trainable_variables)
        model.optimizer.apply_gradients(zip(gradients, model.trainable_variables))
        return loss

    batches = iter(data)
    train(*next(batches))
    tf.profiler.experimental.start(out + '.steps')
    for step in range(4):
        with tf.profiler.experimental.Trace('train', step_num=step, _r=1):
            train(*next(batches))
    tf.profiler.experimental.stop()
    model.fit(data, epochs=1, verbose=0,
              callbacks=[tf.keras.callbacks.TensorBoard(out + '.keras', profile_batch=(2, 5))])


def table_rows(table):
    names = [column['id'] for column in table['cols']]
    for row in table['rows']:
        yield {name: (cell or {}).get('v') for name, cell in zip(names, row['c'])}


def tables(xplane, out):
    from xprof.convert.raw_to_tool_data import xspace_to_tool_data

    def ask(tool):
        answer = xspace_to_tool_data([xplane], tool, {})[0]
        return answer if isinstance(answer, bytes) else answer.encode()

    with open(out + '.json', 'wb') as file:
        file.write(ask('trace_viewer'))
    with open(out + '.tsv', 'w') as file:
        for row in table_rows(json.loads(ask('framework_op_stats'))[0]):
            if row['type'] != 'IDLE':
                print('op', row['type'], row['operation'], int(row['occurrences']), round(row['total_time'] * 1000),
                      round(row['total_self_time'] * 1000), sep='\t', file=file)
        for table in json.loads(ask('input_pipeline_analyzer')):
            if any(column['id'] == 'stepTimeMs' for column in table['cols']):
                for row in table_rows(table):
                    print('step', row['stepnum'], round(float(row['stepTimeMs']) * 1000000), sep='\t', file=file)


if __name__ == '__main__':
    if sys.argv[1] == 'tables':
        tables(*sys.argv[2:])
    else:
        record(sys.argv[1])
