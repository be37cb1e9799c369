/** What a person has to know of the jobs of a study before trusting its results. */
import { usesEstimates } from '../options/rules.js';
import { missingEstimates } from '../workload/estimates.js';
import { type Plan, type PlannedWorkload, parametersOf } from './plan.js';

/** The workloads in which runtimes stand in for estimates that decide a run. */
export function workloadsWithoutEstimates({ runs, workloads }: Plan): PlannedWorkload[] {
  const deciding = new Set<number>();
  for (const { workload, policy, common } of runs) {
    if (missingEstimates(workloads[workload]) === undefined || deciding.has(workload)) continue;
    if (usesEstimates(parametersOf({ policy, common }))) deciding.add(workload);
  }
  return [...deciding].map((workload) => workloads[workload]);
}
