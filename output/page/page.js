/* The plots of a report one can work in: zoom, read off, hide curves, cursors that go together, a slider over loops,
   shapes and orbits that move. Everything comes from the JSON beside each picture; without this script the pictures stay. */
(() => {
'use strict';
const LIGHT = ['#0072b2', '#d55e00', '#009e73', '#b8558f', '#b87e00', '#3a9bd0', '#78503c', '#6a3d9a', '#8a8210', '#c81e3c', '#007882', '#505050'];
const DARK = ['#4aa8e0', '#ff8a3d', '#2fcf9f', '#e39cc6', '#f0b93a', '#8fd0f5', '#c79a82', '#b08fe0', '#cfc64a', '#ff6b85', '#3fc4cf', '#c0c0c0'];
const VIRIDIS = [[68, 1, 84], [59, 82, 139], [33, 145, 140], [94, 201, 98], [253, 231, 37]];
const panels = []; /* all that are drawn */

const make = (tag, attributes, ...inside) => {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {}))
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value);
  element.append(...inside);
  return element;
};
const css = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const isDark = () => getComputedStyle(document.documentElement).colorScheme === 'dark';
const floats = text => {
  const bytes = atob(text), out = new Uint8Array(bytes.length);
  for (let i = 0; i < bytes.length; i++) out[i] = bytes.charCodeAt(i);
  return new Float32Array(out.buffer);
};
const digits = value => Number(value.toPrecision(5)).toString();

/* ---- what a panel shows -------------------------------------------------------------------- */

const isMarked = curve => curve.style === 'marks' || curve.style === 'rings';
const unpack = panel => {
  let colour = -1;
  for (const curve of panel.curves) {
    if (typeof curve.x === 'string') { curve.x = floats(curve.x); curve.y = floats(curve.y); }
    const own = (curve.style === 'line' || isMarked(curve)) && !curve.same;
    if (own) colour++;
    curve.colour = Math.max(colour, 0);
    curve.shown = true;
  }
  if (typeof panel.patches === 'string') panel.patches = floats(panel.patches);
  return panel;
};
const colourOf = curve => curve.style === 'faint' ? css('--soft') : curve.style === 'thin' ? css('--ink') :
  curve.style.startsWith('tint') ? css('--accent') : (isDark() ? DARK : LIGHT)[curve.colour % 12];

/* What an axis covers: all curves and some room, logarithms where it is logarithmic. */
const cover = (panel, key, log, marks) => {
  let low = Infinity, high = -Infinity;
  for (const curve of panel.curves)
    for (const value of curve[key])
      if (Number.isFinite(value) && (!log || value > 0)) { low = Math.min(low, value); high = Math.max(high, value); }
  for (const note of panel.notes || []) { low = Math.min(low, note[key]); high = Math.max(high, note[key]); }
  if (key === 'y' && panel.names) return [panel.first - 0.6, panel.first + panel.names.length - 0.4];
  if (low > high) return log ? [1, 10] : [0, 1];
  if (log) {
    low = Math.max(Math.log10(low), Math.log10(high) - 8); high = Math.log10(high);
    const room = high > low ? (high - low) * 0.06 : 0.3;
    return [10 ** (low - room), 10 ** (high + room)];
  }
  const room = high > low ? (high - low) * (key === 'y' || marks ? 0.06 : 0.02) : Math.abs(high) * 0.1 || 0.5;
  return [low - room, high + room];
};
const ranges = (panel, width, height) => {
  const marks = panel.curves.some(isMarked);
  const x = cover(panel, 'x', panel.xlog, marks), y = cover(panel, 'y', panel.ylog, marks);
  if (panel.equal) {
    const aspect = width / height, wide = x[1] - x[0], tall = y[1] - y[0];
    const addX = Math.max(0, tall * aspect - wide) / 2, addY = Math.max(0, wide / aspect - tall) / 2;
    x[0] -= addX; x[1] += addX; y[0] -= addY; y[1] += addY;
  }
  return {x, y};
};

/* Numbers of a logarithmic axis: the coarsest of decades, 1, 2, 5 and 1 to 9 that are three at least, else as on a linear one. */
const logSplits = (u, axis, low, high) => {
  for (const parts of [[1], [1, 2, 5], [1, 2, 3, 4, 5, 6, 7, 8, 9]]) {
    const found = [];
    for (let power = Math.floor(Math.log10(low)); power <= Math.log10(high); power++)
      found.push(...parts.map(part => Number(`${part}e${power}`)).filter(value => value >= low && value <= high));
    if (found.length >= 3) return found.filter((_, i) => i % Math.ceil(found.length / 8) === 0);
  }
  const power = 10 ** Math.floor(Math.log10((high - low) / 2)), found = [];
  const step = [5, 2, 1].map(part => part * power).find(wide => high - low >= 3 * wide) || power / 2;
  for (let k = Math.ceil(low / step); k * step <= high; k++) found.push(k * step);
  return found;
};
const whole = {incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000, 20000, 50000, 100000]};
const logarithmic = log => log ? {splits: logSplits, filter: (u, splits) => splits} : {};

/* ---- drawing ------------------------------------------------------------------------------- */

const drawCurve = (u, curve) => {
  const ctx = u.ctx, n = curve.x.length, scale = devicePixelRatio;
  if (!curve.shown) return;
  ctx.save();
  ctx.beginPath();
  ctx.rect(u.bbox.left, u.bbox.top, u.bbox.width, u.bbox.height);
  ctx.clip();
  ctx.strokeStyle = ctx.fillStyle = colourOf(curve);
  ctx.lineWidth = scale * (curve.style === 'thin' || curve.style === 'faint' ? 0.8 : 1.7);
  ctx.lineJoin = 'round';
  if (curve.style === 'dashed') ctx.setLineDash([6 * scale, 4 * scale]);
  const area = curve.style.startsWith('tint');
  if (area) ctx.globalAlpha = 0.15 + 0.2 * Number(curve.style[4]);
  ctx.beginPath();
  let down = false;
  for (let i = 0; i < n; i++) {
    const x = u.valToPos(curve.x[i], 'x', true), y = u.valToPos(curve.y[i], 'y', true);
    if (!Number.isFinite(x) || !Number.isFinite(y)) { down = down && area; continue; }
    if (isMarked(curve)) { ctx.moveTo(x + 3 * scale, y); ctx.arc(x, y, 3 * scale, 0, 7); }
    else if (down) ctx.lineTo(x, y);
    else ctx.moveTo(x, y);
    down = true;
  }
  if (area || curve.style === 'marks') ctx.fill(); else ctx.stroke();
  ctx.restore();
};
const drawPatches = (u, panel) => {
  const p = panel.patches, ctx = u.ctx;
  if (!p) return;
  let low = Infinity, high = -Infinity;
  for (let i = 8; i < p.length; i += 9) { low = Math.min(low, p[i]); high = Math.max(high, p[i]); }
  ctx.save();
  ctx.beginPath();
  ctx.rect(u.bbox.left, u.bbox.top, u.bbox.width, u.bbox.height);
  ctx.clip();
  for (let i = 0; i < p.length; i += 9) {
    const at = Math.min(3.999, 4 * (p[i + 8] - low) / (high - low || 1)), k = Math.floor(at), t = at - k;
    ctx.fillStyle = ctx.strokeStyle = `rgb(${VIRIDIS[k].map((c, j) => Math.round(c + t * (VIRIDIS[k + 1][j] - c))).join(',')})`;
    ctx.beginPath();
    for (let c = 0; c < 4; c++) ctx.lineTo(u.valToPos(p[i + 2 * c], 'x', true), u.valToPos(p[i + 2 * c + 1], 'y', true));
    ctx.closePath();
    ctx.fill();
    ctx.stroke();
  }
  ctx.restore();
};
const drawNotes = (u, panel) => {
  const ctx = u.ctx;
  if (!panel.notes) return;
  ctx.save();
  ctx.fillStyle = css('--ink');
  ctx.font = `${11 * devicePixelRatio}px system-ui`;
  ctx.textBaseline = 'middle';
  for (const note of panel.notes) {
    const x = u.valToPos(note.x, 'x', true);
    ctx.fillStyle = note.light ? '#fff' : panel.patches ? '#000' : css('--ink');
    ctx.lineWidth = 3 * devicePixelRatio;
    ctx.lineJoin = 'round';
    ctx.strokeStyle = css('--back'); /* lines that run through words end before them */
    ctx.textAlign = x + ctx.measureText(note.text).width > u.bbox.left + u.bbox.width ? 'right' : 'left';
    if (!panel.patches) ctx.strokeText(note.text, x, u.valToPos(note.y, 'y', true));
    ctx.fillText(note.text, x, u.valToPos(note.y, 'y', true));
  }
  ctx.restore();
};
const drawPoint = (u, x, y) => {
  u.ctx.save();
  u.ctx.fillStyle = css('--bad');
  u.ctx.beginPath();
  u.ctx.arc(u.valToPos(x, 'x', true), u.valToPos(y, 'y', true), 5 * devicePixelRatio, 0, 7);
  u.ctx.fill();
  u.ctx.restore();
};

/* ---- reading off --------------------------------------------------------------------------- */

/* The point of a curve nearest to a place of the plot; only x counts where y is not given. */
const nearest = (u, curve, x, y) => {
  const left = u.valToPos(x, 'x'), top = y === undefined ? 0 : u.valToPos(y, 'y');
  let best = -1, least = Infinity;
  for (let i = 0; i < curve.x.length; i++) {
    if (!Number.isFinite(curve.x[i]) || !Number.isFinite(curve.y[i])) continue;
    const dx = u.valToPos(curve.x[i], 'x') - left, dy = y === undefined ? 0 : 0.05 * (u.valToPos(curve.y[i], 'y') - top);
    const far = dx * dx + dy * dy;
    if (far < least) { least = far; best = i; }
  }
  return best;
};
const readOff = (view, x, y) => {
  const {u, panel} = view, told = [];
  for (const curve of panel.curves) {
    if (!curve.shown || !['line', 'marks', 'rings', 'dashed'].includes(curve.style)) continue;
    const i = nearest(u, curve, x, y);
    if (i < 0 || Math.abs(u.valToPos(curve.x[i], 'x') - u.valToPos(x, 'x')) > 40) continue;
    const value = panel.names ? panel.names[Math.round(curve.y[i]) - panel.first] : digits(curve.y[i]);
    const name = curve.label || curve.called;
    told.push(`${name ? name + ': ' : ''}${value}`);
  }
  view.read.textContent = told.length ? `${panel.x || 'x'} ${digits(x)} — ${panel.y || 'y'}: ${told.join(', ')}` : '';
};
/* Cursors of plots over the same quantity of one analysis go together. */
const follow = (view, x) => {
  for (const other of panels) {
    if (other === view || other.group !== view.group || other.panel.x !== view.panel.x) continue;
    const at = other.u.valToPos(x, 'x'), inside = x !== undefined && at >= 0 && at <= other.u.over.clientWidth;
    other.link.style.display = inside ? 'block' : 'none';
    if (inside) { other.link.style.left = at + 'px'; readOff(other, x); } else other.read.textContent = '';
  }
};

/* ---- a panel ------------------------------------------------------------------------------- */

const draw = (panel, group, into, width, height) => {
  unpack(panel);
  const view = {panel, group, point: null}, full = ranges(panel, width - 75, height - 60);
  const axis = label => ({label, stroke: () => css('--ink'), grid: {stroke: () => css('--line'), width: 1},
    ticks: {show: false}, font: '12px system-ui', labelFont: '12px system-ui', labelSize: 20,
    values: (u, splits) => splits.map(value => value === null ? null : Number(value.toPrecision(9)).toString())});
  const names = panel.names && {splits: () => panel.names.map((_, i) => panel.first + i), values: () => panel.names, size: 8 * Math.max(...panel.names.map(n => n.length)) + 20};
  const scale = (key, log) => ({time: false, auto: false, distr: log ? 3 : 1, min: full[key][0], max: full[key][1], range: (u, low, high) => [low, high]});
  const options = {
    mode: 2, width, height, legend: {show: false},
    scales: {x: scale('x', panel.xlog), y: scale('y', panel.ylog)},
    axes: [{...axis(panel.x || ''), size: 30, ...logarithmic(panel.xlog), ...(panel.xwhole && whole)},
      {...axis(panel.y || ''), size: 55, ...logarithmic(panel.ylog), ...(panel.ywhole && whole), ...names}],
    series: [{}, ...panel.curves.map(curve => ({facets: [{scale: 'x', auto: false}, {scale: 'y', auto: false}], paths: u => { drawCurve(u, curve); return null; }}))],
    cursor: {drag: {x: true, y: true, uni: 30}, points: {show: false}, dataIdx: () => null,
      bind: {dblclick: () => () => { reset(view); return null; }}},
    hooks: {
      drawClear: [u => drawPatches(u, panel)],
      draw: [u => { drawNotes(u, panel); if (view.point) drawPoint(u, ...view.point); }],
      setCursor: [u => {
        if (u.cursor.left < 0) { view.read.textContent = ''; follow(view, undefined); return; }
        const x = u.posToVal(u.cursor.left, 'x');
        readOff(view, x, u.posToVal(u.cursor.top, 'y'));
        follow(view, x);
      }],
    },
  };
  view.full = full;
  view.box = make('div', {class: 'panel', style: `width:${width}px`});
  if (panel.title) view.box.append(make('div', {class: 'name'}, panel.title));
  view.legend = make('div', {class: 'legend'});
  view.read = make('div', {class: 'read', 'aria-live': 'polite'});
  view.plot = make('div');
  view.box.append(view.plot, view.legend, view.read);
  into.append(view.box);
  view.u = new uPlot(options, [null, ...panel.curves.map(curve => [curve.x, curve.y])], view.plot);
  view.link = make('div', {class: 'link', style: 'height:100%'});
  view.u.over.append(view.link);
  view.u.over.addEventListener('mouseenter', () => view.u.syncRect(true)); /* what stands before it may have grown */
  view.u.over.addEventListener('touchmove', event => {
    const box = view.u.over.getBoundingClientRect(), finger = event.touches[0];
    view.u.setCursor({left: finger.clientX - box.left, top: finger.clientY - box.top});
  }, {passive: true});
  panel.curves.forEach((curve, i) => { if (curve.label) view.legend.append(legendButton(view, curve, i)); });
  if (panel.scale) view.legend.append(scaleBar(panel));
  if (panel.play === 'shape' || panel.play === 'orbit') view.legend.append(playButton(view));
  panels.push(view);
  return view;
};
const reset = view => {
  view.u.batch(() => {
    view.u.setScale('x', {min: view.full.x[0], max: view.full.x[1]});
    view.u.setScale('y', {min: view.full.y[0], max: view.full.y[1]});
  });
};
const legendButton = (view, curve, i) => {
  const mark = make('i', {style: `background:${colourOf(curve)}`});
  curve.mark = mark;
  const button = make('button', {type: 'button', 'aria-pressed': 'true', title: 'hide or show'}, mark, curve.label);
  button.addEventListener('click', () => {
    curve.shown = !curve.shown;
    for (const next of view.panel.curves.slice(i + 1)) {
      if (next.style !== 'dashed' && !next.same) break;
      if (next.colour === curve.colour && !curve.same) next.shown = curve.shown;
    }
    button.setAttribute('aria-pressed', String(curve.shown));
    view.u.redraw(false);
  });
  return button;
};
const scaleBar = panel => {
  let low = Infinity, high = -Infinity;
  for (let i = 8; i < panel.patches.length; i += 9) { low = Math.min(low, panel.patches[i]); high = Math.max(high, panel.patches[i]); }
  const colours = VIRIDIS.map(c => `rgb(${c})`).join(',');
  return make('span', {}, `${panel.scale}: ${digits(low)} `, make('i', {style: `width:8em;height:.7em;vertical-align:-.05em;background:linear-gradient(90deg,${colours})`}), digits(high));
};

/* ---- motion -------------------------------------------------------------------------------- */

const playButton = view => {
  const button = make('button', {type: 'button', class: 'play', 'aria-pressed': 'true'}, '▶ play');
  const curves = view.panel.curves, rest = curves[0], shape = curves[1];
  const whole = shape && {x: shape.x.slice(), y: shape.y.slice()};
  let running = false, begun;
  const swing = time => {
    const part = Math.cos(2 * Math.PI * time / 2);
    for (let i = 0; i < whole.x.length; i++) {
      shape.x[i] = rest.x[i] + part * (whole.x[i] - rest.x[i]);
      shape.y[i] = rest.y[i] + part * (whole.y[i] - rest.y[i]);
    }
  };
  const run = time => {
    const i = Math.floor(time * rest.x.length / 8) % rest.x.length;
    view.point = [rest.x[i], rest.y[i]];
  };
  const step = now => {
    if (!running) return;
    begun = begun || now;
    (view.panel.play === 'shape' ? swing : run)((now - begun) / 1000);
    view.u.redraw(false);
    view.frames = (view.frames || 0) + 1;
    requestAnimationFrame(step);
  };
  button.addEventListener('click', () => {
    running = !running;
    button.textContent = running ? '■ stop' : '▶ play';
    if (running) { begun = 0; requestAnimationFrame(step); }
  });
  return button;
};

/* ---- figures ------------------------------------------------------------------------------- */

const rowsOf = list => list.reduce((rows, panel) => { if (panel.beside && rows.length) rows[rows.length - 1].push(panel); else rows.push([panel]); return rows; }, []);
const widthFor = (into, cells) => {
  const room = into.clientWidth || 600, each = Math.floor((room - 16 * (cells - 1)) / cells);
  return each < 260 ? Math.min(room, 420) : Math.min(each, 1100);
};
const drawAll = (list, group, into) => {
  const rows = rowsOf(list), cells = Math.max(...rows.map(row => row.length));
  for (const panel of list) {
    const width = widthFor(into, panel.whole ? 1 : cells);
    draw(panel, group, into, width, panel.whole ? Math.min(520, Math.max(260, Math.round(width * 0.55))) : cells > 1 ? Math.max(210, Math.round(width * 0.62)) : Math.min(340, Math.max(220, Math.round(width * 0.42))));
  }
};

/* Loops, one at a time, with the response they belong to beside them. */
const drawChoices = (list, group, into) => {
  const slider = make('input', {type: 'range', min: 0, max: list.length - 1, value: 0, 'aria-label': 'which loop'});
  const output = make('output'), side = make('div', {class: 'plots'});
  into.classList.replace('plots', 'choices');
  const everything = make('button', {type: 'button'}, 'all side by side');
  into.append(make('div', {class: 'controls'}, slider, output, everything), side);
  const width = widthFor(side, 2), height = Math.max(240, Math.round(width * 0.7));
  const response = figures.filter(f => f.group === group).flatMap(f => f.data.panels).find(p => /^frequency/.test(p.x || '') && /amplitude/.test(p.y || ''));
  const loop = make('div'), curve = make('div');
  side.append(loop, curve);
  const beside = response && draw({...response, title: response.title || '', curves: response.curves.map(c => ({...c}))}, group, curve, width, height);
  let shown = null;
  const choose = () => {
    const panel = list[slider.value];
    if (shown) { panels.splice(panels.indexOf(shown), 1); shown.u.destroy(); shown.box.remove(); }
    shown = draw({...panel, play: 'orbit', title: ''}, group, loop, width, height);
    output.textContent = panel.choice || panel.title || '';
    if (!beside || !panel.at) return;
    /* the point of the response at this frequency, on the curve of this level */
    const level = (panel.choice || '').match(/level ([^,]+)/), of = beside.panel.curves;
    const on = of.find(c => level && c.label && c.label.startsWith('level ' + level[1])) || of[0], i = nearest(beside.u, on, panel.at);
    beside.point = i < 0 ? null : [on.x[i], on.y[i]];
    beside.u.redraw(false);
  };
  slider.addEventListener('input', choose);
  choose();
  everything.addEventListener('click', () => { everything.disabled = true; const all = make('div', {class: 'plots'}); into.append(all); drawAll(list.map(p => ({...p})), group, all); });
};

const figures = [...document.querySelectorAll('figure[data-group]')].map(element => {
  const source = element.dataset.of ? document.getElementById(element.dataset.of) : element;
  return {element, group: element.dataset.group, small: element.classList.contains('small'), data: JSON.parse(source.querySelector('script').textContent)};
});
const drawFigure = figure => {
  if (figure.done) return;
  figure.done = true;
  figure.element.classList.add('drawn');
  const into = make('div', {class: 'plots'}), list = figure.data.panels.map(panel => ({...panel, curves: panel.curves.map(curve => ({...curve}))}));
  const tools = make('button', {type: 'button', class: 'tools', title: 'drag in a plot to zoom, double-click to see all'}, 'show all');
  const first = panels.length;
  for (const panel of list) /* the legend of the first stands for all */
    panel.curves.forEach((curve, i) => { curve.called = list[0].curves.length === panel.curves.length ? list[0].curves[i].label : undefined; });
  figure.element.prepend(into);
  if (figure.small) drawAll(list.slice(0, 1).map(panel => ({...panel, play: undefined, notes: undefined})), figure.group + ' ', into);
  else if (list.length > 1 && list[0].play === 'choice') drawChoices(list, figure.group, into);
  else drawAll(list, figure.group, into);
  const mine = panels.slice(first);
  tools.addEventListener('click', () => mine.forEach(reset));
  if (!figure.small) figure.element.append(tools);
};

/* ---- the page ------------------------------------------------------------------------------ */

const repaint = () => {
  for (const view of panels) {
    for (const curve of view.panel.curves) if (curve.mark) curve.mark.style.background = colourOf(curve);
    view.u.redraw(false, true);
  }
};
const theme = make('button', {type: 'button', id: 'theme'}, 'light or dark');
theme.addEventListener('click', () => { document.documentElement.dataset.theme = isDark() ? 'light' : 'dark'; repaint(); });
document.querySelector('header').append(theme);
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', repaint);

/* Drawn when they come into sight: a report may have hundreds. */
const watch = new IntersectionObserver(seen => {
  for (const entry of seen) if (entry.isIntersecting) drawFigure(figures.find(figure => figure.element === entry.target));
}, {rootMargin: '400px'});
figures.forEach(figure => watch.observe(figure.element));
let narrow = innerWidth, waiting;
addEventListener('resize', () => {
  if (Math.abs(innerWidth - narrow) < 8) return;
  clearTimeout(waiting);
  waiting = setTimeout(() => { narrow = innerWidth; for (const figure of figures) if (figure.done) redraw(figure); }, 200);
});
const redraw = figure => {
  figure.element.querySelectorAll('.plots,.choices,.tools').forEach(part => part.remove());
  for (let i = panels.length; i-- > 0;) if (!panels[i].box.isConnected) { panels[i].u.destroy(); panels.splice(i, 1); }
  figure.done = false;
  drawFigure(figure);
};
window.fretwork = {figures, panels, drawAll: () => figures.forEach(drawFigure)}; /* for whoever looks closer */
})();
