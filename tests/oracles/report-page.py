#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Reads a page of `report` with Python's own parser of HTML.

    report-page.py FILE                 fails unless the page is whole and harmless, then prints its sections
    report-page.py FILE TABLE KEY...    a row of CSV a row of a table ("stats.operations"), JSON's values by key
    report-page.py FILE --timeline      name, spans and time of each name on the timeline, in ns, and all of each lane
    report-page.py FILE --text          all text, of the data, too, a line each
    report-page.py --self-test
"""
import base64
import csv
import hashlib
import html.parser
import json
import re
import sys

ELEMENTS = set('''html head meta title style body a header h1 h2 dl dt dd nav ul li button main noscript section p div template svg
desc g rect text path line polyline circle tspan defs marker code br footer dialog kbd script polygon'''.split())
VOID = {'meta', 'br'}
# What may refer to something: only to a place on the page itself.
REFERENCES = {'href', 'src', 'srcset', 'action', 'data', 'poster', 'background', 'xlink:href', 'formaction', 'srcdoc'}


class Page(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.stack, self.scripts, self.sections, self.policy, self.texts, self.problems = [], [], [], None, [], []
        self.tables = []
        self.feed(text)
        self.close()
        if self.stack:
            self.problems.append('left open: %s' % self.stack)
        self.check()

    def handle_starttag(self, tag, attributes):
        more = dict(attributes)
        if tag not in ELEMENTS:
            self.problems.append('element %s' % tag)
        for key, value in attributes:
            if key.startswith('on'):
                self.problems.append('handler %s' % key)
            if key in REFERENCES and not (value or '').startswith('#'):
                self.problems.append('%s refers to %s' % (tag, value))
            if key == 'style' or (value and re.search(r'url\((?!#)', value)):
                self.problems.append('style of %s' % tag)
        if tag == 'meta' and more.get('http-equiv') == 'Content-Security-Policy':
            self.policy = more['content']
        if tag == 'script':
            self.scripts.append([more.get('type'), ''])
        if tag == 'section':
            self.sections.append(more['id'])
        if 'data-table' in more:
            self.tables.append(more['data-table'])
        self.texts.extend(value for key, value in attributes if value)
        if tag not in VOID:
            self.stack.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        if tag not in VOID:
            self.handle_endtag(tag)

    def handle_endtag(self, tag):
        if not self.stack or self.stack.pop() != tag:
            self.problems.append('end of %s' % tag)

    def handle_data(self, data):
        if self.stack and self.stack[-1] == 'script':
            self.scripts[-1][1] += data
        elif self.stack and self.stack[-1] != 'style':
            self.texts.append(data)

    def handle_comment(self, data):
        self.problems.append('comment')

    def check(self):
        if [kind for kind, text in self.scripts] != ['application/json', None]:
            self.problems.append('scripts: %s' % [kind for kind, text in self.scripts])
            return
        digest = base64.b64encode(hashlib.sha256(self.scripts[1][1].encode()).digest()).decode()
        if self.policy is None or "script-src 'sha256-%s';" % digest not in self.policy or "default-src 'none'" not in self.policy:
            self.problems.append('policy: %s, digest %s' % (self.policy, digest))
        try:
            self.data = json.loads(self.scripts[0][1])
        except ValueError as error:
            self.problems.append('data: %s' % error)
            return
        known = {key for key in self.data if '.' in key}
        if known != set(self.tables):
            self.problems.append('tables without data or data without tables: %s' % (known ^ set(self.tables)))
        for name in known:
            table = self.data[name]
            if any(len(row) != len(table['columns']) for row in table['rows']):
                self.problems.append('rows of %s' % name)

    def all_texts(self):
        def strings(value):
            if isinstance(value, str):
                yield value
            elif isinstance(value, (list, dict)):
                for part in value.values() if isinstance(value, dict) else value:
                    yield from strings(part)
        return self.texts + list(strings(self.data))


def spans(timeline):
    """Lane, depth, begin, duration, name, spans, time of all."""
    for row in timeline['rows']:
        packed, at, begin = row['spans'], 0, 0
        while at < len(packed):
            step, duration, name, count = packed[at:at + 4]
            begin += step
            at += 4
            busy = duration
            if count:
                busy = packed[at]
                at += 1
            yield row['lane'], row['depth'], begin, duration, name, count or 1, busy


def self_test():
    good = '<!DOCTYPE html><html><head>%s</head><body>%s</body></html>'
    script = '1'
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; script-src \'sha256-%s\'; x">' % digest
    body = '<script type="application/json">{}</script><script>1</script>'
    assert not Page(good % (policy, body)).problems
    for change in ('<img src="#">', '<p onclick="1">a</p>', '<a href="http://x">a</a>', '<script>2</script>', '<!-- a -->', '<p>'):
        assert Page(good % (policy, change + body)).problems, change
    assert Page(good % (policy, body.replace('1</s', '2</s'))).problems and Page(good % ('', body)).problems
    assert Page(good % (policy, body.replace('{}', '{"a.b":{"columns":[],"rows":[]}}'))).problems
    print('ok')


def main():
    if sys.argv[1] == '--self-test':
        self_test()
        return
    with open(sys.argv[1], encoding='utf-8') as file:
        page = Page(file.read())
    if page.problems:
        sys.exit('\n'.join(page.problems[:10]))
    writer = csv.writer(sys.stdout, lineterminator='\n')
    if len(sys.argv) == 2:
        print('\n'.join(page.sections))
    elif sys.argv[2] == '--text':
        print('\n'.join(page.all_texts()))
    elif sys.argv[2] == '--timeline':
        sums = {}
        for lane, depth, begin, duration, name, count, busy in spans(page.data['timeline']):
            was = sums.setdefault(lane, [0, 0])
            was[0] += count
            was[1] += busy
        for lane in sorted(sums):
            writer.writerow([page.data['timeline']['lanes'][lane]] + sums[lane])
    else:
        table = page.data[sys.argv[2]]
        keys = [column['key'] for column in table['columns']]
        for row in table['rows']:
            writer.writerow(['' if row[keys.index(key)] is None else row[keys.index(key)] for key in sys.argv[3:]])


main()
