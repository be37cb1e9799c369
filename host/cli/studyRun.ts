/** Running a study from the command line, and writing what came out. */
import { join } from 'node:path';
import { countOf } from '../format/numbers.js';
import { parseWholeNumber } from '../notation.js';
import { lockStudyFolder } from '../runner/folder.js';
import type { Planned, PlanOptions } from '../runner/planStudy.js';
import { type RunningOptions, type RunOptions, runPlanned } from '../runner/run.js';
import { cutStudy, type LockedShard, takeShard } from '../runner/shardFolder.js';
import { type Cut, formatShard, parseShard, plannedPart, type Shard } from '../runner/shards.js';
import type { Study } from '../study/definition.js';
import { sharingDocument, sharingText } from '../text/studySharing.js';
import { sourceWord } from '../trace/quote.js';
import type { Arguments } from './arguments.js';
import { CODE_OPTIONS } from './code.js';
import type { OptionTable } from './command.js';
import { type Context, type Progress, simulationsDone } from './context.js';
import { runSetting, settingOf } from './oneSetting.js';
import { planAndTell, sayExpectedTime, sayPlan } from './planned.js';
import { ENGINE_OPTIONS, isForSlurm, submitStudy } from './slurmRun.js';
import { endStudy } from './studyEnd.js';
import { NO_SHARING, sharingOf, THREADS, threadsOf } from './threads.js';

/** Options of what runs a study. */
export const EXECUTION_OPTIONS: OptionTable = {
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
    describe: 'say what would be simulated, and simulate nothing',
    isSwitch: true,
    group: 'Execution:',
  },
  only: {
    describe:
      'run only one simulation, given by its run.id in results.csv, and write its jobs.csv and the other files of simulate into --out',
    group: 'Execution:',
  },
  yes: { describe: 'run more than 20,000 simulations', isSwitch: true, group: 'Execution:' },
  shard: {
    describe:
      'only a part of the runs, such as 2/3, beside other processes in the same folder or elsewhere; see gridalloc study merge',
    group: 'Execution:',
  },
  shards: {
    describe: 'write the plan into --out, cut into so many shards for others to run, and simulate nothing',
    group: 'Execution:',
  },
  ...ENGINE_OPTIONS,
};

const MOST_SHARDS = 100_000;

/** Plans a study, runs it, writes and prints its results; returns the exit code. */
export async function runAndReport(
  study: Study,
  given: PlanOptions,
  args: Arguments,
  context: Context,
  usualOut = join('results', study.name),
): Promise<number> {
  const out = args.text('out') ?? usualOut;
  // What is wrong with these is said before anything is planned.
  isForSlurm(args);
  executionOf(args, context);
  const [planned] = await planAndTell([study], [given], args, context);
  if (args.has('dry-run')) return sayPlan(planned, args, context);
  const only = args.text('only');
  if (only !== undefined) {
    const setting = settingOf(only, study, planned.plan);
    return runSetting(setting, args.text('out') ?? `${usualOut}-${only}`, args, context);
  }
  return runIn(out, study, planned, args, context);
}

/** Does a study that is planned in a folder, as a command asks: here, a shard of it, or by Slurm; or cuts it for others. */
export async function runIn(
  out: string,
  study: Study,
  planned: Planned,
  args: Arguments,
  context: Context,
): Promise<number> {
  const options = executionOf(args, context);
  const runHere = () =>
    withFolder(out, context, async () => {
      await sayExpectedTime([planned], args, context);
      return runInFolder(study, planned, { ...options, out }, args, context);
    });
  if (isForSlurm(args)) return submitStudy(study, planned, out, args, context, runHere);
  const shards = args.read('shards', (text, what) =>
    parseWholeNumber(text, what, { atLeast: 1, atMost: MOST_SHARDS }),
  );
  if (shards !== undefined) {
    return withFolder(out, context, async () =>
      sayCut(await cutStudy(out, study, planned, shards), out, args, context),
    );
  }
  const shard = shardOf(args);
  if (shard === undefined) return runHere();
  const taken = await takeShard(out, study, planned, shard, (sentence) => void context.say(sentence));
  const part = plannedPart(planned, taken.part);
  return runShard(study, part, taken, { ...options, out, shard }, args, context);
}

/** Says into what a study is cut. */
async function sayCut({ runs, costs }: Cut, out: string, args: Arguments, context: Context): Promise<number> {
  const count = runs.length;
  if (args.has('json')) {
    const shards = runs.map((simulations, i) => ({
      shard: `${i + 1}/${count}`,
      simulations,
      cost: costs[i],
    }));
    await context.printJson({ out, shards });
    return 0;
  }
  const missing = runs.reduce((sum, each) => sum + each, 0);
  const word = sourceWord(out);
  await context.print(
    `${out}: ${countOf(missing, 'simulation')} in ${countOf(count, 'shard')}; gridalloc study run ${word} --shard 1/${count} runs the first, gridalloc study merge ${word} puts them together`,
  );
  return 0;
}

/** The shard asked for. */
export function shardOf(args: Arguments): Shard | undefined {
  return args.read('shard', parseShard);
}

/** Does the runs of a shard that is taken, and gives it back. */
export async function runShard(
  study: Study,
  planned: Planned,
  { unlock }: LockedShard,
  options: RunOptions,
  args: Arguments,
  context: Context,
): Promise<number> {
  try {
    return await runInFolder(study, planned, options, args, context);
  } finally {
    unlock();
  }
}

/** How the options of a command have studies run. */
export function executionOf(args: Arguments, context: Context): RunningOptions {
  return {
    threads: threadsOf(args),
    sharing: sharingOf(args),
    timeout: context.timeout,
    signal: context.io.signal,
  };
}

/** Does something in the folder of a study while no other process may. */
export async function withFolder(
  out: string,
  context: Context,
  work: () => Promise<number>,
): Promise<number> {
  const unlock = await lockStudyFolder(out, (sentence) => void context.say(sentence));
  try {
    return await work();
  } finally {
    unlock();
  }
}

/** Does the runs of a study or a shard, whose lock the caller has, and reports those of a whole study. */
async function runInFolder(
  study: Study,
  planned: Planned,
  options: RunOptions,
  args: Arguments,
  context: Context,
): Promise<number> {
  const { out, shard } = options;
  let progress: Progress | undefined;
  try {
    const { plan, results, done, earlier, jobs, sharing } = await runPlanned(study, planned, {
      ...options,
      onProgress: (finished, total, share) => {
        progress ??= context.progress(simulationsDone(finished), true);
        progress.update(finished, total, share);
      },
    });
    progress?.end();
    const shared = sharingText(sharing, jobs);
    if (shared !== undefined) await context.say(shared);
    if (earlier > 0)
      await context.say(`${countOf(earlier, 'simulation')} were in ${out} already; ${done} were done now`);
    if (shard !== undefined) {
      await context.say(
        `shard ${formatShard(shard)} is in ${out}; when all are there: gridalloc study merge ${sourceWord(out)}, and the folders of the others where they have their own`,
      );
      if (args.has('json'))
        await context.printJson({ out, shard: formatShard(shard), simulations: done + earlier });
      return 0;
    }
    if (results === undefined) throw new Error('a whole study has no results');
    const document = { sharing: sharingDocument(sharing, jobs) };
    return await endStudy({ study, plan, results }, out, args, context, document, false);
  } catch (error) {
    progress?.end();
    await sayInterrupted(out, context);
    throw error;
  }
}

/** Says how a study that was interrupted goes on; nothing where it was not. */
export async function sayInterrupted(out: string, context: Context): Promise<void> {
  if (!context.io.signal.aborted) return;
  await context.say(
    `interrupted; what is done is in ${out}, and the same command with --out ${sourceWord(out)} resumes`,
  );
}
