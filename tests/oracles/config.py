#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Applies random PInsight configurations to random traces, by the words of the rules, and compares what tracetool keeps.

usage: config.py TRACETOOL FOLDER ROUNDS [SEED]

Everything is made here: the configuration is a list of sections that is written as text and, apart from that, carried out
by this program; the trace is a list of spans that is written as JSON, too. Each span has a number of its own in its
arguments, so that what tracetool keeps can be told. Compared are 'export --config' and 'import --config'.
"""
import json
import os
import random
import subprocess
import sys

EVENTS = {
    "OpenMP": ["omp_parallel_begin", "omp_implicit_task", "omp_work", "omp_masked", "omp_sync_region"],
    "MPI": ["MPI_Send", "MPI_Recv", "MPI_Barrier"],
    "CUDA": ["CUDA_kernel_launch", "CUDA_malloc"],
}
KINDS = {"OpenMP.thread": 255, "OpenMP.team": 255, "MPI.rank": 127, "CUDA.device": 16}
ADDRESSES = [0x10, 0x20, 0x4010BD, 0x401290, 0x4012AB]
# operation -> domain, event, role
OPERATIONS = {
    "omp_parallel": ("OpenMP", "omp_parallel_begin", "region"),
    "omp_implicit_task": ("OpenMP", "omp_implicit_task", "inside"),
    "omp_work": ("OpenMP", "omp_work", "work"),
    "omp_masked": ("OpenMP", "omp_masked", "masked"),
    "omp_barrier": ("OpenMP", "omp_sync_region", "barrier"),
    "omp_join": ("OpenMP", None, "join"),
    "MPI_Send": ("MPI", "MPI_Send", "call"),
    "MPI_Recv": ("MPI", "MPI_Recv", "call"),
    "MPI_Barrier": ("MPI", "MPI_Barrier", "call"),
    "MPI_Test": ("MPI", "MPI_Test", "call"),
    "cudaLaunchKernel": ("CUDA", "CUDA_kernel_launch", "call"),
    "cudaMalloc": ("CUDA", "CUDA_malloc", "call"),
    "compute": None,
}


# -- configurations ------------------------------------------------------------------------------


def ids_text(ids):
    return ", ".join(str(i) for i in random.sample(sorted(ids), len(ids)))


def random_ids(kind):
    return set(random.sample(range(5), random.randint(1, 3)))


def sets_text(sets):
    return ", ".join("%s(%s)" % (kind, ids_text(ids)) for kind, ids in sets.items())


def random_toggles(domain):
    return {event: random.random() < 0.5 for event in EVENTS[domain] if random.random() < 0.3}


def random_rule():
    keys = {}
    if random.random() < 0.6:
        keys["trace_starts_at"] = random.randint(0, 4)
    if random.random() < 0.6:
        keys["max_num_traces"] = random.choice([-1, 0, 1, 3, 8])
    if random.random() < 0.6:
        keys["tracing_rate"] = random.randint(1, 4)
    return keys


class Config:
    """The sections in order; `lines` is the file, the rest is what it means."""

    def __init__(self):
        self.lines = []
        self.on = {domain: {event: True for event in events} for domain, events in EVENTS.items()}
        self.mode = {domain: "TRACING" for domain in EVENTS}
        self.scope = {kind: (0, most) for kind, most in KINDS.items()}
        self.declared = set()
        self.sections = []
        self.default = {"rule": [0, -1, 1], "masks": {}, "said": set(), "sets": None, "entry": False}
        self.domain_defaults = {}
        self.lexgions = {}
        for domain in EVENTS:
            if random.random() < 0.6:
                self.add_domain(domain)
        if random.random() < 0.7:
            self.add_lexgion_default()
        for domain in EVENTS:
            if random.random() < 0.2:
                self.add_domain_lexgion(domain)
        for _ in range(random.choice([0, 0, 1, 2, 3])):
            self.add_section()
        for address in random.sample(ADDRESSES, random.randint(0, 3)):
            self.add_lexgion(address)
        if random.random() < 0.3:
            self.add_domain(random.choice(list(EVENTS)))
        if random.random() < 0.2:
            self.add_lexgion_default()
        for domain in EVENTS:
            if domain not in self.domain_defaults:
                self.domain_defaults[domain] = self.copy_default()
                self.domain_defaults[domain]["masks"][domain] = dict(self.on[domain])

    def header(self, target, bases, sets):
        newer = random.random() < 0.5
        parts = ""
        if bases or sets:
            parts = ": " + ", ".join(base + ".default" for base in bases)
        if sets:
            parts += " : " + sets_text(sets)
        self.lines.append("[%s]%s" % (target, parts) if newer else "[%s%s]" % (target, parts))

    def clip(self, sets):
        return {
            kind: {i for i in ids if self.scope[kind][0] <= i <= self.scope[kind][1]} for kind, ids in sets.items()
        }

    def copy_default(self):
        return {
            "rule": list(self.default["rule"]),
            "masks": {domain: dict(mask) for domain, mask in self.default["masks"].items()},
            "said": set(self.default["said"]),
            "sets": None,
            "entry": False,
        }

    def put_toggles(self, target, toggles):
        for event, is_on in toggles.items():
            self.lines.append("  %s = %s" % (event, "on" if is_on else "off"))
            target[event] = is_on

    def add_domain(self, domain):
        self.header(domain + ".default", [], {})
        for kind in KINDS:
            if kind.startswith(domain + ".") and random.random() < 0.25:
                self.scope[kind] = (random.randint(0, 1), random.randint(2, 4))
                self.declared.add(kind)
                self.lines.append("  %s = (%d-%d)" % (kind, *self.scope[kind]))
        if random.random() < 0.08:
            self.mode[domain] = random.choice(["OFF", "STANDBY", "MONITORING", "TRACING"])
            self.lines.append("  trace_mode = " + self.mode[domain])
        self.put_toggles(self.on[domain], random_toggles(domain))

    def put_lexgion(self, lexgion):
        for i, key in enumerate(["trace_starts_at", "max_num_traces", "tracing_rate"]):
            rule = random_rule()
            if key in rule:
                self.lines.append("  %s = %d" % (key, rule[key]))
                lexgion["rule"][i] = rule[key]
        for domain in EVENTS:
            if random.random() < 0.15:
                mask = lexgion["masks"].setdefault(domain, {event: False for event in EVENTS[domain]})
                event = random.choice(EVENTS[domain])
                mask[event] = random.random() < 0.5
                lexgion["said"].add((domain, event))
                self.lines.append("  %s.%s = %s" % (domain, event, "on" if mask[event] else "off"))

    def inherit(self, lexgion, bases):
        for base in bases:
            if base != "Lexgion":
                lexgion["masks"][base] = dict(self.on[base])

    def random_bases(self):
        return random.sample(list(EVENTS) + ["Lexgion"], random.choice([0, 1, 2]))

    def random_sets(self):
        kinds = random.sample(list(KINDS), random.choice([0, 0, 1, 2]))
        return {kind: random_ids(kind) for kind in kinds}

    def constrain(self, lexgion, sets):
        if sets:
            lexgion["sets"] = self.clip(sets)

    def add_lexgion_default(self):
        bases, sets = self.random_bases(), self.random_sets() if random.random() < 0.2 else {}
        self.header("Lexgion.default", bases, sets)
        self.inherit(self.default, bases)
        self.constrain(self.default, sets)
        self.put_lexgion(self.default)

    def add_domain_lexgion(self, domain):
        lexgion = self.copy_default()
        lexgion["masks"][domain] = dict(self.on[domain])
        self.domain_defaults[domain] = lexgion
        sets = self.random_sets() if random.random() < 0.3 else {}
        self.header("Lexgion(%s).default" % domain, [], sets)
        self.constrain(lexgion, sets)
        self.put_lexgion(lexgion)

    def add_lexgion(self, address):
        lexgion = self.copy_default()
        lexgion["entry"] = True
        bases, sets = self.random_bases(), self.random_sets()
        self.header("Lexgion(0x%x)" % address, bases, sets)
        self.inherit(lexgion, bases)
        self.constrain(lexgion, sets)
        self.put_lexgion(lexgion)
        self.lexgions[address] = lexgion

    def add_section(self):
        domain = random.choice(list(EVENTS))
        own = [kind for kind in KINDS if kind.startswith(domain + ".")]
        other = [kind for kind in KINDS if not kind.startswith(domain + ".")]
        targets = {kind: random_ids(kind) for kind in random.sample(own, random.randint(1, len(own)))}
        sets = {kind: random_ids(kind) for kind in random.sample(other, random.choice([0, 1, 1]))}
        inherits = random.random() < 0.7
        self.header(sets_text(targets), [domain] if inherits else [], sets)
        on = dict(self.on[domain]) if inherits else {event: False for event in EVENTS[domain]}
        clipped = self.clip(targets)
        for section in self.sections:
            if section["domain"] == domain and section["targets"] == clipped and section["sets"] == self.clip(sets):
                self.put_toggles(section["on"], random_toggles(domain))
                return
        section = {"domain": domain, "targets": clipped, "sets": self.clip(sets), "on": on}
        self.sections.append(section)
        self.put_toggles(on, random_toggles(domain))


# -- traces --------------------------------------------------------------------------------------


class Trace:
    def __init__(self, has_numbers, knows_places):
        self.spans = []
        self.now = 0
        self.has_numbers = has_numbers
        self.knows_places = knows_places
        self.numbers = {}
        self.pid = 0

    def tick(self):
        self.now += random.randint(1, 3)
        return self.now

    def begin(self, op, tid, args):
        args = dict(args)
        if self.knows_places or random.random() < 0.7:
            args["mpirank"] = self.pid
        span = {"op": op, "pid": self.pid, "tid": tid, "ts": self.tick(), "args": args, "uid": len(self.spans)}
        self.spans.append(span)
        return span

    def end(self, span):
        span["end"] = self.tick()

    def call(self, tid, depth):
        op = random.choice(["MPI_Send", "MPI_Recv", "MPI_Barrier", "MPI_Test", "cudaLaunchKernel", "cudaMalloc", "compute"])
        args = {}
        if random.random() < 0.7:
            args["codeptr"] = "0x%X" % random.choice(ADDRESSES)
        if op.startswith("cuda") and random.random() < 0.8:
            args["device"] = random.randint(0, 2)
        span = self.begin(op, tid, args)
        while depth < 3 and random.random() < 0.25:
            self.call(tid, depth + 1)
        self.end(span)

    def region(self, master, depth):
        address = random.choice(ADDRESSES)
        number = self.numbers[(self.pid, master, address)] = self.numbers.get((self.pid, master, address), 0) + 1
        team = {}
        if self.has_numbers:
            team = {"parallel_codeptr": "0x%x" % address, "parallel_record_id": number}
        region = self.begin("omp_parallel", master, dict(team, codeptr="0x%x" % address))
        tids = [master] if depth > 0 else random.sample(range(1, 4), random.randint(0, 3)) + [0]
        tasks = [self.begin("omp_implicit_task", tid, self.place(tid, team)) for tid in tids]
        for _ in range(random.randint(0, 6)):
            tid = random.choice(tids)
            op = random.choice(["omp_work", "omp_masked", "omp_barrier", "omp_join", "call", "region"])
            if op == "call":
                self.call(tid, 2)
            elif op == "region":
                if depth == 0 and tid == master and not self.has_numbers:
                    self.region(master, 1)
            else:
                args = self.place(tid, team)
                if op != "omp_join" and random.random() < 0.6:
                    args["codeptr"] = "0x%x" % random.choice(ADDRESSES)
                self.end(self.begin(op, tid, args))
        random.shuffle(tasks)
        for task in tasks:
            self.end(task)
        self.end(region)

    def place(self, tid, team):
        args = dict(team)
        if random.random() < 0.5:
            args["omp_team_num"] = random.randint(0, 1)
        if random.random() < 0.3:
            args["omp_thread_num"] = tid
        return args

    def fill(self):
        for self.pid in range(3):
            for _ in range(random.randint(5, 25)):
                if random.random() < 0.4:
                    self.region(0, 0)
                else:
                    self.call(random.choice([0, 0, 0, 1, 3]), 0)

    def write(self, path):
        events = [
            {"ph": "X", "name": span["op"], "pid": span["pid"], "tid": span["tid"], "ts": span["ts"],
             "dur": span["end"] - span["ts"], "args": dict(span["args"], uid=span["uid"])}
            for span in self.spans
        ]
        with open(path, "w") as out:
            json.dump({"traceEvents": events}, out)


# -- the rules -----------------------------------------------------------------------------------


class Rules:
    def __init__(self, config, unknown_matches, keeps_others):
        self.config = config
        self.unknown_matches = unknown_matches
        self.keeps_others = keeps_others
        self.sites = {}
        self.open = {}  # (pid, tid) -> spans that began and have not been seen to end
        self.regions = []
        self.work = {}  # (pid, tid) -> site and section of the work before the next barrier, if it has a section

    def punits(self, span):
        args = span["args"]
        places = {"OpenMP.thread": span["tid"]}
        if "omp_thread_num" in args:
            places["OpenMP.thread"] = args["omp_thread_num"]
        if "omp_team_num" in args:
            places["OpenMP.team"] = args["omp_team_num"]
        if "mpirank" in args:
            places["MPI.rank"] = args["mpirank"]
        if "device" in args and span["op"].startswith("cuda"):
            places["CUDA.device"] = args["device"]
        return places

    def match(self, sets, places):
        unknown = False
        for kind, ids in sets.items():
            low, high = self.config.scope[kind]
            if kind not in places:
                if not ids:
                    return False
                unknown = True
            elif places[kind] not in ids or not low <= places[kind] <= high:
                return False
        return not unknown or self.unknown_matches

    def domain_on(self, domain, event, places):
        """What sections of units say, else None."""
        config = self.config
        for section in config.sections:
            if section["domain"] == domain and self.match(section["targets"], places) and self.match(section["sets"], places):
                return section["on"].get(event, False)
        for kind in config.declared:
            if kind.startswith(domain + ".") and kind in places:
                low, high = config.scope[kind]
                if not low <= places[kind] <= high:
                    return False
        return None

    def event_on(self, domain, event, lexgion, places):
        """The mask of an entry replaces what the domain says; a default only says what it sets."""
        mask = lexgion["masks"].get(domain)
        if (lexgion["entry"] and mask is not None) or (domain, event) in lexgion["said"]:
            return mask.get(event, False)
        said = self.domain_on(domain, event, places)
        if said is not None:
            return said
        return event in EVENTS[domain] if mask is None else mask.get(event, False)

    def passes(self, domain, event, lexgion, places):
        return self.event_on(domain, event, lexgion, places) and self.holds(lexgion, places)

    def holds(self, lexgion, places):
        """Defaults have no constraints."""
        return not lexgion["entry"] or lexgion["sets"] is None or self.match(lexgion["sets"], places)

    def lexgion(self, domain, address):
        return self.config.lexgions.get(address, self.config.domain_defaults[domain])

    def sample(self, key, lexgion, may_be):
        """Counts an invocation."""
        state = self.sites.setdefault(key, {"n": 0, "traced": 0, "since": 0, "bit": False})
        state["n"] += 1
        state["since"] += 1
        start, most, rate = lexgion["rule"]
        state["bit"] = (
            may_be and state["n"] - 1 >= start and (most == -1 or state["traced"] < most) and state["since"] >= rate
        )
        return state["bit"]

    def finish(self, span):
        if span.get("site") and self.sites[span["site"]]["bit"]:
            state = self.sites[span["site"]]
            state["traced"] += 1
            state["since"] = 0
        if span.get("clears"):
            self.work[(span["pid"], span["tid"])] = None

    def around(self, span):
        """The region that a span of OpenMP runs in: by its number, else on its thread, else by time."""
        args = span["args"]
        if "parallel_record_id" in args:
            for region in self.regions:
                other = region["args"]
                if (region["pid"] == span["pid"] and other.get("parallel_codeptr") == args["parallel_codeptr"]
                        and other.get("parallel_record_id") == args["parallel_record_id"]):
                    return region
        found = [r for r in self.regions if r["pid"] == span["pid"] and r["ts"] < span["ts"] < r["end"]]
        own = [r for r in found if r["tid"] == span["tid"]]
        if own:
            return own[-1]
        return found[0] if found else None

    def keep(self, span):
        operation = OPERATIONS[span["op"]]
        if operation is None:
            return self.keeps_others
        domain, event, role = operation
        places = self.punits(span)
        mode = self.config.mode[domain]
        address = int(span["args"].get("codeptr", "0"), 16)
        lexgion = self.lexgion(domain, address)
        site = (span["pid"], span["tid"], span["op"], address)
        place = (span["pid"], span["tid"])
        own = address in self.config.lexgions

        if mode in ("OFF", "STANDBY") or (mode == "MONITORING" and role not in ("region", "call")):
            return False
        if role == "call":
            span["site"] = site
            return self.sample(site, lexgion, self.passes(domain, event, lexgion, places) and mode == "TRACING")
        if role == "region":
            outer = [r for r in self.regions if r["pid"] == span["pid"] and r["tid"] == span["tid"] and r["end"] > span["ts"]]
            self.regions.append(span)
            span["recorded"] = self.sample(site, lexgion, mode == "TRACING")
            span["lexgion"] = lexgion
            span["key"] = site
            if not outer or own:
                span["site"] = site
            return span["recorded"]

        if role in ("work", "masked"):
            if role == "work":
                if span["args"].get("parallel_codeptr") == "0x%x" % address:
                    own = False
                self.work[place] = (site, lexgion) if own else None
            if own:
                bit, passes = self.sample(site, lexgion, True), self.passes(domain, event, lexgion, places)
                if passes:
                    span["site"] = site
                return bit and passes
        work = self.work.get(place) if role == "barrier" else None
        if work:
            span["clears"] = True
            return self.sites[work[0]]["bit"] and self.passes(domain, event, work[1], places)
        region = self.around(span)
        if region is not None:
            lexgion = region["lexgion"]
            bit = region["recorded"]
            if "parallel_record_id" not in span["args"] and region["tid"] == span["tid"]:
                bit = self.sites[region["key"]]["bit"]
            if not bit:
                return False
        return role == "join" or self.passes(domain, event, lexgion, places)

    def run(self, trace):
        kept = set()
        for span in sorted(trace.spans, key=lambda s: s["ts"]):
            stack = self.open.setdefault((span["pid"], span["tid"]), [])
            while stack and stack[-1]["end"] <= span["ts"]:
                self.finish(stack.pop())
            if self.keep(span):
                kept.add(span["uid"])
            stack.append(span)
        return kept


# -- comparing -----------------------------------------------------------------------------------


def run(*words):
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit("# %s: %s" % (" ".join(words), done.stderr))
    return done.stdout


def compare(tracetool, folder, number):
    conf, trace_path, db, filtered = (os.path.join(folder, name) for name in ("a.conf", "a.json", "full.db", "kept.db"))
    for path in (db, filtered):
        if os.path.exists(path):
            os.unlink(path)
    config = Config()
    trace = Trace(random.random() < 0.5, random.random() < 0.5)
    trace.fill()
    trace.write(trace_path)
    with open(conf, "w") as out:
        out.write("\n".join(config.lines) + "\n")
    unknown_matches, keeps_others = random.random() < 0.3, random.random() < 0.3
    options = ["--config", conf, "--missing-punit", "match" if unknown_matches else "fail",
               "--config-others", "keep" if keeps_others else "drop"]
    if random.random() < 0.5:
        options.append("--recount")
    wanted = Rules(config, unknown_matches, keeps_others).run(trace)

    run(tracetool, "import", "-q", "--db", db, trace_path)
    exported = json.loads(run(tracetool, "--db", db, "export", *options))
    events = exported["traceEvents"] if isinstance(exported, dict) else exported
    got = {event["args"]["uid"] for event in events if event.get("ph") == "X"}
    run(tracetool, "import", "-q", "--db", filtered, *options, trace_path)
    rows = json.loads(run(tracetool, "--db", filtered, "query", "--format", "json",
                          "select json_extract(args, '$.uid') as uid, depth, self_ns from event"))
    imported = {int(row["uid"]) for row in rows}
    for name, found in (("export", got), ("import", imported)):
        if found != wanted:
            span = trace.spans[min(found ^ wanted)]
            print("# round %d: %s differs: %d wanted, %d found; first %s: %s" % (
                number, name, len(wanted), len(found), "missing" if span["uid"] in wanted else "too many", span))
            return None
    # Depth counts what is kept; self time is what it was.
    full = {int(row["uid"]): row["self_ns"] for row in json.loads(
        run(tracetool, "--db", db, "query", "--format", "json", "select json_extract(args, '$.uid') as uid, self_ns from event"))}
    for row in rows:
        span = trace.spans[int(row["uid"])]
        depth = sum(1 for other in trace.spans if other["uid"] in wanted and other["uid"] != span["uid"]
                    and other["pid"] == span["pid"] and other["tid"] == span["tid"]
                    and other["ts"] < span["ts"] and span["end"] < other["end"])
        if row["depth"] != depth or row["self_ns"] != full[span["uid"]]:
            print("# round %d: depth %s, not %d; self %s, not %s: %s" % (
                number, row["depth"], depth, row["self_ns"], full[span["uid"]], span))
            return None
    return len(wanted), len(trace.spans)


def main():
    tracetool, folder, rounds = sys.argv[1], sys.argv[2], int(sys.argv[3])
    seed = int(sys.argv[4]) if len(sys.argv) > 4 else 1
    n_kept = n_all = n_mixed = 0
    for number in range(rounds):
        random.seed(seed * 100000 + number)
        counts = compare(tracetool, folder, number)
        if counts is None:
            return 1
        n_kept += counts[0]
        n_all += counts[1]
        n_mixed += 0 < counts[0] < counts[1]
    print("# %d rounds, %d of %d spans kept" % (rounds, n_kept, n_all))
    return 0 if rounds < 10 or n_mixed * 2 > rounds else 1


if __name__ == "__main__":
    sys.exit(main())
