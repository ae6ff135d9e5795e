#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Which command of a queue must end before which begins, by the definitions of queues, wait lists and barriers.

  pi-tasks.py make SEED API DIRECTORY       a random recording of API (pi, ur), native.h alone its description
                                            API buffer: a command buffer of UR with rectangular copies and kernels
                                            API many: a buffer of SEED commands, enqueued as often
  pi-tasks.py compare SEED API DATABASE     the tasks and their edges in the database are those of that program: the same
                                            pairs in order, directly or through others

Of a queue in order each command follows the one before. In another queue a barrier or a wait without a list follows all
that is in the queue, and all later commands follow a barrier. Each command follows those of its wait list. A finish empties
the queue: the host has waited.
"""
import functools
import os
import random
import sqlite3
import struct
import sys

SIZES = {
    "pi": {"create": ("piQueueCreate", [8, 8, 8, 8]), "copy": ("piextUSMEnqueueMemcpy", [8, 4, 8, 8, 8, 4, 8, 8]),
           "wait": ("piEnqueueEventsWait", [8, 4, 8, 8]), "barrier": ("piEnqueueEventsWaitWithBarrier", [8, 4, 8, 8]),
           "finish": ("piQueueFinish", [8])},
    "ur": {"create": ("urQueueCreate", [8, 8, 8, 8]), "copy": ("urEnqueueUSMMemcpy", [8, 1, 8, 8, 8, 4, 8, 8]),
           "wait": ("urEnqueueEventsWait", [8, 4, 8, 8]), "barrier": ("urEnqueueEventsWaitWithBarrier", [8, 4, 8, 8]),
           "finish": ("urQueueFinish", [8])},
}
SIZES["pi2"] = dict(SIZES["pi"], create=("piextQueueCreate", [8, 8, 8, 8]))
RELEASE = {"pi": (0, 11, 15, 15), "pi2": (0, 12, 27, 27), "ur": (1, 0, 11, 50)}
QUEUE, EVENT = 0x7000, 0x90000


def program(seed):
    """[(what, queue, list of commands)]; commands count from 1."""
    rng, calls, n = random.Random(seed), [], 0
    orders = [rng.random() < 0.4 for _ in range(rng.randint(1, 3))]
    for _ in range(rng.randint(5, 60)):
        what = rng.choices(["copy", "wait", "barrier", "finish"], [10, 2, 3, 1])[0]
        queue = rng.randrange(len(orders))
        waits = sorted(rng.sample(range(1, n + 1), min(n, rng.choice([0, 0, 1, 2, 3])))) if what != "finish" else []
        calls.append((what, queue, waits))
        n += what != "finish"
    return orders, calls


def pairs(seed):
    """The definition: all (earlier, later)."""
    orders, calls = program(seed)
    before, n, state = {}, 0, [{"all": [], "barrier": None} for _ in orders]
    for what, queue, waits in calls:
        here = state[queue]
        if what == "finish":
            here["all"], here["barrier"] = [], None
            continue
        n += 1
        direct = set(waits)
        if orders[queue]:
            direct |= set(here["all"][-1:])
        else:
            if what != "copy" and not waits:
                direct |= set(here["all"])
            if here["barrier"] is not None:
                direct.add(here["barrier"])
            if what == "barrier":
                here["barrier"] = n
        here["all"].append(n)
        before[n] = set(direct)
        for earlier in direct:
            before[n] |= before[earlier]
    return n, {(earlier, later) for later in before for earlier in before[later]}


def record(kind, n, body):
    body += bytes(-len(body) % 8)
    return struct.pack("<IHH", 8 + len(body), kind, n) + body


def block(param, data):
    return struct.pack("<BBHIQ", param, 1, 0, len(data), len(data)) + data + bytes(-len(data) % 8)


def make(seed, api, directory):
    orders, calls = program(seed)
    out = b"TTPICALL" + struct.pack("<IIQQII", 1, 64, 0, 0, 1, 1) + bytes(24)
    names, index, time = {}, 0, 1000
    number, major, minor, release = RELEASE[api]

    def call(what, values, before, after):
        nonlocal out, index, time
        name, sizes = SIZES[api][what]
        if name not in names:
            names[name] = len(names)
            out += record(1, 0, struct.pack("<IIBBHBBH", names[name], names[name], number, len(sizes), len(name), major, minor, release) +
                          bytes(sizes) + name.encode())
        args = b"".join(value.to_bytes(size, "little") for value, size in zip(values, sizes))
        args += bytes(-len(args) % 8)
        out += record(2, len(before), struct.pack("<IhHQQ", names[name], -1, sum(sizes), index, time) + args + b"".join(before))
        out += record(3, len(after), struct.pack("<iIQQ", 0, 0, index, time + 500) + b"".join(after))
        index += 1
        time += 1000

    for i, in_order in enumerate(orders):
        flags = 0 if in_order else 1
        given, before = flags, []
        if api == "ur":
            given = 0 if in_order and i % 2 else 0x1000
            before = [block(2, struct.pack("<IIQII", 14, 0, 0, flags, 0))] if given else []
        elif api == "pi2":
            given, before = 0x1000, [block(2, struct.pack("<QQQ", (1 << 64) - 1, flags, 0))]
        call("create", [1, 2, given, 0x2000], before, [block(3, struct.pack("<Q", QUEUE + i))])
    n = 0
    for what, queue, waits in calls:
        if what == "finish":
            call(what, [QUEUE + queue], [], [])
            continue
        n += 1
        at = 5 if what == "copy" else 1
        values = [QUEUE + queue] + ([0, 0x3000, 0x4000, 8] if what == "copy" else []) + [len(waits), 0x5000 if waits else 0, 0x6000]
        listed = [block(at + 1, b"".join(struct.pack("<Q", EVENT + w) for w in waits))] if waits else []
        call(what, values, listed, [block(at + 2, struct.pack("<Q", EVENT + n))])
    os.makedirs(directory, exist_ok=True)
    with open(os.path.join(directory, "main.ttpi"), "wb") as file:
        file.write(out)


def compare(seed, database):
    n, wanted = pairs(seed)
    db = sqlite3.connect(f"file:{database}?mode=ro", uri=True)
    tasks = [row[0] for row in db.execute("SELECT id FROM task ORDER BY id")]
    assert tasks == list(range(1, n + 1)), (seed, tasks, n)
    before = {task: set() for task in tasks}
    for src, dst in db.execute("SELECT src, dst FROM task_edge ORDER BY dst"):
        assert src < dst, (seed, src, dst)
        before[dst] |= {src}
    for task in tasks:
        for earlier in list(before[task]):
            before[task] |= before[earlier]
    found = {(earlier, later) for later in before for earlier in before[later]}
    assert found == wanted, (seed, sorted(found - wanted)[:5], sorted(wanted - found)[:5])


# -- command buffers ----------------------------------------------------------------------------------


def buffer_program(seed):
    """[(kind, sync point, sync points it waits for)], and how often the buffer is enqueued."""
    rng, commands, point = random.Random(seed), [], rng_start(seed)
    for _ in range(rng.randint(3, 30)):
        point += rng.choice([1, 1, 1, 5])
        earlier = [other for _, other, _ in commands]
        commands.append((rng.choice(["urCommandBufferAppendMemBufferCopyRectExp", "urCommandBufferAppendKernelLaunchExp"]), point,
                         sorted(rng.sample(earlier, min(len(earlier), rng.randint(0, 3))))))
    return commands, rng.randint(1, 3)


def rng_start(seed):
    return seed % 3


@functools.lru_cache(None)
def sizes_of(name, release):
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "data", "ur-functions.tsv"), encoding="utf-8") as table:
        rows = [line.rstrip("\n").split("\t") for line in table]
    found = [row for row in rows if row[1].split("@")[0] == name and
             any(int(part.split("-")[0]) <= release <= int(part.split("-")[-1]) for part in row[9].split(",") if part[0].isdigit())]
    return [int(row[5]) for row in found], [row[3] for row in found]


def make_buffer(commands, n_enqueues, directory):
    out = b"TTPICALL" + struct.pack("<IIQQII", 1, 64, 0, 0, 1, 1) + bytes(24)
    names, index = {}, 0
    number, major, minor, release = RELEASE["ur"]

    def call(name, given, before, after):
        nonlocal out, index
        sizes, params = sizes_of(name, release)
        if name not in names:
            names[name] = len(names)
            out += record(1, 0, struct.pack("<IIBBHBBH", names[name], names[name], number, len(sizes), len(name), major, minor, release) +
                          bytes(sizes) + name.encode())
        args = b"".join(given.get(param, 0).to_bytes(size, "little") for param, size in zip(params, sizes))
        blocks = [block(params.index(param), data) for param, data in before.items()]
        out += record(2, len(blocks), struct.pack("<IhHQQ", names[name], -1, sum(sizes), index, 1000 * index + 1000) +
                      args + bytes(-len(args) % 8) + b"".join(blocks))
        blocks = [block(params.index(param), data) for param, data in after.items()]
        out += record(3, len(blocks), struct.pack("<iIQQ", 0, 0, index, 1000 * index + 1500) + b"".join(blocks))
        index += 1

    call("urQueueCreate", {"hContext": 1, "hDevice": 2, "phQueue": 3}, {}, {"phQueue": struct.pack("<Q", QUEUE)})
    for name, point, waits in commands:
        call(name, {"hCommandBuffer": 0xb00, "numSyncPointsInWaitList": len(waits), "pSyncPointWaitList": 4 if waits else 0, "pSyncPoint": 5},
             {"pSyncPointWaitList": b"".join(struct.pack("<I", wait) for wait in waits)} if waits else {},
             {"pSyncPoint": struct.pack("<I", point)})
    call("urCommandBufferFinalizeExp", {"hCommandBuffer": 0xb00}, {}, {})
    for _ in range(n_enqueues):
        call("urCommandBufferEnqueueExp", {"hCommandBuffer": 0xb00, "hQueue": QUEUE}, {}, {})
    os.makedirs(directory, exist_ok=True)
    with open(os.path.join(directory, "main.ttpi"), "wb") as file:
        file.write(out)


def compare_buffer(seed, database):
    commands, n_enqueues = buffer_program(seed)
    number = {point: i + 1 for i, (_, point, _) in enumerate(commands)}
    wanted = {(number[wait], number[point], "sync_point") for _, point, waits in commands for wait in waits}
    waited = {src for src, _, _ in wanted}
    for i in range(n_enqueues):
        enqueue = len(commands) + 1 + i
        wanted |= {(task, enqueue, "command_buffer") for task in number.values() if task not in waited}
        if i > 0:
            wanted.add((enqueue - 1, enqueue, "queue"))
    db = sqlite3.connect(f"file:{database}?mode=ro", uri=True)
    found = list(db.execute("SELECT src, dst, kind FROM task_edge"))
    assert len(found) == len(set(found)) and set(found) == wanted, (seed, set(found) ^ wanted)
    kinds = [row[0] for row in db.execute("SELECT kind FROM task ORDER BY id")]
    assert kinds == ["kernel" if "Kernel" in name else "copy" for name, _, _ in commands] + ["kernel"] * n_enqueues, kinds


if __name__ == "__main__":
    if sys.argv[3] == "buffer":
        make_buffer(*buffer_program(int(sys.argv[2])), sys.argv[4]) if sys.argv[1] == "make" else compare_buffer(int(sys.argv[2]), sys.argv[4])
    elif sys.argv[3] == "many":
        n = int(sys.argv[2])
        make_buffer([("urCommandBufferAppendKernelLaunchExp", i, []) for i in range(n)], n, sys.argv[4])
    elif sys.argv[1] == "make":
        make(int(sys.argv[2]), sys.argv[3], sys.argv[4])
    else:
        compare(int(sys.argv[2]), sys.argv[4])
