/** Which runs of a study are done, and their values. */
import type { Study } from '../study/definition.js';
import { type Plan, planSites } from '../study/plan.js';
import { Results } from '../study/resultTable.js';
import { valueCount, WORKLOAD_METRICS } from '../study/runValues.js';
import type { TakeResult } from './journal.js';

/** Which runs of a study, or of a shard, are done; of the whole study their values too. */
export class Gathered {
  /** Undefined for a shard. */
  readonly results: Results | undefined;
  readonly #plan: Plan;
  readonly #isDone: Uint8Array;
  #count = 0;

  /** @param isWhole whether the plan is that of the whole study. */
  constructor(study: Study, plan: Plan, isWhole = true) {
    this.#plan = plan;
    this.#isDone = new Uint8Array(plan.runs.length);
    this.results = isWhole ? resultsFor(study, plan) : undefined;
  }

  /** How many runs there are. */
  get total(): number {
    return this.#isDone.length;
  }

  /** How many runs are done. */
  get count(): number {
    return this.#count;
  }

  /** Takes a result from a journal. */
  readonly take: TakeResult = (id, values) => {
    const run = this.#plan.runs.find(id);
    if (run !== undefined) this.add(run, values);
  };

  /** Keeps the values of a run. */
  add(run: number, values: ArrayLike<number | null>): void {
    this.#count += 1 - this.#isDone[run];
    this.#isDone[run] = 1;
    this.results?.set(run, values);
  }

  isDone(run: number): boolean {
    return this.#isDone[run] === 1;
  }

  /** The values of the run with an id, of the whole study; undefined where it is not done. */
  valuesOf(id: string): readonly number[] | undefined {
    const run = this.#plan.runs.find(id);
    return run === undefined || !this.isDone(run) ? undefined : this.results?.values(run);
  }

  /** Runs that are not done. */
  missing(): Uint32Array {
    const runs = new Uint32Array(this.total - this.#count);
    let length = 0;
    for (let run = 0; run < this.#isDone.length; run++) {
      if (this.#isDone[run] === 0) runs[length++] = run;
    }
    return runs;
  }
}

function resultsFor({ kind }: Study, plan: Plan): Results {
  const width = kind === 'workloads' ? WORKLOAD_METRICS.length : valueCount(planSites(plan), plan.metrics);
  return new Results(plan.runs.length, width);
}
