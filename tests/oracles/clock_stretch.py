#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How much time the clocks of DATABASE are longer or shorter by the logical map than by the linear one, in ns.

By the pieces of the tables alone: shifts are rounded towards zero; of each process from its first to its last time.
"""
import bisect
import sqlite3
import sys

database, total = sqlite3.connect(sys.argv[1]), 0


def shift(pieces, ns):
    begin, end, first, gain = pieces[max(bisect.bisect_right([piece[0] for piece in pieces], ns) - 1, 0)]
    if ns <= begin:
        return first
    if ns >= end:
        return first + gain
    product = (ns - begin) * gain
    return first + (abs(product) // (end - begin)) * (1 if product >= 0 else -1)


for process, first, last in database.execute("SELECT process, first_ns, last_ns FROM clock_fit_row").fetchall():
    linear, logical = (database.execute(
        "SELECT from_ns, until_ns, shift_ns, gain_ns FROM clock_row WHERE process = ? AND kind = ? ORDER BY from_ns",
        (process, kind)).fetchall() for kind in (1, 2))
    for begin, end, _, _ in logical:
        begin, end = max(begin, first), min(end, last)
        if begin < end:
            total += abs((shift(logical, end) - shift(linear, end)) - (shift(logical, begin) - shift(linear, begin)))
print(total)
