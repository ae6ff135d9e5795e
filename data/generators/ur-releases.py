#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tables of facts about the releases of Unified Runtime, from the history of its public header.

    ur-releases.py GIT-DIRECTORY data

writes data/ur-releases.tsv (when the interface changed), ur-functions.tsv (functions, ids, parameters), ur-types.tsv
(values of enums and flags, members of structures) and ur-tables.tsv (at which places of which table an adapter gives
the loader its functions). Every row says in which releases it holds, "3-7,9": numbers of
ur-releases.tsv, which recordings contain: they are never given to another release, new ones are added at the end.
"""
import collections
import re
import subprocess
import sys

FIRST = '2023-08-02'  # version 0.7
TAGS = ('v0.7.2', 'v0.8.15', 'v0.9.8', 'v0.10.15', 'v0.11.10')  # what a version means where nothing else is known
BRANCHES = ('v0.7.2', 'v0.8.15')  # releases that never were on the main branch
PATHS = ('include/unified-runtime/ur_api.h', 'include/ur_api.h')
TABLES = ('include/unified-runtime/ur_ddi.h', 'include/ur_ddi.h')
SCALARS = {'uint8_t': 1, 'uint16_t': 2, 'int32_t': 4, 'uint32_t': 4, 'int64_t': 8, 'uint64_t': 8, 'size_t': 8,
           'ur_bool_t': 1, 'bool': 1, 'ur_native_handle_t': 8, 'intptr_t': 8, 'uintptr_t': 8, 'int': 4, 'float': 4, 'char': 1}
# What says how many bytes there are, and how many items where only the header's prose says it.
BYTES = ('propSize', 'size', 'argSize', 'length')
WORDS = {'pPattern': 'patternSize', 'pSpecConstants': 'count', 'pSyncPointWaitList': 'numSyncPointsInWaitList',
         'ppBinaries': 'numDevices', 'pBinaries': 'NumBinaries', 'pLengths': 'numDevices', 'pSuggestedLocalWorkSize': 'numWorkDim'}
DIMENSIONS = {'workDim', 'numWorkDim'}


def git(*arguments):
    return subprocess.run(['git', '-C', sys.argv[1], *arguments], capture_output=True, check=False).stdout.decode(
        'utf-8', 'replace')


def header(commit, paths=PATHS):
    return next((text for text in (git('show', f'{commit}:{path}') for path in paths) if text), '')


def tables(commit):
    """(table, place, function) of each pointer that an adapter gives the loader."""
    text = header(commit, TABLES)
    getters = {m[2]: m[1] for m in re.finditer(r'ur_pfnGet(\w+)ProcAddrTable_t\)\(\s*ur_api_version_t,\s*(\w+) \*\)', text)}
    return [(getters[m[1]], place, 'ur' + function)
            for m in re.finditer(r'typedef struct (ur_\w+_dditable_t) \{(.*?)\n\}', text, re.S) if m[1] in getters
            for place, function in enumerate(re.findall(r'ur_pfn(\w+)_t\s+pfn\w+;', m[2]))]


def items(body, end):
    """(code, comment) of each item of a list: its comment stands before it or, with ///<, after it."""
    found, code, before = [], '', ''
    for line in body.split('\n'):
        at = line.find('///')
        text, comment = (line, '') if at < 0 else (line[:at], line[at + 3:])
        while end in text:
            one, text = text.split(end, 1)
            found.append([' '.join((code + one).split()), before])
            code, before = '', ''
        code += ' ' + text
        if comment.startswith('<'):
            if code.strip():
                before += ' ' + comment[1:]
            elif found:
                found[-1][1] += ' ' + comment[1:]
        else:
            before += ' ' + comment
    if code.strip():
        found.append([' '.join(code.split()), before])
    return [(code, comment) for code, comment in found if code and code != 'void']


def blocks(text, pattern):
    return re.finditer(pattern, re.sub(r'(?m)^#.*$', '', text), re.S)


class Header:
    """The interface at one moment."""

    def __init__(self, text, commit=None):
        self.commit = commit
        version = re.search(r'UR_API_VERSION_CURRENT = UR_MAKE_VERSION\((\d+), (\d+)\)', text)
        self.version = (int(version[1]), int(version[2]))
        self.ids = {m[1].replace('_', '').lower(): int(m[2]) for m in re.finditer(r'UR_FUNCTION_(\w+) = (\d+)', text)}
        self.enums, self.structs, self.functions = {}, {}, {}
        self.functions_pointers = set(re.findall(r'typedef void \(\*(\w+)\)', text))
        self.handles = set(re.findall(r'\*(ur_\w+_handle_t);', text))
        self.aliases = {m[1]: m[0] for m in re.findall(r'typedef (\w+)\s+(ur_\w+_t);', text)}
        for m in blocks(text, r'typedef enum (\w+) \{(.*?)\n\}\s*(\w+);'):
            self.enums[m[3]] = self.enum(m[2])
        for m in blocks(text, r'typedef (struct|union) (\w+) \{(.*?)\n\}\s*(\w+);'):
            if not m[4].endswith('_params_t'):
                self.structs[m[4]] = (m[1], items(m[3], ';'))
        for m in blocks(text, r'UR_APIEXPORT\s+ur_result_t\s+UR_APICALL\s*(\w+)\((.*?)\);'):
            self.functions[m[1]] = [self.parameter(code, comment) for code, comment in items(m[2], ',')]
        self.layouts = {name: self.layout(name) for name in self.structs}

    def enum(self, body):
        values, last = {}, -1
        body = re.sub(r'\[\[\w+\]\]', '', re.sub(r'UR_BIT\((\w+)\)', r'(1<<\1)', body))
        body = re.sub(r'UR_MAKE_VERSION\((\d+), (\d+)\)', r'((\1<<16)|\2)', body)
        for code, comment in items(body, ','):
            name, _, value = (part.strip() for part in code.partition('='))
            last = eval(value, {}, {n: v[0] for n, v in values.items()}) if value else last + 1
            of = re.match(r'\s*\[(?:::)?([^\[\]]*(?:\[\])?)\]', comment)
            values[name] = (last, of[1] if of else '')
        return {name: value for name, value in values.items() if not name.endswith('FORCE_UINT32')}

    @staticmethod
    def parameter(code, comment):
        m = re.match(r'(.*?)(\w+)(\[\])?$', code)
        return (' '.join((m[1] + ('*' if m[3] else '')).split()), m[2], comment)

    def size(self, kind):
        """(bytes, alignment) of a type."""
        kind = re.sub(r'^const ', '', kind)
        if kind.endswith('*') or kind in self.handles or kind in self.functions_pointers or kind.endswith('callback_t') \
                or kind.endswith('function_t') or kind.endswith('deleter_t'):
            return 8, 8
        if kind in SCALARS:
            return SCALARS[kind], SCALARS[kind]
        if kind in self.structs:
            parts = [(*self.size(of), n) for code, _ in self.structs[kind][1] for of, _, n in [self.member(code)]]
            align, at = max(own for _, own, _ in parts), 0
            for size, own, n in parts:
                at = max(at, size * n) if self.structs[kind][0] == 'union' else -(-at // own) * own + size * n
            return -(-at // align) * align, align
        if kind in self.aliases:
            return self.size(self.aliases[kind])
        return 4, 4  # an enum

    @staticmethod
    def member(code):
        """(type, name, items of an array)"""
        m = re.match(r'(.*?)(\w+)(?:\[(\d+)\])?$', code)
        return ' '.join(m[1].split()), m[2], int(m[3] or 1)

    def layout(self, name):
        rows, at = [], 0
        kind, members = self.structs[name]
        names = [self.member(code)[1] for code, _ in members]
        for code, comment in members:
            of, member, n = self.member(code)
            size, align = self.size(of)
            at = 0 if kind == 'union' else -(-at // align) * align
            role, thing, count = self.role('', of, member, comment, names)
            if member == 'pNext':
                role, thing = 'next', 'byte'
            for i in range(n):
                rows.append((f'{member}[{i}]' if n > 1 else member, of, size, at, role, thing, count))
                at += size
        return kind, self.size(name)[0], tuple(rows)

    def thing(self, base):
        """What a pointer points to, as the tables call it; '': nothing of a known size."""
        if base in self.handles:
            return re.sub(r'^ur_(exp_)?|_handle_t$', '', base)
        if base.startswith('ur_rect_'):
            return 'rect'
        if base in ('ur_exp_image_mem_native_handle_t', 'ur_exp_image_native_handle_t', 'ur_exp_image_handle_t'):
            return re.sub('^ur_exp_|(_native)?_handle_t$', '', base)
        if base in self.structs or base in self.enums:
            return re.sub(r'_t$', '', base)
        return {'void': 'byte', 'uint8_t': 'byte', 'size_t': 'size', 'uint32_t': 'uint32', 'int32_t': 'int32',
                'uint64_t': 'uint64', 'ur_bool_t': 'bool', 'bool': 'bool', 'ur_native_handle_t': 'native_handle',
                'ur_exp_command_buffer_sync_point_t': 'command_buffer_sync_point', 'void *': 'pointer',
                'uint8_t *': 'pointer', 'const uint8_t *': 'pointer', 'const char *': 'pointer', 'char *': 'pointer'}.get(base, '')

    def role(self, function, of, name, comment, names):
        """(role, object, count)"""
        m = re.match(r'(?:const )?(.*?) ?\*$', of)
        limit = re.search(r'\[range\(0, ?(\w+)\)\]', comment)
        count = limit[1] if limit and limit[1] in names else '-'
        count = WORDS.get(name, count) if WORDS.get(name) in names else count
        is_out = name == 'pDst' or 'out' in (re.match(r'\s*\[([^\]]*)\]', comment) or ['', ''])[1].split(',') and not of.startswith('const')
        if not m:
            is_object = of in self.handles or 'rect' in of or self.thing(of) in ('image', 'image_mem')
            return 'plain', (self.thing(of) if is_object else '-'), '-'
        base = re.sub(r'^const | const$', '', m[1])
        thing = self.thing(base)
        if base == 'char' or not thing:
            return 'plain', '-' if base == 'char' else 'byte', '-'
        if name == 'pStart':
            return 'plain', 'byte', '-'
        if base in ('void', 'uint8_t'):
            size = count if name in WORDS else next((n for n in BYTES if n in names), count)
            if base == 'void' and not re.search('typename|bytes|pSrc|pDst|pIL|value|pattern|pArg', comment + name, re.I):
                return 'plain', 'byte', '-'
            return ('out_bytes' if is_out else 'in_bytes'), 'byte', size
        if is_out or base.endswith('char *'):
            if base in self.handles or thing in ('image', 'image_mem'):
                if count != '-':
                    return 'out_array', thing, count
                is_event = thing == 'event' and 'Enqueue' in function
                return ('out_event' if is_event else 'out_handle'), thing, '-'
            return ('out_value' if count == '-' else 'out_array'), thing, count
        if base == 'size_t' and re.match(r'p(Global|Local)', name) and DIMENSIONS & set(names):
            return 'work_size', thing, *(DIMENSIONS & set(names))
        return ('in_value' if count == '-' else 'in_array'), thing, count

    def rows(self):
        """Functions: name -> (id, parameters)."""
        found = {}
        for name, parameters in self.functions.items():
            number = self.ids.get(name[2:].lower())
            names = [p[1] for p in parameters]
            found[name] = (number, tuple(
                (arg, of, self.size(of)[0], *self.role(name, of, arg, comment, names)) for of, arg, comment in parameters))
        return {name: row for name, row in found.items() if row[0] is not None}

    def key(self):
        """What a release is told from its neighbours by."""
        rows = self.rows()
        return (self.version, tuple((name, rows[name][0], *(p[1] for p in rows[name][1])) for name in sorted(rows)),
                tuple(sorted(self.layouts.items())))


def releases():
    """Headers of the moments at which functions or structures changed, each as it was before the next such change."""
    log = git('log', '--first-parent', '--reverse', '--format=%h %ad', '--date=short', 'HEAD', '--', *PATHS)
    found = []
    for commit, date in (line.split() for line in log.splitlines()):
        if date < FIRST:
            continue
        at = Header(header(commit), commit)
        if found and found[-1][0] == at.key():
            found[-1][2] = at
        else:
            found.append([at.key(), date, at])
    for tag in BRANCHES:
        date = git('log', '-1', '--format=%ad', '--date=short', tag).strip()
        at = Header(header(tag), tag)
        place = max(i for i, entry in enumerate(found) if entry[2].version == at.version) + 1
        found.insert(place, [at.key(), date, at])
    tags = {Header(header(tag)).key(): tag for tag in TAGS}
    return [(date, at, tags.get(key, '-')) for key, date, at in found]


def ranges(numbers):
    text, run = [], []
    for n in sorted(numbers) + [None]:
        if run and n != run[-1] + 1 if n is not None else run:
            text.append(str(run[0]) if run[0] == run[-1] else f'{run[0]}-{run[-1]}')
            run = []
        run.append(n)
    return ','.join(text)


def short_name(kind, constant):
    prefix = kind[:-2].upper() + '_'
    return constant[len(prefix):] if constant.startswith(prefix) else re.sub('^UR_', '', constant)


def write(path, head, rows):
    with open(path, 'w', encoding='utf-8') as file:
        print(*head, sep='\t', file=file)
        for row in rows:
            print(*row, sep='\t', file=file)


def main():
    found = releases()
    functions = collections.defaultdict(lambda: collections.defaultdict(list))
    ids, symbols, kinds = {}, collections.defaultdict(list), collections.defaultdict(lambda: collections.defaultdict(list))
    for number, (_, at, _) in enumerate(found, 1):
        for name, (own, parameters) in at.rows().items():
            functions[name][parameters].append(number)
            ids.setdefault((name, own), []).append(number)
        for kind, values in at.enums.items():
            for name, (value, of) in values.items():
                if kind != 'ur_function_t':
                    symbols[kind, value, name, of].append(number)
        for kind, layout in at.layouts.items():
            kinds[kind][layout].append(number)
    out = sys.argv[2] + '/'
    write(out + 'ur-releases.tsv', ['number', 'major', 'minor', 'date', 'tag'],
          [(n, *at.version, date, tag) for n, (date, at, tag) in enumerate(found, 1)])
    rows = []
    for name in functions:
        variants = sorted(functions[name].items(), key=lambda v: -v[1][-1])
        own = max(number for number in ((numbers[-1], own) for (n, own), numbers in ids.items() if n == name))[1]
        for i, (parameters, numbers) in enumerate(variants):
            label = name if i == 0 else f'{name}@{i}'
            for j, p in enumerate(parameters or [('-', '-', '0', '-', '-', '-')]):
                rows.append((own, label, j if parameters else '-', *p, ranges(numbers)))
    rows.sort(key=lambda row: (row[0], row[1].partition('@')[0], int(row[1].partition('@')[2] or 0)))
    write(out + 'ur-functions.tsv', ['id', 'name', 'arg_index', 'arg_name', 'arg_type', 'arg_size', 'role', 'object',
                                     'count', 'releases'], rows)
    places = collections.defaultdict(list)
    for number, (_, at, _) in enumerate(found, 1):
        for row in tables(at.commit):
            places[row].append(number)
    write(out + 'ur-tables.tsv', ['table', 'place', 'name', 'releases'],
          sorted((*row, ranges(numbers)) for row, numbers in places.items()))
    rows = []
    for (kind, value, name, of), numbers in symbols.items():
        rows.append(('flag' if kind.endswith('_flag_t') else 'enum', kind[:-2], value, short_name(kind, name), of or '-',
                     '-', '-', '-', '-', ranges(numbers), '-'))
    for kind in kinds:
        for (what, size, members), numbers in sorted(kinds[kind].items(), key=lambda v: v[1]):
            for member, of, own, at, role, thing, count in members:
                rows.append((what, kind[:-2], at, member, of, own, role, thing, count, ranges(numbers),
                             size))
    write(out + 'ur-types.tsv',
          ['what', 'type', 'value', 'name', 'of', 'size', 'role', 'object', 'count', 'releases', 'whole'], rows)


main()
