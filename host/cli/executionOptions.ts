/** How many simulations are run: the options of studies, sweeps and comparisons, and what they come to. */

import { InputError } from '../errors.js';
import { parseWholeNumber } from '../notation.js';
import { parseShard, type Shard } from '../runs/shards.js';
import type { Arguments, OptionTable } from './command.js';
import { CODE_OPTIONS, NO_SHARING, sharingOf, THREADS, threadsOf } from './commandOptions.js';

const GROUP = 'Cluster:';

/** Options of what Slurm may run. */
export const ENGINE_OPTIONS: OptionTable = {
  engine: {
    describe: 'where simulations run: on this computer, or on a Slurm cluster as a job array and a merge job',
    choices: ['local', 'slurm'],
    default: 'local',
    group: GROUP,
  },
  tasks: {
    describe: 'tasks of the job array, one per shard; --threads sets the processors of each',
    default: "enough that each has a few seconds of work; at most the partition's processors",
    group: GROUP,
  },
  partition: { describe: 'partition of the cluster', default: "Slurm's default partition", group: GROUP },
  'sbatch-args': {
    describe: "more sbatch options, such as --sbatch-args='--time=2:00:00 --account=me'",
    isRepeatable: true,
    group: GROUP,
  },
};

/** Options of what runs a study. */
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

const MOST_SHARDS = 100_000;
const MOST_TASKS = 100_000;

/** What is asked of Slurm; what is not said is as it was submitted last. */
export interface SlurmAsked {
  readonly tasks?: number | undefined;
  readonly partition?: string | undefined;
  /** Threads of each task. */
  readonly threads?: number | undefined;
  /** More words for sbatch. */
  readonly words?: readonly string[] | undefined;
  /** Words for the command that each task runs. */
  readonly taskWords: readonly string[];
}

/** How a command has simulations run. */
export interface Execution {
  /** The folder for all results. */
  readonly out?: string | undefined;
  readonly threads: number;
  /** Whether runs share what they have in common. */
  readonly sharing: boolean;
  /** Set where Slurm runs them. */
  readonly slurm?: SlurmAsked | undefined;
  /** Into how many shards the plan is cut for others to run. */
  readonly shards?: number | undefined;
  readonly shard?: Shard | undefined;
  /** The run.id of the one simulation that is asked for. */
  readonly only?: string | undefined;
  /** Whether to say what would be run, and run nothing. */
  readonly isDry: boolean;
  readonly allowMany: boolean;
  readonly allowCode: boolean;
  /** The core of the user's own, where one is given. */
  readonly core?: string | undefined;
}

/**
 * How the options of a command have simulations run.
 * @throws InputError for values that there are not, and options that do not go together.
 */
export function executionOf(args: Arguments): Execution {
  const whole = (name: string, atMost: number) =>
    args.read(name, (text, what) => parseWholeNumber(text, what, { atLeast: 1, atMost }));
  return {
    out: args.text('out'),
    slurm: slurmOf(args, whole('tasks', MOST_TASKS)),
    threads: threadsOf(args),
    sharing: sharingOf(args),
    shards: whole('shards', MOST_SHARDS),
    shard: args.read('shard', parseShard),
    only: args.text('only'),
    isDry: args.has('dry-run'),
    allowMany: args.has('yes'),
    allowCode: args.has('allow-code'),
    core: args.text('core'),
  };
}

/**
 * What is asked of Slurm; undefined where this computer runs the simulations.
 * @throws InputError for its options without it, and for what goes on this computer alone.
 */
function slurmOf(args: Arguments, tasks: number | undefined): SlurmAsked | undefined {
  if (args.text('engine') !== 'slurm') {
    const { engine: _, ...others } = ENGINE_OPTIONS;
    const alone = Object.keys(others).find((name) => args.has(name));
    if (alone === undefined) return undefined;
    throw new InputError(`--${alone} is for --engine slurm; give that too`);
  }
  const local = ['shard', 'shards', 'only'].find((name) => args.has(name));
  if (local !== undefined) {
    throw new InputError(`--${local} and --engine slurm do not go together; leave one of them out`);
  }
  const words = args.texts('sbatch-args').flatMap((text) => text.split(/\s+/).filter((word) => word !== ''));
  return {
    tasks,
    partition: args.text('partition'),
    threads: args.has('threads') ? threadsOf(args) : undefined,
    words: args.has('sbatch-args') ? words : undefined,
    taskWords: [
      ...(sharingOf(args) ? [] : ['--no-sharing']),
      ...args.texts('policy-timeout').flatMap((text) => ['--policy-timeout', text]),
    ],
  };
}
