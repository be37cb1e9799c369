/** Command `gridalloc explain`: explains the wait and the sites of a job in a finished simulation. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { InputError } from '../../errors.js';
import { explainJob } from '../../explain/explain.js';
import type { Explanation } from '../../explain/explanation.js';
import { makeChunkedFile, writeUserFiles } from '../../files/fileSystem.js';
import { expandFilePatterns } from '../../files/traceFiles.js';
import { formatSourceAsShellWord, makePrintableSourceName } from '../../format/text.js';
import { firstElement } from '../../lists.js';
import { parseWholeNumber } from '../../notation.js';
import { addParsedOptionTexts } from '../../options/options.js';
import { makeTimeFormatterOfLog, runWithTimeFormatter } from '../../reports/decisionReasons.js';
import { makeExplanationReport } from '../../reports/explanationReport.js';
import { formatExplanation } from '../../reports/waitReasons.js';
import { ALLOW_CODE_OPTION, COMMON_COMMAND_OPTIONS, CORE_FILE_OPTION } from '../../request/commandOptions.js';
import type { CommandOptionTable } from '../../request/definitions.js';
import { type CommandInput, makeInputReader } from '../../request/fromArguments.js';
import { makeSimulateRequest } from '../../request/request.js';
import {
  checkFolderCodeAllowed,
  checkJobsMatchFolder,
  readSavedConfig,
  type SavedSimulationConfig,
  selectCoreOfSavedRun,
} from '../../request/saved.js';
import { readFinishedJobs } from '../../results/finishedJobs.js';
import { readJobListOfFolder, searchJobs } from '../../results/jobList.js';
import type { Experiment } from '../../simulate/experiment.js';
import { Recorder } from '../../simulate/recorder.js';
import { makeReportPage } from '../../view/reportFolder.js';
import { isModelNotation } from '../../workload/models.js';
import { makeUniqueJobNames, type Workload } from '../../workload/workload.js';
import type { Command } from '../command.js';
import type { CommandContext } from '../context.js';
import { loadRequestedExperiment, loadUserCodeFiles } from '../loading.js';
import { runSimulationInSlices } from '../simulateMethods.js';
import { JOB_OPTIONS, JOB_SELECTION_COMBINATIONS, parseJobSearch } from './jobs.js';

const EXPLAIN_OPTIONS = {
  job: {
    describe:
      'the job: a job_id of jobs.csv, such as 123, 123#2 or 123_4; the same as a JOB behind the folder',
    group: 'Job:',
  },
  longest: {
    describe: 'the N jobs that waited longest',
    read: (countText: string, errorContext: string) =>
      parseWholeNumber(countText, errorContext, { atLeast: 1 }),
    default: 'none',
    group: 'Job:',
  },
  ...Object.fromEntries(
    Object.entries(JOB_OPTIONS).map(([jobOptionName, option]) => [
      jobOptionName,
      {
        ...option,
        describe: `${option.describe}; without --longest the one that waited longest`,
        group: 'Job:',
      },
    ]),
  ),
  where: {
    describe: "only jobs that meet a condition, as in gridalloc jobs: 'queue == batch and processors > 64'",
    default: 'all',
    group: 'Job:',
  },
  trace: { describe: 'the job log', default: 'the path in config.json', group: 'Job:' },
  core: { ...CORE_FILE_OPTION.core, default: 'the path in config.json', group: 'Job:' },
  out: {
    describe: 'also write the explanation as a page with figures: FILE.html',
    default: 'none',
    group: 'Output:',
  },
  ...ALLOW_CODE_OPTION,
  ...COMMON_COMMAND_OPTIONS,
} satisfies CommandOptionTable;

/** Command `gridalloc explain`. */
export const explainCommand: Command<CommandInput<typeof EXPLAIN_OPTIONS>> = {
  description:
    'Replays a finished simulation and explains the wait and the placement of one job: which jobs were ahead and blocked ' +
    'it, what had to end first, which sites had room when it started, which rule chose among them, and what had been reserved for it. Also draws the free processors while it waited. The log must still be at the path in config.json, or be given with --trace.',
  positionals: [
    { name: 'RUN', meaning: 'a RUN: a folder written by simulate --out' },
    { name: 'JOB', meaning: 'a job_id of jobs.csv', isOptional: true, isRepeatable: true },
  ],
  options: EXPLAIN_OPTIONS,
  read: makeInputReader(EXPLAIN_OPTIONS),
  examples: [
    ['gridalloc explain results 123', 'after gridalloc simulate log.swf --out results'],
    ['gridalloc explain results --longest 3 --user ann', 'her three jobs that waited longest'],
    ['gridalloc explain results 123 124 --out why.html', 'two jobs, also as a page'],
    ['gridalloc explain results 123 --json', 'the same for programs'],
  ],
  combinations: JOB_SELECTION_COMBINATIONS,
  run: runExplainCommand,
};

/** Width of the text in characters if the terminal's width is unknown, and its limits. */
const DEFAULT_EXPLANATION_WIDTH = 100;
const MIN_EXPLANATION_WIDTH = 60;
const MAX_EXPLANATION_WIDTH = 140;

/** Width of explanations on standard output, in characters. */
export const chooseExplanationWidth = ({ io }: CommandContext): number =>
  Math.min(
    MAX_EXPLANATION_WIDTH,
    Math.max(MIN_EXPLANATION_WIDTH, io.stdout.columns ?? DEFAULT_EXPLANATION_WIDTH),
  );

async function runExplainCommand(
  commandInput: CommandInput<typeof EXPLAIN_OPTIONS>,
  context: CommandContext,
): Promise<number> {
  const folder = firstElement(commandInput.positionals);
  const out = commandInput.values.out;
  if (out !== undefined && !out.endsWith('.html')) {
    throw new InputError(`--out: expected FILE.html, found '${out}'`);
  }
  const savedConfig = await readSavedConfig(folder);
  const jobNames = await parseRequestedJobs(commandInput, folder);
  const isSingleJob = (commandInput.values.job === undefined ? 0 : 1) + commandInput.positionals.length === 2;
  checkFolderCodeAllowed(
    savedConfig.folder,
    savedConfig.texts,
    commandInput.values['allow-code'] !== undefined,
  );
  if (commandInput.values.core === undefined) selectCoreOfSavedRun(savedConfig);
  const logFile = await findLogOfFolder(savedConfig, commandInput.values.trace, folder);
  // Calls have no time limit: in the run that is explained, the same calls returned.
  await loadUserCodeFiles(savedConfig.texts);
  const request = makeSimulateRequest(logFile, addParsedOptionTexts({}, savedConfig.texts));
  const experiment = await loadRequestedExperiment(request, context.withRepeatedMessages());
  checkJobsMatchFolder(savedConfig, experiment.workload, logFile, 'name their log with --trace');
  const width = chooseExplanationWidth(context);
  const timeFormatter = makeTimeFormatterOfLog(experiment.workload);
  const explanations: Explanation[] = [];
  for (const job of jobNames.map((jobName) => findJobByName(experiment.workload, jobName, folder))) {
    const recorder = await recordJobEvents(experiment, job, context);
    await checkStartMatchesFolder(recorder, job, folder);
    const explanation = explainJob(recorder, job);
    if (!context.isJson) {
      const gapBeforeExplanation = explanations.length === 0 ? '' : '\n\n';
      await context.print(
        gapBeforeExplanation +
          runWithTimeFormatter(timeFormatter, () => formatExplanation(explanation, context.colors, width)),
      );
    }
    explanations.push(explanation);
  }
  if (out !== undefined)
    await runWithTimeFormatter(timeFormatter, () =>
      writeExplanationPage(out, explanations, commandInput, context),
    );
  if (context.isJson) await context.printJson(isSingleJob ? explanations[0] : explanations);
  return 0;
}

async function writeExplanationPage(
  out: string,
  explanations: readonly Explanation[],
  commandInput: CommandInput<typeof EXPLAIN_OPTIONS>,
  context: CommandContext,
): Promise<void> {
  const command = `gridalloc explain ${commandInput.line}`;
  const pageHtml = makeReportPage(makeExplanationReport(explanations, command));
  await writeUserFiles(out, [makeChunkedFile(out, [pageHtml])], context.io.signal);
  await context.printMessage(`the explanation is in ${out}`);
}

/** Names of the requested jobs: those given, or those that the search options find. */
async function parseRequestedJobs(
  commandInput: CommandInput<typeof EXPLAIN_OPTIONS>,
  folder: string,
): Promise<readonly string[]> {
  const jobNames = [commandInput.values.job ?? [], commandInput.positionals.slice(1)].flat();
  const searchOption = ['longest', 'where', ...Object.keys(JOB_OPTIONS)].find((optionName) =>
    Object.hasOwn(commandInput.values, optionName),
  );
  if (jobNames.length > 0 && searchOption === undefined) return [...new Set(jobNames)];
  if (jobNames.length > 0)
    throw new InputError(`give either job ${jobNames[0]} or --${searchOption}, not both`);
  if (searchOption === undefined) {
    throw new InputError(
      `gridalloc explain needs a JOB, a job_id of jobs.csv, or --longest 10; gridalloc jobs ${formatSourceAsShellWord(folder)} finds jobs`,
    );
  }
  const maxJobCount = commandInput.values.longest ?? 1;
  const jobList = await readJobListOfFolder(folder);
  return searchJobs(jobList, parseJobSearch(commandInput.values))
    .slice(0, maxJobCount)
    .map((job) => jobList.names[job]!);
}

/** Path of a simulation's log: that of --trace if given, otherwise that in its config.json. */
async function findLogOfFolder(
  { source }: SavedSimulationConfig,
  givenLogPath: string | undefined,
  folder: string,
): Promise<string> {
  if (givenLogPath !== undefined || isModelNotation(source)) return givenLogPath ?? source;
  if (source !== '-') {
    const files = await expandFilePatterns(source).catch(() => [source]);
    if (files.every((file) => existsSync(file))) return source;
    const missingLogPhrase = `${makePrintableSourceName(source)}, the job log of ${folder},`;
    throw new InputError(`${missingLogPhrase} does not exist; give its path with --trace`);
  }
  throw new InputError(
    `${folder}: the jobs came from standard input, which cannot be read again; name their log with --trace`,
  );
}

function findJobByName(workload: Workload, jobName: string, folder: string): number {
  const indexByName = makeUniqueJobNames(workload).indexOf(jobName);
  const job = indexByName >= 0 ? indexByName : workload.job.findIndex((number) => String(number) === jobName);
  if (job >= 0) return job;
  const location = join(folder, 'jobs.csv');
  throw new InputError(
    `${folder} has no job ${jobName}; those that ran are in the column job_id of ${location}`,
  );
}

async function recordJobEvents(
  experiment: Experiment,
  job: number,
  context: CommandContext,
): Promise<Recorder> {
  const recorder = new Recorder(experiment.workload, job);
  await runSimulationInSlices(recorder.simulator, firstElement(experiment.configurations), context);
  return recorder;
}

/** Checks that the job has the same start and end as in the folder whose result is explained. */
async function checkStartMatchesFolder(recorder: Recorder, job: number, folder: string): Promise<void> {
  const jobName = makeUniqueJobNames(recorder.simulator.workload)[job]!;
  const jobs = await readFinishedJobs(join(folder, 'jobs.csv'));
  const savedJob = jobs.find((finishedJob) => finishedJob.name === jobName);
  const { start, execution, site } = recorder.simulator.schedule();
  // A job that was cancelled while it waited is not among those that ran.
  if (savedJob === undefined && site[job]! < 0) return;
  const end = start[job]! + execution[job]!;
  if (savedJob !== undefined && savedJob.start === start[job] && savedJob.end === end) return;
  throw new InputError(
    `${folder}: run again, job ${jobName} starts at ${start[job]}, in jobs.csv at ${savedJob?.start ?? 'no time'}; ` +
      'the folder is from another version of gridalloc; run the simulation again',
  );
}
