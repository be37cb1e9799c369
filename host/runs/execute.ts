/** Runs on several threads: batches over shared job tables, results handed on as they come in. */

import { isTrying } from '../core/policies.js';
import { firstOf } from '../lists.js';
import { hasGivenKeys } from '../options/order.js';
import { addSharing, NOTHING_SHARED, type Sharing } from '../simulate/simulator.js';
import { parametersOf, type RunParameters } from '../study/plan.js';
import { cutRuns, groupRuns, type History, type JoinedRuns } from './joinedRuns.js';
import { Runner, type RunnerOptions } from './runner.js';
import { type RunTask, type SharedJobs, type TaskResult, valuesOfRuns } from './runTask.js';
import { JobTables } from './sharedJobs.js';

/** The values of a run, and its place among those that are joined. */
export type RunValues = readonly [place: number, values: ArrayLike<number>];

/** How runs are done and what hears of them. */
export interface ExecuteOptions extends Pick<RunnerOptions, 'threads' | 'timeout' | 'signal'> {
  /** Whether runs that begin as one are simulated as one until they part. */
  readonly sharing: boolean;
  /** Told of each batch of results; what it throws stops the execution. */
  readonly onResults: (results: readonly RunValues[]) => void;
}

/** Jobs simulated in one batch, about, unless one history has more: a tenth of a second without sharing. */
const JOBS_PER_BATCH = 1_200_000;
/** Runs of a batch at most: batches, not the study, are what is in memory at once. */
const RUNS_PER_BATCH = 256;
/** The runs left of a workload are dealt out in so many batches per thread, so that none is late at the end. */
const SHARES = 3;

/** Jobs in memory that runs are under way with. */
interface Place {
  readonly jobs: SharedJobs;
  /** Runs that are not done. */
  open: number;
}

/** What a thread does in one go. */
interface Batch {
  readonly task: RunTask;
  readonly runs: History;
  readonly place: Place;
}

/**
 * Simulates runs.
 * @param places those that are to be done.
 * @returns how much of the work was shared.
 * @throws InputError when the core refuses a run; FunctionError when a function fails or does not end; the reason of `signal` when it is aborted.
 */
export async function executeRuns(
  joined: JoinedRuns,
  places: readonly number[],
  options: ExecuteOptions,
): Promise<Sharing> {
  const execution = new Execution(joined, places, options);
  try {
    return await execution.run();
  } finally {
    await execution.close();
  }
}

class Execution {
  readonly #joined: JoinedRuns;
  readonly #options: ExecuteOptions;
  /** The histories of each workload. */
  readonly #histories: ReadonlyMap<number, readonly History[]>;
  readonly #tables: JobTables;
  readonly #runner: Runner;
  #onRoom = () => {};

  constructor(joined: JoinedRuns, places: readonly number[], options: ExecuteOptions) {
    this.#joined = joined;
    this.#options = options;
    this.#histories = groupRuns(joined, places, options.sharing);
    const { threads, timeout, signal } = options;
    this.#tables = new JobTables(this.#simulations(), this.#histories.size, threads);
    this.#runner = new Runner({ threads, timeout, signal, code: joined.code, tables: this.#tables.shared });
  }

  async run(): Promise<Sharing> {
    let shared = NOTHING_SHARED;
    const take = (result: TaskResult, { runs, place }: Batch) => {
      shared = addSharing(shared, result.sharing);
      this.#options.onResults(valuesOfRuns(result).map((values, i) => [runs[i]!, values] as const));
      if (result.fault !== undefined) return;
      place.open -= runs.length;
      if (place.open === 0) {
        this.#tables.release(place.jobs.table);
        this.#onRoom();
      }
    };
    await this.#runner.run(this.#batches(), take);
    return shared;
  }

  async close(): Promise<void> {
    await this.#runner.close();
  }

  /** What is known of the jobs of a workload before they are made. */
  #factsOf(workload: number) {
    const { name, jobs, recent, unestimated, accounting } = this.#joined.workloads[workload]!;
    return { name, jobs, recent, unestimated, dependencies: accounting.dependencies };
  }

  /** How many jobs each history has, and the parameters of one of its runs; and of each that runs by itself. */
  *#simulations() {
    for (const [workload, histories] of this.#histories) {
      const sized = this.#factsOf(workload);
      for (const history of histories) {
        const policies = Math.min(history.length, RUNS_PER_BATCH);
        let hasOne = false;
        for (const run of history) {
          const parameters = parametersOf(this.#joined.runs[run]!);
          const isAlone = isTrying(parameters.policy);
          if (isAlone || !hasOne) yield { ...sized, parameters, policies: isAlone ? 0 : policies };
          hasOne ||= !isAlone;
        }
      }
    }
  }

  /** All there is to do. Fewer histories than threads are cut, so that all threads are busy to the end. */
  async *#batches(): AsyncGenerator<Batch> {
    const { threads } = this.#options;
    let historiesLeft = [...this.#histories.values()].reduce((sum, { length }) => sum + length, 0);
    for (const [workload, histories] of this.#histories) {
      const place = await this.#placeOf(workload, histories);
      let runsLeft = place.open;
      let batch: History[] = [];
      let length = 0;
      for (const history of histories) {
        const parts = Math.max(
          Math.ceil(threads / historiesLeft--),
          Math.ceil(history.length / RUNS_PER_BATCH),
        );
        for (const part of cutRuns(history, parts)) {
          const share = Math.ceil(runsLeft / (SHARES * threads));
          const most = Math.min(share, RUNS_PER_BATCH, Math.ceil(JOBS_PER_BATCH / place.jobs.jobs));
          if (length > 0 && length + part.length > most) {
            yield this.#batchOf(batch, place);
            runsLeft -= length;
            batch = [];
            length = 0;
          }
          batch.push(part);
          length += part.length;
        }
      }
      yield this.#batchOf(batch, place);
    }
  }

  /** Writes jobs into memory when there is room. */
  async #placeOf(workload: number, histories: readonly History[]): Promise<Place> {
    while (!this.#tables.hasRoom) {
      await new Promise<void>((resolve) => {
        this.#onRoom = resolve;
      });
    }
    const made = await this.#joined.jobsOf(workload);
    const needsLog = histories.some((history) => {
      const { runs, wanted } = this.#joined;
      const first = firstOf(history);
      return wanted[first]!.jobMetrics.length > 0 || takesLog(runs[first]!.common);
    });
    const { job, log, names } = made;
    const logged: Pick<SharedJobs, 'job' | 'log' | 'names'> = needsLog ? { job, log, names } : {};
    const jobs = {
      ...this.#factsOf(workload),
      ...logged,
      killed: made.killed,
      classLimits: made.classLimits,
      ...this.#tables.write(made),
    };
    return { jobs, open: histories.reduce((sum, { length }) => sum + length, 0) };
  }

  #batchOf(histories: readonly History[], place: Place): Batch {
    const groups = histories.map((history) => {
      const { runs, wanted } = this.#joined;
      const first = firstOf(history);
      const policies = history.map((run) => runs[run]!.policy);
      return { parameters: parametersOf(runs[first]!), policies, jobMetrics: wanted[first]!.jobMetrics };
    });
    return { task: { jobs: place.jobs, groups }, runs: histories.flat(), place };
  }
}

/** Whether a run takes what the log says of jobs: an order whose keys the host computes, or a policy from a file. */
function takesLog({ order, backfillOrder, code }: RunParameters): boolean {
  return code !== undefined || hasGivenKeys(order) || hasGivenKeys(backfillOrder);
}
