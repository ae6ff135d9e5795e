# SPDX-License-Identifier: Apache-2.0
"""What must hold of any run, and small runs whose truth is worked out by hand."""
import json
import random
import struct
import tempfile

from . import causes, clocks, engine, programs, tau, waits

PROBLEMS = []


def expect(is_so, text):
    if not is_so:
        PROBLEMS.append(text)


# -- of any run ---------------------------------------------------------------------------------------

def check_time(run, label):
    for rank in run.ranks:
        at = rank.start
        for begin, end, _, _ in rank.segments:
            expect(begin == at and end > begin, f"{label}: rank {rank.number} has a gap at {at}")
            at = end
        expect(at == rank.now and not rank.stack and not rank.requests, f"{label}: rank {rank.number} does not end")
        times = [at for at, _, _ in rank.events]
        expect(times == sorted(times), f"{label}: records of rank {rank.number} out of order")


def check_messages(run, label):
    for message in run.messages.values():
        expect(message.done.end > message.send.begin + message.latency, f"{label}: a message is received before it is sent")
        expect(message.done.end > message.post.begin, f"{label}: a message is received before it is asked for")
    for pair in {(message.src, message.dst, message.tag) for message in run.messages.values()}:
        sent = [m for _, kind, m in run.ranks[pair[0]].events if kind == "send" and (m.src, m.dst, m.tag) == pair]
        received = [m for _, kind, m in run.ranks[pair[1]].events if kind == "receive" and (m.src, m.dst, m.tag) == pair]
        expect(sent == received, f"{label}: messages {pair} do not match in the order of records")


def check_waits(run, found, label):
    for wait in found:
        expect(0 < wait.ns < wait.call.end - wait.call.begin and wait.cause.rank != wait.call.rank,
               f"{label}: {wait.kind} of rank {wait.call.rank} for {wait.ns} ns")
    for collective in run.collectives.values():
        last = max(call.begin for call in collective.entered.values())
        for rank, call in collective.done.items():
            if collective.kind in engine.NXN:
                expect(call.end > last, f"{label}: rank {rank} leaves a {collective.kind} before all have entered")
                expected = max(0, last - call.begin)
                expect(call.wait is None and expected == 0 or call.wait and call.wait.ns >= expected,
                       f"{label}: rank {rank} waits {expected} ns in a {collective.kind}")


def check_sums(run, found, truth, label):
    rows = truth["delays"] + truth["unexplained"]
    expect(sum(row["direct_ns"] + row["propagated_ns"] for row in rows) == sum(wait.ns for wait in found),
           f"{label}: delay costs are not all of the waiting")
    expect(all(row["direct_ns"] >= 0 and row["propagated_ns"] >= 0 for row in rows), f"{label}: a negative cost")
    steps = truth["path_steps"]
    length = run.end - run.ranks[steps[0]["rank"]].start
    expect(sum(row["ns"] for row in truth["critical_path"]) == length, f"{label}: the path is not as long as the run")
    expect(all(a["end"] == b["begin"] and a["rank"] != b["rank"] for a, b in zip(steps, steps[1:])) and
           steps[-1]["end"] == run.end, f"{label}: the path has a gap")


def check_records(run, seed, label):
    """reads what is written for TAU again"""
    own_clocks = clocks.make_clocks(len(run.ranks), seed, random.Random(seed).choice(["none", "20us", "jump"]), 50, run.end)
    with tempfile.TemporaryDirectory() as folder:
        tau.write(run, own_clocks, 1000, folder, None, None)
        for rank, clock in zip(run.ranks, own_clocks):
            with open(f"{folder}/tautrace.{rank.number}.0.0.trc", "rb") as f:
                records = list(struct.iter_unpack("<iHHqQ", f.read()))
            with open(f"{folder}/events.{rank.number}.edf", encoding="ascii") as f:
                rows = [line.split('"') for line in f if '"' in line][1:]
            states = {int(row[0].split()[0]): row[1].rstrip() for row in rows if row[2].strip() == "EntryExit"}
            enters = [(states[r[0]], r[4]) for r in records if r[0] in states and r[3] == 1]
            expect(enters == [(span.name, clock.reads(span.begin) // 1000) for span in rank.spans],
                   f"{label}: spans of rank {rank.number} in its records")
            expect([r[4] for r in records] == sorted(r[4] for r in records), f"{label}: a clock goes backwards")


# -- by hand --------------------------------------------------------------------------------------------

class Still(engine.Network):
    """every message takes 1,000 ns"""

    def latency(self, src, dst, n):
        return 1000


def by_hand(text, programs_of_ranks, expected_waits, expected_costs=None, expected_path=None):
    wrapped = [[("enter", "main"), *program, ("leave",)] for program in programs_of_ranks]
    run = engine.Run(wrapped, [list(range(len(wrapped)))], Still(0))
    found = waits.find_waits(run)
    got = [(wait.call.rank, wait.kind, wait.begin, wait.end, wait.cause.rank) for wait in found]
    expect(got == expected_waits, f"{text}: {got}")
    if expected_costs is not None:
        costs, unexplained = causes.delay_costs(run, found)
        got = {(rank, path[-1]): tuple(both) for (rank, path), both in costs.items()}
        got.update(((rank, None), tuple(both)) for rank, both in unexplained.items())
        expect(got == expected_costs, f"{text}: {got}")
    if expected_path is not None:
        profile = causes.path_profile(run, causes.critical_path(run))
        got = {(rank, path[-1]): ns for (rank, path), ns in profile.items()}
        expect(got == expected_path, f"{text}: {got}")


def a(ns):
    return "compute", "a", ns


def messages_by_hand():
    # 0 sends at 100,000; it is there at 101,400 and received at 101,800, when 1 sends what 2 has awaited since 30,000.
    # Of these 71,800 ns 1 has 10,000 more of a than 2 and has waited 60,000 itself: one part in seven and six in seven.
    by_hand("a chain", [[a(100_000), ("send", 1, 0, 0)], [a(40_000), ("recv", 0, 0), ("send", 2, 0, 0)],
                        [a(30_000), ("recv", 1, 0)]],
            [(1, "late sender", 40_000, 100_000, 0), (2, "late sender", 30_000, 101_800, 1)],
            {(0, "a"): (60_000, 71_800 - 10_257), (1, "a"): (10_257, 0)},
            {(0, "a"): 100_000, (1, "MPI_Recv()"): 1_800, (2, "MPI_Recv()"): 1_800})
    by_hand("a late receiver", [[a(10_000), ("ssend", 1, 0, 0)], [a(50_000), ("recv", 0, 0)]],
            [(0, "late receiver", 10_000, 50_000, 1)], {(1, "a"): (40_000, 0)},
            {(1, "a"): 50_000, (1, "MPI_Recv()"): 400 + 2_000 + 400})
    by_hand("large messages are synchronous", [[a(10_000), ("send", 1, 0, 20_000)], [a(50_000), ("recv", 0, 0)]],
            [(0, "late receiver", 10_000, 50_000, 1)])
    by_hand("small ones are not", [[a(10_000), ("send", 1, 0, 8)], [a(50_000), ("recv", 0, 0)]], [])
    by_hand("a wrong order", [[a(10_000), ("send", 1, 1, 0), a(20_000), ("send", 1, 2, 0)], [("recv", 0, 2), ("recv", 0, 1)]],
            [(1, "wrong order", 0, 30_400, 0)])
    by_hand("the right order", [[a(10_000), ("send", 1, 1, 0), a(20_000), ("send", 1, 2, 0)], [("recv", 0, 1), ("recv", 0, 2)]],
            [(1, "late sender", 0, 10_000, 0), (1, "late sender", 11_800, 30_400, 0)])
    by_hand("a wait for a receive", [[a(90_000), ("send", 1, 0, 0)], [("irecv", 7, 0, 0), a(40_000), ("wait", 7)]],
            [(1, "late sender", 40_400, 90_000, 0)], {(0, "a"): (49_600, 0)})
    by_hand("a wait for a send", [[("isend", 7, 1, 0, 20_000), a(10_000), ("wait", 7)], [a(70_000), ("recv", 0, 0)]],
            [(0, "late receiver", 10_400, 70_000, 1)])
    by_hand("a wait for two", [[a(60_000), ("send", 2, 0, 0)], [a(80_000), ("send", 2, 0, 0)],
                               [("irecv", 7, 0, 0), ("irecv", 8, 1, 0), ("waitall", [8, 7])]],
            [(2, "late sender", 800, 80_000, 1)])
    by_hand("a probe", [[a(60_000), ("send", 1, 0, 0)], [("probe", 0, 0), ("recv", 0, 0)]],
            [(1, "late sender", 0, 60_000, 0)])
    # What is as late on both sides since they last met is nobody's delay.
    by_hand("since they synchronised", [[a(90_000), ("send", 1, 0, 0), a(20_000), ("send", 1, 0, 0)],
                                        [a(95_000), ("recv", 0, 0), a(5_000), ("recv", 0, 0)]],
            [(1, "late sender", 100_400, 110_400, 0)], {(0, "a"): (10_000, 0)})
    by_hand("a wait after they synchronised", [[a(100_000), ("send", 1, 0, 0)], [("recv", 2, 0), ("recv", 0, 0), ("send", 2, 0, 0)],
                                               [("send", 1, 0, 0), ("recv", 1, 0)]],
            [(1, "late sender", 1_800, 100_000, 0), (2, "late sender", 400, 101_800, 1)], {(0, "a"): (98_200, 101_400)})
    by_hand("messages that cross", [[a(50_000), ("send", 1, 0, 0), ("recv", 1, 0)], [("send", 0, 0, 0), ("recv", 0, 0)]],
            [(1, "late sender", 400, 50_000, 0)], {(0, "a"): (49_600, 0)})
    by_hand("no cause", [[("recv", 2, 0), ("send", 1, 0, 0)], [("recv", 0, 0)], [("send", 0, 0, 0)]],
            [(1, "late sender", 0, 1_800, 0)], {(0, None): (1_800, 0)})


def collectives_by_hand():
    works = [[a(10_000)], [a(70_000)], [a(30_000)]]

    def all_call(*call):
        return [[*work, call] for work in works]

    by_hand("a barrier", all_call("barrier", 0, 0),
            [(0, "wait at barrier", 10_000, 70_000, 1), (2, "wait at barrier", 30_000, 70_000, 1)], {(1, "a"): (100_000, 0)})
    by_hand("an allreduce", all_call("allreduce", 0, 8),
            [(0, "wait at NxN", 10_000, 70_000, 1), (2, "wait at NxN", 30_000, 70_000, 1)])
    by_hand("a broadcast of the last", all_call("bcast", 0, 8, 1),
            [(0, "late broadcast", 10_000, 70_000, 1), (2, "late broadcast", 30_000, 70_000, 1)])
    by_hand("a broadcast of another", all_call("bcast", 0, 8, 2), [(0, "late broadcast", 10_000, 30_000, 2)])
    by_hand("a reduction to the last", all_call("reduce", 0, 8, 1), [])
    by_hand("a reduction to another", all_call("reduce", 0, 8, 2), [(2, "early reduce", 30_000, 70_000, 1)])
    by_hand("a wait for an allreduce", [[a(10_000), ("iallreduce", 7, 0, 8), a(n), ("wait", 7)] for n in (50_000, 5_000)] +
            [[a(40_000), ("iallreduce", 7, 0, 8), ("wait", 7)]], [(1, "wait at NxN", 15_400, 40_000, 2)])


def clock_by_hand():
    clock = clocks.Clock(-700, 50_000, [(1_000_000, 90_000)])
    errors = [clock.error(at) for at in (0, 999_999, 1_000_000, 2_000_000)]
    expect(errors == [-700, -651, 89_350, 89_400], f"a clock: {errors}")
    expect(clock.reads(2_000_000) == clocks.EPOCH_NS + 2_089_400, "what a clock reads")


def self_test(simulate, truth_of, n_seeds):
    """0 if all is as it must be"""
    messages_by_hand()
    collectives_by_hand()
    clock_by_hand()
    n_waits, scenarios, kinds = 0, list(programs.SCENARIOS), set()
    for seed in range(1, n_seeds + 1):
        for scenario in ("random", scenarios[seed % len(scenarios)]):
            n_ranks, starts_ns = random.Random(seed).randrange(2, 40), seed % 2 * 30_000
            builder, run = simulate(scenario, n_ranks, 60, seed, starts_ns)
            label = f"{scenario} --ranks {n_ranks} --operations 60 --seed {seed} --starts {starts_ns}"
            found = waits.find_waits(run)
            truth = truth_of(run, builder)
            check_time(run, label)
            check_messages(run, label)
            check_waits(run, found, label)
            check_sums(run, found, truth, label)
            check_records(run, seed, label)
            n_waits += len(found)
            kinds.update(wait.kind for wait in found)
            if seed <= 5:
                builder, run = simulate(scenario, n_ranks, 60, seed, starts_ns)
                expect(json.dumps(truth) == json.dumps(truth_of(run, builder)), f"{label}: another truth the second time")
    expect(len(kinds) == 7, f"only these kinds of waits: {sorted(kinds)}")
    for problem in PROBLEMS[:20]:
        print(problem)
    print(f"{2 * n_seeds} runs, {n_waits} waits, {len(PROBLEMS)} problems")
    return 1 if PROBLEMS else 0
