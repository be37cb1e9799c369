/** Tests the difference of job classes between two methods over the same replications. */
import { sampleMoments } from '../statistics/bootstrap.js';
import { type JudgingOptions, judgeMethods } from '../statistics/judging.js';

/**
 * Verdict on a class under a method compared with the first method; `skewed`: a few replications dominate
 * the difference, so limits would be unreliable.
 */
export type ClassVerdict = 'worse' | 'better' | 'alike' | 'undecided' | 'skewed';

/**
 * Difference of a class metric to the first method, in the metric's unit; positive: larger than under the
 * first method.
 */
export interface ClassDifference {
  readonly mean: number;
  /** Simultaneous limits over all classes of the classification and all methods; null if `skewed`. */
  readonly low: number | null;
  readonly high: number | null;
  readonly verdict: ClassVerdict;
  /** Number of replications with jobs of the class under both methods. */
  readonly replications: number;
}

/** Options for testing class differences by one metric. */
export interface ClassTestOptions
  extends Required<Pick<JudgingOptions, 'within' | 'level' | 'fewest' | 'limits'>> {}

/**
 * Difference of a class between a method and the first method, paired by replication.
 * @param referenceValues values under the first method, by replication; NaN without jobs of the class.
 * @param methodValues values under the method.
 * @returns null if replications are too few or all equal.
 */
export function testClassDifference(
  referenceValues: readonly number[],
  methodValues: readonly number[],
  options: ClassTestOptions,
): ClassDifference | null {
  const valuePairs = referenceValues.flatMap((referenceValue, i) =>
    Number.isNaN(referenceValue + methodValues[i]!) ? [] : [[referenceValue, methodValues[i]!] as const],
  );
  if (valuePairs.length < options.fewest) return null;
  const samples = [valuePairs.map(([value]) => value), valuePairs.map(([, value]) => value)] as const;
  const {
    isJudged,
    methods,
    skewed: skewedDifferences,
  } = judgeMethods(samples, { ...options, better: 'less' });
  const [reference, judgedMethod] = methods;
  if (!isJudged || judgedMethod?.behind == null) return null;
  const { mean } = sampleMoments(
    valuePairs.map(([referenceValue, methodValue]) => methodValue - referenceValue),
  );
  const replicationCount = valuePairs.length;
  if (skewedDifferences.length > 0)
    return { mean, low: null, high: null, verdict: 'skewed', replications: replicationCount };
  const verdict =
    judgedMethod.verdict === 'worse'
      ? 'worse'
      : reference?.verdict === 'worse'
        ? 'better'
        : judgedMethod.verdict === 'best' && reference?.verdict === 'best'
          ? 'alike'
          : 'undecided';
  return { mean, ...judgedMethod.behind, verdict, replications: replicationCount };
}
