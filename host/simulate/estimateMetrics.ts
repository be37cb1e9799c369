/** How good estimates are that a run finds itself, beside what jobs request. */
import { exactSum } from '../math/exactSum.js';
import { count, type Metric } from './metric.js';
import type { Simulator } from './simulator.js';

/** The mean of estimate / runtime over jobs that take any time; 0 where the run has no estimates of its own. */
function meanRatio(simulator: Simulator, of: 'estimate' | 'request'): number {
  const own = simulator.estimates();
  if (own === undefined) return 0;
  const { runtime, estimate: request } = simulator.jobColumns();
  const jobs = Array.from(runtime.keys()).filter((job) => runtime[job] > 0);
  const seconds = of === 'estimate' ? own : request;
  return jobs.length > 0
    ? exactSum(jobs.length, (i) => seconds[jobs[i]] / runtime[jobs[i]]) / jobs.length
    : 0;
}

function underestimated(simulator: Simulator): number {
  const own = simulator.estimates();
  if (own === undefined) return 0;
  const { runtime } = simulator.jobColumns();
  return own.reduce((sum, seconds, job) => sum + Number(seconds < runtime[job]), 0);
}

const EDGES = '0 without `--estimates recent`; jobs whose runtime is 0 are left out';

/** Metrics of estimates, by their names in summary.json. */
export const ESTIMATE_METRICS = {
  /** Of the estimates by which jobs were scheduled. */
  meanEstimateRatio: {
    core: (simulator) => meanRatio(simulator, 'estimate'),
    label: 'mean estimate / runtime',
    remark: '1: as long as estimated',
    format: { style: 'measure' },
    topic: 'estimating',
    formula: 'sum of estimate / runtime over n, with the estimate that the job had from its submit on',
    edges: EDGES,
  },
  /** Of what the jobs request. */
  meanRequestRatio: {
    core: (simulator) => meanRatio(simulator, 'request'),
    label: 'mean requested time / runtime',
    format: { style: 'measure' },
    topic: 'estimating',
    formula: 'sum of requested time / runtime over n',
    edges: EDGES,
  },
  /** Jobs that run longer than estimated. */
  underestimatedJobs: count({
    core: underestimated,
    label: 'jobs longer than estimated',
    topic: 'estimating',
    formula: 'jobs whose estimate is less than their runtime',
    edges: '0 without `--estimates recent`',
  }),
} satisfies Readonly<Record<string, Metric>>;
