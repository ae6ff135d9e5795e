#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""One absurd time in a JSON trace, and what must not come of it.

lone-times.py spoil FILE NEW KEY NTH CHANGE: the NTH number of KEY ("ts"; 0.5: that in the middle) becomes CHANGE, a
number, or "^K": its bit K flips.
lone-times.py pi SOUND.db FILE NTH SIDE CHANGE: likewise the "start" or "end" of a call of a PI recording in microseconds.
lone-times.py otf2 FILE NTH CHANGE: likewise a time of the events of a location of OTF2.
judge SOUND.db SPOILT.db: no time lies outside of those of the sound run, all records are there, and at most
three are not as they were.
lone-times.py make KIND NEW: an honest trace with a long idle time.
"""
import collections
import json
import re
import sqlite3
import struct
import sys


def spoil(source, new, key, nth, change):
    text = open(source, encoding="utf-8").read()
    found = list(re.finditer(r'"%s"\s*:\s*"?(\d+)(\.\d+)?' % key, text))
    nth = int(len(found) * float(nth)) if "." in nth else int(nth)
    match = found[nth]
    old = int(match.group(1))
    value = old ^ 1 << int(change[1:]) if change[0] == "^" else int(change)
    assert value != old
    with open(new, "w", encoding="utf-8") as out:
        out.write(text[: match.start(1)] + str(value) + text[match.end(1):])


def pi(database, name, nth, side, change):
    data = open(name, "rb").read()
    rows = sorted(row[3:5] for row in events(database))
    begin, duration = rows[int(len(rows) * float(nth))]
    old = (begin + (duration if side == "end" else 0)) // 1000
    value = old ^ 1 << int(change[1:]) if change[0] == "^" else int(change)

    # Of protobuf it is field 2 or 3 of a record, which may change its size.
    if name.endswith(".pi_trace"):
        tag, at, out, n = b"\x18" if side == "end" else b"\x10", 0, b"", 0
        while at < len(data):
            size = struct.unpack_from("<I", data, at)[0]
            record, at = data[at + 4:at + 4 + size], at + 4 + size
            n += record.count(tag + varint(old))
            record = record.replace(tag + varint(old), tag + varint(value))
            out += struct.pack("<I", len(record)) + record
    else:
        n, out = data.count(struct.pack("<Q", old)), data.replace(struct.pack("<Q", old), struct.pack("<Q", value))
    assert n == 1
    with open(name, "wb") as file:
        file.write(out)


def otf2(name, nth, change):
    data = bytearray(open(name, "rb").read())
    # Byte 5 and 8 bytes, in the order that byte 1 tells; the first and the last have nothing on one side.
    order = {0x42: "<Q", 0x23: ">Q"}[data[1]]
    told = [(struct.unpack_from(order, data, at + 1)[0], at) for at in range(len(data) - 9) if data[at] == 5]
    middle = sorted(told)[len(told) // 2][0]
    told = [at for time, at in told if abs(time - middle) < 1 << 40]
    assert len(told) > 10
    at = told[int(len(told) * float(nth))] + 1
    old = struct.unpack_from(order, data, at)[0]
    struct.pack_into(order, data, at, old ^ 1 << int(change[1:]) if change[0] == "^" else int(change))
    with open(name, "wb") as file:
        file.write(data)


def varint(number):
    return bytes([number & 0x7F | 0x80]) + varint(number >> 7) if number > 0x7F else bytes([number])


def events(database):
    rows = sqlite3.connect(database).execute(
        "SELECT pid, tid, name, ts_ns, dur_ns, flags FROM event ORDER BY pid, tid, ts_ns, id")
    return rows.fetchall()


def reach(rows):
    return max(row[3] + (row[4] or 0) for row in rows) - min(row[3] for row in rows)


def judge(sound, spoilt):
    before, after = events(sound), events(spoilt)
    # A begin and an end that find each other no more are two rows; so may be what they told twice.
    if not before or not 0 <= len(after) - len(before) <= 2:
        sys.exit("%d rows became %d" % (len(before), len(after)))
    if reach(after) > reach(before):
        sys.exit("a run of %d ns became one of %d ns" % (reach(before), reach(after)))
    lost = collections.Counter(row[3:5] for row in before) - collections.Counter(row[3:5] for row in after)
    if sum(lost.values()) > 3:
        sys.exit("%d rows are not as they were: %s" % (sum(lost.values()), list(lost)[:3]))
    print(len(after), "rows,", sum("inferred" in (row[5] or "") for row in after), "inferred")


def make(kind, new):
    day, list_ = 86400 * 1000000, []

    def span(name, ts, dur, tid=1):
        list_.append({"ph": "X", "name": name, "pid": 1, "tid": tid, "ts": ts, "dur": dur})

    def work(start, tid=1):
        for i in range(100):
            span("work", start + 10 * i, 7, tid)

    if kind == "process":  # around all, and idle for two hours after the work
        span("main", 0, 7200 * 1000000)
        work(10)
    elif kind == "phases":  # a day apart
        work(0)
        work(day)
    elif kind == "serve":  # the last call of a thread waits for two hours
        work(0)
        span("epoll_wait", 2000, 7200 * 1000000)
        work(0, 2)
    elif kind == "late":  # a lone last one
        work(0)
        span("exit", 7200 * 1000000, 5)
    else:  # "step": alone on its thread
        work(0)
        span("step", 100, 7200 * 1000000, 2)
    with open(new, "w", encoding="utf-8") as out:
        json.dump({"traceEvents": list_}, out)


if __name__ == "__main__":
    {"spoil": spoil, "judge": judge, "otf2": otf2, "pi": pi, "make": make}[sys.argv[1]](*sys.argv[2:])
