/** Errors that are put on exact estimates (Huang et al. 2009, Tables 4 and 5). */
import { InputError } from '../errors.js';
import { sourceName } from '../trace/quote.js';
import { type Estimates, printEstimates } from './estimates.js';
import { normalStream, uniformStream } from './random.js';
import type { Workload } from './workload.js';

/**
 * Relative errors: uniform over [-r, r], or normal with standard deviation r / 3 cut at -r and r.
 */
function errorStream({ source, range, seed }: Extract<Estimates, { range: number }>): () => number {
  if (source === 'uniform') {
    const uniform = uniformStream(seed, 'estimates');
    return () => range * (2 * uniform() - 1);
  }
  const normal = normalStream(seed, 'estimates');
  return () => Math.min(range, Math.max(-range, (normal() * range) / 3));
}

/** The users of jobs, numbered from 0 in the order in which they come. */
function recentOf({ name, count, log }: Workload, n: number): NonNullable<Workload['recent']> {
  const numbers = new Map<number, number>();
  const users = new Int32Array(count).fill(-1);
  log?.user.forEach((user, job) => {
    if (user < 0) return;
    if (!numbers.has(user)) numbers.set(user, numbers.size);
    users[job] = numbers.get(user) as number;
  });
  if (numbers.size > 0) return { n, users };
  throw new InputError(
    `${sourceName(name)}: no job names its user (field 12), by whose earlier jobs ${printEstimates({ source: 'recent', n })} estimates; take other --estimates`,
  );
}

/**
 * The workload with estimates from the source; `trace` leaves it as it is, with `none` nobody looks at them. Errors are drawn in job order; what `recent`
 * estimates depends on the schedule, and a simulation finds it as it goes.
 * @throws InputError for `recent` where no job names its user.
 * @example
 * const guessed = withEstimates(workload, parseEstimates('uniform:0.2'));
 * console.log((guessed.estimate[0] / guessed.runtime[0]).toFixed(3)); // 0.867
 */
export function withEstimates(workload: Workload, estimates: Estimates): Workload {
  if (estimates.source === 'trace') return workload;
  const accounting = { ...workload.accounting, withoutEstimate: 0 };
  if (estimates.source === 'none') return { ...workload, accounting, unestimated: true };
  if (estimates.source === 'exact') return { ...workload, accounting, estimate: workload.runtime };
  if (estimates.source === 'recent') return { ...workload, recent: recentOf(workload, estimates.n) };
  const error = errorStream(estimates as Extract<Estimates, { range: number }>);
  const estimate = workload.runtime.map((runtime) => runtime * (1 + error()));
  return { ...workload, accounting, estimate };
}
