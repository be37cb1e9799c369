/**
 * Command `gridalloc validate`: measures how well a simulation reproduces the start times recorded in a log.
 */

import { InputError } from '../../errors.js';
import { explainJob } from '../../explain/explain.js';
import type { Explanation } from '../../explain/explanation.js';
import { makeChunkedFile, writeUserFiles } from '../../files/fileSystem.js';
import { readNodeLists } from '../../files/nodeLists.js';
import { joinFileNames } from '../../files/traceFiles.js';
import { formatFullDuration } from '../../format/numbers.js';
import { firstElement } from '../../lists.js';
import type { Configuration } from '../../options/configuration.js';
import { makeTimeFormatterOfLog, runWithTimeFormatter } from '../../reports/decisionReasons.js';
import { appendExplanations } from '../../reports/explanationReport.js';
import { formatSettingAgreementCsv } from '../../reports/settingAgreement.js';
import { makeValidationDocument, makeValidationReport } from '../../reports/validationReport.js';
import { formatExplanation } from '../../reports/waitReasons.js';
import {
  COMMON_COMMAND_OPTIONS,
  CORE_FILE_OPTION,
  SIMULATION_OPTION_DEFINITIONS,
  WORKLOAD_ARGUMENT,
  WORKLOAD_HELP_TEXT,
} from '../../request/commandOptions.js';
import type { CommandOptionTable } from '../../request/definitions.js';
import { type CommandInput, makeInputReader } from '../../request/fromArguments.js';
import { parseVariedOption } from '../../request/optionValues.js';
import { makeSimulateRequest } from '../../request/request.js';
import type { Experiment, Method } from '../../simulate/experiment.js';
import { Recorder } from '../../simulate/recorder.js';
import {
  addNodeListsToRecording,
  inferNodeSize,
  readScheduleRecording,
  remarkOnUnknownStarts,
  type ScheduleRecording,
} from '../../validate/recording.js';
import {
  type ComparedJobStart,
  type ValidationOptions,
  type ValidationResult,
  validateRecording,
} from '../../validate/validate.js';
import {
  collectKeysOfVariedOptions,
  combineVariedSettings,
  describeGivenSetting,
  listVariableOptionNames,
  makeValidatedSetting,
} from '../../validate/variedSettings.js';
import { formatReport } from '../../view/report.js';
import { makeReportPage } from '../../view/reportFolder.js';
import { makeUniqueJobNames } from '../../workload/workload.js';
import type { Command } from '../command.js';
import { type CommandContext, makeShareProgressText } from '../context.js';
import { loadRequestedExperiment } from '../loading.js';
import { loadOptionsOfScheduler, SCHEDULER_OPTION } from '../scheduler.js';
import { runSimulationInSlices } from '../simulateMethods.js';
import { chooseExplanationWidth } from './explain.js';

/** Default number of listed jobs. */
const DEFAULT_LISTED_JOB_COUNT = 10;

const VALIDATE_OPTIONS = {
  ...SIMULATION_OPTION_DEFINITIONS,
  scheduler: SCHEDULER_OPTION,
  'free-only': {
    describe: 'do not predict step by step, which takes longer',
    isSwitch: true,
    group: 'Output:',
  },
  vary: {
    describe:
      'also compare other settings: an option and its values, such as pass-gap=none,3; of several every combination; scheduler too',
    isRepeatable: true,
    complete: () => listVariableOptionNames().map((optionName) => `${optionName}=`),
    group: 'Output:',
  },
  jobs: {
    describe: 'list this many of the jobs that differ most',
    default: `${DEFAULT_LISTED_JOB_COUNT}`,
    group: 'Output:',
  },
  explain: {
    describe:
      'explain the waits of this many of the jobs that differ most, as simulated free; each takes one more simulation',
    default: '0',
    group: 'Output:',
  },
  out: { describe: 'also write the comparison as a page: FILE.html', default: 'none', group: 'Output:' },
  csv: {
    describe: 'print the settings as CSV: a row for each, free and step by step',
    isSwitch: true,
    group: 'Output:',
  },
  ...CORE_FILE_OPTION,
  ...COMMON_COMMAND_OPTIONS,
} satisfies CommandOptionTable;

/** Command `gridalloc validate`. */
export const validateCommand: Command<CommandInput<typeof VALIDATE_OPTIONS>> = {
  description: [
    'Compares the starts of a simulation with those that a log recorded, in two ways. Free: the simulation runs by itself. Step by step: before every scheduling pass, the simulation gets the jobs that were really running and waiting then, so that one early difference does not hide later agreement.',
    WORKLOAD_HELP_TEXT,
    'What a log of whole seconds does not show is fitted to logs of up to 500 jobs, and printed: times of passes and, as a third comparison, the order of ends within the second of a pass where a start is missed. With --backfill-offset, no time of passes is fitted, nor one that --vary varies.',
    'It needs a log of one machine. Give the rules of the scheduler that wrote the log; --scheduler slurm stands for the rules of Slurm.',
    'With --vary, tables show how well other settings agree with the recording. Separate values by commas outside brackets, or by semicolons, which take precedence; a value in square brackets may contain both; none stands for the default. A varied scheduler replaces all options of passes.',
  ].join('\n\n'),
  positionals: [WORKLOAD_ARGUMENT],
  options: VALIDATE_OPTIONS,
  read: makeInputReader(VALIDATE_OPTIONS),
  examples: [
    ['gridalloc validate jobs.txt --scheduler slurm', 'a recording of sacct, by the rules of Slurm'],
    ['gridalloc validate log.swf --discipline easy', 'would EASY have started the jobs when they started?'],
    [
      'gridalloc validate jobs.txt --discipline easy --explain 3',
      'and why three jobs waited in the simulation',
    ],
    ['gridalloc validate jobs.txt --discipline easy --out easy.html', 'the same as a page'],
    ['gridalloc validate jobs.txt --scheduler slurm --vary pass-gap=none,3', 'which setting comes nearest?'],
  ],
  combinations: [{ of: ['csv'], excludes: ['json'], why: 'they are two forms of the same output' }],
  run: runValidateCommand,
};

/** Message where `--vary` names only values that are given anyway. */
const ONLY_GIVEN_VALUES_MESSAGE =
  '--vary: every value is the one already given, so no other setting is compared';

async function runValidateCommand(
  commandInput: CommandInput<typeof VALIDATE_OPTIONS>,
  context: CommandContext,
): Promise<number> {
  const { out } = commandInput.values;
  if (out !== undefined && !out.endsWith('.html'))
    throw new InputError(`--out: expected FILE.html, found '${out}'`);
  const { explainedCount, count } = parseJobCounts(commandInput.values);
  const varied = (commandInput.values.vary ?? []).map(parseVariedOption);
  const optionsOf = (scheduler: string) => loadOptionsOfScheduler(scheduler, context);
  const variedSettings = await combineVariedSettings(varied, commandInput.options, optionsOf);
  if (varied.length > 0 && variedSettings.length === 0) await context.printMessage(ONLY_GIVEN_VALUES_MESSAGE);
  const logFile = joinFileNames(commandInput.positionals);
  const request = makeSimulateRequest(logFile, commandInput.options);
  const givenMethod = firstElement(request.methods);
  const variedMethods = variedSettings.map(({ method }) => ({ ...givenMethod, ...method }));
  const methods = [givenMethod, ...variedMethods];
  const experiment = await loadRequestedExperiment({ ...request, methods }, context);
  const recordings = await loadScheduleRecordings(logFile, experiment, context);
  const validations = validateAgainstRecordings(
    recordings,
    { methods, configurations: experiment.configurations },
    commandInput,
    { listed: count, fixedTimes: collectKeysOfVariedOptions(varied) },
    context,
  );
  const [validation, recording] = [firstElement(validations), firstElement(recordings)];
  const givenSetting = describeGivenSetting(varied, commandInput.options);
  const settingValues = [givenSetting, ...variedSettings.map(({ values }) => values)];
  const isOnlyGiven = commandInput.values.csv === undefined && variedSettings.length === 0;
  const validationResults = isOnlyGiven
    ? []
    : validations.map((each, i) => makeValidatedSetting(settingValues[i]!, i === 0, each));
  const commandLine = `gridalloc validate ${commandInput.line}`;
  const report = makeValidationReport(validation, commandLine, validationResults);
  const explanations = await explainDifferentJobs(validation, recording, explainedCount, context);
  const timeFormatter = makeTimeFormatterOfLog(recording.workload);
  if (out !== undefined) {
    await writeComparisonPage(
      out,
      runWithTimeFormatter(timeFormatter, () => makeReportPage(appendExplanations(report, explanations))),
      context,
    );
  }
  if (commandInput.values.csv !== undefined) {
    await context.print(formatSettingAgreementCsv(validationResults).trimEnd());
    return 0;
  }
  const document = makeValidationDocument(validation, validationResults);
  return context.printResult({ ...document, ...(explainedCount > 0 && { explanations }) }, () =>
    [
      formatReport(report, context.colors, context.io.stdout.columns),
      ...runWithTimeFormatter(timeFormatter, () =>
        explainLargestWaitDifferences(validation, explanations, context),
      ),
    ].join('\n\n'),
  );
}

/** Numbers of jobs that are explained, and that are listed because their starts differ most. */
function parseJobCounts({ explain = '0', jobs = `${DEFAULT_LISTED_JOB_COUNT}` }: ListedJobOptions): {
  readonly explainedCount: number;
  readonly count: number;
} {
  const explainedJobCount = parseListedJobCount('explain', explain);
  return {
    explainedCount: explainedJobCount,
    count: Math.max(explainedJobCount, parseListedJobCount('jobs', jobs)),
  };
}

/** Options that give numbers of jobs. */
interface ListedJobOptions {
  readonly explain?: string | undefined;
  readonly jobs?: string | undefined;
}

/** Writes the page of a comparison to the file of `--out`, and says so. */
async function writeComparisonPage(path: string, pageHtml: string, context: CommandContext): Promise<void> {
  await writeUserFiles(path, [makeChunkedFile(path, [pageHtml])], context.io.signal);
  await context.printMessage(`the comparison is in ${path}`);
}

/** Explanations of the jobs with the largest differences, each after a sentence on the recorded wait. */
function explainLargestWaitDifferences(
  { ways }: ValidationResult,
  explanations: readonly Explanation[],
  context: CommandContext,
): string[] {
  const { different: differentStarts } = firstElement(ways);
  return explanations.flatMap((explanation, i) => [
    describeRecordedWait(differentStarts[i]!),
    formatExplanation(explanation, context.colors, chooseExplanationWidth(context)),
  ]);
}

/** Sentence before the explanation of a job: its recorded and its simulated wait. */
const describeRecordedWait = ({ job, submit, recordedStart, simulatedStart }: ComparedJobStart): string =>
  `In the log job ${job} waited ${formatFullDuration(recordedStart - submit)}; simulated, it waits ` +
  `${formatFullDuration(simulatedStart - submit)}, as follows.`;

/**
 * Explains the waits of the jobs with the largest differences in the free simulation, each in a separate
 * recording simulation.
 */
async function explainDifferentJobs(
  { ways, configuration }: ValidationResult,
  { workload }: ScheduleRecording,
  maxJobs: number,
  context: CommandContext,
): Promise<Explanation[]> {
  const jobNames = makeUniqueJobNames(workload);
  const explanations: Explanation[] = [];
  for (const { job } of firstElement(ways).different.slice(0, maxJobs)) {
    const recorder = new Recorder(workload, jobNames.indexOf(job));
    await runSimulationInSlices(recorder.simulator, configuration, context);
    explanations.push(explainJob(recorder, jobNames.indexOf(job)));
  }
  return explanations;
}

/** Loads the recorded schedule for each setting; prints remarks on the given setting. */
async function loadScheduleRecordings(
  logFile: string,
  { workloads, configurations }: Experiment,
  context: CommandContext,
): Promise<ScheduleRecording[]> {
  const nodeListsOfLog = await readNodeLists(logFile);
  const recordingByWorkload = new Map(
    [...new Set(workloads)].map((workload) => {
      const recording = readScheduleRecording(workload);
      return [
        workload,
        nodeListsOfLog === undefined
          ? recording
          : addNodeListsToRecording(recording, nodeListsOfLog, makeUniqueJobNames(workload)),
      ];
    }),
  );
  const recordings = workloads.map((workload) => recordingByWorkload.get(workload)!);
  const { planBy, processorsPerNode, grid } = firstElement(configurations);
  const recording = firstElement(recordings);
  const unknownStartsRemark = remarkOnUnknownStarts(recording);
  if (unknownStartsRemark !== undefined) await context.printMessage(unknownStartsRemark);
  const nodeSize = inferNodeSize(recording, firstElement(grid.capacities));
  if (planBy === 'node' && nodeSize > processorsPerNode) {
    await context.printMessage(
      `jobs held up to ${nodeSize} processors of a node, and the plan takes ${processorsPerNode === 1 ? 'every processor' : `${processorsPerNode} processors`} for a node; give --processors-per-node ${nodeSize}`,
    );
  }
  return recordings;
}

/** Compares each setting with the recorded schedule, with progress. */
function validateAgainstRecordings(
  recordings: readonly ScheduleRecording[],
  {
    methods,
    configurations,
  }: { readonly methods: readonly Method[]; readonly configurations: readonly Configuration[] },
  { values, options }: CommandInput<typeof VALIDATE_OPTIONS>,
  validationOptions: ValidationOptions,
  context: CommandContext,
): ValidationResult[] {
  const progressLine = context.startProgressLine(makeShareProgressText('predicting step by step'));
  try {
    return configurations.map((configuration, i) =>
      validateRecording(recordings[i]!, configuration, {
        ...validationOptions,
        omitsStepByStep: values['free-only'] !== undefined,
        isUsageOffsetGiven: { ...options, ...methods[i] }.usageOffset !== undefined,
        onProgress: (doneShare) => {
          context.io.signal.throwIfAborted();
          progressLine.update(i + doneShare, configurations.length);
        },
      }),
    );
  } finally {
    progressLine.end();
  }
}

function parseListedJobCount(optionName: 'jobs' | 'explain', countText: string): number {
  const parsedCount = Number(countText);
  if (!Number.isInteger(parsedCount) || parsedCount < 0) {
    throw new InputError(`--${optionName}: expected a whole number from 0, found '${countText}'`);
  }
  return parsedCount;
}
