/** Planning studies from the command line, and saying what comes of it. */
import { countOf, formatNumber } from '../format/numbers.js';
import { formatFacts } from '../format/table.js';
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
export async function sayPlan(
  { runs, points, workloads }: Plan,
  args: Arguments,
  context: Context,
): Promise<number> {
  let jobs = 0;
  for (let run = 0; run < runs.length; run++) jobs += workloads[runs.workload(run)].jobs;
  const counts = { settings: points.length, simulations: runs.length, workloads: workloads.length, jobs };
  if (args.has('json')) await context.printJson({ ...counts, runs: [...runs].map(({ id }) => id) });
  else {
    const facts = Object.entries({ ...counts }).map(([what, count]) => [what, formatNumber(count)] as const);
    await context.print(formatFacts(facts, context.colors));
  }
  return 0;
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
