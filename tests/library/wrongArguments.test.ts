import { describe, expect, test } from 'vitest';
import * as library from '../../host/index.js';

/** Whoever hands over something else than a function takes is told so in a sentence. */

const JUNK: readonly unknown[] = [undefined, null, 3, Number.NaN, 'x', {}, [], () => 1, new Map()];
/** They take what JavaScript knows of files and modules, or keep what they are given. */
const OTHERS = ['setCore', 'useCoreFile', 'coreFile'];
const functions = Object.entries(library).flatMap(([name, value]) =>
  typeof value === 'function' && /^[a-z]/.test(name) && !OTHERS.includes(name)
    ? [[name, value as (...given: unknown[]) => unknown] as const]
    : [],
);

test('there are functions', () => {
  expect(functions.length).toBeGreaterThan(55);
});

describe.each(functions)('%s', (_, call) => {
  test.each(JUNK.map((given) => [given]))('of %o gives a result or a sentence', async (given) => {
    for (const second of [undefined, null, {}]) {
      try {
        await call(given, second);
      } catch (error) {
        expect(error).toBeInstanceOf(Error);
        expect(['InputError', 'OutputError', 'FunctionError'], String(error)).toContain(
          (error as Error).name,
        );
      }
    }
  });
});
