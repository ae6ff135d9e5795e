#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""mpi_truth.py TRUTH [PART...]: what truth.json of data/recorded/mpi says, as lines of TSV in the order of the file.

Parts, all but calls by default; the first column of a line is its part:
  cause     CAUSE RANKS
  planted   RANK THREAD OPERATION NS          the program slept for NS there
  wait      RANK THREAD OPERATION KIND NS BECAUSE_OF ROOT_RANK ROOT_OPERATION    "-" "-": a wait that nobody planted
  total     KIND ROOT_RANK ROOT_OPERATION COUNT NS      waits in sum
  path      RANK OPERATION NS
  finalize  RANK NS
  clock     RANK OFFSET_NS DRIFT_PPB SINCE_NS    the trace's time of t is t + OFFSET + (t - SINCE) * DRIFT / 10^9
  call      RANK THREAD OPERATION BEGIN END      true times, ns of the epoch
"""
import json
import sys

PARTS = ('cause', 'planted', 'wait', 'total', 'path', 'finalize', 'clock')


def root(wait):
    if wait['root_cause'] is None:
        return '-', '-'
    rank, operation = wait['root_cause'].removeprefix('rank ').split(' operation ', 1)
    return int(rank), operation


def totals(waits):
    sums = {}
    for wait in waits:
        key = (wait['kind'], *map(str, root(wait)))
        count, ns = sums.get(key, (0, 0))
        sums[key] = count + 1, ns + wait['ns']
    return [(*key, *value) for key, value in sorted(sums.items())]


def rows(truth, part):
    if part == 'cause':
        return [(truth['cause'], truth['ranks'])]
    if part == 'planted':
        return [(p['rank'], p['thread'], p['operation'], p['ns']) for p in truth['planted']]
    if part == 'wait':
        return [(w['rank'], w['thread'], w['operation'], w['kind'], w['ns'], w['because_of'], *root(w))
                for w in truth['waits']]
    if part == 'total':
        return totals(truth['waits'])
    if part == 'path':
        return [(p['rank'], p['operation'], p['ns']) for p in truth['path']]
    if part == 'finalize':
        return [(f['rank'], f['ns']) for f in truth['finalize']]
    if part == 'clock':
        return [(c['rank'], c['offset_ns'], c['drift_ppb'], c['since_ns']) for c in truth.get('clocks', [])]
    if part == 'call':
        return [(c['rank'], c['thread'], c['operation'], c['begin'], c['end']) for c in truth['calls']]
    sys.exit(f'mpi_truth.py: no part {part}')


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    with open(sys.argv[1], encoding='utf-8') as file:
        truth = json.load(file)
    for part in sys.argv[2:] or PARTS:
        for row in rows(truth, part):
            print(part, *row, sep='\t')


main()
