/** Studies that Slurm runs: submitting them, and what it says of them. */
import { ALLOW_CODE } from '../code/read.js';
import { InputError } from '../errors.js';
import { countOf } from '../format/numbers.js';
import { parseWholeNumber } from '../notation.js';
import { lockPlan } from '../runner/folder.js';
import type { Planned } from '../runner/planStudy.js';
import { cutStudy, readCut } from '../runner/shardFolder.js';
import { type Cut, dealShards } from '../runner/shards.js';
import { type Cluster, isActive, readCluster } from '../runner/slurm.js';
import { readStatus } from '../runner/status.js';
import {
  copyCore,
  rangesOf,
  readStudyQueue,
  readSubmissions,
  type Submission,
  type SubmitOptions,
  submitShards,
} from '../runner/submission.js';
import type { Study } from '../study/definition.js';
import { sourceWord } from '../trace/quote.js';
import type { Arguments } from './arguments.js';
import type { OptionTable } from './command.js';
import type { Context } from './context.js';
import { sharingOf, threadsOf } from './threads.js';

const GROUP = 'Cluster:';

/** Options of what Slurm may run. */
export const ENGINE_OPTIONS: OptionTable = {
  engine: {
    describe:
      'what runs the simulations: this computer, or a cluster under Slurm, by a job array and a job that merges',
    choices: ['local', 'slurm'],
    default: 'local',
    group: GROUP,
  },
  tasks: {
    describe: 'tasks of the job array, one for each shard; --threads are the processors of a task',
    default: 'as many as have work for some seconds, at most the processors of the partition',
    group: GROUP,
  },
  partition: { describe: 'partition of the cluster', default: 'the usual one', group: GROUP },
  'sbatch-args': {
    describe: "more options of sbatch, such as --sbatch-args='--time=2:00:00 --account=me'",
    isRepeatable: true,
    group: GROUP,
  },
};

/**
 * Whether Slurm is to run the simulations.
 * @throws InputError for its options without it, and for what goes on this computer alone.
 */
export function isForSlurm(args: Arguments): boolean {
  const { engine: _, ...others } = ENGINE_OPTIONS;
  if (args.text('engine') === 'slurm') {
    const local = ['shard', 'shards', 'only'].find((name) => args.has(name));
    if (local === undefined) return true;
    throw new InputError(`--${local} and --engine slurm do not go together; leave one of them out`);
  }
  const alone = Object.keys(others).find((name) => args.has(name));
  if (alone !== undefined) throw new InputError(`--${alone} is for --engine slurm; give that too`);
  return false;
}

/** Cost of a task at least, in jobs under fcfs: some seconds, beside one for the start of a process. */
const LEAST_COST = 5e7;
const MOST_TASKS = 100_000;

/** How many tasks are asked for, or are worth it. */
function tasksFor(
  plan: Planned['plan'],
  threads: number,
  asked: number | undefined,
  cluster: Cluster,
): number {
  const { mostTasks, processors } = cluster;
  if (asked !== undefined && asked > mostTasks) {
    throw new InputError(
      `--tasks ${asked}: a job array has at most ${mostTasks} tasks on this cluster (MaxArraySize); give ${mostTasks} or fewer`,
    );
  }
  const worth = Math.ceil(dealShards(plan, 1).costs[0] / (LEAST_COST * threads));
  return asked ?? Math.max(1, Math.min(mostTasks, Math.floor(processors / threads), worth));
}

/**
 * Submits what the folder of a study lacks and Slurm has not in its queue.
 * @param runHere does what is left where nothing is missing: tables and report.
 */
export async function submitStudy(
  study: Study,
  planned: Planned,
  out: string,
  args: Arguments,
  context: Context,
  runHere: () => Promise<number>,
): Promise<number> {
  if (study.kind !== 'simulations') {
    throw new InputError(
      'this study simulates nothing, so that there is nothing for Slurm to do; leave --engine out',
    );
  }
  const asked = args.read('tasks', (text, what) =>
    parseWholeNumber(text, what, { atLeast: 1, atMost: MOST_TASKS }),
  );
  const options = optionsOf(out, planned, args, asked);
  const { partition, threads } = options;
  const cluster = await readCluster(partition);
  const unlock = await lockPlan(out, (sentence) => void context.say(sentence));
  let submission: Required<Submission> | undefined;
  try {
    const cut = await cutFor(study, planned, out, asked, () =>
      tasksFor(planned.plan, threads ?? 1, options.asked, cluster),
    );
    const { shards } = readStatus(out);
    const queue = await readStudyQueue(out, cut.runs.length);
    const waits = (shard: number) => {
      const task = queue.tasks.get(shard);
      return task !== undefined && isActive(task);
    };
    const missing = shards.flatMap(({ runs, done, holder }, i) =>
      done < runs && holder === undefined ? [i + 1] : [],
    );
    const idle = missing.filter((shard) => !waits(shard));
    if (shards.some(({ runs, done }) => done < runs)) {
      if (idle.length === 0) {
        await context.print(
          `all that is missing in ${out} is waiting or running; gridalloc study status ${sourceWord(out)}`,
        );
        return 0;
      }
      const core = args.text('core');
      if (core !== undefined) await copyCore(core, out);
      submission = await submitShards(out, study.name, cut, idle, queue.active, options);
    }
  } finally {
    unlock();
  }
  if (submission === undefined) return runHere();
  await saySubmission(submission, out, args, context);
  return 0;
}

/** The cut of a folder, made where there is none, or anew where another number of tasks is asked for and nobody is at it. */
async function cutFor(
  study: Study,
  planned: Planned,
  out: string,
  asked: number | undefined,
  tasks: () => number,
): Promise<Cut> {
  const present = readCut(out);
  if (present !== undefined && present.plan === planned.plan.sha256) {
    const count = present.runs.length;
    if (asked === undefined || asked === count) return present;
    const { active } = await readStudyQueue(out, count);
    if (active.length > 0 || readStatus(out).shards.some(({ holder }) => holder !== undefined)) {
      throw new InputError(
        `${out} is cut into ${count} shards, and some wait or run; leave --tasks out, or give gridalloc study cancel ${sourceWord(out)} first`,
      );
    }
  }
  return cutStudy(out, study, planned, tasks());
}

/** How tasks are to be run: what the options do not say is as it was submitted last. */
function optionsOf(
  out: string,
  { code }: Planned,
  args: Arguments,
  asked: number | undefined,
): SubmitOptions {
  const before = readSubmissions(out).at(-1)?.options;
  const words = args.texts('sbatch-args').flatMap((text) => text.split(/\s+/).filter((word) => word !== ''));
  const own = [
    ...(sharingOf(args) ? [] : ['--no-sharing']),
    ...args.texts('policy-timeout').flatMap((text) => ['--policy-timeout', text]),
  ];
  return {
    asked: asked ?? before?.asked,
    partition: args.text('partition') ?? before?.partition,
    threads: args.has('threads') ? threadsOf(args) : before?.threads,
    words: args.has('sbatch-args') ? words : (before?.words ?? []),
    // Whoever has planned functions from files allows them; what the folder says of an earlier time allows nothing.
    taskWords: [
      ...(code.length > 0 ? [ALLOW_CODE] : []),
      ...(own.length > 0 ? own : (before?.taskWords ?? []).filter((word) => word !== ALLOW_CODE)),
    ],
  };
}

async function saySubmission(
  { tasks, merge, shards, count }: Required<Submission>,
  out: string,
  args: Arguments,
  context: Context,
): Promise<void> {
  if (args.has('json')) {
    await context.printJson({ out, tasks, merge, shards, count });
    return;
  }
  const word = sourceWord(out);
  await context.print(
    [
      `Submitted: job ${tasks}, ${countOf(shards.length, 'task')} for shards ${rangesOf(shards)} of ${count}, and job ${merge}, which merges them into ${out}.`,
      `  gridalloc study status ${word}    how far it is, and the time left`,
      `  squeue --jobs=${tasks},${merge}    what Slurm says`,
      `  gridalloc study cancel ${word}    ends it; what is done stays`,
      'The same command again submits what is missing then.',
    ].join('\n'),
  );
}
