/** Data model of reports, storable as JSON: tables, figures, checks, notes and facts. */
import type { Figure } from '../draw/figureModel.js';
import { REPORT_TABLES_FOLDER, TABLE_FILE_FORMATS } from './files.js';
import type { Table } from './table.js';
import {
  formatTableForTerminal,
  MAX_TERMINAL_LINE_WIDTH,
  type TerminalColors,
  wrapText,
  wrapToTerminalLine,
} from './terminal.js';

/** Verdict on a statement; `open` means the results are inconclusive. */
export type Verdict = 'confirmed' | 'open' | 'contradicted';

/** Signs of verdicts, so that they can be distinguished without colours. */
export const VERDICT_SIGNS: Readonly<Record<Verdict, string>> = {
  confirmed: '✓',
  open: '?',
  contradicted: '✗',
};

/** Counts statements by verdict: `3 confirmed, 1 open`. */
export function formatVerdictCounts(checks: readonly Pick<ReportCheck, 'verdict'>[]): string {
  return (Object.keys(VERDICT_SIGNS) as Verdict[])
    .map((verdict) => [checks.filter((check) => check.verdict === verdict).length, verdict] as const)
    .flatMap(([count, verdict]) => (count === 0 ? [] : [`${count} ${verdict}`]))
    .join(', ');
}

/** Statement that was checked against the results. */
export interface ReportCheck {
  /** Statement, for instance `best-fit beats fastest-first at speed heterogeneity 0 and system loading 4`. */
  readonly sentence: string;
  readonly verdict: Verdict;
  /** Numbers behind the verdict as text: `2,618 against 3,204 s, 10 of 10 draws`. */
  readonly evidence: string;
}

/** Decision on a rule that a paper leaves open, and its effect on the results. */
export interface ReportNote {
  readonly rule: string;
  readonly effect: string;
}

/** A label and its value, such as a version, a hash or seeds. */
export interface ReportFact {
  readonly label: string;
  readonly value: string;
  /** True if the value is the default of a setting. */
  readonly isDefault?: boolean;
}

/** File in the folder of a report, besides the page. */
export interface ReportFile {
  /** Path relative to the folder of the page. */
  readonly path: string;
  readonly meaning: string;
}

/** Complete report. Sections with empty lists are omitted. */
export interface Report {
  readonly title: string;
  /** Sentences on what was simulated and what resulted; a blank line starts a new paragraph. */
  readonly description: string;
  /** Paper, section and tables or figures that the report reproduces; may be empty. */
  readonly source: string;
  /** Most important numbers, shown at the top. */
  readonly highlights: readonly ReportFact[];
  readonly tables: readonly Table[];
  readonly figures: readonly Figure[];
  readonly checks: readonly ReportCheck[];
  readonly notes: readonly ReportNote[];
  /** Commands that recreate the report, one per line. */
  readonly commands: readonly string[];
  readonly environment: readonly ReportFact[];
  /** Files besides the page, except the tables (`tables/ID.csv` etc.). */
  readonly files: readonly ReportFile[];
}

/** Describes the files that are written beside the page of a report. */
export function describeReportFiles(
  files: Readonly<Record<string, string>>,
  tables: readonly Pick<Table, 'id'>[] = [],
): ReportFile[] {
  const tableFileNames = tables.flatMap(({ id: tableId }) =>
    TABLE_FILE_FORMATS.map(
      ({ ending, meaning }) => [`${REPORT_TABLES_FOLDER}/${tableId}.${ending}`, meaning] as const,
    ),
  );
  return [...Object.entries(files), ...tableFileNames].map(([path, meaning]) => ({ path, meaning }));
}

/** Creates a report from some sections; the other sections are empty. */
export function makeReportOfSections(
  sections: Pick<Report, 'title' | 'description'> & Partial<Report>,
): Report {
  const { title: reportTitle, description: reportDescription, ...otherSections } = sections;
  const none = { highlights: [], tables: [], figures: [], checks: [], notes: [], commands: [] };
  return {
    title: reportTitle,
    description: reportDescription,
    source: '',
    ...none,
    environment: [],
    files: [],
    ...otherSections,
  };
}

/** Name of the file that stores the report of a study as JSON. */
export const REPORT_FILE = 'report.json';

// Reports as terminal text.

/** Text of a check: its verdict followed by the statement. */
function formatReportCheck({ sentence: checkSentence, verdict, evidence }: ReportCheck): string {
  const verdictLabel = `${VERDICT_SIGNS[verdict]} ${verdict.padEnd('contradicted'.length)}  `;
  const wrappedCheckSentence = wrapText(
    `${checkSentence}${evidence === '' ? '' : `: ${evidence}`}`,
    MAX_TERMINAL_LINE_WIDTH - verdictLabel.length,
  );
  return verdictLabel + wrappedCheckSentence.replaceAll('\n', `\n${' '.repeat(verdictLabel.length)}`);
}

/** Facts on one line, or one per line if they do not fit. */
function formatHighlights(highlights: Report['highlights']): string {
  const factTexts = highlights.map(({ label: factLabel, value: factValue }) => `${factLabel}: ${factValue}`);
  const line = factTexts.join('; ');
  return line.length <= MAX_TERMINAL_LINE_WIDTH
    ? line
    : factTexts.map((factText) => wrapToTerminalLine(factText)).join('\n');
}

/**
 * Formats a report as terminal text: description, tables, checks and highlights, without a final line end.
 * @param width terminal width in characters, to which tables are fitted if possible; absent: unlimited.
 */
export function formatReport(report: Report, colors: TerminalColors, width?: number): string {
  const { description: reportDescription, tables, checks, highlights } = report;
  const paragraphs = [
    ...reportDescription
      .trim()
      .split(/\n\s*\n/)
      .map((paragraph) => wrapToTerminalLine(paragraph.replaceAll(/\s+/g, ' '))),
    ...tables.map((table) => {
      // The caption of joint limits says which comparisons they cover.
      const captionText = table.bounds === 'joint' ? `\n${wrapToTerminalLine(table.caption)}` : '';
      return formatTableForTerminal(table, colors, width) + captionText;
    }),
    checks.map(formatReportCheck).join('\n'),
    formatHighlights(highlights),
  ];
  return paragraphs.filter((part) => part !== '').join('\n\n');
}

/** Report with additional text files for its folder, by file name. */
export interface ReportWithTextFiles {
  readonly report: Report;
  readonly texts: Readonly<Record<string, Iterable<string>>>;
}
