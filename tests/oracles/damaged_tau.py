#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Copies of a TAU trace with one rank damaged, and what their imports must still say.

    damaged_tau.py TRACETOOL FOLDER SCRATCH COUNT

Each copy has one thing wrong: a hole of zeros, bytes that are missing or too many or of no meaning, or a flipped bit. All
are imported; the processes, the threads and the time that the run covers are those of the sound trace, and where nothing
is said to be mended no self time is another by more than 2 % of the run. Of records that are gone no message or collective
is joined that the sound trace does not join. The last line has the sum.
"""

import json
import os
import random
import shutil
import sqlite3
import subprocess
import sys

KINDS = ["hole", "zero records", "missing", "too many", "meaningless", "bit", "bit of a time", "time 0"]
GONE = ["hole", "zero records", "missing"]
RECORD = 24


def damage(bytes_, kind, luck):
    """One rank's trace, damaged in place; the first record stays, for it tells the layout."""
    at = luck.randrange(RECORD, len(bytes_) - RECORD)
    n = luck.randrange(1, min(2000, len(bytes_) - at))
    if kind == "hole":
        bytes_[at : at + n] = bytes(n)
    elif kind == "zero records":
        at, n = at // RECORD * RECORD, max(1, n // RECORD) * RECORD
        bytes_[at : at + n] = bytes(len(bytes_[at : at + n]))
    elif kind == "missing":
        # Whole records that are gone may leave no trace at all.
        n += n % RECORD == 0
        del bytes_[at : at + n]
    elif kind == "too many":
        bytes_[at:at] = bytes(n)
    elif kind == "meaningless":
        bytes_[at : at + n] = luck.randbytes(n)
    elif kind == "bit":
        bytes_[at] ^= 1 << luck.randrange(8)
    elif kind == "bit of a time":
        bytes_[at // RECORD * RECORD + luck.randrange(16, 24)] ^= 1 << luck.randrange(8)
    else:
        at = at // RECORD * RECORD + 16
        bytes_[at : at + 8] = bytes(8)
    return "%s at byte %d, %d bytes" % (kind, at, n)


def look(tracetool, folder, scratch):
    database = os.path.join(scratch, "damaged.db")
    if os.path.exists(database):
        os.unlink(database)
    done = subprocess.run([tracetool, "--db", database, "import", "-q", folder], capture_output=True, text=True)
    if done.returncode != 0:
        return None, done.stderr.strip()
    with sqlite3.connect(database) as sql:
        facts = {
            "processes": [row[0] for row in sql.execute("select distinct p.pid from process p join thread t on t.process = p.id order by 1")],
            "threads": sql.execute("select count(*) from thread").fetchone()[0],
            "time": sql.execute("select min(ts_ns), max(ts_ns + ifnull(dur_ns, 0)) from event_row").fetchone(),
            "self": dict(sql.execute("select name, sum(self_ns) from event group by name")),
            "messages": sql.execute("select src_process, dst_process, tag, send_ns, recv_ns from message_row").fetchall(),
            "calls": sql.execute("select c.name, comm, ordinal, process, ts_ns from collective_row c join event_row e on e.id = event "
                                 "where flags = 0").fetchall(),
            "repairs": [json.loads(row[0]) for row in sql.execute("select repairs from source where repairs is not null")],
        }
    return facts, ""


def misjoined(facts, sound):
    """What is joined there and not here, of those whose times are in the sound trace; how many are joined."""
    received = {message[:4]: message[4] for message in sound["messages"]}
    sent = {message[:3] + message[4:]: message[3] for message in sound["messages"]}
    joined = [message for message in facts["messages"] if None not in message]
    for message in joined:
        if received.get(message[:4], message[4]) != message[4] or sent.get(message[:3] + message[4:], message[3]) != message[3]:
            return "a message sent at %d is received at %d" % message[3:], len(joined)
    number = {call[3:]: call[:3] for call in sound["calls"]}
    for call in facts["calls"]:
        if number.get(call[3:], call[:3])[2] != call[2]:
            return "a collective at %d is the %d-th, not %d-th" % (call[4], call[2], number[call[3:]][2]), len(joined)
    return None, len(joined)


def differs(facts, sound):
    begin, end = sound["time"]
    for fact in "processes", "threads":
        if facts[fact] != sound[fact]:
            return "%s: %s" % (fact, facts[fact])
    if facts["time"][0] < begin - 1000000 or facts["time"][1] > end + 1000000:
        return "from %d to %d, not from %d to %d" % (*facts["time"], begin, end)
    names = set(facts["self"]) | set(sound["self"])
    off = sum(abs(facts["self"].get(name, 0) - sound["self"].get(name, 0)) for name in names)
    if not facts["repairs"] and off > (end - begin) // 50:
        return "self times are off by %d ns, and nothing is said to be mended" % off
    return None


def main():
    tracetool, folder, scratch, count = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4])
    sound, reason = look(tracetool, folder, scratch)
    if sound is None or sound["repairs"]:
        raise SystemExit("the sound trace: %s" % (reason or sound["repairs"]))
    ranks = sorted(name for name in os.listdir(folder) if name.endswith(".trc"))
    n_wrong = n_mended = n_joined = 0
    for number in range(count):
        luck = random.Random(number)
        copy = os.path.join(scratch, "damaged")
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(folder, copy)
        rank = os.path.join(copy, luck.choice(ranks))
        with open(rank, "rb") as file:
            content = bytearray(file.read())
        what = damage(content, KINDS[number % len(KINDS)], luck)
        os.chmod(rank, 0o644)
        with open(rank, "wb") as file:
            file.write(content)
        facts, reason = look(tracetool, copy, scratch)
        wrong = reason if facts is None else differs(facts, sound)
        if not wrong and KINDS[number % len(KINDS)] in GONE:
            wrong, n = misjoined(facts, sound)
            n_joined += n
        n_mended += facts is not None and bool(facts["repairs"])
        if wrong:
            n_wrong += 1
            print("%d: %s of %s: %s" % (number, what, os.path.basename(rank), wrong))
    print("%d of %d wrong, %d mended, %d messages joined behind or before a hole" % (n_wrong, count, n_mended, n_joined))
    sys.exit(n_wrong > 0)


if __name__ == "__main__":
    main()
