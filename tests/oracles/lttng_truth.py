#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""An import of a trace that LTTng has discarded events of, against what the program wrote down itself.

    lttng_truth.py DATABASE TRUTH.tsv METADATA : a line a call: thread, address of the function, begin, end (monotonic ns)

A call was entered before its program wrote down its begin, and left after it wrote down its end. A span that is not
marked is one call; of one that is marked the bounds hold that call. Every event is there or counted as lost.
"""
import bisect
import collections
import json
import re
import sqlite3
import sys


def main():
    db = sqlite3.connect(f'file:{sys.argv[1]}?mode=ro', uri=True)
    calls = collections.defaultdict(list)
    times = collections.defaultdict(list)
    with open(sys.argv[2], encoding='ascii') as f:
        for line in f:
            tid, function, begin, end = line.split('\t')
            calls[tid, function].append((int(begin), int(end)))
            times[tid] += [int(begin), int(end)]
    n_calls = sum(len(of) for of in calls.values())
    for of in [*calls.values(), *times.values()]:
        of.sort()
    spans = db.execute("SELECT tid, op_name, own_ts_ns, own_dur_ns, flags, args, depth FROM event "
                       "WHERE op_name IN (SELECT op_name FROM event WHERE op_name IS NOT NULL)").fetchall()
    with open(sys.argv[3], encoding='latin-1') as f:
        clock = re.search(r'clock \{.*?\n\}', f.read(), re.DOTALL)[0]
    shift = sum(int(n) * unit for key, unit in (('offset', 1), ('offset_s', 10**9))
                for n in re.findall(rf'\b{key} = (\d+)', clock))
    wrong, marked, seen = [], 0, 0
    for tid, function, ts, dur, flags, args, _ in spans:
        of = calls.get((tid, function))
        if of is None:
            continue  # main, which does not write itself down
        seen += 1
        begin, end = ts - shift, ts - shift + dur
        between = json.loads(args or '{}').get('dur_between_ns')
        what = f'{tid} {function} at {begin} lasts {dur}, between {between}'
        if between is None:
            inside = [call for call in of[bisect.bisect_left(of, (begin, 0)):] if call[1] <= end and call[0] <= end]
            before = bisect.bisect_left(of, (begin, 0))
            if len(inside) != 1 or of[before] != inside[0]:
                wrong.append(f'{what}: {len(inside)} calls')
            continue
        marked += 1
        after = of[bisect.bisect_left(of, (begin, 0)):][:1]
        ended = [call for call in of if call[1] <= end][-1:]
        fits = False
        for begun, left in after + ended:
            # Left before the thread wrote down its next time.
            at = bisect.bisect_right(times[tid], left)
            latest = times[tid][at] if at < len(times[tid]) else left + 10**6
            fits |= between[0] <= latest - begun + 10**5 and between[1] >= left - begun
        if 'unclosed,inferred' not in (flags or '') or dur > between[1] or not fits:
            wrong.append(f'{what}: {after} {ended}')
    repairs = json.loads(db.execute('SELECT repairs FROM source').fetchone()[0])
    n_events = 2 * len(spans) - repairs['bounded_end']['count'] - repairs['bounded_begin']['count']
    n_lost = repairs['lost_events']['count']
    if n_events + n_lost != 2 * n_calls + 2:
        wrong.append(f'{n_events} events and {n_lost} lost are not those of {n_calls} calls and of main')
    deepest = dict(db.execute('SELECT tid, max(depth) FROM event GROUP BY tid').fetchall())
    wrong += [f'{tid}: depth {deepest[tid]}' for tid in times if deepest[tid] > 2]
    for line in wrong[:10]:
        print(f'# {line}')
    print(f'# {seen} of {n_calls} calls, {marked} marked, {n_lost} events lost, {len(wrong)} wrong')
    sys.exit(len(wrong) > 0 or marked == 0)


if __name__ == '__main__':
    main()
