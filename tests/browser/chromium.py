# SPDX-License-Identifier: Apache-2.0
"""A headless Chromium, driven by its remote debugging protocol over a pipe: no library is needed.

    with Chromium(program, folder) as browser:
        page = browser.open('report.html')
        page.run('document.title')     # the value of an expression
        page.press('j')                # keys as a person presses them
        page.errors                    # what the console and exceptions said
"""
import base64
import json
import os
import pathlib
import select
import subprocess
import time

PROGRAMS = ('chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable')
# Names of keys that are no characters: key, code, number.
KEYS = {'Enter': 13, 'Escape': 27, 'Tab': 9, 'ArrowLeft': 37, 'ArrowUp': 38, 'ArrowRight': 39, 'ArrowDown': 40, 'Home': 36}


class Failure(Exception):
    pass


class Chromium:
    def __init__(self, program, folder, limit=60):
        self.limit, self.number, self.events = limit, 0, []
        to_read, to_write = os.pipe()
        from_read, from_write = os.pipe()
        arguments = [program, '--headless=new', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--no-first-run',
                     '--disable-extensions', '--disable-background-networking', '--remote-debugging-pipe',
                     '--user-data-dir=' + str(folder), 'about:blank']

        def take_pipes():
            os.dup2(to_read, 200), os.dup2(from_write, 201)
            os.dup2(200, 3), os.dup2(201, 4)

        self.process = subprocess.Popen(arguments, preexec_fn=take_pipes, close_fds=False, stdin=subprocess.DEVNULL,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_read), os.close(from_write)
        self.output, self.input, self.rest = to_write, from_read, b''

    def __enter__(self):
        return self

    def __exit__(self, *what):
        try:
            self.send('Browser.close')
            self.process.wait(10)
        except (Failure, OSError, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()

    def send(self, method, session=None, **parameters):
        self.number += 1
        message = {'id': self.number, 'method': method, 'params': parameters}
        if session is not None:
            message['sessionId'] = session
        os.write(self.output, json.dumps(message).encode() + b'\0')
        number, until = self.number, time.monotonic() + self.limit
        while True:
            answer = self.read(until)
            if answer.get('id') == number:
                if 'error' in answer:
                    raise Failure('%s: %s' % (method, answer['error'].get('message')))
                return answer['result']
            self.events.append(answer)

    def read(self, until):
        while b'\0' not in self.rest:
            ready, _, _ = select.select([self.input], [], [], max(0, until - time.monotonic()))
            if not ready:
                raise Failure('the browser does not answer')
            piece = os.read(self.input, 1 << 20)
            if not piece:
                raise Failure('the browser ended')
            self.rest += piece
        message, self.rest = self.rest.split(b'\0', 1)
        return json.loads(message)

    def open(self, path, width=1280, height=900, is_dark=False):
        return Page(self, path, width, height, is_dark)


class Page:
    def __init__(self, browser, path, width, height, is_dark):
        self.browser = browser
        target = browser.send('Target.createTarget', url='about:blank')['targetId']
        self.session = browser.send('Target.attachToTarget', targetId=target, flatten=True)['sessionId']
        for domain in ('Page', 'Runtime', 'Log', 'Network'):
            self.send(domain + '.enable')
        self.send('Emulation.setDeviceMetricsOverride', width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.send('Emulation.setEmulatedMedia', features=[{'name': 'prefers-color-scheme', 'value': 'dark' if is_dark else 'light'}])
        begun = time.monotonic()
        self.send('Page.navigate', url=pathlib.Path(path).resolve().as_uri())
        self.wait("document.readyState === 'complete'")
        self.loaded_s = time.monotonic() - begun

    def send(self, method, **parameters):
        return self.browser.send(method, session=self.session, **parameters)

    def run(self, expression):
        answer = self.send('Runtime.evaluate', expression=expression, returnByValue=True, awaitPromise=True)
        if 'exceptionDetails' in answer:
            raise Failure('%s: %s' % (expression, answer['exceptionDetails'].get('exception', {}).get('description')))
        return answer['result'].get('value')

    def wait(self, expression):
        until = time.monotonic() + self.browser.limit
        while not self.run(expression):
            if time.monotonic() > until:
                raise Failure('never true: ' + expression)
            time.sleep(0.02)

    def frame(self):
        """Waits until what was asked for is drawn."""
        self.run('new Promise ((done) => requestAnimationFrame (() => requestAnimationFrame (() => done (1))))')

    def press(self, key, count=1):
        code = KEYS.get(key, ord(key.upper()) if len(key) == 1 else 0)
        for _ in range(count):
            text = {'text': key} if len(key) == 1 else {'text': '\r'} if key == 'Enter' else {}
            self.send('Input.dispatchKeyEvent', type='keyDown', key=key, windowsVirtualKeyCode=code, **text)
            self.send('Input.dispatchKeyEvent', type='keyUp', key=key, windowsVirtualKeyCode=code)
        self.frame()

    def type(self, text):
        for character in text:
            self.press(character)

    def mouse(self, kind, x, y, **more):
        self.send('Input.dispatchMouseEvent', type=kind, x=x, y=y, **more)
        self.frame()

    def drag(self, x, y, to_x, to_y):
        self.mouse('mousePressed', x, y, button='left', buttons=1, clickCount=1)
        self.mouse('mouseMoved', to_x, to_y, button='left', buttons=1)
        self.mouse('mouseReleased', to_x, to_y, button='left', clickCount=1)

    @property
    def errors(self):
        """What the console, exceptions and the network had to say; loads of anything but the page itself, too."""
        found = []
        self.run('1')
        for event in self.browser.events:
            if event.get('sessionId') != self.session:
                continue
            what, more = event.get('method'), event.get('params', {})
            if what == 'Runtime.exceptionThrown':
                details = more['exceptionDetails']
                found.append('exception: %s' % details.get('exception', {}).get('description', details.get('text')))
            elif what == 'Log.entryAdded':
                found.append('log: %s' % more['entry'].get('text'))
            elif what == 'Runtime.consoleAPICalled':
                found.append('console: %s' % [a.get('value') for a in more.get('args', [])])
            elif what == 'Network.requestWillBeSent' and more.get('type') != 'Document':
                found.append('request: %s' % more['request']['url'])
            elif what == 'Page.javascriptDialogOpening':
                found.append('dialog: %s' % more.get('message'))
        return found

    def screenshot(self, path, is_whole=False):
        size = self.send('Page.getLayoutMetrics')['cssContentSize'] if is_whole else None
        more = {'captureBeyondViewport': True, 'clip': {'x': 0, 'y': 0, 'scale': 1, 'width': size['width'],
                                                        'height': min(size['height'], 12000)}} if size else {}
        with open(path, 'wb') as file:
            file.write(base64.b64decode(self.send('Page.captureScreenshot', format='png', **more)['data']))
