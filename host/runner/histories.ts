/** Runs that begin as one: the same jobs, grid and options under different policies. */
import { jobMetricsIn } from '../study/runValues.js';
import type { DependencyCounts } from '../workload/workload.js';
import type { Planned } from './planStudy.js';

/** Runs of a study that are to be done. */
export interface Wanted {
  readonly planned: Planned;
  /** Their places in the plan. */
  readonly runs: Uint32Array;
}

/** A run among those that are wanted: which of the studies, and where it stands in its plan. */
export type RunPlace = readonly [study: number, run: number];

/** Runs that begin as one, in the order of their plans. */
export type History = readonly RunPlace[];

/** All that is to be done with the same jobs. */
export interface JobsInUse {
  readonly name: string;
  /** How many there are. */
  readonly jobs: number;
  /** As in their workload, without the users. */
  readonly recent: { readonly n: number } | undefined;
  /** As in their workload. */
  readonly unestimated: true | undefined;
  /** As in the accounting of their workload. */
  readonly dependencies: DependencyCounts | undefined;
  /** A study that can make them, and which of its workloads they are. */
  readonly madeBy: readonly [study: number, workload: number];
  readonly histories: readonly History[];
}

/**
 * Groups runs by their jobs, then by their histories.
 * @param areShared whether runs begin as one at all; otherwise each is a history of its own.
 */
export function groupRuns(wanted: readonly Wanted[], areShared: boolean): JobsInUse[] {
  const byJobs = new Map<string, Omit<JobsInUse, 'histories'> & { readonly histories: RunPlace[][] }>();
  const byText = new Map<string, RunPlace[]>();
  for (const [study, { planned, runs }] of wanted.entries()) {
    const { plan } = planned;
    const numbers = plan.runs.histories();
    const known = new Map<number, RunPlace[]>();
    for (const run of runs) {
      let history = areShared ? known.get(numbers[run]) : undefined;
      if (history === undefined) {
        const workload = plan.runs.workload(run);
        const { sha256, name, jobs, recent, unestimated, accounting } = plan.workloads[workload];
        const { dependencies } = accounting;
        const inUse = byJobs.get(sha256) ?? {
          ...{ name, jobs, recent, unestimated, dependencies },
          madeBy: [study, workload] as const,
          histories: [],
        };
        byJobs.set(sha256, inUse);
        const text = areShared && wanted.length > 1 ? historyText(planned, run) : undefined;
        history = text === undefined ? undefined : byText.get(text);
        if (history === undefined) {
          history = [];
          inUse.histories.push(history);
          if (text !== undefined) byText.set(text, history);
        }
        known.set(numbers[run], history);
      }
      history.push([study, run]);
    }
  }
  return [...byJobs.values()];
}

/** What runs of several studies that begin as one have in common. */
function historyText({ plan }: Planned, run: number): string {
  const { policy: _, ...common } = plan.runs.parameters(run);
  return JSON.stringify([plan.workloads[plan.runs.workload(run)].sha256, common, jobMetricsIn(plan.metrics)]);
}

/** Cuts runs into so many parts, one after the other, as equal as can be; none is empty. */
export function cutRuns(runs: History, parts: number): History[] {
  const count = Math.min(parts, runs.length);
  return Array.from({ length: count }, (_, i) =>
    runs.slice(Math.floor((i * runs.length) / count), Math.floor(((i + 1) * runs.length) / count)),
  );
}
