#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes CTF 1.8 traces, byte by byte, as LTTng and PInsight lay them out.

    ctf.py EXAMPLE DIR        one of: hosts, devices, lttng
    ctf.py random SEED DIR    an OpenMP and MPI program whose tracer has lost events
    ctf.py large REGIONS DIR  an OpenMP program of that many regions on four threads, 77 events each

The examples under data/ctf-* come from here; tests write random ones.
"""
import hashlib
import os
import random
import struct
import sys

METADATA_MAGIC = 0x75D11D57
PACKET_MAGIC = 0xC1FC1FC1
EPOCH_NS = 1_700_000_000_000_000_000

# name -> (TSDL, struct code)
TYPES = {
    'u32': ('integer { size = 32; align = 8; signed = false; }', 'I'),
    'i32': ('integer { size = 32; align = 8; signed = true; }', 'i'),
    'u64': ('integer { size = 64; align = 8; signed = false; }', 'Q'),
    'i64': ('integer { size = 64; align = 8; signed = true; }', 'q'),
    'hex': ('integer { size = 64; align = 8; signed = false; base = 16; }', 'Q'),
    'f64': ('floating_point { exp_dig = 11; mant_dig = 53; align = 8; }', 'd'),
}


def fields_tsdl(fields):
    lines = []
    for name, kind in fields:
        if kind == 'string':
            lines.append(f'string _{name};')
        elif kind == 'comm':
            lines.append(f'integer {{ size = 8; align = 8; signed = false; encoding = UTF8; }} _{name}[16];')
        elif kind == 'u64[]':
            lines.append(f'{TYPES["u32"][0]} __{name}_length;')
            lines.append(f'{TYPES["u64"][0]} _{name}[ __{name}_length ];')
        else:
            lines.append(f'{TYPES[kind][0]} _{name};')
    return 'struct { ' + ' '.join(lines) + ' }'


class Trace:
    """One trace directory. Events are written in the order of time, a stream a processor."""

    def __init__(self, path, events, common=(), env=(), big=False, packets=True, n_cpus=2, per_packet=40):
        self.path, self.events, self.common = path, events, list(common)
        self.order = '>' if big else '<'
        self.per_packet = per_packet
        self.ids = {name: i for i, (name, _) in enumerate(events)}
        self.fields = dict(events)
        self.pending = [[] for _ in range(n_cpus)]
        self.files = [bytearray() for _ in range(n_cpus)]
        self.sequence = [0] * n_cpus
        self.discarded = [0] * n_cpus
        self.big, self.packets, self.env = big, packets, dict(env)
        self.uuid = hashlib.md5(repr(self.env).encode()).digest()

    def pack(self, kind, value):
        if kind == 'string':
            return value.encode() + b'\0'
        if kind == 'comm':
            return value.encode()[:15].ljust(16, b'\0')
        if kind == 'u64[]':
            return struct.pack(f'{self.order}I{len(value)}Q', len(value), *value)
        code = TYPES[kind][1]
        if code in 'IQ':
            value &= (1 << (32 if code == 'I' else 64)) - 1
        return struct.pack(self.order + code, value)

    def event(self, ts, cpu, name, common=(), /, **values):
        body = struct.pack(self.order + 'HQ', self.ids[name], ts)
        for (field, kind), value in zip(self.common, common):
            body += self.pack(kind, value)
        for field, kind in self.fields[name]:
            body += self.pack(kind, values[field])
        self.pending[cpu].append((ts, body))
        if len(self.pending[cpu]) >= self.per_packet:
            self.flush(cpu)

    def lose_events(self, cpu, n):
        self.flush(cpu)
        self.discarded[cpu] += n

    def lose_packets(self, cpu, n):
        self.flush(cpu)
        self.sequence[cpu] += n

    def flush(self, cpu, end=None):
        events, self.pending[cpu] = self.pending[cpu], []
        if not events:
            return
        content = b''.join(body for _, body in events)
        head = 8 + 16 + 8 + 8 + 8 + 8 + 8 + 4
        size = (head + len(content)) * 8
        padding = -(head + len(content)) % 64
        self.files[cpu] += struct.pack(self.order + 'II', PACKET_MAGIC, 0) + self.uuid
        self.files[cpu] += struct.pack(self.order + 'QQQQIII', events[0][0], events[-1][0] if end is None else end, size, size + padding * 8,
                                       self.discarded[cpu], self.sequence[cpu], cpu)
        self.files[cpu] += content + bytes(padding)
        self.sequence[cpu] += 1

    def tsdl(self):
        u = {k: v[0] for k, v in TYPES.items()}
        uuid = self.uuid.hex()
        uuid = '-'.join((uuid[:8], uuid[8:12], uuid[12:16], uuid[16:20], uuid[20:]))
        text = ['/* CTF 1.8 */',
                f'trace {{ major = 1; minor = 8; uuid = "{uuid}"; byte_order = {"be" if self.big else "le"};',
                f'packet.header := struct {{ {u["u32"]} magic; {u["u32"]} stream_id;',
                '  integer { size = 8; align = 8; signed = false; } uuid[16]; }; };',
                'env { ' + ' '.join(f'{k} = {v};' if isinstance(v, int) else f'{k} = "{v}";'
                                    for k, v in self.env.items()) + ' };',
                'clock { name = "monotonic"; freq = 1000000000; '
                f'offset_s = {EPOCH_NS // 10**9}; offset = {EPOCH_NS % 10**9}; absolute = TRUE; }};',
                'typealias integer { size = 64; align = 8; signed = false; map = clock.monotonic.value; } := stamp;',
                'stream { id = 0;',
                '  event.header := struct { integer { size = 16; align = 8; signed = false; } id; stamp timestamp; };',
                '  packet.context := struct { stamp timestamp_begin; stamp timestamp_end;',
                f'    {u["u64"]} content_size; {u["u64"]} packet_size;',
                f'    {u["u32"]} events_discarded; {u["u32"]} packet_seq_num; {u["u32"]} cpu_id; }};']
        if self.common:
            text.append(f'  event.context := {fields_tsdl(self.common)};')
        text.append('};')
        for name, fields in self.events:
            text.append(f'event {{ name = "{name}"; id = {self.ids[name]}; stream_id = 0; '
                        f'fields := {fields_tsdl(fields)}; }};')
        return '\n'.join(text) + '\n'

    def metadata(self):
        text = self.tsdl().encode()
        if not self.packets:
            return text
        out = b''
        while text:
            piece, text = text[:4000], text[4000:]
            size = 37 + len(piece)
            padding = -size % 64
            out += struct.pack(self.order + 'I', METADATA_MAGIC) + self.uuid + struct.pack(
                self.order + 'IIIBBBBB', 0, size * 8, (size + padding) * 8, 0, 0, 0, 1, 8) + piece + bytes(padding)
        return out

    def write(self):
        os.makedirs(self.path, exist_ok=True)
        with open(os.path.join(self.path, 'metadata'), 'wb') as f:
            f.write(self.metadata())
        for cpu, _ in enumerate(self.files):
            self.flush(cpu)
            with open(os.path.join(self.path, f'channel0_{cpu}'), 'wb') as f:
                f.write(self.files[cpu])


# -- PInsight ------------------------------------------------------------------------------------------------------

OMPT, PMPI, CUPTI = 'ompt_pinsight_lttng_ust', 'pmpi_pinsight_lttng_ust', 'cupti_pinsight_lttng_ust'
MANIFEST, PYTHON, ENERGY = 'pinsight_manifest_lttng_ust', 'pysysmon_pinsight_lttng_ust', 'energy_pinsight_lttng_ust'
CONTEXT = [('procname', 'string'), ('vpid', 'i32'), ('vtid', 'i32')]
WHO = [('hostname', 'string'), ('pid', 'u32'), ('mpirank', 'u32')]
NUMBERS = [('global_thread_num', 'u32'), ('omp_team_num', 'u32'), ('omp_thread_num', 'u32')]
OMP = WHO + NUMBERS + [('parallel_codeptr', 'hex'), ('parallel_record_id', 'u32')]
MPI = WHO + NUMBERS + [('mpi_codeptr', 'hex')]
CUDA = WHO + [('devId', 'u32'), ('correlationId', 'u32'), ('cupti_timeStamp', 'u64'), ('cuda_codeptr', 'hex'),
              ('kernel_func', 'string')]


def pair(provider, name, common, begin=(), end=()):
    return [(f'{provider}:{name}_begin', common + list(begin)), (f'{provider}:{name}_end', common + list(end))]


SYNC = [('kind', 'u32'), ('sync_codeptr', 'hex')]
OMP_EVENTS = (
    pair(OMPT, 'thread', OMP) +
    pair(OMPT, 'parallel', OMP, [('team_size', 'u32'), ('flag', 'i32')], [('flag', 'i32')]) +
    pair(OMPT, 'implicit_task', OMP, [('team_size', 'u32')], [('team_size', 'u32')]) +
    pair(OMPT, 'work', OMP, *[[('wstype', 'u32'), ('work_begin_codeptr', 'hex'), ('work_end_codeptr', 'hex'),
                               ('record_id', 'u32'), ('count', 'u64')]] * 2) +
    pair(OMPT, 'masked', OMP, *[[('masked_begin_codeptr', 'hex'), ('masked_end_codeptr', 'hex'),
                                 ('record_id', 'u32')]] * 2) +
    pair(OMPT, 'barrier_implicit_sync', OMP, SYNC, SYNC) + pair(OMPT, 'barrier_implicit_sync_wait', OMP, SYNC, SYNC) +
    pair(OMPT, 'parallel_join_sync', OMP, [('useless', 'u32')], [('useless', 'u32')]) +
    pair(OMPT, 'parallel_join_sync_wait', OMP, [('useless', 'u32')], [('useless', 'u32')]))
RETURN = [('return_value', 'i32')]
MPI_EVENTS = (
    pair(PMPI, 'MPI_Init_thread', MPI, [('required', 'u32')], [('provided', 'u32')] + RETURN) +
    pair(PMPI, 'MPI_Finalize', MPI, [], RETURN) +
    pair(PMPI, 'MPI_Send', MPI, [('buf', 'hex'), ('count', 'u32'), ('dest', 'u32'), ('tag', 'u32')], RETURN) +
    pair(PMPI, 'MPI_Isend', MPI, [('buf', 'hex'), ('count', 'u32'), ('dest', 'u32'), ('tag', 'u32')], RETURN) +
    pair(PMPI, 'MPI_Recv', MPI, [('buf', 'hex'), ('count', 'u32'), ('source', 'u32'), ('tag', 'u32')], RETURN) +
    pair(PMPI, 'MPI_Irecv', MPI, [('buf', 'hex'), ('count', 'u32'), ('source', 'u32'), ('tag', 'u32')], RETURN) +
    pair(PMPI, 'MPI_Sendrecv', MPI, [('sendbuf', 'hex'), ('sendcount', 'u32'), ('dest', 'u32'), ('sendtag', 'u32'),
                                     ('recvbuf', 'hex'), ('recvcount', 'u32'), ('source', 'u32'), ('recvtag', 'u32')],
         RETURN) +
    pair(PMPI, 'MPI_Waitall', MPI, [('count', 'u32')], RETURN) + pair(PMPI, 'MPI_Barrier', MPI, [], RETURN) +
    pair(PMPI, 'MPI_Allreduce', MPI, [('sendbuf', 'hex'), ('recvbuf', 'hex'), ('count', 'u32'), ('mpi_op', 'u32')],
         RETURN) +
    pair(PMPI, 'MPI_Bcast', MPI, [('buffer', 'hex'), ('count', 'u32'), ('root', 'u32')], RETURN))
MANIFEST_EVENTS = [
    (f'{MANIFEST}:manifest_process', [('hostname', 'string'), ('pid', 'u32'), ('seq', 'u32'), ('reason', 'string'),
                                      ('mpirank', 'i32'), ('exe', 'string')]),
    (f'{MANIFEST}:manifest_kv', [('hostname', 'string'), ('pid', 'u32'), ('seq', 'u32'), ('key', 'string'),
                                 ('value', 'string')])]
COPY = [('dst', 'hex'), ('src', 'hex'), ('count', 'u32'), ('cudaMemcpyKind', 'u32')]
DEVICE_EVENTS = (
    pair(CUPTI, 'cudaMemcpyAsync', CUDA, COPY, [('return_val', 'i32')]) +
    pair(CUPTI, 'cudaKernelLaunch', CUDA, [('gridDimX', 'u32'), ('blockDimX', 'u32'), ('streamId', 'u32')]) +
    pair(CUPTI, 'cudaDeviceSync', CUDA, [], [('return_val', 'i32')]) +
    pair(CUPTI, 'cudaMalloc', CUDA, [('size', 'u64')], [('return_val', 'i32'), ('dev_ptr', 'hex')]) +
    [(f'{CUPTI}:cudaKernelActivity', [('devId', 'u32'), ('correlationId', 'u32'), ('start_gpu', 'u64'),
                                      ('end_gpu', 'u64'), ('contextId', 'u32'), ('streamId', 'u32'),
                                      ('kernelName', 'string')]),
     (f'{CUPTI}:cudaMemcpyActivity', [('devId', 'u32'), ('correlationId', 'u32'), ('start_gpu', 'u64'),
                                      ('end_gpu', 'u64'), ('bytes', 'u64'), ('cudaMemcpyKind', 'u32'),
                                      ('contextId', 'u32'), ('streamId', 'u32')]),
     (f'{CUPTI}:cuda_clock_calibration', [('clock_monotonic_ns', 'u64'), ('cupti_timestamp_ns', 'u64')]),
     (f'{ENERGY}:energy_enter', [('hostname', 'string'), ('pid', 'u32'), ('cpu_uj', 'u64[]'), ('gpu_uj', 'u64[]'),
                                 ('seq', 'u32')]),
     (f'{ENERGY}:energy_exit', [('hostname', 'string'), ('pid', 'u32'), ('cpu_uj', 'u64[]'), ('gpu_uj', 'u64[]'),
                                ('seq', 'u32')])] +
    pair(PYTHON, 'function', [('qualname', 'string'), ('filename', 'string'), ('lineno', 'u32'), ('code_id', 'hex'),
                              ('python_thread_id', 'u64')]))


class Rank:
    """One process of a PInsight program: what its threads do, event by event, at rising times."""

    def __init__(self, trace, host, pid, rank, n_threads, keep=lambda name: True, codes=(0x401290, 0x4012AB)):
        self.trace, self.host, self.pid, self.rank, self.n_threads = trace, host, pid, rank, n_threads
        self.keep, self.codes = keep, codes
        self.records = {}
        self.is_up = False

    def put(self, ts, thread, name, **values):
        if not self.keep(name):
            return
        provider = PMPI if name.startswith('MPI_') else OMPT
        who = {'hostname': self.host, 'pid': self.pid, 'mpirank': self.rank if self.is_up else 0,
               'global_thread_num': thread and thread + 8, 'omp_team_num': 0, 'omp_thread_num': thread}
        self.trace.event(ts, thread % len(self.trace.files), f'{provider}:{name}', ('app', self.pid, self.pid + thread),
                         **{**who, **values})

    def omp(self, ts, thread, name, region, **values):
        self.put(ts, thread, name, parallel_codeptr=region[0], parallel_record_id=region[1], **values)

    def start(self, ts):
        nowhere = (0, 0xFFFFFFFF)
        for thread in range(self.n_threads):
            self.omp(ts + thread, thread, 'thread_begin', nowhere)
        self.omp(ts + 20, 0, 'parallel_begin', (0, 1), team_size=1, flag=1)
        self.late = []

    def call(self, ts, end, name, **values):
        self.put(ts, 0, f'{name}_begin', mpi_codeptr=0x400D23, **values)
        result = {'return_value': 0, 'mpi_codeptr': 0x400D23}
        if name == 'MPI_Init_thread':
            self.is_up = True
            result['provided'] = 3
        self.put(end, 0, f'{name}_end', **result)

    def region(self, ts, which, work_ns, nested_barrier=True):
        """A parallel region from ts; returns its end. Workers end their tasks when the next region wakes them."""
        record = self.records[which] = self.records.get(which, 0) + 1
        region = (self.codes[which], record)
        self.omp(ts, 0, 'parallel_begin', region, team_size=self.n_threads, flag=-2147483646)
        ends = []
        for thread in range(self.n_threads):
            at = ts + 100 + 10 * thread
            if thread > 0:
                for late in [e for e in self.late if e[0] == thread]:
                    self.omp(at - 3 + late[3], thread, late[1], late[2], **late[4])
                self.late = [e for e in self.late if e[0] != thread]
            ends.append((thread, at + 5))
        steps = []
        for thread, at in ends:
            steps += [(at, thread, 'implicit_task_begin', dict(team_size=self.n_threads)),
                      (at + 10, thread, 'work_begin', dict(wstype=1, work_begin_codeptr=0x40134F, work_end_codeptr=0,
                                                           record_id=record, count=64))]
            at += 10 + work_ns * (thread + 1)
            sync = dict(kind=3 if which else 2, sync_codeptr=0x401565)
            steps += [(at, thread, 'barrier_implicit_sync_begin', sync),
                      (at + 1, thread, 'barrier_implicit_sync_wait_begin', sync)]
        meet = max(s[0] for s in steps) + 50
        for thread, _ in ends:
            sync = dict(kind=3 if which else 2, sync_codeptr=0x401565)
            steps += [(meet + thread, thread, 'barrier_implicit_sync_wait_end', sync),
                      (meet + thread + 4, thread, 'barrier_implicit_sync_end', sync)]
        steps += [(meet + 20, 0, 'masked_begin', dict(masked_begin_codeptr=0x401581, masked_end_codeptr=0,
                                                      record_id=record)),
                  (meet + 30, 0, 'masked_end', dict(masked_begin_codeptr=region[0], masked_end_codeptr=0x4015BD,
                                                    record_id=record))]
        for thread, _ in ends:
            steps += [(meet + 40 + thread, thread, 'parallel_join_sync_begin', dict(useless=0)),
                      (meet + 50 + thread, thread, 'parallel_join_sync_wait_begin', dict(useless=0))]
            late = [(thread, 'parallel_join_sync_wait_end', region, 0, dict(useless=0)),
                    (thread, 'parallel_join_sync_end', region, 1, dict(useless=0)),
                    (thread, 'implicit_task_end', region, 2, dict(team_size=self.n_threads if thread == 0 else 0))]
            if thread > 0:
                self.late += late
            else:
                steps += [(meet + 70 + k, 0, l[1], l[4]) for k, l in enumerate(late)]
        steps.append((meet + 80, 0, 'parallel_end', dict(flag=-2147483646)))
        for at, thread, name, values in sorted(steps, key=lambda s: (s[0], s[1])):
            self.omp(at, thread, name, region, **values)
        return meet + 81

    def manifest(self, ts, seq, **pairs):
        common = ('app', self.pid, self.pid)
        self.trace.event(ts, 0, f'{MANIFEST}:manifest_process', common, hostname=self.host, pid=self.pid, seq=seq,
                         reason='window', mpirank=self.rank, exe='/usr/bin/app')
        for i, (key, value) in enumerate(pairs.items()):
            self.trace.event(ts + 1 + i, 0, f'{MANIFEST}:manifest_kv', common, hostname=self.host, pid=self.pid, seq=seq,
                             key=key.replace('__', '.'), value=value)


def environment(host):
    return {'hostname': host, 'domain': 'ust', 'tracer_name': 'lttng-ust', 'tracer_major': 2, 'tracer_minor': 13}


def pinsight_trace(path, host, n_cpus=2):
    return Trace(path, OMP_EVENTS + MPI_EVENTS + MANIFEST_EVENTS, CONTEXT, environment(host), n_cpus=n_cpus)


def run_rank(me, peer, keep_going=3):
    """Every rank does the same at times of its own: sends to the other one and receives from it."""
    at = 1000 + 37 * me.rank
    me.start(at)
    me.call(at + 100, at + 900, 'MPI_Init_thread', required=3)
    at += 1000
    for step in range(keep_going):
        at = me.region(at, step % 2, 400) + 10
        me.call(at, at + 20, 'MPI_Irecv', buf=0x1000, count=8, source=peer, tag=7)
        me.call(at + 30, at + 60, 'MPI_Isend', buf=0x2000, count=8, dest=peer, tag=7)
        me.call(at + 70, at + 300, 'MPI_Waitall', count=2)
        if me.rank == 0:
            me.call(at + 310, at + 350, 'MPI_Send', buf=0x3000, count=1, dest=peer, tag=step)
            me.call(at + 360, at + 500, 'MPI_Recv', buf=0x3000, count=1, source=0xFFFFFFFF, tag=9)
        else:
            me.call(at + 310, at + 420, 'MPI_Recv', buf=0x3000, count=1, source=peer, tag=step)
            me.call(at + 430, at + 480, 'MPI_Send', buf=0x3000, count=1, dest=peer, tag=9)
        me.call(at + 510, at + 640, 'MPI_Allreduce', sendbuf=1, recvbuf=2, count=4, mpi_op=3)
        me.call(at + 650, at + 700, 'MPI_Sendrecv', sendbuf=1, sendcount=2, dest=peer, sendtag=1, recvbuf=3, recvcount=2,
                source=peer, recvtag=1)
        at += 720
    me.manifest(at, 0, run_id='r1', host__cwd='/tmp')
    me.manifest(at + 10, 1, run_id='r2')
    me.call(at + 30, at + 60, 'MPI_Barrier')
    me.call(at + 70, at + 90, 'MPI_Finalize')


def make_hosts(path):
    """Two hosts, whose processes have the same pid, a rank of two threads on each."""
    for rank in range(2):
        host = f'node{rank}'
        trace = pinsight_trace(os.path.join(path, host, 'ust', 'uid', '1000', '64-bit'), host)
        run_rank(Rank(trace, host, 4242, rank, 2), 1 - rank)
        trace.write()
    with open(os.path.join(path, 'notes.txt'), 'w') as f:
        f.write('PInsight: two nodes\n')


def make_devices(path):
    """A GPU with a clock of its own, energy, Python functions."""
    trace = Trace(os.path.join(path, 'ust', 'pid', 'app-77'), DEVICE_EVENTS, CONTEXT, environment('gpu0'), n_cpus=1)
    who = ('python3', 77, 78)
    common = dict(hostname='gpu0', pid=77, mpirank=0)

    def cuda(ts, name, correlation, **values):
        trace.event(ts, 0, f'{CUPTI}:{name}', who, **common, devId=0, correlationId=correlation,
                    cupti_timeStamp=ts + 5_000_000 - 3, cuda_codeptr=0x4011F0, kernel_func='', **values)

    def python(ts, name, qualname, code):
        trace.event(ts, 0, f'{PYTHON}:{name}', who, qualname=qualname, filename='a "b".py', lineno=3, code_id=code,
                    python_thread_id=1)

    trace.event(900, 0, f'{ENERGY}:energy_enter', who, hostname='gpu0', pid=77, cpu_uj=[1000, 2000], gpu_uj=[500], seq=0)
    trace.event(950, 0, f'{CUPTI}:cuda_clock_calibration', who, clock_monotonic_ns=940, cupti_timestamp_ns=5_000_940)
    python(1000, 'function_begin', 'train.<locals>.step', 0xA0)
    python(1010, 'function_begin', 'train.<locals>.step', 0xA0)
    cuda(1100, 'cudaMalloc_begin', 1, size=4096)
    cuda(1200, 'cudaMalloc_end', 1, return_val=0, dev_ptr=0x7F00)
    cuda(1300, 'cudaMemcpyAsync_begin', 2, dst=1, src=2, count=4096, cudaMemcpyKind=1)
    cuda(1350, 'cudaMemcpyAsync_end', 2, return_val=0)
    cuda(1400, 'cudaKernelLaunch_begin', 3, gridDimX=8, blockDimX=128, streamId=7)
    cuda(1450, 'cudaKernelLaunch_end', 3)
    cuda(1500, 'cudaKernelLaunch_begin', 4, gridDimX=8, blockDimX=128, streamId=7)
    cuda(1550, 'cudaKernelLaunch_end', 4)
    cuda(1600, 'cudaDeviceSync_begin', 5)
    cuda(9600, 'cudaDeviceSync_end', 5, return_val=0)
    python(9700, 'function_end', 'train.<locals>.step', 0xA0)
    python(9750, 'function_end', 'train.<locals>.step', 0xA0)

    # Handed over late, the later kernel first; the device's clock gains 100 ns in 10 000.
    def device(ts):
        return 5_000_940 + (ts - 940) * 101 // 100

    def activity(ts, name, correlation, begin, end, **values):
        trace.event(ts, 0, f'{CUPTI}:{name}', who, devId=0, correlationId=correlation, start_gpu=device(begin),
                    end_gpu=device(end), contextId=1, streamId=7, **values)

    activity(9800, 'cudaKernelActivity', 4, 5940, 8940, kernelName='saxpy(float*, int)')
    activity(9801, 'cudaKernelActivity', 3, 2940, 5740, kernelName='saxpy(float*, int)')
    activity(9802, 'cudaMemcpyActivity', 2, 1440, 2440, bytes=4096, cudaMemcpyKind=1)
    trace.event(10950, 0, f'{CUPTI}:cuda_clock_calibration', who, clock_monotonic_ns=10940,
                cupti_timestamp_ns=device(10940))
    trace.event(11000, 0, f'{ENERGY}:energy_exit', who, hostname='gpu0', pid=77, cpu_uj=[1700, 2600], gpu_uj=[900], seq=0)
    trace.write()


def make_lttng(path):
    """Another tracer: big-endian, metadata as text, pairs and instants, floating point, arrays, losses."""
    events = [('syscall_entry_openat', [('filename', 'string'), ('flags', 'i32')]),
              ('syscall_exit_openat', [('ret', 'i64')]),
              ('sched_switch', [('prev_comm', 'string'), ('next_prio', 'i64')]),
              ('shop:order_begin', [('id', 'u64')]), ('shop:order_end', [('id', 'u64'), ('price', 'f64')]),
              ('shop:only_begin', [('id', 'u64')]), ('shop:stock', [('levels', 'u64[]'), ('note', 'string')]),
              ('lttng_ust_cyg_profile:func_entry', [('addr', 'hex'), ('call_site', 'hex')]),
              ('lttng_ust_cyg_profile:func_exit', [('addr', 'hex'), ('call_site', 'hex')])]
    trace = Trace(os.path.join(path, 'kernel'), events, [('procname', 'string'), ('pid', 'i32'), ('tid', 'i32')],
                  {'hostname': 'shop1', 'domain': 'kernel', 'tracer_name': 'lttng-modules'}, big=True, packets=False)
    a, b = ('shopd', 10, 10), ('shopd', 10, 11)
    trace.event(1000, 0, 'shop:order_begin', a, id=1)
    trace.event(1100, 0, 'syscall_entry_openat', a, filename='/etc/"x"\t\\', flags=-1)
    trace.event(1150, 1, 'shop:stock', b, levels=[3, 2**64 - 1], note='')
    trace.event(1160, 1, 'shop:stock', b, levels=[], note='caf\u00e9')
    trace.event(1200, 0, 'syscall_exit_openat', a, ret=-2)
    trace.event(1250, 0, 'shop:order_begin', a, id=2)
    trace.event(1300, 0, 'shop:order_end', a, id=2, price=0.1)
    trace.event(1350, 0, 'shop:only_begin', a, id=9)
    trace.event(1400, 1, 'sched_switch', b, prev_comm='swapper/1', next_prio=-100)
    trace.lose_events(1, 5)
    trace.event(1500, 1, 'lttng_ust_cyg_profile:func_entry', b, addr=0x4010BD, call_site=0x401000)
    trace.event(1550, 1, 'lttng_ust_cyg_profile:func_entry', b, addr=0x4010BD, call_site=0x401000)
    trace.event(1600, 1, 'lttng_ust_cyg_profile:func_exit', b, addr=0x4010BD, call_site=0x401000)
    trace.lose_packets(1, 2)
    trace.event(1800, 1, 'lttng_ust_cyg_profile:func_exit', b, addr=0x4010BD, call_site=0x401000)
    trace.event(1900, 0, 'shop:order_end', a, id=1, price=float('inf'))
    trace.event(1950, 0, 'syscall_exit_openat', a, ret=0)
    trace.write()


def make_random(seed, path):
    rng = random.Random(seed)
    loss = rng.choice((0, 0, 0.01, 0.05, 0.3))
    n_ranks = rng.randint(1, 3)
    trace = Trace(path, OMP_EVENTS + MPI_EVENTS + MANIFEST_EVENTS, CONTEXT, environment('host'),
                  big=rng.random() < 0.3, packets=rng.random() < 0.7, n_cpus=rng.randint(1, 4),
                  per_packet=10**9)
    for rank in range(n_ranks):
        me = Rank(trace, 'host', 100 * (rank + 1), rank, rng.randint(1, 5), lambda name: rng.random() >= loss,
                  [0x401000 + 16 * i for i in range(4)])
        at = 1000 + rng.randint(0, 100)
        me.start(at)
        me.call(at + 100, at + 900, 'MPI_Init_thread', required=3)
        at += 1000
        for _ in range(rng.randint(1, 20)):
            if rng.random() < 0.6:
                at = me.region(at, rng.randrange(4), rng.randint(1, 1000)) + rng.randint(0, 50)
            else:
                name = rng.choice(('MPI_Send', 'MPI_Isend', 'MPI_Recv', 'MPI_Irecv', 'MPI_Allreduce', 'MPI_Barrier'))
                who = rng.choice((0xFFFFFFFF, *range(n_ranks + 1)))
                values = {'MPI_Barrier': {}, 'MPI_Allreduce': dict(sendbuf=1, recvbuf=2, count=4, mpi_op=3)}.get(name)
                if values is None:
                    values = dict(buf=1, count=2, tag=rng.choice((1, 2, 0xFFFFFFFF)))
                    values['source' if 'recv' in name.lower() else 'dest'] = who
                end = at + rng.randint(0, 500)
                me.call(at, end, name, **values)
                at = end + rng.randint(0, 20)
    for cpu, events in enumerate(trace.pending):
        events.sort(key=lambda e: e[0])
        trace.pending[cpu] = []
        for i in range(0, len(events), 37):
            trace.pending[cpu] = events[i:i + 37]
            trace.flush(cpu)
    trace.write()


def make_large(n_regions, path):
    trace = pinsight_trace(path, 'host', n_cpus=4)
    trace.per_packet = 1000
    me = Rank(trace, 'host', 100, 0, 4)
    me.start(1000)
    at = 2000
    for i in range(n_regions):
        at = me.region(at, i % 2, 500) + 10
    trace.write()


def main():
    if len(sys.argv) == 4 and sys.argv[1] == 'random':
        make_random(int(sys.argv[2]), sys.argv[3])
    elif len(sys.argv) == 4 and sys.argv[1] == 'large':
        make_large(int(sys.argv[2]), sys.argv[3])
    elif len(sys.argv) == 3 and sys.argv[1] in ('hosts', 'devices', 'lttng'):
        {'hosts': make_hosts, 'devices': make_devices, 'lttng': make_lttng}[sys.argv[1]](sys.argv[2])
    else:
        sys.exit(__doc__)


if __name__ == '__main__':
    main()
