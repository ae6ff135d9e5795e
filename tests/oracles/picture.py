#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a picture of `tracetool plot` shows, read as any program reads SVG.

  picture.py FILE                    fails unless it is well-formed XML without scripts, links or anything of the kind,
                                     whose shapes and texts lie inside the picture, no text over another;
                                     prints what elements it has
  picture.py FILE ELEMENT KEY...     csv of the attributes data-KEY of these elements, a line each, in their order
  picture.py --self-test
"""
import csv
import re
import sys
import unicodedata
import xml.etree.ElementTree as ET

SVG = '{http://www.w3.org/2000/svg}'
ELEMENTS = {'svg', 'title', 'desc', 'style', 'rect', 'line', 'text', 'path', 'circle', 'g'}
ATTRIBUTES = {'width', 'height', 'viewBox', 'role', 'class', 'x', 'y', 'x1', 'y1', 'x2', 'y2', 'cx', 'cy', 'r', 'd', 'transform'}


# A letter of the faces that programs take for these classes, at most, in pixels; the others are a typewriter's.
LETTERS = {'title': 11.3, 'run': 6.6, 'axis': 6.6, 'note': 6.1}


def columns(text):
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in 'WF' else 1 for c in text)


def boxes(root):
    """Where texts lie: left, top, right, bottom, text."""
    for element in root.iter(SVG + 'text'):
        kinds, text = (element.get('class') or '').split(), ''.join(element.itertext())
        width = columns(text) * next((LETTERS[kind] for kind in kinds if kind in LETTERS), 6.6)
        height = 18 if 'title' in kinds else 11
        before = width if 'r' in kinds else width / 2 if 'm' in kinds else 0
        turned = re.fullmatch(r'rotate\(-90 ([0-9.]+) ([0-9.]+)\)', element.get('transform') or '')
        x, y = (float(turned.group(1)), float(turned.group(2))) if turned else (float(element.get('x')), float(element.get('y')))
        if turned:
            yield x - 0.8 * height, y + before - width, x + 0.2 * height, y + before, text
        else:
            yield x - before, y - 0.8 * height, x - before + width, y + 0.2 * height, text


def check_texts(root):
    """Texts that are cut off at an edge, or lie over each other."""
    width, height, bad = float(root.get('width')), float(root.get('height')), []
    texts = sorted(boxes(root), key=lambda box: box[1])
    for i, box in enumerate(texts):
        if box[0] < -1 or box[2] > width + 1 or box[1] < -1 or box[3] > height + 1:
            bad.append('%r is cut off' % box[4])
        for other in texts[i + 1:]:
            if other[1] >= box[3] - 1.5:
                break
            if box[0] + 1 < other[2] - 1 and other[0] + 1 < box[2] - 1:
                bad.append('%r lies over %r' % (box[4], other[4]))
    return bad


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
    return bad or check_texts(root), root


def self_test():
    begin, end = b'<svg xmlns="http://www.w3.org/2000/svg" width="12" height="12">', b'</svg>'
    assert check(begin + b'<text x="1" y="8">a</text>' + end)[0] == []
    assert check(begin + b'<text x="1" y="8" class="r">a</text>' + end)[0] == ["'a' is cut off"]
    assert check(b'<svg xmlns="http://www.w3.org/2000/svg" width="99" height="99">' + 2 * b'<text x="9" y="20" class="m">a</text>' + end)[0]
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
