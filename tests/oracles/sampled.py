#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Samples a whole recording of PInsight, and compares what 'stats --by lexgion' extrapolates with the whole.

usage: sampled.py TRACETOOL FOLDER TRACE|made:SEED rate|any DRAWS LEAST

A draw is a rate and a begin: of each parallel region the invocations that PInsight's counters record with them; calls outside of
regions, which old recordings do not number, are numbered here, by thread and code pointer. Means, spreads
and Student's t are worked out here anew; some draws are written as a trace, and what the program says of that is the same
to a millionth. Of all draws and lexgions at least LEAST percent of the intervals hold the truth, for counts and for totals.
"""
import collections
import functools
import importlib.util
import json
import math
import os
import random
import subprocess
import sys

spec = importlib.util.spec_from_file_location("suggest", os.path.join(os.path.dirname(__file__), "config-suggest.py"))
suggest = importlib.util.module_from_spec(spec)
spec.loader.exec_module(suggest)
QUERY = ("select name, op_cat, pid, tid, ts_ns, dur_ns, json_extract(args, '$.codeptr') as codeptr, "
         "json_extract(args, '$.parallel_codeptr') as region, json_extract(args, '$.parallel_record_id') as number "
         "from event where args is not null and dur_ns is not null")
N_WRITTEN = 6
OUTLIER = 2.0  # in means of the invocations: the square root of how many there are, times this


@functools.lru_cache(maxsize=None)
def student(degrees):
    """|t| that is passed with 5 %: by Simpson's rule and bisection."""
    scale = math.exp(math.lgamma((degrees + 1) / 2) - math.lgamma(degrees / 2)) / math.sqrt(degrees * math.pi)

    def within(t):
        # t = tan(u), so that the tail is no further than the rest
        n, end = 2000, math.atan(t)
        def density(u):
            return (1 + math.tan(u) ** 2 / degrees) ** (-(degrees + 1) / 2) / math.cos(u) ** 2
        total = density(0) + density(end)
        total += sum((4 if i % 2 else 2) * density(end * i / n) for i in range(1, n))
        return 2 * scale * total * end / n / 3
    low, high = 0.0, 1000.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if within(middle) < 0.95 else (low, middle)
    return high


def read_spans(tracetool, db):
    spans = json.loads(suggest.run(tracetool, "--db", db, "query", "--format", "json", QUERY).stdout)
    calls = collections.Counter()
    for span in sorted(spans, key=lambda span: span["ts_ns"]):
        if span["region"] is None and span["codeptr"]:
            span["region"] = "%s of %s %s" % (span["codeptr"], span["pid"], span["tid"])
            calls[span["region"]] += 1
            span["number"] = calls[span["region"]]
            span["is_call"] = True
    return [span for span in spans if span["codeptr"] and span["region"] not in (None, "0x0") and span["number"] is not None and
            (span["region"] not in calls or calls[span["region"]] >= 20)]


def choose(whole, rate, starts_at):
    """Numbers by region."""
    chosen = {}
    for region, last in whole.items():
        first = max(starts_at + 1, rate)
        chosen[region] = list(range(first, last + 1, rate))
    return chosen


def choose_any(whole, rate):
    """Any of them, as many as a rate has."""
    return {region: sorted(random.sample(range(1, last + 1), max(last // rate, 1))) for region, last in whole.items()}


def estimate(spans, chosen):
    """(codeptr, name) -> count, its error, total, its error; errors None: not known."""
    parts = collections.defaultdict(lambda: collections.defaultdict(lambda: [0, 0]))
    for span in spans:
        if span["number"] in chosen[span["region"]]:
            part = parts[span["codeptr"], span["name"], span["region"]][span["number"]]
            part[0] += 1
            part[1] += span["dur_ns"]
    sums = collections.defaultdict(lambda: [[0, 0.0, 0.0], [0, 0.0, 0.0], 0, False, False])
    for (codeptr, name, region), by_number in parts.items():
        numbers = chosen[region]
        n, last = len(numbers), numbers[-1]
        row = sums[codeptr, name]
        steps = {b - a for a, b in zip(numbers, numbers[1:])} or {last}
        half = (steps.pop() - 1) / 2 if len(steps) == 1 else last / n - 1
        off = half if not steps and n > 1 or n == 1 else 2 * last / n
        half, off = (half, off) if n < last else (0, 0)
        for which in (0, 1):
            values = [by_number[number][which] if number in by_number else 0 for number in numbers]
            mean = sum(values) / n
            row[which][0] += mean * (last + half)
            if n < last and n > 1:
                spread = sum((value - mean) ** 2 for value in values) / (n - 1)
                row[which][1] += (last + half) ** 2 * (1 - n / (last + half)) * spread / n
                row[which][2] += off * mean
        if n < last:
            row[4] = True
            row[2] += n - 1
            row[3] |= n < 2
    answer = {}
    for key, (count, total, degrees, is_unknown, is_sampled) in sums.items():
        if not is_sampled:
            continue
        def error(value):
            return None if is_unknown else 0.0 if degrees == 0 else math.hypot(student(degrees) * math.sqrt(value[1]), value[2])
        answer[key] = count[0], error(count), total[0], error(total)
    return answer


def find_even(spans, whole):
    """Lexgions of which no invocation takes much more than the others."""
    times = collections.defaultdict(collections.Counter)
    for span in spans:
        times[span["codeptr"], span["name"], span["region"]][span["number"]] += span["dur_ns"]
    even = {key[:2] for key in times}
    for (codeptr, name, region), by_number in times.items():
        n = whole[region]
        if max(by_number.values()) > OUTLIER * math.sqrt(n) * sum(by_number.values()) / n:
            even.discard((codeptr, name))
    return even


def write_draw(path, spans, chosen):
    events, threads = [], {}
    for span in spans:
        if span["number"] in chosen[span["region"]]:
            events.append({"name": span["name"], "cat": span["op_cat"], "ph": "X", "pid": 1,
                           "tid": threads.setdefault((span["pid"], span["tid"]), len(threads)),
                           "ts": span["ts_ns"] % 10**12 / 1000, "dur": span["dur_ns"] / 1000,
                           "args": {"codeptr": span["codeptr"], "record_id": span["number"]} if "is_call" in span else
                           {"codeptr": span["codeptr"], "parallel_codeptr": span["region"],
                            "parallel_record_id": span["number"]}})
    with open(path, "w") as out:
        json.dump({"traceEvents": events}, out)


def compare(tracetool, folder, spans, chosen, wanted):
    path, db = os.path.join(folder, "draw.json"), os.path.join(folder, "draw.db")
    if os.path.exists(db):
        os.remove(db)
    write_draw(path, spans, chosen)
    suggest.run(tracetool, "--db", db, "import", "-q", path)
    rows = json.loads(suggest.run(tracetool, "--db", db, "stats", "--by", "lexgion", "--top", "0", "--format", "json", "--unit",
                                  "ns").stdout)
    said = {(row["lexgion"], row["name"]): tuple(row.get("extrapolated_" + key) for key in
                                                 ("count", "count_error", "total_ns", "total_error_ns")) for row in rows}
    n = 0
    for (codeptr, name), values in wanted.items():
        got = said.get((codeptr, name))
        if got is None:
            suggest.fail("no row for %s %s: %s" % (codeptr, name, sorted(said)[:3]))
        for mine, its in zip(values, got):
            if (mine is None) != (its is None) or (mine is not None and abs(mine - its) > 0.51 + 1e-6 * abs(mine)):
                suggest.fail("%s %s: %s, and here %s" % (codeptr, name, got, values))
            n += 1
    return n


def main():
    tracetool, folder, trace, way, draws, least = sys.argv[1:]
    db = os.path.join(folder, "sampled-whole.db")
    if os.path.exists(db):
        os.remove(db)
    if trace.startswith("made:"):
        random.seed(int(trace[5:]))
        suggest.write_trace(os.path.join(folder, "sampled-made"), suggest.make_program(int(trace[5:])))
        trace = os.path.join(folder, "sampled-made")
    suggest.run(tracetool, "--db", db, "import", "-q", trace)
    spans = read_spans(tracetool, db)
    # Of one process: regions of others have numbers of their own.
    processes = json.loads(suggest.run(tracetool, "--db", db, "query", "--format", "json",
                                       "select min(pid) as pid, count(distinct pid) as n from event").stdout)[0]
    if processes["n"] != 1 and not any("is_call" in span for span in spans):
        mine = {row["tid"] for row in json.loads(suggest.run(
            tracetool, "--db", db, "query", "--format", "json",
            "select distinct tid from event where pid = '%s'" % processes["pid"]).stdout)}
        spans = [span for span in spans if span["tid"] in mine]
    whole = {}
    for span in spans:
        whole[span["region"]] = max(whole.get(span["region"], 0), span["number"])
    truth = collections.defaultdict(lambda: [0, 0])
    for span in spans:
        truth[span["codeptr"], span["name"]][0] += 1
        truth[span["codeptr"], span["name"]][1] += span["dur_ns"]
    even = find_even(spans, whole)
    random.seed(1)
    held, n_all, n_even, n_compared = [0, 0, 0], 0, 0, 0
    for draw in range(int(draws)):
        rate = random.randint(2, max(2, min(whole.values()) // 3))
        chosen = choose_any(whole, rate) if way == "any" else choose(whole, rate, random.randint(0, 2 * rate - 1))
        if not all(len(numbers) >= 2 for numbers in chosen.values()):
            continue
        answer = estimate(spans, chosen)
        if draw < N_WRITTEN:
            n_compared += compare(tracetool, folder, spans, chosen, answer)
        for key, (count, count_error, total, total_error) in answer.items():
            n_all += 1
            held[0] += abs(count - truth[key][0]) <= count_error + 1e-6
            is_held = abs(total - truth[key][1]) <= total_error + 1e-6
            held[1] += is_held
            held[2] += is_held and key in even
            n_even += key in even
    print("# %s: %d values are the same; of %d intervals %.1f %% hold the count, %.1f %% the total; of %d without outliers %.1f %%" %
          (os.path.basename(trace), n_compared, n_all, 100 * held[0] / n_all, 100 * held[1] / n_all, n_even,
           100 * held[2] / max(n_even, 1)))
    if n_compared == 0 or n_even == 0 or held[0] < float(least) / 100 * n_all or held[2] < float(least) / 100 * n_even:
        suggest.fail("that is too few")


if __name__ == "__main__":
    main()
