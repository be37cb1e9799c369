/** Values of the jobs of a streamed run, from which metrics of every job are computed without keeping the jobs. */
import { JOB_QUANTITIES, type JobQuantity } from '../jobs/quantities.js';
import { ExactSum } from '../math/exactSum.js';
import { QuantileSketch } from '../math/quantileSketch.js';
import type { JobsOfRun } from './jobFolds.js';
import {
  computePercentileRank,
  FinishedJobOutcomes,
  type JobValues,
  selectNonNegativeValues,
} from './jobOutcomes.js';

type Sums = Readonly<Record<JobQuantity, ExactSum>>;

const makeRecordByQuantity = <Value>(makeValue: () => Value) =>
  Object.fromEntries(JOB_QUANTITIES.map((quantity) => [quantity, makeValue()])) as Record<JobQuantity, Value>;

/** Sketches of all quantities, and sums by user; memory grows with the number of users. */
export class StreamedJobValues implements JobValues {
  readonly #sketches = makeRecordByQuantity(() => new QuantileSketch());
  readonly #users = new Map<number, { readonly sums: Sums; count: number }>();
  readonly #recordedWaits = new ExactSum();
  #knownWaits = 0;

  /** Adds finished jobs. */
  add(jobsOfRun: JobsOfRun): void {
    const outcomes = new FinishedJobOutcomes(jobsOfRun);
    const users = outcomes.readLogField('user');
    const recordedWaits = selectNonNegativeValues(outcomes.readLogField('wait') ?? new Float64Array(0));
    this.#recordedWaits.add(recordedWaits);
    this.#knownWaits += recordedWaits.length;
    for (const quantity of JOB_QUANTITIES) {
      const valuesOfJobs = outcomes.values(quantity);
      this.#sketches[quantity].add(valuesOfJobs);
      if (users !== undefined) this.#addByUser(quantity, valuesOfJobs, users);
    }
  }

  #addByUser(quantity: JobQuantity, valuesOfJobs: Float64Array, users: Float64Array): void {
    const [firstQuantity] = JOB_QUANTITIES;
    for (let job = 0; job < valuesOfJobs.length; job++) {
      const userNumber = users[job]!;
      if (userNumber < 0) continue;
      let userSums = this.#users.get(userNumber);
      if (userSums === undefined) {
        userSums = { sums: makeRecordByQuantity(() => new ExactSum()), count: 0 };
        this.#users.set(userNumber, userSums);
      }
      userSums.sums[quantity].addTerm(valuesOfJobs[job]!);
      if (quantity === firstQuantity) userSums.count++;
    }
  }

  /** Percentile from a sketch, at most `SKETCH_RELATIVE_ERROR` below the exact one; maxima are exact. */
  percentile(quantity: JobQuantity, p: 50 | 90 | 95 | 99 | 100): number {
    const percentileSketch = this.#sketches[quantity];
    return p === 100
      ? percentileSketch.largest
      : percentileSketch.valueAtRank(computePercentileRank(p, percentileSketch.count));
  }

  userMeans(quantity: JobQuantity): Float64Array {
    return Float64Array.from(this.#users.values(), ({ sums, count }) => sums[quantity].value / count).sort();
  }

  meanRecordedWait(): number | undefined {
    return this.#knownWaits === 0 ? undefined : this.#recordedWaits.value / this.#knownWaits;
  }
}
