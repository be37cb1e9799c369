/** Errors that are put on exact estimates (Huang et al. 2009, Tables 4 and 5). */
import type { Estimates } from './estimates.js';
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

/**
 * The workload with estimates from the source; `trace` leaves it as it is. Errors are drawn in job order.
 * @example
 * const guessed = withEstimates(workload, parseEstimates('uniform:0.2'));
 * console.log((guessed.estimate[0] / guessed.runtime[0]).toFixed(3)); // 0.867
 */
export function withEstimates(workload: Workload, estimates: Estimates): Workload {
  if (estimates.source === 'trace') return workload;
  const accounting = { ...workload.accounting, withoutEstimate: 0 };
  if (estimates.source === 'exact') return { ...workload, accounting, estimate: workload.runtime };
  const error = errorStream(estimates as Extract<Estimates, { range: number }>);
  const estimate = workload.runtime.map((runtime) => runtime * (1 + error()));
  return { ...workload, accounting, estimate };
}
