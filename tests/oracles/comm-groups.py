#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What `comm --show groups` must say of traces of PyTorch's profiler, read from the files themselves.

comm-groups.py TABLE.csv TRACE...: TABLE.csv is the answer, with --unit ns. Only of calls that a kernel tells of; a line for
each difference, status 1 if there is any. Bandwidths are those of nccl-tests, doc/PERFORMANCE.md.
"""
import csv
import gzip
import json
import sys

SIZES = {"Byte": 1, "Char": 1, "Half": 2, "BFloat16": 2, "Int": 4, "Float": 4, "Long": 8, "Double": 8}
FUNCTIONS = (("allreduce", "ALLREDUCE", 2), ("reducescatter", "REDUCE_SCATTER", 1), ("allgather", "ALLGATHER", 1),
             ("alltoall", "ALLTOALL", 1), ("broadcast", "BCAST", None), ("send", "SEND", None), ("recv", "RECV", None))


def kernels(path):
    with (gzip.open if path.endswith(".gz") else open)(path, "rt") as file:
        trace = json.load(file, strict=False)
    found = [e for e in trace["traceEvents"] if e.get("cat") == "kernel" and "Collective name" in e.get("args", {})]
    return sorted(found, key=lambda e: float(e["ts"]))


def function_of(args):
    word = "".join(c for c in args["Collective name"].lower() if c.isalpha())
    return next(((name, factor) for part, name, factor in FUNCTIONS if part in word), (word.upper(), None))


groups = {}
for path in sys.argv[2:]:
    counts = {}
    for event in kernels(path):
        args = event["args"]
        name, factor = function_of(args)
        key = (args["Process Group Name"], args["Process Group Ranks"], name)
        counts[key] = counts.get(key, 0) + 1
        call = args.get("Seq", counts[key]) if name not in ("SEND", "RECV") else (path, counts[key])
        size = SIZES[args["dtype"]]
        group = groups.setdefault(key, {"factor": factor, "size": args["Group size"], "ranks": set(), "calls": {}})
        group["ranks"].add(path)
        spans = group["calls"].setdefault(call, [])
        spans.append((round(float(event["dur"]) * 1000), args["In msg nelems"] * size, args["Out msg nelems"] * size))

status = 0
with open(sys.argv[1], newline="") as file:
    told = {(row["group"], row["members"], row["function"]): row for row in csv.DictReader(file)}
for key, group in groups.items():
    spans = [span for call in group["calls"].values() for span in call]
    size = sum(max(max(span[1:]) for span in call) for call in group["calls"].values())
    time = sum(min(span[0] for span in call) for call in group["calls"].values())
    n = group["size"]
    wanted = {"calls": len(group["calls"]), "group_size": n, "ranks": len(group["ranks"]), "time_ns": sum(s[0] for s in spans),
              "bytes_in": sum(s[1] for s in spans), "bytes_out": sum(s[2] for s in spans), "algorithm_gb_per_s": size / time}
    if key[2] != "BARRIER":
        wanted["bus_gb_per_s"] = size / time * (1 if group["factor"] is None else group["factor"] * (n - 1) / n)
    for field, value in wanted.items():
        if key not in told or abs(float(told[key][field] or "nan") - value) > 1e-9 * value or told[key][field] == "":
            print(f"{key}: {field} is {told.get(key, {}).get(field)}, not {value}")
            status = 1
if not groups:
    print("no kernels with groups")
sys.exit(status or not groups)
