/** The options that commands share. Their names are what scripts rely on. */
import { policies } from '../core/policies.js';
import { InputError } from '../errors.js';
import { parseWholeNumber } from '../notation.js';
import { defaultText, HEADINGS, type NamedOption, OPTIONS } from '../options/options.js';
import type { Arguments } from './arguments.js';
import type { OptionDefinition, OptionTable, Positional } from './command.js';

/** Options of every command. */
export const COMMON_OPTIONS: OptionTable = {
  json: { describe: 'print one JSON document and nothing else', isSwitch: true, group: 'Output:' },
  quiet: {
    describe: 'no messages on standard error except errors, and no tables of what --out receives',
    isSwitch: true,
    group: 'Output:',
  },
};

/** Every option of a simulation but its workload, heading by heading. */
export const SETTING_OPTIONS: OptionTable = Object.fromEntries(
  Object.entries(OPTIONS)
    .filter(([, { key }]) => key !== 'workload')
    .sort(([, a], [, b]) => HEADINGS.indexOf(a.heading) - HEADINGS.indexOf(b.heading))
    .map(([name, option]) => [name, definitionOf(option)]),
);

function definitionOf(option: NamedOption): OptionDefinition {
  const { help, heading, isSwitch, isRepeatable, isOpen, choices } = option;
  const usual = isSwitch ? undefined : defaultText(option);
  return {
    describe: help,
    group: `${heading}:`,
    ...(usual === undefined ? {} : { default: usual }),
    ...(isSwitch ? { isSwitch } : {}),
    ...(isRepeatable ? { isRepeatable } : {}),
    ...(choices === undefined ? {} : { choices }),
    ...(isOpen ? { isOpen } : {}),
    ...(option.key === 'policy' ? { complete: policyNames, isOpen: true } : {}),
  };
}

function policyNames(): string[] {
  return policies().map(({ name }) => name);
}

/** Option of what names policies: the program has the core run before the command. */
export const CORE_OPTION: OptionTable = {
  core: {
    describe: 'a core with policies of your own, as gridalloc core build writes it',
    default: 'that of the package',
    group: 'Scheduling:',
  },
};

/** The option as words of a command line, where it is given. */
export function coreWords(args: Arguments): string[] {
  return args.texts('core').flatMap((path) => ['--core', path]);
}

/** What a workload may be, for the help. */
export const WORKLOAD_HELP =
  'WORKLOAD is a job log (FILE.swf, FILE.swf.gz, or - for standard input; see gridalloc trace formats), several files or a ' +
  "pattern such as 'jobs-*.swf', which are read one after the other as one log, " +
  'or a model with parameters, such as lublin99[aarr=9,jobs=30000,seed=1] (see gridalloc trace models).';

/** The word for a workload. */
export const WORKLOAD: Positional = {
  name: 'WORKLOAD',
  meaning: 'a WORKLOAD: a job log (FILE.swf, FILE.swf.gz, -) or a model',
  isRepeatable: true,
};

/** Options of what runs replications of a simulation. */
export const REPLICATION_OPTIONS: OptionTable = {
  replications: {
    describe:
      'simulate this many replications, with jobs changed at random (--perturb), and give 95 % intervals',
    default: 'none',
    group: 'Replications:',
  },
};

const MOST_REPLICATIONS = 100_000;

/**
 * How many replications are asked for; undefined where none are.
 * @throws InputError for fewer than two, from which no interval follows.
 */
export function replicationsOf(args: Arguments): number | undefined {
  const count = args.read('replications', (text, what) =>
    parseWholeNumber(text, what, { atLeast: 1, atMost: MOST_REPLICATIONS }),
  );
  if (count === 1) {
    throw new InputError('--replications 1: an interval needs 2 replications or more; give at least 2');
  }
  if (count !== undefined && args.has('replication')) {
    throw new InputError('--replications makes them all, --replication one of them; give one of the two');
  }
  return count;
}
