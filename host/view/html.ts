/** A report as one page of HTML that needs nothing else: no network, no fonts, no further files. */
import { gunzipSync } from 'node:zlib';
import {
  DATA_CLASS,
  type Drawing,
  drawingSvg,
  hidesBands,
  narrowSvg,
  VALUES_CLASS,
  writeDrawing,
} from '../draw/drawing.js';
import { escapeMarkup, type PictureWords } from '../draw/svg.js';
import { scriptHash } from '../files/hash.js';
import { formatNumber } from '../format/numbers.js';
import { PLOT_FOLDER } from '../results/resultFolder.js';
import { drawingTable } from './drawingTable.js';
import { TABLE_FOLDER } from './files.js';
import { CODE_CLASS, darkDrawings, SCRIPT, STYLE } from './htmlStyle.js';
import { tableAnchor, tableHtml } from './htmlTable.js';
import {
  countedVerdicts,
  type Report,
  type ReportCheck,
  type ReportFact,
  type ReportFile,
  VERDICT_SIGNS,
} from './report.js';

/** A drawing with its words. */
export interface Picture extends PictureWords {
  /** A whole `<svg>` element. */
  readonly svg: string;
  /** True if it is in the page alone, and not as a file beside it too. */
  readonly isAlone?: boolean;
  /** Drawing as data, where the page can draw it for its width. */
  readonly live?: Drawing;
}

/** Draws it, for a page that can draw it again, and as a file beside the page. */
export function pictureOf(live: Drawing): Picture {
  const { id, title, caption } = 'panels' in live ? live : live.words;
  return { id, title, caption, svg: drawingSvg(live), live };
}

/** A part of the page with its place in the contents. */
interface Section {
  readonly id: string;
  readonly title: string;
  readonly body: string;
  /** Tables or drawings of the group. */
  readonly entries: readonly { readonly id: string; readonly title: string }[];
}

/** The page may run these scripts and use what it carries, and nothing from anywhere else. */
function policy(scripts: readonly string[]): string {
  const hashes = scripts.map(scriptHash).join(' ');
  return `default-src 'none'; style-src 'unsafe-inline'; script-src ${hashes}; img-src data:`;
}

function paragraphs(text: string): string {
  return text
    .split(/\n\s*\n/)
    .filter((paragraph) => paragraph.trim() !== '')
    .map((paragraph) => `<p>${escapeMarkup(paragraph)}</p>`)
    .join('\n');
}

/** Characters of a fact that fit beside others. */
const SHORT_FACT = 20;

function factList(facts: readonly ReportFact[], className: string): string {
  if (facts.length === 0) return '';
  const entries = facts.map(({ label, value }) => {
    const size = value.length > SHORT_FACT ? ' class="long"' : '';
    return `<div${size}><dt>${escapeMarkup(label)}</dt><dd>${escapeMarkup(value)}</dd></div>`;
  });
  return `<dl class="${className}">${entries.join('\n')}</dl>`;
}

/** A SHA-256 sum. */
const SUM = /^[0-9a-f]{64}$/;

function foldedFacts(title: string, facts: readonly ReportFact[]): string {
  if (facts.length === 0) return '';
  return `<details><summary>${title}</summary>${factList(facts, 'facts')}</details>`;
}

/** Facts, with default settings folded away, and sums, which only programs read. */
function environmentHtml(facts: readonly ReportFact[]): string {
  const isSum = ({ value }: ReportFact) => SUM.test(value);
  const shown = facts.filter((fact) => !isSum(fact) && !fact.isDefault);
  return (
    factList(shown, 'facts') +
    foldedFacts(
      'Default settings',
      facts.filter(({ isDefault }) => isDefault),
    ) +
    foldedFacts('SHA-256 sums', facts.filter(isSum))
  );
}

function checkItem({ sentence, verdict: verdictText, evidence }: ReportCheck): string {
  const verdict = `<span class="verdict ${escapeMarkup(verdictText)}">${VERDICT_SIGNS[verdictText]} ${escapeMarkup(verdictText)}</span>`;
  const numbers = evidence === '' ? '' : ` <span class="evidence">${escapeMarkup(evidence)}</span>`;
  return `<li>${verdict} ${escapeMarkup(sentence)}${numbers}</li>`;
}

/** The data of a drawing, escaped so that HTML does not take it for markup. */
function dataHtml(data: Drawing): string {
  const json = writeDrawing(data).replaceAll('<', '\\u003c');
  return `<script type="application/json" class="${DATA_CLASS}">${json}</script>`;
}

/** Anchor of a drawing in its page. */
const pictureAnchor = (id: string) => `figure-${id}`;

/** Rows of values that are in a page; longer tables are made there when they are opened, and are files. */
const MAX_VALUES = 100;

/** The values behind a drawing, folded away. */
function valuesHtml(drawing: Drawing): string {
  const table = drawingTable(drawing);
  const { length } = table.rows;
  const body =
    length <= MAX_VALUES ? tableHtml(table) : `<p>${formatNumber(length)} rows: see the CSV file below.</p>`;
  return `<details class="${VALUES_CLASS}"><summary>Values</summary><div>${body}</div></details>`;
}

/** Replacement of a drawing on narrow screens and on paper, until the page draws it. */
const narrowHtml = (live: Drawing) => `<div class="narrow-page">${narrowSvg(live)}</div>`;

/** The remark on intervals that would hide each other. */
const BAND_HINT = '<span class="hint">Point at a line to see its interval; Values has all of them.</span>';

function pictureHtml({ id, title, caption, svg, isAlone = false, live }: Picture): string {
  const isHint = live !== undefined && hidesBands(live);
  const sentences = [escapeMarkup(caption), isHint ? BAND_HINT : ''].filter((text) => text !== '').join(' ');
  const words = sentences === '' ? '' : `<br>${sentences}`;
  const kinds = ['SVG', 'PDF', ...(live === undefined ? [] : ['CSV'])];
  const links = (isAlone ? [] : kinds).map(
    (name) => `<a href="${PLOT_FOLDER}/${id}.${name.toLowerCase()}">${name}</a>`,
  );
  return [
    `<figure id="${pictureAnchor(id)}">`,
    `<figcaption><b>${escapeMarkup(title)}</b>${words}</figcaption>`,
    `<div class="drawing"><div class="wide-page">${svg}</div>${live === undefined ? '' : narrowHtml(live)}</div>`,
    ...(live === undefined ? [] : [valuesHtml(live)]),
    `<p class="data">${links.join(', ')}</p>`,
    ...(live === undefined ? [] : [dataHtml(live)]),
    '</figure>',
  ].join('\n');
}

/** A file in the folder of the page, or in one below: nothing else is linked. */
const BESIDE = /^(?:\w[\w=.,[\]-]*\/)?[\w-]+\.[a-z]+$/;

function tableLinks(id: string, files: readonly ReportFile[]): string {
  const own = files.filter(({ path }) => path.startsWith(`${TABLE_FOLDER}/${id}.`));
  if (own.length === 0) return '';
  const links = own.map(
    ({ path, meaning }) => `<a href="${escapeMarkup(path)}">${escapeMarkup(meaning)}</a>`,
  );
  return `<p class="data">${links.join(', ')}</p>`;
}

/** A folder with one of these is one of results that the explorer takes. */
const EXPLORED = ['config.json', 'environment.json'];

/** The files that belong to no table alone. */
function fileList(files: readonly ReportFile[]): string {
  const others = files.filter(({ path }) => !path.startsWith(`${TABLE_FOLDER}/`));
  if (others.length === 0) return '';
  const entries = others.map(({ path, meaning }) => {
    const name = escapeMarkup(path);
    return `<div><dt><a href="${name}">${name}</a></dt><dd>${escapeMarkup(meaning)}</dd></div>`;
  });
  const isExplored = others.some(({ path }) => EXPLORED.includes(path.replace(/^.*\//, '')));
  const hint = isExplored
    ? '<p>In this folder, <code>gridalloc explore .</code> opens the explorer with these jobs, settings and methods.</p>'
    : '';
  return `<dl class="facts">${entries.join('\n')}</dl>${hint}`;
}

function sectionsOf(report: Report, pictures: readonly Picture[]): Section[] {
  const { highlights, checks, tables, notes, commands, environment } = report;
  const files = report.files.filter(({ path }) => BESIDE.test(path));
  const plain = (id: string, title: string, body: string): Section => ({ id, title, body, entries: [] });
  const rules = notes.map(
    ({ rule, effect }) => `<dt>${escapeMarkup(rule)}</dt><dd>${escapeMarkup(effect)}</dd>`,
  );
  const tabled: Section = {
    id: 'part-tables',
    title: 'Tables',
    body: tables.map((table) => tableHtml(table) + tableLinks(table.id, files)).join('\n'),
    entries: tables.map(({ id, title }) => ({ id: tableAnchor(id), title })),
  };
  const drawn: Section = {
    id: 'part-figures',
    title: 'Figures',
    body: pictures.map(pictureHtml).join('\n'),
    entries: pictures.map(({ id, title }) => ({ id: pictureAnchor(id), title })),
  };
  const sections = [
    plain('part-summary', 'Summary', factList(highlights, 'highlights')),
    plain(
      'part-checks',
      `Checks: ${countedVerdicts(checks)}`,
      checks.length === 0 ? '' : `<ul class="checks">${checks.map(checkItem).join('\n')}</ul>`,
    ),
    drawn,
    tabled,
    plain(
      'part-rules',
      'Assumptions and their effect',
      rules.length === 0 ? '' : `<dl class="rules">${rules.join('\n')}</dl>`,
    ),
    plain(
      'part-reproduce',
      'How to reproduce this',
      commands.length === 0 ? '' : `<pre>${escapeMarkup(commands.join('\n'))}</pre>`,
    ),
    plain('part-data', 'Data', fileList(files)),
    plain('part-environment', 'Settings and environment', environmentHtml(environment)),
  ];
  return sections.filter(({ body }) => body !== '');
}

function contents(sections: readonly Section[]): string {
  const link = ({ id, title }: { id: string; title: string }) =>
    `<a href="#${id}">${escapeMarkup(title)}</a>`;
  const items = sections.map((section) => {
    const inner = section.entries.map((entry) => `<li>${link(entry)}</li>`).join('');
    return `<li>${link(section)}${inner === '' ? '' : `<ul>${inner}</ul>`}</li>`;
  });
  return `<nav aria-label="Contents"><details open><summary>Contents</summary><ul>${items.join('\n')}</ul></details></nav>`;
}

/**
 * The page of a report.
 * @param pictures the drawings in their order: `figureSvg` of the report's figures, and any others. Ids are unique
 * among tables, and among pictures.
 * @param code what makes the figures live, packed with gzip; without it the drawings stay as they are.
 */
export function renderHtml(report: Report, pictures: readonly Picture[], code?: Uint8Array): string {
  const sections = sectionsOf(report, pictures);
  const body = sections.map(
    ({ id, title, body }) =>
      `<section aria-labelledby="${id}"><h2 id="${id}">${escapeMarkup(title)}</h2>\n${body}\n</section>`,
  );
  const scripts = [SCRIPT, ...(code === undefined ? [] : [gunzipSync(code).toString()])];
  const packed = code === undefined ? '' : Buffer.from(code).toString('base64');
  const source = report.source === '' ? '' : `<p class="source">${escapeMarkup(report.source)}</p>`;
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy(scripts)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="gridalloc">
<link rel="icon" href="data:,">
<title>${escapeMarkup(report.title)}</title>
<style>${STYLE}${darkDrawings(body.join())}</style>
</head>
<body>
<div class="page">
${contents(sections)}
<main>
<header><h1>${escapeMarkup(report.title)}</h1>
${source}
${paragraphs(report.description)}</header>
${body.join('\n')}
</main>
</div>
${packed === '' ? '' : `<script type="text/plain" class="${CODE_CLASS}">${packed}</script>\n`}<script>${SCRIPT}</script>
</body>
</html>
`;
}
