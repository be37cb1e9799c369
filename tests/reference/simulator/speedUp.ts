import type { Speedup } from './types.js';

/**
 * Speedup of a job on n processors relative to one: n, or by Downey's model (1997) with average
 * parallelism A and variance of parallelism sigma.
 */
export function speedUpOnProcessors(n: number, parameters: Speedup | undefined): number {
  if (parameters === undefined) return n;
  const { A, sigma } = parameters;
  if (sigma <= 1) {
    if (n <= A) return (A * n) / (A + (sigma * (n - 1)) / 2);
    if (n <= 2 * A - 1) return (A * n) / (sigma * (A - 0.5) + n * (1 - sigma / 2));
    return A;
  }
  if (n <= A + A * sigma - sigma) return (n * A * (sigma + 1)) / (sigma * (n + A - 1) + A);
  return A;
}
