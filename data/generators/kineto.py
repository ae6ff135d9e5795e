#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the example traces of PyTorch's profiler: kineto.py DIRECTORY

An imaginary training of two ranks, three steps each: loading of data, forward, backward with an all-reduce on a
stream of its own, an all-to-all that is a SendRecv kernel, the optimizer. The files differ as PyTorch's versions do:
  rank0.json  base of the times and job before the events, times in decimals
  rank1.json  both behind the events (on-demand traces, PyTorch 2.4)
  old.json    PyTorch 1.12: whole microseconds since 1970, no flows, no base, steps told by the optimizer only
  amd.json    HIP runtime, RCCL; a CPU backend's collective
  waits.json  two streams, an event that one of them waits for, waits of the host: its critical path is known
  late0.json, late1.json  an all-reduce to which rank 1 comes late
  first.json  PyTorch 1.8: nothing but schemaVersion before the events, annotations are operators, other words
  middle.json PyTorch 1.12: the words for flows of then
  graph.json, hip-graph.json  launches of a graph of four nodes on two streams: of CUDA's one arrow that leads on from node
              to node, of HIP's only ends
  odd.json    one line of each rarer kind: MTIA, XPU, categories with capitals, counters
"""
import os
import sys

BASE_NS = 1735632360000000000
DEVICES = [{'id': i, 'name': 'Imaginary A100', 'totalGlobalMem': 42297524224, 'computeMajor': 8, 'computeMinor': 0,
            'numSms': 108} for i in range(2)]


def text(value):
    if isinstance(value, dict):
        return '{' + ', '.join('"%s": %s' % (key, text(item)) for key, item in value.items()) + '}'
    if isinstance(value, (list, tuple)):
        return '[' + ', '.join(text(item) for item in value) + ']'
    if isinstance(value, str):
        return '"' + value.replace('\\', '\\\\').replace('"', '\\"') + '"'
    return str(value)


class Time(str):
    """Nanoseconds as they stand in the file."""

    def __new__(cls, nanoseconds, is_whole):
        whole = '%d' % (nanoseconds // 1000)
        return super().__new__(cls, whole if is_whole else '%s.%03d' % (whole, nanoseconds % 1000))


def event_text(event):
    return '  {' + ', '.join('"%s": %s' % (key, item if isinstance(item, Time) else text(item))
                             for key, item in event.items()) + '}'


class Trace:
    def __init__(self, rank, is_old=False, runtime='cuda', has_flows=True):
        self.rank, self.is_old, self.runtime, self.has_flows = rank, is_old, runtime, has_flows
        self.host, self.device = 4000 + rank, rank
        self.lines, self.correlation, self.external, self.link = [], 100 + rank, 1, 1
        self.origin = BASE_NS // 1000 * 1000 if is_old else 48 * 86400 * 10**9
        self.free = {}  # when a stream is free
        self.sequence = 10

    def time(self, nanoseconds):
        return Time(self.origin + nanoseconds, self.is_old)

    def add(self, **event):
        self.lines.append(event_text(event))

    def meta(self, what, pid, tid, **args):
        self.add(name=what, ph='M', ts=self.time(0), pid=pid, tid=tid, args=args)

    def header_events(self):
        for pid, label in ((self.host, 'CPU'), (self.device, 'GPU %d' % self.device), (7, 'GPU 7')):
            self.meta('process_name', pid, 0, name='python')
            self.meta('process_labels', pid, 0, labels=label)
            self.meta('process_sort_index', pid, 0, sort_index=pid)
        for tid, name in ((self.host, 'thread %d (python)' % self.host), (self.host + 1, 'thread %d (pt_autograd_0)' % (self.host + 1))):
            self.meta('thread_name', self.host, tid, name=name)
        for stream in (7, 20):
            self.meta('thread_name', self.device, stream, name='stream %d ' % stream)

    def span(self, cat, name, pid, tid, begin, end, **args):
        event = dict(ph='X', cat=cat, name=name, pid=pid, tid=tid, ts=self.time(begin), dur=Time(end - begin, self.is_old))
        if args:
            event['args'] = {key.replace('__', ' '): value for key, value in args.items()}
        self.lines.append(event_text(event))

    def flow(self, ph, cat, number, pid, tid, at):
        if self.has_flows:
            event = dict(ph=ph, id=number, pid=pid, tid=tid, ts=self.time(at), cat=cat, name=cat)
            if ph == 'f':
                event['bp'] = 'e'
            self.lines.append(event_text(event))

    def launch(self, tid, call, at, cat, name, dur, stream=7, **args):
        """A call of the runtime of 4 us and the work it starts."""
        self.correlation += 1
        number = self.correlation
        begin = max(self.free.get(stream, 0), at + 6000)
        self.free[stream] = begin + dur
        self.span(self.runtime + '_runtime', self.runtime + call, self.host, tid, at, at + 4000, External__id=self.external,
                  cbid=211, correlation=number)
        self.flow('s', 'ac2g', number, self.host, tid, at)
        self.span(cat, name, self.device, stream, begin, begin + dur, External__id=self.external, device=self.device,
                  stream=stream, correlation=number, **args)
        self.flow('f', 'ac2g', number, self.device, stream, begin)

    def call(self, tid, name, begin, end):
        self.correlation += 1
        self.span(self.runtime + '_runtime', name, self.host, tid, begin, end, cbid=1, correlation=self.correlation)
        self.flow('f', 'ac2g', self.correlation, self.host, tid, begin)

    def operator(self, name, tid, begin, end, forward_thread=0, sequence=None):
        self.external += 1
        args = dict(External__id=self.external, Ev__Idx=self.external)
        if sequence is not None:
            args.update({'Fwd__thread__id': forward_thread, 'Sequence__number': sequence})
        self.span('cpu_op', name, self.host, tid, begin, end, **args)

    def memory(self, at, size):
        self.add(ph='i', cat='cpu_instant_event', s='t', name='[memory]', pid=self.host, tid=self.host, ts=self.time(at),
                 args={'Total Allocated': 1 << 20, 'Bytes': size, 'Device Id': self.device, 'Device Type': 1})

    def collective(self, tid, at, name, kernel, function, group, ranks):
        args = {'Collective__name': function, 'In__msg__nelems': 4096, 'Out__msg__nelems': 4096, 'Group__size': len(ranks),
                'dtype': 'Float', 'Process__Group__Name': group, 'Process__Group__Ranks': text(ranks)}
        self.span('user_annotation', 'nccl:' + name, self.host, tid, at, at + 14000)
        self.operator('c10d::%s_' % function, tid, at - 2000, at + 16000)
        self.external += 1
        self.span('cpu_op', 'record_param_comms', self.host, tid, at + 1000, at + 12000, External__id=self.external, **args)
        self.launch(tid, 'LaunchKernelExC', at + 3000, 'kernel', kernel, 40000, 20, **args)

    def step(self, at, number, with_annotations=True):
        """One step of 600 us from @at."""
        main, engine = self.host, self.host + 1
        first = self.link
        self.span('user_annotation', 'enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__', self.host, main, at + 5000,
                  at + 40000)
        self.operator('aten::stack', main, at + 10000, at + 20000, 0, self.sequence)
        self.span('python_function', 'torch/utils/data/dataloader.py(628): __next__', self.host, main, at + 4000, at + 41000,
                  Python__id=1)
        self.launch(main, 'MemcpyAsync', at + 45000, 'gpu_memcpy', 'Memcpy HtoD (Pinned -> Device)', 9000, bytes=65536)
        self.memory(at + 44000, 65536)
        self.span('python_function', 'nn.Module: Linear_0', self.host, main, at + 60000, at + 120000, Python__id=2)
        for layer in range(2):
            begin = at + 62000 + layer * 28000
            self.operator('aten::linear', main, begin, begin + 26000, 0, self.sequence)
            self.operator('aten::addmm', main, begin + 2000, begin + 22000, 0, self.sequence)
            self.flow('s', 'fwdbwd', self.link, self.host, main, begin + 2000)
            self.operator('aten::expand', main, begin + 3000, begin + 5000)
            self.launch(main, 'LaunchKernel', begin + 8000, 'kernel', 'ampere_sgemm_128x64_tn', 30000)
            self.link += 1
            self.sequence += 1
        self.collective(main, at + 130000, 'all_to_all', 'ncclDevKernel_SendRecv(ncclDevKernelArgsStorage<4096ul>)',
                        'all_to_allv', '1', [self.rank])
        for layer in (1, 0):
            begin = at + 160000 + (1 - layer) * 60000
            self.operator('autograd::engine::evaluate_function: AddmmBackward0', engine, begin, begin + 50000, 1,
                          self.sequence - 2 + layer)
            self.operator('AddmmBackward0', engine, begin + 1000, begin + 40000, 1, self.sequence - 2 + layer)
            self.flow('f', 'fwdbwd', first + layer, self.host, engine, begin + 1000)
            self.operator('aten::mm', engine, begin + 2000, begin + 16000)
            self.launch(engine, 'LaunchKernel', begin + 5000, 'kernel', 'ampere_sgemm_64x32_nt', 50000)
            if layer == 0:
                self.collective(engine, begin + 20000, 'all_reduce', 'ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevComm*)',
                                'allreduce', '0', [0, 1])
        self.call(main, self.runtime + 'StreamWaitEvent', at + 300000, at + 303000)
        self.span('user_annotation', 'Optimizer.step#SGD.step', self.host, main, at + 310000, at + 360000)
        self.operator('aten::_foreach_add_', main, at + 315000, at + 350000)
        self.launch(main, 'LaunchKernel', at + 320000, 'kernel', 'void at::native::multi_tensor_apply_kernel<3>(int)', 20000)
        self.span('user_annotation', 'Optimizer.zero_grad#SGD.zero_grad', self.host, main, at + 365000, at + 380000)
        self.operator('aten::zero_', main, at + 366000, at + 378000, 0, self.sequence)
        self.launch(main, 'MemsetAsync', at + 368000, 'gpu_memset', 'Memset (Device)', 3000, bytes=4096)
        self.memory(at + 381000, -65536)
        self.call(main, self.runtime + 'DeviceSynchronize', at + 400000, at + 560000)
        if with_annotations:
            self.span('user_annotation', 'ProfilerStep#%d' % number, self.host, main, at, at + 590000)

    def profiler(self, end):
        if not self.is_old:
            self.span('overhead', 'CUPTI Buffer Flush', -1, 0, end - 20000, end - 15000)
            self.add(name='Iteration Start: PyTorch Profiler', ph='i', s='g', pid='Traces', tid='Trace PyTorch Profiler',
                     ts=self.time(0))
            self.add(name='Record Window End', ph='i', s='g', pid='', tid='', ts=self.time(end))
        self.span('Trace', 'PyTorch Profiler (0)', 'Spans', 'PyTorch Profiler', 0, end, Op__count=0)

    def write(self, path, before, behind):
        with open(path, 'w', encoding='ascii', newline='\n') as file:
            file.write('{\n' + ''.join('"%s": %s,\n' % (key, text(value)) for key, value in before.items()))
            file.write('"traceEvents": [\n' + ',\n'.join(self.lines) + '\n]')
            file.write(''.join(',\n"%s": %s' % (key, text(value)) for key, value in behind.items()) + '\n}\n')


def job(rank):
    return {'backend': 'nccl', 'rank': rank, 'world_size': 2, 'pg_count': 2, 'nccl_version': '2.21.5'}


class OldTrace(Trace):
    """In the words of PyTorch 1.8 to 1.12; @arrows: category and name of a flow, by that of today; '': there was none."""

    CATEGORIES = {'user_annotation': 'Operator', 'cpu_op': 'Operator', 'cuda_runtime': 'Runtime', 'kernel': 'Kernel',
                  'gpu_memcpy': 'Memcpy', 'gpu_memset': 'Memset', 'python_function': ''}

    def __init__(self, arrows):
        super().__init__(0, is_old=True)
        self.arrows = arrows

    def span(self, cat, name, *place, **args):
        if self.CATEGORIES.get(cat, cat):
            super().span(self.CATEGORIES.get(cat, cat), name, *place, **args)

    def flow(self, ph, cat, number, pid, tid, at):
        if self.arrows[cat] and (ph == 's' or cat == 'fwdbwd' or pid == self.device):
            words = dict(zip(('cat', 'name'), self.arrows[cat]))
            event = dict(ph=ph, id=number, pid=pid, tid=tid, ts=self.time(at), **words)
            if ph == 'f':
                event['bp'] = 'e'
            self.lines.append(event_text(event))

    def memory(self, at, size):
        self.add(ph='i', s='t', name='[memory]', pid=self.host, tid=self.host, ts=self.time(at),
                 args={'Device Type': 1, 'Device Id': self.device, 'Bytes': size})


def train(trace, first_step, late_us, with_annotations=True):
    trace.header_events()
    for number in range(3):
        trace.step(10000 + number * 600000 + late_us * 1000, first_step + number, with_annotations)
    trace.profiler(1900000)


def odd(trace):
    device = trace.device
    trace.span('mtia_runtime', 'runFunction - job_prep_and_submit_for_execution', trace.host, 1, 1000, 2000, correlation=5)
    trace.span('mtia_ccp_events', 'PE kernel', device, 1, 3000, 9000, correlation=5)
    trace.span('xpu_runtime', 'urEnqueueKernelLaunch', trace.host, 1, 3000, 4000, correlation=6)
    trace.span('kernel', 'gemm_kernel', device, 2, 5000, 6000, correlation=6)
    trace.span('Runtime', 'cudaEventSynchronize', trace.host, 1, 5000, 6000)
    trace.span('Operator', 'aten::add', trace.host, 1, 7000, 8000)
    trace.span('Kernel', 'ncclAllReduceRingLLKernel_sum_f32(ncclColl)', device, 3, 7000, 9000)
    trace.span('Memcpy', 'Memcpy PtoP (Device -> Device)', device, 3, 9000, 9500)
    trace.span('Memset', 'Memset (Unknown)', device, 3, 9500, 9600)
    trace.span('cuda_sync', 'Context Sync', device, 4, 1000, 2000)
    trace.span('user_annotation', 'gloo:broadcast', trace.host, 2, 1000, 2000)
    trace.span('cpu_op', 'c10d::_reduce_scatter_base_', trace.host, 2, 3000, 4000)
    trace.span('cpu_op', '_c10d_functional::wait_tensor', trace.host, 2, 5000, 6000)
    trace.span('user_annotation', 'nccl:send 0->1', trace.host, 2, 7000, 8000)
    trace.add(name='HBM', ph='C', ts=trace.time(4000), pid=device, tid=0, args={'bytes': 7})


def work(trace, at, end, stream, begin, finish, name='gemm', **args):
    """A launch of work, all times in us."""
    trace.correlation += 1
    number = trace.correlation
    trace.span('cuda_runtime', 'cudaLaunchKernel', trace.host, trace.host, at * 1000, end * 1000, cbid=211, correlation=number)
    trace.flow('s', 'ac2g', number, trace.host, trace.host, at * 1000)
    trace.span('kernel', name, trace.device, stream, begin * 1000, finish * 1000, device=trace.device, stream=stream,
               correlation=number, **args)
    trace.flow('f', 'ac2g', number, trace.device, stream, begin * 1000)


def wait(trace, name, at, end, mark=None, row=0, **args):
    """A call that records or waits, and the mark that says for what; all times in us."""
    trace.correlation += 1
    number = trace.correlation
    trace.span('cuda_runtime', name, trace.host, trace.host, at * 1000, end * 1000, cbid=1, correlation=number)
    if mark is not None:
        trace.span('cuda_sync', mark, trace.device, row, at * 1000 + 500, end * 1000 - 500, cuda_sync_kind=mark, **args,
                   correlation=number, device=trace.device)
    return number


def waits(trace):
    trace.header_events()
    trace.span('user_annotation', 'ProfilerStep#0', trace.host, trace.host, 0, 300000)
    work(trace, 10, 20, 7, 25, 125, 'first')
    record = wait(trace, 'cudaEventRecord', 22, 24)
    wait(trace, 'cudaStreamWaitEvent', 26, 28, 'Stream Wait Event', 20, wait_on_stream=7,
         wait_on_cuda_event_record_corr_id=record, wait_on_cuda_event_id=1, stream=20)
    work(trace, 30, 40, 20, 130, 180, 'second')
    work(trace, 42, 50, 7, 126, 150, 'beside')
    work(trace, 52, 60, 20, 181, 200, 'third')
    wait(trace, 'cudaDeviceSynchronize', 70, 210, 'Context Sync', -1, stream=4294967295)
    work(trace, 215, 225, 7, 232, 240, 'last')
    wait(trace, 'cudaStreamSynchronize', 226, 245, 'Stream Sync', 7, stream=7)
    trace.span('Trace', 'PyTorch Profiler (0)', 'Spans', 'PyTorch Profiler', -5000, 400000, Op__count=0)


def late(trace, at, begin, finish, end, last):
    trace.header_events()
    trace.span('user_annotation', 'ProfilerStep#0', trace.host, trace.host, 0, last * 1000)
    trace.span('cpu_op', 'aten::nonzero', trace.host, trace.host, 2000, at * 1000 - 1000)
    args = {'Collective__name': 'allreduce', 'Process__Group__Name': '0', 'Process__Group__Ranks': '[0, 1]'}
    work(trace, at, at + 10, 20, begin, finish, 'ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevComm*)', **args)
    wait(trace, 'cudaDeviceSynchronize', at + 20, end, 'Context Sync', -1, stream=4294967295)
    trace.span('Trace', 'PyTorch Profiler (0)', 'Spans', 'PyTorch Profiler', 0, 400000, Op__count=0)


GRAPH = (('gpu_memset', 'Memset (Device)', 7, 30, 32), ('kernel', 'first', 7, 34, 60), ('kernel', 'second', 20, 34, 50),
         ('kernel', 'third', 20, 61, 90))


def graph(trace, arrows):
    """Two launches; the second runs while the first does. All times in us."""
    trace.header_events()
    for at in (10, 110):
        trace.correlation += 1
        number = trace.correlation
        trace.span(trace.runtime + '_runtime', trace.runtime + 'GraphLaunch', trace.host, trace.host, at * 1000,
                   (at + 12) * 1000, cbid=311, correlation=number)
        trace.flow(arrows, 'ac2g', number, trace.host, trace.host, at * 1000)
        for cat, name, stream, begin, end in GRAPH:
            begin, end = (begin + at - 10) * 1000, (end + at - 10) * 1000
            trace.span(cat, name, trace.device, stream, begin, end, device=trace.device, stream=stream, correlation=number,
                       graph__id=3)
            trace.flow('f', 'ac2g', number, trace.device, stream, begin)
    wait(trace, trace.runtime + 'DeviceSynchronize', 130, 195)


def main():
    out = sys.argv[1]
    os.makedirs(out, exist_ok=True)
    base = {'displayTimeUnit': 'ms', 'baseTimeNanoseconds': BASE_NS}
    trace = Trace(0)
    train(trace, 4, 0)
    trace.write(out + '/rank0.json', dict({'schemaVersion': 1, 'deviceProperties': DEVICES, 'distributedInfo': job(0)}, **base),
                {'traceName': 'rank0.json'})
    trace = Trace(1)
    train(trace, 4, 30)
    trace.write(out + '/rank1.json', {'schemaVersion': 1, 'deviceProperties': DEVICES},
                dict({'distributedInfo': job(1), 'traceName': 'rank1.json'}, **base))
    trace = Trace(0, is_old=True, has_flows=False)
    train(trace, 0, 0, with_annotations=False)
    trace.write(out + '/old.json', {'schemaVersion': 1, 'record_shapes': 1}, {})
    trace = Trace(0, runtime='hip')
    trace.host = 597913
    train(trace, 1, 0)
    trace.write(out + '/amd.json', dict({'schemaVersion': 1, 'deviceProperties': []}, **base), {})
    trace = Trace(0)
    waits(trace)
    trace.write(out + '/waits.json', dict({'schemaVersion': 1, 'deviceProperties': DEVICES}, **base), {})
    for name, arrows in (('first', {'ac2g': ('async', 'launch'), 'fwdbwd': ''}),
                         ('middle', {'ac2g': ('async_cpu_to_gpu', 'async_gpu'), 'fwdbwd': ('forward_backward', 'fwd_bwd')})):
        trace = OldTrace(arrows)
        train(trace, 0, 0)
        trace.write(out + '/%s.json' % name, {'schemaVersion': 1}, {})
    for name, runtime, arrows in (('graph', 'cuda', 's'), ('hip-graph', 'hip', 'f')):
        trace = Trace(0, runtime=runtime)
        graph(trace, arrows)
        trace.write(out + '/%s.json' % name, dict({'schemaVersion': 1, 'deviceProperties': DEVICES}, **base), {})
    for rank, times in enumerate(((10, 25, 150, 155, 200), (90, 105, 151, 160, 180))):
        trace = Trace(rank)
        late(trace, *times)
        trace.write(out + '/late%d.json' % rank,
                    dict({'schemaVersion': 1, 'deviceProperties': DEVICES, 'distributedInfo': job(rank)}, **base), {})
    trace = Trace(0)
    odd(trace)
    trace.write(out + '/odd.json', dict({'schemaVersion': 1, 'deviceProperties': []}, **base), {})


if __name__ == '__main__':
    main()
