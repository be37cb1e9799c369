/** Contents of a report as data that can be stored as JSON: tables, figures, checks, notes. */
import type { Figure } from '../draw/figureModel.js';
import { TABLE_FOLDER, TABLE_FORMATS } from './files.js';
import type { Table } from './table.js';
import { type Colors, LINE, tableText, wrapped, wrapText } from './terminal.js';

/** Verdict on a statement; `open`: the results are too uncertain. */
export type Verdict = 'confirmed' | 'open' | 'contradicted';

/** Signs of verdicts, so that they can be distinguished without colours. */
export const VERDICT_SIGNS: Readonly<Record<Verdict, string>> = {
  confirmed: '✓',
  open: '?',
  contradicted: '✗',
};

/** Number of statements that have which verdict: `3 confirmed, 1 open`. */
export function countedVerdicts(checks: readonly Pick<ReportCheck, 'verdict'>[]): string {
  return (Object.keys(VERDICT_SIGNS) as Verdict[])
    .map((verdict) => [checks.filter((each) => each.verdict === verdict).length, verdict] as const)
    .flatMap(([count, verdict]) => (count === 0 ? [] : [`${count} ${verdict}`]))
    .join(', ');
}

/** A statement that the results were held against. */
export interface ReportCheck {
  /** Statement, for instance `best-fit beats fastest-first at speed heterogeneity 0 and system loading 4`. */
  readonly sentence: string;
  readonly verdict: Verdict;
  /** The numbers behind it, as text: `2,618 against 3,204 s, 10 of 10 draws`. */
  readonly evidence: string;
}

/** A rule that a paper leaves open: what was decided, and what difference it makes. */
export interface ReportNote {
  readonly rule: string;
  readonly effect: string;
}

/** A label and its value, such as a version, a hash or seeds. */
export interface ReportFact {
  readonly label: string;
  readonly value: string;
  /** True if it is a setting at its default. */
  readonly isDefault?: boolean;
}

/** A file of the folder in which the page of a report is. */
export interface ReportFile {
  /** Path relative to that folder. */
  readonly path: string;
  readonly meaning: string;
}

/** A whole report. Empty lists have no section. */
export interface Report {
  readonly title: string;
  /** Sentences on what was run and what came out; a blank line begins a new paragraph. */
  readonly description: string;
  /** The paper, section and tables or figures that it follows; may be empty. */
  readonly source: string;
  /** Numbers to be seen first. */
  readonly highlights: readonly ReportFact[];
  readonly tables: readonly Table[];
  readonly figures: readonly Figure[];
  readonly checks: readonly ReportCheck[];
  readonly notes: readonly ReportNote[];
  /** Commands that make it again, one per line. */
  readonly commands: readonly string[];
  readonly environment: readonly ReportFact[];
  /** Files besides the page; tables are stored as `tables/ID.csv` and the like. */
  readonly files: readonly ReportFile[];
}

/** Files beside the page of a report, and what they hold. */
export function filesBeside(
  files: Readonly<Record<string, string>>,
  tables: readonly Pick<Table, 'id'>[] = [],
): ReportFile[] {
  const ofTables = tables.flatMap(({ id }) =>
    TABLE_FORMATS.map(({ ending, meaning }) => [`${TABLE_FOLDER}/${id}.${ending}`, meaning] as const),
  );
  return [...Object.entries(files), ...ofTables].map(([path, meaning]) => ({ path, meaning }));
}

/** A report of some sections, without the others. */
export function reportOf(sections: Pick<Report, 'title' | 'description'> & Partial<Report>): Report {
  const { title, description, ...others } = sections;
  const none = { highlights: [], tables: [], figures: [], checks: [], notes: [], commands: [] };
  return { title, description, source: '', ...none, environment: [], files: [], ...others };
}

/** The file of a study's folder that holds its Report. */
export const REPORT_FILE = 'report.json';

// A report for a terminal: its tables and its checks.

/** A check: its verdict, and beside it the statement. */
function checkText({ sentence, verdict, evidence }: ReportCheck): string {
  const sign = `${VERDICT_SIGNS[verdict]} ${verdict.padEnd('contradicted'.length)}  `;
  const text = wrapText(`${sentence}${evidence === '' ? '' : `: ${evidence}`}`, LINE - sign.length);
  return sign + text.replaceAll('\n', `\n${' '.repeat(sign.length)}`);
}

/** Facts on one line, or where that is too long each on its own. */
function highlightText(highlights: Report['highlights']): string {
  const facts = highlights.map(({ label, value }) => `${label}: ${value}`);
  const line = facts.join('; ');
  return line.length <= LINE ? line : facts.map((fact) => wrapped(fact)).join('\n');
}

/**
 * A report for a terminal: description, tables, checks and highlights; without a line end.
 * @param width of the terminal, into which tables are fitted as far as they can be, if given.
 */
export function reportText(report: Report, colors: Colors, width?: number): string {
  const { description, tables, checks, highlights } = report;
  const parts = [
    ...description
      .trim()
      .split(/\n\s*\n/)
      .map((text) => wrapped(text.replaceAll(/\s+/g, ' '))),
    ...tables.map((table) => {
      // The caption of limits says what they cover together.
      const text = table.bounds === 'joint' ? `\n${wrapped(table.caption)}` : '';
      return tableText(table, colors, width) + text;
    }),
    checks.map(checkText).join('\n'),
    highlightText(highlights),
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

/** A report, and further files of its folder: texts by name. */
export interface OwnReport {
  readonly report: Report;
  readonly texts: Readonly<Record<string, Iterable<string>>>;
}
