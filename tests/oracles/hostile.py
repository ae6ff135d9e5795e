#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Imports and converts inputs that ask for more than they are, and measures what that costs: the bounds of docs/limits.md.

    hostile.py TRACETOOL DATA [dialects | SEED COUNT]
    HOSTILE_MANY=100 hostile.py ...   small ones, for a program that does nothing with them

Peak memory of the program is at most BASE_KIB, BYTES_PER_BYTE of the input (decompressed), what a long
text takes and what the threads of TAU and CTF take; processor time at most SECONDS and NS_PER_BYTE. Instead, with `dialects`: what
dialects of trace-event JSON and jobs keep until the end of a file; with SEED and COUNT: so many examples of DATA with huge numbers
in them. Ends with 1 if a bound is broken.
"""
import gzip
import itertools
import json
import os
import random
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import time

BASE_KIB = 100 * 1024
DIALECT_BASE_KIB = 96 * 1024  # what each thread or tensor takes shows less, as there are fewer of them
BYTES_PER_BYTE = {'import': 1.0, 'convert': 6.0}
BYTES_PER_NAME_BYTE = 14
BYTES_PER_DEFINITION_BYTE = 0.1  # import of that many processes, threads, names or series and nothing else
BYTES_PER_THREAD = {'import': 1000, 'convert': 1500}
SECONDS, NS_PER_BYTE = 3.0, 1000
TRIES = 5
MILLIONS = 'millions of '
MANY = int(os.environ.get('HOSTILE_MANY', 200000))
DEFINED = range(15 * MANY // 2)


def span(name, i, more=''):
    return '{"ph":"X","name":"%s","pid":1,"tid":1,"ts":%d,"dur":1%s}' % (name, i, more)


def trace(events):
    return ('{"traceEvents":[' + ',\n'.join(events) + ']}').encode()


def texts():
    """Trace-event JSON: name -> bytes."""
    yield 'nesting', b'{"traceEvents":[' + b'[' * (25 * MANY)
    yield 'nested arguments', trace([span('f', 1, ',"args":' + '{"a":' * (5 * MANY) + '1' + '}' * (5 * MANY))])
    yield 'one name of 50 MB', trace([span('x' * (250 * MANY), 1)])
    yield 'one argument of 50 MB', trace([span('f', 1, ',"args":{"a":"%s"}' % ('y' * (250 * MANY)))])
    yield 'a number of 20 MB', trace([span('f', 1).replace('"ts":1', '"ts":' + '7' * (100 * MANY))])
    yield 'keys of one object', trace([span('f', 1, ',"args":{%s}' % ','.join('"k%d":1' % i for i in range(MANY)))])
    yield 'keys of headers', ('{%s,"traceEvents":[]}' % ','.join('"h%d":"x"' % i for i in range(MANY))).encode()
    yield 'names', trace(span('f%d' % i, i) for i in range(MANY))
    yield 'threads', trace(span('f', i).replace('"tid":1', '"tid":%d' % i) for i in range(MANY))
    yield 'processes', trace(span('f', i).replace('"pid":1', '"pid":%d' % i) for i in range(MANY))
    yield 'names of threads', trace('{"ph":"M","name":"thread_name","pid":1,"tid":%d,"args":{"name":"t%d"}}' % (i, i)
                                    for i in range(MANY))
    yield 'series', trace('{"ph":"C","name":"c%d","pid":1,"ts":%d,"args":{"v":1}}' % (i, i) for i in range(MANY))
    yield 'open spans', trace(span('f', i).replace('"X"', '"B"') for i in range(MANY))
    yield 'open asynchronous spans', trace('{"ph":"b","id":%d,"cat":"c","name":"n","pid":1,"tid":1,"ts":%d}' % (i, i)
                                           for i in range(MANY))
    yield 'open flows', trace('{"ph":"s","id":%d,"cat":"c","name":"n","pid":1,"tid":1,"ts":%d}' % (i, i)
                              for i in range(MANY))
    yield 'metadata', trace('{"ph":"M","name":"m%d","pid":1,"tid":1,"args":{"labels":"l%d"}}' % (i, i)
                            for i in range(MANY))


def definitions():
    """As many as the import of which the bound speaks: name -> bytes."""
    yield MILLIONS + 'threads', trace(span('f', i).replace('"tid":1', '"tid":%d' % i) for i in DEFINED)
    yield MILLIONS + 'threads and processes', trace(span('f', i).replace('"pid":1,"tid":1', '"pid":%d,"tid":%d' % (i, i))
                                                    for i in DEFINED)
    yield MILLIONS + 'names of threads', trace(name_of('thread', 1, i, 't%d' % i) for i in DEFINED)
    yield MILLIONS + 'series', trace('{"ph":"C","name":"c%d","pid":1,"ts":%d,"args":{"v":1}}' % (i, i) for i in DEFINED)


def name_of(kind, pid, tid, text):
    return '{"ph":"M","name":"%s_name","pid":%d,"tid":%d,"args":{"name":"%s"}}' % (kind, pid, tid, text)


def begin(name, tid, i):
    return '{"ph":"B","name":"%s","pid":1,"tid":%d,"ts":%d}' % (name, tid, i)


def dialects():
    """What dialects of trace-event JSON keep until the end of a file: name -> bytes."""
    gpu = '/job:localhost/replica:0/task:0/device:GPU:%d/stream:all Compute'
    many = range(MANY)

    def spans(name, of_pid=False):
        return [span(name, i).replace('"pid":1' if of_pid else '"tid":1', '"%s":%d' % ('pid' if of_pid else 'tid', i))
                for i in many]

    yield 'threads of TensorFlow', trace([name_of('process', 1, 0, gpu % 0)] + spans('f'))
    yield 'devices of TensorFlow', trace([name_of('process', i, 0, gpu % i) for i in many] + spans('f', True))
    yield 'threads of MXNet', trace([name_of('process', 1, 0, 'gpu/0')] + spans('f'))
    yield 'tensors of Horovod', trace([name_of('process', 1, 0, 'horovod.0')] + spans('NCCL_ALLREDUCE', True))
    yield 'waits of Horovod', trace([name_of('process', 1, 0, 'Sync'), name_of('process', 2, 0, 'horovod.0'),
                                     span('NCCL_ALLREDUCE', 0).replace('"pid":1', '"pid":2')] +
                                    [begin('t%d' % i, 0, i) + ',\n{"ph":"E","pid":1,"ts":%d}' % i for i in many])
    yield 'transfers of BytePS', trace([name_of('process', 1, 0, 'worker_0 -> server_1')] +
                                       [begin('byteps.%d.PUSH' % i, 0, i) for i in many])
    yield 'work of servers of BytePS', trace([name_of('process', 1, 0, 'server_1')] +
                                             [begin('byteps.%d.SUM' % i, i % 7, i) for i in many])


def jobs(folder):
    """As inputs(): what a job directory may have any number of."""
    many = range(2 * MANY)
    gpu = [name_of('process', 1, 0, '/device:GPU:0'), name_of('thread', 1, 1, 'TensorFlow Ops'),
           span('o/MatMul', 9).replace('"dur":1', '"dur":%d' % len(many))]
    operators = [event for i in many for event in (name_of('thread', 1, i, 'TensorFlow Ops'),
                                                   span('o%d/MatMul' % i, i).replace('"tid":1', '"tid":%d' % i))]
    chunk = ',"args":{"chunkId":0,"sliceId":0,"channelId":0,"loopId":0}'
    details = [span('t%d.2.SEND' % i, 10 + i, chunk).replace('"pid":1', '"pid":"r%d"' % i) for i in many]
    early = [span('i%d' % i, i % 9) for i in many]
    for name, trace_events, file, events in (('operators', gpu[:1] + operators, None, []),
                                             ('details', gpu, 'comm_detail.json', details),
                                             ('early input', gpu, 'io.json', early)):
        root = os.path.join(folder, 'job')
        gpu_folder = os.path.join(root, 'host0', '0')
        shutil.rmtree(root, ignore_errors=True)
        os.makedirs(gpu_folder)
        content, more = trace(trace_events), trace(events)
        with gzip.open(os.path.join(gpu_folder, 'trace.json.gz'), 'wb', compresslevel=1) as f:
            f.write(content)
        if file is not None:
            with open(os.path.join(gpu_folder, file), 'wb') as f:
                f.write(more)
        yield name + ' of a job', [root], len(content) + len(more), 0, 0


def compress_zst(raw):
    """Nothing where the program zstd is not here."""
    if shutil.which('zstd') is None:
        return b''
    return subprocess.run(['zstd', '-3', '-c'], input=raw, capture_output=True, check=True).stdout


def tau(folder, rows, count):
    """A .trc of @rows (event, node, thread, parameter, time) and a .edf that says it has @count events."""
    with open(os.path.join(folder, 'tautrace.edf'), 'w') as f:
        f.write('%d dynamic_trace_events\n# FunctionId Group Tag "Name Type" Parameters\n' % count)
        f.write('1 TAUEVENT 0 ".TAU <unknown event>" TriggerValue\n3 TRACER 0 "EV_INIT" none\n'
                '7 TRACER 0 "WALL_CLOCK" none\n60000 TAU_USER 1 "main" EntryExit\n')
    with open(os.path.join(folder, 'tautrace.trc'), 'wb') as f:
        f.write(struct.pack('<iHHqQ', 3, 0, 0, 3, 100))
        f.write(b''.join(struct.pack('<iHHqQ', *row) for row in rows))
    return [os.path.join(folder, 'tautrace.trc'), os.path.join(folder, 'tautrace.edf')]


def ctf(folder, data, pid_of):
    """Threads, each with one span that does not end, in the processes that @pid_of has of their numbers."""
    sys.path.insert(0, os.path.join(data, 'generators'))
    writer = __import__('ctf')
    root = os.path.join(folder, 'ctf')
    shutil.rmtree(root, ignore_errors=True)
    out = writer.Trace(root, [('shop:order_begin', [('id', 'u64')])], [('vpid', 'i32'), ('vtid', 'i32')],
                       {'hostname': 'h'}, n_cpus=1, per_packet=4000)
    for i in range(2 * MANY):
        out.event(1000 + i, 0, 'shop:order_begin', (pid_of(i), i), id=1)
    out.write()
    return [root], os.path.getsize(os.path.join(root, 'channel0_0'))


def fragments():
    """Metadata of CTF 2: name -> (bytes, bytes of a stream)."""
    def number(**more):
        return {'type': 'fixed-length-unsigned-integer', 'length': 8, 'byte-order': 'little-endian', **more}

    def structure(fields):
        return {'type': 'structure', 'member-classes': [{'name': n, 'field-class': c} for n, c in fields]}

    def choice(fields, path=('n',)):
        return {'type': 'variant', 'selector-field-location': {'path': list(path)},
                'options': [{'selector-field-ranges': r, 'field-class': c} for r, c in fields]}

    def metadata(*more):
        return b''.join(b'\x1e' + json.dumps(f, separators=(',', ':')).encode()
                        for f in ({'type': 'preamble', 'version': 2}, *more))

    def event(fields):
        return {'type': 'event-record-class', 'payload-field-class': structure(fields)}

    stream = {'type': 'data-stream-class', 'id': 0}
    some = MANY // 20
    yield 'values', (metadata({**stream, 'attributes': [0] * (5 * MANY)}), b'')
    yield 'streams', (metadata(*({**stream, 'id': i} for i in range(MANY))), b'')
    yield 'events', (metadata(stream, *({**event([]), 'id': i, 'name': 'e%d' % i} for i in range(MANY // 2))), b'')
    yield 'clocks', (metadata(*({'type': 'clock-class', 'id': 'c%d' % i, 'frequency': 1} for i in range(MANY)), stream), b'')
    ranges = {'type': 'field-class-alias', 'name': 'v', 'field-class': choice([([[1, 1]] * some, number())])}
    yield 'ranges that many ask for', (metadata(ranges, stream, event([('n', number())] + [('m%d' % i, 'v') for i in range(some)])), b'')
    labels = number(mappings={'a%d' % i: [[0, 1]] for i in range(some)})
    yield 'labels of one value', (metadata(stream, event([('n', labels)])), b'\1' * some)
    # Ranges of one field, and as many events of two bytes.
    many = MANY // 2
    word, twos = number(length=16), b''.join(struct.pack('<H', 65535 - i % 4096) for i in range(many))
    apart, nested = ({'a%d' % i: [r] for i, r in enumerate(ranges)} for ranges in (
        ([i, i] for i in range(many)), ([i // 2, 65535 - i // 8] for i in range(many))))
    yield 'ranges of an enumeration', (metadata(stream, event([('n', {**word, 'mappings': apart})])), twos)
    yield 'ranges that overlap', (metadata(stream, event([('n', {**word, 'mappings': nested})])), twos)
    yield 'ranges of two labels', (metadata(stream, event([('n', {**word, 'mappings': {
        a: [[i // 2, 65535 - i // 8] for i in range(many // 2)] for a in 'ab'}})])), twos)
    some_choices = choice([([[i % 65536, i % 65536] for i in range(many)], structure([])), ([[0, 65535]], structure([]))])
    yield 'ranges of a variant', (metadata(stream, event([('n', word), ('v', some_choices)])), twos)
    flags = {**number(length=64), 'type': 'fixed-length-bit-map', 'flags': {'a%d' % i: [[i % 64, i % 67]] for i in range(many) if i % 64 <= i % 67}}
    yield 'ranges of a bit map', (metadata(stream, event([('n', flags)])), twos[:2 * many // 8 * 8])
    text = {'type': 'dynamic-length-string', 'length-field-location': {'path': ['s', 'm']}}
    several = choice([([[i, i]], structure([('m', number())])) for i in range(some)])
    yield 'fields that many mean', (metadata(stream, event([('n', number()), ('s', several)] + [('m%d' % i, text) for i in range(some)])), b'')
    signed = {**number(length=32), 'type': 'fixed-length-signed-integer'}
    clock = {'type': 'clock-class', 'id': 'c', 'frequency': 1000000000}
    stream = {**stream, 'default-clock-class-id': 'c', 'event-record-header-field-class':
              structure([('t', number(length=32, roles=['default-clock-timestamp']))])}
    switch = {**event([(n, signed) for n in ('prev_tid', 'prev_state', 'next_tid')]), 'name': 'sched_switch'}
    yield 'threads of a scheduler', (metadata(clock, stream, switch),
                                     b''.join(struct.pack('<Iiii', i, 2 * i + 1, 0, 2 * i + 2) for i in range(MANY)))
    sizes = [('size', number(length=32, roles=['packet-content-length', 'packet-total-length'])),
             ('end', number(length=32, roles=['packet-end-default-clock-timestamp'])),
             ('lost', number(length=32, roles=['discarded-event-record-counter-snapshot'])), ('cpu_id', number(length=16))]
    stream = {**stream, 'packet-context-field-class': structure(sizes)}
    yield 'losses of a processor', (metadata(clock, stream, switch), b''.join(
        struct.pack('<IIIHIiii', 240, i, i, 65535, i, 1, 0, 2) for i in range(MANY)))


def declarations():
    """Metadata of CTF 1.8: as fragments()."""
    many, some = MANY // 2, MANY // 20
    byte = 'integer { size = 8; align = 8; }'
    twos = b''.join(struct.pack('<H', 65535 - i % 4096) for i in range(many))

    def metadata(fields):
        return ('/* CTF 1.8 */\ntrace { major = 1; minor = 8; byte_order = le; };\nstream { };\n'
                'event { name = "e"; id = 0; fields := struct { %s }; };\n' % fields).encode()

    def enum(labels, size=16):
        return 'enum : integer { size = %d; align = 8; } { %s } n;' % (size, ','.join(labels))

    yield 'labels', (metadata(enum('a%d' % i for i in range(many))), twos)
    yield 'labels that overlap', (metadata(enum('a%d = %d ... %d' % (i, i // 2, 65535 - i // 8) for i in range(many))), twos)
    yield 'labels of one value', (metadata(enum(('a%d = 1' % i for i in range(some)), 8)), b'\1' * some)
    yield 'values of one label', (metadata(enum('a = %d' % (2 * i) for i in range(many))), twos)
    options = ' '.join('%s a%d;' % (byte, i) for i in range(many))
    yield 'options', (metadata(enum(('a%d' % i for i in range(many)), 32) + 'variant <n> { %s } v;' % options),
                      b''.join(struct.pack('<IB', i, 7) for i in range(many)))
    before, behind = (' '.join(form % (byte, i) for i in range(MANY // 4)) for form in ('%s f%d;', 'variant <n> { %s a; } v%d;'))
    yield 'variants behind many fields', (metadata(before + enum(['a']) + behind), b'')
    variants = ' '.join('variant <n> { %s a; } v%d;' % (byte, i) for i in range(some))
    yield 'variants of one label', (metadata(enum('a = %d' % (2 * i) for i in range(some)) + variants), b'')


def metadata_of_ctf(folder):
    """As inputs(): CTF 2 and CTF 1.8."""
    root = os.path.join(folder, 'ctf2')
    for name, (text, stream) in itertools.chain(((n + ' of CTF 2', c) for n, c in fragments()),
                                                ((n + ' of CTF 1.8', c) for n, c in declarations())):
        shutil.rmtree(root, ignore_errors=True)
        os.mkdir(root)
        for file, content in (('metadata', text), ('stream', stream)):
            with open(os.path.join(root, file), 'wb') as f:
                f.write(content)
        yield name, [root], len(text) + len(stream), 0, 2 * MANY if name.startswith('threads') else 0


def inputs(folder, each):
    """What to import: name, paths, decompressed bytes; bytes of the longest name, threads of TAU or CTF if there are many."""
    for name, content in each():
        path = os.path.join(folder, 'trace.json')
        with open(path, 'wb') as f:
            f.write(content)
        yield name, [path], len(content), 250 * MANY if name.startswith('one name') else 0, 0


def files(folder, data):
    """As inputs(): what is not one text."""
    blank = b'{"traceEvents":[' + b' ' * (500 * MANY) + span('f', 1).encode() + b']}'
    for suffix, pack in (('gz', lambda raw: gzip.compress(raw, 9)), ('zst', compress_zst)):
        packed = pack(blank)
        path = os.path.join(folder, 'bomb.json.' + suffix)
        with open(path, 'wb') as f:
            f.write(packed)
        if packed:
            yield 'a bomb of ' + suffix, [path], len(blank), 0, 0
    path = os.path.join(folder, 'members.json.gz')
    with open(path, 'wb') as f:
        f.write(gzip.compress(b'{"traceEvents":[') + gzip.compress(b' ') * MANY + gzip.compress(b']}') +
                gzip.compress(b'') * MANY)
    yield 'members of gz', [path], os.path.getsize(path), 0, 0
    rows = [(60000, i >> 16, i & 0xffff, 1, 200 + i) for i in range(MANY)]
    yield 'threads of TAU', tau(folder, rows, 4), 24 * MANY, 0, MANY
    rows = [(60000, i & 0xffff, i >> 16, 1, 200 + i) for i in range(MANY)]
    yield 'nodes of TAU', tau(folder, rows, 4), 24 * MANY, 0, MANY
    rows = [(60000, 0, 0, 1, 200 + i) for i in range(MANY)]
    yield 'open spans of TAU', tau(folder, rows, 4), 24 * MANY, 0, 0
    yield 'a count of TAU', tau(folder, [(60000, 0, 0, 1, 200)], 2000000000), 500, 0, 0
    yield 'zero records of TAU', tau(folder, [(0, 0, 0, 0, 0)] * MANY, 4), 24 * MANY, 0, 0
    log = os.path.join(folder, 'neutrino-times')
    shutil.copytree(os.path.join(data, 'neutrino-times'), log, copy_function=shutil.copyfile)
    for root, _, names in os.walk(log):
        os.chmod(root, 0o755)
        for name in names:
            if name == 'event.log':
                with open(os.path.join(root, name), 'r+b') as f:
                    text = re.sub(rb'cmd \d+', b'cmd 2124456789', f.read())
                    f.seek(0)
                    f.write(text)
    yield 'a command of neutrino', [log], sum(os.path.getsize(os.path.join(r, n)) for r, _, ns in os.walk(log) for n in ns), 0, 0
    for name, pid_of in (('threads of CTF', lambda i: 7), ('processes of CTF', lambda i: i)):
        paths, size = ctf(folder, data, pid_of)
        yield name, paths, size, 0, 2 * MANY


def huge_numbers(rng, source, folder):
    """A copy of an example with some of its bytes replaced by huge counts."""
    copy = os.path.join(folder, 'damaged')
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(source, copy, copy_function=shutil.copyfile)
    files = [os.path.join(r, n) for r, _, names in os.walk(copy) for n in names]
    for root, _, _ in os.walk(copy):
        os.chmod(root, 0o755)
    path = rng.choice([f for f in files if os.path.getsize(f) > 8])
    with open(path, 'r+b') as f:
        data = bytearray(f.read())
        for _ in range(rng.randint(1, 3)):
            number = rng.choice((0x7fffffff, 0xffffffff, 0x40000000, 0x10000000, 0x02000000, 1 << 40, (1 << 63) - 1))
            raw = number.to_bytes(8, rng.choice(('little', 'big')))
            raw = rng.choice((raw, raw[:4], raw[4:], b'\xff\xff\xff\xff\x7f'))
            at = rng.randrange(min(len(data), rng.choice((64, 512, len(data)))))
            data[at:at + len(raw)] = raw
        f.seek(0)
        f.write(data)
    return '%s, %s' % (os.path.basename(source), os.path.relpath(path, copy)), [copy], sum(map(os.path.getsize, files)), 0, 0


# A process of its own, for what a child has of its parent before it is the program counts as its memory. It needs nothing
# that would make it large, or slow to start.
MEASURE = """import os, resource, sys
null = os.open(os.devnull, os.O_RDWR)
process = os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ, file_actions=[(os.POSIX_SPAWN_DUP2, null, i) for i in (0, 1)])
_, status, used = os.wait4(process, 0)
print(os.waitstatus_to_exitcode(status), used.ru_maxrss, used.ru_utime + used.ru_stime)
"""


def measure(command):
    """Status, peak KiB, seconds of processor time, what it said."""
    for _ in range(TRIES):
        run = subprocess.run([sys.executable, '-ISc', MEASURE, *command], capture_output=True)
        words = run.stderr.decode('utf-8', 'replace')
        if run.stdout:
            status, kib, seconds = run.stdout.split()
            return int(status), int(kib), float(seconds), words
        # What ended is the process that measures, not the program: a machine without room for it, for example.
        print(f'# not measured: status {run.returncode}: {words[-300:]!r}', flush=True)
        time.sleep(2)
    raise RuntimeError('nothing can be measured here')


def check(tracetool, work, case, scratch, base_kib=BASE_KIB):
    name, paths, size, longest, threads = case
    out = os.path.join(scratch, 'out.json')
    db = os.path.join(scratch, 'out.db')
    command = ['--db', db, 'import', *paths] if work == 'import' else ['convert', *paths, out]
    status, kib, seconds, words = measure([tracetool, *command])
    a_byte = BYTES_PER_DEFINITION_BYTE if name.startswith(MILLIONS) else BYTES_PER_BYTE[work]
    most_kib = base_kib + (size * a_byte + longest * BYTES_PER_NAME_BYTE + threads * BYTES_PER_THREAD[work]) / 1024
    most_seconds = SECONDS + size * NS_PER_BYTE / 1e9
    made = [path for path in (out, db) if os.path.exists(path) and os.path.getsize(path) > 0]
    for path in made:
        os.remove(path)
    problem = None
    if status not in (0, 1, 3):
        problem = f'status {status}'
    elif (status != 1) != bool(made):
        problem = 'nothing came of it' if status != 1 else 'something came of a failure'
    elif kib > most_kib:
        problem = f'{kib} KiB, at most {most_kib:.0f}'
    elif seconds > most_seconds:
        problem = f'{seconds:.1f} s, at most {most_seconds:.1f}'
    elif status == 1 and not words:
        problem = 'fails without a word'
    told = 'refused' if status == 1 else 'taken'
    print(f'# {work} {name}: {size / 1e6:.2f} MB, {told}, {kib / 1000:.0f} MB, {seconds:.2f} s' +
          (f': {problem}: {words[-300:]!r}' if problem else ''), flush=True)
    return problem is None


def main():
    tracetool, data = sys.argv[1:3]
    wrong = n = 0
    with tempfile.TemporaryDirectory() as scratch:
        if sys.argv[3:] == ['dialects']:
            for base_kib, cases in ((DIALECT_BASE_KIB, inputs(scratch, dialects)), (BASE_KIB, inputs(scratch, definitions)),
                                    (BASE_KIB, jobs(scratch))):
                for case in cases:
                    wrong += not check(tracetool, 'import', case, scratch, base_kib)
                    n += 1
        elif len(sys.argv) > 3:
            rng = random.Random(int(sys.argv[3]))
            examples = sorted(e.path for e in os.scandir(data) if e.is_dir() and
                              e.name.startswith(('ctf-', 'tau-', 'pi-', 'neutrino-', 'job-')))
            for _ in range(int(sys.argv[4])):
                wrong += not check(tracetool, 'import', huge_numbers(rng, rng.choice(examples), scratch), scratch)
                n += 1
        else:
            for case in itertools.chain(inputs(scratch, texts), files(scratch, data), metadata_of_ctf(scratch)):
                for work in BYTES_PER_BYTE:
                    wrong += not check(tracetool, work, case, scratch)
                    n += 1
    print(f'# {n} measured, {wrong} beyond a bound')
    sys.exit(wrong > 0 or n == 0)


if __name__ == '__main__':
    main()
