/** How many threads a command uses, and whether runs share what they have in common. */
import { availableParallelism } from 'node:os';
import { parseWholeNumber } from '../notation.js';
import type { Arguments } from './arguments.js';
import type { OptionDefinition } from './command.js';

/** The option of what simulates in threads. */
export const THREADS: OptionDefinition = {
  describe: 'threads that simulate',
  default: 'one per processor core',
  group: 'Execution:',
};

/** The option of what simulates under several policies. */
export const NO_SHARING: OptionDefinition = {
  describe:
    'simulate every run of every study by itself; else runs that differ in nothing but their policies are one until a decision differs',
  isSwitch: true,
  group: 'Execution:',
};

/** Whether runs share what they have in common. */
export function sharingOf(args: Arguments): boolean {
  return !args.has('no-sharing');
}

const MOST_THREADS = 256;

/** The threads asked for, or one per processor core. */
export function threadsOf(args: Arguments): number {
  const given = args.read('threads', (text, what) =>
    parseWholeNumber(text, what, { atLeast: 1, atMost: MOST_THREADS }),
  );
  return given ?? availableParallelism();
}
