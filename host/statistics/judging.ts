/**
 * Compares methods on the same replications: which are best, which are worse, and which are undecided. Limits
 * of the differences to the best other method are simultaneous (multiple comparisons with the best; Edwards,
 * Hsu 1983).
 */

import { checkArgument, checkOptionNames, registerLibraryOptions } from '../arguments.js';
import { InputError } from '../errors.js';
import { firstElement } from '../lists.js';
import { exp, naturalLogarithm } from '../math/fdlibm.js';
import {
  computeResampledMaxima,
  orderStatistic,
  RESAMPLE_COUNT,
  resampledTStatistics,
  type SampleMoments,
  sampleMoments,
  sampleSkewness,
} from './bootstrap.js';
import { anytimeValidBound, INTERVAL_ERROR_PROBABILITY, studentQuantile } from './interval.js';

/** Options for comparing methods. */
export interface JudgingOptions {
  /** Direction of better values. */
  readonly better: 'less' | 'more';
  /** Equivalence margin, as a share of the mean of the observed best; default 0.01. */
  readonly within?: number;
  /** Probability that any statement is wrong; default 0.05. It is divided among several metrics. */
  readonly level?: number;
  /** Minimum number of replications for verdicts; default 10. For resampled logs and models use 20. */
  readonly fewest?: number;
  /** Limits valid for a number of replications chosen in advance (`fixed`, default), or for all (`anytime`). */
  readonly limits?: 'fixed' | 'anytime';
  /** Judgement at the previous look, whose bounds remain valid; only with `anytime`. */
  readonly before?: Judgement | undefined;
}

/** Verdict on a method: `best` (or within the equivalence margin of the best), `worse`, or `undecided`. */
export type Verdict = 'best' | 'worse' | 'undecided';

/** Result of one method in a comparison. Differences are positive if it is worse than another method. */
export interface JudgedMethod {
  readonly mean: number;
  /** Share of the replications in which no method is better; ties share a replication. */
  readonly bestIn: number;
  /** Mean and standard deviation of the differences to the observed best method on the same replications. */
  readonly behindObserved: number;
  readonly standardDeviation: number;
  /** Bounds on the difference to the best other method; negative: better. Null: not judged. */
  readonly behind: { readonly low: number; readonly high: number } | null;
  /** Verdict; null if nothing is judged. */
  readonly verdict: Verdict | null;
  /** True if no method is significantly better; null if nothing is judged. */
  readonly couldBeBest: boolean | null;
  /** Index of the first method with identical values in every replication, or null if this is that method. */
  readonly sameAs: number | null;
}

/** A difference too skewed for reliable limits. */
export interface SkewedDifference {
  /** Indices of the two methods. */
  readonly methods: readonly [number, number];
  /** Number of replications needed (Cochran's rule: 25 times the squared skewness). */
  readonly replications: number;
}

/** Comparison of methods over replications. */
export interface Judgement {
  /** Results of the methods in the order of the samples. */
  readonly methods: readonly JudgedMethod[];
  readonly replications: number;
  /** Index of the method with the best mean; the first of equal ones. */
  readonly observedBest: number;
  /** Equivalence margin, in the unit of the metric. */
  readonly within: number;
  readonly level: number;
  readonly limits: 'fixed' | 'anytime';
  /** True if there are enough replications and they differ; otherwise no method has a verdict. */
  readonly isJudged: boolean;
  /** True if methods differ but all replications are identical; they then count as one sample. */
  readonly isOneSample: boolean;
  /** True if methods are judged and none is undecided. */
  readonly isDecided: boolean;
  /** True if some limits are Student's because resamples had no spread. */
  readonly lacksResamples: boolean;
  /** True if rounding makes every method worse than some other; the observed best then counts as best. */
  readonly lacksCandidate: boolean;
  /** Indices of pairs of methods, at least one a possible best, whose difference is constant. */
  readonly fixed: readonly (readonly [number, number])[];
  /** Skewed differences, those that need most replications first. */
  readonly skewed: readonly SkewedDifference[];
  /** Minimum difference detected with 80 % power between the observed best and possible best methods, or null. */
  readonly leastDifference: number | null;
}

/** Number of replications from which bootstrap limits are used. */
const MIN_RESAMPLED_REPLICATIONS = 20;

/** Default minimum number of replications for verdicts. */
const MIN_JUDGED_REPLICATIONS = 10;

const DEFAULT_DECISION_MARGIN = 0.01;

/** Power of the minimum detectable difference. */
const TARGET_TEST_POWER = 0.8;

/** Factor of Cochran's rule: number of replications per squared skewness from which Student's limits hold. */
const COCHRAN_SKEWNESS_FACTOR = 25;

/** Distances of limits from the differences to each method, in standard errors: below and above. */
interface LimitReach {
  readonly below: readonly number[];
  readonly above: readonly number[];
  readonly lacksResamples: boolean;
}

/** Differences between two methods over replications. */
interface MethodDifference extends SampleMoments {
  /** Number of replications in which the two methods differ. */
  readonly differing: number;
}

/** Differences of all pairs of methods: `pairs[i][b]` is i minus b. */
type PairedDifferences = readonly (readonly MethodDifference[])[];

/**
 * One-sided upper bound from 1,999 resampled values, with error probability level / 2; Infinity if
 * that needs more resamples.
 */
function upperConfidenceBound(ratios: Float64Array, level: number): number {
  const rank = Math.ceil((RESAMPLE_COUNT + 1) * (1 - level / 2) - 1e-9);
  return rank > RESAMPLE_COUNT ? Number.POSITIVE_INFINITY : orderStatistic(ratios, rank - 1);
}

/** Maximum ratio of resampled to Student's limits, since resamples of rare differences have almost no spread. */
const MAX_RESAMPLED_REACH_RATIO = 2;

const chooseWiderReach = (studentReach: number, resampledReach: number) =>
  resampledReach === Number.POSITIVE_INFINITY
    ? studentReach
    : Math.max(studentReach, Math.min(MAX_RESAMPLED_REACH_RATIO * studentReach, resampledReach));

/** Limits for a fixed count: the wider of Student's (Bonferroni) and resampled ones, at most twice the former. */
function fixedLimitReach(samples: readonly (readonly number[])[], level: number): LimitReach {
  const replicationCount = firstElement(samples).length;
  const studentReach = studentQuantile(level / (samples.length - 1), replicationCount - 1);
  const equalReaches = samples.map(() => studentReach);
  if (replicationCount < MIN_RESAMPLED_REPLICATIONS)
    return { below: equalReaches, above: equalReaches, lacksResamples: false };
  const { others, own } = computeResampledMaxima(samples, RESAMPLE_COUNT);
  const below = others.map((ratios) => upperConfidenceBound(ratios, level));
  const above = own.map((ratios) => upperConfidenceBound(ratios, level));
  return {
    below: below.map((bound) => chooseWiderReach(studentReach, bound)),
    above: above.map((bound) => chooseWiderReach(studentReach, bound)),
    lacksResamples: [...below, ...above].includes(Number.POSITIVE_INFINITY),
  };
}

function anytimeLimitReach(samples: readonly (readonly number[])[], level: number): LimitReach {
  const bound = anytimeValidBound(level / (samples.length - 1), firstElement(samples).length);
  const equalReaches = samples.map(() => bound);
  return { below: equalReaches, above: equalReaches, lacksResamples: false };
}

/**
 * Minimum number of standard errors between limits and the mean difference of two methods: Student's t, with
 * degrees of freedom one less than the number of replications in which they differ. For a single one: Edelman
 * 1990, A confidence interval for the center of an unknown unimodal distribution based on a sample of size one.
 */
const boundForFewDifferences = (differing: number, level: number) =>
  differing === 1 ? 2 / level - 1 : studentQuantile(level, differing - 1);

/** Distance of the limits from a mean difference, in standard errors; larger if the methods rarely differ. */
function reachOfConfidenceLimits(
  bound: number,
  { standardError, count: sampleCount, differing }: MethodDifference,
  level: number,
): number {
  if (standardError === 0) return 0;
  return (
    standardError *
    (differing === sampleCount ? bound : Math.max(bound, boundForFewDifferences(differing, level)))
  );
}

/** Bounds on the difference of each method to the best other method, and the set of possible best methods. */
function boundsFromReach(
  pairs: PairedDifferences,
  { below, above }: LimitReach,
  observedBest: number,
  level: number,
) {
  const pairPositions = pairs.map((_, i) => i);
  const reachesOfPairs = (pairBounds: readonly number[]) =>
    pairs.map((row) => row.map((pair, b) => reachOfConfidenceLimits(pairBounds[b]!, pair, level)));
  const [downwards, upwards] = [reachesOfPairs(below), reachesOfPairs(above)];
  const lowerLimitOf = (i: number, b: number) => pairs[i]![b]!.mean - downwards[i]![b]!;
  const upperLimitOf = (i: number, b: number) => pairs[i]![b]!.mean + upwards[i]![b]!;
  const othersOf = (b: number) => pairPositions.filter((i) => i !== b);
  const unbeatenMethods = pairPositions.filter((b) => othersOf(b).every((i) => upperLimitOf(i, b) >= 0));
  const lacksCandidate = unbeatenMethods.length === 0;
  const candidates = lacksCandidate ? [observedBest] : unbeatenMethods;
  const behind = pairPositions.map((i) => {
    const intervalHull = { low: Number.POSITIVE_INFINITY, high: Number.NEGATIVE_INFINITY };
    const includeInterval = (from: number, to: number) => {
      intervalHull.low = Math.min(intervalHull.low, from);
      intervalHull.high = Math.max(intervalHull.high, to);
    };
    for (const b of candidates) {
      if (b !== i) includeInterval(Math.max(0, lowerLimitOf(i, b)), upperLimitOf(i, b));
      else {
        const lowEnds = othersOf(i).map((j) => lowerLimitOf(j, i));
        const highEnds = othersOf(i).map((j) => upperLimitOf(j, i));
        includeInterval(-Math.min(...highEnds), Math.min(0, -Math.min(...lowEnds)));
      }
    }
    return intervalHull;
  });
  return { candidates, lacksCandidate, behind };
}

function findSkewedDifferences(
  samples: readonly (readonly number[])[],
  pairs: PairedDifferences,
  candidates: readonly number[],
): SkewedDifference[] {
  const replicationCount = firstElement(samples).length;
  const skewedDifferences = candidates.flatMap((b) =>
    samples.flatMap((values, i): SkewedDifference[] => {
      if (i === b || (candidates.includes(i) && i < b)) return [];
      const differences = values.map((value, at) => value - samples[b]![at]!);
      const skewness = sampleSkewness(differences, pairs[i]![b]!);
      const replications = Math.ceil(COCHRAN_SKEWNESS_FACTOR * skewness * skewness);
      return replications > replicationCount ? [{ methods: [i, b], replications }] : [];
    }),
  );
  return skewedDifferences.sort((a, b) => b.replications - a.replications);
}

/** Share of the replications in which each method is best. */
function shareOfReplicationsBest(samples: readonly (readonly number[])[]): number[] {
  const winCounts = samples.map(() => 0);
  const replicationCount = firstElement(samples).length;
  for (let replication = 0; replication < replicationCount; replication++) {
    const bestValue = Math.min(...samples.map((values) => values[replication]!));
    const winningMethods = samples.flatMap((values, method) =>
      values[replication] === bestValue ? [method] : [],
    );
    for (const method of winningMethods) winCounts[method]! += 1 / winningMethods.length;
  }
  return winCounts.map((winCount) => winCount / replicationCount);
}

/** Index of the first equal sample, for each sample. */
function findFirstEqualMethods(samples: readonly (readonly number[])[]): number[] {
  return samples.map((values) =>
    samples.findIndex((otherValues) => otherValues.every((otherValue, at) => otherValue === values[at])),
  );
}

/** Minimum difference to the observed best that this many replications detect with 80 % power. */
function detectableDifference(
  pairs: PairedDifferences,
  observedBest: number,
  candidates: readonly number[],
  { level, limits }: { readonly level: number; readonly limits: Judgement['limits'] },
): number | null {
  if (candidates.length === 0) return null;
  const { count } = firstElement(firstElement(pairs));
  const each = level / (pairs.length - 1);
  const reach = limits === 'fixed' ? studentQuantile(each, count - 1) : anytimeValidBound(each, count);
  const error = Math.max(...candidates.map((i) => pairs[i]![observedBest]!.standardError));
  const least = (reach + studentQuantile(2 * (1 - TARGET_TEST_POWER), count - 1)) * error;
  return least > 0 && Number.isFinite(least) ? least : null;
}

/**
 * Pairs of a method and a possible best method whose difference is the same, and not 0, in every
 * replication; each pair once.
 */
function constantDifferences(pairs: PairedDifferences, candidates: readonly number[]): [number, number][] {
  return candidates.flatMap((b) =>
    pairs.flatMap((differencesOfMethod, i): [number, number][] => {
      const { mean, standardError } = differencesOfMethod[b]!;
      const isCountedPair = candidates.includes(i) && i < b;
      return standardError === 0 && mean !== 0 && !isCountedPair ? [[i, b]] : [];
    }),
  );
}

/** Bounds on the difference of a method to the best other method. */
interface DistanceInterval {
  readonly low: number;
  readonly high: number;
}

/** Bounds on the differences of all methods to the best other method. */
interface DistanceBounds {
  readonly behind: readonly DistanceInterval[];
  readonly candidates: readonly number[];
  readonly lacksCandidate: boolean;
  readonly lacksResamples: boolean;
}

function distanceBoundsOfMethods(
  samples: readonly (readonly number[])[],
  pairs: PairedDifferences,
  observedBest: number,
  level: number,
  limits: 'fixed' | 'anytime',
): DistanceBounds {
  // If all methods are equal, each is the best.
  if (samples.length < 2)
    return {
      behind: [{ low: 0, high: 0 }],
      candidates: [0],
      lacksCandidate: false,
      lacksResamples: false,
    };
  const reach = limits === 'fixed' ? fixedLimitReach(samples, level) : anytimeLimitReach(samples, level);
  return { ...boundsFromReach(pairs, reach, observedBest, level), lacksResamples: reach.lacksResamples };
}

/** Differences of all pairs of methods. */
function differencesOfAllPairs(samples: readonly (readonly number[])[]): PairedDifferences {
  const methodPairs: MethodDifference[][] = samples.map(() => []);
  for (const [i, values] of samples.entries()) {
    for (let b = 0; b <= i; b++) {
      const methodDifference = differenceOfMethods(values, samples[b]!);
      methodPairs[i]![b] = methodDifference;
      methodPairs[b]![i] = { ...methodDifference, mean: 0 - methodDifference.mean };
    }
  }
  return methodPairs;
}

/** Differences between the values of two methods on the same replications. */
function differenceOfMethods(values: readonly number[], otherValues: readonly number[]): MethodDifference {
  const differences = values.map((value, i) => value - otherValues[i]!);
  const differing = differences.filter((difference) => difference !== 0).length;
  return { ...sampleMoments(differences), differing };
}

/** Values oriented so that less is better, without duplicates, and each method's index among them. */
function distinctMethodSamples(samples: readonly (readonly number[])[], better: 'less' | 'more') {
  const sign = better === 'less' ? 1 : -1;
  const signedSamples = samples.map((values) => values.map((value) => sign * value));
  const firstEqualIndices = findFirstEqualMethods(signedSamples);
  const methodIndices = firstEqualIndices.flatMap((first, i) => (first === i ? [i] : []));
  const places = firstEqualIndices.map((first) => methodIndices.indexOf(first));
  const distinct = methodIndices.map((i) => signedSamples[i]!);
  return { sign, signed: signedSamples, firsts: firstEqualIndices, own: methodIndices, places, distinct };
}

function decideVerdictOfInterval({ low, high }: DistanceInterval, within: number): Verdict {
  if (high <= within) return 'best';
  return low > 0 ? 'worse' : 'undecided';
}

/** Intersection of two bounds, or the later bounds if they are disjoint (at most with the error probability). */
function intersectIntervals(
  current: DistanceInterval,
  earlier: DistanceInterval | null | undefined,
): DistanceInterval {
  if (earlier === null || earlier === undefined) return current;
  const jointBounds = { low: Math.max(current.low, earlier.low), high: Math.min(current.high, earlier.high) };
  return jointBounds.low <= jointBounds.high ? jointBounds : current;
}

const JUDGE_METHODS_CALL_OPTIONS = registerLibraryOptions<JudgingOptions>('judgeMethods', {
  ...{ better: true, within: true, level: true, fewest: true, limits: true, before: true },
});

function checkJudgingArguments(samples: readonly (readonly number[])[], options: JudgingOptions): void {
  checkArgument(samples, 'some', 'judgeMethods, samples');
  checkArgument(options, 'object', 'judgeMethods, options');
  checkOptionNames(JUDGE_METHODS_CALL_OPTIONS, options);
  const { better: betterDirection, limits = 'fixed' } = options;
  if (betterDirection !== 'less' && betterDirection !== 'more')
    throw new InputError(`judgeMethods, better: expected less or more, found ${betterDirection}`);
  if (limits !== 'fixed' && limits !== 'anytime')
    throw new InputError(`judgeMethods, limits: expected fixed or anytime, found ${limits}`);
  const { length } = firstElement(samples);
  for (const [i, values] of samples.entries()) {
    checkArgument(values, 'list', `judgeMethods, samples[${i}]`);
    if (values.length !== length)
      throw new InputError(
        `judgeMethods, samples[${i}]: expected ${length} values, as samples[0] has, found ${values.length}`,
      );
    const unknown = values.findIndex((value) => !Number.isFinite(value));
    if (unknown >= 0)
      throw new InputError(
        `value ${unknown + 1} of method ${i + 1}: expected a number, found ${values[unknown]}`,
      );
  }
}

/**
 * Compares methods by their values on the same, independent replications. With probability 1 - level, all
 * bounds hold simultaneously if the means of paired differences are normal: no method as good as the best is
 * called worse, and no method called best is worse than the best by more than `within`. Methods with equal
 * values in every replication count as one. There are no verdicts if methods differ but all replications are
 * identical.
 * @param samples finite values by method, then by replication: at least one method and two values.
 * @throws InputError for a value that is not finite, methods with different numbers of values, and unknown
 * options.
 * @example
 * const slow = [31, 42, 39, 35, 37, 33, 40, 36, 38, 34];
 * const { methods } = judgeMethods([slow, slow.map((value, i) => value - 9 - (i % 3))], { better: 'less' });
 * console.log(methods.map(({ verdict }) => verdict).join(), methods[0].behind?.low.toFixed(1)); // worse,best 9.3
 */
export function judgeMethods(samples: readonly (readonly number[])[], options: JudgingOptions): Judgement {
  checkJudgingArguments(samples, options);
  const {
    better,
    within = DEFAULT_DECISION_MARGIN,
    level = INTERVAL_ERROR_PROBABILITY,
    fewest = MIN_JUDGED_REPLICATIONS,
    limits = 'fixed',
  } = options;
  const { sign, signed, firsts, own, places, distinct } = distinctMethodSamples(samples, better);
  const means = distinct.map((values) => sampleMoments(values).mean);
  const bestIndex = means.reduce((least, mean, i) => (mean < means[least]! ? i : least), 0);
  const pairs = differencesOfAllPairs(distinct);
  const replicationCount = firstElement(samples).length;
  const isEqual = (values: readonly number[]) => values.every((value) => value === values[0]);
  const isOneSample = distinct.length > 1 && distinct.every(isEqual);
  const isJudged = samples.length > 1 && replicationCount >= fewest && !isOneSample;
  const bounds = distanceBoundsOfMethods(distinct, pairs, bestIndex, level, limits);
  const { candidates } = bounds;
  const shares = shareOfReplicationsBest(signed);
  const allowedDistance = within * Math.abs(means[bestIndex]!);
  const judgedMethods = places.map((distinctIndex, i): JudgedMethod => {
    const behind = intersectIntervals(bounds.behind[distinctIndex]!, options.before?.methods[i]?.behind);
    return {
      mean: sign * means[distinctIndex]!,
      bestIn: shares[i]!,
      behindObserved: pairs[distinctIndex]![bestIndex]!.mean,
      standardDeviation: pairs[distinctIndex]![bestIndex]!.standardDeviation,
      behind: isJudged ? behind : null,
      verdict: isJudged ? decideVerdictOfInterval(behind, allowedDistance) : null,
      couldBeBest: isJudged ? candidates.includes(distinctIndex) : null,
      sameAs: firsts[i] === i ? null : firsts[i]!,
    };
  });
  const pairOfMeans = ([i, b]: readonly [number, number]) => [own[i]!, own[b]!] as const;
  const skewedDifferences = isJudged ? findSkewedDifferences(distinct, pairs, candidates) : [];
  const isOpen = ({ verdict, couldBeBest }: JudgedMethod) => verdict === 'undecided' || couldBeBest === true;
  const open = own.flatMap((i, place) => (place !== bestIndex && isOpen(judgedMethods[i]!) ? [place] : []));
  return {
    methods: judgedMethods,
    replications: replicationCount,
    observedBest: own[bestIndex]!,
    within: allowedDistance,
    level,
    limits,
    isJudged,
    isOneSample,
    isDecided: isJudged && judgedMethods.every(({ verdict }) => verdict !== 'undecided'),
    lacksResamples: isJudged && bounds.lacksResamples,
    lacksCandidate: isJudged && bounds.lacksCandidate,
    fixed: isJudged ? constantDifferences(pairs, candidates).map(pairOfMeans) : [],
    skewed: skewedDifferences.map((each) => ({ ...each, methods: pairOfMeans(each.methods) })),
    leastDifference: detectableDifference(pairs, bestIndex, open, { level, limits }),
  };
}

/** Mean difference between two methods on the same replications. */
export interface PairedDifference {
  readonly mean: number;
  readonly low: number;
  readonly high: number;
}

/**
 * Mean of paired differences with its interval: the wider of Student's and, from 20 values on, bootstrap-t.
 * @param level two-sided error probability of the interval, to be divided among simultaneous questions.
 * @example
 * const { mean, low, high } = pairedDifference([11, 13, 12], [10, 12, 11]);
 * console.log(mean, low, high); // 1 1 1
 */
export function pairedDifference(
  values: readonly number[],
  otherValues: readonly number[],
  level = INTERVAL_ERROR_PROBABILITY,
): PairedDifference {
  checkArgument(values, 'list', 'pairedDifference, values');
  checkArgument(otherValues, 'list', 'pairedDifference, others');
  const differences = values.map((value, i) => value - otherValues[i]!);
  const methodDifference = differenceOfMethods(values, otherValues);
  const { mean, standardError, count: sampleCount } = methodDifference;
  if (standardError === 0) return { mean, low: mean, high: mean };
  const studentReach = studentQuantile(level, sampleCount - 1);
  const reach = (bound: number) =>
    reachOfConfidenceLimits(chooseWiderReach(studentReach, bound), methodDifference, level);
  if (sampleCount < MIN_RESAMPLED_REPLICATIONS) return { mean, low: mean - reach(0), high: mean + reach(0) };
  const ratios = resampledTStatistics(differences, RESAMPLE_COUNT);
  const upperBound = upperConfidenceBound(ratios, level);
  const lower = upperConfidenceBound(
    ratios.map((ratio) => -ratio),
    level,
  );
  return { mean, low: mean - reach(upperBound), high: mean + reach(lower) };
}

// The best of many methods: those that are surely not it are left out as replications come in (Kim and Nelson 2001, KN).

/** State of a selection of the best method. */
export interface Selection {
  /** Indices of the methods that may still be best; a single one at the end. */
  readonly left: readonly number[];
  /** Number of replications after which each method was excluded, or their total number. */
  readonly replications: readonly number[];
}

/** Options for selecting the best method. */
export interface SelectionOptions {
  /** Direction of better values. */
  readonly better: 'less' | 'more';
  /** Indifference zone: smaller differences do not matter. In the unit of the values; positive. */
  readonly delta: number;
  /** Number of replications after which methods may first be excluded; at least 2. */
  readonly first: number;
  /** Probability that the selected method is worse than the best by more than delta; default 0.05. */
  readonly level?: number;
}

const SELECT_BEST_CALL_OPTIONS = registerLibraryOptions<SelectionOptions>('selectBest', {
  ...{ better: true, delta: true, first: true, level: true },
});

function checkSelectionArguments(samples: readonly (readonly number[])[], options: SelectionOptions): void {
  checkArgument(samples, 'some', 'selectBest, samples');
  checkArgument(options, 'object', 'selectBest, options');
  checkOptionNames(SELECT_BEST_CALL_OPTIONS, options);
  const { better: betterDirection, delta, first, level = INTERVAL_ERROR_PROBABILITY } = options;
  if (betterDirection !== 'less' && betterDirection !== 'more')
    throw new InputError(`selectBest, better: expected less or more, found ${betterDirection}`);
  if (!(delta > 0 && delta < Number.POSITIVE_INFINITY))
    throw new InputError(`selectBest, delta: expected a number above 0, found ${delta}`);
  if (!(Number.isInteger(first) && first >= 2))
    throw new InputError(`selectBest, first: expected a whole number, 2 or more, found ${first}`);
  if (!(level > 0 && level < 0.5))
    throw new InputError(`selectBest, level: expected a number above 0 and below 0.5, found ${level}`);
  for (const [i, values] of samples.entries()) {
    const argumentPath = `selectBest, samples[${i}]`;
    checkArgument(values, 'list', argumentPath);
    if (values.length < first || !values.every(Number.isFinite))
      throw new InputError(`${argumentPath}: expected ${first} finite numbers or more, as first says`);
  }
}

/**
 * Excludes methods by their values on the same replications so far. With probability 1 - level, the last
 * remaining method is within delta of the best, if values are normal; values of different methods may be
 * correlated.
 * @param samples values by method, then by replication; an excluded method needs only its values up to the
 * exclusion.
 * @throws InputError for fewer than `first` values of a method, values that are not finite, and options out
 * of range.
 * @example
 * const noise = [1, -1, 2, -2, 0, 1, -1, 0, 2, -2, 0, 1];
 * const samples = [noise.map((x) => 50 + x), noise.map((x) => 40 - x)];
 * console.log(selectBest(samples, { better: 'less', delta: 5, first: 10 }).left); // [ 1 ]
 */
export function selectBest(samples: readonly (readonly number[])[], options: SelectionOptions): Selection {
  checkSelectionArguments(samples, options);
  const { better: betterDirection, delta, first, level = INTERVAL_ERROR_PROBABILITY } = options;
  const directionSign = betterDirection === 'less' ? 1 : -1;
  const replicationCount = Math.max(...samples.map((values) => values.length));
  const spread =
    (exp((-2 / (first - 1)) * naturalLogarithm((2 * level) / Math.max(1, samples.length - 1))) - 1) / 2;
  const squares = samples.map((values, i) =>
    samples.map((otherValues, l) => {
      if (i === l) return 0;
      const differences = Array.from({ length: first }, (_, r) => values[r]! - otherValues[r]!);
      return 2 * spread * (first - 1) * sampleMoments(differences).standardDeviation ** 2;
    }),
  );
  const sums = samples.map((values) => values.slice(0, first - 1).reduce((sum, value) => sum + value, 0));
  const replications = samples.map(() => replicationCount);
  let remainingMethods = samples.map((_, i) => i);
  for (let r = first; r <= replicationCount && remainingMethods.length > 1; r++) {
    for (const i of remainingMethods) sums[i]! += samples[i]![r - 1]!;
    // In sums of r values: r times the largest difference of means.
    const slackOf = (i: number, l: number) => Math.max(0, squares[i]![l]! / (2 * delta) - (delta * r) / 2);
    const stayingMethods = remainingMethods.filter((i) =>
      remainingMethods.every((l) => directionSign * (sums[i]! - sums[l]!) <= slackOf(i, l)),
    );
    const isOver = remainingMethods.every((i) => remainingMethods.every((l) => slackOf(i, l) === 0));
    for (const i of remainingMethods) if (!stayingMethods.includes(i)) replications[i] = r;
    // At the end, equal methods are the same.
    remainingMethods = isOver ? stayingMethods.slice(0, 1) : stayingMethods;
    if (remainingMethods.length === 1) replications[firstElement(remainingMethods)] = r;
  }
  return { left: remainingMethods, replications };
}
