#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes example traces of PyTorch's profiler with process groups: collectives.py DIRECTORY

  rank0.json, rank1.json  two ranks. Rank 1 has begun to record after the first all-reduce, so sequence numbers tell which
                          calls belong together. Each call on the device is told three times (annotation, record, kernel),
                          one group is on the host alone, a backend without devices has only its annotation.
"""
import os
import sys

from kineto import BASE_NS, DEVICES, Trace, job, text, work

WORLD = ('0', 'default_pg', [0, 1])
# function, kernel, element type, elements in and out, time on rank 0 and 1 in us (0: not recorded)
CALLS = (
    ('allreduce', 'AllReduce_Sum_f32_RING_LL', 'Float', 1024, 1024, 40, 0),
    ('allreduce', 'AllReduce_Sum_f32_TREE_LL', 'Float', 2048, 2048, 50, 20),
    ('_reduce_scatter_base', 'ReduceScatter_Sum_bf16_RING_LL', 'BFloat16', 4096, 2048, 16, 24),
    ('_allgather_base', 'AllGather_RING_LL', 'Half', 512, 1024, 10, 8),
    ('barrier', 'AllReduce_Sum_i8_RING_LL', 'Byte', 1, 1, 5, 5),
)


def facts(function, dtype, n_in, n_out, group, sequence=None):
    name, description, ranks = group
    found = {'Collective__name': function, 'In__msg__nelems': n_in, 'Out__msg__nelems': n_out, 'Group__size': len(ranks),
             'dtype': dtype, 'In__split__size': '[]', 'Out__split__size': '[]', 'Process__Group__Name': name,
             'Process__Group__Description': description, 'Process__Group__Ranks': text(ranks)}
    if sequence is not None:
        found['Seq'] = sequence
    return found


def record(trace, at, args):
    trace.span('cpu_op', 'record_param_comms', trace.host, trace.host, at * 1000 + 500, at * 1000 + 9500, **args)


def call(trace, at, kernel, duration, args):
    trace.span('user_annotation', 'nccl:' + args['Collective__name'].strip('_'), trace.host, trace.host, at * 1000, at * 1000 + 9900)
    record(trace, at, args)
    work(trace, at + 2, at + 6, 20, at + 20, at + 20 + duration, 'ncclDevKernel_%s(ncclDevComm*)' % kernel, **args)


def collectives(trace):
    rank, at = trace.rank, 1000
    trace.header_events()
    trace.span('cpu_op', 'record_param_comms', trace.host, trace.host, 1000, 9000, **facts('init', 'Byte', 0, 0, WORLD))
    for sequence, (function, kernel, dtype, n_in, n_out, *times) in enumerate(CALLS, 1):
        if times[rank] > 0:
            call(trace, at, kernel, times[rank], facts(function, dtype, n_in, n_out, WORLD, sequence))
        at += 100
    # Rank 0 gives, rank 1 gets.
    call(trace, at, 'SendRecv', 32, facts(('send', 'recv')[rank], 'Double', 128, 128, WORLD, 6))
    trace.span('cpu_op', 'record_param_comms', trace.host, trace.host, at * 1000 + 60000, at * 1000 + 65000,
               **facts('wait', 'Byte', 0, 0, WORLD, 6))
    # A group of one name on both ranks, which is another on each.
    call(trace, at + 100, 'SendRecv', 10, facts('all_to_allv', 'Long', 64, 64, ('1', 'tp', [rank])))
    record(trace, at + 200, facts('allreduce', 'Int', 256, 256, ('2', 'host', [0, 1])))
    for name, dims in (('gloo:all_reduce', [[300]]), ('gloo:all_gather', [[4, 8]]), ('gloo:barrier', None)):
        shapes = {} if dims is None else {'Input__Dims': dims, 'Input__type': ['float']}
        at += 1
        trace.span('user_annotation', name, trace.host, trace.host + 1, at * 100000, at * 100000 + 80000 + rank * 5000, **shapes)


def main():
    out = sys.argv[1]
    os.makedirs(out, exist_ok=True)
    for rank in (0, 1):
        trace = Trace(rank)
        collectives(trace)
        trace.write(out + '/rank%d.json' % rank,
                    {'schemaVersion': 1, 'displayTimeUnit': 'ms', 'baseTimeNanoseconds': BASE_NS, 'deviceProperties': DEVICES,
                     'distributedInfo': job(rank)}, {})


if __name__ == '__main__':
    main()
