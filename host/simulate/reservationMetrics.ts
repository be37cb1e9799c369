/** How far starts are from what was promised, where reservations are kept. */
import { exactSum } from '../math/exactSum.js';
import { JobOutcomes } from './jobOutcomes.js';
import { count, type Metric, seconds } from './metric.js';
import type { Simulator } from './simulator.js';

/** Start less promised start of every job that counts; none where nothing was promised. */
function promiseErrors(simulator: Simulator): Float64Array {
  const promised = simulator.promises();
  if (promised === undefined) return new Float64Array();
  const jobs = new JobOutcomes(simulator);
  const ofJobs = jobs.of(promised);
  return jobs.start.map((start, i) => start - ofJobs[i]);
}

function meanPromiseError(simulator: Simulator): number {
  const errors = promiseErrors(simulator);
  return errors.length > 0 ? exactSum(errors.length, (i) => errors[i]) / errors.length : 0;
}

const EDGES = '0 but with `--reservations kept`';

/** Metrics of reservations, by their names in summary.json. */
export const RESERVATION_METRICS = {
  /** Mean of start - promised start; below 0 where jobs start earlier. */
  meanPromiseError: seconds({
    core: meanPromiseError,
    label: 'mean promise error',
    remark: 'start - start promised at the submit',
    topic: 'reserving',
    formula: 'sum of start - promised start / n; below 0 where jobs start earlier than promised',
    edges: EDGES,
  }),
  /** The longest that a job started later than promised. */
  maxPromiseError: seconds({
    core: (simulator) => promiseErrors(simulator).reduce((most, error) => Math.max(most, error), 0),
    label: 'largest delay beyond a promise',
    topic: 'reserving',
    formula: 'the largest start - promised start, at least 0',
    edges: EDGES,
  }),
  /** Times at which a reservation lost its place. */
  movedReservations: count({
    core: (simulator) => simulator.movedReservations,
    label: 'moved reservations',
    remark: 'lost to jobs that ran longer than estimated',
    topic: 'reserving',
    formula:
      'times at which a job that runs longer than predicted took the place of a reservation, or a policy left a job waiting that had one',
    edges: EDGES,
  }),
} satisfies Readonly<Record<string, Metric>>;
