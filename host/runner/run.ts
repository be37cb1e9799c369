/** A study from its plan to the results of all its runs. */
import { InputError } from '../errors.js';
import type { Study } from '../study/definition.js';
import { type Plan, planSites } from '../study/plan.js';
import { Results } from '../study/resultTable.js';
import { keptMetrics, valueCount, WORKLOAD_METRICS } from '../study/runValues.js';
import type { RunValues } from './execute.js';
import {
  lockStudyFolder,
  openStudyFolder,
  readResults,
  readStudyOf,
  readStudyPlan,
  type Shard,
} from './folder.js';
import type { TakeResult } from './journal.js';
import { type Planned, type PlanOptions, planStudy } from './planStudy.js';

/** How a study is run. */
export interface RunOptions {
  /** Folder for the journal and all results. */
  readonly out: string;
  /** How many runs are made at once. */
  readonly threads: number;
  /** Only a part of the runs. */
  readonly shard?: Shard | undefined;
  /** Stops the study when it is aborted. */
  readonly signal?: AbortSignal | undefined;
  /** Told how many runs are done of how many; runs that were done before count from the first call on. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

/** What came of running a study. */
export interface RunOutcome {
  /** What was to be run. */
  readonly plan: Plan;
  /** Undefined when only a shard was run. */
  readonly results: Results | undefined;
  /** Runs that were done now, and those that were there already. */
  readonly done: number;
  /** How many were there already. */
  readonly earlier: number;
}

const WHOLE: Shard = { index: 1, count: 1 };
/** Runs of a study of workloads that are written at once. */
const AT_ONCE = 256;

/**
 * Plans a study and does those of its runs that the folder does not hold yet. Whatever stops it, runs that are done stay
 * in the folder, and the same call goes on from there.
 * @throws InputError before anything runs, for anything wrong with the study, and for a folder that another process
 * works on; OutputError when writing fails; the reason of the signal.
 * @example
 * const study = await readStudy('my.yaml');
 * const { plan, results } = await runStudy(study, {}, { out: 'results/my', threads: 2 });
 * const { cells } = new Evaluation(study, plan, results).measure('response');
 * console.log(cells.map(({ labels, value }) => `${labels}: ${value.value.toFixed(0)}`).join('; ')); // 1: 8412; 2: 48348
 */
export async function runStudy(study: Study, given: PlanOptions, options: RunOptions): Promise<RunOutcome> {
  const planned = await planStudy(study, given);
  const unlock = await lockStudyFolder(options.out);
  try {
    return await runPlanned(study, planned, options);
  } finally {
    unlock();
  }
}

/** Does the runs of a plan that the folder does not hold yet; as `runStudy`, but for the lock, which the caller has. */
export async function runPlanned(study: Study, planned: Planned, options: RunOptions): Promise<RunOutcome> {
  const { plan } = planned;
  const { out, threads, shard = WHOLE, signal, onProgress } = options;
  const gathered = new Gathered(study, plan, shard);
  const journal = await openStudyFolder(out, study, plan, shard, gathered.take);
  try {
    const earlier = gathered.count;
    const keep = (batch: readonly RunValues[]) => {
      journal.append(batch.map(([run, values]) => [plan.runs.id(run), values] as const));
      for (const [run, values] of batch) gathered.add(run, values);
      onProgress?.(gathered.count, gathered.total);
    };
    onProgress?.(earlier, gathered.total);
    const missing = gathered.missing();
    if (study.kind === 'workloads') keepStatistics(planned, missing, keep);
    else if (missing.length > 0) {
      // The pool of threads is loaded when there is something to run.
      const { executeRuns } = await import('./execute.js');
      await executeRuns(planned, missing, { threads, signal, onResults: keep });
    }
    return { plan, results: gathered.results, done: missing.length, earlier };
  } finally {
    journal.close();
  }
}

function keepStatistics(
  { plan, statistics }: Planned,
  runs: Uint32Array,
  keep: (batch: readonly RunValues[]) => void,
): void {
  for (let from = 0; from < runs.length; from += AT_ONCE) {
    const batch = [...runs.subarray(from, from + AT_ONCE)];
    keep(batch.map((run) => [run, statistics[plan.runs.workload(run)]]));
  }
}

/** Which runs of a shard are done; of the whole study their values too. */
class Gathered {
  readonly #plan: Plan;
  readonly #shard: Shard;
  /** 1 for each run of the plan that is done. */
  readonly #isDone: Uint8Array;
  /** Undefined for a shard, which needs none. */
  readonly results: Results | undefined;
  /** Runs of the shard, and those of them that are done. */
  readonly total: number;
  #count = 0;

  constructor(study: Study, plan: Plan, shard: Shard) {
    this.#plan = plan;
    this.#shard = shard;
    this.#isDone = new Uint8Array(plan.runs.length);
    this.results = shard.count === 1 ? resultsFor(study, plan) : undefined;
    this.total = Math.floor((plan.runs.length - shard.index) / shard.count) + 1;
  }

  get count(): number {
    return this.#count;
  }

  /** Takes a result from a journal. */
  readonly take: TakeResult = (id, values) => {
    const run = this.#plan.runs.find(id);
    if (run !== undefined) this.add(run, values);
  };

  add(run: number, values: readonly (number | null)[]): void {
    this.#count += 1 - this.#isDone[run];
    this.#isDone[run] = 1;
    this.results?.set(run, values);
  }

  /** Runs of the shard that are not done. */
  missing(): Uint32Array {
    const runs = new Uint32Array(this.total - this.#count);
    const { index, count } = this.#shard;
    let length = 0;
    for (let run = index - 1; run < this.#isDone.length; run += count) {
      if (this.#isDone[run] === 0) runs[length++] = run;
    }
    return runs;
  }
}

function resultsFor({ kind }: Study, plan: Plan): Results {
  const width = kind === 'workloads' ? WORKLOAD_METRICS.length : valueCount(planSites(plan), plan.metrics);
  return new Results(plan.runs.length, width);
}

/** A study put together from its shards. */
export interface Merged {
  /** As the folders have it. */
  readonly study: Study;
  /** What was run. */
  readonly plan: Plan;
  /** The values of all its runs. */
  readonly results: Results;
}

/**
 * Puts the shards of a study together.
 * @param folders those of all shards.
 * @throws InputError when folders hold different studies, or those of another version, or runs are missing.
 * @example
 * const study = await readStudy('my.yaml');
 * for (const index of [1, 2]) {
 *   await runStudy(study, {}, { out: `shard${index}`, threads: 1, shard: { index, count: 2 } });
 * }
 * console.log((await mergeStudies(['shard1', 'shard2'])).results.length); // 2
 */
export async function mergeStudies(folders: readonly string[]): Promise<Merged> {
  const plan = readStudyPlan(folders[0]);
  const study = await readStudyOf(folders[0], plan);
  if (String(plan.metrics) !== String(keptMetrics(study))) {
    throw new InputError(
      `${folders[0]} was written by another version of gridalloc, which keeps other metrics of a run; run the study again`,
    );
  }
  const gathered = new Gathered(study, plan, WHOLE);
  for (const folder of folders) {
    if (readStudyPlan(folder).sha256 !== plan.sha256) {
      throw new InputError(
        `${folder} and ${folders[0]} hold different studies, or one with different options`,
      );
    }
    readResults(folder, gathered.take);
  }
  const missing = gathered.total - gathered.count;
  if (missing > 0) {
    throw new InputError(
      `${missing} of ${plan.runs.length} runs are in none of the folders; run the shards that are missing or unfinished`,
    );
  }
  return { study, plan, results: gathered.results as Results };
}

/**
 * Keeps a study that was put together in a folder of its own, whose lock the caller has.
 * @throws InputError, OutputError as `openStudyFolder`.
 */
export async function keepMerged({ study, plan, results }: Merged, out: string): Promise<void> {
  const gathered = new Gathered(study, plan, WHOLE);
  const journal = await openStudyFolder(out, study, plan, WHOLE, gathered.take);
  try {
    const missing = gathered.missing();
    for (let from = 0; from < missing.length; from += AT_ONCE) {
      const batch = [...missing.subarray(from, from + AT_ONCE)];
      journal.append(batch.map((run) => [plan.runs.id(run), results.values(run)] as const));
    }
  } finally {
    journal.close();
  }
}
