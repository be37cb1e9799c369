/**
 * All metrics of a run in one table, with the structure of summary.json. The table serves summary.json,
 * studies and sweeps, terminal tables, reports and documentation.
 */

import { isCancelledJob } from '../workload/cancellations.js';
import type { JobFold, JobsOfRun } from './jobFolds.js';
import { countExcludedJobs, FinishedJobOutcomes } from './jobOutcomes.js';
import {
  type Metric,
  makeCountMetric,
  makeFactorMetric,
  makeSecondsMetric,
  makeShareMetric,
  TWO_DECIMAL_METRIC_FORMAT,
} from './metric.js';
import { computeOfferedLoadOfWork } from './offeredLoad.js';
import {
  CANCELLED_JOB_FOLDS,
  CANCELLED_JOB_METRICS,
  KILLED_JOB_FOLDS,
  KILLED_JOB_METRICS,
} from './unfinishedJobs.js';

// The table

/** Metrics of the trials that select the policy in force during the run. */
const CANDIDATE_TRIAL_METRICS = {
  /** Number of submissions after which candidates were tried. */
  times: makeCountMetric({
    core: (measuredRun) => measuredRun.choosing('Trials'),
    noise: 'all',
    label: 'trials of candidates',
    remark: 'each tries all candidates on the waiting jobs',
    topic: 'trials',
    formula: 'number of submissions after which all candidates were tried on the waiting jobs',
    edges: 'all three 0 except with `dynamic`',
  }),
  switches: makeCountMetric({
    core: (measuredRun) => measuredRun.choosing('Switches'),
    noise: 'all',
    label: 'switches between candidates',
    topic: 'trials',
    formula: 'times at which another candidate came into force',
  }),
  jobs: makeCountMetric({
    core: (measuredRun) => measuredRun.choosing('TriedJobs'),
    noise: 'all',
    label: 'jobs started in trials',
    remark: 'what trials cost: candidates that decide alike start a job once',
    topic: 'trials',
    formula: 'starts of jobs in trials, those that candidates have in common counted once',
  }),
} satisfies Readonly<Record<string, Metric>>;

/** Mean of estimate / runtime over jobs with a positive runtime; without terms if the run computes no estimates. */
const makeMeanRatioToRuntimeFold = (timeName: 'estimate' | 'request'): JobFold => ({
  by: 'mean',
  computeTerms: (jobsOfRun) => {
    const usedEstimates = jobsOfRun.estimates();
    if (usedEstimates === undefined) return new Float64Array(0);
    const outcomes = new FinishedJobOutcomes(jobsOfRun);
    const { runtime } = outcomes.jobs;
    const seconds = outcomes.selectMeasured(
      timeName === 'estimate' ? usedEstimates : jobsOfRun.jobColumns().estimate,
    );
    return seconds.map((duration, job) => duration / runtime[job]!).filter((_, job) => runtime[job]! > 0);
  },
});
const ESTIMATE_RATIO_FOLD = makeMeanRatioToRuntimeFold('estimate');
const REQUEST_RATIO_FOLD = makeMeanRatioToRuntimeFold('request');

const UNDERESTIMATED_JOBS_FOLD: JobFold = {
  by: 'sum',
  computeTerms: (jobsOfRun) => {
    const usedEstimates = jobsOfRun.estimates();
    if (usedEstimates === undefined) return new Float64Array(0);
    const { runtime } = jobsOfRun.jobColumns();
    const { patience } = jobsOfRun.workload;
    return usedEstimates.map((seconds, job) =>
      Number(seconds < runtime[job]! && !isCancelledJob(patience, job)),
    );
  },
};

const ESTIMATE_METRIC_EDGE_CASES_TEXT =
  '0 without `--estimates recent`; jobs whose runtime is 0 are excluded';

/** Metrics of estimates, by their names in summary.json. */
const ESTIMATE_METRICS = {
  /** Mean ratio of the estimates used for scheduling to the runtimes. */
  meanEstimateRatio: {
    ofMeasured: true,
    core: (measuredRun) => measuredRun.fold(ESTIMATE_RATIO_FOLD),
    noise: 'all',
    label: 'mean estimate / runtime',
    remark: '1: as long as estimated',
    format: { style: 'measure' },
    topic: 'estimating',
    formula: 'sum of estimate / runtime over n, with the estimate that the job had when it started',
    edges: ESTIMATE_METRIC_EDGE_CASES_TEXT,
  },
  /** Mean ratio of the requested times to the runtimes. */
  meanRequestRatio: {
    ofMeasured: true,
    core: (measuredRun) => measuredRun.fold(REQUEST_RATIO_FOLD),
    noise: 'all',
    label: 'mean requested time / runtime',
    format: { style: 'measure' },
    topic: 'estimating',
    formula: 'sum of requested time / runtime over n',
    edges: ESTIMATE_METRIC_EDGE_CASES_TEXT,
  },
  /** Number of jobs that run longer than estimated. */
  underestimatedJobs: makeCountMetric({
    core: (measuredRun) => measuredRun.fold(UNDERESTIMATED_JOBS_FOLD),
    noise: 'all',
    label: 'jobs longer than estimated',
    topic: 'estimating',
    formula: 'jobs whose estimate is less than their runtime',
    edges: '0 without `--estimates recent`',
  }),
} satisfies Readonly<Record<string, Metric>>;

const ZERO_MAKESPAN_EDGE_CASE_TEXT = '0 if the makespan is 0';
const ZERO_WEIGHT_EDGE_CASE_TEXT = '0 if the weights sum to 0';

// Metrics of the deviation of starts from promised starts, for kept reservations.

/** Difference between start and promised start, in seconds, of every measured job with a promise. */
function computePromiseErrors(jobsOfRun: JobsOfRun): Float64Array {
  const promisedStarts = jobsOfRun.promises();
  if (promisedStarts === undefined) return new Float64Array();
  const outcomes = new FinishedJobOutcomes(jobsOfRun);
  const promisedStartsOfMeasuredJobs = outcomes.selectMeasured(promisedStarts);
  return outcomes.start.map((start, i) => start - promisedStartsOfMeasuredJobs[i]!);
}
const MEAN_PROMISE_ERROR_FOLD: JobFold = { by: 'mean', computeTerms: computePromiseErrors };
const LARGEST_PROMISE_ERROR_FOLD: JobFold = { by: 'maximum', computeTerms: computePromiseErrors };

const EXCLUDED_JOB_COUNT_FOLD: JobFold = {
  by: 'sum',
  computeTerms: (jobsOfRun) => Float64Array.of(countExcludedJobs(jobsOfRun)),
};

/** All folds of metrics. */
export const JOB_FOLDS: readonly JobFold[] = [
  ...KILLED_JOB_FOLDS,
  ...CANCELLED_JOB_FOLDS,
  ...[ESTIMATE_RATIO_FOLD, REQUEST_RATIO_FOLD, UNDERESTIMATED_JOBS_FOLD],
  ...[MEAN_PROMISE_ERROR_FOLD, LARGEST_PROMISE_ERROR_FOLD, EXCLUDED_JOB_COUNT_FOLD],
];

const RESERVATION_EDGE_CASES_TEXT = '0 except with `--reservations kept`';

/** Metrics of reservations, by their names in summary.json. */
const RESERVATION_METRICS = {
  /**
   * Mean of start - promised start in seconds; negative if jobs start earlier. Neither direction is better by
   * itself.
   */
  meanPromiseError: {
    unit: 's',
    format: TWO_DECIMAL_METRIC_FORMAT,
    ofMeasured: true,
    core: (measuredRun) => measuredRun.fold(MEAN_PROMISE_ERROR_FOLD),
    noise: 'all',
    label: 'mean promise error',
    remark: 'start - start promised at the submit',
    topic: 'reserving',
    formula: 'sum of start - promised start / n; below 0 where jobs start earlier than promised',
    edges: RESERVATION_EDGE_CASES_TEXT,
  },
  /** Longest delay of a start after its promise, in seconds. */
  maxPromiseError: makeSecondsMetric({
    ofMeasured: true,
    core: (measuredRun) => measuredRun.fold(LARGEST_PROMISE_ERROR_FOLD),
    noise: 'few',
    label: 'largest delay after the promised start',
    topic: 'reserving',
    formula: 'the largest start - promised start, at least 0',
    edges: RESERVATION_EDGE_CASES_TEXT,
  }),
  /** Number of times that a reservation was moved behind others. */
  movedReservations: makeCountMetric({
    core: (measuredRun) => measuredRun.movedReservations,
    noise: 'all',
    label: 'moved reservations',
    remark: 'lost to jobs that ran longer than estimated',
    topic: 'reserving',
    formula:
      'number of times that a reservation was moved behind others, because a running job passed its predicted end or because the policy let the job of the reservation wait',
    edges: RESERVATION_EDGE_CASES_TEXT,
  }),
} satisfies Readonly<Record<string, Metric>>;

/** Metrics of a whole run, by their names in summary.json. */
const RUN_METRICS = {
  /** Number of simulated jobs; pieces of a job split before the run count separately. */
  jobs: makeCountMetric({
    core: 'Jobs',
    noise: 'all',
    label: 'jobs',
    topic: 'heading',
    formula: 'n',
    edges: 'at least 1: a simulation without jobs is refused',
  }),
  /** Number of jobs excluded as warm-up or cool-down. */
  leftOutJobs: makeCountMetric({
    core: (measuredRun) => measuredRun.fold(EXCLUDED_JOB_COUNT_FOLD),
    noise: 'all',
    label: 'jobs excluded',
    remark: 'from means and percentiles, as warm-up or cool-down',
    topic: 'measuring',
    formula: 'jobs submitted before first submit + warm-up or after last submit - cool-down',
    edges: '0 without `--warm-up` and `--cool-down`',
  }),
  /** Work of the jobs divided by the capacity of the grid between the first and the last submission. */
  offeredLoad: {
    core: (measuredRun) =>
      computeOfferedLoadOfWork(measuredRun.work(), measuredRun.submitSpan, measuredRun.configuration),
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
  /** Mean of end - submit in seconds (Shih et al. 2010, eq. 1). */
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
  /** Time average of the number of waiting jobs over the makespan. */
  averageQueueLengthOverTime: {
    ...makeCountMetric({
      core: 'AverageQueueLengthOverTime',
      noise: 'waits',
      label: 'time-averaged queue length',
      unit: 'jobs',
      formula:
        'sum of (wait - lost) / makespan, which is the mean over time of the number of waiting jobs; lost is the ' +
        'time that a job ran before it was stopped, 0 without reclaiming and outages',
      edges: ZERO_MAKESPAN_EDGE_CASE_TEXT,
    }),
    format: TWO_DECIMAL_METRIC_FORMAT,
    better: 'less',
  },
  /** Maximum observed number of waiting jobs. */
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
  /** Mean of start - submit in seconds. */
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
  /** Mean bounded slowdown: max(1, (wait + execution) / max(10 s, execution)). */
  meanBoundedSlowdown: makeFactorMetric({
    ofMeasured: true,
    core: 'MeanBoundedSlowdown',
    noise: 'waits',
    label: 'bounded slowdown',
    remark: 'mean; runtime bounded below at 10 s',
    formula: 'sum of max(1, (wait + execution) / max(10, execution)), over n',
  }),
  /** Mean response time in seconds, weighted by processors x execution (Zhang et al. 2006, eq. 3). */
  awrt: makeSecondsMetric({
    ofMeasured: true,
    core: 'AverageWeightedResponseTime',
    noise: 'all',
    label: 'average weighted response time',
    remark: 'AWRT, weighted by processors × runtime',
    formula: 'sum of weight × response / sum of weight (Zhang et al. 2006, eq. 3)',
    edges: ZERO_WEIGHT_EDGE_CASE_TEXT,
  }),
  /** Mean wait in seconds with the same weights (Zhang et al. 2006, eq. 4). */
  awwt: makeSecondsMetric({
    ofMeasured: true,
    core: 'AverageWeightedWaitTime',
    noise: 'waits',
    label: 'average weighted wait time',
    remark: 'AWWT, same weights',
    formula: 'sum of weight × wait / sum of weight (Zhang et al. 2006, eq. 4)',
    edges: ZERO_WEIGHT_EDGE_CASE_TEXT,
  }),
  /** Seconds from the first submission to the last completion. */
  makespan: makeSecondsMetric({
    core: 'Makespan',
    noise: 'all',
    label: 'makespan',
    remark: 'first submit to last end',
    formula: 'largest end - first submit',
  }),
  /** Share of the processor-seconds of the makespan that jobs used. */
  utilization: makeShareMetric({
    core: 'Utilization',
    noise: 'all',
    label: 'utilization',
    remark: 'of the available processors, over the makespan',
    formula:
      'sum of busy<sub>j</sub> / (sum of P<sub>j</sub> × makespan), without the processor-seconds that outages have; busy<sub>j</sub> is the sum over jobs of ' +
      'processors held on site j × execution and over the runs that were stopped there of processors × seconds run, as one',
    edges: ZERO_MAKESPAN_EDGE_CASE_TEXT,
  }),
  /** Utilization with processors weighted by speed. */
  capacityUtilization: makeShareMetric({
    core: 'CapacityUtilization',
    noise: 'all',
    label: 'speed-weighted utilization',
    remark: 'of processors × speed',
    formula: 'sum of busy<sub>j</sub> × CS<sub>j</sub> / (sum of P<sub>j</sub> × CS<sub>j</sub> × makespan)',
    edges: ZERO_MAKESPAN_EDGE_CASE_TEXT,
  }),
  /** Speed heterogeneity SH of the grid (Shih et al. 2010, eq. 3). */
  speedHeterogeneity: {
    core: (measuredRun) => measuredRun.speedHeterogeneity,
    noise: 'all',
    label: 'speed heterogeneity',
    format: { style: 'measure' },
    topic: 'heading',
    formula: 'sum of (CS<sub>j</sub> - mean of CS)<sup>2</sup> / m (Shih et al. 2010, eq. 3)',
    edges: '0 for one site',
  },
  /** Number of jobs that ran outside their home site. */
  movedJobs: makeCountMetric({
    core: 'MovedJobs',
    noise: 'all',
    label: 'migrated jobs',
    remark: 'run outside their home site, at least in part',
    needsHomes: true,
    formula: 'jobs that ran on another site than their home, or a part of them',
    edges: 'with `--home none` all jobs count as at home on site 1, and no table shows it',
  }),
  /** Number of preempted runs that started again. */
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
  /** Processor-seconds used by the preempted runs. */
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
  /** Number of jobs that ran on more than one site. */
  splitJobs: makeCountMetric({
    core: 'SplitJobs',
    noise: 'all',
    label: 'jobs on several sites',
    topic: 'splitting',
    formula: 'jobs that ran on more than one site',
    edges: '0 without splitting',
  }),
  /** Number of moldable jobs that ran on fewer processors than requested. */
  scaledDownJobs: makeCountMetric({
    core: 'ScaledDownJobs',
    noise: 'all',
    label: 'jobs scaled down',
    remark: 'run on fewer processors than requested',
    topic: 'scaling',
    formula: 'jobs that ran on fewer processors than they asked for',
    edges: '0 without moldable jobs',
  }),
  /** Number of moldable jobs that ran on more processors than requested. */
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

/** Counts of placements by policies that choose between best-fit and fastest-first. */
const DECISION_METRICS = {
  /** Number of placements for which best-fit and fastest-first chose the same site. */
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
  /** Share of the site's processor-seconds of the makespan that jobs used. */
  utilization: makeShareMetric({
    noise: 'all',
    label: 'utilization',
    formula: 'busy<sub>j</sub> / (P<sub>j</sub> × makespan)',
    edges: ZERO_MAKESPAN_EDGE_CASE_TEXT,
  }),
  /** Number of jobs that ran on the site. */
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
  /** Mean response time in seconds; 0 without jobs. */
  averageResponseTime: makeSecondsMetric({
    ofMeasured: true,
    noise: 'all',
    label: 'their mean response',
    needsHomes: true,
    formula: 'sum of response of these jobs / their number',
    edges: '0 without jobs',
  }),
} satisfies Readonly<Record<string, Metric>>;

/** All metrics by part of the summary. */
export const METRICS_BY_SUMMARY_PART = {
  run: RUN_METRICS,
  decisions: DECISION_METRICS,
  trials: CANDIDATE_TRIAL_METRICS,
  sites: SITE_METRICS_BY_NAME,
  homes: HOME_METRICS,
} as const;
