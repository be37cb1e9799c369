/** Runs of a plan on several threads: batches over shared job tables, results handed on as they come in. */
import { Piscina } from 'piscina';
import { coreModule } from '../core/module.js';
import { InputError } from '../errors.js';
import { jobMetricsIn } from '../study/runValues.js';
import type { Workload } from '../workload/workload.js';
import type { Planned } from './planStudy.js';
import { JobTables } from './sharedJobs.js';
import type { Task, TaskResult, WorkerData } from './worker.js';

/** A run's place in the plan, and its values. */
export type RunValues = readonly [run: number, values: readonly number[]];

/** How runs are done and what hears of them. */
export interface ExecuteOptions {
  readonly threads: number;
  /** Told of each batch of results; what it throws stops the execution. */
  readonly onResults: (results: readonly RunValues[]) => void;
  /** Stops the execution: what is in flight is given up. */
  readonly signal?: AbortSignal | undefined;
}

/** Jobs simulated in one batch, about: a tenth of a second. */
const JOBS_PER_BATCH = 1_200_000;
/** Runs of a batch at most: batches, not the study, are what is in memory at once. */
const RUNS_PER_BATCH = 256;
/** Mebibytes for the short-lived objects of a thread, which it fills before it looks for what can go. */
const YOUNG_MEBIBYTES = 4;
/** Batches that a thread has at hand, so that it never waits for the next. */
const BATCHES_AHEAD = 2;
/** The runs left of a workload are dealt out in so many batches per thread, so that none is late at the end. */
const SHARES = 3;

/** Runs of one workload that are under way or next. */
interface Group {
  readonly workload: number;
  /** Where its runs end among all. */
  readonly end: number;
  /** Its runs that are not done. */
  open: number;
  place: { readonly table: number; readonly version: number } | undefined;
  /** What the log says of its jobs, where metrics take it. */
  log?: Workload['log'];
  killed?: Workload['killed'];
}

/** The fields of the log that metrics take, as plain columns that a thread can be given. */
function loggedFields({ log }: Workload): Workload['log'] {
  return log && ({ user: log.user, wait: log.wait } as Workload['log']);
}

/**
 * Simulates runs of a plan.
 * @param runs positions in the plan.
 * @throws InputError when the core refuses a run; the reason of `signal` when it is aborted.
 */
export async function executeRuns(
  planned: Planned,
  runs: Uint32Array,
  options: ExecuteOptions,
): Promise<void> {
  if (runs.length === 0) return;
  const execution = new Execution(planned, runs, options);
  try {
    await execution.run();
  } finally {
    await execution.close();
  }
}

class Execution {
  readonly #planned: Planned;
  readonly #options: ExecuteOptions;
  readonly #tables: JobTables;
  readonly #pool: Piscina<Task, TaskResult>;
  /** Runs workload by workload, and the first that is not in a batch yet. */
  readonly #runs: Uint32Array;
  #next = 0;
  /** The group of the run before the next one. */
  #group: Group | undefined;
  /** Batches under way. */
  #flying = 0;
  #failure: { readonly error: unknown } | undefined;
  #wake = () => {};

  constructor(planned: Planned, runs: Uint32Array, options: ExecuteOptions) {
    const { plan } = planned;
    this.#planned = planned;
    this.#options = options;
    this.#runs = runs.slice().sort((a, b) => plan.runs.workload(a) - plan.runs.workload(b) || a - b);
    this.#tables = new JobTables(plan, runs, options.threads);
    const { memory, blocks, room } = this.#tables;
    const cores = { release: coreModule('release'), shared: coreModule('shared') };
    const workerData: WorkerData = { cores, memory, blocks, room, taken: new SharedArrayBuffer(4) };
    this.#pool = new Piscina({
      filename: new URL('./worker.js', import.meta.url).href,
      minThreads: options.threads,
      maxThreads: options.threads,
      workerData,
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MEBIBYTES },
    });
    // What a thread still sends when the pool is closed comes as an error that nobody waits for.
    this.#pool.on('error', (error: unknown) => this.#fail(error));
    options.signal?.addEventListener('abort', this.#stop);
  }

  readonly #stop = () => this.#wake();

  async run(): Promise<void> {
    for (;;) {
      this.#options.signal?.throwIfAborted();
      if (this.#failure !== undefined) throw this.#failure.error;
      const group = this.#groupOfNext();
      if (group === undefined && this.#flying === 0) return;
      if (group !== undefined && this.#hasRoom(group)) await this.#launch(group);
      else await this.#change();
    }
  }

  async close(): Promise<void> {
    this.#options.signal?.removeEventListener('abort', this.#stop);
    await this.#pool.destroy();
  }

  /** Resolves when a batch has come in, or the user wants to stop. */
  #change(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  /** Whether threads want another batch, and its jobs have a place or can be given one. */
  #hasRoom({ place }: Group): boolean {
    const isWanted = this.#flying < BATCHES_AHEAD * this.#options.threads;
    return isWanted && (place !== undefined || this.#tables.hasRoom);
  }

  /** Sends the next batch off. */
  async #launch(group: Group): Promise<void> {
    const { plan, jobsOf } = this.#planned;
    const jobMetrics = jobMetricsIn(plan.metrics);
    if (group.place === undefined) {
      const workload = await jobsOf(group.workload);
      group.place = this.#tables.write(workload);
      group.killed = workload.killed;
      if (jobMetrics.length > 0) group.log = loggedFields(workload);
    }
    const { jobs, name } = plan.workloads[group.workload];
    const share = Math.ceil((group.end - this.#next) / (SHARES * this.#options.threads));
    const most = Math.min(RUNS_PER_BATCH, Math.ceil(JOBS_PER_BATCH / jobs));
    const batch = [...this.#runs.subarray(this.#next, this.#next + Math.max(1, Math.min(share, most)))];
    this.#next += batch.length;
    this.#fly(group, batch, {
      ...group.place,
      name,
      jobs,
      runs: batch.map((run) => plan.runs.parameters(run)),
      jobMetrics,
      log: group.log,
      killed: group.killed,
    });
  }

  /** The group of the next run; undefined when all are in batches. */
  #groupOfNext(): Group | undefined {
    if (this.#next === this.#runs.length) return undefined;
    if (this.#group !== undefined && this.#next < this.#group.end) return this.#group;
    const { runs } = this.#planned.plan;
    const workload = runs.workload(this.#runs[this.#next]);
    let end = this.#next;
    while (end < this.#runs.length && runs.workload(this.#runs[end]) === workload) end++;
    this.#group = { workload, end, open: end - this.#next, place: undefined };
    return this.#group;
  }

  #fly(group: Group, batch: readonly number[], task: Task): void {
    this.#flying++;
    this.#pool
      .run(task)
      .then((result) => this.#land(group, batch, result))
      .catch((error: unknown) => this.#fail(error))
      .finally(() => {
        this.#flying--;
        this.#wake();
      });
  }

  /** The first failure is the one that is told. */
  #fail(error: unknown): void {
    this.#failure ??= { error };
    this.#wake();
  }

  #land(group: Group, batch: readonly number[], { values, fault }: TaskResult): void {
    this.#options.onResults(values.map((each, i) => [batch[i], each] as const));
    if (fault !== undefined) throw new InputError(fault);
    group.open -= batch.length;
    if (group.open === 0 && group.place !== undefined) this.#tables.release(group.place.table);
  }
}
