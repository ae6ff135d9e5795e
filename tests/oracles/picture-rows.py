#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""picture-rows.py SVG CSV JSON: both have what the shapes of the picture have in attributes data-*, read by an XML parser."""
import csv
import json
import sys
import xml.etree.ElementTree as ET

NAMES = {'row', 'part', 'lane', 'name', 'series', 'setting', 'src', 'dst'}


def value(key, text):
    return int(text) if key not in NAMES and text.lstrip('-').isdigit() else text


def main(svg, comma, objects):
    shapes = [{key[5:]: text for key, text in found.attrib.items() if key.startswith('data-')} for found in ET.parse(svg).iter()]
    shapes = [shape for shape in shapes if shape]
    keys = list(dict.fromkeys(key for shape in shapes for key in shape))
    with open(comma, encoding='utf-8', newline='') as file:
        rows = list(csv.reader(file))
    assert rows == [keys] + [[shape.get(key, '') for key in keys] for shape in shapes], (rows[:4], shapes[:4])
    with open(objects, encoding='utf-8') as file:
        found = json.load(file)
    assert found == [{key: value(key, shape[key]) if key in shape else None for key in keys} for shape in shapes], (found[:4], shapes[:4])
    print('shapes %d' % len(shapes))


main(*sys.argv[1:])
