/** A comparison over replications as a report: verdicts first, then differences, means, pieces of the log, classes of jobs. */
import type { Figure } from '../draw/figureModel.js';
import { capitalized, formatNumber } from '../format/numbers.js';
import type { JudgedMetric } from '../runs/comparison.js';
import { filesBeside, type Report, type ReportFact, type ReportFile, reportOf } from '../view/report.js';
import type { Table } from '../view/table.js';
import { classTables } from './classTables.js';
import { bestByLog, type JudgedLogs, logCaveats, logVerdicts } from './logVerdicts.js';
import { METHODS_FILE } from './methodsSection.js';
import { VALUES_FILE } from './metricsTable.js';
import { differenceFigure, type JudgedMethods, meanFigure, signedAxis } from './verdictFigures.js';
import { compareOnPieces, piecesTable, verdictsTable } from './verdictTables.js';
import { verdictNotes, verdictText, verdictWord } from './verdictText.js';

/** A comparison and what else its report says. */
export interface ComparisonFacts extends JudgedMethods {
  /** Lines on what was simulated. */
  readonly setting: string;
  /** The log or model, in short. */
  readonly workload: string;
  readonly jobs: number;
  /** Further tables: all metrics of all methods, or the values on each log. */
  readonly more: readonly Table[];
  /** For several logs with replications: the verdicts on each log. */
  readonly each?: JudgedLogs | undefined;
  readonly commands: readonly string[];
  readonly environment: readonly ReportFact[];
}

/** The methods on the pieces of the log; nothing without pieces. */
function piecesFigure(judged: JudgedMetric, { names }: ComparisonFacts): Figure | undefined {
  const table = piecesTable(judged, names);
  if (table === undefined) return undefined;
  const { id, title, caption, bounds, columns } = table;
  const { count, isShare, others } = compareOnPieces(judged, names)!;
  const points = others.map(({ name, share, agreeing }) => ({
    ...{ x: name, y: share.value, low: share.low, high: share.high },
    remark: `worse in ${agreeing} of ${count}`,
  }));
  return {
    ...{ id, title, caption, bounds: bounds! },
    kind: 'dots',
    x: { title: 'method' },
    y: {
      title: columns[1]!.title,
      ...signedAxis(
        others.map(({ share }) => share),
        0,
        isShare,
      ),
    },
    panels: [{ title: '', series: [{ name: 'mean and 95 % interval', color: '#0072b2', points }] }],
  };
}

const isThere = <Value>(value: Value | undefined): value is Value => value !== undefined;

/** The title of a page over methods: their names where they are few. */
export function titleOfMethods(names: readonly string[], workload: string): string {
  return `${names.length > 3 ? `${names.length} methods` : names.join(', ')} on ${workload}`;
}

/** Files in the folder of a comparison besides its page. */
export function comparisonFiles(tables: readonly Table[]): ReportFile[] {
  const files = {
    [METHODS_FILE]: 'sentences for a methods section, and what to cite',
    [VALUES_FILE]: 'the values of each method in each replication',
    'results.csv': 'all metrics of every run',
    'results.parquet': 'the same as Parquet',
    'comparison.json': 'what was compared, and what came of it',
    'environment.json': 'versions, hashes, workloads',
  };
  return filesBeside(files, tables);
}

/** The names of the methods that are the best, or may be. */
function bestFact({ metric, judgement }: JudgedMetric, names: readonly string[], isOne: boolean): ReportFact {
  const best = judgement.methods.flatMap((each, i) => (verdictWord(each) === 'best' ? [names[i]] : []));
  const value = !judgement.isJudged ? 'not judged' : best.length === 0 ? 'undecided' : best.join(', ');
  return { label: isOne ? 'Best' : `Best ${metric.label}`, value };
}

/**
 * The report of a comparison over replications.
 * @returns tables, figures and sentences as data, which `drawReport` draws.
 */
export function comparisonReport(facts: ComparisonFacts): Report {
  const { names, comparison, each, setting, workload, jobs, commands, environment } = facts;
  const { metrics, population, replications, withoutPieces } = comparison;
  const isOne = metrics.length === 1;
  const isJudged = metrics.some(({ judgement }) => judgement.isJudged);
  const sections = metrics.map(({ name, metric, judgement }, i) => {
    const sentences = [
      verdictText(judgement, names, population),
      ...verdictNotes(judgement, names, name, population),
    ];
    return [
      `${isOne ? '' : `${capitalized(metric.label)}: `}${sentences.join(' ')}`,
      ...(each === undefined ? [] : logVerdicts(each, i, names)),
    ].join('\n\n');
  });
  const tables = [
    ...metrics.map((judged) => verdictsTable(judged, names, comparison)),
    ...metrics.map((judged) => piecesTable(judged, names)).filter(isThere),
    ...classTables(comparison.classes ?? [], names, replications, population),
    ...facts.more,
  ];
  return reportOf({
    title: titleOfMethods(names, workload),
    description: [
      ...sections,
      [
        ...(isJudged || population.counted === undefined ? [population.caveat] : []),
        ...(withoutPieces === undefined ? [] : [withoutPieces]),
        ...(each === undefined ? [] : logCaveats(each)),
      ].join(' '),
      `${setting.replaceAll('\n', '; ')}.`,
    ].join('\n\n'),
    highlights: [
      ...metrics.map((judged, i) =>
        each === undefined || judged.judgement.isJudged
          ? bestFact(judged, names, isOne)
          : { ...bestFact(judged, names, isOne), value: bestByLog(each, i, names) },
      ),
      { label: capitalized(population.counted ?? 'replications'), value: formatNumber(replications) },
      { label: 'Methods', value: formatNumber(names.length) },
      { label: 'Jobs', value: formatNumber(jobs) },
    ],
    tables,
    figures: [
      ...metrics.flatMap((judged) => [
        ...(names.length > 1 ? [differenceFigure(judged, facts)] : []),
        meanFigure(judged, facts),
      ]),
      ...metrics.map((judged) => piecesFigure(judged, facts)).filter(isThere),
    ],
    commands,
    environment,
    files: comparisonFiles(tables),
  });
}
