/** What a person has to know of the jobs of a study before trusting its results. */
import { usesEstimates } from '../options/rules.js';
import { missingEstimates } from '../workload/estimates.js';
import type { Plan, PlannedWorkload } from './plan.js';

/** The workloads in which runtimes stand in for estimates that decide a run. */
export function workloadsWithoutEstimates({ runs, workloads }: Plan): PlannedWorkload[] {
  const deciding = new Set<number>();
  for (let run = 0; run < runs.length; run++) {
    const workload = runs.workload(run);
    if (missingEstimates(workloads[workload]) === undefined || deciding.has(workload)) continue;
    if (usesEstimates(runs.parameters(run))) deciding.add(workload);
  }
  return [...deciding].map((workload) => workloads[workload]);
}
