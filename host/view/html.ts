/** Reports as a single HTML page without network access, external fonts or further files. */
import { gunzipSync } from 'node:zlib';
import {
  type Drawing,
  drawingSvg,
  FIGURE_DATA_CLASS,
  hidesConfidenceBands,
  narrowSvg,
  VALUES_TABLE_CLASS,
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

/** Drawing as SVG with its title and description. */
export interface Picture extends PictureWords {
  /** Complete `<svg>` element. */
  readonly svg: string;
  /** True if the drawing is only in the page, not also a separate file. */
  readonly isAlone?: boolean;
  /** Data of the drawing, if the page can redraw it for its width. */
  readonly live?: Drawing;
}

/** Draws a drawing as SVG and keeps its data, for pages and files. */
export function pictureOf(live: Drawing): Picture {
  const { id, title, caption } = 'panels' in live ? live : live.words;
  return { id, title, caption, svg: drawingSvg(live), live };
}

/** Section of the page, with its entry in the table of contents. */
interface PageSection {
  readonly id: string;
  readonly title: string;
  readonly body: string;
  /** Tables or drawings of the section. */
  readonly entries: readonly { readonly id: string; readonly title: string }[];
}

/** Content security policy of a page: only its own scripts run, and nothing is loaded from elsewhere. */
function policy(scripts: readonly string[]): string {
  const hashesByCodeName = scripts.map(scriptHash).join(' ');
  return `default-src 'none'; style-src 'unsafe-inline'; script-src ${hashesByCodeName}; img-src data:`;
}

function paragraphsHtml(text: string): string {
  return text
    .split(/\n\s*\n/)
    .filter((paragraph) => paragraph.trim() !== '')
    .map((paragraph) => `<p>${escapeMarkup(paragraph)}</p>`)
    .join('\n');
}

/** Number of characters up to which facts are placed side by side. */
const SHORT_FACT = 20;

function factList(facts: readonly ReportFact[], className: string): string {
  if (facts.length === 0) return '';
  const entries = facts.map(({ label, value }) => {
    const size = value.length > SHORT_FACT ? ' class="long"' : '';
    return `<div${size}><dt>${escapeMarkup(label)}</dt><dd>${escapeMarkup(value)}</dd></div>`;
  });
  return `<dl class="${className}">${entries.join('\n')}</dl>`;
}

/** Pattern of a SHA-256 hash. */
const SUM_LABEL = /^[0-9a-f]{64}$/;

function foldedFacts(title: string, facts: readonly ReportFact[]): string {
  if (facts.length === 0) return '';
  return `<details><summary>${title}</summary>${factList(facts, 'facts')}</details>`;
}

/** HTML of the environment facts; default settings and hashes are folded away. */
function environmentHtml(facts: readonly ReportFact[]): string {
  const isSum = ({ value }: ReportFact) => SUM_LABEL.test(value);
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

/** Script element with the data of a drawing, escaped for HTML. */
function dataHtml(data: Drawing): string {
  const json = writeDrawing(data).replaceAll('<', '\\u003c');
  return `<script type="application/json" class="${FIGURE_DATA_CLASS}">${json}</script>`;
}

/** HTML anchor of a drawing. */
const pictureAnchor = (id: string) => `figure-${id}`;

/**
 * Largest number of rows that a page contains for a drawing's values; longer tables are created when
 * opened.
 */
const MAX_VALUES = 100;

/** HTML of the table of a drawing's values, folded away. */
function valuesHtml(drawing: Drawing): string {
  const table = drawingTable(drawing);
  const { length } = table.rows;
  const body =
    length <= MAX_VALUES ? tableHtml(table) : `<p>${formatNumber(length)} rows: see the CSV file below.</p>`;
  return `<details class="${VALUES_TABLE_CLASS}"><summary>Values</summary><div>${body}</div></details>`;
}

/** Static version of a drawing for narrow screens and print, until the page redraws it. */
const narrowHtml = (live: Drawing) => `<div class="narrow-page">${narrowSvg(live)}</div>`;

/** Hint shown where overlapping intervals are hidden. */
const BAND_HINT = '<span class="hint">Point at a line to see its interval; Values has all of them.</span>';

function pictureHtml({ id, title, caption, svg, isAlone = false, live }: Picture): string {
  const isHint = live !== undefined && hidesConfidenceBands(live);
  const messageSentences = [escapeMarkup(caption), isHint ? BAND_HINT : '']
    .filter((text) => text !== '')
    .join(' ');
  const words = messageSentences === '' ? '' : `<br>${messageSentences}`;
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

/** Pattern of linkable files: in the folder of the page or one level below. */
const PICTURE_FORMATS = /^(?:\w[\w=.,[\]-]*\/)?[\w-]+\.[a-z]+$/;

function tableLinks(id: string, files: readonly ReportFile[]): string {
  const own = files.filter(({ path }) => path.startsWith(`${TABLE_FOLDER}/${id}.`));
  if (own.length === 0) return '';
  const links = own.map(
    ({ path, meaning }) => `<a href="${escapeMarkup(path)}">${escapeMarkup(meaning)}</a>`,
  );
  return `<p class="data">${links.join(', ')}</p>`;
}

/** Files that mark a results folder which the explorer can open. */
const EXPLORER_FILES = ['config.json', 'environment.json'];

/** HTML list of the files that belong to no single table. */
function fileList(files: readonly ReportFile[]): string {
  const otherEntries = files.filter(({ path }) => !path.startsWith(`${TABLE_FOLDER}/`));
  if (otherEntries.length === 0) return '';
  const entries = otherEntries.map(({ path, meaning }) => {
    const name = escapeMarkup(path);
    return `<div><dt><a href="${name}">${name}</a></dt><dd>${escapeMarkup(meaning)}</dd></div>`;
  });
  const isExplored = otherEntries.some(({ path }) => EXPLORER_FILES.includes(path.replace(/^.*\//, '')));
  const hint = isExplored
    ? '<p>In this folder, <code>gridalloc explore .</code> opens the explorer with these jobs, settings and methods.</p>'
    : '';
  return `<dl class="facts">${entries.join('\n')}</dl>${hint}`;
}

function sectionsOf(report: Report, pictures: readonly Picture[]): PageSection[] {
  const { highlights, checks, tables, notes, commands, environment } = report;
  const files = report.files.filter(({ path }) => PICTURE_FORMATS.test(path));
  const plain = (id: string, title: string, body: string): PageSection => ({ id, title, body, entries: [] });
  const rules = notes.map(
    ({ rule, effect }) => `<dt>${escapeMarkup(rule)}</dt><dd>${escapeMarkup(effect)}</dd>`,
  );
  const tabled: PageSection = {
    id: 'part-tables',
    title: 'Tables',
    body: tables.map((table) => tableHtml(table) + tableLinks(table.id, files)).join('\n'),
    entries: tables.map(({ id, title }) => ({ id: tableAnchor(id), title })),
  };
  const drawn: PageSection = {
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

function contentsHtml(sections: readonly PageSection[]): string {
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
${contentsHtml(sections)}
<main>
<header><h1>${escapeMarkup(report.title)}</h1>
${source}
${paragraphsHtml(report.description)}</header>
${body.join('\n')}
</main>
</div>
${packed === '' ? '' : `<script type="text/plain" class="${CODE_CLASS}">${packed}</script>\n`}<script>${SCRIPT}</script>
</body>
</html>
`;
}
