/** Planning studies from the command line, and saying what comes of it. */
import { countOf, formatDuration, formatNumber } from '../format/numbers.js';
import { formatFacts } from '../format/table.js';
import { type ExpectedTime, expectedTime, jobsOfRuns } from '../runner/expectedTime.js';
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
import { threadsOf } from './threads.js';
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
  const { plan } = planned;
  const { runs, points, workloads } = plan;
  const jobs = jobsOfRuns(plan);
  const counts = { settings: points.length, simulations: runs.length, workloads: workloads.length, jobs };
  const expected = await expectedTime(planned);
  if (args.has('json')) {
    const time = expected && { expectedSeconds: Math.ceil(expected.seconds) };
    await context.printJson({ ...counts, ...time, runs: [...runs].map(({ id }) => id) });
  } else {
    const facts = Object.entries({ ...counts }).map(([what, count]) => [what, formatNumber(count)] as const);
    const time = expected && (['time in one thread', `at most about ${inWords(expected)}`] as const);
    await context.print(formatFacts(time ? [...facts, time] : facts, context.colors));
  }
  return 0;
}

const inWords = ({ seconds }: ExpectedTime) => formatDuration(Math.ceil(seconds));

/** Says how long a study will take, where it is long, before it begins. */
export async function sayExpectedTime(planned: Planned, args: Arguments, context: Context): Promise<void> {
  const expected = await expectedTime(planned);
  if (expected === undefined) return;
  const threads = threadsOf(args);
  const seconds = Math.ceil(expected.seconds / threads);
  await context.say(
    `${countOf(planned.plan.runs.length, 'simulation')} of ${formatNumber(jobsOfRuns(planned.plan))} jobs: expect ${formatDuration(seconds)} ` +
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
