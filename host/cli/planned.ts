/** Planning studies from the command line, and saying what comes of it. */
import { countOf, formatDuration, formatNumber } from '../format/numbers.js';
import { formatFacts } from '../format/table.js';
import { type ExpectedTime, extentOf } from '../runner/expectedTime.js';
import { type Planned, type PlanOptions, planStudies } from '../runner/planStudy.js';
import type { Study } from '../study/definition.js';
import type { Plan } from '../study/plan.js';
import { workloadsWithoutEstimates } from '../study/remarks.js';
import { ALIKE_ON_ONE_SITE } from '../text/comparison.js';
import type { Trace } from '../trace/trace.js';
import { dependencyRemark } from '../workload/dependencies.js';
import { missingEstimates } from '../workload/estimates.js';
import type { Arguments } from './arguments.js';
import type { Context } from './context.js';
import { coreWords } from './options.js';
import { sharingOf, threadsOf } from './threads.js';
import { sayLeftOut } from './workload.js';

/** Workloads of which something is told at the terminal. */
const MOST_TOLD = 5;

/** Plans studies, and tells what a user should know before they run. */
export async function planAndTell(
  studies: readonly Study[],
  given: readonly PlanOptions[],
  args: Arguments,
  context: Context,
): Promise<Planned[]> {
  const logs: Trace[] = [];
  const options = studies.map(
    (study, i): PlanOptions => ({
      ...given[i],
      command: [...(given[i].command ?? ['study', 'run', study.name]), ...coreWords(args)],
      allowMany: args.has('yes'),
      allowCode: given[i].allowCode ?? args.has('allow-code'),
      onRead: (trace) => logs.push(trace),
      onProgress: () => context.pause(),
    }),
  );
  const planned = await planStudies(studies, options);
  for (const log of logs) await sayLeftOut(log, context);
  await sayRemarks(planned, context);
  if (planned.every(({ plan }) => areAlike(plan))) await context.say(ALIKE_ON_ONE_SITE);
  return planned;
}

/** Says what a plan comes to. */
export async function sayPlan(planned: Planned, args: Arguments, context: Context): Promise<number> {
  const { runs, points, workloads } = planned.plan;
  const { simulations, jobs, expected } = await extentOf([planned], sharingOf(args));
  const counts = { settings: points.length, simulations, workloads: workloads.length, jobs };
  if (args.has('json')) {
    await context.printJson({ ...counts, ...expectedSeconds(expected), runs: [...runs].map(({ id }) => id) });
  } else {
    const facts = Object.entries(counts).map(([what, count]) => [what, formatNumber(count)] as const);
    await context.print(formatFacts([...facts, ...timeFact(expected)], context.colors));
  }
  return 0;
}

/** Says what the plans of several studies come to. */
export async function sayPlans(
  studies: readonly Study[],
  planned: readonly Planned[],
  args: Arguments,
  context: Context,
): Promise<number> {
  const { simulations, expected } = await extentOf(planned, sharingOf(args));
  const each = studies.map(({ name }, i) => ({ name, simulations: planned[i].plan.runs.length }));
  if (args.has('json')) {
    await context.printJson({ simulations, ...expectedSeconds(expected), studies: each });
    return 0;
  }
  const facts = each.map(({ name, simulations: own }) => [name, formatNumber(own)] as const);
  const all = [...facts, ['simulations in all', formatNumber(simulations)] as const];
  await context.print(formatFacts([...all, ...timeFact(expected)], context.colors));
  return 0;
}

const expectedSeconds = (expected: ExpectedTime | undefined) =>
  expected && { expectedSeconds: Math.ceil(expected.seconds) };

const timeFact = (expected: ExpectedTime | undefined) =>
  expected === undefined
    ? []
    : [['time in one thread', `at most about ${formatDuration(Math.ceil(expected.seconds))}`] as const];

/** Says how long studies will take, where they are long, before they begin. */
export async function sayExpectedTime(
  planned: readonly Planned[],
  args: Arguments,
  context: Context,
): Promise<void> {
  const { simulations, jobs, expected } = await extentOf(planned, sharingOf(args));
  if (expected === undefined) return;
  const threads = threadsOf(args);
  const seconds = Math.ceil(expected.seconds / threads);
  await context.say(
    `${countOf(simulations, 'simulation')} of ${formatNumber(jobs)} jobs: expect ${formatDuration(seconds)} ` +
      `with ${countOf(threads, 'thread')}, by ${countOf(expected.samples, 'run')} of them; less where runs share histories or are done already`,
  );
}

/**
 * Says where runtimes stand in for estimates that decide, and how many jobs depend on others; workloads that differ in
 * other things are told once.
 */
async function sayRemarks(planned: readonly Planned[], context: Context): Promise<void> {
  const lacking = planned.flatMap(({ plan }) => workloadsWithoutEstimates(plan));
  const all = planned.flatMap(({ plan }) => plan.workloads);
  const sentences = new Set([...lacking.map(missingEstimates), ...all.map(dependencyRemark)]);
  sentences.delete(undefined);
  for (const sentence of [...sentences].slice(0, MOST_TOLD)) await context.say(sentence as string);
  const more = sentences.size - MOST_TOLD;
  if (more > 0) await context.say(`and so in ${countOf(more, 'workload')} more`);
}

/** Whether policies are compared where there is nothing to choose. */
function areAlike({ runs }: Plan): boolean {
  const policies = new Set<string>();
  for (let run = 0; run < runs.length; run++) {
    if (runs.parameter(run, 'sites').length > 1) return false;
    policies.add(runs.parameter(run, 'policy'));
  }
  return policies.size > 1;
}
