/**
 * The option --scheduler: a name or configuration file of a real scheduler, converted to simulation options.
 */
import { InputError } from '../errors.js';
import { joinWithAnd } from '../format/numbers.js';
import { makeUnknownNameError, parseNotation, parseNumberOrNaN } from '../notation.js';
import type { OptionStrings } from '../options/options.js';
import { removeEndDelay } from '../options/passOptions.js';
import type { CommandOptionDefinition } from '../request/definitions.js';
import type { CommandContext } from './context.js';
import { parseSlurmFile, suggestSlurmName } from './slurmFile.js';
import { makeOptionsOfSlurmPriorities } from './slurmPriority.js';

/** Definition of --scheduler. */
export const SCHEDULER_OPTION: CommandOptionDefinition = {
  describe:
    "rules of a real scheduler: slurm, slurm[bf_interval=60,...] with the parameters of Slurm's SchedulerParameters, or a slurm.conf; other options given beside it come first",
  default: 'none',
  isAbsent: (value) => value === 'none',
  group: 'Passes:',
};

/**
 * Delays of Slurm's main pass. The main loop sleeps for a second between passes, and a job it started ends
 * just after a pass if it runs for whole seconds and the machine is busy. If backfill passes also occur every
 * second, the next pass of either kind comes sooner.
 */
const SLURM_MAIN_PASS_DELAYS = 'submit=1+end=0.8';

/** Simulated parameters of Slurm, with their defaults and the equivalent options. */
const SLURM_PARAMETER_OPTIONS: Readonly<
  Record<
    string,
    {
      readonly defaultText: string;
      readonly unit: 'seconds' | 'minutes' | 'jobs' | 'entries';
      readonly makeOptions: (value: number) => Readonly<Record<string, string>>;
    }
  >
> = {
  bf_interval: {
    defaultText: '30',
    unit: 'seconds',
    makeOptions: (seconds): Readonly<Record<string, string>> => ({
      'backfill-interval': `${seconds}`,
      ...(seconds > 1 && { 'pass-delay': SLURM_MAIN_PASS_DELAYS }),
    }),
  },
  bf_resolution: {
    defaultText: '60',
    unit: 'seconds',
    makeOptions: (seconds) => ({ 'backfill-resolution': `${seconds}` }),
  },
  bf_window: {
    defaultText: '1440',
    unit: 'minutes',
    makeOptions: (minutes) => ({ 'backfill-window': `${60 * minutes}` }),
  },
  bf_max_job_test: {
    defaultText: '500',
    unit: 'jobs',
    makeOptions: (maxJobs) => ({ 'backfill-jobs': `${maxJobs}` }),
  },
  bf_node_space_size: {
    defaultText: '',
    unit: 'entries',
    makeOptions: (segments) => ({ 'backfill-segments': `${segments}` }),
  },
  batch_sched_delay: {
    defaultText: '3',
    unit: 'seconds',
    makeOptions: (seconds): Readonly<Record<string, string>> =>
      seconds === 0 ? {} : { 'pass-gap': `${seconds}` },
  },
};

/** Options common to all Slurm configurations with backfilling. */
const SLURM_BACKFILL_OPTIONS = {
  discipline: 'conservative',
  'plan-by': 'node',
  'end-window': '30',
  'backfill-overlap': 'closed',
  // From the end of a job to the end of its epilogue, as measured.
  'release-delay': '0.2',
};

/** Keys of slurm.conf that affect start times but are not simulated. */
const UNSIMULATED_SLURM_SETTINGS = ['PreemptType', 'OverTimeLimit', 'SchedulerTimeSlice'];

/** Options equivalent to a value of --scheduler. */
interface SchedulerSettings {
  readonly options: Readonly<Record<string, string>>;
  /** Given parameters that are not simulated. */
  readonly ignored: readonly string[];
  /** Messages about the configuration for the user, such as parameters that are probably misspelt. */
  readonly notes: readonly string[];
}

/**
 * Converts a value of --scheduler to options as texts by name; prints the parameters that are not simulated.
 * @throws InputError for an unknown scheduler or parameter, and a file that cannot be read.
 */
export async function loadOptionsOfScheduler(
  schedulerText: string,
  context: CommandContext,
): Promise<OptionStrings> {
  const { options, ignored, notes } = /^slurm(\[[^[\]]*\]?)?$/.test(schedulerText)
    ? parseNamedScheduler(schedulerText)
    : parseSchedulerFile(schedulerText);
  if (ignored.length > 0)
    await context.printMessage(`${schedulerText}: not simulated: ${joinWithAnd(ignored)}`);
  for (const note of notes) await context.printMessage(`${schedulerText}: ${note}`);
  return options;
}

/**
 * Adds to the message of an InputError which of the options that it names were set by --scheduler; other errors
 * are returned unchanged.
 * @param addedOptions names of the options that the user did not give.
 */
export function explainOptionsOfScheduler(
  error: unknown,
  schedulerText: string | undefined,
  addedOptions: readonly string[],
): unknown {
  if (!(error instanceof InputError) || schedulerText === undefined) return error;
  const namedOptions = new Set(error.message.match(/--[a-z][a-z-]*/g));
  const options = addedOptions.map((name) => `--${name}`).filter((option) => namedOptions.has(option));
  if (options.length === 0) return error;
  error.message += ` (${joinWithAnd(options)} ${options.length === 1 ? 'is' : 'are'} set by --scheduler ${schedulerText})`;
  return error;
}

function parseNamedScheduler(schedulerText: string): SchedulerSettings {
  const parameters = new Map<string, string>();
  for (const [parameterName, parameterText] of parseNotation(schedulerText).parameters) {
    const name = parameterName.toLowerCase();
    if (!Object.hasOwn(SLURM_PARAMETER_OPTIONS, name))
      throw makeUnknownNameError('parameter of slurm', parameterName, Object.keys(SLURM_PARAMETER_OPTIONS));
    if (parameters.has(name))
      throw new InputError(
        `--scheduler: parameter '${name}' is given twice; Slurm ignores the case of letters`,
      );
    parameters.set(name, parameterText);
  }
  return { options: makeOptionsOfSlurmParameters(parameters), ignored: [], notes: [] };
}

function makeOptionsOfSlurmParameters(
  parameters: ReadonlyMap<string, string>,
  optionLocation = '--scheduler',
): Readonly<Record<string, string>> {
  // By default the table of segments has as many entries as a pass tests jobs.
  const maxTestedJobsText =
    parameters.get('bf_max_job_test') ?? SLURM_PARAMETER_OPTIONS.bf_max_job_test!.defaultText;
  const optionsByParameter = Object.entries(SLURM_PARAMETER_OPTIONS).map(
    ([name, { defaultText, makeOptions }]) => {
      const parameterText = parameters.get(name) ?? (defaultText === '' ? maxTestedJobsText : defaultText);
      return makeOptions(parseSlurmParameter(name, parameterText, optionLocation));
    },
  );
  return Object.assign({}, SLURM_BACKFILL_OPTIONS, ...optionsByParameter) as Record<string, string>;
}

/** Parses the number of a parameter of Slurm; errors name its unit. */
function parseSlurmParameter(name: string, parameterText: string, optionLocation: string): number {
  const { unit } = SLURM_PARAMETER_OPTIONS[name]!;
  const numberInUnit = parseNumberOrNaN(parameterText.trim());
  if (Number.isFinite(numberInUnit) && numberInUnit >= 0) return numberInUnit;
  throw new InputError(
    `${optionLocation}, ${name}: expected a number of ${unit} from 0 on, found '${parameterText}'`,
  );
}

/**
 * Texts of the parameters in the value of SchedulerParameters, by name. Of a parameter that is given more than
 * once Slurm takes the first (observed with 22.05.8); a remark says so.
 */
function parseSchedulerParameters(valueText: string): {
  readonly parameters: ReadonlyMap<string, string>;
  readonly remarks: readonly string[];
} {
  const parameters = new Map<string, string>();
  const firstNames = new Map<string, string>();
  const repeatedNames = new Set<string>();
  for (const part of valueText.split(',').filter((each) => each !== '')) {
    const name = part.replace(/=.*/, '');
    const firstName = firstNames.get(name.toLowerCase());
    if (firstName === undefined) {
      firstNames.set(name.toLowerCase(), name);
      parameters.set(name, part.replace(/^[^=]*=?/, ''));
    } else repeatedNames.add(firstName);
  }
  return {
    parameters,
    remarks: [...repeatedNames].map((name) => {
      const firstText = parameters.get(name)!;
      return `SchedulerParameters has ${name} more than once; as in Slurm, the first counts${firstText === '' ? '' : `: ${firstText}`}.`;
    }),
  };
}

/** Options equivalent to a slurm.conf. */
function parseSchedulerFile(path: string): SchedulerSettings {
  const configuration = parseSlurmFile(path);
  const { entries: configurationEntries, partitionLines, nodeLines } = configuration;
  const partitionNames = partitionLines.map((partitionLine) => /=\s*([^#\s]*)/.exec(partitionLine)![1]!);
  const isBuiltInScheduler = configurationEntries.get('schedulertype') === 'sched/builtin';
  const { parameters, remarks: parameterRemarks } = parseSchedulerParameters(
    configurationEntries.get('schedulerparameters') ?? '',
  );
  // Slurm ignores the case of letters in these names.
  const parameterTextsByName = new Map(
    [...parameters]
      .map(([name, parameterText]) => [name.toLowerCase(), parameterText] as const)
      .filter(([name]) => Object.hasOwn(SLURM_PARAMETER_OPTIONS, name)),
  );
  const unsimulatedKeys = UNSIMULATED_SLURM_SETTINGS.filter((unsimulatedSlurmSetting) => {
    const entryText = configurationEntries.get(unsimulatedSlurmSetting.toLowerCase());
    return entryText !== undefined && !/^(preempt\/none|0)$/i.test(entryText);
  });
  const otherParameters = [...parameters.keys()].filter(
    (parameterName) => !Object.hasOwn(SLURM_PARAMETER_OPTIONS, parameterName.toLowerCase()),
  );
  const ignoredPartitions = partitionNames.length > 1 ? [`partitions (${partitionNames.join(', ')})`] : [];
  const backfillOptions = makeOptionsOfSlurmParameters(parameterTextsByName, `${path}, SchedulerParameters`);
  const { 'pass-gap': gap } = backfillOptions;
  const hasEpilog = (configurationEntries.get('epilog') ?? '') !== '';
  const options = isBuiltInScheduler
    ? {
        discipline: 'fcfs',
        'pass-delay': SLURM_MAIN_PASS_DELAYS,
        ...(gap !== undefined && { 'pass-gap': gap }),
      }
    : backfillOptions;
  const [size = 1, ...otherSizes] = new Set(nodeLines.map(parseNodeProcessors));
  const nodeSizeOptions =
    size === 1 || otherSizes.length > 0 || isBuiltInScheduler ? {} : { 'processors-per-node': `${size}` };
  const ignoredNodeSizes = otherSizes.length > 0 ? ['nodes of different sizes'] : [];
  const priorityOptions = makeOptionsOfSlurmPriorities(configuration);
  return {
    options: {
      ...(hasEpilog ? adaptOptionsToSlurmEpilog(options) : options),
      ...nodeSizeOptions,
      ...priorityOptions.options,
    },
    ignored: [
      ...otherParameters,
      ...unsimulatedKeys,
      ...priorityOptions.ignored,
      ...ignoredPartitions,
      ...ignoredNodeSizes,
    ],
    notes: [
      ...configuration.remarks,
      ...parameterRemarks,
      ...remarkOnMisspeltParameters(otherParameters),
      ...priorityOptions.notes,
    ],
  };
}

/** Sentences about parameters that are misspellings of simulated ones. */
function remarkOnMisspeltParameters(parameterNames: readonly string[]): string[] {
  return parameterNames.flatMap((parameterName) => {
    const suggestion = suggestSlurmName(parameterName, Object.keys(SLURM_PARAMETER_OPTIONS));
    return suggestion === '' ? [] : [`Parameter ${parameterName} is ignored${suggestion}`];
  });
}

/**
 * Options for a Slurm that makes a main pass whenever the epilog of a job ends, regardless of the previous
 * pass.
 */
function adaptOptionsToSlurmEpilog({ 'pass-gap': _, ...options }: OptionStrings): OptionStrings {
  const delayText = options['pass-delay'];
  return delayText === undefined ? options : { ...options, 'pass-delay': removeEndDelay(delayText) };
}

/** Number of processors of a node, from its line in slurm.conf. */
function parseNodeProcessors(line: string): number {
  const readCountFromLine = (parameterName: string) =>
    Number(new RegExp(`\\b${parameterName}=(\\d+)`, 'i').exec(line)?.[1] ?? 1);
  if (/\bCPUs=/i.test(line)) return readCountFromLine('CPUs');
  const socketCount = /\bSockets=/i.test(line)
    ? readCountFromLine('Sockets')
    : readCountFromLine('SocketsPerBoard');
  return (
    readCountFromLine('Boards') *
    socketCount *
    readCountFromLine('CoresPerSocket') *
    readCountFromLine('ThreadsPerCore')
  );
}
