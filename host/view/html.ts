/** Reports as a single HTML page without network access, external fonts or further files. */
import { gunzipSync } from 'node:zlib';
import {
  type Drawing,
  drawDrawingSvg,
  drawNarrowSvg,
  FIGURE_DATA_CLASS,
  isBandShownOnHoverOnly,
  serializeDrawing,
  VALUES_TABLE_CLASS,
} from '../draw/drawing.js';
import { escapeMarkup, type PictureWords } from '../draw/svg.js';
import { computeContentSecurityHash } from '../files/hash.js';
import { formatNumber } from '../format/numbers.js';
import { FIGURES_FOLDER_NAME } from '../results/resultFolder.js';
import { makeDrawingTable } from './drawingTable.js';
import { REPORT_TABLES_FOLDER } from './files.js';
import { FIGURE_CODE_CLASS, makeDarkDrawingsCss, REPORT_SCRIPT, REPORT_STYLE_SHEET } from './htmlStyle.js';
import { makeTableAnchorId, makeTableHtml } from './htmlTable.js';
import {
  formatVerdictCounts,
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
export function makePictureOfDrawing(live: Drawing): Picture {
  const { id, title: pictureTitle, caption } = 'panels' in live ? live : live.words;
  return { id, title: pictureTitle, caption, svg: drawDrawingSvg(live), live };
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
function makePageSecurityPolicy(scripts: readonly string[]): string {
  const scriptHashes = scripts.map(computeContentSecurityHash).join(' ');
  return `default-src 'none'; style-src 'unsafe-inline'; script-src ${scriptHashes}; img-src data:`;
}

function makeParagraphsHtml(paragraphsText: string): string {
  return paragraphsText
    .split(/\n\s*\n/)
    .filter((paragraph) => paragraph.trim() !== '')
    .map((paragraph) => `<p>${escapeMarkup(paragraph)}</p>`)
    .join('\n');
}

/** Number of characters up to which facts are placed side by side. */
const MAX_SHORT_FACT_LENGTH = 20;

function makeFactListHtml(facts: readonly ReportFact[], className: string): string {
  if (facts.length === 0) return '';
  const factsHtml = facts.map(({ label: factLabel, value: factValue }) => {
    const classAttribute = factValue.length > MAX_SHORT_FACT_LENGTH ? ' class="long"' : '';
    return `<div${classAttribute}><dt>${escapeMarkup(factLabel)}</dt><dd>${escapeMarkup(factValue)}</dd></div>`;
  });
  return `<dl class="${className}">${factsHtml.join('\n')}</dl>`;
}

/** Pattern of a SHA-256 hash. */
const SHA256_PATTERN = /^[0-9a-f]{64}$/;

function makeFoldedFactsHtml(title: string, facts: readonly ReportFact[]): string {
  if (facts.length === 0) return '';
  return `<details><summary>${title}</summary>${makeFactListHtml(facts, 'facts')}</details>`;
}

/** HTML of the environment facts; default settings and SHA-256 hashes are in folded sections. */
function makeEnvironmentHtml(facts: readonly ReportFact[]): string {
  const isChecksum = ({ value: factValue }: ReportFact) => SHA256_PATTERN.test(factValue);
  const visibleFacts = facts.filter((fact) => !isChecksum(fact) && !fact.isDefault);
  return (
    makeFactListHtml(visibleFacts, 'facts') +
    makeFoldedFactsHtml(
      'Default settings',
      facts.filter(({ isDefault }) => isDefault),
    ) +
    makeFoldedFactsHtml('SHA-256 sums', facts.filter(isChecksum))
  );
}

function makeCheckItemHtml({ sentence: checkSentence, verdict: verdictText, evidence }: ReportCheck): string {
  const verdictHtml = `<span class="verdict ${escapeMarkup(verdictText)}">${VERDICT_SIGNS[verdictText]} ${escapeMarkup(verdictText)}</span>`;
  const evidenceHtml = evidence === '' ? '' : ` <span class="evidence">${escapeMarkup(evidence)}</span>`;
  return `<li>${verdictHtml} ${escapeMarkup(checkSentence)}${evidenceHtml}</li>`;
}

/** HTML script element with the data of a drawing as JSON, from which the page redraws the drawing. */
function makeFigureDataHtml(figureData: Drawing): string {
  const json = serializeDrawing(figureData).replaceAll('<', '\\u003c');
  return `<script type="application/json" class="${FIGURE_DATA_CLASS}">${json}</script>`;
}

/** HTML anchor of a drawing. */
const makePictureAnchorId = (id: string) => `figure-${id}`;

/**
 * Largest number of rows of a drawing's table of values that a page contains; longer tables only refer to the
 * CSV file.
 */
const MAX_VALUES_IN_PAGE = 100;

/** HTML of the table of a drawing's values, folded away. */
function makeDrawingValuesHtml(drawing: Drawing): string {
  const table = makeDrawingTable(drawing);
  const { length } = table.rows;
  const valuesHtml =
    length <= MAX_VALUES_IN_PAGE
      ? makeTableHtml(table)
      : `<p>${formatNumber(length)} rows: see the CSV file below.</p>`;
  return `<details class="${VALUES_TABLE_CLASS}"><summary>Values</summary><div>${valuesHtml}</div></details>`;
}

/** Static version of a drawing for narrow screens and print, until the page redraws it. */
const makeNarrowPictureHtml = (live: Drawing) => `<div class="narrow-page">${drawNarrowSvg(live)}</div>`;

/** Hint shown where overlapping intervals are hidden. */
const HIDDEN_BANDS_HINT_HTML =
  '<span class="hint">Point at a line to see its interval; Values has all of them.</span>';

function makePictureHtml({ id, title: pictureTitle, caption, svg, isAlone = false, live }: Picture): string {
  const showsBandHint = live !== undefined && isBandShownOnHoverOnly(live);
  const captionHtml = [escapeMarkup(caption), showsBandHint ? HIDDEN_BANDS_HINT_HTML : '']
    .filter((part) => part !== '')
    .join(' ');
  const captionBreakHtml = captionHtml === '' ? '' : `<br>${captionHtml}`;
  const fileFormats = ['SVG', 'PDF', ...(live === undefined ? [] : ['CSV'])];
  const downloadLinks = (isAlone ? [] : fileFormats).map(
    (formatName) => `<a href="${FIGURES_FOLDER_NAME}/${id}.${formatName.toLowerCase()}">${formatName}</a>`,
  );
  return [
    `<figure id="${makePictureAnchorId(id)}">`,
    `<figcaption><b>${escapeMarkup(pictureTitle)}</b>${captionBreakHtml}</figcaption>`,
    `<div class="drawing"><div class="wide-page">${svg}</div>${live === undefined ? '' : makeNarrowPictureHtml(live)}</div>`,
    ...(live === undefined ? [] : [makeDrawingValuesHtml(live)]),
    `<p class="data">${downloadLinks.join(', ')}</p>`,
    ...(live === undefined ? [] : [makeFigureDataHtml(live)]),
    '</figure>',
  ].join('\n');
}

/** Pattern of linkable files: in the folder of the page or one level below. */
const LINKABLE_FILE_PATTERN = /^(?:\w[\w=.,[\]-]*\/)?[\w-]+\.[a-z]+$/;

function makeTableLinksHtml(id: string, files: readonly ReportFile[]): string {
  const filesOfTable = files.filter(({ path: filePath }) =>
    filePath.startsWith(`${REPORT_TABLES_FOLDER}/${id}.`),
  );
  if (filesOfTable.length === 0) return '';
  const downloadLinks = filesOfTable.map(
    ({ path: filePath, meaning }) => `<a href="${escapeMarkup(filePath)}">${escapeMarkup(meaning)}</a>`,
  );
  return `<p class="data">${downloadLinks.join(', ')}</p>`;
}

/** Files that mark a results folder which the explorer can open. */
const EXPLORABLE_FOLDER_FILES = ['config.json', 'environment.json'];

/** HTML list of the files that belong to no single table. */
function makeFileListHtml(files: readonly ReportFile[]): string {
  const filesOutsideTablesFolder = files.filter(
    ({ path: filePath }) => !filePath.startsWith(`${REPORT_TABLES_FOLDER}/`),
  );
  if (filesOutsideTablesFolder.length === 0) return '';
  const fileEntriesHtml = filesOutsideTablesFolder.map(({ path: filePath, meaning }) => {
    const escapedPath = escapeMarkup(filePath);
    return `<div><dt><a href="${escapedPath}">${escapedPath}</a></dt><dd>${escapeMarkup(meaning)}</dd></div>`;
  });
  const isReadByExplorer = filesOutsideTablesFolder.some(({ path: filePath }) =>
    EXPLORABLE_FOLDER_FILES.includes(filePath.replace(/^.*\//, '')),
  );
  const explorerHintHtml = isReadByExplorer
    ? '<p>In this folder, <code>gridalloc explore .</code> opens the explorer with these jobs, settings and methods.</p>'
    : '';
  return `<dl class="facts">${fileEntriesHtml.join('\n')}</dl>${explorerHintHtml}`;
}

function makePageSections(report: Report, pictures: readonly Picture[]): PageSection[] {
  const { highlights, checks, tables, notes, commands, environment } = report;
  const linkableFiles = report.files.filter(({ path: filePath }) => LINKABLE_FILE_PATTERN.test(filePath));
  const makePlainSection = (id: string, title: string, sectionBody: string): PageSection => ({
    id,
    title,
    body: sectionBody,
    entries: [],
  });
  const ruleEntriesHtml = notes.map(
    ({ rule, effect }) => `<dt>${escapeMarkup(rule)}</dt><dd>${escapeMarkup(effect)}</dd>`,
  );
  const tablesSection: PageSection = {
    id: 'part-tables',
    title: 'Tables',
    body: tables
      .map((table) => makeTableHtml(table) + makeTableLinksHtml(table.id, linkableFiles))
      .join('\n'),
    entries: tables.map(({ id: tableId, title: tableTitle }) => ({
      id: makeTableAnchorId(tableId),
      title: tableTitle,
    })),
  };
  const figuresSection: PageSection = {
    id: 'part-figures',
    title: 'Figures',
    body: pictures.map(makePictureHtml).join('\n'),
    entries: pictures.map(({ id: pictureId, title: pictureTitle }) => ({
      id: makePictureAnchorId(pictureId),
      title: pictureTitle,
    })),
  };
  const sections = [
    makePlainSection('part-summary', 'Summary', makeFactListHtml(highlights, 'highlights')),
    makePlainSection(
      'part-checks',
      `Checks: ${formatVerdictCounts(checks)}`,
      checks.length === 0 ? '' : `<ul class="checks">${checks.map(makeCheckItemHtml).join('\n')}</ul>`,
    ),
    figuresSection,
    tablesSection,
    makePlainSection(
      'part-rules',
      'Assumptions and their effect',
      ruleEntriesHtml.length === 0 ? '' : `<dl class="rules">${ruleEntriesHtml.join('\n')}</dl>`,
    ),
    makePlainSection(
      'part-reproduce',
      'How to reproduce this',
      commands.length === 0 ? '' : `<pre>${escapeMarkup(commands.join('\n'))}</pre>`,
    ),
    makePlainSection('part-data', 'Data', makeFileListHtml(linkableFiles)),
    makePlainSection('part-environment', 'Settings and environment', makeEnvironmentHtml(environment)),
  ];
  return sections.filter(({ body: sectionBody }) => sectionBody !== '');
}

function makeTableOfContentsHtml(sections: readonly PageSection[]): string {
  const formatSectionLink = ({ id, title }: { id: string; title: string }) =>
    `<a href="#${id}">${escapeMarkup(title)}</a>`;
  const contentsItems = sections.map((section) => {
    const sectionEntriesHtml = section.entries
      .map((entry) => `<li>${formatSectionLink(entry)}</li>`)
      .join('');
    return `<li>${formatSectionLink(section)}${sectionEntriesHtml === '' ? '' : `<ul>${sectionEntriesHtml}</ul>`}</li>`;
  });
  return `<nav aria-label="Contents"><details open><summary>Contents</summary><ul>${contentsItems.join('\n')}</ul></details></nav>`;
}

/**
 * Renders the page of a report.
 * @param pictures drawings in order: `figureSvg` of the report's figures, and any others. Ids are unique
 * among tables and among pictures.
 * @param scriptCode gzip-compressed script that makes the figures interactive; without it they are static.
 */
export function renderReportPage(
  report: Report,
  pictures: readonly Picture[],
  scriptCode?: Uint8Array,
): string {
  const sections = makePageSections(report, pictures);
  const sectionsHtml = sections.map(
    ({ id: sectionId, title: sectionTitle, body: sectionBody }) =>
      `<section aria-labelledby="${sectionId}"><h2 id="${sectionId}">${escapeMarkup(sectionTitle)}</h2>\n${sectionBody}\n</section>`,
  );
  const scripts = [REPORT_SCRIPT, ...(scriptCode === undefined ? [] : [gunzipSync(scriptCode).toString()])];
  const scriptBase64 = scriptCode === undefined ? '' : Buffer.from(scriptCode).toString('base64');
  const sourceParagraphHtml =
    report.source === '' ? '' : `<p class="source">${escapeMarkup(report.source)}</p>`;
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${makePageSecurityPolicy(scripts)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="gridalloc">
<link rel="icon" href="data:,">
<title>${escapeMarkup(report.title)}</title>
<style>${REPORT_STYLE_SHEET}${makeDarkDrawingsCss(sectionsHtml.join())}</style>
</head>
<body>
<div class="page">
${makeTableOfContentsHtml(sections)}
<main>
<header><h1>${escapeMarkup(report.title)}</h1>
${sourceParagraphHtml}
${makeParagraphsHtml(report.description)}</header>
${sectionsHtml.join('\n')}
</main>
</div>
${scriptBase64 === '' ? '' : `<script type="text/plain" class="${FIGURE_CODE_CLASS}">${scriptBase64}</script>\n`}<script>${REPORT_SCRIPT}</script>
</body>
</html>
`;
}
