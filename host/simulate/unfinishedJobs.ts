/** Metrics of jobs that did not complete: killed at their requested time or by an outage, or cancelled. */
import type { Quantity } from '../jobs/quantities.js';
import { sumExactly } from '../math/exactSum.js';
import { isCancelledJob } from '../workload/cancellations.js';
import type { Workload } from '../workload/workload.js';
import { FinishedJobOutcomes } from './jobOutcomes.js';
import { type Metric, makeCountMetric, makeFactorMetric, makeSecondsMetric } from './metric.js';
import type { Simulator } from './simulator.js';

/**
 * Flags (1) of jobs killed at their requested times, or ended by outages; undefined if there are none.
 * @param endedByOutages indices of the jobs that outages have ended.
 */
export function killedJobFlags(
  { killed, count }: Pick<Workload, 'killed' | 'count'>,
  endedByOutages: Int32Array | undefined,
): Uint8Array | undefined {
  if (endedByOutages === undefined || endedByOutages.length === 0) return killed;
  const flags = new Uint8Array(count);
  if (killed !== undefined) flags.set(killed);
  for (const job of endedByOutages) flags[job] = 1;
  return flags;
}

const killedJobsOfRun = (simulator: Simulator) =>
  killedJobFlags(simulator.workload, simulator.endedByOutages());

/** Processors × execution of all killed jobs. */
function workOfKilledJobs(simulator: Simulator): number {
  const killed = killedJobsOfRun(simulator);
  if (killed === undefined) return 0;
  const { held, execution } = simulator.outcomes();
  const jobs = simulator.jobColumns();
  const processors = held.length === 0 ? jobs.processors : held;
  return sumExactly(jobs.count, (job) => (killed[job] ? processors[job]! * execution[job]! : 0));
}

/** Mean of a quantity over the measured jobs that were not killed; 0 if none or all were killed. */
function makeMeanOfCompletedJobs(quantity: Quantity): (simulator: Simulator) => number {
  return (simulator) => {
    const killed = killedJobsOfRun(simulator);
    if (!killed?.includes(1)) return 0;
    const jobs = new FinishedJobOutcomes(simulator);
    const ended = jobs.of(killed);
    const values = jobs.values(quantity).filter((_, i) => !ended[i]);
    return values.length > 0 ? sumExactly(values.length, (i) => values[i]!) / values.length : 0;
  };
}

const KILL_METRIC_EDGE_CASES = '0 where no job was killed, or every one';

/** Metrics of killed jobs, and means without killed jobs, by their names in summary.json. */
export const KILLED_JOB_METRICS = {
  /** Number of jobs killed at their requested time or by an outage. */
  killedJobs: makeCountMetric({
    core: (simulator) => killedJobsOfRun(simulator)?.reduce((sum, each) => sum + each, 0) ?? 0,
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
    core: workOfKilledJobs,
    unit: 'processor-seconds',
    noise: 'all',
    label: 'work of killed jobs',
    topic: 'killing',
    formula: 'sum of processors held × execution, over the killed jobs',
    edges: '0 without `--kill` and outages',
  }),
  /** Means over jobs that were not killed. */
  completedAverageResponseTime: makeSecondsMetric({
    ofMeasured: true,
    core: makeMeanOfCompletedJobs('response'),
    noise: 'all',
    label: 'average response time of completed jobs',
    topic: 'killing',
    formula: 'sum of response over the jobs that were not killed, over their number',
    edges: KILL_METRIC_EDGE_CASES,
  }),
  completedMeanWait: makeSecondsMetric({
    ofMeasured: true,
    core: makeMeanOfCompletedJobs('wait'),
    noise: 'waits',
    label: 'mean wait of completed jobs',
    topic: 'killing',
    formula: 'sum of wait over the jobs that were not killed, over their number',
    edges: KILL_METRIC_EDGE_CASES,
  }),
  completedMeanBoundedSlowdown: makeFactorMetric({
    ofMeasured: true,
    core: makeMeanOfCompletedJobs('boundedSlowdown'),
    noise: 'waits',
    label: 'bounded slowdown of completed jobs',
    topic: 'killing',
    formula: 'sum of bounded slowdown over the jobs that were not killed, over their number',
    edges: KILL_METRIC_EDGE_CASES,
  }),
} satisfies Readonly<Record<string, Metric>>;

/** Number of cancelled jobs that had started, or that had not. */
function makeCancelledJobCounter(hadStarted: boolean): (simulator: Simulator) => number {
  return (simulator) => {
    const { patience } = simulator.workload;
    if (patience === undefined) return 0;
    const { submit, start } = simulator.outcomes();
    const isCounted = (job: number) =>
      isCancelledJob(patience, job) && start[job]! < submit[job]! + patience[job]! === hadStarted;
    return start.reduce((sum, _, job) => sum + Number(isCounted(job)), 0);
  };
}

/** Processors × execution of all cancelled jobs. */
function workOfCancelledJobs(simulator: Simulator): number {
  const { patience } = simulator.workload;
  if (patience === undefined) return 0;
  const { execution } = simulator.outcomes();
  const { count, processors } = simulator.jobColumns();
  return sumExactly(count, (job) => (isCancelledJob(patience, job) ? processors[job]! * execution[job]! : 0));
}

const CANCEL_METRIC_EDGE_CASES = '0 without `--cancelled keep`';

/** Metrics of cancelled jobs, by their names in summary.json. */
export const CANCELLED_JOB_METRICS = {
  /** Number of jobs cancelled before they started. */
  cancelledWaitingJobs: makeCountMetric({
    core: makeCancelledJobCounter(false),
    noise: 'all',
    label: 'jobs cancelled while waiting',
    remark: 'left the queue; count in no mean',
    topic: 'cancelling',
    formula: 'cancelled jobs that had not started when they were cancelled; they are not among n',
    edges: CANCEL_METRIC_EDGE_CASES,
  }),
  /** Number of jobs cancelled after they started. */
  cancelledRunningJobs: makeCountMetric({
    core: makeCancelledJobCounter(true),
    noise: 'all',
    label: 'jobs cancelled while running',
    remark: 'started earlier than in the log; count in no mean',
    topic: 'cancelling',
    formula:
      'cancelled jobs that had started, and ended when they were cancelled or at their estimates; they are not among n',
    edges: CANCEL_METRIC_EDGE_CASES,
  }),
  /** Processor-seconds used by cancelled jobs. */
  cancelledProcessorSeconds: makeCountMetric({
    core: workOfCancelledJobs,
    unit: 'processor-seconds',
    noise: 'all',
    label: 'work of cancelled jobs',
    topic: 'cancelling',
    formula: 'sum of processors × execution, over the cancelled jobs; it counts in the utilizations',
    edges: CANCEL_METRIC_EDGE_CASES,
  }),
} satisfies Readonly<Record<string, Metric>>;
