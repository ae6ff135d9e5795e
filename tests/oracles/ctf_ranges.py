#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Traces of CTF whose enumerations, bit maps and variants have ranges drawn at random, and what their values are called.

    ctf_ranges.py write SEED 1.8|2 DIRECTORY EXPECTED.json
    ctf_ranges.py check DATABASE EXPECTED.json
    ctf_ranges.py text EXPECTED.json : what babeltrace2 prints of it, on standard input, has the same labels and options

Ranges overlap or touch each other, are of one value or of all, and reach the least and the greatest integers of 8 to 64
bits. Every value is compared with every range here.
"""
import json
import os
import random
import re
import sqlite3
import sys

TOLD = 64
N_EVENTS = 300


class Integer:
    def __init__(self, rng):
        self.size, self.is_signed = rng.choice((8, 16, 32, 64, 64)), rng.random() < 0.5
        self.low = -(1 << self.size - 1) if self.is_signed else 0
        self.high = self.low + (1 << self.size) - 1

    def clip(self, value):
        return max(self.low, min(self.high, value))

    def pack(self, value):
        return value.to_bytes(self.size // 8, 'little', signed=self.is_signed)

    def tsdl(self):
        return 'integer { size = %d; align = 8; signed = %s; }' % (self.size, str(self.is_signed).lower())

    def json(self, **more):
        return {'type': 'fixed-length-%s-integer' % ('signed' if self.is_signed else 'unsigned'), 'length': self.size,
                'byte-order': 'little-endian', **more}


def draw_ranges(rng, integer, n):
    """(low, high), some of them equal."""
    style = rng.choice(('apart', 'wide', 'near', 'nested', 'edges'))
    made = []
    for i in range(n):
        if style == 'apart':
            step = (integer.high - integer.low) // n
            low = integer.low + i * step
            made.append((low, low + rng.randrange(max(step, 1)) if step > 0 else low))
        elif style == 'wide':
            made.append(sorted((rng.randint(integer.low, integer.high), rng.randint(integer.low, integer.high))))
        elif style == 'near':
            low = rng.choice((integer.low, 0, 100)) + rng.randrange(40)
            made.append((low, low + rng.choice((0, 0, 1, 5, 30))))
        elif style == 'nested':
            made.append((integer.low + i, integer.high - i))
        else:
            low, high = rng.choice(((integer.low, integer.low), (integer.high, integer.high), (integer.low, integer.high),
                                    (-1, 1), (integer.low, 0), (0, integer.high)))
            made.append((low, high))
    rng.shuffle(made)
    return [(min(integer.clip(a), integer.clip(b)), max(integer.clip(a), integer.clip(b))) for a, b in made]


def draw_mappings(rng, integer, n):
    """(label, low, high) in the order of the metadata; those of a label together, as CTF 2 has them."""
    names = ['n%d' % i for i in range(rng.choice((1, 3, n, n)))]
    mappings = [(rng.choice(names), low, high) for low, high in draw_ranges(rng, integer, n)]
    order = list(dict.fromkeys(name for name, _, _ in mappings))
    return sorted(mappings, key=lambda m: order.index(m[0]))


def draw_value(rng, integer, ranges):
    low, high = rng.choice(ranges)
    value = rng.choice((low - 1, low, low + 1, high - 1, high, high + 1, integer.low, integer.high, 0, -1,
                        rng.randint(integer.low, integer.high), rng.randint(low, high)))
    return integer.clip(value)


def labels_of(mappings, has):
    return list(dict.fromkeys(name for name, low, high in mappings if has(low, high)))


def called(mappings, value, has, is_bit_map=False):
    labels = labels_of(mappings, has)
    if not labels:
        return '0x%x' % value if is_bit_map else value
    told = labels[:TOLD]
    text = ' | '.join(told) + (' | ...' if len(labels) > TOLD else '')
    several = any(sum(1 if low == high else 2 for name, low, high in mappings if name == label) > 1 for label in told)
    return '%s (%d)' % (text, value) if several and not is_bit_map else text


def json_mappings(mappings):
    made = {}
    for name, low, high in mappings:
        made.setdefault(name, []).append([low, high])
    return made


class Case:
    """An enumeration, a variant that it selects in, and in CTF 2 a bit map and an optional field."""

    def __init__(self, rng, is_json):
        self.integer = Integer(rng)
        self.mappings = draw_mappings(rng, self.integer, rng.choice((1, 2, 5, 20, 200)))
        self.ranges = [(low, high) for _, low, high in self.mappings]
        names = list(dict.fromkeys(name for name, _, _ in self.mappings))
        if is_json:
            options = draw_ranges(rng, self.integer, rng.choice((1, 3, 20)))
            self.options = [(i % (len(options) // 2 + 1), low, high) for i, (low, high) in enumerate(options)]
            self.flags = [(rng.choice('abcdefghij') + str(rng.randrange(12)), low, min(low + rng.choice((0, 0, 1, 9)), 70))
                          for low in (rng.randrange(66) for _ in range(rng.choice((3, 40, 300))))]
            self.flags.sort(key=lambda flag: flag[0])
        else:
            # Every label may select; the first option in the order of the variant counts.
            some = rng.sample(names, rng.randint(1, len(names)))
            self.options = [(i, low, high) for i, name in enumerate(some) for n, low, high in self.mappings if n == name]
            self.names = some
        self.n_options = max(option for option, _, _ in self.options) + 1
        self.is_json = is_json

    def has_overlaps(self):
        """Whether options share a value, which babeltrace2 takes for a fault of the program."""
        ranges = sorted((low, high, option) for option, low, high in self.options)
        return any(one[1] >= other[0] for one, other in zip(ranges, ranges[1:]))

    def option(self, value):
        return min((option for option, low, high in self.options if low <= value <= high), default=None)

    def tsdl(self):
        labels = ', '.join('%s = %d%s' % (name, low, '' if low == high else ' ... %d' % high) for name, low, high in self.mappings)
        options = ' '.join('enum : integer { size = 8; align = 8; } { o%d = 7 } %s;' % (i, name) for i, name in enumerate(self.names))
        enum = 'enum : %s { %s }' % (self.integer.tsdl(), labels)
        return ('event { name = "plain"; id = 0; fields := struct { %s e; }; };\n'
                'event { name = "chosen"; id = 1; fields := struct { %s e; variant <e> { %s } v; }; };\n' % (enum, enum, options))

    def fragments(self):
        byte = {'type': 'fixed-length-unsigned-integer', 'length': 8, 'byte-order': 'little-endian'}
        enum = self.integer.json(mappings=json_mappings(self.mappings))
        ranges = [[[low, high] for k, low, high in self.options if k == i] for i in range(self.n_options)]
        variant = {'type': 'variant', 'selector-field-location': {'path': ['e']}, 'options': [
            {'selector-field-ranges': r, 'field-class': {**byte, 'mappings': {'o%d' % i: [[7, 7]]}}}
            for i, r in enumerate(ranges) if r]}
        flags = {'type': 'fixed-length-bit-map', 'length': 64, 'byte-order': 'little-endian', 'flags': json_mappings(self.flags)}
        perhaps = {'type': 'optional', 'selector-field-location': {'path': ['e']}, 'field-class': byte,
                   'selector-field-ranges': [[low, high] for _, low, high in self.options]}

        def event(number, name, **fields):
            return {'type': 'event-record-class', 'id': number, 'name': name, 'payload-field-class': {
                'type': 'structure', 'member-classes': [{'name': n, 'field-class': c} for n, c in fields.items()]}}
        head = {'type': 'structure', 'member-classes': [{'name': 'id', 'field-class': {**byte, 'roles': ['event-record-class-id']}}]}
        return ({'type': 'preamble', 'version': 2}, {'type': 'data-stream-class', 'event-record-header-field-class': head},
                event(0, 'plain', e=enum, b=flags, p=perhaps), event(1, 'chosen', e=enum, v=variant))

    def event(self, rng):
        """Its bytes, its name, its fields, all labels of the enumeration."""
        value = draw_value(rng, self.integer, self.ranges)
        option = self.option(value)

        def has(low, high):
            return low <= value <= high
        fields = {'e': called(self.mappings, value, has)}
        labels = labels_of(self.mappings, has)
        if option is not None and rng.random() < 0.6:
            fields['v'] = 'o%d' % option
            return b'\1' + self.integer.pack(value) + b'\7', 'chosen', fields, labels
        data = b'\0' + self.integer.pack(value)
        if self.is_json:
            bits = rng.choice((0, 1 << rng.randrange(64), rng.getrandbits(64), rng.getrandbits(64) & rng.getrandbits(64), 2**64 - 1))
            fields['b'] = called(self.flags, bits, lambda low, high: any(bits >> i & 1 for i in range(low, min(high, 63) + 1)), True)
            fields['p'] = None if option is None else 9
            data += bits.to_bytes(8, 'little') + (b'' if option is None else b'\11')
        return data, 'plain', fields, labels


def write(seed, version, folder, expected):
    rng = random.Random('%s %s' % (seed, version))
    case = Case(rng, version == '2')
    if version == '2':
        # The options of the variant are numbered as the metadata have them.
        used = sorted({option for option, _, _ in case.options})
        case.options = [(used.index(option), low, high) for option, low, high in case.options]
        case.n_options = len(used)
        text = ''.join('\x1e' + json.dumps(f) for f in case.fragments())
    else:
        byte = 'integer { size = 8; align = 8; }'
        text = ('/* CTF 1.8 */\ntrace { major = 1; minor = 8; byte_order = le; };\nstream { event.header := struct { %s id; }; };\n' % byte +
                case.tsdl())
    os.makedirs(folder)
    with open(os.path.join(folder, 'metadata'), 'w', encoding='utf-8') as f:
        f.write(text)
    events = [case.event(rng) for _ in range(N_EVENTS)]
    with open(os.path.join(folder, 'stream'), 'wb') as f:
        f.write(b''.join(data for data, *_ in events))
    with open(expected, 'w', encoding='utf-8') as f:
        json.dump({'events': [event[1:] for event in events], 'has_overlaps': case.has_overlaps()}, f)


def check(database, expected):
    with open(expected, encoding='utf-8') as f:
        wanted = json.load(f)['events']
    rows = sqlite3.connect(database).execute('SELECT raw_name, args FROM event ORDER BY ts_ns').fetchall()
    wrong = abs(len(rows) - len(wanted))
    for i, ((name, args), (own_name, fields, _)) in enumerate(zip(rows, wanted)):
        got = json.loads(args)
        if name != own_name or {key: got.get(key) for key in fields} != fields:
            print('event %d: %s %r, expected %s %r' % (i, name, got, own_name, fields))
            wrong += 1
    sys.exit(wrong > 0)


def text(expected):
    with open(expected, encoding='utf-8') as f:
        wanted = json.load(f)['events']
    lines = [line for line in sys.stdin if '{' in line]
    wrong = abs(len(lines) - len(wanted))
    for i, (line, (_, fields, labels)) in enumerate(zip(lines, wanted)):
        found = re.findall(r'"(\w+)"', line[line.index('{'):])
        if set(found) != set(labels) | ({fields['v']} if 'v' in fields else set()):
            print('event %d: %s expected %r %r' % (i, line, labels, fields))
            wrong += 1
    sys.exit(wrong > 0)


if __name__ == '__main__':
    {'write': write, 'check': check, 'text': text}[sys.argv[1]](*sys.argv[2:])
