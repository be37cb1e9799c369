/** The tables of a comparison over replications, for terminals, pages and files: methods by one metric, and on the pieces of the log. */
import { capitalized, formatDuration, type NumberFormat } from '../format/numbers.js';
import type { JudgedComparison, JudgedMetric } from '../runs/comparison.js';
import { metricId } from '../simulate/jobMetrics.js';
import type { Metric } from '../simulate/metric.js';
import { momentsOf } from '../statistics/bootstrap.js';
import { studentInterval } from '../statistics/interval.js';
import { haveIntervals, meanBounds, meansOver } from '../statistics/samples.js';
import { cellOf, type Table, type TableColumn } from '../view/table.js';
import {
  areShares,
  behindOf,
  jointBoundsText,
  SIGNED,
  shareFormat,
  signOf,
  verdictWord,
} from './verdictText.js';

/** How far a method is behind the observed best over the spans of a log. */
interface SpanDifference {
  readonly mean: number;
  /** Student's 95 % interval, over spans. */
  readonly low: number;
  readonly high: number;
  /** In how many spans it has the sign that it has over the replications. */
  readonly agreeing: number;
}

/** The differences of each method to the observed best over the spans of a log; none without spans. */
export function spanDifferences({ metric, judgement, spans }: JudgedMetric): SpanDifference[] {
  const sign = metric.better === 'more' ? -1 : 1;
  return (spans?.values ?? []).map((values, i) => {
    const best = spans?.values[judgement.observedBest] ?? [];
    const differences = values.map((value, span) => sign * (value - best[span]!));
    const moments = momentsOf(differences);
    const { low, high } = studentInterval(moments);
    const side = Math.sign(judgement.methods[i]!.behindObserved);
    const agreeing = differences.filter((difference) => Math.sign(difference) === side).length;
    return { mean: moments.mean, low, high, agreeing };
  });
}

/** The methods on the pieces of the log. */
export interface PieceComparison {
  readonly count: number;
  /** `11 pieces of the log of 30 d each, unchanged, each by itself`. */
  readonly pieces: string;
  /** The method that is the best over the replications, with which the others are compared. */
  readonly best: string;
  /** True if differences are shares of its mean; where that is 0 they are in the unit of the metric. */
  readonly isShare: boolean;
  /** Of the others, from the least behind, how far each is behind as a share of the mean of the best, with its 95 % interval. */
  readonly others: readonly {
    readonly name: string;
    readonly share: { readonly value: number; readonly low: number; readonly high: number };
    /** In how many pieces it is worse, or better where it is better over the replications. */
    readonly agreeing: number;
  }[];
}

/** The methods on the pieces of the log; undefined if there is none, or nothing is distinguished. */
export function compareOnPieces(judged: JudgedMetric, names: readonly string[]): PieceComparison | undefined {
  const { judgement, spans } = judged;
  if (spans === undefined) return undefined;
  const { observedBest, methods } = judgement;
  const best = spans.values[observedBest]!;
  const { mean: bestMean } = momentsOf(best);
  const scale = Math.abs(bestMean) || 1;
  const others = spanDifferences(judged).flatMap(({ mean, low, high, agreeing }, i) => {
    if (i === observedBest || methods[i]!.behindObserved === 0) return [];
    const share = { value: mean / scale, low: low / scale, high: high / scale };
    return [{ name: names[i]!, share, agreeing }];
  });
  if (others.length === 0) return undefined;
  const [count, length] = [best.length, formatDuration(Math.round(spans.seconds / 86_400) * 86_400)];
  const pieces = `${count} pieces of the log of ${length} each, unchanged, each by itself`;
  others.sort((a, b) => a.share.value - b.share.value);
  return { count, pieces, best: names[observedBest]!, isShare: bestMean !== 0, others };
}

/** The format of a metric over replications. */
function meanFormat({ format }: Metric): NumberFormat {
  return format.style === 'percent' ? { style: 'percent', decimals: 2 } : { style: 'measure' };
}

const METHOD: TableColumn = { title: 'method', isHeading: true };

const valueColumn = (title: string, { unit }: Pick<Metric, 'unit'>, format: NumberFormat): TableColumn => ({
  title,
  format,
  ...(unit === undefined ? {} : { unit }),
});

/** Columns that compare a method with the others: distance to the best, and share of best replications. */
const comparedColumns = (behind: TableColumn): TableColumn[] => [
  { ...behind, holds: 'difference', bounds: 'joint' },
  { title: 'best in', format: { style: 'percent', decimals: 0 } },
];

/** The methods by one metric: means, shares of wins, differences, verdicts. */
export function verdictsTable(
  judged: JudgedMetric,
  names: readonly string[],
  comparison: JudgedComparison,
): Table {
  const { name, metric, estimates, judgement } = judged;
  const shares = behindOf(judgement, metric.better);
  const isShare = areShares(judgement);
  const { replications, population } = comparison;
  const hasIntervals = haveIntervals(population, replications);
  const isAlone = judgement.methods.length === 1;
  const rows = judgement.methods.map((method, i) => {
    const sign = signOf(method, judgement);
    return [
      names[i]!,
      hasIntervals ? cellOf(estimates[i]!) : estimates[i]!.mean,
      ...(judgement.isJudged
        ? [{ value: verdictWord(method) || null, ...(sign === undefined ? {} : { sign }) }]
        : []),
      ...(isAlone ? [] : [{ ...shares[i]! }, method.bestIn]),
    ];
  });
  return {
    id: metricId(name),
    title: capitalized(metric.label),
    caption: isAlone
      ? `${meansOver(population, replications)}.`
      : `${meansOver(population, replications)}; the difference to the best of the other ` +
        `methods${isShare ? ' in percent of the best mean' : ''}, from paired ${population.counted ?? 'replications'}` +
        (judgement.isJudged
          ? `, with simultaneous 95 % confidence limits ${jointBoundsText(comparison)}.`
          : '; too few to judge.'),
    columns: [
      METHOD,
      valueColumn('mean', metric, meanFormat(metric)),
      ...(judgement.isJudged ? [{ title: 'verdict' }] : []),
      ...(isAlone
        ? []
        : comparedColumns(
            isShare
              ? { title: 'behind', format: shareFormat(shares) }
              : valueColumn('behind', metric, SIGNED),
          )),
    ],
    rows,
    bounds: meanBounds(population, replications),
  };
}

/** The methods on the pieces of the log as a table; undefined without pieces. */
export function piecesTable(judged: JudgedMetric, names: readonly string[]): Table | undefined {
  const found = compareOnPieces(judged, names);
  if (found === undefined) return undefined;
  const { count, best, isShare, others } = found;
  return {
    id: `${metricId(judged.name)}-pieces`,
    title: `${capitalized(judged.metric.label)}: pieces of the log`,
    caption: `The ${found.pieces}: difference to ${best}, mean and 95 % interval over pieces.`,
    bounds: 'interval',
    columns: [
      METHOD,
      {
        ...valueColumn(
          `behind ${best}`,
          isShare ? {} : judged.metric,
          isShare ? shareFormat(others.map(({ share }) => share)) : SIGNED,
        ),
        holds: 'difference',
      },
      { title: `worse in, of ${count}`, format: { style: 'fixed' } },
    ],
    rows: others.map(({ name, share, agreeing }) => [name, share, agreeing]),
  };
}
