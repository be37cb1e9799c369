/** Executes planned studies and stores the results of their runs. */

import { checkOptionNames, registerLibraryOptions } from '../arguments.js';
import { DEFAULT_ANSWER_TIMEOUT_SECONDS } from '../code/watch.js';
import { InputError } from '../errors.js';
import { firstElement } from '../lists.js';
import { type Sharing, ZERO_SHARING } from '../simulate/simulator.js';
import type { Plan } from '../study/plan.js';
import { Results } from '../study/results.js';
import type { Study } from '../study/study.js';
import { type JoinedRuns, joinEqualRunsOfPlans } from './joinedRuns.js';
import type { RunJournal } from './journal.js';
import { recordLockedWorkStart, runWithLock } from './lock.js';
import { type Planned, type PlanOptions, planStudy } from './planStudy.js';
import { groupRunsByHistory, type RunHistoriesByWorkload } from './runList.js';
import type { RunExecutorOptions, RunIndexWithValues } from './runner.js';
import {
  lockStudyFolder,
  makeLockFilePath,
  makeShardFolderPath,
  openStudyFolderWithLock,
} from './runsFolder.js';
import { openShardJournal, openShardOfPlannedStudy } from './shardFolder.js';
import { restrictPlannedStudyToShard, type Shard } from './shards.js';

/** Execution options of studies. */
export interface RunningOptions {
  /** Number of threads. */
  readonly threads: number;
  /**
   * True to simulate runs that differ only in policy together until they diverge, and equal runs of several
   * studies once; default: true.
   */
  readonly sharing?: boolean | undefined;
  /** Timeout in seconds for one call of a user-written function; default: 10. */
  readonly timeout?: number | undefined;
  /** Aborts the study when triggered. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Progress callback with the number of finished runs, their total, and the completed share of the work of
   * this call.
   */
  readonly onProgress?: ((done: number, total: number, share: number) => void) | undefined;
}

/** Options for running one study. */
export interface RunOptions extends RunningOptions {
  /** Folder for journal and results; absent: results are only in memory. */
  readonly out?: string | undefined;
  /** Shard to run; other processes may run the others. */
  readonly shard?: Shard | undefined;
}

const RUN_STUDY_CALL_OPTIONS = registerLibraryOptions<RunOptions>('runStudy', {
  ...{ out: true, shard: true, threads: true, sharing: true },
  ...{ timeout: true, signal: true, onProgress: true },
});

/** Planned study to run. */
interface StudyRunOptions {
  readonly study: Study;
  /** Plan; for a shard, with its runs only. */
  readonly planned: Planned;
  /** Folder for results; undefined: only in memory. */
  readonly out: string | undefined;
  readonly shard?: Shard | undefined;
}

/** Study to run, with its folder. */
export interface StudyToRunInFolder extends StudyRunOptions {
  readonly out: string;
}

/** Result of running a study. */
export interface RunOutcome {
  /** Executed plan. */
  readonly plan: Plan;
  /** Results; undefined if only a shard was run. */
  readonly results: Results | undefined;
  /** Number of runs executed by this call. */
  readonly done: number;
  /** Number of runs that were already finished. */
  readonly earlier: number;
  /** Number of jobs in the executed runs; `sharing` counts the work saved by simulating runs together. */
  readonly jobs: number;
  readonly sharing: Sharing;
}

/** Results of several studies run together. */
export interface JoinedRunsOutcome {
  /** Results by study. */
  readonly outcomes: readonly Omit<RunOutcome, 'jobs' | 'sharing'>[];
  /** Number of distinct runs of all studies, and how many this call executed. */
  readonly total: number;
  readonly done: number;
  /** Number of jobs, as for one study. */
  readonly jobs: number;
  readonly sharing: Sharing;
}

/**
 * Plans a study and executes the runs that its folder does not contain yet. Finished runs stay in the folder
 * after any interruption, and the same call resumes from there.
 * @throws InputError before the first run for an invalid study, and for a folder in use by another process;
 * OutputError if writing fails; FunctionError if a user function fails or hangs; the reason of the abort
 * signal.
 * @example
 * const study = await readStudy('my.yaml');
 * const { plan, results } = await runStudy(study, {}, { out: 'results/my', threads: 2 });
 * const { cells } = new Evaluation(study, plan, results).measure('response');
 * console.log(cells.map(({ labels, value }) => `${labels}: ${value.value.toFixed(0)}`).join('; ')); // 1: 8412; 2: 48348
 */
export async function runStudy(
  study: Study,
  planOptions: PlanOptions,
  options: RunOptions,
): Promise<RunOutcome> {
  checkOptionNames(RUN_STUDY_CALL_OPTIONS, options);
  const { out, shard } = options;
  const plannedStudy = await planStudy(study, planOptions);
  if (out === undefined) {
    if (shard === undefined) return runPlannedStudy(study, plannedStudy, options);
    throw new InputError('runStudy, shard: the runs of a shard are kept in a folder; give out');
  }
  const lockedShard = shard && (await openShardOfPlannedStudy(out, study, plannedStudy, shard));
  return runWithLock(lockedShard?.unlock ?? lockStudyFolder(out), () =>
    runPlannedStudy(
      study,
      lockedShard === undefined ? plannedStudy : restrictPlannedStudyToShard(plannedStudy, lockedShard.plan),
      options,
    ),
  );
}

/** Executes the missing runs of a plan or shard like `runStudy`; the caller holds the lock. */
export async function runPlannedStudy(
  study: Study,
  plannedStudy: Planned,
  options: RunOptions,
): Promise<RunOutcome> {
  const { out, shard } = options;
  const {
    outcomes,
    jobs: jobCount,
    sharing,
  } = await runPlannedStudiesTogether([{ study, planned: plannedStudy, out, shard }], options);
  return { ...firstElement(outcomes), jobs: jobCount, sharing };
}

/** Executes the missing runs of several plans, equal runs once; the caller holds the locks of the folders. */
export async function runPlannedStudiesTogether(
  studies: readonly StudyRunOptions[],
  { threads, sharing = true, timeout = DEFAULT_ANSWER_TIMEOUT_SECONDS, signal, onProgress }: RunningOptions,
): Promise<JoinedRunsOutcome> {
  const openedFolders: OpenedStudyFolder[] = [];
  try {
    for (const studyOptions of studies) openedFolders.push(await openStudyRun(studyOptions));
    const joinedRuns = joinEqualRunsOfPlans(
      studies.map(({ planned: plannedStudy }) => plannedStudy),
      sharing,
      openedFolders.map(({ results }) => results),
    );
    saveResultsForStudies(openedFolders, joinedRuns, [...joinedRuns.known]);
    const missingRunIndexes = [...joinedRuns.runs.keys()].filter(
      (runIndex) => !joinedRuns.known.has(runIndex),
    );
    const needsSimulation = (runIndex: number) =>
      studies[firstElement(joinedRuns.requests[runIndex]!.owners)]!.study.kind === 'simulations';
    const runIndexesToSimulate = missingRunIndexes.filter(needsSimulation);
    const jobsOf = (runIndex: number) => joinedRuns.workloads[joinedRuns.runs[runIndex]!.workload]!.jobs;
    const jobCount = runIndexesToSimulate.reduce((sum, runIndex) => sum + jobsOf(runIndex), 0);
    let [remainingRuns, jobsDone] = [missingRunIndexes.length, 0];
    const reportProgress = () =>
      onProgress?.(
        joinedRuns.total - remainingRuns,
        joinedRuns.total,
        jobCount === 0 ? 1 : jobsDone / jobCount,
      );
    reportProgress();
    if (runIndexesToSimulate.length < missingRunIndexes.length) {
      for (const [owner, { planned: plannedStudy, study }] of studies.entries())
        if (study.kind === 'workloads') saveWorkloadStatistics(openedFolders[owner]!, plannedStudy);
      remainingRuns = runIndexesToSimulate.length;
      reportProgress();
    }
    const onRunResults = (batch: readonly RunIndexWithValues[]) => {
      saveResultsForStudies(openedFolders, joinedRuns, batch);
      remainingRuns -= batch.length;
      for (const [runIndex] of batch) jobsDone += jobsOf(runIndex);
      reportProgress();
    };
    const histories = groupRunsByHistory(joinedRuns, runIndexesToSimulate, sharing);
    const threadOptions = { threads, timeout, signal };
    const sharedWork = await simulateJoinedRuns(joinedRuns, histories, threadOptions, onRunResults);
    const outcomes = studies.map(({ planned: { plan }, shard }, i) => {
      const { results, earlier } = openedFolders[i]!;
      const resultsOfWholeStudy = shard === undefined ? results : undefined;
      return { plan, results: resultsOfWholeStudy, done: results.count - earlier, earlier };
    });
    return {
      outcomes,
      total: joinedRuns.total,
      done: missingRunIndexes.length,
      jobs: jobCount,
      sharing: sharedWork,
    };
  } finally {
    for (const { journal } of openedFolders) journal.close();
  }
}

/** Simulates joined runs; returns how much work was shared. */
async function simulateJoinedRuns(
  joinedRuns: JoinedRuns,
  histories: RunHistoriesByWorkload,
  options: Pick<RunExecutorOptions, 'threads' | 'timeout' | 'signal'>,
  onRunResults: (batch: readonly RunIndexWithValues[]) => void,
): Promise<Sharing> {
  if (histories.size === 0) return ZERO_SHARING;
  // Loaded only if there is something to run.
  const [{ SharedJobTables }, { RunExecutor }] = await Promise.all([
    import('./sharedJobs.js'),
    import('./runner.js'),
  ]);
  const jobTables = new SharedJobTables(joinedRuns, histories, options.threads);
  const executor = new RunExecutor({ ...options, code: joinedRuns.code, tables: jobTables });
  try {
    return await executor.run(joinedRuns, histories, onRunResults);
  } finally {
    await executor.close();
  }
}

/** Study with opened folder and existing results. */
interface OpenedStudyFolder {
  readonly results: Results;
  readonly journal: Pick<RunJournal, 'append' | 'close'>;
  /** Number of existing results. */
  readonly earlier: number;
}

const JOURNAL_WITHOUT_FILE: OpenedStudyFolder['journal'] = { append: () => {}, close: () => {} };

/** Opens the folder of a study or shard and reads its results. */
async function openStudyRun({
  study,
  planned: plannedStudy,
  out,
  shard,
}: StudyRunOptions): Promise<OpenedStudyFolder> {
  const { plan, code: codeFiles } = plannedStudy;
  const studyResults = new Results(study.kind, plan);
  if (out === undefined) return { results: studyResults, journal: JOURNAL_WITHOUT_FILE, earlier: 0 };
  const journal = await (shard === undefined
    ? openStudyFolderWithLock(out, study, plan, studyResults.take, codeFiles)
    : openShardJournal(out, shard, plan, studyResults.take));
  const earlier = studyResults.count;
  recordLockedWorkStart(makeLockFilePath(shard === undefined ? out : makeShardFolderPath(out, shard)), {
    began: Date.now(),
    earlier,
  });
  return { results: studyResults, journal, earlier };
}

/** Stores results for all studies that lack them, first in their journals. */
function saveResultsForStudies(
  openedFolders: readonly OpenedStudyFolder[],
  { runs, requests }: Pick<JoinedRuns, 'runs' | 'requests'>,
  batch: readonly RunIndexWithValues[],
): void {
  for (const [owner, { journal, results }] of openedFolders.entries()) {
    const newResults = batch.flatMap(([runIndex, values]) =>
      requests[runIndex]!.owners.includes(owner) ? [[runs[runIndex]!.id, values] as const] : [],
    );
    journal.append(newResults);
    for (const [id, values] of newResults) results.take(id, values);
  }
}

/** Stores the statistics of a study of workloads, which its plan already contains. */
function saveWorkloadStatistics(
  { journal, results }: OpenedStudyFolder,
  { plan, statistics }: Planned,
): void {
  const newResults = results
    .missing()
    .map((runIndex) => [runIndex, statistics[plan.runs[runIndex]!.workload]!] as const);
  journal.append(newResults.map(([runIndex, values]) => [plan.runs[runIndex]!.id, values]));
  for (const [runIndex, values] of newResults) results.set(runIndex, values);
}
