/** Options shared by several commands, with their help texts. Scripts rely on their names. */
import { DEFAULT_ANSWER_TIMEOUT_SECONDS } from '../code/watch.js';
import { policies } from '../core/policies.js';
import { OPTION_HEADINGS } from '../options/kinds.js';
import {
  findOptionByName,
  isAbsentOptionText,
  type NamedOption,
  OPTIONS,
  optionNameOfKey,
  printDefaultOptionText,
} from '../options/options.js';
import { CLASS_ATTRIBUTES, JOB_METRICS } from '../simulate/jobMetrics.js';
import { SCALAR_METRICS } from '../simulate/summary.js';
import type {
  CommandOptionDefinition,
  CommandOptionTable,
  OptionCombinationRule,
  PositionalArgument,
} from './definitions.js';

/** Options of every command. */
export const COMMON_COMMAND_OPTIONS = {
  json: { describe: 'print one JSON document and nothing else', isSwitch: true, group: 'Output:' },
  quiet: {
    describe: 'suppress messages and progress; with --out, also suppress tables and other text',
    isSwitch: true,
    group: 'Output:',
  },
  verbose: {
    describe:
      'also report on standard error how the work was done, such as which simulations shared their computation',
    isSwitch: true,
    group: 'Output:',
  },
} satisfies CommandOptionTable;

/** Option of commands whose reports show methods. */
export const METHOD_LABEL_OPTION = {
  label: {
    describe:
      "another name for a method in tables, figures and reports, as NAME=TEXT, such as 'easy backfill shortest=EASY-SJBF'; JSON and CSV files of values keep its name",
    isRepeatable: true,
    group: 'Output:',
  },
} satisfies CommandOptionTable;

/** All simulation options except the workload, ordered by help heading. */
export const SIMULATION_OPTION_DEFINITIONS: CommandOptionTable = Object.fromEntries(
  Object.entries(OPTIONS)
    .filter(([, { key: optionKey }]) => optionKey !== 'workload')
    .sort(([, a], [, b]) => OPTION_HEADINGS.indexOf(a.heading) - OPTION_HEADINGS.indexOf(b.heading))
    .map(([optionName, option]) => [optionName, toCommandOptionDefinition(option)]),
);

/** Definition of a simulation option by its name. */
export function getSimulationOptionDefinition(optionName: string): CommandOptionDefinition {
  return toCommandOptionDefinition(findOptionByName(optionName));
}

/** Definitions of several simulation options by name. */
export function pickSimulationOptionDefinitions(...optionNames: readonly string[]): CommandOptionTable {
  return Object.fromEntries(
    optionNames.map((optionName) => [optionName, getSimulationOptionDefinition(optionName)]),
  );
}

function toCommandOptionDefinition(option: NamedOption): CommandOptionDefinition {
  const {
    help,
    heading: optionHeading,
    isSwitch,
    isRepeatable,
    isOpen,
    choices: optionChoices,
    bare,
  } = option;
  const defaultValue = isSwitch ? undefined : printDefaultOptionText(option);
  return {
    describe: help,
    group: `${optionHeading}:`,
    isSetting: true,
    ...(defaultValue === undefined ? {} : { default: defaultValue }),
    ...(isSwitch ? { isSwitch } : {}),
    ...(isRepeatable ? { isRepeatable } : {}),
    ...(bare === undefined ? {} : { bare }),
    ...(optionChoices === undefined ? {} : { choices: optionChoices }),
    ...(isOpen ? { isOpen } : {}),
    ...(isSwitch
      ? {}
      : { isAbsent: (optionValue) => isAbsentOptionText(optionNameOfKey(option.key), optionValue) }),
    ...(option.key === 'policy'
      ? { complete: () => policies().map(({ name: policyName }) => policyName), isOpen: true }
      : {}),
  };
}

/** Names of the metrics that tables and comparisons accept. */
export function listMetricNames(): string[] {
  return [...SCALAR_METRICS, ...JOB_METRICS].map(({ name: metricName }) => metricName);
}

/** Option of commands that show classes of jobs. */
export const PER_CLASS_OPTION: CommandOptionDefinition = {
  describe:
    'per-class results too, by user, group, account, queue, partition, home, or class (short or long, narrow or wide); several ' +
    'with commas; the 20 that wait longest, or user=all, or user=ann,bob',
  group: 'Output:',
  isRepeatable: true,
  complete: () => CLASS_ATTRIBUTES,
};

/** Option of commands that take policy names, which require the core to be loaded first. */
export const CORE_FILE_OPTION = {
  core: {
    describe: 'a custom core: build/release.wasm of a clone with other policies',
    default: 'the bundled core',
    group: 'Scheduling:',
  },
} satisfies CommandOptionTable;

/** Help text on the forms of a WORKLOAD. */
export const WORKLOAD_HELP_TEXT =
  'WORKLOAD is a job log (FILE.swf, FILE.swf.gz, or - for standard input; see gridalloc trace formats), several files or a ' +
  "pattern such as 'jobs-*.swf', read one after the other as one log, " +
  'or a model with parameters, such as lublin99[aarr=9,jobs=30000,seed=1] (see gridalloc trace models).';

/** Positional argument for a workload. */
export const WORKLOAD_ARGUMENT: PositionalArgument = {
  name: 'WORKLOAD',
  meaning: 'a WORKLOAD: a job log (FILE.swf, FILE.swf.gz, -) or a model',
  isRepeatable: true,
};

/** Options of commands that run replications of a simulation. */
export const REPLICATION_OPTIONS: CommandOptionTable = {
  replications: {
    describe:
      'run this many replications, each on randomly perturbed jobs (--perturb), and give 95 % intervals',
    default: 'none',
    group: 'Replications:',
  },
};

export const REPLICATION_OPTION_COMBINATIONS: readonly OptionCombinationRule[] = [
  { of: ['replications'], excludes: ['replication'], why: 'one makes all of them, the other one' },
];

/** Option of commands that simulate in threads. */
export const THREADS_OPTION: CommandOptionDefinition = {
  describe: 'threads that simulate',
  default: 'one per processor core',
  group: 'Execution:',
};

/** Option of commands that simulate several policies. */
export const NO_SHARING_OPTION: CommandOptionDefinition = {
  describe:
    'simulate every run by itself; by default runs that differ only in their policies share work until a decision differs',
  isSwitch: true,
  group: 'Execution:',
};

/** Options of commands that execute user-written code files. */
export const CODE_EXECUTION_OPTIONS: CommandOptionTable = {
  'policy-timeout': {
    describe:
      'seconds that a function from a file (--policy, --order, --backfill-order) may take for one answer',
    default: String(DEFAULT_ANSWER_TIMEOUT_SECONDS),
    group: 'Execution:',
  },
};

/** Option of commands that may execute code files named by a study or results folder. */
export const ALLOW_CODE_OPTION = {
  'allow-code': {
    describe:
      'run the policy and order files named by a study or folder, with your permissions; review them first',
    isSwitch: true,
    group: 'Execution:',
  },
} satisfies CommandOptionTable;

/** Option for the equivalence margin: the distance from the best that still counts as best. */
export const EQUIVALENCE_MARGIN_OPTION: CommandOptionTable[string] = {
  describe:
    'equivalence margin: methods at most this much worse than the best also count as best, such as 2%',
  default: '1%; of waits, slowdowns, percentiles with resample 5%',
  group: 'Replications:',
};

// Options of studies, sweeps and comparisons on how simulations are executed

const CLUSTER_OPTION_HEADING = 'Cluster:';

/** Options of commands that Slurm may run. */
export const CLUSTER_ENGINE_OPTIONS: CommandOptionTable = {
  engine: {
    describe: 'where simulations run: on this computer, or on a Slurm cluster as a job array and a merge job',
    choices: ['local', 'slurm'],
    default: 'local',
    group: CLUSTER_OPTION_HEADING,
  },
  tasks: {
    describe: 'tasks of the job array, one per shard; --threads sets the processors of each',
    default: "enough for a few seconds of work each; at most the partition's processors",
    group: CLUSTER_OPTION_HEADING,
  },
  partition: {
    describe: 'partition of the cluster',
    default: "Slurm's default partition",
    group: CLUSTER_OPTION_HEADING,
  },
  'sbatch-args': {
    describe: "more sbatch options, such as --sbatch-args='--time=2:00:00 --account=me'",
    isRepeatable: true,
    group: CLUSTER_OPTION_HEADING,
  },
};

/** Options of commands that execute a study. */
export const EXECUTION_OPTIONS = {
  out: { describe: 'folder for all results; an unfinished study in it is resumed', group: 'Output:' },
  threads: THREADS_OPTION,
  ...CODE_EXECUTION_OPTIONS,
  resume: {
    describe: 'resume the study in --out; automatic if it is the same one',
    isSwitch: true,
    group: 'Execution:',
  },
  'no-sharing': NO_SHARING_OPTION,
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
  ...CLUSTER_ENGINE_OPTIONS,
} satisfies CommandOptionTable;

export const ENGINE_OPTION_COMBINATIONS: readonly OptionCombinationRule[] = [
  {
    of: Object.keys(CLUSTER_ENGINE_OPTIONS).filter((optionName) => optionName !== 'engine'),
    needs: ['engine slurm'],
    why: 'only a cluster takes it',
  },
];

export const EXECUTION_OPTION_COMBINATIONS: readonly OptionCombinationRule[] = [
  ...ENGINE_OPTION_COMBINATIONS,
  { of: ['shard', 'shards', 'only'], excludes: ['engine slurm'], why: 'Slurm has its own parts' },
];
