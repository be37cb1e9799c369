/** The options that commands share, and what they mean. Their names are what scripts rely on. */
import { availableParallelism } from 'node:os';
import { TIMEOUT } from '../code/watch.js';
import { policies } from '../core/policies.js';
import { InputError } from '../errors.js';
import { checkNames, parseNumber, parseWholeNumber, splitOutside } from '../notation.js';
import { MAX_REPLICATIONS } from '../options/jobOptions.js';
import {
  defaultText,
  HEADINGS,
  isAbsent,
  type NamedOption,
  OPTIONS,
  optionName,
  optionNamed,
} from '../options/options.js';
import type { RequestedClasses } from '../runs/classResults.js';
import { parseShard, type Shard } from '../runs/shards.js';
import { CLASSINGS, type Classing, JOB_METRICS, type ShownClasses } from '../simulate/jobMetrics.js';
import { SCALAR_METRICS } from '../simulate/summary.js';
import type {
  Arguments,
  Combination,
  Command,
  OptionDefinition,
  OptionTable,
  Positional,
} from './command.js';

/** Options of every command. */
export const COMMON_OPTIONS = {
  json: { describe: 'print one JSON document and nothing else', isSwitch: true, group: 'Output:' },
  quiet: {
    describe: 'suppress messages and progress; with --out, also suppress tables and other text',
    isSwitch: true,
    group: 'Output:',
  },
  verbose: {
    describe: 'also report on standard error how the work was done, such as what simulations shared',
    isSwitch: true,
    group: 'Output:',
  },
} satisfies OptionTable;

/** Every option of a simulation but its workload, heading by heading. */
export const SETTING_OPTIONS: OptionTable = Object.fromEntries(
  Object.entries(OPTIONS)
    .filter(([, { key }]) => key !== 'workload')
    .sort(([, a], [, b]) => HEADINGS.indexOf(a.heading) - HEADINGS.indexOf(b.heading))
    .map(([name, option]) => [name, definitionOf(option)]),
);

/** An option of a simulation. */
export function settingOption(name: string): OptionDefinition {
  return definitionOf(optionNamed(name));
}

/** Some options of a simulation. */
export function settingOptions(...names: readonly string[]): OptionTable {
  return Object.fromEntries(names.map((name) => [name, settingOption(name)]));
}

function definitionOf(option: NamedOption): OptionDefinition {
  const { help, heading, isSwitch, isRepeatable, isOpen, choices } = option;
  const defaultValue = isSwitch ? undefined : defaultText(option);
  return {
    describe: help,
    group: `${heading}:`,
    ...(defaultValue === undefined ? {} : { default: defaultValue }),
    ...(isSwitch ? { isSwitch } : {}),
    ...(isRepeatable ? { isRepeatable } : {}),
    ...(choices === undefined ? {} : { choices }),
    ...(isOpen ? { isOpen } : {}),
    ...(isSwitch ? {} : { isAbsent: (value) => isAbsent(optionName(option.key), value) }),
    ...(option.key === 'policy' ? { complete: () => policies().map(({ name }) => name), isOpen: true } : {}),
  };
}

/** The metrics that tables and comparisons may name. */
export function metricNames(): string[] {
  return [...SCALAR_METRICS, ...JOB_METRICS].map(({ name }) => name);
}

/** The metrics of --metric, which has commas or is repeated, each once. */
export function metricsIn(args: Arguments): string[] {
  const parts = args.texts('metric').flatMap((text) => splitOutside(text.replaceAll(/\s/g, ' '), ','));
  const names = parts.flatMap((text) => splitOutside(text, ' '));
  return [...new Set(names.filter((name) => name !== ''))];
}

/** The option of commands that show classes of jobs. */
export const BY: OptionDefinition = {
  describe:
    'per-class results too, by user, group, account, queue, partition, home, or class (short or long, narrow or wide); several ' +
    'with commas; the 20 that wait longest, or user=all, or user=ann,bob',
  group: 'Output:',
  isRepeatable: true,
  complete: () => CLASSINGS,
};

/** Classes of jobs to show, if requested: `user,class`, `user=all`, or `user=ann,bob`. */
export function classesOf(args: Arguments): RequestedClasses | undefined {
  if (!args.has('by')) return undefined;
  const shown: Partial<Record<Classing, 'all' | readonly string[]>> = {};
  const requested = new Set<Classing>();
  const classing = (name: string) => {
    checkNames([name], CLASSINGS, 'value of --by');
    requested.add(name as Classing);
    return name as Classing;
  };
  for (const text of args.texts('by')) {
    let last: Classing | undefined;
    for (const part of text.split(',').map((each) => each.trim())) {
      const [, by, value = ''] = /^(\w+)=(.*)$/s.exec(part) ?? [];
      const words = part.split(/\s+/).filter((word) => word !== '');
      const isName =
        last !== undefined && !words.every((word) => (CLASSINGS as readonly string[]).includes(word));
      if (by !== undefined) {
        const named = classing(by);
        last = value === 'all' ? undefined : named;
        shown[named] = value === 'all' ? 'all' : [...namesIn(shown[named]), value];
      } else if (isName && last !== undefined) shown[last] = [...namesIn(shown[last]), part];
      else {
        last = undefined;
        words.forEach(classing);
      }
    }
  }
  return { classings: CLASSINGS.filter((each) => requested.has(each)), shown };
}

const namesIn = (shown: ShownClasses[Classing]) => (shown === 'all' || shown === undefined ? [] : shown);

/** The option of commands that name policies: the program loads the core before the command runs. */
export const CORE_OPTION = {
  core: {
    describe: 'a custom core: build/release.wasm of a clone with other policies',
    default: 'that of the package',
    group: 'Scheduling:',
  },
} satisfies OptionTable;

/**
 * The options of a simulation among those given, each as one text; of what lists methods all with commas.
 * @param among the options that are of a simulation, for a command in which others have their names.
 */
export function textsOf(
  args: Arguments,
  among: Readonly<Record<string, unknown>> = OPTIONS,
): Record<string, string> {
  const input = Object.entries(OPTIONS).filter(([name]) => Object.hasOwn(among, name) && args.has(name));
  return Object.fromEntries(
    input.map(([name, { isSwitch, isRepeatable }]) => [
      name,
      isSwitch ? 'true' : args.texts(name).join(isRepeatable ? ';' : ','),
    ]),
  );
}

/** Help text on the forms of a WORKLOAD. */
export const WORKLOAD_HELP =
  'WORKLOAD is a job log (FILE.swf, FILE.swf.gz, or - for standard input; see gridalloc trace formats), several files or a ' +
  "pattern such as 'jobs-*.swf', read one after the other as one log, " +
  'or a model with parameters, such as lublin99[aarr=9,jobs=30000,seed=1] (see gridalloc trace models).';

/** The word for a workload. */
export const WORKLOAD: Positional = {
  name: 'WORKLOAD',
  meaning: 'a WORKLOAD: a job log (FILE.swf, FILE.swf.gz, -) or a model',
  isRepeatable: true,
};

/** Options of commands that run replications of a simulation. */
export const REPLICATION_OPTIONS: OptionTable = {
  replications: {
    describe:
      'run this many replications, each on randomly perturbed jobs (--perturb), and give 95 % intervals',
    default: 'none',
    group: 'Replications:',
  },
};

export const REPLICATION_COMBINATIONS: readonly Combination[] = [
  { of: ['replications'], excludes: ['replication'], why: 'one makes all of them, the other one' },
];

/**
 * How many replications are requested; undefined where none are.
 * @throws InputError for fewer than two, from which no interval follows.
 */
export function replicationsOf(args: Arguments): number | undefined {
  const count = args.read('replications', (text, what) =>
    parseWholeNumber(text, what, { atLeast: 1, atMost: MAX_REPLICATIONS }),
  );
  if (count === 1) {
    throw new InputError('--replications 1: an interval needs 2 replications or more; give at least 2');
  }
  return count;
}

/** The option of commands that simulate in threads. */
export const THREADS: OptionDefinition = {
  describe: 'threads that simulate',
  default: 'one per processor core',
  group: 'Execution:',
};

/** The option of commands that simulate under several policies. */
export const NO_SHARING: OptionDefinition = {
  describe:
    'simulate every run by itself; by default runs that differ only in their policies share work until a decision differs',
  isSwitch: true,
  group: 'Execution:',
};

const MAX_THREADS = 256;

/** Number of threads requested; default: one per processor core. */
function threadsOf(args: Arguments): number {
  const input = args.read('threads', (text, what) =>
    parseWholeNumber(text, what, { atLeast: 1, atMost: MAX_THREADS }),
  );
  return input ?? availableParallelism();
}

/** The option of commands that run functions from files. */
export const CODE_OPTIONS: OptionTable = {
  'policy-timeout': {
    describe:
      'seconds that a function from a file (--policy, --order, --backfill-order) may take for one answer',
    default: String(TIMEOUT),
    group: 'Execution:',
  },
};

/** The option of commands that may run functions from files in a study or a folder of results. */
export const ALLOW_CODE_OPTION: OptionTable = {
  'allow-code': {
    describe:
      'run the policy and order files named by a study or folder, with your permissions; review them first',
    isSwitch: true,
    group: 'Execution:',
  },
};

/** True if a command runs functions. */
export function runsCode({ options }: Command): boolean {
  return Object.keys(CODE_OPTIONS).every((name) => Object.hasOwn(options, name));
}

/** Seconds that a function may take for one answer. */
export function timeoutOf(args: Arguments): number {
  return (
    args.read('policy-timeout', (text, what) => parseNumber(text, what, { above: 0, isTime: true })) ??
    TIMEOUT
  );
}

/** Equivalence margin: distance from the best that still counts as best. */
export const WITHIN: OptionTable[string] = {
  describe: 'how far behind the best still counts as best, such as 2%',
  default: '1%; of waits, slowdowns, percentiles with resample 5%',
  group: 'Replications:',
};

/** Reads a share of 1: `2%`, `2 %` or `0.02`. */
function parseShare(text: string, what: string): number {
  const [, digits, sign] = /^(\d*\.?\d+)\s*(%?)$/.exec(text.trim()) ?? [];
  const share = Number(digits) / (sign === '%' ? 100 : 1);
  if (share >= 0 && share < 1) return share;
  throw new InputError(`${what} ${text} is not a share below 1; give a percentage such as 2%, or 0.02`);
}

/** Equivalence margin as a share of the best; undefined by default. */
export function withinOf(args: Arguments): number | undefined {
  return args.read('within', parseShare);
}

// Number of simulations that are run: the options of studies, sweeps and comparisons, and what they mean

const GROUP = 'Cluster:';

/** Options of commands that Slurm may run. */
export const ENGINE_OPTIONS: OptionTable = {
  engine: {
    describe: 'where simulations run: on this computer, or on a Slurm cluster as a job array and a merge job',
    choices: ['local', 'slurm'],
    default: 'local',
    group: GROUP,
  },
  tasks: {
    describe: 'tasks of the job array, one per shard; --threads sets the processors of each',
    default: "enough for a few seconds of work each; at most the partition's processors",
    group: GROUP,
  },
  partition: { describe: 'partition of the cluster', default: "Slurm's default partition", group: GROUP },
  'sbatch-args': {
    describe: "more sbatch options, such as --sbatch-args='--time=2:00:00 --account=me'",
    isRepeatable: true,
    group: GROUP,
  },
};

/** Options of commands that run a study. */
export const EXECUTION_OPTIONS = {
  out: { describe: 'folder for all results; an unfinished study in it is resumed', group: 'Output:' },
  threads: THREADS,
  ...CODE_OPTIONS,
  resume: {
    describe: 'resume the study in --out; automatic if it is the same one',
    isSwitch: true,
    group: 'Execution:',
  },
  'no-sharing': NO_SHARING,
  'dry-run': {
    describe: 'show what would be simulated, but simulate nothing',
    isSwitch: true,
    group: 'Execution:',
  },
  only: {
    describe:
      'run only one simulation, given by its run.id in results.csv, and write its jobs.csv and the other files of simulate into --out',
    group: 'Execution:',
  },
  yes: { describe: 'allow more than 20,000 simulations', isSwitch: true, group: 'Execution:' },
  shard: {
    describe:
      'run only one shard, such as 2/3; other processes run the others, in the same folder or elsewhere (see gridalloc study merge)',
    group: 'Execution:',
  },
  shards: {
    describe: 'write the plan into --out, cut into this many shards for others to run, but simulate nothing',
    group: 'Execution:',
  },
  ...ENGINE_OPTIONS,
} satisfies OptionTable;

export const ENGINE_COMBINATIONS: readonly Combination[] = [
  {
    of: Object.keys(ENGINE_OPTIONS).filter((name) => name !== 'engine'),
    needs: ['engine slurm'],
    why: 'only a cluster takes it',
  },
];

export const EXECUTION_COMBINATIONS: readonly Combination[] = [
  ...ENGINE_COMBINATIONS,
  { of: ['shard', 'shards', 'only'], excludes: ['engine slurm'], why: 'Slurm has its own parts' },
];

const MAX_SHARDS = 100_000;
const MAX_TASKS = 100_000;

/** Requests to Slurm; what is not given is as in the last submission. */
export interface SlurmRequest {
  readonly tasks?: number | undefined;
  readonly partition?: string | undefined;
  /** Threads of each task. */
  readonly threads?: number | undefined;
  /** Further arguments of sbatch. */
  readonly words?: readonly string[] | undefined;
  /** Words for the command that each task runs. */
  readonly taskWords: readonly string[];
}

/** Execution of a command's simulations. */
export interface Execution {
  /** The folder for all results. */
  readonly out?: string | undefined;
  readonly threads: number;
  /** True if runs share what they have in common. */
  readonly sharing: boolean;
  /** Set where Slurm runs them. */
  readonly slurm?: SlurmRequest | undefined;
  /** Into how many shards the plan is cut for others to run. */
  readonly shards?: number | undefined;
  readonly shard?: Shard | undefined;
  /** The run.id of the one simulation requested. */
  readonly only?: string | undefined;
  /** True if to say what would be run, and run nothing. */
  readonly isDry: boolean;
  readonly allowMany: boolean;
  readonly allowCode: boolean;
  /** The core of the user's own, where one is given. */
  readonly core?: string | undefined;
}

/**
 * How the options of a command have simulations run.
 * @throws InputError for unknown values.
 */
export function executionOf(args: Arguments): Execution {
  const whole = (name: string, atMost: number) =>
    args.read(name, (text, what) => parseWholeNumber(text, what, { atLeast: 1, atMost }));
  return {
    out: args.text('out'),
    slurm: slurmOf(args, whole('tasks', MAX_TASKS)),
    threads: threadsOf(args),
    sharing: !args.has('no-sharing'),
    shards: whole('shards', MAX_SHARDS),
    shard: args.read('shard', parseShard),
    only: args.text('only'),
    isDry: args.has('dry-run'),
    allowMany: args.has('yes'),
    allowCode: args.has('allow-code'),
    core: args.text('core'),
  };
}

/** Requests to Slurm; undefined where this computer runs the simulations. */
function slurmOf(args: Arguments, tasks: number | undefined): SlurmRequest | undefined {
  if (!args.has('engine slurm')) return undefined;
  const words = args.texts('sbatch-args').flatMap((text) => text.split(/\s+/).filter((word) => word !== ''));
  return {
    tasks,
    partition: args.text('partition'),
    threads: args.has('threads') ? threadsOf(args) : undefined,
    words: args.has('sbatch-args') ? words : undefined,
    taskWords: [
      ...(args.has('no-sharing') ? ['--no-sharing'] : []),
      ...args.texts('policy-timeout').flatMap((text) => ['--policy-timeout', text]),
    ],
  };
}
