#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A trace of LTTng-UST of functions of programs and libraries that lie here, and what each call is by their symbol tables (nm).

    binaries.py write SEED DIRECTORY TRUTH.json PROGRAM FIXED LIBRARY ONE OTHER
        PROGRAM is a PIE, FIXED is none; ONE and OTHER are opened and closed, one after the other at one address
    binaries.py check DATABASE TRUTH.json
    binaries.py recorded DATABASE TEXT    against babeltrace2's text of a trace with its filter debug-info
"""
import json
import os
import random
import re
import sqlite3
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..', 'data', 'generators'))
import ctf  # noqa: E402

EVENTS = [('lttng_ust_statedump:bin_info', [('baddr', 'hex'), ('memsz', 'u64'), ('path', 'string'), ('is_pic', 'u32'),
                                            ('has_build_id', 'u32'), ('has_debug_link', 'u32')]),
          ('lttng_ust_statedump:build_id', [('baddr', 'hex'), ('build_id', 'u64[]')]),
          ('lttng_ust_dl:dlopen', [('baddr', 'hex'), ('memsz', 'u64'), ('flags', 'i32'), ('path', 'string'),
                                   ('has_build_id', 'u32'), ('has_debug_link', 'u32')]),
          ('lttng_ust_dl:dlclose', [('baddr', 'hex')]),
          ('lttng_ust_cyg_profile:func_entry', [('addr', 'hex'), ('call_site', 'hex')]),
          ('lttng_ust_cyg_profile:func_exit', [('addr', 'hex'), ('call_site', 'hex')])]
SIZE = 0x10000


def functions(path):
    """Those of the source: their names begin with f_."""
    text = subprocess.run(['nm', path], check=True, capture_output=True, text=True).stdout
    return {name: int(at, 16) for at, kind, name in re.findall(r'^(\w+) ([tT]) (f_\w+)$', text, re.M)}


def build_id(path):
    text = subprocess.run(['readelf', '-n', path], check=True, capture_output=True, text=True).stdout
    return re.search(r'Build ID: (\w+)', text)[1]


def write(seed, directory, path, program, fixed, library, one, other):
    rng = random.Random(seed)
    trace = ctf.Trace(directory, EVENTS, [('vpid', 'i32'), ('vtid', 'i32')],
                      {'hostname': 'made', 'domain': 'ust', 'tracer_name': 'lttng-ust'}, n_cpus=1)
    now, calls = 1000, []

    def call(pid, base, file):
        nonlocal now
        name, at = rng.choice(sorted(functions(file).items()))
        now += 100
        trace.event(now, 0, EVENTS[4][0], (pid, pid), addr=base + at, call_site=0)
        trace.event(now + 50, 0, EVENTS[5][0], (pid, pid), addr=base + at, call_site=0)
        calls.append([pid, now, name])

    def put(pid, name, **values):
        nonlocal now
        now += 10
        trace.event(now, 0, name, (pid, pid), **values)

    for pid in (70, 71):
        here = {program if pid == 70 else fixed: rng.randrange(1 << 20, 1 << 34) << 12, library: rng.randrange(1 << 34, 1 << 35) << 12}
        if pid == 71:
            here[fixed] = 0
        for file, base in here.items():
            low = base or 0x400000
            put(pid, EVENTS[0][0], baddr=low, memsz=SIZE, path=file, is_pic=int(base != 0), has_build_id=1, has_debug_link=0)
            put(pid, EVENTS[1][0], baddr=low, build_id=list(bytes.fromhex(build_id(file))))
        for _ in range(10):
            file = rng.choice(sorted(here))
            call(pid, here[file], file)
        shared = rng.randrange(1 << 35, 1 << 36) << 12
        for file in (one, other, one):
            put(pid, EVENTS[2][0], baddr=shared, memsz=SIZE, flags=1, path=file, has_build_id=0, has_debug_link=0)
            for _ in range(3):
                call(pid, shared, file)
            put(pid, EVENTS[3][0], baddr=shared)
        call(pid, here[library], library)
    trace.write()
    with open(path, 'w', encoding='ascii') as f:
        json.dump(calls, f)


def check(database, path):
    db = sqlite3.connect(f'file:{database}?mode=ro', uri=True)
    with open(path, encoding='ascii') as f:
        truth = json.load(f)
    rows = [[int(pid), ts - ctf.EPOCH_NS, name] for pid, ts, name in
            db.execute('SELECT pid, ts_ns, op_name FROM event WHERE dur_ns IS NOT NULL ORDER BY ts_ns')]
    wrong = [(a, b) for a, b in zip(rows, truth) if a != b]
    print(f'{len(rows)} calls, {len(truth)} made, {len(wrong)} wrong: {wrong[:3]}')
    return not rows or rows != truth


def recorded(database, text):
    db = sqlite3.connect(f'file:{database}?mode=ro', uri=True)
    rows = [(name, f'{os.path.basename(file or "")}:{line}') for name, file, line in db.execute(
        "SELECT op_name, file, line FROM event WHERE native_group = 'lttng_ust_cyg_profile' AND dur_ns IS NOT NULL ORDER BY ts_ns")]
    with open(text, encoding='utf-8') as f:
        theirs = [(m[1], m[2]) for m in re.finditer(r'func_entry.*?func = "([^"+]*)\+?[^"]*", src = "([^"]*)"', f.read())]
    print(f'{len(rows)} functions, {len(theirs)} of babeltrace2', [pair for pair in zip(rows, theirs) if pair[0] != pair[1]][:3])
    return not rows or rows != theirs


if __name__ == '__main__':
    if sys.argv[1] == 'write':
        sys.exit(write(int(sys.argv[2]), *sys.argv[3:]))
    sys.exit({'check': check, 'recorded': recorded}[sys.argv[1]](*sys.argv[2:]))
