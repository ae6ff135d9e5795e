# SPDX-License-Identifier: Apache-2.0
"""What is uneven over ranks, from the definitions in the manual alone: exact integers and fractions.

Spans come as tuples (see Span); `analyse` answers what `tracetool imbalance --format json` does.
"""
import re
from collections import namedtuple
from fractions import Fraction

WAITING = ("Comm", "SYNC")

# call: (comm, function, ordinal) or None; flags: a set of words; step: a number or None; role: of `activity`, or None.
Span = namedtuple("Span", "rank thread name cat begin end self flags call step depth role")
WORK = ("kernel", "copy", "set")
NOTHING_DONE = ("tracer", "awaits_device", "awaits_queue", "awaits_event", "queue_awaits")
OUTSIDE = "(outside any operation)"


def average(values):
    values = list(values)
    return Fraction(sum(values), len(values))


def median(values):
    """of an even number the mean of the two in the middle, as of pandas, numpy and nsys"""
    values = sorted(values)
    return average(values[(len(values) - 1) // 2: len(values) // 2 + 1])


# -- operations -----------------------------------------------------------------------------------------------------
def operations(spans, over, absent_is_zero):
    totals, cat_of_name, units_of_cat = {}, {}, {}
    for s in spans:
        if "window" in s.flags:
            continue
        unit = s.rank if over == "rank" else s.thread
        of = totals.setdefault(s.name, {})
        of[unit] = of.get(unit, 0) + s.self
        cat_of_name[s.name] = s.cat
        if s.self > 0:
            units_of_cat.setdefault(s.cat, set()).add(unit)
    rows = {}
    for name, present in totals.items():
        counted = dict(present)
        if absent_is_zero:
            for unit in units_of_cat.get(cat_of_name[name], ()):
                counted.setdefault(unit, 0)
        total, top = sum(counted.values()), max(counted.values())
        if total == 0 or len(counted) < 2:
            continue
        mean = average(counted.values())
        rows[name] = {
            "price": top - mean, "imbalance_percent": (top / mean - 1) * 100, "mean": mean, "max": top,
            "min": min(counted.values()), "total": total, "ranks": len(present), "zero_ranks": len(counted) - len(present),
            "slowest": min(u for u in counted if counted[u] == top),
        }
    return rows


# -- calls of collectives -------------------------------------------------------------------------------------------
Call = namedtuple("Call", "first skew last paid late")


def calls(spans):
    """(comm, function, ordinal) -> rank -> (arrival, end, step), of two ranks at least"""
    found = {}
    for s in spans:
        if s.call is None:
            continue
        part = found.setdefault(s.call, {})
        begin, end, step = part.get(s.rank, (s.begin, s.end, s.step))
        part[s.rank] = (min(begin, s.begin), max(end, s.end), s.step if s.begin < begin else step)
    return {key: part for key, part in found.items() if len(part) >= 2}


def rooted(function):
    """Which of Scalasca's patterns is about it: "broadcast" (one to all), "reduce" (all to one), or None: all to all."""
    word = function.lower().replace("_", "")
    if re.match("MPI_I[a-z]", function) or "neighbor" in word:
        return None  # as everybody waits for everybody, who could at most
    if re.search("allreduce|allgather|alltoall|reducescatter|barrier|fence|scan", word):
        return None
    if re.search("bcast|broadcast|scatter", word):
        return "broadcast"
    return "reduce" if re.search("reduce|gather", word) else None


def root_by_times(kind, part):
    """Where the trace does not say it: nobody leaves a broadcast before the root has come, and the root of a reduction does
    not leave before all have come. Of several the first in the order of the trace."""
    if kind == "reduce":
        return max(part, key=lambda rank: part[rank][1])
    first_end = min(p[1] for p in part.values())
    return max((rank for rank in part if part[rank][0] <= first_end), key=lambda rank: part[rank][0])


def judge(part, function, told):
    """Late broadcast: those who come before the root wait for it. Early reduce: the root waits for the last of the others.
    Wait at NxN and at barrier: all wait for the last. Nobody waits longer than it is in the call."""
    first, latest = min(p[0] for p in part.values()), max(p[0] for p in part.values())
    kind = rooted(function)
    if kind is None:
        waiters, for_whom = set(part), min(rank for rank, p in part.items() if p[0] == latest)
    else:
        root = told if told in part else root_by_times(kind, part)
        others = [rank for rank in part if rank != root]
        waiters = set(others) if kind == "broadcast" else {root}
        for_whom = root if kind == "broadcast" else min(others, key=lambda rank: (-part[rank][0], rank))
    until = part[for_whom][0]
    paid = {rank: max(0, min(until, p[1]) - p[0]) if rank in waiters else 0 for rank, p in part.items()}
    last = for_whom if any(part[rank][0] < until for rank in waiters) else None
    return Call(first, latest - first, last, paid, {rank: p[0] - first for rank, p in part.items()})


def collectives(judged):
    groups = {}
    for (comm, function, _), call in judged.items():
        groups.setdefault((comm, function), []).append(call)
    rows = {}
    for key, of in groups.items():
        skews, count, cost = sorted(call.skew for call in of), {}, {}
        for call in of:
            if call.last is not None:
                count[call.last] = count.get(call.last, 0) + 1
                cost[call.last] = cost.get(call.last, 0) + sum(call.paid.values())
        latest = min(count, key=lambda rank: (-cost[rank], rank)) if count else None
        rows[key] = {
            "calls": len(of), "skew_sum": sum(skews), "skew": average(skews), "skew_min": skews[0],
            "skew_max": skews[-1], "skew_med": median(skews), "paid": sum(sum(c.paid.values()) for c in of),
            "latest_rank": latest, "latest_times": count.get(latest, 0), "latest_cost": cost.get(latest, 0),
        }
    return rows


def ranks(judged):
    rows = {}
    for call in judged.values():
        for rank in call.paid:
            row = rows.setdefault(rank, {"calls": 0, "last": 0, "caused": 0, "paid": 0, "late_sum": 0})
            row["calls"] += 1
            row["paid"] += call.paid[rank]
            row["late_sum"] += call.late[rank]
        if call.last is not None:
            rows[call.last]["last"] += 1
            rows[call.last]["caused"] += sum(call.paid.values())
    for row in rows.values():
        row["late"] = Fraction(row.pop("late_sum"), row["calls"])
    return rows


# -- what no operation explains ----------------------------------------------------------------------------------------
def covered(intervals):
    """length of the union"""
    length, reached = 0, None
    for begin, end in sorted(intervals):
        if reached is None or begin > reached:
            length, reached = length + end - begin, end
        elif end > reached:
            length, reached = length + end - reached, end
    return length


def rests(spans):
    """(window of the host, time without the spans inside)"""
    queues = {s.thread for s in spans if s.role in WORK}
    threads = {}
    for s in spans:
        if s.thread not in queues and "async" not in s.flags and s.role not in NOTHING_DONE:
            threads.setdefault(s.thread, []).append(s)
    for of in threads.values():
        for window in (s for s in of if "window" in s.flags and "step" not in s.flags):
            inside = [(max(s.begin, window.begin), min(s.end, window.end)) for s in of
                      if s.depth > window.depth and s.begin < window.end and s.end > window.begin]
            yield window, window.end - window.begin - covered(inside)


def uncovered(spans):
    """(step, rank) -> time of the step in which no span of the rank runs. A span of the host around the step says nothing of
    it, and one in no step counts for none."""
    queues = {s.thread for s in spans if s.role in WORK}
    own, others, of_rank = {}, {}, {}
    for s in spans:
        if s.step is None or s.role in NOTHING_DONE or (s.thread in queues and "window" in s.flags):
            continue
        kind = own if "step" in s.flags else others
        kind.setdefault((s.step, s.rank), []).append((s.begin, s.end))
        if kind is others:
            of_rank.setdefault(s.rank, []).append((s.begin, s.end, s.thread not in queues and "async" not in s.flags))
    rows = {}
    for key in {*own, *others}:
        of = own.get(key) or others[key]
        begin, end = min(i[0] for i in of), max(i[1] for i in of)
        inside = [(max(b, begin), min(e, end)) for b, e, is_host in of_rank.get(key[1], [])
                  if b < end and e > begin and not (is_host and b < begin and e >= end)]
        rows[key] = end - begin - covered(inside)
    return rows


# -- steps ----------------------------------------------------------------------------------------------------------
def steps(spans, parts, judged):
    """step -> row. Lengths are those of spans that are a step; without, the trace has none here."""
    present, lengths, caused, in_call = {}, {}, {}, {}
    for s in spans:
        if s.step is not None and "step" in s.flags:
            begin, end = lengths.setdefault(s.step, {}).get(s.rank, (s.begin, s.end))
            lengths[s.step][s.rank] = (min(begin, s.begin), max(end, s.end))
        if s.step is not None and s.self > 0 and s.cat not in WAITING and not s.flags & {"window", "async"} \
                and s.role not in NOTHING_DONE:
            sums = present.setdefault(s.step, {}).setdefault(s.rank, {})
            sums[s.name] = sums.get(s.name, 0) + s.self
    def add(step, rank, name, ns):
        if step is not None and ns > 0:
            sums = present.setdefault(step, {}).setdefault(rank, {})
            sums[name] = sums.get(name, 0) + ns
    for window, rest in rests(spans):
        if window.cat not in WAITING:
            add(window.step, window.rank, window.name, rest)
    for (step, rank), ns in uncovered(spans).items():
        add(step, rank, OUTSIDE, ns)
    for key, part in parts.items():
        for rank, (_, _, step) in part.items():
            if step is not None:
                in_call.setdefault(step, set()).add(rank)
                if rank == judged[key].last:
                    caused.setdefault(step, {}).setdefault(rank, 0)
                    caused[step][rank] += sum(judged[key].paid.values())
    rows = {}
    for step in sorted({*present, *lengths, *in_call}):
        own = {rank: end - begin for rank, (begin, end) in lengths.get(step, {}).items()}
        of = present.get(step, {})
        members = {*of, *own, *in_call.get(step, ())}
        if len(members) < 2:
            continue
        by_arrival = step in in_call
        costs = caused.get(step, {}) if by_arrival else own
        worst = min(costs, key=lambda rank: (-costs[rank], rank)) if costs else None
        middle = median(own.values()) if own else None
        if worst is not None and costs[worst] - (0 if by_arrival else middle) == 0:
            worst = None
        row = {"ranks": len(members), "straggler": worst, "operation": None, "operation_excess": None, "median": middle}
        if worst is not None:
            row["by"] = "arrival" if by_arrival else "length"
            row["price"] = costs[worst] if by_arrival else own[worst] - middle
            row["length"] = own.get(worst)
            best = 0
            for name in sorted(of.get(worst, {}), key=lambda name: (name != OUTSIDE, name)):
                more = of[worst][name] - average(of.get(rank, {}).get(name, 0) for rank in members if rank != worst)
                if more > best:
                    best, row["operation"], row["operation_excess"] = more, name, more
        rows[step] = row
    return rows


def stragglers(stepped):
    rows = {}
    for row in stepped.values():
        if row["straggler"] is None:
            continue
        of = rows.setdefault(row["straggler"], {"straggler_steps": 0, "straggler_price": 0, "named": {}})
        of["straggler_steps"] += 1
        of["straggler_price"] += row["price"]
        if row["operation"] is not None:
            n, excess = of["named"].get(row["operation"], (0, 0))
            of["named"][row["operation"]] = (n + 1, excess + row["operation_excess"])
    for of in rows.values():
        named = of.pop("named")
        most = max(named.values(), default=(0, None))
        of["operation_steps"], of["operation_excess"] = most
        of["operations"] = {name for name in named if named[name] == most}
    return rows


def analyse(spans, over="rank", absent_is_zero=False, roots=None):
    """@roots: call -> rank, where the trace says it"""
    parts = calls(spans)
    judged = {key: judge(part, key[1], (roots or {}).get(key)) for key, part in parts.items()}
    stepped = steps(spans, parts, judged)
    return {
        "operations": operations(spans, over, absent_is_zero), "collectives": collectives(judged),
        "ranks": ranks(judged), "steps": stepped, "stragglers": stragglers(stepped),
    }
