/** Methods compared over replications, on the pieces of the log, each unchanged and by itself. */

import { formatDuration } from '../format/numbers.js';
import type { JudgedMetric } from '../runs/comparison.js';
import { momentsOf } from '../statistics/bootstrap.js';
import { studentInterval } from '../statistics/interval.js';

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
export interface OnPieces {
  readonly count: number;
  /** `11 pieces of the log of 30 d each, unchanged, each by itself`. */
  readonly pieces: string;
  /** The method that is the best over the replications, with which the others are compared. */
  readonly best: string;
  /** Of the others, how far each is behind as a share of the mean of the best, with its 95 % interval. */
  readonly others: readonly {
    readonly name: string;
    readonly share: { readonly value: number; readonly low: number; readonly high: number };
    /** In how many pieces it is worse, or better where it is better over the replications. */
    readonly agreeing: number;
  }[];
}

/** The methods on the pieces of the log; undefined where there are none, or nothing is told apart. */
export function onPieces(judged: JudgedMetric, names: readonly string[]): OnPieces | undefined {
  const { judgement, spans } = judged;
  if (spans === undefined) return undefined;
  const { observedBest, methods } = judgement;
  const best = spans.values[observedBest]!;
  const scale = Math.abs(momentsOf(best).mean) || 1;
  const others = spanDifferences(judged).flatMap(({ mean, low, high, agreeing }, i) => {
    if (i === observedBest || methods[i]!.behindObserved === 0) return [];
    const share = { value: mean / scale, low: low / scale, high: high / scale };
    return [{ name: names[i]!, share, agreeing }];
  });
  if (others.length === 0) return undefined;
  const [count, length] = [best.length, formatDuration(Math.round(spans.seconds / 86_400) * 86_400)];
  const pieces = `${count} pieces of the log of ${length} each, unchanged, each by itself`;
  return { count, pieces, best: names[observedBest]!, others };
}
