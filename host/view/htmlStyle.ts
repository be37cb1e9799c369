/** Style sheet and table-sorting script of a report page. */
import { ABSENCE_COLORS } from '../draw/absences.js';
import {
  chooseReadableTextColor,
  makeStartDifferenceColorPairs,
  WAIT_CLASS_FILL_PAIRS,
} from '../draw/colors.js';
import { REPORT_STYLE_TOKENS, TABLE_CARDS_CSS } from './tokens.js';

/** Number of rows of a long table on a page that are visible before the reader unfolds it. */
const MAX_INITIALLY_SHOWN_ROWS = 20;

/**
 * CSS rules that replace the colours of drawings on dark pages, limited to colours that occur in the page.
 * @param pageHtml HTML of the page.
 */
export function makeDarkDrawingsCss(pageHtml: string): string {
  // A page with a Gantt chart can be recoloured by wait later, so it always needs the wait colours.
  const differenceColors = makeStartDifferenceColorPairs().filter(([light]) => pageHtml.includes(light));
  const { light: onLight, dark: onDark } = ABSENCE_COLORS;
  const absenceColors = pageHtml.includes(onLight.area)
    ? ([
        [onLight.area, onDark.area],
        [onLight.line, onDark.line],
      ] as const)
    : [];
  const rules = [...new Map([...differenceColors, ...WAIT_CLASS_FILL_PAIRS, ...absenceColors])].map(
    ([light, dark]) => {
      const rgbText = [1, 3, 5].map((at) => Number.parseInt(light.slice(at, at + 2), 16)).join(', ');
      return `.drawing [fill="${light}"] { fill: ${dark}; } .drawing [stroke="${light}"] { stroke: ${dark}; }
.drawing g[fill="${light}"] + g[fill] { fill: ${chooseReadableTextColor(dark)}; } .sample[style*="rgb(${rgbText})"] { color: ${dark} !important; }`;
    },
  );
  return `@media screen and (prefers-color-scheme: dark) {
.drawing g[stroke="#fff"] { stroke: var(--card); }
${rules.join('\n')}
}
`;
}

/** Name of the DOM event after a table was inserted into a page. */
export const TABLE_INSERTED_EVENT = 'table-made';

/** CSS class of the script element that holds the compressed code for interactive figures. */
export const FIGURE_CODE_CLASS = 'figure-code';

/** Style sheet: light or dark on screens as the reader prefers, light in print; nothing is loaded. */
export const REPORT_STYLE_SHEET = `
${REPORT_STYLE_TOKENS}
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body { margin: 0; background: var(--card); color: var(--ink); font: 16px/1.5 var(--font); font-variant-numeric: lining-nums tabular-nums; }
.page { max-width: 76rem; margin: 0 auto; padding: 2rem 1.5rem 4rem; }
a { color: var(--accent); }
h1 { font-size: 1.75rem; line-height: 1.25; margin: 0 0 .5rem; text-wrap: balance; overflow-wrap: anywhere; }
h2 { font-size: 1.25rem; line-height: 1.3; margin: 3rem 0 1rem; padding-bottom: .3rem;
  border-bottom: 1px solid var(--line); }
p, li { max-width: 44rem; overflow-wrap: anywhere; }
p, figcaption { text-wrap: pretty; }
.entry { white-space: nowrap; }
header p { margin: .5rem 0; }
.source, figcaption, .unit, .notes, .evidence { color: var(--muted); }
.unit { font-weight: normal; white-space: nowrap; }
nav ul { list-style: none; margin: 0; padding: 0; font-size: .875rem; line-height: 1.35; }
nav li { margin: .3rem 0; }
nav ul ul { margin: .2rem 0 .5rem .8rem; }
nav a { text-decoration: none; }
nav a:hover, nav a:focus { text-decoration: underline; }
nav summary { cursor: pointer; font-weight: 600; }
@media screen and (min-width: 68rem) {
  .page { display: grid; grid-template-columns: 13rem minmax(0, 1fr); column-gap: 3rem; }
  nav { position: sticky; top: 2rem; align-self: start; max-height: calc(100vh - 4rem); overflow-y: auto; }
}
@media screen and (max-width: 67.99rem) { nav { margin-bottom: 2rem; } }
.highlights { display: grid; grid-template-columns: repeat(auto-fit, minmax(8.5rem, 1fr)); gap: 1px; margin: 1.5rem 1px; }
.highlights div { box-shadow: 0 0 0 1px var(--line); padding: .7rem .9rem; display: flex; flex-direction: column; }
.highlights dt { font-size: .8125rem; color: var(--muted); }
.highlights dd { margin: auto 0 0; font-size: 1.25rem; }
.highlights .long { grid-column: span 2; }
.highlights .long dd { font-size: 1rem; }
.checks { list-style: none; padding: 0; }
.checks li { padding: .45rem 0 .45rem 9.5rem; position: relative; max-width: 52rem; border-top: 1px solid var(--line); }
.checks .verdict { position: absolute; left: 0; width: 9rem; font-weight: 600; }
.evidence { display: block; font-size: .875rem; }
.in, .confirmed { color: var(--good); }
.out, .contradicted { color: var(--fault); }
.verdict.open { color: var(--muted); }
.frame { overflow-x: auto; position: relative; background: linear-gradient(to left, var(--card) 1rem, transparent 3rem) local,
  linear-gradient(to left, rgb(128 128 128 / .45), transparent .7rem); }
figure.table { margin-bottom: 2.5rem; }
.frame:focus-visible { outline: 2px solid var(--accent); }
table { border-collapse: collapse; font-size: .875rem; line-height: 1.35; }
figcaption b { color: var(--ink); font-size: 1rem; }
th, td { padding: .25rem .75rem; vertical-align: baseline; }
table:has(td:nth-child(8)) :is(th, td) { padding-left: .4rem; padding-right: .4rem; }
th:first-child, td:first-child { padding-left: .25rem; }
td:has(.in, .out, .sign), td code { white-space: nowrap; }
td code { font-size: .8125rem; user-select: all; }
thead th { vertical-align: bottom; }
thead { border-bottom: 1px solid var(--muted); border-top: 2px solid var(--muted); }
table { border-bottom: 2px solid var(--muted); }
.left { text-align: left; }
.right { text-align: right; white-space: nowrap; }
thead .right { white-space: normal; }
th[scope="row"] { font-weight: 600; white-space: nowrap; }
.plain:has(thead th:nth-child(8)) th[scope="row"] { white-space: normal; min-width: 8rem; }
.tall th[rowspan][scope="row"] { white-space: normal; max-width: 11rem; }
.plain tbody tr + tr, .wide tbody tr + tr { border-top: 1px solid var(--line); }
.tall th, .tall td { padding-left: .5rem; padding-right: .5rem; }
.tall tbody, tfoot { border-top: 1px solid var(--muted); }
.tall .value td, .tall .value .part { background: var(--page); }
.tall .value strong, .wide strong { font-weight: 700; text-decoration: underline; text-underline-offset: .2em; }
.tall th.part { padding-left: .5rem; font-weight: normal; color: var(--muted); }
td.low, td.high { color: var(--muted); }
.tall th[rowspan] { vertical-align: top; }
.group { text-align: center; }
.in, .out { display: inline-block; }
td .in, td .out, td .sign { display: inline-block; width: 1.1em; text-align: right; }
.wide td:not(.published) .in:empty { display: none; }
.tall.marked thead .right { padding-right: calc(.5rem + 1.1em); }
td sup { position: absolute; line-height: 1; }
thead .sort { all: unset; cursor: pointer; }
thead .sort:focus-visible { outline: 2px solid var(--accent); }
[aria-sort="ascending"] .sort::after { content: " ▲"; font-size: .7em; }
[aria-sort="descending"] .sort::after { content: " ▼"; font-size: .7em; }
.folded .plain tbody tr:nth-child(n + ${MAX_INITIALLY_SHOWN_ROWS + 1}), .folded .wide tbody tr:nth-child(n + ${MAX_INITIALLY_SHOWN_ROWS + 1}),
  .folded .tall tbody:nth-of-type(n + ${MAX_INITIALLY_SHOWN_ROWS + 1}) { display: none; }
.fold { font-size: .8125rem; color: var(--muted); margin: .4rem 0; }
button { font: inherit; color: inherit; background: var(--card); border: 1px solid var(--line); border-radius: 3px;
  padding: .1rem .5rem; min-height: 1.6rem; cursor: pointer; }
.notes { font-size: .8125rem; padding-left: 1.4rem; }
figure { margin: 1.5rem 0 3rem; }
.data { font-size: .8125rem; margin: .3rem 0 0; }
figure.table + .data { margin: -2rem 0 2.5rem; }
figcaption { font-size: .875rem; max-width: 46rem; margin-bottom: .8rem; }
.drawing { overflow-x: auto; }
.drawing svg { display: block; width: 100%; height: auto; color: var(--ink); }
.narrow-page { display: none; max-width: 30rem; }
.values { font-size: .8125rem; margin: .4rem 0; }
.values > summary { cursor: pointer; width: max-content; }
.values figure { margin: .5rem 0; }
.values figcaption b { font-size: .8125rem; }
.values .frame { max-height: 24rem; overflow: auto; }
.data .save { margin-left: 1rem; }
.data .save button { margin-left: .25rem; }
.live:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.hair { position: absolute; width: 1px; pointer-events: none; background: var(--muted); }
.controls { display: flex; flex-wrap: wrap; align-items: center; gap: .4rem 1rem; font-size: .8125rem; margin-bottom: .4rem; }
.controls select { font: inherit; color: inherit; background: var(--card); border: 1px solid var(--line);
  border-radius: 3px; padding: .1rem .5rem; min-height: 1.6rem; cursor: pointer; max-width: 16rem; }
.controls button:disabled { color: var(--muted); opacity: .5; cursor: default; }
.controls :focus-visible { outline: 2px solid var(--accent); }
.controls .buttons { display: inline-flex; gap: .25rem; }
.controls .buttons [aria-pressed="true"] { background: var(--page); border-color: var(--muted); font-weight: 600; }
.legend { display: flex; flex-wrap: wrap; gap: .1rem .9rem; flex-basis: 100%; }
.legend[hidden] { display: none; }
.controls .legend button { border: 0; padding: .1rem .2rem; }
.controls [hidden] { display: none; }
.legend .sample { margin-right: .35rem; }
.controls .legend [aria-pressed="false"] { color: var(--muted); text-decoration: line-through; }
.legend [aria-pressed="false"] .sample { opacity: .35; }
.live { position: relative; touch-action: pan-y; user-select: none; }
.drawing .live svg { cursor: crosshair; }
.plot-area { pointer-events: none; }
.live .pale { opacity: .3; }
.live .pointed .band { display: inline; }
.part-marked { position: absolute; pointer-events: none; background: var(--accent); opacity: .18; }
.tooltip { position: fixed; z-index: 2; pointer-events: none; max-width: 22rem; background: var(--card); color: var(--ink);
  border: 1px solid var(--muted); border-radius: 3px; padding: .4rem .6rem; font-size: .8125rem; line-height: 1.35;
  box-shadow: 0 2px 8px rgb(0 0 0 / .2); }
.tooltip[hidden] { display: none; }
.tooltip dl { display: grid; grid-template-columns: auto auto; gap: 0 .75rem; margin: .2rem 0 0; }
.tooltip dt { color: var(--muted); }
.tooltip dd { margin: 0; text-align: right; }
dl.facts { display: grid; grid-template-columns: minmax(0, max-content) minmax(0, 1fr); gap: .35rem 1.5rem; font-size: .875rem; }
dl.facts div { display: contents; }
dl.facts dt { color: var(--muted); }
dl.facts dd { margin: 0; overflow-wrap: anywhere; }
dl.rules dt { font-weight: 600; margin-top: 1rem; max-width: 44rem; }
dl.rules dd { margin: .2rem 0 0; max-width: 44rem; }
pre { background: var(--page); border: 1px solid var(--line); padding: .8rem 1rem; font-size: .8125rem; line-height: 1.5;
  white-space: pre-wrap; overflow-wrap: anywhere; }
.spoken { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
@media (max-width: 40rem) {
  .checks li { padding-left: 0; }
  .checks .verdict { position: static; display: block; }
  .page { padding: 1rem .75rem 3rem; }
  .wide-page:has(+ .narrow-page) { display: none; }
  .narrow-page { display: block; }
  .wide-page:last-child svg { min-width: 44rem; }
  th, td { padding-left: .4rem; padding-right: .4rem; }
  .right, th[scope="row"], .plain:has(thead th:nth-child(8)) th[scope="row"] { white-space: normal; min-width: 0; }
  th, td { overflow-wrap: anywhere; }
  td:has(.in, .out, .sign), td code { white-space: normal; }
  table { font-size: .8125rem; }
  dl.facts { grid-template-columns: minmax(0, 1fr); row-gap: 0; }
  dl.facts dd { margin-bottom: .5rem; }
}
${TABLE_CARDS_CSS}
@page { margin: 18mm 16mm; }
@media print {
  :root { color-scheme: light; }
  body { font-size: 10pt; }
  .page { max-width: none; padding: 0; }
  nav, .data, .values, .hint, .fold button, .controls > :not(.legend), .tooltip { display: none; }
  a { color: inherit; text-decoration: none; }
  h2 { break-after: avoid; margin-top: 2rem; }
  figure, .highlights, .checks li, tbody tr, .tall tbody { break-inside: avoid; }
  figure.table.long { break-inside: auto; }
  figcaption { break-after: avoid; }
  thead { display: table-header-group; }
  .frame, .drawing { overflow: visible; }
  .drawing .wide-page svg { min-width: 0; }
  .drawing svg { width: 100%; max-height: 24cm; }
  table { font-size: 8.5pt; }
  th, td { padding: .15rem .5rem; }
}
`;

/** Script that sorts and folds tables, and starts the interactive figures. */
export const REPORT_SCRIPT = `
// The cells of some rows by column, each in every column and row that it spans.
const columnsOf = (rows) => {
  const columns = [];
  rows.forEach((row, line) => {
    let column = 0;
    for (const cell of row.cells) {
      while (columns[column]?.[line] !== undefined) column++;
      for (let i = column; i < column + cell.colSpan; i++)
        for (let j = line; j < line + cell.rowSpan; j++) (columns[i] ??= [])[j] = cell;
    }
  });
  return columns;
};
const fold = (table, count) => {
  const figure = table.closest('figure');
  const words = document.createElement('p');
  const button = document.createElement('button');
  const show = (isFolded) => {
    figure.classList.toggle('folded', isFolded);
    words.firstChild.textContent = isFolded ? '${MAX_INITIALLY_SHOWN_ROWS} of ' + count + ' rows are shown. ' : 'All ' + count + ' rows are shown. ';
    button.textContent = isFolded ? 'show all ' + count + ' rows' : 'show ${MAX_INITIALLY_SHOWN_ROWS} rows';
  };
  words.className = 'fold';
  button.onclick = () => show(!figure.classList.contains('folded'));
  words.append('', button);
  table.parentElement.after(words);
  show(true);
};
const enliven = (table) => {
  const isTall = table.classList.contains('tall');
  const groups = isTall ? [...table.tBodies] : [...table.tBodies[0].rows];
  if (groups.length > ${MAX_INITIALLY_SHOWN_ROWS}) fold(table, groups.length);
  if (groups.length < 3) return;
  const heads = [...table.tHead.rows].flatMap((row) => [...row.cells]).filter((head) => head.textContent !== '');
  const layout = columnsOf([...table.tHead.rows]);
  const cells = new Map(groups.map((group) => [group, columnsOf(isTall ? [...group.rows] : [group])]));
  for (const head of heads) {
    const places = layout.flatMap((column, i) => (column.includes(head) ? [i] : []));
    const key = (group) => {
      const own = places.flatMap((i) => cells.get(group)[i]);
      const cell = own.find((each) => !each.matches('.published, .low, .high')) ?? own[0];
      return cell.dataset.value ?? cell.textContent;
    };
    const order = (a, b) => Number(a) - Number(b) || String(a).localeCompare(String(b), 'en', { numeric: true });
    const button = document.createElement('button');
    button.className = 'sort';
    button.title = 'sort by this column';
    button.append(...head.childNodes);
    head.append(button);
    button.onclick = () => {
      const isUp = head.getAttribute('aria-sort') !== 'ascending';
      const isThere = (group) => key(group) !== '\u2013';
      const found = groups.filter(isThere).sort((a, b) => (isUp ? 1 : -1) * order(key(a), key(b)));
      for (const other of heads) other.removeAttribute('aria-sort');
      head.setAttribute('aria-sort', isUp ? 'ascending' : 'descending');
      const sorted = [...found, ...groups.filter((group) => !isThere(group))];
      if (isTall) table.tHead.after(...sorted);
      else table.tBodies[0].append(...sorted);
    };
  }
};
for (const table of document.querySelectorAll('.table table')) enliven(table);
document.addEventListener('${TABLE_INSERTED_EVENT}', ({ target }) => enliven(target));

// Results come first if the contents do not fit beside them.
const contents = document.querySelector('nav details');
if (contents !== null && matchMedia('(max-width: 67.99rem)').matches) contents.open = false;

// Figures become live when the first of them comes near; without scripts, or in an old browser, their drawings stay.
const code = document.querySelector('.${FIGURE_CODE_CLASS}');
const drawings = [...document.querySelectorAll('figure > .drawing')];
if (code !== null && drawings.length > 0 && 'DecompressionStream' in window) {
  const watch = new IntersectionObserver(async (entries) => {
    if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
    watch.disconnect();
    const packed = Uint8Array.from(atob(code.textContent), (character) => character.charCodeAt(0));
    const unpacked = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));
    const script = document.createElement('script');
    script.textContent = await new Response(unpacked).text();
    document.body.append(script);
  }, { rootMargin: '600px' });
  for (const drawing of drawings) watch.observe(drawing);
}
`;
