#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Traces of CTF 2 with fields of every class, written bit by bit as the specification says, and what is in them.

    ctf2.py write SEED DIRECTORY EXPECTED.json
    ctf2.py check DATABASE EXPECTED.json

Classes are drawn at random, nested, and tell each other's lengths and options across structures and parts of events.
"""
import json
import os
import random
import sqlite3
import struct
import sys

EPOCH_S = 1_700_000_000
UUID = list(range(16, 32))
ORIGINS = ('packet-header', 'packet-context', 'event-record-header', 'event-record-common-context',
           'event-record-specific-context', 'event-record-payload')


class Bits:
    """A packet. The n-th bit of a field lies where its byte order counts it, and means what its bit order says."""

    def __init__(self):
        self.bytes, self.at = bytearray(), 0

    def align(self, n):
        self.at = (self.at + n - 1) // n * n
        self.room(0)

    def room(self, n):
        self.bytes.extend(bytes(max(0, (self.at + n + 7) // 8 - len(self.bytes))))

    def put(self, value, size, order, bit_order):
        self.room(size)
        for i in range(size):
            element = i if bit_order == 'first-to-last' else size - 1 - i
            bit = self.at % 8 if order == 'little-endian' else 7 - self.at % 8
            byte = self.at // 8
            self.bytes[byte] = self.bytes[byte] & ~(1 << bit) | (value >> element & 1) << bit
            self.at += 1

    def raw(self, data):
        self.align(8)
        self.room(len(data) * 8)
        self.bytes[self.at // 8:self.at // 8 + len(data)] = data
        self.at += len(data) * 8


def natural(order):
    return 'first-to-last' if order == 'little-endian' else 'last-to-first'


class Fixed:
    def __init__(self, kind, size, order, align=1, bit_order=None, **more):
        self.size, self.order, self.alignment = size, order, align
        self.bit_order = bit_order or natural(order)
        self.json = {'type': f'fixed-length-{kind}', 'length': size, 'byte-order': order, **more}
        if align != 1 or kind == 'boolean':
            self.json['alignment'] = align
        if bit_order:
            self.json['bit-order'] = bit_order

    def write(self, bits, value):
        bits.align(self.alignment)
        bits.put(self.encode(value), self.size, self.order, self.bit_order)

    def encode(self, value):
        return value & (1 << self.size) - 1


def label_of(mappings, value, low_text):
    """As the importer shows values of several labels, and labels of several values."""
    names = [name for name, ranges in mappings.items() if any(low <= value <= high for low, high in ranges)]
    if not names:
        return low_text
    several = any(sum(2 if low < high else 1 for low, high in mappings[name]) > 1 for name in names)
    return ' | '.join(names) + (f' ({value})' if several else '')


class Integer(Fixed):
    def __init__(self, size, order, signed, base=10, mappings=None, **more):
        sign = 'signed' if signed else 'unsigned'
        super().__init__(f'{sign}-integer', size, order, **more)
        self.signed, self.base, self.mappings = signed, base, mappings
        if base != 10:
            self.json['preferred-display-base'] = base
        if mappings:
            self.json['mappings'] = mappings

    def draw(self, rng):
        low, high = (-(1 << self.size - 1), (1 << self.size - 1) - 1) if self.signed else (0, (1 << self.size) - 1)
        return max(low, min(high, rng.choice([low, high, 0, 1, 3, 5, rng.randint(low, high)])))

    def shown(self, value):
        text = f'0x{value & (1 << 64) - 1:x}' if self.base == 16 else value
        return label_of(self.mappings, value, text) if self.mappings else text


class Variable(Integer):
    def __init__(self, signed, mappings=None):
        self.signed, self.base, self.mappings, self.size, self.alignment = signed, 10, mappings, 64, 8
        self.json = {'type': f'variable-length-{"signed" if signed else "unsigned"}-integer'}
        if mappings:
            self.json['mappings'] = mappings

    def write(self, bits, value):
        data = bytearray()
        while True:
            byte, value = value & 127, value >> 7
            done = value == (-1 if self.signed and byte & 64 else 0) and (not self.signed or value == -1 or not byte & 64)
            data.append(byte | (0 if done else 128))
            if done:
                break
        bits.raw(data)


class Boolean(Fixed):
    def __init__(self, size, order, **more):
        super().__init__('boolean', size, order, **more)

    def draw(self, rng):
        return rng.choice([0, 1, (1 << self.size) - 1])

    def shown(self, value):
        return value != 0


class BitArray(Fixed):
    def __init__(self, size, order, **more):
        super().__init__('bit-array', size, order, **more)

    def draw(self, rng):
        return rng.getrandbits(self.size)

    def shown(self, value):
        return f'0x{value:x}'


class BitMap(BitArray):
    def __init__(self, size, order, flags, **more):
        Fixed.__init__(self, 'bit-map', size, order, flags=flags, **more)
        self.flags = flags

    def shown(self, value):
        on = [name for name, ranges in self.flags.items()
              if any(value >> bit & 1 for low, high in ranges for bit in range(low, high + 1))]
        return ' | '.join(on) if on else f'0x{value:x}'


class Real(Fixed):
    def __init__(self, size, order, **more):
        super().__init__('floating-point-number', size, order, **more)
        self.form = '<f' if size == 32 else '<d'

    def draw(self, rng):
        return struct.unpack(self.form, struct.pack(self.form, rng.choice([0.0, -1.5, rng.uniform(-1e6, 1e6)])))[0]

    def encode(self, value):
        return int.from_bytes(struct.pack(self.form, value), 'little')

    def shown(self, value):
        return value


ENCODINGS = ('utf-8', 'utf-16be', 'utf-16le', 'utf-32be', 'utf-32le')


class Text:
    """With a NUL behind it, of a length, or of one that another field tells."""
    alignment = 8

    def __init__(self, kind, encoding, length=None, location=None):
        self.kind, self.encoding, self.length = kind, encoding, length
        self.json = {'type': f'{kind}-string'}
        if encoding != 'utf-8':
            self.json['encoding'] = encoding
        if length is not None:
            self.json['length'] = length
        if location:
            self.json['length-field-location'] = location

    def draw(self, rng):
        text = ''.join(rng.choice('abcXYZ 09"\\/\u00e9\u4e16\U0001f600') for _ in range(rng.randint(0, 8)))
        while self.length is not None and len(text.encode(self.encoding)) > self.length:
            text = text[:-1]
        return text

    def bytes_of(self, value):
        data = value.encode(self.encoding)
        if self.kind == 'null-terminated':
            return data + '\0'.encode(self.encoding)
        return data

    def write(self, bits, value):
        data = self.bytes_of(value)
        if self.length is not None:
            data = (data + bytes(self.length))[:self.length]
        bits.raw(data)

    def shown(self, value):
        return value


class Blob:
    alignment = 8

    def __init__(self, length=None, location=None):
        self.length = length
        self.json = {'type': 'static-length-blob', 'length': length} if location is None else \
            {'type': 'dynamic-length-blob', 'length-field-location': location}

    def draw(self, rng):
        return rng.randbytes(rng.randint(0, 6) if self.length is None else self.length)

    def write(self, bits, value):
        bits.raw(value)

    def shown(self, value):
        return value.hex()


class Array:
    def __init__(self, element, length=None, location=None, least=1):
        self.element, self.length = element, length
        self.alignment = max(element.alignment, least)
        self.json = {'type': 'static-length-array', 'length': length} if location is None else \
            {'type': 'dynamic-length-array', 'length-field-location': location}
        self.json['element-field-class'] = element.json
        if least != 1:
            self.json['minimum-alignment'] = least

    def draw(self, rng):
        return [self.element.draw(rng) for _ in range(rng.randint(0, 4) if self.length is None else self.length)]

    def write(self, bits, value):
        bits.align(self.alignment)
        for element in value:
            self.element.write(bits, element)

    def shown(self, value):
        return [self.element.shown(element) for element in value]


class Optional:
    alignment = 1

    def __init__(self, below, location, ranges=None):
        self.below = below
        self.json = {'type': 'optional', 'field-class': below.json, 'selector-field-location': location}
        if ranges:
            self.json['selector-field-ranges'] = ranges

    def draw(self, rng):
        return rng.choice([None, (self.below.draw(rng),)])

    def write(self, bits, value):
        if value is not None:
            self.below.write(bits, value[0])

    def shown(self, value):
        return None if value is None else self.below.shown(value[0])


class Variant:
    alignment = 1

    def __init__(self, options, ranges, location):
        self.options = options
        self.json = {'type': 'variant', 'selector-field-location': location, 'options': [
            {'field-class': option.json, 'selector-field-ranges': [list(of) for of in own]}
            for option, own in zip(options, ranges)]}

    def draw(self, rng):
        which = rng.randrange(len(self.options))
        return which, self.options[which].draw(rng)

    def write(self, bits, value):
        self.options[value[0]].write(bits, value[1])

    def shown(self, value):
        return self.options[value[0]].shown(value[1])


class Structure:
    """Members, and those whose values follow from others: name -> what its value is of that of the structure."""

    def __init__(self, members, told=None, least=1):
        self.members, self.told = members, told or {}
        self.alignment = max([least, *(member.alignment for member in members.values())])
        self.json = {'type': 'structure', 'member-classes': [
            {'name': name, 'field-class': member.json} for name, member in members.items()]}
        if least != 1:
            self.json['minimum-alignment'] = least

    def draw(self, rng):
        value = {name: member.draw(rng) for name, member in self.members.items()}
        for name, tell in self.told.items():
            value[name] = tell(rng, value)
        return value

    def write(self, bits, value):
        bits.align(self.alignment)
        for name, member in self.members.items():
            member.write(bits, value[name])

    def shown(self, value):
        return {name: member.shown(value[name]) for name, member in self.members.items()}


class Drawer:
    """Draws classes. Orders of bits of unaligned fields are one for a trace, for neighbours may not share a byte else."""

    def __init__(self, rng):
        self.rng, self.order, self.n = rng, rng.choice(['little-endian', 'big-endian']), 0

    def name(self):
        self.n += 1
        return f'{self.rng.choice(["f", "a.b ", "x-"])}{self.n}'

    def place(self, sizes=None):
        rng = self.rng
        if rng.random() < 0.5:
            order, align = rng.choice(['little-endian', 'big-endian']), rng.choice([8, 16, 32, 64])
            size = rng.choice(sizes or [8, 16, 24, 32, 48, 64])
        else:
            order, align, size = self.order, rng.choice([1, 1, 4, 8]), rng.choice(sizes or range(1, 65))
        more = {'align': align}
        if rng.random() < 0.2:
            more['bit_order'] = rng.choice(['first-to-last', 'last-to-first'])
        return size, order, more

    def integer(self, signed=None):
        rng = self.rng
        signed = rng.random() < 0.5 if signed is None else signed
        mappings = None
        if rng.random() < 0.25:
            mappings = {'APPLE': [[0, 0]], 'MANY': [[3, 5], [-9, -8]] if signed else [[3, 5]], 'ONE': [[1, 1], [5, 5]]}
        if rng.random() < 0.3:
            return Variable(signed, mappings)
        size, order, more = self.place()
        return Integer(size, order, signed, rng.choice([10, 10, 16, 8, 2]), mappings, **more)

    def length(self):
        """An integer for lengths and small options."""
        if self.rng.random() < 0.4:
            return Variable(False)
        size, order, more = self.place([8, 16, 32, 64])
        return Integer(size, order, False, **more)

    def single(self):
        rng, kind = self.rng, self.rng.randrange(8)
        size, order, more = self.place()
        if kind == 0:
            return Boolean(size, order, **more)
        if kind == 1:
            return BitArray(size, order, **more)
        if kind == 2:
            return BitMap(size, order, {'BIG': [[size - 1, size - 1]], 'LOW': [[0, 0]], 'SOME': [[0, size // 2]]}, **more)
        if kind == 3:
            size, order, more = self.place([32, 64])
            return Real(size, order, **more)
        if kind == 4:
            return Text('null-terminated', rng.choice(ENCODINGS))
        if kind == 5:
            return Text('static-length', rng.choice(ENCODINGS), length=rng.choice([0, 4, 12, 24]))
        if kind == 6:
            return Blob(length=rng.randint(1, 9))
        return self.integer()

    def any(self, depth):
        kind = self.rng.random()
        if depth > 0 and kind < 0.2:
            return Array(self.any(depth - 1), length=self.rng.randint(0, 3), least=self.rng.choice([1, 1, 32]))
        if depth > 0 and kind < 0.4:
            return self.structure(depth - 1)
        return self.single()

    def location(self, origin, path, name):
        """From the structure around, or, if the whole path is known, from a part."""
        if path is not None and self.rng.random() < 0.5:
            return {'origin': origin, 'path': [*path, name]}
        return {'path': [name]}

    def dependent(self, members, told, depth, origin, path):
        rng, of, name = self.rng, self.name(), self.name()
        where = self.location(origin, path, of)
        kind = rng.randrange(6)
        if kind < 3:
            members[of] = self.length()
            encoding = rng.choice(ENCODINGS)
            members[name] = (Text('dynamic-length', encoding, location=where), Blob(location=where),
                             Array(self.any(depth), location=where))[kind]
            told[of] = lambda _, value: len(value[name].encode(encoding)) if kind == 0 else len(value[name])
        elif kind == 3:
            size, order, more = self.place()
            members[of] = Boolean(size, order, **more)
            members[name] = Optional(self.any(depth), where)
            told[of] = lambda rng, value: 0 if value[name] is None else rng.choice([1, (1 << size) - 1])
        elif kind == 4:
            members[of] = self.integer(signed=True)
            if members[of].size < 8:
                members[of] = Variable(True)
            members[name] = Optional(self.any(depth), where, [[-3, -1], [7, 9]])
            told[of] = lambda rng, value: rng.choice([0, 5, -4, 10] if value[name] is None else [-3, -1, 8])
        else:
            signed = rng.random() < 0.5
            members[of] = Variable(True) if signed else self.length()
            ranges = [[(-5, -2), (100, 101)], [(3, 3)], [(4, 90)]] if signed else [[(0, 2), (100, 101)], [(3, 3)], [(4, 90)]]
            members[name] = Variant([self.any(depth) for _ in ranges], ranges, where)
            told[of] = lambda rng, value: rng.choice(rng.choice(ranges[value[name][0]]))

    def structure(self, depth, origin=None, path=None):
        members, told = {}, {}
        for _ in range(self.rng.randint(1, 5)):
            if self.rng.random() < 0.35:
                self.dependent(members, told, depth, origin, path)
            else:
                members[self.name()] = self.any(depth)
        return Structure(members, told, self.rng.choice([1, 1, 8, 64]))


def role(field, *roles):
    field.json['roles'] = list(roles)
    return field


def unsigned(size, *roles, align=8, order='little-endian'):
    return role(Integer(size, order, False, align=align), *roles)


def header_of(rng):
    """A plain one, or one in which an id selects how many bits a time has."""
    stamp = 'default-clock-timestamp'
    kind = rng.randrange(3)
    if kind == 0:
        return Structure({'id': unsigned(16, 'event-record-class-id'), 't': unsigned(64, stamp)})
    if kind == 1:
        return Structure({'id': role(Variable(False), 'event-record-class-id'), 't': role(Variable(False), stamp)})
    order = rng.choice(['little-endian', 'big-endian'])
    short = Structure({'t': unsigned(27, stamp, align=1, order=order)})
    long = Structure({'id': unsigned(32, 'event-record-class-id', align=8, order=order),
                      't': unsigned(64, stamp, align=8, order=order)})
    return Structure({'id': unsigned(5, 'event-record-class-id', align=1, order=order),
                      'v': Variant([short, long], [[(0, 30)], [(31, 31)]], {'path': ['id']})}, least=8)


def header_value(rng, header, number, now):
    if 'v' not in header.members:
        return {'id': number, 't': now}
    if rng.random() < 0.5:
        return {'id': number, 'v': (0, {'t': now & (1 << 27) - 1})}
    return {'id': 31, 'v': (1, {'id': number, 't': now})}


def packet_context(drawer):
    members = {'size': unsigned(64, 'packet-total-length'), 'content': unsigned(32, 'packet-content-length'),
               'begin': unsigned(64, 'default-clock-timestamp'), 'end': unsigned(64, 'packet-end-default-clock-timestamp'),
               'seq': unsigned(16, 'packet-sequence-number'),
               'lost': unsigned(16, 'discarded-event-record-counter-snapshot'), 'pc': drawer.integer(), 'n-pc': drawer.length()}
    return Structure(members)


def draw_stream(drawer, number):
    rng = drawer.rng
    common = drawer.structure(1, 'event-record-common-context', [])
    of, own = drawer.name(), drawer.name()
    events = []
    for event in range(3):
        specific = drawer.structure(0, 'event-record-specific-context', [])
        specific.members[f'n-{number}-{event}'] = drawer.length()
        payload = drawer.structure(2, 'event-record-payload', [])
        # Lengths that another part of the event, and the packet, tell.
        payload.members[of] = Array(drawer.single(), location={'origin': ORIGINS[4], 'path': [f'n-{number}-{event}']})
        payload.members[own] = Text('dynamic-length', 'utf-8', location={'origin': ORIGINS[1], 'path': ['n-pc']})
        events.append((Structure(specific.members, specific.told), Structure(payload.members, payload.told), of, own,
                       f'n-{number}-{event}'))
    return {'header': header_of(rng), 'context': packet_context(drawer), 'common': common, 'events': events}


def fragments(streams, header):
    yield {'type': 'preamble', 'version': 2, 'uuid': UUID, 'attributes': {'x': [1.5e3, None, True, -7]}}
    yield {'type': 'field-class-alias', 'name': 'header', 'field-class': header.json}
    yield {'type': 'trace-class', 'name': 'made', 'environment': {'hostname': 'made', 'a': -3},
           'packet-header-field-class': 'header'}
    yield {'type': 'clock-class', 'id': 'c', 'frequency': 10**9, 'origin': 'unix-epoch',
           'offset-from-origin': {'seconds': EPOCH_S, 'cycles': 7}}
    for number, stream in enumerate(streams):
        yield {'type': 'data-stream-class', 'id': number, 'default-clock-class-id': 'c',
               'packet-context-field-class': stream['context'].json, 'event-record-header-field-class': stream['header'].json,
               'event-record-common-context-field-class': stream['common'].json}
        for event, (specific, payload, *_) in enumerate(stream['events']):
            yield {'type': 'event-record-class', 'id': event, 'data-stream-class-id': number, 'name': f'e{number}{event}',
                   'specific-context-field-class': specific.json, 'payload-field-class': payload.json}


def write_packet(rng, bits, header, stream, number, seq, now, expected):
    context = {name: 0 for name in stream['context'].members}
    context.update(begin=now, seq=seq, pc=stream['context'].members['pc'].draw(rng))
    context['n-pc'] = rng.randint(0, 6)
    head = {'magic': 0xc1fc1fc1, 'uuid': bytes(UUID), 'class': number, 'stream': 0}
    header.write(bits, head)
    at = bits.at
    stream['context'].write(bits, context)
    for _ in range(rng.randint(0, 12)):
        now += rng.choice([1, 1000, 1 << 20])
        event = rng.randrange(3)
        specific, payload, of, own, length = stream['events'][event]
        stream['header'].write(bits, header_value(rng, stream['header'], event, now))
        common, first, second = (part.draw(rng) for part in (stream['common'], specific, payload))
        first[length] = len(second[of])
        second[own] = ('xyz' * 3)[:context['n-pc']]
        stream['common'].write(bits, common)
        specific.write(bits, first)
        payload.write(bits, second)
        shown = {**stream['common'].shown(common), **specific.shown(first), **payload.shown(second)}
        expected.append([EPOCH_S * 10**9 + 7 + now, f'e{number}{event}', shown])
    content = bits.at
    bits.align(8)
    bits.raw(bytes(rng.randint(0, 5)))
    again = Bits()
    again.bytes, again.at = bits.bytes, at
    context.update(size=len(bits.bytes) * 8, content=content, end=now)
    stream['context'].write(again, context)
    return now


def write(seed, directory, path):
    rng = random.Random(seed)
    drawer = Drawer(rng)
    header = Structure({'magic': unsigned(32, 'packet-magic-number'), 'uuid': role(Blob(16), 'metadata-stream-uuid'),
                        'class': role(Variable(False), 'data-stream-class-id'), 'stream': unsigned(8, 'data-stream-id')})
    streams = [draw_stream(drawer, number) for number in range(2)]
    os.makedirs(directory, exist_ok=True)
    with open(f'{directory}/metadata', 'w', encoding='utf-8') as f:
        for fragment in fragments(streams, header):
            f.write(f'\x1e{json.dumps(fragment, indent=rng.choice([None, 1]), ensure_ascii=rng.random() < 0.5)}\n')
    expected = []
    for number, stream in enumerate(streams):
        now = 1 << 30
        with open(f'{directory}/stream_{number}', 'wb') as f:
            for seq in range(4):
                bits = Bits()
                now = write_packet(rng, bits, header, stream, number, seq, now, expected)
                f.write(bits.bytes)
    with open(path, 'w', encoding='utf-8') as f:
        json.dump(expected, f)


def order(row):
    return row[0], row[1], json.dumps(row[2], sort_keys=True)


def check(database, path):
    db = sqlite3.connect(f'file:{database}?mode=ro', uri=True)
    got = [[ts, name, json.loads(args or '{}')] for ts, name, args in db.execute('SELECT ts_ns, raw_name, args FROM event')]
    with open(path, encoding='utf-8') as f:
        expected = json.load(f)
    wrong = 0
    for mine, theirs in zip(sorted(got, key=order), sorted(expected, key=order)):
        if mine != theirs:
            wrong += 1
            if wrong <= 3:
                names = [name for name in {**mine[2], **theirs[2]} if mine[2].get(name) != theirs[2].get(name)]
                print('differ:', mine[:2], theirs[:2],
                      [(name, mine[2].get(name), theirs[2].get(name)) for name in names][:3], file=sys.stderr)
    print(f'{len(got)} events, {len(expected)} written, {wrong} differ')
    return wrong > 0 or len(got) != len(expected) or not expected


if __name__ == '__main__':
    sys.exit(check(*sys.argv[2:]) if sys.argv[1] == 'check' else write(int(sys.argv[2]), *sys.argv[3:]))
