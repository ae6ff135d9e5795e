# SPDX-License-Identifier: Apache-2.0
"""Whether `tracetool kernels --show TABLE --format csv --unit ns` says what kernels.py finds in a trace.

usage: same-kernels.py TRACE FOLDER TABLE... : outputs are FOLDER/TABLE
"""
import csv
import sys

import kernels
from trace_spans import load_kineto

# Of each table: the oracle's report, its key column, and the columns to compare (ours: theirs).
SPREAD = {"total_ns": "Total Time (ns)", "avg_ns": "Avg (ns)", "med_ns": "Med (ns)", "min_ns": "Min (ns)",
          "max_ns": "Max (ns)", "stddev_ns": "StdDev (ns)", "time_percent": "Time (%)"}
TABLES = {
    "kernels": ("kern", "kernel", "Name", {**SPREAD, "count": "Instances"}),
    "calls": ("api", "call", "Name", {**SPREAD, "count": "Num Calls"}),
    "streams": ("stream", "stream", "stream", {"kernels": "kernels", "copies": "copies", "sets": "sets",
                                              "total_ns": "total", "busy_ns": "union"}),
    "launches": ("launch", "stream", "stream", {
        "launched": "count", "delay_min_ns": "delay_min", "delay_avg_ns": "delay_avg", "delay_max_ns": "delay_max",
        "gap_min_ns": "gap_min", "gap_avg_ns": "gap_avg", "gap_max_ns": "gap_max"}),
    "queue": ("queue", "stream", "stream", {"launched": "launches", "queue_avg": "mean", "queue_max": "max"}),
    "cuda_gpu_kern_sum": ("kern", "Name", "Name", {k: k for k in [*SPREAD.values(), "Instances"]}),
    "cuda_gpu_mem_time_sum": ("mem_time", "Operation", "Operation", {k: k for k in SPREAD.values()}),
    "cuda_api_sum": ("api", "Name", "Name", {k: k for k in [*SPREAD.values(), "Num Calls"]}),
    "cuda_gpu_mem_size_sum": ("mem_size", "Operation", "Operation", {
        f"{k} (MB)": k for k in ("Total", "Avg", "Med", "Min", "Max", "StdDev")} | {"Count": "Count"}),
    "cuda_gpu_sum": ("gpu", ("Category", "Operation"), "Operation", {k: k for k in [*SPREAD.values(), "Instances"]}),
    "cuda_api_gpu_sum": ("api_gpu", ("Category", "Operation"), "Operation", {k: k for k in [*SPREAD.values(), "Instances"]}),
    "nvtx_sum": ("nvtx", "Range", "Range", {k: k for k in [*SPREAD.values(), "Instances"]}),
    "nvtx_pushpop_sum": ("nvtx", "Range", "Range", {k: k for k in [*SPREAD.values(), "Instances"]}),
    "cuda_gpu_kern_gb_sum": ("gb", ("Name", "GridXYZ", "BlockXYZ"), "config", {k: k for k in [*SPREAD.values(), "Instances"]}),
    "cuda_kern_exec_sum": ("exec", ("TID", "DevId", "API Name", "Kernel Name"), "key", {
        k: k for k in ["Count", "QCount", *(f"{k}{x} (ns)" for k in "TAQK" for x in kernels.STATS)]}),
    "grids": ("grid", ("kernel", "grid", "block", "registers", "shared_bytes", "occupancy_percent"), "config",
              {**SPREAD, "count": "Instances"}),
    "collectives": ("collectives", "kernel", "name", {
        "total_ns": "total", "count": "count", "sized": "sized", "bytes": "bytes", "least_ns": "least",
        "algorithm_gb_per_s": "alg", "bus_gb_per_s": "bus"}),
    "annotations": ("annotation", "annotation", "annotation", {
        "device_percent": "device %", "device_ns": "device", "own_ns": "own", "work": "work", "count": "count",
        "host_ns": "host"}),
    "operators": ("operator", "operator", "operator", {"device_ns": "device_time", "count": "count"}),
}


def key_of(row, columns):
    """Of several columns in one text; an occupancy as a float is written."""
    if isinstance(columns, str):
        return row[columns]
    parts = [str(float(row[c])) if c == "occupancy_percent" and row[c] else row[c] for c in columns]
    return (" " if columns[0] == "Category" else "|").join(parts)


def same(ours, theirs):
    if ours == "":
        return not theirs
    return abs(float(ours) - float(theirs)) <= 1e-9 * max(1.0, abs(float(theirs)))


def judge(trace, table, output):
    report, own_key, key, columns = TABLES[table]
    function, header = kernels.REPORTS[report]
    wanted = [dict(zip(header, row)) for row in function(trace)]
    wanted = [row for row in wanted if row.get("found_by", "thread") == "thread" and row[key] != "all"]
    if report in ("stream", "launch", "queue"):
        for row in wanted:
            row[key] = row[key].split("/")[-1]
    found = {}
    with open(output, newline="", encoding="utf-8") as f:
        for row in csv.DictReader(f):
            name = row[own_key].split()[-1] if key == "stream" else key_of(row, own_key)
            if name in found and table == "operators":  # of the forward and the backward pass
                for column in columns:
                    row[column] = int(row[column]) + int(found[name][column])
            assert name not in found or table == "operators", name
            found[name] = row
    if table == "operators":
        # An annotation "nccl:..." stands inside these, which the oracle does not look at.
        wanted = [row for row in wanted if not str(row[key]).startswith(("record_param_comms", "c10d::"))]
    n = 0
    for row in wanted:
        own = found.get(str(row[key]))
        assert own is not None, (table, row[key], sorted(found)[:5])
        for ours, theirs in columns.items():
            scale = 1e-6 if "(MB)" in ours and row[theirs] is not None else 1
            value = row[theirs] * scale if scale != 1 else row[theirs]
            assert same(own[ours], value), (table, row[key], ours, own[ours], value)
            n += 1
    if table not in ("collectives", "operators", "launches", "queue", "streams"):
        assert len(wanted) == len(found), (table, len(wanted), len(found))
    print(f"{table}: {len(wanted)} rows, {n} numbers")


def main():
    path, folder, *tables = sys.argv[1:]
    trace = load_kineto(path)
    for table in tables:
        judge(trace, table, f"{folder}/{table}")


if __name__ == "__main__":
    main()
