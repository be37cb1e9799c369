/** What a policy that is chosen among candidates as the run goes on tells of its choices. */
import { count, type Metric } from './metric.js';

/** How a policy that is chosen as the run goes on came to be which. */
export const TRIAL_METRICS = {
  /** Submits after which candidates were tried. */
  times: count({
    core: (simulator) => simulator.choosing('Trials'),
    label: 'trials of candidates',
    remark: 'times at which all were tried on the waiting jobs',
    topic: 'trials',
    formula: 'submits after which candidates were tried',
    edges: 'all three 0 but with `dynamic`',
  }),
  switches: count({
    core: (simulator) => simulator.choosing('Switches'),
    label: 'switches between candidates',
    topic: 'trials',
    formula: 'times at which another candidate came in force',
  }),
  jobs: count({
    core: (simulator) => simulator.choosing('TriedJobs'),
    label: 'jobs started in trials',
    remark: 'what trials cost: candidates that decide alike start a job once',
    topic: 'trials',
    formula: 'starts of jobs in trials, those that candidates have in common counted once',
  }),
} satisfies Readonly<Record<string, Metric>>;
