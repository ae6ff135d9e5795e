#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Packed recordings by the text of the format alone.

  pi-archive.py read FILE DIR       unpacks; frames by the program zstd, and the facts that frames must have
  pi-archive.py write DIR FILE      packs, with frames of stored blocks
  pi-archive.py bad KIND FILE       an archive that must be refused
"""
import os
import struct
import subprocess
import sys


def frame(data, said=None):
    head = struct.pack('<IBQ', 0xFD2FB528, 0b11100000, len(data) if said is None else said)
    blocks, pieces = b'', [data[i:i + 100000] for i in range(0, len(data), 100000)] or [b'']
    for i, piece in enumerate(pieces):
        blocks += struct.pack('<I', len(piece) << 3 | (i == len(pieces) - 1))[:3] + piece
    return head + blocks


def entry(kind, name, data=None):
    name = name if isinstance(name, bytes) else name.encode()
    out = struct.pack('<BQ', kind, len(name)) + name
    return out + struct.pack('<Q', len(data)) + data if kind == 1 else out


def read(path, to):
    data, at = open(path, 'rb').read(), 1
    assert data[0] == 0
    os.mkdir(to)
    while at < len(data):
        kind, length = struct.unpack_from('<BQ', data, at)
        name = data[at + 9:at + 9 + length].decode()
        at += 9 + length
        assert not name.startswith('/') and '..' not in name.split('/')
        if kind == 0:
            os.mkdir(os.path.join(to, name))
            continue
        size, = struct.unpack_from('<Q', data, at)
        packed = data[at + 8:at + 8 + size]
        at += 8 + size
        magic, head = struct.unpack_from('<IB', packed)
        assert magic == 0xFD2FB528 and (head >> 6 or head & 0x20), 'no content size'
        plain = subprocess.run(['zstd', '-dc'], input=packed, capture_output=True, check=True).stdout
        with open(os.path.join(to, name), 'xb') as out:
            out.write(plain)
    assert at == len(data)


def write(directory, path):
    out = b'\0'
    for base, folders, files in os.walk(directory):
        below = os.path.relpath(base, directory)
        prefix = '' if below == '.' else below + '/'
        for name in folders:
            out += entry(0, prefix + name)
        for name in files:
            out += entry(1, prefix + name, frame(open(os.path.join(base, name), 'rb').read()))
    open(path, 'wb').write(out)


def bad(kind):
    file = frame(b'x' * 100)
    good = b'\0' + entry(1, 'main.ttpi', file)
    unknown = struct.pack('<IBB', 0xFD2FB528, 0, 0x58) + struct.pack('<I', 100 << 3 | 1)[:3] + b'x' * 100
    return {
        'absolute': good + entry(1, '/tmp/pi-archive-absolute', file),
        'parent': good + entry(1, '../pi-archive-parent', file),
        'inside': good + entry(1, 'a/../../pi-archive-parent', file),
        'parent-directory': good + entry(0, '..'),
        'nul': good + entry(1, b'a\0b', file),
        'empty-name': good + entry(1, '', file),
        'long-name': good + struct.pack('<BQ', 1, 1 << 40) + b'name',
        'kind': good + entry(2, 'x'),
        'version': b'\1' + good[1:],
        'cut': good[:-20],
        'cut-head': good + b'\1\5',
        'length': good[:1] + good[1:18] + struct.pack('<Q', 1 << 50) + file,
        'no-frame': good + entry(1, 'x', b'not a frame at all, not at all'),
        'no-size': good + entry(1, 'x', unknown),
        'bomb': good + entry(1, 'x', frame(b'x' * 100, 1 << 60)),
        'lies-more': good + entry(1, 'x', frame(b'x' * 100, 200)),
        'lies-less': good + entry(1, 'x', frame(b'x' * 100, 50)),
        'twice': good + entry(1, 'main.ttpi', file),
        'file-then-directory': good + entry(1, 'main.ttpi/x', file),
        'large': good + entry(1, 'x', frame(b'', 0)) + b''.join(
            entry(1, f'x{i}', frame(b'x' * 100, 6000000)) for i in range(2000)),
    }[kind]


if sys.argv[1] == 'read':
    read(sys.argv[2], sys.argv[3])
elif sys.argv[1] == 'write':
    write(sys.argv[2], sys.argv[3])
else:
    open(sys.argv[3], 'wb').write(bad(sys.argv[2]))
