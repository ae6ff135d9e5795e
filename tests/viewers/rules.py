# SPDX-License-Identifier: Apache-2.0
"""What must hold between a view and the database, rule by rule. Each rule is a function that takes a Case and returns a
Verdict: what it looked at, and the faults, each a line for a person.
"""
import collections
import dataclasses

from arrows import Arrows
from matching import Matching


@dataclasses.dataclass
class Verdict:
    looked_at: str
    faults: list = dataclasses.field(default_factory=list)


class Case:
    def __init__(self, view, database):
        self.view, self.database = view, database
        self.matching = Matching(view, database)
        self.arrows = Arrows(self.matching)

    def slice_text(self, slice_id):
        piece = self.view.slices[slice_id]
        return f"slice '{piece.name}' at {piece.ts} ns, {piece.dur} ns long"

    def events(self, wanted):
        return [number for number, event in self.database.events.items() if wanted(event)]

    def missing(self, numbers, kind):
        absent = set(self.matching.missing)
        return Verdict(f"{len(numbers)} {kind}",
                       [f"not shown: {self.database.event_text(number)}" for number in numbers if number in absent])


def rule_spans(case):
    """Each span is exactly one slice of its begin, duration and name."""
    return case.missing(case.events(lambda event: event.dur is not None), "spans")


def rule_instants(case):
    """Each instant is exactly one empty slice of its time and name."""
    return case.missing(case.events(lambda event: event.dur is None), "instants")


def rule_nothing_else(case):
    """No slice but those of events, ends of arrows, and one for each half of a message without its partner."""
    halves = collections.Counter()
    for message in case.database.messages:
        if not message.is_whole:
            thread, ts = ((message.source, message.send_ns) if message.send_ns is not None
                          else (message.target, message.recv_ns))
            halves[thread, ts] += 1
    verdict = Verdict(f"{len(case.view.slices)} slices")
    for slice_id in case.matching.extra:
        piece = case.view.slices[slice_id]
        place = case.matching.database_thread.get(case.view.thread_of(slice_id)), piece.ts
        if piece.dur == 0 and halves[place] > 0:
            halves[place] -= 1
        else:
            verdict.faults.append(f"is no event: {case.slice_text(slice_id)}")
    return verdict


def rule_categories(case):
    """The first word of a slice's category is the op_cat of the event; Catapult keeps none of wide instants."""
    faults = []
    for slice_id, number in sorted(case.matching.event_of.items()):
        category = case.view.slices[slice_id].category or ""
        event = case.database.events[number]
        if category.split(",")[0] != event.op_cat and not (event.is_wide and category == ""):
            faults.append(f"category '{category}': {case.database.event_text(number)}")
    return Verdict(f"{len(case.matching.event_of)} slices", faults)


def rule_args(case):
    """A slice has the args of its event."""
    faults, leaves = [], 0
    for slice_id, number in sorted(case.matching.event_of.items()):
        leaves += len(case.database.events[number].args)
        lost = case.matching.missing_args(number, slice_id)
        if lost:
            faults.append(f"args {', '.join(lost[:3])}: {case.database.event_text(number)}")
    return Verdict(f"{leaves} args", faults)


def rule_threads(case):
    """A thread of the viewer shows one thread of the database; several may show the same, with one name."""
    shown = collections.defaultdict(collections.Counter)
    for slice_id, number in case.matching.event_of.items():
        thread = case.view.thread_of(slice_id)
        if thread is not None and not case.database.events[number].is_async:
            shown[thread][case.database.events[number].thread] += 1
    verdict = Verdict("")
    names = collections.defaultdict(set)
    for thread, others in sorted(shown.items()):
        if len(others) > 1:
            texts = ", ".join(f"{case.database.thread_text(other)} ({n})" for other, n in sorted(others.items()))
            verdict.faults.append(f"merged: thread '{case.view.threads[thread].name}' shows {texts}")
        for other in others:
            names[other].add(case.view.threads[thread].name)
    wanted = {event.thread for event in case.database.events.values() if not event.is_async}
    absent = set(case.matching.missing)
    gone = {event.thread for number, event in case.database.events.items() if number in absent} - names.keys()
    verdict.faults += [f"not shown: {case.database.thread_text(other)}" for other in sorted(gone & wanted)]
    verdict.faults += [f"{case.database.thread_text(other)} has {len(several)} names: {sorted(map(str, several))}"
                       for other, several in sorted(names.items()) if len(several) > 1]
    verdict.looked_at = f"{len(wanted)} threads"
    return verdict


def process_map(case):
    """Process of the viewer -> counts of the processes of the database that it shows."""
    shown = collections.defaultdict(collections.Counter)
    for slice_id, number in case.matching.event_of.items():
        process = case.view.process_of(slice_id)
        if process is not None:
            shown[process][case.database.threads[case.database.events[number].thread].process] += 1
    return shown


def rule_processes(case):
    """A process of the viewer shows one process of the database, and the other way round."""
    faults, back = [], collections.defaultdict(set)
    for process, others in sorted(process_map(case).items()):
        for other in others:
            back[other].add(process)
        if len(others) > 1:
            texts = ", ".join(f"'{case.database.processes[other].pid}'" for other in sorted(others))
            faults.append(f"merged: process '{case.view.processes[process].name}' shows {texts}")
    faults += [f"'{case.database.processes[other].pid}' is {len(several)} processes of the viewer"
               for other, several in sorted(back.items()) if len(several) > 1]
    return Verdict(f"{len(back)} processes", faults)


def name_fault(holder, wanted, what):
    if not (holder.name or "").strip():
        return f"{what} has no name"
    return None if wanted in holder.name else f"{what} is named '{holder.name}', without '{wanted}'"


def rule_process_names(case):
    """A process has a name with the label of the database in it, else with the pid."""
    found = []
    for process, others in sorted(process_map(case).items()):
        for other in sorted(others):
            record = case.database.processes[other]
            wanted = case.matching.wanted_name(record)
            found.append(name_fault(case.view.processes[process], wanted, f"process '{record.pid}'"))
    return Verdict(f"{len(found)} names", [fault for fault in found if fault])


def rule_thread_names(case):
    """A thread has a name with the label of the database in it, else with the tid."""
    found = []
    for thread, other in sorted(case.matching.database_thread.items()):
        wanted = case.matching.wanted_name(case.database.threads[other])
        found.append(name_fault(case.view.threads[thread], wanted, f"thread {case.database.thread_text(other)}"))
    return Verdict(f"{len(found)} names", [fault for fault in found if fault])


def viewer_orders(case, processes):
    """How the viewers sort processes: Perfetto breaks ties by the number of slices, Catapult by the name."""
    slices = collections.Counter(case.view.process_of(i) for i in range(len(case.view.slices)))
    everything = case.view.processes
    yield sorted(processes, key=lambda i: (everything[i].sort_index, -slices[i], everything[i].name or "", i))
    yield sorted(processes, key=lambda i: (everything[i].sort_index, everything[i].name or "", i))


def order_fault(case, records):
    ranks = [record.rank for record in records if record.rank is not None]
    if ranks != sorted(ranks):
        return f"ranks in the order {' '.join(map(str, ranks[:20]))}"
    for rank in sorted(set(ranks)):
        places = [i for i, record in enumerate(records) if record.rank == rank]
        hosts = [i for i in places if records[i].is_host and not records[i].is_device]
        devices = [i for i in places if records[i].is_device]
        if all(records[i].sort_index is not None for i in hosts + devices):
            indices = [records[i].sort_index for i in sorted(hosts + devices)]
            if indices != sorted(indices):
                return f"the processes of rank {rank} are not in the order of the source"
        elif hosts and devices and devices != list(range(hosts[-1] + 1, hosts[-1] + 1 + len(devices))):
            return f"the devices of rank {rank} do not follow its host"
        if places != list(range(places[0], places[0] + len(places))):
            return f"rank {rank} is torn apart"
    return None


def rule_order(case):
    """Ranks stand in their order, the devices of each right after its host, or as the source has them."""
    shown = {process: max(others, key=others.get) for process, others in process_map(case).items()}
    faults = []
    for order in viewer_orders(case, sorted(shown)):
        fault = order_fault(case, [case.database.processes[shown[process]] for process in order])
        if fault and fault not in faults:
            faults.append(fault)
    return Verdict(f"{len(shown)} processes", faults)


def rule_messages(case):
    """Each message with both sides is one arrow from the sender's span to the receiver's. What the clocks have received
    before it was sent can be drawn either way, or not: it is counted."""
    whole = [message for message in case.database.messages if message.is_whole]
    odd, faults = collections.Counter(), []
    for message in whole:
        fault = case.arrows.take_message(message)
        if message.recv_ns < message.send_ns:
            odd[fault or "drawn"] += 1
        elif fault:
            faults.append(f"{fault}: {message.text}, sent at {message.send_ns} ns")
    noted = f"; received before sent: {sum(odd.values())} ({odd['drawn']} drawn)" if odd else ""
    return Verdict(f"{len(whole)} messages{noted}", faults)


def rule_flows(case):
    """Each flow is one arrow from its first event to its second. Where the second ends before the first begins no arrow
    can be true: it is counted."""
    odd, faults = collections.Counter(), []
    for from_event, to_event, kind in case.database.flows:
        fault = case.arrows.take_flow(from_event, to_event)
        if case.matching.end(to_event) < case.matching.begin(from_event):
            odd[fault or "drawn"] += 1
        elif fault:
            faults.append(f"{fault}: {kind} from {case.database.event_text(from_event)}")
    noted = f"; against the clock: {sum(odd.values())} ({odd['drawn']} drawn)" if odd else ""
    return Verdict(f"{len(case.database.flows)} flows{noted}", faults)


def rule_no_other_arrows(case):
    """No arrow but those of messages and flows, and no end of an arrow without one."""
    used = {end for arrow in case.view.arrows for end in (arrow.source, arrow.target)}
    places = {(case.view.thread_of(i), case.view.slices[i].ts) for i in used}
    faults = [f"no message and no flow: arrow to {case.slice_text(case.view.arrows[number].target)}"
              for number in sorted(case.arrows.free)]
    faults += [f"no arrow at its end: {case.slice_text(i)}" for i in case.matching.arrow_ends
               if (case.view.thread_of(i), case.view.slices[i].ts) not in places]
    faults += [f"end of an arrow without a name: {case.slice_text(i)}" for i in case.matching.arrow_ends
               if case.view.slices[i].name in (None, "", "[No name]")]
    n_ends = len(case.matching.arrow_ends)
    return Verdict(f"{len(case.view.arrows)} arrows, {n_ends} ends of their own", faults)


def rule_async(case):
    """What is not on the stack of a thread is drawn on tracks of its own."""
    numbers = case.events(lambda event: event.is_async)
    faults = []
    for number in numbers:
        slice_id = case.matching.slice_of.get(number)
        if slice_id is not None and case.view.tracks[case.view.slices[slice_id].track].kind != "async":
            faults.append(f"drawn as a call of a thread: {case.database.event_text(number)}")
    stray = [i for i, number in case.matching.event_of.items() if not case.database.events[number].is_async
             and not case.database.events[number].is_wide and case.view.tracks[case.view.slices[i].track].kind != "thread"]
    faults += [f"not on its thread: {case.slice_text(i)}" for i in sorted(stray)]
    return Verdict(f"{len(numbers)} asynchronous events", faults)


def rule_counters(case):
    """Each counter is one track of its process with its name, its unit in the name, and all its values."""
    free = list(case.view.counters)
    shown = {process: set(others) for process, others in process_map(case).items()}
    faults = []
    for counter in case.database.counters:
        wanted = sorted((ts, float(value)) for ts, value in counter.samples)
        words = [counter.name] if counter.name else []
        fault = "not shown"
        for track in free:
            if not all(word in track.name for word in words) and not all(
                    part in track.name for part in counter.name.split("/")):
                continue
            if track.process in shown and counter.process not in shown[track.process]:
                continue
            if sorted(track.samples) != wanted:
                fault = "other values"
            elif (counter.unit or "") not in track.name:
                fault = f"without the unit '{counter.unit}' in '{track.name}'"
                free.remove(track)
                break
            else:
                fault = None
                free.remove(track)
                break
        if fault:
            faults.append(f"{fault}: {counter.name}")
    faults += [f"no counter of the database: {track.name}" for track in free]
    return Verdict(f"{len(case.database.counters)} counters", faults)


def rule_errors(case):
    """The viewer has nothing to complain of."""
    return Verdict("the viewer's complaints", [f"{name}: {n}" for name, n in sorted(case.view.errors.items()) if n])


def rule_ticks(case):
    """Times that are no times are called ticks in the name of the process or of the thread."""
    faults, n = [], 0
    for thread, other in sorted(case.matching.database_thread.items()):
        process = case.view.threads[thread].process
        if "ticks" in case.database.threads[other].clocks:
            n += 1
            names = [case.view.threads[thread].name, process is not None and case.view.processes[process].name]
            if not any("ticks" in (name or "") for name in names):
                faults.append(f"not called ticks: {case.database.thread_text(other)}")
    return Verdict(f"{n} threads" + (f", a tick as {case.matching.tick_scale} ns" if n else ""), faults)


RULES = [rule_spans, rule_instants, rule_nothing_else, rule_categories, rule_args, rule_threads, rule_processes,
         rule_process_names, rule_thread_names, rule_order, rule_messages, rule_flows, rule_no_other_arrows, rule_async,
         rule_counters, rule_ticks, rule_errors]


def name_of(rule):
    return rule.__name__.removeprefix("rule_").replace("_", " ")


def judge(view, database):
    """(name, Verdict) of every rule, in their order."""
    case = Case(view, database)
    return [(name_of(rule), rule(case)) for rule in RULES]
