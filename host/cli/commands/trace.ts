/** Commands `gridalloc trace ...`: check, describe, convert and generate job logs. */

import { existsSync, realpathSync } from 'node:fs';
import { InputError } from '../../errors.js';
import { checkTrace, expandFilePatterns, joinFileNames, writeTrace } from '../../files/traceFiles.js';
import { formatCount, formatNumber } from '../../format/numbers.js';
import { makePrintableSourceName } from '../../format/text.js';
import { firstElement } from '../../lists.js';
import { printOptionSettings } from '../../options/document.js';
import type { Settings } from '../../options/options.js';
import {
  describeLogErrorCount,
  formatLogCheck,
  formatLogStatistics,
  formatModelList,
  formatPresetList,
  formatTableOfLogFormats,
} from '../../reports/logDescription.js';
import {
  COMMON_COMMAND_OPTIONS,
  getSimulationOptionDefinition,
  pickSimulationOptionDefinitions,
} from '../../request/commandOptions.js';
import type { CommandOptionTable } from '../../request/definitions.js';
import { type CommandInput, makeInputReader } from '../../request/fromArguments.js';
import { checkMethodsCombine, makeJobMaker, makeReplicationChange } from '../../simulate/experiment.js';
import { determineRequestedCapacities, determineRequestedFilters } from '../../simulate/workloadSettings.js';
import { anonymizeTrace } from '../../trace/anonymize.js';
import type { TraceCheck } from '../../trace/checkTrace.js';
import {
  applyFilters,
  countAllRecordsOfLog,
  type Dropped,
  describeDropRule,
  formatFilter,
} from '../../trace/filter.js';
import { FORMAT_DESCRIPTIONS } from '../../trace/formats.js';
import { type TraceInfo, traceInfo } from '../../trace/info.js';
import { pickReadingOptions, type ReadingOptions } from '../../trace/readText.js';
import { shiftTraceToZero, type Trace } from '../../trace/trace.js';
import { MAX_TERMINAL_LINE_WIDTH } from '../../view/terminal.js';
import { workloadToTrace } from '../../workload/export.js';
import { isModelNotation, MODELS, makeModelTrace } from '../../workload/models.js';
import { perturbTrace } from '../../workload/perturb.js';
import { PRESETS } from '../../workload/presets.js';
import type { Command } from '../command.js';
import type { CommandContext } from '../context.js';
import { loadTraceWithProgress } from '../loading.js';

const LOG_FILE_ARGUMENT = {
  name: 'FILE',
  meaning: 'a FILE: a job log (FILE.swf, FILE.swf.gz, or - for standard input)',
  isRepeatable: true,
};
const OUTPUT_FILE_ARGUMENT = {
  name: 'OUT',
  meaning: 'OUT: the file to write (OUT.swf, OUT.swf.gz, or - for standard output)',
};

/** Options for reading a log that do not change it. */
const LOG_READING_OPTIONS = pickSimulationOptionDefinitions(
  'format',
  'sort',
  'skip-bad-lines',
  'arrival',
  'columns',
  'time-zone',
);

const TRACE_INFO_OPTIONS = { ...LOG_READING_OPTIONS, ...COMMON_COMMAND_OPTIONS } satisfies CommandOptionTable;

/** Command `gridalloc trace info`. */
export const traceInfoCommand: Command<CommandInput<typeof TRACE_INFO_OPTIONS>> = {
  description:
    'Shows the machine, time span, jobs, runtimes, job sizes, offered load and queues of a job log, or of a model. Times ' +
    'are in seconds. Several files are shown one by one.',
  positionals: [{ ...LOG_FILE_ARGUMENT, meaning: `${LOG_FILE_ARGUMENT.meaning} or a model` }],
  options: TRACE_INFO_OPTIONS,
  read: makeInputReader(TRACE_INFO_OPTIONS),
  examples: [
    ['gridalloc trace info log.swf.gz', 'a log'],
    ['gridalloc trace info logs/*.swf.gz', 'several logs'],
    ["gridalloc trace info 'lublin99[jobs=1000]'", 'a model'],
  ],
  run: showLogInfo,
};

async function showLogInfo(
  commandInput: CommandInput<typeof TRACE_INFO_OPTIONS>,
  context: CommandContext,
): Promise<number> {
  const traceInfos: TraceInfo[] = [];
  const reading = commandInput.options;
  for (const source of await expandLogFileNames(commandInput)) {
    const infoOfTrace = traceInfo(await loadTraceWithProgress(source, reading, context));
    if (!context.isJson) {
      const statisticsText = formatLogStatistics(infoOfTrace, context.colors, context.io.stdout.columns);
      await context.print((traceInfos.length === 0 ? '' : '\n') + statisticsText);
    }
    traceInfos.push(infoOfTrace);
  }
  if (context.isJson) await context.printJson(unwrapSingleDocument(traceInfos));
  return 0;
}

/** Expands file name patterns; names of workload models are also accepted. */
async function expandLogFileNames({
  positionals: commandWords,
}: Pick<CommandInput<typeof TRACE_INFO_OPTIONS>, 'positionals'>): Promise<string[]> {
  const files = await Promise.all(
    commandWords.map((word) => (isModelNotation(word) ? [word] : expandFilePatterns(word))),
  );
  return files.flat();
}

/** Document for one file; a list for several. */
function unwrapSingleDocument<Document>(documents: readonly Document[]): Document | readonly Document[] {
  return documents.length === 1 ? firstElement(documents) : documents;
}

const TRACE_CHECK_OPTIONS = {
  ...pickSimulationOptionDefinitions('format', 'arrival', 'columns', 'time-zone'),
  sort: {
    ...getSimulationOptionDefinition('sort'),
    describe: 'report submit times out of order as warnings instead of errors',
  },
  ...COMMON_COMMAND_OPTIONS,
} satisfies CommandOptionTable;

/** Command `gridalloc trace check`. */
export const traceCheckCommand: Command<CommandInput<typeof TRACE_CHECK_OPTIONS>> = {
  description:
    'Lists every kind of problem in a job log, how often it occurs and where. The exit code is 2 if an error keeps the log ' +
    'from being read or simulated as it is, 0 if there are only warnings. Several files are checked one by one.',
  positionals: [LOG_FILE_ARGUMENT],
  options: TRACE_CHECK_OPTIONS,
  read: makeInputReader(TRACE_CHECK_OPTIONS),
  examples: [['gridalloc trace check log.swf.gz', 'all problems with line numbers']],
  run: printLogChecks,
};

async function printLogChecks(
  commandInput: CommandInput<typeof TRACE_CHECK_OPTIONS>,
  context: CommandContext,
): Promise<number> {
  const logChecks: Omit<TraceCheck, 'header'>[] = [];
  const reading = commandInput.options;
  for (const source of await expandLogFileNames(commandInput)) {
    const { header: _, ...check } = await checkLogFile(source, reading, context);
    if (!context.isJson) {
      await context.print((logChecks.length === 0 ? '' : '\n') + formatLogCheck(check, context.colors));
    }
    if (!check.usable) await context.printMessage(describeLogErrorCount(check));
    logChecks.push(check);
  }
  if (context.isJson) await context.printJson(unwrapSingleDocument(logChecks));
  return logChecks.every(({ usable }) => usable) ? 0 : 2;
}

function checkLogFile(
  logFile: string,
  reading: ReadingOptions,
  context: CommandContext,
): Promise<TraceCheck> {
  const { skipBadLines: _, ...checking } = pickReadingOptions(reading);
  return context.readWithProgress('checking', logFile, (options) =>
    checkTrace(logFile, { ...checking, ...options }),
  );
}

/** Options that only select records. Other options change jobs in ways that a log cannot express. */
const RECORD_SELECTION_OPTIONS = [
  'preset',
  'filter',
  'format',
  'sort',
  'skip-bad-lines',
  'arrival',
  'columns',
  'time-zone',
  'rebase',
  'perturb',
  'replication',
];

/** Options that change a log, except those of sites. */
const LOG_CONVERSION_OPTIONS = pickSimulationOptionDefinitions(
  ...RECORD_SELECTION_OPTIONS,
  ...['home', 'rc', 'max-width', 'oversize', 'arrival-scale', 'runtime-scale'],
);

const TRACE_CONVERT_OPTIONS = {
  ...LOG_CONVERSION_OPTIONS,
  sites: {
    ...getSimulationOptionDefinition('sites'),
    default: 'the sites of the preset, or any that hold the jobs',
  },
  anonymize: {
    group: 'Workload:',
    isSwitch: true,
    describe:
      'replace names and numbers of users, groups, queues and jobs by numbers from 1, and drop notes and names of places',
  },
  ...COMMON_COMMAND_OPTIONS,
} satisfies CommandOptionTable;

/** Command `gridalloc trace convert`. */
export const traceConvertCommand: Command<CommandInput<typeof TRACE_CONVERT_OPTIONS>> = {
  description:
    'Reads a job log in any format, several files as one log, or a model, and writes a log in Standard Workload Format. ' +
    'Filters, sorting, --perturb and --rebase keep all fields of the records. With --home, ' +
    '--sites, --rc, --max-width, --oversize or a scale the jobs are written as a simulation would see them: times, processors, estimates, ' +
    'and the home site as queue number; other fields become -1.',
  positionals: [
    { name: 'IN', meaning: 'IN: the log to read (IN.swf, IN.swf.gz, -) or a model', isRepeatable: true },
    OUTPUT_FILE_ARGUMENT,
  ],
  options: TRACE_CONVERT_OPTIONS,
  read: makeInputReader(TRACE_CONVERT_OPTIONS),
  examples: [
    ['gridalloc trace convert log.swf.gz first.swf --filter first=1000', 'a piece of a log'],
    ['gridalloc trace convert log.swf sorted.swf.gz --sort', 'sorted by submit time, compressed'],
    ['gridalloc trace convert jan.txt feb.txt all.swf --sort --rebase', 'what sacct printed, as one log'],
    ['gridalloc trace convert jobs.txt jobs.swf.gz --anonymize', 'a log that can be shared'],
    ['gridalloc trace convert log.swf.gz narrow.swf --preset shih2010 --rc 0.5', 'wide jobs cut into pieces'],
  ],
  run: convertLog,
};

async function convertLog(
  commandInput: CommandInput<typeof TRACE_CONVERT_OPTIONS>,
  context: CommandContext,
): Promise<number> {
  const out = commandInput.positionals.at(-1) as string;
  const logFile = joinFileNames(commandInput.positionals.slice(0, -1));
  refuseLogAndJsonOnStdout(out, context);
  await refuseOverwritingLog(logFile, out);
  const settings = { ...commandInput.options, workload: logFile };
  const trace = await loadTraceWithProgress(logFile, settings, context);
  checkMethodsCombine(settings, [{}]);
  const { converted: changedLog, dropped: droppedRecords } = convertTrace(trace, settings);
  const convertedTrace =
    commandInput.values.anonymize !== undefined ? anonymizeTrace(changedLog) : changedLog;
  await context.pause();
  await writeTrace(convertedTrace, out, { output: context.io.stdout });
  await context.pause();
  const readRecordCount = countAllRecordsOfLog(trace);
  const document = { out, read: readRecordCount, written: convertedTrace.count, dropped: droppedRecords };
  if (context.isJson) await context.printJson(document);
  else {
    const dropReasons = droppedRecords
      .filter(({ count: droppedCount }) => droppedCount > 0)
      .map(({ rule, count: droppedCount }) => `${describeDropRule(rule)} ${formatNumber(droppedCount)}`);
    const dropNote = dropReasons.length === 0 ? '' : `; dropped by rule: ${dropReasons.join(', ')}`;
    await context.printMessage(
      `${formatCount(convertedTrace.count, 'record')} of ${formatNumber(readRecordCount)} read are in ${makeOutputDisplayName(out)}${dropNote}`,
    );
  }
  return 0;
}

/** Refuses to overwrite the input log if records would be lost. */
async function refuseOverwritingLog(logFile: string, out: string): Promise<void> {
  if (!existsSync(out) || isModelNotation(logFile)) return;
  const outputPath = realpathSync(out);
  const overwrittenInputFile = (await expandFilePatterns(logFile)).find(
    (file) => existsSync(file) && realpathSync(file) === outputPath,
  );
  if (overwrittenInputFile !== undefined)
    throw new InputError(`${out} is the log itself; give another file to write`);
}

/** Applies options to a log; returns the changed log and the number of records dropped by each rule. */
function convertTrace(trace: Trace, settings: Settings): { converted: Trace; dropped: readonly Dropped[] } {
  if (
    Object.keys(printOptionSettings(settings)).some(
      (optionName) => !RECORD_SELECTION_OPTIONS.includes(optionName),
    )
  ) {
    const capacities = determineRequestedCapacities(settings);
    const traceWithWorkload = makeJobMaker(settings, trace).makeJobs(
      capacities === undefined ? {} : { capacities },
    );
    const { dropped: droppedRecords } = traceWithWorkload.workload.accounting;
    return {
      converted: workloadToTrace(traceWithWorkload.workload, traceWithWorkload.trace),
      dropped: droppedRecords,
    };
  }
  const { model, perturb } = makeReplicationChange(settings, settings.replication);
  const log = model === undefined ? trace : makeModelTrace(model);
  const { trace: keptLog, dropped: droppedRecords } = applyFilters(log, determineRequestedFilters(settings));
  const perturbedTrace = perturb === undefined ? keptLog : perturbTrace(keptLog, perturb);
  return {
    converted: settings.rebase ? shiftTraceToZero(perturbedTrace) : perturbedTrace,
    dropped: droppedRecords,
  };
}

/** Command `gridalloc trace generate`. */
export const traceGenerateCommand: Command<CommandInput<typeof COMMON_COMMAND_OPTIONS>> = {
  description:
    'Writes the jobs of a model as a job log. The same parameters give the same jobs on every machine. The models and ' +
    'their parameters are listed by gridalloc trace models.',
  positionals: [{ name: 'MODEL', meaning: 'a MODEL, such as lublin99[jobs=1000]' }, OUTPUT_FILE_ARGUMENT],
  options: COMMON_COMMAND_OPTIONS,
  read: makeInputReader(COMMON_COMMAND_OPTIONS),
  examples: [
    ["gridalloc trace generate 'lublin99[aarr=9.5,jobs=30000,seed=2]' jobs.swf.gz", 'a compressed log'],
    ['gridalloc trace generate feitelson96 - | head', 'to standard output'],
  ],
  run: generateModelLog,
};

async function generateModelLog(
  commandInput: CommandInput<typeof COMMON_COMMAND_OPTIONS>,
  context: CommandContext,
): Promise<number> {
  const [modelNotation, out] = [firstElement(commandInput.positionals), commandInput.positionals[1]!];
  refuseLogAndJsonOnStdout(out, context);
  const trace = makeModelTrace(modelNotation);
  await writeTrace(trace, out, { output: context.io.stdout });
  await context.pause();
  if (context.isJson) await context.printJson({ out, model: trace.source, written: trace.count });
  else
    await context.printMessage(
      `${formatCount(trace.count, 'job')} of ${trace.source} are in ${makeOutputDisplayName(out)}`,
    );
  return 0;
}

function makeOutputDisplayName(out: string): string {
  return out === '-' ? 'standard output' : makePrintableSourceName(out);
}

function refuseLogAndJsonOnStdout(out: string, { isJson }: CommandContext): void {
  if (out !== '-' || !isJson) return;
  throw new InputError('the log and --json cannot both go to standard output; give a file, or omit --json');
}

/** Command `gridalloc trace models`. */
export const traceModelsCommand: Command<CommandInput<typeof COMMON_COMMAND_OPTIONS>> = {
  description: 'Lists the workload models, their parameters, defaults and ranges.',
  positionals: [],
  options: COMMON_COMMAND_OPTIONS,
  read: makeInputReader(COMMON_COMMAND_OPTIONS),
  examples: [['gridalloc trace models', 'a table']],
  run: listWorkloadModels,
};

async function listWorkloadModels(_: unknown, context: CommandContext): Promise<number> {
  const modelDocuments = MODELS.map(({ name: modelName, description: modelDescription, parameters }) => ({
    name: modelName,
    description: modelDescription,
    parameters,
  }));
  return context.printResult(modelDocuments, () =>
    formatModelList(MODELS, context.colors, context.io.stdout.columns ?? MAX_TERMINAL_LINE_WIDTH),
  );
}

/** Command `gridalloc trace formats`. */
export const traceFormatsCommand: Command<CommandInput<typeof COMMON_COMMAND_OPTIONS>> = {
  description:
    'Lists the log formats. The format is detected from the content; use --format where that fails. Any of them may be compressed with gzip, bzip2, xz or zstd.',
  positionals: [],
  options: COMMON_COMMAND_OPTIONS,
  read: makeInputReader(COMMON_COMMAND_OPTIONS),
  examples: [['gridalloc trace formats', 'a table']],
  run: listLogFormats,
};

async function listLogFormats(_: unknown, context: CommandContext): Promise<number> {
  return context.printResult(
    FORMAT_DESCRIPTIONS.map(({ name: formatName, title: formatTitle, example, tables }) => ({
      name: formatName,
      title: formatTitle,
      example,
      ...(tables && { tables }),
    })),
    () => formatTableOfLogFormats(FORMAT_DESCRIPTIONS, context.colors),
  );
}

/** Command `gridalloc trace presets`. */
export const tracePresetsCommand: Command<CommandInput<typeof COMMON_COMMAND_OPTIONS>> = {
  description:
    'Lists the presets that --preset takes: the records they keep, the homes of jobs, the sizes of sites.',
  positionals: [],
  options: COMMON_COMMAND_OPTIONS,
  read: makeInputReader(COMMON_COMMAND_OPTIONS),
  examples: [['gridalloc trace presets', 'a table']],
  run: listLogPresets,
};

async function listLogPresets(_: unknown, context: CommandContext): Promise<number> {
  const documents = PRESETS.map((preset) => ({ ...preset, filters: preset.filters.map(formatFilter) }));
  return context.printResult(documents, () =>
    formatPresetList(PRESETS, context.colors, context.io.stdout.columns ?? MAX_TERMINAL_LINE_WIDTH),
  );
}
