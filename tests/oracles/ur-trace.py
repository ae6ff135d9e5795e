#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares a recording of Unified Runtime with the log that the runtime's own tracing layer wrote beside it.

    UR_LOG_TRACING='level:info;output:file,LOG' tracetool pi record -o DIR PROGRAM
    tracetool pi print --format json DIR | ur-trace.py LOG

Names, results, names of parameters, values of arguments, and what structures, arrays and answers contain: a value of
the log counts as the same where ours is equal, or is the end of an enum's name. For programs of one thread.
"""
import json
import re
import sys


def calls(text):
    """(name, {parameter: text}, result) of each line that ends a call."""
    for line in text.split('\n'):
        m = re.match(r'.*<--- (\w+)\((.*)\) -> (\w+);', line) or re.match(r'.*---> (\w+)\((.*)\) -> (\w+);', line)
        if m:
            yield m[1], dict(members(m[2])), m[3]


def members(text):
    """(name, value) of '.a = 1, .b = {.c = 2}'."""
    depth, at, quote = 0, 0, False
    parts = []
    for i, c in enumerate(text):
        depth += (c in '({[') - (c in ')}]')
        if depth == 0 and text.startswith(', .', i):
            parts.append(text[at:i])
            at = i + 2
    for part in parts + [text[at:]]:
        name, _, value = part.strip().partition(' = ')
        if name:
            yield name.lstrip('.'), value


def words(value):
    """Numbers and names that a value consists of, in order, without addresses of variables."""
    value = re.sub(r'\(struct \w+\)|\(union \w+\)', '', value)
    return re.findall(r'0x[0-9a-f]+|-?\d+|[A-Za-z_]\w*', value)


def is_same(ours, theirs):
    if re.fullmatch('0x[0-9a-f]+', ours) and theirs.isdigit() and int(ours, 16) == int(theirs):
        return True
    if ours == theirs or (theirs.startswith('UR_') and theirs.endswith('_' + ours)):
        return True
    return (ours, theirs) in (('NULL', 'nullptr'), ('false', '0'), ('true', '1'), ('0', 'nullptr'), ('NULL', '0'))


def plain(value):
    return 'NULL' if value is None else str(value).lower() if isinstance(value, bool) else str(value)


def main():
    with open(sys.argv[1], encoding='utf-8', errors='replace') as file:
        theirs = list(calls(file.read()))
    ours = [json.loads(line) for line in sys.stdin]
    ours = [call for call in ours if call['name'].startswith('ur')]
    n_values = n_bad = n_names = n_inner = n_inner_bad = 0
    for mine, (name, parameters, result) in zip(ours, theirs):
        if mine['name'] != name or ('UR_RESULT_' + mine.get('result_name', '?')) != result:
            n_names += 1
            print('call', mine['number'], mine['name'], mine.get('result_name'), 'is', name, result)
        if list(mine['args']) != list(parameters):
            n_names += 1
            print('parameters of', name, list(mine['args']), 'are', list(parameters))
            continue
        for key, value in parameters.items():
            head = words(value)[:1] or ['']
            own = plain(mine['args'][key])
            is_address = own.startswith('0x') and not value.startswith('0x')  # the log shows what is there
            all_flags = '|' in value and all(any(is_same(f, w) for w in words(value)) for f in own.split('|'))
            is_text = value.endswith(f' ({own})')
            n_values += 1
            if not is_text and not is_same(own, head[0]) and not all_flags and not is_address and own != value:
                n_bad += 1
                print('value of', name, key, repr(own), 'is', value)
            shown = mine['inputs'].get(key, mine['outputs'].get(key))
            if shown is not None and re.search(r'[({]', value):
                inner = [w for w in words(re.sub(r'^0x[0-9a-f]+ ', '', value))]
                mine_words = words(plain(shown))
                n_inner += 1
                missing = [w for w in inner if re.match('UR_', w) and not any(is_same(o, w) for o in mine_words)]
                numbers = [w for w in inner if re.fullmatch(r'\d+', w) and w not in mine_words and not any(is_same(o, w) for o in mine_words)]
                if missing or (numbers and not plain(shown).startswith('<')):
                    n_inner_bad += 1
                    print('contents of', name, key, plain(shown)[:200], 'are', value[:300])
    print(f'{len(ours)} calls recorded, {len(theirs)} in the log; {n_names} names or results, {n_bad} of {n_values} values '
          f'and {n_inner_bad} of {n_inner} contents differ')
    sys.exit(n_names + n_bad + n_inner_bad + (len(ours) != len(theirs)) > 0)


main()
