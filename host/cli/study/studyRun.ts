/** Runs studies from the command line: plans, executes locally or elsewhere, and resumes one or several. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { InputError } from '../../errors.js';
import { getCustomCoreFilePath, useCoreFile } from '../../files/coreFile.js';
import { formatCount, formatDuration, formatNumber } from '../../format/numbers.js';
import { formatSourceAsShellWord } from '../../format/text.js';
import { firstElement } from '../../lists.js';
import { addParsedOptionTexts, findOptionByName, isAbsentOptionText } from '../../options/options.js';
import { EQUAL_ON_ONE_SITE_MESSAGE } from '../../reports/comparisonText.js';
import { describeSharedWork, makeSharedWorkDocument } from '../../reports/studyStatus.js';
import { type ExecutionSettings, makeSimulateRequest } from '../../request/request.js';
import { commandWordsOfCustomCore } from '../../request/saved.js';
import { determineEffectiveOptionTexts } from '../../runs/applicableSettings.js';
import {
  copyFinishedResultsToStudies,
  createCollectionFolders,
  joinPlansOfStudies,
  readStudyCollection,
} from '../../runs/collection.js';
import { type ExpectedRunTime, estimateStudyExtent } from '../../runs/joinedRuns.js';
import { runWithLock } from '../../runs/lock.js';
import { type Planned, type PlanOptions, planStudies } from '../../runs/planStudy.js';
import {
  type JoinedRunsOutcome,
  runPlannedStudiesTogether,
  type StudyToRunInFolder,
} from '../../runs/runPlan.js';
import { lockStudyFolder, readStudyPlan } from '../../runs/runsFolder.js';
import {
  cutStudyIntoShards,
  type Merged,
  openShardOfFolder,
  openShardOfPlannedStudy,
  readPlannedShard,
  readShardPlan,
} from '../../runs/shardFolder.js';
import { formatShard, restrictPlannedStudyToShard, type ShardPlan } from '../../runs/shards.js';
import { makePathOfCoreCopy } from '../../runs/slurm.js';
import { expandStudy } from '../../study/expand.js';
import type { Plan } from '../../study/plan.js';
import type { OptionTexts } from '../../study/schema.js';
import { findWorkloadsWithoutEstimates, type Study } from '../../study/study.js';
import type { Trace } from '../../trace/trace.js';
import { formatFactsForTerminal } from '../../view/terminal.js';
import { remarkOnCancelledJobs } from '../../workload/cancellations.js';
import { remarkOnMissingEstimates } from '../../workload/estimates.js';
import { remarkOnDependencies } from '../../workload/make.js';
import {
  type CommandContext,
  type Interruption,
  makeSimulationProgressText,
  type ProgressLine,
} from '../context.js';
import { reportDroppedRecords } from '../loading.js';
import { simulateMethods } from '../simulateMethods.js';

import { submitStudyToSlurm } from './slurmRun.js';
import {
  finishComparisonRound,
  finishStudyCollection,
  planNextComparisonRound,
  readSavedComparison,
  reportStudyCollection,
  reportStudyResults,
} from './studyResults.js';

/** Plans a study, runs it, and writes and prints its results; returns the exit code. */
export async function runAndReportStudy(
  study: Study,
  planOptions: PlanOptions,
  execution: ExecutionSettings,
  context: CommandContext,
  defaultOutputFolder = join('results', study.name),
): Promise<number> {
  const { only, out } = execution;
  const plannedStudy = firstElement(
    await planStudiesWithMessages([study], [planOptions], execution, context),
  );
  if (execution.isDry) return printStudyPlan(plannedStudy, execution, context);
  if (only === undefined)
    return runInStudyFolder(out ?? defaultOutputFolder, study, plannedStudy, execution, context);
  const { workload = '', ...options } = findOptionsOfFirstSetting(only, study, plannedStudy.plan);
  const request = makeSimulateRequest(workload, addParsedOptionTexts({}, omitIneffectiveOptions(options)));
  return simulateMethods(request, { out: out ?? `${defaultOutputFolder}-${only}` }, context);
}

/**
 * Runs a planned study in a folder as requested: locally, one shard, or on Slurm; or only divides it into
 * shards.
 */
async function runInStudyFolder(
  out: string,
  study: Study,
  plannedStudy: Planned,
  execution: ExecutionSettings,
  context: CommandContext,
): Promise<number> {
  const { slurm, shards, shard, core } = execution;
  const runOnThisMachine = () =>
    withOutputFolder(out, context, async () => {
      await printExpectedTime([plannedStudy], execution, context);
      return runStudyOfFolder({ study, planned: plannedStudy, out }, execution, context);
    });
  if (slurm !== undefined)
    return submitStudyToSlurm(study, plannedStudy, out, { slurm, core }, context, runOnThisMachine);
  if (shards !== undefined) {
    return withOutputFolder(out, context, async () =>
      printStudyShards(await cutStudyIntoShards(out, study, plannedStudy, shards), out, context),
    );
  }
  if (shard === undefined) return runOnThisMachine();
  const lockedShard = await openShardOfPlannedStudy(
    out,
    study,
    plannedStudy,
    shard,
    (sentence) => void context.printMessage(sentence),
  );
  const shardStudy = {
    study,
    planned: restrictPlannedStudyToShard(plannedStudy, lockedShard.plan),
    out,
    shard,
  };
  return runWithLock(lockedShard.unlock, () => runStudyOfFolder(shardStudy, execution, context));
}

/** Prints the shards into which a study is divided. */
async function printStudyShards(
  { runs, costs }: ShardPlan,
  out: string,
  context: CommandContext,
): Promise<number> {
  const shardCount = runs.length;
  const shards = runs.map((simulationCount, i) => ({
    shard: `${i + 1}/${shardCount}`,
    simulations: simulationCount,
    cost: costs[i],
  }));
  const missingSimulationCount = runs.reduce((sum, simulationCount) => sum + simulationCount, 0);
  const quotedFolder = formatSourceAsShellWord(out);
  return context.printResult(
    { out, shards },
    () =>
      `${out}: ${formatCount(missingSimulationCount, 'simulation')} in ${formatCount(shardCount, 'shard')}; gridalloc study run ${quotedFolder} --shard 1/${shardCount} runs the first, gridalloc study merge ${quotedFolder} merges them`,
  );
}

/** Runs a function in the folder of a study while holding its lock. */
export function withOutputFolder(
  out: string,
  context: CommandContext,
  runAction: () => Promise<number>,
): Promise<number> {
  return runWithLock(
    lockStudyFolder(out, (sentence) => void context.printMessage(sentence)),
    runAction,
  );
}

/** Runs a study or shard, and reports a complete study; the caller holds its lock. */
function runStudyOfFolder(
  studyToRun: StudyToRunInFolder,
  execution: ExecutionSettings,
  context: CommandContext,
): Promise<number> {
  const { study, out, shard } = studyToRun;
  return withResumeHint(out, context, async () => {
    const {
      outcomes,
      jobs: jobCount,
      sharing,
    } = await runStudiesTogether([studyToRun], out, execution, context);
    const { plan, results, done, earlier } = firstElement(outcomes);
    if (shard !== undefined) {
      await context.printMessage(
        `shard ${formatShard(shard)} is in ${out}; when all shards are done: gridalloc study merge ${formatSourceAsShellWord(out)}, with their other folders if any`,
      );
      if (context.isJson)
        await context.printJson({ out, shard: formatShard(shard), simulations: done + earlier });
      return 0;
    }
    if (results === undefined) throw new Error('a whole study has no results');
    const document = { sharing: makeSharedWorkDocument(sharing, jobCount) };
    return finishStudyFolder({ study, plan, results }, out, context, document, false);
  });
}

/** Runs a function in a folder; if interrupted, prints how to resume. */
async function withResumeHint(
  out: string,
  context: CommandContext,
  runAction: () => Promise<number>,
): Promise<number> {
  try {
    return await runAction();
  } catch (error) {
    if (context.io.signal.aborted) {
      (context.io.signal.reason as Interruption).isReported = true;
      await context.printMessage(
        `interrupted; finished runs are in ${out}, and the same command with --out ${formatSourceAsShellWord(out)} resumes`,
      );
    }
    throw error;
  }
}

/** Largest number of remarks on plans that are printed. */
const MAX_PLAN_REMARKS = 5;

/** Plans studies, and prints remarks before they run. */
async function planStudiesWithMessages(
  studies: readonly Study[],
  planOptionsOfStudies: readonly PlanOptions[],
  execution: ExecutionSettings,
  context: CommandContext,
): Promise<Planned[]> {
  const logs: Trace[] = [];
  const options = studies.map(
    (study, i): PlanOptions => ({
      ...planOptionsOfStudies[i],
      command: [
        ...(planOptionsOfStudies[i]!.command ?? ['study', 'run', study.name]),
        ...commandWordsOfCustomCore(),
      ],
      allowMany: execution.allowMany,
      allowCode: planOptionsOfStudies[i]!.allowCode ?? execution.allowCode,
      onRead: (trace) => logs.push(trace),
      onProgress: () => context.pause(),
    }),
  );
  const plannedStudies = await planStudies(studies, options);
  for (const log of logs) await reportDroppedRecords(log, context);
  await printPlanRemarks(plannedStudies, context);
  if (plannedStudies.every(({ plan }) => hasPoliciesWithoutChoice(plan)))
    await context.printMessage(EQUAL_ON_ONE_SITE_MESSAGE);
  return plannedStudies;
}

/** Prints the contents of a plan. */
async function printStudyPlan(
  plannedStudy: Planned,
  { sharing }: ExecutionSettings,
  context: CommandContext,
): Promise<number> {
  const { runs, points: studyPoints, workloads } = plannedStudy.plan;
  const {
    simulations: simulationCount,
    jobs: jobCount,
    expected: expectedRunTime,
  } = await estimateStudyExtent([plannedStudy], sharing);
  const studyCounts = {
    settings: studyPoints.length,
    simulations: simulationCount,
    workloads: workloads.length,
    jobs: jobCount,
  };
  const facts = Object.entries(studyCounts).map(([label, count]) => [label, formatNumber(count)] as const);
  return context.printResult(
    {
      ...studyCounts,
      ...makeExpectedSecondsEntry(expectedRunTime),
      runs: runs.map(({ id: runId }) => runId),
    },
    () =>
      formatFactsForTerminal(
        [...facts, ...makeExpectedTimeFacts(expectedRunTime)],
        context.colors,
        context.io.stdout.columns,
      ),
  );
}

/** Prints the contents of the plans of several studies. */
async function printStudyPlans(
  studies: readonly Study[],
  plannedStudies: readonly Planned[],
  { sharing }: ExecutionSettings,
  context: CommandContext,
): Promise<number> {
  const { simulations, expected: expectedRunTime } = await estimateStudyExtent(plannedStudies, sharing);
  const studySizes = studies.map(({ name: studyName }, i) => ({
    name: studyName,
    simulations: plannedStudies[i]!.plan.runs.length,
  }));
  const facts = studySizes.map(
    ({ name: studyName, simulations: simulationCount }) =>
      [studyName, formatNumber(simulationCount)] as const,
  );
  const factsWithTotal = [...facts, ['simulations in all', formatNumber(simulations)] as const];
  return context.printResult(
    { simulations, ...makeExpectedSecondsEntry(expectedRunTime), studies: studySizes },
    () =>
      formatFactsForTerminal(
        [...factsWithTotal, ...makeExpectedTimeFacts(expectedRunTime)],
        context.colors,
        context.io.stdout.columns,
      ),
  );
}

const makeExpectedSecondsEntry = (expectedRunTime: ExpectedRunTime | undefined) =>
  expectedRunTime && { expectedSeconds: Math.ceil(expectedRunTime.seconds) };

const makeExpectedTimeFacts = (expectedRunTime: ExpectedRunTime | undefined) =>
  expectedRunTime === undefined
    ? []
    : [
        [
          'time in one thread',
          `at most about ${formatDuration(Math.ceil(expectedRunTime.seconds))}`,
        ] as const,
      ];

/** Prints the expected time of long studies before they begin. */
async function printExpectedTime(
  plannedStudies: readonly Planned[],
  { sharing, threads: threadCount }: ExecutionSettings,
  context: CommandContext,
): Promise<void> {
  const {
    simulations: simulationCount,
    jobs: jobCount,
    expected: expectedRunTime,
  } = await estimateStudyExtent(plannedStudies, sharing);
  if (expectedRunTime === undefined) return;
  const seconds = Math.ceil(expectedRunTime.seconds / threadCount);
  await context.printMessage(
    `${formatCount(simulationCount, 'simulation')} of ${formatNumber(jobCount)} jobs: estimated ${formatDuration(seconds)} ` +
      `on ${formatCount(threadCount, 'thread')} (from ${formatCount(expectedRunTime.samples, 'sample run')}); less if runs share work or are already done`,
  );
}

/**
 * Prints remarks on missing estimates that affect decisions, and on dependent jobs; similar workloads are
 * reported once.
 */
async function printPlanRemarks(plannedStudies: readonly Planned[], context: CommandContext): Promise<void> {
  const unestimatedWorkloads = plannedStudies.flatMap(({ plan }) => findWorkloadsWithoutEstimates(plan));
  const plannedWorkloads = plannedStudies.flatMap(({ plan }) => plan.workloads);
  const planRemarks = plannedStudies.flatMap(({ remarks }) => remarks);
  const remarks = new Set([
    ...planRemarks,
    ...unestimatedWorkloads.map(remarkOnMissingEstimates),
    ...plannedWorkloads.map(remarkOnDependencies),
    ...plannedWorkloads.map(remarkOnCancelledJobs),
  ]);
  remarks.delete(undefined);
  for (const sentence of [...remarks].slice(0, MAX_PLAN_REMARKS))
    await context.printMessage(sentence as string);
  const hiddenCount = remarks.size - MAX_PLAN_REMARKS;
  if (hiddenCount > 0)
    await context.printMessage(`the same holds for ${formatCount(hiddenCount, 'more workload')}`);
}

/** True if policies are compared in a setting without a choice of site. */
function hasPoliciesWithoutChoice({ runs }: Plan): boolean {
  const policies = new Set(runs.map(({ policy }) => policy));
  return (
    policies.size > 1 && runs.every(({ common: commonParameters }) => commonParameters.sites.length === 1)
  );
}

/** True if an argument is the folder of a study. */
export function isStudyFolder(path: string): boolean {
  return existsSync(join(path, 'plan.json'));
}

/**
 * Executes the missing runs of a folder, or of one of its shards, from its plan. Study and logs are read
 * again only to recreate the jobs. A comparison continues in rounds until it is decided.
 */
export async function resumeStudyFolder(
  folder: string,
  execution: ExecutionSettings,
  context: CommandContext,
): Promise<number> {
  const { shard, allowCode } = execution;
  useCoreCopyOfFolder(folder);
  const input = { allowCode, cut: readShardPlan(folder) };
  if (shard !== undefined) {
    const printMessage = (sentence: string) => void context.printMessage(sentence);
    const {
      study,
      planned: plannedStudy,
      taken,
    } = await openShardOfFolder(folder, shard, input, printMessage);
    const shardStudy = { study, planned: plannedStudy, out: folder, shard };
    return runWithLock(taken.unlock, () => runStudyOfFolder(shardStudy, execution, context));
  }
  return runComparisonRounds(
    folder,
    await readPlannedShard(folder, readStudyPlan(folder), input),
    execution,
    context,
  );
}

/** Executes the missing runs of a plan; a comparison continues in rounds until it is decided. */
export async function runComparisonRounds(
  folder: string,
  firstRound: Pick<StudyToRunInFolder, 'study' | 'planned'>,
  execution: ExecutionSettings,
  context: CommandContext,
): Promise<number> {
  for (let { study, planned: plannedStudy } = firstRound; ; ) {
    const exitCode = await runInStudyFolder(folder, study, plannedStudy, execution, context);
    const nextComparisonRound = await planNextComparisonRound(folder, execution.allowCode, context);
    if (nextComparisonRound === undefined) return exitCode;
    ({ study, planned: plannedStudy } = nextComparisonRound);
  }
}

/** Selects the core copied into a folder, unless another is given. */
export function useCoreCopyOfFolder(folder: string): void {
  const copyPath = makePathOfCoreCopy(folder);
  if (getCustomCoreFilePath() === undefined && existsSync(copyPath)) useCoreFile(copyPath);
}

/**
 * Plans several studies and runs them together, each in its own subfolder, with a common page; returns the
 * exit code.
 * @param command shell command that runs them.
 */
export async function runStudyCollection(
  { title, command }: { readonly title: string; readonly command: string },
  studies: readonly Study[],
  planOptionsOfStudies: readonly PlanOptions[],
  execution: ExecutionSettings,
  context: CommandContext,
): Promise<number> {
  const { only, shard, shards, slurm } = execution;
  if (only !== undefined) throw new InputError('--only is for one study; run the studies one by one');
  if (shard !== undefined)
    throw new InputError(
      '--shard is for one study; cut all with --shards first, and give --shard with their folder',
    );
  const isSplitIntoShards = slurm !== undefined || shards !== undefined;
  const studyNames = studies.map(({ name: studyName }) => studyName);
  const duplicateName = studyNames.find((studyName, i) => studyNames.indexOf(studyName) !== i);
  if (duplicateName !== undefined)
    throw new InputError(`two of the studies are called ${duplicateName}; run them one by one`);
  const out = execution.out ?? join('results', title);
  const plannedStudies = await planStudiesWithMessages(studies, planOptionsOfStudies, execution, context);
  if (execution.isDry) return printStudyPlans(studies, plannedStudies, execution, context);
  const studyRuns = studies.map((study, i) => ({
    study,
    planned: plannedStudies[i]!,
    out: join(out, study.name),
  }));
  const printMessage = (sentence: string) => void context.printMessage(sentence);
  if (isSplitIntoShards) {
    const joined = await joinPlansOfStudies(title, studyRuns);
    await createCollectionFolders(out, command, joined, studyRuns, printMessage);
    return runInStudyFolder(out, joined.study, joined.planned, execution, context);
  }
  const unlockFunctions: (() => void)[] = [];
  try {
    const isCollection = readStudyCollection(out) !== undefined;
    return await withResumeHint(out, context, async () => {
      for (const folder of [...(isCollection ? [out] : []), ...studyRuns.map((studyRun) => studyRun.out)]) {
        unlockFunctions.push(await lockStudyFolder(folder, printMessage));
      }
      if (isCollection) await copyFinishedResultsToStudies(out, studyRuns);
      await printExpectedTime(plannedStudies, execution, context);
      const { outcomes, total, jobs, sharing } = await runStudiesTogether(studyRuns, out, execution, context);
      const finished = studyRuns.map(({ study }, i): Merged => {
        const { plan, results } = outcomes[i]!;
        if (results === undefined) throw new Error('a shard has no report');
        return { study, plan, results };
      });
      const summary = {
        title,
        command,
        simulations: total,
        more: { sharing: makeSharedWorkDocument(sharing, jobs) },
      };
      return reportStudyCollection(summary, finished, out, context);
    });
  } finally {
    for (const unlock of unlockFunctions) unlock();
  }
}

/** Executes the missing runs of several folders; prints the number of existing results and of shared work. */
async function runStudiesTogether(
  studies: readonly StudyToRunInFolder[],
  out: string,
  { threads: threadCount, sharing }: ExecutionSettings,
  context: CommandContext,
): Promise<JoinedRunsOutcome> {
  let progressLine: ProgressLine | undefined;
  try {
    const { timeout, io } = context;
    const outcome = await runPlannedStudiesTogether(studies, {
      ...{ threads: threadCount, sharing, timeout, signal: io.signal },
      onProgress: (doneCount, totalCount, doneShare) => {
        progressLine ??= context.startProgressLine(makeSimulationProgressText(doneCount), true);
        progressLine.update(doneCount, totalCount, doneShare);
      },
    });
    progressLine?.end();
    const sharedWorkText = describeSharedWork(outcome.sharing, outcome.jobs);
    if (sharedWorkText !== undefined) await context.printDetail(sharedWorkText);
    const earlierCount = outcome.total - outcome.done;
    if (earlierCount > 0)
      await context.printMessage(
        `${formatCount(earlierCount, 'simulation')} were already in ${out}; ${outcome.done} were run now`,
      );
    return outcome;
  } finally {
    progressLine?.end();
  }
}

/**
 * Options of the first setting with a run.
 * @throws InputError for an unknown run id.
 */
function findOptionsOfFirstSetting(
  id: string,
  study: Study,
  { runs, points: studyPoints, trace }: Plan,
): OptionTexts {
  const runIndex = runs.findIndex((plannedRun) => plannedRun.id === id);
  if (runIndex < 0) {
    throw new InputError(
      `no simulation of this study has the run.id '${id}'; see the column run.id of results.csv`,
    );
  }
  const labelsText = String(studyPoints.find((point) => point.run === runIndex)?.labels);
  const siteCount = runs[runIndex]!.common.sites.length;
  for (const setting of expandStudy(study, trace ?? undefined)) {
    if (String(setting.labels) !== labelsText) continue;
    const options = determineEffectiveOptionTexts(setting, siteCount);
    if (options !== undefined) return options;
  }
  throw new Error(`no setting uses run ${id}`);
}

/** Options of a setting that have an effect; `none` unsets an option, and switches may be off. */
function omitIneffectiveOptions(options: OptionTexts): OptionTexts {
  const effectiveEntries = Object.entries(options).filter(
    ([optionName, optionText]) =>
      !isAbsentOptionText(optionName, optionText) &&
      !(findOptionByName(optionName).isSwitch && optionText !== 'true'),
  );
  return Object.fromEntries(effectiveEntries);
}

/**
 * Writes the results of a study or comparison folder and prints a summary; the caller holds the lock. Returns
 * the exit code.
 * @param extraEntries additional entries of the study's JSON document.
 * @param isLast true if the command ends now; otherwise a comparison may have further rounds.
 */
export async function finishStudyFolder(
  mergedStudy: Merged,
  out: string,
  context: CommandContext,
  extraEntries: object = {},
  isLast = true,
): Promise<number> {
  const collection = readStudyCollection(out);
  if (collection !== undefined)
    return finishStudyCollection(collection, mergedStudy, out, context, extraEntries);
  const comparison = readSavedComparison(out);
  if (comparison !== undefined) return finishComparisonRound(comparison, mergedStudy, out, context, isLast);
  return reportStudyResults(mergedStudy, out, context, extraEntries);
}
