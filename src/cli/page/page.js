/* SPDX-License-Identifier: Apache-2.0 */
/* Tables, keys, tooltips and the graph of the page. Text of a trace becomes text nodes, never markup. */
(function () {
  'use strict';

  const FIRST_ROWS = 30;
  /* Longer texts may break anywhere, so that a table is not wider than the page. */
  const WIDE = 20;
  const collator = new Intl.Collator('en', { numeric: true });

  function make (tag, attributes, ...children) {
    const element = document.createElement(tag);
    for (const key in attributes)
      element.setAttribute(key, attributes[key]);
    element.append(...children);
    return element;
  }

  /* -- numbers ---------------------------------------------------------------------------------- */

  function grouped (value) {
    return String(value).replace(/\B(?=(\d{3})+(?!\d))/g, ',');
  }

  /* Four digits, as tables of tracetool have them. */
  function digits (value) {
    const size = Math.abs(value);
    return value.toFixed(size >= 1000 ? 0 : size >= 100 ? 1 : size >= 10 ? 2 : 3);
  }

  function time (us) {
    if (tt.data.ticks)
      return grouped(Math.round(us * 1000)) + ' ticks';
    const size = Math.abs(us);
    if (size === 0)
      return '0';
    return size >= 1e6 ? digits(us / 1e6) + ' s' : size >= 1e3 ? digits(us / 1e3) + ' ms'
      : size >= 1 ? digits(us) + ' us' : Math.round(us * 1000) + ' ns';
  }

  function bytes (value) {
    const units = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'];
    let unit = 0, size = value;
    for (; Math.abs(size) >= 1000 && unit < units.length - 1; unit++)
      size /= 1000;
    return (unit === 0 ? String(size) : digits(size)) + ' ' + units[unit];
  }

  /* What a cell shows; the kinds are those of columns of tracetool. */
  function shown (value, kind) {
    if (value === null)
      return '';
    if (typeof value !== 'number')
      return String(value);
    switch (kind) {
      case 'time': return time(value);
      case 'bytes': return bytes(value);
      case 'count': return Number.isInteger(value) ? grouped(value) : digits(value);
      case 'percent': return value.toFixed(2);
      case 'real': return Number.isInteger(value) ? grouped(value) : digits(value);
      default: return String(value);
    }
  }

  /* -- tables ----------------------------------------------------------------------------------- */

  function compare (a, b) {
    if (a === null || b === null)
      return a === b ? 0 : a === null ? -1 : 1;
    return typeof a === 'number' && typeof b === 'number' ? a - b : collator.compare(String(a), String(b));
  }

  function Table (place) {
    this.table = tt.data[place.dataset.table];
    this.name = place.dataset.table;
    this.order = this.table.rows.map((row, i) => i);
    this.sorted = -1;
    this.isUp = false;
    this.most = FIRST_ROWS;
    this.needle = '';
    this.build(place, place.dataset.caption);
    this.fill();
  }

  Table.prototype.build = function (place, caption) {
    const id = this.name.replace('.', '-');
    const heading = make('h3', { id: id + '-caption' }, caption);
    const tools = make('div', { class: 'tools' }, heading);
    this.status = make('output', { for: id });
    if (this.table.rows.length > 5) {
      const search = make('input', { type: 'search', placeholder: 'Search', 'aria-label': 'Search in: ' + caption });
      search.addEventListener('input', () => { this.needle = search.value.toLowerCase(); this.fill(); });
      tools.append(search);
    }
    this.all = make('button', { type: 'button' }, 'Show all');
    this.all.addEventListener('click', () => { this.most = this.most === FIRST_ROWS ? Infinity : FIRST_ROWS; this.fill(); });
    tools.append(this.status, this.all);
    const table = make('table', { id: id, 'aria-labelledby': id + '-caption' });
    this.empty = this.table.columns.map((column, i) => this.isEmpty(i));
    this.heads = this.table.columns.map((column, i) => {
      const button = make('button', { type: 'button' }, column.title);
      const head = make('th', { scope: 'col', class: this.isNumber(i) ? 'n' : '', 'aria-sort': 'none' }, button);
      button.addEventListener('click', () => this.sort(i));
      head.hidden = this.empty[i];
      return head;
    });
    this.body = make('tbody', {});
    table.append(make('thead', {}, make('tr', {}, ...this.heads)), this.body);
    place.append(tools, make('div', { class: 'scroll', tabindex: '0', role: 'group', 'aria-label': caption }, table));
  };

  /* Columns in which nothing is do without room. */
  Table.prototype.isEmpty = function (i) {
    return this.table.rows.every((row) => row[i] === null);
  };

  Table.prototype.isNumber = function (i) {
    return !['text', 'word', 'value'].includes(this.table.columns[i].kind);
  };

  /* Largest first, then smallest first; texts the other way round. Equal rows stay in the order of tracetool. */
  Table.prototype.sort = function (i) {
    const rows = this.table.rows;
    this.isUp = this.sorted === i ? !this.isUp : !this.isNumber(i);
    this.sorted = i;
    const sign = this.isUp ? 1 : -1;
    this.order.sort((a, b) => {
      const x = rows[a][i], y = rows[b][i];
      if (x === null || y === null)
        return (x === null) - (y === null) || a - b;
      return sign * compare(x, y) || a - b;
    });
    this.heads.forEach((head, k) =>
      head.setAttribute('aria-sort', k !== i ? 'none' : this.isUp ? 'ascending' : 'descending'));
    this.fill();
  };

  Table.prototype.has = function (row) {
    return this.needle === '' || row.some((cell) => cell !== null && String(cell).toLowerCase().includes(this.needle));
  };

  Table.prototype.row = function (number) {
    const cells = this.table.rows[number].map((value, i) => {
      const column = this.table.columns[i];
      const cell = make('td', {}, shown(value, column.kind));
      cell.dataset.value = JSON.stringify(value);
      cell.dataset.key = column.key;
      cell.hidden = this.empty[i];
      if (this.isNumber(i)) {
        cell.className = 'n';
        if (typeof value === 'number' && column.kind === 'time')
          cell.title = value + (tt.data.ticks ? ' thousand ticks' : ' us');
        if (typeof value === 'number' && column.kind === 'percent' && value >= 0 && value <= 100) {
          cell.classList.add('part');
          cell.style.setProperty('--part', value + '%');
        }
      } else if (typeof value === 'string' && value.length > WIDE)
        cell.className = 'wide';
      return cell;
    });
    return make('tr', {}, ...cells);
  };

  Table.prototype.fill = function () {
    const rows = this.table.rows;
    const found = this.order.filter((i) => this.has(rows[i]));
    const shownRows = found.slice(0, this.most);
    this.body.replaceChildren(...shownRows.map((i) => this.row(i)));
    this.status.textContent = rows.length <= FIRST_ROWS && this.needle === '' && this.table.more === 0 ? ''
      : grouped(shownRows.length) + ' of ' + grouped(found.length) + (this.needle === '' ? ' rows' : ' rows found') +
        (this.table.more > 0 ? '; ' + grouped(this.table.more) + ' more are not in this page' : '');
    this.all.hidden = found.length <= FIRST_ROWS;
    this.all.textContent = this.most === FIRST_ROWS ? 'Show all' : 'Show fewer';
  };

  /* -- the graph -------------------------------------------------------------------------------- */

  function Graph (place) {
    const root = place.querySelector('.picture').shadowRoot;
    if (root === null)
      return;
    this.nodes = [...root.querySelectorAll('g.n')];
    this.edges = [...root.querySelectorAll('path[data-a]')];
    this.hits = [];
    this.at = -1;
    this.nodes.forEach((node) => node.addEventListener('click', () => this.around(node)));
    place.addEventListener('keydown', (event) => { if (event.key === 'Escape') this.clear(); });
    const search = make('input', { type: 'search', placeholder: 'Search', 'aria-label': 'Search in the graph' });
    search.addEventListener('input', () => this.find(search.value.toLowerCase()));
    search.addEventListener('keydown', (event) => {
      if (event.key === 'Enter')
        this.next();
      else if (event.key === 'Escape')
        this.clear();
    });
    place.before(make('div', { class: 'tools' }, search));
  }

  Graph.prototype.clear = function () {
    this.nodes.concat(this.edges).forEach((element) => element.classList.remove('hit', 'far'));
  };

  Graph.prototype.around = function (node) {
    const near = new Set([node.id]);
    this.clear();
    this.edges.forEach((edge) => {
      const from = edge.dataset.a, to = edge.dataset.b;
      if (from === node.id || to === node.id)
        near.add(from).add(to);
      else
        edge.classList.add('far');
    });
    this.nodes.forEach((other) => other.classList.toggle('far', !near.has(other.id)));
    node.classList.add('hit');
  };

  /* Around what was found, one after the other: what a click does, by keys. */
  Graph.prototype.next = function () {
    if (this.hits.length === 0)
      return;
    this.at = (this.at + 1) % this.hits.length;
    this.around(this.hits[this.at]);
    this.hits[this.at].scrollIntoView({ block: 'nearest', inline: 'center' });
  };

  Graph.prototype.find = function (needle) {
    this.clear();
    this.hits = [];
    this.at = -1;
    if (needle === '')
      return;
    const hits = this.hits = this.nodes.filter((node) => node.querySelector('title').textContent.toLowerCase().includes(needle));
    this.nodes.forEach((node) => node.classList.add('far'));
    hits.forEach((node) => { node.classList.remove('far'); node.classList.add('hit'); });
    if (hits.length > 0)
      hits[0].scrollIntoView({ block: 'nearest', inline: 'center' });
  };

  /* -- keys ------------------------------------------------------------------------------------- */

  const sections = [...document.querySelectorAll('main > section')];

  function sectionInView () {
    const focused = document.activeElement.closest('section');
    if (focused !== null)
      return sections.indexOf(focused);
    const at = sections.findIndex((section) => section.getBoundingClientRect().bottom > 80);
    return window.scrollY < 10 ? -1 : at;
  }

  function goTo (section) {
    section.scrollIntoView();
    section.focus({ preventScroll: true });
  }

  function search () {
    const section = sections[sectionInView()] || document.getElementById('stats');
    const field = section.querySelector('input[type=search]') || document.querySelector('#stats input[type=search]');
    if (field !== null)
      field.focus();
  }

  function onKey (event) {
    const help = document.getElementById('help');
    if (event.ctrlKey || event.altKey || event.metaKey || event.target.closest('input') !== null || help.open)
      return;
    const at = sectionInView();
    if (event.key === 'j' && at + 1 < sections.length)
      goTo(sections[at + 1]);
    else if (event.key === 'k' && at > 0)
      goTo(sections[at - 1]);
    else if (event.key === '/')
      search();
    else if (event.key === 't' && document.getElementById('timeline') !== null) {
      goTo(document.getElementById('timeline'));
      const canvas = document.querySelector('#canvas-place canvas');
      canvas.focus({ preventScroll: true });
    } else if (event.key === '?')
      help.showModal();
    else
      return;
    event.preventDefault();
  }

  /* -- all -------------------------------------------------------------------------------------- */

  const tt = window.tracetool = {
    data: JSON.parse(document.getElementById('data').textContent), make, time, grouped,
  };

  /* Browsers from before 2023 leave the templates where they are. */
  document.querySelectorAll('template[shadowrootmode]').forEach((template) => {
    template.parentNode.attachShadow({ mode: 'open' }).append(template.content);
    template.remove();
  });
  document.querySelectorAll('div.table').forEach((place) => new Table(place));
  document.querySelectorAll('div.graph').forEach((place) => new Graph(place));
  document.addEventListener('keydown', onKey);
  document.getElementById('help-button').addEventListener('click', () => document.getElementById('help').showModal());
  document.getElementById('help-close').addEventListener('click', () => document.getElementById('help').close());
}());
