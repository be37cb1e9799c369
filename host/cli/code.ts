/** Files with functions that a command line names for policies and orders. */
import { readCode } from '../code/read.js';
import { TIMEOUT } from '../code/watch.js';
import { parseNumber } from '../notation.js';
import { isCodeName } from '../options/code.js';
import type { Arguments } from './arguments.js';
import type { Command, OptionTable } from './command.js';

/** Options that take such files. */
const TAKING_CODE = ['policy', 'order', 'backfill-order'];

/** The option of what runs functions from files. */
export const CODE_OPTIONS: OptionTable = {
  'policy-timeout': {
    describe: 'seconds that a function from a file (--policy, --order) may take for one answer',
    default: String(TIMEOUT),
    group: 'Execution:',
  },
};

/** Whether a command runs functions; a policy of core build is a file of another kind. */
export function runsCode({ options }: Command): boolean {
  return Object.keys(CODE_OPTIONS).every((name) => Object.hasOwn(options, name));
}

/** Reads the files that the options name; nothing in them runs yet. */
export async function readCodeOf(args: Arguments): Promise<void> {
  const words = TAKING_CODE.flatMap((name) => args.texts(name)).flatMap((text) => text.split(','));
  for (const name of words.map((word) => word.trim()).filter(isCodeName)) await readCode(name);
}

/** Seconds that a function may take for one answer. */
export function timeoutOf(args: Arguments): number {
  return args.read('policy-timeout', (text, what) => parseNumber(text, what, { above: 0 })) ?? TIMEOUT;
}
