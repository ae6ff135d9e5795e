#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes a CTF trace whose events have a header of one form and fields of all kinds, aligned in all ways, by chance.

    ctf_headers.py FORM SEED DIRECTORY      FORM: compact, large (as LTTng has them), natural (compact, on machines that align), plain,
                                            late (the time comes first)
"""
import os
import random
import struct
import sys

form, rng, directory = sys.argv[1], random.Random(sys.argv[2]), sys.argv[3]


class Bits:
    """Little-endian bits; numbers of whole bytes may be big-endian."""
    def __init__(self):
        self.data = bytearray()
        self.at = 0

    def align(self, n):
        self.at = (self.at + n - 1) // n * n

    def put(self, value, size, align, big=False):
        self.align(align)
        value &= (1 << size) - 1
        if big:
            value = int.from_bytes(value.to_bytes(size // 8, 'big'), 'little')
        first, last = self.at // 8, (self.at + size + 7) // 8
        self.data.extend(bytes(max(0, last - len(self.data))))
        old = int.from_bytes(self.data[first:last], 'little')
        self.data[first:last] = (old | value << self.at % 8).to_bytes(last - first, 'little')
        self.at += size

    def put_bytes(self, data):
        for byte in data:
            self.put(byte, 8, 8)


def natural(size):
    return size if form == 'natural' else 8


def integer(size, align, more=''):
    return f'integer {{ size = {size}; align = {align}; {more} }}'


STAMP = 'map = clock.c.value;'
EXTENDED = f'struct {{ {integer(32, natural(32))} id; {integer(64, natural(64), STAMP)} t; }} extended;'
HEADERS = {'plain': (f'{integer(32, 8)} id; {integer(64, 8, STAMP)} t;', 8), 'late': (f'{integer(64, 8, STAMP)} t; {integer(16, 8)} id;', 8),
           'large': (f'enum : {integer(16, 8)} {{ compact = 0 ... 65534, extended = 65535 }} id; '
                     f'variant <id> {{ struct {{ {integer(32, 8, STAMP)} t; }} compact; {EXTENDED} }} v;', 8)}
for name, align in ('compact', 8), ('natural', 64):
    HEADERS[name] = (f'enum : {integer(5, 1)} {{ compact = 0 ... 30, extended = 31 }} id; '
                     f'variant <id> {{ struct {{ {integer(27, 1, STAMP)} t; }} compact; {EXTENDED} }} v;', align)


def put_header(bits, number, now, before):
    bits.align(HEADERS[form][1])
    if form == 'plain':
        bits.put(number, 32, 8)
        bits.put(now, 64, 8)
    elif form == 'late':
        bits.put(now, 64, 8)
        bits.put(number, 16, 8)
    else:
        width, clock, most = (16, 32, 65535) if form == 'large' else (5, 27, 31)
        is_short = number < most and now - before < 1 << clock and rng.random() < 0.9
        bits.put(number if is_short else most, width, 8 if form == 'large' else 1)
        if is_short:
            bits.put(now, clock, 8 if form == 'large' else 1)
        else:
            bits.align(natural(64))
            bits.put(number, 32, natural(32))
            bits.put(now, 64, natural(64))


def make_field(n):
    """Its declaration, its alignment, and what writes it."""
    kind = rng.choice(['int', 'int', 'int', 'int', 'bits', 'real', 'string', 'chars', 'bytes'])
    size = rng.choice([8, 16, 32, 64])
    align, big, signed = rng.choice([8, size]), rng.random() < 0.2, rng.random() < 0.5
    order = 'byte_order = be;' if big else ''
    if kind == 'int':
        text = integer(size, align, f'signed = {str(signed).lower()}; {order}') + f' f{n};'
        return text, align, lambda bits: bits.put(rng.getrandbits(size), size, align, big)
    if kind == 'bits':
        size = rng.randint(1, 13)
        return integer(size, 1, f'signed = {str(signed).lower()};') + f' f{n};', 1, lambda bits: bits.put(rng.getrandbits(size), size, 1)
    if kind == 'real':
        size, mantissa, exponent = rng.choice([(32, 24, 8), (64, 53, 11)])
        align = rng.choice([8, size])
        text = f'floating_point {{ mant_dig = {mantissa}; exp_dig = {exponent}; align = {align}; {order} }} f{n};'
        code = '<f' if size == 32 else '<d'
        return text, align, lambda bits: bits.put(int.from_bytes(struct.pack(code, rng.randint(-1000, 1000) / 8), 'little'), size, align, big)
    word = lambda: bytes(rng.choice(b'abcxyz') for _ in range(rng.randint(0, 9)))
    if kind == 'string':
        return f'string f{n};', 8, lambda bits: bits.put_bytes(word() + b'\0')
    length = rng.randint(1, 17)
    if kind == 'chars':
        return integer(8, 8, 'encoding = UTF8;') + f' f{n}[{length}];', 8, lambda bits: bits.put_bytes(word()[:length].ljust(length, b'\0'))
    return integer(8, 8) + f' f{n}[{length}];', 8, lambda bits: bits.put_bytes(rng.randbytes(length))


events = [[make_field(n) for n in range(rng.randint(1, 8))] for _ in range(40)]
context = [make_field(n) for n in range(rng.randint(0, 3))]
text = ['/* CTF 1.8 */', 'trace { major = 1; minor = 8; byte_order = le; };', 'clock { name = c; freq = 1000000000; offset = 0; };',
        'stream {', f'event.header := struct {{ {HEADERS[form][0]} }} align({HEADERS[form][1]});',
        f'packet.context := struct {{ {integer(64, 8)} content_size; {integer(64, 8)} packet_size; {integer(32, 8)} cpu_id; }};']
if context:
    text.append(f'event.context := struct {{ {" ".join(of for of, _, _ in context)} }};')
text.append('};')
for number, fields in enumerate(events):
    text.append(f'event {{ name = "e{number}"; id = {number}; fields := struct {{ {" ".join(of for of, _, _ in fields)} }}; }};')
os.makedirs(directory)
with open(os.path.join(directory, 'metadata'), 'w', encoding='ascii') as f:
    f.write('\n'.join(text) + '\n')
now = before = 5
with open(os.path.join(directory, 'stream'), 'wb') as f:
    for _ in range(rng.randint(2, 12)):
        bits = Bits()
        bits.put(0, 160, 8)
        for _ in range(rng.randint(1, 400)):
            before, now = now, now + rng.choice([1, 1000, 1 << 26, 1 << 28])
            number = rng.randrange(len(events))
            put_header(bits, number, now, before)
            for scope in (context, events[number]):
                bits.align(max([of for _, of, _ in scope], default=1))
                for _, _, put in scope:
                    put(bits)
        content = bits.at
        bits.align(64)
        bits.data.extend(bytes(bits.at // 8 - len(bits.data)))
        bits.data[:20] = struct.pack('<QQI', content, bits.at, 3)
        f.write(bits.data)
