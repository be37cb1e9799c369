/** The difference of two simulations as numbers. */

import type { JobDifference, RunDifference } from '../results/difference.js';
import { explainCommand, extremes } from './differenceReport.js';

/** The difference as JSON. */
export function differenceDocument(difference: RunDifference): object {
  const { a, b, metrics, sooner, same, later } = difference;
  const { gained, lost } = extremes(difference);
  const jobsOf = (jobs: readonly JobDifference[]) =>
    jobs.map(({ a: one, b: other, difference: change }) => ({
      ...{ job: one.name, processors: one.requested, submit: one.submit },
      ...{ waitA: one.start - one.submit, waitB: other.start - other.submit },
      ...{ endA: one.end, endB: other.end, difference: change },
      explain: [explainCommand(a.folder, one.name), explainCommand(b.folder, one.name)],
    }));
  return {
    a: { folder: a.folder, method: a.summary.method },
    b: { folder: b.folder, method: b.summary.method },
    metrics: metrics.map(({ metric, a: ofA, b: ofB, difference: change }) => ({
      ...{ name: metric.name, label: metric.label, unit: metric.unit ?? null, a: ofA, b: ofB },
      difference: change,
    })),
    jobs: { sooner, same, later, gained: jobsOf(gained), lost: jobsOf(lost) },
  };
}
