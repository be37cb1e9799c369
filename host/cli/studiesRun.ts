/** Running several studies as one from the command line: what they have in common is simulated once. */
import { join } from 'node:path';
import { InputError } from '../errors.js';
import { countOf } from '../format/numbers.js';
import { joinStudies, keepCollection, readCollection, takeCollected } from '../runner/collection.js';
import { lockStudyFolder } from '../runner/folder.js';
import type { Merged } from '../runner/merge.js';
import type { PlanOptions } from '../runner/planStudy.js';
import { type RunsTogether, runTogether, type StudyToRun } from '../runner/run.js';
import type { Study } from '../study/definition.js';
import { sharingDocument, sharingText } from '../text/studySharing.js';
import type { Arguments } from './arguments.js';
import { reportCollection } from './collectionResults.js';
import { type Context, type Progress, simulationsDone } from './context.js';
import { planAndTell, sayExpectedTime, sayPlans } from './planned.js';
import { isForSlurm } from './slurmRun.js';
import { executionOf, runIn, sayInterrupted } from './studyRun.js';

/** Plans studies and runs them together, each in its folder below one, with a page over all; returns the exit code. */
export async function runStudies(
  title: string,
  studies: readonly Study[],
  given: readonly PlanOptions[],
  args: Arguments,
  context: Context,
): Promise<number> {
  for (const name of ['only', 'shard']) {
    if (!args.has(name)) continue;
    const instead =
      name === 'shard'
        ? 'cut all with --shards first, and give --shard with their folder'
        : 'give it with each of these alone';
    throw new InputError(`--${name} is for one study; ${instead}`);
  }
  const isCut = isForSlurm(args) || args.has('shards');
  const names = studies.map(({ name }) => name);
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined)
    throw new InputError(`two of the studies are called ${twice}; run them one by one`);
  const out = args.text('out') ?? join('results', title);
  const planned = await planAndTell(studies, given, args, context);
  if (args.has('dry-run')) return sayPlans(studies, planned, args, context);
  const toRun = studies.map((study, i) => ({ study, planned: planned[i], out: join(out, study.name) }));
  const say = (sentence: string) => void context.say(sentence);
  const command = ['gridalloc', 'study', 'run', args.line()].join(' ');
  if (isCut) {
    const joined = await joinStudies(title, toRun);
    await keepCollection(out, command, joined, toRun, say);
    return runIn(out, joined.study, joined.planned, args, context);
  }
  const unlocks: (() => void)[] = [];
  try {
    const isCollected = readCollection(out) !== undefined;
    for (const folder of [...(isCollected ? [out] : []), ...toRun.map((each) => each.out)]) {
      unlocks.push(await lockStudyFolder(folder, say));
    }
    if (isCollected) await takeCollected(out, toRun);
    await sayExpectedTime(planned, args, context);
    const { outcomes, total, jobs, sharing } = await runAll(toRun, out, args, context);
    const finished = toRun.map(({ study }, i): Merged => {
      const { plan, results } = outcomes[i];
      if (results === undefined) throw new Error('a shard has no report');
      return { study, plan, results };
    });
    const of = { title, command, simulations: total, more: { sharing: sharingDocument(sharing, jobs) } };
    return await reportCollection(of, finished, out, args, context);
  } catch (error) {
    await sayInterrupted(out, context);
    throw error;
  } finally {
    for (const unlock of unlocks) unlock();
  }
}

async function runAll(
  studies: readonly StudyToRun[],
  out: string,
  args: Arguments,
  context: Context,
): Promise<RunsTogether> {
  let progress: Progress | undefined;
  try {
    const run = await runTogether(studies, {
      ...executionOf(args, context),
      onProgress: (done, total, share) => {
        progress ??= context.progress(simulationsDone(done), true);
        progress.update(done, total, share);
      },
    });
    progress?.end();
    const shared = sharingText(run.sharing, run.jobs);
    if (shared !== undefined) await context.say(shared);
    const earlier = run.total - run.done;
    if (earlier > 0)
      await context.say(
        `${countOf(earlier, 'simulation')} were in ${out} already; ${run.done} were done now`,
      );
    return run;
  } catch (error) {
    progress?.end();
    throw error;
  }
}
