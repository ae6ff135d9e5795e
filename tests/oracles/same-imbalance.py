# SPDX-License-Identifier: Apache-2.0
"""Whether `tracetool imbalance` says of a database what imbalance.py finds in its spans.

usage: same-imbalance.py TRACETOOL DATABASE [--over thread | --absent zero | --time-window]

With --time-window: the operations of many windows, of a trace without steps.
Prints "N operations, N collectives, N ranks, N steps" that were compared.
"""
import json
import re
import subprocess
import sys

import imbalance

SPANS = """SELECT e.id AS id, p.owner AS owner, t.id AS thread, e.name AS name, e.op_cat AS cat,
 e.depth AS depth,
 e.ts_ns AS ts, e.dur_ns AS dur, ifnull(e.self_ns, 0) AS self, e.flags AS flags, e.step AS step
 FROM event e JOIN event_row r ON r.id = e.id JOIN thread_row t ON t.id = r.thread JOIN process p ON p.id = t.process
 WHERE e.dur_ns IS NOT NULL"""
# A call may tell of an event twice; the rows of the table are what counts.
CALLS = "SELECT c.comm, c.function, c.ordinal, c.event, c.root FROM collective c"
ROLES = "SELECT DISTINCT event, role FROM activity WHERE role <> 'backward'"
RANKS = "SELECT id, owner, pid, ifnull(rank, -1) AS rank FROM process"


def query(tool, database, sql):
    answer = subprocess.run([tool, "--db", database, "query", "--format", "json", sql], check=True, capture_output=True)
    return json.loads(answer.stdout)


def number_meetings(spans):
    """A training job's waits for all ranks, where there are any: the k-th of a name on each rank in a step is a part of one call."""
    numbered, count = [], {}
    for s in sorted(spans, key=lambda s: s.begin):
        if s.cat == "Comm" and s.call is None and re.search(r"\.(Sync|NEGOTIATE\w*)$", s.name):
            key = s.name, s.step, s.rank
            count[key] = count.get(key, -1) + 1
            s = s._replace(call=(0, s.name, (s.step, count[key])))
        numbered.append(s)
    return numbered


def spans_of(tool, database):
    processes = {row["id"]: row for row in query(tool, database, RANKS)}
    order = sorted((p for p in processes.values() if p["owner"] == p["id"]),
                   key=lambda p: (p["rank"] < 0, p["rank"], p["id"]))
    number = {p["id"]: i for i, p in enumerate(order)}
    texts = {i: str(p["rank"]) if p["rank"] >= 0 else p["pid"] for i, p in enumerate(order)}
    leads = {p["pid"]: number[p["owner"]] for p in processes.values()}
    call_of, roots = {}, {}
    for row in query(tool, database, CALLS):
        call_of.setdefault(row["event"], []).append((row["comm"], row["function"], row["ordinal"]))
        if row["root"] is not None:
            roots[row["comm"], row["function"], row["ordinal"]] = leads[row["root"]]
    roles = {row["event"]: row["role"] for row in query(tool, database, ROLES)}
    spans = []
    for row in query(tool, database, SPANS):
        flags = frozenset((row["flags"] or "").split(","))
        values = (number[row["owner"]], row["thread"], row["name"], row["cat"], row["ts"], row["ts"] + row["dur"], row["self"],
                  flags)
        for i, call in enumerate(call_of.get(row["id"], [None])):
            assert i == 0, row
            spans.append(imbalance.Span(*values, call, row["step"], row["depth"], roles.get(row["id"])))
    return number_meetings(spans), texts, roots


def compare(what, own, other, keys, texts):
    """@keys: ours -> theirs; what is a rank is told by its text."""
    for mine, theirs in keys.items():
        a, b = own.get(mine), other.get(theirs)
        if theirs in ("slowest", "latest_rank", "straggler"):
            b = None if b is None else texts[b]
            assert a == b, (what, mine, a, b, own)
        elif b is None or isinstance(b, str):
            assert a == b, (what, mine, a, b, own)
        else:
            assert a is not None and abs(a - b) <= 1e-12 * max(1, abs(b)), (what, mine, a, float(b), own)


def own_keys(*names):
    times = ("price", "mean", "max", "min", "total", "skew", "skew_sum", "skew_min", "skew_med", "skew_max", "paid",
             "latest_cost", "caused", "late", "straggler_price", "operation_excess", "length", "median")
    return {name + ("_ns" if name in times else ""): name for name in names}


def compare_operations(found, wanted, over, texts):
    assert len(found["operations"]) == len(wanted["operations"]), (len(found["operations"]), len(wanted["operations"]))
    keys = own_keys("price", "imbalance_percent", "mean", "max", "min", "total", "ranks", "zero_ranks")
    for row in found["operations"]:
        other = wanted["operations"][row["name"]]
        compare(row["name"], row, other, keys, texts)
        if over == "rank":
            assert row["slowest_rank"] == texts[other["slowest"]], row
    order = [(row["is_waiting"], -row["price_ns"]) for row in found["operations"]]
    assert order == sorted(order)


def cut(spans, begin, end):
    """What of each span, without those inside it, is in the window; what does not touch it is left out."""
    def inside(s):
        return max(0, min(s.end, end) - max(s.begin, begin))

    rest, stack = {}, {}
    for s in sorted(spans, key=lambda s: (s.thread, s.begin, s.depth)):
        rest[s] = inside(s)
        around = stack.setdefault(s.thread, [])
        del around[s.depth:]
        if around:
            rest[around[-1]] -= rest[s]
        around.append(s)
    return [s._replace(self=rest[s]) for s in spans if s.begin <= end and s.end >= begin]


def compare_windows(tool, database):
    spans, texts, roots = spans_of(tool, database)
    assert all(s.step is None for s in spans)
    first, last = min(s.begin for s in spans), max(s.end for s in spans)
    n = parts = 0
    for of in range(1, 12):
        for part in range(of):
            begin, end = (last - first) * part // of, (last - first) * (part + 1) // of - 1
            answer = subprocess.run([tool, "--db", database, "imbalance", "--format", "json", "--unit", "ns", "--time-window",
                                     f"{begin}:{end}"], check=True, capture_output=True)
            found = json.loads(answer.stdout)
            inside = cut(spans, first + begin, first + end)
            compare_operations(found, imbalance.analyse(inside, "rank", False, roots), "rank", texts)
            assert found["steps"] == [], found["steps"]
            n += len(found["operations"])
            parts += len(inside) < len(spans)
    print(f"{n} operations of windows, {parts} of which leave something out")


def main():
    tool, database, *options = sys.argv[1:]
    if "--time-window" in options:
        compare_windows(tool, database)
        return
    over = "thread" if "thread" in options else "rank"
    answer = subprocess.run([tool, "--db", database, "imbalance", "--format", "json", "--unit", "ns", *options], check=True,
                            capture_output=True)
    found = json.loads(answer.stdout)
    spans, texts, roots = spans_of(tool, database)
    wanted = imbalance.analyse(spans, over, "zero" in options, roots)

    compare_operations(found, wanted, over, texts)

    assert len(found["collectives"]) == len(wanted["collectives"])
    keys = own_keys("calls", "skew", "skew_sum", "skew_min", "skew_med", "skew_max", "paid", "latest_rank", "latest_times",
                    "latest_cost")
    for row in found["collectives"]:
        compare(row["function"], row, wanted["collectives"][(row["comm"], row["function"])], keys, texts)

    rows = {row["rank"]: row for row in found["ranks"]}
    for rank, other in wanted["ranks"].items():
        compare(texts[rank], rows[texts[rank]], other, own_keys("calls", "last", "caused", "paid", "late"), texts)
    # The length of a step by operators is for another oracle.
    has_lengths = any("step" in s.flags for s in spans) or not found["steps"] or found["steps"][0]["by"] == "arrival"
    if has_lengths:
        assert set(rows) == {texts[rank] for rank in {*wanted["ranks"], *wanted["stragglers"]}}
        assert [row["step"] for row in found["steps"]] == list(wanted["steps"])
        keys = own_keys("ranks", "straggler", "price", "by", "length", "median", "operation", "operation_excess")
        for row in found["steps"]:
            if not any("step" in s.flags for s in spans):
                row["length_ns"] = row["median_ns"] = None
            compare(row["step"], row, wanted["steps"][row["step"]], keys, texts)
        keys = own_keys("straggler_steps", "straggler_price", "operation_steps", "operation_excess")
        for rank, other in wanted["stragglers"].items():
            compare(texts[rank], rows[texts[rank]], other, keys, texts)
            assert rows[texts[rank]]["operation"] in (other["operations"] or {None}), (rows[texts[rank]], other)
    print(f"{len(found['operations'])} operations, {len(found['collectives'])} collectives, {len(found['ranks'])} ranks,"
          f" {len(found['steps']) if has_lengths else 0} steps")


main()
