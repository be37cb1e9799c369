import type { ReferenceOptions } from './types.js';

/** How many jobs of a pass have something kept for them. */
export function reservationDepth({ discipline, reservationDepth: depth = 1 }: ReferenceOptions): number {
  return discipline === 'conservative' ? Number.POSITIVE_INFINITY : depth;
}
