/** Metrics of jobs that did not complete: killed at their requested time or by an outage, or cancelled. */
import type { CoreRun } from '../core/host.js';
import { InputError } from '../errors.js';
import type { JobQuantity } from '../jobs/quantities.js';
import { isCancelledJob } from '../workload/cancellations.js';
import type { Workload } from '../workload/workload.js';
import type { JobFold, JobsOfRun, MeasuredRun } from './jobFolds.js';
import { FinishedJobOutcomes } from './jobOutcomes.js';
import { type Metric, makeCountMetric, makeFactorMetric, makeSecondsMetric } from './metric.js';

/**
 * Flags (1) of jobs killed at their requested times, or ended by outages; undefined if there are none.
 * @param endedByOutages indices of the jobs that outages have ended.
 */
export function computeKilledJobFlags(
  { killed, count: jobCount }: Pick<Workload, 'killed' | 'count'>,
  endedByOutages: Int32Array | undefined,
): Uint8Array | undefined {
  if (endedByOutages === undefined || endedByOutages.length === 0) return killed;
  const flags = new Uint8Array(jobCount);
  if (killed !== undefined) flags.set(killed);
  for (const job of endedByOutages) flags[job] = 1;
  return flags;
}

const computeKilledJobFlagsOfRun = (jobsOfRun: JobsOfRun) =>
  computeKilledJobFlags(jobsOfRun.workload, jobsOfRun.endedByOutages());

/**
 * Checks that some job of a finished run was not cancelled, since metrics cover only such jobs.
 * @throws InputError if all its jobs were cancelled.
 */
export function checkSomeJobLeft({ isMeasured }: Pick<CoreRun, 'isMeasured'>): void {
  if (!isMeasured)
    throw new InputError('every job was cancelled, so there are no metrics; give other jobs, too');
}

const KILLED_JOBS_FOLD: JobFold = {
  by: 'sum',
  computeTerms: (jobsOfRun) => Float64Array.from(computeKilledJobFlagsOfRun(jobsOfRun) ?? []),
};

/** Processors × execution of all killed jobs. */
const WORK_OF_KILLED_JOBS_FOLD: JobFold = {
  by: 'sum',
  computeTerms: (jobsOfRun) => {
    const killed = computeKilledJobFlagsOfRun(jobsOfRun);
    if (killed === undefined) return new Float64Array(0);
    const { held: heldProcessors, execution } = jobsOfRun.outcomes();
    const { processors } = jobsOfRun.jobColumns();
    const allocated = heldProcessors.length === 0 ? processors : heldProcessors;
    return execution.map((seconds, job) => (killed[job] ? allocated[job]! * seconds : 0));
  },
};

/** Mean of a quantity over the measured jobs that were not killed; 0 in runs that kill no job. */
const makeMeanOfCompletedJobsFold = (quantity: JobQuantity): JobFold => ({
  by: 'mean',
  computeTerms: (jobsOfRun) => {
    const killed = computeKilledJobFlagsOfRun(jobsOfRun);
    // The jobs of a part may all have completed although others of the run are killed.
    if (killed === undefined && jobsOfRun.configuration.onOutage !== 'kill') return new Float64Array(0);
    const outcomes = new FinishedJobOutcomes(jobsOfRun);
    const valuesOfJobs = outcomes.values(quantity);
    if (killed === undefined) return valuesOfJobs;
    const killFlagsOfMeasuredJobs = outcomes.selectMeasured(killed);
    return valuesOfJobs.filter((_, i) => !killFlagsOfMeasuredJobs[i]);
  },
});
const MEAN_COMPLETED_RESPONSE_FOLD = makeMeanOfCompletedJobsFold('response');
const MEAN_COMPLETED_WAIT_FOLD = makeMeanOfCompletedJobsFold('wait');
const MEAN_COMPLETED_SLOWDOWN_FOLD = makeMeanOfCompletedJobsFold('boundedSlowdown');

/** Folds of the metrics of killed jobs. */
export const KILLED_JOB_FOLDS: readonly JobFold[] = [
  KILLED_JOBS_FOLD,
  WORK_OF_KILLED_JOBS_FOLD,
  MEAN_COMPLETED_RESPONSE_FOLD,
  MEAN_COMPLETED_WAIT_FOLD,
  MEAN_COMPLETED_SLOWDOWN_FOLD,
];

/** Mean over the jobs that were not killed; the core's mean over all jobs if no job was killed. */
const makeCompletedJobMetric =
  (fold: JobFold, metric: 'AverageResponseTime' | 'MeanWait' | 'MeanBoundedSlowdown') =>
  (measuredRun: MeasuredRun) =>
    measuredRun.fold(KILLED_JOBS_FOLD) > 0 ? measuredRun.fold(fold) : measuredRun.metric(metric);

const KILL_METRIC_EDGE_CASES_TEXT = '0 where every job was killed';

/** Metrics of killed jobs, and means without killed jobs, by their names in summary.json. */
export const KILLED_JOB_METRICS = {
  /** Number of jobs killed at their requested time or by an outage. */
  killedJobs: makeCountMetric({
    core: (measuredRun) => measuredRun.fold(KILLED_JOBS_FOLD),
    noise: 'all',
    label: 'killed jobs',
    remark: 'ended at their requested time, or by an outage',
    topic: 'killing',
    formula:
      'jobs whose runtime in the log is above their requested time, and jobs that outages ended (`--on-outage kill`); pieces of a job count each',
    edges: '0 without `--kill` and outages',
  }),
  /** Processor-seconds used by killed jobs. */
  killedProcessorSeconds: makeCountMetric({
    core: (measuredRun) => measuredRun.fold(WORK_OF_KILLED_JOBS_FOLD),
    unit: 'processor-seconds',
    noise: 'all',
    label: 'work of killed jobs',
    topic: 'killing',
    formula: 'sum of processors held × execution, over the killed jobs',
    edges: '0 without `--kill` and outages',
  }),
  /** Mean response time in seconds of the jobs that were not killed. */
  completedAverageResponseTime: makeSecondsMetric({
    ofMeasured: true,
    core: makeCompletedJobMetric(MEAN_COMPLETED_RESPONSE_FOLD, 'AverageResponseTime'),
    noise: 'all',
    label: 'average response time of completed jobs',
    topic: 'killing',
    formula: 'sum of response over the jobs that were not killed, over their number',
    edges: KILL_METRIC_EDGE_CASES_TEXT,
    shownWith: 'killedJobs',
  }),
  completedMeanWait: makeSecondsMetric({
    ofMeasured: true,
    core: makeCompletedJobMetric(MEAN_COMPLETED_WAIT_FOLD, 'MeanWait'),
    noise: 'waits',
    label: 'mean wait of completed jobs',
    topic: 'killing',
    formula: 'sum of wait over the jobs that were not killed, over their number',
    edges: KILL_METRIC_EDGE_CASES_TEXT,
    shownWith: 'killedJobs',
  }),
  completedMeanBoundedSlowdown: makeFactorMetric({
    ofMeasured: true,
    core: makeCompletedJobMetric(MEAN_COMPLETED_SLOWDOWN_FOLD, 'MeanBoundedSlowdown'),
    noise: 'waits',
    label: 'bounded slowdown of completed jobs',
    topic: 'killing',
    formula: 'sum of bounded slowdown over the jobs that were not killed, over their number',
    edges: KILL_METRIC_EDGE_CASES_TEXT,
    shownWith: 'killedJobs',
  }),
} satisfies Readonly<Record<string, Metric>>;

/** Number of cancelled jobs that had started, or that had not. */
const makeCancelledJobsFold = (hadStarted: boolean): JobFold => ({
  by: 'sum',
  computeTerms: (jobsOfRun) => {
    const { patience } = jobsOfRun.workload;
    if (patience === undefined) return new Float64Array(0);
    const { submit, start } = jobsOfRun.outcomes();
    const isCounted = (job: number) =>
      isCancelledJob(patience, job) && start[job]! < submit[job]! + patience[job]! === hadStarted;
    return start.map((_, job) => Number(isCounted(job)));
  },
});
const CANCELLED_WAITING_JOBS_FOLD = makeCancelledJobsFold(false);
const CANCELLED_RUNNING_JOBS_FOLD = makeCancelledJobsFold(true);

/** Processors × execution of all cancelled jobs. */
const WORK_OF_CANCELLED_JOBS_FOLD: JobFold = {
  by: 'sum',
  computeTerms: (jobsOfRun) => {
    const { patience } = jobsOfRun.workload;
    if (patience === undefined) return new Float64Array(0);
    const { processors } = jobsOfRun.jobColumns();
    const { execution } = jobsOfRun.outcomes();
    return execution.map((seconds, job) => (isCancelledJob(patience, job) ? processors[job]! * seconds : 0));
  },
};

/** Folds of the metrics of cancelled jobs. */
export const CANCELLED_JOB_FOLDS: readonly JobFold[] = [
  CANCELLED_WAITING_JOBS_FOLD,
  CANCELLED_RUNNING_JOBS_FOLD,
  WORK_OF_CANCELLED_JOBS_FOLD,
];

const CANCEL_METRIC_EDGE_CASES_TEXT = '0 without `--cancelled keep`';

/** Metrics of cancelled jobs, by their names in summary.json. */
export const CANCELLED_JOB_METRICS = {
  /** Number of jobs cancelled before they started. */
  cancelledWaitingJobs: makeCountMetric({
    core: (measuredRun) => measuredRun.fold(CANCELLED_WAITING_JOBS_FOLD),
    noise: 'all',
    label: 'jobs cancelled while waiting',
    remark: 'left the queue; count in no mean',
    topic: 'cancelling',
    formula: 'cancelled jobs that had not started when they were cancelled; they are not among n',
    edges: CANCEL_METRIC_EDGE_CASES_TEXT,
  }),
  /** Number of jobs cancelled after they started. */
  cancelledRunningJobs: makeCountMetric({
    core: (measuredRun) => measuredRun.fold(CANCELLED_RUNNING_JOBS_FOLD),
    noise: 'all',
    label: 'jobs cancelled while running',
    remark: 'started earlier than in the log; count in no mean',
    topic: 'cancelling',
    formula:
      'cancelled jobs that had started, and ended when they were cancelled or at their estimates; they are not among n',
    edges: CANCEL_METRIC_EDGE_CASES_TEXT,
  }),
  /** Processor-seconds used by cancelled jobs. */
  cancelledProcessorSeconds: makeCountMetric({
    core: (measuredRun) => measuredRun.fold(WORK_OF_CANCELLED_JOBS_FOLD),
    unit: 'processor-seconds',
    noise: 'all',
    label: 'work of cancelled jobs',
    topic: 'cancelling',
    formula: 'sum of processors × execution, over the cancelled jobs; it counts in the utilizations',
    edges: CANCEL_METRIC_EDGE_CASES_TEXT,
  }),
} satisfies Readonly<Record<string, Metric>>;
