/**
 * The metrics of a run: one table of them for summary.json, studies and sweeps, tables on the
 * terminal, reports and docs. It is laid out as summary.json is.
 */

import { sumExactly } from '../math/exactSum.js';
import { isCancelledJob } from '../workload/cancellations.js';
import { countExcludedJobs, FinishedJobOutcomes } from './jobOutcomes.js';
import {
  type Metric,
  makeCountMetric,
  makeFactorMetric,
  makeSecondsMetric,
  makeShareMetric,
  TWO_DECIMAL_METRIC_FORMAT,
} from './metric.js';
import { offeredLoad, totalWork } from './offeredLoad.js';
import type { Simulator } from './simulator.js';
import { CANCELLED_JOB_METRICS, KILLED_JOB_METRICS } from './unfinishedJobs.js';

// The table

/** Work of the jobs of each simulator, by the parameters that decide it. */
const workCacheBySimulator = new WeakMap<Simulator, Map<string, number>>();

/** The offered load of the jobs of a simulator on its grid. */
function offeredLoadOfSimulator(simulator: Simulator): number {
  const { grid, load, runtimeReference } = simulator.configuration;
  const decided = JSON.stringify([load, runtimeReference === 'home' ? grid.speeds : []]);
  const works = workCacheBySimulator.get(simulator) ?? new Map<string, number>();
  workCacheBySimulator.set(simulator, works);
  const { patience } = simulator.workload;
  const jobs = { ...simulator.jobColumns(), ...(patience && { patience }) };
  const work = works.get(decided) ?? totalWork(jobs, simulator.configuration);
  works.set(decided, work);
  return offeredLoad(jobs, simulator.configuration, work);
}

/** Metrics on how the policy in force was chosen during the run. */
const CANDIDATE_TRIAL_METRICS = {
  /** Submits after which candidates were tried. */
  times: makeCountMetric({
    core: (simulator) => simulator.choosing('Trials'),
    noise: 'all',
    label: 'trials of candidates',
    remark: 'times at which all were tried on the waiting jobs',
    topic: 'trials',
    formula: 'submits after which candidates were tried',
    edges: 'all three 0 except with `dynamic`',
  }),
  switches: makeCountMetric({
    core: (simulator) => simulator.choosing('Switches'),
    noise: 'all',
    label: 'switches between candidates',
    topic: 'trials',
    formula: 'times at which another candidate came into force',
  }),
  jobs: makeCountMetric({
    core: (simulator) => simulator.choosing('TriedJobs'),
    noise: 'all',
    label: 'jobs started in trials',
    remark: 'what trials cost: candidates that decide alike start a job once',
    topic: 'trials',
    formula: 'starts of jobs in trials, those that candidates have in common counted once',
  }),
} satisfies Readonly<Record<string, Metric>>;

/** The mean of estimate / runtime over jobs that take any time; 0 where the run has no estimates of its own. */
function meanEstimateToRuntimeRatio(simulator: Simulator, of: 'estimate' | 'request'): number {
  const own = simulator.estimates();
  if (own === undefined) return 0;
  const outcomes = new FinishedJobOutcomes(simulator);
  const { runtime } = outcomes.jobs;
  const seconds = outcomes.of(of === 'estimate' ? own : simulator.jobColumns().estimate);
  const jobs = Array.from(runtime.keys()).filter((job) => runtime[job]! > 0);
  return jobs.length > 0
    ? sumExactly(jobs.length, (i) => seconds[jobs[i]!]! / runtime[jobs[i]!]!) / jobs.length
    : 0;
}

function shareOfUnderestimatedJobs(simulator: Simulator): number {
  const own = simulator.estimates();
  if (own === undefined) return 0;
  const { runtime } = simulator.jobColumns();
  const { patience } = simulator.workload;
  const isLonger = (job: number) => own[job]! < runtime[job]! && !isCancelledJob(patience, job);
  return own.reduce((sum, _, job) => sum + Number(isLonger(job)), 0);
}

const ESTIMATE_METRIC_EDGE_CASES = '0 without `--estimates recent`; jobs whose runtime is 0 are excluded';

/** Metrics of estimates, by their names in summary.json. */
const ESTIMATE_METRICS = {
  /** Ratio of the estimates by which jobs were scheduled. */
  meanEstimateRatio: {
    ofMeasured: true,
    core: (simulator) => meanEstimateToRuntimeRatio(simulator, 'estimate'),
    noise: 'all',
    label: 'mean estimate / runtime',
    remark: '1: as long as estimated',
    format: { style: 'measure' },
    topic: 'estimating',
    formula: 'sum of estimate / runtime over n, with the estimate that the job had when it started',
    edges: ESTIMATE_METRIC_EDGE_CASES,
  },
  /** Ratio of the requested times. */
  meanRequestRatio: {
    ofMeasured: true,
    core: (simulator) => meanEstimateToRuntimeRatio(simulator, 'request'),
    noise: 'all',
    label: 'mean requested time / runtime',
    format: { style: 'measure' },
    topic: 'estimating',
    formula: 'sum of requested time / runtime over n',
    edges: ESTIMATE_METRIC_EDGE_CASES,
  },
  /** Jobs that run longer than estimated. */
  underestimatedJobs: makeCountMetric({
    core: shareOfUnderestimatedJobs,
    noise: 'all',
    label: 'jobs longer than estimated',
    topic: 'estimating',
    formula: 'jobs whose estimate is less than their runtime',
    edges: '0 without `--estimates recent`',
  }),
} satisfies Readonly<Record<string, Metric>>;

const ZERO_MAKESPAN_EDGE_CASE = '0 if the makespan is 0';
const ZERO_WEIGHT_EDGE_CASE = '0 if the weights sum to 0';

// Metrics of the deviation of starts from promised starts, for kept reservations.

/** Start less promised start of every job that counts; none where nothing was promised. */
function startMinusPromisedStarts(simulator: Simulator): Float64Array {
  const promised = simulator.promises();
  if (promised === undefined) return new Float64Array();
  const jobs = new FinishedJobOutcomes(simulator);
  const ofJobs = jobs.of(promised);
  return jobs.start.map((start, i) => start - ofJobs[i]!);
}

function meanStartMinusPromisedStart(simulator: Simulator): number {
  const errors = startMinusPromisedStarts(simulator);
  return errors.length > 0 ? sumExactly(errors.length, (i) => errors[i]!) / errors.length : 0;
}

const RESERVATION_METRIC_EDGE_CASES = '0 except with `--reservations kept`';

/** Metrics of reservations, by their names in summary.json. */
const RESERVATION_METRICS = {
  /** Mean of start - promised start; below 0 where jobs start earlier, which is neither good nor bad by itself. */
  meanPromiseError: {
    unit: 's',
    format: TWO_DECIMAL_METRIC_FORMAT,
    ofMeasured: true,
    core: meanStartMinusPromisedStart,
    noise: 'all',
    label: 'mean promise error',
    remark: 'start - start promised at the submit',
    topic: 'reserving',
    formula: 'sum of start - promised start / n; below 0 where jobs start earlier than promised',
    edges: RESERVATION_METRIC_EDGE_CASES,
  },
  /** The longest that a job started later than promised. */
  maxPromiseError: makeSecondsMetric({
    ofMeasured: true,
    core: (simulator) =>
      startMinusPromisedStarts(simulator).reduce((most, error) => Math.max(most, error), 0),
    noise: 'few',
    label: 'largest delay beyond a promise',
    topic: 'reserving',
    formula: 'the largest start - promised start, at least 0',
    edges: RESERVATION_METRIC_EDGE_CASES,
  }),
  /** Times at which a reservation lost its place. */
  movedReservations: makeCountMetric({
    core: (simulator) => simulator.movedReservations,
    noise: 'all',
    label: 'moved reservations',
    remark: 'lost to jobs that ran longer than estimated',
    topic: 'reserving',
    formula:
      'times at which a job that runs longer than predicted took the place of a reservation, or a policy left a job waiting that had one',
    edges: RESERVATION_METRIC_EDGE_CASES,
  }),
} satisfies Readonly<Record<string, Metric>>;

/** Metrics of a whole run, by their names in summary.json. */
const RUN_METRICS = {
  /** Jobs simulated; pieces of a job that was cut before the run count each. */
  jobs: makeCountMetric({
    core: 'Jobs',
    noise: 'all',
    label: 'jobs',
    topic: 'heading',
    formula: 'n',
    edges: 'at least 1: a simulation without jobs is refused',
  }),
  /** Jobs of warm-up and cool-down. */
  leftOutJobs: makeCountMetric({
    core: countExcludedJobs,
    noise: 'all',
    label: 'jobs excluded',
    remark: 'from means and percentiles, as warm-up or cool-down',
    topic: 'measuring',
    formula: 'jobs submitted before first submit + warm-up or after last submit - cool-down',
    edges: '0 without `--warm-up` and `--cool-down`',
  }),
  /** Work of the jobs over what the grid can do while they come. */
  offeredLoad: {
    core: offeredLoadOfSimulator,
    noise: 'all',
    label: 'offered load',
    remark: 'work submitted / (processors × speed × time)',
    format: { style: 'percent', decimals: 2 },
    formula:
      'sum of processors × runtime × load of the home site, over sum of P<sub>j</sub> × CS<sub>j</sub> × (last submit - first submit) as the log has them; ' +
      'with `--runtime-reference home` each term × CS of the home site',
    edges:
      '0 where all submits are at one time; what is done to executions (overheads, transfers, rounding) does not count',
  },
  /** Mean of end - submit (Shih et al. 2010, eq. 1). */
  averageResponseTime: makeSecondsMetric({
    ofMeasured: true,
    core: 'AverageResponseTime',
    noise: 'all',
    label: 'average response time',
    remark: 'submit to end',
    formula: 'sum of response / n (Shih et al. 2010, eq. 1)',
  }),
  /** Mean number of waiting jobs seen just before each of the 2n submissions and completions. */
  averageQueueLength: {
    ...makeCountMetric({
      core: 'AverageQueueLength',
      noise: 'waits',
      label: 'queue length sampled at events',
      unit: 'jobs',
      remark: 'mean over submissions and completions',
      formula:
        'sum of the number of waiting jobs just before each event / 2n, over the n submits and n finishes',
      edges:
        'the job that arrives is not counted; with `batched` too, every single event counts; with independent sites ' +
        'an event counts the jobs that wait for its own site',
    }),
    format: TWO_DECIMAL_METRIC_FORMAT,
    better: 'less',
  },
  /** Mean number of waiting jobs over the makespan. */
  averageQueueLengthOverTime: {
    ...makeCountMetric({
      core: 'AverageQueueLengthOverTime',
      noise: 'waits',
      label: 'time-averaged queue length',
      unit: 'jobs',
      formula:
        'sum of (wait - lost) / makespan, which is the mean over time of the number of waiting jobs; lost is the ' +
        'time that a job ran before it was stopped, 0 without reclaiming and outages',
      edges: ZERO_MAKESPAN_EDGE_CASE,
    }),
    format: TWO_DECIMAL_METRIC_FORMAT,
    better: 'less',
  },
  /** The largest number of waiting jobs that was seen. */
  largestQueue: {
    ...makeCountMetric({
      core: 'LargestQueue',
      noise: 'few',
      label: 'maximum queue length',
      unit: 'jobs',
      formula: 'the largest number of waiting jobs just before an event',
    }),
    better: 'less',
  },
  /** Mean of start - submit. */
  meanWait: makeSecondsMetric({
    ofMeasured: true,
    core: 'MeanWait',
    noise: 'waits',
    label: 'mean wait',
    formula: 'sum of wait / n',
  }),
  maxWait: makeSecondsMetric({
    ofMeasured: true,
    core: 'MaxWait',
    noise: 'few',
    label: 'maximum wait',
    formula: 'the largest wait',
  }),
  /** Mean of (wait + execution) / execution, 1 for an execution of 0. */
  meanSlowdown: makeFactorMetric({
    ofMeasured: true,
    core: 'MeanSlowdown',
    noise: 'waits',
    label: 'mean slowdown (unbounded)',
    remark: '(wait + runtime) / runtime',
    formula: 'sum of (wait + execution) / execution, over n',
    edges: '1 for a job whose execution is 0',
  }),
  /** Mean of max(1, (wait + execution) / max(10 s, execution)). */
  meanBoundedSlowdown: makeFactorMetric({
    ofMeasured: true,
    core: 'MeanBoundedSlowdown',
    noise: 'waits',
    label: 'bounded slowdown',
    remark: 'mean; runtime bounded below at 10 s',
    formula: 'sum of max(1, (wait + execution) / max(10, execution)), over n',
  }),
  /** Mean of response weighted by processors x execution (Zhang et al. 2006, eq. 3). */
  awrt: makeSecondsMetric({
    ofMeasured: true,
    core: 'AverageWeightedResponseTime',
    noise: 'all',
    label: 'average weighted response time',
    remark: 'AWRT, weighted by processors × runtime',
    formula: 'sum of weight × response / sum of weight (Zhang et al. 2006, eq. 3)',
    edges: ZERO_WEIGHT_EDGE_CASE,
  }),
  /** Mean of wait with the same weights (Zhang et al. 2006, eq. 4). */
  awwt: makeSecondsMetric({
    ofMeasured: true,
    core: 'AverageWeightedWaitTime',
    noise: 'waits',
    label: 'average weighted wait time',
    remark: 'AWWT, same weights',
    formula: 'sum of weight × wait / sum of weight (Zhang et al. 2006, eq. 4)',
    edges: ZERO_WEIGHT_EDGE_CASE,
  }),
  /** Seconds from the first submit to the last end. */
  makespan: makeSecondsMetric({
    core: 'Makespan',
    noise: 'all',
    label: 'makespan',
    remark: 'first submit to last end',
    formula: 'largest end - first submit',
  }),
  /** Share of all processor-seconds of the makespan that were used. */
  utilization: makeShareMetric({
    core: 'Utilization',
    noise: 'all',
    label: 'utilization',
    remark: 'of all processors, over the makespan',
    formula:
      'sum of busy<sub>j</sub> / (sum of P<sub>j</sub> × makespan); busy<sub>j</sub> is the sum over jobs of ' +
      'processors held on site j × execution and over the runs that were stopped there of processors × seconds run, as one',
    edges: ZERO_MAKESPAN_EDGE_CASE,
  }),
  /** Utilization with processors weighted by speed. */
  capacityUtilization: makeShareMetric({
    core: 'CapacityUtilization',
    noise: 'all',
    label: 'speed-weighted utilization',
    remark: 'of processors × speed',
    formula: 'sum of busy<sub>j</sub> × CS<sub>j</sub> / (sum of P<sub>j</sub> × CS<sub>j</sub> × makespan)',
    edges: ZERO_MAKESPAN_EDGE_CASE,
  }),
  /** SH of the grid (Shih et al. 2010, eq. 3). */
  speedHeterogeneity: {
    core: (simulator) => simulator.speedHeterogeneity,
    noise: 'all',
    label: 'speed heterogeneity',
    format: { style: 'measure' },
    topic: 'heading',
    formula: 'sum of (CS<sub>j</sub> - mean of CS)<sup>2</sup> / m (Shih et al. 2010, eq. 3)',
    edges: '0 for one site',
  },
  /** Jobs that ran away from home. */
  movedJobs: makeCountMetric({
    core: 'MovedJobs',
    noise: 'all',
    label: 'migrated jobs',
    remark: 'run outside their home site, at least in part',
    needsHomes: true,
    formula: 'jobs that ran on another site than their home, or a part of them',
    edges: 'with `--home none` all jobs count as at home on site 1, and no table shows it',
  }),
  /** Runs that were stopped and begun again. */
  restarts: makeCountMetric({
    core: 'Restarts',
    noise: 'all',
    label: 'stopped runs',
    remark: 'stopped by reclaiming or an outage, and begun again',
    topic: 'stopping',
    formula:
      'runs that were stopped by reclaiming or outages, the lines of stops.csv; a job may be stopped more than once',
    edges: '0 without reclaiming and outages',
  }),
  /** Processor-seconds that the stopped runs had used. */
  lostProcessorSeconds: makeCountMetric({
    unit: 'processor-seconds',
    core: 'LostProcessorSeconds',
    noise: 'all',
    label: 'work lost in stopped runs',
    topic: 'stopping',
    formula: 'sum of processors × seconds run, over the stopped runs',
    edges: '0 without reclaiming and outages',
  }),
  ...KILLED_JOB_METRICS,
  ...CANCELLED_JOB_METRICS,
  ...ESTIMATE_METRICS,
  ...RESERVATION_METRICS,
  /** Jobs that ran on more than one site. */
  splitJobs: makeCountMetric({
    core: 'SplitJobs',
    noise: 'all',
    label: 'jobs on several sites',
    topic: 'splitting',
    formula: 'jobs that ran on more than one site',
    edges: '0 without splitting',
  }),
  /** Moldable jobs that ran on fewer processors than requested. */
  scaledDownJobs: makeCountMetric({
    core: 'ScaledDownJobs',
    noise: 'all',
    label: 'jobs scaled down',
    remark: 'run on fewer processors than requested',
    topic: 'scaling',
    formula: 'jobs that ran on fewer processors than they asked for',
    edges: '0 without moldable jobs',
  }),
  /** Moldable jobs that ran on more processors than requested. */
  scaledUpJobs: makeCountMetric({
    core: 'ScaledUpJobs',
    noise: 'all',
    label: 'jobs scaled up',
    remark: 'run on more processors than requested',
    topic: 'scaling',
    formula: 'jobs that ran on more processors than they asked for',
    edges: '0 except with `up-down`',
  }),
} satisfies Readonly<Record<string, Metric>>;

/** Placements of policies that weigh best-fit against fastest-first. */
const DECISION_METRICS = {
  /** Both named the same site. */
  agreed: makeCountMetric({
    unit: 'placements',
    core: 'DecisionsAgreed',
    noise: 'all',
    label: 'decisions: same site',
    remark: 'best-fit and fastest-first agreed',
    topic: 'decisions',
    formula: 'placements where best-fit and fastest-first chose the same site',
    edges: 'all three 0 for policies that do not compare the two',
  }),
  bestFit: makeCountMetric({
    unit: 'placements',
    core: 'DecisionsBestFit',
    noise: 'all',
    label: 'decisions: best-fit',
    remark: 'they differed',
    topic: 'decisions',
    formula: "placements where they differed and best-fit's site was taken",
  }),
  fastestFirst: makeCountMetric({
    unit: 'placements',
    core: 'DecisionsFastestFirst',
    noise: 'all',
    label: 'decisions: fastest-first',
    remark: 'they differed',
    topic: 'decisions',
    formula: "placements where they differed and fastest-first's site was taken",
  }),
} satisfies Readonly<Record<string, Metric>>;

/** Metrics of each site. */
const SITE_METRICS_BY_NAME = {
  /** Share of its processor-seconds of the makespan that were used. */
  utilization: makeShareMetric({
    noise: 'all',
    label: 'utilization',
    formula: 'busy<sub>j</sub> / (P<sub>j</sub> × makespan)',
    edges: ZERO_MAKESPAN_EDGE_CASE,
  }),
  /** Jobs that ran on the site. */
  jobs: makeCountMetric({
    noise: 'all',
    label: 'jobs run',
    formula: 'jobs that ran on the site; a split job counts at each of its sites',
    edges: 'stopped runs do not count',
  }),
} satisfies Readonly<Record<string, Metric>>;

/** Metrics of the jobs at home on each site. */
const HOME_METRICS = {
  jobs: makeCountMetric({
    ofMeasured: true,
    noise: 'all',
    label: 'local jobs',
    needsHomes: true,
    formula: 'jobs at home on the site',
  }),
  /** Seconds; 0 without jobs. */
  averageResponseTime: makeSecondsMetric({
    ofMeasured: true,
    noise: 'all',
    label: 'their mean response',
    needsHomes: true,
    formula: 'sum of response of these jobs / their number',
    edges: '0 without jobs',
  }),
} satisfies Readonly<Record<string, Metric>>;

/** The table. */
export const METRICS_BY_SUMMARY_PART = {
  run: RUN_METRICS,
  decisions: DECISION_METRICS,
  trials: CANDIDATE_TRIAL_METRICS,
  sites: SITE_METRICS_BY_NAME,
  homes: HOME_METRICS,
} as const;
