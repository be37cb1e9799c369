/** Metrics of jobs that did not run to completion: those killed at their requested time, and those cancelled. */
import type { Quantity } from '../jobs/quantities.js';
import { exactSum } from '../math/exactSum.js';
import { isCancelled } from '../workload/cancellations.js';
import { JobOutcomes } from './jobOutcomes.js';
import { countMetric, factorMetric, type Metric, secondsMetric } from './metric.js';
import type { Simulator } from './simulator.js';

/** Processors × execution of all killed jobs. */
function killedWork(simulator: Simulator): number {
  const { killed } = simulator.workload;
  if (killed === undefined) return 0;
  const { held, execution } = simulator.outcomes();
  const jobs = simulator.jobColumns();
  const processors = held.length === 0 ? jobs.processors : held;
  return exactSum(jobs.count, (job) => (killed[job] ? processors[job]! * execution[job]! : 0));
}

/** The mean of a quantity over the jobs that count and were not killed; 0 where no job was killed, or all were. */
function meanOfCompleted(quantity: Quantity): (simulator: Simulator) => number {
  return (simulator) => {
    const { killed } = simulator.workload;
    if (!killed?.includes(1)) return 0;
    const jobs = new JobOutcomes(simulator);
    const ended = jobs.of(killed);
    const values = jobs.values(quantity).filter((_, i) => !ended[i]);
    return values.length > 0 ? exactSum(values.length, (i) => values[i]!) / values.length : 0;
  };
}

const KILL_EDGES = '0 where no job was killed, or every one';

/** Metrics of killed jobs, and means without them, by their names in summary.json. */
export const KILL_METRICS = {
  /** Jobs that were ended at their requested time. */
  killedJobs: countMetric({
    core: ({ workload }) => workload.killed?.reduce((sum, each) => sum + each, 0) ?? 0,
    noise: 'all',
    label: 'killed jobs',
    remark: 'ended at their requested time',
    topic: 'killing',
    formula: 'jobs whose runtime in the log is above their requested time; pieces of a job count each',
    edges: '0 without `--kill`',
  }),
  /** Processor-seconds used by killed jobs. */
  killedProcessorSeconds: countMetric({
    core: killedWork,
    unit: 'processor-seconds',
    noise: 'all',
    label: 'work of killed jobs',
    topic: 'killing',
    formula: 'sum of processors held × execution, over the killed jobs',
    edges: '0 without `--kill`',
  }),
  /** Means over the jobs that were not killed. */
  completedAverageResponseTime: secondsMetric({
    ofMeasured: true,
    core: meanOfCompleted('response'),
    noise: 'all',
    label: 'average response time of completed jobs',
    topic: 'killing',
    formula: 'sum of response over the jobs that were not killed, over their number',
    edges: KILL_EDGES,
  }),
  completedMeanWait: secondsMetric({
    ofMeasured: true,
    core: meanOfCompleted('wait'),
    noise: 'waits',
    label: 'mean wait of completed jobs',
    topic: 'killing',
    formula: 'sum of wait over the jobs that were not killed, over their number',
    edges: KILL_EDGES,
  }),
  completedMeanBoundedSlowdown: factorMetric({
    ofMeasured: true,
    core: meanOfCompleted('boundedSlowdown'),
    noise: 'waits',
    label: 'bounded slowdown of completed jobs',
    topic: 'killing',
    formula: 'sum of bounded slowdown over the jobs that were not killed, over their number',
    edges: KILL_EDGES,
  }),
} satisfies Readonly<Record<string, Metric>>;

/** Number of cancelled jobs that had started, or of those that had not. */
function cancelledJobs(hadStarted: boolean): (simulator: Simulator) => number {
  return (simulator) => {
    const { patience } = simulator.workload;
    if (patience === undefined) return 0;
    const { submit, start } = simulator.outcomes();
    const isCounted = (job: number) =>
      isCancelled(patience, job) && start[job]! < submit[job]! + patience[job]! === hadStarted;
    return start.reduce((sum, _, job) => sum + Number(isCounted(job)), 0);
  };
}

/** Processors × execution of all cancelled jobs. */
function cancelledWork(simulator: Simulator): number {
  const { patience } = simulator.workload;
  if (patience === undefined) return 0;
  const { execution } = simulator.outcomes();
  const { count, processors } = simulator.jobColumns();
  return exactSum(count, (job) => (isCancelled(patience, job) ? processors[job]! * execution[job]! : 0));
}

const CANCEL_EDGES = '0 without `--cancelled keep`';

/** Metrics of cancelled jobs, by their names in summary.json. */
export const CANCEL_METRICS = {
  /** Jobs that left the queue without having started. */
  cancelledWaitingJobs: countMetric({
    core: cancelledJobs(false),
    noise: 'all',
    label: 'jobs cancelled while waiting',
    remark: 'left the queue; count in no mean',
    topic: 'cancelling',
    formula: 'cancelled jobs that had not started when they were cancelled; they are not among n',
    edges: CANCEL_EDGES,
  }),
  /** Jobs that started before they were cancelled. */
  cancelledRunningJobs: countMetric({
    core: cancelledJobs(true),
    noise: 'all',
    label: 'jobs cancelled while running',
    remark: 'started earlier than in the log; count in no mean',
    topic: 'cancelling',
    formula:
      'cancelled jobs that had started, and ended when they were cancelled or at their estimates; they are not among n',
    edges: CANCEL_EDGES,
  }),
  /** Processor-seconds used by cancelled jobs. */
  cancelledProcessorSeconds: countMetric({
    core: cancelledWork,
    unit: 'processor-seconds',
    noise: 'all',
    label: 'work of cancelled jobs',
    topic: 'cancelling',
    formula: 'sum of processors × execution, over the cancelled jobs; it counts in the utilizations',
    edges: CANCEL_EDGES,
  }),
} satisfies Readonly<Record<string, Metric>>;
