# SPDX-License-Identifier: Apache-2.0
"""Changes a database with SQL behind tracetool's back, and makes the checksums of its pages right again.

    change-database.py DATABASE [SQL | .renumber TABLE OLD NEW]...

.renumber gives a row another id where it stands, which leaves a table out of order: no SQL does that.

What is found afterwards is found by other checks than that of the checksums. They are computed by the definition of
SQLite's extension (https://www.sqlite.org/cksumvfs.html), not by our code.
"""

import contextlib
import sqlite3
import struct
import sys


def checksum(page):
    first = second = 0
    words = struct.unpack("<%dI" % (len(page) // 4), page)
    for a, b in zip(words[::2], words[1::2]):
        first = (first + a + second) & 0xFFFFFFFF
        second = (second + b + first) & 0xFFFFFFFF
    return struct.pack("<2I", first, second)


def seal(path):
    with open(path, "r+b") as file:
        header = file.read(100)
        if header[20] != 8:
            return
        size = struct.unpack(">H", header[16:18])[0]
        size = 65536 if size == 1 else size
        file.seek(0)
        page = file.read(size)
        while len(page) == size:
            right = checksum(page[:-8])
            if page[-8:] != right:
                file.seek(-8, 1)
                file.write(right)
            page = file.read(size)


def varint(data, at):
    value = 0
    for length in range(1, 9):
        value = value << 7 | data[at + length - 1] & 0x7F
        if data[at + length - 1] < 0x80:
            return value, length
    return value << 8 | data[at + 8], 9


def renumber(path, root, old, new):
    """Pages of tables: https://www.sqlite.org/fileformat2.html#b_tree_pages"""
    with open(path, "r+b") as file:
        data = bytearray(file.read())
        size = struct.unpack(">H", data[16:18])[0]
        pages, found = [root], 0
        while pages:
            start = (pages.pop() - 1) * size
            is_leaf = data[start] == 13
            n_cells = struct.unpack(">H", data[start + 3:start + 5])[0]
            for at in struct.unpack(">%dH" % n_cells, data[start + 8 + 4 * (not is_leaf):][:2 * n_cells]):
                if not is_leaf:
                    pages.append(struct.unpack(">I", data[start + at:start + at + 4])[0])
                    continue
                key = start + at + varint(data, start + at)[1]
                row, length = varint(data, key)
                if row == old:
                    for i in range(length):
                        data[key + i] = new >> 7 * (length - 1 - i) & 0x7F | (0x80 if i < length - 1 else 0)
                    found += varint(data, key) == (new, length)
            if not is_leaf:
                pages.append(struct.unpack(">I", data[start + 8:start + 12])[0])
        file.seek(0)
        file.write(data)
    return found == 1


def main():
    path = sys.argv[1]
    for statement in sys.argv[2:]:
        with contextlib.closing(sqlite3.connect(path)) as database, database:
            if not statement.startswith(".renumber "):
                database.execute(statement)
                continue
            _, table, old, new = statement.split()
            root = database.execute("SELECT rootpage FROM sqlite_schema WHERE name = ?", [table]).fetchone()[0]
        if not renumber(path, root, int(old), int(new)):
            sys.exit("%s has no row %s that can be %s" % (table, old, new))
    seal(path)


main()
