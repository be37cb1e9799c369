/** Classes of jobs under two methods over the same replications: the difference between the two, judged. */
import { momentsOf } from '../statistics/bootstrap.js';
import { type JudgingOptions, judgeMethods } from '../statistics/judging.js';

/**
 * How a class fares under a method, compared with the first method; `skewed` if a few replications decide the difference, so
 * that limits would not hold.
 */
export type ClassVerdict = 'worse' | 'better' | 'alike' | 'undecided' | 'skewed';

/** Difference of a class under a method to the first method, in the unit of the metric; above 0: more than under the first. */
export interface ClassDifference {
  readonly mean: number;
  /** Limits that hold together for all classes of the kind and all methods; null if the difference is skewed. */
  readonly low: number | null;
  readonly high: number | null;
  readonly verdict: ClassVerdict;
  /** Number of replications in which the class has jobs under both methods. */
  readonly replications: number;
}

/** Options of judging classes by one metric. */
export interface ClassJudging
  extends Required<Pick<JudgingOptions, 'within' | 'level' | 'fewest' | 'limits'>> {}

/**
 * The difference of a class under a method to the first method, paired by replication.
 * @param first values under the first method, by replication; NaN where the class has no jobs.
 * @param own values under the method.
 * @returns null for fewer replications than are judged, or copies that are all the same.
 */
export function classDifference(
  first: readonly number[],
  own: readonly number[],
  judging: ClassJudging,
): ClassDifference | null {
  const pairs = first.flatMap((value, i) =>
    Number.isNaN(value + own[i]!) ? [] : [[value, own[i]!] as const],
  );
  if (pairs.length < judging.fewest) return null;
  const samples = [pairs.map(([value]) => value), pairs.map(([, value]) => value)] as const;
  const { isJudged, methods, skewed } = judgeMethods(samples, { ...judging, better: 'less' });
  const [reference, method] = methods;
  if (!isJudged || method?.behind == null) return null;
  const { mean } = momentsOf(pairs.map(([value, other]) => other - value));
  const replications = pairs.length;
  if (skewed.length > 0) return { mean, low: null, high: null, verdict: 'skewed', replications };
  const verdict =
    method.verdict === 'worse'
      ? 'worse'
      : reference?.verdict === 'worse'
        ? 'better'
        : method.verdict === 'best' && reference?.verdict === 'best'
          ? 'alike'
          : 'undecided';
  return { mean, ...method.behind, verdict, replications };
}
