#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""CTF traces of which one byte of an event could make kilobytes in a database, by texts that stand once in the metadata.

    ctf_growth.py label|name|many|packet|empty|nested|none|wide DIRECTORY EVENTS

label: an enumeration whose label has 60,000 bytes; in the middle of byte 256 a character of two bytes.
name: a field whose name has so many. many: 2,000 fields without a bit, with names of 200 bytes.
packet: a text of 60,000 bytes in the context of the packet.
empty: an array of 10,000,000 empty structures. nested: 255 times 255 of them. none: 2^15 empty arrays, declared in
fifteen steps.
wide: 120,000 fields of a byte each.
"""
import os
import struct
import sys

FIELD = 'integer { size = 8; } %s;'
LONG = 'L' * 60000
WIDE = 120000
FIELDS = {
    'label': 'enum : integer { size = 8; } { "%s" = 1, "short" = 2 } kind;' % ('L' * 255 + '\u00e9' + 'L' * 59743),
    'name': FIELD % LONG,
    'many': ''.join(FIELD % ('f' * 200 + '%d[0]' % i) for i in range(2000)) + FIELD % 'x',
    'packet': FIELD % 'x',
    'empty': FIELD % 'x' + 'struct { } a[10000000];',
    'nested': FIELD % 'x' + 'struct { struct { } b[255]; } a[255];',
    'none': FIELD % 'x' + 's15 a;',
    'wide': ''.join(FIELD % ('f%d' % i) for i in range(WIDE)),
}
DOUBLED = ''.join('typealias struct { s%d a; s%d b; } := s%d;\n' % (i, i, i + 1) for i in range(15))
METADATA = '''/* CTF 1.8 */
%strace { major = 1; minor = 8; byte_order = le; packet.header := struct { integer { size = 32; } magic; }; };
stream {
  event.header := struct { integer { size = 8; } id; };
  packet.context := struct { integer { size = 32; } content_size; integer { size = 32; } packet_size; %s };
};
event { id = 0; name = "thing"; fields := struct { %s }; };
'''


def main():
    kind, folder, n = sys.argv[1], sys.argv[2], int(sys.argv[3])
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, 'metadata'), 'w', encoding='utf-8') as out:
        out.write(METADATA % ('typealias struct { integer { size = 8; } c[0]; } := s0;\n' + DOUBLED if kind == 'none' else '',
                              'string { encoding = UTF8; } title;' if kind == 'packet' else '', FIELDS[kind]))
    data = (LONG.encode() + b'\0' if kind == 'packet' else b'') + (b'\0' + b'\1' * (WIDE if kind == 'wide' else 1)) * n
    size = 8 * (12 + len(data))
    with open(os.path.join(folder, 's0'), 'wb') as out:
        out.write(struct.pack('<III', 0xc1fc1fc1, size, size) + data)


if __name__ == '__main__':
    main()
