/** Options that determine the jobs of a simulation, and options that determine its grid. */
import { InputError } from '../errors.js';
import { type Grid, parseCapacities, parseMachineSites, printMachineSites } from '../grid/grid.js';
import { makeUnknownNameError, parseNumber } from '../notation.js';
import { type Filter, formatFilter, parseFilter } from '../trace/filter.js';
import { FORMAT_NAMES } from '../trace/formats.js';
import { ARRIVALS } from '../trace/records.js';
import { checkColumnsOption } from '../trace/tableColumns.js';
import { checkTimeZone } from '../trace/tableTimes.js';
import { CANCELLED_RULES } from '../workload/cancellations.js';
import { type DataSizeDistribution, parseDataSizes, printDataSizes } from '../workload/dataSizes.js';
import { type Estimates, parseEstimates, printEstimates } from '../workload/estimates.js';
import { HOME_RULES, KILL_RULES, OVERSIZE_RULES, WORKLOAD_OPTION_DEFAULTS } from '../workload/make.js';
import { type Perturbation, parsePerturbation, printPerturbation } from '../workload/perturb.js';
import { findPreset, PRESETS, type Preset } from '../workload/presets.js';
import { parseSessionsNotation } from '../workload/sessions.js';
import { DEFAULT_CLASS_LIMITS } from '../workload/workload.js';
import {
  defineCustomOption,
  defineFlagOption,
  defineNumberOption,
  defineNumbersOption,
  defineTextOption,
  defineTimeOption,
  defineWordOption,
} from './kinds.js';

const POSITIVE_NUMBER_RANGE = { above: 0 };

/** Maximum number of replications of one simulation. */
export const MAX_REPLICATION_COUNT = 100_000;

/** Options that determine the jobs: their source, and the arguments of `makeWorkload` except sites. */
export const JOB_OPTIONS = {
  /** Workload: a log, or a model with parameters. */
  workload: defineTextOption({ heading: 'Workload', help: 'a job log, or a model with parameters' }),
  preset: defineCustomOption<Preset>({
    heading: 'Workload',
    help: 'filters, home sites and sites of a paper, for the San Diego SP2 log (see gridalloc trace presets)',
    otherwise: 'none',
    choices: PRESETS.map(({ name: presetName }) => presetName),
    read: findPreset,
    print: ({ name: presetName }) => presetName,
  }),
  filter: defineCustomOption<readonly Filter[]>({
    heading: 'Workload',
    help: 'keep only these records: status=1, queue=1-5, user=7, first=1000, time=0-86400 or time=2026-03-05..2026-03-08 (UTC), flurry=21:13717-16207',
    isRepeatable: true,
    read: (rules) => rules.split(';').map(parseFilter),
    print: (filters) => filters.map(formatFilter).join(';'),
  }),
  format: defineWordOption({
    heading: 'Workload',
    help: 'the format of the log (see gridalloc trace formats)',
    words: FORMAT_NAMES,
    otherwise: 'detected from the content',
  }),
  sort: defineFlagOption({
    heading: 'Workload',
    help: 'sort records by submit time instead of refusing a log out of order',
  }),
  skipBadLines: defineFlagOption({
    heading: 'Workload',
    help: 'skip records that cannot be read, and report them, instead of refusing the log',
  }),
  arrival: defineWordOption({
    heading: 'Workload',
    help: 'when jobs of accounting records arrive: when they became eligible to start, or at their submit',
    words: ARRIVALS,
    default: 'eligible',
  }),
  columns: defineCustomOption<string>({
    heading: 'Workload',
    help: 'assigns columns of a table (CSV, TSV, Parquet) to fields of jobs, such as submit=queued,runtime=duration*60,processors=cores,user=owner',
    otherwise: 'as in the tables that gridalloc trace formats lists',
    read: checkColumnsOption,
    check: (optionInput, errorContext) => checkColumnsOption(String(optionInput), errorContext),
  }),
  timeZone: defineCustomOption<string>({
    heading: 'Workload',
    help: 'time zone of dates that name none, in tables and sacct: Europe/Berlin or +01:00',
    otherwise: 'UTC',
    read: checkTimeZone,
    check: (optionInput, errorContext) => checkTimeZone(String(optionInput), errorContext),
  }),
  noLimit: defineCustomOption<number, number | string>({
    heading: 'Workload',
    help: 'requested time of jobs without a time limit, such as 365d or 7d',
    otherwise: '365d in accounting records and tables, else the runtime',
    form: 'number',
    read: (optionText, errorContext) =>
      parseNumber(optionText, errorContext, { ...POSITIVE_NUMBER_RANGE, isTime: true }),
    check: (optionInput, errorContext) =>
      parseNumber(String(optionInput), errorContext, { ...POSITIVE_NUMBER_RANGE, isTime: true }),
  }),
  rebase: defineFlagOption({
    heading: 'Workload',
    help: 'shift the clock so that the first job kept is submitted at time 0',
  }),
  perturb: defineCustomOption<RequestedPerturbation>({
    heading: 'Replications',
    help:
      'change the jobs at random: shake[submit=30,runtime=0,seed=1] moves submit times by at most 30 s, ' +
      'resample[by=user,block=604800,seed=1] recombines the weeks of users; speeds: also draw new speeds',
    otherwise: 'unchanged; with --replication, a model gets another seed and a log is shaken',
    isRepeatable: true,
    read: parsePerturbOption,
    print: printPerturbOption,
  }),
  replication: defineNumberOption({
    heading: 'Replications',
    help: 'which replication to simulate, from 1: replication n adds n - 1 to every seed',
    range: { atLeast: 1 },
    isWhole: true,
    otherwise: '1 with --perturb, else none',
  }),
  home: defineWordOption({
    heading: 'Workload',
    help: 'which field names the home site of a job',
    words: HOME_RULES,
    otherwise: 'queue if the log has queues, else none',
  }),
  rc: defineNumberOption({
    heading: 'Workload',
    help: 'largest job size as a share of the largest site, such as 0.75; larger jobs are cut',
    range: { above: 0, atMost: 1 },
    otherwise: 'not cut',
  }),
  maxWidth: defineNumberOption({
    heading: 'Workload',
    help: 'cut jobs larger than this many processors',
    range: { atLeast: 1 },
    isWhole: true,
    otherwise: 'not cut',
  }),
  oversize: defineWordOption({
    heading: 'Workload',
    help: 'jobs larger than every site they may use: refuse the workload, drop them, or split them into pieces',
    words: OVERSIZE_RULES,
    default: WORKLOAD_OPTION_DEFAULTS.oversize,
  }),
  arrivalScale: defineNumberOption({
    heading: 'Workload',
    help: 'multiplies the times between submissions; values below 1 make jobs arrive faster',
    range: POSITIVE_NUMBER_RANGE,
    default: WORKLOAD_OPTION_DEFAULTS.arrivalScale,
    otherwise: '1',
  }),
  shortRuntime: defineTimeOption({
    heading: 'Measured jobs',
    help: 'jobs up to this runtime are short in --by class',
    range: POSITIVE_NUMBER_RANGE,
    default: DEFAULT_CLASS_LIMITS.shortRuntime,
    otherwise: '1h',
  }),
  narrowWidth: defineNumberOption({
    heading: 'Measured jobs',
    help: 'jobs up to this many processors are narrow in --by class',
    range: { atLeast: 1 },
    isWhole: true,
    default: DEFAULT_CLASS_LIMITS.narrowWidth,
  }),
  offeredLoad: defineNumberOption({
    heading: 'Workload',
    help:
      'scale submit times to this offered load, such as 0.7: the work of the jobs as a share of what the grid can do ' +
      'from the first submit to the last',
    range: POSITIVE_NUMBER_RANGE,
    otherwise: 'as in the log',
  }),
  loadMachine: defineCustomOption<Grid>({
    heading: 'Workload',
    help:
      'machine to which --offered-load refers: processors of each site, or processors x speed, such as 640 or 64x1.5,128; ' +
      'submit times then do not depend on the simulated sites',
    otherwise: 'the simulated sites; in compare, the sites of the first method',
    read: parseMachineSites,
    print: printMachineSites,
  }),
  runtimeScale: defineNumberOption({
    heading: 'Workload',
    help: 'factor on runtimes and estimates',
    range: POSITIVE_NUMBER_RANGE,
    default: WORKLOAD_OPTION_DEFAULTS.runtimeScale,
    otherwise: '1',
  }),
  estimates: defineCustomOption<Estimates>({
    heading: 'Workload',
    help:
      'runtime estimates: requested times of the log (trace), the runtimes (exact), runtimes with errors: ' +
      'uniform:0.2 or normal:0.2, with a seed as in uniform:0.2:7; or the mean of the last runtimes of the same user, ' +
      'recent[n=2], or recent[n=2,refresh=yes] as long as a job waits; none, if nothing uses them; or a file with a function of the job',
    default: { source: 'trace' },
    // A study's `none` is one of the sources.
    choices: ['trace', 'exact', 'none'],
    isOpen: true,
    read: parseEstimates,
    print: printEstimates,
  }),
  kill: defineWordOption({
    heading: 'Workload',
    help: 'end jobs at their requested time, as real machines do',
    words: KILL_RULES,
    otherwise: 'jobs run as long as in the log',
  }),
  cancelled: defineWordOption({
    heading: 'Workload',
    help: 'records cancelled before they started: drop them, or keep them as jobs that are cancelled again, waiting or running, after the same time from their submission',
    words: CANCELLED_RULES,
    default: WORKLOAD_OPTION_DEFAULTS.cancelled,
  }),
  dependencies: defineCustomOption<string, string | boolean>({
    heading: 'Workload',
    help:
      'submit a job only after its preceding job has ended and its think time has passed: that of the log (fields 17 ' +
      "and 18), or with sessions[pause=1200] the user's job that ended last, at most 1200 s before",
    default: 'none',
    choices: ['none', 'log', 'sessions'],
    isOpen: true,
    // Documents of earlier versions say true or false.
    form: 'word or switch',
    bare: { text: 'log', takes: (optionWord) => /^(none|log|sessions|true|false)\b/.test(optionWord) },
    read: parseDependencyNotation,
    check: (optionInput, errorContext) => parseDependencyNotation(String(optionInput), errorContext),
  }),
  dataSize: defineCustomOption<DataSizeDistribution>({
    heading: 'Workload',
    help: 'input data per job in bytes: a number, uniform[from=0,to=1e9,seed=1] or exponential[mean=1e9,seed=1]',
    otherwise: '0',
    read: parseDataSizes,
    print: printDataSizes,
  }),
};

/**
 * Parses the source of job dependencies: `none`, `log` or `sessions[pause=1200]`; true means `log`, false
 * `none`.
 */
function parseDependencyNotation(dependencyText: string, errorContext: string): string {
  if (dependencyText.startsWith('sessions'))
    return `sessions[pause=${parseSessionsNotation(dependencyText, errorContext)}]`;
  const optionWord = { true: 'log', false: 'none' }[dependencyText] ?? dependencyText;
  if (optionWord === 'log' || optionWord === 'none') return optionWord;
  throw makeUnknownNameError(`value of ${errorContext}`, dependencyText, [
    'none',
    'log',
    'sessions[pause=1200]',
  ]);
}

/** Options that determine the grid. */
export const GRID_OPTIONS = {
  sites: defineCustomOption<readonly number[]>({
    heading: 'Grid',
    help: 'processors of each site, such as 8,128,128,128,50',
    otherwise: 'the sites of the preset, or one site of the size given in the log',
    form: 'numbers',
    read: parseCapacities,
  }),
  /** Speeds: a list, or `draw[...]`, which depends on the sites. */
  speeds: defineTextOption({
    heading: 'Grid',
    help: 'speed of each site (1: the machine of the log), or draw[sh=0.12,seed=1] for random ones',
    otherwise: 'all 1',
  }),
  heterogeneity: defineNumbersOption({
    heading: 'Grid',
    help: 'time factor of each site, 1 / speed, instead of --speeds',
    range: POSITIVE_NUMBER_RANGE,
  }),
};

/** Perturbation that replications apply. */
export interface RequestedPerturbation {
  /** Perturbation of the jobs. Undefined: default, which is a new seed for a model, and `shake` for a log. */
  readonly jobs?: Perturbation;
  /** True if each replication also draws new speeds. */
  readonly speeds: boolean;
}

const PERTURBED_SPEEDS_WORD = 'speeds';

/**
 * Parses a perturbation of the jobs, `speeds`, or both separated by a semicolon.
 * @throws InputError for an unknown perturbation, or two perturbations of the jobs.
 */
function parsePerturbOption(perturbationText: string, errorContext: string): RequestedPerturbation {
  const perturbationParts = perturbationText.split(';').map((part) => part.trim());
  const [jobPerturbation, second] = perturbationParts
    .filter((part) => part !== PERTURBED_SPEEDS_WORD)
    .map(parsePerturbation);
  if (second !== undefined) {
    throw new InputError(
      `${errorContext}: the jobs are changed in one way, found ${jobPerturbation?.kind} and ${second.kind}; give one of them`,
    );
  }
  return {
    ...(jobPerturbation === undefined ? {} : { jobs: jobPerturbation }),
    speeds: perturbationParts.includes(PERTURBED_SPEEDS_WORD),
  };
}

/** Formats a perturbation as text that `parsePerturbOption` can read. */
export function printPerturbOption({ jobs, speeds }: RequestedPerturbation): string {
  return [
    ...(jobs === undefined ? [] : [printPerturbation(jobs)]),
    ...(speeds ? [PERTURBED_SPEEDS_WORD] : []),
  ].join(';');
}
