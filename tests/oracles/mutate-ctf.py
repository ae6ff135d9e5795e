#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Changes the packets of copies of a CTF trace and imports each: what a decoder must not believe.

    mutate-ctf.py TRACETOOL DIRECTORY SEED COUNT [KEEP]

Streams as data/generators/ctf.py lays them out are taken apart into packets. Fields of their headers get the values of
others and odd ones; packets are lost, doubled, change places and streams; events get other ids and times; lengths inside
become huge, ends of texts go. What holds of each: it ends with status 0 or 1, in bounded memory; an error names the
trace; what was imported is sound, of no more events than there are bytes for, and of spans that can be. What does not
hold is printed, and kept in KEEP.
"""
import json
import os
import random
import resource
import shutil
import struct
import subprocess
import sys
import tempfile

HEADER = 'II16sQQQQIII'
MAGIC, STREAM, UUID, BEGIN, END, CONTENT, SIZE, DISCARDED, SEQUENCE, CPU = range(10)
WIDTHS = {STREAM: 32, MAGIC: 32, BEGIN: 64, END: 64, CONTENT: 64, SIZE: 64, DISCARDED: 32, SEQUENCE: 32, CPU: 32}
EVENT = 'HQ'
MAX_SECONDS = 60  # two decodings of 10 s and what a loaded machine adds; a hang is longer
MAX_KIB = 200 * 1000
MIN_EVENT_BYTES = 10


class Packet:
    def __init__(self, order, raw):
        self.order = order
        self.at = struct.calcsize(order + HEADER)
        self.fields = list(struct.unpack(order + HEADER, raw[:self.at]))
        self.body = bytearray(raw[self.at:])

    def copy(self):
        return Packet(self.order, self.write())

    def write(self):
        return struct.pack(self.order + HEADER, *self.fields) + bytes(self.body)

    def events(self):
        """Where headers of events are likely to be."""
        size = struct.calcsize(self.order + EVENT)
        found = []
        for at in range(len(self.body) - size):
            number, ts = struct.unpack_from(self.order + EVENT, self.body, at)
            if number < 256 and self.fields[BEGIN] <= ts <= self.fields[END]:
                found.append(at)
        return found


def read_packets(path):
    with open(path, 'rb') as f:
        raw = f.read()
    order = '<' if raw[:4] == struct.pack('<I', 0xC1FC1FC1) else '>'
    packets, at = [], 0
    while at < len(raw):
        size = struct.unpack_from(order + HEADER, raw, at)[SIZE] // 8
        packets.append(Packet(order, raw[at:at + size]))
        at += size
    return packets


def odd_value(rng, value, bits, others):
    most = (1 << bits) - 1
    return rng.choice((0, 1, 7, 8, 64, most, most >> 1, (most >> 1) + 1, most // 8, 1 << 31, value + 1, value - 1, value + 8,
                       value - 8, value * 2, value // 2, value + (1 << 30), rng.getrandbits(bits), rng.choice(others))) & most


def change_field(rng, streams, packet):
    which = rng.choice(list(WIDTHS))
    others = [p.fields[which] for packets in streams for p in packets] + [len(packet.write()) * 8]
    packet.fields[which] = odd_value(rng, packet.fields[which], WIDTHS[which], others)


def change_uuid(rng, _, packet):
    uuid = bytearray(packet.fields[UUID])
    uuid[rng.randrange(16)] ^= 1 << rng.randrange(8)
    packet.fields[UUID] = bytes(uuid)


def change_event(rng, _, packet):
    events = packet.events()
    if not events:
        return
    at = rng.choice(events)
    number, ts = struct.unpack_from(packet.order + EVENT, packet.body, at)
    if rng.random() < 0.5:
        number = rng.choice((number + 1, number - 1, 0, 255, 0xffff, rng.getrandbits(16))) & 0xffff
    else:
        other = struct.unpack_from(packet.order + EVENT, packet.body, rng.choice(events))[1]
        ts = odd_value(rng, ts, 64, [other, packet.fields[BEGIN] - 1, packet.fields[END] + 1])
    struct.pack_into(packet.order + EVENT, packet.body, at, number, ts)


def change_length(rng, _, packet):
    """Small numbers of 4 bytes may be lengths of sequences."""
    small = [at for at in range(len(packet.body) - 4) if struct.unpack_from(packet.order + 'I', packet.body, at)[0] < 64]
    if small:
        struct.pack_into(packet.order + 'I', packet.body, rng.choice(small),
                         rng.choice((0, 1, 255, 0x10000, 0x1000000, 0x7fffffff, 0xffffffff)))


def join_texts(rng, _, packet):
    ends = [at for at, byte in enumerate(packet.body) if byte == 0]
    for at in rng.sample(ends, min(len(ends), rng.choice((1, 8, 1000)))):
        packet.body[at] = rng.choice(b'x\xff\x1b')


def resize(rng, _, packet):
    """The content ends elsewhere, with the header or without it."""
    n = rng.choice((0, 1, 8, len(packet.body) // 2, len(packet.body) - 1, len(packet.body) + 8, len(packet.body) * 3))
    packet.body = (packet.body + bytes(max(n - len(packet.body), 0)))[:n]
    if rng.random() < 0.7:
        packet.fields[SIZE] = (packet.at + n) * 8
        packet.fields[CONTENT] = rng.choice((packet.fields[SIZE], min(packet.fields[SIZE], packet.fields[CONTENT]), packet.at * 8))


def move_packet(rng, streams, _):
    source, target = rng.choice(streams), rng.choice(streams)
    if not source:
        return
    at = rng.randrange(len(source))
    how = rng.randrange(4)
    if how == 0:
        del source[at]
    elif how == 1:
        source.reverse()
    else:
        target.insert(rng.randrange(len(target) + 1), source[at].copy() if how == 2 else source.pop(at))


CHANGES = (change_field, change_field, change_field, change_uuid, change_event, change_event, change_length, join_texts, resize,
           move_packet, move_packet)


def mutate(rng, directory):
    """Changes the streams below @directory; returns what was done."""
    paths = sorted(os.path.join(root, name) for root, _, names in os.walk(directory) for name in names
                   if name.startswith('channel'))
    streams = [read_packets(path) for path in paths]
    done = []
    for _ in range(rng.randint(1, 4)):
        packets = [packet for packets in streams for packet in packets]
        if packets:
            change = rng.choice(CHANGES)
            change(rng, streams, rng.choice(packets))
            done.append(change.__name__)
    for path, packets in zip(paths, streams):
        with open(path, 'wb') as f:
            f.write(b''.join(packet.write() for packet in packets))
    return ' '.join(done), sum(os.path.getsize(path) for path in paths)


def query(tracetool, db, sql):
    run = subprocess.run([tracetool, '--db', db, 'query', '--format', 'json', sql], capture_output=True, text=True)
    return list(json.loads(run.stdout)[0].values())[0] if run.returncode == 0 else f'status {run.returncode}: {run.stderr}'


def look(tracetool, db, n_bytes):
    """What is wrong with what was imported; None: nothing."""
    checked = subprocess.run([tracetool, '--db', db, 'info', '--check'], capture_output=True, text=True)
    if checked.returncode != 0 or not checked.stdout:
        return 'unsound: ' + checked.stderr
    n_events = query(tracetool, db, 'SELECT count(*) FROM event')
    if not isinstance(n_events, int) or n_events > n_bytes // MIN_EVENT_BYTES:
        return f'{n_events} events of {n_bytes} bytes'
    # Not of the view, whose durations are corrected where clocks differ, while self times are as measured.
    n_odd = query(tracetool, db, 'SELECT count(*) FROM event_row WHERE dur_ns < 0 OR self_ns < 0 OR self_ns > dur_ns')
    return None if n_odd == 0 else f'{n_odd} spans of impossible times'


def check(tracetool, trace, db, n_bytes, env):
    for path in (db, db + '-wal', db + '-shm'):
        if os.path.exists(path):
            os.remove(path)
    try:
        run = subprocess.run([tracetool, '--db', db, 'import', trace], capture_output=True, timeout=MAX_SECONDS, env=env)
    except subprocess.TimeoutExpired:
        return 'hang', 'no end'
    status, text = run.returncode, run.stderr.decode('utf-8', 'replace')
    if status == 3 and 'left out' in text:
        status = 0  # imported but for what is damaged
    if status not in (0, 1):
        problem = f'status {status}'
    elif (status == 0) != os.path.exists(db):
        problem = 'no database' if status == 0 else 'a database after an error'
    elif status == 1 and 'channel' not in text and 'trace' not in text.replace('tracetool', ''):
        problem = 'an error that names nothing'
    elif 'CRITICAL' in text or 'WARNING' in text or 'Sanitizer' in text:
        problem = 'a warning of a library'
    elif os.listdir(env['TMPDIR']):
        problem = 'something left in TMPDIR'
    elif resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss > MAX_KIB:
        problem = f'{resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss} KiB'
    else:
        problem = look(tracetool, db, n_bytes) if status == 0 else None
    return status, problem and f'{problem}: {text[-300:]!r}'


def main():
    tracetool, source, seed, count = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    rng = random.Random(seed)
    outcomes, wrong = {0: 0, 1: 0}, 0
    with tempfile.TemporaryDirectory() as scratch:
        env = dict(os.environ, TMPDIR=os.path.join(scratch, 'tmp'))
        os.mkdir(env['TMPDIR'])
        db = os.path.join(scratch, 'made.db')
        if check(tracetool, source, db, 1 << 30, env) != (0, None):
            sys.exit('the trace as it is cannot be imported')
        for i in range(count):
            trace = os.path.join(scratch, 'trace')
            shutil.rmtree(trace, ignore_errors=True)
            shutil.copytree(source, trace, copy_function=shutil.copyfile)
            for root, _, _ in os.walk(trace):
                os.chmod(root, 0o755)
            what, n_bytes = mutate(rng, trace)
            status, problem = check(tracetool, trace, db, n_bytes, env)
            if problem is None:
                outcomes[status] += 1
                continue
            wrong += 1
            print(f'# {i}: {what}: {problem}', flush=True)
            if len(sys.argv) > 5:
                shutil.copytree(trace, os.path.join(sys.argv[5], f'{seed}-{i}'), dirs_exist_ok=True)
    print(f'# {outcomes[0]} imported, {outcomes[1]} refused, {wrong} wrong')
    sys.exit(wrong > 0 or count == 0)


if __name__ == '__main__':
    main()
