/** A study from its plan to the results of all its runs. */
import { InputError } from '../errors.js';
import type { Study } from './definition.js';
import type { Results } from './evaluate.js';
import { executeRuns } from './execute.js';
import { openStudyFolder, readStudyFolder, type Shard, type StudyFolder } from './folder.js';
import { type Plan, type Planned, type PlanOptions, planStudy } from './plan.js';

/** How a study is run. */
export interface RunOptions {
  /** Folder for the journal and all results. */
  readonly out: string;
  readonly threads: number;
  /** Only a part of the runs. */
  readonly shard?: Shard | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Told how many runs are done of how many; runs of earlier sessions count from the first call on. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

/** What came of running a study. */
export interface RunOutcome {
  readonly plan: Plan;
  /** Undefined when only a shard was run. */
  readonly results: Results | undefined;
  /** Runs that were done now, and those that were there already. */
  readonly done: number;
  readonly earlier: number;
}

const WHOLE: Shard = { index: 1, count: 1 };

/**
 * Plans a study and does those of its runs that the folder does not hold yet. Whatever stops it, runs that are done stay
 * in the folder, and the same call goes on from there.
 * @throws InputError before anything runs, for anything wrong with the study; the reason of the signal.
 */
export async function runStudy(study: Study, given: PlanOptions, options: RunOptions): Promise<RunOutcome> {
  return runPlanned(study, await planStudy(study, given), options);
}

/** Does the runs of a plan that the folder does not hold yet; as `runStudy`. */
export async function runPlanned(study: Study, planned: Planned, options: RunOptions): Promise<RunOutcome> {
  const { plan } = planned;
  const { out, threads, shard = WHOLE, signal, onProgress } = options;
  const journal = openStudyFolder(out, study, plan, shard);
  const results = new Map(journal.earlier);
  try {
    const own = plan.runs.flatMap((_, i) => (i % shard.count === shard.index - 1 ? [i] : []));
    const missing = own.filter((run) => !results.has(plan.runs[run].id));
    const earlier = own.length - missing.length;
    const keep = (batch: readonly (readonly [run: number, values: readonly number[]])[]) => {
      const named = batch.map(([run, values]) => [plan.runs[run].id, values] as const);
      journal.append(named);
      for (const [id, values] of named) results.set(id, values);
      onProgress?.(Math.min(results.size, own.length), own.length);
    };
    onProgress?.(earlier, own.length);
    if (study.kind === 'workloads') {
      keep(missing.map((run) => [run, planned.statistics[plan.runs[run].workload]] as const));
    } else await executeRuns(planned, missing, { threads, signal, onResults: keep });
    const isWhole = shard.count === 1;
    return { plan, results: isWhole ? inOrder(plan, results) : undefined, done: missing.length, earlier };
  } finally {
    journal.close();
  }
}

/**
 * Puts the shards of a study together.
 * @throws InputError when folders hold different studies, or runs are missing.
 */
export function mergeStudies(folders: readonly string[]): StudyFolder & { readonly inOrder: Results } {
  const parts = folders.map(readStudyFolder);
  const [{ study, plan }] = parts;
  parts.forEach((part, i) => {
    if (part.plan.sha256 === plan.sha256) return;
    throw new InputError(
      `${folders[i]} and ${folders[0]} hold different studies, or one with different options`,
    );
  });
  const results = new Map(parts.flatMap((part) => [...part.results]));
  const missing = plan.runs.filter(({ id }) => !results.has(id)).length;
  if (missing > 0) {
    throw new InputError(
      `${missing} of ${plan.runs.length} runs are in none of the folders; run the shards that are missing or unfinished`,
    );
  }
  return { study, plan, results, inOrder: inOrder(plan, results) };
}

function inOrder({ runs }: Plan, results: ReadonlyMap<string, readonly number[]>): Results {
  return runs.map(({ id }) => {
    const values = results.get(id);
    if (values === undefined) throw new Error(`run ${id} has no result`);
    return values;
  });
}
