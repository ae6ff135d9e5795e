#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a file of rocprofv3 holds, worked out from rocprofiler-sdk's own readers of it, not from tracetool.

  rocprof.py compare DATABASE FILE     spans, instants, launches and counters, one by one
  rocprof.py sorted FILE               the file with its members in the order of their names, to standard output

Kernels and counters are shown as generateCSV.cpp does, ranges as generatePerfetto.cpp does.
"""
import collections
import gzip
import json
import re
import sqlite3
import sys

COPIES = {"HOST_TO_HOST": "Memcpy HtoH (Host -> Host)", "HOST_TO_DEVICE": "Memcpy HtoD (Host -> Device)",
          "DEVICE_TO_HOST": "Memcpy DtoH (Device -> Host)", "DEVICE_TO_DEVICE": "Memcpy DtoD (Device -> Device)"}


def read(process):
    """(spans, launches): Counter of (pid, kind of row, name, begin, duration or None, facts), of (call, work)."""
    spans, calls, works = collections.Counter(), collections.defaultdict(list), []
    pid = str(process["metadata"]["pid"])
    gpus = [a for a in process["agents"] if a["type"] == 2]
    order = {a["id"]["handle"]: i for i, a in enumerate(sorted(gpus, key=lambda a: a["node_id"]))}
    kinds = process["strings"]["buffer_records"]
    messages = {m["key"]: m["value"] for m in process["strings"]["marker_api"]}
    kernels = {k["kernel_id"]: re.sub(r"\.kd$", "", k["formatted_kernel_name"]) for k in process["kernel_symbols"]}
    counters = {c["id"]["handle"]: c["name"] for c in process["counters"]}
    records = process["buffer_records"]
    sums = collections.defaultdict(dict)

    def device(agent):
        return "%s.gpu%d" % (pid, order[agent["handle"]])

    def operation(record):
        return kinds[record["kind"]]["operations"][record["operation"]]

    def add(where, name, record, facts=(), instant=False):
        begin = record["start_timestamp"]
        row = (where, name, begin, None if instant else record["end_timestamp"] - begin, tuple(facts))
        spans[row] += 1
        return row[:4]

    collected = {}
    for c in process["callback_records"]["counter_collection"]:
        number = c["dispatch_data"]["dispatch_info"]["dispatch_id"]
        collected[number] = c
        for r in c["records"]:
            name = counters[r["counter_id"]["handle"]]
            sums[number][name] = sums[number].get(name, 0.0) + r["value"]
    dispatches = list(records["kernel_dispatch"])
    known = {d["dispatch_info"]["dispatch_id"] for d in dispatches}
    dispatches += [c["dispatch_data"] for n, c in collected.items() if n not in known]

    for section in ("hip_api", "hsa_api", "rccl_api", "rocdecode_api", "rocjpeg_api"):
        for record in records.get(section, ()):
            row = add(pid, operation(record), record)
            calls[record["correlation_id"]["internal"]].append(row)
    for record in dispatches:
        info = record["dispatch_info"]
        grid, block = ([info[k][x] for x in "xyz"] for k in ("grid_size", "workgroup_size"))
        facts = (info["dispatch_id"], *grid, *block, info["group_segment_size"], info["private_segment_size"],
                 *sorted(sums[info["dispatch_id"]].items()))
        row = add(device(info["agent_id"]), kernels[info["kernel_id"]], record, facts)
        works.append((record["correlation_id"]["internal"], row))
    for record in records.get("memory_copy", ()):
        name = COPIES[operation(record).replace("MEMORY_COPY_", "")]
        to, source = record["dst_agent_id"], record["src_agent_id"]
        where = device(to) if to["handle"] in order else device(source) if source["handle"] in order else pid
        works.append((record["correlation_id"]["internal"], add(where, name, record, [record["bytes"]])))
    for record in records.get("marker_api", ()):
        message = messages.get(record["correlation_id"]["internal"])
        add(pid, message or operation(record), record, instant="Mark" in operation(record))
    for record in records.get("memory_allocation", ()):
        add(pid, operation(record), record, [record["allocation_size"]])
    for record in records.get("scratch_memory", ()):
        add(device(record["agent_id"]), operation(record), record, [record.get("allocation_size", 0)])
    launches = collections.Counter((call, work) for number, work in works for call in calls[number])
    return spans, launches


def facts_of(args):
    """The same facts from the arguments of a row."""
    if "dispatch_id" in args:
        return (args["dispatch_id"], *args["grid_size"], *args["block"], args["shared memory"],
                args["private_segment_size"], *sorted(args.get("counters", {}).items()))
    return (args["bytes"],) if "bytes" in args else ()


def compare(database, path):
    wanted, launches = collections.Counter(), collections.Counter()
    for process in json.load((gzip.open if path.endswith(".gz") else open)(path))["rocprofiler-sdk-tool"]:
        spans, flows = read(process)
        wanted += spans
        launches += flows
    db = sqlite3.connect(database)
    query = "SELECT id, pid, raw_name, ts_ns, dur_ns, args FROM event"
    rows = {i: (p, n, t, d, facts_of(json.loads(a or "{}"))) for i, p, n, t, d, a in db.execute(query)}
    found = collections.Counter(rows.values())
    joined = collections.Counter((rows[a][:4], rows[b][:4])
                                 for a, b in db.execute("SELECT from_event, to_event FROM flow"))
    for what, ours, theirs in (("rows", found, wanted), ("launches", joined, launches)):
        for row in theirs - ours:
            print("missing in the", what, row)
        for row in ours - theirs:
            print("too many in the", what, row)
    print("%d rows, %d launches, %d with counters" % (
        sum(wanted.values()), sum(launches.values()), sum(any(isinstance(f, tuple) for f in r[4]) for r in wanted)))
    return found == wanted and joined == launches and len(wanted) > 0


if __name__ == "__main__":
    if sys.argv[1] == "sorted":
        json.dump(json.load(open(sys.argv[2])), sys.stdout, sort_keys=True, indent=1)
    else:
        sys.exit(0 if compare(sys.argv[2], sys.argv[3]) else 1)
