/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The timeline: lanes of spans on a canvas, as near as one likes.
 *
 * A row of a lane has its spans in the order of time, so that those in view are found by halving; of what is narrower than a
 * pixel one is drawn a pixel. A frame looks at the spans in view only.
 */
(function () {
  'use strict';

  const ROW = 16, GAP = 8, LEFT = 150, AXIS = 24, MAX_HEIGHT = 560, CHAR = 6.6;
  const tt = window.tracetool, data = tt.data.timeline, place = document.getElementById('canvas-place');
  if (data === undefined || place === null)
    return;

  /* -- data ------------------------------------------------------------------------------------- */

  function unpack (row) {
    const packed = row.spans, spans = [];
    let at = 0, longest = 0;
    for (let i = 0; i < packed.length;) {
      const count = packed[i + 3], begin = at += packed[i], length = packed[i + 1];
      spans.push({ begin, end: begin + length, name: packed[i + 2], count, busy: count > 0 ? packed[i + 4] : length });
      longest = Math.max(longest, length);
      i += count > 0 ? 5 : 4;
    }
    return { lane: row.lane, depth: row.depth, spans, longest };
  }

  const rows = data.rows.map(unpack);
  const lanes = data.lanes.map((name) => ({ name, depth: 0, y: 0, isUsed: false }));
  let total = 0;
  rows.forEach((row) => {
    const lane = lanes[row.lane];
    lane.isUsed = true;
    lane.depth = Math.max(lane.depth, row.depth + 1);
  });
  lanes.forEach((lane) => {
    lane.y = total;
    total += lane.isUsed ? lane.depth * ROW + GAP : 0;
  });

  /* The first that may reach beyond @time. */
  function firstAfter (row, time) {
    let low = 0, high = row.spans.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (row.spans[middle].begin + row.longest < time)
        low = middle + 1;
      else
        high = middle;
    }
    return low;
  }

  /* -- the view --------------------------------------------------------------------------------- */

  const view = { from: 0, to: data.length, top: 0, hits: null };
  const canvas = tt.make('canvas', { tabindex: '0', role: 'application', 'aria-label':
    'Timeline of the run. Plus and minus come nearer or go farther, arrows move, 0 shows all. ' +
    'The numbers are in the tables of statistics.', 'aria-describedby': 'timeline-status' });
  const status = tt.make('output', { id: 'timeline-status', 'aria-live': 'polite' });
  const tip = document.getElementById('tip');
  let width = 0, height = 0, isDue = false, colours = null;

  function text (ns) {
    return tt.time(ns / 1000);
  }

  function readColours () {
    const style = getComputedStyle(document.documentElement);
    const get = (name) => style.getPropertyValue(name).trim();
    colours = { paper: get('--paper'), ink: get('--ink'), soft: get('--soft'), line: get('--line'), shade: get('--shade'),
      of: data.classes.map((name, i) => get('--c' + i)) };
  }

  function limit () {
    const least = Math.min(data.length, 10);
    let length = Math.min(Math.max(view.to - view.from, least), data.length);
    view.from = Math.min(Math.max(view.from, 0), data.length - length);
    view.to = view.from + length;
    view.top = Math.max(0, Math.min(view.top, total - (height - AXIS)));
  }

  function zoom (factor, at) {
    const length = (view.to - view.from) * factor;
    view.from = at - (at - view.from) * factor;
    view.to = view.from + length;
    ask();
  }

  function move (part) {
    const by = (view.to - view.from) * part;
    view.from += by;
    view.to += by;
    ask();
  }

  function ask () {
    limit();
    if (isDue)
      return;
    isDue = true;
    requestAnimationFrame(() => { isDue = false; draw(); });
  }

  /* -- drawing ---------------------------------------------------------------------------------- */

  /* "2 ms", "2.5 ms": a step of the axis needs few digits. */
  function tickText (ns) {
    return text(ns).replace(/(\.\d*?)0+ /, '$1 ').replace('. ', ' ');
  }

  /* Lines behind the spans, then, above them, what they mean. */
  function drawAxis (pen, isLines) {
    const length = view.to - view.from, room = (width - LEFT) / 110;
    let step = Math.pow(10, Math.floor(Math.log10(Math.max(length / room, 1))));
    for (const factor of [1, 2, 5, 10])
      if (length / (step * factor) <= room) {
        step *= factor;
        break;
      }
    pen.font = '11px system-ui, sans-serif';
    for (let at = Math.ceil(view.from / step) * step; at <= view.to; at += step) {
      const x = LEFT + (at - view.from) / length * (width - LEFT);
      pen.fillStyle = isLines ? colours.line : colours.soft;
      if (isLines)
        pen.fillRect(Math.round(x), 0, 1, height);
      else
        pen.fillText(tickText(at), x + 4, 15);
    }
  }

  function isFar (span) {
    return view.hits !== null && !view.hits[span.name];
  }

  function drawLabel (pen, span, x, y, w) {
    const name = data.names[span.name];
    const label = (span.count > 0 ? tt.grouped(span.count) + ' x ' : '') + name[0];
    const room = Math.floor((w - 6) / CHAR);
    if (room < 3)
      return;
    pen.fillStyle = name[1] === 0 || name[1] === 3 || name[1] === 2 ? '#fff' : '#111';
    pen.fillText(label.length <= room ? label : label.slice(0, room - 1) + '\u2026', x + 3, y + 11.5);
  }

  /* Returns how many spans it stands for. */
  function drawRow (pen, row, y) {
    const scale = (width - LEFT) / (view.to - view.from), spans = row.spans;
    let n = 0, last = -1, colour = '';
    for (let i = firstAfter(row, view.from); i < spans.length && spans[i].begin <= view.to; i++) {
      const span = spans[i];
      if (span.end < view.from)
        continue;
      n += span.count || 1;
      const x = Math.max(LEFT, LEFT + (span.begin - view.from) * scale);
      const w = Math.min(width, LEFT + (span.end - view.from) * scale) - x;
      if (w < 1 && Math.floor(x) === last && (view.hits === null || isFar(span)))
        continue;
      last = Math.floor(x);
      const fill = colours.of[data.names[span.name][1]];
      if (fill !== colour)
        pen.fillStyle = colour = fill;
      /* Pieces of many spans are as high as they are busy. */
      const full = span.end - span.begin, h = span.count > 0 && full > 0
        ? Math.max(3, (ROW - 2) * Math.min(1, span.busy / full)) : ROW - 2;
      pen.globalAlpha = isFar(span) ? 0.15 : 1;
      pen.fillRect(x, y + ROW - 2 - h, Math.max(w - (w > 3 ? 0.6 : 0), 1), h);
      if (w > 26) {
        drawLabel(pen, span, x, y, w);
        colour = '';
      }
    }
    pen.globalAlpha = 1;
    return n;
  }

  function drawNames (pen) {
    pen.fillStyle = colours.paper;
    pen.fillRect(0, 0, LEFT - 1, height);
    pen.fillStyle = colours.line;
    pen.fillRect(LEFT - 1, 0, 1, height);
    pen.font = '11px system-ui, sans-serif';
    lanes.forEach((lane) => {
      const y = AXIS + lane.y - view.top;
      if (!lane.isUsed || y + lane.depth * ROW < AXIS || y > height)
        return;
      pen.fillStyle = colours.ink;
      const room = Math.floor((LEFT - 14) / CHAR);
      const name = lane.name.length <= room ? lane.name : lane.name.slice(0, room - 1) + '\u2026';
      pen.fillText(name, 6, Math.max(y, AXIS) + 11.5);
    });
    pen.fillStyle = colours.paper;
    pen.fillRect(0, 0, width, AXIS - 2);
  }

  function draw () {
    const begun = performance.now(), ratio = window.devicePixelRatio || 1, pen = canvas.getContext('2d');
    if (colours === null)
      readColours();
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.fillStyle = colours.paper;
    pen.fillRect(0, 0, width, height);
    let n = 0;
    drawAxis(pen, true);
    pen.font = '11px ui-monospace, "DejaVu Sans Mono", monospace';
    rows.forEach((row) => {
      const y = AXIS + lanes[row.lane].y + row.depth * ROW - view.top;
      if (y + ROW > AXIS && y < height)
        n += drawRow(pen, row, y);
    });
    drawNames(pen);
    drawAxis(pen, false);
    status.textContent = text(view.from) + ' to ' + text(view.to) + ' of ' + text(data.length) + ', ' + tt.grouped(n) +
      ' spans in view';
    canvas.dataset.from = view.from;
    canvas.dataset.to = view.to;
    canvas.dataset.spans = n;
    canvas.dataset.frame = performance.now() - begun;
  }

  /* -- the pointer ------------------------------------------------------------------------------ */

  function timeAt (x) {
    return view.from + (x - LEFT) / (width - LEFT) * (view.to - view.from);
  }

  function spanAt (x, y) {
    const time = timeAt(x), reach = 2 * (view.to - view.from) / (width - LEFT);
    const row = rows.find((row) => {
      const top = AXIS + lanes[row.lane].y + row.depth * ROW - view.top;
      return y >= top && y < top + ROW;
    });
    if (row === undefined || x < LEFT)
      return null;
    let best = null;
    for (let i = firstAfter(row, time - reach); i < row.spans.length && row.spans[i].begin <= time + reach; i++)
      if (row.spans[i].end >= time - reach)
        best = row.spans[i];
    return best === null ? null : { span: best, lane: lanes[row.lane].name };
  }

  function describe (found) {
    const span = found.span, name = data.names[span.name], at = '\nat ' + text(span.begin) + ', ' + found.lane;
    return span.count > 0
      ? tt.grouped(span.count) + ' short spans, ' + text(span.busy) + ' together; the longest: ' + name[0] + at
      : name[0] + '\n' + text(span.end - span.begin) + ', ' + data.classes[name[1]] + at;
  }

  function onPoint (event) {
    const found = spanAt(event.offsetX, event.offsetY);
    tip.hidden = found === null;
    if (found === null)
      return;
    tip.textContent = describe(found);
    tip.style.left = Math.min(event.clientX + 12, window.innerWidth - tip.offsetWidth - 8) + 'px';
    tip.style.top = Math.min(event.clientY + 14, window.innerHeight - tip.offsetHeight - 8) + 'px';
  }

  let drag = null;
  canvas.addEventListener('pointerdown', (event) => {
    drag = { x: event.offsetX, y: event.offsetY, from: view.from, to: view.to, top: view.top };
    canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener('pointerup', () => { drag = null; });
  canvas.addEventListener('pointermove', (event) => {
    if (drag === null) {
      onPoint(event);
      return;
    }
    const by = (event.offsetX - drag.x) / (width - LEFT) * (drag.to - drag.from);
    view.from = drag.from - by;
    view.to = drag.to - by;
    view.top = drag.top - (event.offsetY - drag.y);
    ask();
  });
  canvas.addEventListener('pointerleave', () => { tip.hidden = true; });
  canvas.addEventListener('dblclick', (event) => zoom(0.5, timeAt(event.offsetX)));
  canvas.addEventListener('wheel', (event) => {
    if (event.shiftKey)
      move(Math.sign(event.deltaY || event.deltaX) / 10);
    else if (event.ctrlKey || document.activeElement === canvas)
      zoom(Math.pow(1.0015, event.deltaY), timeAt(event.offsetX));
    else
      return;
    event.preventDefault();
  }, { passive: false });

  /* -- keys, buttons, search -------------------------------------------------------------------- */

  function middle () {
    return (view.from + view.to) / 2;
  }

  function all () {
    view.from = 0;
    view.to = data.length;
    ask();
  }

  function scroll (by) {
    view.top += by;
    ask();
  }

  function nextHit () {
    const after = middle();
    let best = null, first = null, row = null, firstRow = null;
    if (view.hits === null)
      return;
    rows.forEach((candidate) => candidate.spans.forEach((span) => {
      if (!view.hits[span.name])
        return;
      const at = (span.begin + span.end) / 2;
      if (at > after + 1e-6 * data.length && (best === null || at < (best.begin + best.end) / 2)) {
        best = span;
        row = candidate;
      }
      if (first === null || span.begin < first.begin) {
        first = span;
        firstRow = candidate;
      }
    }));
    if (best === null) {
      best = first;
      row = firstRow;
    }
    if (best === null)
      return;
    const length = Math.max((best.end - best.begin) * 3, data.length / 50);
    view.from = (best.begin + best.end - length) / 2;
    view.to = view.from + length;
    view.top = lanes[row.lane].y - 20;
    ask();
  }

  function find (needle) {
    view.hits = needle === '' ? null : data.names.map((name) => name[0].toLowerCase().includes(needle));
    ask();
  }

  const keys = {
    '+': () => zoom(0.5, middle()), '=': () => zoom(0.5, middle()), w: () => zoom(0.5, middle()),
    '-': () => zoom(2, middle()), s: () => zoom(2, middle()), a: () => move(-1 / 8), d: () => move(1 / 8),
    ArrowLeft: () => move(-1 / 8), ArrowRight: () => move(1 / 8), ArrowUp: () => scroll(-4 * ROW),
    ArrowDown: () => scroll(4 * ROW), Home: all, 0: all, n: nextHit,
  };
  canvas.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || keys[event.key] === undefined)
      return;
    keys[event.key]();
    event.preventDefault();
  });

  function button (label, title, action) {
    const element = tt.make('button', { type: 'button', title, 'aria-label': title }, label);
    element.addEventListener('click', action);
    return element;
  }

  const search = tt.make('input', { type: 'search', placeholder: 'Find a name', 'aria-label': 'Find spans by name' });
  search.addEventListener('input', () => find(search.value.toLowerCase()));
  search.addEventListener('keydown', (event) => { if (event.key === 'Enter') nextHit(); });
  const legend = tt.make('ul', { class: 'legend', 'aria-label': 'Colours' });
  const used = new Set(data.names.map((name) => name[1]));
  data.classes.forEach((name, i) => {
    const sample = tt.make('i', {});
    sample.style.background = 'var(--c' + i + ')';
    if (used.has(i))
      legend.append(tt.make('li', {}, sample, name));
  });
  place.append(tt.make('div', { class: 'tools' }, search, button('Next', 'Next span that was found', nextHit), status,
    button('+', 'Nearer', () => zoom(0.5, middle())), button('\u2212', 'Farther', () => zoom(2, middle())),
    button('All', 'The whole run', all)), canvas, legend);

  function resize () {
    width = Math.max(canvas.clientWidth, LEFT + 100);
    height = Math.min(total + AXIS + 4, MAX_HEIGHT);
    canvas.style.height = height + 'px';
    ask();
  }

  function recolour () {
    colours = null;
    ask();
  }

  new ResizeObserver(resize).observe(canvas);
  window.matchMedia('(prefers-color-scheme: dark)').addEventListener('change', recolour);
  window.addEventListener('beforeprint', () => { readColours(); draw(); });
  window.addEventListener('afterprint', recolour);
  resize();
}());
