/** Runs of a plan on several threads: batches over shared job tables, results handed on as they come in. */
import { Piscina } from 'piscina';
import { InputError } from '../errors.js';
import type { Planned } from './plan.js';
import { JobTables } from './tables.js';
import type { Task, TaskResult, WorkerData } from './worker.js';

/** How runs are done and what hears of them. */
export interface ExecuteOptions {
  readonly threads: number;
  /** Told of each batch of results; what it throws stops the execution. */
  readonly onResults: (results: readonly (readonly [run: number, values: readonly number[]])[]) => void;
  /** Stops the execution: what is in flight is given up. */
  readonly signal?: AbortSignal | undefined;
}

/** Jobs simulated in one batch, about: a tenth of a second. */
const JOBS_PER_BATCH = 1_200_000;
/** Batches that a thread has at hand, so that it never waits for the next. */
const BATCHES_AHEAD = 2;
/** The runs left of a workload are dealt out in so many batches per thread, so that none is late at the end. */
const SHARES = 3;

/** Runs of one workload that wait or are under way. */
interface Group {
  readonly workload: number;
  readonly waiting: number[];
  open: number;
  place: { readonly table: number; readonly version: number } | undefined;
}

/**
 * Simulates runs of a plan.
 * @param runs positions in the plan.
 * @throws InputError when the core refuses a run; the reason of `signal` when it is aborted.
 */
export async function executeRuns(
  planned: Planned,
  runs: readonly number[],
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
  readonly #groups: Group[];
  readonly #flying = new Set<Promise<void>>();
  #failure: { readonly error: unknown } | undefined;

  constructor(planned: Planned, runs: readonly number[], options: ExecuteOptions) {
    this.#planned = planned;
    this.#options = options;
    this.#groups = groupByWorkload(planned, runs);
    this.#tables = new JobTables(planned.plan, runs, options.threads);
    const { memory, blocks, room } = this.#tables;
    const workerData: WorkerData = { memory, blocks, room, taken: new SharedArrayBuffer(4) };
    this.#pool = new Piscina({
      filename: new URL('./worker.js', import.meta.url).href,
      minThreads: options.threads,
      maxThreads: options.threads,
      workerData,
    });
  }

  async run(): Promise<void> {
    const { signal, threads } = this.#options;
    const aborted = new Promise<never>((_, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    });
    aborted.catch(() => {});
    for (;;) {
      signal?.throwIfAborted();
      if (this.#failure !== undefined) throw this.#failure.error;
      const hasMore = this.#flying.size < BATCHES_AHEAD * threads && (await this.#launch());
      if (hasMore) continue;
      if (this.#flying.size === 0) return;
      await Promise.race([...this.#flying, aborted]);
    }
  }

  async close(): Promise<void> {
    await this.#pool.destroy();
  }

  /** Sends the next batch off; false when there is none, or no room for its jobs yet. */
  async #launch(): Promise<boolean> {
    const group = this.#groups.find(({ waiting }) => waiting.length > 0);
    if (group === undefined || (group.place === undefined && !this.#tables.hasRoom)) return false;
    const { plan, sources, workloads } = this.#planned;
    if (group.place === undefined) {
      const { settings, grid } = sources[group.workload];
      group.place = this.#tables.write(await workloads.workload(settings, grid));
    }
    const { jobs, name } = plan.workloads[group.workload];
    const share = Math.ceil(group.waiting.length / (SHARES * this.#options.threads));
    const batch = group.waiting.splice(0, Math.max(1, Math.min(share, Math.ceil(JOBS_PER_BATCH / jobs))));
    const task: Task = { ...group.place, name, jobs, runs: batch.map((run) => plan.runs[run].parameters) };
    const flight: Promise<void> = this.#pool
      .run(task)
      .then((result) => this.#land(group, batch, result))
      .catch((error: unknown) => {
        this.#failure ??= { error };
      })
      .finally(() => this.#flying.delete(flight));
    this.#flying.add(flight);
    return true;
  }

  #land(group: Group, batch: readonly number[], { values, fault }: TaskResult): void {
    this.#options.onResults(values.map((each, i) => [batch[i], each] as const));
    if (fault !== undefined) throw new InputError(fault);
    group.open -= batch.length;
    if (group.open === 0 && group.place !== undefined) this.#tables.release(group.place.table);
  }
}

function groupByWorkload({ plan }: Planned, runs: readonly number[]): Group[] {
  const groups = new Map<number, Group>();
  for (const run of runs) {
    const { workload } = plan.runs[run];
    const group = groups.get(workload) ?? { workload, waiting: [], open: 0, place: undefined };
    groups.set(workload, group);
    group.waiting.push(run);
    group.open++;
  }
  return [...groups.values()];
}
