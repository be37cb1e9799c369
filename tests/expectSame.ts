import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';

/** `toEqual`, in a fraction of its time for long columns that are the same. */
export function expectSame(found: unknown, expected: unknown, message = ''): void {
  if (!isDeepStrictEqual(found, expected)) expect(found, message).toEqual(expected);
}
