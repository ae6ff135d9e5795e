#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares what `tracetool import` made of a Neutrino run with the run's files, read here anew.

neutrino.py DATABASE RUN: also with the expected.json beside RUN, of data/generators/neutrino.py or of the simple form
{"grid": ..., "block": ..., "maps": {NAME: [[block, unit, slot, field...]]}} for a run of one launch.
"""
import collections
import json
import os
import re
import sqlite3
import struct
import sys

import tomllib

STARTS = {'start': 'cycles', 'gstart': 'ns', 'clock': 'cycles', 'lstart': 'cycles'}
ENDS = {'elapsed', 'gend'}
UNITS = {'cuid', 'smid'}


def read_maps(path):
    with open(path, 'rb') as file:
        tree = tomllib.load(file)
    if 'map' not in tree:
        maps = []
        for name, section in tree.items():
            if 'datamodel' not in section:
                continue
            level, size, *cap = section['datamodel'].split(':')
            fields = []
            for kind, registers in re.findall(r'SAVE\.(u\d\d) \{([^}]*)\}', section.get('before', '') + section['after']):
                fields += [(r.strip().lstrip('%'), kind) for r in registers.split(',')]
            maps.append((name, level, int(size), 1, fields))
        return maps
    maps = []
    for name, table in tree['map'].items():
        fields = [(field, kind[0]) for field, kind in table['regs'].items()]
        fields = [f for f in fields if f[1] == 'u64'] + [f for f in fields if f[1] == 'u32']
        maps.append((name, table['level'], table['size'], 0 if table['cap'] == 'dynamic' else table['cap'], fields))
    return maps


def read_result(path, maps):
    """(layout, {map: [(block, unit, slot, shared, values)]})"""
    with open(path, 'rb') as file:
        data = file.read()
    gx, gy, gz, bx, by, bz, _, n = struct.unpack_from('<8I', data)
    assert n == len(maps)
    n_blocks, n_threads = gx * gy * gz, bx * by * bz
    entries = [struct.unpack_from('<IIQ', data, 32 + 16 * i) for i in range(n)]
    for layout in ('old', 'new', 'hip'):
        warp = 64 if layout == 'hip' else 32
        at, areas = 32 + 16 * n, []
        for (low, high, _), (_, level, _, _, _) in zip(entries, maps):
            per = warp if level == 'warp' else 1
            if (layout == 'old' and high) or (layout == 'new' and high != per):
                break
            units = -(-n_threads // per)
            size = low // (n_blocks * units) if layout == 'hip' else low
            areas.append((at, size, units, per))
            at += n_blocks * units * size
        if len(areas) == n and at == len(data):
            break
    else:
        raise SystemExit(f'{path}: no layout fits')

    found = {}
    for (at, size, units, per), (name, level, bytes_, cap, fields) in zip(areas, maps):
        form = '<' + ''.join('Q' if kind == 'u64' else 'I' for _, kind in fields)
        step, total = units, n_blocks * units
        if n_threads % per:
            used = n_blocks * (units - 1) + 1
            if not any(data[at + used * size:at + total * size]):
                step, total = units - 1, used
        rows = found[name] = []
        for place in range(total):
            block = n_blocks - 1 if step == 0 else min(place // step, n_blocks - 1)
            unit = 0 if step == 0 else place - block * step
            raw = data[at + place * size:at + (place + 1) * size]
            records = [raw[i:i + bytes_] for i in range(0, size, bytes_)]
            while records and cap != 1 and not any(records[-1]):
                records.pop()
            shared = step < units and block > 0 and unit == 0
            rows += [(block, unit, slot, shared, struct.unpack(form, r)) for slot, r in enumerate(records)]
    return layout, (gx, gy), found


def rows_of_file(layout, grid, found, maps, kernel, kernel_ns):
    """What the database should have of it: (name, tid or None, ts, dur, args)"""
    rows, sums = collections.Counter(), {}
    for name, level, _, cap, fields in maps:
        names = [f for f, _ in fields]
        start = next((f for f in names if f in STARTS), None)
        end = next((f for f in names if f in ENDS), None) if start else None
        unit_field = next((f for f in names if f in UNITS), None)
        scale = 10 if start and STARTS[start] == 'ns' and layout == 'hip' else 1
        for block, unit, slot, shared, values in found[name]:
            value = dict(zip(names, values))
            args = {'block': [block % grid[0], block // grid[0] % grid[1], block // grid[0] // grid[1]], level: unit}
            if cap != 1:
                args['slot'] = slot
            if shared:
                args['shared'] = True
            if start is None:
                ts, dur, tid = kernel_ns, None, name
                for field in names:
                    if field != unit_field:
                        sums[f'{name}/{field}'] = sums.get(f'{name}/{field}', 0) + value[field]
            else:
                if not any(values):
                    continue
                ts = value[start] * scale
                dur = None if end is None else value[end] * scale if end == 'elapsed' else value[end] * scale - ts
                word = 'CU' if layout == 'hip' else 'SM'
                tid = f'{word} {value[unit_field]}' if unit_field else f'block {block}'
            for field in names:
                if start is None or scale != 1 or field not in (start, end, unit_field):
                    args[field] = value[field]
            rows[(f'COMP.{kernel}.{name}', tid, ts, dur, json.dumps(args, sort_keys=True))] += 1
    return rows, sums


def check(what, got, wanted):
    if got == wanted:
        return True
    print(f'# {what}: {sum((got - wanted).values())} rows too many, {sum((wanted - got).values())} missing')
    for row in list((got - wanted).items())[:3]:
        print(f'#   only in the database: {row}')
    for row in list((wanted - got).items())[:3]:
        print(f'#   only in the files: {row}')
    return False


def check_lanes(db):
    """Spans of one thread of a device never overlap."""
    last, good = {}, True
    for pid, tid, ts, dur, depth, self_ns in db.execute(
            "SELECT pid, tid, ts_ns, dur_ns, depth, self_ns FROM event WHERE pid LIKE '%.gpu%' AND dur_ns IS NOT NULL "
            'ORDER BY ts_ns, dur_ns'):
        good &= ts >= last.get((pid, tid), ts) and depth == 0 and self_ns == dur
        last[pid, tid] = ts + dur
    if not good:
        print('# spans of a lane overlap')
    return good


def widen(expected, run, maps):
    """The simple form as the other, with what the log says."""
    with open(os.path.join(run, 'event.log')) as file:
        log = file.read()
    ns = int(re.search(r'exec\] (\d+) param', log)[1])
    times = [int(t.replace('.', '')) for t in re.search(r'prologue (\S+) kernel (\S+) epilogue (\S+)', log).groups()]
    kernel = re.search(r'find \S+ name (\S+)', log)[1]
    name, = os.listdir(os.path.join(run, 'result'))
    with open(os.path.join(run, 'result', name), 'rb') as file:
        high = struct.unpack_from('<I', file.read(), 36)[0]
    return {'pid': re.search(r'pid (\d+)', log)[1], 'layout': 'new' if high else 'old',
            'launches': [[kernel, ns, *times, name]],
            'results': {name: {'kernel': kernel, 'kernel_ns': ns + times[0], 'block': expected['block'],
                               'maps': {m: {'records': r} for m, r in expected['maps'].items()}}}}


def main():
    database, run = sys.argv[1:3]
    db = sqlite3.connect(database)
    maps = read_maps(os.path.join(run, 'probe.toml'))
    with open(os.path.join(os.path.dirname(run.rstrip('/')), 'expected.json')) as file:
        expected = json.load(file)
    if 'maps' in expected:
        expected = widen(expected, run, maps)
    if not expected['launches'] or not expected['results']:
        sys.exit('# no launch or no result is expected: nothing is compared')
    good = check_lanes(db)
    if not expected['launches'] and not expected['results']:
        print('# neither launches nor results: there is nothing to compare')
        good = False

    wanted_launches = collections.Counter()
    for kernel, ns, prologue, time, epilogue, result in expected['launches']:
        wanted_launches.update([(f'RT.{kernel}.launch', ns, prologue + time + epilogue), (f'RT.{kernel}.prologue', ns, prologue),
                                (f'COMP.{kernel}', ns + prologue, time), (f'RT.{kernel}.epilogue', ns + prologue + time, epilogue)])
    got = collections.Counter(db.execute("SELECT name, ts_ns, dur_ns FROM event WHERE pid = ?", [expected['pid']]).fetchall())
    good &= check('launches', got, wanted_launches)

    for name, result in expected['results'].items():
        path = os.path.join(run, 'result', name)
        layout, grid, found = read_result(path, maps)
        if layout != expected['layout'] and not all(b == 1 for b in result['block']):
            print(f'# {name}: layout {layout}')
            good = False
        for map_name, wanted in result['maps'].items():
            mine = [[b, u, s, *v] for b, u, s, _, v in found[map_name]]
            if mine != wanted['records']:
                print(f'# {name}: records of {map_name} are not those that were written')
                good = False
        rows, sums = rows_of_file(expected['layout'], grid, found, maps, result['kernel'], result['kernel_ns'])
        got = collections.Counter()
        for event, tid, ts, dur, args in db.execute(
                'SELECT e.name, e.tid, e.ts_ns, e.dur_ns, e.args FROM event e JOIN source s ON s.id = e.source '
                "WHERE s.path LIKE ?", [f'%/{name}']):
            tid = tid.split(':')[0]
            got[(event, tid, ts, dur, json.dumps(json.loads(args), sort_keys=True))] += 1
        good &= check(name, got, rows)
        for series, value in sums.items():
            if (value,) not in db.execute('SELECT value FROM counter WHERE series = ? AND ts_ns = ?',
                                          [series, result['kernel_ns']]).fetchall():
                print(f'# {name}: counter {series} is not {value}')
                good = False
    sys.exit(0 if good else 1)


if __name__ == '__main__':
    main()
