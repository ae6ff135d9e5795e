# SPDX-License-Identifier: Apache-2.0
"""Catapult's trace viewer itself, built from its sources in $CATAPULT and run in a headless Chromium.

`import_trace(path)` gives what catapult_real.py reads, made of the model that the viewer draws from. The viewer is built
and the browser started once for all traces; both end with the program.
"""
import atexit
import os
import shutil
import subprocess
import sys
import tempfile

from view import ViewerError

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "browser"))
import chromium  # noqa: E402

# Runs inside of Catapult's sources, whose own tools make one page of them. Browsers no longer have what it is written
# for; Catapult has the stand-in.
BUILD = """
import sys
sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1] + '/tracing')
import tracing_project
tracing_project.UpdateSysPathIfNeeded()
from py_vulcanize import generate
project = tracing_project.TracingProject()
names = ['tracing.ui.base.webcomponentsjs_polyfill', project.GetModuleNameForConfigName('full')]
with open(sys.argv[2], 'w', encoding='utf-8') as out:
    sequence = project.CreateVulcanizer().CalcLoadSequenceForModuleNames(names)
    generate.GenerateStandaloneHTMLToFile(out, sequence, title='Catapult', minify=False)
"""
# The file is chosen as a person chooses it. The times are those of the file: nothing is moved to 0.
IMPORT = """(async () => {
  const text = await document.getElementById ('trace').files[0].text ();
  const options = new tr.importer.ImportOptions ();
  options.shiftWorldToZero = false;
  const model = window.model = new tr.Model ();
  new tr.importer.Import (model, options).importTraces ([text]);
  const us = (ms) => ms * 1000;
  const slice = (s) => ({ title: s.title, cat: s.category, ts: us (s.start), dur: us (s.duration), args: s.args,
                          didNotFinish: s.didNotFinish });
  const crossings = (group) => {
    let n = 0;
    const look = (slices) => {
      let end = -Infinity;
      for (const s of slices) {
        n += Math.round (s.start * 1e6) < end;
        end = Math.max (end, Math.round (s.end * 1e6));
        look (s.subSlices);
      }
    };
    look (group.topLevelSlices);
    return n;
  };
  const asyncs = (group) => {
    const all = [];
    const take = (s) => { all.push (slice (s)); (s.subSlices || []).forEach (take); };
    group.slices.forEach (take);
    return all;
  };
  const end = (s) => s && s.parentContainer && s.parentContainer.tid !== undefined ?
      { pid: s.parentContainer.parent.pid, tid: s.parentContainer.tid, title: s.title, ts: us (s.start), dur: us (s.duration) } : null;
  const mark = (i) => ({ title: i.title, ts: us (i.start), args: i.args });
  const bySize = (a, b) => a - b;
  return JSON.stringify ({
    processes: Object.keys (model.processes).map (Number).sort (bySize).map ((pid) => {
      const process = model.processes[pid];
      return {
        pid, name: process.name === undefined ? null : process.name, sort_index: process.sortIndex,
        threads: Object.keys (process.threads).map (Number).sort (bySize).map ((tid) => {
          const thread = process.threads[tid];
          return { tid, name: thread.name === undefined ? null : thread.name, sort_index: thread.sortIndex,
                   sibling_overlaps: crossings (thread.sliceGroup), slice_list: thread.sliceGroup.slices.map (slice),
                   async_list: asyncs (thread.asyncSliceGroup) };
        }),
        counters: Object.values (process.counters).map ((counter) => ({
          name: counter.name,
          series: counter.series.map ((series) => ({ name: series.name, values: series.samples.map ((s) => [us (s.timestamp), s.value]) })),
        })),
        instants: process.instantEvents.map (mark),
      };
    }),
    global_instants: model.instantEvents.map (mark),
    flows: model.flowEvents.map ((flow) => ({ start: end (flow.startSlice), end: end (flow.endSlice) })),
    import_warnings: model.importWarnings.map ((w) => ({ type: w.type, message: w.message })),
  });
})()"""
# The viewer's own view of the model that was imported last.
DRAW = """(async () => {
  document.body.innerHTML = '';
  const container = document.createElement ('track-view-container'), view = document.createElement ('tr-ui-timeline-view');
  container.id = 'track_view_container';
  view.track_view_container = container;
  Polymer.dom (view).appendChild (container);
  view.style.height = '880px';
  view.globalMode = true;
  Polymer.dom (document.body).appendChild (view);
  view.model = window.model;
  await new Promise ((done) => setTimeout (done, 1000));
})()"""

HEADINGS = """(() => {
  const all = [];
  for (const e of Array.from (document.querySelectorAll ('tr-ui-b-heading, .process-track-name')))
    all.push (e.textContent.trim ());
  return all;
})()"""


class Viewer:
    def __init__(self, sources, browser):
        self.folder = tempfile.mkdtemp()
        atexit.register(shutil.rmtree, self.folder, ignore_errors=True)
        page = os.path.join(self.folder, "catapult.html")
        done = subprocess.run([sys.executable, "-c", BUILD, sources, page], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            said = done.stderr.strip().splitlines()
            raise ViewerError(f"{sources}: the viewer cannot be built: {said[-1] if said else 'without a word'}")
        self.browser = chromium.Chromium(browser, os.path.join(self.folder, "profile"), 300)
        atexit.register(self.browser.__exit__)
        self.page = self.browser.open(page)
        self.run("document.body.innerHTML = '<input id=\"trace\" type=\"file\">'")

    def run(self, expression):
        try:
            return self.page.run(expression)
        except chromium.Failure as error:
            raise ViewerError(f"Catapult: {error}") from error

    def import_trace(self, path):
        self.run("document.body.innerHTML = '<input id=\"trace\" type=\"file\">'")
        root = self.page.send("DOM.getDocument")["root"]["nodeId"]
        node = self.page.send("DOM.querySelector", nodeId=root, selector="#trace")["nodeId"]
        self.page.send("DOM.setFileInputFiles", nodeId=node, files=[os.path.abspath(path)])
        return self.run(IMPORT)

    def draw(self):
        """Opens what was imported last in the viewer's window; exceptions of its scripts."""
        before = len(self.page.errors)
        self.run(DRAW)
        return [error for error in self.page.errors[before:] if error.startswith("exception")]

    def headings(self):
        """The names of tracks in the window."""
        return self.run(HEADINGS)


viewer = None


def open_viewer():
    global viewer
    sources = os.environ.get("CATAPULT")
    if not sources:
        raise ViewerError("neither $CATAPULT_IMPORT nor $CATAPULT is set")
    if viewer is None:
        programs = (os.environ.get("BROWSER_FOR_TESTS") or " ".join(chromium.PROGRAMS)).split()
        browser = next(filter(None, map(shutil.which, programs)), None)
        if browser is None:
            raise ViewerError("no Chromium to run Catapult in")
        viewer = Viewer(sources, browser)
    return viewer


def import_trace(path):
    """The text of the JSON."""
    return open_viewer().import_trace(path)
