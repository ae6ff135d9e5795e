#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Reads native recordings by the text of formats/pi/native.h alone.

  pi-native.py list FILE            a line a call: name, result, arguments, blocks before and after
  pi-native.py numbers N FILE...    every thread made the N numbered calls of tests/pi-host/program in order,
                                           and no two threads made the same
  pi-native.py sum NUMBER FILE      the bytes that thread NUMBER read back are the sums of its vectors
"""
import struct
import sys


def records(data):
    assert data[:8] == b'TTPICALL' and struct.unpack_from('<II', data, 8) == (1, 64)
    at = 64
    while at + 8 <= len(data):
        size, kind, n = struct.unpack_from('<IHH', data, at)
        if size == 0:
            break
        assert size % 8 == 0 and at + size <= len(data), at
        yield kind, n, data[at + 8:at + size]
        at += size


def blocks(n, body):
    found, at = [], 0
    for _ in range(n):
        param, kind, _, length, whole = struct.unpack_from('<BBHIQ', body, at)
        found.append((param, kind, whole, body[at + 16:at + 16 + length]))
        at += 16 + (length + 7) // 8 * 8
    assert at == len(body), (at, len(body))
    return found


def calls(path):
    names, begun, done = {}, {}, []
    for kind, n, body in records(open(path, 'rb').read()):
        if kind == 1:
            index, fid, api, params, length = struct.unpack_from('<IIBBH', body)
            sizes = list(body[16:16 + params])
            names[index] = (body[16 + params:16 + params + length].decode(), sizes)
        elif kind == 2:
            index, backend, size, instance, start = struct.unpack_from('<IhHQQ', body)
            name, sizes = names[index]
            assert sum(sizes) == size
            values, at = [], 24
            for width in sizes:
                values.append(int.from_bytes(body[at:at + width], 'little'))
                at += width
            begun[instance] = [name, None, values, blocks(n, body[24 + (size + 7) // 8 * 8:]), [], start, None]
            done.append(begun[instance])
        elif kind == 3:
            result, _, instance, end = struct.unpack_from('<iIQQ', body)
            call = begun.pop(instance)
            call[1], call[4], call[6] = result, blocks(n, body[24:]), end
            assert end >= call[5]
    times = [call[5] for call in done]
    assert times == sorted(times)
    return done


def numbers(n, paths):
    seen = set()
    for path in paths:
        values = []
        for name, result, args, before, after, start, end in calls(path):
            if name == 'piKernelSetArg':
                assert result == 0 and len(before) == 1 and before[0][:3] == (3, 1, 8)
                values.append((args[1], struct.unpack('<Q', before[0][3])[0]))
        assert len(values) == n, (path, len(values))
        thread = values[0][1] >> 32
        assert thread not in seen, path
        seen.add(thread)
        for i, (index, value) in enumerate(values):
            assert index == i and value == thread << 32 | i, (path, i, index, value)
    print(f'{len(seen)} threads of {n}')


def main():
    what = sys.argv[1]
    if what == 'numbers':
        numbers(int(sys.argv[2]), sys.argv[3:])
    elif what == 'sum':
        number = int(sys.argv[2])
        read = [call for call in calls(sys.argv[3]) if call[0] in ('piEnqueueMemBufferRead', 'piEnqueueMemBufferMap')]
        assert len(read) == 1, len(read)
        wanted = struct.pack('<256i', *(3 * i + number for i in range(256)))
        assert [block[3] for block in read[0][4] if len(block[3]) == 1024] == [wanted]
        print('sums')
    else:
        for name, result, args, before, after, start, end in calls(sys.argv[2]):
            print(name, result, args, before, after)


if __name__ == '__main__':
    main()
