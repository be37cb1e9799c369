/** What became of the jobs of a simulation that may have gone on from where another stood. */
import type { CoreRun } from '../core/host.js';

/** Columns by job, and the jobs in the order in which entries have come to stand in these. */
interface Outcomes {
  readonly start: Float64Array;
  readonly execution: Float64Array;
  /** Empty unless jobs are moldable. */
  readonly held: Int32Array;
  /** Empty where that is the order of the jobs. */
  readonly counted: Int32Array;
}

/** Results of another simulation: of so many jobs, the first that it counted. */
interface Carried {
  readonly from: CarriedResults;
  readonly jobs: number;
}

/**
 * The results of a simulation, those of before a fork with it. A fork copies kilobytes and leaves these in the columns of
 * the simulation that it was taken from, so they are read there, when they are asked for; and before these columns are
 * overwritten they are kept.
 */
export class CarriedResults {
  readonly #run: CoreRun;
  readonly #carried: Carried | undefined;
  #isCarried = false;
  #kept: Outcomes | undefined;

  constructor(run: CoreRun, carried?: Carried) {
    this.#run = run;
    this.#carried = carried;
  }

  /** Those of a simulation that goes on from where this one stands: the run of that, or a copy of all of this. */
  goOnIn(run: CoreRun, isCopy: boolean): CarriedResults {
    if (isCopy) return new CarriedResults(run, this.#carried);
    this.#isCarried = true;
    return new CarriedResults(run, { from: this, jobs: this.#run.scalar('Counted') });
  }

  /** The columns are about to be overwritten. */
  keep(): void {
    if (this.#isCarried) this.#kept ??= this.read();
  }

  /** The same, by what then has other results. */
  overwrittenBy(other: CarriedResults): CarriedResults {
    this.keep();
    return other;
  }

  /** Copies of the columns. */
  read(): Outcomes {
    if (this.#kept !== undefined) return this.#kept;
    const own = {
      start: this.#run.column('Start').slice(),
      execution: this.#run.column('Execution').slice(),
      held: this.#run.column('Held').slice(),
      counted: this.#run.column('Counted').slice(),
    };
    if (this.#carried === undefined) return own;
    const { from, jobs } = this.#carried;
    const earlier = from.read();
    own.counted.set(earlier.counted.subarray(0, jobs));
    for (let i = 0; i < jobs; i++) {
      const job = own.counted.length === 0 ? i : own.counted[i];
      own.start[job] = earlier.start[job];
      own.execution[job] = earlier.execution[job];
      if (own.held.length > 0) own.held[job] = earlier.held[job];
    }
    return own;
  }
}

/** What stands in a simulation of which there is a snapshot, as long as that is in memory. */
export const resultsOf = new WeakMap<Uint8Array, CarriedResults>();
