#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Samples a whole recording of PInsight, and compares what 'stats --by lexgion' extrapolates with the whole.

usage: sampled.py TRACETOOL FOLDER TRACE|made:SEED|slow:SEED rate|any DRAWS LEAST

A draw is a rate and a begin: of each parallel region the invocations that PInsight's counters record with them; calls outside of
regions, which old recordings do not number, are numbered here, by thread and code pointer. Means, spreads,
Student's t and what gaps may hide are worked out here anew; some draws are written as a trace, and what the program says of
that is the same to a millionth. Of all draws and lexgions at least LEAST percent of the intervals hold the truth: for counts; for
totals, from the total less its error to what it is at most; and for the plain error of those without outliers, if any are drawn.
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
    # Of t = sqrt(degrees) tan(u) the density is a power of the cosine, which is smooth to the end.
    scale = math.exp(math.lgamma((degrees + 1) / 2) - math.lgamma(degrees / 2)) / math.sqrt(math.pi)

    def within(t):
        n, end = 200, math.atan(t / math.sqrt(degrees))
        total = 1 + math.cos(end) ** (degrees - 1)
        total += sum((4 if i % 2 else 2) * math.cos(end * i / n) ** (degrees - 1) for i in range(1, n))
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


def find_hidden(chosen, begins, run):
    """By region: what slow invocations can have taken of the time between those recorded, on one thread."""
    hidden = {}
    for region, numbers in chosen.items():
        at, n = begins[region], len(numbers)
        if n < 2:
            hidden[region] = math.nan
            continue
        gaps = [((at[b] - at[a]) / (b - a), b - a) for a, b in zip(numbers, numbers[1:])]
        pace = min(gap for gap, _ in gaps)
        rest, _ = find_rest(numbers)
        hidden[region] = sum(max(gap - pace, 0) * step for gap, step in gaps if step > 1)
        if numbers[0] > 1:
            hidden[region] += max(at[numbers[0]] - run[0] - (numbers[0] - 1) * pace, 0)
        hidden[region] += max(run[1] - at[numbers[-1]] - (rest + 1) * pace, 0)
    return hidden


def find_rest(numbers):
    """How many follow the last, and how far that may be wrong."""
    n, last = len(numbers), numbers[-1]
    if n == last:
        return 0, 0
    steps = {b - a for a, b in zip(numbers, numbers[1:])} or {last}
    half = (steps.pop() - 1) / 2 if len(steps) == 1 else last / n - 1
    return half, half if not steps else 2 * last / n


def estimate(spans, chosen, run):
    """(codeptr, name) -> count, its error, total, its error, at most; None: not known."""
    begins, threads = collections.defaultdict(dict), collections.defaultdict(set)
    for span in spans:
        if span["number"] in chosen[span["region"]]:
            at = begins[span["region"]]
            at[span["number"]] = min(at.get(span["number"], span["ts_ns"]), span["ts_ns"])
            threads[span["codeptr"], span["name"], span["region"]].add((span["pid"], span["tid"]))
    hidden = find_hidden(chosen, begins, run)
    parts = collections.defaultdict(lambda: collections.defaultdict(lambda: [0, 0]))
    for span in spans:
        if span["number"] in chosen[span["region"]]:
            part = parts[span["codeptr"], span["name"], span["region"]][span["number"]]
            part[0] += 1
            part[1] += span["dur_ns"]
    sums = collections.defaultdict(lambda: [[0, 0.0, 0.0], [0, 0.0, 0.0], 0, False, False, 0.0])
    for (codeptr, name, region), by_number in parts.items():
        numbers = chosen[region]
        n, last = len(numbers), numbers[-1]
        row = sums[codeptr, name]
        half, off = find_rest(numbers)
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
            row[5] += hidden[region] * len(threads[codeptr, name, region])
    answer = {}
    for key, (count, total, degrees, is_unknown, is_sampled, unseen) in sums.items():
        if not is_sampled:
            continue
        def error(value):
            return None if is_unknown else 0.0 if degrees == 0 else math.hypot(student(degrees) * math.sqrt(value[1]), value[2])
        answer[key] = (count[0], error(count), total[0], error(total),
                       None if is_unknown else total[0] + error(total) + unseen)
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


def make_slow(seed):
    """Events of a program whose first invocations are slow, as are some others, and that get slower or faster."""
    random.seed(seed)
    recorder = suggest.Recorder(2)
    me = suggest.generator.Rank(recorder, "host", 100, 0, 3)
    at, n = 1000 + random.choice([0, 50000]), random.randint(60, 200)
    me.start(1000)
    me.is_up = True
    drift, tail, counts = random.uniform(-0.5, 1), random.uniform(1.5, 4), [0, 0]
    for i in range(n):
        which = random.randint(0, 1)
        counts[which] += 1
        slow = random.randint(5, 60) if counts[which] == 1 else 3 if counts[which] < 5 else min(random.paretovariate(tail), 40)
        at = me.region(at, which, int(random.randint(800, 1200) * slow * (1 + drift * i / n))) + random.randint(10, 300)
    recorder.events.sort(key=lambda event: event[0])
    return recorder.events


def write_draw(path, spans, chosen, run):
    # The program begins and ends with events that are always recorded.
    events = [{"name": "program", "cat": "COMP", "ph": "X", "pid": 1, "tid": 1 << 20, "ts": run[0] % 10**12 / 1000,
               "dur": (run[1] - run[0]) / 1000, "args": {"codeptr": "0x0"}}]
    threads = {}
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


def compare(tracetool, folder, spans, chosen, run, wanted):
    path, db = os.path.join(folder, "draw.json"), os.path.join(folder, "draw.db")
    if os.path.exists(db):
        os.remove(db)
    write_draw(path, spans, chosen, run)
    suggest.run(tracetool, "--db", db, "import", "-q", path)
    rows = json.loads(suggest.run(tracetool, "--db", db, "stats", "--by", "lexgion", "--top", "0", "--format", "json", "--unit",
                                  "ns").stdout)
    said = {(row["lexgion"], row["name"]): tuple(row.get("extrapolated_" + key) for key in
                                                 ("count", "count_error", "total_ns", "total_error_ns", "total_most_ns")) for row in rows}
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
    if trace[:5] in ("made:", "slow:"):
        make, seed = suggest.make_program if trace.startswith("made:") else make_slow, int(trace[5:])
        trace = os.path.join(folder, "sampled-made")
        subprocess.run(["rm", "-rf", trace], check=True)
        suggest.write_trace(trace, make(seed))
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
    run = min(span["ts_ns"] for span in spans), max(span["ts_ns"] + span["dur_ns"] for span in spans)
    even = find_even(spans, whole)
    random.seed(1)
    held, n_all, n_even, n_compared = [0, 0, 0, 0], 0, 0, 0
    for draw in range(int(draws)):
        rate = random.randint(2, max(2, min(whole.values()) // 3))
        chosen = choose_any(whole, rate) if way == "any" else choose(whole, rate, random.randint(0, 2 * rate - 1))
        if not all(len(numbers) >= 2 for numbers in chosen.values()):
            continue
        answer = estimate(spans, chosen, run)
        if draw < N_WRITTEN:
            n_compared += compare(tracetool, folder, spans, chosen, run, answer)
        for key, (count, count_error, total, total_error, most) in answer.items():
            n_all += 1
            held[0] += abs(count - truth[key][0]) <= count_error + 1e-6
            is_held = abs(total - truth[key][1]) <= total_error + 1e-6
            held[1] += is_held
            held[2] += is_held and key in even
            held[3] += total - total_error - 1e-6 <= truth[key][1] <= most + 1e-6
            n_even += key in even
    print("# %s: %d values are the same; of %d intervals %.1f %% hold the count, %.1f %% the total, %.1f %% up to what it is at "
          "most; of %d without outliers %.1f %%" %
          (os.path.basename(trace), n_compared, n_all, 100 * held[0] / n_all, 100 * held[1] / n_all, 100 * held[3] / n_all, n_even,
           100 * held[2] / max(n_even, 1)))
    wanted = float(least) / 100
    if n_compared == 0 or n_even == 0 or held[0] < wanted * n_all or held[3] < wanted * n_all or (
            way == "any" and held[2] < wanted * n_even):
        suggest.fail("that is too few")


if __name__ == "__main__":
    main()
