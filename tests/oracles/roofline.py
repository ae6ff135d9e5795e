#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The picture of 'plot roofline', from transfers alone.

  roofline.py PICTURE TRANSFERS     TRANSFERS: csv of series, bytes, ns; complains of points and roofs that are not theirs
  roofline.py --calls TRACE...      such csv of NCCL's kernels and Gloo's sums in PyTorch's traces of ranks
"""
import collections
import csv
import json
import math
import sys
import xml.etree.ElementTree as ET

SVG = '{http://www.w3.org/2000/svg}'
FUNCTIONS = {'allreduce': 'ALLREDUCE', '_reduce_scatter_base': 'REDUCE_SCATTER', '_allgather_base': 'ALLGATHER', 'send': 'SEND',
             'recv': 'RECV', 'all_to_allv': 'ALLTOALL', 'barrier': 'BARRIER', 'broadcast': 'BCAST'}
BYTES = {'Float': 4, 'BFloat16': 2, 'Half': 2, 'Byte': 1, 'Double': 8, 'Long': 8, 'Int': 4}


def bucket(value):
    """Ten to a decade, between rounded powers of the tenth root of ten."""
    if value < 10:
        return value
    decade = len(str(value)) - 1
    return max((decade, i) for i in range(10) if value >= round(10 ** (1 + i / 10) + 1e-9) * 10 ** (decade - 1))


def calls(traces):
    """A call is of all ranks of its group, a send or receive of one; the shortest span is its time."""
    found = {}
    for rank, path in enumerate(traces):
        with open(path, encoding='utf-8') as file:
            for event in json.load(file)['traceEvents']:
                args = event.get('args', {})
                if event['name'] == 'gloo:all_reduce':
                    size = 4 * math.prod(args['Input Dims'][0])
                    before = found.get(('ALLREDUCE', 'gloo'), (0, math.inf))
                    found['ALLREDUCE', 'gloo'] = size, min(before[1], round(event['dur'] * 1000))
                if event.get('cat') != 'kernel' or 'Collective name' not in args:
                    continue
                name = FUNCTIONS[args['Collective name']]
                size = BYTES[args['dtype']] * max(args['In msg nelems'], args['Out msg nelems'])
                alone = rank if name in ('SEND', 'RECV') else None
                key = name, args['Process Group Name'], args['Process Group Ranks'], args.get('Seq'), alone
                before = found.get(key, (0, math.inf))
                found[key] = max(before[0], size), min(before[1], round(event['dur'] * 1000))
    for key in found:
        print('%s,%d,%d' % ((key[0],) + found[key]))


def check(picture, transfers):
    points = collections.defaultdict(lambda: [0, 0, 0])
    roofs = {}
    for series, size, ns in transfers:
        size, ns = int(size), int(ns)
        point = points[series, bucket(size), bucket(size * 10**9 // ns)]
        point[0], point[1], point[2] = point[0] + 1, point[1] + size, point[2] + ns
        roof = roofs.setdefault(series, [0, 0, math.inf])
        roof[0], roof[2] = roof[0] + 1, min(roof[2], ns)
        roof[1] = max(roof[1], size * 10**9 // ns)
    wanted = sorted((key[0], *point) for key, point in points.items())
    root = ET.parse(picture).getroot()
    number = lambda element, *keys: tuple(int(element.get('data-' + key)) for key in keys)
    circles = [(c.get('data-series'), *number(c, 'count', 'bytes', 'ns'), float(c.get('cx')), float(c.get('cy')))
               for c in root.iter(SVG + 'circle')]
    lines = {p.get('data-series'): p for p in root.iter(SVG + 'path')}
    assert wanted and sorted(circle[:4] for circle in circles) == wanted, (sorted(c[:4] for c in circles), wanted)
    for series, (count, peak, latency) in roofs.items():
        shown = number(lines[series], 'count', 'peakbytes', 'peakns', 'latency')
        assert (shown[0], shown[1] * 10**9 // shown[2], shown[3]) == (count, peak, latency), (series, shown, count, peak, latency)
    assert sorted(lines) == sorted(roofs), (sorted(lines), sorted(roofs))
    # Places are by one scale, that of the labels: the first and last of each axis.
    sizes = {'B': 0, 'kB': 3, 'MB': 6, 'GB': 9, 'TB': 12}
    texts = [(t.get('class'), t.text.replace('/s', ''), float(t.get('x')), float(t.get('y'))) for t in root.iter(SVG + 'text')]
    for kind, at, place in (('m', lambda t: t[2], lambda c: (math.log10(c[2] / c[1]), c[4])),
                            ('r', lambda t: t[3] - 4, lambda c: (math.log10(c[2] * 1e9 / c[3]), c[5]))):
        ticks = [(math.log10(int(t[1].split()[0])) + sizes[t[1].split()[1]], at(t)) for t in texts
                 if t[0] == kind and t[1].split()[0].isdigit() and len(t[1].split()) == 2]
        (a, begin), (b, end) = ticks[0], ticks[-1]
        for value, shown in map(place, circles):
            assert abs(begin + (value - a) / (b - a) * (end - begin) - shown) < 0.05, (kind, value, shown)
    return len(circles), len(roofs)


if sys.argv[1] == '--calls':
    calls(sys.argv[2:])
else:
    with open(sys.argv[2], newline='', encoding='utf-8') as file:
        print('points %d roofs %d' % check(sys.argv[1], list(csv.reader(file))))
