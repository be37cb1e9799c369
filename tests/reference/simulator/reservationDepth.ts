import type { ReferenceOptions } from './types.js';

/** Number of jobs of a pass that get reservations. */
export function reservationCountPerPass({
  discipline,
  reservationDepth: depth = 1,
}: ReferenceOptions): number {
  return discipline === 'conservative' ? Number.POSITIVE_INFINITY : depth;
}
