/** Methods side by side on the same replications: which is best, and which cannot be told apart from it. */
import { type Moments, momentsOf, resampledT, resampledTails, resamplesFor } from './bootstrap.js';
import {
  bootstrapInterval,
  estimateMean,
  FEWEST_RESAMPLED,
  LEFT_OUT,
  type MeanEstimate,
  type MeanInterval,
  studentInterval,
} from './interval.js';
import { studentBound, studentTails } from './student.js';

/** The mean of the differences between the values of a method and those of another on the same replications. */
export interface PairedDifference extends MeanInterval {
  readonly mean: number;
  /** Two-sided p value of there being none. */
  readonly p: number;
}

/** A method among others. */
export interface JudgedMethod extends MeanEstimate {
  /** Share of the replications in which no method is better; methods that are best together share it. */
  readonly bestIn: number;
  /** Whether its mean is the best; of equal ones the first. */
  readonly isBest: boolean;
  /** Whether it can be told apart from the best; null for the best itself. */
  readonly isDistinguishable: boolean | null;
  /** Its values minus those of the best. */
  readonly difference: PairedDifference;
  /**
   * About how many replications would tell it apart; null for the best, for what is told apart already, and where no
   * number would, since nothing differs.
   */
  readonly replicationsNeeded: number | null;
}

/** How methods are judged. */
export interface JudgingOptions {
  /** Which values are better. */
  readonly better: 'less' | 'more';
  /** The chance of a wrong distinction that all comparisons may take together; default 0.05. */
  readonly level?: number;
}

/**
 * The mean of paired differences, its 95 % interval and p value: bootstrap-t from ten values on, with fewer, or where
 * resamples without spread leave no interval, Student's t.
 * @param level how small a p value must be told.
 * @example
 * const { mean, low, high } = pairedDifference([11, 13, 12], [10, 12, 11]);
 * console.log(mean, low, high); // 1 1 1
 */
export function pairedDifference(
  values: readonly number[],
  others: readonly number[],
  level = LEFT_OUT,
): PairedDifference {
  const differences = values.map((value, i) => value - others[i]);
  const moments = momentsOf(differences);
  const { mean, standardError, count } = moments;
  const student = studentInterval(moments);
  if (standardError === 0) return { mean, ...student, p: mean === 0 ? 1 : 0 };
  const t = mean / standardError;
  if (count >= FEWEST_RESAMPLED) {
    const ratios = resampledT(differences, resamplesFor(level));
    const interval = bootstrapInterval(moments, ratios);
    if (interval.method === 'bootstrap-t') return { mean, ...interval, p: resampledTails(t, ratios) };
  }
  return { mean, ...student, p: studentTails(t, count - 1) };
}

/** Holm's correction (1979): which of some p values are significant at a level together. */
export function holm(pValues: readonly number[], level: number): boolean[] {
  const order = pValues.map((_, i) => i).sort((a, b) => pValues[a] - pValues[b] || a - b);
  const failing = order.findIndex((i, rank) => pValues[i] > level / (pValues.length - rank));
  const passed = failing < 0 ? order : order.slice(0, failing);
  return pValues.map((_, i) => passed.includes(i));
}

/** Share of the replications in which each method is best. */
function sharesBest(samples: readonly (readonly number[])[], sign: number): number[] {
  const wins = samples.map(() => 0);
  const count = samples[0].length;
  for (let replication = 0; replication < count; replication++) {
    const values = samples.map((values) => sign * values[replication]);
    const best = Math.min(...values);
    const winners = values.flatMap((value, method) => (value === best ? [method] : []));
    for (const method of winners) wins[method] += 1 / winners.length;
  }
  return wins.map((won) => won / count);
}

/** The chance that a difference of the size seen is told with the number of replications that is named. */
const POWER = 0.8;

/**
 * How many replications tell a difference apart in four of five experiments, if it is as large as it seems and its p
 * value must stay below a level.
 */
function neededFor({ mean, standardError, count }: Moments, level: number): number | null {
  if (mean === 0 || standardError === 0) return null;
  const reach = studentBound(level, count - 1) + studentBound(2 * (1 - POWER), count - 1);
  const factor = (reach * standardError) / mean;
  return Math.max(count + 1, Math.ceil(count * factor * factor));
}

/**
 * Judges methods by their values on the same, independent replications: against the method of the best mean by Holm's
 * correction over the paired differences of the others.
 * @param samples the values of each method, replication by replication: two methods or more, two values or more.
 * @example
 * const [slow, fast] = judgeMethods([[31, 42, 39], [20, 32, 29]], { better: 'less' });
 * console.log(fast.isBest, slow.difference.mean.toFixed(1), slow.isDistinguishable); // true 10.3 true
 */
export function judgeMethods(
  samples: readonly (readonly number[])[],
  { better, level = LEFT_OUT }: JudgingOptions,
): JudgedMethod[] {
  const sign = better === 'less' ? 1 : -1;
  const estimates = samples.map(estimateMean);
  const best = estimates.reduce(
    (least, { mean }, i) => (sign * mean < sign * estimates[least].mean ? i : least),
    0,
  );
  const each = level / Math.max(1, samples.length - 1);
  const differences = samples.map((values) => pairedDifference(values, samples[best], each));
  const others = samples.flatMap((_, i) => (i === best ? [] : [i]));
  const told = holm(
    others.map((i) => differences[i].p),
    level,
  );
  const shares = sharesBest(samples, sign);
  return samples.map((values, i) => {
    const isDistinguishable = i === best ? null : told[others.indexOf(i)];
    const moments = momentsOf(values.map((value, replication) => value - samples[best][replication]));
    return {
      ...estimates[i],
      bestIn: shares[i],
      isBest: i === best,
      isDistinguishable,
      difference: differences[i],
      replicationsNeeded: isDistinguishable === false ? neededFor(moments, each) : null,
    };
  });
}
