# SPDX-License-Identifier: Apache-2.0
"""Whether `tracetool breakdown --format csv --unit ns` (first file) says what breakdown.py finds in the traces.

usage: same-breakdown.py rank|step|stream OUTPUT TRACE...
"""
import csv
import sys

import breakdown
from trace_spans import load

COLUMNS = {"time": "window", "compute": "compute", "communication_exposed": "exposed", "memory": "memory",
           "sync": "synchronisation", "io": "io", "runtime": "other", "idle": "idle", "communication": "communication",
           "other_steps": "other_steps", "idle_host_wait": "host_wait", "idle_kernel_wait": "kernel_wait",
           "idle_other_wait": "other_wait", "idle_unknown": "unknown"}


def wanted(per, traces):
    if per == "rank":
        return breakdown.HEADERS[None], breakdown.per_rank(traces)
    rows = breakdown.step_rows if per == "step" else breakdown.stream_rows
    return breakdown.HEADERS[per], [row for t in traces for row in rows(t)]


def key_of(row, per):
    stream = row.get("stream", "").split()[-1].split("/")[-1] if per == "stream" else ""
    return row["rank"], int(row.get("step", 0)), stream


def main():
    per, output, *paths = sys.argv[1:]
    header, rows = wanted(per, load(paths))
    expected = {key_of({k: str(v) for k, v in zip(header, row)}, per): dict(zip(header, row)) for row in rows}
    with open(output, newline="", encoding="utf-8") as f:
        found = {key_of(row, per): row for row in csv.DictReader(f)}
    if len({key[0] for key in found}) == len({key[0] for key in expected}) == 1:
        # A file that says no rank: the program's pid stands for it.
        found = {("", *key[1:]): row for key, row in found.items()}
        expected = {("", *key[1:]): row for key, row in expected.items()}
    assert set(found) == set(expected), (sorted(found), sorted(expected))
    n = 0
    for row in found.values():
        # The oracle knows no waits for other ranks, which are in calls that communicate.
        if row.get("place") == "host":
            row["communication_exposed_ns"] = str(int(row["communication_exposed_ns"]) + int(row["wait_ns"]))
            row["communication_ns"] = str(int(row["communication_ns"]) + int(row["wait_ns"]))
            row["overlap_percent"] = None
    for key, row in expected.items():
        for column, own in COLUMNS.items():
            said = found[key].get(column + "_ns")
            if own not in row or said is None or (row[own] is None and said == ""):
                continue
            assert int(said) == row[own], (key, column, said, row[own])
            n += 1
        if row.get("overlap_percent") is not None and found[key]["overlap_percent"] is not None:
            assert abs(float(found[key]["overlap_percent"]) - row["overlap_percent"]) < 1e-6, key
    assert n >= 5 * len(expected), n
    print(f"{len(expected)} rows, {n} numbers")


if __name__ == "__main__":
    main()
