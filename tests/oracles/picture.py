#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a picture of `tracetool plot` shows, read as any program reads SVG.

  picture.py FILE                    fails unless it is well-formed XML without scripts, links or anything of the kind,
                                     whose shapes and texts lie inside the picture; prints what elements it has
  picture.py FILE ELEMENT KEY...     csv of the attributes data-KEY of these elements, a line each, in their order
  picture.py --self-test
"""
import csv
import re
import sys
import xml.etree.ElementTree as ET

SVG = '{http://www.w3.org/2000/svg}'
ELEMENTS = {'svg', 'title', 'desc', 'style', 'rect', 'line', 'text', 'path', 'circle', 'g'}
ATTRIBUTES = {'width', 'height', 'viewBox', 'role', 'class', 'x', 'y', 'x1', 'y1', 'x2', 'y2', 'cx', 'cy', 'r', 'd', 'transform'}


def check(data):
    """Complaints about the bytes of a picture."""
    bad = []
    try:
        text = data.decode('utf-8')
        root = ET.fromstring(text)
    except (UnicodeDecodeError, ET.ParseError) as error:
        return ['not well-formed: %s' % error], None
    for char in text:
        if (ord(char) < 32 and char != '\n') or 0x7f <= ord(char) < 0xa0 or ord(char) in (0x202e, 0x2028, 0xfffe, 0xffff):
            bad.append('a character that steers: U+%04X' % ord(char))
    if '<!' in text or '<?' in text:
        bad.append('a declaration')
    width, height = float(root.get('width')), float(root.get('height'))
    for element in root.iter():
        name = element.tag.replace(SVG, '')
        if not element.tag.startswith(SVG) or name not in ELEMENTS:
            bad.append('element %s' % element.tag)
        for key, value in element.attrib.items():
            if key not in ATTRIBUTES and not re.fullmatch('data-[a-z]+', key):
                bad.append('attribute %s' % key)
            if key in ('x', 'x1', 'x2', 'cx') and not -1 <= float(value) <= width + 1:
                bad.append('%s=%s of %s is outside' % (key, value, name))
            if key in ('y', 'y1', 'y2', 'cy') and not -1 <= float(value) <= height + 1:
                bad.append('%s=%s of %s is outside' % (key, value, name))
        if name == 'style' and re.search(r'url|import|expression', element.text):
            bad.append('a style that loads something')
    return bad, root


def self_test():
    begin, end = b'<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">', b'</svg>'
    assert check(begin + b'<text x="1" y="1">a</text>' + end)[0] == []
    for wrong in (b'<script>a</script>', b'<text onload="a">a</text>', b'<a href="b">c</a>', b'<text>&amp</text>',
                  b'<text x="20">a</text>', b'<text>\x01</text>', b'<text>\xff</text>', b'<rect xmlns="x"/>',
                  b'<style>@import url(x)</style>', '<text>\u202e</text>'.encode(), b'<!-- a -->', b'</text>'):
        assert check(begin + wrong + end)[0], wrong
    print('ok')


def main():
    if sys.argv[1:] == ['--self-test']:
        return self_test()
    with open(sys.argv[1], 'rb') as file:
        bad, root = check(file.read())
    for line in bad[:20]:
        print(line, file=sys.stderr)
    if bad:
        return 1
    if len(sys.argv) == 2:
        count = {}
        for element in root.iter():
            count[element.tag.replace(SVG, '')] = count.get(element.tag.replace(SVG, ''), 0) + 1
        print(' '.join('%s:%d' % item for item in sorted(count.items())))
        return 0
    out = csv.writer(sys.stdout, lineterminator='\n')
    keys = ['data-' + key for key in sys.argv[3:]]
    rows = [[element.get(key) for key in keys] for element in root.iter(SVG + sys.argv[2])]
    rows = [row for row in rows if None not in row]
    out.writerows(rows)
    return 0 if rows else 1


sys.exit(main())
