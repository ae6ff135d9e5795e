#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The page of `report` in a headless Chromium: it loads without complaints, shows the numbers of the commands, and can be used.

    report.py TRACETOOL DATA BROWSER [FOLDER]      FOLDER gets screenshots, light and dark
"""
import csv
import io
import json
import os
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from chromium import Chromium, Failure  # noqa: E402

TRACETOOL, DATA, BROWSER = sys.argv[1:4]
PICTURES = sys.argv[4] if len(sys.argv) > 4 else None
HOSTILE = ['<script>window.hit=1</script>', '"><img src=x onerror=window.hit=1>', "'><svg onload=window.hit=1>",
           '</script><script>window.hit=1</script>', '</template></div><img src=x onerror=window.hit=1>', '<!--', 'a\u2028b\u2029c']
count = 0


def test(text):
    """A decorator: the function is a test, which fails by an exception."""
    def judge(function):
        global count
        count += 1
        try:
            function()
            print('ok %d - %s' % (count, text), flush=True)
        except (AssertionError, Failure, KeyError, OSError, ValueError) as error:
            print('# %s' % str(error).replace('\n', '\n# ')[:2000])
            print('not ok %d - %s' % (count, text), flush=True)
    return judge


def equal(shown, wanted):
    assert shown == wanted, 'shown %s, wanted %s' % (str(shown)[:600], str(wanted)[:600])


def call(*arguments):
    return subprocess.run([TRACETOOL, *arguments], check=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60).stdout.decode()


def rows_of(page, table):
    """Of all rows that the page shows, what cells hold by key."""
    return json.loads(page.run('''(() => {
        const place = document.querySelector('[data-table="%s"]'), all = place.querySelector('.tools button');
        if (!all.hidden && all.textContent === 'Show all') all.click ();
        return JSON.stringify ([...place.querySelectorAll ('tbody tr')].map ((row) => Object.fromEntries (
            [...row.cells].map ((cell) => [cell.dataset.key, JSON.parse (cell.dataset.value)]))));
    })()''' % table))


def texts_of(page, table, key):
    return json.loads(page.run('''JSON.stringify ([...document.querySelectorAll (
        '[data-table="%s"] td[data-key="%s"]')].map ((cell) => cell.textContent))''' % (table, key)))


def place_of(page, selector):
    box = json.loads(page.run('JSON.stringify (document.querySelector (%s).getBoundingClientRect ())' % json.dumps(selector)))
    return box['x'], box['y'], box['width'], box['height']


def shown_time(page):
    return [float(page.run("document.querySelector ('canvas').dataset." + key)) for key in ('from', 'to', 'spans')]


def run_all(folder, browser):
    path = os.path.join(folder, 'report.html')
    db = os.path.join(folder, 'trace.db')
    call('--db', db, 'import', os.path.join(DATA, 'tau-mpi4'))
    call('--db', db, 'report', '-o', path)
    page = browser.open(path)

    @test('the page loads without a word on the console, and asks for nothing else')
    def _():
        page.frame()
        equal(page.errors, [])
        assert page.loaded_s < 10, page.loaded_s
        assert page.run("document.querySelectorAll ('main > section').length") > 8

    @test('landmarks, a title and names for what can be used')
    def _():
        for selector in ('header h1', 'nav[aria-label]', 'main', 'footer', 'html[lang=en]', 'a.skip'):
            equal(page.run("document.querySelectorAll ('%s').length" % selector), 1)
        equal(page.run("[...document.querySelectorAll ('input, canvas, section')].filter ((e) => "
                       "!e.hasAttribute ('aria-label') && !e.hasAttribute ('aria-labelledby')).length"), 0)
        equal(page.run("[...document.querySelectorAll ('[id]')].length === new Set ([...document.querySelectorAll ('[id]')]"
                       ".map ((e) => e.id)).size"), True)

    for table, member, command in (('stats.operations', None, ['stats']), ('breakdown.times', None, ['breakdown']),
                                   ('path.ops', 'ops', ['critical-path']), ('waits.causes', None, ['waits', '--show', 'causes'])):
        @test('%s shows the numbers of %s' % (table, ' '.join(command)))
        def _():
            answer = json.loads(call('--db', db, *command, '--format', 'json', '--top', '0'))
            equal(rows_of(page, table), answer[member] if member else answer)

    @test('times are rounded as tables of tracetool have them')
    def _():
        self_us = [row['self_us'] for row in rows_of(page, 'stats.operations')]
        for text, us in zip(texts_of(page, 'stats.operations', 'self_us'), self_us):
            if us == 0:
                equal(text, '0')
                continue
            number, unit = text.split()
            factor = {'ns': 1e-3, 'us': 1, 'ms': 1e3, 's': 1e6}[unit]
            assert abs(float(number.replace(',', '')) * factor - us) <= 0.0006 * us, (text, us)

    @test('a click on a heading sorts, another turns it round')
    def _():
        button = "document.querySelectorAll ('[data-table=\"stats.operations\"] th')[3].querySelector ('button')"
        page.run(button + '.click ()')
        counts = [row['count'] for row in rows_of(page, 'stats.operations')]
        equal(counts, sorted(counts, reverse=True))
        equal(page.run("document.querySelectorAll ('[data-table=\"stats.operations\"] th')[3].getAttribute ('aria-sort')"), 'descending')
        page.run(button + '.focus ()')
        page.press('Enter')
        counts = [row['count'] for row in rows_of(page, 'stats.operations')]
        equal(counts, sorted(counts))

    @test('a search shows the rows that have the text')
    def _():
        wanted = sorted(row['name'] for row in json.loads(call('--db', db, 'stats', '--format', 'json', '--top', '0'))
                        if 'mpi_' in row['name'].lower())
        page.run("document.activeElement.blur (); document.getElementById ('stats').focus ()")
        page.press('/')
        equal(page.run('document.activeElement.type'), 'search')
        page.type('MPI_')
        equal(sorted(texts_of(page, 'stats.operations', 'name')), wanted)
        page.press('x')
        equal(texts_of(page, 'stats.operations', 'name'), [])

    @test('keys go from section to section and open the list of keys')
    def _():
        page.run('document.activeElement.blur (); window.scrollTo ({ top: 0, behavior: "instant" })')
        page.frame()
        seen = []
        for key in 'jjk':
            page.press(key)
            seen.append(page.run('document.activeElement.id'))
        equal(seen, ['timeline', 'stats', 'timeline'])
        page.press('?')
        equal(page.run("document.getElementById ('help').open"), True)
        page.press('Escape')
        equal(page.run("document.getElementById ('help').open"), False)

    @test('the timeline has all spans, and comes nearer by keys and the wheel')
    def _():
        spans = int(call('--db', db, 'query', '--format', 'csv', 'SELECT count(*) FROM event WHERE dur_ns IS NOT NULL').split()[1])
        page.press('t')
        equal(page.run('document.activeElement.tagName'), 'CANVAS')
        begin, end, n = shown_time(page)
        equal((begin, n), (0, spans))
        page.press('+')
        near = shown_time(page)
        equal(near[:2], [end / 4, 3 * end / 4])
        inside = int(call('--db', db, 'query', '--format', 'csv', 'SELECT count(*) FROM event, (SELECT min(ts_ns) AS t FROM event) '
                          'WHERE ts_ns - t <= %d AND ts_ns + dur_ns - t >= %d' % (near[1], near[0])).split()[1])
        equal(near[2], inside)
        page.press('ArrowRight')
        assert shown_time(page)[0] > near[0]
        page.press('0')
        equal(shown_time(page), [begin, end, n])
        x, y, width, height = place_of(page, 'canvas')
        page.mouse('mouseWheel', x + width / 2, y + 60, deltaX=0, deltaY=-400)
        assert shown_time(page)[1] - shown_time(page)[0] < 0.8 * end
        before = shown_time(page)
        page.drag(x + width / 2, y + 60, x + width / 2 + 100, y + 60)
        assert shown_time(page)[0] < before[0], (shown_time(page), before)
        page.press('Home')

    @test('the pointer tells what a span is, and a search goes to it')
    def _():
        x, y, width, height = place_of(page, 'canvas')
        page.mouse('mouseMoved', x + width / 2, y + 24 + 8)
        tip = page.run("document.getElementById ('tip').textContent")
        assert '.TAU application' in tip or '_TAU application' in tip, tip
        assert 'node0' in tip, tip
        page.run("document.querySelector ('#canvas-place input').focus ()")
        page.type('MPI_Bcast')
        page.press('Enter')
        begin, end, n = shown_time(page)
        found = csv.reader(io.StringIO(call('--db', db, 'query', '--format', 'csv', "SELECT ts_ns - (SELECT min(ts_ns) FROM event), "
                                            "ts_ns + dur_ns - (SELECT min(ts_ns) FROM event) FROM event WHERE name = 'Comm.MPI_Bcast.BCAST'")))
        assert any(begin <= int(a) and int(b) <= end for a, b in list(found)[1:]), (begin, end)

    @test('the graph answers clicks')
    def _():
        far = "document.querySelector ('.graph .picture').shadowRoot.querySelectorAll ('g.n.far').length"
        equal(page.run(far), 0)
        page.run("document.querySelector ('.graph .picture').shadowRoot.querySelector ('g.n').dispatchEvent (new MouseEvent ('click'))")
        assert page.run(far) > 0

    @test('a search in the graph and Enter do what a click does')
    def _():
        graph = "document.querySelector ('.graph .picture').shadowRoot"
        page.run("document.querySelector ('#graph .tools input').focus ()")
        page.press('Escape')
        equal(page.run(graph + ".querySelectorAll ('g.n.far').length"), 0)
        page.type('MPI_R')
        hits = page.run(graph + ".querySelectorAll ('g.n.hit').length")
        assert hits > 1, hits
        seen = set()
        for _ in range(hits):
            page.press('Enter')
            equal(page.run(graph + ".querySelectorAll ('g.n.hit').length"), 1)
            seen.add(page.run(graph + ".querySelector ('g.n.hit').id"))
            assert page.run(graph + ".querySelectorAll ('g.n:not(.far)').length") > 1
        equal(len(seen), hits)

    @test('no table is wider than its place, and no picture than the page')
    def _():
        equal(page.run("[...document.querySelectorAll ('.scroll')].filter ((e) => e.scrollWidth > e.clientWidth + 1)"
                       ".map ((e) => e.getAttribute ('aria-label')).join ()"), '')
        equal(page.run("document.documentElement.scrollWidth <= window.innerWidth"), True)

    @test('what can be used leaves the printed page')
    def _():
        page.send('Emulation.setEmulatedMedia', media='print')
        equal(page.run("getComputedStyle (document.querySelector ('nav')).display"), 'none')
        equal(page.run("getComputedStyle (document.querySelector ('.tools input')).display"), 'none')
        assert len(page.send('Page.printToPDF')['data']) > 10000
        page.send('Emulation.setEmulatedMedia', media='')

    @test('a dark screen has a dark page')
    def _():
        dark = browser.open(path, is_dark=True)
        equal(dark.run("getComputedStyle (document.body).backgroundColor"), 'rgb(15, 20, 25)')
        dark.frame()
        equal(dark.run("[...document.querySelector ('canvas').getContext ('2d').getImageData (2, 2, 1, 1).data].join ()"), '15,20,25,255')
        equal(dark.errors, [])
        if PICTURES:
            dark.screenshot(os.path.join(PICTURES, 'dark.png'), True)

    equal_errors(page)
    if PICTURES:
        browser.open(path).screenshot(os.path.join(PICTURES, 'light.png'), True)
    hostile(folder, browser)


def equal_errors(page):
    @test('nothing of that has made the console speak')
    def _():
        equal(page.errors, [])


def hostile(folder, browser):
    trace, db, path = (os.path.join(folder, name) for name in ('<b onclick=1>.json', 'hostile.db', 'hostile.html'))
    events = [{'ph': 'X', 'name': name, 'cat': name, 'pid': name, 'tid': name, 'ts': 10 * i, 'dur': 9} for i, name in enumerate(HOSTILE)]
    with open(trace, 'w') as file:
        json.dump({'traceEvents': events}, file)
    call('--db', db, 'import', trace)
    call('--db', db, 'report', '-o', path)
    page = browser.open(path)

    @test('names that look like markup or script are text')
    def _():
        page.frame()
        equal(page.run('window.hit'), None)
        equal(page.run("document.querySelectorAll ('img, main script, [onclick], [onerror], [onload]').length"), 0)
        equal(page.run('document.scripts.length'), 2)
        names = texts_of(page, 'stats.operations', 'name')
        raw = [row['name'] for row in json.loads(call('--db', db, 'stats', '--format', 'json', '--top', '0'))]
        equal(names, raw)
        assert any('onerror=window' in name for name in names), names
        equal(page.errors, [])

    @test('script that is put into the page all the same does not run')
    def _():
        with open(path, encoding='utf-8') as file:
            text = file.read()
        planted = os.path.join(folder, 'planted.html')
        with open(planted, 'w', encoding='utf-8') as file:
            file.write(text.replace('<main', '<script>window.hit=1</script><img src=x onerror="window.hit=1"><main', 1))
        bad = browser.open(planted)
        bad.frame()
        equal(bad.run('window.hit'), None)
        assert any('Content Security Policy' in error for error in bad.errors), bad.errors


def main():
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        with Chromium(BROWSER, os.path.join(folder, 'profile')) as browser:
            run_all(folder, browser)
    print('1..%d' % count)


main()
