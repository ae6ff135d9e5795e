#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Loops and waits of data/pinsight/nowait/nowait.c, as imported, against what the program wrote down.

    nowait.py DATABASE TRUTH.tsv TRACE WAITS.csv own|whole

WAITS.csv: waits --by name --format csv --unit ns. own: loops with nowait have sections of their own. A span with an end
lasts as long as the program says, give or take TOLERANCE_NS for what lies between its clock and the callbacks; one without
an end is marked, and lasts no less. Threads wait at the end of a region for the last of them.
"""
import collections
import csv
import json
import os
import sqlite3
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from roots import clock_shift  # noqa: E402

TOLERANCE_NS = 60_000


def main():
    path, truth, trace, waits, kind = sys.argv[1:]
    db, shift = sqlite3.connect(f'file:{path}?mode=ro', uri=True), clock_shift(trace)
    spans = collections.defaultdict(list)
    for tid, ts, dur, flags, args in db.execute("SELECT tid, ts_ns, dur_ns, flags, args FROM event WHERE op_name = 'omp_work'"):
        spans[int(tid)].append((ts - shift, dur, flags, json.loads(args).get('dur_between_ns')))
    loops, ends = collections.defaultdict(lambda: (0, 0)), collections.defaultdict(dict)
    with open(truth, encoding='ascii') as f:
        for line in f:
            what, turn, tid, begin, end = line.split('\t')
            turn, tid, begin, end = int(turn), int(tid), int(begin), int(end)
            if what.startswith('region'):
                ends[what, turn][tid] = end
            elif end > loops[what, turn, tid][1]:
                loops[what, turn, tid] = (begin, end)
    wrong, marked, worst = [], 0, 0
    for (what, turn, tid), (begin, end) in loops.items():
        mine = [s for s in spans[tid] if begin <= s[0] <= end]
        if len(mine) != 1:
            wrong.append(f'{what} {turn} {tid}: {len(mine)} spans')
            continue
        _, dur, flags, between = mine[0]
        at_most = what.startswith('nowait') and kind == 'whole'
        marked += between is not None
        if not at_most:
            worst = max(worst, abs(dur - (end - begin)))
        good = (dur >= end - begin - TOLERANCE_NS and between == [0, dur] and flags == 'inferred') if at_most else (
            between is None and abs(dur - (end - begin)) <= TOLERANCE_NS)
        if not good:
            wrong.append(f'{what} {turn} {tid}: {dur}, truly {end - begin}, {flags} {between}')
    true_ns = sum(max(of.values()) - end for of in ends.values() for end in of.values())
    with open(waits, encoding='utf-8') as f:
        told_ns = sum(int(row['wait_ns']) for row in csv.DictReader(f) if 'omp_join' in row['name'])
    if abs(told_ns - true_ns) > TOLERANCE_NS * len(ends):
        wrong.append(f'{told_ns} ns of waits at ends of regions, truly {true_ns}')
    print('\n'.join(wrong[:10]))
    print(f'{len(loops)} loops, {marked} marked, others within {worst} ns; waits {told_ns} ns, truly {true_ns}; '
          f'{len(wrong)} differences')
    sys.exit(len(wrong) != 0 or not loops)


main()
