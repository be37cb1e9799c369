/** What a run says of jobs that were ended at their requested time, and of the others. */
import { exactSum } from '../math/exactSum.js';
import { JobOutcomes, type Quantity } from './jobOutcomes.js';
import { count, factor, type Metric, seconds } from './metric.js';
import type { Simulator } from './simulator.js';

/** Processors × execution of all killed jobs. */
function killedWork(simulator: Simulator): number {
  const { killed } = simulator.workload;
  if (killed === undefined) return 0;
  const { held, execution } = simulator.outcomes();
  const jobs = simulator.jobColumns();
  const processors = held.length === 0 ? jobs.processors : held;
  return exactSum(jobs.count, (job) => (killed[job] ? processors[job] * execution[job] : 0));
}

/** The mean of a quantity over the jobs that count and were not killed; 0 where no job was killed, or all were. */
function meanOfCompleted(quantity: Quantity): (simulator: Simulator) => number {
  return (simulator) => {
    const { killed } = simulator.workload;
    if (!killed?.includes(1)) return 0;
    const jobs = new JobOutcomes(simulator);
    const ended = jobs.of(killed);
    const values = jobs.values(quantity).filter((_, i) => !ended[i]);
    return values.length > 0 ? exactSum(values.length, (i) => values[i]) / values.length : 0;
  };
}

const EDGES = '0 where no job was killed, or every one';

/** Metrics of killed jobs, and means without them, by their names in summary.json. */
export const KILL_METRICS = {
  /** Jobs that were ended at their requested time. */
  killedJobs: count({
    core: ({ workload }) => workload.killed?.reduce((sum, each) => sum + each, 0) ?? 0,
    label: 'killed jobs',
    remark: 'ended at their requested time',
    topic: 'killing',
    formula: 'jobs whose runtime in the log is above their requested time; pieces of a job count each',
    edges: '0 without `--kill`',
  }),
  /** What they used. */
  killedProcessorSeconds: count({
    core: killedWork,
    unit: 'processor-seconds',
    label: 'work of killed jobs',
    topic: 'killing',
    formula: 'sum of processors held × execution, over the killed jobs',
    edges: '0 without `--kill`',
  }),
  /** Means over the jobs that were not killed. */
  completedAverageResponseTime: seconds({
    core: meanOfCompleted('response'),
    label: 'average response time of completed jobs',
    topic: 'killing',
    formula: 'sum of response over the jobs that were not killed, over their number',
    edges: EDGES,
  }),
  completedMeanWait: seconds({
    core: meanOfCompleted('wait'),
    label: 'mean wait of completed jobs',
    topic: 'killing',
    formula: 'sum of wait over the jobs that were not killed, over their number',
    edges: EDGES,
  }),
  completedMeanBoundedSlowdown: factor({
    core: meanOfCompleted('boundedSlowdown'),
    label: 'bounded slowdown of completed jobs',
    topic: 'killing',
    formula: 'sum of bounded slowdown over the jobs that were not killed, over their number',
    edges: EDGES,
  }),
} satisfies Readonly<Record<string, Metric>>;
