#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Traces of Neutrino's probes, and what 'plot dmat' and 'plot blocks' must show of them.

  probe-pictures.py make-dmat DIRECTORY SEED        accesses to three pieces of memory: in order, by strides, at random
  probe-pictures.py make-blocks DIRECTORY SEED [ns] blocks on multiprocessors that take the next when one ends, in cycles
  probe-pictures.py dmat DIRECTORY PICTURE          complains of cells that are not theirs
  probe-pictures.py blocks DIRECTORY PICTURE        likewise of lanes, places, occupancy and tail
  probe-pictures.py dmat-text DIRECTORY TEXT        of letters, which stand for so many accesses as the legend says
  probe-pictures.py blocks-text DIRECTORY TEXT      of letters, which stand for how much is busy; blocks in ns
  probe-pictures.py make-banks DIRECTORY SEED [slots] accesses of warps to shared memory, with a time or without
  probe-pictures.py banks DIRECTORY BANKS CONFLICTS complains of words of banks and passes of accesses that are not theirs, in CSV
  probe-pictures.py pages DIRECTORY CSV             likewise of accesses of pages, of dmat
  probe-pictures.py make-clocks DIRECTORY SEED      blocks as above, with cycles and the device's time, which comes in steps
  probe-pictures.py clocks DIRECTORY CSV PICTURE    complains of blocks and errors that are not those of the nearest line, which is
                                                    looked for among all pairs of readings, or far from when they really ran

Records are read back from the result file, as Neutrino's own callbacks do: its page is of 64 KiB, its block that of all
its warps.
"""
import collections
import csv
from fractions import Fraction
import heapq
import math
import os
import random
import re
import struct
import sys
import xml.etree.ElementTree as ET

SVG = '{http://www.w3.org/2000/svg}'
BASES = (0x7F0000000000, 0x7F0010000000, 0x7F0200000000)
ROWS, COLUMNS, LANES, LINES, LEVELS = 96, 120, 64, 32, ' .:-=+*#@'
DMAT = {'level': 'thread', 'cap': '"dynamic"', 'regs': ('clock = ["u64", "None"]', 'addr = ["u64", "None"]')}
SCHED = {'level': 'warp', 'cap': '1', 'regs': ('%s = ["u64", "None"]', 'elapsed = ["u32", "None"]', 'cuid = ["u32", "None"]')}


def write(directory, name, layout, header, entry, records, pid=4242):
    os.makedirs(os.path.join(directory, 'result'))
    with open(os.path.join(directory, 'probe.toml'), 'w', encoding='ascii') as out:
        out.write('regs = 4\n[map.%s]\nlevel = "%s"\ntype = "array"\nsize = 16\ncap = %s\n[map.%s.regs]\n%s\n' % (
            name, layout['level'], layout['cap'], name, '\n'.join(layout['regs'])))
    with open(os.path.join(directory, 'event.log'), 'w', encoding='ascii') as out:
        out.write('[init] pid %d\n' % pid)
    with open(os.path.join(directory, 'result', '0.123457.bin'), 'wb') as out:
        out.write(struct.pack('<8I', *header) + struct.pack('<IIQ', *entry, 48) + records)


def make_dmat(directory, seed):
    rng = random.Random(seed)
    blocks, threads, slots, records = rng.randrange(8, 40), 32, 24, bytearray()
    for block in range(blocks):
        for thread in range(threads):
            for slot in range(slots):
                clock = 200 * slot + 40 * block + rng.randrange(60) + 1
                kind = slot % 3
                address = (BASES[0] + (block * threads + thread) * 4096 + slot * 64,
                           BASES[1] + ((slot * 977 + block * 131) % 256) * 65536 + thread * 4,
                           BASES[2] + rng.randrange(96) * 65536)[kind]
                records += struct.pack('<QQ', clock, address)
    write(directory, 'DMAT', DMAT, (blocks, 1, 1, threads, 1, 1, 0, 1), (slots * 16, 1), records)
    with open(os.path.join(directory, 'tensor.trace'), 'w', encoding='ascii') as out:
        for variable, shape, size, address in (('x', '[512, 512, 16]', 4 << 20, BASES[0]), ('weight', '[4096, 4096]', 16 << 20, BASES[1])):
            out.write('[call]  1752574272123456789  %s  %d  %d  %s  torch.add  a.py:3\n' % (shape, size, address, variable))


def make_blocks(directory, seed, unit):
    rng = random.Random(seed)
    n_units, places, blocks, warps = rng.choice((6, 16, 132)), rng.randrange(1, 5), rng.randrange(200, 700), 2
    offsets = [rng.randrange(10**9) if unit == 'cycles' else 10**9 for _ in range(n_units)]
    free, records = [(0, place, sm) for sm in range(n_units) for place in range(places)], {}
    heapq.heapify(free)
    for block in range(blocks):
        at, place, sm = heapq.heappop(free)
        at += rng.randrange(50)
        lengths = [rng.randrange(3000, 9000) for _ in range(warps)]
        starts = [at + rng.randrange(200) for _ in range(warps)]
        records[block] = b''.join(struct.pack('<QII', offsets[sm] + start, length, sm) for start, length in zip(starts, lengths))
        heapq.heappush(free, (max(start + length for start, length in zip(starts, lengths)), place, sm))
    layout = dict(SCHED, regs=(SCHED['regs'][0] % ('gstart' if unit == 'ns' else 'start'),) + SCHED['regs'][1:])
    write(directory, 'block_sched', layout, (blocks, 1, 1, 32 * warps, 1, 1, 0, 1), (16, 32),
          b''.join(records[block] for block in range(blocks)), 4243 + int(seed))


BANKED = (('clock', 'u64'), ('addr', 'u64'), ('bytes', 'u32'), ('cuid', 'u32'))


def make_banks(directory, seed, kind):
    """Patterns by lane: strides, one word, columns of a padded tile, at random; of 4, 8 and 16 bytes; lanes that are not there."""
    rng = random.Random(seed)
    blocks, threads, slots = rng.randrange(1, 5), rng.choice((32, 48, 96)), 20
    records = {}
    for block in range(blocks):
        for warp in range(-(-threads // 32)):
            clock, lanes = rng.randrange(1000), range(warp * 32, min(threads, warp * 32 + 32))
            for slot in range(slots):
                clock, size = clock + rng.randrange(1, 40), rng.choice((4, 4, 4, 8, 16))
                base, stride, seldom = rng.randrange(64) * 16, rng.choice((0, 1, 2, 3, 4, 8, 16, 32, 33)), rng.randrange(3) == 0
                for lane in lanes:
                    if seldom and kind != 'slots' and rng.randrange(2):
                        continue
                    address = base + lane * stride * size if rng.randrange(4) else rng.randrange(2048) * size
                    records.setdefault((block, lane), []).append((clock, address, size, (block + warp) % 3))
    data = bytearray()
    for block in range(blocks):
        for thread in range(threads):
            own = records.get((block, thread), [])
            for record in own + [None] * (slots - len(own)):
                if kind == 'slots':
                    data += struct.pack('<QQ', *record[1:3])
                else:
                    data += struct.pack('<QQII', *record) if record else bytes(24)
    fields = (('addr', 'u64'), ('bytes', 'u64')) if kind == 'slots' else BANKED
    os.makedirs(os.path.join(directory, 'result'))
    with open(os.path.join(directory, 'probe.toml'), 'w', encoding='ascii') as out:
        out.write('regs = 4\n[map.S]\nlevel = "thread"\ntype = "array"\nsize = %d\ncap = %d\n[map.S.regs]\n%s\n' % (
            16 if kind == 'slots' else 24, slots, '\n'.join('%s = ["%s", "None"]' % field for field in fields)))
    with open(os.path.join(directory, 'event.log'), 'w', encoding='ascii') as out:
        out.write('[init] pid %d\n' % (4244 + seed))
    with open(os.path.join(directory, 'result', '0.123457.bin'), 'wb') as out:
        out.write(struct.pack('<8I', blocks, 1, 1, threads, 1, 1, 0, 1) + struct.pack('<IIQ', len(data) // blocks // threads, 1, 48) + data)


def make_clocks(directory, seed):
    """Multiprocessors count from anywhere, at nearly the same rate; the device's time comes in steps. true.txt: when blocks ran."""
    rng = random.Random(seed)
    n_units, places, blocks, step = rng.choice((1, 2, 5)), rng.randrange(1, 4), rng.randrange(12, 90), rng.choice((1, 32, 1024))
    rates = [Fraction(1410 + rng.randrange(-2, 3) * (seed % 2), 1000) for _ in range(n_units)]
    offsets, origin = [rng.randrange(10**12) for _ in range(n_units)], 10**15 + rng.randrange(10**9)
    free, records, true = [(0, place, sm) for sm in range(n_units) for place in range(places)], b'', []
    heapq.heapify(free)
    for _ in range(blocks):
        at, place, sm = heapq.heappop(free)
        at += rng.randrange(5000)
        length = rng.randrange(1000, 90000)
        cycles, end = offsets[sm] + at * rates[sm], offsets[sm] + (at + length) * rates[sm]
        records += struct.pack('<QQII', int(cycles), (origin + at) // step * step, int(end) - int(cycles), sm)
        true.append('%d %d %d %d\n' % (sm, at, at + length, step))
        heapq.heappush(free, (at + length, place, sm))
    os.makedirs(os.path.join(directory, 'result'))
    with open(os.path.join(directory, 'probe.toml'), 'w', encoding='ascii') as out:
        out.write('regs = 4\n[map.both]\nlevel = "warp"\ntype = "array"\nsize = 24\ncap = 1\n[map.both.regs]\nclock = ["u64", "None"]\n'
                  'time = ["u64", "None"]\nelapsed = ["u32", "None"]\ncuid = ["u32", "None"]\n')
    with open(os.path.join(directory, 'event.log'), 'w', encoding='ascii') as out:
        out.write('[init] pid %d\n' % (4245 + seed))
    with open(os.path.join(directory, 'result', '0.123457.bin'), 'wb') as out:
        out.write(struct.pack('<8I', blocks, 1, 1, 32, 1, 1, 0, 1) + struct.pack('<IIQ', 24, 32, 48) + records)
    with open(os.path.join(directory, 'true.txt'), 'w', encoding='ascii') as out:
        out.writelines(true)


def nearest_line(readings):
    """(slope, ns at cycle 0, error), with slopes of all pairs of readings; None: there is one cycle alone."""
    best = None
    for i, (c, t) in enumerate(readings):
        for other, u in readings[:i]:
            if other == c:
                continue
            slope = Fraction(u - t, other - c)
            aside = [ns - slope * cycles for cycles, ns in readings]
            error = (max(aside) - min(aside)) / 2
            if best is None or error < best[2]:
                best = (slope, (max(aside) + min(aside)) / 2, error)
    return best


def check_clocks(directory, blocks, picture):
    with open(os.path.join(directory, 'result', '0.123457.bin'), 'rb') as file:
        records = list(struct.iter_unpack('<QQII', file.read()[48:]))
    with open(os.path.join(directory, 'true.txt'), encoding='ascii') as file:
        true = [tuple(map(int, line.split())) for line in file]
    lines = {sm: nearest_line([(c, t) for c, t, _, unit in records if unit == sm]) for sm in {record[3] for record in records}}
    assert all(lines.values()), 'a multiprocessor has one reading: take another seed'
    spans = [(sm, lines[sm][1] + lines[sm][0] * c, lines[sm][1] + lines[sm][0] * (c + elapsed)) for c, _, elapsed, sm in records]
    first = min(begin for _, begin, _ in spans)
    wanted = sorted((sm, begin - first, end - first) for sm, begin, end in spans)
    got = sorted((int(row['unit']), int(row['begin']), int(row['end'])) for row in read_csv(blocks))
    assert len(got) == len(wanted)
    for (unit, begin, end), (sm, exact_begin, exact_end) in zip(got, wanted):
        assert unit == sm and abs(begin - exact_begin) <= 1 and abs(end - exact_end) <= 1, (unit, begin, float(exact_begin))
    worst = max(line[2] for line in lines.values())
    text = ' '.join(t.text for t in ET.parse(picture).getroot().iter(SVG + 'text') if t.text)
    off = re.search(r'off by more than ([0-9.,]+) (ns|us)', re.sub(' +', ' ', text))
    assert off and abs(float(off.group(1).replace(',', '')) * (1 if off.group(2) == 'ns' else 1000) - math.ceil(worst)) <= worst / 100, (off, float(worst))
    # Against when they ran: the readings are early by less than a step, the line in the middle of them.
    least = min(begin for _, begin, _, _ in true)
    shift = sorted(begin - exact for (_, begin, _, _), (_, exact, _) in zip(true, spans))[len(true) // 2]
    for (_, begin, end, step), (_, exact_begin, exact_end) in zip(true, spans):
        assert abs(begin - exact_begin - shift) <= 2 * step + 2, (begin - least, float(exact_begin - first), step)
    return 'blocks %d error %d' % (len(records), math.ceil(worst))


def read_csv(path):
    with open(path, encoding='ascii', newline='') as file:
        return list(csv.DictReader(file))


def check_banks(directory, banks, conflicts):
    with open(os.path.join(directory, 'result', '0.123457.bin'), 'rb') as file:
        data = file.read()
    with open(os.path.join(directory, 'probe.toml'), encoding='ascii') as file:
        is_timed = 'clock' in file.read()
    blocks, threads, size = struct.unpack_from('<I', data, 0)[0], struct.unpack_from('<I', data, 12)[0], struct.unpack_from('<I', data, 32)[0]
    record = 24 if is_timed else 16
    accesses = collections.defaultdict(set)
    for place in range(blocks * threads * (size // record)):
        at, slot = 48 + place * record, place % (size // record)
        block, thread = divmod(place // (size // record), threads)
        if is_timed:
            key, address, width, _ = struct.unpack_from('<QQII', data, at)
        else:
            (address, width), key = struct.unpack_from('<QQ', data, at), slot
        if width:
            accesses[block, thread // 32, key] |= set(range(address // 4, (address + width - 1) // 4 + 1))
    shown_banks, shown_passes = collections.Counter(), collections.Counter()
    for words in accesses.values():
        of_bank = collections.Counter(word % 32 for word in words)
        passes, least = max(of_bank.values()), -(-len(words) // 32)
        for bank, n in of_bank.items():
            shown_banks[bank, passes > least] += n
        shown_passes[min(passes, 33), passes > least] += 1
    got = {(int(row['row']), 'with a' in row['part']): int(row['value']) for row in read_csv(banks)}
    assert got == shown_banks, (sorted(got.items()), sorted(shown_banks.items()))
    got = {(int(row['row'].split()[0]), 'conflicts' in row['part']): int(row['value']) for row in read_csv(conflicts)}
    assert got == shown_passes, (got, shown_passes)
    return 'accesses %d conflicts %d' % (len(accesses), sum(n for (_, is_conflict), n in shown_passes.items() if is_conflict))


def check_pages(directory, pages):
    _, _, data = read(directory)
    wanted = collections.Counter(address >> 16 for clock, address in struct.iter_unpack('<QQ', data) if (clock, address) != (0, 0))
    order, rows = sorted(wanted), read_csv(pages)
    fold = -(-len(order) // LANES)
    sums = [sum(wanted[page] for page in order[i:i + fold]) for i in range(0, len(order), fold)]
    assert [int(row['value']) for row in rows] == sums, (rows[:5], sums[:5])
    assert [int(row['row'].split(' ')[0], 16) >> 16 for row in rows] == order[::fold]
    return 'pages %d' % len(order)


def read(directory):
    """(number of blocks, units of a block, records of 16 bytes)"""
    with open(os.path.join(directory, 'result', '0.123457.bin'), 'rb') as file:
        data = file.read()
    blocks, threads = struct.unpack_from('<I', data, 0)[0], struct.unpack_from('<I', data, 12)[0]
    size, divisor, offset = struct.unpack_from('<IIQ', data, 32)
    assert len(data) == offset + blocks * (threads // divisor) * size
    return blocks, threads // divisor, data[offset:]


def shown(picture, element, *keys):
    for found in ET.parse(picture).getroot().iter(SVG + element):
        if all(found.get('data-' + key) is not None for key in keys):
            yield [found.get('data-' + key) for key in keys]


def check_dmat(directory, picture):
    _, _, data = read(directory)
    accesses = [access for access in struct.iter_unpack('<QQ', data) if access != (0, 0)]
    pages = sorted({address >> 16 for _, address in accesses})
    first, last = min(clock for clock, _ in accesses), max(clock for clock, _ in accesses)
    length, fold = last - first + 1, -(-len(pages) // ROWS)
    columns, places = min(COLUMNS, length), {page: i for i, page in enumerate(pages)}
    wanted = collections.Counter()
    for clock, address in accesses:
        column = (clock - first) * columns // length
        wanted[places[address >> 16] // fold * fold, -(-length * column // columns)] += 1
    cells = {(int(page), int(time)): int(count) for page, time, count in shown(picture, 'rect', 'page', 'time', 'count')}
    assert cells == wanted, (len(cells), len(wanted), [item for item in cells.items() if wanted.get(item[0]) != item[1]][:5])
    text = ' '.join(t.text for t in ET.parse(picture).getroot().iter(SVG + 'text') if t.text)
    assert ('%s accesses' % format(len(accesses), ',')) in text, text
    assert fold == 1 or ('%d pages were used' % len(pages)) in text, text
    return 'accesses %d pages %d cells %d' % (len(accesses), len(pages), len(cells))


def check_blocks(directory, picture, is_ns):
    n, warps, data = read(directory)
    records, blocks = list(struct.iter_unpack('<QII', data)), collections.defaultdict(list)
    for block in range(n):
        own = records[block * warps:(block + 1) * warps]
        blocks[own[0][2]].append((min(r[0] for r in own), max(r[0] + r[1] for r in own)))
    zero = {sm: 0 if is_ns else min(blocks[sm])[0] for sm in blocks}
    begin = min(start - zero[sm] for sm in blocks for start, _ in blocks[sm])
    end = max(stop - zero[sm] for sm in blocks for _, stop in blocks[sm])
    most = max(sum(other[0] <= start < other[1] for other in blocks[sm]) for sm in blocks for start, _ in blocks[sm])
    busy = sum(stop - start for sm in blocks for start, stop in blocks[sm])
    lasts = [max(stop for _, stop in blocks[sm]) - zero[sm] for sm in blocks]
    # Lanes: neighbours where there are too many; the sums of both parts.
    sms, sums = sorted(blocks), collections.Counter()
    fold = -(-len(sms) // LANES)
    for i, sm in enumerate(sms):
        lane = sms[i // fold * fold:i // fold * fold + fold]
        name = 'SM %d' % lane[0] if len(lane) == 1 else 'SM %d .. SM %d' % (lane[0], lane[-1])
        sums[name] += sum(stop - start for start, stop in blocks[sm])
    lanes = collections.Counter()
    for lane, value in shown(picture, 'path', 'lane', 'value'):
        lanes[re.sub(':[0-9]+$', '', lane)] += int(value)
    assert lanes == sums, (lanes, sums)
    marks = [int(mark) for mark, in shown(picture, 'text', 'mark')]
    assert marks == [min(lasts) - begin], (marks, min(lasts) - begin)
    text = ' '.join(t.text for t in ET.parse(picture).getroot().iter(SVG + 'text') if t.text)
    text = re.sub(' +', ' ', text)
    whole = (end - begin) * len(sms)
    percent = lambda part, of: '%.1f %%' % (int(part * 1000 / of + 0.5) / 10)
    for words in ('%s blocks on %d SMs, at most %d at once' % (format(n, ','), len(sms), most),
                  'on average %s of so many' % percent(busy, whole * most),
                  'idle time is %s of all' % percent(sum(end - last for last in lasts), whole)):
        assert words in text, (words, text)
    return 'blocks %d on %d' % (n, len(sms))


def read_letters(path):
    """(letters of the rows by their label, all as wide as the axis; the text, its lines joined)"""
    with open(path, encoding='ascii') as file:
        lines = file.read().split('\n')
    width = next(len(line.strip()) - 1 for line in lines if re.fullmatch(r' *\+[-+]+', line))
    rows = [re.fullmatch(r' *(.*) \|(.*)', line) for line in lines]
    assert max(map(len, lines)) <= 80, max(map(len, lines))
    return [(row.group(1), row.group(2).ljust(width)) for row in rows if row], re.sub(' +', ' ', ' '.join(lines))


def check_dmat_text(directory, path):
    _, _, data = read(directory)
    accesses = [access for access in struct.iter_unpack('<QQ', data) if access != (0, 0)]
    pages = sorted({address >> 16 for _, address in accesses})
    first, last = min(clock for clock, _ in accesses), max(clock for clock, _ in accesses)
    length, fold = last - first + 1, -(-len(pages) // ROWS)
    columns, rows, places = min(COLUMNS, length), -(-len(pages) // fold), {page: i for i, page in enumerate(pages)}
    letters, text = read_letters(path)
    letters.reverse()
    width, sums = len(letters[0][1]), collections.Counter()
    assert len(letters) == min(rows, LINES), len(letters)
    for clock, address in accesses:
        line = places[address >> 16] // fold * len(letters) // rows
        sums[line, (clock - first) * columns // length * width // columns] += 1
    legend = [(word[0], int(word[5:].replace(',', ''))) for word in re.findall(r'[^ a-z] to [0-9,]+', text[text.index('accesses: '):])]
    assert legend and max(sums.values()) <= legend[-1][1], legend
    for line, (_, row) in enumerate(letters):
        for column, letter in enumerate(row):
            count = sums.get((line, column), 0)
            wanted = next(sign for sign, upper in legend if count <= upper) if count else ' '
            assert letter == wanted, (line, column, letter, count)
    return 'letters %d of %d accesses' % (len(sums), len(accesses))


def check_blocks_text(directory, path):
    """Of each multiprocessor and letter: what its lanes say, in eighths that are rounded up."""
    n, warps, data = read(directory)
    records, blocks = list(struct.iter_unpack('<QII', data)), collections.defaultdict(list)
    for block in range(n):
        own = records[block * warps:(block + 1) * warps]
        blocks[own[0][2]].append((min(r[0] for r in own), max(r[0] + r[1] for r in own)))
    begin = min(start for sm in blocks for start, _ in blocks[sm])
    length = max(stop for sm in blocks for _, stop in blocks[sm]) - begin
    most = max(sum(other[0] <= start < other[1] for other in blocks[sm]) for sm in blocks for start, _ in blocks[sm])
    letters, text = read_letters(path)
    assert letters[0][0] == 'tail' and letters[0][1].count('v') == 1, letters[0]
    sms, width, shown_lanes = sorted(blocks), len(letters[0][1]), collections.defaultdict(list)
    fold, columns = -(-len(sms) // LANES), min(length, 880)
    n_places = max(LANES // len(sms), 1)
    for label, row in letters[1:]:
        name = re.match('SM ([0-9]+)(?:.*:([0-9]+))?', label)
        place = int(name.group(2) or 0)
        members = 1 if place < n_places - 1 else most - place
        shown_lanes[sms.index(int(name.group(1))) // fold].append((row, members * min(fold, len(sms) - sms.index(int(name.group(1))))))
    assert len(shown_lanes) == -(-len(sms) // fold), len(shown_lanes)
    edges = [begin + -(-length * (i * columns // width) // columns) for i in range(width + 1)]
    for lane, rows in shown_lanes.items():
        own = [block for sm in sms[lane * fold:lane * fold + fold] for block in blocks[sm]]
        for i in range(width):
            busy = sum(max(min(stop, edges[i + 1]) - max(start, edges[i]), 0) for start, stop in own)
            room = edges[i + 1] - edges[i]
            most_busy = sum(LEVELS.index(row[i]) * members * room for row, members in rows) / 8
            least_busy = sum(max(LEVELS.index(row[i]) - 1, 0) * members * room for row, members in rows) / 8
            assert least_busy <= busy <= most_busy, (lane, i, least_busy, busy, most_busy)
    assert ('%s blocks on %d SMs' % (format(n, ','), len(sms))) in text, text
    return 'letters of %d blocks on %d' % (n, len(sms))


def main(what, directory, third, *more):
    if what == 'make-dmat':
        make_dmat(directory, int(third))
    elif what == 'make-blocks':
        make_blocks(directory, int(third), more[0] if more else 'cycles')
    elif what in ('dmat-text', 'blocks-text'):
        print((check_dmat_text if what == 'dmat-text' else check_blocks_text)(directory, third))
    elif what == 'make-clocks':
        make_clocks(directory, int(third))
    elif what == 'clocks':
        print(check_clocks(directory, third, more[0]))
    elif what == 'make-banks':
        make_banks(directory, int(third), more[0] if more else 'times')
    elif what == 'banks':
        print(check_banks(directory, third, more[0]))
    elif what == 'pages':
        print(check_pages(directory, third))
    elif what == 'dmat':
        print(check_dmat(directory, third))
    else:
        print(check_blocks(directory, third, 'ns' in more))


main(*sys.argv[1:])
