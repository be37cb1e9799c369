/** A comparison over replications as a report: verdicts first, then differences, means, pieces of the log, classes of jobs. */
import type { Figure, FigureAxis, FigureSeries } from '../draw/figureModel.js';
import { capitalized, formatDuration, formatNumber, formatPercent, valueText } from '../format/numbers.js';
import type { JudgedComparison, JudgedMetric } from '../runs/comparison.js';
import { metricId } from '../simulate/jobMetrics.js';
import type { Metric } from '../simulate/metrics.js';
import { haveIntervals, intervalName, meanBounds, meansOver } from '../statistics/samples.js';
import { classTables } from './classTables.js';
import { judgedTable, onPieces, piecesTable, togetherText } from './judgedTables.js';
import { METHODS_FILE } from './methodsText.js';
import { VALUES_FILE } from './metricsTable.js';
import { filesBeside, type Report, type ReportFact, type ReportFile, reportOf } from './report.js';
import type { Table } from './table.js';
import {
  type Behind,
  behindOf,
  behindText,
  shownRange,
  VERDICTS,
  verdictNotes,
  verdictText,
  verdictWord,
} from './verdictText.js';

/** A comparison and what its report says besides. */
export interface ComparisonFacts {
  /** Names of the methods, in their order. */
  readonly names: readonly string[];
  readonly comparison: JudgedComparison;
  /** What was simulated, in lines. */
  readonly setting: string;
  /** The log or model, in short. */
  readonly workload: string;
  readonly jobs: number;
  /** What follows the tables of verdicts: all metrics of all methods, or the values on each log. */
  readonly more: readonly Table[];
  readonly commands: readonly string[];
  readonly environment: readonly ReportFact[];
}

/** Differences to the best of the other methods beside a line at 0. */
function differenceFigure(judged: JudgedMetric, { names, comparison }: ComparisonFacts): Figure {
  const { name, metric, judgement } = judged;
  const shares = behindOf(judgement, metric.better);
  const scale = Math.abs(judgement.methods[judgement.observedBest]!.mean) || 1;
  const zone = judgement.within / scale;
  const words = judgement.methods.map((method) => verdictWord(method) || 'not judged');
  const order = names.map((_, i) => i).sort((a, b) => shares[a]!.value - shares[b]!.value);
  const series = [...Object.keys(VERDICTS), 'not judged'].flatMap((word): FigureSeries[] => {
    const own = order.filter((i) => words[i] === word);
    const color = VERDICTS[word as keyof typeof VERDICTS]?.color ?? VERDICTS.undecided.color;
    const points = own.map((i) => ({
      ...{ x: names[i]!, y: shares[i]!.value, ...shares[i] },
      remark: behindText(judgement.methods[i]!, judgement),
    }));
    return own.length === 0 ? [] : [{ name: word, color, points }];
  });
  const percents = formatPercent(zone, 1).replace('.0', '');
  return {
    id: `${metricId(name)}-behind`,
    title: `${capitalized(metric.label)}: how far behind the best of the others`,
    caption:
      `Over ${formatNumber(comparison.replications)} ${comparison.population.copies}. Left of 0 a method is ahead of all others. ` +
      (judgement.isJudged
        ? `Whiskers hold together ${togetherText(comparison)} (95 %); shaded: within ${percents} of the best.`
        : `Too few ${comparison.population.counted ?? 'replications'} to judge: no limits are drawn.`),
    kind: 'dots',
    bounds: 'joint',
    x: { title: 'method' },
    y: {
      title: 'behind the best',
      format: { style: 'percent', isSigned: true },
      ...signedAxis(shares, zone),
    },
    panels: [{ title: '', series }],
  };
}

/** Decimals of the ticks of shares, and the zone that is small beside them. */
function signedAxis(shares: readonly Behind[], zone: number): Partial<FigureAxis> {
  const part = shownRange(shares);
  const all = shares.flatMap(({ value, low, high }) => [value, low ?? value, high ?? value]);
  const ends = part.range ?? all;
  const span = Math.max(...ends, zone) - Math.min(...ends, 0);
  const decimals = span < 0.004 ? 2 : span < 0.04 ? 1 : 0;
  return { zone: [0, zone], format: { style: 'percent', isSigned: true, decimals }, ...part };
}

const valueAxis = ({ label, unit, format }: Metric): FigureAxis => ({
  title: label,
  ...(unit === undefined ? {} : { unit }),
  ...(format.style === 'percent' ? { format: { style: 'percent' as const } } : {}),
});

/** A mean as it is said beside its dot. */
const meanRemark = ({ unit, format }: Metric, value: number) =>
  unit === 's' && value >= 60 ? formatDuration(value) : valueText(value, format);

/** Means with their intervals. */
function meanFigure(
  { name, metric, estimates, judgement }: JudgedMetric,
  { names, comparison }: ComparisonFacts,
): Figure {
  const sign = metric.better === 'more' ? -1 : 1;
  const { replications, population } = comparison;
  const hasIntervals = haveIntervals(population, replications);
  const order = names.map((_, i) => i).sort((a, b) => sign * (estimates[a]!.mean - estimates[b]!.mean));
  const points = order.map((i) => {
    const { mean, low, high } = estimates[i]!;
    const bounds = hasIntervals ? { low, high } : {};
    return { x: names[i]!, y: mean, ...bounds, remark: meanRemark(metric, mean) };
  });
  return {
    id: `${metricId(name)}-mean`,
    title: `${capitalized(metric.label)}: means`,
    caption:
      `${meansOver(population, replications)}.` +
      (hasIntervals && judgement.isJudged
        ? ' Intervals of means may overlap where paired differences are significant: judge by the differences.'
        : ''),
    kind: 'dots',
    bounds: meanBounds(population, replications),
    x: { title: 'method' },
    y: {
      ...valueAxis(metric),
      ...shownRange(estimates.map(({ mean, low, high }) => ({ value: mean, low, high }))),
    },
    panels: [
      {
        title: '',
        series: [
          {
            name: hasIntervals ? `mean and ${intervalName(population, replications)}` : 'mean',
            color: '#0072b2',
            points,
          },
        ],
      },
    ],
  };
}

/** The methods on the pieces of the log; nothing without pieces. */
function piecesFigure(judged: JudgedMetric, { names }: ComparisonFacts): Figure | undefined {
  const table = piecesTable(judged, names);
  if (table === undefined) return undefined;
  const { id, title, caption, bounds, columns } = table;
  const { count, others } = onPieces(judged, names)!;
  const points = [...others]
    .sort((a, b) => a.share.value - b.share.value)
    .map(({ name, share, agreeing }) => ({
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
        points.map(({ y: value, low, high }) => ({ value, low, high })),
        0,
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

/** What is beside the page of a comparison. */
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
  const { names, comparison, setting, workload, jobs, commands, environment } = facts;
  const { metrics, population, replications, withoutPieces } = comparison;
  const isOne = metrics.length === 1;
  const said = metrics.map(({ name, metric, judgement }) => {
    const sentences = [
      verdictText(judgement, names, population),
      ...verdictNotes(judgement, names, name, population),
    ];
    return `${isOne ? '' : `${capitalized(metric.label)}: `}${sentences.join(' ')}`;
  });
  const tables = [
    ...metrics.map((judged) => judgedTable(judged, names, comparison)),
    ...metrics.map((judged) => piecesTable(judged, names)).filter(isThere),
    ...classTables(comparison.classes ?? [], names, replications, population),
    ...facts.more,
  ];
  return reportOf({
    title: titleOfMethods(names, workload),
    description: [
      ...said,
      [population.caveat, ...(withoutPieces === undefined ? [] : [withoutPieces])].join(' '),
      `${setting.replaceAll('\n', '; ')}.`,
    ].join('\n\n'),
    highlights: [
      ...metrics.map((judged) => bestFact(judged, names, isOne)),
      { label: capitalized(population.counted ?? 'replications'), value: formatNumber(replications) },
      { label: 'Methods', value: formatNumber(names.length) },
      { label: 'Jobs', value: formatNumber(jobs) },
    ],
    tables,
    figures: [
      ...metrics.flatMap((judged) => [differenceFigure(judged, facts), meanFigure(judged, facts)]),
      ...metrics.map((judged) => piecesFigure(judged, facts)).filter(isThere),
    ],
    commands,
    environment,
    files: comparisonFiles(tables),
  });
}
