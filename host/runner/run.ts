/** Studies from their plans to the results of all their runs. */
import { TIMEOUT } from '../code/watch.js';
import { checkOptions, takes } from '../optionNames.js';
import type { Sharing } from '../simulate/sharing.js';
import type { Study } from '../study/definition.js';
import type { Plan } from '../study/plan.js';
import type { Results } from '../study/resultTable.js';
import type { RunValues } from './execute.js';
import { lockOf, lockStudyFolder, openStudyFolder, shardFolder } from './folder.js';
import { Gathered } from './gathered.js';
import type { RunPlace, Wanted } from './histories.js';
import { type Journal, resultLine } from './journal.js';
import { noteBegun } from './lock.js';
import { type Planned, type PlanOptions, planStudy } from './planStudy.js';
import { openShard, takeShard } from './shardFolder.js';
import { plannedPart, type Shard } from './shards.js';
import { NOTHING_SHARED } from './sharing.js';
import { type GatheredStudy, type SameRuns, Twins } from './twins.js';

/** How studies are run. */
export interface RunningOptions {
  /** How many runs are made at once. */
  readonly threads: number;
  /**
   * Whether runs that differ in nothing but their policies are simulated as one until they part, and a run that several
   * studies have is simulated once; default true.
   */
  readonly sharing?: boolean | undefined;
  /** Seconds that a function from a file may take for one answer; default 10. */
  readonly timeout?: number | undefined;
  /** Stops the study when it is aborted. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Told how many runs are done of how many, and what share of the work of this call is; runs that were done before
   * count from the first call on.
   */
  readonly onProgress?: ((done: number, total: number, share: number) => void) | undefined;
}

/** How a study is run. */
export interface RunOptions extends RunningOptions {
  /** Folder for the journal and all results. */
  readonly out: string;
  /** Only a part of the runs; other processes may do the others, in the same folder or in their own. */
  readonly shard?: Shard | undefined;
}

const RUN_STUDY = takes<RunOptions>('runStudy', {
  ...{ out: true, shard: true, threads: true, sharing: true },
  ...{ timeout: true, signal: true, onProgress: true },
});

/** A study, planned, and the folder for its results. */
export interface StudyToRun {
  readonly study: Study;
  /** Of a shard the runs of that alone. */
  readonly planned: Planned;
  readonly out: string;
  readonly shard?: Shard | undefined;
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
  /** How many jobs the runs that were done now have, and how much of the work was shared. */
  readonly jobs: number;
  readonly sharing: Sharing;
}

/** What came of running several studies. */
export interface RunsTogether {
  /** Of each study. */
  readonly outcomes: readonly Omit<RunOutcome, 'jobs' | 'sharing'>[];
  /** How many runs they have, what several share counted once, and how many of these were done now. */
  readonly total: number;
  readonly done: number;
  /** As of one study. */
  readonly jobs: number;
  readonly sharing: Sharing;
}

/**
 * Plans a study and does those of its runs that the folder does not hold yet. Whatever stops it, runs that are done stay
 * in the folder, and the same call goes on from there.
 * @throws InputError before anything runs, for anything wrong with the study, and for a folder that another process
 * works on; OutputError when writing fails; FunctionError for a function that fails or does not end; the reason of the signal.
 * @example
 * const study = await readStudy('my.yaml');
 * const { plan, results } = await runStudy(study, {}, { out: 'results/my', threads: 2 });
 * const { cells } = new Evaluation(study, plan, results).measure('response');
 * console.log(cells.map(({ labels, value }) => `${labels}: ${value.value.toFixed(0)}`).join('; ')); // 1: 8412; 2: 48348
 */
export async function runStudy(study: Study, given: PlanOptions, options: RunOptions): Promise<RunOutcome> {
  checkOptions(RUN_STUDY, options);
  const { out, shard } = options;
  const planned = await planStudy(study, given);
  const taken = shard && (await takeShard(out, study, planned, shard));
  const unlock = taken?.unlock ?? (await lockStudyFolder(out));
  try {
    return await runPlanned(study, taken === undefined ? planned : plannedPart(planned, taken.part), options);
  } finally {
    unlock();
  }
}

/**
 * Does the runs of a plan, of a shard those of its part, that the folder does not hold yet; as `runStudy`, but for the
 * lock, which the caller has.
 */
export async function runPlanned(study: Study, planned: Planned, options: RunOptions): Promise<RunOutcome> {
  const { out, shard } = options;
  const { outcomes, jobs, sharing } = await runTogether([{ study, planned, out, shard }], options);
  return { ...outcomes[0], jobs, sharing };
}

/**
 * Does the runs of several plans that the folders do not hold yet; a run that several of them have is simulated once.
 * The caller has the locks of the folders.
 */
export async function runTogether(
  studies: readonly StudyToRun[],
  { threads, sharing = true, timeout = TIMEOUT, signal, onProgress }: RunningOptions,
): Promise<RunsTogether> {
  const open: OpenStudy[] = [];
  try {
    for (const { study, planned, out, shard } of studies) {
      const { plan, code } = planned;
      const gathered = new Gathered(study, plan, shard === undefined);
      const journal = await (shard === undefined
        ? openStudyFolder(out, study, plan, gathered.take, code)
        : openShard(out, shard, plan, gathered.take));
      open.push({ planned, gathered, journal, earlier: gathered.count });
      const locked = shard === undefined ? out : shardFolder(out, shard);
      noteBegun(lockOf(locked), { began: Date.now(), earlier: gathered.count });
    }
    const twins = new Twins(open, sharing);
    keepAll(open, twins.known);
    const wanted = open.map(({ planned }, study) => ({ planned, runs: twins.missing[study] }));
    const work = new Work(wanted, twins.total);
    const first = work.done;
    const onResults = (batch: readonly RunValues[]) => {
      keepAll(open, twins.of(batch));
      work.add(batch);
      onProgress?.(work.done, work.total, work.share);
    };
    onProgress?.(work.done, work.total, work.share);
    const simulated = wanted.map((each, i) => {
      if (studies[i].study.kind === 'simulations') return each;
      onResults(statisticsOf(i, each));
      return { ...each, runs: new Uint32Array(0) };
    });
    let shared = NOTHING_SHARED;
    if (simulated.some(({ runs }) => runs.length > 0)) {
      // The threads are loaded when there is something to run.
      const { executeRuns } = await import('./execute.js');
      shared = await executeRuns(simulated, { threads, sharing, timeout, signal, onResults });
    }
    const outcomes = open.map(({ planned: { plan }, gathered, earlier }) => ({
      plan,
      results: gathered.results,
      done: gathered.count - earlier,
      earlier,
    }));
    return { outcomes, total: work.total, done: work.done - first, jobs: work.jobs, sharing: shared };
  } finally {
    for (const { journal } of open) journal.close();
  }
}

/** A study whose folder is open. */
interface OpenStudy extends GatheredStudy {
  readonly journal: Journal;
  /** Runs that were there before. */
  readonly earlier: number;
}

/** Results that are written at once. */
const AT_ONCE = 256;

/** Keeps results of any of the studies, in their journals first. */
function keepAll(open: readonly OpenStudy[], results: readonly SameRuns[]): void {
  for (let from = 0; from < results.length; from += AT_ONCE) {
    const batch = results.slice(from, from + AT_ONCE);
    const lines = open.map((): string[] => []);
    for (const [places, values] of batch) {
      const [[first, run]] = places;
      const line = resultLine(open[first].planned.plan.runs.id(run), values);
      for (const [study] of places) lines[study].push(line);
    }
    open.forEach(({ journal }, study) => {
      if (lines[study].length > 0) journal.append(lines[study]);
    });
    for (const [places, values] of batch) {
      for (const [study, run] of places) open[study].gathered.add(run, values);
    }
  }
}

/** The results of a study of workloads. */
function statisticsOf(study: number, { planned: { plan, statistics }, runs }: Wanted): RunValues[] {
  return Array.from(runs, (run): RunValues => [[study, run], statistics[plan.runs.workload(run)]]);
}

/** How much is done, by runs and by the jobs that they simulate. */
class Work {
  readonly total: number;
  /** Of all runs that were missing. */
  readonly jobs: number;
  readonly #wanted: readonly Wanted[];
  #missing: number;
  #jobsDone = 0;

  /** @param total how many runs there are, with those that were done before. */
  constructor(wanted: readonly Wanted[], total: number) {
    this.total = total;
    this.#wanted = wanted;
    this.#missing = wanted.reduce((sum, { runs }) => sum + runs.length, 0);
    this.jobs = wanted.reduce(
      (sum, { runs }, study) => sum + runs.reduce((jobs, run) => jobs + this.#jobsOf([study, run]), 0),
      0,
    );
  }

  get done(): number {
    return this.total - this.#missing;
  }

  /** Of the jobs that were missing: those that are simulated. */
  get share(): number {
    return this.jobs === 0 ? 1 : this.#jobsDone / this.jobs;
  }

  add(results: readonly RunValues[]): void {
    this.#missing -= results.length;
    for (const [place] of results) this.#jobsDone += this.#jobsOf(place);
  }

  #jobsOf([study, run]: RunPlace): number {
    const { plan, statistics } = this.#wanted[study].planned;
    // For statistics of jobs nothing is simulated.
    return statistics.length > 0 ? 0 : plan.workloads[plan.runs.workload(run)].jobs;
  }
}
