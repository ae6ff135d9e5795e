#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the example exports of Nsight Systems: nsys.py DIRECTORY [KERNELS]

Programs that never ran, in the schema that NVIDIA documents ("SQLite Schema Reference" of the User Guide):
  train.sqlite  a program on one GPU, schema of 2024: two streams, copies of each kind, a graph of three nodes launched
                twice, NVTX with domains, categories and payloads, cuBLAS, libc, memory, metrics, what the profiler noted
  ranks.sqlite  two ranks of MPI in one report: messages, a receive that a wait ends, collectives of two communicators
  old.sqlite    schema of 2019: no labels, no registered strings, kernels, copies, ranges and calls only
With KERNELS: only big.sqlite, so many kernels, each with two calls.
"""
import os
import sqlite3
import sys

SESSION_NS = 1735632360000000000
MACHINE = 1 << 56
EVENT = ['start INTEGER NOT NULL', 'end INTEGER NOT NULL']
WORK = EVENT + ['deviceId INTEGER NOT NULL', 'contextId INTEGER NOT NULL', 'greenContextId INTEGER',
                'streamId INTEGER NOT NULL', 'correlationId INTEGER', 'globalPid INTEGER']
CALL = EVENT + ['eventClass INTEGER NOT NULL', 'globalTid INTEGER']
MPI = ['start INTEGER NOT NULL', 'end INTEGER', 'globalTid INTEGER', 'textId INTEGER']
ENUM = ['id INTEGER NOT NULL PRIMARY KEY', 'name TEXT', 'label TEXT']
NEW = {
    'StringIds': ['id INTEGER NOT NULL PRIMARY KEY', 'value TEXT NOT NULL'],
    'ThreadNames': ['nameId INTEGER NOT NULL', 'priority INTEGER', 'globalTid INTEGER'],
    'PROCESSES': ['globalPid INTEGER', 'pid INTEGER', 'name TEXT'],
    'TARGET_INFO_SESSION_START_TIME': ['utcEpochNs INTEGER', 'utcTime TEXT', 'localTime TEXT'],
    'TARGET_INFO_SYSTEM_ENV': ['globalVid INTEGER', 'devStateName TEXT NOT NULL', 'name TEXT NOT NULL',
                               'nameEnum INTEGER NOT NULL', 'value TEXT NOT NULL'],
    'TARGET_INFO_GPU': ['vmId INTEGER NOT NULL', 'id INTEGER NOT NULL', 'name TEXT', 'smCount INTEGER'],
    'TARGET_INFO_CUDA_DEVICE': ['gpuId INTEGER NOT NULL', 'cudaId INTEGER NOT NULL', 'pid INTEGER NOT NULL', 'uuid TEXT'],
    'TARGET_INFO_CUDA_CONTEXT_INFO': ['nullStreamId INTEGER NOT NULL', 'hwId INTEGER NOT NULL', 'vmId INTEGER NOT NULL',
                                      'processId INTEGER NOT NULL', 'deviceId INTEGER NOT NULL',
                                      'contextId INTEGER NOT NULL', 'parentContextId INTEGER', 'isGreenContext INTEGER'],
    'META_DATA_EXPORT': ['name TEXT NOT NULL', 'value TEXT'],
    'ENUM_CUDA_MEMCPY_OPER': ENUM,
    'ENUM_CUDA_MEM_KIND': ENUM,
    'ENUM_CUPTI_SYNC_TYPE': ENUM,
    'CUPTI_ACTIVITY_KIND_MEMCPY': WORK + [
        'bytes INTEGER NOT NULL', 'copyKind INTEGER NOT NULL', 'deprecatedSrcId INTEGER', 'srcKind INTEGER',
        'dstKind INTEGER', 'srcDeviceId INTEGER', 'srcContextId INTEGER', 'dstDeviceId INTEGER', 'dstContextId INTEGER',
        'migrationCause INTEGER', 'graphNodeId INTEGER', 'virtualAddress INTEGER'],
    'CUPTI_ACTIVITY_KIND_MEMSET': WORK + ['value INTEGER NOT NULL', 'bytes INTEGER NOT NULL', 'graphNodeId INTEGER',
                                          'memKind INTEGER'],
    'CUPTI_ACTIVITY_KIND_KERNEL': WORK + [
        'demangledName INTEGER NOT NULL', 'shortName INTEGER NOT NULL', 'mangledName INTEGER', 'launchType INTEGER',
        'cacheConfig INTEGER', 'registersPerThread INTEGER NOT NULL', 'gridX INTEGER NOT NULL', 'gridY INTEGER NOT NULL',
        'gridZ INTEGER NOT NULL', 'blockX INTEGER NOT NULL', 'blockY INTEGER NOT NULL', 'blockZ INTEGER NOT NULL',
        'staticSharedMemory INTEGER NOT NULL', 'dynamicSharedMemory INTEGER NOT NULL',
        'localMemoryPerThread INTEGER NOT NULL', 'localMemoryTotal INTEGER NOT NULL', 'gridId INTEGER NOT NULL',
        'sharedMemoryExecuted INTEGER', 'graphNodeId INTEGER', 'sharedMemoryLimitConfig INTEGER'],
    'CUPTI_ACTIVITY_KIND_SYNCHRONIZATION': WORK + ['syncType INTEGER NOT NULL', 'eventId INTEGER NOT NULL'],
    'CUPTI_ACTIVITY_KIND_GRAPH_TRACE': WORK + ['graphId INTEGER NOT NULL', 'graphExecId INTEGER NOT NULL'],
    'CUPTI_ACTIVITY_KIND_RUNTIME': CALL + ['correlationId INTEGER', 'nameId INTEGER NOT NULL',
                                           'returnValue INTEGER NOT NULL', 'callchainId INTEGER'],
    'CUBLAS_EVENTS': CALL + ['nameId INTEGER NOT NULL'],
    'CUDA_GPU_MEMORY_USAGE_EVENTS': [
        'start INTEGER NOT NULL', 'globalPid INTEGER NOT NULL', 'deviceId INTEGER NOT NULL', 'contextId INTEGER NOT NULL',
        'address INTEGER NOT NULL', 'pc INTEGER NOT NULL', 'bytes INTEGER NOT NULL', 'memKind INTEGER NOT NULL',
        'memoryOperationType INTEGER NOT NULL', 'name TEXT', 'correlationId INTEGER'],
    'MPI_RANKS': ['globalTid INTEGER NOT NULL', 'rank INTEGER NOT NULL'],
    'MPI_COMMUNICATORS': ['rank INTEGER', 'timestamp INTEGER', 'commHandle INTEGER', 'parentHandle INTEGER',
                          'localRank INTEGER', 'size INTEGER', 'groupRoot INTEGER', 'groupRootUid INTEGER', 'members TEXT'],
    'MPI_P2P_EVENTS': MPI + ['commHandle INTEGER', 'tag INTEGER', 'remoteRank INTEGER', 'size INTEGER',
                             'requestHandle INTEGER'],
    'MPI_COLLECTIVES_EVENTS': MPI + ['commHandle INTEGER', 'rootRank INTEGER', 'size INTEGER', 'recvSize INTEGER',
                                     'requestHandle INTEGER'],
    'MPI_START_WAIT_EVENTS': MPI + ['requestHandle INTEGER'],
    'MPI_OTHER_EVENTS': MPI,
    'NVTX_EVENTS': [
        'start INTEGER NOT NULL', 'end INTEGER', 'eventType INTEGER NOT NULL', 'rangeId INTEGER', 'category INTEGER',
        'color INTEGER', 'text TEXT', 'globalTid INTEGER', 'endGlobalTid INTEGER', 'textId INTEGER', 'domainId INTEGER',
        'uint64Value INTEGER', 'int64Value INTEGER', 'doubleValue REAL', 'uint32Value INTEGER', 'int32Value INTEGER',
        'floatValue REAL', 'jsonTextId INTEGER', 'jsonText TEXT', 'binaryData TEXT'],
    'OSRT_API': CALL + ['nameId INTEGER NOT NULL', 'returnValue INTEGER NOT NULL', 'nestingLevel INTEGER',
                        'callchainId INTEGER NOT NULL'],
    'PROFILER_OVERHEAD': EVENT + ['globalTid INTEGER', 'nameId INTEGER NOT NULL', 'returnValue INTEGER NOT NULL'],
    'COMPOSITE_EVENTS': ['id INTEGER NOT NULL PRIMARY KEY', 'start INTEGER NOT NULL', 'cpu INTEGER',
                         'threadState INTEGER', 'globalTid INTEGER', 'cpuCycles INTEGER NOT NULL'],
    'SAMPLING_CALLCHAINS': ['id INTEGER NOT NULL', 'symbol INTEGER NOT NULL', 'module INTEGER NOT NULL',
                            'stackDepth INTEGER NOT NULL', 'PRIMARY KEY (id, stackDepth)'],
    'SCHED_EVENTS': ['start INTEGER NOT NULL', 'cpu INTEGER NOT NULL', 'isSchedIn INTEGER NOT NULL', 'globalTid INTEGER'],
    'TARGET_INFO_GPU_METRICS': ['typeId INTEGER NOT NULL', 'sourceId INTEGER NOT NULL', 'typeName TEXT NOT NULL',
                                'metricId INTEGER NOT NULL', 'metricName TEXT NOT NULL'],
    'GPU_METRICS': ['timestamp INTEGER', 'typeId INTEGER NOT NULL', 'metricId INTEGER NOT NULL', 'value INTEGER NOT NULL'],
    'DIAGNOSTIC_EVENT': ['timestamp INTEGER NOT NULL', 'timestampType INTEGER NOT NULL', 'source INTEGER NOT NULL',
                         'severity INTEGER NOT NULL', 'text TEXT NOT NULL', 'globalPid INTEGER'],
}
OLD_WORK = EVENT + ['deviceId INT NOT NULL', 'contextId INT NOT NULL', 'streamId INT NOT NULL',
                    'correlationId INT NOT NULL', 'globalPid INT NOT NULL']
OLD = {
    'StringIds': ['id INTEGER PRIMARY KEY', 'value TEXT NOT NULL'],
    'CUPTI_ACTIVITY_KIND_RUNTIME': EVENT + ['globalTid INT NOT NULL', 'correlationId INT NOT NULL', 'nameId INT NOT NULL',
                                            'returnValue INT NOT NULL'],
    'CUPTI_ACTIVITY_KIND_KERNEL': OLD_WORK + [
        'demangledName INT NOT NULL', 'shortName INT NOT NULL', 'gridX INT NOT NULL', 'gridY INT NOT NULL',
        'gridZ INT NOT NULL', 'blockX INT NOT NULL', 'blockY INT NOT NULL', 'blockZ INT NOT NULL',
        'staticSharedMemory INT NOT NULL', 'dynamicSharedMemory INT NOT NULL'],
    'CUPTI_ACTIVITY_KIND_MEMCPY': OLD_WORK + ['bytes INT NOT NULL', 'copyKind INT NOT NULL'],
    'CUPTI_ACTIVITY_KIND_MEMSET': OLD_WORK + ['value INT NOT NULL', 'bytes INT NOT NULL'],
    'NVTX_EVENTS': EVENT + ['eventType INT NOT NULL', 'rangeId INT NOT NULL', 'category INT NOT NULL', 'color INT NOT NULL',
                            'text TEXT NOT NULL', 'globalTid INT NOT NULL', 'endGlobalTid INT NOT NULL'],
}
ENUMS = {
    'ENUM_CUDA_MEMCPY_OPER': ['Unknown', 'Host-to-Device', 'Device-to-Host', 'Host-to-Array', 'Array-to-Host',
                              'Array-to-Array', 'Array-to-Device', 'Device-to-Array', 'Device-to-Device', 'Host-to-Host',
                              'Peer-to-Peer', 'Unified Host-to-Device', 'Unified Device-to-Host',
                              'Unified Device-to-Device'],
    'ENUM_CUDA_MEM_KIND': ['Pageable', 'Pinned', 'Device', 'Array', 'Managed', 'Device Static', 'Managed Static',
                           'Unknown'],
    'ENUM_CUPTI_SYNC_TYPE': ['Unknown', 'Event sync', 'Stream wait sync', 'Stream sync', 'Context sync'],
}
DEFAULTS = {'deviceId': 0, 'contextId': 1, 'streamId': 7, 'eventClass': 0, 'returnValue': 0, 'callchainId': 0, 'hwId': 0,
            'vmId': 0, 'nameEnum': 0, 'devStateName': '', 'pc': 0, 'registersPerThread': 32, 'gridX': 1, 'gridY': 1,
            'gridZ': 1, 'blockX': 128, 'blockY': 1, 'blockZ': 1, 'staticSharedMemory': 0, 'dynamicSharedMemory': 0,
            'localMemoryPerThread': 0, 'localMemoryTotal': 0, 'gridId': 0, 'value': 0, 'rangeId': 0, 'category': 0,
            'color': 0, 'text': '', 'endGlobalTid': 0, 'sourceId': 0, 'timestampType': 0, 'source': 0, 'eventId': 0}


class Report:
    """A database in the making."""

    def __init__(self, path, schema):
        if os.path.exists(path):
            os.remove(path)
        self.path, self.schema, self.tables, self.strings = path, schema, {}, {}
        self.db = sqlite3.connect(path)
        self.db.execute('PRAGMA page_size = 1024')
        for table, columns in schema.items():
            self.tables[table] = [column.split()[0] for column in columns if not column.startswith('PRIMARY')]
            self.db.execute('CREATE TABLE %s (%s)' % (table, ', '.join(columns)))
        for table, labels in ENUMS.items():
            if table in schema:
                for number, label in enumerate(labels):
                    self.add(table, id=number, name=label.upper().replace(' ', '_'), label=label)

    def string(self, text):
        if text not in self.strings:
            self.strings[text] = len(self.strings) + 1
            self.add('StringIds', id=self.strings[text], value=text)
        return self.strings[text]

    def add(self, table, **values):
        """A row; what it does not say is null, or where that may not be its default."""
        row = []
        for column, how in zip(self.tables[table], self.schema[table]):
            default = DEFAULTS.get(column) if 'NOT NULL' in how else None
            row.append(values.pop(column, default))
        assert not values or self.schema is OLD, values
        self.db.execute('INSERT INTO %s VALUES (%s)' % (table, ', '.join('?' * len(row))), row)

    def close(self):
        self.db.commit()
        self.db.execute('VACUUM')
        self.db.close()
        # Which release of SQLite wrote it is no part of the example.
        with open(self.path, 'r+b') as file:
            file.seek(24)
            count = file.read(4)
            file.seek(92)
            file.write(count + (3040000).to_bytes(4, 'big'))


class Program:
    """A process with its calls and what they start."""

    def __init__(self, report, pid, first_correlation=100):
        self.report, self.pid, self.correlation = report, pid, first_correlation
        self.free = {}  # when a stream is free

    def thread(self, tid=None):
        return MACHINE | self.pid << 24 | (self.pid if tid is None else tid)

    @property
    def globalPid(self):
        return MACHINE | self.pid << 24

    def call(self, name, start, end, tid=None, driver=False, result=0):
        self.correlation += 1
        self.report.add('CUPTI_ACTIVITY_KIND_RUNTIME', start=start, end=end, eventClass=1 if driver else 0,
                        globalTid=self.thread(tid), correlationId=self.correlation, nameId=self.report.string(name),
                        returnValue=result)
        return self.correlation

    def work(self, table, start, duration, stream=7, correlation=None, **more):
        begin = max(start, self.free.get(stream, 0))
        self.free[stream] = begin + duration
        self.report.add('CUPTI_ACTIVITY_KIND_' + table, start=begin, end=begin + duration, streamId=stream,
                        correlationId=self.correlation if correlation is None else correlation, globalPid=self.globalPid,
                        **more)
        return begin + duration

    def kernel(self, start, duration, name, stream=7, short=None, **more):
        return self.work('KERNEL', start, duration, stream, demangledName=self.report.string(name),
                         shortName=self.report.string(short or name.split('<')[0].split('(')[0].split(' ')[-1]), **more)

    def range(self, text, start, end, kind=59, registered=True, **more):
        is_old = self.report.schema is OLD
        if registered and not is_old:
            more['textId'] = self.report.string(text)
        else:
            more['text'] = text
        self.report.add('NVTX_EVENTS', start=start, end=end, eventType=kind, globalTid=more.pop('thread', self.thread()),
                        **more)


GEMM = 'ampere_sgemm_128x64_tn'
ELEMENTWISE = ('void at::native::vectorized_elementwise_kernel<(int)4, at::native::FillFunctor<float>>'
               '(int, at::native::FillFunctor<float>)')
NCCL = 'ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<(unsigned long)4096>)'


def describe(report, programs, host='node-a'):
    report.add('META_DATA_EXPORT', name='EXPORT_PRODUCT_VERSION', value='2024.6.2.225')
    report.add('META_DATA_EXPORT', name='EXPORT_SCHEMA_VERSION', value='3.16.1')
    report.add('TARGET_INFO_SESSION_START_TIME', utcEpochNs=SESSION_NS, utcTime='2024-12-31T08:06:00', localTime='')
    report.add('TARGET_INFO_SYSTEM_ENV', name='Hostname', value=host)
    report.add('TARGET_INFO_GPU', id=3, name='Imaginary A100', smCount=108)
    for program in programs:
        report.add('PROCESSES', globalPid=program.globalPid, pid=program.pid, name='/usr/bin/python3')
        report.add('ThreadNames', nameId=report.string('python3'), globalTid=program.thread())
        report.add('TARGET_INFO_CUDA_DEVICE', gpuId=3, cudaId=0, pid=program.pid, uuid='')
        report.add('TARGET_INFO_CUDA_CONTEXT_INFO', nullStreamId=7, processId=program.pid, deviceId=0, contextId=1)


def one_step(program, at, number):
    """700 us: copy in, a product, a sum over ranks on its own stream, an update by a graph, copy out."""
    report = program.report
    program.range('step %d' % number, at, at + 690000, category=5, color=0xff00ff00, uint64Value=number)
    program.range('forward', at + 10000, at + 200000)
    program.call('cudaMemcpyAsync_v3020', at + 12000, at + 20000)
    program.work('MEMCPY', at + 22000, 9000, bytes=65536, copyKind=1, srcKind=1, dstKind=2, srcDeviceId=0, dstDeviceId=0)
    report.add('CUBLAS_EVENTS', eventClass=29, start=at + 25000, end=at + 60000, globalTid=program.thread(),
               nameId=report.string('cublasSgemm_v2'))
    program.call('cudaLaunchKernel_v7000', at + 30000, at + 36000)
    program.kernel(at + 40000, 80000, GEMM, gridX=64, gridY=8, registersPerThread=122, staticSharedMemory=16384)
    program.call('cuLaunchKernel', at + 70000, at + 75000, driver=True)
    program.kernel(at + 80000, 12000, ELEMENTWISE, gridX=512, dynamicSharedMemory=1024)
    program.call('cudaMemsetAsync_v3020', at + 90000, at + 94000)
    program.work('MEMSET', at + 96000, 3000, value=0, bytes=4096, memKind=2)
    program.range('ncclAllReduce', at + 210000, at + 240000, domainId=2, int64Value=4096)
    program.call('cudaLaunchKernelExC_v11060', at + 215000, at + 222000)
    program.kernel(at + 225000, 60000, NCCL, stream=20, gridX=8, blockX=544)
    program.call('cudaStreamWaitEvent_v3020', at + 250000, at + 252000)
    program.work('SYNCHRONIZATION', at + 251000, 500, stream=7, syncType=2, eventId=4)
    graph = program.call('cudaGraphLaunch_v10000', at + 300000, at + 320000)
    for node, (name, begin, duration, stream) in enumerate(((GEMM, 330000, 20000, 7), ('void scale<float>(float *)', 331000,
                                                                                      8000, 13),
                                                            ('void add<float>(float *)', 352000, 6000, 7))):
        program.free[stream] = 0
        program.kernel(at + begin, duration, name, stream=stream, correlation=graph, graphNodeId=(1 << 32) + node)
    program.call('cudaMemcpyAsync_v3020', at + 400000, at + 408000)
    program.work('MEMCPY', at + 410000, 7000, bytes=32768, copyKind=2, srcKind=2, dstKind=0)
    program.call('cudaStreamSynchronize_v3020', at + 420000, at + 600000)
    program.work('SYNCHRONIZATION', at + 421000, 178000, stream=7, syncType=3)
    report.add('OSRT_API', eventClass=27, start=at + 430000, end=at + 590000, globalTid=program.thread(), nameId=report.string('poll'),
               returnValue=1)
    program.call('cudaEventQuery_v3020', at + 610000, at + 611000, result=600)


def train(folder):
    report = Report(os.path.join(folder, 'train.sqlite'), NEW)
    program = Program(report, 4711)
    describe(report, [program])
    worker = 4720
    report.add('ThreadNames', nameId=report.string('loader'), globalTid=program.thread(worker))
    program.range('NCCL', 0, None, kind=75, registered=False, domainId=2)
    program.range('training', 1, None, kind=33, registered=False, category=5)
    program.call('cudaMalloc_v3020', 10000, 90000)
    report.add('CUDA_GPU_MEMORY_USAGE_EVENTS', start=80000, globalPid=program.globalPid, address=1 << 33, bytes=1 << 20,
               memKind=2, memoryOperationType=0, correlationId=program.correlation)
    for number in range(3):
        one_step(program, 1000000 + 700000 * number, number)
    # Ranges that cross each other, one that ends on another thread, one that never ends.
    program.range('fetch a', 1100000, 1500000, kind=60, rangeId=1)
    program.range('fetch b', 1300000, 1900000, kind=60, rangeId=2, endGlobalTid=program.thread(worker))
    program.range('serve', 900000, None, thread=program.thread(worker))
    program.range('checkpoint', 2000000, None, kind=34, registered=False, doubleValue=0.25)
    report.add('OSRT_API', eventClass=27, start=950000, end=990000, globalTid=program.thread(worker), nameId=report.string('pthread_cond_wait'))
    report.add('OSRT_API', eventClass=27, start=1000000, end=1090000, globalTid=program.thread(worker), nameId=report.string('read'),
               returnValue=4096)
    program.call('cudaMemcpy_v3020', 3200000, 3260000)
    program.work('MEMCPY', 3210000, 40000, bytes=1 << 20, copyKind=10, srcKind=2, dstKind=2, srcDeviceId=0, dstDeviceId=1)
    program.work('MEMCPY', 3270000, 5000, correlation=0, bytes=65536, copyKind=11, migrationCause=1)
    program.call('cudaGraphLaunch_v10000', 3300000, 3310000)
    program.work('GRAPH_TRACE', 3320000, 50000, graphId=9, graphExecId=10)
    program.call('cudaDeviceSynchronize_v3020', 3375000, 3380000)
    program.work('SYNCHRONIZATION', 3376000, 3000, stream=0xffffffff, syncType=4)
    program.call('cudaFree_v3020', 3400000, 3450000)
    # The same call, once more with its stack, and a note, as releases of 2022 have them.
    report.add('CUPTI_ACTIVITY_KIND_RUNTIME', start=3399000, end=3451000, eventClass=67, globalTid=program.thread(),
               correlationId=program.correlation, nameId=report.string('cudaFree'), callchainId=1)
    report.add('OSRT_API', eventClass=31, start=900, end=900, globalTid=program.thread(0),
               nameId=report.string('OS runtime libraries profiling started'))
    report.add('TARGET_INFO_SYSTEM_ENV', name='DeviceEnvironment', value='HOME=/root;SECRET=swordfish')
    report.add('CUDA_GPU_MEMORY_USAGE_EVENTS', start=3440000, globalPid=program.globalPid, address=1 << 33, bytes=1 << 20,
               memKind=2, memoryOperationType=1, correlationId=program.correlation)
    report.add('PROFILER_OVERHEAD', start=3460000, end=3480000, globalTid=program.thread(),
               nameId=report.string('CUDA profiling stop'))
    for i in range(6):
        report.add('COMPOSITE_EVENTS', id=i + 1, start=1050000 + 300000 * i, cpu=2, threadState=1,
                   globalTid=program.thread(), cpuCycles=1000)
        for depth, symbol in enumerate(('at::native::add', 'THPVariable_add', 'main')[i % 3:]):
            report.add('SAMPLING_CALLCHAINS', id=i + 1, symbol=report.string(symbol), module=report.string('libtorch.so'),
                       stackDepth=depth)
    for i in range(10):
        report.add('SCHED_EVENTS', start=100000 * i, cpu=i % 4, isSchedIn=i % 2, globalTid=program.thread())
    report.add('TARGET_INFO_GPU_METRICS', typeId=0x1003, typeName='GA100', metricId=1, metricName='SMs Active [Throughput %]')
    for i in range(20):
        report.add('GPU_METRICS', timestamp=1000000 + 100000 * i, typeId=0x1003, metricId=1, value=i * 5)
    report.add('DIAGNOSTIC_EVENT', timestamp=0, severity=1, text='Profiling has started.')
    report.add('DIAGNOSTIC_EVENT', timestamp=1, severity=4, text='Number of CUPTI events produced: 64')
    report.add('DIAGNOSTIC_EVENT', timestamp=3500000, severity=2, text='Not all CUDA events might have been collected.')
    report.close()


def ranks(folder):
    report = Report(os.path.join(folder, 'ranks.sqlite'), NEW)
    programs = [Program(report, 500), Program(report, 501)]
    describe(report, programs)
    world, pair = (0x7f0000001000, 0x7f1100001000), (0x5500, 0x6600)
    for rank, program in enumerate(programs):
        report.add('MPI_RANKS', globalTid=program.thread(), rank=rank)
        for handle, root_uid in ((world[rank], 0), (pair[rank], 1)):
            report.add('MPI_COMMUNICATORS', rank=rank, timestamp=1000, commHandle=handle, localRank=rank, size=2, groupRoot=0,
                       groupRootUid=root_uid, members='0,1')

    def event(table, rank, name, start, end, **more):
        report.add('MPI_' + table, start=start, end=end, globalTid=programs[rank].thread(), textId=report.string(name), **more)

    for rank in range(2):
        event('OTHER_EVENTS', rank, 'MPI_Init', 1000, 900000 + 10000 * rank)
        event('COLLECTIVES_EVENTS', rank, 'MPI_Allreduce', 1000000 + 30000 * rank, 1100000, commHandle=world[rank], size=8,
              recvSize=8)
        event('COLLECTIVES_EVENTS', rank, 'MPI_Bcast', 1200000, 1250000 + 1000 * rank, commHandle=pair[rank], rootRank=0,
              size=1024, recvSize=1024)
    for number in range(5):
        at = 2000000 + 100000 * number
        event('P2P_EVENTS', 0, 'MPI_Send', at, at + 20000, commHandle=world[0], tag=number, remoteRank=1, size=1000 + number)
        event('P2P_EVENTS', 1, 'MPI_Recv', at - 10000, at + 25000, commHandle=world[1], tag=number, remoteRank=0,
              size=1000 + number)
    event('P2P_EVENTS', 0, 'MPI_Irecv', 3000000, 3001000, commHandle=world[0], tag=9, remoteRank=1, size=64,
          requestHandle=0xbeef)
    event('P2P_EVENTS', 1, 'MPI_Isend', 3010000, 3012000, commHandle=world[1], tag=9, remoteRank=0, size=64,
          requestHandle=0xcafe)
    event('START_WAIT_EVENTS', 0, 'MPI_Wait', 3050000, 3070000, requestHandle=0xbeef)
    event('START_WAIT_EVENTS', 1, 'MPI_Wait', 3050000, 3055000, requestHandle=0xcafe)
    event('P2P_EVENTS', 1, 'MPI_Recv', 3100000, 3200000, commHandle=world[1], tag=1, remoteRank=-1, size=8)
    for rank, program in enumerate(programs):
        program.call('cudaLaunchKernel_v7000', 4000000, 4006000)
        program.kernel(4010000, 50000 + 5000 * rank, GEMM)
        event('OTHER_EVENTS', rank, 'MPI_Finalize', 5000000, 5100000)
    report.close()


def old(folder):
    report = Report(os.path.join(folder, 'old.sqlite'), OLD)
    program = Program(report, 321)
    for number in range(4):
        at = 1000000 * (number + 1)
        program.range('iteration %d' % number, at, at + 900000)
        program.call('cudaMemcpy_v3020', at + 10000, at + 60000)
        program.work('MEMCPY', at + 20000, 30000, bytes=4096, copyKind=1)
        program.call('cudaMemset_v3020', at + 65000, at + 70000)
        program.work('MEMSET', at + 68000, 1000, value=0, bytes=256)
        program.call('cudaLaunchKernel_v7000', at + 100000, at + 108000)
        program.kernel(at + 120000, 300000 + number, 'void saxpy<float>(int, float, float *, float *)', gridX=4096, blockX=256)
        program.call('cudaDeviceSynchronize_v3020', at + 110000, at + 430000)
    report.close()


def big(folder, kernels):
    report = Report(os.path.join(folder, 'big.sqlite'), NEW)
    program = Program(report, 4711)
    describe(report, [program])
    for number in range(kernels):
        at = 20000 * number
        program.call('cudaLaunchKernel_v7000', at, at + 5000)
        program.kernel(at + 7000, 9000, '%s_%d' % (GEMM, number % 97), stream=7 + number % 3, gridX=64)
        program.call('cudaEventQuery_v3020', at + 6000, at + 7000)
    report.close()


def main():
    folder = sys.argv[1]
    os.makedirs(folder, exist_ok=True)
    if len(sys.argv) > 2:
        big(folder, int(sys.argv[2]))
        return
    train(folder)
    ranks(folder)
    old(folder)


main()
