# SPDX-License-Identifier: Apache-2.0
"""Changes a database with SQL behind tracetool's back, and makes the checksums of its pages right again.

    change-database.py DATABASE [SQL...]

What is found afterwards is found by other checks than that of the checksums. They are computed by the definition of
SQLite's extension (https://www.sqlite.org/cksumvfs.html), not by our code.
"""

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


def main():
    if len(sys.argv) > 2:
        database = sqlite3.connect(sys.argv[1])
        for statement in sys.argv[2:]:
            database.execute(statement)
        database.commit()
        database.close()
    seal(sys.argv[1])


main()
