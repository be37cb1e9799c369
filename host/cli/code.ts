/** Files with functions that a command line names for policies and orders. */
import { Console } from 'node:console';
import { loadCode, readCode, requireAllowed } from '../code/read.js';
import { TIMEOUT } from '../code/watch.js';
import { parseNumber } from '../notation.js';
import { codeNamed, isCodeName, TAKING_CODE } from '../options/code.js';
import type { Arguments } from './arguments.js';
import type { Command, OptionTable } from './command.js';

/** The option of what runs functions from files. */
export const CODE_OPTIONS: OptionTable = {
  'policy-timeout': {
    describe:
      'seconds that a function from a file (--policy, --order, --backfill-order) may take for one answer',
    default: String(TIMEOUT),
    group: 'Execution:',
  },
};

/** The option of what may run functions from files that a study or a folder of results brings with it. */
export const ALLOW_CODE_OPTION: OptionTable = {
  'allow-code': {
    describe:
      'let files with functions run that a study or a folder names as policies and orders: their code has all your rights',
    isSwitch: true,
    group: 'Execution:',
  },
};

/** Whether a command runs functions; a policy of core build is a file of another kind. */
export function runsCode({ options }: Command): boolean {
  return Object.keys(CODE_OPTIONS).every((name) => Object.hasOwn(options, name));
}

/** The files that the options name. */
function codeNamesIn(args: Arguments): string[] {
  const words = TAKING_CODE.flatMap((name) => args.texts(name)).flatMap((text) => text.split(','));
  return words.map((word) => word.trim()).filter(isCodeName);
}

/**
 * Whether files that others name may run.
 * @param brought what a folder says: the options that are taken from it.
 * @throws InputError where it names files and they may not.
 */
export function checkBroughtCode(folder: string, brought: Arguments, isAllowed: boolean): void {
  for (const name of codeNamesIn(brought)) requireAllowed(isAllowed, `${folder} has the file ${name}`);
}

/** Reads the files that the options name; nothing in them runs yet. */
export async function readCodeOf(args: Arguments): Promise<void> {
  for (const name of codeNamesIn(args)) await readCode(name);
}

/**
 * Loads those that have been read into this thread, in which nothing ends a function that does not return; what they print
 * are messages.
 */
export async function loadCodeOf(args: Arguments): Promise<void> {
  const names = codeNamesIn(args);
  if (names.length > 0) globalThis.console = new Console(process.stderr);
  for (const name of names) await loadCode(codeNamed(name, name));
}

/** Seconds that a function may take for one answer. */
export function timeoutOf(args: Arguments): number {
  return args.read('policy-timeout', (text, what) => parseNumber(text, what, { above: 0 })) ?? TIMEOUT;
}
