#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Suggested configurations of PInsight against what they promise.

usage: config-suggest.py TRACETOOL FOLDER recorded TRACE SIZE [OPTION...]
       config-suggest.py TRACETOOL FOLDER made SEED PERCENT

recorded: of a recorded trace, 'import --config' of the suggestion keeps the spans that it predicts, and the table of
lexgions of that has the imbalance of the whole trace, within the limit. If the size is refused, the size that is said to
be the smallest is taken, and one byte less is refused.

made: a program of regions and calls is written as a trace of PInsight; its events that PInsight's rule of three counters
keeps with the suggestion, which is read here anew, are written as another. The size of that is the one that was predicted.
"""
import csv
import importlib.util
import io
import os
import random
import re
import subprocess
import sys

SOURCE = os.path.join(os.path.dirname(__file__), "..", "..", "data", "generators", "ctf.py")
spec = importlib.util.spec_from_file_location("ctf_generator", SOURCE)
generator = importlib.util.module_from_spec(spec)
spec.loader.exec_module(generator)
LIMIT = 5.0


def run(*words, status=0):
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode != status:
        sys.exit("# %s: status %d: %s" % (" ".join(words), done.returncode, done.stderr))
    return done


def fail(text):
    sys.exit("# " + text)


def imbalances(tracetool, db):
    """(code pointer, name) -> imbalance, share of the time"""
    text = run(tracetool, "--db", db, "stats", "--by", "lexgion", "--top", "0", "--format", "csv").stdout
    return {(row["lexgion"], row["name"]): (float(row["imbalance_percent"]), float(row["time_percent"]))
            for row in csv.DictReader(io.StringIO(text))}


def comment(text):
    return re.sub(r"\n# {2,}(?! ?\w+: )", " ", "\n".join(line for line in text.split("\n") if line.startswith("#")))


def promise(text):
    """Predicted bytes, spans kept, largest change, kinds that are off."""
    said = comment(text)
    size = re.search(r"Predicted size: [^,]*, ([\d,]+) bytes of ([\d,]+); ([\d,]+) of ([\d,]+) spans", said)
    change = re.search(r"Largest change of imbalance: ([\d.]+) points", said)
    return ([int(each.replace(",", "")) for each in size.groups()], float(change.group(1)) if change else 0.0,
            re.findall(r"^  (\w+) = off", text, re.M))


def compare(tracetool, full, kept, text, limit, below):
    """The table of lexgions of two databases."""
    _, change, off = promise(text)
    before, after = imbalances(tracetool, full), imbalances(tracetool, kept)
    worst, n_missing = 0.0, 0
    for key, (value, share) in before.items():
        if share < below:
            continue
        if key not in after:
            n_missing += 1
            continue
        worst = max(worst, abs(value - after[key][0]))
    if worst > limit + 0.02:
        fail("the imbalance changes by %.2f points" % worst)
    if abs(worst - change) > 0.02:
        fail("the imbalance changes by %.2f points, not %.2f" % (worst, change))
    if n_missing > 0 and not off:
        fail("%d lexgions are not seen, and no event is off" % n_missing)
    for key in after:
        if key not in before:
            fail("there is a lexgion %s" % (key,))
    return worst


# -- recorded --------------------------------------------------------------------------------------------------------


def suggest(tracetool, full, size, options):
    return subprocess.run([tracetool, "--db", full, "config", "suggest", "--max-size", size, *options], capture_output=True,
                          text=True)


def check_recorded(tracetool, folder, trace, size, options):
    full, kept, conf = (os.path.join(folder, name) for name in ("full.db", "kept.db", "suggested.conf"))
    for path in (full, kept):
        if os.path.exists(path):
            os.remove(path)
    dialect = options[options.index("--pinsight") + 1] if "--pinsight" in options else "seed"
    below = float(options[options.index("--ignore-below") + 1]) if "--ignore-below" in options else 0.0
    run(tracetool, "--db", full, "import", "-q", trace)
    done = suggest(tracetool, full, size, options)
    if done.returncode == 1:
        smallest = re.search(r"the smallest that does is ([\d,]+) bytes", done.stderr)
        if not smallest or done.stdout:
            fail("refused without a smallest size: " + done.stderr)
        size = smallest.group(1).replace(",", "")
        if suggest(tracetool, full, str(int(size) - 1), options).returncode != 1:
            fail("less than the smallest is possible")
        done = suggest(tracetool, full, size, options)
    if done.returncode != 0:
        fail("%s: %s" % (size, done.stderr))
    with open(conf, "w") as out:
        out.write(done.stdout)
    if any(len(line) > 80 for line in done.stdout.split("\n")):
        fail("a line of more than 80 columns")
    checked = run(tracetool, "config", "check", "--strict", "--pinsight", dialect, conf).stdout
    if "no errors, no warnings" not in checked:
        fail("the configuration has faults: " + checked)
    (predicted, _, n_kept, _), _, off = promise(done.stdout)
    limit_bytes = float(size.rstrip("kM")) * {"k": 1e3, "M": 1e6}.get(size[-1], 1)
    if predicted > limit_bytes:
        fail("predicted are %d bytes" % predicted)
    run(tracetool, "--db", kept, "import", "-q", "--config", conf, "--pinsight", dialect, trace)
    n = int(run(tracetool, "--db", kept, "query", "--format", "csv", "select count(*) from event").stdout.split()[-1])
    if n != n_kept:
        fail("%d spans are kept, not %d" % (n, n_kept))
    worst = compare(tracetool, full, kept, done.stdout, LIMIT, below)
    print("# %s: %d bytes, %d spans, %.2f points, off: %s" % (os.path.basename(trace), predicted, n, worst, " ".join(off)))


# -- made ------------------------------------------------------------------------------------------------------------


class Recorder:
    """Takes the place of the generator's trace, and keeps the events."""

    def __init__(self, n_cpus):
        self.files = [None] * n_cpus
        self.events = []

    def event(self, ts, cpu, name, common=(), /, **values):
        self.events.append((ts, cpu, name, common, values))


def make_program(seed):
    """Events of two ranks, with regions of two code pointers and calls."""
    random.seed(seed)
    recorder = Recorder(4)
    for rank in range(2):
        me = generator.Rank(recorder, "host", 100 + 100 * rank, rank, 3)
        at = 1000 + 7 * rank
        me.start(at)
        me.is_up = True
        at += 1000
        for i in range(random.randint(60, 200)):
            at = me.region(at, random.randint(0, 1), random.randint(800, 1200)) + random.randint(10, 50)
            if random.random() < 0.7:
                end = at + random.randint(100, 150) * (rank + 1)
                me.call(at, end, "MPI_Barrier")
                at = end + 5
    recorder.events.sort(key=lambda event: event[0])
    return recorder.events


def write_trace(path, events):
    trace = generator.pinsight_trace(path, "host", n_cpus=4)
    trace.per_packet = 400
    for ts, cpu, name, common, values in events:
        trace.event(ts, cpu, name, common, **values)
    trace.write()
    return sum(os.path.getsize(os.path.join(path, name)) for name in os.listdir(path))


class Site:
    def __init__(self, rule):
        self.starts_at, self.most, self.rate = rule
        self.counter = self.traced = self.since = 0

    def begin(self):
        self.counter += 1
        self.since += 1
        return (self.counter - 1 >= self.starts_at and (self.most < 0 or self.traced < self.most) and self.since >= self.rate)

    def end(self):
        self.traced += 1
        self.since = 0


def read_config(text):
    """Rules by code pointer (0: the default), and the events that are off."""
    rules, off, at = {0: (0, -1, 1)}, set(), None
    keys = {}
    for line in text.split("\n"):
        header = re.match(r"\[Lexgion(?:\.default|\((0x[0-9a-f]+)\))", line)
        if line.startswith("["):
            at = None if not header else int(header.group(1), 16) if header.group(1) else 0
            keys = {}
        elif " = off" in line:
            off.add(line.split("=")[0].strip())
        elif "=" in line and not line.startswith("#"):
            key, value = (word.strip() for word in line.split("="))
            keys[key] = int(value)
            if len(keys) == 3:
                rules[at] = (keys["trace_starts_at"], keys["max_num_traces"], keys["tracing_rate"])
    return rules, off


def thin(events, rules, off):
    """What PInsight records: regions and calls are counted, what is inside a region follows it."""
    inside = {"implicit_task": "omp_implicit_task", "work": "omp_work", "masked": "omp_masked",
              "barrier_implicit_sync": "omp_sync_region", "barrier_implicit_sync_wait": "omp_sync_region_wait"}
    sites, regions, calls, kept = {}, {}, {}, []
    for event in events:
        ts, cpu, name, common, values = event
        name = name.split(":")[1]
        stem, is_begin = (name[:-6], True) if name.endswith("_begin") else (name[:-4], False)
        codeptr = values.get("mpi_codeptr", values.get("parallel_codeptr"))
        key = values["pid"], codeptr
        if stem.startswith("MPI_") or (stem == "parallel" and codeptr != 0):
            region = (*key, values.get("parallel_record_id"))
            site = sites.setdefault(key, Site(rules.get(codeptr, rules[0])))
            if is_begin:
                regions[region] = calls[key] = site.begin() and stem not in off
            is_kept = calls[key]
            if not is_begin and is_kept:
                site.end()
        elif codeptr == 0:
            is_kept = True
        else:
            is_kept = regions[(*key, values["parallel_record_id"])] and inside.get(stem) not in off
        if is_kept:
            kept.append(event)
    return kept


def check_made(tracetool, folder, seed, percent):
    whole, thinned, full, kept = (os.path.join(folder, name) for name in ("whole", "thinned", "made.db", "thinned.db"))
    for path in (full, kept):
        if os.path.exists(path):
            os.remove(path)
    subprocess.run(["rm", "-rf", whole, thinned], check=True)
    events = make_program(seed)
    n_bytes = write_trace(whole, events)
    run(tracetool, "--db", full, "import", "-q", whole)
    size = n_bytes * percent // 100
    done = suggest(tracetool, full, str(size), ["--pinsight", random.choice(["seed", "2026-02", "head"])])
    if done.returncode != 0:
        smallest = re.search(r"the smallest that does is ([\d,]+) bytes", done.stderr)
        if not smallest or int(smallest.group(1).replace(",", "")) <= size:
            fail("refused: " + done.stderr)
        print("# seed %d: %d bytes are refused: %s" % (seed, size, done.stderr.strip()))
        return
    (predicted, said, n_kept, _), _, off = promise(done.stdout)
    if said != n_bytes:
        fail("the trace has %d bytes, not %d" % (n_bytes, said))
    rules, off = read_config(done.stdout)
    actual = write_trace(thinned, thin(events, rules, off))
    run(tracetool, "--db", kept, "import", "-q", thinned)
    n = int(run(tracetool, "--db", kept, "query", "--format", "csv", "select count(*) from event").stdout.split()[-1])
    if n != n_kept:
        fail("%d spans are recorded, not %d" % (n, n_kept))
    if abs(actual - predicted) > 0.01 * predicted:
        fail("recorded are %d bytes, predicted were %d" % (actual, predicted))
    worst = compare(tracetool, full, kept, done.stdout, LIMIT, 0.0)
    print("# seed %d: %d bytes for %d predicted, %.2f points, off: %s" % (seed, actual, predicted, worst, " ".join(off)))


def main():
    tracetool, folder, mode, *rest = sys.argv[1:]
    if mode == "recorded":
        check_recorded(tracetool, folder, rest[0], rest[1], rest[2:])
    else:
        check_made(tracetool, folder, int(rest[0]), int(rest[1]))


if __name__ == "__main__":
    main()
