#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Imports of PyTorch (Kineto) traces against an independent reading of the JSON.

    kineto.py DATABASE TRACE... : the latest run of DATABASE is the import of just these files
    kineto.py names             : prints a trace with every name of the lists below, once

Everything docs/formats.md says of them is worked out here again, slowly and from whole files: each span's pid, tid,
time, duration, op_cat, sub_op, step, whether it starts device work; flows with both ends; counters and instants.
Prints TAP lines' worth of differences and ends with 1 if there are any.
"""
import bisect
import collections
import gzip
import json
import re
import sqlite3
import sys
from decimal import Decimal

# What the names mean is looked up, whole, in lists of what the source's programs can write: Kineto's ActivityType.cpp,
# CuptiActivity.cpp and CuptiStrings.cpp, PyTorch's ProcessGroup classes, the references of the CUDA and HIP runtimes,
# NCCL's names of kernels. A name that should be in a list and is not is an error of this program, not a guess.

CALLS = {'cuda_runtime', 'cuda_driver', 'glow_runtime', 'mtia_runtime', 'xpu_runtime', 'privateuse1_runtime',
         'privateuse1_driver', 'hip_runtime', 'Runtime'}
SYNCS = {'cuda_sync', 'xpu_sync'}
COPIES, SETS = {'gpu_memcpy', 'Memcpy'}, {'gpu_memset', 'Memset'}
KERNELS = {'kernel', 'Kernel'}
DEVICE = KERNELS | COPIES | SETS | SYNCS | {'cuda_event', 'mtia_ccp_events', 'mtia_insight', 'hpu_op', 'collective_comm',
                                            'cuda_profiler_range'}
LAUNCHES = {'ac2g', 'async_cpu_to_gpu', 'async_gpu', 'async'}
PROFILER = {'Trace', 'overhead'}
OPERATOR = {'cpu_op', 'Operator'}
# The autograd engine: its function since PyTorch 1.9, and the classes of its nodes.
ENGINE = re.compile(r'^autograd::engine::evaluate_function|^torch::autograd::|(^|::)[A-Za-z0-9_]*Backward[0-9]*$')
HOST = OPERATOR | {'user_annotation', 'python_function'}
CATEGORIES = CALLS | DEVICE | PROFILER | HOST | {'gpu_user_annotation', 'external_correlation', 'cpu_instant_event'}

# Calls that wait, on the host or on a stream.
WAITING = set(
    'cudaDeviceSynchronize cudaStreamSynchronize cudaEventSynchronize cudaStreamWaitEvent cudaThreadSynchronize '
    'cudaWaitExternalSemaphoresAsync cuCtxSynchronize cuStreamSynchronize cuEventSynchronize cuStreamWaitEvent '
    'cuStreamWaitValue32 cuStreamWaitValue64 cuStreamWaitValue32_v2 cuStreamWaitValue64_v2 '
    'cuWaitExternalSemaphoresAsync '
    'zeCommandQueueSynchronize zeCommandListHostSynchronize zeEventHostSynchronize zeFenceHostSynchronize '
    'hipCtxSynchronize '
    'hipWaitExternalSemaphoresAsync hipDeviceSynchronize hipStreamSynchronize hipEventSynchronize '
    'hipStreamWaitEvent hipStreamWaitValue32 hipStreamWaitValue64'.split())
# Calls that give work to a device.
STARTING = set(
    'cudaLaunchKernel cudaLaunchKernelExC cudaLaunchCooperativeKernel cudaLaunchCooperativeKernelMultiDevice '
    'cudaGraphLaunch cudaMemcpy cudaMemcpyAsync cudaMemcpy2D cudaMemcpy2DAsync cudaMemcpy3DAsync cudaMemcpyPeerAsync '
    'cudaMemcpyToSymbol cudaMemcpyToSymbolAsync cudaMemcpyFromSymbol cudaMemcpyFromSymbolAsync cudaMemcpyToArray '
    'cudaMemcpyFromArray cudaMemcpyPeer cudaMemcpy3D cudaMemset2D cudaMemset2DAsync cudaMemset3D cudaMemset3DAsync '
    'cudaMemset cudaMemsetAsync cuLaunchKernel cuLaunchKernelEx cuLaunchCooperativeKernel cuGraphLaunch '
    'cuMemcpyHtoDAsync_v2 cuMemcpyDtoHAsync_v2 cuMemcpyDtoDAsync_v2 cuMemcpyAsync cuMemcpy2DAsync_v2 cuMemsetD8Async '
    'cuMemsetD32Async urEnqueueUSMMemcpy hipLaunchCooperativeKernel hipMemcpyHtoD hipMemcpyDtoHAsync hipLaunchKernel '
    'hipLaunchKernelExC hipModuleLaunchKernel '
    'hipExtModuleLaunchKernel hipExtLaunchKernel hipGraphLaunch hipMemcpy hipMemcpyAsync hipMemcpyWithStream hipMemset '
    'hipMemsetAsync urEnqueueKernelLaunch'.split()) | {'runFunction - job_prep_and_submit_for_execution'}
# Calls that only ask or prepare.
ASKING = set(
    'cudaGraphAddMemcpyNode cudaGraphAddMemsetNode cudaGraphAddKernelNode cudaGraphMemcpyNodeSetParams '
    'cudaGraphInstantiate cuGraphAddMemcpyNode cuGraphAddMemsetNode cuGraphKernelNodeSetParams hipGraphAddMemcpyNode '
    'hipGraphAddMemsetNode cuMemAlloc_v2 cuModuleLoadData hipMalloc hipFree hipStreamCreate hipEventQuery '
    'cudaDeviceGetAttribute cudaDeviceGetStreamPriorityRange cudaDriverGetVersion cudaEventCreate '
    'cudaEventCreateWithFlags cudaEventDestroy cudaEventElapsedTime cudaEventQuery cudaEventRecord '
    'cudaEventRecordWithFlags cudaFree cudaFuncGetAttributes cudaFuncSetAttribute cudaGetDevice cudaGetDeviceCount '
    'cudaGetDeviceProperties cudaGetSymbolAddress cudaHostAlloc cudaHostGetDevicePointer cudaMalloc '
    'cudaOccupancyMaxActiveBlocksPerMultiprocessor cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags '
    'cudaPeekAtLastError cudaPointerGetAttributes cudaStreamCreateWithFlags cudaStreamCreateWithPriority '
    'cudaStreamGetCaptureInfo_v2 cudaStreamGetPriority cudaStreamIsCapturing hipEventRecord '
    'hipGetDevicePropertiesR0600'.split())

# CuptiStrings.cpp, memoryKindString(): on which side a kind of memory is.
MEMORY = {'Pageable': 'H', 'Pinned': 'H', 'Host': 'H', 'Device': 'D', 'Array': 'D'}

# A collective by any of its names (of PyTorch's calls, of `Collective name`, of NCCL's kernels): the sub_op.
COLLECTIVES = {
    'ALLREDUCE': 'allreduce all_reduce allreduce_ allreduce_coalesced allreduce_coalesced_ all_reduce_ '
                 'all_reduce_coalesced '
                 'all_reduce_coalesced_ all_reduce_sparse sparse_all_reduce AllReduce',
    'ALLGATHER': 'allgather all_gather allgather_ allgather_coalesced_ _allgather_base _all_gather_base '
                 '_allgather_base_ '
                 'all_gather_into_tensor all_gather_into_tensor_out all_gather_into_tensor_coalesced '
                 'allgather_into_tensor_coalesced_ AllGather',
    'REDUCE': 'reduce reduce_ _reduce_oop Reduce reduce_scatter reduce_scatter_ _reduce_scatter_base '
              '_reduce_scatter_base_ reduce_scatter_tensor reduce_scatter_tensor_coalesced '
              'reduce_scatter_tensor_coalesced_ '
              'ReduceScatter',
    'ALLTOALL': 'alltoall alltoall_ all_to_all all_to_allv all_to_allv_ alltoall_base alltoall_base_ all_to_all_single',
    'BCAST': 'broadcast broadcast_ _broadcast_oop Broadcast',
    'GATHER': 'gather gather_',
    'SCATTER': 'scatter scatter_',
    'SENDRECV': 'SendRecv',
    'SEND': 'send',
    'RECV': 'recv recv_ recv_any_source recv_any_source_',
}
SUB_OPS = {name: sub_op for sub_op, names in COLLECTIVES.items() for name in names.split()}
SUB_OPS.update(dict.fromkeys(['init', 'coalesced'], None))  # without data
NOT_MOVING = {'barrier', 'monitored_barrier_', 'all_reduce_barrier', 'wait_tensor'}
KERNEL_FUNCTIONS = ['AllReduce', 'AllGather', 'Reduce', 'ReduceScatter', 'Broadcast', 'SendRecv']

# Who calls them on the host: the operators of Ops.cpp and Functional.cpp, the profiling titles of each ProcessGroup.
FUNCTIONAL = ('all_reduce all_reduce_coalesced all_gather_into_tensor all_gather_into_tensor_coalesced '
              'reduce_scatter_tensor '
              'reduce_scatter_tensor_coalesced all_to_all_single broadcast wait_tensor')
TITLES = ('all_reduce broadcast reduce all_gather gather scatter reduce_scatter all_to_all send recv barrier')
OF_NCCL = (TITLES + ' allreduce _broadcast_oop _reduce_oop _all_gather_base _allgather_base _reduce_scatter_base '
                    'all_reduce_sparse all_reduce_barrier '
           'allreduce_coalesced all_gather_into_tensor_coalesced reduce_scatter_tensor_coalesced coalesced')
HOST_NAMES = {
    'c10d::': 'broadcast_ allreduce_ allreduce_coalesced_ allgather_ _allgather_base_ allgather_coalesced_ '
              'allgather_into_tensor_coalesced_ reduce_scatter_ _reduce_scatter_base_ '
              'reduce_scatter_tensor_coalesced_ reduce_ '
              'gather_ scatter_ alltoall_ alltoall_base_ all_to_allv_ barrier monitored_barrier_ send recv_ '
              'recv_any_source_',
    '_c10d_functional::': FUNCTIONAL + ' all_reduce_ all_reduce_coalesced_ all_gather_into_tensor_out broadcast_',
    'c10d_functional::': FUNCTIONAL,
    'nccl:': OF_NCCL,
    'xccl:': OF_NCCL,
    'gloo:': TITLES + ' sparse_all_reduce',
    'mpi:': TITLES,
    'ucc:': 'all_gather all_reduce alltoall barrier broadcast gather reduce reduce_scatter _reduce_scatter_base '
            'scatter send recv',
}
HOST_NAMES = {caller: set(names.split()) for caller, names in HOST_NAMES.items()}

# NCCL's files of kernels before 2.19 were named function, algorithm, protocol: ncclAllReduceRingLLKernel_sum_f32.
OLD_KERNELS = {'nccl%s%s%sKernel' % (function, algorithm, protocol): function
               for function in ('AllReduce', 'AllGather', 'ReduceScatter', 'Reduce', 'Broadcast')
               for algorithm in ('Ring', 'Tree', 'CollNet') for protocol in ('LL', 'LL128', 'Simple', '')}


LIMIT = 5  # of the differences that are printed


def ns(us):
    value = Decimal(str(us)) * 1000
    return int(value.to_integral_value(rounding='ROUND_HALF_UP'))


def unknown(what, name):
    sys.exit('kineto.py: %s %r is in no list: look it up in the reference and add it' % (what, name))


def known(table, name, what):
    if name not in table:
        unknown(what, name)
    return table[name]


def call(name):
    """(op_cat, starts work) of a call of the runtime."""
    if name in WAITING:
        return 'SYNC', False
    if name not in STARTING and name not in ASKING:
        unknown('call', name)
    return 'RT', name in STARTING


def copy(name):
    """H2D and the like, by the kinds of memory at both ends; None where the trace does not say."""
    inside = name.partition('(')[2].rstrip(')')
    source, arrow, target = inside.partition(' -> ')
    if not arrow:
        return None
    return known(MEMORY, source, 'kind of memory') + '2' + known(MEMORY, target, 'kind of memory')


def kernel_function(name):
    """The collective whose kernel this is; None where it is no kernel of NCCL or RCCL."""
    symbol = name.partition('(')[0]
    words = symbol.split('_')
    if words[0] in ('ncclKernel', 'ncclDevKernel', 'rcclKernel', 'rcclDevKernel'):
        return words[1]
    if words[0].endswith('Kernel') and words[0].startswith(('nccl', 'rccl')):
        return known(OLD_KERNELS, words[0], 'kernel')
    return None


def host_call(name):
    """Which collective this calls on the host; None where it calls none."""
    head, colon, function = name.rpartition(':')
    if head + colon not in HOST_NAMES:
        return None
    function = function.split(' ')[0]  # "nccl:send 0->1"
    if function not in HOST_NAMES[head + colon]:
        unknown('call of a collective', name)
    return function


def is_loading(name, cat):
    if name.startswith('enumerate(DataLoader)#') or name.partition('(')[0].endswith('DataLoaderIter.__next__'):
        return True
    if cat == 'python_function' and '.py(' in name:
        path, _, function = name.partition('): ')
        return path.partition('.py(')[0].endswith('dataloader') and function in ('__next__', '_next_data')
    return cat == 'user_annotation' and name.strip('# ') in ('data_load', 'dataload', 'data_loading', 'DataLoad')


def by_itself(name, cat, args):
    """(op_cat, sub_op) of a span by name, category and arguments; None where its place decides."""
    if cat not in CATEGORIES:
        return None
    if cat in CALLS:
        return call(name)[0], None
    if cat in SYNCS:
        return 'SYNC', None
    if cat in PROFILER or cat == 'cuda_event':
        return 'RT', None
    if cat in COPIES:
        return 'MEM', copy(name)
    if cat in SETS:
        return 'MEM', 'SET'
    told = args.get('Collective name')
    is_told = isinstance(told, str) and told not in NOT_MOVING | {'wait'}
    told = known(SUB_OPS, told, 'Collective name') if is_told else None
    function = kernel_function(name) if cat in KERNELS else None
    if function is not None:
        return 'Comm', told or known(SUB_OPS, function, 'collective of a kernel')
    function = host_call(name) if cat in HOST or cat == 'gpu_user_annotation' else None
    if function is not None:
        if function in NOT_MOVING:
            return 'SYNC', None
        return 'Comm', told or known(SUB_OPS, function, 'collective')
    if name == 'record_param_comms' or cat == 'collective_comm':
        return 'Comm', told
    if name.startswith('Optimizer.step#'):
        return 'UPDATE_', None
    return ('I/O', None) if is_loading(name, cat) else None


def is_annotation(span):
    """Before PyTorch 1.13 they were operators."""
    return span.cat == 'user_annotation' or span.cat == 'Operator' and (
        step_of_annotation(span.name) is not None or span.name.startswith(('Optimizer.step#', 'Optimizer.zero_grad')))


def step_of_annotation(name):
    """N of ProfilerStep#N; None: it is another annotation."""
    head, sharp, number = name.partition('#')
    return int(number) if head == 'ProfilerStep' and sharp and number.isdecimal() else None


def every_name():
    """(category, name) of all that the lists have."""
    for name in sorted(WAITING | STARTING | ASKING):
        for start, cat in (('cuda', 'cuda_runtime'), ('cu', 'cuda_driver'), ('hip', 'hip_runtime'),
                           ('ur', 'xpu_runtime'), ('ze', 'xpu_runtime'), ('run', 'mtia_runtime')):
            if name.startswith(start):
                yield cat, name
                break
    for source in MEMORY:
        for target in MEMORY:
            kinds = [{'H': 'H', 'D': 'A' if kind == 'Array' else 'D'}[MEMORY[kind]] for kind in (source, target)]
            yield 'gpu_memcpy', 'Memcpy %sto%s (%s -> %s)' % (*kinds, source, target)
    for caller, names in HOST_NAMES.items():
        for name in sorted(names):
            yield ('cpu_op' if caller.endswith('::') else 'user_annotation'), caller + name
    for name in KERNEL_FUNCTIONS:
        yield 'kernel', 'ncclDevKernel_%s_Sum_f32_RING_LL(ncclDevComm*)' % name
        yield 'kernel', 'ncclKernel_%s_TREE_SIMPLE_Sum_half(ncclWorkElem)' % name
        yield 'kernel', 'rcclKernel_%s_Sum_f32(rcclComm*)' % name
    for name in sorted(OLD_KERNELS):
        yield 'kernel', name + '_sum_f32(ncclColl)'


def print_names():
    events = [{'ph': 'X', 'cat': cat, 'name': name, 'pid': 7 if cat in HOST | CALLS else 0, 'tid': 7, 'ts': 10 * i,
               'dur': 5}
              for i, (cat, name) in enumerate(every_name())]
    json.dump({'schemaVersion': 1, 'traceEvents': events}, sys.stdout)


class Span:
    __slots__ = ('pid', 'tid', 'ts', 'end', 'name', 'cat', 'args', 'order', 'op_cat', 'sub_op', 'step', 'context', 'parent',
                 'enqueue')


class Trace:
    def __init__(self, path):
        opened = gzip.open if path.endswith('.gz') else open
        with opened(path, 'rt', encoding='utf-8', errors='replace') as file:
            head = json.load(file, parse_float=Decimal)
        events = head['traceEvents']
        job = head.get('distributedInfo')
        if isinstance(job, str):
            job = json.loads(job)
        rank = (job or {}).get('rank')
        self.rank = rank
        self.prefix = '' if rank is None else 'rank%d.' % rank
        base = head.get('baseTimeNanoseconds')
        times = [e['ts'] for e in events if 'ts' in e]
        self.base = int(base) if base is not None and min(times) * 1000 < int(base) else 0
        self.spans, self.instants, self.points, self.n_counters = [], [], [], 0
        self.read(events)
        self.place()
        self.number_steps()
        self.pair_flows()

    def read(self, events):
        for order, event in enumerate(events):
            ph = event.get('ph')
            if ph == 'M':
                continue
            where = (self.prefix + str(event.get('pid', '0')), str(event.get('tid', '0')))
            ts = ns(event['ts']) + self.base
            if ph == 'X':
                span = Span()
                span.pid, span.tid = where
                span.ts, span.end = ts, ts + ns(event.get('dur', 0))
                span.name, span.cat, span.order = event['name'].strip(), event.get('cat', ''), order
                span.args = event.get('args') or {}
                self.spans.append(span)
            elif ph in 'iI':
                sub_op = None
                size = (event.get('args') or {}).get('Bytes')
                if event.get('cat', 'cpu_instant_event') == 'cpu_instant_event' and size is not None:
                    sub_op = 'FREE' if size < 0 else 'ALLOC'
                self.instants.append((where, ts, event['name'].strip(), event.get('cat'), sub_op))
            elif ph in 'stf':
                cat = 'ac2g' if event['cat'] in LAUNCHES else 'fwdbwd' if event['cat'] == 'forward_backward' else event['cat']
                self.points.append((cat, (cat, event['name'], event.get('id')), ph, ts, order, where))
            elif ph == 'C':
                self.n_counters += len(event['args'])
            else:
                sys.exit('unexpected phase %r' % ph)

    # -- the spans around each, and what they make of it ---------------------------------------------------------

    def place(self):
        links = {'s': set(), 'f': set()}
        for cat, _, ph, ts, _, where in self.points:
            if cat == 'fwdbwd':
                links[ph].add((where, ts))
        self.lines = collections.defaultdict(list)
        for span in self.spans:
            self.lines[span.pid, span.tid].append(span)
        for where, spans in self.lines.items():
            spans.sort(key=lambda s: (s.ts, -(s.end - s.ts), s.order))
            opened = []
            for span in spans:
                opened = [o for o in opened if o.end > span.ts or (o.end == span.ts == o.ts)]
                span.parent = None
                for other in reversed(opened):
                    if other.end >= span.end and other.end > other.ts:
                        span.parent = other
                        break
                self.classify(span, (where, span.ts) in links['s'], (where, span.ts) in links['f'])
                opened.append(span)

    @staticmethod
    def classify(span, begins_link, ends_link):
        around = span.parent.context if span.parent else None
        span.sub_op = None
        span.enqueue = span.cat in CALLS and call(span.name)[1]
        itself = by_itself(span.name, span.cat, span.args)
        span.context = around
        if itself is not None:
            span.op_cat, span.sub_op = itself
            if span.cat in HOST and itself[0] in ('UPDATE_', 'I/O'):
                span.context = itself[0]
            return
        span.op_cat = 'COMP'
        if span.cat not in HOST:
            return
        if span.name.startswith('Optimizer.zero_grad'):
            span.context = 'reset'
        elif span.cat in OPERATOR and around != 'BW':
            forward_thread, number = span.args.get('Fwd thread id', 0), span.args.get('Sequence number', -1)
            if forward_thread > 0 or ends_link or ENGINE.search(span.name):
                span.context = 'BW'
            elif begins_link or (number >= 0 and around not in ('I/O', 'reset')):
                span.context = 'FW'
        if span.context not in (None, 'reset'):
            span.op_cat = span.context

    # -- steps -----------------------------------------------------------------------------------------------------

    def number_steps(self):
        steps = collections.defaultdict(list)
        for span in self.spans:
            number = step_of_annotation(span.name)
            if number is not None and is_annotation(span):
                steps[span.pid].append((span.ts, span.end, number))
        if not steps:
            self.infer_steps(steps)

        def at(pid, ts):
            own = steps.get(pid) or (list(steps.values())[0] if len(steps) == 1 else [])
            inside = [(begin, number) for begin, end, number in own if begin <= ts < end]
            return max(inside)[1] if inside else None

        calls = {}
        ranges = collections.defaultdict(list)
        for span in self.spans:
            if span.cat in CALLS and span.args.get('correlation'):
                calls[span.args['correlation']] = at(span.pid, span.ts)
                ranges[at(span.pid, span.ts)].append(span.args['correlation'])
        for line in self.lines.values():
            for span in line:
                span.step = self.step_of(span, at, calls, ranges, len(steps))
        self.at = at

    def infer_steps(self, steps):
        runs = sorted(((s.ts, s.end, s.name, s.pid) for s in self.spans
                       if is_annotation(s) and s.name.startswith('Optimizer.step#')))
        forward = [s.ts for s in self.spans if s.cat in OPERATOR and s.args.get('Sequence number', -1) >= 0
                   and s.args.get('Fwd thread id', 0) == 0]
        resets = [s.end for s in self.spans if is_annotation(s) and s.name.startswith('Optimizer.zero_grad')]
        for pid in {r[3] for r in runs}:
            own = [r for r in runs if r[3] == pid]
            edges, end = [-10**30], own[0][1]
            for run in own[1:]:
                if run[2] == own[0][2]:
                    edges.append(end)
                end = max(end, run[1])
            if forward and max(forward) >= max([end] + resets):
                edges.append(end)
            edges.append(10**30)
            steps[pid] = [(a, b, i) for i, (a, b) in enumerate(zip(edges, edges[1:]))]

    @staticmethod
    def step_of(span, at, calls, ranges, n_processes):
        if span.cat in PROFILER:
            return None
        number = step_of_annotation(span.name)
        if span.cat == 'gpu_user_annotation' and number is not None:
            return number
        if span.cat in DEVICE and span.args.get('correlation') and calls and n_processes == 1:
            correlation = span.args['correlation']
            if correlation in calls:
                return calls[correlation]
            for step, ids in ranges.items():
                if step is not None and min(ids) <= correlation <= max(ids):
                    return step
            return None
        parent = span.parent
        while parent is not None and (span.cat in DEVICE or span.cat == 'gpu_user_annotation'):
            number = step_of_annotation(parent.name)
            if number is not None and parent.cat == 'gpu_user_annotation':
                return number
            parent = parent.parent
        return at(span.pid, span.ts)

    # -- flows -----------------------------------------------------------------------------------------------------

    def tied(self, where, ts):
        line = self.lines.get(where, [])
        for i in range(bisect.bisect_right(line, ts, key=lambda s: s.ts) - 1, -1, -1):
            if line[i].end > ts or line[i].ts == ts:
                return line[i]
        return None

    def pair_flows(self):
        points = self.points
        self.flows = collections.Counter()
        work = [span for span in self.spans if span.cat in DEVICE and span.args.get('correlation')]
        if work:
            points = [p for p in points if p[0] != 'ac2g']
            calls = {span.args['correlation']: span for span in self.spans
                     if span.cat in CALLS and span.args.get('correlation')}
            for span in work:
                call = calls.get(span.args['correlation'])
                if call is not None:
                    self.flows['ac2g', call.name, call.ts, span.name, span.ts] += 1
        chains = collections.defaultdict(list)
        for cat, key, ph, ts, order, where in points:
            chains[key].append((ts, ph != 's', order, ph, cat, where))
        for chain in chains.values():
            last = None
            for ts, _, _, ph, cat, where in sorted(chain):
                span = self.tied(where, ts)
                if span is None:
                    continue
                if ph != 's' and last is not None:
                    self.flows[cat, last.name, last.ts, span.name, span.ts] += 1
                if cat != 'ac2g' or ph == 's':
                    last = span if ph == 's' or last is not None else None


def rows(database, query, *values):
    return database.execute(query, values).fetchall()


def differences(what, expected, found, say):
    n = 0
    for key in (expected - found) | (found - expected):
        n += 1
        if n <= LIMIT:
            say('%s: %r expected %d times, is there %d times' % (what, key, expected[key], found[key]))
    if n > LIMIT:
        say('%s: %d more differences' % (what, n - LIMIT))
    return n


def check(database, source, path, say):
    trace = Trace(path)
    n = 0
    if not trace.spans:
        say('%s: no spans: nothing is compared' % path)
        return 1
    expected = collections.Counter((s.pid, s.tid, s.ts, s.end - s.ts, s.name, s.cat or None, s.op_cat, s.sub_op, s.step,
                                    s.enqueue) for s in trace.spans)
    found = collections.Counter(
        row[:-1] + ('enqueue' in (row[-1] or '').split(','),)
        for row in rows(database, 'SELECT pid, tid, ts_ns, dur_ns, raw_name, native_group, op_cat, sub_op, step, flags'
                                  ' FROM event WHERE source = ? AND dur_ns IS NOT NULL', source))
    n += differences('span', expected, found, say)
    totals = collections.Counter()
    for span in trace.spans:
        totals[span.name] += span.end - span.ts
    n += differences('total', totals, collections.Counter(dict(rows(
        database, 'SELECT raw_name, sum(dur_ns) FROM event WHERE source = ? AND dur_ns IS NOT NULL GROUP BY 1', source))),
                     say)
    expected = collections.Counter(where + (ts, name, cat, sub_op) for where, ts, name, cat, sub_op in trace.instants)
    found = collections.Counter(rows(database, 'SELECT pid, tid, ts_ns, raw_name, native_group, sub_op FROM event'
                                               ' WHERE source = ? AND dur_ns IS NULL', source))
    n += differences('instant', expected, found, say)
    found = collections.Counter(rows(
        database, 'SELECT kind, a.raw_name, a.ts_ns, b.raw_name, b.ts_ns FROM flow JOIN event a ON a.id = from_event'
                  ' JOIN event b ON b.id = to_event WHERE a.source = ?', source))
    n += differences('flow', trace.flows, found, say)
    expected = collections.Counter({source: trace.n_counters})
    found = collections.Counter({source: len(rows(database, 'SELECT 1 FROM counter'))})
    n += differences('counters of', expected, found, say)
    say('%s: %d spans, %d instants, %d flows, %d counter values; %s' % (
        path.rsplit('/', 1)[-1], len(trace.spans), len(trace.instants), sum(trace.flows.values()), trace.n_counters,
        ' '.join('%s %d' % item for item in sorted(collections.Counter(s.op_cat for s in trace.spans).items()))))
    return n


def main():
    if sys.argv[1:] == ['names']:
        print_names()
        return
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    database = sqlite3.connect('file:%s?mode=ro' % sys.argv[1], uri=True)
    sources = {path.rsplit('/', 1)[-1]: id for id, path in rows(
        database, 'SELECT id, path FROM source WHERE run = (SELECT max(id) FROM run)')}
    n = sum(check(database, sources[path.rsplit('/', 1)[-1]], path, lambda text: print('# ' + text))
            for path in sys.argv[2:])
    sys.exit(1 if n or not sys.argv[2:] else 0)


if __name__ == '__main__':
    main()
