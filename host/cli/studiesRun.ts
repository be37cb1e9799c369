/** Running several studies as one from the command line: what they have in common is simulated once. */
import { join } from 'node:path';
import type { Figure } from '../draw/types.js';
import { InputError } from '../errors.js';
import { countOf, formatNumber } from '../format/numbers.js';
import { formatFacts } from '../format/table.js';
import { collectionReport, type ReportedStudy } from '../report/collectionReport.js';
import { type DrawnReport, drawReport, writeReport } from '../report/fromFolder.js';
import { lockStudyFolder } from '../runner/folder.js';
import type { Planned, PlanOptions } from '../runner/planStudy.js';
import { type RunsTogether, runTogether, type StudyToRun } from '../runner/run.js';
import { Threads } from '../runner/threads.js';
import { countDifferent } from '../runner/twins.js';
import type { Study } from '../study/definition.js';
import { reportText } from '../text/report.js';
import { sharingDocument, sharingText } from '../text/studySharing.js';
import { sourceWord } from '../trace/quote.js';
import type { Arguments } from './arguments.js';
import { type Context, type Progress, simulationsDone } from './context.js';
import { planAndTell } from './planned.js';
import { isForSlurm } from './slurmRun.js';
import { executionOf, writeTables } from './studyRun.js';

/** Plans studies and runs them together, each in its folder below one, with a page over all; returns the exit code. */
export async function runStudies(
  title: string,
  studies: readonly Study[],
  given: readonly PlanOptions[],
  args: Arguments,
  context: Context,
): Promise<number> {
  for (const name of ['shard', 'shards', 'only']) {
    if (args.has(name)) throw new InputError(`--${name} is for one study; give it with each of these alone`);
  }
  if (isForSlurm(args)) {
    throw new InputError('--engine slurm is for one study at a time; give it with each of these alone');
  }
  const names = studies.map(({ name }) => name);
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined)
    throw new InputError(`two of the studies are called ${twice}; run them one by one`);
  const out = args.text('out') ?? join('results', title);
  const planned = await planAndTell(studies, given, args, context);
  if (args.has('dry-run')) return sayPlans(studies, planned, args, context);
  const toRun = studies.map((study, i) => ({ study, planned: planned[i], out: join(out, study.name) }));
  const unlocks: (() => void)[] = [];
  try {
    for (const { out: folder } of toRun) {
      unlocks.push(await lockStudyFolder(folder, (sentence) => void context.say(sentence)));
    }
    const run = await runAll(toRun, out, args, context);
    return await reportAll(title, toRun, run, out, args, context);
  } finally {
    for (const unlock of unlocks) unlock();
  }
}

/** Says what the plans come to. */
async function sayPlans(
  studies: readonly Study[],
  planned: readonly Planned[],
  args: Arguments,
  context: Context,
): Promise<number> {
  const simulations = countDifferent(planned);
  if (args.has('json')) {
    const each = studies.map(({ name }, i) => ({ name, simulations: planned[i].plan.runs.length }));
    await context.printJson({ simulations, studies: each });
    return 0;
  }
  const facts = studies.map(({ name }, i) => [name, formatNumber(planned[i].plan.runs.length)] as const);
  const all = [...facts, ['different simulations', formatNumber(simulations)] as const];
  await context.print(formatFacts(all, context.colors));
  return 0;
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
    if (context.io.signal.aborted) {
      await context.say(
        `interrupted; what is done is in ${out}, and the same command with --out ${sourceWord(out)} resumes`,
      );
    }
    throw error;
  }
}

async function reportAll(
  title: string,
  studies: readonly StudyToRun[],
  { outcomes, total, jobs, sharing: shared }: RunsTogether,
  out: string,
  args: Arguments,
  context: Context,
): Promise<number> {
  const reported: ReportedStudy[] = [];
  const drawn: Promise<DrawnReport>[] = [];
  const pages: string[] = [];
  const progress = context.progress((done, count) => `${done} of ${count} reports`, true);
  // Figures are drawn while the tables of the next study are made.
  const drawing = new Threads<Figure, string>('../report/drawThread.js', 1, undefined);
  try {
    for (const [i, { study, out: folder }] of studies.entries()) {
      const { plan, results } = outcomes[i];
      if (results === undefined) throw new Error('a shard has no report');
      progress.update(i, studies.length);
      const report = await writeTables(study, plan, results, folder, context);
      reported.push({ name: study.name, simulations: plan.runs.length, report });
      drawn.push(drawReport(report, (figure) => drawing.one(figure)));
    }
    for (const [i, { out: folder }] of studies.entries())
      pages.push(await writeReport(await drawn[i], folder, context.io.signal));
  } finally {
    // What is still being drawn when something else has failed is given up.
    await Promise.allSettled([drawing.close(), ...drawn]);
  }
  progress.end();
  const command = ['gridalloc', 'study', 'run', args.line()].join(' ');
  const report = collectionReport(title, reported, total, command);
  const page = await writeReport({ report, pictures: [] }, out, context.io.signal);
  if (args.has('json')) {
    const each = reported.map(({ name, simulations, report: { title: heading, checks } }, i) => ({
      ...{ name, title: heading, simulations, report: pages[i], checks },
    }));
    const asked = reported.reduce((sum, { simulations }) => sum + simulations, 0);
    const sharing = sharingDocument(shared, jobs);
    const counts = { simulations: total, sameSimulations: asked - total, sharing };
    await context.printJson({ title, out, report: page, ...counts, studies: each });
  } else if (!args.has('quiet'))
    await context.print(`${reportText(report, context.colors)}\n\nThe report is ${page}`);
  return 0;
}
