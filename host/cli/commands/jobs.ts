/** Command `gridalloc jobs`: searches the jobs of a finished simulation or a log. */
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { InputError } from '../../errors.js';
import { expandFilePatterns, joinFileNames } from '../../files/traceFiles.js';
import { formatCsvValue } from '../../format/csv.js';
import { formatCount, formatDuration, formatNumber, formatUtcDate } from '../../format/numbers.js';
import { formatSourceAsShellWord, makePrintableSourceName } from '../../format/text.js';
import { ATTRIBUTE_NAMES, NAMED_ATTRIBUTES, type NamedAttribute } from '../../jobs/attributes.js';
import { firstElement, lastElement } from '../../lists.js';
import { parseWholeNumber } from '../../notation.js';
import { formatLogTime } from '../../reports/decisionReasons.js';
import { COMMON_COMMAND_OPTIONS, pickSimulationOptionDefinitions } from '../../request/commandOptions.js';
import type {
  CommandOptionDefinition,
  CommandOptionTable,
  OptionCombinationRule,
} from '../../request/definitions.js';
import { type CommandInput, makeInputReader } from '../../request/fromArguments.js';
import {
  type JobList,
  type JobSearch,
  makeJobListOfLog,
  readJobListOfFolder,
  searchJobs,
} from '../../results/jobList.js';
import { applyFilters } from '../../trace/filter.js';
import { resolveFieldAlias } from '../../trace/trace.js';
import {
  formatTerminalTable,
  MAX_TERMINAL_LINE_WIDTH,
  makeTerminalColors,
  type TerminalColors,
  wrapText,
} from '../../view/terminal.js';
import { isModelNotation } from '../../workload/models.js';
import type { Command } from '../command.js';
import type { CommandContext } from '../context.js';
import { loadTraceWithProgress } from '../loading.js';

/** Options that select jobs. */
const JOB_SEARCH_OPTIONS = [...NAMED_ATTRIBUTES, 'account'] as const;
type JobSearchOption = (typeof JOB_SEARCH_OPTIONS)[number];

/** Values of the search options. */
type JobSearchValues = Readonly<Partial<Record<JobSearchOption | 'where' | 'sort', string | undefined>>>;

/** Options that select jobs by an attribute. */
export const JOB_OPTIONS = Object.fromEntries(
  JOB_SEARCH_OPTIONS.map((jobSearchOption) => [
    jobSearchOption,
    {
      describe: `only jobs of this ${jobSearchOption}, by name or number; several with commas`,
      default: 'all',
      group: 'Jobs:',
    },
  ]),
) as Readonly<Record<JobSearchOption, CommandOptionDefinition>>;

/** Options for reading a log. Options such as --queue have a different meaning here than in simulations. */
const LOG_READING_OPTIONS = pickSimulationOptionDefinitions(
  'filter',
  'format',
  'skip-bad-lines',
  'arrival',
  'columns',
  'time-zone',
);

/** Rules for combinations of the options that select jobs. */
export const JOB_SELECTION_COMBINATIONS: readonly OptionCombinationRule[] = [
  { of: ['account'], excludes: ['group'], why: 'they are synonyms' },
];

const JOBS_OPTIONS = {
  ...JOB_OPTIONS,
  where: {
    describe:
      "only jobs that meet a condition, such as 'wait > 1d and user == ann'; also or, not, ( ), and quotes around names with blanks",
    default: 'all',
    group: 'Jobs:',
  },
  sort: {
    describe: 'sort by an expression, largest first; for smallest first write a minus: --sort=-submit',
    default: 'wait',
    complete: () => ATTRIBUTE_NAMES,
    group: 'Jobs:',
  },
  top: {
    describe: 'list at most this many jobs',
    read: (optionText: string, errorContext: string) =>
      parseWholeNumber(optionText, errorContext, { atLeast: 1 }),
    default: '20; all with --csv and --json',
    group: 'Jobs:',
  },
  ...LOG_READING_OPTIONS,
  csv: { describe: 'print CSV with every column', isSwitch: true, group: 'Output:' },
  seconds: {
    describe:
      'print submit, start and end in seconds on the clock of the log, as CSV and JSON do, instead of dates',
    isSwitch: true,
    group: 'Output:',
  },
  ...COMMON_COMMAND_OPTIONS,
} satisfies CommandOptionTable;

export const jobsCommand: Command<CommandInput<typeof JOBS_OPTIONS>> = {
  description:
    'Finds jobs in a finished simulation (with simulated times) or in a job log (with recorded times). Conditions and sort ' +
    `keys are expressions like those of --order, over ${ATTRIBUTE_NAMES.join(', ')}; times are seconds, and -1 is unknown. The table shows the submit time, or those of submit, start and end that a condition or sort key names; times are dates if the log has dates.`,
  positionals: [
    {
      name: 'RUN|LOG',
      meaning: 'a RUN, a folder written by simulate --out, or a LOG (FILE.swf, FILE.swf.gz, -)',
      isRepeatable: true,
    },
  ],
  options: JOBS_OPTIONS,
  read: makeInputReader(JOBS_OPTIONS),
  examples: [
    [
      'gridalloc jobs results --user ann',
      'her jobs that waited longest, after gridalloc simulate --out results',
    ],
    ["gridalloc jobs results --where 'wait > 1d and processors > 64' --csv", 'wide jobs that waited a day'],
    ['gridalloc jobs log.swf.gz --sort processors*runtime --top 5', 'the largest jobs of a log'],
  ],
  combinations: JOB_SELECTION_COMBINATIONS,
  run: runJobsCommand,
};

const DEFAULT_JOB_LIMIT = 20;

async function runJobsCommand(
  commandInput: CommandInput<typeof JOBS_OPTIONS>,
  context: CommandContext,
): Promise<number> {
  const search = parseJobSearch(commandInput.values);
  const isFolder = existsSync(join(firstElement(commandInput.positionals), 'jobs.csv'));
  const jobTable = isFolder
    ? await readJobListOfFolder(firstElement(commandInput.positionals))
    : await loadJobsOfLog(commandInput, context);
  const foundJobs = searchJobs(jobTable, search);
  const isMachineReadable = context.isJson || commandInput.values.csv !== undefined;
  const { top } = commandInput.values;
  const shownJobs = foundJobs.slice(0, top ?? (isMachineReadable ? Infinity : DEFAULT_JOB_LIMIT));
  if (context.isJson) {
    const jobsOrigin = isFolder ? 'simulation' : 'log';
    await context.printJson({
      of: jobsOrigin,
      found: foundJobs.length,
      jobs: makeJobListDocument(jobTable, shownJobs),
    });
  } else if (commandInput.values.csv !== undefined) await context.print(makeJobListCsv(jobTable, shownJobs));
  else
    await context.print(
      makeJobTable(jobTable, { found: foundJobs, shown: shownJobs, search, isFolder }, commandInput, context),
    );
  return 0;
}

/** Parses the search options. */
export function parseJobSearch(optionValues: JobSearchValues): JobSearch {
  const requestedSearchOptions = JOB_SEARCH_OPTIONS.filter(
    (jobSearchOption) => optionValues[jobSearchOption] !== undefined,
  );
  const acceptedLabels = Object.fromEntries(
    requestedSearchOptions.map((column) => [
      resolveFieldAlias(column),
      (optionValues[column] as string).split(',').map((label) => label.trim()),
    ]),
  );
  return { labels: acceptedLabels, where: optionValues.where, sort: optionValues.sort ?? 'wait' };
}

async function loadJobsOfLog(
  commandInput: CommandInput<typeof JOBS_OPTIONS>,
  context: CommandContext,
): Promise<JobList> {
  const logFile = joinFileNames(commandInput.positionals);
  if (!isModelNotation(logFile)) (await expandFilePatterns(logFile)).forEach(checkFileExists);
  // Their order in the log does not matter.
  const settings = { ...commandInput.options, sort: true };
  const trace = await loadTraceWithProgress(logFile, settings, context);
  return makeJobListOfLog(applyFilters(trace, settings.filter ?? []).trace);
}

/**
 * @throws InputError for a path that is neither a log nor the results of a simulation.
 */
function checkFileExists(path: string): void {
  if (path === '-') return;
  if (!existsSync(path))
    throw new InputError(
      `${makePrintableSourceName(path)} does not exist; check the path of the job log, or of the folder written by simulate --out`,
    );
  if (statSync(path).isDirectory())
    throw new InputError(
      `${makePrintableSourceName(path)} is a folder without jobs.csv; give a folder written by simulate --out, or a job log`,
    );
}

/** Headings of the columns used in a search; the table shows these first. */
function findColumnsInSearch(
  { labels, where = '', sort }: JobSearch,
  commandInput: CommandInput<typeof JOBS_OPTIONS>,
): Partial<Record<NamedAttribute, string>> {
  const wordsOfExpressions = new Set(`${where} ${sort}`.match(/[a-z]\w*/gi));
  const isAccountSearch =
    commandInput.values.account !== undefined ||
    (wordsOfExpressions.has('account') && !wordsOfExpressions.has('group'));
  const namedFields = NAMED_ATTRIBUTES.filter(
    (column) =>
      labels[column] !== undefined ||
      wordsOfExpressions.has(column) ||
      (column === 'group' && isAccountSearch),
  );
  return Object.fromEntries(
    namedFields.map((column) => [column, column === 'group' && isAccountSearch ? 'account' : column]),
  );
}

const JOB_TIME_NAMES = ['submit', 'start', 'end'] as const;
type JobTimeName = (typeof JOB_TIME_NAMES)[number];

/** Times used in a search; default: the submit time. */
function findTimesInSearch({ where = '', sort }: JobSearch): readonly JobTimeName[] {
  const wordsOfExpressions = new Set(`${where} ${sort}`.match(/[a-z]\w*/gi));
  const timesInExpressions = JOB_TIME_NAMES.filter((timeField) => wordsOfExpressions.has(timeField));
  return timesInExpressions.length > 0 ? timesInExpressions : ['submit'];
}

/** Format of times. */
interface JobTimeFormat {
  readonly write: (time: number) => string;
  readonly unit: string;
  /** Note for readers about the clock; may be empty. */
  readonly note: string;
}

function makeJobTimeFormat(
  { unixStartTime }: JobList,
  commandInput: CommandInput<typeof JOBS_OPTIONS>,
): JobTimeFormat {
  if (unixStartTime !== undefined && commandInput.values.seconds === undefined)
    return { write: (time) => formatUtcDate(unixStartTime + time), unit: 'UTC', note: '' };
  const missingDateNote =
    unixStartTime === undefined ? '; the log has no start date, so times are seconds' : '';
  return { write: formatLogTime, unit: 's', note: missingDateNote };
}

/** Columns of a search result that are always shown, with their headings, and the format of times. */
interface JobTableColumns {
  readonly labels: Readonly<Partial<Record<NamedAttribute, string>>>;
  readonly times: readonly JobTimeName[];
  readonly clock: JobTimeFormat;
}

interface JobSearchResult {
  readonly found: readonly number[];
  readonly shown: readonly number[];
  readonly search: JobSearch;
  readonly isFolder: boolean;
}

function makeJobTable(
  jobList: JobList,
  { found, shown, search, isFolder }: JobSearchResult,
  commandInput: CommandInput<typeof JOBS_OPTIONS>,
  context: CommandContext,
) {
  const width = context.io.stdout.columns ?? 80;
  const totalPhrase = formatCount(jobList.names.length, 'job');
  const countPhrase =
    found.length === jobList.names.length ? totalPhrase : `${formatNumber(found.length)} of ${totalPhrase}`;
  const limitPhrase = shown.length < found.length ? `the first ${formatNumber(shown.length)} of ` : '';
  const timeFormat = makeJobTimeFormat(jobList, commandInput);
  const timeDescription = isFolder ? 'times as simulated' : 'times as the log records them';
  const summaryLine = wrapText(
    `${limitPhrase}${countPhrase} by ${search.sort}, largest first; ${timeDescription}${timeFormat.note}`,
    width,
  );
  if (shown.length === 0) return summaryLine;
  const explainHint = isFolder
    ? `\n\nwhy: gridalloc explain ${formatSourceAsShellWord(firstElement(commandInput.positionals))} --job ${formatSourceAsShellWord(jobList.names[firstElement(shown)]!)}`
    : '';
  return `${context.colors.dim(summaryLine)}\n\n${formatJobList(jobList, shown, { labels: findColumnsInSearch(search, commandInput), times: findTimesInSearch(search), clock: timeFormat }, context.colors)}${explainHint}`;
}

// Jobs of a list for people, spreadsheets and programs

/** Attributes known for any of the jobs; a queue with the same names as the partition is omitted. */
function findAttributesPresentInJobs(
  { labelOf: listLabel }: JobList,
  jobs: readonly number[],
): NamedAttribute[] {
  const hasKnownValues = (column: NamedAttribute) =>
    column === 'queue'
      ? jobs.some((job) => listLabel(column, job) !== listLabel('partition', job))
      : jobs.some((job) => listLabel(column, job) !== '');
  return NAMED_ATTRIBUTES.filter(hasKnownValues);
}

/** Maximum number of characters of a name in the table. */
const MAX_TABLE_NAME_LENGTH = 12;
const MIN_TABLE_NAME_LENGTH = 8;

/** Formats jobs as a table with as many columns as fit into a terminal line. */
function formatJobList(
  jobList: JobList,
  jobs: readonly number[],
  columns: JobTableColumns,
  colors: TerminalColors,
): string {
  const requestedHeadings = columns.labels;
  // More than two do not fit beside the numbers.
  const requestedAttributes = NAMED_ATTRIBUTES.filter((column) => Object.hasOwn(requestedHeadings, column));
  const shownAttributes = [
    ...new Set([...requestedAttributes, ...findAttributesPresentInJobs(jobList, jobs)]),
  ].slice(0, Math.max(2, requestedAttributes.length));
  const layouts: FittingJobColumns[] = [];
  const measureChoices = [
    JOB_MEASURE_COLUMNS,
    JOB_MEASURE_COLUMNS.filter((jobMeasureColumn) => jobMeasureColumn !== 'slowdown'),
  ];
  for (
    let attributeCount = shownAttributes.length;
    attributeCount >= requestedAttributes.length;
    attributeCount--
  )
    for (const measures of measureChoices)
      layouts.push({
        labels: shownAttributes.slice(0, attributeCount),
        maxNameLength: MAX_TABLE_NAME_LENGTH,
        numbers: measures,
      });
  for (const measures of [lastElement(measureChoices), ['runtime'], []] as const)
    layouts.push({
      labels: shownAttributes.slice(0, requestedAttributes.length),
      maxNameLength: MIN_TABLE_NAME_LENGTH,
      numbers: measures,
    });
  const uncoloredStyles = makeTerminalColors(false);
  const doesLayoutFitWidth = (layout: FittingJobColumns) =>
    formatJobTable(jobList, jobs, layout, columns, uncoloredStyles)
      .split('\n')
      .every((line) => line.length <= MAX_TERMINAL_LINE_WIDTH);
  return formatJobTable(
    jobList,
    jobs,
    layouts.find(doesLayoutFitWidth) ?? lastElement(layouts),
    columns,
    colors,
  );
}

/** Attributes of a job other than times of day. */
const JOB_MEASURE_COLUMNS = ['wait', 'runtime', 'slowdown'] as const;

/** Columns of a table that may fit into a line. */
interface FittingJobColumns {
  readonly labels: readonly NamedAttribute[];
  readonly maxNameLength: number;
  readonly numbers: readonly (typeof JOB_MEASURE_COLUMNS)[number][];
}

function formatJobTable(
  jobList: JobList,
  jobs: readonly number[],
  { labels, maxNameLength, numbers }: FittingJobColumns,
  { labels: requested, times, clock }: JobTableColumns,
  colors: TerminalColors,
): string {
  const { wait, runtime, processors, boundedSlowdown } = jobList.columns;
  const formatSeconds = (seconds: number) => (seconds < 0 ? '-' : formatDuration(seconds));
  const measureFormatters = {
    wait: (job: number) => formatSeconds(wait[job]!),
    runtime: (job: number) => formatSeconds(runtime[job]!),
    slowdown: (job: number) => (boundedSlowdown[job]! < 0 ? '-' : formatNumber(boundedSlowdown[job]!, 1)),
  };
  const formatJobTime = (timeField: JobTimeName, job: number) => {
    const seconds = jobList.columns[timeField][job]!;
    // Only submissions may be before the beginning of the clock.
    return timeField === 'submit' || seconds >= 0 ? clock.write(seconds) : '-';
  };
  const rows = jobs.map((job) => [
    jobList.names[job]!,
    ...labels.map((column) => jobList.labelOf(column, job).slice(0, maxNameLength)),
    formatNumber(processors[job]!),
    ...times.map((timeField) => formatJobTime(timeField, job)),
    ...numbers.map((measure) => measureFormatters[measure](job)),
  ]);
  const headings = ['job', ...labels.map((column) => requested[column] ?? column)].map((heading) => ({
    heading,
    align: 'left' as const,
  }));
  const numericHeadings = [
    'processors',
    ...times.map((timeField) => `${timeField} [${clock.unit}]`),
    ...numbers,
  ];
  return formatTerminalTable([...headings, ...numericHeadings.map((heading) => ({ heading }))], rows, colors);
}

/** Lines of a CSV file with all columns, using names where available. */
function makeJobListCsv(jobList: JobList, jobs: readonly number[]): string {
  const columns = ATTRIBUTE_NAMES.filter(
    (attributeName) => !NAMED_ATTRIBUTES.includes(attributeName as NamedAttribute),
  );
  const lines = jobs.map((job) => [
    formatCsvValue(jobList.names[job]!),
    ...NAMED_ATTRIBUTES.map((column) => formatCsvValue(jobList.labelOf(column, job))),
    ...columns.map((column) => jobList.columns[column][job]),
  ]);
  return [['job', ...NAMED_ATTRIBUTES, ...columns], ...lines].map((fields) => fields.join(',')).join('\n');
}

/** Formats the jobs as a JSON document, without unknown values. */
function makeJobListDocument(jobList: JobList, jobs: readonly number[]): object[] {
  return jobs.map((job) => {
    const numericAttributes = ATTRIBUTE_NAMES.filter(
      (attributeName) => !NAMED_ATTRIBUTES.includes(attributeName as NamedAttribute),
    ).map((attributeName) => [attributeName, jobList.columns[attributeName][job]] as const);
    const attributeLabels = NAMED_ATTRIBUTES.map((column) => [column, jobList.labelOf(column, job)] as const);
    const knownAttributeEntries = [...attributeLabels, ...numericAttributes].filter(
      ([, value]) => value !== '' && value !== -1,
    );
    return { job: jobList.names[job], ...Object.fromEntries(knownAttributeEntries) };
  });
}
