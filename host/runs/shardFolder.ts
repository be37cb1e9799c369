/**
 * Shards in a study folder: shards.json with the division, and per shard a folder with plan, journal and
 * lock.
 */
import { existsSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { checkArgument } from '../arguments.js';
import { makeNameOfCodeCopy, readCodeFile, requireCodeAllowed } from '../code/codeFile.js';
import { InputError } from '../errors.js';
import { hashCoreBinarySha256 } from '../files/coreFile.js';
import { makeFolderWithParents } from '../files/fileSystem.js';
import { hashJobsSha256 } from '../files/hash.js';
import { firstElement } from '../lists.js';
import { type CodeFile, findProvidedCode, provideCodeFile } from '../providedCode.js';
import { readPackageVersion, stringifyDocument } from '../results/documents.js';
import { SHARD_PLAN_SHAPE } from '../results/savedFile.js';
import type { Plan } from '../study/plan.js';
import { Results } from '../study/results.js';
import { listMetricNamesKeptByStudy } from '../study/runValues.js';
import type { Study } from '../study/study.js';
import {
  type JournalResultHandler,
  type RunJournal,
  readCompleteJournalLines,
  readRunJournalOfPlan,
} from './journal.js';
import {
  FolderInUseError,
  type LockHolder,
  makeFolderInUseError,
  readLockHolder,
  runWithLock,
} from './lock.js';
import { formatPlanFile, readPlanFile } from './planFile.js';
import type { Planned } from './planStudy.js';
import {
  checkCodeUnchanged,
  listExistingShardFolders,
  lockExistingStudyFolder,
  lockStudyPlan,
  makeChangedCodeError,
  makeJournalFilePath,
  makeLockFilePath,
  makePlanFilePath,
  makeShardFolderPath,
  makeStudyFile,
  openStudyFolderWithLock,
  openStudyJournal,
  readFolderDocument,
  readResultsOfFolder,
  readStudyOfFolder,
  readStudyPlan,
  writeStudyFilesAtomically,
  writeStudyPlan,
} from './runsFolder.js';
import {
  assignRunsToShards,
  listRunIndicesByShard,
  restrictPlannedStudyToShard,
  restrictPlanToRuns,
  type Shard,
  type ShardAssignment,
  type ShardPlan,
} from './shards.js';
import { WorkloadCache } from './workloads.js';

/** Milliseconds between checks of a lock that is about to be released. */
const PLAN_LOCK_CHECK_INTERVAL_MS = 50;
/** Milliseconds after which waiting for the lock of the plan ends. */
const PLAN_LOCK_WAIT_MILLISECONDS = 60_000;

function makeShardPlanFilePath(folder: string): string {
  return join(folder, 'shards.json');
}

/** Reads the division of a study into shards; undefined if there is none. */
export const readShardPlan = (folder: string): ShardPlan | undefined =>
  readFolderDocument(makeShardPlanFilePath(folder), SHARD_PLAN_SHAPE);

/** Refuses a division of another plan or into another number of shards. */
function checkShardPlanMatches(shardPlan: ShardPlan, folder: string, plan: Plan, shardCount: number): void {
  if (shardPlan.plan !== plan.sha256) {
    throw new InputError(
      `${folder} holds another study, or this one with other options or of another version; give another folder with --out`,
    );
  }
  checkShardCountPossible(shardPlan, folder, shardCount);
}

function checkShardCountPossible({ runs }: ShardPlan, folder: string, shardCount: number): void {
  if (runs.length === shardCount) return;
  throw new InputError(
    `${folder} is cut into ${runs.length} shards; give --shard 1/${runs.length} to --shard ${runs.length}/${runs.length}`,
  );
}

/**
 * Divides the unfinished runs of a study into shards, each with its own plan; the caller holds the lock.
 * @throws InputError, OutputError if writing is not allowed or fails.
 */
export async function cutStudyIntoShards(
  folder: string,
  study: Study,
  plannedStudy: Planned,
  shardCount: number,
): Promise<ShardPlan> {
  const { plan, code: codeFiles } = plannedStudy;
  checkCodeUnchanged(folder, plan, codeFiles);
  const doneRunIds = new Set<string>();
  readResultsOfFolder(folder, plan, (id) => doneRunIds.add(id));
  await writeStudyPlan(folder, study, plan, codeFiles);
  const shardAssignment = assignRunsToShards(plan, shardCount, (runIndex) =>
    doneRunIds.has(plan.runs[runIndex]!.id),
  );
  for (const [shardIndex, runIndices] of listRunIndicesByShard(shardAssignment).entries()) {
    await writeShardFolder(
      folder,
      { index: shardIndex + 1, count: shardCount },
      restrictPlanToRuns(plan, runIndices),
    );
  }
  return writeShardPlanFile(folder, plan, shardAssignment);
}

async function writeShardFolder(folder: string, shard: Shard, planOfShard: Plan): Promise<void> {
  await writeStudyFilesAtomically([
    makeStudyFile(makePlanFilePath(makeShardFolderPath(folder, shard)), formatPlanFile(planOfShard)),
  ]);
}

async function writeShardPlanFile(
  folder: string,
  plan: Plan,
  { runs, costs }: ShardAssignment,
): Promise<ShardPlan> {
  const shardPlan: ShardPlan = {
    plan: plan.sha256,
    version: readPackageVersion(),
    coreSha256: plan.coreSha256,
    total: plan.runs.length,
    runs,
    costs,
  };
  await writeStudyFilesAtomically([
    makeStudyFile(makeShardPlanFilePath(folder), [stringifyDocument(shardPlan)]),
  ]);
  return shardPlan;
}

/** Plan of a locked shard, and the function that releases it. */
interface LockedShard {
  readonly plan: Plan;
  readonly unlock: () => void;
}

/**
 * Opens a shard of a study planned by this process, dividing the study if needed. All computers divide it
 * equally.
 * @param onTakeover as in `lockStudyFolder`.
 * @throws InputError if another process uses the shard or folder, or it holds another study or division;
 * OutputError if writing fails.
 */
export async function openShardOfPlannedStudy(
  folder: string,
  study: Study,
  { plan, code: codeFiles }: Pick<Planned, 'plan' | 'code'>,
  shard: Shard,
  onTakeover?: (sentence: string) => void,
): Promise<LockedShard> {
  const shardPlan = readShardPlan(folder);
  if (shardPlan !== undefined) checkShardPlanMatches(shardPlan, folder, plan, shard.count);
  const path = makePlanFilePath(makeShardFolderPath(folder, shard));
  if (shardPlan === undefined || !existsSync(path)) {
    await runWithLock(waitForPlanLock(folder, onTakeover), async () => {
      const existingPlan = readShardPlan(folder);
      if (existingPlan !== undefined) checkShardPlanMatches(existingPlan, folder, plan, shard.count);
      checkCodeUnchanged(folder, plan, codeFiles);
      readRunJournalOfPlan(makeJournalFilePath(folder), plan, () => {});
      const shardAssignment = assignRunsToShards(plan, shard.count);
      await writeShardFolder(
        folder,
        shard,
        restrictPlanToRuns(plan, listRunIndicesByShard(shardAssignment)[shard.index - 1]!),
      );
      if (existingPlan === undefined) {
        await writeStudyPlan(folder, study, plan, codeFiles);
        await writeShardPlanFile(folder, plan, shardAssignment);
      }
    });
  }
  return lockExistingShard(folder, shard, onTakeover);
}

/**
 * Opens a shard from the folder alone; otherwise like `openShardOfPlannedStudy`.
 * @param shardReadingOptions as in `readPlannedShard`.
 */
export async function openShardOfFolder(
  folder: string,
  shard: Shard,
  shardReadingOptions: Parameters<typeof readPlannedShard>[2],
  onTakeover?: (sentence: string) => void,
): Promise<{ readonly study: Study; readonly planned: Planned; readonly taken: LockedShard }> {
  const { cut } = shardReadingOptions;
  if (cut !== undefined) checkShardCountPossible(cut, folder, shard.count);
  if (cut === undefined || !existsSync(makePlanFilePath(makeShardFolderPath(folder, shard)))) {
    const { study, planned: plannedStudy } = await readPlannedShard(
      folder,
      readStudyPlan(folder),
      shardReadingOptions,
    );
    const lockedShard = await openShardOfPlannedStudy(folder, study, plannedStudy, shard, onTakeover);
    return {
      study,
      planned: restrictPlannedStudyToShard(plannedStudy, lockedShard.plan),
      taken: lockedShard,
    };
  }
  const lockedShard = await lockExistingShard(folder, shard, onTakeover);
  try {
    return { ...(await readPlannedShard(folder, lockedShard.plan, shardReadingOptions)), taken: lockedShard };
  } catch (error) {
    lockedShard.unlock();
    throw error;
  }
}

/** Locks an existing shard. */
async function lockExistingShard(
  folder: string,
  shard: Shard,
  onTakeover?: (sentence: string) => void,
): Promise<LockedShard> {
  const shardFolder = makeShardFolderPath(folder, shard);
  const studyLockPath = makeLockFilePath(folder);
  for (
    const end = performance.now() + PLAN_LOCK_WAIT_MILLISECONDS;
    ;
    await wait(PLAN_LOCK_CHECK_INTERVAL_MS)
  ) {
    const unlock = lockExistingStudyFolder(shardFolder, onTakeover);
    // Whoever locks the whole folder then checks the shard locks, so one of the two processes notices the
    // other.
    const studyLockHolder = existsSync(studyLockPath) ? readLockHolder(studyLockPath) : undefined;
    if (studyLockHolder === undefined) return { plan: readPlanFile(makePlanFilePath(shardFolder)), unlock };
    unlock();
    if (performance.now() > end) throw makeFolderInUseError(folder, studyLockPath, studyLockHolder);
  }
}

/** Locks the plan like `lockStudyPlan`, but waits a while if another process holds it. */
async function waitForPlanLock(
  folder: string,
  onTakeover: ((sentence: string) => void) | undefined,
): Promise<() => void> {
  for (
    const end = performance.now() + PLAN_LOCK_WAIT_MILLISECONDS;
    ;
    await wait(PLAN_LOCK_CHECK_INTERVAL_MS)
  ) {
    try {
      return await lockStudyPlan(folder, onTakeover);
    } catch (error) {
      if (!(error instanceof FolderInUseError) || performance.now() > end) throw error;
    }
  }
}

/**
 * Opens the journal of a shard, whose lock the caller holds; runs already in the study's own journal count
 * as finished.
 * @throws InputError, OutputError like `openStudyFolderWithLock`.
 */
export async function openShardJournal(
  folder: string,
  shard: Shard,
  plan: Plan,
  take: JournalResultHandler,
): Promise<RunJournal> {
  await makeFolderWithParents(makeShardFolderPath(folder, shard));
  readRunJournalOfPlan(makeJournalFilePath(folder), plan, take);
  return openStudyJournal(makeShardFolderPath(folder, shard), plan, shard, take);
}

// Resuming a study from its folder alone, on any computer

/**
 * Prepares the runs of a stored plan: jobs from their unchanged logs, functions from copies in the folder.
 * @param plan of the folder or a shard.
 * @throws InputError if another version planned it, or it names code files that are not allowed.
 */
export async function readPlannedShard(
  folder: string,
  plan: Plan,
  { allowCode, cut }: { readonly allowCode: boolean; readonly cut: ShardPlan | undefined },
): Promise<{ readonly study: Study; readonly planned: Planned }> {
  checkPlanMadeByThisVersion(folder, plan, cut);
  const study = await readStudyOfFolder(folder, plan);
  if (study.kind !== 'simulations' || plan.sources.length < plan.workloads.length) {
    throw new InputError(
      `${folder} cannot be resumed on its own; name the study and pass this folder with --out`,
    );
  }
  if (String(plan.metrics) !== String(listMetricNamesKeptByStudy(study)))
    throw makeOtherVersionError(folder, 'another version');
  const codeFiles = await readCodeCopiesOfPlan(folder, plan, allowCode);
  return {
    study,
    planned: { plan, jobsOf: makePlannedJobsFunction(plan), code: codeFiles, statistics: [], remarks: [] },
  };
}

/**
 * Creates a function that recreates the jobs of a planned workload from its log, and throws if the log has
 * changed.
 */
function makePlannedJobsFunction({ sources: workloadSources, workloads }: Plan): Planned['jobsOf'] {
  const cache = new WorkloadCache();
  return async (workload) => {
    const jobs = await cache.makeJobsOfOptions(workloadSources[workload]!);
    if (hashJobsSha256(jobs) === workloads[workload]!.sha256) return jobs;
    throw new InputError(
      `${workloadSources[workload]!.workload} on ${hostname()} does not hold the jobs that were planned: the log has changed since, or is another one here`,
    );
  };
}

/**
 * Checks that the logs and code files of a plan are unchanged, so that reports describe the jobs and
 * functions that ran. One workload per log is recreated.
 * @throws InputError if one has changed.
 */
export async function checkPlanInputsUnchanged(folder: string, plan: Plan): Promise<void> {
  for (const [name, sha256] of collectCodeHashesOfPlan(plan)) {
    if (findProvidedCode(name, 'code').sha256 !== sha256) throw makeChangedCodeError(folder, name);
  }
  if (plan.sources.length < plan.workloads.length) return;
  const jobsOf = makePlannedJobsFunction(plan);
  const logs = plan.sources.map(({ workload }) => workload);
  for (const [i, logSource] of logs.entries()) if (logs.indexOf(logSource) === i) await jobsOf(i);
}

function checkPlanMadeByThisVersion(folder: string, plan: Plan, shardPlan: ShardPlan | undefined): void {
  if (shardPlan !== undefined && shardPlan.version !== readPackageVersion())
    throw makeOtherVersionError(folder, `gridalloc ${shardPlan.version}`);
  if (plan.coreSha256 !== hashCoreBinarySha256('shared'))
    throw makeOtherVersionError(folder, 'gridalloc with another core');
}

function makeOtherVersionError(folder: string, otherVersion: string): InputError {
  return new InputError(
    `${folder} was planned by ${otherVersion}, and this is gridalloc ${readPackageVersion()} on ${hostname()}; use the same everywhere, with the same --core if there was one`,
  );
}

/** Hashes of the code files that the runs of a plan name, by name. */
function collectCodeHashesOfPlan({ runs }: Plan): ReadonlyMap<string, string> {
  return new Map(runs.flatMap(({ common: commonParameters }) => Object.entries(commonParameters.code ?? {})));
}

/** Code files named by the runs of a plan, read from their copies. */
async function readCodeCopiesOfPlan(folder: string, plan: Plan, isAllowed: boolean): Promise<CodeFile[]> {
  const files: CodeFile[] = [];
  for (const [name, sha256] of collectCodeHashesOfPlan(plan)) {
    const copyPath = join(folder, makeNameOfCodeCopy({ name, sha256, text: '' }));
    requireCodeAllowed(isAllowed, `${folder} has the file ${copyPath}`);
    if (!existsSync(copyPath)) throw new InputError(`${copyPath} is gone; give the study itself`);
    const { text: fileText, sha256: currentSha256 } = await readCodeFile(copyPath);
    if (currentSha256 !== sha256)
      throw new InputError(`${copyPath} has changed since the study was planned; give the study itself`);
    const file = { name, text: fileText, sha256 };
    provideCodeFile(file);
    files.push(file);
  }
  return files;
}

// Merging the shards of a study

/** Study merged from its shards. */
export interface Merged {
  /** Study as stored in the folders. */
  readonly study: Study;
  /** Plan that was run. */
  readonly plan: Plan;
  /** Values of all runs. */
  readonly results: Results;
}

/**
 * Merges the shards of a study.
 * @param folders folders of all shards.
 * @throws InputError if folders contain different studies or versions, or runs are missing.
 * @example
 * const study = await readStudy('my.yaml');
 * for (const index of [1, 2]) {
 *   await runStudy(study, {}, { out: `shard${index}`, threads: 1, shard: { index, count: 2 } });
 * }
 * console.log((await mergeStudies(['shard1', 'shard2'])).results.length); // 2
 */
export async function mergeStudies(folders: readonly string[]): Promise<Merged> {
  checkArgument(folders, 'some', 'mergeStudies');
  const folder = firstElement(folders);
  const plan = readStudyPlan(folder);
  const study = await readStudyOfFolder(folder, plan);
  if (String(plan.metrics) !== String(listMetricNamesKeptByStudy(study))) {
    throw new InputError(
      `${folder} was written by another version of gridalloc, which records different metrics; run the study again`,
    );
  }
  const studyResults = new Results(study.kind, plan);
  for (const folder of folders) {
    if (readStudyPlan(folder).sha256 !== plan.sha256) {
      throw new InputError(
        `${folder} and ${folders[0]} hold different studies, or one with different options`,
      );
    }
    readResultsOfFolder(folder, plan, studyResults.take);
  }
  const missingRunCount = studyResults.length - studyResults.count;
  if (missingRunCount > 0) {
    const location = folders.length === 1 ? `not in ${folders[0]} yet` : 'in none of the folders';
    const advice = folders.length === 1 ? `; gridalloc study status ${folders[0]} shows which` : '';
    throw new InputError(
      `${missingRunCount} of ${plan.runs.length} runs are ${location}; run the shards that are missing or unfinished${advice}`,
    );
  }
  return { study, plan, results: studyResults };
}

/**
 * Stores existing results in a study folder whose lock the caller holds.
 * @param valuesOf values of a run by id; undefined if unknown.
 * @param codeFiles as in `openStudyFolderWithLock`.
 * @returns all results in the folder.
 * @throws InputError, OutputError like `openStudyFolderWithLock`.
 */
export async function saveResultsInStudyFolder(
  out: string,
  study: Study,
  plan: Plan,
  valuesOf: (id: string) => readonly number[] | undefined,
  codeFiles: readonly CodeFile[] = [],
): Promise<Results> {
  const studyResults = new Results(study.kind, plan);
  const journal = await openStudyFolderWithLock(out, study, plan, studyResults.take, codeFiles);
  try {
    journal.append(findResultsToAdd(studyResults, plan, valuesOf));
  } finally {
    journal.close();
  }
  return studyResults;
}

/** Yields results that are available elsewhere and missing here. */
function* findResultsToAdd(
  studyResults: Results,
  { runs }: Plan,
  valuesOf: Parameters<typeof saveResultsInStudyFolder>[3],
) {
  for (const runIndex of studyResults.missing()) {
    const { id } = runs[runIndex]!;
    const runValues = valuesOf(id);
    if (runValues === undefined) continue;
    studyResults.set(runIndex, runValues);
    yield [id, runValues] as const;
  }
}

// Progress of a study folder and its shards

/** Progress of a study or one of its shards. */
export interface StudyPartProgress {
  /** Number of runs and of finished runs. */
  readonly runs: number;
  readonly done: number;
  /** Process that currently works on it. */
  readonly holder: LockHolder | undefined;
  /** Estimated seconds until completion; undefined if unknown. */
  readonly secondsLeft: number | undefined;
}

/** Progress of a study. */
export interface StudyProgress extends StudyPartProgress {
  /** Progress of the shards in order; empty if the study is not divided. */
  readonly shards: readonly StudyPartProgress[];
}

/** Beginning of the line of a run in a plan file, followed by the run id. */
const PLAN_RUN_LINE_PREFIX = '{"id":"';
/** Position of the run id in a line of a journal. */
const RUN_ID_POSITION_IN_JOURNAL = 15;
const RUN_ID_DIGITS = 16;

/** Run ids of a plan file, read without parsing the lines. */
function* readRunIdsOfPlan(path: string): Generator<string> {
  for (const { text: lineText } of readCompleteJournalLines(path)) {
    if (lineText.startsWith(PLAN_RUN_LINE_PREFIX))
      yield lineText.slice(PLAN_RUN_LINE_PREFIX.length, PLAN_RUN_LINE_PREFIX.length + RUN_ID_DIGITS);
  }
}

function* readRunIdsOfJournal(path: string): Generator<string> {
  if (!existsSync(path)) return;
  let isJournalHeader = true;
  for (const { text: lineText } of readCompleteJournalLines(path)) {
    if (!isJournalHeader)
      yield lineText.slice(RUN_ID_POSITION_IN_JOURNAL, RUN_ID_POSITION_IN_JOURNAL + RUN_ID_DIGITS);
    isJournalHeader = false;
  }
}

/**
 * Progress of a study folder.
 * @param now milliseconds since 1970.
 * @throws InputError for a damaged file.
 */
export function readStudyProgress(folder: string, now = Date.now()): StudyProgress {
  const doneRunIds = new Set<string>();
  for (const each of [folder, ...listExistingShardFolders(folder)]) {
    for (const id of readRunIdsOfJournal(makeJournalFilePath(each))) doneRunIds.add(id);
  }
  const readProgress = (path: string): StudyPartProgress => {
    let [runCount, doneCount] = [0, 0];
    for (const id of readRunIdsOfPlan(makePlanFilePath(path))) {
      runCount++;
      if (doneRunIds.has(id)) doneCount++;
    }
    const holder = existsSync(makeLockFilePath(path)) ? readLockHolder(makeLockFilePath(path)) : undefined;
    return {
      runs: runCount,
      done: doneCount,
      holder,
      secondsLeft: estimateSecondsLeft(runCount, doneCount, holder, now),
    };
  };
  const shardPlan = readShardPlan(folder);
  if (shardPlan === undefined) return { ...readProgress(folder), shards: [] };
  const shardCount = shardPlan.runs.length;
  const shardProgresses = shardPlan.runs.map((runCount, shardIndex): StudyPartProgress => {
    const path = makeShardFolderPath(folder, { index: shardIndex + 1, count: shardCount });
    // A shard that has not started may have no folder yet.
    return existsSync(makePlanFilePath(path))
      ? readProgress(path)
      : { runs: runCount, done: 0, holder: undefined, secondsLeft: undefined };
  });
  const holder = existsSync(makeLockFilePath(folder)) ? readLockHolder(makeLockFilePath(folder)) : undefined;
  const secondsLeftOfStudy = estimateSecondsLeft(shardPlan.total, doneRunIds.size, holder, now);
  return {
    runs: shardPlan.total,
    done: doneRunIds.size,
    holder,
    secondsLeft: secondsLeftOfStudy ?? estimateSecondsOfAllShards(shardProgresses, shardPlan.costs),
    shards: shardProgresses,
  };
}

function estimateSecondsLeft(
  runCount: number,
  doneCount: number,
  holder: LockHolder | undefined,
  now: number,
): number | undefined {
  if (doneCount === runCount) return 0;
  const { began, earlier = 0 } = holder ?? {};
  if (began === undefined || doneCount <= earlier) return undefined;
  return ((now - began) / 1000 / (doneCount - earlier)) * (runCount - doneCount);
}

/**
 * Estimated seconds until all shards finish: the time until the last running shard ends, or the time that the
 * running shards need for all missing runs, whichever is longer.
 */
function estimateSecondsOfAllShards(
  shardProgresses: readonly StudyPartProgress[],
  shardCosts: readonly number[],
): number | undefined {
  let [longest, rate, missing] = [0, 0, 0];
  for (const [
    i,
    { runs: runCount, done: doneCount, holder, secondsLeft: left },
  ] of shardProgresses.entries()) {
    const cost = runCount === 0 ? 0 : (shardCosts[i]! * (runCount - doneCount)) / runCount;
    missing += cost;
    if (holder === undefined || left === undefined || left === 0) continue;
    longest = Math.max(longest, left);
    rate += cost / left;
  }
  if (missing === 0) return 0;
  return rate === 0 ? undefined : Math.max(longest, missing / rate);
}
